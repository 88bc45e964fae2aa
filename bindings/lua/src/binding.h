/* Declarations shared by the C files of the Lua module. docs/lua.md is the guide to the Lua API.
 *
 * Every C function of the module has the same upvalues: the state, one metatable per type, and the number of its usage
 * line. The types of objects:
 *
 *   shape        a graze_shape and a reference to the memory it points into
 *   placed       a graze_placed and a reference to the same memory
 *   answer       a graze_answer and the buffers of its certificate; every query refills it
 *   cast_result  a graze_cast_result, likewise
 *   options      a graze_options with cache and workspace; its user table holds the trace function
 *   guard        results that Graze allocated, freed if an error interrupts their conversion (grl_guard); internal
 *   world        a graze_scene; its user table holds the items, their shapes and the tables that calls reuse
 *
 * The memory of shapes is reference-counted (grl_store). Placed shapes and worlds stay valid in whatever order Lua
 * collects objects or the caller frees them.
 *
 * No Lua error passes through a function of Graze. Callbacks run protected (grl_call_protected()); the error is stored
 * and raised after Graze has returned (grl_leave()). While a callback runs, functions that change an object raise an
 * error.
 *
 * Layers; each calls only the layers before it: runtime.c and errors.c; values.c; certificates.c; options.c; results.c;
 * shapes.c, meshes.c; placed.c; pairs.c; motion.c; world.c; body.c; world_queries.c, move.c, snapshot.c; module.c. */
#ifndef GRAZE_LUA_BINDING_H
#define GRAZE_LUA_BINDING_H

#include <graze/build.h>
#include <graze/certificate.h>
#include <graze/compare.h>
#include <graze/mesh.h>
#include <graze/scene.h>
#include <graze/trace.h>

#include <lauxlib.h>
#include <lua.h>

#include <stdbool.h>

/* ---- Differences between Lua versions ---- */

#if LUA_VERSION_NUM < 503
#define grl_is_integer(L, index) false /* every number is a double */
#else
#define grl_is_integer(L, index) lua_isinteger(L, index)
#endif

/* The user table of a userdata is its environment in 5.1 and LuaJIT, its user value in later versions. */
#if LUA_VERSION_NUM < 502
#define grl_length lua_objlen
#define grl_get_table(L, index) lua_getfenv(L, index)
#define grl_set_table(L, index) lua_setfenv(L, index)
#else
#define grl_length lua_rawlen
#define grl_get_table(L, index) lua_getuservalue(L, index)
#define grl_set_table(L, index) lua_setuservalue(L, index)
#endif

/* ---- runtime.c: state, objects, callbacks, memory ---- */

typedef enum grl_type {
  GRL_SHAPE = 2,
  GRL_PLACED,
  GRL_ANSWER,
  GRL_CAST_RESULT,
  GRL_OPTIONS,
  GRL_WORLD,
  GRL_GUARD
} grl_type;

/* Upvalue indices. The types index their metatables. The indices after GRL_USAGE belong to __index functions only. */
enum {
  GRL_STATE = 1,
  GRL_FIRST_TYPE = GRL_SHAPE,
  GRL_LAST_TYPE = GRL_GUARD,
  GRL_USAGE,
  GRL_METHODS,
  GRL_TYPE_NAME,
  GRL_MEMBERS
};

/* One per lua_State. */
typedef struct grl_state {
  lua_State *running;          /* the thread that is inside a call of Graze; NULL: none */
  int depth;                   /* nested calls of Graze, through callbacks */
  bool failed;                 /* a callback raised an error, which is stored */
  int trampoline;              /* registry reference of the function that grl_call_protected() calls */
  int error;                   /* registry reference of the stored error, or of false if no error is stored */
  const struct grl_call *call; /* the protected call in progress */
  int functions;               /* registry reference of the support functions by number; a table of weak values */
  int function_count;          /* the last number given */
  size_t unreported;           /* allocated bytes that were not reported to the collector yet */
} grl_state;

