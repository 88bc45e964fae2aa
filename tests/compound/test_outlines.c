/* Outlines with holes, split by graze_decompose(), as one shape: points by exact winding numbers, on seams and off
 * them; bodies and other outlines against every pair of pieces. Seeds are stated at each test. GRAZE_TIER: test (the
 * default), ci (twice as many), soak (20 times). */

#include "support/test.h"
#include "support/compounds.h"

enum { MOST = 400, HOLES = 4, LARGE = 300 };

typedef struct outline {
  graze_vec vertices[1 + HOLES][MOST];
  graze_ring rings[1 + HOLES];
  int count; /* of rings */
  graze_decomposition pieces;
  graze_compound *compound;
} outline;

static rng dice;
static outline first, second;

static int rounds(int count) { return tiered(count, 2 * count, 20 * count); }

/* A ring of `count` vertices around a point, with radii between two bounds; multiples of 1/step. */
static void ring(outline *o, int count, double x, double y, double low, double high, double step) {
  for (int i = 0; i < count; i++) {
    double angle = 6.283185307179586 * i / count, radius = rng_uniform(&dice, low, high);
    graze_vec at = {round(step * (x + radius * cos(angle))) / step, round(step * (y + radius * sin(angle))) / step, 0};
    o->vertices[o->count][i] = at;
  }
  o->rings[o->count].vertices = o->vertices[o->count];
  o->rings[o->count++].count = (size_t)count;
}

static bool is_simple(const graze_ring *r) {
  graze_outline judged;
  assert_int_equal(graze_judge_outline(r->vertices, r->count, NULL, &judged, NULL), GRAZE_OK);
  bool simple = judged.simple;
  graze_outline_destroy(&judged);
  return simple;
}

static bool split(outline *o, graze_splitting splitting) {
  size_t holes = (size_t)o->count - 1;
  graze_status status = graze_decompose(o->rings[0], o->rings + 1, holes, splitting, NULL, &o->pieces, NULL, NULL);
  if (status != GRAZE_OK) return false;
  assert_int_equal(graze_decomposition_compound(&o->pieces, NULL, &o->compound), GRAZE_OK);
  return true;
}

/* False: rounding made the rings touch or cross. On the coarse lattice many vertices lie on a line. */
static bool make(outline *o) {
  bool coarse = rng_below(&dice, 2) == 0;
  int holes = coarse ? 0 : rng_below(&dice, 4);
  double step = coarse ? 1 : 64;
  graze_splitting splitting = holes > 0 || rng_below(&dice, 2) ? GRAZE_SPLIT_FEW : GRAZE_SPLIT_FEWEST;
  o->count = 0;
  ring(o, 5 + rng_below(&dice, 75), 0, 0, 3, 8, step);
  for (int i = 0; i < holes; i++) ring(o, 3 + rng_below(&dice, 8), 1.5 * cos(2 * i), 1.5 * sin(2 * i), 0.3, 0.9, step);
  if (!is_simple(&o->rings[0])) return false;
  return split(o, splitting);
}

/* Hundreds of vertices, and as many in a hole. */
static bool make_large(outline *o) {
  o->count = 0;
  ring(o, LARGE + rng_below(&dice, MOST - LARGE), 0, 0, 5, 8, 512);
  ring(o, LARGE + rng_below(&dice, MOST - LARGE), 0, 0, 2, 4, 512);
  return is_simple(&o->rings[0]) && is_simple(&o->rings[1]) && split(o, GRAZE_SPLIT_FEW);
}

static void add(outline *o, const double (*points)[2], int count) {
  for (int i = 0; i < count; i++) o->vertices[o->count][i] = (graze_vec){points[i][0], points[i][1], 0};
  o->rings[o->count] = (graze_ring){o->vertices[o->count], (size_t)count};
  o->count++;
}

/* Holes that touch each other at a vertex, one with an edge, and the outline at two places; the corners that are free
 * to move anywhere within 1/2. */
