/* Steps of all searches, in the caller's units and with the caller's indices. */
#include "narrow/trace.h"

#include "shape/shape.h"

#include <string.h>

void grz_trace_begin(grz_tracer *t, const graze_options *options, const graze_placed *a, const graze_placed *b) {
  t->function = options->tracer->step, t->context = options->tracer->context;
  t->curved_a = grz_is_curved(&a->shape), t->curved_b = grz_is_curved(&b->shape);
  t->iteration = t->reported = 0;
  t->pending = false;
}

void grz_trace_report(grz_tracer *t, graze_trace_step *step) {
  if (t->reported > 0) {
    t->reported--;
    return;
  }
  step->iteration = t->iteration++;
  t->function(t->context, step);
}

void grz_trace_flush(grz_tracer *t, graze_trace_stop stop) {
  if (!t->pending) return;
  t->pending = false;
  t->step.stop = stop;
  grz_trace_report(t, &t->step);
}

static graze_cso_point trace_point(const grz_obstacle *c, const grz_cso_point *p) {
  return (graze_cso_point){vec_scale(p->w, 1 / c->unit), p->a.index, p->b.index, p->a.local, p->b.local};
}

graze_trace_step grz_trace_make(const grz_obstacle *c, graze_phase phase, graze_vec d, const grz_cso_point *point,
                                const grz_cso_point *simplex, int simplex_count) {
  graze_trace_step step = {.phase = phase, .direction = d, .simplex_count = simplex_count};
  step.support = trace_point(c, point);
  step.origin_check = vec_dot(d, point->w) / c->unit;
  for (int i = 0; i < simplex_count; i++) step.simplex[i] = trace_point(c, &simplex[i]);
  return step;
}

void grz_trace_defer(const grz_obstacle *c, const grz_gjk *gjk, const graze_trace_step *step) {
  const grz_simplex *s = &gjk->simplex;
  grz_tracer *t = c->tracer;
  grz_trace_flush(t, GRAZE_TRACE_CONTINUE);
  t->step = *step;
  t->step.lower = gjk->lower / c->unit;
  t->step.upper = s->count > 0 ? real_sqrt(s->vv) / c->unit : __builtin_inf();
  t->pending = true;
}

/* ---- Exact search */

void grz_trace_exact_begin(const grz_exact *x) {
  grz_tracer *t = x->c->tracer;
  t->pending = false;
  t->lower = -__builtin_inf(), t->upper = __builtin_inf();
}

void grz_trace_exact_nearest(const grz_exact *x, const grz_nearest *n) {
  grz_tracer *t = x->c->tracer;
  if (x->arena->full || n->count == 0) return;
  grz_scaled length = scaled_sqrt(scaled_div(scaled_of_big(n->square), scaled_of_big(n->divisor)));
  t->upper = real_min(t->upper, scaled_to_double(scaled_div(length, scaled_of_big(x->placing.scale))));
}

static double trace_rounded(const grz_exact *x, grz_big value) {
  return scaled_to_double(scaled_div(scaled_of_big(value), scaled_of_big(x->placing.scale)));
}

static graze_cso_point trace_exact_point(const grz_exact *x, int i) {
  const grz_bvec w = x->w[i];
  const grz_pair pair = grz_exact_pair(x, i);
  const grz_tracer *t = x->c->tracer;
  return (graze_cso_point){vec_make(trace_rounded(x, w.x), trace_rounded(x, w.y), trace_rounded(x, w.z)),
                           t->curved_a ? -1 : pair.a, t->curved_b ? -1 : pair.b, pair.point_a, pair.point_b};
}

/* The new point has the index `fresh`. The simplex is the first `count` points, at most dim + 1. */
static void trace_exact_defer(const grz_exact *x, int fresh, int count) {
  grz_tracer *t = x->c->tracer;
  graze_trace_step *step = &t->step;
  grz_trace_flush(t, GRAZE_TRACE_CONTINUE);
  *step = (graze_trace_step){.phase = GRAZE_PHASE_EXACT, .support = trace_exact_point(x, fresh)};
  step->simplex_count = count <= x->c->dim + 1 ? count : x->c->dim + 1;
  for (int i = 0; i < step->simplex_count; i++) step->simplex[i] = trace_exact_point(x, i);
  t->pending = true;
}

/* Scales the direction and the product by one power of two, which keeps their signs. */
void grz_trace_exact_point(const grz_exact *x, grz_bvec d, grz_big product) {
  grz_tracer *t = x->c->tracer;
  if (x->arena->full) return;
  grz_scaled check = scaled_div(scaled_of_big(product), scaled_of_big(x->placing.scale));
  int fresh = x->count - 1;
  trace_exact_defer(x, fresh, fresh > 0 ? fresh : 1);
  graze_trace_step *step = &t->step;
  if (check.m != 0) check.e -= scaled_max_exponent(d);
  step->direction = scaled_direction(d);
  step->origin_check = scaled_to_double(check);
  /* A support plane of an inscribed polytope does not bound the shape. */
  if (!t->curved_a && !t->curved_b) t->lower = real_max(t->lower, -step->origin_check / vec_length(step->direction));
  step->lower = t->lower, step->upper = t->upper;
}

