/* graze_contacts(): the contacts of all pairs of parts. */
#include "compound/compound.h"

#include "core/status.h"
#include "narrow/query.h"
#include "narrow/stages.h"

enum { CONTACTS_OF_PAIR = 4 };

typedef struct contacts_search {
  const graze_placed *target, *other;
  bool target_is_a;
  graze_options options;
  double speculative;
  graze_contacts_function report;
  void *context;
  graze_status status;
} contacts_search;

static bool contacts_visit(void *context, int32_t target_part, int32_t other_part) {
  contacts_search *s = context;
  graze_frame frame_target, frame_other;
  grz_result result;
  graze_contact contacts[CONTACTS_OF_PAIR];
  size_t count = 0;
  const graze_placed target = graze_part(s->target, (size_t)target_part, &frame_target);
  const graze_placed other = graze_part(s->other, (size_t)other_part, &frame_other);
  const graze_placed *a = s->target_is_a ? &target : &other, *b = s->target_is_a ? &other : &target;
  s->status = grz_manifold_pair(a, b, &s->options, s->speculative, &result, contacts, CONTACTS_OF_PAIR, &count);
  if (s->status != GRAZE_OK) return false;
  if (result.answer.relation == GRAZE_SEPARATED && (count == 0 || s->speculative == 0)) return true;
  result.answer.part_a = s->target_is_a ? target_part : other_part;
  result.answer.part_b = s->target_is_a ? other_part : target_part;
  return s->report(s->context, &result.answer, contacts, count);
}

graze_status graze_contacts(const graze_placed *a, const graze_placed *b, const graze_manifold_options *options,
                            graze_contacts_function report, void *context) {
  const graze_manifold_options in_force = options ? *options : graze_default_manifold_options();
  contacts_search s = {.speculative = in_force.speculative_distance, .report = report, .context = context};
  grz_query query;
  s.options = grz_manifold_query_options(&in_force);
  if (!(s.speculative >= 0)) return grz_reject(in_force.error, grz_speculative_error(s.speculative));
  const graze_status status = grz_query_validate(&query, a, b, &s.options);
  if (status != GRAZE_OK) return grz_query_reject(a, b, &s.options, status);
  s.target_is_a = grz_has_parts(&a->shape);
  s.target = s.target_is_a ? a : b, s.other = s.target_is_a ? b : a;
  if (!grz_has_parts(&s.target->shape)) {
    (void)contacts_visit(&s, 0, 0);
    return s.status;
  }
  grz_query_shape shape;
  grz_query_shape_make(&shape, s.target, s.other, s.options.clearance);
  grz_search search = {.target = &s.target->shape, .query = &shape, .limit = s.speculative};
  search.visit = contacts_visit, search.context = &s, search.in_any_order = true;
  grz_search_run(&search);
  return s.status;
}
