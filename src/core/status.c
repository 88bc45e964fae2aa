/* The version, the default options, errors that name the rejected input, and one line of English for every public
 * enumeration. */
#include "core/status.h"

#include <graze/build.h>
#include <graze/scene.h>
#include <graze/trace.h>

#include <string.h>

_Static_assert(sizeof(graze_answer) <= 160, "arrays of answers are practical");
_Static_assert(sizeof(graze_shape) <= 128, "two cache lines");
_Static_assert(sizeof(graze_placed) <= 256, "four cache lines");
_Static_assert(offsetof(graze_placed, pose) + sizeof(graze_vec) <= 128, "what every query reads: two cache lines");
_Static_assert(sizeof(graze_cast_result) <= 256, "four cache lines");

const char *graze_version(void) { return GRAZE_VERSION; }

/* ---- Options. */

const graze_options grz_default_options = {.max_distance = __builtin_inf(), .max_iterations = GRZ_MAX_ITERATIONS};

graze_options graze_default_options(void) { return grz_default_options; }

/* ---- Errors: the rule that an input breaks, for messages such as "a.half_extents[1] = -2 (must be >= 0)". */

/* Parameters with GRAZE_BAD_SHAPE and without a rule in this table must not be negative. */
static const char *error_rule(graze_status status, const char *what) {
  static const char *const rules[][2] = {
      {"vertices", "too few, too many or no vertices for the kind"},
      {"type", "must be a graze_shape_kind"},
      {"dim", "must be 2 or 3"},
      {"normal", "must not be zero"},
      {"rotation", "must not be zero"},
      {"support", "must not be NULL"},
      {"parts", "must be convex parts, at least one"},
      {"holes", "must be rings of at least one vertex"},
  };
  switch (status) {
  case GRAZE_OK: return "";
  case GRAZE_BAD_NUMBER: return "must be a number of magnitude <= 1e40";
  case GRAZE_NOT_CONVEX: return "must be a vertex of a convex polygon";
  case GRAZE_NOT_SIMPLE: return "must bound a polygon, without edges that cross";
  case GRAZE_DIM_MISMATCH: return "must fit the dimension of the shape";
  case GRAZE_OUT_OF_MEMORY: return "must fit into memory";
  case GRAZE_NO_SPACE: return "must be at least this large";
  case GRAZE_BAD_DATA: return "must be as graze_scene_save() wrote it";
  default: break;
  }
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (strcmp(what, rules[i][0]) == 0) return rules[i][1];
  return "must be >= 0";
}

graze_error grz_error(graze_status status, const char *what, ptrdiff_t index, double value) {
  return (graze_error){status, what, index, value, "", error_rule(status, what)};
}

graze_error grz_error_rule(graze_status status, const char *what, double value, const char *allowed) {
  return (graze_error){status, what, -1, value, "", allowed};
}

/* ---- Texts of enumerations. */

const char *graze_status_text(graze_status status) {
  switch (status) {
  case GRAZE_OK: return "ok";
  case GRAZE_BAD_NUMBER: return "a number is NaN, infinite, or larger than 1e40 in magnitude";
  case GRAZE_BAD_SHAPE: return "the shape or the pose is not valid";
  case GRAZE_NOT_CONVEX: return "the polygon is not convex";
  case GRAZE_NOT_SIMPLE: return "the outline crosses itself, or its holes do not lie inside it";
  case GRAZE_DIM_MISMATCH: return "2D and 3D do not mix";
  case GRAZE_BAD_OPTION: return "an option is out of its range";
  case GRAZE_UNSUPPORTED: return "the query is not defined for these shapes";
  case GRAZE_NO_SPACE: return "a buffer is too small for the result";
  case GRAZE_OUT_OF_MEMORY: return "not enough memory";
  case GRAZE_REFUTED: return "the certificate or the interval is wrong";
  case GRAZE_UNPROVEN:
    return "unproven: nothing is wrong, but the certificate does not prove the whole answer (a depth may need a "
           "surface, a mesh a frontier, a compound all parts, a sweep its steps)";
  case GRAZE_NO_BODY: return "the scene has no body of this id";
  case GRAZE_BAD_DATA: return "the bytes are not a snapshot of this version, or they are damaged";
  }
  return "unknown status";
}

const char *graze_relation_text(graze_relation relation) {
  switch (relation) {
  case GRAZE_SEPARATED: return "separated";
  case GRAZE_TOUCHING: return "touching";
  case GRAZE_OVERLAPPING: return "overlapping";
  case GRAZE_UNDECIDED: return "undecided";
  }
  return "unknown relation";
}

