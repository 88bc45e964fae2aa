-- graze_sat.lua against the C module: the same decisions on every pair, the same axes but for rounding.
local graze, sat = require "graze", require "graze_sat"

-- The same numbers in every Lua: a multiplicative generator that doubles hold (Park, Miller 1988).
local state
local function seed(value) state = value end
local function below(n)
  state = state * 16807 % 2147483647
  return state % n
end

local function convex(points) return (sat.convexity(points)) end

-- Lattice points touch and line up often; others never do.
local function random_points(n, lattice)
  local points = {}
  for i = 1, n do
    if lattice then
      points[i] = {below(5) - 2, below(5) - 2}
    else
      points[i] = {(below(1000003) - 500000) / 131071, (below(1000003) - 500000) / 131071}
    end
  end
  return points
end

-- A polygon: the hull of random points, as the C module makes it; nil where it is flat.
local function random_polygon(lattice)
  local _, report = graze.hull(random_points(3 + below(6), lattice), 2)
  if report.affine_dim == 2 then return report.vertices end
end

describe("graze_sat", function()
  it("decides as the C module does, touching included", function()
    seed(20261122)
    local met = {separated = 0, touching = 0, overlapping = 0}
    local pairs_asked = 0
    while pairs_asked < 4000 do
      local lattice = pairs_asked % 2 == 0
      local p, q = random_polygon(lattice), random_polygon(lattice)
      if p and q then
        pairs_asked = pairs_asked + 1
        local dx, dy = below(9) - 4, below(9) - 4
        local a = graze.polygon(p):at(0, 0)
        -- Moved to a place where its vertices are rounded, it is asked about those.
        local moved = sat.polygon(q):move_to(dx, dy)
        local rounded = graze.polygon(moved:vertices()):at(0, 0)
        local _, relation = graze.intersect(a, rounded)
        local here = sat.polygon(p)
        met[relation] = met[relation] + 1
        assert.are.equal(relation, sat.relation(here, moved))
        assert.are.equal(relation ~= "separated", sat.meets(here, moved))
        local meets, separation, nx, ny = sat.sat(here, moved)
        local c_meets, c_separation, c_nx, c_ny = graze.sat(a, rounded)
        assert.are.equal(c_meets, meets)
        assert.is_true(math.abs(separation - c_separation) <= 1e-13 * 16, separation - c_separation)
        local reached = nx * c_nx + ny * c_ny -- the same axis, unless two are equally good
        if reached < 0.999 then
          local a_min, a_max = a:project(nx, ny)
          local b_min, b_max = rounded:project(nx, ny)
          assert.is_true(math.abs(math.max(b_min - a_max, a_min - b_max) - c_separation) < 1e-12)
        end
      end
    end
    assert.is_true(met.separated > 1000 and met.touching > 150 and met.overlapping > 400,
                   ("%d %d %d"):format(met.separated, met.touching, met.overlapping))
  end)

  it("moves the second polygon out of the first by the separation", function()
    seed(7)
    local deep = 0
    for _ = 1, 500 do
      local p, q = random_polygon(false), random_polygon(false)
      if p and q then
        local meets, separation, nx, ny = sat.sat(sat.polygon(p), sat.polygon(q))
        if meets then
          deep = deep + 1
          local distance = graze.distance(graze.polygon(p):at(0, 0),
                                          graze.polygon(q):at(-separation * nx, -separation * ny))
          assert.is_true(math.abs(distance) < 1e-12, distance)
        end
      end
    end
    assert.is_true(deep > 100 and deep < 499, deep)
  end)

  it("judges convexity and winding as the C module does", function()
    seed(42)
    local count = {convex = 0, ccw = 0, cw = 0, none = 0}
    for i = 1, 6000 do
      local points = random_points(3 + below(4), i % 3 > 0)
      if i % 5 == 0 then points[#points + 1] = points[#points] end
      local is, winding = graze.convexity(points)
      local ours, our_winding = sat.convexity(points)
      assert.are.equal(is, ours)
      assert.are.equal(winding, our_winding)
      local report = select(3, graze.convexity(points))
      local _, area = sat.winding(points)
      assert.is_true(math.abs(report.area - area) <= 1e-12 * (1 + area))
      count[winding] = count[winding] + 1
      if is then count.convex = count.convex + 1 end
    end
    assert.is_true(count.convex > 1000 and count.convex < 4000, count.convex)
    assert.is_true(count.ccw > 1500 and count.cw > 1500 and count.none > 50)
  end)

  it("is exact one unit in the last place apart", function()
    local e = 2 ^ -52
    local a = sat.polygon {0, 0, 1, 0, 1, 1, 0, 1}
    assert.are.equal("touching", sat.relation(a, sat.polygon {1, 0, 2, 0, 2, 1, 1, 1}))
    assert.are.equal("separated", sat.relation(a, sat.polygon {1 + e, 0, 2, 0, 2, 1, 1 + e, 1}))
    assert.are.equal("overlapping", sat.relation(a, sat.polygon {1 - e / 2, 0, 2, 0, 2, 1, 1 - e / 2, 1}))
    local meets, separation = sat.sat(a, sat.polygon {1 + e, 0, 2, 0, 2, 1, 1 + e, 1})
    assert.is_false(meets)
    assert.is_true(separation >= 0)
    -- Thin triangles whose long sides are one unit apart: the areas vanish in doubles.
    local t = {0.1, 0.1, 0.7 + 2 ^ -53, 0.7, 0.3, 0.3}
    assert.are.equal(graze.convexity(t), (sat.convexity(t)))
    assert.are.equal((select(2, graze.convexity(t))), (sat.winding(t)))
  end)

  it("is exact where rounded cross products have wrong signs", function()
    -- Points of a grid of doubles beside the line through two others (Kettner, Mehlhorn, Pion, Schirra, Yap 2008).
    local wrong, flat = 0, 0
    for i = 0, 31 do
      for j = 0, 31 do
        local x, y = 0.5 + i * 2 ^ -53, 0.5 + j * 2 ^ -53
        local triangle = {x, y, 12, 12, 24, 24}
        local is, winding = graze.convexity(triangle)
        local ours, our_winding = sat.convexity(triangle)
        assert.are.equal(is, ours)
        assert.are.equal(winding, our_winding)
        local rounded = (12 - x) * (24 - y) - (12 - y) * (24 - x)
        local sign = winding == "ccw" and 1 or winding == "cw" and -1 or 0
        if (rounded > 0 and 1 or rounded < 0 and -1 or 0) ~= sign then wrong = wrong + 1 end
        if sign == 0 then flat = flat + 1 end
        local below_line, above = {12, 12, 24, 24, 30, 0}, {x, y, -9, 20, -9, 10}
        local _, relation = graze.intersect(graze.polygon(below_line):at(0, 0), graze.polygon(above):at(0, 0))
        assert.are.equal(relation, sat.relation(sat.polygon(below_line), sat.polygon(above)))
        local across = {12, 12, 24, 24, 0, 20}
        local beside = {x, y, 12.5, 12.5, 40, -40}
        local _, other = graze.intersect(graze.polygon(across):at(0, 0), graze.polygon(beside):at(0, 0))
        assert.are.equal(other, sat.relation(sat.polygon(across), sat.polygon(beside)))
      end
    end
    assert.is_true(wrong > 100 and flat >= 16, ("%d %d"):format(wrong, flat))
  end)

  it("does the examples of the texts", function()
    local square = sat.polygon {4, 4, 4, 6, 6, 6, 6, 4}
    assert.is_false(sat.sat(sat.polygon {0, 0, 0, 3, 3, 3, 3, 0}, square))
    assert.is_true(sat.sat(sat.polygon {0, 0, 0, 5, 5, 4, 3, 0}, square))
  end)

  it("takes points in all forms, and whole numbers", function()
    assert.are.equal("ccw", (sat.winding {{x = 0, y = 0}, {x = 1, y = 0}, {x = 0, y = 1}}))
    assert.are.equal("cw", (sat.winding {{0, 0}, {0, 1}, {1, 0}}))
    local big = 3037000500 -- its square is beyond the whole numbers of Lua 5.3
    assert.is_true((sat.convexity {-big, -big, big, -big, big, big, -big, big}))
  end)

  it("refuses what is no convex polygon", function()
    for _, bad in ipairs {{}, {1}, {0, 0}, {0, 0, 1, 1, 2, 2}, {0, 0, 4, 0, 1, 1, 0, 4}, {0, 0, 1, 0, 0 / 0, 1},
                          {{0, 0}, 3, {1, 1}}, {0, 0, 1, 0, 0, math.huge}} do
      assert.has_error(function() sat.polygon(bad) end)
    end
    assert.has_error(function() sat.sat(sat.polygon {0, 0, 1, 0, 0, 1}, {0, 0, 1, 0, 0, 1}) end)
    assert.has_error(function() sat.polygon {0, 0, 1, 0, 0, 1}:move_to(0 / 0, 0) end)
    assert.is_true(convex {0, 0, 2, 0, 4, 0, 4, 4})
  end)

  it("decides about the hull of what is rounded far away, or refuses", function()
    seed(31)
    local met, refused, hulls, asked = {separated = 0, touching = 0, overlapping = 0}, 0, 0, 0
    -- The hull of the rounded vertices, by the C module; nil where it is flat.
    local function rounded(vertices, x, y)
      local points = {}
      for i, v in ipairs(vertices) do points[i] = {v[1] + x, v[2] + y} end
      local _, report = graze.hull(points, 2)
      if report.affine_dim < 2 then return nil, false end
      return graze.polygon(report.vertices):at(0, 0), #report.vertices < #points
    end
    while asked < 3000 do
      local p, q = random_polygon(false), random_polygon(false)
      if p and q then
        asked = asked + 1
        local far = 1e15 * 2 ^ (below(1000) / 1000 * 5)
        local x, y = far, -far / 3
        local dx, dy = below(9) - 4, below(9) - 4
        local a, dropped = rounded(p, x, y)
        local b = rounded(q, x + dx, y + dy)
        local ours, theirs = sat.polygon(p), sat.polygon(q)
        local a_good, b_good = pcall(ours.move_to, ours, x, y), pcall(theirs.move_to, theirs, x + dx, y + dy)
        assert.are.same({a ~= nil, b ~= nil}, {a_good, b_good})
        if dropped then hulls = hulls + 1 end
        if a and b then
          local _, relation = graze.intersect(a, b)
          met[relation] = met[relation] + 1
          assert.are.equal(relation, sat.relation(ours, theirs))
          assert.are.equal(relation ~= "separated", sat.meets(ours, theirs))
          assert.are.equal(relation ~= "separated", (sat.sat(ours, theirs)))
        else
          refused = refused + 1
        end
      end
    end
    assert.is_true(met.separated > 300 and met.touching > 100 and met.overlapping > 400, "unlike")
    assert.is_true(refused > 100 and hulls > 300,
                   ("%d %d %d %d %d"):format(met.separated, met.touching, met.overlapping, refused, hulls))
    local triangle = sat.polygon {0, 0, 1, 0, 0, 1}:move_to(2, 3)
    local good, fault = pcall(triangle.move_to, triangle, 1e17, 0)
    assert.is_false(good)
    assert.is_truthy(fault:find("(1e+17, 0) is too far away for a polygon of this size", 1, true), fault)
    assert.are.same({2, 3, 3, 3, 2, 4}, triangle:vertices())
    -- A vertex on an edge may come to lie inside when it is turned.
    local fewer = 0
    local square = sat.polygon {0, 0, 1, 0, 3, 0, 3, 3, 0, 3}
    for i = 1, 100 do
      local corners = square:move_to(0, 0, i / 7):vertices()
      assert.is_true((sat.convexity(corners)))
      if #corners < 10 then fewer = fewer + 1 end
    end
    assert.is_true(fewer > 10 and fewer < 90, fewer)
  end)

  it("shows the caller's line in errors", function()
    local square = sat.polygon {0, 0, 1, 0, 1, 1, 0, 1}
    for i, wrong in ipairs {
      function() local _ = sat.polygon(3) end, function() local _ = sat.polygon {} end,
      function() local _ = sat.polygon {1} end, function() local _ = sat.polygon {0, 0, 1, 1, 2, 2} end,
      function() local _ = sat.polygon {0, 0, 1, 0 / 0} end, function() local _ = sat.polygon {{0, 0}, {1}} end,
      function() local _ = sat.polygon {{0, 0}, 1} end, function() local _ = sat.winding {} end,
      function() local _ = sat.convexity {1} end, function() local _ = square:move_to("far", 0) end,
      function() local _ = square:move_to(0, 1e17) end, function() local _ = sat.sat(square, 1) end,
      function() local _ = sat.meets({}, square) end, function() local _ = sat.relation(square) end,
    } do
      local good, fault = pcall(wrong)
      assert.is_false(good)
      assert.is_truthy(fault:find("sat_spec.lua:%d+: "), ("%d: %s"):format(i, fault))
    end
  end)
end)
