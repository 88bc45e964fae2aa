/* The picture shows what was recorded: whichever number of a story is changed, the picture changes, and where the
 * number is changed back, it is the same again, byte for byte. */

#include "support/test.h"
#include "explain/picture.h"

#define SQUARE "{\"type\":\"polygon\",\"vertices\":[[0,0],[3,0],[3,3],[0,3]]}"
#define KITE "{\"type\":\"polygon\",\"vertices\":[[6,5],[7,3.5],[9,4],[9,6]]}"
#define PAIR(query) "{\"dim\":2,\"query\":\"" query "\",\"a\":" SQUARE ",\"b\":" KITE "}"
#define DEEP "{\"type\":\"polygon\",\"vertices\":[[2,1],[5,0],[4,4]]}"
#define OVERLAP(query, more) "{\"dim\":2,\"query\":\"" query "\"" more ",\"a\":" SQUARE ",\"b\":" DEEP "}"

/* A question, its story, and the picture of it as it was recorded. */
typedef struct told {
  cli_room room;
  cli_question question;
  story s;
  cli_text picture;
} told;

static void tell(told *t, const char *text) {
  cli_line line = {{text, strlen(text)}, 1, false};
  graze_options defaults = graze_default_options();
  cli_complaint complaint = {0};
  memset(t, 0, sizeof *t);
  cli_json_begin();
  assert_true(cli_question_read(&line, &defaults, &t->question, &complaint));
  assert_true(story_make(&t->question, line.text, &t->room, &t->s, &complaint));
  story_print_svg(&t->picture, &t->s);
  assert_false(t->picture.failed);
}

static void forget(told *t) {
  cli_text_free(&t->picture);
  story_free(&t->s);
  cli_question_free(&t->question);
  cli_room_free(&t->room);
}

static bool as_recorded(const told *t) {
  cli_text now = {0};
  story_print_svg(&now, &t->s);
  bool same = now.size == t->picture.size && memcmp(now.data, t->picture.data, now.size) == 0;
  cli_text_free(&now);
  return same;
}

/* Changes one number, looks, and changes it back. */
static void seen(const told *t, double *number, double by) {
  double was = *number;
  assert_true(as_recorded(t));
  *number = was + by;
  assert_false(as_recorded(t));
  *number = was;
  assert_true(as_recorded(t));
}

TEST(a_point_of_a_step_is_seen) {
  told t;
  tell(&t, PAIR("distance"));
  assert_true(t.s.finding.trace.count >= 2);
  for (size_t k = 0; k < t.s.finding.trace.count; k++) {
    seen(&t, &t.s.finding.trace.steps[k].point.x, 0.25);
    seen(&t, &t.s.finding.trace.steps[k].point.y, -0.25);
  }
  forget(&t);
}

TEST(a_direction_of_a_step_is_seen) {
  told t;
  tell(&t, PAIR("distance"));
  for (size_t k = 0; k < t.s.finding.trace.count; k++) {
    graze_trace_step *step = &t.s.finding.trace.steps[k];
    if (step->direction.x == 0 && step->direction.y == 0) continue;
    seen(&t, step->direction.x != 0 ? &step->direction.y : &step->direction.x, 1);
  }
  forget(&t);
}

TEST(bounds_and_the_origin_check_are_seen) {
  told t;
  tell(&t, PAIR("distance"));
  for (size_t k = 0; k < t.s.finding.trace.count; k++) {
    graze_trace_step *step = &t.s.finding.trace.steps[k];
    seen(&t, &step->origin_check, 1);
    if (isfinite(step->lower)) seen(&t, &step->lower, -0.5);
    if (isfinite(step->upper)) seen(&t, &step->upper, 0.5);
  }
  forget(&t);
}

TEST(the_simplex_is_seen) {
  told t;
  size_t seen_points = 0;
  tell(&t, PAIR("distance"));
  for (size_t k = 0; k < t.s.finding.trace.count; k++) {
    graze_trace_step *step = &t.s.finding.trace.steps[k];
    for (int i = 0; i < step->simplex_count; i++, seen_points++) seen(&t, &step->simplex_point[i].x, 0.5);
  }
  assert_true(seen_points > 0);
  forget(&t);
}

TEST(the_answer_is_seen) {
  static const char *const questions[] = {PAIR("distance"), OVERLAP("penetration", "")};
  for (int i = 0; i < 2; i++) {
    told t;
    tell(&t, questions[i]);
    graze_answer *answer = &t.s.finding.answer;
    seen(&t, &answer->distance, -0.25);
    seen(&t, &answer->lower, -0.25);
    seen(&t, &answer->upper, 0.25);
    seen(&t, &answer->point_a.x, 0.25);
    seen(&t, &answer->point_b.y, 0.25);
    seen(&t, &answer->normal.x, 0.25);
    forget(&t);
  }
}

TEST(the_evidence_is_seen) {
  told t;
  tell(&t, PAIR("distance"));
  seen(&t, &t.s.evidence.direction.y, -0.5);
  seen(&t, &t.s.evidence.reach_a, 0.25);
  seen(&t, &t.s.evidence.begin_b, 0.25);
  forget(&t);
}

