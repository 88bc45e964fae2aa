/* The SIMD kernels for many pairs, compiled for each instruction set, and their selection: the widest instruction set
 * of the machine, or the one that the environment variable GRAZE_SIMD names. Before them the oriented boxes in floats
 * that the kernel of boxes reads. */
#include "batch/job.h"
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
  case GRAZE_MESH:
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

/* ---- Names of the functions and types of the kernels, renamed for each instruction set: simd/isa.h */

/* box_kernel.h */
#define boxes_numbers GRZ_ISA_NAME(boxes_numbers)
#define boxes_pair GRZ_ISA_NAME(boxes_pair)
#define boxes_in_range GRZ_ISA_NAME(boxes_in_range)
#define boxes_load_batch GRZ_ISA_NAME(boxes_load_batch)
#define boxes_load_bodies GRZ_ISA_NAME(boxes_load_bodies)
#define boxes_rotation GRZ_ISA_NAME(boxes_rotation)
#define boxes_unrotate GRZ_ISA_NAME(boxes_unrotate)
#define boxes_shrink GRZ_ISA_NAME(boxes_shrink)
#define boxes_transform GRZ_ISA_NAME(boxes_transform)
#define boxes_distance_to_plane GRZ_ISA_NAME(boxes_distance_to_plane)
#define boxes_dot GRZ_ISA_NAME(boxes_dot)
#define boxes_face_a GRZ_ISA_NAME(boxes_face_a)
#define boxes_face_b GRZ_ISA_NAME(boxes_face_b)
#define boxes_edge GRZ_ISA_NAME(boxes_edge)
#define boxes_edges GRZ_ISA_NAME(boxes_edges)
#define boxes_faces GRZ_ISA_NAME(boxes_faces)
#define boxes_decide GRZ_ISA_NAME(boxes_decide)
#define boxes_bits_to_bytes GRZ_ISA_NAME(boxes_bits_to_bytes)
#define boxes_write GRZ_ISA_NAME(boxes_write)
#define boxes_compute GRZ_ISA_NAME(boxes_compute)
#define boxes_run GRZ_ISA_NAME(boxes_run)
#define boxes_run_bodies GRZ_ISA_NAME(boxes_run_bodies)
#define boxes_bodies GRZ_ISA_NAME(boxes_bodies)

/* simplex_kernel.h */
#define simplex_set GRZ_ISA_NAME(simplex_set)
#define simplex_step GRZ_ISA_NAME(simplex_step)
#define simplex_dot GRZ_ISA_NAME(simplex_dot)
#define simplex_cross GRZ_ISA_NAME(simplex_cross)
#define simplex_norm1 GRZ_ISA_NAME(simplex_norm1)
#define simplex_projects_into GRZ_ISA_NAME(simplex_projects_into)
#define simplex_select GRZ_ISA_NAME(simplex_select)
#define simplex_edges GRZ_ISA_NAME(simplex_edges)
#define simplex_edge GRZ_ISA_NAME(simplex_edge)
#define simplex_advance GRZ_ISA_NAME(simplex_advance)
#define simplex_replace GRZ_ISA_NAME(simplex_replace)
#define simplex_accept GRZ_ISA_NAME(simplex_accept)
#define simplex_weights GRZ_ISA_NAME(simplex_weights)
#define simplex_combine GRZ_ISA_NAME(simplex_combine)
#define simplex_orient3 GRZ_ISA_NAME(simplex_orient3)
#define simplex_orient2 GRZ_ISA_NAME(simplex_orient2)
#define simplex_contains_origin GRZ_ISA_NAME(simplex_contains_origin)

