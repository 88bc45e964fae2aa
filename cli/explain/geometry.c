/* Rounded positions, and meshes of bodies and of Minkowski differences from hulls of their points, for display. */
#include "explain/story.h"

#include <graze/build.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double vec_norm(graze_vec v) {
  double most = vec_norm_inf(v);
  if (!(most > 0) || !isfinite(most)) return most;
  v = (graze_vec){v.x / most, v.y / most, v.z / most};
  return most * sqrt(vec_dot(v, v));
}

graze_vec vec_unit(graze_vec v) {
  double most = vec_norm_inf(v);
  if (!(most > 0) || !isfinite(most)) return (graze_vec){0, 0, 0};
  v = (graze_vec){v.x / most, v.y / most, v.z / most};
  double length = sqrt(vec_dot(v, v));
  return (graze_vec){v.x / length, v.y / length, v.z / length};
}

/* Coordinates beyond 1e300 are ignored, so that differences do not overflow. */
void bounds_add(bounds *box, graze_vec p) {
  if (!(fabs(p.x) <= 1e300 && fabs(p.y) <= 1e300)) return;
  if (!box->any) *box = (bounds){p, p, true};
  box->low = vec_min(box->low, p);
  box->high = vec_max(box->high, p);
}

void bounds_add_mesh(bounds *box, const story_mesh *mesh) {
  for (size_t i = 0; mesh->kind == STORY_MESH_SOLID && i < mesh->point_count; i++) bounds_add(box, mesh->points[i]);
}

double bounds_size(const bounds *box) { return vec_norm_inf(vec_sub(box->high, box->low)); }

/* ---- Bodies */

static graze_vec rotate(const graze_pose *pose, graze_vec v) {
  double most = fmax(fmax(fabs(pose->w), fabs(pose->x)), fmax(fabs(pose->y), fabs(pose->z)));
  double w = pose->w / most;
  graze_vec u = {pose->x / most, pose->y / most, pose->z / most};
  graze_vec t = vec_scale(vec_cross(u, v), 2 / (w * w + vec_dot(u, u)));
  return vec_add(v, vec_add(vec_scale(t, w), vec_cross(u, t)));
}

/* A part of a compound has its pose in the frame of the compound, a face of a mesh that of the mesh. */
static bool has_frame(const story_body *body) { return body->part >= 0 && body->whole->shape.kind == GRAZE_COMPOUND; }

graze_vec body_point(const story_body *body, graze_vec local) {
  graze_vec v = vec_add(rotate(&body->placed.pose, local), body->placed.pose.position);
  return has_frame(body) ? vec_add(rotate(&body->whole->pose, v), body->whole->pose.position) : v;
}

graze_vec body_direction(const story_body *body, graze_vec local) {
  graze_vec v = rotate(&body->placed.pose, local);
  return has_frame(body) ? rotate(&body->whole->pose, v) : v;
}

double body_radius(const story_body *body) {
  return cli_radius(&body->placed.shape) + (has_frame(body) ? body->whole->shape.margin : 0);
}

graze_cso_point cso_point_of(const story *s, const graze_pair *pair, const graze_vec *points) {
  graze_cso_point w = {.a = pair->a >= 0 ? pair->a : -1, .b = pair->b >= 0 ? pair->b : -1};
  w.point_a = w.a >= 0 ? graze_vertex(&s->a.placed.shape, (size_t)w.a) : points[-1 - pair->a];
  w.point_b = w.b >= 0 ? graze_vertex(&s->b.placed.shape, (size_t)w.b) : points[-1 - pair->b];
  w.point = vec_sub(body_point(&s->a, w.point_a), body_point(&s->b, w.point_b));
  return w;
}

bool cso_point_equal(const graze_cso_point *p, const graze_cso_point *q) {
  return p->a == q->a && p->b == q->b && (p->a >= 0 || vec_is_zero(vec_sub(p->point_a, q->point_a))) &&
         (p->b >= 0 || vec_is_zero(vec_sub(p->point_b, q->point_b)));
}

/* Points are named in order of time, so a search from the end is short. */
int32_t story_find(const story *s, const graze_cso_point *w) {
  for (size_t i = s->point_count; i-- > 0;)
    if (cso_point_equal(&s->points[i].w, w)) return (int32_t)i;
  return -1;
}

