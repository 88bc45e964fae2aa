#include "support/rational.h"

#include <math.h>

#include <mpfr.h>

void rational_rotation_init(rational_rotation *rotation) {
  for (int i = 0; i < 9; i++) mpq_init(rotation->at[i]);
}

void rational_rotation_clear(rational_rotation *rotation) {
  for (int i = 0; i < 9; i++) mpq_clear(rotation->at[i]);
}

/* By the columns of v -> q v q*: (w² - u·u) v + 2 (u·v) u + 2 w u × v, u = (x, y, z). */
void rational_rotation_set(rational_rotation *rotation, const graze_pose *pose) {
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

void rational_row_times(mpq_t out, const rational_rotation *rotation, int i, graze_vec v) {
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
  rational_rotation rotation;
  mpq_t from[3], t;
  rational_rotation_init(&rotation);
  rational_rotation_set(&rotation, pose);
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
  rational_rotation_clear(&rotation);
}

void rational_world(mpq_t at[3], const graze_placed *placed, graze_vec local) {
  mpq_set_d(at[0], local.x), mpq_set_d(at[1], local.y), mpq_set_d(at[2], local.z);
  truth_move(at, &placed->pose);
  if (placed->framed) truth_move(at, &placed->frame);
}

void rational_map_init(rational_map *map) {
  for (int i = 0; i < 9; i++) mpq_init(map->m[i]);
  for (int i = 0; i < 3; i++) mpq_init(map->p[i]);
}

void rational_map_clear(rational_map *map) {
  for (int i = 0; i < 9; i++) mpq_clear(map->m[i]);
  for (int i = 0; i < 3; i++) mpq_clear(map->p[i]);
}

void rational_map_set(rational_map *map, const graze_placed *placed) {
  rational_rotation inner, outer;
  mpq_t t;
  mpq_init(t);
  rational_rotation_init(&inner), rational_rotation_init(&outer);
  rational_rotation_set(&inner, &placed->pose);
  if (placed->framed) rational_rotation_set(&outer, &placed->frame);
  for (int i = 0; i < 9; i++) {
    if (!placed->framed) {
      mpq_set(map->m[i], inner.at[i]);
      continue;
    }
    mpq_set_ui(map->m[i], 0, 1);
    for (int j = 0; j < 3; j++) {
      mpq_mul(t, outer.at[i / 3 * 3 + j], inner.at[3 * j + i % 3]);
      mpq_add(map->m[i], map->m[i], t);
    }
  }
  rational_world(map->p, placed, (graze_vec){0, 0, 0});
  rational_rotation_clear(&inner), rational_rotation_clear(&outer);
  mpq_clear(t);
}

double nearest_double(const mpz_t x, long unit) {
  mpfr_t exact;
  mpfr_init2(exact, (mpfr_prec_t)mpz_sizeinbase(x, 2) + 53);
  mpfr_set_z(exact, x, MPFR_RNDN);
  mpfr_mul_2si(exact, exact, unit, MPFR_RNDN);
  const double nearest = mpfr_get_d(exact, MPFR_RNDN);
  mpfr_clear(exact);
  return nearest;
}

static double truth_sign(uint64_t *state, double size) { return rng_bits(state) >> 63 ? -size : size; }

graze_pose random_extreme_pose(uint64_t *state, int dim) {
  double q[4] = {0, 0, 0, 0};
  uint64_t kind = rng_bits(state) % 8;
  uint64_t some = rng_bits(state) % 15 + 1;
  int low = kind == 0 ? -1074 : kind == 1 ? -60 : 0, high = kind == 0 ? 131 : 0;
  for (int i = 0; i < 4; i++) q[i] = rng_magnitude(state, low, high);
  if (kind >= 5) /* some components of one size, the others zero … */
    for (int i = 0; i < 4; i++) q[i] = some >> i & 1 ? truth_sign(state, 1) : 0;
  if (kind == 6) /* … or of two sizes … */
    for (int i = 0; i < 4; i++) q[i] *= rng_bits(state) >> 63 ? 0.75 : 1;
  if (kind == 7) /* … or nearly of one size, nearly zero */
    q[some % 4] += rng_magnitude(state, -80, -40);
  if (dim == 2) q[1] = q[2] = 0;
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) q[3] = -1;
  if (kind % 2) { /* the length of a quaternion says nothing */
    double scale = ldexp(1, kind == 5 ? -1074 : (int)(rng_bits(state) % 150) - 20);
    for (int i = 0; i < 4; i++) q[i] *= scale;
  }
  graze_pose pose = {{0, 0, 0}, q[0], q[1], q[2], q[3]};
  return pose;
}
