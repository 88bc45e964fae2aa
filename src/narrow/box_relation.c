/* The relation of two boxes in 3D, by the simplex method on min { sum |l_i| : sum l_i z_i = q }.
 *
 * q is the origin and the z_i are vertices of C, relative to the centre of C. If the minimum is less than 1, q is
 * inside the octahedron of three vertices and their opposites, and so inside C. Each support point also tests its
 * direction. Source: Dantzig's simplex method with the support function as its pricing. Theory:
 * docs/theory/box-relation.md. */
#include "narrow/box_relation.h"

#include "narrow/trace.h"

enum { SUPPORT_LIMIT = 24 }; /* support points; random boxes need 3 to 6 */

/* A vertex shorter than this many point errors leaves the relation undecided. */
#define LENGTH_IN_ERRORS 16

/* Below this, squares leave the range of doubles. */
#define LEAST_SQUARE 0x1p-800

typedef struct box_vertex {
  graze_vec at;
  int32_t a, b; /* corners */
} box_vertex;

typedef struct box_search {
  const grz_obstacle *c;
  graze_vec q;
  double margin; /* a gap along a unit direction that exceeds this separates */
  graze_vec direction;
  int supports;
} box_search;

/* Returns v or -v, without a branch. */
static inline graze_vec box_signed(graze_vec v, bool plus) {
  return vec_make(real_negate_unless(v.x, plus), real_negate_unless(v.y, plus), real_negate_unless(v.z, plus));
}

/* Computes the vertex farthest along d. Returns whether d separates; then it is the last direction. */
GRZ_TEMPLATE bool box_vertex_support(box_search *z, graze_vec d, box_vertex *vertex, double *height,
                                     const bool traced) {
  const grz_box_support extent = grz_obstacle_box_extent(&z->c->edges, d);
  vertex->at = grz_obstacle_box_corner(&z->c->edges, &extent);
  grz_obstacle_box_indices(&extent, &vertex->a, &vertex->b);
  *height = f64x2_sum(extent.height);
  z->direction = d;
  z->supports++;
  if (traced) grz_trace_direction(z->c, GRAZE_PHASE_BOX_VERTICES, d);
  const double gap = vec_dot(d, z->q) - *height, square = vec_dot(d, d);
  return gap > 0 && square > LEAST_SQUARE && gap > z->margin * real_sqrt(square);
}

/* Returns a direction perpendicular to v. */
static graze_vec box_perpendicular(graze_vec v) {
  const double x = real_abs(v.x), y = real_abs(v.y), z = real_abs(v.z);
  const bool first = x <= y && x <= z;
  return vec_cross(v, vec_make(first, !first && y <= z, !first && y > z));
}

/* Computes three vertices: toward q, then perpendicular to the first, then to both. Returns whether a direction
 * separates. */
GRZ_TEMPLATE bool box_first_vertices(box_search *z, box_vertex v[3], const bool traced) {
  double height;
  const double square = vec_dot(z->q, z->q);
  const graze_vec first = square > LEAST_SQUARE ? z->q : vec_make(1, 0, 0);
  if (box_vertex_support(z, first, &v[0], &height, traced)) return true;
  const graze_vec line = v[0].at;
  graze_vec second = vec_sub(vec_scale(z->q, vec_dot(line, line)), vec_scale(line, vec_dot(line, z->q)));
  if (!(vec_norm1(second) > 0x1p-40 * vec_dot(line, line) * vec_norm1(z->q))) second = box_perpendicular(line);
  if (box_vertex_support(z, second, &v[1], &height, traced)) return true;
  const graze_vec normal = vec_cross(v[0].at, v[1].at);
  return box_vertex_support(z, box_signed(normal, vec_dot(normal, z->q) > 0), &v[2], &height, traced);
}

/* Cramer's rule: q = (sum part_i v_i) / det. */
typedef struct box_solution {
  graze_vec cross[3]; /* v_1 × v_2 and so on */
  double det, part[3];
} box_solution;

static inline box_solution box_solve(const box_search *z, const box_vertex v[3]) {
  box_solution p;
  p.cross[0] = vec_cross(v[1].at, v[2].at);
  p.cross[1] = vec_cross(v[2].at, v[0].at);
  p.cross[2] = vec_cross(v[0].at, v[1].at);
  p.det = vec_dot(p.cross[0], v[0].at);
  for (int i = 0; i < 3; i++) p.part[i] = vec_dot(p.cross[i], z->q);
  return p;
}

static inline double box_norm1(const box_solution *p) {
  return (real_abs(p->part[0]) + real_abs(p->part[1])) + real_abs(p->part[2]);
}

