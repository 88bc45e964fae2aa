-- Measures the module, graze_sat.lua and, if LUA_PATH has it, bump.lua. Prints one line for each contestant: name,
-- calls per second (the best of five interleaved rounds). speed.sh makes the README's table.
local graze, sat, adapter = require "graze", require "graze_sat", require "graze.bump"
local has_bump, bump = pcall(require, "bump")

local state = 20261122
local function below(n)
  state = state * 16807 % 2147483647
  return state % n
end
local function real(range) return below(1000003) / 1000003 * range end

-- ---- Pairs: convex polygons of 3 … 8 vertices; about half of them intersect ----

local PAIRS = 512
local pairs_of = {}
for i = 1, PAIRS do
  local function make()
    local points = {}
    for k = 1, 12 do points[k] = {real(2), real(2)} end
    local _, report = graze.hull(points, 2)
    return report.vertices
  end
  local p, q, x, y, turn = make(), make(), real(2.4) - 1.2, real(2.4) - 1.2, real(6)
  pairs_of[i] = {a = graze.polygon(p):at(0, 0), b = graze.polygon(q):at(x, y, turn), p = sat.polygon(p),
                 q = sat.polygon(q):move_to(x, y, turn)}
end

local function each_pair(query)
  return function(count)
    for k = 1, count do
      local pair = pairs_of[k % PAIRS + 1]
      query(pair)
    end
  end
end

-- ---- Moves: 500 boxes of a tile map, and a player that moves randomly among them ----

local SIZE, MAP = 32, 64
local tiles = {}
for x = 0, MAP - 1 do
  for y = 0, MAP - 1 do
    if below(8) == 0 then tiles[#tiles + 1] = {x * SIZE, y * SIZE} end
  end
end

local goals = {}
for i = 1, 1024 do goals[i] = {real(16) - 8, real(16) - 8} end

local function walker(world, move, contacts)
  local x, y = 10, 10
  return function(count)
    for k = 1, count do
      local goal = goals[k % 1024 + 1]
      local gx, gy = x + goal[1], y + goal[2]
      if gx < 0 or gx > SIZE * MAP then gx = x - goal[1] end
      if gy < 0 or gy > SIZE * MAP then gy = y - goal[2] end
      x, y = move(world, "player", gx, gy, nil, contacts)
    end
  end
end

local function box_world(module)
  local world = module.newWorld(64)
  for i, t in ipairs(tiles) do
    if t[1] > 0 or t[2] > 0 then world:add(i, t[1], t[2], SIZE, SIZE) end
  end
  world:add("player", 10, 10, 14, 20)
  return walker(world, world.move)
end

local function graze_world(shape, angle)
  local world = graze.world()
  local tile = graze.box(SIZE / 2, SIZE / 2)
  for i, t in ipairs(tiles) do
    if t[1] > 0 or t[2] > 0 then world:add(i, tile, t[1] + SIZE / 2, t[2] + SIZE / 2, {type = "static"}) end
  end
  world:add("player", shape, 17, 20, angle)
  return walker(world, world.move, {})
end

local contestants = {
  {"pair: graze.intersect(a, b)", each_pair(function(p) return graze.intersect(p.a, p.b) end)},
  {"pair: graze.sat(a, b)", each_pair(function(p) return graze.sat(p.a, p.b) end)},
  {"pair: graze.distance(a, b)", each_pair(function(p) return graze.distance(p.a, p.b) end)},
  {"pair: graze_sat.lua meets(p, q)", each_pair(function(p) return sat.meets(p.p, p.q) end)},
  {"pair: graze_sat.lua sat(p, q)", each_pair(function(p) return sat.sat(p.p, p.q) end)},
  {"move: world:move, a box", graze_world(graze.box(7, 10), 0)},
  {"move: world:move, a capsule", graze_world(graze.capsule2(7, 3), math.pi / 2)},
  {"move: graze.bump", box_world(adapter)},
}
if has_bump then contestants[#contestants + 1] = {"move: bump.lua 3.1.7", box_world(bump)} end

-- ---- Rounds ----

local best = {}
for _ = 1, 5 do
  for i, c in ipairs(contestants) do
    local count, took = 2000
    repeat
      local begin = os.clock()
      c[2](count)
      took = os.clock() - begin
      count = count * 2
    until took > 0.1
    best[i] = math.max(best[i] or 0, count / 2 / took)
  end
end
for i, c in ipairs(contestants) do print(("%s\t%.0f"):format(c[1], best[i])) end
