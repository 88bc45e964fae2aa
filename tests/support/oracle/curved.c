/* Enclosures of the signed distance of curved shapes, by weak duality in wide arithmetic. */
#include "support/oracle/curved.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "support/oracle/oracle.h"

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 wide;
static const double wide_rounding = 1e-33;
#else
typedef long double wide;
static const double wide_rounding = LDBL_EPSILON;
#endif

enum { MOST_ITERATIONS = 400 };

typedef struct wvec {
  wide c[3];
} wvec;

typedef struct wbody {
  const graze_shape *shape;
  wide row[3][3]; /* R(q) */
  wvec position;  /* relative to body B */
} wbody;

static wide w_abs(wide x) { return x < 0 ? -x : x; }

/* Newton from the double root; scaled, since a wide may lie outside the range of doubles. */
static wide w_sqrt(wide x) {
  if (!(x > 0)) return 0;
  wide factor = 1;
  while (x > 0x1p200) x /= 0x1p200, factor *= 0x1p100;
  while (x < 0x1p-200) x *= 0x1p200, factor /= 0x1p100;
  wide root = sqrt((double)x);
  for (int i = 0; i < 3; i++) root = (root + x / root) / 2;
  return root * factor;
}

static wide w_dot(const wvec *u, const wvec *v) { return u->c[0] * v->c[0] + u->c[1] * v->c[1] + u->c[2] * v->c[2]; }

static wvec w_sub(const wvec *u, const wvec *v) {
  wvec out;
  for (int k = 0; k < 3; k++) out.c[k] = u->c[k] - v->c[k];
  return out;
}

static wvec w_cross(const wvec *u, const wvec *v) {
  wvec out;
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    out.c[k] = u->c[i] * v->c[j] - u->c[j] * v->c[i];
  }
  return out;
}

static wide w_det(const wvec *u, const wvec *v, const wvec *w) {
  wvec n = w_cross(u, v);
  return w_dot(&n, w);
}

static wvec w_of(graze_vec v) {
  wvec out = {{v.x, v.y, v.z}};
  return out;
}

/* ---- bodies */

static wbody body_of(const graze_shape *shape, const graze_pose *pose, graze_vec origin) {
  wbody body = {shape, {{0}}, {{0}}};
  wide w = pose->w, q[3] = {pose->x, pose->y, pose->z}, n = w * w + q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    body.row[i][i] = 1 - 2 * (q[j] * q[j] + q[k] * q[k]) / n;
    body.row[i][j] = 2 * (q[i] * q[j] - w * q[k]) / n;
    body.row[j][i] = 2 * (q[i] * q[j] + w * q[k]) / n;
  }
  wvec p = w_of(pose->position), o = w_of(origin);
  body.position = w_sub(&p, &o);
  return body;
}

static wvec list_support(const graze_shape *s, const wvec *d) {
  wvec best = w_of(oracle_core_vertex(s, 0));
  for (int i = 1; i < oracle_core_count(s); i++) {
    wvec v = w_of(oracle_core_vertex(s, i));
    if (w_dot(&v, d) > w_dot(&best, d)) best = v;
  }
  return best;
}

/* The farthest point of the ellipsoid with these radii: r_k² d_k / |(r d)|. */
static wvec round_support(wide rx, wide ry, wide rz, const wvec *d) {
  wvec t = {{rx * d->c[0], ry * d->c[1], rz * d->c[2]}}, out = {{0}};
  wide length = w_sqrt(w_dot(&t, &t)), r[3] = {rx, ry, rz};
  for (int k = 0; k < 3 && length > 0; k++) out.c[k] = r[k] * (t.c[k] / length);
  return out;
}

static wvec local_support(const graze_shape *s, const wvec *d) {
  wvec rim, apex = {{0, 0, s->as.capsule.half_length}};
  switch (s->kind) {
  case GRAZE_ELLIPSOID:
    return round_support(s->as.ellipsoid.radii.x, s->as.ellipsoid.radii.y, s->as.ellipsoid.radii.z, d);
  case GRAZE_CYLINDER:
    rim = round_support(s->as.capsule.radius, s->as.capsule.radius, 0, d);
    rim.c[2] = d->c[2] > 0 ? s->as.capsule.half_length : -s->as.capsule.half_length;
    return rim;
  case GRAZE_CONE:
    rim = round_support(s->as.capsule.radius, s->as.capsule.radius, 0, d);
    rim.c[2] = -s->as.capsule.half_length;
    return w_dot(&rim, d) > w_dot(&apex, d) ? rim : apex;
  default: return list_support(s, d);
  }
}

