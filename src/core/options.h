/* The default options. */
#ifndef GRAZE_CORE_OPTIONS_H
#define GRAZE_CORE_OPTIONS_H

#include <graze/graze.h>

extern const graze_options grz_default_options;

#endif
