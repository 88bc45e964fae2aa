/* The slab test (Kay and Kajiya 1986) of a moving box against the eight boxes of a node, in single precision. Its
 * margins make it conservative: docs/theory/bvh.md, "Rays". */
#ifndef GRAZE_BVH_SLAB_H
#define GRAZE_BVH_SLAB_H

#include "bvh/eight.h"

/* One axis of the test. A box is entered at (side[in] + to_in)·per or later, and left at the negated
 * (side[out] + to_out)·per or earlier. */
typedef struct grz_slab_axis {
  int in, out; /* sides of grz_eight */
  float to_in, to_out, per;
} grz_slab_axis;

/* A box that moves. Parameters of the motion are in a unit of the test, and 0 where the box is nearest to the centre of
 * the tree; grz_slab_time() converts to them. */
typedef struct grz_slab {
  int count; /* axes in use */
  grz_slab_axis axis[3];
  float start;    /* of the motion, rounded down */
  bool limited;   /* some axis is not in use: */
  float limit[6]; /* no side of a box that is met is larger */
  double shift, unit[2];
} grz_slab;

/* Boxes of which the test cannot exclude that they are met by the parameter `end`, as bits, and lower bounds of the
 * parameter at which they are met. Every instruction set returns the same bits. */
typedef unsigned grz_slab_test(const grz_slab *slab, const grz_eight *eight, float end, float enter[8]);

/* `box` moves by way·t, t >= 0. `way` is finite. */
void grz_slab_make(grz_slab *slab, const grz_bvh *broad, const graze_aabb *box, graze_vec way);

/* The parameter at the time t, rounded up; infinite from DBL_MAX on. */
float grz_slab_time(const grz_slab *slab, double t);

grz_slab_test grz_slab_portable;
#ifdef GRZ_SIMD_X86
grz_slab_test grz_slab_sse2, grz_slab_avx2;
#endif
#ifdef GRZ_SIMD_NEON
grz_slab_test grz_slab_neon;
#endif

/* The fastest test of this machine. */
grz_slab_test *grz_slab_widest(void);

#endif
