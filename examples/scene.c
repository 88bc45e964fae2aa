/* A scene of two cubes and a wall 0.02 thick. Within a step the first cube hits the second, which bounces off the wall
 * and hits the first. Without continuous collision detection both would pass the wall. Prints:
 *
 *   step 0: begin first cube, second cube at t = 0.00667
 *   step 0: end first cube, second cube
 *   step 0: begin second cube, wall at t = 0.01248
 *   step 0: end second cube, wall
 *   step 1: begin first cube, second cube at t = 0.00163
 *   step 1: end first cube, second cube
 *   a ray hits the first cube at x = -5.520
 *   60 steps, twice from one snapshot: the same bits
 */
#include <graze/scene.h>
#include <stdio.h>
#include <string.h>

static const char *name_of(const graze_scene *scene, graze_body body) {
  graze_body_def def;
  return graze_scene_get(scene, body, &def) == GRAZE_OK && def.user ? def.user : "none";
}

static void print_event(const graze_scene *scene, int step, const graze_event *e) {
  printf("step %d: %s %s, %s", step, graze_event_text(e->kind), name_of(scene, e->a), name_of(scene, e->b));
  if (e->kind == GRAZE_EVENT_BEGIN) printf(" at t = %.5f", e->t_lower);
  printf("\n");
}

static bool play(graze_scene *scene) {
  graze_body_def def = graze_default_body();
  graze_body body;                                                            /* the id of a body, for later calls */
  def.shape = graze_box(0.5, 0.5, 0.5), def.response = GRAZE_RESPONSE_BOUNCE; /* or STOP, SLIDE, NONE */
  def.user = "first cube", def.motion.velocity.x = 600;                       /* 10 per step */
  if (graze_scene_add(scene, &def, &body, NULL) != GRAZE_OK) return false;
  def.user = "second cube", def.motion.velocity.x = 0, def.pose.position.x = 5;
  if (graze_scene_add(scene, &def, &body, NULL) != GRAZE_OK) return false;
  def.user = "wall", def.type = GRAZE_STATIC, def.shape = graze_box(0.01, 4, 4), def.pose.position.x = 9;
  if (graze_scene_add(scene, &def, &body, NULL) != GRAZE_OK) return false;

  for (int i = 0; i < 2; i++) {
    graze_step step;
    if (graze_scene_step(scene, 1.0 / 60, &step, NULL) != GRAZE_OK) return false;
    for (size_t k = 0; k < step.event_count; k++) print_event(scene, i, &step.events[k]);
  }

  graze_cast_result result;
  const graze_vec eye = {-20, 0, 0}, direction = {1, 0, 0};
  if (graze_scene_raycast(scene, eye, direction, 100, NULL, &body, &result, NULL) != GRAZE_OK) return false;
  printf("a ray hits the %s at x = %.3f\n", name_of(scene, body), result.point.x);
  return true;
}

static bool run(graze_scene *scene, void *bytes, size_t capacity, size_t *size) {
  for (int i = 0; i < 60; i++)
    if (graze_scene_step(scene, 1.0 / 60, NULL, NULL) != GRAZE_OK) return false;
  return graze_scene_save(scene, bytes, capacity, size) == GRAZE_OK;
}

/* Runs 60 steps, restores the snapshot, and runs them again. */
static bool repeat(graze_scene *scene) {
  static unsigned char start[4096], once[4096], again[4096];
  size_t size, size_once, size_again;
  if (graze_scene_save(scene, start, sizeof start, &size) != GRAZE_OK) return false;
  if (!run(scene, once, sizeof once, &size_once)) return false;
  if (graze_scene_restore(scene, start, size, NULL) != GRAZE_OK) return false;
  if (!run(scene, again, sizeof again, &size_again)) return false;
  const bool same = size_once == size_again && memcmp(once, again, size_once) == 0;
  printf("60 steps, twice from one snapshot: %s bits\n", same ? "the same" : "other");
  return same;
}

int main(void) {
  graze_scene *scene;
  if (graze_scene_create(NULL, NULL, &scene, NULL) != GRAZE_OK) return 1; /* NULL: 3D, one thread, malloc() */
  const bool done = play(scene) && repeat(scene);
  graze_scene_destroy(scene);
  return done ? 0 : 1;
}
