/* The separating axis test (SAT). */
#include "compare/compare.h"

#include "narrow/boxes.h"
#include "compare/axis_search.h"
#include "narrow/certify.h"
#include "narrow/distance.h"
#include "narrow/penetrate.h"
#include "narrow/query.h"
#include "compare/sat_faces_edges.h"
#include "shape/placed.h"

typedef struct sat_search {
  const grz_obstacle *c;
  grz_axis_search axes;
  grz_axis_visit visit;
  grz_axis_candidate best; /* visitors keep it */
  double low;              /* sat_keep_depth: the least of all */
  bool room;               /* the features had room */
  int tested;
  graze_axis_function report; /* graze_sat */
  void *report_context;
  grz_result *result; /* grz_sat_separates */
} sat_search;

static void sat_work(void *context, void *buffer, size_t size) {
  sat_search *s = context;
  grz_features a, b;
  grz_workspace room = {buffer, size, false};
  s->room = grz_sat_features(&a, s->c->a, s->c->unit, &room) && grz_sat_features(&b, s->c->b, s->c->unit, &room);
  if (!s->room) return;
  s->axes = (grz_axis_search){.a = &a, .b = &b, .offset = s->c->offset, .size = s->c->size};
  (void)grz_axes_search(&s->axes, s->visit, s);
}

/* Is this the best so far, and then it is kept. */
static bool sat_keep_best(sat_search *s, const grz_axis_candidate *found) {
  double tie = s->tested == 0 ? 0 : GRZ_AXIS_TIE * GRZ_U * s->c->size;
  bool better = s->tested == 0 || found->separation > s->best.separation + tie;
  if (better) s->best = *found;
  s->tested++;
  return better;
}

/* ---- Does some axis separate? */

static bool sat_try(void *context, const grz_axis_candidate *found) {
  sat_search *s = context;
  s->tested++;
  if (!(found->separation > s->c->radius)) return true;
  return !grz_certify_axis(s->c, found->direction, s->result);
}

static bool sat_separates(const grz_obstacle *c, const graze_options *options, grz_result *result) {
  sat_search s = {.c = c, .visit = sat_try, .result = result};
  grz_with_workspace(options, sat_work, &s);
  result->answer.iterations += s.tested;
  if (result->answer.relation != GRAZE_SEPARATED) return false;
  result->answer.algorithm = GRAZE_ALGORITHM_SAT;
  return true;
}

/* ---- How deep? */

static bool sat_keep_depth(void *context, const grz_axis_candidate *found) {
  sat_search *s = context;
  if (sat_keep_best(s, found)) s->axes.limit = -found->separation;
  s->low = s->tested == 1 ? found->low : real_min(s->low, found->low);
  return true;
}

/* The cores moved apart along the direction until they would touch, and `aside` further: their nearest points stay
 * those that would touch first. Returns how far the points found are from being apart by the depth. */
static double sat_witness_aside(const grz_obstacle *c, double depth, double aside, grz_axis_depth *out) {
  grz_obstacle apart;
  grz_gjk gjk;
  graze_options options = graze_default_options();
  grz_goal goal = {.enough_lower = __builtin_inf(), .enough_upper = -1, .width = 0};
  grz_obstacle_make(&apart, c->a, c->b, 0);
  apart.offset = vec_sub(c->offset, vec_scale(out->direction, depth + aside));
  grz_gjk_run(&gjk, &apart, &goal, out->direction, NULL, &options);
  graze_vec core_a = {0, 0, 0}, core_b = {0, 0, 0};
  for (int i = 0; i < gjk.simplex.count; i++) {
    const grz_cso_point *p = &gjk.simplex.point[i];
    double weight = gjk.holds_origin ? 1.0 / gjk.simplex.count : gjk.simplex.weight[i];
    core_a = vec_add(core_a, vec_scale(vec_rotate(c->rotate_a, p->a.local, c->dim), weight));
    core_b = vec_add(core_b, vec_scale(vec_rotate(c->rotate_b, p->b.local, c->dim), weight));
  }
  out->core_a = core_a, out->core_b = core_b;
  graze_vec w = vec_add(vec_sub(core_a, core_b), c->offset);
  return vec_length(vec_sub(w, vec_scale(out->direction, depth)));
}

/* Too near, and GJK cannot tell; farther away, ties among axes move the points more. False: bodies of very different
 * size, among whose features GJK lost its way. */
static bool sat_witness(const grz_obstacle *c, double depth, grz_axis_depth *out) {
  double best = __builtin_inf();
  for (double aside = 0x1p-40; aside < 1; aside *= 0x1p10) {
    grz_axis_depth tried = *out;
    double off = sat_witness_aside(c, depth, aside * c->size, &tried);
    if (off < best) best = off, out->core_a = tried.core_a, out->core_b = tried.core_b;
    if (best <= 0x1p-44 * c->size) break;
  }
  return best <= 0x1p-34 * c->size;
}

