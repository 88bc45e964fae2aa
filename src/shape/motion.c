/* Pose arithmetic, and bodies in motion.
 *
 * Pose arithmetic is rounded and needs no math library. Rotations use the sine and cosine of the library, so their bits
 * are equal on all platforms. */
#include "shape/motion.h"

/* ---- Poses. */

graze_pose graze_pose_identity(void) { return (graze_pose){{0, 0, 0}, 1, 0, 0, 0}; }

graze_pose graze_pose_at(double x, double y, double z) { return (graze_pose){{x, y, z}, 1, 0, 0, 0}; }

graze_pose graze_pose3(graze_vec position, double w, double x, double y, double z) {
  return (graze_pose){position, w, x, y, z};
}

graze_pose graze_pose2(double x, double y, double angle) {
  graze_pose pose = {{x, y, 0}, 1, 0, 0, 0};
  graze_half_angle(angle, &pose.w, &pose.z);
  return pose;
}

graze_pose graze_pose_axis_angle(graze_vec position, graze_vec axis, double angle) {
  double w, sine;
  graze_half_angle(angle, &w, &sine);
  const graze_vec v = vec_scale(vec_unit(vec_unit_inf(axis)), sine);
  return (graze_pose){position, w, v.x, v.y, v.z};
}

/* The quaternion of a rotation matrix, from its largest component. Source: Shepperd 1978. */
graze_pose graze_pose_matrix(graze_vec position, const double r[9], int dim) {
  if (dim == 2) {
    /* (c, s) = (cos, sin): the half-angle pair is (1 + c, s), or (s, 1 - c) near half a turn. */
    const double c = r[0], s = r[3];
    return c >= 0 ? (graze_pose){position, 1 + c, 0, 0, s} : (graze_pose){position, s, 0, 0, 1 - c};
  }
  const double trace = r[0] + r[4] + r[8];
  if (trace >= 0) return (graze_pose){position, 1 + trace, r[7] - r[5], r[2] - r[6], r[3] - r[1]};
  if (r[0] >= r[4] && r[0] >= r[8])
    return (graze_pose){position, r[7] - r[5], 1 + r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6]};
  if (r[4] >= r[8]) return (graze_pose){position, r[2] - r[6], r[1] + r[3], 1 + r[4] - r[0] - r[8], r[5] + r[7]};
  return (graze_pose){position, r[3] - r[1], r[2] + r[6], r[5] + r[7], 1 + r[8] - r[0] - r[4]};
}

void graze_pose_rotation(const graze_pose *pose, double rotation[9]) { grz_rotation_of(pose, rotation); }

/* Scales the quaternion so that its largest component is in [1, 2). Then products neither overflow nor underflow. */
static graze_pose pose_scaled(const graze_pose *pose) {
  const double largest =
      real_max(real_max(real_abs(pose->w), real_abs(pose->x)), real_max(real_abs(pose->y), real_abs(pose->z)));
  const double unit = real_power_of_two(-real_exponent(largest));
  return (graze_pose){pose->position, pose->w * unit, pose->x * unit, pose->y * unit, pose->z * unit};
}

graze_vec graze_pose_apply(const graze_pose *pose, graze_vec local) {
  double rotation[9];
  grz_rotation_of(pose, rotation);
  return vec_add(vec_rotate(rotation, local, 3), pose->position);
}

graze_pose graze_pose_inverse(const graze_pose *pose) {
  double rotation[9];
  grz_rotation_of(pose, rotation);
  return (graze_pose){vec_neg(vec_unrotate(rotation, pose->position, 3)), pose->w, -pose->x, -pose->y, -pose->z};
}

/* The quaternion product p·q, with the given position. */
static graze_pose pose_product(graze_vec position, const graze_pose *p, const graze_pose *q) {
  return (graze_pose){position, (p->w * q->w - p->x * q->x) - (p->y * q->y + p->z * q->z),
                      (p->w * q->x + p->x * q->w) + (p->y * q->z - p->z * q->y),
                      (p->w * q->y + p->y * q->w) + (p->z * q->x - p->x * q->z),
                      (p->w * q->z + p->z * q->w) + (p->x * q->y - p->y * q->x)};
}

graze_pose graze_pose_compose(const graze_pose *outer, const graze_pose *inner) {
  const graze_pose p = pose_scaled(outer), q = pose_scaled(inner);
  return pose_product(graze_pose_apply(outer, inner->position), &p, &q);
}

/* atan2(sine, cosine) for sine, cosine >= 0, with an error of about 1e-16: Newton's method on the sine and cosine of
 * graze_half_angle(). */
static double pose_arctangent(double sine, double cosine) {
  const double length = real_sqrt(sine * sine + cosine * cosine);
  const double s = sine / length, c = cosine / length;
  double angle = s < c ? s : 1.5707963267948966 - c;
  for (int i = 0; i < 4; i++) {
    double cosine_now, sine_now;
    graze_half_angle(2 * angle, &cosine_now, &sine_now);
    angle += s * cosine_now - c * sine_now; /* sin(true angle - angle), which is the error up to third order */
  }
  return angle;
}

graze_motion graze_motion_between(const graze_pose *from, const graze_pose *to, double time) {
  graze_pose back = *from;
  back.x = -back.x, back.y = -back.y, back.z = -back.z;
  back.position = (graze_vec){0, 0, 0};
  const graze_pose turn = graze_pose_compose(to, &back); /* only its quaternion */
  const double sign = turn.w < 0 ? -1 : 1;
  const graze_vec v = vec_scale(vec_make(turn.x, turn.y, turn.z), sign);
  graze_motion motion = {vec_scale(vec_sub(to->position, from->position), 1 / time), {0, 0, 0}};
  const double sine = vec_length(v);
  if (sine > 0) motion.angular = vec_scale(v, 2 * pose_arctangent(sine, real_abs(turn.w)) / (sine * time));
  return motion;
}

/* ---- Motion. */

/* Beyond this angle, in radians, the rotation is unknown. */
#define MOTION_MAX_ANGLE 0x1p48

const graze_motion grz_motion_at_rest = {{0, 0, 0}, {0, 0, 0}};

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

/* The rotation of the pose, then a rotation about the axis. */
static graze_pose pose_rotate(const graze_pose *pose, graze_vec axis, double angle) {
  double w, sine;
  graze_half_angle(angle, &w, &sine);
  const graze_vec v = vec_scale(axis, sine);
  const graze_pose turn = {{0, 0, 0}, w, v.x, v.y, v.z}, scaled = pose_scaled(pose);
  return pose_product(pose->position, &turn, &scaled);
}

double grz_moving_body_at(const grz_moving_body *body, double t, grz_moved *now) {
  const graze_placed *placed = &body->placed;
  const double angle = body->rate * t, radius = placed->hidden.bounding_radius;
  moving_between(now, body->velocity, t, t);
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
