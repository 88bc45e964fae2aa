#include "narrow/polygon_axes.h"

#include "exact/predicates.h"
#include "core/vec.h"
#include "shape/core.h"

/* Below it, squares of heights and of edges may lose digits that count. */
#define OUTLINE_LEAST 0x1p-600

/* Tangents above it are no errors of normals. */
#define OUTLINE_CLEAR 0x1p-40

/* Which way do the vertices go round? 1: counter-clockwise; 0: they lie on one line. */
static int outline_winding(const graze_vec *v, size_t count) {
  int turn = 0;
  for (size_t i = 2; i < count && turn == 0; i++) turn = grz_orient2(v[0], v[i - 1], v[i]);
  return turn;
}

typedef struct outline_corners {
  const graze_vec *at;
  size_t count;
  bool reverse;      /* clockwise */
  graze_vec room[4]; /* of cores that are not given by vertices */
} outline_corners;

/* The core's vertices as they stand around it; false: there is no telling. */
static bool outline_order(const graze_shape *shape, outline_corners *list) {
  const graze_vec e = shape->as.box.half_extents;
  list->at = shape->kind == GRAZE_POLYGON ? shape->as.polygon.vertices : list->room;
  list->count = grz_core_count(shape);
  list->reverse = false;
  if (list->count == 0 || list->count > GRZ_OUTLINE_MOST || shape->kind == GRAZE_HULL) return false;
  if (shape->kind == GRAZE_BOX) {
    list->room[0] = vec_make(-e.x, -e.y, 0), list->room[1] = vec_make(e.x, -e.y, 0);
    list->room[2] = vec_make(e.x, e.y, 0), list->room[3] = vec_make(-e.x, e.y, 0);
    return true;
  }
  for (size_t i = 0; list->at == list->room && i < list->count; i++) list->room[i] = grz_core_vertex(shape, i);
  if (list->count < 3) return true;
  const int winding = outline_winding(list->at, list->count);
  list->reverse = winding < 0;
  return winding != 0;
}

/* The columns of a rotation. */
typedef struct outline_turn {
  f64x2 first, second;
} outline_turn;

static inline f64x2 outline_turned(outline_turn turn, double x, double y) {
  return turn.first * (f64x2){x, x} + turn.second * (f64x2){y, y};
}

/* A corner, and its edge to the next; none where both are one. */
static inline void outline_corner(grz_outline *outline, outline_turn turn, const graze_vec *at, int32_t vertex,
                                  const graze_vec *next) {
  const int k = outline->count;
  const double x = next->x - at->x, y = next->y - at->y;
  outline->vertex[k] = vertex;
  outline->at[k] = outline_turned(turn, at->x, at->y);
  outline->normal[k] = outline_turned(turn, y, -x);
  outline->count += (x != 0) | (y != 0);
}

/* The first corner once more. */
static inline void outline_close(grz_outline *outline) {
  grz_outline *o = outline;
  if (o->count == 0) o->count = 1;
  o->vertex[o->count] = o->vertex[0], o->at[o->count] = o->at[0], o->normal[o->count] = o->normal[0];
}

bool grz_outline_make(grz_outline *outline, const graze_placed *placed, const double *rotation) {
  outline_corners list;
  outline->count = 0;
  if (!outline_order(&placed->shape, &list)) return false;
  const outline_turn turn = {{rotation[0], rotation[3]}, {rotation[1], rotation[4]}};
  const int32_t last = (int32_t)list.count - 1, begin = list.reverse ? last : 0, step = list.reverse ? -1 : 1;
  const graze_vec *at = list.at;
  int32_t k = begin;
  for (int32_t i = 0; i < last; i++, k += step) outline_corner(outline, turn, &at[k], k, &at[k + step]);
  outline_corner(outline, turn, &at[k], k, &at[begin]);
  if (placed->shape.kind == GRAZE_BOX)
    for (int i = 0; i < outline->count; i++) outline->vertex[i] ^= outline->vertex[i] >> 1; /* corners 0, 1, 3, 2 */
  outline_close(outline);
  return true;
}

/* Of each edge of one outline the corner of the other that is farthest out over it, and the height of C there, as
 * height·|height|; one more than there are edges, as two are looked at together. */
typedef struct outline_heights {
  int32_t across[GRZ_OUTLINE_MOST + 1];
  double square[GRZ_OUTLINE_MOST + 1];
} outline_heights;

static double outline_dot(f64x2 n, f64x2 m) { return f64x2_sum(n * m); }
static double outline_cross(f64x2 n, f64x2 m) { return n[0] * m[1] - n[1] * m[0]; }

/* Where on B the way around C stands: the corner whose edge, as one of -B, is next, and how many edges are left. */
typedef struct outline_way {
  const grz_outline *b;
  int corner, left;
} outline_way;

/* `across`: the corner of A. */
static inline void outline_onward(outline_way *way, int32_t across, outline_heights *over) {
  over->across[way->corner] = across;
  way->corner = way->corner + 1 < way->b->count ? way->corner + 1 : 0;
  way->left--;
}

/* A direction, and the normal of the line that parts, by 153 degrees, those behind it from those ahead. */
typedef struct outline_goal {
  f64x2 n, bound;
} outline_goal;

