-- Every program in examples/lua prints what its first comment says.
local function run(path)
  local lines = {}
  local environment = setmetatable({print = function(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    lines[#lines + 1] = table.concat(words, "\t")
  end}, {__index = _G})
  local program = assert(loadfile(path, "t", environment))
  if setfenv then setfenv(program, environment) end
  program()
  return table.concat(lines, "\n")
end

local function promised(path)
  local lines, inside = {}, false
  for line in io.lines(path) do
    if line:find "Prints:$" then
      inside = true
    elseif inside then
      local text = line:match "^%-%-   (.*)$"
      if not text then break end
      lines[#lines + 1] = text
    end
  end
  assert(#lines > 0, path)
  return table.concat(lines, "\n")
end

describe("the examples", function()
  for _, name in ipairs {"first", "sat", "platformer"} do
    it(name .. " print what they promise", function()
      local path = "examples/lua/" .. name .. ".lua"
      assert.are.equal(promised(path), run(path))
    end)
  end
end)
