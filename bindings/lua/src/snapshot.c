/* world:save() and world:restore(). */
#include "world.h"

#include <stdlib.h>

/* A copy of one of the world's lists, on top. */
static void push_copy(lua_State *L, grl_world_list list) {
  int from = grl_world_list_push(L, list);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, from) != 0) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_remove(L, from);
}

/* world:save(): the bytes, the items and their shapes, in a table. */
static int save(lua_State *L) {
  grl_count(L, 1, 1);
  const grl_world *world = grl_check_world(L);
  size_t size = graze_scene_snapshot_size(world->scene);
  void *bytes = lua_newuserdata(L, size);
  grl_check(L, 1, "world", graze_scene_save(world->scene, bytes, size, &size), NULL);
  lua_createtable(L, 0, 4);
  lua_pushlstring(L, bytes, size);
  lua_setfield(L, -2, "bytes");
  push_copy(L, GRL_ITEMS);
  lua_setfield(L, -2, "items");
  push_copy(L, GRL_SHAPES);
  lua_setfield(L, -2, "shapes");
  grl_set_whole(L, "dim", world->dim);
  return 1;
}

/* Keeps what a restored body may still point into: where it was in the world under the same id, its vertices are those
 * of then. */
static void retire(lua_State *L, grl_world *world, grl_store *store) {
  for (size_t i = 0; i < world->retired_count; i++)
    if (world->retired[i] == store) return;
  grl_store **more = realloc(world->retired, (world->retired_count + 1) * sizeof(grl_store *));
  if (more == NULL) grl_out_of_memory(L);
  world->retired = more;
  more[world->retired_count++] = grl_store_keep(store);
}

/* A body of the snapshot, whose item and shape are in lists. */
static void move_in(lua_State *L, grl_world *world, graze_body body, int items_at, int shapes_at) {
  int key = (int)body.slot + 1;
  lua_rawgeti(L, shapes_at, key);
  const grl_shape *shape_of = grl_test(L, lua_gettop(L), GRL_SHAPE);
  grl_store *store = shape_of ? shape_of->store : NULL;
  if (!grl_make_room(world, body.slot)) grl_out_of_memory(L);
  const grl_resident *old = &world->residents[body.slot];
  if (old->store && old->store != store && old->body.generation == body.generation) retire(L, world, old->store);
  grl_settle(L, world, body, store);
  grl_set_by_slot(L, GRL_SHAPES, body, lua_gettop(L));
  lua_rawgeti(L, items_at, key);
  grl_set_by_slot(L, GRL_ITEMS, body, lua_gettop(L));
  if (!lua_isnil(L, -1)) grl_set_slot_of(L, lua_gettop(L), body);
  lua_pop(L, 2);
}

/* New lists for the world are at `fresh` and after it: nothing is allocated here, so no finalizer runs. */
static void move_all_in(lua_State *L, grl_world *world, int items_at, int shapes_at, int fresh) {
  grl_get_table(L, 1);
  for (int list = GRL_ITEMS; list <= GRL_SHAPES; list++) {
    lua_pushvalue(L, fresh + list - GRL_ITEMS);
    lua_rawseti(L, -2, list);
  }
  lua_pop(L, 1);
  for (graze_body b = graze_scene_next(world->scene, (graze_body){0, 0}); b.generation;
       b = graze_scene_next(world->scene, b)) {
    world->dim = graze_scene_placed(world->scene, b)->shape.dim;
    move_in(L, world, b, items_at, shapes_at);
  }
  for (size_t i = 0; i < world->resident_count; i++) {
    grl_resident *resident = &world->residents[i];
    if (resident->body.generation == 0 || graze_scene_placed(world->scene, resident->body)) continue;
    grl_store *store = resident->store;
    *resident = (grl_resident){{0, 0}, NULL};
    grl_store_drop(L, store);
  }
}

/* world:restore(snapshot): as it was when saved, in this world or another of the same bodies. */
static int restore(lua_State *L) {
  static const char *const keys[] = {"bytes", "items", "shapes"};
  grl_count(L, 2, 2);
  grl_world *world = grl_change_world(L);
  if (!lua_istable(L, 2)) grl_refuse(L, 2, "snapshot: what world:save() returned expected, got %s", grl_describe(L, 2));
  for (int i = 0; i < 3; i++) {
    lua_getfield(L, 2, keys[i]);
    if (lua_type(L, -1) != (i == 0 ? LUA_TSTRING : LUA_TTABLE))
      grl_refuse(L, 2, "snapshot.%s: what world:save() returned expected, got %s", keys[i],
                 grl_describe(L, lua_gettop(L)));
  }
  size_t size;
  const char *bytes = lua_tolstring(L, 3, &size);
  lua_getfield(L, 2, "dim"); /* bodies would tell it, where there are any */
  double dim = lua_type(L, 6) == LUA_TNUMBER ? lua_tonumber(L, 6) : 0;
  if (dim != 2 && dim != 3) grl_refuse(L, 2, "snapshot.dim: 2 or 3 expected, got %s", grl_describe(L, 6));
  for (int list = GRL_ITEMS; list <= GRL_SHAPES; list++) lua_newtable(L);
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_restore(world->scene, bytes, size, &error);
  grl_leave(L, before);
  grl_check(L, 2, "snapshot", status, &error);
  world->dim = (int)dim;
  move_all_in(L, world, 4, 5, 7);
  return 0;
}

const luaL_Reg grl_snapshot_methods[] = {
    {"save", save},
    {"restore", restore},
    {NULL, NULL},
};
