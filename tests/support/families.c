/* The generator, the random families, and the text form of a pair. The degenerate families: families_degenerate.c. */
#include "support/families.h"

#include <graze/mesh.h>

#include "support/geometry.h"
#include "support/oracle/oracle.h"
#include "support/shapes.h"
#include "support/test.h"

graze_pose random_pose(rng *random, int dim, double spread) {
  graze_pose pose = {rng_vec(random, dim, spread), 0, 0, 0, 0};
  do {
    pose.w = rng_uniform(random, -1, 1);
    pose.z = rng_uniform(random, -1, 1);
    if (dim == 3) {
      pose.x = rng_uniform(random, -1, 1);
      pose.y = rng_uniform(random, -1, 1);
    }
  } while (pose.w == 0 && pose.x == 0 && pose.y == 0 && pose.z == 0);
  return pose;
}

/* ---- shapes */

graze_shape random_hull(rng *random, int dim, int count, graze_vec vertices[PAIR_VERTICES]) {
  graze_vec size = {rng_uniform(random, 0.3, 1.5), rng_uniform(random, 0.3, 1.5), rng_uniform(random, 0.3, 1.5)};
  bool round = rng_coin(random);
  for (int i = 0; i < count; i++) {
    graze_vec v = rng_vec(random, dim, 1);
    if (round && norm(v) > 0) v = scaled(1 / norm(v), v);
    vertices[i] = vec(v.x * size.x, v.y * size.y, v.z * size.z);
  }
  return hull_of(dim, vertices, count);
}

static int64_t turn(const int64_t p[2], const int64_t q[2], const int64_t r[2]) {
  return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

static void sort_points(int64_t point[][2], int count) {
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0; j--) {
      int64_t *p = point[j - 1], *q = point[j];
      if (p[0] < q[0] || (p[0] == q[0] && p[1] <= q[1])) break;
      int64_t x = p[0], y = p[1];
      p[0] = q[0], p[1] = q[1], q[0] = x, q[1] = y;
    }
}

/* The strictly convex hull of integer points, by the monotone chain (Andrew 1979). */
static int chain(int64_t point[][2], int count, int64_t out[][2]) {
  int n = 0;
  sort_points(point, count);
  for (int pass = 0; pass < 2; pass++) {
    int start = pass ? n : 1;
    for (int k = 0; k < count; k++) {
      const int64_t *p = point[pass ? count - 1 - k : k];
      while (n > start && turn(out[n - 2], out[n - 1], p) <= 0) n--;
      if (n > 0 && out[n - 1][0] == p[0] && out[n - 1][1] == p[1]) continue;
      out[n][0] = p[0];
      out[n++][1] = p[1];
    }
  }
  return n - 1;
}

/* Exactly convex, because it is the hull of points on a grid of 2^-26. */
graze_shape random_polygon(rng *random, graze_vec vertices[PAIR_VERTICES]) {
  int64_t point[16][2], out[40][2];
  int count = 0;
  while (count < 3) {
    int given = rng_between(random, 3, 16);
    int size_x = rng_between(random, 1 << 23, 1 << 26), size_y = rng_between(random, 1 << 23, 1 << 26);
    for (int i = 0; i < given; i++) {
      point[i][0] = rng_between(random, -size_x, size_x);
      point[i][1] = rng_between(random, -size_y, size_y);
    }
    count = chain(point, given, out);
  }
  bool clockwise = rng_coin(random);
  for (int i = 0; i < count; i++) {
    const int64_t *p = out[clockwise ? count - 1 - i : i];
    vertices[i] = (graze_vec){ldexp((double)p[0], -26), ldexp((double)p[1], -26), 0};
  }
  return graze_polygon(vertices, (size_t)count);
}

graze_shape random_odd_polygon(rng *random, graze_vec vertices[PAIR_VERTICES]) {
  static const double x[] = {0, 1, 2, 3, 3, 2, 1, 0}, y[] = {0, 0, 0, 1, 2, 3, 3, 2};
  const double hair[] = {0, 0x1p-60, 0x1p-40, 0x1p-20};
  const size_t first = rng_index(random, 8);
  const bool back = rng_coin(random);
  size_t count = 0;
  for (size_t i = 0; i < 8; i++) {
    const size_t k = (back ? first + 8 - i : first + i) % 8;
    const double slip = k == 0 ? hair[rng_below(random, 4)] : 0; /* at (0, 0), up and to the right */
    const graze_vec at = {x[k], y[k], 0}, beside = {slip, 0, 0};
    if (rng_below(random, 4) == 0 && k != 0) continue;
    vertices[count++] = at;
    if (rng_coin(random)) vertices[count++] = k == 0 && !back ? beside : at;
  }
  return graze_polygon(vertices, count);
}

