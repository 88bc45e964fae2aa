/* Queries about all bodies of a world: overlaps, casts, neighbours, pairs, contact points of two items. They take a
 * filter: a function accept(item), or a table {category, mask, except, sensors, accept}. */
#include "binding.h"

#include <math.h>
#include <string.h>

enum { INITIAL_BODIES = 256, INITIAL_NEIGHBORS = 8, INITIAL_PAIRS = 256 };

/* ---- Filters ---- */

typedef struct query_filter {
  graze_filter filter;
  grl_state *state;
  int first; /* stack index of the accept function, followed by the list of items; 0: none */
  bool used;
} query_filter;

typedef struct accept_call {
  graze_body body;
  bool accepted;
} accept_call;

/* Arguments: the function, the items. */
static void call_accept(lua_State *L, void *data) {
  accept_call *a = data;
  lua_pushvalue(L, 1);
  grl_push_item(L, 2, a->body);
  lua_call(L, 1, 1);
  a->accepted = lua_toboolean(L, -1) != 0;
}

static bool accept(void *context, graze_body body) {
  const query_filter *filter = context;
  accept_call a = {body, false};
  return grl_call_protected(filter->state, call_accept, &a, filter->first, 2) && a.accepted;
}

/* Reads the filter at an argument. An accept function stays on the stack. */
static void read_filter(lua_State *L, const grl_world *world, int argument, query_filter *filter) {
  static const char *const keys[] = {"category", "mask", "except", "sensors", "accept", NULL};
  memset(filter, 0, sizeof *filter);
  filter->filter = graze_default_filter();
  filter->filter.sensors = true; /* as without a filter */
  filter->filter.context = filter;
  filter->state = grl_get_state(L);
  if (grl_absent(L, argument)) return;
  filter->used = true;
  if (lua_isfunction(L, argument)) {
    lua_pushvalue(L, argument);
  } else {
    if (!lua_istable(L, argument)) grl_reject_value(L, argument, argument, "filter", "a function or a table");
    lua_pushnil(L);
    while (lua_next(L, argument) != 0) {
      int top = lua_gettop(L);
      switch (grl_key(L, argument, "filter", keys)) {
      case 0: filter->filter.category = grl_bits(L, argument, top, "filter.category"); break;
      case 1: filter->filter.mask = grl_bits(L, argument, top, "filter.mask"); break;
      case 2: filter->filter.except = grl_check_item_at(L, world, argument, top, "filter.except"); break;
      case 3: filter->filter.sensors = grl_flag(L, argument, top, "filter.sensors"); break;
      default: break; /* accept: read after the loop, because it stays on the stack */
      }
      lua_pop(L, 1);
    }
    lua_pushliteral(L, "accept");
    lua_rawget(L, argument);
    if (lua_isnil(L, -1)) return;
    if (!lua_isfunction(L, -1)) grl_reject_value(L, argument, lua_gettop(L), "filter.accept", "a function");
  }
  filter->first = lua_gettop(L);
  lua_pushnil(L); /* the list of items, see use_filter() */
  filter->filter.accept = accept;
}

/* The filter for Graze, with the current list of items. Call it after grl_enter(). */
static const graze_filter *use_filter(lua_State *L, const query_filter *filter) {
  if (filter->first > 0) {
    grl_world_list_push(L, GRL_ITEMS);
    lua_replace(L, filter->first + 1);
  }
  return filter->used ? &filter->filter : NULL;
}

/* ---- Lists of items ---- */

/* A query by shape, or by box. */
typedef struct item_query {
  const grl_world *world;
  const graze_placed *placed; /* NULL: the box */
  graze_aabb box;
  const query_filter *filter;
  graze_body *bodies; /* the results */
  size_t capacity, count;
} item_query;

/* Arguments: the list, the items. Nothing may be changed: a finalizer that replaces a body would reuse its slot. */
static void fill_items(lua_State *L, void *data) {
  const item_query *q = data;
  for (size_t i = 0; i < q->count; i++) {
    grl_push_item(L, 2, q->bodies[i]);
    lua_rawseti(L, 1, (int)i + 1);
  }
}

