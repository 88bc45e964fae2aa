/* Options of queries: a table that is read at each call, or graze.options(), which reads it once. A query rejects
 * options that do not apply to it. */
#include "binding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The methods. Those with a function are in graze/compare.h. */
static const struct {
  const char *name;
  unsigned kinds;
  graze_method pair;
  graze_cast_method cast;
  grl_pair_function compare_pair;
  graze_cast_function compare_cast;
} methods[] = {
    {"auto", GRL_PAIR | GRL_CAST, GRAZE_METHOD_AUTO, GRAZE_CAST_AUTO, NULL, NULL},
    {"gjk", GRL_PAIR, GRAZE_METHOD_GJK, 0, NULL, NULL},
    {"exact", GRL_PAIR, GRAZE_METHOD_EXACT, 0, NULL, NULL},
    {"epa", GRL_PAIR, GRAZE_METHOD_EPA, 0, NULL, NULL},
    {"sat", GRL_PAIR, GRAZE_METHOD_AUTO, 0, graze_compare_sat, NULL},
    {"brute", GRL_PAIR, GRAZE_METHOD_AUTO, 0, graze_compare_brute, NULL},
    {"fccd", GRL_CAST, 0, GRAZE_CAST_FCCD, NULL, NULL},
    {"sweep", GRL_CAST, 0, GRAZE_CAST_SWEEP, NULL, NULL},
    {"ca", GRL_CAST, 0, GRAZE_CAST_CA, NULL, NULL},
    {"lccd", GRL_CAST, 0, GRAZE_CAST_AUTO, NULL, graze_compare_lccd},
    {"discrete", GRL_CAST, 0, GRAZE_CAST_AUTO, NULL, graze_compare_sampling},
};

enum { METHODS = sizeof methods / sizeof *methods, DISCRETE = METHODS - 1 };

enum {
  CLEARANCE,
  MAX_DISTANCE,
  TOLERANCE,
  MAX_ITERATIONS,
  METHOD,
  START,
  CACHE,
  WORKSPACE,
  PROOF,
  TRACE,
  MIN_DISTANCE,
  STEPS,
  SAMPLES,
  SPECULATIVE_DISTANCE,
  FULL
};

static const char *const keys[] = {"clearance",    "max_distance",
                                   "tolerance",    "max_iterations",
                                   "method",       "start",
                                   "cache",        "workspace",
                                   "proof",        "trace",
                                   "min_distance", "steps",
                                   "samples",      "speculative_distance",
                                   "full",         NULL};

/* The kinds of queries that accept each key. */
static const unsigned kinds[] = {
    GRL_PAIR | GRL_CAST | GRL_MANIFOLD | GRL_LIST | GRL_PART_CONTACTS,
    GRL_PAIR | GRL_LIST,
    GRL_PAIR | GRL_CAST | GRL_MANIFOLD | GRL_LIST | GRL_PART_CONTACTS,
    GRL_PAIR | GRL_CAST | GRL_MANIFOLD | GRL_LIST | GRL_PART_CONTACTS,
    GRL_PAIR | GRL_CAST,
    GRL_PAIR,
    GRL_PAIR | GRL_MANIFOLD,
    GRL_PAIR | GRL_CAST | GRL_MANIFOLD | GRL_LIST | GRL_PART_CONTACTS,
    GRL_PAIR | GRL_CAST | GRL_MANIFOLD,
    GRL_PAIR,
    GRL_CAST,
    GRL_CAST,
    GRL_CAST,
    GRL_MANIFOLD | GRL_PART_CONTACTS,
    GRL_MANIFOLD,
};

/* ---- Methods ---- */

/* Lists the names of the methods for the wanted kinds of queries, followed by NULL. */
static void list_methods(unsigned wanted, const char *names[METHODS + 1]) {
  int count = 0;
  for (int i = 0; i < METHODS; i++)
    if (methods[i].kinds & wanted) names[count++] = methods[i].name;
  names[count] = NULL;
}

/* The index of the method named at a stack index. */
static int method_at(lua_State *L, int argument, int index, const char *name, unsigned wanted) {
  const char *names[METHODS + 1];
  list_methods(wanted, names);
  const char *chosen = names[grl_choice(L, argument, index, name, names)];
  int i = 0;
  while (strcmp(methods[i].name, chosen) != 0) i++;
  return i;
}

graze_cast_method grl_cast_method(lua_State *L, int argument, int index, const char *name,
                                  graze_cast_function *function) {
  int i = method_at(L, argument, index, name, GRL_CAST);
  *function = methods[i].compare_cast;
  return methods[i].cast;
}

/* ---- Reading a table ---- */

/* A whole number on top. */
static int whole(lua_State *L, int argument, const char *name, int least, int most) {
  int top = lua_gettop(L);
  double number = grl_nonnegative_at(L, argument, top, name);
  if (!(number >= least && number <= most && number == (double)(int)number))
    grl_reject_value(L, argument, top, name, lua_pushfstring(L, "a whole number from %d to %d", least, most));
  return (int)number;
}

