/* A long random run: bodies are added, removed and changed at random, in scenes that step, answer queries, are saved
 * and restored, and sometimes run out of memory. A plain list holds the expected state. Ids of removed bodies are never
 * accepted. Events of every pair are consistent; where nothing responds they are those of graze_cast(). Memory is
 * bounded and all freed. Each test states its seeds.
 *
 * GRAZE_TIER: test, ci, soak: the rounds in ROUNDS. A round is about six changes, a step and a query. */

#include "support/test.h"
#include "scene/churn.h"
#include "scene/naive.h"
#include "scene/random_scene.h"
#include "scene/snapshot_format.h"
#include "scene/make.h"

#define ROUNDS tiered(160, 300, 80000)

/* The most memory of the second half of a run, as a multiple of that of the first half. */
#define BOUNDED 2

static churn c;

/* ---- Failing allocations */

/* The snapshot before a call that may fail. */
static unsigned char *before;
static size_t before_size;

static void may_fail(void) {
  before = save_scene(c.scene, &before_size);
  if (rng_below(&c.dice, 2) == 0) c.memory.fail_at = c.memory.calls + rng_below(&c.dice, 3);
}

/* Returns whether the call failed. Then nothing changed, and the next attempt does not fail. */
static bool has_failed(graze_status status) {
  const bool failed = status == GRAZE_OUT_OF_MEMORY;
  size_t size;
  c.memory.fail_at = -1;
  unsigned char *now = failed ? save_scene(c.scene, &size) : NULL;
  if (failed) assert_true(size == before_size && memcmp(now, before, size) == 0);
  free(now), free(before);
  return failed;
}

#define UNTIL_IT_WORKS(status, call)                                                                                   \
  do {                                                                                                                 \
    may_fail();                                                                                                        \
    (status) = (call);                                                                                                 \
  } while (has_failed(status))

/* ---- Changes */

static void add_one(void) {
  const size_t unused = c.now.slots - c.now.count - c.now.spent;
  if (unused == 0 && c.now.slots == CHURN_SLOTS) return;
  graze_vec vertices[CHURN_VERTICES];
  const graze_body_def def = random_body(&c.dice, &c.bodies, vertices);
  graze_body body;
  graze_status status;
  UNTIL_IT_WORKS(status, graze_scene_add(c.scene, &def, &body, NULL));
  assert_int_equal(status, GRAZE_OK);
  assert_true(unused > 0 ? body.slot < c.now.slots && !c.now.there[body.slot] : body.slot == c.now.slots);
  assert_true(body.generation == c.now.body[body.slot].generation + 1 && body.generation > 0);
  churn_insert(&c, body, &def);
  memset(vertices, 0xff, sizeof vertices); /* NaNs: the scene must not read them */
  c.tally.added++;
}

static void remove_one(void) {
  const size_t slot = churn_any_slot(&c);
  assert_int_equal(graze_scene_remove(c.scene, c.now.body[slot]), GRAZE_OK);
  churn_remove(&c, slot);
  c.tally.removed++;
}

static void set_all_of_it(void) {
  const size_t slot = churn_any_slot(&c);
  graze_vec vertices[CHURN_VERTICES];
  const graze_body_def def = random_body(&c.dice, &c.bodies, vertices);
  graze_status status;
  UNTIL_IT_WORKS(status, graze_scene_set(c.scene, c.now.body[slot], &def, NULL));
  assert_int_equal(status, GRAZE_OK);
  churn_insert(&c, c.now.body[slot], &def);
  memset(vertices, 0xff, sizeof vertices);
}

