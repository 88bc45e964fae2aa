-- Lifetimes: support functions, memory that the collector does not see, freed shapes, and worlds without references.
local graze, support = require "graze", require "support"
local collect, disk = support.collect, support.disk

-- In generational mode, the default of busted in 5.4, objects with finalizers outlive the objects they reference.
if _VERSION == "Lua 5.4" then collectgarbage "incremental" end

-- The number of `count` results of make() that exist after a collection, and before it.
local function alive(count, make)
  local seen = setmetatable({}, {__mode = "k"})
  for _ = 1, count do seen[make()] = true end
  local before, after = 0, 0
  for _ in pairs(seen) do before = before + 1 end
  collect()
  for _ in pairs(seen) do after = after + 1 end
  return after, before
end

local function few_left(count, make)
  local left = alive(count, make)
  assert.is_true(left <= 3, left .. " are left") -- all of them after a leak; a few may be in slots of LuaJIT's stack
end

local function world_with(shape)
  local world = graze.world()
  world:add("it", shape, 0, 0)
  return world
end

describe("a support function", function()
  -- A new function like disk(), which counts its calls.
  local function own(hold)
    return function(dx, dy)
      hold.calls = (hold.calls or 0) + 1
      return disk(dx, dy)
    end
  end

  -- The distance to a world's item.
  local function nearest(world)
    return {distance = function(_, other) return (world:nearest(other))[1].distance end}
  end

  local function restored(world, times, change)
    local snapshot = world:save()
    for _ = 1, times do
      if change then change() end
      world:restore(snapshot)
    end
    return world
  end

  -- Objects that reference a shape, and have a distance.
  local holders = {
    shape = function(shape) return shape end,
    placed = function(shape) return shape:at(0, 0) end,
    margin = function(shape) return shape:with_margin(0):at(0, 0) end,
    ["shape of placed"] = function(shape) return shape:at(3, 3):shape():at(0, 0) end,
    compound = function(shape) return graze.compound({shape:at(0, 0)}):at(0, 0) end,
    ["compound of two"] = function(shape)
      return graze.compound({shape:at(0, 0), graze.circle(1):at(-9, 0)}):at(0, 0)
    end,
    part = function(shape) return graze.compound({shape:at(0, 0)}):at(0, 0):part(1) end,
    ["shape of a part"] = function(shape) return graze.compound({shape:at(0, 0)}):at(0, 0):part(1):shape():at(0, 0) end,
    world = function(shape) return nearest(world_with(shape)) end,
    ["body in its place"] = function(shape) return world_with(shape):placed "it" end,
    ["body in a used place"] = function(shape)
      local world, into = world_with(shape), graze.circle(1):at(0, 0)
      world:placed("it", into)
      world:remove "it"
      return into
    end,
    ["world that got it later"] = function(shape)
      local world = world_with(graze.circle(1))
      world:set_shape("it", shape)
      return nearest(world)
    end,
    ["world that was restored"] = function(shape) return nearest(restored(world_with(shape), 3)) end,
    ["compound in a world that was restored"] = function(shape)
      return nearest(restored(world_with(graze.compound {shape:at(0, 0)}), 1))
    end,
    ["body that was restored"] = function(shape)
      local world = world_with(shape)
      return restored(world, 1, function() world:set_pose("it", 3, 0) end):placed("it")
    end,
  }
  for name, hold in pairs(holders) do
    it("is collected if it references its " .. name, function()
      few_left(20, function()
        local place = {}
        local f = own(place)
        place[1] = hold(graze.user(2, f))
        return f
      end)
    end)

    for _, free in ipairs(name ~= "shape" and {false, true} or {}) do
      it(("is kept by: %s%s"):format(name, free and ", when the shape is freed" or ""), function()
        local place = {}
        local shape = graze.user(2, own(place))
        local kept = hold(shape)
        if free then shape:free() end
        shape = nil -- luacheck: ignore
        collect()
        local before = place.calls
        support.near(3, kept:distance(graze.circle(1):at(5, 0)), 1e-9)
        assert.is_true(place.calls > before)
      end)
    end
  end

  it("is collected if its item got another shape or was removed, or its shape was freed", function()
    for _, change in ipairs {"set_shape", "remove", "free"} do
      local world, shapes = graze.world(), {}
      few_left(20, function()
        local f = own {}
        local shape = graze.user(2, f)
        if change == "free" then
          shapes[#shapes + 1] = shape
          shape:free()
          return f
        end
        if world:has "it" then world:remove "it" end
        world:add("it", shape, 0, 0)
        world:restore(world:save())
        if change == "remove" then world:remove "it" else world:set_shape("it", graze.circle(1)) end
        return f
      end)
    end
  end)
end)

describe("the collector", function()
  local points = {}
  for i = 1, 20000 do points[i] = i % 101 end

  it("is not started by shapes while it is stopped", function()
    collect()
    collectgarbage "stop"
    local ran = 0
    for _ = 1, 20 do support.plant(function() ran = ran + 1 end) end
    for _ = 1, 60 do graze.hull_points(points) end
    local then_ran = ran
    collectgarbage "restart"
    assert.are.equal(0, then_ran)
    for _ = 1, 60 do graze.hull_points(points) end
    collect()
    assert.are.equal(20, ran)
  end)

  it("counts the memory of shapes and proofs", function()
    local _, before = alive(400, function() return graze.hull_points(points) end) -- 240 kB each
    assert.is_true(before < 200, before .. " of 400 were there")
    local a, b = graze.box(1, 1, 1):at(0, 0, 0), graze.box(1, 1, 1):at(0.5, 0.3, 0.2, 1, 2, 3, 4)
    local options = graze.options {proof = true}
    _, before = alive(1600, function()
      local answer = graze.answer()
      graze.distance(a, b, options, answer)
      return answer
    end)
    assert.is_true(before < 800, before .. " of 1600 were there")
  end)

  it("counts the memory of many small shapes", function()
    collect()
    local count, steps = 0, 0
    support.plant(function() count = count + 1 end)
    local few = {0, 0, 4, 0, 4, 4, 0, 4}
    repeat
      steps = steps + 1
      graze.polygon(few)
    until count > 0 or steps > 1e6
    assert.is_true(count > 0)
  end)
end)

describe("snapshots", function()
  it("keep no memory of shapes that were replaced", function()
    local world, points, made = graze.world(), {}, 0
    world:add("item 1", support.square(1), 10, 0)
    world:add("item 2", support.square(2), 20, 0)
    for i = 1, 2000 do points[i] = i % 101 end
    few_left(30, function()
      local snapshot, shape = world:save(), graze.user(2, disk)
      world:set_shape("item 1", shape)
      world:set_shape("item 1", graze.hull_points(points))
      made = made + 1
      if made % 3 == 0 then world:remove "item 2" end
      world:restore(snapshot)
      assert.are.equal("polygon", world:shape("item 1"):kind())
      support.near(2, world:placed("item 1"):distance(graze.point2():at(13, 0)), 1e-9)
      support.near(1, world:placed("item 2"):distance(graze.point2():at(23, 0)), 1e-9)
      return shape
    end)
  end)
end)

describe("a world", function()
  it("keeps its shapes, freed ones too, and parts and hulls keep theirs", function()
    local world, shapes, waste = graze.world(), {}, {}
    for i = 1, 50 do
      shapes[i] = support.square(1)
      world:add(i, shapes[i], i * 3, 0)
      world:add(-i, graze.concave {0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2}, i * 3, 5)
      if i % 2 == 0 then shapes[i]:free() else shapes[i] = nil end
    end
    local part = graze.compound {graze.polygon {0, 0, 1, 0, 0, 1}:at(0, 0), graze.circle(1):at(3, 0)}:at(0, 0):part(1)
    local hull = graze.hull {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}:at(0, 0, 0)
    collect()
    for i = 1, 200 do waste[i] = support.square(9) end
    for i = 1, 50 do
      support.near(1, (graze.distance(world:placed(i), graze.point2():at(i * 3 + 2, 0))))
      support.near(0.5, (graze.penetration(world:placed(-i), graze.circle(0.5):at(i * 3 + 2, 5.5))), 0.5)
    end
    assert.are.equal(200, #waste)
    support.near(1, (graze.distance(part, graze.point2():at(2, 0))))
    support.near(1, (graze.distance(hull, graze.point():at(2, 0, 0))))
  end)

  it("and a shape leave placed shapes when they are freed", function()
    local world, player = support.floor_and_wall()
    local placed, shape = world:placed(player), graze.polygon {0, 0, 1, 0, 0, 1}
    local there = shape:at(0, 0)
    shape:free()
    world:free()
    support.near(1, (graze.distance(there, graze.point2():at(2, 0))))
    support.near(1.5, (select(2, placed:pose())))
  end)

  it("is collected, and so are items that were removed", function()
    local weak = setmetatable({}, {__mode = "v"})
    local world, player = support.floor_and_wall()
    weak.world, weak.player = world, player
    world:remove(player)
    world, player = nil, nil -- luacheck: ignore
    collect()
    assert.are.same({}, {weak.world, weak.player})
  end)
end)
