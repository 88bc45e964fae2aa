/* graze_validate_mesh() on known meshes, and against brute force over all pairs of edges in integers: every error, in
 * order, whether the mesh is closed and oriented, and its volume. Families: closed meshes with flipped, removed, copied
 * and degenerate faces, in random order, with equal vertices merged or not; random faces of few vertices. */

#include <graze/mesh.h>

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "support/random.h"

enum { VERTICES_MAX = 800, CORNERS_MAX = 800, ERRORS_MAX = 8 * CORNERS_MAX };

/* The mesh under test. */
static int dim;
static graze_vec vertices[VERTICES_MAX];
static size_t vertex_count;
static int32_t faces[CORNERS_MAX];
static size_t face_count;

static rng state;

/* ---- Construction. */

static void clear(int dimension) { dim = dimension, vertex_count = face_count = 0; }

static int32_t add_vertex(double x, double y, double z) {
  assert_in_range(vertex_count, 0, VERTICES_MAX - 1);
  vertices[vertex_count] = vec(x, y, z);
  return (int32_t)vertex_count++;
}

static int32_t *face(size_t f) { return faces + (size_t)dim * f; }

static void add_edge(int32_t a, int32_t b) {
  face(face_count)[0] = a, face(face_count)[1] = b;
  face_count++;
}

static void add_triangle(int32_t a, int32_t b, int32_t c) {
  assert_in_range(3 * face_count + 3, 0, CORNERS_MAX);
  face(face_count)[0] = a, face(face_count)[1] = b, face(face_count)[2] = c;
  face_count++;
}

static void add_quad(int32_t a, int32_t b, int32_t c, int32_t d) {
  add_triangle(a, b, c);
  add_triangle(a, c, d);
}

/* Twelve triangles that are counter-clockwise from outside, and eight vertices of their own. */
static void add_box(double x, double y, double z, double size) {
  static const int quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  const int32_t first = (int32_t)vertex_count;
  for (int i = 0; i < 8; i++) add_vertex(x + (i & 1 ? size : 0), y + (i & 2 ? size : 0), z + (i & 4 ? size : 0));
  for (int q = 0; q < 6; q++)
    add_quad(first + quads[q][0], first + quads[q][1], first + quads[q][2], first + quads[q][3]);
}

static void add_tetrahedron(double a, double b, double c) {
  const int32_t o = add_vertex(0, 0, 0), x = add_vertex(a, 0, 0), y = add_vertex(0, b, 0), z = add_vertex(0, 0, c);
  add_triangle(o, y, x), add_triangle(o, x, z), add_triangle(o, z, y), add_triangle(x, y, z);
}

/* Two apexes and n triangles around each. */
static void add_bipyramid(int n) {
  const int32_t top = add_vertex(0, 0, 500), bottom = add_vertex(0, 0, -300), ring = (int32_t)vertex_count;
  for (int i = 0; i < n; i++)
    add_vertex(rint(1000 * cos(6.283185307179586 * i / n)), rint(1000 * sin(6.283185307179586 * i / n)), 0);
  for (int i = 0; i < n; i++) {
    add_triangle(top, ring + i, ring + (i + 1) % n);
    add_triangle(bottom, ring + (i + 1) % n, ring + i);
  }
}

static void add_torus(int n, int m) {
  const int32_t first = (int32_t)vertex_count;
  for (int i = 0; i < n * m; i++) {
    const double a = 6.283185307179586 * (i / m) / n, b = 6.283185307179586 * (i % m) / m, r = 1000 + 300 * cos(b);
    add_vertex(rint(r * cos(a)), rint(r * sin(a)), rint(300 * sin(b)));
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) {
      const int32_t row = first + i * m, next = first + (i + 1) % n * m, column = (k + 1) % m;
      add_quad(row + k, next + k, next + column, row + column);
    }
}

/* A strip of n quads whose ends are joined after half a turn. */
static void add_moebius_strip(int n) {
  for (int i = 0; i < 2 * n; i++) add_vertex(i / 2 * 10 + i % 2, i * i % 17, i % 5);
  for (int i = 0; i < n; i++) {
    const bool last = i == n - 1;
    add_quad(2 * i, last ? 1 : 2 * i + 2, last ? 0 : 2 * i + 3, 2 * i + 1);
  }
}

/* The real projective plane with six vertices: each edge belongs to two triangles. */
static void add_projective_plane(void) {
  static const int triangle[10][3] = {{0, 1, 4}, {0, 1, 5}, {0, 2, 3}, {0, 2, 5}, {0, 3, 4},
                                      {1, 2, 3}, {1, 2, 4}, {1, 3, 5}, {2, 4, 5}, {3, 4, 5}};
  const int32_t first = (int32_t)vertex_count;
  for (int i = 0; i < 6; i++) add_vertex(i, i * i, i * i * i);
  for (int i = 0; i < 10; i++) add_triangle(first + triangle[i][0], first + triangle[i][1], first + triangle[i][2]);
}

