-- A small game for LÖVE: rock with overhangs, a floating arch, a player who runs and jumps, coins, a spinning bar, and
-- bullets that move 10 tiles per frame. README.md explains how to start it.
--
-- GRAZE_SHOT=file.png plays 150 frames without input, writes a picture, prints the events, and quits.
local graze = require "graze"

local TILE = 30 -- pixels; all other lengths are in tiles, y points down as in LÖVE
local world = graze.world()

-- ---- The level ----

-- The rock is the border without the air: one polygon with a hole, which graze.concave() decomposes.
local border = {0, 0, 32, 0, 32, 18, 0, 18}
local air = {1, 1, 31, 1, 31, 16, 26, 16, 23, 14, 20, 14, 20, 12.5, 18.6, 12.5, 18.6, 15, 17, 16, 11, 16, 10, 14.6,
             7.5, 14.6, 6, 16, 3, 16, 1, 13}
local rock = graze.concave(border, {holes = {air}})
world:add("rock", rock, 0, 0, {type = "static"})
world:add("arch", graze.concave {0, 0, 5, 0, 5, 3, 4, 3, 4, 1.2, 3, 0.8, 2, 0.8, 1, 1.2, 1, 3, 0, 3}, 11.5, 8,
          {type = "static"})
world:add("pane", graze.box(0.01, 1.5), 29.5, 6, {type = "static"})
world:add("bar", graze.box(2, 0.15), 24, 8.5, {type = "kinematic", angular_velocity = 1.5})

local coins = {}
for i, position in ipairs {{4.5, 15.3}, {8.7, 13.8}, {14, 15.3}, {14, 7.4}, {19.3, 11.8}, {24, 15.2}} do
  coins[i] = {coin = true}
  world:add(coins[i], graze.circle(0.25), position[1], position[2], {type = "static", sensor = true})
end

-- ---- The player ----

local player = {vx = 0, vy = 0, coins = 0, grounded = false, wants_jump = 0}
world:add(player, graze.capsule2(0.4, 0.5), 2.5, 11, math.pi / 2) -- upright: its core lies along local x

local function respond(_, other)
  if type(other) == "table" and other.coin then return "cross" end
  if type(other) == "table" and other.bullet then return "ignore" end
  return "slide"
end

