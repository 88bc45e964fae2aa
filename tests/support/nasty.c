/* Ten kinds of pairs on which other libraries fail. */
#include "support/nasty.h"

#include <math.h>

const char *const nasty_name[NASTY_KINDS] = {
    "nearly parallel faces",     "touching within 1e-12", "hulls of aspect 1e6",
    "boxes 1e6 from the origin", "repeated vertices",     "flat hulls",
    "coincident boxes",          "exact face contact",    "hulls 1e6 from the origin",
    "needles of aspect 1e3",
};

static graze_vec plus(graze_vec p, graze_vec d, double t) {
  return (graze_vec){p.x + t * d.x, p.y + t * d.y, p.z + t * d.z};
}

static graze_vec unit_vector(rng *random) {
  for (;;) {
    graze_vec d = rng_vec(random, 3, 1);
    double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    if (length > 0.1 && length <= 1) return (graze_vec){d.x / length, d.y / length, d.z / length};
  }
}

/* 10^-x for x in [low, high], nearly: by powers of two. */
static double small(rng *random, double low, double high) {
  double bits = rng_uniform(random, low, high) * 3.3219280948873623;
  int whole = (int)bits;
  return ldexp(1 - (bits - whole) / 2, -whole);
}

static graze_shape nasty_box(rng *random) {
  double x = rng_uniform(random, 0.1, 1), y = rng_uniform(random, 0.1, 1), z = rng_uniform(random, 0.1, 1);
  return graze_box(x, y, z);
}

/* Points of an ellipsoid. */
static graze_shape round_hull(rng *random, int count, graze_vec size, graze_vec *room) {
  for (int i = 0; i < count; i++) {
    graze_vec d = unit_vector(random);
    room[i] = (graze_vec){d.x * size.x, d.y * size.y, d.z * size.z};
  }
  return graze_hull(room, (size_t)count);
}

static graze_vec any_radii(rng *random) {
  double x = rng_uniform(random, 0.5, 1.5), y = rng_uniform(random, 0.5, 1.5);
  return (graze_vec){x, y, rng_uniform(random, 0.5, 1.5)};
}

static graze_shape doubled_hull(rng *random, graze_vec *room) {
  round_hull(random, 16, any_radii(random), room);
  for (int i = 0; i < 16; i++) room[16 + i] = room[i];
  return graze_hull(room, 32);
}

/* Twelve points of an ellipse, in a plane. */
static graze_shape flat_hull(rng *random, graze_vec *room) {
  graze_vec size = any_radii(random);
  for (int i = 0; i < 12; i++) {
    graze_vec d = unit_vector(random);
    double length = sqrt(d.x * d.x + d.y * d.y);
    room[i] = length > 0 ? (graze_vec){d.x / length * size.x, d.y / length * size.y, 0} : (graze_vec){size.x, 0, 0};
  }
  return graze_hull(room, 12);
}

static void make_shapes(rng *random, int kind, int i, shape_pair *p) {
  graze_vec needle = {3, 1e-3, 1e-3}, slab = {1, 1, 1e-6}, thread = {1, 1e-6, 1e-6};
  switch (kind) {
  case 2:
    p->a = round_hull(random, 32, slab, p->vertices_a);
    p->b = round_hull(random, 32, i / 2 % 2 ? thread : any_radii(random), p->vertices_b);
    break;
  case 4:
    p->a = doubled_hull(random, p->vertices_a);
    p->b = doubled_hull(random, p->vertices_b);
    break;
  case 5:
    p->a = flat_hull(random, p->vertices_a);
    p->b = i / 2 % 2 ? round_hull(random, 16, any_radii(random), p->vertices_b) : flat_hull(random, p->vertices_b);
    break;
  case 8:
    p->a = round_hull(random, 32, any_radii(random), p->vertices_a);
    p->b = round_hull(random, 32, any_radii(random), p->vertices_b);
    break;
  case 9:
    p->a = round_hull(random, 8, needle, p->vertices_a);
    p->b = round_hull(random, 8, needle, p->vertices_b);
    break;
  default: p->a = nasty_box(random), p->b = nasty_box(random);
  }
}

