/* Random scenes. Without responses a scene reports the same events, to the last bit, as a scene that queries every
 * pair. With responses no two responding bodies overlap that did not at first, by distance; and none leaves a closed
 * room, at any speed.
 *
 * GRAZE_TIER: test, ci, soak: 40, 80 and 1500 steps. The seed is 1. */
#include "support/test.h"
#include "scene/make.h"
#include "scene/naive.h"
#include "support/compounds.h"
#include "support/families.h"
#include "support/geometry.h"
#include "support/shapes.h"

/* ---- Random scenes */

enum { WORLD_MOST = 128, WORLD_COMPOUNDS = 4 };

/* The kind of a random scene. */
typedef struct world_kind {
  const char *name;
  int dim;
  double half;  /* bodies are in the cube of this half edge; 0: chosen by their number */
  double speed; /* the largest coordinate of a velocity */
  double spin;
  bool boxes;      /* only boxes */
  bool sizes;      /* 1:1000 */
  bool halfspaces; /* six (2D: four) walls */
  graze_response response;
  double offset;  /* the distance from the origin */
  bool compounds; /* a third of the bodies */
  bool points;    /* every other body: no size, and no skin of its own */
  bool masks;     /* masks exclude some pairs */
  double decades; /* masses are 10^±m */
  double skin;    /* 0: the default */
  bool flush;     /* two of three start in contact with the body before, or nearly */
} world_kind;

typedef struct world {
  graze_scene *scene;
  int count;
  graze_body body[WORLD_MOST];
  graze_vec vertices[WORLD_MOST][PAIR_VERTICES];
  compound_fixture compound[WORLD_COMPOUNDS];
  double half;
} world;

static graze_body_def world_body(const world *w, int index) {
  graze_body_def def;
  assert_int_equal(graze_scene_get(w->scene, w->body[index], &def), GRAZE_OK);
  return def;
}

static graze_shape world_shape(const world *w, rng *random, const world_kind *kind, graze_vec *vertices) {
  graze_vec e = {rng_uniform(random, 0.1, 0.6), rng_uniform(random, 0.1, 0.6), rng_uniform(random, 0.1, 0.6)};
  double size = kind->sizes ? ldexp(1, -rng_between(random, 0, 10)) : 1;
  if (kind->points && rng_coin(random)) return point_of(kind->dim);
  if (kind->compounds && rng_below(random, 3) == 0)
    return graze_compound_shape(w->compound[rng_below(random, WORLD_COMPOUNDS)].compound);
  if (!kind->boxes && rng_coin(random)) return random_shape(random, kind->dim, vertices);
  return box_of(kind->dim, size * e.x, size * e.y, size * e.z);
}

static void world_add(world *w, const graze_body_def *def) {
  assert_true(w->count < WORLD_MOST);
  w->body[w->count++] = add_def(w->scene, def);
}

/* Moves a body to the last one, along a line or its own direction: they touch, are a rounding apart or inside each
 * other, or count as in contact by their margins. A third of them get the same motion. */
static void world_place_flush(const world *w, rng *random, const world_kind *kind, graze_body_def *def) {
  static const double gaps[] = {0, 0, 1e-9, -1e-9, 1e-7, 0.03};
  const graze_body_def last = world_body(w, w->count - 1);
  const graze_placed other = graze_place(&last.shape, last.pose);
  const graze_body_def before = *def;
  const graze_vec away = rng_vec(random, kind->dim, 1), direction = scaled(-1 / norm(away), away);
  const graze_motion motion = {direction, {0, 0, 0}};
  graze_cast_result result;
  if (rng_coin(random)) {
    const graze_vec p = def->pose.position;
    def->pose = last.pose;
    def->pose.position = p;
  }
  def->pose.position = add_scaled(last.pose.position, -30, direction);
  const graze_placed placed = graze_place(&def->shape, def->pose);
  assert_int_equal(graze_cast(&placed, &motion, &other, NULL, 60, NULL, &result), GRAZE_OK);
  if (result.outcome == GRAZE_CLEAR) {
    *def = before;
    return;
  }
  const double distance = result.t - gaps[rng_below(random, 6)];
  def->pose.position = add_scaled(def->pose.position, distance, direction);
  const graze_vec q = def->pose.position;
  if (fmax(fabs(q.x - kind->offset), fmax(fabs(q.y), fabs(q.z))) > w->half) *def = before; /* stay in the box */
  if (rng_below(random, 3) == 0) def->motion = last.motion;
}

