#include "support/rational.h"

#include <math.h>

#include <mpfr.h>

/* The diagonal: 2 (q·q/2 - the squares of the two other axes) / q·q; off it: 2 (xi xj ∓ w xk) / q·q. */
static void set_rotation(mpq_t *r, const graze_pose *pose) {
  const double part[4] = {pose->w, pose->x, pose->y, pose->z};
  mpq_t q[4], square[4], half, t;
  mpq_inits(half, t, NULL);
  for (int k = 0; k < 4; k++) {
    mpq_inits(q[k], square[k], NULL);
    mpq_set_d(q[k], part[k]);
    mpq_mul(square[k], q[k], q[k]);
    mpq_add(half, half, square[k]);
  }
  mpq_div_2exp(half, half, 1);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      mpq_t *entry = &r[3 * i + j];
      if (i == j) {
        mpq_sub(*entry, half, square[1 + (i + 1) % 3]);
        mpq_sub(*entry, *entry, square[1 + (i + 2) % 3]);
      } else {
        mpq_mul(*entry, q[1 + i], q[1 + j]);
        mpq_mul(t, q[0], q[4 - i - j]);
        ((i + 1) % 3 == j ? mpq_sub : mpq_add)(*entry, *entry, t);
      }
      mpq_div(*entry, *entry, half);
    }
  for (int k = 0; k < 4; k++) mpq_clears(q[k], square[k], NULL);
  mpq_clears(half, t, NULL);
}

/* out[k·stride] = (r times in[k·stride])_k; out is not in. */
static void turn_column(mpq_t *out, mpq_t *r, mpq_t *in, int stride) {
  mpq_t t;
  mpq_init(t);
  for (int i = 0; i < 3; i++) {
    mpq_set_ui(out[i * stride], 0, 1);
    for (int j = 0; j < 3; j++) {
      mpq_mul(t, r[3 * i + j], in[j * stride]);
      mpq_add(out[i * stride], out[i * stride], t);
    }
  }
  mpq_clear(t);
}

void rational_map_init(rational_map *map) {
  for (int i = 0; i < 9; i++) mpq_init(map->m[i]);
  for (int i = 0; i < 3; i++) mpq_init(map->p[i]);
}

void rational_map_clear(rational_map *map) {
  for (int i = 0; i < 9; i++) mpq_clear(map->m[i]);
  for (int i = 0; i < 3; i++) mpq_clear(map->p[i]);
}

/* at = R·at + position, R given. */
static void move_point(mpq_t *at, mpq_t *r, graze_vec position) {
  const double part[3] = {position.x, position.y, position.z};
  mpq_t from[3], t;
  mpq_inits(from[0], from[1], from[2], t, NULL);
  for (int i = 0; i < 3; i++) mpq_swap(from[i], at[i]);
  turn_column(at, r, from, 1);
  for (int i = 0; i < 3; i++) {
    mpq_set_d(t, part[i]);
    mpq_add(at[i], at[i], t);
  }
  mpq_clears(from[0], from[1], from[2], t, NULL);
}

/* map = the placement, of which `local` goes to map->p. */
static void set_map(rational_map *map, const graze_placed *placed, graze_vec local) {
  rational_map inner;
  mpq_set_d(map->p[0], local.x), mpq_set_d(map->p[1], local.y), mpq_set_d(map->p[2], local.z);
  set_rotation(map->m, &placed->pose);
  move_point(map->p, map->m, placed->pose.position);
  const graze_frame *outer = placed->hidden.frame;
  if (outer == NULL || !outer->hidden.is_part) return;
  rational_map frame;
  rational_map_init(&inner), rational_map_init(&frame);
  for (int i = 0; i < 9; i++) mpq_swap(inner.m[i], map->m[i]);
  set_rotation(frame.m, &outer->hidden.pose);
  for (int j = 0; j < 3; j++) turn_column(&map->m[j], frame.m, &inner.m[j], 3);
  move_point(map->p, frame.m, outer->hidden.pose.position);
  rational_map_clear(&inner), rational_map_clear(&frame);
}

void rational_map_set(rational_map *map, const graze_placed *placed) { set_map(map, placed, (graze_vec){0, 0, 0}); }

void rational_world(mpq_t at[3], const graze_placed *placed, graze_vec local) {
  rational_map map;
  rational_map_init(&map);
  set_map(&map, placed, local);
  for (int i = 0; i < 3; i++) mpq_swap(at[i], map.p[i]);
  rational_map_clear(&map);
}

double nearest_double(const mpz_t x, long unit) {
  mpfr_t exact;
  mpfr_init2(exact, (mpfr_prec_t)mpz_sizeinbase(x, 2) + 53);
  mpfr_set_z_2exp(exact, x, unit, MPFR_RNDN);
  const double nearest = mpfr_get_d(exact, MPFR_RNDN);
  mpfr_clear(exact);
  return nearest;
}

graze_pose random_extreme_pose(uint64_t *state, int dim) {
  double q[4] = {0, 0, 0, 0};
  uint64_t kind = rng_bits(state) % 8;
  uint64_t some = rng_bits(state) % 15 + 1;
  int low = kind == 0 ? -1074 : kind == 1 ? -60 : 0, high = kind == 0 ? 131 : 0;
  for (int i = 0; i < 4; i++) q[i] = rng_magnitude(state, low, high);
  if (kind >= 5) /* some components of one size, the others zero … */
    for (int i = 0; i < 4; i++) q[i] = !(some >> i & 1) ? 0 : rng_coin(state) ? -1 : 1;
  if (kind == 6) /* … or of two sizes … */
    for (int i = 0; i < 4; i++) q[i] *= rng_coin(state) ? 0.75 : 1;
  if (kind == 7) /* … or nearly of one size, nearly zero */
    q[some % 4] += rng_magnitude(state, -80, -40);
  if (dim == 2) q[1] = q[2] = 0;
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) q[3] = -1;
  if (kind % 2) { /* the length of a quaternion has no effect */
    double scale = ldexp(1, kind == 5 ? -1074 : (int)(rng_bits(state) % 150) - 20);
    for (int i = 0; i < 4; i++) q[i] *= scale;
  }
  return (graze_pose){{0, 0, 0}, q[0], q[1], q[2], q[3]};
}