grl_state *grl_get_state(lua_State *L);
void grl_push_state(lua_State *L); /* pushes a new state */

/* Pushes a new, zeroed object of the type. */
void *grl_new(lua_State *L, size_t size, grl_type type);

/* Returns the object, or NULL if the value has another type. */
void *grl_test(lua_State *L, int index, grl_type type);

/* Called before and after each call of Graze that may call back. grl_leave() receives the result of grl_enter() and
 * raises the error that a callback stored. */
lua_State *grl_enter(lua_State *L);
void grl_leave(lua_State *L, lua_State *before);

/* Runs function(L, data) protected; its arguments are copies of `count` stack values starting at `first`. Returns false
 * if the function raised an error, or if an earlier callback raised one. */
typedef void (*grl_protected_function)(lua_State *L, void *data);
bool grl_call_protected(grl_state *state, grl_protected_function function, void *data, int first, int count);

/* Raises an error if a callback is running. */
void grl_require_mutable(lua_State *L);

/* Reference-counted memory of a shape. */
typedef struct grl_store grl_store;
struct grl_store {
  size_t references;
  graze_hull hull;          /* zeroed: none */
  graze_compound *compound; /* NULL: none */
  graze_mesh *mesh;         /* NULL: none */
  grl_state *state;         /* of a support function */
  int function;             /* number of the support function; 0: none */
  bool calls_lua;           /* the shape or one of its parts is a support function */
  size_t child_count;
  grl_store **children; /* memory of the parts of a compound */
  graze_vec vertices[];
};

/* Creates a store with space for vertices and one reference; NULL: out of memory. */
grl_store *grl_store_new(size_t vertices);
grl_store *grl_store_retain(grl_store *store); /* NULL stays NULL */
void grl_store_release(grl_store *store);

/* Pops a support function and registers it for the store. The function lives as long as an object references it. */
void grl_store_function(lua_State *L, grl_store *store);
void grl_push_function(lua_State *L, const grl_store *store);

/* Makes the object on top reference the support functions of its store. */
void grl_reference_functions(lua_State *L, const grl_store *store);

/* Makes the object at `to` reference the same functions as the object at `from`. Allocates nothing. */
void grl_share_functions(lua_State *L, const grl_store *store, int from, int to);

/* Reports memory outside Lua's allocator to the collector. */
void grl_report_memory(lua_State *L, size_t bytes);

void grl_out_of_memory(lua_State *L);

/* ---- errors.c: messages of the form "THING: what is wrong (value), what is allowed" ---- */

/* The number of the usage line of a function; 0: none. */
int grl_find_usage(const char *owner, const char *name);

/* Raises an argument error with a formatted message. */
int grl_reject(lua_State *L, int argument, const char *format, ...);

/* Raises an argument error for the value at an index: "NAME: invalid value (VALUE), must be ALLOWED". */
int grl_reject_value(lua_State *L, int argument, int index, const char *name, const char *allowed);

/* Raise an error about the number of arguments, which must be from `least` to `most`, or one of the two if `between` is
 * false. grl_check_count() raises it only if the number is wrong. */
void grl_reject_count(lua_State *L, int least, int most, bool between);
void grl_check_count(lua_State *L, int least, int most);

/* Each pushes and returns a text for messages: the shortest decimal form of a number, a value, an item (a table by its
 * name or address), the source line of a function. */
const char *grl_format_number(lua_State *L, double value);
const char *grl_describe(lua_State *L, int index);
const char *grl_describe_item(lua_State *L, int index);
const char *grl_describe_function(lua_State *L, int index);

/* Pushes the words of a list that ends with NULL, as "a, b or c". */
const char *grl_push_words(lua_State *L, const char *const *words);

/* The position of a string in a list that ends with NULL. */
int grl_choice(lua_State *L, int argument, int index, const char *name, const char *const *words);

