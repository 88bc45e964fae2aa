/* The SIMD kernels for many pairs, compiled for each instruction set, and their selection: the widest instruction set
 * of the machine, or the one that the environment variable GRAZE_SIMD names. Before them the oriented boxes in floats
 * that the kernel of boxes reads. */
#include "batch/job.h"
#include "batch/kernel_names.h"
#include "shape/placed.h"
#include "shape/support.h"

#include <stdlib.h>
#include <string.h>

/* ---- Oriented boxes in floats, for conservative tests of many pairs */

static void oriented_include(double extents[3], graze_vec v) {
  extents[0] = real_max(extents[0], real_abs(v.x));
  extents[1] = real_max(extents[1], real_abs(v.y));
  extents[2] = real_max(extents[2], real_abs(v.z));
}

/* Returns false for a half-space. */
static bool oriented_extents(const graze_placed *placed, double extents[3]) {
  const graze_shape *shape = &placed->shape;
  const double extent = placed->hidden.bounding_radius, r = grz_radius_parameter(shape);
  extents[0] = extents[1] = extents[2] = 0;
  switch (shape->kind) {
  case GRAZE_HALFSPACE: return false;
  case GRAZE_BOX: oriented_include(extents, shape->as.box.half_extents); break;
  case GRAZE_ELLIPSOID: oriented_include(extents, shape->as.ellipsoid.radii); break;
  case GRAZE_CYLINDER:
  case GRAZE_CONE: oriented_include(extents, vec_make(r, r, shape->as.cylinder.half_length)); break;
  case GRAZE_USER:
  case GRAZE_COMPOUND: oriented_include(extents, vec_make(extent, extent, extent)); break;
  default:
    for (size_t i = 0; i < grz_core_count(shape); i++) oriented_include(extents, grz_core_vertex(shape, i));
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

/* The rounding errors are 21u of the extent (docs/theory/rounding.md, "Bounds"), 4u of the sum, and underflow. Stores
 * are pairs of doubles because readers load pairs. */
void grz_oriented_bounds(const graze_placed *placed, double grow, graze_aabb *bounds) {
  const graze_vec half = placed->shape.as.box.half_extents, p = placed->pose.position;
  const double *r = placed->hidden.rotation, radius = grow + placed->hidden.radius;
  const bool flat = placed->shape.dim == 2;
  const double e[3] = {half.x, half.y, flat ? real_max(half.x, half.y) : half.z};
  const double more = 40 * GRZ_U * ((e[0] + e[1]) + (e[2] + radius)) + 0x1p-1070;
  const f64x2 at = {p.x, p.y}, row[3] = {{r[0], r[3]}, {r[1], r[4]}, {r[2], r[5]}};
  const f64x2 extent = ((f64x2_abs(row[0]) * e[0] + f64x2_abs(row[1]) * e[1]) + f64x2_abs(row[2]) * e[2]) + radius;
  const f64x2 own = extent + (f64x2_abs(at) * (8 * GRZ_U) + more), min = at - own, max = at + own;
  const double extent_z = ((real_abs(r[6]) * e[0] + real_abs(r[7]) * e[1]) + real_abs(r[8]) * e[2]) + radius;
  const double own_z = extent_z + (real_abs(p.z) * (8 * GRZ_U) + more);
  bounds->min = vec_make(min[0], min[1], flat ? 0 : p.z - own_z);
  bounds->max = vec_make(max[0], max[1], flat ? 0 : p.z + own_z);
}

/* ---- Instruction sets */

#define KERNELS(name)                                                                                                  \
  { name, F64XN_WIDTH, boxes_run, boxes_bodies, points_intersect, points_distance }

#define GRZ_ISA portable
#include "simd/f64xn_portable.h"
#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_portable = KERNELS("portable");
#undef GRZ_ISA

#if defined(GRZ_SIMD_X86)

#define GRZ_ISA sse2
#include "simd/f64xn_sse2.h"
#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_sse2 = KERNELS("sse2");
#undef GRZ_ISA

GRZ_TARGET("avx2")
#define GRZ_ISA avx2
#include "simd/f64xn_avx2.h"
#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_avx2 = KERNELS("avx2");
#undef GRZ_ISA
GRZ_TARGET_END

GRZ_TARGET("avx512f,avx512dq")
#define GRZ_ISA avx512
#include "simd/f64xn_avx512.h"
#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_avx512 = KERNELS("avx512");
#undef GRZ_ISA
GRZ_TARGET_END

#elif defined(GRZ_SIMD_NEON)

#define GRZ_ISA neon
#include "simd/f64xn_neon.h"
#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_neon = KERNELS("neon");
#undef GRZ_ISA

#endif

/* ---- Selection */

typedef struct dispatch_entry {
  const grz_batch_kernels *kernels;
  bool supported;
} dispatch_entry;

enum { DISPATCH_MAX = 4 };

/* Lists the kernels of the build, the widest first, and returns their number. The last ones are always supported. */
static int dispatch_list(dispatch_entry list[DISPATCH_MAX]) {
  int count = 0;
#ifdef GRZ_SIMD_X86
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
  list[count++] = (dispatch_entry){&kernels_avx512, avx512};
  list[count++] = (dispatch_entry){&kernels_avx2, __builtin_cpu_supports("avx2") != 0};
  list[count++] = (dispatch_entry){&kernels_sse2, true};
#endif
#ifdef GRZ_SIMD_NEON
  list[count++] = (dispatch_entry){&kernels_neon, true};
#endif
  list[count++] = (dispatch_entry){&kernels_portable, true};
  return count;
}

const grz_batch_kernels *grz_batch_named(const char *name) {
  dispatch_entry list[DISPATCH_MAX];
  const int count = dispatch_list(list);
  for (int i = 0; i < count; i++)
    if (list[i].supported && strcmp(list[i].kernels->name, name) == 0) return list[i].kernels;
  return NULL;
}

const grz_batch_kernels *grz_batch_select(void) {
  dispatch_entry list[DISPATCH_MAX];
  const char *name = getenv("GRAZE_SIMD");
  const grz_batch_kernels *named = name != NULL ? grz_batch_named(name) : NULL;
  if (named != NULL) return named;
  (void)dispatch_list(list);
  for (int i = 0;; i++)
    if (list[i].supported) return list[i].kernels;
}
