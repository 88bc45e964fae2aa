/* The overlap of two contact faces.
 *
 * The corners of the overlap are corners of one outline inside the other, and intersections of two edges. Each of them
 * is computed from the input directly, so rounding errors do not accumulate as in successive clipping. Decisions
 * within frame->slack: docs/theory/contact.md. Source: Gregorius, "Robust Contact Creation for Physics Simulations",
 * GDC 2015. */
#include "narrow/contact.h"

#include "simd/f64x2.h"

/* ---- Heights: a triangle of corners that contains the point, raised until no corner lies above its plane */
/* A corner that is no higher than this above the plane of a triangle counts as in the plane; lengths are about 1. */
#define SURFACE_FLAT 1e-13

/* Computes the barycentric coordinates of x times the doubled area, and returns the doubled area. */
static double surface_weights(const graze_vec corner[3], graze_vec x, double weight[3]) {
  graze_vec d[3] = {vec_sub(corner[0], x), vec_sub(corner[1], x), vec_sub(corner[2], x)};
  for (int i = 0; i < 3; i++) weight[i] = flat_cross(d[(i + 1) % 3], d[(i + 2) % 3]);
  return flat_cross(vec_sub(corner[1], corner[0]), vec_sub(corner[2], corner[0]));
}

/* The height of the triangle at x, which lies in the triangle or, by rounding, beside it. */
static double surface_in_triangle(const graze_vec corner[3], graze_vec x) {
  double weight[3], sum = 0, height = 0;
  (void)surface_weights(corner, x, weight);
  for (int i = 0; i < 3; i++) weight[i] = real_max(weight[i], 0), sum += weight[i], height += weight[i] * corner[i].z;
  return sum > 0 ? height / sum : corner[0].z;
}

/* The least barycentric coordinate of x. */
static double surface_inside(const graze_vec corner[3], graze_vec x) {
  double weight[3], area = surface_weights(corner, x, weight);
  if (!(area > 0)) return -__builtin_inf();
  return real_min(real_min(weight[0], weight[1]), weight[2]) / area;
}

/* Selects the triangle of the fan about corner 0 with the greatest least barycentric coordinate of x. */
static void surface_start(const grz_contact_face *f, graze_vec x, graze_vec corner[3]) {
  double best = -__builtin_inf();
  corner[0] = f->corner[0], corner[1] = f->corner[1], corner[2] = f->corner[2];
  for (int i = 2; i < f->count; i++) {
    const graze_vec fan[3] = {f->corner[0], f->corner[i - 1], f->corner[i]};
    double inside = surface_inside(fan, x);
    if (!(inside > best)) continue;
    best = inside;
    corner[1] = fan[1], corner[2] = fan[2];
  }
}

/* Returns the corner farthest above the plane of the triangle, or -1. */
static int surface_above(const grz_contact_face *f, const graze_vec corner[3], double up) {
  const graze_vec e = vec_sub(corner[1], corner[0]), g = vec_sub(corner[2], corner[0]);
  const double area = flat_cross(e, g);
  double best = SURFACE_FLAT * area;
  int at = -1;
  for (int i = 0; i < f->count && area > 0; i++) {
    const graze_vec x = vec_sub(f->corner[i], corner[0]);
    const double excess = up * (x.z * area - (flat_cross(x, g) * e.z + flat_cross(e, x) * g.z));
    if (excess > best) best = excess, at = i;
  }
  return at;
}

/* Replaces one corner by p: the one for which the new triangle has the greatest least barycentric coordinate of x. */
static void surface_swap(graze_vec corner[3], graze_vec p, graze_vec x) {
  double best = -__builtin_inf();
  int out = 0;
  for (int i = 0; i < 3; i++) {
    graze_vec next[3] = {corner[0], corner[1], corner[2]};
    next[i] = p;
    double inside = surface_inside(next, x);
    if (inside > best) best = inside, out = i;
  }
  corner[out] = p;
}

static double surface_on_segment(graze_vec p, graze_vec q, graze_vec x) {
  graze_vec e = vec_sub(q, p), d = vec_sub(x, p);
  double t = flat_dot(e, d) / flat_square(e);
  return p.z + (q.z - p.z) * real_min(real_max(t, 0), 1);
}

/* The upper (up 1) or lower (up -1) surface of an outline. */
typedef struct surface {
  const grz_contact_face *face;
  double up;
  bool flat;               /* all corners lie in one plane … */
  double slope_x, slope_y; /* … of these slopes */
} surface;

