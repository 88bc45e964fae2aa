/* Contact manifolds: the overlap of the two contact faces that are most perpendicular to the normal of the answer.
 *
 * Source: Gregorius, "Robust Contact Creation for Physics Simulations", GDC 2015. Theory: docs/theory/contact.md. */
#include "narrow/stages.h"

#include "narrow/contact.h"

#include "shape/shape.h"
#include "shape/placed.h"

/* Tolerances relative to the smaller contact face, and to the larger shape for rounding. */
#define MANIFOLD_SLACK 1e-10
#define MANIFOLD_SLACK_ROUNDING 1e-14
#define MANIFOLD_TOLERANCE 1e-9
#define MANIFOLD_TOLERANCE_ROUNDING 1e-12

/* Points whose depths differ by less than this share of the size are equally deep. A resting body tilts by this much,
 * and the reduction must not depend on the tilt. */
#define MANIFOLD_EQUAL 1e-6

/* Points this near a corner get the id of that corner. This distance covers the noise of a simulation step, but not its
 * motion. */
#define MANIFOLD_NEAR 0x1p-6

typedef struct manifold {
  const graze_placed *a, *b;
  double clearance, speculative;
  const graze_answer *result;
  grz_contact_frame frame;
  double size; /* the size of the larger shape or the distance, whichever is greater, in units of the frame */
  double radius_a, radius_b; /* radii and margins, in units of the frame; radius_a includes the clearance */
  double equal;              /* depths that differ by less are equal */
  double near;               /* a point this near a corner gets the id of that corner */
  grz_contact_face face_a, face_b;
  grz_contact_points points;
} manifold;

/* ---- The contact frame */

/* A power of two that scales this length, finite and >= 0, to about 1. */
static double frame_unit(double size) {
  if (!(size > 0)) return 1;
  int exponent = real_exponent(size);
  return real_power_of_two(exponent < -1000 ? 1000 : -exponent);
}

/* Computes two unit vectors that make a right-handed frame with n. They are continuous except where n.z changes its
 * sign. Source: Duff et al., "Building an Orthonormal Basis, Revisited", 2017. */
static void frame_across(graze_vec n, graze_vec *u, graze_vec *v) {
  double sign = n.z < 0 ? -1 : 1, a = -1 / (sign + n.z), b = n.x * n.y * a;
  *u = vec_make(1 + sign * n.x * n.x * a, sign * b, -sign * n.x);
  *v = vec_make(b, sign + n.y * n.y * a, -n.y);
}

/* Makes an oblique frame from the axes u, v in the plane of the disk, and n. m is the axis of the disk, on the side of
 * n. */
static void frame_oblique(grz_contact_frame *frame, const graze_placed *disk) {
  const double *r = disk->hidden.rotation;
  graze_vec n = frame->axis[2], u = vec_column(r, 0), v = vec_column(r, 1), m = vec_column(r, 2);
  if (vec_dot(m, n) < 0) m = vec_neg(m), v = vec_neg(v);
  double upright = 1 / vec_dot(m, n);
  frame->axis[0] = u, frame->axis[1] = v;
  frame->dual[0] = vec_sub(u, vec_scale(m, vec_dot(n, u) * upright));
  frame->dual[1] = vec_sub(v, vec_scale(m, vec_dot(n, v) * upright));
  frame->dual[2] = vec_scale(m, upright);
}

static void frame_make(grz_contact_frame *frame, graze_vec normal, int dim, const graze_placed *disk) {
  graze_vec none = {0, 0, 0};
  frame->dim = dim;
  frame->axis[2] = normal;
  if (disk != NULL) {
    frame_oblique(frame, disk);
    return;
  }
  if (dim == 2)
    frame->axis[0] = vec_make(normal.y, -normal.x, 0), frame->axis[1] = none;
  else
    frame_across(normal, &frame->axis[0], &frame->axis[1]);
  for (int k = 0; k < 3; k++) frame->dual[k] = frame->axis[k];
}

/* `offset`: the position of the body relative to the origin of the frame. */
GRZ_TEMPLATE graze_vec frame_place(const grz_contact_frame *frame, const double *rotation, graze_vec offset,
                                   graze_vec local, const int dim) {
  const graze_vec x = vec_add(vec_rotate(rotation, local, dim), offset);
  if (dim == 2) return vec_make(flat_dot(x, frame->dual[0]), 0, flat_dot(x, frame->dual[2]));
  return vec_make(vec_dot(x, frame->dual[0]), vec_dot(x, frame->dual[1]), vec_dot(x, frame->dual[2]));
}

