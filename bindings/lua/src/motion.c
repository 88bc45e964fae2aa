/* Casts, sweeps and rays: graze.cast(a, b, motion, options, impact). What comes back: the time, the point and the
 * normal of the first contact, or nil where it is proved that there is none. `possible` counts as a contact. */
#include "binding.h"

#include <math.h>
#include <string.h>

typedef struct motions {
  graze_motion a, b;
  double t_max;
} motions;

static void read_motion_key(lua_State *L, int argument, int dim, bool may_turn, motions *m) {
  static const char *const keys[] = {"velocity_a",         "velocity_b",         "t_max",
                                     "angular_velocity_a", "angular_velocity_b", NULL},
                           *const straight[] = {"velocity_a", "velocity_b", "t_max", NULL};
  int key = lua_gettop(L) - 1;
  if (!may_turn && lua_type(L, key) == LUA_TSTRING && strncmp(lua_tostring(L, key), "angular_velocity_", 17) == 0)
    grl_refuse(L, argument, "motion: no key %s; graze.sweep takes what turns", grl_describe(L, key));
  switch (grl_key(L, argument, "motion", may_turn ? keys : straight)) {
  case 0: m->a.velocity = grl_velocity(L, argument, "motion.velocity_a", dim, false); break;
  case 1: m->b.velocity = grl_velocity(L, argument, "motion.velocity_b", dim, false); break;
  case 2: m->t_max = grl_time_at(L, argument, lua_gettop(L), "motion.t_max"); break;
  case 3: m->a.angular = grl_velocity(L, argument, "motion.angular_velocity_a", dim, true); break;
  default: m->b.angular = grl_velocity(L, argument, "motion.angular_velocity_b", dim, true); break;
  }
}

static motions read_motions(lua_State *L, int argument, int dim, bool may_turn) {
  motions m = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}, 1};
  if (!lua_istable(L, argument))
    grl_refuse(L, argument, "motion: a table {velocity_a = {x, y}, …} expected, got %s", grl_describe(L, argument));
  lua_pushnil(L);
  while (lua_next(L, argument) != 0) {
    read_motion_key(L, argument, dim, may_turn, &m);
    lua_pop(L, 1);
  }
  return m;
}

static int push_impact(lua_State *L, const graze_cast_result *impact, int dim) {
  if (impact->result == GRAZE_CLEAR) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushnumber(L, impact->t);
  return 1 + grl_push_vec(L, impact->point, dim) + grl_push_known(L, impact->normal, dim);
}

static void keep_impact(grl_impact *kept, const graze_cast_result *impact, int dim) {
  if (kept == NULL) return;
  kept->impact = *impact;
  kept->dim = dim;
}

static void check_motion(lua_State *L, graze_status status, int options, const char *function) {
  if (status == GRAZE_BAD_OPTION) grl_refuse(L, options, "options: %s takes no cache and no trace", function);
  grl_check_question(L, status, options, function);
}

static int move(lua_State *L, bool turns) {
  grl_count(L, 3, 5);
  const grl_placed *a = grl_check_placed(L, 1, "a"), *b = grl_check_placed(L, 2, "b");
  int dim = a->placed.shape.dim;
  grl_same_dim(L, 2, "b", b->placed.shape.dim, dim);
  motions m = read_motions(L, 3, dim, turns);
  grl_impact *kept = grl_check_impact(L, 5);
  if (kept) grl_may_change(L);
  lua_settop(L, 5);
  grl_asking asking;
  grl_asking_read(L, 4, dim, &asking);
  if (turns) grl_impact_room(L, kept, &asking);
  graze_cast_result impact;
  lua_State *before = grl_ask(L, &asking);
  graze_status status =
      turns ? graze_sweep(&a->placed, &m.a, &b->placed, &m.b, m.t_max, &asking.options, &impact)
            : graze_cast(&a->placed, m.a.velocity, &b->placed, m.b.velocity, m.t_max, &asking.options, &impact);
  grl_asked(L, &asking, before);
  check_motion(L, status, 4, turns ? "sweep" : "cast");
  keep_impact(kept, &impact, dim);
  return push_impact(L, &impact, dim);
}

