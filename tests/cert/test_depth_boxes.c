/* Attacks on depths of boxes by their axes: each of the 15 axes (4 in 2D) alone refuses what is one ulp too deep. */

#include "support/test.h"
#include "cert/skins.h"
#include "support/rational.h"

static uint64_t state;

static int below(int count) { return rng_below(&state, count); }

/* ---- Boxes by their axes. */

/* The axes of a cube change their names: q·(1, 1, 1, 1). */
static graze_pose cycled(graze_pose q, int times) {
  for (int k = 0; k < times; k++)
    q = graze_pose3(zero, q.w - q.x - q.y - q.z, q.w + q.x + q.y - q.z, q.w - q.x + q.y + q.z, q.w + q.x - q.y + q.z);
  return q;
}

/* A quarter deep along x, exactly, and deeper along all other axes; 3-4-5 rotations. `turn` says what x is: 0 a face
 * normal of A, 1 one of B, 2 a product of edges. */
static claim claim_boxes(int dim, int turn, int cycle_a, int cycle_b) {
  graze_shape cube = dim == 2 ? graze_box2(2.5, 2.5) : graze_box(2.5, 2.5, 2.5), one = cube;
  one.extents = vec(1, 1, dim == 2 ? 0 : 1);
  const graze_pose turned = {{0, 0, 0}, 3, 0, 0, 1}, turned_y = {{0, 0, 0}, 3, 0, 1, 0};
  graze_pose a = home, b = turned;
  if (turn == 1) a = turned, b = home; /* a corner of A in a face of B */
  if (turn == 2) a = turned, b = turned_y;
  if (dim == 3) a = cycled(a, cycle_a), b = cycled(b, cycle_b);
  b.position.x = (turn == 2 ? 3.5 + 3.5 : 1 + 3.5) - 0.25;
  claim c = claim_make(turn == 0 ? one : cube, a, turn == 1 ? one : cube, b, GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_NEAR);
  c.a.shape.margin = 0.5;
  claim_vector(&c, 1, 0, 0);
  claim_interval(&c, -0.75, -0.75, -0.75);
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_BOX_AXES;
  return c;
}

/* Pairs that hold the origin, found by chance. Seed 3. */
static void show_overlap(claim *c, int dim) {
  int corners = dim == 2 ? 4 : 8;
  claim shown = *c;
  shown.answer.certificate.kind = GRAZE_CERTIFICATE_INSIDE;
  claim_interval(&shown, NAN, NAN, 0);
  state = 3;
  for (int attempt = 0; attempt < 100000; attempt++) {
    graze_pair pairs[6];
    for (int i = 0; i < 2 * dim; i++) pairs[i] = claim_vertices(below(corners), below(corners));
    claim_pairs(&shown, 2 * dim, pairs);
    claim_pairs(c, 2 * dim, pairs);
    if (claim_judge(&shown) == GRAZE_OK) return;
  }
  fail();
}

static void check_boxes(claim c, int dim) {
  show_overlap(&c, dim);
  claim_check_tight(&c);
  c.answer.certificate.kind = GRAZE_CERTIFICATE_INSIDE;
  claim_check_tight(&c);
  claim hull = c;
  graze_vec corner[8];
  for (int i = 0; i < 8; i++) {
    graze_vec h = c.a.shape.extents;
    corner[i] = vec(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
  }
  hull.a.shape = graze_with_margin(dim == 2 ? graze_hull2(corner, 4) : graze_hull(corner, 8), 0.5);
  expect(&hull, GRAZE_REFUTED); /* the same solid, but no box */
  hull.answer.certificate.depth_proof = GRAZE_DEPTH_BY_PAIRS;
  expect(&hull, GRAZE_UNPROVEN);
}

/* All 15 axes, 4 in 2D, one after the other. */
TEST(test_box_axes) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int turn = 0; turn < dim; turn++) {
      for (int i = 0; i < (dim == 2 ? 1 : 9); i++) check_boxes(claim_boxes(dim, turn, i % 3, i / 3), dim);
    }
  }
}

