-- A finalizer frees a shape, or fills a placed one anew, in the middle of a call: finalized.lua WAY says how often.
local graze = require "graze"
local finalizers = require "finalizers"

local ENOUGH = 100

local function square(size) return graze.polygon {-size, -size, size, -size, size, size, -size, size} end

local far = graze.point2():at(12, 0)
local function is_right(placed) return math.abs(placed:distance(far) - 2) < 1e-9 end

local function is_square(placed, x)
  for i, corner in ipairs(placed:corners()) do
    if math.abs(corner - (i % 2 == 1 and x or 0)) ~= 1 then return false end
  end
  return true
end

-- Each gets a square of half size 10, and says what is called, with what, and whether the result is right. The
-- finalizer frees the square, after it did `harm`.
local ways = {
  at = function(shape) return {shape.at, shape, 0, 0, right = is_right} end,
  margin = function(shape)
    return {shape.with_margin, shape, 0, right = function(made) return is_right(made:at(0, 0)) end}
  end,
  vertices = function(shape)
    return {shape.vertices, shape, right = function(vertices)
      for _, v in ipairs(vertices) do
        if math.abs(v[1]) ~= 10 or math.abs(v[2]) ~= 10 then return false end
      end
      return true
    end}
  end,
  add = function(shape)
    local world = graze.world()
    return {world.add, world, "it", shape, 0, 0, {velocity = {x = 1, y = 0}, mass = 2, type = "dynamic"},
            right = function() return is_right(world:placed "it") end}
  end,
  set = function(shape)
    local world, new = graze.world(), square(1)
    world:add("it", shape, 0, 0)
    return {world.set, world, "it", {velocity = {x = 1, y = 0}}, right = function()
      return world:velocity "it" == 1 and is_square(world:placed "it", 5)
    end, harm = function()
      world:set_shape("it", new)
      world:set_pose("it", 5, 0)
    end}
  end,
  corners = function()
    local world = graze.world()
    world:add("small", square(1), 0, 0)
    world:add("large", square(10), 0, 0)
    local placed = world:placed "large"
    world:remove "large"
    return {placed.corners, placed, harm = function() world:placed("small", placed) end, right = function(corners)
      for _, x in ipairs(corners) do
        if math.abs(x) ~= math.abs(corners[1]) or math.abs(x) > 10 then return false end
      end
      return #corners == 8
    end}
  end,
}

local unpack = table.unpack or unpack -- luacheck: ignore
local rubbish, inside = {}, 0 -- luacheck: ignore
local way = ways[...]
finalizers.pester(ENOUGH, function(arm)
  local shape, ran, debt = square(10), false, {} -- luacheck: ignore debt
  local call = way(shape)
  arm(function()
    if call.harm then call.harm() end
    shape:free()
    ran = true
    for i = 1, 8 do rubbish[i] = square(1e6) end -- where it stood
  end)
  for i = 1, 300 do debt[i] = i end -- what a table grows by is paid for where something new is made: within the call
  if ran then return end
  local good, result = pcall(unpack(call, 1, #call))
  if not ran then return end
  inside = inside + 1
  assert(not good or call.right(result), "rubbish")
  assert(good or not call.harm and result:find("this shape was freed", 1, true), result)
end)
print(("%d done"):format(inside))
