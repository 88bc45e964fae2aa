/* Rounded vector arithmetic, for display only. */
#include "explain/geometry.h"

#include <math.h>

double vec_norm_inf(graze_vec v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

double vec_norm(graze_vec v) {
  double most = vec_norm_inf(v);
  if (!(most > 0) || !isfinite(most)) return most;
  v = (graze_vec){v.x / most, v.y / most, v.z / most};
  return most * sqrt(vec_dot(v, v));
}

graze_vec vec_unit(graze_vec v) {
  double most = vec_norm_inf(v);
  if (!(most > 0) || !isfinite(most)) return (graze_vec){0, 0, 0};
  v = (graze_vec){v.x / most, v.y / most, v.z / most};
  double length = sqrt(vec_dot(v, v));
  return (graze_vec){v.x / length, v.y / length, v.z / length};
}

/* Coordinates beyond 1e300 are ignored, so that differences do not overflow. */
void bounds_add(bounds *box, graze_vec p) {
  if (!(fabs(p.x) <= 1e300 && fabs(p.y) <= 1e300)) return;
  if (!box->any) *box = (bounds){p, p, true};
  box->low = (graze_vec){fmin(box->low.x, p.x), fmin(box->low.y, p.y), fmin(box->low.z, p.z)};
  box->high = (graze_vec){fmax(box->high.x, p.x), fmax(box->high.y, p.y), fmax(box->high.z, p.z)};
}

void bounds_add_mesh(bounds *box, const story_mesh *mesh) {
  for (size_t i = 0; mesh->kind == STORY_MESH_SOLID && i < mesh->point_count; i++) bounds_add(box, mesh->points[i]);
}

double bounds_size(const bounds *box) { return vec_norm_inf(vec_sub(box->high, box->low)); }

/* ---- Bodies */

static graze_vec rotate(const graze_pose *pose, graze_vec v) {
  double most = fmax(fmax(fabs(pose->w), fabs(pose->x)), fmax(fabs(pose->y), fabs(pose->z)));
  double w = pose->w / most;
  graze_vec u = {pose->x / most, pose->y / most, pose->z / most};
  graze_vec t = vec_scale(vec_cross(u, v), 2 / (w * w + vec_dot(u, u)));
  return vec_add(v, vec_add(vec_scale(t, w), vec_cross(u, t)));
}

graze_vec body_point(const story_body *body, graze_vec local) {
  graze_vec v = vec_add(rotate(&body->placed.pose, local), body->placed.pose.position);
  return body->is_part ? vec_add(rotate(&body->frame, v), body->frame.position) : v;
}

graze_vec body_direction(const story_body *body, graze_vec local) {
  graze_vec v = rotate(&body->placed.pose, local);
  return body->is_part ? rotate(&body->frame, v) : v;
}

double body_radius(const story_body *body) {
  const graze_shape *s = &body->placed.shape;
  double core = s->kind == GRAZE_SPHERE ? s->as.sphere.radius : s->kind == GRAZE_CAPSULE ? s->as.capsule.radius : 0;
  return core + s->margin + (body->is_part ? body->whole->shape.margin : 0);
}

graze_cso_point cso_point_of(const story *s, const graze_pair *pair, const graze_vec *points) {
  graze_cso_point w = {.a = pair->a >= 0 ? pair->a : -1, .b = pair->b >= 0 ? pair->b : -1};
  w.point_a = w.a >= 0 ? graze_vertex(&s->a.placed.shape, (size_t)w.a) : points[-1 - pair->a];
  w.point_b = w.b >= 0 ? graze_vertex(&s->b.placed.shape, (size_t)w.b) : points[-1 - pair->b];
  w.point = vec_sub(body_point(&s->a, w.point_a), body_point(&s->b, w.point_b));
  return w;
}

static bool vec_equal(graze_vec u, graze_vec v) { return u.x == v.x && u.y == v.y && u.z == v.z; }

bool cso_point_equal(const graze_cso_point *p, const graze_cso_point *q) {
  if (p->a != q->a || p->b != q->b) return false;
  return (p->a >= 0 || vec_equal(p->point_a, q->point_a)) && (p->b >= 0 || vec_equal(p->point_b, q->point_b));
}

/* Points are named in order of time, so a search from the end is short. */
int32_t story_find(const story *s, const graze_cso_point *w) {
  for (size_t i = s->point_count; i-- > 0;)
    if (cso_point_equal(&s->points[i].w, w)) return (int32_t)i;
  return -1;
}

int32_t story_find_pair(const story *s, const graze_pair *pair, const graze_vec *points) {
  const graze_cso_point w = cso_point_of(s, pair, points);
  return story_find(s, &w);
}

/* ---- Directions */

/* Graze's own sine and cosine, which have the same bits on every machine. */
static graze_vec on_circle(int index, int count) {
  double cosine, sine;
  graze_half_angle(2 * 6.283185307179586 * index / count, &cosine, &sine);
  return (graze_vec){cosine, sine, 0};
}

size_t even_directions(int dim, graze_vec directions[MAX_DIRECTIONS]) {
  enum { AROUND = 96, LONGITUDES = 24, LATITUDES = 11 };
  size_t count = 0;
  if (dim == 2) {
    for (int i = 0; i < AROUND; i++) directions[count++] = on_circle(i, AROUND);
    return count;
  }
  for (int k = 1; k <= LATITUDES; k++) {
    graze_vec height = on_circle(k, 2 * (LATITUDES + 1)); /* from the pole */
    for (int i = 0; i < LONGITUDES; i++) {
      graze_vec d = on_circle(i, LONGITUDES);
      directions[count++] = (graze_vec){height.y * d.x, height.y * d.y, height.x};
    }
  }
  directions[count++] = (graze_vec){0, 0, 1};
  directions[count++] = (graze_vec){0, 0, -1};
  return count;
}

/* ---- The nearest point of a hull: the best projection of the origin onto all faces */

/* Gaussian elimination with pivoting of n <= 3 equations; false if singular. */
static bool solve(double m[3][4], int n, double *x) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
    if (!(fabs(m[best][k]) > 0)) return false;
    for (int j = k; j <= n; j++) {
      double kept = m[k][j];
      m[k][j] = m[best][j];
      m[best][j] = kept;
    }
    for (int i = k + 1; i < n; i++)
      for (int j = n; j >= k; j--) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  }
  for (int k = n - 1; k >= 0; k--) {
    x[k] = m[k][n];
    for (int j = k + 1; j < n; j++) x[k] -= m[k][j] * x[j];
    x[k] /= m[k][k];
  }
  return true;
}

