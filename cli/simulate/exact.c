/* The reference of a step: see exact.h. */
#include "simulate/simulation.h"

#include <math.h>
#include <stdlib.h>

/* The number of poses compared within a step, including its end. */
enum { SAMPLES = 16 };

/* A smaller difference of depths, relative to the smaller body, is caused by rounding or a skin. */
#define TOLERANCE 0x1p-20

/* A body that ends at most this part of its size away from the end of its motion was pushed, but did not respond. */
#define PUSHED 0.25

/* The maximum squared sine of half the angle between rotations that differ only by rounding. */
#define SAME_ROTATION 1e-12

/* A body before and after a step. */
typedef struct step_states {
  const graze_placed *before, *after;
  graze_motion motion; /* from `before` to `after` at constant rates */
  double offset;       /* the maximum distance from that motion: pushes happen at unknown times */
  bool steady;         /* the rates were constant during the step, apart from pushes */
} step_states;

/* Half the diagonal of the bounds; infinite for a half-space. */
static double size_of(const graze_placed *placed) {
  graze_aabb box;
  if (graze_bounds(placed, &box) != GRAZE_OK) return INFINITY;
  double x = box.max.x - box.min.x, y = box.max.y - box.min.y, z = box.max.z - box.min.z;
  return 0.5 * sqrt(x * x + y * y + z * z);
}

static step_states states_of(const sim_world *world, const graze_step *step, size_t index) {
  graze_body_def now;
  step_states states = {&world->placed[index], graze_scene_placed(world->handle, world->ids[index]),
                        world->motions[index], 0, false};
  graze_vec p = states.before->pose.position, q = states.after->pose.position;
  double dt = world->scene->dt;
  if (!(dt > 0) || graze_scene_get(world->handle, world->ids[index], &now) != GRAZE_OK) return states;
  states.motion.velocity = (graze_vec){(q.x - p.x) / dt, (q.y - p.y) / dt, (q.z - p.z) / dt};
  const graze_pose a = graze_pose_after(&states.before->pose, &states.motion, dt), b = states.after->pose;
  /* Quaternions may have any length. */
  const double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  const double square_a = a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z;
  const double square_b = b.w * b.w + b.x * b.x + b.y * b.y + b.z * b.z;
  double size = size_of(states.before);
  if (step->responses > 0) states.offset = dt * vec_norm_inf(vec_sub(states.motion.velocity, now.motion.velocity));
  states.steady = states.offset <= PUSHED * size && step->stalled == 0 &&
                  dt * vec_norm_inf(vec_sub(now.motion.velocity, world->motions[index].velocity)) <= TOLERANCE * size &&
                  vec_norm_inf(vec_sub(now.motion.angular, world->motions[index].angular)) == 0 &&
                  1 - dot * dot / (square_a * square_b) < SAME_ROTATION;
  return states;
}

static graze_status depth_of(const graze_placed *a, const graze_placed *b, graze_answer *answer) {
  graze_options options = graze_default_options();
  options.max_distance = 0;
  return graze_distance(a, b, &options, answer);
}

static bool is_deeper(const graze_placed *a, const graze_placed *b, double least) {
  graze_answer answer;
  return depth_of(a, b, &answer) == GRAZE_OK && answer.relation == GRAZE_OVERLAPPING && answer.upper < least;
}

static graze_placed at(const step_states *states, double t) {
  graze_placed placed = *states->before;
  (void)graze_set_pose(&placed, graze_pose_after(&placed.pose, &states->motion, t));
  return placed;
}

/* ---- All pairs */

/* Adds a billionth of the numbers, which is far more than the rounding errors. */
static void sweep_interval(double *low, double *high, double displacement, double margin) {
  double more = margin + 1e-9 * (fabs(*low) + fabs(*high) + fabs(displacement));
  *low += fmin(displacement, 0) - more;
  *high += fmax(displacement, 0) + more;
}

graze_aabb sim_swept_bounds(const graze_placed *placed, const graze_motion *motion, double margin, double dt) {
  graze_aabb box;
  graze_vec all = {INFINITY, INFINITY, INFINITY}, v = motion->velocity, p = placed->pose.position;
  if (graze_bounds(placed, &box) != GRAZE_OK) return (graze_aabb){{-all.x, -all.y, -all.z}, all};
  if (!vec_is_zero(motion->angular)) {
    /* A rotating body stays in the ball around its position through the farthest corner of its bounds. */
    double x = fmax(p.x - box.min.x, box.max.x - p.x), y = fmax(p.y - box.min.y, box.max.y - p.y);
    double z = fmax(p.z - box.min.z, box.max.z - p.z), radius = sqrt(x * x + y * y + z * z);
    box = (graze_aabb){{p.x - radius, p.y - radius, p.z - radius}, {p.x + radius, p.y + radius, p.z + radius}};
  }
  sweep_interval(&box.min.x, &box.max.x, v.x * dt, margin);
  sweep_interval(&box.min.y, &box.max.y, v.y * dt, margin);
  sweep_interval(&box.min.z, &box.max.z, v.z * dt, margin);
  return box;
}

/* A body, and the bounds of its initial motion in the step and of its final pose. */
typedef struct sim_span {
  graze_aabb box;
  size_t body;
} sim_span;

static int compare_spans(const void *x, const void *y) {
  const sim_span *a = x, *b = y;
  if (a->box.min.x != b->box.min.x) return a->box.min.x < b->box.min.x ? -1 : 1;
  return (a->body > b->body) - (a->body < b->body);
}

