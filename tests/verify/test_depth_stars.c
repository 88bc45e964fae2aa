/* Surfaces and polygons of integer points, intact or damaged: accepted if integer arithmetic does, to the last bit. */

#include "verify/attacks.h"
#include "support/oracle/whole.h"
#include "support/random.h"

static whole whole_of(graze_vec v) { return (whole){(int64_t)v.x, (int64_t)v.y, (int64_t)v.z}; }

/* Is x² <= f? For x of 53 bits between 2^-10 and 2^10. */
static bool square_within(double x, fraction f) {
  int power;
  whole_wide m = (int64_t)ldexp(frexp(x, &power), 53); /* x = m·2^(power - 53) */
  whole_wide square = m * m * f.below;                 /* below 2^106 · 2^20 */
  assert_true(f.below < 1 << 20 && power > -10 && power < 10);
  for (int shift = 2 * (power - 53); shift < 0; shift++) { /* rounded up: only integers are compared */
    if (square <= (whole_wide)f.above) return true;
    square = square / 2 + square % 2;
  }
  return square <= (whole_wide)f.above;
}

/* The largest double whose square is at most f. */
static double root_below(fraction f) {
  double x = sqrt((double)f.above / (double)f.below);
  while (!square_within(x, f)) x = nextafter(x, 0);
  while (square_within(nextafter(x, 1e9), f)) x = nextafter(x, 1e9);
  return x;
}

/* det²/|N|² of a face: the squared distance of its plane from the origin. */
static fraction face_square(const closed_surface *s, const int32_t *index, bool *positive) {
  const whole w0 = whole_of(s->point[index[0]]), u = whole_minus(whole_of(s->point[index[1]]), w0);
  const whole n = whole_cross(u, whole_minus(whole_of(s->point[index[2]]), w0));
  const int64_t det = whole_dot(n, w0);
  *positive = det > 0;
  return (fraction){det * det, whole_dot(n, n)};
}

/* Does each directed edge occur as often as its reverse? */
static bool is_closed(const closed_surface *s) {
  int balance[SURFACE_PAIRS][SURFACE_PAIRS] = {{0}};
  for (size_t i = 0; i < s->surface.face_count; i++) {
    for (int k = 0; k < 3; k++) {
      int32_t from = s->face[i][k], to = s->face[i][(k + 1) % 3];
      balance[from][to]++, balance[to][from]--;
    }
  }
  for (int i = 0; i < SURFACE_PAIRS * SURFACE_PAIRS; i++) {
    if (balance[i / SURFACE_PAIRS][i % SURFACE_PAIRS] != 0) return false;
  }
  return true;
}

/* Does the surface prove a depth? *least is its square. */
static bool surface_proves(const closed_surface *s, fraction *least) {
  bool good = is_closed(s);
  for (size_t i = 0; good && i < s->surface.face_count; i++) {
    fraction f = face_square(s, s->face[i], &good);
    if (i == 0 || fraction_less(f, *least)) *least = f;
  }
  return good;
}

/* The depth of the origin in the hull: every plane through three points with all others on one side. */
static fraction hull_square(const closed_surface *s) {
  const int count = (int)s->surface.pair_count;
  fraction least = {1 << 20, 1};
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) {
      for (int k = j + 1; k < count; k++) {
        whole w0 = whole_of(s->point[i]);
        whole n = whole_cross(whole_minus(whole_of(s->point[j]), w0), whole_minus(whole_of(s->point[k]), w0));
        bool outside = whole_dot(n, n) == 0, positive;
        for (int m = 0; m < count && !outside; m++) outside = whole_dot(n, whole_minus(whole_of(s->point[m]), w0)) > 0;
        if (outside) continue;
        fraction f = face_square(s, (const int32_t[]){i, j, k}, &positive);
        if (fraction_less(f, least)) least = f;
      }
    }
  }
  return least;
}

/* An octahedron, each face split in four, each point moved along its ray. Points 0 to 5 are those of the axes. */
static void make_star(rng *random, closed_surface *s, int most) {
  int32_t middle[6][6];
  int count = 6, faces = 0;
  for (int i = 0; i < 6; i++) s->point[i] = scaled(i % 2 ? -2 : 2, vec(i / 2 == 0, i / 2 == 1, i / 2 == 2));
  for (int i = 0; i < 6; i++) {
    for (int k = i + 1; k < 6; k++) {
      if (i / 2 == k / 2) continue;
      middle[i][k] = middle[k][i] = count;
      s->point[count++] = scaled(0.5, add(s->point[i], s->point[k]));
    }
  }
  for (int octant = 0; octant < 8; octant++) {
    const int x = octant & 1, y = octant >> 1 & 1, z = octant >> 2, odd = (x + y + z) % 2;
    const int32_t a = odd ? 2 + y : x, b = odd ? x : 2 + y, c = 4 + z; /* counter-clockwise from outside */
    const int32_t ab = middle[a][b], bc = middle[b][c], ca = middle[c][a];
    const int32_t four[4][3] = {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}};
    memcpy(s->face[faces], four, sizeof four);
    faces += 4;
  }
  for (int i = 0; i < count; i++) s->point[i] = scaled(1 + rng_below(random, most), s->point[i]);
  surface_close(s, (size_t)count, (size_t)faces);
}

