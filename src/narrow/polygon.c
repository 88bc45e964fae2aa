/* Two convex polygons in 2D by the separating-axis test: the height of every edge of the CSO, from all edges × corners
 * (outline_kernel.h).
 *
 * The CSO has an edge parallel to each edge of A and of -B, and no others. The shortest translation that moves the
 * origin out of the CSO is perpendicular to the nearest edge line. Theory: docs/theory/axes.md, "Outlines". */
#include "narrow/axes.h"

#include "exact/exact.h"
#include "narrow/search.h"
#include "shape/placed.h"
#include "shape/shape.h"
#include "simd/isa.h"

/* ---- Outlines */

/* Returns 1 if the vertices are counter-clockwise, -1 if clockwise, 0 if collinear. */
static int outline_winding(const graze_vec *v, size_t count) {
  int turn = 0;
  for (size_t i = 2; i < count && turn == 0; i++) turn = grz_orient2(v[0], v[i - 1], v[i]);
  return turn;
}

/* Finds the corners of a 2D core. Returns false if it has too many, or if they are not in convex order. */
static bool outline_order(grz_outline *o, const graze_placed *placed, const double *rotation) {
  const graze_shape *shape = &placed->shape;
  const size_t count = grz_core_count(shape);
  if (count == 0 || count > GRZ_OUTLINE_VERTICES || shape->kind == GRAZE_HULL) return false;
  o->count = (int)count, o->first = 0, o->step = 1, o->rotation = rotation, o->is_box = shape->kind == GRAZE_BOX;
  o->corner = shape->kind == GRAZE_POLYGON ? shape->as.polygon.vertices : o->storage;
  for (int i = 0; o->corner == o->storage && i < o->count; i++)
    o->storage[i] = grz_core_vertex(shape, (size_t)(o->is_box ? i ^ i >> 1 : i));
  if (o->count < 3 || o->is_box) return true;
  const int winding = outline_winding(o->corner, count);
  if (winding < 0) o->first = o->count - 1, o->step = -1;
  return winding != 0;
}

/* The index of corner k as a core vertex. */
static int32_t outline_vertex(const grz_outline *o, int k) { return o->is_box ? k ^ k >> 1 : o->first + o->step * k; }
static int outline_after(const grz_outline *o, int k) { return k + 1 < o->count ? k + 1 : 0; }
static int outline_before(const grz_outline *o, int k) { return (k > 0 ? k : o->count) - 1; }

/* Corner k in the local frame. */
static graze_vec outline_local(const grz_outline *o, int k) { return o->corner[o->first + o->step * k]; }

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

/* ---- Depth and overlap */

/* In u·size: the rounding of distances. */
#define PLANAR_LOW 128
#define PLANAR_HIGH 160

/* In u·size: corners whose distances differ by less are equally far. */
#define PLANAR_TIE 256

/* Relative to the size: the tolerance of the witness points. */
#define PLANAR_FOOT 0x1p-44

typedef struct planar {
  const grz_obstacle *c;
  grz_outline a, b;     /* large: set by planar_edges() */
  bool of_a;            /* the edge of least height is one of A, otherwise of -B */
  graze_vec normal;     /* of that edge: outward, as long as the edge */
  double length;        /* of that edge */
  double height;        /* of the CSO along the normal */
  grz_cso_point end[2]; /* ends of that edge of the CSO, counter-clockwise */
} planar;

static graze_vec planar_place(const planar *p, int i, int j) {
  return vec_add(vec_sub(outline_at(&p->a, i), outline_at(&p->b, j)), p->c->offset);
}

static void planar_set_end(planar *p, int end, int i, int j) {
  grz_cso_point *point = &p->end[end];
  point->w = planar_place(p, i, j), point->end = 0;
  point->a = (grz_core_point){outline_local(&p->a, i), outline_vertex(&p->a, i)};
  point->b = (grz_core_point){outline_local(&p->b, j), outline_vertex(&p->b, j)};
}

/* A chain of an outline from one corner to another, counter-clockwise. */
typedef struct planar_side {
  int first, last;
} planar_side;

/* True if the edge after corner k is perpendicular to n, with the outline behind it, or has no length. */
static bool planar_is_level(const planar *p, const grz_outline *o, int k, graze_vec n) {
  const graze_vec edge = vec_sub(outline_at(o, outline_after(o, k)), outline_at(o, k));
  const double rise = edge.x * n.x + edge.y * n.y, turn = edge.y * n.x - edge.x * n.y;
  if (!outline_is_edge(o, k)) return true;
  return turn > 0 && real_abs(rise) <= PLANAR_TIE * GRZ_U * p->c->size * vec_norm1(n);
}

/* The chain of farthest corners along n: extends `corner` by perpendicular edges. */
static planar_side planar_farthest_side(const planar *p, const grz_outline *outline, int corner, graze_vec n) {
  planar_side side = {corner, corner};
  int most = outline->count - 1;
  for (; most > 0 && planar_is_level(p, outline, side.last, n); most--) side.last = outline_after(outline, side.last);
  for (; most > 0 && planar_is_level(p, outline, outline_before(outline, side.first), n); most--)
    side.first = outline_before(outline, side.first);
  return side;
}

/* Finds the ends of the nearest edge of the CSO. The heights do not contain the farthest corner, so it is searched
 * again. */