static surface surface_of(const grz_contact_face *f, double up) {
  surface s = {.face = f, .up = up};
  if (f->plane || f->disk || f->count < 3) return s;
  const graze_vec *c = f->corner;
  const graze_vec u = vec_sub(c[f->count / 3], c[0]), v = vec_sub(c[2 * f->count / 3], c[0]);
  const double inverse = 1 / flat_cross(u, v);
  s.slope_x = (u.z * v.y - v.z * u.y) * inverse, s.slope_y = (u.x * v.z - v.x * u.z) * inverse;
  s.flat = true;
  for (int i = 1; i < f->count; i++) {
    const graze_vec x = vec_sub(c[i], c[0]);
    s.flat = s.flat && real_abs(x.z - (s.slope_x * x.x + s.slope_y * x.y)) <= SURFACE_FLAT;
  }
  return s;
}

/* Returns the height, in the frame, of a surface at the projected point x. The point lies in the outline or near its
 * border. The corners need not be coplanar: the surface is that of their convex hull. */
static double surface_height(const surface *s, graze_vec x) {
  const grz_contact_face *f = s->face;
  if (f->plane || f->disk) return f->center.z;
  if (f->count == 1) return f->corner[0].z;
  if (f->count == 2) return surface_on_segment(f->corner[0], f->corner[1], x);
  if (s->flat) return f->corner[0].z + (s->slope_x * (x.x - f->corner[0].x) + s->slope_y * (x.y - f->corner[0].y));
  graze_vec corner[3];
  surface_start(f, x, corner);
  double height = surface_in_triangle(corner, x);
  for (int i = 0; i < GRZ_CONTACT_FACE_CORNERS; i++) {
    int above = surface_above(f, corner, s->up);
    if (above < 0) break;
    surface_swap(corner, f->corner[above], x);
    double raised = surface_in_triangle(corner, x);
    if (s->up * raised > s->up * height) height = raised;
  }
  return height;
}

/* ---- Overlap */
/* The squared distance of x from the segment pq. */
static double flat_distance(graze_vec x, graze_vec p, graze_vec q) {
  graze_vec e = vec_sub(q, p), d = vec_sub(x, p);
  double length = flat_square(e), t = flat_dot(e, d);
  if (!(t > 0)) return flat_square(d);
  if (t >= length) return flat_square(vec_sub(x, q));
  double off = flat_cross(e, d);
  return off * off / length;
}

/* Both ends of an edge in 25 bits. */
static uint64_t clip_edge(int32_t i, int32_t j) {
  uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
  if (high < 4096) return low << 12 | high;
  return 0x1000000 | ((low * 0x9e3779b97f4a7c15u ^ high * 0xc2b2ae3d27d4eb4fu) >> 40);
}

/* Appends a point unless one is there already. Corners are appended before intersections, so corners win. */
static void clip_add(const grz_contact_frame *frame, grz_contact_points *out, graze_vec at, double high, double low,
                     uint64_t feature) {
  double near = 10 * frame->slack;
  for (int i = 0; i < out->count; i++)
    if (flat_square(vec_sub(out->at[i].at, at)) <= near * near) return;
  if (out->count == GRZ_CONTACT_POINTS - 1) return; /* cannot happen; the last entry is reserved for a witness */
  grz_contact_point point = {{at.x, at.y, 0}, high, low, 0, feature, false};
  out->at[out->count++] = point;
}

/* The number of edges; a vertex counts as an edge of length 0. */
static int clip_edges(const grz_contact_face *f) { return f->count < 3 ? 1 : f->count; }

static graze_vec clip_next(const grz_contact_face *f, int i) { return f->corner[contact_after(f, i)]; }

/* The corners of one outline relative to the lines of the edges of another outline. */
typedef struct clip_sides {
  uint64_t contained; /* bit k: corner k lies in the outline, or within the slack of its border */
  uint64_t separated[GRZ_CONTACT_FACE_CORNERS]; /* bit k: the ends of edge k lie on different sides of the line of the
                                                 * edge */
} clip_sides;

/* Returns bit k for each of these corners that lies within the slack of the edge pq. */
static uint64_t clip_near_edge(const grz_contact_face *f, uint64_t corners, graze_vec p, graze_vec q, double slack) {
  uint64_t near = 0;
  for (int k = 0; k < f->count; k++)
    if (corners >> k & 1 && flat_distance(f->corner[k], p, q) <= slack * slack) near |= (uint64_t)1 << k;
  return near;
}

