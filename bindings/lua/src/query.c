/* Questions about all bodies of a world: who is here, who is near, what is hit first. Half of them take a placed shape;
 * all take a filter: a function accept(item), or a table {category, mask, except, sensors, accept}. */
#include "world.h"

#include <math.h>
#include <string.h>

enum { BODIES_AT_FIRST = 256 };

/* ---- The filter ---- */

typedef struct accepting {
  graze_body body;
  bool accepted;
} accepting;

/* Arguments: the function, the items. */
static void call_accept(lua_State *L, void *data) {
  accepting *a = data;
  lua_pushvalue(L, 1);
  grl_push_item(L, 2, a->body);
  lua_call(L, 1, 1);
  a->accepted = lua_toboolean(L, -1) != 0;
}

static bool accept(void *context, graze_body body) {
  const grl_filter *filter = context;
  accepting a = {body, false};
  return grl_protected(filter->state, call_accept, &a, filter->first, 2) && a.accepted;
}

/* The function on top is asked, last of all. */
static void use_function(lua_State *L, grl_filter *filter) {
  filter->first = lua_gettop(L);
  lua_pushnil(L); /* where the items will stand */
  filter->filter.accept = accept;
}

static void read_filter_key(lua_State *L, const grl_world *world, int argument, grl_filter *filter) {
  static const char *const keys[] = {"category", "mask", "except", "sensors", "accept", NULL};
  int top = lua_gettop(L);
  switch (grl_key(L, argument, "filter", keys)) {
  case 0: filter->filter.category = grl_bits(L, argument, top, "filter.category"); break;
  case 1: filter->filter.mask = grl_bits(L, argument, top, "filter.mask"); break;
  case 2: filter->filter.except = grl_check_item_at(L, world, argument, top, "filter.except"); break;
  case 3: filter->filter.sensors = grl_flag(L, argument, top, "filter.sensors"); break;
  default: break; /* accept: read when all others are */
  }
}

void grl_filter_read(lua_State *L, const grl_world *world, int argument, grl_filter *filter) {
  memset(filter, 0, sizeof *filter);
  filter->filter = graze_default_filter();
  filter->filter.sensors = true; /* as without a filter, which only narrows */
  filter->filter.context = filter;
  filter->state = grl_get_state(L);
  if (grl_absent(L, argument)) return;
  filter->used = true;
  if (lua_isfunction(L, argument)) {
    lua_pushvalue(L, argument);
    use_function(L, filter);
    return;
  }
  if (!lua_istable(L, argument))
    grl_refuse(L, argument, "filter: a function or a table expected, got %s", grl_describe(L, argument));
  lua_pushnil(L);
  while (lua_next(L, argument) != 0) {
    read_filter_key(L, world, argument, filter);
    lua_pop(L, 1);
  }
  lua_pushliteral(L, "accept");
  lua_rawget(L, argument);
  if (lua_isnil(L, -1)) return;
  if (!lua_isfunction(L, -1))
    grl_refuse(L, argument, "filter.accept: a function expected, got %s", grl_describe(L, lua_gettop(L)));
  use_function(L, filter);
}

const graze_filter *grl_filter_use(lua_State *L, const grl_filter *filter) {
  if (filter->first > 0) {
    grl_world_list_push(L, GRL_ITEMS);
    lua_replace(L, filter->first + 1);
  }
  return filter->used ? &filter->filter : NULL;
}

/* ---- Lists of items ---- */

/* What to ask: of a shape, or of a box. */
typedef struct finding {
  const grl_world *world;
  const graze_placed *placed; /* NULL: the box */
  graze_aabb box;
  const grl_filter *filter;
  graze_body *bodies; /* what is found */
  size_t capacity, count;
  bool last; /* what there is no room for is left out */
} finding;

/* Arguments: the list, the items. While nothing may be changed: a finalizer that replaced a body would give its slot to
 * another item. */
static void fill(lua_State *L, void *data) {
  const finding *f = data;
  for (size_t i = 0; i < f->count; i++) {
    grl_push_item(L, 2, f->bodies[i]);
    lua_rawseti(L, 1, (int)i + 1);
  }
}

