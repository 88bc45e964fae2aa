/* Shapes in snapshots. */
#include "scene/snapshot_bytes.h"

#include "core/memory.h"
#include "scene/checksum.h"
#include "shape/hill_climb.h"
#include "shape/compound.h"

static size_t snap_corners(graze_shape_kind kind) { return kind == GRAZE_SEGMENT ? 2 : kind == GRAZE_TRIANGLE ? 3 : 0; }

static bool snap_is_list(graze_shape_kind kind) { return kind == GRAZE_POLYGON || kind == GRAZE_HULL; }

/* ---- Fingerprints */

static uint64_t snap_print_real(uint64_t sum, double x) { return grz_checksum_word(sum, real_bits(x)); }

static uint64_t snap_print_points(uint64_t sum, const graze_vec *v, size_t count) {
  sum = grz_checksum_word(sum, count);
  for (size_t i = 0; i < count; i++)
    sum = snap_print_real(snap_print_real(snap_print_real(sum, v[i].x), v[i].y), v[i].z);
  return sum;
}

/* The numbers of all kinds, 0 where a kind has none. */
typedef struct snap_numbers {
  double radius, half_length, offset;
  graze_vec extents;
} snap_numbers;

static bool snap_is_round(graze_shape_kind kind) {
  return kind == GRAZE_CAPSULE || kind == GRAZE_CYLINDER || kind == GRAZE_CONE;
}

static snap_numbers snap_numbers_of(const graze_shape *shape) {
  snap_numbers numbers = {0, 0, 0, {0, 0, 0}};
  if (shape->kind == GRAZE_SPHERE) numbers.radius = shape->as.sphere.radius;
  if (snap_is_round(shape->kind))
    numbers.radius = shape->as.capsule.radius, numbers.half_length = shape->as.capsule.half_length;
  if (shape->kind == GRAZE_BOX) numbers.extents = shape->as.box.half_extents;
  if (shape->kind == GRAZE_ELLIPSOID) numbers.extents = shape->as.ellipsoid.radii;
  if (shape->kind == GRAZE_HALFSPACE)
    numbers.extents = shape->as.halfspace.normal, numbers.offset = shape->as.halfspace.offset;
  return numbers;
}

static void snap_set_numbers(graze_shape *shape, const snap_numbers *numbers) {
  if (shape->kind == GRAZE_SPHERE) shape->as.sphere.radius = numbers->radius;
  if (snap_is_round(shape->kind))
    shape->as.capsule.radius = numbers->radius, shape->as.capsule.half_length = numbers->half_length;
  if (shape->kind == GRAZE_BOX) shape->as.box.half_extents = numbers->extents;
  if (shape->kind == GRAZE_ELLIPSOID) shape->as.ellipsoid.radii = numbers->extents;
  if (shape->kind == GRAZE_HALFSPACE)
    shape->as.halfspace.normal = numbers->extents, shape->as.halfspace.offset = numbers->offset;
}

static uint64_t snap_print_part(uint64_t sum, const graze_placed *part) {
  const graze_shape *shape = &part->shape;
  const graze_pose *pose = &part->pose;
  const snap_numbers own = snap_numbers_of(shape);
  const double numbers[] = {shape->margin, own.radius, own.half_length, own.offset, pose->w, pose->x, pose->y, pose->z};
  const graze_vec vectors[] = {own.extents, pose->position};
  sum = grz_checksum_word(sum, (uint64_t)shape->kind);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sum = snap_print_real(sum, numbers[i]);
  sum = snap_print_points(sum, vectors, 2);
  sum = snap_print_points(sum, shape->as.triangle.vertices, snap_corners(shape->kind));
  sum = grz_checksum_word(sum, grz_hill_climbs(shape));
  return snap_is_list(shape->kind) ? snap_print_points(sum, shape->as.hull.vertices, shape->as.hull.count) : sum;
}

static uint64_t snap_print_ends(uint64_t sum, int32_t p, int32_t q) {
  return grz_checksum_word(sum, (uint64_t)(uint32_t)p << 32 | (uint32_t)q);
}

static uint64_t snap_print_all(const graze_compound *compound) {
  uint64_t sum = grz_checksum_word((uint64_t)compound->dim, compound->count);
  for (size_t i = 0; i < compound->count; i++) sum = snap_print_part(sum, &compound->parts[i]);
  for (size_t i = 0; i < compound->internal_edge_count; i++) {
    const grz_compound_internal_edge *seam = &compound->internal_edges[i];
    sum = snap_print_ends(sum, seam->left, seam->right);
    sum = snap_print_ends(sum, seam->vertex_left[0], seam->vertex_left[1]);
    sum = snap_print_ends(sum, seam->vertex_right[0], seam->vertex_right[1]);
  }
  return sum;
}

static uint64_t snap_print(grz_snap_known *known, const graze_compound *compound) {
  if (known->compound != compound) *known = (grz_snap_known){compound, snap_print_all(compound)};
  return known->fingerprint;
}

/* ---- Writing */

