-- Runs query lines (docs/man/graze.1) through the Lua module; the answers have the form of `graze query`.
local graze = require "graze"
local json = require "dkjson"

local lines = {}

-- Null is nil, as everywhere in Lua.
function lines.decode(text)
  local value, _, message = json.decode(text, 1, nil, nil, nil)
  return assert(value, message)
end

-- Every line of a file, as text and as a decoded table.
function lines.read(path)
  local found = {}
  for text in assert(io.open(path)):lines() do found[#found + 1] = {text = text, value = lines.decode(text)} end
  return found
end

-- ---- Shapes ----

local spread = unpack or table.unpack

-- The fields that constructors take as numbers, in this order.
local fields = {
  point = {}, point2 = {}, segment = {"vertices"}, triangle = {"vertices"}, box = {"half_extents"}, circle = {"radius"},
  sphere = {"radius"}, ellipse = {"radii"}, ellipsoid = {"radii"}, cylinder = {"radius", "half_length"},
  cone = {"radius", "half_length"}, capsule = {"radius", "half_length"}, capsule2 = {"radius", "half_length"},
  halfspace = {"normal", "offset"},
}

local function append(list, value)
  if type(value) ~= "table" then list[#list + 1] = value end
  for _, part in ipairs(type(value) == "table" and value or {}) do append(list, part) end
  return list
end

local make = {}

function make.hull(s, dim) return graze.hull_points(s.vertices, dim) end

function make.polygon(s)
  if s.concave == "decompose" then return graze.concave(s.vertices, {holes = s.holes}) end
  return graze.polygon(s.vertices)
end

function make.mesh(s, dim)
  local faces = {}
  for _, index in ipairs(append({}, s.triangles or s.edges)) do faces[#faces + 1] = index + 1 end
  return graze[dim == 2 and "mesh2" or "mesh"](s.vertices, faces, {surface = s.solid == false})
end

function make.compound(s, dim)
  local parts = {}
  for i, part in ipairs(s.parts) do parts[i] = lines.place(part, dim) end
  return graze.compound(parts)
end

function lines.place(s, dim)
  local name, numbers = fields[s.type .. dim] and s.type .. dim or s.type, {}
  for _, field in ipairs(fields[name] or {}) do append(numbers, s[field]) end
  local shape = make[name] and make[name](s, dim) or graze[name](spread(numbers))
  if s.margin then shape = shape:with_margin(s.margin) end
  local pose = {spread(s.position or {0, 0, 0}, 1, dim)}
  return shape:at(spread(append(pose, s.rotation)))
end

-- ---- Queries ----

local keys = {
  pair = {"clearance", "max_distance", "tolerance", "max_iterations", "method", "start"},
  cast = {"clearance", "tolerance", "max_iterations", "method", "samples"},
  manifold = {"clearance", "tolerance", "max_iterations", "full"},
}

-- The same workspace as `graze query`; brute force needs all of it.
local function options(q, kind)
  local o = {workspace = 8192}
  for _, key in ipairs(keys[kind]) do o[key] = q[key] end
  if kind == "manifold" then o.speculative_distance = q.max_distance or 1e40 end -- the largest: all contact points
  if q.proof and q.certificate ~= false then o.proof = true end
  return o
end

local function tuple(...) return select("#", ...) > 1 and {...} or nil end

local function xyz(p, dim) return dim == 3 and {p.x, p.y, p.z} or {p.x, p.y} end

-- The face that decides, with the key of query lines.
local function set_faces(result, q, answer)
  if q.a.type == "mesh" then result.triangle_a = answer.part_a - 1 end
  if q.b and q.b.type == "mesh" then result.triangle_b = answer.part_b - 1 end
  return result
end

local function answer_of(q, answer, bounds)
  local result = {relation = answer.relation, path = answer.algorithm, iterations = answer.iterations,
                  exact = answer.exact, stopped = answer.stopped ~= "none" and answer.stopped or nil}
  local c = answer:certificate()
  result.certificate = {relation = c.relation, lower = c.lower, upper = c.upper, parts = c.parts}
  if bounds then
    result.distance, result.lower, result.upper = answer.distance, answer.lower, answer.upper
    result.point_a, result.point_b = tuple(answer:point_a()), tuple(answer:point_b())
    result.normal = tuple(answer:normal())
    if answer.stopped == "beyond max_distance" then result.distance, result.upper = nil, nil end
  end
  return set_faces(result, q, answer)
end

-- A function returns the values of the answer or cast result that it filled, or nil.
local function check_returns(expected, ...)
  local wrong = (...) == nil and #expected > 0 and "nil returned" or (...) ~= nil and lines.differ({...}, expected)
  assert(not wrong, wrong)
end

local function results_of(name, answer)
  if name == "intersect" then return {answer.relation ~= "separated", answer.relation} end
  if not answer.distance or name == "penetration" and answer.relation == "separated" then return {} end
  return {name == "distance" and answer.distance or -answer.distance, answer:normal()}
end

local run = {}

local function pair(name, bounds)
  return function(q)
    local a, b, answer = lines.place(q.a, q.dim), lines.place(q.b, q.dim), graze.answer()
    local o = options(q, name == "manifold" and name or "pair")
    local function verify() return graze.verify(a, b, answer, {clearance = q.clearance}) end
    if name == "manifold" then
      local contacts = graze.manifold(a, b, nil, o, answer)
      return answer_of(q, answer, bounds), verify, contacts
    end
    local returned = {graze[name](a, b, o, answer)}
    check_returns(results_of(name, answer), spread(returned))
    return answer_of(q, answer, bounds), verify
  end
end

run.intersect, run.distance, run.penetration = pair("intersect"), pair("distance", true), pair("penetration", true)

function run.manifold(q)
  local result, verify, contacts = pair("manifold", true)(q)
  result.points = {}
  for i, c in ipairs(contacts) do
    result.points[i] = {point_a = xyz(c.point_a, q.dim), point_b = xyz(c.point_b, q.dim), depth = c.depth,
                        feature = c.feature}
  end
  return result, verify
end

local function cast_of(q, i)
  return set_faces({result = i.outcome, starts = i.start_relation, t = i.t, t_lower = i.t_lower, t_upper = i.t_upper,
          point = tuple(i:point()), normal = tuple(i:normal()), position_a = tuple(i:position_a()),
          position_b = tuple(i:position_b()), min_distance = i.min_lower and {i.min_lower, i.min_upper},
          t_min = i.t_min, path = i.algorithm, iterations = i.iterations, exact = i.exact}, q, i)
end

local function check_hit(cast, ...)
  check_returns(append({cast.t, cast:point()}, {cast:normal()}), ...)
end

-- `toi` turns the bodies, `shapecast` does not.
local function moved(turning)
  return function(q)
    local cast, m = graze.cast_result(), q.motion
    local motion = {velocity_a = m.velocity_a, velocity_b = m.velocity_b, t_max = m.t_max}
    if turning then
      motion.angular_velocity_a, motion.angular_velocity_b = m.angular_velocity_a, m.angular_velocity_b
    end
    local a, b = lines.place(q.a, q.dim), lines.place(q.b, q.dim)
    check_hit(cast, graze.cast(a, b, motion, options(q, "cast"), cast))
    local function verify() return graze.verify_cast(a, b, motion, cast, {clearance = q.clearance}) end
    local whole = q.a.type == "mesh" or q.b.type == "mesh" -- only the deciding faces can be verified
    return cast_of(q, cast), not whole and verify or nil
  end
end

run.shapecast, run.toi = moved(false), moved(true)

function run.raycast(q)
  local cast, m, ray = graze.cast_result(), q.motion, {}
  for k = 1, q.dim do ray[k], ray[q.dim + k] = m.origin[k], m.direction[k] end
  ray[2 * q.dim + 1], ray[2 * q.dim + 2], ray[2 * q.dim + 3] = m.t_max or math.huge, options(q, "cast"), cast
  check_hit(cast, graze.raycast(lines.place(q.a, q.dim), spread(ray)))
  local result = cast_of(q, cast)
  result.hit = cast.outcome ~= "clear"
  result.result, result.starts, result.position_a, result.position_b = nil, nil, nil, nil
  return result
end

function run.aabb(q)
  local b = {lines.place(q.a, q.dim):bounds()}
  return {min = {spread(b, 1, q.dim)}, max = {spread(b, q.dim + 1)}}
end

function run.hull(q)
  local _, report = graze.hull(q.a.vertices, q.dim)
  local indices = {}
  for i, k in ipairs(report.indices) do indices[i] = k - 1 end
  local result = {affine_dim = report.affine_dim, vertices = report.vertices, indices = indices}
  if q.dim == 2 then
    result.area = report.area
  else
    result.volume, result.faces = report.volume, {}
    result.surface_area = report.affine_dim == 2 and 2 * report.area or report.area -- of both sides
    for i, face in ipairs(report.faces) do
      result.faces[i] = {}
      for k, v in ipairs(face) do result.faces[i][k] = v - 1 end
    end
  end
  return result
end

function run.fit_box(q)
  local placed, measure = graze.fit_box(q.a.vertices, q.effort)
  local p = {placed:pose()}
  return {center = {spread(p, 1, q.dim)}, rotation = {spread(p, q.dim + 1)}, area = q.dim == 2 and measure or nil,
          volume = q.dim == 3 and measure or nil}
end

function run.convexity(q)
  local convex, winding, report = graze.convexity(q.a.vertices)
  local problems = {}
  for i, p in ipairs(report.problems) do
    problems[i] = {kind = p.kind, index = p.index - 1, other = p.other and p.other - 1}
  end
  return {convex = convex, simple = report.simple, winding = winding, area = report.area, problems = problems}
end

function run.decompose(q)
  local d = graze.decompose(q.a.vertices, {holes = q.a.holes, verify = true})
  return {pieces = d.pieces, area = d.area, count = d.count, fewest = d.fewest}, function() return d.verified end
end

-- The answer, and a function that verifies it (or nil); nothing for queries that the module does not have.
function lines.run(q)
  q.dim = q.dim or 3
  if run[q.query] and not q.filter then return run[q.query](q) end
end

-- ---- Comparing ----

-- The first difference, as a path into the answers, or nil. Numbers must have the same bits. Additional keys of
-- `graze query` are ignored.
function lines.differ(lua, command, path)
  path = path or "answer"
  if type(lua) == "table" and type(command) == "table" then
    for key, value in pairs(lua) do
      local difference = lines.differ(value, command[key], path .. "." .. tostring(key))
      if difference then return difference end
    end
    if #lua ~= #command then return ("%s: %d and %d elements"):format(path, #lua, #command) end
  elseif type(lua) == "number" and type(command) == "number" then
    local ours, theirs = ("%.17g"):format(lua), ("%.17g"):format(command)
    if ours ~= theirs and (lua ~= 0 or command ~= 0) then -- the command writes -0 as 0
      return ("%s: %s and %s"):format(path, ours, theirs)
    end
  elseif lua ~= command then
    return ("%s: %s and %s"):format(path, tostring(lua), tostring(command))
  end
end

return lines