/* Changes one member of the current definition, with the vertices that the scene returns. */
static void set_one_member(void) {
  graze_body_def def;
  const size_t slot = churn_any_slot(&c);
  assert_int_equal(graze_scene_get(c.scene, c.now.body[slot], &def), GRAZE_OK);
  const bool plane = def.shape.kind == GRAZE_HALFSPACE;
  switch (rng_below(&c.dice, 9)) {
  case 0: def.category = 1u << rng_below(&c.dice, 3); break;
  case 1: def.mask = rng_below(&c.dice, 2) ? UINT64_MAX : (uint64_t)rng_below(&c.dice, 8); break;
  case 2: def.margin = rng_below(&c.dice, 2) ? 0 : rng_uniform(&c.dice, 0, 0.25); break;
  case 3: def.sensor = !def.sensor; break;
  case 4: def.type = (graze_body_type)(1 + rng_below(&c.dice, plane ? 2 : 3)); break;
  case 5: def.response = c.kind.responds ? (graze_response)rng_below(&c.dice, 4) : def.response; break;
  case 6: def.mass = rng_uniform(&c.dice, 0.5, 4); break;
  case 7: def.bounce = rng_uniform(&c.dice, 0, 1); break;
  default: def.shape.margin = rng_uniform(&c.dice, 0, 0.25); break;
  }
  if (def.type == GRAZE_STATIC) def.motion = (graze_motion){{0, 0, 0}, {0, 0, 0}};
  assert_int_equal(graze_scene_set(c.scene, c.now.body[slot], &def, NULL), GRAZE_OK);
  churn_insert(&c, c.now.body[slot], &def);
}

static void set_pose(void) {
  const size_t slot = churn_any_slot(&c);
  const graze_pose pose = random_grid_pose(&c.dice, c.kind.dim, c.kind.spread);
  assert_int_equal(graze_scene_set_pose(c.scene, c.now.body[slot], pose, NULL), GRAZE_OK);
  c.now.def[slot].pose = pose;
}

static void set_motion(void) {
  const size_t slot = churn_any_slot(&c);
  graze_body_def *def = &c.now.def[slot];
  const graze_motion motion = random_motion(&c.dice, c.kind.dim, def->shape.kind != GRAZE_HALFSPACE);
  const bool good = def->type != GRAZE_STATIC;
  assert_int_equal(graze_scene_set_motion(c.scene, c.now.body[slot], &motion, NULL),
                   good ? GRAZE_OK : GRAZE_BAD_OPTION);
  if (good) def->motion = motion;
  c.tally.bad += !good;
}

static void set_badly(void) {
  const size_t slot = churn_any_slot(&c);
  graze_body_def def = churn_def(&c.now, slot);
  graze_body body = {77, 77};
  graze_error error;
  switch (rng_below(&c.dice, 4)) {
  case 0: def.mass = -1; break;
  case 1: def.pose.position.y = NAN; break;
  case 2: def.shape = c.kind.dim == 2 ? graze_sphere(1) : graze_circle(1); break;
  default: def.type = (graze_body_type)7; break;
  }
  const graze_status status = graze_scene_set(c.scene, c.now.body[slot], &def, &error);
  assert_true(status != GRAZE_OK && status == error.status);
  assert_int_equal(graze_scene_add(c.scene, &def, &body, NULL), status);
  assert_true(body.slot == 77 && body.generation == 77);
  c.tally.bad++;
}

static graze_collision_response choose_any(void *context, graze_body moved, graze_body other) {
  const size_t *slot = context;
  assert_true(churn_is_live(&c, moved) && moved.slot == *slot && churn_is_live(&c, other) && other.slot != moved.slot);
  return (graze_collision_response)((other.slot * 7 + other.generation) % 5);
}

static void move_one(void) {
  graze_collision met[8];
  graze_body_def def;
  graze_status status;
  size_t count = 0, slot = churn_any_slot(&c);
  const graze_body body = c.now.body[slot];
  const graze_motion motion = random_motion(&c.dice, c.kind.dim, c.now.def[slot].shape.kind != GRAZE_HALFSPACE);
  UNTIL_IT_WORKS(status, graze_scene_move(c.scene, body, &motion, choose_any, &slot, met, 8, &count, NULL));
  const bool still = c.now.def[slot].type == GRAZE_STATIC;
  assert_int_equal(status, still ? GRAZE_BAD_OPTION : GRAZE_OK);
  for (size_t i = 0; i < count && i < 8; i++) {
    assert_true(churn_is_live(&c, met[i].other) && met[i].other.slot != slot);
    assert_true(met[i].t >= (i > 0 ? met[i - 1].t : 0) && met[i].t <= 1);
  }
  assert_int_equal(graze_scene_get(c.scene, body, &def), GRAZE_OK);
  if (!still) c.now.def[slot].pose = def.pose;
  churn_expect_all(&c);
  c.tally.moved += !still;
}

