/* graze.world(): making and freeing worlds, and the bodies in them. */
#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

grl_world *grl_check_world(lua_State *L) {
  grl_world *world = grl_test(L, 1, GRL_WORLD);
  if (world == NULL) grl_refuse(L, 1, "world: graze.world() expected, got %s", grl_describe(L, 1));
  if (world->scene == NULL) grl_refuse(L, 1, "world: it was freed");
  return world;
}

lua_State *grl_enter_world(lua_State *L, const grl_world *world) {
  if (world->scene == NULL) grl_refuse(L, 1, "world: it was freed");
  return grl_enter(L);
}

grl_world *grl_change_world(lua_State *L) {
  grl_may_change(L);
  return grl_check_world(L);
}

int grl_world_list_push(lua_State *L, grl_world_list list) {
  grl_get_table(L, 1);
  lua_rawgeti(L, -1, (int)list);
  lua_remove(L, -2);
  return lua_gettop(L);
}

bool grl_world_list_read(lua_State *L, int argument, const char *name, grl_world_list list) {
  bool own = grl_absent(L, argument);
  if (lua_gettop(L) < argument) lua_settop(L, argument);
  if (own) {
    grl_world_list_push(L, list);
    lua_replace(L, argument);
  }
  grl_read_list(L, argument, name);
  return own;
}

void *grl_borrow_room(lua_State *L, size_t *size) {
  grl_get_table(L, 1);
  lua_rawgeti(L, -1, GRL_ROOM);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -3, GRL_ROOM);
  lua_remove(L, -2);
  if (lua_isuserdata(L, -1) && grl_length(L, -1) >= *size) {
    *size = grl_length(L, -1);
    return lua_touserdata(L, -1);
  }
  lua_pop(L, 1);
  return lua_newuserdata(L, *size);
}

void grl_return_room(lua_State *L, int index) {
  grl_get_table(L, 1);
  lua_rawgeti(L, -1, GRL_ROOM);
  if (!lua_isuserdata(L, -1) || grl_length(L, -1) < grl_length(L, index)) {
    lua_pushvalue(L, index);
    lua_rawseti(L, -3, GRL_ROOM);
  }
  lua_pop(L, 2);
}

graze_body grl_find_item(lua_State *L, const grl_world *world, int index) {
  graze_body body = {0, 0};
  grl_world_list_push(L, GRL_SLOTS);
  lua_pushvalue(L, index);
  if (!lua_isnil(L, -1)) lua_rawget(L, -2);
  if (!lua_isnil(L, -1)) body = world->residents[(size_t)lua_tonumber(L, -1)].body;
  lua_pop(L, 2);
  return body;
}

graze_body grl_check_item_at(lua_State *L, const grl_world *world, int argument, int index, const char *name) {
  graze_body body = grl_find_item(L, world, index);
  if (body.generation == 0) grl_refuse(L, argument, "%s: %s is not in this world", name, grl_describe_item(L, index));
  return body;
}

graze_body grl_check_item(lua_State *L, const grl_world *world, int argument, const char *name) {
  if (grl_absent(L, argument)) grl_refuse(L, argument, "%s: nil is not in this world", name);
  return grl_check_item_at(L, world, argument, argument, name);
}

void grl_push_item(lua_State *L, int items, graze_body body) {
  if (body.generation == 0)
    lua_pushnil(L);
  else
    lua_rawgeti(L, items, (int)body.slot + 1);
}

/* ---- Making a world ---- */

static double number_key(lua_State *L, const char *key, double least, double most, double fallback) {
  lua_getfield(L, 1, key);
  double value = fallback;
  int top = lua_gettop(L);
  if (!lua_isnil(L, -1)) {
    value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (!(value >= least && value <= most))
      grl_refuse(L, 1, "options.%s: a number from %s to %s expected, got %s", key, grl_say(L, least), grl_say(L, most),
                 grl_describe(L, top));
  }
  lua_settop(L, top - 1);
  return value;
}

static int whole_key(lua_State *L, const char *key, int least, int most, int fallback) {
  double value = number_key(L, key, least, most, fallback);
  if (value != floor(value)) grl_refuse(L, 1, "options.%s: a whole number expected, got %s", key, grl_say(L, value));
  return (int)value;
}

static int read_dim(lua_State *L) {
  lua_getfield(L, 1, "dim");
  double dim = lua_isnil(L, -1) ? 2 : lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
  if (dim != 2 && dim != 3) grl_refuse(L, 1, "options.dim: 2 or 3 expected, got %s", grl_describe(L, lua_gettop(L)));
  lua_pop(L, 1);
  return (int)dim;
}