GRZ_TEMPLATE void frame_place_all(const grz_contact_frame *frame, const graze_placed *placed, grz_contact_face *f,
                                  const int dim) {
  const graze_vec offset = vec_scale(placed_from(placed, frame->origin), frame->unit);
  for (int i = 0; i < f->count; i++)
    f->corner[i] = frame_place(frame, placed->hidden.rotation, offset, f->corner[i], dim);
  if (f->disk) f->center = frame_place(frame, placed->hidden.rotation, offset, f->center, dim);
}

static graze_vec frame_world(const grz_contact_frame *frame, graze_vec at) {
  const graze_vec first = vec_scale(frame->axis[0], at.x);
  const graze_vec flat = frame->dim == 2 ? first : vec_add(first, vec_scale(frame->axis[1], at.y));
  const graze_vec x = vec_add(flat, vec_scale(frame->axis[2], at.z));
  return vec_add(vec_scale(x, frame->inverse_unit), frame->origin);
}

static void frame_remove_corner(grz_contact_face *f, int i) {
  f->count--;
  for (; i < f->count; i++) f->corner[i] = f->corner[i + 1], f->id[i] = f->id[i + 1];
}

/* Merges coincident corners and keeps the upper one: a side of the shape can be parallel to the normal. With two
 * corners, the second is not compared with the first again. */
static void frame_merge(grz_contact_face *f, double up, double slack) {
  for (int i = 0; i < (f->count == 2 ? 1 : f->count) && f->count > 1;) {
    const int next = contact_after(f, i);
    if (flat_square(vec_sub(f->corner[i], f->corner[next])) > slack * slack) {
      i++;
    } else {
      bool lower = up * f->corner[next].z < up * f->corner[i].z;
      frame_remove_corner(f, lower ? next : i);
      i = 0;
    }
  }
}

/* Removes corners that lie on the line between their neighbours, also in height. */
static void frame_straighten(grz_contact_face *f, double slack) {
  for (int i = 0; i < f->count && f->count > 2;) {
    const graze_vec p = f->corner[contact_before(f, i)], x = f->corner[i], q = f->corner[contact_after(f, i)];
    const graze_vec e = vec_sub(q, p), off = vec_cross(vec_sub(x, p), e);
    const double limit = slack * slack * vec_dot(e, e);
    if (off.z * off.z <= limit && vec_dot(off, off) <= limit) /* the first condition fails for most corners */
      frame_remove_corner(f, i);
    else
      i++;
  }
}

static void frame_orient(grz_contact_face *f) {
  double area = 0;
  for (int i = 2; i < f->count; i++)
    area += flat_cross(vec_sub(f->corner[i - 1], f->corner[0]), vec_sub(f->corner[i], f->corner[0]));
  if (!(area < 0)) return;
  for (int i = 0, k = f->count - 1; i < k; i++, k--) {
    graze_vec corner = f->corner[i];
    int32_t id = f->id[i];
    f->corner[i] = f->corner[k], f->id[i] = f->id[k];
    f->corner[k] = corner, f->id[k] = id;
  }
}

static void frame_outline(const grz_contact_frame *frame, const graze_placed *placed, double up, grz_contact_face *f) {
  if (frame->dim == 2)
    frame_place_all(frame, placed, f, 2);
  else
    frame_place_all(frame, placed, f, 3);
  frame_merge(f, up, frame->slack);
  if (f->count < 3) return;
  if (placed->shape.kind != GRAZE_BOX) frame_straighten(f, frame->slack); /* a rectangle has no straight corner */
  frame_orient(f);
}

/* ---- The manifold */

static double manifold_bounding_radius(const graze_placed *placed) {
  return placed->shape.kind == GRAZE_HALFSPACE ? 0 : placed->hidden.bounding_radius + placed->hidden.radius;
}