void random_few_corners(rng *random, double thickness, int most, shape_pair *pair) {
  const graze_vec p = rng_vec(random, 2, 1), q = rng_vec(random, 2, 1), r = rng_vec(random, 2, 1);
  const graze_shape kinds[] = {graze_triangle2(p, q, r), graze_box2(1, thickness), graze_segment2(p, q), graze_point2(),
                               graze_capsule2(0, 0.5)};
  pair->a = kinds[rng_below(random, 5)], pair->b = kinds[rng_below(random, most)];
}

graze_shape random_curved(rng *random, int dim, double least) {
  const double x = rng_uniform(random, least, 1), y = rng_uniform(random, least, 1);
  if (dim == 2) return graze_ellipse(x, y);
  switch (rng_below(random, 3)) {
  case 0: return graze_ellipsoid(x, y, rng_uniform(random, least, 1));
  case 1: return graze_cylinder(x, y);
  default: return graze_cone(x, y);
  }
}

static graze_shape any_kind(rng *random, int dim, graze_vec vertices[PAIR_VERTICES]) {
  const graze_vec p = rng_vec(random, dim, 1), q = rng_vec(random, dim, 1), r = rng_vec(random, dim, 1);
  double half;
  switch (rng_below(random, dim == 2 ? 9 : 8)) {
  case 0: return point_of(dim);
  case 1: return segment_of(dim, p, q);
  case 2: return dim == 2 ? graze_triangle2(p, q, r) : graze_triangle(p, q, r);
  case 3: return ball_of(dim, rng_uniform(random, 0.1, 1));
  case 4: half = rng_uniform(random, 0.1, 1); return capsule_of(dim, rng_uniform(random, 0.1, 0.6), half);
  case 5: return random_hull(random, dim, dim == 2 ? rng_between(random, 3, 20) : rng_between(random, 4, 40), vertices);
  case 6:
    if (dim == 3) return random_box(random, 3);
    half = rng_uniform(random, 0.1, 1);
    return graze_box2(rng_uniform(random, 0.1, 1), half);
  default: return dim == 2 ? random_polygon(random, vertices) : random_box(random, dim);
  }
}

graze_shape random_shape(rng *random, int dim, graze_vec vertices[PAIR_VERTICES]) {
  graze_shape shape = any_kind(random, dim, vertices);
  return rng_coin(random) ? graze_with_margin(shape, rng_uniform(random, 0, 0.5)) : shape;
}

/* ---- random families */

void place_near(rng *random, shape_pair *pair, double spread, double spread_b) {
  int dim = pair->a.dim;
  pair->pose_a = random_pose(random, dim, spread);
  pair->pose_b = random_pose(random, dim, spread_b);
  pair->pose_b.position = add(pair->pose_b.position, pair->pose_a.position);
}

graze_shape random_box(rng *random, int dim) {
  double x = rng_uniform(random, 0.1, 1), y = rng_uniform(random, 0.1, 1), z = rng_uniform(random, 0.1, 1);
  return box_of(dim, x, y, z);
}

static void boxes(rng *random, shape_pair *pair, int dim, double spread_b) {
  pair->a = random_box(random, dim), pair->b = random_box(random, dim);
  place_near(random, pair, 5, spread_b);
}

static void boxes_3d(rng *random, shape_pair *pair) { boxes(random, pair, 3, 1.3); }
static void boxes_2d(rng *random, shape_pair *pair) { boxes(random, pair, 2, 1.6); }

static void hulls_3d(rng *random, shape_pair *pair) {
  pair->a = random_hull(random, 3, rng_between(random, 4, 40), pair->vertices_a);
  pair->b = random_hull(random, 3, rng_between(random, 4, 40), pair->vertices_b);
  place_near(random, pair, 5, 1.4);
}

static void polygons_2d(rng *random, shape_pair *pair) {
  pair->a = random_polygon(random, pair->vertices_a), pair->b = random_polygon(random, pair->vertices_b);
  place_near(random, pair, 5, 1.1);
}

