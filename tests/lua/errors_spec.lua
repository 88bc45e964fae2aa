-- Mistakes are errors that name the argument and its value, at the line of the call or of the callback that returned:
-- line 1 in errors.jsonl.
local graze, lines, sat, support = require "graze", require "lines", require "graze_sat", require "support"

local circle, nan, inf = graze.circle(1), 0 / 0, 1 / 0
local a, b = circle:at(0, 0), circle:at(3, 0)
local world = graze.world()
world:add("here", circle, 0, 0)
world:add("wall", circle, 9, 0, {type = "static"})

-- What the calls of errors.jsonl name.
local names = setmetatable({
  graze = graze, circle = circle, box3 = graze.box(1, 1, 1), a = a, b = b, world = world, nan = nan, inf = inf,
  sat = sat, square = sat.polygon {0, 0, 1, 0, 1, 1, 0, 1}, unknown = {},
  coin = setmetatable({}, {__tostring = function() return "the coin" end}),
  nameless = setmetatable({}, {__tostring = function() error "no name" end}),
  -- Two that overlap, or do not. Numbers that are good by themselves lead too far there.
  close_by = function(def, x)
    local pair = graze.world()
    pair:add(1, graze.polygon {0, 0, 1, 0, 0, 1}, 0, 0, def)
    pair:add(2, graze.box(0.5, 0.5), x or 0, 0.3)
    return pair
  end,
}, {__index = _G})

describe("a mistake", function()
  for _, line in ipairs(lines.read "tests/lua/errors.jsonl") do
    local mistake = line.question
    it("is named: " .. mistake.why, function()
      local message = support.refused(mistake.message, support.compile(mistake.call, "errors.jsonl", names))
      assert.are.equal("string", type(message))
      assert.is_truthy(message:find "errors.jsonl:1:", message)
      assert.are.same({0, 0, 1, 0}, {world:pose "here"})
    end)
  end

  it("changes nothing", function()
    assert.are.equal(2, world:count())
    assert.are.equal(1, (graze.distance(a, b)))
  end)

  it("is an integer that no double holds, where Lua has them", function()
    if not math.type then return end
    local odd = math.maxinteger - 1
    local text = (": %d is not a double; write %d.0 for the nearest"):format(odd, odd)
    support.refused("radius" .. text, graze.circle, odd)
    support.refused("points[1].y" .. text, graze.cloud, {{0, odd}, {1, 1}})
    support.refused("within" .. text, world.nearest, world, a, odd)
    support.refused("options.clearance" .. text, graze.options, {clearance = odd})
    support.refused("max" .. text, world.in_box, world, 0, 0, odd, 1)
  end)
end)

describe("a long string in a message", function()
  it("is cut between characters", function()
    for count = 36, 41 do
      local _, message = pcall(graze.circle, ("x"):rep(count) .. "\195\164\195\182\226\130\172\226\130\172")
      local shown = message:match 'got "(x+[^"]*)\226\128\166"'
      local expected = ({[36] = "\195\164\195\182", [37] = "\195\164", [38] = "\195\164"})[count] or ""
      assert.are.equal(("x"):rep(math.min(count, 40)) .. expected, shown)
    end
  end)
end)
