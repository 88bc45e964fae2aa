/* The families that are marked as simple are so by construction: star-shaped, monotone, or on a lattice. */
#include "geometry/rings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void *rings_resize(void *old, size_t count, size_t size) {
  void *memory = realloc(old, (count + 1) * size);
  if (memory == NULL) abort();
  return memory;
}

void rings_add_point(rings *all, double x, double y) {
  if (all->point_count == all->point_capacity) {
    all->point_capacity = 2 * all->point_capacity + 64;
    all->points = rings_resize(all->points, all->point_capacity, sizeof *all->points);
  }
  all->points[all->point_count++] = (graze_vec){x, y, 0};
}

void rings_end(rings *all) {
  if (all->ring_count + 1 >= all->ring_capacity) {
    all->ring_capacity = 2 * all->ring_capacity + 8;
    all->start = rings_resize(all->start, all->ring_capacity, sizeof *all->start);
  }
  if (all->ring_count == 0) all->start[0] = 0;
  all->start[++all->ring_count] = all->point_count;
}

void rings_clear(rings *all) {
  free(all->points);
  free(all->start);
  *all = (rings){0};
}

graze_ring rings_outline(const rings *all) { return (graze_ring){all->points, all->start[1]}; }

void rings_holes(const rings *all, graze_ring *holes) {
  for (size_t r = 1; r < all->ring_count; r++)
    holes[r - 1] = (graze_ring){all->points + all->start[r], all->start[r + 1] - all->start[r]};
}

graze_ring *holes_of(const rings *all) {
  graze_ring *holes = rings_resize(NULL, all->ring_count, sizeof *holes);
  rings_holes(all, holes);
  return holes;
}

void rings_scale(rings *all, double factor) {
  for (size_t i = 0; i < all->point_count; i++) all->points[i].x *= factor, all->points[i].y *= factor;
}

/* ---- Star-shaped about the origin: increasing angles. */

static void polar(rings *out, double radius, double angle) {
  rings_add_point(out, radius * cos(angle), radius * sin(angle));
}

enum { STAR, ROUGH, WAVE, ROUND };

static void make_around(rings *out, size_t count, uint64_t seed, int kind) {
  const double waves = 3 + (double)(seed % 5), round = 1e3 + (double)(seed % 100),
               shift = kind == STAR ? (double)(seed % 7) : 0;
  if (kind == STAR) count &= ~(size_t)1;
  for (size_t i = 0; i < count; i++) {
    double angle = 2 * PI * (double)i / (double)count + shift;
    double radius = kind == STAR ? (i % 2 ? 10 : 4) : kind == WAVE ? 5 + 3 * sin(waves * angle) : round;
    if (kind == ROUGH) {
      radius = 1 + 9 * rng_uniform(&seed, 0, 1);
      angle += 2 * PI * 0.8 * rng_uniform(&seed, 0, 1) / (double)count;
    }
    polar(out, radius, angle);
  }
  rings_end(out);
}

static void make_star(rings *out, size_t count, uint64_t seed) { make_around(out, count, seed, STAR); }
static void make_rough(rings *out, size_t count, uint64_t seed) { make_around(out, count, seed, ROUGH); }
static void make_wave(rings *out, size_t count, uint64_t seed) { make_around(out, count, seed, WAVE); }
static void make_round(rings *out, size_t count, uint64_t seed) { make_around(out, count, seed, ROUND); }

/* ---- Two chains. */

static void make_spiral(rings *out, size_t count, uint64_t seed) {
  size_t half = count / 2, turn = 24 + seed % 8;
  for (int side = 0; side < 2; side++) {
    for (size_t k = 0; k < half; k++) {
      size_t i = side == 0 ? k : half - 1 - k;
      polar(out, (double)(i + turn) / (double)turn + (side == 0 ? 0.3 : 0), 2 * PI * (double)i / (double)turn);
    }
  }
  rings_end(out);
}

