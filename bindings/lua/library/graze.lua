---@meta graze
-- For editors with lua-language-server: add this folder to `workspace.library`. tests/lua/types_spec.lua checks it.

---What is asked of placed shapes: `graze.distance(a, b)`, or `a:distance(b)`.
---@class graze.questions
local questions = {}

---Collision detection in 2D and 3D that answers with a number, an interval that surely holds it, and a certificate.
---@class graze : graze.questions
local graze = {}

---A point or direction: `{x, y}`, `{x, y, z}`, or with the names x, y, z.
---@alias graze.vec number[] | {x: number, y: number, z?: number}
---Points as above; in 2D also plain numbers x, y, x, y …
---@alias graze.points graze.vec[] | number[]
---@alias graze.relation "separated" | "touching" | "overlapping" | "undecided"
---@alias graze.method "auto"|"gjk"|"exact"|"sat"|"epa"|"brute"|"fccd"|"sweep"|"lccd"|"ca"|"discrete"
---@alias graze.kind "point"|"segment"|"triangle"|"box"|"polygon"|"hull"|"sphere"|"capsule"|"ellipsoid"|"cylinder"|"cone"|"halfspace"|"user"|"compound"

---@return string
function graze.version() end

-- ---- Shapes ----

---A shape in its own frame; `shape:at()` places it.
---@class graze.shape
local shape = {}

---@return graze.shape # 3D
function graze.point() end

---@return graze.shape # 2D
function graze.point2() end

---ax, ay, bx, by; in 3D ax, ay, az, bx, by, bz.
---@param ... number
---@return graze.shape
function graze.segment(...) end

---Three corners: 6 numbers in 2D, 9 in 3D.
---@param ... number
---@return graze.shape
function graze.triangle(...) end

---By its half extents, about its origin; 2 in 2D, 3 in 3D.
---@param x number
---@param y number
---@param z? number
---@return graze.shape
function graze.box(x, y, z) end

---@param radius number
---@return graze.shape # 2D
function graze.circle(radius) end

---@param radius number
---@return graze.shape # 3D
function graze.sphere(radius) end

---@param radius number
---@param half_length number of the core segment, along local z
---@return graze.shape # 3D
function graze.capsule(radius, half_length) end

---@param radius number
---@param half_length number of the core segment, along local x
---@return graze.shape # 2D
function graze.capsule2(radius, half_length) end

---@param radius number
---@param half_length number along local z
---@return graze.shape # 3D
function graze.cylinder(radius, half_length) end

---@param radius number of the base, at -half_length; the apex is at +half_length on local z
---@param half_length number
---@return graze.shape # 3D
function graze.cone(radius, half_length) end

---@param x number
---@param y number
---@return graze.shape # 2D
function graze.ellipse(x, y) end

---@param x number
---@param y number
---@param z number
---@return graze.shape # 3D
function graze.ellipsoid(x, y, z) end

---The points p with normal·p <= offset·|normal|: nx, ny, offset; in 3D nx, ny, nz, offset.
---@param ... number
---@return graze.shape
function graze.halfspace(...) end

---A convex polygon, either winding; an error where it is not convex.
---@param vertices graze.points
---@return graze.shape # 2D
function graze.polygon(vertices) end

---How an outline falls into pieces. "fewest" takes no holes, and O(n³) steps where most vertices see each other: seconds at
---1000 of a star, a minute at 2000. "few": at most 4 times as many, at once; "auto": "fewest" up to 100 without holes.
---@class graze.outline_options
---@field holes? graze.points[] default: none
---@field splitting? "auto" | "few" | "fewest" default "auto"
---@field verify? boolean of graze.decompose() only: are the pieces checked, too? Default false

---Any outline, with holes, as one shape (a compound of convex pieces whose internal_edges are interior).
---@param vertices graze.points
---@param options? graze.outline_options
---@return graze.shape # 2D
function graze.concave(vertices, options) end

---The convex hull of any points, without looking which are extreme: indices in certificates are into this list.
---@param points graze.points
---@param dim? 2|3 default: as the points
---@return graze.shape
function graze.cloud(points, dim) end

