/* Relation and signed distance of compounds: the strongest relation and the least signed distance of all pairs of
 * parts. A pair is excluded if a lower bound of its signed distance exceeds an upper bound of another pair. Therefore
 * `lower` is the least of the lower bounds of the tested pairs and of the pairs beyond max_distance. A body that
 * touches two pieces of a decomposed polygon inside their common edge overlaps the polygon. Theory:
 * docs/theory/compounds.md. */
#include "compound/compound.h"

#include "narrow/query.h"
#include "narrow/stages.h"
#include "core/vec.h"
#include "exact/exact.h"

/* ---- Contacts on internal edges of a decomposed polygon
 *
 * Only a flat body without a margin can touch the interior of an internal edge without overlapping an adjacent piece.
 * It must lie on the line of the edge. The test decides exactly whether all vertices of the body are on that line, and
 * on which sides of the ends they are. Theory: docs/theory/compounds.md, "Internal edges". */

typedef struct edge_query {
  const grz_contact_parts *parts;
  bool whole_is_a; /* true: the decomposed polygon is A */
  const grz_compound_internal_edge *edge;
  int32_t piece; /* the piece that touches */
  const graze_placed *whole, *other;
  int before, after; /* vertices of `other`; -1: none. `before` with end 0 of the edge, and `after` with end 1, give the
                        points of C on either side of the origin */
} edge_query;

/* The number of core vertices of the other body. A flat ellipse is the segment between its ends. */
static size_t edge_vertex_count(const graze_shape *other) {
  if (other->kind == GRAZE_ELLIPSOID)
    return other->as.ellipsoid.radii.x == 0 || other->as.ellipsoid.radii.y == 0 ? 2 : 0;
  return grz_core_count(other);
}

static graze_vec edge_vertex(const graze_shape *other, size_t i) {
  if (other->kind != GRAZE_ELLIPSOID) return grz_core_vertex(other, i);
  return i == 0 ? vec_neg(other->as.ellipsoid.radii) : other->as.ellipsoid.radii;
}

/* True if all vertices are on one line. */
static bool edge_is_collinear(const graze_shape *other, size_t count) {
  const graze_vec first = edge_vertex(other, 0);
  graze_vec second = first;
  for (size_t i = 1; i < count; i++) {
    const graze_vec corner = edge_vertex(other, i);
    if (vec_norm_inf(vec_sub(second, first)) == 0) second = corner;
    if (grz_orient2(first, second, corner) != 0) return false;
  }
  return true;
}

bool grz_internal_edge_may_hold(const graze_placed *body) {
  const size_t count = edge_vertex_count(&body->shape);
  if (body->shape.kind == GRAZE_USER) return true;
  return !(body->hidden.radius > 0) && count > 0 && edge_is_collinear(&body->shape, count);
}

/* End 0 or 1 of the edge, as a vertex of the given piece. */
static int32_t edge_end(const edge_query *q, int32_t piece, int end) {
  return piece == q->edge->left ? q->edge->vertex_left[end] : q->edge->vertex_right[end];
}

/* a - b for an end of the edge and a vertex of the other body. */
static grz_bvec edge_point(grz_exact *x, const edge_query *q, int end, size_t vertex) {
  graze_vec from = grz_core_vertex(&q->whole->shape, (size_t)edge_end(q, q->piece, end));
  graze_vec to = edge_vertex(&q->other->shape, vertex);
  return q->whole_is_a ? grz_placement_point(x->arena, &x->placing, from, to)
                       : grz_placement_point(x->arena, &x->placing, to, from);
}

/* Let p and q be the vertex relative to both ends. The vertex is on the line if p × q = 0. It is before the last end if
 * q·(q - p) > 0, and behind the first end if p·(q - p) < 0. Returns false if the vertex is not on the line. */
static bool edge_test_vertex(grz_exact *x, edge_query *query, size_t vertex) {
  size_t mark = x->arena->used;
  grz_bvec p = edge_point(x, query, 0, vertex), q = edge_point(x, query, 1, vertex);
  bool on_line = grz_bvec_cross(x->arena, p, q).z.sign == 0;
  if (on_line) {
    grz_bvec edge = grz_bvec_sub(x->arena, q, p);
    if (grz_bvec_dot(x->arena, p, edge).sign < 0) query->before = (int)vertex;
    if (grz_bvec_dot(x->arena, q, edge).sign > 0) query->after = (int)vertex;
  }
  x->arena->used = mark;
  return on_line;
}

