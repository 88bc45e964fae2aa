/* Bounds by which pairs of parts are left out: never above the true signed distance, whatever the frames; without the
 * allowance for rounding they would be, by far less than it; and as good as boxes can be. Seeds are stated at each
 * test. */

#include "support/test.h"
#include "support/compounds.h"
#include "compound/guest.h"

static rng dice;
static compound_fixture first, second;

/* How far the bounds of all pairs lie above their distances without the allowance, at most, as a share of it; > 1 would
 * be wrong. The other way round in *slack: how far the best one lies below, in units of the distance's size. */
static double worst_of(const graze_placed *host, const graze_placed *placed, double clearance) {
  const grz_tree_node *node = host->shape.compound->tree->node;
  graze_options options = graze_default_options();
  grz_guest guest;
  double worst = -INFINITY;
  options.clearance = clearance;
  grz_guest_make(&guest, host, placed, clearance);
  for (size_t i = 0; i < grz_tree_nodes(graze_part_count(host)); i++) {
    for (size_t k = 0; k < grz_tree_nodes(graze_part_count(placed)); k++) {
      const grz_tree_node *below = guest.node != NULL ? &guest.node[k] : NULL;
      if (node[i].below >= 0 || (below != NULL && below->below >= 0)) continue;
      graze_answer answer;
      graze_placed part = graze_part(host, (size_t)~node[i].below);
      graze_placed other = graze_part(placed, below != NULL ? (size_t)~below->below : 0);
      graze_aabb box = grz_guest_box(&guest, below);
      double bound = grz_guest_bound(&guest, &node[i].box, &box);
      assert_int_equal(graze_distance(&part, &other, &options, &answer), GRAZE_OK);
      assert_true(bound <= answer.upper);
      worst = fmax(worst, (bound + guest.error - answer.distance) / guest.error);
    }
  }
  return worst;
}

static graze_placed place(const graze_compound *compound, graze_pose pose) {
  graze_shape shape = graze_compound_shape(compound);
  if (rng_below(&dice, 2)) shape = graze_with_margin(shape, rng_uniform(&dice, 0, 0.5));
  return graze_place(&shape, pose);
}

static graze_shape any_plane(int dim) {
  graze_vec n = {rng_uniform(&dice, -1, 1), rng_uniform(&dice, -1, 1), dim == 3 ? 1 : 0};
  return dim == 2 ? graze_halfspace2(n, rng_uniform(&dice, -9, 1)) : graze_halfspace(n, rng_uniform(&dice, -9, 1));
}

TEST(test_below) { /* seed 51 */
  dice = 51;
  for (int i = 0; i < 300; i++) {
    graze_vec room[8];
    int dim = 2 + i % 2;
    double clearance = rng_below(&dice, 2) ? rng_uniform(&dice, 0, 1) : 0;
    random_compound(&dice, dim, 1 + rng_below(&dice, 8), i % 3 == 0, &first);
    random_compound(&dice, dim, 1 + rng_below(&dice, 8), i % 3 == 0, &second);
    graze_placed host = place(first.compound, random_grid_pose(&dice, dim, 8));
    graze_placed guest = place(second.compound, random_grid_pose(&dice, dim, 8));
    graze_shape shape = random_convex(&dice, dim, true, room), plane = any_plane(dim);
    graze_placed body = graze_place(&shape, guest.pose), half = graze_place(&plane, guest.pose);
    graze_placed part = graze_part(&guest, 0);
    assert_true(worst_of(&host, &guest, clearance) < 0.5);
    assert_true(worst_of(&host, &body, clearance) < 0.5);
    assert_true(worst_of(&host, &half, clearance) < 0.5);
    assert_true(worst_of(&host, &part, clearance) < 0.5);
    graze_compound_destroy(first.compound);
    graze_compound_destroy(second.compound);
  }
}

/* Seed 52: boxes side by side in a common turned frame, where a bound is the distance but for rounding. */
TEST(test_tight) {
  double worst = 0, loosest = 1;
  dice = 52;
  for (int i = 0; i < 3000; i++) {
    int dim = 2 + i % 2;
    double x = rng_uniform(&dice, 0, 1), far = x + rng_uniform(&dice, 2, 3);
    graze_shape box = dim == 2 ? graze_box2(x, 1) : graze_box(x, 1, 1);
    graze_placed parts[2] = {graze_place(&box, graze_pose_at(0, 0, 0)), graze_place(&box, graze_pose_at(far, 0, 0))};
    graze_compound *compound[2];
    for (int k = 0; k < 2; k++)
      assert_int_equal(graze_compound_create(&parts[k], 1, NULL, &compound[k], NULL), GRAZE_OK);
    graze_pose pose = random_grid_pose(&dice, dim, 0);
    graze_placed a = place(compound[0], pose), b = place(compound[1], pose), c = graze_part(&b, 0);
    graze_shape wall =
        dim == 2 ? graze_halfspace2((graze_vec){-1, 0, 0}, -far) : graze_halfspace((graze_vec){-1, 0, 0}, -far);
    graze_placed d = graze_place(&wall, pose);
    const graze_placed *guest[3] = {&b, &c, &d};
    double share = worst_of(&a, guest[i % 3], rng_below(&dice, 2) ? 0.125 : 0);
    worst = fmax(worst, share);
    loosest = fmin(loosest, share);
    graze_compound_destroy(compound[0]);
    graze_compound_destroy(compound[1]);
  }
  print_message("off by %g to %g of the allowance\n", loosest, worst);
  assert_true(worst > 1e-4 && worst < 0.25); /* rounding does happen, and there is room */
  assert_true(loosest > -0.25);
}
