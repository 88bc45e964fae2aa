/* EPA (expanding polytope algorithm) in doubles: the penetration depth of two overlapping cores. The result is only a
 * proposal: grz_epa_low() proves a lower bound.
 *
 * Source: van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects", GDC 2001. Theory:
 * docs/theory/depth.md. */
#include "narrow/search.h"

#include "narrow/trace.h"

#include <string.h>

/* Relative to the size of the CSO: a start point must be farther than this from the affine hull of the others. */
#define EPA_FLAT 1e-9

/* The lower bound is computed at this number of points, and each time that the number has doubled. If many points bring
 * little progress, rounding finally degrades the polytope; the best bound is kept. */
enum { EPA_CHECK = 128 };

/* Unit normals this near belong to one plane. */
#define EPA_ONE_PLANE 1e-8

/* Two minima without branches: a branch predictor fails on random distances. */
int grz_epa_nearest(const grz_polytope *p) {
  const double *h = p->height;
  int best[2] = {0, 0}, last = p->face_count - 1;
  double least[2] = {h[0], h[0]};
  for (int i = 1; i < last; i += 2) {
    for (int k = 0; k < 2; k++) {
      bool less = h[i + k] < least[k];
      best[k] = less ? i + k : best[k];
      least[k] = less ? h[i + k] : least[k];
    }
  }
  int first = least[1] < least[0];
  return h[last] < least[first] ? last : best[first];
}

int grz_epa_point(grz_epa *epa, const grz_cso_point *point) {
  grz_polytope *p = &epa->polytope;
  if (p->point_count == p->point_capacity) return -1;
  p->w[p->point_count] = point->w;
  const grz_pair pair = grz_obstacle_pair(point);
  grz_polytope_set_pair(p, p->point_count, &pair);
  return p->point_count++;
}

GRZ_TEMPLATE bool epa_plane3(void *context, grz_polytope *p, int index) {
  (void)context;
  grz_face *face = &p->face[index];
  graze_vec w0 = p->w[face->vertex[0]];
  graze_vec n = vec_cross(vec_sub(p->w[face->vertex[1]], w0), vec_sub(p->w[face->vertex[2]], w0));
  double length = vec_length(n);
  face->normal = vec_scale(n, 1 / length);
  face->tilt = length; /* for epa_sine() */
  p->height[index] = vec_dot(face->normal, w0);
  return length > 0;
}

GRZ_TEMPLATE bool epa_plane2(void *context, grz_polytope *p, int index) {
  (void)context;
  grz_face *face = &p->face[index];
  graze_vec w0 = p->w[face->vertex[0]], e = vec_sub(p->w[face->vertex[1]], w0);
  double length = vec_length(e);
  face->normal = vec_make(e.y / length, -e.x / length, 0);
  face->tilt = length;
  p->height[index] = vec_dot(face->normal, w0);
  return length > 0;
}

/* Coplanar faces count as visible, so that new faces replace them. */
GRZ_TEMPLATE bool epa_is_visible(void *context, const grz_polytope *p, int face, int point) {
  const grz_epa *epa = context;
  return vec_dot(p->face[face].normal, p->w[point]) > p->height[face] - 2 * epa->c->point_error;
}

/* The distance of w from the affine hull of the first `rank` points of `order`, signed for rank = dim. */
GRZ_TEMPLATE double epa_flat_distance(const grz_polytope *p, const int *order, int rank, graze_vec w, const int dim) {
  graze_vec x = vec_sub(w, p->w[order[0]]);
  if (rank == 1) return vec_length(x);
  graze_vec u = vec_sub(p->w[order[1]], p->w[order[0]]);
  double length = vec_length(u);
  if (rank == 2) return dim == 2 ? (u.x * x.y - u.y * x.x) / length : vec_length(vec_cross(u, x)) / length;
  graze_vec n = vec_cross(u, vec_sub(p->w[order[2]], p->w[order[0]]));
  return vec_dot(n, x) / vec_length(n);
}

bool grz_epa_independent_direction(const grz_polytope *p, const int *flat, int rank, int k, int dim, graze_vec *d) {
  const int which = k / 2;
  graze_vec out = {which == 0, which == 1, dim == 3 && which == 2};
  if (rank == dim && which > 0) return false;
  if (rank >= 2) {
    graze_vec u = vec_sub(p->w[flat[1]], p->w[flat[0]]);
    if (dim == 2)
      out = vec_make(-u.y, u.x, 0);
    else
      out = vec_cross(u, rank == 2 ? out : vec_sub(p->w[flat[2]], p->w[flat[0]]));
  }
  if (!(vec_norm_inf(out) > 0)) return false;
  *d = vec_scale(vec_unit_inf(out), k % 2 ? -1 : 1);
  return true;
}

