/* Options of queries: a table that is read at each call, or graze.options(), which reads it once. */
#include "binding.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const methods[] = {"auto", "gjk",   "exact", "sat", "epa",      "brute",
                                      "fccd", "sweep", "lccd",  "ca",  "discrete", NULL};

const char *grl_method_text(graze_method method) { return methods[method]; }

enum {
  CLEARANCE,
  MAX_DISTANCE,
  TOLERANCE,
  MAX_ITERATIONS,
  SAMPLES,
  WORKSPACE,
  STEPS,
  METHOD,
  START,
  CACHE,
  PROOF,
  TRACE,
  FULL
};

static const char *const keys[] = {
    "clearance", "max_distance", "tolerance", "max_iterations", "samples", "workspace", "steps",
    "method",    "start",        "cache",     "proof",          "trace",   "full",      NULL};

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

/* Allocates the workspace of a polytope of so many points. */
static void allocate_workspace(lua_State *L, grl_options *o, int points) {
  o->options.workspace_size = graze_workspace_size((size_t)points);
  free(o->workspace);
  o->workspace = malloc(o->options.workspace_size);
  o->options.workspace = o->workspace;
  if (o->workspace == NULL) grl_out_of_memory(L);
  grl_report_memory(L, o->options.workspace_size);
}

/* Reads the value on top; below it are the key and the options. */
static void read_key(lua_State *L, int argument, grl_options *o) {
  char name[32];
  int key = grl_key(L, argument, "options", keys), top = lua_gettop(L), dim;
  snprintf(name, sizeof name, "options.%s", keys[key]);
  switch (key) {
  case CLEARANCE: o->options.clearance = bounded(L, argument, name); break;
  case MAX_DISTANCE: o->options.max_distance = grl_nonnegative_at(L, argument, top, name); break;
  case TOLERANCE: o->options.tolerance = bounded(L, argument, name); break;
  case MAX_ITERATIONS: o->options.max_iterations = whole(L, argument, name, 1, 1000000); break;
  case SAMPLES: o->options.samples = whole(L, argument, name, 2, 1000000); break;
  case WORKSPACE: allocate_workspace(L, o, whole(L, argument, name, 1, 1000000)); break;
  case STEPS: o->options.step_capacity = (size_t)whole(L, argument, name, 1, 65536); break;
  case METHOD: o->options.method = (graze_method)grl_choice(L, argument, top, name, methods); break;
  case START: o->options.start = grl_vec_table(L, argument, top, name, &dim); break;
  case CACHE: o->options.cache = grl_flag(L, argument, top, name) ? &o->cache : NULL; break;
  case PROOF: o->proof = grl_flag(L, argument, top, name); break;
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

/* Pushes new options from the table at the argument. `kept`: they outlive the query. Rejects keys without effect. */
static grl_options *read_table(lua_State *L, int argument, bool kept) {
  grl_options *o = grl_new(L, sizeof *o, GRL_OPTIONS);
  o->options = graze_default_options();
  lua_pushnil(L);
  while (lua_next(L, argument) != 0) {
    read_key(L, argument, o);
    lua_pop(L, 1);
  }
  if (o->options.cache && !kept)
    grl_reject(L, argument, "options.cache: lost with this table, must be in graze.options {cache = true}");
  if (o->options.step_capacity > 0 && !o->proof) grl_reject(L, argument, "options.steps: unused, needs proof = true");
  lua_pushliteral(L, "samples");
  lua_rawget(L, argument);
  if (!lua_isnil(L, -1) && o->options.method != GRAZE_METHOD_DISCRETE)
    grl_reject(L, argument, "options.samples: unused, needs method = \"discrete\"");
  lua_pop(L, 1);
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

void grl_query_read(lua_State *L, int argument, int dim, grl_query *query) {
  *query = (grl_query){.state = grl_get_state(L), .dim = dim};
  if (grl_absent(L, argument)) {
    query->options = graze_default_options();
    return;
  }
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
  if (given->options.start.z != 0) grl_check_dim(L, argument, "options.start", 3, dim);
  query->given = given;
  query->options = given->options;
  query->options.step_capacity = 0;
  if (!given->traced) return;
  grl_get_table(L, index);
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
  query->function = lua_gettop(L);
  query->options.trace = trace;
  query->options.trace_context = query;
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
