/* Queries about all bodies of a world: overlaps, casts, neighbours, pairs, contact points of two items. Most queries
 * take a filter: a function accept(item), or a table {category, mask, except, sensors, accept}. */
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

/* ---- Lists: items, neighbours, pairs, hits ---- */

typedef struct list_query list_query;

/* A query that fills a list from results in a buffer. The integers up to `items` are stack indices. */
struct list_query {
  const grl_world *world;
  int list, spare, items;
  graze_status (*run)(list_query *q, void *found, size_t capacity); /* sets one of the four arrays, and `count` */
  size_t size;                                                      /* of a result */
  const query_filter *filter;                                       /* or NULL */
  const graze_filter *used_filter;
  const graze_placed *placed;
  graze_aabb box;
  graze_motion motion;
  grl_ray ray;
  double distance; /* or t_max */
  size_t wanted;   /* the results wanted at most; 0: all */
  const graze_body *bodies;
  const graze_neighbor *neighbors;
  const graze_body_pair *pairs;
  const graze_body_hit *hits;
  size_t count;
};

static void set_item(lua_State *L, const list_query *q, const char *key, graze_body body) {
  grl_push_item(L, q->items, body);
  grl_set_field(L, key);
}

static void set_parts(lua_State *L, int32_t part_a, int32_t part_b) {
  grl_set_integer(L, "part_a", part_a + 1);
  grl_set_integer(L, "part_b", part_b + 1);
}

/* The arguments are the whole stack. */
static void fill_list(lua_State *L, void *data) {
  const list_query *q = data;
  int dim = q->world->dim;
  for (size_t i = 0; i < q->count; i++) {
    if (q->bodies) {
      grl_push_item(L, q->items, q->bodies[i]);
      lua_rawseti(L, q->list, (int)i + 1);
      continue;
    }
    grl_list_entry(L, q->list, q->spare, (int)i + 1);
    if (q->neighbors) {
      const graze_neighbor *n = &q->neighbors[i];
      set_item(L, q, "item", n->b);
      if (n->a.generation) set_item(L, q, "other", n->a);
      grl_set_number(L, "distance", n->answer.distance);
      grl_set_number(L, "lower", n->answer.lower);
      grl_set_number(L, "upper", n->answer.upper);
      grl_set_string(L, "relation", graze_relation_text(n->answer.relation));
      grl_set_vec(L, "normal", n->answer.normal, dim);
      grl_set_vec(L, "point_a", n->answer.point_a, dim);
      grl_set_vec(L, "point_b", n->answer.point_b, dim);
      set_parts(L, n->answer.part_a, n->answer.part_b);
    } else if (q->pairs) {
      set_item(L, q, "a", q->pairs[i].a);
      set_item(L, q, "b", q->pairs[i].b);
    } else {
      const graze_cast_result *hit = &q->hits[i].result;
      set_item(L, q, "item", q->hits[i].body);
      grl_set_string(L, "outcome", graze_cast_outcome_text(hit->outcome));
      grl_set_number(L, "t", hit->t);
      grl_set_vec(L, "point", hit->point, dim);
      grl_set_vec(L, "normal", hit->normal, dim);
      set_parts(L, hit->part_a, hit->part_b);
    }
    lua_pop(L, 1);
  }
}

/* Runs the query with a buffer of at least `capacity` results, and again with a larger one if there are more. Fills the
 * list, and pushes the list and the count. From the query to the end of the filling, finalizers cannot change objects:
 * one that replaces a body would reuse its slot. */
static int push_list(lua_State *L, list_query *q, size_t capacity, int argument, const char *name) {
  if (q->size > sizeof(graze_body)) q->spare = grl_list_begin(L, q->list);
  if (q->wanted > 0) {                                                    /* no more than there are bodies or pairs */
    double bodies = (double)graze_scene_count(grl_check_world(L)->scene); /* a finalizer may have freed the world */
    double most = q->placed ? bodies : bodies * (bodies - 1) / 2;
    if ((double)q->wanted > most) q->wanted = (size_t)most;
    capacity = q->wanted;
  }
  for (;; capacity = q->count + q->count / 2) {
    size_t bytes = capacity * q->size;
    void *found = grl_buffer_borrow(L, &bytes);
    int buffer = lua_gettop(L);
    lua_State *before = grl_enter_world(L, q->world);
    q->used_filter = q->filter ? use_filter(L, q->filter) : NULL;
    graze_status status = q->run(q, found, bytes / q->size);
    q->items = grl_world_list_push(L, GRL_ITEMS);
    if (status == GRAZE_OK) grl_call_protected(grl_get_state(L), fill_list, q, 1, q->items);
    lua_settop(L, q->items - 1);
    grl_leave(L, before);
    if (status == GRAZE_NO_SPACE) {
      lua_settop(L, buffer - 1);
      continue;
    }
    grl_check_status(L, argument, name, status, NULL);
    grl_buffer_return(L, buffer);
    grl_list_end(L, q->list, (int)q->count);
    lua_pushvalue(L, q->list);
    lua_pushinteger(L, (lua_Integer)q->count);
    return 2;
  }
}