static void make_square_spiral(rings *out, size_t count, uint64_t seed) {
  double thick = 0.1 + 0.8 * rng_uniform(&seed, 0, 1);
  size_t half = count / 2;
  for (int side = 0; side < 2; side++) {
    for (size_t k = 0; k < half; k++) {
      size_t i = side == 0 ? k : half - 1 - k;
      double r = (double)(i / 4) + 2 + (i % 4 == 3 ? 1 : 0), s = (double)(i / 4) + 2, in = side == 0 ? 0 : thick;
      rings_add_point(out, i % 4 == 0 || i % 4 == 3 ? r - in : in - s, i % 4 < 2 ? s - in : in - s);
    }
  }
  rings_end(out);
}

static void make_comb(rings *out, size_t count, uint64_t seed) {
  size_t teeth = count / 4;
  double height = (double)(1 + seed % 1000);
  for (size_t i = 0; i < teeth; i++) {
    double x = 2 * (double)i;
    rings_add_point(out, x, height), rings_add_point(out, x, 0);
    rings_add_point(out, x + 1, 0), rings_add_point(out, x + 1, height);
  }
  rings_add_point(out, 2 * (double)teeth, height);
  rings_add_point(out, 2 * (double)teeth, height + 1);
  rings_add_point(out, 0, height + 1);
  rings_end(out);
}

static void make_zigzag(rings *out, size_t count, uint64_t seed) {
  size_t half = count / 2;
  double height = 1 + 100 * rng_uniform(&seed, 0, 1);
  for (size_t i = 0; i < half; i++) rings_add_point(out, (double)i, i % 2 ? height : 0);
  for (size_t i = half; i-- > 0;) rings_add_point(out, (double)i, (i % 2 ? height : 0) + 0.5 * height);
  rings_end(out);
}

/* Both chains on a coarse lattice: runs of collinear points are frequent. */
static void make_monotone(rings *out, size_t count, uint64_t seed) {
  size_t half = count / 2;
  for (size_t i = 0; i < half; i++) rings_add_point(out, (double)i, -1 - (double)rng_index(&seed, 6));
  for (size_t i = half; i-- > 0;) rings_add_point(out, (double)i, (double)rng_index(&seed, 6));
  rings_end(out);
}

static void add_line(rings *out, double x, double y, double dx, double dy, size_t steps) {
  for (size_t i = 0; i < steps; i++) rings_add_point(out, x + dx * (double)i, y + dy * (double)i);
}

static void make_l(rings *out, size_t count, uint64_t seed) {
  size_t s = count / 8 + 1;
  double unit = (double)(1 + seed % 5), side = unit * (double)s;
  add_line(out, 0, 0, unit, 0, 2 * s), add_line(out, 2 * side, 0, 0, unit, s);
  add_line(out, 2 * side, side, -unit, 0, s), add_line(out, side, side, 0, unit, s);
  add_line(out, side, 2 * side, -unit, 0, s), add_line(out, 0, 2 * side, 0, -unit, 2 * s);
  rings_end(out);
}

/* ---- Fractals and mazes. */

static void koch(rings *out, double ax, double ay, double bx, double by, int depth) {
  if (depth == 0) {
    rings_add_point(out, ax, ay);
    return;
  }
  double dx = (bx - ax) / 3, dy = (by - ay) / 3, h = sqrt(0.75);
  double px = ax + dx, py = ay + dy, qx = bx - dx, qy = by - dy;
  double tx = px + dx / 2 + h * dy, ty = py + dy / 2 - h * dx;
  koch(out, ax, ay, px, py, depth - 1), koch(out, px, py, tx, ty, depth - 1);
  koch(out, tx, ty, qx, qy, depth - 1), koch(out, qx, qy, bx, by, depth - 1);
}

static void make_koch(rings *out, size_t count, uint64_t seed) {
  int depth = 1;
  double size = 1 + rng_uniform(&seed, 0, 1);
  for (size_t n = 12; n * 4 <= count; n *= 4) depth++;
  koch(out, 0, 0, size, 0, depth), koch(out, size, 0, size / 2, size * sqrt(0.75), depth);
  koch(out, size / 2, size * sqrt(0.75), 0, 0, depth);
  rings_end(out);
}

/* The outline of a random tree of cells. Cell (x, y) is the square [2x, 2x + 1]²; doors join it to neighbours. */
typedef struct maze {
  size_t side;
  unsigned char *open; /* of (2·side + 1)² unit squares */
} maze;