int32_t story_find_pair(const story *s, const graze_pair *pair, const graze_vec *points) {
  const graze_cso_point w = cso_point_of(s, pair, points);
  return story_find(s, &w);
}

/* ---- Directions */

/* Graze's own sine and cosine, which have the same bits on every machine. */
static graze_vec on_circle(int index, int count) {
  double cosine, sine;
  graze_half_angle(2 * 6.283185307179586 * index / count, &cosine, &sine);
  return (graze_vec){cosine, sine, 0};
}

/* Unit directions distributed evenly: 96 in the plane, 266 in space. */
enum { MAX_DIRECTIONS = 266 };
static size_t even_directions(int dim, graze_vec directions[MAX_DIRECTIONS]) {
  enum { AROUND = 96, LONGITUDES = 24, LATITUDES = 11 };
  size_t count = 0;
  if (dim == 2) {
    for (int i = 0; i < AROUND; i++) directions[count++] = on_circle(i, AROUND);
    return count;
  }
  for (int k = 1; k <= LATITUDES; k++) {
    graze_vec height = on_circle(k, 2 * (LATITUDES + 1)); /* from the pole */
    for (int i = 0; i < LONGITUDES; i++) {
      graze_vec d = on_circle(i, LONGITUDES);
      directions[count++] = (graze_vec){height.y * d.x, height.y * d.y, height.x};
    }
  }
  directions[count++] = (graze_vec){0, 0, 1};
  directions[count++] = (graze_vec){0, 0, -1};
  return count;
}

/* ---- The nearest point of a hull: the best projection of the origin onto all faces */

/* Gaussian elimination with pivoting of n <= 3 equations; false if singular. */
static bool solve(double m[3][4], int n, double *x) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
    if (!(fabs(m[best][k]) > 0)) return false;
    for (int j = k; j <= n; j++) {
      double kept = m[k][j];
      m[k][j] = m[best][j];
      m[best][j] = kept;
    }
    for (int i = k + 1; i < n; i++)
      for (int j = n; j >= k; j--) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  }
  for (int k = n - 1; k >= 0; k--) {
    x[k] = m[k][n];
    for (int j = k + 1; j < n; j++) x[k] -= m[k][j] * x[j];
    x[k] /= m[k][k];
  }
  return true;
}

graze_vec nearest_of_hull(const graze_vec *points, int count, int dim, double weights[6]) {
  double size = 0, least = INFINITY;
  graze_vec p[6] = {{0, 0, 0}};
  for (int i = 0; i < count; i++) size = fmax(size, vec_norm_inf(points[i]));
  if (!(size > 0) || !isfinite(size)) size = 1;
  /* Scaled to size 1, squares neither overflow nor underflow. */
  for (int i = 0; i < count; i++) p[i] = (graze_vec){points[i].x / size, points[i].y / size, points[i].z / size};
  graze_vec best = p[0];
  for (int i = 0; i < count; i++) weights[i] = i == 0;
  for (unsigned mask = 1; mask < 1u << count; mask++) {
    /* Project the origin onto the affine hull of the points in the mask. They must be independent and at most dim + 1,
     * and the projection must lie inside their convex hull. */
    int index[6], n = 0;
    double m[3][4], x[3] = {0, 0, 0}, tried[6] = {0}, rest = 1;
    for (int i = 0; i < count; i++)
      if (mask >> i & 1) index[n++] = i;
    if (n > dim + 1) continue;
    const graze_vec first = p[index[0]];
    for (int i = 1; i < n; i++) {
      graze_vec e = vec_sub(p[index[i]], first);
      for (int j = 1; j < n; j++) m[i - 1][j - 1] = vec_dot(e, vec_sub(p[index[j]], first));
      m[i - 1][n - 1] = -vec_dot(e, first);
    }
    if (!solve(m, n - 1, x)) continue;
    graze_vec nearest = first;
    for (int i = 1; i < n; i++) {
      tried[index[i]] = x[i - 1];
      rest -= x[i - 1];
      nearest = vec_mad(nearest, x[i - 1], vec_sub(p[index[i]], first));
    }
    tried[index[0]] = rest;
    bool inside = true;
    for (int i = 0; i < n; i++) inside = inside && tried[index[i]] >= 0;
    const double square = vec_dot(nearest, nearest);
    if (!inside || !(square < least)) continue;
    least = square;
    best = nearest;
    for (int i = 0; i < count; i++) weights[i] = tried[i];
  }
  return vec_scale(best, size);
}