local contacts, log = {}, {}
local function report(format, ...) log[#log + 1] = format:format(...) end

-- Accelerates and moves the player, and removes the velocity into each contact.
local function move_player(dt, run, jump)
  player.vx = player.vx + math.max(-60 * dt, math.min(60 * dt, run * 7 - player.vx))
  player.vy = player.vy + 30 * dt
  if jump and player.grounded then player.vy = -14 end
  local x, y = world:pose(player)
  local _, _, _, count = world:move(player, x + player.vx * dt, y + player.vy * dt, respond, contacts)
  player.grounded = false
  for i = 1, count do
    local c = contacts[i]
    if c.type == "cross" then
      world:remove(c.other)
      player.coins = player.coins + 1
      report("coin %d at %.1f, %.1f", player.coins, world:pose(player))
    else
      local into = player.vx * c.normal.x + player.vy * c.normal.y
      if into < 0 then player.vx, player.vy = player.vx - into * c.normal.x, player.vy - into * c.normal.y end
      if c.normal.y < -0.6 then player.grounded = true end
    end
  end
end

-- ---- Bullets ----

local bullets, hits = {}, {}
local pellet = graze.circle(0.06)

local function shoot(x, y, direction)
  local bullet = {bullet = true, direction = direction}
  bullets[#bullets + 1] = bullet
  world:add(bullet, pellet, x, y)
end

local function respond_to_bullet(bullet, other)
  if other == player or (type(other) == "table" and (other.coin or other.bullet)) then return "ignore" end
  return bullet and "touch"
end

local function move_bullets(dt)
  for i = #bullets, 1, -1 do
    local bullet = bullets[i]
    local x, y = world:pose(bullet)
    local displacement = bullet.direction * 600 * dt -- 10 tiles per frame
    local nx, ny, _, count = world:move(bullet, x + displacement, y, respond_to_bullet, contacts)
    if count > 0 then
      hits[#hits + 1] = {x = x, y = y, to_x = nx, to_y = ny}
      report("bullet hits the %s at %.2f, %.2f", tostring(contacts[count].other), nx, ny)
      world:remove(bullet)
      table.remove(bullets, i)
    end
  end
end

-- ---- Frames ----

local shot = os.getenv "GRAZE_SHOT"
local frame, lag, deepest = 0, 0, 0

-- The overlap with the static bodies. The bar may push into the player.
local function depth_of_player()
  local me = world:placed(player)
  for _, name in ipairs {"rock", "arch", "pane"} do
    deepest = math.max(deepest, graze.penetration(me, world:placed(name)) or 0)
  end
end

local function tick(dt)
  frame = frame + 1
  local run, jump = 0
  if shot then
    run, jump = 1, frame % 45 == 20
    if frame == 60 or frame == 149 then shoot(2, 6, 1) end
  else
    if love.keyboard.isDown "left" then run = run - 1 end
    if love.keyboard.isDown "right" then run = run + 1 end
    player.wants_jump = math.max(0, player.wants_jump - dt)
    jump = player.wants_jump > 0
  end
  world:step(dt) -- turns the bar
  move_player(dt, run, jump)
  move_bullets(dt)
  depth_of_player()
end

function love.update(dt)
  lag = math.min(lag + (shot and 1 / 60 or dt), 0.1)
  while lag >= 1 / 60 - 1e-9 do
    lag = lag - 1 / 60
    tick(1 / 60)
  end
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  if key == "space" or key == "up" then player.wants_jump = 0.1 end
  if key == "x" then
    local x, y = world:pose(player)
    shoot(x, y, player.vx < 0 and -1 or 1)
  end
end

-- ---- Drawing ----

local corners = {}
local function draw_parts(item)
  local placed = world:placed(item)
  for i = 1, placed:part_count() do love.graphics.polygon("fill", placed:part(i):corners(corners)) end
end

local function draw_player()
  local x, y = world:pose(player)
  love.graphics.setColor(1, 0.8, 0.3)
  love.graphics.rectangle("fill", x - 0.4, y - 0.9, 0.8, 1.8, 0.4, 0.4, 12)
  love.graphics.setColor(0.1, 0.1, 0.15)
  love.graphics.circle("fill", x + (player.vx < 0 and -0.15 or 0.15), y - 0.5, 0.1)
end

function love.draw()
  love.graphics.clear(0.13, 0.16, 0.24)
  love.graphics.push()
  love.graphics.scale(TILE)
  love.graphics.setColor(0.36, 0.33, 0.38)
  draw_parts "rock"
  love.graphics.setColor(0.52, 0.45, 0.4)
  draw_parts "arch"
  love.graphics.setColor(0.55, 0.75, 0.9)
  love.graphics.setLineWidth(0.1) -- the pane is 0.02 thick: less than a pixel
  love.graphics.line(29.5, 4.5, 29.5, 7.5)
  love.graphics.setColor(0.85, 0.4, 0.35)
  draw_parts "bar"
  love.graphics.setColor(1, 0.9, 0.3)
  for _, coin in ipairs(coins) do
    if world:has(coin) then
      local x, y = world:pose(coin)
      love.graphics.circle("fill", x, y, 0.25, 24)
    end
  end
  draw_player()
  love.graphics.setColor(1, 0.5, 0.2)
  love.graphics.setLineWidth(0.06)
  for i = math.max(1, #hits - 3), #hits do
    local hit = hits[i]
    love.graphics.line(hit.x, hit.y, hit.to_x, hit.to_y)
    love.graphics.circle("fill", hit.to_x, hit.to_y, 0.14, 16)
  end
  for _, bullet in ipairs(bullets) do
    local x, y = world:pose(bullet)
    love.graphics.circle("fill", x, y, 0.1, 16)
  end
  love.graphics.pop()
  love.graphics.setColor(1, 1, 1)
  love.graphics.print(("coins %d   arrows run, space jumps, x shoots"):format(player.coins), 40, 8)
  if shot and frame >= 150 then
    local path = shot
    shot = nil
    love.graphics.captureScreenshot(function(image)
      local file = assert(io.open(path, "wb"))
      file:write(image:encode("png"):getString())
      file:close()
      print(table.concat(log, "\n"))
      print(("player at %.2f, %.2f with %d coins; deepest overlap %g"):format((world:pose(player)),
            (select(2, world:pose(player))), player.coins, deepest))
      love.event.quit()
    end)
  end
end
