/* The depth of two segments, triangles or boxes in 3D, except two boxes (boxes.c): separating axes, and witness points.
 *
 * The axes are the normals of all faces and the products of all edges (Gottschalk, Lin, Manocha 1996). Edges are
 * rotated by themselves, so the errors of axes are relative to their lengths. Theory: docs/theory/axes.md,
 * "Few faces". */
#include "narrow/axes.h"

#include "shape/placed.h"

/* A triangle or a box in world axes, relative to the position of B. A segment is a triangle whose last two vertices are
 * equal: axes of zero length are never the best. */
typedef struct faceted {
  bool is_box;
  const double *rotation; /* of a box */
  graze_vec half;         /* of a box */
  graze_vec at[3];        /* the vertices of a triangle; at[0]: the centre of a box */
  graze_vec edge[3];      /* of a triangle: from vertex i to the next one; of a box: half edges */
  double length[3];       /* of the edges */
  double diameter;        /* at least */
  double span;            /* the edges are at most this times `length`; infinite for a segment, which has no faces */
  int normals;
  graze_vec normal[3];
} faceted;

static void faceted_make(faceted *f, const graze_placed *placed, graze_vec position) {
  const double *rotation = placed->hidden.rotation;
  f->is_box = placed->shape.kind == GRAZE_BOX;
  if (f->is_box) {
    f->rotation = rotation, f->half = placed->shape.as.box.half_extents;
    f->at[0] = position;
    for (int i = 0; i < 3; i++) {
      f->normal[i] = vec_column(rotation, i);
      f->edge[i] = vec_scale(f->normal[i], vec_coordinate(f->half, i));
      f->length[i] = vec_coordinate(f->half, i);
    }
    f->normals = 3;
    f->diameter = 2 * placed->hidden.bounding_radius;
    f->span = 2;
    return;
  }
  graze_vec v[3];
  for (int i = 0; i < 3; i++)
    v[i] = grz_core_vertex(&placed->shape, (size_t)(placed->shape.kind == GRAZE_TRIANGLE || i < 2 ? i : 1));
  f->diameter = 0;
  for (int i = 0; i < 3; i++) {
    f->at[i] = vec_add(vec_rotate(rotation, v[i], 3), position);
    f->edge[i] = vec_rotate(rotation, vec_sub(v[i == 2 ? 0 : i + 1], v[i]), 3);
    f->length[i] = vec_length(f->edge[i]);
    f->diameter = real_max(f->diameter, f->length[i]);
  }
  f->normals = 1;
  f->span = placed->shape.kind == GRAZE_TRIANGLE ? 1 : __builtin_inf();
  f->normal[0] = vec_cross(f->edge[0], f->edge[1]);
}

/* The interval along n. */
static inline void faceted_project(const faceted *f, graze_vec n, double *low, double *high) {
  const double first = vec_dot(n, f->at[0]);
  if (f->is_box) {
    const double extent =
        (real_abs(vec_dot(n, f->edge[0])) + real_abs(vec_dot(n, f->edge[1]))) + real_abs(vec_dot(n, f->edge[2]));
    *low = first - extent, *high = first + extent;
    return;
  }
  const double second = vec_dot(n, f->at[1]), third = vec_dot(n, f->at[2]);
  *low = real_min(real_min(first, second), third), *high = real_max(real_max(first, second), third);
}

/* ---- The axes */

/* In u: the error of the product of two edges, relative to the product of their lengths. */
#define FACETED_PRODUCT 80

/* In u: the sine of the angle of two edges is at most this if their product is below twice its error. */
#define FACETED_SLIVER (3 * FACETED_PRODUCT)

/* Squares of shorter products lose significant digits. */
#define FACETED_LEAST_SQUARE 0x1p-900

/* In u·size: the error of the width along a direction. */
#define FACETED_WIDTH 64

/* Beyond these sizes, squares of overlaps times squares of products leave the range of doubles. */
#define FACETED_SMALLEST 0x1p-100
#define FACETED_LARGEST 0x1p130

/* In u·size: the difference of the witness points must match the direction and depth. */
#define FACETED_FOOT 0x1p9

/* The axis of least overlap: a normal of A (i = -1), of B (j = -1), or the product of the edges i of A and j of B. */
typedef struct faceted_axis {
  graze_vec normal; /* from A to B, not unit */
  double overlap, length;
  int i, j;
} faceted_axis;

typedef struct faceted_search {
  faceted a, b;
  faceted_axis best;
  double low;                  /* no facet of C that is no sliver is nearer to the origin, up to FACETED_WIDTH */
  double slivers;              /* the sum of the widths of slivers: facets of nearly parallel edges */
  double rise_a[3], rise_b[3]; /* two triangles: of A along a product with edge j of B, and of B along one with edge i
                                  of A, from that edge to the other vertex */
  double doubt;                /* of overlaps computed from these; infinite: no triangles */
} faceted_search;

/* In u·(lengths of three edges or differences): the error of a volume. */
#define FACETED_VOLUME 512