static void manifold_measure(manifold *m) {
  const graze_answer *result = m->result;
  double clearance = m->clearance;
  double size = real_max(manifold_bounding_radius(m->a), manifold_bounding_radius(m->b)) + clearance;
  size = real_max(size, real_abs(result->distance));
  double unit = frame_unit(size);
  m->frame.unit = unit, m->frame.inverse_unit = 1 / unit;
  m->frame.origin = placed_reference_point(m->a->shape.kind == GRAZE_HALFSPACE ? m->b : m->a);
  m->size = size * unit;
  m->radius_a = (m->a->hidden.radius + clearance) * unit;
  m->radius_b = m->b->hidden.radius * unit;
}

static void manifold_contact_face(const graze_placed *placed, graze_vec toward, double unit, grz_contact_face *f) {
  graze_vec d = vec_unrotate(placed->hidden.rotation, toward, placed->shape.dim);
  grz_contact_face_facing(placed, d, unit, f);
}

/* The largest distance of a corner from the first one; infinite for half-spaces. */
static double face_size(const grz_contact_face *f) {
  double square = 0;
  if (f->plane) return __builtin_inf();
  for (int i = 1; i < f->count; i++) {
    const graze_vec x = vec_sub(f->corner[i], f->corner[0]);
    square = real_max(square, vec_dot(x, x));
  }
  return real_sqrt(square);
}

/* Sets the tolerances, which are shares of the smaller face. The width of the interval, which is large for curved
 * shapes only, bounds the error of the normal. */
static void manifold_tolerances(manifold *m) {
  const graze_answer *result = m->result;
  const double size_a = face_size(&m->face_a), size_b = face_size(&m->face_b), smaller = real_min(size_a, size_b);
  const double small = real_min(size_a / 2 + m->radius_a, size_b / 2 + m->radius_b);
  double width = (result->upper - result->lower) * m->frame.unit;
  m->frame.slack = MANIFOLD_SLACK * small + MANIFOLD_SLACK_ROUNDING * m->size;
  m->frame.tolerance = MANIFOLD_TOLERANCE * small + MANIFOLD_TOLERANCE_ROUNDING * m->size;
  m->equal = MANIFOLD_EQUAL * small + m->frame.tolerance;
  m->near = smaller < __builtin_inf() ? MANIFOLD_NEAR * smaller + MANIFOLD_TOLERANCE * m->size : 0;
  if (width >= 0) m->frame.tolerance += real_min(width, MANIFOLD_TOLERANCE * m->size);
}

/* Selects the disk that the frame is built for. If both faces are disks, the smaller one becomes a polygon. */
static const graze_placed *manifold_disk(manifold *m) {
  grz_contact_face *a = &m->face_a, *b = &m->face_b;
  if (a->disk && b->disk) *(a->radius > b->radius ? &b->disk : &a->disk) = false;
  return a->disk ? m->a : b->disk ? m->b : NULL;
}

/* Sets the height of a half-space such that its distance from the other face is the distance of the answer. */
static void manifold_level(manifold *m) {
  grz_contact_face *plane = m->face_a.plane ? &m->face_a : &m->face_b;
  const grz_contact_face *other = m->face_a.plane ? &m->face_b : &m->face_a;
  if (!plane->plane) return;
  double up = other == &m->face_a ? 1 : -1, top = other->corner[0].z;
  for (int i = 1; i < other->count; i++)
    if (up * other->corner[i].z > up * top) top = other->corner[i].z;
  plane->center.z = top + up * (m->result->distance * m->frame.unit + m->radius_a + m->radius_b);
}

static void manifold_overlap(manifold *m) {
  manifold_contact_face(m->a, m->result->normal, m->frame.unit, &m->face_a);
  manifold_contact_face(m->b, vec_neg(m->result->normal), m->frame.unit, &m->face_b);
  const grz_contact_face *a = &m->face_a, *b = &m->face_b;
  m->points.count = 0;
  manifold_tolerances(m);
  frame_make(&m->frame, m->result->normal, m->a->shape.dim, manifold_disk(m));
  if ((a->count == 0 && !a->plane) || (b->count == 0 && !b->plane)) return;
  frame_outline(&m->frame, m->a, 1, &m->face_a);
  frame_outline(&m->frame, m->b, -1, &m->face_b);
  manifold_level(m);
  grz_contact_face_overlap(&m->frame, a, b, &m->points);
}

/* The largest gap of a contact point exceeds that of the shapes by this share of the size of the smaller shape. A
 * slightly tilted resting body therefore keeps all corners. */
