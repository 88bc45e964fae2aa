/* Two exactly rigid placements, cleared of denominators. */
#include "math/placing.h"

/* q·q and M(q): the rows of (q·q) R(q), with w² + x² - y² - z² and its like on the diagonal. */
typedef struct placing_rotation {
  grz_big norm;
  grz_bvec row[3];
} placing_rotation;

static grz_big placing_double(grz_arena *arena, grz_big x) { return grz_big_add(arena, x, x); }

/* 2(ab + cd) or, with -1, 2(ab - cd). */
static grz_big placing_mixed(grz_arena *arena, grz_big a, grz_big b, grz_big c, grz_big d, int sign) {
  grz_big ab = grz_big_mul(arena, a, b), cd = grz_big_mul(arena, c, d);
  return placing_double(arena, grz_big_add(arena, ab, sign > 0 ? cd : grz_big_neg(cd)));
}

static placing_rotation placing_rotate(grz_arena *arena, const graze_pose *pose) {
  placing_rotation m;
  grz_big w = grz_big_of(arena, pose->w), x = grz_big_of(arena, pose->x);
  grz_big y = grz_big_of(arena, pose->y), z = grz_big_of(arena, pose->z);
  grz_big ww = grz_big_mul(arena, w, w), xx = grz_big_mul(arena, x, x);
  grz_big yy = grz_big_mul(arena, y, y), zz = grz_big_mul(arena, z, z);
  grz_big wx_sum = grz_big_add(arena, ww, xx), wx_difference = grz_big_sub(arena, ww, xx);
  grz_big yz_sum = grz_big_add(arena, yy, zz), yz_difference = grz_big_sub(arena, yy, zz);
  m.norm = grz_big_add(arena, wx_sum, yz_sum);
  m.row[0].x = grz_big_sub(arena, wx_sum, yz_sum);
  m.row[1].y = grz_big_add(arena, wx_difference, yz_difference);
  m.row[2].z = grz_big_sub(arena, wx_difference, yz_difference);
  m.row[0].y = placing_mixed(arena, x, y, w, z, -1);
  m.row[1].x = placing_mixed(arena, x, y, w, z, 1);
  m.row[0].z = placing_mixed(arena, x, z, w, y, 1);
  m.row[2].x = placing_mixed(arena, x, z, w, y, -1);
  m.row[1].z = placing_mixed(arena, y, z, w, x, -1);
  m.row[2].y = placing_mixed(arena, y, z, w, x, 1);
  return m;
}

/* The results stay above the temporaries that they came from: a placing is made once for a pair, and its temporaries
 * are smaller than itself. */
grz_placing grz_placing_make(grz_arena *arena, const graze_pose *a, const graze_pose *b) {
  grz_placing p;
  placing_rotation ra = placing_rotate(arena, a), rb = placing_rotate(arena, b);
  for (int i = 0; i < 3; i++) {
    p.to_world_a[i] = grz_bvec_scale(arena, ra.row[i], rb.norm);
    p.to_world_b[i] = grz_bvec_scale(arena, rb.row[i], ra.norm);
  }
  p.scale = grz_big_mul(arena, ra.norm, rb.norm);
  grz_bvec from = grz_bvec_of(arena, a->position), to = grz_bvec_of(arena, b->position);
  p.offset = grz_bvec_scale(arena, grz_bvec_sub(arena, from, to), p.scale);
  return p;
}

grz_bvec grz_placing_point(grz_arena *arena, const grz_placing *placing, graze_vec va, graze_vec vb) {
  size_t mark = arena->used;
  grz_bvec a = grz_bvec_of(arena, va), b = grz_bvec_neg(grz_bvec_of(arena, vb));
  grz_big part[3];
  const grz_big offset[3] = {placing->offset.x, placing->offset.y, placing->offset.z};
  for (int i = 0; i < 3; i++) {
    size_t start = arena->used;
    grz_big turned_a = grz_bvec_dot(arena, placing->to_world_a[i], a);
    grz_big turned_b = grz_bvec_dot(arena, placing->to_world_b[i], b);
    grz_big sum = grz_big_add(arena, turned_a, turned_b);
    part[i] = grz_big_keep(arena, start, grz_big_add(arena, sum, offset[i]));
  }
  grz_bvec w = {part[0], part[1], part[2]};
  return grz_bvec_keep(arena, mark, w);
}

/* rows^T d. */
static grz_bvec placing_transposed(grz_arena *arena, const grz_bvec rows[3], grz_bvec d) {
  grz_bvec column_x = {rows[0].x, rows[1].x, rows[2].x};
  grz_bvec column_y = {rows[0].y, rows[1].y, rows[2].y};
  grz_bvec column_z = {rows[0].z, rows[1].z, rows[2].z};
  grz_bvec r = {grz_big_zero(), grz_big_zero(), grz_big_zero()};
  r.x = grz_bvec_dot(arena, column_x, d);
  r.y = grz_bvec_dot(arena, column_y, d);
  r.z = grz_bvec_dot(arena, column_z, d);
  return r;
}

grz_bvec grz_placing_local_a(grz_arena *arena, const grz_placing *placing, grz_bvec d) {
  return placing_transposed(arena, placing->to_world_a, d);
}

grz_bvec grz_placing_local_b(grz_arena *arena, const grz_placing *placing, grz_bvec d) {
  return placing_transposed(arena, placing->to_world_b, d);
}
