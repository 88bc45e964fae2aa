/* The simplex method on min { sum |l_i| : sum l_i z_i = q }, where q is the origin and z_i are vertices of C, all seen
 * from the centre of C. Less than 1: q is inside their octahedron, and so in C. Every support point on the way is also
 * a test of its direction. Source: Dantzig's method with the support function as its pricing; docs/theory/box-relation.md.
 */
#include "narrow/box_relation.h"

enum { ZONOTOPE_MOST = 24 }; /* looks; random boxes take 3 to 6 */

/* Vertices are so many errors long, or nothing is claimed. */
#define ZONOTOPE_LONG 16

/* Below, squares leave the range of doubles. */
#define ZONOTOPE_LEAST 0x1p-800

typedef struct zonotope_vertex {
  graze_vec at;
  int32_t a, b; /* corners */
} zonotope_vertex;

typedef struct zonotope {
  const grz_box_edges *edges;
  graze_vec q;
  double apart; /* what a gap along a unit direction must exceed */
  graze_vec direction;
  int looks;
} zonotope;

/* v or -v, without a branch. */
static inline graze_vec zonotope_signed(graze_vec v, bool plus) {
  return vec_make(real_negate_unless(v.x, plus), real_negate_unless(v.y, plus), real_negate_unless(v.z, plus));
}

/* Takes the vertex farthest along d. True when d separates: then it is the last direction. */
static inline bool zonotope_take(zonotope *z, graze_vec d, zonotope_vertex *vertex, double *height) {
  const grz_box_support reach = grz_obstacle_box_extent(z->edges, d);
  vertex->at = grz_obstacle_box_corner(z->edges, &reach);
  grz_obstacle_box_indices(&reach, &vertex->a, &vertex->b);
  *height = f64x2_sum(reach.far);
  z->direction = d;
  z->looks++;
  const double gap = vec_dot(d, z->q) - *height, square = vec_dot(d, d);
  return gap > 0 && square > ZONOTOPE_LEAST && gap > z->apart * real_sqrt(square);
}

/* Some direction across v. */
static graze_vec zonotope_across(graze_vec v) {
  const double x = real_abs(v.x), y = real_abs(v.y), z = real_abs(v.z);
  const bool first = x <= y && x <= z;
  return vec_cross(v, vec_make(first, !first && y <= z, !first && y > z));
}

/* Three vertices: towards q, then across the line to the first, then across the plane of two. True: apart. */
static inline bool zonotope_begin(zonotope *z, zonotope_vertex v[3]) {
  double height;
  const double square = vec_dot(z->q, z->q);
  const graze_vec first = square > ZONOTOPE_LEAST ? z->q : vec_make(1, 0, 0);
  if (zonotope_take(z, first, &v[0], &height)) return true;
  const graze_vec line = v[0].at;
  graze_vec second = vec_sub(vec_scale(z->q, vec_dot(line, line)), vec_scale(line, vec_dot(line, z->q)));
  if (!(vec_norm1(second) > 0x1p-40 * vec_dot(line, line) * vec_norm1(z->q))) second = zonotope_across(line);
  if (zonotope_take(z, second, &v[1], &height)) return true;
  const graze_vec normal = vec_cross(v[0].at, v[1].at);
  return zonotope_take(z, zonotope_signed(normal, vec_dot(normal, z->q) > 0), &v[2], &height);
}

/* The volumes that v and q span: q = (sum part_i v_i) / whole. */
typedef struct zonotope_parts {
  graze_vec cross[3]; /* v_1 × v_2 and so on */
  double whole, part[3];
} zonotope_parts;

static inline zonotope_parts zonotope_parts_of(const zonotope *z, const zonotope_vertex v[3]) {
  zonotope_parts p;
  p.cross[0] = vec_cross(v[1].at, v[2].at);
  p.cross[1] = vec_cross(v[2].at, v[0].at);
  p.cross[2] = vec_cross(v[0].at, v[1].at);
  p.whole = vec_dot(p.cross[0], v[0].at);
  for (int i = 0; i < 3; i++) p.part[i] = vec_dot(p.cross[i], z->q);
  return p;
}

static inline double zonotope_sum(const zonotope_parts *p) {
  return (real_abs(p->part[0]) + real_abs(p->part[1])) + real_abs(p->part[2]);
}

