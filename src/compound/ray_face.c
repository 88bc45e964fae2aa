/* A ray against one face of a mesh in 3D: Möller and Trumbore 1997, with the volumes of Segura and Feito 2001, which do
 * not depend on the order of the corners. Error bounds: docs/theory/meshes.md, "Rays". */
#include "compound/ray_face.h"

#include "core/vec.h"
#include "shape/shape.h"

/* Relative to lengths of the ray and the face. Below the least volume, underflow is possible. */
#define RAY_SIDE_ERROR (256 * GRZ_U)
#define RAY_PLANE_ERROR (96 * GRZ_U)
#define RAY_LEAST 0x1p-900

/* A hit is known if the errors are smaller by this factor. */
#define RAY_PRECISION 0x1p28

void grz_mesh_ray_make(grz_mesh_ray *ray, const graze_placed *placed, const grz_query_shape *query, graze_vec direction,
                       double clearance) {
  const bool sharp = placed->shape.margin == 0 && clearance == 0;
  ray->placed = sharp && placed->shape.kind == GRAZE_MESH && placed->shape.dim == 3 ? placed : NULL;
  if (ray->placed == NULL) return;
  ray->origin = query->shift;
  ray->direction = vec_unrotate(placed->hidden.rotation, direction, 3);
  ray->size = grz_query_shape_size(placed) + vec_length_up(query->shift);
  ray->length = vec_length_up(ray->direction);
}

grz_ray_cast_end grz_ray_meets_face(const grz_mesh_ray *ray, uint32_t face, double end, grz_ray_face *hit) {
  if (ray->placed == NULL) return GRZ_RAY_CAST_UNKNOWN;
  const graze_mesh_def *def = &ray->placed->shape.as.mesh->def;
  const int32_t *corner = def->faces + 3 * (size_t)face;
  const graze_vec *v[3] = {&def->vertices[corner[0]], &def->vertices[corner[1]], &def->vertices[corner[2]]};
  graze_vec from[3];
  for (int k = 0; k < 3; k++) from[k] = vec_sub(*v[k], ray->origin);

  /* The line passes all edges on the same side. */
  const double doubt = RAY_SIDE_ERROR * (ray->size * ray->size) * ray->length + RAY_LEAST;
  double least = __builtin_inf(), most = -__builtin_inf();
  for (int k = 0; k < 3; k++) {
    const double side = vec_dot(ray->direction, vec_cross(from[k], from[k < 2 ? k + 1 : 0]));
    least = real_min(least, side), most = real_max(most, side);
  }
  if (least < -doubt && most > doubt) return GRZ_RAY_CAST_MISS;
  if (!(least > doubt || most < -doubt)) return GRZ_RAY_CAST_UNKNOWN;

  /* The time at which it passes the plane. */
  const graze_vec e = vec_sub(*v[1], *v[0]), f = vec_sub(*v[2], *v[0]), n = vec_cross(e, f);
  const double sign = least > 0 ? 1 : -1;
  const double height = sign * vec_dot(n, from[0]), rate = sign * vec_dot(n, ray->direction);
  const double error = RAY_PLANE_ERROR * (vec_norm1(e) * vec_norm1(f));
  const double height_error = error * ray->size + RAY_LEAST, rate_error = error * ray->length + RAY_LEAST;
  if (height < -height_error) return GRZ_RAY_CAST_MISS;
  if (!(height > height_error && rate > RAY_PRECISION * rate_error)) return GRZ_RAY_CAST_UNKNOWN;
  hit->lower = (height - height_error) / (rate + rate_error) * (1 - 8 * GRZ_U);
  hit->upper = (height + height_error) / (rate - rate_error) * (1 + 8 * GRZ_U);
  hit->normal = vec_scale(n, -sign);
  if (hit->lower > end) return GRZ_RAY_CAST_MISS;
  return hit->lower > RAY_LEAST && hit->upper <= end ? GRZ_RAY_CAST_HIT : GRZ_RAY_CAST_UNKNOWN;
}

/* The certificate: the normal separates until `lower`, and the corners at both ends of the interval enclose the path.
 */
void grz_ray_face_result(const grz_mesh_ray *ray, const graze_placed *point, graze_vec direction, uint32_t face,
                         const grz_ray_face *hit, grz_cast_result *result) {
  const graze_mesh_def *def = &ray->placed->shape.as.mesh->def;
  grz_proof *proof = &result->proof;
  cast_result_clear(result, GRAZE_ALGORITHM_CLOSED_FORM, false);
  cast_result_times(result, GRAZE_HIT, hit->lower, hit->upper);
  result->cast.normal = vec_unit(vec_rotate(ray->placed->hidden.rotation, vec_unit_inf(hit->normal), 3));
  result->cast.position_a = ray->placed->pose.position;
  result->cast.position_b = result->cast.point = moving_position(point, direction, hit->lower);
  result->cast.part_a = (int32_t)face;
  result->cast.pairs_tested = 1;
  proof->kind = GRAZE_CERTIFICATE_SEPARATED;
  proof->direction = (grz_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = result->cast.normal};
  proof->pair_count = 6;
  for (int i = 0; i < 6; i++)
    proof->pairs[i] =
        (grz_pair){.a = i % 3, .point_a = def->vertices[def->faces[3 * face + (uint32_t)(i % 3)]], .end = i < 3};
}