/* The core point of the placed body farthest along the world direction `sign`·d. */
static wvec world_support(const wbody *body, const wvec *d, int sign) {
  wvec local = {{0}}, out = body->position;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) local.c[i] += sign * body->row[j][i] * d->c[j];
  wvec v = local_support(body->shape, &local);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out.c[i] += body->row[i][j] * v.c[j];
  return out;
}

static wide radius_of(const graze_shape *s) {
  return (wide)s->margin + (s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE ? s->as.sphere.radius : 0);
}

static double size_of(const graze_shape *s) {
  double size = s->kind == GRAZE_HALFSPACE ? fabs(s->as.halfspace.offset) : 0;
  for (int i = 0; i < oracle_core_count(s); i++) {
    graze_vec v = oracle_core_vertex(s, i);
    size = fmax(size, fabs(v.x) + fabs(v.y) + fabs(v.z));
  }
  if (s->kind == GRAZE_ELLIPSOID) size = s->as.ellipsoid.radii.x + s->as.ellipsoid.radii.y + s->as.ellipsoid.radii.z;
  if (s->kind == GRAZE_CYLINDER || s->kind == GRAZE_CONE) size = s->as.capsule.radius + s->as.capsule.half_length;
  return size;
}

/* ---- the search: GJK-like, but only its bounds count */

/* Weights of the nearest point of the affine hull of n points; false unless all are > 0. */
static bool face_weights(const wvec *const w[4], int n, wide weight[4]) {
  const wvec *p = w[0], *q = w[n > 1 ? 1 : 0], *r = w[n > 2 ? 2 : 0];
  wvec e = w_sub(q, p), f = w_sub(r, p), m = w_cross(&e, &f);
  if (n == 1) weight[0] = 1;
  if (n == 2) {
    weight[0] = w_dot(&e, q);
    weight[1] = -w_dot(&e, p);
  }
  if (n >= 3) { /* as seen along the normal; of a tetrahedron from the last point */
    const wvec *s = n == 4 ? w[3] : &m;
    weight[0] = w_det(q, r, s);
    weight[1] = w_det(r, p, s);
    weight[2] = w_det(p, q, s);
  }
  if (n == 4) weight[3] = w_det(q, p, r);
  for (int i = 0, flip = weight[0] < 0; i < n && n == 4 && flip; i++) weight[i] = -weight[i];
  wide total = 0;
  for (int i = 0; i < n; i++) {
    if (!(weight[i] > 0)) return false;
    total += weight[i];
  }
  for (int i = 0; i < n; i++) weight[i] /= total;
  return true;
}

typedef struct search {
  wvec w[5], v;
  int count;
} search;

/* Shrinks to the face that holds the nearest point; v is that point. */
static void reduce_to_nearest(search *s) {
  wide best = -1;
  int keep = 1;
  for (int mask = 1; mask < 1 << s->count; mask++) {
    const wvec *face[5] = {&s->w[0]};
    wide weight[4], square;
    wvec x = {{0}};
    int n = 0;
    for (int i = 0; i < s->count; i++)
      if (mask >> i & 1) face[n++] = &s->w[i];
    if (n > 4 || !face_weights(face, n, weight)) continue;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 3; k++) x.c[k] += weight[i] * face[i]->c[k];
    square = n == 4 ? 0 : w_dot(&x, &x);
    if (best >= 0 && square >= best) continue;
    best = square;
    keep = mask;
    s->v = x;
  }
  int kept = 0;
  for (int i = 0; i < s->count; i++)
    if (keep >> i & 1) s->w[kept++] = s->w[i];
  s->count = kept;
}

static wide face_height(const wvec *p, const wvec *q, const wvec *r) {
  wvec e = w_sub(q, p), f = w_sub(r, p), n = w_cross(&e, &f);
  wide length = w_sqrt(w_dot(&n, &n));
  return length > 0 ? w_abs(w_dot(&n, p)) / length : 0;
}

