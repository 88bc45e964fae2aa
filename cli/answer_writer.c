/* Answers as JSON (docs/guide/command-line.md): their first and last members, certificates, and error lines. */
#include "answers.h"

#include <string.h>

void cli_print_id(cli_text *out, cli_span id) {
  cli_text_str(out, "{\"id\":");
  cli_text_bytes(out, id.data ? id.data : "null", id.data ? id.size : 4);
}

void cli_print_begin(cli_text *out, const cli_request *r) {
  cli_print_id(out, r->id);
  emit(out, ",\"query\":%q", cli_query_text(r->query));
}

void cli_print_path(cli_text *out, const char *path, int iterations) {
  emit(out, ",\"path\":%q,\"iterations\":%i", path, iterations);
}

/* If any part has an angle: the pairs of all parts, null for those without. */
static void print_part_rotations(cli_text *out, const char *key, const cli_body *body) {
  bool any = false;
  for (size_t i = 0; i < body->part_count; i++) any = any || body->parts[i].angle_given;
  if (any) emit(out, ",\"%s\":[", key);
  for (size_t i = 0; any && i < body->part_count; i++)
    emit(out, body->parts[i].angle_given ? "%s%R" : "%snull", comma(i), &body->parts[i].placed.pose, 2);
  if (any) cli_text_str(out, "]");
}

void cli_print_rotations(cli_text *out, const cli_request *r) {
  if (r->a.angle_given) emit(out, ",\"rotation_a\":%R", &r->a.placed.pose, 2);
  if (r->b.angle_given) emit(out, ",\"rotation_b\":%R", &r->b.placed.pose, 2);
  print_part_rotations(out, "part_rotations_a", &r->a);
  print_part_rotations(out, "part_rotations_b", &r->b);
}

const char *cli_part_key(const cli_body *body, int side) {
  static const char *const keys[][2] = {{"part_a", "part_b"}, {"triangle_a", "triangle_b"}};
  return keys[body->mesh != NULL][side];
}

/* ---- Pairs and directions */

/* The members of a direction, without braces. */
static void print_direction(cli_text *out, const graze_certificate *c, int dim) {
  const graze_direction *d = &c->direction;
  if (d->form == GRAZE_DIRECTION_NONE) return;
  if (d->form == GRAZE_DIRECTION_VECTOR) {
    emit(out, "\"direction\":%V", d->vector, dim);
    return;
  }
  emit(out, "\"%s\":%A", cli_forms[d->form], d->pairs, d->count, c->points, dim);
  if (d->form == GRAZE_DIRECTION_EDGE) emit(out, ",\"axis\":%i", d->axis);
  if (d->form != GRAZE_DIRECTION_NEAREST) emit(out, ",\"sign\":%i", d->sign);
}

void cli_print_surface(cli_text *out, const graze_surface *surface, int dim) {
  emit(out, dim == 3 ? "{\"pairs\":%A,\"faces\":" : "{\"pairs\":%A", surface->pairs, (int)surface->pair_count,
       surface->points, dim);
  for (size_t i = 0; dim == 3 && i < surface->face_count; i++) {
    const int32_t *face = surface->faces[i];
    cli_text_format(out, "%s[%d,%d,%d]", i > 0 ? "," : "[", (int)face[0], (int)face[1], (int)face[2]);
  }
  cli_text_str(out, dim == 3 ? "]}" : "}");
}

/* ---- The parts of a certificate: relation, lower, upper */

/* Returns whether the pairs of the direction also prove that rounded shapes touch. */
static bool touch_proved_by_direction(const graze_certificate *c) {
  const graze_direction *d = &c->direction;
  if (d->form != GRAZE_DIRECTION_NEAREST || c->pair_count > d->count) return false;
  for (int i = 0; i < c->pair_count; i++)
    if (memcmp(&c->pairs[i], &d->pairs[i], sizeof c->pairs[i]) != 0) return false;
  return true;
}

/* On each side of an internal edge two parts touch. The direction is the facet of the first two pairs. */
static void print_internal_edge(cli_text *out, const graze_certificate *c, int dim) {
  for (int side = 0; side < 2; side++) {
    const graze_internal_edge_touch *touch = &c->internal_edge[side];
    emit(out, "%s{\"part_a\":%i,\"part_b\":%i,\"kind\":\"touch\",\"facet\":%A,\"sign\":%i,\"pairs\":%A}",
         side == 0 ? "\"seam\":[" : ",", (int)touch->part_a, (int)touch->part_b, touch->pairs, 2, c->points, dim,
         touch->sign, touch->pairs, touch->pair_count, c->points, dim);
  }
  cli_text_str(out, "]");
}

/* In 2D, boxes count as polygons. */
static const char *axes_word(int dim) { return dim == 2 ? "polygon" : "box"; }

