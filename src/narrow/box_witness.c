#include "narrow/box_witness.h"

/* Clipping a quadrilateral by 4 lines: 8 corners, or 20 where rounding dents the polygon and each line adds half. */
#define BOX_POLYGON 20

typedef struct box_polygon {
  int count;
  double corner[BOX_POLYGON][3];
} box_polygon;

static inline double box_clamp(double x, double limit) { return x < -limit ? -limit : x > limit ? limit : x; }
static inline double box_dot(const double x[3], const double y[3]) { return (x[0] * y[0] + x[1] * y[1]) + x[2] * y[2]; }

/* The point of A nearest to x, which may be the same array. */
static void box_nearest_of_a(const box_pair *p, const double x[3], double nearest[3]) {
  for (int i = 0; i < 3; i++) nearest[i] = box_clamp(x[i], p->a[i]);
}

static void box_nearest_of_b(const box_pair *p, const double x[3], double nearest[3]) {
  double from[3] = {x[0] - p->t[0], x[1] - p->t[1], x[2] - p->t[2]}, y[3];
  for (int j = 0; j < 3; j++) y[j] = box_clamp(box_dot(from, p->m[j]), p->b[j]);
  for (int i = 0; i < 3; i++) nearest[i] = p->t[i] + ((p->m[0][i] * y[0] + p->m[1][i] * y[1]) + p->m[2][i] * y[2]);
}

/* Tied axes may put the foot outside their features, by little as A and B see it: each box takes it back in turn. */
static void box_settle(const box_pair *p, const double n[3], double depth, double tie, double on_a[3], double on_b[3]) {
  double f[3] = {n[0] * depth, n[1] * depth, n[2] * depth}, back[3];
  for (int pass = 0; pass < 4; pass++) {
    double off = 0;
    for (int i = 0; i < 3; i++) off = real_max(off, real_abs((on_a[i] - on_b[i]) - f[i]));
    if (off <= tie) return;
    for (int i = 0; i < 3; i++) back[i] = on_a[i] - f[i];
    box_nearest_of_b(p, back, on_b);
    for (int i = 0; i < 3; i++) back[i] = on_b[i] + f[i];
    box_nearest_of_a(p, back, on_a);
  }
}

/* The part of a polygon where sign·x_k <= limit (Sutherland, Hodgman 1974). */
static void box_clip(const box_polygon *in, int k, double sign, double limit, box_polygon *out) {
  out->count = 0;
  for (int c = 0; c < in->count; c++) {
    const double *p = in->corner[c], *q = in->corner[c + 1 < in->count ? c + 1 : 0];
    double p_over = sign * p[k] - limit, q_over = sign * q[k] - limit;
    if (p_over <= 0) {
      for (int i = 0; i < 3; i++) out->corner[out->count][i] = p[i];
      out->count++;
    }
    if ((p_over <= 0) == (q_over <= 0)) continue;
    double s = p_over / (p_over - q_over);
    for (int i = 0; i < 3; i++) out->corner[out->count][i] = p[i] + s * (q[i] - p[i]);
    out->corner[out->count++][k] = sign * limit;
  }
}

/* The face of B that looks most against the axis. */
static void box_incident_face(const box_pair *p, int i, double sign, box_polygon *face) {
  int j = 0;
  for (int other = 1; other < 3; other++)
    if (real_abs(p->m[other][i]) > real_abs(p->m[j][i])) j = other;
  const int k = (j + 1) % 3, l = (j + 2) % 3;
  double side = sign * p->m[j][i] > 0 ? -p->b[j] : p->b[j];
  static const double corner_k[4] = {-1, 1, 1, -1}, corner_l[4] = {-1, -1, 1, 1};
  face->count = 4;
  for (int c = 0; c < 4; c++) {
    double y_k = corner_k[c] * p->b[k], y_l = corner_l[c] * p->b[l];
    for (int x = 0; x < 3; x++)
      face->corner[c][x] = p->t[x] + ((p->m[j][x] * side + p->m[k][x] * y_k) + p->m[l][x] * y_l);
  }
}

