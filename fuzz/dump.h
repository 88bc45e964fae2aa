/* Prints a placed shape, with exact numbers. */
#ifndef FUZZ_DUMP_H
#define FUZZ_DUMP_H

#include <graze/mesh.h>
#include <stdio.h>

static inline void dump_vec(const char *name, graze_vec v) { fprintf(stderr, " %s (%a, %a, %a)", name, v.x, v.y, v.z); }

static inline void dump_faces(const graze_mesh *mesh) {
  const graze_mesh_def faces = graze_mesh_faces(mesh);
  for (size_t i = 0; i < faces.vertex_count; i++) dump_vec("vertex", faces.vertices[i]);
  fprintf(stderr, "\n  %s, faces", graze_mesh_is_solid(mesh) ? "solid" : "surface");
  for (size_t i = 0; i < (size_t)faces.dim * faces.face_count; i++)
    fprintf(stderr, "%s%d", i % (size_t)faces.dim ? "," : " ", (int)faces.faces[i]);
}

static inline void dump(const char *name, const graze_placed *p) {
  const graze_shape *s = &p->shape;
  fprintf(stderr, "%s: kind %d, %dD, margin %a\n ", name, (int)s->kind, s->dim, s->margin);
  switch (s->kind) {
  case GRAZE_SPHERE: fprintf(stderr, " radius %a", s->as.sphere.radius); break;
  case GRAZE_CAPSULE: fprintf(stderr, " radius %a", s->as.capsule.radius); break;
  case GRAZE_CYLINDER:
  case GRAZE_CONE: fprintf(stderr, " radius %a, half_length %a", s->as.cone.radius, s->as.cone.half_length); break;
  case GRAZE_ELLIPSOID: dump_vec("radii", s->as.ellipsoid.radii); break;
  case GRAZE_HALFSPACE:
    dump_vec("normal", s->as.halfspace.normal), fprintf(stderr, " %a", s->as.halfspace.offset);
    break;
  default: break;
  }
  for (size_t i = 0; i < graze_vertex_count(s); i++) dump_vec("vertex", graze_vertex(s, i));
  if (s->kind == GRAZE_MESH) dump_faces(s->as.mesh);
  dump_vec("position", p->pose.position);
  fprintf(stderr, " rotation (%a, %a, %a, %a)\n", p->pose.w, p->pose.x, p->pose.y, p->pose.z);
}

#endif