enum {
  MAX_VERTICES = 1024, /* of a shape drawn by its own vertices */
  MAX_PAIRS = 4096,    /* of a difference drawn by all its vertex pairs */
  MAX_ROUNDED = 64,    /* vertices drawn with a ball around each */
  MAX_POINTS = 20000   /* of any mesh */
};

/* An edge is drawn if the cosine of the angle between its face normals is at most this. */
static const double SHARP = 1 - 5e-9, SMOOTH = 0.8;

void mesh_free(story_mesh *mesh) {
  free(mesh->points);
  free(mesh->triangles);
  free(mesh->edges);
  *mesh = (story_mesh){.kind = STORY_MESH_NONE};
}

/* ---- The mesh of a convex hull */

typedef struct half_edge {
  int32_t low, high;
  size_t face;
} half_edge;

static int compare_half_edges(const void *x, const void *y) {
  const half_edge *a = x, *b = y;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->face > b->face) - (a->face < b->face);
}

/* The normal of face f; zero if it is lost in rounding. */
static graze_vec face_normal(const graze_hull *hull, size_t f, double scale) {
  graze_vec sum = {0, 0, 0};
  const int32_t *v = hull->face_vertices;
  graze_vec first = hull->vertices[v[hull->face_start[f]]];
  for (int32_t i = hull->face_start[f] + 1; i + 1 < hull->face_start[f + 1]; i++) {
    graze_vec e = vec_scale(vec_sub(hull->vertices[v[i]], first), scale);
    sum = vec_add(sum, vec_cross(e, vec_scale(vec_sub(hull->vertices[v[i + 1]], first), scale)));
  }
  return vec_unit(sum);
}

/* Triangulates the faces as fans, and keeps the sharp edges. */
static bool add_faces(story_mesh *mesh, const graze_hull *hull) {
  if (hull->face_count == 0) return true;
  size_t most = (size_t)hull->face_start[hull->face_count], count = 0;
  half_edge *halves = malloc(most * sizeof *halves);
  mesh->edges = malloc(most * sizeof *mesh->edges);
  mesh->triangles = malloc(most * sizeof *mesh->triangles);
  if (!halves || !mesh->edges || !mesh->triangles) {
    free(halves);
    return false;
  }
  for (size_t f = 0; f < hull->face_count; f++) {
    const int32_t *v = hull->face_vertices, begin = hull->face_start[f], end = hull->face_start[f + 1];
    for (int32_t i = begin; i < end; i++) {
      int32_t p = v[i], q = v[i + 1 < end ? i + 1 : begin];
      halves[count++] = (half_edge){p < q ? p : q, p < q ? q : p, f};
      const int32_t triangle[3] = {v[begin], p, q};
      if (i > begin && i + 1 < end) memcpy(mesh->triangles[mesh->triangle_count++], triangle, sizeof triangle);
    }
  }
  /* After sorting, the two half-edges of an edge are neighbors. */
  qsort(halves, count, sizeof *halves, compare_half_edges);
  double size = 0;
  for (size_t i = 0; i < hull->vertex_count; i++)
    size = fmax(size, vec_norm_inf(vec_sub(hull->vertices[i], hull->vertices[0])));
  for (size_t i = 0; i + 1 < count; i += 2) {
    graze_vec u = face_normal(hull, halves[i].face, 1 / size), v = face_normal(hull, halves[i + 1].face, 1 / size);
    if (vec_dot(u, v) > (mesh->smooth ? SMOOTH : SHARP)) continue;
    mesh->edges[mesh->edge_count][0] = halves[i].low;
    mesh->edges[mesh->edge_count++][1] = halves[i].high;
  }
  free(halves);
  return true;
}

