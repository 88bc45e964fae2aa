/* LCCD of two polytopes: the facet planes of two boxes in 3D, the vertices around the path, the proofs, and the two
 * casts. The edge lines of polygons in 2D are in narrow/polygon.c.
 *
 * Sources and theory: ccd.h, "LCCD". Boxes are computed in the frame of A, with box_pair of narrow/axes.h. */
#include "ccd/ccd.h"

#include "narrow/axes.h"
#include "shape/shape.h"

/* ---- The vertices of a facet around the path */

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

/* ---- The planes of two boxes */

/* An edge lies in a facet if its component along the normal is at most this. */
#define BOX_FLUSH 0x1p-46

/* If the path passes the centre of a parallelogram nearer than this share of its size, rounding makes the choice of
 * vertices unreliable. */
#define BOX_CENTRAL 0x1p-20

enum { BOX_PLANES = 15 };

/* Entries 0 to 2: the axes of A. Entries 3 to 5: the axes of B. Entry 6 + 3i + j: e_i × m_j, which is not of unit
 * length. */
typedef struct box_planes {
  double at[BOX_PLANES], rate[BOX_PLANES],
      half[BOX_PLANES]; /* the centre of B relative to A; the closing speed; half the extent of both boxes */
  double speed[3];
} box_planes;

static inline double facets_dot(const double x[3], const double y[3]) {
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
    q->at[3 + j] = facets_dot(p->t, m), q->rate[3 + j] = facets_dot(q->speed, m);
    q->half[3 + j] = p->b[j] + ((p->a[0] * real_abs(m[0]) + p->a[1] * real_abs(m[1])) + p->a[2] * real_abs(m[2]));
  }
}

/* Computes the planes of the edge axes. The extents of B are made from minors, as in box_edge_overlaps() of
 * narrow/boxes.c. */
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

/* The index of the first number equal to `it`, or -1. */
GRZ_TEMPLATE int box_find(const double *number, double it, const int count) {
  unsigned mask = 0;
  for (int i = 0; i < count; i++) mask |= (unsigned)(number[i] == it) << i;
  return mask ? __builtin_ctz(mask) : -1;
}

/* Clips the path against `count` planes from `first` on (Cyrus and Beck). A degenerate axis, and an axis along which
 * touching boxes slide, give NaN and no times. The code is free of branches because the planes are unpredictable. */
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

/* The gap along axis i at time 0. */
static inline double box_gap(const box_pair *p, const box_planes *q, int i) {
  const double gap = (q->rate[i] < 0 ? -q->at[i] : q->at[i]) - q->half[i];
  if (i < 6) return gap;
  const int e = (i - 6) / 3, k = (e + 1) % 3, l = (e + 2) % 3;
  const double *m = p->m[i % 3];
  return gap / real_sqrt(m[k] * m[k] + m[l] * m[l]);
}

/* Axis i as a unit vector in the frame of A, oriented so that the boxes approach along it. */
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

/* The same axis in world coordinates. The box axes are columns of the rotations. */
static inline graze_vec box_world_normal(const graze_placed *a, const graze_placed *b, const box_planes *q, int i,
                                         graze_vec local) {
  if (i >= 6) return vec_rotate(a->hidden.rotation, local, 3);
  return vec_scale(i < 3 ? vec_column(a->hidden.rotation, i) : vec_column(b->hidden.rotation, i - 3),
                   q->rate[i] < 0 ? -1 : 1);
}

/* ---- The vertices of the facet of two boxes around the path */

/* The facet with normal n, relative to the point where the path crosses its plane. */
typedef struct box_facet {
  graze_vec axis[6], edge[6]; /* of A, then of B: half of an edge */
  unsigned flush;             /* a bit for each edge that lies in the facet */
  graze_vec middle;
  int32_t a, b; /* the vertices at the low ends of the flush edges of A, and at the high ends of those of B */
} box_facet;

/* The facet of A - B adds the half edges of both boxes, so the vertex of B is at the opposite end of its edges. */
static inline void box_facet_make(box_facet *f, const box_pair *p, const box_planes *q, graze_vec n, double t) {
  f->flush = 0;
  f->a = f->b = 0;
  f->middle = vec_make(t * q->speed[0] - p->t[0], t * q->speed[1] - p->t[1], t * q->speed[2] - p->t[2]);
  for (int i = 0; i < 3; i++) {
    f->axis[i] = vec_make(i == 0, i == 1, i == 2);
    f->axis[3 + i] = vec_make(p->m[i][0], p->m[i][1], p->m[i][2]);
    f->edge[i] = vec_scale(f->axis[i], p->a[i]), f->edge[3 + i] = vec_scale(f->axis[3 + i], p->b[i]);
  }
  for (int i = 0; i < 6; i++) {
    const double up = vec_dot(n, f->axis[i]), is = real_abs(up) <= BOX_FLUSH ? 0 : __builtin_copysign(1, up);
    f->flush |= (unsigned)(is == 0) << i;
    f->middle = vec_add(f->middle, vec_scale(f->edge[i], is));
    f->a |= (i < 3 && is > 0) << (i % 3);
    f->b |= (i >= 3 && is <= 0) << (i % 3);
  }
}

