/* Casts of ellipses, ellipsoids, cylinders and cones: against many moments of the motion, asked about one by one, and
 * at the ends of the bracket against the independent enclosure of tests/oracle/curved.h. Never clear where they overlap
 * at some moment, never a hit where they are apart in all of the bracket; hardly ever possible.
 *
 * GRAZE_TIER, GRAZE_FAMILY, GRAZE_SEED: as test_families.c. */

#include "support/test.h"
#include "support/casts.h"
#include "support/oracle/curved.h"

enum { MOMENTS = 48 };

static double length3(graze_vec v) { return hypot(hypot(v.x, v.y), v.z); }

static double any_size(rng *random) { return rng_uniform(random, 0.1, 1); }

static graze_shape curved_shape(rng *random, int dim) {
  double x = any_size(random), y = any_size(random);
  if (dim == 2) return graze_ellipse(x, y);
  switch (rng_below(random, 3)) {
  case 0: return graze_ellipsoid(x, y, any_size(random));
  case 1: return graze_cylinder(x, y);
  default: return graze_cone(x, y);
  }
}

static void curved_pair(rng *random, cast_case *c) {
  int dim = rng_between(random, 2, 3);
  shape_pair *p = &c->pair;
  p->a = curved_shape(random, dim);
  p->b = rng_coin(random) ? curved_shape(random, dim) : random_shape(random, dim, p->vertices_b);
  if (rng_below(random, 4) == 0) p->a = graze_with_margin(p->a, any_size(random) / 2);
  place_near(random, p, 3, 1);
}

/* ---- families */

static void move(rng *random, cast_case *c, double late) {
  int dim = c->pair.a.dim;
  graze_vec v = rng_vec(random, dim, 2), s = rng_vec(random, dim, 2);
  c->pair.pose_b.position = cast_plus(c->pair.pose_b.position, v, -late);
  c->velocity_a = s, c->velocity_b = cast_plus(s, v, 1);
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
  c->velocity_b = cast_plus(c->velocity_b, c->velocity_a, -1), c->velocity_a = (graze_vec){0, 0, 0};
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
  c->pair.pose_a.position = cast_plus(c->pair.pose_a.position, off, 1);
  c->pair.pose_b.position = cast_plus(c->pair.pose_b.position, off, 1);
}

static void scaled(rng *random, cast_case *c) {
  static const int bits[] = {-664, -100, 100};
  double factor = ldexp(1, bits[rng_below(random, 3)]);
  const graze_vec none = {0, 0, 0};
  curved_pair(random, c);
  move(random, c, 2);
  scale_pair(&c->pair, factor);
  c->velocity_a = cast_plus(none, c->velocity_a, factor);
  c->velocity_b = cast_plus(none, c->velocity_b, factor);
}

/* ---- what must hold */

typedef struct moments {
  const cast_case *c;
  double size, blur; /* of the bodies; and what rounding makes of a position */
} moments;