static void change_any(void) {
  static void (*const changes[])(void) = {set_all_of_it, set_one_member, set_one_member, set_pose,
                                          set_pose,      set_motion,     set_motion,     set_badly};
  const int what = rng_below(&c.dice, 16), off = c.target - (int)c.now.count;
  if (c.now.count == 0 || (off > 0 && what < 8) || (off <= 0 && what < 4)) {
    if (c.now.count < (size_t)c.kind.most) add_one();
  } else if (what < 8) {
    remove_one();
  } else {
    changes[what - 8]();
    c.tally.changed++;
  }
}

/* ---- Steps */

/* The list at the start of the step; pairs with a BEGIN event; pairs with any event. */
static churn_list was;
static bool begun[CHURN_SLOTS][CHURN_SLOTS], reported[CHURN_SLOTS][CHURN_SLOTS];

static bool is_before(const graze_event *p, const graze_event *q) {
  if (p->a.slot != q->a.slot) return p->a.slot < q->a.slot;
  return p->b.slot != q->b.slot ? p->b.slot < q->b.slot : p->kind < q->kind;
}

static void update_event(const graze_event *e, double dt) {
  const size_t low = e->a.slot, high = e->b.slot;
  assert_true(churn_is_live(&c, e->a) && churn_is_live(&c, e->b) && low < high);
  bool *met = &c.now.met[low][high];
  assert_true(*met == (e->kind != GRAZE_EVENT_BEGIN));
  assert_true(e->kind != GRAZE_EVENT_STAY || was.met[low][high]);
  assert_true(e->t_lower >= 0 && e->t_lower <= e->t_upper && e->t_upper <= dt);
  assert_true(e->outcome == GRAZE_HIT || (e->kind == GRAZE_EVENT_BEGIN && e->outcome == GRAZE_POSSIBLE));
  *met = e->kind != GRAZE_EVENT_END;
  begun[low][high] |= e->kind == GRAZE_EVENT_BEGIN;
  reported[low][high] = true;
  c.tally.begun += e->kind == GRAZE_EVENT_BEGIN;
  c.tally.stayed += e->kind == GRAZE_EVENT_STAY;
  c.tally.ended += e->kind == GRAZE_EVENT_END;
}

static void update_contacts(const graze_step *step, double dt) {
  memset(begun, 0, sizeof begun), memset(reported, 0, sizeof reported);
  for (size_t i = 0; i < step->event_count; i++) {
    assert_true(i == 0 || is_before(&step->events[i - 1], &step->events[i]));
    update_event(&step->events[i], dt);
  }
  for (size_t low = 0; low < c.now.slots; low++)
    for (size_t high = low + 1; high < c.now.slots; high++) {
      assert_true(reported[low][high] || !was.met[low][high]);
      c.tally.in_contact += c.now.met[low][high];
    }
  c.tally.pairs += c.now.count * (c.now.count - (c.now.count > 0)) / 2;
}

static bool responds(const graze_body_def *def) {
  return def->type == GRAZE_DYNAMIC && def->response != GRAZE_RESPONSE_NONE && !def->sensor;
}

/* Returns whether the scene may have stopped the body. A kinematic body keeps its motion; a responding body may have
 * lost it. */
static bool is_believed(const graze_body_def *own, graze_motion motion) {
  const bool may_stop = c.kind.responds && own->type != GRAZE_STATIC && !own->sensor;
  return responds(own) || (may_stop && churn_same_motion(motion, own->motion));
}

/* Updates the poses. Bodies that nothing can stop follow their motion; for all others the pose of the scene is used.
 * straight: the body moved by its whole motion. */
static void update_poses(double dt, bool straight[CHURN_SLOTS]) {
  for (size_t i = 0; i < c.now.slots; i++) {
    graze_body_def def, *own = &c.now.def[i];
    if (!c.now.there[i]) continue;
    assert_int_equal(graze_scene_get(c.scene, c.now.body[i], &def), GRAZE_OK);
    const graze_motion m = own->motion, none = {{0, 0, 0}, {0, 0, 0}};
    const bool moves = dt > 0 && !churn_same_motion(m, none), believed = is_believed(own, def.motion);
    const graze_pose end = moves ? graze_pose_after(&own->pose, &m, dt) : own->pose;
    straight[i] = churn_same_pose(def.pose, end) && churn_same_motion(def.motion, m);
    own->pose = believed ? def.pose : end;
    if (believed) own->motion = def.motion;
  }
}

