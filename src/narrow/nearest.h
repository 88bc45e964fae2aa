/* The answer about two cores at rest from the difference of their nearest points, without the CSO. Theory:
 * docs/theory/rounding.md, "Nearest points". */
#ifndef GRAZE_NARROW_NEAREST_H
#define GRAZE_NARROW_NEAREST_H

#include "narrow/query.h"
#include "narrow/search.h"
#include "shape/placed.h"

/* Relative to the size, and to r: the error of a distance. */
#define CORES_ERROR (96 * GRZ_U)
#define CORES_RADIUS_ERROR (8 * GRZ_U)

/* Below this length, products of four lengths may lose significant digits. */
#define CORES_LEAST 0x1p-140

typedef struct cores_pair {
  const graze_placed *a, *b;
  const graze_options *options;
  graze_vec offset;
  double r, error; /* of r and of the distance of the cores together */
} cores_pair;

GRZ_TEMPLATE cores_pair cores_make(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                   const bool measure) {
  cores_pair p = {.a = a, .b = b, .options = options, .offset = placed_offset(a, b)};
  const double length = measure ? vec_length_above(p.offset) : vec_norm1(p.offset);
  const double size = (a->hidden.bounding_radius + b->hidden.bounding_radius) + length;
  p.r = (a->hidden.radius + b->hidden.radius) + options->clearance;
  p.error = CORES_ERROR * size + CORES_RADIUS_ERROR * p.r;
  return p;
}

/* The difference of the nearest points. */
typedef struct cores_difference {
  graze_vec d;              /* from the core of B to that of A, in world axes */
  double square;            /* |d|² */
  double gap;               /* the distance of the cores is at least gap / |d| … */
  double near, divisor;     /* … and at most the root of near / divisor; the divisor is 1 if it is measured */
  graze_vec core_a, core_b; /* the nearest points in world axes, without positions, if they are measured */
} cores_difference;

/* Fills the numbers of a decided relation; `most` is the upper bound of the distance of the cores. Returns whether the
 * interval is as narrow as promised. */
bool grz_cores_measure(const cores_pair *p, const cores_difference *v, double most, grz_result *result);

/* Compares the distance with r, and with `measure` fills the numbers; not the pairs. Returns false, with a blank
 * answer, if the relation is uncertain, the cores are not certainly disjoint, or the interval is wider than promised.
 */
GRZ_TEMPLATE bool cores_answer(const cores_pair *p, const cores_difference *v, const bool measure, grz_result *result) {
  /* Relations: squares suffice. */
  const double high = p->r + p->error, low = p->r - p->error;
  const bool separated = v->gap > 0 && high > CORES_LEAST && v->gap * v->gap > v->square * (high * high);
  if (!separated && !(low > CORES_LEAST && v->near < v->divisor * (low * low))) return false;
  const double most = measure ? real_sqrt(v->near) : 0;
  if (measure && !(v->gap > 0 && most > p->error && most > CORES_LEAST)) return false;
  result->answer.relation = separated ? GRAZE_SEPARATED : GRAZE_OVERLAPPING;
  result->proof.kind = separated ? GRAZE_CERTIFICATE_SEPARATED : GRAZE_CERTIFICATE_NEAR;
  if (measure || separated) grz_certify_vector(vec_neg(v->d), result);
  result->answer.algorithm = GRAZE_ALGORITHM_CLOSED_FORM;
  result->answer.iterations = 1;
  if (!measure || grz_cores_measure(p, v, most, result)) {
    if (separated && p->options->cache) p->options->cache->direction = vec_neg(v->d);
    return true;
  }
  grz_query_blank(result, p->a, p->b);
  return false;
}

#endif
