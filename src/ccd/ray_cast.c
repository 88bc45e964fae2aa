/* Source: van den Bergen 2004 (GJK ray cast). Every bound holds with rounding: docs/theory/cast.md. */
#include "ccd/ray_cast.h"

#include "narrow/certify.h"

enum { APPROACH_STEPS = 96 };

/* A plane that is passed over must win this many times what rounding takes. */
enum { APPROACH_WORTH = 2, APPROACH_LATE = 64 };

/* A plane that closes so much slower than the one before says nothing about when. */
enum { APPROACH_STEEP = 1024 };

typedef struct approach_run {
  grz_ray_cast *out;
  const grz_obstacle *c;
  graze_vec at_start[4]; /* the simplex at time 0 */
  double rounding;       /* beside support_error: of radius and differences */
  double passed;         /* the doubt of the plane that moved time last */
} approach_run;

/* More than what the terms of a rate, or of a time, lose among the subnormals. */
#define APPROACH_LEAST 0x1p-1072

/* How fast a gap along d closes, at most. */
static inline double approach_rate(const grz_ray_cast *out, graze_vec d, double inverse) {
  return ((vec_dot(d, out->speed) + APPROACH_LEAST) * inverse + 16 * GRZ_U * out->fast) + APPROACH_LEAST;
}

static inline void approach_shift(approach_run *r, int count) {
  graze_vec way = vec_scale(r->out->speed, r->out->free);
  for (int i = 0; i < count; i++) r->out->simplex.point[i].w = vec_add(r->at_start[i], way);
}

static inline bool approach_repeats(const grz_simplex *s, const grz_cso_point *p) {
  for (int i = 0; i < s->count; i++)
    if (grz_obstacle_same(&s->point[i], p)) return true;
  return false;
}

/* What a plane tells: `gap` is that of the cores at time `free`, raw. NEVER, or time has moved on (*moved) or not. */
static inline grz_ray_cast_end approach_pass(approach_run *r, graze_vec d, double inverse, double gap, bool *moved) {
  grz_ray_cast *out = r->out;
  double sure = ((gap - r->c->support_error) - r->c->radius) - r->rounding;
  double rate = approach_rate(out, d, inverse);
  *moved = false;
  const double doubt = rate > 0 ? (r->c->support_error + r->rounding) / rate : 0;
  const double most = r->passed > 0 ? APPROACH_STEEP * r->passed : out->doubt;
  if (doubt > 0 && (out->doubt == 0 || doubt < most)) out->doubt = doubt;
  if (!(sure > 0)) return GRZ_RAY_CAST_UNKNOWN;
  if (rate > 0 || out->free == 0) out->direction = d, out->known = true;
  out->shown = rate > 0 || out->free == 0;
  if (rate <= 0) return GRZ_RAY_CAST_MISS;
  double next = (out->free + sure / rate * (1 - 8 * GRZ_U)) * (1 - 2 * GRZ_U) - APPROACH_LEAST;
  if (next >= out->end) return GRZ_RAY_CAST_MISS;
  *moved = next - out->free > APPROACH_WORTH * doubt + 8 * GRZ_U * next;
  if (next > out->free) out->free = next, out->doubt = r->passed = doubt;
  return GRZ_RAY_CAST_UNKNOWN;
}

/* The new point stands behind the others. Keeps what carries the nearest point; where they hold the origin, as far as
 * doubles tell, nothing does: the simplex before stays, which has weights. */
GRZ_TEMPLATE bool approach_reduce(approach_run *r, const int dim) {
  grz_simplex *s = &r->out->simplex;
  simplex_best best = {.members = 0};
  int kept = 0;
  if (grz_simplex_nearest(s, &best, dim)) {
    s->count--;
    return false;
  }
  for (int i = 0; i < s->count; i++)
    if (best.members >> i & 1u) r->at_start[kept++] = r->at_start[i];
  grz_simplex_accept(s, &best);
  return true;
}

GRZ_TEMPLATE grz_ray_cast_end approach_loop(approach_run *r, graze_vec d, bool patient, const int dim) {
  grz_ray_cast *out = r->out;
  grz_simplex *s = &out->simplex;
  const grz_obstacle *c = r->c;
  const double enough = 4 * c->support_error; /* not at the radius: there v is the normal, and may still get better */
  for (; out->iterations < APPROACH_STEPS; out->iterations++) {
    grz_cso_point *p = &s->point[s->count];
    bool moved;
    double slack = 0, inverse = 1 / vec_length(d);
    *p = grz_obstacle_support(c, d, &slack, dim);
    r->at_start[s->count] = p->w;
    p->w = vec_add(p->w, vec_scale(out->speed, out->free));
    double gap = -vec_dot(d, p->w) * inverse - slack;
    if (approach_pass(r, d, inverse, gap, &moved) == GRZ_RAY_CAST_MISS) return GRZ_RAY_CAST_MISS;
    if (!patient && !out->known) return GRZ_RAY_CAST_UNKNOWN;
    bool repeats = approach_repeats(s, p);
    if (repeats && !moved) return GRZ_RAY_CAST_UNKNOWN;
    double before = s->vv;
    bool first = s->count == 0;
    if (!repeats) s->count++;
    if (moved) approach_shift(r, s->count);
    if (!approach_reduce(r, dim)) return GRZ_RAY_CAST_UNKNOWN;
    if (s->vv <= enough * enough) return GRZ_RAY_CAST_UNKNOWN;
    if (!first && !moved && s->vv >= before) return GRZ_RAY_CAST_UNKNOWN;
    d = vec_neg(s->v);
  }
  return GRZ_RAY_CAST_UNKNOWN;
}

