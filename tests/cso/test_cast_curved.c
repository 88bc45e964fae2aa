/* Casts of ellipses, ellipsoids, cylinders and cones: against queries at many moments of the motion, and at the ends of
 * the bracket against the independent enclosure of support/oracle/curved.h. Never clear if they overlap at some moment,
 * never a hit if they are apart in the whole bracket; hardly ever possible.
 *
 * GRAZE_TIER, GRAZE_FAMILY, GRAZE_SEED: as test_families.c. */
#include "support/casts.h"
#include "support/geometry.h"
#include "support/oracle/curved.h"
#include "support/test.h"

enum { MOMENTS = 48 };

/* Without underflow of squares. */
static double length_of(graze_vec v) { return hypot(hypot(v.x, v.y), v.z); }

static double any_size(rng *random) { return rng_uniform(random, 0.1, 1); }

static void curved_pair(rng *random, cast_case *c) {
  int dim = rng_between(random, 2, 3);
  shape_pair *p = &c->pair;
  p->a = random_curved(random, dim, 0.1);
  p->b = rng_coin(random) ? random_curved(random, dim, 0.1) : random_shape(random, dim, p->vertices_b);
  if (rng_below(random, 4) == 0) p->a = graze_with_margin(p->a, any_size(random) / 2);
  place_near(random, p, 3, 1);
}

/* ---- families */

static void move(rng *random, cast_case *c, double late) {
  int dim = c->pair.a.dim;
  graze_vec v = rng_vec(random, dim, 2), s = rng_vec(random, dim, 2);
  c->pair.pose_b.position = add_scaled(c->pair.pose_b.position, -late, v);
  c->velocity_a = s, c->velocity_b = add(s, v);
  c->t_max = rng_uniform(random, 0.5, 1.5) * late;
}

static void any_cast(rng *random, cast_case *c) {
  curved_pair(random, c);
  if (rng_below(random, 4) == 0) c->clearance = any_size(random) / 4;
  move(random, c, 2);
}

static void exchanged(rng *random, cast_case *c) {
  curved_pair(random, c);
  graze_shape s = c->pair.a;
  if (c->pair.b.vertex_count > 0) return;
  c->pair.a = c->pair.b, c->pair.b = s;
  move(random, c, 2);
}

static void fast(rng *random, cast_case *c) {
  curved_pair(random, c);
  move(random, c, 1000);
}

static void thin(rng *random, cast_case *c) {
  curved_pair(random, c);
  double f = ldexp(1, -rng_between(random, 4, 20));
  if (c->pair.a.kind == GRAZE_ELLIPSOID)
    c->pair.a.extents.x *= f;
  else if (rng_coin(random))
    c->pair.a.radius *= f;
  else
    c->pair.a.half_length *= f;
  move(random, c, 2);
}

static void rays(rng *random, cast_case *c) {
  curved_pair(random, c);
  c->pair.b = c->pair.a.dim == 2 ? graze_point2() : graze_point();
  move(random, c, 2);
  c->velocity_b = sub(c->velocity_b, c->velocity_a), c->velocity_a = (graze_vec){0, 0, 0};
  c->pair.pose_b.w = 1, c->pair.pose_b.x = c->pair.pose_b.y = c->pair.pose_b.z = 0;
  c->ray = true;
}

static void floors(rng *random, cast_case *c) {
  curved_pair(random, c);
  int dim = c->pair.a.dim;
  graze_vec n = rng_vec(random, dim, 1);
  c->pair.b = dim == 2 ? graze_halfspace2(n, -0.5) : graze_halfspace(n, -0.5);
  move(random, c, 2);
}

static void far_out(rng *random, cast_case *c) {
  any_cast(random, c);
  graze_vec off = rng_vec(random, c->pair.a.dim, 1e6);
  c->pair.pose_a.position = add(c->pair.pose_a.position, off);
  c->pair.pose_b.position = add(c->pair.pose_b.position, off);
}

static void any_unit(rng *random, cast_case *c) {
  static const int bits[] = {-664, -100, 100};
  double factor = ldexp(1, bits[rng_below(random, 3)]);
  curved_pair(random, c);
  move(random, c, 2);
  scale_pair(&c->pair, factor);
  c->velocity_a = scaled(factor, c->velocity_a);
  c->velocity_b = scaled(factor, c->velocity_b);
}

/* ---- what must hold */

typedef struct moments {
  const cast_case *c;
  double size, blur; /* of the bodies; and what rounding makes of a position */
} moments;

static void place_at(const moments *m, double t, graze_pose *a, graze_pose *b) {
  *a = m->c->pair.pose_a, *b = m->c->pair.pose_b;
  a->position = add_scaled(a->position, t, m->c->velocity_a);
  b->position = add_scaled(b->position, t, m->c->velocity_b);
}

/* The enclosure at t. */
static curved_truth truth_at(const moments *m, double t) {
  graze_pose a, b;
  place_at(m, t, &a, &b);
  return curved_solve(&m->c->pair.a, &a, &m->c->pair.b, &b, m->c->clearance);
}

