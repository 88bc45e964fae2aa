/* The simplex of GJK with SIMD: one simplex per SIMD element. A simplex has up to three old points and a new one, which
 * belongs to the nearest face. So only the Voronoi regions beside the new point are tested, unlike in narrow/simplex.h.
 * The results are proposals, which point_set_kernel.h proves. Compiled by kernels.c. */
#include "batch/job.h"

typedef struct simplex_set {
  f64xn w[3][3], a[3][3]; /* points of C, and the points of A that they come from */
  f64xn_mask has[3];      /* the point exists */
  f64xn vv;               /* |v|², v the point nearest to the origin */
} simplex_set;

/* The smallest face whose nearest point is v: the new point alone, an edge, or a triangle with older points. */
typedef struct simplex_step {
  f64xn_mask inside;                           /* the origin seems to be inside */
  f64xn_mask nearer;                           /* v is nearer than before */
  f64xn_mask edge, face, first, second, third; /* an edge or a triangle, and which one */
  f64xn d[3], vv;                              /* -v, and |v|² */
} simplex_step;

GRZ_TEMPLATE f64xn simplex_dot(const f64xn x[3], const f64xn y[3]) { return (x[0] * y[0] + x[1] * y[1]) + x[2] * y[2]; }

GRZ_TEMPLATE void simplex_cross(const f64xn x[3], const f64xn y[3], f64xn out[3]) {
  out[0] = x[1] * y[2] - x[2] * y[1];
  out[1] = x[2] * y[0] - x[0] * y[2];
  out[2] = x[0] * y[1] - x[1] * y[0];
}

GRZ_TEMPLATE f64xn simplex_norm1(const f64xn x[3]) { return (f64xn_abs(x[0]) + f64xn_abs(x[1])) + f64xn_abs(x[2]); }

/* Tests whether the origin projects into the triangle of the new point, x and y. px, py: dot products of x and y with
 * the vector from the new point to the origin. */
GRZ_TEMPLATE f64xn_mask simplex_projects_into(f64xn px, f64xn py, f64xn xx, f64xn yy, f64xn xy) {
  const f64xn zero = f64xn_all(0), s = px * yy - py * xy, t = py * xx - px * xy;
  return f64xn_and(f64xn_and(f64xn_less(zero, s), f64xn_less(zero, t)), f64xn_less(s + t, xx * yy - xy * xy));
}

GRZ_TEMPLATE void simplex_select(f64xn_mask p, const f64xn x[3], const f64xn y[3], f64xn out[3]) {
  for (int i = 0; i < 3; i++) out[i] = f64xn_select(p, x[i], y[i]);
}

/* The nearest of the three edges at the new point: num/den is the parameter of its nearest point. */
typedef struct simplex_edges {
  f64xn num, den, direction[3];
} simplex_edges;

GRZ_TEMPLATE f64xn_mask simplex_edge(simplex_edges *e, f64xn px, f64xn xx, const f64xn x[3]) {
  const f64xn_mask within = f64xn_and(f64xn_less(f64xn_all(0), px), f64xn_less(px, xx));
  const f64xn_mask better = f64xn_and(within, f64xn_less(e->num * e->num * xx, px * px * e->den));
  e->num = f64xn_select(better, px, e->num), e->den = f64xn_select(better, xx, e->den);
  simplex_select(better, x, e->direction, e->direction);
  return better;
}