static int cast(lua_State *L) { return move(L, false); }

static int sweep(lua_State *L) { return move(L, true); }

grl_ray grl_read_ray(lua_State *L, int dim) {
  grl_ray ray = {.after = 2 + 2 * dim};
  grl_count(L, ray.after - 1, ray.after + 2);
  ray.origin = grl_vec_arguments(L, 2, dim, "origin");
  ray.direction = grl_vec_arguments(L, 2 + dim, dim, "direction");
  ray.t_max = grl_time(L, ray.after, "t_max", HUGE_VAL);
  ray.kept = grl_check_impact(L, ray.after + 2);
  if (ray.kept) grl_may_change(L);
  lua_settop(L, ray.after + 2);
  return ray;
}

/* graze.raycast(placed, ox, oy, dx, dy, t_max, options, impact), in 3D with z. */
static int raycast(lua_State *L) {
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dim = placed->placed.shape.dim;
  grl_ray ray = grl_read_ray(L, dim);
  grl_asking asking;
  grl_asking_read(L, ray.after + 1, dim, &asking);
  graze_cast_result impact;
  lua_State *before = grl_ask(L, &asking);
  graze_status status = graze_raycast(&placed->placed, ray.origin, ray.direction, ray.t_max, &asking.options, &impact);
  grl_asked(L, &asking, before);
  check_motion(L, status, ray.after + 1, "raycast");
  keep_impact(ray.kept, &impact, dim);
  return push_impact(L, &impact, dim);
}

/* ---- Proof ---- */

static int verify_motion(lua_State *L, bool turns) {
  grl_count(L, 4, 5);
  const grl_placed *a = grl_check_placed(L, 1, "a"), *b = grl_check_placed(L, 2, "b");
  int dim = a->placed.shape.dim;
  motions m = read_motions(L, 3, dim, turns);
  grl_impact *kept = grl_check_impact(L, 4);
  if (kept == NULL || kept->impact.result == 0)
    grl_refuse(L, 4, "impact: %s", kept ? "no question has filled it" : "graze.impact() expected, got nil");
  lua_settop(L, 5);
  grl_asking asking;
  grl_asking_read(L, 5, dim, &asking);
  lua_State *before = grl_ask(L, &asking);
  graze_status status =
      turns ? graze_verify_sweep(&a->placed, &m.a, &b->placed, &m.b, m.t_max, &asking.options, &kept->impact)
            : graze_verify_cast(&a->placed, m.a.velocity, &b->placed, m.b.velocity, m.t_max, &asking.options,
                                &kept->impact);
  grl_asked(L, &asking, before);
  if (status != GRAZE_OK && status != GRAZE_REFUTED && status != GRAZE_UNPROVEN)
    grl_check_question(L, status, 5, turns ? "verify_sweep" : "verify_cast");
  lua_pushboolean(L, status == GRAZE_OK);
  if (status == GRAZE_OK) return 1;
  lua_pushstring(L, status == GRAZE_REFUTED ? "refuted" : "unproven");
  return 2;
}

static int verify_cast(lua_State *L) { return verify_motion(L, false); }

static int verify_sweep(lua_State *L) { return verify_motion(L, true); }

/* graze.pose_after(placed, motion, t): where it is then; the motion is that of an `a`. */
static int pose_after(lua_State *L) {
  grl_count(L, 3, 3);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dim = placed->placed.shape.dim;
  motions m = read_motions(L, 2, dim, true);
  graze_pose pose = graze_pose_after(&placed->placed.pose, &m.a, grl_number(L, 3, "t"));
  return grl_push_pose(L, &pose, dim);
}

const luaL_Reg grl_motion_functions[] = {
    {"cast", cast},
    {"sweep", sweep},
    {"raycast", raycast},
    {"verify_cast", verify_cast},
    {"verify_sweep", verify_sweep},
    {"pose_after", pose_after},
    {NULL, NULL},
};
