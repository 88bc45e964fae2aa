/* world:save() and world:restore().
 *
 * Behind what Graze wrote the bytes have a tail: the slot of each body, how many there are, and the dimension of the
 * world, 4 bytes each, the lowest first. So what does not belong to them is refused before anything is changed. */
#include "world.h"

#include <math.h>

enum { WORD = 4, TAIL_END = 2 * WORD }; /* bytes */

static unsigned char *put_word(unsigned char *to, uint32_t word) {
  for (int i = 0; i < WORD; i++) *to++ = (unsigned char)(word >> 8 * i);
  return to;
}

static uint32_t get_word(const unsigned char *from) {
  return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static void put_tail(unsigned char *to, const grl_world *world) {
  for (graze_body b = graze_scene_next(world->scene, (graze_body){0, 0}); b.generation;
       b = graze_scene_next(world->scene, b))
    to = put_word(to, b.slot);
  to = put_word(to, (uint32_t)graze_scene_count(world->scene));
  put_word(to, (uint32_t)world->dim);
}

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
  size_t tail = WORD * graze_scene_count(world->scene) + TAIL_END;
  unsigned char *bytes = lua_newuserdata(L, size + tail);
  grl_check(L, 1, "world", graze_scene_save(world->scene, bytes, size, &size), NULL);
  put_tail(bytes + size, world);
  lua_pushlstring(L, (const char *)bytes, size + tail);
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

/* On the stack of restore(): what is to be the lists of the world, in their order. */
enum { ITEMS_AT = 4, SLOTS_AT, SHAPES_AT };

/* The place of an entry of snapshot.NAME, whose key and value are on top. */
static int check_place(lua_State *L, const char *name) {
  double key = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
  if (!(key >= 1 && key <= INT32_MAX && key == floor(key)))
    grl_refuse(L, 2, "snapshot.%s: whole numbers from 1 on expected as keys, got %s", name,
               grl_describe(L, lua_gettop(L) - 1));
  return (int)key;
}

/* Of items: each once. */
static void check_item(lua_State *L, int place) {
  int value = lua_gettop(L);
  if (lua_type(L, value) == LUA_TNUMBER && isnan(lua_tonumber(L, value)))
    grl_refuse(L, 2, "snapshot.items[%d]: any value but nil and NaN expected, got nan", place);
  lua_pushvalue(L, value);
  lua_rawget(L, SLOTS_AT);
  if (!lua_isnil(L, -1))
    grl_refuse(L, 2, "snapshot.items[%d]: another item expected than [%d], got the same again: %s", place,
               (int)lua_tonumber(L, -1) + 1, grl_describe_item(L, value));
  lua_pop(L, 1);
  lua_pushvalue(L, value);
  lua_pushinteger(L, place - 1);
  lua_rawset(L, SLOTS_AT);
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
  if (there == NULL || there->shape.as.user.context != shape->shape.as.user.context)
    grl_refuse(L, 2, "snapshot.shapes[%d]: a support function that its item does not have in this world", place);
}

/* Copies one of the lists of the snapshot to the stack, judged. Returns the last place. */
static int read_entries(lua_State *L, const grl_world *world, int from, int to, const char *name) {
  int last = 0;
  lua_pushnil(L);
  while (lua_next(L, from) != 0) {
    int place = check_place(L, name);
    if (to == ITEMS_AT)
      check_item(L, place);
    else
      check_shape(L, world, place);
    lua_rawseti(L, to, place);
    if (place > last) last = place;
  }
  return last;
}

static void refuse_bytes(lua_State *L) {
  grl_refuse(L, 2, "snapshot.bytes: what world:save() returned expected, got something else");
}

/* Each body that the tail tells of has an item and a shape. Returns how many bytes are Graze's own. */
static size_t check_tail(lua_State *L, const grl_world *world) {
  size_t size;
  const unsigned char *bytes = (const unsigned char *)lua_tolstring(L, 3, &size);
  size_t count = size < TAIL_END ? SIZE_MAX : get_word(bytes + size - TAIL_END);
  if (count > size / WORD || WORD * count + TAIL_END > size) refuse_bytes(L);
  int dim = (int)get_word(bytes + size - WORD);
  if (dim != world->dim) grl_refuse(L, 2, "snapshot: of a world in %dD, and this one is in %dD", dim, world->dim);
  size -= WORD * count + TAIL_END;
  for (size_t i = 0; i < count; i++) {
    uint32_t slot = get_word(bytes + size + WORD * i);
    if (slot >= INT32_MAX) refuse_bytes(L);
    int place = (int)slot + 1;
    for (int list = ITEMS_AT; list <= SHAPES_AT; list += SHAPES_AT - ITEMS_AT) {
      lua_rawgeti(L, list, place);
      if (lua_isnil(L, -1))
        grl_refuse(L, 2, "snapshot.%s[%d]: that of a body expected, got nil", list == ITEMS_AT ? "items" : "shapes",
                   place);
      lua_pop(L, 1);
    }
  }
  return size;
}

/* The bytes, at 3, and the lists. Returns the last place of an item. */
static int read_snapshot(lua_State *L, const grl_world *world) {
  static const char *const keys[] = {"bytes", "items", "shapes"};
  if (!lua_istable(L, 2)) grl_refuse(L, 2, "snapshot: what world:save() returned expected, got %s", grl_describe(L, 2));
  int last = 0;
  lua_settop(L, 3);
  for (int i = ITEMS_AT; i <= SHAPES_AT; i++) lua_newtable(L);
  for (int i = 0; i < 3; i++) {
    lua_pushstring(L, keys[i]);
    lua_rawget(L, 2);
    if (lua_type(L, -1) != (i == 0 ? LUA_TSTRING : LUA_TTABLE))
      grl_refuse(L, 2, "snapshot.%s: what world:save() returned expected, got %s", keys[i],
                 grl_describe(L, lua_gettop(L)));
    if (i == 0) lua_replace(L, 3);
    if (i == 1) last = read_entries(L, world, lua_gettop(L), ITEMS_AT, keys[i]);
    if (i == 2) read_entries(L, world, lua_gettop(L), SHAPES_AT, keys[i]);
    lua_settop(L, SHAPES_AT);
  }
  return last;
}

/* ---- The bodies, when they are there ---- */

/* What a shape points to: it tells whether a restored body still has it from its store in this world, or Graze's copy.
 */
static const void *memory_of(const graze_shape *shape) {
  switch (shape->kind) {
  case GRAZE_COMPOUND: return shape->as.compound;
  case GRAZE_POLYGON:
  case GRAZE_HULL: return shape->as.hull.vertices;
  case GRAZE_USER: return shape->as.user.context;
  default: return NULL;
  }
}

/* Is the body of this shape? The vertices of a freed shape cannot be compared. */
static bool fits(const grl_shape *shape, const graze_shape *body) {
  graze_shape s = shape->shape;
  const bool points = s.kind == GRAZE_POLYGON || s.kind == GRAZE_HULL;
  if (s.kind != body->kind) return false;
  if (points && shape->freed) s.as.hull.vertices = body->as.hull.vertices;
  s.margin = body->margin;
  if (s.kind == GRAZE_COMPOUND || s.kind == GRAZE_USER) return s.dim == body->dim;
  return graze_shape_equal(&s, body);
}

/* Takes the bodies out that have another shape; or no item, in spite of the tail. Returns the place of the first; 0:
 * there is none. */
static int leave_out(lua_State *L, const grl_world *world) {
  int first = 0;
  graze_body next, b = graze_scene_next(world->scene, (graze_body){0, 0});
  for (; b.generation; b = next) {
    next = graze_scene_next(world->scene, b);
    lua_rawgeti(L, ITEMS_AT, (int)b.slot + 1);
    lua_rawgeti(L, SHAPES_AT, (int)b.slot + 1);
    const grl_shape *shape = grl_test(L, lua_gettop(L), GRL_SHAPE);
    bool good = !lua_isnil(L, -2) && shape && fits(shape, &graze_scene_placed(world->scene, b)->shape);
    lua_pop(L, 2);
    if (good) continue;
    if (first == 0) first = (int)b.slot + 1;
    graze_scene_remove(world->scene, b);
  }
  return first;
}

/* A body, which has its memory from the store that it had before, or none. */
static void move_in(lua_State *L, grl_world *world, graze_body body) {
  const grl_resident *old = &world->residents[body.slot];
  const graze_shape *shape = &graze_scene_placed(world->scene, body)->shape;
  bool same = old->body.generation == body.generation && old->before == memory_of(shape);
  grl_store *store = same ? old->store : NULL;
  lua_rawgeti(L, SHAPES_AT, (int)body.slot + 1);
  const grl_shape *listed = grl_test(L, lua_gettop(L), GRL_SHAPE);
  if ((shape->kind == GRAZE_COMPOUND || shape->kind == GRAZE_USER) &&
      listed->store != store) { /* the functions are those of the shape that is there */
    lua_rawgeti(L, grl_world_list_push(L, GRL_SHAPES), (int)body.slot + 1);
    lua_rawseti(L, SHAPES_AT, (int)body.slot + 1);
  }
  lua_settop(L, SHAPES_AT);
  grl_settle(world, body, store);
}

/* Takes what has no body out of one of the lists, and out of that of the slots, which goes by items. */
static void strike_strangers(lua_State *L, const grl_world *world, int list) {
  for (lua_pushnil(L); lua_next(L, list) != 0; lua_settop(L, SHAPES_AT + 1)) {
    size_t place = (size_t)lua_tonumber(L, -2);
    if (place <= world->resident_count && world->residents[place - 1].body.generation != 0) continue;
    if (list == ITEMS_AT) {
      lua_pushnil(L);
      lua_rawset(L, SLOTS_AT);
    }
    lua_pushnil(L);
    lua_rawseti(L, list, (int)place);
  }
}

/* The lists on the stack become those of the world. Nothing is allocated here, by Lua or otherwise: there is room for
 * all slots, and lists only get shorter. So it cannot fail, and no finalizer runs. */
static void move_all_in(lua_State *L, grl_world *world) {
  for (graze_body b = graze_scene_next(world->scene, (graze_body){0, 0}); b.generation;
       b = graze_scene_next(world->scene, b))
    move_in(L, world, b);
  for (size_t i = 0; i < world->resident_count; i++) {
    grl_resident *resident = &world->residents[i];
    if (resident->body.generation == 0 || graze_scene_placed(world->scene, resident->body)) continue;
    grl_store *store = resident->store;
    *resident = (grl_resident){{0, 0}, NULL, NULL};
    grl_store_drop(store);
  }
  strike_strangers(L, world, ITEMS_AT);
  strike_strangers(L, world, SHAPES_AT);
  grl_get_table(L, 1);
  for (int list = GRL_ITEMS; list <= GRL_SHAPES; list++) {
    lua_pushvalue(L, ITEMS_AT + list - GRL_ITEMS);
    lua_rawseti(L, -2, list);
  }
  lua_pop(L, 1);
}

/* Where a scene is empty, it tells its dimension by what it lets itself be asked about; tails may be made up. */
static int dim_of(const graze_scene *scene) {
  size_t count;
  graze_shape shape = graze_point2();
  graze_placed point = graze_place(&shape, graze_pose_at(0, 0, 0));
  return graze_scene_overlap(scene, &point, NULL, NULL, 0, &count) == GRAZE_DIM_MISMATCH ? 3 : 2;
}

/* The scene is as it was. A shape that bytes do not hold is told by its item. */
static void check_restored(lua_State *L, graze_status status, const graze_error *error) {
  if (status == GRAZE_UNSUPPORTED && error->index >= 0) {
    int place = (int)error->index + 1;
    lua_rawgeti(L, SHAPES_AT, place);
    const grl_shape *shape = grl_test(L, lua_gettop(L), GRL_SHAPE);
    lua_rawgeti(L, ITEMS_AT, place);
    grl_refuse(L, 2,
               "snapshot.items[%d], %s: %s is not in the bytes; this world must have it still, or added first, in the "
               "order of the world that was saved",
               place, grl_describe_item(L, lua_gettop(L)),
               shape && shape->shape.kind == GRAZE_USER ? "a support function" : "a compound");
  }
  grl_check(L, 2, "snapshot", status, error);
}

/* world:restore(snapshot): as it was when saved, in this world or another of the same bodies. */
static int restore(lua_State *L) {
  grl_count(L, 2, 2);
  grl_world *world = grl_change_world(L);
  size_t last = (size_t)read_snapshot(L, world);
  world = grl_change_world(L); /* again: that may have run finalizers */
  size_t size = check_tail(L, world);
  if (last > size) last = size; /* a slot takes more than one of the bytes */
  if (last > 0 && !grl_make_room(world, (uint32_t)last - 1)) grl_out_of_memory(L);
  for (size_t i = 0; i < world->resident_count; i++) {
    const graze_placed *placed = graze_scene_placed(world->scene, world->residents[i].body);
    world->residents[i].before = placed ? memory_of(&placed->shape) : NULL;
  }
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_restore(world->scene, lua_tostring(L, 3), size, &error);
  grl_leave(L, before);
  check_restored(L, status, &error);
  world->dim = dim_of(world->scene);
  int without = leave_out(L, world);
  move_all_in(L, world);
  if (without)
    grl_refuse(L, 2, "snapshot.shapes[%d]: that of the body there expected, which is left out without it", without);
  return 0;
}

const luaL_Reg grl_snapshot_methods[] = {
    {"save", save},
    {"restore", restore},
    {NULL, NULL},
};
