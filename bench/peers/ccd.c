/* libccd: GJK and MPR, with plain support functions. https://github.com/danfis/libccd */
#include "../contestant.h"

#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <math.h>
#include <stdlib.h>

typedef struct ccd_body {
  int kind;
  const double *size;
  const bench_hull *hull;
  ccd_vec3_t position;
  ccd_quat_t rotation, inverse;
} ccd_body;

static ccd_real_t signed_size(double size, ccd_real_t d) { return d < 0 ? -size : size; }

static void support_local(const ccd_body *body, const ccd_vec3_t *d, ccd_vec3_t *out) {
  const double *s = body->size, *v = d->v;
  const graze_vec *best = NULL;
  double most = -HUGE_VAL, length, t[3] = {s[0] * v[0], s[1] * v[1], s[2] * v[2]};
  switch (body->kind) {
  case BENCH_BOX: ccdVec3Set(out, signed_size(s[0], v[0]), signed_size(s[1], v[1]), signed_size(s[2], v[2])); return;
  case BENCH_SPHERE:
  case BENCH_CAPSULE:
    ccdVec3Copy(out, d);
    ccdVec3Scale(out, s[0] / sqrt(ccdVec3Len2(d)));
    if (body->kind == BENCH_CAPSULE) out->v[2] += signed_size(s[1], v[2]);
    return;
  case BENCH_CYLINDER:
    length = sqrt(v[0] * v[0] + v[1] * v[1]);
    if (length > 0)
      ccdVec3Set(out, s[0] * v[0] / length, s[0] * v[1] / length, signed_size(s[1], v[2]));
    else
      ccdVec3Set(out, s[0], 0, signed_size(s[1], v[2]));
    return;
  case BENCH_CONE:
    length = sqrt(v[0] * v[0] + v[1] * v[1]);
    if (2 * s[1] * v[2] > s[0] * length || length == 0)
      ccdVec3Set(out, 0, 0, signed_size(s[1], v[2]));
    else
      ccdVec3Set(out, s[0] * v[0] / length, s[0] * v[1] / length, -s[1]);
    return;
  case BENCH_ELLIPSOID:
    length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    ccdVec3Set(out, s[0] * t[0] / length, s[1] * t[1] / length, s[2] * t[2] / length);
    return;
  default:
    for (int32_t i = 0; i < body->hull->vertex_count; i++) {
      const graze_vec *p = &body->hull->vertices[i];
      double value = p->x * v[0] + p->y * v[1] + p->z * v[2];
      if (value > most) most = value, best = p;
    }
    ccdVec3Set(out, best->x, best->y, best->z);
  }
}

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
  const ccd_body *body = object;
  ccd_vec3_t d = *direction;
  ccdQuatRotVec(&d, &body->inverse);
  support_local(body, &d, out);
  ccdQuatRotVec(out, &body->rotation);
  ccdVec3Add(out, &body->position);
}

static void center(const void *object, ccd_vec3_t *out) { *out = ((const ccd_body *)object)->position; }

static void *prepare(const bench_workload *workload) {
  ccd_body *bodies = bench_alloc(2 * workload->pair_count * sizeof *bodies);
  for (size_t i = 0; i < 2 * workload->pair_count; i++) {
    const bench_pair *pair = &workload->pairs[i / 2];
    const double *p = pair->body[i % 2].position, *q = pair->body[i % 2].rotation;
    ccd_body *body = &bodies[i];
    body->kind = pair->kind[i % 2];
    body->size = pair->size[i % 2];
    body->hull = bench_hull_of(workload, i / 2, (int)(i % 2));
    ccdVec3Set(&body->position, p[0], p[1], p[2]);
    ccdQuatSet(&body->rotation, q[0], q[1], q[2], q[3]);
    ccdQuatInvert2(&body->inverse, &body->rotation);
  }
  return bodies;
}

static ccd_t settings(void) {
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = support;
  ccd.center1 = ccd.center2 = center;
  ccd.max_iterations = 500;
  return ccd;
}

typedef int ccd_intersect(const void *, const void *, const ccd_t *);
typedef int ccd_penetration(const void *, const void *, const ccd_t *, ccd_real_t *, ccd_vec3_t *, ccd_vec3_t *);

static double run_query(const ccd_body *a, bench_query query, double normal[3], ccd_intersect *intersect,
                        ccd_penetration *penetration) {
  ccd_t ccd = settings();
  ccd_real_t depth;
  ccd_vec3_t direction, position;
  if (query == BENCH_INTERSECT) return !intersect(a, a + 1, &ccd);
  if (penetration(a, a + 1, &ccd, &depth, &direction, &position) != 0) return NAN;
  for (int i = 0; i < 3; i++) normal[i] = direction.v[i];
  return -depth;
}

static double query_gjk(void *scene, size_t pair, bench_query query, double normal[3]) {
  return run_query((const ccd_body *)scene + 2 * pair, query, normal, ccdGJKIntersect, ccdGJKPenetration);
}

static double query_mpr(void *scene, size_t pair, bench_query query, double normal[3]) {
  return run_query((const ccd_body *)scene + 2 * pair, query, normal, ccdMPRIntersect, ccdMPRPenetration);
}

static bool fits(const bench_workload *workload) {
  return bench_is_spatial(workload) && !bench_has(workload, BENCH_HALFSPACE);
}

const bench_contestant bench_ccd = {
    "libccd-gjk", {"ccdGJKIntersect", NULL, "ccdGJKPenetration (EPA): direction, a point"},
    fits,         prepare,
    query_gjk,    free,
    false};
const bench_contestant bench_ccd_mpr = {
    "libccd-mpr", {"ccdMPRIntersect", NULL, "ccdMPRPenetration: direction, a point"}, fits, prepare, query_mpr, free,
    false};