/* Is q inside beyond doubt: sum |part| < |whole|, with the errors of all four? */
static bool zonotope_is_inside(const grz_obstacle *c, const zonotope *z, const zonotope_vertex v[3],
                               const zonotope_parts *p) {
  const double x = vec_norm1(v[0].at), y = vec_norm1(v[1].at), w = vec_norm1(v[2].at), q = vec_norm1(z->q);
  const double error = (grz_det_error(x, y, w, c->point_error) + grz_det_error(q, y, w, c->point_error)) +
                       (grz_det_error(x, q, w, c->point_error) + grz_det_error(x, y, q, c->point_error));
  return real_min(real_min(x, y), w) > ZONOTOPE_LONG * c->point_error &&
         (zonotope_sum(p) + error) * (1 + 8 * GRZ_U) < real_abs(p->whole);
}

/* Puts the vertex into the place of another, so that q stays in the cone that they and their opposites span. */
static inline void zonotope_replace(const zonotope_parts *p, zonotope_vertex v[3], const zonotope_vertex *next) {
  int out = 0;
  double most = vec_dot(next->at, p->cross[0]) / p->part[0];
  for (int i = 1; i < 3; i++) {
    const double share = vec_dot(next->at, p->cross[i]) / p->part[i];
    out = share > most ? i : out;
    most = real_max(share, most);
  }
  v[out] = *next;
}

/* The normal of the octahedron's face that q lies over; q is beyond it by sum - |whole|. */
static inline graze_vec zonotope_normal(const zonotope_parts *p) {
  const graze_vec x = zonotope_signed(p->cross[0], p->part[0] > 0), y = zonotope_signed(p->cross[1], p->part[1] > 0);
  return vec_add(vec_add(x, y), zonotope_signed(p->cross[2], p->part[2] > 0));
}

/* Until something is shown, or nothing can be. */
static graze_relation zonotope_search(const grz_obstacle *c, zonotope *z, zonotope_vertex v[3]) {
  zonotope_vertex next;
  double height;
  if (zonotope_begin(z, v)) return GRAZE_SEPARATED;
  while (z->looks < ZONOTOPE_MOST) {
    const zonotope_parts p = zonotope_parts_of(z, v);
    if (zonotope_sum(&p) < real_abs(p.whole))
      return zonotope_is_inside(c, z, v, &p) ? GRAZE_OVERLAPPING : GRAZE_UNDECIDED;
    if (zonotope_take(z, zonotope_normal(&p), &next, &height)) return GRAZE_SEPARATED;
    if (!(height > real_abs(p.whole) * (1 + 0x1p-40))) break; /* a face of C, and q is not surely on either side */
    zonotope_replace(&p, v, &next);
  }
  return GRAZE_UNDECIDED;
}

grz_box_relation grz_box_relation_test(const grz_obstacle *c) {
  zonotope z;
  zonotope_vertex v[3];
  z.q = vec_neg(c->offset), z.looks = 0;
  z.apart = (c->support_error + (c->radius + c->radius_error)) * (1 + 16 * GRZ_U);
  z.edges = &c->edges;
  const graze_relation relation = zonotope_search(c, &z, v);
  grz_box_relation found = {.relation = relation, .direction = z.direction, .looks = z.looks};
  for (int i = 0; i < 3 && relation == GRAZE_OVERLAPPING; i++) found.a[i] = v[i].a, found.b[i] = v[i].b;
  return found;
}

static grz_pair zonotope_pair(const grz_obstacle *c, int32_t a, int32_t b) {
  return (grz_pair){a, b, grz_core_vertex(&c->a->shape, (size_t)a), grz_core_vertex(&c->b->shape, (size_t)b), 0};
}

void grz_box_relation_fill(const grz_obstacle *c, const grz_box_relation *found, grz_result *result) {
  grz_proof *proof = &result->proof;
  result->answer.algorithm = GRAZE_ALGORITHM_BOX_VERTICES;
  result->answer.iterations = found->looks;
  if (found->relation == GRAZE_SEPARATED) {
    grz_certify_separated(found->direction, result);
    return;
  }
  result->answer.relation = GRAZE_OVERLAPPING;
  proof->kind = GRAZE_CERTIFICATE_INSIDE;
  proof->pair_count = 6;
  for (int i = 0; i < 3; i++) {
    proof->pairs[i] = zonotope_pair(c, found->a[i], found->b[i]);
    proof->pairs[3 + i] = zonotope_pair(c, found->a[i] ^ 7, found->b[i] ^ 7);
  }
}
