/* Decompositions that may be changed, for the tests of graze_verify_pieces(). */
#ifndef TESTS_CERT_FORGERY_H
#define TESTS_CERT_FORGERY_H

#include "build/rings.h"

typedef struct forgery {
  graze_decomposition made; /* points to the lists below, which have room for twice as much */
  graze_vec *vertices;
  size_t *start;
  graze_seam *seams;
} forgery;

forgery forgery_copy(const graze_decomposition *decomposition);
/* The seams as they should be: all edges of two pieces that are reverses of one another. */
void forgery_seams(forgery *f);
void forgery_free(forgery *f);

graze_status forgery_judge(const rings *all, const graze_decomposition *made);
graze_status forgery_decompose(const rings *all, graze_decomposition *made);

/* Zeroed, for a few more than `count`; never NULL. */
void *forgery_room(size_t count, size_t size);

#endif
