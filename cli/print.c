#include "print.h"

#include <math.h>
#include <stdio.h>

void cli_print_key(cli_text *out, const char *key) {
  cli_text_str(out, ",\"");
  cli_text_str(out, key);
  cli_text_str(out, "\":");
}

void cli_print_word(cli_text *out, const char *key, const char *word) {
  cli_print_key(out, key);
  cli_text_quoted(out, word);
}

void cli_print_real(cli_text *out, const char *key, double value) {
  cli_print_key(out, key);
  cli_text_number(out, value);
}

void cli_print_int(cli_text *out, const char *key, long long value) {
  cli_print_key(out, key);
  cli_text_int(out, value);
}

void cli_print_bool(cli_text *out, const char *key, bool value) {
  cli_print_key(out, key);
  cli_text_str(out, value ? "true" : "false");
}

void cli_print_vec(cli_text *out, graze_vec v, int dim) {
  if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z)) {
    cli_text_str(out, "null");
    return;
  }
  cli_text_str(out, "[");
  cli_text_number(out, v.x);
  cli_text_str(out, ",");
  cli_text_number(out, v.y);
  if (dim == 3) {
    cli_text_str(out, ",");
    cli_text_number(out, v.z);
  }
  cli_text_str(out, "]");
}

void cli_print_points(cli_text *out, const graze_vec *points, size_t count, int dim) {
  cli_text_str(out, "[");
  for (size_t i = 0; i < count; i++) {
    if (i > 0) cli_text_str(out, ",");
    cli_print_vec(out, points[i], dim);
  }
  cli_text_str(out, "]");
}

void cli_print_quaternion(cli_text *out, const graze_pose *pose) {
  const double q[4] = {pose->w, pose->x, pose->y, pose->z};
  for (int i = 0; i < 4; i++) {
    cli_text_str(out, i > 0 ? "," : "[");
    cli_text_number(out, q[i]);
  }
  cli_text_str(out, "]");
}

static void print_parent(cli_text *out, int32_t vertex, graze_vec point, int dim) {
  if (vertex >= 0)
    cli_text_int(out, vertex);
  else
    cli_print_vec(out, point, dim);
}

void cli_print_pair(cli_text *out, const graze_pair *pair, int dim) {
  cli_text_str(out, "[");
  print_parent(out, pair->a, pair->point_a, dim);
  cli_text_str(out, ",");
  print_parent(out, pair->b, pair->point_b, dim);
  cli_text_str(out, pair->end ? ",1]" : "]");
}

void cli_print_pairs(cli_text *out, const graze_pair *pairs, int count, int dim) {
  cli_text_str(out, "[");
  for (int i = 0; i < count; i++) {
    if (i > 0) cli_text_str(out, ",");
    cli_print_pair(out, &pairs[i], dim);
  }
  cli_text_str(out, "]");
}

static void print_key_pairs(cli_text *out, const char *key, const graze_pair *pairs, int count, int dim) {
  cli_text_str(out, "\"");
  cli_text_str(out, key);
  cli_text_str(out, "\":");
  cli_print_pairs(out, pairs, count, dim);
}

/* The form of a direction, without braces. */
static void print_direction(cli_text *out, const graze_direction *d, int dim) {
  switch (d->form) {
  case GRAZE_DIRECTION_VECTOR:
    cli_text_str(out, "\"direction\":");
    cli_print_vec(out, d->vector, dim);
    return;
  case GRAZE_DIRECTION_NEAREST: print_key_pairs(out, "nearest", d->pairs, d->count, dim); return;
  case GRAZE_DIRECTION_FACET: print_key_pairs(out, "facet", d->pairs, d->count, dim); break;
  case GRAZE_DIRECTION_EDGE:
    print_key_pairs(out, "edge", d->pairs, d->count, dim);
    cli_print_int(out, "axis", d->axis);
    break;
  case GRAZE_DIRECTION_NONE: return;
  }
  cli_print_int(out, "sign", d->sign);
}

