-- Worlds: items, steps, callbacks that raise errors, and calls without garbage.
local graze = require "graze"
local support = require "support"
local near, floor_and_wall = support.near, support.floor_and_wall
local unpack = table.unpack or unpack -- luacheck: ignore

describe("items", function()
  it("are any values, and poses are their own", function()
    local world = graze.world()
    local items = {{}, "name", 7, true, print, coroutine.create(function() end), graze.circle(1)}
    for i, item in ipairs(items) do
      assert.are.equal(item, world:add(item, graze.circle(1), i, 0))
      assert.is_true(world:has(item))
    end
    assert.are.same({#items, #items}, {world:count(), #world:items()})
    for i, item in ipairs(items) do assert.are.equal(i, (world:pose(item))) end
    world:remove("name")
    assert.is_false(world:has "name")
    world:add("name", graze.box(1, 1), 3, 3, 0.5)
    assert.are.equal("box", world:shape("name"):kind())
  end)
end)

describe("callbacks", function()
  it("may raise errors, but not yield: then nothing has moved", function()
    local world, player = floor_and_wall()
    local good, message = pcall(world.move, world, player, 3, -1, function() error {code = 7} end)
    assert.are.same({false, 7}, {good, message.code})
    assert.is_false(coroutine.wrap(function() return pcall(world.move, world, player, 3, -1, coroutine.yield) end)())
    assert.are.same({0, 1.5, 1, 0}, {world:pose(player)})
    near(1, (select(2, world:move(player, 3, -1))))
  end)
end)

describe("steps", function()
  it("return events: begin, stay and end", function()
    local world = graze.world()
    world:add("a", graze.circle(1), 0, 0, {velocity = {10, 0}})
    world:add("b", graze.circle(1), 5, 0, {type = "static"})
    local kinds = {}
    for _ = 1, 10 do
      local events, count = world:step(0.1)
      for i = 1, count do kinds[#kinds + 1] = events[i].kind .. events[i].a .. events[i].b end
      assert.are.equal(count, #events)
    end
    assert.are.same({"beginab", "stayab", "endab"}, {kinds[1], kinds[2], kinds[#kinds]})
    assert.are.equal("number", type(world:last_step().pairs))
  end)

  it("respond, on threads too", function()
    local world = graze.world {threads = 2}
    world:add("floor", graze.box(100, 1), 0, -1, {type = "static"})
    for i = 1, 20 do
      world:add(i, graze.box(0.5, 0.5), i * 1.5, 3 + i, i * 0.1,
                {velocity = {0, -30}, response = "bounce", bounce = 0.5})
    end
    for _ = 1, 120 do world:step(1 / 60) end
    assert.are.equal(0, world:last_step().overlaps)
    for i = 1, 20 do assert.is_false(graze.penetration(world:placed(i), world:placed "floor") or false) end
  end)

  it("and other calls return counts as integers, where Lua has them", function()
    local world, player = floor_and_wall()
    local answer = graze.answer()
    graze.distance(world:placed(player), graze.circle(1):at(9, 9), nil, answer)
    for _, count in ipairs {world:count(), world:placed(player):part_count(), answer.pairs_tested,
                            select(2, world:step(0.1)), (select(4, world:move(player, 1, 1)))} do
      assert.is_truthy(tostring(count):find "^%d+$")
      if math.type then assert.are.equal("integer", math.type(count)) end
    end
  end)
end)

-- Runs a call `times` times after a warm-up. It must not allocate, but for a constant amount of Lua itself.
local function no_garbage(name, call, first, times)
  for i = 1, first do call(i) end
  collectgarbage()
  collectgarbage "stop"
  local before = collectgarbage "count"
  for i = 1, times do call(i) end
  local made = collectgarbage "count" - before
  collectgarbage "restart"
  assert.is_true(made < 8, ("%s: %.3f KB in %d calls"):format(name, made, times))
end

describe("hot calls", function()
  it("make no garbage", function()
    local world, player = floor_and_wall()
    world:add("coin", graze.circle(0.2), 2, 1, {sensor = true})
    local a, b = graze.box(1, 1):at(0, 0), graze.polygon {0, 0, 2, 0, 1, 2}:at(1.5, 0.3)
    local options, answer, result, contacts = graze.options {cache = true}, graze.answer(), graze.cast_result(), {}
    local motion, found, own, here = {velocity_a = {1, 0}}, {}, {}, world:placed(player)
    local list, near_only, distances = {a, b, here}, graze.options {max_distance = 1}, {}
    local function filter(_, other) return other == "coin" and "cross" or "slide" end
    graze.distance(a, b, options, answer)
    local calls = {
      distance = function() graze.distance(a, b, options, answer) end,
      fields = function() return answer.distance, answer.relation, answer:normal() end,
      penetration = function() graze.penetration(a, b) end,
      sat = function() graze.sat(a, b) end,
      gjk = function() graze.gjk(a, b) end,
      manifold = function() graze.manifold(a, b, contacts) end,
      cast = function() graze.cast(a, b, motion, nil, result) end,
      intersect_list = function() graze.intersect_list(a, list, nil, found) end,
      distance_list = function() graze.distance_list(a, list, near_only, found, distances) end,
      raycast = function() graze.raycast(b, -5, 0.5, 1, 0) end,
      set_pose = function(i) b:set_pose(1.5, 0.3, i % 7) end,
      move = function(i) world:move(player, i % 13, -0.5, filter, own) end,
      turn = function(i) world:move(player, i % 13, 3, 0.01) end,
      check = function(i) world:check(player, i % 13, -0.5) end,
      step = function() world:step(1 / 60) end,
      overlap = function() world:overlap(a, nil, found) end,
      nearest = function() world:nearest(a, nil, 2, nil, found) end,
      ray = function() world:raycast(0, 3, 1, 0) end,
      placed = function() world:placed(player, here) end,
    }
    for name, call in pairs(calls) do no_garbage(name, call, 300, 20000) end
  end)

  it("make none about many bodies after the first call, and return more results than the first buffer holds", function()
    local world = graze.world()
    for i = 1, 700 do world:add(i, graze.circle(0.75), i % 30, math.floor(i / 30)) end
    local probe, found, result = graze.box(50, 50):at(0, 0), {}, graze.cast_result()
    local motion = {velocity = {50, 0}, t_max = 1}
    local function accept(item) return item % 2 == 0 end
    -- The number of results, the number of arguments, the arguments.
    for name, case in pairs {
      overlap = {700, 3, probe, nil, found}, at_point = {4, 4, 5.5, 5.5, nil, found}, pairs = {2642, 1, found},
      in_box = {700, 6, -1, -1, 50, 50, nil, found}, nearest = {40, 5, probe, nil, 40, nil, found},
      within = {700, 4, probe, 100, nil, found}, closest_pairs = {300, 3, 300, nil, found},
    } do
      local count
      no_garbage(name, function() count = select(2, world[name](world, unpack(case, 3, case[2] + 2))) end, 1, 40)
      assert.are.same({name, case[1]}, {name, count})
    end
    no_garbage("accepted", function() world:overlap(probe, accept, found) end, 1, 40)
    no_garbage("cast", function() world:cast(probe, motion, nil, result) end, 1, 40)
  end)

  it("return the same results if their filters make queries", function()
    local world, inner = graze.world(), {}
    for i = 1, 40 do world:add(i, graze.circle(0.2), i, 5) end
    local big, there = graze.box(50, 50):at(0, 0), graze.box(2, 2):at(40, 5)
    local function accept(item)
      world:overlap(there, nil, inner)
      world:within(there, 1, nil, inner)
      return item % 2 == 0
    end
    local lists = {(world:overlap(big, accept)), (world:in_box(-50, -50, 50, 50, accept)),
                   (world:within(big, 100, accept)), (world:nearest(big, nil, 50, accept))}
    for _, list in ipairs(lists) do
      local items = {}
      for i, entry in ipairs(list) do items[i] = type(entry) == "table" and entry.item or entry end
      table.sort(items)
      assert.are.equal(20, #items)
      for i, item in ipairs(items) do assert.are.equal(2 * i, item) end
    end
  end)
end)
