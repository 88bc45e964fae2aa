/* How deep is the origin in C? Boxes, and polygons of not too many corners, by their separating axes, everything else
 * by EPA; first in doubles, and where these do not give the width promised, by EPA with exact predicates. Rounded
 * shapes are as deep as their cores, and r.
 */
#include "narrow/penetrate.h"

#include "verify/depth.h"
#include "narrow/certify.h"
#include "narrow/epa_exact.h"
#include "narrow/polygon_overlap.h"
#include "narrow/workspace.h"
#include "narrow/box_axes.h"
#include "narrow/surface.h"

/* Curved cores: EPA ends at this share of the scale. Half of the width promised. */
#define PENETRATE_CURVED 0x1p-31

/* A surface of more points has more faces than anybody verifies: n points span 2n - 4. */
enum { PENETRATE_SURFACE = (GRZ_DEPTH_FACES + 4) / GRZ_POLYTOPE_FACES };

/* Curved cores have no last vertex: with exact predicates, whose time grows faster, no more points than this. */
enum { PENETRATE_EXACT = 256 };

typedef struct penetration {
  const grz_query *query;
  const grz_obstacle *c;
  const grz_axis_depth *axes; /* known already; NULL: not */
  grz_polytope_fill fill;     /* NULL, or writes the points to start from, which are all there are */
  grz_result *result;
  grz_epa epa; /* large: set by penetrate_with_room() */
} penetration;

static inline void penetrate_set(penetration *p, const grz_query *query, const grz_obstacle *c,
                                 const grz_axis_depth *axes, grz_result *result) {
  p->query = query, p->c = c, p->axes = axes, p->fill = NULL, p->result = result;
}

static bool penetrate_boxes(const grz_obstacle *c) {
  return c->a->shape.kind == GRAZE_BOX && c->b->shape.kind == GRAZE_BOX;
}

static void penetrate_fill(penetration *p, const grz_depth *depth, graze_algorithm path, int steps) {
  grz_certify_depth(p->c, p->query->options->clearance, depth, p->result);
  p->result->answer.algorithm = path;
  p->result->answer.iterations += steps;
}

bool grz_penetrate_uses_polygon_axes(const grz_query *query, const grz_obstacle *c) {
  const graze_options *options = query->options;
  if (penetrate_boxes(c)) return false;
  return options->method == GRAZE_METHOD_AUTO && options->surface == NULL;
}

/* NULL: not by axes. */
static const grz_axis_depth *penetrate_axes(const penetration *p, grz_axis_depth *axes) {
  const grz_obstacle *c = p->c;
  if (p->axes || p->query->options->method != GRAZE_METHOD_AUTO) return p->axes;
  if (penetrate_boxes(c)) {
    grz_box_depth(c->a, c->b, c->offset, c->unit, c->size, axes);
    return axes;
  }
  return grz_penetrate_uses_polygon_axes(p->query, c) && grz_polygon_depth(c, axes) ? axes : NULL;
}

/* False: not by axes, or they leave too much open. */
static bool penetrate_by_axes(penetration *p) {
  grz_axis_depth room;
  const grz_axis_depth *axes = penetrate_axes(p, &room);
  if (!axes) return false;
  grz_depth depth = {.low = axes->low, .high = axes->high, .best = axes->best};
  depth.direction = axes->direction;
  depth.core_a = vec_scale(axes->core_a, 1 / p->c->unit), depth.core_b = vec_scale(axes->core_b, 1 / p->c->unit);
  penetrate_fill(p, &depth, GRAZE_ALGORITHM_SAT, axes->axes);
  return grz_query_is_narrow(p->query, p->c, p->result);
}

/* `exact`: whose witness points to take, if not those of doubles. */
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

static void penetrate_surface(penetration *p) {
  if (!p->query->options->surface) return;
  grz_surface_of(&p->epa.polytope, p->c->dim, p->query->options->surface);
  p->result->proof.depth_proof = GRAZE_DEPTH_BY_SURFACE;
  p->result->proof.surface = p->query->options->surface;
}

