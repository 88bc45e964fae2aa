/* GJK ray cast: the time at which the moving CSO reaches the origin. Source: van den Bergen 2004. Every bound includes
 * rounding errors. Theory: docs/theory/cast.md. */
#include "ccd/ccd.h"

#include "narrow/search.h"

enum { RAY_CAST_STEPS = 96 };

/* A step must exceed MIN_GAIN times the rounding errors. A hit is sought within BRACKET times the rounding errors. */
enum { RAY_CAST_MIN_GAIN = 2, RAY_CAST_BRACKET = 64 };

/* If the gap to a plane closes slower by this factor than for the previous plane, the uncertainty of that plane is
 * ignored. */
enum { RAY_CAST_MAX_SLOWDOWN = 1024 };

typedef struct ray_cast_state {
  grz_ray_cast *out;
  const grz_obstacle *c;
  graze_vec at_start[4]; /* the simplex at time 0 */
  double rounding;       /* of radius and differences, in addition to support_error */
  double passed;         /* the uncertainty of the plane that advanced time last */
} ray_cast_state;

/* Exceeds the loss by underflow in the terms of a rate or a time. */
#define RAY_CAST_LEAST 0x1p-1072

/* An upper bound of the closing speed along d. */
static inline double ray_cast_rate(const grz_ray_cast *out, graze_vec d, double inverse) {
  return ((vec_dot(d, out->speed) + RAY_CAST_LEAST) * inverse + 16 * GRZ_U * out->fast) + RAY_CAST_LEAST;
}

/* Advances time to the supporting plane with normal d; `gap` is the rounded gap of the cores at time `free`. Returns
 * MISS or UNKNOWN. *moved receives whether time advanced. */
static inline grz_ray_cast_end ray_cast_advance(ray_cast_state *r, graze_vec d, double inverse, double gap,
                                                bool *moved) {
  grz_ray_cast *out = r->out;
  double sure = ((gap - r->c->support_error) - r->c->radius) - r->rounding;
  double rate = ray_cast_rate(out, d, inverse);
  *moved = false;
  const double doubt = rate > 0 ? (r->c->support_error + r->rounding) / rate : 0;
  const double most = r->passed > 0 ? RAY_CAST_MAX_SLOWDOWN * r->passed : out->doubt;
  if (doubt > 0 && (out->doubt == 0 || doubt < most)) out->doubt = doubt;
  if (!(sure > 0)) return GRZ_RAY_CAST_UNKNOWN;
  if (rate > 0 || out->free == 0) out->direction = d, out->known = true;
  out->shown = rate > 0 || out->free == 0;
  if (rate <= 0) return GRZ_RAY_CAST_MISS;
  double next = (out->free + sure / rate * (1 - 8 * GRZ_U)) * (1 - 2 * GRZ_U) - RAY_CAST_LEAST;
  if (next >= out->end) return GRZ_RAY_CAST_MISS;
  *moved = next - out->free > RAY_CAST_MIN_GAIN * doubt + 8 * GRZ_U * next;
  if (next > out->free) out->free = next, out->doubt = r->passed = doubt;
  return GRZ_RAY_CAST_UNKNOWN;
}

/* The loop of the GJK ray cast. Invariant: the bodies are disjoint in [0, free], and v is the point of the simplex
 * nearest to the origin at time `free`. */
GRZ_TEMPLATE grz_ray_cast_end ray_cast_loop(ray_cast_state *r, graze_vec d, bool stops_early, const int dim) {
  grz_ray_cast *out = r->out;
  grz_simplex *s = &out->simplex;
  const grz_obstacle *c = r->c;
  const double enough = 4 * c->support_error; /* without the radius: there v is the normal, and still improves */
  for (; out->iterations < RAY_CAST_STEPS; out->iterations++) {
    /* Support point w of the CSO at time `free`. */
    grz_cso_point *p = &s->point[s->count];
    bool moved;
    double slack = 0, inverse = 1 / vec_length(d);
    *p = obstacle_support(c, d, &slack, dim);
    r->at_start[s->count] = p->w;
    p->w = vec_add(p->w, vec_scale(out->speed, out->free));

    /* Advance time to the supporting plane. */
    double gap = -vec_dot(d, p->w) * inverse - slack;
    if (ray_cast_advance(r, d, inverse, gap, &moved) == GRZ_RAY_CAST_MISS) return GRZ_RAY_CAST_MISS;
    if (stops_early && !out->known) return GRZ_RAY_CAST_UNKNOWN;

    /* No progress: w is already a vertex of the simplex. */
    bool repeats = false;
    for (int i = 0; i < s->count && !repeats; i++) repeats = grz_obstacle_same(&s->point[i], p);
    if (repeats && !moved) return GRZ_RAY_CAST_UNKNOWN;

    /* Add w, and translate the simplex to the new time. */
    double before = s->vv;
    bool first = s->count == 0;
    if (!repeats) s->count++;
    if (moved) {
      graze_vec displacement = vec_scale(out->speed, out->free);
      for (int i = 0; i < s->count; i++) s->point[i].w = vec_add(r->at_start[i], displacement);
    }

    /* Reduce the simplex to the points that define v. If the simplex contains the origin within rounding, the previous
     * simplex remains, because it has weights. */
    simplex_best best = {.members = 0};
    if (grz_simplex_nearest(s, &best, dim)) {
      s->count--;
      return GRZ_RAY_CAST_UNKNOWN;
    }
    for (int i = 0, kept = 0; i < s->count; i++)
      if (best.members >> i & 1u) r->at_start[kept++] = r->at_start[i];
    grz_simplex_accept(s, &best);

    /* Converged, or no progress. */
    if (s->vv <= enough * enough) return GRZ_RAY_CAST_UNKNOWN;
    if (!first && !moved && s->vv >= before) return GRZ_RAY_CAST_UNKNOWN;
    d = vec_neg(s->v);
  }
  return GRZ_RAY_CAST_UNKNOWN;
}

