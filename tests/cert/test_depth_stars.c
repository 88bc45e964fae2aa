/* Surfaces and polygons of whole numbers, convex or not, whole or broken: the verifier accepts them when, and only
 * when, whole numbers say so, with the depth that these say to the last bit, and never more than the truth. Seeds are
 * stated at each test. */

#include "support/test.h"
#include "cert/skins.h"
#include "support/oracle/whole.h"
#include "support/rational.h"

static uint64_t state;

static int below(int count) { return rng_below(&state, count); }

/* ---- Star-shaped surfaces of whole numbers. */

static whole whole_of(graze_vec v) { return (whole){(int64_t)v.x, (int64_t)v.y, (int64_t)v.z}; }

/* Squares of distances are fractions. */

/* Is x² <= f? For x of 53 bits between 2^-10 and 2^10. */
static bool square_within(double x, fraction f) {
  int power;
  whole_wide m = (int64_t)ldexp(frexp(x, &power), 53); /* x = m·2^(power - 53) */
  whole_wide square = m * m * f.below;                 /* below 2^106 · 2^20 */
  assert_true(f.below < 1 << 20 && power > -10 && power < 10);
  for (int shift = 2 * (power - 53); shift < 0; shift++) { /* rounded up: only whole numbers are compared */
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

/* (det, |N|²) of a face: 3D of three points, 2D of two. */
static fraction face_square(const skin *s, const int32_t *index, int dim, bool *faces_origin) {
  whole w0 = whole_of(s->point[index[0]]), u = whole_minus(whole_of(s->point[index[1]]), w0);
  whole n = {u.y, -u.x, 0};
  if (dim == 3) n = whole_cross(u, whole_minus(whole_of(s->point[index[2]]), w0));
  int64_t det = whole_dot(n, w0);
  *faces_origin = det > 0;
  return (fraction){det * det, whole_dot(n, n)};
}

/* Each edge, however often it is there, is met as often by its reverse. */
static bool edges_meet(const skin *s) {
  int balance[SKIN_PAIRS][SKIN_PAIRS];
  memset(balance, 0, sizeof balance);
  for (size_t i = 0; i < s->surface.face_count; i++) {
    for (int k = 0; k < 3; k++) {
      int32_t from = s->face[i][k], to = s->face[i][(k + 1) % 3];
      balance[from][to]++;
      balance[to][from]--;
    }
  }
  for (int i = 0; i < SKIN_PAIRS; i++) {
    for (int k = 0; k < SKIN_PAIRS; k++) {
      if (balance[i][k] != 0) return false;
    }
  }
  return true;
}

/* Does the surface prove anything, and what? */
static bool surface_shows(const skin *s, fraction *least) {
  bool good = edges_meet(s);
  for (size_t i = 0; good && i < s->surface.face_count; i++) {
    fraction f = face_square(s, s->face[i], 3, &good);
    if (i == 0 || fraction_less(f, *least)) *least = f;
  }
  return good;
}

/* The true depth of the origin in the hull: every plane through three points with all others on one side. */
static fraction hull_square(const skin *s) {
  int count = (int)s->surface.pair_count;
  fraction least = {1 << 20, 1};
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) {
      for (int k = j + 1; k < count; k++) {
        const int32_t index[3] = {i, j, k};
        whole w0 = whole_of(s->point[i]);
        whole n = whole_cross(whole_minus(whole_of(s->point[j]), w0), whole_minus(whole_of(s->point[k]), w0));
        bool outside = whole_dot(n, n) == 0, positive;
        for (int m = 0; m < count && !outside; m++) outside = whole_dot(n, whole_minus(whole_of(s->point[m]), w0)) > 0;
        if (outside) continue;
        fraction f = face_square(s, index, 3, &positive);
        if (fraction_less(f, least)) least = f;
      }
    }
  }
  return least;
}

/* An octahedron, each face parted in four, each point moved along its ray: star-shaped, hardly ever convex. The points
 * 0 to 5 are those of the axes. */
