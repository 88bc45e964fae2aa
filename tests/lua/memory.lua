-- memory.c runs this repeatedly, each time with less memory: examples of everything that allocates.
local graze = require "graze"

local function disk(dx, dy)
  local t = {dx, dy} -- callbacks allocate, too
  local length = math.sqrt(dx * dx + dy * dy)
  return t[1] / length, t[2] / length, 1e-15
end

local function pairs_of_shapes()
  local a, b = graze.box(1, 1):at(0, 0), graze.polygon {0, 0, 2, 0, 1, 2}:at(1.5, 0.3, 0.2)
  local answer, result, steps = graze.answer(), graze.cast_result(), {}
  graze.distance(a, b, {proof = true, trace = function(step) steps[#steps + 1] = step end}, answer)
  assert(#answer:certificate() == 0 and graze.verify(a, b, answer))
  graze.sat(a, b, nil, function(axis) steps[#steps + 1] = axis end)
  graze.manifold(a, b)
  graze.minkowski(a, b)
  graze.cast(a, b, {velocity_a = {1, 0}, angular_velocity_a = 2}, {proof = true}, result)
  graze.distance(graze.user(2, disk):at(0, 0), b, {workspace = 300})
end

local function shapes()
  graze.decompose {0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2}
  graze.convexity {0, 0, 4, 4, 4, 0, 0, 2}
  graze.hull {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
  graze.fit_box {{0, 0}, {4, 3}, {1, 7}}
  graze.compound {graze.user(2, disk):at(0, 0), graze.polygon {0, 0, 1, 0, 0, 1}:at(3, 3)}
end

local function meshes()
  local vertices = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}}
  local faces = {{1, 3, 2}, {1, 2, 4}, {1, 4, 3}, {2, 3, 4}}
  local shape, answer = graze.mesh(vertices, faces), graze.answer()
  local mesh, ball = shape:at(0, 0, 0), graze.sphere(1):at(0.5, 0.5, -0.5)
  assert(#graze.validate_mesh(vertices, {{1, 2, 3}, {1, 2, 9}, {1, 1, 2}}, {intersections = true}).errors > 3)
  assert(#shape:faces() == 4 and #shape:vertices() == 4)
  graze.distance(mesh, graze.sphere(1):at(5, 0, 0), {proof = true}, answer)
  assert(#answer:certificate().parts == 4)
  assert(#graze.contacts(mesh, ball) > 1 and #graze.raycast_parts(mesh, 0.3, 0.3, -5, 0, 0, 1) == 2)
  graze.contacts(graze.mesh2({0, 0, 2, 0, 2, 2}, {1, 2, 2, 3, 3, 1}):at(0, 0), graze.user(2, disk):at(1, 0))
  local world = graze.world {dim = 3}
  world:add("mesh", shape, 0, 0, 0, {type = "static"})
  world:add("ball", shape, 0.3, 0.3, -4, {velocity = {0, 0, 9}, response = "stop"})
  for _ = 1, 5 do world:step(0.1) end
  world:restore(world:save())
  world:placed("ball"):part(2)
end

-- Each body is added completely or not at all. The checks after a failure allocate nothing.
local function crowd()
  local world, items, disk_shape = graze.world(), {}, graze.circle(1)
  for i = 1, 70 do items[i] = {i} end
  for i, item in ipairs(items) do
    local good, message = pcall(world.add, world, item, disk_shape, 3 * i, 0)
    if not good then
      if world:count() ~= i - 1 or world:has(item) then error("a body without an item", 0) end
      if i > 1 and world:shape(items[i - 1]) ~= disk_shape then error("an item without a shape", 0) end
      error(message, 0)
    end
  end
end

-- A move either returns its contacts or moves nothing.
local function moves()
  local world = graze.world()
  world:add("p", graze.circle(0.5), 0, 0)
  for i = 1, 9 do world:add(i, graze.circle(0.5), 2 * i, 0) end
  local good, message = pcall(world.move, world, "p", 20, 0, "cross", {})
  if not good and (world:pose "p") ~= 0 then error("a move without contacts", 0) end
  if not good then error(message, 0) end
end

-- After a failed restore() the world is consistent: every item has its own body and can move.
local function check_world(world, given)
  local seen = 0
  for i = 1, 60 do
    if world:has(i) then
      seen = seen + 1
      local x, y = world:pose(i)
      if (i <= 40 and x or y) ~= 100 * i then error("an item with the body of another", 0) end
      if world:shape(i) ~= given[i <= 40 and i or 1] then error("an item with the shape of another", 0) end
      world:set_velocity(i, 0, 0)
      if (world:velocity(i)) ~= 0 then error("a body that does not move", 0) end
    end
  end
  if seen ~= world:count() then error("bodies without items", 0) end
end

local function restored()
  local world, polygons, def = graze.world(), {}, {type = "kinematic"}
  for i = 1, 40 do
    polygons[i] = graze.polygon {0, 0, i, 0, i, i, 0, i}
    world:add(i, polygons[i], 100 * i, 0, def)
  end
  local snapshot = world:save()
  for i = 2, 40, 2 do world:remove(i) end
  for i = 41, 60 do world:add(i, polygons[1], 0, 100 * i, def) end
  local good, message = pcall(world.restore, world, snapshot)
  check_world(world, polygons)
  if not good then error(message, 0) end
end

local function worlds()
  local world = graze.world()
  world:add("floor", graze.box(100, 1), 0, -1, {type = "static"})
  world:add("ring", graze.concave({0, 0, 9, 0, 9, 9, 0, 9}, {holes = {{3, 3, 3, 6, 6, 6, 6, 3}}}), 20, 20)
  world:add("disk", graze.user(2, disk), -20, 20)
  for i = 1, 20 do
    world:add({i}, graze.polygon {0, 0, 1, 0, 0, 1}, i * 2, 3, {velocity = {0, -9}, response = "slide"})
  end
  world:move("disk", 20, 0, function(item, other) return ({[other] = "slide", [item] = "touch"})[other] end)
  world:add_response("up", function(_, _, x, y) return x, y + 1 end)
  world:move("disk", 0, -3, function() return "up" end)
  for _ = 1, 5 do world:step(0.05) end
  world:overlap(graze.box(50, 50):at(0, 0), function(item) return {item} end)
  world:nearest(graze.point2():at(0, 0), nil, 12)
  world:pairs()
  local snapshot = world:save()
  world:set_pose("disk", 5, 9)
  world:restore(snapshot)
  world:raycast(-5, 0.5, 1, 0)
end

return function()
  pairs_of_shapes()
  shapes()
  meshes()
  crowd()
  moves()
  restored()
  worlds()
end