static void edge_test_all(grz_exact *x, void *context) {
  edge_query *q = context;
  size_t count = edge_vertex_count(&q->other->shape);
  q->before = q->after = -1;
  for (size_t i = 0; i < count && !x->arena->full; i++) {
    if (edge_test_vertex(x, q, i)) continue;
    q->before = -1;
    return;
  }
}

static grz_pair edge_pair(const edge_query *q, int32_t piece, int end, int vertex) {
  const graze_placed *whole = q->whole_is_a ? q->parts->a : q->parts->b;
  int32_t at = edge_end(q, piece, end);
  int32_t index = q->other->shape.kind == GRAZE_ELLIPSOID ? -1 : (int32_t)vertex;
  graze_vec from = grz_core_vertex(&whole->shape.as.compound->parts[piece].shape, (size_t)at);
  graze_vec to = edge_vertex(&q->other->shape, (size_t)vertex);
  return q->whole_is_a ? (grz_pair){at, index, from, to, 0} : (grz_pair){index, at, to, from, 0};
}

/* The piece is on the left or on the right of the edge. The direction from A to B points to the other side, whether the
 * piece belongs to A or to B. */
static grz_edge_touch edge_make_touch(const edge_query *q, int32_t piece, int sign) {
  grz_edge_touch touch = {.sign = sign, .pair_count = 2};
  touch.part_a = q->whole_is_a ? piece : q->parts->index_a;
  touch.part_b = q->whole_is_a ? q->parts->index_b : piece;
  touch.pairs[0] = edge_pair(q, piece, 0, q->before);
  touch.pairs[1] = edge_pair(q, piece, 1, q->after);
  return touch;
}

/* True if the body touches this piece of the compound in the interior of one of its internal edges. */
static bool edge_is_crossed(edge_query *q, grz_result *result) {
  const grz_contact_parts *parts = q->parts;
  const graze_compound *compound = (q->whole_is_a ? parts->a : parts->b)->shape.as.compound;
  grz_obstacle c;
  grz_obstacle_make(&c, &parts->part_a, &parts->part_b, 0);
  for (size_t i = 0; i < compound->internal_edge_count; i++) {
    q->edge = &compound->internal_edges[i];
    if (q->edge->left != q->piece && q->edge->right != q->piece) continue;
    if (!grz_exact_run(&c, edge_test_all, q))
      result->answer.relation = GRAZE_UNDECIDED; /* the workspace is too small to decide */
    if (result->answer.relation == GRAZE_UNDECIDED || q->before < 0 || q->after < 0) continue;
    result->answer.relation = GRAZE_OVERLAPPING;
    result->answer.exact = true;
    result->proof.kind = GRAZE_CERTIFICATE_INTERNAL_EDGE;
    result->proof.internal_edge[0] = edge_make_touch(q, q->edge->left, -1);
    result->proof.internal_edge[1] = edge_make_touch(q, q->edge->right, 1);
    return true;
  }
  return false;
}

/* Tests two parts that touch. If they touch inside an internal edge, the relation becomes GRAZE_OVERLAPPING with the
 * certificate INTERNAL_EDGE; the numbers remain 0. For user shapes without margin the relation becomes
 * GRAZE_UNDECIDED. */
static void internal_edge_test(const grz_contact_parts *parts, double clearance, grz_result *result) {
  if (parts->part_a.hidden.radius > 0 || parts->part_b.hidden.radius > 0 || clearance > 0) return;
  for (int side = 0; side < 2; side++) {
    const graze_placed *whole = side == 0 ? parts->a : parts->b;
    if (whole->shape.kind != GRAZE_COMPOUND || whole->shape.as.compound->internal_edge_count == 0) continue;
    edge_query q = {.parts = parts, .whole_is_a = side == 0};
    q.piece = side == 0 ? parts->index_a : parts->index_b;
    q.whole = side == 0 ? &parts->part_a : &parts->part_b;
    q.other = side == 0 ? &parts->part_b : &parts->part_a;
    if (q.other->shape.kind == GRAZE_USER) result->answer.relation = GRAZE_UNDECIDED;
    if (edge_vertex_count(&q.other->shape) > 0 && edge_is_crossed(&q, result)) return;
  }
}

/* ---- Pairs of parts */

static bool query_is_known(double x) { return x == x; }

static int query_strength(graze_relation relation) {
  switch (relation) {
  case GRAZE_OVERLAPPING: return 3;
  case GRAZE_UNDECIDED: return 2;
  case GRAZE_TOUCHING: return 1;
  default: return 0;
  }
}

