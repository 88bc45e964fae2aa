/* The phases of a run in words. */
#include "explain/story.h"

#include <math.h>

bool phase_begins(const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  return k == 0 || step[-1].stop != GRAZE_TRACE_CONTINUE || step[-1].phase != step->phase;
}

/* ---- The beginning of a phase */

/* The first direction of GJK, as the end of a sentence about it. */
static const char *first_direction(const story *s) {
  const graze_options *options = &s->request->options;
  graze_vec a = s->a.placed.pose.position, b = s->b.placed.pose.position;
  if (options->method == GRAZE_METHOD_GJK && !vec_is_zero(options->start)) return "is the query's \"start\"";
  bool same = a.x == b.x && a.y == b.y && (s->dim == 2 || a.z == b.z);
  return same ? "is the x axis, because A and B have the same position" : "points from the position of A to that of B";
}

static void emit_first_polytope(cli_text *out, const story *s) {
  emit(out,
       s->pair.algorithm == GRAZE_ALGORITHM_BRUTE
           ? "The first polytope is the convex hull of all vertex differences."
           : "The first polytope has the points of the previous phase, and further support points if these do not span "
             "a %s.",
       s->dim == 2 ? "polygon" : "solid");
}

/* ---- A step */

static void emit_simplex(cli_text *out, const graze_trace_step *step, int dim) {
  for (int i = 0; i < step->simplex_count; i++)
    emit(out, i == 0 ? "%p" : i + 1 < step->simplex_count ? ", %p" : " and %p", &step->simplex[i], dim, DIGITS);
}

/* "(1, 0), the support point of A − B is w = A2 − B0 = (−1, −3)" */
static void emit_support(cli_text *out, const story *s, const graze_trace_step *step) {
  const int digits = digits_of_point(s, step->support.point);
  emit(out, "%w, the support point of A − B is w = ", step->direction, s->dim,
       digits_of_direction(s, step->direction, digits));
  if (cso_point_has_vertices(&step->support)) emit(out, "%P = ", &step->support);
  emit(out, "%w", step->support.point, s->dim, digits);
}

/* The signs of exact refinement are exact. Other signs are correct if the answer agrees with them. */
static bool is_sure(const story *s, const graze_trace_step *step) {
  return step->phase == GRAZE_PHASE_EXACT || s->pair.relation == GRAZE_SEPARATED;
}

static bool simplex_has(const graze_trace_step *step, const graze_cso_point *w) {
  for (int i = 0; i < step->simplex_count; i++)
    if (cso_point_equal(&step->simplex[i], w)) return true;
  return false;
}

/* "The simplex is now the segment A2 − B0 and A1 − B3; A0 − B0 is removed" */
static void emit_new_simplex(cli_text *out, const story *s, size_t k) {
  static const char *const kinds[] = {"", "this point", "the segment ", "the triangle ", "the tetrahedron "};
  const graze_trace_step *step = &s->finding.trace.steps[k];
  if (!simplex_has(step, &step->support)) return;
  emit(out, ". The simplex is now %s", kinds[step->simplex_count]);
  if (step->simplex_count > 1) emit_simplex(out, step, s->dim);
  if (step->stop == GRAZE_TRACE_CONTAINS_ORIGIN)
    emit(out, step->simplex_count > s->dim ? ", which contains the origin"
              : step->simplex_count == 1   ? ", which is the origin up to rounding"
                                           : ", and the origin is on it up to rounding");
  if (phase_begins(s, k)) return;
  int removed = 0;
  for (int i = 0; i < step[-1].simplex_count; i++) {
    if (simplex_has(step, &step[-1].simplex[i])) continue;
    emit(out, removed++ == 0 ? "; %p" : ", %p", &step[-1].simplex[i], s->dim, DIGITS);
  }
  if (removed > 0) emit(out, removed == 1 ? " is removed" : " are removed");
}