#define MANIFOLD_REST 0x1p-10

/* The largest gap of a contact point. */
static double manifold_limit(const manifold *m) {
  const double a = manifold_bounding_radius(m->a), b = manifold_bounding_radius(m->b);
  const double smaller = m->a->shape.kind == GRAZE_HALFSPACE   ? b
                         : m->b->shape.kind == GRAZE_HALFSPACE ? a
                                                               : real_min(a, b);
  const double rest = real_max(m->result->distance, 0) + MANIFOLD_REST * smaller;
  return real_max(m->frame.tolerance, real_max(rest, m->speculative) * m->frame.unit);
}

/* Appends the witness points of the answer if no other contact is as deep. For curved shapes, an equally deep point
 * suffices: otherwise the witness would appear and disappear with noise. */
static void manifold_add_witness(manifold *m) {
  double depth = -m->result->distance * m->frame.unit;
  bool curved = grz_is_curved(&m->a->shape) || grz_is_curved(&m->b->shape);
  double near = curved ? m->equal : m->frame.tolerance;
  for (int i = 0; i < m->points.count; i++)
    if (m->points.at[i].depth >= depth - near) return;
  graze_vec x = vec_scale(vec_sub(m->result->point_a, m->frame.origin), m->frame.unit);
  grz_contact_point *witness = &m->points.at[m->points.count++];
  witness->at = vec_make(vec_dot(x, m->frame.dual[0]), vec_dot(x, m->frame.dual[1]), 0);
  witness->high = witness->low = 0;
  witness->depth = depth;
  witness->feature = GRZ_WITNESS_ID, witness->has_corner_id = false;
}

static void manifold_filter(manifold *m) {
  double limit = manifold_limit(m);
  int kept = 0;
  for (int i = 0; i < m->points.count; i++) {
    grz_contact_point *point = &m->points.at[i];
    point->depth = (point->high - point->low) + (m->radius_a + m->radius_b);
    if (!(point->depth >= -limit)) continue;
    if (kept < i) m->points.at[kept] = *point;
    kept++;
  }
  m->points.count = kept;
}

static graze_contact manifold_contact(const manifold *m, const grz_contact_point *point) {
  const graze_answer *result = m->result;
  graze_contact contact = {result->point_a, result->point_b, -result->distance, point->feature};
  if (point->feature == GRZ_WITNESS_ID) { /* curved shapes: the points of the answer can be off by its tolerance */
    contact.point_b = vec_add(contact.point_a, vec_scale(result->normal, result->distance));
    return contact;
  }
  graze_vec at = point->at;
  at.z = point->high + m->radius_a;
  contact.point_a = frame_world(&m->frame, at);
  at.z = point->low - m->radius_b;
  contact.point_b = frame_world(&m->frame, at);
  contact.depth = point->depth * m->frame.inverse_unit;
  return contact;
}

graze_status grz_manifold_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               double speculative, grz_result *result, graze_contact *contacts, size_t capacity,
                               size_t *count) {
  manifold m; /* large, therefore not initialized */
  m.a = a, m.b = b, m.clearance = options->clearance, m.speculative = speculative, m.result = &result->answer;
  graze_status status = grz_distance_pair(a, b, options, result);
  if (status != GRAZE_OK) return status;
  *count = 0;
  const graze_answer *answer = &result->answer;
  if (answer->distance != answer->distance || answer->lower > speculative) return GRAZE_OK;
  manifold_measure(&m);
  manifold_overlap(&m);
  manifold_filter(&m);
  manifold_add_witness(&m);
  size_t most = a->shape.dim == 2 ? 2 : 4;
  if ((size_t)m.points.count > capacity)
    grz_contact_points_remove_duplicates(&m.points, &m.face_a, &m.face_b, m.near, m.equal);
  grz_contact_points_set_ids(&m.points, &m.face_a, &m.face_b, m.frame.dim, m.near);
  grz_contact_points_sort(&m.points, m.frame.slack);
  if ((size_t)m.points.count > capacity)
    grz_contact_points_reduce(&m.points, (int)(capacity < most ? capacity : most), m.equal, m.frame.slack);
  for (int i = 0; i < m.points.count; i++) contacts[(*count)++] = manifold_contact(&m, &m.points.at[i]);
  return GRAZE_OK;
}
