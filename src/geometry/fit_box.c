/* Smallest boxes around points, from the convex hull and candidate rotations.
 *
 * The vertices of the hull suffice: a box is six bounds on linear functions, and each function has its maximum at a
 * vertex. Polygons: Freeman, Shapira 1975 (the smallest rectangle has a side on an edge); Toussaint 1983 (rotating
 * calipers). Solids: fit_solid.c. Proofs: docs/theory/boxes.md. */
#include "geometry/fit.h"

#include "core/memory.h"
#include "core/status.h"

typedef struct fit_task {
  const graze_hull *hull;
  const graze_allocator *allocator;
  fit_candidate best;
  bool any;
} fit_task;

/* Keeps the box with this rotation if it is smaller than the best so far. */
static void task_try(fit_task *task, fit_rotation r) {
  const graze_hull *hull = task->hull;
  fit_candidate box;
  const double sum = (real_abs(r.w) + real_abs(r.x)) + (real_abs(r.y) + real_abs(r.z));
  if (!(sum > 0 && sum <= GRAZE_LARGEST)) return; /* zero or NaN: the proposal failed */
  if (!grz_fit_place(hull->vertices, hull->vertex_count, hull->dim, r, &box)) return;
  if (task->any && !scaled_is_less(box.measure, task->best.measure)) return;
  task->best = box;
  task->any = true;
}

/* Also tries a quaternion of small integers if one is very near: boxes along simple directions then have no rounding
 * error. */
static void task_try_frame(fit_task *task, fit_frame frame) {
  const fit_rotation r = grz_fit_rotation(frame);
  const double part[3] = {r.x / r.w, r.y / r.w, r.z / r.w};
  for (int w = 1; w <= 32; w++) {
    double n[3], error = 0;
    for (int i = 0; i < 3; i++) {
      n[i] = (w * part[i] + 0x1.8p52) - 0x1.8p52; /* the nearest integer */
      error = real_max(error, real_abs(w * part[i] - n[i]));
    }
    if (!(error <= 0x1p-40)) continue;
    task_try(task, fit_rotation_of(w, n[0], n[1], n[2]));
    break;
  }
  task_try(task, r);
}

/* ---- Rotating calipers in the plane. Exact tests decide where they stop and which of two areas is smaller. */

/* Differences take 21 limbs, widths and heights 43, and each side of the comparison of two areas at most 130. */
enum { CALIPERS_LIMBS = 2000 };

typedef struct calipers_polygon {
  const graze_vec *at;
  size_t count;
  int exponent;
} calipers_polygon;

/* A vector given by two points. */
typedef struct calipers_vector {
  graze_vec from, to;
} calipers_vector;

/* The rectangle on an edge: the vertices that it touches, and bounds low <= area <= high. */
typedef struct calipers_rectangle {
  calipers_vector edge, width, height;
  double low, high;
} calipers_rectangle;

static graze_vec calipers_vertex(const calipers_polygon *polygon, size_t i) { return polygon->at[i % polygon->count]; }

/* Rotated by 90 degrees, counter-clockwise. */
static calipers_vector calipers_perpendicular(calipers_vector p) {
  return (calipers_vector){vec_make(-p.from.y, p.from.x, 0), vec_make(-p.to.y, p.to.x, 0)};
}

static grz_bvec calipers_exact(grz_arena *arena, calipers_vector p) {
  return grz_bvec_sub(arena, grz_bvec_of(arena, vec_make(p.to.x, p.to.y, 0)),
                      grz_bvec_of(arena, vec_make(p.from.x, p.from.y, 0)));
}

static grz_big calipers_dot_exact(grz_arena *arena, calipers_vector p, calipers_vector q) {
  return grz_bvec_dot(arena, calipers_exact(arena, p), calipers_exact(arena, q));
}

