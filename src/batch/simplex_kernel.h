/* The simplex of GJK side by side with others: up to three points, and a new one that is part of what is nearest. As
 * narrow/simplex.h, but only the regions beside the new point are looked at; nothing here is believed without a proof.
 * Part of a kernel: see simd/f64xn_portable.h. */
#ifndef GRAZE_BATCH_SIMPLEX_KERNEL_H
#define GRAZE_BATCH_SIMPLEX_KERNEL_H

#include "batch/kernels.h"

typedef struct simplex_lanes {
  lane_d w[3][3], a[3][3]; /* points of C, and those of A that are in them */
  lane_m has[3];
  lane_d vv; /* |v|², v the point nearest the origin */
} simplex_lanes;

/* What is nearest with the new point: that alone, or also x, or also x and y. */
typedef struct simplex_step {
  lane_m held;                             /* the origin is inside, as far as doubles can tell */
  lane_m nearer;                           /* it is nearer than before */
  lane_m edge, face, first, second, third; /* which faces, or edges, of those with the older points */
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

GRZ_TEMPLATE lane_d simplex_size1(const lane_d x[3]) { return (lane_abs(x[0]) + lane_abs(x[1])) + lane_abs(x[2]); }

GRZ_TEMPLATE void simplex_clear(simplex_lanes *s) {
  const lane_d none = lane_all(0);
  for (int k = 0; k < 3; k++) {
    s->has[k] = lane_less(none, none);
    for (int i = 0; i < 3; i++) s->w[k][i] = s->a[k][i] = none;
  }
  s->vv = lane_all(__builtin_inf());
}

/* Does the foot of the origin lie in the face of the new point, x and y? `px` and so on are products of x with the way
 * from the new point to the origin. */
GRZ_TEMPLATE lane_m simplex_over(lane_d px, lane_d py, lane_d xx, lane_d yy, lane_d xy) {
  const lane_d none = lane_all(0), s = px * yy - py * xy, t = py * xx - px * xy;
  return lane_both(lane_both(lane_less(none, s), lane_less(none, t)), lane_less(s + t, xx * yy - xy * xy));
}

GRZ_TEMPLATE void simplex_pick(lane_m p, const lane_d x[3], const lane_d y[3], lane_d out[3]) {
  for (int i = 0; i < 3; i++) out[i] = lane_pick(p, x[i], y[i]);
}

/* The nearest of three edges beyond the new point. */
typedef struct simplex_edges {
  lane_d num, den, along[3];
} simplex_edges;

GRZ_TEMPLATE lane_m simplex_edge(simplex_edges *e, lane_d px, lane_d xx, const lane_d x[3]) {
  const lane_m within = lane_both(lane_less(lane_all(0), px), lane_less(px, xx));
  const lane_m better = lane_both(within, lane_less(e->num * e->num * xx, px * px * e->den));
  e->num = lane_pick(better, px, e->num), e->den = lane_pick(better, xx, e->den);
  simplex_pick(better, x, e->along, e->along);
  return better;
}

/* The point nearest the origin; *s stays as it is. */
GRZ_TEMPLATE simplex_step simplex_advance(const simplex_lanes *s, const lane_d w[3], const int dim) {
  simplex_step step;
  const lane_d none = lane_all(0);
  lane_d x[3][3], p[3], n[3][3];
  for (int i = 0; i < 3; i++) {
    p[i] = none - w[i];
    for (int k = 0; k < 3; k++) x[k][i] = lane_pick(s->has[k], s->w[k][i] - w[i], none);
  }
  const lane_d px = simplex_dot(p, x[0]), py = simplex_dot(p, x[1]), pz = simplex_dot(p, x[2]);
  const lane_d xx = simplex_dot(x[0], x[0]), yy = simplex_dot(x[1], x[1]), zz = simplex_dot(x[2], x[2]);
  const lane_d xy = simplex_dot(x[0], x[1]), yz = simplex_dot(x[1], x[2]), zx = simplex_dot(x[2], x[0]);
  simplex_cross(x[0], x[1], n[0]);
  simplex_cross(x[1], x[2], n[1]);
  simplex_cross(x[2], x[0], n[2]);
  const lane_d volume = simplex_dot(n[0], x[2]);
  const lane_d h0 = simplex_dot(n[0], p), h1 = simplex_dot(n[1], p), h2 = simplex_dot(n[2], p);
  const lane_m in0 = lane_less(none, h0 * volume), in1 = lane_less(none, h1 * volume),
               in2 = lane_less(none, h2 * volume);
  step.first = lane_but(simplex_over(px, py, xx, yy, xy), in0);
  step.second = lane_but(lane_but(simplex_over(py, pz, yy, zz, yz), in1), step.first);
  step.third = lane_but(lane_but(simplex_over(pz, px, zz, xx, zx), in2), lane_either(step.first, step.second));
  step.face = lane_either(lane_either(step.first, step.second), step.third);
  step.held = dim == 2 ? step.face : lane_both(lane_both(in0, in1), in2);
  simplex_edges e = {none, lane_all(1), {none, none, none}};
  const lane_m e0 = simplex_edge(&e, px, xx, x[0]), e1 = simplex_edge(&e, py, yy, x[1]),
               e2 = simplex_edge(&e, pz, zz, x[2]);
  /* along the edge, or the normal of the face: d = base + along·num/den */
  lane_d normal[3], base[3];
  simplex_pick(step.second, n[1], n[0], normal);
  simplex_pick(step.third, n[2], normal, normal);
  const lane_d h = lane_pick(step.third, h2, lane_pick(step.second, h1, h0));
  const lane_d t = lane_pick(step.face, h, none - e.num) / lane_pick(step.face, simplex_dot(normal, normal), e.den);
  simplex_pick(step.face, normal, e.along, normal);
  for (int i = 0; i < 3; i++) base[i] = lane_pick(step.face, none, p[i]);
  for (int i = 0; i < 3; i++) step.d[i] = base[i] + normal[i] * t;
  step.edge = lane_but(lane_either(lane_either(e0, e1), e2), step.face);
  const lane_m last = lane_both(step.edge, e2), middle = lane_but(lane_both(step.edge, e1), e2);
  const lane_m any = lane_but(lane_but(step.edge, last), middle);
  step.first = lane_either(step.first, any);
  step.second = lane_either(step.second, middle);
  step.third = lane_either(step.third, last);
  step.vv = simplex_dot(step.d, step.d);
  step.nearer = lane_less(step.vv, s->vv);
  return step;
}

/* The new point and what stays beside it, in the lanes of `take`. */
GRZ_TEMPLATE void simplex_keep(const simplex_step *step, lane_m take, const lane_d point[3], lane_d slot[3][3]) {
  lane_d x[3], y[3];
  simplex_pick(step->second, slot[1], slot[0], x);
  simplex_pick(step->third, slot[2], x, x);
  simplex_pick(step->second, slot[2], slot[1], y);
  simplex_pick(step->third, slot[0], y, y);
  simplex_pick(take, point, slot[0], slot[0]);
  simplex_pick(take, x, slot[1], slot[1]);
  simplex_pick(take, y, slot[2], slot[2]);
}

GRZ_TEMPLATE void simplex_accept(simplex_lanes *s, const simplex_step *step, const lane_d w[3], const lane_d a[3],
                                 lane_m take, const bool measure) {
  simplex_keep(step, take, w, s->w);
  if (measure) simplex_keep(step, take, a, s->a);
  s->has[0] = lane_either(s->has[0], take);
  s->has[1] = lane_either(lane_but(s->has[1], take), lane_both(take, lane_either(step->face, step->edge)));
  s->has[2] = lane_either(lane_but(s->has[2], take), lane_both(take, step->face));
  s->vv = lane_pick(take, step->vv, s->vv);
}

/* Weights of the points, none of them negative, for the point nearest the origin. */
GRZ_TEMPLATE void simplex_weights(const simplex_lanes *s, lane_d weight[3]) {
  const lane_d none = lane_all(0), one = lane_all(1);
  lane_d x[3], y[3], p[3];
  for (int i = 0; i < 3; i++) {
    p[i] = none - s->w[0][i];
    x[i] = lane_pick(s->has[1], s->w[1][i] - s->w[0][i], none);
    y[i] = lane_pick(s->has[2], s->w[2][i] - s->w[0][i], none);
  }
  const lane_d px = simplex_dot(p, x), py = simplex_dot(p, y), xx = simplex_dot(x, x), yy = simplex_dot(y, y);
  const lane_d xy = simplex_dot(x, y);
  const lane_d num1 = lane_pick(s->has[2], px * yy - py * xy, lane_pick(s->has[1], px, none));
  const lane_d num2 = lane_pick(s->has[2], py * xx - px * xy, none);
  const lane_d den = lane_pick(s->has[2], xx * yy - xy * xy, lane_pick(s->has[1], xx, one));
  weight[1] = lane_max(num1 / den, none), weight[2] = lane_max(num2 / den, none);
  weight[0] = lane_max(one - (weight[1] + weight[2]), none);
}

GRZ_TEMPLATE void simplex_mean(const lane_d slot[3][3], const lane_d weight[3], lane_d out[3]) {
  for (int i = 0; i < 3; i++) {
    out[i] = slot[0][i] * weight[0];
    out[i] = out[i] + lane_pick(lane_less(lane_all(0), weight[1]), slot[1][i] * weight[1], lane_all(0));
    out[i] = out[i] + lane_pick(lane_less(lane_all(0), weight[2]), slot[2][i] * weight[2], lane_all(0));
  }
}

/* The sign of det[x, y, z], points that may each be off by `error`: certify_det3() in narrow/certify.c. */
GRZ_TEMPLATE void simplex_side(const lane_d x[3], const lane_d y[3], const lane_d z[3], lane_d error, lane_m *positive,
                               lane_m *negative) {
  const lane_d lx = simplex_size1(x), ly = simplex_size1(y), lz = simplex_size1(z);
  lane_d cross[3];
  simplex_cross(x, y, cross);
  const lane_d det = simplex_dot(cross, z);
  const lane_d doubt = lane_all(1.01) * error * ((lx * ly + ly * lz) + lz * lx) + lane_all(16 * GRZ_U) * (lx * ly * lz);
  *positive = lane_less(doubt, det), *negative = lane_less(det, lane_all(0) - doubt);
}

/* The same in the plane: certify_det2(). */
GRZ_TEMPLATE void simplex_turn(const lane_d x[3], const lane_d y[3], lane_d error, lane_m *left, lane_m *right) {
  const lane_d lx = simplex_size1(x), ly = simplex_size1(y);
  const lane_d det = x[0] * y[1] - x[1] * y[0];
  const lane_d doubt = lane_all(1.01) * error * (lx + ly) + lane_all(8 * GRZ_U) * (lx * ly);
  *left = lane_less(doubt, det), *right = lane_less(det, lane_all(0) - doubt);
}

/* Does the simplex with the new point surely hold the origin inside? */
GRZ_TEMPLATE lane_m simplex_holds(const simplex_lanes *s, const lane_d w[3], lane_d error, const int dim) {
  lane_m left[4], right[4];
  if (dim == 2) {
    simplex_turn(s->w[0], s->w[1], error, &left[0], &right[0]);
    simplex_turn(s->w[1], w, error, &left[1], &right[1]);
    simplex_turn(w, s->w[0], error, &left[2], &right[2]);
    left[3] = left[2], right[3] = right[2];
  } else {
    simplex_side(s->w[1], s->w[2], w, error, &left[0], &right[0]);
    simplex_side(s->w[0], w, s->w[2], error, &left[1], &right[1]);
    simplex_side(s->w[0], s->w[1], w, error, &left[2], &right[2]);
    simplex_side(s->w[0], s->w[2], s->w[1], error, &left[3], &right[3]);
  }
  return lane_either(lane_both(lane_both(left[0], left[1]), lane_both(left[2], left[3])),
                     lane_both(lane_both(right[0], right[1]), lane_both(right[2], right[3])));
}

#endif
