/* graze_place() and the constructors; graze_part(): the rotation within 7·2^-53 of the exact one (parts: 9·2^-53) for
 * quaternions of every kind (GMP), the bounding radius above every vertex, zeros where the input is rejected. */

#include "support/test.h"
#include "support/framed.h"
#include "support/geometry.h"
#include "support/rational.h"

static const uint64_t seed_of = 0x082efa98ec4e6c89u;

TEST(constructors) {
  graze_vec a = {1, 2, 3}, b = {4, 5, 6}, c = {7, 8, 9}, list[] = {a, b, c};
  graze_pose pose = graze_pose_at(1, 2, 3);
  assert_true(pose.position.x == 1 && pose.position.y == 2 && pose.position.z == 3);
  assert_true(pose.w == 1 && pose.x == 0 && pose.y == 0 && pose.z == 0);
  pose = graze_pose3(b, 1, 2, 3, 4);
  assert_true(pose.position.x == 4 && pose.position.y == 5 && pose.position.z == 6);
  assert_true(pose.w == 1 && pose.x == 2 && pose.y == 3 && pose.z == 4);
  double w, z;
  graze_half_angle(0.7, &w, &z);
  pose = graze_pose2(1, 2, 0.7);
  assert_true(pose.position.x == 1 && pose.position.y == 2 && pose.position.z == 0);
  assert_true(pose.w == w && pose.x == 0 && pose.y == 0 && pose.z == z);

  const struct {
    graze_shape shape;
    graze_shape_kind kind;
    int dim;
    double radius, half_length, x, y, z;
    int corners;
    bool list;
  } all[] = {
      {graze_point(), GRAZE_POINT, 3, 0, 0, 0, 0, 0, 0, false},
      {graze_point2(), GRAZE_POINT, 2, 0, 0, 0, 0, 0, 0, false},
      {graze_segment(a, b), GRAZE_SEGMENT, 3, 0, 0, 0, 0, 0, 2, false},
      {graze_segment2(a, b), GRAZE_SEGMENT, 2, 0, 0, 0, 0, 0, 2, false},
      {graze_triangle(a, b, c), GRAZE_TRIANGLE, 3, 0, 0, 0, 0, 0, 3, false},
      {graze_triangle2(a, b, c), GRAZE_TRIANGLE, 2, 0, 0, 0, 0, 0, 3, false},
      {graze_box(1, 2, 3), GRAZE_BOX, 3, 0, 0, 1, 2, 3, 0, false},
      {graze_box2(1, 2), GRAZE_BOX, 2, 0, 0, 1, 2, 0, 0, false},
      {graze_polygon(list, 3), GRAZE_POLYGON, 2, 0, 0, 0, 0, 0, 0, true},
      {graze_hull(list, 3), GRAZE_HULL, 3, 0, 0, 0, 0, 0, 0, true},
      {graze_hull2(list, 3), GRAZE_HULL, 2, 0, 0, 0, 0, 0, 0, true},
      {graze_sphere(5), GRAZE_SPHERE, 3, 5, 0, 0, 0, 0, 0, false},
      {graze_circle(5), GRAZE_SPHERE, 2, 5, 0, 0, 0, 0, 0, false},
      {graze_capsule(5, 6), GRAZE_CAPSULE, 3, 5, 6, 0, 0, 0, 0, false},
      {graze_capsule2(5, 6), GRAZE_CAPSULE, 2, 5, 6, 0, 0, 0, 0, false},
      {graze_ellipsoid(1, 2, 3), GRAZE_ELLIPSOID, 3, 0, 0, 1, 2, 3, 0, false},
      {graze_ellipse(1, 2), GRAZE_ELLIPSOID, 2, 0, 0, 1, 2, 0, 0, false},
      {graze_cylinder(5, 6), GRAZE_CYLINDER, 3, 5, 6, 0, 0, 0, 0, false},
      {graze_cone(5, 6), GRAZE_CONE, 3, 5, 6, 0, 0, 0, 0, false},
      {graze_halfspace(a, 0), GRAZE_HALFSPACE, 3, 0, 0, 1, 2, 3, 0, false},
      {graze_halfspace2(a, 0), GRAZE_HALFSPACE, 2, 0, 0, 1, 2, 3, 0, false},
  };
  for (size_t i = 0; i < COUNT(all); i++) {
    const graze_shape *s = &all[i].shape;
    assert_true(s->kind == all[i].kind && s->dim == all[i].dim && s->margin == 0 && s->offset == 0);
    assert_true(s->radius == all[i].radius && s->half_length == all[i].half_length);
    assert_true(s->extents.x == all[i].x && s->extents.y == all[i].y && s->extents.z == all[i].z);
    for (int k = 0; k < 3; k++) {
      graze_vec zero = {0, 0, 0}, expected = k < all[i].corners ? list[k] : zero;
      assert_memory_equal(&s->corners[k], &expected, sizeof expected);
    }
    assert_true(s->vertices == (all[i].list ? list : NULL) && s->vertex_count == (all[i].list ? 3 : 0));
    assert_true(s->support == NULL && s->context == NULL);
    graze_shape rounded = graze_with_margin(graze_with_margin(*s, 3), 0.5);
    assert_true(rounded.margin == 0.5 && rounded.kind == s->kind);
  }
  assert_true(graze_halfspace(a, 4).offset == 4 && graze_halfspace2(a, -4).offset == -4);
}

