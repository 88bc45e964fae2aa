/* Curved shapes near contact: portal refinement, then exact queries of inscribed polytopes.
 *
 * Portal refinement (Snethen, "XenoCollide: Complex Collision Made Simple", 2008): the ray from a point v0 inside the
 * CSO through the origin crosses a triangle of three support points, the portal. The portal is refined by the support
 * point along its normal. Each support point gives a lower bound of the distance, and a portal beyond the origin proves
 * an overlap. */
#include "narrow/stages.h"

#include "narrow/search.h"
#include "narrow/query.h"
#include "narrow/trace.h"
#include "shape/shape.h"
#include "verify/verify.h"

/* ---- Inscribed polytopes
 *
 * The hull of a few points of a curved core lies in that core. If two such hulls overlap, so do the shapes. If they
 * touch along a direction that supports both shapes, the shapes touch; the verifier decides this exactly. If they are
 * disjoint, their distance is an upper bound. */

/* Points of the CSO by their parents, and the best direction from A to B. */
typedef struct inscribed_points {
  int count;
  grz_cso_point pair[8];
  graze_vec direction;
} inscribed_points;

/* Points of one core (rims, poles, support points), and the number of rounds. */
enum { INSCRIBED_MOST = 32, INSCRIBED_ROUNDS = 8 };

typedef struct inscribed_body {
  graze_vec vertex[INSCRIBED_MOST];
  int count;
  graze_placed placed; /* the inscribed hull; for a polytope, the body itself */
} inscribed_body;

static void inscribed_add(inscribed_body *body, graze_vec v) {
  if (body->count < INSCRIBED_MOST) body->vertex[body->count++] = v;
}

/* Removes the rounding errors of an axis-parallel direction. */
static graze_vec inscribed_clean(graze_vec d) {
  double dust = 1e-9 * vec_norm_inf(d);
  return vec_make(real_abs(d.x) < dust ? 0 : d.x, real_abs(d.y) < dust ? 0 : d.y, real_abs(d.z) < dust ? 0 : d.z);
}

/* Adds eight rim points of a disk; those on the axes are exact. With a subnormal radius, 0.7071·radius can round up and
 * leave the disk. */
static void inscribed_add_disk(inscribed_body *body, double radius, double z) {
  double part = radius < 0x1p-1000 ? 0 : radius * 0.7071;
  for (int sign = -1; sign <= 1; sign += 2) {
    inscribed_add(body, vec_make(sign * radius, 0, z));
    inscribed_add(body, vec_make(0, sign * radius, z));
    inscribed_add(body, vec_make(sign * part, part, z));
    inscribed_add(body, vec_make(sign * part, -part, z));
  }
}

/* Adds poles, rims and apex of the core. */
static void inscribed_add_outline(inscribed_body *body, const graze_shape *shape) {
  if (shape->kind == GRAZE_ELLIPSOID) {
    graze_vec r = shape->as.ellipsoid.radii;
    for (int sign = -1; sign <= 1; sign += 2) {
      inscribed_add(body, vec_make(sign * r.x, 0, 0));
      inscribed_add(body, vec_make(0, sign * r.y, 0));
      if (shape->dim == 3) inscribed_add(body, vec_make(0, 0, sign * r.z));
    }
    return;
  }
  inscribed_add_disk(body, shape->as.capsule.radius, -shape->as.capsule.half_length);
  if (shape->kind == GRAZE_CYLINDER)
    inscribed_add_disk(body, shape->as.capsule.radius, shape->as.capsule.half_length);
  else
    inscribed_add(body, vec_make(0, 0, shape->as.capsule.half_length));
}

/* Adds the support point along d, or both ends of a supporting line. */
static void inscribed_add_support(inscribed_body *body, const graze_shape *shape, graze_vec d) {
  double slack = 0;
  graze_vec at = grz_support_local(shape, d, &slack).local;
  inscribed_add(body, at);
  if (shape->kind == GRAZE_CYLINDER) inscribed_add(body, vec_make(at.x, at.y, -at.z));
}

/* Builds the inscribed hull of a curved body: rims and poles, the support along the local direction d, and the points
 * of the search. */
