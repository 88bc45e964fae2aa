--- The interface of bump.lua 3.1.7 over a Graze world: rectangles by their upper left corners, move, check, project,
-- queries. A game keeps its code and can add other shapes: world.graze is the Graze world. docs/lua.md has the details.
--
--     local bump = require "graze.bump"
--     local world = bump.newWorld()
--
-- Graze keeps a skin of distance between bodies. So each box is smaller than its rectangle by half a skin, 2^-21, on
-- every side. The boxes of touching rectangles are one skin apart. An item fits through a gap of exactly its width.
--
-- Differences from bump:
-- - An overlap of less than a skin counts as touching.
-- - slide, touch and bounce resolve an overlap by the smallest translation.
-- - A wall that an item has touched earlier in a move stops the item again.
-- - Either of two simultaneous contacts may be reported.
-- - Filters may not move items.
-- - A move without a goal goes to the item's position.
-- - There are no cells.
-- - Beyond |x| + |y| + |displacement| = 2^16, the skin is wider, and an item does not fit through a gap of its width.
local graze, boxes = require "graze", require "graze.bump_rect" -- that file lies beside this one
local rect, comes_before, shrinks, SKIN = boxes.rect, boxes.comes_before, boxes.shrinks, boxes.SKIN

local bump = {_VERSION = "graze.bump for bump v3.1.7", rect = rect}

local abs, huge, max, min = math.abs, math.huge, math.max, math.min
local NEAR = 16 * SKIN -- the largest distance between the stops of Graze and bump; at flat angles Graze stops earlier

-- ---- Errors ----

local here = debug.getinfo(1, "S").source
local World = {}
World.__index = World

local function name_of(method)
  for name, f in pairs(World) do
    if f == method then return name .. ": " end
  end
  return method == bump.newWorld and "newWorld: " or ""
end

-- Raises an error at the line that called this file, with the name of the function that it called.
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
  if value ~= value then return "nan" end -- tostring() may add a sign
  return (kind == "number" or kind == "boolean" or kind == "nil") and tostring(value) or "a " .. kind
end

-- A table is described by its name or address.
local function describe_item(item) return type(item) == "table" and tostring(item) or describe(item) end

local function fail_value(name, value, allowed)
  fail("%s: invalid value (%s), must be %s", name, describe(value), allowed)
end

local function number(name, value)
  if type(value) ~= "number" or value ~= value or abs(value) > 1e38 then -- so that sums stay below Graze's limit
    fail_value(name, value, "a number of magnitude <= 1e38")
  end
end

local function rectangle(x, y, w, h)
  number("x", x)
  number("y", y)
  number("w", w)
  number("h", h)
  if w <= 0 or h <= 0 then fail("w and h: invalid values (%g and %g), must be > 0", w, h) end
end

-- Detects a method that was called with a dot.
local function check_self(world)
  if type(world) ~= "table" or type(world.rects) ~= "table" then
    fail_value("self", world, "a world, as in world:move(…)")
  end
end

-- Validates the filter of a query.
local function check_filter(filter)
  if filter and type(filter) ~= "function" then fail_value("filter", filter, "a function") end
end

local filtering = false -- true while a filter runs, and after it raised an error; check_change() distinguishes these

local function check_change(world)
  check_self(world)
  filtering = filtering and not pcall(world.graze.add_response, world.graze, "graze.bump", nil)
  if filtering then fail("filter: nothing may be changed while it runs") end
end

-- ---- Items ----

--- The argument of bump, the cell size, is checked but not used.
function bump.newWorld(cell_size)
  if cell_size ~= nil and not (type(cell_size) == "number" and cell_size > 0) then
    fail_value("cell_size", cell_size, "a number > 0")
  end
  return setmetatable({graze = graze.world {skin = SKIN}, rects = {}, shapes = {}, responses = {}, met = {}}, World)
end

