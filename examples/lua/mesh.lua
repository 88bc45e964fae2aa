-- A triangle mesh: a steel block of 4 x 4 x 1 with a square hole of 2 x 2 through it, and bodies around it. The mesh is
-- closed, so it is solid: a chip inside the steel overlaps it, and a peg in the hole does not. Prints:
--   block: 32 triangles, solid, volume 12, 0 errors
--   without a triangle: surface, 3 errors, the first is an open_edge of triangle 1
--   peg in the hole: separated, distance 0.0625
--   chip in the steel: overlapping, depth 0.25 to 0.75
--   crate on the block: 2 triangles in contact, 11 and 12, depth 0.05
--   ray into the hole: clear
--   ray at the steel: hits triangle 11 at t = 4, 2 triangles in all
--   ball that fell on the block: touches triangle 11, 0.50 above it
local graze = require "graze"

-- Four squares, each counter-clockwise from above: outside at the bottom and top, hole at the top and bottom.
local vertices, triangles = {}, {}
for _, square in ipairs {{2, 0}, {2, 1}, {1, 1}, {1, 0}} do
  local r, z = square[1], square[2]
  for _, corner in ipairs {{-r, -r, z}, {r, -r, z}, {r, r, z}, {-r, r, z}} do vertices[#vertices + 1] = corner end
end

-- Joins each square to the next one by two triangles a side, counter-clockwise from outside.
for ring = 0, 3 do
  for k = 0, 3 do
    local a, b, above = 4 * ring + k + 1, 4 * ring + (k + 1) % 4 + 1, (4 * ring + 4) % 16
    local c, d = above + (k + 1) % 4 + 1, above + k + 1
    triangles[#triangles + 1] = {a, b, c}
    triangles[#triangles + 1] = {a, c, d}
  end
end

local shape = graze.mesh(vertices, triangles)
local report = graze.validate_mesh(vertices, triangles, {intersections = true})
print(("block: %d triangles, %s, volume %g, %d errors"):format(
  #triangles, shape:is_solid() and "solid" or "surface", report.volume, #report.errors))

local fewer = {}
for i = 2, #triangles do fewer[i - 1] = triangles[i] end
local errors = graze.validate_mesh(vertices, fewer).errors
print(("without a triangle: %s, %d errors, the first is an %s of triangle %d"):format(
  graze.mesh(vertices, fewer):is_solid() and "solid" or "surface", #errors, errors[1].kind, errors[1].face))

local block, answer = shape:at(0, 0, 0), graze.answer()
graze.distance(block, graze.box(0.875, 0.875, 2):at(0.0625, 0, 0.5), nil, answer)
print(("peg in the hole: %s, distance %g"):format(answer.relation, answer.distance))

local chip = graze.box(0.25, 0.25, 0.25)
graze.distance(block, chip:at(1.5, 0, 0.5), nil, answer)
print(("chip in the steel: %s, depth %g to %g"):format(answer.relation, -answer.upper, -answer.lower))

local contacts, count = graze.contacts(block, chip:at(1.5, 0.25, 1.2))
table.sort(contacts, function(p, q) return p.part_a < q.part_a end)
print(("crate on the block: %d triangles in contact, %d and %d, depth %g"):format(
  count, contacts[1].part_a, contacts[2].part_a, contacts[1].points[1].depth))

local result, fast = graze.cast_result(), graze.options {min_distance = false} -- a miss needs no least distance
graze.raycast(block, 0.5, 0.25, 5, 0, 0, -1, math.huge, fast, result)
print("ray into the hole: " .. result.outcome)

graze.raycast(block, 1.5, 0.25, 5, 0, 0, -1, math.huge, fast, result)
local _, hits = graze.raycast_parts(block, 1.5, 0.25, 5, 0, 0, -1)
print(("ray at the steel: hits triangle %d at t = %g, %d triangles in all"):format(result.part_a, result.t, hits))

-- A world of three dimensions, in which a ball falls on the block.
local world = graze.world {dim = 3}
world:add("block", shape, 0, 0, 0, {type = "static"})
world:add("ball", graze.sphere(0.5), 1.5, 1, 3, {velocity = {0, 0, -2}, response = "stop"})
local face
for _ = 1, 90 do
  local events, events_count = world:step(1 / 60)
  for i = 1, events_count do
    local event = events[i]
    if event.kind == "begin" then face = event.a == "block" and event.part_a or event.part_b end
  end
end
local _, _, z = world:pose "ball"
print(("ball that fell on the block: touches triangle %d, %.2f above it"):format(face, z - 1))