static void place_at(const moments *m, double t, graze_pose *a, graze_pose *b) {
  *a = m->c->pair.pose_a, *b = m->c->pair.pose_b;
  a->position = cast_plus(a->position, m->c->velocity_a, t);
  b->position = cast_plus(b->position, m->c->velocity_b, t);
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

static const char *judge_curved_clear(const moments *m, const graze_impact *x) {
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

static const char *judge_curved_meeting(const moments *m, const graze_impact *x) {
  if (!(x->t_lower >= 0 && x->t_lower <= x->t_upper && x->t_upper <= m->c->t_max)) return "times are not in order";
  if (x->t_upper == 0) return x->starts == GRAZE_SEPARATED ? "apart, but a hit at once" : NULL;
  double speed = length3(cast_plus(m->c->velocity_a, m->c->velocity_b, -1)), late = x->t_upper - x->t_lower;
  if (overlaps_until(m, x->t_lower)) return "BRACKET MISSES: a contact before t_lower";
  curved_truth early = truth_at(m, x->t_lower);
  if (early.upper < -m->blur) return "BRACKET MISSES: they overlap at t_lower";
  if (x->result == GRAZE_HIT && early.lower > speed * late * 1.000001 + m->blur) return "FALSE HIT";
  return NULL;
}

static const char *judge_curved(const cast_case *c, const graze_impact *x, double *width) {
  moments m = {.c = c};
  graze_vec apart = cast_plus(c->pair.pose_a.position, c->pair.pose_b.position, -1);
  double speed = length3(cast_plus(c->velocity_a, c->velocity_b, -1));
  m.size = judge_scale(&c->pair.a, &c->pair.b, 0) + length3(apart) + c->clearance;
  m.blur = 1e-12 * m.size + 4e-16 * (length3(c->pair.pose_a.position) + length3(c->pair.pose_b.position));
  m.blur += 4e-16 * (length3(c->velocity_a) + length3(c->velocity_b)) * c->t_max;
  if (x->result == GRAZE_CLEAR) return judge_curved_clear(&m, x);
  if (x->result == GRAZE_HIT && x->t_upper > 0)
    *width = fmax(*width, (x->t_upper - x->t_lower) / fmax(x->t_upper, m.size / speed));
  return judge_curved_meeting(&m, x);
}

typedef struct curved_tally {
  long casts, hits, possible, unproven, exact, failed;
  double width;
} curved_tally;

static const char *ask(cast_runner *r, curved_tally *t) {
  const cast_case *c = &r->given;
  graze_impact x;
  graze_options options = graze_default_options();
  graze_placed a = graze_place(&c->pair.a, c->pair.pose_a), b = graze_place(&c->pair.b, c->pair.pose_b);
  options.clearance = c->clearance;
  memset(&x, 0, sizeof x);
  graze_status status = c->ray ? graze_raycast(&a, c->pair.pose_b.position, c->velocity_b, c->t_max, &options, &x)
                               : graze_cast(&a, c->velocity_a, &b, c->velocity_b, c->t_max, &options, &x);
  if (status != GRAZE_OK) return graze_status_text(status);
  t->hits += x.result == GRAZE_HIT, t->possible += x.result == GRAZE_POSSIBLE, t->exact += x.exact;
  const char *why = judge_curved(c, &x, &t->width);
  status = graze_verify_cast(&a, c->velocity_a, &b, c->velocity_b, c->t_max, &options, &x);
  t->unproven += status == GRAZE_UNPROVEN;
  if (!why && status == GRAZE_REFUTED) why = "verify: REFUTED";
  if (why) cast_fail(r, why, &x);
  return why;
}

static long run_family(cast_runner *r, const cast_family *from, int casts) {
  curved_tally t = {.casts = casts};
  rng random = {family_seed(from->name)};
  cast_start(r, from->name);
  for (int i = 0; i < casts; i++) {
    memset(&r->given, 0, sizeof r->given);
    from->make(&random, &r->given);
    t.failed += ask(r, &t) != NULL;
  }
  double n = casts / 100.0, hits = (double)t.hits / n;
  printf(
      "%-24s %7d casts, %5.1f %% hit, %6.3f %% possible, %6.3f %% unproven, %5.2f %% exact, widest %8.1e, %ld failed\n",
      from->name, casts, hits, (double)t.possible / n, (double)t.unproven / n, (double)t.exact / n, t.width, t.failed);
  fflush(stdout);
  if (hits < from->hits_low || hits > from->hits_high) t.failed++, printf("FAILED %s: hits\n", from->name);
  if ((double)t.possible > 0.001 * casts) t.failed++, printf("FAILED %s: possible\n", from->name);
  return t.failed;
}

static const cast_family families[] = {
    {"curved", any_cast, 30, 90, 0},          {"curved, exchanged", exchanged, 20, 90, 0},
    {"curved, fast", fast, 20, 90, 0},        {"curved, thin", thin, 20, 90, 0},
    {"curved, rays", rays, 5, 90, 0},         {"curved, half-spaces", floors, 20, 95, 0},
    {"curved, 1e6 away", far_out, 20, 90, 0}, {"curved, scaled", scaled, 20, 90, 0},
};

TEST(curved_casts) {
  cast_runner *r = cast_runner_new();
  long failed = 0;
  for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
    if (family_wanted(families[f].name)) failed += run_family(r, &families[f], tiered(300, 600, 20000));
  cast_runner_free(r);
  assert_int_equal(failed, 0);
}
