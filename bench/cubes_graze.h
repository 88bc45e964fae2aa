/* Moving cubes as bodies of a scene. A header, because the Graze adapter is compiled twice: portable and native. */
#ifndef GRAZE_BENCH_CUBES_GRAZE_H
#define GRAZE_BENCH_CUBES_GRAZE_H

#include "cubes.h"
#include "probe.h"

#include <graze/scene.h>

static inline graze_pose cubes_graze_pose(const bench_cube *cube) {
  const double *p = cube->position, *q = cube->rotation;
  return graze_pose3((graze_vec){p[0], p[1], p[2]}, q[3], q[0], q[1], q[2]);
}

static inline void cubes_graze_add(graze_scene *scene, const bench_cubes *cubes, graze_body *body) {
  for (size_t i = 0; i < cubes->count; i++) {
    graze_body_def def = graze_default_body();
    const double half = cubes->cube[i].half;
    def.shape = graze_box(half, half, half);
    def.pose = cubes_graze_pose(&cubes->cube[i]);
    def.response = GRAZE_RESPONSE_NONE;
    if (i >= cubes->moving) def.type = GRAZE_STATIC;
    probe_expect(graze_scene_add(scene, &def, &body[i], NULL), "body");
  }
}

/* Sets the poses of the moving cubes. */
static inline void cubes_graze_update(graze_scene *scene, const bench_cubes *cubes, const graze_body *body) {
  for (size_t i = 0; i < cubes->moving; i++)
    probe_expect(graze_scene_set_pose(scene, body[i], cubes_graze_pose(&cubes->cube[i]), NULL), "pose");
}

#endif
