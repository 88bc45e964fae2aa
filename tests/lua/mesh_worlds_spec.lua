-- Meshes in worlds and snapshots, and the lifetime of their memory.
local graze, support = require "graze", require "support"
local near, collect = support.near, support.collect
local box_mesh, square_mesh, floor_mesh = support.box_mesh, support.square_mesh, support.floor_mesh

-- ---- Worlds ----

describe("a world with meshes", function()
  local function ground()
    local world = graze.world {dim = 3}
    world:add("floor", floor_mesh(8), 0, 0, 0, {type = "static"})
    return world
  end

  it("stops, slides and carries bodies of every type", function()
    local world = ground()
    world:add("ball", graze.sphere(0.5), 0.2, 0.3, 2, {velocity = {0, 0, -3}, response = "stop"})
    world:add("crate", box_mesh(0.5, 0.5, 0.5), -2, 0.3, 2, {velocity = {1, 0, -3}, response = "slide"})
    world:add("lift", box_mesh(0.5, 0.5, 0.5), 2.5, 2.5, 3, {type = "kinematic", velocity = {0, 0, 1}})
    local parts = {}
    for _ = 1, 60 do
      local events, count = world:step(1 / 60)
      for i = 1, count do
        local e = events[i]
        if e.kind == "begin" then parts[e.b] = e.part_a end
      end
    end
    assert.are.equal(0, world:last_step().overlaps)
    local floor = world:placed "floor"
    for _, name in ipairs {"ball", "crate"} do
      local _, _, z = world:pose(name)
      near(0.5, z, 1e-3)
      assert.is_true(z >= 0.5)
      assert.is_true(floor:part(parts[name]):distance(world:placed(name)) < 2, name)
    end
    assert.is_true((world:pose "crate") > -1.5)
    near(4, (select(3, world:pose "lift")), 1e-9)
    assert.are.equal("mesh", world:shape("crate"):kind())
    assert.are.same({"mesh", 128}, {floor:shape():kind(), floor:part_count()})
  end)

  it("moves a body along a mesh in 2D", function()
    local world = graze.world()
    world:add("cave", graze.mesh2({0, 0, 20, 0, 20, 9, 0, 9}, {1, 2, 2, 3, 3, 4, 4, 1}, {surface = true}), 0, 0,
              {type = "static"})
    world:add("player", graze.box(0.5, 1), 5, 4)
    local x, y, contacts, count = world:move("player", 30, -5)
    assert.is_true(count >= 2 and contacts[1].other == "cave")
    near(19.5, x)
    near(1, y)
    world:set_shape("player", square_mesh(0.5))
    x, y = world:move("player", 10, 30)
    near(10, x)
    near(8.5, y)
  end)

  it("names faces in its queries", function()
    local world = ground()
    local ball, result = graze.sphere(0.5):at(0.2, 0.3, 3), graze.cast_result()
    local item, t = world:raycast(0.2, 0.3, 3, 0, 0, -1, 9, nil, result)
    assert.are.equal("floor", item)
    near(3, t, 1e-9)
    local face, floor = result.part_a, world:placed "floor"
    assert.is_truthy(floor:part(face):raycast(0.2, 0.3, 3, 0, 0, -1))
    assert.are.equal(face, world:raycast_all(0.2, 0.3, 3, 0, 0, -1)[1].part_a)
    local neighbor = world:nearest(ball)[1]
    assert.are.same({"floor", 1}, {neighbor.item, neighbor.part_a})
    near(2.5, (floor:part(neighbor.part_b):distance(ball)), 1e-9)
    local hit = world:cast_all(ball, {velocity = {0, 0, -5}})[1]
    assert.are.same({"floor", 1, neighbor.part_b}, {hit.item, hit.part_a, hit.part_b})
    world:cast(ball, {velocity = {0, 0, -5}}, nil, result)
    assert.are.equal(hit.part_b, result.part_b)
    assert.are.same({{"floor"}, 1}, {world:overlap(graze.sphere(1):at(0, 0, 0.5))})
    assert.are.same({{}, 0}, {world:overlap(ball)})
    world:add("crate", graze.box(0.5, 0.5, 0.5), 0.2, 0.3, 0.49)
    assert.is_true(select(2, world:manifold("floor", "crate")) >= 1)
    assert.are.same({{{a = "floor", b = "crate"}}, 1}, {{world:pairs()[1]}, select(2, world:pairs())})
  end)

  it("is restored from a snapshot while it has its meshes", function()
    local world = ground()
    world:add("crate", box_mesh(0.5, 0.5, 0.5), 0, 0, 2, {velocity = {0, 0, -1}, response = "stop"})
    local snapshot = world:save()
    local function run()
      for _ = 1, 90 do world:step(1 / 60) end
      return {world:pose "crate"}
    end
    local first = run()
    for _ = 1, 2 do
      world:restore(snapshot)
      collect()
      assert.are.same(2, (select(3, world:pose "crate")))
      assert.are.same(first, run())
    end
    -- The same faces in another mesh are accepted, other faces are not.
    world:set_shape("crate", box_mesh(0.5, 0.5, 0.5))
    collect()
    world:restore(snapshot)
    collect()
    near(1.5, (world:placed("crate"):distance(world:placed "floor")), 1e-9)
    world:set_shape("crate", box_mesh(0.5, 0.5, 0.25))
    support.rejected('snapshot.items[2]: mesh, which bytes do not store ("crate")', world.restore, world, snapshot)
    support.rejected("mesh, which bytes do not store", world.restore, graze.world {dim = 3}, snapshot)
    assert.are.equal(2, world:count())
  end)

  it("steps on threads", function()
    local world = graze.world {dim = 3, threads = 2}
    world:add("floor", floor_mesh(8), 0, 0, 0, {type = "static"})
    for i = 1, 12 do
      world:add(i, i % 2 == 0 and box_mesh(0.2, 0.2, 0.2) or graze.sphere(0.2), i % 4 - 1.5, i % 3 - 1, 1 + i / 8,
                {velocity = {0.1, 0, -2}, response = "slide"})
    end
    for _ = 1, 60 do world:step(1 / 60) end
    for i = 1, 12 do assert.is_true(select(3, world:pose(i)) >= 0.2) end
  end)
end)

