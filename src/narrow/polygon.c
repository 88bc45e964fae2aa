/* Two convex polygons in 2D by the separating-axis test: the height of every edge of the CSO, from all edges × corners
 * (outline_kernel.h).
 *
 * The CSO has an edge parallel to each edge of A and of -B, and no others. The shortest translation that moves the
 * origin out of the CSO is perpendicular to the nearest edge line. A cast finds where the path of the origin passes
 * these lines. Theory: docs/theory/axes.md, "Outlines"; docs/theory/cast.md, "LCCD". */
#include "narrow/axes.h"

#include "narrow/stages.h"
#include "shape/placed.h"
#include "shape/shape.h"
#include "simd/isa.h"

/* ---- Outlines */

/* Finds the corners of a 2D core. Returns false if it has too many, or if they are not in convex order. */
static bool outline_order(grz_outline *o, const graze_placed *placed, const double *rotation) {
  const graze_shape *shape = &placed->shape;
  const size_t count = grz_core_count(shape);
  if (count == 0 || count > GRZ_OUTLINE_VERTICES || shape->kind == GRAZE_HULL) return false;
  const bool box = shape->kind == GRAZE_BOX;
  o->count = (int)count, o->first = 0, o->step = 1, o->rotation = rotation;
  o->corner = shape->kind == GRAZE_POLYGON ? shape->as.polygon.vertices : o->storage;
  for (int i = 0; o->corner == o->storage && i < o->count; i++)
    o->storage[i] = grz_core_vertex(shape, (size_t)(box ? i ^ i >> 1 : i));
  if (o->count < 3 || box) return true;
  if (placed->winding < 0) o->first = o->count - 1, o->step = -1;
  return placed->winding != 0;
}

static int outline_after(const grz_outline *o, int k) { return k + 1 < o->count ? k + 1 : 0; }
static int outline_before(const grz_outline *o, int k) { return (k > 0 ? k : o->count) - 1; }

/* Corner k in world axes, without position, and the outward normal of the edge that begins there. */
static graze_vec outline_at(const grz_outline *o, int k) { return vec_make(o->x[k], o->y[k], 0); }
static graze_vec outline_normal(const grz_outline *o, int k) { return vec_make(o->normal_x[k], o->normal_y[k], 0); }

/* False between coincident corners. */
static bool outline_is_edge(const grz_outline *o, int k) { return vec_norm_inf(outline_normal(o, k)) > 0; }

/* Edges of length 0 included. */
static int outline_edges(const grz_outline *o) { return o->count > 1 ? o->count : 0; }

/* The farthest corner along d; the first of equals. */
static int outline_farthest(const grz_outline *o, graze_vec d) {
  double most = -__builtin_inf();
  int farthest = 0;
  for (int k = 0; k < o->count; k++) {
    const double distance = d.x * o->x[k] + d.y * o->y[k];
    farthest = distance > most ? k : farthest;
    most = distance > most ? distance : most;
  }
  return farthest;
}

/* ---- Instruction sets. AVX-512 is not faster for so few corners. */

/* The number of corners in a sample, which can exclude edges. */
enum { OUTLINE_SAMPLE = 8 };

static double outline_root(double square) { return square < 0 ? -real_sqrt(-square) : real_sqrt(square); }

#define GRZ_ISA portable
#include "simd/f64xn_portable.h"
#include "narrow/outline_kernel.h"
#undef GRZ_ISA

#if defined(GRZ_SIMD_X86)

#define GRZ_ISA sse2
#include "simd/f64xn_sse2.h"
#include "narrow/outline_kernel.h"
#undef GRZ_ISA

GRZ_TARGET("avx2")
#define GRZ_ISA avx2
#include "simd/f64xn_avx2.h"
#include "narrow/outline_kernel.h"
#undef GRZ_ISA
GRZ_TARGET_END

const grz_outline_kernels *grz_outline_select(void) {
  return __builtin_cpu_supports("avx2") ? &grz_outline_avx2 : &grz_outline_sse2;
}

#elif defined(GRZ_SIMD_NEON)

#define GRZ_ISA neon
#include "simd/f64xn_neon.h"
#include "narrow/outline_kernel.h"
#undef GRZ_ISA

const grz_outline_kernels *grz_outline_select(void) { return &grz_outline_neon; }

#else

const grz_outline_kernels *grz_outline_select(void) { return &grz_outline_portable; }