/* A counter-clockwise polygon of n edges. */
static void add_polygon(int n, double x, double radius) {
  const int32_t first = (int32_t)vertex_count;
  for (int i = 0; i < n; i++)
    add_vertex(rint(x + radius * cos(6.283185307179586 * i / n)), rint(radius * sin(6.283185307179586 * i / n)), 0);
  for (int i = 0; i < n; i++) add_edge(first + i, first + (i + 1) % n);
}

/* Gives each corner a vertex of its own. Zeros have random signs. */
static void split_vertices(void) {
  static graze_vec copy[CORNERS_MAX];
  const size_t corners = (size_t)dim * face_count;
  for (size_t i = 0; i < corners; i++) {
    graze_vec v = vertices[faces[i]];
    if (v.x == 0 && rng_coin(&state)) v.x = -v.x;
    if (v.y == 0 && rng_coin(&state)) v.y = -v.y;
    if (v.z == 0 && rng_coin(&state)) v.z = -v.z;
    copy[i] = v;
  }
  memcpy(vertices, copy, corners * sizeof *copy);
  for (size_t i = 0; i < corners; i++) faces[i] = (int32_t)i;
  vertex_count = corners;
}

static void flip_face(size_t f) {
  const int32_t corner = face(f)[0];
  face(f)[0] = face(f)[1], face(f)[1] = corner;
}

static void copy_face(size_t to, size_t from) { memmove(face(to), face(from), (size_t)dim * sizeof(int32_t)); }

static void exchange_faces(size_t f, size_t g) {
  int32_t keep[3];
  memcpy(keep, face(f), (size_t)dim * sizeof *keep);
  copy_face(f, g);
  memcpy(face(g), keep, (size_t)dim * sizeof *keep);
}

/* Brings faces into random order, and in 3D the corners of each face. */
static void shuffle(void) {
  for (size_t f = 0; f < face_count; f++) {
    exchange_faces(f, f + rng_index(&state, face_count - f));
    for (int turns = dim == 3 ? rng_below(&state, 3) : 0; turns > 0; turns--) {
      const int32_t corner = face(f)[0];
      face(f)[0] = face(f)[1], face(f)[1] = face(f)[2], face(f)[2] = corner;
    }
  }
}

/* ---- Validation. */

static graze_mesh_def definition(void) {
  return (graze_mesh_def){
      .dim = dim, .vertices = vertices, .vertex_count = vertex_count, .faces = faces, .face_count = face_count};
}

static graze_mesh_report validate(void) {
  const graze_mesh_def def = definition();
  graze_mesh_report report;
  graze_error error = {.status = GRAZE_REFUTED, .index = 7, .value = 7};
  memset(&report, 0x5a, sizeof report);
  assert_int_equal(graze_validate_mesh(&def, false, NULL, &report, &error), GRAZE_OK);
  assert_int_equal(error.status, GRAZE_OK);
  return report;
}

static void print_errors(const char *title, const graze_mesh_error *list, size_t count) {
  print_message("%s: %zu errors\n", title, count);
  for (size_t i = 0; i < count; i++)
    print_message("  %s face %d corner %d other %d\n", graze_mesh_error_text(list[i].kind), list[i].face,
                  list[i].corner, list[i].other);
}

static void expect_list(const graze_mesh_report *report, const graze_mesh_error *list, size_t count) {
  bool same = report->error_count == count && (report->errors != NULL) == (count > 0);
  for (size_t i = 0; same && i < count; i++) {
    const graze_mesh_error *a = &report->errors[i], *b = &list[i];
    same = a->kind == b->kind && a->face == b->face && a->corner == b->corner && a->other == b->other;
  }
  if (same) return;
  for (size_t f = 0; f < face_count; f++) {
    print_message("face %zu:", f);
    for (int k = 0; k < dim; k++) print_message(" %d", face(f)[k]);
    print_message("\n");
  }
  print_errors("reported", report->errors, report->error_count);
  print_errors("expected", list, count);
  fail_msg("the errors differ");
}

/* Validates the mesh and compares the whole report. */
static void expect(bool closed, bool oriented, double volume, const graze_mesh_error *list, size_t count) {
  graze_mesh_report report = validate();
  expect_list(&report, list, count);
  assert_int_equal(report.closed, closed);
  assert_int_equal(report.oriented, oriented);
  if (!(fabs(report.volume - volume) <= 4e-16 * fabs(volume)))
    fail_msg("volume %a, expected %a", report.volume, volume);
  graze_mesh_report_destroy(&report);
  graze_mesh_report_destroy(&report); /* a zeroed report */
  assert_null(report.errors);
}

#define EXPECT(closed, oriented, volume, ...)                                                                          \
  do {                                                                                                                 \
    const graze_mesh_error list[] = {__VA_ARGS__};                                                                     \
    expect(closed, oriented, volume, list, COUNT(list));                                                               \
  } while (0)

/* ---- Brute force. Coordinates are integers. */