/* point_set_kernel.h */
#define pose_set GRZ_ISA_NAME(pose_set)
#define pose_load GRZ_ISA_NAME(pose_load)
#define pose_rotate GRZ_ISA_NAME(pose_rotate)
#define pose_unrotate GRZ_ISA_NAME(pose_unrotate)
#define points_pair GRZ_ISA_NAME(points_pair)
#define points_queue GRZ_ISA_NAME(points_queue)
#define points_state GRZ_ISA_NAME(points_state)
#define points_support_blocks GRZ_ISA_NAME(points_support_blocks)
#define points_support_vertex GRZ_ISA_NAME(points_support_vertex)
#define points_set_of GRZ_ISA_NAME(points_set_of)
#define points_sizes GRZ_ISA_NAME(points_sizes)
#define points_load GRZ_ISA_NAME(points_load)
#define points_first_direction GRZ_ISA_NAME(points_first_direction)
#define points_store GRZ_ISA_NAME(points_store)
#define points_next_ready GRZ_ISA_NAME(points_next_ready)
#define points_assign GRZ_ISA_NAME(points_assign)
#define points_write_relation GRZ_ISA_NAME(points_write_relation)
#define points_refill GRZ_ISA_NAME(points_refill)
#define points_support GRZ_ISA_NAME(points_support)
#define points_cso_vertex GRZ_ISA_NAME(points_cso_vertex)
#define points_error GRZ_ISA_NAME(points_error)
#define points_radius_error GRZ_ISA_NAME(points_radius_error)
#define points_separated GRZ_ISA_NAME(points_separated)
#define points_within_radius GRZ_ISA_NAME(points_within_radius)
#define points_advance GRZ_ISA_NAME(points_advance)
#define points_intersect_step GRZ_ISA_NAME(points_intersect_step)
#define points_output GRZ_ISA_NAME(points_output)
#define points_rounding GRZ_ISA_NAME(points_rounding)
#define points_numbers GRZ_ISA_NAME(points_numbers)
#define points_compute_numbers GRZ_ISA_NAME(points_compute_numbers)
#define points_write_numbers GRZ_ISA_NAME(points_write_numbers)
#define points_write_beyond GRZ_ISA_NAME(points_write_beyond)
#define points_update_bound GRZ_ISA_NAME(points_update_bound)
#define points_distance_step GRZ_ISA_NAME(points_distance_step)
#define points_beyond GRZ_ISA_NAME(points_beyond)
#define points_finish GRZ_ISA_NAME(points_finish)
#define points_run GRZ_ISA_NAME(points_run)
#define points_intersect GRZ_ISA_NAME(points_intersect)
#define points_distance GRZ_ISA_NAME(points_distance)

/* box_distance_kernel.h */
#define closest_boxes GRZ_ISA_NAME(closest_boxes)
#define closest_points GRZ_ISA_NAME(closest_points)
#define closest_axis GRZ_ISA_NAME(closest_axis)
#define closest_clamp GRZ_ISA_NAME(closest_clamp)
#define closest_extents GRZ_ISA_NAME(closest_extents)
#define closest_transform GRZ_ISA_NAME(closest_transform)
#define closest_swap GRZ_ISA_NAME(closest_swap)
#define closest_of_b GRZ_ISA_NAME(closest_of_b)
#define closest_vertex GRZ_ISA_NAME(closest_vertex)
#define closest_test_axis GRZ_ISA_NAME(closest_test_axis)
#define closest_edges GRZ_ISA_NAME(closest_edges)
#define closest_pair GRZ_ISA_NAME(closest_pair)
#define closest_gap GRZ_ISA_NAME(closest_gap)
#define closest_run GRZ_ISA_NAME(closest_run)

/* ---- Instruction sets */

#define KERNELS(name)                                                                                                  \
  { name, F64XN_WIDTH, boxes_run, boxes_bodies, points_intersect, points_distance, closest_run }

#define GRZ_ISA portable
#include "simd/f64xn_portable.h"
#include "batch/box_kernel.h"
#include "batch/pairs_kernel.h"
#include "batch/box_distance_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_portable = KERNELS("portable");
#undef GRZ_ISA

#if defined(GRZ_SIMD_X86)

#define GRZ_ISA sse2
#include "simd/f64xn_sse2.h"
#include "batch/box_kernel.h"
#include "batch/pairs_kernel.h"
#include "batch/box_distance_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_sse2 = KERNELS("sse2");
#undef GRZ_ISA

GRZ_TARGET("avx2")
#define GRZ_ISA avx2
#include "simd/f64xn_avx2.h"
#include "batch/box_kernel.h"
#include "batch/pairs_kernel.h"
#include "batch/box_distance_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_avx2 = KERNELS("avx2");
#undef GRZ_ISA
GRZ_TARGET_END

GRZ_TARGET("avx512f,avx512dq")
#define GRZ_ISA avx512
#include "simd/f64xn_avx512.h"
#include "batch/box_kernel.h"
#include "batch/pairs_kernel.h"
#include "batch/box_distance_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_avx512 = KERNELS("avx512");
#undef GRZ_ISA
GRZ_TARGET_END

#elif defined(GRZ_SIMD_NEON)

#define GRZ_ISA neon
#include "simd/f64xn_neon.h"
#include "batch/box_kernel.h"
#include "batch/pairs_kernel.h"
#include "batch/box_distance_kernel.h"
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

const grz_batch_kernels *grz_batch_select(int width) {
  dispatch_entry list[DISPATCH_MAX];
  const char *name = getenv("GRAZE_SIMD");
  const grz_batch_kernels *named = name != NULL ? grz_batch_named(name) : NULL;
  if (named != NULL) return named;
  (void)dispatch_list(list);
  for (int i = 0;; i++)
    if (list[i].supported && list[i].kernels->width <= width) return list[i].kernels;
}