static void snap_put_indices(grz_snap_sink *s, const int32_t *index, size_t count, int32_t less) {
  for (size_t i = 0; i < count && !s->differs; i++) grz_snap_put4(s, (uint32_t)(index[i] - less));
}

static void snap_put_list(grz_snap_sink *s, const graze_shape *shape) {
  const graze_adjacency *edges = &shape->as.hull.adjacency;
  const size_t count = shape->as.hull.count;
  const bool climbs = grz_hill_climbs(shape);
  const int32_t first = climbs ? edges->start[0] : 0, neighbors = climbs ? edges->start[count] - first : 0;
  grz_snap_put4(s, (uint32_t)count);
  grz_snap_put4(s, climbs ? (uint32_t)edges->seed_rank : 0);
  grz_snap_put4(s, (uint32_t)neighbors);
  for (size_t i = 0; i < count && !s->differs; i++) grz_snap_put_vec(s, shape->as.hull.vertices[i]);
  if (!climbs) return;
  snap_put_indices(s, edges->start + 1, count, first);
  snap_put_indices(s, edges->neighbor + first, (size_t)neighbors, 0);
  snap_put_indices(s, edges->seed, grz_climb_cells(edges->seed_rank, shape->dim), 0);
}

static void snap_put_compound(grz_snap_sink *s, const graze_compound *compound) {
  grz_snap_put4(s, (uint32_t)compound->count);
  grz_snap_put8(s, s->to != NULL ? snap_print(&s->known, compound) : 0);
}

void grz_snap_put_shape(grz_snap_sink *s, const graze_shape *shape) {
  const snap_numbers own = snap_numbers_of(shape);
  grz_snap_put4(s, (uint32_t)shape->kind);
  grz_snap_put_real(s, shape->margin);
  grz_snap_put_real(s, own.radius);
  grz_snap_put_real(s, own.half_length);
  grz_snap_put_real(s, own.offset);
  grz_snap_put_vec(s, own.extents);
  for (size_t i = 0; i < snap_corners(shape->kind); i++) grz_snap_put_vec(s, shape->as.triangle.vertices[i]);
  if (snap_is_list(shape->kind)) snap_put_list(s, shape);
  if (shape->kind == GRAZE_COMPOUND) snap_put_compound(s, shape->as.compound);
}

/* ---- Reading */

/* A list of vertices and its edges, by their numbers. */
typedef struct snap_list {
  size_t count, neighbors, cells;
  int32_t rank;
  size_t bytes; /* after the counts */
} snap_list;

/* Three of 4 bytes. */
enum { SNAP_COUNTS = 12 };

/* Everything that is asked for is there. */
static bool snap_get_counts(grz_snap_source *s, graze_shape_kind kind, int dim, snap_list *list) {
  const uint32_t count = grz_snap_get4(s), rank = grz_snap_get4(s), neighbors = grz_snap_get4(s);
  if (count > INT32_MAX || neighbors > INT32_MAX) return false;
  *list = (snap_list){.count = count, .neighbors = neighbors};
  uint64_t bytes = (uint64_t)GRZ_SNAP_POINT * count;
  if (rank != 0) {
    list->rank = grz_climb_rank(count, dim);
    if (kind != GRAZE_HULL || (uint32_t)list->rank != rank) return false;
    list->cells = grz_climb_cells(list->rank, dim);
    bytes += 4 * ((uint64_t)count + neighbors + list->cells);
  }
  list->bytes = (size_t)bytes;
  return (rank != 0 || neighbors == 0) && !s->ended && bytes <= grz_snap_left(s);
}

/* Numbers of something of which there are `below`. */
static bool snap_get_indices(grz_snap_source *s, int32_t *to, size_t count, size_t below) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t index = grz_snap_get4(s);
    if (index >= below) return false;
    to[i] = (int32_t)index;
  }
  return true;
}

/* `start`: of the first list of neighbours, and all others behind it. */
static bool snap_get_edges(grz_snap_source *s, const snap_list *list, int32_t *start, graze_adjacency *edges) {
  int32_t *neighbor = start + list->count + 1, *seed = neighbor + list->neighbors;
  start[0] = 0;
  if (!snap_get_indices(s, start + 1, list->count, list->neighbors + 1)) return false;
  for (size_t i = 0; i < list->count; i++)
    if (start[i] > start[i + 1]) return false;
  *edges = (graze_adjacency){start, neighbor, seed, list->rank};
  return (size_t)start[list->count] == list->neighbors && snap_get_indices(s, neighbor, list->neighbors, list->count) &&
         snap_get_indices(s, seed, list->cells, list->count);
}

/* Its vertices where they stand, if they are the same. */
static bool snap_keep_list(grz_snap_source *s, const graze_shape *own, graze_shape *shape) {
  if (own->kind != shape->kind || own->dim != shape->dim) return false;
  grz_snap_sink sink = {.like = s->from + s->at, .most = grz_snap_left(s)};
  snap_put_list(&sink, own);
  if (sink.differs) return false;
  s->at += sink.at;
  shape->as.hull.vertices = own->as.hull.vertices;
  shape->as.hull.count = own->as.hull.count;
  shape->as.hull.adjacency = own->as.hull.adjacency;
  return true;
}

