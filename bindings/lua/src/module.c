/* luaopen_graze: the module's table and the metatables of its types. */
#include "binding.h"

#include <string.h>

/* Methods include the functions of the module whose first argument has the type. */
typedef struct type {
  const char *name;
  const luaL_Reg *meta, *methods[8];
  const char *(*field)(int i); /* NULL: no fields */
} type;

static const type types[] = {
    {"graze.shape", grl_shape_meta, {grl_shape_methods}, NULL},
    {"graze.placed",
     grl_placed_meta,
     {grl_placed_methods, grl_placed_functions, grl_pair_functions, grl_motion_functions},
     NULL},
    {"graze.answer", grl_answer_meta, {grl_answer_methods}, grl_answer_field},
    {"graze.cast_result", grl_cast_meta, {grl_cast_methods}, grl_cast_field},
    {"graze.options", grl_option_meta, {NULL}, NULL},
    {"graze.world",
     grl_world_meta,
     {grl_world_methods, grl_body_methods, grl_snapshot_methods, grl_query_methods, grl_move_methods},
     NULL},
    {"graze.guard", grl_guard_meta, {NULL}, NULL},
};

static const luaL_Reg *const functions[] = {
    grl_shape_functions, grl_outline_functions, grl_placed_functions, grl_option_functions, grl_result_functions,
    grl_pair_functions,  grl_motion_functions,  grl_pose_functions,   grl_world_functions,  grl_mesh_functions,
};

static int version(lua_State *L) {
  grl_check_count(L, 0, 0);
  lua_pushstring(L, graze_version());
  return 1;
}

/* Pushes the upvalues that every function has, except for its usage line. */
static void push_upvalues(lua_State *L) {
  for (int i = GRL_STATE; i <= GRL_LAST_TYPE; i++) lua_pushvalue(L, lua_upvalueindex(i));
}

/* Adds functions of an owner ("graze", "world" …) to the table on top. */
static void register_functions(lua_State *L, const char *owner, const luaL_Reg *list) {
  for (; list->name; list++) {
    push_upvalues(L);
    lua_pushinteger(L, grl_find_usage(owner, list->name));
    lua_pushcclosure(L, list->func, GRL_USAGE);
    lua_setfield(L, -2, list->name);
  }
}

/* The __index of a method table: upvalues are the type's name and the list of its members. */
static int no_method(lua_State *L) { return grl_reject_member(L, lua_upvalueindex(1), lua_upvalueindex(2)); }

enum { MAX_MEMBERS = 64 };

static void push_members(lua_State *L, const type *t) {
  const char *names[MAX_MEMBERS + 1];
  int count = 0;
  for (int i = 0; t->field && t->field(i) && count < MAX_MEMBERS; i++) names[count++] = t->field(i);
  for (int i = 0; i < 8 && t->methods[i]; i++)
    for (const luaL_Reg *m = t->methods[i]; m->name && count < MAX_MEMBERS; m++) names[count++] = m->name;
  names[count] = NULL;
  grl_push_words(L, names);
}

/* Fills the metatable on top. Types with fields have an __index function with the methods as an upvalue. The __index of
 * other types is their method table. */
static void open_type(lua_State *L, const type *t) {
  const char *owner = strchr(t->name, '.') + 1;
  int metatable = lua_gettop(L), methods = metatable + 1;
  lua_pushstring(L, t->name);
  lua_setfield(L, metatable, "__name");
  lua_pushboolean(L, 0);
  lua_setfield(L, metatable, "__metatable"); /* hides the metatable, and with it the finalizer */
  register_functions(L, owner, t->meta);
  lua_newtable(L);
  for (int i = 0; i < 8 && t->methods[i]; i++) register_functions(L, owner, t->methods[i]);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, t->name);
  push_members(L, t);
  lua_pushcclosure(L, no_method, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, methods);
  lua_getfield(L, metatable, "__index");
  lua_CFunction index = lua_tocfunction(L, -1);
  if (index) {
    push_upvalues(L);
    lua_pushinteger(L, 0); /* no usage */
    lua_pushvalue(L, methods);
    lua_pushstring(L, t->name);
    push_members(L, t);
    lua_pushcclosure(L, index, GRL_MEMBERS);
  } else {
    lua_pushvalue(L, methods);
  }
  lua_setfield(L, metatable, "__index");
  lua_settop(L, metatable);
}

/* The upvalues are the state and the empty metatables. */
static int open(lua_State *L) {
  static const luaL_Reg own[] = {{"version", version}, {NULL, NULL}};
  for (int i = GRL_FIRST_TYPE; i <= GRL_LAST_TYPE; i++) {
    lua_pushvalue(L, lua_upvalueindex(i));
    open_type(L, &types[i - GRL_FIRST_TYPE]);
    lua_pop(L, 1);
  }
  lua_newtable(L);
  register_functions(L, "graze", own);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) register_functions(L, "graze", functions[i]);
  return 1;
}

GRAZE_API int luaopen_graze(lua_State *L);

int luaopen_graze(lua_State *L) {
  grl_push_state(L);
  for (int i = GRL_FIRST_TYPE; i <= GRL_LAST_TYPE; i++) lua_newtable(L);
  lua_pushcclosure(L, open, GRL_LAST_TYPE);
  lua_call(L, 0, 1);
  return 1;
}
