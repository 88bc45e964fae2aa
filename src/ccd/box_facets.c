/* In the frame of A, as box.c; the axes are the same, and as exact. */
#include "ccd/box_facets.h"

#include "narrow/boxes.h"

/* At most so much of an edge's direction along the normal of a facet, and the edge is taken to lie in the facet. */
#define BOX_FLUSH 0x1p-46

/* Nearer to the centre of a parallelogram than this share of it, doubles may not tell between what corners it is. */
#define BOX_CENTRAL 0x1p-20

enum { BOX_PLANES = 15 };

/* Axis i of A, axis i - 3 of B, e_i × m_j at 6 + 3i + j; none of them unit. */
typedef struct box_planes {
  double at[BOX_PLANES], rate[BOX_PLANES], half[BOX_PLANES]; /* the centre of B from that of A; how fast they come
                                                                together; half of both boxes */
  double speed[3];
} box_planes;

static inline double box_along(const double x[3], const double y[3]) {
  return (x[0] * y[0] + x[1] * y[1]) + x[2] * y[2];
}

static inline void box_face_planes(const box_pair *p, box_planes *q) {
  for (int i = 0; i < 3; i++) {
    q->at[i] = p->t[i], q->rate[i] = q->speed[i];
    q->half[i] =
        p->a[i] + ((p->b[0] * real_abs(p->m[0][i]) + p->b[1] * real_abs(p->m[1][i])) + p->b[2] * real_abs(p->m[2][i]));
  }
  for (int j = 0; j < 3; j++) {
    const double *m = p->m[j];
    q->at[3 + j] = box_along(p->t, m), q->rate[3 + j] = box_along(q->speed, m);
    q->half[3 + j] = p->b[j] + ((p->a[0] * real_abs(m[0]) + p->a[1] * real_abs(m[1])) + p->a[2] * real_abs(m[2]));
  }
}

/* The radius of B from products of its own edges with the axis: see box_edge_overlaps(). */
static inline void box_edge_planes(const box_pair *p, box_planes *q) {
  const double(*m)[3] = p->m;
  for (int i = 0; i < 3; i++) {
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    const double minor[3] = {real_abs(m[1][k] * m[2][l] - m[1][l] * m[2][k]),
                             real_abs(m[2][k] * m[0][l] - m[2][l] * m[0][k]),
                             real_abs(m[0][k] * m[1][l] - m[0][l] * m[1][k])};
    for (int j = 0; j < 3; j++) {
      const int n = 6 + 3 * i + j, next = (j + 1) % 3, last = (j + 2) % 3;
      const double own = p->a[k] * real_abs(m[j][l]) + p->a[l] * real_abs(m[j][k]);
      q->half[n] = own + (p->b[next] * minor[last] + p->b[last] * minor[next]);
      q->at[n] = p->t[l] * m[j][k] - p->t[k] * m[j][l];
      q->rate[n] = q->speed[l] * m[j][k] - q->speed[k] * m[j][l];
    }
  }
}

/* The first of those numbers that is it; -1: none is. */
GRZ_TEMPLATE int box_find(const double *number, double it, const int count) {
  unsigned found = 0;
  for (int i = 0; i < count; i++) found |= (unsigned)(number[i] == it) << i;
  return found ? __builtin_ctz(found) : -1;
}

/* Looks at more planes. A plane of no axis, and one along which they slide in touch, have no times: NaN, which beats
 * nothing. Which planes they are, nobody can predict: no branch asks. */
GRZ_TEMPLATE void box_times(const box_planes *q, grz_facet_path *path, int *in, int *out, const int first,
                            const int count) {
  double from[9], to[9], latest[3], earliest[3];
  for (int i = 0; i < count; i++) {
    const double rate = q->rate[first + i], slow = 1 / real_abs(rate),
                 at = rate < 0 ? -q->at[first + i] : q->at[first + i];
    from[i] = (at - q->half[first + i]) * slow, to[i] = (at + q->half[first + i]) * slow;
  }
  for (int k = 0; k < 3; k++) latest[k] = path->enter, earliest[k] = path->leave;
  for (int i = 0; i < count; i += 3)
    for (int k = 0; k < 3; k++)
      latest[k] = real_max(from[i + k], latest[k]), earliest[k] = real_min(to[i + k], earliest[k]);
  const double enter = real_max(real_max(latest[0], latest[1]), latest[2]);
  const double leave = real_min(real_min(earliest[0], earliest[1]), earliest[2]);
  const int last = box_find(from, enter, count), foremost = box_find(to, leave, count);
  *in = enter > path->enter ? first + last : *in;
  *out = leave < path->leave ? first + foremost : *out;
  path->enter = enter, path->leave = leave;
}

/* Along that axis, at time 0. */
static inline double box_gap(const box_pair *p, const box_planes *q, int i) {
  const double gap = (q->rate[i] < 0 ? -q->at[i] : q->at[i]) - q->half[i];
  if (i < 6) return gap;
  const int e = (i - 6) / 3, k = (e + 1) % 3, l = (e + 2) % 3;
  const double *m = p->m[i % 3];
  return gap / real_sqrt(m[k] * m[k] + m[l] * m[l]);
}