static bool snap_find_list(grz_snap_source *s, const scene_owned *owned, uint64_t sum, graze_shape *shape) {
  scene_owned_walk walk = grz_owned_walk(owned, sum);
  for (scene_list *list = grz_owned_next(&walk, sum); list != NULL; list = grz_owned_next(&walk, sum)) {
    const graze_shape kept = grz_owned_shape(list);
    if (snap_keep_list(s, &kept, shape)) return true;
  }
  return false;
}

static graze_status snap_copy_list(grz_snap_source *s, const snap_list *list, uint64_t sum,
                                   const grz_snap_places *places, graze_shape *shape) {
  const size_t indices = list->rank != 0 ? list->count + 1 + list->neighbors + list->cells : 0;
  const size_t bytes = sizeof(scene_list) + list->count * sizeof(graze_vec) + indices * sizeof(int32_t);
  scene_owned *made = places->made;
  if (!grz_owned_reserve(made, made->count + 1, places->allocator)) return GRAZE_OUT_OF_MEMORY;
  scene_list *block = grz_allocate(places->allocator, 1, bytes);
  if (block == NULL) return GRAZE_OUT_OF_MEMORY;
  graze_vec *vertices = scene_list_vertices(block);
  *block = (scene_list){.sum = sum, .kind = shape->kind, .dim = shape->dim, .count = list->count};
  grz_owned_put(made, block);
  s->at += SNAP_COUNTS;
  for (size_t i = 0; i < list->count; i++) vertices[i] = grz_snap_get_vec(s);
  int32_t *start = (int32_t *)(void *)(vertices + list->count);
  if (list->rank != 0 && !snap_get_edges(s, list, start, &block->adjacency)) return GRAZE_BAD_DATA;
  shape->as.hull.vertices = vertices;
  shape->as.hull.count = list->count;
  shape->as.hull.adjacency = block->adjacency;
  return GRAZE_OK;
}

/* By their bytes: of the body that is there, of any other, or anew. */
static graze_status snap_get_list(grz_snap_source *s, const grz_snap_places *places, graze_shape *shape) {
  snap_list list;
  grz_snap_source ahead = *s;
  if (places->own != NULL && snap_keep_list(s, places->own, shape)) return GRAZE_OK;
  if (!snap_get_counts(&ahead, shape->kind, shape->dim, &list)) return GRAZE_BAD_DATA;
  const uint64_t sum = grz_checksum_word(grz_checksum(s->from + s->at, SNAP_COUNTS + list.bytes),
                                         (uint64_t)shape->kind << 8 | (uint64_t)shape->dim);
  if (snap_find_list(s, places->there, sum, shape) || snap_find_list(s, places->made, sum, shape)) return GRAZE_OK;
  return snap_copy_list(s, &list, sum, places, shape);
}

static graze_status snap_keep_compound(grz_snap_source *s, const graze_shape *own, graze_shape *shape) {
  const uint32_t count = grz_snap_get4(s);
  const uint64_t fingerprint = grz_snap_get8(s);
  if (s->ended) return GRAZE_BAD_DATA;
  if (own == NULL || own->kind != GRAZE_COMPOUND || own->dim != shape->dim || own->as.compound->count != count)
    return GRAZE_UNSUPPORTED;
  if (snap_print(&s->known, own->as.compound) != fingerprint) return GRAZE_UNSUPPORTED;
  shape->as.compound = own->as.compound;
  return GRAZE_OK;
}

static graze_status snap_keep_user(const graze_shape *own, graze_shape *shape) {
  if (own == NULL || own->kind != GRAZE_USER || own->dim != shape->dim) return GRAZE_UNSUPPORTED;
  shape->as.user.support = own->as.user.support;
  shape->as.user.context = own->as.user.context;
  return GRAZE_OK;
}

graze_status grz_snap_get_shape(grz_snap_source *s, int dim, const grz_snap_places *places, graze_shape *shape) {
  const uint32_t kind = grz_snap_get4(s);
  if (kind < GRAZE_POINT || kind > GRAZE_COMPOUND) return GRAZE_BAD_DATA;
  *shape = (graze_shape){.kind = (graze_shape_kind)kind, .dim = dim};
  shape->margin = grz_snap_get_real(s);
  snap_numbers own;
  own.radius = grz_snap_get_real(s);
  own.half_length = grz_snap_get_real(s);
  own.offset = grz_snap_get_real(s);
  own.extents = grz_snap_get_vec(s);
  snap_set_numbers(shape, &own);
  for (size_t i = 0; i < snap_corners(shape->kind); i++) shape->as.triangle.vertices[i] = grz_snap_get_vec(s);
  if (s->ended) return GRAZE_BAD_DATA;
  if (shape->kind == GRAZE_COMPOUND) return snap_keep_compound(s, places->own, shape);
  if (shape->kind == GRAZE_USER) return snap_keep_user(places->own, shape);
  return snap_is_list(shape->kind) ? snap_get_list(s, places, shape) : GRAZE_OK;
}