#endif

/* Beyond these sizes, squares lose significant digits or leave the range of doubles. */
#define PLANAR_SMALLEST 0x1p-140
#define PLANAR_LARGEST 0x1p400

/* GJK is faster for more corners of both. */
enum { PLANAR_MOST_CORNERS = 32 };

/* ---- Depth and overlap */

/* In u·size: the rounding of distances. */
#define PLANAR_LOW 128
#define PLANAR_HIGH 160

/* In u·size: corners whose distances differ by less are equally far. */
#define PLANAR_TIE 256

/* Relative to the size: the tolerance of the witness points. */
#define PLANAR_FOOT 0x1p-44

typedef struct planar {
  const graze_placed *a, *b;
  const double *rotate_a, *rotate_b; /* for an obstacle, these and all lengths are times its unit */
  graze_vec offset;                  /* p_a - p_b, rounded */
  double size;                       /* >= |w| of every point w of the CSO */
  grz_outline outline[2];            /* of A and B; large: set by planar_order() and the kernels */
  int own;          /* the selected edge belongs to this outline: 0 A, 1 B. It is the outline's `edge` */
  int opposite;     /* the farthest corner of the other outline, against the normal of that edge */
  graze_vec normal; /* of that edge: outward of the CSO, as long as the edge */
  int end[2][2];    /* the corners of A and of B at the ends of that edge of the CSO */
} planar;

static double planar_size(const graze_placed *a, const graze_placed *b, graze_vec offset) {
  const double size = ((a->hidden.bounding_radius + b->hidden.bounding_radius) + vec_length(offset)) * (1 + 8 * GRZ_U);
  return placed_are_plain(a, b) ? size : size * (1 + 48 * GRZ_U) + 0x1p-1016;
}

static graze_vec planar_place(const planar *p, graze_vec a, graze_vec b) { return vec_add(vec_sub(a, b), p->offset); }

/* True if the edge after corner k is perpendicular to n within `most` of rise, with the outline behind it, or has no
 * length. */
static inline bool outline_is_level(const grz_outline *o, int k, graze_vec n, double most) {
  const double x = o->normal_x[k], y = o->normal_y[k];
  return (int)(x * n.x + y * n.y >= 0) & (int)(real_abs(x * n.y - y * n.x) <= most); /* few branches are predictable */
}

/* Finds the ends of the chain of farthest corners along n, counter-clockwise: extends `corner` by perpendicular
 * edges. */
static inline void planar_farthest_side(const planar *p, const grz_outline *o, int corner, graze_vec n, int end[2]) {
  const double level = PLANAR_TIE * GRZ_U * p->size * vec_norm1(n);
  int first = corner, last = corner, most = o->count - 1;
  for (; most > 0 && outline_is_level(o, last, n, level); most--) last = outline_after(o, last);
  for (; most > 0 && outline_is_level(o, outline_before(o, first), n, level); most--) first = outline_before(o, first);
  end[0] = first, end[1] = last;
}

/* 1 for an edge of A, -1 for an edge of B, whose normal is the opposite of that of the CSO. */
static inline double planar_sign(int own) { return 1 - 2 * own; }

/* Selects an edge. The kernels do not store the farthest corner, so it is searched again. Which outline has the edge
 * cannot be predicted, so no branch depends on it. */
static inline void planar_select(planar *p, int own, int edge) {
  const graze_vec n = outline_normal(&p->outline[own], edge);
  p->own = own, p->outline[own].edge = edge;
  p->opposite = outline_farthest(&p->outline[!own], vec_neg(n));
  p->normal = vec_scale(n, planar_sign(own));
}

/* Finds the ends of the selected edge of the CSO. */
static inline void planar_find_ends(planar *p) {
  const grz_outline *own = &p->outline[p->own], *other = &p->outline[!p->own];
  const graze_vec n = outline_normal(own, own->edge);
  planar_farthest_side(p, own, own->edge, n, p->end[p->own]);
  planar_farthest_side(p, other, p->opposite, vec_neg(n), p->end[!p->own]);
}

/* Finds the corners of both. Returns false for other shapes. */
static inline bool planar_order(planar *p) {
  return outline_order(&p->outline[0], p->a, p->rotate_a) && outline_order(&p->outline[1], p->b, p->rotate_b);
}

