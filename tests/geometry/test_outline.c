/* graze_validate_outline() against brute force in integers: every error, in order, and the area to the last bit. The
 * same polygons test graze_check() and graze_decompose(). Families: small lattices, on which edges often touch;
 * lattices of single ulps at large offsets; sheared, huge and tiny ones; points next to a line by rounding; 10,000
 * vertices. */

#include "support/test.h"
#include "geometry/rings.h"
#include "geometry/tiling.h"

static const uint64_t seed_of = 0x082efa98ec4e6c89u;
static rng state;

static int64_t below(int64_t n) { return (int64_t)rng_index(&state, (size_t)n); }
static size_t any(size_t n) { return rng_index(&state, n); }
static int rounds(int n) { return tiered(n, 2 * n, 40 * n); }
static graze_vec at(double x, double y) { return (graze_vec){x, y, 0}; }

/* Validates; area and winding must be exact. */
static graze_outline validate(const graze_vec *vertices, size_t n) {
  graze_outline outline;
  graze_error error = {.status = GRAZE_REFUTED, .index = 7, .value = 7};
  int sign;
  const double area = tiling_area(vertices, n, &sign);
  const graze_winding winding = sign > 0 ? GRAZE_WINDING_CCW : sign < 0 ? GRAZE_WINDING_CW : GRAZE_WINDING_NONE;
  assert_int_equal(graze_validate_outline(vertices, n, NULL, &outline, &error), GRAZE_OK);
  assert_int_equal(error.status, GRAZE_OK);
  if (outline.area != area || outline.winding != winding)
    fail_msg("area %a, expected %a, sign %d, %zu vertices from (%a, %a)", outline.area, area, sign, n, vertices[0].x,
             vertices[0].y);
  return outline;
}

/* ---- Known outlines */

enum {
  FEW = 1 << GRAZE_OUTLINE_FEW_POINTS,
  ZERO = 1 << GRAZE_OUTLINE_ZERO_AREA,
  NEIGHBOUR = 1 << GRAZE_OUTLINE_REPEATED_NEIGHBOUR,
  REPEATED = 1 << GRAZE_OUTLINE_REPEATED_POINT,
  TOUCH = 1 << GRAZE_OUTLINE_EDGES_TOUCH,
  CROSS = 1 << GRAZE_OUTLINE_EDGES_CROSS
};

static unsigned kinds_of(const graze_outline *outline) {
  unsigned kinds = 0;
  for (size_t i = 0; i < outline->error_count; i++) kinds |= 1u << outline->errors[i].kind;
  return kinds;
}

TEST(known_outlines) {
  static const struct {
    const char *name, *vertices;
    bool convex;
    unsigned kinds;
  } known[] = {
      {"clockwise", "0 0, 0 1, 1 0", true, 0},
      {"near-touch", "0 0, 10 0, 10 10, 5 0x1p-45, 0 10", false, 0},
      {"cross-ulp", "0 0, 10 0, 10 10, 5 -0x1p-45, 0 10", false, CROSS},
      {"bad-bowtie", "0 0, 2 2, 2 0, 0 2", false, ZERO | CROSS},
      {"zeros of both signs", "0 0, 1 -0.0, 0 1, -0.0 0", true, NEIGHBOUR},
      {"bad-keyhole", "0 0, 8 0, 8 8, 0 8, 0 0, 2 2, 2 6, 6 6, 6 2, 2 2", false, REPEATED | TOUCH},
      {"twice around", "0 0, 1 0, 0 1, 0 0, 1 0, 0 1", false, REPEATED | TOUCH},
      {"earcut-bad-diagonals",
       "440 4152, 440 4208, 296 4192, 368 4192, 400 4200, 400 4176, 368 4192, 296 4192, 264 4200, 288 4160, 296 4192",
       false, REPEATED | TOUCH},
      {"twice the point", "3 4, 3 4", false, FEW | ZERO | NEIGHBOUR},
      {"the largest, a corner cut by the least", "0x1p-1074 0, 1e40 0, 1e40 1e40, 0 0x1p-1074", true, 0},
      {"the largest half square", "-1e40 -1e40, 0 0, 1e40 1e40, -1e40 1e40", true, 0},
      {"the same with a dent", "-1e40 -1e40, 0 0x1p-1074, 1e40 1e40, -1e40 1e40", false, 0},
      {"a diagonal crossed at the least", "-1e40 -1e40, 1e40 1e40, 1e40 -1e40, 0x1p-1074 0, 0 0x1p-1074, -1e40 1e40",
       false, CROSS},
  };
  for (size_t k = 0; k < COUNT(known); k++) {
    rings all = rings_parse(known[k].vertices);
    graze_outline outline = validate(all.points, all.point_count);
    const unsigned kinds = kinds_of(&outline);
    if (outline.convex != known[k].convex || outline.simple != (kinds == 0) || kinds != known[k].kinds)
      fail_msg("%s: convex %d, simple %d, kinds %x", known[k].name, outline.convex, outline.simple, kinds);
    graze_outline_destroy(&outline);
    graze_outline_destroy(&outline); /* a zeroed outline */
    rings_clear(&all);
    assert_null(outline.errors);
  }
}

