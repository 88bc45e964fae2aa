/* luaopen_graze: the module's table, and what every function of it has at hand. */
#include "binding.h"

#include <string.h>

grl_state *grl_get_state(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(GRL_STATE)); }

void grl_register(lua_State *L, const char *owner, const luaL_Reg *functions) {
  for (; functions->name; functions++) {
    for (int i = GRL_STATE; i <= GRL_LAST_TYPE; i++) lua_pushvalue(L, lua_upvalueindex(i));
    lua_pushinteger(L, grl_find_usage(owner, functions->name));
    lua_pushcclosure(L, functions->func, GRL_USAGE);
    lua_setfield(L, -2, functions->name);
  }
}

void *grl_new(lua_State *L, size_t size, grl_type type) {
  void *object = lua_newuserdata(L, size);
  memset(object, 0, size);
  lua_pushvalue(L, lua_upvalueindex((int)type));
  lua_setmetatable(L, -2);
  return object;
}

void *grl_test(lua_State *L, int index, grl_type type) {
  void *object = lua_touserdata(L, index);
  if (object == NULL || !lua_getmetatable(L, index)) return NULL;
  bool is = lua_rawequal(L, -1, lua_upvalueindex((int)type)) != 0;
  lua_pop(L, 1);
  return is ? object : NULL;
}

/* ---- Calling Graze, and being called back ---- */

struct grl_call {
  grl_body body;
  void *data;
};

/* Its upvalue is the state. */
static int trampoline(lua_State *L) {
  const struct grl_call *call = grl_get_state(L)->call;
  call->body(L, call->data);
  return 0;
}

enum { MOST_DEPTH = 16 }; /* each takes what Graze takes of the C stack, which Lua does not watch */

lua_State *grl_enter_state(lua_State *L, grl_state *state) {
  lua_State *before = state->running;
  if (state->depth >= MOST_DEPTH) luaL_error(L, "callbacks ask questions more than %d deep in each other", MOST_DEPTH);
  luaL_checkstack(L, 2 * LUA_MINSTACK, "too many callbacks in each other");
  state->running = L;
  state->depth++;
  return before;
}

lua_State *grl_enter(lua_State *L) { return grl_enter_state(L, grl_get_state(L)); }

void grl_leave(lua_State *L, lua_State *before) { grl_leave_state(L, grl_get_state(L), before); }

void grl_leave_state(lua_State *L, grl_state *state, lua_State *before) {
  state->running = before;
  state->depth--;
  if (!state->failed) return;
  state->failed = false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->error);
  lua_pushboolean(L, 0);
  lua_rawseti(L, LUA_REGISTRYINDEX, state->error);
  lua_error(L);
}

bool grl_protected(grl_state *state, grl_body body, void *data, int first, int count) {
  lua_State *L = state->running;
  const struct grl_call call = {body, data}, *outer = state->call;
  if (state->failed) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->trampoline);
  for (int i = 0; i < count; i++) lua_pushvalue(L, first + i);
  state->call = &call;
  bool good = lua_pcall(L, count, 0, 0) == 0;
  state->call = outer;
  if (good) return true;
  state->failed = true;
  lua_rawseti(L, LUA_REGISTRYINDEX, state->error); /* the place is there already, so that nothing is allocated */
  return false;
}

void grl_may_change(lua_State *L) {
  if (grl_get_state(L)->running) luaL_error(L, "nothing may be changed by what Graze calls back");
}

/* ---- Opening ---- */

/* The methods of a type: what the module can do that takes it first, too. Its fields, by number; NULL: it has none. */
typedef struct type {
  const char *name;
  const luaL_Reg *meta, *methods[8];
  const char *(*field)(int i);
} type;

static const type types[] = {
    {"graze.shape", grl_shape_meta, {grl_shape_methods}, NULL},
    {"graze.placed",
     grl_placed_meta,
     {grl_placed_methods, grl_placed_functions, grl_question_functions, grl_contact_functions, grl_motion_functions},
     NULL},
    {"graze.answer", grl_answer_meta, {grl_answer_methods}, grl_answer_field},
    {"graze.impact", grl_impact_meta, {grl_impact_methods}, grl_impact_field},
    {"graze.options", grl_option_meta, {grl_option_methods}, NULL},
    {"graze.world",
     grl_world_meta,
     {grl_world_methods, grl_body_methods, grl_snapshot_methods, grl_step_methods, grl_query_methods, grl_near_methods,
      grl_move_methods},
     NULL},
    {"graze.guard", grl_guard_meta, {NULL}, NULL},
};

