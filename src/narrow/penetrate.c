/* Penetration depth of two cores: the distance of the origin from the boundary of the CSO.
 *
 * Boxes, triangles, segments and small polygons use separating axes, all other shapes EPA (van den Bergen 2001). If
 * doubles do not reach the guaranteed width, EPA runs again with exact predicates. The radius r adds to the depth of
 * the cores. Theory: docs/theory/depth.md. */
#include "narrow/stages.h"

#include "geometry/polytope.h"
#include "narrow/axes.h"
#include "narrow/search.h"
#include "narrow/trace.h"
#include "verify/verify.h"

#include <string.h>

/* Curved cores: EPA stops at this share of the scale, half of the guaranteed width. */
#define PENETRATE_CURVED 0x1p-31

/* Larger surfaces exceed the limit of the verifier: n points have 2n - 4 faces. */
enum { PENETRATE_SURFACE = (GRZ_DEPTH_FACES + 4) / GRZ_POLYTOPE_FACES };

/* The maximum number of points for curved cores with exact predicates. Curved cores always have further vertices, and
 * the time of exact predicates grows faster than linearly. */
enum { PENETRATE_EXACT = 256 };

typedef struct penetration {
  const grz_query *query;
  const grz_obstacle *c;
  grz_polytope_fill fill; /* writes the start points; NULL: the pairs of the certificate */
  grz_result *result;
  grz_epa epa; /* large: set by penetrate_with_workspace() */
} penetration;

static inline void penetrate_set(penetration *p, const grz_query *query, const grz_obstacle *c, grz_result *result) {
  p->query = query, p->c = c, p->fill = NULL, p->result = result;
}

static void penetrate_fill(penetration *p, const grz_depth *depth, graze_algorithm algorithm, int steps) {
  grz_certify_depth(p->c, p->query->options->clearance, depth, p->result);
  p->result->answer.algorithm = algorithm;
  p->result->answer.iterations += steps;
}

/* Returns the depth by separating axes, or NULL if they do not apply. */
static const grz_axis_depth *penetrate_axes(const penetration *p, grz_axis_depth *axes) {
  const grz_obstacle *c = p->c;
  if (p->query->options->method != GRAZE_METHOD_AUTO) return NULL;
  if (grz_are_boxes(&c->a->shape, &c->b->shape)) return grz_box_depth(c, false, axes) ? axes : NULL;
  if (p->query->options->surface != NULL) return NULL;
  return grz_polygon_depth(c, axes) || grz_depth_by_axes(c, axes) ? axes : NULL;
}

/* Returns whether the interval is narrow enough. */
static bool penetrate_fill_axes(penetration *p, const grz_axis_depth *axes) {
  grz_depth depth = {.low = axes->low, .high = axes->high, .best = axes->best};
  depth.direction = axes->direction;
  depth.core_a = vec_scale(axes->core_a, 1 / p->c->unit), depth.core_b = vec_scale(axes->core_b, 1 / p->c->unit);
  penetrate_fill(p, &depth, GRAZE_ALGORITHM_SAT, axes->axes);
  return grz_query_is_narrow(p->query, p->c, p->result);
}

/* Returns false if separating axes do not apply, or if their interval is too wide. */
static bool penetrate_by_axes(penetration *p) {
  grz_axis_depth depth_by_axes;
  const grz_axis_depth *axes = penetrate_axes(p, &depth_by_axes);
  if (!axes) return false;
  const bool narrow = penetrate_fill_axes(p, axes);
  if (p->c->tracer)
    grz_trace_tested_axes(p->c, &axes->direction, narrow ? GRAZE_TRACE_BOUNDS_MET : GRAZE_TRACE_NO_PROGRESS);
  return narrow;
}

/* `exact`: the source of the witness points; NULL: they are computed in doubles. */
static void penetrate_fill_epa(penetration *p, const grz_epa_depth *exact) {
  grz_epa *epa = &p->epa;
  grz_depth depth = {.low = real_max(epa->low, 0), .high = epa->high + epa->c->support_error, .best = epa->high};
  depth.direction = epa->direction;
  if (exact)
    depth.core_a = exact->core_a, depth.core_b = exact->core_b;
  else
    grz_epa_witness(epa, &depth.core_a, &depth.core_b);
  penetrate_fill(p, &depth, GRAZE_ALGORITHM_EPA, epa->steps);
}

