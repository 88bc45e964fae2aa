/* Random pairs. Flush ones, whose common polygon a clipper of this file's own knows; and any others, of which only what
 * holds of every manifold is known (check_ask). Seeds are stated at each test. */

#include "support/test.h"
#include "contact/check.h"
#include "contact/clip.h"
#include "support/families_run.h"

enum { ROOM = 64, ROUNDS = 3000 };

static check_manifold m;
static uint64_t state;

static int times(void) { return tiered(ROUNDS, 2 * ROUNDS, 12 * ROUNDS); }

static double uniform(double low, double high) { return rng_uniform(&state, low, high); }

static int below(int count) { return (int)uniform(0, count); }

/* ---- An intersection of convex polygons, by halving one along the sides of the other, in long doubles. */

typedef struct flat {
  long double x, y;
} flat;

typedef struct polygon {
  int count;
  flat at[ROOM];
} polygon;

static long double side(flat p, flat q, flat x) { return (q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x); }

static void cut(polygon *out, const polygon *in, flat p, flat q) {
  out->count = 0;
  for (int i = 0; i < in->count; i++) {
    flat u = in->at[i], v = in->at[(i + 1) % in->count];
    long double a = side(p, q, u), b = side(p, q, v), t = a / (a - b);
    if (a >= 0) out->at[out->count++] = u;
    if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
      flat between = {u.x + (v.x - u.x) * t, u.y + (v.y - u.y) * t};
      out->at[out->count++] = between;
    }
  }
}

static polygon intersect(const polygon *a, const polygon *b) {
  polygon result = *a, next;
  for (int i = 0; i < b->count; i++) {
    cut(&next, &result, b->at[i], b->at[(i + 1) % b->count]);
    result = next;
  }
  return result;
}

/* The distance of a point from the nearest corner. */
static double from_corners(const polygon *p, double x, double y) {
  double nearest = INFINITY;
  for (int i = 0; i < p->count; i++) nearest = fmin(nearest, hypot((double)p->at[i].x - x, (double)p->at[i].y - y));
  return nearest;
}

/* ---- Shapes with a known face at the top. */

typedef struct slab {
  graze_shape shape;
  graze_pose pose; /* that turns the face to the top, at height 0 */
  polygon face;    /* as placed, in the xy plane */
  graze_vec room[ROOM];
} slab;

static void slab_face(slab *s, int count, const graze_vec *corners, double angle, double x, double y) {
  s->face.count = count;
  for (int i = 0; i < count; i++) {
    long double c = cosl((long double)angle), n = sinl((long double)angle);
    flat corner = {c * corners[i].x - n * corners[i].y + x, n * corners[i].x + c * corners[i].y + y};
    s->face.at[i] = corner;
  }
}

/* Corners on an ellipse, counter-clockwise. */
static int any_polygon(graze_vec *corners) {
  int count = 3 + below(8);
  double wide = uniform(0.3, 1.5), high = uniform(0.3, 1.5), start = uniform(0, 6);
  for (int i = 0; i < count; i++) {
    double angle = start + (i + uniform(0, 0.8)) * 2 * acos(-1) / count;
    corners[i] = check_vec(wide * cos(angle), high * sin(angle), 0);
  }
  return count;
}

/* A frustum: its top the polygon, the bottom larger or smaller; a vertex inside the top. Its origin lies anywhere up to
 * `far` away: returned. */
static graze_vec frustum(slab *s, graze_vec *corners, int *count, double far) {
  double widen = uniform(0.5, 1.5);
  graze_vec shift = check_vec(uniform(-far, far), uniform(-far, far), uniform(-far, far));
  *count = any_polygon(corners);
  for (int i = 0; i < *count; i++) {
    s->room[i] = corners[i];
    s->room[*count + i] = check_vec(corners[i].x * widen, corners[i].y * widen, -3);
  }
  s->room[2 * *count] =
      check_vec((corners[0].x + corners[1].x + corners[2].x) / 3, (corners[0].y + corners[1].y + corners[2].y) / 3, 0);
  for (int i = 0; i <= 2 * *count; i++) s->room[i] = check_along(s->room[i], 1, shift);
  s->shape = graze_hull(s->room, (size_t)(2 * *count + 1));
  return shift;
}

/* kind 0 box, 1 frustum, 2 triangle, 3 cylinder lying, 4 capsule lying, 5 cylinder standing, which must be the smaller
 */
