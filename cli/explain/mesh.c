#include "explain/story.h"

#include "explain/geometry.h"

#include <graze/build.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_CORNERS = 1024,  /* of a shape that is drawn by its own vertices */
  MOST_PAIRS = 4096,    /* of a difference that is */
  MOST_ROUNDED = 64,    /* vertices, each with a ball around it */
  MOST_VERTICES = 20000 /* of anything */
};

/* Faces are told apart where their normals differ by 1e-4; of what is smooth, by 0.6. */
static const double SHARP = 1 - 5e-9, SMOOTH = 0.8;

void mesh_free(story_mesh *mesh) {
  free(mesh->points);
  free(mesh->triangles);
  free(mesh->edges);
  *mesh = (story_mesh){.kind = STORY_MESH_NONE};
}

/* ---- A hull of points */

typedef struct mesh_side {
  int32_t low, high;
  size_t face;
} mesh_side;

static int compare_sides(const void *x, const void *y) {
  const mesh_side *a = x, *b = y;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->face > b->face) - (a->face < b->face);
}

/* The normal of face f, of any length; zero where doubles do not tell. */
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

static bool make_triangles(story_mesh *mesh, const graze_hull *hull) {
  size_t sides = (size_t)hull->face_start[hull->face_count];
  mesh->triangles = malloc(sides * sizeof *mesh->triangles);
  if (mesh->triangles == NULL) return false;
  for (size_t f = 0; f < hull->face_count; f++) {
    const int32_t *v = hull->face_vertices;
    for (int32_t i = hull->face_start[f] + 1; i + 1 < hull->face_start[f + 1]; i++) {
      const int32_t triangle[3] = {v[hull->face_start[f]], v[i], v[i + 1]};
      memcpy(mesh->triangles[mesh->triangle_count++], triangle, sizeof triangle);
    }
  }
  return true;
}

/* Every edge has two sides, neighbours once they are sorted. */
static size_t list_sides(const graze_hull *hull, mesh_side *sides) {
  size_t count = 0;
  for (size_t f = 0; f < hull->face_count; f++) {
    int32_t begin = hull->face_start[f], end = hull->face_start[f + 1];
    for (int32_t i = begin; i < end; i++) {
      int32_t u = hull->face_vertices[i], v = hull->face_vertices[i + 1 < end ? i + 1 : begin];
      sides[count++] = (mesh_side){u < v ? u : v, u < v ? v : u, f};
    }
  }
  qsort(sides, count, sizeof *sides, compare_sides);
  return count;
}

static void add_edges(story_mesh *mesh, const graze_hull *hull, const mesh_side *sides, size_t count) {
  double size = 0, limit = mesh->smooth ? SMOOTH : SHARP;
  for (size_t i = 0; i < hull->vertex_count; i++) {
    size = fmax(size, geometry_largest(vec_sub(hull->vertices[i], hull->vertices[0])));
  }
  for (size_t i = 0; i + 1 < count; i += 2) {
    graze_vec u = face_normal(hull, sides[i].face, 1 / size), v = face_normal(hull, sides[i + 1].face, 1 / size);
    if (vec_dot(u, v) > limit) continue;
    mesh->edges[mesh->edge_count][0] = sides[i].low;
    mesh->edges[mesh->edge_count++][1] = sides[i].high;
  }
}

static bool make_faces(story_mesh *mesh, const graze_hull *hull) {
  if (hull->face_count == 0) return true;
  size_t most = (size_t)hull->face_start[hull->face_count];
  mesh_side *sides = malloc(most * sizeof *sides);
  mesh->edges = malloc(most * sizeof *mesh->edges);
  bool good = sides && mesh->edges && make_triangles(mesh, hull);
  if (good) add_edges(mesh, hull, sides, list_sides(hull, sides));
  free(sides);
  return good;
}

static bool is_far(const graze_vec *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (geometry_largest(points[i]) > GRAZE_LARGEST) return true;
  return false;
}

/* Beyond the largest number that hulls take: made smaller, and large again. */
static bool mesh_of_far(const graze_vec *points, size_t count, int dim, bool smooth, story_mesh *mesh) {
  graze_vec *nearer = malloc(count * sizeof *nearer);
  if (nearer == NULL) return false;
  for (size_t i = 0; i < count; i++) nearer[i] = vec_scale(points[i], 0x1p-10);
  bool good = is_far(nearer, count) || mesh_of_points(nearer, count, dim, smooth, mesh);
  for (size_t i = 0; good && i < mesh->point_count; i++) mesh->points[i] = vec_scale(mesh->points[i], 0x1p10);
  free(nearer);
  return good;
}