static graze_mesh_error wanted[ERRORS_MAX];
static size_t wanted_count;

static void want(graze_mesh_error_kind kind, size_t corner, ptrdiff_t other) {
  const size_t f = corner / (size_t)dim;
  assert_in_range(wanted_count, 0, ERRORS_MAX - 1);
  wanted[wanted_count++] = (graze_mesh_error){kind, (int32_t)f, (int32_t)(corner % (size_t)dim), (int32_t)other};
}

static bool is_index(int32_t i) { return i >= 0 && (size_t)i < vertex_count; }

static bool is_usable(size_t f) {
  bool usable = true;
  for (int k = 0; k < dim; k++) usable = usable && is_index(face(f)[k]);
  return usable;
}

static bool same_place(int32_t a, int32_t b) {
  return vertices[a].x == vertices[b].x && vertices[a].y == vertices[b].y && vertices[a].z == vertices[b].z;
}

static bool is_degenerate(size_t f) {
  const int32_t *corner = face(f);
  if (dim == 2) return same_place(corner[0], corner[1]);
  const graze_vec a = vertices[corner[0]], n = cross(sub(vertices[corner[1]], a), sub(vertices[corner[2]], a));
  return n.x == 0 && n.y == 0 && n.z == 0;
}

static bool contains_all(size_t f, size_t g) {
  for (int k = 0; k < dim; k++) {
    bool found = false;
    for (int i = 0; i < dim; i++) found = found || same_place(face(g)[k], face(f)[i]);
    if (!found) return false;
  }
  return true;
}

/* The vertices of the edge that starts at a corner. False: the face is not usable or the edge is from a vertex to
 * itself. 2D: both are the vertex of the corner. */
static bool edge_at(size_t corner, int32_t *from, int32_t *to) {
  const size_t f = corner / (size_t)dim, k = corner % (size_t)dim;
  if (!is_usable(f)) return false;
  *from = face(f)[k], *to = face(f)[(k + 1) % (size_t)dim];
  if (same_place(*from, *to)) return false;
  if (dim == 2) *to = *from;
  return true;
}

/* 1: both corners have the same edge in the same direction. -1: in opposite directions. 0: different edges. */
static int compare_edges(size_t c, size_t d) {
  int32_t from, to, other_from, other_to;
  if (!edge_at(c, &from, &to) || !edge_at(d, &other_from, &other_to)) return 0;
  if (dim == 2) return !same_place(from, other_from) ? 0 : c % 2 == d % 2 ? 1 : -1;
  if (same_place(from, other_from) && same_place(to, other_to)) return 1;
  return same_place(from, other_to) && same_place(to, other_from) ? -1 : 0;
}

/* The number of corners, faces and directions of one edge. */
typedef struct edge_uses {
  size_t first, faces; /* the first corner in either direction */
  int with, against;   /* corners in the direction of the first, and in the other */
  size_t begin[2], end[2];
} edge_uses;

static edge_uses uses_of(size_t corner) {
  edge_uses uses = {.first = SIZE_MAX};
  size_t previous = SIZE_MAX;
  for (size_t d = 0; d < (size_t)dim * face_count; d++) {
    if (compare_edges(corner, d) == 0) continue;
    if (uses.first == SIZE_MAX) uses.first = d;
    const bool against = compare_edges(uses.first, d) < 0;
    int *number = against ? &uses.against : &uses.with;
    if ((*number)++ == 0) uses.begin[against] = d;
    uses.end[against] = d;
    if (d / (size_t)dim != previous) uses.faces++;
    previous = d / (size_t)dim;
  }
  return uses;
}

/* The expected state, and which kinds of errors occur. */
typedef struct truth {
  bool closed, oriented;
  double volume;
  unsigned kinds;
} truth;

static double sum_of_volumes(void) {
  int64_t sum = 0;
  for (size_t f = 0; f < face_count; f++) {
    int64_t x[3], y[3], z[3];
    for (int k = 0; k < dim; k++) {
      const graze_vec v = vertices[face(f)[k]];
      x[k] = (int64_t)v.x, y[k] = (int64_t)v.y, z[k] = (int64_t)v.z;
    }
    if (dim == 2)
      sum += x[0] * y[1] - y[0] * x[1];
    else
      sum +=
          x[0] * (y[1] * z[2] - z[1] * y[2]) + y[0] * (z[1] * x[2] - x[1] * z[2]) + z[0] * (x[1] * y[2] - y[1] * x[2]);
  }
  return (double)sum / (dim == 2 ? 2 : 6);
}

