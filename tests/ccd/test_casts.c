/* Casts computed by hand, extreme magnitudes, rejected queries, and fixed bugs. docs/theory/cast.md. */
#include "support/families.h"
#include "support/query.h"
#include "support/shapes.h"

static const graze_vec still = {0, 0, 0};
static const double forever = (double)INFINITY;

static graze_placed at(graze_shape shape, double x, double y, double z) { return placed_at(shape, x, y, z); }

static void is_near(graze_vec p, graze_vec q, double most) {
  assert_true(fabs(p.x - q.x) <= most && fabs(p.y - q.y) <= most && fabs(p.z - q.z) <= most);
}

static void hits(const proved_cast *x, double t, double width) {
  assert_int_equal(x->outcome, GRAZE_HIT);
  assert_true(x->t == x->t_lower && x->t_lower <= t && t <= x->t_upper && x->t_upper - x->t_lower <= width);
}

static void is_clear(const proved_cast *x, double least) {
  assert_int_equal(x->outcome, GRAZE_CLEAR);
  assert_true(isnan(x->t) && isnan(x->t_lower) && isnan(x->t_upper) && isnan(x->point.x) && isnan(x->normal.x));
  assert_true(x->min_lower <= least && x->min_lower >= least - 1e-9);
  assert_true(isnan(x->min_upper) || (x->min_upper >= least && x->min_upper <= least + 1e-9));
}

/* A is at rest at the origin. */
typedef struct hand_cast {
  graze_shape a, b;
  graze_vec at, velocity; /* of B */
  double t_max;
  graze_relation starts;
  bool hit;
  double value;     /* the time of the hit; or the least distance */
  graze_vec normal; /* of a hit; 0: not tested */
} hand_cast;

static proved_cast run_by(const hand_cast *c, graze_cast_method method) {
  const graze_placed a = at(c->a, 0, 0, 0), b = at(c->b, c->at.x, c->at.y, c->at.z);
  const graze_cast_options options = cast_by_method(method);
  const proved_cast x = verified_cast(&a, still, &b, c->velocity, c->t_max, &options);
  assert_int_equal(x.start_relation, c->starts);
  if (c->hit)
    hits(&x, c->value, c->value == 0 ? 0 : 1e-10);
  else
    is_clear(&x, c->value);
  if (c->hit && norm(c->normal) > 0) is_near(x.normal, c->normal, 1e-12);
  return x;
}

static proved_cast run(const hand_cast *c) {
  (void)run_by(c, GRAZE_CAST_FCCD);
  if (c->a.kind == GRAZE_BOX) (void)run_by(c, METHOD_LCCD);
  return run_by(c, GRAZE_CAST_AUTO);
}

#define SEPARATED GRAZE_SEPARATED
#define TOUCH GRAZE_TOUCHING

