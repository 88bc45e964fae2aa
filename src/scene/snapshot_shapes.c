/* The shapes of bodies in snapshots: writing, reading, and the checksum of all bytes.
 *
 * XXH64: Yann Collet, https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md. */
#include "scene/snapshot_bytes.h"

#include "core/memory.h"
#include "shape/support.h"

/* ---- XXH64 */

static const uint64_t checksum_prime[5] = {0x9e3779b185ebca87u, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u,
                                           0x85ebca77c2b2ae63u, 0x27d4eb2f165667c5u};

static uint64_t checksum_rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t checksum_round(uint64_t sum, uint64_t word) {
  return checksum_rotate(sum + word * checksum_prime[1], 31) * checksum_prime[0];
}

static uint64_t checksum_word(uint64_t sum, uint64_t word) {
  return checksum_rotate(sum ^ checksum_round(0, word), 27) * checksum_prime[0] + checksum_prime[3];
}

uint64_t grz_checksum(const unsigned char *bytes, size_t size) {
  const uint64_t *p = checksum_prime;
  uint64_t sum[4] = {p[0] + p[1], p[1], 0, 0 - p[0]}, all = p[4];
  size_t at = 0;
  for (; size - at >= 32; at += 32)
    for (size_t k = 0; k < 4; k++) sum[k] = checksum_round(sum[k], grz_snap_load(bytes + at + 8 * k, 8));
  if (size >= 32) {
    all = checksum_rotate(sum[0], 1) + checksum_rotate(sum[1], 7) + checksum_rotate(sum[2], 12) +
          checksum_rotate(sum[3], 18);
    for (size_t k = 0; k < 4; k++) all = (all ^ checksum_round(0, sum[k])) * p[0] + p[3];
  }
  all += size;
  for (; size - at >= 8; at += 8) all = checksum_word(all, grz_snap_load(bytes + at, 8));
  if (size - at >= 4) {
    all = checksum_rotate(all ^ grz_snap_load(bytes + at, 4) * p[0], 23) * p[1] + p[2];
    at += 4;
  }
  for (; at < size; at++) all = checksum_rotate(all ^ bytes[at] * p[4], 11) * p[0];
  all = (all ^ all >> 33) * p[1];
  all = (all ^ all >> 29) * p[2];
  return all ^ all >> 32;
}

/* ---- Shape kinds */

static size_t snap_corners(graze_shape_kind kind) { return kind == GRAZE_SEGMENT ? 2 : kind == GRAZE_TRIANGLE ? 3 : 0; }

static bool snap_has_vertices(graze_shape_kind kind) { return kind == GRAZE_POLYGON || kind == GRAZE_HULL; }

/* The numbers of a shape in a snapshot. A number that the kind does not have is 0. */
typedef struct snap_numbers {
  double radius, half_length, offset;
  graze_vec extents; /* of a box, an ellipsoid; the normal of a half-space */
} snap_numbers;

static snap_numbers snap_numbers_of(const graze_shape *shape) {
  snap_numbers n = {.radius = grz_radius_parameter(shape)};
  switch (shape->kind) {
  case GRAZE_CAPSULE: n.half_length = shape->as.capsule.half_length; break;
  case GRAZE_CYLINDER: n.half_length = shape->as.cylinder.half_length; break;
  case GRAZE_CONE: n.half_length = shape->as.cone.half_length; break;
  case GRAZE_BOX: n.extents = shape->as.box.half_extents; break;
  case GRAZE_ELLIPSOID: n.extents = shape->as.ellipsoid.radii; break;
  case GRAZE_HALFSPACE: n.extents = shape->as.halfspace.normal, n.offset = shape->as.halfspace.offset; break;
  default: break;
  }
  return n;
}

