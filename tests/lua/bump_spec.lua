-- The bump adapter does what bump does: bump_moves.jsonl has what bump.lua itself did (record_bump.lua made it).
local graze, bump, lines, support = require "graze", require "graze.bump", require "lines", require "support"

local SLACK = 1e-9 -- rounding
local kinds = {"slide", "touch", "bounce", "cross"}

local function room(boxes)
  local world = bump.newWorld(64)
  for i, b in ipairs(boxes) do world:add(i, b[1], b[2], b[3], b[4]) end
  return world
end

local function is_near(p, q) return math.abs(p.x - q[1]) < SLACK and math.abs(p.y - q[2]) < SLACK end

-- Are these the contacts that bump told, and of the same items?
local function alike(ours, theirs)
  local same_others = true
  for i, c in ipairs(theirs) do
    local o = ours[i]
    if not o or o.type ~= c.type or o.overlaps ~= c.overlaps or math.abs(o.ti - c.ti) > SLACK or
      not is_near(o.normal, c.normal) or not is_near(o.touch, c.touch) then return false, false end
    same_others = same_others and o.other == c.other
  end
  return #ours == #theirs, same_others and #ours == #theirs
end

describe("the bump adapter", function()
  it("moves as bump does", function()
    local met, free, same, same_others, all = 0, 0, 0, 0, 0
    for _, line in ipairs(lines.read "tests/lua/bump_moves.jsonl") do
      local q = line.question
      local world, filter = room(q.boxes), nil
      if q.response == "mixed" then
        filter = function(_, other) return kinds[other % 4 + 1] end
      elseif q.response ~= "slide" then
        filter = q.response
      end
      world:add("player", q.moves[1].from[1], q.moves[1].from[2], 16, 16)
      for _, m in ipairs(q.moves) do
        world:update("player", m.from[1], m.from[2])
        local x, y, contacts, count = world:move("player", m.goal[1], m.goal[2], filter)
        assert.is_true(is_near({x = x, y = y}, m.to), ("%.9f, %.9f is not %.9f, %.9f"):format(x, y, m.to[1], m.to[2]))
        if #m.contacts == 0 then free = free + 1 else met = met + 1 end
        assert.are.equal(count, #contacts)
        all = all + 1
        local is_same, of_same = alike(contacts, m.contacts)
        if is_same then same = same + 1 end
        if of_same then same_others = same_others + 1 end
      end
    end
    assert.is_true(met > 200 and free > 400, ("%d %d"):format(met, free))
    -- Of two that are met at the same time another may be told, or the first.
    assert.is_true(same > 0.995 * all and same_others > 0.94 * all, ("%d, %d of %d"):format(same, same_others, all))
  end)

  it("has all of a contact", function()
    local world = bump.newWorld()
    world:add("wall", 100, 0, 10, 100)
    world:add("player", 0, 0, 10, 10)
    local x, y, contacts, count = world:move("player", 200, 50)
    assert.are.equal(1, count)
    assert.is_true(math.abs(x - 90) < SLACK and y == 50)
    local c = contacts[1]
    assert.are.same({"player", "wall", "slide", false}, {c.item, c.other, c.type, c.overlaps})
    assert.is_true(math.abs(c.ti - 0.45) < SLACK and math.abs(c.normal.x + 1) < 1e-12)
    assert.are.same({x = 200, y = 50}, c.move)
    assert.is_true(math.abs(c.touch.x - 90) < SLACK and math.abs(c.touch.y - 22.5) < SLACK)
    assert.are.same({x = 0, y = 0, w = 10, h = 10}, c.itemRect)
    assert.are.same({x = 100, y = 0, w = 10, h = 100}, c.otherRect)
    assert.is_true(math.abs(c.slide.x - 90) < SLACK and math.abs(c.slide.y - 50) < SLACK)
    world:update("player", 0, 0)
    x = world:check("player", 200, 0, function() return "bounce" end)
    assert.is_true(math.abs(x + 20) < SLACK)
    assert.are.same({0, 0, 10, 10}, {world:getRect "player"})
    contacts, count = world:project("ghost", 0, 30, 10, 10, 200, 30)
    assert.are.same({1, "ghost", "wall"}, {count, contacts[1].item, contacts[1].other})
    contacts, count = world:project("player", 0, 0, 10, 10, 200, 0, function(item, other)
      assert.are.equal("player", item)
      return other == "wall" and "touch"
    end)
    assert.are.same({1, "wall", "touch"}, {count, contacts[1].other, contacts[1].type})
    assert.are.equal(2, world:countItems())
  end)

  it("keeps items, and answers queries", function()
    local world = bump.newWorld()
    for i = 1, 5 do world:add(i, i * 20, 0, 10, 10) end
    assert.is_true(world:hasItem(3))
    assert.are.equal(5, select(2, world:getItems()))
    world:update(3, 60, 50, 20, 5)
    assert.are.same({60, 50, 20, 5}, {world:getRect(3)})
    assert.are.same({3}, (world:queryPoint(70, 52)))
    assert.are.same({}, (world:queryPoint(80, 52)))
    assert.are.same({3}, (world:queryPoint(80 - 1e-8, 52)))
    assert.are.same({3}, (world:queryRect(80 - 1e-8, 52, 5, 5)))
    assert.are.same({1, 2}, (world:queryRect(25, 5, 30, 30)))
    assert.are.same({2}, (world:queryRect(25, 5, 30, 30, function(item) return item ~= 1 end)))
    assert.are.same({}, (world:queryRect(30, 0, 10, 10)))
    assert.are.same({1, 2, 4, 5}, (world:querySegment(0, 5, 200, 5)))
    assert.are.same({5, 4, 2, 1}, (world:querySegment(200, 5, 0, 5)))
    local infos, count = world:querySegmentWithCoords(0, 5, 200, 5)
    assert.are.same({4, 0.1, 0.15, 20, 5}, {count, infos[1].ti1, infos[1].ti2, infos[1].x1, infos[1].y1})
    world:remove(3)
    assert.is_false(world:hasItem(3))
    assert.has_error(function() world:getRect(3) end)
    assert.has_error(function() world:add("flat", 0, 0, 0, 1) end)
    assert.has_error(function() world:move(1, 200, 0, function() return "walk" end) end)
  end)

  it("takes responses as bump does", function()
    local world, seen = bump.newWorld(), nil
    world:add("belt", 50, 0, 10, 100)
    world:add("player", 0, 0, 10, 10)
    world:addResponse("carry", function(w, c, x, y, width, height, goal_x, goal_y, filter)
      assert.are.equal(world, w)
      seen = {c.other, x, y, width, height, goal_x, goal_y, type(filter)}
      return c.touch.x, c.touch.y + 7, {}, 0
    end)
    local x, y = world:move("player", 100, 0, function() return "carry" end)
    assert.are.same({"belt", 0, 0, 10, 10, 100, 0, "function"}, seen)
    assert.is_true(math.abs(x - 40) < SLACK and math.abs(y - 7) < SLACK)
  end)

  it("stays at a touch, and tells contacts in their order, however flat it comes in", function()
    local function go(response, dy)
      local world = bump.newWorld()
      world:add("floor", 0, 16, 1000, 16)
      world:add("coin", 30, 10, 4, 4)
      world:add("wall", 80, 0, 10, 16)
      world:add("player", 0, 0, 16, 16)
      local x, y, contacts, count = world:move("player", 100, dy, function(_, other)
        return other == "coin" and "cross" or response
      end)
      local others = {}
      for i = 1, count do others[i] = contacts[i].other .. " " .. contacts[i].type end
      return x, y, table.concat(others, ", ")
    end
    for _, dy in ipairs {1, 0.01, 1e-4, 1e-5, 1e-6} do
      assert.are.same({0, 0, "floor touch"}, {go("touch", dy)})
      local x, y, others = go("slide", dy)
      assert.are.same({64, 0, "floor slide, coin cross, wall slide"}, {x, y, others})
      x, y, others = go("bounce", dy)
      assert.is_true(math.abs(x - 28) < SLACK and math.abs(y + dy) < SLACK, ("%.9f, %.9f"):format(x, y))
      assert.are.equal("floor bounce, coin cross, wall bounce", others)
    end
  end)

  it("does not meet what it slid under, as bump does when it crosses something next", function()
    local world = bump.newWorld()
    world:add("floor", 0, 16, 160, 16)
    world:add("coin", 60, 10, 4, 4)
    world:add("lamp", 30, -4, 10, 6)
    world:add("player", 0, 0, 8, 8)
    local x, y, contacts, count = world:check("player", 150, 200, function(_, other)
      return other == "coin" and "cross" or "slide"
    end)
    assert.are.same({150, 8, 2, "floor", "coin"}, {x, y, count, contacts[1].other, contacts[2].other})
  end)

  it("crosses only what it has an area in common with", function()
    local world = bump.newWorld()
    for i = 0, 9 do world:add(i, i * 32, 100, 32, 32) end
    world:add("body", 0, 84, 32, 16)
    local function crossed(from_x, from_y, x, y)
      world:update("body", from_x, from_y)
      local _, _, contacts, count = world:move("body", x, y, function() return "cross" end)
      assert.are.equal(#contacts, count)
      local others = {}
      for i, c in ipairs(contacts) do others[i] = c.other end
      table.sort(others)
      return others
    end
    assert.are.same({}, crossed(0, 84, 50, 84)) -- along
    assert.are.same({}, crossed(0, 84, 0, 60)) -- away
    assert.are.same({}, crossed(0, 60, 0, 84)) -- to touching
    assert.are.same({}, crossed(0, 84, 0, 84)) -- nowhere
    assert.are.same({}, crossed(-40, 92, -24, 76)) -- by a corner
    assert.are.same({0, 1}, crossed(0, 84, 8, 84.001))
    assert.are.same({0, 1, 2}, crossed(0, 90, 50, 90))
    assert.are.same({0}, crossed(0, 110, 0, 110))
    assert.are.same({0}, crossed(0, 84, 0, 200)) -- right through
    -- What a slide leads into is crossed, though it was only touched before.
    world:add("wall", 70, 0, 10, 84)
    world:update("body", 38, 60)
    local _, _, contacts, count = world:move("body", 60, 90, function(_, other)
      return other == "wall" and "slide" or "cross"
    end)
    local kinds_of = {}
    for i = 1, count do kinds_of[contacts[i].other] = contacts[i].type end
    assert.are.same({wall = "slide", [1] = "cross", [2] = "cross"}, kinds_of)
  end)

  it("runs responses in bump's loop", function()
    local world, asked = bump.newWorld(), {}
    for i = 1, 4 do world:add(i, i * 40, 0, 10, 10) end
    world:add("player", 0, 0, 10, 10)
    world:addResponse("through", function(w, c, x, y, width, height, goal_x, goal_y, filter)
      assert.is_false(filter(c.item, c.other)) -- visited
      asked[#asked + 1] = c.other
      local contacts, count = w:project(c.item, x, y, width, height, goal_x, goal_y, filter)
      return goal_x, goal_y, contacts, count
    end)
    local x, y, contacts, count = world:move("player", 300, 0, function() return "through" end)
    assert.are.same({300, 0, 4, {1, 2, 3, 4}}, {x, y, count, asked})
    for i, c in ipairs(contacts) do
      assert.are.same({i, "through", "player"}, {c.other, c.type, c.item})
      assert.is_true(math.abs(c.ti - (i * 40 - 10) / 300) < SLACK)
    end
    -- Contacts that a response returns are next, and none ends the move.
    world:addResponse("leap", function(w, c, _, _, width, height, goal_x, goal_y, filter)
      return goal_x, goal_y, w:project(c.item, 100, 0, width, height, goal_x, goal_y, filter)
    end)
    world:addResponse("land", function(_, _, _, _, _, _, goal_x, goal_y) return goal_x, goal_y, {}, 0 end)
    world:update("player", 0, 0)
    x, y, contacts, count = world:move("player", 300, 0, function(_, other) return other == 1 and "leap" or "land" end)
    assert.are.same({300, 0, 2, 1, 3}, {x, y, count, contacts[1].other, contacts[2].other})
    -- None returned: what is on the way from the touch on. The responses of bump can be called, and replaced.
    world:addResponse("slide", function(...) return bump.responses.slide(...) end)
    world:addResponse("on", function(_, _, _, _, _, _, goal_x, goal_y) return goal_x, goal_y end)
    world:update("player", 0, 5)
    x, y, contacts, count = world:move("player", 300, 5, function(_, other) return other < 3 and "on" or "slide" end)
    assert.are.same({3, 5, "slide"}, {count, y, contacts[3].type})
    assert.is_true(math.abs(x - 110) < SLACK and math.abs(contacts[3].slide.x - 110) < SLACK)
  end)

  it("projects without responses, and tells what went wrong", function()
    local world = bump.newWorld()
    for i = 1, 3 do world:add(i, i * 40, 0, 10, 10) end
    local contacts, count = world:project(nil, 0, 0, 10, 10, 200, 0)
    assert.are.equal(3, count)
    for i = 1, 3 do assert.are.same({i, "slide"}, {contacts[i].other, contacts[i].type}) end
    assert.are.equal(0, select(2, world:project(nil, 30, 0, 10, 10))) -- no goal: where it is
    assert.are.equal(1, select(2, world:project(nil, 31, 0, 10, 10)))
    local good, fault = pcall(world.project, world, nil, 0, 0, 10, 10, 200, 0, function() error("mine") end)
    assert.is_false(good)
    assert.is_truthy(tostring(fault):find("mine", 1, true))
    assert.are.equal(3, world:countItems())
    good, fault = pcall(world.project, world, nil, 0, 0, 10, -1, 200, 0)
    assert.are.same({false, "project: w and h: positive numbers expected, got 10 and -1"}, {good, fault})
  end)

  it("changes nothing by a bad update", function()
    local world, nan = bump.newWorld(), 0 / 0
    world:add("player", 1, 2, 3, 4)
    for name, bad in pairs {x = {nan, 2, 8, 8}, y = {1, "2", 8, 8}, w = {1, 2, {}, 8}, h = {1, 2, 8, math.huge}} do
      local good, fault = pcall(world.update, world, "player", bad[1], bad[2], bad[3], bad[4])
      assert.is_false(good)
      local text = ("update: %s: a number up to 1e38 in magnitude expected, got "):format(name)
      assert.is_truthy(fault:find(text, 1, true), fault)
      assert.are.same({1, 2, 3, 4}, {world:getRect "player"})
      assert.are.same({"player"}, (world.graze:in_box(1, 2, 4, 6)))
      assert.are.same({}, (world.graze:in_box(4.5, 2, 9, 6)))
    end
    assert.has_error(function() world:update("player", nil, 2) end)
    assert.has_error(function() world:add("other", 1, nil, 2, 2) end)
    assert.is_false(world:hasItem "other")
  end)

  it("lets an item through a gap as wide as it, wherever it is", function()
    for _, at in ipairs {0, 1000.1, -30000.7} do
      local world = bump.newWorld()
      world:add("left", at, 0, 16, 160)
      world:add("right", at + 32, 0, 16, 160)
      world:add("player", at + 16, -16, 16, 16)
      assert.are.same({at + 16, 100, 0}, {at + 16, 100, select(4, world:move("player", at + 16, 100))})
      assert.are.same({at + 16, 100, 16, 16}, {world:getRect "player"})
      assert.is_true(math.abs(world:move("player", at + 20, 50) - (at + 16)) < SLACK)
      world:add("thin", at + 16, 40, 16, 1e-7)
      assert.is_true(math.abs(select(2, world:move("player", at + 16, 0)) - 40) < 1e-6)
    end
  end)

  it("ends a bounce across a shaft as wide as the item", function()
    local world = bump.newWorld()
    world:add("left", 0, 0, 16, 160)
    world:add("right", 32, 0, 16, 160)
    world:add("player", 16, 0, 16, 16)
    local x, y, _, count = world:check("player", 100, 50, "bounce")
    assert.are.equal(32, count)
    assert.is_true(math.abs(x - 16) < 1e-5 and y >= 0 and y < 50)
  end)

  it("takes an overlap of less than a skin for touching, but no larger one", function()
    local world = bump.newWorld()
    world:add("wall", 0, 0, 10, 10)
    world:add("player", 9.9999995, 0, 10, 10)
    assert.are.equal(0, select(4, world:move("player", 9.9999995, 3, "cross")))
    world:update("player", 9.999, 0)
    local _, _, contacts, count = world:move("player", 9.999, 3, "cross")
    assert.are.equal(1, count)
    assert.is_true(contacts[1].overlaps and math.abs(contacts[1].ti + 0.01) < SLACK)
    assert.is_true(math.abs(world:move("player", 9.999, 0) - 10) < SLACK)
    world:update("player", 9, 0)
    _, _, contacts = world:move("player", 20, 0)
    assert.is_true(contacts[1].overlaps and contacts[1].slide.x == 20) -- it was on its way out
    world:add("deeper", 0, 0, 14, 10)
    world:update("player", 9, 0)
    _, _, contacts = world:move("player", 20, 0, "cross")
    assert.are.same({"deeper", -50, "wall", -10},
                    {contacts[1].other, contacts[1].ti, contacts[2].other, contacts[2].ti})
  end)

  it("meets what is no rectangle", function()
    local world = bump.newWorld()
    world.graze:add("ball", graze.circle(5), 50, 5)
    world:add("player", 0, 0, 10, 10)
    local x, y, contacts, count = world:move("player", 100, 0)
    assert.is_true(count == 1 and math.abs(x - 35) < 1e-4 and y == 0)
    assert.are.same({"ball", "slide", -1}, {contacts[1].other, contacts[1].type, contacts[1].normal.x})
    contacts, count = world:project("player", 0, 0, 10, 10, 100, 0, function() return "touch" end)
    assert.is_true(count == 1 and math.abs(contacts[1].ti - 0.35) < 1e-4 and contacts[1].type == "touch")
    assert.are.same({{"player"}, 1, false}, {(world:getItems()), world:countItems(), world:hasItem "ball"})
  end)

  it("asks filters while nothing has changed", function()
    local world = bump.newWorld()
    world.graze:add("ball", graze.circle(5), 50, 5)
    world:add("wall", 80, 0, 10, 10)
    local asked = 0
    world:project("ghost", 0, 0, 10, 10, 100, 0, function()
      asked = asked + 1
      assert.are.same({{"wall"}, 1}, {(world:getItems()), world:countItems()})
      assert.are.equal(1, select(2, world:project("ghost", 75, 0, 10, 10, 75, 0)))
      return "cross"
    end)
    assert.are.equal(2, asked)
    world:remove "wall"
    for i = 1, 3 do world:add(i, i * -20, 0, 10, 10) end
    world:add("player", 0, 0, 10, 10)
    local met = {}
    local _, _, contacts = world:move("player", -100, 0, function(item, other)
      met[other] = select(2, world:project(item, 0, 0, 10, 10, other * -20 - 1, 0))
      return "cross"
    end)
    assert.are.same({{1, 2, 3}, 3}, {met, #contacts})
  end)

  it("finds by segments what bump finds", function()
    local world = bump.newWorld()
    world:add("box", 0, 0, 10, 10)
    local function infos(...)
      local info = world:querySegmentWithCoords(...)[1]
      return info and {info.ti1, info.ti2, info.x1, info.y1, info.x2, info.y2}
    end
    assert.are.same({0.5, 0.5, 10, 0, 10, 0}, infos(5, -5, 15, 5)) -- a corner
    assert.is_nil(infos(2, 2, 8, 8)) -- all inside
    assert.are.same({0, 0.5, 5, 5, 10, 5}, infos(5, 5, 15, 5))
    assert.are.same({0.5, 1, 0, 5, 5, 5}, infos(-5, 5, 5, 5))
    assert.is_nil(infos(-5, 0, 15, 0)) -- along an edge
    assert.is_nil(infos(-5, 5, 0, 5)) -- to it
    assert.is_nil(infos(5, 5, 5, 5))
    world:add("in front", -20, 2, 25, 4) -- both are left; this one was entered first
    assert.are.same({"in front", "box"}, (world:querySegment(4, 5, 100, 5)))
  end)

  it("has bump's functions of rectangles", function()
    local r = bump.rect
    assert.are.same({10, 0}, {r.getNearestCorner(0, 0, 10, 10, 6, 4)})
    assert.are.same({0.25, 0.75, -1, 0, 1, 0}, {r.getSegmentIntersectionIndices(0, 0, 10, 10, -5, 5, 15, 5)})
    assert.are.same({-0.25, 0.25, 0, -1, 0, 1}, {r.getSegmentIntersectionIndices(0, 0, 10, 10, 5, 5, 5, 25, -9, 9)})
    assert.are.same({1, nil}, {select("#", r.getSegmentIntersectionIndices(0, 0, 10, 10, 11, 0, 11, 10))})
    assert.are.same({5, -2, 11, 7}, {r.getDiff(0, 0, 8, 4, 13, 2, 3, 3)})
    assert.is_true(r.containsPoint(0, 0, 2, 2, 1, 1) and not r.containsPoint(0, 0, 2, 2, 2, 1))
    assert.is_true(r.isIntersecting(0, 0, 2, 2, 1, 1, 2, 2) and not r.isIntersecting(0, 0, 2, 2, 2, 0, 2, 2))
    assert.are.equal(18, r.getSquareDistance(0, 0, 2, 2, 2, 2, 4, 4))
    assert.is_nil(r.detectCollision(0, 0, 2, 2, 5, 0, 2, 2, 3, 0))
    assert.are.same({x = 3, y = 0}, r.detectCollision(0, 0, 2, 2, 5, 0, 2, 2, 4, 0).touch)
    local c = r.detectCollision(0, 0, 2, 2, 1, 0, 2, 2)
    assert.are.same({true, -2, {x = -1, y = 0}, {x = -1, y = 0}}, {c.overlaps, c.ti, c.normal, c.touch})
  end)

  it("blames the line that was wrong", function()
    local world = bump.newWorld()
    world:add("a", 0, 0, 10, 10)
    world:add("b", 20, 0, 10, 10)
    world:addResponse("lost", function(w) w:getRect "nobody" end)
    local names = setmetatable({world = world, bump = bump, nan = 0 / 0, unknown = {},
                                item = setmetatable({}, {__tostring = function() return "the coin" end})},
                                  {__index = _G})
    for _, line in ipairs(lines.read "tests/lua/bump_errors.jsonl") do
      local case = line.question
      local message = support.refused(case.message, support.compile(case.call, "errors.jsonl", names))
      assert.is_truthy(message:find(case.call:find "lost" and "bump_spec.lua:%d+: " or "errors.jsonl:1: "), message)
    end
    support.refused('move: a world expected before the arguments, as in world:move(…), got "a"', world.move, "a", 3,
                    3)
    assert.is_nil(world.responses.b)
    assert.are.equal(2, world:countItems())
    assert.are.same({0, 0, 10, 10}, {world:getRect "a"})
    world:add("c", 50, 50, 1, 1) -- the filters that raised errors are no more
    world:remove "c"
    assert.are.equal(10, (world:move("a", 10, 0, "walk"))) -- where nothing is met a word is not looked at
    assert.are.equal(10, (world:move("a", 50, 0, false))) -- false is no filter
  end)
end)
