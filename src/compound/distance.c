/* Relation and signed distance over pairs of parts: the strongest relation, the least signed distance. A pair is left
 * out when a lower bound of its signed distance is greater than an upper bound of another's; so `lower` is the least of
 * those asked, and of the bounds of those beyond max_distance. docs/theory/compounds.md. */
#include "compound/distance.h"

#include "narrow/query.h"
#include "narrow/distance.h"
#include "core/vec.h"

static bool whole_is_compound(const graze_placed *placed) { return placed->shape.kind == GRAZE_COMPOUND; }

static bool whole_is_known(double x) { return x == x; }

static int whole_strength(graze_relation relation) {
  switch (relation) {
  case GRAZE_OVERLAPPING: return 3;
  case GRAZE_UNDECIDED: return 2;
  case GRAZE_TOUCHING: return 1;
  default: return 0;
  }
}

/* The stronger relation, then what surely lies nearer, then the first. A least `upper` keeps the interval as narrow as
 * that of one pair: no lower bound lies farther below it than below the upper bound of its own pair. */
static bool whole_is_better(const grz_result *r, const grz_result *best) {
  int more = whole_strength(r->answer.relation) - whole_strength(best->answer.relation);
  if (more != 0) return more > 0;
  bool known = whole_is_known(r->answer.upper);
  if (known != whole_is_known(best->answer.upper)) return known;
  if (known && r->answer.upper != best->answer.upper) return r->answer.upper < best->answer.upper;
  return r->answer.part_a < best->answer.part_a || (r->answer.part_a == best->answer.part_a && r->answer.part_b < best->answer.part_b);
}

static void whole_place(grz_contact_parts *pair, int32_t a, int32_t b) {
  if (pair->index_a != a) pair->part_a = graze_part(pair->a, (size_t)a);
  if (pair->index_b != b) pair->part_b = graze_part(pair->b, (size_t)b);
  pair->index_a = a, pair->index_b = b;
}

static void whole_ask_pair(grz_whole *w, grz_result *r) {
  const grz_contact_parts *pair = &w->pair;
  w->status = w->measure ? grz_distance_pair(&pair->part_a, &pair->part_b, &w->inner, r)
                         : grz_intersect_pair(&pair->part_a, &pair->part_b, &w->inner, r);
  r->answer.part_a = pair->index_a, r->answer.part_b = pair->index_b;
}

/* Nothing beyond the caller's max_distance is asked about, and nothing beyond the nearest so far. */
static void whole_limit(grz_whole *w) {
  double most = w->options.max_distance, nearest = w->upper;
  if (w->options.parts != NULL) return;
  if (nearest < most) w->inner.max_distance = real_min(most, nearest > 0 ? real_next_up(nearest) : 0);
  w->search.limit = w->measure ? real_min(nearest, most > 0 ? -real_next_up(-most) : 0) : 0;
}

static void whole_count(grz_whole *w, const grz_result *r) {
  w->tested++;
  w->iterations += r->answer.iterations;
  w->exact = w->exact || r->answer.exact;
  double lower = w->measure && !whole_is_known(r->answer.lower) ? -__builtin_inf() : r->answer.lower;
  if (lower < w->lower) w->lower = lower, w->stopped = r->answer.stopped;
  if (r->answer.upper < w->upper) w->upper = r->answer.upper;
}

/* Asks about one pair of parts. False: nothing can be stronger, or an error. */
static bool whole_look(grz_whole *w, int32_t a, int32_t b) {
  grz_result r;
  whole_place(&w->pair, a, b);
  whole_ask_pair(w, &r);
  if (w->status != GRAZE_OK) return false;
  if (w->options.parts != NULL) {
    graze_part_proof *part = &w->options.parts[w->tested];
    part->part_a = a, part->part_b = b;
    grz_proof_write(&r.proof, &part->certificate);
  }
  if (r.answer.relation == GRAZE_TOUCHING) grz_internal_edge_test(&w->pair, w->inner.clearance, &r);
  whole_count(w, &r);
  if (w->tested == 1 || whole_is_better(&r, &w->best)) w->best = r;
  whole_limit(w);
  return w->measure || w->options.parts != NULL || r.answer.relation != GRAZE_OVERLAPPING;
}

static bool whole_look_from_a(void *whole, int32_t a, int32_t b) { return whole_look(whole, a, b); }
static bool whole_look_from_b(void *whole, int32_t b, int32_t a) { return whole_look(whole, a, b); }