TEST(texts) {
  static const char *const errors[] = {"fewer_than_3_distinct_points",
                                       "zero_area",
                                       "repeated_consecutive_point",
                                       "repeated_point_elsewhere",
                                       "edges_touch",
                                       "edges_cross",
                                       "hole_outside"};
  static const struct {
    graze_winding winding;
    const char *text;
  } windings[] = {{GRAZE_WINDING_NONE, "none"},
                  {GRAZE_WINDING_CCW, "ccw"},
                  {GRAZE_WINDING_CW, "cw"},
                  {(graze_winding)99, "unknown winding"}};
  for (int i = 0; i < (int)COUNT(errors); i++)
    assert_string_equal(graze_outline_error_text((graze_outline_error_kind)(i + GRAZE_OUTLINE_FEW_POINTS)), errors[i]);
  assert_string_equal(graze_outline_error_text((graze_outline_error_kind)99), "unknown outline error");
  for (size_t i = 0; i < COUNT(windings); i++)
    assert_string_equal(graze_winding_text(windings[i].winding), windings[i].text);
}

/* Coordinates of all magnitudes; of mixed magnitudes; with areas near 2^-1022, where they become subnormal; and with
 * areas halfway between two subnormal numbers. */
TEST(areas_to_the_last_bit) {
  static const int ranges[][2] = {{-3, 3}, {-1074, 131}, {-515, -508}, {-540, -530}, {128, 131}, {-60, 0}};
  rng random = 0x452821e638d01377;
  graze_vec v[6];
  int subnormal = 0;
  for (int i = 0; i < 40000; i++) {
    const int *range = ranges[i % (int)COUNT(ranges)];
    size_t n = 3 + rng_index(&random, 4);
    for (size_t k = 0; k < n; k++) v[k] = rng_magnitude_vec(&random, 2, range[0], range[1]);
    if (rng_coin(&random)) v[0] = at(0, 0), v[1].y = 0, v[2].x = 0, n = 3;
    graze_outline outline = validate(v, n);
    subnormal += outline.area > 0 && outline.area < 0x1p-1022;
    graze_outline_destroy(&outline);
  }
  assert_in_range(subnormal, 4000, 20000);
  for (int i = 1; i < 200; i++) /* i·2^-1075, halfway between two subnormal areas, and slightly more or less */
    for (int hair = -1; hair <= 1; hair++) {
      v[0] = at(0, 0), v[1] = at(i * 0x1p-540, 0), v[2] = at(0, 0x1p-534), v[3] = at(hair * 0x1p-1074, 0);
      graze_outline outline = validate(v, hair == 0 ? 3 : 4);
      graze_outline_destroy(&outline);
    }
}

/* ---- Brute force in 128-bit integers: solves for the intersection of every pair of edges. */

enum { VERTICES_MAX = 500 };

__extension__ typedef __int128 int128;
typedef struct point {
  int128 x, y;
} point;

static point p[VERTICES_MAX]; /* the vertices in units of 2^unit: |x|, |y| <= 2^58, and doubles */
static size_t count;
static int unit;
static graze_outline_error errors[VERTICES_MAX * VERTICES_MAX];
static size_t error_count;

