-- Numbers of every kind that a Lua has: integers, bits, and lists that are filled again.
local graze = require "graze"

describe("bits", function()
  local world = graze.world()
  local here = graze.circle(2):at(0, 0)
  local categories = {1, 2, 4, 2 ^ 52}
  for i, category in ipairs(categories) do world:add(i, graze.circle(1), 0, 0, {category = category}) end

  local function found(mask)
    local items = world:overlap(here, {mask = mask})
    table.sort(items)
    return table.concat(items, " ")
  end

  it("are those of whole numbers, of less than 0 too", function()
    assert.are.equal("1 2 3 4", found(-1))
    assert.are.equal("2 3 4", found(-2)) -- all but 1
    assert.are.equal("1 3 4", found(-3)) -- all but 2
    assert.are.equal("1 2 3", found(-1 - 2 ^ 52))
    assert.are.equal("4", found(-2 ^ 52))
    assert.are.equal("1 3", found(5))
  end)

  it("may be made by operators", function()
    local complement = bit32 and bit32.bnot or bit and bit.bnot or
                       math.type and assert(load "return function(x) return ~x end")()
    if not complement then return end -- 5.1 has none
    assert.are.equal("2 3", (found(complement(1)):gsub(" 4", ""))) -- bit32 knows 32 of them
  end)

  it("come back as they were given", function()
    local values = {0, 1, -1, -2, 2 ^ 53, -2 ^ 53}
    if math.type then
      for _, value in ipairs {math.mininteger, math.maxinteger, math.maxinteger - 1} do values[#values + 1] = value end
    end
    for _, value in ipairs(values) do
      world:set(1, {mask = value, category = value})
      local def = world:get(1)
      assert.are.equal(value, def.mask)
      assert.are.equal(value, def.category)
      world:set(2, {mask = def.mask})
      assert.are.equal(value, world:get(2).mask)
    end
  end)
end)

describe("lists", function()
  it("are filled again, without garbage", function()
    local a, list, found, distances = graze.box(1, 1):at(0, 0), {}, {9, 9, 9, 9, 9}, {9, 9, 9, 9, 9}
    for i = 1, 10 do list[i] = graze.circle(0.5):at(i, 0) end
    local same, count = graze.intersect_list(a, list, nil, found)
    assert.are.equal(found, same)
    assert.are.same({{1}, 1}, {found, count})
    local options = graze.options {max_distance = 2}
    local also, numbers, n = graze.distance_list(a, list, options, found, distances)
    assert.are.same({found, distances, 3}, {also, numbers, n})
    assert.are.same({1, 2, 3}, found)
    assert.are.equal(3, #distances)
    assert.is_true(math.abs(distances[2] - 0.5) < 1e-12)
    assert.are.same({{1}, 1}, {graze.intersect_list(a, list)})
    collectgarbage()
    collectgarbage "stop"
    local before = collectgarbage "count"
    for _ = 1, 200 do
      graze.intersect_list(a, list, nil, found)
      graze.distance_list(a, list, options, found, distances)
    end
    local more = collectgarbage "count" - before
    collectgarbage "restart"
    assert.is_true(more < 10, more .. " kB") -- a new table in each would make more than 50
  end)
end)

describe("integers", function()
  it("are taken where a double holds them", function()
    local far = math.type and math.mininteger or -2 ^ 63
    assert.are.equal(-2 ^ 63, (graze.point2():at(far, 0):pose()))
    far = math.type and math.maxinteger - 1023 or 2 ^ 62
    assert.are.equal(far, (graze.point2():at(far, 0):pose()))
  end)
end)
