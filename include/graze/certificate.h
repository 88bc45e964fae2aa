/* Graze: certificates and their verification. Part of graze.h, which includes it.
 *
 * A certificate states why the relation and the interval of an answer hold. The functions of this header check it in
 * exact arithmetic. They use the caller's shapes, poses and clearance, and no solver. They are also in a separate
 * library, graze_verify. Guide: docs/guide/certificates.md. Proofs: docs/theory/certificates.md. */
#ifndef GRAZE_CERTIFICATE_H
#define GRAZE_CERTIFICATE_H

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup certificates Certificates
 * In the comments, C = A - B is the CSO of the cores: the shapes without margins and without the radius of a sphere or
 * capsule. r is the sum of both radii, both margins and the clearance. gap(d) = min d·b - max d·a over the cores.
 * @{ */

/** A point w = a - b of C, named by its parents. An index >= 0 is a vertex of the core; see graze_vertex(). An index
 * -1 - k < 0 is points[k] of the certificate or surface: a point in the local frame of a curved shape, exactly in its
 * closed core. */
typedef struct graze_pair {
  int32_t a, b;
  int32_t end; /**< of motions: 0: at the start of the interval, 1: at its end. Otherwise 0 */
} graze_pair;

/** How a direction d, from A to B, is written. The verifier recomputes the forms NEAREST, FACET and EDGE exactly. */
typedef enum graze_direction_form {
  GRAZE_DIRECTION_NONE = 0,
  GRAZE_DIRECTION_VECTOR,  /**< d = vector */
  GRAZE_DIRECTION_NEAREST, /**< d = -v, v the point nearest to the origin in the hull of the pairs */
  GRAZE_DIRECTION_FACET,   /**< d = sign·(w1-w0)×(w2-w0); 2D: sign times the left perpendicular of w1-w0 */
  GRAZE_DIRECTION_EDGE     /**< d = sign·(w1-w0)×e_axis; 3D */
} graze_direction_form;

typedef struct graze_direction {
  graze_direction_form form;
  int sign, axis;   /**< FACET, EDGE: sign is +1 or -1; EDGE: axis is 0, 1 or 2 */
  int count;        /**< the number of pairs */
  graze_vec vector; /**< VECTOR: d */
  graze_pair pairs[4];
} graze_direction;

/** The relation that a certificate proves, and how. */
typedef enum graze_certificate_kind {
  GRAZE_CERTIFICATE_NONE = 0,
  GRAZE_CERTIFICATE_SEPARATED, /**< gap(d) > r·|d| */
  GRAZE_CERTIFICATE_TOUCH, /**< r = 0: gap(d) >= 0, and the hull of the pairs contains the origin. r > 0: d is a NEAREST
                              direction, |v| = r, and every point w of C has w·v >= v·v */
  GRAZE_CERTIFICATE_INSIDE,        /**< the origin is strictly inside the hull of the pairs (at most 2·dim) */
  GRAZE_CERTIFICATE_NEAR,          /**< r > 0: the hull of the pairs has a point nearer to the origin than r */
  GRAZE_CERTIFICATE_HALFSPACE,     /**< half-space: no core vertex is deeper than `vertex`, which decides */
  GRAZE_CERTIFICATE_INTERNAL_EDGE, /**< decomposed polygon: a point or segment touches two pieces from either side of
                                        their common edge, inside that edge */
  GRAZE_CERTIFICATE_AXES, /**< C has an interior, and gap(d) < 0 for both signs of all axes: the 15 of two boxes in 3D;
                              all edge normals of two boxes, triangles or polygons in 2D */
  GRAZE_CERTIFICATE_IN_A, /**< solid mesh A: the mean of the points b of the pairs, 1 to 4, is inside A. It is off the
                             faces of A, or an interior point of a convex part of B. Indices of a mesh B are its
                             vertices; the points a are not used */
  GRAZE_CERTIFICATE_IN_B  /**< the same for a solid mesh B and the points a */
} graze_certificate_kind;

/** A closed surface of points of C around the origin. In 3D the faces are triangles; each directed edge occurs with its
 * reverse, and every det[wi, wj, wk] > 0. In 2D the pairs are a closed counter-clockwise polygon, and there are no
 * faces. The ball about the origin inside the planes of all faces is contained in C: docs/theory/depth.md. */
typedef struct graze_surface {
  size_t pair_count, face_count, point_count;
  const graze_pair *pairs;
  const int32_t (*faces)[3]; /**< indices into pairs, counter-clockwise from outside */
  const graze_vec *points;   /**< points of curved shapes; NULL if there are none */
} graze_surface;

/** The proof that the depth of overlapping cores is at least -upper - r. */
typedef enum graze_depth_proof {
  GRAZE_DEPTH_BY_PAIRS = 0, /**< the pairs, which prove upper >= |v| - r; a smaller upper is GRAZE_UNPROVEN */
  GRAZE_DEPTH_BY_AXES,      /**< the overlap along all axes of GRAZE_CERTIFICATE_AXES */
  GRAZE_DEPTH_BY_SURFACE    /**< the least distance of the origin from the plane of a face of `surface` */
} graze_depth_proof;

/** How a point or segment touches one of the two pieces at an internal edge. The hull of the pairs contains the origin,
 * and sign times the left perpendicular of w1 - w0 separates weakly. */
typedef struct graze_internal_edge_touch {
  int32_t part_a, part_b;
  int sign; /**< +1 or -1 */
  int pair_count;
  graze_pair pairs[4];
} graze_internal_edge_touch;

struct graze_part_proof;
struct graze_frontier;
struct graze_cast_step;

/** Why the relation and the interval hold. `lower` follows from the direction: gap(d)/|d| - r. `upper` follows from the
 * pairs: |v| - r, v the nearest point of their hull; for overlapping cores, from `depth_proof`. */
typedef struct graze_certificate {
  graze_certificate_kind kind;
  graze_depth_proof depth_proof;
  graze_direction direction;
  int pair_count;
  graze_pair pairs[6];
  int32_t vertex;               /**< HALFSPACE: the deciding core vertex of the other shape, as an index of a pair */
  const graze_surface *surface; /**< BY_SURFACE: graze_options::surface of the query; otherwise NULL */
  graze_internal_edge_touch internal_edge[2]; /**< INTERNAL_EDGE */
  /** Compounds and meshes: the members above refer to graze_answer::part_a and part_b. NULL, or the certificates of all
   * pairs of parts; with a frontier, of its nodes GRAZE_FRONTIER_PAIR in their order. */
  const struct graze_part_proof *parts;
  size_t part_count;
  const struct graze_frontier
      *frontier; /**< NULL, or the proof that no pair of parts is nearer than the answer states */
  /** Motions with rotation: NULL, or consecutive intervals that cover [0, t_lower], each with a separating
   * direction. */
  const struct graze_cast_step *steps;
  size_t step_count;
  int point_count;
  graze_vec points[24]; /**< points of curved shapes, see graze_pair; only the first point_count are written */
} graze_certificate;

/** The certificate of one pair of parts. */
typedef struct graze_part_proof {
  int32_t part_a, part_b;
  graze_certificate certificate;
} graze_part_proof;

/** The proof of a bound for all pairs of a range of parts of A and a range of parts of B. */
typedef enum graze_frontier_kind {
  GRAZE_FRONTIER_SPLIT_A = 0, /**< the next nodes: for each subrange of A in turn, with the range of B */
  GRAZE_FRONTIER_SPLIT_B,     /**< the same for the subranges of B */
  GRAZE_FRONTIER_DIRECTION,   /**< the direction, from A to B, along which all parts of A precede those of B */
  GRAZE_FRONTIER_PAIR         /**< both ranges are one part: the next certificate of graze_certificate::parts */
} graze_frontier_kind;

typedef struct graze_frontier_node {
  graze_frontier_kind kind;
  graze_vec direction; /**< DIRECTION; any length. For a half-space its normal counts instead */
} graze_frontier_node;

/** The proof of a lower bound of the distance of all pairs of parts of two bodies, faces of meshes included: a tree in
 * depth-first order. Its root is all parts of both bodies. The subranges of a range of more than 8^k, at most 8^(k+1)
 * parts have 8^k parts each, and the last one what is left. */
typedef struct graze_frontier {
  const uint32_t *order_a, *order_b; /**< a range is a part of this order of all parts; NULL: 0, 1, 2, … */
  graze_frontier_node *nodes;
  size_t node_count;
  size_t node_capacity; /**< of `nodes`, for graze_options::frontier */
} graze_frontier;

/** Verifies an answer of graze_intersect() or graze_distance() exactly.
 * @param options  NULL: defaults; only `clearance` and `error` are used.
 * @return GRAZE_OK: the relation and the interval are proved. GRAZE_REFUTED: the certificate or the interval is wrong.
 *         GRAZE_UNPROVEN: the answer states something that the certificate does not prove; an `undecided` relation with
 *         a proved interval is GRAZE_OK. Otherwise as graze_intersect(). */
GRAZE_API graze_status graze_verify(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                    const graze_answer *answer, const graze_certificate *certificate);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
