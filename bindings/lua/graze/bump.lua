--- bump.lua's interface (3.1.7) over a Graze world: rectangles by their upper left corners, move, check, project,
-- queries. For games that have outgrown boxes but not their code: world.graze is the world itself, to which anything
-- can be added; docs/lua.md says what stands where.
--
--     local bump = require "graze.bump"
--     local world = bump.newWorld()
--
-- The same: what is crossed, what project() lists, where responses of your own lead (they run in bump's loop, and need
-- not return contacts). Items that have less than a billionth of their coordinates in common only touch, and what is
-- only touched is not crossed. Different: coordinates agree within a billionth (Graze keeps bodies apart by a hair, so
-- a gap as wide as an item is too narrow for it); slide, touch and bounce are told, too, where an item arrives exactly
-- at touching, or goes along a face or by a corner, and corners turn it aside; `ti` of an overlap is 0, not minus its
-- area, and overlaps are in another order; slide, touch and bounce leave a deep overlap by the shortest way; no cells.
local graze = require "graze"

local bump = {_VERSION = "graze.bump for bump v3.1.7"}

local World = {}
World.__index = World

--- The size of cells, bump's argument, is not needed.
function bump.newWorld()
  return setmetatable({graze = graze.world {skin = 1e-10}, rects = {}, shapes = {}, responses = {}}, World)
end

local function number(name, value, level)
  if type(value) ~= "number" or value ~= value or math.abs(value) > 1e40 then -- what Graze takes
    error(("%s: a number up to 1e40 in magnitude expected, got %s"):format(name, tostring(value)), level + 1)
  end
end

-- Equal boxes are one shape. Judges a rectangle, for the caller of the caller.
local function shape_of(world, x, y, w, h)
  number("x", x, 3)
  number("y", y, 3)
  number("w", w, 3)
  number("h", h, 3)
  if w <= 0 or h <= 0 then error(("w and h: positive numbers expected, got %g and %g"):format(w, h), 3) end
  local key = ("%.17g %.17g"):format(w, h)
  world.shapes[key] = world.shapes[key] or graze.box(w / 2, h / 2)
  return world.shapes[key]
end

local function rect_of(world, item)
  local rect = world.rects[item]
  if not rect then error(("item: %s is not in this world"):format(tostring(item)), 3) end
  return rect
end

-- ---- Items ----

function World:add(item, x, y, w, h)
  self.graze:add(item, shape_of(self, x, y, w, h), x + w / 2, y + h / 2, {type = "kinematic"})
  self.rects[item] = {x = x, y = y, w = w, h = h}
  return item
end

function World:remove(item)
  self.graze:remove(item)
  self.rects[item] = nil
end

function World:update(item, x, y, w, h)
  local rect = rect_of(self, item)
  w, h = w or rect.w, h or rect.h
  local shape = shape_of(self, x, y, w, h)
  self.graze:set_pose(item, x + w / 2, y + h / 2)
  if w ~= rect.w or h ~= rect.h then self.graze:set_shape(item, shape) end
  rect.x, rect.y, rect.w, rect.h = x, y, w, h
end

function World:hasItem(item) return self.graze:has(item) end

function World:countItems() return self.graze:count() end

function World:getItems()
  local items = self.graze:items()
  return items, #items
end

function World:getRect(item)
  local r = rect_of(self, item)
  return r.x, r.y, r.w, r.h
end

-- ---- Moving ----

local function copy(r) return {x = r.x, y = r.y, w = r.w, h = r.h} end

-- Where a segment enters a rectangle and leaves it, 0 … 1; nil: it does not, or touches it only (Liang, Barsky 1984).
local function clip(r, x1, y1, x2, y2)
  local t1, t2 = 0, 1
  local dx, dy = x2 - x1, y2 - y1
  local p, q = {-dx, dx, -dy, dy}, {x1 - r.x, r.x + r.w - x1, y1 - r.y, r.y + r.h - y1}
  for i = 1, 4 do
    if p[i] == 0 then
      if q[i] <= 0 then return nil end
    elseif p[i] < 0 then
      t1 = math.max(t1, q[i] / p[i])
    else
      t2 = math.min(t2, q[i] / p[i])
    end
  end
  if t1 < t2 then return t1, t2 end
end

-- Does a rectangle of the size of `rect`, on its way from one place to another, have an area in common with the other?
-- Less than a billionth of the coordinates is touching.
local function enters(rect, other, x1, y1, x2, y2)
  local w, h = rect.w, rect.h
  local hair = 1e-9 * math.max(math.abs(x1) + w, math.abs(y1) + h, math.abs(x2) + w, math.abs(y2) + h,
                               math.abs(other.x) + other.w, math.abs(other.y) + other.h)
  local room = {x = other.x - w + hair, y = other.y - h + hair, w = other.w + w - 2 * hair, h = other.h + h - 2 * hair}
  return clip(room, x1, y1, x2, y2) ~= nil
