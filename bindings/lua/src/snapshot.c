/* world:save() and world:restore(). */
#include "world.h"

#include <math.h>

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

/* Arguments: the world, the snapshot. While nothing may be changed: finalizers run. */
static void pack(lua_State *L, void *data) {
  const grl_world *world = data;
  size_t size = graze_scene_snapshot_size(world->scene);
  void *bytes = lua_newuserdata(L, size);
  grl_check(L, 1, "world", graze_scene_save(world->scene, bytes, size, &size), NULL);
  lua_pushlstring(L, bytes, size);
  lua_setfield(L, 2, "bytes");
  push_copy(L, GRL_ITEMS);
  lua_setfield(L, 2, "items");
  push_copy(L, GRL_SHAPES);
  lua_setfield(L, 2, "shapes");
}

/* world:save(): the bytes, the items and their shapes, in a table. */
static int save(lua_State *L) {
  grl_count(L, 1, 1);
  lua_createtable(L, 0, 3);
  grl_world *world = grl_check_world(L); /* only now: that may have run finalizers */
  lua_State *before = grl_enter_world(L, world);
  grl_protected(grl_get_state(L), pack, world, 1, 2);
  grl_leave(L, before);
  return 1;
}

/* ---- What a caller gives back: he may have changed it ---- */

enum { ITEMS_AT = 4, SHAPES_AT, PLACES_AT, FRESH_AT }; /* on the stack of restore() */

/* The place of an entry of snapshot.NAME, whose key and value are on top. */
static int check_place(lua_State *L, const char *name) {
  double key = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
  if (!(key >= 1 && key <= INT32_MAX && key == floor(key)))
    grl_refuse(L, 2, "snapshot.%s: whole numbers from 1 on expected as keys, got %s", name,
               grl_describe(L, lua_gettop(L) - 1));
  return (int)key;
}

/* Of items: each once. Those that were seen, with their places, are in a table on top of the two lists. */
static void check_item(lua_State *L, int place) {
  int value = lua_gettop(L);
  if (lua_type(L, value) == LUA_TNUMBER && isnan(lua_tonumber(L, value)))
    grl_refuse(L, 2, "snapshot.items[%d]: any value but nil and NaN expected, got nan", place);
  lua_pushvalue(L, value);
  lua_rawget(L, PLACES_AT);
  int seen = (int)lua_tonumber(L, -1);
  if (seen != 0)
    grl_refuse(L, 2, "snapshot.items[%d]: another item expected than [%d], got the same again: %s", place, seen,
               grl_describe(L, value));
  lua_pop(L, 1);
  lua_pushvalue(L, value);
  lua_pushinteger(L, place);
  lua_rawset(L, PLACES_AT);
}

/* A support function is that of the body that is there, or Graze would take that without a word. */
static void check_shape(lua_State *L, const grl_world *world, int place) {
  const grl_shape *shape = grl_test(L, lua_gettop(L), GRL_SHAPE);
  if (shape == NULL)
    grl_refuse(L, 2, "snapshot.shapes[%d]: a shape expected, got %s", place, grl_describe(L, lua_gettop(L)));
  if (shape->shape.kind != GRAZE_USER) return;
  const graze_placed *there = NULL;
  if ((size_t)place <= world->resident_count)
    there = graze_scene_placed(world->scene, world->residents[place - 1].body);
  if (there == NULL || there->shape.context != shape->shape.context)
    grl_refuse(L, 2, "snapshot.shapes[%d]: a support function that its item does not have in this world", place);
}

/* Copies one of the lists of the snapshot to the stack, judged. */
static void read_entries(lua_State *L, const grl_world *world, int from, int to, const char *name) {
  lua_pushnil(L);
  while (lua_next(L, from) != 0) {
    int place = check_place(L, name);
    if (to == ITEMS_AT)
      check_item(L, place);
    else
      check_shape(L, world, place);
    lua_rawseti(L, to, place);
  }
}

