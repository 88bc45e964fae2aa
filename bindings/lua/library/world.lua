---@meta _
-- For editors with lua-language-server: the worlds of the module, which graze.lua in this folder declares.

---@class graze
local graze = {}

---A scene whose bodies are named by items of the caller: any value except nil and NaN.
---@class graze.world
local world = {}

---@class graze.world_options
---@field dim? 2|3 default 2
---@field method? "auto" | "fccd" | "sweep" | "lccd" | "ca" | "discrete" of casts; default "auto"
---@field samples? integer times tested by "discrete" in a step; default 2: start and end
---@field skin? number distance that moves keep between bodies; default 0: 2^-16 of the smaller bounding radius
---@field push_speed? number maximum speed that separates overlapping bodies; default 1e30: within one step
---@field threads? integer default 1

---@param options? graze.world_options
---@return graze.world
function graze.world(options) end

---@class graze.body_def
---@field type? "static" | "kinematic" | "dynamic" default "dynamic"
---@field category? integer bits: any whole number from -2^53 to 2^53, in Lua 5.3 and later any integer; default 1
---@field mask? integer categories that collide with the body; default -1: all; -2: all but the first (~1, bit.bnot(1))
---@field sensor? boolean reports contacts without a response; default false
---@field margin? number distance at which contacts begin; default 0
---@field response? "none" | "stop" | "slide" | "bounce" in steps; default "none"
---@field mass? number above 0; default 1
---@field bounce? number 0 … 1; default 1
---@field velocity? graze.vec default 0
---@field angular_velocity? number | graze.vec in 2D a number; default 0

---Arguments: item, shape, a pose as for shape:at() (required), and optionally a definition.
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

---Changes the fields that def contains.
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

---Sets the pose without testing the path for collisions.
---@param item any
---@param ... number as shape:at()
function world:set_pose(item, ...) end

---@param item any
---@return number ... # vx, vy, angular velocity; in 3D 6 numbers
function world:velocity(item) end

---@param item any
---@param ... number vx, vy [, angular velocity]; in 3D vx, vy, vz [, wx, wy, wz]
function world:set_velocity(item, ...) end

---The body as a placed shape, for queries.
---@param item any
---@param into? graze.placed
---@return graze.placed
function world:placed(item, into) end

---@return 2|3
function world:dim() end

---The result of world:save(); programs may store its three fields separately. restore() raises an error and changes
---nothing if an item or a shape is missing, or an item occurs twice. If a listed shape is wrong, restore() removes its
---body and raises an error.
---@class graze.snapshot
---@field bytes string
---@field items any[]
---@field shapes graze.shape[]

---@return graze.snapshot
function world:save() end

---@param snapshot graze.snapshot
function world:restore(snapshot) end

---Releases all memory of the world now.
function world:free() end

---@class graze.move_contact
---@field item any
---@field other any
---@field type string the response: slide, touch, cross, bounce, or the name of a custom one
---@field normal {x: number, y: number, z?: number} from the other towards the item
---@field point {x: number, y: number, z?: number} contact point
---@field touch {x: number, y: number, z?: number} position of the item at the contact
---@field t number fraction of the displacement, 0 … 1
---@field overlaps boolean the bodies overlapped initially
---@field stuck boolean the overlap could not be resolved
---@field stopped boolean

---Moves an item towards a goal: x, y [, turn] [, filter [, contacts]]; in 3D x, y, z [, rx, ry, rz]. Returns the final
---position, the contacts in order (in the caller's table, or the world's own), and their count. turn: a rotation, default
---0. filter: slide (default), touch, cross, bounce, ignore, the name of a custom response, or a function(item, other) that
---returns one of them or nil.
---@param item any
---@param ... any
---@return any ... # x, y [, z], contacts, count
function world:move(item, ...) end

---As `world:move()`, but the item keeps its pose.
---@param item any
---@param ... any
---@return any ...
function world:check(item, ...) end

---Registers a custom response for filters. The item stops at the contact; if the function returns a position, the move
---continues towards it. nil removes the response.
---@param name string
---@param response (fun(world: graze.world, contact: graze.move_contact, x: number, y: number, z?: number): number?, number?, number?) | nil
function world:add_response(name, response) end

---@class graze.event
---@field kind "begin" | "stay" | "end"
---@field a any
---@field b any
---@field outcome "hit" | "possible"
---@field t_lower number
---@field t_upper number
---@field point {x: number, y: number, z?: number}
---@field normal {x: number, y: number, z?: number}
---@field part_a integer of "begin": index of the part or face in contact, from 1
---@field part_b integer

