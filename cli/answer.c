#include "answer.h"

#include "print.h"
#include "trace.h"

#include <math.h>

static void begin(cli_text *out, const cli_question *q) {
  cli_text_put(out, "{\"id\":");
  if (q->id.data)
    cli_text_add(out, q->id.data, q->id.size);
  else
    cli_text_put(out, "null");
  cli_print_word(out, "query", cli_query_text(q->query));
}

static void print_angle_pair(cli_text *out, const char *key, const cli_body *body) {
  if (!body->angle_given) return;
  cli_print_key(out, key);
  cli_print_vec(out, (graze_vec){body->placed.pose.w, body->placed.pose.z, 0}, 2);
}

static void print_rotations(cli_text *out, const cli_question *q) {
  print_angle_pair(out, "rotation_a", &q->a);
  print_angle_pair(out, "rotation_b", &q->b);
}

static bool refuse_status(const cli_question *q, graze_status status, cli_complaint *complaint) {
  graze_shape_kind a = q->a.placed.shape.kind, b = q->b.placed.shape.kind;
  if (status == GRAZE_UNSUPPORTED && q->options.method == GRAZE_METHOD_EXACT && a != GRAZE_HALFSPACE &&
      b != GRAZE_HALFSPACE)
    return cli_refuse(complaint, CLI_UNSUPPORTED, "method = \"exact\" is not for curved shapes; auto and gjk are");
  if (status == GRAZE_UNSUPPORTED && a == GRAZE_HALFSPACE && b == GRAZE_HALFSPACE)
    return cli_refuse(complaint, CLI_UNSUPPORTED,
                      "%s of two half-spaces; a half-space can be asked about with any other shape",
                      cli_query_text(q->query));
  return cli_refuse(complaint, status == GRAZE_UNSUPPORTED ? CLI_UNSUPPORTED : CLI_BAD_NUMBER, "%s",
                    graze_status_text(status));
}

/* The bounds of a body; a half-space has none. */
static bool bounds_of(const cli_body *body, const char *owner, graze_aabb *bounds, cli_complaint *complaint) {
  graze_status status = graze_bounds(&body->placed, bounds);
  if (status == GRAZE_OK) return true;
  if (status == GRAZE_UNSUPPORTED)
    return cli_refuse(complaint, CLI_UNSUPPORTED, "%s is a half-space, which has no bounds; any other shape has",
                      owner);
  return cli_refuse(complaint, CLI_BAD_NUMBER, "the bounds of %s: %s", owner, graze_status_text(status));
}

static bool answer_aabb(const cli_question *q, cli_text *out, cli_complaint *complaint) {
  graze_aabb bounds;
  if (!bounds_of(&q->a, "a", &bounds, complaint)) return false;
  begin(out, q);
  cli_print_key(out, "min");
  cli_print_vec(out, bounds.min, q->dim);
  cli_print_key(out, "max");
  cli_print_vec(out, bounds.max, q->dim);
  cli_print_word(out, "path", "aabb");
  cli_print_int(out, "iterations", 0);
  print_rotations(out, q);
  return true;
}

/* The axis along which the bounds are farther apart than the clearance, as a direction from A to B; false: none. The
 * rounded difference exceeds the clearance only if the true one does. */
static bool parting_axis(const graze_aabb *a, const graze_aabb *b, double clearance, int dim, graze_vec *axis) {
  const double a_min[] = {a->min.x, a->min.y, a->min.z}, a_max[] = {a->max.x, a->max.y, a->max.z};
  const double b_min[] = {b->min.x, b->min.y, b->min.z}, b_max[] = {b->max.x, b->max.y, b->max.z};
  for (int k = 0; k < dim; k++) {
    double sign = b_min[k] - a_max[k] > clearance ? 1 : a_min[k] - b_max[k] > clearance ? -1 : 0;
    if (sign == 0) continue;
    *axis = (graze_vec){k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0};
    return true;
  }
  return false;
}