/* Axis i, unit, in the frame of A, so that they come together along it. */
static inline graze_vec box_normal(const box_pair *p, const box_planes *q, int i) {
  const double sign = q->rate[i] < 0 ? -1 : 1;
  if (i < 3) return vec_make(i == 0 ? sign : 0, i == 1 ? sign : 0, i == 2 ? sign : 0);
  double n[3];
  const double *m = p->m[i % 3];
  if (i < 6) return vec_make(sign * m[0], sign * m[1], sign * m[2]);
  const int e = (i - 6) / 3, k = (e + 1) % 3, l = (e + 2) % 3;
  const double length = sign / real_sqrt(m[k] * m[k] + m[l] * m[l]);
  n[e] = 0, n[k] = -m[l] * length, n[l] = m[k] * length;
  return vec_make(n[0], n[1], n[2]);
}

/* The same in the world: axes of the boxes are there already. */
static inline graze_vec box_world_normal(const graze_placed *a, const graze_placed *b, const box_planes *q, int i,
                                         graze_vec local) {
  if (i >= 6) return vec_rotate(a->hidden.rotation, local, 3);
  return vec_scale(i < 3 ? vec_column(a->hidden.rotation, i) : vec_column(b->hidden.rotation, i - 3), q->rate[i] < 0 ? -1 : 1);
}

/* ---- What of the facet is around the path */

/* The facet across n, seen from where the path passes it. */
typedef struct box_facet {
  graze_vec axis[6], edge[6]; /* of A, then of B: half of an edge */
  double up[6];               /* of the axis, along n */
  unsigned flush;             /* these lie in the facet */
  graze_vec middle;
  int32_t a, b; /* the vertices on the low sides of what is flush with A, and on the high sides of B */
} box_facet;

/* Half edges of both are added in A - B, so that B's vertex is at the other end. */
GRZ_TEMPLATE void box_facet_make(box_facet *f, const box_pair *p, const box_planes *q, graze_vec n, double t,
                                 const int dim) {
  f->flush = 0;
  f->a = f->b = 0;
  f->middle = vec_make(t * q->speed[0] - p->t[0], t * q->speed[1] - p->t[1], t * q->speed[2] - p->t[2]);
  for (int i = 0; i < 3; i++) {
    f->axis[i] = vec_make(i == 0, i == 1, i == 2);
    f->axis[3 + i] = vec_make(p->m[i][0], p->m[i][1], p->m[i][2]);
    f->edge[i] = vec_scale(f->axis[i], p->a[i]), f->edge[3 + i] = vec_scale(f->axis[3 + i], p->b[i]);
  }
  for (int i = 0; i < 6; i++) {
    if (i % 3 >= dim) continue;
    const double up = vec_dot(n, f->axis[i]), is = real_abs(up) <= BOX_FLUSH ? 0 : __builtin_copysign(1, up);
    f->flush |= (unsigned)(is == 0) << i;
    f->middle = vec_add(f->middle, vec_scale(f->edge[i], is));
    f->a |= (i < 3 && is > 0) << (i % 3);
    f->b |= (i >= 3 && is <= 0) << (i % 3);
  }
}

/* Flush edges that are parallel, as one. */
typedef struct box_side {
  graze_vec edge;
  unsigned ends; /* which ends change along it */
} box_side;

/* *low: for which edges the low end of the side is the high one. */
static inline bool box_join(box_side *s, const box_facet *f, int i, unsigned *low) {
  const graze_vec edge = f->edge[i];
  const bool first = s->ends == 0;
  if (!first && vec_norm_inf(vec_cross(s->edge, edge)) > BOX_FLUSH * vec_norm_inf(s->edge) * vec_norm_inf(edge))
    return false;
  const bool back = !first && vec_dot(s->edge, edge) < 0;
  *low |= (unsigned)back << i;
  s->ends |= 1u << i;
  s->edge = first ? edge : vec_add(s->edge, vec_scale(edge, back ? -1 : 1));
  return true;
}

/* False: their directions are more than those of a parallelogram. Edges of no length do not count. */
static inline bool box_sides(const box_facet *f, box_side side[2], unsigned *low) {
  side[0] = side[1] = (box_side){{0, 0, 0}, 0};
  *low = 0;
  for (unsigned rest = f->flush; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    if (vec_norm_inf(f->edge[i]) > 0 && !box_join(&side[0], f, i, low) && !box_join(&side[1], f, i, low)) return false;
  }
  return true;
}

static inline void box_put(const box_facet *f, grz_facet_path *path, unsigned ends, double weight) {
  path->a[path->corners] = f->a ^ (int32_t)(ends & 7), path->b[path->corners] = f->b ^ (int32_t)(ends >> 3);
  path->weight[path->corners++] = weight;
}

/* Of the corners the one on the path's side of both middle lines, and its neighbours. Through the crossing of these
 * lines, no three corners are around the path. */