/* The public surface of a polytope, built in place: entries move towards the front of their own array. */
static void surface_of_faces(grz_polytope *p, graze_surface *surface) {
  char *out = (char *)p->face;
  size_t count = 0;
  for (int i = 0; i < p->face_count; i++) {
    int32_t vertex[3];
    memcpy(vertex, p->face[i].vertex, sizeof vertex);
    if (vertex[0] < 0) continue;
    memcpy(out + count++ * sizeof vertex, vertex, sizeof vertex);
  }
  surface->faces = (const int32_t(*)[3])(void *)out;
  surface->face_count = count;
  surface->pair_count = (size_t)p->point_count;
}

/* Sorts the pairs in the order of the edges. position[i]: the current position of pair i; pair_at[k]: the pair at
 * position k. */
static void surface_of_edges(grz_polytope *p, graze_surface *surface) {
  int32_t *position = p->stack, *pair_at = p->horizon;
  int first = grz_first_face(p), count = 0;
  for (int i = 0; i < p->point_count; i++) position[i] = pair_at[i] = i;
  int edge = first;
  do {
    int32_t wanted = p->face[edge].vertex[0], from = position[wanted], moved = pair_at[count];
    graze_pair pair = p->pair[from];
    p->pair[from] = p->pair[count];
    p->pair[count] = pair;
    position[moved] = from, pair_at[from] = moved;
    position[wanted] = count, pair_at[count] = wanted;
    count++;
    edge = p->face[edge].neighbor[1];
  } while (edge != first);
  surface->faces = NULL;
  surface->face_count = 0;
  surface->pair_count = (size_t)count;
}

static void surface_of_polytope(grz_polytope *p, int dim, graze_surface *surface) {
  surface->pairs = p->pair;
  surface->points = p->local, surface->point_count = 2 * (size_t)p->point_count;
  if (dim == 2)
    surface_of_edges(p, surface);
  else
    surface_of_faces(p, surface);
}

static void penetrate_surface(penetration *p) {
  if (!p->query->options->surface) return;
  surface_of_polytope(&p->epa.polytope, p->c->dim, p->query->options->surface);
  p->result->proof.depth_proof = GRAZE_DEPTH_BY_SURFACE;
  p->result->proof.surface = p->query->options->surface;
}

/* Sets the start points: the pairs that certified the relation, or those of the caller. */
static void penetrate_set_points(penetration *p) {
  const grz_proof *proof = &p->result->proof;
  grz_polytope *polytope = &p->epa.polytope;
  if (p->fill) {
    p->fill(p->c, polytope);
    return;
  }
  polytope->point_count = proof->pair_count;
  for (int i = 0; i < proof->pair_count; i++) grz_polytope_set_pair(polytope, i, &proof->pairs[i]);
}

/* Runs EPA in doubles from the simplex that certified the relation. */
static bool penetrate_in_doubles(penetration *p) {
  grz_epa_end end = grz_epa_run(&p->epa);
  bool shown = end != GRZ_EPA_BROKEN && grz_epa_low(&p->epa);
  if (p->query->options->surface == NULL && p->epa.seen > (shown ? p->epa.low : 0)) {
    p->epa.low = p->epa.seen;
    end = GRZ_EPA_NO_SPACE;
  } else if (!shown) {
    return false;
  }
  penetrate_fill_epa(p, NULL);
  bool narrow = grz_query_is_narrow(p->query, p->c, p->result);
  if (end == GRZ_EPA_NO_SPACE && !narrow) p->result->answer.stopped = GRAZE_STOP_BUDGET;
  return narrow || end == GRZ_EPA_NO_SPACE;
}

/* Called if the nearest face is a facet of the CSO. The direction is its normal, and the depth is its distance,
 * computed exactly and rounded. */
static void penetrate_fill_facet(penetration *p, const grz_epa_depth *exact) {
  grz_result *result = p->result;
  grz_direction *d = &result->proof.direction;
  d->form = GRAZE_DIRECTION_FACET;
  d->sign = p->c->dim == 2 ? -1 : 1; /* in 2D the left perpendicular points inward */
  d->axis = 0, d->count = p->c->dim;
  for (int i = 0; i < p->c->dim; i++) d->pairs[i] = grz_face_pair(&p->epa.polytope, exact->face, i);
  grz_scaled deep = exact->excess;
  deep.m = -deep.m;
  grz_exact_interval(deep, exact->divisor, result);
  /* The distances of the other faces are rounded too. */
  result->answer.upper = real_min(result->answer.upper + 2 * (result->answer.upper - result->answer.distance), 0);
  grz_certify_fit(result);
}

typedef struct penetrate_pairs {
  const grz_proof *proof;
  double distance;
  graze_vec core_a, core_b; /* nearest points of the cores in the hull of the pairs */
} penetrate_pairs;