/* Sets the numbers of a shape. Returns false if a number that the kind does not have is not 0. */
static bool snap_set_numbers(const snap_numbers *n, graze_shape *shape) {
  switch (shape->kind) {
  case GRAZE_SPHERE: shape->as.sphere.radius = n->radius; break;
  case GRAZE_CAPSULE: shape->as.capsule.radius = n->radius, shape->as.capsule.half_length = n->half_length; break;
  case GRAZE_CYLINDER: shape->as.cylinder.radius = n->radius, shape->as.cylinder.half_length = n->half_length; break;
  case GRAZE_CONE: shape->as.cone.radius = n->radius, shape->as.cone.half_length = n->half_length; break;
  case GRAZE_BOX: shape->as.box.half_extents = n->extents; break;
  case GRAZE_ELLIPSOID: shape->as.ellipsoid.radii = n->extents; break;
  case GRAZE_HALFSPACE: shape->as.halfspace.normal = n->extents, shape->as.halfspace.offset = n->offset; break;
  default: break;
  }
  const snap_numbers kept = snap_numbers_of(shape);
  return real_bits(kept.radius) == real_bits(n->radius) && real_bits(kept.half_length) == real_bits(n->half_length) &&
         real_bits(kept.offset) == real_bits(n->offset) && real_bits(kept.extents.x) == real_bits(n->extents.x) &&
         real_bits(kept.extents.y) == real_bits(n->extents.y) && real_bits(kept.extents.z) == real_bits(n->extents.z);
}

static const graze_vec *snap_corners_of(const graze_shape *shape) {
  return shape->kind == GRAZE_SEGMENT ? shape->as.segment.vertices : shape->as.triangle.vertices;
}

/* ---- Fingerprints of compounds and meshes */

static uint64_t snap_hash_real(uint64_t sum, double x) { return checksum_word(sum, real_bits(x)); }

static uint64_t snap_hash_points(uint64_t sum, const graze_vec *v, size_t count) {
  sum = checksum_word(sum, count);
  for (size_t i = 0; i < count; i++) sum = snap_hash_real(snap_hash_real(snap_hash_real(sum, v[i].x), v[i].y), v[i].z);
  return sum;
}

static uint64_t snap_hash_part(uint64_t sum, const graze_placed *part) {
  const graze_shape *shape = &part->shape;
  const graze_pose *pose = &part->pose;
  const snap_numbers n = snap_numbers_of(shape);
  const double numbers[] = {shape->margin, n.radius, n.half_length, n.offset, pose->w, pose->x, pose->y, pose->z};
  const graze_vec vectors[] = {n.extents, pose->position};
  sum = checksum_word(sum, (uint64_t)shape->kind);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sum = snap_hash_real(sum, numbers[i]);
  sum = snap_hash_points(sum, vectors, 2);
  sum = snap_hash_points(sum, snap_corners_of(shape), snap_corners(shape->kind));
  sum = checksum_word(sum, grz_hill_climbs(shape));
  return snap_has_vertices(shape->kind) ? snap_hash_points(sum, shape->as.hull.vertices, shape->as.hull.count) : sum;
}

static uint64_t snap_hash_indices(uint64_t sum, int32_t p, int32_t q) {
  return checksum_word(sum, (uint64_t)(uint32_t)p << 32 | (uint32_t)q);
}

static uint64_t snap_hash_mesh(const graze_mesh *mesh) {
  const graze_mesh_def *def = &mesh->def;
  uint64_t sum = checksum_word(checksum_word((uint64_t)def->dim, def->face_count), def->surface);
  sum = snap_hash_points(sum, def->vertices, def->vertex_count);
  for (size_t i = 0; i < (size_t)def->dim * def->face_count; i++) sum = checksum_word(sum, (uint64_t)def->faces[i]);
  return sum;
}

static uint64_t snap_hash_compound(const graze_compound *compound) {
  uint64_t sum = checksum_word((uint64_t)compound->dim, compound->count);
  for (size_t i = 0; i < compound->count; i++) sum = snap_hash_part(sum, &compound->parts[i]);
  for (size_t i = 0; i < compound->internal_edge_count; i++) {
    const grz_compound_internal_edge *edge = &compound->internal_edges[i];
    sum = snap_hash_indices(sum, edge->left, edge->right);
    sum = snap_hash_indices(sum, edge->vertex_left[0], edge->vertex_left[1]);
    sum = snap_hash_indices(sum, edge->vertex_right[0], edge->vertex_right[1]);
  }
  return sum;
}

