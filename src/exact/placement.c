/* The exact relative placement of two bodies. Formulas and theory: exact/exact.h. */
#include "exact/exact.h"

#include "core/vec.h"

/* norm = q·q and the rows of M(q) = (q·q) R(q), which has w² + x² - y² - z² as its first entry. */
typedef struct placement_rotation {
  grz_big norm;
  grz_bvec row[3];
} placement_rotation;

/* 2(ab + cd) or, with sign -1, 2(ab - cd). */
static grz_big placement_mixed(grz_arena *arena, grz_big a, grz_big b, grz_big c, grz_big d, int sign) {
  grz_big ab = grz_big_mul(arena, a, b), cd = grz_big_mul(arena, c, d);
  grz_big sum = grz_big_add(arena, ab, sign > 0 ? cd : grz_big_neg(cd));
  return grz_big_add(arena, sum, sum);
}

typedef struct placement_quaternion {
  grz_big w, x, y, z;
} placement_quaternion;

static placement_quaternion placement_quaternion_of(grz_arena *arena, const graze_pose *pose) {
  placement_quaternion q;
  q.w = grz_big_of(arena, pose->w), q.x = grz_big_of(arena, pose->x);
  q.y = grz_big_of(arena, pose->y), q.z = grz_big_of(arena, pose->z);
  return q;
}

static placement_rotation placement_rotation_of(grz_arena *arena, placement_quaternion q) {
  placement_rotation m;
  const grz_big w = q.w, x = q.x, y = q.y, z = q.z;
  grz_big ww = grz_big_mul(arena, w, w), xx = grz_big_mul(arena, x, x);
  grz_big yy = grz_big_mul(arena, y, y), zz = grz_big_mul(arena, z, z);
  grz_big wx_sum = grz_big_add(arena, ww, xx), wx_difference = grz_big_sub(arena, ww, xx);
  grz_big yz_sum = grz_big_add(arena, yy, zz), yz_difference = grz_big_sub(arena, yy, zz);
  m.norm = grz_big_add(arena, wx_sum, yz_sum);
  m.row[0].x = grz_big_sub(arena, wx_sum, yz_sum);
  m.row[1].y = grz_big_add(arena, wx_difference, yz_difference);
  m.row[2].z = grz_big_sub(arena, wx_difference, yz_difference);
  m.row[0].y = placement_mixed(arena, x, y, w, z, -1);
  m.row[1].x = placement_mixed(arena, x, y, w, z, 1);
  m.row[0].z = placement_mixed(arena, x, z, w, y, 1);
  m.row[2].x = placement_mixed(arena, x, z, w, y, -1);
  m.row[1].z = placement_mixed(arena, y, z, w, x, -1);
  m.row[2].y = placement_mixed(arena, y, z, w, x, 1);
  return m;
}

/* a·b + c·d - e·f + g·h. */
static grz_big placement_sum4(grz_arena *arena, const grz_big term[8]) {
  size_t mark = arena->used;
  grz_big sum = grz_big_add(arena, grz_big_mul(arena, term[0], term[1]), grz_big_mul(arena, term[2], term[3]));
  sum = grz_big_sub(arena, sum, grz_big_mul(arena, term[4], term[5]));
  return grz_big_keep(arena, mark, grz_big_add(arena, sum, grz_big_mul(arena, term[6], term[7])));
}

/* The quaternion product q p: the rotation by p, then by q. */
static placement_quaternion placement_product(grz_arena *arena, placement_quaternion q, placement_quaternion p) {
  const grz_big minus = grz_big_neg(q.x), w[8] = {q.w, p.w, minus, p.x, q.y, p.y, grz_big_neg(q.z), p.z};
  const grz_big x[8] = {q.w, p.x, q.x, p.w, q.z, p.y, q.y, p.z}, y[8] = {q.w, p.y, q.y, p.w, q.x, p.z, q.z, p.x};
  const grz_big z[8] = {q.w, p.z, q.z, p.w, q.y, p.x, q.x, p.y};
  placement_quaternion r;
  r.w = placement_sum4(arena, w), r.x = placement_sum4(arena, x);
  r.y = placement_sum4(arena, y), r.z = placement_sum4(arena, z);
  return r;
}

static grz_big placement_square(grz_arena *arena, placement_quaternion q) {
  const grz_big term[8] = {q.w, q.w, q.x, q.x, grz_big_neg(q.y), q.y, q.z, q.z};
  return placement_sum4(arena, term);
}

/* rows · v. */
static grz_bvec placement_rotated(grz_arena *arena, const grz_bvec rows[3], grz_bvec v) {
  grz_bvec r;
  r.x = grz_bvec_dot(arena, rows[0], v);
  r.y = grz_bvec_dot(arena, rows[1], v);
  r.z = grz_bvec_dot(arena, rows[2], v);
  return r;
}

/* The rotation of a body and its origin, position + shift/rotation.norm. Only parts of compounds have a shift. */
typedef struct placement_body {
  placement_rotation rotation;
  graze_vec position;
  grz_bvec shift;
} placement_body;

