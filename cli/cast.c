/* The questions about motion: when, on their way, do two shapes first meet, and where does a ray meet one? */
#include "asked.h"

enum { POINTS = 8192 }; /* of the workspace, for the depth at the start */

static void print_vec(cli_text *out, const char *key, graze_vec v, int dim) {
  cli_print_key(out, key);
  cli_print_vec(out, v, dim);
}

static void print_contact(cli_text *out, const cli_question *q, const graze_impact *impact) {
  cli_print_real(out, "t", impact->t);
  cli_print_real(out, "t_lower", impact->t_lower);
  cli_print_real(out, "t_upper", impact->t_upper);
  print_vec(out, "point", impact->point, q->dim);
  print_vec(out, "normal", impact->normal, q->dim);
}

/* Where clear: how near they come, and when. */
static void print_passing(cli_text *out, const graze_impact *impact) {
  if (impact->result != GRAZE_CLEAR) return;
  cli_print_key(out, "min_distance");
  cli_text_put(out, "[");
  cli_text_number(out, impact->min_lower);
  cli_text_put(out, ",");
  cli_text_number(out, impact->min_upper);
  cli_text_put(out, "]");
  cli_print_real(out, "t_min", impact->t_min);
}

static void print_impact(cli_text *out, const cli_question *q, const graze_impact *impact) {
  bool ray = q->query == CLI_RAYCAST;
  cli_print_begin(out, q);
  if (ray) cli_print_bool(out, "hit", impact->result != GRAZE_CLEAR);
  if (!ray || impact->result == GRAZE_POSSIBLE) cli_print_word(out, "result", graze_motion_result_text(impact->result));
  if (!ray) cli_print_word(out, "starts", graze_relation_text(impact->starts));
  print_contact(out, q, impact);
  if (!ray) {
    print_vec(out, "position_a", impact->position_a, q->dim);
    print_vec(out, "position_b", impact->position_b, q->dim);
  }
  print_passing(out, impact);
  if (cli_is_compound(&q->a)) cli_print_int(out, "part_a", impact->part_a);
  if (cli_is_compound(&q->b)) cli_print_int(out, "part_b", impact->part_b);
  cli_print_word(out, "path", graze_path_text(impact->path));
  cli_print_int(out, "iterations", impact->iterations);
  cli_print_bool(out, "exact", impact->exact);
  if (impact->stopped != GRAZE_STOP_NONE) cli_print_word(out, "stopped", graze_stop_text(impact->stopped));
  cli_print_rotations(out, q);
  if (q->certificate) cli_print_cast_certificate(out, q, impact);
}

static graze_status ask(const cli_question *q, graze_impact *impact) {
  const cli_motion *m = &q->motion;
  const graze_placed *a = &q->a.placed, *b = &q->b.placed;
  if (q->query == CLI_RAYCAST) return graze_raycast(a, b->pose.position, m->velocity_b, m->t_max, &q->options, impact);
  return graze_cast(a, m->velocity_a, b, m->velocity_b, m->t_max, &q->options, impact);
}

bool cli_answer_cast(cli_question *q, cli_room *room, cli_text *out, cli_complaint *complaint) {
  graze_impact impact;
  if (!cli_give_workspace(q, room, POINTS, complaint)) return false;
  graze_status status = ask(q, &impact);
  if (status != GRAZE_OK) return cli_refuse_status(q, status, complaint);
  print_impact(out, q, &impact);
  return true;
}
