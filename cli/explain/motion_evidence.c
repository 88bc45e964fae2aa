/* The certificate of a motion, evaluated: what is proved is asked of the verifier, the rest is rounded. */
#include "explain/evidence.h"
#include "explain/geometry.h"
#include "explain/motion.h"

#include <math.h>

/* Beyond every distance, and what is not. */
static const double FAR = 1e43;

static graze_status verify(const story *s, double t_max, const graze_cast_result *impact) {
  const story_motion *m = s->motion;
  const graze_options *options = &s->question->options;
  if (m->sweep) return graze_verify_sweep(&s->a.placed, &m->a, &s->b.placed, &m->b, t_max, options, impact);
  return graze_verify_cast(&s->a.placed, m->a.velocity, &s->b.placed, m->b.velocity, t_max, options, impact);
}

/* ---- The direction shows nothing but that they are apart from 0 on: that is a claim of its own */

typedef struct claim {
  const story *s;
  double t_max; /* of a claim about the gap */
} claim;

static bool apart(const story *s, double t_max, double gap) {
  graze_cast_result impact = s->motion->impact;
  impact.result = GRAZE_CLEAR;
  impact.t = impact.t_lower = impact.t_upper = impact.t_min = impact.min_upper = NAN;
  impact.min_lower = gap;
  return verify(s, t_max, &impact) == GRAZE_OK;
}

static bool apart_until(const void *context, double bound) { return apart(((const claim *)context)->s, bound, 0); }

static bool apart_by(const void *context, double bound) {
  const claim *c = context;
  return apart(c->s, c->t_max, bound);
}

/* The pairs come as near as that. */
static bool as_near_as(const void *context, double bound) {
  const story *s = ((const claim *)context)->s;
  graze_cast_result impact = s->motion->impact;
  impact.t_min = NAN;
  impact.min_lower = 0;
  impact.min_upper = bound;
  return verify(s, s->motion->t_max, &impact) == GRAZE_OK;
}

/* A direction by pairs at the end of the interval turns with it. */
static bool is_fixed(const graze_direction *d) {
  for (int i = 0; d->form != GRAZE_DIRECTION_VECTOR && i < d->count; i++)
    if (d->pairs[i].end != 0) return false;
  return true;
}

static void prove(const story *s, motion_evidence *e) {
  const story_motion *m = s->motion;
  const graze_cast_result *impact = &m->impact;
  bool clear = impact->result == GRAZE_CLEAR, plane = impact->certificate.kind == GRAZE_CERTIFICATE_HALFSPACE;
  claim c = {s, clear ? m->t_max : impact->t_lower};
  if (m->sweep || impact->starts != GRAZE_SEPARATED) return;
  if (!plane && impact->certificate.direction.form == GRAZE_DIRECTION_NONE) return;
  e->gap = evidence_tightest(apart_by, &c, 0, FAR);
  if (!clear && !isnan(e->gap)) e->free_until = impact->t_lower;
  if (!clear && is_fixed(&impact->certificate.direction))
    e->free_until = evidence_tightest(apart_until, &c, impact->t_lower, m->t_end);
  if (clear && isfinite(impact->min_upper)) e->near_upper = evidence_tightest(as_near_as, &c, FAR / 2, 0);
}

/* ---- Rounded, for reading */

static graze_vec at(const story *s, const graze_pair *pair, double end) {
  graze_vec a = geometry_parent(&s->a, pair->a, pair->point_a), b = geometry_parent(&s->b, pair->b, pair->point_b);
  graze_vec moved = vec_scale(s->motion->u, pair->end ? -end : 0);
  return vec_add(vec_sub(a, b), moved);
}

/* But for its sign where points tell it: nearest points too near the origin are lost in rounding, normals are not. */
static graze_vec spanned(const story *s, const graze_direction *d, double end) {
  graze_vec w[4], across = {0, 0, 1};
  double weights[6];
  for (int i = 0; i < d->count; i++) w[i] = at(s, &d->pairs[i], end);
  if (d->form == GRAZE_DIRECTION_NEAREST && d->count < s->dim) return geometry_nearest(w, d->count, s->dim, weights);
  graze_vec e = vec_sub(w[1], w[0]), f = s->dim == 2 ? across : vec_sub(w[s->dim - 1], w[0]);
  if (d->form == GRAZE_DIRECTION_EDGE) f = (graze_vec){d->axis == 0, d->axis == 1, d->axis == 2};
  return vec_cross(e, f);
}

