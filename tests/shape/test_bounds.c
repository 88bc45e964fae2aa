/* graze_place(), graze_part() and graze_bounds() against rational arithmetic (GMP), for all kinds of shapes,
 * quaternions of every kind, and all magnitudes. Bounds are at most a few ulps larger than the exactly rigid shape,
 * never smaller. */

#include "shape/placed.h"
#include "support/test.h"
#include "support/framed.h"
#include "support/geometry.h"
#include "support/rational.h"
#include "support/shapes.h"

enum { VERTICES = 12 };
static const uint64_t seed_of = 0x452821e638d01377u;
static rng state;

/* The extent of a shape along an axis: the largest of a few numbers a + sqrt(b). */
typedef struct extent {
  int count;
  mpq_t a[VERTICES], b[VERTICES];
} extent;

static rational_map map, frame, own;
static extent top;
static mpq_t row[3], sum, product, face;
static int best_count, bound_count;
static double worst_rotation;

static void each_number(void (*rotation)(rational_map *), void (*number)(mpq_ptr)) {
  rotation(&map), rotation(&frame), rotation(&own);
  for (int i = 0; i < VERTICES; i++) number(top.a[i]), number(top.b[i]);
  for (int i = 0; i < 3; i++) number(row[i]);
  number(sum), number(product), number(face);
}

static int make_numbers(void **unused) {
  (void)unused;
  state = seed_of, best_count = bound_count = 0, worst_rotation = 0;
  each_number(rational_map_init, mpq_init);
  return 0;
}

