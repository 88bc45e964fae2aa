/* Poses of moving bodies. The rotation uses the sine and cosine of the library, so its bits are equal on all platforms.
 */
#include "shape/motion.h"

#include "core/vec.h"

/* Beyond this angle, in radians, the rotation is unknown. */
#define MOTION_MAX_ANGLE 0x1p48

graze_status grz_motion_validate(const graze_placed *placed, const graze_motion *motion) {
  const graze_vec angular = motion->angular;
  if (!vec_is_legal(motion->velocity) || !vec_is_legal(angular)) return GRAZE_BAD_NUMBER;
  const bool flat = placed->shape.dim == 2;
  if (flat && (motion->velocity.z != 0 || angular.x != 0 || angular.y != 0)) return GRAZE_DIM_MISMATCH;
  return placed->shape.kind == GRAZE_HALFSPACE && vec_norm_inf(angular) > 0 ? GRAZE_UNSUPPORTED : GRAZE_OK;
}

/* Returns the length with a relative error of a few u, also if squares underflow, and the direction in *axis. */
static double angular_speed(graze_vec angular, graze_vec *axis) {
  const double largest = vec_norm_inf(angular);
  *axis = vec_make(0, 0, 0);
  if (largest == 0) return 0;
  const graze_vec v = vec_unit_inf(angular);
  const double length = vec_length(v);
  *axis = vec_make(v.x / length, v.y / length, v.z / length);
  return largest * length;
}

void grz_moving_body_make(grz_moving_body *body, const graze_placed *placed, const graze_motion *motion) {
  body->placed = *placed;
  body->velocity = motion->velocity;
  body->rate = angular_speed(motion->angular, &body->axis);
  body->spin = placed->hidden.bounding_radius > 0 ? real_next_up(body->rate * (1 + 8 * GRZ_U)) : 0;
  if (body->rate == 0) body->spin = 0;
}

/* The rotation of the pose, then a rotation about the axis. The quaternion of the pose is scaled by a power of two. */
static graze_pose pose_rotate(const graze_pose *pose, graze_vec axis, double angle) {
  const double most =
      real_max(real_max(real_abs(pose->w), real_abs(pose->x)), real_max(real_abs(pose->y), real_abs(pose->z)));
  const double unit = real_power_of_two(-real_exponent(most));
  const double w = pose->w * unit, x = pose->x * unit, y = pose->y * unit, z = pose->z * unit;
  double cosine, sine;
  graze_half_angle(angle, &cosine, &sine);
  const graze_vec v = vec_scale(axis, sine);
  graze_pose rotated = *pose;
  rotated.w = (cosine * w - v.x * x) - (v.y * y + v.z * z);
  rotated.x = (cosine * x + v.x * w) + (v.y * z - v.z * y);
  rotated.y = (cosine * y + v.y * w) + (v.z * x - v.x * z);
  rotated.z = (cosine * z + v.z * w) + (v.x * y - v.y * x);
  return rotated;
}

double grz_moving_body_at(const grz_moving_body *body, double t, graze_placed *now) {
  const graze_placed *placed = &body->placed;
  const double angle = body->rate * t, radius = placed->hidden.bounding_radius;
  moving_set_time(now, body->velocity, t);
  if (body->spin == 0 || t == 0) {
    grz_set_rotation(now, placed_pose(placed));
    return 0;
  }
  if (!(angle <= MOTION_MAX_ANGLE)) return 2 * radius;
  const graze_pose pose = pose_rotate(placed_pose(placed), body->axis, angle);
  grz_set_rotation(now, &pose);
  return grz_moving_body_error(body, t) * (radius * (1 + 2 * GRZ_U)) + 0x1p-1072;
}

graze_pose graze_pose_after(const graze_pose *pose, const graze_motion *motion, double t) {
  graze_vec axis;
  graze_pose moved = *pose;
  if (motion == NULL) return moved;
  const double angle = angular_speed(motion->angular, &axis) * t;
  if (angle > 0 && angle <= MOTION_MAX_ANGLE) moved = pose_rotate(pose, axis, angle);
  moved.position = vec_add(pose->position, vec_scale(motion->velocity, t));
  return moved;
}