---@class graze.hull_report
---@field affine_dim integer 0: a point, 1: a segment, 2: a polygon, 3: a solid
---@field vertices number[][]
---@field indices integer[] where each vertex stands in the input
---@field faces integer[][] of a solid: lists of vertices, counter-clockwise from outside
---@field area number of a polygon, or the surface of a solid
---@field volume number

---The convex hull of any points, found once: for many questions, and to be looked at.
---@param points graze.points
---@param dim? 2|3 default: as the points
---@return graze.shape
---@return graze.hull_report
function graze.hull(points, dim) end

---@param parts graze.placed[] convex, in the compound's frame
---@return graze.shape
function graze.compound(parts) end

---A shape by its support function: given a direction (not unit), a point of the shape nearly farthest along it, and
---perhaps a bound e: no point lies farther than direction·point + e·|direction|.
---@param dim 2|3
---@param support fun(dx: number, dy: number, dz?: number): ...
---@return graze.shape
function graze.user(dim, support) end

---The half-angle pair of an angle, cos(angle/2) and sin(angle/2), the same bits on every machine.
---@param angle number
---@return number w
---@return number z
function graze.half_angle(angle) end

---Places it. 2D: x, y [, angle], or x, y, w, z (a half-angle pair); 3D: x, y, z [, w, x, y, z]. Default: the origin.
---@param ... number
---@return graze.placed
function shape:at(...) end

---The same shape, rounded by a ball.
---@param margin number
---@return graze.shape
function shape:with_margin(margin) end

---@return graze.kind
function shape:kind() end

---@return 2|3
function shape:dim() end

---@return number[][]? # of polygons and hulls, in the shape's own frame
function shape:vertices() end

---Lets go of its memory now; what was placed or added to a world keeps what it needs.
function shape:free() end

-- ---- Placed shapes ----

---A shape in its place.
---@class graze.placed : graze.questions
local placed = {}

---Arguments as `shape:at()`. Returns the placed shape itself.
---@param ... number
---@return graze.placed
function placed:set_pose(...) end

---2D: x, y, w, z; 3D: x, y, z, w, x, y, z.
---@return number ...
function placed:pose() end

---@return 2|3
function placed:dim() end

---@return graze.shape
function placed:shape() end

---The corners of a 2D polygon, hull, box, segment, triangle or point in the world, as x, y, x, y …: for drawing. Not
---those of a margin; an error for shapes that have none, and for compounds: ask placed:part(i).
---@param into? number[]
---@return number[]
function placed:corners(into) end

---min x, min y [, min z], max x, max y [, max z], rounded outward.
---@param placed graze.placed
---@return number ...
function questions.bounds(placed) end

---The farthest point along a direction: x, y [, z], and the vertex, counted from 1 (none of curved shapes).
---@param placed graze.placed
---@param dx number
---@param dy number
---@param dz? number
---@return number ...
function questions.support(placed, dx, dy, dz) end

---@param placed graze.placed
---@param ax number
---@param ay number
---@param az? number
---@return number min
---@return number max
function questions.project(placed, ax, ay, az) end

---Is the point inside, or on the border?
---@param placed graze.placed
---@param x number
---@param y number
---@param z? number
---@return boolean
---@return graze.relation
function questions.contains(placed, x, y, z) end

---@param placed graze.placed
---@return integer # 1 for a convex shape
function questions.part_count(placed) end

---@param placed graze.placed
---@param index integer from 1
---@return graze.placed
function questions.part(placed, index) end

-- ---- Options, answers ----

---How a question is answered: a table, or once for all `graze.options(table)`, which is faster.
---@class graze.option_table
---@field clearance? number "is the gap less than this?" Default 0
---@field max_distance? number beyond it the distance is nil; default math.huge
---@field tolerance? number the wanted upper - lower; default 0: as narrow as promised
---@field max_iterations? integer a budget for GJK; default 64
---@field method? graze.method default "auto"
---@field start? graze.vec the first direction of GJK; default: chosen by Graze
---@field cache? boolean warm start; with graze.options() only, one for each pair; default false
---@field workspace? integer room for a polytope of so many points; default: for 256 at least
---@field proof? boolean keep the large proofs (depth surfaces, pairs of parts, sweep steps) in the answer; default false
---@field steps? integer how many steps of a sweep there is room for, with proof; default 4096
---@field samples? integer moments that method "discrete" looks at, with that method only; default 64
---@field full? boolean the whole contact polygon; default false: 2 points, in 3D 4
---@field trace? fun(step: table) every step of the search; keys as in query lines; default: none

