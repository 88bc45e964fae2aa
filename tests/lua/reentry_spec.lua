-- What comes back in where nobody expects it: finalizers, metamethods of the caller's tables, callbacks in each other.
local graze = require "graze"
local finalizers = require "finalizers"
local plant = finalizers.plant

local function coins()
  local world = graze.world()
  world:add("player", graze.box(0.5, 0.5), 0, 0)
  for i = 1, 25 do world:add(i, graze.circle(0.2), i, 0, {velocity = {0, 0.01}, type = "dynamic"}) end
  return world
end

-- Calls something again and again with a new world and a function arm(), after which any finalizer takes the world
-- away, if it may. Says how often one was refused, and how often not.
local function pester(call)
  local world, armed, over, refused, done = nil, false, false, 0, 0
  local function finalizer()
    if over then return end
    plant(finalizer)
    if not armed then return end
    local good = pcall(function()
      world:remove "player"
      world:free()
    end)
    if good then done = done + 1 else refused = refused + 1 end
    armed = good == false
  end
  local pause, multiplier = collectgarbage("setpause", 1), collectgarbage("setstepmul", 10000)
  for _ = 1, 50 do plant(finalizer) end
  for _ = 1, 100 do
    world = coins()
    pcall(call, world, function() armed = true end)
    armed = false
  end
  over = true
  collectgarbage("setpause", pause)
  collectgarbage("setstepmul", multiplier)
  return refused, done
end

describe("finalizers", function()
  it("do not take the meetings of a move away while they are told", function()
    local whole = 0
    local refused = pester(function(world, arm)
      local _, _, contacts, count = world:move("player", 30, 0, function()
        arm()
        return "cross"
      end, {})
      for i = 1, count do assert(contacts[i].other == i and contacts[i].type == "cross") end
      whole = whole + (count == 25 and 1 or 0)
    end)
    assert.is_true(refused > 5, "refused: " .. refused)
    assert.is_true(whole > 5, "whole: " .. whole)
  end)

  it("do not take the events of a step away either", function()
    local whole = 0
    local refused = pester(function(world, arm)
      local list = {spare = {}}
      world:add("zone", graze.box(30, 1), 12, 0) -- meets every coin
      arm()
      local events, count = world:step(1, list)
      for i = 1, count do assert(events[i].kind == "begin" and events[i].a ~= nil and events[i].b ~= nil) end
      whole = whole + (count > 0 and 1 or 0)
    end)
    assert.is_true(refused > 5, "refused: " .. refused)
    assert.is_true(whole > 5, "whole: " .. whole)
  end)

  it("may free a world that is about to be asked", function()
    local placed, turn = graze.box(3, 3):at(0, 0), 0
    local asks = {
      function(world) world:overlap(placed, nil) end,
      function(world) world:nearest(placed, nil, 20) end,
      function(world) world:pairs() end,
      function(world) world:raycast(-5, 0, 1, 0) end,
    }
    local _, done = pester(function(world, arm)
      local debt = {} -- luacheck: ignore debt
      turn = turn + 1
      arm()
      for i = 1, 300 do debt[i] = i end -- the collector goes on where something new is made
      for i = 1, #asks do asks[(turn + i) % #asks + 1](world) end
    end)
    assert.is_true(done > 5, "done: " .. done)
  end)
end)

-- Whether an error of a finalizer comes out of what it interrupted is Lua's business; docs/lua.md tells of it.
describe("a finalizer's refusal", function()
  it("comes out of the move that it interrupted, before Lua 5.4, and nothing has moved", function()
    local world, refusal = coins(), nil
    plant(function()
      local _, message = pcall(world.remove, world, 1)
      refusal = refusal or message
      if refusal then error(refusal, 0) end
    end)
    local good, message = pcall(world.move, world, "player", 30, 0, function()
      if not refusal then collectgarbage() end
      return "cross"
    end)
    assert.is_truthy(refusal:find("nothing may be changed", 1, true))
    assert.are.equal(_VERSION == "Lua 5.4", good)
    if not good then assert.is_truthy(message:find(refusal, 1, true)) end
    assert.are.same({good and 30 or 0, true}, {world:pose "player", world:has(1)})
  end)
end)

describe("metatables of the caller's entries", function()
  it("are not called while lists are filled", function()
    local world, called = coins(), 0
    local function meddle()
      called = called + 1
      world:free()
    end
    local list = {spare = {}}
    for i = 1, 30 do list.spare[i] = setmetatable({}, {__newindex = meddle, __index = meddle}) end
    local _, _, contacts, count = world:move("player", 30, 0, "cross", list)
    assert.are.same({25, list}, {count, contacts})
    assert.are.same({25, "cross", "player"}, {list[25].other, list[25].type, list[25].item})
    assert.are.equal(list.spare[1], list[1])
    world:set_pose("player", 12, 0)
    assert.is_true(select(2, world:step(1, list)) > 0)
    world:nearest(graze.box(3, 3):at(0, 0), nil, 5, nil, list)
    graze.manifold(graze.box(1, 1):at(0, 0), graze.box(1, 1):at(1, 0), list)
    assert.are.equal(0, called)
  end)
end)

describe("callbacks within callbacks", function()
  local a, b = graze.box(1, 1):at(0, 0), graze.box(1, 1):at(1, 0.5)
  local world = coins()

  -- Each asks a question with a function that is called back.
  local ways = {
    trace = function(f) graze.penetration(a, b, {trace = f}) end,
    manifold = function(f) graze.manifold(a, b, nil, {trace = f}) end,
    sat = function(f) graze.sat(a, b, nil, f) end,
    accept = function(f) world:overlap(graze.box(50, 50):at(0, 0), f) end,
    coroutine = function(f) assert(coroutine.resume(coroutine.create(function() graze.sat(a, b, nil, f) end))) end,
  }
  function ways.response(f)
    world:add_response("deeper", function() f() end)
    world:move("player", 30, 0, "deeper")
  end
  function ways.tried_response(f)
    world:add_response("deeper", function() f() end)
    world:check("player", 30, 0, "deeper")
  end
  for name, ask in pairs(ways) do
    it("go 16 deep, and no deeper: " .. name, function()
      local depth, deepest = 0, 0
      local function deeper()
        depth = depth + 1
        deepest = math.max(deepest, depth)
        ask(deeper)
        depth = depth - 1
      end
      for _ = 1, 3 do -- errors count down, too
        depth, deepest = 0, 0
        local good, message = pcall(deeper)
        assert.is_false(good)
        assert.is_truthy(tostring(message):find("more than 16 deep", 1, true), message)
        assert.are.equal(17, deepest)
      end
    end)
  end
end)

describe("options", function()
  it("are not busy after a question that was refused for its depth", function()
    local a, b, options = graze.box(1, 1):at(0, 0), graze.box(1, 1):at(1, 0.5), graze.options {cache = true}
    local depth = 0
    local function deeper()
      depth = depth + 1
      if depth == 17 then graze.distance(a, b, options) end
      graze.sat(a, b, nil, deeper)
    end
    assert.is_false(pcall(deeper))
    assert.are.equal(17, depth)
    assert.are.equal(-1, (graze.distance(a, b, options)))
  end)
end)