static truth brute_force(void) {
  const size_t corners = (size_t)dim * face_count;
  truth t = {true, true, 0, 0};
  wanted_count = 0;
  for (size_t c = 0; c < corners; c++)
    if (!is_index(faces[c])) want(GRAZE_MESH_BAD_INDEX, c, -1), t.closed = t.oriented = false;
  for (size_t f = 0; f < face_count; f++)
    if (is_usable(f) && is_degenerate(f)) want(GRAZE_MESH_DEGENERATE_FACE, (size_t)dim * f, -1);
  for (size_t f = 0; f < face_count; f++) {
    size_t g = 0;
    while (g < f && !(is_usable(f) && is_usable(g) && contains_all(f, g) && contains_all(g, f))) g++;
    if (g < f) want(GRAZE_MESH_DUPLICATE_FACE, (size_t)dim * f, (ptrdiff_t)g);
  }
  for (int kind = GRAZE_MESH_OPEN_EDGE; kind <= GRAZE_MESH_ORIENTATION; kind++)
    for (size_t c = 0; c < corners; c++) {
      const edge_uses uses = uses_of(c);
      if (uses.first == SIZE_MAX) continue;
      const bool open = uses.faces == 1 && uses.with != uses.against;
      t.closed = t.closed && !open;
      t.oriented = t.oriented && uses.with == uses.against;
      const bool against = uses.against > uses.with;
      if (kind == GRAZE_MESH_OPEN_EDGE && uses.first == c && open) want(GRAZE_MESH_OPEN_EDGE, c, -1);
      if (kind == GRAZE_MESH_SHARED_EDGE && uses.first == c && uses.faces > 2) want(GRAZE_MESH_SHARED_EDGE, c, -1);
      if (kind == GRAZE_MESH_ORIENTATION && uses.faces > 1 && uses.with != uses.against && uses.end[against] == c)
        want(GRAZE_MESH_ORIENTATION, c, (ptrdiff_t)(uses.begin[against] / (size_t)dim));
    }
  if (t.closed && t.oriented) t.volume = sum_of_volumes();
  for (size_t i = 0; i < wanted_count; i++) t.kinds |= 1u << wanted[i].kind;
  return t;
}

/* The number of meshes of each kind. */
static struct tally { int meshes, closed, oriented, both, neither, kinds[GRAZE_MESH_INTERSECTION]; } tally;

static void check(void) {
  const truth t = brute_force();
  expect(t.closed, t.oriented, t.volume, wanted, wanted_count);
  tally.meshes++;
  tally.both += t.closed && t.oriented, tally.neither += !t.closed && !t.oriented;
  tally.closed += t.closed && !t.oriented, tally.oriented += t.oriented && !t.closed;
  for (int kind = 1; kind < GRAZE_MESH_INTERSECTION; kind++) tally.kinds[kind] += (t.kinds & (1u << kind)) != 0;
}

static void share(const char *what, int n, double low, double high) {
  const double part = (double)n / tally.meshes;
  if (!(part >= low && part <= high)) fail_msg("%s: %.4f of the meshes, not %g to %g", what, part, low, high);
}

static int seed(void **unused) {
  (void)unused;
  state = 0x243f6a8885a308d3u;
  memset(&tally, 0, sizeof tally);
  return 0;
}

/* ---- Known meshes */

TEST(texts) {
  static const char *const texts[] = {"bad_index",   "degenerate_face", "duplicate_face", "open_edge",
                                      "shared_edge", "orientation",     "intersection"};
  for (int i = 0; i < (int)COUNT(texts); i++)
    assert_string_equal(graze_mesh_error_text((graze_mesh_error_kind)(i + GRAZE_MESH_BAD_INDEX)), texts[i]);
  assert_string_equal(graze_mesh_error_text((graze_mesh_error_kind)99), "unknown mesh error");
}

TEST_WITH(closed_meshes_have_no_errors, seed, NULL) {
  clear(3), add_tetrahedron(2, 3, 5), expect(true, true, 5, NULL, 0);
  for (size_t f = 0; f < face_count; f++) flip_face(f);
  expect(true, true, -5, NULL, 0);
  clear(3), add_box(-1, -1, -1, 2), expect(true, true, 8, NULL, 0);
  add_vertex(7, 7, 7), expect(true, true, 8, NULL, 0); /* an unused vertex */
  clear(3), add_torus(7, 5), check();
  split_vertices(), check();
  shuffle(), check();
  clear(3), add_box(-2, -2, -2, 4), add_box(-1, -1, -1, 2);
  for (size_t f = 12; f < face_count; f++) flip_face(f); /* a cavity */
  expect(true, true, 56, NULL, 0);
  clear(2), add_polygon(4, 0, 1), expect(true, true, 2, NULL, 0);
  split_vertices(), expect(true, true, 2, NULL, 0);
  for (size_t f = 0; f < face_count; f++) flip_face(f);
  expect(true, true, -2, NULL, 0);
  assert_int_equal(tally.both, tally.meshes);
}

TEST_WITH(known_surfaces, seed, NULL) {
  const int strip = 5;
  clear(3), add_moebius_strip(strip), check();
  assert_int_equal(wanted_count, 2 * strip + 1); /* the border, and the edge at which the ends are joined */
  assert_int_equal(wanted[2 * strip].kind, GRAZE_MESH_ORIENTATION);
  assert_int_equal(tally.neither, 1);
  clear(3), add_projective_plane(), check();
  assert_int_equal(tally.closed, 1);
  assert_int_equal(tally.kinds[GRAZE_MESH_OPEN_EDGE], 1); /* of the strip */
  assert_int_equal(tally.kinds[GRAZE_MESH_SHARED_EDGE], 0);
}