static graze_status find_overlaps(list_query *q, void *found, size_t capacity) {
  q->bodies = found;
  return graze_scene_overlap(q->world->scene, q->placed, q->used_filter, found, capacity, &q->count, NULL);
}

static int overlap(lua_State *L) {
  grl_check_count(L, 2, 4);
  list_query q = {.world = grl_check_world(L), .list = 4, .run = find_overlaps, .size = sizeof(graze_body)};
  q.placed = &grl_check_placed(L, 2, "placed")->placed;
  grl_list_argument(L, 4, "found");
  query_filter filter;
  read_filter(L, q.world, 3, &filter);
  q.filter = &filter;
  return push_list(L, &q, INITIAL_BODIES, 2, "placed");
}

/* world:overlap_any(placed, filter): one item that the shape overlaps or touches, or nil. */
static int overlap_any(lua_State *L) {
  grl_check_count(L, 2, 3);
  const grl_world *world = grl_check_world(L);
  const grl_placed *placed = grl_check_placed(L, 2, "placed");
  lua_settop(L, 3);
  query_filter filter;
  read_filter(L, world, 3, &filter);
  graze_body body = {0, 0};
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_overlap_any(world->scene, &placed->placed, use_filter(L, &filter), &body, NULL);
  grl_leave(L, before);
  grl_check_status(L, 2, "placed", status, NULL);
  grl_push_item(L, grl_world_list_push(L, GRL_ITEMS), body);
  return 1;
}

/* world:at_point(x, y): the items that contain the point. */
static int at_point(lua_State *L) {
  list_query q = {.world = grl_check_world(L), .run = find_overlaps, .size = sizeof(graze_body)};
  int dim = q.world->dim;
  grl_check_count(L, 1 + dim, 3 + dim);
  graze_vec p = grl_vec_arguments(L, 2, dim, "point");
  grl_list_argument(L, q.list = 3 + dim, "found");
  query_filter filter;
  read_filter(L, q.world, 2 + dim, &filter);
  graze_shape point = dim == 2 ? graze_point2() : graze_point();
  graze_placed placed = graze_place(&point, graze_pose_at(p.x, p.y, p.z));
  q.placed = &placed, q.filter = &filter;
  return push_list(L, &q, INITIAL_BODIES, 2, "point");
}

static graze_status find_in_box(list_query *q, void *found, size_t capacity) {
  q->bodies = found;
  return graze_scene_in_box(q->world->scene, &q->box, q->used_filter, found, capacity, &q->count, NULL);
}

/* world:in_box(min_x, min_y, max_x, max_y): the items whose bounds overlap the box, which may be infinite. */
static int in_box(lua_State *L) {
  list_query q = {.world = grl_check_world(L), .run = find_in_box, .size = sizeof(graze_body)};
  int dim = q.world->dim;
  double v[6];
  grl_check_count(L, 1 + 2 * dim, 3 + 2 * dim);
  for (int i = 0; i < 2 * dim; i++) {
    const char *name = i < dim ? "min" : "max";
    v[i] = grl_any_number(L, 2 + i, 2 + i, name, "a number");
    if (isnan(v[i])) grl_reject_value(L, 2 + i, 2 + i, name, "a number");
    if (i >= dim && v[i] < v[i - dim])
      grl_reject_value(L, 2 + i, 2 + i, name, lua_pushfstring(L, ">= min (%s)", grl_format_number(L, v[i - dim])));
  }
  grl_list_argument(L, q.list = 3 + 2 * dim, "found");
  query_filter filter;
  read_filter(L, q.world, 2 + 2 * dim, &filter);
  q.box = (graze_aabb){{v[0], v[1], dim == 3 ? v[2] : 0}, {v[dim], v[dim + 1], dim == 3 ? v[5] : 0}};
  q.filter = &filter;
  return push_list(L, &q, INITIAL_BODIES, 2, "box");
}

