#include "answer.h"

#include "asked.h"

void cli_print_begin(cli_text *out, const cli_request *q) {
  cli_text_str(out, "{\"id\":");
  if (q->id.data)
    cli_text_bytes(out, q->id.data, q->id.size);
  else
    cli_text_str(out, "null");
  cli_print_word(out, "query", cli_query_text(q->query));
}

static void print_angle_pair(cli_text *out, const char *key, const cli_body *body) {
  if (!body->angle_given) return;
  cli_print_key(out, key);
  cli_print_vec(out, (graze_vec){body->placed.pose.w, body->placed.pose.z, 0}, 2);
}

/* Where any part came with an angle: the pairs of all, null for those without. */
static void print_part_angles(cli_text *out, const char *key, const cli_body *body) {
  bool any = false;
  for (size_t i = 0; i < body->part_count; i++) any = any || body->parts[i].angle_given;
  if (!any) return;
  cli_print_key(out, key);
  for (size_t i = 0; i < body->part_count; i++) {
    const cli_body *part = &body->parts[i];
    cli_text_str(out, i > 0 ? "," : "[");
    if (part->angle_given)
      cli_print_vec(out, (graze_vec){part->placed.pose.w, part->placed.pose.z, 0}, 2);
    else
      cli_text_str(out, "null");
  }
  cli_text_str(out, "]");
}

void cli_print_rotations(cli_text *out, const cli_request *q) {
  print_angle_pair(out, "rotation_a", &q->a);
  print_angle_pair(out, "rotation_b", &q->b);
  print_part_angles(out, "part_rotations_a", &q->a);
  print_part_angles(out, "part_rotations_b", &q->b);
}

bool cli_give_workspace(cli_request *q, cli_buffer *room, size_t points, cli_error *complaint) {
  size_t size = graze_workspace_size(points);
  if (!cli_room_reserve(room, size)) return cli_reject_memory(complaint);
  q->options.workspace = room->data;
  q->options.workspace_size = size;
  return true;
}

size_t cli_corner_count(const graze_shape *shape) {
  switch (shape->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE: return 1;
  case GRAZE_SEGMENT:
  case GRAZE_CAPSULE: return 2;
  case GRAZE_TRIANGLE: return 3;
  case GRAZE_BOX: return (size_t)1 << shape->dim;
  case GRAZE_POLYGON:
  case GRAZE_HULL: return shape->vertex_count;
  default: return 0;
  }
}

static bool is_halfspace(const cli_body *body) { return body->placed.shape.kind == GRAZE_HALFSPACE; }

static bool is_curved(const cli_body *body) {
  return !is_halfspace(body) && cli_corner_count(&body->placed.shape) == 0;
}

/* Why the method is not for these shapes, and which are. */
static bool refuse_method(const cli_request *q, cli_error *complaint) {
  bool plane = is_halfspace(&q->a) || is_halfspace(&q->b), curved = is_curved(&q->a) || is_curved(&q->b);
  graze_method method = q->options.method;
  const char *why = "needs a face, or two edges, to give it an axis",
             *others = "auto, gjk, exact, epa and brute do not";
  if (curved && method != GRAZE_METHOD_EPA) {
    why = "is not for curved shapes";
    others = plane ? "auto and gjk are" : "auto, gjk and epa are";
  } else if (plane) {
    why = "is not for half-spaces";
    others = curved ? "auto and gjk are" : "auto, gjk and exact are";
  }
  return cli_reject(complaint, CLI_UNSUPPORTED, "method = \"%s\" %s; %s", cli_method_text(method), why, others);
}

