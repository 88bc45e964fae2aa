/* The oracle itself: closed forms, a second brute-force method, and planted errors that must be flagged. */

#include "support/families.h"
#include "support/geometry.h"
#include "support/oracle/exact.h"
#include "support/oracle/validate.h"
#include "support/oracle/whole.h"
#include "support/test.h"

static shape_pair pair;

static void solve(oracle *o, const shape_pair *p) {
  assert_true(oracle_solve(o, &p->a, &p->pose_a, &p->b, &p->pose_b, 0));
}

/* Is the oracle's squared core distance num/den, in the caller's unit squared? */
static bool square_is(const oracle *o, int64_t num, int64_t den, long unit) {
  mpz_t left, right;
  mpz_init_set(left, o->square);
  mpz_init_set(right, o->divisor);
  mpz_mul_si(left, left, den);
  mpz_mul_si(right, right, num);
  if (o->unit >= unit)
    mpz_mul_2exp(left, left, 2 * (mp_bitcnt_t)(o->unit - unit));
  else
    mpz_mul_2exp(right, right, 2 * (mp_bitcnt_t)(unit - o->unit));
  bool same = mpz_cmp(left, right) == 0;
  mpz_clears(left, right, NULL);
  return same;
}

/* ---- closed form: axis-aligned boxes on the quarter lattice, also under one common pose */

typedef struct lattice_case {
  int e[3], f[3], at[3]; /* in quarters */
} lattice_case;

static graze_relation closed_form(const lattice_case *c, int dim, int64_t *square) {
  graze_relation relation = GRAZE_OVERLAPPING;
  *square = 0;
  for (int k = 0; k < dim; k++) {
    int gap = abs(c->at[k]) - c->e[k] - c->f[k];
    if (gap > 0) {
      *square += (int64_t)gap * gap;
      relation = GRAZE_SEPARATED;
    } else if (gap == 0 && relation == GRAZE_OVERLAPPING)
      relation = GRAZE_TOUCHING;
  }
  return relation;
}

static void build_lattice_case(rng *random, lattice_case *c, int dim, bool common) {
  double h[3], g[3], p[3] = {0, 0, 0};
  memset(c, 0, sizeof *c);
  for (int k = 0; k < dim; k++) {
    c->e[k] = rng_between(random, 0, 4);
    c->f[k] = rng_between(random, 0, 4);
    c->at[k] = rng_between(random, -8, 8);
    p[k] = c->at[k] * 0.25;
  }
  for (int k = 0; k < 3; k++) h[k] = c->e[k] * 0.25, g[k] = c->f[k] * 0.25;
  pair.a = dim == 2 ? graze_box2(h[0], h[1]) : graze_box(h[0], h[1], h[2]);
  pair.b = dim == 2 ? graze_box2(g[0], g[1]) : graze_box(g[0], g[1], g[2]);
  pair.pose_a = pair.pose_b = identity;
  pair.pose_b.position = vec(p[0], p[1], p[2]);
  if (!common) return;
  pair.b = box_hull(dim, vec(g[0], g[1], g[2]), vec(p[0], p[1], p[2]), pair.vertices_b);
  pair.pose_a = pair.pose_b = random_pose(random, dim, 3);
}

TEST(lattice_boxes_have_their_closed_form) {
  rng random = 1;
  oracle *o = oracle_new();
  int deep = 0;
  for (int i = 0; i < 8000; i++) {
    lattice_case c;
    int64_t square;
    double depth = INFINITY;
    int dim = i & 1 ? 2 : 3;
    build_lattice_case(&random, &c, dim, i & 2);
    graze_relation relation = closed_form(&c, dim, &square);
    solve(o, &pair);
    const double x = oracle_distance(o);
    assert_int_equal(oracle_relation(o), relation);
    assert_int_equal(oracle_compare(o, x - 1e-14 * (1 + fabs(x))), 1);
    assert_int_equal(oracle_compare(o, x + 1e-14 * (1 + fabs(x))), -1);
    assert_true(square ? square_is(o, square, 1, -2) : oracle_cores_meet(o));
    for (int k = 0; k < dim; k++) depth = fmin(depth, (c.e[k] + c.f[k] - abs(c.at[k])) * 0.25);
    if (relation != GRAZE_OVERLAPPING) continue;
    deep++;
    assert_int_equal(oracle_compare(o, -depth), 0);
    assert_true(oracle_distance(o) == -depth);
    assert_true(oracle_ends_overlap(o, oracle_normal(o), depth * (1 + 1e-12)));
    assert_false(oracle_ends_overlap(o, oracle_normal(o), depth * (1 - 1e-12)));
  }
  assert_true(deep > 800);
  oracle_free(o);
}

