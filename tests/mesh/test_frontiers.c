/* Frontiers: which answers they prove, what a forged one is refuted for, and their capacities. The tests of pairs and
 * solids verify a frontier of every second answer. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/meshes.h"
#include "support/query.h"
#include "support/tier.h"

enum { NODES = 1 << 14, PAIRS = 1 << 12 };

/* An answer, its frontier, and copies that a test changes. */
typedef struct proof {
  graze_options options;
  graze_frontier frontier;
  graze_frontier_node nodes[NODES];
  graze_part_proof parts[PAIRS];
  uint32_t order[MESH_FACES];
  proved_answer answer;
} proof;

static proof kept, forged;
static mesh_pair pair;

static void begin(proof *p) {
  p->options = graze_default_options();
  p->frontier = (graze_frontier){.nodes = p->nodes, .node_capacity = NODES};
  p->options.frontier = &p->frontier, p->options.parts = p->parts, p->options.part_capacity = PAIRS;
}

static void solve(proof *p, const graze_placed *a, const graze_placed *b) {
  begin(p);
  p->answer = distance(a, b, &p->options);
}

/* Copies the kept proof, so that a change of it leaves the kept one as it is. */
static void copy(void) {
  forged = kept;
  forged.frontier.nodes = forged.nodes;
  forged.answer.certificate.frontier = &forged.frontier, forged.answer.certificate.parts = forged.parts;
}

static graze_status verify_forged(void) { return verify_answer(&pair.placed_a, &pair.placed_b, NULL, &forged.answer); }

/* False if one direction separates the convex hulls. */
static bool needs_frontier(void) {
  copy();
  forged.answer.certificate.frontier = NULL, forged.answer.certificate.parts = NULL;
  forged.answer.certificate.part_count = 0;
  return verify_forged() == GRAZE_UNPROVEN;
}

#define EXPECT_REFUTED(change)                                                                                         \
  do {                                                                                                                 \
    copy();                                                                                                            \
    change;                                                                                                            \
    assert_int_equal(verify_forged(), GRAZE_REFUTED);                                                                  \
  } while (0)

static size_t first_of(graze_frontier_kind kind) {
  size_t i = 0;
  while (i < kept.frontier.node_count && kept.nodes[i].kind != kind) i++;
  return i;
}

static void forge(rng *random, int counts[5]) {
  graze_frontier *f = &forged.frontier;
  const size_t count = kept.frontier.node_count, at = (size_t)rng_below(random, (int)count);
  const size_t direction = first_of(GRAZE_FRONTIER_DIRECTION), of_pair = first_of(GRAZE_FRONTIER_PAIR),
               split = first_of(GRAZE_FRONTIER_SPLIT_A);
  const int faces = pair.a.member.set.face_count;
  EXPECT_REFUTED(f->node_count--);
  EXPECT_REFUTED((f->nodes[f->node_count++] = forged.nodes[direction < count ? direction : of_pair]));
  EXPECT_REFUTED(f->nodes[at].kind = (graze_frontier_kind)7);
  EXPECT_REFUTED(f->nodes = NULL);
  EXPECT_REFUTED(f->node_count = 0);
  EXPECT_REFUTED(forged.answer.lower = forged.answer.upper = forged.answer.distance = 1.001 * kept.answer.upper);
  counts[0]++;
  if (direction < count) {
    graze_vec *d = &forged.nodes[direction].direction;
    EXPECT_REFUTED(*d = scaled(-1, *d));
    EXPECT_REFUTED(*d = vec(0, 0, 0));
    EXPECT_REFUTED(d->x = NAN);
    EXPECT_REFUTED(f->nodes[direction].kind = GRAZE_FRONTIER_PAIR);
    counts[1]++;
  }
  if (of_pair < count) {
    EXPECT_REFUTED(f->nodes[of_pair].kind = GRAZE_FRONTIER_SPLIT_A);
    EXPECT_REFUTED(f->nodes[of_pair].kind = GRAZE_FRONTIER_SPLIT_B);
    EXPECT_REFUTED(forged.parts[0].part_a++);
    EXPECT_REFUTED(forged.answer.certificate.part_count--);
    EXPECT_REFUTED(forged.answer.certificate.parts = NULL);
    counts[2]++;
  }
  if (split < count && faces > 1) {
    EXPECT_REFUTED(f->nodes[split].kind = GRAZE_FRONTIER_SPLIT_B);
    counts[3]++;
  }
  if (faces > 1) {
    memcpy(forged.order, kept.frontier.order_a, (size_t)faces * sizeof *forged.order);
    copy();
    memcpy(forged.order, kept.frontier.order_a, (size_t)faces * sizeof *forged.order);
    forged.order[0] = forged.order[1], f->order_a = forged.order;
    assert_int_equal(verify_forged(), GRAZE_REFUTED);
    forged.order[0] = (uint32_t)faces;
    assert_int_equal(verify_forged(), GRAZE_REFUTED);
    counts[4]++;
  }
}

