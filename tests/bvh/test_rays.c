/* The slab test in floats against rational arithmetic, for rays and moving boxes, and the distances of boxes. No box
 * that is hit, or near enough, is culled. All instruction sets return the same bits. Few boxes pass that are not hit or
 * near. Then the work of a query after insertions and
 * changes without a rebuild. Seeds are stated at each test. */

#include "support/test.h"

#include <gmp.h>

#include "bvh/scene_tree.h"
#include "support/geometry.h"
#include "inspect.h"

enum { ITEMS = 64 };

static uint64_t state;
static mpq_t p, q, start, end;

static int make_numbers(void **test_state) {
  (void)test_state;
  mpq_inits(p, q, start, end, NULL);
  return 0;
}

static int free_numbers(void **test_state) {
  (void)test_state;
  mpq_clears(p, q, start, end, NULL);
  return 0;
}

/* ---- Exact times */

/* Computes (to - from) / displacement of finite numbers. */
static void quotient(mpq_t out, double to, double from, double displacement) {
  mpq_set_d(out, to), mpq_set_d(q, from);
  mpq_sub(out, out, q);
  mpq_set_d(q, displacement);
  mpq_div(out, out, q);
}

/* Intersects [start, end] with the times at which the boxes overlap along one axis. Returns false if none is left. */
static bool narrow(double box_low, double box_high, double low, double high, double displacement) {
  const double enter = displacement > 0 ? box_low : box_high, leave = displacement > 0 ? box_high : box_low;
  if (displacement == 0) return box_low <= high && low <= box_high;
  if (fabs(enter) <= DBL_MAX) {
    quotient(p, enter, displacement > 0 ? high : low, displacement);
    if (mpq_cmp(p, start) > 0) mpq_set(start, p);
  }
  if (fabs(leave) <= DBL_MAX) {
    quotient(p, leave, displacement > 0 ? low : high, displacement);
    if (mpq_cmp(p, end) < 0) mpq_set(end, p);
  }
  return mpq_cmp(start, end) <= 0;
}

/* Tests whether the moving box hits the box at a time of [0, last]. */
static bool is_hit(const graze_aabb *box, const graze_aabb *moved, graze_vec displacement, double last) {
  mpq_set_d(start, 0), mpq_set_d(end, last);
  return narrow(box->min.x, box->max.x, moved->min.x, moved->max.x, displacement.x) &&
         narrow(box->min.y, box->max.y, moved->min.y, moved->max.y, displacement.y) &&
         narrow(box->min.z, box->max.z, moved->min.z, moved->max.z, displacement.z);
}

/* ---- The slab test */

typedef struct tally {
  size_t tested, hit, passed;
} tally;

static grz_slab_test *const sets[] = {
    grz_slab_portable,
#ifdef GRZ_SIMD_X86
    grz_slab_sse2,
    grz_slab_avx2,
#endif
#ifdef GRZ_SIMD_NEON
    grz_slab_neon,
#endif
};

static unsigned test_all(const grz_slab *slab, const grz_node *eight, float last) {
  float enter[8], other[8];
  const unsigned bits = grz_slab_portable(slab, eight, last, enter);
  for (size_t i = 1; i < COUNT(sets); i++) {
#ifdef GRZ_SIMD_X86
    if (sets[i] == grz_slab_avx2 && !__builtin_cpu_supports("avx2")) continue;
#endif
    assert_int_equal(sets[i](slab, eight, last, other), bits);
    assert_memory_equal(other, enter, sizeof enter);
  }
  return bits;
}

/* Returns whether the slot is empty; then it must not have passed. */
static bool is_empty(const grz_bvh *b, size_t slot, bool passed) {
  if (b->tree.item[slot] == GRZ_TREE_NONE) assert_false(passed);
  return b->tree.item[slot] == GRZ_TREE_NONE;
}

/* Counts an item. One that is hit, or near enough, must have passed. */
static void count_item(tally *t, uint32_t item, bool hit, bool passed) {
  if (hit && !passed) fail_msg("item %u is hit, or near, and culled", (unsigned)item);
  t->tested++, t->hit += hit, t->passed += passed;
}

static void check(const grz_bvh *b, const graze_aabb *moved, graze_vec displacement, double last, tally *t) {
  grz_slab slab;
  grz_slab_make(&slab, &b->tree, moved, displacement);
  const float limit = grz_slab_time(&slab, last);
  for (size_t leaf = 0; leaf < (b->used + 7) / 8; leaf++) {
    const unsigned bits = test_all(&slab, &b->tree.level[0][leaf], limit);
    for (size_t child = 0; child < 8; child++) {
      const bool passed = bits >> child & 1;
      if (is_empty(b, 8 * leaf + child, passed)) continue;
      const uint32_t item = b->tree.item[8 * leaf + child];
      count_item(t, item, is_hit(&b->box[item], moved, displacement, last), passed);
    }
  }
}