/* Turned by `angle` more, about an axis of its own. */
static graze_pose tilted(rng *random, graze_pose q, double angle) {
  graze_vec u = unit_vector(random);
  double w = 1, x = u.x * angle / 2, y = u.y * angle / 2, z = u.z * angle / 2;
  graze_pose out = q;
  out.w = w * q.w - x * q.x - y * q.y - z * q.z;
  out.x = w * q.x + x * q.w + y * q.z - z * q.y;
  out.y = w * q.y - x * q.z + y * q.w + z * q.x;
  out.z = w * q.z + x * q.y - y * q.x + z * q.w;
  return out;
}

/* The world direction of A's first axis. */
static graze_vec first_axis(const graze_pose *q) {
  double n = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
  return (graze_vec){1 - 2 * (q->y * q->y + q->z * q->z) / n, 2 * (q->x * q->y + q->w * q->z) / n,
                     2 * (q->x * q->z - q->w * q->y) / n};
}

/* How far along d, from A's position, B comes into touch: from outside, never past it. */
static double contact(oracle *o, shape_pair *p, graze_vec d) {
  double t = 50;
  for (int i = 0; i < 100; i++) {
    p->pose_b.position = plus(p->pose_a.position, d, t);
    (void)oracle_solve(o, &p->a, &p->pose_a, &p->b, &p->pose_b, 0);
    double gap = oracle_distance(o);
    graze_vec n = oracle_normal(o);
    double along = n.x * d.x + n.y * d.y + n.z * d.z;
    if (!(gap > 1e-15) || !(along > 0) || !(gap / along > 1e-17)) break;
    t -= gap / along;
  }
  return t;
}

/* Boxes that share their orientation and place, or nearly. */
static void coincide(rng *random, shape_pair *p) {
  p->b = p->a;
  p->pose_a.position = (graze_vec){0, 0, 0};
  p->pose_b = p->pose_a;
  if (rng_coin(random)) p->pose_b.position.x = rng_uniform(random, 0, 1e-9);
}

static void face_to_face(rng *random, int i, shape_pair *p) {
  static const double gap[8] = {0, 1e-12, -1e-12, 1e-6, -1e-6, 1e-3, -1e-3, 1e-9};
  double e[3], f[3], at[3];
  for (int k = 0; k < 3; k++) {
    e[k] = rng_between(random, 1, 8) / 8.0;
    f[k] = rng_between(random, 1, 8) / 8.0;
    at[k] = rng_uniform(random, -0.1, 0.1);
  }
  at[i % 3] = e[i % 3] + f[i % 3] + gap[i / 3 % 8];
  p->a = graze_box(e[0], e[1], e[2]);
  p->b = graze_box(f[0], f[1], f[2]);
  p->pose_a = p->pose_b = identity_pose();
  p->pose_b.position = (graze_vec){at[0], at[1], at[2]};
}

void nasty_make(rng *random, int kind, int i, oracle *o, shape_pair *p) {
  bool apart = i % 2;
  p->pose_a = random_pose(random, 3, 1);
  p->pose_b = random_pose(random, 3, 1);
  make_shapes(random, kind, i, p);
  if (kind == 6) {
    coincide(random, p);
    return;
  }
  if (kind == 7) {
    face_to_face(random, i, p);
    return;
  }
  graze_vec d = unit_vector(random);
  if (kind == 0) {
    p->pose_b = tilted(random, p->pose_a, small(random, 3, 12));
    d = first_axis(&p->pose_a);
  }
  if (kind == 3 || kind == 8) p->pose_a.position = plus(p->pose_a.position, (graze_vec){1e6, 1e6, 1e6}, 1);
  double t = contact(o, p, d), off;
  if (kind == 0)
    off = apart ? small(random, 1, 9) : -small(random, 1, 9);
  else if (kind == 1)
    off = rng_uniform(random, 0, apart ? 1e-12 : -1e-12);
  else if ((kind == 2 || kind == 5 || kind == 9) && i % 4 > 1)
    off = apart ? small(random, 2, 8) : -small(random, 2, 8);
  else
    off = rng_uniform(random, 0, apart ? 0.5 : -0.5 * t);
  p->pose_b.position = plus(p->pose_a.position, d, t + off);
}