/* ---- Proof of a hit soon after the last separated time */

/* True if the path certainly passes through the triangle (2D: segment), and therefore through the CSO. The line through
 * the origin along the speed must cross its interior, and the origin must change sides within the bracket. */
static bool ray_cast_passes_through(const ray_cast_state *r, graze_vec displacement) {
  const grz_obstacle *c = r->c;
  const grz_ray_cast *out = r->out;
  graze_vec path = vec_scale(out->speed, c->size / out->fast), w[3], late[3];
  for (int i = 0; i < c->dim; i++) {
    w[i] = r->at_start[i];
    late[i] = vec_add(w[i], displacement);
  }
  if (c->dim == 2) {
    int side = grz_certify_turn(c, w[0], path);
    return side != 0 && grz_certify_turn(c, path, w[1]) == side && grz_certify_turn(c, late[0], late[1]) == side &&
           grz_certify_turn(c, w[0], w[1]) == -side;
  }
  int side = grz_certify_volume(c, w[0], w[1], path);
  return side != 0 && grz_certify_volume(c, w[1], w[2], path) == side &&
         grz_certify_volume(c, w[2], w[0], path) == side && grz_certify_volume(c, late[0], late[1], late[2]) == side &&
         grz_certify_volume(c, w[0], w[1], w[2]) == -side;
}

static bool ray_cast_is_near(const ray_cast_state *r, graze_vec displacement) {
  const grz_simplex *s = &r->out->simplex;
  graze_vec mean = {0, 0, 0};
  for (int i = 0; i < s->count; i++)
    mean = vec_add(mean, vec_scale(vec_add(r->at_start[i], displacement), s->weight[i]));
  return grz_certify_near(r->c, vec_length(mean));
}

static grz_ray_cast_end ray_cast_hits_soon(ray_cast_state *r) {
  grz_ray_cast *out = r->out;
  if (!(out->doubt > 0) || !out->known || out->simplex.count == 0) return GRZ_RAY_CAST_UNKNOWN;
  out->late = out->free + real_max(RAY_CAST_BRACKET * out->doubt, 32 * GRZ_U * out->free);
  if (out->late > out->end) return GRZ_RAY_CAST_UNKNOWN;
  graze_vec displacement = vec_scale(out->speed, out->late);
  bool meets = r->c->radius > 0 ? ray_cast_is_near(r, displacement)
                                : out->simplex.count == r->c->dim && ray_cast_passes_through(r, displacement);
  return meets ? GRZ_RAY_CAST_HIT : GRZ_RAY_CAST_UNKNOWN;
}

void grz_ray_cast_start(grz_ray_cast *out) {
  out->free = out->doubt = out->late = 0;
  out->known = out->shown = false;
  out->simplex.count = 0;
  out->iterations = 0;
}

static inline ray_cast_state ray_cast_state_make(grz_ray_cast *out, const grz_obstacle *c) {
  ray_cast_state r = {.out = out, .c = c};
  r.rounding = c->radius_error + 8 * GRZ_U * (c->size + c->radius);
  return r;
}

grz_ray_cast_end grz_ray_cast_by(grz_ray_cast *out, const grz_obstacle *c, graze_vec d) {
  ray_cast_state r = ray_cast_state_make(out, c);
  bool moved;
  double slack = 0, inverse = 1 / vec_length(d);
  const grz_cso_point p = grz_obstacle_support(c, d, &slack);
  const graze_vec w = vec_add(p.w, vec_scale(out->speed, out->free));
  return ray_cast_advance(&r, d, inverse, -vec_dot(d, w) * inverse - slack, &moved);
}

grz_ray_cast_end grz_ray_cast_across(grz_ray_cast *out, const grz_obstacle *c, graze_vec d, double gap) {
  ray_cast_state r = ray_cast_state_make(out, c);
  bool moved;
  return ray_cast_advance(&r, d, 1 / vec_length(d), gap, &moved);
}

grz_ray_cast_end grz_ray_cast_soon(grz_ray_cast *out, const grz_obstacle *c) {
  ray_cast_state r = ray_cast_state_make(out, c);
  for (int i = 0; i < out->simplex.count; i++) r.at_start[i] = out->simplex.point[i].w;
  return ray_cast_hits_soon(&r);
}

grz_ray_cast_end grz_ray_cast_run(grz_ray_cast *out, const grz_obstacle *c, graze_vec start, bool stops_early) {
  ray_cast_state r = ray_cast_state_make(out, c);
  grz_ray_cast_start(out);
  const graze_vec d = vec_unit_inf(vec_norm_inf(start) > 0 ? start : vec_make(1, 0, 0));
  grz_ray_cast_end end = c->dim == 2 ? ray_cast_loop(&r, d, stops_early, 2) : ray_cast_loop(&r, d, stops_early, 3);
  return end == GRZ_RAY_CAST_MISS ? end : ray_cast_hits_soon(&r);
}