/* Finds the edge of the CSO with the least height. An edge of B must be lower by `tie` than those of A, so that
 * rounding does not choose between ties. Returns false if no edge exists, or if lengths underflow. */
static bool planar_edges(planar *p) {
  const double tie = GRZ_AXIS_TIE * GRZ_U * p->size;
  grz_outline *a = &p->outline[0], *b = &p->outline[1];
  if (!planar_order(p) || !grz_outline_select()->heights(a, b, p->offset, tie)) return false;
  if (!(real_min(a->least, b->least) < __builtin_inf())) return false;
  const int own = b->least < a->least - tie;
  planar_select(p, own, p->outline[own].edge);
  return true;
}

/* The selected edge of the CSO: its ends, and the share of the second end in the foot of the origin. The share is NaN,
 * or not between 0 and 1, if the foot lies beside the edge. */
typedef struct planar_side {
  graze_vec a[2], b[2]; /* the corners of A and B at the ends */
  double length, share;
} planar_side;

/* `offset`: p_a - p_b, perhaps at another time. */
static inline planar_side planar_side_of(const planar *p, graze_vec offset) {
  const grz_outline *a = &p->outline[0], *b = &p->outline[1];
  planar_side s = {.a = {outline_at(a, p->end[0][0]), outline_at(a, p->end[0][1])},
                   .b = {outline_at(b, p->end[1][0]), outline_at(b, p->end[1][1])}};
  const graze_vec tangent = vec_make(-p->normal.y, p->normal.x, 0);
  const graze_vec from = vec_add(vec_sub(s.a[0], s.b[0]), offset), to = vec_add(vec_sub(s.a[1], s.b[1]), offset);
  s.length = vec_dot(vec_sub(to, from), tangent), s.share = -vec_dot(from, tangent) / s.length;
  return s;
}

static graze_vec planar_between(const graze_vec end[2], double share) {
  return vec_add(vec_scale(end[0], 1 - share), vec_scale(end[1], share));
}

/* Computes the witness points: the parents of the projection of the origin on the edge of the CSO. Returns false if
 * their difference is not near it. */
static bool planar_witness(planar *p, grz_axis_depth *out) {
  planar_find_ends(p);
  const planar_side side = planar_side_of(p, p->offset);
  const double share = side.length > 0 ? real_min(real_max(side.share, 0), 1) : 0, most = PLANAR_FOOT * p->size;
  out->core_a = planar_between(side.a, share), out->core_b = planar_between(side.b, share);
  const graze_vec off = vec_sub(planar_place(p, out->core_a, out->core_b), vec_scale(out->direction, out->best));
  return vec_dot(off, off) <= most * most;
}

/* Fills everything but the witness points. */
static void planar_fill(const planar *p, grz_axis_depth *out) {
  const grz_outline *own = &p->outline[p->own], *other = &p->outline[!p->own];
  const graze_vec n = outline_normal(own, own->edge);
  const graze_vec between = vec_sub(outline_at(own, own->edge), outline_at(other, p->opposite));
  const double error = GRZ_U * p->size, length = vec_length(n);
  out->direction = vec_scale(p->normal, 1 / length);
  out->best = vec_dot(n, vec_add(between, vec_scale(p->offset, planar_sign(p->own)))) / length;
  out->low = real_max(real_min(p->outline[0].least, p->outline[1].least) - PLANAR_LOW * error, 0);
  out->high = out->best + PLANAR_HIGH * error;
  out->axes = outline_edges(&p->outline[0]) + outline_edges(&p->outline[1]);
}

static inline void planar_set_obstacle(planar *p, const grz_obstacle *c) {
  p->a = c->a, p->b = c->b, p->rotate_a = c->rotate_a, p->rotate_b = c->rotate_b;
  p->offset = c->offset, p->size = c->size;
}

/* Finds the edge for an obstacle. Returns false for other shapes, too, and in motion. */
static bool planar_of_obstacle(planar *p, const grz_obstacle *c) {
  planar_set_obstacle(p, c);
  return c->dim == 2 && !c->curved && !c->swept && planar_edges(p);
}

bool grz_polygon_depth(const grz_obstacle *c, grz_axis_depth *out) {
  planar p; /* large: set by planar_of_obstacle() */
  if (!planar_of_obstacle(&p, c)) return false;
  planar_fill(&p, out);
  return planar_witness(&p, out);
}