static double coordinate(const graze_vec *v, int k) { return k == 0 ? v->x : k == 1 ? v->y : v->z; }

/* Returns a corner, an edge point or a face point of a box, or a double next to it. */
static graze_vec corner_of(const graze_aabb *box, int dim) {
  double at[3] = {0, 0, 0};
  for (int k = 0; k < dim; k++) {
    const double low = coordinate(&box->min, k), high = coordinate(&box->max, k);
    const size_t choice = rng_index(&state, 5);
    at[k] = choice < 2 ? low : choice < 4 ? high : low / 2 + high / 2;
    if (!(fabs(at[k]) <= 1e300)) at[k] = 0;
    if (rng_index(&state, 4) == 0) at[k] = nextafter(at[k], rng_index(&state, 2) ? HUGE_VAL : -HUGE_VAL);
  }
  return (graze_vec){at[0], at[1], at[2]};
}

static graze_vec direction(int dim, double size) {
  static const double factors[] = {0, 0, 1, 1, 1, 0x1p-10, 0x1p-54, 0x1p-63, 0x1p-64, 0x1p-65, 0x1p-200, 0x1p-1070};
  double v[3] = {0, 0, 0};
  for (int k = 0; k < dim; k++) {
    v[k] = size * factors[rng_index(&state, COUNT(factors))];
    v[k] *= rng_index(&state, 2) ? floor(rng_uniform(&state, -8, 9)) : rng_uniform(&state, -1, 1);
  }
  return (graze_vec){v[0], v[1], v[2]};
}

static double size_of(const graze_aabb *box) {
  const double x = box->max.x - box->min.x, y = box->max.y - box->min.y, most = fmax(x, y);
  return most > 0 && most <= 1e41 ? most : 1;
}

/* Makes a ray through a boundary point of a box, a whole number of steps before it: many hits are exact. */
static void aim(const grz_bvh *b, graze_aabb *moved, graze_vec *displacement, double *last) {
  static const double sizes[] = {1, 1, 1, 1e-3, 1e3, 1e-300, 0x1p-1060, 1e40, 0x1p1000};
  static const double steps[] = {0, 1, 2, 16, 1024, 0x1p30, 0x1p60, 0x1p100};
  const uint32_t item = (uint32_t)rng_index(&state, ITEMS);
  const graze_vec at = corner_of(&b->box[item], b->tree.dim);
  const double size = size_of(&b->box[item]) * sizes[rng_index(&state, 9)], step = steps[rng_index(&state, 8)];
  *displacement = direction(b->tree.dim, fmin(size, 1e300));
  graze_vec from = add_scaled(at, -step, *displacement);
  if (!(fabs(from.x) <= 1e300 && fabs(from.y) <= 1e300 && fabs(from.z) <= 1e300)) from = at;
  *moved = (graze_aabb){from, from};
  if (rng_index(&state, 3) == 0) {
    const double more = size_of(&b->box[item]) * rng_uniform(&state, 0, 1);
    moved->min.x -= more, moved->max.y += more;
  }
  *last = rng_index(&state, 3) ? step : rng_index(&state, 2) ? DBL_MAX : rng_uniform(&state, 0, 3);
}

/* No box that is hit is culled. A sorted tree has a centre and a scale of its own. Seed 1. */
TEST_WITH(test_no_miss, make_numbers, free_numbers) {
  state = 1;
  for (int i = 0; i < 2 * WORLD_KINDS; i++) {
    const int kind = i / 2;
    const bool sorted = i % 2;
    plain_world world;
    tally t = {0, 0, 0};
    plain_fill(&world, kind, &state, ITEMS, 1);
    if (sorted) grz_bvh_sort(&world.bvh, 0);
    for (int round = 0; round < tiered(300, 600, 20000); round++) {
      graze_aabb moved;
      graze_vec displacement;
      double last;
      aim(&world.bvh, &moved, &displacement, &last);
      check(&world.bvh, &moved, displacement, last, &t);
    }
    print_message("%-10s %9zu tested, %8zu hit, %8zu passed\n", world_name[kind], t.tested, t.hit, t.passed);
    assert_true(t.hit > 0);
    plain_free(&world);
  }
}

