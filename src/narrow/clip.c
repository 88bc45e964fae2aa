/* The common part of two convex outlines: corners of one over the other, and crossings of edges. Every corner found is
 * one of the input's, or a crossing of two of its edges: nothing is cut twice, so errors do not add up.
 *
 * What is decided within frame->slack, and why nothing is lost by it: docs/theory/contact.md. */
#include "narrow/clip.h"

#include "narrow/contact_surface.h"

static uint64_t clip_index(int32_t id) { return (uint64_t)id & 0x1ffffff; }

/* Both ends of an edge in 25 bits. */
static uint64_t clip_edge(int32_t i, int32_t j) {
  uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
  if (high < 4096) return low << 12 | high;
  return 0x1000000 | ((low * 0x9e3779b97f4a7c15u ^ high * 0xc2b2ae3d27d4eb4fu) >> 40);
}

static uint64_t clip_feature(int kind, uint64_t of_a, uint64_t of_b) {
  return (uint64_t)kind << 50 | of_a << 25 | of_b;
}

uint64_t grz_corner_feature(const grz_feature *f, int k, const grz_feature *other, bool is_a) {
  uint64_t corner = clip_index(f->id[k]), face = clip_index(other->face);
  return is_a ? clip_feature(GRZ_CORNER_OF_A, corner, face) : clip_feature(GRZ_CORNER_OF_B, face, corner);
}

/* What was found first stays: corners come before crossings. */
static void clip_add(const grz_frame *frame, grz_touches *out, graze_vec at, double high, double low,
                     uint64_t feature) {
  double near = 10 * frame->slack;
  for (int i = 0; i < out->count; i++)
    if (flat_square(vec_sub(out->at[i].at, at)) <= near * near) return;
  if (out->count == GRZ_TOUCHES - 1) return; /* never; the last is kept for a witness */
  grz_touch touch = {{at.x, at.y, 0}, high, low, 0, feature};
  out->at[out->count++] = touch;
}

static int clip_edges(const grz_feature *f) { return f->count < 3 ? f->count - 1 : f->count; }

static graze_vec clip_next(const grz_feature *f, int i) { return f->corner[(i + 1) % f->count]; }

/* Is x in the outline, or within the slack of its border? */
static bool clip_holds(const grz_frame *frame, const grz_feature *f, graze_vec x) {
  double reach = frame->slack * frame->slack;
  if (f->plane) return true;
  if (f->disk) {
    double wide = f->radius + frame->slack;
    return flat_square(vec_sub(x, f->center)) <= wide * wide;
  }
  if (f->count == 1) return flat_square(vec_sub(x, f->corner[0])) <= reach;
  bool area = f->count > 2, inside = area;
  for (int i = 0; i < clip_edges(f); i++) {
    graze_vec p = f->corner[i], q = clip_next(f, i), e = vec_sub(q, p);
    double left = flat_cross(e, vec_sub(x, p));
    if (area && left > 0) continue;
    inside = false;
    if (left * left > reach * flat_square(e)) {
      if (area) return false;
    } else if (grz_flat_distance(x, p, q) <= reach) {
      return true;
    }
  }
  return inside;
}

/* The corners of f that lie over the other outline. */
static void clip_corners(const grz_frame *frame, const grz_feature *f, const grz_feature *other, bool is_a,
                         grz_touches *out) {
  for (int i = 0; i < f->count; i++) {
    graze_vec x = f->corner[i];
    if (!clip_holds(frame, other, x)) continue;
    double z = grz_surface_height(other, x, is_a ? -1 : 1);
    clip_add(frame, out, x, is_a ? x.z : z, is_a ? z : x.z, grz_corner_feature(f, i, other, is_a));
  }
}

/* Do p and q, given by their distances from a line times its length, lie on different sides, and not both within the
 * slack of it? */
static bool clip_parts(double p, double q, graze_vec line, double slack) {
  return p * q < 0 && real_max(real_abs(p), real_abs(q)) > real_sqrt(flat_square(line)) * slack;
}

static graze_vec clip_between(graze_vec p, graze_vec q, double t) { return vec_add(p, vec_scale(vec_sub(q, p), t)); }