static graze_trace_stop trace_exact_stop(const grz_tracer *t, const grz_result *result) {
  if (t->upper > 0) return GRAZE_TRACE_BOUNDS_MET;
  return result->answer.relation == GRAZE_TOUCHING ? GRAZE_TRACE_ORIGIN_NOT_PASSED : GRAZE_TRACE_CONTAINS_ORIGIN;
}

void grz_trace_exact_end(const grz_exact *x, const grz_result *result) {
  grz_tracer *t = x->c->tracer;
  if (x->arena->full) return;
  if (!t->pending) {
    trace_exact_defer(x, 0, x->count);
    t->step.lower = t->lower, t->step.upper = t->upper;
  }
  grz_trace_flush(t, trace_exact_stop(t, result));
}

/* ---- EPA */

/* Writes the pairs in the order of the edges. A polygon has at most as many edges as points, so the second half of the
 * faces is unused. The stack and the horizon behind it are empty. */
_Static_assert(sizeof(graze_pair) <= sizeof(grz_face) + (POLYTOPE_STACK + GRZ_POLYTOPE_FACES) * sizeof(int32_t),
               "a pair fits in their places");

static void trace_polygon(const grz_polytope *p, graze_surface *surface) {
  char *out = (char *)(p->face + p->point_capacity);
  int first = grz_first_face(p), edge = first;
  surface->pairs = (const graze_pair *)(void *)out;
  do {
    memcpy(out + surface->pair_count++ * sizeof(graze_pair), &p->pair[p->face[edge].vertex[0]], sizeof(graze_pair));
    edge = p->face[edge].neighbor[1];
  } while (edge != first);
}

/* The stack and the horizon, which are adjacent, are empty until the next point is inserted. */
_Static_assert(POLYTOPE_STACK + GRZ_POLYTOPE_FACES >= 3 * GRZ_POLYTOPE_FACES, "together they hold all faces");

static void trace_faces(const grz_polytope *p, int points, graze_surface *surface) {
  char *out = (char *)p->stack;
  const size_t size = sizeof p->face->vertex;
  for (int i = 0; i < p->face_count; i++) {
    if (!grz_face_is_removed(&p->face[i])) memcpy(out + surface->face_count++ * size, p->face[i].vertex, size);
  }
  surface->pairs = p->pair, surface->pair_count = (size_t)points;
  surface->faces = (const int32_t(*)[3])(void *)out;
}

void grz_trace_epa(const grz_epa *epa, const grz_expansion *e, graze_trace_stop stop) {
  const grz_obstacle *c = epa->c;
  const grz_polytope *p = &epa->polytope;
  const grz_face *face = &p->face[e->face];
  grz_tracer *t = c->tracer;
  grz_cso_point corner[3];
  graze_surface surface = {.points = p->local, .point_count = 2 * (size_t)e->points};
  for (int i = 0; i < c->dim; i++) {
    const grz_pair pair = grz_face_pair(p, e->face, i);
    corner[i] = grz_obstacle_of_pair(c, &pair, c->dim);
  }
  t->step = grz_trace_make(c, GRAZE_PHASE_EPA, face->normal, e->point, corner, c->dim);
  t->width = epa->steps == 1 ? e->high : real_min(t->width, e->high);
  t->step.lower = -t->width / c->unit, t->step.upper = -p->height[e->face] / c->unit;
  if (c->dim == 2)
    trace_polygon(p, &surface);
  else
    trace_faces(p, e->points, &surface);
  t->step.polytope = &surface;
  t->step.stop = stop;
  grz_trace_report(t, &t->step);
  t->step.polytope = NULL;
}

void grz_trace_epa_broken(const grz_epa *epa) {
  grz_tracer *t = epa->c->tracer;
  t->step.stop = GRAZE_TRACE_NO_PROGRESS;
  grz_trace_report(t, &t->step);
}

/* ---- Tests of single directions */

void grz_trace_direction(const grz_obstacle *c, graze_phase phase, graze_vec direction) {
  if (vec_norm_inf(direction) == 0) return;
  const graze_vec d = vec_unit_inf(direction);
  grz_cso_point w;
  const double gap = grz_obstacle_gap(c, d, &w) / c->unit;
  grz_trace_flush(c->tracer, GRAZE_TRACE_CONTINUE);
  c->tracer->step = grz_trace_make(c, phase, d, &w, &w, 1);
  c->tracer->step.lower = gap;
  c->tracer->step.upper = vec_length(w.w) / c->unit;
  c->tracer->pending = true;
}
