-- What lives how long: support functions, memory that the collector does not see, shapes that are freed in between.
local graze = require "graze"
local finalizers = require "finalizers"

-- Of 5.4, which busted runs in generations: then objects with finalizers stay longer than what they hold.
if _VERSION == "Lua 5.4" then collectgarbage "incremental" end

local function full()
  for _ = 1, 4 do collectgarbage() end
end

-- How many of the things that make() gives are there after so many, and after a collection.
local function alive(count, make)
  local seen = setmetatable({}, {__mode = "k"})
  for _ = 1, count do seen[make()] = true end
  local before, after = 0, 0
  for _ in pairs(seen) do before = before + 1 end
  full()
  for _ in pairs(seen) do after = after + 1 end
  return after, before
end

local function disk(dx, dy)
  local length = math.sqrt(dx * dx + dy * dy)
  return dx / length, dy / length, 1e-15
end

describe("a support function", function()
  -- A new function that disk() does the work of.
  local function own(hold)
    return function(dx, dy)
      hold.calls = (hold.calls or 0) + 1
      return disk(dx, dy)
    end
  end

  local ways = {
    ["its shape"] = function(hold, shape) hold[1] = shape end,
    ["its shape in its place"] = function(hold, shape) hold[1] = shape:at(1, 2) end,
    ["its shape with a margin"] = function(hold, shape) hold[1] = shape:with_margin(1) end,
    ["a compound"] = function(hold, shape) hold[1] = graze.compound {shape:at(0, 0), graze.circle(1):at(3, 0)} end,
    ["a part"] = function(hold, shape) hold[1] = graze.compound({shape:at(0, 0)}):at(0, 0):part(1):shape() end,
    ["a world"] = function(hold, shape)
      hold[1] = graze.world()
      hold[1]:add("it", shape, 0, 0)
    end,
  }
  for name, way in pairs(ways) do
    it("is collected where it holds " .. name, function()
      local left = alive(20, function()
        local hold = {}
        local f = own(hold)
        way(hold, graze.user(2, f))
        return f
      end)
      assert.is_true(left <= 1, left .. " are left") -- the last one may be on the stack
    end)
  end

  -- What keeps a function when its first shape is gone, and may be asked how far it is from (5, 0).
  local keepers = {
    placed = function(shape) return shape:at(0, 0) end,
    margin = function(shape) return shape:with_margin(0):at(0, 0) end,
    ["shape of placed"] = function(shape) return shape:at(3, 3):shape():at(0, 0) end,
    compound = function(shape) return graze.compound({shape:at(0, 0)}):at(0, 0) end,
    part = function(shape) return graze.compound({shape:at(0, 0)}):at(0, 0):part(1) end,
    world = function(shape)
      local world = graze.world()
      world:add("it", shape, 0, 0)
      return {distance = function(_, other) return (world:nearest(other))[1].distance end}
    end,
    ["body in its place"] = function(shape)
      local world = graze.world()
      world:add("it", shape, 0, 0)
      return world:placed("it")
    end,
    ["body in a used place"] = function(shape)
      local world, into = graze.world(), graze.circle(1):at(0, 0)
      world:add("it", shape, 0, 0)
      world:placed("it", into)
      world:remove "it"
      return into
    end,
    ["world that got it later"] = function(shape)
      local world = graze.world()
      world:add("it", graze.circle(1), 0, 0)
      world:set_shape("it", shape)
      return {distance = function(_, other) return (world:nearest(other))[1].distance end}
    end,
    ["world that was restored"] = function(shape)
      local world = graze.world()
      world:add("it", shape, 0, 0)
      local snapshot = world:save()
      for _ = 1, 3 do world:restore(snapshot) end
      return {distance = function(_, other) return (world:nearest(other))[1].distance end}
    end,
    ["compound in a world that was restored"] = function(shape)
      local world = graze.world()
      world:add("it", graze.compound {shape:at(0, 0)}, 0, 0)
      world:restore(world:save())
      return {distance = function(_, other) return (world:nearest(other))[1].distance end}
    end,
    restored = function(shape)
      local world = graze.world()
      world:add("it", shape, 0, 0)
      local snapshot = world:save()
      world:set_pose("it", 3, 0)
      world:restore(snapshot)
      return world:placed("it")
    end,
  }
  for name, keep in pairs(keepers) do
    for _, free in ipairs {false, true} do
      it(("is kept by: %s%s"):format(name, free and ", when the shape is freed" or ""), function()
        local hold = {}
        local shape = graze.user(2, own(hold))
        local kept = keep(shape)
        if free then shape:free() end
        shape = nil -- luacheck: ignore
        full()
        local before = hold.calls
        assert.is_true(math.abs(kept:distance(graze.circle(1):at(5, 0)) - 3) < 1e-9)
        assert.is_true(hold.calls > before)
      end)
    end
  end

  it("is let go of where its item got another shape, or was removed", function()
    for _, way in ipairs {"set_shape", "remove"} do
      local world = graze.world()
      local left = alive(20, function()
        local f = own {}
        if world:has "it" then world:remove "it" end
        world:add("it", graze.user(2, f), 0, 0)
        world:restore(world:save())
        if way == "remove" then world:remove "it" else world:set_shape("it", graze.circle(1)) end
        return f
      end)
      assert.is_true(left <= 1, left .. " are left after " .. way)
    end
  end)

  it("is let go of by free() where nothing else needs it", function()
    local shapes = {}
    local left = alive(20, function()
      local f = own {}
      shapes[#shapes + 1] = graze.user(2, f)
      shapes[#shapes]:free()
      return f
    end)
    assert.is_true(left <= 1, left .. " are left")
  end)
end)

describe("the collector", function()
  local points = {}
  for i = 1, 20000 do points[i] = i % 101 end

  it("is not started by those that stopped it", function()
    full()
    collectgarbage "stop"
    local ran = 0
    for _ = 1, 20 do finalizers.plant(function() ran = ran + 1 end) end
    for _ = 1, 60 do graze.cloud(points) end
    local then_ran = ran
    collectgarbage "restart"
    assert.are.equal(0, then_ran)
    for _ = 1, 60 do graze.cloud(points) end
    full()
    assert.are.equal(20, ran)
  end)

  it("is told what shapes weigh", function()
    local _, before = alive(400, function() return graze.cloud(points) end) -- 240 kB each
    assert.is_true(before < 200, before .. " of 400 were there")
  end)

  it("is told what many small shapes weigh", function()
    full()
    local count, steps = 0, 0
    finalizers.plant(function() count = count + 1 end)
    local few = {0, 0, 4, 0, 4, 4, 0, 4}
    repeat
      steps = steps + 1
      graze.polygon(few)
    until count > 0 or steps > 1e6
    assert.is_true(count > 0)
  end)

  it("is told what proofs weigh", function()
    local a, b = graze.box(1, 1, 1):at(0, 0, 0), graze.box(1, 1, 1):at(0.5, 0.3, 0.2, 1, 2, 3, 4)
    local options = graze.options {proof = true}
    local _, before = alive(1600, function()
      local answer = graze.answer()
      graze.distance(a, b, options, answer)
      return answer
    end)
    assert.is_true(before < 800, before .. " of 1600 were there")
  end)
end)

describe("what a finalizer frees, or fills anew, in the middle of a call", function()
  -- By itself: beside busted the collector goes round too seldom.
  local least = 0
  while arg[least - 1] do least = least - 1 end
  for _, name in ipairs {"at", "margin", "vertices", "add", "set", "corners"} do
    it("is whole, or refused: " .. name, function()
      local output = io.popen(('"%s" tests/lua/finalized.lua %s 2>&1'):format(arg[least], name))
      local text = output:read "*a"
      output:close()
      local done = text:match "^(%d+) done\n$"
      assert.is_truthy(done, text)
      assert.is_true(tonumber(done) > 0, text)
    end)
  end
end)

describe("snapshots", function()
  it("leave nothing behind of shapes that were replaced", function()
    local world, points = graze.world(), {}
    world:add("item 1", graze.polygon {0, 0, 1, 0, 1, 1, 0, 1}, 10, 0)
    for i = 1, 2000 do points[i] = i % 101 end
    local left = alive(30, function()
      local snapshot = world:save()
      local shape = graze.user(2, disk)
      world:set_shape("item 1", shape)
      world:set_shape("item 1", graze.cloud(points))
      world:restore(snapshot)
      return shape
    end)
    assert.is_true(left <= 1, left .. " are left")
    assert.are.equal("polygon", world:shape("item 1"):kind())
    assert.is_true(math.abs(world:placed("item 1"):distance(graze.point2():at(13, 0)) - 2) < 1e-9)
  end)
end)