static void inscribed_make(inscribed_body *body, const graze_placed *placed, const inscribed_points *points, bool is_a,
                           graze_vec d) {
  body->count = 0;
  body->placed = *placed;
  if (!grz_is_curved(&placed->shape)) return;
  if (placed->shape.kind != GRAZE_USER) {
    inscribed_add_support(body, &placed->shape, inscribed_clean(d));
    inscribed_add_outline(body, &placed->shape);
  }
  for (int i = 0; i < points->count; i++) {
    inscribed_add(body, is_a ? points->pair[i].a.local : points->pair[i].b.local);
  }
  body->placed.shape.kind = GRAZE_HULL;
  body->placed.shape.as.hull.vertices = body->vertex;
  body->placed.shape.as.hull.count = (size_t)body->count;
}

/* Marks vertices of an inscribed hull as points, because its indices are unknown outside of this file. */
static void inscribed_remove_indices(const inscribed_body *a, const inscribed_body *b, grz_pair *pair, int count) {
  for (int i = 0; i < count; i++) {
    if (a->count > 0) pair[i].a = -1;
    if (b->count > 0) pair[i].b = -1;
  }
}

static bool inscribed_prove(const grz_obstacle *c, const graze_options *options, grz_result *result) {
  return grz_verify_pair(c->a, c->b, options->clearance, &result->answer, &result->proof) == GRAZE_OK;
}

/* Tests whether the shapes touch along the direction of the hulls, or along the best direction without rounding
 * errors. */
static bool inscribed_touch(const grz_obstacle *c, const graze_options *options, const inscribed_points *points,
                            grz_result *touch) {
  if (inscribed_prove(c, options, touch)) return true;
  graze_vec d = inscribed_clean(points->direction);
  touch->proof.direction.form = GRAZE_DIRECTION_VECTOR;
  touch->proof.direction.vector = d;
  touch->answer.normal = vec_unit(d);
  return inscribed_prove(c, options, touch);
}

/* The hulls are disjoint: their distance is the upper bound, the best direction gives the lower bound. */
static void inscribed_disjoint(const grz_obstacle *c, const graze_options *options, const grz_gjk *gjk,
                               grz_result *result) {
  result->answer.normal = vec_unit(gjk->lower_direction);
  grz_certify_lower(c, gjk, result);
  result->answer.relation = GRAZE_SEPARATED;
  result->proof.kind = GRAZE_CERTIFICATE_SEPARATED;
  double lower = result->answer.lower;
  result->answer.lower = real_max(lower, 0);
  result->answer.distance = real_max(result->answer.distance, result->answer.lower);
  if (inscribed_prove(c, options, result)) return;
  result->answer.lower = real_min(lower, 0);
  result->answer.relation = GRAZE_UNDECIDED;
  result->proof.kind = GRAZE_CERTIFICATE_NONE;
}

/* The hulls touch. The shapes may overlap by less than can be proved. */
static void inscribed_undecided(const grz_obstacle *c, const grz_gjk *gjk, grz_result *result) {
  grz_certify_lower(c, gjk, result);
  result->answer.lower = real_min(result->answer.lower, 0);
  result->answer.relation = GRAZE_UNDECIDED;
  result->proof.kind = GRAZE_CERTIFICATE_NONE;
}

/* The hulls overlap, so the shapes overlap. If the cores are surely disjoint, the depth is r - |v|; otherwise it
 * remains unknown. */
static void inscribed_overlap(const grz_obstacle *c, const grz_gjk *gjk, grz_result *result) {
  double upper = grz_query_is_unknown(result) ? 0 : result->answer.upper;
  if (grz_gjk_lower(gjk, c) <= 0) grz_query_clear_numbers(result);
  grz_certify_lower(c, gjk, result);
  result->answer.lower = real_min(result->answer.lower, 0);
  result->answer.upper = upper;
  if (result->answer.distance < result->answer.lower) result->answer.distance = result->answer.lower;
}

/* Runs exact refinement on the hulls. */
static void inscribed_query(const grz_obstacle *c, const graze_options *options, const inscribed_points *points,
                            grz_result *result) {
  inscribed_body a, b;
  graze_vec d = inscribed_clean(points->direction);
  inscribed_make(&a, c->a, points, true, vec_unrotate(c->rotate_a, d, c->dim));
  inscribed_make(&b, c->b, points, false, vec_neg(vec_unrotate(c->rotate_b, d, c->dim)));
  grz_obstacle hulls;
  grz_obstacle_make(&hulls, &a.placed, &b.placed, options->clearance);
  hulls.tracer = c->tracer;
  bool conditional = result->answer.conditional;
  grz_exact_answer(&hulls, options->clearance, NULL, result);
  result->answer.conditional = conditional;
  inscribed_remove_indices(&a, &b, result->proof.pairs, result->proof.pair_count);
  inscribed_remove_indices(&a, &b, result->proof.direction.pairs, result->proof.direction.count);
  result->answer.algorithm = GRAZE_ALGORITHM_PORTAL;
}