static point minus(point a, point b) { return (point){a.x - b.x, a.y - b.y}; }
static int128 cross(point a, point b) { return a.x * b.y - a.y * b.x; }
static int128 dot(point a, point b) { return a.x * b.x + a.y * b.y; }
static bool same(point a, point b) { return a.x == b.x && a.y == b.y; }

static size_t next(size_t i) { return (i + 1) % count; }
static size_t before(size_t i) { return (i + count - 1) % count; }
static bool is_repeat(size_t i) { return count > 1 && same(p[i], p[before(i)]); }
static bool is_edge(size_t i) { return !same(p[i], p[next(i)]); }

/* The next edge that is not of length 0. */
static size_t after(size_t i) {
  do i = next(i);
  while (!is_edge(i));
  return i;
}

/* The error of edges i and j, or 0. */
static int pair_error(size_t i, size_t j) {
  const point a = p[i], c = p[j], u = minus(p[next(i)], a), v = minus(p[next(j)], c), w = minus(c, a);
  const bool successive = after(i) == j || after(j) == i;
  int128 det = cross(u, v), s = cross(w, v), t = cross(w, u); /* a + (s/det)·u = c + (t/det)·v */
  if (det == 0) {
    if (t != 0) return 0;
    int128 low = dot(w, u), high = dot(minus(p[next(j)], a), u); /* collinear: the part of i that j covers */
    if (low > high) low = high, high = dot(w, u);
    if (low < 0) low = 0;
    if (high > dot(u, u)) high = dot(u, u);
    return low > high || (low == high && successive) ? 0 : GRAZE_OUTLINE_EDGES_TOUCH;
  }
  if (det < 0) s = -s, t = -t, det = -det;
  if (s < 0 || s > det || t < 0 || t > det || successive) return 0;
  return s > 0 && s < det && t > 0 && t < det ? GRAZE_OUTLINE_EDGES_CROSS : GRAZE_OUTLINE_EDGES_TOUCH;
}

static void add(int kind, size_t index, size_t other) {
  errors[error_count++] = (graze_outline_error){(graze_outline_error_kind)kind, 0, index, 0, other};
}

/* Are the points not collinear, and all on one side of every edge? */
static bool is_one_sided(void) {
  bool flat = true;
  for (size_t i = 0; i < count; i++) {
    bool left = false, right = false;
    for (size_t j = 0; j < count; j++) {
      const int128 turn = cross(minus(p[next(i)], p[i]), minus(p[j], p[i]));
      left |= turn > 0, right |= turn < 0;
    }
    if (left && right) return false;
    flat = flat && !left && !right;
  }
  return !flat;
}

/* Sets `errors`. Returns whether the outline is convex; a convex outline that is not flat is simple. */
static bool find_errors(bool has_area) {
  size_t distinct = 0;
  error_count = 0;
  for (size_t i = 0; i < count; i++) {
    size_t j = 0;
    while (!same(p[i], p[j])) j++;
    distinct += i == j;
  }
  if (distinct < 3) add(GRAZE_OUTLINE_FEW_POINTS, 0, 0);
  if (!has_area) add(GRAZE_OUTLINE_ZERO_AREA, 0, 0);
  for (size_t i = 0; i < count; i++)
    if (is_repeat(i)) add(GRAZE_OUTLINE_REPEATED_NEIGHBOUR, i, before(i));
  for (size_t i = 0; i < count; i++) {
    size_t j = 0;
    while (j < i && (is_repeat(j) || !same(p[i], p[j]))) j++;
    if (j < i && !is_repeat(i)) add(GRAZE_OUTLINE_REPEATED_POINT, i, j);
  }
  const size_t others = error_count;
  for (int kind = GRAZE_OUTLINE_EDGES_TOUCH; kind <= GRAZE_OUTLINE_EDGES_CROSS; kind++)
    for (size_t i = 0; i < count; i++)
      for (size_t j = i + 1; j < count && is_edge(i); j++)
        if (is_edge(j) && pair_error(i, j) == kind) add(kind, i, j);
  return error_count == others && is_one_sided();
}

/* The number of outlines of each kind. */
static struct tally { int outlines, convex, simple, kinds[GRAZE_OUTLINE_HOLE_OUTSIDE], windings[3], decomposed; } tally;