static double bounded(lua_State *L, int argument, const char *name) {
  int top = lua_gettop(L);
  double number = grl_nonnegative_at(L, argument, top, name);
  if (number > GRAZE_LARGEST) grl_reject_value(L, argument, top, name, "a number from 0 to 1e40");
  return number;
}

/* Allocates the workspace of a polytope with this number of points. */
static void allocate_workspace(lua_State *L, grl_options *o, int points) {
  o->workspace_size = graze_workspace_size((size_t)points);
  free(o->workspace);
  o->workspace = malloc(o->workspace_size);
  if (o->workspace == NULL) grl_out_of_memory(L);
  grl_report_memory(L, o->workspace_size);
}

/* Reads the value on top; below it are the key and the options. */
static void read_key(lua_State *L, int argument, grl_options *o) {
  char name[40];
  int key = grl_key(L, argument, "options", keys), top = lua_gettop(L), dim;
  snprintf(name, sizeof name, "options.%s", keys[key]);
  o->keys |= 1u << key;
  switch (key) {
  case CLEARANCE: o->clearance = bounded(L, argument, name); break;
  case MAX_DISTANCE: o->max_distance = grl_nonnegative_at(L, argument, top, name); break;
  case TOLERANCE: o->tolerance = bounded(L, argument, name); break;
  case MAX_ITERATIONS: o->max_iterations = whole(L, argument, name, 1, 1000000); break;
  case METHOD: o->method = method_at(L, argument, top, name, GRL_PAIR | GRL_CAST); break;
  case START: o->start = grl_vec_table(L, argument, top, name, &dim); break;
  case CACHE: o->cached = grl_flag(L, argument, top, name); break;
  case WORKSPACE: allocate_workspace(L, o, whole(L, argument, name, 1, 1000000)); break;
  case PROOF: o->proof = grl_flag(L, argument, top, name); break;
  case MIN_DISTANCE: o->min_distance = grl_flag(L, argument, top, name); break;
  case STEPS: o->step_capacity = (size_t)whole(L, argument, name, 1, 65536); break;
  case SAMPLES: o->samples = whole(L, argument, name, 2, 1000000); break;
  case SPECULATIVE_DISTANCE: o->speculative_distance = bounded(L, argument, name); break;
  case FULL: o->full = grl_flag(L, argument, top, name); break;
  case TRACE:
    if (!lua_isfunction(L, -1)) grl_reject_value(L, argument, top, name, "a function");
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, 1);
    grl_set_table(L, -4);
    o->traced = true;
  }
}

/* Pushes new options from the table at the argument. `kept`: the options outlive the query. Rejects keys without
 * effect. */
static grl_options *read_table(lua_State *L, int argument, bool kept) {
  grl_options *o = grl_new(L, sizeof *o, GRL_OPTIONS);
  o->max_distance = HUGE_VAL;
  o->max_iterations = graze_default_options().max_iterations;
  o->min_distance = true;
  o->samples = 64;
  lua_pushnil(L);
  while (lua_next(L, argument) != 0) {
    read_key(L, argument, o);
    lua_pop(L, 1);
  }
  if (o->cached && !kept)
    grl_reject(L, argument, "options.cache: lost with this table, must be in graze.options {cache = true}");
  if (o->step_capacity > 0 && !o->proof) grl_reject(L, argument, "options.steps: unused, needs proof = true");
  if (o->keys & 1u << SAMPLES && o->method != DISCRETE)
    grl_reject(L, argument, "options.samples: unused, needs method = \"discrete\"");
  return o;
}

void grl_reject_options(lua_State *L, int argument, const char *name) {
  for (int i = 0; keys[i]; i++) {
    lua_pushstring(L, keys[i]);
    lua_rawget(L, argument);
    if (!lua_isnil(L, -1))
      grl_reject(L, argument, "%s: options (a table with the key \"%s\"), must be a table to fill", name, keys[i]);
    lua_pop(L, 1);
  }
}

static int make(lua_State *L) {
  grl_check_count(L, 1, 1);
  if (!lua_istable(L, 1)) grl_reject_value(L, 1, 1, "options", "a table");
  read_table(L, 1, true);
  return 1;
}

/* ---- Queries ---- */

struct traced {
  const graze_trace_step *step;
  int dim;
};

/* Argument 1: the trace function. */
static void call_trace(lua_State *L, void *data) {
  const struct traced *t = data;
  grl_push_trace_step(L, t->step, t->dim);
  lua_call(L, 1, 0);
}

static void trace(void *context, const graze_trace_step *step) {
  const grl_query *query = context;
  struct traced t = {step, query->dim};
  grl_call_protected(query->state, call_trace, &t, query->function, 1);
}