/* Few boxes pass that are not hit, at any position and scale of the world. Seed 2. */
TEST_WITH(test_narrow, make_numbers, free_numbers) {
  static const int kinds[] = {WORLD_UNIFORM, WORLD_PLANE, WORLD_DISTANT, WORLD_HUGE, WORLD_MIXED};
  state = 2;
  for (size_t i = 0; i < COUNT(kinds); i++) {
    plain_world world;
    tally t = {0, 0, 0};
    plain_fill(&world, kinds[i], &state, ITEMS, 1);
    grz_bvh_sort(&world.bvh, 0);
    for (int round = 0; round < 2000; round++) {
      const graze_vec from = world_box(kinds[i], &state, ITEMS).min, to = world_box(kinds[i], &state, ITEMS).min;
      const graze_aabb ray = {from, from};
      check(&world.bvh, &ray, sub(to, from), rng_uniform(&state, 0, 3), &t);
    }
    print_message("%-10s %9zu hit, %6zu passed in vain\n", world_name[kinds[i]], t.hit, t.passed - t.hit);
    assert_true(t.hit > 1000 && (t.passed - t.hit) * 200 < t.hit);
    plain_free(&world);
  }
}

/* ---- Distances */

static grz_near_test *const near_sets[] = {
    grz_near_portable,
#ifdef GRZ_SIMD_X86
    grz_near_sse2,
    grz_near_avx2,
#endif
#ifdef GRZ_SIMD_NEON
    grz_near_neon,
#endif
};

/* Adds the square of the gap from `high` to `low`, if it is positive. Returns false if the gap is infinite. */
static bool add_gap(mpq_t sum, double low, double high) {
  if (!(low > high)) return true;
  if (!(fabs(low) <= DBL_MAX && fabs(high) <= DBL_MAX)) return false;
  mpq_set_d(p, low), mpq_set_d(q, high);
  mpq_sub(p, p, q);
  mpq_mul(p, p, p);
  mpq_add(sum, sum, p);
  return true;
}

/* Computes the squared distance of two boxes in `start`. Returns false if it is infinite. */
static bool square_of(const graze_aabb *a, const graze_aabb *b) {
  mpq_set_d(start, 0);
  return add_gap(start, a->min.x, b->max.x) && add_gap(start, b->min.x, a->max.x) &&
         add_gap(start, a->min.y, b->max.y) && add_gap(start, b->min.y, a->max.y) &&
         add_gap(start, a->min.z, b->max.z) && add_gap(start, b->min.z, a->max.z);
}

static void check_near(const grz_bvh *b, const graze_aabb *box, double within, tally *t) {
  grz_near near;
  grz_near_make(&near, &b->tree, box);
  const float limit = grz_near_square(&b->tree, within);
  for (size_t leaf = 0; leaf < (b->used + 7) / 8; leaf++) {
    float square[8], other[8];
    const unsigned bits = grz_near_portable(&near, &b->tree.level[0][leaf], limit, square);
    for (size_t i = 1; i < COUNT(near_sets); i++) {
#ifdef GRZ_SIMD_X86
      if (near_sets[i] == grz_near_avx2 && !__builtin_cpu_supports("avx2")) continue;
#endif
      assert_int_equal(near_sets[i](&near, &b->tree.level[0][leaf], limit, other), bits);
      assert_memory_equal(other, square, sizeof square);
    }
    for (size_t child = 0; child < 8; child++) {
      const bool passed = bits >> child & 1;
      if (is_empty(b, 8 * leaf + child, passed)) continue;
      const uint32_t item = b->tree.item[8 * leaf + child];
      const bool finite = square_of(&b->box[item], box);
      mpq_set_d(end, within);
      mpq_mul(end, end, end);
      count_item(t, item, finite && mpq_cmp(start, end) <= 0, passed);
      if (!finite || square[child] <= 0) continue;
      mpq_set_d(end, b->tree.scale); /* the bound is at most start·scale² */
      mpq_mul(start, start, end), mpq_mul(start, start, end);
      mpq_set_d(end, (double)fminf(square[child], FLT_MAX));
      assert_true(mpq_cmp(end, start) <= 0);
    }
  }
}

/* No box that is near enough is culled, and no bound is above the distance. Limits are exact distances of corners,
 * their neighbours and random numbers. Seed 4. */