static void penetrate_pairs_work(grz_exact *x, void *context) {
  penetrate_pairs *pairs = context;
  grz_nearest n = grz_exact_nearest(x, pairs->proof->pairs, pairs->proof->pair_count);
  if (n.count == 0) return;
  grz_scaled length = scaled_sqrt(scaled_div(scaled_of_big(n.square), scaled_of_big(n.divisor)));
  pairs->distance = scaled_to_double(scaled_div(length, scaled_of_big(x->placing.scale)));
  grz_exact_keep(x, &n);
  grz_exact_core_points(x, &n, &pairs->core_a, &pairs->core_b);
}

/* Sets depth->low to minus the distance of the origin from the hull of the certificate's pairs, and the witness
 * points. */
static void penetrate_by_pairs(const penetration *p, grz_depth *depth) {
  const grz_obstacle *c = p->c;
  penetrate_pairs pairs = {.proof = &p->result->proof, .distance = c->size / c->unit};
  if (!grz_exact_run(c, penetrate_pairs_work, &pairs)) pairs.distance = c->size / c->unit;
  depth->low = pairs.distance == 0 ? 0 : -(pairs.distance * (1 + 16 * GRZ_U) + 0x1p-1074) * c->unit;
  depth->core_a = pairs.core_a, depth->core_b = pairs.core_b;
}

/* The direction of the least support width among the best known direction and the local axes of both bodies. The local
 * axes include the direction in which a flat body is thin. */
static graze_vec penetrate_direction(const penetration *p, double *width) {
  const grz_obstacle *c = p->c;
  grz_cso_point w;
  const grz_direction *known = &p->result->proof.direction;
  graze_vec d = known->form == GRAZE_DIRECTION_VECTOR ? known->vector : grz_query_direction(p->query, c);
  graze_vec best = vec_unit(d);
  *width = -grz_obstacle_gap(c, best, &w);
  for (int i = 0; i < 4 * c->dim; i++) {
    const double *r = (i & 1 ? c->a : c->b)->hidden.rotation + i / 4, sign = i & 2 ? -1 : 1;
    d = vec_make(sign * r[0], sign * r[3], c->dim == 2 ? 0 : sign * r[6]);
    double support_width = -grz_obstacle_gap(c, d, &w);
    if (support_width < *width) *width = support_width, best = d;
  }
  return best;
}

/* Bounds the depth by the support width along one direction. Used for cores that touch, for curved cores whose
 * overlap is below rounding, and when a budget ends. Better known bounds remain. */
static void penetrate_roughly(penetration *p, graze_stop why) {
  const grz_obstacle *c = p->c;
  grz_result before = *p->result, *result = p->result;
  grz_depth depth;
  penetrate_by_pairs(p, &depth);
  depth.direction = penetrate_direction(p, &depth.best);
  depth.best = real_max(depth.best, 0);
  depth.high = depth.best + c->support_error;
  penetrate_fill(p, &depth, result->answer.algorithm, 0);
  if (before.answer.upper < result->answer.upper) result->answer.upper = before.answer.upper;
  if (before.answer.lower > result->answer.lower) {
    result->answer.lower = before.answer.lower;
    result->proof.direction = before.proof.direction;
  }
  result->answer.distance = real_min(real_max(result->answer.distance, result->answer.lower), result->answer.upper);
  grz_certify_fit(result);
  result->answer.stopped = why;
}

void grz_penetrate_roughly(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  penetration p;
  penetrate_set(&p, query, c, result);
  penetrate_roughly(&p, result->answer.stopped);
}

/* Runs EPA with exact predicates. If the pairs of the relation do not enclose the origin, exact refinement computes
 * pairs that do, or proves that the cores only touch. */
static bool penetrate_epa_exact(penetration *p, grz_epa_depth *exact) {
  const double clearance = p->query->options->clearance;
  penetrate_set_points(p);
  grz_epa_exactly(&p->epa, clearance, exact);
  if (exact->end != GRZ_EPA_BROKEN || p->c->curved) return true;
  grz_exact_answer(p->c, clearance, NULL, p->result);
  if (!grz_query_is_unknown(p->result)) return false;
  penetrate_set_points(p);
  grz_epa_exactly(&p->epa, clearance, exact);
  return true;
}