static void world_add_body(world *w, rng *random, const world_kind *kind) {
  graze_body_def def = passive_body();
  def.shape = world_shape(w, random, kind, w->vertices[w->count]);
  def.pose = random_pose(random, kind->dim, w->half);
  def.pose.position.x += kind->offset;
  def.motion.velocity = rng_vec(random, kind->dim, kind->speed);
  def.motion.angular = rng_vec(random, 3, kind->spin);
  if (kind->dim == 2) def.motion.angular.x = def.motion.angular.y = 0;
  def.response = kind->response;
  def.mass =
      kind->decades > 0 ? pow(10, rng_uniform(random, -kind->decades, kind->decades)) : rng_uniform(random, 0.5, 2);
  if (kind->masks) def.category = 1u << rng_below(random, 3), def.mask = (uint64_t)rng_between(random, 3, 7);
  def.bounce = rng_uniform(random, 0, 1);
  switch (rng_below(random, 12)) {
  case 0:
    def.type = GRAZE_STATIC;
    memset(&def.motion, 0, sizeof def.motion);
    break;
  case 1: def.type = GRAZE_KINEMATIC; break;
  case 2: def.sensor = true; break;
  case 3: def.margin = 0.125; break;
  default: break;
  }
  if (kind->flush && w->count > 0 && def.type != GRAZE_STATIC && rng_below(random, 3) > 0)
    world_place_flush(w, random, kind, &def);
  world_add(w, &def);
}

static void world_add_walls(world *w, const world_kind *kind) {
  for (int i = 0; i < 2 * kind->dim; i++) {
    graze_body_def def = passive_body();
    double n[3] = {0, 0, 0};
    n[i / 2] = i % 2 ? -1 : 1;
    def.type = GRAZE_STATIC;
    def.shape = halfspace_of(kind->dim, vec(n[0], n[1], n[2]), -w->half - 1.5);
    def.pose = graze_pose_at(kind->offset, 0, 0);
    def.category = 7;
    world_add(w, &def);
  }
}

/* Walls are the last bodies. */
static void world_make(world *w, rng *random, const world_kind *kind, int count) {
  memset(w, 0, sizeof *w);
  w->half = kind->half > 0 ? kind->half : 0.5 * (kind->dim == 2 ? sqrt(count / 0.25) : cbrt(count / 0.2));
  w->scene = make_scene(kind->dim, kind->skin, NULL);
  rng parts = {7};
  for (int i = 0; i < WORLD_COMPOUNDS && kind->compounds; i++)
    random_compound(&parts, kind->dim, 2 + i, false, &w->compound[i]);
  for (int i = 0; i < count; i++) world_add_body(w, random, kind);
  if (kind->halfspaces) world_add_walls(w, kind);
}

static void world_free(world *w) {
  graze_scene_destroy(w->scene);
  for (int i = 0; i < WORLD_COMPOUNDS; i++) graze_compound_destroy(w->compound[i].compound);
}

/* Bodies whose centre is outside the cube reverse their velocity. */
static void world_turn_round(world *w) {
  for (int i = 0; i < w->count; i++) {
    graze_body_def def = world_body(w, i);
    const double p[3] = {def.pose.position.x, def.pose.position.y, def.pose.position.z};
    double v[3] = {def.motion.velocity.x, def.motion.velocity.y, def.motion.velocity.z};
    for (int k = 0; k < 3; k++)
      if (fabs(p[k]) > w->half && p[k] * v[k] > 0) v[k] = -v[k];
    def.motion.velocity = (graze_vec){v[0], v[1], v[2]};
    assert_int_equal(graze_scene_set_motion(w->scene, w->body[i], &def.motion, NULL), GRAZE_OK);
  }
}

/* ---- The naive scene: queries of every pair */

/* The state of a naive scene: poses, motions, and contacts. */
typedef struct naive {
  int count;
  graze_body_def body[WORLD_MOST];
  bool contact[WORLD_MOST][WORLD_MOST];
  graze_event event[4 * WORLD_MOST * WORLD_MOST]; /* of the last step, in the order of a scene */
  size_t event_count;
} naive;

static void naive_update_motions(naive *n, const world *w) {
  for (int i = 0; i < n->count; i++) n->body[i].motion = world_body(w, i).motion;
}