/* Computes the point of the simplex with the new point w that is nearest to the origin. */
GRZ_TEMPLATE simplex_step simplex_advance(const simplex_set *s, const f64xn w[3], const int dim) {
  simplex_step step;
  const f64xn zero = f64xn_all(0);
  f64xn x[3][3], p[3], n[3][3];
  for (int i = 0; i < 3; i++) {
    p[i] = zero - w[i];
    for (int k = 0; k < 3; k++) x[k][i] = f64xn_select(s->has[k], s->w[k][i] - w[i], zero);
  }
  const f64xn px = simplex_dot(p, x[0]), py = simplex_dot(p, x[1]), pz = simplex_dot(p, x[2]);
  const f64xn xx = simplex_dot(x[0], x[0]), yy = simplex_dot(x[1], x[1]), zz = simplex_dot(x[2], x[2]);
  const f64xn xy = simplex_dot(x[0], x[1]), yz = simplex_dot(x[1], x[2]), zx = simplex_dot(x[2], x[0]);
  simplex_cross(x[0], x[1], n[0]);
  simplex_cross(x[1], x[2], n[1]);
  simplex_cross(x[2], x[0], n[2]);
  const f64xn volume = simplex_dot(n[0], x[2]);
  const f64xn h0 = simplex_dot(n[0], p), h1 = simplex_dot(n[1], p), h2 = simplex_dot(n[2], p);
  const f64xn_mask in0 = f64xn_less(zero, h0 * volume), in1 = f64xn_less(zero, h1 * volume),
                   in2 = f64xn_less(zero, h2 * volume);
  step.first = f64xn_and_not(simplex_projects_into(px, py, xx, yy, xy), in0);
  step.second = f64xn_and_not(f64xn_and_not(simplex_projects_into(py, pz, yy, zz, yz), in1), step.first);
  step.third =
      f64xn_and_not(f64xn_and_not(simplex_projects_into(pz, px, zz, xx, zx), in2), f64xn_or(step.first, step.second));
  step.face = f64xn_or(f64xn_or(step.first, step.second), step.third);
  step.inside = dim == 2 ? step.face : f64xn_and(f64xn_and(in0, in1), in2);
  simplex_edges e = {zero, f64xn_all(1), {zero, zero, zero}};
  const f64xn_mask e0 = simplex_edge(&e, px, xx, x[0]), e1 = simplex_edge(&e, py, yy, x[1]),
                   e2 = simplex_edge(&e, pz, zz, x[2]);
  /* Direction: the edge, or the normal of the triangle; d = base + direction·num/den. */
  f64xn normal[3], base[3];
  simplex_select(step.second, n[1], n[0], normal);
  simplex_select(step.third, n[2], normal, normal);
  const f64xn h = f64xn_select(step.third, h2, f64xn_select(step.second, h1, h0));
  const f64xn t =
      f64xn_select(step.face, h, zero - e.num) / f64xn_select(step.face, simplex_dot(normal, normal), e.den);
  simplex_select(step.face, normal, e.direction, normal);
  for (int i = 0; i < 3; i++) base[i] = f64xn_select(step.face, zero, p[i]);
  for (int i = 0; i < 3; i++) step.d[i] = base[i] + normal[i] * t;
  step.edge = f64xn_and_not(f64xn_or(f64xn_or(e0, e1), e2), step.face);
  const f64xn_mask last = f64xn_and(step.edge, e2), middle = f64xn_and_not(f64xn_and(step.edge, e1), e2);
  const f64xn_mask other = f64xn_and_not(f64xn_and_not(step.edge, last), middle);
  step.first = f64xn_or(step.first, other);
  step.second = f64xn_or(step.second, middle);
  step.third = f64xn_or(step.third, last);
  step.vv = simplex_dot(step.d, step.d);
  step.nearer = f64xn_less(step.vv, s->vv);
  return step;
}

/* Replaces the points of the simplex by the new point and the older points of the step, where `where` is set. */
GRZ_TEMPLATE void simplex_replace(const simplex_step *step, f64xn_mask where, const f64xn point[3], f64xn slot[3][3]) {
  f64xn x[3], y[3];
  simplex_select(step->second, slot[1], slot[0], x);
  simplex_select(step->third, slot[2], x, x);
  simplex_select(step->second, slot[2], slot[1], y);
  simplex_select(step->third, slot[0], y, y);
  simplex_select(where, point, slot[0], slot[0]);
  simplex_select(where, x, slot[1], slot[1]);
  simplex_select(where, y, slot[2], slot[2]);
}

GRZ_TEMPLATE void simplex_accept(simplex_set *s, const simplex_step *step, const f64xn w[3], const f64xn a[3],
                                 f64xn_mask where, const bool measure) {
  simplex_replace(step, where, w, s->w);
  if (measure) simplex_replace(step, where, a, s->a);
  s->has[0] = f64xn_or(s->has[0], where);
  s->has[1] = f64xn_or(f64xn_and_not(s->has[1], where), f64xn_and(where, f64xn_or(step->face, step->edge)));
  s->has[2] = f64xn_or(f64xn_and_not(s->has[2], where), f64xn_and(where, step->face));
  s->vv = f64xn_select(where, step->vv, s->vv);
}

