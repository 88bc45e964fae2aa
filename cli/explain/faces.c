/* The faces of meshes for drawing, and the rays that hit them. */
#include "explain/story.h"

#include <math.h>
#include <stdlib.h>

/* ---- The drawn faces */

typedef struct ranked_face {
  double distance; /* squared, of its middle */
  int32_t face;
} ranked_face;

static int compare_distances(const void *x, const void *y) {
  const ranked_face *a = x, *b = y;
  if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
  return (a->face > b->face) - (a->face < b->face);
}

static int compare_faces(const void *x, const void *y) {
  const ranked_face *a = x, *b = y;
  return (a->face > b->face) - (a->face < b->face);
}

static story_body whole_of(const graze_placed *placed) {
  return (story_body){.whole = placed, .placed = *placed, .part = -1};
}

/* The faces of a mesh by their indices; if not all are drawn, first those that the ray hits, and those nearest a point.
 * NULL: out of memory. */
static ranked_face *rank_faces(const story_body *whole, const graze_mesh_def *def, graze_vec near,
                               const story_ray *ray) {
  const size_t dim = (size_t)def->dim;
  ranked_face *ranked = malloc(def->face_count * sizeof *ranked);
  for (size_t i = 0; ranked && i < def->face_count; i++) {
    graze_vec sum = {0, 0, 0};
    for (size_t k = 0; k < dim; k++) sum = vec_add(sum, def->vertices[def->faces[dim * i + k]]);
    const graze_vec offset = vec_sub(body_point(whole, vec_scale(sum, 1 / (double)dim)), near);
    ranked[i] = (ranked_face){vec_dot(offset, offset), (int32_t)i};
  }
  if (ranked == NULL || def->face_count <= STORY_MAX_FACES) return ranked;
  for (size_t i = 0; ray && i < ray->count; i++) ranked[ray->hits[i].face].distance = -1;
  qsort(ranked, def->face_count, sizeof *ranked, compare_distances);
  qsort(ranked, STORY_MAX_FACES, sizeof *ranked, compare_faces);
  return ranked;
}

bool faces_of_body(const story_body *body, const graze_mesh *mesh, graze_vec near, const story_ray *ray,
                   story_faces *faces) {
  const graze_mesh_def def = graze_mesh_faces(mesh);
  const story_body whole = whole_of(body->whole);
  const size_t dim = (size_t)def.dim, total = def.face_count;
  const size_t count = total < STORY_MAX_FACES ? total : STORY_MAX_FACES;
  *faces = (story_faces){.total = total};
  ranked_face *ranked = rank_faces(&whole, &def, near, ray);
  int32_t *place = malloc(def.vertex_count * sizeof *place); /* of a vertex in the points; -1: none */
  faces->points = malloc(dim * count * sizeof *faces->points);
  faces->corners = malloc(dim * count * sizeof *faces->corners);
  if (count < total) faces->dots = malloc(STORY_MAX_DOTS * sizeof *faces->dots);
  const bool good = ranked && place && faces->points && faces->corners && (faces->dots || count == total);
  for (size_t i = 0; good && i < def.vertex_count; i++) place[i] = -1;
  for (size_t i = 0; good && i < dim * count; i++) {
    const int32_t vertex = def.faces[dim * (size_t)ranked[i / dim].face + i % dim];
    if (place[vertex] < 0) {
      place[vertex] = (int32_t)faces->point_count;
      faces->points[faces->point_count++] = body_point(&whole, def.vertices[vertex]);
    }
    faces->corners[i] = place[vertex];
  }
  /* The multiples of the golden ratio are spread evenly over the vertices, and follow no rows of a grid. */
  for (int i = 0; good && faces->dots && i < STORY_MAX_DOTS; i++) {
    const double share = i * 0.6180339887498949 - floor(i * 0.6180339887498949);
    faces->dots[faces->dot_count++] = body_point(&whole, def.vertices[(size_t)(share * (double)def.vertex_count)]);
  }
  free(ranked);
  free(place);
  if (good) faces->count = count;
  faces->solid = graze_mesh_is_solid(mesh) && count == total;
  if (!good) faces_free(faces);
  return good;
}

void faces_free(story_faces *faces) {
  free(faces->points);
  free(faces->corners);
  free(faces->dots);
  *faces = (story_faces){0};
}

bool faces_contain(const story_faces *faces, graze_vec at) {
  bool inside = false;
  for (size_t i = 0; i < faces->count; i++) {
    const graze_vec p = faces->points[faces->corners[2 * i]], q = faces->points[faces->corners[2 * i + 1]];
    if ((p.y > at.y) != (q.y > at.y) && p.x + (at.y - p.y) / (q.y - p.y) * (q.x - p.x) > at.x) inside = !inside;
  }
  return inside;
}

void bounds_add_faces(bounds *box, const story_faces *faces) {
  for (size_t i = 0; i < faces->point_count; i++) bounds_add(box, faces->points[i]);
}

/* ---- Rays */