-- Rectangles of the same size share a shape.
local function shape_of(world, w, h)
  local key = ("%.17g %.17g"):format(w, h)
  world.shapes[key] = world.shapes[key] or graze.box((w - shrinks(w)) / 2, (h - shrinks(h)) / 2)
  return world.shapes[key]
end

local function rect_of(world, item)
  check_self(world)
  return world.rects[item] or fail("item: unknown (%s), must be an item of this world", describe_item(item))
end

function World:add(item, x, y, w, h)
  check_change(self)
  rectangle(x, y, w, h)
  if item == nil then fail_value("item", item, "any value except nil") end
  if self.graze:has(item) then fail("item: duplicate (%s), must be new in this world", describe_item(item)) end
  self.graze:add(item, shape_of(self, w, h), x + w / 2, y + h / 2, {type = "kinematic"})
  self.rects[item] = {x = x, y = y, w = w, h = h}
  return item
end

function World:remove(item)
  check_change(self)
  rect_of(self, item)
  self.graze:remove(item)
  self.rects[item] = nil
end

function World:update(item, x, y, w, h)
  check_change(self)
  local r = rect_of(self, item)
  w, h = w or r.w, h or r.h
  rectangle(x, y, w, h)
  self.graze:set_pose(item, x + w / 2, y + h / 2)
  if w ~= r.w or h ~= r.h then self.graze:set_shape(item, shape_of(self, w, h)) end
  r.x, r.y, r.w, r.h = x, y, w, h
end

function World:hasItem(item)
  check_self(self)
  return self.rects[item] ~= nil
end

