-- A finalizer changes a world, an answer or a shape during a call. interrupted.lua CASE prints how often the change
-- preceded the query of the call, and how often it was rejected.
local graze, lines, support = require "graze", require "lines", require "support"
local below = support.generator(20261122)
local unpack = table.unpack or unpack -- luacheck: ignore

local ROUNDS = 40
local inside, rejected = 0, 0

-- Repeats a call. prepare() returns the call, the harmful change that a finalizer makes at most once, and a check of
-- the results. Garbage before the call varies the state of the collector; the change is made during the call only.
local function pester(prepare)
  local round = 0
  support.pester(ROUNDS, function(arm)
    round = round + 1
    local call, harm, check = prepare()
    local ran, early = false, true
    arm(function()
      if early then error "later" end
      if not pcall(harm) then
        rejected = rejected + 1
        error "later"
      end
      ran = true
    end, below(below(2) == 0 and 5 or 60))
    local good, first, second = pcall(function()
      for _ = 1, below(16) do local _ = {} end -- luacheck: ignore
      early = false
      return call()
    end)
    arm(nil)
    inside = inside + (ran and 1 or 0)
    if check then
      assert(good, first)
      check(ran, first, second)
    end
    return round == ROUNDS
  end)
end

local function same(p, q) return not (lines.differ(p, q) or lines.differ(q, p)) end

-- ---- Worlds ----

-- A player at 0.5 and coins at 1 … 25. Their names start with the prefix, except "one". `backwards` reverses the slots.
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

-- The finalizer frees the world; call(world) returns whether its results are complete.
local function freed(call, least)
  local whole = 0
  pester(function()
    local world = coins "a"
    return function() whole = whole + (call(world) and 1 or 0) end, function()
      world:remove "player"
      world:free()
    end
  end)
  assert(whole >= least, whole)
end

