--- bump.lua's interface (3.1.7) over a Graze world: rectangles by their upper left corners, move, check, project,
-- queries. For games that have outgrown boxes but not their code: world.graze is the world itself, to which anything
-- can be added; docs/lua.md says what stands where.
--
--     local bump = require "graze.bump"
--     local world = bump.newWorld()
--
-- Graze keeps bodies a skin apart. So its boxes are smaller than the rectangles, by half a skin, 2^-21, on every side:
-- rectangles that touch are boxes at their distance, and a gap exactly as wide as an item lets it through.
--
-- Different from bump: what has less than a skin in common only touches; slide, touch and bounce leave an overlap by
-- the shortest way; a wall that was met before still stops; of two that are met at the same time either may be the one
-- that is told; no moves in filters; a move without a goal is one to where the item is; no cells. Where x, y and the
-- way come to more than 2^16, Graze's skin is wider, and a gap as wide as an item too narrow.
local graze = require "graze"

local bump = {_VERSION = "graze.bump for bump v3.1.7"}

local abs, huge, max, min = math.abs, math.huge, math.max, math.min
local SKIN = 2 ^ -20
local NEAR = 16 * SKIN -- Graze stops so near to where bump does: what comes in flat stops early

-- ---- Mistakes ----

local here = debug.getinfo(1, "S").source
local World = {}
World.__index = World

local function name_of(method)
  for name, f in pairs(World) do
    if f == method then return name .. ": " end
  end
  return ""
end

-- In the name of the line that called this file, and of what it called.
local function fail(text, ...)
  local level, called = 2, nil
  local frame = debug.getinfo(level, "Sf")
  while frame and (frame.source == here or frame.what == "tail") do
    level, called = level + 1, frame.func
    frame = debug.getinfo(level, "Sf")
  end
  error(name_of(called) .. text:format(...), level)
end

local function describe(value)
  local kind = type(value)
  if kind == "string" then return '"' .. value .. '"' end
  if value ~= value then return "nan" end -- it may be printed with a sign
  return (kind == "number" or kind == "boolean" or kind == "nil") and tostring(value) or "a " .. kind
end

local function number(name, value)
  if type(value) ~= "number" or value ~= value or abs(value) > 1e38 then -- sums of which Graze takes
    fail("%s: a number up to 1e38 in magnitude expected, got %s", name, describe(value))
  end
end

local function rectangle(x, y, w, h)
  number("x", x)
  number("y", y)
  number("w", w)
  number("h", h)
  if w <= 0 or h <= 0 then fail("w and h: positive numbers expected, got %g and %g", w, h) end
end

-- ---- Rectangles, as bump has them ----

local rect = {}
bump.rect = rect

local function sign(x) return x > 0 and 1 or x < 0 and -1 or 0 end

local function nearest(x, a, b) return abs(a - x) < abs(b - x) and a or b end

function rect.getNearestCorner(x, y, w, h, px, py) return nearest(px, x, x + w), nearest(py, y, y + h) end

-- When something that goes by d in a unit of time is between two places; nil: never.
local function between(from, d, low, high)
  if d > 0 then return (low - from) / d, (high - from) / d end
  if d < 0 then return (high - from) / d, (low - from) / d end
  if low < from and from < high then return -huge, huge end
end

--- Where a segment enters a rectangle and leaves it, ti1 … ti2 at most, and the normals there (Liang, Barsky 1984).
function rect.getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, ti1, ti2)
  ti1, ti2 = ti1 or 0, ti2 or 1
  local dx, dy = x2 - x1, y2 - y1
  local in_x, out_x = between(x1, dx, x, x + w)
  local in_y, out_y = between(y1, dy, y, y + h)
  if not in_x or not in_y then return nil end
  local nx1, ny1, nx2, ny2 = 0, 0, 0, 0
  if in_x > ti1 then ti1, nx1 = in_x, -sign(dx) end
  if in_y > ti1 then ti1, nx1, ny1 = in_y, 0, -sign(dy) end
  if out_x < ti2 then ti2, nx2 = out_x, sign(dx) end
  if out_y < ti2 then ti2, nx2, ny2 = out_y, 0, sign(dy) end
  if ti1 > ti2 then return nil end
  return ti1, ti2, nx1, ny1, nx2, ny2
end