/* Extends `order` by the point farthest from the affine hull of the earlier points. If all points lie in that hull, up
 * to rounding, extends it by a support point. */
GRZ_TEMPLATE bool epa_extend(grz_epa *epa, int *order, int rank, const int dim) {
  grz_polytope *p = &epa->polytope;
  const double least = EPA_FLAT * epa->c->size;
  double most = least;
  order[rank] = -1;
  for (int i = 0; i < p->point_count; i++) {
    double off_flat = real_abs(epa_flat_distance(p, order, rank, p->w[i], dim));
    if (off_flat > most) most = off_flat, order[rank] = i;
  }
  for (int k = 0; k < 6 && order[rank] < 0; k++) {
    graze_vec d;
    double slack = 0;
    if (!grz_epa_independent_direction(p, order, rank, k, dim, &d)) continue;
    grz_cso_point w = grz_obstacle_support(epa->c, d, &slack);
    if (real_abs(epa_flat_distance(p, order, rank, w.w, dim)) > least) order[rank] = grz_epa_point(epa, &w);
  }
  return order[rank] >= 0;
}

/* Builds the first simplex. The simplex need not contain the origin: a face of negative distance is then the nearest
 * one, and EPA expands it first. */
GRZ_TEMPLATE bool epa_start_simplex(grz_epa *epa, const int dim) {
  grz_polytope *p = &epa->polytope;
  int order[4] = {0, 1, 2, 3};
  for (int i = 0; i < p->point_count; i++) {
    const grz_pair pair = grz_polytope_pair(p, i);
    p->w[i] = grz_obstacle_of_pair(epa->c, &pair, dim).w;
  }
  for (int rank = 1; rank <= dim && p->point_count != dim + 1; rank++) {
    if (!epa_extend(epa, order, rank, dim)) return false;
  }
  bool swap = (epa_flat_distance(p, order, dim, p->w[order[dim]], dim) > 0) == (dim == 3);
  const int turned[4] = {order[0], order[swap ? 2 : 1], order[swap ? 1 : 2], order[3]};
  if (dim == 2) return grz_polygon_start(p, turned, epa_plane2, NULL);
  return grz_polytope_start(p, turned, epa_plane3, NULL);
}

GRZ_TEMPLATE bool epa_add(grz_epa *epa, int face, int point, const int dim) {
  if (dim == 2) return grz_polygon_add(&epa->polytope, face, point, epa_is_visible, epa_plane2, epa);
  return grz_polytope_add(&epa->polytope, face, point, epa_is_visible, epa_plane3, epa);
}

/* True if w is already a vertex. Only rounding places it beyond the face. */
static bool epa_has_vertex(const grz_polytope *p, const grz_cso_point *w) {
  if (w->a.index < 0 || w->b.index < 0) return false;
  for (int i = 0; i < p->point_count; i++) {
    if (p->pair[i].a == w->a.index && p->pair[i].b == w->b.index) return true;
  }
  return false;
}

static void epa_trace(const grz_epa *epa, const grz_expansion *expansion, bool closed, bool repeated) {
  graze_trace_stop stop = closed ? GRAZE_TRACE_BOUNDS_MET : GRAZE_TRACE_VERTEX_REPEATED;
  bool around = epa->polytope.height[expansion->face] > 0, full = expansion->points == epa->polytope.point_capacity;
  if (closed || repeated)
    stop = around ? stop : GRAZE_TRACE_NO_PROGRESS;
  else
    stop = full ? GRAZE_TRACE_BUDGET : GRAZE_TRACE_CONTINUE;
  grz_trace_epa(epa, expansion, stop);
}

