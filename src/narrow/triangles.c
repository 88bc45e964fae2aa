/* Two triangles in 3D: their relation by the heights of the vertices over both planes, and by at most four products of
 * edges.
 *
 * If the vertices of each triangle lie on both sides of the other plane, each triangle meets the intersection line of
 * the planes in an interval. The order of the ends of the intervals decides. Triangles of one mesh share vertices
 * exactly; then the same heights decide between touching and overlapping. Source: Devillers, Guigue, "Faster
 * triangle-triangle intersection tests", 2002. Theory: docs/theory/axes.md, "Triangles". */
#include "narrow/axes.h"

#include "shape/placed.h"

/* A triangle among two: its vertices relative to the origin of B, in the common frame. */
typedef struct triangle_side {
  graze_vec vertex[3];
  graze_vec normal;
  double edge;      /* the largest 1-norm of an edge */
  double height[3]; /* of the vertices over the plane of the other triangle, times the length of its normal */
  int sign[3];      /* the certain signs of the heights; 0: unknown, or exactly 0 if `exact` and a vertex is shared */
} triangle_side;

typedef struct triangle_pair {
  const graze_placed *placed_a, *placed_b;
  triangle_side a, b;
  bool exact;    /* the vertices have no error: the frame is the local one of both triangles, or no body is rotated */
  bool local;    /* the frame is the local one */
  double size;   /* >= every |a - b| */
  double error;  /* GRZ_U·size times the constants below, or 0 if exact: for grz_det_error() */
  double beyond; /* a direction certainly separates if the computed gap is larger */
} triangle_pair;

/* In u·size; derived in docs/theory/axes.md, "Triangles". */
#define TRIANGLE_POINTS 96
#define TRIANGLE_GAP 64

/* Beyond these sizes, products of six lengths leave the range of doubles. Smaller bounds of determinants may be wrong,
 * because products underflow. */
#define TRIANGLE_SMALLEST 0x1p-140
#define TRIANGLE_LARGEST 0x1p130
#define TRIANGLE_LEAST_DOUBT 0x1p-900

/* Squares of shorter directions lose significant digits. */
#define TRIANGLE_LEAST_SQUARE 0x1p-900

/* The normals of flatter triangles, and the products of more parallel edges, have few significant digits. */
#define TRIANGLE_FLAT 0x1p-40

/* Returns whether both shapes have the same pose. */
static bool triangle_same_pose(const graze_pose *p, const graze_pose *q) {
  return vec_equal(p->position, q->position) && p->w == q->w && p->x == q->x && p->y == q->y && p->z == q->z;
}

/* Adds the offset to the local vertices. Returns false if a sum is rounded. */
static bool triangle_translate(const graze_vec *local, graze_vec offset, graze_vec vertex[3]) {
  double lost = 0;
  for (int i = 0; i < 3; i++) {
    double x, y, z;
    vertex[i] = vec_make(real_two_sum(local[i].x, offset.x, &x), real_two_sum(local[i].y, offset.y, &y),
                         real_two_sum(local[i].z, offset.z, &z));
    lost += (real_abs(x) + real_abs(y)) + real_abs(z);
  }
  return lost == 0;
}

/* Returns whether p_a - p_b has no rounding error. */
static bool triangle_offset_is_exact(const graze_placed *a, const graze_placed *b) {
  const graze_vec p = a->pose.position, q = b->pose.position;
  double x, y, z;
  (void)real_two_sum(p.x, -q.x, &x), (void)real_two_sum(p.y, -q.y, &y), (void)real_two_sum(p.z, -q.z, &z);
  return x == 0 && y == 0 && z == 0;
}

/* Sets the vertices of both triangles without error, if that is possible. */
static bool triangle_place_exactly(triangle_pair *p, graze_vec offset) {
  const graze_placed *a = p->placed_a, *b = p->placed_b;
  const graze_vec *local_a = a->shape.as.triangle.vertices, *local_b = b->shape.as.triangle.vertices;
  if (placed_is_part(a) || placed_is_part(b)) return false;
  p->local = triangle_same_pose(&a->pose, &b->pose);
  if (!p->local && (pose_is_rotated(&a->pose) || pose_is_rotated(&b->pose))) return false;
  for (int i = 0; i < 3; i++) p->a.vertex[i] = local_a[i], p->b.vertex[i] = local_b[i];
  return p->local || (triangle_offset_is_exact(a, b) && triangle_translate(local_a, offset, p->a.vertex));
}