/* Orders by the stronger relation, then the smaller upper bound, then the part indices. With the least upper bound, the
 * interval is no wider than that of one pair. The pair with the least lower bound has at least this upper bound. */
static bool query_is_better(const grz_result *r, const grz_result *best) {
  int more = query_strength(r->answer.relation) - query_strength(best->answer.relation);
  if (more != 0) return more > 0;
  bool known = query_is_known(r->answer.upper);
  if (known != query_is_known(best->answer.upper)) return known;
  if (known && r->answer.upper != best->answer.upper) return r->answer.upper < best->answer.upper;
  return r->answer.part_a < best->answer.part_a ||
         (r->answer.part_a == best->answer.part_a && r->answer.part_b < best->answer.part_b);
}

static void query_place(grz_contact_parts *pair, int32_t a, int32_t b) {
  if (pair->index_a != a) pair->part_a = graze_part(pair->a, (size_t)a, &pair->frame_a);
  if (pair->index_b != b) pair->part_b = graze_part(pair->b, (size_t)b, &pair->frame_b);
  pair->index_a = a, pair->index_b = b;
}

void grz_compound_query_place_best(grz_compound_query *w) {
  query_place(&w->pair, w->best.answer.part_a, w->best.answer.part_b);
}

static void query_run_pair(grz_compound_query *w, grz_result *r) {
  const grz_contact_parts *pair = &w->pair;
  w->status = w->measure ? grz_distance_pair(&pair->part_a, &pair->part_b, &w->inner, r)
                         : grz_intersect_pair(&pair->part_a, &pair->part_b, &w->inner, r);
  r->answer.part_a = pair->index_a, r->answer.part_b = pair->index_b;
}

/* Excludes pairs beyond max_distance of the caller and beyond the nearest pair so far. */
static void query_set_limit(grz_compound_query *w) {
  double most = w->options.max_distance, nearest = w->upper;
  if (w->all_pairs) return;
  if (nearest < most) w->inner.max_distance = real_min(most, nearest > 0 ? real_next_up(nearest) : 0);
  w->search.limit = w->measure ? real_min(nearest, most > 0 ? -real_next_up(-most) : 0) : 0;
}

static void query_count(grz_compound_query *w, const grz_result *r) {
  w->tested++;
  w->iterations += r->answer.iterations;
  w->exact = w->exact || r->answer.exact;
  double lower = w->measure && !query_is_known(r->answer.lower) ? -__builtin_inf() : r->answer.lower;
  if (lower < w->lower) w->lower = lower, w->stopped = r->answer.stopped;
  if (r->answer.upper < w->upper) w->upper = r->answer.upper;
}

/* Gives the search the direction that separates this pair of parts. */
static void query_set_axis(grz_compound_query *w, const grz_result *r) {
  graze_vec direction = r->answer.normal;
  if (direction.x != direction.x && r->proof.direction.form == GRAZE_DIRECTION_VECTOR)
    direction = r->proof.direction.vector;
  if (r->answer.relation == GRAZE_SEPARATED) w->search.axis = grz_search_axis(w->pair.a, w->pair.b, direction);
}

graze_status grz_compound_query_pair(grz_compound_query *w, int32_t a, int32_t b, grz_result *result) {
  w->inner.max_distance = __builtin_inf();
  w->inner.surface = NULL, w->inner.workspace = NULL, w->inner.workspace_size = 0; /* these hold that of the answer */
  query_place(&w->pair, a, b);
  query_run_pair(w, result);
  return w->status;
}

/* ---- Meshes that touch
 *
 * The deciding pair is one whose normal also separates the whole bodies, if there is one. The normals of two faces in
 * one plane have no sign of their own. */

/* In u·sizes: the error of a gap. */
#define TOUCH_ERROR 128

static double touch_error(const grz_compound_query *w) {
  const graze_placed *a = w->pair.a, *b = w->pair.b;
  const double offset = vec_norm1(vec_sub(placed_reference_point(a), placed_reference_point(b)));
  return TOUCH_ERROR * GRZ_U * (a->hidden.bounding_radius + b->hidden.bounding_radius + offset);
}