end

-- A contact of Graze with bump's fields, for a rectangle on its way to a goal.
local function finish(world, contact, rect, goal_x, goal_y)
  local other, n = world.rects[contact.other], contact.normal
  contact.ti = contact.t
  contact.move = {x = goal_x - rect.x, y = goal_y - rect.y}
  contact.touch = {x = contact.touch.x - rect.w / 2, y = contact.touch.y - rect.h / 2}
  contact.itemRect, contact.otherRect = copy(rect), copy(other or rect)
  if contact.type ~= "cross" or not other then return end
  if n.x ~= 0 and n.y ~= 0 then n.x, n.y = n.x > 0 and 1 or -1, 0 end -- corner to corner; bump takes the side, too
  if contact.overlaps then -- beside the other, as the normal says
    contact.touch = {x = n.x > 0 and other.x + other.w or n.x < 0 and other.x - rect.w or rect.x,
                     y = n.y > 0 and other.y + other.h or n.y < 0 and other.y - rect.h or rect.y}
  end
end

local turns = {slide = 1, bounce = 2}

-- Where a slide or a bounce leads.
local function turned(contact, goal_x, goal_y, times)
  local n, touch = contact.normal, contact.touch
  local into = times * ((goal_x - touch.x) * n.x + (goal_y - touch.y) * n.y)
  return {x = goal_x - into * n.x, y = goal_y - into * n.y}
end

