/* Portal refinement (Snethen, XenoCollide, 2008): from a point v0 inside C, follow the ray to the origin out through a
 * facet spanned by three support points, the portal, and refine it. Its normal stays well defined however near the
 * origin lies to the boundary; every support point met on the way is a lower bound, every portal beyond the origin an
 * upper one. */
#include "narrow/portal.h"

#include "narrow/certify.h"
#include "narrow/inscribed.h"
#include "narrow/trace.h"
#include "shape/core.h"

enum { PORTAL_STEPS = 128 };

typedef struct portal {
  const grz_obstacle *c;
  grz_gjk *gjk;
  grz_result *result;
  grz_cso_point v[4]; /* 0: inside C; 1 … dim: the portal */
  int known;          /* how many of them there are */
  int corners;        /* of the portal, so far */
} portal;

/* A point inside a curved core, away from its axes so that no symmetry puts the ray through a vertex or an edge of the
 * portal; of another shape, a vertex. With one curved core of full dimension, their difference lies inside C. */
static grz_core_point portal_anchor(const graze_shape *shape) {
  const double radius = grz_radius_parameter(shape);
  graze_vec size = {0, 0, 0};
  if (!grz_is_curved(shape)) return (grz_core_point){grz_core_vertex(shape, 0), 0};
  if (shape->kind == GRAZE_ELLIPSOID) size = shape->as.ellipsoid.radii;
  if (shape->kind == GRAZE_CYLINDER || shape->kind == GRAZE_CONE)
    size = vec_make(radius, radius, shape->as.cylinder.half_length);
  return (grz_core_point){vec_make(0.0713 * size.x, 0.0457 * size.y, -0.0391 * size.z), -1};
}

/* A support point; its direction (not zero, however small) joins the lower bounds. */
static grz_cso_point portal_support(portal *p, graze_vec d) {
  d = vec_unit_inf(d);
  grz_cso_point w;
  double gap = grz_obstacle_gap(p->c, d, &w, p->c->dim);
  if (gap > p->gjk->lower) p->gjk->lower = gap, p->gjk->lower_direction = d;
  p->result->answer.iterations++;
  if (p->c->tracer) {
    graze_trace_step step = grz_trace_make(p->c, GRAZE_PHASE_PORTAL, d, &w, p->v, p->corners + 1);
    grz_trace_defer(p->c, p->gjk, &step);
  }
  return w;
}

/* Why did it end? */
static void portal_trace(const portal *p) {
  graze_trace_stop stop = GRAZE_TRACE_NO_PROGRESS;
  if (p->result->proof.kind == GRAZE_CERTIFICATE_INSIDE)
    stop = GRAZE_TRACE_CONTAINS_ORIGIN;
  else if (p->c->tracer->waits && p->c->tracer->step.origin_check <= 0)
    stop = GRAZE_TRACE_ORIGIN_NOT_PASSED;
  else if (p->result->answer.relation != GRAZE_UNDECIDED)
    stop = GRAZE_TRACE_BOUNDS_MET;
  grz_trace_flush(p->c->tracer, stop);
}

static bool portal_passes(const grz_cso_point *w, graze_vec d) { return vec_dot(w->w, d) > 0; }

/* The origin looks to be on the inner side of the portal: is it surely so? */
static bool portal_inside(portal *p) {
  if (p->c->radius > 0 || !grz_certify_inside(p->c, p->v)) return false;
  grz_proof *proof = &p->result->proof;
  p->result->answer.relation = GRAZE_OVERLAPPING;
  proof->kind = GRAZE_CERTIFICATE_INSIDE;
  proof->pair_count = p->c->dim + 1;
  for (int i = 0; i < proof->pair_count; i++) proof->pairs[i] = grz_obstacle_pair(&p->v[i]);
  p->gjk->holds_origin = true;
  return true;
}

static graze_vec portal_across(graze_vec v) {
  graze_vec d = vec_cross(v, real_abs(v.x) < real_abs(v.y) ? vec_make(1, 0, 0) : vec_make(0, 1, 0));
  return vec_norm_inf(d) > 0 ? d : vec_make(1, 0, 0);
}

/* The corner beyond the origin as v0 sees it. False: the origin is v0, or is not passed. */
static bool portal_first(portal *p) {
  graze_vec d = vec_neg(p->v[0].w);
  if (vec_norm_inf(d) == 0) return false;
  p->v[1] = portal_support(p, d);
  p->corners = 1;
  return portal_passes(&p->v[1], d);
}