/* |p·q| in units of 2^-exponent for lengths, and a bound of its error. */
static double calipers_dot(const calipers_polygon *polygon, calipers_vector p, calipers_vector q, double *error) {
  const graze_vec u = fit_scale(vec_sub(p.to, p.from), polygon->exponent);
  const graze_vec v = fit_scale(vec_sub(q.to, q.from), polygon->exponent);
  const double x = u.x * v.x, y = u.y * v.y;
  *error = 5 * GRZ_U * (real_abs(x) + real_abs(y)) + 0x1p-1060;
  return real_abs(x + y);
}

static void calipers_measure(const calipers_polygon *polygon, calipers_rectangle *r) {
  double width_error, height_error, square_error;
  const double width = calipers_dot(polygon, r->edge, r->width, &width_error);
  const double height = calipers_dot(polygon, calipers_perpendicular(r->edge), r->height, &height_error);
  const double square = calipers_dot(polygon, r->edge, r->edge, &square_error);
  r->low = 0, r->high = __builtin_inf();
  if (square < 0x1p-400) return; /* underflow: the exact comparison decides */
  r->low = real_max(0, width - width_error) * real_max(0, height - height_error) / square * (1 - 16 * GRZ_U);
  r->low = real_max(0, r->low - 0x1p-600);
  r->high = (width + width_error) * (height + height_error) / square * (1 + 16 * GRZ_U) + 0x1p-600;
}

/* Width times height of a, times the squared edge of b. */
static grz_big calipers_side(grz_arena *arena, const calipers_rectangle *a, const calipers_rectangle *b) {
  grz_big width = calipers_dot_exact(arena, a->edge, a->width);
  grz_big height = calipers_dot_exact(arena, calipers_perpendicular(a->edge), a->height);
  if (width.sign < 0) width = grz_big_neg(width);
  if (height.sign < 0) height = grz_big_neg(height);
  return grz_big_mul(arena, grz_big_mul(arena, width, height), calipers_dot_exact(arena, b->edge, b->edge));
}

static bool calipers_is_less(const calipers_rectangle *a, const calipers_rectangle *b) {
  if (a->high < b->low) return true;
  if (a->low >= b->high) return false;
  uint64_t limbs[CALIPERS_LIMBS];
  grz_arena arena = {limbs, 0, CALIPERS_LIMBS, false};
  grz_big left = calipers_side(&arena, a, b);
  return grz_big_compare(left, calipers_side(&arena, b, a)) < 0;
}

/* The first vertex from `at` on after which the boundary does not advance in the direction. */
static size_t calipers_advance(const calipers_polygon *polygon, size_t at, calipers_vector direction) {
  for (;; at++) {
    const calipers_vector q = {calipers_vertex(polygon, at), calipers_vertex(polygon, at + 1)}, p = direction;
    const double x = (p.to.x - p.from.x) * (q.to.x - q.from.x), y = (p.to.y - p.from.y) * (q.to.y - q.from.y);
    const double sum = x + y;
    int sign = sum > 0 ? 1 : -1;
    if (!(real_abs(sum) > 4 * GRZ_U * (real_abs(x) + real_abs(y)) + 0x1p-1070)) { /* the filter of grz_orient2() */
      uint64_t limbs[CALIPERS_LIMBS];
      grz_arena arena = {limbs, 0, CALIPERS_LIMBS, false};
      sign = calipers_dot_exact(&arena, p, q).sign;
    }
    if (sign <= 0) return at;
  }
}

/* The edge of a convex polygon on which the smallest rectangle stands, exactly; the first of equal ones. The polygon is
 * counter-clockwise and strictly convex; z coordinates are ignored. */
static size_t calipers_best_edge(const graze_vec *vertices, size_t count) {
  const calipers_polygon polygon = {vertices, count, grz_fit_exponent(vertices, count)};
  calipers_rectangle best = {0};
  size_t right = 0, top = 0, left = 0, best_edge = 0;
  for (size_t i = 0; i < count; i++) {
    calipers_rectangle r = {.edge = {vertices[i], calipers_vertex(&polygon, i + 1)}};
    right = calipers_advance(&polygon, right > i + 1 ? right : i + 1, r.edge);
    top = calipers_advance(&polygon, top > right ? top : right, calipers_perpendicular(r.edge));
    left = calipers_advance(&polygon, left > top ? left : top, (calipers_vector){r.edge.to, r.edge.from});
    r.width = (calipers_vector){calipers_vertex(&polygon, left), calipers_vertex(&polygon, right)};
    r.height = (calipers_vector){vertices[i], calipers_vertex(&polygon, top)};
    calipers_measure(&polygon, &r);
    if (i > 0 && !calipers_is_less(&r, &best)) continue;
    best = r, best_edge = i;
  }
  return best_edge;
}

