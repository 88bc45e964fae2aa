/* What the files of the Lua module share.
 *
 * Every C function of the module has the same upvalues: the state, a metatable for each type, and the number of its
 * usage. Objects:
 *
 *   shape    a graze_shape, and a reference to the memory it points into
 *   placed   a graze_placed, and a reference to the same
 *   answer   a graze_answer, and the memory of its proofs; filled again and again
 *   impact   a graze_cast_result, likewise
 *   options  a graze_options, with cache and workspace; its table holds the trace function
 *   guard    what Graze made for the time of a call; never seen by callers
 *   world    a graze_scene; its table holds the items, their shapes, and the tables it reuses
 *
 * Memory that shapes point into is counted (grl_store): whatever the order in which Lua collects things, or a caller
 * frees them, a placed shape or a world keeps what it needs.
 *
 * No Lua error leaves through a function of Graze. What Graze calls back runs protected (grl_protected()); the error is
 * kept, and raised when Graze has returned (grl_leave()). While Graze calls back, nothing may be changed. */
#ifndef GRAZE_LUA_BINDING_H
#define GRAZE_LUA_BINDING_H

#include <graze/build.h>
#include <graze/graze.h>
#include <graze/scene.h>

#include "compat.h"

/* ---- Module ---- */

typedef enum grl_type { GRL_SHAPE = 2, GRL_PLACED, GRL_ANSWER, GRL_IMPACT, GRL_OPTIONS, GRL_WORLD, GRL_GUARD } grl_type;
enum { GRL_STATE = 1, GRL_FIRST_TYPE = GRL_SHAPE, GRL_LAST_TYPE = GRL_GUARD, GRL_USAGE };

/* One for each lua_State. */
typedef struct grl_state {
  lua_State *running; /* who asks Graze something right now; NULL: nobody */
  int depth;          /* questions within each other: of callbacks of callbacks */
  bool failed;        /* what Graze called back raised an error, which is kept */
  int trampoline;     /* where the registry has the function that grl_protected() calls … */
  int error;          /* … and the error that came of it, false where there is none. References, not addresses: LuaJIT
                         does not take every address */
  const struct grl_call *call; /* what it is to call now */
  int functions;               /* where the registry has the support functions, by number; weak values */
  int function_count;          /* the last number */
  size_t weight;               /* of memory that the collector was not told of yet */
} grl_state;

grl_state *grl_get_state(lua_State *L);

/* Adds functions of an owner ("graze", "world" …), with the upvalues of the module, to the table on top. */
void grl_register(lua_State *L, const char *owner, const luaL_Reg *functions);

/* A new object of the type, zeroed, on top. */
void *grl_new(lua_State *L, size_t size, grl_type type);

/* The object, or NULL. */
void *grl_test(lua_State *L, int index, grl_type type);

/* ---- Calling Graze, and being called back ---- */

lua_State *grl_enter(lua_State *L); /* returns what grl_leave() takes */
void grl_leave(lua_State *L, lua_State *before);

/* The same for those who have the state at hand. */
lua_State *grl_enter_state(lua_State *L, grl_state *state);
void grl_leave_state(lua_State *L, grl_state *state, lua_State *before);

/* Runs body(L, data) protected, with copies of `count` stack values from `first` on as its arguments 1 … count; it may
 * leave them. False: it raised an error, now or earlier. */
typedef void (*grl_body)(lua_State *L, void *data);
bool grl_protected(grl_state *state, grl_body body, void *data, int first, int count);

/* Raises an error where Graze is calling back. */
void grl_may_change(lua_State *L);

/* ---- Errors ---- */

/* The number of a function's usage; 0: it has none. */
int grl_find_usage(const char *owner, const char *name);

/* Of the function that runs: pushes and returns it, or returns NULL. */
const char *grl_function_name(lua_State *L);
bool grl_is_method_call(lua_State *L); /* object:name(…), whose messages do not count the object */

int grl_refuse(lua_State *L, int argument, const char *format, ...);

/* Says how many arguments are wanted: from `least` to `most`, or those two numbers only. */
void grl_refuse_count(lua_State *L, int least, int most, bool between);

/* A number in as few digits as tell it, for a message: pushes and returns it. */
const char *grl_say(lua_State *L, double value);

/* What stands at an index, for a message: pushes and returns it. */
const char *grl_describe(lua_State *L, int index);

