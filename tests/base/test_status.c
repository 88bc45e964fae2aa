/* The version, and the text of every enumeration: named, never NULL, all different. */

#include "support/test.h"

#include <graze/scene.h>

TEST(test_version) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR, GRAZE_VERSION_PATCH);
  assert_string_equal(text, GRAZE_VERSION);
  assert_string_equal(graze_version(), GRAZE_VERSION);
}

static const char *status_text(int value) { return graze_status_text((graze_status)value); }
static const char *relation_text(int value) { return graze_relation_text((graze_relation)value); }
static const char *path_text(int value) { return graze_path_text((graze_path)value); }
static const char *stop_text(int value) { return graze_stop_text((graze_stop)value); }
static const char *trace_stop_text(int value) { return graze_trace_stop_text((graze_trace_stop)value); }
static const char *result_text(int value) { return graze_motion_result_text((graze_motion_result)value); }
static const char *response_text(int value) { return graze_response_text((graze_response)value); }
static const char *event_text(int value) { return graze_event_text((graze_event_kind)value); }
static const char *phase_text(int value) { return graze_phase_text((graze_phase)value); }

TEST(test_texts) {
  static const struct {
    const char *(*text)(int);
    int first, last;
  } all[] = {
      {status_text, GRAZE_OK, GRAZE_BAD_DATA},
      {relation_text, GRAZE_SEPARATED, GRAZE_UNDECIDED},
      {path_text, GRAZE_PATH_GJK, GRAZE_PATH_BORDER},
      {stop_text, GRAZE_STOP_NONE, GRAZE_STOP_PRECISION},
      {trace_stop_text, GRAZE_TRACE_GOES_ON, GRAZE_TRACE_NO_PROGRESS},
      {phase_text, GRAZE_PHASE_GJK, GRAZE_PHASE_EPA},
      {result_text, GRAZE_HIT, GRAZE_POSSIBLE},
      {response_text, GRAZE_RESPONSE_NONE, GRAZE_RESPONSE_BOUNCE},
      {event_text, GRAZE_EVENT_BEGIN, GRAZE_EVENT_END},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    for (int i = all[k].first; i <= all[k].last; i++) {
      assert_non_null(all[k].text(i));
      assert_null(strstr(all[k].text(i), "unknown"));
      for (int j = all[k].first; j < i; j++) assert_string_not_equal(all[k].text(i), all[k].text(j));
    }
    const int outside[] = {all[k].last + 1, 99, -1, 2000000000};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
      assert_int_equal(strncmp(all[k].text(outside[i]), "unknown ", 8), 0);
  }
}

/* What the text form of answers is made of. */
TEST(test_words) {
  assert_string_equal(graze_relation_text(GRAZE_SEPARATED), "separated");
  assert_string_equal(graze_relation_text(GRAZE_TOUCHING), "touching");
  assert_string_equal(graze_relation_text(GRAZE_OVERLAPPING), "overlapping");
  assert_string_equal(graze_relation_text(GRAZE_UNDECIDED), "undecided");
  assert_string_equal(graze_path_text(GRAZE_PATH_GJK), "gjk");
  assert_string_equal(graze_path_text(GRAZE_PATH_CACHED_AXIS), "cached axis");
  assert_string_equal(graze_path_text(GRAZE_PATH_EXACT), "exact");
  assert_string_equal(graze_path_text(GRAZE_PATH_PLANE), "plane");
  assert_string_equal(graze_path_text(GRAZE_PATH_PORTAL), "portal");
  assert_string_equal(graze_path_text(GRAZE_PATH_SAT), "sat");
  assert_string_equal(graze_path_text(GRAZE_PATH_EPA), "epa");
  assert_string_equal(graze_path_text(GRAZE_PATH_BRUTE), "brute");
  assert_string_equal(graze_stop_text(GRAZE_STOP_NONE), "none");
  assert_string_equal(graze_stop_text(GRAZE_STOP_CUTOFF), "cutoff");
  assert_string_equal(graze_stop_text(GRAZE_STOP_BUDGET), "budget");
  assert_string_equal(graze_stop_text(GRAZE_STOP_PRECISION), "precision");
  assert_string_equal(graze_trace_stop_text(GRAZE_TRACE_GOES_ON), "goes on");
  assert_string_equal(graze_trace_stop_text(GRAZE_TRACE_HOLDS_ORIGIN), "simplex holds the origin");
}