static bool make_touching(outline *o) {
  double j[8];
  const double outer[4][2] = {{-8, -8}, {8, -8}, {8, 8}, {-8, 8}};
  for (int i = 0; i < 8; i++) j[i] = (rng_below(&dice, 65) - 32) / 64.0;
  const double left[3][2] = {{0, 0}, {-4 + j[0], 2 + j[1]}, {-4 + j[2], -2 + j[3]}};
  const double right[3][2] = {{0, 0}, {4, -2}, {4, 2}};
  const double high[3][2] = {{4, 1}, {8, 8}, {5 + j[4], 5 + j[5]}}; /* from the middle of an edge to a corner */
  const double low[3][2] = {{0, -8}, {1 + j[6], -4 + j[7]}, {-1 + j[7], -5 + j[6]}};
  o->count = 0;
  add(o, outer, 4), add(o, left, 3), add(o, right, 3), add(o, high, 3), add(o, low, 3);
  return split(o, GRAZE_SPLIT_FEW);
}

static void drop(outline *o) {
  graze_compound_destroy(o->compound);
  graze_decomposition_destroy(&o->pieces);
}

static graze_placed placed(const outline *o, double spread) {
  graze_shape shape = graze_compound_shape(o->compound);
  return graze_place(&shape, spread > 0 ? random_grid_pose(&dice, 2, spread) : graze_pose_at(0, 0, 0));
}

/* Somewhere on a seam, on an eighth of it, its ends included; or on the lattice; or a vertex. */
static graze_vec anywhere(const outline *o) {
  graze_vec at = {(rng_below(&dice, 1024) - 512) / 64.0, (rng_below(&dice, 1024) - 512) / 64.0, 0};
  if (o->pieces.seam_count > 0 && rng_below(&dice, 3) == 0) {
    const graze_seam *seam = &o->pieces.seams[rng_below(&dice, (int)o->pieces.seam_count)];
    int t = rng_below(&dice, 9);
    at.x = seam->from.x + (seam->to.x - seam->from.x) * t / 8,
    at.y = seam->from.y + (seam->to.y - seam->from.y) * t / 8;
  }
  const graze_ring *r = &o->rings[rng_below(&dice, o->count)];
  return rng_below(&dice, 8) == 0 ? r->vertices[rng_below(&dice, (int)r->count)] : at;
}

/* A point inside a seam touches all pieces that it touches at all. */
static bool in_seam(const graze_placed *whole, graze_vec at) {
  for (size_t i = 0; i < graze_part_count(whole); i++) {
    graze_relation relation;
    graze_placed part = graze_part(whole, i);
    assert_int_equal(graze_contains(&part, at, &relation), GRAZE_OK);
    if (relation == GRAZE_OVERLAPPING) return false;
  }
  return true;
}

/* Points in so many outlines, and how many of them each kind has. */
static void check_points(const char *name, uint64_t seed, bool (*make_one)(outline *), int outlines, const int low[3],
                         const int high[3]) {
  long count[5] = {0}, seams = 0, made = 0;
  dice = seed;
  for (int i = 0; i < rounds(outlines); i++) {
    if (!make_one(&first)) continue;
    graze_placed whole = placed(&first, 0);
    made++;
    for (int k = 0; k < 200; k++) {
      graze_relation relation;
      graze_vec at = anywhere(&first);
      assert_int_equal(graze_contains(&whole, at, &relation), GRAZE_OK);
      assert_int_equal(relation, locate_point(first.rings, first.count, at));
      count[relation]++;
      seams += relation == GRAZE_OVERLAPPING && in_seam(&whole, at);
    }
    drop(&first);
  }
  print_message("%s, %ld outlines: %ld points inside, %ld of them on seams, %ld on the outline, %ld outside\n", name,
                made, count[GRAZE_OVERLAPPING], seams, count[GRAZE_TOUCHING], count[GRAZE_SEPARATED]);
  assert_in_range(made, rounds(outlines) / 2, rounds(outlines));
  assert_in_range(count[GRAZE_OVERLAPPING] / made, low[0], high[0]);
  assert_in_range(count[GRAZE_TOUCHING] / made, low[1], high[1]);
  assert_in_range(seams / made, low[2], high[2]);
}