static void emit_epa(cli_text *out, const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  const graze_surface *polytope = step->polytope;
  bool outside = step->upper > 0;
  if (phase_begins(s, k)) emit(out, "%S ", emit_first_polytope, s);
  emit(out, outside ? "The origin is outside the polytope" : "The polytope");
  if (polytope) emit(out, " (%c", polytope->pair_count, "point", "points");
  if (polytope && s->dim == 3) emit(out, ", %c", polytope->face_count, "face", "faces");
  if (polytope) emit(out, ")");
  emit(out, outside ? ", farthest beyond the %s " : " has the nearest %s ", s->dim == 2 ? "edge" : "face");
  emit_simplex(out, step, s->dim);
  emit(out,
       outside ? ", by %n. In the direction of its outward normal, d = "
               : ", at the distance %n. In the direction of its outward normal, d = ",
       fabs(step->upper));
  emit_support(out, s, step);
  emit(out, "; d·w = %n", step->origin_check);
  if (isfinite(step->lower) && step->lower == step->upper)
    emit(out, ". So this is the depth of the cores");
  else if (isfinite(step->lower))
    emit(out,
         outside ? ". The depth of the cores is at most %n" : ". The depth of the cores is at most %n and at least %n",
         -step->lower, -step->upper);
  emit(out, ".");
}

/* All phases but EPA have a support point, and GJK its simplex. */
void phase_step(cli_text *out, const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  if (step->phase == GRAZE_PHASE_EPA) {
    emit_epa(out, s, k);
    return;
  }
  const double check = step->origin_check;
  if (story_has_point(step)) {
    emit(out,
         step->phase == GRAZE_PHASE_EXACT ? "In exact arithmetic, in the direction d = "
         : step->phase != GRAZE_PHASE_GJK ? "In the direction d = "
         : !phase_begins(s, k)            ? "In the direction from the nearest point of the simplex to the origin, d = "
         : k > 0                          ? "In another first direction, d = "
                                          : "In the first direction, which %s, d = ",
         first_direction(s));
    emit_support(out, s, step);
    emit(out, "; d·w = %r%s%s", check, digits_of_bound(s, check),
         check > 0    ? " > 0, so w is beyond the origin"
         : check == 0 ? ", so w is level with the origin"
                      : " < 0, so w does not reach the origin, which is outside A − B",
         check < 0 && !is_sure(s, step) ? " up to rounding" : "");
    if (step->phase == GRAZE_PHASE_GJK) emit_new_simplex(out, s, k);
  } else {
    emit(out, "The simplex of the previous phase is reduced in exact arithmetic: ");
    emit_simplex(out, step, s->dim);
  }
  const bool low = step->lower > 0, high = isfinite(step->upper) && step->upper > 0;
  if (low || high) emit(out, s->radius > 0 ? ". The distance of the cores is " : ". The distance is ");
  if (low) emit(out, "at least %r", step->lower, digits_of_bound(s, step->lower));
  if (low && high) emit(out, " and ");
  if (high) emit(out, "at most %r", step->upper, digits_of_bound(s, step->upper));
  emit(out, ".");
}

/* ---- The table */

static const char WALK[] = "#dwcosLU", SUPPORT[] = "#dwcoLU", POLYTOPE[] = "#psnwcLU";