static void any_slab(slab *s, int kind, double far, double angle, double x, double y) {
  graze_vec corners[ROOM];
  double hx = uniform(0.3, 1.5), hy = uniform(0.3, 1.5), w, z, deep = 0;
  int count = 4;
  const graze_vec box[4] = {{-hx, -hy, 0}, {hx, -hy, 0}, {hx, hy, 0}, {-hx, hy, 0}};
  graze_pose lay = graze_pose3(check_vec(0, 0, 0), 1, 0, 1, 0), stand = graze_pose_at(0, 0, 0);
  memcpy(corners, box, sizeof box);
  if (kind == 0) {
    s->shape = graze_box(hx, hy, 1.5), deep = 1.5;
  } else if (kind == 1) {
    graze_vec shift = frustum(s, corners, &count, far);
    stand.position = check_vec(-shift.x, -shift.y, -shift.z);
  } else if (kind == 2) {
    count = 3, s->shape = graze_triangle(corners[0], corners[1], corners[2]);
  } else if (kind < 5) {
    s->shape = kind == 3 ? graze_cylinder(1.5, hx) : graze_capsule(1.5, hx), deep = 1.5;
    count = 2, stand = lay, corners[0] = check_vec(-hx, 0, 0), corners[1] = check_vec(hx, 0, 0);
  } else {
    double small = 0.3 * hx, eighth = acos(-1) / 8;
    s->shape = graze_cylinder(small, 1.5), deep = 1.5, count = 16;
    for (int i = 0; i < 16; i++) corners[i] = check_vec(small * cos(i * eighth), small * sin(i * eighth), 0);
  }
  graze_half_angle(angle, &w, &z);
  stand.position.z -= deep;
  s->pose = check_compose(graze_pose3(check_vec(x, y, 0), w, 0, 0, z), stand);
  slab_face(s, count, corners, angle, x, y);
}

static double extent(const polygon *p) {
  double wide = 0;
  for (int i = 0; i < p->count; i++) wide = fmax(wide, from_corners(p, (double)p->at[i].x, (double)p->at[i].y));
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < i; k++)
      wide = fmax(wide, hypot((double)(p->at[i].x - p->at[k].x), (double)(p->at[i].y - p->at[k].y)));
  return wide;
}

static double area(const polygon *p) {
  long double sum = 0;
  for (int i = 2; i < p->count; i++) sum += side(p->at[0], p->at[i - 1], p->at[i]);
  return (double)sum / 2;
}

/* Contacts in the xy plane of the slabs against the corners of their common polygon. */
static void compare(const polygon *common, graze_pose world, double allowed) {
  graze_vec x = check_compose(world, graze_pose_at(1, 0, 0)).position, o = world.position;
  graze_vec y = check_compose(world, graze_pose_at(0, 1, 0)).position;
  polygon seen = {.count = (int)m.count};
  for (size_t i = 0; i < m.count; i++) {
    graze_vec p = check_along(m.contact[i].point_a, -1, o);
    seen.at[i].x = check_dot(p, check_along(x, -1, o)), seen.at[i].y = check_dot(p, check_along(y, -1, o));
    double off = from_corners(common, (double)seen.at[i].x, (double)seen.at[i].y);
    if (off > allowed) fail_msg("a contact %g from every corner", off);
  }
  for (int i = 0; i < common->count; i++) {
    double off = from_corners(&seen, (double)common->at[i].x, (double)common->at[i].y);
    if (off > allowed) fail_msg("corner %d of %d: no contact within %g", i, common->count, off);
  }
}

/* Seen from the other side. */
static void mirror(polygon *p) {
  for (int i = 0, k = p->count - 1; i <= k; i++, k--) {
    flat first = p->at[i], last = p->at[k];
    p->at[i].x = last.x, p->at[i].y = -last.y;
    p->at[k].x = first.x, p->at[k].y = -first.y;
  }
}

/* Is the circle around this rim polygon in q? */
static bool covers(const polygon *q, const polygon *rim) {
  flat p = rim->at[0], opposite = rim->at[rim->count / 2], center = {(p.x + opposite.x) / 2, (p.y + opposite.y) / 2};
  long double radius = hypotl(p.x - center.x, p.y - center.y);
  for (int k = 0; k < q->count; k++) {
    flat u = q->at[k], v = q->at[(k + 1) % q->count];
    if (side(u, v, center) < radius * hypotl(v.x - u.x, v.y - u.y)) return false;
  }
  return true;
}

