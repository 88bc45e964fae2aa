/* The format of snapshots: little-endian numbers of 4 and 8 bytes, doubles by their bits, without padding.
 *
 *   head        "grazesnp", version u32, dim u32, size of the snapshot u64
 *   definition  method u32, reserved u32 (0), skin, push_speed
 *   counts      slots u32, free slots u32, contacts u64
 *   slots       generation u32, type u32; of a free slot (type 0): 120 zeros; otherwise:
 *               response u32, flags u32, user u64, category u64, mask u64, margin, mass, bounce,
 *               pose (position, w, x, y, z), motion, shape
 *   free slots  slot u32, in the order in which they are used
 *   contacts    low u32, high u32
 *   end         XXH64 of all bytes before
 *
 * A shape is its kind u32, margin, radius, half_length, offset, extents (zeros if the kind has none); then by kind:
 *
 *   segment     2 vertices
 *   triangle    3 vertices
 *   polygon     vertices u32, 0 u32, 0 u32, the vertices
 *   hull        vertices u32, rank of the seeds u32 (0: no hill climbing), neighbours u32, the vertices. With hill
 *               climbing, which may change the last bits of an answer: the ends of the neighbour lists, the neighbours,
 *               the seeds, all u32
 *   compound, mesh  parts u32, fingerprint of the parts u64
 *
 * Rotations, bounds, skins and the tree follow from these and are computed anew. */
#ifndef GRAZE_SCENE_SNAPSHOT_BYTES_H
#define GRAZE_SCENE_SNAPSHOT_BYTES_H

#include "core/vec.h"
#include "scene/store.h"

#include <string.h>

#define GRZ_SNAP_MAGIC "grazesnp"

enum {
  GRZ_SNAP_VERSION = 2,
  GRZ_SNAP_HEAD = 24, /* bytes */
  GRZ_SNAP_END = 8,   /* bytes */
  GRZ_SNAP_SLOT_HEAD = 8,
  GRZ_SNAP_SLOT = 128,  /* bytes, at least. In memory, a slot takes about eight times as many */
  GRZ_SNAP_CONTACT = 8, /* bytes */
  GRZ_SNAP_POINT = 24,  /* bytes */
  GRZ_SNAP_SENSOR = 1,  /* flags */
  GRZ_SNAP_FRESH = 2,
  GRZ_SNAP_FLAGS = 3
};

/* The last compound or mesh, and its fingerprint: bodies often share one. */
typedef struct grz_snap_known {
  const void *of;
  uint64_t fingerprint;
} grz_snap_known;

/* ---- Writing */

typedef struct grz_snap_sink {
  unsigned char *to;             /* NULL: bytes are only counted, or compared */
  const unsigned char *expected; /* NULL: bytes are not compared */
  size_t at, expected_size;
  bool differs; /* from `expected`; all later writes are ignored */
  grz_snap_known known;
} grz_snap_sink;

static inline void grz_snap_write(grz_snap_sink *s, uint64_t value, size_t size) {
  unsigned char raw[8];
  if (s->differs) return;
  for (size_t i = 0; i < 8; i++) raw[i] = (unsigned char)(value >> 8 * i);
  if (s->to != NULL) memcpy(s->to + s->at, raw, size);
  if (s->expected != NULL) s->differs = s->expected_size - s->at < size || memcmp(s->expected + s->at, raw, size) != 0;
  s->at += size;
}

static inline void grz_snap_write4(grz_snap_sink *s, uint32_t value) { grz_snap_write(s, value, 4); }

static inline void grz_snap_write8(grz_snap_sink *s, uint64_t value) { grz_snap_write(s, value, 8); }

static inline void grz_snap_write_real(grz_snap_sink *s, double x) { grz_snap_write8(s, real_bits(x)); }

static inline void grz_snap_write_vec(grz_snap_sink *s, graze_vec v) {
  grz_snap_write_real(s, v.x), grz_snap_write_real(s, v.y), grz_snap_write_real(s, v.z);
}

/* ---- Reading */

typedef struct grz_snap_source {
  const unsigned char *from;
  size_t at, end;
  bool ended; /* a read went beyond the end; this and all later reads return 0 */
  grz_snap_known known;
} grz_snap_source;

static inline uint64_t grz_snap_load(const unsigned char *from, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++) value |= (uint64_t)from[i] << 8 * i;
  return value;
}

static inline size_t grz_snap_left(const grz_snap_source *s) { return s->end - s->at; }

static inline uint64_t grz_snap_read(grz_snap_source *s, size_t size) {
  s->ended = s->ended || grz_snap_left(s) < size;
  if (s->ended) return 0;
  s->at += size;
  return grz_snap_load(s->from + (s->at - size), size);
}

static inline uint32_t grz_snap_read4(grz_snap_source *s) { return (uint32_t)grz_snap_read(s, 4); }

static inline uint64_t grz_snap_read8(grz_snap_source *s) { return grz_snap_read(s, 8); }

static inline double grz_snap_read_real(grz_snap_source *s) { return real_of_bits(grz_snap_read8(s)); }

static inline graze_vec grz_snap_read_vec(grz_snap_source *s) {
  graze_vec v;
  v.x = grz_snap_read_real(s), v.y = grz_snap_read_real(s), v.z = grz_snap_read_real(s);
  return v;
}

/* ---- Checksum and shapes */

/* XXH64 with seed 0. It detects damage, not forgery. */
uint64_t grz_checksum(const unsigned char *bytes, size_t size);

void grz_snap_write_shape(grz_snap_sink *s, const graze_shape *shape);

/* Reads a shape. `own` is the shape of the body with the same id, or NULL. Compounds, support functions and equal
 * vertices are taken from it. Other vertices are copied to *copy, which the caller releases in any case.
 *
 * The shape is not validated, except for the indices of its adjacency. Errors: GRAZE_BAD_DATA, GRAZE_UNSUPPORTED,
 * GRAZE_OUT_OF_MEMORY. The work is bounded by the bytes that are read and by the size of `own`. */
graze_status grz_snap_read_shape(grz_snap_source *s, int dim, const graze_shape *own, const graze_allocator *allocator,
                                 graze_shape *shape, void **copy);

#endif