/* Like grl_choice(), for the key below the top. Messages call its table `of`. */
int grl_key(lua_State *L, int argument, const char *of, const char *const *keys);

/* Raises an error for the member named at 2. The name of the type and the list of its members are at the indices
 * `type` and `members`. */
int grl_reject_member(lua_State *L, int type, int members);

/* Raises an error unless the status is GRAZE_OK. `error` may be NULL. */
void grl_check_status(lua_State *L, int argument, const char *name, graze_status status, const graze_error *error);

/* ---- values.c: arguments ---- */

bool grl_absent(lua_State *L, int index); /* none or nil */

/* Any number, NaN included; rejects integers that a double cannot represent. */
double grl_any_number(lua_State *L, int argument, int index, const char *name, const char *allowed);
double grl_number(lua_State *L, int argument, const char *name);                       /* |value| <= 1e40 */
double grl_nonnegative(lua_State *L, int argument, const char *name, double fallback); /* may be infinite */
double grl_nonnegative_at(lua_State *L, int argument, int index, const char *name);
size_t grl_positive_integer(lua_State *L, int argument, const char *name, double most);
bool grl_flag(lua_State *L, int argument, int index, const char *name);
uint64_t grl_bits(lua_State *L, int argument, int index, const char *name); /* of a whole number; -1: all bits */

graze_vec grl_vec_arguments(lua_State *L, int first, int dim, const char *name);
graze_vec grl_direction(lua_State *L, int first, int dim, const char *name); /* not zero */

/* A vector from a table at a stack index: {x, y[, z]} or {x =, y =[, z =]}. *dim receives 2 or 3. */
graze_vec grl_vec_table(lua_State *L, int argument, int index, const char *name, int *dim);
void grl_check_dim(lua_State *L, int argument, const char *name, int dim, int wanted);

/* A velocity on top of the stack; in 2D an angular velocity is a number. */
graze_vec grl_velocity(lua_State *L, int argument, const char *name, int dim, bool angular);

/* A list of points: tables as above, or in 2D numbers x, y, x, y … Pushes a userdata that holds them. *dim is 0 on
 * entry for any dimension. */
const graze_vec *grl_points(lua_State *L, int argument, int index, const char *name, size_t *count, int *dim);

/* A pose from the arguments at `first` up to the first that is no number: 2D x, y [, angle] or x, y, w, z; 3D x, y, z
 * [, w, x, y, z]. No numbers: the identity. *next receives the index of the argument that follows. */
graze_pose grl_pose_arguments(lua_State *L, int first, int dim, int *next);

/* Like grl_pose_arguments(), for a pose that ends the arguments. */
graze_pose grl_last_pose(lua_State *L, int first, int dim, bool required);

/* ---- values.c: results ---- */

int grl_push_vec(lua_State *L, graze_vec v, int dim);        /* 2 or 3 values */
int grl_push_vec_or_nil(lua_State *L, graze_vec v, int dim); /* one nil for NaN */
void grl_push_number_or_nil(lua_State *L, double value);     /* nil for NaN */
void grl_push_point(lua_State *L, graze_vec v, int dim);     /* a new table, or nil for NaN */
int grl_push_pose(lua_State *L, const graze_pose *pose, int dim);
void grl_push_points(lua_State *L, const graze_vec *points, size_t count, int dim);

/* Pops a value into the table below it, without metamethods: the table may belong to the caller. */
void grl_set_field(lua_State *L, const char *key);

/* Sets a field of the table on top, without metamethods. */
void grl_set_number(lua_State *L, const char *key, double value);
void grl_set_integer(lua_State *L, const char *key, ptrdiff_t value);
void grl_set_bits(lua_State *L, const char *key, uint64_t bits);
void grl_set_string(lua_State *L, const char *key, const char *string);
void grl_set_flag(lua_State *L, const char *key, bool value);

