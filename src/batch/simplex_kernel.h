/* The simplex of GJK with SIMD: one simplex per SIMD element, up to three points and a new one that belongs to the
 * nearest face. As narrow/simplex.h, but only the Voronoi regions beside the new point are tested. Its results are
 * proposals; point_set_kernel.h proves them. Compiled by run_*.c. */
#ifndef GRAZE_BATCH_SIMPLEX_KERNEL_H
#define GRAZE_BATCH_SIMPLEX_KERNEL_H

#include "batch/kernels.h"

typedef struct simplex_set {
  lane_d w[3][3], a[3][3]; /* points of C, and the points of A that they come from */
  lane_m has[3];           /* the point exists */
  lane_d vv;               /* |v|², v the point nearest to the origin */
} simplex_set;

/* The smallest face whose nearest point is v: the new point alone, an edge, or a triangle with older points. */
typedef struct simplex_step {
  lane_m inside;                           /* the origin seems to be inside */
  lane_m nearer;                           /* v is nearer than before */
  lane_m edge, face, first, second, third; /* an edge or a triangle, and which one */
  lane_d d[3], vv;                         /* -v */
} simplex_step;

GRZ_TEMPLATE lane_d simplex_dot(const lane_d x[3], const lane_d y[3]) {
  return (x[0] * y[0] + x[1] * y[1]) + x[2] * y[2];
}

GRZ_TEMPLATE void simplex_cross(const lane_d x[3], const lane_d y[3], lane_d out[3]) {
  out[0] = x[1] * y[2] - x[2] * y[1];
  out[1] = x[2] * y[0] - x[0] * y[2];
  out[2] = x[0] * y[1] - x[1] * y[0];
}

GRZ_TEMPLATE lane_d simplex_norm1(const lane_d x[3]) { return (lane_abs(x[0]) + lane_abs(x[1])) + lane_abs(x[2]); }

/* Tests whether the origin projects into the triangle of the new point, x and y. px, py: dot products of x and y with
 * the vector from the new point to the origin. */
GRZ_TEMPLATE lane_m simplex_projects_into(lane_d px, lane_d py, lane_d xx, lane_d yy, lane_d xy) {
  const lane_d zero = lane_all(0), s = px * yy - py * xy, t = py * xx - px * xy;
  return lane_both(lane_both(lane_less(zero, s), lane_less(zero, t)), lane_less(s + t, xx * yy - xy * xy));
}

GRZ_TEMPLATE void simplex_select(lane_m p, const lane_d x[3], const lane_d y[3], lane_d out[3]) {
  for (int i = 0; i < 3; i++) out[i] = lane_pick(p, x[i], y[i]);
}

/* The nearest of the three edges at the new point: num/den is the parameter of its nearest point. */
typedef struct simplex_edges {
  lane_d num, den, direction[3];
} simplex_edges;

GRZ_TEMPLATE lane_m simplex_edge(simplex_edges *e, lane_d px, lane_d xx, const lane_d x[3]) {
  const lane_m within = lane_both(lane_less(lane_all(0), px), lane_less(px, xx));
  const lane_m better = lane_both(within, lane_less(e->num * e->num * xx, px * px * e->den));
  e->num = lane_pick(better, px, e->num), e->den = lane_pick(better, xx, e->den);
  simplex_select(better, x, e->direction, e->direction);
  return better;
}

