-- A step of a platform game, in plain Lua: a player who runs, falls, lands, walks up a slope, takes a coin, and stops
-- at a wall; and a bullet, 1000 a second fast, that a door of a fiftieth stops. y points up. Prints:
--   frame   7: the bullet hits the door at x = 21.97
--   frame  30: lands on rock at (2.50, 1.50)
--   frame  59: takes the coin at (4.92, 1.50)
--   frame 183: at (14.50, 3.00) the wall stops him
--   garbage made by 240 frames: none
local graze = require "graze"

local world = graze.world()

-- The ground as one would draw it: flat, a slope, a plateau, a wall, and beyond it a pit. Any outline that does not
-- cross itself; holes, too.
local rock = graze.concave {-5, -1, 40, -1, 40, 12, 39, 12, 39, 0, 15.9, 0, 15.9, 9, 15, 9, 15, 2, 12, 2, 8, 0.5,
                            -5, 0.5}
world:add("rock", rock, 0, 0, {type = "static"})
world:add("coin", graze.circle(0.25), 5.6, 1.2, {type = "static", sensor = true})
world:add("door", graze.box(0.01, 2), 22, 10, {type = "static"})

local player, bullet = {vx = 5, vy = 0, grounded = false}, {}
world:add(player, graze.capsule2(0.5, 0.5), 0, 4, math.pi / 2) -- it stands: the core is along its own x
world:add(bullet, graze.circle(0.02), -80, 10)

local dt, gravity = 1 / 60, -20
local frame, contacts = 0, {}

-- What comes of meeting something: asked for everything that may be met on the way.
local function on_the_way(_, other)
  if other == "coin" then return "cross" end
  if other ~= bullet then return "slide" end -- and the bullet is ignored
end

local function tell(format, ...) print(("frame %3d: " .. format):format(frame, ...)) end

local function step()
  frame = frame + 1
  player.vy = player.vy + gravity * dt
  local x, y = world:pose(player)
  local count
  x, y, contacts, count = world:move(player, x + player.vx * dt, y + player.vy * dt, on_the_way, contacts)
  local grounded = false
  for i = 1, count do
    local c = contacts[i]
    if c.other == "coin" and not player.coin then
      player.coin = true
      tell("takes the coin at (%.2f, %.2f)", x, y)
    elseif c.type == "slide" and c.normal.y > 0.7 then -- something to stand on: its normal points at the player
      grounded, player.vy = true, 0
      if not player.landed then
        player.landed = true
        tell("lands on %s at (%.2f, %.2f)", c.other, x, y)
      end
    elseif c.type == "slide" and c.normal.x < -0.7 and not player.stopped then
      player.stopped = true
      tell("at (%.2f, %.2f) the wall stops him", x, y)
    end
  end
  player.grounded = grounded

  if world:has(bullet) then
    local bx, by = world:pose(bullet)
    local tx, _, met, n = world:move(bullet, bx + 1000 * dt, by, "touch", contacts)
    if n > 0 then
      tell("the bullet hits the %s at x = %.2f", met[n].other, tx)
      world:remove(bullet)
    end
  end
end

for _ = 1, 200 do step() end

-- Nothing above makes garbage once its tables are there; LuaJIT's compiler may take some memory.
collectgarbage()
collectgarbage "stop"
local before = collectgarbage "count"
for _ = 1, 240 do step() end
local made = collectgarbage "count" - before
print("garbage made by 240 frames: " .. (made < 8 and "none" or ("%.1f KB"):format(made)))
