#include "support/meshes.h"

#include "support/geometry.h"
#include "support/shapes.h"
#include "support/test.h"

graze_vec mesh_lattice_point(rng *random, int dim, int half) {
  return scaled(0.125, rng_lattice_vec(random, dim, -half, half));
}

/* ---- Faces */

void mesh_fixture_begin(int dim, mesh_fixture *out) {
  memset(&out->member, 0, sizeof out->member);
  out->mesh = NULL;
  out->member.set = (mesh_body){.dim = dim, .corners = dim, .solid = true, .pose = identity};
}

static int add_vertex(mesh_fixture *out, graze_vec v) {
  assert_true(out->member.set.vertex_count < MESH_VERTICES);
  out->vertices[out->member.set.vertex_count] = v;
  return out->member.set.vertex_count++;
}

static void add_indices(mesh_fixture *out, int i, int j, int k) {
  const int32_t index[3] = {i, j, k};
  mesh_body *set = &out->member.set;
  assert_true(set->face_count < MESH_FACES);
  for (int c = 0; c < set->corners; c++) out->faces[set->corners * set->face_count + c] = index[c];
  set->face_count++;
}

void mesh_add_face(mesh_fixture *out, const graze_vec *corners) {
  int index[3] = {0, 0, 0};
  for (int i = 0; i < out->member.set.corners; i++) index[i] = add_vertex(out, corners[i]);
  add_indices(out, index[0], index[1], index[2]);
}

void mesh_add_outline(mesh_fixture *out, const graze_vec *outline, int count, bool inward) {
  const int first = out->member.set.vertex_count;
  for (int i = 0; i < count; i++) add_vertex(out, outline[i]);
  for (int i = 0; i < count; i++) {
    const int u = first + i, v = first + (i + 1) % count;
    add_indices(out, inward ? v : u, inward ? u : v, 0);
  }
}

