#include "shape/truth.h"

#include <math.h>

void truth_rotation_init(truth_rotation *rotation) {
  for (int i = 0; i < 9; i++) mpq_init(rotation->at[i]);
}

void truth_rotation_clear(truth_rotation *rotation) {
  for (int i = 0; i < 9; i++) mpq_clear(rotation->at[i]);
}

/* By the columns of v -> q v q*: (w² - u·u) v + 2 (u·v) u + 2 w u × v, u = (x, y, z). */
void truth_rotation_set(truth_rotation *rotation, const graze_pose *pose) {
  mpq_t u[3], w, square, length, t;
  mpq_inits(w, square, length, t, NULL);
  const double parts[3] = {pose->x, pose->y, pose->z};
  for (int i = 0; i < 3; i++) {
    mpq_init(u[i]);
    mpq_set_d(u[i], parts[i]);
    mpq_mul(t, u[i], u[i]);
    mpq_add(square, square, t);
  }
  mpq_set_d(w, pose->w);
  mpq_mul(length, w, w);
  mpq_add(length, length, square);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      mpq_t *entry = &rotation->at[3 * i + j];
      mpq_mul(*entry, u[i], u[j]);
      if (i != j) { /* row i of u × e_j: minus the third component, where i, j, k are in cyclic order */
        mpq_mul(t, w, u[3 - i - j]);
        if ((i + 1) % 3 == j) mpq_neg(t, t);
        mpq_add(*entry, *entry, t);
      }
      mpq_add(*entry, *entry, *entry);
      if (i == j) {
        mpq_sub(t, length, square);
        mpq_sub(t, t, square);
        mpq_add(*entry, *entry, t);
      }
      mpq_div(*entry, *entry, length);
    }
  for (int i = 0; i < 3; i++) mpq_clear(u[i]);
  mpq_clears(w, square, length, t, NULL);
}

void truth_row_times(mpq_t out, const truth_rotation *rotation, int i, graze_vec v) {
  const double parts[3] = {v.x, v.y, v.z};
  mpq_t t;
  mpq_init(t);
  mpq_set_ui(out, 0, 1);
  for (int j = 0; j < 3; j++) {
    mpq_set_d(t, parts[j]);
    mpq_mul(t, t, rotation->at[3 * i + j]);
    mpq_add(out, out, t);
  }
  mpq_clear(t);
}

/* at = R(q)·at + position. */
static void truth_move(mpq_t at[3], const graze_pose *pose) {
  const double position[3] = {pose->position.x, pose->position.y, pose->position.z};
  truth_rotation rotation;
  mpq_t from[3], t;
  truth_rotation_init(&rotation);
  truth_rotation_set(&rotation, pose);
  mpq_inits(from[0], from[1], from[2], t, NULL);
  for (int i = 0; i < 3; i++) mpq_swap(from[i], at[i]);
  for (int i = 0; i < 3; i++) {
    mpq_set_d(at[i], position[i]);
    for (int j = 0; j < 3; j++) {
      mpq_mul(t, rotation.at[3 * i + j], from[j]);
      mpq_add(at[i], at[i], t);
    }
  }
  mpq_clears(from[0], from[1], from[2], t, NULL);
  truth_rotation_clear(&rotation);
}

void truth_world(mpq_t at[3], const graze_placed *placed, graze_vec local) {
  mpq_set_d(at[0], local.x), mpq_set_d(at[1], local.y), mpq_set_d(at[2], local.z);
  truth_move(at, &placed->pose);
  if (placed->framed) truth_move(at, &placed->frame);
}

uint64_t truth_bits(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545f4914f6cdd1du;
}

double truth_uniform(uint64_t *state, double low, double high) {
  return low + (high - low) * ((double)(truth_bits(state) >> 11) * 0x1p-53);
}

int truth_below(uint64_t *state, int count) { return (int)((truth_bits(state) >> 33) % (uint64_t)count); }

double truth_spread(uint64_t *state, int low, int high) {
  int exponent = low + (int)(truth_bits(state) % (uint64_t)(high - low + 1));
  double x = ldexp(truth_uniform(state, 1, 2), exponent);
  return truth_bits(state) >> 63 ? -x : x;
}

graze_vec truth_spread_vec(uint64_t *state, int dim, int low, int high) {
  graze_vec v = {truth_spread(state, low, high), truth_spread(state, low, high), 0};
  if (dim == 3) v.z = truth_spread(state, low, high);
  return v;
}

graze_vec truth_uniform_vec(uint64_t *state, int dim, double size) {
  graze_vec v = {truth_uniform(state, -size, size), truth_uniform(state, -size, size), 0};
  if (dim == 3) v.z = truth_uniform(state, -size, size);
  return v;
}

static double truth_sign(uint64_t *state, double size) { return truth_bits(state) >> 63 ? -size : size; }

graze_pose truth_pose(uint64_t *state, int dim) {
  double q[4] = {0, 0, 0, 0};
  uint64_t kind = truth_bits(state) % 8;
  uint64_t some = truth_bits(state) % 15 + 1;
  int low = kind == 0 ? -1074 : kind == 1 ? -60 : 0, high = kind == 0 ? 131 : 0;
  for (int i = 0; i < 4; i++) q[i] = truth_spread(state, low, high);
  if (kind >= 5) /* some components of one size, the others zero … */
    for (int i = 0; i < 4; i++) q[i] = some >> i & 1 ? truth_sign(state, 1) : 0;
  if (kind == 6) /* … or of two sizes … */
    for (int i = 0; i < 4; i++) q[i] *= truth_bits(state) >> 63 ? 0.75 : 1;
  if (kind == 7) /* … or nearly of one size, nearly zero */
    q[some % 4] += truth_spread(state, -80, -40);
  if (dim == 2) q[1] = q[2] = 0;
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) q[3] = -1;
  if (kind % 2) { /* the length of a quaternion says nothing */
    double scale = ldexp(1, kind == 5 ? -1074 : (int)(truth_bits(state) % 150) - 20);
    for (int i = 0; i < 4; i++) q[i] *= scale;
  }
  graze_pose pose = {{0, 0, 0}, q[0], q[1], q[2], q[3]};
  return pose;
}
