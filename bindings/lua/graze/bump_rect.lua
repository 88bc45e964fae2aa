--- The rectangle functions of bump.lua for graze.bump: `bump.rect`, the order of contacts, the shrinking of boxes.
local abs, huge, max, min = math.abs, math.huge, math.max, math.min
local SKIN = 2 ^ -20
local rect = {}

local function sign(x) return x > 0 and 1 or x < 0 and -1 or 0 end

local function nearest(x, a, b) return abs(a - x) < abs(b - x) and a or b end

function rect.getNearestCorner(x, y, w, h, px, py) return nearest(px, x, x + w), nearest(py, y, y + h) end

-- The times at which a coordinate that moves by d per unit of time enters and leaves an interval; nil: never inside.
local function interval_times(from, d, low, high)
  if d > 0 then return (low - from) / d, (high - from) / d end
  if d < 0 then return (high - from) / d, (low - from) / d end
  if low < from and from < high then return -huge, huge end
end

--- The times at which a segment enters and leaves a rectangle, within ti1 … ti2, and the normals (Liang, Barsky 1984).
function rect.getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, ti1, ti2)
  ti1, ti2 = ti1 or 0, ti2 or 1
  local dx, dy = x2 - x1, y2 - y1
  local in_x, out_x = interval_times(x1, dx, x, x + w)
  local in_y, out_y = interval_times(y1, dy, y, y + h)
  if not in_x or not in_y then return nil end
  local nx1, ny1, nx2, ny2 = 0, 0, 0, 0
  if in_x > ti1 then ti1, nx1 = in_x, -sign(dx) end
  if in_y > ti1 then ti1, nx1, ny1 = in_y, 0, -sign(dy) end
  if out_x < ti2 then ti2, nx2 = out_x, sign(dx) end
  if out_y < ti2 then ti2, nx2, ny2 = out_y, 0, sign(dy) end
  if ti1 > ti2 then return nil end
  return ti1, ti2, nx1, ny1, nx2, ny2
end

--- The Minkowski difference of the second and the first rectangle.
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

--- The length by which the box is smaller than a side of the rectangle.
local function shrinks(side) return min(SKIN, side / 4) end

-- Resolves an overlap: backwards along the displacement, or by the smallest translation if the displacement is zero.
-- Returns ti, the normal and the position.
local function resolve(x1, y1, w1, h1, x, y, w, h, dx, dy)
  local px, py = rect.getNearestCorner(x, y, w, h, 0, 0)
  local ti = -min(w1, abs(px)) * min(h1, abs(py))
  if dx == 0 and dy == 0 then
    if abs(px) < abs(py) then py = 0 else px = 0 end
    return ti, sign(px), sign(py), x1 + px, y1 + py
  end
  local t, _, nx, ny = rect.getSegmentIntersectionIndices(x, y, w, h, 0, 0, dx, dy, -huge, 1)
  return ti, nx, ny, x1 + dx * t, y1 + dy * t
end

--- The contact of the first rectangle, moving to a goal, with the second; nil: none.
function rect.detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goal_x, goal_y)
  local dx, dy = (goal_x or x1) - x1, (goal_y or y1) - y1
  local x, y, w, h = rect.getDiff(x1, y1, w1, h1, x2, y2, w2, h2)
  local less_x, less_y = (shrinks(w1) + shrinks(w2)) / 2, (shrinks(h1) + shrinks(h2)) / 2
  local overlaps = max(x, -x - w) < -less_x and max(y, -y - h) < -less_y
  local ti, _, nx, ny, touch_x, touch_y
  if overlaps then
    ti, nx, ny, touch_x, touch_y = resolve(x1, y1, w1, h1, x, y, w, h, dx, dy)
  else
    local enter, exit = rect.getSegmentIntersectionIndices(x + less_x, y + less_y, w - 2 * less_x, h - 2 * less_y, 0, 0,
                                                           dx, dy, -huge, huge)
    if not enter or enter < 0 or enter >= 1 or enter == exit then return nil end -- the boxes do not touch
    ti, _, nx, ny = rect.getSegmentIntersectionIndices(x, y, w, h, 0, 0, dx, dy, -huge, huge)
    ti = max(0, ti)
    touch_x = nx < 0 and x2 - w1 or nx > 0 and x2 + w2 or x1 + dx * ti
    touch_y = ny < 0 and y2 - h1 or ny > 0 and y2 + h2 or y1 + dy * ti
  end
  return {overlaps = overlaps, ti = ti, move = {x = dx, y = dy}, normal = {x = nx, y = ny},
          touch = {x = touch_x, y = touch_y}, itemRect = {x = x1, y = y1, w = w1, h = h1},
          otherRect = {x = x2, y = y2, w = w2, h = h2}}
end

--- The order of contacts in bump: by time, then by the distance of the centres.
local function comes_before(a, b)
  if a.ti ~= b.ti then return a.ti < b.ti end
  local r, p, q = a.itemRect, a.otherRect, b.otherRect
  return rect.getSquareDistance(r.x, r.y, r.w, r.h, p.x, p.y, p.w, p.h) <
         rect.getSquareDistance(r.x, r.y, r.w, r.h, q.x, q.y, q.w, q.h)
end

return {rect = rect, comes_before = comes_before, shrinks = shrinks, SKIN = SKIN}