---@class graze.options

---@param table graze.option_table
---@return graze.options
function graze.options(table) end

---All about an answer; filled by questions, again and again. Numbers that are not known are nil.
---@class graze.answer
---@field relation graze.relation
---@field distance number? > 0 a gap, 0 touching, < 0 minus the depth
---@field lower number?
---@field upper number? surely lower <= truth <= upper
---@field path string how it was found
---@field stopped string what was cut
---@field iterations integer
---@field exact boolean some decision needed exact arithmetic
---@field conditional boolean on the word of a support function
---@field part_a integer of compounds, the part that decides, from 1
---@field part_b integer
---@field pairs_tested integer
local answer = {}

---@return graze.answer
function graze.answer() end

---Unit, from a to b; nil where it is not known.
---@return number? ...
function answer:normal() end

---@return number? ...
function answer:point_a() end

---@return number? ...
function answer:point_b() end

---The proof, in the form of query lines; indices count from 0 there.
---@return table
function answer:certificate() end

---All about a motion; filled by questions, again and again.
---@class graze.impact
---@field result "hit" | "clear" | "possible"
---@field starts graze.relation
---@field t number?
---@field t_lower number?
---@field t_upper number?
---@field min_lower number? where clear: the least distance on the way
---@field min_upper number?
---@field t_min number?
---@field path string
---@field stopped string
---@field iterations integer
---@field exact boolean
---@field conditional boolean
---@field part_a integer
---@field part_b integer
local impact = {}

---@return graze.impact
function graze.impact() end

---@return number? ...
function impact:normal() end

---@return number? ...
function impact:point() end

---@return number? ...
function impact:position_a() end

---@return number? ...
function impact:position_b() end

---@return table
function impact:certificate() end

-- ---- Questions ----

---Do they meet? Touching is meeting, and so is what nobody can tell.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return boolean meets
---@return graze.relation
function questions.intersect(a, b, options, answer) end

---The same by plain GJK, from options.start.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return boolean meets
---@return graze.relation
function questions.gjk(a, b, options, answer) end

---The signed distance and the normal from a to b. Beyond options.max_distance: nil, and why.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return number? distance
---@return number nx
---@return number ny
---@return number? nz
function questions.distance(a, b, options, answer) end

---How deep they overlap: moving b by depth·normal parts them. nil where they are apart.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return number? depth
---@return number nx
---@return number ny
---@return number? nz
function questions.penetration(a, b, options, answer) end

---The same by the expanding polytope algorithm.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return number? depth
---@return number nx
---@return number ny
---@return number? nz
function questions.epa(a, b, options, answer) end

---Separating axes. Whether they meet is exact; the axis of the greatest separation is rounded. `visit` gets every axis
---that is tested: {kind, feature_a, feature_b, direction, separation, a = {min, max}, b = {min, max}}; false ends it.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param visit? fun(axis: table): boolean? nothing, or true: it goes on
---@return boolean meets
---@return number separation
---@return number nx
---@return number ny
---@return number? nz
function questions.sat(a, b, options, visit) end

---@class graze.contact
---@field point_a {x: number, y: number, z?: number}
---@field point_b {x: number, y: number, z?: number}
---@field depth number
---@field feature string equal while the same features meet

---The contact manifold, into a table of the caller's.
---@param a graze.placed
---@param b graze.placed
---@param contacts? graze.contact[] to be filled; default: a new one
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return graze.contact[]
---@return integer count
---@return number nx
---@return number ny
---@return number? nz
function questions.manifold(a, b, contacts, options, answer) end