/* Adds the support points along the exact normal of disjoint hulls. Returns false if no further progress is
 * possible. */
static bool inscribed_grow(const grz_obstacle *c, inscribed_points *points, grz_gjk *gjk, const grz_result *result) {
  double slack = 0, gap;
  grz_cso_point next = grz_obstacle_support(c, result->answer.normal, &slack);
  gap = -vec_dot(result->answer.normal, next.w) - slack;
  bool better = gap > gjk->lower;
  if (better) gjk->lower = gap, gjk->lower_direction = points->direction = result->answer.normal;
  points->count = 0;
  for (int i = 0; i < result->proof.pair_count; i++) {
    points->pair[points->count++] = grz_obstacle_of_pair(c, &result->proof.pairs[i], c->dim);
  }
  points->pair[points->count++] = next;
  return result->answer.distance * c->unit + c->radius - gjk->lower > 0.5 * c->support_error;
}

/* Fills relation (possibly UNDECIDED), certificate and numbers. While the hulls are disjoint, adds the support points
 * along their exact normal. This is GJK for curved shapes with an exact simplex. */
static void inscribed_decide(const grz_obstacle *c, const graze_options *options, inscribed_points *points,
                             grz_gjk *gjk, grz_result *result) {
  inscribed_query(c, options, points, result);
  for (int round = 0; round < INSCRIBED_ROUNDS && result->answer.relation == GRAZE_SEPARATED; round++) {
    if (!inscribed_grow(c, points, gjk, result)) break;
    inscribed_query(c, options, points, result);
  }
  if (result->answer.relation == GRAZE_OVERLAPPING) {
    inscribed_overlap(c, gjk, result);
  } else if (result->answer.relation == GRAZE_SEPARATED) {
    inscribed_disjoint(c, options, gjk, result);
  } else {
    grz_result touch = *result;
    if (inscribed_touch(c, options, points, &touch))
      *result = touch;
    else
      inscribed_undecided(c, gjk, result);
  }
  if (!grz_query_is_unknown(result) && result->answer.distance != 0) grz_certify_fit(result);
}

/* ---- Portal refinement */
enum { PORTAL_STEPS = 128 };

typedef struct portal {
  const grz_obstacle *c;
  grz_gjk *gjk;
  grz_result *result;
  grz_cso_point v[4]; /* 0: inside the CSO; 1 … dim: the portal */
  int known;          /* number of valid points */
  int corners;        /* corners of the portal so far */
} portal;

/* Returns a point inside a curved core, off its axes, so that the ray does not pass through a vertex or an edge of the
 * portal by symmetry. For a polytope, returns a vertex. If one curved core has full dimension, the difference lies
 * inside the CSO. */
static grz_core_point portal_interior_point(const graze_shape *shape) {
  const double radius = grz_radius_parameter(shape);
  graze_vec size = {0, 0, 0};
  if (!grz_is_curved(shape)) return (grz_core_point){grz_core_vertex(shape, 0), 0};
  if (shape->kind == GRAZE_ELLIPSOID) size = shape->as.ellipsoid.radii;
  if (shape->kind == GRAZE_CYLINDER || shape->kind == GRAZE_CONE)
    size = vec_make(radius, radius, shape->as.cylinder.half_length);
  return (grz_core_point){vec_make(0.0713 * size.x, 0.0457 * size.y, -0.0391 * size.z), -1};
}

/* Computes a support point and updates the lower bound with its direction, which is not zero. */
static grz_cso_point portal_support(portal *p, graze_vec d) {
  d = vec_unit_inf(d);
  grz_cso_point w;
  double gap = grz_obstacle_gap(p->c, d, &w);
  if (gap > p->gjk->lower) p->gjk->lower = gap, p->gjk->lower_direction = d;
  p->result->answer.iterations++;
  if (p->c->tracer) {
    graze_trace_step step = grz_trace_make(p->c, GRAZE_PHASE_PORTAL, d, &w, p->v, p->corners + 1);
    grz_trace_defer(p->c, p->gjk, &step);
  }
  return w;
}

