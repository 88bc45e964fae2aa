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

/* Two columns, and how to go around. */
typedef struct outline_walk {
  grz_two first, second;
  const graze_vec *at; /* the vertex before */
  int32_t vertex;      /* its number */
} outline_walk;

static inline grz_two outline_turned(const outline_walk *walk, double x, double y) {
  return walk->first * (grz_two){x, x} + walk->second * (grz_two){y, y};
}

/* The corner that was reached, and its edge to the next; none where both are one. */
static inline void outline_corner(grz_outline *outline, outline_walk *walk, const graze_vec *next, int32_t vertex) {
  const int k = outline->count;
  const double x = next->x - walk->at->x, y = next->y - walk->at->y;
  outline->vertex[k] = walk->vertex;
  outline->at[k] = outline_turned(walk, walk->at->x, walk->at->y);
  outline->normal[k] = outline_turned(walk, y, -x);
  outline->count += (x != 0) | (y != 0);
  walk->at = next, walk->vertex = vertex;
}

/* The first corners once more. */
static inline void outline_close(grz_outline *outline) {
  grz_outline *o = outline;
  if (o->count == 0) o->count = 1;
  for (int k = 0, n = o->count; k < GRZ_OUTLINE_STEP; k++) {
    o->vertex[n + k] = o->vertex[k], o->at[n + k] = o->at[k], o->normal[n + k] = o->normal[k];
  }
}

bool grz_outline_make(grz_outline *outline, const graze_placed *placed, const double *rotation) {
  outline_corners list;
  outline->count = 0;
  if (!outline_order(&placed->shape, &list)) return false;
  const int32_t last = (int32_t)list.count - 1, begin = list.reverse ? last : 0, step = list.reverse ? -1 : 1;
  outline_walk walk = {{rotation[0], rotation[3]}, {rotation[1], rotation[4]}, &list.at[begin], begin};
  for (int32_t i = 0, k = begin + step; i < last; i++, k += step) outline_corner(outline, &walk, &list.at[k], k);
  outline_corner(outline, &walk, &list.at[begin], begin);
  if (placed->shape.kind == GRAZE_BOX)
    for (int i = 0; i < outline->count; i++) outline->vertex[i] ^= outline->vertex[i] >> 1; /* corners 0, 1, 3, 2 */
  outline_close(outline);
  return true;
}

typedef struct outline_normals {
  grz_two x, y;
} outline_normals;

static inline outline_normals outline_normals_of(const grz_outline *own, int i) {
  const grz_two p = own->normal[i], q = own->normal[i + 1];
  return (outline_normals){{p[0], q[0]}, {p[1], q[1]}};
}

/* Heights times the lengths of the normals. */
static inline grz_two outline_heights(const grz_outline *own, int i, outline_normals n, grz_two other,
                                      graze_vec offset) {
  const grz_two p = own->at[i], q = own->at[i + 1];
  const grz_two x = (grz_two){p[0], q[0]} + (grz_two){offset.x, offset.x};
  const grz_two y = (grz_two){p[1], q[1]} + (grz_two){offset.y, offset.y};
  return (n.x * x + n.y * y) - other;
}

static inline grz_two outline_product(outline_normals n, grz_two at) {
  return n.x * (grz_two){at[0], at[0]} + n.y * (grz_two){at[1], at[1]};
}

/* The least products of four normals with the vertices. */
static inline void outline_project(const grz_outline *other, const outline_normals n[2], grz_two least[2]) {
  grz_two first = outline_product(n[0], other->at[0]), second = outline_product(n[1], other->at[0]);
  for (int k = 1; k < other->count; k++) {
    first = two_min(outline_product(n[0], other->at[k]), first);
    second = two_min(outline_product(n[1], other->at[k]), second);
  }
  least[0] = first, least[1] = second;
}

/* Heights over the edges, each as height·|height|, in the order of the edges; false: some edge is too short to tell. */
static bool outline_squares(const grz_outline *own, const grz_outline *other, graze_vec offset, double *squares) {
  grz_two shortest = {__builtin_inf(), __builtin_inf()};
  for (int i = 0; i < own->count; i += GRZ_OUTLINE_STEP) {
    const outline_normals n[2] = {outline_normals_of(own, i), outline_normals_of(own, i + 2)};
    grz_two far[2];
    outline_project(other, n, far);
    for (int k = 0; k < 2; k++) {
      const grz_two height = outline_heights(own, i + 2 * k, n[k], far[k], offset);
      const grz_two length = n[k].x * n[k].x + n[k].y * n[k].y, square = height * two_abs(height) / length;
      squares[i + 2 * k] = square[0], squares[i + 2 * k + 1] = square[1];
      shortest = two_min(length, shortest);
    }
  }
  return shortest[0] >= OUTLINE_LEAST && shortest[1] >= OUTLINE_LEAST;
}

static double outline_root(double square) { return square < 0 ? -__builtin_sqrt(-square) : __builtin_sqrt(square); }

bool grz_outline_lowest(const grz_outline *own, const grz_outline *other, graze_vec offset, double tie,
                        grz_outline_axis *lowest) {
  double squares[GRZ_OUTLINE_MOST + GRZ_OUTLINE_STEP], least = __builtin_inf();
  if (own->count < 2 || !outline_squares(own, other, offset, squares)) return false;
  for (int i = 0; i < own->count; i++) least = real_min(squares[i], least);
  const double enough = outline_root(least) + tie, most = enough * real_abs(enough);
  int edge = own->count - 1;
  while (edge > 0 && !(squares[edge] <= most)) edge--;
  lowest->edge = edge;
  lowest->normal = vec_make(own->normal[edge][0], own->normal[edge][1], 0);
  lowest->height = outline_root(squares[edge]);
  return true;
}
