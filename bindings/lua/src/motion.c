/* Casts, rays and poses. graze.cast(a, b, motion, options, result) returns the time, the point and the normal of the
 * first contact, or nil if there is certainly none. A `possible` contact counts as one. Algorithms: graze/motion.h. */
#include "binding.h"

#include <math.h>

typedef struct motions {
  graze_motion a, b;
  double t_max;
} motions;

static motions read_motions(lua_State *L, int argument, int dim) {
  static const char *const keys[] = {"velocity_a",         "velocity_b",         "t_max",
                                     "angular_velocity_a", "angular_velocity_b", NULL};
  motions m = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}, 1};
  if (!lua_istable(L, argument)) grl_reject_value(L, argument, argument, "motion", "a table {velocity_a = {x, y}, …}");
  lua_pushnil(L);
  while (lua_next(L, argument) != 0) {
    switch (grl_key(L, argument, "motion", keys)) {
    case 0: m.a.velocity = grl_velocity(L, argument, "motion.velocity_a", dim, false); break;
    case 1: m.b.velocity = grl_velocity(L, argument, "motion.velocity_b", dim, false); break;
    case 2: m.t_max = grl_nonnegative_at(L, argument, lua_gettop(L), "motion.t_max"); break;
    case 3: m.a.angular = grl_velocity(L, argument, "motion.angular_velocity_a", dim, true); break;
    default: m.b.angular = grl_velocity(L, argument, "motion.angular_velocity_b", dim, true); break;
    }
    lua_pop(L, 1);
  }
  return m;
}

/* Stores the result, if the caller wants it, and pushes the contact. */
static int push_contact(lua_State *L, const graze_cast_result *cast, int dim, grl_cast_result *kept) {
  if (kept) {
    kept->cast = *cast;
    kept->dim = dim;
  }
  if (cast->outcome == GRAZE_CLEAR) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushnumber(L, cast->t);
  return 1 + grl_push_vec(L, cast->point, dim) + grl_push_vec_or_nil(L, cast->normal, dim);
}

static int cast(lua_State *L) {
  grl_check_count(L, 3, 5);
  const grl_placed *a = grl_check_placed(L, 1, "a"), *b = grl_check_placed(L, 2, "b");
  int dim = a->placed.shape.dim;
  grl_check_dim(L, 2, "b", b->placed.shape.dim, dim);
  motions m = read_motions(L, 3, dim);
  grl_cast_result *kept = grl_check_cast_result(L, 5);
  if (kept) grl_require_mutable(L);
  lua_settop(L, 5);
  grl_query query;
  grl_query_read(L, 4, dim, GRL_CAST, &query);
  if (kept) grl_cast_reserve(L, kept, &query);
  graze_cast_result cast;
  lua_State *before = grl_query_begin(L, &query);
  graze_status status =
      query.compare_cast
          ? query.compare_cast(&query.samples, &a->placed, &m.a, &b->placed, &m.b, m.t_max, &query.cast, &cast)
          : graze_cast(&a->placed, &m.a, &b->placed, &m.b, m.t_max, &query.cast, &cast);
  grl_query_end(L, &query, before);
  grl_check_query(L, status, 4, &query, "cast");
  return push_contact(L, &cast, dim, kept);
}

grl_ray grl_read_ray(lua_State *L, int dim) {
  grl_ray ray = {.after = 2 + 2 * dim};
  grl_check_count(L, ray.after - 1, ray.after + 2);
  ray.origin = grl_vec_arguments(L, 2, dim, "origin");
  ray.direction = grl_vec_arguments(L, 2 + dim, dim, "direction");
  ray.t_max = grl_nonnegative(L, ray.after, "t_max", HUGE_VAL);
  lua_settop(L, ray.after + 2);
  return ray;
}

/* graze.raycast(placed, ox, oy, dx, dy, t_max, options, result); in 3D with z. */
static int raycast(lua_State *L) {
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dim = placed->placed.shape.dim;
  grl_ray ray = grl_read_ray(L, dim);
  grl_cast_result *kept = grl_check_cast_result(L, ray.after + 2);
  if (kept) grl_require_mutable(L);
  grl_query query;
  grl_query_read(L, ray.after + 1, dim, GRL_CAST, &query);
  if (kept) grl_cast_reserve(L, kept, &query);
  graze_cast_result cast;
  lua_State *before = grl_query_begin(L, &query);
  graze_status status = graze_raycast(&placed->placed, ray.origin, ray.direction, ray.t_max, &query.cast, &cast);
  grl_query_end(L, &query, before);
  grl_check_query(L, status, ray.after + 1, &query, "raycast");
  return push_contact(L, &cast, dim, kept);
}