/* The height of a triangle along a product of edges is that of its third vertex above its own edge. This is a product
 * of its normal and the edge of the other triangle, which three axes share. */
static inline void faceted_set_rises(faceted_search *s) {
  const faceted *a = &s->a, *b = &s->b;
  const double offset = vec_norm1(vec_sub(a->at[0], b->at[0])), diameters = a->diameter + b->diameter;
  s->doubt = a->is_box || b->is_box ? __builtin_inf()
                                    : FACETED_VOLUME * GRZ_U * (a->diameter * b->diameter) * (offset + 2 * diameters);
  for (int i = 0; i < 3; i++)
    s->rise_a[i] = -vec_dot(a->normal[0], b->edge[i]), s->rise_b[i] = vec_dot(b->normal[0], a->edge[i]);
}

/* Returns whether the overlap along n, the product of edges i and j, certainly exceeds that of the best axis. */
static inline bool faceted_exceeds(const faceted_search *s, graze_vec n, double lengths, int i, int j) {
  const double square = vec_dot(n, n), error = 2 * FACETED_PRODUCT * GRZ_U * lengths;
  const double between = vec_dot(n, vec_sub(s->a.at[i], s->b.at[j])), a = s->rise_a[j], b = s->rise_b[i];
  const double above = between + (real_max(a, 0) - real_min(b, 0)), below = (real_max(b, 0) - real_min(a, 0)) - between;
  const double least = real_min(above, below) - s->doubt;
  return square > error * error && least > 0 && least * least >= s->best.overlap * real_abs(s->best.overlap) * square;
}

/* Tests the axis n, a product of edges of these lengths, or a normal. width: at least the shorter edge. */
static inline void faceted_test_axis(faceted_search *s, graze_vec n, double lengths, double width, int i, int j) {
  const double square = vec_dot(n, n), error = FACETED_PRODUCT * GRZ_U * lengths;
  if (!(square > 4 * error * error && square > FACETED_LEAST_SQUARE)) {
    if (lengths > 0) s->slivers += FACETED_SLIVER * GRZ_U * width;
    return;
  }
  double low_a, high_a, low_b, high_b;
  faceted_project(&s->a, n, &low_a, &high_a);
  faceted_project(&s->b, n, &low_b, &high_b);
  const double above = high_a - low_b, below = high_b - low_a, overlap = real_min(above, below);
  const double low = overlap - 2 * error * (s->a.diameter + s->b.diameter);
  const bool better = overlap * real_abs(overlap) < s->best.overlap * real_abs(s->best.overlap) * square;
  if (!better && !(low * real_abs(low) < s->low * real_abs(s->low) * square)) return;
  const double length = real_sqrt(square);
  s->low = real_min(s->low, low / length);
  if (better) s->best = (faceted_axis){above < below ? n : vec_neg(n), overlap / length, length, i, j};
}

static void faceted_test_axes(faceted_search *s) {
  const faceted *a = &s->a, *b = &s->b;
  const double none = __builtin_inf(), span = real_max(a->span, b->span);
  s->low = s->best.overlap = none, s->slivers = 0;
  faceted_set_rises(s);
  for (int k = 0; k < a->normals; k++)
    faceted_test_axis(s, a->normal[k], a->is_box ? 1 : a->length[0] * a->length[1], none, -1, 0);
  for (int k = 0; k < b->normals; k++)
    faceted_test_axis(s, b->normal[k], b->is_box ? 1 : b->length[0] * b->length[1], none, 0, -1);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const graze_vec n = vec_cross(a->edge[i], b->edge[j]);
      const double lengths = a->length[i] * b->length[j];
      if (s->doubt < none && faceted_exceeds(s, n, lengths, i, j)) continue;
      faceted_test_axis(s, n, lengths, span * real_min(a->length[i], b->length[j]), i, j);
    }
}

/* ---- Witness points */

/* A farthest vertex along d. */
static graze_vec faceted_farthest(const faceted *f, graze_vec d) {
  if (f->is_box) {
    graze_vec corner = f->at[0];
    for (int i = 0; i < 3; i++) corner = vec_add(corner, vec_scale(f->edge[i], vec_dot(d, f->edge[i]) < 0 ? -1 : 1));
    return corner;
  }
  int best = 0;
  for (int i = 1; i < 3; i++)
    if (vec_dot(d, vec_sub(f->at[i], f->at[best])) > 0) best = i;
  return f->at[best];
}

/* The point of a segment nearest to p. */
static graze_vec faceted_on_segment(graze_vec from, graze_vec edge, graze_vec p) {
  const double square = vec_dot(edge, edge), share = vec_dot(vec_sub(p, from), edge);
  return square > 0 ? vec_add(from, vec_scale(edge, real_min(real_max(share / square, 0), 1))) : from;
}

