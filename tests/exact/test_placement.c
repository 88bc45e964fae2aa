/* Placements of shapes and parts against rational arithmetic (GMP): scale·w and the local directions are exact. */

#include "support/framed.h"
#include "support/test.h"
#include "support/numbers.h"
#include "support/rational.h"
#include "exact/exact.h"
#include "shape/placed.h"

static const uint64_t seed_of = 0x2f2b38d5b8b1a9e3u;

/* A random shape, or a random part. Some parts are not rotated, some not moved, and some frames are not rotated. */
static graze_placed random_placed(uint64_t *state, int dim, int low, int high, bool in_compound, graze_frame *memory) {
  graze_shape point = dim == 2 ? graze_point2() : graze_point();
  graze_pose own = random_extreme_pose(state, dim), frame = random_extreme_pose(state, dim);
  uint64_t kind = rng_bits(state);
  own.position = rng_magnitude_vec(state, dim, low, high);
  frame.position = rng_magnitude_vec(state, dim, low, high);
  if (in_compound && kind % 3 == 0) own.x = own.y = own.z = 0, own.w = rng_magnitude(state, -20, 20);
  if (in_compound && kind % 5 < 2) memset(&own.position, 0, sizeof own.position);
  if (in_compound && kind % 7 < 2) frame.x = frame.y = frame.z = 0, frame.w = rng_magnitude(state, -20, 20);
  graze_placed placed = graze_place(&point, own);
  assert_int_equal(placed.status, GRAZE_OK);
  if (!in_compound) return placed;
  return part_in(&placed, frame, memory);
}

typedef struct truth {
  rational_map a, b;
  mpq_t at[3], other[3], scale, term, computed;
} truth;

static void truth_numbers(truth *t, bool make) {
  (make ? rational_map_init : rational_map_clear)(&t->a);
  (make ? rational_map_init : rational_map_clear)(&t->b);
  mpq_t *all[] = {&t->at[0],    &t->at[1], &t->at[2], &t->other[0], &t->other[1],
                  &t->other[2], &t->scale, &t->term,  &t->computed};
  for (size_t i = 0; i < COUNT(all); i++) make ? mpq_init(*all[i]) : mpq_clear(*all[i]);
}

/* at = the world direction in local coordinates. */
static void truth_local(truth *t, const rational_map *map, graze_vec world) {
  const double d[3] = {world.x, world.y, world.z};
  for (int i = 0; i < 3; i++) {
    mpq_set_ui(t->at[i], 0, 1);
    for (int k = 0; k < 3; k++) {
      mpq_set_d(t->term, d[k]);
      mpq_mul(t->term, t->term, map->m[3 * k + i]);
      mpq_add(t->at[i], t->at[i], t->term);
    }
  }
}

static void check_vec(truth *t, grz_bvec computed, const char *what) {
  const grz_big part[3] = {computed.x, computed.y, computed.z};
  for (int i = 0; i < 3; i++) {
    big_to_mpq(t->computed, part[i]);
    mpq_mul(t->term, t->at[i], t->scale);
    if (!mpq_equal(t->computed, t->term)) fail_msg("%s: coordinate %d is not exact", what, i);
  }
}

static void check_pair(truth *t, const graze_placed *a, const graze_placed *b, graze_vec va, graze_vec vb) {
  grz_arena arena = fresh_arena();
  grz_placement p = grz_placement_make(&arena, a, b);
  big_to_mpq(t->scale, p.scale);
  assert_true(mpq_sgn(t->scale) > 0);
  rational_world(t->other, b, vb);
  rational_world(t->at, a, va);
  for (int i = 0; i < 3; i++) mpq_sub(t->at[i], t->at[i], t->other[i]);
  check_vec(t, grz_placement_point(&arena, &p, va, vb), "w");
  rational_map_set(&t->a, a), rational_map_set(&t->b, b);
  truth_local(t, &t->a, vb);
  check_vec(t, grz_placement_local_a(&arena, &p, grz_bvec_of(&arena, vb)), "local a");
  truth_local(t, &t->b, va);
  check_vec(t, grz_placement_local_b(&arena, &p, grz_bvec_of(&arena, va)), "local b");
  assert_false(arena.full);
}

TEST(points_and_directions_equal_rational_arithmetic) {
  uint64_t state = seed_of;
  truth t;
  truth_numbers(&t, true);
  for (int trial = 0; trial < 4000; trial++) {
    int dim = trial % 4 == 0 ? 2 : 3;
    static const int ranges[][2] = {{-3, 3}, {-40, 40}, {-1074, 131}};
    const int *range = ranges[trial % 3];
    graze_frame frame_a, frame_b;
    graze_placed a = random_placed(&state, dim, range[0], range[1], trial % 8 != 1, &frame_a);
    graze_placed b = random_placed(&state, dim, range[0], range[1], trial % 8 > 2, &frame_b);
    const graze_vec first = rng_magnitude_vec(&state, dim, range[0], range[1]);
    check_pair(&t, &a, &b, first, rng_magnitude_vec(&state, dim, range[0], range[1]));
  }
  truth_numbers(&t, false);
}
