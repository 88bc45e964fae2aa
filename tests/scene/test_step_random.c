/* Random scenes. Without responses a scene must tell the same events, to the last bit of all that it says of them, as
 * one that asks every body about every other. With responses no two bodies that respond may ever overlap, by distance,
 * that did not at first; the scene counts those that do; and none may leave a closed room, however fast it is.
 *
 * GRAZE_TIER: test, ci, soak: steps of 40, 80 and 1500. The seed is 1. */
#include "support/test.h"
#include "scene/worlds.h"

static const world_kind reported[] = {
    {.name = "boxes", .dim = 3, .speed = 3, .boxes = true},
    {.name = "boxes that turn", .dim = 3, .speed = 3, .spin = 5, .boxes = true},
    {.name = "any shape", .dim = 3, .speed = 3, .spin = 3},
    {.name = "2D", .dim = 2, .speed = 3},
    {.name = "2D that turn", .dim = 2, .speed = 3, .spin = 5},
    {.name = "fast", .dim = 3, .speed = 300, .boxes = true},
    {.name = "1:1000", .dim = 3, .speed = 3, .boxes = true, .sizes = true, .half = 1},
    {.name = "walls", .dim = 3, .speed = 3, .spin = 2, .halfspaces = true},
    {.name = "1e7 away", .dim = 3, .speed = 3, .boxes = true, .offset = 1e7},
    {.name = "compounds", .dim = 3, .speed = 3, .spin = 3, .compounds = true, .half = 4},
    {.name = "compounds, 2D", .dim = 2, .speed = 3, .compounds = true, .half = 10},
    {.name = "masks", .dim = 3, .speed = 3, .spin = 3, .masks = true, .halfspaces = true, .half = 2},
    {.name = "points", .dim = 2, .speed = 3, .points = true, .half = 4},
    {.name = "flush", .dim = 3, .speed = 3, .spin = 3, .flush = true},
    {.name = "flush, 2D", .dim = 2, .speed = 3, .compounds = true, .half = 10, .flush = true},
};
enum { REPORTED = sizeof reported / sizeof *reported };

/* Bit by bit; but one NaN is like another. */
static bool same_number(double x, double y) { return memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y); }
static bool same_vec(graze_vec p, graze_vec q) {
  return same_number(p.x, q.x) && same_number(p.y, q.y) && same_number(p.z, q.z);
}

static bool same_event(const graze_event *e, const graze_event *f) {
  return e->kind == f->kind && e->a.slot == f->a.slot && e->b.slot == f->b.slot && e->result == f->result &&
         e->t_lower == f->t_lower && e->t_upper == f->t_upper && e->a.generation == f->a.generation &&
         e->b.generation == f->b.generation && same_vec(e->point, f->point) && same_vec(e->normal, f->normal) &&
         e->part_a == f->part_a && e->part_b == f->part_b;
}

static void compare(const char *name, int step, const graze_step *s, const naive *n) {
  for (size_t i = 0; i < s->event_count && i < n->event_count; i++)
    if (!same_event(&s->events[i], &n->event[i]))
      fail_msg("%s, step %d: event %zu: %s of %u and %u at %.17g, not %s of %u and %u at %.17g", name, step, i,
               graze_event_text(s->events[i].kind), s->events[i].a.slot, s->events[i].b.slot, s->events[i].t_lower,
               graze_event_text(n->event[i].kind), n->event[i].a.slot, n->event[i].b.slot, n->event[i].t_lower);
  if (s->event_count != n->event_count)
    fail_msg("%s, step %d: %zu events, not %zu", name, step, s->event_count, n->event_count);
}

static void run_reported(const world_kind *kind, int steps) {
  static world w;
  static naive n;
  rng random = {1};
  size_t events[4] = {0}, pairs = 0, asked = 0, possible = 0;
  world_make(&w, &random, kind, 60, NULL);
  naive_take(&n, &w);
  for (int k = 0; k < steps; k++) {
    graze_step s;
    const double dt = k % 10 == 9 ? 0 : 1 / 60.0;
    assert_int_equal(graze_scene_step(w.scene, dt, &s), GRAZE_OK);
    naive_step(&n, &w, dt);
    compare(kind->name, k, &s, &n);
    for (size_t i = 0; i < s.event_count; i++) {
      events[s.events[i].kind]++;
      possible += s.events[i].result == GRAZE_POSSIBLE;
    }
    pairs += s.pairs, asked += (size_t)(w.count * (w.count - 1) / 2);
    world_turn_round(&w);
    naive_take_motions(&n, &w);
  }
  printf("%-18s %6zu begin %6zu stay %6zu end, %zu possible; %5.2f %% of all pairs looked at\n", kind->name,
         events[GRAZE_EVENT_BEGIN], events[GRAZE_EVENT_STAY], events[GRAZE_EVENT_END], possible,
         100 * (double)pairs / (double)asked);
  assert_true(events[GRAZE_EVENT_BEGIN] >= 8 && events[GRAZE_EVENT_END] > 0);
  assert_true(pairs < asked / 2);
  assert_true(100 * possible <= events[GRAZE_EVENT_BEGIN]);
  world_free(&w);
}

