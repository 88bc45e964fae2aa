-- Snapshots of worlds: what they restore, into which worlds, and that tampered ones are rejected.
local graze, lines, support = require "graze", require "lines", require "support"
local near, square, rejected = support.near, support.square, support.rejected

local function world_of(...)
  local world = graze.world()
  for i = 1, select("#", ...) do world:add("item " .. i, (select(i, ...)), i * 10, 0) end
  return world
end

describe("snapshots", function()
  it("restore every bit", function()
    local world = graze.world()
    local shapes = {graze.circle(0.5), graze.polygon {0, 0, 1, 0, 0, 1}, graze.box(0.5, 0.4)}
    world:add("floor", graze.box(100, 1), 0, -1, {type = "static"})
    for i = 1, 12 do world:add({i}, shapes[i % 3 + 1], i, 2 + i, {velocity = {1, -10}, response = "slide"}) end
    local function run()
      local out = {}
      for _ = 1, 30 do out[#out + 1] = select(2, world:step(1 / 60)) end
      for _, item in ipairs(world:items()) do out[#out + 1] = ("%.17g %.17g %.17g %.17g"):format(world:pose(item)) end
      return table.concat(out, "\n")
    end
    local snapshot, before = world:save(), world:items()
    local first = run()
    world:remove(before[3])
    world:add("new", graze.polygon {0, 0, 5, 0, 0, 5}, 30, 30)
    for _ = 1, 2 do
      world:restore(snapshot)
      collectgarbage()
      assert.are.same(before, world:items())
      assert.is_false(world:has "new")
      assert.are.equal(first, run())
    end
  end)

  it("of another world need its dimension", function()
    for dim = 2, 3 do
      local world = graze.world {dim = 5 - dim}
      if dim == 2 then world:add(1, graze.sphere(1), 1, 2, 3) else world:add(1, graze.circle(1), 1, 2) end
      local snapshot = graze.world({dim = dim}):save()
      local text = ("snapshot: wrong dimension (%dD), must be %dD"):format(dim, 5 - dim)
      rejected(text, world.restore, world, snapshot)
      assert.are.same({5 - dim, 1}, {world:dim(), (world:pose(1))})
      snapshot.bytes = snapshot.bytes:sub(1, -5) .. string.char(5 - dim, 0, 0, 0) -- forged: the scene has its own
      world:restore(snapshot)
      assert.are.same({dim, 0}, {world:dim(), world:count()})
    end
  end)

  it("of another world bring its bodies, and free the slots that it used", function()
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

describe("a tampered snapshot", function()
  for _, line in ipairs(lines.read "tests/lua/snapshot_errors.jsonl") do
    local case = line.value
    it("is rejected: " .. case.why, function()
      local world = world_of(square(1), graze.circle(1))
      local s = world:save()
      local function slot(bytes) s.bytes = s.bytes:sub(1, -13) .. bytes .. s.bytes:sub(-8) end -- of the last body
      support.compile(case.change, "change", {s = s, slot = slot, square = square})()
      world:set_pose("item 1", 30, 0)
      rejected(case.message, world.restore, world, s)
      assert.are.same({case.left, case.left}, {world:count(), #world:items()}) -- of two
      if case.left == 2 then
        assert.are.same({{"item 1", "item 2"}, 30, 20}, {world:items(), (world:pose "item 1"), (world:pose "item 2")})
      end
      for _, item in ipairs(world:items()) do assert.is_true(world:shape(item):kind() ~= nil) end
      world:add("more", graze.circle(1), 0, 0)
      world:step(0.1)
    end)
  end

  it("is rejected, or restores the same, with any bit changed", function()
    local world = world_of(square(1), graze.circle(1))
    local snapshot, failed, restored = world:save(), 0, 0
    local bytes = snapshot.bytes
    for i = 1, #bytes do
      for bit = 0, 7 do
        local byte = bytes:byte(i)
        local flipped = math.floor(byte / 2 ^ bit) % 2 == 1 and byte - 2 ^ bit or byte + 2 ^ bit
        snapshot.bytes = bytes:sub(1, i - 1) .. string.char(flipped) .. bytes:sub(i + 1)
        world:set_pose("item 1", 30, 0)
        local good = pcall(world.restore, world, snapshot)
        if good then restored = restored + 1 else failed = failed + 1 end
        assert.are.same({2, good and 10 or 30, 20}, {world:count(), (world:pose "item 1"), (world:pose "item 2")})
      end
    end
    assert.is_true(failed > 8 * #bytes - 64 and restored > 0, failed .. " and " .. restored) -- slots twice
  end)
end)

describe("snapshots of support functions and concave items", function()
  local bowl = graze.concave {0, 0, 4, 0, 4, 4, 3, 4, 3, 1, 1, 1, 1, 4, 0, 4}
  local function fill(world, more)
    world:add("bowl", bowl, 0, 0, {type = "static"})
    for i = 1, 3 do world:add(i, graze.circle(0.25), i, 5 + i) end
    if more then world:add("late", bowl, 20, 0) end
    return world
  end

  it("need the same support function", function()
    local shape = graze.user(2, support.disk)
    local world, text = world_of(shape), "snapshot.shapes[1]: unknown support function, must be that of the item"
    local snapshot = world:save()
    world:set_shape("item 1", graze.user(2, function(x, y) return 2 * x, 2 * y, 1 end))
    rejected(text, world.restore, world, snapshot)
    world:remove "item 1"
    rejected(text .. " in this world", world.restore, world, snapshot)
    world:add("item 1", shape, 0, 0)
    rejected('snapshot.items[1]: support function, which bytes do not store ("item 1")', world.restore, world, snapshot)
  end)

  it("need concave items in the world, and name what is missing", function()
    local world = fill(graze.world())
    local snapshot = world:save()
    world:remove "bowl"
    world:set_pose(1, 7, 7)
    for count = 3, 4 do
      rejected('snapshot.items[1]: compound, which bytes do not store ("bowl"), must still be in this world, or ' ..
               "be added first in the order of the saved world", world.restore, world, snapshot)
      assert.are.same({count, count == 4, 7}, {world:count(), world:has "bowl", (world:pose(1))})
      if count == 3 then world:add("bowl", bowl, 0, 0) end -- an equal one is not the same
    end
  end)

  it("restore them if they were only moved or disabled", function()
    local world = fill(graze.world(), true)
    local snapshot = world:save()
    world:set_pose("bowl", 50, 50)
    world:set("late", {category = 0, mask = 0})
    world:set_pose("late", 1e6, 0)
    world:remove(2)
    world:restore(snapshot)
    assert.are.same({0, 20, 2, 1},
                    {(world:pose "bowl"), (world:pose "late"), (world:pose(2)), world:get("late").category})
  end)

  it("restore another world if the items were added first", function()
    local snapshot, second = fill(graze.world()):save(), graze.world()
    second:add("bowl", bowl, 9, 9)
    second:restore(snapshot)
    assert.are.same({"bowl", 1, 2, 3}, second:items())
    assert.are.same({0, 1}, {(second:pose "bowl"), (second:pose(1))})
    second:move(1, 2, -3)
    near(1.25, (select(2, second:pose(1))))
  end)
end)

describe("the replay of docs/lua.md", function()
  it("repeats every bit", function()
    local world, ball = graze.world(), {}
    world:add("bowl", graze.concave {-5, 0, -5, -5, 5, -5, 5, 0, 3, 0, 0, -4, -3, 0}, 0, 0, {type = "static"})
    world:add(ball, graze.circle(0.5), -2, 3, {response = "bounce", bounce = 0.75})
    local start, replay, inputs = world:save(), support.recipe("## Snapshots", "", "replay")(), {}
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
