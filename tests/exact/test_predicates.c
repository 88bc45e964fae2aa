/* grz_orient2(), grz_orient3(), grz_in_circle() and the filter of grz_orient3() against integer determinants (GMP).
 * Points have all magnitudes, lie on one line, plane or circle or an ulp away from it, or are rounded. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/random.h"
#include "support/oracle/exact.h"
#include "exact/exact.h"
#include "exact/fixed.h"

typedef enum predicate { ORIENT2, ORIENT3, CIRCLE, PREDICATES } predicate;
enum { UNIT = -1126 }; /* orc_z_set_double() needs 52 bits below the last place */

static const uint64_t seed_of = 0x13198a2e03707344u;
static int signs[3], fixed_size[2]; /* counts of cases: by sign; of numbers that do not fit and that fit fixed size */

static int evaluate(predicate what, const graze_vec p[4]) {
  return what == ORIENT2   ? grz_orient2(p[0], p[1], p[2])
         : what == ORIENT3 ? grz_orient3(p[0], p[1], p[2], p[3])
                           : grz_in_circle(p[0], p[1], p[2], p[3]);
}

/* The determinant, in units of 2^UNIT to the power of the dimension. */
static void true_det(mpz_t out, predicate what, const graze_vec p[4]) {
  zvec origin, row[3];
  orc_z_init(&origin);
  orc_z_set_vec(&origin, p[what == CIRCLE ? 3 : 0], UNIT);
  for (int i = 0; i < 3; i++) {
    orc_z_init(&row[i]);
    if (what == ORIENT2 && i == 2) {
      mpz_set_ui(row[i].at[2], 1);
      continue;
    }
    orc_z_set_vec(&row[i], p[what == CIRCLE ? i : i + 1], UNIT);
    orc_z_sub(&row[i], &row[i], &origin);
    if (what == CIRCLE) orc_z_dot(out, &row[i], &row[i]), mpz_set(row[i].at[2], out);
  }
  orc_z_det(out, &row[0], &row[1], &row[2]);
  for (int i = 0; i < 3; i++) orc_z_clear(&row[i]);
  orc_z_clear(&origin);
}

/* Checks several orders of the points, each of which keeps or reverses the sign. */
static void check(predicate what, const graze_vec p[4]) {
  static const struct {
    int at[4], sign;
  } orders[PREDICATES][4] = {{{{0, 1, 2, 3}, 1}, {{1, 2, 0, 3}, 1}, {{2, 1, 0, 3}, -1}, {{0, 2, 1, 3}, -1}},
                             {{{0, 1, 2, 3}, 1}, {{1, 0, 2, 3}, -1}, {{3, 2, 1, 0}, 1}, {{0, 3, 1, 2}, 1}},
                             {{{0, 1, 2, 3}, 1}, {{1, 2, 0, 3}, 1}, {{1, 0, 2, 3}, -1}, {{0, 1, 3, 2}, -1}}};
  mpz_t det;
  mpz_init(det);
  true_det(det, what, p);
  const int sign = mpz_sgn(det);
  mpz_clear(det);
  signs[sign + 1]++;
  fixed_range range = fixed_range_empty();
  for (int i = 0; i < 4; i++) fixed_range_add(&range, p[i]);
  fixed_size[fixed_fits(range)]++;
  for (int k = 0; k < 4; k++) {
    const int *at = orders[what][k].at;
    const graze_vec q[4] = {p[at[0]], p[at[1]], p[at[2]], p[at[3]]};
    if (evaluate(what, q) == sign * orders[what][k].sign) continue;
    for (int i = 0; i < 4; i++) print_error("(%a, %a, %a)\n", p[i].x, p[i].y, p[i].z);
    fail_msg("predicate %d, order %d: %d", (int)what, k, sign);
  }
}

static int dim_of(predicate what) { return what == ORIENT3 ? 3 : 2; }
static double whole(rng *random, int most) { return rng_between(random, -most, most); }
static double neighbour(rng *random, double x) { return nextafter(x, rng_coin(random) ? INFINITY : -INFINITY); }