static void set_pair_options(grl_query *query, grl_options *o) {
  graze_options *g = &query->pair;
  g->clearance = o->clearance;
  g->max_distance = o->max_distance;
  g->tolerance = o->tolerance;
  g->max_iterations = o->max_iterations;
  g->method = methods[o->method].pair;
  g->start = o->start;
  g->cache = o->cached ? &o->cache : NULL;
  g->workspace = o->workspace;
  g->workspace_size = o->workspace_size;
  query->compare_pair = methods[o->method].compare_pair;
}

static void set_cast_options(grl_query *query, grl_options *o) {
  graze_cast_options *g = &query->cast;
  g->clearance = o->clearance;
  g->tolerance = o->tolerance;
  g->max_iterations = o->max_iterations;
  g->min_distance = o->min_distance;
  g->method = methods[o->method].cast;
  g->workspace = o->workspace;
  g->workspace_size = o->workspace_size;
  query->samples = o->samples;
  query->compare_cast = methods[o->method].compare_cast;
}

static void set_manifold_options(grl_query *query, grl_options *o) {
  graze_manifold_options *g = &query->manifold;
  g->clearance = o->clearance;
  g->speculative_distance = o->speculative_distance;
  g->tolerance = o->tolerance;
  g->max_iterations = o->max_iterations;
  g->cache = o->cached ? &o->cache : NULL;
  g->workspace = o->workspace;
  g->workspace_size = o->workspace_size;
}

static void set_list_options(grl_query *query, const grl_options *o) {
  graze_list_options *g = &query->list;
  g->clearance = o->clearance;
  g->max_distance = o->max_distance;
  g->tolerance = o->tolerance;
  g->max_iterations = o->max_iterations;
  g->workspace = o->workspace;
  g->workspace_size = o->workspace_size;
}

/* Rejects keys that do not apply to the kind of query. */
static void check_kind(lua_State *L, int argument, const grl_options *o, grl_query_kind kind) {
  for (int i = 0; keys[i]; i++)
    if (o->keys & 1u << i && !(kinds[i] & kind))
      grl_reject(L, argument, "options.%s: unused by this function, must be absent", keys[i]);
  if (!(o->keys & 1u << METHOD) || methods[o->method].kinds & kind) return;
  const char *names[METHODS + 1];
  list_methods(kind, names);
  grl_reject(L, argument, "options.method: no method of this function (\"%s\"), must be %s", methods[o->method].name,
             grl_push_words(L, names));
}

void grl_query_read(lua_State *L, int argument, int dim, grl_query_kind kind, grl_query *query) {
  *query = (grl_query){.state = grl_get_state(L), .dim = dim, .pair = graze_default_options()};
  query->cast = graze_default_cast_options();
  query->manifold = graze_default_manifold_options();
  query->list = graze_default_list_options();
  query->pair.error = query->cast.error = query->manifold.error = query->list.error = &query->error;
  if (grl_absent(L, argument)) return;
  grl_options *given = grl_test(L, argument, GRL_OPTIONS);
  if (given == NULL && !lua_istable(L, argument))
    grl_reject_value(L, argument, argument, "options", "a table or graze.options()");
  int index = argument;
  if (given == NULL) {
    given = read_table(L, argument, false);
    index = lua_gettop(L);
  }
  if (given->freed) grl_reject(L, argument, "options: already freed");
  if (given->busy) grl_reject(L, argument, "options: in use by a running query");
  if (given->start.z != 0) grl_check_dim(L, argument, "options.start", 3, dim);
  check_kind(L, argument, given, kind);
  query->given = given;
  query->method = given->method == 0 ? NULL : methods[given->method].name;
  if (kind == GRL_PAIR || kind == GRL_MANIFOLD) set_pair_options(query, given);
  if (kind == GRL_CAST) set_cast_options(query, given);
  if (kind == GRL_MANIFOLD || kind == GRL_PART_CONTACTS) set_manifold_options(query, given);
  if (kind == GRL_LIST) set_list_options(query, given);
  if (!given->traced) return;
  grl_get_table(L, index);
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
  query->function = lua_gettop(L);
  query->tracer = (graze_tracer){trace, query};
  query->pair.tracer = &query->tracer;
}

lua_State *grl_query_begin(lua_State *L, grl_query *query) {
  lua_State *before = grl_enter(L); /* may raise an error: the options are not busy yet */
  if (query->given) query->given->busy = true;
  return before;
}

void grl_query_end(lua_State *L, grl_query *query, lua_State *before) {
  if (query->given) query->given->busy = false;
  grl_leave(L, before);
}

static int collect(lua_State *L) {
  grl_options *options = grl_test(L, 1, GRL_OPTIONS);
  if (options == NULL) return 0;
  free(options->workspace);
  options->workspace = NULL;
  options->freed = true;
  return 0;
}

const luaL_Reg grl_option_functions[] = {{"options", make}, {NULL, NULL}};

const luaL_Reg grl_option_meta[] = {{"__gc", collect}, {NULL, NULL}};
