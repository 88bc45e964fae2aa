/* graze_bounds() against rational arithmetic (GMP): never smaller than the exactly rigid shape, larger by a few ulps of
 * the magnitudes at most, and the best double there is where the rotation takes axes to axes. All kinds of shapes, 2D
 * and 3D, quaternions of every kind, tiny, huge and everyday sizes. */

#include "support/test.h"
#include "shape/core.h"
#include "support/rational.h"

enum { VERTICES = 12 };
static const uint64_t seed_of = 0x452821e638d01377u;
static uint64_t state;

/* The farthest that a shape reaches along an axis, as the largest of a few numbers a + sqrt(b). */
typedef struct summit {
  int count;
  mpq_t a[VERTICES], b[VERTICES];
} summit;

static rational_rotation rotation;
static summit top;
static mpq_t row[3], sum, product, face;

static int make_numbers(void **unused) {
  (void)unused;
  state = seed_of;
  rational_rotation_init(&rotation);
  for (int i = 0; i < VERTICES; i++) mpq_inits(top.a[i], top.b[i], NULL);
  mpq_inits(row[0], row[1], row[2], sum, product, face, NULL);
  return 0;
}

static int free_numbers(void **unused) {
  (void)unused;
  rational_rotation_clear(&rotation);
  for (int i = 0; i < VERTICES; i++) mpq_clears(top.a[i], top.b[i], NULL);
  mpq_clears(row[0], row[1], row[2], sum, product, face, NULL);
  return 0;
}

/* out += sign·entry·x, or the square of entry·x. */
static void add_entry(mpq_t out, int j, double x, bool square) {
  mpq_set_d(product, x);
  mpq_mul(product, product, row[j]);
  if (square) mpq_mul(product, product, product);
  mpq_add(out, out, product);
}

static void new_number(void) {
  mpq_set_ui(top.a[top.count], 0, 1);
  mpq_set_ui(top.b[top.count++], 0, 1);
}

static void add_vertex(graze_vec v) {
  new_number();
  add_entry(top.a[top.count - 1], 0, v.x, false);
  add_entry(top.a[top.count - 1], 1, v.y, false);
  add_entry(top.a[top.count - 1], 2, v.z, false);
}

static void add_ellipsoid(double x, double y, double z) {
  add_entry(top.b[top.count - 1], 0, x, true);
  add_entry(top.b[top.count - 1], 1, y, true);
  add_entry(top.b[top.count - 1], 2, z, true);
}

/* The core along sign·(axis i), from the definitions. */
static void set_summit(const graze_shape *shape, const graze_vec *user_vertices, int i, int sign) {
  graze_vec end = {0, 0, shape->half_length}, other = {0, 0, -shape->half_length};
  double r = shape->radius;
  top.count = 0;
  for (int j = 0; j < 3; j++) {
    mpq_set(row[j], rotation.at[3 * i + j]);
    if (sign < 0) mpq_neg(row[j], row[j]);
  }
  switch (shape->kind) {
  case GRAZE_ELLIPSOID:
    new_number();
    add_ellipsoid(shape->extents.x, shape->extents.y, shape->extents.z);
    break;
  case GRAZE_CYLINDER:
    add_vertex(end);
    add_ellipsoid(r, r, 0);
    add_vertex(other);
    add_ellipsoid(r, r, 0);
    break;
  case GRAZE_CONE:
    add_vertex(end);
    add_vertex(other);
    add_ellipsoid(r, r, 0);
    break;
  case GRAZE_USER:
    for (int k = 0; k < VERTICES; k++) add_vertex(user_vertices[k]);
    break;
  default:
    for (size_t k = 0; k < grz_core_count(shape); k++) add_vertex(grz_core_vertex(shape, k));
  }
}

/* Is x >= every a + sqrt(b) + rest? (rest is in `sum`) */
static bool holds_summit(double x) {
  for (int k = 0; k < top.count; k++) {
    mpq_set_d(face, x);
    mpq_sub(face, face, sum);
    mpq_sub(face, face, top.a[k]);
    if (mpq_sgn(face) < 0) return false;
    mpq_mul(face, face, face);
    if (mpq_cmp(face, top.b[k]) < 0) return false;
  }
  return true;
}

static void add_to_sum(double x) {
  mpq_set_d(product, x);
  mpq_add(sum, sum, product);
}

