/* Contact points: the overlap of two contact faces, ids of the points, their order and their reduction to four.
 *
 * The corners of the overlap are corners of one outline inside the other, and intersections of two edges. Each of them
 * is computed from the input directly, so rounding errors do not accumulate as in successive clipping. Decisions
 * within frame->slack: docs/theory/contact.md. Source: Gregorius, "Robust Contact Creation for Physics Simulations",
 * GDC 2015. */
#include "narrow/contact.h"

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

/* Returns the height, in the frame, of the upper (up 1) or lower (up -1) surface of an outline at the projected point
 * x. The point lies in the outline or near its border. The corners need not be coplanar: the surface is that of
 * their convex hull. Despite rounding, the result is the height of a point of that hull. */
static double contact_face_height(const grz_contact_face *f, graze_vec x, double up) {
  if (f->plane || f->disk) return f->center.z;
  if (f->count == 1) return f->corner[0].z;
  if (f->count == 2) return surface_on_segment(f->corner[0], f->corner[1], x);
  graze_vec corner[3];
  surface_start(f, x, corner);
  double height = surface_in_triangle(corner, x);
  for (int i = 0; i < GRZ_CONTACT_FACE_CORNERS; i++) {
    int above = surface_above(f, corner, up);
    if (above < 0) break;
    surface_swap(corner, f->corner[above], x);
    double raised = surface_in_triangle(corner, x);
    if (up * raised > up * height) height = raised;
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

static uint64_t clip_index(int32_t id) { return (uint64_t)id & 0x1ffffff; }

/* Both ends of an edge in 25 bits. */
static uint64_t clip_edge(int32_t i, int32_t j) {
  uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
  if (high < 4096) return low << 12 | high;
  return 0x1000000 | ((low * 0x9e3779b97f4a7c15u ^ high * 0xc2b2ae3d27d4eb4fu) >> 40);
}

static uint64_t clip_id(int kind, uint64_t id_a, uint64_t id_b) { return (uint64_t)kind << 50 | id_a << 25 | id_b; }

/* The contact id of corner k of a contact face of A or of B over the other face. */
static uint64_t contact_corner_id(const grz_contact_face *f, int k, const grz_contact_face *other, bool is_a) {
  uint64_t corner = clip_index(f->id[k]), face = clip_index(other->face);
  return is_a ? clip_id(GRZ_CORNER_OF_A, corner, face) : clip_id(GRZ_CORNER_OF_B, face, corner);
}

/* Appends a point unless one is there already. Corners are appended before intersections, so corners win. */
static void clip_add(const grz_contact_frame *frame, grz_contact_points *out, graze_vec at, double high, double low,
                     uint64_t feature) {
  double near = 10 * frame->slack;
  for (int i = 0; i < out->count; i++)
    if (flat_square(vec_sub(out->at[i].at, at)) <= near * near) return;
  if (out->count == GRZ_CONTACT_POINTS - 1) return; /* cannot happen; the last entry is reserved for a witness */
  grz_contact_point point = {{at.x, at.y, 0}, high, low, 0, feature};
  out->at[out->count++] = point;
}

static int clip_edges(const grz_contact_face *f) { return f->count < 3 ? f->count - 1 : f->count; }

static graze_vec clip_next(const grz_contact_face *f, int i) { return f->corner[contact_after(f, i)]; }

/* True if x lies in the outline, or within the slack of its border. */
static bool clip_contains(const grz_contact_frame *frame, const grz_contact_face *f, graze_vec x) {
  double tolerance_square = frame->slack * frame->slack;
  if (f->plane) return true;
  if (f->disk) {
    double radius = f->radius + frame->slack;
    return flat_square(vec_sub(x, f->center)) <= radius * radius;
  }
  if (f->count == 1) return flat_square(vec_sub(x, f->corner[0])) <= tolerance_square;
  bool area = f->count > 2, inside = area;
  for (int i = 0; i < clip_edges(f); i++) {
    graze_vec p = f->corner[i], q = clip_next(f, i), e = vec_sub(q, p);
    double left = flat_cross(e, vec_sub(x, p));
    if (area && left > 0) continue;
    inside = false;
    if (left * left > tolerance_square * flat_square(e)) {
      if (area) return false;
    } else if (flat_distance(x, p, q) <= tolerance_square) {
      return true;
    }
  }
  return inside;
}

/* Appends the corners of f that lie in the other outline. */
static void clip_corners(const grz_contact_frame *frame, const grz_contact_face *f, const grz_contact_face *other,
                         bool is_a, grz_contact_points *out) {
  for (int i = 0; i < f->count; i++) {
    graze_vec x = f->corner[i];
    if (!clip_contains(frame, other, x)) continue;
    double z = contact_face_height(other, x, is_a ? -1 : 1);
    clip_add(frame, out, x, is_a ? x.z : z, is_a ? z : x.z, contact_corner_id(f, i, other, is_a));
  }
}

/* p and q are the distances of two points from a line, times the length of the line. True if the points lie on
 * different sides and not both within the slack. */
static bool clip_separates(double p, double q, graze_vec line, double slack) {
  return p * q < 0 && real_max(real_abs(p), real_abs(q)) > real_sqrt(flat_square(line)) * slack;
}

static graze_vec clip_interpolate(graze_vec p, graze_vec q, double t) {
  return vec_add(p, vec_scale(vec_sub(q, p), t));
}

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
  clip_add(frame, out, on_a, on_a.z, on_b.z, clip_id(GRZ_INTERSECTION, id_a, id_b));
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
      clip_add(frame, out, at, at.z, disk->center.z, clip_id(GRZ_INTERSECTION, edge, rim));
    else
      clip_add(frame, out, at, disk->center.z, at.z, clip_id(GRZ_INTERSECTION, rim, edge));
  }
}

