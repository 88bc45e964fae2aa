/* Two convex polygons in 2D: the separating-axis test with the edges of the CSO, whose order is found by merging
 * normals.
 *
 * The CSO has an edge parallel to each edge of A and of -B, and no others. The shortest translation that moves the
 * origin out of the CSO is perpendicular to the nearest edge line. Theory: docs/theory/axes.md, "Outlines". */
#include "narrow/axes.h"

#include "exact/predicates.h"
#include "narrow/search.h"
#include "shape/shape.h"

/* ---- Edges of the CSO */

/* A convex polygon, counter-clockwise; the first corner is repeated after the last. */
typedef struct convex_outline {
  int count;                                /* corners without duplicates; a single corner has no edge */
  int32_t vertex[GRZ_OUTLINE_VERTICES + 1]; /* index of the core vertex */
  f64x2 at[GRZ_OUTLINE_VERTICES + 1];       /* x and y in world axes, without the position */
  f64x2 normal[GRZ_OUTLINE_VERTICES + 1];   /* outward, of the edge that begins there; as long as the edge */
} convex_outline;

/* A single corner has no edge. */
static inline int outline_edges(const convex_outline *outline) { return outline->count > 1 ? outline->count : 0; }

/* The farthest corner along d; the first of equals. */
static inline int outline_farthest(const convex_outline *outline, f64x2 d) {
  double most = f64x2_sum(d * outline->at[0]);
  int farthest = 0;
  for (int k = 1; k < outline->count; k++) {
    const double distance = f64x2_sum(d * outline->at[k]);
    farthest = distance > most ? k : farthest;
    most = distance > most ? distance : most;
  }
  return farthest;
}

/* The edge of A or of -B whose line is nearest to the origin. */
typedef struct outline_axis {
  double least;     /* the least distance of an edge line, rounded; < 0: the origin is outside */
  graze_vec normal; /* outward, as long as the edge */
  bool of_a;
  int edge; /* index in A or B */
} outline_axis;

/* Below this length, squares of distances and edges lose significant digits. */
#define OUTLINE_LEAST 0x1p-600

/* A larger tangent cannot result from the rounding of normals. */
#define OUTLINE_CLEAR 0x1p-40

/* Returns 1 if the vertices are counter-clockwise, -1 if clockwise, 0 if collinear. */
static int outline_winding(const graze_vec *v, size_t count) {
  int turn = 0;
  for (size_t i = 2; i < count && turn == 0; i++) turn = grz_orient2(v[0], v[i - 1], v[i]);
  return turn;
}

typedef struct outline_corners {
  const graze_vec *at;
  size_t count;
  bool reverse;         /* clockwise */
  graze_vec storage[4]; /* vertices of cores without an array of vertices */
} outline_corners;

/* Sets the vertices in their order around the core. Returns false if the order is not known. */
static bool outline_order(const graze_shape *shape, outline_corners *corners) {
  const graze_vec e = shape->as.box.half_extents;
  corners->at = shape->kind == GRAZE_POLYGON ? shape->as.polygon.vertices : corners->storage;
  corners->count = grz_core_count(shape);
  corners->reverse = false;
  if (corners->count == 0 || corners->count > GRZ_OUTLINE_VERTICES || shape->kind == GRAZE_HULL) return false;
  if (shape->kind == GRAZE_BOX) {
    corners->storage[0] = vec_make(-e.x, -e.y, 0), corners->storage[1] = vec_make(e.x, -e.y, 0);
    corners->storage[2] = vec_make(e.x, e.y, 0), corners->storage[3] = vec_make(-e.x, e.y, 0);
    return true;
  }
  for (size_t i = 0; corners->at == corners->storage && i < corners->count; i++)
    corners->storage[i] = grz_core_vertex(shape, i);
  if (corners->count < 3) return true;
  const int winding = outline_winding(corners->at, corners->count);
  corners->reverse = winding < 0;
  return winding != 0;
}

/* The columns of a rotation. */
typedef struct outline_rotation {
  f64x2 first, second;
} outline_rotation;

