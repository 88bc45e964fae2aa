-- Writes bump_moves.jsonl: what bump.lua itself does in random rooms. Run it in the project's folder, with bump.lua
-- (3.1.7, by Enrique García Cota) in LUA_PATH:   lua tests/lua/record_bump.lua >tests/lua/bump_moves.jsonl
local bump = require "bump"

local state = 12345
local function below(n)
  state = state * 16807 % 2147483647
  return state % n
end

local kinds = {"slide", "touch", "bounce", "cross"}

local function numbers(...)
  local list = {}
  for i, x in ipairs {...} do list[i] = ("%.17g"):format(x) end
  return "[" .. table.concat(list, ",") .. "]"
end

local function record(mixed)
  local world, boxes, player = bump.newWorld(64), {}, {}
  for i = 1, 20 do
    local x, y, w, h = below(400), below(400), 8 + below(60), 8 + below(60)
    world:add({kind = kinds[i % 4 + 1], number = i}, x, y, w, h)
    boxes[i] = numbers(x, y, w, h)
  end
  local x, y, met
  repeat
    x, y = below(400), below(400)
    met = select(2, world:queryRect(x - 1, y - 1, 18, 18))
  until met == 0
  world:add(player, x, y, 16, 16)
  local moves = {}
  for k = 1, 6 do
    local goal_x, goal_y = x + below(81) - 40, y + below(81) - 40
    local to_x, to_y, contacts = world:move(player, goal_x, goal_y, mixed and function(_, other) return other.kind end)
    local listed = {}
    for i, c in ipairs(contacts) do
      listed[i] = ('{"other":%d,"type":"%s","ti":%.17g,"normal":%s}'):format(c.other.number, c.type, c.ti,
                                                                              numbers(c.normal.x, c.normal.y))
    end
    moves[k] = ('{"from":%s,"goal":%s,"to":%s,"contacts":[%s]}'):format(numbers(x, y), numbers(goal_x, goal_y),
                                                                        numbers(to_x, to_y), table.concat(listed, ","))
    x, y = to_x, to_y
  end
  print(('{"mixed":%s,"boxes":[%s],"moves":[%s]}'):format(tostring(mixed), table.concat(boxes, ","),
                                                          table.concat(moves, ",")))
end

for i = 1, 40 do record(i % 2 == 0) end