static const phase_info PHASES[] = {
    [GRAZE_PHASE_GJK] = {"GJK", "GJK", WALK, "simplex",
                         "Each iteration computes the support point w of A − B in the direction d, which points from "
                         "the nearest point of the simplex to the origin. If d·w < 0, the support point does not reach "
                         "the origin, so the origin is outside A − B, and −d·w/|d| is a lower bound of the distance. "
                         "The distance of the simplex is an upper bound."},
    [GRAZE_PHASE_PORTAL] = {"MPR, Minkowski portal refinement", "MPR", WALK, "portal",
                            "A ray goes from an interior point v of A − B through the origin. The portal is a triangle "
                            "(2D: a segment) of support points that the ray crosses. Each iteration computes the "
                            "support point w in the direction d of the portal's normal."},
    [GRAZE_PHASE_EXACT] = {"Exact refinement", "exact refinement", WALK, "previous simplex",
                           "GJK continues in exact arithmetic. The numbers shown are rounded, their signs are exact."},
    [GRAZE_PHASE_EPA] =
        {"EPA, the expanding polytope algorithm", "EPA", POLYTOPE, "nearest facet",
         "The polytope is inside A − B and contains the origin. Each iteration takes its face (2D: edge) nearest the "
         "origin, and computes the support point w in the direction d of the outward normal. The depth is at least the "
         "distance of that face, and at most d·w/|d|. Lower and upper are bounds of minus the depth."},
    [GRAZE_PHASE_BOUNDING_SPHERES] =
        {"Bounding spheres", "bounding spheres", SUPPORT, "",
         "The bounding spheres about the local origins of A and B are disjoint. The direction d between the origins "
         "separates them, and w is the support point in it."},
    [GRAZE_PHASE_DIRECTION] =
        {"A single direction", "direction", SUPPORT, "",
         "The direction d is the cached one, the line of centers (for equal positions the x axis) or its reflection, "
         "the normal of a half-space, or the edge normal with the largest gap. If d·w < 0 for its support point w, the "
         "direction separates A and B, or the cores of rounded shapes."},
    [GRAZE_PHASE_BOUNDARY_WALK] =
        {"Walk along the boundary of A − B", "boundary walk", SUPPORT, "",
         "Each edge of A − B is an edge of A or of −B. Each step follows the edge that points most directly at the "
         "origin. There w is the next vertex, not the support point, and d points from w to the origin. In the last "
         "step, w is the support point in the direction d from the nearest point to the origin."},
    [GRAZE_PHASE_AXES] = {"Candidate axes", "axes", SUPPORT, "",
                          "Each step computes the support point w of A − B in the direction d of a candidate axis. If "
                          "d·w < 0, d is a separating axis. If there is none, the least d·w/|d| is the depth. Lower "
                          "and upper are bounds of the signed distance."},
    [GRAZE_PHASE_CLOSED_FORM] = {"Nearest points in closed form", "closed form", SUPPORT, "",
                                 "The direction d points from the nearest point of A − B, in closed form, to the "
                                 "origin. Its support point w "
                                 "verifies it: −d·w/|d| is the distance. If the cores overlap, d is the normal of the "
                                 "nearest face, and d·w/|d| the depth."},
    [GRAZE_PHASE_NEWTON] = {"Newton's method", "Newton", SUPPORT, "",
                            "The curvatures of both shapes give the next direction d. −d·w/|d| and |w| are bounds of "
                            "the distance, and meet where w is opposite to d."},
};

const phase_info *phase_of(graze_phase phase) { return &PHASES[phase]; }

void phase_explain(cli_text *out, const story *s, graze_phase phase) {
  emit(out, "%s", PHASES[phase].explanation);
  if (phase == GRAZE_PHASE_GJK) emit(out, " The first d %s.", first_direction(s));
  if (phase == GRAZE_PHASE_EPA) emit(out, " %S", emit_first_polytope, s);
}

/* ---- The end of a phase */

static const char *contains_text(const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  bool last = k + 1 == s->finding.trace.count || step[1].phase == GRAZE_PHASE_EPA; /* no later phase decides again */
  if (step->phase == GRAZE_PHASE_AXES) return "no candidate axis separates, so A and B overlap";
  if (step->phase == GRAZE_PHASE_PORTAL) return "the portal and the interior point contain the origin, so A − B does";
  if (step->phase == GRAZE_PHASE_EXACT) {
    if (!(s->radius > 0)) return "the origin is strictly inside the hull of the points, so the shapes overlap";
    bool is_origin =
        step->simplex_count == 1 && vec_is_zero(step->simplex[0].point) && vec_is_zero(step->support.point);
    return is_origin ? "the point is the origin, so the cores overlap or touch"
                     : "the hull of the points contains the origin, so the cores overlap or touch";
  }
  if (step->simplex_count > s->dim)
    return last ? "the simplex contains the origin, so A and B overlap"
                : "the simplex contains the origin, up to rounding";
  return step->simplex_count == 1 ? "the point of the simplex is the origin, up to rounding"
                                  : "the origin is on the simplex, up to rounding";
}