-- ---- Lifetimes ----

describe("the memory of a mesh", function()
  if _VERSION == "Lua 5.4" then collectgarbage "incremental" end -- as in lifetime_spec.lua

  local point = graze.point():at(3, 0, 0)
  local holders = {
    placed = function(shape) return shape:at(0, 0, 0) end,
    margin = function(shape) return shape:with_margin(0):at(0, 0, 0) end,
    ["shape of placed"] = function(shape) return shape:at(3, 3, 3):shape():at(0, 0, 0) end,
    part = function(shape) return shape:at(0, 0, 0):part(12) end,
    world = function(shape)
      local world = graze.world {dim = 3}
      world:add("it", shape, 0, 0, 0)
      return {distance = function(_, other) return (world:nearest(other))[1].distance end}
    end,
    ["body of a freed world"] = function(shape)
      local world = graze.world {dim = 3}
      world:add("it", shape, 0, 0, 0)
      local placed = world:placed "it"
      world:free()
      return placed
    end,
    ["body in a used place"] = function(shape)
      local world, into = graze.world {dim = 3}, box_mesh(9, 9, 9):at(0, 0, 0)
      world:add("it", shape, 0, 0, 0)
      world:placed("it", into)
      world:remove "it"
      return into
    end,
    ["world that got it later"] = function(shape)
      local world = graze.world {dim = 3}
      world:add("it", box_mesh(9, 9, 9), 0, 0, 0)
      world:set_shape("it", shape)
      world:restore(world:save())
      return world:placed "it"
    end,
  }
  for name, hold in pairs(holders) do
    for _, free in ipairs {false, true} do
      it(("is kept by: %s%s"):format(name, free and ", when the shape is freed" or ""), function()
        local shape, waste = box_mesh(1, 1, 1), {}
        local kept = hold(shape)
        if free then shape:free() end
        shape = nil -- luacheck: ignore
        collect()
        for i = 1, 50 do waste[i] = box_mesh(5, 5, 5) end -- in the memory that a wrong release would free
        near(2, (kept:distance(point)), 1e-9)
        assert.are.equal(50, #waste)
      end)
    end
  end

  it("is released when the shape is, and freed shapes are rejected", function()
    local shape = box_mesh(1, 1, 1)
    shape:free()
    for _, name in ipairs {"at", "faces", "is_solid", "vertices", "free"} do
      support.rejected("shape: already freed", function() return shape[name](shape) end)
    end
    assert.are.equal("graze.shape (freed mesh, 3D)", tostring(shape))
  end)

  it("counts for the collector", function()
    local vertices, edges = {}, {} -- of plain numbers: tables would delay the collector of Lua 5.1
    for i = 1, 10000 do vertices[i] = i % 101 end
    for i = 1, 10000 do edges[i] = i % 5000 + 1 end
    local weak = setmetatable({}, {__mode = "k"})
    for _ = 1, 400 do weak[graze.mesh2(vertices, edges, {surface = true})] = true end
    local there = 0
    for _ in pairs(weak) do there = there + 1 end
    assert.is_true(there < 200, there .. " of 400 were there")
  end)

  it("survives collections in any order", function()
    for round = 1, 20 do
      local shape = box_mesh(1, 1, 1)
      local objects = {shape, shape:at(0, 0, 0), shape:with_margin(0.5), shape:at(0, 0, 0):part(3)}
      objects[5] = objects[3]:at(0, 0, 0)
      local world = graze.world {dim = 3}
      world:add("it", objects[3], 0, 0, 0)
      objects[6], shape, world = world, nil, nil -- luacheck: ignore
      for i = 0, 5 do
        objects[(i * 5 + round) % 6 + 1] = nil
        collect()
      end
    end
  end)
end)
