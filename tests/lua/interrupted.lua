-- A finalizer changes a world, or an answer, in the middle of a call: interrupted.lua WAY says how often it did so in
-- time for the call, and how often it was refused.
local graze = require "graze"
local finalizers = require "finalizers"

local ROUNDS = 40

local random = {seed = 20261122}
function random.below(n)
  random.seed = random.seed * 16807 % 2147483647
  return random.seed % n
end

-- A player at 0.5, and coins at 1 … 25, whose names begin so, but "one". Backwards all have other slots.
local function coins(prefix, backwards, count)
  local world = graze.world()
  count = count or 25
  for k = 0, count do
    local i = backwards and count - k or k
    local shape = i == 0 and graze.box(0.5, 0.5) or graze.circle(0.2)
    local name = ({[0] = "player", "one"})[i] or prefix .. i
    world:add(name, shape, i == 0 and 0.5 or i, 0, {velocity = {0, 0.01}, type = "dynamic"})
  end
  return world
end

-- In how many calls the finalizer did its work, and how often it was refused.
local inside, refused = 0, 0

-- Calls something again and again; `harm` is what a finalizer does then, at most once, where it may.
local function pester(prepare)
  local round = 0
  finalizers.pester(ROUNDS, function(arm)
    round = round + 1
    local call, harm, check = prepare()
    local ran = false
    arm(function()
      if not pcall(harm) then
        refused = refused + 1
        error "later"
      end
      ran = true
    end, random.below(random.below(2) == 0 and 5 or 60))
    local good, first, second = pcall(call)
    arm(nil)
    inside = inside + (ran and 1 or 0)
    if check then
      assert(good, first)
      check(ran, first, second)
    end
    return round == ROUNDS
  end)
end

local function same(p, q)
  if type(p) ~= "table" or type(q) ~= "table" then return p == q end
  for key, value in pairs(p) do
    if not same(value, q[key]) then return false end
  end
  for key in pairs(q) do
    if p[key] == nil then return false end
  end
  return true
end

-- A world that a finalizer frees, and one that it restores, so that other items stand in other slots. `ask` is called
-- with it, and returns a list of items, or of tables with .item, .other, .a or .b.
local function freed(ask)
  pester(function()
    local world = coins "a"
    return function() ask(world) end, function()
      world:remove "player"
      world:free()
    end
  end)
end

local function family(item) return type(item) == "string" and item:match "^([ab])%d" or nil end

local function restored(ask, count)
  local other = coins("b", true, count):save()
  pester(function()
    local world, seen = coins("a", false, count), nil
    local function note(item)
      local of = family(item)
      assert(of == nil or seen == nil or seen == of, "items of two worlds")
      seen = of or seen
    end
    local function filter(item, met)
      if not world:has(met or item) then error("a filter is asked about strangers", 0) end
      return "cross"
    end
    return function() return ask(world, filter) end, function() world:restore(other) end, function(ran, list, found)
      assert(list == nil or #list == found and found > 0)
      for _, entry in ipairs(list or {}) do
        if type(entry) == "string" then note(entry) end
        if type(entry) == "table" then
          for _, key in ipairs {"item", "other", "a", "b"} do note(entry[key]) end
        end
      end
      assert(ran or seen ~= "b")
    end
  end)
end

local large = graze.box(300, 300):at(0, 0)
local ways = {}

function ways.move()
  restored(function(world, filter)
    local x, _, contacts, count = world:move("player", 30, 0, filter, {})
    assert(x == 30 and count == 25)
    for i = 1, count do
      assert(contacts[i].item == "player" and contacts[i].type == "cross")
      assert(contacts[i].other == "one" and i == 1 or contacts[i].other:sub(2) == tostring(i))
    end
    return contacts, count
  end)
end

function ways.step() restored(function(world) return world:step(1, {}) end) end
function ways.nearest() restored(function(world, filter) return world:nearest(large, nil, 30, filter, {}) end) end
function ways.within() restored(function(world, filter) return world:within(large, 1, filter, {}) end) end
function ways.pairs() restored(function(world) return world:pairs {} end) end

function ways.overlap()
  restored(function(world, filter) return world:overlap(large, filter, {}) end, 290)
end

function ways.manifold() restored(function(world) return world:manifold("player", "one") end) end

-- What takes the world away in the middle.
local function goes(world)
  return function()
    world:remove "player"
    world:free()
  end
end

function ways.freed_move()
  local whole = 0
  pester(function()
    local world = coins "a"
    return function()
      local _, _, contacts, count = world:move("player", 30, 0, "cross", {})
      for i = 2, count do assert(contacts[i].other == "a" .. i and contacts[i].type == "cross") end
      whole = whole + (count == 25 and 1 or 0)
    end, goes(world)
  end)
  assert(whole > 10, whole)
end

function ways.freed_step()
  local whole = 0
  pester(function()
    local world = coins "a"
    world:add("zone", graze.box(30, 1), 12, 0) -- meets every coin
    return function()
      local events, count = world:step(1, {})
      for i = 1, count do assert(events[i].kind == "begin" and events[i].a ~= nil and events[i].b ~= nil) end
      whole = whole + (count > 25 and 1 or 0)
    end, goes(world)
  end)
  assert(whole > 10, whole)
end

function ways.freed_asked()
  local turn = 0
  local asks = {
    function(world) world:overlap(large, nil) end,
    function(world) world:nearest(large, nil, 20) end,
    function(world) world:pairs() end,
    function(world) world:raycast(-5, 0, 1, 0) end,
  }
  freed(function(world)
    turn = turn + 1
    for i = 1, #asks do asks[(turn + i) % #asks + 1](world) end
  end)
end

-- A certificate is that of one question, whatever is asked while it is told.
local function told(answer, ask)
  local world = coins "a"
  ask(1)
  local first = answer:certificate()
  ask(2)
  local second = answer:certificate()
  assert(not same(first, second))
  pester(function()
    ask(1)
    return function() return answer:certificate() end, function()
      assert(graze.distance(graze.circle(1):at(0, 0), graze.circle(1):at(5, 0)) == 3)
      world:set_pose("player", 0, 0)
      ask(2)
    end, function(_, certificate) assert(same(certificate, first) or same(certificate, second)) end
  end)
end

function ways.certificate()
  local answer, options = graze.answer(), graze.options {proof = true}
  local a = graze.compound {graze.box(1, 1):at(0, 0), graze.polygon {0, 0, 1, 0, 0, 1}:at(5, 0)}
  local b = {graze.concave({0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2}):at(0.3, 3), graze.box(1, 2):at(1.2, 0.4, 0.1)}
  local there = a:at(0, 0)
  told(answer, function(i) graze.distance(there, b[i], options, answer) end)
end

function ways.impact_certificate()
  local impact, options = graze.impact(), graze.options {proof = true}
  local a, b = graze.box(1, 1):at(0, 0), graze.polygon {0, 0, 1, 0, 0, 1}:at(7, 0.5)
  local motions = {{velocity_a = {5, 0}, angular_velocity_a = 3}, {velocity_a = {9, 1}, angular_velocity_b = -2}}
  told(impact, function(i) graze.sweep(a, b, motions[i], options, impact) end)
end

ways[...]()
print(("%d inside, %d refused"):format(inside, refused))
