/* Corners that collide head-on: no normal leads past them, but a body that moves into one passes it. Seed 86. */
#include "support/test.h"
#include "scene/moving.h"

/* How many of these moves the body needs to pass the other one; each but the last one is reported as stopped. */
static int moves_past(graze_body body, graze_vec direction) {
  for (int i = 1; i <= 4; i++) {
    if (dot(go(body, direction.x, direction.y, direction.z, NULL), direction) > 0) return i;
    assert_true(count > 0);
  }
  return 5;
}

/* A tile, from each side exactly along its diagonal. A game with eight directions does this often. */
SCENE_TEST(test_tile) {
  for (int i = 0; i < 4; i++) {
    const double x = i % 2 ? 1 : -1, y = i / 2 ? 1 : -1;
    open_skin(2, 0);
    const graze_body tile = add_static(graze_box2(8, 8), 0, 0, 0),
                     player = insert(graze_box2(8, 8), GRAZE_DYNAMIC, -21 * x, -21 * y, 0);
    graze_vec at = go(player, 10 * x, 10 * y, 0, NULL);
    assert_true(count == 1 && met[0].other.slot == tile.slot && met[0].stopped);
    assert_true(fabs(at.x + 16 * x) < 0.001 && fabs(at.y + 16 * y) < 0.001 && gap(player, tile) > 0);
    for (int k = 0; k < 3; k++) at = go(player, 10 * x, 10 * y, 0, NULL);
    assert_true(fmax(fabs(at.x), fabs(at.y)) > 15.999 && fmax(at.x * x, at.y * y) > 13.9);
  }
}

/* Edges and vertices of cubes, and two hexagons. */
SCENE_TEST(test_others) {
  graze_vec hexagon[6];
  for (int i = 0; i < 6; i++) hexagon[i] = vec(cos(1.0471975511965976 * i), sin(1.0471975511965976 * i), 0);
  hexagon[3] = vec(-1, 0, 0); /* exactly opposite the first one */
  hexagon[0] = vec(1, 0, 0);
  open_skin(3, 0);
  (void)add_static(graze_box(1, 1, 1), 0, 0, 0);
  assert_in_range(moves_past(insert(graze_box(1, 1, 1), GRAZE_DYNAMIC, -3, -3, 0), vec(2, 2, 0)), 2, 4);
  assert_in_range(moves_past(insert(graze_box(1, 1, 1), GRAZE_DYNAMIC, 3, 3, 3), vec(-2, -2, -2)), 2, 4);
  open_skin(2, 0);
  (void)add_static(graze_polygon(hexagon, 6), 0, 0, 0);
  assert_in_range(moves_past(insert(graze_polygon(hexagon, 6), GRAZE_DYNAMIC, -3, 0, 0), vec(2, 0, 0)), 2, 4);
}

/* Round surfaces and faces stop a body that moves head-on. */
SCENE_TEST(test_stops) {
  const graze_shape shapes[] = {graze_circle(1), graze_box2(1, 1), graze_with_margin(graze_box2(1, 1), 0.1)};
  for (int i = 0; i < 3; i++) {
    open_skin(2, 0);
    (void)add_static(shapes[i], 0, 0, 0);
    const graze_body body = insert(shapes[i], GRAZE_DYNAMIC, -4, 0, 0);
    for (int k = 0; k < 8; k++) assert_true(go(body, 3, 0, 0, NULL).x < -1.99);
    assert_true(count == 1 && met[0].stopped);
  }
}

static rng dice;

/* Returns whether the body could move by this; it stays where it is. */
static bool is_free(graze_body body, double x, double y) {
  const graze_vec from = pose_of(body).position, to = go(body, x, y, 0, NULL);
  set_pose(body, from.x, from.y, 0);
  return hypot(to.x - from.x, to.y - from.y) > 0.5 * hypot(x, y);
}

static long moves, reported, still, held;

static void walk(graze_body player, double step) {
  int stood = 0;
  for (int k = 0; k < 200; k++, moves++) {
    const double x = k / 40 % 2 ? -step : step, y = k / 70 % 2 ? -step : step;
    const graze_vec from = pose_of(player).position, to = go(player, x, y, 0, NULL);
    reported += count > 0;
    stood = hypot(to.x - from.x, to.y - from.y) < 1e-6 ? stood + 1 : 0;
    if (stood < 3) continue;
    still++;
    const bool free_x = is_free(player, x, 0), free_y = is_free(player, 0, y);
    assert_false(free_x && free_y);
    held += !free_x && !free_y;
  }
}

/* Tiles at random places of a grid, and a player of about their size that moves in fractions of it: many corners
 * collide head-on. If the path along either axis is free, the player moves. */
SCENE_TEST(test_random) { /* seed 86 */
  dice = 86;
  for (int i = 0; i < tiered(60, 120, 4000); i++) {
    const double side = 8 - 0.5 * rng_below(&dice, 3) - (rng_below(&dice, 2) ? 0.01 : 0);
    open_skin(2, 0);
    for (int k = 0; k < 30; k++) {
      const int column = rng_below(&dice, 12), row = rng_below(&dice, 12);
      (void)add_static(graze_box2(8, 8), 16 * column, 16 * row, 0);
    }
    walk(insert(graze_box2(side, side), GRAZE_DYNAMIC, -16, -16, 0), 0.5 * (1 + rng_below(&dice, 6)));
  }
  print_message("%ld moves, %ld met something, %ld stood still, %ld of them held from both sides\n", moves, reported,
                still, held);
  assert_in_range(100 * reported / moves, 10, 90);
  assert_in_range(100 * still / moves, 1, 60);
}
