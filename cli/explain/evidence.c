/* Evaluates certificates for display. The verifier decides every bound. */
#include "explain/story.h"

#include <math.h>
#include <string.h>

/* Larger than every signed distance, so a bound of ±HUGE_BOUND is always true. */
static const double HUGE_BOUND = 1e43;

/* Verifying a larger depth surface once for each digit takes too long. */
enum { MAX_FACES = 300 };

/* ---- Tightest proved bounds: bisection over the doubles, with the verifier as the predicate */

typedef enum bound_kind {
  BOUND_LOWER,      /* of the signed distance */
  BOUND_UPPER,      /* of the signed distance */
  BOUND_GAP,        /* a cast: of the gap along the direction until the end of the free time */
  BOUND_FREE_UNTIL, /* a cast: the time until which the gap is at least 0 */
  BOUND_NEAR        /* a clear cast: of the minimum distance from above */
} bound_kind;

static graze_status verify_answer(const story *s, bool whole, const graze_answer *answer) {
  graze_options options = graze_default_options();
  graze_certificate certificate = *story_certificate(s);
  options.clearance = story_clearance(s);
  if (whole) return graze_verify(s->a.whole, s->b.whole, &options, answer, &certificate);
  certificate.parts = NULL, certificate.frontier = NULL;
  certificate.part_count = 0;
  return graze_verify(&s->a.placed, &s->b.placed, &options, answer, &certificate);
}

static graze_status verify_cast(const story *s, double t_max, const graze_cast_result *cast) {
  const story_motion *m = s->motion;
  graze_cast_options options = graze_default_cast_options();
  options.clearance = story_clearance(s);
  return graze_verify_cast(&s->a.placed, &m->a, &s->b.placed, &m->b, t_max, &options, cast, &m->certificate);
}

/* Verifies the relation and one bound, and nothing else of the answer. */
static bool accepts(const story *s, bound_kind kind, double bound) {
  if (kind == BOUND_LOWER || kind == BOUND_UPPER) {
    graze_answer answer = s->finding.answer;
    double other = answer.relation == GRAZE_UNDECIDED ? HUGE_BOUND : NAN; /* undecided needs both */
    answer.distance = NAN;
    answer.lower = kind == BOUND_LOWER ? bound : -other;
    answer.upper = kind == BOUND_LOWER ? other : bound;
    return verify_answer(s, false, &answer) == GRAZE_OK;
  }
  graze_cast_result cast = s->motion->cast;
  double t_max = cast.outcome == GRAZE_CLEAR ? s->motion->t_max : cast.t_lower;
  cast.t_min = NAN;
  cast.min_lower = kind == BOUND_GAP ? bound : 0;
  cast.min_upper = kind == BOUND_NEAR ? bound : NAN;
  if (kind != BOUND_NEAR) { /* the direction alone proves a clear cast until t_max */
    cast.outcome = GRAZE_CLEAR;
    cast.t = cast.t_lower = cast.t_upper = NAN;
  }
  return verify_cast(s, kind == BOUND_FREE_UNTIL ? bound : t_max, &cast) == GRAZE_OK;
}

