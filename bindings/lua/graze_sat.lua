--- Separating axes for convex polygons, in one file of pure Lua: for programs that cannot load C modules (Solar2D, web
-- builds of LÖVE, Defold …). Lua 5.1 to 5.4 and LuaJIT; no dependencies. Part of Graze, under the same licence (MIT).
--
--     local sat = require "graze_sat"
--     local a = sat.polygon{0,0, 0,5, 5,4, 3,0}         -- or {{0,0}, {0,5}, …}, or {{x=0,y=0}, …}; either winding
--     local b = sat.polygon{4,4, 4,6, 6,6, 6,4}
--     local meets, separation, nx, ny = sat.sat(a, b)   -- moving b by -separation*(nx, ny) separates them
--     b:move_to(10, 4, math.pi / 6)                     -- position, angle
--
-- Decisions are exact for the vertices as doubles: whether polygons intersect (touching counts), touch or overlap,
-- whether an outline is convex, and its winding. Coordinates are 0 or of magnitude 1e-120 to 1e120. After move_to()
-- the decisions are about the convex hull of the rounded vertices; move_to() rejects a pose where that hull has no
-- area. The C module does not round poses. `separation` and the axis are rounded in both libraries.
local sat = {_VERSION = "graze_sat 0.2.0"}

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

-- Adds b to an expansion of n nonoverlapping parts of increasing magnitude (Shewchuk 1997, Grow-Expansion).
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

-- Orientation of a, b, c: > 0 left turn, 0 collinear, < 0 right turn; the sign is exact (Shewchuk 1997, orient2d).
local function turn(ax, ay, bx, by, cx, cy)
  local left, right = (ax - cx) * (by - cy), (ay - cy) * (bx - cx)
  local det = left - right
  if abs(det) > 4.5e-16 * (abs(left) + abs(right)) then return det end -- error bound (3 + 16u)u, u = 2^-53, rounded up
  return sign_of_products({ax, -ay, bx, -by, cx, -cy}, {by, bx, cy, cx, ay, ax}, 6)
end

-- ---- Outlines ----

-- `level`: the stack level of the line that called the library, seen from the caller of this function.
local function reject_value(name, value, allowed, level)
  error(("%s: invalid value (%s), must be %s"):format(name, tostring(value), allowed), level + 1)
end

local function number(value, name, level)
  if type(value) ~= "number" or value ~= value or abs(value) > 1e120 then
    reject_value(name, value, "a number of magnitude <= 1e120", level)
  end
  return value + 0.0 -- converts integers of Lua 5.3, which overflow
end

