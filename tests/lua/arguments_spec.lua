-- Numbers of every kind that a Lua has: integers, bits, and lists that are filled again.
local graze = require "graze"

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
    assert.are.same({{1, 2, 3}, 3}, {found, #distances})
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
    for _, far in ipairs(math.type and {math.mininteger, math.maxinteger - 1023} or {-2 ^ 63, 2 ^ 62}) do
      assert.are.equal(far, (graze.point2():at(far, 0):pose()))
    end
  end)
end)