static void print_relation(cli_text *out, const graze_certificate *c, int dim) {
  if (c->kind == GRAZE_CERTIFICATE_NONE) {
    cli_text_str(out, "null");
    return;
  }
  const bool touch = c->kind == GRAZE_CERTIFICATE_TOUCH;
  const bool pairs = c->kind == GRAZE_CERTIFICATE_INSIDE || c->kind == GRAZE_CERTIFICATE_NEAR ||
                     c->kind == GRAZE_CERTIFICATE_IN_A || c->kind == GRAZE_CERTIFICATE_IN_B ||
                     (touch && !touch_proved_by_direction(c));
  emit(out, "{\"kind\":\"%s\",", cli_kinds[c->kind]);
  if (touch || c->kind == GRAZE_CERTIFICATE_SEPARATED) print_direction(out, c, dim);
  if (pairs) emit(out, touch ? ",\"pairs\":%A" : "\"pairs\":%A", c->pairs, c->pair_count, c->points, dim);
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE)
    c->vertex >= 0 ? emit(out, "\"vertex\":%i", (int)c->vertex)
                   : emit(out, "\"vertex\":%V", c->points[-1 - c->vertex], dim);
  if (c->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE) print_internal_edge(out, c, dim);
  if (c->kind == GRAZE_CERTIFICATE_AXES) emit(out, "\"axes\":\"%s\"", axes_word(dim));
  cli_text_str(out, "}");
}

/* The direction of a lower bound, or the vertex that is nearest a half-space. */
static void print_lower(cli_text *out, const graze_certificate *c, int dim) {
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE) {
    print_relation(out, c, dim);
  } else if (c->direction.form == GRAZE_DIRECTION_NONE) {
    cli_text_str(out, "null");
  } else {
    cli_text_str(out, "{");
    print_direction(out, c, dim);
    cli_text_str(out, "}");
  }
}

/* The pairs, the axes, or the vertex that is nearest a half-space. */
static void print_contact(cli_text *out, const graze_certificate *c, int dim) {
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE)
    print_relation(out, c, dim);
  else if (c->kind == GRAZE_CERTIFICATE_IN_A || c->kind == GRAZE_CERTIFICATE_IN_B)
    cli_text_str(out, "null");
  else if (c->depth_proof == GRAZE_DEPTH_BY_AXES)
    emit(out, "{\"axes\":\"%s\"}", axes_word(dim));
  else
    emit(out, c->pair_count > 0 ? "{\"pairs\":%A}" : "null", c->pairs, c->pair_count, c->points, dim);
}

/* The radius around the core of a part, including the margin of the compound. */
static double part_radius(const cli_body *body, int32_t part) {
  double whole = cli_radius(&body->placed.shape);
  return part < (int32_t)body->part_count ? whole + cli_radius(&body->parts[part].placed.shape) : whole;
}

static void print_upper(cli_text *out, const cli_request *r, const graze_answer *answer, const graze_certificate *c) {
  /* Pairs prove a gap, or a depth of at most the radii; they do not prove how deep the cores overlap. */
  const double radii = part_radius(&r->a, answer->part_a) + part_radius(&r->b, answer->part_b) + r->options.clearance;
  const bool by_pairs =
      c->pair_count > 0 && c->depth_proof == GRAZE_DEPTH_BY_PAIRS && c->kind != GRAZE_CERTIFICATE_INSIDE;
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE || c->depth_proof == GRAZE_DEPTH_BY_AXES ||
      (by_pairs && (answer->relation != GRAZE_OVERLAPPING || -answer->upper <= radii))) {
    print_contact(out, c, r->dim);
  } else if (c->depth_proof == GRAZE_DEPTH_BY_SURFACE && c->surface) {
    cli_text_str(out, "{\"surface\":");
    cli_print_surface(out, c->surface, r->dim);
    cli_text_str(out, "}");
  } else {
    cli_text_str(out, "null"); /* the upper bound 0 follows from the relation */
  }
}

/* The pieces of a decomposed polygon in its own frame. Part numbers and vertex indices refer to them. */
static void print_pieces(cli_text *out, const char *key, const cli_body *body) {
  if (body->compound == NULL || body->part_count > 0) return;
  emit(out, ",\"%s\":", key);
  for (size_t i = 0, count = graze_part_count(&body->placed); i < count; i++) {
    graze_frame frame;
    graze_placed part = graze_part(&body->placed, i, &frame);
    emit(out, i > 0 ? ",%L" : "[%L", part.shape.as.polygon.vertices, part.shape.as.polygon.count, 2);
  }
  cli_text_str(out, "]");
}

/* A list of part numbers; nothing for a convex shape. */
static void print_order(cli_text *out, const char *key, const uint32_t *order, size_t count) {
  if (order == NULL) return;
  emit(out, "\"%s\":[", key);
  for (size_t i = 0; i < count; i++) emit(out, i > 0 ? ",%i" : "%i", (int)order[i]);
  cli_text_str(out, "],");
}

