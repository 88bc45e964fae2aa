-- graze_sat.lua against the C module: the same decisions on every pair, the same axes but for rounding.
local graze, sat, support = require "graze", require "graze_sat", require "support"
local below

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

-- Two polygons: hulls of random points, as the C module makes them.
local function random_pair(lattice)
  local made = {}
  repeat
    local _, report = graze.hull(random_points(3 + below(6), lattice), 2)
    if report.affine_dim == 2 then made[#made + 1] = report.vertices end
  until #made == 2
  return made[1], made[2]
end

local function placed(vertices) return graze.polygon(vertices):at(0, 0) end

-- Both modules decide alike; returns the relation.
local function same_relation(ours, theirs, a, b)
  local _, relation = graze.intersect(a, b)
  assert.are.equal(relation, sat.relation(ours, theirs))
  assert.are.equal(relation ~= "separated", sat.meets(ours, theirs))
  assert.are.equal(relation ~= "separated", (sat.sat(ours, theirs)))
  return relation
end

local function same_convexity(points)
  local is, winding, report = graze.convexity(points)
  assert.are.same({is, winding}, {sat.convexity(points)})
  local ours, area = sat.winding(points)
  assert.are.equal(winding, ours)
  assert.is_true(math.abs(report.area - area) <= 1e-12 * (1 + area))
  return is, winding
end

local function none() return {separated = 0, touching = 0, overlapping = 0} end

describe("graze_sat", function()
  it("decides as the C module does, touching included, and moves the second polygon out of the first", function()
    below = support.generator(20261122)
    local found = none()
    for i = 1, 4000 do
      local p, q = random_pair(i % 2 == 1)
      local ours, a = sat.polygon(p), placed(p)
      local moved = sat.polygon(q):move_to(below(9) - 4, below(9) - 4)
      local b = placed(moved:vertices()) -- rounded where it is moved to
      local relation = same_relation(ours, moved, a, b)
      found[relation] = found[relation] + 1
      local meets, separation, nx, ny = sat.sat(ours, moved)
      local _, c_separation, c_nx, c_ny = graze.sat(a, b)
      if meets then
        b:set_pose(-separation * nx, -separation * ny)
        assert.is_true(math.abs((graze.distance(a, b))) < 1e-12)
        b:set_pose(0, 0)
      end
      assert.is_true(math.abs(separation - c_separation) <= 1e-13 * 16, separation - c_separation)
      if nx * c_nx + ny * c_ny < 0.999 then -- another axis must be as good
        local a_min, a_max = a:project(nx, ny)
        local b_min, b_max = b:project(nx, ny)
        assert.is_true(math.abs(math.max(b_min - a_max, a_min - b_max) - c_separation) < 1e-12)
      end
    end
    assert.is_true(found.separated > 1000 and found.touching > 150 and found.overlapping > 400)
  end)

  it("computes convexity and winding as the C module does", function()
    below = support.generator(42)
    local count = {convex = 0, ccw = 0, cw = 0, none = 0}
    for i = 1, 6000 do
      local points = random_points(3 + below(4), i % 3 > 0)
      if i % 5 == 0 then points[#points + 1] = points[#points] end
      local is, winding = same_convexity(points)
      count[winding] = count[winding] + 1
      if is then count.convex = count.convex + 1 end
    end
    assert.is_true(count.convex > 1000 and count.convex < 4000, count.convex)
    assert.is_true(count.ccw > 1500 and count.cw > 1500 and count.none > 50)
  end)

  it("is exact where rounded cross products have wrong signs", function()
    -- Points of a grid of doubles beside the line through two others (Kettner, Mehlhorn, Pion, Schirra, Yap 2008).
    local wrong, flat = 0, 0
    same_convexity {0.1, 0.1, 0.7 + 2 ^ -53, 0.7, 0.3, 0.3} -- thin: the area vanishes in doubles
    for i = 0, 31 do
      for j = 0, 31 do
        local x, y = 0.5 + i * 2 ^ -53, 0.5 + j * 2 ^ -53
        local _, winding = same_convexity {x, y, 12, 12, 24, 24}
        local rounded = (12 - x) * (24 - y) - (12 - y) * (24 - x)
        local sign = winding == "ccw" and 1 or winding == "cw" and -1 or 0
        if (rounded > 0 and 1 or rounded < 0 and -1 or 0) ~= sign then wrong = wrong + 1 end
        if sign == 0 then flat = flat + 1 end
        for _, pair in ipairs {{{12, 12, 24, 24, 30, 0}, {x, y, -9, 20, -9, 10}},
                               {{12, 12, 24, 24, 0, 20}, {x, y, 12.5, 12.5, 40, -40}}} do
          same_relation(sat.polygon(pair[1]), sat.polygon(pair[2]), placed(pair[1]), placed(pair[2]))
        end
      end
    end
    assert.is_true(wrong > 100 and flat >= 16, ("%d %d"):format(wrong, flat))
  end)

  it("decides about the hull of a polygon that is rounded far away, or rejects it", function()
    below = support.generator(31)
    local found, rejected, hulls = none(), 0, 0
    -- The hull of the rounded vertices, by the C module; nil where it is flat.
    local function rounded(vertices, x, y)
      local points = {}
      for i, v in ipairs(vertices) do points[i] = {v[1] + x, v[2] + y} end
      local _, report = graze.hull(points, 2)
      if report.affine_dim < 2 then return nil, false end
      return placed(report.vertices), #report.vertices < #points
    end
    for _ = 1, 3000 do
      local p, q = random_pair(false)
      local x = 1e15 * 2 ^ (below(1000) / 1000 * 5)
      local y, dx, dy = -x / 3, below(9) - 4, below(9) - 4
      local a, is_hull = rounded(p, x, y)
      local b = rounded(q, x + dx, y + dy)
      local ours, theirs = sat.polygon(p), sat.polygon(q)
      assert.are.same({a ~= nil, b ~= nil},
                      {(pcall(ours.move_to, ours, x, y)), (pcall(theirs.move_to, theirs, x + dx, y + dy))})
      if is_hull then hulls = hulls + 1 end
      if a and b then
        local relation = same_relation(ours, theirs, a, b)
        found[relation] = found[relation] + 1
      else
        rejected = rejected + 1
      end
    end
    assert.is_true(found.separated > 300 and found.touching > 100 and found.overlapping > 400 and rejected > 100 and
                   hulls > 300)
    local triangle = sat.polygon {0, 0, 1, 0, 0, 1}:move_to(2, 3)
    support.rejected("x, y: too far away (1e+17, 0), must leave the rounded polygon an area", triangle.move_to,
                     triangle, 1e17, 0)
    assert.are.same({2, 3, 3, 3, 2, 4}, triangle:vertices())
    -- A vertex on an edge may come to lie inside when it is turned.
    local fewer, square = 0, sat.polygon {0, 0, 1, 0, 3, 0, 3, 3, 0, 3}
    for i = 1, 100 do
      local corners = square:move_to(0, 0, i / 7):vertices()
      assert.is_true((sat.convexity(corners)))
      if #corners < 10 then fewer = fewer + 1 end
    end
    assert.is_true(fewer > 10 and fewer < 90, fewer)
  end)
end)