static unsigned char *maze_at(const maze *m, long x, long y) {
  return &m->open[(size_t)(y + 1) * (2 * m->side + 1) + (size_t)(x + 1)];
}

static void maze_grow(maze *m, uint64_t *seed, size_t cells) {
  size_t *stack = rings_resize(NULL, 4 * m->side * m->side, sizeof *stack), depth = 1;
  stack[0] = (m->side / 2) * m->side + m->side / 2;
  *maze_at(m, 2 * (long)(m->side / 2), 2 * (long)(m->side / 2)) = 1;
  while (depth > 0 && cells > 1) {
    size_t pick = rng_index(seed, 4) > 0 ? depth - 1 : rng_index(seed, depth), direction = rng_index(seed, 4);
    long x = (long)(stack[pick] % m->side), y = (long)(stack[pick] / m->side), any = 0;
    for (size_t k = 0; k < 4 && any == 0; k++, direction = (direction + 1) % 4) {
      long dx = direction == 0 ? 1 : direction == 1 ? -1 : 0, dy = direction == 2 ? 1 : direction == 3 ? -1 : 0;
      if (x + dx < 0 || y + dy < 0 || x + dx >= (long)m->side || y + dy >= (long)m->side) continue;
      if (*maze_at(m, 2 * (x + dx), 2 * (y + dy))) continue;
      *maze_at(m, 2 * (x + dx), 2 * (y + dy)) = *maze_at(m, 2 * x + dx, 2 * y + dy) = 1;
      stack[depth++] = (size_t)(y + dy) * m->side + (size_t)(x + dx), cells--, any = 1;
    }
    if (any == 0) stack[pick] = stack[--depth];
  }
  free(stack);
}

/* Traces the boundary with the open squares on the left. `all`: adds every lattice point, otherwise corners only. */
static void maze_trace(const maze *m, rings *out, bool all) {
  static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
  long x = 0, y = 0;
  while (!*maze_at(m, x, y)) x = x + 1 < 2 * (long)m->side - 1 ? x + 1 : 0, y += x == 0;
  long sx = x, sy = y;
  int direction = 0;
  do {
    x += dx[direction], y += dy[direction];
    /* the next squares on the left and right of the direction */
    long lx = x - (direction == 1 || direction == 2), ly = y - (direction == 2 || direction == 3);
    long rx = x - (direction == 2 || direction == 3), ry = y - (direction == 0 || direction == 3);
    int turn = *maze_at(m, rx, ry) ? 3 : *maze_at(m, lx, ly) ? 0 : 1;
    if (turn != 0 || all) rings_add_point(out, (double)x, (double)y);
    direction = (direction + turn) % 4;
  } while (x != sx || y != sy);
  rings_end(out);
}

static void maze_make(rings *out, size_t count, uint64_t seed, bool all) {
  size_t cells = count / (all ? 4 : 2) + 1;
  maze m = {.side = (size_t)sqrt((double)cells * 1.6) + 2};
  m.open = calloc((2 * m.side + 1) * (2 * m.side + 1), 1);
  if (m.open == NULL) abort();
  maze_grow(&m, &seed, cells);
  maze_trace(&m, out, all);
  free(m.open);
}

static void make_maze(rings *out, size_t count, uint64_t seed) { maze_make(out, count, seed, false); }
static void make_dotted_maze(rings *out, size_t count, uint64_t seed) { maze_make(out, count, seed, true); }

/* ---- Holes. */

static void add_square(rings *out, double x, double y, double s) {
  rings_add_point(out, x, y), rings_add_point(out, x + s, y);
  rings_add_point(out, x + s, y + s), rings_add_point(out, x, y + s);
  rings_end(out);
}