static bool responds(const graze_body_def *a, const graze_body_def *b) {
  bool first = a->type == GRAZE_DYNAMIC && a->response != GRAZE_RESPONSE_NONE;
  bool second = b->type == GRAZE_DYNAMIC && b->response != GRAZE_RESPONSE_NONE;
  return (first || second) && !a->sensor && !b->sensor;
}

/* Events are sorted by slots. */
static bool has_event(const graze_step *step, graze_body a, graze_body b) {
  size_t low = 0, high = step->event_count;
  uint32_t first = a.slot < b.slot ? a.slot : b.slot, second = a.slot < b.slot ? b.slot : a.slot;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const graze_event *event = &step->events[middle];
    if (event->a.slot < first || (event->a.slot == first && event->b.slot < second))
      low = middle + 1;
    else
      high = middle;
  }
  return low < step->event_count && step->events[low].a.slot == first && step->events[low].b.slot == second;
}

static bool check_pair(sim_exact *exact, const sim_world *world, const graze_step *step, const double *free_until,
                       size_t a, size_t b) {
  const graze_body_def *p = &world->scene->bodies[a].def, *q = &world->scene->bodies[b].def;
  const double dt = world->scene->dt;
  graze_answer first;
  double t = 0; /* within the step */
  if (p->type == GRAZE_STATIC && q->type == GRAZE_STATIC) return true;
  if (p->shape.kind == GRAZE_HALFSPACE && q->shape.kind == GRAZE_HALFSPACE) return true;
  if (!(p->category & q->mask) || !(q->category & p->mask)) return true;
  /* Do they overlap deeper after the step than before it, or, if both moved steadily, at a sampled time of the step? */
  bool entered = false;
  if (responds(p, q) && depth_of(&world->placed[a], &world->placed[b], &first) == GRAZE_OK) {
    step_states u = states_of(world, step, a), v = states_of(world, step, b);
    double least = fmin(first.lower, 0) - TOLERANCE * fmin(size_of(u.before), size_of(v.before));
    for (int i = 1; i < SAMPLES && u.steady && v.steady && !entered; i++) {
      t = dt * i / SAMPLES;
      graze_placed at_u = at(&u, t), at_v = at(&v, t);
      entered = is_deeper(&at_u, &at_v, least - u.offset - v.offset);
    }
    if (!entered) t = dt;
    entered = entered || is_deeper(u.after, v.after, least);
  }
  if (!entered && has_event(step, world->ids[a], world->ids[b])) return true;
  if (!entered) {
    /* Do they certainly collide while they keep their motions? A hit of the cast may be a mere touch; a hit of the
     * sweep is an overlap that rounding cannot explain. */
    double end = fmin(dt, fmin(free_until[a], free_until[b]));
    graze_cast_options options = graze_default_cast_options();
    graze_cast_result result;
    options.clearance = p->margin + q->margin;
    for (int i = 0; i < 2; i++) {
      options.method = i == 0 ? GRAZE_CAST_AUTO : GRAZE_CAST_SWEEP;
      graze_status status = graze_cast(&world->placed[a], &world->motions[a], &world->placed[b], &world->motions[b],
                                       end, &options, &result);
      if (status != GRAZE_OK || result.outcome != GRAZE_HIT) return true;
    }
    t = result.t_upper;
  }
  if (!cli_grow(&exact->misses, sizeof *exact->misses, &exact->capacity, exact->count + 1)) return false;
  double began = (double)(world->step - 1) * dt;
  exact->misses[exact->count++] = (sim_miss){began + t, a < b ? a : b, a < b ? b : a};
  return true;
}

bool sim_exact_check(sim_exact *exact, const sim_world *world, const graze_step *step) {
  const sim_body *bodies = world->scene->bodies;
  const graze_motion still = {{0, 0, 0}, {0, 0, 0}};
  const size_t count = world->scene->count;
  sim_span *spans = malloc(count * sizeof *spans);
  double *free_until = malloc(count * sizeof *free_until); /* the time until which a body certainly keeps its motion */
  bool good = spans && free_until;
  for (size_t i = 0; good && i < count; i++) {
    double margin = bodies[i].def.margin;
    graze_aabb a = sim_swept_bounds(&world->placed[i], &world->motions[i], margin, world->scene->dt);
    graze_aabb b = sim_swept_bounds(graze_scene_placed(world->handle, world->ids[i]), &still, margin, 0);
    spans[i] = (sim_span){{vec_min(a.min, b.min), vec_max(a.max, b.max)}, i};
    free_until[i] = INFINITY;
  }
  if (good) qsort(spans, count, sizeof *spans, compare_spans);
  for (size_t i = 0; good && i < step->event_count; i++) {
    const graze_event *event = &step->events[i];
    size_t a = world->index_of[event->a.slot], b = world->index_of[event->b.slot];
    if (!responds(&bodies[a].def, &bodies[b].def)) continue;
    /* A contact that exists at the beginning may change a motion at once. */
    double t = event->kind == GRAZE_EVENT_BEGIN ? event->t_lower : 0;
    free_until[a] = fmin(free_until[a], t);
    free_until[b] = fmin(free_until[b], t);
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = i + 1; good && k < count && spans[k].box.min.x <= spans[i].box.max.x; k++)
      if (sim_bounds_overlap(&spans[i].box, &spans[k].box))
        good = check_pair(exact, world, step, free_until, spans[i].body, spans[k].body);
  free(spans);
  free(free_until);
  return good;
}