/* Three bits: BEGIN, STAY, END. */
static unsigned naive_events(size_t low, size_t high, double dt) {
  const graze_body_def *a = &was.def[low], *b = &was.def[high];
  const graze_placed from_a = churn_placed(&was, low), from_b = churn_placed(&was, high),
                     to_a = churn_placed(&c.now, low), to_b = churn_placed(&c.now, high);
  const bool touched = was.met[low][high];
  graze_options options = graze_default_options();
  graze_cast_options motion_options = graze_default_cast_options();
  graze_cast_result result;
  graze_answer answer;
  if (!naive_is_pair(a, b)) return touched ? 4 : 0;
  options.clearance = motion_options.clearance = a->margin + b->margin;
  assert_int_equal(graze_cast(&from_a, &a->motion, &from_b, &b->motion, dt, &motion_options, &result), GRAZE_OK);
  assert_int_equal(graze_intersect(&to_a, &to_b, &options, &answer), GRAZE_OK);
  const bool meets = answer.relation != GRAZE_SEPARATED,
             met = touched || result.outcome != GRAZE_CLEAR || result.start_relation != GRAZE_SEPARATED;
  if (touched) return meets ? 2 : 4;
  return met ? (meets ? 1 : 5) : 0;
}

static void compare_events(double dt, const bool straight[CHURN_SLOTS]) {
  for (size_t low = 0; low < c.now.slots; low++)
    for (size_t high = low + 1; high < c.now.slots; high++) {
      if (!c.now.there[low] || !c.now.there[high] || !straight[low] || !straight[high]) continue;
      const graze_body_def *a = &was.def[low], *b = &was.def[high];
      if ((responds(a) || responds(b)) && !a->sensor && !b->sensor) continue; /* skins count as contact */
      const bool met = c.now.met[low][high], begins = begun[low][high], touched = was.met[low][high];
      const unsigned events = (begins ? 1u : 0) | (touched && met ? 2u : 0) | ((touched || begins) && !met ? 4u : 0);
      if (events != naive_events(low, high, dt))
        fail_msg("%s, round %zu: %zu and %zu: %u, not %u", c.kind.name, c.tally.rounds, low, high, events,
                 naive_events(low, high, dt));
      c.tally.compared++;
    }
}

static void step_once(bool compares) {
  static const double times[] = {0, 0.01, 0.05, 0.2};
  const double dt = times[rng_below(&c.dice, 4)];
  bool straight[CHURN_SLOTS];
  graze_step step;
  graze_status status;
  was = c.now;
  UNTIL_IT_WORKS(status, graze_scene_step(c.scene, dt, &step, NULL));
  assert_int_equal(status, GRAZE_OK);
  update_contacts(&step, dt);
  update_poses(dt, straight);
  churn_expect_all(&c);
  if (compares) compare_events(dt, straight);
  c.tally.responses += step.responses;
}

/* A body would leave the range of coordinates: the step is rejected, and nothing changes. Only without responses,
 * which may stop the body. */
static void step_out_of_range(void) {
  const size_t slot = churn_any_slot(&c);
  const graze_motion fast = {{1e30, 0, 0}, {0, 0, 0}}, motion = c.now.def[slot].motion;
  if (c.now.def[slot].type == GRAZE_STATIC || c.kind.responds) return;
  assert_int_equal(graze_scene_set_motion(c.scene, c.now.body[slot], &fast, NULL), GRAZE_OK);
  c.now.def[slot].motion = fast;
  const graze_status status = graze_scene_step(c.scene, 1e30, NULL, NULL);
  assert_int_equal(status, GRAZE_BAD_NUMBER);
  churn_expect_all(&c);
  assert_int_equal(graze_scene_set_motion(c.scene, c.now.body[slot], &motion, NULL), GRAZE_OK);
  c.now.def[slot].motion = motion;
  c.tally.bad++;
}

/* ---- Queries */

static bool accept_odd(void *context, graze_body body) {
  (void)context;
  assert_true(churn_is_live(&c, body));
  return body.slot % 2 == 1;
}

/* An exception with an old id excludes nothing, since its slot may hold another body. */
static graze_filter any_filter(void) {
  graze_filter filter = graze_default_filter();
  filter.category = 1u << rng_below(&c.dice, 3);
  filter.sensors = rng_below(&c.dice, 2);
  if (rng_below(&c.dice, 2)) filter.accept = accept_odd;
  if (c.stale_count > 0) filter.except = c.stale[(size_t)rng_below(&c.dice, CHURN_STALE) % c.stale_count];
  if (c.now.count > 0 && rng_below(&c.dice, 2)) filter.except = c.now.body[churn_any_slot(&c)];
  return filter;
}

