-- Queries about all items of a world.
local graze, support = require "graze", require "support"
local near = support.near

describe("queries", function()
  local world = graze.world()
  for i = 1, 10 do world:add(i, graze.circle(0.5), i * 2, 0, {category = i % 2 == 0 and 2 or 1}) end

  it("find items by shape, box, point and ray", function()
    assert.are.same({1, 2, 3}, (world:overlap(graze.box(3, 1):at(4, 0))))
    assert.are.same({1, 2, 3}, (world:in_box(0, -1, 6, 1)))
    assert.are.equal(10, select(2, world:in_box(-math.huge, -math.huge, math.huge, math.huge)))
    assert.are.same({{5}, {}}, {(world:at_point(10.1, 0)), (world:at_point(11, 0))})
    local item, t, x, y, normal = world:raycast(10.25, 0, 0, 0) -- the origin alone
    assert.are.same({5, 0, 10.25, 0}, {item, t, x, y})
    assert.is_nil(normal)
    assert.are.equal(0, select("#", world:raycast(11, 0, 0, 0)))
    assert.are.same({"floor", 0, 0, -1}, {support.room():raycast(0, -1, 1, 0)})
    assert.are.equal(5, select("#", support.room():raycast(0, -1, 1, 0))) -- from inside: a normal that is nil
  end)

  it("find the nearest, the first hit and the closest pairs", function()
    local found, count = world:nearest(graze.circle(0.1):at(5.2, 0), nil, 2)
    assert.are.same({2, 3, 2}, {count, found[1].item, found[2].item})
    near(0.2, found[1].distance)
    near(1, found[1].normal.x)
    local item, t, x = world:raycast(-5, 0, 1, 0)
    near(6.5, t)
    near(1.5, x)
    assert.are.same({1, 2}, {item, (world:raycast(-5, 0, 1, 0, math.huge, {mask = 2}))})
    assert.is_nil(world:raycast(-5, 5, 1, 0))
    local impact = graze.impact()
    item, t = world:cast(graze.circle(0.5):at(30, 0), {velocity = {-20, 0}}, nil, impact)
    near(9 / 20, t)
    assert.are.same({10, "hit"}, {item, impact.result})
    local pairs_found, n = world:closest_pairs(3, 2)
    assert.are.equal(3, n)
    near(1, pairs_found[1].distance)
    local contacts, points = world:manifold(1, 2)
    assert.are.same({0, 0}, {#contacts, points})
  end)

  it("take filters", function()
    local box = graze.box(3, 1):at(4, 0)
    for _, case in ipairs {
      {{1, 3}, function(item) return item ~= 2 end}, {{1, 3}, {except = 2}}, {{2}, {mask = 2}},
      {{2}, {accept = function(item) return item == 2 end}}, {{1, 2, 3}},
    } do
      assert.are.same(case[1], (world:overlap(box, case[2])))
    end
    assert.has_error(function() world:overlap(box, function() error "no" end) end)
  end)

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

  it("find more than the first buffer holds", function()
    local crowd = graze.world()
    for i = 1, 700 do crowd:add(i, graze.circle(0.5), i % 30, math.floor(i / 30)) end
    assert.are.equal(700, select(2, crowd:overlap(graze.box(100, 100):at(0, 0))))
    local near_ones, n = crowd:within(graze.point2():at(15, 12), 5)
    assert.is_true(n > 60 and n == #near_ones)
    assert.is_true(select(2, crowd:pairs()) > 1000)
    assert.are.equal(50, select(2, crowd:nearest(graze.point2():at(0, 0), nil, 50)))
  end)
end)

-- Of every kind that a Lua has.
describe("bits", function()
  local world, here = graze.world(), graze.circle(2):at(0, 0)
  for i, category in ipairs {1, 2, 4, 2 ^ 52} do world:add(i, graze.circle(1), 0, 0, {category = category}) end

  local function found(mask)
    local items = world:overlap(here, {mask = mask})
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
      world:set(1, {mask = value, category = value})
      local def = world:get(1)
      world:set(2, {mask = def.mask})
      assert.are.same({value, value, value}, {def.mask, def.category, world:get(2).mask})
    end
  end)
end)
