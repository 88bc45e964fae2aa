/* Random manifolds: flush pairs, whose common polygon a clipper in long doubles computes; all other pairs by the
 * properties that check_query() asserts. Seeds are stated at each test. */

#include "support/test.h"
#include "narrow/check.h"
#include "support/families_run.h"
#include "support/shapes.h"

enum { CORNERS = 64, ROUNDS = 1500 };

static check_manifold m;
static rng state;

static int rounds(void) { return tiered(ROUNDS, 2 * ROUNDS, 24 * ROUNDS); }

static double uniform(double low, double high) { return rng_uniform(&state, low, high); }

static int below(int count) { return (int)uniform(0, count); }

/* ---- the intersection of convex polygons (Sutherland and Hodgman 1974) */

typedef struct flat {
  long double x, y;
} flat;

typedef struct polygon {
  int count;
  flat at[CORNERS];
} polygon;

static long double side(flat p, flat q, flat x) { return (q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x); }

static polygon cut(const polygon *in, flat p, flat q) {
  polygon out = {.count = 0};
  for (int i = 0; i < in->count; i++) {
    const flat u = in->at[i], v = in->at[(i + 1) % in->count];
    const long double a = side(p, q, u), b = side(p, q, v), t = a / (a - b);
    if (a >= 0) out.at[out.count++] = u;
    if ((a > 0 && b < 0) || (a < 0 && b > 0))
      out.at[out.count++] = (flat){u.x + (v.x - u.x) * t, u.y + (v.y - u.y) * t};
  }
  return out;
}

/* The part of `a` that lies at least `inside` within every side of `b`. */
static polygon intersect(const polygon *a, const polygon *b, long double inside) {
  polygon result = *a;
  for (int i = 0; i < b->count; i++) {
    const flat u = b->at[i], v = b->at[(i + 1) % b->count];
    const long double length = hypotl(v.x - u.x, v.y - u.y);
    const long double x = -(v.y - u.y) * inside / length, y = (v.x - u.x) * inside / length;
    result = cut(&result, (flat){u.x + x, u.y + y}, (flat){v.x + x, v.y + y});
  }
  return result;
}

static double between(flat p, flat q) { return hypot((double)(p.x - q.x), (double)(p.y - q.y)); }

/* The distance of a point from the nearest corner. */
static double from_corners(const polygon *p, flat x) {
  double nearest = INFINITY;
  for (int i = 0; i < p->count; i++) nearest = fmin(nearest, between(p->at[i], x));
  return nearest;
}

static long double from_segment(flat x, flat p, flat q) {
  const long double ex = q.x - p.x, ey = q.y - p.y, dx = x.x - p.x, dy = x.y - p.y, square = ex * ex + ey * ey;
  const long double t = square > 0 ? fminl(fmaxl((ex * dx + ey * dy) / square, 0), 1) : 0;
  return hypotl(dx - t * ex, dy - t * ey);
}

/* The distance of a point from the convex hull of points. */
static long double from_hull(const polygon *p, flat x) {
  long double least = INFINITY;
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < p->count; k++) {
      const flat u = p->at[i], v = p->at[k];
      least = fminl(least, from_segment(x, u, v));
      for (int j = 0; j < p->count; j++)
        if (side(u, v, x) >= 0 && side(v, p->at[j], x) >= 0 && side(p->at[j], u, x) >= 0 && side(u, v, p->at[j]) > 0)
          return 0;
    }
  return least;
}

/* The contacts in the xy plane of `world`. */
static polygon contacts_in(graze_pose world) {
  const graze_vec o = world.position, x = sub(check_compose(world, graze_pose_at(1, 0, 0)).position, o);
  const graze_vec y = sub(check_compose(world, graze_pose_at(0, 1, 0)).position, o);
  polygon seen = {.count = (int)m.count};
  assert_true(m.count <= CORNERS);
  for (size_t i = 0; i < m.count; i++) {
    const graze_vec p = sub(m.contact[i].point_a, o);
    seen.at[i] = (flat){dot(p, x), dot(p, y)};
  }
  return seen;
}

