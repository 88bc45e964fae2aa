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
  local function square(size) return graze.polygon {0, 0, size, 0, size, size, 0, size} end

  local function world_of(...)
    local world = graze.world()
    for i = 1, select("#", ...) do world:add("item " .. i, (select(i, ...)), i * 10, 0) end
    return world
  end

  it("leave nothing behind of shapes that were replaced", function()
    local world, points = world_of(square(1)), {}
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

  it("bring shapes back of which Graze has copies, again and again", function()
    local world = world_of(square(1), square(2))
    local snapshot = world:save()
    for i = 1, 20 do
      world:set_shape("item 1", square(3))
      if i % 3 == 0 then world:remove "item 2" end
      world:restore(snapshot)
      full()
      assert.is_true(math.abs(world:placed("item 1"):distance(graze.point2():at(13, 0)) - 2) < 1e-9)
      assert.is_true(math.abs(world:placed("item 2"):distance(graze.point2():at(23, 0)) - 1) < 1e-9)
    end
  end)

  -- What is done to a snapshot of a square and a circle, what the message says, and what is in the world then.
  local tampered = {
    {"an item twice", function(s) s.items[2] = s.items[1] end,
     'snapshot.items[2]: another item expected than [1], got the same again: "item 1"', 2},
    {"NaN as an item", function(s) s.items[1] = 0 / 0 end, "snapshot.items[1]: any value but nil and NaN expected", 2},
    {"a word as a place", function(s) s.items.one = 1 end,
     'snapshot.items: whole numbers from 1 on expected as keys, got "one"', 2},
    {"no item", function(s) s.items[1] = nil end,
     "snapshot.items[1]: that of the body there expected, which is left out without it", 1},
    {"no shape", function(s) s.shapes[2] = nil end,
     "snapshot.shapes[2]: that of the body there expected, which is left out without it", 1},
    {"another shape", function(s) s.shapes[1] = square(2) end,
     "snapshot.shapes[1]: that of the body there expected, which is left out without it", 1},
    {"something else as a shape", function(s) s.shapes[1] = {} end, "snapshot.shapes[1]: a shape expected", 2},
    {"other bytes", function(s) s.bytes = s.bytes:sub(1, -9) .. "\0" .. s.bytes:sub(-7) end, "snapshot.checksum", 2},
  }
  for _, case in ipairs(tampered) do
    it("are not believed: " .. case[1], function()
      local world = world_of(square(1), graze.circle(1))
      local snapshot = world:save()
      case[2](snapshot)
      local good, message = pcall(world.restore, world, snapshot)
      assert.is_false(good)
      assert.is_truthy(message:find(case[3], 1, true), message)
      assert.are.equal(case[4], world:count())
      assert.are.equal(case[4], #world:items())
      for _, item in ipairs(world:items()) do assert.is_true(world:shape(item):kind() ~= nil) end
      world:add("more", graze.circle(1), 0, 0)
      world:step(0.1)
    end)
  end

  it("know their support functions", function()
    local world = world_of(graze.user(2, disk))
    local snapshot = world:save()
    world:set_shape("item 1", graze.user(2, function(x, y)
      local px, py, e = disk(x, y)
      return 2 * px, 2 * py, e
    end))
    local good, message = pcall(world.restore, world, snapshot)
    assert.is_false(good)
    local text = "snapshot.shapes[1]: a support function that its item does not have"
    assert.is_truthy(message:find(text, 1, true), message)
  end)

  it("know their dimension, of empty worlds, too", function()
    local flat, solid = graze.world(), graze.world {dim = 3}
    local snapshot = solid:save()
    snapshot.dim = 2
    flat:restore(snapshot)
    assert.are.equal(3, flat:dim())
    flat:add("it", graze.sphere(1), 0, 0, 0)
  end)
end)