--- Where the second is, seen from the first: the rectangle of the first's ways to touch it.
function rect.getDiff(x1, y1, w1, h1, x2, y2, w2, h2) return x2 - x1 - w1, y2 - y1 - h1, w1 + w2, h1 + h2 end

function rect.containsPoint(x, y, w, h, px, py)
  return min(px - x, py - y, x + w - px, y + h - py) > 1e-10 -- bump's margin
end

function rect.isIntersecting(x1, y1, w1, h1, x2, y2, w2, h2)
  return x1 < x2 + w2 and x2 < x1 + w1 and y1 < y2 + h2 and y2 < y1 + h1
end

function rect.getSquareDistance(x1, y1, w1, h1, x2, y2, w2, h2)
  local dx, dy = x1 - x2 + (w1 - w2) / 2, y1 - y2 + (h1 - h2) / 2
  return dx * dx + dy * dy
end

-- By so much the box is smaller than a side of the rectangle.
local function shrinks(side) return min(SKIN, side / 4) end

-- Out of an overlap, back along the way, or, without one, by the shortest: ti, normal, place.
local function leave(x1, y1, w1, h1, x, y, w, h, dx, dy)
  local px, py = rect.getNearestCorner(x, y, w, h, 0, 0)
  local ti = -min(w1, abs(px)) * min(h1, abs(py))
  if dx == 0 and dy == 0 then
    if abs(px) < abs(py) then py = 0 else px = 0 end
    return ti, sign(px), sign(py), x1 + px, y1 + py
  end
  local t, _, nx, ny = rect.getSegmentIntersectionIndices(x, y, w, h, 0, 0, dx, dy, -huge, 1)
  return ti, nx, ny, x1 + dx * t, y1 + dy * t
end

--- The contact of the first rectangle, on its way, with the second; nil: there is none.
function rect.detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goal_x, goal_y)
  local dx, dy = (goal_x or x1) - x1, (goal_y or y1) - y1
  local x, y, w, h = rect.getDiff(x1, y1, w1, h1, x2, y2, w2, h2)
  local less_x, less_y = (shrinks(w1) + shrinks(w2)) / 2, (shrinks(h1) + shrinks(h2)) / 2
  local overlaps = max(x, -x - w) < -less_x and max(y, -y - h) < -less_y
  local ti, _, nx, ny, touch_x, touch_y
  if overlaps then
    ti, nx, ny, touch_x, touch_y = leave(x1, y1, w1, h1, x, y, w, h, dx, dy)
  else
    local meet, part = rect.getSegmentIntersectionIndices(x + less_x, y + less_y, w - 2 * less_x, h - 2 * less_y, 0, 0,
                                                          dx, dy, -huge, huge)
    if not meet or meet < 0 or meet >= 1 or meet == part then return nil end -- the boxes do not
    ti, _, nx, ny = rect.getSegmentIntersectionIndices(x, y, w, h, 0, 0, dx, dy, -huge, huge)
    ti = max(0, ti)
    touch_x = nx < 0 and x2 - w1 or nx > 0 and x2 + w2 or x1 + dx * ti
    touch_y = ny < 0 and y2 - h1 or ny > 0 and y2 + h2 or y1 + dy * ti
  end
  return {overlaps = overlaps, ti = ti, move = {x = dx, y = dy}, normal = {x = nx, y = ny},
          touch = {x = touch_x, y = touch_y}, itemRect = {x = x1, y = y1, w = w1, h = h1},
          otherRect = {x = x2, y = y2, w = w2, h = h2}}
end

-- In which order bump tells contacts.
local function comes_before(a, b)
  if a.ti ~= b.ti then return a.ti < b.ti end
  local r, p, q = a.itemRect, a.otherRect, b.otherRect
  return rect.getSquareDistance(r.x, r.y, r.w, r.h, p.x, p.y, p.w, p.h) <
         rect.getSquareDistance(r.x, r.y, r.w, r.h, q.x, q.y, q.w, q.h)
end

-- ---- Items ----

--- The size of cells, bump's argument, is not needed.
function bump.newWorld()
  return setmetatable({graze = graze.world {skin = SKIN}, rects = {}, shapes = {}, responses = {}, met = {}}, World)
end

-- Equal boxes are one shape.
local function shape_of(world, w, h)
  local key = ("%.17g %.17g"):format(w, h)
  world.shapes[key] = world.shapes[key] or graze.box((w - shrinks(w)) / 2, (h - shrinks(h)) / 2)
  return world.shapes[key]
end