TEST(by_hand) {
  const graze_shape box = graze_box(1, 1, 1), ball = graze_sphere(1), floor = graze_halfspace(vec(0, 0, 2), 1);
  const graze_shape square = graze_box2(1, 1), sheet = graze_box2(5e-7, 3), chip = graze_box2(1e-3, 1e-3);
  const graze_shape thin = graze_box(5e-7, 3, 3), dot = graze_box(0, 0, 0);
  const graze_vec x = vec(1, 0, 0), z = vec(0, 0, 1), none = still;
  const hand_cast cases[] = {
      {box, box, {5, 0.5, 0}, {-2, 0, 0}, 10, SEPARATED, true, 1.5, x},
      {box, box, {5, 0.5, 0}, {-2, 0, 0}, 1.5, SEPARATED, true, 1.5, x}, /* at the very end */
      {box, box, {5, 0.5, 0}, {-2, 0, 0}, nextafter(1.5, 0), SEPARATED, false, 0x1p-51, none},
      {ball, ball, {-8, 3, 0}, {4, 0, 0}, 10, SEPARATED, false, 1, none},
      {ball, ball, {-8, 3, 0}, {4, 0, 0}, 1, SEPARATED, false, 3, none},
      {ball, ball, {-8, 3, 0}, {-4, 0, 0}, forever, SEPARATED, false, hypot(8, 3) - 2, none},
      {ball, ball, {-8, 3, 0}, {0, 0, 0}, 10, SEPARATED, false, hypot(8, 3) - 2, none},
      {box, box, {1.5, 0, 0}, {8, 0, 0}, 4, GRAZE_OVERLAPPING, true, 0, x},
      {floor, ball, {0, 0, 8}, {3, 0, -2}, 10, SEPARATED, true, 3, z},
      {floor, ball, {0, 0, 8}, {3, 0, 0}, forever, SEPARATED, false, 6, none},
      {floor, ball, {0, 0, 8}, {0, 0, -2}, 2, SEPARATED, false, 2, none},
      /* in touch: leaving, resting and sliding are clear; approaching, however slowly, is not */
      {box, box, {0.5, 0, 2}, {0, 0, 1}, forever, TOUCH, false, 0, none},
      {box, box, {0.5, 0, 2}, {0, 0, 0}, 4, TOUCH, false, 0, none},
      {box, box, {0.5, 0, 2}, {1, 2, 0}, forever, TOUCH, false, 0, none},
      {box, box, {0.5, 0, 2}, {-5, 0, 0}, 4, TOUCH, false, 0, none},
      {box, box, {0.5, 0, 2}, {0, 0, 0x1p-1000}, forever, TOUCH, false, 0, none},
      {box, box, {0.5, 0, 2}, {1, 0, 0x1p-1000}, 4, TOUCH, false, 0, none},
      {box, box, {0.5, 0, 2}, {0, 0, -1}, forever, TOUCH, true, 0, z},
      {box, box, {0.5, 0, 2}, {1, 0, -1}, 4, TOUCH, true, 0, z},
      {box, box, {0.5, 0, 2}, {0, 0, -0x1p-1000}, forever, TOUCH, true, 0, z},
      {box, box, {0.5, 0, 2}, {8, 0, -0x1p-1000}, 4, TOUCH, true, 0, z},
      {box, box, {0.5, 0, 2}, {0, 0, -1}, 0, TOUCH, true, 0, z}, /* once clear: there was no time to approach */
      /* edge on edge: leaving one of the faces suffices */
      {box, box, {2, 0, 2}, {0x1p-1000, 0, -1}, 4, TOUCH, false, 0, none},
      {box, box, {2, 0, 2}, {-0x1p-1000, 0, -1}, 4, TOUCH, true, 0, none},
      /* passing by one ulp: no direction in doubles was perpendicular enough to prove it for ever */
      {box, box, {-9, nextafter(2, 3), 0.25}, {1, 0, 0}, forever, SEPARATED, false, 0x1p-51, none},
      {box, box, {-9, nextafter(2, 3), 0.25}, {3, 0, 0.7}, forever, SEPARATED, false, 0x1p-51, none},
      {box, box, {-9, nextafter(2, 3), 0.25}, {0.3, 0, 0.05}, 1e9, SEPARATED, false, 0x1p-51, none},
      /* faces, edges and corners that touch in passing, or miss by one ulp */
      {box, box, {-8, 2, 0.5}, {3, 0, 0}, 4, SEPARATED, true, 2, none},
      {box, box, {-8, 2, 2}, {3, 0, 0}, 4, SEPARATED, true, 2, none},
      {box, box, {-8, 2, nextafter(2, 3)}, {3, 0, 0}, 4, SEPARATED, false, 0x1p-51, none},
      {square, square, {-4, 0, 0}, {1, 1, 0}, 9, SEPARATED, true, 2, none},
      {square, square, {-4, nextafter(0, 1), 0}, {1, 1, 0}, 9, SEPARATED, false, 0, none},
      /* walls as thin as 1e-6, or flat, and points */
      {thin, dot, {-1, 2, 0.3}, {0x1p60, 0, 0}, 4, SEPARATED, true, 0.9999995 / 0x1p60, none},
      {graze_box(0, 3, 3), graze_box(1e-3, 1e-3, 1e-3), {-1, 0.3, 2}, {1, 0, 0}, 4, SEPARATED, true, 0.999, none},
      {sheet, chip, {-1, 2, 0}, {0x1p20, 0, 0}, 4, SEPARATED, true, 0.9989995 / 0x1p20, none},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const proved_cast result = run(&cases[i]);
    if (!cases[i].hit && cases[i].t_max < forever)
      is_near(result.position_b, add_scaled(cases[i].at, cases[i].t_max, cases[i].velocity), 0);
    if (!cases[i].hit && cases[i].starts == TOUCH) assert_true(result.min_lower == 0 && result.min_upper == 0);
  }
  assert_true(fabs(run(&cases[3]).t_min - 2) < 1e-6 && run(&cases[4]).t_min == 1 && run(&cases[10]).t_min == 2);
}

