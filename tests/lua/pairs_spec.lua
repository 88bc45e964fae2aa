-- Queries by name: proofs, traces, callbacks, and results without a query line. golden_spec.lua compares the results
-- with those of `graze query`.
local graze, support = require "graze", require "support"
local disk = support.disk

local function near(expected, value, slack) support.near(expected, value, slack or 1e-12) end
local function unit() return graze.box(0.5, 0.5, 0.5):at(0, 0, 0) end
local function circle(x, y) return graze.circle(1):at(x, y or 0) end
local U = {0, 0, 6, 0, 6, 6, 4, 6, 4, 2, 2, 2, 2, 6, 0, 6}

describe("distance and depth", function()
  it("are proved on request, and a wrong bound is refuted", function()
    local a = graze.hull_points({{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}}):at(0, 0, 0)
    local b, answer = unit(), graze.answer()
    graze.distance(a, b, {proof = true}, answer)
    assert.are.equal("overlapping", answer.relation)
    assert.is_true(graze.verify(a, b, answer))
    assert.is_true(#answer:certificate().upper.surface.faces >= 4)
    a:set_pose(10, 0, 0)
    assert.are.same({false, "refuted"}, {graze.verify(a, b, answer)})
  end)

  it("are proved as docs/lua.md lists", function()
    local below = support.generator(11)
    local function random() return below(2147483647) / 2147483647 - 0.5 end
    local convex = {graze.polygon {0, 0, 2, 0, 1, 2}, graze.circle(1), graze.ellipse(1, 2), graze.capsule2(0.5, 1)}
    local kinds = {
      boxes = {{graze.box(1, 0.7), graze.box(2, 1):with_margin(0.3)}, {graze.box(0.6, 1.5)}},
      halfspace = {{graze.halfspace(0, 1, 0)}, convex},
      convex = {convex, convex},
      concave = {{graze.concave {0, 0, 4, 0, 4, 4, 2, 1, 0, 4}}, convex},
    }
    local answer, seen = graze.answer(), {}
    local function count(kind, a, b, name, options)
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
          count(kind, a, b, name)
          count(kind, a, b, name, {proof = true})
        end
      end
      for _, relation in ipairs {"separated", "overlapping"} do
        local found = seen[kind .. " distance " .. relation]
        assert.is_true(found[true] + found[false] > 40, kind .. " " .. relation)
      end
    end
    for key, found in pairs(seen) do
      if key == "convex distance overlapping" or key == "convex penetration overlapping" then
        assert.is_true(found[false] > 20 and found[true] > 5, key)
      else
        local never = key:find "^concave" and not key:find "proof$" and key ~= "concave intersect overlapping"
        assert.are.equal(0, found[never and true or false], key)
      end
    end
  end)

  it("of compounds name the parts, from 1 on", function()
    local u, answer = graze.concave(U):at(0, 0), graze.answer()
    local other = graze.circle(0.5):at(3.25, 4)
    assert.are.equal(0.25, (graze.distance(u, other, {proof = true}, answer)))
    assert.are.same({3, 3, 3}, {u:part_count(), answer.part_a, #answer:certificate().parts})
    near(0.25, (graze.distance(u:part(answer.part_a), other)))
    assert.is_true(graze.verify(u, other, answer))
  end)

  it("accept a part of a compound, which is its own part, after the compound has moved", function()
    local u = graze.concave(U):at(10, 0)
    local part = u:part(1)
    local again, before = part:part(1), part:corners()
    u:set_pose(0, 0)
    collectgarbage()
    assert.are.same(before, again:corners()) -- once in the frame of the compound
    near(0, (graze.distance(part, graze.point2():at(before[1], before[2]))))
  end)
end)

describe("separating axes and manifolds", function()
  it("call back for every axis, until false", function()
    local a, b = graze.box(1, 1, 1):at(0, 0, 0), graze.box(1, 1, 1):at(3, 0.5, 0, 1, 2, 3, 4)
    local axes, count = {}, 0
    graze.sat(a, b, nil, function(axis) axes[#axes + 1] = axis end)
    assert.are.same({15, "face_a", "edges"}, {#axes, axes[1].kind, axes[15].kind})
    near(axes[1].b[1] - axes[1].a[2], axes[1].separation)
    graze.sat(a, b, nil, function()
      count = count + 1
      return count < 4
    end)
    assert.are.equal(4, count)
  end)

  it("fill the caller's table, and empty the rest", function()
    local a, b, contacts = graze.box(5, 1):at(0, 0), graze.box(1, 1):at(2, 1.875), {}
    local same, count, nx, ny = graze.manifold(a, b, contacts)
    assert.are.equal(contacts, same)
    assert.are.same({2, 0, 1}, {count, nx, ny})
    assert.are.same({x = 1, y = 1}, contacts[1].point_a)
    near(0.125, contacts[2].depth)
    assert.are.equal(16, #contacts[1].feature)
    local first = contacts[1]
    b:set_pose(2, 5)
    assert.are.same({0, 0}, {select(2, graze.manifold(a, b, contacts, {speculative_distance = 2.9})), #contacts})
    assert.are.equal(2, select(2, graze.manifold(a, b, contacts, {speculative_distance = 3})))
    near(-3, contacts[1].depth)
    b:set_pose(2, 1.875)
    graze.manifold(a, b, contacts)
    assert.are.equal(first, contacts[1])
  end)
end)

describe("motion", function()
  it("proves steps, and is refuted for another motion", function()
    local rod, peg, result = graze.box(2, 0.05):at(0, 0), graze.circle(0.1):at(0, 1.5), graze.cast_result()
    local motion = {angular_velocity_a = 10, t_max = 0.6}
    near(math.pi / 20, graze.cast(rod, peg, motion, {proof = true}, result), 0.02)
    assert.is_true(#result:certificate().steps >= 1)
    assert.is_true(graze.verify_cast(rod, peg, motion, result))
    local x, y, w, z = graze.pose_after(rod, motion, math.pi / 10)
    near(0, x)
    near(0, y)
    near(0, w / z - math.cos(math.pi / 2) / math.sin(math.pi / 2), 1e-9)
    motion = {velocity_a = {10, 0}}
    assert.is_nil(graze.cast(circle(0), circle(5, 3), motion, nil, result))
    assert.is_true(graze.verify_cast(circle(0), circle(5, 3), motion, result))
    motion.velocity_a[2] = 6
    assert.is_false(graze.verify_cast(circle(0), circle(5, 3), motion, result))
    local sampled = {method = "discrete", samples = 2} -- they miss a thin wall
    assert.is_nil(graze.cast(circle(-25), graze.box(4e-6, 2):at(0, 0), {velocity_a = {75, 0}}, sampled))
  end)

  it("of compounds is verified part by part", function()
    local disk5, bar, result = graze.circle(0.5):at(-5, 1), graze.box(0.5, 0.2):at(-5, 1), graze.cast_result()
    local u, motion = graze.concave(U):at(0, 0), {velocity_a = {10, 0}}
    assert.is_truthy(graze.cast(disk5, u, motion, nil, result))
    assert.is_true(result.pairs_tested >= 1)
    assert.is_true(graze.verify_cast(disk5:part(result.part_a), u:part(result.part_b), motion, result))
    assert.has_error(function() graze.verify_cast(disk5, u, motion, result) end)
    motion.angular_velocity_a = 1
    assert.is_truthy(graze.cast(bar, u, motion, {proof = true}, result))
    assert.has_error(function() graze.verify_cast(bar, u, motion, result) end)
    for i = 1, u:part_count() do
      graze.cast(bar, u:part(i), motion, {proof = true}, result)
      assert.is_true(graze.verify_cast(bar, u:part(i), motion, result))
      graze.cast(bar, u:part(i), motion, nil, result)
      assert.are.same({false, "unproven"}, {graze.verify_cast(bar, u:part(i), motion, result)})
    end
    assert.is_truthy(graze.raycast(disk5, -9, 1, 1, 0, 9, nil, result))
    assert.is_true(graze.verify_cast(disk5, graze.point2():at(-9, 1), {velocity_b = {1, 0}, t_max = 9}, result))
  end)
end)

describe("a shape by its support function", function()
  local function user(f) return graze.user(2, f):at(0, 0) end

  it("makes answers conditional, and works in coroutines, and may query itself", function()
    local answer, inner = graze.answer(), circle(0)
    near(3, (graze.distance(user(disk), circle(5), nil, answer)), 1e-9)
    assert.is_true(answer.conditional)
    near(3, coroutine.wrap(function() return (graze.distance(user(disk), circle(5))) end)(), 1e-9)
    near(3, (graze.distance(user(function(dx, dy)
      local x, y = inner:support(dx, dy)
      return x, y, 1e-15
    end), circle(5))), 1e-9)
  end)

  it("may raise errors, in any query, again and again", function()
    local calls, failed = 0, 0
    local shape = user(function(dx, dy)
      calls = calls + 1
      if calls > 40 then error("enough") end
      return disk(dx, dy)
    end)
    for _ = 1, 50 do
      local good, message = pcall(graze.distance, shape, circle(5))
      if not good then
        failed = failed + 1
        assert.is_truthy(message:find("enough", 1, true))
      end
    end
    assert.is_true(failed > 20)
    near(3, (graze.distance(circle(0), circle(5))))
  end)
end)

describe("a trace", function()
  it("shows the steps of GJK and EPA", function()
    local points, faces = {}, 0
    local options = graze.options {start = {1, 0}, trace = function(step)
      if step.phase == "gjk" then points[#points + 1] = ("%g,%g"):format(step.point[1], step.point[2]) end
    end}
    local a = graze.polygon {0, 0, 3, 0, 3, 3, 0, 3}:at(0, 0)
    assert.are.same({true, "overlapping"}, {graze.gjk(a, graze.polygon {2, 2, 5, 2, 5, 5, 2, 5}:at(0, 0), options)})
    assert.are.same({"1,-2", "-5,1", "1,1"}, points)
    points = {}
    assert.are.same({true, "touching"}, {graze.gjk(a, graze.polygon {3, 3, 5, 3, 3, 5, 3, 5}:at(0, 0), options)})
    assert.are.same({"0,-3", "0,0"}, points)
    graze.epa(unit(), graze.box(0.5, 0.5, 0.5):at(0.3, 0.2, 0.1), {trace = function(step)
      if step.polytope then faces = faces + #step.polytope.faces end
    end})
    assert.is_true(faces > 0)
  end)
end)

describe("placed shapes", function()
  it("return positions that are integers", function()
    for _, position in ipairs(math.type and {math.mininteger, math.maxinteger - 1023} or {-2 ^ 63, 2 ^ 62}) do
      assert.are.equal(position, (graze.point2():at(position, 0):pose()))
    end
  end)

  it("return corners of parts", function()
    local whole = graze.concave({0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2}):at(10, 20, 1, 1)
    local part = whole:part(1):corners()
    for i = 1, #part, 2 do near(0, (graze.distance(whole, graze.point2():at(part[i], part[i + 1]))), 1e-9) end
  end)
end)
