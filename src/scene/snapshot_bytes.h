/* How a snapshot is written: little-endian numbers of 4 and 8 bytes, doubles by their bits, one after the other.
 *
 *   head        "grazesnp", version u32, dim u32, bytes in all u64
 *   definition  method u32, samples u32, skin, push_speed
 *   counts      slots u32, free list u32, contacts u64
 *   slots       generation u32, type u32; of a free one (type 0): 120 zeros; otherwise:
 *               response u32, flags u32, user u64, category u64, mask u64, margin, mass, bounce,
 *               pose (position, w, x, y, z), motion, shape
 *   free list   slot u32, in the order in which they are taken
 *   contacts    low u32, high u32
 *   end         XXH64 of all that stands before
 *
 * A shape is its kind u32, margin, radius, half_length, offset, extents; then what the kind points to:
 *
 *   segment     2 corners
 *   triangle    3 corners
 *   polygon     vertices u32, 0 u32, 0 u32, the vertices
 *   hull        vertices u32, rank of seeds u32 (0: it is not climbed), neighbours u32, the vertices; where it is
 *               climbed, since that may change the last bits of an answer: where the neighbours of each vertex end, the
 *               neighbours, the seeds, all u32
 *   compound    parts u32, fingerprint of all that they are made of u64
 *
 * What follows from these (rotations, bounds, skins, the tree) is computed anew. */
#ifndef GRAZE_SCENE_SNAPSHOT_BYTES_H
#define GRAZE_SCENE_SNAPSHOT_BYTES_H

#include "core/vec.h"
#include "scene/world.h"

#include <string.h>

#define GRZ_SNAP_MAGIC "grazesnp"

enum {
  GRZ_SNAP_VERSION = 1,
  GRZ_SNAP_HEAD = 24, /* bytes */
  GRZ_SNAP_END = 8,   /* bytes */
  GRZ_SNAP_SLOT_HEAD = 8,
  GRZ_SNAP_SLOT = 128,  /* bytes, at least: a slot takes some eight times as many in memory, whatever is in it */
  GRZ_SNAP_CONTACT = 8, /* bytes */
  GRZ_SNAP_POINT = 24,  /* bytes */
  GRZ_SNAP_SENSOR = 1,  /* flags */
  GRZ_SNAP_FRESH = 2,
  GRZ_SNAP_FLAGS = 3
};

/* The last compound that was looked at, and its fingerprint: bodies often share one. */
typedef struct grz_snap_known {
  const graze_compound *compound;
  uint64_t fingerprint;
} grz_snap_known;

/* ---- Writing */

typedef struct grz_snap_sink {
  unsigned char *to;         /* NULL: bytes are only counted … */
  const unsigned char *like; /* … or compared with these, until they differ; NULL: they are not */
  size_t at, most;           /* most: of like */
  bool differs;
  grz_snap_known known;
} grz_snap_sink;

static inline void grz_snap_put(grz_snap_sink *s, uint64_t value, size_t size) {
  unsigned char raw[8];
  if (s->differs) return;
  for (size_t i = 0; i < 8; i++) raw[i] = (unsigned char)(value >> 8 * i);
  if (s->to != NULL) memcpy(s->to + s->at, raw, size);
  if (s->like != NULL) s->differs = s->most - s->at < size || memcmp(s->like + s->at, raw, size) != 0;
  s->at += size;
}

static inline void grz_snap_put4(grz_snap_sink *s, uint32_t value) { grz_snap_put(s, value, 4); }

static inline void grz_snap_put8(grz_snap_sink *s, uint64_t value) { grz_snap_put(s, value, 8); }

static inline void grz_snap_put_real(grz_snap_sink *s, double x) { grz_snap_put8(s, real_bits(x)); }

static inline void grz_snap_put_vec(grz_snap_sink *s, graze_vec v) {
  grz_snap_put_real(s, v.x), grz_snap_put_real(s, v.y), grz_snap_put_real(s, v.z);
}

/* ---- Reading */

typedef struct grz_snap_source {
  const unsigned char *from;
  size_t at, end;
  bool ended; /* more was asked for than there is: zeros were given */
  grz_snap_known known;
} grz_snap_source;

static inline uint64_t grz_snap_load(const unsigned char *from, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++) value |= (uint64_t)from[i] << 8 * i;
  return value;
}

static inline size_t grz_snap_left(const grz_snap_source *s) { return s->end - s->at; }

static inline uint64_t grz_snap_get(grz_snap_source *s, size_t size) {
  s->ended = s->ended || grz_snap_left(s) < size;
  if (s->ended) return 0;
  s->at += size;
  return grz_snap_load(s->from + (s->at - size), size);
}

static inline uint32_t grz_snap_get4(grz_snap_source *s) { return (uint32_t)grz_snap_get(s, 4); }

static inline uint64_t grz_snap_get8(grz_snap_source *s) { return grz_snap_get(s, 8); }

static inline double grz_snap_get_real(grz_snap_source *s) { return real_of_bits(grz_snap_get8(s)); }

static inline graze_vec grz_snap_get_vec(grz_snap_source *s) {
  graze_vec v;
  v.x = grz_snap_get_real(s), v.y = grz_snap_get_real(s), v.z = grz_snap_get_real(s);
  return v;
}

/* ---- Shapes */

void grz_snap_put_shape(grz_snap_sink *s, const graze_shape *shape);

/* Where vertices may stand already. */
typedef struct grz_snap_places {
  const graze_shape *own;   /* the shape of the body of the same id; NULL: there is none */
  const scene_owned *there; /* of the scene */
  scene_owned *made;        /* what is copied is put there */
  const graze_allocator *allocator;
} grz_snap_places;

/* What a shape points to is taken from where it is, the body of the same id first; vertices are otherwise copied. The
 * shape is not judged, but for what it points to: GRAZE_BAD_DATA, GRAZE_UNSUPPORTED, GRAZE_OUT_OF_MEMORY. Takes time
 * for the bytes that are read and for what `own` points to, and no more. */
graze_status grz_snap_get_shape(grz_snap_source *s, int dim, const grz_snap_places *places, graze_shape *shape);

#endif
