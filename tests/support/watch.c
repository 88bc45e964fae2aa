#include "support/watch.h"

#include "support/geometry.h"
#include "support/oracle/oracle.h"

static void expect(watch *w, bool good, const char *what) {
  if (!good && w->wrong == NULL) w->wrong = what;
}

static graze_vec unit(graze_vec d) {
  d = scaled(1 / fmax(fmax(fabs(d.x), fabs(d.y)), fabs(d.z)), d);
  return scaled(1 / norm(d), d);
}

/* The point of A - B of two local points. */
static graze_vec point_of_parents(const watch *w, graze_vec point_a, graze_vec point_b) {
  const graze_pose *a = &w->pair->pose_a, *b = &w->pair->pose_b;
  graze_vec offset = sub(rotated(a, scaled(w->up, point_a)), rotated(b, scaled(w->up, point_b)));
  return sub(offset, sub(scaled(w->shape_scale, b->position), scaled(w->shape_scale, a->position)));
}

/* A pair of a polytope with its local points. */
static graze_cso_point parents_of(const watch *w, const graze_surface *s, size_t i) {
  const graze_pair *pair = &s->pairs[i];
  graze_cso_point p = {.a = pair->a < 0 ? -1 : pair->a, .b = pair->b < 0 ? -1 : pair->b};
  /* the queried vertices times `up` are those of the watched pair times `shape_scale` */
  const double scale = w->shape_scale / w->up;
  p.point_a = pair->a < 0 ? s->points[-1 - pair->a] : scaled(scale, graze_vertex(&w->pair->a, (size_t)pair->a));
  p.point_b = pair->b < 0 ? s->points[-1 - pair->b] : scaled(scale, graze_vertex(&w->pair->b, (size_t)pair->b));
  return p;
}

static graze_vec where(const watch *w, const graze_surface *s, size_t i) {
  const graze_cso_point p = parents_of(w, s, i);
  return point_of_parents(w, p.point_a, p.point_b);
}

static bool same_pair(const graze_cso_point *p, const graze_cso_point *q) {
  return p->a == q->a && p->b == q->b && (p->a >= 0 || same_vec(p->point_a, q->point_a)) &&
         (p->b >= 0 || same_vec(p->point_b, q->point_b));
}

/* Whether no vertex pair is farther along d than `most`. */
static bool is_farthest(const watch *w, graze_vec d, double most) {
  double extent[2] = {-INFINITY, -INFINITY};
  for (int body = 0; body < 2; body++) {
    const graze_shape *s = body ? &w->pair->b : &w->pair->a;
    const graze_pose *pose = body ? &w->pair->pose_b : &w->pair->pose_a;
    const graze_vec direction = body ? scaled(-1, d) : d;
    for (int i = 0; i < oracle_core_count(s); i++)
      extent[body] =
          fmax(extent[body], dot(direction, rotated(pose, scaled(w->shape_scale, oracle_core_vertex(s, i)))));
  }
  return extent[0] + extent[1] -
             dot(d, scaled(w->shape_scale, sub(w->pair->pose_b.position, w->pair->pose_a.position))) <=
         most;
}

static bool stands(const watch *w, const graze_cso_point *p) {
  graze_vec off = sub(point_of_parents(w, p->point_a, p->point_b), scaled(w->up, p->point));
  return fabs(off.x) + fabs(off.y) + fabs(off.z) <= w->slack;
}

/* The order of phases: directions and GJK are first, separating axes precede EPA, and EPA can continue with exact
 * refinement. */
static bool follows(const graze_trace_step *before, const graze_trace_step *step) {
  if (before->stop == GRAZE_TRACE_CONTINUE && before->phase == GRAZE_PHASE_GJK && step->phase == GRAZE_PHASE_NEWTON)
    return true; /* smooth shapes: GJK pauses */
  if (before->stop == GRAZE_TRACE_CONTINUE && before->phase == GRAZE_PHASE_DIRECTION &&
      (step->phase == GRAZE_PHASE_BOUNDARY_WALK || step->phase == GRAZE_PHASE_AXES || step->phase == GRAZE_PHASE_GJK))
    return true; /* polygons: the line of centres or an edge normal selects the algorithm */
  if (before->stop == GRAZE_TRACE_CONTINUE) return step->phase == before->phase;
  if (before->phase == GRAZE_PHASE_BOUNDARY_WALK)
    return before->stop != GRAZE_TRACE_NO_PROGRESS ? step->phase != GRAZE_PHASE_DIRECTION
                                                   : step->phase <= GRAZE_PHASE_EPA;
  if (before->phase == GRAZE_PHASE_NEWTON)
    return before->stop != GRAZE_TRACE_NO_PROGRESS ? step->phase != GRAZE_PHASE_GJK : step->phase <= GRAZE_PHASE_EPA;
  if (before->phase == GRAZE_PHASE_AXES) return step->phase == GRAZE_PHASE_EPA || step->phase == GRAZE_PHASE_EXACT;
  return step->phase >= before->phase || (before->phase == GRAZE_PHASE_EPA && step->phase == GRAZE_PHASE_EXACT);
}

