#include "explain/evidence.h"

#include "explain/geometry.h"

#include <math.h>
#include <string.h>

/* Beyond every signed distance: bounds that are always true. */
static const double FAR = 1e43;

/* Surfaces with more faces take long to read once more for every digit. */
enum { MOST_FACES = 300 };

/* ---- What the certificate proves: the verifier is asked about one bound after the other */

/* The answer with another bound, and nothing else to prove but the relation. */
static bool proves(const story *s, bool lower, double bound) {
  graze_answer answer = s->finding.answer;
  bool undecided = answer.relation == GRAZE_UNDECIDED;
  answer.distance = NAN;
  answer.lower = lower ? bound : undecided ? -FAR : NAN;
  answer.upper = lower ? undecided ? FAR : NAN : bound;
  answer.parts = NULL;
  answer.part_count = 0;
  return graze_verify(&s->a.placed, &s->b.placed, &s->question->options, &answer) == GRAZE_OK;
}

/* Doubles in their order, as integers. */
static int64_t rank(double x) {
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

static double of_rank(int64_t order) {
  int64_t bits = order < 0 ? INT64_MIN - order : order;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

double evidence_tightest(evidence_proof *says, const void *context, double proved, double not_proved) {
  int64_t good = rank(proved), bad = rank(not_proved);
  if (!says(context, proved)) return NAN;
  for (;;) {
    int64_t middle = good / 2 + bad / 2 + (good % 2 + bad % 2) / 2;
    if (middle == good || middle == bad) break;
    *(says(context, of_rank(middle)) ? &good : &bad) = middle;
  }
  return of_rank(good);
}

static bool proves_lower(const void *context, double bound) { return proves(context, true, bound); }
static bool proves_upper(const void *context, double bound) { return proves(context, false, bound); }

static double tightest(const story *s, bool lower, double proved, double not_proved) {
  return evidence_tightest(lower ? proves_lower : proves_upper, s, proved, not_proved);
}

static void prove_bounds(const story *s, story_evidence *e) {
  const graze_answer *answer = &s->finding.answer;
  const graze_certificate *c = &answer->certificate;
  if (c->kind == GRAZE_CERTIFICATE_NONE && answer->relation != GRAZE_UNDECIDED) return;
  bool separated = answer->relation == GRAZE_SEPARATED, overlapping = answer->relation == GRAZE_OVERLAPPING;
  if (answer->relation == GRAZE_TOUCHING) {
    if (proves(s, true, 0)) e->lower = e->upper = 0;
    return;
  }
  bool plane = c->kind == GRAZE_CERTIFICATE_HALFSPACE;
  if (plane || c->direction.form != GRAZE_DIRECTION_NONE) e->lower = tightest(s, true, separated ? 0 : -FAR / 2, FAR);
  size_t faces = c->depth_proof == GRAZE_DEPTH_BY_SURFACE && c->surface ? c->surface->face_count : 0;
  if (faces > MOST_FACES)
    e->upper = e->verdict == GRAZE_OK ? answer->upper : NAN;
  else if (plane || c->pair_count > 0 || faces > 0)
    e->upper = tightest(s, false, overlapping ? 0 : FAR / 2, overlapping ? -FAR : 0);
  if (e->lower <= -FAR / 2) e->lower = NAN;
  if (e->upper >= FAR / 2 || (overlapping && e->upper == 0)) e->upper = NAN;
}

/* ---- Rounded, for reading */

static graze_vec at(const story *s, const graze_pair *pair) {
  return vec_sub(geometry_parent(&s->a, pair->a, pair->point_a), geometry_parent(&s->b, pair->b, pair->point_b));
}

static graze_vec unit_axis(int axis) { return (graze_vec){axis == 0, axis == 1, axis == 2}; }

/* The direction; of NEAREST but for its sign. */
static graze_vec spanned(const story *s, const graze_direction *d) {
  graze_vec w[4], across = {0, 0, 1};
  double weights[6];
  for (int i = 0; i < d->count; i++) w[i] = at(s, &d->pairs[i]);
  bool nearest = d->form == GRAZE_DIRECTION_NEAREST;
  if (nearest && d->count < s->dim) return geometry_nearest(w, d->count, s->dim, weights);
  graze_vec e = vec_sub(w[1], w[0]), f = s->dim == 2 ? across : vec_sub(w[s->dim - 1], w[0]);
  double sign = nearest ? 1 : s->dim == 2 ? -d->sign : d->sign; /* the cross product is the right perpendicular */
  return vec_scale(vec_cross(e, d->form == GRAZE_DIRECTION_EDGE ? unit_axis(d->axis) : f), sign);
}

/* How far A reaches along d, and where B begins. */
static void project(const story *s, graze_vec d, double *reach, double *begin) {
  graze_interval a = {NAN, NAN}, b = {NAN, NAN};
  graze_project(&s->a.placed, d, &a);
  graze_project(&s->b.placed, d, &b);
  if (s->a.mesh.kind == STORY_MESH_PLANE) a.max = vec_dot(d, s->a.mesh.points[0]);
  if (s->b.mesh.kind == STORY_MESH_PLANE) b.min = vec_dot(d, s->b.mesh.points[0]);
  *reach = a.max + s->question->options.clearance;
  *begin = b.min;
}

/* The normal of the half-space, from A to B. */
static graze_vec plane_direction(const story *s) {
  if (s->a.mesh.kind == STORY_MESH_PLANE) return s->a.mesh.points[1];
  return s->b.mesh.kind == STORY_MESH_PLANE ? vec_scale(s->b.mesh.points[1], -1) : (graze_vec){0, 0, 0};
}

/* Of shapes that are apart, however little, the answer's normal is that direction, better rounded. */
static bool is_normal(const graze_direction *d, const graze_answer *answer) {
  return d->form == GRAZE_DIRECTION_NEAREST && answer->relation == GRAZE_SEPARATED && isfinite(answer->normal.x);
}

static void show_direction(const story *s, story_evidence *e) {
  const graze_direction *d = &s->finding.answer.certificate.direction;
  graze_vec way = s->finding.answer.certificate.kind == GRAZE_CERTIFICATE_HALFSPACE ? plane_direction(s)
                  : d->form == GRAZE_DIRECTION_NONE                                 ? (graze_vec){0, 0, 0}
                  : d->form == GRAZE_DIRECTION_VECTOR                               ? d->vector
                  : is_normal(d, &s->finding.answer)                                ? s->finding.answer.normal
                                                                                    : spanned(s, d);
  double reach, begin;
  e->direction = vec_unit(way);
  if (vec_dot(e->direction, e->direction) == 0) return;
  project(s, e->direction, &e->reach_a, &e->begin_b);
  if (d->form != GRAZE_DIRECTION_NEAREST) return;
  graze_vec back = vec_scale(e->direction, -1);
  project(s, back, &reach, &begin);
  if (!(begin - reach > e->begin_b - e->reach_a)) return;
  e->direction = back, e->reach_a = reach, e->begin_b = begin;
}

static void show_pairs(const story *s, story_evidence *e) {
  const graze_certificate *c = &s->finding.answer.certificate;
  bool touch = c->kind == GRAZE_CERTIFICATE_TOUCH && s->radius > 0; /* shown by the pairs of its direction */
  const graze_pair *pairs = touch ? c->direction.pairs : c->pairs;
  graze_vec w[6];
  e->count = touch ? c->direction.count : c->pair_count;
  for (int i = 0; i < e->count; i++) {
    e->points[i] = story_find(s, &pairs[i]);
    w[i] = at(s, &pairs[i]);
  }
  if (e->count > 0) e->nearest = geometry_nearest(w, e->count, s->dim, e->weights);
}

/* The distance from the origin to the line or plane of a face. */
static double height(const story *s, const graze_surface *surface, const int32_t *face) {
  graze_vec w = at(s, &surface->pairs[face[0]]), across = {0, 0, 1};
  graze_vec e = vec_sub(at(s, &surface->pairs[face[1]]), w);
  graze_vec f = s->dim == 2 ? across : vec_sub(at(s, &surface->pairs[face[2]]), w);
  return vec_dot(vec_unit(vec_cross(e, f)), w);
}

static int32_t nearest_face(const story *s) {
  const graze_certificate *c = &s->finding.answer.certificate;
  if (c->depth_proof != GRAZE_DEPTH_BY_SURFACE || c->surface == NULL) return -1;
  size_t count = s->dim == 2 ? c->surface->pair_count : c->surface->face_count;
  double least = INFINITY;
  int32_t best = -1;
  for (size_t i = 0; i < count; i++) {
    const int32_t edge[2] = {(int32_t)i, i + 1 < count ? (int32_t)i + 1 : 0};
    double h = height(s, c->surface, s->dim == 2 ? edge : c->surface->faces[i]);
    if (!(h < least)) continue;
    least = h;
    best = (int32_t)i;
  }
  return best;
}

story_evidence evidence_of(const story *s) {
  story_evidence e = {.face = -1, .lower = NAN, .upper = NAN, .reach_a = NAN, .begin_b = NAN};
  if (s->question->query == CLI_MINKOWSKI) return e;
  e.verdict = graze_verify(s->a.whole, s->b.whole, &s->question->options, &s->finding.answer);
  if (s->finding.answer.certificate.kind == GRAZE_CERTIFICATE_INTERNAL_EDGE) return e;
  prove_bounds(s, &e);
  show_direction(s, &e);
  show_pairs(s, &e);
  e.face = nearest_face(s);
  return e;
}
