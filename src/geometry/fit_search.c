/* Good boxes around solids: start frames from a few extremal points, then rotation about one axis at a time to the
 * smallest rectangle around the projection. All in doubles: these are proposals.
 * Source: Larsson, Källberg 2011, "Fast computation of tight-fitting oriented bounding boxes" (DiTO).
 * docs/theory/boxes.md. */
#include "geometry/fit_box.h"

#include "exact/big.h"

/* Differences take 21 limbs, a coordinate of the product 85. */
graze_vec grz_fit_normal(graze_vec a, graze_vec b, graze_vec c) {
  uint64_t limbs[1500];
  grz_arena arena = {limbs, 0, 1500, false};
  grz_bvec at = grz_bvec_of(&arena, a);
  grz_bvec u = grz_bvec_sub(&arena, grz_bvec_of(&arena, b), at), v = grz_bvec_sub(&arena, grz_bvec_of(&arena, c), at);
  return vec_unit(scaled_direction(grz_bvec_cross(&arena, u, v)));
}

double grz_fit_volume(const fit_cloud *cloud, fit_frame frame) {
  double width[3];
  for (int k = 0; k < 3; k++) {
    double low = __builtin_inf(), high = -low;
    for (size_t i = 0; i < cloud->count; i++) {
      const double value = vec_dot(frame.axis[k], cloud->at[i]);
      low = real_min(low, value), high = real_max(high, value);
    }
    width[k] = high - low;
  }
  return width[0] * width[1] * width[2];
}

/* The axes of a frame can be permuted and reversed: 24 rotations of the same box. The one with the greatest trace,
 * 1 + 2·cos of its angle, has a trace of at least 1.4: no rotation is more than 63 degrees from one of the cube. */
fit_rotation grz_fit_rotation(fit_frame frame) {
  static const int8_t orders[6][4] = {{0, 1, 2, 1},  {1, 2, 0, 1},  {2, 0, 1, 1},
                                      {1, 0, 2, -1}, {0, 2, 1, -1}, {2, 1, 0, -1}}; /* the last: the parity */
  fit_frame best = frame;
  double greatest = -2;
  for (int k = 0; k < 48; k++) {
    const int8_t *order = orders[k / 8];
    const int signs = k % 8, parity = (signs ^ signs >> 1 ^ signs >> 2) & 1 ? -1 : 1;
    if (parity != order[3]) continue;
    fit_frame arranged;
    for (int i = 0; i < 3; i++) {
      const graze_vec axis = frame.axis[order[i]];
      arranged.axis[i] = signs >> i & 1 ? vec_neg(axis) : axis;
    }
    const double trace = (arranged.axis[0].x + arranged.axis[1].y) + arranged.axis[2].z;
    if (trace > greatest) greatest = trace, best = arranged;
  }
  const graze_vec *a = best.axis;
  const double w = 1 + greatest, x = a[1].z - a[2].y, y = a[2].x - a[0].z, z = a[0].y - a[1].x;
  const double length = real_sqrt((w * w + x * x) + (y * y + z * z));
  return fit_rotation_of(w / length, x / length, y / length, z / length);
}

/* ---- The smallest rectangle around a projection, in doubles. */

/* The hull of sorted points by Andrew's monotone chain. Returns the number of corners. */
static size_t projection_hull(const graze_vec *sorted, size_t count, graze_vec *hull) {
  size_t used = 0, fixed = 1;
  for (size_t i = 0; i < 2 * count - 1; i++) {
    const graze_vec p = sorted[i < count ? i : 2 * count - 2 - i];
    for (; used > fixed; used--) {
      const graze_vec a = hull[used - 2], b = hull[used - 1];
      if (!((b.x - a.x) * (p.y - b.y) - (b.y - a.y) * (p.x - b.x) <= 0)) break;
    }
    hull[used++] = p;
    if (i == count - 1) fixed = used;
  }
  return used > 1 ? used - 1 : used;
}

typedef struct projection_calipers {
  const graze_vec *hull;
  size_t count;
} projection_calipers;

static double projection_value(const projection_calipers *c, graze_vec axis, size_t i) {
  return vec_dot(axis, c->hull[i % c->count]);
}

static size_t projection_advance(const projection_calipers *c, graze_vec axis, size_t at, size_t from, size_t limit) {
  if (at < from) at = from;
  while (at < limit && projection_value(c, axis, at + 1) > projection_value(c, axis, at)) at++;
  return at;
}

/* The unit direction of the edge on which the smallest rectangle stands: rotating calipers (Toussaint 1983). */
static graze_vec projection_rectangle(const graze_vec *hull, size_t count) {
  const projection_calipers c = {hull, count};
  graze_vec best = vec_make(1, 0, 0);
  double least = __builtin_inf();
  size_t right = 0, top = 0, left = 0;
  for (size_t i = 0; i < count; i++) {
    const graze_vec edge = vec_sub(hull[(i + 1) % count], hull[i]);
    const double length = vec_length(edge);
    if (!(length > 0)) continue;
    const graze_vec u = vec_scale(edge, 1 / length), v = vec_make(-u.y, u.x, 0);
    right = projection_advance(&c, u, right, i + 1, i + count);
    top = projection_advance(&c, v, top, right, i + count);
    left = projection_advance(&c, vec_neg(u), left, top, i + 2 * count);
    const double width = projection_value(&c, u, right) - projection_value(&c, u, left);
    const double area = width * (projection_value(&c, v, top) - projection_value(&c, v, i));
    if (area < least) least = area, best = u;
  }
  return best;
}