/* One shape on its back on another, apart, touching or a little in, anywhere in space. */
static bool flush_pair(void) {
  static slab a, b;
  int kind_a = below(3), kind_b = below(6);
  bool curved = kind_b == 3 || kind_b == 5; /* then the normal is known to some 1e-9 of the reach only */
  double far = !curved && below(2) ? 1e4 : 0;
  any_slab(&a, kind_a, far, uniform(-3, 3), uniform(-0.5, 0.5), uniform(-0.5, 0.5));
  any_slab(&b, kind_b, far, uniform(-3, 3), uniform(-0.5, 0.5), uniform(-0.5, 0.5));
  mirror(&b.face);
  bool line = kind_b == 3 || kind_b == 4;
  polygon common = line ? intersect(&b.face, &a.face) : intersect(&a.face, &b.face);
  if (line ? extent(&common) < 0.5 : area(&common) < 0.3 && kind_b != 5) return false;
  if (kind_b == 5 && !covers(&a.face, &b.face)) return false; /* else its true circle is cut, not the polygon here */
  double depth = below(3) == 0 ? 0 : uniform(-0.5, 0.02), margin = below(2) ? uniform(0, 0.3) : 0;
  a.shape.margin = margin;
  graze_pose world = random_unit_pose(&state, 3), over = graze_pose3(check_vec(0, 0, margin - depth), 0, 1, 0, 0);
  m.a = graze_place(&a.shape, check_compose(world, a.pose));
  m.b = graze_place(&b.shape, check_compose(world, check_compose(over, b.pose)));
  check_ask(&m, NULL, CHECK_ROOM);
  world.position = check_compose(world, graze_pose_at(0, 0, margin)).position;
  compare(&common, world, curved ? 1e-6 : 1e-8);
  return true;
}

/* Seed 1. */
TEST(flush) {
  int compared = 0, corners[CHECK_ROOM] = {0}, rounds = times();
  state = 1;
  for (int i = 0; i < rounds; i++)
    if (flush_pair()) compared++, corners[m.count]++;
  if (compared < rounds / 4) fail_msg("%d compared of %d", compared, rounds);
  for (int i = 2; i <= 10; i++)
    if (corners[i] < rounds / 500) fail_msg("%d of %d have %d corners", corners[i], compared, i);
}

/* A 2D box, or a polygon that starts with the same side, its lowest. */
static graze_shape any_flat(double half, graze_vec *room) {
  if (below(2)) return graze_box2(half, 1);
  room[0] = check_vec(-half, -1, 0), room[1] = check_vec(uniform(-0.9, 0.9) * half, -1, 0);
  room[2] = check_vec(half, -1, 0), room[3] = check_vec(half + uniform(0, 1), uniform(-0.5, 0.5), 0);
  room[4] = check_vec(uniform(-half, half), 2, 0), room[5] = check_vec(-half - uniform(0, 1), uniform(-0.5, 0.5), 0);
  return below(2) ? graze_polygon(room, 6) : graze_hull2(room, 6);
}

/* Seed 2: sides on sides; the contact is where two intervals overlap. */
TEST(flush_2d) {
  static graze_vec vertices_a[8], vertices_b[8];
  int compared = 0, rounds = times();
  state = 2;
  for (int i = 0; i < rounds; i++) {
    double half_a = uniform(0.2, 2), half_b = uniform(0.2, 2), x = uniform(-1.5, 1.5), w, z;
    double low = fmax(-half_a, x - half_b), high = fmin(half_a, x + half_b), depth = uniform(-0.5, 0.02);
    if (high - low < 0.1) continue;
    graze_half_angle(uniform(-3, 3), &w, &z);
    graze_pose world = graze_pose3(check_vec(uniform(-3, 3), uniform(-3, 3), 0), w, 0, 0, z);
    graze_shape a = any_flat(half_a, vertices_a), b = any_flat(half_b, vertices_b);
    m.a = graze_place(&a, check_compose(world, graze_pose3(check_vec(0, 0, 0), 0, 0, 0, 1))); /* its side on top */
    m.b = graze_place(&b, check_compose(world, graze_pose_at(x, 2 - depth, 0)));
    check_ask(&m, NULL, CHECK_ROOM);
    const graze_vec ends[2] = {check_compose(world, graze_pose_at(low, 1, 0)).position,
                               check_compose(world, graze_pose_at(high, 1, 0)).position};
    check_points(&m, ends, 2);
    compared++;
  }
  if (compared < rounds / 2) fail_msg("%d compared of %d", compared, rounds);
}

/* ---- Any pairs. */

static graze_shape any_shape(rng *random, int dim, graze_vec *room) {
  int kind = rng_below(random, 8);
  double r = rng_uniform(random, 0.2, 1), h = rng_uniform(random, 0.2, 1);
  if (dim == 2) return kind == 0 ? graze_ellipse(r, h) : kind == 1 ? graze_circle(r) : random_shape(random, 2, room);
  switch (kind) {
  case 0: return graze_cylinder(r, h);
  case 1: return graze_cone(r, h);
  case 2: return graze_ellipsoid(r, h, 0.5);
  case 3: return graze_capsule(r, h);
  case 4: return graze_box(r, h, 0.6);
  case 5: return graze_with_margin(graze_cylinder(r, h), 0.25);
  default: return random_shape(random, 3, room);
  }
}

