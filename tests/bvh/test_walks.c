/* Walks against a plain list: what lies in a box, along a path, near. Bounds are judged in long double. Seeds are
 * stated at each test. */

#include "support/test.h"
#include "support/geometry.h"
#include "inspect.h"

static uint64_t state;

typedef struct walk {
  const plain_world *world;
  double *bound; /* by item; negative: not visited */
  size_t visited, most;
  double end;      /* what is returned … */
  bool to_nearest; /* … or the least bound so far */
} walk;

static double noted(void *context, size_t item, double bound) {
  walk *w = context;
  assert_true(item < w->world->capacity && w->world->there[item]);
  assert_true(w->bound[item] < 0 && bound >= 0);
  assert_true(bound <= w->end);
  w->bound[item] = bound;
  w->visited++;
  if (w->to_nearest && bound < w->end) w->end = bound;
  return w->visited == w->most ? -1 : w->end;
}

static bool noted_in_box(void *context, size_t item) { return noted(context, item, 0) >= 0; }

static void forget(walk *w, double end, size_t most, bool to_nearest) {
  for (size_t i = 0; i < w->world->capacity; i++) w->bound[i] = -1;
  w->visited = 0, w->most = most, w->end = end, w->to_nearest = to_nearest;
}

typedef struct span {
  long double low, high; /* high < low: never */
} span;

static void narrow(span *s, double box_low, double box_high, double low, double high, double way) {
  long double in = (long double)box_low - high, out = (long double)box_high - low;
  if (way == 0) {
    if (in > 0 || out < 0) s->high = -1;
    return;
  }
  in /= way, out /= way;
  if (way < 0) {
    long double swap = in;
    in = out, out = swap;
  }
  s->low = fmaxl(s->low, in), s->high = fminl(s->high, out);
}