static void planar_find_ends(planar *p) {
  const graze_vec n = p->normal, back = vec_neg(n);
  const int corner_a = p->of_a ? p->a.edge : outline_farthest(&p->a, n);
  const int corner_b = p->of_a ? outline_farthest(&p->b, back) : p->b.edge;
  const planar_side a = planar_farthest_side(p, &p->a, corner_a, n), b = planar_farthest_side(p, &p->b, corner_b, back);
  p->length = vec_length(n);
  p->height = vec_dot(n, planar_place(p, corner_a, corner_b)) / p->length;
  planar_set_end(p, 0, a.first, b.first);
  planar_set_end(p, 1, a.last, b.last);
}

static double outline_height(const grz_outline *o, int k) { return outline_root(o->height[k]); }

/* Finds the edge of the CSO with the least height. An edge of B must be lower by `tie` than those of A, so that
 * rounding does not choose between ties. Returns false if no edge exists, or if lengths underflow. */
static bool planar_edges(planar *p) {
  const grz_obstacle *c = p->c;
  const double tie = GRZ_AXIS_TIE * GRZ_U * c->size;
  if (!outline_order(&p->a, c->a, c->rotate_a) || !outline_order(&p->b, c->b, c->rotate_b)) return false;
  if (!grz_outline_select()->heights(&p->a, &p->b, c->offset, tie)) return false;
  if (!(real_min(p->a.least, p->b.least) < __builtin_inf())) return false;
  p->of_a = !(outline_height(&p->b, p->b.edge) < outline_height(&p->a, p->a.edge) - tie);
  p->normal = p->of_a ? outline_normal(&p->a, p->a.edge) : vec_neg(outline_normal(&p->b, p->b.edge));
  planar_find_ends(p);
  return true;
}

/* The projection of the origin on the edge of the CSO, as a parameter from 0 to 1. */
static double planar_share(const planar *p, graze_vec unit) {
  const graze_vec from = p->end[0].w, edge = vec_sub(p->end[1].w, from), tangent = vec_make(-unit.y, unit.x, 0);
  const double length = vec_dot(edge, tangent), share = -vec_dot(from, tangent) / length;
  return length > 0 ? real_min(real_max(share, 0), 1) : 0;
}

static graze_vec planar_between(graze_vec p, graze_vec q, double share) {
  return vec_add(vec_scale(p, 1 - share), vec_scale(q, share));
}

/* Computes the witness points. Returns false if their difference is not near the projection of the origin. */
static bool planar_witness(const planar *p, grz_axis_depth *out) {
  const grz_cso_point *from = &p->end[0], *to = &p->end[1];
  const double share = planar_share(p, out->direction);
  const graze_vec foot = planar_between(from->w, to->w, share);
  out->core_a = vec_rotate(p->c->rotate_a, planar_between(from->a.local, to->a.local, share), 2);
  out->core_b = vec_rotate(p->c->rotate_b, planar_between(from->b.local, to->b.local, share), 2);
  return vec_length(vec_sub(foot, vec_scale(out->direction, out->best))) <= PLANAR_FOOT * p->c->size;
}

static bool planar_applies(const grz_obstacle *c) { return c->dim == 2 && !c->curved && !c->swept; }

static bool planar_fill(const planar *p, grz_axis_depth *out) {
  const double error = GRZ_U * p->c->size;
  out->direction = vec_scale(p->normal, 1 / p->length);
  out->best = p->height;
  out->low = real_max(real_min(p->a.least, p->b.least) - PLANAR_LOW * error, 0);
  out->high = out->best + PLANAR_HIGH * error;
  out->axes = outline_edges(&p->a) + outline_edges(&p->b);
  return planar_witness(p, out);
}

bool grz_polygon_depth(const grz_obstacle *c, grz_axis_depth *out) {
  planar p; /* large: set by planar_edges() */
  p.c = c;
  return planar_applies(c) && planar_edges(&p) && planar_fill(&p, out);
}

/* Appends the outward unit normals of the edges, times `sign`. */
static int planar_normals(const grz_outline *o, double sign, graze_vec *axis) {
  int count = 0;
  for (int i = 0; i < o->count; i++)
    if (outline_is_edge(o, i)) axis[count++] = vec_scale(vec_unit(outline_normal(o, i)), sign);
  return count;
}

int grz_polygon_axes(const grz_obstacle *c, graze_vec axis[2 * GRZ_OUTLINE_VERTICES]) {
  planar p; /* large: set by planar_edges() */
  p.c = c;
  if (!planar_applies(c) || !planar_edges(&p)) return 0;
  const int count = planar_normals(&p.a, 1, axis);
  return count + planar_normals(&p.b, -1, axis + count);
}

bool grz_polygon_overlap(const grz_obstacle *c, grz_axis_depth *out) {
  return grz_has_axes(&c->a->shape) && grz_has_axes(&c->b->shape) && grz_polygon_depth(c, out) && out->low > 0;
}

/* ---- Relation */

/* Beyond these sizes, squares lose significant digits or leave the range of doubles. */
#define PLANAR_SMALLEST 0x1p-140
#define PLANAR_LARGEST 0x1p400

/* GJK is faster for larger polygons. */
enum { PLANAR_MOST_CORNERS = 32 };

grz_axis_relation grz_polygon_relation(const graze_placed *a, const graze_placed *b, double clearance) {
  const graze_vec offset = placed_offset(a, b);
  const double size = ((a->hidden.bounding_radius + b->hidden.bounding_radius) + vec_length(offset)) * (1 + 64 * GRZ_U);
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
