/* Moves between walls exactly as far apart as the body is wide: it enters, touches both and moves along them. Once
 * graze_scene_move() left it where it was, without a meeting. Seeds 84 and 85. */
#include "support/test.h"
#include "scene/moving.h"

/* ---- Stories */

enum { LEFT, RIGHT, GROUND }; /* slots */

/* Two walls 16 apart, the ground below them unless `open`, and a player of that width between. */
static graze_body add_corridor(bool open, double x, double y) {
  open_skin(2, 0);
  (void)add_static(graze_box2(8, 80), 8, 80, 0), (void)add_static(graze_box2(8, 80), 40, 80, 0);
  if (!open) (void)add_static(graze_box2(40, 8), 24, -8, 0);
  return put(graze_box2(8, 8), GRAZE_DYNAMIC, x, y, 0);
}

SCENE_TEST(test_corridor) {
  static const leg legs[] = {{0, 36, NULL, 24, 108, 0, 0, 0, 0},
                             {5, -36, NULL, 24, 72, 0, 1, RIGHT, 0}, /* along a wall */
                             {-5, 0, NULL, 24, 72, 0, 1, LEFT, STOPPED},
                             {0, 100, touch, 24, 172, 0, 0, 0, 0}, /* out of it; then in any direction */
                             {30, 1, NULL, 54, 173, 0, 0, 0, 0}};
  expect_legs(add_corridor(true, 24, 72), legs, COUNT(legs));
}

/* From above: in by both corners; onto a corner that it would enter by more than rounding; beside a wall; past a
 * corner. */
SCENE_TEST(test_from_above) {
  static const struct {
    double x;
    leg legs[2];
  } starts[] = {{24, {{0, -100, NULL, 24, 100, 0, 0, 0, 0}, {0, 100, touch, 24, 200, 0, 0, 0, 0}}},
                {24 - 1e-7, {{0, -100, NULL, 24 - 1e-7, 168, 0.001, 1, LEFT, STOPPED}}},
                {-8, {{0, -300, NULL, -8, -100, 0, 0, 0, 0}, {16, 16, NULL, 8, -84, 0, 0, 0, 0}}}};
  const graze_body player = add_corridor(true, 24, 200);
  for (size_t i = 0; i < COUNT(starts); i++) {
    set_pose(player, starts[i].x, 200, 0);
    expect_legs(player, starts[i].legs, i == 1 ? 1 : 2);
  }
}

/* At the end of the corridor it lands, and what was on the way is still met. */
SCENE_TEST(test_dead_end) {
  static const leg down = {0, -200, NULL, 24, 8, 0.001, 1, GROUND, STOPPED}, up = {0, 1, NULL, 24, 9, 0.001, 0, 0, 0};
  const graze_body player = add_corridor(false, 24, 72);
  expect_legs(player, &down, 1);
  assert_true(met[0].normal.y < -0.999);
  const graze_vec at = go(player, 3, -1, 0, NULL);
  assert_true(at.x == 24 && at.y > 8 && at.y < 8.001 && count >= 1 && met[count - 1].stopped);
  expect_legs(player, &up, 1);
}

/* Deep in the ground besides: it is put out of that, along the walls. */
SCENE_TEST(test_out_of_the_ground) {
  const graze_body player = add_corridor(false, 24, 5);
  const graze_vec at = go(player, 0, 10, 0, NULL);
  assert_true(fabs(at.x - 24) < 1e-9 && at.y >= 18 && at.y < 18.001);
  assert_true(count == 1 && met[0].other.slot == GROUND && met[0].overlapped && !met[0].stuck);
  assert_true(gap(player, met[0].other) > 0);
}