/* The same of what moves. */
static bool refuse_motion(const cli_request *q, cli_error *complaint) {
  bool lccd = q->options.method == GRAZE_METHOD_LCCD;
  const char *why = NULL, *others = "auto, fccd, sweep, ca and discrete are";
  if (cli_turns(&q->motion) && (lccd || q->options.method == GRAZE_METHOD_FCCD)) {
    why = "bodies that turn";
    others = "auto, sweep, ca and discrete are";
  } else if (lccd && (cli_is_compound(&q->a) || cli_is_compound(&q->b))) {
    why = "compounds";
  } else if (lccd && (is_curved(&q->a) || is_curved(&q->b))) {
    why = "curved shapes";
  } else if (lccd && (is_halfspace(&q->a) || is_halfspace(&q->b))) {
    why = "half-spaces";
  } else if (lccd) {
    why = "rounded shapes, nor with a clearance";
  }
  if (why == NULL) return cli_reject(complaint, CLI_UNSUPPORTED, "%s", graze_status_text(GRAZE_UNSUPPORTED));
  return cli_reject(complaint, CLI_UNSUPPORTED, "method = \"%s\" is not for %s; %s", cli_method_text(q->options.method),
                    why, others);
}

bool cli_refuse_status(const cli_request *q, graze_status status, cli_error *complaint) {
  if (status == GRAZE_UNSUPPORTED && is_halfspace(&q->a) && is_halfspace(&q->b))
    return cli_reject(complaint, CLI_UNSUPPORTED,
                      "%s of two half-spaces; a half-space can be asked about with any other shape",
                      cli_query_text(q->query));
  if (status == GRAZE_UNSUPPORTED && cli_query_has_motion(q->query)) return refuse_motion(q, complaint);
  if (status == GRAZE_UNSUPPORTED && q->options.method != GRAZE_METHOD_AUTO) return refuse_method(q, complaint);
  if (status == GRAZE_NO_SPACE && q->query == CLI_MINKOWSKI)
    return cli_reject(complaint, CLI_UNSUPPORTED,
                      "minkowski: the magnitudes of the numbers differ too much; intersect and distance answer");
  if (status == GRAZE_NO_SPACE)
    return cli_reject(complaint, CLI_UNSUPPORTED,
                      "%s by method \"%s\": the shapes have too many vertices; auto answers", cli_query_text(q->query),
                      cli_method_text(q->options.method));
  return cli_reject(complaint, status == GRAZE_UNSUPPORTED ? CLI_UNSUPPORTED : CLI_BAD_NUMBER, "%s",
                    graze_status_text(status));
}

static bool ask(cli_request *q, cli_buffer *room, cli_text *out, cli_error *complaint) {
  switch (q->query) {
  case CLI_AABB: return cli_answer_aabb(q, out, complaint);
  case CLI_HULL: return cli_answer_hull(q, out, complaint);
  case CLI_FIT_BOX: return cli_answer_fit_box(q, out, complaint);
  case CLI_CONVEXITY: return cli_answer_convexity(q, out, complaint);
  case CLI_DECOMPOSE: return cli_answer_decompose(q, out, complaint);
  case CLI_MINKOWSKI: return cli_answer_minkowski(q, room, out, complaint);
  case CLI_SHAPECAST:
  case CLI_TOI:
  case CLI_RAYCAST: return cli_answer_cast(q, room, out, complaint);
  default: return q->filter ? cli_answer_filter(q, out, complaint) : cli_answer_pair(q, room, out, complaint);
  }
}

static bool answer_question(cli_request *q, cli_buffer *room, cli_text *out, cli_error *complaint) {
  size_t before = out->size;
  bool good = cli_decompose_bodies(q, complaint) && ask(q, room, out, complaint);
  if (good)
    cli_text_str(out, "}\n");
  else if (!out->failed)
    out->size = before;
  return good;
}

bool cli_answer(const cli_line *line, cli_buffer *room, cli_text *out) {
  cli_request question;
  cli_error complaint;
  graze_options defaults = graze_default_options();
  bool good = cli_request_read(line, &defaults, &question, &complaint);
  if (good) {
    good = answer_question(&question, room, out, &complaint);
    cli_request_free(&question);
  }
  if (!good) cli_print_error(out, question.id, line->number, &complaint);
  return good;
}