/* Runs the query with a buffer of at least `capacity` bodies. `last`: results beyond the buffer are left out, which
 * happens only if a filter changes its decisions. */
static graze_status run_item_query(lua_State *L, item_query *q, int list, size_t capacity, bool last) {
  size_t bytes = capacity * sizeof *q->bodies;
  q->bodies = grl_buffer_borrow(L, &bytes);
  q->capacity = bytes / sizeof *q->bodies;
  lua_State *before = grl_enter_world(L, q->world);
  lua_pushvalue(L, list);
  int items = grl_world_list_push(L, GRL_ITEMS);
  const graze_scene *scene = q->world->scene;
  const graze_filter *filter = use_filter(L, q->filter);
  graze_status status = q->placed ? graze_scene_overlap(scene, q->placed, filter, q->bodies, q->capacity, &q->count)
                                  : graze_scene_in_box(scene, &q->box, filter, q->bodies, q->capacity, &q->count);
  if (status == GRAZE_NO_SPACE && last) {
    q->count = q->capacity;
    status = GRAZE_OK;
  }
  if (status == GRAZE_OK) grl_call_protected(grl_get_state(L), fill_items, q, items - 1, 2);
  grl_leave(L, before);
  lua_settop(L, items - 2);
  return status;
}

/* Runs the query, with a larger buffer if the first is too small, and pushes the list and the count. */
static int push_items(lua_State *L, item_query *q, int list, const char *name) {
  graze_status status = run_item_query(L, q, list, INITIAL_BODIES, false);
  if (status == GRAZE_NO_SPACE) status = run_item_query(L, q, list, q->count + q->count / 2, true);
  grl_buffer_return(L, lua_gettop(L));
  grl_check_status(L, 2, name, status, NULL);
  grl_list_end(L, list, (int)q->count);
  lua_pushvalue(L, list);
  lua_pushinteger(L, (lua_Integer)q->count);
  return 2;
}

static int overlap(lua_State *L) {
  grl_check_count(L, 2, 4);
  const grl_world *world = grl_check_world(L);
  const grl_placed *placed = grl_check_placed(L, 2, "placed");
  grl_list_argument(L, 4, "found");
  query_filter filter;
  read_filter(L, world, 3, &filter);
  item_query q = {.world = world, .placed = &placed->placed, .filter = &filter};
  return push_items(L, &q, 4, "placed");
}

/* world:at_point(x, y): the items that contain the point. */
static int at_point(lua_State *L) {
  const grl_world *world = grl_check_world(L);
  int dim = world->dim;
  grl_check_count(L, 1 + dim, 3 + dim);
  graze_vec p = grl_vec_arguments(L, 2, dim, "point");
  grl_list_argument(L, 3 + dim, "found");
  query_filter filter;
  read_filter(L, world, 2 + dim, &filter);
  graze_shape point = dim == 2 ? graze_point2() : graze_point();
  graze_placed placed = graze_place(&point, graze_pose_at(p.x, p.y, p.z));
  item_query q = {.world = world, .placed = &placed, .filter = &filter};
  return push_items(L, &q, 3 + dim, "point");
}

/* world:in_box(min_x, min_y, max_x, max_y): the items whose bounds overlap the box; its sides may be infinite. */
static int in_box(lua_State *L) {
  const grl_world *world = grl_check_world(L);
  int dim = world->dim;
  double v[6];
  grl_check_count(L, 1 + 2 * dim, 3 + 2 * dim);
  for (int i = 0; i < 2 * dim; i++) {
    const char *name = i < dim ? "min" : "max";
    v[i] = grl_any_number(L, 2 + i, 2 + i, name, "a number");
    if (isnan(v[i])) grl_reject_value(L, 2 + i, 2 + i, name, "a number");
    if (i >= dim && v[i] < v[i - dim])
      grl_reject_value(L, 2 + i, 2 + i, name, lua_pushfstring(L, ">= min (%s)", grl_format_number(L, v[i - dim])));
  }
  grl_list_argument(L, 3 + 2 * dim, "found");
  query_filter filter;
  read_filter(L, world, 2 + 2 * dim, &filter);
  graze_aabb box = {{v[0], v[1], dim == 3 ? v[2] : 0}, {v[dim], v[dim + 1], dim == 3 ? v[5] : 0}};
  item_query q = {.world = world, .box = box, .filter = &filter};
  return push_items(L, &q, 3 + 2 * dim, "box");
}