/* The methods of motions that worlds take, by the numbers of graze_method. */
static graze_method read_method(lua_State *L) {
  static const char *const names[] = {"auto", "fccd", "sweep", "lccd", "ca", "discrete", NULL};
  static const graze_method methods[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_FCCD, GRAZE_METHOD_SWEEP,
                                         GRAZE_METHOD_LCCD, GRAZE_METHOD_CA,   GRAZE_METHOD_DISCRETE};
  lua_getfield(L, 1, "method");
  graze_method method = GRAZE_METHOD_AUTO;
  if (!lua_isnil(L, -1)) method = methods[grl_choice(L, 1, lua_gettop(L), "options.method", names)];
  lua_pop(L, 1);
  return method;
}

static graze_scene_def read_scene(lua_State *L, int *threads) {
  static const char *const known[] = {"dim", "method", "samples", "skin", "push_speed", "threads", NULL};
  graze_scene_def def = graze_default_scene();
  def.dim = 2;
  *threads = 1;
  if (grl_absent(L, 1)) return def;
  if (!lua_istable(L, 1)) grl_refuse(L, 1, "options: a table expected, got %s", grl_describe(L, 1));
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) grl_key(L, 1, "options", known);
  def.dim = read_dim(L);
  def.samples = whole_key(L, "samples", 2, 1000000, def.samples);
  def.skin = number_key(L, "skin", 0, GRAZE_LARGEST, def.skin);
  def.push_speed = number_key(L, "push_speed", 0, GRAZE_LARGEST, def.push_speed);
  def.method = read_method(L);
  *threads = whole_key(L, "threads", 1, 256, 1);
  return def;
}

static void make_tables(lua_State *L) {
  lua_createtable(L, GRL_ROOM, 0);
  for (int i = GRL_ITEMS; i <= GRL_CHOSEN; i++) {
    lua_newtable(L);
    lua_rawseti(L, -2, i);
  }
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, GRL_ROOM);
  grl_set_table(L, -2);
}

static int make(lua_State *L) {
  int threads;
  grl_count(L, 0, 1);
  graze_scene_def def = read_scene(L, &threads);
  grl_world *world = grl_new(L, sizeof *world, GRL_WORLD);
  make_tables(L);
  world->dim = def.dim;
  graze_parallel parallel;
  if (threads > 1) {
    grl_check(L, 1, "options.threads", graze_pool_create(threads, NULL, &world->pool), NULL);
    parallel = graze_pool_parallel(world->pool);
    def.parallel = &parallel;
  }
  grl_check(L, 1, "options", graze_scene_create(&def, NULL, &world->scene, NULL), NULL);
  return 1;
}

static int collect(lua_State *L) {
  grl_world *world = grl_test(L, 1, GRL_WORLD);
  if (world == NULL || (world->scene == NULL && world->pool == NULL)) return 0;
  graze_scene_destroy(world->scene);
  graze_pool_destroy(world->pool);
  for (size_t i = 0; i < world->resident_count; i++) grl_store_drop(world->residents[i].store);
  free(world->residents);
  free(world->meetings);
  memset(world, 0, sizeof *world);
  return 0;
}

static int free_world(lua_State *L) {
  grl_count(L, 1, 1);
  grl_change_world(L);
  collect(L);
  make_tables(L); /* lets go of the items */
  return 0;
}

static int dim(lua_State *L) {
  grl_count(L, 1, 1);
  lua_pushinteger(L, grl_check_world(L)->dim);
  return 1;
}

static int to_string(lua_State *L) {
  const grl_world *world = grl_test(L, 1, GRL_WORLD);
  if (world == NULL) return luaL_argerror(L, 1, "a world expected");
  if (world->scene == NULL)
    lua_pushliteral(L, "graze.world (freed)");
  else
    lua_pushfstring(L, "graze.world (%dD, %d bodies)", world->dim, (int)graze_scene_count(world->scene));
  return 1;
}

const luaL_Reg grl_world_functions[] = {{"world", make}, {NULL, NULL}};

const luaL_Reg grl_world_methods[] = {
    {"dim", dim},
    {"free", free_world},
    {NULL, NULL},
};

const luaL_Reg grl_world_meta[] = {{"__gc", collect}, {"__tostring", to_string}, {NULL, NULL}};