/* Projects the origin onto the affine hull of the points in the mask. False if these are dependent, if there are more
 * than dim + 1, or if the projection lies outside their convex hull. */
static bool project_origin(const graze_vec *points, unsigned mask, int dim, double weights[6], graze_vec *nearest) {
  int index[6], count = 0;
  double m[3][4], x[3] = {0, 0, 0}, rest = 1;
  for (int i = 0; i < 6; i++) {
    weights[i] = 0;
    if (mask >> i & 1) index[count++] = i;
  }
  if (count > dim + 1) return false;
  graze_vec first = points[index[0]];
  for (int i = 1; i < count; i++) {
    graze_vec e = vec_sub(points[index[i]], first);
    for (int j = 1; j < count; j++) m[i - 1][j - 1] = vec_dot(e, vec_sub(points[index[j]], first));
    m[i - 1][count - 1] = -vec_dot(e, first);
  }
  if (!solve(m, count - 1, x)) return false;
  *nearest = first;
  for (int i = 1; i < count; i++) {
    weights[index[i]] = x[i - 1];
    rest -= x[i - 1];
    *nearest = vec_mad(*nearest, x[i - 1], vec_sub(points[index[i]], first));
  }
  weights[index[0]] = rest;
  for (int i = 0; i < count; i++)
    if (!(weights[index[i]] >= 0)) return false;
  return true;
}

graze_vec nearest_of_hull(const graze_vec *points, int count, int dim, double weights[6]) {
  double size = 0, tried[6], least = INFINITY;
  graze_vec scaled[6] = {{0, 0, 0}}, nearest;
  for (int i = 0; i < count; i++) size = fmax(size, vec_norm_inf(points[i]));
  if (!(size > 0) || !isfinite(size)) size = 1;
  /* Scaled to size 1, squares neither overflow nor underflow. */
  for (int i = 0; i < count; i++) scaled[i] = (graze_vec){points[i].x / size, points[i].y / size, points[i].z / size};
  graze_vec best = scaled[0];
  for (int i = 0; i < count; i++) weights[i] = i == 0;
  for (unsigned mask = 1; mask < 1u << count; mask++) {
    if (!project_origin(scaled, mask, dim, tried, &nearest)) continue;
    double square = vec_dot(nearest, nearest);
    if (!(square < least)) continue;
    least = square;
    best = nearest;
    for (int i = 0; i < count; i++) weights[i] = tried[i];
  }
  return vec_scale(best, size);
}