bool mesh_of_points(const graze_vec *points, size_t count, int dim, bool smooth, story_mesh *mesh) {
  graze_hull hull;
  double scale = 1;
  *mesh = (story_mesh){.kind = STORY_MESH_NONE, .smooth = smooth};
  /* Differences of the largest coordinates exceed GRAZE_LARGEST: a smaller hull is built and scaled back. */
  for (size_t i = 0; i < count; i++)
    if (vec_norm_inf(points[i]) > GRAZE_LARGEST) scale = 0x1p10;
  graze_vec *scaled = malloc(count * sizeof *scaled);
  if (scaled == NULL) return false;
  for (size_t i = 0; i < count; i++) scaled[i] = vec_scale(points[i], 1 / scale);
  graze_status status = graze_hull_create(scaled, count, dim, NULL, &hull, NULL);
  free(scaled);
  if (status != GRAZE_OK) return status != GRAZE_OUT_OF_MEMORY; /* nothing to draw */
  bool good = true;
  if (hull.vertex_count <= MAX_POINTS) {
    mesh->kind = STORY_MESH_SOLID;
    mesh->point_count = hull.vertex_count;
    mesh->points = malloc(hull.vertex_count * sizeof *mesh->points);
    for (size_t i = 0; mesh->points && i < hull.vertex_count; i++) mesh->points[i] = vec_scale(hull.vertices[i], scale);
    good = mesh->points && add_faces(mesh, &hull);
  }
  graze_hull_destroy(&hull);
  if (!good) mesh_free(mesh);
  return good;
}

/* ---- Points of bodies and of differences */

/* Points on a ball around each point. NULL: out of memory. */
static graze_vec *rounded_points(const graze_vec *points, size_t count, double radius, int dim, size_t *made) {
  graze_vec d[MAX_DIRECTIONS];
  size_t around = even_directions(dim, d);
  graze_vec *all = malloc(count * around * sizeof *all);
  *made = 0;
  for (size_t i = 0; all && i < count; i++)
    for (size_t k = 0; k < around; k++) all[(*made)++] = vec_mad(points[i], radius, d[k]);
  return all;
}

static bool mesh_of_plane(graze_vec point, graze_vec normal, story_mesh *mesh) {
  *mesh = (story_mesh){.kind = STORY_MESH_PLANE, .points = malloc(2 * sizeof *mesh->points), .point_count = 2};
  if (mesh->points == NULL) return false;
  mesh->points[0] = point;
  mesh->points[1] = normal;
  return true;
}

/* A boundary point and the outward normal of a half-space in the world. */
static void plane_of(const story_body *body, graze_vec *point, graze_vec *normal) {
  const graze_shape *s = &body->placed.shape;
  graze_vec local = vec_unit(s->as.halfspace.normal);
  *normal = body_direction(body, local);
  *point = body_point(body, vec_scale(local, s->as.halfspace.offset + s->margin));
}

/* The support points of the body in directions of the frame of `frame`, times `sign`; `radius` is subtracted. */
static size_t support_points(const story_body *body, const story_body *frame, double radius, double sign,
                             graze_vec *points) {
  graze_vec d[MAX_DIRECTIONS];
  size_t count = even_directions(body->placed.shape.dim, d);
  for (size_t i = 0; i < count; i++) {
    graze_vec direction = vec_scale(body_direction(frame, d[i]), sign), point = {0, 0, 0};
    graze_support(&body->placed, direction, &point, NULL);
    points[i] = vec_sub(point, vec_scale(direction, radius));
  }
  return count;
}

graze_vec *mesh_points(const story_body *body, size_t *count, bool *smooth) {
  const graze_shape *shape = &body->placed.shape;
  size_t n = graze_vertex_count(shape);
  double radius = body_radius(body);
  bool curved = n == 0 || n > (radius > 0 ? MAX_ROUNDED : MAX_VERTICES);
  graze_vec *points = malloc((curved ? MAX_DIRECTIONS : n) * sizeof *points);
  *smooth = n == 0 || radius > 0;
  *count = curved && points ? support_points(body, body, 0, 1, points) : n;
  if (curved || points == NULL) return points;
  for (size_t i = 0; i < n; i++) points[i] = body_point(body, graze_vertex(shape, i));
  if (!(radius > 0)) return points;
  graze_vec *rounded = rounded_points(points, n, radius, shape->dim, count);
  free(points);
  return rounded;
}