/* The bytes, and the lists, at 3, ITEMS_AT and SHAPES_AT. */
static void read_snapshot(lua_State *L, const grl_world *world) {
  static const char *const keys[] = {"bytes", "items", "shapes"};
  if (!lua_istable(L, 2)) grl_refuse(L, 2, "snapshot: what world:save() returned expected, got %s", grl_describe(L, 2));
  lua_settop(L, 3);
  for (int i = ITEMS_AT; i <= PLACES_AT; i++) lua_newtable(L);
  for (int i = 0; i < 3; i++) {
    lua_pushstring(L, keys[i]);
    lua_rawget(L, 2);
    if (lua_type(L, -1) != (i == 0 ? LUA_TSTRING : LUA_TTABLE))
      grl_refuse(L, 2, "snapshot.%s: what world:save() returned expected, got %s", keys[i],
                 grl_describe(L, lua_gettop(L)));
    if (i > 0) read_entries(L, world, lua_gettop(L), ITEMS_AT + i - 1, keys[i]);
    if (i == 0) lua_replace(L, 3);
    lua_settop(L, PLACES_AT);
  }
}

/* ---- The bodies, when they are there ---- */

/* What a shape points to: it tells whether a restored body still has it from its store in this world, or Graze's copy.
 */
static const void *memory_of(const graze_shape *shape) {
  if (shape->compound) return shape->compound;
  return shape->vertices ? (const void *)shape->vertices : shape->context;
}

static bool same_vectors(const graze_vec *p, const graze_vec *q, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (p[i].x != q[i].x || p[i].y != q[i].y || p[i].z != q[i].z) return false;
  return true;
}

/* Is the body of this shape? */
static bool fits(const grl_shape *shape, const graze_shape *body) {
  const graze_shape *s = &shape->shape;
  if (s->kind != body->kind || s->dim != body->dim || s->vertex_count != body->vertex_count) return false;
  if (s->radius != body->radius || s->half_length != body->half_length || s->offset != body->offset) return false;
  if (!same_vectors(&s->extents, &body->extents, 1) || !same_vectors(s->corners, body->corners, 3)) return false;
  return shape->freed || s->vertices == NULL || same_vectors(s->vertices, body->vertices, s->vertex_count);
}

/* Takes the bodies out that have no item or another shape. Returns the place of the first; 0: there is none. */
static int leave_out(lua_State *L, const grl_world *world, bool *no_item) {
  int first = 0;
  graze_body next, b = graze_scene_next(world->scene, (graze_body){0, 0});
  for (; b.generation; b = next) {
    next = graze_scene_next(world->scene, b);
    lua_rawgeti(L, ITEMS_AT, (int)b.slot + 1);
    lua_rawgeti(L, SHAPES_AT, (int)b.slot + 1);
    const grl_shape *shape = grl_test(L, lua_gettop(L), GRL_SHAPE);
    bool lacks = lua_isnil(L, -2), good = !lacks && shape && fits(shape, &graze_scene_placed(world->scene, b)->shape);
    lua_pop(L, 2);
    if (good) continue;
    if (first == 0) *no_item = lacks;
    if (first == 0) first = (int)b.slot + 1;
    graze_scene_remove(world->scene, b);
  }
  return first;
}

/* A body, which has its memory from the store that it had before, or none. The shape is on top of its item. */
static void move_in(lua_State *L, grl_world *world, graze_body body, const void *before) {
  const grl_resident *old = &world->residents[body.slot];
  const graze_shape *shape = &graze_scene_placed(world->scene, body)->shape;
  bool same = old->body.generation == body.generation && before == memory_of(shape);
  grl_store *store = same ? old->store : NULL;
  const grl_shape *listed = grl_test(L, lua_gettop(L), GRL_SHAPE);
  if (shape->kind == GRAZE_COMPOUND &&
      listed->store != store) { /* the functions are those of the shape that is there */
    lua_rawgeti(L, grl_world_list_push(L, GRL_SHAPES), (int)body.slot + 1);
    lua_replace(L, -3);
    lua_pop(L, 1);
  }
  grl_settle(world, body, store);
  lua_rawseti(L, FRESH_AT + GRL_SHAPES - GRL_ITEMS, (int)body.slot + 1);
  lua_pushvalue(L, -1);
  lua_rawseti(L, FRESH_AT, (int)body.slot + 1);
  lua_pushinteger(L, (lua_Integer)body.slot);
  lua_rawset(L, FRESH_AT + GRL_SLOTS - GRL_ITEMS);
}