static inline f64x2 outline_rotate(outline_rotation turn, double x, double y) {
  return turn.first * (f64x2){x, x} + turn.second * (f64x2){y, y};
}

/* Appends a corner and its edge to the next; coincident corners are skipped. */
static inline void outline_corner(convex_outline *outline, outline_rotation turn, const graze_vec *at, int32_t vertex,
                                  const graze_vec *next) {
  const int k = outline->count;
  const double x = next->x - at->x, y = next->y - at->y;
  outline->vertex[k] = vertex;
  outline->at[k] = outline_rotate(turn, at->x, at->y);
  outline->normal[k] = outline_rotate(turn, y, -x);
  outline->count += (x != 0) | (y != 0);
}

/* Repeats the first corner. */
static inline void outline_close(convex_outline *outline) {
  convex_outline *o = outline;
  if (o->count == 0) o->count = 1;
  o->vertex[o->count] = o->vertex[0], o->at[o->count] = o->at[0], o->normal[o->count] = o->normal[0];
}

/* Computes the outline of a 2D core, rotated by `rotation`. Returns false if it has too many corners, or if they are
 * not in convex order. */
static bool outline_make(convex_outline *outline, const graze_placed *placed, const double *rotation) {
  outline_corners corners;
  outline->count = 0;
  if (!outline_order(&placed->shape, &corners)) return false;
  const outline_rotation turn = {{rotation[0], rotation[3]}, {rotation[1], rotation[4]}};
  const int32_t last = (int32_t)corners.count - 1, begin = corners.reverse ? last : 0, step = corners.reverse ? -1 : 1;
  const graze_vec *at = corners.at;
  int32_t k = begin;
  for (int32_t i = 0; i < last; i++, k += step) outline_corner(outline, turn, &at[k], k, &at[k + step]);
  outline_corner(outline, turn, &at[k], k, &at[begin]);
  if (placed->shape.kind == GRAZE_BOX)
    for (int i = 0; i < outline->count; i++) outline->vertex[i] ^= outline->vertex[i] >> 1; /* corners 0, 1, 3, 2 */
  outline_close(outline);
  return true;
}

/* For each edge of one outline: the farthest corner of the other, and the distance of the edge line of the CSO as
 * distance·|distance|. One spare entry, because edges are processed in pairs. */
typedef struct outline_heights {
  int32_t across[GRZ_OUTLINE_VERTICES + 1];
  double square[GRZ_OUTLINE_VERTICES + 1];
} outline_heights;

static double outline_dot(f64x2 n, f64x2 m) { return f64x2_sum(n * m); }
static double outline_cross(f64x2 n, f64x2 m) { return n[0] * m[1] - n[1] * m[0]; }

/* Position of the merge on B: the corner whose edge (of -B) is next, and the number of edges left. */
typedef struct outline_cursor {
  const convex_outline *b;
  int corner, left;
} outline_cursor;

/* Assigns corner `across` of A to the current edge of -B, and advances to the next edge. */
static inline void outline_advance(outline_cursor *cursor, int32_t across, outline_heights *over) {
  over->across[cursor->corner] = across;
  cursor->corner = cursor->corner + 1 < cursor->b->count ? cursor->corner + 1 : 0;
  cursor->left--;
}

/* A direction n, and a vector `bound` whose dot product is positive for all directions up to 153 degrees before n. */
typedef struct outline_direction {
  f64x2 n, bound;
} outline_direction;

static outline_direction outline_direction_of(f64x2 n) {
  return (outline_direction){n, {n[1] + 0.5 * n[0], 0.5 * n[1] - n[0]}};
}

static outline_direction outline_quarter(outline_direction direction) {
  return outline_direction_of((f64x2){-direction.n[1], direction.n[0]});
}

/* True if outline_merge() can advance from `from` to m in one step: m is at most 117 degrees ahead. m must be at most
 * half a turn ahead. */
static bool outline_is_step(outline_direction from, f64x2 m) { return outline_cross(from.bound, m) >= 0; }

/* Advances over the edges of -B whose normals precede the direction, with corner `across` of A. The next normal can be
 * up to half a turn ahead of the direction, or up to one step behind it. */
