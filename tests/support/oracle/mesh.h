/* The truth about meshes in exact rational arithmetic (GMP). Shares no line with the library.
 *
 * A body is a set of faces: triangles in 3D, edges in 2D; a point or a segment is one face with fewer vertices. A solid
 * body also contains each point from which a generic ray crosses an odd number of faces. Placements are exactly rigid,
 * R(q) = M(q)/(q·q). A 2D body is replaced by its prism over an interval of z without caps, and its rays are
 * horizontal.
 *
 * Method. Two faces meet if the first, clipped by the planes of the second, is not empty. The set of points inside both
 * of two solids is open. If it is not empty, a part of a face of one of them bounds it. All faces are cut along the
 * faces that meet them, so one point of each cell and its two sides represent the cell. A flat body meets the interior
 * of a solid if a cell of its faces is off the faces of the solid and inside it.
 *
 * Precondition: no two faces of a solid body overlap in more than a line. */
#ifndef ORACLE_MESH_H
#define ORACLE_MESH_H

#include <graze/graze.h>

typedef struct mesh_body {
  int dim, corners; /* vertices of the space; vertices of each face: `dim`, or 1 or 2 for a point or a segment */
  const graze_vec *vertices;
  int vertex_count;
  const int32_t *faces; /* face f: faces[corners·f] … */
  int face_count;
  bool solid;   /* closed faces, and their inside belongs to the body */
  bool crossed; /* faces of the solid may cross each other */
  graze_pose pose;
  graze_vec velocity; /* the body is at its pose plus time·velocity, exactly */
  double time;
} mesh_body;

/* The relation of two bodies. If neither is solid, GRAZE_TOUCHING stands for any common point. */
graze_relation mesh_relation(const mesh_body *a, const mesh_body *b);

#endif