-- The contacts with bump's fields, but for things crossed that the rectangle only touches, all the way to x, y.
local function told(world, contacts, rect, goal_x, goal_y, x, y)
  local crosses, way, last_leg, kept = false, {rect}, {}, {}
  for i, contact in ipairs(contacts) do
    finish(world, contact, rect, goal_x, goal_y)
    last_leg[i] = #way
    local times, touch = turns[contact.type], contact.touch
    if times then
      local to = turned(contact, goal_x, goal_y, times)
      contact[contact.type], goal_x, goal_y = to, to.x, to.y
      rect = {x = touch.x, y = touch.y, w = rect.w, h = rect.h}
    end
    if contact.type == "cross" then crosses = true else way[#way + 1] = touch end
  end
  if not crosses then return contacts end
  way[#way + 1] = {x = x, y = y}
  for i, contact in ipairs(contacts) do
    local other = world.rects[contact.other]
    local met = contact.type ~= "cross" or not other
    for leg = last_leg[i], #way - 1 do
      met = met or enters(rect, other, way[leg].x, way[leg].y, way[leg + 1].x, way[leg + 1].y)
    end
    if met then kept[#kept + 1] = contact end
  end
  return kept
end

local function slides() return "slide" end

-- For Graze, responses of the caller's are crossings; their names go into `own`.
local function chooser(self, filter, own)
  if filter == slides and not self.responses.slide then return nil end -- Graze slides if not asked
  return function(item, other)
    local name = filter(item, other)
    if name == nil or not self.responses[name] then return name end
    own[other] = name
    return "cross"
  end
end

-- Graze's own move, by its check().
local function try(self, item, rect, goal_x, goal_y, choose)
  local contacts, half_w, half_h = {}, rect.w / 2, rect.h / 2
  local cx, cy = goal_x + half_w, goal_y + half_h
  local x, y = self.graze:check(item, cx, cy, choose, contacts)
  contacts.spare = nil
  x, y = x == cx and goal_x or x - half_w, y == cy and goal_y or y - half_h
  return x, y, told(self, contacts, rect, goal_x, goal_y, x, y)
end

-- bump's loop: each response says where to go on to, and what is met on that way.
local function respond(self, item, rect, goal_x, goal_y, filter)
  local met, visited = {}, {}
  local function others(moved, other) return not visited[other] and filter(moved, other) end
  local contacts, count = self:project(item, rect.x, rect.y, rect.w, rect.h, goal_x, goal_y, others)
  while count > 0 do
    local contact = contacts[1]
    met[#met + 1], visited[contact.other] = contact, true
    local response, touch = self.responses[contact.type] or bump.responses[contact.type], contact.touch
    if not response then error(("filter: %s is no response"):format(tostring(contact.type)), 0) end
    goal_x, goal_y, contacts, count = response(self, contact, rect.x, rect.y, rect.w, rect.h, goal_x, goal_y, others)
    if not goal_x then return touch.x, touch.y, met end
    if not contacts then
      contacts, count = self:project(item, touch.x, touch.y, rect.w, rect.h, goal_x, goal_y, others)
    end
    count = count or #contacts
  end
  return goal_x, goal_y, met
end

-- The function that a filter is: a word counts for all.
local function filter_of(filter)
  if filter == nil then return slides end
  if type(filter) == "function" then return filter end
  return function() return filter end
end

function World:check(item, goal_x, goal_y, filter)
  local rect, own = rect_of(self, item), {}
  goal_x, goal_y, filter = goal_x or rect.x, goal_y or rect.y, filter_of(filter)
  local x, y, contacts = try(self, item, rect, goal_x, goal_y, chooser(self, filter, own))
  for _, contact in ipairs(contacts) do
    if own[contact.other] then
      x, y, contacts = respond(self, item, copy(rect), goal_x, goal_y, filter)
      break
    end
  end
  return x, y, contacts, #contacts
end

function World:move(item, goal_x, goal_y, filter)
  local x, y, contacts, count = self:check(item, goal_x, goal_y, filter)
  local rect = self.rects[item]
  if rect then -- a response may have removed it
    self.graze:set_pose(item, x + rect.w / 2, y + rect.h / 2)
    rect.x, rect.y = x, y
  end
  return x, y, contacts, count
end

--- All that a rectangle of the caller's meets on the straight way to a goal, in order; responses are not asked. The
-- item itself, if it is one of the world's, is not met.
function World:project(item, x, y, w, h, goal_x, goal_y, filter)
  local guest, names, contacts = {}, {}, {}
  goal_x, goal_y, filter = goal_x or x, goal_y or y, filter_of(filter)
  shape_of(self, x, y, w, h)
  self:add(guest, x, y, w, h)
  local function others(_, other)
    if other == item then return false end
    local name = filter(item, other)
    names[other] = name
    return name and name ~= "ignore" and "cross"
  end
  local good, fault = pcall(self.graze.check, self.graze, guest, goal_x + w / 2, goal_y + h / 2, others, contacts)
  local rect = self.rects[guest]
  self:remove(guest)
  if not good then error(fault, 0) end
  contacts = told(self, contacts, rect, goal_x, goal_y, goal_x, goal_y)
  for _, contact in ipairs(contacts) do contact.item, contact.type = item, names[contact.other] end
  return contacts, #contacts
end

--- What a filter may return: response(world, contact, x, y, w, h, goal_x, goal_y, filter) returns where to go on to,
-- the contacts on that way and their count, mostly from project().
function World:addResponse(name, response) self.responses[name] = response end

-- The responses, to be called from others.
bump.responses = {}

function bump.responses.touch(_, contact) return contact.touch.x, contact.touch.y, {}, 0 end

function bump.responses.cross(world, contact, x, y, w, h, goal_x, goal_y, filter)
  return goal_x, goal_y, world:project(contact.item, x, y, w, h, goal_x, goal_y, filter)
end

local function turn(world, contact, to, w, h, filter)
  return to.x, to.y, world:project(contact.item, contact.touch.x, contact.touch.y, w, h, to.x, to.y, filter)
end

function bump.responses.slide(world, contact, _, _, w, h, goal_x, goal_y, filter)
  contact.slide = turned(contact, goal_x, goal_y, 1)
  return turn(world, contact, contact.slide, w, h, filter)
end

function bump.responses.bounce(world, contact, _, _, w, h, goal_x, goal_y, filter)
  contact.bounce = turned(contact, goal_x, goal_y, 2)
  return turn(world, contact, contact.bounce, w, h, filter)
end

-- ---- Queries ----

-- Those of the items that pass; with their rectangles.
local function pick(self, items, filter, test)
  local found = {}
  for _, item in ipairs(items) do
    local rect = self.rects[item]
    if rect and (not filter or filter(item)) and test(rect) then found[#found + 1] = item end
  end
  return found, #found
end

function World:queryPoint(x, y, filter)
  return pick(self, self.graze:at_point(x, y), filter,
              function(r) return x > r.x and x < r.x + r.w and y > r.y and y < r.y + r.h end)
end

function World:queryRect(x, y, w, h, filter)
  return pick(self, self.graze:in_box(x, y, x + w, y + h), filter,
              function(r) return x < r.x + r.w and r.x < x + w and y < r.y + r.h and r.y < y + h end)
end

function World:querySegmentWithCoords(x1, y1, x2, y2, filter)
  local infos = {}
  for _, item in ipairs(self.graze:overlap(graze.segment(x1, y1, x2, y2):at(0, 0))) do
    local rect = self.rects[item]
    local t1, t2
    if rect and (not filter or filter(item)) then t1, t2 = clip(rect, x1, y1, x2, y2) end
    if t1 then
      local dx, dy = x2 - x1, y2 - y1
      infos[#infos + 1] = {item = item, ti1 = t1, ti2 = t2, x1 = x1 + dx * t1, y1 = y1 + dy * t1, x2 = x1 + dx * t2,
                           y2 = y1 + dy * t2}
    end
  end
  table.sort(infos, function(a, b) return a.ti1 < b.ti1 end)
  return infos, #infos
end

function World:querySegment(x1, y1, x2, y2, filter)
  local infos, count = self:querySegmentWithCoords(x1, y1, x2, y2, filter)
  local items = {}
  for i = 1, count do items[i] = infos[i].item end
  return items, count
end

return bump
