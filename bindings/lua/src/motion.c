/* Casts, sweeps and rays: graze.cast(a, b, motion, options, impact). What comes back: the time, the point and the
 * normal of the first contact, or nil where it is proved that there is none. `possible` counts as a contact. */
#include "binding.h"

#include <math.h>
#include <string.h>

typedef struct motions {
  graze_motion a, b;
  double t_max;
} motions;

static double read_time(lua_State *L, int argument) {
  int top = lua_gettop(L);
  if (lua_type(L, top) != LUA_TNUMBER || !(lua_tonumber(L, top) >= 0))
    grl_refuse(L, argument, "motion.t_max: a number from 0 on expected, got %s", grl_describe(L, top));
  return lua_tonumber(L, top);
}

static void read_motion_key(lua_State *L, int argument, int dim, bool may_turn, motions *m) {
  const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
  if (strcmp(name, "velocity_a") == 0) {
    m->a.velocity = grl_velocity(L, argument, "motion.velocity_a", dim, false);
  } else if (strcmp(name, "velocity_b") == 0) {
    m->b.velocity = grl_velocity(L, argument, "motion.velocity_b", dim, false);
  } else if (may_turn && strcmp(name, "angular_velocity_a") == 0) {
    m->a.angular = grl_velocity(L, argument, "motion.angular_velocity_a", dim, true);
  } else if (may_turn && strcmp(name, "angular_velocity_b") == 0) {
    m->b.angular = grl_velocity(L, argument, "motion.angular_velocity_b", dim, true);
  } else if (strcmp(name, "t_max") == 0) {
    m->t_max = read_time(L, argument);
  } else {
    grl_refuse(L, argument, "motion: no key %s", grl_describe(L, lua_gettop(L) - 1));
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

static int push_impact(lua_State *L, const graze_impact *impact, int dim) {
  if (impact->result == GRAZE_CLEAR) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushnumber(L, impact->t);
  return 1 + grl_push_vec(L, impact->point, dim) + grl_push_known(L, impact->normal, dim);
}

static void keep_impact(grl_impact *kept, const graze_impact *impact, int dim) {
  if (kept == NULL) return;
  kept->impact = *impact;
  kept->dim = dim;
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
  graze_impact impact;
  lua_State *before = grl_ask(L, &asking);
  graze_status status =
      turns ? graze_sweep(&a->placed, &m.a, &b->placed, &m.b, m.t_max, &asking.options, &impact)
            : graze_cast(&a->placed, m.a.velocity, &b->placed, m.b.velocity, m.t_max, &asking.options, &impact);
  grl_asked(L, &asking, before);
  grl_check_question(L, status, 4, turns ? "sweep" : "cast");
  keep_impact(kept, &impact, dim);
  return push_impact(L, &impact, dim);
}

static int cast(lua_State *L) { return move(L, false); }

static int sweep(lua_State *L) { return move(L, true); }

/* graze.raycast(placed, ox, oy, dx, dy, t_max, options, impact), in 3D with z. */
static int raycast(lua_State *L) {
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dim = placed->placed.shape.dim, after = 2 + 2 * dim;
  grl_count(L, after - 1, after + 2);
  graze_vec origin = grl_vec_arguments(L, 2, dim, "origin"),
            direction = grl_vec_arguments(L, 2 + dim, dim, "direction");
  double t_max = grl_time(L, after, "t_max", HUGE_VAL);
  grl_impact *kept = grl_check_impact(L, after + 2);
  if (kept) grl_may_change(L);
  lua_settop(L, after + 2);
  grl_asking asking;
  grl_asking_read(L, after + 1, dim, &asking);
  graze_impact impact;
  lua_State *before = grl_ask(L, &asking);
  graze_status status = graze_raycast(&placed->placed, origin, direction, t_max, &asking.options, &impact);
  grl_asked(L, &asking, before);
  grl_check_question(L, status, after + 1, "raycast");
  keep_impact(kept, &impact, dim);
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