/* graze_placed is public, so that the error of its rotation matters to its users. */
TEST(rotation_error) {
  rng random = seed_of;
  double worst[2] = {0, 0};
  rational_map map;
  mpq_t error;
  rational_map_init(&map);
  mpq_init(error);
  for (int trial = 0; trial < tiered(12000, 24000, 40000); trial++) {
    const int dim = trial % 4 == 0 ? 2 : 3;
    const graze_shape shape = dim == 2 ? graze_point2() : graze_point();
    framed f = framed_make(&shape, random_extreme_pose(&random, dim), random_extreme_pose(&random, dim), 0);
    for (int is_part = 0; is_part < 2; is_part++) {
      const graze_placed *placed = is_part ? &f.part : &f.own;
      rational_map_set(&map, placed);
      for (int i = 0; i < 9; i++) {
        mpq_set_d(error, placed->rotation[i]);
        mpq_sub(error, error, map.m[i]);
        worst[is_part] = fmax(worst[is_part], fabs(mpq_get_d(error)));
      }
    }
    framed_free(&f);
  }
  print_message("worst errors: %.3f·2^-53 of shapes, %.3f·2^-53 of parts\n", worst[0] * 0x1p53, worst[1] * 0x1p53);
  assert_true(worst[0] < 7 * 0x1p-53 && worst[1] < 9 * 0x1p-53 && worst[1] > 2 * 0x1p-53);
  rational_map_clear(&map);
  mpq_clear(error);
}

/* out = the largest |m·v + p|² of the vertices. */
static void farthest(mpq_t out, const rational_map *map, const graze_vec *v, size_t count) {
  mpq_t square, t;
  mpq_inits(square, t, NULL);
  mpq_set_ui(out, 0, 1);
  for (size_t i = 0; i < count; i++) {
    const double parts[3] = {v[i].x, v[i].y, v[i].z};
    mpq_set_ui(square, 0, 1);
    for (int k = 0; k < 3; k++) {
      mpq_t at;
      mpq_init(at);
      if (map) mpq_set(at, map->p[k]);
      for (int j = 0; j < 3; j++) {
        if (!map && j != k) continue;
        mpq_set_d(t, parts[j]);
        if (map) mpq_mul(t, t, map->m[3 * k + j]);
        mpq_add(at, at, t);
      }
      mpq_mul(at, at, at);
      mpq_add(square, square, at);
      mpq_clear(at);
    }
    if (mpq_cmp(square, out) > 0) mpq_set(out, square);
  }
  mpq_clears(square, t, NULL);
}

