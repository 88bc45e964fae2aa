/* Bodies of a world: adding and removing items, their definitions, poses and velocities. */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Definitions ---- */

static const char *const types[] = {"static", "kinematic", "dynamic", NULL};
static const char *const responses[] = {"none", "stop", "slide", "bounce", NULL};

enum { TYPE, RESPONSE, CATEGORY, MASK, SENSOR, MARGIN, MASS, BOUNCE, VELOCITY, ANGULAR };

/* Reads the value on top; the key is below it. Returns the key. */
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
  case MARGIN: def->margin = grl_any_number(L, argument, top, "def.margin", "a number"); break;
  case MASS: def->mass = grl_any_number(L, argument, top, "def.mass", "a number"); break;
  case BOUNCE: def->bounce = grl_any_number(L, argument, top, "def.bounce", "a number"); break;
  case VELOCITY: def->motion.velocity = grl_velocity(L, argument, "def.velocity", dim, false); break;
  default: def->motion.angular = grl_velocity(L, argument, "def.angular_velocity", dim, true); break;
  }
  return key;
}

/* Returns the keys of the table as bits. */
static unsigned read_def(lua_State *L, int argument, int dim, graze_body_def *def) {
  unsigned keys = 0;
  if (grl_absent(L, argument)) return 0;
  if (!lua_istable(L, argument)) grl_reject_value(L, argument, argument, "def", "a table");
  lua_pushnil(L);
  while (lua_next(L, argument) != 0) {
    keys |= 1u << read_def_key(L, argument, dim, def);
    lua_pop(L, 1);
  }
  return keys;
}

/* Copies the fields whose bits are set in `keys`. */
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

/* ---- Entries ---- */

bool grl_reserve_entries(grl_world *world, uint32_t slot) {
  if (slot >= world->entry_capacity) {
    size_t capacity = 2 * (size_t)slot + 16;
    grl_entry *more = realloc(world->entries, capacity * sizeof *more);
    if (more == NULL) return false;
    world->entries = more;
    world->entry_capacity = capacity;
  }
  while (world->entry_count <= slot) world->entries[world->entry_count++] = (grl_entry){{0, 0}, NULL, NULL};
  return true;
}

void grl_set_entry(grl_world *world, graze_body body, grl_store *store) {
  grl_entry *entry = &world->entries[body.slot];
  grl_store *old = entry->store;
  *entry = (grl_entry){body, grl_store_retain(store), NULL};
  grl_store_release(old);
}

/* Sets list[slot + 1] to the value at an index. */
static void set_by_slot(lua_State *L, grl_world_list list, graze_body body, int index) {
  grl_world_list_push(L, list);
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, (int)body.slot + 1);
  lua_pop(L, 1);
}