static void triangle_place(triangle_pair *p, graze_vec offset) {
  const graze_placed *a = p->placed_a, *b = p->placed_b;
  p->local = false;
  p->exact = triangle_place_exactly(p, offset);
  for (int i = 0; i < 3 && !p->exact; i++) {
    p->a.vertex[i] = vec_add(vec_rotate(a->hidden.rotation, a->shape.as.triangle.vertices[i], 3), offset);
    p->b.vertex[i] = vec_rotate(b->hidden.rotation, b->shape.as.triangle.vertices[i], 3);
  }
}

/* Sets the normal and the largest edge. */
static inline void triangle_measure(triangle_side *t) {
  const graze_vec e = vec_sub(t->vertex[1], t->vertex[0]), f = vec_sub(t->vertex[2], t->vertex[0]);
  t->normal = vec_cross(e, f);
  t->edge = real_max(real_max(vec_norm1(e), vec_norm1(f)), vec_norm1(vec_sub(f, e)));
}

static inline int triangle_sign(double x, double doubt) { return x > doubt ? 1 : x < -doubt ? -1 : 0; }

/* Sets the heights of the vertices of t over the plane of `other`. */
static inline void triangle_set_heights(triangle_side *t, const triangle_side *other, double doubt) {
  for (int i = 0; i < 3; i++) {
    t->height[i] = vec_dot(other->normal, vec_sub(t->vertex[i], other->vertex[0]));
    t->sign[i] = triangle_sign(t->height[i], doubt);
  }
}

/* Returns whether all heights certainly have the same sign. */
static inline bool triangle_is_beside(const triangle_side *t) {
  return t->sign[0] != 0 && t->sign[0] == t->sign[1] && t->sign[0] == t->sign[2];
}

/* Returns whether the sign of a height is unknown. */
static inline bool triangle_is_unknown(const triangle_side *t) {
  return t->sign[0] == 0 || t->sign[1] == 0 || t->sign[2] == 0;
}

/* ---- Separated */

/* Returns whether d or -d certainly separates the triangles, and fills the relation. */
static bool triangle_separates(const triangle_pair *p, graze_vec d, grz_result *result) {
  double a[3], b[3];
  for (int i = 0; i < 3; i++) a[i] = vec_dot(d, p->a.vertex[i]), b[i] = vec_dot(d, p->b.vertex[i]);
  const double above = real_min(real_min(b[0], b[1]), b[2]) - real_max(real_max(a[0], a[1]), a[2]);
  const double below = real_min(real_min(a[0], a[1]), a[2]) - real_max(real_max(b[0], b[1]), b[2]);
  const double gap = real_max(above, below), square = vec_dot(d, d), length = real_sqrt(square);
  if (!(square > TRIANGLE_LEAST_SQUARE && gap > length * p->beyond)) return false;
  const graze_vec unit = vec_scale(d, (above > below ? 1 : -1) / length);
  grz_certify_separated(p->local ? vec_rotate(p->placed_a->hidden.rotation, unit, 3) : unit, result);
  return true;
}

/* The direction between the centroids, times 3. */
static graze_vec triangle_line_of_centres(const triangle_pair *p) {
  graze_vec d = vec_sub(p->b.vertex[0], p->a.vertex[0]);
  for (int i = 1; i < 3; i++) d = vec_add(d, vec_sub(p->b.vertex[i], p->a.vertex[i]));
  return d;
}

/* ---- Overlapping */

static grz_pair triangle_of_pair(const triangle_pair *p, int a, int b) {
  return (grz_pair){a, b, p->placed_a->shape.as.triangle.vertices[a], p->placed_b->shape.as.triangle.vertices[b], 0};
}

/* Adds the point a - b of C to the certificate. */
static void triangle_add_pair(const triangle_pair *p, int a, int b, grz_result *result) {
  result->proof.pairs[result->proof.pair_count++] = triangle_of_pair(p, a, b);
}