static void make_star(skin *s, int most) {
  static const int8_t axis[6][3] = {{2, 0, 0}, {-2, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, 2}, {0, 0, -2}};
  int32_t middle[6][6];
  int points = 6, faces = 0;
  for (int i = 0; i < 6; i++) s->point[i] = vec(axis[i][0], axis[i][1], axis[i][2]);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 6; k++) {
      if (i / 2 == k / 2) continue;
      if (i < k)
        s->point[middle[i][k] = points++] =
            vec(0.5 * (axis[i][0] + axis[k][0]), 0.5 * (axis[i][1] + axis[k][1]), 0.5 * (axis[i][2] + axis[k][2]));
      if (i > k) middle[i][k] = middle[k][i];
    }
  }
  for (int octant = 0; octant < 8; octant++) {
    int32_t a = octant & 1, b = 2 + (octant >> 1 & 1), c = 4 + (octant >> 2);
    bool odd = ((octant & 1) + (octant >> 1 & 1) + (octant >> 2)) % 2;
    if (odd) a ^= b, b ^= a, a ^= b; /* from outside, counter-clockwise */
    int32_t ab = middle[a][b], bc = middle[b][c], ca = middle[c][a];
    const int32_t four[4][3] = {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}};
    memcpy(s->face[faces], four, sizeof four);
    faces += 4;
  }
  for (int i = 0; i < points; i++) {
    double by = 1 + below(most);
    s->point[i] = vec(by * s->point[i].x, by * s->point[i].y, by * s->point[i].z);
  }
  skin_close(s, (size_t)points, (size_t)faces);
}

static const int star_inside[6] = {0, 1, 2, 3, 4, 5};

static graze_pose any_pose(int i) {
  return i % 3 == 0 ? home : graze_pose3(vec(below(9), below(9), below(9)), 1 + below(9), below(9), below(9), below(9));
}

/* Seed 1. */
TEST(test_stars) {
  int dented = 0;
  state = 1;
  for (int i = 0; i < 300; i++) {
    skin s;
    fraction shown;
    make_star(&s, 1 + i % 3);
    assert_true(surface_shows(&s, &shown));
    fraction truth = hull_square(&s);
    assert_false(fraction_less(truth, shown));
    dented += fraction_less(shown, truth);
    expect_depth(claim_skin(&s, any_pose(i), 6, star_inside), root_below(shown));
  }
  assert_in_range(dented, 100, 250);
}

/* One or two indices changed, or a point moved: accepted where, and only where, it still shows something. Seed 2. */
TEST(test_stars_attacked) {
  int sound = 0, unsound = 0;
  state = 2;
  for (int i = 0; i < 6000; i++) {
    skin s;
    fraction shown;
    make_star(&s, 2);
    for (int change = below(3); change > 0; change--) s.face[below(32)][below(3)] = below((int)s.surface.pair_count);
    for (int move = below(4); move > 0; move--) { /* the axes stay, so that the origin is inside */
      graze_vec *p = &s.point[6 + below(12)];
      *(below(2) ? &p->x : &p->z) += below(3) - 1;
    }
    claim c = claim_skin(&s, any_pose(i), 6, star_inside);
    if (surface_shows(&s, &shown)) {
      sound++;
      assert_false(fraction_less(hull_square(&s), shown));
      expect_depth(c, root_below(shown));
    } else {
      unsound++;
      claim_interval(&c, NAN, NAN, -0x1p-1074);
      expect(&c, GRAZE_REFUTED);
    }
  }
  assert_true(sound > 1000 && unsound > 1000);
}

/* ---- Polygons. */

static claim claim_polygon(skin *s, const graze_vec *points, size_t count) {
  memcpy(s->point, points, count * sizeof *points);
  skin_close(s, count, 0);
  s->surface.faces = NULL;
  claim c = claim_skin(s, home, 0, NULL);
  /* what holds the origin is not in question here */
  c.answer.certificate.kind = GRAZE_CERTIFICATE_NEAR;
  c.b.shape.margin = 1;
  const graze_pair pairs[4] = {claim_vertices(0, 0), claim_vertices((int)count / 3, 0),
                               claim_vertices((int)count * 2 / 3, 0), claim_vertices((int)count - 1, 0)};
  claim_pairs(&c, 4, pairs);
  return c;
}

