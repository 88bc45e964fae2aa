/* The sign of a rational plus up to three square roots, exactly, by repeated squaring. docs/theory/exact.md. */
#ifndef GRAZE_EXACT_RADICAL_H
#define GRAZE_EXACT_RADICAL_H

#include "exact/big.h"

/* factor·sqrt(radicand), radicand >= 0. */
typedef struct grz_root {
  grz_big factor, radicand;
} grz_root;

enum { GRZ_ROOTS_MAX = 3 };

/* The sign of rational + root[0] + … + root[count-1], 0 <= count <= GRZ_ROOTS_MAX. Leaves nothing in the arena. */
int grz_radical_sign(grz_arena *arena, grz_big rational, const grz_root *root, int count);

#endif