/* ---- Overlap in 2D, where outlines are intervals of the x axis */

typedef struct clip_line {
  double low, high; /* the ends, with the slack */
} clip_line;

static clip_line clip_line_of(const grz_contact_frame *frame, const grz_contact_face *f) {
  if (f->plane) return (clip_line){-__builtin_inf(), __builtin_inf()};
  const double p = f->corner[0].x, q = f->corner[f->count - 1].x;
  return (clip_line){real_min(p, q) - frame->slack, real_max(p, q) + frame->slack};
}

static inline void clip_over_line(const grz_contact_frame *frame, const grz_contact_face *f,
                                  const grz_contact_face *other, const clip_line *line, bool is_a,
                                  grz_contact_points *out) {
  for (int i = 0; i < f->count; i++) {
    const graze_vec x = f->corner[i];
    if (!(x.x >= line->low && x.x <= line->high)) continue;
    const double z = contact_face_height(other, x, is_a ? -1 : 1);
    clip_add(frame, out, x, is_a ? x.z : z, is_a ? z : x.z, contact_corner_id(f, i, other, is_a));
  }
}

static void clip_on_line(const grz_contact_frame *frame, const grz_contact_face *a, const grz_contact_face *b,
                         grz_contact_points *out) {
  const clip_line line_a = clip_line_of(frame, a), line_b = clip_line_of(frame, b);
  clip_over_line(frame, a, b, &line_b, true, out);
  clip_over_line(frame, b, a, &line_a, false, out);
}

void grz_contact_face_overlap(const grz_contact_frame *frame, const grz_contact_face *a, const grz_contact_face *b,
                              grz_contact_points *out) {
  out->count = 0;
  if (frame->dim == 2) {
    clip_on_line(frame, a, b, out);
    return;
  }
  clip_corners(frame, a, b, true, out);
  clip_corners(frame, b, a, false, out);
  if (a->plane || b->plane) return;
  if (a->disk || b->disk) {
    const grz_contact_face *disk = a->disk ? a : b, *other = a->disk ? b : a;
    for (int i = 0; i < clip_edges(other); i++) clip_rim(frame, other, i, disk, b->disk, out);
    return;
  }
  for (int i = 0; i < clip_edges(a); i++)
    for (int k = 0; k < clip_edges(b); k++) clip_intersection(frame, a, i, b, k, out);
}

/* ---- Ids of contact points */
/* Returns the point that gets the id of a corner: the nearest within `near`, or -1. */
static int id_holder(const grz_contact_points *t, graze_vec corner, double near) {
  double least = near * near;
  int holder = -1;
  for (int i = 0; i < t->count; i++) {
    double distance = flat_square(vec_sub(t->at[i].at, corner));
    if (distance > least || t->at[i].feature == GRZ_WITNESS_ID) continue;
    least = distance, holder = i;
  }
  return holder;
}