/* ---- Neighbours and pairs ---- */

/* A list to fill with neighbours or pairs. The integers are stack indices. */
typedef struct pair_list {
  const grl_world *world;
  int list, spare, buffer, items;
  const graze_neighbor *neighbors; /* or NULL */
  const graze_body_pair *pairs;
  size_t count;
} pair_list;

/* Borrows a buffer of at least *capacity entries. */
static void *borrow(lua_State *L, pair_list *p, size_t *capacity, size_t size) {
  size_t bytes = *capacity * size;
  void *buffer = grl_buffer_borrow(L, &bytes);
  p->buffer = lua_gettop(L);
  *capacity = bytes / size;
  return buffer;
}

/* The arguments are the whole stack. */
static void fill_pairs(lua_State *L, void *data) {
  const pair_list *p = data;
  int dim = p->world->dim;
  for (size_t i = 0; i < p->count; i++) {
    const graze_neighbor *n = p->neighbors ? &p->neighbors[i] : NULL;
    grl_list_entry(L, p->list, p->spare, (int)i + 1);
    grl_push_item(L, p->items, n ? n->b : p->pairs[i].a);
    grl_set_field(L, n ? "item" : "a");
    if (n == NULL || n->a.generation) {
      grl_push_item(L, p->items, n ? n->a : p->pairs[i].b);
      grl_set_field(L, n ? "other" : "b");
    }
    if (n) {
      grl_set_number(L, "distance", n->answer.distance);
      grl_set_number(L, "lower", n->answer.lower);
      grl_set_number(L, "upper", n->answer.upper);
      grl_set_string(L, "relation", graze_relation_text(n->answer.relation));
      grl_set_vec(L, "normal", n->answer.normal, dim);
      grl_set_vec(L, "point_a", n->answer.point_a, dim);
      grl_set_vec(L, "point_b", n->answer.point_b, dim);
    }
    lua_pop(L, 1);
  }
}

/* Ends the call of Graze. Nothing may be changed until the list is filled: a finalizer that replaces a body would reuse
 * its slot. */
static void finish(lua_State *L, lua_State *before, graze_status status, pair_list *p) {
  p->items = grl_world_list_push(L, GRL_ITEMS);
  if (status == GRAZE_OK) grl_call_protected(grl_get_state(L), fill_pairs, p, 1, p->items);
  lua_settop(L, p->items - 1);
  grl_leave(L, before);
}

static int push_pair_list(lua_State *L, const pair_list *p) {
  grl_buffer_return(L, p->buffer);
  grl_list_end(L, p->list, (int)p->count);
  lua_pushvalue(L, p->list);
  lua_pushinteger(L, (lua_Integer)p->count);
  return 2;
}

/* world:nearest(placed, max_distance, max_count): the nearest items, in order. */
static int nearest(lua_State *L) {
  grl_check_count(L, 2, 6);
  const grl_world *world = grl_check_world(L);
  const grl_placed *placed = grl_check_placed(L, 2, "placed");
  double max_distance = grl_nonnegative(L, 3, "max_distance", HUGE_VAL);
  size_t wanted = grl_absent(L, 4) ? 1 : grl_positive_integer(L, 4, "max_count", 1000000);
  grl_list_argument(L, 6, "found");
  query_filter filter;
  read_filter(L, world, 5, &filter);
  pair_list p = {.world = world, .list = 6, .spare = grl_list_begin(L, 6)};
  size_t all = graze_scene_count(grl_check_world(L)->scene); /* again: a finalizer may have freed it */
  if (wanted > all) wanted = all;
  size_t capacity = wanted;
  graze_neighbor *found = borrow(L, &p, &capacity, sizeof *found);
  lua_State *before = grl_enter_world(L, world);
  graze_status status =
      graze_scene_nearest(world->scene, &placed->placed, max_distance, use_filter(L, &filter), found, wanted, &p.count);
  p.neighbors = found;
  finish(L, before, status, &p);
  grl_check_status(L, 2, "placed", status, NULL);
  return push_pair_list(L, &p);
}