/* Separated meshes at any rotation: the kept proof holds, each changed one is refuted. Seed 81. */
TEST(forged_frontiers) {
  rng random = 81;
  int counts[5] = {0}, separated = 0;
  for (int i = 0; i < tiered(300, 600, 6000); i++) {
    const int dim = i % 4 == 0 ? 2 : 3, kind_a = rng_below(&random, dim == 2 ? OUTLINE_AS_POINT : MESH_AS_POINT);
    const int kind_b = rng_below(&random, dim == 2 ? OUTLINE_AS_POINT : MESH_AS_POINT);
    mesh_pair_make(&random, dim, kind_a, kind_b, PLACE_ANYWHERE, &pair);
    solve(&kept, &pair.placed_a, &pair.placed_b);
    if (kept.answer.relation == GRAZE_SEPARATED && needs_frontier()) {
      assert_int_equal(verify_answer(&pair.placed_a, &pair.placed_b, NULL, &kept.answer), GRAZE_OK);
      forge(&random, counts);
      separated++;
    }
    mesh_pair_free(&pair);
  }
  print_message("%d forged: %d with directions, %d with pairs, %d with splits of A, %d orders\n", separated, counts[1],
                counts[2], counts[3], counts[4]);
  for (int k = 0; k < 5; k++) assert_true(counts[k] >= 10);
}

/* ---- Bodies inside solids */

static void make_boxes(graze_vec low, graze_vec high) {
  mesh_fixture_begin(3, &pair.a), mesh_fixture_begin(3, &pair.b);
  mesh_add_box(&pair.a, vec(-4, -4, -4), vec(4, 4, 4), false);
  mesh_add_box(&pair.b, low, high, false);
  mesh_fixture_create(&pair.a, false), mesh_fixture_create(&pair.b, false);
  mesh_pair_create(&pair);
}

/* A box 1 below the top of a solid box overlaps it by at least 1. The same frontier does not prove that both are
 * separated. */
TEST(inside_a_solid) {
  make_boxes(vec(-1, -1, 1), vec(1, 1, 3));
  solve(&kept, &pair.placed_a, &pair.placed_b);
  assert_int_equal(kept.answer.relation, GRAZE_OVERLAPPING);
  assert_true(kept.answer.upper <= -1 + 1e-12 && kept.answer.upper >= -1);
  assert_int_equal(verify_answer(&pair.placed_a, &pair.placed_b, NULL, &kept.answer), GRAZE_OK);
  EXPECT_REFUTED(forged.answer.upper = -1.001);
  assert_true(needs_frontier());
  EXPECT_REFUTED(forged.answer.relation = GRAZE_SEPARATED; forged.answer.certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
                 forged.answer.lower = 0.5; forged.answer.upper = forged.answer.distance = 1);
  mesh_pair_free(&pair);
}

/* A solid with a cavity, and a box in it. */
static void make_cavity(void) {
  mesh_fixture_begin(3, &pair.a), mesh_fixture_begin(3, &pair.b);
  mesh_add_box(&pair.a, vec(-4, -4, -4), vec(4, 4, 4), false);
  mesh_add_box(&pair.a, vec(-3, -3, -3), vec(3, 3, 3), true);
  mesh_add_box(&pair.b, vec(-1, -1, -1), vec(1, 1, 2), false);
  mesh_fixture_create(&pair.a, false), mesh_fixture_create(&pair.b, false);
  mesh_pair_create(&pair);
}

/* The box is separated from the solid, which the hulls do not show. */
TEST(in_a_cavity) {
  make_cavity();
  solve(&kept, &pair.placed_a, &pair.placed_b);
  assert_int_equal(kept.answer.relation, GRAZE_SEPARATED);
  assert_true(kept.answer.lower <= 1 && kept.answer.lower >= 1 - 1e-12);
  assert_int_equal(verify_answer(&pair.placed_a, &pair.placed_b, NULL, &kept.answer), GRAZE_OK);
  assert_true(needs_frontier());
  mesh_pair_free(&pair);
}

/* The certificates of all pairs prove no more about solids than a frontier: not that a box inside another is separated
 * from it, nor the depth of an overlap, which is not that of a pair. */
TEST(all_pairs_of_solids) {
  make_boxes(vec(-1, -1, 1), vec(1, 1, 3));
  kept.options = graze_default_options();
  kept.options.parts = kept.parts, kept.options.part_capacity = PAIRS;
  kept.answer = distance(&pair.placed_a, &pair.placed_b, &kept.options);
  assert_int_equal(kept.answer.relation, GRAZE_OVERLAPPING);
  forged = kept;
  forged.answer.relation = GRAZE_SEPARATED, forged.answer.certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
  forged.answer.certificate = kept.parts[0].certificate;
  forged.answer.certificate.parts = kept.parts,
  forged.answer.certificate.part_count = kept.answer.certificate.part_count;
  forged.answer.part_a = kept.parts[0].part_a, forged.answer.part_b = kept.parts[0].part_b;
  forged.answer.lower = 0.5, forged.answer.distance = forged.answer.upper = 20;
  assert_true(forged.answer.certificate.part_count == 144);
  assert_int_equal(verify_forged(), GRAZE_REFUTED);
  mesh_pair_free(&pair);
}

