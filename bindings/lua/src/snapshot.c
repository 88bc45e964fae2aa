/* world:save() and world:restore().
 *
 * A trailer follows the bytes of graze_scene_save(): the slot of each body, their count, and the dimension of the
 * world; 4 bytes each, little-endian. With the trailer, restore() rejects wrong item and shape lists before it changes
 * anything.
 */
#include "binding.h"

#include <math.h>

enum { WORD = 4, TRAILER_END = 2 * WORD }; /* bytes */

static unsigned char *write_word(unsigned char *to, uint32_t word) {
  for (int i = 0; i < WORD; i++) *to++ = (unsigned char)(word >> 8 * i);
  return to;
}

static uint32_t read_word(const unsigned char *from) {
  return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* ---- Saving ---- */

/* Pushes a copy of a list of the world. */
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

/* Arguments: the world, the snapshot. Finalizers cannot change objects meanwhile. */
static void fill_snapshot(lua_State *L, void *data) {
  const grl_world *world = data;
  size_t size = graze_scene_snapshot_size(world->scene);
  size_t trailer = WORD * graze_scene_count(world->scene) + TRAILER_END;
  unsigned char *bytes = lua_newuserdata(L, size + trailer);
  grl_check_status(L, 1, "world", graze_scene_save(world->scene, bytes, size, &size), NULL);
  unsigned char *to = bytes + size;
  for (graze_body b = graze_scene_next(world->scene, (graze_body){0, 0}); b.generation;
       b = graze_scene_next(world->scene, b))
    to = write_word(to, b.slot);
  to = write_word(to, (uint32_t)graze_scene_count(world->scene));
  write_word(to, (uint32_t)world->dim);
  lua_pushlstring(L, (const char *)bytes, size + trailer);
  lua_setfield(L, 2, "bytes");
  push_copy(L, GRL_ITEMS);
  lua_setfield(L, 2, "items");
  push_copy(L, GRL_SHAPES);
  lua_setfield(L, 2, "shapes");
}

static int save(lua_State *L) {
  grl_check_count(L, 1, 1);
  lua_createtable(L, 0, 3);
  grl_world *world = grl_check_world(L); /* after the allocation, which may run finalizers */
  lua_State *before = grl_enter_world(L, world);
  grl_call_protected(grl_get_state(L), fill_snapshot, world, 1, 2);
  grl_leave(L, before);
  return 1;
}

/* ---- Checking a snapshot, which the caller may have changed ---- */

/* Stack of restore(): world, snapshot, bytes, then the new lists of the world in their order. */
enum { BYTES_AT = 3, ITEMS_AT, SLOTS_AT, SHAPES_AT };

/* Checks the key of snapshot.NAME below the top: a position, slot + 1. */
static int check_position(lua_State *L, const char *name) {
  double key = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
  if (!(key >= 1 && key <= INT32_MAX && key == floor(key)))
    grl_reject(L, 2, "snapshot.%s: invalid key (%s), must be a whole number >= 1", name,
               grl_describe(L, lua_gettop(L) - 1));
  return (int)key;
}

/* Checks an item on top and adds it to the list of slots. */
static void check_item(lua_State *L, int position) {
  int value = lua_gettop(L);
  if (lua_type(L, value) == LUA_TNUMBER && isnan(lua_tonumber(L, value)))
    grl_reject_value(L, 2, value, lua_pushfstring(L, "snapshot.items[%d]", position), "any value except nil and NaN");
  lua_pushvalue(L, value);
  lua_rawget(L, SLOTS_AT);
  if (!lua_isnil(L, -1))
    grl_reject(L, 2, "snapshot.items[%d]: duplicate (%s), must differ from [%d]", position, grl_describe_item(L, value),
               (int)lua_tonumber(L, -1) + 1);
  lua_pop(L, 1);
  lua_pushvalue(L, value);
  lua_pushinteger(L, position - 1);
  lua_rawset(L, SLOTS_AT);
}

/* Checks a shape on top. Graze cannot compare support functions, so a support function must be that of the current
 * body. */
static void check_shape(lua_State *L, const grl_world *world, int position) {
  int value = lua_gettop(L);
  const grl_shape *shape = grl_test(L, value, GRL_SHAPE);
  if (shape == NULL) grl_reject_value(L, 2, value, lua_pushfstring(L, "snapshot.shapes[%d]", position), "a shape");
  if (shape->shape.kind != GRAZE_USER) return;
  const graze_placed *current = NULL;
  if ((size_t)position <= world->entry_count)
    current = graze_scene_placed(world->scene, world->entries[position - 1].body);
  if (current == NULL || current->shape.as.user.context != shape->shape.as.user.context)
    grl_reject(L, 2, "snapshot.shapes[%d]: unknown support function, must be that of the item in this world", position);
}

/* Copies a list of the snapshot to the stack and checks its entries. Returns the last position. */
static int read_entries(lua_State *L, const grl_world *world, int from, int to, const char *name) {
  int last = 0;
  lua_pushnil(L);
  while (lua_next(L, from) != 0) {
    int position = check_position(L, name);
    if (to == ITEMS_AT)
      check_item(L, position);
    else
      check_shape(L, world, position);
    lua_rawseti(L, to, position);
    if (position > last) last = position;
  }
  return last;
}

/* Reads the snapshot to the stack. Returns the last position of an item. */
static int read_snapshot(lua_State *L, const grl_world *world) {
  static const char *const keys[] = {"bytes", "items", "shapes"};
  if (!lua_istable(L, 2)) grl_reject_value(L, 2, 2, "snapshot", "a result of world:save()");
  int last = 0;
  lua_settop(L, BYTES_AT);
  for (int i = ITEMS_AT; i <= SHAPES_AT; i++) lua_newtable(L);
  for (int i = 0; i < 3; i++) {
    lua_pushstring(L, keys[i]);
    lua_rawget(L, 2);
    int value = lua_gettop(L);
    if (lua_type(L, value) != (i == 0 ? LUA_TSTRING : LUA_TTABLE))
      grl_reject_value(L, 2, value, lua_pushfstring(L, "snapshot.%s", keys[i]), "from world:save()");
    if (i == 0) lua_replace(L, BYTES_AT);
    if (i == 1) last = read_entries(L, world, value, ITEMS_AT, keys[i]);
    if (i == 2) read_entries(L, world, value, SHAPES_AT, keys[i]);
    lua_settop(L, SHAPES_AT);
  }
  return last;
}

static void reject_bytes(lua_State *L) { grl_reject(L, 2, "snapshot.bytes: damaged, must be from world:save()"); }

/* Checks that each body of the trailer has an item and a shape. Returns the size without the trailer. */
static size_t check_trailer(lua_State *L, const grl_world *world) {
  size_t size;
  const unsigned char *bytes = (const unsigned char *)lua_tolstring(L, BYTES_AT, &size);
  size_t count = size < TRAILER_END ? SIZE_MAX : read_word(bytes + size - TRAILER_END);
  if (count > size / WORD || WORD * count + TRAILER_END > size) reject_bytes(L);
  grl_check_dim(L, 2, "snapshot", (int)read_word(bytes + size - WORD), world->dim);
  size -= WORD * count + TRAILER_END;
  for (size_t i = 0; i < count; i++) {
    uint32_t slot = read_word(bytes + size + WORD * i);
    if (slot >= INT32_MAX) reject_bytes(L);
    for (int list = ITEMS_AT; list <= SHAPES_AT; list += SHAPES_AT - ITEMS_AT) {
      lua_rawgeti(L, list, (int)slot + 1);
      if (lua_isnil(L, -1))
        grl_reject(L, 2, "snapshot.%s[%d]: nil, must be that of a body", list == ITEMS_AT ? "items" : "shapes",
                   (int)slot + 1);
      lua_pop(L, 1);
    }
  }
  return size;
}

/* ---- Adopting the restored bodies ---- */

/* Returns the object of the caller that a shape of a scene points to, or NULL for vertices, because scenes copy
 * them. The object shows whether a restored body uses the memory of its store in this world. */
static const void *memory_of(const graze_shape *shape) {
  return shape->kind == GRAZE_COMPOUND ? (const void *)shape->as.compound
         : shape->kind == GRAZE_MESH   ? (const void *)shape->as.mesh
         : shape->kind == GRAZE_USER   ? shape->as.user.context
                                       : NULL;
}

/* Returns whether a restored body has the listed shape. Freed shapes have no vertices any more. The bytes of a snapshot
 * store no compounds, no meshes and no support functions. */
static bool same_shape(const grl_shape *shape, const graze_shape *body) {
  const graze_shape *s = &shape->shape;
  if (s->kind != body->kind || s->dim != body->dim) return false;
  if (grl_has_parts(s) || s->kind == GRAZE_USER) return true;
  return shape->freed ? graze_vertex_count(s) == graze_vertex_count(body) : graze_shape_equal(s, body);
}

/* Removes restored bodies without an item, or with another shape than listed. Returns the first position; 0: none. */
static int remove_mismatched(lua_State *L, const grl_world *world) {
  int first = 0;
  graze_body next, b = graze_scene_next(world->scene, (graze_body){0, 0});
  for (; b.generation; b = next) {
    next = graze_scene_next(world->scene, b);
    lua_rawgeti(L, ITEMS_AT, (int)b.slot + 1);
    lua_rawgeti(L, SHAPES_AT, (int)b.slot + 1);
    const grl_shape *shape = grl_test(L, lua_gettop(L), GRL_SHAPE);
    bool good = !lua_isnil(L, -2) && shape && same_shape(shape, &graze_scene_placed(world->scene, b)->shape);
    lua_pop(L, 2);
    if (good) continue;
    if (first == 0) first = (int)b.slot + 1;
    graze_scene_remove(world->scene, b);
  }
  return first;
}

/* Assigns a store to a restored body: that of its predecessor if the body still points into it, or none. */
static void adopt_body(lua_State *L, grl_world *world, graze_body body) {
  const grl_entry *old = &world->entries[body.slot];
  const graze_shape *shape = &graze_scene_placed(world->scene, body)->shape;
  bool same = old->body.generation == body.generation && old->before == memory_of(shape);
  grl_store *store = same ? old->store : NULL;
  lua_rawgeti(L, SHAPES_AT, (int)body.slot + 1);
  const grl_shape *listed = grl_test(L, lua_gettop(L), GRL_SHAPE);
  if ((grl_has_parts(shape) || shape->kind == GRAZE_USER) && listed->store != store) {
    /* The current shape references the support functions. */
    lua_rawgeti(L, grl_world_list_push(L, GRL_SHAPES), (int)body.slot + 1);
    lua_rawseti(L, SHAPES_AT, (int)body.slot + 1);
  }
  lua_settop(L, SHAPES_AT);
  grl_set_entry(world, body, store);
}

/* Removes entries without a body from a list on the stack, and their items from the list of slots. */
static void remove_stale(lua_State *L, const grl_world *world, int list) {
  for (lua_pushnil(L); lua_next(L, list) != 0; lua_settop(L, SHAPES_AT + 1)) {
    size_t position = (size_t)lua_tonumber(L, -2);
    if (position <= world->entry_count && world->entries[position - 1].body.generation != 0) continue;
    if (list == ITEMS_AT) {
      lua_pushnil(L);
      lua_rawset(L, SLOTS_AT);
    }
    lua_pushnil(L);
    lua_rawseti(L, list, (int)position);
  }
}

/* Makes the lists on the stack those of the world. Nothing is allocated: all entries are reserved and lists only
 * shrink. So this function cannot fail, and no finalizer runs. */
static void adopt_bodies(lua_State *L, grl_world *world) {
  for (graze_body b = graze_scene_next(world->scene, (graze_body){0, 0}); b.generation;
       b = graze_scene_next(world->scene, b))
    adopt_body(L, world, b);
  for (size_t i = 0; i < world->entry_count; i++) {
    grl_entry *entry = &world->entries[i];
    if (entry->body.generation == 0 || graze_scene_placed(world->scene, entry->body)) continue;
    grl_store *store = entry->store;
    *entry = (grl_entry){{0, 0}, NULL, NULL};
    grl_store_release(store);
  }
  remove_stale(L, world, ITEMS_AT);
  remove_stale(L, world, SHAPES_AT);
  grl_get_table(L, 1);
  for (int list = GRL_ITEMS; list <= GRL_SHAPES; list++) {
    lua_pushvalue(L, ITEMS_AT + list - GRL_ITEMS);
    lua_rawseti(L, -2, list);
  }
  lua_pop(L, 1);
}

/* Finds the dimension of a scene by the queries that it accepts. The scene may be empty, and the trailer may be
 * forged. */
static int dim_of(const graze_scene *scene) {
  size_t count;
  graze_shape shape = graze_point2();
  graze_placed point = graze_place(&shape, graze_pose_identity());
  return graze_scene_overlap(scene, &point, NULL, NULL, 0, &count, NULL) == GRAZE_DIM_MISMATCH ? 3 : 2;
}

/* Raises the error of graze_scene_restore(), which left the scene unchanged. */
static void check_restored(lua_State *L, graze_status status, const graze_error *error) {
  if (status == GRAZE_UNSUPPORTED && error->index >= 0) {
    int position = (int)error->index + 1;
    lua_rawgeti(L, SHAPES_AT, position);
    const grl_shape *shape = grl_test(L, lua_gettop(L), GRL_SHAPE);
    lua_rawgeti(L, ITEMS_AT, position);
    grl_reject(L, 2,
               "snapshot.items[%d]: %s, which bytes do not store (%s), must still be in this world, or be added first "
               "in the order of the saved world",
               position,
               shape == NULL                     ? "shape"
               : shape->shape.kind == GRAZE_USER ? "support function"
                                                 : grl_kind_text(shape->shape.kind),
               grl_describe_item(L, lua_gettop(L)));
  }
  grl_check_status(L, 2, "snapshot", status, error);
}

/* world:restore(snapshot): restores the state of the saved world, in this world or another one with the same bodies. */
static int restore(lua_State *L) {
  grl_check_count(L, 2, 2);
  grl_world *world = grl_change_world(L);
  size_t last = (size_t)read_snapshot(L, world);
  world = grl_change_world(L); /* again: finalizers may have run */
  size_t size = check_trailer(L, world);
  if (last > size) last = size; /* each slot takes more than one byte */
  if (last > 0 && !grl_reserve_entries(world, (uint32_t)last - 1)) grl_out_of_memory(L);
  for (size_t i = 0; i < world->entry_count; i++) {
    const graze_placed *placed = graze_scene_placed(world->scene, world->entries[i].body);
    world->entries[i].before = placed ? memory_of(&placed->shape) : NULL;
  }
  graze_error error = {.index = -1};
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_restore(world->scene, lua_tostring(L, BYTES_AT), size, &error);
  grl_leave(L, before);
  check_restored(L, status, &error);
  world->dim = dim_of(world->scene);
  int mismatch = remove_mismatched(L, world);
  adopt_bodies(L, world);
  if (mismatch)
    grl_reject(L, 2, "snapshot.shapes[%d]: wrong shape, must be that of the body, which was removed", mismatch);
  return 0;
}

const luaL_Reg grl_snapshot_methods[] = {
    {"save", save},
    {"restore", restore},
    {NULL, NULL},
};
