-- Snapshots of worlds: what they bring back, into which worlds, and that they are not believed.
local graze = require "graze"
local worlds = require "worlds"
local near, recipe = worlds.near, worlds.recipe

describe("snapshots", function()
  it("bring back what was, bit by bit", function()
    local world = graze.world()
    local shapes = {graze.circle(0.5), graze.polygon {0, 0, 1, 0, 0, 1}, graze.box(0.5, 0.4)}
    world:add("floor", graze.box(100, 1), 0, -1, {type = "static"})
    for i = 1, 12 do
      world:add({i}, shapes[i % 3 + 1], i, 2 + i, {velocity = {1, -10}, response = "slide"})
    end
    local function run()
      local out = {}
      for _ = 1, 30 do
        local _, count = world:step(1 / 60)
        out[#out + 1] = count
      end
      for _, item in ipairs(world:items()) do out[#out + 1] = ("%.17g %.17g %.17g %.17g"):format(world:pose(item)) end
      return table.concat(out, "\n")
    end
    local snapshot = world:save()
    local before = world:items()
    local first = run()
    world:remove(before[3])
    world:add("new", graze.polygon {0, 0, 5, 0, 0, 5}, 30, 30)
    world:restore(snapshot)
    assert.are.same(before, world:items())
    assert.is_false(world:has "new")
    assert.are.equal(first, run())
    world:restore(snapshot)
    collectgarbage()
    assert.are.equal(first, run())
    assert.has_error(function() world:restore {bytes = "x", items = {}, shapes = {}} end)
    assert.has_error(function() world:restore(3) end)
  end)
end)

describe("snapshots of another world", function()
  it("are of its dimension", function()
    for dim = 2, 3 do
      local world = graze.world {dim = 5 - dim}
      if dim == 2 then world:add(1, graze.sphere(1), 1, 2, 3) else world:add(1, graze.circle(1), 1, 2) end
      local snapshot = graze.world({dim = dim}):save()
      local good, message = pcall(world.restore, world, snapshot)
      assert.is_false(good)
      local text = ("snapshot: of a world in %dD, and this one is in %dD"):format(dim, 5 - dim)
      assert.is_truthy(message:find(text, 1, true), message)
      assert.are.same({5 - dim, 1}, {world:dim(), (world:pose(1))})
      -- Made up: the scene knows better.
      snapshot.bytes = snapshot.bytes:sub(1, -5) .. string.char(5 - dim, 0, 0, 0)
      world:restore(snapshot)
      assert.are.same({dim, 0}, {world:dim(), world:count()})
    end
  end)

  it("bring its bodies, and slots that it used", function()
    local first, second = graze.world(), graze.world()
    for i = 1, 200 do first:add(i, graze.polygon {0, 0, 1, 0, 0, 1}, i, 0) end
    for i = 200, 3, -1 do first:remove(i) end
    local snapshot = first:save()
    first:free()
    second:restore(snapshot)
    snapshot = nil -- luacheck: ignore
    collectgarbage()
    assert.are.same({1, 2}, second:items())
    assert.are.equal(2, second:dim())
    for i = 3, 300 do second:add(i, graze.circle(0.1), i, 0) end
    for i = 3, 300 do assert.are.equal(i, (second:pose(i))) end
    near(1, (graze.distance(second:placed(2), graze.point2():at(2, -1))))
  end)
end)

describe("what a snapshot says", function()
  local function full()
    for _ = 1, 4 do collectgarbage() end
  end

  local function disk(dx, dy)
    local length = math.sqrt(dx * dx + dy * dy)
    return dx / length, dy / length, 1e-15
  end

  local function square(size) return graze.polygon {0, 0, size, 0, size, size, 0, size} end

  local function world_of(...)
    local world = graze.world()
    for i = 1, select("#", ...) do world:add("item " .. i, (select(i, ...)), i * 10, 0) end
    return world
  end

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
    {"a hole in the items", function(s) s.items[1] = nil end, "snapshot.items[1]: that of a body expected, got nil", 2},
    {"too short a list", function(s) s.items[2], s.shapes[2] = nil, nil end,
     "snapshot.items[2]: that of a body expected, got nil", 2},
    {"nothing in the lists", function(s) s.items, s.shapes = {}, {} end,
     "snapshot.items[1]: that of a body expected, got nil", 2},
    {"no shape", function(s) s.shapes[2] = nil end, "snapshot.shapes[2]: that of a body expected, got nil", 2},
    {"another shape", function(s) s.shapes[1] = square(2) end,
     "snapshot.shapes[1]: that of the body there expected, which is left out without it", 1},
    {"something else as a shape", function(s) s.shapes[1] = {} end, "snapshot.shapes[1]: a shape expected", 2},
    {"other bytes", function(s) s.bytes = s.bytes:sub(1, 99) .. "~" .. s.bytes:sub(101) end, "snapshot.checksum", 2},
    {"no bytes", function(s) s.bytes = "" end, "snapshot.bytes: what world:save() returned expected", 2},
    {"a number of bodies that cannot be", function(s) s.bytes = ("\255"):rep(#s.bytes) end,
     "snapshot.bytes: what world:save() returned expected", 2},
    {"a slot that cannot be", function(s) s.bytes = s.bytes:sub(1, -13) .. "\255\255\255\127" .. s.bytes:sub(-8) end,
     "snapshot.bytes: what world:save() returned expected", 2},
    {"the largest slot", function(s) s.bytes = s.bytes:sub(1, -13) .. ("\255"):rep(4) .. s.bytes:sub(-8) end,
     "snapshot.bytes: what world:save() returned expected", 2},
    {"a slot without a body", function(s) s.bytes = s.bytes:sub(1, -13) .. "\254\255\255\127" .. s.bytes:sub(-8) end,
     "snapshot.items[2147483647]: that of a body expected, got nil", 2},
    {"an end that does not name a body", function(s)
      s.bytes, s.items[2] = s.bytes:sub(1, -13) .. "\0\0\0\0" .. s.bytes:sub(-8), nil
    end, "snapshot.shapes[2]: that of the body there expected, which is left out without it", 1},
  }
  for _, case in ipairs(tampered) do
    it("are not believed: " .. case[1], function()
      local world = world_of(square(1), graze.circle(1))
      local snapshot = world:save()
      case[2](snapshot)
      world:set_pose("item 1", 30, 0)
      local good, message = pcall(world.restore, world, snapshot)
      assert.is_false(good)
      assert.is_truthy(message:find(case[3], 1, true), message)
      assert.are.equal(case[4], world:count())
      if case[4] == 2 then
        assert.are.same({"item 1", "item 2"}, world:items())
        assert.are.same({30, 20}, {(world:pose "item 1"), (world:pose "item 2")})
      end
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

  it("is refused, or means what it did, with any byte changed", function()
    local world = world_of(square(1), graze.circle(1))
    local snapshot, refused, restored = world:save(), 0, 0
    local bytes = snapshot.bytes
    for i = 1, #bytes do
      for bit = 0, 7 do
        local byte = bytes:byte(i)
        local flipped = math.floor(byte / 2 ^ bit) % 2 == 1 and byte - 2 ^ bit or byte + 2 ^ bit
        snapshot.bytes = bytes:sub(1, i - 1) .. string.char(flipped) .. bytes:sub(i + 1)
        world:set_pose("item 1", 30, 0)
        local good = pcall(world.restore, world, snapshot)
        if good then restored = restored + 1 else refused = refused + 1 end
        assert.are.same({2, good and 10 or 30, 20}, {world:count(), (world:pose "item 1"), (world:pose "item 2")})
      end
    end
    assert.is_true(refused > 8 * #bytes - 64 and restored > 0, refused .. " and " .. restored) -- slots twice
  end)
end)

describe("snapshots with concave items", function()
  local bowl = graze.concave {0, 0, 4, 0, 4, 4, 3, 4, 3, 1, 1, 1, 1, 4, 0, 4}
  local function fill(world, first)
    world:add("bowl", bowl, 0, 0, {type = "static"})
    for i = 1, 3 do world:add(i, graze.circle(0.25), i, 5 + i) end
    if first then world:add("late", bowl, 20, 0) end
    return world
  end
  local text = 'snapshot.items[1], "bowl": a compound is not in the bytes; this world must have it still, or added '
                 .. "first, in the order of the world that was saved"

  it("need them in the world, and name what is missing", function()
    local world = fill(graze.world())
    local snapshot = world:save()
    world:remove "bowl"
    world:set_pose(1, 7, 7)
    for count = 3, 4 do
      local good, message = pcall(world.restore, world, snapshot)
      assert.is_false(good)
      assert.is_truthy(message:find(text, 1, true), message)
      assert.are.equal(count, world:count())
      assert.are.equal(count == 4, world:has "bowl")
      assert.are.equal(7, (world:pose(1)))
      if count == 3 then world:add("bowl", bowl, 0, 0) end -- as good as new is not the same
    end
  end)

  it("name a support function that was removed", function()
    local world, shape = graze.world(), graze.user(2, function(x, y) return x, y, 1 end)
    world:add("blob", shape, 0, 0)
    local snapshot = world:save()
    world:remove "blob"
    local good, message = pcall(world.restore, world, snapshot)
    assert.is_false(good)
    local other = "snapshot.shapes[1]: a support function that its item does not have in this world"
    assert.is_truthy(message:find(other, 1, true), message)
    world:add("blob", shape, 0, 0)
    good, message = pcall(world.restore, world, snapshot)
    assert.is_false(good)
    other = 'snapshot.items[1], "blob": a support function is not in the bytes'
    assert.is_truthy(message:find(other, 1, true), message)
  end)

  it("bring them back where they were only moved, or put out of the way", function()
    local world = fill(graze.world(), true)
    local snapshot = world:save()
    world:set_pose("bowl", 50, 50)
    world:set("late", {category = 0, mask = 0})
    world:set_pose("late", 1e6, 0)
    world:remove(2)
    world:restore(snapshot)
    assert.are.same({0, 20, 2}, {(world:pose "bowl"), (world:pose "late"), (world:pose(2))})
    assert.are.equal(1, world:get("late").category)
  end)

  it("go into another world where they were added first", function()
    local snapshot = fill(graze.world()):save()
    local second = graze.world()
    second:add("bowl", bowl, 9, 9)
    second:restore(snapshot)
    assert.are.same({"bowl", 1, 2, 3}, second:items())
    assert.are.same({0, 1}, {(second:pose "bowl"), (second:pose(1))})
    second:move(1, 2, -3)
    near(1.25, (select(2, second:pose(1))))
  end)
end)

describe("the replay of the documents", function()
  it("goes the same way, bit by bit", function()
    local world, ball = graze.world(), {}
    world:add("bowl", graze.concave {-5, 0, -5, -5, 5, -5, 5, 0, 3, 0, 0, -4, -3, 0}, 0, 0, {type = "static"})
    world:add(ball, graze.circle(0.5), -2, 3, {response = "bounce", bounce = 0.75})
    local start, replay = world:save(), recipe("## Snapshots", "", "replay")()
    local inputs = {}
    for i = 1, 120 do inputs[i] = {ball, i % 7 - 3, -i % 11} end
    local function trail()
      local out = {}
      replay(world, start, inputs, function()
        for _, x in ipairs {world:pose(ball)} do out[#out + 1] = ("%.17g"):format(x) end
      end)
      return out
    end
    local first = trail()
    assert.are.equal(4 * 120, #first)
    assert.are_not.equal(first[2], first[478])
    assert.are.same(first, trail())
  end)
end)