/* The same of an item: a table is told by its name or address, as tostring() gives it. */
const char *grl_describe_item(lua_State *L, int index);

/* Where the function at an index stands in its source, likewise. */
const char *grl_describe_function(lua_State *L, int index);

/* The place of a word in a list that ends with NULL. */
int grl_choice(lua_State *L, int argument, int index, const char *name, const char *const *words);

/* The same of the key below the top, of a table that the message calls `of`. */
int grl_key(lua_State *L, int argument, const char *of, const char *const *keys);

/* The value at 2 names nothing that an object of the type has. */
int grl_no_member(lua_State *L, grl_type type);
int grl_refuse_member(lua_State *L, const char *type, const char *const *names); /* these it has */

/* Raises an error unless the status is GRAZE_OK. `error` may be NULL. */
void grl_check(lua_State *L, int argument, const char *name, graze_status status, const graze_error *error);

/* ---- Arguments ---- */

void grl_count(lua_State *L, int least, int most);
bool grl_absent(lua_State *L, int index); /* none, or nil */
double grl_number(lua_State *L, int argument, const char *name);
double grl_time(lua_State *L, int argument, const char *name, double fallback); /* >= 0, may be infinite */
double grl_time_at(lua_State *L, int argument, int index, const char *name);
bool grl_flag(lua_State *L, int argument, int index, const char *name);
uint64_t grl_bits(lua_State *L, int argument, int index, const char *name); /* of a whole number; -1: all */
graze_vec grl_vec_arguments(lua_State *L, int first, int dim, const char *name);
graze_vec grl_direction(lua_State *L, int first, int dim, const char *name); /* the same, not zero */

/* Whatever number stands at an index, NaN too; refuses integers that no double holds. */
double grl_real(lua_State *L, int argument, int index, const char *name, const char *expected);
size_t grl_whole(lua_State *L, int argument, const char *name, double most); /* 1 … most */

/* A vector from a table at a stack index: {x, y[, z]} or {x =, y =[, z =]}. *dim is 2 or 3. `argument` is for the
 * message. */
graze_vec grl_vec_table(lua_State *L, int argument, int index, const char *name, int *dim);
void grl_same_dim(lua_State *L, int argument, const char *name, int have, int want);

/* A velocity, or an angular one (in 2D a number), on top. */
graze_vec grl_velocity(lua_State *L, int argument, const char *name, int dim, bool angular);

/* A list of points: tables as above, or in 2D plain numbers x, y, x, y … Pushes a userdata that holds them. *dim: 0 on
 * entry takes either; otherwise it must be that. */
const graze_vec *grl_points(lua_State *L, int argument, int index, const char *name, size_t *count, int *dim);

/* A pose from the arguments first … up to the first that is no number: 2D x, y [, angle], or x, y, w, z; 3D x, y, z
 * [, w, x, y, z]. None: the origin. *next: the argument after it. */
graze_pose grl_pose_arguments(lua_State *L, int first, int dim, int *next);

/* The same where nothing follows. `must`: there has to be one. */
graze_pose grl_last_pose(lua_State *L, int first, int dim, bool must);

/* ---- Results ---- */

int grl_push_vec(lua_State *L, graze_vec v, int dim);    /* as 2 or 3 values */
int grl_push_known(lua_State *L, graze_vec v, int dim);  /* the same; NaN: one nil */
void grl_set_vec(lua_State *L, graze_vec v, int dim);    /* into the table on top: [1], [2], [3] */
void grl_push_point(lua_State *L, graze_vec v, int dim); /* as a new table, or nil where it is NaN */
int grl_push_pose(lua_State *L, const graze_pose *pose, int dim);
void grl_push_real(lua_State *L, double value); /* NaN: nil */
void grl_push_points(lua_State *L, const graze_vec *points, size_t count, int dim);

/* The value on top into the table below it. Metamethods are not called: the table may be the caller's. */
void grl_set_field(lua_State *L, const char *key);

/* Into the table on top, likewise. */
void grl_set_number(lua_State *L, const char *key, double value);
void grl_set_whole(lua_State *L, const char *key, ptrdiff_t value);
void grl_set_bits(lua_State *L, const char *key, uint64_t bits); /* as grl_bits() takes them */
void grl_set_word(lua_State *L, const char *key, const char *word);
void grl_set_flag(lua_State *L, const char *key, bool value);