TEST_WITH(test_near, make_numbers, free_numbers) {
  state = 4;
  for (int i = 0; i < 2 * WORLD_KINDS; i++) {
    const int kind = i / 2;
    plain_world world;
    tally t = {0, 0, 0};
    plain_fill(&world, kind, &state, ITEMS, 1);
    if (i % 2) grz_bvh_sort(&world.bvh, 0);
    for (int round = 0; round < tiered(300, 600, 20000); round++) {
      const graze_aabb *some = &world.bvh.box[rng_index(&state, ITEMS)];
      const graze_vec at = corner_of(some, world.bvh.tree.dim);
      const double size = size_of(some);
      graze_aabb box = {at, at};
      const double step = size * (double)rng_index(&state, 5);
      if (rng_index(&state, 2) && fabs(at.x) <= 1e300) box.min.x = box.max.x = at.x + step;
      if (rng_index(&state, 3) == 0) box.max.y += size * rng_uniform(&state, 0, 1);
      double within = rng_index(&state, 2) ? step : size * rng_uniform(&state, 0, 8);
      if (rng_index(&state, 8) == 0) within = DBL_MAX;
      if (rng_index(&state, 8) == 0) within = nextafter(within, 0);
      check_near(&world.bvh, &box, within, &t);
    }
    print_message("%-10s %9zu tested, %8zu near, %8zu passed\n", world_name[kind], t.tested, t.hit, t.passed);
    assert_true(t.hit > 0);
    if (i % 2 && kind == WORLD_UNIFORM) assert_true((t.passed - t.hit) * 200 < t.hit);
    plain_free(&world);
  }
}

/* ---- Work of a query */

/* Counts the nodes that a cast opens. */
static size_t work(const grz_bvh *b, const graze_aabb *box, graze_vec displacement) {
  grz_slab slab;
  size_t opened = 0, stack[8 * GRZ_TREE_LEVELS], count = 0;
  int level[8 * GRZ_TREE_LEVELS];
  float enter[8];
  grz_slab_make(&slab, &b->tree, box, displacement);
  stack[count] = 0, level[count++] = b->tree.levels - 1;
  while (count > 0) {
    const size_t node = stack[--count];
    const int at = level[count];
    unsigned bits = grz_slab_portable(&slab, &b->tree.level[at][node], __builtin_inff(), enter);
    opened++;
    for (; at > 0 && bits; bits &= bits - 1) stack[count] = 8 * node + grz_first_bit(bits), level[count++] = at - 1;
  }
  return opened;
}

/* The mean work of boxes at rest. */
static double mean_work(const grz_bvh *b, int kind, size_t count) {
  enum { RAYS = 300 };
  double sum = 0;
  for (int i = 0; i < RAYS; i++) {
    const graze_aabb box = world_box(kind, &state, count);
    sum += (double)work(b, &box, vec(0, 0, 0));
  }
  return sum / RAYS;
}

/* The work stays logarithmic without a rebuild: after insertions, after every item moved, after a third was replaced,
 * and after every item came to rest elsewhere. A tree in the order of insertion opens about count / 8 nodes. Seed 3. */
TEST(test_logarithmic) {
  static const int kinds[] = {WORLD_UNIFORM, WORLD_PLANE, WORLD_DISTANT, WORLD_CLUSTERED};
  static const size_t counts[] = {1000, 8000, 64000};
  state = 3;
  for (size_t i = 0; i < 3 * COUNT(kinds); i++) {
    const int kind = kinds[i / 3];
    const size_t count = counts[i % 3];
    grz_bvh bvh;
    double opened[5];
    grz_bvh_make(&bvh, world_dim(kind), NULL);
    assert_true(grz_bvh_reserve(&bvh, count));
    for (int round = 0; round < 4; round++) { /* insert; move; replace; move at rest */
      for (size_t item = 0; item < count; item++) {
        const graze_aabb box = world_box(kind, &state, count);
        if (round == 2 && item % 3 > 0) continue;
        if (round == 2) grz_bvh_remove(&bvh, item);
        grz_bvh_update(&bvh, item, &box, round < 2);
      }
      opened[round] = mean_work(&bvh, kind, count);
    }
    grz_bvh_sort(&bvh, 0);
    opened[4] = mean_work(&bvh, kind, count);
    print_message("%-10s %6zu: nodes opened %6.1f %6.1f %6.1f %6.1f, sorted %6.1f\n", world_name[kind], count,
                  opened[0], opened[1], opened[2], opened[3], opened[4]);
    const double most = 8 * opened[4] + 16 * log2((double)count);
    for (int round = 0; round < 4; round++) assert_true(opened[round] < most);
    grz_bvh_free(&bvh);
  }
}