static graze_status find_nearest(list_query *q, void *found, size_t capacity) {
  (void)capacity;
  q->neighbors = found;
  return graze_scene_nearest(q->world->scene, q->placed, q->distance, q->used_filter, found, q->wanted, &q->count,
                             NULL);
}

/* world:nearest(placed, max_distance, max_count): the nearest items, in order. */
static int nearest(lua_State *L) {
  grl_check_count(L, 2, 6);
  list_query q = {.world = grl_check_world(L), .list = 6, .run = find_nearest, .size = sizeof(graze_neighbor)};
  q.placed = &grl_check_placed(L, 2, "placed")->placed;
  q.distance = grl_nonnegative(L, 3, "max_distance", HUGE_VAL);
  q.wanted = grl_absent(L, 4) ? 1 : grl_positive_integer(L, 4, "max_count", 1000000);
  grl_list_argument(L, 6, "found");
  query_filter filter;
  read_filter(L, q.world, 5, &filter);
  q.filter = &filter;
  return push_list(L, &q, 0, 2, "placed");
}

static graze_status find_within(list_query *q, void *found, size_t capacity) {
  q->neighbors = found;
  return graze_scene_within(q->world->scene, q->placed, q->distance, q->used_filter, found, capacity, &q->count, NULL);
}

/* world:within(placed, distance): all items, except those that are certainly farther than the distance. */
static int within(lua_State *L) {
  grl_check_count(L, 3, 5);
  list_query q = {.world = grl_check_world(L), .list = 5, .run = find_within, .size = sizeof(graze_neighbor)};
  q.placed = &grl_check_placed(L, 2, "placed")->placed;
  q.distance = grl_nonnegative(L, 3, "distance", HUGE_VAL);
  grl_list_argument(L, 5, "found");
  query_filter filter;
  read_filter(L, q.world, 4, &filter);
  q.filter = &filter;
  return push_list(L, &q, INITIAL_NEIGHBORS, 2, "placed");
}

static graze_status find_closest(list_query *q, void *found, size_t capacity) {
  (void)capacity;
  q->neighbors = found;
  return graze_scene_closest_pairs(q->world->scene, q->distance, found, q->wanted, &q->count, NULL);
}

/* world:closest_pairs(max_count, max_distance): the pairs of items with the smallest distances, in order. */
static int closest_pairs(lua_State *L) {
  grl_check_count(L, 2, 4);
  list_query q = {.world = grl_check_world(L), .list = 4, .run = find_closest, .size = sizeof(graze_neighbor)};
  q.wanted = grl_positive_integer(L, 2, "max_count", 1000000);
  q.distance = grl_nonnegative(L, 3, "max_distance", HUGE_VAL);
  grl_list_argument(L, 4, "found");
  return push_list(L, &q, 0, 3, "max_distance");
}

static graze_status find_pairs(list_query *q, void *found, size_t capacity) {
  q->pairs = found;
  return graze_scene_pairs(q->world->scene, found, capacity, &q->count);
}

/* world:pairs(): the pairs {a, b} whose bounds overlap (the broad phase alone). */
static int pairs(lua_State *L) {
  grl_check_count(L, 1, 2);
  list_query q = {.world = grl_check_world(L), .list = 2, .run = find_pairs, .size = sizeof(graze_body_pair)};
  grl_list_argument(L, 2, "found");
  return push_list(L, &q, INITIAL_PAIRS, 1, "world");
}

/* ---- Casts ---- */