--- The items that were added here, without those of world.graze.
function World:getItems()
  check_self(self)
  local items = {}
  for _, item in ipairs(self.graze:items()) do
    if self.rects[item] then items[#items + 1] = item end
  end
  return items, #items
end

function World:countItems()
  check_self(self)
  return select(2, self:getItems())
end

function World:getRect(item)
  local r = rect_of(self, item)
  return r.x, r.y, r.w, r.h
end

-- ---- Moving ----

local names = {slide = true, touch = true, cross = true, bounce = true, ignore = true}

local function slides() return "slide" end

-- Converts a filter to a function; a string is the response to every item.
local function filter_of(filter)
  if not filter then return slides end
  if type(filter) == "function" then return filter end
  if type(filter) ~= "string" then fail_value("filter", filter, "a function or a string") end
  return function() return filter end
end

-- The filter for Graze. Custom responses become "cross", and `own` receives their names. Unknown names are rejected at
-- the contact.
local function chooser(self, filter, own)
  if filter == slides and not self.responses.slide then return nil end -- the default of Graze
  return function(item, other)
    filtering = true
    local name = filter(item, other)
    filtering = false
    if not name or (names[name] and not self.responses[name]) then return name end
    own[other] = name
    return "cross"
  end
end

-- Converts a contact of Graze to one of bump, for a rectangle that moves from x, y to a goal.
local function bump_contact(self, met, x, y, w, h, goal_x, goal_y)
  local r, contact = self.rects[met.other], nil
  if r then
    local leaves = met.overlaps and met.type ~= "cross" -- by the smallest translation, as without a goal
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

-- The goal after a contact: the remaining displacement loses its component into the other item (slide) or reverses that
-- component (bounce).
local function deflect(contact, goal_x, goal_y, times)
  local n, touch = contact.normal, contact.touch
  local dx, dy = goal_x - touch.x, goal_y - touch.y
  local into = min(0, times * (dx * n.x + dy * n.y))
  return {x = n.x == 0 and goal_x or touch.x + (dx - into * n.x),
          y = n.y == 0 and goal_y or touch.y + (dy - into * n.y)}
end

-- The goal after the contact, by response.
local next_goal = {
  cross = function(_, goal_x, goal_y) return goal_x, goal_y end,
  touch = function(contact) return contact.touch.x, contact.touch.y end,
}

function next_goal.slide(contact, goal_x, goal_y)
  contact.slide = deflect(contact, goal_x, goal_y, 1)
  return contact.slide.x, contact.slide.y
end

function next_goal.bounce(contact, goal_x, goal_y)
  contact.bounce = deflect(contact, goal_x, goal_y, 2)
  return contact.bounce.x, contact.bounce.y
end

-- The loop of bump.lua: each response returns the next goal, and the contacts on the path to it.
local function bump_loop(self, item, r, goal_x, goal_y, filter)
  local x, y, w, h = r.x, r.y, r.w, r.h
  local met, visited = {}, {}
  local function others(moved, other) return not visited[other] and filter(moved, other) end
  local contacts, count = self:project(item, x, y, w, h, goal_x, goal_y, others)
  while count > 0 do
    local contact = contacts[1]
    met[#met + 1], visited[contact.other] = contact, true
    local response, touch = self.responses[contact.type] or bump.responses[contact.type], contact.touch
    if not response then
      fail("filter: unknown response (%s) for %s, must be the name of a response", describe(contact.type),
           describe_item(contact.other))
    end
    goal_x, goal_y, contacts, count = response(self, contact, x, y, w, h, goal_x, goal_y, others)
    if not goal_x then return touch.x, touch.y, met, #met end
    if not contacts then contacts, count = self:project(item, touch.x, touch.y, w, h, goal_x, goal_y, others) end
    count = count or #contacts
  end
  return goal_x, goal_y, met, #met
end

-- A corner contact, or a contact normal that differs from that of the rectangles: bump's loop handles these.
local function is_corner(self, met, contact)
  local n, m = met.normal, contact.normal
  return self.rects[met.other] and not met.overlaps and (n.x ~= m.x or n.y ~= m.y or n.x * n.y ~= 0)
end

-- At a flat angle, an item crosses the skin far from the point where the rectangles touch. With "touch" the move would
-- end at the skin, and contacts with "cross" would be reported after the touch.
local function is_late(met, contact, before, w, h)
  local touch, at = contact.touch, met.touch
  return not met.overlaps and (contact.type == "touch" or before and before.type == "cross") and
         (abs(at.x - w / 2 - touch.x) > NEAR or abs(at.y - h / 2 - touch.y) > NEAR)
end

function World:check(item, goal_x, goal_y, filter)
  check_change(self)
  local r, own, contacts, crosses = rect_of(self, item), {}, {}, true
  local x, y, w, h = r.x, r.y, r.w, r.h
  goal_x, goal_y, filter = goal_x or x, goal_y or y, filter_of(filter)
  number("goal_x", goal_x)
  number("goal_y", goal_y)
  local to_x, to_y, met, count =
    self.graze:check(item, goal_x + w / 2, goal_y + h / 2, chooser(self, filter, own), self.met)
  local end_x, end_y = goal_x, goal_y
  for i = 1, count do
    local contact = bump_contact(self, met[i], x, y, w, h, end_x, end_y)
    local solid = contact.type ~= "cross"
    if own[contact.other] or
      (solid and (is_corner(self, met[i], contact) or is_late(met[i], contact, contacts[i - 1], w, h))) then
      to_x, to_y, contacts, count = bump_loop(self, item, r, goal_x, goal_y, filter)
      return to_x, to_y, contacts, count -- no tail call, so that errors name check()
    end
    if solid and crosses then table.sort(contacts, comes_before) end -- simultaneous contacts of Graze
    contacts[i], crosses = contact, crosses and not solid
    end_x, end_y = next_goal[contact.type](contact, end_x, end_y)
    if solid then x, y = contact.touch.x, contact.touch.y end
  end
  if crosses then table.sort(contacts, comes_before) end
  to_x, to_y = to_x - w / 2, to_y - h / 2
  if abs(to_x - end_x) < NEAR then to_x = end_x end
  if abs(to_y - end_y) < NEAR then to_y = end_y end
  return to_x, to_y, contacts, count
end

function World:move(item, goal_x, goal_y, filter)
  check_self(self)
  local x, y, contacts, count = self:check(item, goal_x, goal_y, filter)
  local r = self.rects[item]
  if r then -- nil: a response removed the item
    self.graze:set_pose(item, x + r.w / 2, y + r.h / 2)
    r.x, r.y = x, y
  end
  return x, y, contacts, count
end

-- Contacts of a moving rectangle with other shapes: a temporary body makes the move.
local function project_others(self, x, y, w, h, goal_x, goal_y, chosen, contacts)
  check_change(self)
  local body, met = {}, {}
  local function choose(_, other) return not self.rects[other] and chosen[other] and "cross" end
  self.graze:add(body, shape_of(self, w, h), x + w / 2, y + h / 2, {type = "kinematic"})
  self.graze:check(body, goal_x + w / 2, goal_y + h / 2, choose, met)
  self.graze:remove(body)
  for _, m in ipairs(met) do contacts[#contacts + 1] = bump_contact(self, m, x, y, w, h, goal_x, goal_y) end
end

--- All contacts of a rectangle on the straight path to a goal, in order, without responses. The item itself is skipped.
function World:project(item, x, y, w, h, goal_x, goal_y, filter)
  check_self(self)
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

--- Registers a response for filters. response(world, contact, x, y, w, h, goal_x, goal_y, filter) returns the next
-- goal, the contacts on the path to it and their count, usually from project().
function World:addResponse(name, response)
  check_self(self)
  if name == nil or name ~= name then fail_value("name", name, "any value except nil and NaN") end
  if type(response) ~= "function" then fail_value("response", response, "a function") end
  self.responses[name] = response
end

-- The built-in responses, for calls from custom ones.
bump.responses = {}

function bump.responses.touch(_, contact) return contact.touch.x, contact.touch.y, {}, 0 end

function bump.responses.cross(world, contact, x, y, w, h, goal_x, goal_y, filter)
  return goal_x, goal_y, world:project(contact.item, x, y, w, h, goal_x, goal_y, filter)
end

local function response_with(goal_of)
  return function(world, contact, x, y, w, h, goal_x, goal_y, filter)
    local to_x, to_y = goal_of(contact, goal_x or x, goal_y or y)
    return to_x, to_y, world:project(contact.item, contact.touch.x, contact.touch.y, w, h, to_x, to_y, filter)
  end
end

bump.responses.slide, bump.responses.bounce = response_with(next_goal.slide), response_with(next_goal.bounce)

-- ---- Queries ----

-- The items that pass the filter and the test. The search box is larger by a skin, because boxes are smaller than
-- rectangles.
local function pick(self, x, y, w, h, filter, test)
  local found = {}
  for _, item in ipairs((self.graze:in_box(x - SKIN, y - SKIN, x + w + SKIN, y + h + SKIN))) do
    local r = self.rects[item]
    if r and (not filter or filter(item)) and test(r.x, r.y, r.w, r.h) then found[#found + 1] = item end
  end
  return found, #found
end

function World:queryPoint(x, y, filter)
  check_self(self)
  check_filter(filter)
  number("x", x)
  number("y", y)
  return pick(self, x, y, 0, 0, filter, function(l, t, w, h) return rect.containsPoint(l, t, w, h, x, y) end)
end

function World:queryRect(x, y, w, h, filter)
  check_self(self)
  check_filter(filter)
  rectangle(x, y, w, h)
  return pick(self, x, y, w, h, filter,
              function(l, t, width, height) return rect.isIntersecting(x, y, w, h, l, t, width, height) end)
end

--- The items that a segment enters or leaves, corners included, but not those that contain the whole segment.
function World:querySegmentWithCoords(x1, y1, x2, y2, filter)
  check_self(self)
  check_filter(filter)
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
  check_self(self)
  local infos, count = self:querySegmentWithCoords(x1, y1, x2, y2, filter)
  local items = {}
  for i = 1, count do items[i] = infos[i].item end
  return items, count
end

return bump
