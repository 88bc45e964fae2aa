/* Enumeration of the vertices of the Minkowski difference or sum. */
#include "compare/brute.h"
#include "narrow/stages.h"
#include "shape/shape.h"

typedef struct minkowski {
  const grz_obstacle *c;
  bool sum, holds;
  grz_polytope polytope;
  graze_vec *points;
  graze_pair *pairs;
  size_t capacity, count; /* SIZE_MAX: the workspace is too small */
} minkowski;

static void minkowski_write(minkowski *m, int point, int points) {
  if (point >= points) return; /* an auxiliary point of minkowski_raise() */
  if (m->count < m->capacity) {
    m->pairs[m->count] = m->polytope.pair[point];
    m->points[m->count] = vec_scale(m->polytope.w[point], 1 / m->c->unit);
  }
  m->count++;
}

/* Writes the corners among the first `points` points. 2D: in order around the hull. 3D: by index, with marks in
 * p->stack. */
static void minkowski_collect(minkowski *m, int points) {
  grz_polytope *p = &m->polytope;
  int first = grz_first_face(p);
  if (m->c->dim == 2) {
    int edge = first;
    do {
      minkowski_write(m, p->face[edge].vertex[0], points);
      edge = p->face[edge].neighbor[1];
    } while (edge != first);
    return;
  }
  for (int i = 0; i < p->point_count; i++) p->stack[i] = 0;
  for (int i = first; i < p->face_count; i++) {
    for (int k = 0; k < 3 && !grz_face_is_removed(&p->face[i]); k++) p->stack[p->face[i].vertex[k]] = 1;
  }
  for (int i = 0; i < p->point_count; i++) {
    if (p->stack[i]) minkowski_write(m, i, points);
  }
}

/* Returns whether the affine hull of the first `rank` points of the basis contains the origin. */
static bool minkowski_on_flat(const grz_exact_hull *hull, const int *basis, int rank) {
  grz_arena *arena = hull->x->arena;
  if (rank > hull->x->c->dim) return true;
  grz_bvec on = grz_hull_point(hull, basis[0]), rest = on;
  if (rank >= 2) rest = grz_bvec_sub(arena, grz_hull_point(hull, basis[1]), on);
  if (rank == 2) rest = grz_bvec_cross(arena, rest, on);
  if (rank < 3) return grz_bvec_is_zero(rest);
  return grz_bvec_det(arena, rest, grz_bvec_sub(arena, grz_hull_point(hull, basis[2]), on), on).sign == 0;
}

/* Adds auxiliary points to a flat set until the hull has faces. Extreme points of the set remain extreme. */
static int minkowski_raise(const minkowski *m, grz_exact_hull *hull, int *basis, int rank) {
  grz_polytope *p = hull->polytope;
  for (int k = 0; k < m->c->dim && rank <= m->c->dim; k++) {
    grz_pair pair = grz_polytope_pair(p, 0);
    double distance = 1 + m->c->a->hidden.bounding_radius;
    pair.point_a = vec_add(pair.point_a, vec_make(k == 0 ? distance : 0, k == 1 ? distance : 0, k == 2 ? distance : 0));
    grz_polytope_set_pair(p, p->point_count, &pair);
    graze_vec aside = vec_rotate(m->c->rotate_a, vec_sub(pair.point_a, p->local[0]), m->c->dim);
    p->w[p->point_count++] = vec_add(p->w[0], aside);
    int raised = grz_hull_basis(hull, basis);
    if (raised == rank) p->point_count--;
    rank = raised;
  }
  return rank;
}

static void minkowski_hull(grz_exact *x, void *context) {
  minkowski *m = context;
  grz_polytope *p = &m->polytope;
  grz_exact_hull hull = {x, p};
  int basis[4], points = p->point_count, rank;
  grz_polytope_clear(p);
  m->count = 0;
  rank = grz_hull_basis(&hull, basis);
  m->holds = minkowski_on_flat(&hull, basis, rank);
  if (minkowski_raise(m, &hull, basis, rank) > m->c->dim && grz_hull_build(&hull, basis)) {
    for (int i = 0; i < p->face_count; i++) {
      if (!grz_face_is_removed(&p->face[i]) && grz_hull_height_sign(&hull, i) < 0) m->holds = false;
    }
    minkowski_collect(m, points);
  }
  p->point_count = points;
}

static void minkowski_work(void *context, void *buffer, size_t size) {
  minkowski *m = context;
  grz_polytope_make(&m->polytope, buffer, size);
  m->polytope.point_capacity -= m->c->dim; /* for minkowski_raise() */
  bool fits = m->polytope.point_capacity > 0 && grz_brute_points(m->c, m->sum, &m->polytope);
  if (!fits || !grz_exact_run(m->c, minkowski_hull, m)) m->count = SIZE_MAX;
}

graze_status graze_compare_minkowski(const graze_placed *a, const graze_placed *b, graze_minkowski_of of,
                                     const graze_options *options, graze_vec *points, graze_pair *pairs,
                                     size_t capacity, size_t *count, bool *contains) {
  grz_result unused;
  grz_query query;
  grz_obstacle c;
  graze_placed other = *b;
  if (of != GRAZE_MINKOWSKI_DIFFERENCE && of != GRAZE_MINKOWSKI_SUM) return GRAZE_BAD_OPTION;
  if (of == GRAZE_MINKOWSKI_SUM) {
    other.pose.position = vec_neg(other.pose.position);
    other.hidden.frame.position = vec_neg(other.hidden.frame.position);
    other.hidden.shift = vec_neg(other.hidden.shift);
  }
  const graze_status status = grz_compare_start(&query, &c, a, &other, options, &unused);
  if (status != GRAZE_OK) return status;
  if (a->hidden.radius > 0 || b->hidden.radius > 0) return GRAZE_UNSUPPORTED;
  minkowski m = {.c = &c, .sum = of == GRAZE_MINKOWSKI_SUM, .points = points, .pairs = pairs, .capacity = capacity};
  grz_with_workspace(query.options, minkowski_work, &m);
  if (m.count == SIZE_MAX) return GRAZE_NO_SPACE;
  *count = m.count;
  *contains = m.holds;
  return m.count > capacity ? GRAZE_NO_SPACE : GRAZE_OK;
}