/* When the boxes meet. */
static span meeting(const graze_aabb *box, const graze_aabb *moved, graze_vec way) {
  span s = {0, HUGE_VALL};
  narrow(&s, box->min.x, box->max.x, moved->min.x, moved->max.x, way.x);
  narrow(&s, box->min.y, box->max.y, moved->min.y, moved->max.y, way.y);
  narrow(&s, box->min.z, box->max.z, moved->min.z, moved->max.z, way.z);
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

/* What is met must be visited, with a bound that holds and is good; what is not met by far must not. */
static void judge_along(const walk *w, const graze_aabb *box, graze_vec way, double end) {
  for (size_t i = 0; i < w->world->capacity; i++) {
    if (!w->world->there[i]) continue;
    span s = meeting(&w->world->box[i], box, way);
    bool met = s.low * (1 + 1e-18L) <= s.high * (1 - 1e-18L) && s.low <= end;
    if (s.low == 0 && s.high >= 0) met = true;
    if (met) assert_true(w->bound[i] >= 0 && w->bound[i] <= s.low * (1 + 1e-18L));
    if (w->bound[i] < 0) continue;
    if (s.low > 1e308L) continue; /* no double says when */
    assert_true(s.low * (1 - SMALL) <= s.high * (1 + SMALL) + 1e-320L && s.low * (1 - SMALL) <= end);
    assert_true(w->bound[i] >= fminl(s.low, 1e308L) * (1 - SMALL) - 1e-320L);
  }
}

static void judge_near(const walk *w, const graze_aabb *box, double within) {
  for (size_t i = 0; i < w->world->capacity; i++) {
    if (!w->world->there[i]) continue;
    long double d = distance(&w->world->box[i], box);
    if (d <= within) assert_true(w->bound[i] >= 0);
    if (w->bound[i] < 0) continue;
    assert_true(w->bound[i] <= d && d * (1 - SMALL) <= within);
    assert_true(w->bound[i] >= d * (1 - SMALL) - 1e-322L);
  }
}

static void judge_in_box(const walk *w, const graze_aabb *box) {
  for (size_t i = 0; i < w->world->capacity; i++)
    assert_int_equal(w->bound[i] >= 0, w->world->there[i] && boxes_meet(*box, w->world->box[i]));
}

/* The first that is met, or the nearest, with as few visits as that takes. */
static void judge_nearest(const walk *w, const graze_aabb *box, const graze_vec *way) {
  double least = HUGE_VAL, found = HUGE_VAL;
  for (size_t i = 0; i < w->world->capacity; i++) {
    if (!w->world->there[i]) continue;
    span s = way ? meeting(&w->world->box[i], box, *way) : (span){distance(&w->world->box[i], box), HUGE_VALL};
    if (s.low * (1 + 1e-18L) <= s.high * (1 - 1e-18L)) least = fmin(least, (double)s.low);
    if (w->bound[i] >= 0) found = fmin(found, w->bound[i]);
  }
  assert_true(least == HUGE_VAL || least > 1e307 || found <= least);
}

static graze_vec any_way(double length) {
  graze_vec way = rng_vec(&state, 3, length);
  const double chance = rng_uniform(&state, 0, 8);
  if (chance < 1) way.x = 0;
  if (chance < 2 && chance > 0.5) way.y = 0;
  if (chance < 0.2 || chance > 7) way.z = 0;
  return way;
}

static void ask(walk *w, const graze_aabb *box, double size) {
  static const double lengths[] = {1, 1e-3, 1e3, 1e-310, 1e40};
  const grz_bvh *broad = &w->world->broad;
  graze_vec way = any_way(size * lengths[rng_below(&state, 5)]);
  const double end = rng_uniform(&state, 0, 1) < 0.3 ? HUGE_VAL : rng_uniform(&state, 0, 3);
  const double within = rng_uniform(&state, 0, 1) < 0.1 ? HUGE_VAL : size * rng_uniform(&state, 0, 3);
  if (broad->dim == 2) way.z = 0;
  forget(w, end, SIZE_MAX, false);
  grz_bvh_cast(broad, box, way, end, noted, w);
  judge_along(w, box, way, end);
  forget(w, HUGE_VAL, SIZE_MAX, true);
  grz_bvh_cast(broad, box, way, HUGE_VAL, noted, w);
  judge_nearest(w, box, &way);
  forget(w, within, SIZE_MAX, false);
  grz_bvh_nearest(broad, box, within, noted, w);
  judge_near(w, box, within);
  forget(w, HUGE_VAL, SIZE_MAX, true);
  grz_bvh_nearest(broad, box, HUGE_VAL, noted, w);
  judge_nearest(w, box, NULL);
  forget(w, 0, SIZE_MAX, false);
  grz_bvh_overlap(broad, box, noted_in_box, w);
  judge_in_box(w, box);
  const size_t some = w->visited / 2 + 1;
  forget(w, 0, some, false);
  grz_bvh_overlap(broad, box, noted_in_box, w);
  assert_true(w->visited <= some);
}

static double edge(const graze_aabb *box) {
  double x = box->max.x - box->min.x, y = box->max.y - box->min.y, most = fmax(x, fmax(y, box->max.z - box->min.z));
  return most > 0 && most <= 1e41 ? most : 1;
}

/* Seed 1. Boxes of the same world that grow, and move by much more or less than their own size; some items are gone. */
TEST(test_worlds) {
  static const size_t counts[] = {1, 30, 700};
  state = 1;
  for (int i = 0; i < 3 * WORLD_KINDS; i++) {
    const int kind = i / 3;
    const size_t count = counts[i % 3];
    plain_world world;
    walk w = {.world = &world, .bound = calloc(count, sizeof(double))};
    assert_non_null(w.bound);
    plain_fill(&world, kind, &state, count, 0.5);
    for (size_t gone = 5; gone + 5 < count; gone += 11) plain_drop(&world, gone);
    for (int round = 0; round < tiered(60, 120, 1000); round++) {
      graze_aabb box = world_box(kind, &state, count);
      const bool has_corner = box.min.x + box.min.y + box.min.z > -HUGE_VAL;
      if (round % 3 == 0 && has_corner) box.max = box.min;
      if (round == 20) grz_bvh_rebuild(&world.broad);
      ask(&w, &box, edge(&box));
    }
    plain_free(&world);
    free(w.bound);
  }
}

/* Nothing there, nothing of interest, no way at all. */
TEST(test_nothing) {
  plain_world world;
  double bound;
  walk w = {.world = &world, .bound = &bound};
  const graze_aabb box = {{0, 0, 0}, {1, 1, 1}}, beside = {{3, 0, 0}, {4, 1, 1}};
  const graze_vec still = {0, 0, 0}, way = {1, 0, 0};
  plain_make(&world, 3, 1, NULL);
  grz_bvh *const broad = &world.broad;
  grz_bvh_rebuild(broad);
  assert_int_equal(grz_bvh_chunk_count(broad), 0);
  forget(&w, 0, 1, false);
  grz_bvh_overlap(broad, &box, noted_in_box, &w);
  grz_bvh_nearest(broad, &box, HUGE_VAL, noted, &w);
  assert_true(grz_bvh_reserve(broad, 1));
  grz_bvh_cast(broad, &box, way, HUGE_VAL, noted, &w);
  plain_put(&world, 0, beside, true);
  grz_bvh_cast(broad, &box, still, HUGE_VAL, noted, &w);
  grz_bvh_cast(broad, &box, way, 1.99, noted, &w);
  grz_bvh_cast(broad, &box, way, -1, noted, &w);
  grz_bvh_nearest(broad, &box, 1.99, noted, &w);
  assert_int_equal(w.visited, 0);
  w.end = 2;
  grz_bvh_cast(broad, &box, way, 2, noted, &w);
  assert_int_equal(w.visited, 1);
  forget(&w, 2, 2, false);
  grz_bvh_nearest(broad, &box, 2, noted, &w);
  assert_int_equal(w.visited, 1);
  plain_free(&world);
}