/* ---- shapes with a known face on top */

typedef struct slab {
  graze_shape shape;
  graze_pose pose; /* that puts the face on top, at height 0 */
  polygon face;    /* as placed, in the xy plane */
  graze_vec vertices[CORNERS];
} slab;

/* Corners on an ellipse, counter-clockwise. */
static int any_polygon(graze_vec *corners) {
  const int count = 3 + below(8);
  const double wide = uniform(0.3, 1.5), high = uniform(0.3, 1.5), start = uniform(0, 6);
  for (int i = 0; i < count; i++) {
    const double angle = start + (i + uniform(0, 0.8)) * 2 * acos(-1) / count;
    corners[i] = vec(wide * cos(angle), high * sin(angle), 0);
  }
  return count;
}

/* The polygon on top, scaled below, and a vertex inside the top; shifted by up to `offset`. Returns the shift. */
static graze_vec frustum(slab *s, const graze_vec *corners, int count, double offset) {
  const double widen = uniform(0.5, 1.5);
  const graze_vec shift = rng_vec(&state, 3, offset);
  for (int i = 0; i < count; i++) {
    s->vertices[i] = add(corners[i], shift);
    s->vertices[count + i] = add(vec(corners[i].x * widen, corners[i].y * widen, -3), shift);
  }
  s->vertices[2 * count] = add(scaled(1 / 3.0, add(corners[0], add(corners[1], corners[2]))), shift);
  s->shape = graze_hull_points(s->vertices, (size_t)(2 * count + 1));
  return shift;
}

enum { BOX, FRUSTUM, TRIANGLE, CYLINDER_LYING, CAPSULE_LYING, CYLINDER_STANDING, KINDS };

static void any_slab(slab *s, int kind, double offset) {
  const double angle = uniform(-3, 3), x = uniform(-0.5, 0.5), y = uniform(-0.5, 0.5);
  const double hx = uniform(0.3, 1.5), hy = uniform(0.3, 1.5), small = 0.3 * hx;
  graze_vec corners[CORNERS] = {{-hx, -hy, 0}, {hx, -hy, 0}, {hx, hy, 0}, {-hx, hy, 0}};
  graze_pose local = kind == CYLINDER_LYING || kind == CAPSULE_LYING ? graze_pose3(vec(0, 0, 0), 1, 0, 1, 0) : identity;
  int count = 4;
  if (kind != FRUSTUM && kind != TRIANGLE) local.position.z = -1.5;
  switch (kind) {
  case BOX: s->shape = graze_box(hx, hy, 1.5); break;
  case FRUSTUM:
    count = any_polygon(corners);
    local.position = scaled(-1, frustum(s, corners, count, offset));
    break;
  case TRIANGLE: count = 3, s->shape = graze_triangle(corners[0], corners[1], corners[2]); break;
  case CYLINDER_STANDING:
    s->shape = graze_cylinder(small, 1.5), count = 16;
    for (int i = 0; i < 16; i++) corners[i] = vec(small * cos(i * acos(-1) / 8), small * sin(i * acos(-1) / 8), 0);
    break;
  default:
    s->shape = kind == CYLINDER_LYING ? graze_cylinder(1.5, hx) : graze_capsule(1.5, hx);
    count = 2, corners[0] = vec(-hx, 0, 0), corners[1] = vec(hx, 0, 0);
  }
  s->pose = check_compose(check_turned(x, y, 0, angle), local);
  s->face.count = count;
  const long double c = cosl((long double)angle), n = sinl((long double)angle);
  for (int i = 0; i < count; i++)
    s->face.at[i] = (flat){c * corners[i].x - n * corners[i].y + x, n * corners[i].x + c * corners[i].y + y};
}

/* The largest distance of two corners; the area. */
static double extent(const polygon *p) {
  double wide = 0;
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < i; k++) wide = fmax(wide, between(p->at[i], p->at[k]));
  return wide;
}

