/* Bodies: adding and removing items, what they are, where they are. */
#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What a body is ---- */

static double def_number(lua_State *L, int argument, const char *name) {
  return grl_real(L, argument, lua_gettop(L), name, "a number");
}

static const char *const types[] = {"static", "kinematic", "dynamic", NULL};
static const char *const responses[] = {"none", "stop", "slide", "bounce", NULL};

enum { TYPE, RESPONSE, CATEGORY, MASK, SENSOR, MARGIN, MASS, BOUNCE, VELOCITY, ANGULAR };

/* The key is below the value, which is on top. Returns which it is. */
static int read_def_key(lua_State *L, int argument, int dim, graze_body_def *def) {
  static const char *const keys[] = {"type",   "response", "category",         "mask", "sensor", "margin", "mass",
                                     "bounce", "velocity", "angular_velocity", NULL};
  int top = lua_gettop(L), key = grl_key(L, argument, "def", keys);
  switch (key) {
  case TYPE: def->type = (graze_body_type)(grl_choice(L, argument, top, "def.type", types) + GRAZE_STATIC); break;
  case RESPONSE: def->response = (graze_response)grl_choice(L, argument, top, "def.response", responses); break;
  case CATEGORY: def->category = grl_bits(L, argument, top, "def.category"); break;
  case MASK: def->mask = grl_bits(L, argument, top, "def.mask"); break;
  case SENSOR: def->sensor = grl_flag(L, argument, top, "def.sensor"); break;
  case MARGIN: def->margin = def_number(L, argument, "def.margin"); break;
  case MASS: def->mass = def_number(L, argument, "def.mass"); break;
  case BOUNCE: def->bounce = def_number(L, argument, "def.bounce"); break;
  case VELOCITY: def->motion.velocity = grl_velocity(L, argument, "def.velocity", dim, false); break;
  default: def->motion.angular = grl_velocity(L, argument, "def.angular_velocity", dim, true); break;
  }
  return key;
}

/* Returns which keys there are, as bits. */
static unsigned read_def(lua_State *L, int argument, int dim, graze_body_def *def) {
  unsigned keys = 0;
  if (grl_absent(L, argument)) return 0;
  if (!lua_istable(L, argument)) grl_refuse(L, argument, "def: a table expected, got %s", grl_describe(L, argument));
  lua_pushnil(L);
  while (lua_next(L, argument) != 0) {
    keys |= 1u << read_def_key(L, argument, dim, def);
    lua_pop(L, 1);
  }
  return keys;
}

/* Puts what a definition names, by the bits of `keys`, into another. */
static void overlay(graze_body_def *def, const graze_body_def *from, unsigned keys) {
  if (keys & 1u << TYPE) def->type = from->type;
  if (keys & 1u << RESPONSE) def->response = from->response;
  if (keys & 1u << CATEGORY) def->category = from->category;
  if (keys & 1u << MASK) def->mask = from->mask;
  if (keys & 1u << SENSOR) def->sensor = from->sensor;
  if (keys & 1u << MARGIN) def->margin = from->margin;
  if (keys & 1u << MASS) def->mass = from->mass;
  if (keys & 1u << BOUNCE) def->bounce = from->bounce;
  if (keys & 1u << VELOCITY) def->motion.velocity = from->motion.velocity;
  if (keys & 1u << ANGULAR) def->motion.angular = from->motion.angular;
}

/* ---- Bodies ---- */

bool grl_make_room(grl_world *world, uint32_t slot) {
  if (slot >= world->resident_capacity) {
    size_t capacity = 2 * (size_t)slot + 16;
    grl_resident *more = realloc(world->residents, capacity * sizeof *more);
    if (more == NULL) return false;
    world->residents = more;
    world->resident_capacity = capacity;
  }
  while (world->resident_count <= slot) world->residents[world->resident_count++] = (grl_resident){{0, 0}, NULL, NULL};
  return true;
}

void grl_settle(grl_world *world, graze_body body, grl_store *store) {
  grl_resident *resident = &world->residents[body.slot];
  grl_store *old = resident->store;
  *resident = (grl_resident){body, grl_store_keep(store), NULL};
  grl_store_drop(old);
}

void grl_set_by_slot(lua_State *L, grl_world_list list, graze_body body, int index) {
  grl_world_list_push(L, list);
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, (int)body.slot + 1);
  lua_pop(L, 1);
}