static graze_status find(lua_State *L, finding *f, int list) {
  lua_State *before = grl_enter_world(L, f->world);
  lua_pushvalue(L, list);
  int items = grl_world_list_push(L, GRL_ITEMS);
  const graze_scene *scene = f->world->scene;
  const graze_filter *filter = grl_filter_use(L, f->filter);
  graze_status status = f->placed ? graze_scene_overlap(scene, f->placed, filter, f->bodies, f->capacity, &f->count)
                                  : graze_scene_in_box(scene, &f->box, filter, f->bodies, f->capacity, &f->count);
  if (status == GRAZE_NO_SPACE && f->last) { /* a filter that changes its mind */
    f->count = f->capacity;
    status = GRAZE_OK;
  }
  if (status == GRAZE_OK) grl_protected(grl_get_state(L), fill, f, items - 1, 2);
  grl_leave(L, before);
  lua_settop(L, items - 2);
  return status;
}

/* With room for so many, or more. */
static graze_status find_in_room(lua_State *L, finding *f, int list, size_t capacity) {
  size_t bytes = capacity * sizeof *f->bodies;
  f->bodies = grl_borrow_room(L, &bytes);
  f->capacity = bytes / sizeof *f->bodies;
  return find(L, f, list);
}

/* Where there is no room for all there is a second try. */
static int find_items(lua_State *L, finding *f, int list, const char *name) {
  graze_status status = find_in_room(L, f, list, BODIES_AT_FIRST);
  if (status == GRAZE_NO_SPACE) {
    f->last = true;
    status = find_in_room(L, f, list, f->count + f->count / 2);
  }
  grl_return_room(L, lua_gettop(L));
  grl_check(L, 2, name, status, NULL);
  grl_list_end(L, list, (int)f->count);
  lua_pushvalue(L, list);
  lua_pushinteger(L, (lua_Integer)f->count);
  return 2;
}

static int overlap(lua_State *L) {
  grl_count(L, 2, 4);
  const grl_world *world = grl_check_world(L);
  const grl_placed *placed = grl_check_placed(L, 2, "placed");
  grl_read_list(L, 4, "found");
  grl_filter filter;
  grl_filter_read(L, world, 3, &filter);
  finding f = {.world = world, .placed = &placed->placed, .filter = &filter};
  return find_items(L, &f, 4, "placed");
}

/* world:at_point(x, y): what holds the point. */
static int at_point(lua_State *L) {
  const grl_world *world = grl_check_world(L);
  int dim = world->dim;
  grl_count(L, 1 + dim, 3 + dim);
  graze_vec p = grl_vec_arguments(L, 2, dim, "point");
  grl_read_list(L, 3 + dim, "found");
  grl_filter filter;
  grl_filter_read(L, world, 2 + dim, &filter);
  graze_shape point = dim == 2 ? graze_point2() : graze_point();
  graze_placed placed = graze_place(&point, graze_pose_at(p.x, p.y, p.z));
  finding f = {.world = world, .placed = &placed, .filter = &filter};
  return find_items(L, &f, 3 + dim, "point");
}

/* world:in_box(min_x, min_y, max_x, max_y): whose bounds meet it; sides may be infinite. */
static int in_box(lua_State *L) {
  const grl_world *world = grl_check_world(L);
  int dim = world->dim;
  double v[6];
  grl_count(L, 1 + 2 * dim, 3 + 2 * dim);
  for (int i = 0; i < 2 * dim; i++) {
    v[i] = grl_real(L, 2 + i, 2 + i, i < dim ? "min" : "max", "a number");
    if (isnan(v[i])) grl_refuse(L, 2 + i, "%s: a number expected, got nan", i < dim ? "min" : "max");
    if (i >= dim && v[i] < v[i - dim])
      grl_refuse(L, 2 + i, "max: a number from min on, %s, expected, got %s", grl_say(L, v[i - dim]), grl_say(L, v[i]));
  }
  grl_read_list(L, 3 + 2 * dim, "found");
  grl_filter filter;
  grl_filter_read(L, world, 2 + 2 * dim, &filter);
  graze_aabb box = {{v[0], v[1], dim == 3 ? v[2] : 0}, {v[dim], v[dim + 1], dim == 3 ? v[5] : 0}};
  finding f = {.world = world, .box = box, .filter = &filter};
  return find_items(L, &f, 3 + 2 * dim, "box");
}

/* ---- What is hit first ---- */

