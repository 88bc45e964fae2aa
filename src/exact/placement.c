/* Two exactly rigid placements, cleared of denominators. */
#include "exact/placement.h"

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

typedef struct placing_quaternion {
  grz_big w, x, y, z;
} placing_quaternion;

static placing_quaternion placing_read(grz_arena *arena, const graze_pose *pose) {
  placing_quaternion q;
  q.w = grz_big_of(arena, pose->w), q.x = grz_big_of(arena, pose->x);
  q.y = grz_big_of(arena, pose->y), q.z = grz_big_of(arena, pose->z);
  return q;
}

static placing_rotation placing_rotate(grz_arena *arena, placing_quaternion q) {
  placing_rotation m;
  const grz_big w = q.w, x = q.x, y = q.y, z = q.z;
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

/* a·b + c·d - e·f + g·h. */
static grz_big placing_four(grz_arena *arena, const grz_big term[8]) {
  size_t mark = arena->used;
  grz_big sum = grz_big_add(arena, grz_big_mul(arena, term[0], term[1]), grz_big_mul(arena, term[2], term[3]));
  sum = grz_big_sub(arena, sum, grz_big_mul(arena, term[4], term[5]));
  return grz_big_keep(arena, mark, grz_big_add(arena, sum, grz_big_mul(arena, term[6], term[7])));
}

/* The quaternion of the turn by q after that by p. */
static placing_quaternion placing_product(grz_arena *arena, placing_quaternion q, placing_quaternion p) {
  const grz_big minus = grz_big_neg(q.x), w[8] = {q.w, p.w, minus, p.x, q.y, p.y, grz_big_neg(q.z), p.z};
  const grz_big x[8] = {q.w, p.x, q.x, p.w, q.z, p.y, q.y, p.z}, y[8] = {q.w, p.y, q.y, p.w, q.x, p.z, q.z, p.x};
  const grz_big z[8] = {q.w, p.z, q.z, p.w, q.y, p.x, q.x, p.y};
  placing_quaternion r;
  r.w = placing_four(arena, w), r.x = placing_four(arena, x);
  r.y = placing_four(arena, y), r.z = placing_four(arena, z);
  return r;
}

static grz_big placing_square(grz_arena *arena, placing_quaternion q) {
  const grz_big term[8] = {q.w, q.w, q.x, q.x, grz_big_neg(q.y), q.y, q.z, q.z};
  return placing_four(arena, term);
}

static grz_bvec placing_turned(grz_arena *arena, const grz_bvec rows[3], grz_bvec v) {
  grz_bvec r;
  r.x = grz_bvec_dot(arena, rows[0], v);
  r.y = grz_bvec_dot(arena, rows[1], v);
  r.z = grz_bvec_dot(arena, rows[2], v);
  return r;
}

/* Where a body stands: at `position`, and if it is a part of a compound, at shift/norm from there. */
typedef struct placing_body {
  placing_rotation turn;
  graze_vec position;
  grz_bvec shift;
} placing_body;

static bool placing_is_turned(const graze_pose *pose) { return pose->x != 0 || pose->y != 0 || pose->z != 0; }

static placing_body placing_part(grz_arena *arena, const graze_placed *part) {
  placing_body body = {.position = part->frame.position};
  placing_quaternion frame = placing_read(arena, &part->frame), own = placing_read(arena, &part->pose);
  grz_bvec position = grz_bvec_of(arena, part->pose.position);
  if (!placing_is_turned(&part->frame)) {
    body.turn = placing_rotate(arena, own);
    body.shift = grz_bvec_scale(arena, position, body.turn.norm);
    return body;
  }
  body.turn = placing_rotate(arena, frame);
  body.shift = placing_turned(arena, body.turn.row, position);
  if (!placing_is_turned(&part->pose)) return body;
  body.turn = placing_rotate(arena, placing_product(arena, frame, own));
  body.shift = grz_bvec_scale(arena, body.shift, placing_square(arena, own));
  return body;
}

static bool placing_is_moved(const graze_placed *part) {
  graze_vec p = part->pose.position;
  return placing_is_turned(&part->pose) || p.x != 0 || p.y != 0 || p.z != 0;
}

static placing_body placing_read_body(grz_arena *arena, const graze_placed *placed) {
  if (placed->framed && placing_is_moved(placed)) return placing_part(arena, placed);
  const graze_pose *pose = placed->framed ? &placed->frame : &placed->pose;
  placing_body body = {.position = pose->position};
  body.turn = placing_rotate(arena, placing_read(arena, pose));
  body.shift.x = body.shift.y = body.shift.z = grz_big_zero();
  return body;
}

/* Moves the results down over the temporaries that they came from; in the order in which they were made, so that none
 * runs over one that still waits. */
static void placing_keep(grz_arena *arena, size_t mark, grz_placement *p) {
  const size_t end = arena->used;
  grz_bvec *vector[8] = {&p->to_world_a[0], &p->to_world_b[0], &p->to_world_a[1], &p->to_world_b[1],
                         &p->to_world_a[2], &p->to_world_b[2], &p->offset,        &p->sweep};
  for (int i = 0; i < 8; i++) {
    if (i == 6) {
      p->scale = grz_big_keep(arena, mark, p->scale);
      mark = arena->used, arena->used = end;
    }
    *vector[i] = grz_bvec_keep(arena, mark, *vector[i]);
    mark = arena->used, arena->used = end;
  }
  arena->used = mark;
}

static void placing_move(grz_arena *arena, const graze_placed *a, const graze_placed *b, grz_placement *p) {
  grz_bvec speed = grz_bvec_sub(arena, grz_bvec_of(arena, a->velocity), grz_bvec_of(arena, b->velocity));
  grz_bvec scaled = grz_bvec_scale(arena, speed, p->scale);
  grz_big from = grz_big_of(arena, a->from), time = grz_big_sub(arena, grz_big_of(arena, a->to), from);
  p->offset = grz_bvec_add(arena, p->offset, grz_bvec_scale(arena, scaled, from));
  p->sweep = grz_bvec_scale(arena, scaled, time);
}

/* Without frames or motion the results stay above the temporaries that they came from: a placing is made once for a
 * pair, and its temporaries are smaller than itself. */
grz_placement grz_placement_make(grz_arena *arena, const graze_placed *a, const graze_placed *b) {
  grz_placement p;
  size_t mark = arena->used;
  placing_body from = placing_read_body(arena, a), to = placing_read_body(arena, b);
  grz_big norm_a = from.turn.norm, norm_b = to.turn.norm;
  for (int i = 0; i < 3; i++) {
    p.to_world_a[i] = grz_bvec_scale(arena, from.turn.row[i], norm_b);
    p.to_world_b[i] = grz_bvec_scale(arena, to.turn.row[i], norm_a);
  }
  p.scale = grz_big_mul(arena, norm_a, norm_b);
  grz_bvec apart = grz_bvec_sub(arena, grz_bvec_of(arena, from.position), grz_bvec_of(arena, to.position));
  p.offset = grz_bvec_scale(arena, apart, p.scale);
  if (!grz_bvec_is_zero(from.shift))
    p.offset = grz_bvec_add(arena, p.offset, grz_bvec_scale(arena, from.shift, norm_b));
  if (!grz_bvec_is_zero(to.shift)) p.offset = grz_bvec_sub(arena, p.offset, grz_bvec_scale(arena, to.shift, norm_a));
  p.sweep.x = p.sweep.y = p.sweep.z = grz_big_zero();
  if (a->moving) placing_move(arena, a, b, &p);
  if (a->framed || b->framed || a->moving) placing_keep(arena, mark, &p);
  return p;
}

grz_bvec grz_placement_point_at(grz_arena *arena, const grz_placement *placing, graze_vec va, graze_vec vb, int end) {
  size_t mark = arena->used;
  grz_bvec w = grz_placement_point(arena, placing, va, vb);
  return end ? grz_bvec_keep(arena, mark, grz_bvec_add(arena, w, placing->sweep)) : w;
}

grz_bvec grz_placement_point(grz_arena *arena, const grz_placement *placing, graze_vec va, graze_vec vb) {
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

grz_bvec grz_placement_local_a(grz_arena *arena, const grz_placement *placing, grz_bvec d) {
  return placing_transposed(arena, placing->to_world_a, d);
}

grz_bvec grz_placement_local_b(grz_arena *arena, const grz_placement *placing, grz_bvec d) {
  return placing_transposed(arena, placing->to_world_b, d);
}