TEST(test_parallel_boxes) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int turned = 0; turned < 2; turned++) {
      graze_shape a = dim == 2 ? graze_box2(4, 5) : graze_box(4, 5, 6);
      graze_pose at = turned ? graze_pose3(zero, 3, 0, 0, 1) : home, to = at;
      to.w *= 7, to.z *= 7; /* the same rotation */
      to.position = vec(5, 0, 0);
      if (turned) to.position = vec(4, 3, 0);
      claim c = claim_make(a, at, a, to, GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_INSIDE);
      c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_BOX_AXES;
      claim_vector(&c, to.position.x, to.position.y, 0);
      claim_interval(&c, -3, -3, -3);
      show_overlap(&c, dim);
      claim_check_tight(&c);
    }
  }
}

/* A flat box has a surface, but its difference with another one is flat only where they are parallel. */
TEST(test_flat_boxes) {
  graze_shape plate = graze_with_margin(graze_box(4, 4, 0), 0.25), wall = graze_box(0, 4, 4), rod = graze_box(4, 0, 0);
  claim c = claim_make(plate, home, wall, graze_pose_at(1, 0, 2), GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_NEAR);
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_BOX_AXES;
  claim_vector(&c, 0, 0, 1);
  claim_interval(&c, -2.25, -2.25, -2.25);
  show_overlap(&c, 3);
  claim_check_tight(&c);

  claim d =
      claim_make(plate, home, graze_box(4, 4, 0), graze_pose_at(1, 2, 0), GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_NEAR);
  const graze_pair ends[4] = {claim_vertices(0, 3), claim_vertices(3, 0), claim_vertices(1, 2), claim_vertices(2, 1)};
  claim_pairs(&d, 4, ends);
  d.answer.certificate.depth_proof = GRAZE_DEPTH_BY_BOX_AXES;
  claim_vector(&d, 0, 0, 1);
  claim_interval(&d, -0.25, -0.25, -0.25);
  claim_check_tight(&d); /* no deeper than the margin */
  d.b.shape = rod;
  d.b.pose = graze_pose_at(1, 0, 0);
  claim_check_tight(&d);
  d.a.shape = graze_with_margin(rod, 0.25);
  claim_check_tight(&d); /* parallel rods: every product of their edges is zero */
}

/* A box about the centre of another solid, either way round. */
static void check_no_box(graze_shape other, bool first) {
  graze_shape box = graze_box(1, 1, 1);
  bool curved = other.kind != GRAZE_SPHERE && other.kind != GRAZE_CAPSULE;
  double r = curved ? 0 : other.radius;
  claim c = claim_make(first ? other : box, home, first ? box : other, home, GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_NEAR);
  graze_pair pairs[2];
  for (int i = 0; i < 2; i++) {
    int corner = i == 0 ? 0 : 7, centre = curved ? -1 : 0;
    if (other.kind == GRAZE_CAPSULE) centre = corner == 0 ? 0 : 1;
    pairs[i] = claim_points(first ? centre : corner, zero, first ? corner : centre, zero);
  }
  claim_pairs(&c, 2, pairs);
  c.options.clearance = 0.5;
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_BOX_AXES;
  claim_interval(&c, NAN, NAN, -0.5 - r);
  expect(&c, GRAZE_OK); /* as deep as the radii: needs no axes */
  c.answer.upper = nextafter(c.answer.upper, -INFINITY);
  expect(&c, GRAZE_REFUTED); /* true, but not to be had from axes */
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_PAIRS;
  expect(&c, GRAZE_UNPROVEN);
}

TEST(test_only_boxes_have_box_axes) {
  const graze_shape others[] = {graze_sphere(2), graze_capsule(2, 1), graze_cylinder(2, 2), graze_ellipsoid(2, 2, 2),
                                graze_cone(3, 3)};
  for (int i = 0; i < 10; i++) check_no_box(others[i / 2], i % 2);
}