/* New lists for the world are at FRESH_AT and after it: nothing is allocated here that would run a finalizer. False:
 * there is no memory, and the bodies from there on are not in the lists. */
static bool move_all_in(lua_State *L, grl_world *world, const void *const *memory, size_t known) {
  for (graze_body b = graze_scene_next(world->scene, (graze_body){0, 0}); b.generation;
       b = graze_scene_next(world->scene, b)) {
    if (!grl_make_room(world, b.slot)) return false;
    lua_rawgeti(L, ITEMS_AT, (int)b.slot + 1);
    lua_rawgeti(L, SHAPES_AT, (int)b.slot + 1);
    move_in(L, world, b, b.slot < known ? memory[b.slot] : NULL);
  }
  for (size_t i = 0; i < world->resident_count; i++) {
    grl_resident *resident = &world->residents[i];
    if (resident->body.generation == 0 || graze_scene_placed(world->scene, resident->body)) continue;
    grl_store *store = resident->store;
    *resident = (grl_resident){{0, 0}, NULL};
    grl_store_drop(store);
  }
  grl_get_table(L, 1);
  for (int list = GRL_ITEMS; list <= GRL_SHAPES; list++) {
    lua_pushvalue(L, FRESH_AT + list - GRL_ITEMS);
    lua_rawseti(L, -2, list);
  }
  lua_pop(L, 1);
  return true;
}

/* Where a scene is empty, it tells its dimension by what it lets itself be asked about. */
static int dim_of(const graze_scene *scene) {
  size_t count;
  graze_shape shape = graze_point2();
  graze_placed point = graze_place(&shape, graze_pose_at(0, 0, 0));
  return graze_scene_overlap(scene, &point, NULL, NULL, 0, &count) == GRAZE_DIM_MISMATCH ? 3 : 2;
}

/* world:restore(snapshot): as it was when saved, in this world or another of the same bodies. */
static int restore(lua_State *L) {
  grl_count(L, 2, 2);
  grl_world *world = grl_change_world(L);
  read_snapshot(L, world);
  size_t known = world->resident_count;
  for (int list = GRL_ITEMS; list <= GRL_SHAPES; list++) lua_newtable(L);
  const void **memory = lua_newuserdata(L, (known + 1) * sizeof *memory);
  world = grl_change_world(L); /* again: that may have run finalizers */
  if (known > world->resident_count) known = world->resident_count;
  for (size_t i = 0; i < known; i++) {
    const graze_placed *placed = graze_scene_placed(world->scene, world->residents[i].body);
    memory[i] = placed ? memory_of(&placed->shape) : NULL;
  }
  size_t size;
  const char *bytes = lua_tolstring(L, 3, &size);
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_restore(world->scene, bytes, size, &error);
  grl_leave(L, before);
  grl_check(L, 2, "snapshot", status, &error);
  world->dim = dim_of(world->scene);
  bool no_item = false;
  int without = leave_out(L, world, &no_item);
  if (!move_all_in(L, world, memory, known)) grl_out_of_memory(L);
  if (without)
    grl_refuse(L, 2, "snapshot.%s[%d]: that of the body there expected, which is left out without it",
               no_item ? "items" : "shapes", without);
  return 0;
}

const luaL_Reg grl_snapshot_methods[] = {
    {"save", save},
    {"restore", restore},
    {NULL, NULL},
};
