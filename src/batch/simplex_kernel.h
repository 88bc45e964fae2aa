/* The simplex of GJK side by side with others: up to three points, and a new one that is part of what is nearest. As
 * narrow/simplex.h, but only the regions beside the new point are looked at; nothing here is believed without a proof.
 * Part of a kernel: see simd/f64xn_portable.h. */
#ifndef GRAZE_BATCH_SIMPLEX_KERNEL_H
#define GRAZE_BATCH_SIMPLEX_KERNEL_H

#include "batch/kernels.h"

typedef struct simplex_lanes {
  f64xn w[3][3], a[3][3]; /* points of C, and those of A that are in them */
  f64xn_mask has[3];
  f64xn vv; /* |v|², v the point nearest the origin */
} simplex_lanes;

/* What is nearest with the new point: that alone, or also x, or also x and y. */
typedef struct simplex_step {
  f64xn_mask held;                             /* the origin is inside, as far as doubles can tell */
  f64xn_mask nearer;                           /* it is nearer than before */
  f64xn_mask edge, face, first, second, third; /* which faces, or edges, of those with the older points */
  f64xn d[3], vv;                         /* -v */
} simplex_step;

GRZ_TEMPLATE f64xn simplex_dot(const f64xn x[3], const f64xn y[3]) {
  return (x[0] * y[0] + x[1] * y[1]) + x[2] * y[2];
}

GRZ_TEMPLATE void simplex_cross(const f64xn x[3], const f64xn y[3], f64xn out[3]) {
  out[0] = x[1] * y[2] - x[2] * y[1];
  out[1] = x[2] * y[0] - x[0] * y[2];
  out[2] = x[0] * y[1] - x[1] * y[0];
}

GRZ_TEMPLATE f64xn simplex_size1(const f64xn x[3]) { return (f64xn_abs(x[0]) + f64xn_abs(x[1])) + f64xn_abs(x[2]); }

GRZ_TEMPLATE void simplex_clear(simplex_lanes *s) {
  const f64xn none = f64xn_all(0);
  for (int k = 0; k < 3; k++) {
    s->has[k] = f64xn_less(none, none);
    for (int i = 0; i < 3; i++) s->w[k][i] = s->a[k][i] = none;
  }
  s->vv = f64xn_all(__builtin_inf());
}

/* Does the foot of the origin lie in the face of the new point, x and y? `px` and so on are products of x with the way
 * from the new point to the origin. */
GRZ_TEMPLATE f64xn_mask simplex_over(f64xn px, f64xn py, f64xn xx, f64xn yy, f64xn xy) {
  const f64xn none = f64xn_all(0), s = px * yy - py * xy, t = py * xx - px * xy;
  return f64xn_and(f64xn_and(f64xn_less(none, s), f64xn_less(none, t)), f64xn_less(s + t, xx * yy - xy * xy));
}

GRZ_TEMPLATE void simplex_pick(f64xn_mask p, const f64xn x[3], const f64xn y[3], f64xn out[3]) {
  for (int i = 0; i < 3; i++) out[i] = f64xn_select(p, x[i], y[i]);
}

/* The nearest of three edges beyond the new point. */
typedef struct simplex_edges {
  f64xn num, den, along[3];
} simplex_edges;

GRZ_TEMPLATE f64xn_mask simplex_edge(simplex_edges *e, f64xn px, f64xn xx, const f64xn x[3]) {
  const f64xn_mask within = f64xn_and(f64xn_less(f64xn_all(0), px), f64xn_less(px, xx));
  const f64xn_mask better = f64xn_and(within, f64xn_less(e->num * e->num * xx, px * px * e->den));
  e->num = f64xn_select(better, px, e->num), e->den = f64xn_select(better, xx, e->den);
  simplex_pick(better, x, e->along, e->along);
  return better;
}

