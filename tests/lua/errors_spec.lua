-- Mistakes are errors that name the argument and its value, at the caller's line.
local graze = require "graze"

local circle, box3 = graze.circle(1), graze.box(1, 1, 1)
local a, b = circle:at(0, 0), circle:at(3, 0)
local world = graze.world()
world:add("here", circle, 0, 0)
world:add("wall", circle, 9, 0, {type = "static"})
local nan, inf = 0 / 0, 1 / 0
local unknown, coin = {}, setmetatable({}, {__tostring = function() return "the coin" end})
local nameless = setmetatable({}, {__tostring = function() error "no name" end})

-- Two that overlap, or do not. Numbers that are good by themselves lead too far there.
local function close_by(def, x)
  local pair = graze.world()
  pair:add(1, graze.polygon {0, 0, 1, 0, 0, 1}, 0, 0, def)
  pair:add(2, graze.box(0.5, 0.5), x or 0, 0.3)
  return pair
end

-- What is called, and what the message must say.
local mistakes = {
  {"a negative radius", function() graze.circle(-1) end, "radius = -1"},
  {"NaN", function() graze.circle(nan) end, "radius: a number up to 1e40", "nan"},
  {"infinity", function() graze.box(1, inf) end, "half_extents.y", "inf"},
  {"too large a number", function() graze.sphere(2e40) end, "radius", "2e+40"},
  {"a string", function() graze.sphere "1" end, 'radius: a number expected, got "1"'},
  {"nothing", function() graze.sphere() end, "bad argument #1 to 'sphere' (radius: 1 argument expected, got 0)"},
  {"too many", function() graze.sphere(1, 2) end, "bad argument #2 to 'sphere' (radius: 1 argument expected, got 2)"},
  {"neither 2D nor 3D", function() graze.box(1) end, "#2 to 'box' (x, y [, z]: 2 or 3 arguments expected, got 1)"},
  {"too many half extents", function() graze.box(1, 2, 3, 4) end,
   "bad argument #4 to 'box' (x, y [, z]: 2 or 3 arguments expected, got 4)"},
  {"a number between 2D and 3D", function() graze.segment(1, 2, 3, 4, 5) end,
   "#6 to 'segment' (ax, ay [, az], bx, by [, bz]: 4 or 6 arguments expected, got 5)"},
  {"something where nothing is taken", function() graze.version(1) end,
   "bad argument #1 to 'version' (no arguments expected, got 1)"},
  {"no second shape", function() graze.distance(a) end,
   "bad argument #2 to 'distance' (a, b [, options [, answer]]: 2 to 4 arguments expected, got 1)"},
  {"the same of a method", function() a:distance() end,
   "bad argument #1 to 'distance' (b [, options [, answer]]: 1 to 3 arguments expected, got 0)"},
  {"a method without arguments", function() world:move() end, "bad argument #1 to 'move' (item, x, y [, z] [, turn] " ..
   "[, filter [, contacts]]: 3 to 6 arguments expected, got 0)"},
  {"the same as a function", function() world.move(world) end, "bad argument #2 to 'move' (world, item, x, y [, z] "},
  {"too many for a method that takes none", function() world:count(1) end,
   "bad argument #1 to 'count' (no arguments expected, got 1)"},
  {"the same as a function", function() world.count(world, 1) end,
   "bad argument #2 to 'count' (world: 1 argument expected, got 2)"},
  {"too many after an object", function() world.pairs(world, {}, 1) end,
   "bad argument #3 to 'pairs' (world [, found]: 1 or 2 arguments expected, got 3)"},
  {"a turn too much", function() world:move("here", 1, 1, 0, nil, {}, 1) end,
   "bad argument #7 to 'move'", ": 3 to 6 arguments expected, got 7)"},
  {"a world that is none", function() world.count(a) end, "bad argument #1 to 'count' (world: graze.world() expected"},
  {"an object of another type", function() local other = {count = world.count} other:count() end,
   "calling 'count' on bad self (world: graze.world() expected, got a table)"},
  {"a pose with a word", function() a:set_pose(1, 2, "3") end, "#3 to 'set_pose' (pose: a number expected, got \"3\")"},
  {"a zero normal", function() graze.halfspace(0, 0, 1) end, "normal: a direction expected, not all of it 0"},
  {"a zero direction of a support point", function() a:support(0, 0) end,
   "direction: a direction expected, got (0, 0), which points nowhere"},
  {"a zero axis", function() box3:at():project(0, 0, 0) end,
   "axis: a direction expected, got (0, 0, 0), which points nowhere"},
  {"the support point of a half-space", function() graze.halfspace(0, 1, 0):at():support(1, 0) end,
   "placed: a halfspace has no end"},
  {"a negative half extent", function() graze.box(1, 1, -2) end,
   "half_extents.z = -2: a number from 0 on expected"},
  {"a negative half length", function() graze.capsule2(1, -1) end,
   "bad argument #2 to 'capsule2' (half_length = -1: a number from 0 on expected)"},
  {"a negative half length in 3D", function() graze.cone(1, -2) end, "#2 to 'cone' (half_length = -2"},
  {"a negative radius before a half length", function() graze.cylinder(-2, 1) end, "#1 to 'cylinder' (radius = -2"},
  {"a negative height", function() graze.box(1, -1) end, "bad argument #2 to 'box' (half_extents.y = -1"},
  {"a negative width", function() graze.box(-1, 1) end, "bad argument #1 to 'box' (half_extents.x = -1"},
  {"a negative second radius", function() graze.ellipse(1, -1) end, "bad argument #2 to 'ellipse' (radii.y = -1"},
  {"a negative third radius", function() graze.ellipsoid(1, 1, -1) end, "#3 to 'ellipsoid' (radii.z = -1"},
  {"too large a turn", function() close_by():move(1, 0, 0, 1e40) end, "bad argument #4 to 'move' (turn: a smaller " ..
   "one expected, got 1e+40, which leads to numbers larger than 1e40)"},
  {"too long a way", function() close_by(nil, 2):move(1, -1e40, 1e40) end, "bad argument #2 to 'move' (goal: a " ..
   "nearer one expected, got one at a distance of 1e+40, which leads to numbers larger than 1e40)"},
  {"too long a step", function() close_by({velocity = {1e30, 0}}):step(1e30) end, "bad argument #1 to 'step' (dt: a " ..
   "time in which nothing goes farther than 1e40, at its velocity, expected, got 1e+30)"},
  {"a table that is no item", function() world:pose(unknown) end,
   ("item: %s is not in this world"):format(tostring(unknown))},
  {"a table with a name that is no item", function() world:remove(coin) end, "item: the coin is not in this world"},
  {"a table whose name is an error", function() world:remove(nameless) end, "item: table: ", " is not in this world"},
  {"a table that is an item already", function()
    local pair = close_by()
    pair:add(coin, circle, 0, 0)
    pair:add(coin, circle, 0, 0)
  end, "item: the coin is in this world already"},
  {"too few vertices", function() graze.polygon {0, 0, 1, 0} end, "vertices: at least 3 points expected"},
  {"a placed shape in the place of a shape", function() world:add(1, a, 0, 0) end,
   "shape: a shape expected, got a placed one (placed:shape())"},
  {"a world in the place of a shape", function() world:add(1, world, 0, 0) end,
   "shape: a shape expected, got a graze.world"},
  {"an answer in the place of a placed one", function() graze.distance(a, graze.answer()) end,
   "b: a placed shape expected (shape:at(x, y)), got a graze.answer"},
  {"concave where convex is needed", function() graze.polygon {0, 0, 4, 0, 1, 1, 0, 4} end,
   "vertices[3] = (1, 1): not convex"},
  {"a hole in the numbers", function() graze.polygon {0, 0, 4, 0, 1} end,
   "x and y for every point expected, got 5 numbers"},
  {"a vertex that is none", function() graze.polygon {{0, 0}, {1}, {1, 1}} end,
   "vertices[2]: a table {x, y} or {x, y, z} expected, got one without y"},
  {"a velocity without y", function() world:set("here", {velocity = {x = 1}}) end,
   "def.velocity: a table {x, y} or {x, y, z} expected, got one without y"},
  {"a point without x", function() graze.cloud {{y = 1}} end, "points[1]: ", "got one without x"},
  {"an empty point", function() graze.cloud {{}} end, "points[1]: ", "got one without x and y"},
  {"a point of four dimensions", function() graze.cloud {{1, 2, 3, 4}} end, "points[1]: ", "got one of 4 numbers"},
  {"options in the place of contacts", function() a:manifold(b, {full = true}) end,
   'bad argument #2 to \'manifold\' (contacts: a table to fill expected, got options: one has the key "full")'},
  {"options of a manifold in a world", function() world:manifold("here", "wall", {full = true}) end,
   'bad argument #3 to \'manifold\' (contacts: a table to fill expected, got options: one has the key "full")'},
  {"a vertex with NaN", function() graze.polygon {{0, 0}, {1, nan}, {1, 1}} end, "vertices[2].y", "nan"},
  {"3D vertices of a polygon", function() graze.polygon {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}} end,
   "vertices[1]: 3D, where 2D is wanted"},
  {"an outline that crosses itself", function() graze.concave {0, 0, 4, 4, 4, 0, 0, 4} end,
   "edges_cross (edges 1 and 3)"},
  {"holes that cross", function()
    local holes = {{1, 1, 2, 1, 1, 2}, {3, 3, 6, 3, 6, 6, 3, 6}, {5, 4, 8, 4, 8, 5}}
    graze.concave({0, 0, 9, 0, 9, 9, 0, 9}, {holes = holes})
  end, "#2 to 'concave' (options.holes[2]: edges_cross (edge 2 and edge 3 of options.holes[3])"},
  {"a hole that crosses the outline", function()
    graze.decompose({0, 0, 4, 0, 4, 4, 0, 4}, {holes = {{3, 1, 6, 2, 3, 3}}})
  end, "#1 to 'decompose' (vertices[2]: edges_cross (edge 2 and edge 1 of options.holes[1])"},
  {"a hole outside", function() graze.decompose({0, 0, 1, 0, 0, 1}, {holes = {{5, 5, 6, 5, 5, 6}}}) end,
   "options.holes[1]: hole_outside (at its edge 1)"},
  {"a check of one shape", function() graze.concave({0, 0, 1, 0, 0, 1}, {verify = true}) end,
   "options.verify: graze.decompose() only takes it"},
  {"no parts", function() graze.compound {} end, "parts: a list of placed shapes expected, got an empty table"},
  {"a part without a place", function() graze.compound {circle} end, "parts[1]: a placed shape expected"},
  {"a half-space among the parts", function() graze.compound {graze.halfspace(0, 1, 0):at()} end,
   "parts[1]: a convex shape expected, no half-space, no compound"},
  {"a negative margin", function() circle:with_margin(-2) end,
   "margin = -2: a number from 0 on expected"},
  {"a pose of too few numbers", function() box3:at(1, 2) end, "position.z: a number expected"},
  {"a pose of too many", function() circle:at(1, 2, 3, 4, 5) end,
   "pose: x, y [, angle] or x, y, w, z expected, got 5 numbers"},
  {"a zero quaternion", function() box3:at(0, 0, 0, 0, 0, 0, 0) end,
   "rotation: a half-angle pair or a quaternion expected, not all of it 0"},
  {"a shape in the place of a placed one", function() graze.distance(circle, b) end,
   "a: a placed shape expected (shape:at(x, y)), got a shape without a place"},
  {"nil in the place of a placed one", function() graze.distance(a, nil) end,
   "b: a placed shape expected (shape:at(x, y)), got nil"},
  {"2D with 3D", function() graze.distance(a, box3:at()) end, "b: 3D, where 2D is wanted"},
  {"an option that there is not", function() graze.distance(a, b, {clearence = 1}) end,
   'options: no key "clearence"; there are clearance, max_distance, tolerance,', " and full"},
  {"a key of outlines that there is not", function() graze.concave({0, 0, 1, 0, 0, 1}, {hole = {}}) end,
   'options: no key "hole"; there are splitting, verify and holes'},
  {"a method that has no such answer", function() graze.distance(graze.ellipse(1, 2):at(), b, {method = "exact"}) end,
   'options.method: "exact" has no distance of an ellipsoid and a sphere'},
  {"the same by options that were read", function()
    graze.distance(graze.ellipse(1, 2):at(), b, graze.options {method = "sat"})
  end, 'options.method: "sat" has no distance of an ellipsoid and a sphere'},
  {"a workspace that is too small", function()
    graze.distance(graze.box(1, 1):at(), graze.box(2, 2):at(), {method = "brute", workspace = 3})
  end, 'options.workspace: more points expected, of which method "brute" takes one for each pair of vertices'},
  {"a start of a wrong length", function() graze.gjk(a, b, {start = {1, 0, 1}}) end,
   "options.start: 3D, where 2D is wanted"},
  {"a cache that nobody keeps", function() graze.distance(a, b, {cache = true}) end,
   "#3 to 'distance' (options.cache: forgotten with this table; graze.options {cache = true} keeps one)"},
  {"steps that nobody keeps", function() graze.sweep(a, b, {}, {steps = 9}) end,
   "#4 to 'sweep' (options.steps: kept with proof = true only)"},
  {"samples that nobody takes", function() graze.options {samples = 64} end,
   "#1 to 'options' (options.samples: method = \"discrete\" only takes them)"},
  {"a number that is a word", function() graze.options {clearance = "1"} end,
   'options.clearance: a number from 0 on expected, got "1"'},
  {"a cast with a cache", function() graze.cast(a, b, {}, graze.options {cache = true}) end,
   "options: cast takes no cache and no trace"},
  {"a method that there is not", function() graze.distance(a, b, {method = "gkj"}) end,
   "options.method: auto, gjk,", 'got "gkj"'},
  {"a negative clearance", function() graze.distance(a, b, {clearance = -1}) end,
   "options.clearance: a number from 0 on expected, got -1"},
  {"too large a clearance", function() graze.distance(a, b, {clearance = inf}) end,
   "options.clearance: a number from 0 to 1e40 expected, got inf"},
  {"half a sample", function() graze.options {samples = 2.5} end,
   "options.samples: a whole number from 2 to 1000000 expected, got 2.5"},
  {"half-spaces together", function() local h = graze.halfspace(0, 1, 0):at() graze.distance(h, h) end,
   "a and b: distance does not take such shapes, a halfspace and a halfspace"},
  {"separating axes of a compound", function() graze.sat(graze.concave {0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2}:at(), a) end,
   "a and b: sat does not take such shapes, a compound and a sphere"},
  {"an answer that is none", function() graze.distance(a, b, nil, {}) end,
   "answer: graze.answer() expected, got a table"},
  {"an answer that is empty", function() graze.verify(a, b, graze.answer()) end, "answer: no question has filled it"},
  {"a motion that there is not", function() graze.cast(a, b, {speed = 1}) end,
   'motion: no key "speed"; there are velocity_a, velocity_b and t_max'},
  {"a motion of a world's that there is not", function() world:cast(a, {velocity_a = {1, 0}}) end,
   'motion: no key "velocity_a"; there are velocity, angular_velocity and t_max'},
  {"a velocity of a wrong length", function() graze.cast(a, b, {velocity_a = {1, 2, 3}}) end,
   "motion.velocity_a: 3D, where 2D is wanted"},
  {"time that runs back", function() graze.cast(a, b, {t_max = -1}) end,
   "motion.t_max: a number from 0 on expected, got -1"},
  {"a cast that turns", function() graze.cast(a, b, {angular_velocity_a = 1}) end,
   'motion: no key "angular_velocity_a"; graze.sweep takes what turns)'},
  {"a part that there is not", function() a:part(2) end, "index: a whole number from 1 to 1 expected, got 2"},
  {"a part that is moved", function() graze.concave {0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2}:at():part(1):set_pose(1, 1) end,
   "the part of a compound does not move by itself"},
  {"an item that is not there", function() world:move("there", 1, 1) end, 'item: "there" is not in this world'},
  {"an item that is there", function() world:add("here", circle, 0, 0) end, 'item: "here" is in this world already'},
  {"nil as an item", function() world:add(nil, circle) end, "item: any value but nil and NaN expected, got nil"},
  {"a static item that moves", function() world:move("wall", 1, 1) end, "item: a static body does not move"},
  {"a goal of NaN", function() world:move("here", nan, 1) end, "goal.x", "nan"},
  {"a filter that is none", function() world:move("here", 5, 1, 5, 5) end,
   "filter: a function, slide, touch, cross, bounce, ignore or the name of a response expected, got 5"},
  {"a wrong word of a filter", function() world:move("here", 5, 1, "slid") end, "#4 to 'move' (filter: a function, ",
   'got "slid"'},
  {"a field of an answer that there is not", function() return graze.answer().dist end,
   'graze.answer has no "dist"; there are distance, lower, ', " point_b and certificate"},
  {"a field of an impact that there is not", function() return graze.impact().time end,
   'graze.impact has no "time"; there are t, t_lower, '},
  {"a place in an answer", function() return graze.answer()[1] end, "graze.answer has no 1; there are"},
  {"a method of a world that there is not", function() world:mov("here", 1, 1) end,
   'graze.world has no "mov"; there are dim, free, add, '},
  {"a field of a placed shape", function() return a.x end, 'graze.placed has no "x"; there are set_pose, '},
  {"a field of a shape", function() return circle.radius end, 'graze.shape has no "radius"; there are at, '},
  {"a field of options", function() return graze.options({}).cache end, 'graze.options has no "cache"'},
  {"a key of bodies that there is not", function() world:add(1, circle, 0, 0, {mas = 1}) end,
   'def: no key "mas"; there are type, response, category,', " velocity and angular_velocity"},
  {"a key of worlds that there is not", function() graze.world {dims = 3} end,
   'options: no key "dims"; there are dim, method, samples, skin, push_speed and threads'},
  {"a body of no mass", function() world:add(1, circle, 0, 0, {mass = 0}) end, "#5 to",
   "mass = 0: a number above 0, up to 1e40, expected"},
  {"a body that bounces too well", function() world:add(1, circle, 0, 0, {bounce = 1.5}) end,
   "bounce = 1.5: a number from 0 to 1 expected"},
  {"a velocity of what stands", function() world:set("wall", {velocity = {1, 0}}) end,
   "velocity", "a static body does not move"},
  {"a type that there is not", function() world:add(1, circle, 0, 0, {type = "solid"}) end,
   "def.type: static, kinematic or dynamic expected", '"solid"'},
  {"a mask of bits that are none", function() world:add(1, circle, 0, 0, {mask = 0.5}) end, "def.mask", "0.5"},
  {"a mask that no number is", function() world:add(1, circle, 0, 0, {mass = 1, mask = 2 ^ 60}) end,
   "def.mask: a whole number from -2^53 to 2^53, whose bits are meant (-1: all), expected, got 1.152921504606847e+18"},
  {"a mask that is a word", function() world:overlap(a, {mask = "1"}) end, "filter.mask", 'got "1"'},
  {"a list that is none", function() graze.distance_list(a, {b}, nil, {}, 5) end,
   "distances: a table to fill expected, got 5"},
  {"corners of a circle", function() a:corners() end, "placed: a sphere, which has no corners"},
  {"no number of pairs", function() world:closest_pairs(nil, 3) end,
   "most: a whole number from 1 to 1000000 expected, got nil"},
  {"a 3D shape in a 2D world", function() world:add(1, box3, 0, 0) end, "shape.dim"},
  {"a world of four dimensions", function() graze.world {dim = 4} end,
   "options.dim: 2 or 3 expected, got 4"},
  {"a world between two dimensions", function() graze.world {dim = 2.5} end, "options.dim: 2 or 3 expected, got 2.5"},
  {"half a thread", function() graze.world {threads = 1.5} end, "options.threads: a whole number expected, got 1.5"},
  {"a filter key that there is not", function() world:overlap(a, {musk = 1}) end,
   'filter: no key "musk"; there are category, mask, except, sensors and accept'},
  {"a box turned inside out", function() world:in_box(0, 0, 1, -1) end,
   "max: a number from min on, 0, expected, got -1"},
  {"a step back", function() world:step(-1) end, "dt: a number from 0 on expected, got -1"},
  {"a snapshot that is none",
   function() world:restore {bytes = "no", items = {}, shapes = {}, dim = 2} end, "snapshot"},
}