fit_frame grz_fit_about_axis(const fit_cloud *cloud, fit_frame frame, int axis) {
  const graze_vec u = frame.axis[(axis + 1) % 3], v = frame.axis[(axis + 2) % 3], normal = frame.axis[axis];
  for (size_t i = 0; i < cloud->count; i++)
    cloud->keys[i] = (grz_key){vec_dot(u, cloud->at[i]), vec_dot(v, cloud->at[i]), (uint32_t)i};
  grz_sort(cloud->keys, cloud->count, cloud->keys + cloud->count);
  for (size_t i = 0; i < cloud->count; i++)
    cloud->scratch[i] = vec_make(cloud->keys[i].first, cloud->keys[i].second, 0);
  graze_vec *hull = cloud->scratch + cloud->count;
  const graze_vec edge = projection_rectangle(hull, projection_hull(cloud->scratch, cloud->count, hull));
  const graze_vec first = vec_unit(vec_add(vec_scale(u, edge.x), vec_scale(v, edge.y)));
  return (fit_frame){{normal, first, vec_unit(vec_cross(normal, first))}};
}

/* ---- The search. */

enum { SEARCH_SLABS = 7, SEARCH_KEPT = 6, SEARCH_ROUNDS = 24 };

typedef struct search_box {
  fit_frame frame;
  double volume;
} search_box;

/* The smallest start boxes, by volume. */
typedef struct search_starts {
  const fit_cloud *cloud;
  search_box kept[SEARCH_KEPT];
  int count;
} search_starts;

/* The three boxes that are flush with a triangle and with one of its sides. */
static void search_triangle(search_starts *search, graze_vec a, graze_vec b, graze_vec c) {
  const graze_vec side[3] = {vec_sub(b, a), vec_sub(c, b), vec_sub(a, c)};
  graze_vec normal = vec_cross(side[0], side[1]);
  const double length = vec_length(normal);
  if (!(length > 1e-30)) return;
  normal = vec_scale(normal, 1 / length);
  for (int i = 0; i < 3; i++) {
    const graze_vec u = vec_unit(side[i]);
    const fit_frame frame = {{normal, u, vec_unit(vec_cross(normal, u))}};
    const double volume = grz_fit_volume(search->cloud, frame);
    int at = search->count;
    while (at > 0 && volume < search->kept[at - 1].volume) at--;
    if (!(volume < __builtin_inf()) || at == SEARCH_KEPT) continue;
    if (search->count < SEARCH_KEPT) search->count++;
    for (int k = search->count - 1; k > at; k--) search->kept[k] = search->kept[k - 1];
    search->kept[at] = (search_box){frame, volume};
  }
}

/* The vertex with the greatest projection. */
static graze_vec search_extreme(const fit_cloud *cloud, graze_vec direction) {
  size_t best = 0;
  double greatest = -__builtin_inf();
  for (size_t i = 0; i < cloud->count; i++) {
    const double value = vec_dot(direction, cloud->at[i]);
    if (value > greatest) greatest = value, best = i;
  }
  return cloud->at[best];
}

/* Rotates about the axes in turn until three rotations gain nothing. */
static void search_descend(const fit_cloud *cloud, search_box *box) {
  for (int round = 0; round < SEARCH_ROUNDS; round++) {
    const double before = box->volume;
    for (int axis = 0; axis < 3; axis++) {
      search_box next = {.frame = grz_fit_about_axis(cloud, box->frame, axis)};
      next.volume = grz_fit_volume(cloud, next.frame);
      if (next.volume < box->volume) *box = next;
    }
    if (!(box->volume < before * (1 - 0x1p-40))) return;
  }
}

fit_frame grz_fit_search(const fit_cloud *cloud) {
  static const graze_vec slab[SEARCH_SLABS] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 1},
                                               {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};
  const fit_frame axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  search_starts search = {.cloud = cloud};
  search_box best = {axes, grz_fit_volume(cloud, axes)};

  /* Base triangle: the extremal points of the slab with the greatest distance, and the one farthest from their line. */
  graze_vec point[2 * SEARCH_SLABS], a = {0, 0, 0}, b = a, c = a;
  double longest = -1, farthest = -1;
  for (int i = 0; i < SEARCH_SLABS; i++) {
    point[2 * i] = search_extreme(cloud, slab[i]);
    point[2 * i + 1] = search_extreme(cloud, vec_neg(slab[i]));
    const double length = vec_length(vec_sub(point[2 * i], point[2 * i + 1]));
    if (length > longest) longest = length, a = point[2 * i], b = point[2 * i + 1];
  }
  for (int i = 0; i < 2 * SEARCH_SLABS; i++) {
    const double distance = vec_length(vec_cross(vec_sub(point[i], a), vec_sub(b, a)));
    if (distance > farthest) farthest = distance, c = point[i];
  }

  /* Start frames: the base triangle and the other triangles of the two tetrahedra on it. */
  const graze_vec normal = vec_cross(vec_sub(b, a), vec_sub(c, a));
  search_triangle(&search, a, b, c);
  for (int side = 0; side < 2; side++) {
    const graze_vec top = search_extreme(cloud, side == 0 ? normal : vec_neg(normal));
    search_triangle(&search, a, b, top);
    search_triangle(&search, b, c, top);
    search_triangle(&search, c, a, top);
  }

  /* Local search from the axes and from each start frame. */
  search_descend(cloud, &best);
  for (int i = 0; i < search.count; i++) {
    search_descend(cloud, &search.kept[i]);
    if (search.kept[i].volume < best.volume) best = search.kept[i];
  }
  return best.frame;
}
