/* Overlaps and depths by axes: each of the 15 axes of boxes (4 in 2D) alone refutes what is one ulp too deep. */

#include "support/shapes.h"
#include "verify/attacks.h"
#include "support/random.h"

/* Cycles the names of a cube's axes: q·(1, 1, 1, 1), repeatedly. */
static graze_pose cycled(graze_pose q, int times) {
  for (int k = 0; k < times; k++)
    q = graze_pose3(vec(0, 0, 0), q.w - q.x - q.y - q.z, q.w + q.x + q.y - q.z, q.w - q.x + q.y + q.z,
                    q.w + q.x - q.y + q.z);
  return q;
}

static verify_case by_axes(verify_case c, double x, double y, double z, double depth) {
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_AXES;
  return with_interval(with_vector(c, x, y, z), -depth, -depth, -depth);
}

/* Finds pairs that enclose the origin at random. Seed 3. */
static verify_case with_enclosing_pairs(verify_case c, int dim) {
  rng random = 3;
  for (int attempt = 0; attempt < 100000; attempt++) {
    c.answer.certificate.pair_count = 2 * dim;
    for (int i = 0; i < 2 * dim; i++) {
      const int first = rng_below(&random, 1 << dim), second = rng_below(&random, 1 << dim);
      c.answer.certificate.pairs[i] = vertices(first, second);
    }
    verify_case relation = with_interval(c, NAN, NAN, 0);
    relation.answer.certificate.kind = GRAZE_CERTIFICATE_INSIDE;
    if (case_status(&relation) == GRAZE_OK) return c;
  }
  fail();
  return c;
}

/* A quarter deep along x, and deeper along all other axes. `source`: x is a face normal of A (0), of B (1), of edges
 * (2). */
static verify_case boxes_case(int dim, int source, int cycle_a, int cycle_b) {
  graze_shape cube = dim == 2 ? graze_box2(2.5, 2.5) : graze_box(2.5, 2.5, 2.5), one = cube;
  one.as.box.half_extents = vec(1, 1, dim == 2 ? 0 : 1);
  const graze_pose turned = {{0, 0, 0}, 3, 0, 0, 1}, turned_y = {{0, 0, 0}, 3, 0, 1, 0};
  graze_pose a = source == 0 ? identity : turned, b = source == 0 ? turned : source == 1 ? identity : turned_y;
  if (dim == 3) a = cycled(a, cycle_a), b = cycled(b, cycle_b);
  b.position.x = (source == 2 ? 3.5 + 3.5 : 1 + 3.5) - 0.25;
  verify_case c = overlapping(graze_with_margin(source == 0 ? one : cube, 0.5), a, source == 1 ? one : cube, b,
                              GRAZE_CERTIFICATE_NEAR);
  return with_enclosing_pairs(by_axes(c, 1, 0, 0, 0.75), dim);
}

TEST(every_axis_bounds_the_depth) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int i = 0; i < (dim == 2 ? 2 : 27); i++) {
      verify_case c = dim == 2 ? boxes_case(2, i, 0, 0) : boxes_case(3, i / 9, i % 3, i / 3 % 3);
      check_tight(c);
      c.answer.certificate.kind = GRAZE_CERTIFICATE_INSIDE;
      check_tight(c);
      /* The same solid as a hull has no box axes. */
      const graze_vec h = c.a.shape.as.box.half_extents;
      graze_vec corner[8];
      for (int k = 0; k < 8; k++) corner[k] = vec(k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z);
      c.a.shape = graze_with_margin(dim == 2 ? graze_hull_points2(corner, 4) : graze_hull_points(corner, 8), 0.5);
      expect(c, GRAZE_REFUTED);
      c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_PAIRS;
      expect(c, GRAZE_UNPROVEN);
    }
  }
}

TEST(parallel_boxes) {
  for (int i = 0; i < 4; i++) {
    const int dim = 2 + i / 2;
    const graze_shape box = dim == 2 ? graze_box2(4, 5) : graze_box(4, 5, 6);
    const graze_pose a = i % 2 ? graze_pose3(vec(0, 0, 0), 3, 0, 0, 1) : identity;
    const graze_vec offset = i % 2 ? vec(4, 3, 0) : vec(5, 0, 0);
    const graze_pose b = {offset, 7 * a.w, 0, 0, 7 * a.z}; /* the same rotation */
    verify_case c = by_axes(overlapping(box, a, box, b, GRAZE_CERTIFICATE_INSIDE), offset.x, offset.y, 0, 3);
    check_tight(with_enclosing_pairs(c, dim));
  }
}