/* The gap along n, from A to B; -∞ for half-spaces. Positions are relative to that of A, so they cost no digits. */
static double touch_gap(const graze_placed *a, const graze_placed *b, graze_vec n) {
  grz_moved at_a, at_b;
  graze_interval of_a, of_b;
  grz_moved_make(&at_a, a), grz_moved_make(&at_b, b);
  moved_set_position(&at_a, vec_make(0, 0, 0));
  moved_set_position(&at_b, vec_sub(placed_reference_point(b), placed_reference_point(a)));
  if (graze_project(&at_a.placed, n, &of_a) != GRAZE_OK || graze_project(&at_b.placed, n, &of_b) != GRAZE_OK)
    return -__builtin_inf();
  return of_b.min - of_a.max;
}

/* Returns the place of a normal, up to its sign, among those that were tested. Tests a new one; -1: there are too many.
 */
static int touch_find(grz_compound_query *w, graze_vec n) {
  grz_touch_normals *t = &w->touch;
  for (int i = 0; i < t->count; i++)
    if (real_abs(vec_dot(t->normal[i], n)) > 1 - 0x1p-40) return i;
  if (t->count == GRZ_TOUCH_NORMALS) return -1;
  const double forward = touch_gap(w->pair.a, w->pair.b, n), backward = touch_gap(w->pair.a, w->pair.b, vec_neg(n));
  t->normal[t->count] = forward < backward ? vec_neg(n) : n;
  t->gap[t->count] = real_max(forward, backward);
  return t->count++;
}

/* The unit normal of a face in the world; zero for other parts and for faces without one. */
static graze_vec touch_face_normal(const graze_placed *whole, const graze_placed *part) {
  const graze_vec none = {0, 0, 0};
  if (whole->shape.kind != GRAZE_MESH) return none;
  const graze_vec *v = part->shape.as.triangle.vertices, e = vec_sub(v[1], v[0]);
  const graze_vec n = part->shape.dim == 2 ? vec_make(e.y, -e.x, 0) : vec_cross(e, vec_sub(v[2], v[0]));
  if (!(vec_norm_inf(n) > 0)) return none;
  return vec_rotate(part->hidden.rotation, vec_unit(vec_unit_inf(n)), part->shape.dim);
}

/* Returns whether a pair that touches is to decide. Its normal becomes one that separates the bodies: its own, with
 * either sign, or that of a face. */
static bool touch_is_better(grz_compound_query *w, bool better, grz_result *r) {
  grz_touch_normals *t = &w->touch;
  const bool first = w->tested == 1 || w->best.answer.relation == GRAZE_SEPARATED;
  const bool meshes = w->pair.a->shape.kind == GRAZE_MESH || w->pair.b->shape.kind == GRAZE_MESH;
  if (!meshes || (!first && w->best.answer.relation != GRAZE_TOUCHING)) return better;
  const graze_vec candidates[3] = {r->answer.normal, touch_face_normal(w->pair.a, &w->pair.part_a),
                                   touch_face_normal(w->pair.b, &w->pair.part_b)};
  const double error = touch_error(w);
  double gap = -__builtin_inf();
  for (int i = 0; i < 3 && !(gap >= -error); i++) {
    const int at = vec_norm_inf(candidates[i]) > 0 ? touch_find(w, candidates[i]) : -1;
    if (at >= 0) gap = real_max(gap, t->gap[at]);
    if (gap >= -error) r->answer.normal = t->normal[at];
  }
  const bool decides = first || gap > t->best + error || (better && !(gap < t->best - error));
  if (decides) t->best = gap;
  return decides;
}

/* If no plane separates the bodies, and the deciding parts are in one plane, the normal is the one along which B does
 * not enter A, nor A B. */
static void touch_orient(grz_compound_query *w) {
  const graze_vec normal = w->best.answer.normal, back = vec_neg(normal);
  const graze_vec forward[2] = {{0, 0, 0}, normal}, backward[2] = {{0, 0, 0}, back};
  if (w->touch.best >= -touch_error(w)) return;
  grz_compound_query_place_best(w);
  if (touch_gap(&w->pair.part_a, &w->pair.part_b, back) < -touch_error(w)) return;
  if (grz_solid_enters(w->pair.a, w->pair.b, forward) > 0 && grz_solid_enters(w->pair.a, w->pair.b, backward) == 0)
    w->best.answer.normal = back;
}