TEST(the_polytope_is_seen) {
  told t;
  tell(&t, OVERLAP("penetration", ",\"method\":\"epa\""));
  const graze_trace_step *last = &t.s.finding.trace.steps[t.s.finding.trace.count - 1];
  assert_int_equal(last->phase, GRAZE_PHASE_EPA);
  assert_non_null(last->polytope);
  for (size_t i = 0; i < last->polytope->pair_count; i++) {
    int32_t k = story_find(&t.s, &last->polytope->pairs[i]);
    assert_true(k >= 0);
    seen(&t, &t.s.points[k].at.x, 0.5);
  }
  forget(&t);
}

TEST(every_axis_is_seen) {
  told t;
  tell(&t, OVERLAP("distance", ",\"method\":\"sat\""));
  assert_int_equal(t.s.finding.trace.axis_count, 7);
  for (size_t k = 0; k < t.s.finding.trace.axis_count; k++) {
    graze_axis *axis = &t.s.finding.trace.axes[k];
    seen(&t, &axis->separation, -0.25);
    seen(&t, &axis->direction.x, 0.25);
    seen(&t, &axis->a.max, 0.25);
    seen(&t, &axis->b.min, 0.25);
  }
  forget(&t);
}

TEST(contacts_are_seen) {
  told t;
  tell(&t, "{\"query\":\"manifold\",\"dim\":2,\"a\":{\"type\":\"box\",\"half_extents\":[5,1]},"
           "\"b\":{\"type\":\"box\",\"half_extents\":[1,1],\"position\":[2,1.875]}}");
  assert_int_equal(t.s.finding.count, 2);
  for (size_t i = 0; i < t.s.finding.count; i++) {
    seen(&t, &t.s.finding.contacts[i].depth, 0.125);
    seen(&t, &t.s.finding.contacts[i].point_a.x, 0.25);
    seen(&t, &t.s.finding.contacts[i].point_b.y, 0.25);
  }
  forget(&t);
}

TEST(the_shapes_are_seen) {
  told t;
  tell(&t, PAIR("distance"));
  seen(&t, &t.s.a.mesh.points[0].x, -0.25);
  seen(&t, &t.s.b.mesh.points[0].y, 0.25);
  seen(&t, &t.s.core.points[0].x, 0.25);
  forget(&t);
}

TEST(the_minkowski_set_is_seen) {
  told t;
  tell(&t, PAIR("minkowski"));
  assert_true(t.s.vertex_count >= 4);
  for (size_t i = 0; i < t.s.vertex_count; i++) seen(&t, &t.s.vertices[i].x, 0.25);
  int32_t was = t.s.pairs[0].a;
  t.s.pairs[0].a++;
  assert_false(as_recorded(&t));
  t.s.pairs[0].a = was;
  forget(&t);
}

/* A step is shown in its own place: where one bound of one step is another, one line of the picture is. */
TEST(a_bound_is_written_once) {
  told t;
  tell(&t, PAIR("distance"));
  t.s.finding.trace.steps[0].upper += 0.5;
  cli_text now = {0};
  story_print_svg(&now, &t.s);
  size_t different = 0;
  const char *p = t.picture.data, *q = now.data, *end = p + t.picture.size, *last = q + now.size;
  while (p < end && q < last) {
    const char *next = memchr(p, '\n', (size_t)(end - p)), *other = memchr(q, '\n', (size_t)(last - q));
    assert_true(next && other);
    if (next - p != other - q || memcmp(p, q, (size_t)(next - p)) != 0) different++;
    p = next + 1;
    q = other + 1;
  }
  assert_int_equal(different, 1);
  cli_text_free(&now);
  forget(&t);
}

/* Whatever the numbers of a story are, the picture is a picture. */
TEST(no_number_is_too_strange) {
  static const double strange[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, 1e40, 0};
  told t;
  tell(&t, OVERLAP("penetration", ",\"method\":\"sat\""));
  graze_trace_step *step = &t.s.finding.trace.steps[1];
  double *numbers[] = {&step->point.x,
                       &step->direction.y,
                       &step->lower,
                       &step->origin_check,
                       &step->simplex_point[0].x,
                       &t.s.evidence.reach_a,
                       &t.s.evidence.direction.x,
                       &t.s.finding.trace.axes[0].a.max,
                       &t.s.finding.trace.axes[1].separation,
                       &t.s.finding.answer.distance,
                       &t.s.a.mesh.points[0].x,
                       &t.s.finding.answer.point_a.y,
                       &t.s.finding.answer.normal.x,
                       &t.s.core.points[1].y};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    for (size_t k = 0; k < sizeof strange / sizeof *strange; k++) {
      double was = *numbers[i];
      *numbers[i] = strange[k];
      cli_text now = {0};
      story_print_svg(&now, &t.s);
      cli_text_add(&now, "", 1);
      assert_false(now.failed);
      const char *body = strstr(now.data, "</style>");
      assert_null(strstr(body, "=\"nan"));
      assert_null(strstr(body, "=\"inf"));
      assert_null(strstr(body, "=\"-inf"));
      cli_text_free(&now);
      *numbers[i] = was;
    }
  assert_true(as_recorded(&t));
  forget(&t);
}

/* Words for which there is no memory are not left out in silence. */
TEST(without_words_there_is_no_picture) {
  cli_text out = {0}, text = {.failed = true};
  assert_string_equal(picture_number(&out, &text, 1), "");
  assert_true(out.failed);
}