TEST(both_move) {
  const graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), b = at(graze_box(1, 1, 1), 5, 0.5, 0);
  graze_cast_options options = graze_default_cast_options();
  proved_cast x = verified_cast(&a, vec(1, 0, 0), &b, vec(-1, 0, 0), 10, NULL);
  hits(&x, 1.5, 1e-10);
  is_near(x.position_a, vec(1.5, 0, 0), 1e-10);
  is_near(x.position_b, vec(3.5, 0.5, 0), 1e-10);
  assert_true(fabs(x.point.x - 2.5) < 1e-10);
  x = verified_cast(&a, vec(1, 2, 3), &b, vec(1, 2, 3), 4, NULL); /* the same velocity */
  is_clear(&x, 3);
  is_near(x.position_a, vec(4, 8, 12), 0);
  options.clearance = 0.5; /* then the certificate of a hit lists points at the end of the bracket only */
  x = verified_cast(&a, still, &b, vec(-2, 0, 0), 10, &options);
  hits(&x, 1.25, 1e-10);
  assert_true(x.certificate.pair_count > 0);
  for (int i = 0; i < x.certificate.pair_count; i++) assert_int_equal(x.certificate.pairs[i].end, 1);
}

/* The point of a hit lay where a plane passed earlier: off by the root of the rounding. */
TEST(point_of_a_ray) {
  const graze_vec from = vec(-1.3343082995906608, 1.1448751748312025, 0);
  const graze_vec to = vec(1.388971460200537, -0.8952575318004960, 0);
  const graze_placed disk = at(graze_circle(0.73417295110879077), -0.20954934304084816, 0.62905655854051723, 0);
  proved_cast x;
  assert_int_equal(cast_ray(&disk, from, to, INFINITY, NULL, &x), GRAZE_OK);
  assert_int_equal(x.outcome, GRAZE_HIT);
  is_near(x.point, add_scaled(from, x.t, to), 1e-10);
}

/* Face to face, where doubles decide. */
TEST(upright_boxes_need_no_exact_arithmetic) {
  rng random = 3;
  for (int i = 0; i < 64; i++) {
    const double high = rng_uniform(&random, 0.2, 1);
    const graze_vec from = rng_vec(&random, 2, 1), up = vec(0, 0, 1), path = vec(0.1, 0.1, -1);
    const hand_cast c = {
        graze_box(1, 1, 0.5), graze_box(0.5, 0.7, high), {from.x, from.y, high + 1.5}, path, 4, SEPARATED, true, 1, up};
    const proved_cast x = run_by(&c, METHOD_LCCD);
    assert_true(!x.exact && fabs(x.point.z - 0.5) < 1e-9);
  }
}

/* ---- magnitudes at which squares of lengths, rates or times underflow, and times beyond 1e40 */

