/* What bodies look like, in their own frames: closed meshes of convex polygons in space, closed rings in the plane. */
#include "simulate/playing.h"

#include "explain/geometry.h"
#include "explain/story.h"
#include "simulate/numbers.h"

#include <graze/build.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One shape being written. */
typedef struct drawing {
  int dim;
  double size; /* of the whole */
  bool failed;
  cli_text vertices, faces; /* 2D: faces are the rings */
  size_t vertex_count, face_count;
} drawing;

static void put_vertex(cli_text *out, graze_vec v, const drawing *d, bool first) {
  cli_text_str(out, first ? "[" : ",[");
  sim_put_vec(out, v, d->dim, SIM_LEAST_PLACE * d->size);
  cli_text_str(out, "]");
}

static void draw_ring(drawing *d, const graze_hull *hull) {
  cli_text_str(&d->faces, d->face_count++ > 0 ? ",[" : "[");
  for (size_t i = 0; i < hull->vertex_count; i++) put_vertex(&d->faces, hull->vertices[i], d, i == 0);
  cli_text_str(&d->faces, "]");
}

static void draw_solid(drawing *d, const graze_hull *hull) {
  for (size_t f = 0; f < hull->face_count; f++) {
    cli_text_str(&d->faces, d->face_count++ > 0 ? ",[" : "[");
    for (int32_t k = hull->face_start[f]; k < hull->face_start[f + 1]; k++) {
      if (k > hull->face_start[f]) cli_text_str(&d->faces, ",");
      cli_text_int(&d->faces, (long long)d->vertex_count + hull->face_vertices[k]);
    }
    cli_text_str(&d->faces, "]");
  }
  for (size_t i = 0; i < hull->vertex_count; i++)
    put_vertex(&d->vertices, hull->vertices[i], d, d->vertex_count++ == 0);
}

static void draw_points(drawing *d, const graze_vec *points, size_t count) {
  graze_hull hull;
  graze_status status = graze_hull_create(points, count, d->dim, NULL, &hull, NULL);
  if (status == GRAZE_OUT_OF_MEMORY) d->failed = true;
  if (status != GRAZE_OK) return;
  if (d->dim == 2)
    draw_ring(d, &hull);
  else
    draw_solid(d, &hull);
  graze_hull_destroy(&hull);
}

/* The point of the plane that is nearest what is looked at, and how much of the plane there is to see. */
static graze_vec plane_centre(const graze_body_def *def, graze_vec normal, const graze_aabb *view, double *reach) {
  graze_vec middle = vec_scale(vec_add(view->min, view->max), 0.5), p = def->pose.position;
  story_body back = {.placed = {.pose = {{0, 0, 0}, def->pose.w, -def->pose.x, -def->pose.y, -def->pose.z}}};
  graze_vec local = body_direction(&back, vec_sub(middle, p));
  *reach = 0.75 * vec_norm(vec_sub(view->max, view->min));
  return vec_sub(local,
                      vec_scale(normal, vec_dot(normal, local) - def->shape.offset - def->shape.margin));
}

/* A half-space is shown as a plate as large as the view. */
static void draw_plane(drawing *d, const graze_body_def *def, const graze_aabb *view) {
  graze_vec n = vec_unit(def->shape.extents), points[8];
  double reach;
  graze_vec middle = plane_centre(def, n, view, &reach), other = {fabs(n.x) < 0.6, fabs(n.x) >= 0.6, 0};
  d->size = reach;
  graze_vec u = d->dim == 2 ? (graze_vec){-n.y, n.x, 0} : vec_unit(vec_cross(n, other));
  graze_vec v = d->dim == 2 ? (graze_vec){0, 0, 0} : vec_cross(n, u);
  for (int i = 0; i < 8; i++) {
    graze_vec p = vec_add(middle, vec_scale(u, i & 1 ? reach : -reach));
    p = vec_add(p, vec_scale(v, i & 2 ? reach : -reach));
    points[i] = vec_sub(p, vec_scale(n, i & 4 ? reach / 30 : 0));
  }
  draw_points(d, points, 8);
}

static void draw_parts(drawing *d, const graze_body_def *def) {
  graze_placed whole = graze_place(&def->shape, graze_pose_at(0, 0, 0));
  size_t parts = graze_part_count(&whole);
  for (size_t i = 0; i < parts && !d->failed; i++) {
    story_body body = {.whole = &whole, .placed = whole, .frame = whole.pose};
    if (def->shape.kind == GRAZE_COMPOUND) {
      body.is_part = true;
      body.placed = graze_part(&whole, i);
    }
    size_t count;
    bool smooth;
    graze_vec *points = mesh_points(&body, &count, &smooth);
    if (points)
      draw_points(d, points, count);
    else
      d->failed = true;
    free(points);
  }
}

static void put_shape(cli_text *out, const graze_body_def *def, const graze_aabb *view, double size) {
  drawing d = {.dim = def->shape.dim, .size = size};
  if (def->shape.kind == GRAZE_HALFSPACE)
    draw_plane(&d, def, view);
  else
    draw_parts(&d, def);
  if (d.failed || d.vertices.failed || d.faces.failed) out->failed = true;
  if (d.dim == 3) {
    cli_text_str(out, "{\"vertices\":[");
    cli_text_bytes(out, d.vertices.data, d.vertices.size);
    cli_text_str(out, "],\"faces\":[");
  } else {
    cli_text_str(out, "{\"outlines\":[");
  }
  cli_text_bytes(out, d.faces.data, d.faces.size);
  cli_text_str(out, "]}");
  cli_text_free(&d.vertices);
  cli_text_free(&d.faces);
}

static bool same_vec(graze_vec u, graze_vec v) { return u.x == v.x && u.y == v.y && u.z == v.z; }

/* Do they look the same? Half-spaces show where they stand, and compounds are known by their address. */
static bool same_shape(const graze_shape *a, const graze_shape *b) {
  bool same = a->kind == b->kind && a->margin == b->margin && a->radius == b->radius &&
              a->half_length == b->half_length && same_vec(a->extents, b->extents) && a->compound == b->compound &&
              a->vertex_count == b->vertex_count && a->kind != GRAZE_HALFSPACE;
  for (int i = 0; same && i < 3; i++) same = same_vec(a->corners[i], b->corners[i]);
  for (size_t i = 0; same && i < a->vertex_count; i++) same = same_vec(a->vertices[i], b->vertices[i]);
  return same;
}

void sim_print_shapes(cli_text *out, const sim_scene *scene, const graze_aabb *view, size_t *shape_of) {
  size_t *first = calloc(scene->count + 1, sizeof *first), count = 0; /* the first body of each shape */
  if (first == NULL) out->failed = true;
  cli_text_str(out, "[");
  for (size_t i = 0; first && i < scene->count; i++) {
    const graze_body_def *def = &scene->bodies[i].def;
    size_t k = 0;
    while (k < count && !same_shape(&scene->bodies[first[k]].def.shape, &def->shape)) k++;
    shape_of[i] = k;
    if (k < count) continue;
    first[count++] = i;
    cli_text_str(out, k > 0 ? ",\n" : "\n");
    put_shape(out, def, view, sim_size_of(&def->shape));
  }
  cli_text_str(out, "]");
  free(first);
}