/* As bodies of their own, or as one of parts. */
static void add_boxes(const graze_shape *shapes, const graze_vec *at, size_t boxes, bool whole) {
  graze_placed parts[32];
  for (size_t i = 0; i < boxes; i++) {
    if (!whole) (void)add_static(shapes[i], at[i].x, at[i].y, 0);
    parts[i] = graze_place(&shapes[i], graze_pose_at(at[i].x, at[i].y, 0));
  }
  if (whole) made = compound_of(parts, boxes);
  if (whole) (void)add_static(graze_compound_shape(made), 0, 0, 0);
}

static void add_pit(bool whole) {
  const graze_shape shapes[] = {graze_box2(2, 0.5), graze_box2(0.5, 2), graze_box2(0.5, 2)};
  const graze_vec at[] = {{0, -0.5, 0}, {1.5, 2, 0}, {-0.5, 2, 0}};
  add_boxes(shapes, at, 3, whole);
}

/* The corridor as one concave body of parts: those ahead are met while it slides along others. */
SCENE_TEST(test_compound) {
  static const leg legs[] = {{0, -200, NULL, 24, 8, 0.001, 1, 0, STOPPED}, {0, 100, NULL, 24, 108, 0.001, 0, 0, 0}};
  const graze_shape shapes[] = {graze_box2(8, 80), graze_box2(8, 80), graze_box2(40, 8)};
  const graze_vec at[] = {{8, 80, 0}, {40, 80, 0}, {24, -8, 0}};
  open_skin(2, 0);
  add_boxes(shapes, at, 3, true);
  expect_legs(put(graze_box2(8, 8), GRAZE_DYNAMIC, 24, 172, 0), legs, COUNT(legs));
}

/* In a pit as wide as the player is, whose walls and floor touch him: what stops him is told, be it one body or three.
 * What he only met while it was tried to put him aside once was held to be told, and he stood still untold. */