/* The mean of the deepest corners. */
static void box_deepest(const box_polygon *polygon, int i, double sign, double tie, double mean[3]) {
  double deepest = sign * polygon->corner[0][i], count = 0;
  for (int c = 1; c < polygon->count; c++) deepest = real_min(deepest, sign * polygon->corner[c][i]);
  mean[0] = mean[1] = mean[2] = 0;
  for (int c = 0; c < polygon->count; c++) {
    if (sign * polygon->corner[c][i] > deepest + tie) continue;
    for (int x = 0; x < 3; x++) mean[x] += polygon->corner[c][x];
    count++;
  }
  for (int x = 0; x < 3; x++) mean[x] /= count;
}

void grz_box_face_points(const box_pair *p, int i, double sign, double tie, double on_a[3], double on_b[3]) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  bool tied = false;
  double depth = p->a[i] - sign * p->t[i];
  for (int x = 0; x < 3; x++) on_b[x] = p->t[x];
  for (int j = 0; j < 3; j++) {
    double along = sign * p->m[j][i], y = along > 0 ? -p->b[j] : p->b[j];
    tied = tied || (real_abs(along) * p->b[j] <= tie && p->b[j] > tie);
    depth -= along * y;
    for (int x = 0; x < 3; x++) on_b[x] += p->m[j][x] * y;
  }
  bool above = real_abs(on_b[k]) <= p->a[k] && real_abs(on_b[l]) <= p->a[l];
  if (tied || !above) {
    box_polygon polygon, clipped;
    box_incident_face(p, i, sign, &polygon);
    box_clip(&polygon, k, 1, p->a[k], &clipped);
    box_clip(&clipped, k, -1, p->a[k], &polygon);
    box_clip(&polygon, l, 1, p->a[l], &clipped);
    box_clip(&clipped, l, -1, p->a[l], &polygon);
    if (polygon.count > 0) box_deepest(&polygon, i, sign, tie, on_b);
  }
  on_a[k] = box_clamp(on_b[k], p->a[k]), on_a[l] = box_clamp(on_b[l], p->a[l]), on_a[i] = sign * p->a[i];
  if (tied || !above) {
    double n[3] = {0, 0, 0};
    n[i] = sign;
    box_settle(p, n, depth, 4 * tie, on_a, on_b);
  }
}

/* All is looked at along axis i of A, where its edge is a point and m_j's is short when they are nearly parallel: the
 * place y on that has an error of u·size/|e_i × m_j|, and the point in space one of u·size. */
void grz_box_edge_points(const box_pair *p, int i, int j, const double n[3], double depth, double tie, double on_a[3],
                         double on_b[3]) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  const double *m = p->m[j];
  on_a[k] = n[k] > 0 ? p->a[k] : -p->a[k];
  on_a[l] = n[l] > 0 ? p->a[l] : -p->a[l];
  for (int x = 0; x < 3; x++) on_b[x] = p->t[x];
  for (int other = 0; other < 3; other++) {
    if (other == j) continue;
    double y = box_dot(n, p->m[other]) > 0 ? -p->b[other] : p->b[other];
    for (int x = 0; x < 3; x++) on_b[x] += p->m[other][x] * y;
  }
  double to_k = (on_a[k] - n[k] * depth) - on_b[k], to_l = (on_a[l] - n[l] * depth) - on_b[l];
  double y = box_clamp((to_k * m[k] + to_l * m[l]) / (m[k] * m[k] + m[l] * m[l]), p->b[j]);
  for (int x = 0; x < 3; x++) on_b[x] += m[x] * y;
  on_a[i] = box_clamp(on_b[i], p->a[i]);
  box_settle(p, n, depth, 4 * tie, on_a, on_b);
}