---Moves all bodies by one time step. Events report contacts that begin, persist or end.
---@param dt number
---@param events? graze.event[] to fill; default: a table of the world, which every step refills
---@return graze.event[]
---@return integer count
function world:step(dt, events) end

---@return {pairs: integer, casts: integer, responses: integer, stalled: integer, overlaps: integer}
function world:last_step() end

---Selects items: a function, or a table: category (default 1), mask (default -1: all), except, sensors (default true),
---accept.
---@alias graze.filter (fun(item: any): boolean) | {category?: integer, mask?: integer, except?: any, sensors?: boolean, accept?: (fun(item: any): boolean)}

---@param placed graze.placed
---@param filter? graze.filter
---@param found? any[]
---@return any[] items
---@return integer count
function world:overlap(placed, filter, found) end

---Any one item that the shape intersects, or nil. Faster than overlap().
---@param placed graze.placed
---@param filter? graze.filter
---@return any item
function world:overlap_any(placed, filter) end

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

---@class graze.neighbor
---@field item any
---@field other any? in results of closest_pairs()
---@field distance number
---@field lower number
---@field upper number
---@field relation graze.relation
---@field normal {x: number, y: number, z?: number}
---@field point_a {x: number, y: number, z?: number}
---@field point_b {x: number, y: number, z?: number}
---@field part_a integer index of the nearest part or face, from 1
---@field part_b integer

---The items nearest to a shape, in order.
---@param placed graze.placed
---@param max_distance? number default math.huge
---@param max_count? integer default 1
---@param filter? graze.filter
---@param found? graze.neighbor[]
---@return graze.neighbor[]
---@return integer count
function world:nearest(placed, max_distance, max_count, filter, found) end

---All items, except those that are certainly farther than the distance.
---@param placed graze.placed
---@param distance number
---@param filter? graze.filter
---@param found? graze.neighbor[]
---@return graze.neighbor[]
---@return integer count
function world:within(placed, distance, filter, found) end

---The pairs of items with the smallest distances, in order.
---@param max_count integer
---@param max_distance? number default math.huge
---@param found? graze.neighbor[]
---@return graze.neighbor[]
---@return integer count
function world:closest_pairs(max_count, max_distance, found) end

---The pairs of items whose bounds overlap.
---@param found? {a: any, b: any}[]
---@return {a: any, b: any}[]
---@return integer count
function world:pairs(found) end

---The first item that the moving shape hits, then t, point and normal; nothing if there is none.
---@param placed graze.placed
---@param motion {velocity?: graze.vec, angular_velocity?: number|graze.vec, t_max?: number} default 0, 0, 1
---@param filter? graze.filter
---@param result? graze.cast_result
---@return any item
---@return number ...
function world:cast(placed, motion, filter, result) end

---As cast(), but any item that is hit, which need not be the first one.
---@param placed graze.placed
---@param motion {velocity?: graze.vec, angular_velocity?: number|graze.vec, t_max?: number} default 0, 0, 1
---@param filter? graze.filter
---@param result? graze.cast_result
---@return any item
---@return number ...
function world:cast_any(placed, motion, filter, result) end

---@class graze.hit
---@field item any
---@field outcome "hit" | "possible"
---@field t number
---@field point {x: number, y: number, z?: number}
---@field normal {x: number, y: number, z?: number}
---@field part_a integer of casts: part or face of the moving shape; of rays: of the item; from 1
---@field part_b integer of casts: part or face of the item; of rays: 1

---The hits of all items, each as if it were alone, in the order of their times.
---@param placed graze.placed
---@param motion {velocity?: graze.vec, angular_velocity?: number|graze.vec, t_max?: number} default 0, 0, 1
---@param filter? graze.filter
---@param hits? graze.hit[] to fill; default: a new table
---@return graze.hit[]
---@return integer count
function world:cast_all(placed, motion, filter, hits) end

---ox, oy, dx, dy [, t_max (default math.huge) [, filter [, result]]], in 3D with z. The normal is nil if the ray starts
---inside an item. A zero direction tests which item contains the origin.
---@param ... any
---@return any item
---@return number? ...
function world:raycast(...) end

---As raycast(), but any item that is hit: a test of visibility.
---@param ... any
---@return any item
---@return number? ...
function world:raycast_any(...) end

---The hits of all items on the ray, in the order of their times. Arguments as raycast(), with a list of hits at the end.
---@param ... any
---@return graze.hit[]
---@return integer count
function world:raycast_all(...) end

---@param item any
---@param other any
---@param contacts? graze.contact[] to fill; default: a new table
---@return graze.contact[]
---@return integer count
---@return number nx
---@return number ny
---@return number? nz
function world:manifold(item, other, contacts) end
