/* The faces and edges of any polytopal core, degenerate ones included. Hulls are built exactly. */
#ifndef GRAZE_COMPARE_SAT_FACES_EDGES_H
#define GRAZE_COMPARE_SAT_FACES_EDGES_H

#include "compare/faces_edges.h"

/* False: no room, or the hull's exact numbers outgrew theirs. What `room` gives is kept by the features. */
bool grz_sat_features(grz_features *features, const graze_placed *placed, double unit, grz_workspace *room);

#endif