static bool counts(const graze_filter *filter, size_t slot) {
  const graze_body_def *def = &c.now.def[slot];
  const graze_body body = c.now.body[slot];
  if (!c.now.there[slot] || (filter->category & def->mask) == 0 || (def->category & filter->mask) == 0) return false;
  if (def->sensor && !filter->sensors) return false;
  if (filter->except.slot == slot && filter->except.generation == body.generation) return false;
  return filter->accept == NULL || slot % 2 == 1;
}

static graze_placed any_placed(graze_vec vertices[CHURN_VERTICES]) {
  const graze_shape shape = random_convex(&c.dice, c.kind.dim, true, vertices);
  return graze_place(&shape, random_grid_pose(&c.dice, c.kind.dim, c.kind.spread));
}

static void query_overlap(void) {
  graze_vec vertices[CHURN_VERTICES];
  graze_body results[CHURN_SLOTS];
  graze_answer answer;
  size_t count, at = 0;
  const graze_filter filter = any_filter();
  const graze_placed placed = any_placed(vertices);
  assert_int_equal(graze_scene_overlap(c.scene, &placed, &filter, results, CHURN_SLOTS, &count, NULL), GRAZE_OK);
  for (size_t i = 0; i < c.now.slots; i++) {
    if (!counts(&filter, i)) continue;
    const graze_placed other = churn_placed(&c.now, i);
    assert_int_equal(graze_intersect(&placed, &other, NULL, &answer), GRAZE_OK);
    if (answer.relation == GRAZE_SEPARATED) continue;
    assert_true(at < count && results[at].slot == i && churn_is_live(&c, results[at]));
    at++;
  }
  assert_int_equal(at, count);
}

