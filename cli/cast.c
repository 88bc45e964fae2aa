/* The questions about motion: when, on their way, do two shapes first meet, and where does a ray meet one? */
#include "asked.h"

#include <math.h>
#include <stdlib.h>

enum {
  POINTS = 8192, /* of the workspace, for the depth at the start */
  FIRST_STEPS = 256
};

static void print_vec(cli_text *out, const char *key, graze_vec v, int dim) {
  cli_print_key(out, key);
  cli_print_vec(out, v, dim);
}

static void print_contact(cli_text *out, const cli_request *q, const graze_cast_result *impact) {
  cli_print_real(out, "t", impact->t);
  cli_print_real(out, "t_lower", impact->t_lower);
  cli_print_real(out, "t_upper", impact->t_upper);
  print_vec(out, "point", impact->point, q->dim);
  print_vec(out, "normal", impact->normal, q->dim);
}

static void print_orientation(cli_text *out, const char *key, const cli_body *body, const graze_motion *motion,
                              double t) {
  graze_pose pose = graze_pose_after(&body->placed.pose, motion, t);
  cli_print_key(out, key);
  if (body->placed.shape.dim == 2)
    cli_print_vec(out, (graze_vec){pose.w, pose.z, 0}, 2);
  else
    cli_print_quaternion(out, &pose);
}

/* Where they are at t, or where clear at the end. */
static void print_poses(cli_text *out, const cli_request *q, const graze_cast_result *impact) {
  const cli_motion *m = &q->motion;
  double t = isnan(impact->t) ? m->t_max : impact->t;
  print_vec(out, "position_a", impact->position_a, q->dim);
  print_vec(out, "position_b", impact->position_b, q->dim);
  if (q->query != CLI_TOI) return;
  print_orientation(out, "orientation_a", &q->a, &m->a, t);
  print_orientation(out, "orientation_b", &q->b, &m->b, t);
}

/* Where clear: how near they come, and when, if that is known. */
static void print_passing(cli_text *out, const graze_cast_result *impact) {
  if (impact->result != GRAZE_CLEAR || isnan(impact->min_lower)) return;
  cli_print_key(out, "min_distance");
  cli_text_str(out, "[");
  cli_text_number(out, impact->min_lower);
  cli_text_str(out, ",");
  cli_text_number(out, impact->min_upper);
  cli_text_str(out, "]");
  cli_print_real(out, "t_min", impact->t_min);
}

void cli_print_cast_result(cli_text *out, const cli_request *q, const graze_cast_result *impact) {
  bool ray = q->query == CLI_RAYCAST;
  cli_print_begin(out, q);
  if (ray) cli_print_bool(out, "hit", impact->result != GRAZE_CLEAR);
  if (!ray || impact->result == GRAZE_POSSIBLE) cli_print_word(out, "result", graze_cast_outcome_text(impact->result));
  if (!ray) cli_print_word(out, "starts", graze_relation_text(impact->starts));
  print_contact(out, q, impact);
  if (!ray) print_poses(out, q, impact);
  print_passing(out, impact);
  if (cli_is_compound(&q->a)) cli_print_int(out, "part_a", impact->part_a);
  if (cli_is_compound(&q->b)) cli_print_int(out, "part_b", impact->part_b);
  cli_print_word(out, "path", graze_algorithm_text(impact->algorithm));
  cli_print_int(out, "iterations", impact->iterations);
  cli_print_bool(out, "exact", impact->exact);
  if (impact->stopped != GRAZE_STOP_NONE) cli_print_word(out, "stopped", graze_stop_text(impact->stopped));
  cli_print_rotations(out, q);
  if (q->certificate) cli_print_cast_certificate(out, q, impact);
}

static graze_status ask(const cli_request *q, graze_cast_result *impact) {
  const cli_motion *m = &q->motion;
  const graze_placed *a = &q->a.placed, *b = &q->b.placed;
  if (q->query == CLI_RAYCAST) return graze_raycast(a, b->pose.position, m->b.velocity, m->t_max, &q->options, impact);
  if (q->query == CLI_SHAPECAST) return graze_cast(a, m->a.velocity, b, m->b.velocity, m->t_max, &q->options, impact);
  return graze_sweep(a, &m->a, b, &m->b, m->t_max, &q->options, impact);
}

/* Do steps prove the answer, and are they wanted? */
static bool wants_steps(const cli_request *q) {
  graze_method method = q->options.method;
  bool sweeps = method == GRAZE_METHOD_SWEEP || (q->query == CLI_TOI && method == GRAZE_METHOD_AUTO);
  return sweeps && q->proof && q->certificate;
}

/* Asks again with more room for steps where it ended the search. */
static bool ask_with_steps(cli_request *q, graze_cast_result *impact, graze_status *status, cli_error *complaint) {
  graze_options *o = &q->options;
  for (size_t capacity = FIRST_STEPS;; capacity *= 8) {
    if (capacity > CLI_MOST_STEPS) capacity = CLI_MOST_STEPS;
    free(o->steps);
    o->steps = malloc(capacity * sizeof *o->steps);
    if (o->steps == NULL) return cli_reject_memory(complaint);
    o->step_capacity = capacity;
    *status = ask(q, impact);
    bool full = *status == GRAZE_OK && impact->stopped == GRAZE_STOP_BUDGET && impact->step_count == capacity;
    if (!full || capacity == CLI_MOST_STEPS) return true;
  }
}

bool cli_solve_cast(cli_request *q, cli_buffer *room, graze_cast_result *impact, cli_error *complaint) {
  graze_status status = GRAZE_OK;
  if (!cli_give_workspace(q, room, POINTS, complaint)) return false;
  if (!wants_steps(q))
    status = ask(q, impact);
  else if (!ask_with_steps(q, impact, &status, complaint))
    return false;
  return status == GRAZE_OK || cli_refuse_status(q, status, complaint);
}

void cli_cast_free_steps(cli_request *q) {
  free(q->options.steps);
  q->options.steps = NULL;
}

bool cli_answer_cast(cli_request *q, cli_buffer *room, cli_text *out, cli_error *complaint) {
  graze_cast_result impact;
  bool good = cli_solve_cast(q, room, &impact, complaint);
  if (good) cli_print_cast_result(out, q, &impact);
  cli_cast_free_steps(q);
  return good;
}