/* Starts with the state of the scene, without contacts. Slots are in the order of bodies. */
static void naive_update(naive *n, const world *w) {
  memset(n, 0, sizeof *n);
  n->count = w->count;
  for (int i = 0; i < n->count; i++) n->body[i] = world_body(w, i);
}

static graze_placed naive_at(const graze_body_def *def, double t) {
  return graze_place(&def->shape, t > 0 ? graze_pose_after(&def->pose, &def->motion, t) : def->pose);
}

static bool naive_moves(const graze_body_def *b, double dt) {
  return dt > 0 && size1(b->motion.velocity) + size1(b->motion.angular) != 0;
}

static bool naive_meets(const graze_body_def *a, const graze_body_def *b, double t) {
  graze_answer answer;
  graze_options options = graze_default_options();
  const graze_placed at_a = naive_at(a, t), at_b = naive_at(b, t);
  options.clearance = a->margin + b->margin;
  assert_int_equal(graze_intersect(&at_a, &at_b, &options, &answer), GRAZE_OK);
  return answer.relation != GRAZE_SEPARATED;
}

static graze_event *naive_event(naive *n, const world *w, graze_event_kind kind, int i, int j) {
  graze_event *e = &n->event[n->event_count++];
  memset(e, 0, sizeof *e);
  e->kind = kind;
  e->a = w->body[i], e->b = w->body[j];
  e->outcome = GRAZE_HIT;
  e->point = e->normal = (graze_vec){NAN, NAN, NAN};
  return e;
}

/* They are in contact where they are. */
static void naive_contact(const graze_placed *a, const graze_placed *b, graze_event *e) {
  graze_answer x;
  assert_int_equal(graze_distance(a, b, NULL, &x), GRAZE_OK);
  e->point = scaled(0.5, add(x.point_a, x.point_b));
  e->normal = x.normal;
  e->part_a = x.part_a, e->part_b = x.part_b;
}

/* Equal velocities without spin: only rounding at the end of the step can make a contact. */
static bool naive_meets_by_rounding(const graze_body_def *a, const graze_body_def *b, double dt, graze_event *e) {
  const graze_placed end_a = naive_at(a, dt), end_b = naive_at(b, dt);
  if (size1(a->motion.angular) + size1(b->motion.angular) != 0 || !naive_meets(a, b, dt)) return false;
  if (size1(sub(a->motion.velocity, b->motion.velocity)) != 0) return false;
  e->t_lower = e->t_upper = dt;
  naive_contact(&end_a, &end_b, e);
  return true;
}

/* Sets time and place of a contact. Returns false if there is none. */
static bool naive_begin(const graze_body_def *a, const graze_body_def *b, double dt, graze_event *e) {
  const graze_placed at_a = naive_at(a, 0), at_b = naive_at(b, 0);
  graze_cast_result result = {.outcome = GRAZE_CLEAR};
  graze_cast_options options = graze_default_cast_options();
  const bool still = !naive_moves(a, dt) && !naive_moves(b, dt);
  options.clearance = a->margin + b->margin;
  if (!still) assert_int_equal(graze_cast(&at_a, &a->motion, &at_b, &b->motion, dt, &options, &result), GRAZE_OK);
  if (result.outcome != GRAZE_CLEAR) {
    e->outcome = result.outcome, e->t_lower = result.t_lower, e->t_upper = result.t_upper;
    e->point = result.point, e->normal = result.normal;
    e->part_a = result.part_a, e->part_b = result.part_b;
    return true;
  }
  const bool met = still ? naive_meets(a, b, 0) : result.start_relation != GRAZE_SEPARATED;
  if (met) naive_contact(&at_a, &at_b, e);
  return met || naive_meets_by_rounding(a, b, dt, e);
}

static void naive_pair(naive *n, const world *w, int i, int j, double dt) {
  const graze_body_def *a = &n->body[i], *b = &n->body[j];
  const bool was = n->contact[i][j], meets = naive_meets(a, b, dt);
  const size_t count = n->event_count;
  bool met = false;
  if (!was) {
    met = naive_begin(a, b, dt, naive_event(n, w, GRAZE_EVENT_BEGIN, i, j));
    if (!met) n->event_count = count;
  }
  if (was && meets) (void)naive_event(n, w, GRAZE_EVENT_STAY, i, j);
  if ((was || met) && !meets) (void)naive_event(n, w, GRAZE_EVENT_END, i, j);
  n->contact[i][j] = (was || met) && meets;
}