---The Minkowski difference (or sum) itself: its vertices, their parents, and whether it holds the origin.
---@param a graze.placed
---@param b graze.placed
---@param of? "difference" | "sum" default "difference"
---@return number[][] vertices
---@return table[] pairs
---@return boolean holds
function questions.minkowski(a, b, of) end

---Which of the list are not apart from a; into a table of the caller's, if there is one.
---@param a graze.placed
---@param list graze.placed[]
---@param options? graze.options | graze.option_table
---@param found? integer[]
---@return integer[] indices
---@return integer count
function questions.intersect_list(a, list, options, found) end

---Which of the list are not surely farther than options.max_distance, and their distances; into tables of the caller's.
---@param a graze.placed
---@param list graze.placed[]
---@param options? graze.options | graze.option_table
---@param found? integer[]
---@param distances? number[]
---@return integer[] indices
---@return number[] distances
---@return integer count
function questions.distance_list(a, list, options, found, distances) end

---Checks an answer by its certificate, exactly, without any solver. docs/lua.md says what needs {proof = true}.
---@param a graze.placed
---@param b graze.placed
---@param answer graze.answer
---@param options? graze.options | graze.option_table the clearance of the question
---@return boolean
---@return "refuted" | "unproven" | nil
function questions.verify(a, b, answer, options) end

-- ---- Motion ----

---@class graze.motion
---@field velocity_a? graze.vec default 0
---@field velocity_b? graze.vec default 0
---@field angular_velocity_a? number | graze.vec in 2D a number; graze.sweep() only; default 0
---@field angular_velocity_b? number | graze.vec likewise; default 0
---@field t_max? number default 1

---The first contact of two bodies that move straight: t, point, normal. nil: there is none, for sure.
---@param a graze.placed
---@param b graze.placed
---@param motion graze.motion
---@param options? graze.options | graze.option_table
---@param impact? graze.impact
---@return number? ...
function questions.cast(a, b, motion, options, impact) end

---The same of bodies that turn, too.
---@param a graze.placed
---@param b graze.placed
---@param motion graze.motion
---@param options? graze.options | graze.option_table
---@param impact? graze.impact
---@return number? ...
function questions.sweep(a, b, motion, options, impact) end

---placed, ox, oy, dx, dy [, t_max (default math.huge) [, options [, impact]]], in 3D with z: t, point, normal (nil inside) or nil. With a direction of zero: is the origin inside?
---@param placed graze.placed
---@param ... any
---@return number? ...
function questions.raycast(placed, ...) end

---@param a graze.placed
---@param b graze.placed
---@param motion graze.motion
---@param impact graze.impact
---@param options? graze.options | graze.option_table
---@return boolean
---@return "refuted" | "unproven" | nil
function questions.verify_cast(a, b, motion, impact, options) end

---@param a graze.placed
---@param b graze.placed
---@param motion graze.motion
---@param impact graze.impact
---@param options? graze.options | graze.option_table
---@return boolean
---@return "refuted" | "unproven" | nil
function questions.verify_sweep(a, b, motion, impact, options) end

---Where a body is that moves as motion.velocity_a and angular_velocity_a say: a pose, as placed:pose().
---@param placed graze.placed
---@param motion graze.motion
---@param t number
---@return number ...
function questions.pose_after(placed, motion, t) end

-- ---- Outlines ----

---@class graze.outline_report
---@field convex boolean
---@field simple boolean
---@field winding "ccw" | "cw" | "none"
---@field area number
---@field problems {kind: string, index: integer, other: integer?}[]

---@param vertices graze.points
---@return boolean convex
---@return "ccw" | "cw" | "none" winding
---@return graze.outline_report
function graze.convexity(vertices) end

---@class graze.decomposition
---@field pieces number[][][]
---@field count integer
---@field fewest integer
---@field area number
---@field internal_edges {left: integer, right: integer, from: number[], to: number[]}[]
---@field verified boolean? where options.verify asked for it

---Convex pieces that tile the polygon exactly.
---@param vertices graze.points
---@param options? graze.outline_options
---@return graze.decomposition
function graze.decompose(vertices, options) end

