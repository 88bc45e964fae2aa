#include "axes/outline.h"

#include "math/orient.h"
#include "math/vec.h"
#include "shape/core.h"

/* Below it, squares of heights and of edges may lose digits that count. */
#define OUTLINE_LEAST 0x1p-600

/* Which way do the vertices go round? 1: counter-clockwise; 0: they lie on one line. */
static int outline_winding(const graze_vec *v, size_t count) {
  int turn = 0;
  for (size_t i = 2; i < count && turn == 0; i++) turn = grz_turn(v[0], v[i - 1], v[i]);
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
  const graze_vec e = shape->extents;
  list->at = shape->kind == GRAZE_POLYGON ? shape->vertices : list->room;
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
  grz_two first, second;
} outline_turn;

static inline grz_two outline_turned(outline_turn turn, double x, double y) {
  return turn.first * (grz_two){x, x} + turn.second * (grz_two){y, y};
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

/* Does the direction m come after n, counter-clockwise, and within half a turn? */
static bool outline_is_after(grz_two n, grz_two m) { return n[0] * m[1] > n[1] * m[0]; }

/* Where on B the way around C begins: the corner farthest against n, between the edges whose normals -n lies between.
 * Corners may be as far as each other that are not, about edges hardly longer than rounding: the normals decide. */
static int outline_start(const grz_outline *b, grz_two n) {
  int j = grz_outline_farthest(b, -n);
  for (int most = grz_outline_edges(b); most > 0; most--) {
    const int before = (j > 0 ? j : b->count) - 1;
    if (!outline_is_after(n, -b->normal[before])) break;
    j = before;
  }
  for (int most = grz_outline_edges(b); most > 0 && outline_is_after(-b->normal[j], n); most--)
    j = j + 1 < b->count ? j + 1 : 0;
  return j;
}

/* Around C, edge by edge, as their normals turn: which corners are across? Where rounding puts edges into another
 * order, these are not the farthest: heights are then too low by what rounding is worth, and never too high. */
static void outline_go_round(const grz_outline *a, const grz_outline *b, outline_heights *over_a,
                             outline_heights *over_b) {
  const int edges_a = grz_outline_edges(a);
  int i = 0, j = edges_a ? outline_start(b, a->normal[0]) : 0;
  for (int left_b = grz_outline_edges(b); i < edges_a || left_b > 0;) {
    const grz_two of_a = a->normal[i], of_b = b->normal[j];
    if (i < edges_a && (left_b == 0 || outline_is_after(of_a, -of_b))) {
      over_a->across[i++] = j; /* its normal comes before that of -B */
    } else {
      over_b->across[j] = i;
      j = j + 1 < b->count ? j + 1 : 0;
      left_b--;
    }
  }
  over_a->across[edges_a] = over_b->across[grz_outline_edges(b)] = 0;
}

/* Over the edges of `own`; `offset`: from the other's origin to its own. */
static grz_two outline_weigh(const grz_outline *own, const grz_outline *other, grz_two offset, outline_heights *over) {
  grz_two shortest = {__builtin_inf(), __builtin_inf()};
  for (int i = 0; i < grz_outline_edges(own); i += 2) {
    const grz_two n = own->normal[i], m = own->normal[i + 1], nn = n * n, mm = m * m;
    const grz_two p = n * ((own->at[i] - other->at[over->across[i]]) + offset);
    const grz_two q = m * ((own->at[i + 1] - other->at[over->across[i + 1]]) + offset);
    const grz_two height = (grz_two){p[0], q[0]} + (grz_two){p[1], q[1]};
    const grz_two length = (grz_two){nn[0], mm[0]} + (grz_two){nn[1], mm[1]};
    const grz_two square = height * two_abs(height) / length;
    over->square[i] = square[0], over->square[i + 1] = square[1];
    shortest = two_min(length, shortest);
  }
  return shortest;
}

static double outline_root(double square) { return square < 0 ? -__builtin_sqrt(-square) : __builtin_sqrt(square); }

/* The last edge within `tie` of the least. */
static int outline_choose(const double *squares, int edges, double tie, double *least) {
  double low = __builtin_inf();
  for (int i = 0; i < edges; i++) low = real_min(squares[i], low);
  const double enough = outline_root(low) + tie, most = enough * real_abs(enough);
  int edge = edges - 1;
  while (edge > 0 && !(squares[edge] <= most)) edge--;
  *least = low;
  return edge;
}

bool grz_outline_lowest(const grz_outline *a, const grz_outline *b, graze_vec offset, double tie,
                        grz_outline_axis *lowest) {
  const int edges_a = grz_outline_edges(a), edges_b = grz_outline_edges(b);
  outline_heights over_a, over_b; /* large: set by outline_go_round() and outline_weigh() */
  double low_a, low_b;
  if (edges_a + edges_b == 0) return false;
  outline_go_round(a, b, &over_a, &over_b);
  const grz_two apart = {offset.x, offset.y}, shortest_a = outline_weigh(a, b, apart, &over_a);
  const grz_two shortest = two_min(outline_weigh(b, a, -apart, &over_b), shortest_a);
  if (!(shortest[0] >= OUTLINE_LEAST && shortest[1] >= OUTLINE_LEAST)) return false;
  const int edge_a = outline_choose(over_a.square, edges_a, tie, &low_a);
  const int edge_b = outline_choose(over_b.square, edges_b, tie, &low_b);
  const bool none_b = edges_b == 0 || edges_a == 0;
  lowest->least = outline_root(real_min(low_a, low_b));
  lowest->of_a =
      none_b ? edges_a > 0 : !(outline_root(over_b.square[edge_b]) < outline_root(over_a.square[edge_a]) - tie);
  lowest->edge = lowest->of_a ? edge_a : edge_b;
  const grz_two n = lowest->of_a ? a->normal[edge_a] : -b->normal[edge_b];
  lowest->normal = vec_make(n[0], n[1], 0);
  return true;
}