TEST(test_reported) {
  for (int i = 0; i < REPORTED; i++) run_reported(&reported[i], tiered(40, 80, 1500));
}

/* ---- Responses */

static const world_kind answered[] = {
    {.name = "stop", .dim = 3, .speed = 3, .halfspaces = true, .response = GRAZE_RESPONSE_STOP},
    {.name = "slide", .dim = 3, .speed = 3, .halfspaces = true, .response = GRAZE_RESPONSE_SLIDE},
    {.name = "bounce", .dim = 3, .speed = 3, .halfspaces = true, .response = GRAZE_RESPONSE_BOUNCE},
    {.name = "bounce, turning", .dim = 3, .speed = 3, .spin = 3, .halfspaces = true, .response = GRAZE_RESPONSE_BOUNCE},
    {.name = "bounce, fast",
     .dim = 3,
     .speed = 100,
     .boxes = true,
     .halfspaces = true,
     .response = GRAZE_RESPONSE_BOUNCE},
    {.name = "slide, 2D", .dim = 2, .speed = 3, .halfspaces = true, .response = GRAZE_RESPONSE_SLIDE},
    {.name = "bounce, 2D, turning",
     .dim = 2,
     .speed = 3,
     .spin = 3,
     .halfspaces = true,
     .response = GRAZE_RESPONSE_BOUNCE},
    {.name = "bounce, 1:1000",
     .dim = 3,
     .speed = 3,
     .boxes = true,
     .sizes = true,
     .half = 1,
     .halfspaces = true,
     .response = GRAZE_RESPONSE_BOUNCE},
    {.name = "slide, 1e5 away",
     .dim = 3,
     .speed = 3,
     .boxes = true,
     .halfspaces = true,
     .offset = 1e5,
     .response = GRAZE_RESPONSE_SLIDE},
    {.name = "bounce, masses 1:1e24",
     .dim = 3,
     .speed = 3,
     .halfspaces = true,
     .decades = 12,
     .response = GRAZE_RESPONSE_BOUNCE},
    {.name = "slide, masses 1:1e24",
     .dim = 2,
     .speed = 3,
     .spin = 2,
     .halfspaces = true,
     .decades = 12,
     .response = GRAZE_RESPONSE_SLIDE},
    {.name = "bounce, skin 2^-30",
     .dim = 3,
     .speed = 3,
     .halfspaces = true,
     .skin = 0x1p-30,
     .response = GRAZE_RESPONSE_BOUNCE},
    {.name = "slide, skin 0.02",
     .dim = 3,
     .speed = 3,
     .spin = 3,
     .halfspaces = true,
     .skin = 0.02,
     .response = GRAZE_RESPONSE_SLIDE},
    {.name = "bounce, points",
     .dim = 3,
     .speed = 3,
     .halfspaces = true,
     .points = true,
     .half = 2,
     .response = GRAZE_RESPONSE_BOUNCE},
    {.name = "slide, points, 2D",
     .dim = 2,
     .speed = 3,
     .halfspaces = true,
     .points = true,
     .half = 4,
     .response = GRAZE_RESPONSE_SLIDE},
    {.name = "bounce, compounds",
     .dim = 3,
     .speed = 3,
     .spin = 1,
     .halfspaces = true,
     .compounds = true,
     .half = 10,
     .response = GRAZE_RESPONSE_BOUNCE},
    {.name = "slide, flush",
     .dim = 3,
     .speed = 3,
     .spin = 3,
     .half = 15,
     .halfspaces = true,
     .compounds = true,
     .flush = true,
     .response = GRAZE_RESPONSE_SLIDE},
    {.name = "bounce, flush, 2D",
     .dim = 2,
     .speed = 3,
     .spin = 3,
     .half = 15,
     .halfspaces = true,
     .compounds = true,
     .flush = true,
     .response = GRAZE_RESPONSE_BOUNCE},
    {.name = "stop, flush",
     .dim = 3,
     .speed = 3,
     .spin = 3,
     .half = 15,
     .halfspaces = true,
     .compounds = true,
     .flush = true,
     .response = GRAZE_RESPONSE_STOP},
    {.name = "bounce, masks",
     .dim = 3,
     .speed = 3,
     .halfspaces = true,
     .masks = true,
     .response = GRAZE_RESPONSE_BOUNCE},
};
enum { ANSWERED = sizeof answered / sizeof *answered };

