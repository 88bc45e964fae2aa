/* The faces and edges of any polytopal core, degenerate ones included. Hulls are built exactly. */
#ifndef GRAZE_CSO_SAT_FEATURES_H
#define GRAZE_CSO_SAT_FEATURES_H

#include "axes/features.h"

/* False: no room, or the hull's exact numbers outgrew theirs. What `room` gives is kept by the features. */
bool grz_sat_features(grz_features *features, const graze_placed *placed, double unit, grz_room *room);

#endif