void random_pair(rng *random, int dim, double spread_b, shape_pair *pair) {
  pair->a = random_shape(random, dim, pair->vertices_a);
  pair->b = random_shape(random, dim, pair->vertices_b);
  place_near(random, pair, 5, spread_b);
}

static void mixed_3d(rng *random, shape_pair *pair) { random_pair(random, 3, 1.0, pair); }
static void mixed_2d(rng *random, shape_pair *pair) { random_pair(random, 2, 1.3, pair); }

const family families_random[] = {
    {"random boxes 3D", boxes_3d, 30, 70, 3},    {"random hulls 3D", hulls_3d, 30, 70, 3},
    {"random kinds 3D", mixed_3d, 30, 70, 3},    {"random boxes 2D", boxes_2d, 30, 70, 3},
    {"random polygons", polygons_2d, 30, 70, 3}, {"random kinds 2D", mixed_2d, 30, 70, 3},
};
const int families_random_count = (int)COUNT(families_random);

/* ---- scaling and text */

static void scale_shape(graze_shape *shape, graze_vec *vertices, double factor) {
  scale_parameters(shape, factor);
  for (size_t i = 0; i < points_of(shape); i++) vertices[i] = scaled(factor, vertices[i]);
}

void hulls_of_polygons(shape_pair *pair) {
  if (pair->a.kind == GRAZE_POLYGON) pair->a.kind = GRAZE_HULL;
  if (pair->b.kind == GRAZE_POLYGON) pair->b.kind = GRAZE_HULL;
}

void move_pair(shape_pair *pair, graze_vec by) {
  pair->pose_a.position = add(pair->pose_a.position, by);
  pair->pose_b.position = add(pair->pose_b.position, by);
}

void exchange_shapes(shape_pair *pair) {
  const shape_pair old = *pair;
  pair->a = old.b, pair->b = old.a;
  memcpy(pair->vertices_a, old.vertices_b, sizeof old.vertices_b);
  memcpy(pair->vertices_b, old.vertices_a, sizeof old.vertices_a);
  if (pair->a.kind == GRAZE_POLYGON || pair->a.kind == GRAZE_HULL) pair->a.as.hull.vertices = pair->vertices_a;
  if (pair->b.kind == GRAZE_POLYGON || pair->b.kind == GRAZE_HULL) pair->b.as.hull.vertices = pair->vertices_b;
}

graze_shape box_hull(int dim, graze_vec half, graze_vec center, graze_vec vertices[8]) {
  const graze_shape box = box_of(dim, half.x, half.y, half.z);
  for (int i = 0; i < 1 << dim; i++) vertices[i] = add(oracle_core_vertex(&box, i), center);
  return hull_of(dim, vertices, 1 << dim);
}

void scale_pair(shape_pair *pair, double factor) {
  scale_shape(&pair->a, pair->vertices_a, factor);
  scale_shape(&pair->b, pair->vertices_b, factor);
  pair->pose_a.position = scaled(factor, pair->pose_a.position);
  pair->pose_b.position = scaled(factor, pair->pose_b.position);
}

static void print_vec(FILE *out, int dim, graze_vec v) {
  fprintf(out, "[%.17g,%.17g", v.x, v.y);
  if (dim == 3) fprintf(out, ",%.17g", v.z);
  fputc(']', out);
}

static void print_vertices(FILE *out, int dim, const graze_vec *v, size_t count) {
  for (size_t i = 0; i < count; i++) {
    fputs(i ? "," : ",\"vertices\":[", out);
    print_vec(out, dim, v[i]);
  }
  if (count > 0) fputc(']', out);
}

static void print_mesh(FILE *out, const graze_mesh *mesh) {
  const graze_mesh_def def = graze_mesh_faces(mesh);
  print_vertices(out, def.dim, def.vertices, def.vertex_count);
  for (size_t i = 0; i < def.face_count; i++) {
    const int32_t *face = def.faces + (size_t)def.dim * i;
    fprintf(out, "%s[%d,%d", i ? "," : def.dim == 2 ? ",\"edges\":[" : ",\"triangles\":[", (int)face[0], (int)face[1]);
    if (def.dim == 3) fprintf(out, ",%d", (int)face[2]);
    fputc(']', out);
  }
  fprintf(out, "],\"solid\":%s", graze_mesh_is_solid(mesh) ? "true" : "false");
}