/* The fingerprint of a compound or mesh. */
static uint64_t snap_fingerprint(grz_snap_known *known, const graze_shape *shape) {
  const bool mesh = shape->kind == GRAZE_MESH;
  const void *of = mesh ? (const void *)shape->as.mesh : shape->as.compound;
  if (known->of != of)
    *known = (grz_snap_known){of, mesh ? snap_hash_mesh(shape->as.mesh) : snap_hash_compound(shape->as.compound)};
  return known->fingerprint;
}

static size_t snap_part_count(const graze_shape *shape) {
  return shape->kind == GRAZE_MESH ? shape->as.mesh->def.face_count : shape->as.compound->count;
}

/* ---- Writing */

static void snap_write_indices(grz_snap_sink *s, const int32_t *index, size_t count, int32_t less) {
  for (size_t i = 0; i < count && !s->differs; i++) grz_snap_write4(s, (uint32_t)(index[i] - less));
}

static void snap_write_vertices(grz_snap_sink *s, const graze_shape *shape) {
  const graze_adjacency *edges = &shape->as.hull.adjacency;
  const size_t count = shape->as.hull.count;
  const bool climbs = grz_hill_climbs(shape);
  const int32_t first = climbs ? edges->start[0] : 0, neighbors = climbs ? edges->start[count] - first : 0;
  grz_snap_write4(s, (uint32_t)count);
  grz_snap_write4(s, climbs ? (uint32_t)edges->seed_rank : 0);
  grz_snap_write4(s, (uint32_t)neighbors);
  for (size_t i = 0; i < count && !s->differs; i++) grz_snap_write_vec(s, shape->as.hull.vertices[i]);
  if (!climbs) return;
  snap_write_indices(s, edges->start + 1, count, first);
  snap_write_indices(s, edges->neighbor + first, (size_t)neighbors, 0);
  snap_write_indices(s, edges->seed, grz_climb_cells(edges->seed_rank, shape->dim), 0);
}

void grz_snap_write_shape(grz_snap_sink *s, const graze_shape *shape) {
  const snap_numbers n = snap_numbers_of(shape);
  grz_snap_write4(s, (uint32_t)shape->kind);
  grz_snap_write_real(s, shape->margin);
  grz_snap_write_real(s, n.radius);
  grz_snap_write_real(s, n.half_length);
  grz_snap_write_real(s, n.offset);
  grz_snap_write_vec(s, n.extents);
  for (size_t i = 0; i < snap_corners(shape->kind); i++) grz_snap_write_vec(s, snap_corners_of(shape)[i]);
  if (snap_has_vertices(shape->kind)) snap_write_vertices(s, shape);
  if (!grz_has_parts(shape)) return;
  grz_snap_write4(s, (uint32_t)snap_part_count(shape));
  grz_snap_write8(s, s->to != NULL ? snap_fingerprint(&s->known, shape) : 0);
}

/* ---- Reading */

/* Reads indices below a limit. */
static bool snap_read_indices(grz_snap_source *s, int32_t *to, size_t count, size_t limit) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t index = grz_snap_read4(s);
    if (index >= limit) return false;
    to[i] = (int32_t)index;
  }
  return true;
}

/* Uses the vertices of the body with the same id, if the bytes are the same. */
static bool snap_keep_vertices(grz_snap_source *s, const graze_shape *own, graze_shape *shape) {
  if (own == NULL || own->kind != shape->kind || own->dim != shape->dim) return false;
  grz_snap_sink sink = {.expected = s->from + s->at, .expected_size = grz_snap_left(s)};
  snap_write_vertices(&sink, own);
  if (sink.differs) return false;
  s->at += sink.at;
  shape->as.hull.vertices = own->as.hull.vertices;
  shape->as.hull.count = own->as.hull.count;
  if (shape->kind == GRAZE_HULL) shape->as.hull.adjacency = own->as.hull.adjacency;
  return true;
}