/* world:within(placed, distance): the items whose distance is not certainly larger. */
static int within(lua_State *L) {
  grl_check_count(L, 3, 5);
  const grl_world *world = grl_check_world(L);
  const grl_placed *placed = grl_check_placed(L, 2, "placed");
  double distance = grl_nonnegative(L, 3, "distance", HUGE_VAL);
  grl_list_argument(L, 5, "found");
  query_filter filter;
  read_filter(L, world, 4, &filter);
  pair_list p = {.world = world, .list = 5, .spare = grl_list_begin(L, 5)};
  for (size_t capacity = INITIAL_NEIGHBORS;; capacity = p.count + p.count / 2) {
    graze_neighbor *found = borrow(L, &p, &capacity, sizeof *found);
    lua_State *before = grl_enter_world(L, world);
    graze_status status =
        graze_scene_within(world->scene, &placed->placed, distance, use_filter(L, &filter), found, capacity, &p.count);
    p.neighbors = found;
    finish(L, before, status, &p);
    if (status == GRAZE_NO_SPACE) {
      lua_settop(L, p.buffer - 1);
      continue;
    }
    grl_check_status(L, 2, "placed", status, NULL);
    return push_pair_list(L, &p);
  }
}

/* world:closest_pairs(max_count, max_distance): the pairs of items with the smallest distances, in order. */
static int closest_pairs(lua_State *L) {
  grl_check_count(L, 2, 4);
  const grl_world *world = grl_check_world(L);
  size_t wanted = grl_positive_integer(L, 2, "max_count", 1000000);
  double distance = grl_nonnegative(L, 3, "max_distance", HUGE_VAL);
  grl_list_argument(L, 4, "found");
  pair_list p = {.world = world, .list = 4, .spare = grl_list_begin(L, 4)};
  double all = (double)graze_scene_count(grl_check_world(L)->scene); /* again: a finalizer may have freed it */
  if ((double)wanted > all * (all - 1) / 2) wanted = (size_t)(all * (all - 1) / 2);
  size_t capacity = wanted;
  graze_neighbor *found = borrow(L, &p, &capacity, sizeof *found);
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_closest_pairs(world->scene, distance, found, wanted, &p.count);
  p.neighbors = found;
  finish(L, before, status, &p);
  grl_check_status(L, 3, "max_distance", status, NULL);
  return push_pair_list(L, &p);
}

/* world:pairs(): the pairs {a, b} whose bounds overlap (the broad phase alone). */
static int pairs(lua_State *L) {
  grl_check_count(L, 1, 2);
  const grl_world *world = grl_check_world(L);
  grl_list_argument(L, 2, "found");
  pair_list p = {.world = world, .list = 2, .spare = grl_list_begin(L, 2)};
  for (size_t capacity = INITIAL_PAIRS;; capacity = p.count + p.count / 2) {
    graze_body_pair *found = borrow(L, &p, &capacity, sizeof *found);
    lua_State *before = grl_enter_world(L, world);
    graze_status status = graze_scene_pairs(world->scene, found, capacity, &p.count);
    p.pairs = found;
    finish(L, before, status, &p);
    if (status == GRAZE_NO_SPACE) {
      lua_settop(L, p.buffer - 1);
      continue;
    }
    grl_check_status(L, 1, "world", status, NULL);
    return push_pair_list(L, &p);
  }
}

/* ---- Casts ---- */

/* Pushes the first item that is hit, t, the point and the normal; nothing if there is none. */
static int push_hit(lua_State *L, const grl_world *world, graze_body body, const graze_cast_result *cast,
                    grl_cast_result *kept) {
  if (body.generation == 0) return 0;
  if (kept) {
    kept->cast = *cast;
    kept->dim = world->dim;
  }
  grl_push_item(L, grl_world_list_push(L, GRL_ITEMS), body);
  lua_pushnumber(L, cast->t);
  return 2 + grl_push_vec(L, cast->point, world->dim) + grl_push_vec_or_nil(L, cast->normal, world->dim);
}

