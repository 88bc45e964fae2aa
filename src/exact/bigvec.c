/* Vectors of exact numbers. */
#include "exact/big.h"

grz_bvec grz_bvec_of(grz_arena *arena, graze_vec v) {
  grz_bvec r = {grz_big_of(arena, v.x), grz_big_of(arena, v.y), grz_big_of(arena, v.z)};
  return r;
}

grz_bvec grz_bvec_add(grz_arena *arena, grz_bvec u, grz_bvec v) {
  grz_bvec r = {grz_big_add(arena, u.x, v.x), grz_big_add(arena, u.y, v.y), grz_big_add(arena, u.z, v.z)};
  return r;
}

grz_bvec grz_bvec_sub(grz_arena *arena, grz_bvec u, grz_bvec v) { return grz_bvec_add(arena, u, grz_bvec_neg(v)); }

grz_bvec grz_bvec_scale(grz_arena *arena, grz_bvec v, grz_big factor) {
  grz_bvec r = {grz_big_mul(arena, v.x, factor), grz_big_mul(arena, v.y, factor), grz_big_mul(arena, v.z, factor)};
  return r;
}

/* a·b - c·d, alone in the arena. */
static grz_big bigvec_minor(grz_arena *arena, grz_big a, grz_big b, grz_big c, grz_big d) {
  size_t mark = arena->used;
  grz_big ab = grz_big_mul(arena, a, b), cd = grz_big_mul(arena, c, d);
  return grz_big_keep(arena, mark, grz_big_sub(arena, ab, cd));
}

grz_bvec grz_bvec_cross(grz_arena *arena, grz_bvec u, grz_bvec v) {
  grz_bvec r;
  r.x = bigvec_minor(arena, u.y, v.z, u.z, v.y);
  r.y = bigvec_minor(arena, u.z, v.x, u.x, v.z);
  r.z = bigvec_minor(arena, u.x, v.y, u.y, v.x);
  return r;
}

grz_big grz_bvec_dot(grz_arena *arena, grz_bvec u, grz_bvec v) {
  size_t mark = arena->used;
  grz_big x = grz_big_mul(arena, u.x, v.x), y = grz_big_mul(arena, u.y, v.y);
  grz_big sum = grz_big_keep(arena, mark, grz_big_add(arena, x, y));
  grz_big z = grz_big_mul(arena, u.z, v.z);
  return grz_big_keep(arena, mark, grz_big_add(arena, sum, z));
}

grz_big grz_bvec_det(grz_arena *arena, grz_bvec u, grz_bvec v, grz_bvec w) {
  size_t mark = arena->used;
  grz_bvec normal = grz_bvec_cross(arena, u, v);
  return grz_big_keep(arena, mark, grz_bvec_dot(arena, normal, w));
}

grz_bvec grz_bvec_keep(grz_arena *arena, size_t mark, grz_bvec v) {
  /* Moves down in the order of addresses, so that no move runs over a component that still waits. */
  grz_big *part[3] = {&v.x, &v.y, &v.z};
  for (int i = 1; i < 3; i++)
    for (int j = i; j > 0 && (uintptr_t)part[j]->limb < (uintptr_t)part[j - 1]->limb; j--) {
      grz_big *t = part[j];
      part[j] = part[j - 1];
      part[j - 1] = t;
    }
  size_t end = arena->used;
  const uint64_t *from = NULL, *to = NULL;
  for (int i = 0; i < 3; i++) {
    if (part[i]->sign != 0 && part[i]->limb == from) { /* components may share their limbs */
      part[i]->limb = to;
      continue;
    }
    from = part[i]->limb;
    arena->used = end;
    *part[i] = grz_big_keep(arena, mark, *part[i]);
    mark = arena->used;
    to = part[i]->limb;
  }
  return v;
}