/* x² >= square, and (x·(1 - slack) - a subnormal)² <= square. */
static bool is_root_above(double x, const mpq_t square, double slack) {
  mpq_t t;
  mpq_init(t);
  mpq_set_d(t, x);
  mpq_mul(t, t, t);
  bool good = mpq_cmp(t, square) >= 0;
  mpq_set_d(t, fmax(0, x * (1 - slack) - 0x1p-1072));
  mpq_mul(t, t, t);
  good &= mpq_cmp(t, square) <= 0;
  mpq_clear(t);
  return good;
}

static graze_placed place(graze_shape shape) {
  const graze_placed placed = graze_place(&shape, graze_pose_at(1, 2, 0));
  assert_int_equal(placed.status, GRAZE_OK);
  assert_true(placed.shape.kind == shape.kind && placed.pose.position.y == 2);
  return placed;
}

TEST(bounding_radius) {
  static const int ranges[][2] = {{-3, 3}, {-1074, 131}, {-1074, -1050}, {-460, -440}, {120, 131}};
  rng random = seed_of;
  mpq_t square;
  mpq_init(square);
  for (int trial = 0; trial < tiered(8000, 16000, 20000); trial++) {
    const int *range = ranges[rng_index(&random, COUNT(ranges))];
    graze_vec v[4];
    for (int i = 0; i < 4; i++) {
      v[i] = rng_magnitude_vec(&random, 3, range[0], range[1]);
      if (rng_below(&random, 4) == 0) v[i].x = 0;
      if (rng_below(&random, 4) == 0) v[i].y = 0;
      if (rng_below(&random, 4) == 0) v[i].z = 0;
    }
    const graze_vec n = vec(fabs(v[0].x), fabs(v[0].y), fabs(v[0].z)), rim = vec(n.x, 0, n.y);
    const struct {
      graze_shape shape;
      const graze_vec *vertices;
      size_t count;
    } all[] = {{graze_hull(v, 4), v, 4},
               {graze_segment(v[0], v[1]), v, 2},
               {graze_triangle(v[0], v[1], v[2]), v, 3},
               {graze_box(n.x, n.y, n.z), &n, 1},
               {graze_cylinder(n.x, n.y), &rim, 1},
               {graze_with_margin(graze_cone(n.x, n.y), 2), &rim, 1}};
    for (size_t k = 0; k < COUNT(all); k++) {
      farthest(square, NULL, all[k].vertices, all[k].count);
      const graze_placed placed = place(all[k].shape);
      if (!is_root_above(placed.reach, square, 0x1p-47))
        fail_msg("kind %d: bounding radius %a", (int)all[k].shape.kind, placed.reach);
    }
  }
  mpq_clear(square);
}

/* Of a part it is seen from the frame's origin, and no more than that of the shape and the distance of its position. */
TEST(bounding_radius_of_parts) {
  rng random = seed_of + 1;
  rational_map map;
  mpq_t square;
  rational_map_init(&map);
  mpq_init(square);
  for (int trial = 0; trial < tiered(2000, 5000, 5000); trial++) {
    const graze_vec v = rng_magnitude_vec(&random, 3, -20, 20);
    const double margin = fabs(rng_magnitude(&random, -20, 20)), outer = fabs(rng_magnitude(&random, -20, 20));
    const graze_shape shape = graze_with_margin(graze_segment(v, vec(0, 0, 0)), margin);
    graze_pose own = random_extreme_pose(&random, 3);
    own.position = rng_magnitude_vec(&random, 3, -20, 20);
    framed f = framed_make(&shape, own, random_extreme_pose(&random, 3), outer);
    rational_map_set(&map, &f.part);
    farthest(square, &map, &v, 1);
    assert_true(sqrt(mpq_get_d(square)) <= f.part.reach * (1 + 0x1p-50));
    assert_true(f.part.reach <= (norm(v) + norm(own.position)) * (1 + 0x1p-45) && f.whole.reach == f.part.reach);
    assert_true(fabs(f.part.radius - (margin + outer)) <= 0x1p-52 * f.part.radius);
    assert_true(f.whole.radius >= f.part.radius && f.whole.radius <= f.part.radius * (1 + 0x1p-49));
    framed_free(&f);
  }
  rational_map_clear(&map);
  mpq_clear(square);
}