static double area(const polygon *p) {
  long double sum = 0;
  for (int i = 2; i < p->count; i++) sum += side(p->at[0], p->at[i - 1], p->at[i]);
  return (double)sum / 2;
}

/* The polygon seen from below. */
static void mirror(polygon *p) {
  const polygon old = *p;
  for (int i = 0; i < p->count; i++) p->at[i] = (flat){old.at[p->count - 1 - i].x, -old.at[p->count - 1 - i].y};
}

/* Is the circle around this rim polygon in q? */
static bool covers(const polygon *q, const polygon *rim) {
  const flat p = rim->at[0], opposite = rim->at[rim->count / 2];
  const flat center = {(p.x + opposite.x) / 2, (p.y + opposite.y) / 2};
  for (int k = 0; k < q->count; k++) {
    const flat u = q->at[k], v = q->at[(k + 1) % q->count];
    if (side(u, v, center) < between(p, center) * hypotl(v.x - u.x, v.y - u.y)) return false;
  }
  return true;
}

/* One slab upside down on another, apart, touching or overlapping slightly, in any frame. False: too little in common.
 */
static bool flush_pair(void) {
  static slab a, b;
  const int kind_a = below(3), kind_b = below(KINDS);
  const bool line = kind_b == CYLINDER_LYING || kind_b == CAPSULE_LYING;
  const bool curved = kind_b == CYLINDER_LYING || kind_b == CYLINDER_STANDING; /* the normal has an error of 1e-9 */
  const double offset = !curved && below(2) ? 1e4 : 0, allowed = curved ? 1e-6 : 1e-8;
  any_slab(&a, kind_a, offset);
  any_slab(&b, kind_b, offset);
  mirror(&b.face);
  const polygon common = line ? intersect(&b.face, &a.face, 0) : intersect(&a.face, &b.face, 0);
  if (line ? extent(&common) < 0.5 : area(&common) < 0.3 && kind_b != CYLINDER_STANDING) return false;
  if (kind_b == CYLINDER_STANDING && !covers(&a.face, &b.face)) return false; /* its true circle is cut */
  const double depth = below(3) == 0 ? 0 : uniform(-0.5, 0.02), margin = below(2) ? uniform(0, 0.3) : 0;
  a.shape.margin = margin;
  graze_pose world = random_unit_pose(&state, 3);
  const graze_pose over = graze_pose3(vec(0, 0, margin - depth), 0, 1, 0, 0);
  check_pair(&m, a.shape, check_compose(world, a.pose), b.shape, check_compose(world, check_compose(over, b.pose)));
  world.position = check_compose(world, graze_pose_at(0, 0, margin)).position;
  const polygon seen = contacts_in(world);
  for (int i = 0; i < seen.count; i++) assert_true(from_corners(&common, seen.at[i]) <= allowed);
  for (int i = 0; i < common.count; i++) assert_true(from_corners(&seen, common.at[i]) <= allowed);
  return true;
}

TEST(flush) { /* seed 1 */
  int compared = 0, corners[CHECK_CAPACITY] = {0};
  const int count = rounds();
  state = 1;
  for (int i = 0; i < count; i++)
    if (flush_pair()) compared++, corners[m.count]++;
  assert_true(compared >= count / 4);
  for (int i = 2; i <= 10; i++) assert_true(corners[i] >= count / 500);
}

/* A 2D box, or a polygon with the same lowest side. */
static graze_shape any_flat(double half, graze_vec *vertices) {
  if (below(2)) return graze_box2(half, 1);
  vertices[0] = vec(-half, -1, 0), vertices[1] = vec(uniform(-0.9, 0.9) * half, -1, 0), vertices[2] = vec(half, -1, 0);
  vertices[3] = vec(half + uniform(0, 1), uniform(-0.5, 0.5), 0), vertices[4] = vec(uniform(-half, half), 2, 0);
  vertices[5] = vec(-half - uniform(0, 1), uniform(-0.5, 0.5), 0);
  return below(2) ? graze_polygon(vertices, 6) : graze_hull_points2(vertices, 6);
}

