/* Overlap, cast and nearest queries against a plain list of boxes. Bounds are checked in long double. Seeds are stated
 * at each test. */

#include "support/test.h"
#include "support/geometry.h"
#include "inspect.h"

static uint64_t state;

typedef struct visit_log {
  const plain_world *world;
  double *bound; /* by item; negative: not visited */
  size_t visited, most;
  double end;      /* returned by each visit */
  bool to_nearest; /* `end` becomes the least bound so far */
} visit_log;

static double log_visit(void *context, size_t item, double bound) {
  visit_log *w = context;
  assert_true(item < w->world->capacity && w->world->there[item]);
  assert_true(w->bound[item] < 0 && bound >= 0);
  assert_true(bound <= w->end);
  w->bound[item] = bound;
  w->visited++;
  if (w->to_nearest && bound < w->end) w->end = bound;
  return w->visited == w->most ? -1 : w->end;
}

static bool log_overlap(void *context, size_t item) { return log_visit(context, item, 0) >= 0; }

static void reset(visit_log *w, double end, size_t most, bool to_nearest) {
  for (size_t i = 0; i < w->world->capacity; i++) w->bound[i] = -1;
  w->visited = 0, w->most = most, w->end = end, w->to_nearest = to_nearest;
}

typedef struct span {
  long double low, high; /* empty if high < low */
} span;

static void narrow(span *s, double box_low, double box_high, double low, double high, double displacement) {
  long double in = (long double)box_low - high, out = (long double)box_high - low;
  if (displacement == 0) {
    if (in > 0 || out < 0) s->high = -1;
    return;
  }
  in /= displacement, out /= displacement;
  if (displacement < 0) {
    long double swap = in;
    in = out, out = swap;
  }
  s->low = fmaxl(s->low, in), s->high = fminl(s->high, out);
}

/* Computes the times at which the boxes overlap. */
static span contact_times(const graze_aabb *box, const graze_aabb *moved, graze_vec displacement) {
  span s = {0, HUGE_VALL};
  narrow(&s, box->min.x, box->max.x, moved->min.x, moved->max.x, displacement.x);
  narrow(&s, box->min.y, box->max.y, moved->min.y, moved->max.y, displacement.y);
  narrow(&s, box->min.z, box->max.z, moved->min.z, moved->max.z, displacement.z);
  return s;
}

static long double gap(double p_low, double p_high, double q_low, double q_high) {
  return fmaxl(0, fmaxl((long double)p_low - q_high, (long double)q_low - p_high));
}

static long double distance(const graze_aabb *p, const graze_aabb *q) {
  return hypotl(gap(p->min.x, p->max.x, q->min.x, q->max.x),
                hypotl(gap(p->min.y, p->max.y, q->min.y, q->max.y), gap(p->min.z, p->max.z, q->min.z, q->max.z)));
}

static const long double SMALL = 1e-14L;

/* Every item that is hit was visited with a correct and tight bound. Items missed by more than rounding were not. */
static void check_cast(const visit_log *w, const graze_aabb *box, graze_vec displacement, double end) {
  for (size_t i = 0; i < w->world->capacity; i++) {
    if (!w->world->there[i]) continue;
    span s = contact_times(&w->world->box[i], box, displacement);
    bool hit = s.low * (1 + 1e-18L) <= s.high * (1 - 1e-18L) && s.low <= end;
    if (s.low == 0 && s.high >= 0) hit = true;
    if (hit) assert_true(w->bound[i] >= 0 && w->bound[i] <= s.low * (1 + 1e-18L));
    if (w->bound[i] < 0) continue;
    if (s.low > 1e308L) continue; /* later than any double */
    assert_true(s.low * (1 - SMALL) <= s.high * (1 + SMALL) + 1e-320L && s.low * (1 - SMALL) <= end);
    assert_true(w->bound[i] >= fminl(s.low, 1e308L) * (1 - SMALL) - 1e-320L);
  }
}

static void check_within(const visit_log *w, const graze_aabb *box, double within) {
  for (size_t i = 0; i < w->world->capacity; i++) {
    if (!w->world->there[i]) continue;
    long double d = distance(&w->world->box[i], box);
    if (d <= within) assert_true(w->bound[i] >= 0);
    if (w->bound[i] < 0) continue;
    assert_true(w->bound[i] <= d && d * (1 - SMALL) - 1e-323L <= within); /* bounds: two steps */
    assert_true(w->bound[i] >= d * (1 - SMALL) - 1e-322L);
  }
}

static void check_overlap(const visit_log *w, const graze_aabb *box) {
  for (size_t i = 0; i < w->world->capacity; i++)
    assert_int_equal(w->bound[i] >= 0, w->world->there[i] && boxes_meet(*box, w->world->box[i]));
}

/* The first item hit, or the nearest one, was visited. */
static void check_nearest(const visit_log *w, const graze_aabb *box, const graze_vec *displacement) {
  double least = HUGE_VAL, visited_first = HUGE_VAL;
  for (size_t i = 0; i < w->world->capacity; i++) {
    if (!w->world->there[i]) continue;
    span s = displacement ? contact_times(&w->world->box[i], box, *displacement)
                          : (span){distance(&w->world->box[i], box), HUGE_VALL};
    if (s.low * (1 + 1e-18L) <= s.high * (1 - 1e-18L)) least = fmin(least, (double)s.low);
    if (w->bound[i] >= 0) visited_first = fmin(visited_first, w->bound[i]);
  }
  assert_true(least == HUGE_VAL || least > 1e307 || visited_first <= least);
}