static const char *stop_text(const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  const bool epa = step->phase == GRAZE_PHASE_EPA, sure = is_sure(s, step);
  switch (step->stop) {
  case GRAZE_TRACE_ORIGIN_NOT_PASSED:
    if (step->origin_check == 0)
      return "w is level with the origin (d·w = 0), so no point of A − B is beyond the origin";
    if (isfinite(s->request->options.max_distance) && cli_query_has_distance(s->request->query))
      return "w does not reach the origin (d·w < 0), and the lower bound has reached max_distance";
    if (s->radius > 0 && step->lower > s->radius)
      return sure ? "w does not reach the origin (d·w < 0), and the distance of the cores is greater than r"
                  : "w does not reach the origin (d·w < 0), and the distance of the cores is about r, up to rounding";
    return sure ? "w does not reach the origin (d·w < 0), so d is a separating axis of A and B"
                : "w does not reach the origin (d·w < 0), up to rounding";
  case GRAZE_TRACE_CONTAINS_ORIGIN: return contains_text(s, k);
  case GRAZE_TRACE_VERTEX_REPEATED:
    return epa ? "w is already a vertex of the polytope, so the face is on the boundary of A − B"
               : "w is already a vertex of the simplex, so no point of A − B is nearer the origin";
  case GRAZE_TRACE_BOUNDS_MET:
    if (epa && cso_point_has_vertices(&step->support))
      return "no point of A − B is beyond the face, so the face is on the boundary of A − B and the bounds have met";
    if (step->phase == GRAZE_PHASE_AXES)
      return "all candidate axes are tested: the largest lower bound is the signed distance of the cores";
    if (epa) return "no point of A − B is beyond the face by more than the tolerance: the bounds have met";
    if (step->phase == GRAZE_PHASE_EXACT) return "no point of A − B is nearer the origin, exactly";
    if (step->phase == GRAZE_PHASE_PORTAL) return "the bounds decide the relation";
    if (s->radius > 0 && step->upper < s->radius && step->upper - step->lower > 1e-9 * s->radius)
      return "the distance of the cores is less than r, which decides the query";
    return "the lower and the upper bound have met within the tolerance";
  case GRAZE_TRACE_BUDGET: return epa ? "the workspace is full" : "the limit of iterations is reached";
  case GRAZE_TRACE_NO_PROGRESS:
    if (!epa) return "no progress, because of rounding";
    return step->upper < 0 ? "after rounding there is no closed polytope with the vertex w"
                           : "the origin is not strictly inside the polytope, up to rounding, and w does not expand it";
  case GRAZE_TRACE_CONTINUE: break;
  }
  return "";
}

void phase_stop(cli_text *out, const story *s, size_t k) {
  const cli_trace *trace = &s->finding.trace;
  const graze_trace_step *step = &trace->steps[k];
  graze_algorithm algorithm = s->pair.algorithm;
  bool exact = algorithm == GRAZE_ALGORITHM_EXACT || algorithm == GRAZE_ALGORITHM_BRUTE;
  if (step->stop == GRAZE_TRACE_CONTINUE) return;
  emit(out, "%s", stop_text(s, k));
  if (k + 1 < trace->count && step[1].phase != step->phase)
    emit(out, "; next: %s", PHASES[step[1].phase].name);
  else if (k + 1 < trace->count)
    emit(out, step->phase != GRAZE_PHASE_EPA ? "; it restarts in another direction"
              : exact ? "; it restarts in exact arithmetic, with all points of the previous phase"
                      : "; it restarts");
  else if (trace->count == trace->total && algorithm == GRAZE_ALGORITHM_SAT && step->phase != GRAZE_PHASE_AXES)
    emit(out, "; the depth is then that of the axes");
  else if (trace->count == trace->total && algorithm == GRAZE_ALGORITHM_EXACT && step->phase == GRAZE_PHASE_GJK)
    emit(out, "; exact arithmetic then decides, without further steps");
  emit(out, ".");
}