void grl_set_slot_of(lua_State *L, int item, graze_body body) {
  grl_world_list_push(L, GRL_SLOTS);
  lua_pushvalue(L, item);
  if (body.generation == 0)
    lua_pushnil(L);
  else
    lua_pushinteger(L, (lua_Integer)body.slot);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

static void check_new_item(lua_State *L) {
  if (grl_absent(L, 2) || (lua_type(L, 2) == LUA_TNUMBER && isnan(lua_tonumber(L, 2))))
    grl_refuse(L, 2, "item: any value but nil and NaN expected, got %s", grl_describe(L, 2));
  grl_world_list_push(L, GRL_SLOTS);
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  if (!lua_isnil(L, -1)) grl_refuse(L, 2, "item: %s is in this world already", grl_describe_item(L, 2));
  lua_pop(L, 2);
}

static void check_threads(lua_State *L, const grl_world *world, const grl_shape *shape) {
  if (world->pool && shape->store && shape->store->calls)
    grl_refuse(L, 3, "shape: a support function in Lua, which a world of several threads cannot call");
}

/* Which argument of add() an error is about; the definition is at `def`. */
static int whose(const graze_error *error, int def) {
  if (error->what == NULL || strncmp(error->what, "shape", 5) == 0) return 3;
  return strncmp(error->what, "pose", 4) == 0 ? 4 : def;
}

/* A body that the scene has, and the world not yet. */
typedef struct newcomer {
  grl_world *world;
  graze_body body;
  grl_store *store;
} newcomer;

/* Arguments: world, item, shape. While nothing may be changed: memory runs out, finalizers run. */
static void enlist(lua_State *L, void *data) {
  const newcomer *n = data;
  if (!grl_make_room(n->world, n->body.slot)) grl_out_of_memory(L);
  grl_set_by_slot(L, GRL_ITEMS, n->body, 2);
  grl_set_by_slot(L, GRL_SHAPES, n->body, 3);
  grl_set_slot_of(L, 2, n->body);
  grl_settle(n->world, n->body, n->store);
}

/* Where a list has something by the key on top, it has nothing any more. Takes no memory. */
static void strike(lua_State *L, grl_world_list list) {
  int key = lua_gettop(L);
  grl_world_list_push(L, list);
  lua_pushvalue(L, key);
  lua_rawget(L, -2);
  if (!lua_isnil(L, -1)) {
    lua_pushvalue(L, key);
    lua_pushnil(L);
    lua_rawset(L, -4);
  }
  lua_settop(L, key - 1);
}

/* As if it had never come. */
static void send_away(lua_State *L, const newcomer *n) {
  graze_scene_remove(n->world->scene, n->body);
  lua_pushinteger(L, (lua_Integer)n->body.slot + 1);
  strike(L, GRL_ITEMS);
  lua_pushinteger(L, (lua_Integer)n->body.slot + 1);
  strike(L, GRL_SHAPES);
  lua_pushvalue(L, 2);
  strike(L, GRL_SLOTS);
}

/* world:add(item, shape, x, y [, angle] [, def]): any item, which is its name from now on. */
static int add(lua_State *L) {
  grl_world *world = grl_change_world(L);
  check_new_item(L);
  grl_check_shape(L, 3, "shape");
  if (grl_absent(L, 4)) grl_refuse(L, 4, "position.x: a number expected, got %s", grl_describe(L, 4));
  int next;
  graze_body_def def = graze_default_body();
  def.response = GRAZE_RESPONSE_NONE; /* the default of world:add(), docs/lua.md */
  def.pose = grl_pose_arguments(L, 4, world->dim, &next);
  grl_count(L, 3, next);
  read_def(L, next, world->dim, &def);
  check_new_item(L); /* again: reading may have run finalizers */
  const grl_shape *shape = grl_check_shape(L, 3, "shape");
  check_threads(L, world, shape);
  def.shape = shape->shape;
  newcomer n = {world, {0, 0}, shape->store};
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  grl_state *state = grl_get_state(L);
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_add(world->scene, &def, &n.body, &error);
  if (status == GRAZE_OK && !grl_protected(state, enlist, &n, 1, 3)) send_away(L, &n);
  grl_leave(L, before);
  grl_check(L, whose(&error, next), NULL, status, &error);
  lua_pushvalue(L, 2);
  return 1;
}

static int remove_item(lua_State *L) {
  grl_count(L, 2, 2);
  grl_world *world = grl_change_world(L);
  graze_body body = grl_check_item(L, world, 2, "item");
  grl_check(L, 2, "item", graze_scene_remove(world->scene, body), NULL);
  grl_set_slot_of(L, 2, (graze_body){0, 0});
  lua_pushnil(L);
  grl_set_by_slot(L, GRL_ITEMS, body, lua_gettop(L));
  grl_set_by_slot(L, GRL_SHAPES, body, lua_gettop(L));
  grl_store *store = world->residents[body.slot].store;
  world->residents[body.slot] = (grl_resident){{0, 0}, NULL, NULL};
  grl_store_drop(store);
  return 0;
}

static int has(lua_State *L) {
  grl_count(L, 2, 2);
  grl_check_world(L);
  grl_world_list_push(L, GRL_SLOTS);
  lua_pushvalue(L, 2);
  if (!lua_isnil(L, -1)) lua_rawget(L, -2);
  lua_pushboolean(L, !lua_isnil(L, -1));
  return 1;
}

static int count(lua_State *L) {
  grl_count(L, 1, 1);
  lua_pushinteger(L, (lua_Integer)graze_scene_count(grl_check_world(L)->scene));
  return 1;
}

static int items(lua_State *L) {
  grl_count(L, 1, 1);
  lua_settop(L, 1);
  lua_newtable(L);
  const grl_world *world = grl_check_world(L); /* only now: that may have run finalizers */
  int list = grl_world_list_push(L, GRL_ITEMS), found = 0;
  for (graze_body b = graze_scene_next(world->scene, (graze_body){0, 0}); b.generation;
       b = graze_scene_next(world->scene, b)) {
    grl_push_item(L, list, b);
    lua_rawseti(L, 2, ++found);
  }
  lua_settop(L, 2);
  return 1;
}

static graze_body_def current(lua_State *L, const grl_world *world, graze_body body) {
  graze_body_def def;
  grl_check(L, 2, "item", graze_scene_get(world->scene, body, &def), NULL);
  return def;
}

/* world:get(item): what it was added as, and where it is now. */
static int get(lua_State *L) {
  grl_count(L, 2, 2);
  const grl_world *world = grl_check_world(L);
  graze_body_def def = current(L, world, grl_check_item(L, world, 2, "item"));
  lua_createtable(L, 0, 10);
  grl_set_word(L, "type", types[def.type - GRAZE_STATIC]);
  grl_set_word(L, "response", responses[def.response]);
  grl_set_bits(L, "category", def.category);
  grl_set_bits(L, "mask", def.mask);
  grl_set_flag(L, "sensor", def.sensor);
  grl_set_number(L, "margin", def.margin);
  grl_set_number(L, "mass", def.mass);
  grl_set_number(L, "bounce", def.bounce);
  grl_push_point(L, def.motion.velocity, world->dim);
  lua_setfield(L, -2, "velocity");
  if (world->dim == 2)
    lua_pushnumber(L, def.motion.angular.z);
  else
    grl_push_point(L, def.motion.angular, 3);
  lua_setfield(L, -2, "angular_velocity");
  return 1;
}

static void set_def(lua_State *L, grl_world *world, graze_body body, const graze_body_def *def, int argument) {
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_set(world->scene, body, def, &error);
  grl_leave(L, before);
  grl_check(L, argument, NULL, status, &error);
}

/* world:set(item, def): what def names; the rest stays. */
static int set(lua_State *L) {
  grl_count(L, 3, 3);
  grl_world *world = grl_change_world(L);
  grl_check_item(L, world, 2, "item");
  if (!lua_istable(L, 3)) grl_refuse(L, 3, "def: a table expected, got %s", grl_describe(L, 3));
  graze_body_def wanted = graze_default_body();
  unsigned keys = read_def(L, 3, world->dim, &wanted);
  world = grl_change_world(L); /* again, and what the body is only now: reading may have run finalizers */
  graze_body body = grl_check_item(L, world, 2, "item");
  graze_body_def def = current(L, world, body);
  overlay(&def, &wanted, keys);
  set_def(L, world, body, &def, 3);
  return 0;
}

static int set_shape(lua_State *L) {
  grl_count(L, 3, 3);
  grl_world *world = grl_change_world(L);
  graze_body body = grl_check_item(L, world, 2, "item");
  const grl_shape *shape = grl_check_shape(L, 3, "shape");
  check_threads(L, world, shape);
  graze_body_def def = current(L, world, body);
  def.shape = shape->shape;
  set_def(L, world, body, &def, 3);
  grl_settle(world, body, shape->store);
  grl_set_by_slot(L, GRL_SHAPES, body, 3);
  return 0;
}

static int shape(lua_State *L) {
  grl_count(L, 2, 2);
  const grl_world *world = grl_check_world(L);
  graze_body body = grl_check_item(L, world, 2, "item");
  grl_world_list_push(L, GRL_SHAPES);
  lua_rawgeti(L, -1, (int)body.slot + 1);
  return 1;
}

static int pose(lua_State *L) {
  grl_count(L, 2, 2);
  const grl_world *world = grl_check_world(L);
  return grl_push_pose(L, &graze_scene_placed(world->scene, grl_check_item(L, world, 2, "item"))->pose, world->dim);
}

static int set_pose(lua_State *L) {
  grl_world *world = grl_change_world(L);
  graze_pose wanted = grl_last_pose(L, 3, world->dim, true);
  graze_body body = grl_check_item(L, world, 2, "item");
  grl_check(L, 3, "pose", graze_scene_set_pose(world->scene, body, wanted, NULL), NULL);
  return 0;
}

/* world:set_velocity(item, vx, vy [, spin]), in 3D vx, vy, vz [, rx, ry, rz]. */
static int set_velocity(lua_State *L) {
  grl_world *world = grl_change_world(L);
  int dim = world->dim, spins = dim == 2 ? 1 : 3;
  grl_count(L, 2 + dim, 2 + dim + spins);
  graze_body body = grl_check_item(L, world, 2, "item");
  graze_motion motion = {grl_vec_arguments(L, 3, dim, "velocity"), {0, 0, 0}};
  if (!grl_absent(L, 3 + dim)) {
    if (dim == 3)
      motion.angular = grl_vec_arguments(L, 6, 3, "angular_velocity");
    else
      motion.angular.z = grl_number(L, 5, "angular_velocity");
  }
  graze_status status = graze_scene_set_motion(world->scene, body, &motion, NULL);
  if (status == GRAZE_BAD_OPTION) grl_refuse(L, 2, "item: a static body does not move");
  grl_check(L, 3, "velocity", status, NULL);
  return 0;
}

static int velocity(lua_State *L) {
  grl_count(L, 2, 2);
  const grl_world *world = grl_check_world(L);
  graze_body_def def = current(L, world, grl_check_item(L, world, 2, "item"));
  int pushed = grl_push_vec(L, def.motion.velocity, world->dim);
  if (world->dim == 3) return pushed + grl_push_vec(L, def.motion.angular, 3);
  lua_pushnumber(L, def.motion.angular.z);
  return pushed + 1;
}

/* world:placed(item [, into]): the body in its place, for any question. */
static int placed(lua_State *L) {
  grl_count(L, 2, 3);
  if (grl_absent(L, 3)) {
    lua_settop(L, 2);
    grl_push_placed(L);
  } else {
    grl_check_placed(L, 3, "into");
    grl_may_change(L);
  }
  const grl_world *world = grl_check_world(L); /* only now: that may have run finalizers */
  grl_placed *into = grl_check_placed(L, 3, "into");
  graze_body body = grl_check_item(L, world, 2, "item");
  grl_store *old = into->store;
  lua_rawgeti(L, grl_world_list_push(L, GRL_SHAPES), (int)body.slot + 1);
  lua_pushvalue(L, 3);
  grl_fill_placed(L, into, graze_scene_placed(world->scene, body), world->residents[body.slot].store, 5);
  into->is_part = false;
  grl_store_drop(old);
  return 1;
}

const luaL_Reg grl_body_methods[] = {
    {"add", add},
    {"remove", remove_item},
    {"has", has},
    {"count", count},
    {"items", items},
    {"get", get},
    {"set", set},
    {"shape", shape},
    {"set_shape", set_shape},
    {"pose", pose},
    {"set_pose", set_pose},
    {"velocity", velocity},
    {"set_velocity", set_velocity},
    {"placed", placed},
    {NULL, NULL},
};