/* The table to fill at an argument: the caller's, or a new one, put there. */
void grl_read_list(lua_State *L, int argument, const char *name);

/* Lists of entries that are used again: list.spare holds all entries there ever were, list[1] … list[count] those that
 * mean something. */
int grl_list_begin(lua_State *L, int list);                    /* pushes the spare entries; returns where they stand */
void grl_list_entry(lua_State *L, int list, int spare, int i); /* pushes entry i >= 1 */
void grl_list_end(lua_State *L, int list, int count);

/* Into the table on top, where there is one of this name: .x, .y, .z. */
void grl_reuse_vec(lua_State *L, const char *key, graze_vec v, int dim);

/* ---- Memory ---- */

typedef struct grl_store grl_store;
struct grl_store {
  size_t references;
  graze_hull hull;          /* or zeroed */
  graze_compound *compound; /* or NULL */
  grl_state *state;         /* of a support function … */
  int function;             /* … and its number; 0: none */
  bool calls;               /* it, or one of what it holds, is a support function */
  size_t child_count;       /* what a compound's parts point into */
  grl_store **children;
  graze_vec vertices[];
};

/* A store with room for vertices, one reference, on nobody's account yet; NULL: no memory. */
grl_store *grl_store_new(size_t vertices);
grl_store *grl_store_keep(grl_store *store); /* NULL stays NULL */
void grl_store_drop(grl_store *store);

/* Gives the store the function on top, which it pops. It lives as long as an object that holds it. */
void grl_number_function(lua_State *L, grl_store *store);
void grl_push_function(lua_State *L, const grl_store *store);

/* The object on top, which nobody else knows yet, holds the functions of its store. */
void grl_hold_functions(lua_State *L, const grl_store *store);

/* The object at `to`, which has the store from the one at `from`, holds its functions, too. Allocates nothing. */
void grl_share_functions(lua_State *L, const grl_store *store, int from, int to);

/* Tells the collector of memory that it does not see. */
void grl_weigh(lua_State *L, size_t bytes);

void grl_out_of_memory(lua_State *L);

/* ---- Objects ---- */

typedef struct grl_shape {
  graze_shape shape;
  grl_store *store; /* NULL: the shape points to nothing */
  bool freed;
} grl_shape;

typedef struct grl_placed {
  graze_placed placed;
  grl_store *store;
  bool freed;
  bool is_part;     /* of a compound … */
  graze_pose whole; /* … that stood here */
} grl_placed;

/* What an answer can be asked about the shapes of its question. */
typedef struct grl_answer {
  graze_answer answer; /* relation 0: not filled */
  int dim;
  bool bounds;  /* the certificate shows the interval, too */
  double radii; /* those of both shapes, or of the parts, and the clearance */
  graze_surface surface;
  void *workspace; /* for the surface */
  graze_part_proof *parts;
  size_t part_capacity;
} grl_answer;

typedef struct grl_impact {
  graze_cast_result impact; /* result 0: not filled */
  int dim;
  graze_cast_step *steps;
  size_t step_capacity;
} grl_impact;

typedef struct grl_options {
  graze_options options;
  bool proof;  /* keep the large proofs in the answer */
  bool full;   /* the whole contact polygon */
  bool traced; /* its table holds the function at 1 */
  bool busy;   /* a question with these is under way: its workspace and cache are taken */
  bool freed;
  graze_cache cache;
  void *workspace;
} grl_options;

grl_shape *grl_check_shape(lua_State *L, int argument, const char *name);
grl_placed *grl_check_placed(lua_State *L, int argument, const char *name);

const char *grl_kind_text(graze_shape_kind kind);

/* A new shape of one value, judged; raises an error that names the argument. */
grl_shape *grl_push_shape(lua_State *L, graze_shape shape);

/* Judges the shape on top. */
void grl_judge_shape(lua_State *L, int argument, const grl_shape *shape);

/* A new placed shape, of nothing yet. What it is to be is read afterwards only: any allocation may run finalizers,
 * which free shapes and fill other placed ones. */
grl_placed *grl_push_placed(lua_State *L);

/* Fills the one on top; the store is that of the object at `from`. Allocates nothing. */
void grl_fill_placed(lua_State *L, grl_placed *made, const graze_placed *placed, grl_store *store, int from);