/* graze_check() must accept convex outlines and collinear ones. */
static void check_polygon(const graze_vec *vertices, bool convex) {
  const graze_shape polygon = graze_polygon(vertices, count);
  graze_error error;
  if (count < 3) return;
  const graze_status status = graze_check(&polygon, NULL, &error);
  bool line = true;
  for (size_t i = 1; i < count && line && !convex; i++)
    for (size_t k = 1; k < i && line; k++) line = cross(minus(p[k], p[0]), minus(p[i], p[0])) == 0;
  assert_int_equal(status, convex || line ? GRAZE_OK : GRAZE_NOT_CONVEX);
  if (status == GRAZE_OK) return;
  assert_in_range(error.index, 0, count - 1);
  assert_string_equal(error.what, "vertices");
}

/* graze_decompose() must report edges that cross, and tile what it accepts. */
static void check_decomposition(const graze_vec *vertices, bool crosses) {
  const graze_ring ring = {vertices, count};
  graze_decomposition d = {0};
  graze_outline_error reason = {0};
  const graze_status status = graze_decompose(ring, NULL, 0, GRAZE_SPLIT_AUTO, NULL, &d, &reason, NULL);
  assert_int_equal(status == GRAZE_NOT_SIMPLE && reason.kind == GRAZE_OUTLINE_EDGES_CROSS, crosses);
  bool listed = !crosses;
  for (size_t i = 0; i < error_count && !listed; i++)
    listed = errors[i].kind == reason.kind && errors[i].index == reason.index && errors[i].other == reason.other;
  assert_true(listed);
  if (status == GRAZE_OK) {
    const char *fault = tiling_fault(ring, NULL, 0, &d);
    if (fault != NULL) fail_msg("decomposition: %s", fault);
    tally.decomposed++;
  } else {
    assert_int_equal(status, GRAZE_NOT_SIMPLE);
  }
  graze_decomposition_destroy(&d);
}

static void check(void) {
  graze_vec vertices[VERTICES_MAX];
  for (size_t i = 0; i < count; i++) vertices[i] = at(ldexp((double)p[i].x, unit), ldexp((double)p[i].y, unit));
  graze_outline outline = validate(vertices, count);
  const bool convex = find_errors(outline.winding != GRAZE_WINDING_NONE);
  bool good = outline.convex == convex && outline.simple == (error_count == 0) && outline.error_count == error_count;
  for (size_t i = 0; good && i < error_count; i++) {
    const graze_outline_error *a = &outline.errors[i], *b = &errors[i];
    good = a->kind == b->kind && a->ring == 0 && a->other_ring == 0 && a->index == b->index && a->other == b->other;
  }
  if (!good) {
    for (size_t i = 0; i < count; i++) print_message("%a %a\n", vertices[i].x, vertices[i].y);
    fail_msg("convex %d, expected %d; %zu errors, expected %zu", outline.convex, convex, outline.error_count,
             error_count);
  }
  const unsigned kinds = kinds_of(&outline);
  tally.outlines++, tally.convex += convex, tally.simple += outline.simple, tally.windings[outline.winding]++;
  for (int kind = 1; kind < GRAZE_OUTLINE_HOLE_OUTSIDE; kind++) tally.kinds[kind] += (kinds & (1u << kind)) != 0;
  graze_outline_destroy(&outline);
  check_polygon(vertices, convex);
  check_decomposition(vertices, kinds & CROSS);
}

static void share(const char *what, int n, double low, double high) {
  const double part = (double)n / tally.outlines;
  if (!(part >= low && part <= high)) fail_msg("%s: %.4f of the outlines, not %g to %g", what, part, low, high);
}

static int seed(void **unused) {
  (void)unused;
  state = seed_of, unit = 0;
  memset(&tally, 0, sizeof tally);
  return 0;
}

/* ---- Small lattices */

static void lattice(size_t n, int64_t width, int64_t height) {
  count = n;
  for (size_t i = 0; i < n; i++) p[i].x = below(width), p[i].y = below(height);
}