typedef struct hit_fill {
  const graze_cast_result *hit;
  grl_state *state;
  int first; /* stack index of the list, followed by its spare entries */
  int dim, hits;
} hit_fill;

/* Arguments: the list, its spare entries. */
static void fill_hit(lua_State *L, void *data) {
  hit_fill *f = data;
  grl_list_entry(L, 1, 2, ++f->hits);
  grl_set_integer(L, "part", f->hit->part_a + 1);
  grl_set_string(L, "outcome", graze_cast_outcome_text(f->hit->outcome));
  grl_set_number(L, "t", f->hit->t);
  grl_set_vec(L, "point", f->hit->point, f->dim);
  grl_set_vec(L, "normal", f->hit->normal, f->dim);
}

static bool report_hit(void *context, const graze_cast_result *hit) {
  hit_fill *f = context;
  f->hit = hit;
  return grl_call_protected(f->state, fill_hit, f, f->first, 2);
}

/* graze.raycast_parts(placed, ox, oy, dx, dy, t_max, options, hits): the hits of all parts, and their count. */
static int raycast_parts(lua_State *L) {
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dim = placed->placed.shape.dim;
  grl_ray ray = grl_read_ray(L, dim);
  int list = ray.after + 2;
  grl_list_argument(L, list, "hits");
  grl_query query;
  grl_query_read(L, ray.after + 1, dim, GRL_CAST, &query);
  lua_pushvalue(L, list);
  hit_fill f = {.state = query.state, .first = lua_gettop(L), .dim = dim};
  grl_list_begin(L, f.first);
  lua_State *before = grl_query_begin(L, &query);
  graze_status status =
      graze_raycast_parts(&placed->placed, ray.origin, ray.direction, ray.t_max, &query.cast, report_hit, &f);
  grl_query_end(L, &query, before);
  grl_check_query(L, status, ray.after + 1, &query, "raycast_parts");
  grl_list_end(L, list, f.hits);
  lua_pushvalue(L, list);
  lua_pushinteger(L, f.hits);
  return 2;
}

/* graze.verify_cast(a, b, motion, result, options): true, or false and the reason. */
static int verify_cast(lua_State *L) {
  grl_check_count(L, 4, 5);
  const grl_placed *a = grl_check_placed(L, 1, "a"), *b = grl_check_placed(L, 2, "b");
  int dim = a->placed.shape.dim;
  motions m = read_motions(L, 3, dim);
  grl_cast_result *kept = grl_check_cast_result(L, 4);
  if (kept == NULL) grl_reject_value(L, 4, 4, "result", "graze.cast_result()");
  if (kept->cast.outcome == 0) grl_reject(L, 4, "result: empty, must be filled by a query");
  lua_settop(L, 5);
  grl_query query;
  grl_query_read(L, 5, dim, GRL_CAST, &query);
  lua_State *before = grl_query_begin(L, &query);
  graze_status status =
      graze_verify_cast(&a->placed, &m.a, &b->placed, &m.b, m.t_max, &query.cast, &kept->cast, &kept->certificate);
  grl_query_end(L, &query, before);
  return grl_push_verdict(L, status, 5, &query, "verify_cast");
}

/* graze.motion_between(from, to, time): the velocity and the angular velocity from one pose to another. */
static int motion_between(lua_State *L) {
  grl_check_count(L, 3, 3);
  const grl_placed *from = grl_check_placed(L, 1, "from"), *to = grl_check_placed(L, 2, "to");
  int dim = from->placed.shape.dim;
  grl_check_dim(L, 2, "to", to->placed.shape.dim, dim);
  double time = grl_number(L, 3, "time");
  if (time <= 0) grl_reject_value(L, 3, 3, "time", "a number > 0");
  graze_motion motion = graze_motion_between(&from->placed.pose, &to->placed.pose, time);
  grl_push_point(L, motion.velocity, dim);
  if (dim == 2)
    lua_pushnumber(L, motion.angular.z);
  else
    grl_push_point(L, motion.angular, 3);
  return 2;
}

/* graze.pose_after(placed, motion, t): the pose at time t of a body that moves as `a` in the motion. */
static int pose_after(lua_State *L) {
  grl_check_count(L, 3, 3);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dim = placed->placed.shape.dim;
  motions m = read_motions(L, 2, dim);
  graze_pose pose = graze_pose_after(&placed->placed.pose, &m.a, grl_number(L, 3, "t"));
  return grl_push_pose(L, &pose, dim);
}

/* ---- Poses: x, y, w, z in 2D, x, y, z, w, x, y, z in 3D. The number of arguments distinguishes them. ---- */

