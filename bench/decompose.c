/* Times graze_decompose() on difficult families of polygons, and counts the pieces.
 *
 *   decompose [COUNT …]        default: about 100 1000 10000 100000 vertices
 *
 * A line per family and count: seconds (processor time, the best of three), pieces, the lower bound `fewest` for
 * decompositions without new vertices, and the ratio of both. Up to 100 vertices without holes the minimum is computed.
 */
#define _POSIX_C_SOURCE 199309L
#include <graze/build.h>

#include "probe.h"

static const double PI = 3.14159265358979323846;

/* Consecutive rings: ring r ends before point end[r]. */
typedef struct polygon {
  graze_vec *points;
  size_t count, *end, rings;
  uint64_t state;
} polygon;

static void add(polygon *p, double x, double y) { p->points[p->count++] = (graze_vec){x, y, 0}; }
static void end_ring(polygon *p) { p->end[p->rings++] = p->count; }
static void polar(polygon *p, double radius, double angle) { add(p, radius * cos(angle), radius * sin(angle)); }

static void make_star(polygon *p, size_t n) {
  for (size_t i = 0; i < n; i++) polar(p, i % 2 ? 10 : 4, 2 * PI * (double)i / (double)n);
}

static void make_rough(polygon *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    double radius = 5.5 + 4.5 * probe_uniform(&p->state);
    polar(p, radius, 2 * PI * ((double)i + 0.4 * probe_uniform(&p->state)) / (double)n);
  }
}

static void make_spiral(polygon *p, size_t n) {
  size_t half = n / 2;
  for (size_t k = 0; k < 2 * half; k++) {
    size_t i = k < half ? k : 2 * half - 1 - k;
    polar(p, (double)(i + 24) / 24 + (k < half ? 0.3 : 0), 2 * PI * (double)i / 24);
  }
}

static void make_comb(polygon *p, size_t n) {
  size_t teeth = n / 4;
  for (size_t i = 0; i < teeth; i++) {
    double x = 2 * (double)i;
    add(p, x, 100), add(p, x, 0), add(p, x + 1, 0), add(p, x + 1, 100);
  }
  add(p, 2 * (double)teeth, 100), add(p, 2 * (double)teeth, 101), add(p, 0, 101);
}

static void make_zigzag(polygon *p, size_t n) {
  size_t half = n / 2;
  for (size_t i = 0; i < half; i++) add(p, (double)i, i % 2 ? 50 : 0);
  for (size_t i = half; i-- > 0;) add(p, (double)i, i % 2 ? 75 : 25);
}

static void koch(polygon *p, double ax, double ay, double bx, double by, int depth) {
  if (depth == 0) {
    add(p, ax, ay);
    return;
  }
  double dx = (bx - ax) / 3, dy = (by - ay) / 3, h = sqrt(0.75);
  double px = ax + dx, py = ay + dy, qx = bx - dx, qy = by - dy, tx = px + dx / 2 + h * dy, ty = py + dy / 2 - h * dx;
  koch(p, ax, ay, px, py, depth - 1), koch(p, px, py, tx, ty, depth - 1);
  koch(p, tx, ty, qx, qy, depth - 1), koch(p, qx, qy, bx, by, depth - 1);
}

/* 3·4^k vertices, with the largest k for n. */
static void make_koch(polygon *p, size_t n) {
  int depth = 0;
  for (size_t m = 12; m <= n; m *= 4) depth++;
  double h = sqrt(0.75);
  koch(p, 0, 0, 1, 0, depth), koch(p, 1, 0, 0.5, h, depth), koch(p, 0.5, h, 0, 0, depth);
}

/* A square with a grid of diamonds. With half diagonals of 2 they touch each other and the outline. */
static void diamonds(polygon *p, size_t n, double half, double vary) {
  size_t side = (size_t)sqrt((double)n / 4);
  double edge = 4 * (double)side;
  add(p, 0, 0), add(p, edge, 0), add(p, edge, edge), add(p, 0, edge);
  for (size_t k = 0; k < side * side; k++) {
    double x = 4 * (double)(k % side) + 2, y = 4 * (double)(k / side) + 2, r = half + vary * probe_uniform(&p->state);
    end_ring(p);
    add(p, x - r, y), add(p, x, y - r), add(p, x + r, y), add(p, x, y + r);
  }
}

static void make_holes(polygon *p, size_t n) { diamonds(p, n, 1.2, 0.7); }
static void make_touching_holes(polygon *p, size_t n) { diamonds(p, n, 2, 0); }

/* Square holes joined to the outline by bridges that are traversed twice. */
static void make_keyholes(polygon *p, size_t n) {
  size_t holes = n / 8 > 0 ? n / 8 : 1;
  for (size_t i = 0; i < holes; i++) {
    double x = 4 * (double)i, bend = x + 0.5;
    add(p, x, 0), add(p, bend, 1), add(p, x, 2), add(p, x, 4), add(p, x + 2, 4), add(p, x + 2, 2), add(p, x, 2);
    add(p, bend, 1), add(p, x, 0);
  }
  add(p, 4 * (double)holes, 0), add(p, 4 * (double)holes, 6), add(p, -2, 6), add(p, -2, 0);
}

static const struct {
  const char *name;
  void (*make)(polygon *p, size_t n);
} FAMILIES[] = {{"star", make_star},        {"rough star", make_rough},
                {"spiral", make_spiral},    {"comb", make_comb},
                {"zigzag", make_zigzag},    {"Koch", make_koch},
                {"holes", make_holes},      {"touching holes", make_touching_holes},
                {"keyholes", make_keyholes}};

static void measure(size_t family, size_t n) {
  polygon p = {.points = probe_allocate(2 * n + 64, sizeof *p.points), .end = probe_allocate(n + 2, sizeof *p.end)};
  graze_ring *rings = probe_allocate(n + 2, sizeof *rings);
  p.state = 0x9e3779b97f4a7c15u;
  FAMILIES[family].make(&p, n);
  end_ring(&p);
  for (size_t r = 0, from = 0; r < p.rings; from = p.end[r++])
    rings[r] = (graze_ring){p.points + from, p.end[r] - from};
  double best = INFINITY;
  size_t pieces = 0, fewest = 0;
  for (int pass = 0; pass < 3; pass++) {
    graze_decomposition made;
    double start = probe_seconds();
    probe_expect(graze_decompose(rings[0], rings + 1, p.rings - 1, GRAZE_SPLIT_AUTO, NULL, &made, NULL, NULL),
                 FAMILIES[family].name);
    best = fmin(best, probe_seconds() - start);
    pieces = made.piece_count, fewest = made.fewest;
    graze_decomposition_destroy(&made);
  }
  printf("%-14s %7zu  %8.4f s  %7zu pieces, at least %7zu: x%.2f\n", FAMILIES[family].name, p.count, best, pieces,
         fewest, (double)pieces / (double)fewest);
  fflush(stdout);
  free(rings), free(p.end), free(p.points);
}

int main(int argc, char **argv) {
  static const size_t usual[] = {100, 1000, 10000, 100000, 0};
  probe_families(argc, argv, usual, sizeof FAMILIES / sizeof *FAMILIES, 12, measure);
  return 0;
}
