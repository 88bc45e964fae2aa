/* Contact manifolds: the answer's normal, the features that face each other along it, and where they lie over one
 * another. */
#include "narrow/manifold.h"

#include "narrow/clip.h"
#include "narrow/contact_id.h"
#include "narrow/contact_reduce.h"
#include "narrow/contact_surface.h"
#include "narrow/pairs.h"

#include "shape/core.h"
#include "shape/placed.h"

/* Relative to the smaller feature; and to the larger shape, for rounding, which is 1e3 times less. */
#define MANIFOLD_SLACK 1e-10
#define MANIFOLD_SLACK_ROUNDING 1e-14
#define MANIFOLD_TOLERANCE 1e-9
#define MANIFOLD_TOLERANCE_ROUNDING 1e-12

/* Points whose depths differ by less than this share of the size are equally deep: a body that rests tilts by so much,
 * and what is kept of many points must not follow. */
#define MANIFOLD_EQUAL 1e-6

/* Points this near a corner are named after it: the jitter of a simulation's step, not its motion. */
#define MANIFOLD_NEAR 0x1p-6

typedef struct manifold {
  const graze_placed *a, *b;
  double clearance, speculative;
  const graze_answer *result;
  grz_frame frame;
  double size;               /* of the larger shape, or the distance, in units of the frame */
  double radius_a, radius_b; /* of the balls, likewise; a clearance is A's */
  double equal;              /* depths that differ by less are equal */
  grz_feature feature_a, feature_b;
  grz_touches touches;
} manifold;

static double manifold_rho(const graze_placed *placed) {
  return placed->shape.kind == GRAZE_HALFSPACE ? 0 : placed->hidden.bounding_radius + placed->hidden.radius;
}

static void manifold_measure(manifold *m) {
  const graze_answer *result = m->result;
  double clearance = m->clearance;
  double size = real_max(manifold_rho(m->a), manifold_rho(m->b)) + clearance;
  size = real_max(size, real_abs(result->distance));
  double unit = grz_frame_unit(size);
  m->frame.unit = unit;
  m->frame.origin = placed_reference_point(m->a->shape.kind == GRAZE_HALFSPACE ? m->b : m->a);
  m->size = size * unit;
  m->radius_a = (m->a->hidden.radius + clearance) * unit;
  m->radius_b = m->b->hidden.radius * unit;
}

static void manifold_face(const graze_placed *placed, graze_vec toward, double unit, grz_feature *f) {
  graze_vec d = vec_unrotate(placed->hidden.rotation, toward, placed->shape.dim);
  grz_feature_facing(placed, vec_unit(d), unit, f);
}

/* Half the size of a feature with the ball around it, so not more than that of its shape; planes are larger than
 * anything. */
static double manifold_extent(const grz_feature *f, double radius) {
  return f->plane ? __builtin_inf() : grz_frame_extent(f) / 2 + radius;
}

/* How near counts as meeting. The width of the interval, which is much only for curved shapes, tells how far the normal
 * may be off. */
static void manifold_tolerances(manifold *m) {
  const graze_answer *result = m->result;
  double small = real_min(manifold_extent(&m->feature_a, m->radius_a), manifold_extent(&m->feature_b, m->radius_b));
  double width = (result->upper - result->lower) * m->frame.unit;
  m->frame.slack = MANIFOLD_SLACK * small + MANIFOLD_SLACK_ROUNDING * m->size;
  m->frame.tolerance = MANIFOLD_TOLERANCE * small + MANIFOLD_TOLERANCE_ROUNDING * m->size;
  m->equal = MANIFOLD_EQUAL * small + m->frame.tolerance;
  if (width >= 0) m->frame.tolerance += real_min(width, MANIFOLD_TOLERANCE * m->size);
}

/* The disk that the frame is made for: of two the larger; the other is then its rim polygon. */
static const graze_placed *manifold_disk(manifold *m) {
  grz_feature *a = &m->feature_a, *b = &m->feature_b;
  if (a->disk && b->disk) *(a->radius > b->radius ? &b->disk : &a->disk) = false;
  return a->disk ? m->a : b->disk ? m->b : NULL;
}

/* The height of a half-space is what makes the distance that of the answer: the other's top, or bottom, away. */
static void manifold_level(manifold *m) {
  grz_feature *plane = m->feature_a.plane ? &m->feature_a : &m->feature_b;
  const grz_feature *other = m->feature_a.plane ? &m->feature_b : &m->feature_a;
  if (!plane->plane) return;
  double up = other == &m->feature_a ? 1 : -1, top = other->corner[0].z;
  for (int i = 1; i < other->count; i++)
    if (up * other->corner[i].z > up * top) top = other->corner[i].z;
  plane->center.z = top + up * (m->result->distance * m->frame.unit + m->radius_a + m->radius_b);
}

static void manifold_meet(manifold *m) {
  manifold_face(m->a, m->result->normal, m->frame.unit, &m->feature_a);
  manifold_face(m->b, vec_neg(m->result->normal), m->frame.unit, &m->feature_b);
  const grz_feature *a = &m->feature_a, *b = &m->feature_b;
  m->touches.count = 0;
  manifold_tolerances(m);
  grz_frame_make(&m->frame, m->result->normal, m->a->shape.dim, manifold_disk(m));
  if ((a->count == 0 && !a->plane) || (b->count == 0 && !b->plane)) return;
  grz_frame_outline(&m->frame, m->a, 1, &m->feature_a);
  grz_frame_outline(&m->frame, m->b, -1, &m->feature_b);
  manifold_level(m);
  grz_clip(&m->frame, a, b, &m->touches);
}