/* Computes the point of the simplex with the new point w that is nearest to the origin. */
GRZ_TEMPLATE simplex_step simplex_advance(const simplex_set *s, const lane_d w[3], const int dim) {
  simplex_step step;
  const lane_d zero = lane_all(0);
  lane_d x[3][3], p[3], n[3][3];
  for (int i = 0; i < 3; i++) {
    p[i] = zero - w[i];
    for (int k = 0; k < 3; k++) x[k][i] = lane_pick(s->has[k], s->w[k][i] - w[i], zero);
  }
  const lane_d px = simplex_dot(p, x[0]), py = simplex_dot(p, x[1]), pz = simplex_dot(p, x[2]);
  const lane_d xx = simplex_dot(x[0], x[0]), yy = simplex_dot(x[1], x[1]), zz = simplex_dot(x[2], x[2]);
  const lane_d xy = simplex_dot(x[0], x[1]), yz = simplex_dot(x[1], x[2]), zx = simplex_dot(x[2], x[0]);
  simplex_cross(x[0], x[1], n[0]);
  simplex_cross(x[1], x[2], n[1]);
  simplex_cross(x[2], x[0], n[2]);
  const lane_d volume = simplex_dot(n[0], x[2]);
  const lane_d h0 = simplex_dot(n[0], p), h1 = simplex_dot(n[1], p), h2 = simplex_dot(n[2], p);
  const lane_m in0 = lane_less(zero, h0 * volume), in1 = lane_less(zero, h1 * volume),
               in2 = lane_less(zero, h2 * volume);
  step.first = lane_but(simplex_projects_into(px, py, xx, yy, xy), in0);
  step.second = lane_but(lane_but(simplex_projects_into(py, pz, yy, zz, yz), in1), step.first);
  step.third = lane_but(lane_but(simplex_projects_into(pz, px, zz, xx, zx), in2), lane_either(step.first, step.second));
  step.face = lane_either(lane_either(step.first, step.second), step.third);
  step.inside = dim == 2 ? step.face : lane_both(lane_both(in0, in1), in2);
  simplex_edges e = {zero, lane_all(1), {zero, zero, zero}};
  const lane_m e0 = simplex_edge(&e, px, xx, x[0]), e1 = simplex_edge(&e, py, yy, x[1]),
               e2 = simplex_edge(&e, pz, zz, x[2]);
  /* Direction: the edge, or the normal of the triangle; d = base + direction·num/den. */
  lane_d normal[3], base[3];
  simplex_select(step.second, n[1], n[0], normal);
  simplex_select(step.third, n[2], normal, normal);
  const lane_d h = lane_pick(step.third, h2, lane_pick(step.second, h1, h0));
  const lane_d t = lane_pick(step.face, h, zero - e.num) / lane_pick(step.face, simplex_dot(normal, normal), e.den);
  simplex_select(step.face, normal, e.direction, normal);
  for (int i = 0; i < 3; i++) base[i] = lane_pick(step.face, zero, p[i]);
  for (int i = 0; i < 3; i++) step.d[i] = base[i] + normal[i] * t;
  step.edge = lane_but(lane_either(lane_either(e0, e1), e2), step.face);
  const lane_m last = lane_both(step.edge, e2), middle = lane_but(lane_both(step.edge, e1), e2);
  const lane_m other = lane_but(lane_but(step.edge, last), middle);
  step.first = lane_either(step.first, other);
  step.second = lane_either(step.second, middle);
  step.third = lane_either(step.third, last);
  step.vv = simplex_dot(step.d, step.d);
  step.nearer = lane_less(step.vv, s->vv);
  return step;
}

/* Replaces the points of the simplex by the new point and the older points of the step, where `where` is set. */
GRZ_TEMPLATE void simplex_replace(const simplex_step *step, lane_m where, const lane_d point[3], lane_d slot[3][3]) {
  lane_d x[3], y[3];
  simplex_select(step->second, slot[1], slot[0], x);
  simplex_select(step->third, slot[2], x, x);
  simplex_select(step->second, slot[2], slot[1], y);
  simplex_select(step->third, slot[0], y, y);
  simplex_select(where, point, slot[0], slot[0]);
  simplex_select(where, x, slot[1], slot[1]);
  simplex_select(where, y, slot[2], slot[2]);
}

GRZ_TEMPLATE void simplex_accept(simplex_set *s, const simplex_step *step, const lane_d w[3], const lane_d a[3],
                                 lane_m where, const bool measure) {
  simplex_replace(step, where, w, s->w);
  if (measure) simplex_replace(step, where, a, s->a);
  s->has[0] = lane_either(s->has[0], where);
  s->has[1] = lane_either(lane_but(s->has[1], where), lane_both(where, lane_either(step->face, step->edge)));
  s->has[2] = lane_either(lane_but(s->has[2], where), lane_both(where, step->face));
  s->vv = lane_pick(where, step->vv, s->vv);
}