static void naive_step(naive *n, const world *w, double dt) {
  n->event_count = 0;
  for (int i = 0; i < n->count; i++)
    for (int j = i + 1; j < n->count; j++)
      if (naive_is_pair(&n->body[i], &n->body[j])) naive_pair(n, w, i, j, dt);
  for (int i = 0; i < n->count; i++) n->body[i].pose = naive_at(&n->body[i], dt).pose;
}

/* ---- Events */

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

/* Bit by bit; NaNs are equal. */
static bool same_place(graze_vec p, graze_vec q) { return same_vec(p, q) || (p.x != p.x && q.x != q.x); }

static bool same_event(const graze_event *e, const graze_event *f) {
  return e->kind == f->kind && e->a.slot == f->a.slot && e->b.slot == f->b.slot && e->outcome == f->outcome &&
         e->t_lower == f->t_lower && e->t_upper == f->t_upper && e->a.generation == f->a.generation &&
         e->b.generation == f->b.generation && same_place(e->point, f->point) && same_place(e->normal, f->normal) &&
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
  size_t events[4] = {0}, pairs = 0, queries = 0, possible = 0;
  world_make(&w, &random, kind, 60);
  naive_update(&n, &w);
  for (int k = 0; k < steps; k++) {
    graze_step s;
    const double dt = k % 10 == 9 ? 0 : 1 / 60.0;
    assert_int_equal(graze_scene_step(w.scene, dt, &s, NULL), GRAZE_OK);
    naive_step(&n, &w, dt);
    compare(kind->name, k, &s, &n);
    for (size_t i = 0; i < s.event_count; i++) {
      events[s.events[i].kind]++;
      possible += s.events[i].outcome == GRAZE_POSSIBLE;
    }
    pairs += s.pairs, queries += (size_t)(w.count * (w.count - 1) / 2);
    world_turn_round(&w);
    naive_update_motions(&n, &w);
  }
  printf("%-18s %6zu begin %6zu stay %6zu end, %zu possible; %5.2f %% of all pairs tested\n", kind->name,
         events[GRAZE_EVENT_BEGIN], events[GRAZE_EVENT_STAY], events[GRAZE_EVENT_END], possible,
         100 * (double)pairs / (double)queries);
  assert_true(events[GRAZE_EVENT_BEGIN] >= 8 && events[GRAZE_EVENT_END] > 0);
  assert_true(pairs < queries / 2);
  assert_true(100 * possible <= events[GRAZE_EVENT_BEGIN]);
  world_free(&w);
}

TEST(test_reported) {
  for (size_t i = 0; i < COUNT(reported); i++) run_reported(&reported[i], tiered(40, 80, 1500));
}

/* ---- Responses */

/* All of them between walls; with a speed of 3 where none is stated; those that start flush with compounds. */
static const world_kind answered[] = {
    {.name = "stop", .dim = 3, .response = GRAZE_RESPONSE_STOP},
    {.name = "slide", .dim = 3, .response = GRAZE_RESPONSE_SLIDE},
    {.name = "bounce", .dim = 3, .response = GRAZE_RESPONSE_BOUNCE},
    {.name = "bounce, turning", .dim = 3, .response = GRAZE_RESPONSE_BOUNCE, .spin = 3},
    {.name = "bounce, fast", .dim = 3, .response = GRAZE_RESPONSE_BOUNCE, .speed = 100, .boxes = true},
    {.name = "slide, 2D", .dim = 2, .response = GRAZE_RESPONSE_SLIDE},
    {.name = "bounce, 2D, turning", .dim = 2, .response = GRAZE_RESPONSE_BOUNCE, .spin = 3},
    {.name = "bounce, 1:1000", .dim = 3, .response = GRAZE_RESPONSE_BOUNCE, .boxes = true, .sizes = true, .half = 1},
    {.name = "slide, 1e5 away", .dim = 3, .response = GRAZE_RESPONSE_SLIDE, .boxes = true, .offset = 1e5},
    {.name = "bounce, masses 1:1e24", .dim = 3, .response = GRAZE_RESPONSE_BOUNCE, .decades = 12},
    {.name = "slide, masses 1:1e24", .dim = 2, .response = GRAZE_RESPONSE_SLIDE, .spin = 2, .decades = 12},
    {.name = "bounce, skin 2^-30", .dim = 3, .response = GRAZE_RESPONSE_BOUNCE, .skin = 0x1p-30},
    {.name = "slide, skin 0.02", .dim = 3, .response = GRAZE_RESPONSE_SLIDE, .spin = 3, .skin = 0.02},
    {.name = "bounce, points", .dim = 3, .response = GRAZE_RESPONSE_BOUNCE, .points = true, .half = 2},
    {.name = "slide, points, 2D", .dim = 2, .response = GRAZE_RESPONSE_SLIDE, .points = true, .half = 4},
    {.name = "bounce, compounds",
     .dim = 3,
     .response = GRAZE_RESPONSE_BOUNCE,
     .spin = 1,
     .compounds = true,
     .half = 10},
    {.name = "slide, flush", .dim = 3, .response = GRAZE_RESPONSE_SLIDE, .spin = 3, .flush = true},
    {.name = "bounce, flush, 2D", .dim = 2, .response = GRAZE_RESPONSE_BOUNCE, .spin = 3, .flush = true},
    {.name = "stop, flush", .dim = 3, .response = GRAZE_RESPONSE_STOP, .spin = 3, .flush = true},
    {.name = "bounce, masks", .dim = 3, .response = GRAZE_RESPONSE_BOUNCE, .masks = true},
};