/* The rotation of the smallest rectangle around a hull in 2D. */
static fit_rotation fit_rectangle(const graze_hull *flat) {
  if (flat->affine_dim == 0) return fit_rotation_of(1, 0, 0, 0);
  const graze_vec *v = flat->vertices;
  const size_t edge = flat->affine_dim == 1 ? 0 : calipers_best_edge(v, flat->vertex_count);
  return grz_fit_angle(v[edge], v[(edge + 1) % flat->vertex_count]);
}

/* ---- Segments and polygons in 3D. */

/* The axis perpendicular to the coordinate plane that contains all vertices, or -1. */
static int fit_plane_axis(const graze_hull *hull) {
  for (int k = 2; k >= 0; k--) {
    size_t i = 1;
    while (i < hull->vertex_count && vec_coordinate(hull->vertices[i], k) == vec_coordinate(hull->vertices[0], k)) i++;
    if (i >= hull->vertex_count) return k;
  }
  return -1;
}

/* In a coordinate plane: as in 2D, about the axis perpendicular to that plane. */
static graze_status fit_in_plane(fit_task *task, int axis) {
  const graze_hull *hull = task->hull;
  graze_hull flat;
  graze_vec *points = grz_allocate(task->allocator, hull->vertex_count, sizeof *points);
  if (points == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < hull->vertex_count; i++) {
    const graze_vec v = hull->vertices[i];
    points[i] = vec_make(vec_coordinate(v, (axis + 1) % 3), vec_coordinate(v, (axis + 2) % 3), 0);
  }
  const graze_status status = graze_hull_create(points, hull->vertex_count, 2, task->allocator, &flat, NULL);
  if (status == GRAZE_OK) {
    fit_rotation r = fit_rectangle(&flat);
    if (axis == 0) r = fit_rotation_of(r.w, r.z, 0, 0);
    if (axis == 1) r = fit_rotation_of(r.w, 0, r.z, 0);
    task_try(task, r);
    graze_hull_destroy(&flat);
  }
  grz_release(task->allocator, points);
  return status;
}

/* A segment: its direction and any two perpendicular ones. */
static void fit_segment(fit_task *task) {
  const graze_vec *v = task->hull->vertices;
  graze_vec d = vec_unit_inf(fit_scale(vec_sub(v[1], v[0]), grz_fit_exponent(v, 2)));
  d = vec_unit(d);
  const double x = real_abs(d.x), y = real_abs(d.y), z = real_abs(d.z);
  const graze_vec least = x <= y && x <= z ? vec_make(1, 0, 0) : y <= z ? vec_make(0, 1, 0) : vec_make(0, 0, 1);
  const graze_vec perpendicular = vec_unit(vec_cross(d, least));
  task_try_frame(task, (fit_frame){{d, perpendicular, vec_cross(d, perpendicular)}});
}

/* A polygon in a general plane: the smallest rectangle in that plane. */
static void fit_polygon(fit_task *task, const fit_cloud *cloud) {
  const graze_vec *v = task->hull->vertices;
  const size_t n = task->hull->vertex_count;
  const graze_vec normal = grz_fit_normal(v[0], v[n / 3], v[2 * n / 3]);
  graze_vec longest = cloud->at[0]; /* zero; the longest vector has a length of at least 1/2 */
  for (size_t i = 1; i < n; i++) {
    if (vec_norm_inf(cloud->at[i]) > vec_norm_inf(longest)) longest = cloud->at[i];
  }
  const graze_vec u = vec_unit(vec_cross(normal, vec_unit(longest)));
  const fit_frame frame = {{normal, u, vec_cross(normal, u)}};
  task_try_frame(task, grz_fit_about_axis(cloud, frame, 0));
}

