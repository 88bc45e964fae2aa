/* Casts and rays: graze.cast(a, b, motion, options, result). They return the time, the point and the normal of the
 * first contact, or nil if there is certainly none; `possible` contacts count. Also half-angle pairs and later poses.
 */
#include "binding.h"

#include <math.h>
#include <string.h>

typedef struct motions {
  graze_motion a, b;
  double t_max;
} motions;

static motions read_motions(lua_State *L, int argument, int dim, bool may_turn) {
  static const char *const keys[] = {"velocity_a",         "velocity_b",         "t_max",
                                     "angular_velocity_a", "angular_velocity_b", NULL},
                           *const linear[] = {"velocity_a", "velocity_b", "t_max", NULL};
  motions m = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}, 1};
  if (!lua_istable(L, argument)) grl_reject_value(L, argument, argument, "motion", "a table {velocity_a = {x, y}, …}");
  lua_pushnil(L);
  while (lua_next(L, argument) != 0) {
    switch (grl_key(L, argument, "motion", may_turn ? keys : linear)) {
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
  if (cast->result == GRAZE_CLEAR) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushnumber(L, cast->t);
  return 1 + grl_push_vec(L, cast->point, dim) + grl_push_vec_or_nil(L, cast->normal, dim);
}

static void check_motion(lua_State *L, graze_status status, int options, const char *function) {
  if (status == GRAZE_BAD_OPTION)
    grl_reject(L, options, "options: cache or trace, which %s does not support", function);
  grl_check_query(L, status, options, function);
}

static int run_cast(lua_State *L, bool turns) {
  grl_check_count(L, 3, 5);
  const grl_placed *a = grl_check_placed(L, 1, "a"), *b = grl_check_placed(L, 2, "b");
  int dim = a->placed.shape.dim;
  grl_check_dim(L, 2, "b", b->placed.shape.dim, dim);
  motions m = read_motions(L, 3, dim, turns);
  grl_cast_result *kept = grl_check_cast_result(L, 5);
  if (kept) grl_require_mutable(L);
  lua_settop(L, 5);
  grl_query query;
  grl_query_read(L, 4, dim, &query);
  if (turns) grl_cast_reserve(L, kept, &query);
  graze_cast_result cast;
  lua_State *before = grl_query_begin(L, &query);
  graze_status status =
      turns ? graze_sweep(&a->placed, &m.a, &b->placed, &m.b, m.t_max, &query.options, &cast)
            : graze_cast(&a->placed, m.a.velocity, &b->placed, m.b.velocity, m.t_max, &query.options, &cast);
  grl_query_end(L, &query, before);
  check_motion(L, status, 4, turns ? "sweep" : "cast");
  return push_contact(L, &cast, dim, kept);
}

static int cast(lua_State *L) { return run_cast(L, false); }

static int sweep(lua_State *L) { return run_cast(L, true); }

grl_ray grl_read_ray(lua_State *L, int dim) {
  grl_ray ray = {.after = 2 + 2 * dim};
  grl_check_count(L, ray.after - 1, ray.after + 2);
  ray.origin = grl_vec_arguments(L, 2, dim, "origin");
  ray.direction = grl_vec_arguments(L, 2 + dim, dim, "direction");
  ray.t_max = grl_nonnegative(L, ray.after, "t_max", HUGE_VAL);
  ray.kept = grl_check_cast_result(L, ray.after + 2);
  if (ray.kept) grl_require_mutable(L);
  lua_settop(L, ray.after + 2);
  return ray;
}

/* graze.raycast(placed, ox, oy, dx, dy, t_max, options, result); in 3D with z. */
static int raycast(lua_State *L) {
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dim = placed->placed.shape.dim;
  grl_ray ray = grl_read_ray(L, dim);
  grl_query query;
  grl_query_read(L, ray.after + 1, dim, &query);
  graze_cast_result cast;
  lua_State *before = grl_query_begin(L, &query);
  graze_status status = graze_raycast(&placed->placed, ray.origin, ray.direction, ray.t_max, &query.options, &cast);
  grl_query_end(L, &query, before);
  check_motion(L, status, ray.after + 1, "raycast");
  return push_contact(L, &cast, dim, ray.kept);
}

static int run_verify(lua_State *L, bool turns) {
  grl_check_count(L, 4, 5);
  const grl_placed *a = grl_check_placed(L, 1, "a"), *b = grl_check_placed(L, 2, "b");
  int dim = a->placed.shape.dim;
  motions m = read_motions(L, 3, dim, turns);
  grl_cast_result *kept = grl_check_cast_result(L, 4);
  if (kept == NULL) grl_reject_value(L, 4, 4, "result", "graze.cast_result()");
  if (kept->cast.result == 0) grl_reject(L, 4, "result: empty, must be filled by a query");
  lua_settop(L, 5);
  grl_query query;
  grl_query_read(L, 5, dim, &query);
  lua_State *before = grl_query_begin(L, &query);
  graze_status status =
      turns
          ? graze_verify_sweep(&a->placed, &m.a, &b->placed, &m.b, m.t_max, &query.options, &kept->cast)
          : graze_verify_cast(&a->placed, m.a.velocity, &b->placed, m.b.velocity, m.t_max, &query.options, &kept->cast);
  grl_query_end(L, &query, before);
  return grl_push_verdict(L, status, 5, turns ? "verify_sweep" : "verify_cast");
}

static int verify_cast(lua_State *L) { return run_verify(L, false); }

static int verify_sweep(lua_State *L) { return run_verify(L, true); }

/* ---- Poses ---- */

static int half_angle(lua_State *L) {
  double w, z;
  grl_check_count(L, 1, 1);
  graze_half_angle(grl_number(L, 1, "angle"), &w, &z);
  lua_pushnumber(L, w);
  lua_pushnumber(L, z);
  return 2;
}

/* graze.pose_after(placed, motion, t): the pose at time t of a body that moves as `a` in the motion. */
static int pose_after(lua_State *L) {
  grl_check_count(L, 3, 3);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dim = placed->placed.shape.dim;
  motions m = read_motions(L, 2, dim, true);
  graze_pose pose = graze_pose_after(&placed->placed.pose, &m.a, grl_number(L, 3, "t"));
  return grl_push_pose(L, &pose, dim);
}

const luaL_Reg grl_pose_functions[] = {{"half_angle", half_angle}, {NULL, NULL}};

const luaL_Reg grl_motion_functions[] = {
    {"cast", cast},
    {"sweep", sweep},
    {"raycast", raycast},
    {"verify_cast", verify_cast},
    {"verify_sweep", verify_sweep},
    {"pose_after", pose_after},
    {NULL, NULL},
};