/* Returns false if no polytope around the origin exists. */
static bool penetrate_exactly(penetration *p) {
  const grz_obstacle *c = p->c;
  grz_result *result = p->result;
  grz_epa_depth exact;
  grz_polytope *polytope = &p->epa.polytope;
  if (c->curved && polytope->point_capacity > PENETRATE_EXACT) polytope->point_capacity = PENETRATE_EXACT;
  if (!penetrate_epa_exact(p, &exact)) return false;
  result->answer.exact = true;
  if (exact.end == GRZ_EPA_BROKEN) {
    penetrate_roughly(p, GRAZE_STOP_PRECISION);
    if (grz_query_is_narrow(p->query, c, result)) result->answer.stopped = GRAZE_STOP_NONE;
    return false;
  }
  penetrate_fill_epa(p, &exact);
  result->answer.algorithm = p->fill ? GRAZE_ALGORITHM_BRUTE : GRAZE_ALGORITHM_EXACT;
  if (exact.end == GRZ_EPA_CLOSED && !c->curved) penetrate_fill_facet(p, &exact);
  bool narrow = grz_query_is_narrow(p->query, c, result);
  if (!narrow) result->answer.stopped = exact.end == GRZ_EPA_NO_SPACE ? GRAZE_STOP_BUDGET : GRAZE_STOP_PRECISION;
  return true;
}

static void penetrate_by_epa(void *context, void *buffer, size_t size) {
  penetration *p = context;
  grz_polytope *polytope = &p->epa.polytope;
  grz_polytope_make(polytope, buffer, size);
  bool shown = p->query->options->surface && !p->fill;
  if (shown && polytope->point_capacity > PENETRATE_SURFACE) polytope->point_capacity = PENETRATE_SURFACE;
  if (polytope->point_capacity < GRZ_POLYTOPE_LEAST) {
    penetrate_roughly(p, GRAZE_STOP_BUDGET);
    return;
  }
  penetrate_set_points(p);
  bool exact = p->query->options->method == GRAZE_METHOD_EXACT || p->fill;
  if ((!exact && penetrate_in_doubles(p)) || penetrate_exactly(p)) penetrate_surface(p);
}

static void penetrate_with_workspace(penetration *p) {
  const grz_obstacle *c = p->c;
  const double wanted = real_max(0.5 * c->support_error, 0.5 * p->query->options->tolerance * c->unit);
  p->epa = (grz_epa){.c = c, .tolerance = c->curved ? real_max(wanted, PENETRATE_CURVED * c->scale) : wanted};
  grz_with_workspace(p->query->options, penetrate_by_epa, p);
}

/* The overlaps along all axes prove the depth, whatever algorithm computed it. */
static void penetrate_name_proof(const grz_obstacle *c, grz_result *result) {
  graze_depth_proof *proof = &result->proof.depth_proof;
  if (*proof == GRAZE_DEPTH_BY_PAIRS && grz_axes_prove(&c->a->shape, &c->b->shape)) *proof = GRAZE_DEPTH_BY_AXES;
}

void grz_penetrate(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  penetration p;
  penetrate_set(&p, query, c, result);
  if (!penetrate_by_axes(&p)) penetrate_with_workspace(&p);
  penetrate_name_proof(c, result);
}

bool grz_penetrate_by_axes(const grz_query *query, const grz_obstacle *c, const grz_axis_depth *axes,
                           grz_result *result) {
  penetration p;
  penetrate_set(&p, query, c, result);
  if (!penetrate_fill_axes(&p, axes)) return false;
  if (c->tracer) grz_trace_tested_axes(c, &axes->direction, GRAZE_TRACE_BOUNDS_MET);
  penetrate_name_proof(c, result);
  return true;
}

void grz_penetrate_from(const grz_query *query, const grz_obstacle *c, grz_polytope_fill fill, grz_result *result) {
  penetration p;
  penetrate_set(&p, query, c, result);
  p.fill = fill;
  penetrate_with_workspace(&p);
  penetrate_name_proof(c, result);
}

/* ---- Workspace. The default buffer has its own stack frame, because most queries do not need it. */
enum { WORKSPACE_ON_STACK = 60 * 1024 };
_Static_assert(WORKSPACE_ON_STACK >= GRAZE_WORKSPACE_POINTS * GRZ_POLYTOPE_BYTES,
               "the default holds what graze.h promises");

__attribute__((noinline)) static void workspace_on_stack(void (*work)(void *context, void *buffer, size_t size),
                                                         void *context) {
  uint64_t buffer[WORKSPACE_ON_STACK / sizeof(uint64_t)];
  work(context, buffer, sizeof buffer);
}

void grz_with_workspace(const graze_options *options, void (*work)(void *context, void *buffer, size_t size),
                        void *context) {
  if (options->workspace != NULL)
    work(context, options->workspace, options->workspace_size);
  else
    workspace_on_stack(work, context);
}