/* Sets .x, .y, .z of a table in the table on top; reuses a table that is already there. */
void grl_set_vec(lua_State *L, const char *key, graze_vec v, int dim);

/* Lists that calls refill. list.spare keeps all entries ever made; list[1] … list[count] are those in use. */
void grl_list_argument(lua_State *L, int argument, const char *name); /* the caller's table, or a new one */
int grl_list_begin(lua_State *L, int list);                           /* pushes list.spare; returns its index */
void grl_list_entry(lua_State *L, int list, int spare, int i);        /* pushes entry i >= 1 */
void grl_list_end(lua_State *L, int list, int count);

/* ---- Objects ---- */

/* The collector frees the results that an error left here. */
typedef struct grl_guard {
  graze_outline outline;
  graze_decomposition pieces;
  graze_mesh_report mesh_report;
} grl_guard;

typedef struct grl_shape {
  graze_shape shape;
  grl_store *store; /* NULL: the shape points to nothing */
  bool freed;
} grl_shape;

typedef struct grl_placed {
  graze_placed placed;
  grl_store *store;
  bool freed;
  bool is_part;      /* of a compound or mesh */
  graze_pose whole;  /* the pose of that compound or mesh */
  graze_frame frame; /* of a part: `placed` points to it */
} grl_placed;

typedef struct grl_answer {
  graze_answer answer; /* relation 0: not filled */
  graze_certificate certificate;
  int dim;
  bool bounds;  /* the certificate proves the interval too */
  double radii; /* the radii of both shapes or parts, plus the clearance */
  graze_surface surface;
  void *workspace; /* of the surface */
  graze_part_proof *parts;
  size_t part_capacity;
} grl_answer;

typedef struct grl_cast_result {
  graze_cast_result cast; /* outcome 0: not filled */
  graze_certificate certificate;
  int dim;
  graze_cast_step *steps;
  size_t step_capacity;
} grl_cast_result;

/* The kinds of queries that options apply to, as bits. */
typedef enum grl_query_kind {
  GRL_PAIR = 1,
  GRL_CAST = 2,
  GRL_MANIFOLD = 4,
  GRL_LIST = 8,
  GRL_PART_CONTACTS = 16
} grl_query_kind;

typedef struct grl_options {
  unsigned keys; /* the keys that are set, as bits */
  double clearance, max_distance, tolerance, speculative_distance;
  int max_iterations, samples, method; /* method: the index of its name */
  graze_vec start;
  bool min_distance;
  bool proof;  /* keep the large proofs */
  bool full;   /* the whole contact polygon */
  bool cached; /* use the cache */
  bool traced; /* the user table holds the trace function at 1 */
  bool busy;   /* a query that uses the workspace and cache is running */
  bool freed;
  graze_cache cache;
  void *workspace;
  size_t workspace_size, step_capacity;
} grl_options;

/* ---- certificates.c: certificates and trace steps as tables, with the keys of docs/guide/command-line.md ---- */

/* `points`: the points of curved shapes, which pairs name by index. */
void grl_push_pairs(lua_State *L, const graze_pair *pairs, size_t count, const graze_vec *points, int dim);

/* Each sets the fields of the certificate of a grl_answer or grl_cast_result in the table on top. Both run protected:
 * otherwise a finalizer could change the certificate by a query with the same object. */
void grl_set_certificate(lua_State *L, void *answer);
void grl_set_cast_certificate(lua_State *L, void *cast_result);

void grl_push_trace_step(lua_State *L, const graze_trace_step *step, int dim);

/* ---- options.c ---- */

typedef graze_status (*grl_pair_function)(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                          graze_answer *answer);

/* The method of casts named at a stack index, and its function in compare.h or NULL. */
graze_cast_method grl_cast_method(lua_State *L, int argument, int index, const char *name,
                                  graze_cast_function *function);