static graze_vec any_displacement(double length) {
  graze_vec displacement = rng_vec(&state, 3, length);
  const double chance = rng_uniform(&state, 0, 8);
  if (chance < 1) displacement.x = 0;
  if (chance < 2 && chance > 0.5) displacement.y = 0;
  if (chance < 0.2 || chance > 7) displacement.z = 0;
  return displacement;
}

static void query(visit_log *w, const graze_aabb *box, double size) {
  static const double lengths[] = {1, 1e-3, 1e3, 1e-310, 1e40};
  const grz_bvh *bvh = &w->world->bvh;
  graze_vec displacement = any_displacement(size * lengths[rng_below(&state, 5)]);
  const double end = rng_uniform(&state, 0, 1) < 0.3 ? HUGE_VAL : rng_uniform(&state, 0, 3);
  const double within = rng_uniform(&state, 0, 1) < 0.1 ? HUGE_VAL : size * rng_uniform(&state, 0, 3);
  if (bvh->tree.dim == 2) displacement.z = 0;
  reset(w, end, SIZE_MAX, false);
  grz_bvh_cast(bvh, box, displacement, end, log_visit, w);
  check_cast(w, box, displacement, end);
  reset(w, HUGE_VAL, SIZE_MAX, true);
  grz_bvh_cast(bvh, box, displacement, HUGE_VAL, log_visit, w);
  check_nearest(w, box, &displacement);
  reset(w, within, SIZE_MAX, false);
  grz_bvh_nearest(bvh, box, within, log_visit, w);
  check_within(w, box, within);
  reset(w, HUGE_VAL, SIZE_MAX, true);
  grz_bvh_nearest(bvh, box, HUGE_VAL, log_visit, w);
  check_nearest(w, box, NULL);
  reset(w, 0, SIZE_MAX, false);
  grz_bvh_overlap(bvh, box, log_overlap, w);
  check_overlap(w, box);
  const size_t some = w->visited / 2 + 1;
  reset(w, 0, some, false);
  grz_bvh_overlap(bvh, box, log_overlap, w);
  assert_true(w->visited <= some);
}

static double edge(const graze_aabb *box) {
  double x = box->max.x - box->min.x, y = box->max.y - box->min.y, most = fmax(x, fmax(y, box->max.z - box->min.z));
  return most > 0 && most <= 1e41 ? most : 1;
}

/* Query boxes of the same world, of several sizes, with short and long displacements; some items were removed. Seed 1.
 */
TEST(test_worlds) {
  static const size_t counts[] = {1, 30, 700};
  state = 1;
  for (int i = 0; i < 3 * WORLD_KINDS; i++) {
    const int kind = i / 3;
    const size_t count = counts[i % 3];
    plain_world world;
    visit_log w = {.world = &world, .bound = calloc(count, sizeof(double))};
    assert_non_null(w.bound);
    plain_fill(&world, kind, &state, count, 0.5);
    for (size_t removed = 5; removed + 5 < count; removed += 11) plain_remove(&world, removed);
    for (int round = 0; round < tiered(60, 120, 1000); round++) {
      graze_aabb box = world_box(kind, &state, count);
      const bool has_corner = box.min.x + box.min.y + box.min.z > -HUGE_VAL;
      if (round % 3 == 0 && has_corner) box.max = box.min;
      if (round == 20) grz_bvh_rebuild(&world.bvh);
      query(&w, &box, edge(&box));
    }
    plain_free(&world);
    free(w.bound);
  }
}

/* An empty tree, limits that exclude everything, and a displacement of 0. */
TEST(test_nothing) {
  plain_world world;
  double bound;
  visit_log w = {.world = &world, .bound = &bound};
  const graze_aabb box = {{0, 0, 0}, {1, 1, 1}}, beside = {{3, 0, 0}, {4, 1, 1}};
  const graze_vec still = {0, 0, 0}, displacement = {1, 0, 0};
  plain_make(&world, 3, 1, NULL);
  grz_bvh *const bvh = &world.bvh;
  grz_bvh_rebuild(bvh);
  assert_int_equal(grz_bvh_chunk_count(bvh), 0);
  reset(&w, 0, 1, false);
  grz_bvh_overlap(bvh, &box, log_overlap, &w);
  grz_bvh_nearest(bvh, &box, HUGE_VAL, log_visit, &w);
  assert_true(grz_bvh_reserve(bvh, 1));
  grz_bvh_cast(bvh, &box, displacement, HUGE_VAL, log_visit, &w);
  plain_insert(&world, 0, beside, true);
  grz_bvh_cast(bvh, &box, still, HUGE_VAL, log_visit, &w);
  grz_bvh_cast(bvh, &box, displacement, 1.99, log_visit, &w);
  grz_bvh_cast(bvh, &box, displacement, -1, log_visit, &w);
  grz_bvh_nearest(bvh, &box, 1.99, log_visit, &w);
  grz_bvh_nearest(bvh, &box, -1, log_visit, &w);
  assert_int_equal(w.visited, 0);
  w.end = 2;
  grz_bvh_cast(bvh, &box, displacement, 2, log_visit, &w);
  assert_int_equal(w.visited, 1);
  reset(&w, 2, 2, false);
  grz_bvh_nearest(bvh, &box, 2, log_visit, &w);
  assert_int_equal(w.visited, 1);
  plain_free(&world);
}