-- The coordinates as two lists. Only public functions call this function, so the error level is fixed.
local function coordinates(vertices)
  if type(vertices) ~= "table" then reject_value("vertices", vertices, "a table", 3) end
  local x, y = {}, {}
  if type(vertices[1]) == "number" then
    if #vertices % 2 ~= 0 then
      error(("vertices: odd count (%d numbers), must be x and y of each vertex"):format(#vertices), 3)
    end
    for i = 1, #vertices / 2 do
      x[i], y[i] = number(vertices[2 * i - 1], "vertices", 4), number(vertices[2 * i], "vertices", 4)
    end
  else
    for i, p in ipairs(vertices) do
      if type(p) ~= "table" then reject_value(("vertices[%d]"):format(i), p, "a table", 3) end
      x[i], y[i] = number(p[1] or p.x, "vertices.x", 4), number(p[2] or p.y, "vertices.y", 4)
    end
  end
  if #x == 0 then error("vertices: empty, must be at least one", 3) end
  return x, y
end

-- Removes consecutive duplicates.
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

-- Returns nil for a convex outline, otherwise a vertex where convexity fails, and whether there is a left turn. In a
-- convex outline all turns have one sign, and no edge reverses its predecessor. The edges change between the two halves
-- of directions only twice: the turns add up to 360 degrees, not 720. An outline of collinear points is not convex.
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

--- The winding of an outline: "ccw", "cw", or "none" if its signed area is 0; then the absolute area, rounded.
function sat.winding(vertices)
  local x, y = coordinates(vertices)
  local sign, double_area = area_sign(x, y)
  return sign > 0 and "ccw" or sign < 0 and "cw" or "none", abs(double_area) / 2
end

--- Returns whether an outline is convex, and its winding.
function sat.convexity(vertices)
  local x, y = coordinates(vertices)
  local dx, dy, n = distinct(x, y)
  return n > 2 and not convex_fault(dx, dy, n), (sat.winding(vertices))
end

-- ---- Polygons ----

local Polygon = {}
Polygon.__index = Polygon

-- Computes outward unit normals, and the largest coordinate sum, which bounds rounding errors.
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

--- A convex polygon with an area. Otherwise raises an error that names the vertex.
function sat.polygon(vertices)
  local x, y, n = distinct(coordinates(vertices))
  local fault = n < 3 and 1 or convex_fault(x, y, n)
  if fault then
    error(("vertices: not convex, or without area (at %g, %g), must be convex"):format(x[fault], y[fault]), 2)
  end
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

-- The convex hull of n points, counter-clockwise, without points on its edges (monotone chain, Andrew 1979).
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
    m = m - 1 -- the other chain starts with this point
  end
  chain(1, n, 1)
  chain(n, 1, -1)
  return hx, hy, m
end

-- Rounded vertices may coincide or lose convexity.
local function still_convex(x, y, n)
  for i = 1, n do
    local k = i % n + 1
    if x[i] == x[k] and y[i] == y[k] then return false end
  end
  local fault, left = convex_fault(x, y, n)
  return not fault and left
end

--- Moves the polygon to a position and angle (counter-clockwise if y points up). Returns it. Raises an error, without
-- moving it, if its rounded vertices have no area there.
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
      local fault = "x, y: too far away (%g, %g), must leave the rounded polygon an area"
      error(fault:format(px, py), 2)
    end
  end
  self.spare_x, self.spare_y, self.x, self.y, self.count = self.x, self.y, x, y, n
  find_normals(self)
  return self
end

--- The current vertices as x, y, x, y …, without those that rounding moved into the interior; written to the caller's
-- table, if given.
function Polygon:vertices(into)
  into = into or {}
  for i = 1, self.count do into[2 * i - 1], into[2 * i] = self.x[i], self.y[i] end
  for i = #into, 2 * self.count + 1, -1 do into[i] = nil end
  return into
end

local function check_polygon(p, name)
  if getmetatable(p) ~= Polygon then
    reject_value(name, p, "sat.polygon()", 3)
  end
end

-- ---- Separating axes ----

-- Tests the edge normals of a as separating axes. Returns 1 if b is strictly outside an edge, 0 if b is outside an edge
-- or on its line, and -1 if no edge separates.
local function separated_by_edges(a, b)
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

local function separated(a, b)
  local first = separated_by_edges(a, b)
  if first == 1 then return 1 end
  local second = separated_by_edges(b, a)
  return first > second and first or second
end

--- "separated", "touching" or "overlapping", exactly.
function sat.relation(a, b)
  check_polygon(a, "a")
  check_polygon(b, "b")
  local p = separated(a, b)
  return p == 1 and "separated" or p == 0 and "touching" or "overlapping"
end

-- Tests the edge normals of one polygon. Returns the greatest separation of a and b so far, and its axis from a to b.
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

--- Returns whether a and b intersect (exact), the greatest separation along the normals of their edges, and that axis
-- from a to b. A positive separation is a lower bound of the distance; a negative one is minus the smallest overlap.
function sat.sat(a, b)
  check_polygon(a, "a")
  check_polygon(b, "b")
  local best, nx, ny = best_axis(a, a, b, -math.huge, 1, 0)
  best, nx, ny = best_axis(b, a, b, best, nx, ny)
  if best > 1e-13 * (a.size + b.size) then return false, best, nx, ny end -- 100 times the rounding error: certain
  local meets = separated(a, b) ~= 1
  if meets == (best > 0) then best = 0 end -- the sign was a rounding error
  return meets, best, nx, ny
end

--- Returns whether a and b intersect (exact).
function sat.meets(a, b)
  check_polygon(a, "a")
  check_polygon(b, "b")
  return separated(a, b) ~= 1
end

return sat
