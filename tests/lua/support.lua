-- Functions shared by the specs.
local graze = require "graze"
local support = {}

-- The contents of a file of the project.
function support.read(path)
  local file = assert(io.open(path))
  local text = file:read "*a"
  file:close()
  return text
end

-- The output of a function that prints, as one string.
function support.printed(source, name)
  local lines = {}
  local environment = setmetatable({print = function(...)
    local words = {...}
    for i, word in ipairs(words) do words[i] = tostring(word) end
    lines[#lines + 1] = table.concat(words, "\t") .. "\n"
  end}, {__index = _G})
  support.compile(source, name, environment)()
  return table.concat(lines)
end

-- A chunk with its own globals, in every Lua.
function support.compile(source, name, environment)
  if not setfenv then return assert(load(source, "@" .. name, "t", environment)) end
  return setfenv(assert(loadstring(source, "@" .. name)), environment)
end

-- The results of calls, in order, as {n = count, result, …} of each. `names`: the globals of the calls.
function support.results(calls, names)
  local results, environment = {}, setmetatable(names, {__index = _G})
  local function pack(...) return {n = select("#", ...), ...} end
  for i, call in ipairs(calls) do results[i] = pack(support.compile("return " .. call, "calls", environment)()) end
  return results
end

-- The output of a program of tests/lua, run by the same interpreter. Inside busted the collector runs too rarely.
function support.run(program, argument)
  local least = 0
  while arg[least - 1] do least = least - 1 end
  local output = io.popen(('"%s" tests/lua/%s.lua %s 2>&1'):format(arg[least], program, argument))
  local text = output:read "*a"
  output:close()
  return text
end

function support.near(expected, value, slack)
  assert(math.abs(value - expected) <= (slack or 1e-3), ("%.17g is not %.17g"):format(value, expected))
end

-- Numbers up to rounding, in tables too.
function support.rounded(value)
  if type(value) == "number" then return math.floor(value * 2 ^ 30 + 0.25) / 2 ^ 30 end
  if type(value) ~= "table" then return value end
  local copy = {}
  for key, field in pairs(value) do copy[key] = support.rounded(field) end
  return copy
end

-- The message of a call that must fail. It contains all pieces.
function support.rejected(pieces, f, ...)
  local good, message = pcall(f, ...)
  assert(not good, "no error")
  for _, piece in ipairs(type(pieces) == "table" and pieces or {pieces}) do
    assert(tostring(message):find(piece, 1, true), ("%q lacks %q"):format(tostring(message), piece))
  end
  return message
end

-- A generator of whole numbers in 0 … n - 1 (Park, Miller 1988); doubles hold its state.
function support.generator(seed)
  return function(n)
    seed = seed * 16807 % 2147483647
    return seed % n
  end
end

-- The support function of a unit disk.
function support.disk(dx, dy)
  local length = math.sqrt(dx * dx + dy * dy)
  return dx / length, dy / length, 1e-15
end

function support.square(size) return graze.polygon {0, 0, size, 0, size, size, 0, size} end

function support.collect()
  for _ = 1, 4 do collectgarbage() end
end

-- A floor with its top at 0, a wall at x = 10 … 12, and a player.
function support.floor_and_wall()
  local world = graze.world()
  local player = {name = "player"}
  world:add("floor", graze.box(100, 1), 0, -1, {type = "static"})
  world:add("wall", graze.box(1, 10), 11, 10, {type = "static"})
  world:add(player, graze.box(0.5, 1), 0, 1.5)
  return world, player
end

-- A program of docs/lua.md, found by the text before it, as a function of `used` that returns `made`.
function support.recipe(words, used, made)
  local source = support.read("docs/lua.md"):match(words .. ".-```lua\n(.-)```")
  source = ("return function(%s) %s return %s end"):format(used, source, made)
  return assert((loadstring or load)(source))() -- luacheck: ignore
end

-- ---- Meshes ----

-- The vertices and triangles of a box, counter-clockwise from outside.
function support.box_faces(x, y, z)
  local vertices, triangles = {}, {}
  for i = 0, 7 do
    vertices[i + 1] = {i % 2 == 0 and -x or x, math.floor(i / 2) % 2 == 0 and -y or y, i < 4 and -z or z}
  end
  for _, q in ipairs {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}} do
    triangles[#triangles + 1] = {q[1], q[2], q[3]}
    triangles[#triangles + 1] = {q[1], q[3], q[4]}
  end
  return vertices, triangles
end

function support.box_mesh(x, y, z, options)
  local vertices, triangles = support.box_faces(x, y, z)
  return graze.mesh(vertices, triangles, options)
end

function support.square_mesh(size, options)
  return graze.mesh2({-size, -size, size, -size, size, size, -size, size}, {1, 2, 2, 3, 3, 4, 4, 1}, options)
end

-- A floor of n × n cells of two triangles each, 1 wide, at z = 0.
function support.floor_mesh(n)
  local vertices, triangles = {}, {}
  for i = 0, n do
    for k = 0, n do vertices[#vertices + 1] = {i - n / 2, k - n / 2, 0} end
  end
  for i = 0, n - 1 do
    for k = 1, n do
      local a, b = i * (n + 1) + k, (i + 1) * (n + 1) + k
      triangles[#triangles + 1] = {a, b, b + 1}
      triangles[#triangles + 1] = {a, b + 1, a + 1}
    end
  end
  return graze.mesh(vertices, triangles)
end

-- ---- bump ----

local kinds = {"slide", "touch", "bounce", "cross"}

-- Makes the moves of a line of bump_moves.jsonl with bump.lua or graze.bump; returns {to, contacts, count} of each.
function support.bump_moves(bump, case)
  local world, results, start = bump.newWorld(64), {}, case.moves[1].from
  for i, b in ipairs(case.boxes) do world:add(i, b[1], b[2], b[3], b[4]) end
  world:add("player", start[1], start[2], 16, 16)
  local function filter(_, other) return case.response == "mixed" and kinds[other % 4 + 1] or case.response end
  for i, m in ipairs(case.moves) do
    world:update("player", m.from[1], m.from[2])
    local x, y, contacts, count = world:move("player", m.goal[1], m.goal[2], case.response ~= "slide" and filter or nil)
    for k, c in ipairs(contacts) do
      contacts[k] = {other = c.other, type = c.type, overlaps = c.overlaps, ti = c.ti,
                     normal = {c.normal.x, c.normal.y}, touch = {c.touch.x, c.touch.y}}
    end
    results[i] = {to = {x, y}, contacts = contacts, count = count}
  end
  return results
end

-- Runs the calls of a case of bump_calls.jsonl with bump.lua or graze.bump; returns {n = count, result, …} of each.
function support.bump_returns(bump, case)
  local world, names = bump.newWorld(64), {bump = bump, rect = bump.rect, seen = {}}
  function names.sorted(items, count) -- the order of bump is that of a hash table
    table.sort(items)
    return items, count
  end
  function names.others(_, _, contacts, count)
    for i, c in ipairs(contacts) do contacts[i] = c.other .. " " .. c.type end
    return names.sorted(contacts, count)
  end
  names.world = world
  for _, box in ipairs(case.boxes) do world:add((unpack or table.unpack)(box)) end
  return support.results(case.calls, names)
end

-- ---- Finalizers ----

-- Garbage whose finalizer calls a function.
function support.plant(finalizer)
  if newproxy then
    getmetatable(newproxy(true)).__gc = finalizer
  else
    setmetatable({}, {__gc = finalizer})
  end
end

-- An eager collector runs at every allocation; otherwise the defaults apply.
local function set_collector(eager)
  if _VERSION == "Lua 5.4" then
    collectgarbage("incremental", eager and 1 or 200, eager and 1000 or 100, eager and 1 or 13)
  else
    collectgarbage("setpause", eager and 0 or 200)
    collectgarbage("setstepmul", eager and 1000000 or 200)
  end
end

-- Calls call(arm) repeatedly. After arm(harm, after), finalizers run at every allocation; after `after` of them, each
-- calls harm() until it succeeds. arm(nil) stops this. Ends after `enough` successes or if the call returns true.
-- Returns the number of successes.
function support.pester(enough, call)
  local harm, delay, over, done = nil, 0, false, 0
  local function finalizer()
    if over then return end
    support.plant(finalizer)
    if not harm then return end
    delay = delay - 1
    if delay < 0 and pcall(harm) then done, harm = done + 1, nil end
  end
  local function arm(f, after)
    harm = nil
    set_collector(f ~= nil)
    if f then collectgarbage() end -- or else the earlier pause still applies
    harm, delay = f, after or 0
  end
  for _ = 1, 3 do support.plant(finalizer) end
  for i = 1, 100000 do
    local noise = {("x"):rep(i % 97)} -- varies the state of the collector
    local ends = call(arm, noise)
    arm(nil)
    if ends or done >= enough then break end
  end
  over = true
  return done
end

return support