static void id_from_corners(grz_contact_points *t, const grz_contact_face *f, const grz_contact_face *other, bool is_a,
                            double near, bool *assigned) {
  if (f->disk || f->plane || f->count < 2) return;
  for (int k = 0; k < f->count; k++) {
    int i = id_holder(t, f->corner[k], near);
    if (i < 0 || assigned[i]) continue;
    t->at[i].feature = contact_corner_id(f, k, other, is_a);
    assigned[i] = true;
  }
}

void grz_contact_points_set_ids(grz_contact_points *t, const grz_contact_face *a, const grz_contact_face *b,
                                double near) {
  bool assigned[GRZ_CONTACT_POINTS] = {false};
  id_from_corners(t, a, b, true, near, assigned);
  id_from_corners(t, b, a, false, near, assigned);
}

enum { ID_FREE, ID_HOLDER, ID_DUPLICATE };

/* Marks one point at each corner as its holder (an earlier holder, or the nearest point) and the others as
 * duplicates. */
static void id_mark_duplicates(const grz_contact_points *t, const grz_contact_face *f, double near, double equal,
                               int *role) {
  if (f->disk || f->plane || f->count < 2) return;
  for (int c = 0; c < f->count; c++) {
    int holder = id_holder(t, f->corner[c], near);
    for (int i = 0; i < t->count; i++) {
      if (role[i] == ID_HOLDER && flat_square(vec_sub(t->at[i].at, f->corner[c])) <= near * near) holder = i;
    }
    if (holder < 0) continue;
    role[holder] = ID_HOLDER;
    for (int i = 0; i < t->count; i++) {
      bool beside = flat_square(vec_sub(t->at[i].at, f->corner[c])) <= near * near;
      bool deeper = t->at[i].depth > t->at[holder].depth + equal || t->at[i].feature == GRZ_WITNESS_ID;
      if (beside && !deeper && role[i] != ID_HOLDER) role[i] = ID_DUPLICATE;
    }
  }
}

void grz_contact_points_remove_duplicates(grz_contact_points *t, const grz_contact_face *a, const grz_contact_face *b,
                                          double near, double equal) {
  int role[GRZ_CONTACT_POINTS] = {ID_FREE}, kept = 0;
  id_mark_duplicates(t, a, near, equal, role);
  id_mark_duplicates(t, b, near, equal, role);
  for (int i = 0; i < t->count; i++) {
    if (role[i] != ID_DUPLICATE) t->at[kept++] = t->at[i];
  }
  t->count = kept;
}

/* ---- Order and reduction. Noise in depth or position must not change the result. */
/* A point replaces an earlier one only if it is better by this factor, so that noise does not decide between equals. */
#define REDUCE_BETTER (1 + 1e-3)

static bool reduce_is_witness(const grz_contact_point *t) { return t->feature == GRZ_WITNESS_ID; }

static graze_vec reduce_step(const grz_contact_point *p, const grz_contact_point *q) { return vec_sub(q->at, p->at); }

static int reduce_lowest(const grz_contact_points *t) {
  int lowest = 0;
  for (int i = 1; i < t->count; i++)
    if (t->at[i].feature < t->at[lowest].feature) lowest = i;
  return lowest;
}

static graze_vec reduce_middle(const grz_contact_points *t) {
  graze_vec sum = {0, 0, 0};
  for (int i = 0; i < t->count; i++) sum = vec_add(sum, t->at[i].at);
  return vec_scale(sum, 1.0 / t->count);
}

/* Increases with the angle from u to v, counter-clockwise: 0 to 4. */
static double reduce_angle(graze_vec u, graze_vec v) {
  double x = flat_dot(u, v), y = flat_cross(u, v), length = real_abs(x) + real_abs(y);
  if (!(length > 0)) return 0;
  return y < 0 ? 3 + x / length : 1 - x / length;
}

/* The point farthest from point i; a later point must be farther by more than noise. */
static int reduce_farthest(const grz_contact_points *t, int i) {
  int best = i;
  double most = 0;
  for (int k = 0; k < t->count; k++) {
    double distance = flat_square(reduce_step(&t->at[i], &t->at[k]));
    if (distance > most * REDUCE_BETTER) most = distance, best = k;
  }
  return best;
}

