-- Mistakes are errors that name the argument and its value, at the caller's line (errors.jsonl).
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
    end)
  end

  it("changes nothing", function()
    assert.are.equal(2, world:count())
    assert.are.same({0, 0, 1, 0}, {world:pose "here"})
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

-- The message of a function of the caller names the function's line.
local function refused_at(f, text, call, ...)
  local line = ("errors_spec.lua:%d: "):format(debug.getinfo(f, "S").linedefined)
  return support.refused(line .. text, call, ...)
end

describe("a wrong result", function()
  for name, case in pairs {
    nothing = {function() end, "x and y of a point expected, got nil"},
    NaN = {function() return 0, nan end, "x and y of a point expected, got nan"},
    ["a bound below 0"] = {function(x, y) return x, y, -1 end, "a bound from 0 on, after the point, expected, got -1"},
    ["a word"] = {function(x, y) return x, y, "1" end, 'a bound from 0 on, after the point, expected, got "1"'},
  } do
    it("of a support function is named: " .. name, function()
      local message = refused_at(case[1], case[2], function() graze.distance(graze.user(2, case[1]):at(0, 0), b) end)
      assert.is_truthy(message:find "^support function at ")
    end)
  end

  local here = graze.world()
  here:add("here", circle, 0, 0)
  here:add("wall", circle, 3, 0, {type = "static"})
  local function go(filter) here:move("here", 5, 0, filter) end
  after_each(function() assert.are.same({0, 0, 1, 0}, {here:pose "here"}) end)

  for _, word in ipairs {"slid", true, 5} do
    it("of a filter is named: " .. tostring(word), function()
      local function filter() return word end
      refused_at(filter, "slide, touch, cross, bounce, ignore, nil, false or the name of a response expected " ..
                 'for "wall", got ' .. (type(word) == "string" and '"slid"' or tostring(word)), go, filter)
    end)
  end

  for name, case in pairs {
    NaN = {function() return nan, 1 end, "x: a number expected, got nan"},
    ["a word"] = {function() return 1, "2" end, 'y: a number expected, got "2"'},
    ["too little"] = {function() return 1 end, "y: a number expected, got nil"},
    infinity = {function() return inf, 0 end, "x: a number up to 1e40 in magnitude expected, got inf"},
  } do
    it("of a response is named: " .. name, function()
      here:add_response("odd", case[1])
      for _, filter in ipairs {"odd", function() return "odd" end} do
        local message = refused_at(case[1], case[2], go, filter)
        assert.is_truthy(message:find('response "odd" at ', 1, true), message)
        assert.are.equal(case[2], message:sub(-#case[2]))
      end
    end)
  end
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