static int push_hit(lua_State *L, const grl_world *world, graze_body body, const graze_cast_result *impact,
                    grl_impact *kept) {
  if (body.generation == 0) return 0;
  if (kept) {
    kept->impact = *impact;
    kept->dim = world->dim;
  }
  grl_push_item(L, grl_world_list_push(L, GRL_ITEMS), body);
  lua_pushnumber(L, impact->t);
  return 2 + grl_push_vec(L, impact->point, world->dim) + grl_push_known(L, impact->normal, world->dim);
}

static graze_motion read_motion(lua_State *L, int argument, int dim, double *t_max) {
  static const char *const keys[] = {"velocity", "angular_velocity", "t_max", NULL};
  graze_motion motion = {{0, 0, 0}, {0, 0, 0}};
  *t_max = 1;
  if (!lua_istable(L, argument))
    grl_refuse(L, argument, "motion: a table {velocity = {x, y}, …} expected, got %s", grl_describe(L, argument));
  lua_pushnil(L);
  while (lua_next(L, argument) != 0) {
    switch (grl_key(L, argument, "motion", keys)) {
    case 0: motion.velocity = grl_velocity(L, argument, "motion.velocity", dim, false); break;
    case 1: motion.angular = grl_velocity(L, argument, "motion.angular_velocity", dim, true); break;
    default: *t_max = grl_time_at(L, argument, lua_gettop(L), "motion.t_max"); break;
    }
    lua_pop(L, 1);
  }
  return motion;
}

/* world:cast(placed, motion): the first item that the moving shape meets, the time, the point, the normal. */
static int cast(lua_State *L) {
  grl_count(L, 3, 5);
  const grl_world *world = grl_check_world(L);
  const grl_placed *placed = grl_check_placed(L, 2, "placed");
  double t_max;
  graze_motion motion = read_motion(L, 3, world->dim, &t_max);
  grl_impact *kept = grl_check_impact(L, 5);
  if (kept) grl_may_change(L);
  lua_settop(L, 5);
  grl_filter filter;
  grl_filter_read(L, world, 4, &filter);
  graze_body body = {0, 0};
  graze_cast_result impact;
  lua_State *before = grl_enter_world(L, world);
  graze_status status =
      graze_scene_cast(world->scene, &placed->placed, &motion, t_max, grl_filter_use(L, &filter), &body, &impact);
  grl_leave(L, before);
  grl_check(L, 2, "placed", status, NULL);
  return push_hit(L, world, body, &impact, kept);
}

/* world:raycast(ox, oy, dx, dy, t_max, filter, impact): the first item on the ray. */
static int raycast(lua_State *L) {
  const grl_world *world = grl_check_world(L);
  grl_ray ray = grl_read_ray(L, world->dim);
  grl_filter filter;
  grl_filter_read(L, world, ray.after + 1, &filter);
  graze_body body = {0, 0};
  graze_cast_result impact;
  lua_State *before = grl_enter_world(L, world);
  graze_status status = graze_scene_raycast(world->scene, ray.origin, ray.direction, ray.t_max,
                                            grl_filter_use(L, &filter), &body, &impact);
  grl_leave(L, before);
  grl_check(L, 2, "ray", status, NULL);
  return push_hit(L, world, body, &impact, ray.kept);
}

/* ---- Where two of them touch ---- */

/* world:manifold(item, other, contacts): as graze.manifold(). */
static int manifold(lua_State *L) {
  grl_count(L, 3, 4);
  const grl_world *world = grl_check_world(L);
  grl_read_contacts(L, 4);
  graze_body a = grl_check_item(L, world, 2, "item"), b = grl_check_item(L, world, 3, "other");
  graze_contact contacts[4];
  graze_answer answer;
  size_t count;
  lua_State *before = grl_enter_world(L, world);
  graze_status status =
      graze_scene_manifold(world->scene, a, b, NULL, &answer, contacts, world->dim == 2 ? 2 : 4, &count);
  grl_leave(L, before);
  if (status == GRAZE_BAD_OPTION) grl_refuse(L, 3, "other: the same item");
  grl_check(L, 2, "item and other", status, NULL);
  grl_fill_contacts(L, 4, contacts, count, world->dim);
  return grl_push_manifold(L, 4, &answer, count, world->dim);
}

const luaL_Reg grl_query_methods[] = {
    {"overlap", overlap}, {"at_point", at_point}, {"in_box", in_box}, {"cast", cast},
    {"raycast", raycast}, {"manifold", manifold}, {NULL, NULL},
};
