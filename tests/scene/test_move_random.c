/* Moves in random scenes: graze_cast() checks the motion from each collision to the next, and graze_distance() the
 * end. Seeds 81 and 82. */
#include "support/test.h"
#include "scene/crowd.h"
#include "scene/moving.h"

static const graze_motion still = {{0, 0, 0}, {0, 0, 0}};
static rng dice;
static crowd world;
static long moves, collisions, stops, slides, overlaps, corners, whole, stuck;

static graze_collision_response any_response(void *context, graze_body moved, graze_body other) {
  const unsigned salt = *(const unsigned *)context;
  (void)moved;
  const unsigned k = (other.slot * 2654435761u + salt) >> 16;
  return k % 8 < 4 ? GRAZE_COLLISION_SLIDE : (graze_collision_response)(k % 5);
}

static graze_body first(void) { return graze_scene_next(world.scene, (graze_body){0, 0}); }
static graze_body next(graze_body body) { return graze_scene_next(world.scene, body); }
static const graze_placed *placed_of(graze_body body) { return graze_scene_placed(world.scene, body); }

static graze_body_def get(graze_body body) {
  graze_body_def def;
  assert_int_equal(graze_scene_get(world.scene, body, &def), GRAZE_OK);
  return def;
}

static graze_collision_response response_of(graze_body body, graze_body other, unsigned *salt) {
  const graze_body_def a = get(body), b = get(other);
  const graze_collision_response c = any_response(salt, body, other);
  if (body.slot == other.slot || !(a.category & b.mask) || !(b.category & a.mask)) return GRAZE_COLLISION_IGNORE;
  if (a.shape.kind == GRAZE_HALFSPACE && b.shape.kind == GRAZE_HALFSPACE) return GRAZE_COLLISION_IGNORE;
  return (a.sensor || b.sensor) && c != GRAZE_COLLISION_IGNORE ? GRAZE_COLLISION_CROSS : c;
}

/* Returns whether the body overlaps nothing that it does not cross. */
static void check_free(graze_body body, const graze_placed *at, unsigned *salt) {
  for (graze_body o = first(); o.generation; o = next(o)) {
    graze_answer answer;
    if (response_of(body, o, salt) <= GRAZE_COLLISION_CROSS) continue;
    assert_int_equal(graze_distance(at, placed_of(o), NULL, &answer), GRAZE_OK);
    if (!(answer.lower > get(body).margin + get(o).margin)) fail_msg("%u is met by %g", o.slot, answer.lower);
  }
}

/* Checks a motion until a time: it collides with nothing that is not crossed, and of crossed bodies only with those
 * in `seen`. */
static void check_motion(graze_body body, const graze_placed *from, const graze_motion *motion, double time,
                         unsigned *salt, size_t seen) {
  for (graze_body o = first(); o.generation; o = next(o)) {
    graze_cast_result result;
    graze_cast_options options = graze_default_cast_options();
    const graze_collision_response c = response_of(body, o, salt);
    bool known = c != GRAZE_COLLISION_CROSS;
    if (c == GRAZE_COLLISION_IGNORE) continue;
    options.clearance = (get(body).margin + get(o).margin) * (known ? 1 : 1 - 1e-9);
    assert_int_equal(graze_cast(from, motion, placed_of(o), &still, time, &options, &result), GRAZE_OK);
    if (known && result.outcome != GRAZE_CLEAR) fail_msg("goes through %u at %g", o.slot, result.t);
    for (size_t i = 0; i < seen; i++) known = known || met[i].other.slot == o.slot;
    if (result.outcome == GRAZE_HIT && result.t_upper < (1 - 1e-6) * time && !known)
      fail_msg("%u was not reported", o.slot);
  }
}

/* The motion from one pose to another. */
static void check_piece(graze_body body, const graze_placed *from, graze_pose to, unsigned *salt, size_t seen) {
  const graze_motion motion = {sub(to.position, from->pose.position), {0, 0, 0}};
  check_motion(body, from, &motion, 1, salt, seen);
}

/* The same move, with a tree of another form. */
static void check_same(graze_body body, const graze_placed *start, const graze_motion *motion, unsigned *salt) {
  static graze_collision again[COLLISIONS];
  const graze_pose end = placed_of(body)->pose;
  size_t n = 0;
  assert_int_equal(graze_scene_set_pose(world.scene, body, start->pose, NULL), GRAZE_OK);
  crowd_stir(&world);
  assert_int_equal(graze_scene_move(world.scene, body, motion, any_response, salt, again, COLLISIONS, &n, NULL),
                   GRAZE_OK);
  assert_memory_equal(&placed_of(body)->pose, &end, sizeof end);
  assert_int_equal(n, count);
  for (size_t i = 0; i < n; i++) {
    assert_true(again[i].other.slot == met[i].other.slot && again[i].t == met[i].t);
    assert_memory_equal(&again[i].pose, &met[i].pose, sizeof met[i].pose);
  }
}