static void outline_merge(outline_cursor *cursor, outline_direction direction, int32_t across, outline_heights *over) {
  while (cursor->left > 0) {
    const f64x2 m = -cursor->b->normal[cursor->corner];
    if (!(outline_cross(m, direction.n) > 0 && outline_dot(m, direction.bound) > 0)) return;
    outline_advance(cursor, across, over);
  }
}

/* True if the counter-clockwise angle from n to m is certainly neither 0 nor half a turn. */
static bool outline_is_turn(f64x2 n, f64x2 m) {
  return outline_cross(n, m) > OUTLINE_CLEAR * real_abs(outline_dot(n, m));
}

/* Returns the corner of -B whose two normals surely enclose n, or -1. */
static int outline_between(const convex_outline *b, f64x2 n) {
  f64x2 last = -b->normal[b->count - 1];
  for (int k = 0; k < b->count; k++) {
    const f64x2 next = -b->normal[k];
    if (outline_is_turn(last, n) && outline_is_turn(n, next)) return k;
    last = next;
  }
  return -1;
}

/* Sets the start of the merge: the corner of -B farthest along n. If no corner is certain, the merge advances from the
 * first normal by quarter turns, because half turns are ambiguous. Entries of `over` written here are overwritten
 * later. */
static void outline_start(outline_cursor *cursor, f64x2 n, outline_heights *over) {
  const int between = outline_between(cursor->b, n);
  if (between >= 0) {
    cursor->corner = between;
    return;
  }
  outline_direction from = outline_direction_of(-cursor->b->normal[0]);
  for (int i = 0; i < 3 && !(outline_cross(from.n, n) >= 0 && outline_is_step(from, n)); i++) {
    from = outline_quarter(from);
    outline_merge(cursor, from, 0, over);
  }
  outline_merge(cursor, outline_direction_of(n), 0, over);
  cursor->left = outline_edges(cursor->b);
}

/* Merges the normals of A and -B (the Minkowski sum of convex polygons), which pairs each edge with the farthest corner
 * of the other outline. If rounding exchanges nearly parallel edges, distances are too small by the rounding error, and
 * never too large. */
static void outline_merge_all(const convex_outline *a, const convex_outline *b, outline_heights *over_a,
                              outline_heights *over_b) {
  outline_cursor cursor = {b, 0, outline_edges(b)};
  const int edges = outline_edges(a);
  if (edges > 0 && cursor.left > 0) outline_start(&cursor, a->normal[0], over_b);
  outline_direction last = outline_direction_of(a->normal[0]);
  for (int i = 0; i < edges; i++) {
    if (!outline_is_step(last, a->normal[i])) outline_merge(&cursor, outline_quarter(last), i, over_b);
    last = outline_direction_of(a->normal[i]);
    outline_merge(&cursor, last, i, over_b);
    over_a->across[i] = cursor.corner;
  }
  while (cursor.left > 0) outline_advance(&cursor, edges, over_b);
  over_a->across[edges] = over_b->across[outline_edges(b)] = 0;
}

/* Distances of the edges of `own`; `offset`: from the origin of `other` to that of `own`. */
static f64x2 outline_distances(const convex_outline *own, const convex_outline *other, f64x2 offset,
                               outline_heights *over) {
  f64x2 shortest = {__builtin_inf(), __builtin_inf()};
  for (int i = 0; i < outline_edges(own); i += 2) {
    const f64x2 n = own->normal[i], m = own->normal[i + 1], nn = n * n, mm = m * m;
    const f64x2 p = n * ((own->at[i] - other->at[over->across[i]]) + offset);
    const f64x2 q = m * ((own->at[i + 1] - other->at[over->across[i + 1]]) + offset);
    const f64x2 height = (f64x2){p[0], q[0]} + (f64x2){p[1], q[1]};
    const f64x2 length = (f64x2){nn[0], mm[0]} + (f64x2){nn[1], mm[1]};
    const f64x2 square = height * f64x2_abs(height) / length;
    over->square[i] = square[0], over->square[i + 1] = square[1];
    shortest = f64x2_min(length, shortest);
  }
  return shortest;
}