/* A grid of diamonds. With radius 2 they touch each other and the outline, at vertices and inside edges. */
static void diamonds(rings *out, size_t count, double radius, bool vary, uint64_t seed) {
  size_t side = (size_t)sqrt((double)count / 4);
  side = side > 1 ? side : 1;
  add_square(out, 0, 0, 4 * (double)side);
  for (size_t k = 0; k < side * side; k++) {
    double x = 4 * (double)(k % side) + 2, y = 4 * (double)(k / side) + 2;
    double r = vary ? radius * (0.2 + 0.8 * rng_uniform(&seed, 0, 1)) : radius;
    rings_add_point(out, x - r, y), rings_add_point(out, x, y - r);
    rings_add_point(out, x + r, y), rings_add_point(out, x, y + r);
    rings_end(out);
  }
}

static void make_holes(rings *out, size_t count, uint64_t seed) { diamonds(out, count, 1.9, true, seed); }
static void make_touching_holes(rings *out, size_t count, uint64_t seed) { diamonds(out, count, 2, false, seed); }

/* Triangular holes that all touch at the origin. */
static void make_hub(rings *out, size_t count, uint64_t seed) {
  size_t holes = count / 3;
  double size = 10 + rng_uniform(&seed, 0, 1);
  add_square(out, -20, -20, 40);
  for (size_t i = 0; i < holes; i++) {
    double angle = 2 * PI * (double)i / (double)holes, width = 3 / (double)holes;
    rings_add_point(out, 0, 0);
    polar(out, size, angle - width), polar(out, size, angle + width);
    rings_end(out);
  }
}

/* Square holes, joined to the outline by bridges with a bend. The ring traverses each bridge twice. */
static void make_keyholes(rings *out, size_t count, uint64_t seed) {
  size_t holes = count / 8;
  holes = holes > 0 ? holes : 1;
  for (size_t i = 0; i < holes; i++) {
    double x = 4 * (double)i, bend = x + rng_uniform(&seed, 0, 1);
    rings_add_point(out, x, 0), rings_add_point(out, bend, 1), rings_add_point(out, x, 2);
    rings_add_point(out, x, 4), rings_add_point(out, x + 2, 4), rings_add_point(out, x + 2, 2);
    rings_add_point(out, x, 2), rings_add_point(out, bend, 1);
    rings_add_point(out, x, 0);
  }
  rings_add_point(out, 4 * (double)holes, 0), rings_add_point(out, 4 * (double)holes, 6);
  rings_add_point(out, -2, 6), rings_add_point(out, -2, 0);
  rings_end(out);
}

/* A row of squares that touch at corners: one outline with several parts. */
static void make_chain(rings *out, size_t count, uint64_t seed) {
  size_t squares = count / 4;
  double step = (double)(1 + seed % 3);
  for (size_t i = 0; i < squares; i++)
    rings_add_point(out, step * (double)i, step * (double)i),
        rings_add_point(out, step * (double)(i + 1), step * (double)i);
  for (size_t i = squares; i > 0; i--)
    rings_add_point(out, step * (double)i, step * (double)i),
        rings_add_point(out, step * (double)(i - 1), step * (double)i);
  rings_end(out);
}

const rings_family rings_families[] = {
    {"star", make_star, true, false},
    {"rough star", make_rough, true, false},
    {"wave", make_wave, true, false},
    {"round", make_round, true, false},
    {"spiral", make_spiral, true, false},
    {"square spiral", make_square_spiral, true, false},
    {"comb", make_comb, true, true},
    {"zigzag", make_zigzag, true, false},
    {"monotone", make_monotone, true, true},
    {"L", make_l, true, true},
    {"Koch", make_koch, true, false},
    {"maze", make_maze, true, true},
    {"dotted maze", make_dotted_maze, true, true},
    {"holes", make_holes, false, false},
    {"touching holes", make_touching_holes, false, true},
    {"hub", make_hub, false, false},
    {"keyholes", make_keyholes, false, false},
    {"chain", make_chain, false, false},
};

const size_t rings_family_count = sizeof rings_families / sizeof *rings_families;

rings rings_parse(const char *text) {
  rings all = {0};
  for (const char *at = text; *at != 0;) {
    char *end;
    double x = strtod(at, &end), y = strtod(end, &end);
    rings_add_point(&all, x, y);
    while (*end == ' ' || *end == ',') end++;
    if (*end == ';' || *end == 0) rings_end(&all);
    at = *end == ';' ? end + 1 : end;
  }
  return all;
}
