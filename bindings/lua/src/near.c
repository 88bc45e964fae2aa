/* Who is near: distances to the caller's shape, and of bodies to each other. */
#include "world.h"

#include <math.h>

enum { NEAR_ON_STACK = 8, PAIRS_ON_STACK = 256 };

static void set_near(lua_State *L, const graze_near *near, int items, int dim) {
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

static int push_near(lua_State *L, int list, const graze_near *near, size_t count, int dim) {
  int items = grl_world_list_push(L, GRL_ITEMS), spare = grl_list_begin(L, list);
  for (size_t i = 0; i < count; i++) {
    grl_list_entry(L, list, spare, (int)i + 1);
    set_near(L, &near[i], items, dim);
    lua_pop(L, 1);
  }
  grl_list_end(L, list, (int)count);
  lua_pushvalue(L, list);
  lua_pushinteger(L, (lua_Integer)count);
  return 2;
}

/* world:nearest(placed, within, most): the nearest first; within nil: however far. most: 1 where absent. */
static int nearest(lua_State *L) {
  grl_count(L, 2, 6);
  const grl_world *world = grl_check_world(L);
  const grl_placed *placed = grl_check_placed(L, 2, "placed");
  double within = grl_time(L, 3, "within", HUGE_VAL);
  size_t most = grl_absent(L, 4) ? 1 : grl_whole(L, 4, "most", 1000000), count = 0;
  grl_read_list(L, 6, "found");
  grl_filter filter;
  grl_filter_read(L, world, 5, &filter);
  graze_near few[NEAR_ON_STACK], *found = few;
  size_t all = graze_scene_count(grl_check_world(L)->scene); /* a finalizer may have freed it */
  if (most > all) most = all;
  if (most > NEAR_ON_STACK) found = lua_newuserdata(L, most * sizeof *found);
  lua_State *before = grl_enter_world(L, world);
  graze_status status =
      graze_scene_nearest(world->scene, &placed->placed, within, grl_filter_use(&filter), found, most, &count);
  grl_leave(L, before);
  grl_check(L, 2, "placed", status, NULL);
  return push_near(L, 6, found, count, world->dim);
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
  graze_near few[NEAR_ON_STACK], *found = few;
  size_t count = 0, capacity = NEAR_ON_STACK;
  for (;;) {
    lua_State *before = grl_enter_world(L, world);
    graze_status status =
        graze_scene_within(world->scene, &placed->placed, distance, grl_filter_use(&filter), found, capacity, &count);
    grl_leave(L, before);
    if (status != GRAZE_NO_ROOM) {
      grl_check(L, 2, "placed", status, NULL);
      return push_near(L, 5, found, count, world->dim);
    }
    capacity = count;
    found = lua_newuserdata(L, capacity * sizeof *found);
  }
}

/* world:closest_pairs(most, within): those that come nearest to each other; within nil: however far. */
static int closest_pairs(lua_State *L) {
  grl_count(L, 2, 4);
  const grl_world *world = grl_check_world(L);
  size_t most = grl_whole(L, 2, "most", 1000000), count = 0;
  double distance = grl_time(L, 3, "within", HUGE_VAL);
  grl_read_list(L, 4, "found");
  graze_near few[NEAR_ON_STACK], *found = few;
  if (most > NEAR_ON_STACK) found = lua_newuserdata(L, most * sizeof *found);
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_closest_pairs(world->scene, distance, found, most, &count);
  grl_leave(L, before);
  grl_check(L, 3, "within", status, NULL);
  return push_near(L, 4, found, count, world->dim);
}

/* world:pairs(): whose bounds meet: the broad phase alone. A list of {a, b}. */
static int pairs(lua_State *L) {
  grl_count(L, 1, 2);
  const grl_world *world = grl_check_world(L);
  grl_read_list(L, 2, "found");
  graze_body_pair few[PAIRS_ON_STACK], *found = few;
  size_t count = 0, capacity = PAIRS_ON_STACK;
  for (;;) {
    lua_State *before = grl_enter_world(L, world);
    graze_status status = graze_scene_pairs(world->scene, found, capacity, &count);
    grl_leave(L, before);
    if (status != GRAZE_NO_ROOM) {
      grl_check(L, 1, "world", status, NULL);
      break;
    }
    capacity = count;
    found = lua_newuserdata(L, capacity * sizeof *found);
  }
  int items = grl_world_list_push(L, GRL_ITEMS), spare = grl_list_begin(L, 2);
  for (size_t i = 0; i < count; i++) {
    grl_list_entry(L, 2, spare, (int)i + 1);
    grl_push_item(L, items, found[i].a);
    grl_set_field(L, "a");
    grl_push_item(L, items, found[i].b);
    grl_set_field(L, "b");
    lua_pop(L, 1);
  }
  grl_list_end(L, 2, (int)count);
  lua_pushvalue(L, 2);
  lua_pushinteger(L, (lua_Integer)count);
  return 2;
}

const luaL_Reg grl_near_methods[] = {
    {"nearest", nearest}, {"within", within}, {"closest_pairs", closest_pairs}, {"pairs", pairs}, {NULL, NULL},
};
