/* From rings to a triangulation. */
#include "geometry/area.h"
#include "core/memory.h"
#include "geometry/order.h"
#include "geometry/decompose.h"
#include "core/vec.h"

/* ---- Points. */

/* No block of memory whose size follows from the number of ring vertices alone takes more bytes for each. */
enum { RINGS_BYTES = 512 };

/* Counts the ring vertices; false: too many for darts numbered by int32_t, or for memory. */
static bool rings_count(const grz_split *split, size_t *total) {
  const size_t most = SIZE_MAX / RINGS_BYTES < INT32_MAX / 6 ? SIZE_MAX / RINGS_BYTES : INT32_MAX / 6;
  *total = 0;
  for (size_t r = 0; r < split->ring_count; r++) {
    size_t count = split_ring(split, r).count;
    if (count > most - *total) return false;
    *total += count;
  }
  return true;
}

/* The arrays one after the other, by falling alignment. The keys are needed only to sort, before there are darts. */
static bool rings_allocate(grz_split *split, size_t total) {
  size_t darts = 6 * total, rings = split->ring_count;
  size_t dart_size = darts * sizeof(grz_dart), key_size = 2 * total * sizeof(grz_key);
  size_t shared = dart_size > key_size ? dart_size : key_size;
  size_t size = total * sizeof(graze_vec) + shared + (darts + 4 * total + rings + 1) * sizeof(int32_t) + rings;
  unsigned char *at = split->memory = grz_allocate(&split->allocator, size, 1);
  if (at == NULL) return false;
  split->mesh.at = (graze_vec *)(void *)at, at += total * sizeof(graze_vec);
  split->mesh.dart = (grz_dart *)(void *)at, at += shared;
  split->mesh.stack = (int32_t *)(void *)at;
  split->mesh.spoke = split->mesh.stack + darts;
  split->mesh.through = split->mesh.spoke + total;
  split->vertex = split->mesh.through + 2 * total;
  split->start = split->vertex + total;
  split->sense = (int8_t *)(split->start + rings + 1);
  return true;
}

static void rings_places(grz_split *split, size_t total) {
  grz_key *keys = (grz_key *)(void *)split->mesh.dart;
  uint32_t at = 0;
  for (size_t r = 0; r < split->ring_count; r++) {
    graze_ring ring = split_ring(split, r);
    split->start[r] = (int32_t)at;
    for (size_t i = 0; i < ring.count; i++, at++) keys[at] = (grz_key){ring.vertices[i].x, ring.vertices[i].y, at};
  }
  split->start[split->ring_count] = (int32_t)at;
  grz_order(keys, total, keys + total);
  grz_mesh *mesh = &split->mesh;
  for (size_t k = 0; k < total; k++) {
    graze_vec point = {keys[k].first, keys[k].second, 0};
    if (k == 0 || !vec_equal(point, mesh->at[mesh->count - 1])) mesh->at[mesh->count++] = point;
    split->vertex[keys[k].index] = mesh->count - 1;
  }
}

graze_error grz_split_begin(grz_split *split) {
  size_t total;
  if (!rings_count(split, &total)) return (graze_error){GRAZE_BAD_SHAPE, "vertices", -1, (double)split->outline.count};
  if (!rings_allocate(split, total)) return (graze_error){GRAZE_OUT_OF_MEMORY, "vertices", -1, (double)total};
  rings_places(split, total);
  return (graze_error){GRAZE_OK, "", -1, 0};
}

/* ---- Single rings. */

static bool rings_has_three_points(const grz_split *split, size_t ring) {
  int32_t first = split->vertex[split->start[ring]], second = first;
  for (int32_t i = split->start[ring]; i < split->start[ring + 1]; i++) {
    int32_t vertex = split->vertex[i];
    if (vertex == first || vertex == second) continue;
    if (second != first) return true;
    second = vertex;
  }
  return false;
}

/* Do all points lie on one line? */
static bool rings_is_straight(const grz_split *split, size_t ring) {
  int32_t first = split->vertex[split->start[ring]], second = first;
  for (int32_t i = split->start[ring]; i < split->start[ring + 1]; i++) {
    if (second == first) second = split->vertex[i];
    if (grz_mesh_turn(&split->mesh, first, second, split->vertex[i]) != 0) return false;
  }
  return true;
}

static int rings_sign(graze_ring ring) {
  uint64_t limbs[GRZ_AREA_LIMBS];
  grz_arena arena = {limbs, 0, GRZ_AREA_LIMBS, false};
  return grz_area_add(&arena, grz_big_zero(), ring).sign;
}

/* ---- Edges. */

