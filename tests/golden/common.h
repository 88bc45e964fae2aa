/* Random queries and the hash of their answers, for golden.c and compare.c: FNV-1a/64 over every bit.
 * The inputs are made with integers and powers of two, so that no compiler can round them. */
#ifndef GRAZE_TEST_GOLDEN_COMMON_H
#define GRAZE_TEST_GOLDEN_COMMON_H

#include "../support/shapes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACED = 64, MOST_VERTICES = 40, WORKSPACE = 1 << 15 };

/* Workspace for depth surfaces. */
static uint64_t workspace[WORKSPACE];
static graze_surface surface;

static uint64_t state = 0x9e3779b97f4a7c15u; /* the seed */
static uint64_t hash = 0xcbf29ce484222325u;

/* ---- Random inputs ---- */

static uint64_t next_bits(void) { /* xorshift64*, Vigna 2016 */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545f4914f6cdd1du;
}

static int below(int n) { return (int)((next_bits() >> 33) % (uint64_t)n); }

static double power_of_two(int exponent) {
  double x = 1;
  for (; exponent > 0; exponent--) x *= 2;
  for (; exponent < 0; exponent++) x /= 2;
  return x;
}

/* The numbers of one scene: small multiples of 1/2 (many exact touches), or 53 random bits; times a scale. Each number
 * has its own statement, because C does not define the order in which arguments are evaluated. */
typedef struct style {
  bool lattice;
  int dim;
  double scale;
} style;

/* In [-4, 4], times the scale. */
static double any_number(const style *s) {
  if (s->lattice) return (double)(below(17) - 8) * 0.5 * s->scale;
  return (double)((int64_t)(next_bits() >> 11) - ((int64_t)1 << 52)) * 0x1p-50 * s->scale;
}

static double magnitude(double x) { return x < 0 ? -x : x; }

/* In [0, 4], times the scale; a lattice may give 0. */
static double any_size(const style *s) { return magnitude(any_number(s)); }

static graze_vec any_vec(const style *s) {
  graze_vec v = {0, 0, 0};
  v.x = any_number(s);
  v.y = any_number(s);
  if (s->dim == 3) v.z = any_number(s);
  return v;
}

static graze_vec any_sizes(const style *s) {
  const graze_vec v = any_vec(s);
  return (graze_vec){magnitude(v.x), magnitude(v.y), magnitude(v.z)};
}

static graze_pose any_pose(const style *s) {
  graze_pose pose = graze_pose_at(0, 0, 0);
  pose.position = any_vec(s);
  if (below(2)) pose.position.x *= 2;
  if (below(2)) pose.position.y *= 2;
  if (below(3) == 0) return pose;
  if (s->dim == 2 && !s->lattice && below(2)) {
    return graze_pose2(pose.position.x, pose.position.y, any_number(s) / s->scale);
  }
  style unit = {s->lattice, s->dim, 1};
  pose.w = any_number(&unit);
  pose.z = any_number(&unit);
  if (s->dim == 3) {
    pose.x = any_number(&unit);
    pose.y = any_number(&unit);
  }
  if (pose.w == 0 && pose.x == 0 && pose.y == 0 && pose.z == 0) pose.w = 1;
  return pose;
}

/* An octahedron (2D: a square on its corner): a support function without rounding. */
static double octahedron(void *context, graze_vec direction, graze_vec *point) {
  double size = *(const double *)context;
  double x = magnitude(direction.x), y = magnitude(direction.y), z = magnitude(direction.z);
  graze_vec p = {0, 0, 0};
  if (x >= y && x >= z)
    p.x = direction.x < 0 ? -size : size;
  else if (y >= z)
    p.y = direction.y < 0 ? -size : size;
  else
    p.z = direction.z < 0 ? -size : size;
  *point = p;
  return 0;
}

/* Numbers that a shape refers to. */
typedef struct shape_store {
  graze_vec vertices[MOST_VERTICES];
  double size;
} shape_store;

/* Corners on a parabola are convex whatever the two steps; one is repeated now and then. */
static graze_shape any_polygon(const style *s, shape_store *store) {
  int count = 3 + below(6);
  double step = any_size(s) + s->scale;
  double rise = any_size(s) + s->scale;
  for (int i = 0; i < count; i++) {
    int k = i - count / 2;
    store->vertices[i] = (graze_vec){(double)k * step, (double)(k * k) * rise, 0};
  }
  if (below(4) == 0) {
    store->vertices[count] = store->vertices[count - 1];
    count++;
  }
  return graze_polygon(store->vertices, (size_t)count);
}

static graze_shape any_hull(const style *s, shape_store *store) {
  int count = 1 + below(below(4) ? 12 : MOST_VERTICES);
  for (int i = 0; i < count; i++) store->vertices[i] = any_vec(s);
  return hull_of(s->dim, store->vertices, count);
}

static graze_shape any_shape(const style *s, shape_store *store) {
  static const char often[2][16] = {"pstbbgghrkeu", "pstbbbhhhrkeynu"}; /* the kinds in 2D and in 3D */
  const char kind = often[s->dim - 2][below(s->dim == 2 ? 12 : 15)];
  graze_vec u = any_vec(s), v = any_vec(s), w = any_vec(s), size = any_sizes(s);
  switch (kind) {
  case 'p': return point_of(s->dim);
  case 's': return segment_of(s->dim, u, v);
  case 't': return s->dim == 2 ? graze_triangle2(u, v, w) : graze_triangle(u, v, w);
  case 'b': return box_of(s->dim, size.x, size.y, size.z);
  case 'g': return any_polygon(s, store);
  case 'h': return any_hull(s, store);
  case 'r': return ball_of(s->dim, size.x);
  case 'k': return capsule_of(s->dim, size.x, size.y);
  case 'e': return s->dim == 2 ? graze_ellipse(size.x, size.y) : graze_ellipsoid(size.x, size.y, size.z);
  case 'y': return graze_cylinder(size.x, size.y);
  case 'n': return graze_cone(size.x, size.y);
  default: store->size = size.x; return graze_user(s->dim, octahedron, &store->size);
  }
}

