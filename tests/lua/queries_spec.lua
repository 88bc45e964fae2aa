-- Queries about all items of a world, and single calls with their results (results.jsonl; 3037000500 squared is beyond
-- the whole numbers of Lua 5.3).
local graze, lines, support = require "graze", require "lines", require "support"

local world = graze.world()
for i = 1, 10 do world:add(i, graze.circle(0.5), i * 2, 0, {category = i % 2 == 0 and 2 or 1}) end

-- The globals of the calls in results.jsonl.
local names = setmetatable({
  graze = graze, sat = require "graze_sat", world = world, floor_and_wall = support.floor_and_wall,
  result = graze.cast_result(), filled = {9, 9, 9, 9, 9}, numbers = {9, 9, 9, 9, 9}, row = {},
  unit = graze.box(1, 1):at(0, 0),
  ring = {0, 0, 9, 0, 9, 9, 0, 9}, holes = {holes = {{3, 3, 3, 6, 6, 6, 6, 3}}},
  square = graze.box(1.5, 1.5):at(1.5, 1.5), turned = graze.box(1, 2):at(3, 4, math.pi / 2),
  first = function(count, ...) return (unpack or table.unpack)({...}, 1, count) end,
  items = function(list, count)
    local found = {}
    for i, entry in ipairs(list) do found[i] = entry.item end
    found[#found + 1] = count
    return (unpack or table.unpack)(found)
  end,
  least = function(points)
    local x, y = math.huge, math.huge
    for _, p in ipairs(points) do x, y = math.min(x, p[1]), math.min(y, p[2]) end
    return x, y
  end,
}, {__index = _G})

for i = 1, 10 do names.row[i] = graze.circle(0.5):at(i, 0) end

describe("a call", function()
  for _, line in ipairs(lines.read "tests/lua/results.jsonl") do
    local case = line.value
    it("returns what is listed: " .. case.call, function()
      local results = {support.compile("return " .. case.call, "results.jsonl", names)()}
      assert.are.same(support.rounded(case.returns), support.rounded(results))
    end)
  end
end)

describe("queries", function()
  it("find sensors with every filter but one that excludes them", function()
    local lot, ball, motion = graze.world(), graze.circle(1):at(-5, 0), {velocity = {10, 0}}
    lot:add("coin", graze.circle(1), 0, 0, {type = "static", sensor = true})
    local function all(filter)
      return {select(2, lot:at_point(0, 0, filter)), select(2, lot:in_box(-1, -1, 1, 1, filter)),
              select(2, lot:overlap(graze.circle(1):at(1, 0), filter)), select(2, lot:within(ball, 9, filter)),
              select(2, lot:nearest(ball, 9, 3, filter)), (lot:raycast(-5, 0, 1, 0, 10, filter)) or 0,
              (lot:cast(ball, motion, filter)) or 0}
    end
    local found, none = {1, 1, 1, 1, 1, "coin", "coin"}, {0, 0, 0, 0, 0, 0, 0}
    assert.are.same(found, all(nil))
    for _, filter in ipairs {{}, {mask = 1}, {sensors = true}, function() return true end} do
      assert.are.same(found, all(filter))
    end
    for _, filter in ipairs {{sensors = false}, function() return false end} do assert.are.same(none, all(filter)) end
  end)
end)

-- Integers of every type of the Lua version.
describe("bits", function()
  local masked, here = graze.world(), graze.circle(2):at(0, 0)
  for i, category in ipairs {1, 2, 4, 2 ^ 52} do masked:add(i, graze.circle(1), 0, 0, {category = category}) end

  local function found(mask)
    local items = masked:overlap(here, {mask = mask})
    table.sort(items)
    return table.concat(items, " ")
  end

  it("are those of whole numbers, below 0 too, or made by operators", function()
    for mask, items in pairs {[-1] = "1 2 3 4", [-2] = "2 3 4", [-3] = "1 3 4", [-1 - 2 ^ 52] = "1 2 3",
                              [-2 ^ 52] = "4", [5] = "1 3"} do
      assert.are.equal(items, found(mask))
    end
    local complement = bit32 and bit32.bnot or bit and bit.bnot or
                       math.type and assert(load "return function(x) return ~x end")()
    if not complement then return end -- 5.1 has none
    assert.are.equal("2 3", (found(complement(1)):gsub(" 4", ""))) -- bit32 has 32 bits
  end)

  it("come back as they were given", function()
    local values = {0, 1, -1, -2, 2 ^ 53, -2 ^ 53}
    for _, name in ipairs(math.type and {"mininteger", "maxinteger"} or {}) do values[#values + 1] = math[name] end
    if math.type then values[#values + 1] = math.maxinteger - 1 end
    for _, value in ipairs(values) do
      masked:set(1, {mask = value, category = value})
      local def = masked:get(1)
      masked:set(2, {mask = def.mask})
      assert.are.same({value, value, value}, {def.mask, def.category, masked:get(2).mask})
    end
  end)
end)