TEST(signs_of_random_points) {
  static const int ranges[][2] = {{-2, 2}, {-1074, 131}, {-1074, -1000}, {-290, -230}, {-200, -190}, {100, 131}};
  rng random = seed_of;
  for (predicate what = ORIENT2; what < PREDICATES; what++)
    for (int i = 0; i < 24000; i++) {
      const int *range = ranges[i % (int)COUNT(ranges)];
      graze_vec p[4];
      for (int k = 0; k < 4; k++) p[k] = rng_magnitude_vec(&random, dim_of(what), range[0], range[1]);
      check(what, p);
    }
}

/* Four points exactly on one line or plane: integer multiples of two vectors, added to (shift, shift). `other` scales
 * z. */
static void on_a_flat(rng *random, int dim, double shift, double unit, double other, graze_vec p[4]) {
  const graze_vec u = {whole(random, 1000), whole(random, 1000), whole(random, 1000)};
  const graze_vec v = {whole(random, 1000), whole(random, 1000), whole(random, 1000)};
  for (int k = 0; k < 4; k++) {
    const double s = whole(random, 500), t = dim == 3 ? whole(random, 500) : 0;
    p[k] = vec((shift + s * u.x + t * v.x) * unit, (shift + s * u.y + t * v.y) * unit, (s * u.z + t * v.z) * other);
    if (dim == 2) p[k].z = 0;
  }
}

/* Four of the twelve lattice points of a circle of radius 5. */
static void on_a_circle(rng *random, double shift, double unit, graze_vec p[4]) {
  static const int twelve[12][2] = {{5, 0},  {4, 3},   {3, 4},   {0, 5},  {-3, 4}, {-4, 3},
                                    {-5, 0}, {-4, -3}, {-3, -4}, {0, -5}, {3, -4}, {4, -3}};
  const size_t first = rng_index(random, 12);
  for (size_t k = 0; k < 4; k++) {
    const int *q = twelve[(first + 3 * k + rng_index(random, 3)) % 12];
    p[k] = vec((shift + q[0]) * unit, (shift - q[1]) * unit, 0);
  }
}

/* The determinant is exactly zero; then one point moves by an ulp. */
TEST(signs_at_zero_and_an_ulp_away) {
  rng random = seed_of + 1;
  for (predicate what = ORIENT2; what < PREDICATES; what++) {
    memset(signs, 0, sizeof signs), memset(fixed_size, 0, sizeof fixed_size);
    for (int i = 0; i < 30000; i++) {
      const int scale = 80 - rng_below(&random, 1100);
      const double unit = ldexp(1, scale), shift = i % 3 == 0 ? 0x1p40 : i % 3 == 1 ? 100 : 0;
      const double other = ldexp(unit, i % 4 ? 0 : scale > 0 ? -90 : 90);
      graze_vec p[4];
      if (what == CIRCLE)
        on_a_circle(&random, shift, unit, p);
      else
        on_a_flat(&random, dim_of(what), shift, unit, other, p);
      check(what, p);
      graze_vec *moved = &p[rng_index(&random, what == ORIENT2 ? 3 : 4)];
      const int axes = 1 + rng_below(&random, what == ORIENT3 ? 7 : 3);
      if (axes & 1) moved->x = neighbour(&random, moved->x);
      if (axes & 2) moved->y = neighbour(&random, moved->y);
      if (axes & 4) moved->z = neighbour(&random, moved->z);
      check(what, p);
    }
    for (int k = 0; k < 3; k++) assert_true(signs[k] > 8000);
    if (what == ORIENT3) assert_true(fixed_size[0] > 6000 && fixed_size[1] > 6000);
  }
}

/* The largest spread of magnitudes gives the longest exact numbers. */
TEST(signs_of_extreme_magnitudes) {
  static const double values[] = {
      0,       0x1p-1074, -0x1p-1074, 0x1.fffffffffffffp-1022, 1,    -1, 0x1.0000000000001p0,
      -1e-200, 1e40,      -1e40,      0x1.fffffffffffffp131,   3e-40};
  rng random = seed_of + 2;
  for (predicate what = ORIENT2; what < PREDICATES; what++)
    for (int i = 0; i < 30000; i++) {
      graze_vec p[4];
      for (int k = 0; k < 4; k++) {
        p[k].x = values[rng_index(&random, 12)], p[k].y = values[rng_index(&random, 12)], p[k].z = 0;
        if (what == ORIENT3) p[k].z = values[rng_index(&random, 12)];
      }
      check(what, p);
    }
  check(ORIENT2, (graze_vec[4]){{-0x1p-1074, -0x1p-1074, 0}, {1e40, 1e40, 0}, {0x1p-1074, 0, 0}});
  /* The rounded products lie on both sides of half the least subnormal, so the filter needs its absolute term. */
  memset(signs, 0, sizeof signs);
  check(ORIENT2, (graze_vec[4]){{-0x1p-500, -0x1p-500 - 0x1p-552, 0},
                                {0x1p-553, -0x1p-575, 0},
                                {0x1p-553 + 0x1p-575, 0x1p-628, 0}});
  assert_int_equal(signs[2], 1);
}