/* Tests one pair of parts. Returns false after an error, or if no other pair can be stronger. */
static bool query_visit(grz_compound_query *w, int32_t a, int32_t b) {
  grz_result r;
  query_place(&w->pair, a, b);
  query_run_pair(w, &r);
  if (w->status != GRAZE_OK) return false;
  if (w->all_pairs) {
    graze_part_proof *part = &w->options.parts[w->tested];
    part->part_a = a, part->part_b = b;
    grz_proof_write(&r.proof, &part->certificate);
  }
  if (r.answer.relation == GRAZE_TOUCHING) internal_edge_test(&w->pair, w->inner.clearance, &r);
  query_count(w, &r);
  bool better = w->tested == 1 || query_is_better(&r, &w->best);
  if (r.answer.relation == GRAZE_TOUCHING) better = touch_is_better(w, better, &r);
  if (better) w->best = r;
  if (better || !w->measure) query_set_axis(w, &r);
  query_set_limit(w);
  return w->measure || w->all_pairs || r.answer.relation != GRAZE_OVERLAPPING;
}

static bool query_visit_from_a(void *compound, int32_t a, int32_t b) { return query_visit(compound, a, b); }
static bool query_visit_from_b(void *compound, int32_t b, int32_t a) { return query_visit(compound, a, b); }

static void query_search_pieces(grz_compound_query *w) {
  bool from_a = grz_has_parts(&w->pair.a->shape);
  const graze_placed *target = from_a ? w->pair.a : w->pair.b, *shape = from_a ? w->pair.b : w->pair.a;
  grz_query_shape_make(&w->shape, target, shape, w->inner.clearance);
  w->search.target = &target->shape, w->search.in_any_order = false;
  w->search.query = &w->shape;
  w->search.visit = from_a ? query_visit_from_a : query_visit_from_b;
  w->search.context = w;
  grz_search_run(&w->search);
  if (w->measure) w->lower = real_min(w->lower, w->search.beyond);
}

static void query_run_all(grz_compound_query *w) {
  size_t count_a = graze_part_count(w->pair.a), count_b = graze_part_count(w->pair.b);
  for (size_t i = 0; i < count_a; i++) {
    for (size_t k = 0; k < count_b; k++) {
      if (!query_visit(w, (int32_t)i, (int32_t)k)) return;
    }
  }
}

static graze_status query_validate(grz_compound_query *w, const graze_placed *a, const graze_placed *b,
                                   const graze_options *options) {
  grz_query query;
  graze_status status = grz_query_validate(&query, a, b, options);
  if (status != GRAZE_OK) return status;
  w->options = w->inner = *query.options;
  w->inner.parts = NULL, w->inner.frontier = NULL;
  if (query.compound) w->inner.cache = NULL, w->inner.surface = NULL, w->inner.tracer = NULL;
  size_t count_a = graze_part_count(a), count_b = graze_part_count(b);
  bool fits = w->options.part_capacity / count_a >= count_b;
  w->all_pairs = w->options.parts != NULL && w->options.frontier == NULL;
  return !w->all_pairs || fits ? GRAZE_OK : GRAZE_NO_SPACE;
}

bool grz_is_conditional(const graze_placed *placed) {
  const graze_shape *shape = &placed->shape;
  return shape->kind == GRAZE_COMPOUND ? shape->as.compound->conditional : shape->kind == GRAZE_USER;
}

/* A body whose faces do not cross those of a solid mesh overlaps it if it is inside. */
static void query_test_containment(grz_compound_query *w) {
  grz_result *best = &w->best;
  const graze_placed *a = w->pair.a, *b = w->pair.b;
  if (best->answer.relation == GRAZE_OVERLAPPING) return;
  const bool round = a->hidden.radius > 0 || b->hidden.radius > 0 || w->inner.clearance > 0;
  const bool touches = best->answer.relation != GRAZE_SEPARATED && !round;
  const int overlaps = grz_solid_overlaps(a, b, touches, best);
  if (overlaps > 0) {
    best->answer.relation = GRAZE_OVERLAPPING;
    best->answer.algorithm = GRAZE_ALGORITHM_CONTAINMENT;
    best->answer.upper = w->lower > 0 ? -w->lower : 0; /* B must move to the surface of A, or A to that of B */
  } else if (overlaps < 0) {
    best->answer.relation = GRAZE_UNDECIDED;
  } else if (touches && best->answer.relation == GRAZE_TOUCHING) {
    touch_orient(w);
  }
}

/* Sets the interval of a solid that overlaps, or possibly overlaps. */
static void query_measure_solid(grz_compound_query *w) {
  graze_answer *answer = &w->best.answer;
  if (answer->relation != GRAZE_OVERLAPPING && answer->relation != GRAZE_UNDECIDED) return;
  grz_solid_depth(w->pair.a, w->pair.b, w->options.clearance, &w->best);
  w->lower = answer->lower;
  if (answer->relation == GRAZE_UNDECIDED) answer->upper = real_max(answer->upper, 0);
}

