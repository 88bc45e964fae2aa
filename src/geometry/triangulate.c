/* From rings to a triangulated polygon: a constrained Delaunay triangulation of all points, winding numbers of its
 * faces, and removal of edges that bound nothing. Proofs: docs/theory/decompose.md. */
#include "core/memory.h"
#include "core/sort.h"
#include "core/status.h"
#include "core/vec.h"
#include "geometry/polygon.h"

static graze_ring rings_at(const grz_split *split, size_t ring) {
  return ring == 0 ? split->outline : split->holes[ring - 1];
}

/* ---- Memory and points. */

/* No block of memory needs more bytes per ring vertex, except the blocks for the fewest pieces. */
enum { RINGS_BYTES = 512 };

/* One block for all arrays, in the order of decreasing alignment. The keys are needed only before there are darts. */
static bool rings_allocate(grz_split *split, size_t total) {
  const size_t darts = 6 * total, rings = split->ring_count;
  const size_t dart_size = darts * sizeof(grz_dart), key_size = 2 * total * sizeof(grz_key);
  const size_t shared = dart_size > key_size ? dart_size : key_size;
  const size_t size = total * sizeof(graze_vec) + shared + (darts + 4 * total + rings + 1) * sizeof(int32_t) + rings;
  unsigned char *at = split->memory = grz_allocate(&split->allocator, size, 1);
  if (at == NULL) return false;
  split->mesh.point = (graze_vec *)(void *)at, at += total * sizeof(graze_vec);
  split->mesh.dart = (grz_dart *)(void *)at, at += shared;
  split->mesh.stack = (int32_t *)(void *)at;
  split->mesh.first = split->mesh.stack + darts;
  split->mesh.through = split->mesh.first + total;
  split->vertex = split->mesh.through + 2 * total;
  split->start = split->vertex + total;
  split->orientation = (int8_t *)(split->start + rings + 1);
  return true;
}

graze_error grz_split_begin(grz_split *split) {
  /* int32_t numbers darts, six per vertex. */
  const size_t limit = SIZE_MAX / RINGS_BYTES < INT32_MAX / 6 ? SIZE_MAX / RINGS_BYTES : INT32_MAX / 6;
  size_t total = 0;
  for (size_t r = 0; r < split->ring_count; r++) {
    const size_t count = rings_at(split, r).count;
    if (count > limit - total) return grz_error(GRAZE_BAD_SHAPE, "vertices", -1, (double)split->outline.count);
    total += count;
  }
  if (!rings_allocate(split, total)) return grz_error(GRAZE_OUT_OF_MEMORY, "vertices", -1, (double)total);

  /* Sort all points. Equal points become one vertex of the mesh. */
  grz_key *keys = (grz_key *)(void *)split->mesh.dart;
  uint32_t at = 0;
  for (size_t r = 0; r < split->ring_count; r++) {
    const graze_ring ring = rings_at(split, r);
    split->start[r] = (int32_t)at;
    for (size_t i = 0; i < ring.count; i++, at++) keys[at] = (grz_key){ring.vertices[i].x, ring.vertices[i].y, at};
  }
  split->start[split->ring_count] = (int32_t)at;
  grz_sort(keys, total, keys + total);
  grz_mesh *mesh = &split->mesh;
  for (size_t k = 0; k < total; k++) {
    const graze_vec point = {keys[k].first, keys[k].second, 0};
    if (k == 0 || !vec_equal(point, mesh->point[mesh->count - 1])) mesh->point[mesh->count++] = point;
    split->vertex[keys[k].index] = mesh->count - 1;
  }
  return grz_error(GRAZE_OK, "", -1, 0);
}

/* ---- Constraints. */

