/* Times graze_hull_create() on families of points that are difficult for hull algorithms, and shows its scaling.
 *
 *   hull [COUNT …]        default 10000 100000 1000000 points
 *
 * A line per family and count: seconds (processor time, the best of three), vertices and faces of the hull, and
 * nanoseconds per n·log2(n), which is constant if the time is O(n log n). */
#define _POSIX_C_SOURCE 199309L
#include <graze/build.h>

#include "probe.h"

static uint64_t state;

static double uniform(void) { return probe_uniform(&state); }

static graze_vec sphere_point(size_t i, size_t n) {
  (void)i, (void)n;
  return probe_sphere(&state);
}

static graze_vec cube_point(size_t i, size_t n) {
  (void)n;
  double side = i & 1 ? 1 : -1, u = uniform(), v = uniform();
  return i % 3 == 0 ? (graze_vec){side, u, v} : i % 3 == 1 ? (graze_vec){u, side, v} : (graze_vec){u, v, side};
}

static graze_vec line_point(size_t i, size_t n) {
  (void)i, (void)n;
  double t = floor(uniform() * 0x1p40);
  return (graze_vec){3 * t + 1, 5 * t, -7 * t + 2};
}

static graze_vec plane_point(size_t i, size_t n) {
  (void)i, (void)n;
  double u = floor(uniform() * 0x1p40), v = floor(uniform() * 0x1p40);
  return (graze_vec){u, v, 3 * u - 2 * v + 5};
}

static graze_vec equal_point(size_t i, size_t n) {
  (void)i, (void)n;
  return (graze_vec){0.1, 0.2, 0.3};
}

static graze_vec grid_point(size_t i, size_t n) {
  size_t side = (size_t)ceil(cbrt((double)n) - 1e-9);
  return (graze_vec){(double)(i % side), (double)(i / side % side), (double)(i / side / side)};
}

static graze_vec flat_point(size_t i, size_t n) {
  (void)i, (void)n;
  return (graze_vec){uniform(), uniform(), uniform() * 1e-6};
}

/* Two rims of coplanar points: faces with as many vertices as there are points. */
static graze_vec cylinder_point(size_t i, size_t n) {
  double angle = 6.283185307179586 * (double)i / (double)n;
  return (graze_vec){cos(angle), sin(angle), i & 1 ? 1 : -1};
}

/* A rim of coplanar points and two apexes: vertices with as many edges as there are points. */
static graze_vec spindle_point(size_t i, size_t n) {
  if (i == n / 2 || i == n / 2 + 1) return (graze_vec){0, 0, i == n / 2 ? 1 : -1};
  double angle = 6.283185307179586 * (double)i / (double)n;
  return (graze_vec){cos(angle), sin(angle), 0};
}

static const struct {
  const char *name;
  graze_vec (*point)(size_t i, size_t n);
} FAMILIES[] = {{"sphere", sphere_point},   {"cube faces", cube_point},   {"line", line_point},
                {"plane", plane_point},     {"all equal", equal_point},   {"grid", grid_point},
                {"flat cloud", flat_point}, {"cylinder", cylinder_point}, {"spindle", spindle_point}};

static void measure(size_t family, size_t n) {
  graze_vec *points = probe_allocate(n, sizeof *points);
  state = 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < n; i++) points[i] = FAMILIES[family].point(i, n);
  double best = INFINITY;
  size_t vertices = 0, faces = 0;
  for (int pass = 0; pass < 3 && best > 0; pass++) {
    graze_hull hull;
    double start = probe_seconds();
    probe_expect(graze_hull_create(points, n, 3, NULL, &hull, NULL), FAMILIES[family].name);
    double took = probe_seconds() - start;
    if (took < best) best = took;
    vertices = hull.vertex_count, faces = hull.face_count;
    graze_hull_destroy(&hull);
  }
  printf("%-10s %8zu  %9.4f s  %8zu vertices  %8zu faces  %7.2f ns / n log n\n", FAMILIES[family].name, n, best,
         vertices, faces, best * 1e9 / ((double)n * log2((double)n)));
  fflush(stdout);
  free(points);
}

int main(int argc, char **argv) {
  static const size_t usual[] = {10000, 100000, 1000000, 0};
  probe_families(argc, argv, usual, sizeof FAMILIES / sizeof *FAMILIES, 1, measure);
  return 0;
}