/* ---- EPA */

/* Every directed edge as often as its reverse, twice where rounding pinched the polytope at a point; the new point of
 * the step before is a corner. */
static void watch_closed(watch *w, const graze_surface *s, int newest) {
  bool used = newest < 0;
  memset(w->edge, 0, sizeof w->edge);
  for (size_t i = 0; i < s->face_count; i++) {
    for (int k = 0; k < 3; k++) {
      int32_t from = s->faces[i][k], to = s->faces[i][(k + 1) % 3];
      if (from < 0 || (size_t)from >= s->pair_count || to < 0 || (size_t)to >= s->pair_count) {
        expect(w, false, "a face without its points");
        return;
      }
      w->edge[from][to]++;
      expect(w, w->edge[from][to] <= 2, "an edge three times");
      used = used || from == newest;
    }
  }
  for (size_t i = 0; i < s->pair_count; i++)
    for (size_t j = 0; j < s->pair_count; j++) expect(w, w->edge[i][j] == w->edge[j][i], "an edge without its reverse");
  expect(w, used, "the last point is no corner");
}

/* The height of a face with these corners; infinite if the face is too thin for a stable normal. */
static double height(const watch *w, const graze_vec *corner) {
  graze_vec e = sub(corner[1], corner[0]), n = {e.y, -e.x, 0};
  if (w->dim == 3) n = cross(e, sub(corner[2], corner[0]));
  double area = sqrt(dot(n, n)), least = w->dim == 2 ? 1e-6 * w->size : 1e-6 * w->size * w->size;
  return area > least ? dot(n, corner[0]) / area : INFINITY;
}

static void watch_heights(watch *w, const graze_surface *s, const graze_trace_step *step) {
  double least = INFINITY, slack = 1e-8 * w->size + w->slack;
  size_t count = w->dim == 2 ? s->pair_count : s->face_count;
  for (size_t i = 0; i < count && w->wrong == NULL; i++) {
    graze_vec corner[3];
    for (size_t k = 0; k < (size_t)w->dim; k++)
      corner[k] = where(w, s, (size_t)(w->dim == 2 ? (i + k) % count : (size_t)s->faces[i][k]));
    least = fmin(least, height(w, corner));
  }
  expect(w, least >= -step->upper * w->up - slack, "a face nearer than the nearest one");
  if (step->upper * w->up < -slack) expect(w, least > 0, "the origin is outside");
}

static int newest_point(const watch *w, const graze_surface *s) {
  for (int i = (int)s->pair_count - 1; i >= 0; i--) {
    const graze_cso_point p = parents_of(w, s, (size_t)i);
    if (same_pair(&p, &w->last.support)) return i;
  }
  return -1;
}

static void watch_polytope(watch *w, const graze_trace_step *step, bool first) {
  const graze_surface *s = step->polytope;
  graze_vec d = unit(step->direction);
  double extent = dot(d, scaled(w->up, step->support.point)), area = 0;
  expect(w, s->pair_count >= (size_t)w->dim + 1 && s->pair_count <= WATCH_POINTS, "too few points or too many");
  if (w->wrong) return;
  int newest = first ? -1 : newest_point(w, s);
  expect(w, first || newest >= 0, "the last point is missing");
  for (size_t i = 0; i < s->pair_count; i++) {
    graze_vec p = where(w, s, i), q = where(w, s, (i + 1) % s->pair_count);
    expect(w, dot(d, p) <= extent + w->slack, "a point beyond the farthest one");
    area += p.x * q.y - p.y * q.x;
  }
  if (w->dim == 3)
    watch_closed(w, s, newest);
  else
    expect(w, s->faces == NULL && s->face_count == 0 && area >= -w->slack * w->size, "not counter-clockwise");
  watch_heights(w, s, step);
}

/* The width falls or stays; the height grows or stays, once the origin is inside, but for the rounding of the normals
 * of thin faces. */
