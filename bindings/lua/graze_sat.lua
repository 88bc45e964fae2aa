--- Separating axes for convex polygons, in one file of pure Lua: for hosts that cannot load C modules (Solar2D, web
-- builds of LÖVE, Defold …). Lua 5.1 to 5.4 and LuaJIT; no dependencies. Part of Graze, under the same licence (MIT).
--
--     local sat = require "graze_sat"
--     local a = sat.polygon{0,0, 0,5, 5,4, 3,0}         -- or {{0,0}, {0,5}, …}, or {{x=0,y=0}, …}; either winding
--     local b = sat.polygon{4,4, 4,6, 6,6, 6,4}
--     local meets, separation, nx, ny = sat.sat(a, b)   -- move b by -separation*(nx, ny) to part them
--     b:move_to(10, 4, math.pi / 6)                     -- position, angle
--
-- What is decided, is decided exactly, on the vertices as doubles: whether polygons meet (touching is meeting), touch
-- or overlap, whether an outline is convex, and how it winds. It holds for coordinates of magnitude 1e-120 to 1e120,
-- and 0. Of a polygon that move_to() placed, the claims are about the convex hull of its rounded vertices (where that
-- has no area any more, move_to() refuses); the C module claims more, of positions and rotations as they are given.
-- `separation` and the axis are rounded in either.
local sat = {_VERSION = "graze_sat 0.1.0"}

local abs, cos, max, sin, sqrt = math.abs, math.cos, math.max, math.sin, math.sqrt

-- ---- Exact signs ----

