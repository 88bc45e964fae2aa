/* The picture of a motion shows what was recorded: whichever number is changed, the picture changes. */

#include "support/test.h"
#include "explain/motion.h"

#define CAST                                                                                                           \
  "{\"dim\":2,\"query\":\"shapecast\",\"a\":{\"type\":\"polygon\",\"vertices\":[[0,0],[3,0],[2,2]]},"                  \
  "\"b\":{\"type\":\"box\",\"half_extents\":[1,0.75],\"position\":[7,4]},"                                             \
  "\"motion\":{\"type\":\"linear\",\"velocity_a\":[1,0.25],\"velocity_b\":[-2,-0.5],\"t_max\":4}}"
#define PASS                                                                                                           \
  "{\"dim\":2,\"query\":\"raycast\",\"a\":{\"type\":\"box\",\"half_extents\":[1,1]},"                                  \
  "\"motion\":{\"type\":\"ray\",\"origin\":[-5,1.5],\"direction\":[1,0],\"t_max\":9}}"

#define SPIN                                                                                                           \
  "{\"dim\":2,\"query\":\"toi\",\"a\":{\"type\":\"box\",\"half_extents\":[2,0.05]},"                                   \
  "\"b\":{\"type\":\"box\",\"half_extents\":[1,0.1],\"position\":[1,1.2]},"                                            \
  "\"motion\":{\"type\":\"rotational\",\"velocity_a\":[0,0],\"velocity_b\":[0,0],\"angular_velocity_a\":4,"            \
  "\"angular_velocity_b\":0,\"t_max\":0.6}}"

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
  *number = was + by;
  assert_false(as_recorded(t));
  *number = was;
  assert_true(as_recorded(t));
}

TEST(a_contact_is_seen) {
  told t;
  tell(&t, CAST);
  story_motion *m = t.s.motion;
  assert_non_null(m);
  seen(&t, &m->impact.t_lower, 0.25);
  seen(&t, &m->impact.t_upper, 0.25);
  seen(&t, &m->impact.point.x, 0.25);
  seen(&t, &m->u.y, 0.25);
  seen(&t, &m->t_key, 0.25);
  seen(&t, &m->t_end, 0.5);
  seen(&t, &m->t_drawn, 0.25);
  seen(&t, &m->evidence.direction.y, 0.5);
  seen(&t, &m->evidence.reach_a, 0.25);
  seen(&t, &m->evidence.begin_b, 0.25);
  seen(&t, &m->evidence.closing, 0.25);
  seen(&t, &m->evidence.free_until, 0.25);
  for (int i = 0; i < m->span_count; i++) seen(&t, &m->spans[i].from, 0.25);
  seen(&t, &m->then_a.points[0].x, 0.25);
  seen(&t, &m->then_b.points[0].y, 0.25);
  seen(&t, &m->swept_a.points[0].x, -0.25);
  seen(&t, &m->swept_b.points[0].y, 0.25);
  forget(&t);
}

TEST(every_sample_is_seen) {
  told t;
  tell(&t, CAST);
  story_motion *m = t.s.motion;
  int samples = 0;
  for (int k = 0; k < m->moment_count; k++) {
    if (!m->moments[k].sampled) continue;
    graze_relation was = m->moments[k].relation;
    samples++;
    seen(&t, &m->moments[k].t, k > 0 ? -0.1 : 0.1);
    m->moments[k].relation = was == GRAZE_OVERLAPPING ? GRAZE_SEPARATED : GRAZE_OVERLAPPING;
    assert_false(as_recorded(&t));
    m->moments[k].relation = was;
  }
  assert_int_equal(samples, MOTION_SAMPLES);
  forget(&t);
}

TEST(how_near_they_pass_is_seen) {
  told t;
  tell(&t, PASS);
  story_motion *m = t.s.motion;
  assert_int_equal(m->impact.result, GRAZE_CLEAR);
  seen(&t, &m->impact.min_lower, -0.25);
  seen(&t, &m->impact.min_upper, 0.25);
  seen(&t, &m->impact.t_min, 0.25);
  seen(&t, &m->evidence.gap, 0.25);
  seen(&t, &m->evidence.near_upper, 0.25);
  forget(&t);
}

TEST(what_turns_is_seen) {
  told t;
  tell(&t, SPIN);
  story_motion *m = t.s.motion;
  graze_sweep_step *steps = t.question.options.steps;
  assert_true(m->turns && m->sweep && m->impact.step_count > 1 && m->impact.steps == steps);
  seen(&t, &steps[0].to, 0.005);
  for (int k = 0; k < MOTION_TRAIL; k++) seen(&t, &m->trail_a[k].points[0].x, 0.25);
  seen(&t, &m->moments[m->key].core.points[0].y, 0.25);
  forget(&t);
}

/* Whatever the numbers are, the picture is a picture. */
TEST(no_number_is_too_strange) {
  static const double strange[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, 1e40, 0};
  told t;
  tell(&t, CAST);
  story_motion *m = t.s.motion;
  double *numbers[] = {&m->u.x,
                       &m->t_end,
                       &m->t_key,
                       &m->t_drawn,
                       &m->spans[0].to,
                       &m->impact.point.x,
                       &m->evidence.reach_a,
                       &m->evidence.direction.x,
                       &m->then_a.points[0].x};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    for (size_t k = 0; k < sizeof strange / sizeof *strange; k++) {
      double was = *numbers[i];
      *numbers[i] = strange[k];
      cli_text now = {0};
      story_print_svg(&now, &t.s);
      cli_text_add(&now, "", 1);
      assert_false(now.failed);
      const char *body = strstr(now.data, "<rect");
      assert_non_null(body);
      assert_null(strstr(body, "=\"nan"));
      assert_null(strstr(body, "=\"inf"));
      assert_null(strstr(body, "=\"-inf"));
      cli_text_free(&now);
      *numbers[i] = was;
    }
  forget(&t);
}