bool mesh_of_points(const graze_vec *points, size_t count, int dim, bool smooth, story_mesh *mesh) {
  graze_hull hull;
  *mesh = (story_mesh){.kind = STORY_MESH_NONE, .smooth = smooth};
  graze_status status = graze_hull_create(points, count, dim, NULL, &hull, NULL);
  if (status == GRAZE_BAD_NUMBER && is_far(points, count)) return mesh_of_far(points, count, dim, smooth, mesh);
  if (status != GRAZE_OK) return status != GRAZE_OUT_OF_MEMORY; /* nothing to draw */
  bool good = true;
  if (hull.vertex_count <= MOST_VERTICES) {
    mesh->kind = STORY_MESH_SOLID;
    mesh->point_count = hull.vertex_count;
    mesh->points = malloc(hull.vertex_count * sizeof *mesh->points);
    if (mesh->points) memcpy(mesh->points, hull.vertices, hull.vertex_count * sizeof *mesh->points);
    good = mesh->points && make_faces(mesh, &hull);
  }
  graze_hull_destroy(&hull);
  if (!good) mesh_free(mesh);
  return good;
}

/* ---- Points of bodies and of differences */

/* A ball around each point, as far as the directions tell. NULL: memory ran out. */
static graze_vec *round_points(const graze_vec *points, size_t count, double radius, int dim, size_t *made) {
  graze_vec d[GEOMETRY_MOST_DIRECTIONS];
  size_t around = geometry_directions(dim, d);
  graze_vec *all = malloc(count * around * sizeof *all);
  *made = 0;
  for (size_t i = 0; all && i < count; i++)
    for (size_t k = 0; k < around; k++) all[(*made)++] = vec_add(points[i], vec_scale(d[k], radius));
  return all;
}

static bool mesh_rounded(const graze_vec *points, size_t count, double radius, int dim, story_mesh *mesh) {
  size_t made;
  graze_vec *all = round_points(points, count, radius, dim, &made);
  bool good = all && mesh_of_points(all, made, dim, true, mesh);
  free(all);
  return good;
}

static bool mesh_plane(graze_vec point, graze_vec normal, story_mesh *mesh) {
  *mesh = (story_mesh){.kind = STORY_MESH_PLANE, .points = malloc(2 * sizeof *mesh->points), .point_count = 2};
  if (mesh->points == NULL) return false;
  mesh->points[0] = point;
  mesh->points[1] = normal;
  return true;
}

/* The border of a half-space and its normal, in the world. */
static void plane_of(const story_body *body, graze_vec *point, graze_vec *normal) {
  const graze_shape *s = &body->placed.shape;
  graze_vec local = vec_unit(s->extents);
  *normal = body_direction(body, local);
  *point = body_point(body, vec_scale(local, s->offset + s->margin));
}

/* Points of the body farthest along directions, in the frame of `frame`; a radius is taken off. */
static size_t support_points(const story_body *body, const story_body *frame, double radius, double sign,
                             graze_vec *points) {
  graze_vec d[GEOMETRY_MOST_DIRECTIONS];
  size_t count = geometry_directions(body->placed.shape.dim, d);
  for (size_t i = 0; i < count; i++) {
    graze_vec along = vec_scale(body_direction(frame, d[i]), sign), point = {0, 0, 0};
    graze_support(&body->placed, along, &point, NULL);
    points[i] = vec_sub(point, vec_scale(along, radius));
  }
  return count;
}

graze_vec *mesh_points(const story_body *body, size_t *count, bool *smooth) {
  const graze_shape *shape = &body->placed.shape;
  size_t corners = cli_corner_count(shape);
  double radius = geometry_radius(body);
  bool curved = corners == 0 || corners > (radius > 0 ? MOST_ROUNDED : MOST_CORNERS);
  graze_vec *points = malloc((curved ? GEOMETRY_MOST_DIRECTIONS : corners) * sizeof *points);
  *smooth = corners == 0 || radius > 0;
  *count = curved && points ? support_points(body, body, 0, 1, points) : corners;
  if (curved || points == NULL) return points;
  for (size_t i = 0; i < corners; i++) points[i] = body_point(body, geometry_corner(shape, i));
  if (!(radius > 0)) return points;
  graze_vec *all = round_points(points, corners, radius, shape->dim, count);
  free(points);
  return all;
}

