-- Writes what bump.lua itself does: bump_moves.jsonl, in random rooms and where things fit exactly, and the results in
-- bump_calls.jsonl. Run it in the project's folder, with the module and bump.lua (3.1.7, by Enrique García Cota) in
-- LUA_CPATH and LUA_PATH:
--     lua5.4 tests/lua/record_bump.lua
local bump, json, lines, support = require "bump", require "dkjson", require "lines", require "support"

local below = support.generator(12345)
local calls = {}
local keys = {"why", "boxes", "calls", "returns", "item", "other", "type", "overlaps", "ti", "ti1", "ti2", "x", "y",
              "w", "h", "x1", "y1", "x2", "y2", "move", "normal", "touch", "slide", "bounce", "itemRect", "otherRect"}
for i, line in ipairs(lines.read "tests/lua/bump_calls.jsonl") do
  local case = line.question
  case.returns = support.bump_returns(bump, case)
  calls[i] = json.encode(case, {keyorder = keys}) .. "\n"
end
assert(io.open("tests/lua/bump_calls.jsonl", "w")):write(table.concat(calls)):close()
io.output "tests/lua/bump_moves.jsonl"

local kinds = {"slide", "touch", "bounce", "cross"}

local function numbers(...)
  local list = {}
  for i, x in ipairs {...} do list[i] = ("%.17g"):format(x) end
  return "[" .. table.concat(list, ",") .. "]"
end

-- A room in which 16 by 16 moves. response: one word for all, or "mixed". goals: pairs of numbers, or of steps from
-- where it is; `jumps` are where it starts anew before a goal.
local function record(response, boxes, x, y, goals, jumps)
  local world, player, listed_boxes, moves = bump.newWorld(64), {}, {}, {}
  for i, b in ipairs(boxes) do
    world:add({kind = kinds[i % 4 + 1], number = i}, b[1], b[2], b[3], b[4])
    listed_boxes[i] = numbers(b[1], b[2], b[3], b[4])
  end
  world:add(player, x, y, 16, 16)
  local function filter(_, other) return response == "mixed" and other.kind or response end
  for k, goal in ipairs(goals) do
    if jumps and jumps[k] then x, y = jumps[k][1], jumps[k][2] end
    world:update(player, x, y)
    local goal_x, goal_y = goal[1], goal[2]
    if goal.steps then goal_x, goal_y = x + goal_x, y + goal_y end
    local to_x, to_y, contacts = world:move(player, goal_x, goal_y, filter)
    local listed = {}
    for i, c in ipairs(contacts) do
      listed[i] = ('{"other":%d,"type":"%s","overlaps":%s,"ti":%.17g,"normal":%s,"touch":%s}'):format(
        c.other.number, c.type, tostring(c.overlaps), c.ti, numbers(c.normal.x, c.normal.y),
        numbers(c.touch.x, c.touch.y))
    end
    moves[k] = ('{"from":%s,"goal":%s,"to":%s,"contacts":[%s]}'):format(
      numbers(x, y), numbers(goal_x, goal_y), numbers(to_x, to_y), table.concat(listed, ","))
    x, y = to_x, to_y
  end
  io.write(('{"response":"%s","boxes":[%s],"moves":[%s]}\n'):format(response, table.concat(listed_boxes, ","),
                                                                    table.concat(moves, ",")))
end

-- ---- Random rooms: any whole numbers, or tiles ----

local function room(response, unit, step)
  local world, boxes, goals = bump.newWorld(64), {}, {}
  local function place() return below(400 // unit) * unit end
  for i = 1, 20 do
    local side = unit == 1 and 8 or unit
    boxes[i] = {place(), place(), side + below(60 // unit) * unit, side + below(60 // unit) * unit}
    world:add(i, boxes[i][1], boxes[i][2], boxes[i][3], boxes[i][4])
  end
  local apart = unit == 1 and 1 or 0
  local x, y
  repeat
    x, y = place(), place()
  until select(2, world:queryRect(x - apart, y - apart, 16 + 2 * apart, 16 + 2 * apart)) == 0
  for k = 1, 6 do
    goals[k] = {(below(80 // step + 1) - 40 // step) * step, (below(80 // step + 1) - 40 // step) * step, steps = true}
  end
  record(response, boxes, x, y, goals)
end

for i = 1, 40 do room(i % 2 == 0 and "mixed" or "slide", 1, 1) end
-- Tiles are all of a kind: of two that are met at the same time another may be the first.
for i = 1, 60 do room(i % 3 == 0 and "cross" or "slide", 16, 8) end

-- ---- Where things fit exactly ----

local function step(x, y) return {x, y, steps = true} end

-- A shaft as wide as the player, with a floor; into it from above, and out again.
local shaft = {{0, 0, 16, 160}, {32, 0, 16, 160}, {-160, 160, 480, 16}}
record("slide", shaft, 16, 64, {{16, 100}, {16, 200}, {40, 150}, {16, -40}, {0, 300}, {16, -16}, {16, 30}, {0, 90}})

-- Along a floor of tiles into a tunnel as high as the player, out at its other end, and down a step.
local tiles = {}
for i = 0, 9 do tiles[#tiles + 1] = {i * 16, 100, 16, 16} end
for i = 4, 7 do tiles[#tiles + 1] = {i * 16, 68, 16, 16} end
tiles[#tiles + 1] = {160, 132, 64, 16}
local walk = {}
for k = 1, 40 do walk[k] = step(5, k % 3 + 0.25) end
record("slide", tiles, 0, 60, walk)
for k = 1, 40 do walk[k] = step(-5.5, -0.5 * (k % 4)) end
record("slide", tiles, 200, 84, walk)

-- A wall of tiles: down along it, against it, up.
local wall = {}
for i = 0, 9 do wall[#wall + 1] = {64, i * 16, 16, 16} end
for k = 1, 20 do walk[k] = step(k % 2, 7.3) end
for k = 21, 40 do walk[k] = step(k % 4 * 0.3, -8) end
record("slide", wall, 48, 0, walk)

-- One box: to its corners from all around, by them, along its faces, to touching and away.
local box = {{64, 64, 32, 32}}
local goals, jumps = {}, {}
local function from(x, y, goal_x, goal_y) goals[#goals + 1], jumps[#goals + 1] = {goal_x, goal_y}, {x, y} end
for _, sx in ipairs {-1, 1} do
  for _, sy in ipairs {-1, 1} do
    local x, y = 72 + sx * 24, 72 + sy * 24 -- corner to corner
    from(x, y, x - sx * 8, y - sy * 8)
    from(x, y, x - sx * 8, y - sy * 4)
    from(x + sx * 8, y + sy * 8, x - sx * 16, y - sy * 16)
    from(x + sx * 16, y + sy * 8, x - sx * 16, y - sy * 8)
    from(x + sx * 8, y - sy * 8, x - sx * 8, y + sy * 8) -- by it
    from(x + sx * 8, y + sy * 8, x, y) -- to touching
    from(x, y, x + sx * 8, y - sy * 40) -- away
    from(x, y, x - sx * 40, y) -- along a face
    from(x, y, x, y - sy * 40)
    from(x, 72, x, 72 + sy * 3)
    from(x + sx * 4, 72, x, 72)
    from(x, 72, x - sx * 5, 72 + sy * 5)
    from(x, 72, x, 72)
  end
end
for _, response in ipairs(kinds) do record(response, box, 0, 0, goals, jumps) end
