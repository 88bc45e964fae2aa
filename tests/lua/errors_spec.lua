-- Errors name the argument, its value and what is allowed, at the line of the call or of the callback: line 1 of
-- errors.jsonl.
local graze, lines, sat, support = require "graze", require "lines", require "graze_sat", require "support"

local circle, nan, inf = graze.circle(1), 0 / 0, 1 / 0
local a, b = circle:at(0, 0), circle:at(3, 0)
local world = graze.world()
world:add("here", circle, 0, 0)
world:add("wall", circle, 9, 0, {type = "static"})

-- The globals of the calls in errors.jsonl.
local names = setmetatable({
  graze = graze, circle = circle, box3 = graze.box(1, 1, 1), a = a, b = b, world = world, nan = nan, inf = inf,
  sat = sat, square = sat.polygon {0, 0, 1, 0, 1, 1, 0, 1}, unknown = {},
  coin = setmetatable({}, {__tostring = function() return "the coin" end}),
  nameless = setmetatable({}, {__tostring = function() error "no name" end}),
  -- Two bodies; they overlap if x is absent. Valid arguments overflow in calculations about them.
  close_by = function(def, x)
    local pair = graze.world()
    pair:add(1, graze.polygon {0, 0, 1, 0, 0, 1}, 0, 0, def)
    pair:add(2, graze.box(0.5, 0.5), x or 0, 0.3)
    return pair
  end,
}, {__index = _G})

describe("an error", function()
  for _, line in ipairs(lines.read "tests/lua/errors.jsonl") do
    local case = line.value
    it("is named: " .. case.why, function()
      local message = support.rejected(case.message, support.compile(case.call, "errors.jsonl", names))
      assert.are.equal("string", type(message))
      assert.is_truthy(message:find "errors.jsonl:1:", message)
      assert.are.same({0, 0, 1, 0}, {world:pose "here"})
    end)
  end

  it("changes nothing", function()
    assert.are.equal(2, world:count())
    assert.are.equal(1, (graze.distance(a, b)))
  end)

  it("reports an integer that is no double, where Lua has integers", function()
    if not math.type then return end
    local odd = math.maxinteger - 1
    local text = (": integer (%d) that is no double, must be a float, for instance %d.0"):format(odd, odd)
    support.rejected("radius" .. text, graze.circle, odd)
    support.rejected("points[1].y" .. text, graze.hull_points, {{0, odd}, {1, 1}})
    support.rejected("max_distance" .. text, world.nearest, world, a, odd)
    support.rejected("options.clearance" .. text, graze.options, {clearance = odd})
    support.rejected("max" .. text, world.in_box, world, 0, 0, odd, 1)
  end)
end)

describe("a long string in a message", function()
  it("is cut between characters", function()
    for count = 36, 41 do
      local _, message = pcall(graze.circle, ("x"):rep(count) .. "\195\164\195\182\226\130\172\226\130\172")
      local shown = message:match 'value %("(x+[^"]*)\226\128\166"'
      local expected = ({[36] = "\195\164\195\182", [37] = "\195\164", [38] = "\195\164"})[count] or ""
      assert.are.equal(("x"):rep(math.min(count, 40)) .. expected, shown)
    end
  end)
end)