static double coordinate(graze_vec v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

static bool is_integer(int i) { return mpz_cmp_ui(mpq_denref(rotation.at[i]), 1) == 0; }

/* Does R leave axis i in its place, or reverse it, or take every axis to one? */
static bool is_simple_axis(int i) {
  int integers = 0;
  for (int k = 0; k < 9; k++) integers += is_integer(k);
  return integers == 9 || (is_integer(4 * i) && mpq_sgn(rotation.at[4 * i]) != 0);
}

static void check_bounds(const graze_shape *shape, const graze_pose *pose, const graze_vec *user_vertices,
                         double loose) {
  graze_placed placed = graze_place(shape, *pose);
  graze_aabb bounds;
  assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_OK);
  rational_rotation_set(&rotation, pose);

  for (int i = 0; i < shape->dim; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double p = coordinate(pose->position, i), x = sign > 0 ? coordinate(bounds.max, i) : -coordinate(bounds.min, i);
      double ball = grz_core_radius(shape), rest = fabs(p) + ball + shape->margin;
      set_summit(shape, user_vertices, i, sign);
      mpq_set_ui(sum, 0, 1);
      add_to_sum(sign * p);
      add_to_sum(ball);
      add_to_sum(shape->margin);
      const char *axis = i == 0 ? "x" : i == 1 ? "y" : "z";
      double slack = 0x1p-47 * placed.reach + 0x1p-51 * rest + loose + 0x1p-1069;
      if (!holds_summit(x)) fail_msg("kind %d: %d%s: %a is too small", (int)shape->kind, sign, axis, x);
      if (holds_summit(x - slack)) fail_msg("kind %d: %d%s: %a is too large", (int)shape->kind, sign, axis, x);
      if (is_simple_axis(i) && loose == 0 && holds_summit(nextafter(x, -INFINITY)))
        fail_msg("kind %d: %d%s: %a is not the best", (int)shape->kind, sign, axis, x);
    }
  if (shape->dim == 2) assert_true(bounds.min.z == 0 && bounds.max.z == 0);
}

/* ---- Random shapes */

static double size(int low, int high) { return rng_bits(&state) % 8 == 0 ? 0 : fabs(rng_magnitude(&state, low, high)); }

typedef struct user_hull {
  const graze_vec *vertices;
  double slack;
} user_hull;

/* The farthest vertex, drawn back by less than the bound says. */
static double hull_support(void *context, graze_vec d, graze_vec *point) {
  const user_hull *hull = context;
  double best = -INFINITY;
  for (int i = 0; i < VERTICES; i++) {
    graze_vec v = hull->vertices[i];
    double score = d.x * v.x + d.y * v.y + d.z * v.z;
    if (score > best) {
      best = score;
      *point = v;
    }
  }
  double back = 0.9 * hull->slack / sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  point->x -= back * d.x;
  point->y -= back * d.y;
  point->z -= back * d.z;
  return hull->slack;
}

static graze_shape random_shape(int kind, int dim, int low, int high, graze_vec *v, user_hull *hull) {
  for (int i = 0; i < VERTICES; i++) {
    v[i].x = rng_magnitude(&state, low, high);
    v[i].y = rng_magnitude(&state, low, high);
    v[i].z = dim == 3 ? rng_magnitude(&state, low, high) : 0;
    if (i > 0 && rng_bits(&state) % 4 == 0) v[i].y = v[i - 1].y; /* ties */
  }
  double a = size(low, high), b = size(low, high), c = size(low, high);
  hull->vertices = v;
  hull->slack = ldexp(1, high - 35);
  if (kind == 9 && rng_bits(&state) % 2) { /* one point, which is known exactly */
    for (int i = 1; i < VERTICES; i++) v[i] = v[0];
    hull->slack = 0;
  }
  switch (kind) {
  case 0: return dim == 2 ? graze_point2() : graze_point();
  case 1: return dim == 2 ? graze_segment2(v[0], v[1]) : graze_segment(v[0], v[1]);
  case 2: return dim == 2 ? graze_triangle2(v[0], v[1], v[2]) : graze_triangle(v[0], v[1], v[2]);
  case 3: return dim == 2 ? graze_box2(a, b) : graze_box(a, b, c);
  case 4: return dim == 2 ? graze_polygon(v, 3) : graze_hull(v, VERTICES);
  case 5: return dim == 2 ? graze_hull2(v, VERTICES) : graze_hull(v, 5);
  case 6: return dim == 2 ? graze_circle(a) : graze_sphere(a);
  case 7: return dim == 2 ? graze_capsule2(a, b) : graze_capsule(a, b);
  case 8: return dim == 2 ? graze_ellipse(a, b) : graze_ellipsoid(a, b, c);
  case 9: return graze_user(dim, hull_support, hull);
  case 10: return graze_cylinder(a, b);
  default: return graze_cone(a, b);
  }
}

