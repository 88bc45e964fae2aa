/* Rotations, rounded: one, and the product of two, which is as good. docs/theory/rounding.md, "Rotation". */
#include "core/vec.h"
#include "shape/placed.h"

/* q times a power of two, its largest component in [0.5, 1), or in [2^-52, 1) if all are subnormal: exact, but for what
 * is 2^-1000 times smaller. */
static void rotation_scale(double q[4]) {
  double largest = real_max(real_max(real_abs(q[0]), real_abs(q[1])), real_max(real_abs(q[2]), real_abs(q[3])));
  double factor = real_power_of_two(-1 - real_exponent(largest));
  for (int i = 0; i < 4; i++) q[i] *= factor;
}

static void rotation_read(const graze_pose *pose, double q[4]) {
  q[0] = pose->w, q[1] = pose->x, q[2] = pose->y, q[3] = pose->z;
  rotation_scale(q);
}

/* M(q)/(q·q). The sums are grouped so that a turn about one axis leaves that axis exactly in its place. */
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

/* It is when q lies in the plane of w and component i, or in the plane of the other two (a turn about that axis); or
 * when 1, 2 or 4 components are not zero, all of one size. */
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

/* The sum of four products, as if rounded once, and by at most 16u² of their magnitudes besides (Ogita, Rump, Oishi
 * 2005). */
static double rotation_sum(const double x[4], const double y[4]) {
  double low, sum = real_two_product(x[0], y[0], &low);
  for (int i = 1; i < 4; i++) {
    double error, lost, product = real_two_product(x[i], y[i], &error);
    sum = real_two_sum(sum, product, &lost);
    low += lost + error;
  }
  return sum + low;
}

/* The quaternion of the turn by p, then by q. */
static graze_pose rotation_product(const graze_pose *outer, const graze_pose *inner) {
  double q[4], p[4];
  rotation_read(outer, q);
  rotation_read(inner, p);
  const double w[4] = {p[0], -p[1], -p[2], -p[3]}, x[4] = {p[1], p[0], p[3], -p[2]};
  const double y[4] = {p[2], -p[3], p[0], p[1]}, z[4] = {p[3], p[2], -p[1], p[0]};
  graze_pose turn = {{0, 0, 0}, rotation_sum(q, w), rotation_sum(q, x), rotation_sum(q, y), rotation_sum(q, z)};
  return turn;
}

/* Where an entry of the product is plus or minus one entry of a factor, it is that one. */
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
