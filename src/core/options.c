/* The default options: for whoever asks a question, and for whoever only checks the answer. */
#include "core/options.h"

const graze_options grz_default_options = {.max_distance = __builtin_inf(), .max_iterations = 64};

graze_options graze_default_options(void) { return grz_default_options; }