bool mesh_of_body(const story_body *body, story_mesh *mesh) {
  *mesh = (story_mesh){.kind = STORY_MESH_NONE};
  if (body->placed.shape.kind == GRAZE_HALFSPACE) {
    graze_vec point, normal;
    plane_of(body, &point, &normal);
    return mesh_plane(point, normal, mesh);
  }
  size_t count;
  bool smooth;
  graze_vec *points = mesh_points(body, &count, &smooth);
  bool good = points && mesh_of_points(points, count, body->placed.shape.dim, smooth, mesh);
  free(points);
  return good;
}

/* A half-space among the two: all differences are one, too. */
static bool mesh_half(const story *s, story_mesh *core) {
  bool first = s->a.placed.shape.kind == GRAZE_HALFSPACE;
  const story_body *plane = first ? &s->a : &s->b, *other = first ? &s->b : &s->a;
  graze_vec border, normal, deepest = {0, 0, 0};
  plane_of(plane, &border, &normal);
  graze_support(&other->placed, vec_scale(normal, -1), &deepest, NULL);
  graze_vec point = first ? vec_sub(border, deepest) : vec_sub(deepest, border);
  if (!first) normal = vec_scale(normal, -1);
  return mesh_plane(vec_add(point, vec_scale(normal, s->question->options.clearance)), normal, core);
}

/* All differences of vertices. */
static bool mesh_of_corners(const story *s, size_t n, size_t m, story_mesh *core) {
  graze_vec *points = malloc(n * m * sizeof *points);
  if (points == NULL) return false;
  double sign = s->question->query == CLI_MINKOWSKI && s->question->of == GRAZE_MINKOWSKI_SUM ? 1 : -1;
  for (size_t i = 0; i < n; i++) {
    graze_vec a = body_point(&s->a, geometry_corner(&s->a.placed.shape, i));
    for (size_t j = 0; j < m; j++) {
      graze_vec b = body_point(&s->b, geometry_corner(&s->b.placed.shape, j));
      points[i * m + j] = vec_add(a, vec_scale(b, sign));
    }
  }
  bool good = mesh_of_points(points, n * m, s->dim, false, core);
  free(points);
  return good;
}

/* Farthest points; and those that the searches met, which are points of the core, too. */
static bool mesh_of_supports(const story *s, double radius_a, double radius_b, bool named, story_mesh *mesh) {
  graze_vec b[GEOMETRY_MOST_DIRECTIONS];
  graze_vec *points = malloc((GEOMETRY_MOST_DIRECTIONS + s->point_count) * sizeof *points);
  if (points == NULL) return false;
  const story_body *frame = cli_corner_count(&s->a.placed.shape) > 0 ? &s->b : &s->a; /* so that rims are met */
  size_t count = support_points(&s->a, frame, radius_a, 1, points);
  support_points(&s->b, frame, radius_b, -1, b);
  for (size_t i = 0; i < count; i++) points[i] = vec_sub(points[i], b[i]);
  for (size_t i = 0; named && i < s->point_count; i++) points[count++] = s->points[i].at;
  bool flat = cli_corner_count(&s->a.placed.shape) > 0 && cli_corner_count(&s->b.placed.shape) > 0;
  bool good = mesh_of_points(points, count, s->dim, !flat || radius_a + radius_b > 0, mesh);
  free(points);
  return good;
}

bool mesh_of_difference(const story *s, story_mesh *core, story_mesh *cso) {
  size_t n = cli_corner_count(&s->a.placed.shape), m = cli_corner_count(&s->b.placed.shape);
  double a = geometry_radius(&s->a), b = geometry_radius(&s->b);
  *core = *cso = (story_mesh){.kind = STORY_MESH_NONE};
  if (s->a.placed.shape.kind == GRAZE_HALFSPACE || s->b.placed.shape.kind == GRAZE_HALFSPACE) return mesh_half(s, core);
  bool corners = n > 0 && m > 0 && n <= MOST_PAIRS / m;
  if (!(corners ? mesh_of_corners(s, n, m, core) : mesh_of_supports(s, a, b, true, core))) return false;
  if (!(s->radius > 0) || core->kind == STORY_MESH_NONE) return true;
  if (!core->smooth && core->point_count <= MOST_ROUNDED)
    return mesh_rounded(core->points, core->point_count, s->radius, s->dim, cso);
  return mesh_of_supports(s, -s->question->options.clearance, 0, false, cso);
}
