/* Frames of a box in doubles: how large the box is, and the rotation that it stands for. */
#include "geometry/fit_box.h"

#include "exact/big.h"

/* The three axes as they are given may be permuted and reversed: 24 rotations of the same box. */
static const int8_t obb_orders[6][4] = {{0, 1, 2, 1},  {1, 2, 0, 1},  {2, 0, 1, 1},
                                        {1, 0, 2, -1}, {0, 2, 1, -1}, {2, 1, 0, -1}};

static fit_frame obb_arranged(fit_frame frame, int order, int signs) {
  fit_frame r;
  for (int i = 0; i < 3; i++) {
    graze_vec axis = frame.axis[obb_orders[order][i]];
    r.axis[i] = signs >> i & 1 ? vec_neg(axis) : axis;
  }
  return r;
}

static double obb_trace(fit_frame f) { return (f.axis[0].x + f.axis[1].y) + f.axis[2].z; }

/* The trace is 1 + 2·cos of the angle, and at least 1.4: no rotation is farther than 63 degrees from one of the cube.
 */
fit_turn grz_fit_turn(fit_frame frame) {
  fit_frame best = frame;
  double most = -2;
  for (int k = 0; k < 48; k++) {
    int signs = k % 8, parity = (signs ^ signs >> 1 ^ signs >> 2) & 1 ? -1 : 1;
    if (parity != obb_orders[k / 8][3]) continue;
    fit_frame arranged = obb_arranged(frame, k / 8, signs);
    double trace = obb_trace(arranged);
    if (trace > most) most = trace, best = arranged;
  }
  const graze_vec *a = best.axis;
  double w = 1 + most, x = a[1].z - a[2].y, y = a[2].x - a[0].z, z = a[0].y - a[1].x;
  double length = real_sqrt((w * w + x * x) + (y * y + z * z));
  return fit_turn_of(w / length, x / length, y / length, z / length);
}

static double obb_round(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

bool grz_fit_turn_whole(fit_turn turn, fit_turn *whole) {
  const double part[3] = {turn.x / turn.w, turn.y / turn.w, turn.z / turn.w};
  for (int w = 1; w <= 32; w++) {
    double n[3], off = 0;
    for (int i = 0; i < 3; i++) {
      n[i] = obb_round(w * part[i]);
      off = real_max(off, real_abs(w * part[i] - n[i]));
    }
    if (!(off <= 0x1p-40)) continue;
    *whole = fit_turn_of(w, n[0], n[1], n[2]);
    return true;
  }
  return false;
}

static double obb_width(const fit_cloud *cloud, graze_vec axis) {
  double low = __builtin_inf(), high = -low;
  for (size_t i = 0; i < cloud->count; i++) {
    double at = vec_dot(axis, cloud->at[i]);
    low = real_min(low, at), high = real_max(high, at);
  }
  return high - low;
}

double grz_fit_volume(const fit_cloud *cloud, fit_frame frame) {
  double volume = obb_width(cloud, frame.axis[0]) * obb_width(cloud, frame.axis[1]);
  return volume * obb_width(cloud, frame.axis[2]);
}

/* Differences take 21 limbs, a coordinate of the product 85. */
graze_vec grz_fit_normal(graze_vec a, graze_vec b, graze_vec c) {
  uint64_t limbs[1500];
  grz_arena arena = {limbs, 0, 1500, false};
  grz_bvec at = grz_bvec_of(&arena, a);
  grz_bvec u = grz_bvec_sub(&arena, grz_bvec_of(&arena, b), at), v = grz_bvec_sub(&arena, grz_bvec_of(&arena, c), at);
  graze_vec normal = scaled_direction(grz_bvec_cross(&arena, u, v));
  return vec_scale(normal, 1 / vec_length(normal));
}

/* ---- The smallest rectangle around a projection, in doubles: a proposal, which only has to end. */

static double obb_turn(graze_vec a, graze_vec b, graze_vec c) {
  return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
}

/* One chain of the hull of sorted points (Andrew 1979), on top of `count` others. */
static size_t obb_chain(graze_vec *hull, size_t count, graze_vec p, size_t bottom) {
  while (count >= bottom + 2 && obb_turn(hull[count - 2], hull[count - 1], p) <= 0) count--;
  hull[count] = p;
  return count + 1;
}

static size_t obb_hull(const graze_vec *sorted, size_t count, graze_vec *hull) {
  size_t size = 0;
  for (size_t i = 0; i < count; i++) size = obb_chain(hull, size, sorted[i], 0);
  size_t bottom = size - 1;
  for (size_t i = count - 1; i-- > 0;) size = obb_chain(hull, size, sorted[i], bottom);
  return size > 1 ? size - 1 : size;
}

typedef struct obb_calipers {
  const graze_vec *hull;
  size_t count, right, top, left;
} obb_calipers;

static double obb_along(const obb_calipers *c, graze_vec axis, size_t i) {
  return vec_dot(axis, c->hull[i % c->count]);
}

static void obb_advance(const obb_calipers *c, graze_vec axis, size_t *at, size_t from, size_t limit) {
  if (*at < from) *at = from;
  while (*at < limit && obb_along(c, axis, *at + 1) > obb_along(c, axis, *at)) ++*at;
}

/* The direction, of length 1, on which the smallest rectangle stands. */
static graze_vec obb_rectangle(const graze_vec *hull, size_t count) {
  obb_calipers c = {hull, count, 0, 0, 0};
  graze_vec best = vec_make(1, 0, 0);
  double least = __builtin_inf();
  for (size_t i = 0; i < count; i++) {
    graze_vec edge = vec_sub(hull[(i + 1) % count], hull[i]);
    double length = vec_length(edge);
    if (!(length > 0)) continue;
    graze_vec along = vec_scale(edge, 1 / length), across = vec_make(-along.y, along.x, 0);
    obb_advance(&c, along, &c.right, i + 1, i + count);
    obb_advance(&c, across, &c.top, c.right, i + count);
    obb_advance(&c, vec_neg(along), &c.left, c.top, i + 2 * count);
    double width = obb_along(&c, along, c.right) - obb_along(&c, along, c.left);
    double area = width * (obb_along(&c, across, c.top) - obb_along(&c, across, i));
    if (area < least) least = area, best = along;
  }
  return best;
}

fit_frame grz_fit_about(const fit_cloud *cloud, fit_frame frame, int axis) {
  graze_vec u = frame.axis[(axis + 1) % 3], v = frame.axis[(axis + 2) % 3];
  for (size_t i = 0; i < cloud->count; i++) {
    double x = vec_dot(u, cloud->at[i]), y = vec_dot(v, cloud->at[i]);
    cloud->keys[i] = (grz_key){x, y, (uint32_t)i};
  }
  grz_order(cloud->keys, cloud->count, cloud->keys + cloud->count);
  for (size_t i = 0; i < cloud->count; i++) cloud->room[i] = vec_make(cloud->keys[i].first, cloud->keys[i].second, 0);
  graze_vec *hull = cloud->room + cloud->count;
  graze_vec along = obb_rectangle(hull, obb_hull(cloud->room, cloud->count, hull));
  graze_vec first = vec_add(vec_scale(u, along.x), vec_scale(v, along.y));
  first = vec_scale(first, 1 / vec_length(first));
  graze_vec normal = frame.axis[axis], second = vec_cross(normal, first);
  return (fit_frame){{normal, first, vec_scale(second, 1 / vec_length(second))}};
}