static double outline_root(double square) { return square < 0 ? -real_sqrt(-square) : real_sqrt(square); }

typedef struct outline_low {
  int edge; /* the last one within `tie` of the least; -1: none */
  double least, height;
} outline_low;

static outline_low outline_choose(const outline_heights *over, int edges, double tie) {
  double low = __builtin_inf();
  if (edges == 0) return (outline_low){-1, low, low};
  for (int i = 0; i < edges; i++) low = real_min(over->square[i], low);
  const double least = outline_root(low), enough = least + tie, most = enough * real_abs(enough);
  int edge = 0;
  for (int i = 0; i < edges; i++) edge = over->square[i] <= most ? i : edge;
  return (outline_low){edge, least, outline_root(over->square[edge])};
}

/* Finds the edge of the CSO with the least distance. Among the edges of A, and among those of B, the last one within
 * `tie` of the least wins. An edge of B must be nearer by `tie` than those of A. Therefore rounding does not choose
 * between ties. `offset`: p_a - p_b. Returns false if no edge exists, or if lengths underflow. */
static bool outline_lowest(const convex_outline *a, const convex_outline *b, graze_vec offset, double tie,
                           outline_axis *lowest) {
  const int edges_a = outline_edges(a), edges_b = outline_edges(b);
  outline_heights over_a, over_b; /* large: set by outline_merge_all() and outline_distances() */
  if (edges_a + edges_b == 0) return false;
  outline_merge_all(a, b, &over_a, &over_b);
  const f64x2 offset_ab = {offset.x, offset.y}, shortest_a = outline_distances(a, b, offset_ab, &over_a);
  const f64x2 shortest = f64x2_min(outline_distances(b, a, -offset_ab, &over_b), shortest_a);
  if (!(shortest[0] >= OUTLINE_LEAST && shortest[1] >= OUTLINE_LEAST)) return false;
  const outline_low low_a = outline_choose(&over_a, edges_a, tie), low_b = outline_choose(&over_b, edges_b, tie);
  lowest->least = real_min(low_a.least, low_b.least);
  lowest->of_a = !(low_b.height < low_a.height - tie);
  lowest->edge = lowest->of_a ? low_a.edge : low_b.edge;
  const f64x2 n = lowest->of_a ? a->normal[lowest->edge] : -b->normal[lowest->edge];
  lowest->normal = vec_make(n[0], n[1], 0);
  return true;
}

/* ---- Depth and overlap */

/* In u·size: the rounding of distances. */
#define PLANAR_LOW 256
#define PLANAR_HIGH 192

/* In u·size: corners whose distances differ by less are equally far. */
#define PLANAR_TIE 256

/* Relative to the size: the tolerance of the witness points. */
#define PLANAR_FOOT 0x1p-44

typedef struct planar {
  const grz_obstacle *c;
  convex_outline a, b;
  outline_axis lowest;
  double height;        /* of the CSO along the normal */
  grz_cso_point end[2]; /* ends of that edge of the CSO, counter-clockwise */
} planar;

static graze_vec planar_place(const planar *p, int i, int j) {
  const f64x2 w = p->a.at[i] - p->b.at[j];
  return vec_add(vec_make(w[0], w[1], 0), p->c->offset);
}

static grz_cso_point planar_point(const planar *p, int i, int j) {
  const int32_t vertex_a = p->a.vertex[i], vertex_b = p->b.vertex[j];
  return (grz_cso_point){planar_place(p, i, j),
                         {grz_core_vertex(&p->c->a->shape, (size_t)vertex_a), vertex_a},
                         {grz_core_vertex(&p->c->b->shape, (size_t)vertex_b), vertex_b},
                         0};
}

static int planar_farthest(const convex_outline *outline, graze_vec d) {
  return outline_farthest(outline, (f64x2){d.x, d.y});
}

/* A chain of an outline from one corner to another, counter-clockwise. */
typedef struct planar_side {
  int first, last;
} planar_side;