/* Is the origin inside the simplex by more than `margin`? In 2D the sides are planes along z. */
static bool strictly_inside(const search *s, int dim, wide margin) {
  bool inside = s->count == dim + 1;
  for (int i = 0; i < s->count && inside; i++) {
    wvec above = s->w[(i + 1) % s->count];
    above.c[2] += 1;
    inside = face_height(&s->w[i], &s->w[(i + 1) % s->count], dim == 2 ? &above : &s->w[(i + 2) % s->count]) > margin;
  }
  return inside;
}

/* A 2D triangle about the origin weighs like a 3D face that holds it: v is 0 then. */
static bool holds_origin(const search *s, int dim, wide tiny) {
  return s->count == dim + 1 && w_dot(&s->v, &s->v) <= tiny * tiny;
}

static double down(wide x) { return nextafter((double)x, -INFINITY); }
static double up(wide x) { return nextafter((double)x, INFINITY); }

static curved_truth solve_cores(const wbody *a, const wbody *b, wide r, wide slack, int dim) {
  search s = {.count = 0, .v = {{1, 0, 0}}};
  wide lower = -1, upper = -1;
  bool any = false;
  curved_truth truth = {-INFINITY, INFINITY, false, 0};
  for (; truth.iterations < MOST_ITERATIONS; truth.iterations++) {
    wvec pa = world_support(a, &s.v, -1), pb = world_support(b, &s.v, 1), w = w_sub(&pa, &pb);
    wide size = w_sqrt(w_dot(&s.v, &s.v)), gap = w_dot(&s.v, &w) / size; /* d = -v: gap(d) = v·w */
    if (!any || gap > lower) lower = gap;
    any = true;
    if (s.count > 0 && size - lower <= slack) break;
    if (s.count == 4 + (dim == 3)) break;
    s.w[s.count++] = w;
    reduce_to_nearest(&s);
    if (holds_origin(&s, dim, slack)) break;
    wide length = w_sqrt(w_dot(&s.v, &s.v)), before = upper;
    if (upper < 0 || length < upper) upper = length;
    if (length == 0 || upper == before) break;
  }
  truth.lower = down(lower - slack - r);
  truth.cores_overlap = strictly_inside(&s, dim, 16 * slack);
  if (truth.cores_overlap)
    truth.upper = up(-r);
  else
    truth.upper = up((upper < 0 ? w_sqrt(w_dot(&s.v, &s.v)) : upper) + slack - r);
  return truth;
}

