/* The public questions: about two convex shapes directly, about compounds by their parts. */
#include "compound/distance.h"
#include "narrow/manifold.h"
#include "narrow/pairs.h"

/* Convex shapes, and nothing that only compounds have to say. */
static bool questions_plain(const graze_placed *a, const graze_placed *b, const graze_options *options) {
  return a->shape.kind != GRAZE_COMPOUND && b->shape.kind != GRAZE_COMPOUND && !(options && options->parts);
}

/* In frames of their own: a compound's question is large. */
__attribute__((noinline)) static graze_status questions_whole(const graze_placed *a, const graze_placed *b,
                                                              const graze_options *options, bool measure,
                                                              graze_answer *answer) {
  grz_whole whole;
  graze_status status = grz_whole_ask(&whole, a, b, options, measure);
  if (status == GRAZE_OK) *answer = whole.best;
  return status;
}

__attribute__((noinline)) static graze_status questions_manifold(const graze_placed *a, const graze_placed *b,
                                                                 const graze_options *options, graze_answer *answer,
                                                                 graze_contact *contacts, size_t capacity,
                                                                 size_t *count) {
  grz_whole whole;
  graze_answer pair;
  graze_status status = grz_whole_ask(&whole, a, b, options, true);
  if (status != GRAZE_OK) return status;
  graze_options inner = whole.options;
  inner.cache = NULL, inner.trace = NULL, inner.parts = NULL;
  grz_whole_decider(&whole);
  status = grz_manifold_pair(&whole.pair.part_a, &whole.pair.part_b, &inner, &pair, contacts, capacity, count);
  if (status != GRAZE_OK) return status;
  grz_whole_settle(&whole, &pair);
  *answer = whole.best;
  return GRAZE_OK;
}

graze_status graze_intersect(const graze_placed *a, const graze_placed *b, const graze_options *options,
                             graze_answer *answer) {
  if (questions_plain(a, b, options)) return grz_intersect_pair(a, b, options, answer);
  return questions_whole(a, b, options, false, answer);
}

graze_status graze_distance(const graze_placed *a, const graze_placed *b, const graze_options *options,
                            graze_answer *answer) {
  if (questions_plain(a, b, options)) return grz_distance_pair(a, b, options, answer);
  return questions_whole(a, b, options, true, answer);
}

graze_status graze_manifold(const graze_placed *a, const graze_placed *b, const graze_options *options,
                            graze_answer *answer, graze_contact *contacts, size_t capacity, size_t *count) {
  if (questions_plain(a, b, options)) return grz_manifold_pair(a, b, options, answer, contacts, capacity, count);
  if (capacity == 0) return GRAZE_NO_SPACE;
  return questions_manifold(a, b, options, answer, contacts, capacity, count);
}

graze_status graze_contains(const graze_placed *placed, graze_vec point, graze_relation *relation) {
  graze_shape shape = placed->shape.dim == 2 ? graze_point2() : graze_point();
  graze_placed at = graze_place(&shape, graze_pose_at(point.x, point.y, point.z));
  graze_answer answer;
  graze_status status = graze_intersect(placed, &at, NULL, &answer);
  if (status == GRAZE_OK) *relation = answer.relation;
  return status;
}