/* Shapes that touch or overlap keep points with a gap up to this share of the smaller one, so that a body that rests
 * slightly tilted keeps all corners. */
#define MANIFOLD_REST 0x1p-10

/* The greatest gap of a contact point. */
static double manifold_limit(const manifold *m) {
  const double a = manifold_rho(m->a), b = manifold_rho(m->b);
  const double smaller = m->a->shape.kind == GRAZE_HALFSPACE   ? b
                         : m->b->shape.kind == GRAZE_HALFSPACE ? a
                                                               : real_min(a, b);
  const double rest = m->result->distance <= 0 ? MANIFOLD_REST * smaller : 0;
  return real_max(m->frame.tolerance, real_max(rest, m->speculative) * m->frame.unit);
}

/* The answer's witness points, where no other contact is as deep. On the rim of a disk, or along a line whose normal is
 * known no better, equally deep will do: the witness comes and goes with every tremor. */
static void manifold_add_witness(manifold *m) {
  double depth = -m->result->distance * m->frame.unit;
  bool curved = grz_is_curved(&m->a->shape) || grz_is_curved(&m->b->shape);
  double near = curved ? m->equal : m->frame.tolerance;
  for (int i = 0; i < m->touches.count; i++)
    if (m->touches.at[i].depth >= depth - near) return;
  graze_vec x = vec_scale(vec_sub(m->result->point_a, m->frame.origin), m->frame.unit);
  grz_touch *witness = &m->touches.at[m->touches.count++];
  witness->at = vec_make(vec_dot(x, m->frame.dual[0]), vec_dot(x, m->frame.dual[1]), 0);
  witness->high = witness->low = 0;
  witness->depth = depth;
  witness->feature = GRZ_WITNESS_FEATURE;
}

static void manifold_filter(manifold *m) {
  double limit = manifold_limit(m);
  int kept = 0;
  for (int i = 0; i < m->touches.count; i++) {
    grz_touch touch = m->touches.at[i];
    touch.depth = (touch.high - touch.low) + (m->radius_a + m->radius_b);
    if (touch.depth >= -limit) m->touches.at[kept++] = touch;
  }
  m->touches.count = kept;
}

static graze_contact manifold_contact(const manifold *m, const grz_touch *touch) {
  const graze_answer *result = m->result;
  graze_contact contact = {result->point_a, result->point_b, -result->distance, touch->feature};
  if (touch->feature == GRZ_WITNESS_FEATURE) { /* of curved shapes, the answer's points may be off by its tolerance */
    contact.point_b = vec_add(contact.point_a, vec_scale(result->normal, result->distance));
    return contact;
  }
  graze_vec at = touch->at;
  at.z = touch->high + m->radius_a;
  contact.point_a = grz_frame_world(&m->frame, at);
  at.z = touch->low - m->radius_b;
  contact.point_b = grz_frame_world(&m->frame, at);
  contact.depth = touch->depth / m->frame.unit;
  return contact;
}

/* How near a corner counts as met: a share of the smaller feature, which may be hardly more than a point. */
static double manifold_near(const manifold *m) {
  double extent_a = m->feature_a.plane ? __builtin_inf() : grz_frame_extent(&m->feature_a);
  double extent_b = m->feature_b.plane ? __builtin_inf() : grz_frame_extent(&m->feature_b);
  double small = real_min(extent_a, extent_b);
  return small < __builtin_inf() ? MANIFOLD_NEAR * small + MANIFOLD_TOLERANCE * m->size : 0;
}

graze_status grz_manifold_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               double speculative, grz_result *result, graze_contact *contacts, size_t capacity,
                               size_t *count) {
  manifold m; /* large: set as far as it is needed */
  m.a = a, m.b = b, m.clearance = options->clearance, m.speculative = speculative, m.result = &result->answer;
  graze_status status = grz_distance_pair(a, b, options, result);
  if (status != GRAZE_OK) return status;
  *count = 0;
  const graze_answer *answer = &result->answer;
  if (answer->distance != answer->distance || answer->lower > speculative) return GRAZE_OK;
  manifold_measure(&m);
  manifold_meet(&m);
  manifold_filter(&m);
  manifold_add_witness(&m);
  size_t most = a->shape.dim == 2 ? 2 : 4;
  double near = manifold_near(&m);
  if ((size_t)m.touches.count > capacity) grz_touches_drop_twins(&m.touches, &m.feature_a, &m.feature_b, near, m.equal);
  grz_touches_name(&m.touches, &m.feature_a, &m.feature_b, near);
  grz_touches_sort(&m.touches, m.frame.slack);
  if ((size_t)m.touches.count > capacity)
    grz_touches_reduce(&m.touches, (int)(capacity < most ? capacity : most), m.equal, m.frame.slack);
  for (int i = 0; i < m.touches.count; i++) contacts[(*count)++] = manifold_contact(&m, &m.touches.at[i]);
  return GRAZE_OK;
}
