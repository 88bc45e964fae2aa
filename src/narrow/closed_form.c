/* The nearest points of two cores in closed form: points and segments (also the cores of spheres and capsules), or a
 * point and a box.
 *
 * The nearest point v of C gives the upper bound |v|, and the support width along -v the lower one.
 * Source: Ericson 2005, 5.1.3 (box) and 5.1.9 (segments). Theory: docs/theory/rounding.md, "Closed forms". */
#include "narrow/stages.h"

#include "narrow/trace.h"
#include "shape/placed.h"

/* The nearest point of C, in the hull of one to three differences of vertices. */
typedef struct closed_nearest {
  grz_closest closest; /* without length and gap */
  double least;        /* min v·w over C: the gap along -v, times |v| */
  int count;
  int32_t a[3], b[3]; /* the vertices */
} closed_nearest;

static inline bool closed_is_segment(const graze_shape *shape) {
  return shape->kind == GRAZE_SEGMENT || shape->kind == GRAZE_CAPSULE;
}

/* Adds a difference of vertices if its weight is not 0. */
static inline void closed_add(closed_nearest *n, int32_t a, int32_t b, double weight) {
  if (!(weight > 0)) return;
  n->a[n->count] = a, n->b[n->count] = b;
  n->count++;
}

/* ---- Points and segments: C is a point, a segment or a parallelogram, w(s, t) = corner +
 * s·edge_a - t·edge_b */

/* A core: from its first vertex along its edge, in world axes. The edge of a point is zero. */
typedef struct closed_segment {
  graze_vec from, edge;
} closed_segment;

GRZ_TEMPLATE closed_segment closed_segment_of(const graze_placed *placed, const int dim) {
  const graze_shape *shape = &placed->shape;
  closed_segment segment = {{0, 0, 0}, {0, 0, 0}};
  if (!closed_is_segment(shape)) return segment;
  segment.from = vec_rotate(placed->hidden.rotation, grz_core_vertex(shape, 0), dim);
  segment.edge = vec_sub(vec_rotate(placed->hidden.rotation, grz_core_vertex(shape, 1), dim), segment.from);
  return segment;
}

static inline double closed_clamp(double t) { return real_min(real_max(t, 0), 1); }

/* Returns false if the nearest point is inside the parallelogram in 2D: then the segments cross. */
GRZ_TEMPLATE bool closed_segments(const grz_obstacle *c, closed_nearest *n, const int dim) {
  const closed_segment a = closed_segment_of(c->a, dim), b = closed_segment_of(c->b, dim);
  const graze_vec corner = vec_add(vec_sub(a.from, b.from), c->offset);
  const double aa = vec_dot(a.edge, a.edge), bb = vec_dot(b.edge, b.edge), ab = vec_dot(a.edge, b.edge);
  const double ac = vec_dot(a.edge, corner), bc = vec_dot(b.edge, corner), area = aa * bb - ab * ab;
  double s = area > 0 ? closed_clamp((ab * bc - bb * ac) / area) : 0;
  const double t = bb > 0 ? closed_clamp((bc + ab * s) / bb) : 0;
  s = aa > 0 ? closed_clamp((ab * t - ac) / aa) : 0;

  /* The half of the parallelogram at the first corner, or at the opposite one. */
  const bool opposite = s + t > 1;
  closed_add(n, opposite, opposite, opposite ? (s + t) - 1 : (1 - s) - t);
  closed_add(n, 1, 0, opposite ? 1 - t : s);
  closed_add(n, 0, 1, opposite ? 1 - s : t);

  grz_closest *to = &n->closest;
  to->core_a = vec_add(a.from, vec_scale(a.edge, s)), to->core_b = vec_add(b.from, vec_scale(b.edge, t));
  to->v = vec_add(vec_sub(to->core_a, to->core_b), c->offset);
  const bool inside = s > 0 && s < 1 && t > 0 && t < 1;
  if (inside && dim == 2) return false;
  const graze_vec normal = vec_cross(a.edge, b.edge);
  const double square = vec_dot(normal, normal), share = vec_dot(to->v, to->v) / (c->size * c->size);
  /* The direction of this difference is off by u·size/|v|, that of the normal by u over the sine of the edges' angle.
   */
  if (inside && square > share * (aa * bb)) to->v = vec_scale(normal, vec_dot(normal, corner) / square);
  n->least = (vec_dot(to->v, corner) + real_min(vec_dot(to->v, a.edge), 0)) - real_max(vec_dot(to->v, b.edge), 0);
  return true;
}

/* ---- A point and a box */

