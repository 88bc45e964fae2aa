-- The step function of a platform game in plain Lua. A player runs, falls, lands, walks up a slope, takes a coin and
-- stops at a wall. A door 0.02 thick stops a bullet with speed 1000. y points up. Prints:
--   frame   7: the bullet hits the door at x = 21.97
--   frame  30: lands on rock at (2.50, 1.50)
--   frame  59: takes the coin at (4.92, 1.50)
--   frame 183: stops at the wall at (14.50, 3.00)
--   garbage made by 240 frames: none
local graze = require "graze"

local world = graze.world()

-- The ground as one simple polygon: flat, a slope, a plateau, a wall, and a pit behind it. Holes are possible too.
local rock = graze.concave {-5, -1, 40, -1, 40, 12, 39, 12, 39, 0, 15.9, 0, 15.9, 9, 15, 9, 15, 2, 12, 2, 8, 0.5,
                            -5, 0.5}
world:add("rock", rock, 0, 0, {type = "static"})
world:add("coin", graze.circle(0.25), 5.6, 1.2, {type = "static", sensor = true})
world:add("door", graze.box(0.01, 2), 22, 10, {type = "static"})

local player, bullet = {vx = 5, vy = 0, grounded = false}, {}
world:add(player, graze.capsule2(0.5, 0.5), 0, 4, math.pi / 2) -- upright: its core lies along local x
world:add(bullet, graze.circle(0.02), -80, 10)

local dt, gravity = 1 / 60, -20
local frame, contacts = 0, {}

-- The filter chooses the response to each body on the path.
local function respond(_, other)
  if other == "coin" then return "cross" end
  if other ~= bullet then return "slide" end -- nil for the bullet: ignored
end

local function report(format, ...) print(("frame %3d: " .. format):format(frame, ...)) end

local function step()
  frame = frame + 1
  player.vy = player.vy + gravity * dt
  local x, y = world:pose(player)
  local count
  x, y, contacts, count = world:move(player, x + player.vx * dt, y + player.vy * dt, respond, contacts)
  local grounded = false
  for i = 1, count do
    local c = contacts[i]
    if c.other == "coin" and not player.coin then
      player.coin = true
      report("takes the coin at (%.2f, %.2f)", x, y)
    elseif c.type == "slide" and c.normal.y > 0.7 then -- ground: the normal points towards the player
      grounded, player.vy = true, 0
      if not player.landed then
        player.landed = true
        report("lands on %s at (%.2f, %.2f)", c.other, x, y)
      end
    elseif c.type == "slide" and c.normal.x < -0.7 and not player.stopped then
      player.stopped = true
      report("stops at the wall at (%.2f, %.2f)", x, y)
    end
  end
  player.grounded = grounded

  if world:has(bullet) then
    local bx, by = world:pose(bullet)
    local tx, _, met, n = world:move(bullet, bx + 1000 * dt, by, "touch", contacts)
    if n > 0 then
      report("the bullet hits the %s at x = %.2f", met[n].other, tx)
      world:remove(bullet)
    end
  end
end

for _ = 1, 200 do step() end

-- After the first frames nothing above makes garbage. The compiler of LuaJIT may allocate some memory.
collectgarbage()
collectgarbage "stop"
local before = collectgarbage "count"
for _ = 1, 240 do step() end
local made = collectgarbage "count" - before
print("garbage made by 240 frames: " .. (made < 8 and "none" or ("%.1f KB"):format(made)))
