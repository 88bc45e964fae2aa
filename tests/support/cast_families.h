/* Families of motions that break continuous collision code. */
#ifndef TESTS_SUPPORT_CAST_FAMILIES_H
#define TESTS_SUPPORT_CAST_FAMILIES_H

#include "support/casts.h"

extern const cast_family cast_families[];
extern const int cast_families_count;

/* The local vector in the world, rounded. */
graze_vec cast_turned(const graze_pose *pose, graze_vec v);

#endif