static void watch_epa(watch *w, const graze_trace_step *step) {
  bool first = w->count == 0 || w->last.phase != GRAZE_PHASE_EPA || w->last.stop != GRAZE_TRACE_CONTINUE;
  bool again = first && w->count > 0 && w->last.phase == GRAZE_PHASE_EPA && step->polytope == NULL;
  bool spoilt = step->polytope == NULL;
  expect(w, step->simplex_count == w->dim, "EPA: a face has dim corners");
  expect(w, !spoilt || (!again && step->stop == GRAZE_TRACE_NO_PROGRESS), "EPA: no polytope");
  if (spoilt) return;
  if (!first) {
    expect(w, step->lower >= w->width, "EPA: the least width grew");
    bool fell = step->upper * w->up > w->height * w->up + 1e-9 * w->size + w->slack;
    w->fell = w->fell || (w->height < 0 && fell);
  }
  if (first) w->upper = INFINITY, w->fell = false; /* of a search in doubles which was not believed */
  w->width = step->lower, w->height = step->upper;
  watch_polytope(w, step, first);
}

/* ---- every step */

static void watch_bounds(watch *w, const graze_trace_step *step) {
  const bool goes_on = w->count > 0 && w->last.stop == GRAZE_TRACE_CONTINUE && w->last.phase == step->phase;
  if (goes_on && step->phase == GRAZE_PHASE_GJK && w->polytopes)
    expect(w, step->lower >= w->last.lower && step->upper <= w->last.upper, "GJK: the bounds got worse");
  bool inside = step->phase != GRAZE_PHASE_EPA || step->upper < 0;
  w->lower = fmax(w->lower, step->lower * w->up);
  if (inside && step->phase == GRAZE_PHASE_EPA) w->upper = fmin(w->upper, step->upper * w->up);
  if (step->phase != GRAZE_PHASE_EPA) expect(w, step->upper >= 0, "an upper bound below 0");
}

static void watch_step(void *context, const graze_trace_step *step) {
  watch *w = context;
  bool none = dot(step->direction, step->direction) == 0;
  expect(w, step->iteration == w->count, "iterations are not consecutive");
  expect(w, step->phase >= GRAZE_PHASE_GJK && step->phase <= GRAZE_PHASE_NEWTON, "no phase");
  if (w->count > 0) expect(w, follows(&w->last, step), "phases out of order");
  expect(w, step->simplex_count >= 1 && step->simplex_count <= w->dim + 1, "the simplex");
  expect(w, stands(w, &step->support), "the point is not that of its parents");
  for (int i = 0; i < step->simplex_count; i++)
    expect(w, stands(w, &step->simplex[i]), "a corner is not that of its parents");
  expect(w, !none || (step->phase == GRAZE_PHASE_EXACT && step->stop != GRAZE_TRACE_CONTINUE), "no direction");
  if (!none) {
    double length = step->phase == GRAZE_PHASE_EPA ? 1 : sqrt(dot(step->direction, step->direction));
    double check = step->origin_check * w->up / length,
           truth = dot(unit(step->direction), scaled(w->up, step->support.point));
    expect(w, fabs(check - truth) <= w->slack, "the origin check");
    if (step->phase == GRAZE_PHASE_GJK || step->phase == GRAZE_PHASE_AXES || step->phase == GRAZE_PHASE_DIRECTION)
      expect(w, !w->polytopes || is_farthest(w, unit(step->direction), truth + w->slack),
             "a point beyond the support point");
  }
  expect(w, (step->polytope != NULL) <= (step->phase == GRAZE_PHASE_EPA), "a polytope outside EPA");
  if (step->phase == GRAZE_PHASE_AXES) expect(w, step->lower <= step->upper, "AXES: a lower bound above the upper one");
  if (step->phase == GRAZE_PHASE_BOUNDARY_WALK)
    expect(w, (step->lower - step->upper) * w->up <= w->slack, "walk: a lower bound above the upper one");
  if (step->phase == GRAZE_PHASE_EPA) watch_epa(w, step);
  watch_bounds(w, step);
  w->last = *step;
  w->phase[step->phase]++;
  w->count++;
}

static bool same_pairs(const graze_pair *p, const graze_pair *q, int count) {
  return count == 0 || memcmp(p, q, (size_t)count * sizeof *p) == 0;
}

static bool same_points(const graze_certificate *p, const graze_certificate *q) {
  if (p->point_count != q->point_count) return false;
  for (int i = 0; i < p->point_count; i++)
    if (!same_vec(p->points[i], q->points[i])) return false;
  return true;
}

