/* Delaunay triangulations: links are consistent, triangles tile the convex hull (each is counter-clockwise; Euler's
 * formula gives their number), and all edges are locally Delaunay. With random constraints: each of them is present,
 * also if it passes through points, and the rest is still a triangulation. Each test states its seed. */

#include "support/test.h"
#include "support/random.h"
#include "geometry/polygon.h"
#include "geometry/rings.h"
#include "geometry/tiling.h"

static graze_vec *points; /* of the mesh */

static int order(const void *a, const void *b) {
  const graze_vec *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return p->y < q->y ? -1 : p->y > q->y;
}

static grz_mesh mesh_of(rings *all) {
  size_t count = 0;
  qsort(all->points, all->point_count, sizeof *all->points, order);
  for (size_t i = 0; i < all->point_count; i++) {
    if (count == 0 || order(&all->points[count - 1], &all->points[i]) != 0) all->points[count++] = all->points[i];
  }
  points = all->points;
  grz_mesh mesh = {.point = all->points, .count = (int32_t)count};
  mesh.dart = malloc(6 * count * sizeof *mesh.dart);
  mesh.stack = malloc(6 * count * sizeof *mesh.stack);
  mesh.first = malloc(count * sizeof *mesh.first);
  mesh.through = malloc(2 * count * sizeof *mesh.through);
  assert_true(mesh.dart != NULL && mesh.stack != NULL && mesh.first != NULL && mesh.through != NULL);
  return mesh;
}

static void mesh_free(grz_mesh *mesh) {
  free(mesh->dart);
  free(mesh->stack);
  free(mesh->first);
  free(mesh->through);
}

static graze_vec from(const grz_mesh *mesh, int32_t e) { return points[mesh->dart[e].from]; }

/* Returns the number of points on the boundary of the hull. */
static int32_t check_triangles(const grz_mesh *mesh, int32_t outside) {
  int32_t edges = 0, hull = 0, triangles = 0;
  for (int32_t e = 0; e < mesh->dart_count; e++) {
    const grz_dart *dart = &mesh->dart[e];
    if (dart->from < 0) continue;
    edges++;
    assert_true(mesh->dart[dart->ccw].cw == e && mesh->dart[dart->cw].ccw == e);
    assert_true(mesh->dart[dart->ccw].from == dart->from && dart->from != mesh_to(mesh, e));
    assert_true(mesh_previous(mesh, mesh_next(mesh, e)) == e);
  }
  for (int32_t e = outside; hull == 0 || e != outside; e = mesh_next(mesh, e)) {
    assert_true(tiling_turn(from(mesh, e), points[mesh_to(mesh, e)], points[mesh_to(mesh, mesh_next(mesh, e))]) <= 0);
    hull++;
    assert_true(hull <= mesh->dart_count);
  }
  for (int32_t e = 0; e < mesh->dart_count; e++) {
    if (mesh->dart[e].from < 0) continue;
    int32_t second = mesh_next(mesh, e), third = mesh_next(mesh, second);
    triangles += mesh_next(mesh, third) == e && tiling_turn(from(mesh, e), from(mesh, second), from(mesh, third)) > 0;
  }
  assert_int_equal(edges, 2 * (3 * mesh->count - 3 - hull));
  assert_int_equal(triangles, 3 * (2 * mesh->count - 2 - hull));
  return hull;
}

static bool is_illegal(const grz_mesh *mesh, int32_t e) {
  int32_t left = mesh_to(mesh, mesh_next(mesh, e)), right = mesh_to(mesh, mesh_next(mesh, e ^ 1));
  graze_vec a = from(mesh, e), b = points[mesh_to(mesh, e)];
  if (tiling_turn(a, b, points[left]) <= 0 || tiling_turn(b, a, points[right]) <= 0) return false; /* hull */
  return tiling_in_circle(a, b, points[left], points[right]) > 0;
}

static void scatter(rings *all, size_t count, int kind, uint64_t *seed) {
  for (size_t i = 0; i < count; i++) {
    double x = rng_uniform(seed, 0, 1), y = rng_uniform(seed, 0, 1), angle = 6.28 * (double)i / (double)count;
    switch (kind) {
    case 0: rings_add_point(all, x, y); break;
    case 1: rings_add_point(all, floor(9 * x), floor(9 * y)); break;        /* a lattice: four points on a circle */
    case 2: rings_add_point(all, cos(angle), sin(angle)); break;            /* nearly one circle */
    case 3: rings_add_point(all, 1e40 * x * x * x, 1e-300 * y); break;      /* nearly one line */
    case 4: rings_add_point(all, 7, i == 0 ? 0.5 : floor(50 * y)); break;   /* all but one, see below, collinear */
    default: rings_add_point(all, ldexp(x, -1070), ldexp(y, -1070)); break; /* a lattice of subnormals */
    }
  }
  if (kind == 4) rings_add_point(all, 8, 3);
}

