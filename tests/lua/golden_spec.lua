-- The same queries through Lua and through `graze query` return the same answers and certificates, to the last bit. The
-- module and the command read arguments with different code, so an error in one of them shows.
local lines = require "lines"

local files = {"tests/cases/sample.jsonl", "tests/cases/reported.jsonl", "examples/mission.jsonl",
               "examples/motion.jsonl", "examples/overlap.jsonl", "examples/cubes.jsonl", "examples/outlines.jsonl",
               "examples/concave.jsonl", "examples/compound.jsonl", "tests/cli/motion.jsonl", "tests/cli/toi.jsonl",
               "tests/cli/pairs.jsonl", "tests/cli/compounds.jsonl", "tests/lua/meshes.jsonl"}

local function command_answers(path)
  local pipe = assert(io.popen(("'%s' query '%s'"):format(os.getenv("GRAZE"), path)))
  local answers = {}
  for text in pipe:lines() do answers[#answers + 1] = lines.decode(text) end
  pipe:close()
  return answers
end

-- The command omits the pairs of a touch of rounded shapes if they equal those of its direction.
local function leave_out_repeats(certificate)
  local relation = certificate.relation
  if type(relation) == "table" and relation.kind == "touch" and relation.nearest then relation.pairs = nil end
  for _, part in ipairs(certificate.parts or {}) do leave_out_repeats(part.certificate) end
end

describe("query lines", function()
  local compared, verified, moved = 0, 0, 0

  for _, file in ipairs(files) do
    it("of " .. file .. " have the same answers", function()
      local answers = command_answers(file)
      for i, line in ipairs(lines.read(file)) do
        local name, theirs = ("%s:%d"):format(file, i), answers[i]
        local good, ours, verify = pcall(lines.run, line.value)
        if theirs.error then
          if line.value.query and line.value.a then
            assert.is_true(not good or ours == nil, name .. ": " .. theirs.error.message)
          end
        elseif good and ours then
          if theirs.certificate == nil then ours.certificate = nil end
          if ours.certificate then leave_out_repeats(ours.certificate) end
          assert.is_nil(lines.differ(ours, theirs), name)
          compared = compared + 1
          local proved, why = (verify or function() end)()
          if verify then assert.are.equal(not proved and "unproven" or nil, why, name) end
          if verify and line.value.proof and not line.value.motion then assert.is_true(proved, name) end
          if proved then verified = verified + 1 end
          if proved and line.value.motion then moved = moved + 1 end
        else
          assert.is_true(good, name .. ": " .. tostring(ours))
        end
      end
    end)
  end

  it("are many", function()
    assert.is_true(compared > 350, compared)
    assert.is_true(verified >= 300 and moved >= 50, verified .. " " .. moved)
  end)
end)