---A small box that holds every point, exactly, and its area or volume.
---@param points graze.points
---@param effort? "fast" | "best" default "best"; in 2D both are the same
---@return graze.placed
---@return number measure
function graze.fit_box(points, effort) end

-- ---- Worlds ----

---Bodies under the caller's own items: any value but nil and NaN.
---@class graze.world
local world = {}

---@class graze.world_options
---@field dim? 2|3 default 2
---@field method? "auto" | "fccd" | "sweep" | "lccd" | "ca" | "discrete" of motions; default "auto"
---@field samples? integer moments of "discrete" in a step; default 2: the beginning and the end
---@field skin? number how far from each other bodies stop; default 0: 2^-16 of the reach of the smaller one
---@field push_speed? number the fastest that bodies are pushed apart that overlap; default 1e30: in one step
---@field threads? integer default 1

---@param options? graze.world_options
---@return graze.world
function graze.world(options) end

---@class graze.body_def
---@field type? "static" | "kinematic" | "dynamic" default "dynamic"
---@field category? integer its bits: in Lua 5.3 and later any integer, and any whole number from -2^53 to 2^53; default 1
---@field mask? integer those of others that count; -1, the default: all, -2: all but the first (~1, bit.bnot(1))
---@field sensor? boolean contacts are reported, and nothing responds to them; default false
---@field margin? number it counts as in contact so far away already; default 0
---@field response? "none" | "stop" | "slide" | "bounce" of steps; default "none"
---@field mass? number above 0; default 1
---@field bounce? number 0 … 1; default 1
---@field velocity? graze.vec default 0
---@field angular_velocity? number | graze.vec in 2D a number; default 0

---item, shape, x, y and so on as shape:at() [, def]: a place there must be. Without def: its defaults.
---@param item any
---@param shape graze.shape
---@param ... number | graze.body_def
---@return any item
function world:add(item, shape, ...) end

---@param item any
function world:remove(item) end

---@param item any
---@return boolean
function world:has(item) end

---@return integer
function world:count() end

---@return any[]
function world:items() end

---@param item any
---@return graze.body_def
function world:get(item) end

---What def names; the rest stays.
---@param item any
---@param def graze.body_def
function world:set(item, def) end

---@param item any
---@return graze.shape
function world:shape(item) end

---@param item any
---@param shape graze.shape
function world:set_shape(item, shape) end

---@param item any
---@return number ... # as placed:pose()
function world:pose(item) end

---Puts it somewhere at once; what lies between is not looked at.
---@param item any
---@param ... number as shape:at()
function world:set_pose(item, ...) end

---@param item any
---@return number ... # vx, vy, spin; in 3D 6 numbers
function world:velocity(item) end

---@param item any
---@param ... number vx, vy [, spin]; in 3D vx, vy, vz [, rx, ry, rz]
function world:set_velocity(item, ...) end

---The body in its place, for any question.
---@param item any
---@param into? graze.placed
---@return graze.placed
function world:placed(item, into) end

---@return 2|3
function world:dim() end

---What world:save() gives; the three may be written down apart. Where an item or a shape is missing, or an item is
---there twice, nothing is changed; a body of another shape than the list says is left out. Either is an error.
---@class graze.snapshot
---@field bytes string
---@field items any[]
---@field shapes graze.shape[]

---@return graze.snapshot
function world:save() end

---@param snapshot graze.snapshot
function world:restore(snapshot) end

---Lets go of everything now.
function world:free() end

---@class graze.move_contact
---@field item any
---@field other any
---@field type string what was done: slide, touch, cross, bounce, or the name of a response
---@field normal {x: number, y: number, z?: number} out of the other, at the item
---@field point {x: number, y: number, z?: number} where they met
---@field touch {x: number, y: number, z?: number} where the item was then
---@field t number how much of the way was behind it, 0 … 1
---@field overlaps boolean they did from the beginning
---@field stuck boolean there was no way out
---@field stopped boolean

