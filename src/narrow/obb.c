#include "narrow/obb.h"

#include "simd/f64x2.h"
#include "shape/core.h"

static void oriented_hold(double extents[3], graze_vec v) {
  extents[0] = real_max(extents[0], real_abs(v.x));
  extents[1] = real_max(extents[1], real_abs(v.y));
  extents[2] = real_max(extents[2], real_abs(v.z));
}

/* False: of a half-space there is none. */
static bool oriented_extents(const graze_placed *placed, double extents[3]) {
  const graze_shape *shape = &placed->shape;
  const double reach = placed->hidden.bounding_radius, r = grz_radius_parameter(shape);
  extents[0] = extents[1] = extents[2] = 0;
  switch (shape->kind) {
  case GRAZE_HALFSPACE: return false;
  case GRAZE_BOX: oriented_hold(extents, shape->as.box.half_extents); break;
  case GRAZE_ELLIPSOID: oriented_hold(extents, shape->as.ellipsoid.radii); break;
  case GRAZE_CYLINDER:
  case GRAZE_CONE: oriented_hold(extents, vec_make(r, r, shape->as.cylinder.half_length)); break;
  case GRAZE_USER:
  case GRAZE_COMPOUND: oriented_hold(extents, vec_make(reach, reach, reach)); break;
  default:
    for (size_t i = 0; i < grz_core_count(shape); i++) oriented_hold(extents, grz_core_vertex(shape, i));
  }
  if (shape->dim == 2) extents[2] = real_max(extents[0], extents[1]);
  return true;
}

bool grz_oriented_make(grz_oriented *box, const graze_placed *placed, double grow) {
  double extents[3];
  if (!oriented_extents(placed, extents)) return false;
  *box = (grz_oriented){.core = {(float)extents[0], (float)extents[1], (float)extents[2]}};
  box->core[3] = (float)(grow + placed->hidden.radius);
  grz_oriented_place(box, placed);
  return true;
}

void grz_oriented_place(grz_oriented *box, const graze_placed *placed) {
  const graze_pose *pose = &placed->pose;
  box->at[0] = pose->position.x, box->at[1] = pose->position.y, box->at[2] = pose->position.z;
  box->turn[0] = (float)pose->w, box->turn[1] = (float)pose->x;
  box->turn[2] = (float)pose->y, box->turn[3] = (float)pose->z;
}

/* Off by 21u of the reach (docs/theory/rounding.md, "Bounds"), 4 of the sum, and by what underflows. Numbers are
 * written as they will be read, two by two. */
void grz_oriented_bounds(const graze_placed *placed, double grow, graze_aabb *bounds) {
  const graze_vec half = placed->shape.as.box.half_extents, p = placed->pose.position;
  const double *r = placed->hidden.rotation, far = grow + placed->hidden.radius;
  const bool flat = placed->shape.dim == 2;
  const double e[3] = {half.x, half.y, flat ? real_max(half.x, half.y) : half.z};
  const double more = 40 * GRZ_U * ((e[0] + e[1]) + (e[2] + far)) + 0x1p-1070;
  const f64x2 at = {p.x, p.y}, row[3] = {{r[0], r[3]}, {r[1], r[4]}, {r[2], r[5]}};
  const f64x2 reach = ((f64x2_abs(row[0]) * e[0] + f64x2_abs(row[1]) * e[1]) + f64x2_abs(row[2]) * e[2]) + far;
  const f64x2 own = reach + (f64x2_abs(at) * (8 * GRZ_U) + more), min = at - own, max = at + own;
  const double reach_z = ((real_abs(r[6]) * e[0] + real_abs(r[7]) * e[1]) + real_abs(r[8]) * e[2]) + far;
  const double own_z = reach_z + (real_abs(p.z) * (8 * GRZ_U) + more);
  bounds->min = vec_make(min[0], min[1], flat ? 0 : p.z - own_z);
  bounds->max = vec_make(max[0], max[1], flat ? 0 : p.z + own_z);
}