/* ---- closed form: balls, capsules, half-spaces */

/* The distance of B, moved to (x, y, z), is exactly this. */
static void must_be(oracle *o, double x, double y, double z, double distance) {
  pair.pose_b.position = vec(x, y, z);
  solve(o, &pair);
  assert_int_equal(oracle_relation(o), distance > 0   ? GRAZE_SEPARATED
                                       : distance < 0 ? GRAZE_OVERLAPPING
                                                      : GRAZE_TOUCHING);
  assert_int_equal(oracle_compare(o, distance), 0);
  assert_int_equal(oracle_compare(o, nextafter(distance, INFINITY)), -1);
  assert_int_equal(oracle_compare(o, nextafter(distance, -INFINITY)), 1);
  assert_int_equal(oracle_compare(o, INFINITY), -1);
  assert_int_equal(oracle_compare(o, -INFINITY), 1);
  assert_true(oracle_distance(o) == distance);
}

TEST(round_shapes_and_halfspaces_are_exact) {
  static const double at[][4] = {{3, 4, 0, 5}, {1, 2, 2, 3}, {2, 3, 6, 7}, {4, 4, 7, 9}, {0, 0, 1, 1}};
  oracle *o = oracle_new();
  pair.pose_a = pair.pose_b = identity;
  for (int i = 0; i < 5; i++)
    for (int nudge = -1; nudge <= 1; nudge++) {
      const double r = nudge == 0 ? at[i][3] : nextafter(at[i][3], nudge * 100.0);
      pair.a = graze_sphere(0), pair.b = graze_with_margin(graze_sphere(r / 2), r / 2);
      must_be(o, at[i][0], at[i][1], at[i][2], at[i][3] - r);
    }
  /* one core along z, the other by a quarter turn about y along x: their gap is the distance along y */
  pair.a = graze_capsule(0.25, 2), pair.b = graze_capsule(0.5, 3);
  pair.pose_b.w = pair.pose_b.y = 1e-20;
  must_be(o, 1, 4, -1.5, 3.25);
  must_be(o, 1, 0.75, -1.5, 0);
  must_be(o, 1, 0, -1.5, -0.75); /* they cross: 0 deep, and 0.75 by the radii */
  assert_true(oracle_cores_meet(o));
  /* y <= 0.5 turned by a quarter is x >= -0.5 */
  pair.a = graze_halfspace2(vec(0, 1, 0), 0.5), pair.b = graze_box2(1, 1);
  pair.pose_a.z = 1, pair.pose_b = identity;
  must_be(o, -1.5, 7, 0, 0);
  must_be(o, nextafter(-1.5, -2), 7, 0, 0x1p-52);
  must_be(o, nextafter(-1.5, 0), 7, 0, -0x1p-52);
  /* (3,4)·x/5 <= 1; the box at (4,4): its nearest corner (3,3) has 21/5 - 1 */
  pair.a = graze_halfspace2(vec(3e-20, 4e-20, 0), 1), pair.pose_a = identity;
  pair.pose_b.position = vec(4, 4, 0);
  solve(o, &pair);
  assert_true(oracle_relation(o) == GRAZE_SEPARATED && fabs(oracle_distance(o) - 3.2) < 1e-15);
  oracle_free(o);
}

/* ---- a second method: all faces of all pairs of small integer hulls, in 64-bit integers */

static void lower_to(fraction *best, int64_t above, int64_t below) {
  fraction other = {above, below};
  if (fraction_less(other, *best)) *best = other;
}

static void try_segment(fraction *best, whole p, whole q) {
  whole u = whole_minus(q, p);
  int64_t t = -whole_dot(u, p), uu = whole_dot(u, u);
  whole c = whole_cross(p, q);
  if (t > 0 && t < uu) lower_to(best, whole_dot(c, c), uu);
}