/* A first portal that the ray from v0 through the origin crosses. False when a direction does not pass the origin. */
static bool portal_discover3(portal *p) {
  if (!portal_first(p)) return false;
  graze_vec v0 = p->v[0].w, d = vec_cross(p->v[1].w, v0);
  if (vec_norm_inf(d) == 0) d = portal_across(v0);
  p->v[2] = portal_support(p, d);
  p->corners = 2;
  if (!portal_passes(&p->v[2], d)) return false;
  d = vec_cross(vec_sub(p->v[1].w, v0), vec_sub(p->v[2].w, v0));
  if (vec_dot(d, v0) > 0) {
    grz_cso_point t = p->v[1];
    p->v[1] = p->v[2], p->v[2] = t;
    d = vec_neg(d);
  }
  for (int i = 0; i < PORTAL_STEPS && vec_norm_inf(d) > 0; i++) {
    p->v[3] = portal_support(p, d);
    if (!portal_passes(&p->v[3], d)) return false;
    if (vec_dot(vec_cross(p->v[1].w, p->v[3].w), v0) < 0)
      p->v[2] = p->v[3];
    else if (vec_dot(vec_cross(p->v[3].w, p->v[2].w), v0) < 0)
      p->v[1] = p->v[3];
    else
      return true;
    d = vec_cross(vec_sub(p->v[1].w, v0), vec_sub(p->v[2].w, v0));
  }
  return false;
}

static graze_vec portal_left(graze_vec v) { return vec_make(-v.y, v.x, 0); }

static bool portal_discover2(portal *p) {
  if (!portal_first(p)) return false;
  graze_vec d = portal_left(p->v[0].w);
  if (vec_dot(d, p->v[1].w) > 0) d = vec_neg(d);
  p->v[2] = portal_support(p, d);
  return portal_passes(&p->v[2], d);
}

/* The portal's normal, away from v0. */
static graze_vec portal_normal(const portal *p) {
  graze_vec e = vec_sub(p->v[2].w, p->v[1].w), n;
  if (p->c->dim == 2)
    n = portal_left(e);
  else
    n = vec_cross(e, vec_sub(p->v[3].w, p->v[1].w));
  return vec_dot(n, vec_sub(p->v[1].w, p->v[0].w)) < 0 ? vec_neg(n) : n;
}

/* The new point replaces the corner that keeps the ray inside the portal. */
static void portal_narrow(portal *p, const grz_cso_point *next) {
  int out;
  if (p->c->dim == 2) {
    graze_vec side = portal_left(p->v[0].w);
    out = (vec_dot(side, next->w) > 0) == (vec_dot(side, p->v[1].w) > 0) ? 1 : 2;
  } else {
    graze_vec across = vec_cross(next->w, p->v[0].w);
    if (vec_dot(p->v[1].w, across) > 0)
      out = vec_dot(p->v[2].w, across) > 0 ? 1 : 3;
    else
      out = vec_dot(p->v[3].w, across) > 0 ? 2 : 1;
  }
  p->v[out] = *next;
}

static void portal_descend(portal *p) {
  for (int i = 0; i < PORTAL_STEPS; i++) {
    graze_vec n = portal_normal(p);
    if (vec_norm_inf(n) == 0) return;
    n = vec_unit_inf(n);
    bool beyond = vec_dot(n, p->v[1].w) >= 0;
    if (beyond && portal_inside(p)) return;
    grz_cso_point next = portal_support(p, n);
    if (grz_certify_relation(p->c, p->gjk, p->result)) return;
    if (vec_dot(n, vec_sub(next.w, p->v[1].w)) <= 0.25 * p->c->point_error) return;
    portal_narrow(p, &next);
  }
}

static void portal_run(portal *p) {
  p->v[0] = grz_obstacle_point(p->c, portal_anchor(&p->c->a->shape), portal_anchor(&p->c->b->shape), p->c->dim);
  bool found = p->c->dim == 2 ? portal_discover2(p) : portal_discover3(p);
  p->known = found ? p->c->dim + 1 : 0;
  p->corners = p->c->dim;
  if (found) portal_descend(p);
}

/* What the search has found, to the polytopes inscribed in the shapes. */
static void portal_inscribe(portal *p, const graze_options *options) {
  grz_inscribed points = {.direction = p->gjk->lower_direction};
  for (int i = 0; i < p->gjk->simplex.count; i++) points.pair[points.count++] = p->gjk->simplex.point[i];
  for (int i = 0; i < p->known; i++) points.pair[points.count++] = p->v[i];
  grz_inscribed_decide(p->c, options, &points, p->gjk, p->result);
}

void grz_portal_refine(const grz_obstacle *c, const graze_options *options, grz_gjk *gjk, grz_result *result) {
  portal p = {.c = c, .gjk = gjk, .result = result};
  bool user = c->a->shape.kind == GRAZE_USER || c->b->shape.kind == GRAZE_USER;
  result->answer.algorithm = GRAZE_ALGORITHM_PORTAL;
  if (!user) portal_run(&p);
  if (c->tracer) portal_trace(&p);
  bool decided = result->answer.relation != GRAZE_UNDECIDED || grz_certify_relation(c, gjk, result);
  if (decided && !grz_certify_misled(gjk, result)) {
    grz_certify_numbers(c, options->clearance, gjk, result);
    return;
  }
  portal_inscribe(&p, options);
}

void grz_portal_narrow(const grz_obstacle *c, const graze_options *options, grz_gjk *gjk, grz_result *result) {
  portal p = {.c = c, .gjk = gjk, .result = result};
  portal_inscribe(&p, options);
}
