---@meta graze
-- For editors with lua-language-server: add this folder to `workspace.library`. tests/lua/types_spec.lua checks it.

---Queries about placed shapes: `graze.distance(a, b)` or `a:distance(b)`.
---@class graze.queries
local queries = {}

---Collision detection in 2D and 3D. Every answer is a number, an interval that certainly contains the true number, and a
---certificate.
---@class graze : graze.queries
local graze = {}

---A point or direction: `{x, y}`, `{x, y, z}`, or with the fields x, y, z.
---@alias graze.vec number[] | {x: number, y: number, z?: number}
---A list of points; in 2D also plain numbers x, y, x, y …
---@alias graze.points graze.vec[] | number[]
---@alias graze.relation "separated" | "touching" | "overlapping" | "undecided"
---@alias graze.method "auto"|"gjk"|"exact"|"sat"|"epa"|"brute"|"fccd"|"sweep"|"lccd"|"ca"|"discrete"
---@alias graze.kind "point"|"segment"|"triangle"|"box"|"polygon"|"hull"|"sphere"|"capsule"|"ellipsoid"|"cylinder"|"cone"|"halfspace"|"user"|"compound"|"mesh"

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

---Three vertices: 6 numbers in 2D, 9 in 3D.
---@param ... number
---@return graze.shape
function graze.triangle(...) end

---Half extents about the origin; 2 in 2D, 3 in 3D.
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

---A convex polygon with either winding. Raises an error if it is not convex.
---@param vertices graze.points
---@return graze.shape # 2D
function graze.polygon(vertices) end

---Options of a convex decomposition. "fewest": the minimum number of pieces, without holes; up to O(n³) steps, which is
---seconds for a star with 1,000 vertices. "few": at most 4 times the minimum, fast. "auto": "fewest" up to 100 vertices
---without holes.
---@class graze.outline_options
---@field holes? graze.points[] default: none
---@field splitting? "auto" | "few" | "fewest" default "auto"
---@field verify? boolean of graze.decompose() only: also verifies the pieces; default false

---A simple polygon with holes as one shape: a compound of convex pieces. Internal edges count as interior.
---@param vertices graze.points
---@param options? graze.outline_options
---@return graze.shape # 2D
function graze.concave(vertices, options) end

---The convex hull of any points, without computing its vertices. Indices in certificates refer to this list.
---@param points graze.points
---@param dim? 2|3 default: that of the points
---@return graze.shape
function graze.hull_points(points, dim) end

---@class graze.hull_report
---@field affine_dim integer 0: a point, 1: a segment, 2: a polygon, 3: a solid
---@field vertices number[][]
---@field indices integer[] index of each vertex in the input
---@field faces integer[][] of a solid: lists of vertices, counter-clockwise from outside
---@field area number of a polygon, or the surface of a solid
---@field volume number

---Computes the convex hull of any points. Use it for many queries on the same hull.
---In 2D, a hull with an area and fewer than 1024 vertices is a polygon.
---@param points graze.points
---@param dim? 2|3 default: that of the points
---@return graze.shape
---@return graze.hull_report
function graze.hull(points, dim) end

---@param parts graze.placed[] convex, in the compound's frame
---@return graze.shape
function graze.compound(parts) end

---A shape defined by a support function. For a direction of any length, the function returns a point of the shape and
---optionally an error bound e >= 0: no point q of the shape has direction·q > direction·point + e·|direction|.
---@param dim 2|3
---@param support fun(dx: number, dy: number, dz?: number): ...
---@return graze.shape
function graze.user(dim, support) end

---@class graze.mesh_options
---@field surface? boolean only the faces count, also if they enclose a solid; default false

---Triangles as one shape. It is solid if it is closed and consistently oriented, otherwise a surface. The triangles are
---tables of three vertex indices from 1, or plain numbers, three for each triangle; counter-clockwise from outside.
---@param vertices graze.points
---@param triangles integer[][] | integer[]
---@param options? graze.mesh_options
---@return graze.shape # 3D
function graze.mesh(vertices, triangles, options) end

---Edges as one shape, as graze.mesh(). The edges are pairs of vertex indices, with the inside on their left.
---@param vertices graze.points
---@param edges integer[][] | integer[]
---@param options? graze.mesh_options
---@return graze.shape # 2D
function graze.mesh2(vertices, edges, options) end

---@class graze.validate_options
---@field intersections? boolean also searches for faces that meet outside common vertices and edges; default false

---An error of a mesh. The edge that starts at corner 1 ends at corner 2, that of the last corner at corner 1.
---@class graze.mesh_error
---@field kind "bad_index"|"degenerate_face"|"duplicate_face"|"open_edge"|"shared_edge"|"orientation"|"intersection"
---@field face integer index of the face, from 1
---@field corner integer? of kinds about a vertex or an edge: the corner of the face, from 1
---@field other integer? of kinds about two faces: the index of the other face, from 1