static void try_triangle(fraction *best, whole p, whole q, whole r) {
  whole n = whole_cross(whole_minus(q, p), whole_minus(r, p));
  int64_t h = whole_dot(n, p);
  if (whole_dot(n, whole_cross(q, r)) > 0 && whole_dot(n, whole_cross(r, p)) > 0 && whole_dot(n, whole_cross(p, q)) > 0)
    lower_to(best, h * h, whole_dot(n, n));
}

static bool same_sign(int64_t a, int64_t b, int64_t c, int64_t d) {
  return (a > 0 && b > 0 && c > 0 && d > 0) || (a < 0 && b < 0 && c < 0 && d < 0);
}

static fraction brute_square(const whole *w, int n) {
  fraction best = {INT64_C(1) << 40, 1};
  for (int i = 0; i < n; i++) {
    lower_to(&best, whole_dot(w[i], w[i]), 1);
    for (int j = 0; j < i; j++) {
      try_segment(&best, w[i], w[j]);
      for (int k = 0; k < j; k++) {
        try_triangle(&best, w[i], w[j], w[k]);
        for (int l = 0; l < k; l++)
          if (same_sign(whole_dot(w[j], whole_cross(w[k], w[l])), whole_dot(w[i], whole_cross(w[l], w[k])),
                        whole_dot(w[i], whole_cross(w[j], w[l])), whole_dot(w[i], whole_cross(w[k], w[j]))))
            lower_to(&best, 0, 1);
      }
    }
  }
  return best;
}

static bool no_point_beyond(const whole *w, int n, whole d) {
  for (int i = 0; i < n; i++)
    if (whole_dot(w[i], d) > 0) return false;
  return true;
}

/* No plane through the origin and two (2D: one) of the points has all points on one side. */
static bool brute_interior(const whole *w, int n, int dim) {
  bool any = false;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < (dim == 3 ? i : 1); j++) {
      whole d = whole_cross(w[i], dim == 3 ? w[j] : (whole){0, 0, 1});
      if (whole_dot(d, d) == 0) continue;
      any = true;
      if (no_point_beyond(w, n, d) || no_point_beyond(w, n, (whole){-d.x, -d.y, -d.z})) return false;
    }
  return any;
}

static int build_small_hulls(rng *random, int dim, whole *w) {
  whole p[2][6];
  int count[2];
  for (int body = 0; body < 2; body++) {
    count[body] = rng_between(random, 1, 5);
    int shift = body ? rng_between(random, -2, 2) : 0;
    for (int i = 0; i < count[body]; i++) {
      p[body][i].x = rng_between(random, -2, 2) + shift;
      p[body][i].y = rng_between(random, -2, 2);
      p[body][i].z = dim == 3 ? rng_between(random, -2, 2) : 0;
      (body ? pair.vertices_b : pair.vertices_a)[i] =
          vec(0.5 * (double)p[body][i].x, 0.5 * (double)p[body][i].y, 0.5 * (double)p[body][i].z);
    }
  }
  pair.a = dim == 2 ? graze_hull_points2(pair.vertices_a, (size_t)count[0])
                    : graze_hull_points(pair.vertices_a, (size_t)count[0]);
  pair.b = dim == 2 ? graze_hull_points2(pair.vertices_b, (size_t)count[1])
                    : graze_hull_points(pair.vertices_b, (size_t)count[1]);
  int n = 0;
  for (int i = 0; i < count[0]; i++)
    for (int j = 0; j < count[1]; j++) w[n++] = whole_minus(p[0][i], p[1][j]);
  return n;
}

/* The least h²/n·n over the normals of all planes (2D: lines) through differences of points: sizes are below 10, so
 * that normals are below 200 and h below 6000. */
static fraction brute_depth(const whole *w, int n, int dim) {
  fraction best = {INT64_C(1) << 40, 1};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < (dim == 3 ? n * n : 1); k++) {
        const whole e = dim == 3 ? whole_minus(w[k / n], w[k % n]) : (whole){0, 0, 1};
        const whole d = whole_cross(whole_minus(w[i], w[j]), e);
        int64_t most = 0, least = 0, nn = whole_dot(d, d);
        for (int l = 0; l < n && nn > 0; l++) {
          const int64_t at = whole_dot(w[l], d);
          most = at > most ? at : most, least = at < least ? at : least;
        }
        if (nn == 0) continue;
        lower_to(&best, most * most, nn);
        lower_to(&best, least * least, nn);
      }
  return best;
}