local function rect_of(world, item)
  return world.rects[item] or fail("item: %s is not in this world", describe(item))
end

function World:add(item, x, y, w, h)
  rectangle(x, y, w, h)
  if item == nil then fail("item: nil cannot be one") end
  if self.graze:has(item) then fail("item: %s is in this world already", describe(item)) end
  self.graze:add(item, shape_of(self, w, h), x + w / 2, y + h / 2, {type = "kinematic"})
  self.rects[item] = {x = x, y = y, w = w, h = h}
  return item
end

function World:remove(item)
  rect_of(self, item)
  self.graze:remove(item)
  self.rects[item] = nil
end

function World:update(item, x, y, w, h)
  local r = rect_of(self, item)
  w, h = w or r.w, h or r.h
  rectangle(x, y, w, h)
  self.graze:set_pose(item, x + w / 2, y + h / 2)
  if w ~= r.w or h ~= r.h then self.graze:set_shape(item, shape_of(self, w, h)) end
  r.x, r.y, r.w, r.h = x, y, w, h
end

function World:hasItem(item) return self.rects[item] ~= nil end

--- Those that were added here, not to world.graze.
function World:getItems()
  local items = {}
  for _, item in ipairs(self.graze:items()) do
    if self.rects[item] then items[#items + 1] = item end
  end
  return items, #items
end

function World:countItems() return select(2, self:getItems()) end

function World:getRect(item)
  local r = rect_of(self, item)
  return r.x, r.y, r.w, r.h
end

-- ---- Moving ----

local names = {slide = true, touch = true, cross = true, bounce = true, ignore = true}

local function slides() return "slide" end

-- The function that a filter is: a word counts for all.
local function filter_of(filter)
  if not filter then return slides end
  if type(filter) == "function" then return filter end
  if type(filter) ~= "string" then fail("filter: a function or a word expected, got %s", describe(filter)) end
  return function() return filter end
end

-- For Graze, responses of the caller's are crossings; their names go into `own`. What is no response at all is an error
-- where it is met.
local function chooser(self, filter, own)
  if filter == slides and not self.responses.slide then return nil end -- Graze slides if not asked
  return function(item, other)
    local name = filter(item, other)
    if not name or (names[name] and not self.responses[name]) then return name end
    own[other] = name
    return "cross"
  end
end

-- A contact of Graze, of a rectangle on its way to a goal, as one of bump.
local function told(self, met, x, y, w, h, goal_x, goal_y)
  local r, contact = self.rects[met.other], nil
  if r then
    local leaves = met.overlaps and met.type ~= "cross" -- by the shortest way, as without a goal
    contact = rect.detectCollision(x, y, w, h, r.x, r.y, r.w, r.h, not leaves and goal_x, not leaves and goal_y)
  end
  local n, touch = met.normal, met.touch
  r = r or {x = x, y = y, w = w, h = h}
  contact = contact or {overlaps = met.overlaps, ti = met.t, move = {}, normal = {x = n.x, y = n.y},
                        touch = {x = touch.x - w / 2, y = touch.y - h / 2}, itemRect = {x = x, y = y, w = w, h = h},
                        otherRect = {x = r.x, y = r.y, w = r.w, h = r.h}}
  contact.item, contact.other, contact.type = met.item, met.other, met.type
  contact.move.x, contact.move.y = goal_x - x, goal_y - y
  return contact
end

-- Where a contact leads: a slide takes what leads into the other off the way once, a bounce twice.
local function turned(contact, goal_x, goal_y, times)
  local n, touch = contact.normal, contact.touch
  local dx, dy = goal_x - touch.x, goal_y - touch.y
  local into = min(0, times * (dx * n.x + dy * n.y))
  return {x = n.x == 0 and goal_x or touch.x + (dx - into * n.x),
          y = n.y == 0 and goal_y or touch.y + (dy - into * n.y)}
end

local leads = {
  cross = function(_, goal_x, goal_y) return goal_x, goal_y end,
  touch = function(contact) return contact.touch.x, contact.touch.y end,
}

function leads.slide(contact, goal_x, goal_y)
  contact.slide = turned(contact, goal_x, goal_y, 1)
  return contact.slide.x, contact.slide.y
end

function leads.bounce(contact, goal_x, goal_y)
  contact.bounce = turned(contact, goal_x, goal_y, 2)
  return contact.bounce.x, contact.bounce.y
end

-- bump's loop: each response says where to go on to, and what is met on that way.
local function respond(self, item, r, goal_x, goal_y, filter)
  local x, y, w, h = r.x, r.y, r.w, r.h
  local met, visited = {}, {}
  local function others(moved, other) return not visited[other] and filter(moved, other) end
  local contacts, count = self:project(item, x, y, w, h, goal_x, goal_y, others)
  while count > 0 do
    local contact = contacts[1]
    met[#met + 1], visited[contact.other] = contact, true
    local response, touch = self.responses[contact.type] or bump.responses[contact.type], contact.touch
    if not response then fail("filter: %s, for %s, is no response", describe(contact.type), describe(contact.other)) end
    goal_x, goal_y, contacts, count = response(self, contact, x, y, w, h, goal_x, goal_y, others)
    if not goal_x then return touch.x, touch.y, met, #met end
    if not contacts then contacts, count = self:project(item, touch.x, touch.y, w, h, goal_x, goal_y, others) end
    count = count or #contacts
  end
  return goal_x, goal_y, met, #met
end

-- Where the boxes meet by their corners, or as the rectangles do not, bump's loop goes on.
local function is_corner(self, met, contact)
  local n, m = met.normal, contact.normal
  return self.rects[met.other] and not met.overlaps and (n.x ~= m.x or n.y ~= m.y or n.x * n.y ~= 0)
end

-- An item that comes in flat sinks through the skin far from where the rectangles touch: with "touch" it would end
-- there, and tell of what it crossed on the way.
local function is_late(met, contact, before, w, h)
  local touch, at = contact.touch, met.touch
  return not met.overlaps and (contact.type == "touch" or before and before.type == "cross") and
         (abs(at.x - w / 2 - touch.x) > NEAR or abs(at.y - h / 2 - touch.y) > NEAR)
end

function World:check(item, goal_x, goal_y, filter)
  local r, own, contacts, crosses = rect_of(self, item), {}, {}, true
  local x, y, w, h = r.x, r.y, r.w, r.h
  goal_x, goal_y, filter = goal_x or x, goal_y or y, filter_of(filter)
  number("goal_x", goal_x)
  number("goal_y", goal_y)
  local to_x, to_y, met, count =
    self.graze:check(item, goal_x + w / 2, goal_y + h / 2, chooser(self, filter, own), self.met)
  local end_x, end_y = goal_x, goal_y
  for i = 1, count do
    local contact = told(self, met[i], x, y, w, h, end_x, end_y)
    local solid = contact.type ~= "cross"
    if own[contact.other] or
      (solid and (is_corner(self, met[i], contact) or is_late(met[i], contact, contacts[i - 1], w, h))) then
      to_x, to_y, contacts, count = respond(self, item, r, goal_x, goal_y, filter)
      return to_x, to_y, contacts, count -- no tail call: errors name check()
    end
    if solid and crosses then table.sort(contacts, comes_before) end -- what Graze found at the same time
    contacts[i], crosses = contact, crosses and not solid
    end_x, end_y = leads[contact.type](contact, end_x, end_y)
    if solid then x, y = contact.touch.x, contact.touch.y end
  end
  if crosses then table.sort(contacts, comes_before) end
  to_x, to_y = to_x - w / 2, to_y - h / 2
  if abs(to_x - end_x) < NEAR then to_x = end_x end
  if abs(to_y - end_y) < NEAR then to_y = end_y end
  return to_x, to_y, contacts, count
end

function World:move(item, goal_x, goal_y, filter)
  local x, y, contacts, count = self:check(item, goal_x, goal_y, filter)
  local r = self.rects[item]
  if r then -- a response may have removed it
    self.graze:set_pose(item, x + r.w / 2, y + r.h / 2)
    r.x, r.y = x, y
  end
  return x, y, contacts, count
end

-- What a rectangle on its way meets of things that are none: a guest of the world's goes it.
local function project_others(self, x, y, w, h, goal_x, goal_y, chosen, contacts)
  local guest, met = {}, {}
  local function choose(_, other) return not self.rects[other] and chosen[other] and "cross" end
  self.graze:add(guest, shape_of(self, w, h), x + w / 2, y + h / 2, {type = "kinematic"})
  self.graze:check(guest, goal_x + w / 2, goal_y + h / 2, choose, met)
  self.graze:remove(guest)
  for _, m in ipairs(met) do contacts[#contacts + 1] = told(self, m, x, y, w, h, goal_x, goal_y) end
end

--- All that a rectangle of the caller's meets on the straight way to a goal, in order; responses are not asked. The
-- item itself, if it is one of the world's, is not met.
function World:project(item, x, y, w, h, goal_x, goal_y, filter)
  rectangle(x, y, w, h)
  goal_x, goal_y, filter = goal_x or x, goal_y or y, filter_of(filter)
  number("goal_x", goal_x)
  number("goal_y", goal_y)
  local chosen, contacts, other_kinds = {}, {}, false
  local near = self.graze:in_box(min(x, goal_x), min(y, goal_y), max(x, goal_x) + w, max(y, goal_y) + h)
  for _, other in ipairs(near) do
    local r, name = self.rects[other], other ~= item and filter(item, other)
    if name and name ~= "ignore" then
      chosen[other], other_kinds = name, other_kinds or not r
      local contact = r and rect.detectCollision(x, y, w, h, r.x, r.y, r.w, r.h, goal_x, goal_y)
      if contact then
        contact.other = other
        contacts[#contacts + 1] = contact
      end
    end
  end
  if other_kinds then project_others(self, x, y, w, h, goal_x, goal_y, chosen, contacts) end
  for _, contact in ipairs(contacts) do contact.item, contact.type = item, chosen[contact.other] end
  table.sort(contacts, comes_before)
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

local function turn(lead)
  return function(world, contact, x, y, w, h, goal_x, goal_y, filter)
    local to_x, to_y = lead(contact, goal_x or x, goal_y or y)
    return to_x, to_y, world:project(contact.item, contact.touch.x, contact.touch.y, w, h, to_x, to_y, filter)
  end
end

bump.responses.slide, bump.responses.bounce = turn(leads.slide), turn(leads.bounce)

-- ---- Queries ----

-- Those of the items that pass. Items are looked for a skin around, as boxes are smaller than rectangles.
local function pick(self, x, y, w, h, filter, test)
  local found = {}
  for _, item in ipairs((self.graze:in_box(x - SKIN, y - SKIN, x + w + SKIN, y + h + SKIN))) do
    local r = self.rects[item]
    if r and (not filter or filter(item)) and test(r.x, r.y, r.w, r.h) then found[#found + 1] = item end
  end
  return found, #found
end

function World:queryPoint(x, y, filter)
  number("x", x)
  number("y", y)
  return pick(self, x, y, 0, 0, filter, function(l, t, w, h) return rect.containsPoint(l, t, w, h, x, y) end)
end

function World:queryRect(x, y, w, h, filter)
  rectangle(x, y, w, h)
  return pick(self, x, y, w, h, filter,
              function(l, t, width, height) return rect.isIntersecting(x, y, w, h, l, t, width, height) end)
end

--- Those that a segment enters or leaves, a corner included; not those that all of it is in.
function World:querySegmentWithCoords(x1, y1, x2, y2, filter)
  number("x1", x1)
  number("y1", y1)
  number("x2", x2)
  number("y2", y2)
  local infos, weights = {}, {}
  local segment = graze.segment(x1, y1, x2, y2):with_margin(2 * SKIN):at(0, 0)
  for _, item in ipairs((self.graze:overlap(segment))) do
    local r = self.rects[item]
    if r and (not filter or filter(item)) then
      local t1, t2 = rect.getSegmentIntersectionIndices(r.x, r.y, r.w, r.h, x1, y1, x2, y2)
      if t1 and (t1 > 0 and t1 < 1 or t2 > 0 and t2 < 1) then
        local dx, dy = x2 - x1, y2 - y1
        infos[#infos + 1] = {item = item, ti1 = t1, ti2 = t2, x1 = x1 + dx * t1, y1 = y1 + dy * t1, x2 = x1 + dx * t2,
                             y2 = y1 + dy * t2}
        weights[item] = rect.getSegmentIntersectionIndices(r.x, r.y, r.w, r.h, x1, y1, x2, y2, -huge, huge)
      end
    end
  end
  table.sort(infos, function(a, b) return weights[a.item] < weights[b.item] end)
  return infos, #infos
end

function World:querySegment(x1, y1, x2, y2, filter)
  local infos, count = self:querySegmentWithCoords(x1, y1, x2, y2, filter)
  local items = {}
  for i = 1, count do items[i] = infos[i].item end
  return items, count
end

return bump
