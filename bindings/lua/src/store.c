/* The memory that shapes point into, counted. */
#include "binding.h"

#include <stdlib.h>

grl_store *grl_store_new(size_t vertices) {
  if (vertices > (SIZE_MAX - sizeof(grl_store)) / sizeof(graze_vec)) return NULL;
  grl_store *store = calloc(1, sizeof *store + vertices * sizeof *store->vertices);
  if (store == NULL) return NULL;
  store->references = 1;
  store->function = LUA_NOREF;
  return store;
}

grl_store *grl_store_keep(grl_store *store) {
  if (store) store->references++;
  return store;
}

/* Compounds hold convex parts only, so this goes no deeper than one level. */
void grl_store_drop(lua_State *L, grl_store *store) {
  if (store == NULL || --store->references > 0) return;
  graze_compound_destroy(store->compound);
  graze_hull_destroy(&store->hull);
  for (size_t i = 0; i < store->child_count; i++) grl_store_drop(L, store->children[i]);
  free(store->children);
  luaL_unref(L, LUA_REGISTRYINDEX, store->function);
  free(store);
}

void grl_weigh(lua_State *L, size_t bytes) {
  if (bytes >= 1024) lua_gc(L, LUA_GCSTEP, (int)(bytes / 1024 < 65536 ? bytes / 1024 : 65536));
}

void grl_out_of_memory(lua_State *L) { luaL_error(L, "not enough memory"); }