-- Lua 5.3 and later have integers that no double holds.
if math.type then
  local odd = math.maxinteger - 1
  local text = ("%d is not a double; write %d.0 for the nearest"):format(odd, odd)
  mistakes[#mistakes + 1] = {"an integer that no double holds", function() graze.circle(odd) end, "radius: " .. text}
  mistakes[#mistakes + 1] = {"the same in a table", function() graze.cloud {{0, odd}, {1, 1}} end,
                             "points[1].y: " .. text}
  mistakes[#mistakes + 1] = {"the same as a time", function() world:nearest(a, odd) end, "within: " .. text}
  mistakes[#mistakes + 1] = {"the same as an option", function() graze.options {clearance = odd} end,
                             "options.clearance: " .. text}
  mistakes[#mistakes + 1] = {"the same as a side", function() world:in_box(0, 0, odd, 1) end, "max: " .. text}
end

-- What a support function gives, and what the message must say after the line of the function.
local supports = {
  {"nothing", function() end, "x and y of a point expected, got nil"},
  {"NaN", function() return 0, nan end, "x and y of a point expected, got nan"},
  {"a bound below 0", function(x, y) return x, y, -1 end, "a bound from 0 on, after the point, expected, got -1"},
  {"a word for a bound", function(x, y) return x, y, "1" end, 'a bound from 0 on, after the point, expected, got "1"'},
}

describe("a support function", function()
  for _, support in ipairs(supports) do
    it("is named where it gives " .. support[1], function()
      local good, message = pcall(function() graze.distance(graze.user(2, support[2]):at(0, 0), b) end)
      assert.is_false(good)
      local line = debug.getinfo(support[2], "S").linedefined
      local text = ("errors_spec.lua:%d: %s"):format(line, support[3])
      assert.is_truthy(message:find(text, 1, true), ("%q does not say %q"):format(message, text))
      assert.is_truthy(message:find("^support function at "), message)
    end)
  end
end)

local function before_a_wall()
  local hall = graze.world()
  hall:add("here", circle, 0, 0)
  hall:add("wall", circle, 3, 0, {type = "static"})
  return hall
end

describe("a filter", function()
  local here = before_a_wall()
  for _, word in ipairs {"slid", true, 5} do
    it("is named where it returns " .. tostring(word), function()
      local function filter() return word end
      local good, message = pcall(function() here:move("here", 5, 0, filter) end)
      assert.is_false(good)
      local line = debug.getinfo(filter, "S").linedefined
      local got = type(word) == "string" and '"slid"' or tostring(word)
      local text = ("errors_spec.lua:%d: slide, touch, cross, bounce, ignore, nil, false or the name of a response " ..
                    "expected for \"wall\", got %s"):format(line, got)
      assert.is_truthy(message:find(text, 1, true), ("%q does not say %q"):format(message, text))
      assert.are.same({0, 0, 1, 0}, {here:pose "here"})
    end)
  end
end)

describe("a response", function()
  local here = before_a_wall()
  local answers = {
    {"NaN", function() return nan, 1 end, "x: a number expected, got nan"},
    {"a word", function() return 1, "2" end, 'y: a number expected, got "2"'},
    {"too little", function() return 1 end, "y: a number expected, got nil"},
    {"infinity", function() return inf, 0 end, "x: a number up to 1e40 in magnitude expected, got inf"},
  }
  for _, answer in ipairs(answers) do
    for _, filter in ipairs {"odd", function() return "odd" end} do
      it("is named where it returns " .. answer[1] .. ", by a " .. type(filter), function()
        here:add_response("odd", answer[2])
        local good, message = pcall(function() here:move("here", 5, 0, filter) end)
        assert.is_false(good)
        local line = debug.getinfo(answer[2], "S").linedefined
        assert.is_truthy(message:find('response "odd" at ', 1, true), message)
        local text = ("errors_spec.lua:%d: %s"):format(line, answer[3])
        assert.are.equal(text, message:sub(-#text))
        assert.are.same({0, 0, 1, 0}, {here:pose "here"})
      end)
    end
  end
end)

describe("a mistake", function()
  for _, mistake in ipairs(mistakes) do
    it("is named: " .. mistake[1], function()
      local good, message = pcall(mistake[2])
      assert.is_false(good)
      assert.are.equal("string", type(message))
      for i = 3, #mistake do
        assert.is_truthy(message:find(mistake[i], 1, true), ("%q does not say %q"):format(message, mistake[i]))
      end
      assert.is_truthy(message:find("errors_spec.lua:%d+:"), message .. " does not say where")
    end)
  end

  it("changes nothing", function()
    assert.are.equal(2, world:count())
    assert.are.same({0, 0, 1, 0}, {world:pose "here"})
    assert.are.equal(1, (graze.distance(a, b)))
  end)
end)

describe("a long string in a message", function()
  it("is cut between characters", function()
    for count = 36, 41 do
      local _, message = pcall(graze.circle, ("x"):rep(count) .. "\195\164\195\182\226\130\172\226\130\172")
      local told = message:match 'got "(x+[^"]*)\226\128\166"'
      local expected = ({[36] = "\195\164\195\182", [37] = "\195\164", [38] = "\195\164"})[count] or ""
      assert.are.equal(("x"):rep(math.min(count, 40)) .. expected, told)
    end
  end)
end)