TEST(radii_of_kinds) {
  const struct {
    graze_shape shape;
    double reach, radius;
  } all[] = {{graze_with_margin(graze_capsule(3, 4), 0.25), 4, 3.25},
             {graze_capsule2(3, 0), 0, 3},
             {graze_with_margin(graze_sphere(0.1), 0.2), 0, 0.1 + 0.2},
             {graze_with_margin(graze_box(5, 0, 0), 2), 5, 2},
             {graze_ellipsoid(2, 7, 0.5), 7, 0},
             {graze_cylinder(2, 0), 2, 0},
             {graze_halfspace(vec(0, -3, 0), 0.5), 0, 0},
             {graze_point2(), 0, 0}};
  for (size_t i = 0; i < COUNT(all); i++) {
    const graze_placed placed = place(all[i].shape);
    assert_true(placed.reach == all[i].reach && placed.radius == all[i].radius);
  }
}

/* A ball around (3, 0, z) with a loose bound, or bad numbers on one side. */
typedef struct user_ball {
  double radius, bound, bad, z;
} user_ball;

static double ball_support(void *context, graze_vec d, graze_vec *point) {
  const user_ball *ball = context;
  double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), scale = ball->radius / length;
  *point = (graze_vec){3 + d.x * scale, d.y * scale, ball->z + d.z * scale};
  if (d.y < 0) point->y += ball->bad;
  return ball->bound;
}

TEST(user_shapes) {
  user_ball ball = {1, 0.5, 0, -4};
  graze_placed placed = place(graze_user(3, ball_support, &ball));
  double corner = sqrt(4.5 * 4.5 + 1.5 * 1.5 + 5.5 * 5.5);
  assert_true(placed.reach >= corner && placed.reach <= corner * (1 + 1e-14));
  assert_true(placed.radius == 0);
  ball.z = NAN;
  placed = place(graze_user(2, ball_support, &ball)); /* z does not count */
  corner = sqrt(4.5 * 4.5 + 1.5 * 1.5);
  assert_true(placed.reach >= corner && placed.reach <= corner * (1 + 1e-14));
  static const user_ball bad[] = {{1, -1, 0, 0},       {1, NAN, 0, 0},  {1, INFINITY, 0, 0}, {1, 0, NAN, 0},
                                  {1, 0, INFINITY, 0}, {2e40, 0, 0, 0}, {1, 0, 0, NAN}};
  for (size_t i = 0; i < COUNT(bad); i++) {
    ball = bad[i];
    graze_shape shape = graze_user(3, ball_support, &ball);
    placed = graze_place(&shape, graze_pose_at(0, 0, 0));
    assert_int_equal(placed.status, GRAZE_BAD_NUMBER);
    assert_true(placed.reach == 0 && placed.rotation[0] == 0);
  }
}

TEST(rejected) {
  graze_shape shape = graze_box(1, -1, 1);
  graze_placed placed = graze_place(&shape, graze_pose_at(0, 0, 0));
  assert_int_equal(placed.status, GRAZE_BAD_SHAPE);
  assert_true(placed.shape.extents.y == -1 && placed.pose.w == 1);
  shape = graze_with_margin(graze_capsule2(1, 1), 1);
  placed = graze_place(&shape, graze_pose_at(0, 0, 1));
  assert_int_equal(placed.status, GRAZE_DIM_MISMATCH);
  for (int i = 0; i < 9; i++) assert_true(placed.rotation[i] == 0);
  assert_true(placed.reach == 0 && placed.radius == 0);
  placed = graze_place(&shape, graze_pose2(0, 0, 1e41));
  assert_int_equal(placed.status, GRAZE_BAD_NUMBER);
  placed = graze_place(NULL, graze_pose_at(0, 0, 0));
  assert_int_equal(placed.status, GRAZE_BAD_SHAPE);
}