---@class graze.mesh_report
---@field closed boolean each edge belongs to at least two faces
---@field oriented boolean each edge occurs as often in one direction as in the other
---@field volume number? of 3D meshes; 0 if not closed and oriented
---@field area number? of 2D meshes, likewise
---@field errors graze.mesh_error[] sorted by kind, face, corner, other

---Validates triangles (3D) or edges (2D), exactly. Wrong vertex indices are errors in the report.
---@param vertices graze.points
---@param faces integer[][] | integer[]
---@param options? graze.validate_options
---@return graze.mesh_report
function graze.validate_mesh(vertices, faces, options) end

---The half-angle pair of an angle, cos(angle/2) and sin(angle/2), the same bits on every machine.
---@param angle number
---@return number w
---@return number z
function graze.half_angle(angle) end

---The quaternion of a rotation by an angle about an axis of any length.
---@param ax number
---@param ay number
---@param az number
---@param angle number
---@return number w
---@return number x
---@return number y
---@return number z
function graze.axis_angle(ax, ay, az, angle) end

---The rotation of a matrix, which is given row by row: w, z for 4 numbers; w, x, y, z for 9.
---@param ... number
---@return number ...
function graze.from_matrix(...) end

---The rotation matrix of a pose, row by row: 4 or 9 numbers. A pose is x, y, w, z in 2D, x, y, z, w, x, y, z in 3D.
---@param ... number
---@return number ...
function graze.to_matrix(...) end

---The inverse of a pose.
---@param ... number
---@return number ...
function graze.inverse(...) end

---The product of two poses, the outer pose first: p -> outer(inner(p)).
---@param ... number
---@return number ...
function graze.compose(...) end

---The world position of a local point: a pose, then x, y [, z].
---@param ... number
---@return number ...
function graze.transform(...) end

---Places the shape. 2D: x, y [, angle], or x, y, w, z (a half-angle pair); 3D: x, y, z [, w, x, y, z]. Default: identity.
---@param ... number
---@return graze.placed
function shape:at(...) end

---The shape rounded by a ball: its Minkowski sum with a ball of that radius.
---@param margin number
---@return graze.shape
function shape:with_margin(margin) end

---@return graze.kind
function shape:kind() end

---@return 2|3
function shape:dim() end

---@return number[][]? # of polygons, hulls and meshes, in the shape's own frame
function shape:vertices() end

---@return integer[][]? # of meshes: the vertex indices of each face
function shape:faces() end

---@return boolean? # of meshes: whether points inside belong to the shape
function shape:is_solid() end

---Releases the memory of the shape now. Placed shapes and worlds that use it stay valid.
function shape:free() end

-- ---- Placed shapes ----

---A shape with a pose.
---@class graze.placed : graze.queries
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

---The vertices of a 2D polygon, hull, box, segment, triangle or point in the world frame, rounded, as x, y, x, y …: for
---drawing. The margin is ignored. Raises an error for shapes without vertices, compounds and meshes (use placed:part(i)).
---@param into? number[]
---@return number[]
function placed:corners(into) end

---min x, min y [, min z], max x, max y [, max z], rounded outward.
---@param placed graze.placed
---@return number ...
function queries.bounds(placed) end

---The support point in a direction: x, y [, z], and the vertex index from 1 (none for curved shapes).
---@param placed graze.placed
---@param dx number
---@param dy number
---@param dz? number
---@return number ...
function queries.support(placed, dx, dy, dz) end

---@param placed graze.placed
---@param ax number
---@param ay number
---@param az? number
---@return number min
---@return number max
function queries.project(placed, ax, ay, az) end

---Whether the closed shape contains the point, and the relation.
---@param placed graze.placed
---@param x number
---@param y number
---@param z? number
---@return boolean
---@return graze.relation
function queries.contains(placed, x, y, z) end

---@param placed graze.placed
---@return integer # parts of a compound, faces of a mesh; 1 for a convex shape
function queries.part_count(placed) end

---@param placed graze.placed
---@param index integer from 1
---@return graze.placed # a face of a mesh: a triangle, in 2D a segment
function queries.part(placed, index) end

-- ---- Options and answers ----

