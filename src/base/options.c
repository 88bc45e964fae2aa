/* The default options: for whoever asks a question, and for whoever only checks the answer. */
#include <graze/graze.h>

graze_options graze_default_options(void) {
  graze_options options = {.max_distance = __builtin_inf(), .max_iterations = 64, .samples = 64};
  return options;
}