/* Appends the outward unit normals of the edges, times `sign`. */
static int planar_normals(const grz_outline *o, double sign, graze_vec *axis) {
  int count = 0;
  for (int i = 0; i < o->count; i++)
    if (outline_is_edge(o, i)) axis[count++] = vec_scale(vec_unit(outline_normal(o, i)), sign);
  return count;
}

int grz_polygon_axes(const grz_obstacle *c, graze_vec axis[2 * GRZ_OUTLINE_VERTICES]) {
  planar p; /* large: set by planar_of_obstacle() */
  if (!planar_of_obstacle(&p, c)) return 0;
  const int count = planar_normals(&p.outline[0], 1, axis);
  return count + planar_normals(&p.outline[1], -1, axis + count);
}

/* Fills the answer about cores that certainly overlap: along every axis, so the axes prove the depth. Returns false,
 * with a blank answer, if the interval is too wide. */
static bool planar_answer(const planar *p, const graze_options *options, const grz_axis_depth *axes,
                          grz_result *result) {
  const grz_depth depth = {.low = axes->low,
                           .high = axes->high,
                           .best = axes->best,
                           .direction = axes->direction,
                           .core_a = axes->core_a,
                           .core_b = axes->core_b};
  result->answer.relation = GRAZE_OVERLAPPING;
  result->proof.kind = GRAZE_CERTIFICATE_AXES;
  result->proof.depth_proof = GRAZE_DEPTH_BY_AXES;
  result->answer.algorithm = GRAZE_ALGORITHM_SAT;
  result->answer.iterations = 1 + axes->axes;
  grz_certify_depth_of(p->a, p->b, p->size, options->clearance, &depth, result);
  if (grz_query_is_narrow_for(options, false, placed_scale(p->a, p->b), result)) return true;
  grz_query_blank(result, p->a, p->b);
  return false;
}

/* ---- Distance */

/* The boundary walk. A walk that fails leaves only its first direction in a trace. */
static inline bool planar_walk(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               graze_vec start, const grz_obstacle *traced, grz_result *result) {
  const bool walked = grz_boundary_walk(a, b, options, start, NULL, result);
  if (traced && walked) (void)grz_boundary_walk(a, b, options, start, traced, result);
  if (traced && !walked) grz_trace_direction(traced, GRAZE_PHASE_DIRECTION, start);
  return walked;
}

/* The depth by the axes, or a walk from the edge normal with the largest gap. Not inlined, because of its large
 * stack frame. */
__attribute__((noinline)) static bool planar_distance(const graze_placed *a, const graze_placed *b,
                                                      const graze_options *options, const grz_obstacle *traced,
                                                      grz_result *result) {
  planar p; /* large: set by planar_edges() */
  p.a = a, p.b = b, p.rotate_a = a->hidden.rotation, p.rotate_b = b->hidden.rotation;
  p.offset = placed_offset(a, b), p.size = planar_size(a, b, p.offset);
  if (!grz_has_axes(&a->shape) || !grz_has_axes(&b->shape) || !planar_edges(&p)) return false;
  grz_axis_depth axes;
  planar_fill(&p, &axes);
  if (axes.low > 0 && planar_witness(&p, &axes) && planar_answer(&p, options, &axes, result)) return true;
  result->answer.iterations = 1;
  if (!(axes.high < 0) || options->max_iterations == 2) return false;
  const bool walked = planar_walk(a, b, options, axes.direction, traced, result);
  result->answer.iterations = walked ? 1 + result->answer.iterations : 2;
  return walked;
}

bool grz_polygon_distance(const graze_placed *a, const graze_placed *b, const graze_options *options,
                          const grz_obstacle *traced, grz_result *result) {
  const graze_vec offset = placed_offset(a, b);
  if (planar_walk(a, b, options, grz_query_towards(offset), traced, result)) return true;
  const double least = (a->hidden.bounding_radius + b->hidden.bounding_radius) + vec_norm_inf(offset);
  if (grz_are_boxes(&a->shape, &b->shape) || options->surface != NULL || !(least >= PLANAR_SMALLEST)) return false;
  result->answer.iterations = 1;
  return planar_distance(a, b, options, traced, result);
}

/* ---- The path of a cast */

bool grz_polygon_clip_applies(const graze_placed *a, const graze_placed *b) {
  return a->shape.dim == 2 && grz_has_axes(&a->shape) && grz_has_axes(&b->shape) &&
         grz_core_count(&a->shape) + grz_core_count(&b->shape) <= PLANAR_MOST_CORNERS;
}

