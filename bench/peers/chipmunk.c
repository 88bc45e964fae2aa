/* Chipmunk, in doubles: GJK and EPA on polygons, and the contacts. https://github.com/slembcke/Chipmunk2D */
#include "../contestant.h"

#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdlib.h>

typedef struct chipmunk_scene {
  size_t count;
  cpShape **shapes;
  cpBody *body; /* required by shapes, not used for their poses */
} chipmunk_scene;

static cpShape *shape(const bench_workload *workload, size_t pair, int side, cpBody *body) {
  const bench_body *at = &workload->pairs[pair].body[side];
  const bench_hull *hull = bench_hull_of(workload, pair, side);
  double z = at->rotation[2], w = at->rotation[3], c = w * w - z * z, s = 2 * w * z;
  cpVect *vertices = bench_alloc((size_t)hull->vertex_count * sizeof *vertices);
  for (int i = 0; i < hull->vertex_count; i++) vertices[i] = cpv(hull->vertices[i].x, hull->vertices[i].y);
  cpShape *made = cpPolyShapeNewRaw(body, hull->vertex_count, vertices, 0);
  free(vertices);
  cpShapeUpdate(made, cpTransformNew(c, s, -s, c, at->position[0], at->position[1]));
  return made;
}

static void *prepare(const bench_workload *workload) {
  chipmunk_scene *scene = bench_alloc(sizeof *scene);
  scene->count = 2 * workload->pair_count;
  scene->shapes = bench_alloc(scene->count * sizeof *scene->shapes);
  scene->body = cpBodyNewStatic();
  for (size_t i = 0; i < scene->count; i++) scene->shapes[i] = shape(workload, i / 2, (int)(i % 2), scene->body);
  return scene;
}

static double run_query(void *context, size_t pair, bench_query query, double normal[3]) {
  chipmunk_scene *scene = context;
  cpContactPointSet set = cpShapesCollide(scene->shapes[2 * pair], scene->shapes[2 * pair + 1]);
  if (query == BENCH_INTERSECT) return set.count == 0;
  if (set.count == 0) return NAN;
  normal[0] = set.normal.x, normal[1] = set.normal.y;
  return set.count == 1 ? set.points[0].distance : cpfmin(set.points[0].distance, set.points[1].distance);
}

static void release(void *context) {
  chipmunk_scene *scene = context;
  for (size_t i = 0; i < scene->count; i++) cpShapeFree(scene->shapes[i]);
  cpBodyFree(scene->body);
  free(scene->shapes);
  free(scene);
}

const bench_contestant bench_chipmunk = {
    "chipmunk",
    {"cpShapesCollide: also depth, normal and contacts", NULL, NULL, "cpShapesCollide: normal, contacts"},
    bench_is_planar,
    prepare,
    run_query,
    release,
    sizeof(cpFloat) == sizeof(float)};
