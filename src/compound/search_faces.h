/* The faces of a leaf of a mesh, in floats, as arrays for SIMD. */
#ifndef GRAZE_COMPOUND_SEARCH_FACES_H
#define GRAZE_COMPOUND_SEARCH_FACES_H

#include "shape/shape.h"

/* Unused faces equal the first. */
typedef struct search_faces {
  float at[3][3][8];     /* corner, coordinate, face */
  float normal[3][8];    /* unit, coordinate first; 3D */
  float low[8], high[8]; /* heights of the corners along it */
} search_faces;

/* Rounds the vertices to the frame of the tree. */
static inline void search_faces_load(const graze_mesh *mesh, size_t leaf, search_faces *faces) {
  const graze_mesh_def *def = &mesh->def;
  const size_t left = def->face_count - 8 * leaf, corners = (size_t)def->dim;
  for (size_t i = 0; i < 8; i++) {
    const int32_t *corner = def->faces + corners * mesh->tree.item[8 * leaf + (i < left ? i : 0)];
    for (size_t k = 0; k < corners; k++) {
      float at[4];
      grz_tree_round_point(&mesh->tree, &def->vertices[corner[k]], at);
      for (int r = 0; r < 3; r++) faces->at[k][r][i] = at[r];
    }
  }
}

#endif
