/* Relation and signed distance of compounds: the strongest relation and the least signed distance of all pairs of
 * parts. A pair is excluded if a lower bound of its signed distance exceeds an upper bound of another pair. Therefore
 * `lower` is the least of the lower bounds of the tested pairs and of the pairs beyond max_distance. Theory:
 * docs/theory/compounds.md. */
#include "compound/compound.h"

#include "narrow/query.h"
#include "narrow/stages.h"
#include "core/vec.h"

static bool query_is_compound(const graze_placed *placed) { return placed->shape.kind == GRAZE_COMPOUND; }

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
  if (pair->index_a != a) pair->part_a = graze_part(pair->a, (size_t)a);
  if (pair->index_b != b) pair->part_b = graze_part(pair->b, (size_t)b);
  pair->index_a = a, pair->index_b = b;
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
  if (w->options.parts != NULL) return;
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

/* Tests one pair of parts. Returns false after an error, or if no other pair can be stronger. */
static bool query_visit(grz_compound_query *w, int32_t a, int32_t b) {
  grz_result r;
  query_place(&w->pair, a, b);
  query_run_pair(w, &r);
  if (w->status != GRAZE_OK) return false;
  if (w->options.parts != NULL) {
    graze_part_proof *part = &w->options.parts[w->tested];
    part->part_a = a, part->part_b = b;
    grz_proof_write(&r.proof, &part->certificate);
  }
  if (r.answer.relation == GRAZE_TOUCHING) grz_internal_edge_test(&w->pair, w->inner.clearance, &r);
  query_count(w, &r);
  if (w->tested == 1 || query_is_better(&r, &w->best)) w->best = r;
  query_set_limit(w);
  return w->measure || w->options.parts != NULL || r.answer.relation != GRAZE_OVERLAPPING;
}

static bool query_visit_from_a(void *compound, int32_t a, int32_t b) { return query_visit(compound, a, b); }
static bool query_visit_from_b(void *compound, int32_t b, int32_t a) { return query_visit(compound, a, b); }

static void query_search_pieces(grz_compound_query *w) {
  bool from_a = query_is_compound(w->pair.a);
  const graze_placed *target = from_a ? w->pair.a : w->pair.b, *shape = from_a ? w->pair.b : w->pair.a;
  grz_query_shape_make(&w->shape, target, shape, w->inner.clearance);
  w->search.target = target->shape.as.compound->tree->node;
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
  w->inner.parts = NULL;
  if (query.compound) w->inner.cache = NULL, w->inner.surface = NULL, w->inner.tracer = NULL;
  size_t count_a = graze_part_count(a), count_b = graze_part_count(b);
  bool fits = w->options.part_capacity / count_a >= count_b;
  return w->options.parts == NULL || fits ? GRAZE_OK : GRAZE_NO_SPACE;
}

bool grz_is_conditional(const graze_placed *placed) {
  return query_is_compound(placed) ? placed->shape.as.compound->conditional : placed->shape.kind == GRAZE_USER;
}

/* Completes the answer with the values of all pairs. */
static void query_finish(grz_compound_query *w) {
  grz_result *best = &w->best;
  bool compound = query_is_compound(w->pair.a) || query_is_compound(w->pair.b);
  bool decided = best->answer.relation == GRAZE_SEPARATED || best->answer.relation == GRAZE_OVERLAPPING;
  if (!w->measure && decided)
    grz_query_forget_numbers(best);
  else if (query_is_known(best->answer.lower))
    best->answer.lower = w->lower;
  if (best->answer.stopped == GRAZE_STOP_NONE && w->stopped != GRAZE_STOP_CUTOFF) best->answer.stopped = w->stopped;
  best->answer.iterations = w->iterations;
  best->answer.exact = w->exact;
  best->answer.conditional = grz_is_conditional(w->pair.a) || grz_is_conditional(w->pair.b);
  best->answer.pairs_tested = compound ? w->tested : 0;
}

void grz_compound_query_place_best(grz_compound_query *w) {
  query_place(&w->pair, w->best.answer.part_a, w->best.answer.part_b);
}

void grz_compound_query_replace(grz_compound_query *w, const grz_result *again) {
  grz_result *best = &w->best;
  if (best->proof.kind == GRAZE_CERTIFICATE_INTERNAL_EDGE) return;
  int32_t a = best->answer.part_a, b = best->answer.part_b;
  *best = *again;
  best->answer.part_a = a, best->answer.part_b = b;
  w->lower = real_min(w->lower, again->answer.lower);
  query_finish(w);
  size_t place = (size_t)a * graze_part_count(w->pair.b) + (size_t)b;
  if (w->options.parts != NULL) grz_proof_write(&again->proof, &w->options.parts[place].certificate);
}

/* Repeats the query of the deciding pair to get its surface. */
static void query_show_surface(grz_compound_query *w) {
  grz_result again;
  w->inner.surface = w->options.surface;
  w->inner.max_distance = w->options.max_distance;
  grz_compound_query_place_best(w);
  query_run_pair(w, &again);
  if (w->status == GRAZE_OK) grz_compound_query_replace(w, &again);
}

graze_status grz_compound_query_run(grz_compound_query *w, const graze_placed *a, const graze_placed *b,
                                    const graze_options *options, bool measure) {
  w->status = query_validate(w, a, b, options);
  if (w->status != GRAZE_OK) return w->status;
  w->measure = measure;
  w->pair.a = a, w->pair.b = b;
  w->pair.index_a = w->pair.index_b = -1;
  w->lower = w->upper = __builtin_inf();
  w->stopped = GRAZE_STOP_NONE;
  w->tested = 0, w->iterations = 0, w->exact = false;
  query_set_limit(w);
  if (w->options.parts != NULL)
    query_run_all(w);
  else
    query_search_pieces(w);
  if (w->status != GRAZE_OK) return w->status;
  query_finish(w);
  bool shown = measure && w->options.surface != NULL && w->inner.surface == NULL;
  if (shown && w->best.answer.relation == GRAZE_OVERLAPPING) query_show_surface(w);
  return w->status;
}