/* The origin is strictly inside the hull of the pairs that the caller adds. */
static void triangle_overlaps(const triangle_pair *p, double clearance, grz_result *result) {
  const bool rounded = p->placed_a->hidden.radius > 0 || p->placed_b->hidden.radius > 0 || clearance > 0;
  result->answer.relation = GRAZE_OVERLAPPING;
  result->proof.kind = rounded ? GRAZE_CERTIFICATE_NEAR : GRAZE_CERTIFICATE_INSIDE;
}

/* The vertex that is alone on its side of the other plane. */
static inline int triangle_lone(const int sign[3]) { return sign[1] == sign[2] ? 0 : sign[0] == sign[2] ? 1 : 2; }

/* The two edges from the lone vertex intersect the other plane. first, last: their other ends, in the order of the
 * intersections along normal_a × normal_b. */
typedef struct triangle_interval {
  int lone, first, last;
} triangle_interval;

/* `forward`: true for B. The order depends on the side of the lone vertex. */
static inline triangle_interval triangle_interval_of(const triangle_side *t, bool forward) {
  const int lone = triangle_lone(t->sign), next = (lone + 1) % 3, other = (lone + 2) % 3;
  return forward == (t->sign[lone] > 0) ? (triangle_interval){lone, next, other}
                                        : (triangle_interval){lone, other, next};
}

/* Each triangle intersects the plane of the other. Returns false if rounding leaves the relation open. */
static bool triangle_cross(const triangle_pair *p, double clearance, grz_result *result) {
  const triangle_interval a = triangle_interval_of(&p->a, false), b = triangle_interval_of(&p->b, true);
  const graze_vec *va = p->a.vertex, *vb = p->b.vertex, w = vec_sub(va[a.lone], vb[b.lone]);
  const double doubt = grz_det_error(p->a.edge, p->b.edge, (vec_norm1(w) + p->a.edge) + p->b.edge, p->error);
  const double side = p->a.sign[a.lone] == p->b.sign[b.lone] ? -1 : 1;
  const graze_vec a_first = vec_sub(va[a.first], va[a.lone]), a_last = vec_sub(va[a.last], va[a.lone]);
  const graze_vec b_first = vec_sub(vb[b.first], vb[b.lone]), b_last = vec_sub(vb[b.last], vb[b.lone]);

  /* The last end of each interval must lie beyond the first end of the other one. */
  const graze_vec b_after = vec_cross(a_last, b_first), a_after = vec_cross(a_first, b_last);
  const int a_ends = triangle_sign(side * vec_dot(b_after, w), doubt);
  if (a_ends < 0) return triangle_separates(p, b_after, result);
  const int b_ends = triangle_sign(-side * vec_dot(a_after, w), doubt);
  if (b_ends < 0) return triangle_separates(p, a_after, result);
  if (!(doubt > TRIANGLE_LEAST_DOUBT) || a_ends == 0 || b_ends == 0) return false;

  /* One end of the common interval is the point where an edge of one triangle intersects the interior of the other. */
  const int by_first = triangle_sign(side * vec_dot(vec_cross(a_first, b_first), w), doubt);
  const int by_last = by_first != 0 ? 0 : triangle_sign(side * vec_dot(vec_cross(a_last, b_last), w), doubt);
  if (by_first == 0 && by_last == 0) return false;
  triangle_overlaps(p, clearance, result);
  const bool edge_of_a = by_first != 0 ? by_first > 0 : by_last < 0;
  const int lone = edge_of_a ? a.lone : b.lone;
  const int end = edge_of_a ? (by_first != 0 ? a.first : a.last) : (by_first != 0 ? b.first : b.last);
  for (int i = 0; i < 3; i++) {
    triangle_add_pair(p, edge_of_a ? lone : i, edge_of_a ? i : lone, result);
    triangle_add_pair(p, edge_of_a ? end : i, edge_of_a ? i : end, result);
  }
  return true;
}

/* ---- Triangles that share vertices */