static const luaL_Reg *const parts[] = {
    grl_shape_functions,    grl_solid_functions,   grl_placed_functions, grl_option_functions,  grl_answer_functions,
    grl_question_functions, grl_contact_functions, grl_motion_functions, grl_outline_functions, grl_world_functions,
};

enum { MOST_MEMBERS = 64 };

int grl_no_member(lua_State *L, grl_type number) {
  const type *t = &types[number - GRL_FIRST_TYPE];
  const char *names[MOST_MEMBERS + 1];
  int count = 0;
  for (int i = 0; t->field && t->field(i) && count < MOST_MEMBERS; i++) names[count++] = t->field(i);
  for (int i = 0; i < 8 && t->methods[i]; i++)
    for (const luaL_Reg *m = t->methods[i]; m->name && count < MOST_MEMBERS; m++) names[count++] = m->name;
  names[count] = NULL;
  return grl_refuse_member(L, t->name, names);
}

/* Its upvalue is the number of the type. */
static int no_method(lua_State *L) { return grl_no_member(L, (grl_type)lua_tointeger(L, lua_upvalueindex(1))); }

/* What is not in the table of methods on top is an error. */
static void close_methods(lua_State *L, grl_type number) {
  lua_createtable(L, 0, 1);
  lua_pushinteger(L, number);
  lua_pushcclosure(L, no_method, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

/* Fills the metatable on top. Answers and impacts have fields: their __index is a function that looks there first, and
 * into the methods, its last upvalue, afterwards. */
static void open_type(lua_State *L, grl_type number) {
  const type *t = &types[number - GRL_FIRST_TYPE];
  const char *owner = strchr(t->name, '.') + 1;
  int metatable = lua_gettop(L);
  lua_pushstring(L, t->name);
  lua_setfield(L, metatable, "__name");
  lua_pushboolean(L, 0);
  lua_setfield(L, metatable, "__metatable"); /* nobody takes it, and with it the finalizer, from outside */
  grl_register(L, owner, t->meta);
  lua_newtable(L);
  for (int i = 0; i < 8 && t->methods[i]; i++) grl_register(L, owner, t->methods[i]);
  close_methods(L, number);
  lua_getfield(L, metatable, "__index");
  if (lua_isnil(L, -1)) {
    lua_pushvalue(L, -2);
    lua_setfield(L, metatable, "__index");
  } else {
    lua_CFunction fields = lua_tocfunction(L, -1);
    for (int i = GRL_STATE; i <= GRL_LAST_TYPE; i++) lua_pushvalue(L, lua_upvalueindex(i));
    lua_pushinteger(L, 0); /* no usage */
    lua_pushvalue(L, metatable + 1);
    lua_pushcclosure(L, fields, GRL_USAGE + 1);
    lua_setfield(L, metatable, "__index");
  }
  lua_settop(L, metatable);
}

static int version(lua_State *L) {
  grl_count(L, 0, 0);
  lua_pushstring(L, graze_version());
  return 1;
}

/* With the state and the empty metatables as upvalues. */
static int open(lua_State *L) {
  static const luaL_Reg own[] = {{"version", version}, {NULL, NULL}};
  for (int i = GRL_FIRST_TYPE; i <= GRL_LAST_TYPE; i++) {
    lua_pushvalue(L, lua_upvalueindex(i));
    open_type(L, (grl_type)i);
    lua_pop(L, 1);
  }
  lua_newtable(L);
  grl_register(L, "graze", own);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) grl_register(L, "graze", parts[i]);
  return 1;
}

GRAZE_API int luaopen_graze(lua_State *L);

int luaopen_graze(lua_State *L) {
  grl_state *state = lua_newuserdata(L, sizeof *state);
  memset(state, 0, sizeof *state);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, trampoline, 1);
  state->trampoline = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_pushboolean(L, 0);
  state->error = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  state->functions = luaL_ref(L, LUA_REGISTRYINDEX);
  for (int i = GRL_FIRST_TYPE; i <= GRL_LAST_TYPE; i++) lua_newtable(L);
  lua_pushcclosure(L, open, GRL_LAST_TYPE);
  lua_call(L, 0, 1);
  return 1;
}