static void clip_sides_of_lines(const grz_contact_frame *frame, const grz_contact_face *f,
                                const grz_contact_face *other, clip_sides *sides) {
  const int count = other->count;
  const uint64_t corners = UINT64_MAX >> (GRZ_CONTACT_FACE_CORNERS - count), edges = count < 3 ? 1 : corners;
  const f64x2 zero = {0, 0};
  f64x2 x[GRZ_CONTACT_FACE_CORNERS / 2], y[GRZ_CONTACT_FACE_CORNERS / 2]; /* an odd last corner is repeated */
  for (int k = 0; k < count; k += 2) {
    const graze_vec first = other->corner[k], second = other->corner[k + 1 < count ? k + 1 : k];
    x[k / 2] = (f64x2){first.x, second.x}, y[k / 2] = (f64x2){first.y, second.y};
  }
  uint64_t inside = f->count > 2 ? corners : 0, near = 0;
  for (int i = 0; i < clip_edges(f); i++) {
    const graze_vec p = f->corner[i], q = clip_next(f, i), e = vec_sub(q, p);
    const double limit = frame->slack * frame->slack * flat_square(e);
    uint64_t left = 0, right = 0, close = 0;
    for (int k = 0; k < count; k += 2) {
      const f64x2 side = e.x * (y[k / 2] - p.y) - e.y * (x[k / 2] - p.x);
      left |= (uint64_t)f64x2_sign_mask((u64x2)(side > zero)) << k;
      right |= (uint64_t)f64x2_sign_mask((u64x2)(side < zero)) << k;
      close |= (uint64_t)f64x2_sign_mask((u64x2)(side * side <= limit)) << k;
    }
    left &= corners, right &= corners, close &= corners;
    if (close != 0) near |= clip_near_edge(other, close, p, q, frame->slack);
    const uint64_t next_left = left >> 1 | left << (count - 1), next_right = right >> 1 | right << (count - 1);
    sides->separated[i] = ((left & next_right) | (right & next_left)) & edges;
    inside &= left;
  }
  sides->contained = inside | near;
}

/* Sets sides->contained, and, for outlines with corners, sides->separated. */
static void clip_sides_of(const grz_contact_frame *frame, const grz_contact_face *f, const grz_contact_face *other,
                          clip_sides *sides) {
  if (!f->plane && !f->disk && other->count > 0) {
    clip_sides_of_lines(frame, f, other, sides);
    return;
  }
  const double radius = f->radius + frame->slack;
  sides->contained = 0;
  for (int k = 0; k < other->count; k++) {
    const bool inside = f->plane || flat_square(vec_sub(other->corner[k], f->center)) <= radius * radius;
    sides->contained |= (uint64_t)inside << k;
  }
}

/* Appends corner k of f, which lies in the outline of the other surface. */
static void clip_corner(const grz_contact_frame *frame, const grz_contact_face *f, int k, const surface *other,
                        bool is_a, grz_contact_points *out) {
  const graze_vec x = f->corner[k];
  const double z = surface_height(other, x);
  clip_add(frame, out, x, is_a ? x.z : z, is_a ? z : x.z, contact_corner_id(f, k, other->face, is_a));
}

/* Appends the corners of f that lie in the other outline. */
static void clip_corners(const grz_contact_frame *frame, const grz_contact_face *f, const grz_contact_face *other,
                         uint64_t contained, bool is_a, grz_contact_points *out) {
  if (contained == 0) return;
  const surface over = surface_of(other, is_a ? -1 : 1);
  for (int k = 0; k < f->count; k++)
    if (contained >> k & 1) clip_corner(frame, f, k, &over, is_a, out);
}

/* p and q are the distances of two points from a line, times the length of the line. True if not both points lie
 * within the slack of the line. */
static bool clip_separates(double p, double q, graze_vec line, double slack) {
  const double off = real_max(real_abs(p), real_abs(q));
  return off * off > slack * slack * flat_square(line);
}

static graze_vec clip_interpolate(graze_vec p, graze_vec q, double t) {
  return vec_add(p, vec_scale(vec_sub(q, p), t));
}

/* Appends the intersection of edge i of A with edge k of B, whose ends lie on different sides of each other's line. */
static void clip_intersection(const grz_contact_frame *frame, const grz_contact_face *a, int i,
                              const grz_contact_face *b, int k, grz_contact_points *out) {
  graze_vec p = a->corner[i], q = clip_next(a, i), r = b->corner[k], s = clip_next(b, k);
  graze_vec e = vec_sub(q, p), f = vec_sub(s, r);
  double r_side = flat_cross(e, vec_sub(r, p)), s_side = flat_cross(e, vec_sub(s, p));
  if (!clip_separates(r_side, s_side, e, frame->slack)) return;
  double p_side = flat_cross(f, vec_sub(p, r)), q_side = flat_cross(f, vec_sub(q, r));
  if (!clip_separates(p_side, q_side, f, frame->slack)) return;
  graze_vec on_a = clip_interpolate(p, q, p_side / (p_side - q_side));
  graze_vec on_b = clip_interpolate(r, s, r_side / (r_side - s_side));
  uint64_t id_a = clip_edge(a->id[i], a->id[contact_after(a, i)]),
           id_b = clip_edge(b->id[k], b->id[contact_after(b, k)]);
  clip_add(frame, out, on_a, on_a.z, on_b.z, contact_id(GRZ_INTERSECTION, id_a, id_b));
}

