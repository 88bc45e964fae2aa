/* Who is near: distances to the caller's shape, and of bodies to each other. */
#include "world.h"

#include <math.h>

enum { NEAR_AT_FIRST = 8, PAIRS_AT_FIRST = 256 };

static void set_near(lua_State *L, const graze_neighbor *near, int items, int dim) {
  grl_push_item(L, items, near->b);
  grl_set_field(L, "item");
  if (near->a.generation) {
    grl_push_item(L, items, near->a);
    grl_set_field(L, "other");
  }
  grl_set_number(L, "distance", near->answer.distance);
  grl_set_number(L, "lower", near->answer.lower);
  grl_set_number(L, "upper", near->answer.upper);
  grl_set_word(L, "relation", graze_relation_text(near->answer.relation));
  grl_reuse_vec(L, "normal", near->answer.normal, dim);
  grl_reuse_vec(L, "point_a", near->answer.point_a, dim);
  grl_reuse_vec(L, "point_b", near->answer.point_b, dim);
}

/* A list that is filled: where it, its spare entries, the room and the items stand on the stack; and what it is filled
 * with. */
typedef struct filling {
  const grl_world *world;
  int list, spare, room, items;
  const graze_neighbor *near; /* or … */
  const graze_body_pair *pair;
  size_t count;
} filling;

static filling begin(lua_State *L, const grl_world *world, int list) {
  return (filling){.world = world, .list = list, .spare = grl_list_begin(L, list)};
}

/* Room for so many entries of a size, or more. */
static void *borrow(lua_State *L, filling *f, size_t *capacity, size_t size) {
  size_t bytes = *capacity * size;
  void *room = grl_borrow_room(L, &bytes);
  f->room = lua_gettop(L);
  *capacity = bytes / size;
  return room;
}

/* With the whole stack as arguments. */
static void fill(lua_State *L, void *data) {
  const filling *f = data;
  for (size_t i = 0; i < f->count; i++) {
    grl_list_entry(L, f->list, f->spare, (int)i + 1);
    if (f->near) {
      set_near(L, &f->near[i], f->items, f->world->dim);
    } else {
      grl_push_item(L, f->items, f->pair[i].a);
      grl_set_field(L, "a");
      grl_push_item(L, f->items, f->pair[i].b);
      grl_set_field(L, "b");
    }
    lua_pop(L, 1);
  }
}

/* When Graze has answered. Nothing may be changed until the list is filled: a finalizer that replaced a body would give
 * its slot to another item. */
static void answered(lua_State *L, lua_State *before, graze_status status, filling *f) {
  f->items = grl_world_list_push(L, GRL_ITEMS);
  if (status == GRAZE_OK) grl_protected(grl_get_state(L), fill, f, 1, f->items);
  lua_settop(L, f->items - 1);
  grl_leave(L, before);
}

static int push_filled(lua_State *L, const filling *f) {
  grl_return_room(L, f->room);
  grl_list_end(L, f->list, (int)f->count);
  lua_pushvalue(L, f->list);
  lua_pushinteger(L, (lua_Integer)f->count);
  return 2;
}

/* world:nearest(placed, within, most): the nearest first; within nil: however far. most: 1 where absent. */
static int nearest(lua_State *L) {
  grl_count(L, 2, 6);
  const grl_world *world = grl_check_world(L);
  const grl_placed *placed = grl_check_placed(L, 2, "placed");
  double within = grl_time(L, 3, "within", HUGE_VAL);
  size_t most = grl_absent(L, 4) ? 1 : grl_whole(L, 4, "most", 1000000);
  grl_read_list(L, 6, "found");
  grl_filter filter;
  grl_filter_read(L, world, 5, &filter);
  filling f = begin(L, world, 6);
  size_t all = graze_scene_count(grl_check_world(L)->scene); /* a finalizer may have freed it */
  if (most > all) most = all;
  size_t capacity = most;
  graze_neighbor *found = borrow(L, &f, &capacity, sizeof *found);
  lua_State *before = grl_enter_world(L, world);
  graze_status status =
      graze_scene_nearest(world->scene, &placed->placed, within, grl_filter_use(L, &filter), found, most, &f.count);
  f.near = found;
  answered(L, before, status, &f);
  grl_check(L, 2, "placed", status, NULL);
  return push_filled(L, &f);
}

/* world:within(placed, distance): all that are not surely farther. */
static int within(lua_State *L) {
  grl_count(L, 3, 5);
  const grl_world *world = grl_check_world(L);
  const grl_placed *placed = grl_check_placed(L, 2, "placed");
  double distance = grl_time(L, 3, "distance", HUGE_VAL);
  grl_read_list(L, 5, "found");
  grl_filter filter;
  grl_filter_read(L, world, 4, &filter);
  filling f = begin(L, world, 5);
  for (size_t capacity = NEAR_AT_FIRST;; capacity = f.count + f.count / 2) {
    graze_neighbor *found = borrow(L, &f, &capacity, sizeof *found);
    lua_State *before = grl_enter_world(L, world);
    graze_status status = graze_scene_within(world->scene, &placed->placed, distance, grl_filter_use(L, &filter), found,
                                             capacity, &f.count);
    f.near = found;
    answered(L, before, status, &f);
    if (status == GRAZE_NO_SPACE) {
      lua_settop(L, f.room - 1);
      continue;
    }
    grl_check(L, 2, "placed", status, NULL);
    return push_filled(L, &f);
  }
}

/* world:closest_pairs(most, within): those that come nearest to each other; within nil: however far. */
static int closest_pairs(lua_State *L) {
  grl_count(L, 2, 4);
  const grl_world *world = grl_check_world(L);
  size_t most = grl_whole(L, 2, "most", 1000000);
  double distance = grl_time(L, 3, "within", HUGE_VAL);
  grl_read_list(L, 4, "found");
  filling f = begin(L, world, 4);
  double all = (double)graze_scene_count(grl_check_world(L)->scene); /* a finalizer may have freed it */
  if ((double)most > all * (all - 1) / 2) most = (size_t)(all * (all - 1) / 2);
  size_t capacity = most;
  graze_neighbor *found = borrow(L, &f, &capacity, sizeof *found);
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_closest_pairs(world->scene, distance, found, most, &f.count);
  f.near = found;
  answered(L, before, status, &f);
  grl_check(L, 3, "within", status, NULL);
  return push_filled(L, &f);
}

/* world:pairs(): whose bounds meet: the broad phase alone. A list of {a, b}. */
static int pairs(lua_State *L) {
  grl_count(L, 1, 2);
  const grl_world *world = grl_check_world(L);
  grl_read_list(L, 2, "found");
  filling f = begin(L, world, 2);
  for (size_t capacity = PAIRS_AT_FIRST;; capacity = f.count + f.count / 2) {
    graze_body_pair *found = borrow(L, &f, &capacity, sizeof *found);
    lua_State *before = grl_enter_world(L, world);
    graze_status status = graze_scene_pairs(world->scene, found, capacity, &f.count);
    f.pair = found;
    answered(L, before, status, &f);
    if (status == GRAZE_NO_SPACE) {
      lua_settop(L, f.room - 1);
      continue;
    }
    grl_check(L, 1, "world", status, NULL);
    return push_filled(L, &f);
  }
}

const luaL_Reg grl_near_methods[] = {
    {"nearest", nearest}, {"within", within}, {"closest_pairs", closest_pairs}, {"pairs", pairs}, {NULL, NULL},
};
