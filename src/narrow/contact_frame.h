/* The frame of a contact: z along the normal, from A to B; x and y across it. What lies over what, and by how much, is
 * then read off coordinates. */
#ifndef GRAZE_NARROW_CONTACT_FRAME_H
#define GRAZE_NARROW_CONTACT_FRAME_H

#include "narrow/contact_feature.h"
#include "core/vec.h"

/* Coordinates of x are (x·dual[0], x·dual[1], x·dual[2]), and x is their sum over `axis`; axis[2] is the normal. The
 * frame is right-handed and, but for disks, orthonormal: see grz_frame_make(). */
typedef struct grz_frame {
  graze_vec origin; /* in the world: the position of a body */
  double unit;      /* a power of two: lengths in the frame are the caller's times this, about 1 */
  graze_vec axis[3], dual[3];
  int dim;
  double slack;     /* across the normal: what lies this near counts as meeting. More than all rounding */
  double tolerance; /* along the normal: what lies this near counts as in contact */
} grz_frame;

/* A power of two that makes this length, finite and >= 0, about 1. */
double grz_frame_unit(double size);

/* Makes the frame of the unit normal. In 2D y is 0. Where `disk` is not NULL, the disk of that placed shape (in its
 * local xy planes, not more than 45° from upright) becomes a true circle, and of constant height: x and y are then its
 * own axes, and the projection still goes along the normal. */
void grz_frame_make(grz_frame *frame, graze_vec normal, int dim, const graze_placed *disk);

/* Turns the local corners of a placed shape's feature into coordinates of the frame, counter-clockwise, and drops those
 * that lie within the slack of their neighbours or of the line between them. `up` is 1 for A, which shows its upper
 * side, -1 for B. */
void grz_frame_outline(const grz_frame *frame, const graze_placed *placed, double up, grz_feature *feature);

/* How far it is, at most, from the first corner to another. */
double grz_frame_extent(const grz_feature *feature);

/* A place of the frame in the world. */
graze_vec grz_frame_world(const grz_frame *frame, graze_vec at);

/* Across the normal. */
static inline double flat_cross(graze_vec u, graze_vec v) { return u.x * v.y - u.y * v.x; }
static inline double flat_dot(graze_vec u, graze_vec v) { return u.x * v.x + u.y * v.y; }
static inline double flat_square(graze_vec u) { return flat_dot(u, u); }

/* The squared distance of x from the segment pq. */
double grz_flat_distance(graze_vec x, graze_vec p, graze_vec q);

#endif