/* EPA. Invariant: the polytope lies in the CSO, so the distance of its nearest face is a lower bound of the depth. */
GRZ_TEMPLATE grz_epa_end epa_expand(grz_epa *epa, const int dim) {
  grz_polytope *p = &epa->polytope;
  if (!epa_start_simplex(epa, dim)) return GRZ_EPA_BROKEN;
  for (;;) {
    /* The face nearest to the origin. */
    const int face = grz_epa_nearest(p);
    const double height = p->height[face];
    const graze_vec d = p->face[face].normal;

    /* Support point along its normal. The support width is an upper bound of the depth. */
    grz_cso_point w;
    const double high = -obstacle_gap(epa->c, d, &w, dim);
    epa->steps++;

    /* Converged: the face lies on the boundary of the CSO; the witness points are on it. */
    const bool closed = !(high - height > epa->tolerance);
    if (closed || high < epa->high) epa->high = high, epa->direction = d;

    /* No progress: w is already a vertex of the polytope. */
    const bool repeated = !closed && epa_has_vertex(p, &w);
    if (epa->c->tracer) epa_trace(epa, &(grz_expansion){face, p->point_count, &w, high}, closed, repeated);
    if (closed || repeated) return height > 0 ? GRZ_EPA_CLOSED : GRZ_EPA_BROKEN;

    /* Insert w: a cone from the horizon to w replaces the faces visible from w. */
    const int point = grz_epa_point(epa, &w);
    if (point < 0) return GRZ_EPA_NO_SPACE;
    if (!epa_add(epa, face, point, dim)) {
      if (epa->c->tracer) grz_trace_epa_broken(epa);
      return GRZ_EPA_BROKEN;
    }

    /* Each time that the number of points has doubled: the lower bound that all faces prove. */
    if (p->point_count >= EPA_CHECK && (p->point_count & (p->point_count - 1)) == 0 && grz_epa_low(epa))
      epa->seen = real_max(epa->seen, epa->low);
  }
}

grz_epa_end grz_epa_run(grz_epa *epa) {
  epa->high = __builtin_inf();
  epa->seen = 0;
  epa->steps = 0;
  return epa->c->dim == 2 ? epa_expand(epa, 2) : epa_expand(epa, 3);
}

/* An upper bound of the sine of the angle between the computed normal of a face and the exact one. */
static double epa_sine(const grz_epa *epa, const grz_face *face) {
  const graze_vec *w = epa->polytope.w;
  const double error = epa->c->point_error, length = face->tilt;
  double one = vec_norm1(vec_sub(w[face->vertex[1]], w[face->vertex[0]])), bent = 2 * error + 8 * GRZ_U * one;
  if (epa->c->dim == 3) {
    double other = vec_norm1(vec_sub(w[face->vertex[2]], w[face->vertex[0]]));
    bent = 2 * error * ((one + other) + 2 * error) + 8 * GRZ_U * (one * other);
  }
  return length > 8 * bent ? 1.02 * bent / (length - bent) : 1;
}

/* Barycentric weights of the projection of the origin, times the area of the face. */
static void epa_weights(const grz_polytope *p, int index, int dim, double weight[3]) {
  const grz_face *face = &p->face[index];
  graze_vec foot = vec_scale(face->normal, p->height[index]), r[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < dim; i++) r[i] = vec_sub(p->w[face->vertex[i]], foot);
  if (dim == 2) {
    graze_vec edge = vec_sub(r[1], r[0]);
    weight[0] = vec_dot(edge, r[1]), weight[1] = -vec_dot(edge, r[0]), weight[2] = 0;
    return;
  }
  for (int i = 0; i < 3; i++) weight[i] = vec_dot(face->normal, vec_cross(r[(i + 1) % 3], r[(i + 2) % 3]));
}

/* The projection of the origin is the combination y of the vertices with weights l_i of sum 1. The same combination Y
 * of the exact points lies in the exact plane, and |Y - y| <= E·sum|l_i|. The distance of the plane is |Y| times the
 * cosine of the angle between Y and the exact normal. Therefore the error of the normal contributes only by its square.
 * docs/theory/depth.md, "Heights". */
static double epa_foot_low(const grz_epa *epa, int index, double sine) {
  const grz_polytope *p = &epa->polytope;
  const grz_face *face = &p->face[index];
  double weight[3], sum, spread = 0;
  graze_vec y = {0, 0, 0};
  epa_weights(p, index, epa->c->dim, weight);
  sum = (weight[0] + weight[1]) + weight[2];
  for (int i = 0; i < epa->c->dim; i++) {
    y = vec_add(y, vec_scale(p->w[face->vertex[i]], weight[i] / sum));
    spread += real_abs(weight[i] / sum);
  }
  double error = (1.01 * epa->c->point_error + 16 * GRZ_U * epa->c->size * spread) * spread,
         length = vec_length(y) - error;
  double off_flat = vec_length(vec_sub(y, vec_scale(face->normal, p->height[index]))) + error;
  double angle = 1.1 * (sine + off_flat / length);
  return p->height[index] > 0 && length > 0 && angle < 0.1 ? length * (1 - angle * angle) : -__builtin_inf();
}