/* Appends the points where edge i of f crosses the rim: `which` 0 for the entry, 1 for the exit. */
static void clip_rim(const grz_contact_frame *frame, const grz_contact_face *f, int i, const grz_contact_face *disk,
                     bool is_a, grz_contact_points *out) {
  graze_vec p = f->corner[i], q = clip_next(f, i), e = vec_sub(q, p), d = vec_sub(p, disk->center);
  double square = flat_square(e), middle = -flat_dot(e, d) / square, off = flat_cross(e, d);
  double inner = disk->radius - frame->slack, half = disk->radius * disk->radius - off * off / square;
  if (!(square > 0) || !(off * off < inner * inner * square) || inner <= 0) return;
  half = real_sqrt(half / square);
  for (int which = 0; which < 2; which++) {
    double t = which ? middle + half : middle - half;
    if (!(t > 0 && t < 1)) continue;
    graze_vec at = clip_interpolate(p, q, t);
    uint64_t edge = clip_edge(f->id[i], f->id[contact_after(f, i)]), rim = (uint64_t)(2 * disk->face + which);
    if (is_a)
      clip_add(frame, out, at, at.z, disk->center.z, contact_id(GRZ_INTERSECTION, edge, rim));
    else
      clip_add(frame, out, at, disk->center.z, at.z, contact_id(GRZ_INTERSECTION, rim, edge));
  }
}

/* ---- Overlap in 2D, where outlines are intervals of the x axis */

typedef struct clip_line {
  double low, high;
  int first, last; /* the corners at these ends */
} clip_line;

static inline clip_line clip_line_of(const grz_contact_face *f) {
  if (f->plane) return (clip_line){-__builtin_inf(), __builtin_inf(), 0, 0};
  const int end = f->count - 1, first = end & -(f->corner[end].x < f->corner[0].x);
  return (clip_line){f->corner[first].x, f->corner[end - first].x, first, end - first};
}

/* Appends corner k of face[is_a ? 0 : 1], which lies on the line of the other face. */
static inline void clip_line_corner(const grz_contact_frame *frame, const grz_contact_face *const face[2], bool is_a,
                                    int k, grz_contact_points *out) {
  const grz_contact_face *f = face[!is_a], *other = face[is_a];
  const graze_vec x = f->corner[k], *corner = other->corner;
  const double z = other->plane        ? other->center.z
                   : other->count == 1 ? corner[0].z
                                       : surface_on_segment(corner[0], corner[1], x);
  clip_add(frame, out, x, is_a ? x.z : z, is_a ? z : x.z, contact_corner_id(f, k, other, is_a));
}

/* Appends the ends of the common part of two lines. An end is a corner of A if it lies on the line of B within the
 * slack, and otherwise a corner of B. */
static void clip_lines(const grz_contact_frame *frame, const grz_contact_face *a, const grz_contact_face *b,
                       grz_contact_points *out) {
  const grz_contact_face *const face[2] = {a, b};
  const clip_line line[2] = {clip_line_of(a), clip_line_of(b)};
  const bool first_of_a = line[0].low >= line[1].low - frame->slack,
             last_of_a = line[0].high <= line[1].high + frame->slack;
  const clip_line *from = &line[!first_of_a], *to = &line[!last_of_a];
  if (!(from->low <= to->high + frame->slack)) return;
  clip_line_corner(frame, face, first_of_a, from->first, out);
  clip_line_corner(frame, face, last_of_a, to->last, out);
}

void grz_contact_face_overlap(const grz_contact_frame *frame, const grz_contact_face *a, const grz_contact_face *b,
                              grz_contact_points *out) {
  out->count = 0;
  if (frame->dim == 2) {
    clip_lines(frame, a, b, out);
    return;
  }
  clip_sides of_a, of_b; /* large: set by clip_sides_of() */
  clip_sides_of(frame, b, a, &of_a);
  clip_sides_of(frame, a, b, &of_b);
  clip_corners(frame, a, b, of_a.contained, true, out);
  clip_corners(frame, b, a, of_b.contained, false, out);
  if (a->plane || b->plane) return;
  if (a->disk || b->disk) {
    const grz_contact_face *disk = a->disk ? a : b, *other = a->disk ? b : a;
    for (int i = 0; i < clip_edges(other); i++) clip_rim(frame, other, i, disk, b->disk, out);
    return;
  }
  for (int i = 0; i < clip_edges(a); i++)
    for (int k = 0; k < clip_edges(b); k++)
      if (of_b.separated[i] >> k & of_a.separated[k] >> i & 1) clip_intersection(frame, a, i, b, k, out);
}
