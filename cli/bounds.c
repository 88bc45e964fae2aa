/* Questions that only look at boxes: the bounds of a shape, and the filters. */
#include "asked.h"
#include "obb.h"

#include <math.h>

/* The bounds of a body; a half-space has none. */
static bool bounds_of(const cli_body *body, const char *owner, graze_aabb *bounds, cli_error *complaint) {
  graze_status status = graze_bounds(&body->placed, bounds);
  if (status == GRAZE_OK) return true;
  if (status == GRAZE_UNSUPPORTED)
    return cli_reject(complaint, CLI_UNSUPPORTED, "%s is a half-space, which has no bounds; any other shape has",
                      owner);
  return cli_reject(complaint, CLI_BAD_NUMBER, "the bounds of %s: %s", owner, graze_status_text(status));
}

bool cli_answer_aabb(const cli_request *q, cli_text *out, cli_error *complaint) {
  graze_aabb bounds;
  if (!bounds_of(&q->a, "a", &bounds, complaint)) return false;
  cli_print_begin(out, q);
  cli_print_key(out, "min");
  cli_print_vec(out, bounds.min, q->dim);
  cli_print_key(out, "max");
  cli_print_vec(out, bounds.max, q->dim);
  cli_print_word(out, "path", "aabb");
  cli_print_int(out, "iterations", 0);
  cli_print_rotations(out, q);
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

static bool part_bounds(const cli_request *q, graze_vec *axis, bool *parted, cli_error *complaint) {
  graze_aabb a, b;
  if (!bounds_of(&q->a, "a", &a, complaint) || !bounds_of(&q->b, "b", &b, complaint)) return false;
  *parted = parting_axis(&a, &b, q->options.clearance, q->dim, axis);
  return true;
}

/* By the separating axes of the boxes. Those are rounded, so the verifier is asked whether the best one does part the
 * shapes. */
static graze_status part_by_axis(const cli_request *q, const cli_obb *a, const cli_obb *b, graze_vec *axis,
                                 bool *parted) {
  graze_axis best;
  graze_answer answer = {.relation = GRAZE_SEPARATED, .distance = NAN, .lower = NAN, .upper = NAN};
  graze_status status = graze_sat(&a->box, &b->box, &q->options, NULL, NULL, &best);
  if (status != GRAZE_OK) return status;
  answer.certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
  answer.certificate.direction = (graze_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = best.direction};
  *axis = best.direction;
  *parted = best.separation > 0 && graze_verify(&q->a.placed, &q->b.placed, &q->options, &answer) == GRAZE_OK;
  return GRAZE_OK;
}

static bool part_boxes(const cli_request *q, graze_vec *axis, bool *parted, cli_error *complaint) {
  cli_obb a, b;
  if (!cli_obb_make(&q->a, "a", &a, complaint)) return false;
  bool good = cli_obb_make(&q->b, "b", &b, complaint);
  if (good) {
    graze_status status = part_by_axis(q, &a, &b, axis, parted);
    good = status == GRAZE_OK || cli_refuse_status(q, status, complaint);
    cli_obb_free(&b);
  }
  cli_obb_free(&a);
  return good;
}

bool cli_answer_filter(const cli_request *q, cli_text *out, cli_error *complaint) {
  graze_vec axis;
  bool obb = q->filter == CLI_FILTER_OBB, parted;
  if (!(obb ? part_boxes : part_bounds)(q, &axis, &parted, complaint)) return false;
  graze_answer answer = {.relation = parted ? GRAZE_SEPARATED : GRAZE_UNDECIDED};
  if (parted) {
    answer.certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
    answer.certificate.direction = (graze_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = axis};
  }
  cli_print_begin(out, q);
  cli_print_word(out, "relation", graze_relation_text(answer.relation));
  cli_print_word(out, "path", obb ? "obb" : "aabb");
  cli_print_int(out, "iterations", 0);
  cli_print_rotations(out, q);
  if (q->certificate) cli_print_certificate(out, q, &answer, false);
  return true;
}