/* A lower bound of the distance of a face. A rough bound suffices for faces beyond `enough`. */
static double epa_face_low(const grz_epa *epa, int index, double enough) {
  const grz_polytope *p = &epa->polytope;
  double sine = epa_sine(epa, &p->face[index]), height = p->height[index], size = epa->c->size;
  double rough =
      (height * (1 - 2 * sine * sine) - 1.01 * sine * size) - (1.01 * epa->c->point_error + 16 * GRZ_U * size);
  return rough >= enough ? rough : epa_foot_low(epa, index, sine);
}

/* True if the distance of the face is certainly at least `low`, without a root or a quotient. Edges are at most 2·size
 * long, so the error of their product is at most 420u·size^2: docs/theory/depth.md, "Heights". */
static bool epa_face_is_high(const grz_epa *epa, int index, double low) {
  const double size = epa->c->size, bent = 420 * GRZ_U * size * size, area = epa->polytope.face[index].tilt;
  double rest = epa->polytope.height[index] - low - (1.01 * epa->c->point_error + 16 * GRZ_U * size);
  return rest > 0 && rest * (area - bent) > 1.2 * size * bent && area > 4096 * bent;
}

bool grz_epa_low(grz_epa *epa) {
  const grz_polytope *p = &epa->polytope;
  epa->low = epa_face_low(epa, grz_epa_nearest(p), epa->high);
  for (int i = 0; i < p->face_count; i++) {
    if (grz_face_is_removed(&p->face[i]) || (epa->c->dim == 3 && epa_face_is_high(epa, i, epa->low))) continue;
    epa->low = real_min(epa->low, epa_face_low(epa, i, epa->high));
  }
  return epa->low > 0;
}

bool grz_epa_in_one_plane(const grz_face *face, graze_vec direction) {
  return vec_norm1(vec_sub(face->normal, direction)) <= EPA_ONE_PLANE;
}

/* Computes weights >= 0 of sum 1 for the point of a face nearest to the projection of the origin. Returns the distance
 * of that point from high·direction. */
static double epa_foot(const grz_epa *epa, int index, double weight[3]) {
  const grz_polytope *p = &epa->polytope;
  const int dim = epa->c->dim;
  double sum = 0;
  graze_vec off = vec_scale(epa->direction, -epa->high);
  epa_weights(p, index, dim, weight);
  for (int i = 0; i < dim; i++) sum += weight[i] = real_max(weight[i], 0);
  for (int i = 0; i < dim; i++) {
    weight[i] = sum > 0 ? weight[i] / sum : i == 0; /* the face is too thin for barycentric weights */
    off = vec_add(off, vec_scale(p->w[p->face[index].vertex[i]], weight[i]));
  }
  return vec_length(off);
}

/* Several faces can lie in the plane of epa->direction, and other planes can be as near. Returns the face whose
 * projection of the origin is nearest to high·direction. Skips faces farther than `enough`. */
static int epa_face_of_foot(const grz_epa *epa, double enough, double *off, double weight[3]) {
  const grz_polytope *p = &epa->polytope;
  int best = -1;
  double tried[3];
  *off = __builtin_inf();
  for (int i = 0; i < p->face_count; i++) {
    if (!(*off > epa->c->support_error)) break; /* within the error */
    if (grz_face_is_removed(&p->face[i]) || !(p->height[i] <= enough)) continue;
    double distance = epa_foot(epa, i, tried);
    if (!(distance < *off)) continue;
    *off = distance, best = i;
    memcpy(weight, tried, sizeof tried);
  }
  return best;
}

void grz_epa_witness(const grz_epa *epa, graze_vec *core_a, graze_vec *core_b) {
  const grz_polytope *p = &epa->polytope;
  const int dim = epa->c->dim;
  double weight[3] = {1, 0, 0}, off;
  int face = epa_face_of_foot(epa, p->height[grz_epa_nearest(p)] + 8 * epa->c->support_error, &off, weight);
  if (off > EPA_FLAT * epa->c->size) face = epa_face_of_foot(epa, __builtin_inf(), &off, weight);
  if (face < 0) face = grz_epa_nearest(p);
  *core_a = *core_b = vec_make(0, 0, 0);
  for (int i = 0; i < dim; i++) {
    const grz_pair corner = grz_face_pair(p, face, i), *pair = &corner;
    graze_vec a = vec_rotate(epa->c->a->hidden.rotation, pair->point_a, dim);
    graze_vec b = vec_rotate(epa->c->b->hidden.rotation, pair->point_b, dim);
    *core_a = vec_add(*core_a, vec_scale(a, weight[i]));
    *core_b = vec_add(*core_b, vec_scale(b, weight[i]));
  }
}
