/* The runtime of the module: typed objects, calls of Graze and their callbacks, memory that shapes share.
 *
 * Objects reference support functions through their user tables. A store names its function by a number in a table of
 * weak values. So Lua can collect a function that references its own shape. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

grl_state *grl_get_state(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(GRL_STATE)); }

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

/* ---- Calls of Graze ---- */

enum { MAX_DEPTH = 16 }; /* each level uses C stack that Lua does not check */

lua_State *grl_enter(lua_State *L) {
  grl_state *state = grl_get_state(L);
  lua_State *before = state->running;
  if (state->depth >= MAX_DEPTH) luaL_error(L, "callbacks: nested more than %d deep", MAX_DEPTH);
  luaL_checkstack(L, 2 * LUA_MINSTACK, "too many nested callbacks");
  state->running = L;
  state->depth++;
  return before;
}

void grl_leave(lua_State *L, lua_State *before) {
  grl_state *state = grl_get_state(L);
  state->running = before;
  state->depth--;
  if (!state->failed) return;
  state->failed = false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->error);
  lua_pushboolean(L, 0);
  lua_rawseti(L, LUA_REGISTRYINDEX, state->error);
  lua_error(L);
}

struct grl_call {
  grl_protected_function function;
  void *data;
};

/* The only C function that runs callbacks. Its upvalue is the state. */
static int trampoline(lua_State *L) {
  const struct grl_call *call = grl_get_state(L)->call;
  call->function(L, call->data);
  return 0;
}

bool grl_call_protected(grl_state *state, grl_protected_function function, void *data, int first, int count) {
  lua_State *L = state->running;
  const struct grl_call call = {function, data}, *outer = state->call;
  if (state->failed) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->trampoline);
  for (int i = 0; i < count; i++) lua_pushvalue(L, first + i);
  state->call = &call;
  bool good = lua_pcall(L, count, 0, 0) == 0;
  state->call = outer;
  if (good) return true;
  state->failed = true;
  lua_rawseti(L, LUA_REGISTRYINDEX, state->error); /* the slot exists, so this allocates nothing */
  return false;
}

void grl_require_mutable(lua_State *L) {
  if (grl_get_state(L)->running) luaL_error(L, "callback: nothing may be changed while Graze runs it");
}

void grl_push_state(lua_State *L) {
  grl_state *state = lua_newuserdata(L, sizeof *state);
  memset(state, 0, sizeof *state);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, trampoline, 1);
  state->trampoline = luaL_ref(L, LUA_REGISTRYINDEX); /* no addresses as keys: LuaJIT rejects some */
  lua_pushboolean(L, 0);
  state->error = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  state->functions = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* ---- Stores ---- */

grl_store *grl_store_new(size_t vertices) {
  if (vertices > (SIZE_MAX - sizeof(grl_store)) / sizeof(graze_vec)) return NULL;
  grl_store *store = calloc(1, sizeof *store + vertices * sizeof *store->vertices);
  if (store == NULL) return NULL;
  store->references = 1;
  return store;
}

grl_store *grl_store_retain(grl_store *store) {
  if (store) store->references++;
  return store;
}

/* The recursion is one level deep: compounds hold convex parts only, and meshes hold copies. */
void grl_store_release(grl_store *store) {
  if (store == NULL || --store->references > 0) return;
  graze_compound_destroy(store->compound);
  graze_mesh_destroy(store->mesh);
  graze_hull_destroy(&store->hull);
  for (size_t i = 0; i < store->child_count; i++) grl_store_release(store->children[i]);
  free(store->children);
  free(store);
}

void grl_store_function(lua_State *L, grl_store *store) {
  grl_state *state = grl_get_state(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->functions);
  lua_insert(L, -2);
  lua_rawseti(L, -2, ++state->function_count);
  lua_pop(L, 1);
  store->state = state;
  store->function = state->function_count;
  store->calls_lua = true;
}

void grl_push_function(lua_State *L, const grl_store *store) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, store->state->functions);
  lua_rawgeti(L, -1, store->function);
  lua_remove(L, -2);
}

void grl_reference_functions(lua_State *L, const grl_store *store) {
  if (!store->calls_lua) return;
  lua_createtable(L, (int)store->child_count + 1, 0);
  int count = 0;
  if (store->function != 0) {
    grl_push_function(L, store);
    lua_rawseti(L, -2, ++count);
  }
  for (size_t i = 0; i < store->child_count; i++) {
    const grl_store *child = store->children[i];
    if (child == NULL || child->function == 0) continue;
    grl_push_function(L, child);
    lua_rawseti(L, -2, ++count);
  }
  grl_set_table(L, -2);
}

void grl_share_functions(lua_State *L, const grl_store *store, int from, int to) {
  if (store == NULL || !store->calls_lua) return;
  grl_get_table(L, from);
  grl_set_table(L, to);
}

/* ---- The collector ---- */

enum { MIN_REPORT = 1 << 10, MAX_REPORT = 1 << 26 }; /* bytes */

/* Runs a step of the collector, unless the collector is stopped. If Lua cannot report whether it is stopped, allocates
 * garbage of the same size instead, because a step would restart a stopped collector. */
void grl_report_memory(lua_State *L, size_t bytes) {
  grl_state *state = grl_get_state(L);
  state->unreported += bytes < MAX_REPORT ? bytes : MAX_REPORT;
  if (state->unreported < MIN_REPORT) return;
  size_t report = state->unreported < MAX_REPORT ? state->unreported : MAX_REPORT;
  state->unreported = 0;
#ifdef LUA_GCISRUNNING
  if (lua_gc(L, LUA_GCISRUNNING, 0)) lua_gc(L, LUA_GCSTEP, (int)(report / 1024));
#else
  lua_newuserdata(L, report);
  lua_pop(L, 1);
#endif
}

void grl_out_of_memory(lua_State *L) { luaL_error(L, "not enough memory"); }