/* d = sign·(w_1 - w_0) × (w_2 - w_0) of three pairs separates weakly, and the pair `at` is a common vertex. */
static void triangle_touch(const triangle_pair *p, int sign, graze_vec d, const int a[3], const int b[3], int at_a,
                           int at_b, grz_result *result) {
  grz_direction *direction = &result->proof.direction;
  const double *rotation = p->placed_a->hidden.rotation;
  result->answer.relation = GRAZE_TOUCHING;
  result->answer.distance = result->answer.lower = result->answer.upper = 0;
  result->proof.kind = GRAZE_CERTIFICATE_TOUCH;
  triangle_add_pair(p, at_a, at_b, result);
  direction->form = GRAZE_DIRECTION_FACET, direction->sign = sign, direction->axis = 0, direction->count = 3;
  for (int i = 0; i < 3; i++) direction->pairs[i] = triangle_of_pair(p, a[i], b[i]);
  d = vec_scale(vec_unit(d), sign);
  result->answer.normal = p->local ? vec_rotate(rotation, d, 3) : d;
  result->answer.point_a = vec_add(vec_rotate(rotation, result->proof.pairs[0].point_a, 3), placed_origin(p->placed_a));
  result->answer.point_b =
      vec_add(vec_rotate(p->placed_b->hidden.rotation, result->proof.pairs[0].point_b, 3), placed_origin(p->placed_b));
}

/* Replaces unknown signs by exact ones. */
static void triangle_decide_signs(triangle_side *t, const triangle_side *other, int shared) {
  const graze_vec *plane = other->vertex;
  for (int i = 0; i < 3; i++)
    if (t->sign[i] == 0 && !(shared >> i & 1)) t->sign[i] = grz_orient3(plane[0], plane[1], plane[2], t->vertex[i]);
}

/* Returns whether the unit vector along the normal has few digits. */
static inline bool triangle_is_flat(graze_vec normal, double square) {
  return !(vec_norm_inf(normal) > TRIANGLE_FLAT * square && vec_dot(normal, normal) > TRIANGLE_LEAST_SQUARE);
}

/* The triangles have one common vertex, `at`, and no other vertex of them lies in the other plane. e: the edges of A
 * from it; f: those of B. */
static bool triangle_cross_at(const triangle_pair *p, int at_a, int at_b, grz_result *result) {
  const int e[2] = {(at_a + 1) % 3, (at_a + 2) % 3}, f[2] = {(at_b + 1) % 3, (at_b + 2) % 3};
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      /* d = e_i × f_j is perpendicular to both; the heights of e_i and f_j give the sides of the other two edges. */
      const int same = i == j ? 1 : -1, side_f = p->a.sign[e[i]] * (j == 0 ? 1 : -1);
      if (p->a.sign[e[i]] * p->b.sign[f[j]] != same) continue;
      const graze_vec d =
          vec_cross(vec_sub(p->a.vertex[e[i]], p->a.vertex[at_a]), vec_sub(p->b.vertex[f[j]], p->b.vertex[at_b]));
      const int a[3] = {at_a, e[i], at_a}, b[3] = {at_b, at_b, f[j]};
      if (triangle_is_flat(d, p->a.edge * p->b.edge)) return false;
      triangle_touch(p, -side_f, vec_neg(d), a, b, at_a, at_b, result);
      return true;
    }
  }
  /* Both triangles contain a segment from the common vertex in their interior, so the origin is inside these four. */
  triangle_overlaps(p, 0, result);
  for (int i = 0; i < 2; i++) {
    triangle_add_pair(p, e[i], at_b, result);
    triangle_add_pair(p, at_a, f[i], result);
  }
  return true;
}

/* Returns false if no vertex is shared, or if a triangle is nearly flat. */
static bool triangle_shares(triangle_pair *p, grz_result *result) {
  int shared = 0, of_a = 0, of_b = 0, at_a = 0, at_b = 0;
  for (int k = 0; k < 9; k++) {
    if (!vec_equal(p->a.vertex[k / 3], p->b.vertex[k % 3])) continue;
    at_a = k / 3, at_b = k % 3;
    of_a |= 1 << at_a, of_b |= 1 << at_b;
    shared++;
  }
  if (shared == 0) return false;
  if (triangle_is_flat(p->a.normal, p->a.edge * p->a.edge) || triangle_is_flat(p->b.normal, p->b.edge * p->b.edge))
    return false;
  triangle_decide_signs(&p->b, &p->a, of_b);
  const int *a = p->a.sign, *b = p->b.sign, all[3] = {0, 1, 2};
  const int over_a[3] = {at_a, at_a, at_a}, over_b[3] = {at_b, at_b, at_b};
  const bool b_above = b[0] >= 0 && b[1] >= 0 && b[2] >= 0, b_below = b[0] <= 0 && b[1] <= 0 && b[2] <= 0;
  if (b_above || b_below) {
    triangle_touch(p, b_above ? 1 : -1, p->a.normal, all, over_b, at_a, at_b, result);
    return true;
  }
  triangle_decide_signs(&p->a, &p->b, of_a);
  const bool a_above = a[0] >= 0 && a[1] >= 0 && a[2] >= 0, a_below = a[0] <= 0 && a[1] <= 0 && a[2] <= 0;
  if (a_above || a_below) {
    triangle_touch(p, a_below ? 1 : -1, p->b.normal, over_a, all, at_a, at_b, result);
    return true;
  }
  return triangle_cross_at(p, at_a, at_b, result);
}