/* ---- Is there surely a contact soon? */

/* Does the line along the speed through the origin pass strictly inside the triangle (segment in 2D), and is the origin
 * before it at the start and behind it when late? Then it is met on the way. */
static bool approach_through(const approach_run *r, graze_vec way_late) {
  const grz_obstacle *c = r->c;
  const grz_ray_cast *out = r->out;
  graze_vec along = vec_scale(out->speed, c->size / out->fast), w[3], late[3];
  for (int i = 0; i < c->dim; i++) {
    w[i] = r->at_start[i];
    late[i] = vec_add(w[i], way_late);
  }
  if (c->dim == 2) {
    int side = grz_certify_turn(c, w[0], along);
    return side != 0 && grz_certify_turn(c, along, w[1]) == side && grz_certify_turn(c, late[0], late[1]) == side &&
           grz_certify_turn(c, w[0], w[1]) == -side;
  }
  int side = grz_certify_volume(c, w[0], w[1], along);
  return side != 0 && grz_certify_volume(c, w[1], w[2], along) == side &&
         grz_certify_volume(c, w[2], w[0], along) == side && grz_certify_volume(c, late[0], late[1], late[2]) == side &&
         grz_certify_volume(c, w[0], w[1], w[2]) == -side;
}

static bool approach_near(const approach_run *r, graze_vec way_late) {
  const grz_simplex *s = &r->out->simplex;
  graze_vec mean = {0, 0, 0};
  for (int i = 0; i < s->count; i++) mean = vec_add(mean, vec_scale(vec_add(r->at_start[i], way_late), s->weight[i]));
  return grz_certify_near(r->c, vec_length(mean));
}

static grz_ray_cast_end approach_soon(approach_run *r) {
  grz_ray_cast *out = r->out;
  if (!(out->doubt > 0) || !out->known || out->simplex.count == 0) return GRZ_RAY_CAST_UNKNOWN;
  out->late = out->free + real_max(APPROACH_LATE * out->doubt, 32 * GRZ_U * out->free);
  if (out->late > out->end) return GRZ_RAY_CAST_UNKNOWN;
  graze_vec way = vec_scale(out->speed, out->late);
  bool meets = r->c->radius > 0 ? approach_near(r, way) : out->simplex.count == r->c->dim && approach_through(r, way);
  return meets ? GRZ_RAY_CAST_HIT : GRZ_RAY_CAST_UNKNOWN;
}

void grz_ray_cast_start(grz_ray_cast *out) {
  out->free = out->doubt = out->late = 0;
  out->known = out->shown = false;
  out->simplex.count = 0;
  out->iterations = 0;
}

static inline approach_run approach_run_of(grz_ray_cast *out, const grz_obstacle *c) {
  approach_run r = {.out = out, .c = c};
  r.rounding = c->radius_error + 8 * GRZ_U * (c->size + c->radius);
  return r;
}

grz_ray_cast_end grz_ray_cast_by(grz_ray_cast *out, const grz_obstacle *c, graze_vec d) {
  approach_run r = approach_run_of(out, c);
  bool moved;
  double slack = 0, inverse = 1 / vec_length(d);
  const grz_cso_point p = c->dim == 2 ? grz_obstacle_support(c, d, &slack, 2) : grz_obstacle_support(c, d, &slack, 3);
  const graze_vec w = vec_add(p.w, vec_scale(out->speed, out->free));
  return approach_pass(&r, d, inverse, -vec_dot(d, w) * inverse - slack, &moved);
}

grz_ray_cast_end grz_ray_cast_across(grz_ray_cast *out, const grz_obstacle *c, graze_vec d, double gap) {
  approach_run r = approach_run_of(out, c);
  bool moved;
  return approach_pass(&r, d, 1 / vec_length(d), gap, &moved);
}

grz_ray_cast_end grz_ray_cast_soon(grz_ray_cast *out, const grz_obstacle *c) {
  approach_run r = approach_run_of(out, c);
  for (int i = 0; i < out->simplex.count; i++) r.at_start[i] = out->simplex.point[i].w;
  return approach_soon(&r);
}

grz_ray_cast_end grz_ray_cast_run(grz_ray_cast *out, const grz_obstacle *c, graze_vec start, bool patient) {
  approach_run r = approach_run_of(out, c);
  grz_ray_cast_start(out);
  const graze_vec d = vec_unit_inf(vec_norm_inf(start) > 0 ? start : vec_make(1, 0, 0));
  grz_ray_cast_end end = c->dim == 2 ? approach_loop(&r, d, patient, 2) : approach_loop(&r, d, patient, 3);
  return end == GRZ_RAY_CAST_MISS ? end : approach_soon(&r);
}
