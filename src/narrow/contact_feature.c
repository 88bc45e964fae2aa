/* Features of the shapes whose faces are known by formula. */
#include "narrow/contact_feature.h"

#include "core/vec.h"
#include "shape/core.h"

enum { FEATURE_RIM = 16, FEATURE_SIDE = 2 * FEATURE_RIM };

static void feature_add(grz_feature *f, graze_vec corner, int32_t id) {
  f->corner[f->count] = corner;
  f->id[f->count++] = id;
}

static graze_vec feature_box_corner(graze_vec h, int32_t index) {
  return vec_make(index & 1 ? h.x : -h.x, index & 2 ? h.y : -h.y, index & 4 ? h.z : -h.z);
}

/* The face, or the edge of a 2D box, whose normal is nearest to d. */
static void feature_box(const graze_shape *box, graze_vec d, double unit, grz_feature *f) {
  const double along[3] = {d.x, d.y, d.z};
  int axis = 0;
  for (int k = 1; k < box->dim; k++)
    if (real_abs(along[k]) > real_abs(along[axis])) axis = k;
  int32_t top = along[axis] > 0 ? 1 << axis : 0;
  int32_t first = 1 << (axis + 1) % box->dim, second = box->dim == 3 ? 1 << (axis + 2) % 3 : 0;
  const int32_t around[4] = {top, top | first, top | first | second, top | second};
  graze_vec h = vec_scale(box->as.box.half_extents, unit);
  for (int i = 0; i < (box->dim == 3 ? 4 : 2); i++) feature_add(f, feature_box_corner(h, around[i]), around[i]);
  f->face = 2 * axis + (top != 0);
}

/* cos and sin of k·pi/8, by symmetry exact mirror images of one another. */
static graze_vec feature_rim_point(int k) {
  static const double wave[5] = {0, 0.38268343236508977, 0.70710678118654752, 0.92387953251128674, 1};
  int turn = k / 4, step = k % 4;
  double c = wave[4 - step], s = wave[step];
  switch (turn) {
  case 0: return vec_make(c, s, 0);
  case 1: return vec_make(-s, c, 0);
  case 2: return vec_make(-c, -s, 0);
  default: return vec_make(s, -c, 0);
  }
}

static void feature_disk(double radius, double z, int cap, grz_feature *f) {
  f->disk = true;
  f->face = cap;
  f->radius = radius;
  f->center = vec_make(0, 0, z);
  for (int k = 0; k < FEATURE_RIM; k++) {
    graze_vec rim = vec_scale(feature_rim_point(k), radius);
    feature_add(f, vec_make(rim.x, rim.y, z), FEATURE_RIM * cap + k);
  }
}

/* The unit vector from the axis towards d; along x where d says nothing. */
static graze_vec feature_radial(graze_vec d) {
  double length = real_sqrt(d.x * d.x + d.y * d.y);
  return length > 0 ? vec_make(d.x / length, d.y / length, 0) : vec_make(1, 0, 0);
}

/* From the rim at -half to the point that is `top` away from the axis at +half. */
static void feature_side(graze_vec radial, double radius, double top, double half, grz_feature *f) {
  f->face = 2;
  feature_add(f, vec_make(radial.x * radius, radial.y * radius, -half), FEATURE_SIDE);
  feature_add(f, vec_make(radial.x * top, radial.y * top, half), FEATURE_SIDE + 1);
}

static void feature_cylinder(const graze_shape *s, graze_vec d, double unit, grz_feature *f) {
  double radius = s->as.capsule.radius * unit, half = s->as.capsule.half_length * unit;
  if (2 * d.z * d.z >= 1)
    feature_disk(radius, d.z > 0 ? half : -half, d.z > 0, f);
  else
    feature_side(feature_radial(d), radius, radius, half, f);
}

/* Base, side line or apex, whichever normal is nearest. */
static void feature_cone(const graze_shape *s, graze_vec d, double unit, grz_feature *f) {
  double radius = s->as.capsule.radius * unit, half = s->as.capsule.half_length * unit;
  double slant = real_sqrt(radius * radius + 4 * half * half);
  graze_vec radial = feature_radial(d);
  double side = slant > 0 ? ((d.x * radial.x + d.y * radial.y) * 2 * half + d.z * radius) / slant : 0;
  if (-d.z >= side && 2 * d.z * d.z >= 1) {
    feature_disk(radius, -half, 0, f);
  } else {
    feature_side(radial, radius, 0, half, f);
    if (side >= GRZ_FEATURE_STEEP) return;
    bool apex = d.z > 0;
    f->corner[0] = f->corner[apex], f->id[0] = f->id[apex];
    f->count = 1;
  }
}

void grz_feature_facing(const graze_placed *placed, graze_vec d, double unit, grz_feature *f) {
  f->count = 0;
  f->disk = f->plane = false;
  f->face = 0;
  switch (placed->shape.kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE:
  case GRAZE_ELLIPSOID:
  case GRAZE_USER: return;
  case GRAZE_HALFSPACE: f->plane = true; return;
  case GRAZE_BOX: feature_box(&placed->shape, d, unit, f); return;
  case GRAZE_CYLINDER: feature_cylinder(&placed->shape, d, unit, f); return;
  case GRAZE_CONE: feature_cone(&placed->shape, d, unit, f); return;
  default: grz_facet_facing(placed, d, unit, f);
  }
}