TEST(extreme_magnitudes) {
  const graze_shape dot = graze_point(), ball = graze_sphere(1), floor = graze_halfspace(vec(0, 0, 1), 0);
  const struct {
    graze_shape a, b;
    graze_vec at, velocity; /* of A; B is at rest at the origin */
    double t_max, t;        /* when they meet; -1: never */
  } cases[] = {
      {dot, dot, {-0x1p-600, 0, 0}, {1, 0, 0}, 1, 0x1p-600},
      {dot, dot, {-0x1p-600, -0x1p-601, 0}, {1, 0.5, 0}, 1, 0x1p-600},
      {dot, dot, {-0x1p-600, -0x1p-601, 0}, {1, 0.75, 0}, 1, -1},
      {dot, dot, {-0x1p-1070, 0, 0}, {0x1p130, 0, 0}, 1, 0x1p-1074}, /* the nearest double */
      {dot, dot, {-0x1p-1074, 0, 0}, {0x1p-1074, 0, 0}, 4, 1},
      {dot, dot, {-0x1p-1074, 0, 0}, {0x1p-1074, 0, 0}, 0.5, -1},
      {dot, dot, {-0x1p-400, 0, 0}, {0x1p-600, 0, 0}, INFINITY, 0x1p200},
      {dot, dot, {-0x1p-40, 0, 0}, {0x1p-1074, 0, 0}, INFINITY, -1}, /* later than the largest double */
      {dot, dot, {-0x1p-60, 0, 0}, {0x1p-1074, 0, 0}, INFINITY, 0x1p1014},
      {dot, dot, {-0x1p130, 0, 0}, {0x1p-800, 0, 0}, INFINITY, 0x1p930},
      {dot, floor, {0, 0, 0x1p-1070}, {0, 0, -0x1p120}, 1, 0x1p-1074},
      {ball, floor, {0, 0, 1 + 0x1p70}, {0, 0, -0x1p-100}, INFINITY, 0x1p170},
      {ball, floor, {0, 0, 1 + 0x1p70}, {0x1p100, 0, -0x1p-100}, INFINITY, 0x1p170},
      {ball, floor, {0, 0, 1 + 0x1p70}, {0, 0, -0x1p-100}, 0x1p169, -1},
      {ball, floor, {0, 0, 3}, {1, 1, 0}, INFINITY, -1},
      {ball, floor, {0, 0, 3}, {1, 1, 0x1p-1074}, INFINITY, -1},
      {ball, floor, {0, 0, 3}, {1, 1, -0x1p-1000}, INFINITY, 0x1p1001},
      {ball, floor, {0, 0, 8}, {0, 0, -0x1p-140}, 0x1p143, 0x7p140}, /* half-spaces were once searched until 1e40 */
      {ball, floor, {0, 0, 8}, {1, 0, -0x1p-140}, INFINITY, 0x7p140},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const double t = cases[i].t;
    const graze_placed a = at(cases[i].a, cases[i].at.x, cases[i].at.y, cases[i].at.z), b = at(cases[i].b, 0, 0, 0);
    const proved_cast x = verified_cast(&a, cases[i].velocity, &b, still, cases[i].t_max, NULL);
    assert_int_equal(x.outcome, t >= 0 ? GRAZE_HIT : GRAZE_CLEAR);
    if (t >= 0) assert_true(x.t_lower <= t && t <= x.t_upper && x.t_upper - x.t_lower <= 1e-6 * t + 0x1p-1050);
  }
  for (int i = 0; i < 4; i++) { /* the square of the speed is 0: such bodies once stood still */
    const double u = ldexp(1, (int[]){-600, -664, -1000, -1060}[i]);
    const graze_placed a = at(graze_box(u, u, u), 0, 0, 0), b = at(graze_sphere(u), 8 * u, 0, 0);
    const proved_cast x = verified_cast(&a, still, &b, vec(-2 * u, 0, 0), 10, NULL);
    hits(&x, 3, u > 0x1p-990 ? 1e-10 : 0.1);
  }
}

/* Towards a slanted face at 2^-1074: along its normal the speed is no double. */
TEST(the_slowest_motion) {
  const graze_placed a = at(graze_point2(), -0x1p-58, 0x1p-62, 0);
  for (int i = 0; i < 32; i++) {
    const graze_placed b = posed(graze_box2(0x1p-60, 0x1p-60), graze_pose2(0, 0, i * 0.05));
    assert_int_equal(verified_cast(&a, vec(0x1p-1074, 0, 0), &b, still, INFINITY, NULL).outcome, GRAZE_HIT);
  }
}