/* Reports why the search ended. */
static void portal_trace(const portal *p) {
  graze_trace_stop stop = GRAZE_TRACE_NO_PROGRESS;
  if (p->result->proof.kind == GRAZE_CERTIFICATE_INSIDE)
    stop = GRAZE_TRACE_CONTAINS_ORIGIN;
  else if (p->c->tracer->pending && p->c->tracer->step.origin_check <= 0)
    stop = GRAZE_TRACE_ORIGIN_NOT_PASSED;
  else if (p->result->answer.relation != GRAZE_UNDECIDED)
    stop = GRAZE_TRACE_BOUNDS_MET;
  grz_trace_flush(p->c->tracer, stop);
}

static bool portal_passes(const grz_cso_point *w, graze_vec d) { return vec_dot(w->w, d) > 0; }

/* Called if the origin seems to lie on the inner side of the portal. Returns true, and fills the overlap, if this is
 * certain and r = 0. */
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

/* Computes the support point in the direction from v0 to the origin. Returns false if v0 is the origin, or if the
 * support point does not pass the origin. */
static bool portal_first(portal *p) {
  graze_vec d = vec_neg(p->v[0].w);
  if (vec_norm_inf(d) == 0) return false;
  p->v[1] = portal_support(p, d);
  p->corners = 1;
  return portal_passes(&p->v[1], d);
}

/* Portal discovery: finds a portal that the ray from v0 through the origin crosses. Returns false if a support point
 * does not pass the origin. */
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

/* The normal of the portal, away from v0. */
static graze_vec portal_normal(const portal *p) {
  graze_vec e = vec_sub(p->v[2].w, p->v[1].w), n;
  if (p->c->dim == 2)
    n = portal_left(e);
  else
    n = vec_cross(e, vec_sub(p->v[3].w, p->v[1].w));
  return vec_dot(n, vec_sub(p->v[1].w, p->v[0].w)) < 0 ? vec_neg(n) : n;
}

/* Replaces one corner of the portal by `next` such that the ray still crosses the portal. */
static void portal_replace_corner(portal *p, const grz_cso_point *next) {
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

static void portal_refinement(portal *p) {
  for (int i = 0; i < PORTAL_STEPS; i++) {
    graze_vec n = portal_normal(p);
    if (vec_norm_inf(n) == 0) return;
    n = vec_unit_inf(n);
    bool beyond = vec_dot(n, p->v[1].w) >= 0;
    if (beyond && portal_inside(p)) return;
    grz_cso_point next = portal_support(p, n);
    if (grz_certify_relation(p->c, p->gjk, p->result)) return;
    if (vec_dot(n, vec_sub(next.w, p->v[1].w)) <= 0.25 * p->c->point_error) return;
    portal_replace_corner(p, &next);
  }
}

static void portal_run(portal *p) {
  p->v[0] = grz_obstacle_point(p->c, portal_interior_point(&p->c->a->shape), portal_interior_point(&p->c->b->shape),
                               p->c->dim);
  bool discovered = p->c->dim == 2 ? portal_discover2(p) : portal_discover3(p);
  p->known = discovered ? p->c->dim + 1 : 0;
  p->corners = p->c->dim;
  if (discovered) portal_refinement(p);
}

/* Continues with inscribed polytopes from the points of the search. */
static void portal_inscribe(portal *p, const graze_options *options) {
  inscribed_points points = {.direction = p->gjk->lower_direction};
  for (int i = 0; i < p->gjk->simplex.count; i++) points.pair[points.count++] = p->gjk->simplex.point[i];
  for (int i = 0; i < p->known; i++) points.pair[points.count++] = p->v[i];
  inscribed_decide(p->c, options, &points, p->gjk, p->result);
}

void grz_portal_refine(const grz_obstacle *c, const graze_options *options, grz_gjk *gjk, grz_result *result) {
  portal p = {.c = c, .gjk = gjk, .result = result};
  bool user = c->a->shape.kind == GRAZE_USER || c->b->shape.kind == GRAZE_USER;
  result->answer.algorithm = GRAZE_ALGORITHM_PORTAL;
  if (!user) portal_run(&p);
  if (c->tracer) portal_trace(&p);
  bool decided = result->answer.relation != GRAZE_UNDECIDED || grz_certify_relation(c, gjk, result);
  if (decided && !grz_certify_has_no_upper(gjk, result)) {
    grz_certify_numbers(c, options->clearance, gjk, result);
    return;
  }
  portal_inscribe(&p, options);
}

void grz_portal_narrow(const grz_obstacle *c, const graze_options *options, grz_gjk *gjk, grz_result *result) {
  portal p = {.c = c, .gjk = gjk, .result = result};
  portal_inscribe(&p, options);
}