static void expect_polygon(const graze_vec *points, size_t count, double depth) {
  skin s;
  claim c = claim_polygon(&s, points, count);
  if (depth > 0) {
    expect_depth(c, depth + 1);
    return;
  }
  claim_interval(&c, NAN, NAN, nextafter(-1, -2));
  expect(&c, GRAZE_REFUTED);
}

TEST(test_polygons) {
  const graze_vec square[4] = {{2, -3, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0}};
  const graze_vec clockwise[4] = {{-4, -3, 0}, {-4, 5, 0}, {2, 5, 0}, {2, -3, 0}};
  const graze_vec split[6] = {{2, -3, 0}, {2, 0, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -1, 0}, {-4, -3, 0}};
  const graze_vec repeated[5] = {{2, -3, 0}, {2, -3, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0}};
  const graze_vec dented[5] = {{2, -3, 0}, {1, 0, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0}};
  const graze_vec twice[8] = {{2, -3, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0},
                              {2, -3, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0}};
  const graze_vec aside[4] = {{3, -3, 0}, {3, 5, 0}, {1, 5, 0}, {1, -3, 0}};
  const graze_vec through[4] = {{3, -3, 0}, {3, 5, 0}, {0, 5, 0}, {0, -3, 0}};
  const graze_vec crossed[4] = {{2, -3, 0}, {-4, 5, 0}, {2, 5, 0}, {-4, -3, 0}};
  const graze_vec back[6] = {{2, -3, 0}, {2, 5, 0}, {-4, 5, 0}, {2, 5, 0}, {-4, 5, 0}, {-4, -3, 0}};
  expect_polygon(square, 4, 2);
  expect_polygon(clockwise, 4, 0);
  expect_polygon(split, 6, 2);
  expect_polygon(repeated, 5, 0);
  expect_polygon(dented, 5, 0.94868329805051377); /* 3/sqrt(10), the edge from (2, -3) to (1, 0) */
  expect_polygon(twice, 8, 2);
  expect_polygon(aside, 4, 0);
  expect_polygon(through, 4, 0);
  expect_polygon(crossed, 4, 0);
  expect_polygon(back, 6, 0);
}

/* Five points, each joined to the next but one: it winds twice, and shows what its edges do. */
TEST(test_pentagram) {
  const graze_vec star[5] = {{0, 10, 0}, {-6, -8, 0}, {10, 3, 0}, {-10, 3, 0}, {6, -8, 0}};
  const int32_t edges[5][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}};
  skin s;
  bool positive;
  claim c = claim_polygon(&s, star, 5);
  fraction least = face_square(&s, edges[0], 2, &positive);
  for (int i = 1; i < 5; i++) {
    fraction f = face_square(&s, edges[i], 2, &positive);
    assert_true(positive);
    if (fraction_less(f, least)) least = f;
  }
  c.b.shape.margin = 0;
  c.answer.certificate.kind = GRAZE_CERTIFICATE_INSIDE;
  const graze_pair inside[3] = {claim_vertices(0, 0), claim_vertices(1, 0), claim_vertices(4, 0)};
  claim_pairs(&c, 3, inside);
  expect_depth(c, root_below(least));
}

TEST(test_polygon_counts) {
  const graze_vec square[4] = {{1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}};
  skin s;
  claim c = claim_polygon(&s, square, 4);
  claim_interval(&c, NAN, NAN, -2);
  expect(&c, GRAZE_OK);
  for (size_t count = 0; count < 4; count++) {
    s.surface.pair_count = count;
    expect(&c, GRAZE_REFUTED);
  }
  s.surface.pair_count = SIZE_MAX;
  expect(&c, GRAZE_UNPROVEN);
  s.surface.pair_count = 4;
  for (int i = 0; i < 4; i++) {
    s.pair[i].a = 4;
    expect(&c, GRAZE_REFUTED);
    s.pair[i].a = -1;
    expect(&c, GRAZE_REFUTED);
    s.pair[i].a = i;
  }
  c.answer.certificate.surface = NULL;
  expect(&c, GRAZE_REFUTED);
}