/* By the queries and by the verifier, which knows no methods. */
TEST(rejected_queries) {
  const graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0), c = at(graze_box(1, 1, 1), 4, 0, 0);
  const graze_placed s = at(graze_box2(1, 1), 0, 0, 0), f = at(graze_halfspace(vec(0, 0, 1), 0), 0, 0, 0);
  const graze_placed ball = at(graze_sphere(1), 4, 0, 0), bad = at(graze_sphere(-1), 0, 0, 0);
  const struct {
    const graze_placed *a, *b;
    graze_vec va, vb;
    double t_max, clearance;
    int method;
    graze_status expected;
  } cases[] = {
      {&a, &a, {(double)NAN, 0, 0}, {0, 0, 0}, 1, 0, 0, GRAZE_BAD_NUMBER},
      {&a, &a, {0, 0, 0}, {0, INFINITY, 0}, 1, 0, 0, GRAZE_BAD_NUMBER},
      {&a, &a, {0, 0, 0}, {0, 2e40, 0}, 1, 0, 0, GRAZE_BAD_NUMBER},
      {&a, &a, {0, 0, 0}, {0, 0, 0}, (double)NAN, 0, 0, GRAZE_BAD_NUMBER},
      {&a, &a, {0, 0, 0}, {0, 0, 0}, -1, 0, 0, GRAZE_BAD_OPTION},
      {&a, &a, {0, 0, 0}, {0, 0, 0}, 1, -1, 0, GRAZE_BAD_OPTION},
      {&a, &s, {0, 0, 0}, {0, 0, 0}, 1, 0, 0, GRAZE_DIM_MISMATCH},
      {&s, &s, {0, 0, 1}, {0, 0, 0}, 1, 0, 0, GRAZE_DIM_MISMATCH},
      {&f, &f, {0, 0, 0}, {0, 0, 0}, 1, 0, 0, GRAZE_UNSUPPORTED},
      {&a, &bad, {0, 0, 0}, {0, 0, 0}, 1, 0, 0, GRAZE_BAD_SHAPE},
      {&a, &ball, {0, 0, 0}, {0, 0, 0}, 9, 0, METHOD_LCCD, GRAZE_UNSUPPORTED},
      {&a, &c, {0, 0, 0}, {0, 0, 0}, -1, 0, METHOD_LCCD, GRAZE_BAD_OPTION},
      {&a, &c, {0, 0, 0}, {0, 0, 0}, 9, 0.1, METHOD_LCCD, GRAZE_UNSUPPORTED},
      {&a, &c, {0, 0, 0}, {0, 0, 0}, 9, 0, GRAZE_CAST_CA + 1, GRAZE_BAD_OPTION},
      {&a, &c, {0, 0, 0}, {0, 0, 0}, 9, 0, METHOD_SAMPLING + 1, GRAZE_BAD_OPTION},
  };
  const proved_cast good = verified_cast(&a, vec(1, 0, 0), &c, still, 4, NULL), none = {0};
  proved_cast x;
  for (size_t i = 0; i < COUNT(cases); i++) {
    const graze_vec va = cases[i].va, vb = cases[i].vb;
    const double end = cases[i].t_max;
    graze_cast_options options = graze_default_cast_options();
    options.clearance = cases[i].clearance, options.method = (graze_cast_method)cases[i].method;
    assert_int_equal(cast_linear(cases[i].a, va, cases[i].b, vb, end, &options, &x), cases[i].expected);
    if (cases[i].method > 0) continue;
    assert_int_equal(verify_linear(cases[i].a, va, cases[i].b, vb, end, &options, &good), cases[i].expected);
  }
  assert_int_equal(cast_ray(&a, vec(NAN, 0, 0), still, 1, NULL, &x), GRAZE_BAD_NUMBER);
  assert_int_equal(cast_ray(&s, vec(0, 0, 1), still, 1, NULL, &x), GRAZE_DIM_MISMATCH);
  assert_int_not_equal(verify_linear(&a, vec(1, 0, 0), &c, still, 4, NULL, &none), GRAZE_OK);
}

