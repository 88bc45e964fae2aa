/* The kernels for boxes around bodies (private): never wrong, the same for all instruction sets, nearly always decided,
 * and near a touch decided beyond the gap that docs/theory/simd.md states. Seed 1. */
#include "batch/results.h"
#include "batch/job.h"
#include "support/query.h"
#include "support/random.h"
#include "support/shapes.h"

enum { WIDTH = GRZ_BATCH_WIDTH, UNDECIDED = GRZ_BATCH_UNDECIDED };

static rng state;

static double between(double low, double high) { return rng_uniform(&state, low, high); }

static int one_of(int count) { return rng_below(&state, count); }

/* Makes a box. On a lattice boxes may be flat, have parallel edges, and touch. */
static graze_placed any_box(int dim, bool lattice, double scale, double offset) {
  double e[3], p[3], q[4];
  for (int i = 0; i < 3; i++) {
    e[i] = scale * (lattice ? one_of(3) : between(0.1, 1));
    p[i] = offset + scale * (lattice ? one_of(5) - 2 : between(-1.2, 1.2));
    q[i] = lattice ? one_of(2) : between(-1, 1);
  }
  q[3] = lattice ? 1 : between(-1, 1);
  const graze_shape box = box_of(dim, e[0], e[1], e[2]);
  return place(&box, dim == 2 ? graze_pose2(p[0], p[1], lattice ? 0 : 4 * q[0])
                              : graze_pose3(vec_make(p[0], p[1], p[2]), q[0], q[1], q[2], q[3]));
}

static graze_placed any_body(int dim, double scale, double offset) {
  static const graze_vec corners[4] = {{0, 0, 0}, {1, 0, 0.5}, {0, 1, 0}, {0.5, 0.5, 1}};
  const double r = scale * between(0.1, 1), h = scale * between(0.1, 1);
  const graze_shape solid[] = {graze_sphere(r),  graze_capsule(r, h),           graze_cylinder(r, h),
                               graze_cone(r, h), graze_hull_points(corners, 4), graze_ellipsoid(r, h, 2 * r)};
  const graze_shape flat[] = {graze_circle(r), graze_capsule2(r, h), graze_ellipse(r, h)};
  return graze_place(dim == 2 ? &flat[one_of(3)] : &solid[one_of(6)], any_box(dim, false, scale, offset).pose);
}

typedef struct box_pairs {
  grz_oriented a[WIDTH], b[WIDTH];
  double displacement[WIDTH][4];
} box_pairs;

/* Runs the kernel with every instruction set. */
static void query_kernels(const box_pairs *x, bool moves, uint8_t relation[WIDTH]) {
  const grz_oriented *a[WIDTH], *b[WIDTH];
  for (int i = 0; i < WIDTH; i++) a[i] = &x->a[i], b[i] = &x->b[i];
  const grz_oriented_pairs all = {{a, b}, moves ? x->displacement : NULL};
  grz_batch_named("portable")->bodies(&all, WIDTH, relation);
  for (size_t k = 0; k < COUNT(instruction_sets); k++) {
    const grz_batch_kernels *kernels = grz_batch_named(instruction_sets[k]);
    uint8_t same[WIDTH];
    if (kernels == NULL) continue;
    kernels->bodies(&all, WIDTH, same);
    assert_memory_equal(same, relation, WIDTH);
  }
}

typedef struct bodies {
  graze_placed a[WIDTH], b[WIDTH];
  box_pairs box;
  bool boxes, round, moves, wild; /* wild: the squares of the sizes leave the range of floats */
} bodies;

static graze_placed rounded(const graze_placed *placed, double margin) {
  const graze_shape shape = graze_with_margin(placed->shape, margin);
  return place(&shape, placed->pose);
}

static void make(bodies *x, bool moves, double clearance) {
  const int dim = 2 + one_of(2), kind = one_of(3);
  x->boxes = kind < 2, x->round = one_of(3) == 0, x->moves = moves, x->wild = one_of(8) == 0;
  const double least = x->wild ? -30 : one_of(4) == 0 ? -9 : 0, scale = pow(10, between(least, -least));
  const double offset = one_of(4) == 0 ? 1e6 * scale : 0;
  for (int i = 0; i < WIDTH; i++) {
    x->a[i] = x->boxes ? any_box(dim, kind == 1, scale, offset) : any_body(dim, scale, offset);
    x->b[i] = x->boxes ? any_box(dim, kind == 1, scale, offset) : any_body(dim, scale, offset);
    if (x->round) x->a[i] = rounded(&x->a[i], scale * between(0, 0.5)), x->b[i] = rounded(&x->b[i], scale);
    assert_true(grz_oriented_make(&x->box.a[i], &x->a[i], clearance) && grz_oriented_make(&x->box.b[i], &x->b[i], 0));
    for (int k = 0; k < 4; k++) x->box.displacement[i][k] = moves && k < dim ? scale * between(-2, 2) : 0;
  }
}