static outline_goal outline_goal_at(f64x2 n) { return (outline_goal){n, {n[1] + 0.5 * n[0], 0.5 * n[1] - n[0]}}; }

static outline_goal outline_quarter(outline_goal goal) { return outline_goal_at((f64x2){-goal.n[1], goal.n[0]}); }

/* May outline_reach() go on to m, up to half a turn ahead, in one step? Up to 117 degrees. */
static bool outline_is_step(outline_goal from, f64x2 m) { return outline_cross(from.bound, m) >= 0; }

/* Over the edges of -B whose normals come before, while the corner of A is `across`. The next may be half a turn ahead,
 * or a step behind. */
static void outline_reach(outline_way *way, outline_goal goal, int32_t across, outline_heights *over) {
  while (way->left > 0) {
    const f64x2 m = -way->b->normal[way->corner];
    if (!(outline_cross(m, goal.n) > 0 && outline_dot(m, goal.bound) > 0)) return;
    outline_onward(way, across, over);
  }
}

/* Are n and m at an angle, counter-clockwise, that rounding cannot take for none or half a turn? */
static bool outline_is_turn(f64x2 n, f64x2 m) {
  return outline_cross(n, m) > OUTLINE_CLEAR * real_abs(outline_dot(n, m));
}

/* The corner of -B between whose normals n surely is; -1: perhaps it is one of them. */
static int outline_between(const grz_outline *b, f64x2 n) {
  f64x2 last = -b->normal[b->count - 1];
  for (int k = 0; k < b->count; k++) {
    const f64x2 next = -b->normal[k];
    if (outline_is_turn(last, n) && outline_is_turn(n, next)) return k;
    last = next;
  }
  return -1;
}

/* To the corner of -B that is farthest along n: from its first normal on by quarters, as whole half turns cannot be
 * told from none, unless a look at all normals finds it sooner. What is written to `over` on the way is written again.
 */
static void outline_start(outline_way *way, f64x2 n, outline_heights *over) {
  const int between = outline_between(way->b, n);
  if (between >= 0) {
    way->corner = between;
    return;
  }
  outline_goal from = outline_goal_at(-way->b->normal[0]);
  for (int i = 0; i < 3 && !(outline_cross(from.n, n) >= 0 && outline_is_step(from, n)); i++) {
    from = outline_quarter(from);
    outline_reach(way, from, 0, over);
  }
  outline_reach(way, outline_goal_at(n), 0, over);
  way->left = grz_outline_edges(way->b);
}

/* Around C, edge by edge, as their normals turn: which corners are across? Where rounding exchanges edges that are
 * nearly parallel, these are not the farthest: heights are then too low by what rounding is worth, and never too high.
 */
static void outline_go_round(const grz_outline *a, const grz_outline *b, outline_heights *over_a,
                             outline_heights *over_b) {
  outline_way way = {b, 0, grz_outline_edges(b)};
  const int edges = grz_outline_edges(a);
  if (edges > 0 && way.left > 0) outline_start(&way, a->normal[0], over_b);
  outline_goal last = outline_goal_at(a->normal[0]);
  for (int i = 0; i < edges; i++) {
    if (!outline_is_step(last, a->normal[i])) outline_reach(&way, outline_quarter(last), i, over_b);
    last = outline_goal_at(a->normal[i]);
    outline_reach(&way, last, i, over_b);
    over_a->across[i] = way.corner;
  }
  while (way.left > 0) outline_onward(&way, edges, over_b);
  over_a->across[edges] = over_b->across[grz_outline_edges(b)] = 0;
}

/* Over the edges of `own`; `offset`: from the other's origin to its own. */
static f64x2 outline_weigh(const grz_outline *own, const grz_outline *other, f64x2 offset, outline_heights *over) {
  f64x2 shortest = {__builtin_inf(), __builtin_inf()};
  for (int i = 0; i < grz_outline_edges(own); i += 2) {
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
  int edge; /* the last within a tie of the least; -1: there is none */
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

bool grz_outline_lowest(const grz_outline *a, const grz_outline *b, graze_vec offset, double tie,
                        grz_outline_axis *lowest) {
  const int edges_a = grz_outline_edges(a), edges_b = grz_outline_edges(b);
  outline_heights over_a, over_b; /* large: set by outline_go_round() and outline_weigh() */
  if (edges_a + edges_b == 0) return false;
  outline_go_round(a, b, &over_a, &over_b);
  const f64x2 apart = {offset.x, offset.y}, shortest_a = outline_weigh(a, b, apart, &over_a);
  const f64x2 shortest = f64x2_min(outline_weigh(b, a, -apart, &over_b), shortest_a);
  if (!(shortest[0] >= OUTLINE_LEAST && shortest[1] >= OUTLINE_LEAST)) return false;
  const outline_low low_a = outline_choose(&over_a, edges_a, tie), low_b = outline_choose(&over_b, edges_b, tie);
  lowest->least = real_min(low_a.least, low_b.least);
  lowest->of_a = !(low_b.height < low_a.height - tie);
  lowest->edge = lowest->of_a ? low_a.edge : low_b.edge;
  const f64x2 n = lowest->of_a ? a->normal[lowest->edge] : -b->normal[lowest->edge];
  lowest->normal = vec_make(n[0], n[1], 0);
  return true;
}
