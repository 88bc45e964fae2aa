/* Rotation matrices, poses and motions: construction, composition, inversion. All results are rounded, and none needs a
 * math library. Errors: docs/theory/rounding.md, "Rotation". */
#include "shape/pose.h"

#include "core/vec.h"

/* ---- Rotation matrices. */

/* Scales q by a power of two, so that its largest component is in [0.5, 1), or in [2^-52, 1) if all are subnormal. This
 * is exact except for components that are 2^-1000 times smaller. */
static void rotation_scale(double q[4]) {
  double largest = real_max(real_max(real_abs(q[0]), real_abs(q[1])), real_max(real_abs(q[2]), real_abs(q[3])));
  double factor = real_power_of_two(-1 - real_exponent(largest));
  for (int i = 0; i < 4; i++) q[i] *= factor;
}

static void rotation_read(const graze_pose *pose, double q[4]) {
  q[0] = pose->w, q[1] = pose->x, q[2] = pose->y, q[3] = pose->z;
  rotation_scale(q);
}

/* M(q)/(q·q). The sums are grouped so that a rotation about one axis maps that axis exactly to itself. */
void grz_rotation_of(const graze_pose *pose, double rotation[9]) {
  double q[4];
  rotation_read(pose, q);
  double w = q[0], x = q[1], y = q[2], z = q[3];
  double ww = w * w, xx = x * x, yy = y * y, zz = z * z, square = (ww + xx) + (yy + zz);
  rotation[0] = ((ww + xx) - (yy + zz)) / square;
  rotation[1] = 2 * (x * y - w * z) / square;
  rotation[2] = 2 * (x * z + w * y) / square;
  rotation[3] = 2 * (x * y + w * z) / square;
  rotation[4] = ((ww + yy) - (xx + zz)) / square;
  rotation[5] = 2 * (y * z - w * x) / square;
  rotation[6] = 2 * (x * z - w * y) / square;
  rotation[7] = 2 * (y * z + w * x) / square;
  rotation[8] = ((ww + zz) - (xx + yy)) / square;
}

/* Row i is exact if q has only w and component i, or only the other two components. It is also exact if 1, 2 or 4
 * components are not zero and these have equal magnitudes. */
static bool rotation_row_is_exact(const graze_pose *pose, int i) {
  const double q[4] = {pose->w, pose->x, pose->y, pose->z};
  int j = (i + 1) % 3, k = (i + 2) % 3, count = 0;
  if ((q[1 + j] == 0 && q[1 + k] == 0) || (q[0] == 0 && q[1 + i] == 0)) return true;
  double size = 0;
  for (int n = 0; n < 4; n++) {
    if (q[n] == 0) continue;
    if (count++ > 0 && real_abs(q[n]) != size) return false;
    size = real_abs(q[n]);
  }
  return count != 3;
}

static bool rotation_is_exact(const graze_pose *pose) {
  return rotation_row_is_exact(pose, 0) && rotation_row_is_exact(pose, 1) && rotation_row_is_exact(pose, 2);
}

bool grz_row_is_exact(const graze_placed *placed, int i) {
  if (!placed->hidden.is_part) return rotation_row_is_exact(&placed->pose, i);
  if (!rotation_row_is_exact(&placed->hidden.frame, i)) return false;
  double rotation[9];
  grz_rotation_of(&placed->hidden.frame, rotation);
  const double *row = rotation + 3 * i;
  return rotation_row_is_exact(&placed->pose, row[0] != 0 ? 0 : row[1] != 0 ? 1 : 2);
}

/* The sum of four products with one rounding error and an additional error of 16u² of their magnitudes.
 * Source: Ogita, Rump, Oishi 2005. */
static double rotation_sum(const double x[4], const double y[4]) {
  double low, sum = real_two_product(x[0], y[0], &low);
  for (int i = 1; i < 4; i++) {
    double error, lost, product = real_two_product(x[i], y[i], &error);
    sum = real_two_sum(sum, product, &lost);
    low += lost + error;
  }
  return sum + low;
}

/* The quaternion of the rotation by `inner`, then by `outer`. */
static graze_pose rotation_product(const graze_pose *outer, const graze_pose *inner) {
  double q[4], p[4];
  rotation_read(outer, q);
  rotation_read(inner, p);
  const double w[4] = {p[0], -p[1], -p[2], -p[3]}, x[4] = {p[1], p[0], p[3], -p[2]};
  const double y[4] = {p[2], -p[3], p[0], p[1]}, z[4] = {p[3], p[2], -p[1], p[0]};
  graze_pose product = {{0, 0, 0}, rotation_sum(q, w), rotation_sum(q, x), rotation_sum(q, y), rotation_sum(q, z)};
  return product;
}

/* An entry of the product that equals plus or minus an entry of a factor is copied exactly. */
void grz_rotation_of_part(const graze_placed *compound, const graze_placed *part, double rotation[9]) {
  const double *outer = compound->hidden.rotation, *inner = part->hidden.rotation;
  const bool all = rotation_is_exact(&part->pose);
  if (!all) {
    graze_pose turn = rotation_product(&compound->pose, &part->pose);
    grz_rotation_of(&turn, rotation);
  }
  for (int i = 0; i < 3; i++) {
    if (!all && !rotation_row_is_exact(&compound->pose, i)) continue;
    for (int k = 0; k < 3; k++) {
      rotation[3 * i + k] =
          (outer[3 * i] * inner[k] + outer[3 * i + 1] * inner[3 + k]) + outer[3 * i + 2] * inner[6 + k];
    }
  }
}

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
