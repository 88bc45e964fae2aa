/* Times graze_fit_box() in 3D, and compares FAST with BEST.
 *
 *   fit_box [COUNT …]        default 50 100 200 400 800 1600 vertices
 *
 * A line per family and count: mean processor time of FAST and BEST over sets of points, and the mean and largest
 * excess of the volume of FAST. Prisms and bipyramids have a family of boxes flush with two edges for every pair of
 * edges, the worst known case. */
#define _POSIX_C_SOURCE 199309L
#include <graze/build.h>

#include "probe.h"

static const double PI = 3.14159265358979323846;

static graze_vec sphere_point(uint64_t *state, size_t i, size_t n) {
  (void)i, (void)n;
  return probe_sphere(state);
}

/* Points in a cube: few are hull vertices. */
static graze_vec cube_point(uint64_t *state, size_t i, size_t n) {
  (void)i, (void)n;
  return (graze_vec){probe_uniform(state), probe_uniform(state), probe_uniform(state)};
}

/* A tilted rim, so that no edge is parallel to an axis. */
static graze_vec rim_point(size_t i, size_t n, double height) {
  double angle = 2 * PI * (double)i / (double)n, x = cos(angle), y = sin(angle);
  return (graze_vec){x * 0.8 - height * 0.6, y, x * 0.6 + height * 0.8};
}

static graze_vec prism_point(uint64_t *state, size_t i, size_t n) {
  (void)state;
  return rim_point(i / 2, (n + 1) / 2, i & 1 ? 1 : -1);
}

static graze_vec bipyramid_point(uint64_t *state, size_t i, size_t n) {
  (void)state;
  return i < 2 ? (graze_vec){i ? -0.6 : 0.6, 0, i ? 0.8 : -0.8} : rim_point(i, n - 2, 0);
}

static const struct {
  const char *name;
  graze_vec (*point)(uint64_t *state, size_t i, size_t n);
  bool random;
} FAMILIES[] = {{"sphere", sphere_point, true},
                {"cube", cube_point, true},
                {"prism", prism_point, false},
                {"bipyramid", bipyramid_point, false}};

static double fit(const graze_vec *points, size_t n, graze_effort effort, double *seconds) {
  graze_fitted_box fitted;
  double start = probe_seconds();
  probe_expect(graze_fit_box(points, n, 3, effort, NULL, &fitted, NULL), "fit_box");
  *seconds += probe_seconds() - start;
  return fitted.measure;
}

static void measure(size_t family, size_t n) {
  graze_vec *points = probe_allocate(n, sizeof *points);
  uint64_t state = 0x9e3779b97f4a7c15u;
  int sets = !FAMILIES[family].random ? 1 : n <= 200 ? 100 : n <= 400 ? 20 : 3;
  double fast = 0, best = 0, sum = 0, largest = 0;
  for (int set = 0; set < sets; set++) {
    for (size_t i = 0; i < n; i++) points[i] = FAMILIES[family].point(&state, i, n);
    double small = fit(points, n, GRAZE_FAST, &fast), smallest = fit(points, n, GRAZE_BEST, &best);
    double more = small / smallest - 1;
    sum += more, largest = fmax(largest, more);
  }
  printf("%-10s %5zu  %3d sets  FAST %8.2f ms  BEST %9.2f ms  FAST is larger by %5.2f %%, at most %5.2f %%\n",
         FAMILIES[family].name, n, sets, fast * 1e3 / sets, best * 1e3 / sets, sum * 100 / sets, largest * 100);
  fflush(stdout);
  free(points);
}

int main(int argc, char **argv) {
  static const size_t usual[] = {50, 100, 200, 400, 800, 1600, 0};
  probe_families(argc, argv, usual, sizeof FAMILIES / sizeof *FAMILIES, 4, measure);
  return 0;
}
