/* Graze for the benchmark of meshes. */
#define _POSIX_C_SOURCE 199309L
#include "meshes.h"

#include "probe.h"

#include <graze/mesh.h>
#include <graze/motion.h>

static void *build(const bench_mesh *of) {
  graze_vec *vertices = probe_allocate(of->vertex_count, sizeof *vertices);
  for (size_t i = 0; i < of->vertex_count; i++)
    vertices[i] = (graze_vec){of->vertices[i][0], of->vertices[i][1], of->vertices[i][2]};
  const graze_mesh_def def = {.dim = 3,
                              .vertices = vertices,
                              .vertex_count = of->vertex_count,
                              .faces = of->faces[0],
                              .face_count = of->face_count};
  graze_mesh *mesh;
  probe_expect(graze_mesh_create(&def, NULL, &mesh, NULL), "graze_mesh_create");
  free(vertices);
  return mesh;
}

static void release(void *mesh) { graze_mesh_destroy(mesh); }

static void *place(void *mesh, const bench_place *at) {
  const graze_shape shape = graze_mesh_shape(mesh);
  graze_pose pose = graze_pose_at(at->position[0], at->position[1], at->position[2]);
  graze_placed *placed = probe_allocate(1, sizeof *placed);
  pose.x = at->rotation[0], pose.y = at->rotation[1], pose.z = at->rotation[2], pose.w = at->rotation[3];
  *placed = graze_place(&shape, pose);
  return placed;
}

static bool first(void *a, void *b) {
  graze_answer answer;
  probe_expect(graze_intersect(a, b, NULL, &answer), "graze_intersect");
  return answer.relation != GRAZE_SEPARATED;
}

static bool count_contact(void *context, const graze_answer *answer, const graze_contact *contacts, size_t count) {
  (void)answer, (void)contacts, (void)count;
  ++*(size_t *)context;
  return true;
}

static size_t contacts(void *a, void *b) {
  size_t count = 0;
  probe_expect(graze_contacts(a, b, NULL, count_contact, &count), "graze_contacts");
  return count;
}

static double distance(void *a, void *b) {
  graze_answer answer;
  probe_expect(graze_distance(a, b, NULL, &answer), "graze_distance");
  return answer.distance;
}

static double ray(void *mesh, const double origin[3], const double direction[3]) {
  static graze_placed placed;
  static void *last;
  graze_cast_options options = graze_default_cast_options();
  graze_cast_result result;
  if (mesh != last) {
    const graze_shape shape = graze_mesh_shape(mesh);
    placed = graze_place(&shape, graze_pose_identity()), last = mesh;
  }
  options.min_distance = false;
  const graze_vec o = {origin[0], origin[1], origin[2]}, d = {direction[0], direction[1], direction[2]};
  probe_expect(graze_raycast(&placed, o, d, HUGE_VAL, &options, &result), "graze_raycast");
  return result.outcome == GRAZE_CLEAR ? HUGE_VAL : result.t;
}

const mesh_peer mesh_graze = {"graze", false, build, release, place, free, first, contacts, distance, ray};
