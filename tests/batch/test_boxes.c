/* What lanes say of boxes around bodies against exact answers about the bodies: "separated" and "overlapping" are never
 * wrong, however the boxes lie, all registers say the same, and nearly everything is decided. Boxes that are a few
 * hundred units of rounding from a touch, or in each other, are decided about where docs/theory/lanes.md says, and not
 * before.
 *
 * GRAZE_TIER: test, ci, soak: 20,000, 40,000 and 5,000,000 pairs. The seed is 1. */
#include "support/test.h"
#include "batch/kernels.h"
#include "broad/worlds.h"

#include <graze/motion.h>
#include <float.h>

enum { LANES = GRZ_BATCH_LANES, UNKNOWN = GRZ_BATCH_UNKNOWN };

static const char *const registers[] = {"portable", "sse2", "avx2", "avx512", "neon"};

static uint64_t state;

static double between(double low, double high) { return rng_uniform(&state, low, high); }

static int one_of(int count) { return (int)between(0, count); }

/* Also flat ones, and lattice poses, where edges are parallel and boxes touch. */
static graze_placed any_box(int dim, bool lattice, double scale, double away) {
  double e[3], p[3];
  for (int i = 0; i < 3; i++) {
    e[i] = scale * (lattice ? one_of(3) : between(0.1, 1));
    p[i] = away + scale * (lattice ? one_of(5) - 2 : between(-1.2, 1.2));
  }
  const graze_shape box = dim == 2 ? graze_box2(e[0], e[1]) : graze_box(e[0], e[1], e[2]);
  if (dim == 2) return graze_place(&box, graze_pose2(p[0], p[1], lattice ? 0 : between(-4, 4)));
  if (lattice) return graze_place(&box, graze_pose3(vec_make(p[0], p[1], p[2]), one_of(2), one_of(2), one_of(2), 1));
  return graze_place(
      &box, graze_pose3(vec_make(p[0], p[1], p[2]), between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)));
}

static graze_placed any_body(int dim, double scale, double away) {
  static const graze_vec corners[4] = {{0, 0, 0}, {1, 0, 0.5}, {0, 1, 0}, {0.5, 0.5, 1}};
  const double r = scale * between(0.1, 1), h = scale * between(0.1, 1);
  const graze_shape solid[] = {graze_sphere(r),  graze_capsule(r, h),    graze_cylinder(r, h),
                               graze_cone(r, h), graze_hull(corners, 4), graze_ellipsoid(r, h, 2 * r)};
  const graze_shape flat[] = {graze_circle(r), graze_capsule2(r, h), graze_ellipse(r, h)};
  graze_placed placed = any_box(dim, false, scale, away);
  return graze_place(dim == 2 ? &flat[one_of(3)] : &solid[one_of(6)], placed.pose);
}

typedef struct pairs {
  grz_oriented a[LANES], b[LANES];
  double way[LANES][4];
} pairs;

/* All registers that there are say the same. */
static void judge(const pairs *x, bool moves, uint8_t verdict[LANES]) {
  const grz_oriented *a[LANES], *b[LANES];
  for (int i = 0; i < LANES; i++) a[i] = &x->a[i], b[i] = &x->b[i];
  const grz_oriented_pairs all = {{a, b}, moves ? x->way : NULL};
  grz_batch_portable.bodies(&all, LANES, verdict);
  for (size_t k = 0; k < sizeof registers / sizeof *registers; k++) {
    const grz_batch_kernels *kernels = grz_batch_named(registers[k]);
    uint8_t same[LANES];
    if (kernels == NULL) continue;
    kernels->bodies(&all, LANES, same);
    assert_memory_equal(same, verdict, LANES);
  }
}

typedef struct bodies {
  graze_placed a[LANES], b[LANES];
  pairs box;
  bool boxes, round, moves, wild; /* wild: beyond what floats can square */
} bodies;

static graze_placed rounded(const graze_placed *placed, double margin) {
  const graze_shape shape = graze_with_margin(placed->shape, margin);
  return graze_place(&shape, placed->pose);
}