/* Parallel flush edges, combined. */
typedef struct box_side {
  graze_vec edge;
  unsigned ends; /* the edges whose ends differ along this side */
} box_side;

/* Adds edge i to a side that is empty or parallel to it; otherwise returns false. *low: the edges whose high end is at
 * the low end of the side. */
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

/* Returns false if the edges have more than two directions. Edges of length 0 do not count. */
static inline bool box_sides(const box_facet *f, box_side side[2], unsigned *low) {
  side[0] = side[1] = (box_side){{0, 0, 0}, 0};
  *low = 0;
  for (unsigned rest = f->flush; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    if (vec_norm_inf(f->edge[i]) > 0 && !box_join(&side[0], f, i, low) && !box_join(&side[1], f, i, low)) return false;
  }
  return true;
}

static inline void box_add_corner(const box_facet *f, grz_facet_path *path, unsigned ends, double weight) {
  path->a[path->corners] = f->a ^ (int32_t)(ends & 7), path->b[path->corners] = f->b ^ (int32_t)(ends >> 3);
  path->weight[path->corners++] = weight;
}

/* Selects the vertex in the quadrant of the path, and its two neighbours. If the path passes through the centre, no
 * three vertices surround the path. */
static inline bool box_parallelogram(const box_facet *f, graze_vec n, const box_side side[2], unsigned low,
                                     grz_facet_path *path) {
  const graze_vec u = side[0].edge, v = side[1].edge;
  const double area = -1 / vec_dot(n, vec_cross(u, v)), x = vec_dot(n, vec_cross(f->middle, v)) * area,
               y = vec_dot(n, vec_cross(u, f->middle)) * area, abs_x = real_abs(x), abs_y = real_abs(y);
  const unsigned near = low ^ (x > 0 ? side[0].ends : 0) ^ (y > 0 ? side[1].ends : 0);
  if (!(abs_x < 1 && abs_y < 1)) return false;
  box_add_corner(f, path, near, (abs_x + abs_y) * 0.5);
  box_add_corner(f, path, near ^ side[0].ends, (1 - abs_x) * 0.5);
  box_add_corner(f, path, near ^ side[1].ends, (1 - abs_y) * 0.5);
  return abs_x + abs_y > BOX_CENTRAL;
}

/* Lists the vertices at both ends of all flush edges of one body. Edges of B have the opposite sign. */
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

/* Handles facets whose edges have more than two directions: the faces are rotated or displaced against each other. */
__attribute__((noinline)) static void box_general(const box_facet *f, graze_vec n, grz_facet_path *path) {
  grz_facet_path_face a, b;
  box_face(f, true, &a);
  box_face(f, false, &b);
  grz_facet_path_pick(path, &a, &b, n, f->middle, 3);
}

static inline void box_corners(const box_pair *p, const box_planes *q, graze_vec n, grz_facet_path *path) {
  box_facet f;
  box_side side[2];
  unsigned low;
  box_facet_make(&f, p, q, n, path->enter);
  const bool is_simple = box_sides(&f, side, &low) && box_parallelogram(&f, n, side, low, path);
  if (!is_simple && __builtin_popcount(f.flush) >= 3) box_general(&f, n, path);
}

static inline bool box_is_missed(const grz_facet_path *path, double end) {
  return path->enter > path->leave || path->leave < 0 || path->enter > end;
}

/* Tests the 15 pairs of planes of the CSO of two box cores. The vertices are computed if the path enters within
 * [0, end]. `unit` as in grz_obstacle. */