-- The finalizer restores a world of other items in other slots; call(world, filter) returns a list of items, or of
-- tables with .item, .other, .a or .b, all of one world.
local function restored(call, count)
  local other = coins("b", true, count):save()
  pester(function()
    local world, seen = coins("a", false, count), nil
    local function check(item)
      local family = type(item) == "string" and item:match "^([ab])%d" or nil
      assert(family == nil or seen == nil or seen == family, "items of two worlds")
      seen = family or seen
    end
    local function filter(item, met)
      if not world:has(met or item) then error("a filter gets strangers", 0) end
      return "cross"
    end
    return function() return call(world, filter) end, function() world:restore(other) end, function(ran, list, found)
      assert(list == nil or #list == found and found > 0)
      for _, entry in ipairs(list or {}) do
        if type(entry) == "string" then check(entry) end
        for _, key in ipairs(type(entry) == "table" and {"item", "other", "a", "b"} or {}) do check(entry[key]) end
      end
      assert(ran or seen ~= "b")
    end
  end)
end

local large, turn = graze.box(300, 300):at(0, 0), 0
local cases = {
  freed_move = function()
    freed(function(world)
      local _, _, contacts, count = world:move("player", 30, 0, "cross", {})
      for i = 2, count do assert(contacts[i].other == "a" .. i and contacts[i].type == "cross") end
      return count == 25
    end, 11)
  end,
  freed_step = function()
    freed(function(world)
      world:add("zone", graze.box(30, 1), 12, 0) -- meets every coin
      local events, count = world:step(1, {})
      for i = 1, count do assert(events[i].kind == "begin" and events[i].a ~= nil and events[i].b ~= nil) end
      return count > 25
    end, 8)
  end,
  freed_query = function()
    local queries = {
      function(world) world:overlap(large, nil) end, function(world) world:nearest(large, nil, 20) end,
      function(world) world:pairs() end, function(world) world:raycast(-5, 0, 1, 0) end,
    }
    freed(function(world)
      turn = turn + 1
      for i = 1, 4 do queries[(turn + i) % 4 + 1](world) end
    end, 0)
  end,
  move = function()
    restored(function(world, filter)
      local x, _, contacts, count = world:move("player", 30, 0, filter, {})
      assert(x == 30 and count == 25)
      for i = 1, count do
        assert(contacts[i].item == "player" and contacts[i].type == "cross")
        assert(contacts[i].other == "one" and i == 1 or contacts[i].other:sub(2) == tostring(i))
      end
      return contacts, count
    end)
  end,
  step = function() restored(function(world) return world:step(1, {}) end) end,
  nearest = function() restored(function(world, filter) return world:nearest(large, nil, 30, filter, {}) end) end,
  within = function() restored(function(world, filter) return world:within(large, 1, filter, {}) end) end,
  pairs = function() restored(function(world) return world:pairs {} end) end,
  overlap = function() restored(function(world, filter) return world:overlap(large, filter, {}) end, 290) end,
  manifold = function() restored(function(world) return world:manifold("player", "one") end) end,
}

-- ---- Certificates: each is that of one query ----

local function certified(answer, fill)
  local world = coins "a"
  fill(1)
  local first = answer:certificate()
  fill(2)
  local second = answer:certificate()
  assert(not same(first, second))
  pester(function()
    fill(1)
    return function() return answer:certificate() end, function()
      assert(graze.distance(graze.circle(1):at(0, 0), graze.circle(1):at(5, 0)) == 3)
      world:set_pose("player", 0, 0)
      fill(2)
    end, function(_, certificate) assert(same(certificate, first) or same(certificate, second)) end
  end)
end

function cases.certificate()
  local answer, options = graze.answer(), graze.options {proof = true}
  local a = graze.compound({graze.box(1, 1):at(0, 0), graze.polygon {0, 0, 1, 0, 0, 1}:at(5, 0)}):at(0, 0)
  local b = {graze.concave({0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2}):at(0.3, 3), graze.box(1, 2):at(1.2, 0.4, 0.1)}
  certified(answer, function(i) graze.distance(a, b[i], options, answer) end)
end

function cases.cast_certificate()
  local result, options = graze.cast_result(), graze.options {proof = true}
  local a, b = graze.box(1, 1):at(0, 0), graze.polygon {0, 0, 1, 0, 0, 1}:at(7, 0.5)
  local motions = {{velocity_a = {5, 0}, angular_velocity_a = 3}, {velocity_a = {9, 1}, angular_velocity_b = -2}}
  certified(result, function(i) graze.cast(a, b, motions[i], options, result) end)
end

-- ---- Contacts: all, or none if the body has moved away before ----

local function ring(size)
  return graze.mesh2({-size, -size, size, -size, size, size, -size, size}, {1, 2, 2, 3, 3, 4, 4, 1})
end

function cases.contacts()
  pester(function()
    local square, body = ring(1):at(0, 0), ring(0.9):at(0.2, 0.2)
    local all = select(2, square:contacts(body))
    assert(all == 2)
    return function() return square:contacts(body, {}) end, function() body:set_pose(50, 0) end,
           function(ran, list, count)
      assert(#list == count and (count == all or ran and count == 0))
      for _, pair in ipairs(list) do assert(#pair.points > 0 and pair.part_a <= 4 and pair.part_b <= 4) end
    end
  end)
end

-- ---- Shapes that a finalizer frees ----

local function square(size) return graze.polygon {-size, -size, size, -size, size, size, -size, size} end
local peg = graze.point2():at(12, 0)
local function is_right(placed) return math.abs(placed:distance(peg) - 2) < 1e-9 end

-- Each gets a square of half size 10, and returns the call with its arguments, whether the result is right, and the
-- harm that comes before the square is freed.
local shapes = {
  shape_at = function(shape) return {shape.at, shape, 0, 0, right = is_right} end,
  shape_margin = function(shape)
    return {shape.with_margin, shape, 0, right = function(made) return is_right(made:at(0, 0)) end}
  end,
  shape_vertices = function(shape)
    return {shape.vertices, shape, right = function(vertices)
      for _, v in ipairs(vertices) do
        if math.abs(v[1]) ~= 10 or math.abs(v[2]) ~= 10 then return false end
      end
      return true
    end}
  end,
  shape_faces = function(shape)
    return {shape.faces, shape, right = function(faces)
      for i, face in ipairs(faces) do
        if face[1] ~= i or face[2] ~= i % 4 + 1 then return false end
      end
      return #faces == 4
    end}
  end,
  shape_add = function(shape)
    local world = graze.world()
    return {world.add, world, "it", shape, 0, 0, {velocity = {x = 1, y = 0}, mass = 2, type = "dynamic"},
            right = function() return is_right(world:placed "it") end}
  end,
  shape_set = function(shape)
    local world, new = graze.world(), square(1)
    world:add("it", shape, 0, 0)
    return {world.set, world, "it", {velocity = {x = 1, y = 0}}, right = function()
      for i, corner in ipairs(world:placed("it"):corners()) do
        if math.abs(corner - (i % 2 == 1 and 5 or 0)) ~= 1 then return false end
      end
      return world:velocity "it" == 1
    end, harm = function()
      world:set_shape("it", new)
      world:set_pose("it", 5, 0)
    end}
  end,
  shape_corners = function()
    local world = graze.world()
    world:add("small", square(1), 0, 0)
    world:add("large", square(10), 0, 0)
    local placed = world:placed "large"
    world:remove "large"
    return {placed.corners, placed, harm = function() world:placed("small", placed) end, right = function(corners)
      for _, x in ipairs(corners) do
        if math.abs(x) ~= math.abs(corners[1]) or math.abs(x) > 10 then return false end
      end
      return #corners == 8
    end}
  end,
}

for name, prepare in pairs(shapes) do
  cases[name] = function()
    local rubbish = {} -- luacheck: ignore
    support.pester(100, function(arm)
      local shape, ran, debt = (name == "shape_faces" and ring or square)(10), false, {} -- luacheck: ignore debt
      local call = prepare(shape)
      arm(function()
        if call.harm then call.harm() end
        shape:free()
        ran = true
        for i = 1, 8 do rubbish[i] = (i % 2 == 0 and square or ring)(1e6) end -- in the memory of the freed shape
      end)
      for i = 1, 300 do debt[i] = i end -- the collector pays for it at the next allocation: within the call
      if ran then return end
      local good, result = pcall(unpack(call, 1, #call))
      if not ran then return end
      inside = inside + 1
      assert(not good or call.right(result), "rubbish")
      assert(good or not call.harm and result:find("already freed", 1, true), result)
    end)
  end
end

cases[...]()
print(("%d inside, %d rejected"):format(inside, rejected))