---Options of a query: a table, or the result of `graze.options(table)`, which is faster in repeated calls.
---A query rejects options that do not apply to it.
---@class graze.option_table
---@field clearance? number added to the radii: tests whether the gap is smaller than this; default 0
---@field max_distance? number of distance(), penetration(), lists: beyond it the distance is nil; default math.huge
---@field tolerance? number accepted width upper - lower; default 0: the guaranteed width
---@field max_iterations? integer limit for GJK; default 64
---@field method? graze.method of pairs and casts; default "auto"
---@field start? graze.vec of pairs: initial direction of GJK; default: chosen by Graze
---@field cache? boolean of pairs and manifolds: warm start; needs graze.options(), one per pair of shapes; default false
---@field workspace? integer points of the largest EPA polytope; default: at least 256
---@field proof? boolean stores the large proofs (depth surfaces, pairs of parts, cast intervals); default false
---@field min_distance? boolean of casts: computes the least distance of bodies that stay clear; default true
---@field steps? integer of casts: capacity for intervals, with proof; default 4096
---@field samples? integer of casts by method "discrete": times tested; default 64
---@field speculative_distance? number of manifolds and contacts: also returns points with a gap up to this; default 0
---@field full? boolean of manifolds: the complete contact polygon; default false: at most 2 points, in 3D 4
---@field trace? fun(step: table) of pairs: called with every step of the algorithm; keys as in query lines; default: none

---@class graze.options

---@param table graze.option_table
---@return graze.options
function graze.options(table) end

---The full result of a query; every query refills it. Unknown numbers are nil.
---@class graze.answer
---@field relation graze.relation
---@field distance number? signed: > 0 gap, 0 touching, < 0 minus the penetration depth
---@field lower number?
---@field upper number? lower <= true distance <= upper
---@field algorithm string that produced the answer
---@field stopped string why the interval is wider than guaranteed; "none" if it is not
---@field iterations integer
---@field exact boolean a decision needed exact arithmetic
---@field conditional boolean holds only if the caller's support function is right about its error bound
---@field part_a integer of compounds and meshes: index of the deciding part or face, from 1
---@field part_b integer
---@field pairs_tested integer
local answer = {}

---@return graze.answer
function graze.answer() end

---Unit normal from a to b; nil if unknown.
---@return number? ...
function answer:normal() end

---@return number? ...
function answer:point_a() end

---@return number? ...
function answer:point_b() end

---The certificate, with the keys of query lines. Its indices count from 0.
---@return table
function answer:certificate() end

---The full result of a cast; every cast refills it.
---@class graze.cast_result
---@field outcome "hit" | "clear" | "possible"
---@field start_relation graze.relation the relation at t = 0
---@field t number?
---@field t_lower number?
---@field t_upper number?
---@field min_lower number? if clear: the smallest distance during the motion
---@field min_upper number?
---@field t_min number?
---@field algorithm string
---@field stopped string
---@field iterations integer
---@field exact boolean
---@field conditional boolean
---@field part_a integer
---@field part_b integer
---@field pairs_tested integer
local cast_result = {}

---@return graze.cast_result
function graze.cast_result() end

---@return number? ...
function cast_result:normal() end

---@return number? ...
function cast_result:point() end

---@return number? ...
function cast_result:position_a() end

---@return number? ...
function cast_result:position_b() end

---@return table
function cast_result:certificate() end

-- ---- Queries about pairs ----

---Whether a and b intersect. The shapes are closed, so touching counts; "undecided" counts too.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return boolean intersects
---@return graze.relation
function queries.intersect(a, b, options, answer) end

---As intersect(), by GJK alone, starting at options.start.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return boolean intersects
---@return graze.relation
function queries.gjk(a, b, options, answer) end

---The signed distance and the normal from a to b. Beyond options.max_distance: nil and the reason.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return number? distance
---@return number nx
---@return number ny
---@return number? nz
function queries.distance(a, b, options, answer) end

---The penetration depth: translating b by depth·normal separates the shapes. nil if they are separated.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return number? depth
---@return number nx
---@return number ny
---@return number? nz
function queries.penetration(a, b, options, answer) end

---As penetration(), by the expanding polytope algorithm (EPA) alone.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return number? depth
---@return number nx
---@return number ny
---@return number? nz
function queries.epa(a, b, options, answer) end

---Separating axis test. The relation is exact; the axis of the greatest separation is rounded. `visit` is called with
---every tested axis {kind, feature_a, feature_b, direction, separation, a = {min, max}, b = {min, max}}.
---@param a graze.placed
---@param b graze.placed
---@param options? graze.options | graze.option_table
---@param visit? fun(axis: table): boolean? returns false to stop
---@return boolean intersects
---@return number separation
---@return number nx
---@return number ny
---@return number? nz
function queries.sat(a, b, options, visit) end

---@class graze.contact
---@field point_a {x: number, y: number, z?: number}
---@field point_b {x: number, y: number, z?: number}
---@field depth number
---@field feature string identifies the pair of features; stays equal while they are in contact

---Computes contact points into a table of the caller.
---@param a graze.placed
---@param b graze.placed
---@param contacts? graze.contact[] to fill; default: a new table
---@param options? graze.options | graze.option_table
---@param answer? graze.answer
---@return graze.contact[]
---@return integer count
---@return number nx
---@return number ny
---@return number? nz
function queries.manifold(a, b, contacts, options, answer) end