/* Sides on sides: the contact is the intersection of two intervals. Seed 2. */
TEST(flush_2d) {
  static graze_vec vertices_a[8], vertices_b[8];
  int compared = 0;
  state = 2;
  for (int i = 0; i < rounds(); i++) {
    const double half_a = uniform(0.2, 2), half_b = uniform(0.2, 2), x = uniform(-1.5, 1.5);
    const double low = fmax(-half_a, x - half_b), high = fmin(half_a, x + half_b), depth = uniform(-0.5, 0.02);
    if (high - low < 0.1) continue;
    const graze_pose world = check_turned(uniform(-3, 3), uniform(-3, 3), 0, uniform(-3, 3));
    const graze_pose upside_down = graze_pose3(vec(0, 0, 0), 0, 0, 0, 1);
    const graze_shape a = any_flat(half_a, vertices_a), b = any_flat(half_b, vertices_b);
    check_pair(&m, a, check_compose(world, upside_down), b, check_compose(world, graze_pose_at(x, 2 - depth, 0)));
    const graze_vec ends[2] = {check_compose(world, graze_pose_at(low, 1, 0)).position,
                               check_compose(world, graze_pose_at(high, 1, 0)).position};
    check_points(&m, ends, 2);
    compared++;
  }
  assert_true(compared >= rounds() / 2);
}

/* ---- outlines with almost collinear sides */

/* A prism on the polygon, 1 high, upwards or downwards from z = 0. The polygon becomes as rounded. */
static graze_shape prism(polygon *p, double up, graze_vec *vertices) {
  for (int i = 0; i < p->count; i++) {
    vertices[i] = vec((double)p->at[i].x, (double)p->at[i].y, 0);
    vertices[p->count + i] = vec(vertices[i].x, vertices[i].y, up);
    p->at[i] = (flat){vertices[i].x, vertices[i].y};
  }
  return graze_hull_points(vertices, 2 * (size_t)p->count);
}

/* A regular polygon, and a quadrangle of which one side almost lies on one of its sides, from either direction. */
static bool almost_collinear(polygon *p, polygon *q) {
  const double tiny = pow(10, uniform(-14, -5)), start = uniform(0, 6), outward = below(2) ? -1 : 1;
  p->count = 3 + below(5);
  for (int i = 0; i < p->count; i++)
    p->at[i] = (flat){cos(start + i * 8 * atan(1) / p->count), sin(start + i * 8 * atan(1) / p->count)};
  const flat a = p->at[0], b = p->at[1];
  long double ex = b.x - a.x, ey = b.y - a.y, from = uniform(-0.5, 0.9), to = from + uniform(0.1, 1);
  if (below(10) < 3) from = 0;
  if (below(10) < 3) to = 1;
  const long double fraction[4] = {from, to, to + uniform(-0.5, 0.5), from + uniform(-0.5, 0.5)};
  const double off[4] = {uniform(-1, 1) * tiny, uniform(-1, 1) * tiny, outward * uniform(0.1, 1),
                         outward * uniform(0.1, 1)};
  q->count = 4;
  for (int i = 0; i < 4; i++)
    q->at[outward > 0 ? i : 3 - i] = (flat){a.x + fraction[i] * ex - off[i] * ey, a.y + fraction[i] * ey + off[i] * ex};
  for (int i = 0; i < 4; i++)
    if (!(side(q->at[i], q->at[(i + 1) % 4], q->at[(i + 2) % 4]) > 1e-3L)) return false;
  return true;
}

/* Contacts lie within 1e-9 of both outlines (check_query), and their hull covers the intersection but for the merging
 * of points. Seed 3. */