/* Returns the number of axes tested; 0 if the relation stays open. */
static int triangle_decide(const graze_placed *a, const graze_placed *b, double clearance, grz_result *result) {
  triangle_pair p; /* set by triangle_place() and below */
  const graze_vec offset = placed_offset(a, b);
  const double radius = ((a->hidden.radius + b->hidden.radius) + clearance) * (1 + 8 * GRZ_U);
  p.placed_a = a, p.placed_b = b;
  p.size = ((a->hidden.bounding_radius + b->hidden.bounding_radius) + vec_length(offset)) * (1 + 64 * GRZ_U);
  if (!(p.size > TRIANGLE_SMALLEST && p.size < TRIANGLE_LARGEST)) return 0;
  triangle_place(&p, offset);
  triangle_measure(&p.a);
  triangle_measure(&p.b);
  p.error = p.exact ? 0 : TRIANGLE_POINTS * GRZ_U * p.size;
  p.beyond = radius + TRIANGLE_GAP * GRZ_U * p.size;
  const double between = (vec_norm1(vec_sub(p.a.vertex[0], p.b.vertex[0])) + p.a.edge) + p.b.edge;
  const double doubt_a = grz_det_error(p.b.edge, p.b.edge, between, p.error);
  const double doubt_b = grz_det_error(p.a.edge, p.a.edge, between, p.error);
  if (!(real_min(doubt_a, doubt_b) > TRIANGLE_LEAST_DOUBT)) return 0;

  triangle_set_heights(&p.b, &p.a, doubt_b);
  if (triangle_is_beside(&p.b)) return triangle_separates(&p, p.a.normal, result) ? 1 : 0;
  triangle_set_heights(&p.a, &p.b, doubt_a);
  if (triangle_is_beside(&p.a)) return triangle_separates(&p, p.b.normal, result) ? 2 : 0;
  if (triangle_is_unknown(&p.a) || triangle_is_unknown(&p.b)) {
    if (p.exact && radius == 0 && triangle_shares(&p, result)) return 2;
    return triangle_separates(&p, triangle_line_of_centres(&p), result) ? 3 : 0; /* in one plane, for instance */
  }
  return triangle_cross(&p, clearance, result) ? 4 : 0;
}

bool grz_triangle_relation(const graze_placed *a, const graze_placed *b, const graze_options *options,
                           grz_result *result) {
  if (options->method != GRAZE_METHOD_AUTO || placed_is_moving(a)) return false;
  const int axes = triangle_decide(a, b, options->clearance, result);
  if (axes == 0) return false;
  result->answer.algorithm = GRAZE_ALGORITHM_SAT;
  result->answer.iterations = axes;
  if (options->cache && result->answer.relation == GRAZE_SEPARATED)
    options->cache->direction = result->proof.direction.vector;
  return true;
}

int grz_triangle_axes(const grz_obstacle *c, graze_vec axis[2]) {
  const graze_placed *placed[2] = {c->a, c->b};
  int count = 0;
  for (int i = 0; i < 2; i++) {
    const graze_vec *v = placed[i]->shape.as.triangle.vertices;
    const graze_vec normal = vec_cross(vec_sub(v[1], v[0]), vec_sub(v[2], v[0]));
    if (vec_norm_inf(normal) > 0)
      axis[count++] = vec_rotate(placed[i]->hidden.rotation, vec_unit(vec_unit_inf(normal)), 3);
  }
  return count;
}