/* True if q is certainly inside: sum |part| < |det|, with the errors of all four determinants. */
static bool box_is_inside(const box_search *z, const box_vertex v[3], const box_solution *p) {
  const grz_obstacle *c = z->c;
  const double x = vec_norm1(v[0].at), y = vec_norm1(v[1].at), w = vec_norm1(v[2].at), q = vec_norm1(z->q);
  const double error = (grz_det_error(x, y, w, c->point_error) + grz_det_error(q, y, w, c->point_error)) +
                       (grz_det_error(x, q, w, c->point_error) + grz_det_error(x, y, q, c->point_error));
  return real_min(real_min(x, y), w) > LENGTH_IN_ERRORS * c->point_error &&
         (box_norm1(p) + error) * (1 + 8 * GRZ_U) < real_abs(p->det);
}

/* The ratio test of the simplex method: replaces a vertex so that q stays in the cone of the vertices and their
 * opposites. */
static inline void box_ratio_test(const box_solution *p, box_vertex v[3], const box_vertex *next) {
  int leaving = 0;
  double most = vec_dot(next->at, p->cross[0]) / p->part[0];
  for (int i = 1; i < 3; i++) {
    const double share = vec_dot(next->at, p->cross[i]) / p->part[i];
    leaving = share > most ? i : leaving;
    most = real_max(share, most);
  }
  v[leaving] = *next;
}

/* The normal of the face of the octahedron toward q; q is beyond it by sum - |det|. */
static inline graze_vec box_face_normal(const box_solution *p) {
  const graze_vec x = box_signed(p->cross[0], p->part[0] > 0), y = box_signed(p->cross[1], p->part[1] > 0);
  return vec_add(vec_add(x, y), box_signed(p->cross[2], p->part[2] > 0));
}

GRZ_TEMPLATE graze_relation box_simplex_method(box_search *z, box_vertex v[3], const bool traced) {
  box_vertex next;
  double height;
  if (box_first_vertices(z, v, traced)) return GRAZE_SEPARATED;
  while (z->supports < SUPPORT_LIMIT) {
    const box_solution p = box_solve(z, v);
    if (box_norm1(&p) < real_abs(p.det)) return box_is_inside(z, v, &p) ? GRAZE_OVERLAPPING : GRAZE_UNDECIDED;
    if (box_vertex_support(z, box_face_normal(&p), &next, &height, traced)) return GRAZE_SEPARATED;
    if (!(height > real_abs(p.det) * (1 + 0x1p-40))) break; /* a face of C, and the side of q is uncertain */
    box_ratio_test(&p, v, &next);
  }
  return GRAZE_UNDECIDED;
}

__attribute__((noinline)) static graze_relation box_traced(box_search *z, box_vertex v[3]) {
  const graze_relation relation = box_simplex_method(z, v, true);
  grz_trace_flush(z->c->tracer, relation == GRAZE_SEPARATED     ? GRAZE_TRACE_ORIGIN_NOT_PASSED
                                : relation == GRAZE_OVERLAPPING ? GRAZE_TRACE_CONTAINS_ORIGIN
                                                                : GRAZE_TRACE_NO_PROGRESS);
  return relation;
}

grz_box_relation grz_box_relation_test(const grz_obstacle *c) {
  box_search z;
  box_vertex v[3];
  z.q = vec_neg(c->offset), z.supports = 0;
  z.margin = (c->support_error + (c->radius + c->radius_error)) * (1 + 16 * GRZ_U);
  z.c = c;
  const graze_relation relation = c->tracer ? box_traced(&z, v) : box_simplex_method(&z, v, false);
  grz_box_relation out = {.relation = relation, .direction = z.direction, .supports = z.supports};
  for (int i = 0; i < 3 && relation == GRAZE_OVERLAPPING; i++) out.a[i] = v[i].a, out.b[i] = v[i].b;
  return out;
}

static grz_pair box_vertex_pair(const grz_obstacle *c, int32_t a, int32_t b) {
  return (grz_pair){a, b, grz_core_vertex(&c->a->shape, (size_t)a), grz_core_vertex(&c->b->shape, (size_t)b), 0};
}

void grz_box_relation_fill(const grz_obstacle *c, const grz_box_relation *relation, grz_result *result) {
  grz_proof *proof = &result->proof;
  result->answer.algorithm = GRAZE_ALGORITHM_BOX_VERTICES;
  result->answer.iterations = relation->supports;
  if (relation->relation == GRAZE_SEPARATED) {
    grz_certify_separated(relation->direction, result);
    return;
  }
  result->answer.relation = GRAZE_OVERLAPPING;
  proof->kind = GRAZE_CERTIFICATE_INSIDE;
  proof->pair_count = 6;
  for (int i = 0; i < 3; i++) {
    proof->pairs[i] = box_vertex_pair(c, relation->a[i], relation->b[i]);
    proof->pairs[3 + i] = box_vertex_pair(c, relation->a[i] ^ 7, relation->b[i] ^ 7);
  }
}
