/* What a shape shows along a direction: a face, an edge, a disk or a corner of its core, as the corners of a convex
 * polygon with ids that stay the same from call to call. */
#ifndef GRAZE_NARROW_CONTACT_FEATURE_H
#define GRAZE_NARROW_CONTACT_FEATURE_H

#include <graze/graze.h>

enum { GRZ_FEATURE_CORNERS = 64 };

/* A feature flatter against the direction than this (the cosine of the angle between its normal and the direction) is
 * replaced by its edge, and that by its corner: what lies so steep never touches along more than that. */
#define GRZ_FEATURE_STEEP 0.25

/* count 1: a corner; 2: a segment; more: a convex polygon, in order around it. count 0: the shape shows no feature that
 * lasts (sphere, ellipsoid, user shape), or an unbounded plane. Lengths are the caller's times a power of two. */
typedef struct grz_feature {
  int count;
  bool disk;                             /* the corners lie on the rim of this disk */
  bool plane;                            /* a half-space: every corner lies over it */
  int32_t face;                          /* which face, for ids */
  double radius;                         /* of the disk */
  graze_vec center;                      /* of the disk; center.z: height of the plane */
  graze_vec corner[GRZ_FEATURE_CORNERS]; /* in the local frame; by grz_frame_outline() in that of the contact */
  int32_t id[GRZ_FEATURE_CORNERS];       /* polytopes: the core vertex */
} grz_feature;

/* The feature of a placed shape that faces the unit local direction d, lengths times unit.
 *
 * Ids of curved shapes: rim point k of the cap at -z: k, at +z: 16 + k; ends of a side line at -z: 32, at +z (or the
 * apex): 33. */
void grz_feature_facing(const graze_placed *placed, graze_vec d, double unit, grz_feature *feature);

/* The same for vertex lists: facet, edge or vertex, without any topology. */
void grz_facet_facing(const graze_placed *placed, graze_vec d, double unit, grz_feature *feature);

#endif