bool mesh_of_body(const story_body *body, story_mesh *mesh) {
  *mesh = (story_mesh){.kind = STORY_MESH_NONE};
  if (body->placed.shape.kind == GRAZE_HALFSPACE) {
    graze_vec point, normal;
    plane_of(body, &point, &normal);
    return mesh_of_plane(point, normal, mesh);
  }
  size_t count;
  bool smooth;
  graze_vec *points = mesh_points(body, &count, &smooth);
  bool good = points && mesh_of_points(points, count, body->placed.shape.dim, smooth, mesh);
  free(points);
  return good;
}

/* Support points, and the points that the trace names, which are points of the core, too. */
static bool mesh_of_supports(const story *s, double radius_a, double radius_b, bool named, story_mesh *mesh) {
  graze_vec b[MAX_DIRECTIONS];
  graze_vec *points = malloc((MAX_DIRECTIONS + s->point_count) * sizeof *points);
  if (points == NULL) return false;
  bool polytope_a = graze_vertex_count(&s->a.placed.shape) > 0, polytope_b = graze_vertex_count(&s->b.placed.shape) > 0;
  const story_body *frame = polytope_a ? &s->b : &s->a; /* directions in the curved body's frame include its rims */
  size_t count = support_points(&s->a, frame, radius_a, 1, points);
  support_points(&s->b, frame, radius_b, -1, b);
  for (size_t i = 0; i < count; i++) points[i] = vec_sub(points[i], b[i]);
  for (size_t i = 0; named && i < s->point_count; i++) points[count++] = s->points[i].w.point;
  bool smooth = !(polytope_a && polytope_b) || radius_a + radius_b > 0;
  bool good = mesh_of_points(points, count, s->dim, smooth, mesh);
  free(points);
  return good;
}

bool mesh_of_difference(const story *s, story_mesh *core, story_mesh *cso) {
  const graze_shape *a = &s->a.placed.shape, *b = &s->b.placed.shape;
  size_t n = graze_vertex_count(a), m = graze_vertex_count(b), count = 0;
  bool good = true;
  *core = *cso = (story_mesh){.kind = STORY_MESH_NONE};
  if (a->kind == GRAZE_HALFSPACE || b->kind == GRAZE_HALFSPACE) { /* so is A - B */
    const bool first = a->kind == GRAZE_HALFSPACE;
    const story_body *plane = first ? &s->a : &s->b, *other = first ? &s->b : &s->a;
    graze_vec boundary, normal, deepest = {0, 0, 0};
    plane_of(plane, &boundary, &normal);
    graze_support(&other->placed, vec_scale(normal, -1), &deepest, NULL);
    graze_vec point = first ? vec_sub(boundary, deepest) : vec_sub(deepest, boundary);
    if (!first) normal = vec_scale(normal, -1);
    return mesh_of_plane(vec_mad(point, story_clearance(s), normal), normal, core);
  }
  if (n > 0 && m > 0 && n <= MAX_PAIRS / m) { /* all vertex pairs */
    const double sign = s->request->query == CLI_MINKOWSKI && s->request->of == GRAZE_MINKOWSKI_SUM ? 1 : -1;
    graze_vec *points = malloc(n * m * sizeof *points);
    for (size_t i = 0; points && i < n; i++)
      for (size_t j = 0; j < m; j++)
        points[count++] = vec_mad(body_point(&s->a, graze_vertex(a, i)), sign, body_point(&s->b, graze_vertex(b, j)));
    good = points && mesh_of_points(points, count, s->dim, false, core);
    free(points);
  } else {
    good = mesh_of_supports(s, body_radius(&s->a), body_radius(&s->b), true, core);
  }
  if (!good || !(s->radius > 0) || core->kind == STORY_MESH_NONE) return good;
  if (core->smooth || core->point_count > MAX_ROUNDED) return mesh_of_supports(s, -story_clearance(s), 0, false, cso);
  graze_vec *rounded = rounded_points(core->points, core->point_count, s->radius, s->dim, &count);
  good = rounded && mesh_of_points(rounded, count, s->dim, true, cso);
  free(rounded);
  return good;
}