/* The points that certified the relation, or those of the caller. */
static void penetrate_begin(penetration *p) {
  const grz_proof *proof = &p->result->proof;
  grz_polytope *polytope = &p->epa.polytope;
  if (p->fill) {
    p->fill(p->c, polytope);
    return;
  }
  polytope->point_count = proof->pair_count;
  for (int i = 0; i < proof->pair_count; i++) grz_polytope_set_pair(polytope, i, &proof->pairs[i]);
}

/* In doubles, from the simplex that certified the relation. */
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

/* The nearest face is a facet of C: its normal as the direction, its height as the depth, to the last digits. */
static void penetrate_facet(penetration *p, const grz_epa_depth *exact) {
  grz_result *result = p->result;
  grz_direction *d = &result->proof.direction;
  d->form = GRAZE_DIRECTION_FACET;
  d->sign = p->c->dim == 2 ? -1 : 1; /* in 2D the left perpendicular points inward */
  d->axis = 0, d->count = p->c->dim;
  for (int i = 0; i < p->c->dim; i++) d->pairs[i] = grz_face_pair(&p->epa.polytope, exact->face, i);
  grz_scaled deep = exact->excess;
  deep.m = -deep.m;
  grz_exact_interval(deep, exact->divisor, result);
  /* The heights of the other faces are rounded too. */
  result->answer.upper = real_min(result->answer.upper + 2 * (result->answer.upper - result->answer.distance), 0);
  grz_certify_fit(result);
}