/* Returns the strongest correct relation. */
static uint8_t truth(const bodies *x, int i, double clearance) {
  const double *w = x->box.displacement[i];
  if (x->moves) {
    const graze_motion motion = {{w[0], w[1], w[2]}, {0, 0, 0}};
    graze_cast_options options = graze_default_cast_options();
    graze_cast_result cast;
    options.clearance = clearance;
    assert_int_equal(graze_cast(&x->a[i], NULL, &x->b[i], &motion, 1, &options, &cast), GRAZE_OK);
    return cast.outcome == GRAZE_CLEAR && cast.start_relation == GRAZE_SEPARATED ? GRAZE_SEPARATED : UNDECIDED;
  }
  graze_options options = graze_default_options();
  graze_answer answer;
  options.clearance = clearance;
  assert_int_equal(graze_intersect(&x->a[i], &x->b[i], &options, &answer), GRAZE_OK);
  return answer.relation == GRAZE_TOUCHING || answer.relation == GRAZE_UNDECIDED ? UNDECIDED : (uint8_t)answer.relation;
}

typedef struct tally {
  long known, decided;
} tally;

static void count(tally *t, uint8_t is, uint8_t relation) {
  t->known += is != UNDECIDED;
  t->decided += is != UNDECIDED && relation == is;
}

static void expect_share(const tally *t, double least, double most) {
  const double share = (double)t->decided / (double)t->known;
  if (share < least || share > most) fail_msg("%g decided, not %g to %g", share, least, most);
}

static void check_bounds(const graze_placed *placed) {
  graze_aabb tight, bounds;
  grz_oriented_bounds(placed, 0, &bounds);
  assert_int_equal(graze_bounds(placed, &tight), GRAZE_OK);
  assert_true(bounds.min.x <= tight.min.x && bounds.min.y <= tight.min.y && bounds.min.z <= tight.min.z);
  assert_true(bounds.max.x >= tight.max.x && bounds.max.y >= tight.max.y && bounds.max.z >= tight.max.z);
}

/* Counts what is decided of boxes, rounded ones, other bodies and wild sizes. */
static void check_bodies(bool moves, double clearance, tally of[4]) {
  static bodies x;
  uint8_t relation[WIDTH];
  make(&x, moves, clearance);
  query_kernels(&x.box, moves, relation);
  for (int i = 0; i < WIDTH; i++) {
    const uint8_t is = truth(&x, i, clearance);
    const bool may_overlap = x.boxes && clearance == 0;
    if (relation[i] == GRAZE_SEPARATED || (relation[i] == GRAZE_OVERLAPPING && may_overlap))
      assert_int_equal(relation[i], is);
    if (may_overlap || is == GRAZE_SEPARATED) count(&of[x.wild ? 3 : !x.boxes ? 2 : x.round], is, relation[i]);
    if (x.boxes) check_bounds(&x.b[i]);
  }
}

TEST(still_and_moving) {
  for (int moves = 0; moves < 2; moves++) {
    tally of[4] = {{0, 0}};
    state = 1;
    for (long n = 0; n < tiered(20000, 40000, 5000000); n += WIDTH) check_bodies(moves, 0, of);
    expect_share(&of[0], moves ? 0.8 : 0.99, 1);                   /* distant lattices nearly touch */
    expect_share(&of[1], moves ? 0.82 : 0.4, moves ? 0.94 : 0.6);  /* corners and depths stay undecided */
    expect_share(&of[2], moves ? 0.6 : 0.65, moves ? 0.75 : 0.85); /* those that are separated */
    expect_share(&of[3], 0.2, 0.5);
  }
}

TEST(clearances) {
  tally of[4] = {{0, 0}};
  state = 1;
  for (int n = 0; n < tiered(4000, 8000, 400000); n++) {
    const double unit = one_of(2) ? 1 : 1e3;
    check_bodies(n % 2, unit * between(0, 1), of);
  }
  for (int k = 1; k < 3; k++) of[0].known += of[k].known, of[0].decided += of[k].decided;
  expect_share(&of[0], 0.8, 0.95);
}

/* ---- some hundred units of rounding from a touch, by graze_compare_axes() */

typedef struct near_pair {
  graze_placed a, b;
  graze_vec from, to; /* positions of B at the start and the end; A is at the origin */
  graze_axis best;    /* axis of the largest gap at the end */
} near_pair;