static void print_placed(FILE *out, const graze_shape *s, const graze_pose *pose) {
  static const char *const name[] = {"",          "point",  "segment",  "triangle",  "box",      "polygon",
                                     "hull",      "sphere", "capsule",  "ellipsoid", "cylinder", "cone",
                                     "halfspace", "user",   "compound", "mesh"};
  static const char *const vectors[] = {
      [GRAZE_BOX] = "half_extents", [GRAZE_ELLIPSOID] = "radii", [GRAZE_HALFSPACE] = "normal"};
  const int k = (int)s->kind;
  const bool flat = s->dim == 2;
  fprintf(out, "{\"type\":\"%s\"",
          flat && k == GRAZE_SPHERE      ? "circle"
          : flat && k == GRAZE_ELLIPSOID ? "ellipse"
                                         : name[k]);
  print_vertices(out, s->dim, s->as.segment.vertices, k == GRAZE_SEGMENT ? 2 : k == GRAZE_TRIANGLE ? 3 : 0);
  print_vertices(out, s->dim, s->as.polygon.vertices, k == GRAZE_POLYGON || k == GRAZE_HULL ? s->as.polygon.count : 0);
  if (k == GRAZE_MESH) print_mesh(out, s->as.mesh);
  if (k < (int)COUNT(vectors) && vectors[k]) {
    fprintf(out, ",\"%s\":", vectors[k]);
    print_vec(out, s->dim, s->as.box.half_extents);
  }
  const bool round = k == GRAZE_CAPSULE || k == GRAZE_CYLINDER || k == GRAZE_CONE;
  if (round || k == GRAZE_SPHERE) fprintf(out, ",\"radius\":%.17g", s->as.sphere.radius);
  if (round) fprintf(out, ",\"half_length\":%.17g", s->as.capsule.half_length);
  if (k == GRAZE_HALFSPACE) fprintf(out, ",\"offset\":%.17g", s->as.halfspace.offset);
  if (s->margin > 0) fprintf(out, ",\"margin\":%.17g", s->margin);
  fputs(",\"position\":", out);
  print_vec(out, s->dim, pose->position);
  if (flat)
    fprintf(out, ",\"rotation\":[%.17g,%.17g]}", pose->w, pose->z);
  else
    fprintf(out, ",\"rotation\":[%.17g,%.17g,%.17g,%.17g]}", pose->w, pose->x, pose->y, pose->z);
}

static void print_pair(FILE *out, const char *id, const char *query, const graze_shape *a, const graze_pose *pose_a,
                       const graze_shape *b, const graze_pose *pose_b) {
  fprintf(out, "{\"id\":\"%s\",\"dim\":%d,\"query\":\"%s\",\"a\":", id, a->dim, query);
  print_placed(out, a, pose_a);
  fputs(",\"b\":", out);
  print_placed(out, b, pose_b);
}

void print_query_line(FILE *out, const char *id, const char *query, const graze_shape *a, const graze_pose *pose_a,
                      const graze_shape *b, const graze_pose *pose_b) {
  print_pair(out, id, query, a, pose_a, b, pose_b);
  fputs("}\n", out);
}

void print_motion_line(FILE *out, const char *id, const char *query, const shape_pair *p, double clearance,
                       const graze_motion *motion_a, const graze_motion *motion_b, double t_max) {
  const bool turns = !strcmp(query, "toi");
  print_pair(out, id, query, &p->a, &p->pose_a, &p->b, &p->pose_b);
  fprintf(out, ",\"clearance\":%.17g,\"motion\":{\"type\":\"%s\"", clearance, turns ? "rotational" : "linear");
  for (int body = 0; body < 2; body++) {
    const graze_motion *m = body ? motion_b : motion_a;
    fprintf(out, ",\"velocity_%c\":", "ab"[body]);
    print_vec(out, p->a.dim, m->velocity);
    if (!turns) continue;
    fprintf(out, ",\"angular_velocity_%c\":", "ab"[body]);
    if (p->a.dim == 2)
      fprintf(out, "%.17g", m->angular.z);
    else
      print_vec(out, 3, m->angular);
  }
  if (turns || isfinite(t_max))
    fprintf(out, ",\"t_max\":%.17g}}\n", turns ? fmin(t_max, 1e40) : t_max);
  else
    fputs(",\"t_max\":null}}\n", out);
}