/* Four faces meet at the edge. Each cube is closed, so both are. */
TEST(two_cubes_with_a_common_edge) {
  clear(3), add_box(0, 0, 0, 1), add_box(1, 1, 0, 1);
  EXPECT(true, true, 2, {GRAZE_MESH_SHARED_EDGE, 2, 1, -1});
}

TEST(errors_of_triangles) {
  clear(3), add_tetrahedron(1, 1, 1);
  face_count--; /* the face x y z */
  EXPECT(false, false, 0, {GRAZE_MESH_OPEN_EDGE, 0, 1, -1}, {GRAZE_MESH_OPEN_EDGE, 1, 1, -1},
         {GRAZE_MESH_OPEN_EDGE, 2, 1, -1});
  clear(3), add_tetrahedron(1, 1, 1), flip_face(2); /* z o y: z o, o y, y z */
  EXPECT(true, false, 0, {GRAZE_MESH_ORIENTATION, 2, 0, 1}, {GRAZE_MESH_ORIENTATION, 2, 1, 0},
         {GRAZE_MESH_ORIENTATION, 3, 1, 2});
  clear(3), add_tetrahedron(1, 1, 1), add_triangle(2, 1, 0); /* a copy of o y x, from another corner */
  EXPECT(true, false, 0, {GRAZE_MESH_DUPLICATE_FACE, 4, 0, 0}, {GRAZE_MESH_SHARED_EDGE, 0, 0, -1},
         {GRAZE_MESH_SHARED_EDGE, 0, 1, -1}, {GRAZE_MESH_SHARED_EDGE, 0, 2, -1}, {GRAZE_MESH_ORIENTATION, 4, 0, 0},
         {GRAZE_MESH_ORIENTATION, 4, 1, 0}, {GRAZE_MESH_ORIENTATION, 4, 2, 0});
  clear(3), add_tetrahedron(1, 1, 1), face(1)[2] = 4, face(3)[1] = -1, face(3)[2] = INT32_MIN;
  EXPECT(false, false, 0, {GRAZE_MESH_BAD_INDEX, 1, 2, -1}, {GRAZE_MESH_BAD_INDEX, 3, 1, -1},
         {GRAZE_MESH_BAD_INDEX, 3, 2, -1}, {GRAZE_MESH_OPEN_EDGE, 0, 1, -1}, {GRAZE_MESH_OPEN_EDGE, 0, 2, -1},
         {GRAZE_MESH_OPEN_EDGE, 2, 0, -1}, {GRAZE_MESH_OPEN_EDGE, 2, 1, -1});
  /* All indices wrong: no edge. */
  clear(3), add_vertex(0, 0, 0), add_triangle(-1, 1, 7);
  EXPECT(false, false, 0, {GRAZE_MESH_BAD_INDEX, 0, 0, -1}, {GRAZE_MESH_BAD_INDEX, 0, 1, -1},
         {GRAZE_MESH_BAD_INDEX, 0, 2, -1});
}

TEST(errors_of_edges) {
  clear(2), add_polygon(4, 0, 5), face_count--; /* 0 1, 1 2, 2 3 */
  EXPECT(false, false, 0, {GRAZE_MESH_OPEN_EDGE, 0, 0, -1}, {GRAZE_MESH_OPEN_EDGE, 2, 1, -1});
  clear(2), add_polygon(4, 0, 5), flip_face(2); /* 0 1, 1 2, 3 2, 3 0 */
  EXPECT(true, false, 0, {GRAZE_MESH_ORIENTATION, 2, 1, 1}, {GRAZE_MESH_ORIENTATION, 3, 0, 2});
  clear(2), add_polygon(4, 0, 5), add_edge(1, 0);
  EXPECT(true, false, 0, {GRAZE_MESH_DUPLICATE_FACE, 4, 0, 0}, {GRAZE_MESH_SHARED_EDGE, 0, 0, -1},
         {GRAZE_MESH_SHARED_EDGE, 0, 1, -1}, {GRAZE_MESH_ORIENTATION, 4, 0, 1}, {GRAZE_MESH_ORIENTATION, 4, 1, 3});
  clear(2), add_polygon(4, 0, 5), add_polygon(4, 10, 5); /* a figure eight: both have the vertex (5, 0) */
  EXPECT(true, true, 100, {GRAZE_MESH_SHARED_EDGE, 0, 0, -1});
  clear(2), add_polygon(4, 0, 5), add_edge(2, 2);
  EXPECT(true, true, 50, {GRAZE_MESH_DEGENERATE_FACE, 4, 0, -1});
  clear(2), add_polygon(4, 0, 5), face(2)[0] = -1, face(3)[1] = 4; /* 0 1, 1 2 */
  EXPECT(false, false, 0, {GRAZE_MESH_BAD_INDEX, 2, 0, -1}, {GRAZE_MESH_BAD_INDEX, 3, 1, -1},
         {GRAZE_MESH_OPEN_EDGE, 0, 0, -1}, {GRAZE_MESH_OPEN_EDGE, 1, 1, -1});
}

