/* Families of bodies that move and turn. */
#ifndef TESTS_SUPPORT_SWEEP_FAMILIES_H
#define TESTS_SUPPORT_SWEEP_FAMILIES_H

#include "support/sweeps.h"

/* Those that the exact oracle knows: polytopes, rounded ones, and half-spaces. Then those it does not know, or that its
 * moments miss: what is flat meets for a moment only, and without an end they are too far apart. */
extern const sweep_family sweep_polytopes[], sweep_others[];
extern const int sweep_polytopes_count, sweep_others_count;

/* An angular velocity of up to `most` radians until t_max, about any axis. */
graze_vec sweep_spin(rng *random, const sweep_case *c, double most);

/* B comes from somewhere to near where its family placed it, and both turn by up to `most`. */
void sweep_random_motion(rng *random, sweep_case *c, double most);

#endif