/* The nodes: "a" and "b" split a range, "pair" is the next element of `parts`, and a vector is a direction. */
static void print_frontier(cli_text *out, const cli_request *r, const graze_frontier *f) {
  cli_text_str(out, ",\"frontier\":{");
  print_order(out, "order_a", f->order_a, graze_part_count(&r->a.placed));
  print_order(out, "order_b", f->order_b, graze_part_count(&r->b.placed));
  cli_text_str(out, "\"nodes\":[");
  for (size_t i = 0; i < f->node_count; i++) {
    const graze_frontier_node *node = &f->nodes[i];
    if (i > 0) cli_text_str(out, ",");
    if (node->kind == GRAZE_FRONTIER_DIRECTION)
      emit(out, "%V", node->direction, r->dim);
    else
      emit(out, "%q", cli_frontier_kinds[node->kind]);
  }
  cli_text_str(out, "]}");
}

void cli_print_certificate(cli_text *out, const cli_request *r, const graze_answer *answer, const graze_certificate *c,
                           bool bounds) {
  cli_text_str(out, ",\"certificate\":{\"relation\":");
  print_relation(out, c, r->dim);
  cli_text_str(out, ",\"lower\":");
  if (bounds) print_lower(out, c, r->dim);
  cli_text_str(out, bounds ? ",\"upper\":" : "null,\"upper\":null");
  if (bounds) print_upper(out, r, answer, c);
  print_pieces(out, "pieces_a", &r->a);
  print_pieces(out, "pieces_b", &r->b);
  for (size_t i = 0; c->parts && i < c->part_count; i++) {
    const graze_part_proof *proof = &c->parts[i];
    emit(out, "%s{\"%s\":%i,\"%s\":%i,\"certificate\":{\"relation\":", i > 0 ? "," : ",\"parts\":[",
         cli_part_key(&r->a, 0), (int)proof->part_a, cli_part_key(&r->b, 1), (int)proof->part_b);
    print_relation(out, &proof->certificate, r->dim);
    cli_text_str(out, ",\"lower\":");
    print_lower(out, &proof->certificate, r->dim);
    cli_text_str(out, i + 1 < c->part_count ? "}}" : "}}]");
  }
  if (c->frontier != NULL) print_frontier(out, r, c->frontier);
  cli_text_str(out, "}");
}

/* ---- Casts */

void cli_print_cast_certificate(cli_text *out, const cli_request *r, const graze_cast_result *result,
                                const graze_certificate *c) {
  static const graze_certificate none = {.kind = GRAZE_CERTIFICATE_NONE};
  const bool hit = result->outcome == GRAZE_HIT, clear = result->outcome == GRAZE_CLEAR;
  const bool separated = result->start_relation == GRAZE_SEPARATED,
             sampled = result->algorithm == GRAZE_ALGORITHM_SAMPLING;
  const bool swept = result->algorithm == GRAZE_ALGORITHM_SWEEP || result->algorithm == GRAZE_ALGORITHM_CA;
  cli_text_str(out, ",\"certificate\":{\"relation\":");
  if (sampled || (swept && (separated || result->t_upper > 0))) {
    /* A sweep. Its steps prove the time before the contact. The certificate has one set of pairs, for the start or for
     * the contact; in the second case the relation is null. */
    bool touching = result->start_relation == GRAZE_TOUCHING || result->start_relation == GRAZE_UNDECIDED;
    bool contact = (touching && !clear) || (hit && c->kind == GRAZE_CERTIFICATE_HALFSPACE);
    print_relation(out, contact && result->t_upper > 0 ? &none : c, r->dim);
    if (!clear) {
      cli_text_str(out, ",\"t_upper\":");
      print_contact(out, hit && !sampled ? c : &none, r->dim);
    }
  } else {
    /* A cast. Its direction separates from 0 to t_lower. If the shapes touch or overlap at 0, the relation proves the
     * hit at 0, or its direction proves that the motion is clear. */
    const graze_certificate *before = separated ? c : &none;
    print_relation(out, c, r->dim);
    cli_text_str(out, ",\"t_lower\":");
    print_lower(out, clear ? c : before, r->dim);
    if (clear) {
      cli_text_str(out, ",\"lower\":");
      print_lower(out, before, r->dim);
    }
    cli_text_str(out, clear ? ",\"upper\":" : ",\"t_upper\":");
    print_contact(out, before, r->dim);
  }
  print_pieces(out, "pieces_a", &r->a);
  print_pieces(out, "pieces_b", &r->b);
  /* The steps of a sweep: time intervals, each with a separating direction. The list is empty if the bodies are
   * separated at t = 0 and t_lower = 0. */
  const bool steps = c->steps && separated;
  if (steps) cli_text_str(out, ",\"steps\":[");
  for (size_t i = 0; steps && i < c->step_count; i++)
    emit(out, "%s{\"t0\":%j,\"t1\":%j,\"direction\":%V}", comma(i), c->steps[i].from, c->steps[i].to,
         c->steps[i].direction, r->dim);
  cli_text_str(out, steps ? "]}" : "}");
}

void cli_print_error(cli_text *out, cli_span id, size_t line, const cli_error *error) {
  cli_print_id(out, id);
  emit(out, ",\"line\":%z,\"error\":{\"code\":%q,\"message\":%q}}\n", line, cli_error_code_text(error->code),
       error->message);
}
