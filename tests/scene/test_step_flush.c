/* Random scenes in which bodies start in contact: no responding body enters another one, and none passes through.
 *
 * The checks use queries of two shapes, never the count of the scene:
 * - a pair that responds overlaps no deeper after a step than before it, to TOLERANCE;
 * - if both bodies kept their motions during a step, the same holds at sampled times of the step;
 * - a body inside a box of thin walls stays inside.
 *
 * GRAZE_TIER: test, ci, soak: 1500, 10,000 and 200,000 scenes, of 3 steps each. The seeds are 1, 2, 3 … */
#include "support/test.h"
#include "scene/flush.h"

#include "support/tier.h"

enum { STEPS = 3, SAMPLES = 16 };

/* Rounding of poses, of bodies of sizes and positions below 100. */
#define TOLERANCE 1e-11

/* Pairs that overlap by more than this at first are only pushed apart. */
#define DEEP 1e-8

typedef struct flush_tally {
  size_t scenes, pairs;
  size_t in_contact; /* pairs that respond and are in contact at the start of a step, margins included, … */
  size_t touching;   /* … with a gap below 1e-8, margins not included */
  size_t turning;    /* … of which a body turns */
  size_t compounds;  /* … of which a body is a compound */
  size_t turning_compounds;
  size_t inside;         /* … in their margins, farther than 1e-8, and turning */
  size_t sampled;        /* pairs whose motion was sampled */
  size_t by_response[4]; /* contacts of bodies with this response */
  size_t by_base[FLUSH_BASES];
  size_t responses, stalled;
} flush_tally;

typedef struct flush_state {
  graze_body_def def[FLUSH_MOST];
  graze_placed placed[FLUSH_MOST];
} flush_state;

static bool yields(const graze_body_def *b) { return b->type == GRAZE_DYNAMIC && b->response != GRAZE_RESPONSE_NONE; }

static bool turns(const graze_body_def *b) {
  return b->motion.angular.x != 0 || b->motion.angular.y != 0 || b->motion.angular.z != 0;
}

static bool responds(const graze_body_def *a, const graze_body_def *b) {
  const bool fixed = a->type == GRAZE_STATIC && b->type == GRAZE_STATIC;
  return !fixed && (yields(a) || yields(b));
}

static flush_state read_state(const flush_scene *f) {
  flush_state s;
  memset(&s, 0, sizeof s);
  for (int i = 0; i < f->count; i++) {
    s.def[i] = flush_body(f, i);
    s.placed[i] = graze_place(&s.def[i].shape, s.def[i].pose);
  }
  return s;
}

static graze_answer distance_of(const graze_placed *a, const graze_placed *b) {
  graze_answer answer;
  assert_int_equal(graze_distance(a, b, NULL, &answer), GRAZE_OK);
  return answer;
}

static void count_contact(flush_tally *t, const flush_scene *f, const graze_body_def *a, const graze_body_def *b,
                          const graze_answer *before) {
  const bool compound = a->shape.kind == GRAZE_COMPOUND || b->shape.kind == GRAZE_COMPOUND, turn = turns(a) || turns(b);
  t->pairs++;
  if (before->lower > a->margin + b->margin + 1e-8) return;
  t->in_contact++, t->turning += turn, t->compounds += compound, t->turning_compounds += turn && compound;
  t->touching += before->lower <= 1e-8, t->inside += before->lower > 1e-8 && turn;
  t->by_response[yields(a) ? a->response : b->response]++;
  t->by_base[f->base]++;
}

/* The motion from one state to the other, if it was constant. Without responses it is, pushes included. */
static bool interpolate(const flush_state *from, const flush_state *to, int i, double dt, bool pushed,
                        graze_motion *motion) {
  const graze_vec p = from->def[i].pose.position, q = to->def[i].pose.position, v = from->def[i].motion.velocity;
  const double off = fmax(fabs(q.x - p.x - v.x * dt), fmax(fabs(q.y - p.y - v.y * dt), fabs(q.z - p.z - v.z * dt)));
  if (off > 1e-9 && !pushed) return false;
  if (memcmp(&from->def[i].motion, &to->def[i].motion, sizeof *motion) != 0) return false;
  *motion = from->def[i].motion;
  motion->velocity = (graze_vec){(q.x - p.x) / dt, (q.y - p.y) / dt, (q.z - p.z) / dt};
  return true;
}