static bool yields(const graze_body_def *b) { return b->type == GRAZE_DYNAMIC && b->response != GRAZE_RESPONSE_NONE; }

/* Returns whether one of the two responds to the other. */
static bool respond(const graze_body_def *a, const graze_body_def *b) {
  return naive_is_pair(a, b) && !a->sensor && !b->sensor && (yields(a) || yields(b));
}

/* Counts responding pairs whose distance may be negative, by graze_distance(). Pairs that did not overlap once must
 * never do so. *overlapping: those that overlap for certain. */
static size_t test_pair(const world *w, bool allowed[WORLD_MOST][WORLD_MOST], size_t *overlapping) {
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

static void stays_inside(const world *w, const world_kind *kind) {
  for (int i = 0; i < w->count; i++) {
    const graze_body_def b = world_body(w, i);
    graze_aabb box;
    if (!yields(&b) || b.sensor) continue;
    assert_int_equal(graze_bounds(graze_scene_placed(w->scene, w->body[i]), &box), GRAZE_OK);
    const graze_vec p = {(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2, (box.min.z + box.max.z) / 2};
    const double distance = fmax(fabs(p.x - kind->offset), fmax(fabs(p.y), fabs(p.z)));
    if (distance > w->half + 1.5) fail_msg("%s: body %d is %g from the middle", kind->name, i, distance);
  }
}

static void run_answered(world_kind kind, int steps) {
  static world w;
  static bool allowed[WORLD_MOST][WORLD_MOST];
  rng random = {1};
  size_t responses = 0, stalled = 0, begun = 0, possible = 0, first, last = 0, overlapping;
  memset(allowed, true, sizeof allowed);
  kind.halfspaces = true;
  if (kind.speed == 0) kind.speed = 3;
  if (kind.flush) kind.half = 15, kind.compounds = true;
  world_make(&w, &random, &kind, 40);
  first = test_pair(&w, allowed, &overlapping);
  for (int k = 0; k < steps; k++) {
    graze_step s;
    assert_int_equal(graze_scene_step(w.scene, 1 / 60.0, &s, NULL), GRAZE_OK);
    responses += s.responses, stalled += s.stalled;
    for (size_t i = 0; i < s.event_count; i++) {
      begun += s.events[i].kind == GRAZE_EVENT_BEGIN;
      possible += s.events[i].outcome == GRAZE_POSSIBLE;
    }
    last = test_pair(&w, allowed, &overlapping);
    assert_int_equal(s.overlaps, overlapping);
    stays_inside(&w, &kind);
  }
  printf("%-20s %6zu responses, %5zu stalled, %4zu begin, %zu possible, overlaps %zu at first, %zu at last\n",
         kind.name, responses, stalled, begun, possible, first, last);
  assert_true(responses >= 5);
  assert_true(last <= first);
  assert_true(100 * possible <= begun);
  world_free(&w);
}

TEST(test_answered) {
  for (size_t i = 0; i < COUNT(answered); i++) run_answered(answered[i], tiered(60, 120, 3000));
}