TEST_WITH(small_lattices, seed, NULL) {
  for (int i = 0; i < rounds(60000); i++) {
    const size_t n = 1 + any(9);
    const int64_t width = 1 + below(5), height = 1 + below(5);
    lattice(n, width, height);
    check();
  }
  share("convex", tally.convex, 0.05, 0.2);
  share("simple", tally.simple, 0.04, 0.2);
  share("decomposed", tally.decomposed, 0.1, 0.5);
  for (int kind = 1; kind < GRAZE_OUTLINE_HOLE_OUTSIDE; kind++)
    share(graze_outline_error_text((graze_outline_error_kind)kind), tally.kinds[kind], 0.1, 0.9);
  for (int winding = 0; winding < 3; winding++) share("winding", tally.windings[winding], 0.15, 0.7);
}

/* All outlines of 1 to 5 vertices on a 3 by 3 lattice. */
TEST_WITH(all_on_a_tiny_lattice, seed, NULL) {
  size_t codes = 9;
  unit = -1074;
  for (count = 1; count <= 5; count++, codes *= 9)
    for (size_t code = 0; code < codes; code++) {
      size_t rest = code;
      for (size_t i = 0; i < count; i++, rest /= 9) p[i] = (point){rest % 9 / 3, rest % 3};
      check();
    }
}

/* ---- Simple outlines, and outlines with one error */

/* n vertices around the origin, each `step` n-ths of a turn after the previous one. Step 1: simple unless two vertices
 * have the same angle. Otherwise a star polygon. Radii vary by the part `rough`. */
static void around(size_t n, size_t step, double radius, double rough) {
  count = n;
  for (size_t i = 0; i < n; i++) {
    const double angle = ((double)(i * step % n) + 0.3) * 6.283185307179586 / (double)n;
    const double r = radius * (1 - rough * (double)below(1000) / 1000);
    p[i] = (point){(int128)rint(r * cos(angle)), (int128)rint(r * sin(angle))};
  }
}

static void exchange(size_t i, size_t j) {
  const point t = p[i];
  p[i] = p[j], p[j] = t;
}

static void turn_back(void) {
  for (size_t i = 0, j = count - 1; i < j; i++, j--) exchange(i, j);
}

TEST_WITH(star_shaped, seed, NULL) {
  for (int i = 0; i < rounds(3000); i++) {
    around(3 + any(60), 1, i % 3 == 0 ? 50 : 100000, 0.8);
    if (i % 2) turn_back();
    const size_t from = any(count), to = any(count);
    if (i % 4 > 1) p[to] = p[from];
    check();
  }
  share("simple", tally.simple, 0.3, 0.6);
  share("crossing", tally.kinds[GRAZE_OUTLINE_EDGES_CROSS], 0.2, 0.6);
}

/* Convex outlines with repeated and collinear vertices; also with two vertices exchanged or one moved. */
TEST_WITH(nearly_convex, seed, NULL) {
  static const int ring[][2] = {{0, 0}, {2, 0},  {4, 0},  {7, 1},  {9, 2}, {10, 3}, {10, 5}, {10, 6}, {9, 8},
                                {8, 9}, {6, 10}, {3, 10}, {1, 10}, {0, 9}, {-1, 7}, {-1, 4}, {-1, 1}};
  for (int i = 0; i < rounds(20000); i++) {
    const size_t first = any(COUNT(ring));
    count = 0, unit = (int)below(1150) - 1074;
    if (unit > 100) unit = 0;
    for (size_t k = 0; k < COUNT(ring); k++)
      for (int64_t copies = below(8) - 5; copies > 0; copies--) {
        const int *from = ring[(k + first) % COUNT(ring)];
        p[count++] = (point){from[0], from[1]};
      }
    if (count < 3) continue;
    if (i % 2) turn_back();
    const size_t j = any(count), k = any(count);
    if (i % 4 == 0) exchange(j, k);
    if (i % 4 == 1) p[j].x += below(3) - 1, p[j].y += below(3) - 1;
    check();
  }
  share("convex", tally.convex, 0.25, 0.875);
}

/* ---- Near misses */