---@class graze.part_contact
---@field part_a integer index of the part or face, from 1
---@field part_b integer
---@field relation graze.relation
---@field normal {x: number, y: number, z?: number} from a to b
---@field points graze.contact[] at most 4, in 2D 2

---The pairs of parts or faces in contact, each with its contact points, into a table of the caller. A body inside a solid
---mesh that touches no face has none.
---@param a graze.placed
---@param b graze.placed
---@param contacts? graze.part_contact[] to fill; default: a new table
---@param options? graze.options | graze.option_table
---@return graze.part_contact[]
---@return integer count
function queries.contacts(a, b, contacts, options) end

---The Minkowski difference (or sum): its vertices, the pairs of vertices that produce them, and whether the origin is
---inside.
---@param a graze.placed
---@param b graze.placed
---@param of? "difference" | "sum" default "difference"
---@return number[][] vertices
---@return table[] pairs
---@return boolean inside
function queries.minkowski(a, b, of) end

---The indices of the list members that intersect a.
---@param a graze.placed
---@param list graze.placed[]
---@param options? graze.options | graze.option_table
---@param found? integer[] to fill; default: a new table
---@return integer[] indices
---@return integer count
function queries.intersect_list(a, list, options, found) end

---The indices of the list members that are not certainly farther than options.max_distance, and their distances.
---@param a graze.placed
---@param list graze.placed[]
---@param options? graze.options | graze.option_table
---@param found? integer[]
---@param distances? number[]
---@return integer[] indices
---@return number[] distances
---@return integer count
function queries.distance_list(a, list, options, found, distances) end

---Verifies the certificate of an answer in exact arithmetic. docs/lua.md lists the queries that need {proof = true}.
---@param a graze.placed
---@param b graze.placed
---@param answer graze.answer
---@param options? graze.options | graze.option_table the clearance of the query
---@return boolean
---@return "refuted" | "unproven" | nil
function queries.verify(a, b, answer, options) end

-- ---- Motion ----

---@class graze.motion
---@field velocity_a? graze.vec default 0
---@field velocity_b? graze.vec default 0
---@field angular_velocity_a? number | graze.vec in 2D a number; default 0
---@field angular_velocity_b? number | graze.vec likewise; default 0
---@field t_max? number default 1

---The first contact of two bodies in linear or turning motion: t, point, normal. nil: there is certainly none.
---@param a graze.placed
---@param b graze.placed
---@param motion graze.motion
---@param options? graze.options | graze.option_table
---@param result? graze.cast_result
---@return number? ...
function queries.cast(a, b, motion, options, result) end

---placed, ox, oy, dx, dy [, t_max (default math.huge) [, options [, result]]], in 3D with z. Returns t, point, normal (nil
---if the ray starts inside), or nil. A zero direction tests whether the origin is inside.
---@param placed graze.placed
---@param ... any
---@return number? ...
function queries.raycast(placed, ...) end

---@class graze.part_hit
---@field part integer index of the part or face, from 1
---@field outcome "hit" | "possible"
---@field t number
---@field point {x: number, y: number, z?: number}
---@field normal {x: number, y: number, z?: number}

---The hits of all parts or faces on a ray, not sorted by t: placed, ox, oy, dx, dy [, t_max (default math.huge) [, options
---[, hits]]], in 3D with z.
---@param placed graze.placed
---@param ... any
---@return graze.part_hit[]
---@return integer count
function queries.raycast_parts(placed, ...) end

---@param a graze.placed
---@param b graze.placed
---@param motion graze.motion
---@param result graze.cast_result
---@param options? graze.options | graze.option_table
---@return boolean
---@return "refuted" | "unproven" | nil
function queries.verify_cast(a, b, motion, result, options) end

---The motion that leads from one pose to another in a time > 0, by the shortest rotation. The angular velocity is a number
---in 2D.
---@param from graze.placed
---@param to graze.placed
---@param time number
---@return number[] velocity
---@return number | number[] angular_velocity
function queries.motion_between(from, to, time) end

---The pose at time t of a body with motion.velocity_a and motion.angular_velocity_a, as placed:pose().
---@param placed graze.placed
---@param motion graze.motion
---@param t number
---@return number ...
function queries.pose_after(placed, motion, t) end

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
---@field verified boolean? with options.verify

---Convex pieces that tile the polygon exactly.
---@param vertices graze.points
---@param options? graze.outline_options
---@return graze.decomposition
function graze.decompose(vertices, options) end

---A small box that contains all points (exact), and its area or volume.
---@param points graze.points
---@param effort? "fast" | "best" default "best"; in 2D both are the same
---@return graze.placed
---@return number measure
function graze.fit_box(points, effort) end

return graze
