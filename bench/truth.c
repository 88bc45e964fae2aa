#include "truth.h"

#include <math.h>

typedef long double real;

enum { TRUTH_VERTICES = 64, TRUTH_AXES = 2 * TRUTH_VERTICES };

/* Closer than this to a different answer, a cast has no reference. */
#define CAST_SURE 1e-9L
/* The cross product of edges this parallel adds nothing to the face normals. */
#define PARALLEL 1e-12L

typedef struct truth_vec {
  real x, y, z;
} truth_vec;

typedef struct truth_body {
  int count;
  truth_vec vertex[TRUTH_VERTICES], axis[3]; /* axis: of the frame */
} truth_body;

typedef struct truth_axes {
  int count;
  truth_vec axis[TRUTH_AXES];
} truth_axes;

static real dot(truth_vec a, truth_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static truth_vec cross(truth_vec a, truth_vec b) {
  return (truth_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static truth_vec minus(truth_vec a, truth_vec b) { return (truth_vec){a.x - b.x, a.y - b.y, a.z - b.z}; }

static truth_vec plus(truth_vec a, real s, truth_vec b) {
  return (truth_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static void truth_frame(const bench_body *body, truth_vec axis[3]) {
  real x = body->rotation[0], y = body->rotation[1], z = body->rotation[2], w = body->rotation[3];
  real s = 2 / (x * x + y * y + z * z + w * w);
  axis[0] = (truth_vec){1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)};
  axis[1] = (truth_vec){s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)};
  axis[2] = (truth_vec){s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)};
}

static void truth_place(const bench_workload *workload, size_t pair, int side, truth_body *out) {
  const bench_body *body = &workload->pairs[pair].body[side];
  const bench_hull *hull = bench_hull_of(workload, pair, side);
  const double *h = workload->pairs[pair].size[side];
  truth_frame(body, out->axis);
  out->count = hull ? hull->vertex_count : 8;
  for (int i = 0; i < out->count; i++) {
    graze_vec corner = {i & 1 ? h[0] : -h[0], i & 2 ? h[1] : -h[1], i & 4 ? h[2] : -h[2]};
    graze_vec v = hull ? hull->vertices[i] : corner;
    truth_vec p = {body->position[0], body->position[1], body->position[2]};
    out->vertex[i] = plus(plus(plus(p, v.x, out->axis[0]), v.y, out->axis[1]), v.z, out->axis[2]);
  }
}

static void truth_add_axis(truth_axes *axes, truth_vec axis) {
  real length = sqrtl(dot(axis, axis));
  if (length < PARALLEL) return;
  axes->axis[axes->count++] = (truth_vec){axis.x / length, axis.y / length, axis.z / length};
}

static void truth_polygon_axes(const truth_body bodies[2], truth_axes *axes) {
  axes->count = 0;
  for (int side = 0; side < 2; side++) {
    const truth_body *body = &bodies[side];
    for (int i = 0; i < body->count; i++) {
      truth_vec edge = minus(body->vertex[(i + 1) % body->count], body->vertex[i]);
      truth_add_axis(axes, (truth_vec){edge.y, -edge.x, 0});
    }
  }
}

static void truth_box_axes(const truth_body bodies[2], truth_axes *axes) {
  axes->count = 0;
  for (int i = 0; i < 6; i++) truth_add_axis(axes, bodies[i / 3].axis[i % 3]);
  for (int i = 0; i < 9; i++) truth_add_axis(axes, cross(bodies[0].axis[i / 3], bodies[1].axis[i % 3]));
}

static void truth_project(const truth_body *body, truth_vec axis, real *low, real *high) {
  *low = HUGE_VALL, *high = -HUGE_VALL;
  for (int i = 0; i < body->count; i++) {
    real value = dot(body->vertex[i], axis);
    if (value < *low) *low = value;
    if (value > *high) *high = value;
  }
}

/* The smallest distance of vertices of A and edges of B. */
static real truth_gap(const truth_body *a, const truth_body *b) {
  real square = HUGE_VALL;
  for (int k = 0; k < b->count; k++) {
    truth_vec edge = minus(b->vertex[(k + 1) % b->count], b->vertex[k]);
    real inverse = 1 / dot(edge, edge);
    for (int i = 0; i < a->count; i++) {
      truth_vec from = minus(a->vertex[i], b->vertex[k]);
      real t = dot(from, edge) * inverse;
      truth_vec away = plus(from, t < 0 ? 0 : t > 1 ? -1 : -t, edge);
      real found = dot(away, away);
      if (found < square) square = found;
    }
  }
  return sqrtl(square);
}

double bench_truth_polygons(const bench_workload *workload, size_t pair) {
  truth_body bodies[2];
  truth_axes axes;
  real overlap = HUGE_VALL;
  for (int side = 0; side < 2; side++) truth_place(workload, pair, side, &bodies[side]);
  truth_polygon_axes(bodies, &axes);
  for (int i = 0; i < axes.count; i++) {
    real a[2], b[2];
    truth_project(&bodies[0], axes.axis[i], &a[0], &a[1]);
    truth_project(&bodies[1], axes.axis[i], &b[0], &b[1]);
    overlap = fminl(overlap, fminl(a[1] - b[0], b[1] - a[0]));
  }
  if (overlap >= 0) return (double)-overlap;
  return (double)fminl(truth_gap(&bodies[0], &bodies[1]), truth_gap(&bodies[1], &bodies[0]));
}

/* Intersects [*enter, *leave] with the times at which A and B overlap on an axis. */
static void truth_narrow(const truth_body bodies[2], truth_vec axis, truth_vec velocity, real *enter, real *leave) {
  real a[2], b[2], speed = dot(velocity, axis);
  truth_project(&bodies[0], axis, &a[0], &a[1]);
  truth_project(&bodies[1], axis, &b[0], &b[1]);
  if (speed == 0) {
    if (a[1] < b[0] || b[1] < a[0]) *enter = HUGE_VALL;
    return;
  }
  real first = (a[0] - b[1]) / speed, second = (a[1] - b[0]) / speed;
  *enter = fmaxl(*enter, fminl(first, second));
  *leave = fminl(*leave, fmaxl(first, second));
}

double bench_truth_cast(const bench_workload *workload, size_t pair) {
  const double *v = workload->pairs[pair].velocity;
  truth_vec velocity = {v[0], v[1], v[2]};
  truth_body bodies[2];
  truth_axes axes;
  real enter = -HUGE_VALL, leave = HUGE_VALL;
  for (int side = 0; side < 2; side++) truth_place(workload, pair, side, &bodies[side]);
  if (bench_is_planar(workload))
    truth_polygon_axes(bodies, &axes);
  else
    truth_box_axes(bodies, &axes);
  for (int i = 0; i < axes.count; i++) truth_narrow(bodies, axes.axis[i], velocity, &enter, &leave);
  bool near_start = fabsl(enter) < CAST_SURE || fabsl(leave) < CAST_SURE;
  if (near_start || fabsl(leave - enter) < CAST_SURE || fabsl(enter - 1) < CAST_SURE) return NAN;
  if (enter > leave || leave < 0 || enter > 1) return HUGE_VAL;
  return enter < 0 ? 0 : (double)enter;
}