/* The smallest distance at sampled times. */
static double depth_between(const flush_state *from, const flush_state *to, int i, int j, double dt,
                            const graze_step *result, flush_tally *tally) {
  const bool pushed = result->responses == 0;
  graze_motion of_i, of_j;
  double least = INFINITY;
  if (result->stalled > 0) return least;
  if (!interpolate(from, to, i, dt, pushed, &of_i) || !interpolate(from, to, j, dt, pushed, &of_j)) return least;
  tally->sampled++;
  for (int k = 1; k < SAMPLES; k++) {
    graze_placed a = from->placed[i], b = from->placed[j];
    assert_int_equal(graze_set_pose(&a, graze_pose_after(&a.pose, &of_i, dt * k / SAMPLES)), GRAZE_OK);
    assert_int_equal(graze_set_pose(&b, graze_pose_after(&b.pose, &of_j, dt * k / SAMPLES)), GRAZE_OK);
    least = fmin(least, distance_of(&a, &b).upper);
  }
  return least;
}

static void complain(const flush_scene *f, uint64_t seed, int step, int i, int j, double before, double after,
                     const char *when) {
  fail_msg("seed %llu, step %d, base %d, %dD: bodies %d and %d overlap by %g %s, by %g before",
           (unsigned long long)seed, step, (int)f->base, f->dim, i, j, -after, when, -before);
}

static void check_pairs(const flush_scene *f, uint64_t seed, int step, double dt, const graze_step *result,
                        const flush_state *from, const flush_state *to, flush_tally *tally) {
  for (int i = 0; i < f->count; i++)
    for (int j = i + 1; j < f->count; j++) {
      if (!responds(&from->def[i], &from->def[j])) continue;
      const graze_answer before = distance_of(&from->placed[i], &from->placed[j]);
      if (before.lower < -DEEP) continue;
      count_contact(tally, f, &from->def[i], &from->def[j], &before);
      const double least = fmin(before.lower, 0) - TOLERANCE;
      const graze_answer after = distance_of(&to->placed[i], &to->placed[j]);
      if (after.upper < least) complain(f, seed, step, i, j, before.lower, after.upper, "after it");
      const double between = depth_between(from, to, i, j, dt, result, tally);
      if (between < least - 1e-4) complain(f, seed, step, i, j, before.lower, between, "during the step");
    }
}

static void check_inside(const flush_scene *f, uint64_t seed, int step, const flush_state *to) {
  for (int i = 1; i < f->count && f->base == FLUSH_WALLS; i++) {
    const graze_vec p = to->def[i].pose.position;
    if (fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) > f->inner)
      fail_msg("seed %llu, step %d, %dD: body %d left the box", (unsigned long long)seed, step, f->dim, i);
  }
}

static void run_scene(uint64_t seed, flush_tally *tally) {
  static flush_scene f;
  flush_make(&f, seed);
  const double dt = flush_time(&f);
  flush_state from = read_state(&f);
  for (int k = 0; k < STEPS; k++) {
    graze_step step;
    assert_int_equal(graze_scene_step(f.scene, dt, &step, NULL), GRAZE_OK);
    const flush_state to = read_state(&f);
    check_pairs(&f, seed, k, dt, &step, &from, &to, tally);
    check_inside(&f, seed, k, &to);
    tally->responses += step.responses, tally->stalled += step.stalled;
    from = to;
  }
  tally->scenes++;
  flush_free(&f);
}

TEST(test_nothing_enters) {
  flush_tally t = {0};
  const int scenes = tiered(1500, 3000, 200000);
  const char *only = getenv("FLUSH_SEED");
  if (only != NULL) {
    run_scene(strtoull(only, NULL, 10), &t);
    return;
  }
  for (int i = 1; i <= scenes; i++) run_scene((uint64_t)i, &t);
  printf("%zu scenes, %zu pairs, %zu in contact at the start of a step: %zu touch, %zu turn, %zu with a compound, %zu "
         "that turn with a compound, %zu that turn in their margins; %zu sampled; %zu responses, %zu stalled\n",
         t.scenes, t.pairs, t.in_contact, t.touching, t.turning, t.compounds, t.turning_compounds, t.inside, t.sampled,
         t.responses, t.stalled);
  const size_t enough = (size_t)scenes / 10;
  assert_true(t.in_contact > 10 * enough && t.touching > 5 * enough && t.turning > 5 * enough &&
              t.compounds > 5 * enough);
  assert_true(t.turning_compounds > enough && t.inside > enough && t.sampled > 5 * enough && t.responses > 5 * enough);
  for (int i = 1; i < 4; i++) assert_true(t.by_response[i] > enough);
  for (int i = 0; i < FLUSH_BASES; i++) assert_true(t.by_base[i] > enough);
  assert_true(t.stalled < t.responses);
}
