/* Two convex bodies in linear motion: when do they first meet? */
#ifndef GRAZE_CCD_CAST_H
#define GRAZE_CCD_CAST_H

#include <graze/graze.h>

/* graze_cast(), and graze_raycast() where B is the point of a ray: then a start in touch is a hit. */
graze_status grz_cast_pair(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                           double t_max, bool ray, const graze_options *options, graze_cast_result *impact);

#endif