/* In a frame of its own, which boxes do without. */
__attribute__((noinline)) static bool sat_depth_by_search(const grz_obstacle *c, const graze_options *options,
                                                          grz_axis_depth *out) {
  sat_search s = {.c = c, .visit = sat_keep_depth};
  grz_with_workspace(options, sat_work, &s);
  if (!s.room || s.tested == 0 || !s.axes.whole) return false;
  grz_cso_point p;
  out->direction = s.best.direction;
  out->axes = s.tested;
  out->high = c->support_error - grz_obstacle_gap(c, out->direction, &p, c->dim);
  out->best = -s.best.separation;
  out->low = real_max(s.low - s.axes.slivers, 0);
  return sat_witness(c, -s.best.separation, out) && out->low <= out->high;
}

static bool sat_depth(const grz_obstacle *c, const graze_options *options, grz_axis_depth *out) {
  if (c->a->shape.kind != GRAZE_BOX || c->b->shape.kind != GRAZE_BOX) return sat_depth_by_search(c, options, out);
  grz_box_depth(c->a, c->b, c->offset, c->unit, c->size, out);
  return true;
}

/* ---- For the caller to see. */

static graze_interval sat_span(const grz_obstacle *c, const graze_placed *placed, graze_interval span, graze_vec d) {
  double at = vec_dot(d, placed_origin(placed));
  graze_interval whole = {(at + span.min / c->unit) - placed->hidden.radius, (at + span.max / c->unit) + placed->hidden.radius};
  return whole;
}

static graze_axis sat_public(const grz_obstacle *c, const grz_axis_candidate *found) {
  graze_axis axis = {found->kind, found->feature_a, found->feature_b, found->direction, 0, {0, 0}, {0, 0}};
  axis.separation = found->separation / c->unit - (c->a->hidden.radius + c->b->hidden.radius);
  axis.a = sat_span(c, c->a, found->a, found->direction);
  axis.b = sat_span(c, c->b, found->b, found->direction);
  return axis;
}

static bool sat_report(void *context, const grz_axis_candidate *found) {
  sat_search *s = context;
  graze_axis axis = sat_public(s->c, found);
  (void)sat_keep_best(s, found);
  return s->report == NULL || s->report(s->report_context, &axis);
}

graze_status graze_compare_axes(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                graze_axis_function visit, void *context, graze_axis *best) {
  grz_query query;
  grz_obstacle c;
  grz_result unused;
  const graze_status status = grz_compare_start(&query, &c, a, b, options, &unused);
  if (status != GRAZE_OK) return status;
  sat_search s = {.c = &c, .visit = sat_report, .report = visit, .report_context = context};
  grz_with_workspace(query.options, sat_work, &s);
  if (!s.room) return GRAZE_NO_SPACE;
  if (s.tested == 0) return GRAZE_UNSUPPORTED;
  *best = sat_public(&c, &s.best);
  return GRAZE_OK;
}

graze_status grz_compare_start(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b,
                               const graze_options *options, grz_result *result) {
  const graze_status status = grz_query_start(query, obstacle, a, b, options, result);
  if (status != GRAZE_OK) return status;
  const bool polytopes = !grz_is_curved(&a->shape) && !grz_is_curved(&b->shape) && !query->plane;
  return polytopes && query->options->method == GRAZE_METHOD_AUTO ? GRAZE_OK : GRAZE_UNSUPPORTED;
}

graze_status graze_compare_sat(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               graze_answer *answer) {
  grz_query query;
  grz_obstacle c;
  grz_result result;
  grz_axis_depth axes;
  graze_status status = grz_compare_start(&query, &c, a, b, options, &result);
  if (status != GRAZE_OK) return status;
  const bool separated = sat_separates(&c, query.options, &result);
  const int tested = result.answer.iterations;
  grz_query_blank(&result, a, b);
  /* The numbers of separated shapes need the nearest points, which no axis gives. */
  if (!separated) status = grz_intersect_pair(a, b, query.options, &result);
  if (status != GRAZE_OK) return status;
  if (result.answer.relation == GRAZE_OVERLAPPING && c.radius == 0 && sat_depth(&c, query.options, &axes))
    grz_penetrate(&query, &c, &axes, &result);
  else
    status = grz_distance_pair(a, b, query.options, &result);
  if (separated) result.answer.algorithm = GRAZE_ALGORITHM_SAT;
  result.answer.iterations += tested;
  *answer = result.answer;
  if (query.options->certificate) grz_proof_write(&result.proof, query.options->certificate);
  return status;
}
