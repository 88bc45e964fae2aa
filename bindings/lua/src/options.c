/* How a question is to be answered: read from a table each time, or once for all by graze.options(). */
#include "binding.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const methods[] = {"auto", "gjk",   "exact", "sat", "epa",      "brute",
                                      "fccd", "sweep", "lccd",  "ca",  "discrete", NULL};

const char *grl_method_text(graze_method method) { return methods[method]; }

static void read_clearance(lua_State *L, int argument, grl_options *o, double number) {
  (void)L, (void)argument;
  o->options.clearance = number;
}

static void read_max_distance(lua_State *L, int argument, grl_options *o, double number) {
  (void)L, (void)argument;
  o->options.max_distance = number;
}

static void read_tolerance(lua_State *L, int argument, grl_options *o, double number) {
  (void)L, (void)argument;
  o->options.tolerance = number;
}

static int whole(lua_State *L, int argument, const char *name, double number, int least, int most) {
  if (!(number >= least && number <= most && number == (double)(int)number))
    grl_refuse(L, argument, "options.%s: a whole number from %d to %d expected, got %s", name, least, most,
               grl_say(L, number));
  return (int)number;
}

static void read_iterations(lua_State *L, int argument, grl_options *o, double number) {
  o->options.max_iterations = whole(L, argument, "max_iterations", number, 1, 1000000);
}

static void read_samples(lua_State *L, int argument, grl_options *o, double number) {
  o->options.samples = whole(L, argument, "samples", number, 2, 1000000);
}

static void read_workspace(lua_State *L, int argument, grl_options *o, double number) {
  int points = whole(L, argument, "workspace", number, 1, 1000000);
  o->options.workspace_size = graze_workspace_size((size_t)points);
  free(o->workspace);
  o->workspace = malloc(o->options.workspace_size);
  o->options.workspace = o->workspace;
  if (o->workspace == NULL) grl_out_of_memory(L);
  grl_weigh(L, o->options.workspace_size);
}

static void read_steps(lua_State *L, int argument, grl_options *o, double number) {
  o->options.step_capacity = (size_t)whole(L, argument, "steps", number, 1, 65536);
}

/* The value of the others is on top. */
static void read_method(lua_State *L, int argument, grl_options *o, double number) {
  (void)number;
  o->options.method = (graze_method)grl_choice(L, argument, lua_gettop(L), "options.method", methods);
}

static void read_start(lua_State *L, int argument, grl_options *o, double number) {
  int dim;
  (void)number;
  o->options.start = grl_vec_table(L, argument, lua_gettop(L), "options.start", &dim);
}

static void read_cache(lua_State *L, int argument, grl_options *o, double number) {
  (void)number;
  o->options.cache = grl_flag(L, argument, lua_gettop(L), "options.cache") ? &o->cache : NULL;
}

static void read_proof(lua_State *L, int argument, grl_options *o, double number) {
  (void)number;
  o->proof = grl_flag(L, argument, lua_gettop(L), "options.proof");
}

static void read_full(lua_State *L, int argument, grl_options *o, double number) {
  (void)number;
  o->full = grl_flag(L, argument, lua_gettop(L), "options.full");
}

/* The function is kept in the table of the options, which lie below the key and the value. */
static void read_trace(lua_State *L, int argument, grl_options *o, double number) {
  (void)number;
  if (!lua_isfunction(L, -1))
    grl_refuse(L, argument, "options.trace: a function expected, got %s", grl_describe(L, lua_gettop(L)));
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, 1);
  grl_set_table(L, -4);
  o->traced = true;
}

/* The value of a key on top. */
typedef struct key {
  void (*read)(lua_State *L, int argument, grl_options *options, double number);
  bool number, infinite; /* a number from 0 on; may be infinite */
} key;

static const char *const names[] = {
    "clearance", "max_distance", "tolerance", "max_iterations", "samples", "workspace", "steps",
    "method",    "start",        "cache",     "proof",          "trace",   "full",      NULL};

static const key keys[] = {
    {read_clearance, true, false},  {read_max_distance, true, true}, {read_tolerance, true, false},
    {read_iterations, true, false}, {read_samples, true, false},     {read_workspace, true, false},
    {read_steps, true, false},      {read_method, false, false},     {read_start, false, false},
    {read_cache, false, false},     {read_proof, false, false},      {read_trace, false, false},
    {read_full, false, false},
};