TEST_WITH(test_random, make_numbers, free_numbers) {
  static const int ranges[][2] = {{-3, 3},      {0, 0},     {-1074, -1060}, {-1020, -940},
                                  {-600, -500}, {110, 131}, {-200, 100}};
  for (int trial = 0; trial < 20000; trial++) {
    const int *range = ranges[(size_t)trial % COUNT(ranges)];
    int dim = rng_bits(&state) % 3 == 0 ? 2 : 3;
    int kind = (int)(rng_bits(&state) % (dim == 2 ? 10 : 12));
    graze_vec v[VERTICES];
    user_hull hull;
    graze_shape shape = random_shape(kind, dim, range[0], range[1], v, &hull);
    if (rng_bits(&state) % 2) shape.margin = size(range[0], range[1]);
    graze_pose pose = random_extreme_pose(&state, dim);
    if (rng_bits(&state) % 4) {
      pose.position.x = rng_magnitude(&state, range[0], range[1]);
      pose.position.y = rng_magnitude(&state, range[0], range[1]);
      if (dim == 3) pose.position.z = rng_magnitude(&state, range[0], range[1]);
    }
    check_bounds(&shape, &pose, v, shape.kind == GRAZE_USER ? hull.slack : 0);
  }
}

/* What a reader expects to the last bit. */
TEST(test_exact) {
  graze_vec one = {1, 1, 1};
  const graze_shape shapes[] = {graze_box(1, 1, 1),
                                graze_sphere(1),
                                graze_ellipsoid(1, 1, 1),
                                graze_cylinder(1, 1),
                                graze_cone(1, 1),
                                graze_with_margin(graze_point(), 1),
                                graze_with_margin(graze_box(0.75, 0.75, 0.75), 0.25)};
  const graze_pose poses[] = {{{0, 0, 0}, 1, 0, 0, 0},  {{0, 0, 0}, -3, 0, 0, 0},     {{0, 0, 0}, 0, 0, 0.1, 0},
                              {{0, 0, 0}, 7, 7, 0, 0},  {{0, 0, 0}, 0.3, 0, 0, -0.3}, {{0, 0, 0}, 1e-320, 0, 1e-320, 0},
                              {{0, 0, 0}, 1, 1, -1, 1}, {{0, 0, 0}, 0, 1e40, 1e40, 0}};
  for (size_t i = 0; i < COUNT(shapes); i++)
    for (size_t k = 0; k < COUNT(poses); k++) {
      graze_placed placed = graze_place(&shapes[i], poses[k]);
      graze_aabb bounds;
      assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_OK);
      assert_true(bounds.max.x == one.x && bounds.max.y == one.y && bounds.max.z == one.z);
      assert_true(bounds.min.x == -1 && bounds.min.y == -1 && bounds.min.z == -1);
    }
  graze_shape box = graze_box2(1, 2); /* a turn about z leaves z alone */
  graze_placed placed = graze_place(&box, graze_pose2(10, 20, 0));
  graze_aabb bounds;
  assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_OK);
  assert_true(bounds.min.x == 9 && bounds.max.x == 11 && bounds.min.y == 18 && bounds.max.y == 22);
  graze_shape tall = graze_cylinder(1, 3);
  placed = graze_place(&tall, graze_pose3(one, 0.9, 0, 0, 0.1));
  assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_OK);
  assert_true(bounds.min.z == -2 && bounds.max.z == 4);
  graze_shape capsule = graze_with_margin(graze_capsule2(3, 1), 0x1p-60); /* where every sum but the last is rounded */
  placed = graze_place(&capsule, graze_pose_at(0x1p53, 0, 0));
  assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_OK);
  assert_true(bounds.max.x == 0x1p53 + 6 && bounds.min.x == 0x1p53 - 5);
  graze_shape point = graze_point();
  placed = graze_place(&point, graze_pose_at(-0.0, 0, 5));
  assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_OK);
  assert_true(!signbit(bounds.min.x) && !signbit(bounds.max.x) && bounds.min.z == 5 && bounds.max.z == 5);
}

static double mad_support(void *context, graze_vec d, graze_vec *point) {
  double *answers = context;
  *point = d;
  return d.x == 0 || d.y == 0 ? 0 : *answers; /* behaves along the axes, where graze_place() asks */
}

TEST(test_refused) {
  graze_vec normal = {0, 0, 1};
  graze_shape shape = graze_halfspace(normal, 0);
  graze_placed placed = graze_place(&shape, graze_pose_at(0, 0, 0));
  graze_aabb bounds = {{1, 2, 3}, {4, 5, 6}}, before = bounds;
  assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_UNSUPPORTED);
  shape = graze_sphere(-1);
  placed = graze_place(&shape, graze_pose_at(0, 0, 0));
  assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_BAD_SHAPE);
  static double bad[] = {NAN, -1, INFINITY};
  for (size_t i = 0; i < COUNT(bad); i++) {
    shape = graze_user(2, mad_support, &bad[i]);
    placed = graze_place(&shape, graze_pose2(0, 0, 1));
    assert_int_equal(placed.status, GRAZE_OK);
    assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_BAD_NUMBER);
  }
  assert_memory_equal(&bounds, &before, sizeof bounds);
}