TEST(brute_force_agrees) {
  rng random = 3;
  oracle *o = oracle_new();
  int seen[4] = {0};
  for (int i = 0; i < 4000; i++) {
    whole w[25];
    int dim = i & 1 ? 2 : 3, n = build_small_hulls(&random, dim, w);
    pair.pose_a = pair.pose_b = i & 2 ? random_pose(&random, dim, 2) : identity;
    fraction square = brute_square(w, n);
    graze_relation relation = square.above > 0            ? GRAZE_SEPARATED
                              : brute_interior(w, n, dim) ? GRAZE_OVERLAPPING
                                                          : GRAZE_TOUCHING;
    if (relation == GRAZE_OVERLAPPING) square = brute_depth(w, n, dim);
    solve(o, &pair);
    assert_int_equal(oracle_relation(o), relation);
    assert_true(square.above ? square_is(o, square.above, square.below, -1) : oracle_cores_meet(o));
    seen[relation]++;
  }
  assert_true(seen[GRAZE_SEPARATED] > 400 && seen[GRAZE_TOUCHING] > 400 && seen[GRAZE_OVERLAPPING] > 400);
  oracle_free(o);
}

/* Hulls with many coplanar, collinear and repeated points: as many faces and edges as the solids have, or more by their
 * triangulation; and a cube in a ball of points, whose depth is that of its nearest face. */
