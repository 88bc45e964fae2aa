/* The memory that shapes point into, counted. */
#include "binding.h"

#include <stdlib.h>

enum { LEAST_WEIGHT = 1 << 10, MOST_WEIGHT = 1 << 26 }; /* of a step of the collector, in bytes */

grl_store *grl_store_new(size_t vertices) {
  if (vertices > (SIZE_MAX - sizeof(grl_store)) / sizeof(graze_vec)) return NULL;
  grl_store *store = calloc(1, sizeof *store + vertices * sizeof *store->vertices);
  if (store == NULL) return NULL;
  store->references = 1;
  return store;
}

grl_store *grl_store_keep(grl_store *store) {
  if (store) store->references++;
  return store;
}

/* Compounds hold convex parts only, so this goes no deeper than one level. */
void grl_store_drop(grl_store *store) {
  if (store == NULL || --store->references > 0) return;
  graze_compound_destroy(store->compound);
  graze_hull_destroy(&store->hull);
  for (size_t i = 0; i < store->child_count; i++) grl_store_drop(store->children[i]);
  free(store->children);
  free(store);
}

/* ---- Support functions: objects hold them, by their tables; stores know their numbers in a table of weak values. So
 * a function that holds its own shape is collected with it, in every Lua. ---- */

void grl_number_function(lua_State *L, grl_store *store) {
  grl_state *state = grl_get_state(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->functions);
  lua_insert(L, -2);
  lua_rawseti(L, -2, ++state->function_count);
  lua_pop(L, 1);
  store->state = state;
  store->function = state->function_count;
  store->calls = true;
}

void grl_push_function(lua_State *L, const grl_store *store) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, store->state->functions);
  lua_rawgeti(L, -1, store->function);
  lua_remove(L, -2);
}

void grl_hold_functions(lua_State *L, const grl_store *store) {
  if (!store->calls) return;
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
  if (store == NULL || !store->calls) return;
  grl_get_table(L, from);
  grl_set_table(L, to);
}

/* ---- Weight ---- */

/* Where a Lua tells whether its collector was stopped, it is given a step where it was not. Others would start it: they
 * get a piece of garbage as large. */
void grl_weigh(lua_State *L, size_t bytes) {
  grl_state *state = grl_get_state(L);
  state->weight += bytes < MOST_WEIGHT ? bytes : MOST_WEIGHT;
  if (state->weight < LEAST_WEIGHT) return;
  size_t weight = state->weight < MOST_WEIGHT ? state->weight : MOST_WEIGHT;
  state->weight = 0;
#ifdef LUA_GCISRUNNING
  if (lua_gc(L, LUA_GCISRUNNING, 0)) lua_gc(L, LUA_GCSTEP, (int)(weight / 1024));
#else
  lua_newuserdata(L, weight);
  lua_pop(L, 1);
#endif
}

void grl_out_of_memory(lua_State *L) { luaL_error(L, "not enough memory"); }
