-- Reentrant calls: from finalizers, from metamethods of the caller's tables, and from callbacks in each other.
local graze, support = require "graze", require "support"

local function coins()
  local world = graze.world()
  world:add("player", graze.box(0.5, 0.5), 0, 0)
  for i = 1, 25 do world:add(i, graze.circle(0.2), i, 0, {velocity = {0, 0.01}, type = "dynamic"}) end
  return world
end

describe("a finalizer in the middle of a call", function()
  -- Its change is rejected while results are converted, precedes the query, or either.
  for rule, cases in pairs {
    ["is rejected"] = {"freed_move", "freed_step", "certificate", "cast_certificate"},
    ["comes before it"] = {"freed_query", "move", "overlap", "shape_at", "shape_margin", "shape_vertices",
                           "shape_faces", "shape_add", "shape_set", "shape_corners"},
    ["comes before it or is rejected"] = {"step", "nearest", "within", "pairs", "manifold", "contacts"},
  } do
    for _, case in ipairs(cases) do
      it(rule .. ": " .. case, function()
        local text = support.run("interrupted", case)
        local inside, rejected = text:match "^(%d+) inside, (%d+) rejected\n$"
        assert.is_truthy(inside, text)
        inside, rejected = tonumber(inside), tonumber(rejected)
        if rule == "is rejected" then
          assert.is_true(rejected > 20, text)
        elseif rule == "comes before it" then
          assert.is_true(inside > (case:find "^shape" and 0 or 5), text)
        else
          assert.is_true(inside + rejected > 5 and (_VERSION == "Lua 5.2" or inside > 5), text) -- 5.2 collects rarely
        end
      end)
    end
  end

  -- Whether an error of a finalizer propagates depends on the version of Lua; docs/lua.md describes it.
  it("raises its error out of a move, before Lua 5.4, and nothing has moved", function()
    local world, refusal = coins(), nil
    support.plant(function()
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
  local function respond(go)
    return function(f)
      world:add_response("deeper", function() f() end)
      world[go](world, "player", 30, 0, "deeper")
    end
  end

  for name, call in pairs {
    trace = function(f) graze.penetration(a, b, {trace = f}) end,
    intersect = function(f) graze.intersect(a, b, {trace = f}) end,
    sat = function(f) graze.sat(a, b, nil, f) end,
    accept = function(f) world:overlap(graze.box(50, 50):at(0, 0), f) end,
    coroutine = function(f) assert(coroutine.resume(coroutine.create(function() graze.sat(a, b, nil, f) end))) end,
    move = respond "move", check = respond "check",
  } do
    it("go 16 deep, and no deeper: " .. name, function()
      local depth, deepest = 0, 0
      local function deeper()
        depth = depth + 1
        deepest = math.max(deepest, depth)
        call(deeper)
        depth = depth - 1
      end
      for _ = 1, 3 do -- errors count down, too
        depth, deepest = 0, 0
        support.rejected("nested more than 16 deep", deeper)
        assert.are.equal(17, deepest)
      end
    end)
  end

  it("leave options free after a query that was rejected for its depth", function()
    local options, depth = graze.options {cache = true}, 0
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