/* Returns false if the box contains the point. */
GRZ_TEMPLATE bool closed_box(const grz_obstacle *c, closed_nearest *n, const bool box_first, const int dim) {
  const graze_placed *box = box_first ? c->a : c->b;
  const graze_vec h = box->shape.as.box.half_extents;
  const graze_vec local = vec_unrotate(box->hidden.rotation, c->offset, dim), q = box_first ? vec_neg(local) : local;
  const double half[3] = {h.x, h.y, h.z}, at[3] = {q.x, q.y, q.z};

  /* The nearest point of the box is on the feature of the coordinates that are not free. */
  double nearest[3] = {0, 0, 0}, t[3] = {0, 0, 0};
  int32_t corner = 0, bit[3] = {0, 0, 0};
  int free = 0;
  for (int k = 0; k < dim; k++) {
    nearest[k] = real_min(real_max(at[k], -half[k]), half[k]);
    if (nearest[k] == at[k] && real_abs(at[k]) < half[k]) {
      t[free] = (at[k] + half[k]) / (2 * half[k]);
      bit[free++] = 1 << k;
    } else if (at[k] > 0) {
      corner |= 1 << k;
    }
  }
  if (free == dim) return false;
  const graze_vec difference = vec_sub(vec_make(nearest[0], nearest[1], nearest[2]), q);
  const graze_vec v = vec_rotate(box->hidden.rotation, difference, dim), none = {0, 0, 0};
  const graze_vec core = vec_rotate(box->hidden.rotation, vec_make(nearest[0], nearest[1], nearest[2]), dim);
  n->closest.v = box_first ? v : vec_neg(v);
  n->closest.core_a = box_first ? core : none, n->closest.core_b = box_first ? none : core;
  const graze_vec back = vec_unrotate(box->hidden.rotation, v, dim);
  n->least =
      vec_dot(n->closest.v, c->offset) - ((real_abs(back.x) * h.x + real_abs(back.y) * h.y) + real_abs(back.z) * h.z);

  const bool opposite = t[0] + t[1] > 1; /* the half of a face at its last corner */
  const int32_t index[3] = {opposite ? corner | bit[0] | bit[1] : corner, corner | bit[0], corner | bit[1]};
  const double weight[3] = {opposite ? (t[0] + t[1]) - 1 : (1 - t[0]) - t[1], opposite ? 1 - t[1] : t[0],
                            opposite ? 1 - t[0] : t[1]};
  for (int i = 0; i < 3; i++) closed_add(n, box_first ? index[i] : 0, box_first ? 0 : index[i], weight[i]);
  return true;
}

/* ---- The answer */

/* Records the step, with the pairs of the nearest point as simplex. */
__attribute__((noinline)) static void closed_trace(const grz_obstacle *c, const closed_nearest *n,
                                                   const grz_proof *proof) {
  const graze_vec d = vec_unit_inf(vec_neg(n->closest.v));
  grz_cso_point w, simplex[3];
  for (int i = 0; i < n->count; i++) simplex[i] = grz_obstacle_of_pair(c, &proof->pairs[i], c->dim);
  (void)grz_obstacle_gap(c, d, &w, c->dim);
  graze_trace_step step = grz_trace_make(c, GRAZE_PHASE_CLOSED_FORM, d, &w, simplex, n->count);
  step.lower = n->closest.gap, step.upper = n->closest.length, step.stop = GRAZE_TRACE_BOUNDS_MET;
  grz_trace_report(c->tracer, &step);
}

GRZ_TEMPLATE bool closed_form(const grz_obstacle *c, closed_nearest *n, const int dim) {
  const graze_shape *a = &c->a->shape, *b = &c->b->shape;
  n->count = 0;
  if (a->kind == GRAZE_BOX) return closed_box(c, n, true, dim);
  return b->kind == GRAZE_BOX ? closed_box(c, n, false, dim) : closed_segments(c, n, dim);
}

bool grz_closed_form(const grz_query *query, const grz_obstacle *c, bool measure, grz_result *result) {
  closed_nearest n;
  if (c->unit != 1 || c->swept || c->curved) return false;
  if (!(c->dim == 2 ? closed_form(c, &n, 2) : closed_form(c, &n, 3))) return false;
  grz_closest *closest = &n.closest;
  closest->length = vec_length(closest->v);
  if (!(closest->length > c->point_error)) return false; /* the cores touch, up to rounding */
  closest->gap = n.least / closest->length - c->support_error;
  if (!grz_certify_closest(c, query->options->clearance, closest, measure, result)) return false;
  result->proof.pair_count = n.count;
  for (int i = 0; i < n.count; i++)
    result->proof.pairs[i] = (grz_pair){n.a[i], n.b[i], grz_core_vertex(&c->a->shape, (size_t)n.a[i]),
                                        grz_core_vertex(&c->b->shape, (size_t)n.b[i]), 0};
  result->answer.algorithm = GRAZE_ALGORITHM_CLOSED_FORM;
  result->answer.iterations = 1;
  if (measure && !grz_query_is_narrow(query, c, result)) {
    grz_query_blank(result, c->a, c->b);
    return false;
  }
  if (c->tracer) closed_trace(c, &n, &result->proof);
  return true;
}