/* A degenerate face may have an edge in both directions. That edge is not open. */
TEST(degenerate_faces) {
  clear(3), add_box(0, 0, 0, 1), add_triangle(0, 0, 0), add_triangle(0, 0, 0);
  EXPECT(true, true, 1, {GRAZE_MESH_DEGENERATE_FACE, 12, 0, -1}, {GRAZE_MESH_DEGENERATE_FACE, 13, 0, -1},
         {GRAZE_MESH_DUPLICATE_FACE, 13, 0, 12});
  clear(3), add_vertex(0, 0, 0), add_vertex(1, 0, 0), add_triangle(0, 1, 0), add_triangle(0, 0, 1);
  face_count = 1;
  EXPECT(true, true, 0, {GRAZE_MESH_DEGENERATE_FACE, 0, 0, -1});
  face_count = 2;
  EXPECT(true, true, 0, {GRAZE_MESH_DEGENERATE_FACE, 0, 0, -1}, {GRAZE_MESH_DEGENERATE_FACE, 1, 0, -1},
         {GRAZE_MESH_DUPLICATE_FACE, 1, 0, 0});

  /* Points on the diagonal; a point that leaves it by the least double; a line that only an exact test finds. */
  const struct {
    graze_vec point[3];
    bool degenerate;
  } row[] = {{{{0.1, 0.1, 0.1}, {0.3, 0.3, 0.3}, {0.7, 0.7, 0.7}}, true},
             {{{0, 0, 0}, {1, 1, 0}, {2, 2, 0x1p-1074}}, false},
             {{{0, 0, 0}, {0x1p-1074, 0, 0}, {0, 0x1p-1074, 0}}, false},
             {{{-1e40, 1, -1e40}, {0, 1, 0}, {1e40, 1, 1e40}}, true},
             {{{-1e40, 1, -1e40}, {0, 1, 0x1p-1074}, {1e40, 1, 1e40}}, false},
             {{{1, 0, 0}, {1 + 0x1p-52, 0x1p-52, 0}, {1 + 0x1p-50, 0x1p-50, 0}}, true},
             {{{1, 0, 0}, {1 + 0x1p-52, 0x1p-52, 0}, {1 + 0x1p-50, 0x1.8p-50, 0}}, false}};
  for (size_t i = 0; i < COUNT(row); i++) {
    clear(3), add_triangle(0, 1, 2);
    for (int k = 0; k < 3; k++) add_vertex(row[i].point[k].x, row[i].point[k].y, row[i].point[k].z);
    graze_mesh_report report = validate();
    assert_int_equal(report.errors[0].kind == GRAZE_MESH_DEGENERATE_FACE, row[i].degenerate);
    assert_int_equal(report.error_count, 3 + row[i].degenerate);
    graze_mesh_report_destroy(&report);
  }
}

/* Volumes of all magnitudes, far from the origin, and of very unequal sizes, which numbers of fixed size cannot hold.
 */
TEST(volumes) {
  clear(3), add_box(-1e40, -1e40, -1e40, 2e40), expect(true, true, 8e120, NULL, 0);
  clear(3), add_box(0x1p50, -0x1p50, 0x1p49, 1), expect(true, true, 1, NULL, 0);
  clear(3), add_box(0, 0, 0, 0x1p-300), expect(true, true, 0x1p-900, NULL, 0);
  clear(3), add_box(0, 0, 0, 0x1p-500), expect(true, true, 0, NULL, 0);
  clear(3), add_tetrahedron(0x1p-500, 0x1p60, 0x3p100), expect(true, true, 0x1p-341, NULL, 0);
  clear(3), add_tetrahedron(0x1p-500, 0x1p60, 0x3p100), split_vertices(), expect(true, true, 0x1p-341, NULL, 0);
  clear(2), add_vertex(1e40, 0x1p-1000, 0), add_vertex(-1e40, 0x1p-1000, 0), add_vertex(0, 0, 0);
  add_edge(0, 1), add_edge(1, 2), add_edge(2, 0), expect(true, true, 1e40 * 0x1p-1000, NULL, 0);
}

/* ---- Random meshes */

static void random_closed_mesh(void) {
  clear(rng_coin(&state) ? 3 : 2);
  if (dim == 2) {
    const int n = rng_between(&state, 3, 20);
    add_polygon(n, 0, 1000);
    const int more = rng_between(&state, 0, 9);
    if (more >= 3) add_polygon(more, rng_coin(&state) ? 2000 : 5000, 1000);
    return;
  }
  const graze_vec some = rng_lattice_vec(&state, 3, 0, 2);
  switch (rng_below(&state, 6)) {
  case 0: add_tetrahedron(3, 4, 5); break;
  case 1: add_box(0, 0, 0, 1), add_box(some.x, some.y, some.z, 1); break;
  case 2: add_torus(3 + (int)some.x, 3 + (int)some.y); break;
  case 3: add_projective_plane(); break;
  default: add_bipyramid(rng_between(&state, 3, 20)); break;
  }
}