static void make(bodies *x, bool moves) {
  const int dim = 2 + one_of(2), kind = one_of(3);
  const bool round = one_of(3) == 0;
  x->wild = one_of(8) == 0;
  const double least = x->wild ? -30 : one_of(4) == 0 ? -9 : 0, scale = pow(10, between(least, -least));
  const double away = one_of(4) == 0 ? 1e6 * scale : 0;
  x->boxes = kind < 2, x->round = round, x->moves = moves;
  for (int i = 0; i < LANES; i++) {
    x->a[i] = x->boxes ? any_box(dim, kind == 1, scale, away) : any_body(dim, scale, away);
    x->b[i] = x->boxes ? any_box(dim, kind == 1, scale, away) : any_body(dim, scale, away);
    if (round) x->a[i] = rounded(&x->a[i], scale * between(0, 0.5)), x->b[i] = rounded(&x->b[i], scale);
    assert_true(grz_oriented_make(&x->box.a[i], &x->a[i], 0) && grz_oriented_make(&x->box.b[i], &x->b[i], 0));
    for (int k = 0; k < 4; k++) x->box.way[i][k] = moves && k < dim ? scale * between(-2, 2) : 0;
  }
}

static bool is_clear(const bodies *x, int i, const graze_options *options) {
  graze_impact impact;
  const double *way = x->box.way[i];
  const graze_vec still = {0, 0, 0}, v = {way[0], way[1], way[2]};
  assert_int_equal(graze_cast(&x->a[i], still, &x->b[i], v, 1, options, &impact), GRAZE_OK);
  return impact.result == GRAZE_CLEAR && impact.starts == GRAZE_SEPARATED;
}

/* The most that can be said. */
static uint8_t truth(const bodies *x, int i) {
  graze_answer answer;
  if (x->moves) return is_clear(x, i, NULL) ? GRAZE_SEPARATED : UNKNOWN;
  assert_int_equal(graze_intersect(&x->a[i], &x->b[i], NULL, &answer), GRAZE_OK);
  return answer.relation == GRAZE_SEPARATED || answer.relation == GRAZE_OVERLAPPING ? (uint8_t)answer.relation
                                                                                    : UNKNOWN;
}

/* How often the truth was known, and how often it was said. */
typedef struct tally {
  long known, decided;
} tally;

static void count(tally *t, uint8_t is, uint8_t verdict) {
  t->known += is != UNKNOWN;
  t->decided += is != UNKNOWN && verdict == is;
}

static void expect_share(const char *what, const tally *t, double least, double most) {
  const double share = (double)t->decided / (double)t->known;
  printf("%s: %ld of %ld decided, %.2f %%\n", what, t->decided, t->known, 100 * share);
  assert_true(share >= least && share <= most);
}

static void check(bool moves) {
  static bodies x;
  tally boxes = {0, 0}, round = {0, 0}, curved = {0, 0}, wild = {0, 0};
  state = 1;
  for (long n = 0; n < tiered(20000, 40000, 5000000); n += LANES) {
    uint8_t verdict[LANES];
    make(&x, moves);
    judge(&x.box, moves, verdict);
    for (int i = 0; i < LANES; i++) {
      const uint8_t is = truth(&x, i);
      tally *t = x.wild ? &wild : !x.boxes ? &curved : x.round ? &round : &boxes;
      if (verdict[i] == GRAZE_SEPARATED || (verdict[i] == GRAZE_OVERLAPPING && x.boxes))
        assert_int_equal(verdict[i], is);
      if (x.boxes || is == GRAZE_SEPARATED) count(t, is, verdict[i]);
    }
  }
  expect_share("boxes", &boxes, moves ? 0.8 : 0.99, 1);                          /* far lattices nearly touch */
  expect_share("rounded boxes", &round, moves ? 0.82 : 0.4, moves ? 0.94 : 0.6); /* corners, and how deep */
  expect_share("others that are apart", &curved, moves ? 0.6 : 0.65, moves ? 0.75 : 0.85);
  expect_share("of sizes from 1e-30 to 1e30", &wild, 0.2, 0.5);
}

TEST(test_still) { check(false); }

TEST(test_moving) { check(true); }

/* What counts as far from a body is not nearer than that, at any time; and bounds hold the body. */
static void check_grow(const bodies *x, int i, uint8_t verdict, double clearance, tally *t) {
  graze_options options = graze_default_options();
  graze_answer answer;
  options.clearance = clearance;
  assert_int_equal(graze_intersect(&x->a[i], &x->b[i], &options, &answer), GRAZE_OK);
  const bool apart = x->moves ? is_clear(x, i, &options) : answer.relation == GRAZE_SEPARATED;
  if (verdict == GRAZE_SEPARATED) assert_true(apart);
  if (apart && !x->wild) count(t, GRAZE_SEPARATED, verdict);
}

