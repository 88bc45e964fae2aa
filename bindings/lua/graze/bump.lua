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
local graze, boxes = require "graze", require "graze.bump_rect" -- that file lies beside this one
local rect, comes_before, shrinks, SKIN = boxes.rect, boxes.comes_before, boxes.shrinks, boxes.SKIN

local bump = {_VERSION = "graze.bump for bump v3.1.7", rect = rect}

local abs, huge, max, min = math.abs, math.huge, math.max, math.min
local NEAR = 16 * SKIN -- Graze stops so near to where bump does: what comes in flat stops early

-- ---- Mistakes ----

local here = debug.getinfo(1, "S").source
local World = {}
World.__index = World

local function name_of(method)
  for name, f in pairs(World) do
    if f == method then return name .. ": " end
  end
  return method == bump.newWorld and "newWorld: " or ""
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

-- Items have names, or addresses.
local function describe_item(item) return type(item) == "table" and tostring(item) or describe(item) end

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

-- Methods are called with a colon.
local function check_self(world)
  if type(world) ~= "table" or type(world.rects) ~= "table" then
    fail("a world expected before the arguments, as in world:move(…), got %s", describe(world))
  end
end

-- Filters for queries.
local function check_filter(filter)
  if filter and type(filter) ~= "function" then fail("filter: a function expected, got %s", describe(filter)) end
end

local asking = false -- a filter is, or was when it raised an error: then a change that changes nothing tells

local function check_change(world)
  check_self(world)
  asking = asking and not pcall(world.graze.add_response, world.graze, "graze.bump", nil)
  if asking then fail("nothing may be changed while a filter is asked") end
end

-- ---- Items ----

--- The size of cells, bump's argument, is not needed.
function bump.newWorld(cell_size)
  if cell_size ~= nil and not (type(cell_size) == "number" and cell_size > 0) then
    fail("cell_size: a positive number expected, got %s", describe(cell_size))
  end
  return setmetatable({graze = graze.world {skin = SKIN}, rects = {}, shapes = {}, responses = {}, met = {}}, World)
end

-- Equal boxes are one shape.
local function shape_of(world, w, h)
  local key = ("%.17g %.17g"):format(w, h)
  world.shapes[key] = world.shapes[key] or graze.box((w - shrinks(w)) / 2, (h - shrinks(h)) / 2)
  return world.shapes[key]
end

local function rect_of(world, item)
  check_self(world)
  return world.rects[item] or fail("item: %s is not in this world", describe_item(item))
end

function World:add(item, x, y, w, h)
  check_change(self)
  rectangle(x, y, w, h)
  if item == nil then fail("item: nil cannot be one") end
  if self.graze:has(item) then fail("item: %s is in this world already", describe_item(item)) end
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

--- Those that were added here, not to world.graze.
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
    asking = true
    local name = filter(item, other)
    asking = false
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
    if not response then
      fail("filter: %s, for %s, is no response", describe(contact.type), describe_item(contact.other))
    end
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
  check_self(self)
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
  check_change(self)
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

--- What a filter may return: response(world, contact, x, y, w, h, goal_x, goal_y, filter) returns where to go on to,
-- the contacts on that way and their count, mostly from project().
function World:addResponse(name, response)
  check_self(self)
  if name == nil or name ~= name then fail("name: a word expected, got %s", describe(name)) end
  if type(response) ~= "function" then fail("response: a function expected, got %s", describe(response)) end
  self.responses[name] = response
end

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

--- Those that a segment enters or leaves, a corner included; not those that all of it is in.
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