static void damage(void) {
  const size_t f = rng_index(&state, face_count);
  const int k = rng_below(&state, dim), other = (k + 1) % dim;
  switch (rng_below(&state, 8)) {
  case 0:
    copy_face(face_count, f);
    if (rng_coin(&state)) flip_face(face_count);
    face_count++;
    break;
  case 1: face(f)[k] = face(f)[other]; break;
  case 2: face(f)[k] = (int32_t)rng_index(&state, vertex_count); break;
  case 3: face(f)[k] = rng_coin(&state) ? (int32_t)vertex_count : -1 - rng_below(&state, 3); break;
  case 4:
  case 5:
    if (face_count > 1) copy_face(f, --face_count);
    break;
  default: flip_face(f); break;
  }
}

TEST_WITH(damaged_closed_meshes, seed, NULL) {
  for (int i = 0; i < tiered(3000, 6000, 60000); i++) {
    random_closed_mesh();
    if (rng_coin(&state)) split_vertices();
    for (int k = rng_below(&state, 4); k > 0; k--) damage();
    shuffle();
    check();
  }
  share("closed and oriented", tally.both, 0.2, 0.4);
  share("closed, not oriented", tally.closed, 0.1, 0.4);
  share("neither", tally.neither, 0.25, 0.6);
  for (int kind = 1; kind < GRAZE_MESH_INTERSECTION; kind++)
    share(graze_mesh_error_text((graze_mesh_error_kind)kind), tally.kinds[kind], 0.08, 0.7);
}

/* Random faces of few vertices, most of them equal to others. */
TEST_WITH(random_faces, seed, NULL) {
  for (int i = 0; i < tiered(20000, 40000, 400000); i++) {
    clear(2 + i % 2);
    const int places = rng_between(&state, 1, 3), count = rng_between(&state, 1, 9);
    for (int k = 0; k < count; k++) {
      const int x = rng_below(&state, places);
      const graze_vec yz = rng_lattice_vec(&state, 2, 0, 1);
      add_vertex(x, yz.x, dim == 3 ? yz.y : 0);
    }
    face_count = (size_t)rng_between(&state, 1, 10);
    const int range = rng_below(&state, 8) > 0 ? count : count + 1;
    for (size_t c = 0; c < (size_t)dim * face_count; c++) faces[c] = rng_below(&state, range);
    check();
  }
  share("closed and oriented", tally.both, 0.05, 0.4);
  share("closed, not oriented", tally.closed, 0.1, 0.4);
  assert_int_equal(tally.oriented, 0); /* a mesh without such edges is closed */
  share("neither", tally.neither, 0.2, 0.7);
  for (int kind = 1; kind < GRAZE_MESH_INTERSECTION; kind++)
    share(graze_mesh_error_text((graze_mesh_error_kind)kind), tally.kinds[kind], 0.05, 0.9);
}

/* A vertex of degree 200,000: a quadratic search would take minutes. */
TEST(vertex_of_high_degree) {
  const int32_t n = 200000;
  graze_vec *points = calloc((size_t)n + 2, sizeof *points);
  int32_t *corners = calloc((size_t)n, 6 * sizeof *corners);
  assert_true(points != NULL && corners != NULL);
  points[n].z = 1, points[n + 1].z = -1;
  for (int32_t i = 0; i < n; i++) {
    points[i] = vec(i, (double)i * i, 0);
    const int32_t next = i + 1 < n ? i + 1 : 0;
    const int32_t pair[6] = {n, i, next, next, i, n + 1};
    memcpy(corners + (size_t)6 * (size_t)i, pair, sizeof pair);
  }
  const graze_mesh_def def = {3, points, (size_t)n + 2, corners, (size_t)n * 2, false, NULL};
  graze_mesh_report report;
  assert_int_equal(graze_validate_mesh(&def, false, NULL, &report, NULL), GRAZE_OK);
  assert_true(report.closed && report.oriented && report.error_count == 0);
  graze_mesh_report_destroy(&report);
  corners[0] = n + 1;
  assert_int_equal(graze_validate_mesh(&def, false, NULL, &report, NULL), GRAZE_OK);
  assert_true(!report.closed && !report.oriented);
  graze_mesh_report_destroy(&report);
  free(corners);
  free(points);
}

/* ---- Rejected input and failed allocations */