static verify_case star_case(rng *random, const closed_surface *s) {
  static const int axes[6] = {0, 1, 2, 3, 4, 5};
  int n[7];
  for (int i = 0; i < 7; i++) n[i] = rng_below(random, 9);
  const graze_pose pose = {{n[0], n[1], n[2]}, 1 + n[3], n[4], n[5], n[6]};
  return surface_case(s, rng_below(random, 3) == 0 ? identity : pose, 6, axes);
}

/* Seed 1. */
TEST(stars_prove_their_depth) {
  rng random = 1;
  int dented = 0;
  for (int i = 0; i < 300; i++) {
    closed_surface s;
    fraction proved;
    make_star(&random, &s, 1 + i % 3);
    assert_true(surface_proves(&s, &proved));
    const fraction depth = hull_square(&s);
    assert_false(fraction_less(depth, proved));
    dented += fraction_less(proved, depth);
    expect_depth(star_case(&random, &s), root_below(proved));
  }
  assert_in_range(dented, 100, 250);
}

/* One or two indices changed, or points moved: accepted if and only if the surface still proves something. Seed 2. */
TEST(damaged_stars) {
  rng random = 2;
  int sound = 0, unsound = 0;
  for (int i = 0; i < 6000; i++) {
    closed_surface s;
    fraction proved;
    make_star(&random, &s, 2);
    for (int change = rng_below(&random, 3); change > 0; change--)
      s.face[rng_below(&random, 32)][rng_below(&random, 3)] = rng_below(&random, (int)s.surface.pair_count);
    for (int move = rng_below(&random, 4); move > 0; move--) { /* the axes stay, so that the origin is inside */
      graze_vec *p = &s.point[6 + rng_below(&random, 12)];
      *(rng_coin(&random) ? &p->x : &p->z) += rng_below(&random, 3) - 1;
    }
    verify_case c = star_case(&random, &s);
    if (surface_proves(&s, &proved)) {
      sound++;
      assert_false(fraction_less(hull_square(&s), proved));
      expect_depth(c, root_below(proved));
    } else {
      unsound++;
      expect(with_interval(c, NAN, NAN, -0x1p-1074), GRAZE_REFUTED);
    }
  }
  assert_true(sound > 1000 && unsound > 1000);
}

/* ---- Polygons. */

/* The pairs that show the overlap are irrelevant here: a margin of 1 does. */
static verify_case polygon_case(closed_surface *s, const graze_vec *corners, int count) {
  memcpy(s->point, corners, (size_t)count * sizeof *corners);
  surface_close(s, (size_t)count, 0);
  verify_case c = surface_case(s, identity, 4, (const int[]){0, count / 3, count * 2 / 3, count - 1});
  c.answer.certificate.kind = GRAZE_CERTIFICATE_NEAR;
  c.b.shape.margin = 1;
  return c;
}

TEST(polygons_around_the_origin_prove_their_depth) {
  const struct {
    int count;
    double depth; /* 0: nothing is proved */
    graze_vec corners[8];
  } cases[] = {
      {4, 2, {{2, -3, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0}}},
      {4, 0, {{-4, -3, 0}, {-4, 5, 0}, {2, 5, 0}, {2, -3, 0}}}, /* clockwise */
      {6, 2, {{2, -3, 0}, {2, 0, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -1, 0}, {-4, -3, 0}}},
      {5, 0, {{2, -3, 0}, {2, -3, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0}}},                  /* a repeated corner */
      {5, 0.94868329805051377, {{2, -3, 0}, {1, 0, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0}}}, /* 3/sqrt(10), concave */
      {8, 2, {{2, -3, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0}, {2, -3, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0}}},
      {4, 0, {{3, -3, 0}, {3, 5, 0}, {1, 5, 0}, {1, -3, 0}}},                          /* beside the origin */
      {4, 0, {{3, -3, 0}, {3, 5, 0}, {0, 5, 0}, {0, -3, 0}}},                          /* through it */
      {4, 0, {{2, -3, 0}, {-4, 5, 0}, {2, 5, 0}, {-4, -3, 0}}},                        /* self-intersecting */
      {6, 0, {{2, -3, 0}, {2, 5, 0}, {-4, 5, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0}}}, /* an edge to and fro */
      {5, 3, {{0, 10, 0}, {-6, -8, 0}, {10, 3, 0}, {-10, 3, 0}, {6, -8, 0}}},          /* a pentagram */
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    closed_surface s;
    verify_case c = polygon_case(&s, cases[i].corners, cases[i].count);
    if (cases[i].depth > 0)
      expect_depth(c, cases[i].depth + 1);
    else
      expect(with_interval(c, NAN, NAN, nextafter(-1, -2)), GRAZE_REFUTED);
  }
}

TEST(counts_and_indices_of_polygons) {
  const graze_vec square[4] = {{1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}};
  closed_surface s;
  verify_case c = with_interval(polygon_case(&s, square, 4), NAN, NAN, -2);
  expect(c, GRAZE_OK);
  REFUTE_EACH(&c, size_t, s.surface.pair_count, 0, 1, 2, 3);
  for (int i = 0; i < 4; i++) REFUTE_EACH(&c, int32_t, s.pair[i].a, 4, -1);
  s.surface.pair_count = SIZE_MAX;
  expect(c, GRAZE_UNPROVEN);
  c.answer.certificate.surface = NULL;
  expect(c, GRAZE_REFUTED);
}
