/* Surfaces made by hand, for claims that rest on them. */
#ifndef TESTS_CERT_SKINS_H
#define TESTS_CERT_SKINS_H

#include "cert/claims.h"

enum { SKIN_PAIRS = 40, SKIN_FACES = 72 };

typedef struct skin {
  graze_vec point[SKIN_PAIRS];
  graze_pair pair[SKIN_PAIRS];
  int32_t face[SKIN_FACES][3];
  graze_surface surface;
} skin;

/* Points and faces are there: fills pairs (vertex i of A with vertex 0 of B) and surface; no faces in 2D. */
void skin_close(skin *s, size_t points, size_t faces);

/* The hull of the skin's points against a point at its origin; `inside` are pairs that hold it. */
claim claim_skin(const skin *s, graze_pose pose, int count, const int *inside);

void expect(const claim *c, graze_status status);

/* Asserts that -depth is accepted, and refused one ulp deeper. */
void expect_depth(claim c, double depth);

#endif