/* Options at -3, key at -2, value at -1. */
static void read_key(lua_State *L, int argument, grl_options *options) {
  int at = grl_key(L, argument, "options", names), top = lua_gettop(L);
  const key *k = &keys[at];
  double number = 0;
  if (k->number) {
    char name[32];
    snprintf(name, sizeof name, "options.%s", names[at]);
    number = grl_time_at(L, argument, top, name);
    if (!k->infinite && number > GRAZE_LARGEST)
      grl_refuse(L, argument, "%s: a number from 0 to 1e40 expected, got %s", name, grl_describe(L, top));
  }
  k->read(L, argument, options, number);
}

void grl_refuse_options(lua_State *L, int argument, const char *expected) {
  for (int i = 0; names[i]; i++) {
    lua_pushstring(L, names[i]);
    lua_rawget(L, argument);
    if (!lua_isnil(L, -1)) grl_refuse(L, argument, "%s, got options: one has the key \"%s\"", expected, names[i]);
    lua_pop(L, 1);
  }
}

/* What would do nothing. `kept`: the options outlive the question. */
static void refuse_useless(lua_State *L, int argument, const grl_options *options, bool kept) {
  if (options->options.cache && !kept)
    grl_refuse(L, argument, "options.cache: forgotten with this table; graze.options {cache = true} keeps one");
  if (options->options.step_capacity > 0 && !options->proof)
    grl_refuse(L, argument, "options.steps: kept with proof = true only");
  lua_pushliteral(L, "samples");
  lua_rawget(L, argument);
  if (!lua_isnil(L, -1) && options->options.method != GRAZE_METHOD_DISCRETE)
    grl_refuse(L, argument, "options.samples: method = \"discrete\" only takes them");
  lua_pop(L, 1);
}

/* New options from the table at the argument, on top. */
static grl_options *read_table(lua_State *L, int argument, bool kept) {
  grl_options *options = grl_new(L, sizeof *options, GRL_OPTIONS);
  options->options = graze_default_options();
  lua_pushnil(L);
  while (lua_next(L, argument) != 0) {
    read_key(L, argument, options);
    lua_pop(L, 1);
  }
  refuse_useless(L, argument, options, kept);
  return options;
}

static int make(lua_State *L) {
  grl_count(L, 1, 1);
  if (!lua_istable(L, 1)) grl_refuse(L, 1, "options: a table expected, got %s", grl_describe(L, 1));
  read_table(L, 1, true);
  return 1;
}

void grl_asking_read(lua_State *L, int argument, int dim, grl_asking *asking) {
  asking->given = NULL;
  asking->state = grl_get_state(L);
  asking->function = 0;
  asking->dim = dim;
  if (grl_absent(L, argument)) {
    asking->options = graze_default_options();
    return;
  }
  grl_options *given = grl_test(L, argument, GRL_OPTIONS);
  if (given == NULL && !lua_istable(L, argument))
    grl_refuse(L, argument, "options: a table or graze.options() expected, got %s", grl_describe(L, argument));
  int index = argument;
  if (given == NULL) {
    given = read_table(L, argument, false);
    index = lua_gettop(L);
  }
  if (given->freed) grl_refuse(L, argument, "options: these were freed");
  if (given->busy) grl_refuse(L, argument, "options: a question with these is under way");
  if (dim == 2 && given->options.start.z != 0) grl_refuse(L, argument, "options.start: 3D, where 2D is wanted");
  asking->given = given;
  asking->options = given->options;
  asking->options.step_capacity = 0;
  if (!given->traced) return;
  grl_get_table(L, index);
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
  asking->function = lua_gettop(L);
  asking->options.trace = grl_trace_step;
  asking->options.trace_context = asking;
}

lua_State *grl_ask(lua_State *L, grl_asking *asking) {
  lua_State *before = grl_enter_state(L, asking->state); /* may refuse; then they are not busy */
  if (asking->given) asking->given->busy = true;
  return before;
}

void grl_asked(lua_State *L, grl_asking *asking, lua_State *before) {
  if (asking->given) asking->given->busy = false;
  grl_leave_state(L, asking->state, before);
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

const luaL_Reg grl_option_methods[] = {{NULL, NULL}};

const luaL_Reg grl_option_meta[] = {{"__gc", collect}, {NULL, NULL}};