/* Pushes the item that is hit, t, the point and the normal; nothing if there is none. */
static int push_hit(lua_State *L, const grl_world *world, graze_body body, const graze_cast_result *cast,
                    grl_cast_result *kept) {
  if (body.generation == 0) return 0;
  if (kept) {
    kept->cast = *cast;
    kept->certificate = (graze_certificate){.kind = GRAZE_CERTIFICATE_NONE}; /* scenes write none */
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

typedef graze_status (*cast_function)(const graze_scene *scene, const graze_placed *placed, const graze_motion *motion,
                                      double t_max, const graze_filter *filter, graze_body *body,
                                      graze_cast_result *result, graze_error *error);

static int run_cast(lua_State *L, cast_function function) {
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
      function(world->scene, &placed->placed, &motion, t_max, use_filter(L, &filter), &body, &cast, NULL);
  grl_leave(L, before);
  grl_check_status(L, 2, "placed", status, NULL);
  return push_hit(L, world, body, &cast, kept);
}

static int cast(lua_State *L) { return run_cast(L, graze_scene_cast); }

static int cast_any(lua_State *L) { return run_cast(L, graze_scene_cast_any); }

static graze_status cast_at_all(list_query *q, void *found, size_t capacity) {
  q->hits = found;
  return graze_scene_cast_all(q->world->scene, q->placed, &q->motion, q->distance, q->used_filter, found, capacity,
                              &q->count, NULL);
}

/* world:cast_all(placed, motion, filter, hits): the hits of all items, in the order of their times. */
static int cast_all(lua_State *L) {
  grl_check_count(L, 3, 5);
  list_query q = {.world = grl_check_world(L), .list = 5, .run = cast_at_all, .size = sizeof(graze_body_hit)};
  q.placed = &grl_check_placed(L, 2, "placed")->placed;
  q.motion = read_motion(L, 3, q.world->dim, &q.distance);
  grl_list_argument(L, 5, "hits");
  query_filter filter;
  read_filter(L, q.world, 4, &filter);
  q.filter = &filter;
  return push_list(L, &q, INITIAL_NEIGHBORS, 2, "placed");
}

typedef graze_status (*ray_function)(const graze_scene *scene, graze_vec origin, graze_vec direction, double t_max,
                                     const graze_filter *filter, graze_body *body, graze_cast_result *result,
                                     graze_error *error);

/* world:raycast(ox, oy, dx, dy, t_max, filter, result); in 3D with z. */
static int run_raycast(lua_State *L, ray_function function) {
  const grl_world *world = grl_check_world(L);
  grl_ray ray = grl_read_ray(L, world->dim);
  grl_cast_result *kept = grl_check_cast_result(L, ray.after + 2);
  if (kept) grl_require_mutable(L);
  query_filter filter;
  read_filter(L, world, ray.after + 1, &filter);
  graze_body body = {0, 0};
  graze_cast_result cast;
  lua_State *before = grl_enter_world(L, world);
  graze_status status =
      function(world->scene, ray.origin, ray.direction, ray.t_max, use_filter(L, &filter), &body, &cast, NULL);
  grl_leave(L, before);
  grl_check_status(L, 2, "ray", status, NULL);
  return push_hit(L, world, body, &cast, kept);
}

static int raycast(lua_State *L) { return run_raycast(L, graze_scene_raycast); }

static int raycast_any(lua_State *L) { return run_raycast(L, graze_scene_raycast_any); }

static graze_status raycast_at_all(list_query *q, void *found, size_t capacity) {
  const grl_ray *ray = &q->ray;
  q->hits = found;
  return graze_scene_raycast_all(q->world->scene, ray->origin, ray->direction, ray->t_max, q->used_filter, found,
                                 capacity, &q->count, NULL);
}

/* world:raycast_all(ox, oy, dx, dy, t_max, filter, hits): the hits of all items, in the order of their times. */
static int raycast_all(lua_State *L) {
  list_query q = {.world = grl_check_world(L), .run = raycast_at_all, .size = sizeof(graze_body_hit)};
  q.ray = grl_read_ray(L, q.world->dim);
  q.list = q.ray.after + 2;
  grl_list_argument(L, q.list, "hits");
  query_filter filter;
  read_filter(L, q.world, q.ray.after + 1, &filter);
  q.filter = &filter;
  return push_list(L, &q, INITIAL_NEIGHBORS, 2, "ray");
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
    {"overlap", overlap},
    {"overlap_any", overlap_any},
    {"at_point", at_point},
    {"in_box", in_box},
    {"nearest", nearest},
    {"within", within},
    {"closest_pairs", closest_pairs},
    {"pairs", pairs},
    {"cast", cast},
    {"cast_any", cast_any},
    {"cast_all", cast_all},
    {"raycast", raycast},
    {"raycast_any", raycast_any},
    {"raycast_all", raycast_all},
    {"manifold", manifold},
    {NULL, NULL},
};