static bool same_point(graze_vec p, graze_vec q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

bool cli_same_pair(const graze_pair *p, const graze_pair *q) {
  return p->a == q->a && p->b == q->b && p->end == q->end && (p->a >= 0 || same_point(p->point_a, q->point_a)) &&
         (p->b >= 0 || same_point(p->point_b, q->point_b));
}

/* A touch of rounded shapes: the pairs of the direction show the common point too. */
static bool shown_by_direction(const graze_certificate *c) {
  const graze_direction *d = &c->direction;
  if (d->form != GRAZE_DIRECTION_NEAREST || c->pair_count > d->count) return false;
  for (int i = 0; i < c->pair_count; i++)
    if (!cli_same_pair(&c->pairs[i], &d->pairs[i])) return false;
  return true;
}

/* The touch of two parts; its direction is the facet of its first two pairs. */
static void print_seam_touch(cli_text *out, const graze_internal_edge_touch *touch, int dim) {
  cli_text_str(out, "{\"part_a\":");
  cli_text_int(out, touch->part_a);
  cli_print_int(out, "part_b", touch->part_b);
  cli_print_word(out, "kind", "touch");
  cli_text_str(out, ",");
  print_key_pairs(out, "facet", touch->pairs, 2, dim);
  cli_print_int(out, "sign", touch->sign);
  cli_text_str(out, ",");
  print_key_pairs(out, "pairs", touch->pairs, touch->pair_count, dim);
  cli_text_str(out, "}");
}

static void print_relation(cli_text *out, const graze_certificate *c, int dim) {
  switch (c->kind) {
  case GRAZE_CERTIFICATE_SEPARATED:
    cli_text_str(out, "{\"kind\":\"separated\",");
    print_direction(out, &c->direction, dim);
    break;
  case GRAZE_CERTIFICATE_TOUCH:
    cli_text_str(out, "{\"kind\":\"touch\",");
    print_direction(out, &c->direction, dim);
    if (!shown_by_direction(c)) {
      cli_text_str(out, ",");
      print_key_pairs(out, "pairs", c->pairs, c->pair_count, dim);
    }
    break;
  case GRAZE_CERTIFICATE_INSIDE:
  case GRAZE_CERTIFICATE_NEAR:
    cli_text_str(out, c->kind == GRAZE_CERTIFICATE_NEAR ? "{\"kind\":\"near\"," : "{\"kind\":\"inside\",");
    print_key_pairs(out, "pairs", c->pairs, c->pair_count, dim);
    break;
  case GRAZE_CERTIFICATE_HALFSPACE:
    cli_text_str(out, "{\"kind\":\"plane\",\"vertex\":");
    print_parent(out, c->vertex, c->vertex_point, dim);
    break;
  case GRAZE_CERTIFICATE_INTERNAL_EDGE:
    cli_text_str(out, "{\"kind\":\"seam\",\"seam\":[");
    print_seam_touch(out, &c->seam[0], dim);
    cli_text_str(out, ",");
    print_seam_touch(out, &c->seam[1], dim);
    cli_text_str(out, "]");
    break;
  case GRAZE_CERTIFICATE_NONE: cli_text_str(out, "null"); return;
  }
  cli_text_str(out, "}");
}

static void print_lower(cli_text *out, const graze_certificate *c, int dim) {
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE) {
    print_relation(out, c, dim);
  } else if (c->direction.form == GRAZE_DIRECTION_NONE) {
    cli_text_str(out, "null");
  } else {
    cli_text_str(out, "{");
    print_direction(out, &c->direction, dim);
    cli_text_str(out, "}");
  }
}

void cli_print_surface(cli_text *out, const graze_surface *surface, int dim) {
  cli_text_str(out, "{\"pairs\":");
  cli_print_pairs(out, surface->pairs, (int)surface->pair_count, dim);
  if (dim == 3) {
    cli_print_key(out, "faces");
    for (size_t i = 0; i < surface->face_count; i++) {
      const int32_t *face = surface->faces[i];
      char text[48];
      snprintf(text, sizeof text, "%s[%d,%d,%d]", i > 0 ? "," : "[", (int)face[0], (int)face[1], (int)face[2]);
      cli_text_str(out, text);
    }
    cli_text_str(out, "]");
  }
  cli_text_str(out, "}");
}

static double radius_of(const graze_shape *shape) {
  bool round = shape->kind == GRAZE_SPHERE || shape->kind == GRAZE_CAPSULE;
  return (round ? shape->radius : 0) + shape->margin;
}

