/* The motion of a story as JSON. */
#include "explain/motion.h"
#include "explain/words_motion.h"

#include <math.h>

static void put_vec(cli_text *out, const char *key, graze_vec v, int dim) {
  cli_print_key(out, key);
  cli_print_vec(out, v, dim);
}

static void put_said(cli_text *out, const char *key, cli_text *said) {
  cli_print_key(out, key);
  cli_text_quote(out, said);
}

static const char *state_text(motion_state state) {
  return state == MOTION_FREE ? "free" : state == MOTION_UNDECIDED ? "undecided" : "met";
}

static void put_spans(cli_text *out, const story_motion *m) {
  cli_print_key(out, "spans");
  cli_text_str(out, "[");
  for (int i = 0; i < m->span_count; i++) {
    cli_text_str(out, i > 0 ? ",{\"from\":" : "{\"from\":");
    cli_text_number(out, m->spans[i].from);
    cli_print_real(out, "to", m->spans[i].to);
    cli_print_word(out, "state", state_text(m->spans[i].state));
    cli_text_str(out, "}");
  }
  cli_text_str(out, "]");
}

static void put_steps(cli_text *out, const story *s) {
  const graze_cast_result *impact = &s->motion->impact;
  cli_print_key(out, "steps");
  cli_text_str(out, "[");
  for (size_t i = 0; i < impact->step_count; i++) {
    cli_text_str(out, i > 0 ? ",{\"from\":" : "{\"from\":");
    cli_text_number(out, impact->steps[i].from);
    cli_print_real(out, "to", impact->steps[i].to);
    put_vec(out, "direction", impact->steps[i].direction.vector, s->dim);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "]");
}

static void put_pose(cli_text *out, const char *key, const graze_pose *pose, int dim) {
  cli_print_key(out, key);
  cli_text_str(out, "{\"position\":");
  cli_print_vec(out, pose->position, dim);
  cli_print_key(out, "rotation");
  cli_print_rotation(out, pose, 3);
  cli_text_str(out, "}");
}

static void put_moments(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  cli_print_key(out, "moments");
  cli_text_str(out, "[");
  for (int k = 0; k < m->moment_count; k++) {
    const motion_moment *moment = &m->moments[k];
    cli_text said = {0};
    cli_text_str(out, k > 0 ? ",{\"t\":" : "{\"t\":");
    cli_text_number(out, moment->t);
    cli_print_bool(out, "sampled", moment->sampled);
    if (moment->sampled) cli_print_word(out, "look", words_look(moment->relation));
    put_pose(out, "a", &moment->a, s->dim);
    put_pose(out, "b", &moment->b, s->dim);
    put_vec(out, "at", moment->at, s->dim);
    if (s->motion->turns) {
      cli_print_key(out, "core");
      story_print_mesh(out, &moment->core, s->dim);
      cli_print_key(out, "cso");
      story_print_mesh(out, &moment->cso, s->dim);
    }
    words_moment(&said, s, k);
    put_said(out, "words", &said);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "]");
  cli_print_int(out, "key", m->key);
}

static void put_evidence(cli_text *out, const story *s) {
  const motion_evidence *e = &s->motion->evidence;
  cli_print_key(out, "evidence");
  cli_text_str(out, "{\"shown\":");
  cli_text_str(out, e->direction.x != 0 || e->direction.y != 0 || e->direction.z != 0 ? "true" : "false");
  put_vec(out, "direction", e->direction, s->dim);
  cli_print_real(out, "reach_a", e->reach_a);
  cli_print_real(out, "begin_b", e->begin_b);
  cli_print_real(out, "closing", e->closing);
  cli_print_real(out, "free_until", e->free_until);
  cli_print_real(out, "gap", e->gap);
  cli_print_real(out, "near_upper", e->near_upper);
  cli_print_key(out, "points");
  cli_text_str(out, "[");
  for (int i = 0; i < e->count; i++) {
    if (i > 0) cli_text_str(out, ",");
    cli_text_int(out, e->points[i]);
  }
  cli_text_str(out, "]}");
}

static void put_numbers(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  cli_text_str(out, "{\"ray\":");
  cli_text_str(out, m->ray ? "true" : "false");
  cli_print_bool(out, "turns", m->turns);
  cli_print_bool(out, "sweep", m->sweep);
  put_vec(out, "velocity_a", m->a.velocity, s->dim);
  put_vec(out, "velocity_b", m->b.velocity, s->dim);
  put_vec(out, "u", m->u, s->dim);
  cli_print_real(out, "t_max", m->t_max);
  cli_print_real(out, "t_end", m->t_end);
  cli_print_real(out, "t_key", m->t_key);
  cli_print_real(out, "t_drawn", m->t_drawn);
}

void motion_print_json(cli_text *out, const story *s) {
  cli_text path = {0}, samples = {0};
  cli_print_key(out, "motion");
  put_numbers(out, s);
  put_spans(out, s->motion);
  put_steps(out, s);
  put_moments(out, s);
  put_evidence(out, s);
  words_path(&path, s);
  put_said(out, "path", &path);
  words_samples(&samples, s);
  put_said(out, "samples", &samples);
  cli_text_str(out, "}");
}