/* LCCD needs a workspace for the faces and edges of hulls. */
TEST(workspace_of_linear_casts) {
  graze_vec vertices[PAIR_VERTICES];
  double small[8];
  graze_cast_options options = cast_by_method(METHOD_LCCD);
  proved_cast x;
  rng random = 4;
  const graze_shape hull = random_hull(&random, 3, 20, vertices);
  const graze_placed a = at(hull, 0, 0, 0), b = at(hull, 4, 0, 0);
  options.workspace = small, options.workspace_size = sizeof small;
  assert_int_equal(cast_linear(&a, still, &b, vec(-1, 0, 0), 9, &options, &x), GRAZE_NO_SPACE);
  options.workspace = NULL;
  assert_int_equal(cast_linear(&a, still, &b, vec(-1, 0, 0), 9, &options, &x), GRAZE_OK);
}

/* Casts of polygons with at most 32 corners together test the lines of all edges. Few need more than these. */
TEST(polygons_by_their_edges) {
  enum { CASTS = 2000 };
  rng random = 15;
  int hit = 0, more = 0;
  for (int i = 0; i < CASTS; i++) {
    graze_vec corners[2][17];
    const int count[2] = {rng_between(&random, 3, 17), rng_between(&random, 3, 17)};
    graze_placed placed[2];
    for (int which = 0; which < 2; which++) {
      const double from = rng_uniform(&random, 0, 6);
      for (int k = 0; k < count[which]; k++)
        corners[which][k] = vec(cos(from + k * 6.2 / count[which]), 0.6 * sin(from + k * 6.2 / count[which]), 0);
      const graze_shape polygon = graze_polygon(corners[which], (size_t)count[which]);
      placed[which] = posed(polygon, graze_pose2(which * 4, rng_uniform(&random, -2, 2), from));
    }
    const proved_cast x = verified_cast(&placed[0], vec(1, 0, 0), &placed[1], still, 6, NULL);
    const bool few = count[0] + count[1] <= 32;
    assert_int_equal(x.algorithm, few ? GRAZE_ALGORITHM_LCCD : GRAZE_ALGORITHM_FCCD);
    if (x.outcome != GRAZE_HIT) continue;
    hit++;
    more += few && x.iterations > count[0] + count[1] + 1;
    assert_true(x.t_upper - x.t_lower < 1e-9);
  }
  assert_in_range(hit, CASTS / 4, 3 * CASTS / 4);
  assert_in_range(more, 0, hit / 100);
}

/* Edges parallel to the motion: their rates are -0, and were taken for a miss, so that exact queries replaced the
 * planes. */
TEST(edges_parallel_to_the_motion) {
  const graze_placed slab = at(graze_box2(0.75, 1), 4.75, 0.5, 0), brick = at(graze_box2(0.75, 0.5), -1, 0.5, 0);
  const proved_cast x = verified_cast(&slab, vec(-1, 0, 0), &brick, still, 8, NULL);
  hits(&x, 4.25, 1e-10);
  assert_in_range(x.iterations, 8, 9);
}

/* Boxes without area: no edge line is passed inward. Exact queries from time 0 on took 270 iterations. */
TEST(boxes_without_area) {
  const graze_placed spot = at(graze_box2(0, 0), 0, 0, 0), target = at(graze_box2(0, 0), 3, 4, 0);
  proved_cast x = verified_cast(&spot, vec(3, 4, 0), &target, still, 4, NULL);
  hits(&x, 1, 1e-10);
  assert_in_range(x.iterations, 1, 16);
  const graze_placed line = at(graze_box2(1, 0), 0, 0, 0), other = at(graze_box2(1, 0), 6, 0, 0);
  x = verified_cast(&line, vec(1, 0, 0), &other, still, 8, NULL);
  hits(&x, 4, 1e-9);
  assert_in_range(x.iterations, 1, 16);
}

