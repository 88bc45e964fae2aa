-- What the specs of worlds share.
local graze = require "graze"
local worlds = {}

function worlds.near(expected, value, slack)
  assert(math.abs(value - expected) <= (slack or 1e-3), ("%.17g is not %.17g"):format(value, expected))
end

-- A floor with its top at 0, a wall at x = 10 … 12, and a player.
function worlds.room()
  local world = graze.world()
  local player = {name = "player"}
  world:add("floor", graze.box(100, 1), 0, -1, {type = "static"})
  world:add("wall", graze.box(1, 10), 11, 10, {type = "static"})
  world:add(player, graze.box(0.5, 1), 0, 1.5)
  return world, player
end

-- A recipe of docs/lua.md, as it stands there after some words, as a function of what it uses, and what it makes.
function worlds.recipe(words, used, made)
  local file = assert(io.open "docs/lua.md")
  local source = file:read("*a"):match(words .. ".-```lua\n(.-)```")
  file:close()
  source = ("return function(%s) %s return %s end"):format(used, source, made)
  return assert((loadstring or load)(source))() -- luacheck: ignore
end

return worlds
