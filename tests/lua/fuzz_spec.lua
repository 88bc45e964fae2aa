-- Random values at every function and every method: errors are fine, a crash is not. GRAZE_TIER=ci and soak do more.
-- Half of the calls have random arguments; the others are valid calls with one argument changed. Callbacks and
-- finalizers make calls of both kinds, and the metatables of some tables raise errors.
local graze = require "graze"
local support = require "support"

local CALLS = ({ci = 40000, soak = 1000000})[os.getenv "GRAZE_TIER"] or 20000

local outer_below = support.generator(20261122)
local below = outer_below
local function any(list) return list[1 + below(#list)] end

local spread = unpack or table.unpack

-- ---- Values ----

local function square() return graze.polygon {0, 0, 1, 0, 1, 1, 0, 1} end

-- Objects that are used by many calls, and replaced now and then.
local pool = {}
local function refill()
  pool = {
    shapes = {graze.circle(1), graze.box(1, 2), square(), graze.box(1, 1, 1), graze.sphere(1), graze.cone(1, 1),
              graze.halfspace(0, 1, 0), graze.concave {0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2}, graze.capsule2(1, 2),
              (graze.hull {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), graze.ellipse(1, 2), graze.cylinder(1, 1),
              graze.compound {graze.circle(1):at(0, 0), square():at(2, 0)},
              graze.mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 3, 2, 1, 2, 4, 1, 4, 3, 2, 3, 4}),
              graze.mesh2({0, 0, 4, 0, 4, 4}, {{1, 2}, {2, 3}, {3, 1}}, {surface = true})},
    placed = {}, worlds = {graze.world(), graze.world {dim = 3}}, answers = {graze.answer(), graze.answer()},
    results = {graze.cast_result(), graze.cast_result()},
    options = {graze.options {}, graze.options {cache = true}, graze.options {proof = true}},
  }
  for i, shape in ipairs(pool.shapes) do pool.placed[i] = shape:at() end
  for i, shape in ipairs(pool.shapes) do
    pool.placed[#pool.placed + 1] = shape:at(i, 0, shape:dim() == 3 and 0 or 0.5)
  end
  for _, world in ipairs(pool.worlds) do
    for i = 1, 4 do
      local shape = any(pool.shapes)
      pcall(world.add, world, i, shape, i, 0, shape:dim() == 3 and 0 or nil)
    end
  end
end

local throw, changed, deeper -- random calls, for functions that call back

local functions = {
  function() end,
  function() error "thrown" end,
  function() error({}) end,
  function(...) return ... end,
  function() return 1, 2, 3, 4 end,
  function() return "slide" end,
  function() return "bounce", {} end,
  function() return true end,
  function() return throw() end,
  function() return changed() end,
  function() return deeper() end,
  function(dx, dy) return dx, dy end,
  coroutine.yield,
  print and tostring,
}

local numbers = {0, 1, -1, 0.5, 2, 3, -0.25, 1e-320, 1e40, 1.1e40, -1e300, 1 / 0, -1 / 0, 0 / 0, 2 ^ 31, 2 ^ 53, 1e9, 7}
local words = {"", "slide", "touch", "auto", "gjk", "sat", "exact", "brute", "1", "static", ("x"):rep(100), "\0"}
local makers = {
  function() return nil end,
  function() return below(2) == 0 end,
  function() return any(numbers) end,
  function() return any(numbers) end,
  function() return below(20) - 10 end,
  function() return any(words) end,
  function() return any(functions) end,
  function() return any(pool.shapes) end,
  function() return any(pool.placed) end,
  function() return any(pool.placed) end,
  function() return any(pool.worlds) end,
  function() return any(pool.answers) end,
  function() return any(pool.results) end,
  function() return any(pool.options) end,
  function() return coroutine.create(function() end) end,
  function() return io.stdout end,
}

local keys = {"clearance", "method", "start", "proof", "cache", "trace", "velocity_a", "velocity_b", "t_max", "holes",
              "angular_velocity_a", "category", "mask", "except", "accept", "sensors", "velocity", "type", "response",
              "bytes", "items", "shapes", "dim", "spare", "x", "y", "z", 1, 2, 3, 4, "samples", "steps", "splitting",
              "surface", "intersections", "points"}

-- Metamethods that raise errors or make calls.
local metatables = {
  {__newindex = function() error "thrown" end},
  {__index = function() error "thrown" end, __newindex = function() error "thrown" end, __len = error, __pairs = error},
  {__index = function() return throw() end, __newindex = function() throw() end},
  {__metatable = false, __newindex = function() throw() end},
}

local function with_metatable(t)
  return below(8) == 0 and setmetatable(t, any(metatables)) or t
end

local function value(depth)
  if depth < 3 and below(4) == 0 then
    local t = {}
    if below(2) == 0 then
      for i = 1, below(7) do t[i] = value(depth + 1) end
    elseif below(2) == 0 then
      for i = 1, 2 * (2 + below(5)) do t[i] = below(9) - 4 end
    else
      for _ = 1, below(4) do t[any(keys)] = value(depth + 1) end
    end
    return with_metatable(t)
  end
  return any(makers)()
end

-- ---- Calls ----

-- The methods of a type: metatables are hidden, but not from the debug library. Answers have a function there.
local function methods_of(object)
  local index, methods = debug.getmetatable(object).__index, {}
  if type(index) == "table" then return index end
  for _, name in ipairs {"normal", "point_a", "point_b", "point", "position_a", "position_b", "certificate"} do
    local there, method = pcall(function() return object[name] end)
    methods[name] = there and method or nil
  end
  return methods
end

local called = {}
local function collect_functions()
  refill()
  local found = {}
  for name, f in pairs(graze) do found[#found + 1] = {name = name, f = f} end
  for kind, object in pairs {shape = pool.shapes[1], placed = pool.placed[1], answer = pool.answers[1],
                             result = pool.results[1], options = pool.options[1], world = pool.worlds[1]} do
    for name, f in pairs(methods_of(object)) do found[#found + 1] = {name = kind .. ":" .. name, f = f, of = kind} end
    for name, f in pairs(debug.getmetatable(object)) do
      if type(f) == "function" then found[#found + 1] = {name = kind .. "." .. name, f = f, of = kind} end
    end
  end
  table.sort(found, function(a, b) return a.name < b.name end)
  return found
end

local all = collect_functions()
local of = {shape = "shapes", placed = "placed", answer = "answers", result = "results", options = "options",
            world = "worlds"}

local MOST_DEPTH = 6
local finalizing = false
local depth, deepest = 0, 0

-- Calls f(), unless it is too deep; returns what pcall returns.
local function nested(f)
  if depth >= MOST_DEPTH then return nil end
  depth = depth + 1
  deepest = math.max(deepest, depth)
  local good, result = f()
  depth = depth - 1
  return good, result
end

function throw()
  return nested(function()
    local target = any(all)
    if (depth > 1 or finalizing) and target.name:find "__gc" then return nil end -- frees objects in use
    local arguments, count = {}, below(7)
    for i = 1, count do arguments[i] = value(0) end
    if target.of and below(4) > 0 then
      arguments[1] = any(pool[of[target.of]])
      if count == 0 then count = 1 end
    end
    called[target.name] = (called[target.name] or 0) + 1
    return pcall(target.f, spread(arguments, 1, count))
  end)
end

-- Valid calls.
local function templates()
  local p2, q2, p3, q3 = pool.placed[2], pool.placed[3], pool.placed[4], pool.placed[5]
  local w, f, any2 = pool.worlds[1], any(functions), any(pool.placed)
  local solid, ring = pool.placed[#pool.shapes - 1], pool.placed[#pool.shapes] -- meshes
  return {
    {graze.distance, 4, p2, q2, pool.options[1], pool.answers[1]}, {graze.intersect, 4, p3, q3, nil, pool.answers[2]},
    {graze.penetration, 4, p3, q3, {proof = true}, pool.answers[1]}, {graze.sat, 4, p2, q2, nil, f},
    {graze.gjk, 3, p2, q2, {trace = f}}, {graze.manifold, 5, p3, q3, {}, nil, pool.answers[1]},
    {graze.cast, 5, p2, q2, {velocity_a = {1, 0}}, nil, pool.results[1]}, {graze.minkowski, 3, p2, q2, "sum"},
    {graze.cast, 5, p3, q3, {velocity_a = {1, 0, 0}, angular_velocity_a = {0, 0, 1}}, {proof = true}, pool.results[2]},
    {graze.raycast, 6, p2, -5, 0, 1, 0, 100}, {graze.verify, 3, p2, q2, pool.answers[1]},
    {graze.verify_cast, 4, p3, q3, {velocity_a = {1, 0, 0}}, pool.results[2]},
    {graze.verify_cast, 4, p2, q2, {velocity_a = {1, 0}}, pool.results[1]},
    {graze.polygon, 1, {0, 0, 1, 0, 0, 1}},
    {graze.concave, 2, {0, 0, 9, 0, 9, 9, 0, 9}, {holes = {{3, 3, 3, 6, 6, 6}}}},
    {graze.decompose, 2, {0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2}, {splitting = "few"}},
    {graze.hull, 2, {{0, 0}, {1, 0}, {0, 1}}, 2},
    {graze.fit_box, 2, {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, "best"}, {graze.convexity, 1, {0, 0, 1, 0, 0, 1}},
    {graze.mesh, 3, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{1, 2, 3}}, {surface = true}},
    {graze.mesh2, 2, {0, 0, 1, 0, 1, 1}, {1, 2, 2, 3, 3, 1}}, {graze.contacts, 4, ring, p2, {}, {tolerance = 0.1}},
    {graze.validate_mesh, 3, {0, 0, 1, 0}, {{1, 2}, {2, 2}, {1, 9}}, {intersections = true}},
    {graze.contacts, 3, solid, p3, {}}, {graze.raycast_parts, 8, ring, -5, 1, 1, 0.1, 100, nil, {}},
    {graze.distance, 4, solid, q3, {proof = true}, pool.answers[1]}, {graze.distance, 3, any2, ring},
    {w.add, 6, w, {}, pool.shapes[#pool.shapes], 1, 2, 0.1},
    {graze.compound, 1, {p2, q2}}, {graze.user, 2, 2, f}, {graze.intersect_list, 2, p2, {q2, p2, q2}},
    {graze.options, 1, {clearance = 1, method = "gjk", start = {1, 0}}}, {any2.set_pose, 4, p2, 1, 2, 0.5},
    {w.add, 7, w, {}, pool.shapes[1], 1, 2, 0.1, {mass = 2, response = "slide"}}, {w.remove, 2, w, 1 + below(4)},
    {w.move, 6, w, 1 + below(4), below(20) - 10, 0, f, {}}, {w.step, 3, w, 0.1, {}}, {w.set, 3, w, 2, {mass = 3}},
    {w.overlap, 4, w, p2, f, {}}, {w.nearest, 6, w, p2, 10, 3, f, {}}, {w.raycast, 6, w, -9, 0, 1, 0, 50},
    {w.cast, 4, w, p2, {velocity = {5, 0}, angular_velocity = 1}, f}, {w.in_box, 5, w, -5, -5, 5, 5}, {w.pairs, 1, w},
    {w.restore, 2, w, w:count() > 0 and w:save() or w:save()}, {w.set_shape, 3, w, 3, pool.shapes[2]},
    {w.set_pose, 4, w, 2, 1, 1}, {w.set_velocity, 4, w, 2, 1, 1}, {w.closest_pairs, 3, w, 5, 10},
    {w.check, 5, w, 3, 1, 1, f}, {w.manifold, 3, w, 2, 3}, {w.placed, 3, w, 2, pool.placed[2]},
  }
end

function changed()
  return nested(function()
    local good, list = pcall(templates)
    if not good then return false end -- the world was freed
    local t = any(list)
    local arguments, count = {}, t[2]
    for i = 1, count do arguments[i] = type(t[i + 2]) == "table" and with_metatable(t[i + 2]) or t[i + 2] end
    if below(3) > 0 then arguments[1 + below(count)] = value(0) end
    return pcall(t[1], spread(arguments, 1, count))
  end)
end

-- A query that calls itself again from its callback.
function deeper()
  return nested(function()
    local a, b, world = any(pool.placed), any(pool.placed), pool.worlds[1]
    local kind = below(4)
    if kind == 0 then return pcall(graze.sat, a, b, nil, deeper) end
    if kind == 1 then return pcall(graze.penetration, a, b, {trace = deeper}) end
    if kind == 2 then return pcall(world.overlap, world, a, deeper) end
    return pcall(world.move, world, 1 + below(4), below(20) - 10, 0, deeper)
  end)
end

-- Finalizers that make random calls at any time, with random numbers of their own.
local finalized, resting, own_below = 0, false, support.generator(7)
local function finalizer()
  if resting then return end
  support.plant(finalizer)
  if finalizing then return end
  finalizing, below, finalized = true, own_below, finalized + 1
  if below(2) == 0 then throw() else changed() end
  if below(4) == 0 then pcall(any(pool.shapes).free, any(pool.shapes)) end
  finalizing, below = false, outer_below
end

describe("random values", function()
  teardown(function() resting = true end) -- otherwise finalizers never end

  it("cause no crash", function()
    local works, rejected = 0, 0
    for _ = 1, 20 do support.plant(finalizer) end
    for i = 1, CALLS do
      if i % 50 == 0 then
        finalizing = true -- not now
        refill()
        finalizing = false
      end
      if i % 977 == 0 then collectgarbage() end
      local good, result
      if i % 2 == 0 then good, result = throw() else good, result = changed() end
      if good then works = works + 1 else rejected = rejected + 1 end
      if not good and type(result) == "string" then
        assert.is_nil(result:find("attempt to index a nil value (field", 1, true), result)
      end
    end
    assert.is_true(works > 0.15 * CALLS and rejected > 0.3 * CALLS,
                   ("%d worked, %d were rejected"):format(works, rejected))
    for _, f in ipairs(all) do assert.is_truthy(called[f.name], f.name .. " was never called") end
    assert.is_true(finalized > 0.01 * CALLS, finalized .. " finalizers")
    assert.is_true(deepest >= 3, deepest .. " deep")
  end)

  it("leave a world consistent", function()
    local a, b = graze.box(0.5, 0.5, 0.5):at(0, 0, 0), graze.sphere(1):at(3, 0, 0)
    assert.are.equal(1.5, (graze.distance(a, b)))
    collectgarbage()
  end)
end)
