/* The rule that an input breaks, for messages such as "a.half_extents[1] = -2 (must be >= 0)". */
#include "core/error.h"

#include <string.h>

/* Rules of parameters that must not be negative are the default. */
static const char *error_rule(graze_status status, const char *what) {
  static const char *const rules[][2] = {
      {"vertices", "too few, too many or no vertices for the kind"},
      {"type", "must be a graze_shape_kind"},
      {"dim", "must be 2 or 3"},
      {"normal", "must not be zero"},
      {"rotation", "must not be zero"},
      {"support", "must not be NULL"},
      {"parts", "must be convex parts, at least one"},
  };
  switch (status) {
  case GRAZE_OK: return "";
  case GRAZE_BAD_NUMBER: return "must be a number of magnitude <= 1e40";
  case GRAZE_NOT_CONVEX: return "must be a vertex of a convex polygon";
  case GRAZE_NOT_SIMPLE: return "must not cross or touch itself";
  case GRAZE_DIM_MISMATCH: return "must fit the dimension of the shape";
  case GRAZE_OUT_OF_MEMORY: return "must fit into memory";
  case GRAZE_NO_SPACE: return "must be at least this large";
  case GRAZE_UNSUPPORTED: return "is not supported here";
  case GRAZE_BAD_OPTION: return "is out of range";
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
