/* graze_validate_mesh() with intersections, against brute force over all pairs of faces. Vertices are small integers,
 * so the signs of the brute force are exact. */

#include <graze/mesh.h>

#include "support/test.h"
#include "support/geometry.h"
#include "support/random.h"
#include "support/tier.h"

enum { VERTICES_MAX = 16, FACES_MAX = 16, PAIRS_MAX = FACES_MAX * FACES_MAX };

/* The mesh under test. */
static graze_vec vertices[VERTICES_MAX];
static int32_t faces[3 * FACES_MAX];
static graze_mesh_def def;

static void begin(int dim, size_t vertex_count, size_t face_count) {
  def = (graze_mesh_def){
      .dim = dim, .vertices = vertices, .vertex_count = vertex_count, .faces = faces, .face_count = face_count};
}

/* ---- Brute force */

static graze_vec corner(size_t face, int k) {
  return vertices[faces[(size_t)def.dim * face + (size_t)k % (size_t)def.dim]];
}

static bool equal(graze_vec u, graze_vec v) { return u.x == v.x && u.y == v.y && u.z == v.z; }
static bool is_zero(graze_vec v) { return equal(v, vec(0, 0, 0)); }

static bool is_degenerate(size_t f) {
  const graze_vec edge = sub(corner(f, 1), corner(f, 0));
  return is_zero(def.dim == 2 ? edge : cross(edge, sub(corner(f, 2), corner(f, 0))));
}

static bool shapes_meet(graze_shape a, graze_shape b) {
  const graze_placed p = graze_place(&a, identity), q = graze_place(&b, identity);
  graze_answer answer;
  assert_int_equal(graze_intersect(&p, &q, NULL, &answer), GRAZE_OK);
  return answer.relation != GRAZE_SEPARATED;
}

/* A face, with its corners at `scale` times their distance from a point. */
static graze_shape face_about(size_t f, graze_vec center, double scale) {
  graze_vec v[3];
  for (int k = 0; k < 3; k++) v[k] = add_scaled(center, scale, sub(corner(f, k), center));
  return def.dim == 2 ? graze_segment2(v[0], v[1]) : graze_triangle(v[0], v[1], v[2]);
}

/* Triangles with one common corner: the cones from there meet if the opposite edge of one meets a much larger triangle
 * of the other. */
static bool cones_meet(size_t f, int k, size_t g) {
  const graze_vec center = corner(f, k);
  return shapes_meet(graze_segment(corner(f, k + 1), corner(f, k + 2)), face_about(g, center, 0x1p20));
}

/* Whether u and v, from a common point or edge, have the same direction. */
static bool same_direction(graze_vec u, graze_vec v) { return is_zero(cross(u, v)) && dot(u, v) > 0; }

/* Whether two faces meet outside their common vertices and edges; *kind is the number of common vertices. */
static bool meets(size_t f, size_t g, int *kind) {
  int at[9], to[9], count = 0;
  if (is_degenerate(f) || is_degenerate(g)) return false;
  for (int i = 0; i < def.dim; i++)
    for (int k = 0; k < def.dim; k++)
      if (equal(corner(f, i), corner(g, k))) at[count] = i, to[count++] = k;
  *kind = count;
  if (count == def.dim) return false;
  if (count == 0) return shapes_meet(face_about(f, vec(0, 0, 0), 1), face_about(g, vec(0, 0, 0), 1));
  const graze_vec p = corner(f, at[0]);
  if (def.dim == 2) return same_direction(sub(corner(f, at[0] + 1), p), sub(corner(g, to[0] + 1), p));
  if (count == 1) return cones_meet(f, at[0], g);
  const graze_vec edge = sub(corner(f, at[1]), p);
  return same_direction(cross(edge, sub(corner(f, 3 - at[0] - at[1]), p)),
                        cross(edge, sub(corner(g, 3 - to[0] - to[1]), p)));
}

/* How many meshes and intersections were found, by the number of common vertices. */
static int meshes, found[3], clean;

