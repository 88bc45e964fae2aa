#include "simulate/all_pairs.h"

#include "simulate/pairs.h"
#include "simulate/run.h"

#include <stdlib.h>

typedef struct crowd {
  const sim_scene *scene;
  graze_placed *placed;
  graze_motion *motions;
  graze_aabb *boxes;
  graze_options options;
} crowd;

static bool crowd_make(const sim_scene *scene, graze_method method, crowd *c) {
  *c = (crowd){.scene = scene, .options = graze_default_options()};
  c->options.method = method;
  c->options.samples = graze_default_scene().samples;
  c->placed = calloc(scene->count, sizeof *c->placed);
  c->motions = calloc(scene->count, sizeof *c->motions);
  c->boxes = calloc(scene->count, sizeof *c->boxes);
  if (c->placed == NULL || c->motions == NULL || c->boxes == NULL) return false;
  for (size_t i = 0; i < scene->count; i++) {
    c->placed[i] = graze_place(&scene->bodies[i].def.shape, scene->bodies[i].def.pose);
    c->motions[i] = scene->bodies[i].def.motion;
  }
  return true;
}

static void crowd_free(crowd *c) {
  free(c->placed);
  free(c->motions);
  free(c->boxes);
}

static graze_status ask(const crowd *c, size_t i, size_t k) {
  graze_cast_result impact;
  if (!sim_bounds_meet(&c->boxes[i], &c->boxes[k])) return GRAZE_OK;
  return graze_sweep(&c->placed[i], &c->motions[i], &c->placed[k], &c->motions[k], c->scene->dt, &c->options, &impact);
}

/* What is timed: bounds, all pairs, and moving on. */
static graze_status step(crowd *c) {
  size_t count = c->scene->count;
  graze_status status = GRAZE_OK;
  double dt = c->scene->dt;
  for (size_t i = 0; i < count; i++) c->boxes[i] = sim_swept_bounds(&c->placed[i], &c->motions[i], 0, dt);
  for (size_t i = 0; i < count; i++)
    for (size_t k = i + 1; k < count && status == GRAZE_OK; k++) status = ask(c, i, k);
  for (size_t i = 0; i < count && status == GRAZE_OK; i++)
    status = graze_set_pose(&c->placed[i], graze_pose_after(&c->placed[i].pose, &c->motions[i], dt));
  return status;
}

bool sim_all_pairs(const sim_scene *scene, graze_method method, sim_progress *progress, double *ms,
                   cli_error *complaint) {
  crowd c;
  sim_row *rows = calloc(scene->steps, sizeof *rows);
  bool good = (crowd_make(scene, method, &c) && rows) || cli_reject_memory(complaint);
  size_t done = 0;
  for (; good && done < scene->steps && !sim_interrupted(); done++) {
    double began = sim_now();
    graze_status status = step(&c);
    rows[done].ms = sim_now() - began;
    good = status == GRAZE_OK ||
           cli_reject(complaint, CLI_UNSUPPORTED, "step %zu, all pairs: %s", done + 1, graze_status_text(status));
    for (size_t i = 0; i < scene->count; i++)
      sim_turn_round(scene->room, c.placed[i].pose.position, &c.motions[i].velocity);
    sim_progress_show(progress, done + 1);
  }
  *ms = good ? sim_times_of(rows, done).median : 0;
  free(rows);
  crowd_free(&c);
  return good;
}