const char *graze_algorithm_text(graze_algorithm algorithm) {
  switch (algorithm) {
  case GRAZE_ALGORITHM_GJK: return "gjk";
  case GRAZE_ALGORITHM_CACHED_AXIS: return "cached axis";
  case GRAZE_ALGORITHM_EXACT: return "exact";
  case GRAZE_ALGORITHM_HALFSPACE: return "plane";
  case GRAZE_ALGORITHM_PORTAL: return "portal";
  case GRAZE_ALGORITHM_SAT: return "sat";
  case GRAZE_ALGORITHM_EPA: return "epa";
  case GRAZE_ALGORITHM_BRUTE: return "brute";
  case GRAZE_ALGORITHM_FCCD: return "fccd";
  case GRAZE_ALGORITHM_SWEEP: return "sweep";
  case GRAZE_ALGORITHM_LCCD: return "lccd";
  case GRAZE_ALGORITHM_CA: return "ca";
  case GRAZE_ALGORITHM_SAMPLING: return "discrete";
  case GRAZE_ALGORITHM_BOUNDING_SPHERES: return "bounding spheres";
  case GRAZE_ALGORITHM_BOUNDARY_WALK: return "boundary walk";
  case GRAZE_ALGORITHM_CONTAINMENT: return "containment";
  case GRAZE_ALGORITHM_CLOSED_FORM: return "closed form";
  }
  return "unknown algorithm";
}

const char *graze_cast_outcome_text(graze_cast_outcome outcome) {
  switch (outcome) {
  case GRAZE_HIT: return "hit";
  case GRAZE_CLEAR: return "clear";
  case GRAZE_POSSIBLE: return "possible";
  }
  return "unknown outcome";
}

const char *graze_stop_text(graze_stop stop) {
  switch (stop) {
  case GRAZE_STOP_NONE: return "none";
  case GRAZE_STOP_CUTOFF: return "cutoff";
  case GRAZE_STOP_BUDGET: return "budget";
  case GRAZE_STOP_PRECISION: return "precision";
  case GRAZE_STOP_NONCONVEX: return "nonconvex";
  }
  return "unknown stop";
}

const char *graze_trace_stop_text(graze_trace_stop stop) {
  switch (stop) {
  case GRAZE_TRACE_CONTINUE: return "continues";
  case GRAZE_TRACE_ORIGIN_NOT_PASSED: return "origin not passed";
  case GRAZE_TRACE_CONTAINS_ORIGIN: return "simplex holds the origin";
  case GRAZE_TRACE_VERTEX_REPEATED: return "vertex repeated";
  case GRAZE_TRACE_BOUNDS_MET: return "bounds met";
  case GRAZE_TRACE_BUDGET: return "budget";
  case GRAZE_TRACE_NO_PROGRESS: return "no progress";
  }
  return "unknown trace stop";
}

const char *graze_phase_text(graze_phase phase) {
  switch (phase) {
  case GRAZE_PHASE_GJK: return "gjk";
  case GRAZE_PHASE_PORTAL: return "portal";
  case GRAZE_PHASE_EXACT: return "exact";
  case GRAZE_PHASE_EPA: return "epa";
  case GRAZE_PHASE_BOUNDING_SPHERES: return "bounding spheres";
  case GRAZE_PHASE_DIRECTION: return "direction";
  case GRAZE_PHASE_BOUNDARY_WALK: return "boundary walk";
  case GRAZE_PHASE_AXES: return "axes";
  case GRAZE_PHASE_CLOSED_FORM: return "closed form";
  case GRAZE_PHASE_NEWTON: return "newton";
  }
  return "unknown phase";
}

const char *graze_winding_text(graze_winding winding) {
  switch (winding) {
  case GRAZE_WINDING_NONE: return "none";
  case GRAZE_WINDING_CCW: return "ccw";
  case GRAZE_WINDING_CW: return "cw";
  }
  return "unknown winding";
}

const char *graze_response_text(graze_response response) {
  switch (response) {
  case GRAZE_RESPONSE_NONE: return "none";
  case GRAZE_RESPONSE_STOP: return "stop";
  case GRAZE_RESPONSE_SLIDE: return "slide";
  case GRAZE_RESPONSE_BOUNCE: return "bounce";
  }
  return "unknown response";
}

const char *graze_event_text(graze_event_kind kind) {
  switch (kind) {
  case GRAZE_EVENT_BEGIN: return "begin";
  case GRAZE_EVENT_STAY: return "stay";
  case GRAZE_EVENT_END: return "end";
  }
  return "unknown event";
}

const char *graze_outline_error_text(graze_outline_error_kind kind) {
  switch (kind) {
  case GRAZE_OUTLINE_FEW_POINTS: return "fewer_than_3_distinct_points";
  case GRAZE_OUTLINE_ZERO_AREA: return "zero_area";
  case GRAZE_OUTLINE_REPEATED_NEIGHBOUR: return "repeated_consecutive_point";
  case GRAZE_OUTLINE_REPEATED_POINT: return "repeated_point_elsewhere";
  case GRAZE_OUTLINE_EDGES_TOUCH: return "edges_touch";
  case GRAZE_OUTLINE_EDGES_CROSS: return "edges_cross";
  case GRAZE_OUTLINE_HOLE_OUTSIDE: return "hole_outside";
  }
  return "unknown outline error";
}
