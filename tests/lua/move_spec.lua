-- Moving one item, and the lift of docs/lua.md.
local graze, lines, support = require "graze", require "lines", require "support"
local near, floor_and_wall, recipe = support.near, support.floor_and_wall, support.recipe

-- The globals of calls in world_calls.jsonl: `moved` lists a move with its contacts, `by` makes a filter of a table.
local function names_of(world, player)
  local function contacts_of(place, contacts, count)
    place[#place + 1] = count
    for _, c in ipairs(contacts) do
      for _, field in ipairs {c.other, c.type, c.normal.x, c.normal.y, c.normal.z} do place[#place + 1] = field end
    end
    return (unpack or table.unpack)(place)
  end
  return {graze = graze, world = world, player = player, solid = graze.world {dim = 3},
          moved = function(x, y, ...) return contacts_of({x, y}, ...) end,
          moved3 = function(x, y, z, ...) return contacts_of({x, y, z}, ...) end,
          by = function(responses) return function(_, other) return responses[other] end end}
end

describe("between walls", function()
  for _, line in ipairs(lines.read "tests/lua/world_calls.jsonl") do
    local case = line.value
    it("calls return what is listed: " .. case.why, function()
      local results = support.results(case.calls, names_of(floor_and_wall()))
      for i, call in ipairs(case.calls) do
        results[i].n = nil
        assert.are.same(support.rounded(case.returns[i]), support.rounded(results[i]), call)
      end
    end)
  end
end)

describe("move", function()
  it("reuses its table, or fills the caller's", function()
    local world, player = floor_and_wall()
    local _, _, contacts = world:move(player, 3, -1)
    local first, _, _, second, none = contacts[1], world:move(player, 3, 5)
    assert.is_true(first.item == player and not first.overlaps)
    assert.are.same({contacts, 0, 0}, {second, none, #second})
    world:move(player, 20, -1)
    assert.is_true(#contacts == 2 and contacts[1] == first)
    near(0, (graze.distance(world:placed(player), world:placed "wall")))
    local own = {"old", "old", "old"}
    local _, _, same, n = world:move(player, 5, -1, "slide", own)
    assert.is_true(same == own and n == #own)
  end)

  it("keeps the skin of the smaller of two bodies", function()
    for _, sides in ipairs {{8, 0.5}, {0.5, 8}, {2, 2}} do
      local world = graze.world()
      for i = -10, 10 do world:add(i, graze.box(sides[2], sides[2]), 2 * i * sides[2], -sides[2], {type = "static"}) end
      world:add("player", graze.box(sides[1], sides[1]), 0, 20)
      local _, y = world:move("player", 0, 0)
      near(1, (y - sides[1]) / (math.min(sides[1], sides[2]) * math.sqrt(2) / 65536), 1e-3)
    end
  end)

  it("enters a tunnel as high as a tile from a floor if it is two skins lower", function()
    local function walk(side)
      local world = graze.world()
      for i = -4, 9 do world:add(i, graze.box(8, 8), i * 16, 16, {type = "static"}) end
      for i = 0, 9 do world:add(-100 - i, graze.box(8, 8), i * 16, -16, {type = "static"}) end
      world:add("player", graze.box(side / 2, side / 2), -40, -20)
      world:move("player", -40, 30) -- to the floor
      return (world:move("player", 100, 1))
    end
    local skins = 2 * 2 ^ -16 * math.sqrt(8 * 8 + 8 * 8)
    near(3.5e-4, skins, 1e-5)
    near(-16, walk(16), 1e-3)
    near(100, walk(16 - 3.5e-4))
    near(100, walk(16 - skins))
  end)

  it("calls the filter once for each, and anew after a response of the caller's", function()
    local world = graze.world()
    local calls
    world:add("player", graze.box(0.5, 0.5), 0, 0)
    for i = 1, 3 do world:add(i, graze.box(0.1, 5), 2 * i, 0, {type = "static"}) end
    world:add_response("through", function(w, contact, x, y)
      w:set_pose("player", contact.touch.x + 1.3, contact.touch.y)
      return x, y
    end)
    for first, expected in pairs {cross = {1, 1, 1}, through = {1, 2, 2}} do
      calls = {0, 0, 0}
      world:set_pose("player", 0, 0)
      world:move("player", 10, 0, function(item, other)
        assert.are.equal("player", item)
        calls[other] = calls[other] + 1
        return other == 1 and first or "slide"
      end)
      assert.are.same(expected, calls)
    end
  end)

  it("calls responses of the caller's, which may move the item or others", function()
    local world, player = floor_and_wall()
    local seen, inner
    world:add_response("portal", function(w, contact, goal_x, goal_y) -- on from the other side of the wall
      assert.are.equal(world, w)
      seen = contact.type
      w:set_pose(player, 13, contact.touch.y)
      return goal_x + 3, goal_y
    end)
    for _, filter in ipairs {"portal", function(_, other) return other == "wall" and "portal" or "slide" end} do
      world:set_pose(player, 0, 3)
      local x, _, contacts, count = world:move(player, 14, 3, filter)
      near(17, x)
      assert.are.same({"wall", "portal", 1, "portal"}, {contacts[1].other, contacts[1].type, count, seen})
    end
    world:add("ball", graze.circle(0.5), 0, 8)
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

  it("forgets the name of a response when the filter returns another", function()
    local world, player = floor_and_wall()
    world:add("coin", graze.circle(0.2), 4, 3)
    local responses, filters = 0, 0
    world:add_response("portal", function(_, _, x, y)
      responses = responses + 1
      return x, y
    end)
    local _, _, contacts, count = world:move(player, 8, 3, function()
      filters = filters + 1
      return filters == 1 and "portal" or "touch"
    end)
    assert.are.same({2, 1, 2, "portal", "touch"}, {filters, responses, count, contacts[1].type, contacts[2].type})
  end)

  it("leaves the item where it was when a response raises an error, or a filter later on", function()
    local world, player = floor_and_wall()
    world:set_pose(player, 1, 3)
    local function fails(text, go, response, filter)
      world:add_response("bad", response)
      support.rejected(text, go, world, player, 20, 3, filter or "bad")
      assert.are.same({1, 3, 1, 0}, {world:pose(player)})
    end
    for _, go in ipairs {world.check, world.move} do
      fails("no such door", go, function() error "no such door" end)
      fails("response", go, function() return 1, "two" end)
      local called = false
      fails("called twice", go, function() return 20, 3 end, function()
        if called then error "called twice" end
        called = true
        return "bad"
      end)
    end
  end)

  it("may list an item more than once; the recipe of docs/lua.md finds the first", function()
    local world, bowl = graze.world(), {-5, 0, -5, -5, 5, -5, 5, 0}
    for i = 64, 0, -1 do
      local a = math.pi + math.pi * i / 64
      bowl[#bowl + 1], bowl[#bowl + 2] = 4 * math.cos(a), 4 * math.sin(a)
    end
    world:add("bowl", graze.concave(bowl), 0, 0, {type = "static"})
    world:add("ball", graze.circle(0.5), -3, -0.5)
    local _, _, contacts, count = world:move("ball", 3, -5)
    assert.is_true(count > 1)
    local first = recipe("The first contact of each", "contacts, count", "first")
    assert.are.same({bowl = contacts[1]}, first(contacts, count))
  end)
end)

describe("the lift of docs/lua.md", function()
  local function lift_scene(height)
    local world, player = graze.world(), {vx = 0, vy = 0}
    world:add("floor", graze.box(100, 1), 0, -1, {type = "static"})
    world:add("ceiling", graze.box(100, 1), 0, height + 1, {type = "static"})
    world:add("lift", graze.box(2, 0.25), 5, 0.25, {type = "kinematic"})
    world:add(player, graze.box(0.4, 0.9), 4, 2)
    return world, player, recipe("## A lift", "", "frame")()
  end

  it("carries a player up, aside, down and back", function()
    local world, player, frame = lift_scene(20)
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
    local world, player, frame = lift_scene(6)
    world:set_velocity("lift", 0, 3)
    world:set_pose(player, 5, 2)
    local highest = 0
    for _ = 1, 150 do highest = math.max(highest, (select(2, frame(world, player, 1 / 60)))) end
    assert.is_true(player.crushed)
    assert.is_true(highest < 6 - 0.9 + 1e-3)
  end)

  it("is needed: steps move the lift through what does not respond, and change the velocity of what does", function()
    local world, player = lift_scene(20)
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