static void clip_crossing(const grz_frame *frame, const grz_feature *a, int i, const grz_feature *b, int k,
                          grz_touches *out) {
  graze_vec p = a->corner[i], q = clip_next(a, i), r = b->corner[k], s = clip_next(b, k);
  graze_vec e = vec_sub(q, p), f = vec_sub(s, r);
  double r_side = flat_cross(e, vec_sub(r, p)), s_side = flat_cross(e, vec_sub(s, p));
  if (!clip_parts(r_side, s_side, e, frame->slack)) return;
  double p_side = flat_cross(f, vec_sub(p, r)), q_side = flat_cross(f, vec_sub(q, r));
  if (!clip_parts(p_side, q_side, f, frame->slack)) return;
  graze_vec on_a = clip_between(p, q, p_side / (p_side - q_side));
  graze_vec on_b = clip_between(r, s, r_side / (r_side - s_side));
  uint64_t of_a = clip_edge(a->id[i], a->id[(i + 1) % a->count]), of_b = clip_edge(b->id[k], b->id[(k + 1) % b->count]);
  clip_add(frame, out, on_a, on_a.z, on_b.z, clip_feature(GRZ_CROSSING, of_a, of_b));
}

/* Where edge i of f goes through the rim: `which` 0 on the way in, 1 on the way out. */
static void clip_rim(const grz_frame *frame, const grz_feature *f, int i, const grz_feature *disk, bool is_a,
                     grz_touches *out) {
  graze_vec p = f->corner[i], q = clip_next(f, i), e = vec_sub(q, p), d = vec_sub(p, disk->center);
  double square = flat_square(e), middle = -flat_dot(e, d) / square, off = flat_cross(e, d);
  double inner = disk->radius - frame->slack, half = disk->radius * disk->radius - off * off / square;
  if (!(square > 0) || !(off * off < inner * inner * square) || inner <= 0) return;
  half = real_sqrt(half / square);
  for (int which = 0; which < 2; which++) {
    double t = which ? middle + half : middle - half;
    if (!(t > 0 && t < 1)) continue;
    graze_vec at = clip_between(p, q, t);
    uint64_t edge = clip_edge(f->id[i], f->id[(i + 1) % f->count]), rim = (uint64_t)(2 * disk->face + which);
    if (is_a)
      clip_add(frame, out, at, at.z, disk->center.z, clip_feature(GRZ_CROSSING, edge, rim));
    else
      clip_add(frame, out, at, disk->center.z, at.z, clip_feature(GRZ_CROSSING, rim, edge));
  }
}

/* ---- In 2D, where outlines lie on the x axis: a place, a segment, or all of it */

typedef struct clip_line {
  double low, high; /* where it ends, with the slack */
} clip_line;

static clip_line clip_line_of(const grz_frame *frame, const grz_feature *f) {
  if (f->plane) return (clip_line){-__builtin_inf(), __builtin_inf()};
  const double p = f->corner[0].x, q = f->corner[f->count - 1].x;
  return (clip_line){real_min(p, q) - frame->slack, real_max(p, q) + frame->slack};
}

static inline void clip_over_line(const grz_frame *frame, const grz_feature *f, const grz_feature *other,
                                  const clip_line *line, bool is_a, grz_touches *out) {
  for (int i = 0; i < f->count; i++) {
    const graze_vec x = f->corner[i];
    if (!(x.x >= line->low && x.x <= line->high)) continue;
    const double z = grz_surface_height(other, x, is_a ? -1 : 1);
    clip_add(frame, out, x, is_a ? x.z : z, is_a ? z : x.z, grz_corner_feature(f, i, other, is_a));
  }
}

static void clip_on_line(const grz_frame *frame, const grz_feature *a, const grz_feature *b, grz_touches *out) {
  const clip_line line_a = clip_line_of(frame, a), line_b = clip_line_of(frame, b);
  clip_over_line(frame, a, b, &line_b, true, out);
  clip_over_line(frame, b, a, &line_a, false, out);
}

void grz_clip(const grz_frame *frame, const grz_feature *a, const grz_feature *b, grz_touches *out) {
  out->count = 0;
  if (frame->dim == 2) {
    clip_on_line(frame, a, b, out);
    return;
  }
  clip_corners(frame, a, b, true, out);
  clip_corners(frame, b, a, false, out);
  if (a->plane || b->plane) return;
  if (a->disk || b->disk) {
    const grz_feature *disk = a->disk ? a : b, *other = a->disk ? b : a;
    for (int i = 0; i < clip_edges(other); i++) clip_rim(frame, other, i, disk, b->disk, out);
    return;
  }
  for (int i = 0; i < clip_edges(a); i++)
    for (int k = 0; k < clip_edges(b); k++) clip_crossing(frame, a, i, b, k, out);
}
