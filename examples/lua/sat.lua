-- The separating axis test of a square and two quadrilaterals. graze_sat.lua, which any program can load, computes the
-- result. The module reports every tested axis. Prints:
--   (0,0) (0,3) (3,3) (3,0): separated, gap at least 1
--     edge 1 of a, axis (1, 0): a 0 … 3, b 4 … 6, gap 1
--   (0,0) (0,5) (5,4) (3,0): overlapping, smallest overlap 0.19612
--     edge 1 of a, axis (1, 0): a 0 … 5, b 4 … 6, overlap 1
--     edge 2 of a, axis (0.19612, 0.98058): a 0 … 4.9029, b 4.7068 … 7.0602, overlap 0.19612
--     edge 3 of a, axis (0.89443, -0.44721): a -2.2361 … 2.6833, b 0.89443 … 3.5777, overlap 1.7889
--     edge 4 of a, axis (0, 1): a 0 … 5, b 4 … 6, overlap 1
--     edge 1 of b, axis (1, 0): a 0 … 5, b 4 … 6, overlap 1
--     edge 2 of b, axis (0, 1): a 0 … 5, b 4 … 6, overlap 1
--     edge 3 of b, axis (1, 0): a 0 … 5, b 4 … 6, overlap 1
--     edge 4 of b, axis (0, 1): a 0 … 5, b 4 … 6, overlap 1
--   after the translation they touch: true
local sat = require "graze_sat"
local graze = require "graze"

local square = {4, 4, 4, 6, 6, 6, 6, 4}
local others = {{0, 0, 0, 3, 3, 3, 3, 0}, {0, 0, 0, 5, 5, 4, 3, 0}}

local function print_numbers(format, ...)
  local numbers = {...}
  for i, x in ipairs(numbers) do
    if type(x) == "number" then numbers[i] = ("%.5g"):format(x == 0 and 0 or x) end -- no -0
  end
  print(format:format((unpack or table.unpack)(numbers)))
end

local function corners(polygon)
  local list = {}
  for i = 1, #polygon, 2 do list[#list + 1] = ("(%g,%g)"):format(polygon[i], polygon[i + 1]) end
  return table.concat(list, " ")
end

-- Each axis is the normal of an edge. Both polygons are projected onto it; a gap between the intervals ends the test.
local function show(axis)
  print_numbers("  edge %s of %s, axis (%s, %s): a %s … %s, b %s … %s, %s %s",
      axis.feature_a or axis.feature_b, axis.kind == "face_a" and "a" or "b", axis.direction[1], axis.direction[2],
      axis.a[1], axis.a[2], axis.b[1], axis.b[2], axis.separation > 0 and "gap" or "overlap",
      math.abs(axis.separation))
  return axis.separation <= 0
end

local b = sat.polygon(square)
for _, polygon in ipairs(others) do
  local a = sat.polygon(polygon)
  local intersects, separation = sat.sat(a, b)
  print_numbers("%s: %s", corners(polygon),
                intersects and ("overlapping, smallest overlap %.5g"):format(-separation) or
                ("separated, gap at least %.5g"):format(separation))
  graze.sat(graze.polygon(polygon):at(0, 0), graze.polygon(square):at(0, 0), nil, show)
end

-- Translating b by the smallest overlap separates the polygons.
local a = sat.polygon(others[2])
local _, separation, nx, ny = sat.sat(a, b)
b:move_to(-separation * nx, -separation * ny)
local _, left = sat.sat(a, b)
print("after the translation they touch: " .. tostring(math.abs(left) < 1e-14))