/* The ring that vertex `at` belongs to. */
static size_t rings_of(const grz_split *split, int32_t at) {
  size_t low = 0, high = split->ring_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (split->start[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Edge `at` of all rings cannot be fixed: it crosses another. */
static void rings_cross(grz_split *split, int32_t at, int32_t other) {
  int32_t low = at < other ? at : other, high = at < other ? other : at;
  size_t ring = rings_of(split, low), other_ring = rings_of(split, high);
  split->flaw = (graze_outline_error){GRAZE_OUTLINE_EDGES_CROSS, ring, (size_t)(low - split->start[ring]), other_ring,
                                      (size_t)(high - split->start[other_ring])};
}

static int64_t rings_common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

/* In strides of about the golden section, which scatters them: long edges that come late would cross what earlier ones
 * left behind, again and again. */
static graze_status rings_fix(grz_split *split) {
  int64_t total = split->start[split->ring_count], stride = (total * 618034) / 1000000, at = 0;
  while (rings_common_divisor(total, stride) != 1) stride++;
  for (int64_t k = 0; k < total; k++, at = (at + stride) % total) {
    int32_t i = (int32_t)at, to = split->vertex[split_after(split, rings_of(split, i), i)];
    int32_t crossed = grz_mesh_fix(&split->mesh, split->vertex[i], to, i);
    if (crossed < 0) continue;
    rings_cross(split, i, crossed);
    return GRAZE_NOT_SIMPLE;
  }
  return GRAZE_OK;
}

/* ---- What the rings enclose. */

/* The ring has no area: *flaw. Where edges cross, as those of a bow tie do, that is the better reason. */
static graze_status rings_refuse(grz_split *split, size_t ring) {
  if (rings_is_straight(split, ring)) return GRAZE_NOT_SIMPLE;
  grz_mesh_delaunay(&split->mesh);
  (void)rings_fix(split);
  return GRAZE_NOT_SIMPLE;
}

graze_status grz_split_measure(grz_split *split) {
  uint64_t limbs[GRZ_AREA_LIMBS];
  grz_arena arena = {limbs, 0, GRZ_AREA_LIMBS, false};
  grz_big sum = grz_big_zero(); /* times `sense` */
  int sense = 1;
  for (size_t r = 0; r < split->ring_count; r++) {
    graze_ring ring = split_ring(split, r);
    int sign = rings_sign(ring);
    split->flaw = (graze_outline_error){GRAZE_OUTLINE_ZERO_AREA, r, 0, r, 0};
    if (!rings_has_three_points(split, r)) split->flaw.kind = GRAZE_OUTLINE_FEW_POINTS;
    if (sign == 0) return rings_refuse(split, r);
    split->sense[r] = (int8_t)(r == 0 ? sign : -sign);
    sum.sign *= sense * split->sense[r];
    sense = split->sense[r];
    sum = grz_area_add(&arena, sum, ring);
  }
  split->area = grz_area_of(&arena, sum);
  return GRAZE_OK;
}

/* ---- The triangulation. */

/* Ends of bridges that lead to nothing: inside, and no edge that counts at them. */
static bool rings_is_loose(const grz_mesh *mesh, int32_t vertex) {
  int32_t first = mesh->spoke[vertex], e = first;
  do {
    if (mesh->dart[e].walks != 0 || mesh->dart[e].winding != 1) return false;
    e = mesh->dart[e].ccw;
  } while (e != first);
  return true;
}

/* One outline that does not touch itself: as many edges as points, none with a point inside. */
static bool rings_is_simple(const grz_split *split) {
  const grz_mesh *mesh = &split->mesh;
  int32_t edges = 0;
  if (split->ring_count > 1) return false;
  for (int32_t i = 0; i < split->start[1]; i++) {
    int32_t from = split->vertex[i], to = split->vertex[split_after(split, 0, i)];
    bool along;
    if (from == to) continue;
    int32_t e = grz_mesh_toward(mesh, from, to, &along), end = mesh_to(mesh, e);
    if (end != (mesh->dart[e].from == from ? to : from)) return false;
    edges++;
  }
  return edges == mesh->count;
}

/* Do the holes take all of the outline? */
static bool rings_is_empty(const grz_mesh *mesh) {
  for (int32_t e = 0; e < mesh->dart_count; e++) {
    if (mesh->dart[e].from >= 0 && mesh->dart[e].winding == 1) return false;
  }
  return true;
}

graze_status grz_split_triangulate(grz_split *split) {
  grz_mesh *mesh = &split->mesh;
  split->outside = grz_mesh_delaunay(mesh);
  graze_status status = rings_fix(split);
  if (status == GRAZE_OK) status = grz_split_wind(split);
  if (status != GRAZE_OK) return status;
  split->flaw = (graze_outline_error){GRAZE_OUTLINE_ZERO_AREA, 0, 0, 0, 0};
  if (rings_is_empty(mesh)) return GRAZE_NOT_SIMPLE;
  split->simple = rings_is_simple(split);
  for (int32_t v = 0; v < mesh->count; v++) {
    if (rings_is_loose(mesh, v)) grz_mesh_remove_vertex(mesh, v);
  }
  grz_mesh_legalize(mesh);
  return GRAZE_OK;
}