/* A flat box has a surface, but its difference with another one is flat only where they are parallel. */
TEST(flat_boxes) {
  graze_shape plate = graze_with_margin(graze_box(4, 4, 0), 0.25), rod = graze_box(4, 0, 0);
  verify_case c = overlapping(plate, identity, graze_box(0, 4, 4), graze_pose_at(1, 0, 2), GRAZE_CERTIFICATE_NEAR);
  check_tight(with_enclosing_pairs(by_axes(c, 0, 0, 1, 2.25), 3));
  verify_case d = overlapping(plate, identity, graze_box(4, 4, 0), graze_pose_at(1, 2, 0), GRAZE_CERTIFICATE_NEAR);
  d = with_pairs(d, PAIRS(vertices(0, 3), vertices(3, 0), vertices(1, 2), vertices(2, 1)));
  d = by_axes(d, 0, 0, 1, 0.25);
  check_tight(d); /* no deeper than the margin */
  d.b.shape = rod;
  d.b.pose = graze_pose_at(1, 0, 0);
  check_tight(d);
  d.a.shape = graze_with_margin(rod, 0.25);
  check_tight(d); /* parallel rods: every product of their edges is zero */
}

/* A box about the centre of another solid, in both orders. */
TEST(only_boxes_have_box_axes) {
  const graze_shape box = graze_box(1, 1, 1);
  const graze_shape others[] = {graze_sphere(2), graze_capsule(2, 1), graze_cylinder(2, 2), graze_ellipsoid(2, 2, 2),
                                graze_cone(3, 3)};
  for (size_t i = 0; i < COUNT(others); i++) {
    const bool curved = i > 1;
    const double deep = 0.5 + (curved ? 0 : radius_of(&others[i]));
    for (int first = 0; first < 2; first++) {
      verify_case c =
          overlapping(first ? others[i] : box, identity, first ? box : others[i], identity, GRAZE_CERTIFICATE_NEAR);
      editable_pair pair[2];
      for (int k = 0; k < 2; k++) {
        const int corner = 7 * k, centre = curved ? -1 : i == 1 ? k : 0;
        pair[k] = points(first ? centre : corner, vec(0, 0, 0), first ? corner : centre, vec(0, 0, 0));
      }
      c = with_clearance(with_pairs(c, (pair_list){2, pair}), 0.5);
      c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_AXES;
      expect(with_interval(c, NAN, NAN, -deep), GRAZE_OK); /* as deep as the radii: needs no axes */
      c = with_interval(c, NAN, NAN, nextafter(-deep, -INFINITY));
      expect(c, GRAZE_REFUTED); /* true, but box axes do not prove it */
      c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_PAIRS;
      expect(c, GRAZE_UNPROVEN);
    }
  }
}

/* ---- Overlap by axes */

typedef struct axes_tally {
  long relation[GRAZE_UNDECIDED + 1];
} axes_tally;

/* The axes prove an overlap if and only if the interiors of the cores overlap, which the exact search decides. */
static void check_overlap_by_axes(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b, axes_tally *t) {
  verify_case c = overlapping(a, pose_a, b, pose_b, GRAZE_CERTIFICATE_AXES);
  const verify_case numbers = with_interval(c, NAN, NAN, 0);
  graze_options options = graze_default_options();
  graze_answer answer;
  options.method = GRAZE_METHOD_EXACT;
  assert_int_equal(graze_intersect(&c.a, &c.b, &options, &answer), GRAZE_OK);
  expect(c, answer.relation == GRAZE_OVERLAPPING ? GRAZE_OK : GRAZE_REFUTED);
  expect(numbers, answer.relation == GRAZE_OVERLAPPING ? GRAZE_OK : GRAZE_REFUTED);
  /* An answer without a relation states no overlap, but its `upper` needs the axes just as well. */
  verify_case undecided = with_interval(c, -INFINITY, NAN, 0);
  undecided.answer.relation = GRAZE_UNDECIDED;
  if (answer.relation == GRAZE_OVERLAPPING) expect(undecided, GRAZE_OK);
  if (answer.relation == GRAZE_SEPARATED) expect(undecided, GRAZE_REFUTED);
  t->relation[answer.relation]++;
}

