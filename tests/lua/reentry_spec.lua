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

-- By itself: beside busted the collector has far to go each time.
local function interrupt(way)
  local least = 0
  while arg[least - 1] do least = least - 1 end
  local output = io.popen(('"%s" tests/lua/interrupted.lua %s 2>&1'):format(arg[least], way))
  local text = output:read "*a"
  output:close()
  local inside, refused = text:match "^(%d+) inside, (%d+) refused\n$"
  assert.is_truthy(inside, text)
  return tonumber(inside), tonumber(refused)
end

describe("finalizers", function()
  for _, way in ipairs {"freed_move", "freed_step", "certificate", "impact_certificate"} do
    it("change nothing while something is told: " .. way, function()
      local _, refused = interrupt(way)
      assert.is_true(refused > 20, "refused: " .. refused)
    end)
  end

  for _, way in ipairs {"freed_asked", "move", "overlap"} do
    it("may free or restore a world that is about to be asked: " .. way, function()
      local inside = interrupt(way)
      assert.is_true(inside > 5, "inside: " .. inside)
    end)
  end

  -- The collector of Lua 5.2 takes its time: what it does comes before the call, or when nothing may be changed.
  for _, way in ipairs {"step", "nearest", "within", "pairs", "manifold"} do
    it("may restore it before a question, and not in the middle: " .. way, function()
      local inside, refused = interrupt(way)
      assert.is_true(inside + refused > 5, ("inside: %d, refused: %d"):format(inside, refused))
      assert.is_true(_VERSION == "Lua 5.2" or inside > 5, "inside: " .. inside)
    end)
  end
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
