/* Contact manifolds: faces and edges (contact_faces.c), their overlap (contact_overlap.c), its points
 * (contact_points.c) and the result (manifold.c).
 *
 * Source: Gregorius, "Robust Contact Creation for Physics Simulations", GDC 2015. Theory: docs/theory/contact.md. */
#ifndef GRAZE_NARROW_CONTACT_H
#define GRAZE_NARROW_CONTACT_H

#include "core/vec.h"

#include <graze/graze.h>

#include <stdint.h>

/* ---- Contact faces */
enum { GRZ_CONTACT_FACE_CORNERS = 64 };

/* A contact face whose normal has a smaller cosine with the direction is replaced by its edge, and an edge by its
 * vertex. Such a steep face or edge touches another shape in one vertex only. */
#define GRZ_CONTACT_FACE_STEEP 0.25

/* The face, edge, disk or vertex of a core that is most perpendicular to a direction, as a convex polygon.
 *
 * count 1: a vertex. count 2: an edge. More: a convex polygon, in order. count 0: a half-space, or a shape without
 * faces (point, sphere, ellipsoid, user shape). Lengths are the caller's times a power of two. */
typedef struct grz_contact_face {
  int count;
  bool disk;                                  /* the corners lie on the rim of this disk */
  bool plane;                                 /* a half-space: every point projects into it */
  int32_t face;                               /* index of the face, for contact ids */
  double radius;                              /* of the disk */
  graze_vec center;                           /* of the disk; center.z: height of the half-space */
  graze_vec corner[GRZ_CONTACT_FACE_CORNERS]; /* in the local frame; after frame_outline() in the contact frame */
  int32_t id[GRZ_CONTACT_FACE_CORNERS];       /* polytopes: the core vertex */
} grz_contact_face;

/* The corners after and before corner i, without a remainder, which takes long in the loops over edges. */
static inline int contact_after(const grz_contact_face *f, int i) { return i + 1 < f->count ? i + 1 : 0; }
static inline int contact_before(const grz_contact_face *f, int i) { return (i > 0 ? i : f->count) - 1; }

/* Computes the contact face for the unit local direction d, with lengths times unit.
 *
 * Ids of curved shapes: rim point k of the cap at -z: k, at +z: 16 + k. Ends of a side line at -z: 32, at +z (or the
 * apex): 33. */
void grz_contact_face_facing(const graze_placed *placed, graze_vec d, double unit, grz_contact_face *feature);

/* ---- The contact frame: z along the normal, from A to B; x and y perpendicular to it */
/* The coordinates of x are c[k] = x·dual[k], and x is the sum of c[k]·axis[k]. axis[2] is the normal. The frame is
 * right-handed and, except for disks, orthonormal (frame_make() in manifold.c). */
typedef struct grz_contact_frame {
  graze_vec origin;    /* in the world: the position of a body */
  double unit;         /* a power of two: lengths in the frame are about 1 */
  double inverse_unit; /* exact */
  graze_vec axis[3], dual[3];
  int dim;
  double slack;     /* perpendicular to the normal: points this near coincide. Larger than all rounding */
  double tolerance; /* along the normal: shapes this near are in contact */
} grz_contact_frame;

/* Operations on the projection along the normal. */
static inline double flat_cross(graze_vec u, graze_vec v) { return u.x * v.y - u.y * v.x; }
static inline double flat_dot(graze_vec u, graze_vec v) { return u.x * v.x + u.y * v.y; }
static inline double flat_square(graze_vec u) { return flat_dot(u, u); }

/* ---- Overlap of two contact faces */
/* Capacity: corners of A over B, corners of B over A, intersections of edges, and two entries for a witness. An edge
 * intersects the other outline at most twice. After merging, a convex polygon of at most 64 + 64 corners remains; with
 * a disk, 16 rim points and two intersections of each of 64 edges remain. With a witness, these are 145. */
enum { GRZ_CONTACT_POINTS = 4 * GRZ_CONTACT_FACE_CORNERS + 2 };

/* A contact point in the frame. high: the height of A's core; low: the height of B's core. */
typedef struct grz_contact_point {
  graze_vec at; /* z is 0 */
  double high, low, depth;
  uint64_t feature;
  bool has_corner_id; /* set by grz_contact_points_set_ids() */
} grz_contact_point;

typedef struct grz_contact_points {
  int count;
  grz_contact_point at[GRZ_CONTACT_POINTS];
} grz_contact_points;

/* Contact ids, from the most significant bit: kind (3 bits), vertex, edge or face of A (25), of B (25). Ids are less
 * than 2^53, so that JSON readers keep them. Vertex indices >= 2^25, and >= 4096 in edges, do not fit, so two ids can
 * coincide. */
enum { GRZ_CORNER_OF_A = 1, GRZ_CORNER_OF_B, GRZ_INTERSECTION, GRZ_WITNESS };
#define GRZ_WITNESS_ID ((uint64_t)GRZ_WITNESS << 50)

static inline uint64_t contact_index(int32_t id) { return (uint64_t)id & 0x1ffffff; }

static inline uint64_t contact_id(int kind, uint64_t id_a, uint64_t id_b) {
  return (uint64_t)kind << 50 | id_a << 25 | id_b;
}

/* The contact id of corner k of a contact face of A or of B over the other face. */
static inline uint64_t contact_corner_id(const grz_contact_face *f, int k, const grz_contact_face *other, bool is_a) {
  const uint64_t corner = contact_index(f->id[k]), face = contact_index(other->face);
  const uint64_t swap = (corner ^ face) & ((uint64_t)is_a - 1); /* a branch could not be predicted */
  return contact_id(is_a ? GRZ_CORNER_OF_A : GRZ_CORNER_OF_B, corner ^ swap, face ^ swap);
}

/* Computes all corners of the overlap of two outlines of frame_outline(), unordered. At most one outline is a disk, and
 * the frame is then built for it. */
void grz_contact_face_overlap(const grz_contact_frame *frame, const grz_contact_face *a, const grz_contact_face *b,
                              grz_contact_points *out);

/* ---- Ids, order and reduction of contact points */
/* Each corner of A, then each corner of B, gives its id to the nearest point within `near` of it. A point keeps the
 * first id that it gets. Without this rule, rounding decides between a corner and an intersection for stacks of equal
 * boxes. */
void grz_contact_points_set_ids(grz_contact_points *points, const grz_contact_face *a, const grz_contact_face *b,
                                int dim, double near);

/* Removes the points within `near` of a point that got the id of a corner, unless they are deeper by more than
 * `equal`. */
void grz_contact_points_remove_duplicates(grz_contact_points *points, const grz_contact_face *a,
                                          const grz_contact_face *b, double near, double equal);

/* Sorts counter-clockwise about the normal, starting with the lowest id. Collinear points and a witness are sorted by
 * id. The order does not depend on the order of the input. */
void grz_contact_points_sort(grz_contact_points *points, double slack);

/* Keeps at most `most` (1 to 4) points, in their order. They are the deepest point (within `equal`: the lowest id), the
 * farthest from it, the one with the largest triangle, and the one that adds the largest area. */
void grz_contact_points_reduce(grz_contact_points *points, int most, double equal, double slack);

/* ---- Polygons in 2D */
/* True if an edge at the farthest vertex is not steep relative to the unit direction d (GRZ_CONTACT_FACE_STEEP). */
static inline bool side_is_flat(graze_vec edge, graze_vec d) {
  const double square = vec_dot(edge, edge), component = vec_dot(edge, d);
  return square - component * component > GRZ_CONTACT_FACE_STEEP * GRZ_CONTACT_FACE_STEEP * square;
}

#endif
