/* What a polygon shows along a direction is found from its top corner and those beside it; what a hull of the same
 * vertices shows, by looking at all of them. Both show the same, also where corners are repeated, or lie on an edge:
 * docs/theory/contact.md, "Facets". */

#include "support/test.h"
#include "contact/feature.h"
#include "contact/side.h"
#include "support/families.h"

typedef struct tally {
  long asked, edges, different, at_once;
} tally;

/* From the top corner alone? */
static bool told_at_once(const graze_placed *polygon, graze_vec d) {
  const graze_vec *v = polygon->shape.vertices;
  size_t top = 0;
  grz_feature side = {.count = 0};
  for (size_t i = 1; i < polygon->shape.vertex_count; i++)
    if (v[i].x * d.x + v[i].y * d.y > v[top].x * d.x + v[top].y * d.y) top = i;
  return grz_side_facing(polygon, top, d, 0.5, &side);
}

static void look(const graze_vec *v, size_t count, double unit, graze_vec d, tally *t) {
  const graze_shape polygon = graze_polygon(v, count), hull = graze_hull2(v, count);
  const graze_placed ordered = graze_place(&polygon, graze_pose2(0, 0, 0)), any = graze_place(&hull, ordered.pose);
  grz_feature walk, scan;
  if (ordered.status != GRAZE_OK) return;
  assert_int_equal(any.status, GRAZE_OK);
  grz_feature_facing(&ordered, d, unit, &walk);
  grz_feature_facing(&any, d, unit, &scan);
  t->at_once += told_at_once(&ordered, d);
  t->asked++;
  t->edges += scan.count == 2;
  bool same = walk.count == scan.count && walk.face == scan.face;
  for (int i = 0; same && i < scan.count; i++) {
    same = walk.id[i] == scan.id[i];
    if (same) assert_memory_equal(&walk.corner[i], &scan.corner[i], sizeof(graze_vec));
  }
  t->different += !same;
}

static graze_vec any_direction(rng *random) {
  graze_vec d;
  do d = rng_vec(random, 2, 1);
  while (d.x * d.x + d.y * d.y < 0.25);
  const double length = __builtin_sqrt(d.x * d.x + d.y * d.y);
  return (graze_vec){d.x / length, d.y / length, 0};
}

/* `low`, `high`: of the share, in per cent, that is told at once. */
static void expect_same(const char *name, const tally *t, long all, int low, int high) {
  print_message("%s: %ld asked, %ld told at once, %ld show an edge, %ld differ\n", name, t->asked, t->at_once, t->edges,
                t->different);
  assert_in_range(t->at_once * 100 / t->asked, low, high);
  assert_int_equal(t->different, 0);
  assert_true(t->asked * 10 >= all * 8);
  assert_in_range(t->edges * 100 / t->asked, 50, 99);
}

/* Seed 51. */
TEST(test_random_polygons) {
  const long all = tiered(5000, 10000, 1000000);
  rng random = {51};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    graze_vec room[PAIR_VERTICES];
    const graze_shape polygon = random_polygon(&random, room);
    look(polygon.vertices, polygon.vertex_count, 0.5, any_direction(&random), &t);
  }
  expect_same("random", &t, all, 95, 100);
}

/* Seed 52. */
TEST(test_odd_lists) {
  const long all = tiered(5000, 10000, 1000000);
  rng random = {52};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    const graze_vec along[] = {{0, -1, 0}, {1, 0, 0}, any_direction(&random), any_direction(&random)};
    graze_vec room[PAIR_VERTICES];
    const graze_shape polygon = random_odd_polygon(&random, room);
    look(polygon.vertices, polygon.vertex_count, 0.5, along[rng_below(&random, 4)], &t);
  }
  expect_same("odd lists", &t, all, 10, 40);
}

/* Seed 53: in units in which products of two lengths underflow, or nearly so, noise is no corner. */
TEST(test_tiny_polygons) {
  const long all = tiered(5000, 10000, 1000000);
  rng random = {53};
  tally t = {.asked = 0};
  for (long i = 0; i < all; i++) {
    graze_vec room[PAIR_VERTICES];
    const graze_shape polygon = random_polygon(&random, room);
    const int exponent = -450 - rng_below(&random, 100);
    for (size_t k = 0; k < polygon.vertex_count; k++) {
      room[k].x = ldexp(room[k].x, exponent), room[k].y = ldexp(room[k].y, exponent);
    }
    look(room, polygon.vertex_count, ldexp(1, -exponent), any_direction(&random), &t);
  }
  expect_same("tiny", &t, all, 20, 50);
}