static int planar_after(const convex_outline *outline, int k) { return k + 1 < outline->count ? k + 1 : 0; }
static int planar_before(const convex_outline *outline, int k) { return (k > 0 ? k : outline->count) - 1; }

/* True if the edge after corner k is perpendicular to n, with the outline behind it. */
static bool planar_is_level(const planar *p, const convex_outline *outline, int k, graze_vec n) {
  const f64x2 edge = outline->at[k + 1] - outline->at[k];
  const double rise = edge[0] * n.x + edge[1] * n.y, turn = edge[1] * n.x - edge[0] * n.y;
  return turn > 0 && real_abs(rise) <= PLANAR_TIE * GRZ_U * p->c->size * vec_norm1(n);
}

/* The chain of farthest corners along n: extends `corner` by perpendicular edges. */
static planar_side planar_farthest_side(const planar *p, const convex_outline *outline, int corner, graze_vec n) {
  planar_side side = {corner, corner};
  int most = outline->count - 1;
  for (; most > 0 && planar_is_level(p, outline, side.last, n); most--) side.last = planar_after(outline, side.last);
  for (; most > 0 && planar_is_level(p, outline, planar_before(outline, side.first), n); most--)
    side.first = planar_before(outline, side.first);
  return side;
}

/* Finds the ends of the nearest edge of the CSO. Searches all corners again, because rounding can misplace those of the
 * merge. */
static void planar_find_ends(planar *p) {
  const graze_vec n = p->lowest.normal, back = vec_neg(n);
  const int corner_a = p->lowest.of_a ? p->lowest.edge : planar_farthest(&p->a, n);
  const int corner_b = p->lowest.of_a ? planar_farthest(&p->b, back) : p->lowest.edge;
  const planar_side a = planar_farthest_side(p, &p->a, corner_a, n), b = planar_farthest_side(p, &p->b, corner_b, back);
  p->height = vec_dot(n, planar_place(p, corner_a, corner_b)) / vec_length(n);
  p->end[0] = planar_point(p, a.first, b.first);
  p->end[1] = planar_point(p, a.last, b.last);
}

static bool planar_edges(planar *p) {
  const grz_obstacle *c = p->c;
  if (!outline_make(&p->a, c->a, c->rotate_a) || !outline_make(&p->b, c->b, c->rotate_b)) return false;
  if (!outline_lowest(&p->a, &p->b, c->offset, GRZ_AXIS_TIE * GRZ_U * c->size, &p->lowest)) return false;
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
  out->direction = vec_unit(p->lowest.normal);
  out->best = p->height;
  out->low = real_max(p->lowest.least - PLANAR_LOW * error, 0);
  out->high = out->best + PLANAR_HIGH * error;
  out->axes = outline_edges(&p->a) + outline_edges(&p->b);
  return planar_witness(p, out);
}

bool grz_polygon_depth(const grz_obstacle *c, grz_axis_depth *out) {
  planar p; /* large: set by planar_edges() */
  p.c = c;
  return planar_applies(c) && planar_edges(&p) && planar_fill(&p, out);
}

int grz_polygon_axes(const grz_obstacle *c, graze_vec axis[2 * GRZ_OUTLINE_VERTICES]) {
  planar p; /* large: set by planar_edges() */
  p.c = c;
  if (!planar_applies(c) || !planar_edges(&p)) return 0;
  const int edges_a = outline_edges(&p.a), edges_b = outline_edges(&p.b);
  for (int i = 0; i < edges_a; i++) axis[i] = vec_unit(vec_make(p.a.normal[i][0], p.a.normal[i][1], 0));
  for (int j = 0; j < edges_b; j++) axis[edges_a + j] = vec_unit(vec_make(-p.b.normal[j][0], -p.b.normal[j][1], 0));
  return edges_a + edges_b;
}

bool grz_polygon_overlap(const grz_obstacle *c, grz_axis_depth *out) {
  return grz_has_axes(&c->a->shape) && grz_has_axes(&c->b->shape) && grz_polygon_depth(c, out) && out->low > 0;
}