/* The point farthest from the line through points i and k; -1 if all lie on the line within the slack. */
static int reduce_off_line(const grz_contact_points *t, int i, int k, double slack) {
  graze_vec line = reduce_step(&t->at[i], &t->at[k]);
  double most = 10 * slack * real_sqrt(flat_square(line));
  int best = -1;
  for (int p = 0; p < t->count; p++) {
    double off = real_abs(flat_cross(line, reduce_step(&t->at[i], &t->at[p])));
    if (off > most * REDUCE_BETTER) most = off, best = p;
  }
  return best;
}

/* The point that adds the largest triangle to a triangle; -1 if no point adds one. */
static int reduce_outside(const grz_contact_points *t, const int corner[3], double slack) {
  const grz_contact_point *a = &t->at[corner[0]], *b = &t->at[corner[1]], *c = &t->at[corner[2]];
  double sign = flat_cross(reduce_step(a, b), reduce_step(a, c)) > 0 ? 1 : -1, most = 0;
  int best = -1;
  for (int p = 0; p < t->count; p++)
    for (int i = 0; i < 3; i++) {
      const grz_contact_point *from = &t->at[corner[i]];
      graze_vec side = reduce_step(from, &t->at[corner[(i + 1) % 3]]);
      double out = -sign * flat_cross(side, reduce_step(from, &t->at[p]));
      if (out <= 10 * slack * real_sqrt(flat_square(side)) || out <= most * REDUCE_BETTER) continue;
      most = out, best = p;
    }
  return best;
}

void grz_contact_points_sort(grz_contact_points *t, double slack) {
  if (t->count < 2) return;
  if (t->count == 2) { /* two points are collinear, and a witness has the highest id */
    const grz_contact_point first = t->at[0];
    if (t->at[1].feature < first.feature) t->at[0] = t->at[1], t->at[1] = first;
    return;
  }
  double key[GRZ_CONTACT_POINTS];
  int lowest = reduce_lowest(t), farthest = reduce_farthest(t, lowest);
  bool around = reduce_off_line(t, lowest, farthest, slack) >= 0;
  graze_vec middle = reduce_middle(t), first = vec_sub(t->at[lowest].at, middle);
  for (int i = 0; i < t->count; i++) {
    grz_contact_point point = t->at[i];
    double turn = around ? reduce_angle(first, vec_sub(point.at, middle)) : (double)point.feature;
    turn = reduce_is_witness(&point) ? __builtin_inf() : turn;
    int k = i;
    for (; k > 0 && turn < key[k - 1]; k--) t->at[k] = t->at[k - 1], key[k] = key[k - 1];
    t->at[k] = point, key[k] = turn;
  }
}

/* The deepest point. Among equally deep ones the lowest id: corners come before intersections inside an edge. */
static int reduce_deepest(const grz_contact_points *t, double equal) {
  int best = -1;
  double most = t->at[0].depth;
  for (int i = 1; i < t->count; i++) most = real_max(most, t->at[i].depth);
  for (int i = 0; i < t->count; i++) {
    if (t->at[i].depth >= most - equal && (best < 0 || t->at[i].feature < t->at[best].feature)) best = i;
  }
  return best;
}

/* Selects up to `most` points in order of importance, and returns their number. */
static int reduce_choose(const grz_contact_points *t, int most, double equal, double slack, int chosen[4]) {
  chosen[0] = reduce_deepest(t, equal);
  if (most == 1) return 1;
  chosen[1] = reduce_farthest(t, chosen[0]);
  if (chosen[1] == chosen[0]) return 1;
  if (most == 2) return 2;
  chosen[2] = reduce_off_line(t, chosen[0], chosen[1], slack);
  if (chosen[2] < 0) return 2;
  if (most == 3) return 3;
  chosen[3] = reduce_outside(t, chosen, slack);
  return chosen[3] < 0 ? 3 : 4;
}

void grz_contact_points_reduce(grz_contact_points *t, int most, double equal, double slack) {
  int chosen[4], kept = 0, count = reduce_choose(t, most, equal, slack, chosen);
  for (int i = 0; i < t->count; i++)
    for (int k = 0; k < count; k++)
      if (chosen[k] == i) t->at[kept++] = t->at[i];
  t->count = kept;
}
