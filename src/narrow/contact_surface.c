/* Heights over outlines: a triangle of corners that holds the place, raised until no corner lies over its plane. */
#include "narrow/contact_surface.h"

#include "narrow/contact_frame.h"

/* Corners this little over the plane of a triangle are in it; lengths are about 1. */
#define SURFACE_FLAT 1e-13

/* The barycentric coordinates of x times the doubled area, which is returned. */
static double surface_weights(const graze_vec corner[3], graze_vec x, double weight[3]) {
  graze_vec d[3] = {vec_sub(corner[0], x), vec_sub(corner[1], x), vec_sub(corner[2], x)};
  for (int i = 0; i < 3; i++) weight[i] = flat_cross(d[(i + 1) % 3], d[(i + 2) % 3]);
  return flat_cross(vec_sub(corner[1], corner[0]), vec_sub(corner[2], corner[0]));
}

/* The height of the triangle at x, which lies in it or, by rounding, beside it. */
static double surface_in_triangle(const graze_vec corner[3], graze_vec x) {
  double weight[3], sum = 0, height = 0;
  (void)surface_weights(corner, x, weight);
  for (int i = 0; i < 3; i++) weight[i] = real_max(weight[i], 0), sum += weight[i];
  if (!(sum > 0)) return corner[0].z;
  for (int i = 0; i < 3; i++) height += weight[i] / sum * corner[i].z;
  return height;
}

/* How far x lies in the triangle: its least weight, by area. */
static double surface_inside(const graze_vec corner[3], graze_vec x) {
  double weight[3], area = surface_weights(corner, x, weight);
  if (!(area > 0)) return -__builtin_inf();
  return real_min(real_min(weight[0], weight[1]), weight[2]) / area;
}

/* The fan from corner 0: the triangle that holds x best. */
static void surface_start(const grz_feature *f, graze_vec x, graze_vec corner[3]) {
  double best = -__builtin_inf();
  corner[0] = f->corner[0], corner[1] = f->corner[1], corner[2] = f->corner[2];
  for (int i = 2; i < f->count; i++) {
    const graze_vec fan[3] = {f->corner[0], f->corner[i - 1], f->corner[i]};
    double inside = surface_inside(fan, x);
    if (!(inside > best)) continue;
    best = inside;
    corner[1] = fan[1], corner[2] = fan[2];
  }
}

/* The corner that lies farthest over the triangle's plane; -1 when none does. */
static int surface_above(const grz_feature *f, const graze_vec corner[3], double up) {
  double best = SURFACE_FLAT;
  int at = -1;
  for (int i = 0; i < f->count; i++) {
    double weight[3], area = surface_weights(corner, f->corner[i], weight);
    if (!(area > 0)) return -1;
    double plane = (weight[0] * corner[0].z + weight[1] * corner[1].z + weight[2] * corner[2].z) / area;
    double excess = up * (f->corner[i].z - plane);
    if (excess > best) best = excess, at = i;
  }
  return at;
}

/* Puts p for one corner, so that x stays in the triangle as well as may be. */
static void surface_swap(graze_vec corner[3], graze_vec p, graze_vec x) {
  double best = -__builtin_inf();
  int out = 0;
  for (int i = 0; i < 3; i++) {
    graze_vec next[3] = {corner[0], corner[1], corner[2]};
    next[i] = p;
    double inside = surface_inside(next, x);
    if (inside > best) best = inside, out = i;
  }
  corner[out] = p;
}

static double surface_on_segment(graze_vec p, graze_vec q, graze_vec x) {
  graze_vec e = vec_sub(q, p), d = vec_sub(x, p);
  double t = flat_dot(e, d) / flat_square(e);
  return p.z + (q.z - p.z) * real_min(real_max(t, 0), 1);
}

double grz_surface_height(const grz_feature *f, graze_vec x, double up) {
  if (f->plane || f->disk) return f->center.z;
  if (f->count == 1) return f->corner[0].z;
  if (f->count == 2) return surface_on_segment(f->corner[0], f->corner[1], x);
  graze_vec corner[3];
  surface_start(f, x, corner);
  double height = surface_in_triangle(corner, x);
  for (int i = 0; i < GRZ_FEATURE_CORNERS; i++) {
    int above = surface_above(f, corner, up);
    if (above < 0) break;
    surface_swap(corner, f->corner[above], x);
    double raised = surface_in_triangle(corner, x);
    if (up * raised > up * height) height = raised;
  }
  return height;
}
