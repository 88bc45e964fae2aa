-- A finalizer frees a shape, or fills a placed one anew, in the middle of a call: finalized.lua WAY says how often.
local graze = require "graze"
local finalizers = require "finalizers"

local ENOUGH = 100

local function square(size) return graze.polygon {-size, -size, size, -size, size, size, -size, size} end

local far = graze.point2():at(12, 0)
local function is_right(placed) return math.abs(placed:distance(far) - 2) < 1e-9 end

-- Each does something with a square of half size 10 that the finalizer frees, and says whether the result is right.
local ways = {
  at = function(shape) return is_right(shape:at(0, 0)) end,
  margin = function(shape) return is_right(shape:with_margin(0):at(0, 0)) end,
  vertices = function(shape)
    for _, v in ipairs(shape:vertices()) do
      if math.abs(v[1]) ~= 10 or math.abs(v[2]) ~= 10 then return false end
    end
    return true
  end,
  add = function(shape)
    local world = graze.world()
    world:add("it", shape, 0, 0, {velocity = {x = 1, y = 0}, mass = 2, type = "dynamic"})
    return is_right(world:placed "it")
  end,
}

local rubbish = {} -- luacheck: ignore
local function free(way)
  return finalizers.pester(ENOUGH, function(arm)
    local shape = square(10)
    arm(function()
      shape:free()
      for i = 1, 8 do rubbish[i] = square(1e6) end -- where it stood
    end)
    local good, right = pcall(way, shape)
    assert(not good or right, "rubbish")
    assert(good or right:find("this shape was freed", 1, true), right)
  end)
end

local function fill()
  local world, placed = graze.world(), nil
  world:add("small", square(1), 0, 0)
  return finalizers.pester(ENOUGH, function(arm)
    world:add("large", square(10), 0, 0)
    placed = world:placed "large"
    world:remove "large"
    arm(function()
      world:placed("small", placed)
      for i = 1, 8 do rubbish[i] = square(1e6) end
    end)
    for _ = 1, 10 do
      local corners = placed:corners()
      assert(#corners == 8)
      for _, x in ipairs(corners) do assert(math.abs(x) == math.abs(corners[1]) and math.abs(x) <= 10, "rubbish") end
    end
  end)
end

local way = ...
print(("%d done"):format(way == "corners" and fill() or free(ways[way])))