TEST(hulls_have_their_faces) {
  oracle *o = oracle_new();
  int n = 0;
  for (int i = 0; i < 27; i++) pair.vertices_a[n++] = vec(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
  pair.a = graze_hull_points(pair.vertices_a, 27);
  pair.b = graze_point();
  pair.pose_a = pair.pose_b = identity;
  pair.pose_b.position = vec(0.25, -0.5, 0.125);
  solve(o, &pair);
  assert_int_equal(oracle_compare(o, -0.5), 0);
  assert_true(o->of_a.normal.count == 6 && o->of_a.edge.count == 36); /* each side of 3 vertices is 3 edges */
  assert_true(o->of_b.edge.count == 0 && o->of_b.normal.count == 0);
  /* flat: a square against a segment that pierces it, at a quarter from its edge */
  pair.a = graze_hull_points(pair.vertices_a, 9);
  pair.b = graze_segment(vec(0.75, 0, -4), vec(0.75, 0, 4));
  pair.pose_b.position = vec(0, 0, -1);
  solve(o, &pair);
  assert_int_equal(o->of_a.normal.count, 1);
  assert_int_equal(oracle_compare(o, -0.25), 0);
  assert_true(oracle_normal(o).x == 1);
  oracle_free(o);
}

/* ---- planted errors */

/* A correct answer: the library's, with the narrowest interval about the truth. */
static proved_answer correct(const oracle *o) {
  const graze_placed a = graze_place(&pair.a, pair.pose_a), b = graze_place(&pair.b, pair.pose_b);
  proved_answer x;
  assert_int_equal(query_distance(&a, &b, NULL, &x), GRAZE_OK);
  x.distance = oracle_distance(o);
  x.lower = x.distance == 0 ? 0 : nextafter(nextafter(x.distance, -INFINITY), -INFINITY);
  x.upper = x.distance == 0 ? 0 : nextafter(nextafter(x.distance, INFINITY), INFINITY);
  return x;
}

static const char *validate(oracle *o, const proved_answer *x) { return validate_distance(o, &pair.a, &pair.b, x); }

static void must_flag(oracle *o, proved_answer x, const char *planted) {
  if (!validate(o, &x)) fail_msg("not flagged: %s", planted);
}

/* One change of a correct answer, which validation must flag. */
#define PLANT(what, ...)                                                                                               \
  do {                                                                                                                 \
    proved_answer x = *good;                                                                                           \
    __VA_ARGS__;                                                                                                       \
    must_flag(o, x, what);                                                                                             \
  } while (0)

static void plant_in_a_gap(oracle *o, const proved_answer *good) {
  const double off = 1e-9 * good->distance;
  PLANT("distance and interval off by 1e-9 relative", x.distance += off, x.lower += off, x.upper += off);
  PLANT("distance off by 1e-9 relative, interval right", x.distance += off);
  PLANT("interval shifted up by three ulps", x.lower = nextafter(x.upper, INFINITY),
        x.distance = x.upper = nextafter(x.lower, INFINITY));
  PLANT("interval shifted down by three ulps", x.upper = nextafter(x.lower, -INFINITY),
        x.distance = x.lower = nextafter(x.upper, -INFINITY));
  PLANT("interval wider than promised", x.lower -= 2e-12 * pair_scale(&pair.a, &pair.b, x.distance));
  PLANT("a gap reported as touching", x.relation = GRAZE_TOUCHING, x.distance = x.lower = x.upper = 0);
  PLANT("a gap reported as overlapping", x.relation = GRAZE_OVERLAPPING, x.distance = NAN, x.upper = 0, x.lower = -1);
  PLANT("normal from B to A", x.normal = scaled(-1, x.normal));
  PLANT("normal not unit", x.normal.x += 1e-6);
  PLANT("witness point off", x.point_a.y += 1e-9);
}

static void plant_in_a_touch(oracle *o, const proved_answer *good) {
  PLANT("touching reported as separated", x.relation = GRAZE_SEPARATED, x.distance = x.upper = 5e-324, x.lower = 0);
  PLANT("touching reported as overlapping", x.relation = GRAZE_OVERLAPPING, x.distance = x.lower = -5e-324,
        x.upper = 0);
  PLANT("touching with an interval", x.upper = 1e-300);
}

static void plant_in_an_overlap(oracle *o, const proved_answer *good) {
  PLANT("overlapping reported as touching", x.relation = GRAZE_TOUCHING, x.distance = x.lower = x.upper = 0);
  PLANT("overlapping reported as separated", x.relation = GRAZE_SEPARATED, x.distance = x.upper = 1e-300, x.lower = 0);
  PLANT("no depth", x.distance = (double)NAN);
  PLANT("too shallow by three ulps", x.lower = nextafter(x.upper, INFINITY),
        x.distance = x.upper = nextafter(x.lower, INFINITY));
  PLANT("too deep by three ulps", x.upper = nextafter(x.lower, -INFINITY),
        x.distance = x.lower = nextafter(x.upper, -INFINITY));
}

TEST(planted_errors_are_flagged) {
  static void (*const make[])(oracle *, const proved_answer *) = {NULL, plant_in_a_gap, plant_in_a_touch,
                                                                  plant_in_an_overlap};
  oracle *o = oracle_new();
  int seen[4] = {0};
  for (int f = 0; f < families_random_count + 8; f++) {
    const family *from =
        f < families_random_count ? &families_random[f] : &families_degenerate[f - families_random_count];
    rng random = 4;
    for (int i = 0; i < 200; i++) {
      from->make(&random, &pair);
      solve(o, &pair);
      proved_answer good = correct(o);
      const char *why = validate(o, &good);
      if (why) fail_msg("%s %d: a correct answer was flagged: %s", from->name, i, why);
      make[good.relation](o, &good);
      seen[good.relation]++;
    }
  }
  assert_true(seen[1] > 200 && seen[2] > 50 && seen[3] > 50);
  oracle_free(o);
}

/* A direction that is only nearly the best must be seen: the local minima that other libraries report. */
TEST(planted_depths_are_flagged) {
  rng random = 5;
  oracle *o = oracle_new();
  int tried = 0;
  for (int i = 0; i < 3000; i++) {
    lattice_case c;
    int64_t square;
    build_lattice_case(&random, &c, 3, i & 1);
    if (closed_form(&c, 3, &square) != GRAZE_OVERLAPPING) continue;
    solve(o, &pair);
    proved_answer good = correct(o), x = good;
    if (validate(o, &good)) fail_msg("a correct answer was flagged: %s", validate(o, &good));
    plant_in_an_overlap(o, &good);
    x.normal = scaled(-1, x.normal);
    x.point_b = sub(scaled(2, x.point_a), x.point_b);
    if (c.at[0] && c.at[1] && c.at[2]) must_flag(o, x, "a direction of least depth on the opposite side");
    tried++;
  }
  assert_true(tried > 100);
  oracle_free(o);
}