static void whole_search(grz_whole *w) {
  bool from_a = whole_is_compound(w->pair.a);
  const graze_placed *host = from_a ? w->pair.a : w->pair.b, *guest = from_a ? w->pair.b : w->pair.a;
  grz_query_shape_make(&w->guest, host, guest, w->inner.clearance);
  w->search.host = host->shape.as.compound->tree->node;
  w->search.guest = &w->guest;
  w->search.ask = from_a ? whole_look_from_a : whole_look_from_b;
  w->search.context = w;
  grz_search_run(&w->search);
  if (w->measure) w->lower = real_min(w->lower, w->search.beyond);
}

static void whole_ask_all(grz_whole *w) {
  size_t count_a = graze_part_count(w->pair.a), count_b = graze_part_count(w->pair.b);
  for (size_t i = 0; i < count_a; i++) {
    for (size_t k = 0; k < count_b; k++) {
      if (!whole_look(w, (int32_t)i, (int32_t)k)) return;
    }
  }
}

static graze_status whole_judge(grz_whole *w, const graze_placed *a, const graze_placed *b,
                                const graze_options *options) {
  grz_query query;
  graze_status status = grz_query_validate(&query, a, b, options);
  if (status != GRAZE_OK) return status;
  w->options = w->inner = *query.options;
  w->inner.parts = NULL;
  if (query.compound) w->inner.cache = NULL, w->inner.surface = NULL, w->inner.tracer = NULL;
  size_t count_a = graze_part_count(a), count_b = graze_part_count(b);
  bool room = w->options.part_capacity / count_a >= count_b;
  return w->options.parts == NULL || room ? GRAZE_OK : GRAZE_NO_SPACE;
}

static bool whole_is_conditional(const graze_placed *placed) {
  return whole_is_compound(placed) ? placed->shape.as.compound->conditional : placed->shape.kind == GRAZE_USER;
}

/* What the answer says beyond the pair that decides. */
static void whole_finish(grz_whole *w) {
  grz_result *best = &w->best;
  bool compound = whole_is_compound(w->pair.a) || whole_is_compound(w->pair.b);
  bool apart = best->answer.relation == GRAZE_SEPARATED || best->answer.relation == GRAZE_OVERLAPPING;
  if (!w->measure && apart)
    grz_query_forget_numbers(best);
  else if (whole_is_known(best->answer.lower))
    best->answer.lower = w->lower;
  if (best->answer.stopped == GRAZE_STOP_NONE && w->stopped != GRAZE_STOP_CUTOFF) best->answer.stopped = w->stopped;
  best->answer.iterations = w->iterations;
  best->answer.exact = w->exact;
  best->answer.conditional = whole_is_conditional(w->pair.a) || whole_is_conditional(w->pair.b);
  best->answer.pairs_tested = compound ? w->tested : 0;
}

void grz_whole_decider(grz_whole *w) { whole_place(&w->pair, w->best.answer.part_a, w->best.answer.part_b); }

void grz_whole_settle(grz_whole *w, const grz_result *again) {
  grz_result *best = &w->best;
  if (best->proof.kind == GRAZE_CERTIFICATE_INTERNAL_EDGE) return;
  int32_t a = best->answer.part_a, b = best->answer.part_b;
  *best = *again;
  best->answer.part_a = a, best->answer.part_b = b;
  w->lower = real_min(w->lower, again->answer.lower);
  whole_finish(w);
  size_t place = (size_t)a * graze_part_count(w->pair.b) + (size_t)b;
  if (w->options.parts != NULL) grz_proof_write(&again->proof, &w->options.parts[place].certificate);
}

/* The pair that decides once more, for its surface. */
static void whole_show_surface(grz_whole *w) {
  grz_result again;
  w->inner.surface = w->options.surface;
  w->inner.max_distance = w->options.max_distance;
  grz_whole_decider(w);
  whole_ask_pair(w, &again);
  if (w->status == GRAZE_OK) grz_whole_settle(w, &again);
}

graze_status grz_whole_ask(grz_whole *w, const graze_placed *a, const graze_placed *b, const graze_options *options,
                           bool measure) {
  w->status = whole_judge(w, a, b, options);
  if (w->status != GRAZE_OK) return w->status;
  w->measure = measure;
  w->pair.a = a, w->pair.b = b;
  w->pair.index_a = w->pair.index_b = -1;
  w->lower = w->upper = __builtin_inf();
  w->stopped = GRAZE_STOP_NONE;
  w->tested = 0, w->iterations = 0, w->exact = false;
  whole_limit(w);
  if (w->options.parts != NULL)
    whole_ask_all(w);
  else
    whole_search(w);
  if (w->status != GRAZE_OK) return w->status;
  whole_finish(w);
  bool shown = measure && w->options.surface != NULL && w->inner.surface == NULL;
  if (shown && w->best.answer.relation == GRAZE_OVERLAPPING) whole_show_surface(w);
  return w->status;
}
