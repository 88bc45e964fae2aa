/* Default options, errors that name the rejected input, and texts of the public enumerations. */
#ifndef GRAZE_CORE_STATUS_H
#define GRAZE_CORE_STATUS_H

#include <graze/graze.h>

enum { GRZ_MAX_ITERATIONS = 64 }; /* the default of all queries */

extern const graze_options grz_default_options;

/* An error without an owner; the rule follows from the status and the name of the parameter. For GRAZE_UNSUPPORTED and
 * GRAZE_BAD_OPTION there is no such rule. */
graze_error grz_error(graze_status status, const char *what, ptrdiff_t index, double value);

/* An error with a rule of its own. */
graze_error grz_error_rule(graze_status status, const char *what, double value, const char *allowed);

static inline graze_error grz_no_error(void) { return grz_error(GRAZE_OK, "", -1, 0); }

/* Stores the error if the caller wants it, and returns its status. */
static inline graze_status grz_reject(graze_error *to, graze_error error) {
  if (to != NULL) *to = error;
  return error.status;
}

#endif
