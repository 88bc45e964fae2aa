/* A minimal solution in scalar code: a counting-sort grid and the 15 axes of two boxes (Gottschalk 1996). It relies on
 * small cubes, decides in rounded arithmetic, and returns only the relation. */
#define _POSIX_C_SOURCE 199309L
#include "cubes.h"
#include "probe.h"

/* The largest bounds of a cube with half edge 0.6. */
#define CELL 2.08

typedef struct grid_cube {
  double half, at[3], axis[3][3]; /* its axes, in order */
  double extent[3];               /* half extents of its bounds */
} grid_cube;

typedef struct grid {
  size_t count, moving, side; /* cells per edge, including an empty one at each end */
  double wall;
  grid_cube *cube;
  size_t *start; /* by cell: the index of its first cube in `sorted` */
  size_t *sorted, *cell;
} grid;

static void place(grid_cube *c, const bench_cube *from) {
  const double *q = from->rotation, x = q[0], y = q[1], z = q[2], w = q[3];
  const double axis[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                             {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                             {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
  c->half = from->half;
  for (int i = 0; i < 3; i++) {
    c->at[i] = from->position[i];
    c->extent[i] = from->half * (fabs(axis[0][i]) + fabs(axis[1][i]) + fabs(axis[2][i]));
    for (int k = 0; k < 3; k++) c->axis[i][k] = axis[i][k];
  }
}

static void *make(const bench_cubes *cubes, int threads) {
  grid *g = probe_allocate(1, sizeof *g);
  (void)threads;
  g->count = cubes->count, g->moving = cubes->moving, g->wall = cubes->wall + 0.1;
  g->side = (size_t)(2 * g->wall / CELL) + 3;
  g->cube = probe_allocate(g->count, sizeof *g->cube);
  g->sorted = probe_allocate(g->count, sizeof *g->sorted);
  g->cell = probe_allocate(g->count, sizeof *g->cell);
  g->start = probe_allocate(g->side * g->side * g->side + 1, sizeof *g->start);
  for (size_t i = 0; i < g->count; i++) place(&g->cube[i], &cubes->cube[i]);
  return g;
}

static void update(void *context, const bench_cubes *cubes) {
  grid *g = context;
  for (size_t i = 0; i < g->moving; i++) place(&g->cube[i], &cubes->cube[i]);
}

static size_t cell_of(const grid *g, const double at[3]) {
  size_t cell = 0;
  for (int k = 0; k < 3; k++) cell = cell * g->side + (size_t)((at[k] + g->wall) / CELL) + 1;
  return cell;
}

/* Counting sort by cell. */
static void sort(grid *g) {
  const size_t cells = g->side * g->side * g->side;
  for (size_t c = 0; c <= cells; c++) g->start[c] = 0;
  for (size_t i = 0; i < g->count; i++) g->start[g->cell[i] = cell_of(g, g->cube[i].at)]++;
  for (size_t c = 0, sum = 0; c <= cells; c++) {
    const size_t here = g->start[c];
    g->start[c] = sum;
    sum += here;
  }
  for (size_t i = 0; i < g->count; i++) g->sorted[g->start[g->cell[i]]++] = i;
  for (size_t c = cells; c > 0; c--) g->start[c] = g->start[c - 1];
  g->start[0] = 0;
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static bool edges_part(const grid_cube *a, const grid_cube *b, const double t[3], double r[3][3], double m[3][3]) {
  for (int i = 0; i < 3; i++) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int k = 0; k < 3; k++) {
      const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      const double extent = a->half * (m[i1][k] + m[i2][k]) + b->half * (m[i][k1] + m[i][k2]);
      if (fabs(t[i2] * r[i1][k] - t[i1] * r[i2][k]) > extent) return true;
    }
  }
  return false;
}

static bool collide(const grid_cube *a, const grid_cube *b) {
  const double displacement[3] = {b->at[0] - a->at[0], b->at[1] - a->at[1], b->at[2] - a->at[2]};
  double r[3][3], m[3][3], t[3];
  for (int k = 0; k < 3; k++)
    if (fabs(displacement[k]) > a->extent[k] + b->extent[k]) return false;
  for (int i = 0; i < 3; i++) {
    t[i] = dot(displacement, a->axis[i]);
    for (int k = 0; k < 3; k++) r[i][k] = dot(a->axis[i], b->axis[k]), m[i][k] = fabs(r[i][k]);
    if (fabs(t[i]) > a->half + b->half * (m[i][0] + m[i][1] + m[i][2])) return false;
  }
  for (int k = 0; k < 3; k++)
    if (fabs(dot(displacement, b->axis[k])) > b->half + a->half * (m[0][k] + m[1][k] + m[2][k])) return false;
  return !edges_part(a, b, t, r, m);
}

/* Tests cubes from `from` on, including those of the next three cells of the row. */
static size_t find_in(const grid *g, size_t i, size_t from, size_t to) {
  size_t found = 0;
  for (size_t k = from; k < to; k++) {
    const size_t j = g->sorted[k];
    found += (i < g->moving || j < g->moving) && collide(&g->cube[i], &g->cube[j]);
  }
  return found;
}

static size_t find(void *context) {
  grid *g = context;
  const size_t row = g->side, layer = row * row;
  size_t found = 0;
  sort(g);
  for (size_t k = 0; k < g->count; k++) {
    const size_t i = g->sorted[k], c = g->cell[i];
    const size_t next[4] = {c + row - 1, c + layer - row - 1, c + layer - 1, c + layer + row - 1};
    found += find_in(g, i, k + 1, g->start[c + 2]);
    for (int n = 0; n < 4; n++) found += find_in(g, i, g->start[next[n]], g->start[next[n] + 3]);
  }
  return found;
}

static void release(void *context) {
  grid *g = context;
  free(g->cube);
  free(g->start);
  free(g->sorted);
  free(g->cell);
  free(g);
}

const bench_finder bench_find_grid = {"grid", (size_t)-1, make, update, find, release};
