/* Compares hill climbing with scanning: queries about hulls with edges, and about the same vertices without edges.
 *
 *   climb [VERTICES …]        default 512 1024 2048 4096 8192
 *
 * For each number of vertices: 4 hulls, which fit into the caches, and 200, which do not; 1000 pairs of them, half of
 * which overlap (these have no distance query). Processor time of a query, the median of 9 passes. */
#define _POSIX_C_SOURCE 199309L
#include <graze/build.h>

#include <string.h>

#include "probe.h"

enum { QUERIES = 1000, PASSES = 9 };

typedef graze_status query(const graze_placed *a, const graze_placed *b, const graze_options *options,
                           graze_answer *answer);

typedef struct scene {
  size_t count;
  graze_hull *hulls;
  graze_vec *copies;               /* copies of the vertices, so that neither method warms the caches for the other */
  graze_placed *climbed, *scanned; /* two per query */
} scene;

static scene make(size_t count, size_t vertices) {
  scene s = {count, probe_allocate(count, sizeof *s.hulls), probe_allocate(count * vertices, sizeof *s.copies),
             probe_allocate(2 * QUERIES, sizeof *s.climbed), probe_allocate(2 * QUERIES, sizeof *s.scanned)};
  graze_vec *points = probe_allocate(vertices, sizeof *points);
  uint64_t state = 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < vertices; k++) points[k] = probe_sphere(&state);
    probe_expect(graze_hull_create(points, vertices, 3, NULL, &s.hulls[i], NULL), "hull");
    memcpy(s.copies + i * vertices, s.hulls[i].vertices, s.hulls[i].vertex_count * sizeof *s.copies);
  }
  for (size_t i = 0; i < 2 * QUERIES; i++) {
    size_t h = (size_t)((probe_uniform(&state) + 1) / 2 * (double)count) % count;
    graze_shape climbed = graze_hull_shape(&s.hulls[h]);
    graze_shape scanned = graze_hull_points(s.copies + h * vertices, s.hulls[h].vertex_count);
    graze_vec at = probe_sphere(&state);
    double distance = i % 2 == 0 ? 0 : (i < QUERIES ? 1.7 : 2.3) + 0.3 * probe_uniform(&state);
    graze_pose pose = graze_pose3((graze_vec){distance * at.x, distance * at.y, distance * at.z}, probe_uniform(&state),
                                  probe_uniform(&state), probe_uniform(&state), probe_uniform(&state));
    s.climbed[i] = graze_place(&climbed, pose), s.scanned[i] = graze_place(&scanned, pose);
  }
  free(points);
  return s;
}

static void destroy(scene *s) {
  for (size_t i = 0; i < s->count; i++) graze_hull_destroy(&s->hulls[i]);
  free(s->hulls), free(s->copies), free(s->climbed), free(s->scanned);
}

/* Nanoseconds per query. */
static double pass(query *run, const graze_placed *placed) {
  size_t first = run == graze_distance ? QUERIES : 0;
  double start = probe_seconds();
  for (size_t i = first; i < 2 * QUERIES; i += 2) {
    graze_answer answer;
    probe_expect(run(&placed[i], &placed[i + 1], NULL, &answer), "query");
  }
  return (probe_seconds() - start) * 2e9 / (double)(2 * QUERIES - first);
}

static void compare(const char *name, query *run, const scene *s, size_t vertices) {
  double scanned[PASSES], climbed[PASSES];
  for (int i = 0; i < PASSES; i++) scanned[i] = pass(run, s->scanned), climbed[i] = pass(run, s->climbed);
  double scan = probe_median(scanned, PASSES), climb = probe_median(climbed, PASSES);
  printf("%5zu vertices  %3zu hulls  %-9s scanned %8.0f ns  climbed %8.0f ns  x%.2f\n", vertices, s->count, name, scan,
         climb, climb / scan);
  fflush(stdout);
}

int main(int argc, char **argv) {
  static const char *const usual[] = {"512", "1024", "2048", "4096", "8192"};
  static const size_t hulls[] = {4, 200};
  size_t counts = argc > 1 ? (size_t)argc - 1 : 5;
  for (size_t i = 0; i < counts; i++) {
    size_t vertices = (size_t)strtoul(argc > 1 ? argv[i + 1] : usual[i], NULL, 10);
    for (size_t k = 0; vertices > 0 && k < 2; k++) {
      scene s = make(hulls[k], vertices);
      compare("intersect", graze_intersect, &s, vertices);
      compare("distance", graze_distance, &s, vertices);
      destroy(&s);
    }
  }
  return 0;
}