static void check(void) {
  graze_mesh_error wanted[PAIRS_MAX];
  size_t count = 0;
  int kind = 0;
  for (size_t f = 0; f < def.face_count; f++)
    for (size_t g = 0; g < f; g++)
      if (meets(f, g, &kind))
        wanted[count++] = (graze_mesh_error){GRAZE_MESH_INTERSECTION, (int32_t)f, 0, (int32_t)g}, found[kind]++;
  meshes++, clean += count == 0;
  graze_mesh_report plain, report;
  assert_int_equal(graze_validate_mesh(&def, false, NULL, &plain, NULL), GRAZE_OK);
  assert_int_equal(graze_validate_mesh(&def, true, NULL, &report, NULL), GRAZE_OK);
  assert_int_equal(report.error_count, plain.error_count + count);
  for (size_t i = 0; i < report.error_count; i++) {
    const graze_mesh_error *e = &report.errors[i];
    const graze_mesh_error *w = i < plain.error_count ? &plain.errors[i] : &wanted[i - plain.error_count];
    assert_true(e->kind == w->kind && e->face == w->face && e->corner == w->corner && e->other == w->other);
  }
  assert_true(report.closed == plain.closed && report.oriented == plain.oriented && report.volume == plain.volume);
  graze_mesh_report_destroy(&plain), graze_mesh_report_destroy(&report);
}

/* Prints the counts, and requires that each kind occurs in at least 1 of 50 meshes. */
static void expect_counts(int dim) {
  print_message("%d meshes, %d without intersections; %d, %d, %d with 0, 1, 2 common vertices\n", meshes, clean,
                found[0], found[1], found[2]);
  assert_true(50 * clean >= meshes);
  for (int k = 0; k < dim; k++) assert_true(50 * found[k] >= meshes);
}

/* ---- Tests */

/* Faces that consist of one or two vertices have many pairs of equal corners. */
TEST(degenerate_faces) {
  for (int dim = 2; dim <= 3; dim++) {
    begin(dim, 3, 6);
    vertices[0] = vec(0, 0, 0), vertices[1] = vec(1, 0, 0), vertices[2] = vec(0, 1, 0);
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < dim; k++) faces[dim * i + k] = i < 3 ? 0 : i < 5 ? (k + i) % 2 : k;
    check();
  }
}

/* Two triangles that touch at an inner point of both edges, cross each other, or lie in one plane. */
TEST(known_pairs) {
  static const struct {
    graze_vec v[3];
    bool meets;
  } row[] = {{{{1, 1, 0}, {1, 1, 2}, {2, 1, 2}}, true},    {{{1, 1, -1}, {1, 1, 2}, {2, 1, 2}}, true},
             {{{1, 1, 1}, {1, 1, 2}, {2, 1, 2}}, false},   {{{0, 0, 0}, {-4, 0, 0}, {0, -4, 0}}, false},
             {{{0, 0, 0}, {2, 2, 0}, {9, 9, 3}}, true},    {{{0, 0, 0}, {4, 0, 0}, {2, 0, 3}}, false},
             {{{0, 0, 0}, {4, 0, 0}, {2, 9, 0}}, true},    {{{0, 0, 0}, {4, 0, 0}, {2, -9, 0}}, false},
             {{{0, 0, 0}, {2, 0, 0}, {2, 0, 3}}, true},    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, false},
             {{{2, 2, 0}, {2, 2, 5}, {5, 5, 0}}, true},    {{{0, 0, 0}, {9, 9, 3}, {9, 9, -3}}, true},
             {{{0, 0, 0}, {-9, 9, 3}, {-9, 9, -3}}, false}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    int kind;
    begin(3, 6, 2);
    vertices[0] = vec(0, 0, 0), vertices[1] = vec(4, 0, 0), vertices[2] = vec(0, 4, 0);
    for (int k = 0; k < 3; k++) vertices[3 + k] = row[i].v[k];
    for (int k = 0; k < 6; k++) faces[k] = k;
    assert_int_equal(meets(0, 1, &kind), row[i].meets);
    check();
  }
}

/* Seed 91. Small coordinates cause contacts, larger ones general positions. */
TEST(random_faces) {
  rng random = 91;
  for (int dim = 2; dim <= 3; dim++) {
    meshes = clean = 0, memset(found, 0, sizeof found);
    for (int i = 0; i < tiered(9000, 18000, 300000); i++) {
      const int half = 1 << 2 * (i % 3), vertex_count = rng_between(&random, 3, 12);
      const int face_count = rng_between(&random, 2, 6);
      begin(dim, (size_t)vertex_count, (size_t)face_count);
      for (int k = 0; k < vertex_count; k++) vertices[k] = rng_lattice_vec(&random, dim, -half, half);
      for (int k = 0; k < dim * face_count; k++) faces[k] = rng_below(&random, vertex_count);
      check();
    }
    expect_counts(dim);
  }
}