---Moves an item towards a place: x, y [, turn] [, filter [, contacts]]; in 3D x, y, z [, rx, ry, rz]. Returns where it
---came to, the contacts in their order (in the caller's table, or the world's own), and how many. turn: default 0. filter:
---slide (default), touch, cross, bounce, ignore, a response's name, or a function(item, other) that returns one, or nil.
---@param item any
---@param ... any
---@return any ... # x, y [, z], contacts, count
function world:move(item, ...) end

---The same as `world:move()`, and the item stays where it is.
---@param item any
---@param ... any
---@return any ...
function world:check(item, ...) end

---A response, to be named by filters: the item stops there, and goes on to where this returns, if it does. nil: none.
---@param name string
---@param response (fun(world: graze.world, contact: graze.move_contact, x: number, y: number, z?: number): number?, number?, number?) | nil
function world:add_response(name, response) end

---@class graze.event
---@field kind "begin" | "stay" | "end"
---@field a any
---@field b any
---@field result "hit" | "possible"
---@field t_lower number
---@field t_upper number
---@field point {x: number, y: number, z?: number}
---@field normal {x: number, y: number, z?: number}
---@field part_a integer
---@field part_b integer

---@param dt number
---@param events? graze.event[] to be filled; default: the world's own, again and again
---@return graze.event[]
---@return integer count
function world:step(dt, events) end

---@return {pairs: integer, casts: integer, responses: integer, stalled: integer, overlaps: integer}
function world:last_step() end

---Which items count: a function of each, or a table: category (default 1), mask (-1: all), except, sensors (true), accept.
---@alias graze.filter (fun(item: any): boolean) | {category?: integer, mask?: integer, except?: any, sensors?: boolean, accept?: (fun(item: any): boolean)}

---@param placed graze.placed
---@param filter? graze.filter
---@param found? any[]
---@return any[] items
---@return integer count
function world:overlap(placed, filter, found) end

---x, y [, z] [, filter [, found]]
---@param ... any
---@return any[] items
---@return integer count
function world:at_point(...) end

---min x, min y, max x, max y (3D: 6 numbers) [, filter [, found]]
---@param ... any
---@return any[] items
---@return integer count
function world:in_box(...) end

---@class graze.near
---@field item any
---@field other any? of closest_pairs()
---@field distance number
---@field lower number
---@field upper number
---@field relation graze.relation
---@field normal {x: number, y: number, z?: number}
---@field point_a {x: number, y: number, z?: number}
---@field point_b {x: number, y: number, z?: number}

---@param placed graze.placed
---@param within? number default math.huge: however far
---@param most? integer default 1
---@param filter? graze.filter
---@param found? graze.near[]
---@return graze.near[]
---@return integer count
function world:nearest(placed, within, most, filter, found) end

---@param placed graze.placed
---@param distance number
---@param filter? graze.filter
---@param found? graze.near[]
---@return graze.near[]
---@return integer count
function world:within(placed, distance, filter, found) end

---The pairs that come nearest to each other, the nearest first.
---@param most integer
---@param within? number default math.huge: however far
---@param found? graze.near[]
---@return graze.near[]
---@return integer count
function world:closest_pairs(most, within, found) end

---@param found? {a: any, b: any}[]
---@return {a: any, b: any}[]
---@return integer count
function world:pairs(found) end

---The first item that the moving shape meets, and t, point, normal; nothing where it meets none.
---@param placed graze.placed
---@param motion {velocity?: graze.vec, angular_velocity?: number|graze.vec, t_max?: number} default 0, 0, 1
---@param filter? graze.filter
---@param impact? graze.impact
---@return any item
---@return number ...
function world:cast(placed, motion, filter, impact) end

---ox, oy, dx, dy [, t_max (default math.huge) [, filter [, impact]]], in 3D with z. The normal is nil inside an item. With a direction of zero: what holds the origin?
---@param ... any
---@return any item
---@return number? ...
function world:raycast(...) end

---@param item any
---@param other any
---@param contacts? graze.contact[] to be filled; default: a new one
---@return graze.contact[]
---@return integer count
---@return number nx
---@return number ny
---@return number? nz
function world:manifold(item, other, contacts) end

return graze
