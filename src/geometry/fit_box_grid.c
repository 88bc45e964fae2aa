/* A centre has to be a pair of doubles, a point of a grid. Off the middle by d across a thin rectangle of half width h
 * costs d/h of its area; off by d along it, of half length l, only d/l. So with (d_l/l, d_h/h) for coordinates the grid
 * is a skew lattice, in which a near point is to be found: reduce the basis (Gauss), then round (Babai). */
#include "geometry/fit_box.h"

/* Longer combinations are lost in the rounding of the directions. */
#define GRID_MOST 0x1p40

typedef struct grid_vector {
  double at[2];    /* in units of the half extents */
  double steps[2]; /* the whole numbers that make it */
} grid_vector;

static double grid_dot(const grid_vector *u, const grid_vector *v) { return u->at[0] * v->at[0] + u->at[1] * v->at[1]; }

/* The nearest whole number, for |x| < 2^51. */
static double grid_round(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

static void grid_subtract(grid_vector *u, double times, const grid_vector *v) {
  for (int i = 0; i < 2; i++) {
    u->at[i] -= times * v->at[i];
    u->steps[i] -= times * v->steps[i];
  }
}

static void grid_reduce(grid_vector *u, grid_vector *v) {
  for (int round = 0; round < 100; round++) {
    if (grid_dot(u, u) > grid_dot(v, v)) {
      grid_vector t = *u;
      *u = *v, *v = t;
    }
    double times = grid_dot(u, v) / grid_dot(u, u);
    if (!(real_abs(times) > 0.5 && real_abs(times) < GRID_MOST)) return;
    times = grid_round(times);
    grid_vector shorter = *v;
    grid_subtract(&shorter, times, u);
    if (!(grid_dot(&shorter, &shorter) < grid_dot(v, v)) || real_abs(shorter.steps[0]) > GRID_MOST ||
        real_abs(shorter.steps[1]) > GRID_MOST)
      return;
    *v = shorter;
  }
}

/* Of the four lattice points about the target, the one that costs least. */
static void grid_nearest(const double target[2], const grid_vector *u, const grid_vector *v, double steps[2]) {
  double det = u->at[0] * v->at[1] - u->at[1] * v->at[0], least = real_abs(target[0]) + real_abs(target[1]);
  double a = (target[0] * v->at[1] - target[1] * v->at[0]) / det;
  double b = (u->at[0] * target[1] - u->at[1] * target[0]) / det;
  if (!(real_abs(a) < GRID_MOST && real_abs(b) < GRID_MOST)) return;
  for (int k = 0; k < 9; k++) {
    grid_vector rest = {{target[0], target[1]}, {0, 0}};
    grid_subtract(&rest, grid_round(a) + k % 3 - 1, u);
    grid_subtract(&rest, grid_round(b) + k / 3 - 1, v);
    double cost = real_abs(rest.at[0]) + real_abs(rest.at[1]);
    if (!(cost < least)) continue;
    least = cost;
    for (int i = 0; i < 2; i++) steps[i] = -rest.steps[i];
  }
}

void grz_fit_grid(const double off[2], const double half[2], const double grid[2], double c, double s,
                  double steps[2]) {
  double longer = real_max(half[0], half[1]);
  double unit[2] = {real_max(half[0], 0x1p-60 * longer), real_max(half[1], 0x1p-60 * longer)};
  const double target[2] = {off[0] / unit[0], off[1] / unit[1]};
  grid_vector u = {{c * grid[0] / unit[0], -s * grid[0] / unit[1]}, {1, 0}};
  grid_vector v = {{s * grid[1] / unit[0], c * grid[1] / unit[1]}, {0, 1}};
  steps[0] = steps[1] = 0;
  grid_reduce(&u, &v);
  grid_nearest(target, &u, &v, steps);
}