/* The last collision that was not crossed, if it stopped the body. */
static bool was_stopped(void) {
  bool stopped = false;
  for (size_t i = 0; i < count; i++) {
    assert_false(stopped && met[i].response != GRAZE_COLLISION_CROSS);
    stopped = stopped || met[i].stopped;
    assert_false(met[i].stopped && met[i].response == GRAZE_COLLISION_CROSS);
  }
  return stopped;
}

static void check_move(graze_body body, bool turns) {
  const graze_placed start = *placed_of(body);
  graze_motion motion = {rng_vec(&dice, world.dim, 12), {0, 0, 0}};
  unsigned salt = (unsigned)rng_below(&dice, 1 << 30);
  if (turns) motion.angular = world.dim == 2 ? vec(0, 0, rng_uniform(&dice, -3, 3)) : rng_vec(&dice, world.dim, 2);
  assert_int_equal(graze_scene_move(world.scene, body, &motion, any_response, &salt, met, COLLISIONS, &count, NULL),
                   GRAZE_OK);
  assert_true(count <= COLLISIONS);
  moves++, collisions += (long)count, whole += count == 0;
  if (rng_below(&dice, 8) == 0) check_same(body, &start, &motion, &salt);
  size_t i = 0;
  bool left = false, lost = false, reported = false;
  for (; i < count && met[i].overlapped; i++) {
    left = left || met[i].response != GRAZE_COLLISION_CROSS;
    reported = reported || met[i].stuck;
    assert_false(met[i].stuck && met[i].response == GRAZE_COLLISION_CROSS);
  }
  overlaps += left;
  graze_placed at = *placed_of(body);
  lost = left && memcmp(&at.pose, &start.pose, sizeof at.pose) == 0;
  stuck += lost;
  assert_true(reported == lost);
  if (lost) { /* no displacement out */
    assert_true(was_stopped());
    return;
  }
  check_free(body, &at, &salt);
  stops += was_stopped();
  corners += count > 1 && met[count - 1].stopped && met[count - 1].response == GRAZE_COLLISION_SLIDE;
  if (left) return; /* the pose after leaving overlaps is not reported */
  at = start;
  if (turns) check_motion(body, &start, &motion, count > 0 ? met[0].t : 1, &salt, 0);
  for (double t = 0; i < count; i++) {
    assert_true(met[i].t >= t && met[i].t <= 1);
    t = met[i].t;
    slides += met[i].response == GRAZE_COLLISION_SLIDE;
    if (!turns) check_piece(body, &at, met[i].pose, &salt, i + 1);
    assert_int_equal(graze_set_pose(&at, met[i].pose), GRAZE_OK);
    check_free(body, &at, &salt);
  }
  if (!turns) check_piece(body, &at, placed_of(body)->pose, &salt, count);
}

TEST(test_random) { /* seeds 81, 82 */
  for (int dim = 2; dim <= 3; dim++) {
    dice = (uint64_t)(79 + dim);
    for (int i = 0; i < tiered(200, 400, 4000); i++) {
      const int most = 5 + rng_below(&dice, 40);
      crowd_make(&world, &dice, dim, most, rng_uniform(&dice, 6, 14));
      for (graze_body b = first(); b.generation; b = next(b)) {
        const graze_body_def def = get(b);
        if (def.type == GRAZE_STATIC || rng_below(&dice, 3) > 0) continue;
        check_move(b, def.shape.kind != GRAZE_HALFSPACE && rng_below(&dice, 3) == 0);
      }
      crowd_free(&world);
    }
  }
  print_message(
      "%ld moves, %ld collisions, %ld slides; %ld met nothing, %ld stopped, %ld of them in corners, %ld had to "
      "leave others, %ld could not\n",
      moves, collisions, slides, whole, stops, corners, overlaps, stuck);
  assert_in_range(100 * whole / moves, 5, 60);
  assert_in_range(100 * stops / moves, 5, 50);
  assert_in_range(100 * overlaps / moves, 5, 50);
  assert_true(corners > moves / 400 && slides > moves / 8 && stuck < moves / 20);
}
