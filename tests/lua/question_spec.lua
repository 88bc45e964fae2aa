-- The questions by name: what comes back, what an answer holds, proofs, traces, callbacks.
local graze = require "graze"

local function near(expected, value, slack)
  assert.is_true(math.abs(value - expected) <= (slack or 1e-12), ("%.17g is not %.17g"):format(value, expected))
end

local unit = function() return graze.box(0.5, 0.5, 0.5):at(0, 0, 0) end

describe("the first five lines", function()
  it("say what the C program says", function()
    local a, b, answer = unit(), graze.sphere(1):at(3, 0, 0), graze.answer()
    local gap, nx, ny, nz = graze.distance(a, b, nil, answer)
    assert.are.equal("gap 1.5 in [1.4999999999999392, 1.5000000000000311], separated",
                     ("gap %.17g in [%.17g, %.17g], %s"):format(gap, answer.lower, answer.upper, answer.relation))
    assert.are.same({1, 0, 0}, {nx, ny, nz})
    assert.is_true(graze.verify(a, b, answer))
  end)
end)

describe("the examples of the texts", function()
  local square = graze.polygon {4, 4, 4, 6, 6, 6, 6, 4}:at(0, 0)

  it("are separated and overlapping by separating axes", function()
    local meets, separation, nx, ny = graze.sat(graze.polygon {0, 0, 0, 3, 3, 3, 3, 0}:at(0, 0), square)
    assert.is_false(meets)
    assert.are.equal(1, separation)
    assert.are.equal(1, math.abs(nx) + math.abs(ny))
    local other = graze.polygon {0, 0, 0, 5, 5, 4, 3, 0}:at(0, 0)
    meets, separation, nx, ny = graze.sat(other, square)
    assert.is_true(meets)
    near(graze.distance(other, square), separation)
    other:set_pose(separation * nx, separation * ny)
    near(0, graze.distance(other, square))
  end)

  it("touch at (3, 3), in the steps of the texts", function()
    local a = graze.polygon {0, 0, 3, 0, 3, 3, 0, 3}:at(0, 0)
    local first = graze.polygon {2, 2, 5, 2, 5, 5, 2, 5}:at(0, 0)
    local second = graze.polygon {3, 3, 5, 3, 3, 5, 3, 5}:at(0, 0)
    local points = {}
    local options = graze.options {start = {1, 0}, trace = function(step)
      if step.phase == "gjk" then points[#points + 1] = ("%g,%g"):format(step.point[1], step.point[2]) end
    end}
    local meets, relation = graze.gjk(a, first, options)
    assert.is_true(meets)
    assert.are.equal("overlapping", relation)
    assert.are.same({"1,-2", "-5,1", "1,1"}, points)
    points = {}
    meets, relation = graze.gjk(a, second, options)
    assert.is_true(meets)
    assert.are.equal("touching", relation)
    assert.are.same({"0,-3", "0,0"}, points)
  end)
end)

describe("distance and depth", function()
  it("return numbers alone", function()
    assert.are.same({1.5, 1, 0, 0}, {graze.distance(unit(), graze.sphere(1):at(3, 0, 0))})
    local depth, nx, ny = graze.penetration(graze.box(1, 1):at(0, 0), graze.box(1, 1):at(1.5, 0))
    near(0.5, depth)
    assert.are.same({1, 0}, {nx, ny})
    assert.is_nil(graze.penetration(graze.box(1, 1):at(0, 0), graze.box(1, 1):at(3, 0)))
    near(0.5, (graze.epa(graze.box(1, 1):at(0, 0), graze.box(1, 1):at(1.5, 0))))
  end)

  it("obey the options", function()
    local a, b = graze.circle(1):at(0, 0), graze.circle(1):at(5, 0)
    near(2, (graze.distance(a, b, {clearance = 1})))
    local distance, why = graze.distance(a, b, {max_distance = 1})
    assert.is_nil(distance)
    assert.are.equal("string", type(why))
    assert.has_error(function() graze.distance(a, b, {clearence = 1}) end)
    assert.has_error(function() graze.distance(graze.ellipse(1, 2):at(0, 0), b, {method = "exact"}) end)
  end)

  it("are proved on request, and a wrong claim is refused", function()
    local a, b = graze.cloud {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}}:at(0, 0, 0), unit()
    local answer = graze.answer()
    graze.distance(a, b, {proof = true}, answer)
    assert.are.equal("overlapping", answer.relation)
    assert.is_true(graze.verify(a, b, answer))
    local c = answer:certificate()
    assert.is_true(#c.upper.surface.faces >= 4)
    a:set_pose(10, 0, 0)
    local good, why = graze.verify(a, b, answer)
    assert.is_false(good)
    assert.are.equal("refuted", why)
  end)

  it("are proved as the documents say", function()
    local state = 11
    local function random()
      state = state * 16807 % 2147483647
      return state / 2147483647 - 0.5
    end
    local convex = {graze.polygon {0, 0, 2, 0, 1, 2}, graze.circle(1), graze.ellipse(1, 2), graze.capsule2(0.5, 1)}
    local kinds = {
      boxes = {{graze.box(1, 0.7), graze.box(2, 1):with_margin(0.3)}, {graze.box(0.6, 1.5)}},
      halfspace = {{graze.halfspace(0, 1, 0)}, convex},
      convex = {convex, convex},
      concave = {{graze.concave {0, 0, 4, 0, 4, 4, 2, 1, 0, 4}}, convex},
    }
    local answer, seen = graze.answer(), {}
    local function ask(kind, a, b, name, options)
      graze[name](a, b, options, answer)
      local good, why = graze.verify(a, b, answer)
      assert.are.equal(not good and "unproven" or nil, why)
      local key = ("%s %s %s%s"):format(kind, name, answer.relation, options and " proof" or "")
      seen[key] = seen[key] or {[true] = 0, [false] = 0}
      seen[key][good] = seen[key][good] + 1
    end
    for kind, two in pairs(kinds) do
      for i = 1, 400 do
        local a, b = two[1][i % #two[1] + 1]:at(0, 0, 9 * random()), two[2][math.floor(i / 7) % #two[2] + 1]
        b = b:at(8 * random(), 8 * random(), 9 * random())
        for _, name in ipairs {"intersect", "distance", "penetration"} do
          ask(kind, a, b, name)
          ask(kind, a, b, name, {proof = true})
        end
      end
    end
    local rarely = {["convex distance overlapping"] = true, ["convex penetration overlapping"] = true}
    for key, count in pairs(seen) do
      local never = key:find "^concave" and not key:find "proof$" and key ~= "concave intersect overlapping"
      if rarely[key] then
        assert.is_true(count[false] > 20 and count[true] > 5, key)
      elseif never then
        assert.is_true(count[true] == 0, key)
      else
        assert.is_true(count[false] == 0, key)
      end
    end
    for kind in pairs(kinds) do
      for _, relation in ipairs {"separated", "overlapping"} do
        local count = seen[kind .. " distance " .. relation]
        assert.is_true(count[true] + count[false] > 40, kind .. " " .. relation)
      end
    end
  end)

  it("of compounds name the parts and can prove all pairs", function()
    local u = graze.concave({0, 0, 6, 0, 6, 6, 4, 6, 4, 2, 2, 2, 2, 6, 0, 6}):at(0, 0)
    local ball, answer = graze.circle(0.5):at(3.25, 4), graze.answer()
    assert.are.equal(0.25, (graze.distance(u, ball, {proof = true}, answer)))
    assert.are.equal(3, u:part_count())
    assert.are.equal(3, answer.part_a)
    near(0.25, (graze.distance(u:part(answer.part_a), ball)))
    assert.are.equal(3, #answer:certificate().parts)
    assert.is_true(graze.verify(u, ball, answer))
  end)

  it("take 2D with 2D only", function()
    local _, message = pcall(graze.distance, graze.circle(1):at(0, 0), unit())
    assert.is_truthy(message:find("b: 3D, where 2D is wanted", 1, true))
  end)
end)

describe("sat", function()
  it("shows every axis, until told to stop", function()
    local a, b = graze.box(1, 1, 1):at(0, 0, 0), graze.box(1, 1, 1):at(3, 0.5, 0, 1, 2, 3, 4)
    local axes = {}
    graze.sat(a, b, nil, function(axis) axes[#axes + 1] = axis end)
    assert.are.equal(15, #axes)
    assert.are.equal("face_a", axes[1].kind)
    assert.are.equal("edges", axes[15].kind)
    near(axes[1].b[1] - axes[1].a[2], axes[1].separation)
    local count = 0
    graze.sat(a, b, nil, function()
      count = count + 1
      return count < 4
    end)
    assert.are.equal(4, count)
  end)
end)

describe("manifold", function()
  it("fills the caller's table, and takes away what is left over", function()
    local a, b, contacts = graze.box(5, 1):at(0, 0), graze.box(1, 1):at(2, 1.875), {}
    local same, count, nx, ny = graze.manifold(a, b, contacts)
    assert.are.equal(contacts, same)
    assert.are.same({2, 0, 1}, {count, nx, ny})
    assert.are.same({x = 1, y = 1}, contacts[1].point_a)
    near(0.125, contacts[2].depth)
    assert.are.equal(16, #contacts[1].feature)
    local first = contacts[1]
    b:set_pose(2, 5)
    assert.are.equal(0, (select(2, graze.manifold(a, b, contacts, {max_distance = 1}))))
    assert.are.equal(0, #contacts)
    b:set_pose(2, 1.875)
    graze.manifold(a, b, contacts)
    assert.are.equal(first, contacts[1])
  end)
end)

describe("motion", function()
  it("meets what samples miss", function()
    local pellet = graze.capsule(0.025, 0.0125):at(-25, 0.5, 0.5, 1, 0, 1, 0)
    local wall = graze.box(3.75e-6, 2, 2):at(0, 0, 0)
    local impact, motion = graze.impact(), {velocity_a = {75, 0, 0}}
    local t, x, _, _, nx = graze.cast(pellet, wall, motion, nil, impact)
    near(0.33283, t, 1e-5)
    near(0, x, 1e-5)
    assert.are.equal(1, nx)
    assert.are.equal("hit", impact.result)
    assert.is_true(graze.verify_cast(pellet, wall, motion, impact))
    assert.is_nil(graze.cast(pellet, wall, motion, {method = "discrete", samples = 2}))
  end)

  it("proves that there is none, and how near it comes", function()
    local a, b, impact = graze.circle(1):at(0, 0), graze.circle(1):at(5, 3), graze.impact()
    local motion = {velocity_a = {10, 0}}
    assert.is_nil(graze.cast(a, b, motion, nil, impact))
    near(1, impact.min_lower, 1e-9)
    near(0.5, impact.t_min, 1e-9)
    assert.is_true(graze.verify_cast(a, b, motion, impact))
    motion.velocity_a[2] = 6
    assert.is_false(graze.verify_cast(a, b, motion, impact))
  end)

  it("turns, with every step proved", function()
    local rod, peg, impact = graze.box(2, 0.05):at(0, 0), graze.circle(0.1):at(0, 1.5), graze.impact()
    local motion = {angular_velocity_a = 10, t_max = 0.6}
    local t = graze.sweep(rod, peg, motion, {proof = true}, impact)
    near(math.pi / 20, t, 0.02)
    assert.is_true(#impact:certificate().steps >= 1)
    assert.is_true(graze.verify_sweep(rod, peg, motion, impact))
    local x, y, w, z = graze.pose_after(rod, motion, math.pi / 10)
    near(0, x)
    near(0, y)
    near(0, w / z - math.cos(math.pi / 2) / math.sin(math.pi / 2), 1e-9)
  end)

  it("is proved as the documents say", function()
    local ball, bar, impact = graze.circle(0.5):at(-5, 1), graze.box(0.5, 0.2):at(-5, 1), graze.impact()
    local u = graze.concave {0, 0, 6, 0, 6, 6, 4, 6, 4, 2, 2, 2, 2, 6, 0, 6}:at(0, 0)
    local motion = {velocity_a = {10, 0}}
    assert.is_truthy(graze.cast(ball, u, motion, nil, impact))
    assert.is_true(graze.verify_cast(ball:part(impact.part_a), u:part(impact.part_b), motion, impact))
    assert.has_error(function() graze.verify_cast(ball, u, motion, impact) end)
    motion.angular_velocity_a = 1
    assert.is_truthy(graze.sweep(bar, u, motion, {proof = true}, impact))
    assert.has_error(function() graze.verify_sweep(bar, u, motion, impact) end)
    for i = 1, u:part_count() do
      graze.sweep(bar, u:part(i), motion, {proof = true}, impact)
      assert.is_true(graze.verify_sweep(bar, u:part(i), motion, impact))
      graze.sweep(bar, u:part(i), motion, nil, impact)
      assert.are.same({false, "unproven"}, {graze.verify_sweep(bar, u:part(i), motion, impact)})
    end
    assert.is_truthy(graze.raycast(ball, -9, 1, 1, 0, 9, nil, impact))
    assert.is_true(graze.verify_cast(ball, graze.point2():at(-9, 1), {velocity_b = {1, 0}, t_max = 9}, impact))
  end)

  it("casts rays", function()
    local t, x, y, nx, ny = graze.raycast(graze.circle(1):at(0, 0), -5, 0, 1, 0)
    near(4, t, 1e-11)
    near(-1, x, 1e-11)
    near(0, y)
    near(-1, nx)
    near(0, ny)
    assert.is_nil(graze.raycast(graze.circle(1):at(0, 0), -5, 0, 1, 0, 3.9))
    assert.is_nil(graze.raycast(graze.circle(1):at(0, 0), -5, 2, 1, 0))
  end)
end)

describe("outlines", function()
  it("are judged", function()
    local convex, winding, report = graze.convexity {0, 0, 4, 4, 4, 0, 0, 2}
    assert.is_false(convex)
    assert.are.equal("cw", winding)
    assert.are.same({{kind = "edges_cross", index = 1, other = 3}}, report.problems)
    convex, winding = graze.convexity {{0, 0}, {1, 0}, {0, 1}}
    assert.are.same({true, "ccw"}, {convex, winding})
  end)

  it("fall into convex pieces around holes", function()
    local ring, hole = {0, 0, 9, 0, 9, 9, 0, 9}, {3, 3, 3, 6, 6, 6, 6, 3}
    local d = graze.decompose(ring, {holes = {hole}, verify = true})
    assert.are.equal(72, d.area)
    assert.are.equal(d.count, #d.pieces)
    assert.is_true(d.verified)
    assert.are.equal(d.count, #d.seams)
    local shape = graze.concave(ring, {holes = {hole}})
    assert.is_false(shape:at(0, 0):contains(4, 4))
    assert.is_true(shape:at(0, 0):contains(1, 1))
    local _, message = pcall(graze.concave, {0, 0, 4, 4, 4, 0, 0, 2})
    assert.is_truthy(message:find("edges_cross", 1, true), message)
  end)

  it("have hulls and smallest boxes", function()
    local hull, report = graze.hull {{0, 0}, {4, 0}, {4, 3}, {2, 1}, {0, 3}, {2, 0}}
    assert.are.equal("hull", hull:kind())
    assert.are.same({1, 2, 3, 5}, report.indices)
    assert.are.equal(12, report.area)
    local box, area = graze.fit_box {{0, 0}, {4, 3}, {1, 7}, {-3, 4}, {1, 3}}
    near(25, area, 1e-11)
    assert.is_true(box:contains(0, 0))
    local tetrahedron, solid = graze.hull {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}}
    assert.are.equal(3, tetrahedron:dim())
    assert.are.equal(4, #solid.faces)
    near(1 / 6, solid.volume)
  end)

  it("make Minkowski differences and sums", function()
    local a, b = graze.polygon {0, 0, 3, 0, 3, 3, 0, 3}:at(0, 0), graze.polygon {2, 2, 5, 2, 5, 5, 2, 5}:at(0, 0)
    local points, pairs_of, holds = graze.minkowski(a, b)
    assert.are.equal(4, #points)
    assert.are.equal(4, #pairs_of)
    assert.is_true(holds)
    local least = {math.huge, math.huge}
    for _, p in ipairs((graze.minkowski(a, b, "sum"))) do
      least = {math.min(least[1], p[1]), math.min(least[2], p[2])}
    end
    assert.are.same({2, 2}, least)
  end)
end)

describe("one against a list", function()
  it("finds those that are not apart, and the distances", function()
    local a, list = graze.box(1, 1):at(0, 0), {}
    for i = 1, 10 do list[i] = graze.circle(0.5):at(i, 0) end
    assert.are.same({1}, graze.intersect_list(a, list))
    local found, distances = graze.distance_list(a, list, {max_distance = 2})
    assert.are.same({1, 2, 3}, found)
    near(0.5, distances[2])
  end)
end)

describe("a shape by its support function", function()
  local function disk(dx, dy)
    local length = math.sqrt(dx * dx + dy * dy)
    return dx / length, dy / length, 1e-15
  end

  it("is asked like any other, and the answer says on whose word", function()
    local answer = graze.answer()
    near(3, (graze.distance(graze.user(2, disk):at(0, 0), graze.circle(1):at(5, 0), nil, answer)), 1e-9)
    assert.is_true(answer.conditional)
  end)

  it("may raise errors, in any question, again and again", function()
    local other = graze.circle(1):at(5, 0)
    local calls = 0
    local shape = graze.user(2, function(dx, dy)
      calls = calls + 1
      if calls > 40 then error("enough") end
      return disk(dx, dy)
    end):at(0, 0)
    local failed = 0
    for _ = 1, 50 do
      local good, message = pcall(graze.distance, shape, other)
      if not good then
        failed = failed + 1
        assert.is_truthy(message:find("enough", 1, true))
      end
    end
    assert.is_true(failed > 20)
    near(3, (graze.distance(graze.circle(1):at(0, 0), other)))
  end)

  it("may ask questions itself", function()
    local inner = graze.circle(1):at(0, 0)
    local shape = graze.user(2, function(dx, dy)
      local x, y = inner:support(dx, dy)
      return x, y, 1e-15
    end)
    near(3, (graze.distance(shape:at(0, 0), graze.circle(1):at(5, 0))), 1e-9)
  end)

  it("works in coroutines", function()
    local result = coroutine.wrap(function()
      return (graze.distance(graze.user(2, disk):at(0, 0), graze.circle(1):at(5, 0)))
    end)()
    near(3, result, 1e-9)
  end)
end)

describe("a trace", function()
  it("may raise an error, which ends the question", function()
    local good, message = pcall(graze.distance, unit(), graze.sphere(1):at(3, 0, 0), {trace = function()
      error "stop"
    end})
    assert.is_false(good)
    assert.is_truthy(message:find("stop", 1, true))
  end)

  it("may not ask with its own options, nor change what is asked about", function()
    local a, b, options = unit(), graze.sphere(1):at(3, 0, 0)
    options = graze.options {trace = function() graze.distance(a, b, options) end}
    local good, message = pcall(graze.distance, a, b, options)
    assert.is_false(good)
    assert.is_truthy(message:find("under way", 1, true))
    good, message = pcall(graze.distance, a, b, {trace = function() a:set_pose(0, 0, 1) end})
    assert.is_false(good)
    assert.is_truthy(message:find("nothing may be changed", 1, true))
    near(1.5, (graze.distance(a, b)))
  end)

  it("shows the polytope of EPA", function()
    local seen = 0
    graze.epa(unit(), graze.box(0.5, 0.5, 0.5):at(0.3, 0.2, 0.1), {trace = function(step)
      if step.polytope then seen = seen + #step.polytope.faces end
    end})
    assert.is_true(seen > 0)
  end)
end)

describe("placed shapes", function()
  it("tell where they are, and what they cover", function()
    local p = graze.box(1, 2):at(3, 4, math.pi / 2)
    local x, y, w, z = p:pose()
    assert.are.same({3, 4}, {x, y})
    assert.are.same({graze.half_angle(math.pi / 2)}, {w, z})
    assert.are.same({1, 2, 3, -4}, {graze.box(1, 2):at(1, 2, 3, -4):pose()})
    assert.are.same({1, 2, 3, 4, 5, 6, 7}, {graze.box(1, 2, 3):at(1, 2, 3, 4, 5, 6, 7):pose()})
    local tip_x, tip_y = graze.box(1, 0):at(0, 0, 3, 1):support(1, 0) -- cos = (9 - 1)/10, sin = 2·3·1/10
    near(0.8, tip_x)
    near(0.6, tip_y)
    local x1, y1, x2, y2 = p:bounds()
    near(1, x1)
    near(3, y1)
    near(5, x2)
    near(5, y2)
    assert.is_true(x1 <= 1 and x2 >= 5)
    near(5, (p:project(1, 0) and select(2, p:project(1, 0))))
    assert.are.same({false, "separated"}, {p:contains(0, 0)})
    assert.is_true(graze.contains(p, 3, 4))
    near(5, (p:support(1, 0)))
    assert.are.equal("box", p:shape():kind())
  end)

  it("give their corners for drawing", function()
    local corners = graze.box(1, 2):at(3, 4, 1, 1):corners() -- a quarter turn, as the half-angle pair
    local expected = {5, 3, 5, 5, 1, 5, 1, 3}
    for i = 1, 8 do near(expected[i], corners[i]) end
    local whole = graze.concave({0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2}):at(10, 20, 1, 1)
    local part = whole:part(1):corners()
    for i = 1, #part, 2 do
      near(0, (graze.distance(whole, graze.point2():at(part[i], part[i + 1]))), 1e-9)
    end
    assert.are.equal(corners, graze.segment(0, 0, 1, 1):at(0, 0):corners(corners))
    assert.are.same({0, 0, 1, 1}, corners)
  end)
end)