/* ---- regressions */

/* Brackets were wide: halves of different times, and planes along which the bodies hardly approach. */
TEST(narrow_brackets) {
  const graze_placed ball = at(graze_sphere(2), 0, 0, 0), capsule = at(graze_capsule(1, 0.5), -3, 3, 0);
  proved_cast x = verified_cast(&ball, vec(-2, 1, 0), &capsule, vec(-1, 1, 0), 9, NULL);
  hits(&x, 3, 1e-5);
  const graze_placed a = at(graze_box(1, 0.5, 0.25), -0.75, 1.25, -0.5);
  const graze_placed b = at(graze_box(0.25, 0.25, 0.25), -51.25, 1.25, 0);
  x = verified_cast(&a, still, &b, vec(0.5, 0, 0), 100, NULL);
  hits(&x, 98.5, 1e-8);
  const graze_placed slab = at(graze_box2(0.75, 1), 4.75, 0.5, 0), brick = at(graze_box2(0.75, 0.5), -1, 0.5, 0);
  x = verified_cast(&slab, vec(-0.015625, 0, 0), &brick, still, 384, NULL);
  hits(&x, 272, 1e-8);
}

/* The search ended when v was as short as the radius to doubles: the normal was off by the root of that, 3e-6. */
TEST(normals_of_rounded_boxes) {
  const graze_placed a =
      posed(graze_box(0.44161329222735612, 0.19162744807861476, 0.97629162923821777),
            graze_pose3(vec(-2.9417338987687272, -0.16565790015570681, 3.4871370032051114), 0.31224281776432861,
                        0.14192545286818326, 0.87653215586128463, 0.26623139615416491));
  const graze_placed b =
      posed(graze_box(0.53280308580979341, 0.55788966354912151, 0.49223052481641461),
            graze_pose3(vec(-7.8397019980295681, 0.71986422903534075, 7.5026111186552757), -0.91587677006385815,
                        0.23529944713802964, -0.49812934664640984, 0.34016303565268879));
  const graze_vec va = vec(-1.2497109211667465, 2.5277790891098002, -0.05383521110769296);
  const graze_vec vb = vec(0.77502549171552926, 1.6715414632245489, -1.7736584146917509);
  graze_cast_options options = graze_default_cast_options();
  options.clearance = 0.12667130536730414;
  const proved_cast x = verified_cast(&a, va, &b, vb, 3.3130317123060187, &options);
  hits(&x, 1.6771535, 1e-9);
  is_near(x.normal, vec(-0.6510605282104849, -0.3951505063070297, 0.6480557583816245), 1e-10);
}

/* A box that slides off a cylinder: a loose bracket needs no exact arithmetic. */
TEST(loose_brackets_cost_less) {
  const graze_vec places[] = {{1.4015654968462483, -0.038017998473555012, 1.3002689516333654},
                              {1.4058598157781432, -0.037797156380405171, 1.2990193428686652},
                              {1.4292216893945002, -0.035424513267460905, 1.2919429443720167}};
  const graze_vec moves[] = {{1.2624809533580121, 0.064098997664719159, -0.36742044102848775},
                             {1.3182448010812258, 0.1314864754063888, -0.39527203461265031},
                             {1.3714347915328424, 0.19739005234640827, -0.43182386275070894}};
  const double clearance[] = {5.8469883742464197e-07, 7.4579456682036274e-07, 6.7307466607257311e-07};
  const graze_placed lies = posed(graze_cylinder(0.35, 0.3), graze_pose3(vec(1.1964, 0.0823, 0.4201908949662676),
                                                                         -0.0046, -0.3385, -0.6929, 0.1717));
  for (int i = 0; i < 3; i++) {
    const graze_pose at_once = graze_pose3(places[i], -0.1492, 0.0575, 0.8095, -0.3954);
    const graze_placed slides = posed(graze_box(0.35, 0.35, 0.35), at_once);
    graze_cast_options options = graze_default_cast_options();
    options.clearance = clearance[i];
    const proved_cast narrow = verified_cast(&lies, still, &slides, moves[i], 0.0155, &options);
    options.tolerance = 1e-7;
    const proved_cast loose = verified_cast(&lies, still, &slides, moves[i], 0.0155, &options);
    assert_true(narrow.outcome == GRAZE_HIT && loose.outcome == GRAZE_HIT && narrow.exact && !loose.exact);
    assert_true(loose.t_lower <= narrow.t_upper && narrow.t_lower <= loose.t_upper);
    assert_true(loose.t_upper - loose.t_lower < 1e-6);
  }
}