/* Sheared lattices of any magnitude, at offsets where a step is one ulp or a few. */
TEST_WITH(sheared_lattices_at_offsets, seed, NULL) {
  for (int i = 0; i < rounds(30000); i++) {
    const size_t n = 3 + any(8);
    const int64_t width = 2 + below(6), height = 2 + below(6), a = below(2000) - 1000, b = below(2000) - 1000;
    const int64_t c = below(2) ? 1 : below(2000) + 1, offset = (int64_t)1 << 52;
    const int64_t offset_x = below(2) ? offset : 0, offset_y = below(2) ? -offset : 0;
    lattice(n, width, height);
    for (size_t k = 0; k < n; k++)
      p[k] = (point){offset_x + a * p[k].x + c * p[k].y, offset_y + b * p[k].x - c * p[k].y};
    unit = (int)below(1150) - 1074;
    if (unit > 70) unit = 70; /* below 1e40 */
    const size_t moved = any(n);
    if (i % 2) p[moved].x += below(3) - 1;
    check();
  }
  share("simple", tally.simple, 0.03, 0.3);
  share("touching", tally.kinds[GRAZE_OUTLINE_EDGES_TOUCH], 0.3, 0.8);
  share("crossing", tally.kinds[GRAZE_OUTLINE_EDGES_CROSS], 0.3, 0.9);
}

/* Vertices on four lines, rounded: collinear up to the last bit. */
TEST_WITH(rounded_lines, seed, NULL) {
  for (int i = 0; i < rounds(20000); i++) {
    double from[4][2], directions[4][2];
    for (int k = 0; k < 8; k++)
      from[k / 2][k % 2] = (double)below(1 << 20), directions[k / 2][k % 2] = (double)below(1 << 20);
    count = 4 + any(8), unit = -(int)below(100);
    for (size_t k = 0; k < count; k++) {
      const double t = (double)below(1000000) / 3, *line = from[k % 4], *direction = directions[k % 4];
      p[k] = (point){(int128)rint(line[0] + t * direction[0]), (int128)rint(line[1] + t * direction[1])};
      if (below(8) == 0) p[k] = p[k / 2];
    }
    if (i % 2) { /* a vertex on an edge up to rounding */
      const size_t k = any(count - 2);
      const double t = (double)below(1000) / 1000, s = 1 - t;
      p[k + 2].x = (int128)rint(s * (double)p[k].x + t * (double)p[k + 1].x);
      p[k + 2].y = (int128)rint(s * (double)p[k].y + t * (double)p[k + 1].y);
    }
    check();
  }
  share("crossing", tally.kinds[GRAZE_OUTLINE_EDGES_CROSS], 0.3, 0.95);
  share("repeated", tally.kinds[GRAZE_OUTLINE_REPEATED_POINT], 0.1, 0.6);
}

/* Enough edges for several levels of the segment tree. The last is the star polygon {n/k}: every edge crosses
 * 2(k - 1) others. */
TEST_WITH(large_numbers_of_edges, seed, NULL) {
  for (int i = 0; i < rounds(60); i++) {
    const size_t n = 50 + any(350);
    const int64_t few = 1 + below(20);
    switch (i % 4) {
    case 0: lattice(n, 1000000, 1000000); break;
    case 1: lattice(n, few, 100); break;
    case 2: lattice(n, 1000, few / 4 + 1); break;
    default: around(n, 1, 1000000, 0.8);
    }
    check();
  }
  around(499, 249, 1e9, 0);
  check();
  assert_int_equal(error_count, 499 * 248);
}

/* ---- Large outlines */

/* Simple families with 10,000 vertices, also with two vertices exchanged. Rounded Koch curves touch themselves. */
TEST(large_outlines) {
  for (size_t k = 0; k < rings_family_count; k++) {
    const rings_family *family = &rings_families[k];
    if (!family->simple || strcmp(family->name, "Koch") == 0) continue;
    rings all = {0};
    family->make(&all, 10000, 3);
    for (int exchanged = 0; exchanged < 2; exchanged++) {
      graze_vec *half = &all.points[all.point_count / 2], swap = half[0];
      graze_outline outline = validate(all.points, all.point_count);
      if (outline.simple == exchanged) fail_msg("%s: %zu validation errors", family->name, outline.error_count);
      if (strcmp(family->name, "round") != 0) assert_false(outline.convex);
      graze_outline_destroy(&outline);
      half[0] = half[40], half[40] = swap;
    }
    rings_clear(&all);
  }
}