/* What a question is asked with: options and, perhaps, an answer to fill. */
typedef struct grl_asking {
  graze_options options;
  grl_options *given; /* NULL: the defaults */
  grl_state *state;
  int function; /* where the trace function stands on the stack; 0: none */
  int dim;
} grl_asking;

/* Reads the options at an argument (absent: the defaults) for a question in `dim` dimensions. Changes the stack:
 * the arguments stay, things above them are the asking's. */
void grl_asking_read(lua_State *L, int argument, int dim, grl_asking *asking);

/* Refuses a table that has a key of options: it stands in the place of another. */
void grl_refuse_options(lua_State *L, int argument, const char *expected);

const char *grl_method_text(graze_method method);

/* The answer or impact at an argument; NULL where absent. */
grl_answer *grl_check_answer(lua_State *L, int argument);
grl_impact *grl_check_impact(lua_State *L, int argument);

/* Room for the large proofs, if they are asked for, in the answer. */
void grl_answer_room(lua_State *L, grl_answer *answer, grl_asking *asking, size_t pairs_of_parts);
void grl_impact_room(lua_State *L, grl_impact *impact, grl_asking *asking);

/* Between these Graze answers. */
lua_State *grl_ask(lua_State *L, grl_asking *asking);
void grl_asked(lua_State *L, grl_asking *asking, lua_State *before);

/* A ray from argument 2 on: origin, direction, t_max, and an impact to fill after the argument that follows, `after`
 * + 1. Nothing stays above that. */
typedef struct grl_ray {
  graze_vec origin, direction;
  double t_max;
  grl_impact *kept; /* or NULL */
  int after;        /* the argument t_max */
} grl_ray;

grl_ray grl_read_ray(lua_State *L, int dim);

/* Raises an error that says whose fault it was: that of the options, at an argument, or the shapes'. */
void grl_check_question(lua_State *L, graze_status status, int options, const char *function);

/* Puts what was found into the caller's answer. */
void grl_keep_answer(grl_answer *answer, const graze_answer *found, const grl_placed *a, const grl_placed *b,
                     const grl_asking *asking);

/* Contact manifolds: the table to fill at an argument, its filling, and what is returned. */
void grl_read_contacts(lua_State *L, int argument);
void grl_fill_contacts(lua_State *L, int list, const graze_contact *contacts, size_t count, int dim);
int grl_push_manifold(lua_State *L, int list, const graze_answer *answer, size_t count, int dim);

/* Certificates as tables, in the form of query lines. */
void grl_push_pairs(lua_State *L, const graze_pair *pairs, size_t count, int dim);
void grl_push_pair(lua_State *L, const graze_pair *pair, int dim);
void grl_push_relation_proof(lua_State *L, const graze_certificate *certificate, int dim);
void grl_push_lower_proof(lua_State *L, const graze_certificate *certificate, int dim);
void grl_push_direction(lua_State *L, const graze_direction *direction, int dim); /* a table */
void grl_push_surface(lua_State *L, const graze_surface *surface, int dim);

/* Those of an answer or impact, into the table on top. Bodies of grl_protected(): a finalizer that asked with the same
 * object would move what they read. */
void grl_set_certificate(lua_State *L, void *answer);
void grl_set_impact_certificate(lua_State *L, void *impact);

/* The trace as tables. */
void grl_trace_step(void *asking, const graze_trace_step *step);

/* ---- The parts of the module: each adds its functions to the table on top ---- */

extern const luaL_Reg grl_shape_functions[], grl_solid_functions[], grl_placed_functions[], grl_option_functions[],
    grl_answer_functions[], grl_question_functions[], grl_contact_functions[], grl_motion_functions[],
    grl_outline_functions[], grl_world_functions[];
extern const luaL_Reg grl_shape_methods[], grl_placed_methods[], grl_answer_methods[], grl_impact_methods[],
    grl_option_methods[], grl_world_methods[], grl_body_methods[], grl_snapshot_methods[], grl_step_methods[],
    grl_query_methods[], grl_near_methods[], grl_move_methods[];
/* The name of a field; NULL: there are not so many. */
const char *grl_answer_field(int i);
const char *grl_impact_field(int i);

extern const luaL_Reg grl_shape_meta[], grl_placed_meta[], grl_answer_meta[], grl_impact_meta[], grl_option_meta[],
    grl_world_meta[], grl_guard_meta[];

#endif
