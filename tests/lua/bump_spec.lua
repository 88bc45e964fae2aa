-- The bump adapter has the results of bump.lua, which record_bump.lua recorded.
local graze, bump, lines, support = require "graze", require "graze.bump", require "lines", require "support"

local SLACK = 1e-9 -- rounding
local function tiles(boxes)
  local world = bump.newWorld(64)
  for i, b in ipairs(boxes) do world:add(i, b[1], b[2], b[3], b[4]) end
  return world
end

local function is_near(p, q) return math.abs(p[1] - q[1]) < SLACK and math.abs(p[2] - q[2]) < SLACK end

-- Whether the contacts are those of bump, with the same items.
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
  it("moves like bump", function()
    local met, same, same_others, all = 0, 0, 0, 0
    for _, line in ipairs(lines.read "tests/lua/bump_moves.jsonl") do
      local moves = line.value.moves
      for i, ours in ipairs(support.bump_moves(bump, line.value)) do
        local theirs = moves[i]
        assert.is_true(is_near(ours.to, theirs.to),
                       ("%.9f, %.9f is not %.9f, %.9f"):format(ours.to[1], ours.to[2], theirs.to[1], theirs.to[2]))
        assert.are.equal(ours.count, #ours.contacts)
        local is_same, of_same = alike(ours.contacts, theirs.contacts)
        all, met = all + 1, met + (#theirs.contacts > 0 and 1 or 0)
        same, same_others = same + (is_same and 1 or 0), same_others + (of_same and 1 or 0)
      end
    end
    assert.is_true(met > 200 and all - met > 400, ("%d of %d"):format(met, all))
    -- Another of two simultaneous contacts may be listed first.
    assert.is_true(same > 0.995 * all and same_others > 0.94 * all, ("%d, %d of %d"):format(same, same_others, all))
  end)

  for _, line in ipairs(lines.read "tests/lua/bump_calls.jsonl") do
    local case = line.value
    it("has the results of bump: " .. case.why, function()
      local ours = support.bump_returns(bump, case)
      for i, call in ipairs(case.calls) do
        ours[i].n = nil
        assert.are.same(support.rounded(case.returns[i]), support.rounded(ours[i]), call)
      end
    end)
  end

  it("does not report boxes that it slid under, unlike bump if a cross follows", function()
    local world = tiles {{30, -4, 10, 6}, {0, 16, 160, 16}, {60, 10, 4, 4}}
    world:add("player", 0, 0, 8, 8)
    local x, y, contacts, count = world:check("player", 150, 200, function(_, other)
      return other == 3 and "cross" or "slide"
    end)
    assert.are.same({150, 8, 2, 2, 3}, {x, y, count, contacts[1].other, contacts[2].other})
  end)

  it("moves an item through a gap of its own width, at any position", function()
    for _, at in ipairs {0, 1000.1, -30000.7} do
      local world = tiles {{at, 0, 16, 160}, {at + 32, 0, 16, 160}}
      world:add("player", at + 16, -16, 16, 16)
      assert.are.same({at + 16, 100, 0}, {at + 16, 100, select(4, world:move("player", at + 16, 100))})
      assert.are.same({at + 16, 100, 16, 16}, {world:getRect "player"})
      assert.is_true(math.abs(world:move("player", at + 20, 50) - (at + 16)) < SLACK)
      world:add("thin", at + 16, 40, 16, 1e-7)
      assert.is_true(math.abs(select(2, world:move("player", at + 16, 0)) - 40) < 1e-6)
    end
  end)

  it("ends a bounce in a shaft of the width of the item", function()
    local world = tiles {{0, 0, 16, 160}, {32, 0, 16, 160}}
    world:add("player", 16, 0, 16, 16)
    local x, y, _, count = world:check("player", 100, 50, "bounce")
    assert.are.equal(32, count)
    assert.is_true(math.abs(x - 16) < 1e-5 and y >= 0 and y < 50)
  end)

  it("treats an overlap below a skin as touching, and resolves a larger one, unlike bump", function()
    local world = tiles {{0, 0, 10, 10}, {9.9999995, 0, 10, 10}}
    assert.are.equal(0, select(4, world:move(2, 9.9999995, 3, "cross")))
    world:update(2, 9.999, 0)
    assert.is_true(math.abs(world:move(2, 9.999, 0) - 10) < SLACK)
    world:update(2, 9, 0)
    local contact = select(3, world:move(2, 20, 0))[1]
    assert.are.same({true, 20}, {contact.overlaps, contact.slide.x}) -- it was leaving the overlap
  end)

  it("hits bodies that are not rectangles", function()
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

  it("calls filters before anything changes", function()
    local world = bump.newWorld()
    world.graze:add("ball", graze.circle(5), 50, 5)
    world:add("wall", 80, 0, 10, 10)
    local calls = 0
    world:project("ghost", 0, 0, 10, 10, 100, 0, function()
      calls = calls + 1
      assert.are.same({{"wall"}, 1}, {(world:getItems()), world:countItems()})
      assert.are.equal(1, select(2, world:project("ghost", 75, 0, 10, 10, 75, 0)))
      return "cross"
    end)
    assert.are.equal(2, calls)
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

  it("names the line of the wrong call, and changes nothing", function()
    local world = bump.newWorld()
    world:add("a", 0, 0, 10, 10)
    world:add("b", 20, 0, 10, 10)
    world:addResponse("lost", function(w) w:getRect "nobody" end)
    local names = setmetatable({world = world, bump = bump, nan = 0 / 0, unknown = {},
                                item = setmetatable({}, {__tostring = function() return "the coin" end})},
                                  {__index = _G})
    for _, line in ipairs(lines.read "tests/lua/bump_errors.jsonl") do
      local case = line.value
      local message = support.rejected(case.message, support.compile(case.call, "errors.jsonl", names))
      assert.is_truthy(message:find(case.call:find "lost" and "bump_spec.lua:%d+: " or "errors.jsonl:1: "), message)
      assert.are.same({2, 0, 0, 10, 10}, {world:countItems(), world:getRect "a"})
      assert.are.same({{"a"}, {}}, {(world.graze:in_box(1, 2, 4, 6)), (world.graze:in_box(10.5, 0, 19, 20))})
    end
    support.rejected("move: self: invalid value", world.move, "a", 3, 3) -- without a caller's line
    assert.is_nil(world.responses.b)
    world:add("c", 50, 50, 1, 1) -- the filters that raised errors are gone
    world:remove "c"
    assert.are.equal(10, (world:move("a", 10, 0, "walk"))) -- without contacts the word is not checked
    assert.are.equal(10, (world:move("a", 50, 0, false))) -- false means no filter
  end)
end)
