--- bump.lua's interface (3.1.7) over a Graze world: rectangles by their upper left corners, move, check, project,
-- queries. For games that have outgrown boxes but not their code: world.graze is the world itself, to which anything
-- can be added; docs/lua.md says what stands where.
--
--     local bump = require "graze.bump"
--     local world = bump.newWorld()
--
-- What is different: coordinates agree within a billionth (Graze keeps bodies apart by a hair, so a gap as wide as an
-- item is too narrow for it); there are no cells. A response of your own returns where to go on to, and need not return
-- contacts.
local graze = require "graze"

local bump = {_VERSION = "graze.bump for bump v3.1.7"}

local World = {}
World.__index = World

--- The size of cells, bump's argument, is not needed.
function bump.newWorld()
  return setmetatable({graze = graze.world {skin = 1e-10}, rects = {}, shapes = {}, responses = {}}, World)
end

-- Equal boxes are one shape.
local function shape_of(world, w, h)
  if type(w) ~= "number" or type(h) ~= "number" or not (w > 0 and h > 0) then
    error(("w and h: positive numbers expected, got %s and %s"):format(tostring(w), tostring(h)), 3)
  end
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
  self.graze:add(item, shape_of(self, w, h), x + w / 2, y + h / 2, {type = "kinematic"})
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
  if w ~= rect.w or h ~= rect.h then self.graze:set_shape(item, shape_of(self, w, h)) end
  self.graze:set_pose(item, x + w / 2, y + h / 2)
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

-- A contact with bump's fields added. The path that is left is what the response went on from.
local function finish(world, contact, start, goal_x, goal_y)
  local r, n = start, contact.normal
  contact.ti = contact.t
  contact.move = {x = goal_x - r.x, y = goal_y - r.y}
  contact.touch = {x = contact.touch.x - r.w / 2, y = contact.touch.y - r.h / 2}
  contact.itemRect, contact.otherRect = copy(r), copy(world.rects[contact.other] or r)
  local left_x, left_y = goal_x - contact.touch.x, goal_y - contact.touch.y
  local into = left_x * n.x + left_y * n.y
  if contact.type == "slide" then
    contact.slide = {x = goal_x - into * n.x, y = goal_y - into * n.y}
  elseif contact.type == "bounce" then
    contact.bounce = {x = goal_x - 2 * into * n.x, y = goal_y - 2 * into * n.y}
  end
  return contact
end

local function run(self, method, item, goal_x, goal_y, filter)
  local rect, contacts = rect_of(self, item), {}
  local cx, cy = goal_x + rect.w / 2, goal_y + rect.h / 2
  self.goal = {x = goal_x, y = goal_y, filter = filter}
  local x, y, _, count = self.graze[method](self.graze, item, cx, cy, filter, contacts)
  contacts.spare = nil
  for _, contact in ipairs(contacts) do finish(self, contact, rect, goal_x, goal_y) end
  x, y = x == cx and goal_x or x - rect.w / 2, y == cy and goal_y or y - rect.h / 2
  return x, y, contacts, count
end

function World:move(item, goal_x, goal_y, filter)
  local x, y, contacts, count = run(self, "move", item, goal_x, goal_y, filter)
  local rect = self.rects[item]
  if rect then rect.x, rect.y = x, y end
  return x, y, contacts, count
end

function World:check(item, goal_x, goal_y, filter) return run(self, "check", item, goal_x, goal_y, filter) end

--- As check(), from a rectangle of the caller's; the item itself, if it is one of the world's, is not met.
function World:project(item, x, y, w, h, goal_x, goal_y, filter)
  local guest, known = {}, self.rects[item] ~= nil
  self:add(guest, x, y, w, h)
  local function others(_, other)
    if known and other == item then return false end
    if filter then return filter(item, other) end
    return "slide"
  end
  local good, _, _, contacts, count = pcall(run, self, "check", guest, goal_x, goal_y, others)
  self:remove(guest)
  if not good then error(_, 2) end
  for _, contact in ipairs(contacts) do contact.item = item end
  return contacts, count
end

function World:addResponse(name, response)
  self.graze:add_response(name, function(_, contact)
    local rect, goal = self.rects[contact.item], self.goal
    local bumped = finish(self, {item = contact.item, other = contact.other, type = name, t = contact.t,
                                 overlaps = contact.overlaps, normal = contact.normal, touch = contact.touch},
                          rect, goal.x, goal.y)
    local x, y = response(self, bumped, rect.x, rect.y, rect.w, rect.h, goal.x, goal.y, goal.filter)
    if x then return x + rect.w / 2, y + rect.h / 2 end
  end)
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