static bool answer_filter(const cli_question *q, cli_text *out, cli_complaint *complaint) {
  graze_aabb a, b;
  if (!bounds_of(&q->a, "a", &a, complaint) || !bounds_of(&q->b, "b", &b, complaint)) return false;
  graze_answer answer = {.relation = GRAZE_UNDECIDED};
  graze_certificate *certificate = &answer.certificate;
  if (parting_axis(&a, &b, q->options.clearance, q->dim, &certificate->direction.vector)) {
    answer.relation = GRAZE_SEPARATED;
    certificate->kind = GRAZE_CERTIFICATE_SEPARATED;
    certificate->direction.form = GRAZE_DIRECTION_VECTOR;
  }
  begin(out, q);
  cli_print_word(out, "relation", graze_relation_text(answer.relation));
  cli_print_word(out, "path", "aabb");
  cli_print_int(out, "iterations", 0);
  print_rotations(out, q);
  if (q->certificate) cli_print_certificate(out, &answer, q->dim, false);
  return true;
}

static void print_interval(cli_text *out, const graze_answer *answer) {
  cli_print_real(out, "lower", answer->lower);
  cli_print_real(out, "upper", answer->stopped == GRAZE_STOP_CUTOFF ? NAN : answer->upper);
}

static void print_distance(cli_text *out, const cli_question *q, const graze_answer *answer) {
  cli_print_real(out, "distance", answer->stopped == GRAZE_STOP_CUTOFF ? NAN : answer->distance);
  print_interval(out, answer);
  cli_print_key(out, "point_a");
  cli_print_vec(out, answer->point_a, q->dim);
  cli_print_key(out, "point_b");
  cli_print_vec(out, answer->point_b, q->dim);
  cli_print_key(out, "normal");
  cli_print_vec(out, answer->normal, q->dim);
}

static void print_pair_answer(cli_text *out, const cli_question *q, const graze_answer *answer) {
  begin(out, q);
  cli_print_word(out, "relation", graze_relation_text(answer->relation));
  bool bounds = q->query == CLI_DISTANCE || answer->relation == GRAZE_UNDECIDED; /* undecided: the interval is told */
  if (q->query == CLI_DISTANCE)
    print_distance(out, q, answer);
  else if (bounds)
    print_interval(out, answer);
  cli_print_word(out, "path", graze_path_text(answer->path));
  cli_print_int(out, "iterations", answer->iterations);
  cli_print_key(out, "exact");
  cli_text_put(out, answer->exact ? "true" : "false");
  if (answer->stopped != GRAZE_STOP_NONE) cli_print_word(out, "stopped", graze_stop_text(answer->stopped));
  print_rotations(out, q);
  if (q->certificate) cli_print_certificate(out, answer, q->dim, bounds);
}

static bool answer_pair(cli_question *q, cli_text *out, cli_complaint *complaint) {
  graze_answer answer;
  cli_trace trace = {.dim = q->dim};
  if (q->trace) {
    q->options.trace = cli_trace_step;
    q->options.trace_context = &trace;
  }
  graze_status status = q->query == CLI_INTERSECT ? graze_intersect(&q->a.placed, &q->b.placed, &q->options, &answer)
                                                  : graze_distance(&q->a.placed, &q->b.placed, &q->options, &answer);
  bool good = status == GRAZE_OK || refuse_status(q, status, complaint);
  if (good) {
    print_pair_answer(out, q, &answer);
    if (q->trace) cli_print_trace(out, &trace);
  }
  cli_text_free(&trace.steps);
  return good;
}

static bool answer_question(cli_question *q, cli_text *out, cli_complaint *complaint) {
  size_t before = out->size;
  bool good = q->query == CLI_AABB ? answer_aabb(q, out, complaint)
              : q->filter          ? answer_filter(q, out, complaint)
                                   : answer_pair(q, out, complaint);
  if (good)
    cli_text_put(out, "}\n");
  else if (!out->failed)
    out->size = before;
  return good;
}

bool cli_answer(const cli_line *line, cli_text *out) {
  cli_question question;
  cli_complaint complaint;
  graze_options defaults = graze_default_options();
  bool good = cli_question_read(line, &defaults, &question, &complaint);
  if (good) {
    good = answer_question(&question, out, &complaint);
    cli_question_free(&question);
  }
  if (!good) cli_print_error(out, question.id, line->number, &complaint);
  return good;
}