TEST(almost_collinear_sides) {
  static graze_vec vertices_a[CORNERS], vertices_b[CORNERS];
  int corners = 0, thin = 0;
  state = 3;
  for (int i = 0; i < 2 * rounds(); i++) {
    polygon p, q;
    if (!almost_collinear(&p, &q)) continue;
    const graze_shape a = prism(&p, -1, vertices_a), b = prism(&q, 1, vertices_b);
    check_pair(&m, a, identity, b, identity);
    if (fabs(m.answer.normal.z) < 0.5) continue; /* the outlines share less than rounding: sides may be nearer */
    const polygon seen = contacts_in(identity);
    polygon inner = intersect(&p, &p, 1e-14L);
    inner = intersect(&inner, &q, 1e-14L);
    for (int k = 0; k < inner.count; k++)
      if (from_hull(&seen, inner.at[k]) > 3e-9L) fail_msg("round %d: corner %d is not covered", i, k);
    for (int k = 0; k < seen.count; k++)
      assert_true(from_hull(&p, seen.at[k]) <= 2e-9L && from_hull(&q, seen.at[k]) <= 2e-9L);
    corners += inner.count;
    thin += inner.count > 0 && from_hull(&seen, inner.at[0]) > 0;
  }
  assert_true(corners > rounds() && thin > rounds() / 100);
}

/* Corners of a face lie off its plane by 1e-16 to 1e-6 of the size. Contacts lie on the hull, and the deepest one has
 * the depth of the answer, to 1e-9 (check_query). Seed 9. */
TEST(uneven_faces) {
  static graze_vec vertices[8];
  int several = 0;
  state = 9;
  for (int i = 0; i < rounds(); i++) {
    for (int k = 0; k < 8; k++) {
      const double off = pow(10, uniform(-16, -6.5)) * (below(2) ? 1 : -1);
      vertices[k] = vec(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? off : -1);
    }
    const graze_shape a = graze_hull_points(vertices, 8);
    const graze_shape b = graze_box(uniform(0.3, 1.5), uniform(0.3, 1.5), 0.5);
    const graze_pose world = random_unit_pose(&state, 3);
    const graze_vec below_b = vec(uniform(-0.5, 0.5), uniform(-0.5, 0.5), uniform(-0.1, 0.3));
    const graze_pose tilted = graze_pose3(below_b, 1, uniform(-0.05, 0.05), uniform(-0.05, 0.05), uniform(-0.5, 0.5));
    check_pair(&m, a, check_compose(world, tilted), b, check_compose(world, graze_pose_at(0, 0, 0.5)));
    several += m.count > 2;
  }
  assert_true(several > rounds() / 4);
}

/* ---- facets of polygons */

/* A polygon has the manifold of a hull of the same vertices, also where vertices are repeated or lie on an edge, and in
 * units in which products underflow. Seed 4. */
TEST(polygons_as_hulls) {
  static check_manifold as_hull;
  int compared = 0, edges = 0;
  state = 4;
  for (int i = 0; i < 2 * rounds(); i++) {
    graze_vec vertices[PAIR_VERTICES];
    const graze_shape odd = i % 2 ? random_polygon(&state, vertices) : random_odd_polygon(&state, vertices);
    const size_t count = odd.as.hull.count;
    const double unit = i % 4 == 1 ? ldexp(1, -450 - below(100)) : 1;
    for (size_t k = 0; k < count; k++) vertices[k] = scaled(unit, vertices[k]);
    const graze_vec normals[4] = {{0, -1, 0}, {1, 0, 0}, rng_vec(&state, 2, 1), rng_vec(&state, 2, 1)};
    check_place(&m, graze_halfspace2(normals[below(4)], 0), identity, graze_polygon(vertices, count), identity);
    check_place(&as_hull, m.a.shape, identity, graze_hull_points2(vertices, count), identity);
    if (m.a.status != GRAZE_OK || m.b.status != GRAZE_OK) continue; /* too few vertices */
    check_nearest(&m, 8);
    check_nearest(&as_hull, 8);
    assert_int_equal(m.count, as_hull.count);
    assert_memory_equal(m.contact, as_hull.contact, m.count * sizeof m.contact[0]);
    compared++;
    edges += m.count == 2;
  }
  assert_true(compared > rounds() && edges > compared / 4 && edges < compared * 19 / 20);
}