/* The normal of the half-space, from A to B. */
static graze_vec plane_direction(const story *s) {
  if (s->a.mesh.kind == STORY_MESH_PLANE) return s->a.mesh.points[1];
  return s->b.mesh.kind == STORY_MESH_PLANE ? vec_scale(s->b.mesh.points[1], -1) : (graze_vec){0, 0, 0};
}

/* Along d, at t = 0. */
static motion_evidence project(const story *s, graze_vec d) {
  motion_evidence e = {.direction = d};
  graze_interval a = {NAN, NAN}, b = {NAN, NAN};
  const graze_vec u = s->motion->u;
  graze_project(&s->a.placed, d, &a);
  graze_project(&s->b.placed, d, &b);
  if (s->a.mesh.kind == STORY_MESH_PLANE) a.max = vec_dot(d, s->a.mesh.points[0]);
  if (s->b.mesh.kind == STORY_MESH_PLANE) b.min = vec_dot(d, s->b.mesh.points[0]);
  e.reach_a = a.max + s->question->options.clearance;
  e.begin_b = b.min;
  e.closing = -vec_dot(d, u);
  if (fabs(e.closing) <= 1e-15 * fmax(fabs(u.x), fmax(fabs(u.y), fabs(u.z)))) e.closing = 0; /* lost in rounding */
  return e;
}

/* How far apart they are along it, at the worse end. */
static double least_gap(const motion_evidence *e, double end) {
  double gap = e->begin_b - e->reach_a;
  return fmin(gap, gap - e->closing * end);
}

/* Of directions that are told by points, the rounded one along which they are apart best; none, where rounding has
 * spoilt all. */
static void choose(const story *s, motion_evidence *e, graze_vec way, double end) {
  const graze_vec ways[] = {way, vec_scale(way, -1), s->motion->impact.normal};
  motion_evidence best = {.reach_a = NAN};
  for (int i = 0; i < 3; i++) {
    graze_vec d = vec_unit(ways[i]);
    if (!(vec_dot(d, d) > 0)) continue;
    motion_evidence now = project(s, d);
    if (isnan(best.reach_a) || least_gap(&now, end) > least_gap(&best, end)) best = now;
  }
  double size = fabs(best.reach_a) + fabs(best.begin_b);
  if (s->motion->impact.starts == GRAZE_SEPARATED && !(least_gap(&best, end) >= -1e-9 * size)) return;
  if (isnan(best.reach_a)) return;
  e->direction = best.direction, e->reach_a = best.reach_a, e->begin_b = best.begin_b, e->closing = best.closing;
}

static void show(const story *s, motion_evidence *e) {
  const graze_cast_result *impact = &s->motion->impact;
  const graze_certificate *c = &impact->certificate;
  const graze_direction *d = &c->direction;
  double last = isfinite(s->motion->t_max) ? s->motion->t_max : s->motion->t_end;
  double end = impact->starts != GRAZE_SEPARATED ? 0 : impact->result == GRAZE_CLEAR ? last : impact->t_lower;
  bool plane = c->kind == GRAZE_CERTIFICATE_HALFSPACE, told = plane || d->form == GRAZE_DIRECTION_VECTOR;
  graze_vec way = vec_unit(plane ? plane_direction(s) : d->vector);
  if (s->motion->sweep || (!plane && d->form == GRAZE_DIRECTION_NONE)) return;
  if (!told) {
    choose(s, e, spanned(s, d, end), end);
  } else if (vec_dot(way, way) > 0) {
    motion_evidence now = project(s, way);
    e->direction = way, e->reach_a = now.reach_a, e->begin_b = now.begin_b, e->closing = now.closing;
  }
}

motion_evidence motion_evidence_of(const story *s) {
  const graze_cast_result *impact = &s->motion->impact;
  motion_evidence e = {
      .reach_a = NAN, .begin_b = NAN, .closing = NAN, .free_until = NAN, .gap = NAN, .near_upper = NAN};
  e.verdict = verify(s, s->motion->t_max, impact);
  prove(s, &e);
  show(s, &e);
  e.count = impact->certificate.pair_count;
  for (int i = 0; i < e.count; i++) e.points[i] = story_find(s, &impact->certificate.pairs[i]);
  return e;
}

void motion_show_start(story *s) {
  const story_motion *m = s->motion;
  s->evidence.verdict = m->evidence.verdict;
  if (m->impact.starts != GRAZE_SEPARATED || m->sweep) return;
  s->evidence.direction = m->evidence.direction;
  s->evidence.reach_a = m->evidence.reach_a;
  s->evidence.begin_b = m->evidence.begin_b;
  if (!is_fixed(&m->impact.certificate.direction)) s->evidence.lower = NAN;
}