/* The nearest body, and all bodies within a distance. */
static void query_within(void) {
  graze_vec vertices[CHURN_VERTICES];
  graze_neighbor near[CHURN_SLOTS], nearest;
  graze_answer answer;
  size_t count, first, at = 0;
  const double within = rng_uniform(&c.dice, 0, 3);
  const graze_filter filter = any_filter();
  const graze_placed placed = any_placed(vertices);
  assert_int_equal(graze_scene_within(c.scene, &placed, within, &filter, near, CHURN_SLOTS, &count, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_nearest(c.scene, &placed, within, &filter, &nearest, 1, &first, NULL), GRAZE_OK);
  assert_int_equal(first, count > 0);
  for (size_t i = 0; i < c.now.slots; i++) {
    const bool is = at < count && near[at].b.slot == i;
    if (is) assert_true(counts(&filter, i) && churn_is_live(&c, near[at].b));
    if (is) assert_true(churn_is_live(&c, nearest.b) && nearest.answer.distance <= near[at].answer.distance);
    at += is;
    if (!counts(&filter, i)) continue;
    const graze_placed other = churn_placed(&c.now, i);
    assert_int_equal(graze_distance(&placed, &other, NULL, &answer), GRAZE_OK);
    assert_true(is ? answer.lower <= within : answer.upper > within);
  }
  assert_int_equal(at, count);
}

static void query_raycast(void) {
  const graze_vec from = rng_vec(&c.dice, c.kind.dim, c.kind.spread), direction = rng_vec(&c.dice, c.kind.dim, 4);
  const graze_filter filter = any_filter();
  graze_cast_result result, other, first = {.t_lower = INFINITY};
  graze_body body;
  size_t slot = CHURN_SLOTS;
  assert_int_equal(graze_scene_raycast(c.scene, from, direction, 2, &filter, &body, &result, NULL), GRAZE_OK);
  for (size_t i = 0; i < c.now.slots; i++) {
    if (!counts(&filter, i)) continue;
    const graze_placed placed = churn_placed(&c.now, i);
    assert_int_equal(graze_raycast(&placed, from, direction, 2, NULL, &other), GRAZE_OK);
    if (other.outcome == GRAZE_CLEAR || other.t_lower > first.t_lower) continue;
    if (other.t_lower == first.t_lower && !(other.outcome == GRAZE_HIT && first.outcome == GRAZE_POSSIBLE)) continue;
    first = other, slot = i;
  }
  if (slot == CHURN_SLOTS)
    assert_int_equal(body.generation, 0);
  else
    assert_true(body.slot == slot && churn_is_live(&c, body) && result.t_lower == first.t_lower);
}

/* Pairs whose bounds meet, the nearest pairs, and a manifold of one of these. */
static void query_pairs(void) {
  static graze_body_pair pairs[CHURN_SLOTS * CHURN_SLOTS];
  graze_neighbor near[4];
  graze_contact contact[8];
  graze_answer answer, truth;
  size_t count, nearest, contacts;
  assert_int_equal(graze_scene_pairs(c.scene, pairs, CHURN_SLOTS * CHURN_SLOTS, &count), GRAZE_OK);
  for (size_t i = 0; i < count; i++)
    assert_true(churn_is_live(&c, pairs[i].a) && churn_is_live(&c, pairs[i].b) && pairs[i].a.slot < pairs[i].b.slot);
  assert_int_equal(graze_scene_closest_pairs(c.scene, 0.5, near, 4, &nearest, NULL), GRAZE_OK);
  assert_true(nearest <= 4);
  for (size_t i = 0; i < nearest; i++) {
    const graze_body a = near[i].a, b = near[i].b;
    assert_true(churn_is_live(&c, a) && churn_is_live(&c, b) && a.slot < b.slot);
    assert_true(i == 0 || near[i - 1].answer.distance <= near[i].answer.distance);
    const graze_placed p = churn_placed(&c.now, a.slot), q = churn_placed(&c.now, b.slot);
    assert_int_equal(graze_distance(&p, &q, NULL, &truth), GRAZE_OK);
    assert_true(near[i].answer.lower <= truth.upper && truth.lower <= near[i].answer.upper);
    const graze_status status = graze_scene_manifold(c.scene, a, b, NULL, &answer, contact, 8, &contacts);
    assert_true(status == GRAZE_OK && answer.relation == truth.relation);
  }
}

static void query_any(void) {
  static void (*const queries[])(void) = {query_overlap, query_within, query_raycast, query_pairs};
  queries[rng_below(&c.dice, 4)]();
  c.tally.queries++;
}

/* ---- Invalid ids */

static void expect_rejected(graze_body body) {
  const graze_motion motion = {{0, 0, 0}, {0, 0, 0}};
  const graze_body live = c.now.count > 0 ? c.now.body[churn_any_slot(&c)] : body;
  graze_body_def def = c.now.count > 0 ? churn_def(&c.now, live.slot) : passive_body();
  graze_error error;
  graze_answer answer;
  graze_contact contact;
  size_t count = 77;
  assert_null(graze_scene_placed(c.scene, body));
  assert_int_equal(graze_scene_set(c.scene, body, &def, &error), GRAZE_NO_BODY);
  assert_int_equal(error.status, GRAZE_NO_BODY);
  assert_int_equal(graze_scene_remove(c.scene, body), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_get(c.scene, body, &def), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_set_pose(c.scene, body, def.pose, NULL), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_set_motion(c.scene, body, &motion, NULL), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_move(c.scene, body, &motion, NULL, NULL, NULL, 0, &count, NULL), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_manifold(c.scene, body, live, NULL, &answer, &contact, 1, &count), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_manifold(c.scene, live, body, NULL, &answer, &contact, 1, &count), GRAZE_NO_BODY);
  assert_int_equal(count, 77);
  c.tally.rejected++;
}

/* Old ids, possible ids, and random numbers: only ids in the list are accepted. */
static void query_stale(void) {
  const size_t slot = (size_t)rng_below(&c.dice, CHURN_SLOTS);
  const uint32_t at = (uint32_t)slot, last = c.now.body[slot].generation;
  const graze_body forged[] = {{0, 0},
                               {at, 0},
                               {at, last + 1},
                               {at, last - 1},
                               {at, 1},
                               {at, UINT32_MAX},
                               {UINT32_MAX, last},
                               {at | 1u << 31, last},
                               {(uint32_t)rng_below(&c.dice, 1 << 30), (uint32_t)rng_below(&c.dice, 1 << 30)}};
  for (size_t i = 0; i < sizeof forged / sizeof *forged; i++)
    if (!churn_is_live(&c, forged[i])) expect_rejected(forged[i]);
  for (int i = 0; i < 16 && c.stale_count > 0; i++) {
    const graze_body body = c.stale[(size_t)rng_below(&c.dice, CHURN_STALE) % c.stale_count];
    if (!churn_is_live(&c, body)) expect_rejected(body);
  }
  churn_expect_all(&c);
}

/* ---- Snapshots */

static void keep(void) {
  free(c.bytes);
  c.bytes = save_scene(c.scene, &c.size);
  c.kept = c.now;
}

/* Returns whether all shapes that snapshots do not contain are in the scene. */
static bool can_go_back(void) {
  for (size_t i = 0; i < c.kept.slots; i++) {
    const graze_shape_kind kind = c.kept.def[i].shape.kind;
    if (!c.kept.there[i] || (kind != GRAZE_COMPOUND && kind != GRAZE_USER)) continue;
    if (!churn_is_live(&c, c.kept.body[i]) || c.now.def[i].shape.kind != kind) return false;
  }
  return true;
}

static void expect_saved(const unsigned char *bytes, size_t size) {
  size_t again_size;
  unsigned char *again = save_scene(c.scene, &again_size);
  assert_true(again_size == size && memcmp(again, bytes, size) == 0);
  free(again);
  churn_expect_all(&c);
}

static void go_back(void) {
  graze_status status;
  if (c.bytes == NULL) return;
  const bool can = can_go_back();
  UNTIL_IT_WORKS(status, graze_scene_restore(c.scene, c.bytes, c.size, NULL));
  assert_int_equal(status, can ? GRAZE_OK : GRAZE_UNSUPPORTED);
  if (can) churn_become(&c, &c.kept);
  if (can) expect_saved(c.bytes, c.size);
  c.tally.restored += can, c.tally.impossible += !can;
}

/* Continues with a new scene, restored from the bytes of this one. */
static void make_anew(void) {
  size_t size;
  unsigned char *bytes = save_scene(c.scene, &size);
  graze_scene_destroy(c.scene);
  c.scene = churn_scene(&c);
  graze_status status = GRAZE_OUT_OF_MEMORY;
  c.memory.fail_at = c.memory.calls + rng_below(&c.dice, 4);
  for (; status == GRAZE_OUT_OF_MEMORY; c.memory.fail_at = -1) status = graze_scene_restore(c.scene, bytes, size, NULL);
  assert_int_equal(status, GRAZE_OK);
  expect_saved(bytes, size);
  free(bytes);
  c.tally.remade++;
}

/* ---- The run */

/* The first rounds use the largest number of bodies, so the memory of later rounds is bounded by theirs. */
static void run_round(void) {
  const int changes = 2 + rng_below(&c.dice, 8);
  if (c.tally.rounds > 20 && rng_below(&c.dice, 40) == 0) c.target = rng_below(&c.dice, c.kind.most + 1);
  for (int i = 0; i < changes; i++) change_any();
  step_once(rng_below(&c.dice, 4) == 0);
  query_any();
  if (rng_below(&c.dice, 3) == 0) query_stale();
  if (c.now.count > 0 && rng_below(&c.dice, 2) == 0) move_one();
  if (c.now.count > 0 && rng_below(&c.dice, 20) == 0) step_out_of_range();
  if (rng_below(&c.dice, 10) == 0) keep();
  if (rng_below(&c.dice, 10) == 0) go_back();
  if (c.kind.plain && rng_below(&c.dice, 20) == 0) make_anew();
  c.tally.rounds++;
}

static void print_head(void) {
  printf("%-20s %7s %7s %7s %7s %7s %7s %8s %8s %8s %6s %8s %8s %6s %9s %6s\n", "", "rounds", "added", "removed",
         "changed", "moved", "bounced", "begin", "stay", "end", "% met", "restored", "refused", "no mem", "compared",
         "KiB");
}

static void print_tally(size_t high) {
  const churn_tally *t = &c.tally;
  printf("%-20s %7zu %7zu %7zu %7zu %7zu %7zu %8zu %8zu %8zu %6.2f %8zu %8zu %6ld %9zu %6zu\n", c.kind.name, t->rounds,
         t->added, t->removed, t->changed, t->moved, t->responses, t->begun, t->stayed, t->ended,
         100 * (double)t->in_contact / (double)t->pairs, t->restored + t->remade, t->rejected + t->bad, c.memory.failed,
         t->compared, high / 1024);
}

/* Checks that the run is representative. Fractions are per round. */
static void expect_representative(void) {
  const churn_tally *t = &c.tally;
  const double rounds = (double)t->rounds, met = (double)t->in_contact / (double)t->pairs;
  assert_true((double)t->added > 0.5 * rounds && (double)t->removed > 0.5 * rounds);
  assert_true((double)t->changed > rounds && (double)t->moved > 0.2 * rounds);
  assert_true(met > 0.01 && met < 0.5);
  assert_true((double)t->begun > 0.3 * rounds && (double)t->stayed > rounds && (double)t->ended > 0.2 * rounds);
  assert_true((double)t->restored > 0.005 * rounds && (double)t->rejected > 3 * rounds &&
              (double)t->bad > 0.05 * rounds);
  assert_true((t->remade > 0) == c.kind.plain && (t->responses > 0) == c.kind.responds);
  assert_true((double)t->compared > rounds && c.memory.failed > 0);
}

static void run(churn_kind kind) {
  const int rounds = ROUNDS;
  size_t first;
  churn_begin(&c, kind);
  for (int i = 0; i < rounds / 2; i++) run_round();
  first = c.memory.most, c.memory.most = c.memory.bytes;
  for (int i = rounds / 2; i < rounds; i++) run_round();
  print_tally(first);
  if ((double)c.memory.most > BOUNDED * (double)first)
    fail_msg("%s: %zu bytes after %zu", kind.name, c.memory.most, first);
  expect_representative();
  churn_end(&c);
}

/* Seeds 501 … 508. */
TEST(test_churn) {
  const churn_kind kinds[] = {
      {"3D", 501, 3, 40, 2, false, false, 1},
      {"2D", 502, 2, 40, 5, false, false, 1},
      {"3D, responses", 503, 3, 40, 2, true, false, 1},
      {"2D, responses", 504, 2, 40, 5, true, false, 1},
      {"3D, made anew", 505, 3, 40, 2, true, true, 1},
      {"2D, made anew", 506, 2, 40, 5, true, true, 1},
      {"3D, two threads", 507, 3, 56, 3, true, false, 2},
      {"2D, two threads", 508, 2, 56, 6, true, false, 2},
  };
  print_head();
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) run(kinds[i]);
}