static placement_body placement_body_of(grz_arena *arena, const graze_placed *placed) {
  const graze_vec local = placed->pose.position;
  const graze_frame *within = placed->hidden.frame;
  const bool part = within != NULL && within->hidden.is_part;
  const graze_pose *outer = part ? &within->hidden.pose : &placed->pose;
  placement_body body = {.position = outer->position};
  if (!part || (!pose_is_rotated(&placed->pose) && local.x == 0 && local.y == 0 && local.z == 0)) {
    /* A shape, or a part with the pose of its frame. */
    body.rotation = placement_rotation_of(arena, placement_quaternion_of(arena, outer));
    body.shift.x = body.shift.y = body.shift.z = grz_big_zero();
    return body;
  }
  placement_quaternion frame = placement_quaternion_of(arena, outer);
  placement_quaternion own = placement_quaternion_of(arena, &placed->pose);
  grz_bvec position = grz_bvec_of(arena, local);
  if (!pose_is_rotated(outer)) {
    body.rotation = placement_rotation_of(arena, own);
    body.shift = grz_bvec_scale(arena, position, body.rotation.norm);
    return body;
  }
  body.rotation = placement_rotation_of(arena, frame);
  body.shift = placement_rotated(arena, body.rotation.row, position);
  if (!pose_is_rotated(&placed->pose)) return body;
  body.rotation = placement_rotation_of(arena, placement_product(arena, frame, own));
  body.shift = grz_bvec_scale(arena, body.shift, placement_square(arena, own));
  return body;
}

/* Frees the temporaries below the results. Moves the results in the order of their creation, so that no move overwrites
 * a result that is not moved yet. */
static void placement_keep(grz_arena *arena, size_t mark, grz_placement *p) {
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

/* Without frames or motion, the temporaries are not freed. They are small, and a pair has only one placement. */
grz_placement grz_placement_make(grz_arena *arena, const graze_placed *a, const graze_placed *b) {
  grz_placement p;
  size_t mark = arena->used;
  placement_body body_a = placement_body_of(arena, a), body_b = placement_body_of(arena, b);
  grz_big norm_a = body_a.rotation.norm, norm_b = body_b.rotation.norm;
  for (int i = 0; i < 3; i++) {
    p.to_world_a[i] = grz_bvec_scale(arena, body_a.rotation.row[i], norm_b);
    p.to_world_b[i] = grz_bvec_scale(arena, body_b.rotation.row[i], norm_a);
  }
  p.scale = grz_big_mul(arena, norm_a, norm_b);
  grz_bvec offset = grz_bvec_sub(arena, grz_bvec_of(arena, body_a.position), grz_bvec_of(arena, body_b.position));
  p.offset = grz_bvec_scale(arena, offset, p.scale);
  if (!grz_bvec_is_zero(body_a.shift))
    p.offset = grz_bvec_add(arena, p.offset, grz_bvec_scale(arena, body_a.shift, norm_b));
  if (!grz_bvec_is_zero(body_b.shift))
    p.offset = grz_bvec_sub(arena, p.offset, grz_bvec_scale(arena, body_b.shift, norm_a));
  p.sweep.x = p.sweep.y = p.sweep.z = grz_big_zero();
  const graze_frame *of_a = a->hidden.frame, *of_b = b->hidden.frame;
  if (of_a != NULL && of_a->hidden.is_moving) {
    grz_bvec velocity =
        grz_bvec_sub(arena, grz_bvec_of(arena, of_a->hidden.velocity), grz_bvec_of(arena, of_b->hidden.velocity));
    grz_bvec scaled = grz_bvec_scale(arena, velocity, p.scale);
    grz_big from = grz_big_of(arena, of_a->hidden.from),
            time = grz_big_sub(arena, grz_big_of(arena, of_a->hidden.to), from);
    p.offset = grz_bvec_add(arena, p.offset, grz_bvec_scale(arena, scaled, from));
    p.sweep = grz_bvec_scale(arena, scaled, time);
  }
  if (of_a != NULL || of_b != NULL) placement_keep(arena, mark, &p);
  return p;
}

grz_bvec grz_placement_point_at(grz_arena *arena, const grz_placement *placement, graze_vec va, graze_vec vb, int end) {
  size_t mark = arena->used;
  grz_bvec w = grz_placement_point(arena, placement, va, vb);
  return end ? grz_bvec_keep(arena, mark, grz_bvec_add(arena, w, placement->sweep)) : w;
}

grz_bvec grz_placement_point(grz_arena *arena, const grz_placement *placement, graze_vec va, graze_vec vb) {
  size_t mark = arena->used;
  grz_bvec a = grz_bvec_of(arena, va), b = grz_bvec_neg(grz_bvec_of(arena, vb));
  grz_big part[3];
  const grz_big offset[3] = {placement->offset.x, placement->offset.y, placement->offset.z};
  for (int i = 0; i < 3; i++) {
    size_t start = arena->used;
    grz_big rotated_a = grz_bvec_dot(arena, placement->to_world_a[i], a);
    grz_big rotated_b = grz_bvec_dot(arena, placement->to_world_b[i], b);
    grz_big sum = grz_big_add(arena, rotated_a, rotated_b);
    part[i] = grz_big_keep(arena, start, grz_big_add(arena, sum, offset[i]));
  }
  grz_bvec w = {part[0], part[1], part[2]};
  return grz_bvec_keep(arena, mark, w);
}

/* rows^T · d. */
static grz_bvec placement_transposed(grz_arena *arena, const grz_bvec rows[3], grz_bvec d) {
  grz_bvec column_x = {rows[0].x, rows[1].x, rows[2].x};
  grz_bvec column_y = {rows[0].y, rows[1].y, rows[2].y};
  grz_bvec column_z = {rows[0].z, rows[1].z, rows[2].z};
  grz_bvec r = {grz_big_zero(), grz_big_zero(), grz_big_zero()};
  r.x = grz_bvec_dot(arena, column_x, d);
  r.y = grz_bvec_dot(arena, column_y, d);
  r.z = grz_bvec_dot(arena, column_z, d);
  return r;
}

grz_bvec grz_placement_local_a(grz_arena *arena, const grz_placement *placement, grz_bvec d) {
  return placement_transposed(arena, placement->to_world_a, d);
}

grz_bvec grz_placement_local_b(grz_arena *arena, const grz_placement *placement, grz_bvec d) {
  return placement_transposed(arena, placement->to_world_b, d);
}
