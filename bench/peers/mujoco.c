/* MuJoCo's convex collision (mjc_ccd) without a scene, with support functions in doubles: a scene stores hulls in
 * single precision. https://github.com/google-deepmind/mujoco */
#include "../contestant.h"

#include <engine/engine_collision_gjk.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The tolerance is MuJoCo's default; 50 iterations were its default for years, now it is smaller. */
#define TOLERANCE 1e-6
#define ITERATIONS 50

typedef struct mujoco_body {
  mjCCDObj object; /* first member: support functions receive its address */
  const bench_hull *hull;
} mujoco_body;

typedef struct mujoco_scene {
  mujoco_body *bodies;
  void *buffer;
} mujoco_scene;

static void to_world(const mjCCDObj *object, const double v[3], double out[3]) {
  const double *m = object->mat, *p = object->pos;
  for (int i = 0; i < 3; i++) out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2] + p[i];
}

static void to_local(const mjCCDObj *object, const double v[3], double out[3]) {
  const double *m = object->mat;
  for (int i = 0; i < 3; i++) out[i] = m[i] * v[0] + m[3 + i] * v[1] + m[6 + i] * v[2];
}

static void support_box(double out[3], mjCCDObj *object, const double direction[3]) {
  double d[3], corner[3];
  to_local(object, direction, d);
  for (int i = 0; i < 3; i++) corner[i] = d[i] < 0 ? -object->size[i] : object->size[i];
  object->vertindex = (d[0] > 0 ? 1 : 0) | (d[1] > 0 ? 2 : 0) | (d[2] > 0 ? 4 : 0);
  to_world(object, corner, out);
}

static void support_hull(double out[3], mjCCDObj *object, const double direction[3]) {
  const bench_hull *hull = ((const mujoco_body *)object)->hull;
  double d[3], most = -HUGE_VAL;
  to_local(object, direction, d);
  for (int32_t i = 0; i < hull->vertex_count; i++) {
    const graze_vec *p = &hull->vertices[i];
    double value = p->x * d[0] + p->y * d[1] + p->z * d[2];
    if (value > most) most = value, object->vertindex = i;
  }
  const graze_vec *p = &hull->vertices[object->vertindex];
  const double corner[3] = {p->x, p->y, p->z};
  to_world(object, corner, out);
}

static void center(double out[3], const mjCCDObj *object) { memcpy(out, object->pos, sizeof object->pos); }

static void rotation(const double q[4], double m[9]) {
  double x = q[0], y = q[1], z = q[2], w = q[3], s = 2 / (x * x + y * y + z * z + w * w);
  const double rows[9] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
                          s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
                          s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
  memcpy(m, rows, sizeof rows);
}

static void *prepare(const bench_workload *workload) {
  mujoco_scene *scene = bench_alloc(sizeof *scene);
  scene->bodies = bench_alloc(2 * workload->pair_count * sizeof *scene->bodies);
  scene->buffer = bench_alloc(mjc_ccdSize(0, 0, ITERATIONS));
  for (size_t i = 0; i < 2 * workload->pair_count; i++) {
    const bench_pair *pair = &workload->pairs[i / 2];
    mujoco_body *body = &scene->bodies[i];
    bool box = pair->kind[i % 2] == BENCH_BOX;
    body->hull = box ? NULL : &workload->hulls[pair->hull[i % 2]];
    mjCCDObj *object = &body->object;
    object->geom_type = box ? mjGEOM_BOX : mjGEOM_MESH;
    object->vertindex = object->meshindex = object->flex = object->elem = object->vert = -1;
    object->rotate[0] = 1;
    object->center = center;
    object->support = box ? support_box : support_hull;
    memcpy(object->size, pair->size[i % 2], sizeof pair->size[i % 2]);
    memcpy(object->pos, pair->body[i % 2].position, sizeof object->pos);
    rotation(pair->body[i % 2].rotation, object->mat);
  }
  return scene;
}

static double run_query(void *context, size_t pair, bench_query query, double normal[3]) {
  mujoco_scene *scene = context;
  mjCCDObj *a = &scene->bodies[2 * pair].object, *b = &scene->bodies[2 * pair + 1].object;
  mjCCDConfig config = {.max_iterations = ITERATIONS, .tolerance = TOLERANCE};
  mjCCDStatus status;
  config.max_contacts = query == BENCH_DEPTH;
  config.dist_cutoff = query == BENCH_DISTANCE ? DBL_MAX : 0;
  config.buffer = scene->buffer;
  double distance = mjc_ccd(&config, &status, a, b);
  if (query != BENCH_DEPTH) return distance;
  if (status.nx == 0 || !(distance < 0)) return NAN;
  for (int i = 0; i < 3; i++) normal[i] = (status.x2[i] - status.x1[i]) / distance;
  return distance;
}

static void release(void *context) {
  mujoco_scene *scene = context;
  free(scene->bodies);
  free(scene->buffer);
  free(scene);
}

const bench_contestant bench_mujoco = {
    "mujoco",
    {"mjc_ccd, no contacts", "mjc_ccd, no cutoff: witnesses", "mjc_ccd, one contact: witnesses (the normal from them)"},
    bench_is_polytopal,
    prepare,
    run_query,
    release,
    false};

/* Symbols that mjc_ccd() needs for rounded shapes, which are not measured, and for its messages. */
void mju_warning(const char *message, ...) { (void)message; }
void mjc_pointSupport(mjtNum out[3], mjCCDObj *object, const mjtNum direction[3]) {
  (void)direction;
  center(out, object);
}
void mjc_lineSupport(mjtNum out[3], mjCCDObj *object, const mjtNum direction[3]) {
  (void)direction;
  center(out, object);
}
