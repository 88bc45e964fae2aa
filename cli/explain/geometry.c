#include "explain/geometry.h"

#include <math.h>

double geometry_largest(graze_vec v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

double vec_norm(graze_vec v) {
  double most = geometry_largest(v);
  if (!(most > 0) || !isfinite(most)) return most;
  v = (graze_vec){v.x / most, v.y / most, v.z / most};
  return most * sqrt(vec_dot(v, v));
}

graze_vec vec_unit(graze_vec v) {
  double most = geometry_largest(v);
  if (!(most > 0) || !isfinite(most)) return (graze_vec){0, 0, 0};
  v = (graze_vec){v.x / most, v.y / most, v.z / most};
  double length = sqrt(vec_dot(v, v));
  return (graze_vec){v.x / length, v.y / length, v.z / length};
}

static graze_vec turn(const graze_pose *pose, graze_vec v) {
  double most = fmax(fmax(fabs(pose->w), fabs(pose->x)), fmax(fabs(pose->y), fabs(pose->z)));
  double w = pose->w / most;
  graze_vec u = {pose->x / most, pose->y / most, pose->z / most};
  graze_vec t = vec_scale(vec_cross(u, v), 2 / (w * w + vec_dot(u, u)));
  return vec_add(v, vec_add(vec_scale(t, w), vec_cross(u, t)));
}

static graze_vec place(const graze_pose *pose, graze_vec v) { return vec_add(turn(pose, v), pose->position); }

graze_vec body_point(const story_body *body, graze_vec local) {
  graze_vec v = place(&body->placed.pose, local);
  return body->is_part ? place(&body->frame, v) : v;
}

graze_vec body_direction(const story_body *body, graze_vec local) {
  graze_vec v = turn(&body->placed.pose, local);
  return body->is_part ? turn(&body->frame, v) : v;
}

graze_vec geometry_corner(const graze_shape *shape, size_t index) {
  graze_vec e = shape->extents, none = {0, 0, 0};
  double half = index == 0 ? -shape->half_length : shape->half_length;
  switch (shape->kind) {
  case GRAZE_SEGMENT:
  case GRAZE_TRIANGLE: return shape->corners[index];
  case GRAZE_BOX: return (graze_vec){index & 1 ? e.x : -e.x, index & 2 ? e.y : -e.y, index & 4 ? e.z : -e.z};
  case GRAZE_POLYGON:
  case GRAZE_HULL: return shape->vertices[index];
  case GRAZE_CAPSULE: return shape->dim == 2 ? (graze_vec){half, 0, 0} : (graze_vec){0, 0, half};
  default: return none;
  }
}

double geometry_radius(const story_body *body) {
  const graze_shape *s = &body->placed.shape;
  double core = s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE ? s->radius : 0;
  return core + s->margin + (body->is_part ? body->whole->shape.margin : 0);
}

graze_vec geometry_parent(const story_body *body, int32_t index, graze_vec named) {
  const graze_shape *shape = &body->placed.shape;
  bool vertex = index >= 0 && (size_t)index < cli_corner_count(shape);
  return body_point(body, vertex ? geometry_corner(shape, (size_t)index) : named);
}

/* Our own sine and cosine: the same on every machine. */
static graze_vec on_circle(int index, int count) {
  double cosine, sine;
  graze_half_angle(2 * 6.283185307179586 * index / count, &cosine, &sine);
  return (graze_vec){cosine, sine, 0};
}

size_t geometry_directions(int dim, graze_vec directions[GEOMETRY_MOST_DIRECTIONS]) {
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

/* Solves the symmetric system of `n` <= 3 rows by elimination with pivots; false where it is singular. */
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

/* The point of the affine hull of the points in the mask that lies nearest the origin; false where they are dependent,
 * or it is not in their hull. */
static bool project(const graze_vec *points, unsigned mask, double weights[6], graze_vec *nearest) {
  int index[4], count = 0;
  double m[3][4], x[3] = {0, 0, 0}, rest = 1;
  for (int i = 0; i < 6; i++) {
    weights[i] = 0;
    if (mask >> i & 1) index[count++] = i;
  }
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
    *nearest = vec_add(*nearest, vec_scale(vec_sub(points[index[i]], first), x[i - 1]));
  }
  weights[index[0]] = rest;
  for (int i = 0; i < count; i++)
    if (!(weights[index[i]] >= 0)) return false;
  return true;
}

static int bits(unsigned mask) {
  int count = 0;
  for (; mask; mask &= mask - 1) count++;
  return count;
}

static double size_of(const graze_vec *points, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, geometry_largest(points[i]));
  return most > 0 && isfinite(most) ? most : 1;
}

/* At size 1, where squares neither vanish nor overflow. */
graze_vec geometry_nearest(const graze_vec *points, int count, int dim, double weights[6]) {
  double tried[6], least = INFINITY, size = size_of(points, count);
  graze_vec scaled[6] = {{0, 0, 0}}, nearest;
  for (int i = 0; i < count; i++) scaled[i] = (graze_vec){points[i].x / size, points[i].y / size, points[i].z / size};
  graze_vec best = scaled[0];
  for (int i = 0; i < count; i++) weights[i] = i == 0;
  for (unsigned mask = 1; mask < 1u << count; mask++) {
    if (bits(mask) > dim + 1 || !project(scaled, mask, tried, &nearest)) continue;
    double square = vec_dot(nearest, nearest);
    if (!(square < least)) continue;
    least = square;
    best = nearest;
    for (int i = 0; i < count; i++) weights[i] = tried[i];
  }
  return vec_scale(best, size);
}