static bool yields(const graze_body_def *b) { return b->type == GRAZE_DYNAMIC && b->response != GRAZE_RESPONSE_NONE; }

/* Does either respond to the other? */
static bool respond(const graze_body_def *a, const graze_body_def *b) {
  return naive_is_pair(a, b) && !a->sensor && !b->sensor && (yields(a) || yields(b));
}

/* By distance, not by the solver: pairs that respond, of which the distance is not surely 0 or more. Those that were
 * free once must never be there again. *overlapping: those that are so beyond doubt. */
static size_t look(const world *w, bool allowed[WORLD_MOST][WORLD_MOST], size_t *overlapping) {
  size_t count = 0;
  *overlapping = 0;
  for (int i = 0; i < w->count; i++)
    for (int j = i + 1; j < w->count; j++) {
      const graze_body_def a = world_body(w, i), b = world_body(w, j);
      const graze_placed *of_a = graze_scene_placed(w->scene, w->body[i]);
      const graze_placed *of_b = graze_scene_placed(w->scene, w->body[j]);
      graze_answer x;
      if (!respond(&a, &b)) continue;
      assert_int_equal(graze_distance(of_a, of_b, NULL, &x), GRAZE_OK);
      const bool overlap = !(x.distance >= 0 && x.lower >= 0);
      if (!overlap) allowed[i][j] = false;
      if (overlap && !allowed[i][j]) fail_msg("bodies %d and %d overlap by %g", i, j, -x.distance);
      count += overlap;
      *overlapping += x.relation == GRAZE_OVERLAPPING;
    }
  return count;
}

static void stays_in_room(const world *w, const world_kind *kind) {
  for (int i = 0; i < w->count; i++) {
    const graze_body_def b = world_body(w, i);
    graze_aabb box;
    if (!yields(&b) || b.sensor) continue;
    assert_int_equal(graze_bounds(graze_scene_placed(w->scene, w->body[i]), &box), GRAZE_OK);
    const graze_vec p = {(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2, (box.min.z + box.max.z) / 2};
    const double far = fmax(fabs(p.x - kind->offset), fmax(fabs(p.y), fabs(p.z)));
    if (far > w->half + 1.5) fail_msg("%s: body %d is %g from the middle", kind->name, i, far);
  }
}

static void run_answered(const world_kind *kind, int steps) {
  static world w;
  static bool allowed[WORLD_MOST][WORLD_MOST];
  rng random = {1};
  size_t responses = 0, stalled = 0, begun = 0, possible = 0, first, last = 0, overlapping;
  for (int i = 0; i < WORLD_MOST; i++)
    for (int j = 0; j < WORLD_MOST; j++) allowed[i][j] = true;
  world_make(&w, &random, kind, 40, NULL);
  first = look(&w, allowed, &overlapping);
  for (int k = 0; k < steps; k++) {
    graze_step s;
    assert_int_equal(graze_scene_step(w.scene, 1 / 60.0, &s), GRAZE_OK);
    responses += s.responses, stalled += s.stalled;
    for (size_t i = 0; i < s.event_count; i++) {
      begun += s.events[i].kind == GRAZE_EVENT_BEGIN;
      possible += s.events[i].result == GRAZE_POSSIBLE;
    }
    last = look(&w, allowed, &overlapping);
    assert_int_equal(s.overlaps, overlapping);
    stays_in_room(&w, kind);
  }
  printf("%-20s %6zu responses, %5zu waits, %4zu begin, %zu possible, overlaps %zu at first, %zu at last\n", kind->name,
         responses, stalled, begun, possible, first, last);
  assert_true(responses >= 5);
  assert_true(last <= first);
  assert_true(100 * possible <= begun);
  world_free(&w);
}

TEST(test_answered) {
  for (int i = 0; i < ANSWERED; i++) run_answered(&answered[i], tiered(60, 120, 3000));
}