/* Reads `count` poses, which are the first arguments; a point follows if `point` is not NULL. Returns the dimension. */
static int read_poses(lua_State *L, graze_pose *poses, int count, graze_vec *point) {
  int given = lua_gettop(L), flat = 4 * count + (point ? 2 : 0), solid = 7 * count + (point ? 3 : 0);
  if (given != flat && given != solid) grl_reject_count(L, flat, solid, false);
  int dim = given == flat ? 2 : 3, next = 1;
  for (graze_pose *p = poses; p < poses + count; p++) {
    graze_vec position = grl_vec_arguments(L, next, dim, "position");
    int rotation = next + dim;
    double q[4] = {0};
    for (int i = 0; i < (dim == 2 ? 2 : 4); i++) q[i] = grl_number(L, rotation + i, "rotation");
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
      grl_reject(L, rotation, "rotation: zero, must be a quaternion or half-angle pair that is not zero");
    *p = graze_pose3(position, q[0], dim == 2 ? 0 : q[1], q[2], dim == 2 ? q[1] : q[3]);
    next = rotation + (dim == 2 ? 2 : 4);
  }
  if (point) *point = grl_vec_arguments(L, next, dim, "point");
  return dim;
}

/* Pushes the rotation of a pose: w, z or w, x, y, z. */
static int push_rotation(lua_State *L, const graze_pose *pose, int dim) {
  lua_pushnumber(L, pose->w);
  if (dim == 3) lua_pushnumber(L, pose->x), lua_pushnumber(L, pose->y);
  lua_pushnumber(L, pose->z);
  return dim == 2 ? 2 : 4;
}

static int half_angle(lua_State *L) {
  graze_pose pose = {.w = 1};
  grl_check_count(L, 1, 1);
  graze_half_angle(grl_number(L, 1, "angle"), &pose.w, &pose.z);
  return push_rotation(L, &pose, 2);
}

/* graze.axis_angle(ax, ay, az, angle): the quaternion w, x, y, z. */
static int axis_angle(lua_State *L) {
  grl_check_count(L, 4, 4);
  graze_vec axis = grl_direction(L, 1, 3, "axis");
  graze_pose pose = graze_pose_axis_angle((graze_vec){0, 0, 0}, axis, grl_number(L, 4, "angle"));
  return push_rotation(L, &pose, 3);
}

/* graze.from_matrix(m11, m12, …): the rotation of a matrix that is given row by row. */
static int from_matrix(lua_State *L) {
  int count = lua_gettop(L), dim = count == 4 ? 2 : 3;
  if (count != 4 && count != 9) grl_reject_count(L, 4, 9, false);
  double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < count; i++) m[dim == 2 ? i / 2 * 3 + i % 2 : i] = grl_number(L, i + 1, "matrix");
  graze_pose pose = graze_pose_matrix((graze_vec){0, 0, 0}, m, dim);
  return push_rotation(L, &pose, dim);
}

/* graze.to_matrix(pose): the rotation matrix, row by row. */
static int to_matrix(lua_State *L) {
  graze_pose pose;
  int dim = read_poses(L, &pose, 1, NULL);
  double m[9];
  graze_pose_rotation(&pose, m);
  for (int i = 0; i < dim * dim; i++) lua_pushnumber(L, m[dim == 2 ? i / 2 * 3 + i % 2 : i]);
  return dim * dim;
}

static int inverse(lua_State *L) {
  graze_pose pose;
  int dim = read_poses(L, &pose, 1, NULL);
  pose = graze_pose_inverse(&pose);
  return grl_push_pose(L, &pose, dim);
}

/* graze.compose(outer, inner): the pose x -> outer(inner(x)). */
static int compose(lua_State *L) {
  graze_pose poses[2];
  int dim = read_poses(L, poses, 2, NULL);
  graze_pose pose = graze_pose_compose(&poses[0], &poses[1]);
  return grl_push_pose(L, &pose, dim);
}

/* graze.transform(pose, x, y): the world position of a local point. */
static int transform(lua_State *L) {
  graze_pose pose;
  graze_vec point;
  int dim = read_poses(L, &pose, 1, &point);
  return grl_push_vec(L, graze_pose_apply(&pose, point), dim);
}

const luaL_Reg grl_pose_functions[] = {
    {"half_angle", half_angle}, {"axis_angle", axis_angle}, {"from_matrix", from_matrix}, {"to_matrix", to_matrix},
    {"inverse", inverse},       {"compose", compose},       {"transform", transform},     {NULL, NULL},
};

const luaL_Reg grl_motion_functions[] = {
    {"cast", cast},
    {"raycast", raycast},
    {"raycast_parts", raycast_parts},
    {"verify_cast", verify_cast},
    {"motion_between", motion_between},
    {"pose_after", pose_after},
    {NULL, NULL},
};
