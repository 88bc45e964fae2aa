#include "support/nasty.h"

#include "support/geometry.h"
#include "support/test.h"

enum { PARALLEL, NEAR_CONTACT, ASPECT, OFFSET_BOXES, REPEATED, FLAT, COINCIDENT, FACES, OFFSET_HULLS, NEEDLES };

const char *const nasty_name[NASTY_KINDS] = {
    "nearly parallel faces",     "touching within 1e-12", "hulls of aspect 1e6",
    "boxes 1e6 from the origin", "repeated vertices",     "flat hulls",
    "coincident boxes",          "exact face contact",    "hulls 1e6 from the origin",
    "needles of aspect 1e3",
};

static graze_vec unit_vector(rng *random) {
  for (;;) {
    const graze_vec d = rng_vec(random, 3, 1);
    if (norm(d) > 0.1 && norm(d) <= 1) return scaled(1 / norm(d), d);
  }
}

/* Nearly 10^-x for x in [low, high], by powers of two. */
static double small(rng *random, double low, double high) {
  const double bits = rng_uniform(random, low, high) * 3.3219280948873623;
  const int whole = (int)bits;
  return ldexp(1 - (bits - whole) / 2, -whole);
}

/* Points of an ellipsoid, repeated `copies` times; a flat one lies in a plane. */
static graze_shape round_hull(rng *random, int count, int copies, graze_vec size, graze_vec *v) {
  for (int i = 0; i < count; i++) {
    graze_vec d = unit_vector(random);
    if (size.z == 0) d.z = 0, d = norm(d) > 0 ? scaled(1 / norm(d), d) : vec(1, 0, 0);
    v[i] = vec(d.x * size.x, d.y * size.y, d.z * size.z);
  }
  for (int i = count; i < count * copies; i++) v[i] = v[i - count];
  return graze_hull_points(v, (size_t)(count * copies));
}

static graze_vec any_radii(rng *random) {
  const double x = rng_uniform(random, 0.5, 1.5), y = rng_uniform(random, 0.5, 1.5);
  return vec(x, y, rng_uniform(random, 0.5, 1.5));
}

static graze_vec flat_radii(rng *random) {
  graze_vec radii = any_radii(random);
  radii.z = 0;
  return radii;
}

static void make_shapes(rng *random, int kind, int i, shape_pair *p) {
  const graze_vec needle = {3, 1e-3, 1e-3}, slab = {1, 1, 1e-6}, thread = {1, 1e-6, 1e-6};
  const bool odd = i / 2 % 2;
  switch (kind) {
  case ASPECT:
    p->a = round_hull(random, 32, 1, slab, p->vertices_a);
    p->b = round_hull(random, 32, 1, odd ? thread : any_radii(random), p->vertices_b);
    break;
  case REPEATED:
    p->a = round_hull(random, 16, 2, any_radii(random), p->vertices_a);
    p->b = round_hull(random, 16, 2, any_radii(random), p->vertices_b);
    break;
  case FLAT:
    p->a = round_hull(random, 12, 1, flat_radii(random), p->vertices_a);
    p->b = round_hull(random, odd ? 16 : 12, 1, odd ? any_radii(random) : flat_radii(random), p->vertices_b);
    break;
  case OFFSET_HULLS:
    p->a = round_hull(random, 32, 1, any_radii(random), p->vertices_a);
    p->b = round_hull(random, 32, 1, any_radii(random), p->vertices_b);
    break;
  case NEEDLES:
    p->a = round_hull(random, 8, 1, needle, p->vertices_a);
    p->b = round_hull(random, 8, 1, needle, p->vertices_b);
    break;
  default: p->a = random_box(random, 3), p->b = random_box(random, 3);
  }
}

/* Turned by `angle` more, about an axis of its own. */
static graze_pose tilted(rng *random, graze_pose q, double angle) {
  const graze_vec u = scaled(angle / 2, unit_vector(random)), v = vec(q.x, q.y, q.z);
  const graze_vec turned = add(add_scaled(v, q.w, u), cross(u, v));
  return (graze_pose){q.position, q.w - dot(u, v), turned.x, turned.y, turned.z};
}

/* The distance along d from A's position at which B touches A. Approaches contact from outside, never past it. */
static double contact(oracle *o, shape_pair *p, graze_vec d) {
  double t = 50;
  for (int i = 0; i < 100; i++) {
    p->pose_b.position = add_scaled(p->pose_a.position, t, d);
    (void)oracle_solve(o, &p->a, &p->pose_a, &p->b, &p->pose_b, 0);
    const double gap = oracle_distance(o), slope = dot(oracle_normal(o), d);
    if (!(gap > 1e-15) || !(slope > 0) || !(gap / slope > 1e-17)) break;
    t -= gap / slope;
  }
  return t;
}

static double eighths(rng *random) { return rng_between(random, 1, 8) / 8.0; }

static void face_to_face(rng *random, int i, shape_pair *p) {
  static const double gap[8] = {0, 1e-12, -1e-12, 1e-6, -1e-6, 1e-3, -1e-3, 1e-9};
  const double e[3] = {eighths(random), eighths(random), eighths(random)};
  const double f[3] = {eighths(random), eighths(random), eighths(random)};
  double at[3];
  for (int k = 0; k < 3; k++) at[k] = k == i % 3 ? e[k] + f[k] + gap[i / 3 % 8] : rng_uniform(random, -0.1, 0.1);
  p->a = graze_box(e[0], e[1], e[2]), p->b = graze_box(f[0], f[1], f[2]);
  p->pose_a = p->pose_b = identity;
  p->pose_b.position = vec(at[0], at[1], at[2]);
}

void nasty_make(rng *random, int kind, int i, oracle *o, shape_pair *p) {
  const bool separated = i % 2;
  p->pose_a = random_pose(random, 3, 1), p->pose_b = random_pose(random, 3, 1);
  make_shapes(random, kind, i, p);
  if (kind == COINCIDENT) {
    p->b = p->a;
    p->pose_a.position = vec(0, 0, 0);
    p->pose_b = p->pose_a;
    if (rng_coin(random)) p->pose_b.position.x = rng_uniform(random, 0, 1e-9);
    return;
  }
  if (kind == FACES) {
    face_to_face(random, i, p);
    return;
  }
  graze_vec d = unit_vector(random);
  if (kind == PARALLEL) {
    const graze_placed a = graze_place(&p->a, p->pose_a);
    p->pose_b = tilted(random, p->pose_a, small(random, 3, 12));
    d = vec(a.hidden.rotation[0], a.hidden.rotation[3], a.hidden.rotation[6]); /* A's first axis */
  }
  if (kind == OFFSET_BOXES || kind == OFFSET_HULLS) p->pose_a.position = add(p->pose_a.position, vec(1e6, 1e6, 1e6));
  const double t = contact(o, p, d);
  double off = rng_uniform(random, 0, separated ? 0.5 : -0.5 * t);
  if (kind == PARALLEL) off = small(random, 1, 9) * (separated ? 1 : -1);
  if (kind == NEAR_CONTACT) off = rng_uniform(random, 0, separated ? 1e-12 : -1e-12);
  if ((kind == ASPECT || kind == FLAT || kind == NEEDLES) && i % 4 > 1)
    off = small(random, 2, 8) * (separated ? 1 : -1);
  p->pose_b.position = add_scaled(p->pose_a.position, t + off, d);
}