/* Do constraints cover the segment from vertex a to b? */
static bool is_constrained(const grz_mesh *mesh, int32_t a, int32_t b) {
  while (a != b) {
    bool on_edge;
    int32_t e = grz_mesh_locate(mesh, a, b, &on_edge);
    if (!on_edge || mesh->dart[e].constraint < 0 || mesh->dart[e ^ 1].constraint < 0) return false;
    if (mesh->dart[e].from == a)
      a = mesh_to(mesh, e);
    else
      b = mesh_to(mesh, e);
  }
  return true;
}

static void check_legal(const grz_mesh *mesh, size_t *kept) {
  for (int32_t e = 0; e < mesh->dart_count; e++) {
    if (mesh->dart[e].from < 0) continue;
    const bool constrained = mesh->dart[e].constraint >= 0;
    assert_false(!constrained && is_illegal(mesh, e));
    *kept += constrained;
  }
}

/* Inserts random constraints that do not cross earlier ones. `cross`: the last one may cross, and must then be rejected
 * with the id of one that it crosses. Returns whether it was rejected. */
static bool insert_constraints(grz_mesh *mesh, int32_t outside, uint64_t *seed, bool cross, size_t *inserted) {
  int32_t ends[100][2], count = 0;
  const int tries = cross ? 100 : 8;
  bool rejected = false;
  for (int k = 0; k < tries && !rejected; k++) {
    int32_t a = rng_below(seed, mesh->count), b = rng_below(seed, mesh->count);
    for (int32_t i = 0; i < count; i++)
      rejected = rejected || tiling_cross(points[a], points[b], points[ends[i][0]], points[ends[i][1]]);
    if (rejected && (!cross || k < tries - 5)) {
      rejected = false;
      continue;
    }
    int32_t other = grz_mesh_insert_constraint(mesh, a, b, count);
    assert_int_equal(other >= 0, rejected);
    if (rejected) {
      assert_true(tiling_cross(points[a], points[b], points[ends[other][0]], points[ends[other][1]]));
      continue;
    }
    ends[count][0] = a, ends[count++][1] = b;
    if (count % 5 == 1) check_triangles(mesh, outside);
  }
  for (int32_t i = 0; i < count && !rejected; i++) assert_true(is_constrained(mesh, ends[i][0], ends[i][1]));
  *inserted += (size_t)count;
  return rejected;
}

/* Removes some interior vertices without constraints. Returns their number. */
static int32_t remove_vertices(grz_mesh *mesh, uint64_t *seed) {
  int32_t removed = 0;
  for (int32_t v = 0; v < mesh->count; v++) {
    int32_t first = mesh->first[v], e = first;
    bool interior = true;
    do {
      interior = interior && mesh->dart[e].multiplicity == 0 && mesh->dart[e].winding == 1;
      e = mesh->dart[e].ccw;
    } while (e != first);
    if (!interior || rng_below(seed, 3) > 0) continue;
    grz_mesh_remove_vertex(mesh, v);
    assert_int_equal(mesh->first[v], -1);
    removed++;
  }
  return removed;
}

/* The whole hull is the interior. After the removal of vertices, all edges but constraints are locally Delaunay again.
 * Seed 1. */
TEST(triangulations) {
  uint64_t seed = 1;
  size_t inserted = 0, rejected = 0, kept = 0;
  for (int t = 0; t < 900; t++) {
    rings all = {0};
    scatter(&all, t < 240 ? 3 + (size_t)(t / 6) * 3 : 6 + rng_index(&seed, 60), t < 240 ? t % 6 : t % 3, &seed);
    grz_mesh mesh = mesh_of(&all);
    bool flat = true;
    for (int32_t i = 2; i < mesh.count; i++) flat = flat && tiling_turn(points[0], points[1], points[i]) == 0;
    if (!flat) {
      int32_t outside = grz_mesh_delaunay(&mesh), hull = 0;
      check_triangles(&mesh, outside);
      check_legal(&mesh, &kept);
      const bool crossed = insert_constraints(&mesh, outside, &seed, t / 6 % 2 == 0, &inserted);
      rejected += crossed;
      if (!crossed) {
        for (int32_t e = 0; e < mesh.dart_count; e++)
          mesh.dart[e].winding = 1, mesh.dart[e].multiplicity = mesh.dart[e].constraint >= 0;
        for (int32_t e = outside; hull++ == 0 || e != outside; e = mesh_next(&mesh, e)) mesh.dart[e].winding = 0;
        const int32_t removed = remove_vertices(&mesh, &seed);
        grz_mesh_legalize(&mesh);
        mesh.count -= removed;
        while (mesh.dart[outside].from < 0) outside++;
        check_triangles(&mesh, outside);
        check_legal(&mesh, &kept);
      }
    }
    mesh_free(&mesh);
    rings_clear(&all);
  }
  print_message("%zu constraints, %zu rejected, %zu darts kept\n", inserted, rejected, kept);
  assert_true(inserted > 6000 && rejected > 100 && kept > 1000);
}