/* ---- All cases. */

/* Solids, and polygons in general planes. BEST also tries the box of FAST, so it is never larger. */
static graze_status fit_cloud_of_hull(fit_task *task, graze_effort effort) {
  const graze_vec *v = task->hull->vertices;
  const size_t n = task->hull->vertex_count;
  graze_vec *points = grz_allocate(task->allocator, 4 * n + 2, sizeof *points);
  grz_key *keys = points ? grz_allocate(task->allocator, 2 * n, sizeof *keys) : NULL;
  bool enough = keys != NULL;
  if (enough) {
    const fit_cloud cloud = {points, n, points + n, keys};
    const int exponent = grz_fit_exponent(v, n);
    for (size_t i = 0; i < n; i++) points[i] = fit_scale(vec_sub(v[i], v[0]), exponent);
    task_try(task, fit_rotation_of(1, 0, 0, 0));
    if (task->hull->affine_dim == 2) {
      fit_polygon(task, &cloud);
    } else {
      fit_frame frame = grz_fit_search(&cloud);
      task_try_frame(task, frame);
      if (effort == GRAZE_BEST) {
        enough = grz_fit_best(task->hull, &cloud, task->allocator, &frame);
        if (enough) task_try_frame(task, frame);
      }
    }
  }
  grz_release(task->allocator, keys);
  grz_release(task->allocator, points);
  return enough ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

static graze_status fit_hull(fit_task *task, graze_effort effort) {
  const graze_hull *hull = task->hull;
  const int axis = hull->dim == 3 && hull->affine_dim < 3 ? fit_plane_axis(hull) : -1;
  graze_status status = GRAZE_OK;
  if (hull->dim == 2 || hull->affine_dim == 0)
    task_try(task, hull->dim == 2 ? fit_rectangle(hull) : fit_rotation_of(1, 0, 0, 0));
  else if (axis >= 0)
    status = fit_in_plane(task, axis);
  else if (hull->affine_dim == 1)
    fit_segment(task);
  else
    status = fit_cloud_of_hull(task, effort);
  if (status != GRAZE_OK || task->any) return status;

  /* All candidates exceeded GRAZE_LARGEST: use the box along the axes or, as it always fits, the box centred at the
   * origin. */
  task_try(task, fit_rotation_of(1, 0, 0, 0));
  if (task->any) return status;
  graze_vec half = {0, 0, 0};
  for (size_t i = 0; i < hull->vertex_count; i++) {
    const graze_vec v = hull->vertices[i];
    half = vec_max(half, vec_make(real_abs(v.x), real_abs(v.y), real_abs(v.z)));
  }
  task->best = (fit_candidate){graze_pose_at(0, 0, 0), half, scaled_normal(1, 0)};
  return status;
}

graze_status graze_fit_box(const graze_vec *points, size_t count, int dim, graze_effort effort,
                           const graze_allocator *allocator, graze_fitted_box *fitted, graze_error *error) {
  const graze_allocator memory = grz_allocator(allocator);
  graze_hull hull;
  graze_error unused, *report = error ? error : &unused;
  if (effort != GRAZE_FAST && effort != GRAZE_BEST)
    return grz_reject(report, grz_error_rule(GRAZE_BAD_OPTION, "effort", (double)effort, "must be a graze_effort"));
  graze_status status = graze_hull_create(points, count, dim, &memory, &hull, report);
  if (status != GRAZE_OK) return status;
  fit_task task = {.hull = &hull, .allocator = &memory};
  status = fit_hull(&task, effort);
  if (status == GRAZE_OK) {
    const graze_vec h = task.best.half;
    fitted->box = dim == 2 ? graze_box2(h.x, h.y) : graze_box(h.x, h.y, h.z);
    fitted->pose = task.best.pose;
    fitted->measure = scaled_to_double(task.best.measure);
  } else {
    *report = grz_error(status, "vertices", -1, 0);
  }
  graze_hull_destroy(&hull);
  return status;
}