static void box_path(const graze_placed *a, const graze_placed *b, double unit, double end, grz_facet_path *path) {
  box_pair p;
  box_planes q;
  int in = 0, out = 0;
  path->enter = -__builtin_inf(), path->leave = __builtin_inf();
  const graze_vec speed = vec_unrotate(a->hidden.rotation, path->speed, 3);
  q.speed[0] = speed.x, q.speed[1] = speed.y, q.speed[2] = speed.z;
  grz_box_pair_make(a, b, path->offset, unit, &p);
  box_face_planes(&p, &q);
  box_times(&q, path, &in, &out, 0, 6);
  path->planes = 6, path->corners = 0;
  if (!box_is_missed(path, end)) {
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
    box_corners(&p, &q, inward, path);
}

/* ---- Proofs */

/* Bodies that pass within this share of their sizes are rarely separated by the direction of the nearest passing
 * point. */
#define PLANES_NEAR 0.5

bool grz_facets_cull(grz_ray_cast *out, const grz_obstacle *c, double share) {
  const double square = vec_dot(out->speed, out->speed),
               near = share * (c->a->hidden.bounding_radius + c->b->hidden.bounding_radius) * c->unit;
  double t = -vec_dot(c->offset, out->speed) / square;
  if (!(t > 0)) t = 0;
  if (t > out->end) t = out->end;
  const graze_vec at = vec_add(c->offset, vec_scale(out->speed, t));
  const double square_distance = vec_dot(at, at);
  if (!(square_distance > near * near)) return false;
  out->iterations++;
  return grz_ray_cast_by(out, c, vec_unit_inf(vec_neg(at))) == GRZ_RAY_CAST_MISS;
}

/* If the path leaves one plane before it enters another, it is outside of both between these two times. The weighted
 * sum of the normals that is perpendicular to the path separates at all times. */
static graze_vec planes_between(const grz_facet_path *path, double end) {
  if (!(path->enter < end)) return path->in;
  if (path->leave < 0) return path->out;
  const double closing = vec_dot(path->in, path->speed), parting = -vec_dot(path->out, path->speed);
  return vec_add(vec_scale(path->in, parting), vec_scale(path->out, closing));
}

static void planes_simplex(grz_ray_cast *out, const grz_obstacle *c, const grz_facet_path *path) {
  grz_simplex *s = &out->simplex;
  s->count = path->corners;
  s->vv = 0;
  s->v = vec_make(0, 0, 0);
  for (int i = 0; i < s->count; i++) {
    const grz_core_point a = {grz_core_vertex(&c->a->shape, (size_t)path->a[i]), path->a[i]},
                         b = {grz_core_vertex(&c->b->shape, (size_t)path->b[i]), path->b[i]};
    s->point[i] = c->dim == 2 ? grz_obstacle_point(c, a, b, 2) : grz_obstacle_point(c, a, b, 3);
    s->weight[i] = path->weight[i];
  }
}

grz_ray_cast_end grz_facets_settle(grz_ray_cast *out, const grz_obstacle *c, const grz_facet_path *path) {
  out->iterations += path->planes;
  if (path->planes == 0) return GRZ_RAY_CAST_UNKNOWN;
  if (path->enter > path->leave || !(path->enter < out->end) || path->leave < 0) {
    const graze_vec d = planes_between(path, out->end);
    if (vec_norm_inf(d) > 0 && grz_ray_cast_by(out, c, vec_unit_inf(d)) == GRZ_RAY_CAST_MISS) return GRZ_RAY_CAST_MISS;
  }
  if (!(path->enter > 0)) return GRZ_RAY_CAST_UNKNOWN;
  const bool known = !(out->free > 0) && path->gap == path->gap;
  const grz_ray_cast_end end =
      known ? grz_ray_cast_across(out, c, path->in, path->gap) : grz_ray_cast_by(out, c, path->in);
  if (end == GRZ_RAY_CAST_MISS) return GRZ_RAY_CAST_MISS;
  planes_simplex(out, c, path);
  return grz_ray_cast_soon(out, c);
}

/* ---- Casts */

graze_status grz_cast_box_planes(grz_ray_cast *out, const grz_obstacle *c, const graze_options *options,
                                 grz_ray_cast_end *end) {
  grz_facet_path path = {.offset = c->offset, .speed = out->speed};
  (void)options;
  grz_ray_cast_start(out);
  *end = GRZ_RAY_CAST_MISS;
  if (grz_facets_cull(out, c, PLANES_NEAR)) return GRAZE_OK;
  box_path(c->a, c->b, c->unit, out->end, &path);
  *end = grz_facets_settle(out, c, &path);
  return GRAZE_OK;
}

graze_status grz_cast_polygon_planes(grz_ray_cast *out, const grz_obstacle *c, const graze_options *options,
                                     grz_ray_cast_end *end) {
  grz_facet_path path = {.offset = c->offset, .speed = out->speed};
  (void)options;
  grz_ray_cast_start(out);
  *end = GRZ_RAY_CAST_MISS;
  if (grz_facets_cull(out, c, PLANES_NEAR)) return GRAZE_OK;
  if (!grz_polygon_clip(c, out->end, &path)) return GRAZE_UNSUPPORTED;
  *end = grz_facets_settle(out, c, &path);
  return GRAZE_OK;
}
