/* The pairs of a workload and their files, which are little-endian:
 *   NAME.pairs  "CPAR", i32 count, then one bench_pair each
 *   NAME.hulls  "CHUL", i32 count, then for each: i32 vertices, i32 faces, f64 vertex[3] …, i32 face[3] … (outward)
 *   NAME.ref    two f64 per pair: the signed distance and its error (optional) */
#ifndef GRAZE_BENCH_WORKLOAD_H
#define GRAZE_BENCH_WORKLOAD_H

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_kind {
  BENCH_BOX,
  BENCH_SPHERE,
  BENCH_CAPSULE,
  BENCH_CYLINDER,
  BENCH_ELLIPSOID,
  BENCH_HULL,
  BENCH_POLYGON,   /* 2D: a hull with z = 0 and no faces, counter-clockwise; rotations are about z */
  BENCH_HALFSPACE, /* z <= 0 */
  BENCH_TRIANGLE,  /* a hull with three vertices */
  BENCH_CONE       /* apex at +z */
} bench_kind;

/* The layout of the file. size: half extents of a box, radii of an ellipsoid, or radius and half length along z. A
 * half-space has none. */
typedef struct bench_body {
  double position[3], rotation[4]; /* x, y, z, w */
} bench_body;

typedef struct bench_pair {
  int32_t kind[2], hull[2], separated, category;
  double size[2][3];
  bench_body body[2];
  double velocity[3]; /* of the second body */
} bench_pair;

typedef struct bench_hull {
  int32_t vertex_count, face_count;
  graze_vec *vertices;
  int32_t *faces;
} bench_hull;

typedef struct bench_workload {
  const char *name;
  size_t pair_count, hull_count;
  bench_pair *pairs;
  bench_hull *hulls;
  double *reference; /* two per pair; NULL: none */
  double *truth;     /* the signed distance of each pair, NaN if unknown; NULL until errors.h computes it */
  double *contact;   /* the time of the first contact, likewise; HUGE_VAL: none */
} bench_workload;

/* Both print a message and exit if a file is invalid. A workload without hulls needs no file of hulls. */
bench_workload *bench_load(const char *folder, const char *name);
void bench_save(const char *folder, const bench_workload *workload);
void bench_free(bench_workload *workload);

/* Whether there are only boxes and hulls. */
bool bench_is_polytopal(const bench_workload *workload);

/* Whether there are only boxes. */
bool bench_is_boxes(const bench_workload *workload);

/* Whether the shapes are 2D polygons, or 3D shapes. A workload has one of them. */
bool bench_is_planar(const bench_workload *workload);
bool bench_is_spatial(const bench_workload *workload);

/* Whether the bodies move. */
bool bench_moves(const bench_workload *workload);

/* Whether a side has this kind. Only "nasty" mixes two kinds on a side: boxes and hulls. */
bool bench_has(const bench_workload *workload, bench_kind kind);

/* The hull, polygon or triangle of a body, or NULL. */
const bench_hull *bench_hull_of(const bench_workload *workload, size_t pair, int side);

/* A hull with its faces, of points in general position that are all vertices. Keeps the points. */
bench_hull bench_hull_of_points(graze_vec *points, int32_t count);

/* malloc() that exits on failure. */
void *bench_alloc(size_t size);

#ifdef __cplusplus
}
#endif

#endif