/* The radius about the core of a part, with the margin of the whole. */
static double part_radius(const cli_body *body, int32_t part) {
  double whole = radius_of(&body->placed.shape);
  return part < (int32_t)body->part_count ? whole + radius_of(&body->parts[part].placed.shape) : whole;
}

/* Pairs show a gap, or a depth up to the radii; not how deep the cores overlap. */
static bool shown_by_pairs(const cli_request *q, const graze_answer *answer) {
  const graze_certificate *c = &answer->certificate;
  double r = part_radius(&q->a, answer->part_a) + part_radius(&q->b, answer->part_b) + q->options.clearance;
  if (c->pair_count == 0 || c->depth_proof != GRAZE_DEPTH_BY_PAIRS || c->kind == GRAZE_CERTIFICATE_INSIDE) return false;
  return answer->relation != GRAZE_OVERLAPPING || -answer->upper <= r;
}

static void print_upper(cli_text *out, const cli_request *q, const graze_answer *answer) {
  const graze_certificate *c = &answer->certificate;
  int dim = q->dim;
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE) {
    print_relation(out, c, dim);
  } else if (c->depth_proof == GRAZE_DEPTH_BY_BOX_AXES) {
    cli_text_str(out, "{\"axes\":\"box\"}");
  } else if (c->depth_proof == GRAZE_DEPTH_BY_SURFACE && c->surface) {
    cli_text_str(out, "{\"surface\":");
    cli_print_surface(out, c->surface, dim);
    cli_text_str(out, "}");
  } else if (!shown_by_pairs(q, answer)) {
    cli_text_str(out, "null"); /* the upper bound 0 follows from the relation */
  } else {
    cli_text_str(out, "{");
    print_key_pairs(out, "pairs", c->pairs, c->pair_count, dim);
    cli_text_str(out, "}");
  }
}

/* The pieces into which a polygon was decomposed, in its own frame: part numbers and vertex indices refer to them. */
static void print_pieces(cli_text *out, const char *key, const cli_body *body) {
  if (body->compound == NULL || body->part_count > 0) return;
  cli_print_key(out, key);
  for (size_t i = 0, count = graze_part_count(&body->placed); i < count; i++) {
    graze_placed part = graze_part(&body->placed, i);
    cli_text_str(out, i > 0 ? "," : "[");
    cli_print_points(out, part.shape.vertices, part.shape.vertex_count, 2);
  }
  cli_text_str(out, "]");
}

/* Of each pair of parts what it is, and how near it may be. */
static void print_part_proofs(cli_text *out, const graze_answer *answer, int dim) {
  if (answer->parts == NULL) return;
  cli_print_key(out, "parts");
  cli_text_str(out, "[");
  for (size_t i = 0; i < answer->part_count; i++) {
    const graze_part_proof *proof = &answer->parts[i];
    cli_text_str(out, i > 0 ? ",{\"part_a\":" : "{\"part_a\":");
    cli_text_int(out, proof->part_a);
    cli_print_int(out, "part_b", proof->part_b);
    cli_print_key(out, "certificate");
    cli_text_str(out, "{\"relation\":");
    print_relation(out, &proof->certificate, dim);
    cli_print_key(out, "lower");
    print_lower(out, &proof->certificate, dim);
    cli_text_str(out, "}}");
  }
  cli_text_str(out, "]");
}

void cli_print_certificate(cli_text *out, const cli_request *q, const graze_answer *answer, bool bounds) {
  cli_print_key(out, "certificate");
  cli_text_str(out, "{\"relation\":");
  print_relation(out, &answer->certificate, q->dim);
  cli_print_key(out, "lower");
  if (bounds)
    print_lower(out, &answer->certificate, q->dim);
  else
    cli_text_str(out, "null");
  cli_print_key(out, "upper");
  if (bounds)
    print_upper(out, q, answer);
  else
    cli_text_str(out, "null");
  print_pieces(out, "pieces_a", &q->a);
  print_pieces(out, "pieces_b", &q->b);
  print_part_proofs(out, answer, q->dim);
  cli_text_str(out, "}");
}

/* What the pairs, of a half-space the vertex, show. */
static void print_shown(cli_text *out, const graze_certificate *c, int dim) {
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE) {
    print_relation(out, c, dim);
  } else if (c->pair_count == 0) {
    cli_text_str(out, "null");
  } else {
    cli_text_str(out, "{");
    print_key_pairs(out, "pairs", c->pairs, c->pair_count, dim);
    cli_text_str(out, "}");
  }
}

