/* A polytope as the public surface that proves a depth. */
#ifndef GRAZE_NARROW_SURFACE_H
#define GRAZE_NARROW_SURFACE_H

#include "geometry/polytope.h"

/* Moves pairs and faces together, in the polytope's own buffer: the polytope is no more. */
void grz_surface_of(grz_polytope *polytope, int dim, graze_surface *surface);

#endif