static void check_bounds(const graze_placed *placed) {
  graze_aabb tight, bounds;
  grz_oriented_bounds(placed, 0, &bounds);
  assert_int_equal(graze_bounds(placed, &tight), GRAZE_OK);
  assert_true(bounds.min.x <= tight.min.x && bounds.min.y <= tight.min.y && bounds.min.z <= tight.min.z);
  assert_true(bounds.max.x >= tight.max.x && bounds.max.y >= tight.max.y && bounds.max.z >= tight.max.z);
}

TEST(test_grow) {
  static bodies x;
  tally t = {0, 0};
  state = 1;
  for (int n = 0; n < tiered(4000, 8000, 400000); n++) {
    uint8_t verdict[LANES];
    const double clearance = one_of(2) ? between(0, 1) : 1e3 * between(0, 1);
    make(&x, n % 2);
    for (int i = 0; i < LANES; i++) assert_true(grz_oriented_make(&x.box.a[i], &x.a[i], clearance));
    judge(&x.box, x.moves, verdict);
    for (int i = 0; i < LANES; i++) {
      check_grow(&x, i, verdict[i], clearance, &t);
      if (x.boxes) check_bounds(&x.b[i]);
    }
  }
  expect_share("kept away from", &t, 0.8, 0.95);
}

/* ---- A few hundred units from a touch, by long double */

typedef struct frame {
  long double axis[3][3], half[3];
} frame;

static frame frame_of(const graze_placed *box) {
  const long double w = box->pose.w, x = box->pose.x, y = box->pose.y, z = box->pose.z;
  const long double square = w * w + x * x + y * y + z * z;
  const long double m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), w * w + y * y - x * x - z * z, 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), w * w + z * z - x * x - y * y}};
  frame f = {.half = {box->shape.extents.x, box->shape.extents.y, box->shape.extents.z}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) f.axis[i][k] = m[k][i] / square;
  return f;
}

static long double dot(const long double p[3], const long double q[3]) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

/* The gap along a direction that need not be unit, beyond the margins; it becomes unit, and points to B. */
static long double gap_along(const frame *a, const frame *b, const long double offset[3], long double n[3]) {
  const long double length = sqrtl(dot(n, n)), sign = dot(n, offset) < 0 ? -1 : 1;
  if (length < 1e-6L) return -HUGE_VALL;
  for (int k = 0; k < 3; k++) n[k] *= sign / length;
  long double gap = dot(n, offset);
  for (int i = 0; i < 3; i++) gap -= a->half[i] * fabsl(dot(n, a->axis[i])) + b->half[i] * fabsl(dot(n, b->axis[i]));
  return gap;
}

/* The largest gap along all 15 axes, and that axis: no more than that is between them, and if it is less than 0, they
 * overlap. */
static long double gap_of(const frame *a, const frame *b, const long double offset[3], long double best[3]) {
  long double most = -HUGE_VALL;
  for (int i = 0; i < 15; i++) {
    const long double *u = a->axis[i % 3], *v = b->axis[i / 3 % 3];
    long double n[3];
    for (int k = 0; k < 3; k++) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      n[k] = i < 9 ? u[l] * v[m] - u[m] * v[l] : i < 12 ? u[k] : b->axis[i - 12][k];
    }
    const long double gap = gap_along(a, b, offset, n);
    if (gap <= most) continue;
    most = gap;
    for (int k = 0; k < 3; k++) best[k] = n[k];
  }
  return most;
}

typedef struct near_pair {
  frame a, b;
  double from[3], to[3]; /* where B is at first, and at the end, as seen from the centre of A */
  long double n[3], gap; /* at the end */
} near_pair;

/* As src/batch/boxes_kernel.h counts it. */
static long double size_of(const near_pair *p) {
  long double size = 0;
  for (int k = 0; k < 3; k++) size += p->a.half[k] + p->b.half[k] + fabsl(p->from[k]) + fabsl(p->to[k]);
  return size;
}

static void look(near_pair *p) {
  const long double offset[3] = {p->to[0], p->to[1], p->to[2]};
  p->gap = gap_of(&p->a, &p->b, offset, p->n);
}