/* Computes the barycentric coordinates of the point nearest to the origin, clamped to >= 0. */
GRZ_TEMPLATE void simplex_weights(const simplex_set *s, f64xn weight[3]) {
  const f64xn zero = f64xn_all(0), one = f64xn_all(1);
  f64xn x[3], y[3], p[3];
  for (int i = 0; i < 3; i++) {
    p[i] = zero - s->w[0][i];
    x[i] = f64xn_select(s->has[1], s->w[1][i] - s->w[0][i], zero);
    y[i] = f64xn_select(s->has[2], s->w[2][i] - s->w[0][i], zero);
  }
  const f64xn px = simplex_dot(p, x), py = simplex_dot(p, y), xx = simplex_dot(x, x), yy = simplex_dot(y, y);
  const f64xn xy = simplex_dot(x, y);
  const f64xn num1 = f64xn_select(s->has[2], px * yy - py * xy, f64xn_select(s->has[1], px, zero));
  const f64xn num2 = f64xn_select(s->has[2], py * xx - px * xy, zero);
  const f64xn den = f64xn_select(s->has[2], xx * yy - xy * xy, f64xn_select(s->has[1], xx, one));
  weight[1] = f64xn_max(num1 / den, zero), weight[2] = f64xn_max(num2 / den, zero);
  weight[0] = f64xn_max(one - (weight[1] + weight[2]), zero);
}

/* Computes the combination of the points. A weight of 0 excludes a point, whose numbers may be undefined. */
GRZ_TEMPLATE void simplex_combine(const f64xn slot[3][3], const f64xn weight[3], f64xn out[3]) {
  for (int i = 0; i < 3; i++) {
    out[i] = slot[0][i] * weight[0];
    out[i] = out[i] + f64xn_select(f64xn_less(f64xn_all(0), weight[1]), slot[1][i] * weight[1], f64xn_all(0));
    out[i] = out[i] + f64xn_select(f64xn_less(f64xn_all(0), weight[2]), slot[2][i] * weight[2], f64xn_all(0));
  }
}

/* The sign of det[x, y, z] of points with an error of up to `error` each; a filter as in narrow/certify.c. */
GRZ_TEMPLATE void simplex_orient3(const f64xn x[3], const f64xn y[3], const f64xn z[3], f64xn error,
                                  f64xn_mask *positive, f64xn_mask *negative) {
  const f64xn lx = simplex_norm1(x), ly = simplex_norm1(y), lz = simplex_norm1(z);
  f64xn cross[3];
  simplex_cross(x, y, cross);
  const f64xn det = simplex_dot(cross, z);
  const f64xn error_bound =
      f64xn_all(1.01) * error * ((lx * ly + ly * lz) + lz * lx) + f64xn_all(16 * GRZ_U) * (lx * ly * lz);
  *positive = f64xn_less(error_bound, det), *negative = f64xn_less(det, f64xn_all(0) - error_bound);
}

/* The sign of det[x, y] in 2D. */
GRZ_TEMPLATE void simplex_orient2(const f64xn x[3], const f64xn y[3], f64xn error, f64xn_mask *left,
                                  f64xn_mask *right) {
  const f64xn lx = simplex_norm1(x), ly = simplex_norm1(y);
  const f64xn det = x[0] * y[1] - x[1] * y[0];
  const f64xn error_bound = f64xn_all(1.01) * error * (lx + ly) + f64xn_all(8 * GRZ_U) * (lx * ly);
  *left = f64xn_less(error_bound, det), *right = f64xn_less(det, f64xn_all(0) - error_bound);
}

/* Tests whether the simplex with the new point certainly contains the origin in its interior. */
GRZ_TEMPLATE f64xn_mask simplex_contains_origin(const simplex_set *s, const f64xn w[3], f64xn error, const int dim) {
  f64xn_mask left[4], right[4];
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
  return f64xn_or(f64xn_and(f64xn_and(left[0], left[1]), f64xn_and(left[2], left[3])),
                  f64xn_and(f64xn_and(right[0], right[1]), f64xn_and(right[2], right[3])));
}
