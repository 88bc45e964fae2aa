/* Reads shapes, poses and numbers from arbitrary bytes. Numbers range from lattice coordinates, which cause degenerate
 * cases, to raw bits. */
#ifndef FUZZ_BYTES_H
#define FUZZ_BYTES_H

#include <graze/graze.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MAX_VERTICES = 16 };

typedef struct bytes {
  const uint8_t *data;
  size_t size;
  int numbers; /* the format of numbers, see next_number() */
} bytes;

static inline uint8_t next_byte(bytes *in) {
  if (in->size == 0) return 0;
  in->size--;
  return *in->data++;
}

static inline double raw_number(bytes *in) {
  uint8_t raw[8];
  double x;
  for (int i = 0; i < 8; i++) raw[i] = next_byte(in);
  memcpy(&x, raw, sizeof x);
  return x;
}

/* Formats: 0: multiples of 1/4; 1: some of them one ulp off; 2: times powers of two; 3: raw bits. */
static inline double next_number(bytes *in) {
  if (in->numbers == 3) return raw_number(in);
  uint8_t byte = next_byte(in);
  double x = (int8_t)byte % 16 * 0.25;
  if (in->numbers == 1 && byte >> 6 == 1) x = nextafter(x, byte & 32 ? 1e9 : -1e9);
  if (in->numbers == 2) x = ldexp(x, (int8_t)next_byte(in));
  return x;
}

static inline double next_size(bytes *in) { return fabs(next_number(in)); }

static inline graze_vec next_vec(bytes *in, int dim) {
  graze_vec v = {0, 0, 0};
  v.x = next_number(in);
  v.y = next_number(in);
  if (dim == 3) v.z = next_number(in);
  return v;
}

/* The support function of a ball, with a bound of its rounding error. */
static inline double ball_support(void *context, graze_vec d, graze_vec *point) {
  const double radius = *(const double *)context;
  double largest = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
  graze_vec u = {d.x / largest, d.y / largest, d.z / largest};
  double f = radius * (1 - 0x1p-48) / sqrt(u.x * u.x + u.y * u.y + u.z * u.z);
  *point = (graze_vec){u.x * f, u.y * f, u.z * f};
  return radius * 0x1p-47 + 1e-300;
}

static inline graze_shape next_points(bytes *in, int dim, bool polygon, graze_vec vertices[MAX_VERTICES]) {
  size_t count = 1 + next_byte(in) % MAX_VERTICES;
  for (size_t i = 0; i < count; i++) vertices[i] = next_vec(in, dim);
  if (polygon && dim == 2) return graze_polygon(vertices, count);
  return dim == 2 ? graze_hull_points2(vertices, count) : graze_hull_points(vertices, count);
}

static inline graze_shape next_core(bytes *in, int dim, int kind, graze_vec vertices[MAX_VERTICES], double *radius) {
  double x, y;
  switch (kind) {
  case 0: return dim == 2 ? graze_point2() : graze_point();
  case 1:
    vertices[0] = next_vec(in, dim), vertices[1] = next_vec(in, dim);
    return dim == 2 ? graze_segment2(vertices[0], vertices[1]) : graze_segment(vertices[0], vertices[1]);
  case 2:
    vertices[0] = next_vec(in, dim), vertices[1] = next_vec(in, dim), vertices[2] = next_vec(in, dim);
    return dim == 2 ? graze_triangle2(vertices[0], vertices[1], vertices[2])
                    : graze_triangle(vertices[0], vertices[1], vertices[2]);
  case 3: x = next_size(in), y = next_size(in); return dim == 2 ? graze_box2(x, y) : graze_box(x, y, next_size(in));
  case 4: return dim == 2 ? graze_circle(next_size(in)) : graze_sphere(next_size(in));
  case 5: x = next_size(in); return dim == 2 ? graze_capsule2(x, next_size(in)) : graze_capsule(x, next_size(in));
  case 6:
    x = next_size(in), y = next_size(in);
    return dim == 2 ? graze_ellipse(x, y) : graze_ellipsoid(x, y, next_size(in));
  case 7: x = next_size(in); return dim == 2 ? graze_ellipse(x, x) : graze_cylinder(x, next_size(in));
  case 8: x = next_size(in); return dim == 2 ? graze_ellipse(x, x) : graze_cone(x, next_size(in));
  case 9:
    vertices[0] = next_vec(in, dim);
    x = next_number(in);
    return dim == 2 ? graze_halfspace2(vertices[0], x) : graze_halfspace(vertices[0], x);
  case 10:
    *radius = fmin(next_size(in), 1e30);
    if (!(*radius >= 0)) *radius = 1;
    return graze_user(dim, ball_support, radius);
  default: return next_points(in, dim, kind == 11, vertices);
  }
}

static inline graze_shape next_shape(bytes *in, int dim, graze_vec vertices[MAX_VERTICES], double *radius) {
  uint8_t byte = next_byte(in);
  graze_shape shape = next_core(in, dim, byte % 16, vertices, radius);
  return byte & 128 ? graze_with_margin(shape, next_size(in)) : shape;
}

static inline graze_pose next_pose(bytes *in, int dim) {
  graze_pose pose = graze_pose_at(0, 0, 0);
  pose.position = next_vec(in, dim);
  uint8_t byte = next_byte(in);
  if (byte < 64) return pose;
  if (byte < 160) { /* a rotation of the lattice */
    pose.w = (byte & 1) + 1, pose.z = byte >> 1 & 1;
    if (dim == 3) pose.x = byte >> 2 & 1, pose.y = -(byte >> 3 & 1);
    return pose;
  }
  pose.w = next_number(in), pose.z = next_number(in);
  if (dim == 3) pose.x = next_number(in), pose.y = next_number(in);
  return pose;
}

/* A query: two placed shapes and options. The shapes point to the vertices inside it. */
typedef struct query {
  graze_vec vertices_a[MAX_VERTICES], vertices_b[MAX_VERTICES];
  double radius_a, radius_b;
  graze_placed a, b;
  graze_options options;
} query;

static inline void next_query(bytes *in, query *s) {
  uint8_t head = next_byte(in);
  int dim = head & 1 ? 2 : 3;
  in->numbers = head >> 1 & 3;
  s->radius_a = s->radius_b = 1;
  s->options = graze_default_options();
  graze_shape a = next_shape(in, dim, s->vertices_a, &s->radius_a),
              b = next_shape(in, dim, s->vertices_b, &s->radius_b);
  s->a = graze_place(&a, next_pose(in, dim));
  s->b = graze_place(&b, next_pose(in, dim));
  if (head & 8) s->options.clearance = fmin(next_size(in), GRAZE_LARGEST);
  if (!(s->options.clearance >= 0)) s->options.clearance = 0;
  if (head & 16) s->options.max_iterations = 1 + next_byte(in) % 16;
  if (head & 32) s->options.tolerance = fmin(next_size(in), GRAZE_LARGEST);
  if (!(s->options.tolerance >= 0)) s->options.tolerance = 0;
}

#endif