/* ---- any pairs */

static graze_shape any_shape(int dim, graze_vec *vertices) {
  const int kind = below(8);
  const double r = uniform(0.2, 1), h = uniform(0.2, 1);
  if (dim == 2)
    return kind == 0 ? graze_ellipse(r, h) : kind == 1 ? graze_circle(r) : random_shape(&state, 2, vertices);
  switch (kind) {
  case 0: return graze_cylinder(r, h);
  case 1: return graze_cone(r, h);
  case 2: return graze_ellipsoid(r, h, 0.5);
  case 3: return graze_capsule(r, h);
  case 4: return graze_box(r, h, 0.6);
  case 5: return graze_with_margin(graze_cylinder(r, h), 0.25);
  default: return random_shape(&state, 3, vertices);
  }
}

/* Half of them are speculative. Seeds 5 and 6. */
TEST(any_pairs) {
  static shape_pair pair;
  for (int dim = 2; dim <= 3; dim++) {
    const int most = dim == 2 ? 2 : 4;
    int hits = 0, points[5] = {0};
    state = (uint64_t)dim + 3;
    for (int i = 0; i < rounds(); i++) {
      graze_manifold_options options = graze_default_manifold_options();
      if (i % 2) options.speculative_distance = uniform(0, 1);
      if (i % 8 == 1) options.clearance = uniform(0, 0.5);
      pair.a = any_shape(dim, pair.vertices_a), pair.b = any_shape(dim, pair.vertices_b);
      const graze_pose pose_a = random_pose(&state, dim, 1), pose_b = random_pose(&state, dim, 1);
      check_place(&m, pair.a, pose_a, pair.b, pose_b);
      check_query(&m, &options, CHECK_CAPACITY);
      check_query(&m, &options, (size_t)most);
      hits += m.answer.relation == GRAZE_OVERLAPPING;
      points[m.count]++;
    }
    assert_in_range(hits, rounds() / 4, rounds() * 9 / 10);
    for (int n = 0; n <= most; n++) assert_true(points[n] >= rounds() / 100);
  }
}

TEST(degenerate) { /* seed 7 */
  static shape_pair pair;
  const int count = rounds() / 30;
  int contacts = 0;
  state = 7;
  for (int f = 0; f < families_degenerate_count; f++)
    for (int i = 0; i < count; i++) {
      families_degenerate[f].make(&state, &pair);
      check_pair(&m, pair.a, pair.pose_a, pair.b, pair.pose_b);
      check_nearest(&m, 3);
      contacts += (int)m.count;
    }
  assert_true(contacts >= count * families_degenerate_count);
}

/* Shapes without some of their extent; seed 8. */
static graze_shape thin_shape(void) {
  const double r = below(3) ? uniform(0.2, 1) : 0, h = below(3) ? uniform(0.2, 1) : 0;
  const graze_vec p = rng_vec(&state, 3, 1), q = below(2) ? p : rng_vec(&state, 3, 1);
  switch (below(7)) {
  case 0: return graze_cylinder(r, h);
  case 1: return graze_cone(r, h);
  case 2: return graze_capsule(r, h);
  case 3: return graze_box(r, h, below(2) ? 0 : 0.5);
  case 4: return graze_segment(p, q);
  case 5: return graze_triangle(p, rng_vec(&state, 3, 1), q);
  default: return graze_sphere(r);
  }
}

TEST(thin) {
  int hits = 0;
  state = 8;
  for (int i = 0; i < rounds(); i++) {
    const graze_shape a = thin_shape(), b = thin_shape();
    graze_pose pose_a = random_pose(&state, 3, 0.5), pose_b = random_pose(&state, 3, 0.5);
    if (i % 3 == 0) pose_b = identity, pose_a = graze_pose_at(0, 0, below(2) ? 0 : 0.5);
    check_pair(&m, a, pose_a, b, pose_b);
    hits += m.answer.distance <= 0;
  }
  assert_in_range(hits, rounds() / 10, rounds() * 9 / 10);
}
