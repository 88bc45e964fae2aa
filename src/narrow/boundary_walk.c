/* At a corner of C, sides begin that are edges of A or of -B, onward or backward: of those that come nearer to the
 * origin, the one that goes straightest at it is a side of C, since the origin lies outside. The walk is a proposal: a
 * look at all corners along the normal of its end says how good it is. docs/theory/axes.md, "Boundary walk". */
#include "narrow/boundary_walk.h"

/* A side of C that begins at the corner reached. */
typedef struct border_side {
  double along, square; /* (way to the origin)·side, and |side|^2 */
  int32_t a, b;         /* the corners of A and B at its end */
} border_side;

/* Longer ways are left to GJK, which sees all corners at once. */
enum { BORDER_SIDES = 32 };

/* Polygons, the common case, without asking for the kind. */
static inline graze_vec border_corner(const graze_shape *shape, int32_t at) {
  return grz_is_point_set(shape) ? shape->as.hull.vertices[at] : grz_core_vertex(shape, (size_t)at);
}

/* The corners after and before one; itself where there is none. */
static inline void border_beside(const graze_shape *shape, int32_t at, int32_t beside[2]) {
  const int32_t last = (int32_t)grz_core_count(shape) - 1;
  const bool box = shape->kind == GRAZE_BOX;
  beside[0] = box ? at ^ 1 : at < last ? at + 1 : 0;
  beside[1] = box ? at ^ 2 : at > 0 ? at - 1 : last;
}

/* Keeps what goes straighter at the origin. */
static inline void border_try(border_side *best, double along, double square, int32_t a, int32_t b) {
  if (!(along > 0 && along * along * best->square > best->along * best->along * square)) return;
  *best = (border_side){along, square, a, b};
}

static inline border_side border_look(const grz_obstacle *c, const grz_cso_point *at) {
  const graze_vec out_a = vec_unrotate(c->rotate_a, at->w, 2), out_b = vec_unrotate(c->rotate_b, at->w, 2);
  int32_t a[2], b[2];
  border_side best = {0, 1, -1, -1};
  border_beside(&c->a->shape, at->a.index, a);
  border_beside(&c->b->shape, at->b.index, b);
  for (int k = 0; k < 2; k++) {
    const graze_vec of_a = vec_sub(border_corner(&c->a->shape, a[k]), at->a.local);
    const graze_vec of_b = vec_sub(border_corner(&c->b->shape, b[k]), at->b.local);
    border_try(&best, -(of_a.x * out_a.x + of_a.y * out_a.y), of_a.x * of_a.x + of_a.y * of_a.y, a[k], at->b.index);
    border_try(&best, of_b.x * out_b.x + of_b.y * out_b.y, of_b.x * of_b.x + of_b.y * of_b.y, at->a.index, b[k]);
  }
  return best;
}

static grz_cso_point border_point(const grz_obstacle *c, int32_t a, int32_t b) {
  const grz_core_point of_a = {border_corner(&c->a->shape, a), a};
  const grz_core_point of_b = {border_corner(&c->b->shape, b), b};
  return grz_obstacle_point(c, of_a, of_b, 2);
}

static bool border_is_ordered(const graze_placed *placed) { return placed->shape.kind != GRAZE_HULL; }

bool grz_boundary_walk_applies(const grz_obstacle *c) {
  return c->dim == 2 && c->unit == 1 && !c->curved && !c->swept && border_is_ordered(c->a) && border_is_ordered(c->b);
}

bool grz_boundary_walk(const grz_obstacle *c, const grz_goal *goal, grz_gjk *gjk) {
  grz_simplex *s = &gjk->simplex;
  const grz_cso_point first = s->point[0];
  const double lower = gjk->lower;
  const graze_vec lower_direction = gjk->lower_direction;
  for (int most = BORDER_SIDES; most > 0 && s->count == 1; most--) {
    const border_side side = border_look(c, &s->point[0]);
    if (!(side.along > 0)) break;
    const bool beyond = side.along >= side.square;
    s->point[beyond ? 0 : 1] = border_point(c, side.a, side.b);
    s->count = beyond ? 1 : 2;
  }
  (void)grz_simplex_reduce(s, 2);
  if (grz_gjk_test_nearest2(gjk, c, goal)) return true;
  s->point[0] = first, s->count = 1;
  (void)grz_simplex_reduce(s, 2);
  gjk->lower = lower, gjk->lower_direction = lower_direction;
  gjk->iterations--;
  return false;
}