/* Completes the answer with the values of all pairs. */
static void query_finish(grz_compound_query *w) {
  grz_result *best = &w->best;
  bool compound = grz_has_parts(&w->pair.a->shape) || grz_has_parts(&w->pair.b->shape);
  bool decided = best->answer.relation == GRAZE_SEPARATED || best->answer.relation == GRAZE_OVERLAPPING;
  if (!w->measure && decided)
    grz_query_clear_numbers(best);
  else if (query_is_known(best->answer.lower))
    best->answer.lower = w->lower;
  if (best->answer.stopped == GRAZE_STOP_NONE && w->stopped != GRAZE_STOP_CUTOFF) best->answer.stopped = w->stopped;
  best->answer.iterations = w->iterations;
  best->answer.exact = w->exact;
  best->answer.conditional = grz_is_conditional(w->pair.a) || grz_is_conditional(w->pair.b);
  best->answer.pairs_tested = compound ? w->tested : 0;
}

void grz_compound_query_replace(grz_compound_query *w, const grz_result *again) {
  grz_result *best = &w->best;
  if (best->proof.kind == GRAZE_CERTIFICATE_INTERNAL_EDGE || w->solid) return;
  int32_t a = best->answer.part_a, b = best->answer.part_b;
  *best = *again;
  best->answer.part_a = a, best->answer.part_b = b;
  w->lower = real_min(w->lower, again->answer.lower);
  query_finish(w);
  size_t place = (size_t)a * graze_part_count(w->pair.b) + (size_t)b;
  if (w->all_pairs) grz_proof_write(&again->proof, &w->options.parts[place].certificate);
}

/* Repeats the query of the deciding pair to get its surface. That of a solid proves only `upper`. */
static void query_show_surface(grz_compound_query *w) {
  grz_result again, *best = &w->best;
  w->inner.surface = w->options.surface;
  w->inner.max_distance = w->options.max_distance;
  grz_compound_query_place_best(w);
  query_run_pair(w, &again);
  if (w->status == GRAZE_OK && w->solid) {
    const grz_direction by = best->proof.direction;
    best->proof = again.proof, best->proof.direction = by;
    best->answer.upper = real_max(best->answer.upper, again.answer.upper);
  } else if (w->status == GRAZE_OK) {
    grz_compound_query_replace(w, &again);
  }
}

/* Returns whether the surface of the deciding pair is part of the proof. */
static bool query_needs_surface(const grz_compound_query *w) {
  const graze_certificate_kind kind = w->best.proof.kind;
  if (!w->measure || w->options.surface == NULL || w->inner.surface != NULL) return false;
  if (w->solid && (kind == GRAZE_CERTIFICATE_IN_A || kind == GRAZE_CERTIFICATE_IN_B || kind == GRAZE_CERTIFICATE_NONE))
    return false;
  return w->best.answer.relation == GRAZE_OVERLAPPING;
}

graze_status grz_compound_query_run(grz_compound_query *w, const graze_placed *a, const graze_placed *b,
                                    const graze_options *options, bool measure) {
  w->all_pairs = false, w->tested = w->frontier_pairs = 0;
  w->status = query_validate(w, a, b, options);
  if (w->status != GRAZE_OK) return w->status;
  w->measure = measure;
  w->solid = (grz_is_solid_mesh(&a->shape) || grz_is_solid_mesh(&b->shape)) && a->shape.kind != GRAZE_HALFSPACE &&
             b->shape.kind != GRAZE_HALFSPACE;
  w->pair.a = a, w->pair.b = b;
  w->pair.index_a = w->pair.index_b = -1;
  w->lower = w->upper = __builtin_inf();
  w->stopped = GRAZE_STOP_NONE;
  w->iterations = 0, w->exact = false;
  w->touch.count = 0;
  query_set_limit(w);
  if (w->all_pairs || (!grz_has_parts(&a->shape) && !grz_has_parts(&b->shape)))
    query_run_all(w);
  else
    query_search_pieces(w);
  if (w->status != GRAZE_OK) return w->status;
  if (w->solid) query_test_containment(w);
  query_finish(w);
  if (w->solid && measure) query_measure_solid(w);
  if (query_needs_surface(w)) query_show_surface(w);
  return w->status;
}