static void expect_rejection(graze_mesh_def def, graze_status status, const char *what, ptrdiff_t index, double value) {
  graze_mesh_report report, before;
  graze_error error = {.status = GRAZE_REFUTED, .index = 7, .value = 7};
  memset(&report, 0x5a, sizeof report);
  memcpy(&before, &report, sizeof report);
  assert_int_equal(graze_validate_mesh(&def, false, NULL, &report, &error), status);
  assert_int_equal(graze_validate_mesh(&def, false, NULL, &report, NULL), status);
  assert_memory_equal(&report, &before, sizeof report);
  assert_int_equal(error.status, status);
  assert_string_equal(error.what, what);
  assert_string_equal(error.owner, "");
  assert_true(strlen(error.allowed) > 0);
  assert_int_equal(error.index, index);
  assert_true(same_bits(error.value, value) || (isnan(error.value) && isnan(value)));
}

TEST(rejected_input) {
  static const double wrong[] = {NAN, INFINITY, -INFINITY, 1.0000001e40};
  clear(2), add_polygon(4, 0, 9);
  const graze_mesh_def good = definition();
  graze_mesh_def def = good;
  for (size_t k = 0; k < COUNT(wrong); k++) {
    vertices[2].y = wrong[k];
    expect_rejection(good, GRAZE_BAD_NUMBER, "vertices", 2, wrong[k]);
  }
  vertices[2].y = 0, vertices[3].z = 1;
  expect_rejection(good, GRAZE_DIM_MISMATCH, "vertices", 3, 1);
  vertices[3].z = 0;
  for (int bad = -1; bad <= 4; bad += bad == 1 ? 3 : 1) {
    def.dim = bad;
    expect_rejection(def, GRAZE_BAD_SHAPE, "dim", -1, bad);
  }
  def = good, def.vertices = NULL;
  expect_rejection(def, GRAZE_BAD_SHAPE, "vertices", -1, 4);
  def = good, def.vertex_count = 0;
  expect_rejection(def, GRAZE_BAD_SHAPE, "vertices", -1, 0);
  def = good, def.vertex_count = (size_t)INT32_MAX + 1;
  expect_rejection(def, GRAZE_BAD_SHAPE, "vertices", -1, (double)def.vertex_count);
  def = good, def.faces = NULL;
  expect_rejection(def, GRAZE_BAD_SHAPE, "faces", -1, 4);
  def = good, def.face_count = 0;
  expect_rejection(def, GRAZE_BAD_SHAPE, "faces", -1, 0);
  def = good, def.face_count = (size_t)INT32_MAX + 1;
  expect_rejection(def, GRAZE_BAD_SHAPE, "faces", -1, (double)def.face_count);
}

/* Lets allocation n fail for n = 0, 1, … until all succeed: first n and all later ones, then n alone. */
static void fail_each(void) {
  const graze_mesh_def def = definition();
  const truth t = brute_force();
  graze_mesh_report report, before;
  for (int once = 0; once < 2; once++) {
    graze_status status = GRAZE_OUT_OF_MEMORY;
    memset(&report, 0x5a, sizeof report);
    memcpy(&before, &report, sizeof report);
    for (long n = 0; status != GRAZE_OK; n++) {
      failing_memory memory = {.fail_at = n, .once = once != 0};
      const graze_allocator allocator = failing_allocator(&memory);
      graze_error error;
      status = graze_validate_mesh(&def, false, &allocator, &report, &error);
      assert_int_equal(error.status, status);
      if (status != GRAZE_OK) {
        assert_true(status == GRAZE_OUT_OF_MEMORY && memory.out == 0);
        assert_string_equal(error.what, "faces");
        assert_memory_equal(&report, &before, sizeof report);
        continue;
      }
      assert_in_range(n, 11, 20);
      assert_int_equal(memory.out, wanted_count > 0);
      expect_list(&report, wanted, wanted_count);
      assert_true(report.closed == t.closed && report.oriented == t.oriented);
      graze_mesh_report_destroy(&report);
      assert_int_equal(memory.out, 0);
    }
  }
}

TEST_WITH(failing_allocations, seed, NULL) {
  for (int split = 0; split < 2; split++) {
    for (int cut = 0; cut < 2; cut++) {
      clear(3), add_torus(4, 3), face_count -= (size_t)cut;
      if (split) split_vertices();
      fail_each();
      clear(2), add_polygon(7, 0, 100), face_count -= (size_t)cut;
      if (split) split_vertices();
      fail_each();
    }
    face(1)[1] = -1;
    fail_each();
  }
}

/* Found by fuzzing: two faces of one vertex each wrote nine common corners to arrays of three. */
TEST(intersections_of_faces_without_edges) {
  const graze_vec points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const int32_t corners[9] = {0, 0, 0, 0, 0, 0, 0, 1, 2};
  const graze_mesh_def def = {3, points, 3, corners, 3, false, NULL};
  graze_mesh_report report;
  assert_int_equal(graze_validate_mesh(&def, true, NULL, &report, NULL), GRAZE_OK);
  for (size_t i = 0; i < report.error_count; i++) assert_true(report.errors[i].kind != GRAZE_MESH_INTERSECTION);
  graze_mesh_report_destroy(&report);
}