void mesh_add_box(mesh_fixture *out, graze_vec low, graze_vec high, bool inward) {
  static const int face[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                  {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  const int first = out->member.set.vertex_count;
  if (out->member.set.dim == 2) {
    const graze_vec outline[4] = {low, vec(high.x, low.y, 0), high, vec(low.x, high.y, 0)};
    mesh_add_outline(out, outline, 4, inward);
    return;
  }
  for (int i = 0; i < 8; i++)
    add_vertex(out, vec(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z));
  for (int i = 0; i < 12; i++)
    add_indices(out, first + face[i][0], first + face[i][inward ? 2 : 1], first + face[i][inward ? 1 : 2]);
}

/* A prism over an outline that is a star about `center`, counter-clockwise. */
static void add_prism(mesh_fixture *out, const graze_vec *outline, int count, graze_vec center, double z) {
  const int first = out->member.set.vertex_count;
  for (int i = 0; i < 2 * count; i++)
    add_vertex(out, vec(outline[i % count].x, outline[i % count].y, i < count ? -z : z));
  const int below = add_vertex(out, vec(center.x, center.y, -z)), above = add_vertex(out, vec(center.x, center.y, z));
  for (int i = 0; i < count; i++) {
    const int u = first + i, v = first + (i + 1) % count;
    add_indices(out, below, v, u);
    add_indices(out, above, u + count, v + count);
    add_indices(out, u, v, v + count);
    add_indices(out, u, v + count, u + count);
  }
}

/* A prism over the region between two outlines of `count` vertices. */
static void add_ring(mesh_fixture *out, const graze_vec *outline, int count, double outer, double inner, double z) {
  const int first = out->member.set.vertex_count;
  for (int i = 0; i < 4 * count; i++) {
    const double f = i / count % 2 ? inner : outer;
    add_vertex(out, vec(f * outline[i % count].x, f * outline[i % count].y, i < 2 * count ? -z : z));
  }
  for (int i = 0; i < count; i++) {
    const int j = (i + 1) % count;
    const int loop[4][2] = {
        {i, j}, {2 * count + i, 2 * count + j}, {3 * count + i, 3 * count + j}, {count + i, count + j}};
    for (int side = 0; side < 4; side++) {
      const int *u = loop[side], *v = loop[(side + 1) % 4];
      add_indices(out, first + u[0], first + u[1], first + v[1]);
      add_indices(out, first + u[0], first + v[1], first + v[0]);
    }
  }
}

static const graze_vec square[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};

void mesh_add_square_ring(mesh_fixture *out, double outer, double inner, double z) {
  add_ring(out, square, 4, outer, inner, z);
}

static void add_octahedron(mesh_fixture *out, graze_vec half) {
  const int first = out->member.set.vertex_count;
  for (int i = 0; i < 6; i++) {
    const double sign = i % 2 ? -1 : 1;
    add_vertex(out,
               vec(i / 2 == 0 ? sign * half.x : 0, i / 2 == 1 ? sign * half.y : 0, i / 2 == 2 ? sign * half.z : 0));
  }
  for (int i = 0; i < 8; i++) {
    const int x = first + (i & 1), y = first + 2 + (i >> 1 & 1), z = first + 4 + (i >> 2 & 1);
    const bool odd = (i & 1) ^ (i >> 1 & 1) ^ (i >> 2 & 1);
    add_indices(out, x, odd ? z : y, odd ? y : z);
  }
}

static void add_icosahedron(mesh_fixture *out, double scale) {
  static const int face[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                  {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                  {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int i = 0; i < 12; i++) {
    const double p = (i & 1 ? 0.625 : -0.625) * scale, q = (i & 2 ? -1 : 1) * scale;
    add_vertex(out, i < 4 ? vec(p, q, 0) : i < 8 ? vec(0, p, q) : vec(q, 0, p));
  }
  for (int i = 0; i < 20; i++) add_indices(out, face[i][0], face[i][1], face[i][2]);
}

static void add_tetrahedron(mesh_fixture *out, const graze_vec v[4]) {
  const bool right = dot(sub(v[1], v[0]), cross(sub(v[2], v[0]), sub(v[3], v[0]))) > 0;
  const int a = add_vertex(out, v[0]), b = add_vertex(out, v[right ? 1 : 2]), c = add_vertex(out, v[right ? 2 : 1]),
            d = add_vertex(out, v[3]);
  add_indices(out, a, c, b), add_indices(out, a, b, d), add_indices(out, a, d, c), add_indices(out, b, c, d);
}

/* ---- Random parameters */

static void random_tetrahedron(rng *random, mesh_fixture *out) {
  graze_vec v[4];
  do {
    for (int i = 0; i < 4; i++) v[i] = mesh_lattice_point(random, 3, 12);
  } while (fabs(dot(sub(v[1], v[0]), cross(sub(v[2], v[0]), sub(v[3], v[0])))) < 0.5);
  add_tetrahedron(out, v);
}

static graze_vec box_half(rng *random, int dim) { return scaled(0.5, rng_lattice_vec(random, dim, 1, 3)); }

static void random_box_about_origin(rng *random, mesh_fixture *out) {
  const graze_vec half = box_half(random, out->member.set.dim);
  mesh_add_box(out, scaled(-1, half), half, false);
}

/* A star about the origin; every second radius is smaller if there are many. */
static int random_star(rng *random, graze_vec outline[16]) {
  static const double turn[16][2] = {{8, 0},  {8, 3},   {6, 6},   {3, 8},   {0, 8},  {-3, 8}, {-6, 6}, {-8, 3},
                                     {-8, 0}, {-8, -3}, {-6, -6}, {-3, -8}, {0, -8}, {3, -8}, {6, -6}, {8, -3}};
  const int step = 1 << rng_below(random, 2), count = 16 / step;
  for (int i = 0; i < count; i++) {
    const double f = (i % 2 ? 4 : 8) * rng_between(random, 1, 3) / 16.0 / 8;
    outline[i] = vec(f * turn[i * step][0], f * turn[i * step][1], 0);
  }
  return count;
}

static void random_hollow(rng *random, mesh_fixture *out) {
  const int dim = out->member.set.dim;
  const double outer = 1 + rng_between(random, 1, 2) / 2.0;
  graze_vec inner = scaled(0.5, rng_lattice_vec(random, 2, 1, 2));
  inner.z = dim == 3 ? 1 : 0;
  const graze_vec half = vec(outer, outer, dim == 3 ? outer : 0);
  mesh_add_box(out, scaled(-1, half), half, false);
  mesh_add_box(out, scaled(-1, inner), inner, true);
}

static void random_crossed(rng *random, mesh_fixture *out) {
  random_box_about_origin(random, out);
  const graze_vec half = box_half(random, out->member.set.dim), by = mesh_lattice_point(random, out->member.set.dim, 7);
  /* Odd sixteenths: no face of one box is in the plane of a face of the other. */
  const graze_vec off = add(by, vec(0.0625, 0.0625, out->member.set.dim == 3 ? 0.0625 : 0));
  mesh_add_box(out, sub(off, half), add(off, half), false);
  out->member.set.crossed = true;
}

static void random_soup(rng *random, mesh_fixture *out) {
  const int dim = out->member.set.dim, vertices = rng_between(random, 4, 12), faces = rng_between(random, 1, 10);
  for (int i = 0; i < vertices; i++) add_vertex(out, mesh_lattice_point(random, dim, 12));
  for (int i = 0; i < faces; i++) {
    const graze_vec index = rng_lattice_vec(random, 3, 0, vertices - 1);
    add_indices(out, (int)index.x, (int)index.y, (int)index.z);
  }
}

static void random_sheet(rng *random, mesh_fixture *out) {
  for (int i = 0; i < 16; i++)
    add_vertex(out, vec(i % 4 - 1.5, floor(i / 4.0) - 1.5, rng_coin(random) ? 0 : rng_between(random, -4, 4) / 8.0));
  for (int i = 0; i < 9; i++) {
    const int u = i / 3 * 4 + i % 3;
    add_indices(out, u, u + 1, u + 5);
    add_indices(out, u, u + 5, u + 4);
  }
}

static void random_flat(rng *random, int corners, mesh_fixture *out) {
  out->member.set.corners = corners;
  out->member.set.solid = false;
  graze_vec v[3];
  do {
    for (int i = 0; i < 3; i++) v[i] = mesh_lattice_point(random, out->member.set.dim, 12);
  } while (norm(cross(sub(v[1], v[0]), sub(v[2], v[0]))) < 0.25);
  if (corners == 1) v[0] = vec(0, 0, 0);
  mesh_add_face(out, v);
}

static const graze_vec l_outline[6] = {{0.5, 0.5, 0}, {0.5, 1.5, 0}, {-1, 1.5, 0},
                                       {-1, -1, 0},   {1.5, -1, 0},  {1.5, 0.5, 0}};
static const graze_vec hexagon[6] = {{1, 0, 0},  {0.5, 0.75, 0},   {-0.5, 0.75, 0},
                                     {-1, 0, 0}, {-0.5, -0.75, 0}, {0.5, -0.75, 0}};

static void random_ring(rng *random, mesh_fixture *out) {
  const bool four = rng_coin(random);
  const double inner = rng_between(random, 1, 2) / 2.0;
  const double outer = inner + rng_between(random, 1, 2) / 2.0, z = rng_between(random, 1, 2) / 4.0;
  add_ring(out, four ? square : hexagon, four ? 4 : 6, outer, inner, z);
}

static void random_needle(mesh_fixture *out) {
  const double e = 0x1p-26;
  const graze_vec v[4] = {{-1, -e, -e}, {1, 0, e}, {1, e, -e}, {-1, e, 2 * e}};
  const graze_vec flat[3] = {{-1, -e, 0}, {1, 0, 0}, {-1, 2 * e, 0}};
  if (out->member.set.dim == 2)
    mesh_add_outline(out, flat, 3, false);
  else
    add_tetrahedron(out, v);
}

static void make_solid(rng *random, int kind, mesh_fixture *out) {
  graze_vec outline[16];
  switch (kind) {
  case MESH_AS_BOX:
  case MESH_SHELL:
  case MESH_OPEN_BOX:
  case MESH_BOX: random_box_about_origin(random, out); break;
  case MESH_AS_OCTAHEDRON:
  case MESH_OCTAHEDRON: add_octahedron(out, box_half(random, 3)); break;
  case MESH_L: add_prism(out, l_outline, 6, vec(0, 0, 0), rng_between(random, 1, 3) / 2.0); break;
  case MESH_RING: random_ring(random, out); break;
  case MESH_ICOSAHEDRON: add_icosahedron(out, rng_between(random, 1, 3) / 2.0); break;
  case MESH_GEAR: {
    const int count = random_star(random, outline);
    add_prism(out, outline, count, vec(0, 0, 0), rng_between(random, 1, 3) / 4.0);
    break;
  }
  case MESH_HOLLOW: random_hollow(random, out); break;
  case MESH_NESTED:
    random_hollow(random, out);
    add_octahedron(out, vec(0.25, 0.25, 0.5));
    break;
  case MESH_CROSSED: random_crossed(random, out); break;
  case MESH_NEEDLE: random_needle(out); break;
  default: random_tetrahedron(random, out);
  }
}

static void make_3d(rng *random, int kind, mesh_fixture *out) {
  switch (kind) {
  case MESH_SOUP: random_soup(random, out); break;
  case MESH_SHEET: random_sheet(random, out); break;
  case MESH_AS_POINT:
  case MESH_AS_SPHERE: random_flat(random, 1, out); break;
  case MESH_AS_SEGMENT: random_flat(random, 2, out); break;
  case MESH_AS_TRIANGLE: random_flat(random, 3, out); break;
  default: make_solid(random, kind, out);
  }
  if (kind == MESH_OPEN_BOX) out->member.set.face_count -= rng_between(random, 1, 4);
  if (kind >= MESH_SOUP && kind <= MESH_SHELL) out->member.set.solid = false;
}

static void random_polyline(rng *random, mesh_fixture *out) {
  const int count = rng_between(random, 2, 10);
  for (int i = 0; i <= count; i++) {
    add_vertex(out, mesh_lattice_point(random, 2, 12));
    if (i > 0) add_indices(out, i - 1, i, 0);
  }
}

static void random_2d_triangle(rng *random, mesh_fixture *out) {
  graze_vec v[3];
  do {
    for (int i = 0; i < 3; i++) v[i] = mesh_lattice_point(random, 2, 12);
  } while (cross(sub(v[1], v[0]), sub(v[2], v[0])).z < 0.25);
  mesh_add_outline(out, v, 3, false);
}

static void make_2d(rng *random, int kind, mesh_fixture *out) {
  graze_vec outline[16];
  switch (kind) {
  case OUTLINE_AS_BOX:
  case OUTLINE_SHELL:
  case OUTLINE_BOX: random_box_about_origin(random, out); break;
  case OUTLINE_L: mesh_add_outline(out, l_outline, 6, false); break;
  case OUTLINE_STAR: mesh_add_outline(out, outline, random_star(random, outline), false); break;
  case OUTLINE_HOLE: random_hollow(random, out); break;
  case OUTLINE_NESTED:
    random_hollow(random, out);
    mesh_add_box(out, vec(-0.25, -0.25, 0), vec(0.25, 0.25, 0), false);
    break;
  case OUTLINE_CROSSED: random_crossed(random, out); break;
  case OUTLINE_NEEDLE: random_needle(out); break;
  case OUTLINE_SOUP: random_soup(random, out); break;
  case OUTLINE_POLYLINE: random_polyline(random, out); break;
  case OUTLINE_AS_POINT:
  case OUTLINE_AS_CIRCLE: random_flat(random, 1, out); break;
  case OUTLINE_AS_SEGMENT: random_flat(random, 2, out); break;
  default: random_2d_triangle(random, out);
  }
  if (kind >= OUTLINE_SOUP && kind <= OUTLINE_SHELL) out->member.set.solid = false;
}

static void swap_indices(int32_t *a, int32_t *b) {
  const int32_t t = *a;
  *a = *b, *b = t;
}

/* Gives each corner its own vertex. */
static void separate_faces(mesh_fixture *out) {
  mesh_body *set = &out->member.set;
  const int corners = set->corners * set->face_count;
  graze_vec v[MESH_VERTICES];
  if (corners > MESH_VERTICES) return;
  for (int i = 0; i < corners; i++) v[i] = out->vertices[out->faces[i]], out->faces[i] = i;
  memcpy(out->vertices, v, (size_t)corners * sizeof *v);
  set->vertex_count = corners;
}

/* Changes the arrays, and no point of the body. */
static void scramble(rng *random, mesh_fixture *out) {
  mesh_body *set = &out->member.set;
  const int n = set->corners;
  if (rng_below(random, 4) == 0 && set->face_count < MESH_FACES) {
    const int32_t *face = out->faces + n * rng_below(random, set->face_count);
    add_indices(out, face[0], n == 2 ? face[0] : face[1], face[0]);
  }
  for (int i = set->face_count - 1; i > 0; i--)
    for (int k = 0, other = rng_below(random, i + 1); k < n; k++)
      swap_indices(&out->faces[n * i + k], &out->faces[n * other + k]);
  if (rng_below(random, 4) == 0)
    for (int i = 0; i < set->face_count; i++) swap_indices(&out->faces[n * i], &out->faces[n * i + 1]);
  if (rng_below(random, 4) == 0) separate_faces(out);
}

void mesh_fixture_make(rng *random, int dim, int kind, mesh_fixture *out) {
  mesh_fixture_begin(dim, out);
  if (dim == 2)
    make_2d(random, kind, out);
  else
    make_3d(random, kind, out);
  if (kind < (dim == 2 ? (int)OUTLINE_AS_POINT : (int)MESH_AS_POINT)) scramble(random, out);
}

/* ---- Shapes */

static void set_arrays(mesh_fixture *out) {
  out->member.set.vertices = out->vertices;
  out->member.set.faces = out->faces;
}

void mesh_fixture_create(mesh_fixture *out, bool surface) {
  mesh_body *set = &out->member.set;
  const graze_mesh_def def = {set->dim, out->vertices, (size_t)set->vertex_count, out->faces, (size_t)set->face_count,
                              surface,  NULL};
  set_arrays(out);
  assert_int_equal(graze_mesh_create(&def, NULL, &out->mesh, NULL), GRAZE_OK);
  assert_int_equal(graze_mesh_is_solid(out->mesh), set->solid);
  out->member.shape = graze_mesh_shape(out->mesh);
}

void mesh_fixture_convex(mesh_fixture *out) {
  const mesh_body *set = &out->member.set;
  const graze_vec *v = out->vertices;
  const int count = set->vertex_count;
  set_arrays(out);
  out->member.shape = count == 1   ? point_of(set->dim)
                      : count == 2 ? segment_of(set->dim, v[0], v[1])
                      : count == 3
                          ? (set->dim == 2 ? graze_triangle2(v[0], v[1], v[2]) : graze_triangle(v[0], v[1], v[2]))
                          : hull_of(set->dim, v, count);
}

void mesh_fixture_free(mesh_fixture *out) { graze_mesh_destroy(out->mesh); }
