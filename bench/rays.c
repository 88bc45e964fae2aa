/* Times rays of a scene, and the changes of a scene between them.
 *
 *   rays [--queries N] [--spacing S] [COUNT …]          default 1000 10000 50000 bodies
 *
 * Half of the bodies are boxes with edge 1, half are balls with radius 0.5, at random positions in a square of S² per
 * body or a cube of S³ per body; S is 4 by default. Each ray starts at a random point and is as long as the edge of the
 * square or cube. Rays are timed after all bodies are added, after a step with dt = 0, after every body has a new pose,
 * and after a quarter of the bodies is removed and added again. Nanoseconds of processor time, minima of 7 passes. The
 * last number of a row is a checksum of the hits. */
#define _POSIX_C_SOURCE 199309L
#include "probe.h"

#include <graze/scene.h>

#include <string.h>

enum { PASSES = 7 };

static uint64_t state;
static size_t queries = 4000;
static double spacing = 4;

typedef struct world {
  int dim;
  size_t count;
  double half; /* half edge */
  graze_scene *scene;
  graze_body *body;
} world;

static graze_vec anywhere(const world *w, double size) {
  const double x = probe_uniform(&state), y = probe_uniform(&state), z = w->dim == 3 ? probe_uniform(&state) : 0;
  return (graze_vec){size * x, size * y, size * z};
}

static graze_pose any_pose(const world *w) {
  const graze_vec at = anywhere(w, w->half), axis = probe_sphere(&state);
  if (w->dim == 2) return graze_pose2(at.x, at.y, 3 * axis.x);
  return graze_pose3(at, 1, axis.x, axis.y, axis.z);
}

static graze_shape shape_of(const world *w, size_t i) {
  if (i % 2) return w->dim == 2 ? graze_circle(0.5) : graze_sphere(0.5);
  return w->dim == 2 ? graze_box2(0.5, 0.5) : graze_box(0.5, 0.5, 0.5);
}

static void add(world *w, size_t i) {
  graze_body_def def = graze_default_body();
  def.shape = shape_of(w, i), def.pose = any_pose(w);
  probe_expect(graze_scene_add(w->scene, &def, &w->body[i], NULL), "add");
}

static void rays(const world *w, const char *name) {
  double least = HUGE_VAL, sum = 0;
  const uint64_t first = state;
  for (int pass = 0; pass < PASSES; pass++) {
    state = first, sum = 0;
    const double start = probe_seconds();
    for (size_t i = 0; i < queries; i++) {
      graze_body body = {0, 0};
      graze_cast_result cast;
      const graze_vec origin = anywhere(w, w->half), sphere = probe_sphere(&state);
      const graze_vec direction = w->dim == 2 ? (graze_vec){sphere.x, sphere.y, 0} : sphere;
      probe_expect(graze_scene_raycast(w->scene, origin, direction, 2 * w->half, NULL, &body, &cast, NULL), "ray");
      if (body.generation > 0) sum += cast.t_lower + body.slot;
    }
    least = fmin(least, probe_seconds() - start);
  }
  printf("%dD %6zu  %-22s %9.0f ns a ray   %.17g\n", w->dim, w->count, name, 1e9 * least / (double)queries, sum);
  fflush(stdout);
}

static void each(const world *w, const char *name, double start, size_t count) {
  printf("%dD %6zu  %-22s %9.0f ns\n", w->dim, w->count, name, 1e9 * (probe_seconds() - start) / (double)count);
}

static void measure(int dim, size_t count) {
  world w = {.dim = dim, .count = count, .half = spacing / 2 * (dim == 2 ? sqrt((double)count) : cbrt((double)count))};
  graze_scene_def def = graze_default_scene();
  def.dim = dim;
  state = 0x9e3779b97f4a7c15u;
  w.body = probe_allocate(count, sizeof *w.body);
  probe_expect(graze_scene_create(&def, NULL, &w.scene, NULL), "scene");
  double start = probe_seconds();
  for (size_t i = 0; i < count; i++) add(&w, i);
  each(&w, "add", start, count);
  rays(&w, "rays after adding");
  start = probe_seconds();
  probe_expect(graze_scene_step(w.scene, 0, NULL, NULL), "step");
  each(&w, "first step", start, count);
  rays(&w, "rays after a step");
  start = probe_seconds();
  for (size_t i = 0; i < count; i++) {
    const graze_pose pose = any_pose(&w);
    probe_expect(graze_scene_set_pose(w.scene, w.body[i], pose, NULL), "set_pose");
  }
  each(&w, "set_pose, anywhere", start, count);
  rays(&w, "rays after set_pose");
  start = probe_seconds();
  for (size_t i = 0; i < count; i++) {
    graze_pose pose = graze_scene_placed(w.scene, w.body[i])->pose;
    pose.position.x += 0.1 * probe_uniform(&state);
    probe_expect(graze_scene_set_pose(w.scene, w.body[i], pose, NULL), "set_pose");
  }
  each(&w, "set_pose, nearby", start, count);
  rays(&w, "rays after set_pose");
  start = probe_seconds();
  for (size_t i = 0; i < count; i += 4) {
    probe_expect(graze_scene_remove(w.scene, w.body[i]), "remove");
    add(&w, i);
  }
  each(&w, "remove and add", start, count / 4);
  rays(&w, "rays after these");
  graze_scene_destroy(w.scene);
  free(w.body);
}

int main(int argc, char **argv) {
  static const char *const usual[] = {"1000", "10000", "50000"};
  int at = 1;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    if (strcmp(argv[at], "--queries") == 0) queries = (size_t)strtoul(argv[at + 1], NULL, 10);
    if (strcmp(argv[at], "--spacing") == 0) spacing = strtod(argv[at + 1], NULL);
  }
  const int counts = argc > at ? argc - at : 3;
  for (int i = 0; i < counts; i++) {
    const size_t count = (size_t)strtoul(argc > at ? argv[at + i] : usual[i], NULL, 10);
    measure(2, count);
    measure(3, count);
  }
  return 0;
}
