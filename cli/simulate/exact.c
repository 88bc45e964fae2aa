#include "simulate/exact.h"

#include "text.h"
#include "simulate/entered.h"
#include "simulate/pairs.h"

#include <math.h>
#include <stdlib.h>

/* A body, and the bounds of the motion with which it began the step, and of its place after the step. */
typedef struct sim_span {
  graze_aabb box;
  size_t body;
} sim_span;

bool sim_exact_make(size_t bodies, sim_exact *exact) {
  *exact = (sim_exact){.spans = calloc(bodies + 1, sizeof *exact->spans),
                       .free_until = calloc(bodies + 1, sizeof *exact->free_until)};
  bool good = exact->spans && exact->free_until;
  if (!good) sim_exact_free(exact);
  return good;
}

void sim_exact_free(sim_exact *exact) {
  free(exact->misses);
  free(exact->spans);
  free(exact->free_until);
  *exact = (sim_exact){.count = 0};
}

static int compare_spans(const void *x, const void *y) {
  const sim_span *a = x, *b = y;
  if (a->box.min.x != b->box.min.x) return a->box.min.x < b->box.min.x ? -1 : 1;
  return (a->body > b->body) - (a->body < b->body);
}

static void list_spans(sim_exact *exact, const sim_world *world) {
  const sim_scene *scene = world->scene;
  const graze_motion still = {{0, 0, 0}, {0, 0, 0}};
  for (size_t i = 0; i < scene->count; i++) {
    double margin = scene->bodies[i].def.margin;
    graze_aabb box = sim_swept_bounds(&world->placed[i], &world->motions[i], margin, scene->dt);
    graze_aabb end = sim_swept_bounds(graze_scene_placed(world->space, world->ids[i]), &still, margin, 0);
    exact->spans[i] = (sim_span){sim_bounds_of_both(&box, &end), i};
  }
  qsort(exact->spans, scene->count, sizeof *exact->spans, compare_spans);
}

static bool responds(const graze_body_def *a, const graze_body_def *b) {
  bool first = a->type == GRAZE_DYNAMIC && a->response != GRAZE_RESPONSE_NONE;
  bool second = b->type == GRAZE_DYNAMIC && b->response != GRAZE_RESPONSE_NONE;
  return (first || second) && !a->sensor && !b->sensor;
}

/* Contacts that were there already may change a way from the beginning. */
static void limit_ways(sim_exact *exact, const sim_world *world, const graze_step *step) {
  const sim_body *bodies = world->scene->bodies;
  for (size_t i = 0; i < world->scene->count; i++) exact->free_until[i] = INFINITY;
  for (size_t i = 0; i < step->event_count; i++) {
    const graze_event *event = &step->events[i];
    size_t a = sim_world_index(world, event->a), b = sim_world_index(world, event->b);
    if (!responds(&bodies[a].def, &bodies[b].def)) continue;
    double t = event->kind == GRAZE_EVENT_BEGIN ? event->t_lower : 0;
    exact->free_until[a] = fmin(exact->free_until[a], t);
    exact->free_until[b] = fmin(exact->free_until[b], t);
  }
}

/* Events are in the order of slots. */
static bool is_told(const graze_step *step, graze_body a, graze_body b) {
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

/* Do they surely meet before either is led astray? A hit of the cast may be a mere touch; one of the sweep is an
 * overlap that no rounding explains. */
static bool surely_meet(const sim_exact *exact, const sim_world *world, size_t a, size_t b, double *t) {
  const sim_body *bodies = world->scene->bodies;
  const graze_placed *p = &world->placed[a], *q = &world->placed[b];
  const graze_motion *u = &world->motions[a], *v = &world->motions[b];
  double end = fmin(world->scene->dt, fmin(exact->free_until[a], exact->free_until[b]));
  graze_options options = graze_default_options();
  graze_cast_result impact;
  options.clearance = bodies[a].def.margin + bodies[b].def.margin;
  if (graze_sweep(p, u, q, v, end, &options, &impact) != GRAZE_OK || impact.result != GRAZE_HIT) return false;
  options.method = GRAZE_METHOD_SWEEP;
  if (graze_sweep(p, u, q, v, end, &options, &impact) != GRAZE_OK || impact.result != GRAZE_HIT) return false;
  *t = impact.t_upper;
  return true;
}

/* Bodies that respond, and of which one entered the other. *t: when. */
static bool enter(const sim_world *world, const graze_step *step, size_t a, size_t b, double *t) {
  const sim_body *bodies = world->scene->bodies;
  if (!responds(&bodies[a].def, &bodies[b].def)) return false;
  sim_ends of_a = sim_ends_of(world, step, a), of_b = sim_ends_of(world, step, b);
  return sim_entered(&of_a, &of_b, world->scene->dt, t);
}

static bool check_pair(sim_exact *exact, const sim_world *world, const graze_step *step, size_t a, size_t b) {
  const sim_body *bodies = world->scene->bodies;
  double t = 0;
  if (!sim_is_pair(&bodies[a].def, &bodies[b].def)) return true;
  if (!enter(world, step, a, b, &t) &&
      (is_told(step, world->ids[a], world->ids[b]) || !surely_meet(exact, world, a, b, &t)))
    return true;
  sim_miss *misses = cli_grow(exact->misses, sizeof *misses, &exact->capacity, exact->count + 1);
  if (misses == NULL) return false;
  exact->misses = misses;
  double began = (double)(world->step - 1) * world->scene->dt;
  misses[exact->count++] = (sim_miss){began + t, a < b ? a : b, a < b ? b : a};
  return true;
}

bool sim_exact_check(sim_exact *exact, const sim_world *world, const graze_step *step) {
  list_spans(exact, world);
  limit_ways(exact, world, step);
  for (size_t i = 0; i < world->scene->count; i++) {
    const sim_span *first = &exact->spans[i];
    for (size_t k = i + 1; k < world->scene->count && exact->spans[k].box.min.x <= first->box.max.x; k++)
      if (sim_bounds_meet(&first->box, &exact->spans[k].box) &&
          !check_pair(exact, world, step, first->body, exact->spans[k].body))
        return false;
  }
  return true;
}