typedef struct penetrate_pairs {
  const grz_proof *proof;
  double distance;
  graze_vec core_a, core_b; /* where the cores are nearest, as far as the pairs tell */
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

/* depth->low: minus at least how far the origin is from the hull of the certificate's pairs; and witness points. */
static void penetrate_by_pairs(const penetration *p, grz_depth *depth) {
  const grz_obstacle *c = p->c;
  penetrate_pairs pairs = {.proof = &p->result->proof, .distance = c->size / c->unit};
  if (!grz_exact_run(c, penetrate_pairs_work, &pairs)) pairs.distance = c->size / c->unit;
  depth->low = pairs.distance == 0 ? 0 : -(pairs.distance * (1 + 16 * GRZ_U) + 0x1p-1074) * c->unit;
  depth->core_a = pairs.core_a, depth->core_b = pairs.core_b;
}

/* The direction of the least support width among a few: the best one known, and the local axes of both bodies, one of
 * which a flat body shows its thickness along. */
static graze_vec penetrate_direction(const penetration *p, double *width) {
  const grz_obstacle *c = p->c;
  grz_cso_point w;
  const grz_direction *known = &p->result->proof.direction;
  graze_vec d = known->form == GRAZE_DIRECTION_VECTOR ? known->vector : grz_query_direction(p->query, c);
  graze_vec best = vec_unit(d);
  *width = -grz_obstacle_gap(c, best, &w, c->dim);
  for (int i = 0; i < 4 * c->dim; i++) {
    const double *r = (i & 1 ? c->a : c->b)->hidden.rotation + i / 4, sign = i & 2 ? -1 : 1;
    d = vec_make(sign * r[0], sign * r[3], c->dim == 2 ? 0 : sign * r[6]);
    double along = -grz_obstacle_gap(c, d, &w, c->dim);
    if (along < *width) *width = along, best = d;
  }
  return best;
}

/* Cores that touch, or overlap by less than anyone can tell (curved ones), or that no budget or room was left for: the
 * support width along some direction. Bounds that are better already stay. */
static void penetrate_vaguely(penetration *p, graze_stop why) {
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
  penetrate_set(&p, query, c, NULL, result);
  penetrate_vaguely(&p, result->answer.stopped);
}

/* With exact predicates. Where the relation's points do not hold the origin inside, the exact search finds points that
 * do, or that the cores only touch. */
static bool penetrate_search(penetration *p, grz_epa_depth *exact) {
  const double clearance = p->query->options->clearance;
  penetrate_begin(p);
  grz_epa_exactly(&p->epa, clearance, exact);
  if (exact->end != GRZ_EPA_BROKEN || p->c->curved) return true;
  grz_exact_answer(p->c, clearance, NULL, p->result);
  if (!grz_query_is_unknown(p->result)) return false;
  penetrate_begin(p);
  grz_epa_exactly(&p->epa, clearance, exact);
  return true;
}

/* False: there is no polytope around the origin to show for it. */
static bool penetrate_exactly(penetration *p) {
  const grz_obstacle *c = p->c;
  grz_result *result = p->result;
  grz_epa_depth exact;
  grz_polytope *polytope = &p->epa.polytope;
  if (c->curved && polytope->point_capacity > PENETRATE_EXACT) polytope->point_capacity = PENETRATE_EXACT;
  if (!penetrate_search(p, &exact)) return false;
  result->answer.exact = true;
  if (exact.end == GRZ_EPA_BROKEN) {
    penetrate_vaguely(p, GRAZE_STOP_PRECISION);
    if (grz_query_is_narrow(p->query, c, result)) result->answer.stopped = GRAZE_STOP_NONE;
    return false;
  }
  penetrate_fill_epa(p, &exact);
  result->answer.algorithm = p->fill ? GRAZE_ALGORITHM_BRUTE : GRAZE_ALGORITHM_EXACT;
  if (exact.end == GRZ_EPA_CLOSED && !c->curved) penetrate_facet(p, &exact);
  bool narrow = grz_query_is_narrow(p->query, c, result);
  if (!narrow) result->answer.stopped = exact.end == GRZ_EPA_NO_SPACE ? GRAZE_STOP_BUDGET : GRAZE_STOP_PRECISION;
  return true;
}

static void penetrate_by_epa(void *context, void *room, size_t size) {
  penetration *p = context;
  grz_polytope *polytope = &p->epa.polytope;
  grz_polytope_make(polytope, room, size);
  bool shown = p->query->options->surface && !p->fill;
  if (shown && polytope->point_capacity > PENETRATE_SURFACE) polytope->point_capacity = PENETRATE_SURFACE;
  if (polytope->point_capacity < GRZ_POLYTOPE_LEAST) {
    penetrate_vaguely(p, GRAZE_STOP_BUDGET);
    return;
  }
  penetrate_begin(p);
  bool exact = p->query->options->method == GRAZE_METHOD_EXACT || p->fill;
  if ((!exact && penetrate_in_doubles(p)) || penetrate_exactly(p)) penetrate_surface(p);
}

static void penetrate_with_room(penetration *p) {
  const grz_obstacle *c = p->c;
  const double wanted = real_max(0.5 * c->support_error, 0.5 * p->query->options->tolerance * c->unit);
  p->epa = (grz_epa){.c = c, .tolerance = c->curved ? real_max(wanted, PENETRATE_CURVED * c->scale) : wanted};
  grz_with_workspace(p->query->options, penetrate_by_epa, p);
}

/* The axes of polygons have no steps to tell: EPA, which comes to the same, has. What it says is left aside. */
__attribute__((noinline)) static void penetrate_and_tell(penetration *p) {
  grz_result unused = *p->result;
  penetration told;
  penetrate_set(&told, p->query, p->c, NULL, penetrate_by_axes(p) ? &unused : p->result);
  penetrate_with_room(&told);
}

/* The axes of two boxes prove any depth. */
static void penetrate_name_proof(const grz_obstacle *c, grz_result *result) {
  graze_depth_proof *proof = &result->proof.depth_proof;
  if (penetrate_boxes(c) && *proof == GRAZE_DEPTH_BY_PAIRS) *proof = GRAZE_DEPTH_BY_BOX_AXES;
}

void grz_penetrate(const grz_query *query, const grz_obstacle *c, const grz_axis_depth *axes, grz_result *result) {
  penetration p;
  penetrate_set(&p, query, c, axes, result);
  const bool boxes = penetrate_boxes(c);
  if (c->tracer && !boxes && query->options->method == GRAZE_METHOD_AUTO)
    penetrate_and_tell(&p);
  else if (!penetrate_by_axes(&p))
    penetrate_with_room(&p);
  penetrate_name_proof(c, result);
}

void grz_penetrate_from(const grz_query *query, const grz_obstacle *c, grz_polytope_fill fill, grz_result *result) {
  penetration p;
  penetrate_set(&p, query, c, NULL, result);
  p.fill = fill;
  penetrate_with_room(&p);
  penetrate_name_proof(c, result);
}