static graze_status snap_read_vertices(grz_snap_source *s, const graze_allocator *allocator, graze_shape *shape,
                                       void **copy) {
  const uint32_t count = grz_snap_read4(s), rank = grz_snap_read4(s), neighbors = grz_snap_read4(s);
  const int32_t seed_rank = rank != 0 ? grz_climb_rank(count, shape->dim) : 0;
  const size_t cells = rank != 0 ? grz_climb_cells(seed_rank, shape->dim) : 0;

  /* Allocate only if the snapshot contains all these bytes, so its size bounds the memory. */
  if (s->ended || count > INT32_MAX || neighbors > INT32_MAX) return GRAZE_BAD_DATA;
  if (rank != 0 ? shape->kind != GRAZE_HULL || (uint32_t)seed_rank != rank : neighbors != 0) return GRAZE_BAD_DATA;
  const uint64_t indices = rank != 0 ? (uint64_t)count + neighbors + cells : 0;
  if ((uint64_t)GRZ_SNAP_POINT * count + 4 * indices > grz_snap_left(s)) return GRAZE_BAD_DATA;

  *copy = grz_allocate(allocator, 1, count * sizeof(graze_vec) + (size_t)(indices + 1) * sizeof(int32_t));
  if (*copy == NULL) return GRAZE_OUT_OF_MEMORY;
  graze_vec *vertices = *copy;
  for (size_t i = 0; i < count; i++) vertices[i] = grz_snap_read_vec(s);
  shape->as.hull.vertices = vertices;
  shape->as.hull.count = count;
  if (rank == 0) return GRAZE_OK;
  int32_t *start = (int32_t *)(void *)(vertices + count), *neighbor = start + count + 1, *seed = neighbor + neighbors;
  start[0] = 0;
  if (!snap_read_indices(s, start + 1, count, (size_t)neighbors + 1)) return GRAZE_BAD_DATA;
  for (size_t i = 0; i < count; i++)
    if (start[i] > start[i + 1]) return GRAZE_BAD_DATA;
  if ((uint32_t)start[count] != neighbors || !snap_read_indices(s, neighbor, neighbors, count) ||
      !snap_read_indices(s, seed, cells, count))
    return GRAZE_BAD_DATA;
  shape->as.hull.adjacency = (graze_adjacency){start, neighbor, seed, seed_rank};
  return GRAZE_OK;
}

static graze_status snap_keep_parts(grz_snap_source *s, const graze_shape *own, graze_shape *shape) {
  const uint32_t count = grz_snap_read4(s);
  const uint64_t fingerprint = grz_snap_read8(s);
  if (s->ended) return GRAZE_BAD_DATA;
  if (own == NULL || own->kind != shape->kind || own->dim != shape->dim || snap_part_count(own) != count)
    return GRAZE_UNSUPPORTED;
  if (snap_fingerprint(&s->known, own) != fingerprint) return GRAZE_UNSUPPORTED;
  shape->as = own->as;
  return GRAZE_OK;
}

graze_status grz_snap_read_shape(grz_snap_source *s, int dim, const graze_shape *own, const graze_allocator *allocator,
                                 graze_shape *shape, void **copy) {
  const uint32_t kind = grz_snap_read4(s);
  if (kind < GRAZE_POINT || kind > GRAZE_MESH) return GRAZE_BAD_DATA;
  *shape = (graze_shape){.kind = (graze_shape_kind)kind, .dim = dim};
  shape->margin = grz_snap_read_real(s);
  snap_numbers n;
  n.radius = grz_snap_read_real(s);
  n.half_length = grz_snap_read_real(s);
  n.offset = grz_snap_read_real(s);
  n.extents = grz_snap_read_vec(s);
  if (!snap_set_numbers(&n, shape)) return GRAZE_BAD_DATA;
  graze_vec *corner = kind == GRAZE_SEGMENT ? shape->as.segment.vertices : shape->as.triangle.vertices;
  for (size_t i = 0; i < snap_corners(shape->kind); i++) corner[i] = grz_snap_read_vec(s);
  if (s->ended) return GRAZE_BAD_DATA;
  if (grz_has_parts(shape)) return snap_keep_parts(s, own, shape);
  if (shape->kind == GRAZE_USER) {
    if (own == NULL || own->kind != GRAZE_USER || own->dim != dim) return GRAZE_UNSUPPORTED;
    shape->as.user.support = own->as.user.support;
    shape->as.user.context = own->as.user.context;
  }
  if (!snap_has_vertices(shape->kind) || snap_keep_vertices(s, own, shape)) return GRAZE_OK;
  return snap_read_vertices(s, allocator, shape, copy);
}