/* Polytopes with edges need no witness: some corner is as deep as the answer. */
static bool has_features(const graze_placed *p) {
  return p->shape.kind >= GRAZE_SEGMENT && p->shape.kind <= GRAZE_CAPSULE && p->shape.kind != GRAZE_SPHERE;
}

/* Seeds 3 (2D) and 4 (3D). Half of them are speculative. */
static void any_pairs(int dim) {
  static shape_pair pair;
  rng random = {(uint64_t)dim + 1};
  int hits = 0, points[5] = {0, 0, 0, 0, 0}, rounds = times();
  for (int i = 0; i < rounds; i++) {
    graze_options options = graze_default_options();
    if (i % 2) options.max_distance = rng_uniform(&random, 0, 1);
    if (i % 8 == 1) options.clearance = rng_uniform(&random, 0, 0.5);
    pair.a = any_shape(&random, dim, pair.vertices_a);
    pair.b = any_shape(&random, dim, pair.vertices_b);
    m.a = graze_place(&pair.a, random_pose(&random, dim, 1));
    m.b = graze_place(&pair.b, random_pose(&random, dim, 1));
    check_ask(&m, &options, CHECK_ROOM);
    check_ask(&m, &options, dim == 2 ? 2 : 4);
    hits += m.answer.relation == GRAZE_OVERLAPPING;
    if (has_features(&m.a) && has_features(&m.b))
      for (size_t k = 0; k < m.count; k++) assert_true(m.contact[k].feature != GRZ_WITNESS_FEATURE);
    points[m.count]++;
  }
  if (hits < rounds / 4 || hits > rounds * 9 / 10) fail_msg("%d of %d overlap", hits, rounds);
  for (int n = 0; n <= (dim == 2 ? 2 : 4); n++)
    if (points[n] < rounds / 100) fail_msg("%d manifolds of %d points", points[n], n);
}

TEST(any_2d) { any_pairs(2); }

TEST(any_3d) { any_pairs(3); }

/* Every degenerate kind of pair, as they are and with curved shapes for B; seed 5. */
TEST(degenerate) {
  static shape_pair pair;
  rng random = {5};
  int contacts = 0, rounds = times() / 30;
  for (int f = 0; f < families_degenerate_count; f++)
    for (int i = 0; i < rounds; i++) {
      families_degenerate[f].make(&random, &pair);
      m.a = graze_place(&pair.a, pair.pose_a);
      m.b = graze_place(&pair.b, pair.pose_b);
      check_ask(&m, NULL, CHECK_ROOM);
      check_ask(&m, NULL, 3);
      contacts += (int)m.count;
    }
  if (contacts < rounds * families_degenerate_count) fail_msg("%d contacts", contacts);
}

/* Shapes without some of their extent; seed 6. */
static graze_shape thin_shape(rng *random) {
  double r = rng_below(random, 3) ? rng_uniform(random, 0.2, 1) : 0;
  double h = rng_below(random, 3) ? rng_uniform(random, 0.2, 1) : 0;
  graze_vec corner = rng_vec(random, 3, 1);
  switch (rng_below(random, 7)) {
  case 0: return graze_cylinder(r, h);
  case 1: return graze_cone(r, h);
  case 2: return graze_capsule(r, h);
  case 3: return graze_box(r, h, rng_coin(random) ? 0 : 0.5);
  case 4: return graze_segment(corner, rng_coin(random) ? corner : rng_vec(random, 3, 1));
  case 5: return graze_triangle(corner, rng_vec(random, 3, 1), rng_coin(random) ? corner : rng_vec(random, 3, 1));
  default: return graze_sphere(r);
  }
}

TEST(thin) {
  rng random = {6};
  int hits = 0, rounds = times();
  for (int i = 0; i < rounds; i++) {
    graze_shape a = thin_shape(&random), b = thin_shape(&random);
    graze_pose pose_a = random_pose(&random, 3, 0.5), pose_b = random_pose(&random, 3, 0.5);
    if (i % 3 == 0) pose_b = graze_pose_at(0, 0, 0), pose_a = graze_pose_at(0, 0, rng_coin(&random) ? 0 : 0.5);
    m.a = graze_place(&a, pose_a);
    m.b = graze_place(&b, pose_b);
    check_ask(&m, NULL, CHECK_ROOM);
    hits += m.answer.distance <= 0;
  }
  if (hits < rounds / 10 || hits > rounds * 9 / 10) fail_msg("%d of %d in contact", hits, rounds);
}