/* The half-space has its deepest point in closed form. */
static curved_truth solve_plane(const wbody *plane, const wbody *body, wide r, wide slack) {
  wvec local = w_of(plane->shape->as.box.half_extents), n = {{0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) n.c[i] += plane->row[i][j] * local.c[j];
  wide length = w_sqrt(w_dot(&n, &n));
  wvec deepest = world_support(body, &n, -1), step = w_sub(&deepest, &plane->position);
  wide distance = w_dot(&n, &step) / length - plane->shape->as.halfspace.offset - r;
  return (curved_truth){down(distance - slack), up(distance + slack), false, 1};
}

/* ---- depth, from above */

enum { STARTS = 300, DESCENTS = 6, TURNS = 12, HALVINGS = 50, MOST_TRIES = 10000 };

static const double LONGEST_STEP = 0.2;

/* The support width of C along a unit vector: how far B must move along it. */
static wide support_width(const wbody *a, const wbody *b, const wvec *n) {
  wvec pa = world_support(a, n, 1), pb = world_support(b, n, -1), w = w_sub(&pa, &pb);
  return w_dot(&w, n);
}

static void make_unit(wvec *n) {
  wide by = 1 / w_sqrt(w_dot(n, n));
  for (int k = 0; k < 3; k++) n->c[k] *= by;
}

/* Some directions all over the sphere (2D: the circle): multiples of the golden angle, by addition of a unit vector. */
static void start_direction(int i, int dim, wvec *n) {
  double z = dim == 2 ? 0 : 1 - (2 * i + 1.0) / STARTS, turn = dim == 2 ? 2.0 * i / STARTS : i * 0.76393202250021030;
  double angle = 3.14159265358979 * (turn - 2 * floor(turn / 2)), r = sqrt(1 - z * z);
  n->c[0] = r * cos(angle), n->c[1] = r * sin(angle), n->c[2] = z;
  make_unit(n);
}

static wvec stepped(const wvec *n, const wvec *u, wide by) {
  wvec out;
  for (int k = 0; k < 3; k++) out.c[k] = n->c[k] + by * u->c[k];
  make_unit(&out);
  return out;
}

/* A pattern search: tries TURNS directions across n at each step length, moves where it is better, and then dares twice
 * the step, or would creep along a crease; else halves it. Some creep even so: they are left where they are. */
static wide descend(const wbody *a, const wbody *b, int dim, wvec *n) {
  wide best = support_width(a, b, n), step = LONGEST_STEP;
  for (int halvings = 0, tries = 0; halvings < HALVINGS && tries < MOST_TRIES;) {
    wvec axis = {{0}}, u, v;
    axis.c[dim == 2 ? 2 : w_abs(n->c[0]) < 0.6 ? 0 : 1] = 1;
    u = w_cross(n, &axis);
    v = w_cross(n, &u);
    bool moved = false;
    for (int i = 0; i < (dim == 2 ? 2 : TURNS) && !moved; i++) {
      double angle = 6.283185307179586 * (dim == 2 ? i / 2.0 : (i + 0.37 * (halvings % 7)) / TURNS);
      wvec across, to;
      for (int k = 0; k < 3; k++)
        across.c[k] = dim == 2 ? (i ? -u.c[k] : u.c[k]) : u.c[k] * cos(angle) + v.c[k] * sin(angle);
      to = stepped(n, &across, step);
      wide width = support_width(a, b, &to);
      tries++;
      if (!(width < best)) continue;
      best = width;
      *n = to;
      moved = true;
    }
    if (!moved)
      halvings++;
    else if (halvings > 0)
      halvings--;
    step = LONGEST_STEP * ldexp(1, -halvings);
  }
  return best;
}

/* Both bodies as seen from B, the sum of their radii, and a slack that is far more than all rounding. */
typedef struct scene {
  wbody a, b;
  wide r, slack;
} scene;

static scene scene_of(const graze_shape *a, const graze_pose *pose_a, const graze_shape *b, const graze_pose *pose_b,
                      double clearance) {
  scene s = {body_of(a, pose_a, pose_b->position), body_of(b, pose_b, pose_b->position), 0, 0};
  s.r = radius_of(a) + radius_of(b) + clearance;
  s.slack = size_of(a) + size_of(b) + s.r;
  for (int k = 0; k < 3; k++) s.slack += w_abs(s.a.position.c[k]);
  s.slack *= 1e4 * wide_rounding;
  return s;
}

double curved_width(const graze_shape *a, const graze_pose *pose_a, const graze_shape *b, const graze_pose *pose_b,
                    double clearance, graze_vec direction) {
  scene s = scene_of(a, pose_a, b, pose_b, clearance);
  wvec n = w_of(direction);
  make_unit(&n);
  return up(support_width(&s.a, &s.b, &n) + s.r + s.slack);
}

double curved_depth(const graze_shape *a, const graze_pose *pose_a, const graze_shape *b, const graze_pose *pose_b,
                    double clearance) {
  scene s = scene_of(a, pose_a, b, pose_b, clearance);
  wide best = -1, value[STARTS];
  wvec n;
  for (int i = 0; i < STARTS; i++) {
    start_direction(i, a->dim, &n);
    value[i] = support_width(&s.a, &s.b, &n);
  }
  for (int k = 0; k < DESCENTS; k++) {
    int from = 0;
    for (int i = 1; i < STARTS; i++)
      if (value[i] < value[from]) from = i;
    start_direction(from, a->dim, &n);
    value[from] = 1e300;
    wide width = descend(&s.a, &s.b, a->dim, &n);
    if (best < 0 || width < best) best = width;
  }
  return up(best + s.r + s.slack);
}

curved_truth curved_solve(const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                          const graze_pose *pose_b, double clearance) {
  scene s = scene_of(a, pose_a, b, pose_b, clearance);
  if (a->kind == GRAZE_HALFSPACE) return solve_plane(&s.a, &s.b, s.r, s.slack);
  if (b->kind == GRAZE_HALFSPACE) return solve_plane(&s.b, &s.a, s.r, s.slack);
  return solve_cores(&s.a, &s.b, s.r, s.slack, a->dim);
}