/* A box, or in 2D also a triangle or a polygon; coordinates are small multiples of 1/4, so that many pairs touch. */
static graze_shape lattice_shape(rng *random, int dim, graze_vec corner[4]) {
  const graze_vec h =
      vec(rng_below(random, 4) / 4.0, rng_below(random, 4) / 4.0, dim == 2 ? 0 : rng_below(random, 4) / 4.0);
  const int kind = dim == 2 ? rng_below(random, 3) : 0;
  if (kind == 0) return dim == 2 ? graze_box2(h.x, h.y) : graze_box(h.x, h.y, h.z);
  const double turn = rng_below(random, 2) ? 1 : -1; /* either winding */
  corner[0] = vec(-1, 0, 0), corner[1] = vec(0, -turn, 0), corner[2] = vec(1, 0, 0),
  corner[3] = vec(h.x, turn * 0.25, 0);
  return kind == 1 ? graze_triangle2(corner[0], corner[1], corner[2]) : graze_polygon(corner, 4);
}

/* Seed 31. */
TEST(axes_prove_overlaps_of_boxes_and_outlines) {
  static const double angles[][2] = {{1, 0}, {1, 1}, {3, 1}, {2, 1}};
  rng random = 31;
  for (int dim = 2; dim <= 3; dim++) {
    axes_tally t = {0};
    for (int i = 0; i < tiered(400, 2000, 50000); i++) {
      graze_vec corner[2][4];
      const double *w = angles[rng_below(&random, 4)];
      const graze_pose pose_a = graze_pose3(vec(0, 0, 0), w[0], 0, 0, w[1]);
      graze_pose pose_b = dim == 2 || rng_below(&random, 2) ? pose_a : graze_pose3(vec(0, 0, 0), 3, 0, 1, 0);
      pose_b.position = vec(rng_below(&random, 9) / 4.0 - 1, rng_below(&random, 9) / 4.0 - 1,
                            dim == 2 ? 0 : rng_below(&random, 9) / 4.0 - 1);
      const graze_shape a = lattice_shape(&random, dim, corner[0]), b = lattice_shape(&random, dim, corner[1]);
      check_overlap_by_axes(a, pose_a, b, pose_b, &t);
    }
    const long all = t.relation[GRAZE_SEPARATED] + t.relation[GRAZE_TOUCHING] + t.relation[GRAZE_OVERLAPPING];
    for (int k = GRAZE_SEPARATED; k <= GRAZE_OVERLAPPING; k++) assert_true(20 * t.relation[k] > all);
  }
}

TEST(only_boxes_and_outlines_have_axes) {
  const graze_vec corner[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  const graze_shape others[] = {graze_hull_points2(corner, 4), graze_segment2(corner[0], corner[2]),
                                graze_capsule2(1, 1),          graze_circle(1),
                                graze_ellipse(1, 1),           graze_triangle(corner[0], corner[1], corner[2])};
  for (size_t i = 0; i < COUNT(others); i++) {
    const graze_shape box = others[i].dim == 2 ? graze_box2(1, 1) : graze_box(1, 1, 1);
    expect(overlapping(box, identity, others[i], identity, GRAZE_CERTIFICATE_AXES), GRAZE_REFUTED);
    expect(overlapping(others[i], identity, box, identity, GRAZE_CERTIFICATE_AXES), GRAZE_REFUTED);
  }
}

/* Two segments on one line, with a gap of 1: no edge normal shows the gap. */
TEST(flat_outlines_prove_nothing) {
  const graze_shape flat = graze_with_margin(graze_triangle2(vec(0, 0, 0), vec(1, 0, 0), vec(2, 0, 0)), 0.75);
  for (int turn = 0; turn < 2; turn++) {
    verify_case c = overlapping(flat, identity, turn ? flat : graze_box2(1, 0),
                                turn ? graze_pose_at(3, 0, 0) : graze_pose_at(4, 0, 0), GRAZE_CERTIFICATE_NEAR);
    c = with_pairs(c, PAIRS(vertices(2, 0)));
    const double radii = turn ? 1.5 : 0.75;
    c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_AXES;
    expect(with_interval(c, NAN, NAN, 1 - radii), turn ? GRAZE_OK : GRAZE_REFUTED);
    expect(with_interval(c, NAN, NAN, -radii), GRAZE_REFUTED);
    c.answer.certificate.kind = GRAZE_CERTIFICATE_AXES;
    expect(with_interval(c, NAN, NAN, -radii), GRAZE_REFUTED);
  }
}