/* Full mantissas near one line or circle: every difference and product is rounded. */
TEST(signs_near_rounded_lines_and_circles) {
  rng random = seed_of + 3;
  for (int i = 0; i < 60000; i++) {
    graze_vec p[4] = {{0}}, from = rng_magnitude_vec(&random, 2, -1, 1),
              direction = rng_magnitude_vec(&random, 2, -1, 1);
    for (int k = 0; k < 3; k++) p[k] = add_scaled(from, rng_magnitude(&random, -3, 3), direction);
    check(ORIENT2, p);
    const double radius = rng_magnitude(&random, -40, 1);
    for (int k = 0; k < 4; k++) {
      const double angle = rng_uniform(&random, 0, 6.3);
      p[k] = vec(from.x + radius * cos(angle), from.y + radius * sin(angle), 0);
    }
    check(CIRCLE, p);
  }
}

/* Spreads of magnitudes just within and just beyond fixed size, and the largest numbers of both signs, for carries. */
TEST(signs_at_the_limit_of_fixed_size) {
  rng random = seed_of + 4;
  memset(fixed_size, 0, sizeof fixed_size);
  for (int i = 0; i < 20000; i++) {
    const int spread = 66 + i % 9, low = -60 - rng_below(&random, 900);
    graze_vec p[4];
    for (int k = 0; k < 4; k++) p[k] = rng_magnitude_vec(&random, 3, low, low + (k % 2 ? 2 : spread));
    p[0].x = ldexp(0x1.fffffffffffffp0, low + spread), p[1].y = ldexp(1, low);
    if (i % 3 == 0) p[3] = p[1]; /* 0 */
    if (i % 3 == 1) p[2].x = p[1].x = p[3].x = -p[0].x;
    check(ORIENT3, p);
  }
  assert_true(fixed_size[0] > 4000 && fixed_size[1] > 4000);
}

/* |normal·(d - a) - det| <= filter.error, and the largest error is not much smaller than this bound. */
TEST(filter_error_is_bounded_and_tight) {
  rng random = seed_of + 5;
  double worst = 0;
  mpq_t det, error;
  mpq_inits(det, error, NULL);
  for (int i = 0; i < 30000; i++) {
    const int low = i % 4 == 0 ? -700 : i % 4 == 1 ? -1074 : -1, high = i % 4 == 0 ? -300 : i % 4 == 1 ? 131 : 1;
    graze_vec p[4];
    for (int k = 0; k < 4; k++) p[k] = rng_magnitude_vec(&random, 3, low, high);
    if (i % 4 == 3) { /* nearly in the plane */
      p[3] = add_scaled(p[0], rng_magnitude(&random, -3, 1), sub(p[1], p[0]));
      p[3] = add_scaled(p[3], rng_magnitude(&random, -3, 1), sub(p[2], p[0]));
    }
    const graze_vec w = sub(p[3], p[0]);
    const grz_plane_filter filter = grz_orient3_filter(p[0], p[1], p[2], vec(fabs(w.x), fabs(w.y), fabs(w.z)));
    const double height = (filter.normal.x * w.x + filter.normal.y * w.y) + filter.normal.z * w.z;
    mpq_set_ui(det, 0, 1);
    true_det(mpq_numref(det), ORIENT3, p);
    mpq_div_2exp(det, det, -3 * UNIT);
    mpq_set_d(error, height);
    mpq_sub(error, error, det);
    mpq_abs(error, error);
    mpq_set_d(det, filter.error);
    if (mpq_cmp(error, det) > 0) fail_msg("case %d", i);
    mpq_div(error, error, det);
    worst = fmax(worst, mpq_get_d(error));
  }
  mpq_clears(det, error, NULL);
  if (worst < 0.15) fail_msg("the filter's error is never more than %g of its bound", worst);
}