static inline bool box_parallelogram(const box_facet *f, graze_vec n, const box_side side[2], unsigned low,
                                     grz_facet_path *path) {
  const graze_vec u = side[0].edge, v = side[1].edge;
  const double area = -1 / vec_dot(n, vec_cross(u, v)), x = vec_dot(n, vec_cross(f->middle, v)) * area,
               y = vec_dot(n, vec_cross(u, f->middle)) * area, along = real_abs(x), across = real_abs(y);
  const unsigned near = low ^ (x > 0 ? side[0].ends : 0) ^ (y > 0 ? side[1].ends : 0);
  if (!(along < 1 && across < 1)) return false;
  box_put(f, path, near, (along + across) * 0.5);
  box_put(f, path, near ^ side[0].ends, (1 - along) * 0.5);
  box_put(f, path, near ^ side[1].ends, (1 - across) * 0.5);
  return along + across > BOX_CENTRAL;
}

static inline bool box_segment(const box_facet *f, const box_side *side, unsigned low, grz_facet_path *path) {
  const double x = -vec_dot(f->middle, side->edge) / vec_dot(side->edge, side->edge);
  if (!(real_abs(x) < 1)) return false;
  box_put(f, path, low ^ side->ends, (1 + x) * 0.5);
  box_put(f, path, low, (1 - x) * 0.5);
  return true;
}

/* Both ends of all flush edges of one body; one body's are added, and the other's stand for what A - B takes away. */
static void box_face(const box_facet *f, bool of_a, grz_facet_path_face *face) {
  const double sign = of_a ? 1 : -1;
  face->vertex[0] = (grz_facet_path_vertex){vec_make(0, 0, 0), of_a ? f->a : f->b};
  face->count = 1;
  for (int i = 0; i < 3; i++) {
    const int edge = of_a ? i : 3 + i, before = face->count;
    if (!(f->flush >> edge & 1)) continue;
    for (int v = 0; v < before; v++) {
      const grz_facet_path_vertex low = face->vertex[v];
      const graze_vec half = vec_scale(f->edge[edge], sign);
      face->vertex[v].at = vec_sub(low.at, half);
      face->vertex[face->count++] = (grz_facet_path_vertex){vec_add(low.at, half), low.index ^ 1 << i};
    }
  }
}

/* All that is flush, one by one: faces on faces, turned or in the middle of each other. */
__attribute__((noinline)) static void box_among_many(const box_facet *f, graze_vec n, grz_facet_path *path, int dim) {
  grz_facet_path_face a, b;
  box_face(f, true, &a);
  box_face(f, false, &b);
  grz_facet_path_pick(path, &a, &b, n, f->middle, dim);
}

GRZ_TEMPLATE void box_corners(const box_pair *p, const box_planes *q, graze_vec n, grz_facet_path *path,
                              const int dim) {
  box_facet f;
  box_side side[2];
  unsigned low;
  box_facet_make(&f, p, q, n, path->enter, dim);
  bool found = box_sides(&f, side, &low);
  if (found && dim == 3) found = box_parallelogram(&f, n, side, low, path);
  if (found && dim == 2) found = box_segment(&f, side, low, path);
  if (!found && __builtin_popcount(f.flush) >= dim) box_among_many(&f, n, path, dim);
}

static inline bool box_is_missed(const grz_facet_path *path, double end) {
  return path->enter > path->leave || path->leave < 0 || path->enter > end;
}

GRZ_TEMPLATE void box_path(const graze_placed *a, const graze_placed *b, double unit, double end, grz_facet_path *path,
                           const int dim) {
  box_pair p;
  box_planes q;
  int in = 0, out = 0;
  path->enter = -__builtin_inf(), path->leave = __builtin_inf();
  const graze_vec speed = vec_unrotate(a->hidden.rotation, path->speed, dim);
  q.speed[0] = speed.x, q.speed[1] = speed.y, q.speed[2] = speed.z;
  box_pair_make(a, b, path->offset, unit, &p);
  box_face_planes(&p, &q);
  box_times(&q, path, &in, &out, 0, 6);
  path->planes = 2 * dim, path->corners = 0;
  if (dim == 3 && !box_is_missed(path, end)) {
    box_edge_planes(&p, &q);
    box_times(&q, path, &in, &out, 6, 9);
    path->planes = BOX_PLANES;
  }
  const graze_vec inward = box_normal(&p, &q, in);
  path->in = box_world_normal(a, b, &q, in, inward);
  path->gap = box_gap(&p, &q, in);
  if (box_is_missed(path, end))
    path->out = vec_neg(box_world_normal(a, b, &q, out, box_normal(&p, &q, out)));
  else if (path->enter > 0)
    box_corners(&p, &q, inward, path, dim);
}

void grz_box_facet_path(const graze_placed *a, const graze_placed *b, double unit, double end, grz_facet_path *path) {
  if (a->shape.dim == 2)
    box_path(a, b, unit, end, path, 2);
  else
    box_path(a, b, unit, end, path, 3);
}
