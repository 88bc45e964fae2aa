/* Poses and motions: construction, composition, inversion. All results are rounded; none needs a math library. */
#include "core/vec.h"
#include "core/vec.h"
#include "shape/placed.h"

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
  if (r[4] >= r[8])
    return (graze_pose){position, r[2] - r[6], r[1] + r[3], 1 + r[4] - r[0] - r[8], r[5] + r[7]};
  return (graze_pose){position, r[3] - r[1], r[2] + r[6], r[5] + r[7], 1 + r[8] - r[0] - r[4]};
}

void graze_pose_rotation(const graze_pose *pose, double rotation[9]) { grz_rotation_of(pose, rotation); }

/* The quaternion with its largest component in [1, 2), so that products neither overflow nor vanish. */
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

graze_pose graze_pose_compose(const graze_pose *outer, const graze_pose *inner) {
  const graze_pose p = pose_scaled(outer), q = pose_scaled(inner);
  graze_pose product = {graze_pose_apply(outer, inner->position), 0, 0, 0, 0};
  product.w = (p.w * q.w - p.x * q.x) - (p.y * q.y + p.z * q.z);
  product.x = (p.w * q.x + p.x * q.w) + (p.y * q.z - p.z * q.y);
  product.y = (p.w * q.y + p.y * q.w) + (p.z * q.x - p.x * q.z);
  product.z = (p.w * q.z + p.z * q.w) + (p.x * q.y - p.y * q.x);
  return product;
}

/* atan(t) for 0 <= t <= 1, to about 1e-16: Newton's method on the sine and cosine of graze_half_angle(). */
static double pose_arctangent(double sine, double cosine) {
  const double length = real_sqrt(sine * sine + cosine * cosine);
  const double s = sine / length, c = cosine / length;
  double angle = s < c ? s : 1.5707963267948966 - c;
  for (int i = 0; i < 4; i++) {
    double cosine_now, sine_now;
    graze_half_angle(2 * angle, &cosine_now, &sine_now);
    angle += s * cosine_now - c * sine_now; /* sin(true - angle), the error itself to third order */
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