/* Sets the slot of the item at an index; nil for no body. */
static void set_slot_of(lua_State *L, int item, graze_body body) {
  grl_world_list_push(L, GRL_SLOTS);
  lua_pushvalue(L, item);
  if (body.generation == 0)
    lua_pushnil(L);
  else
    lua_pushinteger(L, (lua_Integer)body.slot);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/* Pops a key and sets it to nil in a list, if it is there. Allocates nothing. */
static void clear_key(lua_State *L, grl_world_list list) {
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

/* ---- Adding ---- */

static void check_new_item(lua_State *L) {
  if (grl_absent(L, 2) || (lua_type(L, 2) == LUA_TNUMBER && isnan(lua_tonumber(L, 2))))
    grl_reject_value(L, 2, 2, "item", "any value except nil and NaN");
  if (grl_find_item(L, grl_check_world(L), 2).generation)
    grl_reject(L, 2, "item: duplicate (%s), must be new in this world", grl_describe_item(L, 2));
}

static void check_threads(lua_State *L, const grl_world *world, const grl_shape *shape) {
  if (world->pool && shape->store && shape->store->calls_lua)
    grl_reject(L, 3, "shape: support function in Lua, must be another shape in a world with several threads");
}

/* The memory that a body keeps. Scenes copy vertices, but not compounds, meshes and support functions. */
static grl_store *kept_store(const grl_shape *shape) {
  return grl_has_parts(&shape->shape) || shape->shape.kind == GRAZE_USER ? shape->store : NULL;
}

/* A body that is in the scene but not yet in the lists of the world. */
typedef struct new_body {
  grl_world *world;
  graze_body body;
  grl_store *store;
} new_body;

/* Arguments: world, item, shape. Runs protected: memory may run out, and finalizers cannot change objects meanwhile. */
static void list_body(lua_State *L, void *data) {
  const new_body *n = data;
  if (!grl_reserve_entries(n->world, n->body.slot)) grl_out_of_memory(L);
  set_by_slot(L, GRL_ITEMS, n->body, 2);
  set_by_slot(L, GRL_SHAPES, n->body, 3);
  set_slot_of(L, 2, n->body);
  grl_set_entry(n->world, n->body, n->store);
}

static void undo_add(lua_State *L, const new_body *n) {
  graze_scene_remove(n->world->scene, n->body);
  lua_pushinteger(L, (lua_Integer)n->body.slot + 1);
  clear_key(L, GRL_ITEMS);
  lua_pushinteger(L, (lua_Integer)n->body.slot + 1);
  clear_key(L, GRL_SHAPES);
  lua_pushvalue(L, 2);
  clear_key(L, GRL_SLOTS);
}

/* world:add(item, shape, x, y [, angle] [, def]): the item becomes the name of the body. */
static int add(lua_State *L) {
  grl_world *world = grl_change_world(L);
  check_new_item(L);
  grl_check_shape(L, 3, "shape");
  if (grl_absent(L, 4)) grl_reject_value(L, 4, 4, "position.x", "a number");
  int next;
  graze_body_def def = graze_default_body();
  def.response = GRAZE_RESPONSE_NONE; /* the default of world:add() */
  def.pose = grl_pose_arguments(L, 4, world->dim, &next);
  grl_check_count(L, 3, next);
  read_def(L, next, world->dim, &def);
  check_new_item(L); /* again: finalizers may have run */
  const grl_shape *shape = grl_check_shape(L, 3, "shape");
  check_threads(L, world, shape);
  def.shape = shape->shape;
  new_body n = {world, {0, 0}, kept_store(shape)};
  graze_error error = {.index = -1};
  grl_state *state = grl_get_state(L);
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_add(world->scene, &def, &n.body, &error);
  if (status == GRAZE_OK && !grl_call_protected(state, list_body, &n, 1, 3)) undo_add(L, &n);
  grl_leave(L, before);
  int argument = next; /* the definition */
  if (error.what == NULL || strncmp(error.what, "shape", 5) == 0)
    argument = 3;
  else if (strncmp(error.what, "pose", 4) == 0)
    argument = 4;
  grl_check_status(L, argument, argument == next ? "def" : NULL, status, &error);
  lua_pushvalue(L, 2);
  return 1;
}

static int remove_item(lua_State *L) {
  grl_check_count(L, 2, 2);
  grl_world *world = grl_change_world(L);
  graze_body body = grl_check_item(L, world, 2, "item");
  grl_check_status(L, 2, "item", graze_scene_remove(world->scene, body), NULL);
  set_slot_of(L, 2, (graze_body){0, 0});
  lua_pushnil(L);
  set_by_slot(L, GRL_ITEMS, body, lua_gettop(L));
  set_by_slot(L, GRL_SHAPES, body, lua_gettop(L));
  grl_store *store = world->entries[body.slot].store;
  world->entries[body.slot] = (grl_entry){{0, 0}, NULL, NULL};
  grl_store_release(store);
  return 0;
}

/* ---- Reading and changing ---- */

static int has(lua_State *L) {
  grl_check_count(L, 2, 2);
  lua_pushboolean(L, grl_find_item(L, grl_check_world(L), 2).generation != 0);
  return 1;
}

static int count(lua_State *L) {
  grl_check_count(L, 1, 1);
  lua_pushinteger(L, (lua_Integer)graze_scene_count(grl_check_world(L)->scene));
  return 1;
}

static int items(lua_State *L) {
  grl_check_count(L, 1, 1);
  lua_settop(L, 1);
  lua_newtable(L);
  const grl_world *world = grl_check_world(L); /* after the allocation, which may run finalizers */
  int list = grl_world_list_push(L, GRL_ITEMS), found = 0;
  for (graze_body b = graze_scene_next(world->scene, (graze_body){0, 0}); b.generation;
       b = graze_scene_next(world->scene, b)) {
    grl_push_item(L, list, b);
    lua_rawseti(L, 2, ++found);
  }
  lua_settop(L, 2);
  return 1;
}

static graze_body_def get_def(lua_State *L, const grl_world *world, graze_body body) {
  graze_body_def def;
  grl_check_status(L, 2, "item", graze_scene_get(world->scene, body, &def), NULL);
  return def;
}

/* world:get(item): its definition, with the current velocities. */
static int get(lua_State *L) {
  grl_check_count(L, 2, 2);
  const grl_world *world = grl_check_world(L);
  graze_body_def def = get_def(L, world, grl_check_item(L, world, 2, "item"));
  lua_createtable(L, 0, 10);
  grl_set_string(L, "type", types[def.type - GRAZE_STATIC]);
  grl_set_string(L, "response", responses[def.response]);
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

/* Messages are about the definition or the shape at argument 3. */
static void set_def(lua_State *L, grl_world *world, graze_body body, const graze_body_def *def) {
  graze_error error = {.index = -1};
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_set(world->scene, body, def, &error);
  grl_leave(L, before);
  bool of_shape = error.what && strncmp(error.what, "shape", 5) == 0;
  grl_check_status(L, 3, of_shape ? NULL : "def", status, &error);
}

/* world:set(item, def): changes the fields that def has. */
static int set(lua_State *L) {
  grl_check_count(L, 3, 3);
  grl_world *world = grl_change_world(L);
  grl_check_item(L, world, 2, "item");
  if (!lua_istable(L, 3)) grl_reject_value(L, 3, 3, "def", "a table");
  graze_body_def wanted = graze_default_body();
  unsigned keys = read_def(L, 3, world->dim, &wanted);
  world = grl_change_world(L); /* again, before the definition is read: finalizers may have run */
  graze_body body = grl_check_item(L, world, 2, "item");
  graze_body_def def = get_def(L, world, body);
  overlay(&def, &wanted, keys);
  set_def(L, world, body, &def);
  return 0;
}

static int set_shape(lua_State *L) {
  grl_check_count(L, 3, 3);
  grl_world *world = grl_change_world(L);
  graze_body body = grl_check_item(L, world, 2, "item");
  const grl_shape *shape = grl_check_shape(L, 3, "shape");
  check_threads(L, world, shape);
  graze_body_def def = get_def(L, world, body);
  def.shape = shape->shape;
  set_def(L, world, body, &def);
  grl_set_entry(world, body, kept_store(shape));
  set_by_slot(L, GRL_SHAPES, body, 3);
  return 0;
}

static int shape(lua_State *L) {
  grl_check_count(L, 2, 2);
  graze_body body = grl_check_item(L, grl_check_world(L), 2, "item");
  grl_world_list_push(L, GRL_SHAPES);
  lua_rawgeti(L, -1, (int)body.slot + 1);
  return 1;
}

static int pose(lua_State *L) {
  grl_check_count(L, 2, 2);
  const grl_world *world = grl_check_world(L);
  return grl_push_pose(L, &graze_scene_placed(world->scene, grl_check_item(L, world, 2, "item"))->pose, world->dim);
}

static int set_pose(lua_State *L) {
  grl_world *world = grl_change_world(L);
  graze_pose wanted = grl_last_pose(L, 3, world->dim, true);
  graze_body body = grl_check_item(L, world, 2, "item");
  graze_error error;
  const graze_status status = graze_scene_set_pose(world->scene, body, wanted, &error);
  grl_check_status(L, 3, NULL, status, &error);
  return 0;
}

/* world:set_velocity(item, vx, vy [, angular]); in 3D vx, vy, vz [, wx, wy, wz]. */
static int set_velocity(lua_State *L) {
  grl_world *world = grl_change_world(L);
  int dim = world->dim, angular_count = dim == 2 ? 1 : 3;
  grl_check_count(L, 2 + dim, 2 + dim + angular_count);
  graze_body body = grl_check_item(L, world, 2, "item");
  graze_motion motion = {grl_vec_arguments(L, 3, dim, "velocity"), {0, 0, 0}};
  if (!grl_absent(L, 3 + dim)) {
    if (dim == 3)
      motion.angular = grl_vec_arguments(L, 6, 3, "angular_velocity");
    else
      motion.angular.z = grl_number(L, 5, "angular_velocity");
  }
  graze_error error;
  graze_status status = graze_scene_set_motion(world->scene, body, &motion, &error);
  if (status == GRAZE_BAD_OPTION) grl_reject(L, 2, "item: static body, must be kinematic or dynamic to move");
  grl_check_status(L, 3, NULL, status, &error);
  return 0;
}

static int velocity(lua_State *L) {
  grl_check_count(L, 2, 2);
  const grl_world *world = grl_check_world(L);
  graze_body_def def = get_def(L, world, grl_check_item(L, world, 2, "item"));
  int pushed = grl_push_vec(L, def.motion.velocity, world->dim);
  if (world->dim == 3) return pushed + grl_push_vec(L, def.motion.angular, 3);
  lua_pushnumber(L, def.motion.angular.z);
  return pushed + 1;
}

/* Makes a polygon or hull of the scene use the vertices of its shape, or a copy if that shape was freed. Returns
 * the memory of the vertices with a reference. */
static grl_store *own_vertices(lua_State *L, graze_shape *shape, const grl_shape *listed) {
  if (!listed->freed) {
    shape->as = listed->shape.as;
    return grl_store_retain(listed->store);
  }
  bool polygon = shape->kind == GRAZE_POLYGON;
  size_t count = polygon ? shape->as.polygon.count : shape->as.hull.count;
  grl_store *store = grl_store_new(count);
  if (store == NULL) grl_out_of_memory(L);
  memcpy(store->vertices, polygon ? shape->as.polygon.vertices : shape->as.hull.vertices, count * sizeof(graze_vec));
  if (polygon)
    shape->as.polygon.vertices = store->vertices;
  else
    shape->as.hull.vertices = store->vertices, shape->as.hull.adjacency = (graze_adjacency){.start = NULL};
  return store;
}

/* world:placed(item [, into]): the body as a placed shape, for queries. */
static int placed(lua_State *L) {
  grl_check_count(L, 2, 3);
  if (grl_absent(L, 3)) {
    lua_settop(L, 2);
    grl_push_placed(L);
  } else {
    grl_check_placed(L, 3, "into");
    grl_require_mutable(L);
  }
  const grl_world *world = grl_check_world(L); /* after the allocation, which may run finalizers */
  grl_placed *into = grl_check_placed(L, 3, "into");
  graze_body body = grl_check_item(L, world, 2, "item");
  grl_store *old = into->store;
  lua_rawgeti(L, grl_world_list_push(L, GRL_SHAPES), (int)body.slot + 1);
  const grl_shape *listed = grl_test(L, lua_gettop(L), GRL_SHAPE);
  graze_placed found = *graze_scene_placed(world->scene, body);
  grl_store *store = found.shape.kind == GRAZE_POLYGON || found.shape.kind == GRAZE_HULL
                         ? own_vertices(L, &found.shape, listed)
                         : grl_store_retain(world->entries[body.slot].store);
  lua_pushvalue(L, 3);
  grl_fill_placed(L, into, &found, store, 5);
  into->is_part = false;
  grl_store_release(store);
  grl_store_release(old);
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