/* The options of one query, and the structures of Graze that its kind needs. */
typedef struct grl_query {
  const char *method; /* its name; NULL: the default */
  graze_options pair;
  graze_cast_options cast;
  graze_manifold_options manifold;
  graze_list_options list;
  grl_pair_function compare_pair; /* methods of compare.h, or NULL */
  graze_cast_function compare_cast;
  int samples; /* context of compare_cast */
  graze_error error;
  graze_tracer tracer;
  grl_options *given; /* NULL: the defaults */
  grl_state *state;
  int function; /* stack index of the trace function; 0: none */
  int dim;
} grl_query;

/* Reads the options at an argument and rejects keys that do not apply to the kind of query. Values above the arguments
 * on the stack belong to the query afterwards. */
void grl_query_read(lua_State *L, int argument, int dim, grl_query_kind kind, grl_query *query);

/* Called before and after the call of Graze. */
lua_State *grl_query_begin(lua_State *L, grl_query *query);
void grl_query_end(lua_State *L, grl_query *query, lua_State *before);

/* Raises an error if the table at an argument has a key of options: the caller passed options at the wrong position. */
void grl_reject_options(lua_State *L, int argument, const char *name);

/* ---- results.c: answers and cast results ---- */

/* The object at an argument; NULL if absent. */
grl_answer *grl_check_answer(lua_State *L, int argument);
grl_cast_result *grl_check_cast_result(lua_State *L, int argument);

/* Empties the object and makes the query write its certificate; allocates the buffers of large proofs on request.
 * `options`: the argument that requests them. */
void grl_answer_reserve(lua_State *L, grl_answer *answer, grl_query *query, int options, size_t part_pairs);
void grl_cast_reserve(lua_State *L, grl_cast_result *cast, grl_query *query);

/* The name of field i; NULL after the last. */
const char *grl_answer_field(int i);
const char *grl_cast_field(int i);

/* ---- shapes.c ---- */

grl_shape *grl_check_shape(lua_State *L, int argument, const char *name);
const char *grl_kind_text(graze_shape_kind kind);
bool grl_has_parts(const graze_shape *shape); /* a compound or mesh */
grl_shape *grl_push_shape(lua_State *L, graze_shape shape);
void grl_validate_shape(lua_State *L, int argument, const grl_shape *shape);

/* ---- placed.c ---- */

grl_placed *grl_check_placed(lua_State *L, int argument, const char *name);

/* Pushes an empty placed shape, for grl_fill_placed(). Read other objects after this call: any allocation may run
 * finalizers, which free shapes and refill placed ones. */
grl_placed *grl_push_placed(lua_State *L);

/* Fills the placed shape on top; the store is that of the object at `from`. Allocates nothing. */
void grl_fill_placed(lua_State *L, grl_placed *made, const graze_placed *placed, grl_store *store, int from);

/* ---- pairs.c ---- */

/* Raises an error unless the status is GRAZE_OK. The message names the options at an argument, or the shapes. */
void grl_check_query(lua_State *L, graze_status status, int options, const grl_query *query, const char *function);

/* Pushes the result of a verifier: true, or false and the reason. */
int grl_push_verdict(lua_State *L, graze_status status, int options, const grl_query *query, const char *function);

/* Contact points: the list argument, its entries, and the results of manifold(). */
void grl_contacts_argument(lua_State *L, int argument);
void grl_set_contacts(lua_State *L, int list, const graze_contact *contacts, size_t count, int dim);
int grl_push_manifold(lua_State *L, int list, const graze_answer *answer, size_t count, int dim);

/* ---- motion.c ---- */

/* A ray from argument 2 on: origin, direction, t_max. Two arguments of the caller follow. */
typedef struct grl_ray {
  graze_vec origin, direction;
  double t_max;
  int after; /* index of t_max */
} grl_ray;

grl_ray grl_read_ray(lua_State *L, int dim);

/* ---- world.c: a graze_scene whose bodies are named by the caller's items ---- */

