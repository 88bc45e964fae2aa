/* Meshes: the same bodies and rays for Graze and its peers. */
#ifndef GRAZE_BENCH_MESHES_H
#define GRAZE_BENCH_MESHES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A closed surface; triangles are counter-clockwise from outside. */
typedef struct bench_mesh {
  size_t vertex_count, face_count;
  double (*vertices)[3];
  int32_t (*faces)[3];
} bench_mesh;

/* A unit quaternion x, y, z, w. */
typedef struct bench_place {
  double position[3], rotation[4];
} bench_place;

/* A library. NULL: it has no such query. */
typedef struct mesh_peer {
  const char *name;
  bool single; /* computes in floats */
  void *(*build)(const bench_mesh *mesh);
  void (*release)(void *mesh);
  void *(*place)(void *mesh, const bench_place *place);
  void (*remove)(void *body);
  bool (*first)(void *a, void *b);      /* whether two bodies are in contact */
  size_t (*contacts)(void *a, void *b); /* the number of pairs of triangles in contact */
  double (*distance)(void *a, void *b); /* positive, or not, of bodies in contact */
  /* The parameter of the first triangle on a ray; HUGE_VAL: none. */
  double (*ray)(void *mesh, const double origin[3], const double direction[3]);
} mesh_peer;

extern const mesh_peer mesh_graze, mesh_fcl, mesh_coal, mesh_bullet, mesh_parry, mesh_parry_single, mesh_jolt,
    mesh_embree, mesh_embree_robust;

#ifdef __cplusplus
}
#endif

#endif