/* The point of the core nearest to p. For triangles: Ericson 2005, 5.1.5. */
static graze_vec faceted_nearest(const faceted *f, graze_vec p) {
  if (f->is_box) {
    const graze_vec local = vec_unrotate(f->rotation, vec_sub(p, f->at[0]), 3);
    const graze_vec in = vec_min(vec_max(local, vec_neg(f->half)), f->half);
    return vec_add(vec_rotate(f->rotation, in, 3), f->at[0]);
  }
  graze_vec best = {0, 0, 0}, inside = {0, 0, 0};
  double least = __builtin_inf(), sum = 0;
  bool outside = false;
  for (int i = 0; i < 3; i++) {
    const double area = vec_dot(vec_cross(f->normal[0], f->edge[i]), vec_sub(p, f->at[i]));
    inside = vec_add(inside, vec_scale(f->at[i == 0 ? 2 : i - 1], area));
    sum += area;
    if (area > 0) continue;
    const graze_vec on = faceted_on_segment(f->at[i], f->edge[i], p), off = vec_sub(p, on);
    outside = true;
    if (vec_dot(off, off) < least) least = vec_dot(off, off), best = on;
  }
  return outside ? best : vec_scale(inside, 1 / sum); /* with weights: in the triangle, also if the normal is inexact */
}

/* The first point of the edge `i` that is farthest along d, and the whole edge. */
static graze_vec faceted_edge(const faceted *f, int i, graze_vec d, graze_vec *edge) {
  *edge = f->is_box ? vec_scale(f->edge[i], 2) : f->edge[i];
  if (!f->is_box) return f->at[i];
  graze_vec from = vec_sub(f->at[0], f->edge[i]);
  for (int k = 0; k < 3; k++)
    if (k != i) from = vec_add(from, vec_scale(f->edge[k], vec_dot(d, f->edge[k]) < 0 ? -1 : 1));
  return from;
}

/* A point of A that is nearly in the facet of C with the best axis, whose foot is foot. */
static graze_vec faceted_start(const faceted_search *s, graze_vec foot) {
  const graze_vec n = s->best.normal;
  graze_vec e, f;
  if (s->best.i < 0) return vec_add(faceted_farthest(&s->b, vec_neg(n)), foot);
  if (s->best.j < 0) return faceted_farthest(&s->a, n);
  const graze_vec on_a = faceted_edge(&s->a, s->best.i, n, &e), on_b = faceted_edge(&s->b, s->best.j, vec_neg(n), &f);
  /* x·e - y·f = foot - (on_a - on_b): multiplied by f × n. */
  const graze_vec across = vec_cross(f, n), rest = vec_sub(foot, vec_sub(on_a, on_b));
  return vec_add(on_a, vec_scale(e, vec_dot(rest, across) / vec_dot(e, across)));
}

/* With tied axes or parallel faces, the first points can lie outside of the faces. Alternating projections move them
 * into both. */
static bool faceted_witness(const faceted_search *s, graze_vec foot, double tie, graze_vec *on_a, graze_vec *on_b) {
  graze_vec from = faceted_start(s, foot);
  for (int pass = 0; pass < 8; pass++) {
    *on_a = faceted_nearest(&s->a, from);
    *on_b = faceted_nearest(&s->b, vec_sub(*on_a, foot));
    from = vec_add(*on_b, foot);
    if (vec_norm_inf(vec_sub(from, *on_a)) <= tie) return true;
  }
  return false;
}

bool grz_depth_by_axes(const grz_obstacle *c, grz_axis_depth *out) {
  const unsigned box = 1u << GRAZE_BOX, few = 1u << GRAZE_SEGMENT | 1u << GRAZE_CAPSULE | 1u << GRAZE_TRIANGLE;
  const unsigned kinds = 1u << c->a->shape.kind | 1u << c->b->shape.kind;
  if (c->dim == 2 || c->swept || c->unit != 1 || !(c->size > FACETED_SMALLEST && c->size < FACETED_LARGEST))
    return false;
  if ((kinds & ~(box | few)) != 0 || kinds == box) return false;
  faceted_search s; /* large: set by the functions below */
  faceted_make(&s.a, c->a, c->offset);
  faceted_make(&s.b, c->b, vec_make(0, 0, 0));
  faceted_test_axes(&s);
  const double error = FACETED_WIDTH * GRZ_U * c->size;
  const double low = (s.low - s.slivers) - error;
  if (!(low > 0 && low < __builtin_inf())) return false; /* infinite: all products lose significant digits */
  const graze_vec unit = vec_scale(s.best.normal, 1 / s.best.length);
  graze_vec on_a, on_b;
  if (!faceted_witness(&s, vec_scale(unit, s.best.overlap), FACETED_FOOT * GRZ_U * c->size, &on_a, &on_b)) return false;
  out->direction = unit;
  out->core_a = vec_sub(on_a, c->offset), out->core_b = on_b;
  out->best = s.best.overlap;
  out->low = low, out->high = s.best.overlap + error;
  out->axes = s.a.normals + s.b.normals + 9;
  return true;
}