SCENE_TEST(test_pit) {
  static const graze_vec ways[] = {{1, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {1, -1, 0}};
  for (int i = 0; i < 8; i++) {
    open_skin(2, 0);
    add_pit(i % 2);
    const graze_body player = put(graze_box2(0.5, 0.5), GRAZE_DYNAMIC, 0.5, 0.5, 0);
    const graze_vec to = go(player, ways[i / 2].x, ways[i / 2].y, 0, NULL);
    assert_true(to.x == 0.5 && to.y == 0.5 && count == (i / 2 == 3 ? 2 : 1) && met[count - 1].stopped);
  }
}

static graze_collision_response cross_last(void *context, graze_body moved, graze_body other) {
  (void)context, (void)moved;
  return other.slot == 1 ? GRAZE_COLLISION_CROSS : GRAZE_COLLISION_SLIDE;
}

/* A body above that is crossed, and that it would only enter if it was put a skin up: it stays, and has not crossed it.
 */
SCENE_TEST(test_crossed_above) {
  open_skin(2, 0);
  add_pit(true);
  (void)add_static(graze_box2(0.4, 0.1), 0.5, 1.1 + 3e-6, 0);
  const graze_body player = put(graze_box2(0.5, 0.5), GRAZE_DYNAMIC, 0.5, 0.5, 0);
  (void)go(player, 0, -1, 0, cross_last);
  assert_true(count == 1 && met[0].other.slot == 0);
  (void)go(player, 0, 1, 0, cross_last);
  assert_true(count == 1 && met[0].other.slot == 1 && met[0].t < 1e-5);
}

enum { TILES = 8 };

/* Two rows of tiles, from the left or from the right. */
static void add_tiles(bool backwards, bool whole) {
  graze_shape shapes[2 * TILES];
  graze_vec at[2 * TILES];
  for (int i = 0; i < 2 * TILES; i++) {
    const int place = backwards ? 2 * TILES - 1 - i : i;
    shapes[i] = graze_box2(0.5, 0.5);
    at[i] = (graze_vec){place / 2 + 0.5, place % 2 ? 1.5 : -0.5, 0};
  }
  add_boxes(shapes, at, 2 * TILES, whole);
}

/* The corridor of tiles, and the player on their grid, where it touches the corners of the next ones; then as a disk,
 * which has but one point to touch with. */
SCENE_TEST(test_tiles) {
  for (int kind = 0; kind < 12; kind++) {
    open_skin(2, 0);
    add_tiles(kind / 3 % 2, kind / 6);
    const graze_body player = put(kind % 3 < 2 ? graze_box2(0.5, 0.5) : graze_circle(0.5), GRAZE_DYNAMIC, 1.5, 0.5, 0);
    const double step = kind % 3 == 1 ? 0.05 : 1.5; /* ends on the grid now and then */
    graze_vec at = {1.5, 0.5, 0};
    for (int i = 0; i * step < 4.5; i++) {
      at = go(player, step, 0, 0, NULL);
      assert_true(fabs(at.x - 1.5 - (i + 1) * step) < 1e-12 && at.y == 0.5 && count == 0);
    }
    at = go(player, 1.5 - at.x, 0, 0, NULL);
    assert_true(fabs(at.x - 1.5) < 1e-12 && at.y == 0.5 && count == 0);
  }
}

/* Pressed to the floor or the ceiling besides it touches corners that are ahead, and slides over them, in whatever
 * order they came into the scene. */
SCENE_TEST(test_along_tiles) {
  static const graze_vec ways[] = {{1, -1, 0}, {-1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0.1, -0.01, 0}, {-0.1, 0.01, 0}};
  for (int i = 0; i < 24; i++) {
    const graze_vec way = ways[i % 6];
    double x = 4.5;
    open_skin(2, 0);
    add_tiles(i / 6 % 2, i / 12);
    const graze_body player = put(graze_box2(0.5, 0.5), GRAZE_DYNAMIC, x, 0.5, 0);
    for (int k = 0; k < 3; k++) {
      const graze_vec at = go(player, way.x, way.y, 0, NULL);
      x += way.x;
      assert_true(fabs(at.x - x) < 1e-12 && at.y == 0.5 && count >= 1 && !met[count - 1].stopped);
      assert_true(met[0].normal.x == 0 && met[0].normal.y * way.y > 0);
    }
  }
}

/* On a floor of tiles that it touches: it stands a skin above them, and not aside, whatever normals their corners have.
 */
SCENE_TEST(test_on_tiles) {
  open_skin(2, 0);
  for (int i = 0; i < 8; i++) (void)add_static(graze_box2(0.5, 0.5), i + 0.5, -0.5, 0);
  const graze_body player = put(graze_box2(0.5, 0.5), GRAZE_DYNAMIC, 2.5, 0.5, 0);
  const double skin = 0x1p-16 * sqrt(0.5);
  const graze_vec at = go(player, 3, 0, 0, NULL);
  assert_true(at.x == 5.5 && fabs(at.y - 0.5 - skin) < 1e-9 && count == 0);
}

/* Four walls in space, around a box that falls, and then turns: there is no room for that. */
SCENE_TEST(test_shaft) {
  open_skin(3, 0);
  (void)add_static(graze_box(1, 9, 1), -2, 0, 0);
  (void)add_static(graze_box(1, 9, 1), 2, 0, 0);
  (void)add_static(graze_box(1, 9, 1), 0, 0, -2);
  (void)add_static(graze_box(1, 9, 1), 0, 0, 2);
  const graze_body box = put(graze_box(1, 1, 1), GRAZE_DYNAMIC, 0, 7, 0);
  graze_vec at = go(box, 0, -12, 0, NULL);
  assert_true(at.x == 0 && at.y == -5 && at.z == 0 && count == 0);
  at = go(box, 1, 6, 1, NULL);
  assert_true(at.x == 0 && at.y == 1 && at.z == 0 && count == 2);
  const graze_motion turns = {{0, 2, 0}, {0, 1, 0}};
  const graze_pose pose = move(box, turns, NULL, NULL);
  assert_true(fabs(pose.position.x) < 1e-9 && fabs(pose.position.z) < 1e-9 && fabs(pose.y) < 1e-6 && count > 0);
  assert_true(pose.position.y > 1.5);
}

/* ---- At any angle */

static rng dice;

static graze_body add_in(const graze_pose *frame, graze_shape shape, graze_body_type type, graze_vec p) {
  graze_pose pose = *frame;
  pose.position = add(frame->position, rotated(frame, p));
  return add_at(shape, type, pose);
}

/* Walls along the x axis of a frame, from -40 to 40, on all its sides: w away, and more by `room`. */
static int add_walls(const graze_pose *frame, int dim, double w, double room, graze_body wall[4]) {
  const double out = w + 1 + room;
  for (int k = 0; k < 2 * dim - 2; k++) {
    const double side = k % 2 == 0 ? out : -out;
    const graze_shape shape = dim == 2 ? graze_box2(40, 1) : k < 2 ? graze_box(40, 1, 9) : graze_box(40, 9, 1);
    wall[k] = add_in(frame, shape, GRAZE_STATIC, vec(0, k < 2 ? side : 0, k < 2 ? 0 : side));
  }
  return 2 * dim - 2;
}

static long fits, roomy, narrow, entered, told, moved, asides;

/* What rounding may make of any number of the two: docs/theory/scene.md, "Fits". */
static double hair(graze_body a, graze_body b, graze_vec way) {
  const graze_placed *p = graze_scene_placed(scene, a), *q = graze_scene_placed(scene, b);
  const graze_vec x = p->pose.position, y = q->pose.position;
  return 0x1p-36 * (size1(x) + size1(y) + size1(way) + p->hidden.bounding_radius + q->hidden.bounding_radius);
}

static double deepest;

static void check_depth(graze_body bar, const graze_body *wall, int walls, graze_vec start, graze_vec way) {
  for (int k = 0; k < walls; k++) {
    const double depth = -gap(bar, wall[k]), most = hair(bar, wall[k], vec(size1(start), size1(way), 0));
    if (!(depth <= most)) fail_msg("%g deep in a wall, where %g is rounding", depth, most);
    deepest = fmax(deepest, depth / most);
  }
}

/* Several moves with a way to the side, from a place that is not quite the middle: nothing is entered. */
static void check_aside(int dim) {
  const double w = rng_uniform(&dice, 0.01, 3), off = exp2(rng_uniform(&dice, -44, -30));
  const graze_pose frame = random_grid_pose(&dice, dim, 40);
  graze_body wall[4];
  open_skin(dim, 0);
  const int walls = add_walls(&frame, dim, w, rng_below(&dice, 2) ? 0 : off, wall);
  const graze_body bar =
      add_in(&frame, box_of(dim, 1, w, w), GRAZE_DYNAMIC, vec(-20, rng_uniform(&dice, -off, off), 0));
  for (int i = 0; i < 4; i++) {
    const double aside = exp2(rng_uniform(&dice, -40, 2)) * (rng_below(&dice, 2) ? 1 : -1);
    const graze_vec way = rotated(&frame, vec(rng_uniform(&dice, 0, 6), aside, dim == 2 ? 0 : aside / 3)),
                    start = pose_of(bar).position, at = go(bar, way.x, way.y, way.z, NULL);
    told += count > 0;
    moved += norm(sub(at, start)) > 0.5;
    asides++;
    check_depth(bar, wall, walls, start, way);
  }
}

SCENE_TEST(test_aside) { /* seed 85 */
  dice = 85;
  told = 0;
  for (int i = 0; i < tiered(250, 500, 10000); i++) check_aside(2 + i % 2);
  print_message("%ld moves, %ld far, %ld met something; at most %.2f of what rounding may make deep\n", asides, moved,
                told, deepest);
  assert_in_range(100 * moved / asides, 20, 95);
  assert_in_range(100 * told / asides, 20, 95);
}

/* Flat things in one plane are beside each other on neither side: head on, they meet. */
SCENE_TEST(test_flat) {
  const graze_vec left = {-1, 0, 0}, right = {1, 0, 0};
  open_skin(2, 0);
  graze_body mover = put(graze_segment2(left, right), GRAZE_DYNAMIC, 0, 0, 0);
  (void)add_static(graze_segment2(left, right), 5, 0, 0);
  assert_true(go(mover, 10, 0, 0, NULL).x < 3 && count == 1 && met[0].stopped);

  open_skin(3, 0);
  const graze_vec a = {0, 0, 0}, b = {1, 0, 0}, c = {0, 1, 0};
  mover = put(graze_triangle(a, b, c), GRAZE_DYNAMIC, -5, 0, 0);
  (void)add_static(graze_triangle(a, b, c), 0, 0, 0);
  assert_true(go(mover, 10, 0, 0, NULL).x < -0.9 && count == 1);

  open_skin(3, 0); /* two cards of a millimetre, and a way beside which they are nothing */
  mover = put(graze_box(0.001, 1, 1), GRAZE_DYNAMIC, -5, 0, 0);
  (void)add_static(graze_box(0.001, 1, 1), 0, 0, 0);
  assert_true(go(mover, 1e9, 0, 0, NULL).x < 0 && count >= 1);
}

static void check_any(int dim) {
  const double w = rng_uniform(&dice, 0.01, 3), way = rng_uniform(&dice, 1, 20),
               some = w * rng_uniform(&dice, 1e-6, 1e-3);
  const int kind = rng_below(&dice, 4);
  const bool outside = rng_below(&dice, 2) == 0;
  const double room = kind < 2 ? 0 : kind == 2 ? some : -some;
  const graze_pose frame = random_grid_pose(&dice, dim, 100);
  graze_body wall[4];
  open_skin(dim, 0);
  const int walls = add_walls(&frame, dim, w, room, wall);
  const graze_body bar = add_in(&frame, box_of(dim, 1, w, w), GRAZE_DYNAMIC, vec(outside ? -42 : -20, 0, 0));
  const graze_vec start = pose_of(bar).position, by = rotated(&frame, vec(way, 0, 0)),
                  at = go(bar, by.x, by.y, by.z, NULL);
  const double gone = norm(sub(at, start));
  if (kind == 3) {
    assert_true(count >= 1 && met[0].stuck == !outside && met[0].overlapped == !outside);
    assert_true(outside ? fabs(gone - 1) < 1e-3 : gone == 0);
    narrow++;
  } else {
    /* In space, from outside, into room for less than a skin it is not promised; but what it meets is told. */
    const bool goes = fabs(gone - way) <= 2e-3 * w, promised = dim == 2 || !outside || kind < 2;
    if (!goes && (promised || count == 0)) fail_msg("%dD: goes %.17g of %.17g, room %g", dim, gone, way, room);
    for (int k = 0; k < walls; k++)
      if (!(gap(bar, wall[k]) > -1e-8)) fail_msg("%g deep in a wall", -gap(bar, wall[k]));
    fits += kind < 2;
    roomy += kind == 2;
    entered += outside;
    told += count > 0;
  }
}

/* A bar between walls as far apart as it is wide, or before them, anywhere and turned: so the numbers are rounded, by
 * some 2^-50 of the coordinates. Without room, or with some, it reaches the end; where it is too wide by more than
 * roundings it is stuck, and that is told. */
SCENE_TEST(test_random) { /* seed 84 */
  dice = 84;
  told = 0;
  for (int i = 0; i < tiered(1000, 2000, 100000); i++) check_any(2 + i % 2);
  const long all = fits + roomy + narrow;
  print_message(
      "%ld fit exactly, %ld have room, %ld are too wide; of those that pass %ld came from outside, and %ld met "
      "something\n",
      fits, roomy, narrow, entered, told);
  assert_in_range(100 * fits / all, 40, 60);
  assert_in_range(100 * narrow / all, 15, 35);
  assert_in_range(100 * entered / (fits + roomy), 40, 60);
}
