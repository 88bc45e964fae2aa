/* Scene queries: the same random bodies and queries for Graze and its peers. */
#ifndef GRAZE_BENCH_QUERIES_H
#define GRAZE_BENCH_QUERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum query_shape { QUERY_BOX, QUERY_BALL, QUERY_CAPSULE, QUERY_HULL } query_shape;

/* size: half extents of a box, radius of a ball, radius and half length of a capsule (along z, in 2D along x).
 * Rotations are x, y, z, w; in 2D about z. */
typedef struct query_body {
  int32_t shape, vertex_count;
  double (*vertices)[3]; /* of a hull: on an ellipsoid or ellipse, in 2D counter-clockwise */
  double size[3], position[3], rotation[4];
} query_body;

typedef enum query_kind {
  QUERY_RAY,       /* the first body on a ray */
  QUERY_OVERLAP,   /* all bodies that overlap query_overlap_box */
  QUERY_ANY,       /* whether a body overlaps it */
  QUERY_BOX_CAST,  /* the first body that query_cast_box touches */
  QUERY_BALL_CAST, /* the first body that a ball of QUERY_RADIUS touches */
  QUERY_NEAREST,   /* the distance of the nearest body to a point; 0 inside a body */
  QUERY_MOVE,      /* a capsule moves and slides along bodies */
  QUERY_ROBOT,     /* the number of links of an arm that are nearer than QUERY_CLEARANCE to a body */
  QUERY_KINDS
} query_kind;

/* A query starts at `position` and moves by `motion`. */
typedef struct scene_query {
  double position[3], rotation[4], motion[3];
} scene_query;

/* Half extents and radii; in 2D without the third. */
static const double query_overlap_box[3] = {1.5, 2, 1}, query_cast_box[3] = {0.4, 0.5, 0.6};
static const double query_character[2] = {0.3, 0.5}; /* radius, half length */
#define QUERY_RADIUS 0.4

/* The links of a robot are alternately a capsule along z (2D: x) and a hull of query_world.link. */
static const double query_link_capsule[2] = {0.1, 0.25};
#define QUERY_CLEARANCE 0.02
enum { QUERY_LINKS = 7, QUERY_LINK_VERTICES = 8 };

typedef struct query_world {
  int dim;
  size_t count, query_count;
  double half; /* half edge of the cube or square that contains the centers */
  query_body *bodies;
  double (*vertices)[3];
  double link[QUERY_LINK_VERTICES][3];
  scene_query *queries[QUERY_KINDS]; /* of a robot QUERY_LINKS for each query, without motions */
} query_world;

query_world query_world_make(int dim, size_t count, size_t queries);
void query_world_free(query_world *world);

/* The signed distance of a character from the nearest body. */
typedef double (*query_gap_function)(void *context, const scene_query *query, const double position[3]);

/* Chooses a new start for each move that begins nearer than `least` to a body, or farther than `most` from all. */
void query_world_choose_starts(query_world *world, double least, double most, query_gap_function function,
                               void *context);

enum { QUERY_CHARACTERS = 50 };

/* A peer stores the bodies as static ones. */
typedef struct query_peer {
  const char *name;
  bool single;                           /* computes in floats */
  bool planar, spatial;                  /* has 2D, 3D */
  unsigned missing;                      /* bits of the kinds of query that it does not have */
  void *(*make)(const query_world *);    /* an empty scene, and the shapes */
  void (*add)(void *self, size_t index); /* adds body `index` of the world, in this order */
  void (*step)(void *self);              /* after all bodies: updates or rebuilds its trees */
  /* Removes the characters, and places others for at most QUERY_CHARACTERS moves. NULL: there are no characters. */
  void (*place)(void *self, const scene_query *moves, size_t count);
  /* `index`: of the character. Ray and casts: the fraction of the motion, HUGE_VAL: no contact. Overlap: the number of
   * bodies. Any: 1 or 0. Nearest: the distance. Move: 0, and the final position of the character. Robot: the number of
   * links. */
  double (*answer)(void *self, query_kind kind, size_t index, const scene_query *query, double end[3]);
  void (*release)(void *self);
} query_peer;

/* A query_gap_function, for a scene of query_graze. */
double query_graze_gap(void *self, const scene_query *query, const double position[3]);

extern const query_peer query_graze, query_jolt, query_box2d, query_fcl, query_coal;
extern const query_peer query_rapier, query_rapier_single;

#ifdef __cplusplus
}
#endif

#endif
