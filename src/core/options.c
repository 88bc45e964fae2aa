/* The default options, shared by the solvers and the verifier. */
#include "core/options.h"

const graze_options grz_default_options = {.max_distance = __builtin_inf(), .max_iterations = 64};

graze_options graze_default_options(void) { return grz_default_options; }