static graze_motion read_motion(lua_State *L, int argument, int dim, double *t_max) {
  static const char *const keys[] = {"velocity", "angular_velocity", "t_max", NULL};
  graze_motion motion = {{0, 0, 0}, {0, 0, 0}};
  *t_max = 1;
  if (!lua_istable(L, argument)) grl_reject_value(L, argument, argument, "motion", "a table {velocity = {x, y}, …}");
  lua_pushnil(L);
  while (lua_next(L, argument) != 0) {
    switch (grl_key(L, argument, "motion", keys)) {
    case 0: motion.velocity = grl_velocity(L, argument, "motion.velocity", dim, false); break;
    case 1: motion.angular = grl_velocity(L, argument, "motion.angular_velocity", dim, true); break;
    default: *t_max = grl_nonnegative_at(L, argument, lua_gettop(L), "motion.t_max"); break;
    }
    lua_pop(L, 1);
  }
  return motion;
}

static int cast(lua_State *L) {
  grl_check_count(L, 3, 5);
  const grl_world *world = grl_check_world(L);
  const grl_placed *placed = grl_check_placed(L, 2, "placed");
  double t_max;
  graze_motion motion = read_motion(L, 3, world->dim, &t_max);
  grl_cast_result *kept = grl_check_cast_result(L, 5);
  if (kept) grl_require_mutable(L);
  lua_settop(L, 5);
  query_filter filter;
  read_filter(L, world, 4, &filter);
  graze_body body = {0, 0};
  graze_cast_result cast;
  lua_State *before = grl_enter_world(L, world);
  graze_status status =
      graze_scene_cast(world->scene, &placed->placed, &motion, t_max, use_filter(L, &filter), &body, &cast);
  grl_leave(L, before);
  grl_check_status(L, 2, "placed", status, NULL);
  return push_hit(L, world, body, &cast, kept);
}

/* world:raycast(ox, oy, dx, dy, t_max, filter, result); in 3D with z. */
static int raycast(lua_State *L) {
  const grl_world *world = grl_check_world(L);
  grl_ray ray = grl_read_ray(L, world->dim);
  query_filter filter;
  read_filter(L, world, ray.after + 1, &filter);
  graze_body body = {0, 0};
  graze_cast_result cast;
  lua_State *before = grl_enter_world(L, world);
  graze_status status =
      graze_scene_raycast(world->scene, ray.origin, ray.direction, ray.t_max, use_filter(L, &filter), &body, &cast);
  grl_leave(L, before);
  grl_check_status(L, 2, "ray", status, NULL);
  return push_hit(L, world, body, &cast, ray.kept);
}

/* ---- Contact points of two items ---- */

/* world:manifold(item, other, contacts): as graze.manifold(). */
static int manifold(lua_State *L) {
  grl_check_count(L, 3, 4);
  const grl_world *world = grl_check_world(L);
  grl_contacts_argument(L, 4);
  graze_body a = grl_check_item(L, world, 2, "item"), b = grl_check_item(L, world, 3, "other");
  graze_contact contacts[4];
  graze_answer answer;
  size_t count;
  lua_State *before = grl_enter_world(L, world);
  graze_status status =
      graze_scene_manifold(world->scene, a, b, NULL, &answer, contacts, world->dim == 2 ? 2 : 4, &count);
  grl_leave(L, before);
  if (status == GRAZE_BAD_OPTION) grl_reject(L, 3, "other: the same item, must be another one");
  grl_check_status(L, 2, "item and other", status, NULL);
  grl_set_contacts(L, 4, contacts, count, world->dim);
  return grl_push_manifold(L, 4, &answer, count, world->dim);
}

const luaL_Reg grl_query_methods[] = {
    {"overlap", overlap}, {"at_point", at_point},           {"in_box", in_box}, {"nearest", nearest},
    {"within", within},   {"closest_pairs", closest_pairs}, {"pairs", pairs},   {"cast", cast},
    {"raycast", raycast}, {"manifold", manifold},           {NULL, NULL},
};
