/* Incremental construction of hulls, independent of Graze. */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

typedef struct hull_faces {
  int count;
  int32_t (*face)[3];
} hull_faces;

static double hull_side(const graze_vec *v, const int32_t f[3], const graze_vec *p) {
  graze_vec o = v[f[0]], a = {v[f[1]].x - o.x, v[f[1]].y - o.y, v[f[1]].z - o.z};
  graze_vec b = {v[f[2]].x - o.x, v[f[2]].y - o.y, v[f[2]].z - o.z}, c = {p->x - o.x, p->y - o.y, p->z - o.z};
  return a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x) + a.z * (b.x * c.y - b.y * c.x);
}

static void hull_add_face(hull_faces *faces, int32_t a, int32_t b, int32_t c) {
  int32_t *f = faces->face[faces->count++];
  f[0] = a, f[1] = b, f[2] = c;
}

/* Replaces the faces visible from point p by faces between p and their horizon. `edge`: count × count, zero. */
static void hull_add_point(const graze_vec *v, int32_t p, int32_t count, hull_faces *faces, hull_faces *seen,
                           unsigned char *edge) {
  int kept = 0;
  seen->count = 0;
  for (int i = 0; i < faces->count; i++) {
    int32_t *f = faces->face[i];
    if (hull_side(v, f, &v[p]) > 0)
      hull_add_face(seen, f[0], f[1], f[2]);
    else
      memmove(faces->face[kept++], f, sizeof *faces->face);
  }
  faces->count = kept;
  for (int pass = 0; pass < 3; pass++) {
    for (int i = 0; i < 3 * seen->count; i++) {
      int32_t a = seen->face[i / 3][i % 3], b = seen->face[i / 3][(i + 1) % 3];
      if (pass == 1 && !edge[b * count + a]) hull_add_face(faces, a, b, p);
      if (pass != 1) edge[a * count + b] = pass == 0;
    }
  }
}

bench_hull bench_hull_of_points(graze_vec *v, int32_t count) {
  hull_faces faces = {0, bench_alloc((size_t)count * 48)}, seen = {0, bench_alloc((size_t)count * 48)};
  unsigned char *edge = bench_alloc((size_t)count * (size_t)count);
  int32_t first[3] = {0, 1, 2};
  if (hull_side(v, first, &v[3]) > 0) first[0] = 1, first[1] = 0;
  hull_add_face(&faces, first[0], first[1], first[2]);
  for (int i = 0; i < 3; i++) hull_add_face(&faces, first[(i + 1) % 3], first[i], 3);
  for (int32_t p = 4; p < count; p++) hull_add_point(v, p, count, &faces, &seen, edge);
  bench_hull hull = {count, faces.count, v, &faces.face[0][0]};
  free(seen.face);
  free(edge);
  return hull;
}