/* The index of corner k in the core. */
static int32_t planar_vertex(const graze_placed *placed, const grz_outline *o, int k) {
  const int at = o->first + o->step * k;
  return placed->shape.kind == GRAZE_BOX ? at ^ at >> 1 : at;
}

/* The outward unit normal of an edge of the CSO. */
static graze_vec planar_outward(const planar *p, int own, int edge) {
  return vec_scale(vec_unit(outline_normal(&p->outline[own], edge)), planar_sign(own));
}

bool grz_polygon_clip(const grz_obstacle *c, double end, grz_facet_path *path) {
  planar p; /* large: set by planar_order(), `clip` and planar_select() */
  grz_outline_path at;
  planar_set_obstacle(&p, c);
  if (!planar_order(&p) || !grz_outline_select()->clip(&p.outline[0], &p.outline[1], p.offset, path->speed, &at))
    return false;
  path->enter = at.enter, path->leave = at.leave;
  path->gap = __builtin_nan(""), path->corners = 0;
  path->planes = outline_edges(&p.outline[0]) + outline_edges(&p.outline[1]);
  path->in = at.in >= 0 ? planar_outward(&p, at.in_own, at.in) : vec_make(0, 0, 0);
  path->out = vec_make(0, 0, 0);
  if (at.enter > at.leave || at.leave < 0 || !(at.enter < end)) {
    if (at.out >= 0) path->out = planar_outward(&p, at.out_own, at.out);
    return true;
  }
  if (at.in < 0) return false;
  if (!(at.enter > 0)) return true;
  planar_select(&p, at.in_own, at.in);
  planar_find_ends(&p);
  const grz_outline *own = &p.outline[p.own];
  const int top = outline_farthest(own, outline_normal(own, own->edge));
  const graze_vec between = vec_sub(outline_at(own, top), outline_at(&p.outline[!p.own], p.opposite));
  path->gap = -vec_dot(path->in, vec_add(vec_scale(between, planar_sign(p.own)), p.offset));
  const planar_side side = planar_side_of(&p, vec_add(p.offset, vec_scale(path->speed, at.enter)));
  if (!(side.share > 0 && side.share < 1)) return true;
  path->corners = 2;
  path->weight[0] = 1 - side.share, path->weight[1] = side.share;
  for (int i = 0; i < 2; i++) {
    path->a[i] = planar_vertex(p.a, &p.outline[0], p.end[0][i]);
    path->b[i] = planar_vertex(p.b, &p.outline[1], p.end[1][i]);
  }
  return true;
}

/* ---- Relation */

grz_axis_relation grz_polygon_relation(const graze_placed *a, const graze_placed *b, double clearance) {
  const graze_vec offset = placed_offset(a, b);
  const double size = planar_size(a, b, offset);
  const double radius = ((a->hidden.radius + b->hidden.radius) + clearance) * (1 + 8 * GRZ_U);
  const double error = GRZ_U * size;
  grz_axis_relation out = {.relation = GRAZE_UNDECIDED};
  grz_outline outline_a, outline_b; /* large: set by outline_order() and `decide` */
  grz_outline_decision d = {.outside = radius + PLANAR_HIGH * error, .inside = PLANAR_LOW * error};
  if (!(size > PLANAR_SMALLEST && size < PLANAR_LARGEST)) return out;
  if (grz_core_count(&a->shape) + grz_core_count(&b->shape) > PLANAR_MOST_CORNERS) return out;
  if (!outline_order(&outline_a, a, a->hidden.rotation) || !outline_order(&outline_b, b, b->hidden.rotation))
    return out;
  if (!grz_outline_select()->decide(&outline_a, &outline_b, offset, &d)) return out;
  out.axes = outline_edges(&outline_a) + outline_edges(&outline_b);
  if (d.separating >= 0) {
    out.relation = GRAZE_SEPARATED;
    out.direction = vec_unit(outline_normal(d.of_a ? &outline_a : &outline_b, d.separating));
    if (!d.of_a) out.direction = vec_neg(out.direction);
  } else if (d.edges && !d.low_edges && grz_has_axes(&a->shape) && grz_has_axes(&b->shape)) {
    out.relation = GRAZE_OVERLAPPING;
  }
  return out;
}