-- The two doubles whose sum is a·b (Dekker 1971, with Veltkamp's split).
local function product(a, b)
  local p = a * b
  local c = 134217729 * a
  local ah = c - (c - a)
  local al = a - ah
  c = 134217729 * b
  local bh = c - (c - b)
  local bl = b - bh
  return p, al * bl - (p - ah * bh - al * bh - ah * bl)
end

-- Adds b to an expansion of n parts, which grow in magnitude and do not overlap (Shewchuk 1997, Grow-Expansion).
local function grow(e, n, b)
  local q = b
  for i = 1, n do
    local part = e[i]
    local sum = q + part
    local t = sum - q
    e[i] = (q - (sum - t)) + (part - t)
    q = sum
  end
  e[n + 1] = q
  return n + 1
end

-- The sign of the exact sum of x[1]·y[1] + x[2]·y[2] + …
local function sign_of_products(x, y, count)
  local e, n = {}, 0
  for i = 1, count do
    local high, low = product(x[i], y[i])
    n = grow(e, n, low)
    n = grow(e, n, high)
  end
  for i = n, 1, -1 do
    if e[i] ~= 0 then return e[i] > 0 and 1 or -1 end
  end
  return 0
end

-- Which way a -> b -> c turns: > 0 to the left, 0 straight on or back, < 0 to the right; the sign is exact.
local function turn(ax, ay, bx, by, cx, cy)
  local left, right = (ax - cx) * (by - cy), (ay - cy) * (bx - cx)
  local det = left - right
  if abs(det) > 4.5e-16 * (abs(left) + abs(right)) then return det end -- (3 + 16u)u, u = 2^-53, and some more
  return sign_of_products({ax, -ay, bx, -by, cx, -cy}, {by, bx, cy, cx, ay, ax}, 6)
end

-- ---- Outlines ----

-- The errors show the line that called the library: `level` is its distance from here.
local function number(value, name, level)
  if type(value) ~= "number" or value ~= value or abs(value) > 1e120 then
    error(("%s: a number up to 1e120 in magnitude expected, got %s"):format(name, tostring(value)), level)
  end
  return value + 0.0 -- Lua 5.3 has whole numbers, too, which overflow
end

-- The coordinates, as two lists; to be called by what the caller calls.
local function coordinates(vertices)
  if type(vertices) ~= "table" then
    error(("vertices: a table expected, got %s"):format(tostring(vertices)), 3)
  end
  local x, y = {}, {}
  if type(vertices[1]) == "number" then
    if #vertices % 2 ~= 0 then error(("vertices: x and y for each expected, got %d numbers"):format(#vertices), 3) end
    for i = 1, #vertices / 2 do
      x[i], y[i] = number(vertices[2 * i - 1], "vertices", 4), number(vertices[2 * i], "vertices", 4)
    end
  else
    for i, p in ipairs(vertices) do
      if type(p) ~= "table" then error(("vertices[%d]: a table expected, got %s"):format(i, tostring(p)), 3) end
      x[i], y[i] = number(p[1] or p.x, "vertices.x", 4), number(p[2] or p.y, "vertices.y", 4)
    end
  end
  if #x == 0 then error("vertices: none", 3) end
  return x, y
end

-- Without repeated neighbours.
local function distinct(x, y)
  local dx, dy, n = {}, {}, 0
  for i = 1, #x do
    if n == 0 or x[i] ~= dx[n] or y[i] ~= dy[n] then
      n = n + 1
      dx[n], dy[n] = x[i], y[i]
    end
  end
  while n > 1 and dx[n] == dx[1] and dy[n] == dy[1] do
    dx[n], dy[n], n = nil, nil, n - 1
  end
  return dx, dy, n
end

local function before(ax, ay, bx, by) return ax < bx or (ax == bx and ay < by) end

-- Is the outline convex? Every turn goes the same way, nothing goes straight back, and the edges point once into either
-- half of the directions: it turns by 360 degrees, not 720. Points on one line are not. Otherwise: the vertex.
-- The second result: does it turn left anywhere?
local function convex_fault(x, y, n)
  local left, right, back, changes, third
  for i = 1, n do
    local h, k = (i - 2) % n + 1, i % n + 1
    local t = turn(x[h], y[h], x[i], y[i], x[k], y[k])
    local change = before(x[h], y[h], x[i], y[i]) ~= before(x[i], y[i], x[k], y[k])
    if t > 0 then left = left or i elseif t < 0 then right = right or i elseif change then back = back or i end
    if change then
      changes = (changes or 0) + 1
      if changes == 3 then third = i end
    end
  end
  if not left and not right then return 1 end
  return back or (left and right and (right > left and right or left)) or third, left ~= nil
end

-- Twice the signed area: its sign, exactly, and its value, rounded.
local function area_sign(x, y)
  local xs, ys, n, sum = {}, {}, 0, 0
  for i = 1, #x do
    local k = i % #x + 1
    xs[n + 1], ys[n + 1], xs[n + 2], ys[n + 2] = x[i], y[k], -x[k], y[i]
    n = n + 2
    sum = sum + ((x[i] - x[1]) * (y[k] - y[1]) - (x[k] - x[1]) * (y[i] - y[1]))
  end
  return sign_of_products(xs, ys, n), sum
end

--- How an outline winds: "ccw", "cw", or "none" where its signed area is 0; and that area, without its sign, rounded.
function sat.winding(vertices)
  local x, y = coordinates(vertices)
  local sign, double_area = area_sign(x, y)
  return sign > 0 and "ccw" or sign < 0 and "cw" or "none", abs(double_area) / 2
end

--- Is an outline convex? Returns that, and how it winds.
function sat.convexity(vertices)
  local x, y = coordinates(vertices)
  local dx, dy, n = distinct(x, y)
  return n > 2 and not convex_fault(dx, dy, n), (sat.winding(vertices))
end

-- ---- Polygons ----

local Polygon = {}
Polygon.__index = Polygon

-- Unit normals, outward; and how large coordinates are, for the rounding of what is computed with them.
local function find_normals(p)
  local x, y, n = p.x, p.y, p.count
  p.size = 0
  for i = 1, n do
    p.size = max(p.size, abs(x[i]) + abs(y[i]))
    local k = i % n + 1
    local ex, ey = x[k] - x[i], y[k] - y[i]
    local length = sqrt(ex * ex + ey * ey)
    p.nx[i], p.ny[i] = ey / length, -ex / length
  end
end

--- A convex polygon, with an area; an error otherwise, which names the vertex.
function sat.polygon(vertices)
  local x, y, n = distinct(coordinates(vertices))
  local fault = n < 3 and 1 or convex_fault(x, y, n)
  if fault then error(("vertices: not convex, or without area, at (%g, %g)"):format(x[fault], y[fault]), 2) end
  if area_sign(x, y) < 0 then -- counter-clockwise from here on
    for i = 1, (n - n % 2) / 2 do
      local k = n + 1 - i
      x[i], x[k], y[i], y[k] = x[k], x[i], y[k], y[i]
    end
  end
  local p = setmetatable({local_x = x, local_y = y, x = {}, y = {}, spare_x = {}, spare_y = {}, nx = {},
                          ny = {}}, Polygon)
  return p:move_to(0, 0)
end

-- The convex hull of n points, counter-clockwise, without the points on its edges (Andrew 1979).
local function hull(x, y, n)
  local order, hx, hy, m = {}, {}, {}, 0
  for i = 1, n do order[i] = i end
  table.sort(order, function(i, k) return before(x[i], y[i], x[k], y[k]) end)
  local function chain(first, last, step)
    local floor = m
    for j = first, last, step do
      local px, py = x[order[j]], y[order[j]]
      while m > floor and px == hx[m] and py == hy[m] or
            m > floor + 1 and turn(hx[m - 1], hy[m - 1], hx[m], hy[m], px, py) <= 0 do
        m = m - 1
      end
      m = m + 1
      hx[m], hy[m] = px, py
    end
    m = m - 1 -- the other chain begins with it
  end
  chain(1, n, 1)
  chain(n, 1, -1)
  return hx, hy, m
end

-- Rounded vertices need not make a convex outline, or be different.
local function still_convex(x, y, n)
  for i = 1, n do
    local k = i % n + 1
    if x[i] == x[k] and y[i] == y[k] then return false end
  end
  local fault, left = convex_fault(x, y, n)
  return not fault and left
end

--- Puts the polygon somewhere, turned by an angle (counter-clockwise where y points up). Returns it. An error, and it
-- stays where it was, if it has no area when it is rounded there.
function Polygon:move_to(px, py, angle)
  px, py, angle = number(px, "x", 3), number(py, "y", 3), number(angle or 0, "angle", 3)
  local c, s = 1, 0
  if angle ~= 0 then c, s = cos(angle), sin(angle) end
  local lx, ly, x, y, n = self.local_x, self.local_y, self.spare_x, self.spare_y, #self.local_x
  for i = 1, n do
    x[i], y[i] = c * lx[i] - s * ly[i] + px, s * lx[i] + c * ly[i] + py
  end
  if not still_convex(x, y, n) then
    x, y, n = hull(x, y, n)
    if n < 3 then
      local fault = "x, y: (%g, %g) is too far away for a polygon of this size: rounded there, it has no area"
      error(fault:format(px, py), 2)
    end
  end
  self.spare_x, self.spare_y, self.x, self.y, self.count = self.x, self.y, x, y, n
  find_normals(self)
  return self
end

--- The vertices where they are now, without those that rounding moved inside, as x, y, x, y …; into a table of the
-- caller's, if there is one.
function Polygon:vertices(into)
  into = into or {}
  for i = 1, self.count do into[2 * i - 1], into[2 * i] = self.x[i], self.y[i] end
  for i = #into, 2 * self.count + 1, -1 do into[i] = nil end
  return into
end

local function check_polygon(p, name)
  if getmetatable(p) ~= Polygon then
    error(("%s: sat.polygon() expected, got %s"):format(name, tostring(p)), 3)
  end
end

-- ---- Separating axes ----

-- Does an edge of a have all of b on its outer side? Returns 1: strictly, 0: some of it on the edge's line, -1: no.
local function parted_by_edges(a, b)
  local ax, ay, bx, by, n, m, best = a.x, a.y, b.x, b.y, a.count, b.count, -1
  for i = 1, n do
    local k = i % n + 1
    local px, py, qx, qy = ax[i], ay[i], ax[k], ay[k]
    local strict, weak = true, true
    for j = 1, m do
      local t = turn(px, py, qx, qy, bx[j], by[j])
      if t >= 0 then
        strict = false
        if t > 0 then
          weak = false
          break
        end
      end
    end
    if strict then return 1 end
    if weak then best = 0 end
  end
  return best
end

local function parted(a, b)
  local first = parted_by_edges(a, b)
  if first == 1 then return 1 end
  local second = parted_by_edges(b, a)
  return first > second and first or second
end

--- "separated", "touching" or "overlapping": exactly.
function sat.relation(a, b)
  check_polygon(a, "a")
  check_polygon(b, "b")
  local p = parted(a, b)
  return p == 1 and "separated" or p == 0 and "touching" or "overlapping"
end

-- The axes of one polygon's edges: the greatest separation of a and b so far, and its direction towards b.
local function best_axis(of, a, b, best, best_x, best_y)
  local ax, ay, bx, by = a.x, a.y, b.x, b.y
  for i = 1, of.count do
    local nx, ny = of.nx[i], of.ny[i]
    local a_min = ax[1] * nx + ay[1] * ny
    local a_max = a_min
    for j = 2, a.count do
      local d = ax[j] * nx + ay[j] * ny
      if d < a_min then a_min = d elseif d > a_max then a_max = d end
    end
    local b_min = bx[1] * nx + by[1] * ny
    local b_max = b_min
    for j = 2, b.count do
      local d = bx[j] * nx + by[j] * ny
      if d < b_min then b_min = d elseif d > b_max then b_max = d end
    end
    if b_min - a_max >= a_min - b_max then
      if b_min - a_max > best then best, best_x, best_y = b_min - a_max, nx, ny end
    elseif a_min - b_max > best then
      best, best_x, best_y = a_min - b_max, -nx, -ny
    end
  end
  return best, best_x, best_y
end

--- Do a and b meet? Exactly. Then the greatest separation along the normals of their edges, and that axis, from a to b:
-- > 0: a gap along it, a lower bound of the distance; < 0: minus the least overlap.
function sat.sat(a, b)
  check_polygon(a, "a")
  check_polygon(b, "b")
  local best, nx, ny = best_axis(a, a, b, -math.huge, 1, 0)
  best, nx, ny = best_axis(b, a, b, best, nx, ny)
  if best > 1e-13 * (a.size + b.size) then return false, best, nx, ny end -- 100 times the rounding: a gap for sure
  local meets = parted(a, b) ~= 1
  if meets == (best > 0) then best = 0 end -- rounding had it the other way
  return meets, best, nx, ny
end

--- Do a and b meet? Exactly. Nothing else.
function sat.meets(a, b)
  check_polygon(a, "a")
  check_polygon(b, "b")
  return parted(a, b) ~= 1
end

return sat