/* The point nearest the origin; *s stays as it is. */
GRZ_TEMPLATE simplex_step simplex_advance(const simplex_lanes *s, const f64xn w[3], const int dim) {
  simplex_step step;
  const f64xn none = f64xn_all(0);
  f64xn x[3][3], p[3], n[3][3];
  for (int i = 0; i < 3; i++) {
    p[i] = none - w[i];
    for (int k = 0; k < 3; k++) x[k][i] = f64xn_select(s->has[k], s->w[k][i] - w[i], none);
  }
  const f64xn px = simplex_dot(p, x[0]), py = simplex_dot(p, x[1]), pz = simplex_dot(p, x[2]);
  const f64xn xx = simplex_dot(x[0], x[0]), yy = simplex_dot(x[1], x[1]), zz = simplex_dot(x[2], x[2]);
  const f64xn xy = simplex_dot(x[0], x[1]), yz = simplex_dot(x[1], x[2]), zx = simplex_dot(x[2], x[0]);
  simplex_cross(x[0], x[1], n[0]);
  simplex_cross(x[1], x[2], n[1]);
  simplex_cross(x[2], x[0], n[2]);
  const f64xn volume = simplex_dot(n[0], x[2]);
  const f64xn h0 = simplex_dot(n[0], p), h1 = simplex_dot(n[1], p), h2 = simplex_dot(n[2], p);
  const f64xn_mask in0 = f64xn_less(none, h0 * volume), in1 = f64xn_less(none, h1 * volume),
               in2 = f64xn_less(none, h2 * volume);
  step.first = f64xn_and_not(simplex_over(px, py, xx, yy, xy), in0);
  step.second = f64xn_and_not(f64xn_and_not(simplex_over(py, pz, yy, zz, yz), in1), step.first);
  step.third = f64xn_and_not(f64xn_and_not(simplex_over(pz, px, zz, xx, zx), in2), f64xn_or(step.first, step.second));
  step.face = f64xn_or(f64xn_or(step.first, step.second), step.third);
  step.held = dim == 2 ? step.face : f64xn_and(f64xn_and(in0, in1), in2);
  simplex_edges e = {none, f64xn_all(1), {none, none, none}};
  const f64xn_mask e0 = simplex_edge(&e, px, xx, x[0]), e1 = simplex_edge(&e, py, yy, x[1]),
               e2 = simplex_edge(&e, pz, zz, x[2]);
  /* along the edge, or the normal of the face: d = base + along·num/den */
  f64xn normal[3], base[3];
  simplex_pick(step.second, n[1], n[0], normal);
  simplex_pick(step.third, n[2], normal, normal);
  const f64xn h = f64xn_select(step.third, h2, f64xn_select(step.second, h1, h0));
  const f64xn t = f64xn_select(step.face, h, none - e.num) / f64xn_select(step.face, simplex_dot(normal, normal), e.den);
  simplex_pick(step.face, normal, e.along, normal);
  for (int i = 0; i < 3; i++) base[i] = f64xn_select(step.face, none, p[i]);
  for (int i = 0; i < 3; i++) step.d[i] = base[i] + normal[i] * t;
  step.edge = f64xn_and_not(f64xn_or(f64xn_or(e0, e1), e2), step.face);
  const f64xn_mask last = f64xn_and(step.edge, e2), middle = f64xn_and_not(f64xn_and(step.edge, e1), e2);
  const f64xn_mask any = f64xn_and_not(f64xn_and_not(step.edge, last), middle);
  step.first = f64xn_or(step.first, any);
  step.second = f64xn_or(step.second, middle);
  step.third = f64xn_or(step.third, last);
  step.vv = simplex_dot(step.d, step.d);
  step.nearer = f64xn_less(step.vv, s->vv);
  return step;
}

/* The new point and what stays beside it, in the lanes of `take`. */
GRZ_TEMPLATE void simplex_keep(const simplex_step *step, f64xn_mask take, const f64xn point[3], f64xn slot[3][3]) {
  f64xn x[3], y[3];
  simplex_pick(step->second, slot[1], slot[0], x);
  simplex_pick(step->third, slot[2], x, x);
  simplex_pick(step->second, slot[2], slot[1], y);
  simplex_pick(step->third, slot[0], y, y);
  simplex_pick(take, point, slot[0], slot[0]);
  simplex_pick(take, x, slot[1], slot[1]);
  simplex_pick(take, y, slot[2], slot[2]);
}