/* The intervals of a sweep, one after the other, and the direction along which nothing is met in each. There are none
 * where the bodies are apart at t = 0 and t_lower = 0: then the list is empty. */
static void print_steps(cli_text *out, const graze_cast_result *impact, int dim) {
  if (impact->steps == NULL || impact->starts != GRAZE_SEPARATED) return;
  cli_print_key(out, "steps");
  cli_text_str(out, "[");
  for (size_t i = 0; i < impact->step_count; i++) {
    const graze_cast_step *step = &impact->steps[i];
    cli_text_str(out, i > 0 ? ",{\"t0\":" : "{\"t0\":");
    cli_text_number(out, step->from);
    cli_print_real(out, "t1", step->to);
    cli_text_str(out, ",");
    print_direction(out, &step->direction, dim);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "]");
}

/* Is there no direction that shows what lies between the start and the contact? Steps do, or nothing. */
static bool is_sweep(const graze_cast_result *impact) {
  bool swept = impact->algorithm == GRAZE_ALGORITHM_SWEEP || impact->algorithm == GRAZE_ALGORITHM_CA;
  bool later = impact->starts == GRAZE_SEPARATED || impact->t_upper > 0;
  return impact->algorithm == GRAZE_ALGORITHM_SAMPLING || (swept && later);
}

/* How they start, and what meets. Where both are shown by pairs, or by the vertex of a half-space, there is but that of
 * the contact. */
static void print_sweep(cli_text *out, const graze_cast_result *impact, int dim) {
  static const graze_certificate none = {.kind = GRAZE_CERTIFICATE_NONE};
  const graze_certificate *c = &impact->certificate;
  bool hit = impact->result == GRAZE_HIT, clear = impact->result == GRAZE_CLEAR;
  bool touched = impact->starts == GRAZE_TOUCHING || impact->starts == GRAZE_UNDECIDED;
  bool other = (touched && !clear) || (hit && c->kind == GRAZE_CERTIFICATE_HALFSPACE);
  print_relation(out, other && impact->t_upper > 0 ? &none : c, dim);
  if (clear) return;
  cli_print_key(out, "t_upper");
  print_shown(out, hit && impact->algorithm != GRAZE_ALGORITHM_SAMPLING ? c : &none, dim);
}

/* What starts in contact shows by its relation that it hits at 0, or by the direction of the touch that it is clear. */
static void print_cast(cli_text *out, const graze_cast_result *impact, int dim) {
  static const graze_certificate none = {.kind = GRAZE_CERTIFICATE_NONE};
  const graze_certificate *c = &impact->certificate, *apart = impact->starts == GRAZE_SEPARATED ? c : &none;
  bool clear = impact->result == GRAZE_CLEAR;
  print_relation(out, c, dim);
  cli_print_key(out, "t_lower");
  print_lower(out, clear ? c : apart, dim);
  if (clear) {
    cli_print_key(out, "lower");
    print_lower(out, apart, dim);
  }
  cli_print_key(out, clear ? "upper" : "t_upper");
  print_shown(out, apart, dim);
}

void cli_print_cast_certificate(cli_text *out, const cli_request *q, const graze_cast_result *impact) {
  cli_print_key(out, "certificate");
  cli_text_str(out, "{\"relation\":");
  if (is_sweep(impact))
    print_sweep(out, impact, q->dim);
  else
    print_cast(out, impact, q->dim);
  print_pieces(out, "pieces_a", &q->a);
  print_pieces(out, "pieces_b", &q->b);
  print_steps(out, impact, q->dim);
  cli_text_str(out, "}");
}

void cli_print_error(cli_text *out, cli_span id, size_t line, const cli_error *complaint) {
  cli_text_str(out, "{\"id\":");
  if (id.data)
    cli_text_bytes(out, id.data, id.size);
  else
    cli_text_str(out, "null");
  cli_print_int(out, "line", (long long)line);
  cli_print_key(out, "error");
  cli_text_str(out, "{\"code\":");
  cli_text_quoted(out, cli_error_code_text(complaint->code));
  cli_print_word(out, "message", complaint->message);
  cli_text_str(out, "}}\n");
}
