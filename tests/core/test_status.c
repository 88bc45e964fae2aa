/* The version, and the texts of every enumeration: never NULL, and all different. */

#include "support/test.h"

#include <graze/scene.h>
#include <graze/trace.h>

TEST(version_text_matches_the_numbers) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR, GRAZE_VERSION_PATCH);
  assert_string_equal(text, GRAZE_VERSION);
  assert_string_equal(graze_version(), GRAZE_VERSION);
}

static const char *status_text(int value) { return graze_status_text((graze_status)value); }
static const char *relation_text(int value) { return graze_relation_text((graze_relation)value); }
static const char *algorithm_text(int value) { return graze_algorithm_text((graze_algorithm)value); }
static const char *stop_text(int value) { return graze_stop_text((graze_stop)value); }
static const char *trace_stop_text(int value) { return graze_trace_stop_text((graze_trace_stop)value); }
static const char *outcome_text(int value) { return graze_cast_outcome_text((graze_cast_outcome)value); }
static const char *response_text(int value) { return graze_response_text((graze_response)value); }
static const char *event_text(int value) { return graze_event_text((graze_event_kind)value); }
static const char *phase_text(int value) { return graze_phase_text((graze_phase)value); }

/* `words`: texts that are part of the text form of answers, so they must not change. */
TEST(every_value_has_its_own_text) {
  static const struct {
    const char *(*text)(int);
    int first, last;
    const char *words[8];
  } all[] = {
      {status_text, GRAZE_OK, GRAZE_BAD_DATA, {NULL}},
      {relation_text, GRAZE_SEPARATED, GRAZE_UNDECIDED, {"separated", "touching", "overlapping", "undecided"}},
      {algorithm_text, GRAZE_ALGORITHM_GJK, GRAZE_ALGORITHM_CONTAINMENT, {NULL}},
      {stop_text, GRAZE_STOP_NONE, GRAZE_STOP_NONCONVEX, {"none", "cutoff", "budget", "precision", "nonconvex"}},
      {trace_stop_text,
       GRAZE_TRACE_CONTINUE,
       GRAZE_TRACE_NO_PROGRESS,
       {"continues", "origin not passed", "simplex holds the origin"}},
      {phase_text, GRAZE_PHASE_GJK, GRAZE_PHASE_NEWTON, {NULL}},
      {outcome_text, GRAZE_HIT, GRAZE_POSSIBLE, {NULL}},
      {response_text, GRAZE_RESPONSE_NONE, GRAZE_RESPONSE_BOUNCE, {NULL}},
      {event_text, GRAZE_EVENT_BEGIN, GRAZE_EVENT_END, {NULL}},
  };
  for (size_t k = 0; k < COUNT(all); k++) {
    for (int i = all[k].first; i <= all[k].last; i++) {
      assert_non_null(all[k].text(i));
      assert_null(strstr(all[k].text(i), "unknown"));
      for (int j = all[k].first; j < i; j++) assert_string_not_equal(all[k].text(i), all[k].text(j));
    }
    for (int i = 0; i < 8 && all[k].words[i]; i++) assert_string_equal(all[k].text(all[k].first + i), all[k].words[i]);
    const int outside[] = {all[k].last + 1, 99, -1, 2000000000};
    for (size_t i = 0; i < COUNT(outside); i++) assert_int_equal(strncmp(all[k].text(outside[i]), "unknown ", 8), 0);
  }
  static const graze_algorithm algorithm[] = {
      GRAZE_ALGORITHM_GJK,    GRAZE_ALGORITHM_CACHED_AXIS, GRAZE_ALGORITHM_EXACT, GRAZE_ALGORITHM_HALFSPACE,
      GRAZE_ALGORITHM_PORTAL, GRAZE_ALGORITHM_SAT,         GRAZE_ALGORITHM_EPA,   GRAZE_ALGORITHM_BRUTE};
  static const char *const name[] = {"gjk", "cached axis", "exact", "plane", "portal", "sat", "epa", "brute"};
  for (size_t i = 0; i < COUNT(algorithm); i++) assert_string_equal(graze_algorithm_text(algorithm[i]), name[i]);
}