/* The ring of ring vertex i, by bisection. */
static size_t rings_of(const grz_split *split, int32_t i) {
  size_t low = 0, high = split->ring_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (split->start[middle] <= i)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Inserts all edges of the rings as constraints. GRAZE_NOT_SIMPLE, split->error: two edges cross.
 *
 * The order has strides of about the golden section. In the order of the rings, each edge of a long thin part would
 * cross the triangles that the previous one left behind. */
static graze_status rings_insert(grz_split *split) {
  const int64_t total = split->start[split->ring_count];
  int64_t stride = (total * 618034) / 1000000;
  for (;; stride++) { /* make the stride coprime to the total */
    int64_t a = total, b = stride;
    while (b != 0) {
      const int64_t rest = a % b;
      a = b, b = rest;
    }
    if (a == 1) break;
  }
  int64_t at = 0;
  for (int64_t k = 0; k < total; k++, at = (at + stride) % total) {
    const int32_t i = (int32_t)at, to = split->vertex[split_next(split, rings_of(split, i), i)];
    const int32_t crossed = grz_mesh_insert_constraint(&split->mesh, split->vertex[i], to, i);
    if (crossed < 0) continue;
    const int32_t low = i < crossed ? i : crossed, high = i < crossed ? crossed : i;
    const size_t ring = rings_of(split, low), other_ring = rings_of(split, high);
    split->error = (graze_outline_error){GRAZE_OUTLINE_EDGES_CROSS, ring, (size_t)(low - split->start[ring]),
                                         other_ring, (size_t)(high - split->start[other_ring])};
    return GRAZE_NOT_SIMPLE;
  }
  return GRAZE_OK;
}

/* ---- Areas. */

/* Returns whether the ring has three distinct points. *straight receives whether all its points are collinear. */
static bool rings_has_three_points(const grz_split *split, size_t ring, bool *straight) {
  const int32_t first = split->vertex[split->start[ring]];
  int32_t second = first;
  bool three = false;
  *straight = true;
  for (int32_t i = split->start[ring]; i < split->start[ring + 1]; i++) {
    const int32_t vertex = split->vertex[i];
    if (second == first) second = vertex;
    three = three || (vertex != first && vertex != second);
    *straight = *straight && grz_mesh_orient(&split->mesh, first, second, vertex) == 0;
  }
  return three;
}

graze_status grz_split_measure(grz_split *split) {
  uint64_t limbs[GRZ_AREA_LIMBS], ring_limbs[GRZ_AREA_LIMBS];
  grz_arena arena = {limbs, 0, GRZ_AREA_LIMBS, false};
  grz_big sum = grz_big_zero(); /* times `orientation` */
  int orientation = 1;
  for (size_t r = 0; r < split->ring_count; r++) {
    const graze_ring ring = rings_at(split, r);
    grz_arena ring_arena = {ring_limbs, 0, GRZ_AREA_LIMBS, false};
    const int sign = grz_area_add(&ring_arena, grz_big_zero(), ring).sign;
    if (sign == 0) {
      bool straight;
      const bool three = rings_has_three_points(split, r, &straight);
      const graze_outline_error_kind kind = three ? GRAZE_OUTLINE_ZERO_AREA : GRAZE_OUTLINE_FEW_POINTS;
      split->error = (graze_outline_error){kind, r, 0, r, 0};
      if (!straight) { /* as in a bow tie: edges that cross are the more precise reason */
        grz_mesh_delaunay(&split->mesh);
        (void)rings_insert(split);
      }
      return GRAZE_NOT_SIMPLE;
    }
    split->orientation[r] = (int8_t)(r == 0 ? sign : -sign);
    sum.sign *= orientation * split->orientation[r];
    orientation = split->orientation[r];
    sum = grz_area_add(&arena, sum, ring);
  }
  split->area = grz_area_round(&arena, sum);
  return GRAZE_OK;
}

/* ---- Winding numbers. */

static const int32_t winding_unknown = INT32_MIN;

/* Iterates over the darts of a ring edge: removes one from either end of the rest *from -> *to and returns it, in that
 * direction. */
static int32_t winding_next_dart(const grz_mesh *mesh, int32_t *from, int32_t *to) {
  bool on_edge;
  const int32_t e = grz_mesh_locate(mesh, *from, *to, &on_edge);
  if (mesh->dart[e].from == *from) {
    *from = mesh_to(mesh, e);
    return e;
  }
  *to = mesh_to(mesh, e);
  return e ^ 1;
}

static void winding_set_face(grz_mesh *mesh, int32_t first, int32_t winding, int32_t *depth) {
  int32_t e = first;
  do {
    mesh->dart[e].winding = winding;
    mesh->stack[(*depth)++] = e;
    e = mesh_next(mesh, e);
  } while (e != first);
}

/* Computes the winding numbers of all faces with respect to the rings first … last - 1, by flood fill from the outside.
 * Returns whether all of them are in low … high. */
static bool winding_compute(grz_split *split, size_t first, size_t last, int32_t low, int32_t high) {
  grz_mesh *mesh = &split->mesh;
  for (int32_t e = 0; e < mesh->dart_count; e++)
    mesh->dart[e].multiplicity = 0, mesh->dart[e].winding = winding_unknown;
  for (size_t r = first; r < last; r++) {
    for (int32_t i = split->start[r]; i < split->start[r + 1]; i++) {
      int32_t from = split->vertex[i], to = split->vertex[split_next(split, r, i)];
      while (from != to) {
        const int32_t e = winding_next_dart(mesh, &from, &to);
        mesh->dart[e].multiplicity += split->orientation[r];
        mesh->dart[e ^ 1].multiplicity -= split->orientation[r];
      }
    }
  }
  int32_t depth = 0;
  bool good = true;
  winding_set_face(mesh, split->outside, 0, &depth);
  while (depth > 0) {
    const int32_t e = mesh->stack[--depth], winding = mesh->dart[e].winding - mesh->dart[e].multiplicity;
    if (mesh->dart[e ^ 1].winding != winding_unknown) continue;
    good = good && winding >= low && winding <= high;
    winding_set_face(mesh, e ^ 1, winding, &depth);
  }
  return good;
}

/* The error of a ring that touches itself: two of its edges, `index` and `other`, end at or pass through the same
 * vertex. */
static graze_outline_error winding_touch_error(grz_split *split, size_t ring) {
  grz_mesh *mesh = &split->mesh;
  int32_t *edge_at = mesh->stack;
  const int32_t start = split->start[ring];
  for (int32_t v = 0; v < mesh->count; v++) edge_at[v] = -1;
  for (int32_t i = start; i < split->start[ring + 1]; i++) {
    int32_t from = split->vertex[i], to = split->vertex[split_next(split, ring, i)];
    while (from != to) {
      const int32_t at = mesh_to(mesh, winding_next_dart(mesh, &from, &to));
      if (edge_at[at] >= 0)
        return (graze_outline_error){GRAZE_OUTLINE_EDGES_TOUCH, ring, (size_t)(edge_at[at] - start), ring,
                                     (size_t)(i - start)};
      edge_at[at] = i;
    }
  }
  return (graze_outline_error){GRAZE_OUTLINE_EDGES_TOUCH, ring, 0, ring, 0};
}

static bool winding_is_wrong(const grz_mesh *mesh, int32_t e) {
  return mesh->dart[e].winding < 0 || mesh->dart[e].winding > 1;
}

/* The first edge of a ring beside a face with a winding number other than 0 and 1; -1: none. */
static int32_t winding_wrong_edge(const grz_split *split, size_t ring) {
  const grz_mesh *mesh = &split->mesh;
  for (int32_t i = split->start[ring]; i < split->start[ring + 1]; i++) {
    int32_t from = split->vertex[i], to = split->vertex[split_next(split, ring, i)];
    while (from != to) {
      const int32_t e = winding_next_dart(mesh, &from, &to);
      if (winding_is_wrong(mesh, e) || winding_is_wrong(mesh, e ^ 1)) return i - split->start[ring];
    }
  }
  return -1;
}

/* The reason for a winding number other than 0 and 1. */
static graze_outline_error winding_error(grz_split *split) {
  if (!winding_compute(split, 0, 1, 0, 1)) return winding_touch_error(split, 0);

  /* The first hole with which the winding numbers are wrong, by bisection. */
  size_t good = 1, bad = split->ring_count;
  while (bad - good > 1) {
    const size_t middle = good + (bad - good) / 2;
    if (winding_compute(split, 0, middle, 0, 1))
      good = middle;
    else
      bad = middle;
  }
  const size_t hole = good;
  if (!winding_compute(split, hole, hole + 1, -1, 0)) return winding_touch_error(split, hole);

  /* The hole is not inside the polygon: a wrong face is beside one of its edges, or else beside an earlier ring. */
  (void)winding_compute(split, 0, hole + 1, 0, 1);
  size_t other = hole;
  int32_t edge = winding_wrong_edge(split, hole);
  const int32_t index = edge >= 0 ? edge : 0;
  while (edge < 0 && other-- > 0) edge = winding_wrong_edge(split, other);
  return (graze_outline_error){GRAZE_OUTLINE_HOLE_OUTSIDE, hole, (size_t)index, other, (size_t)edge};
}

/* ---- The triangulation. */

/* Is the vertex inside the polygon and not on its boundary? It is then an end of a bridge that connects nothing. */
static bool rings_is_interior(const grz_mesh *mesh, int32_t vertex) {
  const int32_t first = mesh->first[vertex];
  int32_t e = first;
  do {
    if (mesh->dart[e].multiplicity != 0 || mesh->dart[e].winding != 1) return false;
    e = mesh->dart[e].ccw;
  } while (e != first);
  return true;
}

/* One ring that does not touch itself: it has as many edges as points, and no edge passes through a point. */
static bool rings_is_simple(const grz_split *split) {
  const grz_mesh *mesh = &split->mesh;
  int32_t edges = 0;
  if (split->ring_count > 1) return false;
  for (int32_t i = 0; i < split->start[1]; i++) {
    const int32_t from = split->vertex[i], to = split->vertex[split_next(split, 0, i)];
    bool on_edge;
    if (from == to) continue;
    const int32_t e = grz_mesh_locate(mesh, from, to, &on_edge);
    if (mesh_to(mesh, e) != (mesh->dart[e].from == from ? to : from)) return false;
    edges++;
  }
  return edges == mesh->count;
}

graze_status grz_split_triangulate(grz_split *split) {
  grz_mesh *mesh = &split->mesh;
  split->outside = grz_mesh_delaunay(mesh);
  const graze_status status = rings_insert(split);
  if (status != GRAZE_OK) return status;
  if (!winding_compute(split, 0, split->ring_count, 0, 1)) {
    split->error = winding_error(split);
    return GRAZE_NOT_SIMPLE;
  }

  /* Holes that cover the whole outline leave nothing inside. */
  bool any = false;
  for (int32_t e = 0; e < mesh->dart_count && !any; e++) any = mesh->dart[e].from >= 0 && mesh->dart[e].winding == 1;
  split->error = (graze_outline_error){GRAZE_OUTLINE_ZERO_AREA, 0, 0, 0, 0};
  if (!any) return GRAZE_NOT_SIMPLE;

  split->simple = rings_is_simple(split);
  for (int32_t v = 0; v < mesh->count; v++) {
    if (rings_is_interior(mesh, v)) grz_mesh_remove_vertex(mesh, v);
  }
  grz_mesh_legalize(mesh);
  return GRAZE_OK;
}