/* The rank of a double in the order of all doubles, and its inverse. */
static int64_t rank_of(double x) {
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

static double of_rank(int64_t rank) {
  double x;
  rank = rank < 0 ? INT64_MIN - rank : rank;
  memcpy(&x, &rank, sizeof x);
  return x;
}

/* The last accepted double from `proved` towards `not_proved`. NaN if the first is not accepted. */
static double tightest(const story *s, bound_kind kind, double proved, double not_proved) {
  int64_t good = rank_of(proved), bad = rank_of(not_proved);
  if (!accepts(s, kind, proved)) return NAN;
  for (;;) {
    int64_t middle = good / 2 + bad / 2 + (good % 2 + bad % 2) / 2;
    if (middle == good || middle == bad) return of_rank(good);
    *(accepts(s, kind, of_rank(middle)) ? &good : &bad) = middle;
  }
}

static void prove_bounds(const story *s, story_evidence *e) {
  const graze_answer *answer = story_answer(s);
  const graze_certificate *c = story_certificate(s);
  bool separated = answer->relation == GRAZE_SEPARATED, overlapping = answer->relation == GRAZE_OVERLAPPING;
  if (c->kind == GRAZE_CERTIFICATE_NONE && answer->relation != GRAZE_UNDECIDED) return;
  if (answer->relation == GRAZE_TOUCHING) {
    if (accepts(s, BOUND_LOWER, 0)) e->lower = e->upper = 0;
    return;
  }
  bool plane = c->kind == GRAZE_CERTIFICATE_HALFSPACE;
  if (plane || c->direction.form != GRAZE_DIRECTION_NONE)
    e->lower = tightest(s, BOUND_LOWER, separated ? 0 : -HUGE_BOUND / 2, HUGE_BOUND);
  size_t faces = c->depth_proof == GRAZE_DEPTH_BY_SURFACE && c->surface ? c->surface->face_count : 0;
  if (faces > MAX_FACES)
    e->upper = e->verdict == GRAZE_OK ? answer->upper : NAN;
  else if (plane || c->pair_count > 0 || faces > 0 || c->depth_proof == GRAZE_DEPTH_BY_AXES)
    e->upper = tightest(s, BOUND_UPPER, overlapping ? 0 : HUGE_BOUND / 2, overlapping ? -HUGE_BOUND : 0);
  if (e->lower <= -HUGE_BOUND / 2) e->lower = NAN;
  if (e->upper >= HUGE_BOUND / 2 || (overlapping && e->upper == 0)) e->upper = NAN;
}

/* ---- Rounded projections */

/* The point of A - B that a pair names. `end` is the time of pairs at the end of a cast's interval. */
static graze_vec point_at(const story *s, const graze_pair *pair, const graze_vec *points, double end) {
  graze_vec w = cso_point_of(s, pair, points).point;
  return s->motion && pair->end ? vec_mad(w, -end, s->motion->u) : w;
}

/* The direction that pairs define, rounded; that of the nearest point only up to its sign. */
static graze_vec direction_of_pairs(const story *s, const graze_certificate *c, double end) {
  const graze_direction *d = &c->direction;
  graze_vec w[4], z = {0, 0, 1};
  double weights[6];
  for (int i = 0; i < d->count; i++) w[i] = point_at(s, &d->pairs[i], c->points, end);
  bool nearest = d->form == GRAZE_DIRECTION_NEAREST;
  if (nearest && d->count < s->dim) return nearest_of_hull(w, d->count, s->dim, weights);
  graze_vec e = vec_sub(w[1], w[0]), f = s->dim == 2 ? z : vec_sub(w[s->dim - 1], w[0]);
  if (d->form == GRAZE_DIRECTION_EDGE) f = (graze_vec){d->axis == 0, d->axis == 1, d->axis == 2};
  double sign = nearest ? 1 : s->dim == 2 ? -d->sign : d->sign; /* e × z is the right perpendicular */
  return vec_scale(vec_cross(e, f), sign);
}

/* The projections of A and B on d, at t = 0. */
static story_evidence project(const story *s, graze_vec d) {
  story_evidence e = {.direction = d};
  graze_interval a = {NAN, NAN}, b = {NAN, NAN};
  graze_project(&s->a.placed, d, &a);
  graze_project(&s->b.placed, d, &b);
  if (s->a.mesh.kind == STORY_MESH_PLANE) a.max = vec_dot(d, s->a.mesh.points[0]);
  if (s->b.mesh.kind == STORY_MESH_PLANE) b.min = vec_dot(d, s->b.mesh.points[0]);
  e.max_a = a.max + story_clearance(s);
  e.min_b = b.min;
  if (s->motion) e.closing = -vec_dot(d, s->motion->u);
  if (s->motion && fabs(e.closing) <= 1e-15 * vec_norm_inf(s->motion->u)) e.closing = 0; /* rounding error */
  return e;
}

/* The gap along the direction, at the worse of t = 0 and t = end. */
static double least_gap(const story_evidence *e, double end) {
  double gap = e->min_b - e->max_a;
  return fmin(gap, gap - e->closing * end);
}

/* Stores the projections on the direction of the answer's certificate, or of the cast's if `cast` is given. A direction
 * of pairs is rounded in several ways; the one with the largest gap until `end` is shown. The normal of a separated
 * answer is the same direction with a smaller rounding error. */
static void show_direction(const story *s, const graze_cast_result *cast, double end, story_evidence *e) {
  const graze_certificate *c = cast ? &s->motion->certificate : story_certificate(s);
  const bool separated = (cast ? cast->start_relation : story_answer(s)->relation) == GRAZE_SEPARATED;
  const bool plane = c->kind == GRAZE_CERTIFICATE_HALFSPACE,
             of_pairs = !plane && c->direction.form != GRAZE_DIRECTION_VECTOR;
  const bool nearest = c->direction.form == GRAZE_DIRECTION_NEAREST;
  const graze_vec normal = cast ? cast->normal : story_answer(s)->normal;
  graze_vec candidates[3];
  int count = 0;
  if (plane) {
    const bool first = s->a.mesh.kind == STORY_MESH_PLANE;
    candidates[count++] = first ? s->a.mesh.points[1] : vec_scale(s->b.mesh.points[1], -1);
  } else if (!of_pairs) {
    candidates[count++] = c->direction.vector;
  } else if (c->direction.form != GRAZE_DIRECTION_NONE) {
    bool by_normal = !cast && nearest && separated && isfinite(normal.x);
    candidates[count++] = by_normal ? normal : direction_of_pairs(s, c, end);
    if (nearest || cast) candidates[count] = vec_scale(candidates[count - 1], -1), count++;
    if (cast) candidates[count++] = normal;
  }
  story_evidence best = {.max_a = NAN};
  bool any = false;
  for (int i = 0; i < count; i++) {
    graze_vec d = vec_unit(candidates[i]);
    if (vec_is_zero(d)) continue;
    story_evidence now = project(s, d);
    if (!any || least_gap(&now, end) > least_gap(&best, end)) best = now;
    any = true;
  }
  /* Rounding can destroy every candidate: then none is shown. */
  const bool lost =
      cast && of_pairs && separated && !(least_gap(&best, end) >= -1e-9 * (fabs(best.max_a) + fabs(best.min_b)));
  if (!any || lost) return;
  e->direction = best.direction, e->max_a = best.max_a, e->min_b = best.min_b;
  if (cast) e->closing = best.closing;
}

static story_evidence unknown_evidence(void) {
  story_evidence e = {.face = -1};
  e.max_a = e.min_b = e.lower = e.upper = e.closing = e.free_until = e.gap = e.near_upper = NAN;
  return e;
}

story_evidence evidence_of_answer(const story *s) {
  story_evidence e = unknown_evidence();
  if (s->request->query == CLI_MINKOWSKI) return e;
  e.verdict = verify_answer(s, true, story_answer(s));
  const graze_certificate_kind kind = story_certificate(s)->kind;
  if (story_is_nonconvex(s)) { /* the translation of the whole body */
    graze_interval a, b;
    e.direction = story_answer(s)->normal;
    if (graze_project(s->a.whole, e.direction, &a) == GRAZE_OK) e.max_a = a.max + story_clearance(s);
    if (graze_project(s->b.whole, e.direction, &b) == GRAZE_OK) e.min_b = b.min;
  }
  if (kind == GRAZE_CERTIFICATE_INTERNAL_EDGE || story_is_contained(s)) return e;
  if (!story_is_nonconvex(s)) {
    prove_bounds(s, &e);
    show_direction(s, NULL, 0, &e);
  }
  /* A touch of rounded shapes is proved by the pairs of its direction. */
  const graze_certificate *c = story_certificate(s);
  const bool touch = c->kind == GRAZE_CERTIFICATE_TOUCH && s->radius > 0;
  const graze_pair *pairs = touch ? c->direction.pairs : c->pairs;
  graze_vec w[6];
  e.count = touch ? c->direction.count : c->pair_count;
  for (int i = 0; i < e.count; i++) {
    e.points[i] = story_find_pair(s, &pairs[i], c->points);
    w[i] = point_at(s, &pairs[i], c->points, 0);
  }
  if (e.count > 0) e.nearest = nearest_of_hull(w, e.count, s->dim, e.weights);
  /* The face of the depth surface with the least distance from the origin. */
  const graze_surface *surface = c->depth_proof == GRAZE_DEPTH_BY_SURFACE ? c->surface : NULL;
  const size_t faces = !surface ? 0 : s->dim == 2 ? surface->pair_count : surface->face_count;
  double least = INFINITY;
  for (size_t i = 0; i < faces; i++) {
    const int32_t edge[2] = {(int32_t)i, i + 1 < faces ? (int32_t)i + 1 : 0};
    const int32_t *face = s->dim == 2 ? edge : surface->faces[i];
    graze_vec p = point_at(s, &surface->pairs[face[0]], surface->points, 0), z = {0, 0, 1};
    graze_vec u = vec_sub(point_at(s, &surface->pairs[face[1]], surface->points, 0), p);
    graze_vec v = s->dim == 2 ? z : vec_sub(point_at(s, &surface->pairs[face[2]], surface->points, 0), p);
    double height = vec_dot(vec_unit(vec_cross(u, v)), p);
    if (height < least) e.face = (int32_t)i;
    least = fmin(least, height);
  }
  return e;
}

/* ---- Casts */

/* A direction of pairs at the end of the interval changes with that end. */
static bool is_fixed(const graze_direction *d) {
  for (int i = 0; d->form != GRAZE_DIRECTION_VECTOR && i < d->count; i++)
    if (d->pairs[i].end != 0) return false;
  return true;
}

void evidence_of_cast(story *s) {
  story_motion *m = s->motion;
  const graze_cast_result *cast = &m->cast;
  const graze_certificate *c = &m->certificate;
  bool clear = cast->outcome == GRAZE_CLEAR, separated = cast->start_relation == GRAZE_SEPARATED;
  double last = isfinite(m->t_max) ? m->t_max : m->t_end, end = !separated ? 0 : clear ? last : cast->t_lower;
  story_evidence e = unknown_evidence();
  e.verdict = story_is_contained(s) ? verify_answer(s, true, story_answer(s)) : verify_cast(s, m->t_max, cast);
  if (e.verdict == GRAZE_OK && story_is_of_one_pair(s)) e.verdict = GRAZE_UNPROVEN;
  if (!m->sweep && separated && (c->kind == GRAZE_CERTIFICATE_HALFSPACE || c->direction.form != GRAZE_DIRECTION_NONE)) {
    e.gap = tightest(s, BOUND_GAP, 0, HUGE_BOUND);
    if (!clear && !isnan(e.gap)) e.free_until = cast->t_lower;
    if (!clear && is_fixed(&c->direction)) e.free_until = tightest(s, BOUND_FREE_UNTIL, cast->t_lower, m->t_end);
    if (clear && isfinite(cast->min_upper)) e.near_upper = tightest(s, BOUND_NEAR, HUGE_BOUND / 2, 0);
  }
  if (!m->sweep && s->core.kind != STORY_MESH_NONE) show_direction(s, cast, end, &e);
  e.count = story_is_contained(s) ? 0 : c->pair_count;
  for (int i = 0; i < e.count; i++) e.points[i] = story_find_pair(s, &c->pairs[i], c->points);
  m->evidence = e;
  s->evidence.verdict = e.verdict;
  if (!separated || m->sweep) return;
  s->evidence.direction = e.direction;
  s->evidence.max_a = e.max_a;
  s->evidence.min_b = e.min_b;
  if (!is_fixed(&c->direction)) s->evidence.lower = NAN;
}
