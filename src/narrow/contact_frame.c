/* The frame of a contact, and features in it. */
#include "narrow/contact_frame.h"

#include "core/vec.h"
#include "shape/placed.h"

double grz_frame_unit(double size) {
  if (!(size > 0)) return 1;
  int exponent = real_exponent(size);
  return real_power_of_two(exponent < -1000 ? 1000 : -exponent);
}

/* Two unit vectors that make a right-handed frame with n; continuous but where n.z changes its sign.
 * Source: Duff et al. 2017. */
static void frame_across(graze_vec n, graze_vec *u, graze_vec *v) {
  double sign = n.z < 0 ? -1 : 1, a = -1 / (sign + n.z), b = n.x * n.y * a;
  *u = vec_make(1 + sign * n.x * n.x * a, sign * b, -sign * n.x);
  *v = vec_make(b, sign + n.y * n.y * a, -n.y);
}

/* With m the disk's axis, towards n: the duals of the disk's own axes u, v and of n. */
static void frame_oblique(grz_frame *frame, const graze_placed *disk) {
  const double *r = disk->hidden.rotation;
  graze_vec n = frame->axis[2], u = vec_column(r, 0), v = vec_column(r, 1), m = vec_column(r, 2);
  if (vec_dot(m, n) < 0) m = vec_neg(m), v = vec_neg(v);
  double upright = 1 / vec_dot(m, n);
  frame->axis[0] = u, frame->axis[1] = v;
  frame->dual[0] = vec_sub(u, vec_scale(m, vec_dot(n, u) * upright));
  frame->dual[1] = vec_sub(v, vec_scale(m, vec_dot(n, v) * upright));
  frame->dual[2] = vec_scale(m, upright);
}

void grz_frame_make(grz_frame *frame, graze_vec normal, int dim, const graze_placed *disk) {
  graze_vec none = {0, 0, 0};
  frame->dim = dim;
  frame->axis[2] = normal;
  if (disk != NULL) {
    frame_oblique(frame, disk);
    return;
  }
  if (dim == 2)
    frame->axis[0] = vec_make(normal.y, -normal.x, 0), frame->axis[1] = none;
  else
    frame_across(normal, &frame->axis[0], &frame->axis[1]);
  for (int k = 0; k < 3; k++) frame->dual[k] = frame->axis[k];
}

/* `offset`: where the body stands, seen from the frame's origin. */
GRZ_TEMPLATE graze_vec frame_place(const grz_frame *frame, const double *rotation, graze_vec offset, graze_vec local,
                                   const int dim) {
  graze_vec x = vec_add(vec_rotate(rotation, local, dim), offset);
  double y = dim == 2 ? 0 : vec_dot(x, frame->dual[1]);
  return vec_make(vec_dot(x, frame->dual[0]), y, vec_dot(x, frame->dual[2]));
}

GRZ_TEMPLATE void frame_place_all(const grz_frame *frame, const graze_placed *placed, grz_feature *f, const int dim) {
  const graze_vec offset = vec_scale(placed_from(placed, frame->origin), frame->unit);
  for (int i = 0; i < f->count; i++) f->corner[i] = frame_place(frame, placed->hidden.rotation, offset, f->corner[i], dim);
  if (f->disk) f->center = frame_place(frame, placed->hidden.rotation, offset, f->center, dim);
}

graze_vec grz_frame_world(const grz_frame *frame, graze_vec at) {
  graze_vec x = vec_add(vec_add(vec_scale(frame->axis[0], at.x), vec_scale(frame->axis[1], at.y)),
                        vec_scale(frame->axis[2], at.z));
  double back = 1 / frame->unit;
  return vec_add(vec_make(x.x * back, x.y * back, x.z * back), frame->origin);
}

double grz_frame_extent(const grz_feature *f) {
  double square = 0;
  for (int i = 1; i < f->count; i++) {
    graze_vec x = vec_sub(f->corner[i], f->corner[0]);
    square = real_max(square, vec_dot(x, x));
  }
  return real_sqrt(square);
}

double grz_flat_distance(graze_vec x, graze_vec p, graze_vec q) {
  graze_vec e = vec_sub(q, p), d = vec_sub(x, p);
  double length = flat_square(e), t = flat_dot(e, d);
  if (!(t > 0)) return flat_square(d);
  if (t >= length) return flat_square(vec_sub(x, q));
  double off = flat_cross(e, d);
  return off * off / length;
}

static void frame_drop(grz_feature *f, int i) {
  f->count--;
  for (; i < f->count; i++) f->corner[i] = f->corner[i + 1], f->id[i] = f->id[i + 1];
}

/* Of corners in one place the upper one stays: a side of the shape may stand upright. */
static void frame_merge(grz_feature *f, double up, double slack) {
  for (int i = 0; i < f->count && f->count > 1;) {
    int next = (i + 1) % f->count;
    if (flat_square(vec_sub(f->corner[i], f->corner[next])) > slack * slack) {
      i++;
    } else {
      bool lower = up * f->corner[next].z < up * f->corner[i].z;
      frame_drop(f, lower ? next : i);
      i = 0;
    }
  }
}

/* A corner that lies on the line between its neighbours, also in height, is none. */
static void frame_straighten(grz_feature *f, double slack) {
  for (int i = 0; i < f->count && f->count > 2;) {
    graze_vec p = f->corner[(i + f->count - 1) % f->count], x = f->corner[i], q = f->corner[(i + 1) % f->count];
    graze_vec e = vec_sub(q, p), off = vec_cross(vec_sub(x, p), e);
    bool straight = vec_dot(off, off) <= slack * slack * vec_dot(e, e);
    if (straight)
      frame_drop(f, i);
    else
      i++;
  }
}

static void frame_turn_left(grz_feature *f) {
  double area = 0;
  for (int i = 2; i < f->count; i++)
    area += flat_cross(vec_sub(f->corner[i - 1], f->corner[0]), vec_sub(f->corner[i], f->corner[0]));
  if (!(area < 0)) return;
  for (int i = 0, k = f->count - 1; i < k; i++, k--) {
    graze_vec corner = f->corner[i];
    int32_t id = f->id[i];
    f->corner[i] = f->corner[k], f->id[i] = f->id[k];
    f->corner[k] = corner, f->id[k] = id;
  }
}

void grz_frame_outline(const grz_frame *frame, const graze_placed *placed, double up, grz_feature *f) {
  if (frame->dim == 2)
    frame_place_all(frame, placed, f, 2);
  else
    frame_place_all(frame, placed, f, 3);
  frame_merge(f, up, frame->slack);
  if (f->count < 3) return;
  frame_straighten(f, frame->slack);
  frame_turn_left(f);
}