/* Zero for a coordinate that is lost in the width of the interval of t. */
static double without_rounding(double x, double size) { return fabs(x) > 1e-11 * size ? x : 0; }

static bool add_hit(void *context, const graze_cast_result *result) {
  story_ray *ray = context;
  ray->failed = !cli_grow(&ray->hits, sizeof *ray->hits, &ray->capacity, ray->count + 1);
  if (ray->failed) return false;
  const graze_vec p = result->point;
  const double size = vec_norm_inf(p);
  ray->hits[ray->count++] = (story_hit){
      result->part_a,
      result->t,
      {without_rounding(p.x, size), without_rounding(p.y, size), without_rounding(p.z, size)},
  };
  return true;
}

static int compare_hits(const void *x, const void *y) {
  const story_hit *a = x, *b = y;
  if (a->t != b->t) return a->t < b->t ? -1 : 1;
  return (a->face > b->face) - (a->face < b->face);
}

/* Collects the faces that a ray hits. */
static story_ray shoot(const story_body *target, graze_vec origin, graze_vec direction, double t_max,
                       const graze_cast_options *options) {
  story_ray ray = {.origin = origin, .direction = direction};
  if (graze_raycast_parts(target->whole, origin, direction, t_max, options, add_hit, &ray) == GRAZE_OK)
    ray.target = target;
  if (ray.count > 0) qsort(ray.hits, ray.count, sizeof *ray.hits, compare_hits);
  return ray;
}

/* True if the ray visibly shows that its origin is inside: it hits an odd number of faces, one after the other, and so
 * no edge. */
static bool is_odd(const story_ray *ray) {
  for (size_t i = 0; i < ray->count; i++) {
    const double before = i > 0 ? ray->hits[i - 1].t : 0;
    if (!(ray->hits[i].t - before > 1e-9 * ray->hits[i].t)) return false;
  }
  return ray->target && ray->count % 2 == 1;
}

/* The shorter of two rays that show that their origin is inside; the other one is freed. */
static story_ray shorter(story_ray a, story_ray b) {
  const bool keep = is_odd(&a) && (!is_odd(&b) || a.hits[a.count - 1].t <= b.hits[b.count - 1].t);
  free(keep ? b.hits : a.hits);
  if (b.failed || a.failed) b.failed = a.failed = true;
  return keep ? a : b;
}

graze_vec contained_point(const story *s) {
  const graze_certificate *c = story_certificate(s);
  const bool in_a = c->kind == GRAZE_CERTIFICATE_IN_A;
  const cli_body *given = in_a ? &s->request->b : &s->request->a;
  const story_body *body = in_a ? &s->b : &s->a;
  const story_body whole = whole_of(body->whole);
  graze_vec sum = {0, 0, 0};
  for (int i = 0; i < c->pair_count; i++) {
    const int32_t index = in_a ? c->pairs[i].b : c->pairs[i].a;
    graze_vec local;
    if (index < 0)
      local = c->points[-1 - index];
    else if (given->mesh)
      local = graze_mesh_faces(given->mesh).vertices[index];
    else
      local = graze_vertex(&body->placed.shape, (size_t)index);
    sum = vec_add(sum, body_point(given->mesh ? &whole : body, local));
  }
  return vec_scale(sum, 1 / (double)c->pair_count);
}

/* A ray along an axis of the solid, or if these meet edges, along another direction. */
static story_ray ray_from_inside(const story *s) {
  static const graze_vec skew[] = {{1, 0.31, 0.17}, {-0.23, 1, 0.41}, {0.37, -0.29, 1}, {-1, -0.43, 0.19}};
  const story_body *solid = story_certificate(s)->kind == GRAZE_CERTIFICATE_IN_A ? &s->a : &s->b;
  const story_body whole = whole_of(solid->whole);
  const graze_vec origin = contained_point(s);
  graze_cast_options options = graze_default_cast_options();
  story_ray best = {0};
  for (int k = 0; k < 2 * s->dim; k++) {
    const double sign = k % 2 == 0 ? 1 : -1;
    const graze_vec axis = {k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0};
    best = shorter(best, shoot(solid, origin, body_direction(&whole, axis), INFINITY, &options));
  }
  for (size_t k = 0; !is_odd(&best) && k < sizeof skew / sizeof *skew; k++) {
    const graze_vec d = {skew[k].x, skew[k].y, s->dim == 2 ? 0 : skew[k].z};
    best = shorter(best, shoot(solid, origin, body_direction(&whole, d), INFINITY, &options));
  }
  if (!is_odd(&best)) best.target = NULL;
  return best;
}

bool ray_of_story(story *s) {
  const story_motion *m = s->motion;
  graze_cast_options options = s->request->cast;
  options.certificate = NULL; /* that of the answer is kept */
  if (m && m->ray && s->request->a.mesh)
    s->ray = shoot(&s->a, s->b.whole->pose.position, m->b.velocity, m->t_max, &options);
  else if (story_is_contained(s))
    s->ray = ray_from_inside(s);
  return !s->ray.failed;
}