GRZ_TEMPLATE void simplex_accept(simplex_lanes *s, const simplex_step *step, const f64xn w[3], const f64xn a[3],
                                 f64xn_mask take, const bool measure) {
  simplex_keep(step, take, w, s->w);
  if (measure) simplex_keep(step, take, a, s->a);
  s->has[0] = f64xn_or(s->has[0], take);
  s->has[1] = f64xn_or(f64xn_and_not(s->has[1], take), f64xn_and(take, f64xn_or(step->face, step->edge)));
  s->has[2] = f64xn_or(f64xn_and_not(s->has[2], take), f64xn_and(take, step->face));
  s->vv = f64xn_select(take, step->vv, s->vv);
}

/* Weights of the points, none of them negative, for the point nearest the origin. */
GRZ_TEMPLATE void simplex_weights(const simplex_lanes *s, f64xn weight[3]) {
  const f64xn none = f64xn_all(0), one = f64xn_all(1);
  f64xn x[3], y[3], p[3];
  for (int i = 0; i < 3; i++) {
    p[i] = none - s->w[0][i];
    x[i] = f64xn_select(s->has[1], s->w[1][i] - s->w[0][i], none);
    y[i] = f64xn_select(s->has[2], s->w[2][i] - s->w[0][i], none);
  }
  const f64xn px = simplex_dot(p, x), py = simplex_dot(p, y), xx = simplex_dot(x, x), yy = simplex_dot(y, y);
  const f64xn xy = simplex_dot(x, y);
  const f64xn num1 = f64xn_select(s->has[2], px * yy - py * xy, f64xn_select(s->has[1], px, none));
  const f64xn num2 = f64xn_select(s->has[2], py * xx - px * xy, none);
  const f64xn den = f64xn_select(s->has[2], xx * yy - xy * xy, f64xn_select(s->has[1], xx, one));
  weight[1] = f64xn_max(num1 / den, none), weight[2] = f64xn_max(num2 / den, none);
  weight[0] = f64xn_max(one - (weight[1] + weight[2]), none);
}

GRZ_TEMPLATE void simplex_mean(const f64xn slot[3][3], const f64xn weight[3], f64xn out[3]) {
  for (int i = 0; i < 3; i++) {
    out[i] = slot[0][i] * weight[0];
    out[i] = out[i] + f64xn_select(f64xn_less(f64xn_all(0), weight[1]), slot[1][i] * weight[1], f64xn_all(0));
    out[i] = out[i] + f64xn_select(f64xn_less(f64xn_all(0), weight[2]), slot[2][i] * weight[2], f64xn_all(0));
  }
}

/* The sign of det[x, y, z], points that may each be off by `error`: certify_det3() in narrow/certify.c. */
GRZ_TEMPLATE void simplex_side(const f64xn x[3], const f64xn y[3], const f64xn z[3], f64xn error, f64xn_mask *positive,
                               f64xn_mask *negative) {
  const f64xn lx = simplex_size1(x), ly = simplex_size1(y), lz = simplex_size1(z);
  f64xn cross[3];
  simplex_cross(x, y, cross);
  const f64xn det = simplex_dot(cross, z);
  const f64xn doubt = f64xn_all(1.01) * error * ((lx * ly + ly * lz) + lz * lx) + f64xn_all(16 * GRZ_U) * (lx * ly * lz);
  *positive = f64xn_less(doubt, det), *negative = f64xn_less(det, f64xn_all(0) - doubt);
}

/* The same in the plane: certify_det2(). */
GRZ_TEMPLATE void simplex_turn(const f64xn x[3], const f64xn y[3], f64xn error, f64xn_mask *left, f64xn_mask *right) {
  const f64xn lx = simplex_size1(x), ly = simplex_size1(y);
  const f64xn det = x[0] * y[1] - x[1] * y[0];
  const f64xn doubt = f64xn_all(1.01) * error * (lx + ly) + f64xn_all(8 * GRZ_U) * (lx * ly);
  *left = f64xn_less(doubt, det), *right = f64xn_less(det, f64xn_all(0) - doubt);
}

/* Does the simplex with the new point surely hold the origin inside? */
GRZ_TEMPLATE f64xn_mask simplex_holds(const simplex_lanes *s, const f64xn w[3], f64xn error, const int dim) {
  f64xn_mask left[4], right[4];
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
  return f64xn_or(f64xn_and(f64xn_and(left[0], left[1]), f64xn_and(left[2], left[3])),
                     f64xn_and(f64xn_and(right[0], right[1]), f64xn_and(right[2], right[3])));
}

#endif