/* Surely apart by no less than -most at t, as the library says. */
static bool overlaps_at(const moments *m, double t) {
  graze_pose pose_a, pose_b;
  graze_answer answer;
  graze_options options = graze_default_options();
  place_at(m, t, &pose_a, &pose_b);
  options.clearance = m->c->clearance;
  graze_placed a = graze_place(&m->c->pair.a, pose_a), b = graze_place(&m->c->pair.b, pose_b);
  return graze_distance(&a, &b, &options, &answer) == GRAZE_OK && answer.upper < -m->blur;
}

static bool overlaps_until(const moments *m, double end) {
  for (int i = 0; i <= MOMENTS; i++)
    if (overlaps_at(m, end * i / MOMENTS)) return true;
  return false;
}

static const char *check_clear(const moments *m, const graze_impact *x) {
  if (overlaps_until(m, m->c->t_max)) return "FALSE CLEAR";
  if (x->starts == GRAZE_TOUCHING) return NULL;
  if (isnan(x->min_upper)) return isinf(m->c->t_max) ? NULL : "no least distance";
  if (!(x->min_lower >= 0 && x->min_lower <= x->min_upper)) return "the least distance is not in order";
  if (!(x->t_min >= 0 && x->t_min <= m->c->t_max)) return "t_min is not in the interval";
  curved_truth there = truth_at(m, x->t_min);
  if (there.upper < x->min_lower - m->blur) return "MISSES: nearer than min_lower";
  if (there.lower > x->min_upper + 1e-6 * m->size) return "not so near at t_min";
  for (int i = 0; i <= 4; i++)
    if (truth_at(m, m->c->t_max * i / 4).upper < x->min_lower - m->blur) return "MISSES: once nearer than min_lower";
  return NULL;
}

static const char *check_bracket(const moments *m, const graze_impact *x) {
  if (!(x->t_lower >= 0 && x->t_lower <= x->t_upper && x->t_upper <= m->c->t_max)) return "times are not in order";
  if (x->t_upper == 0) return x->starts == GRAZE_SEPARATED ? "apart, but a hit at once" : NULL;
  double speed = length_of(sub(m->c->velocity_a, m->c->velocity_b)), late = x->t_upper - x->t_lower;
  if (overlaps_until(m, x->t_lower)) return "BRACKET MISSES: a contact before t_lower";
  curved_truth early = truth_at(m, x->t_lower);
  if (early.upper < -m->blur) return "BRACKET MISSES: they overlap at t_lower";
  if (x->result == GRAZE_HIT && early.lower > speed * late * 1.000001 + m->blur) return "FALSE HIT";
  return NULL;
}

static const char *check_cast(const cast_case *c, const graze_impact *x, double *width) {
  moments m = {.c = c};
  graze_vec apart = sub(c->pair.pose_a.position, c->pair.pose_b.position);
  double speed = length_of(sub(c->velocity_a, c->velocity_b));
  m.size = judge_scale(&c->pair.a, &c->pair.b, 0) + length_of(apart) + c->clearance;
  m.blur = 1e-12 * m.size + 4e-16 * (length_of(c->pair.pose_a.position) + length_of(c->pair.pose_b.position));
  m.blur += 4e-16 * (length_of(c->velocity_a) + length_of(c->velocity_b)) * c->t_max;
  if (x->result == GRAZE_CLEAR) return check_clear(&m, x);
  if (x->result == GRAZE_HIT && x->t_upper > 0)
    *width = fmax(*width, (x->t_upper - x->t_lower) / fmax(x->t_upper, m.size / speed));
  return check_bracket(&m, x);
}

static long possible;

static void check_curved(cast_runner *r, rng *random) {
  graze_impact x;
  const char *why = NULL;
  (void)random;
  r->count.casts++;
  const graze_status status = cast_query(r, &x);
  if (status != GRAZE_OK) why = graze_status_text(status);
  if (!why) why = check_cast(&r->given, &x, &r->count.worst_time);
  if (!why && cast_verify(r, &x) == GRAZE_REFUTED) why = "verify: REFUTED";
  if (why) cast_fail(r, why, &x);
  r->count.hits += x.result == GRAZE_HIT, r->count.exact += x.exact, possible += x.result == GRAZE_POSSIBLE;
}

static const cast_family families[] = {
    {"curved", any_cast, 30, 90, 100},          {"curved, exchanged", exchanged, 20, 90, 100},
    {"curved, fast", fast, 20, 90, 100},        {"curved, thin", thin, 20, 90, 100},
    {"curved, rays", rays, 5, 90, 100},         {"curved, half-spaces", floors, 20, 95, 100},
    {"curved, 1e6 away", far_out, 20, 90, 100}, {"curved, scaled", any_unit, 20, 90, 100},
};

TEST(curved_casts) {
  const cast_plan plan = {families, NULL, (int)COUNT(families), tiered(300, 600, 20000), .check = check_curved};
  possible = 0;
  assert_int_equal(cast_run_plan(&plan), 0);
  assert_true(possible * 1000 <= plan.count * plan.casts);
}