/* Puts B, which comes from `far` away, so many units beyond `grow`, but for rounding; how many it is then. */
static long double put(near_pair *p, double units, double grow, double far) {
  for (int i = 0; i < 4; i++) {
    look(p);
    for (int k = 0; k < 3; k++) p->from[k] = p->to[k];
    const long double by = grow + units * 0x1p-24L * (size_of(p) + 2 * far) - p->gap;
    for (int k = 0; k < 3; k++) p->to[k] = (double)(p->to[k] + by * p->n[k]);
  }
  look(p);
  for (int k = 0; k < 3; k++) p->from[k] = (double)(p->to[k] + far * p->n[k]);
  return (p->gap - grow) / (0x1p-24L * size_of(p));
}

/* Shares of what is said, by units from -3200 to 3200, 100 of them in each. */
enum { BIN = 100, BINS = 64, MOST = BIN * BINS / 2 };
typedef struct shares {
  long all[BINS], said[BINS];
} shares;

static void share_count(shares *s, long double units, bool said) {
  const int bin = (int)floorl((units + MOST) / BIN);
  if (bin < 0 || bin >= BINS) return;
  s->all[bin]++, s->said[bin] += said;
}

/* Per cent in bins from `low` to `high` units. */
static double share_of(const shares *s, int low, int high) {
  long all = 0, said = 0;
  for (int i = (low + MOST) / BIN; i < (high + MOST) / BIN; i++) all += s->all[i], said += s->said[i];
  assert_true(all > 100);
  return 100 * (double)said / (double)all;
}

static void judge_near(bool moves, double grow, shares *apart, shares *overlap) {
  pairs x;
  uint8_t verdict[LANES];
  long double units[LANES];
  const double far = moves ? between(0, 2) : 0;
  for (int i = 0; i < LANES; i++) {
    graze_placed a = any_box(3, false, 1, 0), b = any_box(3, false, 1, 0);
    near_pair p = {
        frame_of(&a), frame_of(&b), {0, 0, 0}, {b.pose.position.x, b.pose.position.y, b.pose.position.z}, {0, 0, 0}, 0};
    units[i] = put(&p, between(-MOST, MOST), grow, far);
    assert_true(grz_oriented_make(&x.a[i], &a, grow) && grz_oriented_make(&x.b[i], &b, 0));
    for (int k = 0; k < 3; k++) x.a[i].at[k] = 0, x.b[i].at[k] = p.from[k], x.way[i][k] = p.to[k] - p.from[k];
    x.way[i][3] = 0;
  }
  judge(&x, moves, verdict);
  for (int i = 0; i < LANES; i++) {
    share_count(apart, units[i], verdict[i] == GRAZE_SEPARATED);
    share_count(overlap, units[i], verdict[i] == GRAZE_OVERLAPPING);
  }
}

/* By docs/theory/lanes.md what is apart is at least 896 - 666 units away, less what is rounded, and said to be so from
 * 512 on along faces; along edges, from so much over their sine on. Of overlaps, 384 and 666 plus what is rounded. With
 * more to keep away from, edges are later still. */
TEST(test_near) {
  if (LDBL_MANT_DIG < 64) skip();
  for (int moves = 0; moves < 2; moves++) {
    shares apart = {{0}, {0}}, overlap = {{0}, {0}}, grown = {{0}, {0}}, deep = {{0}, {0}};
    state = 1;
    for (int n = 0; n < tiered(4000, 8000, 1000000); n++) judge_near(moves, 0, &apart, &overlap);
    for (int n = 0; n < tiered(1000, 2000, 250000); n++) judge_near(moves, between(0, 1), &grown, &deep);
    printf("%s: apart %.2f %% at 0 to 200 units, %.2f %% at 700 to 3200; grown %.2f %%\n", moves ? "moving" : "still",
           share_of(&apart, 0, 200), share_of(&apart, 700, MOST), share_of(&grown, 700, MOST));
    assert_true(share_of(&apart, -MOST, 0) == 0 && share_of(&apart, 0, 200) == 0 && share_of(&apart, 700, MOST) > 95);
    assert_true(share_of(&grown, -MOST, 0) == 0 && share_of(&grown, 700, MOST) > 50);
    if (moves) assert_true(share_of(&overlap, -MOST, MOST) == 0);
    if (moves) continue;
    printf("overlapping %.2f %% at 0 to 300 units, %.2f %% at 700 to 3200\n", share_of(&overlap, -300, 0),
           share_of(&overlap, -MOST, -700));
    assert_true(share_of(&overlap, 0, MOST) == 0 && share_of(&overlap, -300, 0) == 0);
    assert_true(share_of(&overlap, -MOST, -700) > 99);
  }
}
