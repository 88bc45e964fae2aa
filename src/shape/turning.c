/* Poses in time. The rotation is made of the library's own sine and cosine, so its bits are the same everywhere. */
#include "shape/motion.h"

#include "core/vec.h"

/* Beyond, nothing is known of where a body stands. */
#define TURNING_LARGEST_ANGLE 0x1p48

graze_status grz_motion_validate(const graze_placed *placed, const graze_motion *motion) {
  const graze_vec angular = motion->angular;
  if (!vec_is_legal(motion->velocity) || !vec_is_legal(angular)) return GRAZE_BAD_NUMBER;
  const bool flat = placed->shape.dim == 2;
  if (flat && (motion->velocity.z != 0 || angular.x != 0 || angular.y != 0)) return GRAZE_DIM_MISMATCH;
  return placed->shape.kind == GRAZE_HALFSPACE && vec_norm_inf(angular) > 0 ? GRAZE_UNSUPPORTED : GRAZE_OK;
}

/* The length with a relative error of some units, also where squares underflow; the direction goes to *axis. */
static double turning_rate(graze_vec angular, graze_vec *axis) {
  const double largest = vec_norm_inf(angular);
  *axis = vec_make(0, 0, 0);
  if (largest == 0) return 0;
  const graze_vec v = vec_unit_inf(angular);
  const double length = vec_length(v);
  *axis = vec_make(v.x / length, v.y / length, v.z / length);
  return largest * length;
}

void grz_moving_body_make(grz_moving_body *turning, const graze_placed *placed, const graze_motion *motion) {
  turning->placed = *placed;
  turning->velocity = motion->velocity;
  turning->rate = turning_rate(motion->angular, &turning->axis);
  turning->spin = placed->hidden.bounding_radius > 0 ? real_next_up(turning->rate * (1 + 8 * GRZ_U)) : 0;
  if (turning->rate == 0) turning->spin = 0;
}

/* The pose's rotation, then a turn: a product of quaternions, the pose's scaled by a power of two. */
static graze_pose turning_turned(const graze_pose *pose, graze_vec axis, double angle) {
  const double most =
      real_max(real_max(real_abs(pose->w), real_abs(pose->x)), real_max(real_abs(pose->y), real_abs(pose->z)));
  const double unit = real_power_of_two(-real_exponent(most));
  const double w = pose->w * unit, x = pose->x * unit, y = pose->y * unit, z = pose->z * unit;
  double turn, along;
  graze_half_angle(angle, &turn, &along);
  const graze_vec v = vec_scale(axis, along);
  graze_pose turned = *pose;
  turned.w = (turn * w - v.x * x) - (v.y * y + v.z * z);
  turned.x = (turn * x + v.x * w) + (v.y * z - v.z * y);
  turned.y = (turn * y + v.y * w) + (v.z * x - v.x * z);
  turned.z = (turn * z + v.z * w) + (v.x * y - v.y * x);
  return turned;
}

double grz_moving_body_at(const grz_moving_body *turning, double t, graze_placed *now) {
  const graze_placed *placed = &turning->placed;
  const double angle = turning->rate * t, reach = placed->hidden.bounding_radius;
  moving_set_time(now, turning->velocity, t);
  if (turning->spin == 0 || t == 0) {
    grz_set_rotation(now, placed_pose(placed));
    return 0;
  }
  if (!(angle <= TURNING_LARGEST_ANGLE)) return 2 * reach;
  const graze_pose pose = turning_turned(placed_pose(placed), turning->axis, angle);
  grz_set_rotation(now, &pose);
  return grz_moving_body_error(turning, t) * (reach * (1 + 2 * GRZ_U)) + 0x1p-1072;
}

graze_pose graze_pose_after(const graze_pose *pose, const graze_motion *motion, double t) {
  graze_vec axis;
  graze_pose moved = *pose;
  if (motion == NULL) return moved;
  const double angle = turning_rate(motion->angular, &axis) * t;
  if (angle > 0 && angle <= TURNING_LARGEST_ANGLE) moved = turning_turned(pose, axis, angle);
  moved.position = vec_add(pose->position, vec_scale(motion->velocity, t));
  return moved;
}
