-- The bump adapter does what bump does: bump_moves.jsonl has what bump.lua itself did (record_bump.lua made it).
local bump, lines = require "graze.bump", require "lines"

local SLACK = 4e-7 -- a billionth of the coordinates: what Graze keeps between bodies, and what bouncing makes of it
local kinds = {"slide", "touch", "bounce", "cross"}

local function room(boxes)
  local world = bump.newWorld(64)
  for i, b in ipairs(boxes) do world:add(i, b[1], b[2], b[3], b[4]) end
  return world
end

describe("the bump adapter", function()
  it("moves as bump does", function()
    local met, free, same, all = 0, 0, 0, 0
    for _, line in ipairs(lines.read "tests/lua/bump_moves.jsonl") do
      local q = line.question
      local world, filter = room(q.boxes), nil
      if q.mixed then filter = function(_, other) return kinds[other % 4 + 1] end end
      world:add("player", q.moves[1].from[1], q.moves[1].from[2], 16, 16)
      for _, m in ipairs(q.moves) do
        world:update("player", m.from[1], m.from[2])
        local x, y, contacts, count = world:move("player", m.goal[1], m.goal[2], filter)
        assert.is_true(math.abs(x - m.to[1]) < SLACK and math.abs(y - m.to[2]) < SLACK,
                       ("%.9f, %.9f is not %.9f, %.9f"):format(x, y, m.to[1], m.to[2]))
        if #m.contacts == 0 then free = free + 1 else met = met + 1 end
        assert.are.equal(count, #contacts)
        local alike = count == #m.contacts
        for i, c in ipairs(m.contacts) do
          local ours = contacts[i]
          alike = alike and c.other == ours.other and c.type == ours.type and math.abs(c.ti - ours.t) < SLACK and
                  math.abs(ours.normal.x - c.normal[1]) + math.abs(ours.normal.y - c.normal[2]) < 1e-9
        end
        all = all + 1
        if alike then same = same + 1 end
      end
    end
    assert.is_true(met > 40 and free > 100, ("%d %d"):format(met, free))
    assert.is_true(same > 0.95 * all, same) -- at corners, and flush edges, others may be told
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
end)