static graze_placed any_placed(const style *s, shape_store *store) {
  graze_shape shape;
  if (below(16) == 0) {
    graze_vec normal = any_vec(s);
    double offset = any_number(s);
    shape = halfspace_of(s->dim, normal, offset);
  } else
    shape = any_shape(s, store);
  if (below(4) == 0) shape = graze_with_margin(shape, any_size(s));
  return graze_place(&shape, any_pose(s));
}

static inline graze_options any_options(const style *s, graze_cache *cache) {
  graze_options options = graze_default_options();
  if (below(8) == 0) options.clearance = any_size(s);
  if (below(8) == 0) options.max_distance = any_size(s);
  if (below(8) == 0) options.tolerance = any_size(s) * 0x1p-10;
  if (below(16) == 0) options.max_iterations = 1 + below(8);
  if (below(8) == 0) {
    options.method = GRAZE_METHOD_GJK;
    if (below(2)) options.start = any_vec(s);
  } else if (below(4) == 0) {
    static const graze_method others[2] = {GRAZE_METHOD_EXACT, GRAZE_METHOD_EPA};
    options.method = others[below(2)];
  }
  if (below(4) == 0) {
    options.workspace = workspace;
    options.workspace_size = sizeof workspace >> below(10); /* now and then too small for the depth */
    if (below(2)) options.surface = &surface;
  }
  if (below(4) == 0) options.cache = cache;
  return options;
}

/* ---- The hash: field by field, so that padding does not count ---- */

static void add_bits(uint64_t x) {
  for (int i = 0; i < 8; i++) {
    hash ^= (x >> (8 * i)) & 255u;
    hash *= 0x100000001b3u;
  }
}

static void add_integers(const int64_t *x, size_t count) {
  for (size_t i = 0; i < count; i++) add_bits((uint64_t)x[i]);
}

#define ADD_INTEGERS(...)                                                                                              \
  add_integers((const int64_t[]){__VA_ARGS__}, sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))

static void add_number(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  add_bits(x == x ? bits : 0x7ff8000000000000u); /* one NaN for all */
}

static void add_vec(graze_vec v) {
  add_number(v.x);
  add_number(v.y);
  add_number(v.z);
}

/* The index of a parent; a point of a curved shape as -1. */
static int64_t parent(int32_t index) { return index < 0 ? -1 : index; }

static void add_pairs(const graze_pair *pairs, int count, const graze_vec *points) {
  ADD_INTEGERS(count);
  for (int i = 0; i < count; i++) {
    ADD_INTEGERS(parent(pairs[i].a), parent(pairs[i].b), pairs[i].end);
    if (pairs[i].a < 0) add_vec(points[-1 - pairs[i].a]);
    if (pairs[i].b < 0) add_vec(points[-1 - pairs[i].b]);
  }
}

static void add_certificate(const graze_certificate *c) {
  const graze_surface *s = c->surface;
  const graze_direction *d = &c->direction;
  ADD_INTEGERS(c->kind, c->depth_proof);
  if (s) add_pairs(s->pairs, (int)s->pair_count, s->points);
  for (size_t i = 0; s && i < s->face_count; i++) ADD_INTEGERS(s->faces[i][0], s->faces[i][1], s->faces[i][2]);
  add_pairs(c->pairs, c->pair_count, c->points);
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE) {
    ADD_INTEGERS(parent(c->vertex));
    if (c->vertex < 0) add_vec(c->points[-1 - c->vertex]);
    return;
  }
  ADD_INTEGERS(d->form);
  if (d->form == GRAZE_DIRECTION_VECTOR) add_vec(d->vector);
  if (d->form == GRAZE_DIRECTION_NONE || d->form == GRAZE_DIRECTION_VECTOR) return;
  add_pairs(d->pairs, d->count, c->points);
  if (d->form != GRAZE_DIRECTION_NEAREST) ADD_INTEGERS(d->sign);
  if (d->form == GRAZE_DIRECTION_EDGE) ADD_INTEGERS(d->axis);
}

static void add_cast(graze_status status, const graze_cast_result *cast, const graze_certificate *certificate) {
  ADD_INTEGERS(status);
  if (status != GRAZE_OK) return;
  ADD_INTEGERS(cast->outcome, cast->start_relation);
  add_number(cast->t_lower);
  add_number(cast->t_upper);
  add_vec(cast->point);
  add_vec(cast->normal);
  add_vec(cast->position_a);
  add_vec(cast->position_b);
  add_vec((graze_vec){cast->min_lower, cast->min_upper, cast->t_min});
  ADD_INTEGERS(cast->iterations);
  add_certificate(certificate);
  for (size_t i = 0; i < certificate->step_count; i++) {
    add_number(certificate->steps[i].to);
    add_vec(certificate->steps[i].direction);
  }
}

static void add_answer(const graze_answer *answer, const graze_certificate *certificate) {
  ADD_INTEGERS(answer->relation);
  add_vec((graze_vec){answer->distance, answer->lower, answer->upper});
  add_vec(answer->point_a);
  add_vec(answer->point_b);
  add_vec(answer->normal);
  ADD_INTEGERS(answer->algorithm, answer->stopped, answer->iterations, answer->exact, answer->conditional);
  add_certificate(certificate);
}

#endif
