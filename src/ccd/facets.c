/* Three vertices of a facet around a point of it. */
#include "ccd/facets.h"

typedef struct path_corner {
  graze_vec at;
  int32_t a, b;
} path_corner;

typedef struct path_corners {
  path_corner corner[GRZ_FACET_VERTICES * GRZ_FACET_VERTICES];
  int count, farthest; /* farthest: the index of the corner farthest from the origin */
} path_corners;

static inline void path_combine(path_corners *c, const grz_facet_path_face *a, const grz_facet_path_face *b,
                                graze_vec offset) {
  double most = -1;
  c->count = c->farthest = 0;
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < b->count; j++) {
      const graze_vec at = vec_add(vec_sub(a->vertex[i].at, b->vertex[j].at), offset);
      const double square = vec_dot(at, at);
      if (square > most) most = square, c->farthest = c->count;
      c->corner[c->count++] = (path_corner){at, a->vertex[i].index, b->vertex[j].index};
    }
}

static inline void path_set(grz_facet_path *path, int at, const path_corner *corner, double weight) {
  path->a[at] = corner->a, path->b[at] = corner->b;
  path->weight[at] = weight;
}

/* Selects the corner that is most nearly opposite the first one, as seen from the origin. */
static void path_pick2(grz_facet_path *path, const path_corners *c) {
  const path_corner *first = &c->corner[c->farthest], *last = NULL;
  double most = 0;
  for (int i = 0; i < c->count; i++) {
    const double behind = -vec_dot(first->at, c->corner[i].at);
    if (behind > most) most = behind, last = &c->corner[i];
  }
  if (last == NULL) return;
  const double share = most / (most + vec_dot(first->at, first->at));
  path_set(path, 0, first, share);
  path_set(path, 1, last, 1 - share);
  path->corners = 2;
}

static inline double path_area(graze_vec n, graze_vec p, graze_vec q) { return vec_dot(n, vec_cross(p, q)); }

/* The line from the first corner through the origin divides the others. Selects, on each side, the corner with the
 * smallest angle to that line. If this triangle does not contain the origin, none does. */
static void path_pick3(grz_facet_path *path, const path_corners *c, graze_vec n) {
  const path_corner *first = &c->corner[c->farthest], *side[2] = {NULL, NULL};
  const graze_vec opposite = vec_neg(first->at);
  double best[2] = {-__builtin_inf(), -__builtin_inf()};
  for (int i = 0; i < c->count; i++) {
    const graze_vec at = c->corner[i].at;
    const double turn = path_area(n, opposite, at), forward = vec_dot(opposite, at),
                 cosine = forward * real_abs(forward) / vec_dot(at, at);
    const int k = turn < 0;
    if (turn != 0 && cosine > best[k]) best[k] = cosine, side[k] = &c->corner[i];
  }
  if (side[0] == NULL || side[1] == NULL) return;
  const double area[3] = {path_area(n, side[1]->at, side[0]->at), path_area(n, side[0]->at, first->at),
                          path_area(n, first->at, side[1]->at)};
  const double whole = (area[0] + area[1]) + area[2];
  if (!(area[0] > 0 && area[1] > 0 && area[2] > 0)) return;
  path_set(path, 0, first, area[0] / whole);
  path_set(path, 1, side[1], area[1] / whole);
  path_set(path, 2, side[0], area[2] / whole);
  path->corners = 3;
}

void grz_facet_path_pick(grz_facet_path *path, const grz_facet_path_face *a, const grz_facet_path_face *b, graze_vec n,
                         graze_vec offset, int dim) {
  path_corners c;
  path_combine(&c, a, b, offset);
  path->corners = 0;
  if (dim == 2)
    path_pick2(path, &c);
  else
    path_pick3(path, &c, n);
}