/* Without min_distance, boxes that nearly touch need no exact arithmetic. */
TEST(no_least_distance) {
  graze_cast_options options = graze_default_cast_options();
  options.min_distance = false;
  const graze_placed a = at(graze_box(1, 1, 1), 0, 0, 0);
  for (int i = 0; i < 40; i++) {
    const graze_placed b = at(graze_box(1, 1, 1), -3, 2 + (i == 0 ? 0 : ldexp(1, 3 - i)), 0);
    const proved_cast x = verified_cast(&a, still, &b, vec(4, 0, 0), 1.5, &options);
    assert_int_equal(x.outcome, i == 0 ? GRAZE_HIT : GRAZE_CLEAR); /* tangential: a contact */
    if (i == 0) continue;
    assert_true(x.min_lower == 0 && isnan(x.min_upper) && isnan(x.t_min) && !x.exact);
    const proved_cast with = verified_cast(&a, still, &b, vec(4, 0, 0), 1.5, NULL);
    assert_true(with.min_lower > 0 && with.t_min >= 0);
  }
}

/* The velocity is exactly perpendicular to the rotated normal, whose rounded direction shows a rate that is not 0. */
TEST(exactly_parallel_to_a_rotated_half_space) {
  static const double ends[] = {1e3, 1e18, 1e100, INFINITY};
  const graze_shape bodies[] = {graze_box(1, 1, 1), graze_ellipsoid(1, 1, 1)};
  for (int w = 1; w <= 12; w++)
    for (int z = 1; z <= 12; z++) {
      const graze_vec n = vec(w * w - z * z, 2 * w * z, 0), tangent = vec(-n.y, n.x, 1); /* exact */
      const graze_placed a = posed(graze_halfspace(vec(1, 0, 0), 0), graze_pose3(still, w, 0, 0, z));
      for (int i = 0; i < 8; i++) {
        const graze_placed b = posed(bodies[i % 2], (graze_pose){scaled(3 / norm(n), n), 1, 0, 0, 0});
        const proved_cast x = verified_cast(&a, still, &b, tangent, ends[i / 2], NULL);
        const proved_cast y = verified_cast(&b, scaled(-1, tangent), &a, still, ends[i / 2], NULL);
        assert_true(x.outcome == GRAZE_CLEAR && x.min_lower > 1.5 && x.min_upper < 2.1);
        assert_true(y.outcome == GRAZE_CLEAR && y.min_lower > 1.5 && y.min_upper < 2.1);
      }
    }
}

/* The segment passes the point by 4 ulps: exact arithmetic finds the direction that separates them for ever. */
TEST(a_near_pass_without_end_is_proved) {
  const graze_vec ends[] = {{3, -2, 1}, {-6, 0, -9}}, point = {5, 2, 5};
  const graze_placed a = at(graze_hull_points(ends, 2), -1 - 0x1p-48, 18 - 0x1p-48, 14 - 0x1p-49);
  const graze_placed b = at(graze_hull_points(&point, 1), 0, 0, 0);
  const proved_cast x = verified_cast(&a, vec(3, -4, 0), &b, still, INFINITY, NULL);
  assert_true(x.outcome == GRAZE_CLEAR && x.certificate.kind == GRAZE_CERTIFICATE_SEPARATED);
}