/* The user table of a world. Lists by slot start at slot 0 = index 1. */
typedef enum grl_world_list {
  GRL_ITEMS = 1, /* slot -> item */
  GRL_SLOTS,     /* item -> slot */
  GRL_SHAPES,    /* slot -> shape */
  GRL_CONTACTS,  /* reused by move() */
  GRL_EVENTS,    /* reused by step() */
  GRL_RESPONSES, /* name -> function: custom responses */
  GRL_CHOSEN,    /* slot -> name of the custom response chosen in this move */
  GRL_BUFFER     /* a userdata, or false while it is borrowed */
} grl_world_list;

typedef struct grl_entry {
  graze_body body; /* generation 0: none */
  grl_store *store;
  const void *before; /* the memory its shape pointed to when restore() began */
} grl_entry;

typedef struct grl_world {
  graze_scene *scene; /* NULL: freed */
  graze_pool *pool;   /* or NULL */
  int dim;
  int samples;        /* of casts by method "discrete" */
  grl_entry *entries; /* by slot */
  size_t entry_count, entry_capacity;
  graze_collision *collisions; /* buffer of one move */
  size_t collision_capacity;
  graze_step step; /* the last one */
} grl_world;

/* The world at argument 1. The second function also requires that no callback runs. */
grl_world *grl_check_world(lua_State *L);
grl_world *grl_change_world(lua_State *L);

/* Calls grl_enter(), and rejects a world freed since grl_check_world(): any allocation may run finalizers. */
lua_State *grl_enter_world(lua_State *L, const grl_world *world);

/* Pushes a table of the world at argument 1; returns its index. A finalizer may restore the world with other lists, so
 * lists by slot are pushed after the last allocation. */
int grl_world_list_push(lua_State *L, grl_world_list list);

/* A list argument that defaults to a list of the world. Returns true if the list of the world is used. */
bool grl_world_list_argument(lua_State *L, int argument, const char *name, grl_world_list list);

/* Pushes a buffer of at least *size bytes for results; *size receives its size. The world at argument 1 keeps the
 * buffer for the next query. Nested queries get a buffer of their own. */
void *grl_buffer_borrow(lua_State *L, size_t *size);
void grl_buffer_return(lua_State *L, int index);

/* The body of the item at an index; the argument is for messages. grl_find_item() returns generation 0 for unknown
 * items and allocates nothing. */
graze_body grl_find_item(lua_State *L, const grl_world *world, int index);
graze_body grl_check_item_at(lua_State *L, const grl_world *world, int argument, int index, const char *name);
graze_body grl_check_item(lua_State *L, const grl_world *world, int argument, const char *name);

/* Pushes the item of a body, from the list of items at a stack index; nil for no body. */
void grl_push_item(lua_State *L, int items, graze_body body);

/* ---- body.c ---- */

/* Reserves entries up to a slot: a restored scene may use any slot that ever existed. Returns false if out of memory.
 */
bool grl_reserve_entries(grl_world *world, uint32_t slot);

/* Sets the entry of the body's slot. Retains the store and releases that of the previous entry. */
void grl_set_entry(grl_world *world, graze_body body, grl_store *store);

/* ---- module.c: functions and methods by type ---- */

extern const luaL_Reg grl_shape_functions[], grl_outline_functions[], grl_placed_functions[], grl_option_functions[],
    grl_result_functions[], grl_pair_functions[], grl_motion_functions[], grl_pose_functions[], grl_world_functions[],
    grl_mesh_functions[];
extern const luaL_Reg grl_shape_methods[], grl_placed_methods[], grl_answer_methods[], grl_cast_methods[],
    grl_world_methods[], grl_body_methods[], grl_snapshot_methods[], grl_query_methods[], grl_move_methods[];
extern const luaL_Reg grl_shape_meta[], grl_placed_meta[], grl_answer_meta[], grl_cast_meta[], grl_option_meta[],
    grl_world_meta[], grl_guard_meta[];

#endif