/* ---- The last generation */

enum { WORN = 40, WORN_HEAD = 64, WORN_END = 8, WORN_LEFT = 20 };

/* A scene of points whose slots have only a few generations left. */
static void wear(void) {
  const graze_shape point = c.kind.dim == 2 ? graze_point2() : graze_point();
  graze_body_def def = passive_body();
  graze_body body;
  def.shape = point;
  for (int i = 0; i < WORN; i++) assert_int_equal(graze_scene_add(c.scene, &def, &body, NULL), GRAZE_OK);
  size_t size;
  unsigned char *bytes = save_scene(c.scene, &size);
  const size_t each = (size - WORN_HEAD - WORN_END) / WORN;
  for (uint32_t i = 0; i < WORN; i++) {
    body = (graze_body){i, UINT32_MAX - (uint32_t)rng_below(&c.dice, WORN_LEFT)};
    snapshot_write(bytes + WORN_HEAD + i * each, body.generation, 4);
    churn_insert(&c, body, &def);
  }
  snapshot_seal(bytes, size);
  assert_int_equal(graze_scene_restore(c.scene, bytes, size, NULL), GRAZE_OK);
  free(bytes);
}

/* Slots use up their generations and are not used again. Snapshots of earlier states are not restored until then.
 * Seeds 511 and 512. */
TEST(test_worn) {
  for (int dim = 2; dim <= 3; dim++) {
    const churn_kind kind = {"worn", 509 + (uint64_t)dim, dim, 48, 4, true, true, 1};
    churn_begin(&c, kind);
    wear();
    for (int i = 0; i < 10000 && c.now.spent < WORN; i++) {
      c.target = i % 40 < 20 ? kind.most : 0;
      for (int k = 0; k < 12; k++) change_any();
      if (i % 4 == 0) step_once(true), query_stale(), make_anew();
    }
    assert_int_equal(c.now.spent, WORN);
    for (int i = 0; i < 40; i++) run_round();
    for (graze_body b = graze_scene_next(c.scene, (graze_body){0, 0}); b.generation; b = graze_scene_next(c.scene, b))
      assert_true(b.slot >= WORN && b.generation < 1u << 20);
    churn_end(&c);
  }
}