static void move_to(graze_placed *placed, graze_vec position) {
  graze_pose pose = placed->pose;
  pose.position = position;
  assert_int_equal(graze_set_pose(placed, pose), GRAZE_OK);
}

/* The size of a pair as in src/batch/box_kernel.h. */
static double size_of(const near_pair *p) {
  return size1(p->from) + size1(p->to) + size1(p->a.shape.as.box.half_extents) + size1(p->b.shape.as.box.half_extents);
}

static void find_gap(near_pair *p) {
  move_to(&p->b, p->to);
  assert_int_equal(graze_compare_axes(&p->a, &p->b, NULL, NULL, NULL, &p->best), GRAZE_OK);
}

/* Moves B, which starts `distance` away, to a gap of `clearance` and a number of units. Returns the units after
 * rounding. */
static double set_gap(near_pair *p, double units, double clearance, double distance) {
  for (int i = 0; i < 4; i++) {
    find_gap(p);
    p->from = p->to;
    const double by = clearance + units * 0x1p-24 * (size_of(p) + 2 * distance) - p->best.separation;
    p->to = add_scaled(p->to, by, p->best.direction);
  }
  find_gap(p);
  p->from = add_scaled(p->to, distance, p->best.direction);
  return (p->best.separation - clearance) / (0x1p-24 * size_of(p));
}

/* Numbers of decided pairs in bins of 100 units, from -3200 to 3200. */
enum { BIN = 100, BINS = 64, MOST = BIN * BINS / 2 };
typedef struct shares {
  tally bin[BINS];
} shares;

/* Returns the percentage of decided pairs from `low` to `high` units. */
static double share_of(const shares *s, int low, int high) {
  tally sum = {0, 0};
  for (int i = (low + MOST) / BIN; i < (high + MOST) / BIN; i++)
    sum.known += s->bin[i].known, sum.decided += s->bin[i].decided;
  assert_true(sum.known > 100);
  return 100 * (double)sum.decided / (double)sum.known;
}

static void check_near(bool moves, double clearance, shares *separated, shares *overlap) {
  box_pairs x;
  uint8_t relation[WIDTH];
  double units[WIDTH];
  const double distance = moves ? between(0, 2) : 0;
  for (int i = 0; i < WIDTH; i++) {
    const graze_placed a = any_box(3, false, 1, 0), b = any_box(3, false, 1, 0);
    near_pair p = {.a = a, .b = b, .to = b.pose.position};
    move_to(&p.a, vec(0, 0, 0));
    units[i] = set_gap(&p, between(-MOST, MOST), clearance, distance);
    move_to(&p.b, p.from);
    assert_true(grz_oriented_make(&x.a[i], &p.a, clearance) && grz_oriented_make(&x.b[i], &p.b, 0));
    const graze_vec displacement = sub(p.to, p.from);
    x.displacement[i][0] = displacement.x, x.displacement[i][1] = displacement.y, x.displacement[i][2] = displacement.z,
    x.displacement[i][3] = 0;
  }
  query_kernels(&x, moves, relation);
  for (int i = 0; i < WIDTH; i++) {
    const int bin = (int)floor((units[i] + MOST) / BIN);
    if (bin < 0 || bin >= BINS) continue;
    separated->bin[bin].known++, separated->bin[bin].decided += relation[i] == GRAZE_SEPARATED;
    overlap->bin[bin].known++, overlap->bin[bin].decided += relation[i] == GRAZE_OVERLAPPING;
  }
}

/* Limits of docs/theory/simd.md. A separation needs a gap of 896 - 666 units, less rounding. Face axes decide from 512
 * units on, edge axes from 512 units over their sine. Overlaps need 384 and 666 units plus rounding. */
TEST(near_a_touch) {
  for (int moves = 0; moves < 2; moves++) {
    shares separated = {{{0, 0}}}, overlap = separated, grown = separated, deep = separated;
    state = 1;
    for (int n = 0; n < tiered(4000, 8000, 1000000); n++) check_near(moves, 0, &separated, &overlap);
    for (int n = 0; n < tiered(1000, 2000, 250000); n++) check_near(moves, between(0, 1), &grown, &deep);
    assert_true(share_of(&separated, -MOST, 0) == 0 && share_of(&separated, 0, 200) == 0 &&
                share_of(&separated, 700, MOST) > 95);
    assert_true(share_of(&grown, -MOST, 0) == 0 && share_of(&grown, 700, MOST) > 50);
    if (moves) assert_true(share_of(&overlap, -MOST, MOST) == 0);
    if (moves) continue;
    assert_true(share_of(&overlap, 0, MOST) == 0 && share_of(&overlap, -300, 0) == 0);
    assert_true(share_of(&overlap, -MOST, -700) > 99);
  }
}