TEST(set_pose) {
  graze_vec v[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  graze_shape shape = graze_hull(v, 3);
  graze_pose first = graze_pose_at(1, 2, 3), next = graze_pose3((graze_vec){4, 5, 6}, 1, 2, 3, 4);
  graze_placed moved = graze_place(&shape, first), fresh = graze_place(&shape, next), kept;
  assert_int_equal(graze_set_pose(&moved, next), GRAZE_OK);
  assert_memory_equal(moved.rotation, fresh.rotation, sizeof fresh.rotation);
  assert_true(moved.pose.position.z == 6 && moved.pose.z == 4 && moved.reach == fresh.reach);
  kept = moved;
  assert_int_equal(graze_set_pose(&moved, graze_pose3(next.position, 0, 0, 0, 0)), GRAZE_BAD_SHAPE);
  assert_int_equal(graze_set_pose(&moved, graze_pose_at(NAN, 0, 0)), GRAZE_BAD_NUMBER);
  assert_memory_equal(moved.rotation, kept.rotation, sizeof kept.rotation);
  assert_true(moved.pose.position.x == 4 && moved.status == GRAZE_OK);
  graze_shape flat = graze_box2(1, 1), bad = graze_sphere(-1);
  graze_placed plane = graze_place(&flat, graze_pose2(0, 0, 0)), refused = graze_place(&bad, first);
  assert_int_equal(graze_set_pose(&plane, next), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_set_pose(&refused, first), GRAZE_BAD_SHAPE);
}

TEST(parts_and_their_rejections) {
  graze_shape box = graze_box(1, 1, 1);
  graze_error error;
  framed e = framed_make(&box, graze_pose_at(1, 0, 0), graze_pose_at(0, 2, 0), 0);
  assert_int_equal(graze_set_pose(&e.part, graze_pose_at(0, 0, 0)), GRAZE_UNSUPPORTED);
  assert_true(e.part.frame.position.y == 2 && e.part.pose.position.x == 1);
  assert_int_equal(graze_set_pose(&e.whole, graze_pose_at(5, 0, 0)), GRAZE_OK);
  graze_placed moved = graze_part(&e.whole, 0);
  graze_aabb bounds;
  assert_int_equal(graze_bounds(&moved, &bounds), GRAZE_OK);
  assert_true(bounds.min.x == 5 && bounds.max.x == 7 && bounds.min.y == -1 && bounds.max.y == 1);
  assert_int_equal(graze_part(&e.whole, 1).status, GRAZE_BAD_OPTION);
  graze_placed alone = graze_part(&e.own, 0);
  assert_memory_equal(&alone, &e.own, sizeof alone);
  assert_int_equal(graze_part_count(&e.own), 1);
  assert_int_equal(graze_part(&e.own, 1).status, GRAZE_BAD_OPTION);

  graze_shape shape = graze_compound_shape(e.compound);
  assert_true(shape.kind == GRAZE_COMPOUND && shape.dim == 3 && shape.margin == 0);
  assert_int_equal(graze_check(&shape, NULL, NULL), GRAZE_OK);
  shape.dim = 2;
  assert_int_equal(graze_check(&shape, NULL, &error), GRAZE_DIM_MISMATCH);
  shape.dim = 3, shape.compound = NULL;
  assert_int_equal(graze_check(&shape, NULL, &error), GRAZE_BAD_SHAPE);
  assert_string_equal(error.what, "parts");
  graze_placed refused = graze_place(&shape, graze_pose_at(0, 0, 0));
  assert_int_equal(refused.status, GRAZE_BAD_SHAPE);
  assert_int_equal(graze_part_count(&refused), 1);
  assert_int_equal(graze_part(&refused, 0).status, GRAZE_BAD_SHAPE);
  assert_int_equal(graze_bounds(&refused, &bounds), GRAZE_BAD_SHAPE);
  framed_free(&e);
}
