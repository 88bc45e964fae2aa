-- Meshes: shapes, validation, every query, contacts of faces. golden_spec.lua compares answers about meshes with those
-- of `graze query`, errors_spec.lua tests messages.
local graze, support = require "graze", require "support"
local near, unpack = support.near, table.unpack or unpack -- luacheck: ignore
local box_faces, box_mesh, square_mesh, floor_mesh =
  support.box_faces, support.box_mesh, support.square_mesh, support.floor_mesh

local function names_of(list, key)
  local names = {}
  for i, entry in ipairs(list) do names[i] = entry[key] end
  table.sort(names)
  return names
end

-- ---- Shapes ----

describe("a mesh", function()
  it("is a shape with faces, of tables or plain numbers", function()
    local vertices, triangles = box_faces(1, 2, 3)
    local flat = {}
    for _, t in ipairs(triangles) do
      for _, index in ipairs(t) do flat[#flat + 1] = index end
    end
    for _, list in ipairs {triangles, flat} do
      local shape = graze.mesh(vertices, list)
      assert.are.same({"mesh", 3, true}, {shape:kind(), shape:dim(), shape:is_solid()})
      assert.are.same({vertices, triangles}, {shape:vertices(), shape:faces()})
      assert.are.equal("graze.shape (mesh, 3D)", tostring(shape))
      assert.are.equal(12, shape:at():part_count())
    end
    local ring = square_mesh(2)
    assert.are.same({"mesh", 2, true}, {ring:kind(), ring:dim(), ring:is_solid()})
    assert.are.same({{1, 2}, {2, 3}, {3, 4}, {4, 1}}, ring:faces())
    assert.are.same({{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}, ring:vertices())
    assert.are.same({0, 0}, {select("#", graze.circle(1):faces()), select("#", graze.circle(1):is_solid())})
  end)

  it("is a surface if it is open, or on request", function()
    local vertices, triangles = box_faces(1, 1, 1)
    triangles[12] = nil
    local open, surface = graze.mesh(vertices, triangles), box_mesh(1, 1, 1, {surface = true})
    local point = graze.point():at()
    assert.are.same({false, false, true}, {open:is_solid(), surface:is_solid(), box_mesh(1, 1, 1, {}):is_solid()})
    assert.are.same({"separated", "separated", "overlapping"}, {
      select(2, open:at():intersect(point)), select(2, surface:at():intersect(point)),
      select(2, box_mesh(1, 1, 1, {surface = false}):at():intersect(point))})
    assert.is_false(square_mesh(1, {surface = true}):is_solid())
    assert.is_false((square_mesh(1, {surface = true}):at():contains(0, 0)))
  end)

  it("has faces as parts, which move with it", function()
    local mesh = box_mesh(1, 1, 1):at(10, 0, 0)
    local face, edge = mesh:part(2), square_mesh(1):at(10, 0):part(1)
    assert.are.same({"triangle", "segment"}, {face:shape():kind(), edge:shape():kind()})
    assert.are.same({9, -1, -1, 11, 1, -1}, {face:bounds()})
    assert.are.same({9, -1, 11, -1}, edge:corners())
    mesh:set_pose(0, 0, 0)
    assert.are.same({9, -1, -1, 11, 1, -1}, {face:bounds()}) -- a part is a copy
    assert.are.same({-1, -1, -1, 1, 1, -1}, {mesh:part(2):bounds()})
  end)

  it("may have a margin", function()
    local rounded = box_mesh(1, 1, 1):with_margin(0.5):at()
    near(1.5, (rounded:distance(graze.point():at(3, 0, 0))), 1e-12)
    assert.are.same({-1.5, -1.5, -1.5, 1.5, 1.5, 1.5}, {rounded:bounds()})
  end)
end)

describe("a validation", function()
  local vertices, triangles = box_faces(1, 1, 1)

  -- The errors of changed faces, as texts.
  local function errors(change, options)
    local list, texts = {}, {}
    for i, t in ipairs(triangles) do list[i] = t end
    change(list)
    local report = graze.validate_mesh(vertices, list, options)
    for i, e in ipairs(report.errors) do
      texts[i] = ("%s %d %s %s"):format(e.kind, e.face, tostring(e.corner), tostring(e.other))
    end
    return texts, report
  end

  it("finds nothing in a box, and its volume", function()
    local texts, report = errors(function() end, {intersections = true})
    assert.are.same({{}, true, true, 8, nil}, {texts, report.closed, report.oriented, report.volume, report.area})
    report = graze.validate_mesh({-1, -1, 1, -1, 1, 1, -1, 1}, {1, 2, 2, 3, 3, 4, 4, 1})
    assert.are.same({true, true, 4, nil}, {report.closed, report.oriented, report.area, report.volume})
  end)

  it("finds every error, with its place", function()
    local texts, report = errors(function(list) list[2] = {1, 9, 2} end)
    assert.are.equal("bad_index 2 2 nil", texts[1])
    assert.is_false(report.closed)
    assert.are.equal("bad_index 3 1 nil", errors(function(list) list[3] = {0, 1, 2} end)[1])
    assert.are.same({"degenerate_face 13 nil nil", "shared_edge 2 3 nil"},
                    (errors(function(list) list[13] = {1, 2, 2} end)))
    assert.are.same({"open_edge 1 3 nil", "open_edge 4 1 nil", "open_edge 10 1 nil"},
                    (errors(function(list) table.remove(list, 2) end)))
    assert.are.same({"duplicate_face 13 nil 5", "shared_edge 2 3 nil", "shared_edge 5 2 nil", "shared_edge 5 3 nil",
                     "orientation 13 1 5", "orientation 13 2 5", "orientation 13 3 5"},
                    (errors(function(list) list[13] = list[5] end)))
    texts, report = errors(function(list) list[1] = {1, 4, 3} end)
    assert.are.same({true, false, 0}, {report.closed, report.oriented, report.volume})
    assert.are.same({"orientation 2 1 1", "orientation 8 3 1", "orientation 10 3 1"}, texts)
  end)

  it("finds faces that meet on request", function()
    local both, faces = {}, {}
    for i = 0, 1 do
      local v, t = box_faces(1, 1, 1)
      for k = 1, 8 do both[8 * i + k] = {v[k][1] + i, v[k][2] + i / 2, v[k][3] + i / 4} end
      for k = 1, 12 do faces[12 * i + k] = {t[k][1] + 8 * i, t[k][2] + 8 * i, t[k][3] + 8 * i} end
    end
    assert.are.equal(0, #graze.validate_mesh(both, faces).errors)
    assert.are.equal(0, #graze.validate_mesh(both, faces, {intersections = false}).errors)
    local found = graze.validate_mesh(both, faces, {intersections = true}).errors
    assert.is_true(#found > 5, #found)
    for _, e in ipairs(found) do
      assert.are.same({"intersection", nil}, {e.kind, e.corner})
      assert.is_true(e.face > 12 and e.other <= 12)
    end
  end)

  it("finds the errors of edges", function()
    local report = graze.validate_mesh({{0, 0}, {1, 0}, {1, 1}, {2, 2}}, {{1, 2}, {2, 3}, {4, 4}})
    assert.are.same({{kind = "degenerate_face", face = 3}, {kind = "open_edge", face = 1, corner = 1},
                     {kind = "open_edge", face = 2, corner = 2}}, report.errors)
    assert.are.same({false, false, 0}, {report.closed, report.oriented, report.area})
  end)
end)

-- ---- Queries ----

describe("queries about a mesh of a box", function()
  -- Random poses, seed 20261127.
  local below = support.generator(20261127)
  local function random(size) return (below(2 ^ 20) / 2 ^ 19 - 1) * size end
  local function place(shape, size)
    local numbers = {random(size), random(size)}
    if shape:dim() == 3 then numbers[3] = random(size) end
    for _ = 1, shape:dim() == 3 and 4 or 1 do numbers[#numbers + 1] = random(3) end
    return shape:at(unpack(numbers))
  end

  -- Pairs of the same body as a mesh and as a convex shape.
  local bodies = {
    {box_mesh(1, 1.5, 0.5), graze.box(1, 1.5, 0.5), {graze.box(0.5, 0.7, 0.9), graze.sphere(0.8), graze.point(),
     graze.capsule(0.3, 0.5), graze.segment(-1, 0, 0, 1, 0.5, 0), box_mesh(0.3, 0.9, 0.4)}},
    {square_mesh(1), graze.box(1, 1), {graze.box(0.5, 0.7), graze.circle(0.8), graze.point2(), square_mesh(0.5)}},
  }

  it("return the relation and the distance of the box", function()
    local seen, answer = {}, graze.answer()
    for i = 1, 1200 do
      local body = bodies[i % 2 + 1]
      local other = place(body[3][below(#body[3]) + 1], 2)
      local mesh = place(body[1], 1)
      local box = body[2]:at(mesh:pose())
      local _, relation = mesh:intersect(other)
      seen[relation] = (seen[relation] or 0) + 1
      assert.are.equal(select(2, box:intersect(other)), relation)
      assert.are.equal(relation, select(2, other:intersect(mesh)))
      local expected, distance = (box:distance(other)), (mesh:distance(other, nil, answer))
      assert.is_true(answer.part_a >= 1 and answer.part_a <= mesh:part_count())
      if relation == "separated" then
        near(expected, distance, 1e-9)
        if other:part_count() == 1 then near(expected, (mesh:part(answer.part_a):distance(other)), 1e-9) end
        assert.is_true(answer.lower <= expected + 1e-9 and answer.upper >= expected - 1e-9)
        assert.is_false(mesh:penetration(other) or false)
      else
        if other:part_count() == 1 then -- the interval contains the depth of the box
          assert.is_true(answer.lower <= expected + 1e-9 and answer.upper >= expected - 1e-9, answer.upper)
        end
        near(-distance, (mesh:penetration(other)), 1e-12)
      end
      assert.are.equal(relation == "separated" and 0 or 1, select(2, mesh:intersect_list {other}))
      local _, distances = other:distance_list {mesh, box}
      assert.are.equal(2, #distances)
      if relation == "separated" then near(distances[1], distances[2], 1e-9) end
      local point = {random(1.5), random(1.5), mesh:dim() == 3 and random(1.5) or nil}
      assert.are.same({box:contains(unpack(point))}, {mesh:contains(unpack(point))})
    end
    assert.is_true(seen.separated > 200 and seen.overlapping > 200, seen.separated .. " " .. seen.overlapping)
  end)

  it("return the first contact of the box, and name the face", function()
    local hits, casts, result = 0, 0, graze.cast_result()
    local fast = graze.options {min_distance = false}
    for i = 1, 1200 do
      local body = bodies[i % 2 + 1]
      local dim, mesh = body[1]:dim(), place(body[1], 1)
      local box, other = body[2]:at(mesh:pose()), place(body[3][below(#body[3]) + 1], 4)
      local origin, direction = {}, {}
      for k = 1, dim do origin[k], direction[k] = random(4), random(2) end
      local ray = {unpack(origin)}
      for k = 1, dim do ray[dim + k] = direction[k] end
      ray[2 * dim + 1], ray[2 * dim + 2] = 5, fast
      local expected = box:raycast(unpack(ray))
      ray[2 * dim + 3] = result
      local t = mesh:raycast(unpack(ray))
      assert.are.equal(expected == nil, t == nil)
      if t and t > 0 then
        hits = hits + 1
        near(expected, t, 1e-9)
        ray[2 * dim + 3] = nil
        near(t, (mesh:part(result.part_a):raycast(unpack(ray))), 1e-9)
        ray[2 * dim + 2] = nil
        local list, count = mesh:raycast_parts(unpack(ray))
        local earliest = math.huge
        for n = 1, count do earliest = math.min(earliest, list[n].t) end
        near(t, earliest, 1e-9)
        assert.are.equal(#list, count)
      end
      if not box:intersect(other) then
        local motion = {velocity_a = direction, t_max = 3}
        expected = box:cast(other, motion)
        t = mesh:cast(other, motion, fast, result)
        assert.are.equal(expected == nil, t == nil)
        if t then
          casts = casts + 1
          near(expected, t, 1e-6)
          assert.is_true(result.part_a >= 1 and result.part_a <= mesh:part_count())
        end
      end
    end
    assert.is_true(hits > 100 and casts > 80, hits .. " " .. casts)
  end)

  it("return the manifold of the box on a floor", function()
    local floor, flat = floor_mesh(4):at(0, 0, 0), graze.box(2, 2, 1):at(0, 0, -1)
    local crate = graze.box(0.25, 0.25, 0.25):at(0.5, 0.9, 0.245)
    for _, ground in ipairs {floor, flat} do
      local _, _, nx, ny, nz = graze.manifold(ground, crate)
      assert.are.same({0, 0, 1}, {nx + 0, ny + 0, nz})
    end
    near(0.005, (floor:penetration(crate)), 1e-12)
  end)

  it("are proved, and a wrong bound is refuted", function()
    local mesh, answer = box_mesh(1, 1, 1):at(0, 0, 0), graze.answer()
    for _, body in ipairs {graze.sphere(0.5):at(3, 0.2, 0), graze.box(1, 1, 1):at(2.5, 2.5, 1),
                           box_mesh(1, 1, 1):at(0, 3, 1)} do
      graze.distance(mesh, body, {proof = true}, answer)
      assert.are.equal("separated", answer.relation)
      assert.is_true(graze.verify(mesh, body, answer))
      body:set_pose(0.5, 0, 0)
      assert.are.same({false, "refuted"}, {graze.verify(mesh, body, answer)})
    end
    -- As docs/lua.md states: surfaces and separated bodies always, the depth of solids sometimes.
    local seen = {}
    for i = 1, 400 do
      local surface = i % 2 == 0
      local a, b = square_mesh(1, {surface = surface}):at(0, 0, random(3)), graze.box(0.4, 0.3)
      local x, y, angle = random(1.8), random(1.8), random(3)
      b = b:at(x, y, angle)
      for _, name in ipairs {"intersect", "distance"} do
        graze[name](a, b, {proof = true}, answer)
        local good, why = graze.verify(a, b, answer)
        assert.are.equal(not good and "unproven" or nil, why)
        local key = ("%s %s"):format(name, answer.relation)
        seen[key] = (seen[key] or 0) + 1
        assert.is_true(good or not surface and key == "distance overlapping", key)
      end
    end
    assert.is_true(seen["distance separated"] > 80 and seen["distance overlapping"] > 80)
    local large = floor_mesh(23):at(0, 0, 0) -- 1058 faces
    support.rejected("options.proof: too many pairs of parts (1119364), must be at most 1048576", graze.distance, large,
                     large, {proof = true}, answer)
    local point = graze.point():at(0.1, 0.2, 0.3)
    graze.intersect(mesh, point, nil, answer)
    assert.are.same({"overlapping", "in_a", true},
                    {answer.relation, answer:certificate().relation.kind, graze.verify(mesh, point, answer)})
  end)
end)

describe("contacts", function()
  local floor = floor_mesh(8):at(0, 0, 0)
  local function crate(x, y, z) return graze.box(0.5, 0.5, 0.5):at(x, y, z or 0.49) end

  it("are those of every face that the other body meets", function()
    local body, expected = crate(0.2, 0.3), {}
    for i = 1, floor:part_count() do
      if floor:part(i):intersect(body) then expected[#expected + 1] = i end
    end
    local list, count = graze.contacts(floor, body)
    assert.is_true(count >= 4 and count == #list, count)
    assert.are.same(expected, names_of(list, "part_a"))
    for _, pair in ipairs(list) do
      assert.are.equal(1, pair.part_b)
      assert.are.equal("overlapping", pair.relation)
      near(1, pair.normal.z, 1e-12)
      assert.is_true(#pair.points >= 1 and #pair.points <= 4)
      for _, point in ipairs(pair.points) do
        near(0.01, point.depth, 1e-12)
        near(0, point.point_a.z, 1e-12)
        near(-0.01, point.point_b.z, 1e-12)
        assert.are.equal(16, #point.feature)
      end
    end
    local other, same = body:contacts(floor)
    assert.are.same({count, expected}, {same, names_of(other, "part_b")})
    near(-1, other[1].normal.z, 1e-12)
  end)

  it("of two meshes name both faces", function()
    local body = box_mesh(0.5, 0.5, 0.5):at(0.2, 0.3, 0.49)
    local list, count = graze.contacts(floor, body)
    local faces = {}
    for _, pair in ipairs(list) do
      assert.are_not.equal("separated", (select(2, floor:part(pair.part_a):intersect(body:part(pair.part_b)))))
      faces[pair.part_b] = true
    end
    for face = 1, 12 do assert.are.equal(face > 4 or nil, faces[face]) end -- the sides; the bottom is below
    local more = select(2, graze.contacts(floor, body, nil, {speculative_distance = 0.02}))
    assert.is_true(count >= 8 and more > count, count .. " " .. more)
  end)

  it("fill the caller's table, empty the rest, and keep the entries", function()
    local list = {}
    local same, count = graze.contacts(floor, crate(0.2, 0.3), list)
    local first, points = list[1], list[1].points
    assert.are.equal(list, same)
    assert.are.same({0, 0}, {select(2, graze.contacts(floor, crate(0, 0, 5), list)), #list})
    assert.are.equal(count, select(2, graze.contacts(floor, crate(0.2, 0.3), list)))
    assert.is_true(first == list[1] and points == first.points)
    assert.are.same({count, 1}, {#list, select(2, graze.contacts(graze.circle(1):at(0, 0), graze.circle(1):at(1, 0)))})
  end)

  it("within a speculative distance, and none inside a solid", function()
    local body = crate(0.2, 0.3, 0.75)
    assert.are.equal(0, select(2, graze.contacts(floor, body)))
    local list, count = graze.contacts(floor, body, nil, {speculative_distance = 0.25})
    assert.is_true(count > 0)
    assert.are.equal("separated", list[1].relation)
    near(-0.25, list[1].points[1].depth, 1e-12)
    assert.are.same({true, 0}, {box_mesh(2, 2, 2):at():intersect(crate(0, 0, 0)),
                                select(2, box_mesh(2, 2, 2):at():contacts(crate(0, 0, 0)))})
  end)

  it("make no garbage in tables of the caller", function()
    local body, list, options = crate(0.2, 0.3), {}, graze.options {speculative_distance = 0.1}
    local hits, ray = {}, graze.options {min_distance = false}
    local function call()
      graze.contacts(floor, body, list, options)
      graze.raycast_parts(floor, 0.2, 0.3, 1, 0, 0, -1, 9, ray, hits)
    end
    for _ = 1, 50 do call() end
    collectgarbage()
    collectgarbage "stop"
    local before = collectgarbage "count"
    for _ = 1, 200 do call() end
    local grown = collectgarbage "count" - before
    collectgarbage "restart"
    assert.is_true(grown < 8, grown)
  end)

  it("end if a support function raises an error", function()
    local ring = square_mesh(1):at(0, 0)
    local disk = graze.user(2, support.disk):at(1.5, 0)
    local list, count = graze.contacts(ring, disk)
    assert.are.same({2}, {list[1].part_a})
    assert.is_true(count >= 1)
    local calls = 0
    local faulty = graze.user(2, function(dx, dy)
      calls = calls + 1
      if calls > 5 then error "no support" end
      return support.disk(dx, dy)
    end)
    support.rejected("no support", function() graze.contacts(ring, faulty:at(1.5, 0)) end)
    support.rejected("no support", function() graze.distance(ring, faulty:at(1.5, 0)) end)
    assert.are.equal(count, select(2, graze.contacts(ring, disk)))
  end)
end)

describe("the program about meshes in docs/lua.md", function()
  it("prints the faces in contact and on the ray", function()
    local printed = {}
    local function print(text) printed[#printed + 1] = text end
    local run = support.recipe("## Meshes", "graze, print", "solid, contacts, hits")
    local solid, contacts, hits = run(graze, print)
    assert.are.same({true, 2}, {solid, #hits})
    assert.are.equal(#contacts + #hits, #printed)
    table.sort(printed)
    assert.are.equal("triangle 1: depth 0.1", printed[1])
  end)
end)

describe("raycast_parts", function()
  it("reports every face on a ray, of compounds every part, and fills the caller's table", function()
    local mesh, hits = box_mesh(1, 2, 3):at(), {}
    local same, count = mesh:raycast_parts(-5, 0.5, 0.25, 1, 0, 0, nil, nil, hits)
    assert.are.same({hits, 2, 2}, {same, count, #hits})
    table.sort(hits, function(p, q) return p.t < q.t end)
    for i, hit in ipairs(hits) do
      near(i == 1 and 4 or 6, hit.t, 1e-9)
      assert.are.same({"hit", -1}, {hit.outcome, hit.normal.x})
      near(i == 1 and -1 or 1, hit.point.x, 1e-9)
      assert.is_truthy(mesh:part(hit.part):raycast(-5, 0.5, 0.25, 1, 0, 0))
    end
    assert.are.equal(1, select(2, mesh:raycast_parts(-5, 0.5, 0.25, 1, 0, 0, 5, nil, hits)))
    assert.are.same({0, 0}, {select(2, mesh:raycast_parts(-5, 9, 0, 1, 0, 0, nil, nil, hits)), #hits})
    local row = graze.compound {graze.circle(1):at(0, 0), graze.circle(1):at(5, 0)}:at(0, 0)
    assert.are.same({1, 2}, names_of(row:raycast_parts(-9, 0, 1, 0), "part"))
    assert.are.same({1}, names_of(graze.circle(1):at(0, 0):raycast_parts(-9, 0, 1, 0), "part"))
  end)
end)
