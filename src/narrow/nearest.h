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

GRZ_TEMPLATE grz_cores_pair cores_make(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                       const bool measure) {
  grz_cores_pair p = {.a = a, .b = b, .options = options, .offset = placed_offset(a, b)};
  const double length = measure ? vec_length_above(p.offset) : vec_norm1(p.offset);
  const double size = (a->hidden.bounding_radius + b->hidden.bounding_radius) + length;
  p.r = (a->hidden.radius + b->hidden.radius) + options->clearance;
  p.error = CORES_ERROR * size + CORES_RADIUS_ERROR * p.r;
  return p;
}

/* Compares the distance with r, and with `measure` fills the numbers; not the pairs. Returns false, with a blank
 * answer, if the relation is uncertain, the cores are not certainly disjoint and neither contains the other, or the
 * interval is wider than promised.
 */
GRZ_TEMPLATE bool cores_answer(const grz_cores_pair *p, const grz_cores_difference *v, const bool measure,
                               grz_result *result) {
  /* Relations: squares suffice. */
  const double high = p->r + p->error, low = p->r - p->error;
  const bool separated = v->gap > 0 && high > CORES_LEAST && v->gap * v->gap > v->square * (high * high);
  const bool near = low > CORES_LEAST && v->near < v->divisor * (low * low);
  if (!separated && !near && !v->interior) return false;
  const double most = !measure ? 0 : v->near > 0 ? real_sqrt(v->near) : v->gap / real_sqrt(v->square);
  if (measure && !v->inside && !(v->gap > 0 && most > p->error && most > CORES_LEAST)) return false;
  result->answer.relation = separated ? GRAZE_SEPARATED : GRAZE_OVERLAPPING;
  result->proof.kind = separated ? GRAZE_CERTIFICATE_SEPARATED
                       : near    ? GRAZE_CERTIFICATE_NEAR
                                 : GRAZE_CERTIFICATE_INSIDE;
  if (measure || separated) grz_certify_vector(vec_neg(v->d), result);
  result->answer.algorithm = GRAZE_ALGORITHM_CLOSED_FORM;
  result->answer.iterations = 1;
  if (!measure || grz_certify_cores(p, v, most, result)) {
    if (separated && p->options->cache) p->options->cache->direction = vec_neg(v->d);
    return true;
  }
  grz_query_blank(result, p->a, p->b);
  return false;
}

#endif