static int free_numbers(void **unused) {
  (void)unused;
  print_message("worst error of rotations: %.3f·2^-53\n", worst_rotation * 0x1p53);
  each_number(rational_map_clear, mpq_clear);
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

/* The core vertices of a polytope, sphere or capsule, and a farthest point of the others; returns how many. */
static int core_vertices(const graze_shape *shape, const graze_vec *user_vertices, graze_vec *v) {
  const graze_vec h = shape->as.box.half_extents, end = shape->dim == 2 ? vec(shape->as.capsule.half_length, 0, 0)
                                                                        : vec(0, 0, shape->as.capsule.half_length);
  switch (shape->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE: return v[0] = vec(0, 0, 0), 1;
  case GRAZE_CAPSULE: return v[0] = end, v[1] = scaled(-1, end), 2;
  case GRAZE_SEGMENT:
  case GRAZE_TRIANGLE:
    memcpy(v, shape->as.triangle.vertices, sizeof shape->as.triangle.vertices);
    return shape->kind == GRAZE_SEGMENT ? 2 : 3;
  case GRAZE_BOX:
    for (int i = 0; i < 8; i++) v[i] = vec(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    return 8;
  case GRAZE_ELLIPSOID: return v[0] = vec(fmax(h.x, fmax(h.y, h.z)), 0, 0), 1;
  case GRAZE_CYLINDER:
  case GRAZE_CONE: return v[0] = vec(shape->as.capsule.radius, 0, shape->as.capsule.half_length), 1;
  case GRAZE_USER: memcpy(v, user_vertices, VERTICES * sizeof *v); return VERTICES;
  default: memcpy(v, shape->as.hull.vertices, shape->as.hull.count * sizeof *v); return (int)shape->as.hull.count;
  }
}

/* Sets `top` to the extent of the core along sign·(axis i) from the definitions of the shapes. */
static void set_extent(const graze_shape *shape, const graze_vec *user_vertices, int i, int sign) {
  const graze_vec end = {0, 0, shape->as.capsule.half_length}, other = {0, 0, -shape->as.capsule.half_length};
  const double r = shape->as.capsule.radius;
  graze_vec v[VERTICES];
  top.count = 0;
  for (int j = 0; j < 3; j++) {
    mpq_set(row[j], map.m[3 * i + j]);
    if (sign < 0) mpq_neg(row[j], row[j]);
  }
  switch (shape->kind) {
  case GRAZE_ELLIPSOID:
    new_number();
    add_ellipsoid(shape->as.ellipsoid.radii.x, shape->as.ellipsoid.radii.y, shape->as.ellipsoid.radii.z);
    break;
  case GRAZE_CYLINDER:
  case GRAZE_CONE:
    add_vertex(end);
    if (shape->kind == GRAZE_CYLINDER) add_ellipsoid(r, r, 0);
    add_vertex(other);
    add_ellipsoid(r, r, 0);
    break;
  default:
    for (int k = 0, count = core_vertices(shape, user_vertices, v); k < count; k++) add_vertex(v[k]);
  }
}

/* Is x >= every a + sqrt(b) + rest? (rest is in `sum`) */
static bool holds_extent(double x) {
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

/* Does the rotation keep or reverse axis i, or take every axis to one? */
static bool is_simple_axis(const rational_map *r, int i) {
  int integers = 0;
  for (int k = 0; k < 9; k++) integers += mpz_cmp_ui(mpq_denref(r->m[k]), 1) == 0;
  return integers == 9 || mpq_cmp_si(r->m[4 * i], 1, 1) == 0 || mpq_cmp_si(r->m[4 * i], -1, 1) == 0;
}

/* Whether the bound along axis i must be the best double. For a part, the frame must map axis i to an axis c that the
 * part's own rotation keeps simple. */
static bool is_best(const graze_placed *placed, int i) {
  if (!placed_is_part(placed)) return is_simple_axis(&map, i);
  int c = 0;
  while (c < 2 && mpq_sgn(frame.m[3 * i + c]) == 0) c++;
  return is_simple_axis(&frame, i) && is_simple_axis(&own, c);
}

/* graze_placed is public, so that the error of its rotation matters to its users. */
static void check_rotation(const graze_placed *placed) {
  for (int i = 0; i < 9; i++) {
    mpq_set_d(product, placed->hidden.rotation[i]);
    mpq_sub(product, product, map.m[i]);
    worst_rotation = fmax(worst_rotation, fabs(mpq_get_d(product)));
  }
}

/* The bounding radius is no less than the distance of any core vertex, for parts from the origin of their frame. */
static void check_bounding_radius(const graze_placed *placed, const graze_vec *v, int count) {
  const double low = placed_is_part(placed) || placed->shape.kind == GRAZE_USER
                         ? 0
                         : fmax(0, placed->hidden.bounding_radius * (1 - 0x1p-47) - 0x1p-1072);
  mpq_set_ui(face, 0, 1); /* the square of the farthest */
  for (int k = 0; k < count; k++) {
    const double at[3] = {v[k].x, v[k].y, v[k].z};
    mpq_set_ui(row[1], 0, 1);
    for (int i = 0; i < 3; i++) {
      mpq_set_d(sum, placed_is_part(placed) ? 0 : at[i]);
      if (placed_is_part(placed)) mpq_set(sum, own.p[i]);
      for (int j = 0; j < 3 && placed_is_part(placed); j++) {
        mpq_set_d(product, at[j]);
        mpq_mul(product, product, own.m[3 * i + j]);
        mpq_add(sum, sum, product);
      }
      mpq_mul(sum, sum, sum);
      mpq_add(row[1], row[1], sum);
    }
    if (mpq_cmp(row[1], face) > 0) mpq_set(face, row[1]);
  }
  mpq_set_d(product, placed->hidden.bounding_radius), mpq_mul(product, product, product);
  mpq_set_d(sum, low), mpq_mul(sum, sum, sum);
  if (mpq_cmp(product, face) < 0 || mpq_cmp(sum, face) > 0)
    fail_msg("kind %d, framed %d: bounding radius %a", (int)placed->shape.kind, placed_is_part(placed),
             placed->hidden.bounding_radius);
}

/* `size`: of the core and its position in the frame, roughly; `loose`: what the support function adds. */
static void check_bounds(const graze_placed *placed, const graze_vec *user_vertices, double size, double loose) {
  const graze_shape *shape = &placed->shape;
  const double ball = shape->kind == GRAZE_SPHERE || shape->kind == GRAZE_CAPSULE ? shape->as.sphere.radius : 0;
  const double margin = placed_frame_margin(placed);
  const graze_vec position = placed_reference_point(placed);
  graze_aabb bounds;
  assert_int_equal(graze_bounds(placed, &bounds), GRAZE_OK);
  rational_map_set(&map, placed);
  check_rotation(placed);
  graze_vec v[VERTICES];
  check_bounding_radius(placed, v, core_vertices(shape, user_vertices, v));
  if (!placed_is_part(placed)) assert_true(placed->hidden.radius == ball + shape->margin);
  for (int i = 0; i < shape->dim; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      const double x = sign > 0 ? coordinate(bounds.max, i) : -coordinate(bounds.min, i);
      set_extent(shape, user_vertices, i, sign);
      mpq_set(sum, map.p[i]);
      if (sign < 0) mpq_neg(sum, sum);
      add_to_sum(ball), add_to_sum(shape->margin), add_to_sum(margin);
      const double rest = fabs(coordinate(position, i)) + ball + shape->margin + margin;
      const bool best = loose == 0 && is_best(placed, i);
      const double slack = 0x1p-47 * size + 0x1p-50 * rest + loose + 0x1p-1069;
      const char *fault = !holds_extent(x)                                ? "too small"
                          : holds_extent(x - slack)                       ? "too large"
                          : best && holds_extent(nextafter(x, -INFINITY)) ? "not the best"
                                                                          : NULL;
      if (fault)
        fail_msg("kind %d, framed %d: %d%c: %a is %s", (int)shape->kind, placed_is_part(placed), sign, "xyz"[i], x,
                 fault);
      best_count += best, bound_count++;
    }
  if (shape->dim == 2) assert_true(bounds.min.z == 0 && bounds.max.z == 0);
}

/* ---- Random shapes */

static double size(int low, int high) { return rng_below(&state, 8) == 0 ? 0 : fabs(rng_magnitude(&state, low, high)); }

typedef struct user_hull {
  const graze_vec *vertices;
  double slack;
} user_hull;

/* The farthest vertex, moved inward by less than the stated error bound. */
static double hull_support(void *context, graze_vec d, graze_vec *point) {
  const user_hull *hull = context;
  double best = -INFINITY;
  for (int i = 0; i < VERTICES; i++) {
    const double score = dot(d, hull->vertices[i]);
    if (score > best) best = score, *point = hull->vertices[i];
  }
  *point = add_scaled(*point, -0.9 * hull->slack / norm(d), d);
  return hull->slack;
}

static graze_shape random_shape(int kind, int dim, int low, int high, graze_vec *v, user_hull *hull) {
  for (int i = 0; i < VERTICES; i++) {
    v[i] = rng_magnitude_vec(&state, dim, low, high);
    if (i > 0 && rng_below(&state, 4) == 0) v[i].y = v[i - 1].y; /* ties */
    if (rng_below(&state, 8) == 0) v[i].x = 0;
  }
  double a = size(low, high), b = size(low, high), c = size(low, high);
  hull->vertices = v;
  hull->slack = ldexp(1, high - 35);
  if (kind == 9 && rng_bits(&state) % 2) { /* one point, which is known exactly */
    for (int i = 1; i < VERTICES; i++) v[i] = v[0];
    hull->slack = 0;
  }
  switch (kind) {
  case 0: return point_of(dim);
  case 1: return segment_of(dim, v[0], v[1]);
  case 2: return dim == 2 ? graze_triangle2(v[0], v[1], v[2]) : graze_triangle(v[0], v[1], v[2]);
  case 3: return box_of(dim, a, b, c);
  case 4: return dim == 2 ? graze_polygon(v, 3) : graze_hull_points(v, VERTICES);
  case 5: return dim == 2 ? graze_hull_points2(v, VERTICES) : graze_hull_points(v, 5);
  case 6: return ball_of(dim, a);
  case 7: return capsule_of(dim, a, b);
  case 8: return dim == 2 ? graze_ellipse(a, b) : graze_ellipsoid(a, b, c);
  case 9: return graze_user(dim, hull_support, hull);
  case 10: return graze_cylinder(a, b);
  default: return graze_cone(a, b);
  }
}

static double norm_of(graze_vec v) { return hypot(hypot(v.x, v.y), v.z); }

static const int ranges[][2] = {{-3, 3},      {0, 0},     {-1074, -1060}, {-1020, -940}, {-600, -500},
                                {-460, -440}, {110, 131}, {-200, 100},    {-1074, 131}};

TEST_WITH(shapes_within_a_few_ulps, make_numbers, free_numbers) {
  for (int trial = 0; trial < tiered(10000, 20000, 100000); trial++) {
    const int *range = ranges[(size_t)trial % COUNT(ranges)];
    const int dim = rng_below(&state, 3) == 0 ? 2 : 3, kind = rng_below(&state, dim == 2 ? 10 : 12);
    graze_vec v[VERTICES];
    user_hull hull;
    graze_shape shape = random_shape(kind, dim, range[0], range[1], v, &hull);
    if (rng_coin(&state)) shape.margin = size(range[0], range[1]);
    graze_pose pose = random_extreme_pose(&state, dim);
    if (rng_below(&state, 4)) pose.position = rng_magnitude_vec(&state, dim, range[0], range[1]);
    const graze_placed placed = graze_place(&shape, pose);
    check_bounds(&placed, v, placed.hidden.bounding_radius, shape.kind == GRAZE_USER ? hull.slack : 0);
  }
  assert_true(best_count > bound_count / 20 && worst_rotation < 7 * 0x1p-53);
}

/* The compound has the bounds of its part. */
TEST_WITH(parts_within_a_few_ulps, make_numbers, free_numbers) {
  for (int trial = 0; trial < tiered(3000, 6000, 40000); trial++) {
    const int *range = ranges[rng_index(&state, COUNT(ranges))], dim = trial % 4 == 0 ? 2 : 3;
    graze_vec v[VERTICES];
    double size = 0;
    for (int i = 0; i < 6; i++) {
      v[i] = rng_magnitude_vec(&state, dim, range[0], range[1]);
      size = fmax(size, norm_of(v[i]));
    }
    graze_shape shape = dim == 2 ? graze_hull_points2(v, 6) : graze_hull_points(v, 6);
    if (trial % 3 == 0) shape.margin = fabs(rng_magnitude(&state, range[0], range[1]));
    graze_pose inner = random_extreme_pose(&state, dim), outer = random_extreme_pose(&state, dim);
    if (trial % 5 != 0) inner.position = rng_magnitude_vec(&state, dim, range[0], range[1]);
    if (trial % 7 != 0) outer.position = rng_magnitude_vec(&state, dim, range[0], range[1]);
    if (trial % 6 == 1) outer.w = outer.z = 0.75, outer.x = outer.y = 0; /* a quarter turn */
    const double margin = trial % 2 ? fabs(rng_magnitude(&state, range[0], range[1])) : 0;
    framed f = framed_make(&shape, inner, outer, margin);
    graze_placed alone = f.own;
    rational_map_set(&own, &alone);
    alone.pose = outer;
    rational_map_set(&frame, &alone);
    size += norm_of(inner.position);
    check_bounds(&f.part, v, size, 0);
    assert_true(f.part.hidden.bounding_radius <= size * (1 + 0x1p-45) + 0x1p-1069 &&
                f.whole.hidden.bounding_radius == f.part.hidden.bounding_radius);
    assert_true(fabs(f.part.hidden.radius - (shape.margin + margin)) <= 0x1p-52 * f.part.hidden.radius);
    assert_true(f.whole.hidden.radius >= f.part.hidden.radius &&
                f.whole.hidden.radius <= f.part.hidden.radius * (1 + 0x1p-49) + 0x1p-1072);
    graze_aabb bounds, whole;
    assert_int_equal(graze_bounds(&f.part, &bounds), GRAZE_OK);
    assert_int_equal(graze_bounds(&f.whole, &whole), GRAZE_OK);
    assert_memory_equal(&bounds, &whole, sizeof bounds);
    framed_free(&f);
  }
  assert_true(best_count > bound_count / 20 && best_count < bound_count / 2);
  assert_true(worst_rotation < 9 * 0x1p-53 && worst_rotation > 2 * 0x1p-53);
}

TEST(chosen_bounds_are_exact) {
  const struct {
    graze_shape shape;
    graze_pose pose;
    graze_vec min, max;
  } cases[] = {
      /* where every sum but the last is rounded */
      {graze_with_margin(graze_capsule2(3, 1), 0x1p-60),
       graze_pose_at(0x1p53, 0, 0),
       {0x1p53 - 5, -0x1.8000000000001p+1, 0},
       {0x1p53 + 6, 0x1.8000000000001p+1, 0}},
      {graze_point(), graze_pose_at(-0.0, 0, 5), {0, 0, 5}, {0, 0, 5}},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const graze_placed placed = graze_place(&cases[i].shape, cases[i].pose);
    graze_aabb bounds;
    assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_OK);
    if (!same_vec(bounds.min, cases[i].min) || !same_vec(bounds.max, cases[i].max))
      fail_msg("case %zu: (%a, %a, %a) to (%a, %a, %a)", i, bounds.min.x, bounds.min.y, bounds.min.z, bounds.max.x,
               bounds.max.y, bounds.max.z);
  }
}

static double mad_support(void *context, graze_vec d, graze_vec *point) {
  double *answers = context;
  *point = d;
  return d.x == 0 || d.y == 0 ? 0 : *answers; /* behaves along the axes, the directions that graze_place() uses */
}

TEST(rejected) {
  graze_vec normal = {0, 0, 1};
  graze_shape shape = graze_halfspace(normal, 0);
  graze_placed placed = graze_place(&shape, graze_pose_at(0, 0, 0));
  graze_aabb bounds = {{1, 2, 3}, {4, 5, 6}}, before = bounds;
  assert_true(placed.hidden.bounding_radius == 0 && placed.hidden.radius == 0);
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