/* Found in a test of Lua: the depth of a solid and an ellipse with all pairs was refuted. */
TEST(depth_of_a_solid_with_all_pairs) {
  const graze_vec outline[5] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {0, 0, 0}, {-1, 1, 0}};
  mesh_fixture_begin(2, &pair.a);
  mesh_add_outline(&pair.a, outline, 5, false);
  mesh_fixture_create(&pair.a, false);
  const graze_placed a = posed(pair.a.member.shape, (graze_pose){.w = 0.88409777254515598, .z = -0.4673019672339222});
  const graze_placed b = posed(graze_ellipse(0.2, 0.4), (graze_pose){.w = 0.6610282757265652,
                                                                     .z = -0.75036099224970654,
                                                                     .position = {-0.1953125, 1.4195785522460938, 0}});
  kept.options = graze_default_options();
  kept.options.parts = kept.parts, kept.options.part_capacity = PAIRS;
  kept.answer = distance(&a, &b, &kept.options); /* verified, or unproven */
  assert_int_equal(kept.answer.relation, GRAZE_OVERLAPPING);
  mesh_fixture_free(&pair.a);
}

/* ---- Other bodies */

static void expect_proved(const graze_placed *a, const graze_placed *b, graze_relation relation) {
  solve(&kept, a, b);
  assert_int_equal(kept.answer.relation, relation);
  assert_int_equal(verify_answer(a, b, NULL, &kept.answer), GRAZE_OK);
}

/* Compounds and convex shapes may have a frontier too. */
TEST(compounds_and_convex_shapes) {
  graze_compound *compound;
  graze_placed parts[12];
  for (int i = 0; i < 12; i++) parts[i] = posed(graze_box(0.4, 0.4, 0.4), graze_pose_at(i % 4, i / 4, 0));
  assert_int_equal(graze_compound_create(parts, 12, NULL, &compound, NULL), GRAZE_OK);
  make_boxes(vec(-1, -1, -1), vec(1, 1, 1));
  graze_pose turned = graze_pose_at(0, 0, 6);
  turned.x = 0.25;
  const graze_placed wall = posed(graze_compound_shape(compound), turned), box = pair.placed_a,
                     plane = posed(graze_halfspace(vec(0, 0, 1), -5), graze_pose_identity()),
                     ball = posed(graze_sphere(0.5), graze_pose_at(1, 2, 9));
  expect_proved(&wall, &box, GRAZE_SEPARATED);
  expect_proved(&box, &wall, GRAZE_SEPARATED);
  expect_proved(&wall, &ball, GRAZE_SEPARATED);
  expect_proved(&plane, &wall, GRAZE_SEPARATED);
  expect_proved(&plane, &box, GRAZE_SEPARATED);
  expect_proved(&ball, &box, GRAZE_SEPARATED);
  expect_proved(&ball, &plane, GRAZE_SEPARATED);
  graze_compound_destroy(compound);
  mesh_pair_free(&pair);
}

/* ---- Capacities */

TEST(capacities) {
  graze_error error;
  make_cavity();
  solve(&kept, &pair.placed_a, &pair.placed_b);
  const size_t nodes = kept.frontier.node_count, pairs = kept.answer.certificate.part_count;
  assert_true(nodes > 1);
  begin(&forged);
  forged.options.certificate = &forged.answer.certificate, forged.options.error = &error;
  forged.frontier.node_capacity = nodes - 1;
  graze_answer answer;
  assert_int_equal(graze_distance(&pair.placed_a, &pair.placed_b, &forged.options, &answer), GRAZE_NO_SPACE);
  assert_string_equal(error.what, "frontier.node_capacity");
  assert_int_equal(forged.frontier.node_count, nodes);
  assert_int_equal(forged.answer.certificate.part_count, pairs);
  forged.frontier.node_capacity = nodes;
  forged.options.part_capacity = pairs;
  assert_int_equal(graze_distance(&pair.placed_a, &pair.placed_b, &forged.options, &answer), GRAZE_OK);
  if (pairs > 0) {
    forged.options.part_capacity = pairs - 1;
    assert_int_equal(graze_distance(&pair.placed_a, &pair.placed_b, &forged.options, &answer), GRAZE_NO_SPACE);
    assert_string_equal(error.what, "part_capacity");
  }
  mesh_pair_free(&pair);
}