static bool same_answer(const proved_answer *p, const proved_answer *q) {
  const graze_certificate *s = &p->certificate, *t = &q->certificate;
  return p->relation == q->relation && p->algorithm == q->algorithm && p->stopped == q->stopped &&
         p->exact == q->exact && p->iterations == q->iterations && p->conditional == q->conditional &&
         same_bits(p->distance, q->distance) && same_bits(p->lower, q->lower) && same_bits(p->upper, q->upper) &&
         same_vec(p->normal, q->normal) && same_vec(p->point_a, q->point_a) && same_vec(p->point_b, q->point_b) &&
         s->kind == t->kind && same_points(s, t) && s->pair_count == t->pair_count &&
         s->depth_proof == t->depth_proof && s->direction.form == t->direction.form &&
         s->direction.count == t->direction.count && same_pairs(s->pairs, t->pairs, s->pair_count) &&
         same_pairs(s->direction.pairs, t->direction.pairs, s->direction.count) &&
         (s->direction.form != GRAZE_DIRECTION_VECTOR || same_vec(s->direction.vector, t->direction.vector));
}

/* The signed distance of the cores lies within all reported bounds. */
static void watch_answer(watch *w, const proved_answer *answer, double clearance) {
  const graze_shape *a = &w->pair->a, *b = &w->pair->b;
  double r = a->margin + b->margin + clearance;
  if (a->kind == GRAZE_SPHERE || a->kind == GRAZE_CAPSULE) r += a->as.sphere.radius;
  if (b->kind == GRAZE_SPHERE || b->kind == GRAZE_CAPSULE) r += b->as.sphere.radius;
  r *= w->shape_scale;
  if (isnan(answer->distance)) return;
  expect(w, w->lower <= answer->upper * w->up + r + 10 * w->slack + 1e-11 * r, "a lower bound above the distance");
  expect(w, w->upper >= answer->lower * w->up + r - 10 * w->slack - 1e-11 * r, "an upper bound below the distance");
}

static void watch_begin(watch *w, const shape_pair *pair, double up) {
  graze_placed a = graze_place(&pair->a, pair->pose_a), b = graze_place(&pair->b, pair->pose_b);
  graze_vec offset = sub(pair->pose_b.position, pair->pose_a.position);
  w->pair = pair, w->dim = pair->a.dim, w->up = up, w->shape_scale = 1;
  w->polytopes = oracle_core_count(&pair->a) > 0 && oracle_core_count(&pair->b) > 0;
  w->size = a.hidden.bounding_radius + b.hidden.bounding_radius + sqrt(dot(offset, offset));
  if (up == 1 && w->size < 1e-100) w->up = w->shape_scale = 0x1p900;
  w->size = a.hidden.bounding_radius * w->shape_scale + b.hidden.bounding_radius * w->shape_scale +
            sqrt(dot(scaled(w->shape_scale, offset), scaled(w->shape_scale, offset)));
  w->slack = 1e-12 * w->size + w->up * 0x1p-1070;
  w->count = 0;
  memset(w->phase, 0, sizeof w->phase);
  w->lower = -INFINITY, w->upper = INFINITY;
  w->fell = false;
  w->wrong = NULL;
}

proved_answer watch_query(watch *w, const shape_pair *pair, const shape_pair *queried, double up, bool distance,
                          graze_options options) {
  const shape_pair *q = queried ? queried : pair;
  const graze_placed a = graze_place(&q->a, q->pose_a), b = graze_place(&q->b, q->pose_b);
  graze_status (*query)(const graze_placed *, const graze_placed *, const graze_options *, proved_answer *) =
      distance ? query_distance : query_intersect;
  proved_answer plain, traced;
  watch_begin(w, pair, up);
  options.tracer = NULL;
  const graze_status untraced = query(&a, &b, &options, &plain);
  graze_tracer tracer = {watch_step, w};
  options.tracer = &tracer;
  const graze_status status = query(&a, &b, &options, &traced);
  expect(w, status == untraced, "the status differs");
  if (status != GRAZE_OK || untraced != GRAZE_OK) {
    expect(w, w->count == 0, "steps of a rejected query");
    memset(&traced, 0, sizeof traced);
    return traced;
  }
  expect(w, same_answer(&plain, &traced), "tracing changes the answer");
  expect(w, w->count == 0 || w->last.stop != GRAZE_TRACE_CONTINUE, "the last step has no reason to stop");
  expect(w, !w->fell, "EPA: the height fell");
  if (distance) watch_answer(w, &traced, options.clearance);
  return traced;
}