/* Computes the barycentric coordinates of the point nearest to the origin, clamped to >= 0. */
GRZ_TEMPLATE void simplex_weights(const simplex_set *s, lane_d weight[3]) {
  const lane_d zero = lane_all(0), one = lane_all(1);
  lane_d x[3], y[3], p[3];
  for (int i = 0; i < 3; i++) {
    p[i] = zero - s->w[0][i];
    x[i] = lane_pick(s->has[1], s->w[1][i] - s->w[0][i], zero);
    y[i] = lane_pick(s->has[2], s->w[2][i] - s->w[0][i], zero);
  }
  const lane_d px = simplex_dot(p, x), py = simplex_dot(p, y), xx = simplex_dot(x, x), yy = simplex_dot(y, y);
  const lane_d xy = simplex_dot(x, y);
  const lane_d num1 = lane_pick(s->has[2], px * yy - py * xy, lane_pick(s->has[1], px, zero));
  const lane_d num2 = lane_pick(s->has[2], py * xx - px * xy, zero);
  const lane_d den = lane_pick(s->has[2], xx * yy - xy * xy, lane_pick(s->has[1], xx, one));
  weight[1] = lane_max(num1 / den, zero), weight[2] = lane_max(num2 / den, zero);
  weight[0] = lane_max(one - (weight[1] + weight[2]), zero);
}

/* Computes the combination of the points. A weight of 0 excludes a point, whose numbers may be undefined. */
GRZ_TEMPLATE void simplex_combine(const lane_d slot[3][3], const lane_d weight[3], lane_d out[3]) {
  for (int i = 0; i < 3; i++) {
    out[i] = slot[0][i] * weight[0];
    out[i] = out[i] + lane_pick(lane_less(lane_all(0), weight[1]), slot[1][i] * weight[1], lane_all(0));
    out[i] = out[i] + lane_pick(lane_less(lane_all(0), weight[2]), slot[2][i] * weight[2], lane_all(0));
  }
}

/* The sign of det[x, y, z] of points with an error of up to `error` each; a filter as in narrow/certify.c. */
GRZ_TEMPLATE void simplex_orient3(const lane_d x[3], const lane_d y[3], const lane_d z[3], lane_d error,
                                  lane_m *positive, lane_m *negative) {
  const lane_d lx = simplex_norm1(x), ly = simplex_norm1(y), lz = simplex_norm1(z);
  lane_d cross[3];
  simplex_cross(x, y, cross);
  const lane_d det = simplex_dot(cross, z);
  const lane_d error_bound =
      lane_all(1.01) * error * ((lx * ly + ly * lz) + lz * lx) + lane_all(16 * GRZ_U) * (lx * ly * lz);
  *positive = lane_less(error_bound, det), *negative = lane_less(det, lane_all(0) - error_bound);
}

/* The sign of det[x, y] in 2D. */
GRZ_TEMPLATE void simplex_orient2(const lane_d x[3], const lane_d y[3], lane_d error, lane_m *left, lane_m *right) {
  const lane_d lx = simplex_norm1(x), ly = simplex_norm1(y);
  const lane_d det = x[0] * y[1] - x[1] * y[0];
  const lane_d error_bound = lane_all(1.01) * error * (lx + ly) + lane_all(8 * GRZ_U) * (lx * ly);
  *left = lane_less(error_bound, det), *right = lane_less(det, lane_all(0) - error_bound);
}

/* Tests whether the simplex with the new point certainly contains the origin in its interior. */
GRZ_TEMPLATE lane_m simplex_contains_origin(const simplex_set *s, const lane_d w[3], lane_d error, const int dim) {
  lane_m left[4], right[4];
  if (dim == 2) {
    simplex_orient2(s->w[0], s->w[1], error, &left[0], &right[0]);
    simplex_orient2(s->w[1], w, error, &left[1], &right[1]);
    simplex_orient2(w, s->w[0], error, &left[2], &right[2]);
    left[3] = left[2], right[3] = right[2];
  } else {
    simplex_orient3(s->w[1], s->w[2], w, error, &left[0], &right[0]);
    simplex_orient3(s->w[0], w, s->w[2], error, &left[1], &right[1]);
    simplex_orient3(s->w[0], s->w[1], w, error, &left[2], &right[2]);
    simplex_orient3(s->w[0], s->w[2], s->w[1], error, &left[3], &right[3]);
  }
  return lane_either(lane_both(lane_both(left[0], left[1]), lane_both(left[2], left[3])),
                     lane_both(lane_both(right[0], right[1]), lane_both(right[2], right[3])));
}

#endif