TEST(test_points) { /* seeds 91, 93, 94 */
  check_points("any", 91, make, 60, (const int[3]){68, 28, 35}, (const int[3]){102, 44, 53});
  check_points("large", 93, make_large, 6, (const int[3]){70, 31, 34}, (const int[3]){105, 46, 51});
  check_points("touching", 94, make_touching, 40, (const int[3]){121, 31, 37}, (const int[3]){181, 46, 55});
}

/* A keyhole: a bridge leads from the outline to what it leaves out, and back. Inside the bridge there is nothing but
 * the polygon; where it is a seam, the certificate says so. Other points are where they would be with a hole. */
TEST(test_keyholes) { /* seed 95 */
  long seams = 0;
  dice = 95;
  for (int i = 0; i < rounds(100); i++) {
    double x = 2 + rng_below(&dice, 129) / 64.0, y = 2 + rng_below(&dice, 129) / 64.0;
    const double outer[4][2] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}};
    const double inner[4][2] = {{x, y}, {x, y + 3}, {x + 3, y + 3}, {x + 3, y}};
    const double keyhole[10][2] = {{0, 0}, {9, 0},     {9, 9},         {0, 9},     {0, 0},
                                   {x, y}, {x, y + 3}, {x + 3, y + 3}, {x + 3, y}, {x, y}};
    first.count = second.count = 0;
    add(&first, keyhole, 10), add(&second, outer, 4), add(&second, inner, 4);
    assert_true(split(&first, GRAZE_SPLIT_FEW));
    graze_placed whole = placed(&first, 0);
    for (int k = 1; k < 16; k++) {
      graze_answer answer;
      graze_shape shape = graze_point2();
      graze_placed at = graze_place(&shape, graze_pose_at(k * x / 16, k * y / 16, 0));
      assert_int_equal(graze_intersect(&whole, &at, NULL, &answer), GRAZE_OK);
      assert_int_equal(answer.relation, GRAZE_OVERLAPPING);
      assert_int_equal(graze_verify(&whole, &at, NULL, &answer), GRAZE_OK);
      seams += answer.certificate.kind == GRAZE_CERTIFICATE_SEAM;
    }
    for (int k = 0; k < 50; k++) {
      graze_relation relation;
      graze_vec at = {rng_below(&dice, 640) / 64.0, rng_below(&dice, 640) / 64.0, 0};
      assert_int_equal(graze_contains(&whole, at, &relation), GRAZE_OK);
      assert_int_equal(relation, locate_point(second.rings, second.count, at));
    }
    drop(&first);
  }
  print_message("%ld of %d points on bridges are on seams\n", seams, 15 * rounds(100));
  assert_int_equal(seams, 15 * rounds(100));
}

static long asked, pairs, tested, relations[5];

static void check(const graze_placed *a, const graze_placed *b) {
  graze_answer answer;
  parts_truth truth = query_all_parts(a, b, 0);
  assert_int_equal(graze_distance(a, b, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, truth.relation);
  assert_true(answer.lower <= truth.upper && truth.lower <= answer.upper);
  assert_true(answer.lower <= answer.distance && answer.distance <= answer.upper);
  asked++, pairs += (long)truth.pairs, tested += (long)answer.pairs_tested;
  relations[answer.relation]++;
  assert_int_equal(graze_intersect(b, a, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, truth.relation);
}

TEST(test_bodies) { /* seed 92 */
  dice = 92;
  for (int i = 0; i < rounds(100); i++) {
    graze_vec room[8];
    if (!make(&first)) continue;
    if (make(&second)) {
      graze_shape shape = random_convex(&dice, 2, false, room);
      graze_placed a = placed(&first, 12), b = placed(&second, 12),
                   c = graze_place(&shape, random_grid_pose(&dice, 2, 12));
      check(&a, &b);
      check(&a, &c);
      check(&c, &b);
      drop(&second);
    }
    drop(&first);
  }
  print_message("%ld asked: %ld apart, %ld overlapping; %ld of %ld pairs tested\n", asked, relations[GRAZE_SEPARATED],
                relations[GRAZE_OVERLAPPING], tested, pairs);
  assert_in_range(100 * relations[GRAZE_SEPARATED] / asked, 56, 84);
  assert_in_range(1000 * tested / pairs, 20, 29);
}
