-- Worlds: items, moving, steps, queries, snapshots, callbacks that misbehave, and what a world keeps alive.
local graze = require "graze"
local unpack = table.unpack or unpack -- luacheck: ignore

local function near(expected, value, slack)
  assert.is_true(math.abs(value - expected) <= (slack or 1e-3), ("%.17g is not %.17g"):format(value, expected))
end

-- A floor with its top at 0, a wall at x = 10 … 12, and a player.
local function room()
  local world = graze.world()
  local player = {name = "player"}
  world:add("floor", graze.box(100, 1), 0, -1, {type = "static"})
  world:add("wall", graze.box(1, 10), 11, 10, {type = "static"})
  world:add(player, graze.box(0.5, 1), 0, 1.5)
  return world, player
end

-- A recipe of docs/lua.md, as it stands there after some words, as a function of what it uses, and what it makes.
local function recipe(words, used, made)
  local file = assert(io.open "docs/lua.md")
  local source = file:read("*a"):match(words .. ".-```lua\n(.-)```")
  file:close()
  source = ("return function(%s) %s return %s end"):format(used, source, made)
  return assert((loadstring or load)(source))() -- luacheck: ignore
end

describe("items", function()
  it("are any values, and go by themselves", function()
    local world = graze.world()
    local items = {{}, "name", 7, true, print, coroutine.create(function() end), graze.circle(1)}
    for i, item in ipairs(items) do
      assert.are.equal(item, world:add(item, graze.circle(1), i, 0))
      assert.is_true(world:has(item))
    end
    assert.are.equal(#items, world:count())
    assert.are.same(#items, #world:items())
    for i, item in ipairs(items) do assert.are.equal(i, (world:pose(item))) end
    world:remove("name")
    assert.is_false(world:has "name")
    assert.has_error(function() world:pose "name" end)
    assert.has_error(function() world:add(7, graze.circle(1), 0, 0) end)
    assert.has_error(function() world:add(nil, graze.circle(1), 0, 0) end)
    assert.has_error(function() world:add(0 / 0, graze.circle(1), 0, 0) end)
    world:add("name", graze.box(1, 1), 3, 3, 0.5)
    assert.are.equal("box", world:shape("name"):kind())
  end)

  it("are what they were made", function()
    local world = graze.world()
    world:add(1, graze.circle(1), 0, 0, {type = "kinematic", category = 4, mask = 6, sensor = true, margin = 0.5,
                                         mass = 3, bounce = 0.25, velocity = {1, 2}, angular_velocity = 3})
    local def = world:get(1)
    assert.are.same({"kinematic", 4, 6, true, 0.5, 3, 0.25, 3},
                    {def.type, def.category, def.mask, def.sensor, def.margin, def.mass, def.bounce,
                     def.angular_velocity})
    assert.are.same({1, 2, 3}, {world:velocity(1)})
    world:set(1, {mask = 2})
    assert.are.equal(2, world:get(1).mask)
    assert.are.equal(4, world:get(1).category)
    world:set(1, {mask = -1})
    assert.are.equal(-1, world:get(1).mask)
    world:set_velocity(1, 5, 6)
    assert.are.same({5, 6, 0}, {world:velocity(1)})
    world:set_pose(1, 7, 8)
    assert.are.same({7, 8, 1, 0}, {world:pose(1)})
    world:set_shape(1, graze.box(1, 2))
    near(9, (select(4, world:placed(1):bounds())) - 1)
  end)
end)

describe("move", function()
  it("slides along the floor to the wall", function()
    local world, player = room()
    local x, y, contacts, count = world:move(player, 3, -1)
    near(3, x)
    near(1, y)
    assert.is_true(y >= 1)
    assert.are.equal(1, count)
    local c = contacts[1]
    assert.are.equal(player, c.item)
    assert.are.same({"floor", "slide", false}, {c.other, c.type, c.overlaps})
    near(0, c.normal.x)
    near(1, c.normal.y) -- out of the floor, at the player
    x, y, contacts, count = world:move(player, 20, 0)
    near(9.5, x)
    near(1, y)
    assert.is_true(count >= 1)
    assert.are.equal("wall", contacts[count].other)
    near(-1, contacts[count].normal.x)
    near(0, (graze.distance(world:placed(player), world:placed "wall")))
  end)

  it("does what the filter says of each", function()
    local world, player = room()
    world:add("coin", graze.circle(0.2), 2, 1.5)
    world:add("spring", graze.box(0.5, 0.5), 5, 1.5)
    local asked = {}
    local function filter(item, other)
      assert.are.equal(player, item)
      asked[other] = true
      return ({coin = "cross", spring = "bounce", wall = "touch", floor = "slide"})[other]
    end
    local x, _, contacts, count = world:move(player, 7, 1.5, filter)
    assert.are.same({"coin", "cross"}, {contacts[1].other, contacts[1].type})
    assert.are.same({"spring", "bounce"}, {contacts[count].other, contacts[count].type})
    near(1, x, 0.01) -- 4 to the spring, 3 back
    x = world:move(player, -50, 1.5, function() return false end)
    near(-50, x)
    assert.is_true(asked.coin and asked.spring)
    assert.are.equal(0, select(4, world:move(player, 50, 1.5, "ignore")))
    near(50, (world:pose(player)))
    world:set_pose(player, 0, 1.5)
    world:remove "spring"
    world:remove "coin"
    near(9.5, (world:move(player, 50, 3, "touch")))
    near(3, (select(2, world:move(player, 50, 3))), 2)
  end)

  it("turns on the way", function()
    local world = graze.world()
    world:add("rod", graze.box(2, 0.1), 0, 0)
    world:add("post", graze.circle(0.2), 0, 1.5, {type = "static"})
    local _, _, contacts, count = world:move("rod", 0, 0, math.pi, "touch")
    assert.are.equal(1, count)
    assert.are.equal("post", contacts[1].other)
    local _, _, w, z = world:pose "rod"
    assert.is_true(z / w < math.tan(math.pi / 4))
    assert.is_true(z / w > math.tan(math.pi / 8))
  end)

  it("calls responses of the caller's", function()
    local world, player = room()
    local seen
    -- Through the portal in the wall: on from the other side.
    world:add_response("portal", function(w, contact, goal_x, goal_y)
      assert.are.equal(world, w)
      seen = contact.type
      w:set_pose(player, 13, contact.touch.y)
      return goal_x + 3, goal_y
    end)
    local x, _, contacts, count = world:move(player, 14, 3, function(_, other)
      return other == "wall" and "portal" or "slide"
    end)
    near(17, x)
    assert.are.equal("portal", seen)
    assert.are.same({"wall", "portal", 1}, {contacts[1].other, contacts[1].type, count})
    world:set_pose(player, 0, 3)
    near(17, (world:move(player, 14, 3, "portal")))
    world:add_response("portal", nil)
    world:set_pose(player, 0, 3)
    assert.has_error(function() world:move(player, 14, 3, "portal") end)
    assert.has_error(function() world:move(player, 14, 3, function() return "portal" end) end)
    assert.has_error(function() world:add_response("slide", print) end)
    near(0, (world:pose(player)))
  end)

  it("forgets the name of a response when the filter thinks better of it", function()
    local world, player = room()
    world:add("coin", graze.circle(0.2), 4, 3)
    local called, asked = 0, 0
    world:add_response("portal", function(_, _, x, y)
      called = called + 1
      return x, y
    end)
    local _, _, contacts, count = world:move(player, 8, 3, function()
      asked = asked + 1
      return asked == 1 and "portal" or "touch"
    end)
    assert.are.same({2, 1, 2}, {asked, called, count})
    assert.are.same({"portal", "touch"}, {contacts[1].type, contacts[2].type})
  end)

  it("has contacts of its own when a response moves something else", function()
    local world, player = room()
    world:add("ball", graze.circle(0.5), 0, 8)
    local inner
    world:add_response("kick", function(_, contact)
      inner = select(3, world:move("ball", 20, 8))
      assert.are.same({"wall", "kick"}, {contact.other, contact.type})
    end)
    for _ = 1, 3 do
      world:set_pose(player, 0, 3)
      world:set_pose("ball", 0, 8)
      local _, _, contacts, count = world:move(player, 20, 3, "kick")
      assert.are.same({1, "wall", player}, {count, contacts[1].other, contacts[1].item})
      assert.are_not.equal(inner, contacts)
      assert.are.same({"wall", "ball"}, {inner[1].other, inner[1].item})
    end
  end)

  it("leaves the item where it is when a response raises an error while it is only tried", function()
    local world, player = room()
    world:set_pose(player, 1, 3)
    local function fails(response, filter)
      world:add_response("bad", response)
      local good, message = pcall(world.check, world, player, 20, 3, filter or "bad")
      assert.is_false(good)
      assert.are.same({1, 3, 1, 0}, {world:pose(player)})
      return message
    end
    assert.is_truthy(fails(function() error "no such door" end):find("no such door", 1, true))
    assert.is_truthy(fails(function() return 1, "two" end):find("response", 1, true))
    local asked = false
    fails(function() return 20, 3 end, function()
      if asked then error "asked twice" end
      asked = true
      return "bad"
    end)
  end)

  it("can be tried without going", function()
    local world, player = room()
    local x = world:check(player, 50, 3)
    near(9.5, x)
    assert.are.equal(0, (world:pose(player)))
  end)

  it("goes in three dimensions by the same name", function()
    local world = graze.world {dim = 3}
    world:add("floor", graze.box(50, 50, 1), 0, 0, -1, {type = "static"})
    world:add("ball", graze.sphere(0.5), 0, 0, 3)
    local x, y, z, contacts, count = world:move("ball", 4, 5, -1)
    near(4, x)
    near(5, y)
    near(0.5, z)
    assert.are.same({1, "slide"}, {count, contacts[1].type})
    near(1, contacts[1].normal.z)
    x = world:move("ball", 5, 5, 2, 0, 0, 3, "touch")
    near(5, x)
  end)

  it("may tell of the same other more than once, of which the documents find the first", function()
    local world, bowl = graze.world(), {-5, 0, -5, -5, 5, -5, 5, 0}
    for i = 64, 0, -1 do
      local a = math.pi + math.pi * i / 64
      bowl[#bowl + 1], bowl[#bowl + 2] = 4 * math.cos(a), 4 * math.sin(a)
    end
    world:add("bowl", graze.concave(bowl), 0, 0, {type = "static"})
    world:add("ball", graze.circle(0.5), -3, -0.5)
    local _, _, contacts, count = world:move("ball", 3, -5)
    assert.is_true(count > 1)
    local first = recipe("The first contact of each", "contacts, count", "first")(contacts, count)
    assert.are.same({bowl = contacts[1]}, first)
  end)

  it("is never too fast", function()
    local world = graze.world()
    world:add("paper", graze.box(1e-6, 5), 500, 0, {type = "static"})
    world:add("bullet", graze.circle(0.01), 0, 0)
    near(500, (world:move("bullet", 1e6, 0)), 0.02)
  end)

  it("reuses its table, or the caller's, and leaves nothing old in it", function()
    local world, player = room()
    local _, _, first = world:move(player, 3, -1)
    local entry = first[1]
    local _, _, second, count = world:move(player, 3, 5)
    assert.are.equal(first, second)
    assert.are.equal(0, count)
    assert.are.equal(0, #second)
    world:move(player, 3, -1)
    assert.are.equal(entry, first[1])
    local own = {"old", "old", "old"}
    local _, _, same, n = world:move(player, 20, -1, "slide", own)
    assert.are.equal(own, same)
    assert.are.equal(n, #own)
  end)
end)

describe("callbacks", function()
  it("may raise errors: then nothing has moved", function()
    local world, player = room()
    local good, message = pcall(world.move, world, player, 3, -1, function() error {code = 7} end)
    assert.is_false(good)
    assert.are.equal(7, message.code)
    assert.are.same({0, 1.5, 1, 0}, {world:pose(player)})
    for _, bad in ipairs {"walk", 3, {}, true} do
      good, message = pcall(world.move, world, player, 3, -1, function() return bad end)
      assert.is_false(good)
      assert.is_truthy(tostring(message):find("filter", 1, true))
    end
    near(1, (select(2, world:move(player, 3, -1))))
  end)

  it("may not change any world", function()
    local world, player = room()
    local other = graze.world()
    local changes = {
      function() world:remove(player) end, function() world:free() end, function() world:step(1) end,
      function() world:move(player, 0, 0) end, function() other:add(1, graze.circle(1), 0, 0) end,
      function() world:set_pose(player, 0, 0) end, function() world:restore(world:save()) end,
      function() world:set(player, {mass = 2}) end, function() world:shape(player):free() end,
    }
    for _, change in ipairs(changes) do
      local good, message = pcall(world.move, world, player, 3, -1, change)
      assert.is_false(good)
      assert.is_truthy(message:find("nothing may be changed", 1, true), message)
    end
    world:move(player, 3, -1, function() -- but they may look
      local _, count = world:overlap(graze.box(5, 5):at(0, 0))
      assert(count > 0)
      return "slide"
    end)
  end)

  it("may not yield", function()
    local world, player = room()
    local run = coroutine.wrap(function() return pcall(world.move, world, player, 3, -1, coroutine.yield) end)
    local good = run()
    assert.is_false(good)
    near(1, (select(2, world:move(player, 3, -1))))
  end)
end)

describe("steps", function()
  it("tell who meets, stays and parts", function()
    local world = graze.world()
    world:add("a", graze.circle(1), 0, 0, {velocity = {10, 0}})
    world:add("b", graze.circle(1), 5, 0, {type = "static"})
    local kinds = {}
    for _ = 1, 10 do
      local events, count = world:step(0.1)
      for i = 1, count do kinds[#kinds + 1] = events[i].kind .. events[i].a .. events[i].b end
      assert.are.equal(count, #events)
    end
    assert.are.equal("beginab", kinds[1])
    assert.are.equal("stayab", kinds[2])
    assert.are.equal("endab", kinds[#kinds])
    assert.are.equal("number", type(world:last_step().pairs))
  end)

  it("respond, and never let bodies into each other", function()
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
end)

describe("the lift of the documents", function()
  local function ride(height)
    local world, player = graze.world(), {vx = 0, vy = 0}
    world:add("floor", graze.box(100, 1), 0, -1, {type = "static"})
    world:add("ceiling", graze.box(100, 1), 0, height + 1, {type = "static"})
    world:add("lift", graze.box(2, 0.25), 5, 0.25, {type = "kinematic"})
    world:add(player, graze.box(0.4, 0.9), 4, 2)
    return world, player, recipe("## A lift", "", "frame")()
  end

  it("carries a player up, aside, down and back", function()
    local world, player, frame = ride(20)
    for _ = 1, 30 do frame(world, player, 1 / 60) end
    assert.are.equal("lift", player.on)
    for i, v in ipairs {{0, 5}, {3, 1}, {0, -5}, {-9, -1}, {0, 30}, {20, 0}, {0, -30}, {-14, 0}} do
      world:set_velocity("lift", v[1], v[2])
      player.vx = i == 5 and 0.5 or 0 -- once he walks, too
      local from, lift_from = world:pose(player), world:pose "lift"
      for _ = 1, 30 do
        local x, y = frame(world, player, 1 / 60)
        local lift_x, lift_y = world:pose "lift"
        assert.are.equal("lift", player.on)
        assert.is_true(y - lift_y > 1.15 and y - lift_y < 1.1501)
        if i ~= 5 then near(from - lift_from, x - lift_x, 1e-9) end
        for _, c in ipairs(select(3, world:check(player, x, y))) do assert.is_false(c.overlaps) end
      end
      near(i == 5 and 0.25 or 0, world:pose(player) - from - (world:pose "lift" - lift_from), 1e-9)
    end
    assert.are.same({0, 0, 0}, {world:velocity(player)})
    assert.is_nil(player.crushed or nil)
  end)

  it("crushes him below a ceiling", function()
    local world, player, frame = ride(6)
    world:set_velocity("lift", 0, 3)
    world:set_pose(player, 5, 2)
    local highest = 0
    for _ = 1, 150 do
      local _, y = frame(world, player, 1 / 60)
      highest = math.max(highest, y)
    end
    assert.is_true(player.crushed)
    assert.is_true(highest < 6 - 0.9 + 1e-3)
  end)

  it("is needed: steps drive through what does not respond, and leave a velocity to what does", function()
    local world, player = ride(20)
    world:set_pose(player, 5, 1.4001)
    world:set_velocity("lift", 0, 2)
    world:step(0.25)
    near(1.4001, (select(2, world:pose(player))))
    assert.is_true(graze.distance(world:placed(player), world:placed "lift") < -0.4)
    world:set_pose("lift", 5, 0.25)
    world:set(player, {response = "slide"})
    world:step(0.25)
    near(2, (select(2, world:velocity(player))), 1e-9)
  end)
end)

describe("rays from inside", function()
  it("have no normal", function()
    local world = room()
    assert.are.equal(5, select("#", world:raycast(0, -1, 1, 0)))
    assert.are.same({"floor", 0, 0, -1}, {world:raycast(0, -1, 1, 0)})
    assert.is_nil((select(4, graze.box(1, 1):at(0, 0):raycast(0, 0, 1, 0))))
  end)
end)

describe("counts", function()
  it("are integers, where Lua has them", function()
    local world, player = room()
    local answer = graze.answer()
    graze.distance(world:placed(player), graze.circle(1):at(9, 9), nil, answer)
    local counts = {world:count(), world:placed(player):part_count(), answer.pairs_tested,
                    select(2, world:step(0.1)), (select(4, world:move(player, 1, 1)))}
    assert.are.equal(5, #counts)
    for _, count in ipairs(counts) do
      assert.is_truthy(tostring(count):find "^%d+$")
      if math.type then assert.are.equal("integer", math.type(count)) end
    end
  end)
end)

describe("queries", function()
  local world = graze.world()
  for i = 1, 10 do world:add(i, graze.circle(0.5), i * 2, 0, {category = i % 2 == 0 and 2 or 1}) end

  it("find who overlaps, is in a box, holds a point", function()
    assert.are.same({1, 2, 3}, (world:overlap(graze.box(3, 1):at(4, 0))))
    assert.are.same({1, 2, 3}, (world:in_box(0, -1, 6, 1)))
    assert.are.equal(10, select(2, world:in_box(-math.huge, -math.huge, math.huge, math.huge)))
    assert.are.same({5}, (world:at_point(10.1, 0)))
    assert.are.same({}, (world:at_point(11, 0)))
  end)

  it("take filters", function()
    local box = graze.box(3, 1):at(4, 0)
    assert.are.same({1, 3}, (world:overlap(box, function(item) return item ~= 2 end)))
    assert.are.same({1, 3}, (world:overlap(box, {except = 2})))
    assert.are.same({2}, (world:overlap(box, {mask = 2})))
    assert.are.same({2}, (world:overlap(box, {accept = function(item) return item == 2 end})))
    assert.has_error(function() world:overlap(box, {axcept = 2}) end)
    assert.has_error(function() world:overlap(box, function() error "no" end) end)
    assert.are.same({1, 2, 3}, (world:overlap(box)))
  end)

  it("find more than fit at first", function()
    local crowd = graze.world()
    for i = 1, 700 do crowd:add(i, graze.circle(0.5), i % 30, math.floor(i / 30)) end
    local _, count = crowd:overlap(graze.box(100, 100):at(0, 0))
    assert.are.equal(700, count)
    local near_ones, n = crowd:within(graze.point2():at(15, 12), 5)
    assert.is_true(n > 60 and n == #near_ones)
    assert.is_true(select(2, crowd:pairs()) > 1000)
    assert.are.equal(50, select(2, crowd:nearest(graze.point2():at(0, 0), nil, 50)))
  end)

  it("find who is nearest, and what is hit first", function()
    local found, count = world:nearest(graze.circle(0.1):at(5.2, 0), nil, 2)
    assert.are.equal(2, count)
    assert.are.equal(3, found[1].item)
    near(0.2, found[1].distance)
    near(1, found[1].normal.x)
    assert.are.equal(2, found[2].item)
    local item, t, x = world:raycast(-5, 0, 1, 0)
    assert.are.equal(1, item)
    near(6.5, t)
    near(1.5, x)
    assert.are.equal(2, (world:raycast(-5, 0, 1, 0, math.huge, {mask = 2})))
    assert.is_nil(world:raycast(-5, 5, 1, 0))
    local impact = graze.impact()
    item, t = world:cast(graze.circle(0.5):at(30, 0), {velocity = {-20, 0}}, nil, impact)
    assert.are.equal(10, item)
    near(9 / 20, t)
    assert.are.equal("hit", impact.result)
    local pairs_found, n = world:closest_pairs(3, 2)
    assert.are.equal(3, n)
    near(1, pairs_found[1].distance)
    local contacts, points = world:manifold(1, 2)
    assert.are.same({0, 0}, {#contacts, points})
  end)
end)

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
  it("bring its dimension, though it was empty", function()
    local world = graze.world()
    world:restore(graze.world {dim = 3}:save())
    assert.are.equal(3, world:dim())
    world:add(1, graze.sphere(1), 1, 2, 3)
    assert.are.same({1, 2, 3}, {unpack({world:pose(1)}, 1, 3)})
  end)

  it("bring its bodies, and slots that it used", function()
    local first, second = graze.world(), graze.world {dim = 3}
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

describe("what lives", function()
  it("keeps what it needs", function()
    local world = graze.world()
    for i = 1, 50 do
      world:add(i, graze.polygon {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, i * 3, 0)
      world:add(-i, graze.concave {0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2}, i * 3, 5)
    end
    local part = graze.compound {graze.polygon {0, 0, 1, 0, 0, 1}:at(0, 0), graze.circle(1):at(3, 0)}:at(0, 0):part(1)
    local hull = graze.hull {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}:at(0, 0, 0)
    collectgarbage()
    collectgarbage()
    local waste = {}
    for i = 1, 200 do waste[i] = graze.polygon {9, 9, 10, 9, 9, 10} end
    for i = 1, 50 do
      near(1, (graze.distance(world:placed(i), graze.point2():at(i * 3 + 2, 0))))
      near(0.5, (graze.penetration(world:placed(-i), graze.circle(0.5):at(i * 3 + 2, 5.5))), 0.5)
    end
    assert.are.equal(200, #waste)
    near(1, (graze.distance(part, graze.point2():at(2, 0))))
    near(1, (graze.distance(hull, graze.point():at(2, 0, 0))))
    collectgarbage()
  end)

  it("keeps what a freed shape pointed to, while bodies have it", function()
    local world, shapes = graze.world(), {}
    for i = 1, 50 do
      shapes[i] = graze.polygon {{0, 0}, {1, 0}, {1, 1}, {0, 1}}
      world:add(i, shapes[i], i * 3, 0)
    end
    for i = 1, 50 do shapes[i]:free() end
    local waste = {}
    for i = 1, 200 do waste[i] = graze.polygon {{9, 9}, {10, 9}, {10, 10}, {9, 10}} end
    for i = 1, 50 do near(1, (graze.distance(world:placed(i), graze.point2():at(i * 3 + 2, 0)))) end
    assert.are.equal(200, #waste)
  end)

  it("ends when it is freed, and says so", function()
    local world, player = room()
    local placed = world:placed(player)
    local shape = graze.polygon {0, 0, 1, 0, 0, 1}
    local there = shape:at(0, 0)
    shape:free()
    assert.has_error(function() shape:at(0, 0) end)
    assert.has_error(function() shape:free() end)
    near(1, (graze.distance(there, graze.point2():at(2, 0))))
    world:free()
    for _, name in ipairs {"count", "items", "free", "save", "last_step"} do
      assert.has_error(function() world[name](world) end)
    end
    assert.has_error(function() world:move(player, 1, 1) end)
    near(1.5, (select(2, placed:pose())))
  end)

  it("is let go of", function()
    local weak = setmetatable({}, {__mode = "v"})
    local world, player = room()
    weak.world, weak.player = world, player
    world:remove(player)
    world, player = nil, nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak.player)
    assert.is_nil(weak.world)
  end)
end)

describe("hot calls", function()
  it("make no garbage", function()
    local world, player = room()
    world:add("coin", graze.circle(0.2), 2, 1, {sensor = true})
    local a, b = graze.box(1, 1):at(0, 0), graze.polygon {0, 0, 2, 0, 1, 2}:at(1.5, 0.3)
    local options, answer, impact, contacts = graze.options {cache = true}, graze.answer(), graze.impact(), {}
    local motion, found, own, here = {velocity_a = {1, 0}}, {}, {}, world:placed(player)
    local function filter(_, other) return other == "coin" and "cross" or "slide" end
    graze.distance(a, b, options, answer)
    local calls = {
      distance = function() graze.distance(a, b, options, answer) end,
      fields = function() return answer.distance, answer.relation, answer:normal() end,
      penetration = function() graze.penetration(a, b) end,
      sat = function() graze.sat(a, b) end,
      gjk = function() graze.gjk(a, b) end,
      manifold = function() graze.manifold(a, b, contacts) end,
      cast = function() graze.cast(a, b, motion, nil, impact) end,
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
    for name, call in pairs(calls) do
      for i = 1, 300 do call(i) end
      collectgarbage()
      collectgarbage "stop"
      local before = collectgarbage "count"
      for i = 1, 100000 do call(i) end
      local made = collectgarbage "count" - before
      collectgarbage "restart"
      -- What the machinery of Lua itself may take, once; one small table a call would be 5000 KB.
      assert.is_true(made < 8, ("%s: %.3f KB"):format(name, made))
    end
  end)
end)
