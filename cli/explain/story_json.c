/* The story as JSON: for machines, and for the page. */
#include "explain/geometry.h"
#include "explain/motion.h"
#include "explain/story.h"
#include "explain/words.h"

#include <math.h>

static void put_vec(cli_text *out, const char *key, graze_vec v, int dim) {
  cli_print_key(out, key);
  cli_print_vec(out, v, dim);
}

static void begin_list(cli_text *out, const char *key) {
  cli_print_key(out, key);
  cli_text_str(out, "[");
}

/* What stands before the i-th of a list. */
static void put_comma(cli_text *out, size_t i) {
  if (i > 0) cli_text_str(out, ",");
}

static void put_int_list(cli_text *out, const int32_t *values, size_t count) {
  cli_text_str(out, "[");
  for (size_t i = 0; i < count; i++) {
    put_comma(out, i);
    cli_text_int(out, values[i]);
  }
  cli_text_str(out, "]");
}

/* Lists of `each` indices, one behind the other in `values`. */
static void put_int_lists(cli_text *out, const char *key, const int32_t *values, size_t count, size_t each) {
  begin_list(out, key);
  for (size_t i = 0; i < count; i++) {
    put_comma(out, i);
    put_int_list(out, values + each * i, each);
  }
  cli_text_str(out, "]");
}

/* The indices of named points. */
static void put_pairs(cli_text *out, const story *s, const graze_pair *pairs, size_t count) {
  cli_text_str(out, "[");
  for (size_t i = 0; i < count; i++) {
    put_comma(out, i);
    cli_text_int(out, story_find(s, &pairs[i]));
  }
  cli_text_str(out, "]");
}

/* ---- What to draw */

static void put_solid(cli_text *out, const story_mesh *mesh, int dim) {
  cli_text_str(out, "{\"kind\":\"solid\"");
  cli_print_bool(out, "smooth", mesh->smooth);
  cli_print_key(out, "points");
  cli_print_points(out, mesh->points, mesh->point_count, dim);
  if (dim == 3) {
    put_int_lists(out, "triangles", (const int32_t *)mesh->triangles, mesh->triangle_count, 3);
    put_int_lists(out, "edges", (const int32_t *)mesh->edges, mesh->edge_count, 2);
  }
  cli_text_str(out, "}");
}

static void put_mesh(cli_text *out, const story_mesh *mesh, int dim) {
  if (mesh->kind == STORY_MESH_NONE) {
    cli_text_str(out, "null");
  } else if (mesh->kind == STORY_MESH_SOLID) {
    put_solid(out, mesh, dim);
  } else {
    cli_text_str(out, "{\"kind\":\"plane\"");
    put_vec(out, "point", mesh->points[0], dim);
    put_vec(out, "normal", mesh->points[1], dim);
    cli_text_str(out, "}");
  }
}

void story_print_mesh(cli_text *out, const story_mesh *mesh, int dim) { put_mesh(out, mesh, dim); }

static void put_body(cli_text *out, const story *s, const story_body *body, const char *name) {
  cli_text kind = {0};
  cli_text_str(out, "{\"name\":");
  cli_text_quoted(out, name);
  cli_print_key(out, "kind");
  words_shape(&kind, &body->placed.shape);
  cli_text_quote(out, &kind);
  if (body->is_part) cli_print_int(out, "part", body->part);
  cli_print_key(out, "mesh");
  put_mesh(out, &body->mesh, s->dim);
  begin_list(out, "others");
  for (size_t i = 0; i < body->other_count; i++) {
    put_comma(out, i);
    put_mesh(out, &body->others[i], s->dim);
  }
  cli_text_str(out, "]}");
}

static void put_points(cli_text *out, const story *s) {
  begin_list(out, "points");
  for (size_t i = 0; i < s->point_count; i++) {
    const story_point *p = &s->points[i];
    cli_text label = {0};
    put_comma(out, i);
    cli_text_str(out, "{\"pair\":");
    cli_print_pair(out, &p->pair, s->dim);
    cli_print_key(out, "label");
    words_pair(&label, &p->pair);
    cli_text_quote(out, &label);
    put_vec(out, "at", p->at, s->dim);
    put_vec(out, "a", p->a, s->dim);
    put_vec(out, "b", p->b, s->dim);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "]");
}

/* ---- What happened */

static void put_surface(cli_text *out, const char *key, const story *s, const graze_surface *surface, int32_t nearest) {
  cli_print_key(out, key);
  cli_text_str(out, "{\"points\":");
  put_pairs(out, s, surface->pairs, surface->pair_count);
  if (s->dim == 3) put_int_lists(out, "faces", (const int32_t *)surface->faces, surface->face_count, 3);
  if (nearest >= 0) cli_print_int(out, "nearest", nearest);
  cli_text_str(out, "}");
}

static void put_step(cli_text *out, const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  cli_text said = {0}, stop = {0};
  cli_text_str(out, "{\"phase\":");
  cli_text_quoted(out, graze_phase_text(step->phase));
  cli_print_int(out, "iteration", step->iteration);
  put_vec(out, "direction", step->direction, s->dim);
  cli_print_key(out, "point");
  if (story_has_point(step))
    cli_text_int(out, story_find(s, &step->pair));
  else
    cli_text_str(out, "null");
  cli_print_real(out, "origin_check", step->origin_check);
  cli_print_key(out, "simplex");
  put_pairs(out, s, step->simplex, (size_t)step->simplex_count);
  cli_print_real(out, "lower", step->lower);
  cli_print_real(out, "upper", step->upper);
  if (step->polytope) put_surface(out, "polytope", s, step->polytope, -1);
  if (step->stop != GRAZE_TRACE_CONTINUE) cli_print_word(out, "stop", graze_trace_stop_text(step->stop));
  cli_print_key(out, "words");
  words_step(&said, s, k);
  cli_text_quote(out, &said);
  cli_print_key(out, "stop_words");
  words_stop(&stop, s, k);
  cli_text_quote(out, &stop);
  cli_text_str(out, "}");
}

static void put_steps(cli_text *out, const story *s) {
  begin_list(out, "steps");
  for (size_t k = 0; k < s->finding.trace.count; k++) {
    put_comma(out, k);
    put_step(out, s, k);
  }
  cli_text_str(out, "]");
  cli_print_int(out, "step_total", (long long)s->finding.trace.total);
}

static void put_interval(cli_text *out, const char *key, graze_interval interval) {
  begin_list(out, key);
  cli_text_number(out, interval.min);
  cli_text_str(out, ",");
  cli_text_number(out, interval.max);
  cli_text_str(out, "]");
}

static const char *axis_kind(graze_axis_kind kind, int dim) {
  if (kind == GRAZE_AXIS_EDGES) return "edges of both";
  if (kind == GRAZE_AXIS_FACE_A) return dim == 2 ? "edge of A" : "face of A";
  return dim == 2 ? "edge of B" : "face of B";
}

static void put_axes(cli_text *out, const story *s) {
  begin_list(out, "axes");
  for (size_t i = 0; i < s->finding.trace.axis_count; i++) {
    const graze_axis *axis = &s->finding.trace.axes[i];
    put_comma(out, i);
    cli_text_str(out, "{\"kind\":");
    cli_text_quoted(out, axis_kind(axis->kind, s->dim));
    cli_print_int(out, "feature_a", axis->feature_a);
    cli_print_int(out, "feature_b", axis->feature_b);
    put_vec(out, "direction", axis->direction, s->dim);
    cli_print_real(out, "separation", axis->separation);
    put_interval(out, "a", axis->a);
    put_interval(out, "b", axis->b);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "]");
  cli_print_int(out, "axis_total", (long long)s->finding.trace.axis_total);
  if (s->best_axis < 0) return;
  cli_print_int(out, "best_axis", s->best_axis);
  cli_print_int(out, "best_number", (long long)s->finding.trace.best_axis);
}

/* ---- What it comes to */

static const char *verdict_text(graze_status verdict) {
  return verdict == GRAZE_OK ? "verified" : verdict == GRAZE_UNPROVEN ? "unproven" : "refuted";
}

static void put_evidence(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  const graze_surface *surface = s->finding.answer.certificate.surface;
  bool known = e->direction.x != 0 || e->direction.y != 0 || e->direction.z != 0;
  cli_print_key(out, "evidence");
  cli_text_str(out, "{\"verdict\":");
  cli_text_quoted(out, verdict_text(e->verdict));
  put_vec(out, "direction", known ? e->direction : (graze_vec){NAN, NAN, NAN}, s->dim);
  cli_print_real(out, "reach_a", e->reach_a);
  cli_print_real(out, "begin_b", e->begin_b);
  cli_print_real(out, "lower", e->lower);
  cli_print_real(out, "upper", e->upper);
  cli_print_key(out, "points");
  put_int_list(out, e->points, (size_t)e->count);
  begin_list(out, "weights");
  for (size_t i = 0; i < (size_t)e->count && words_has_weights(s); i++) {
    put_comma(out, i);
    cli_text_number(out, e->weights[i]);
  }
  cli_text_str(out, "]");
  if (e->count > 0) put_vec(out, "nearest", e->nearest, s->dim);
  if (surface && e->face >= 0) put_surface(out, "surface", s, surface, e->face);
  cli_text_str(out, "}");
}

/* The world points of one parent of each vertex. */
static void put_parents(cli_text *out, const char *key, const story *s, const story_body *body) {
  begin_list(out, key);
  for (size_t i = 0; i < s->vertex_count; i++) {
    const graze_pair *pair = &s->pairs[i];
    bool is_a = body == &s->a;
    put_comma(out, i);
    cli_print_vec(out, geometry_parent(body, is_a ? pair->a : pair->b, is_a ? pair->point_a : pair->point_b), s->dim);
  }
  cli_text_str(out, "]");
}

static void put_set(cli_text *out, const story *s) {
  cli_print_key(out, "minkowski");
  cli_text_str(out, s->question->of == GRAZE_MINKOWSKI_SUM ? "{\"of\":\"sum\"" : "{\"of\":\"difference\"");
  cli_print_key(out, "vertices");
  cli_print_points(out, s->vertices, s->vertex_count, s->dim);
  cli_print_key(out, "pairs");
  cli_print_pairs(out, s->pairs, (int)s->vertex_count, s->dim);
  put_parents(out, "a", s, &s->a);
  put_parents(out, "b", s, &s->b);
  cli_print_bool(out, "holds_origin", s->holds_origin);
  cli_text_str(out, "}");
}

static void put_contacts(cli_text *out, const story *s) {
  begin_list(out, "contacts");
  for (size_t i = 0; i < s->finding.count; i++) {
    const graze_contact *c = &s->finding.contacts[i];
    put_comma(out, i);
    cli_text_str(out, "{\"point_a\":");
    cli_print_vec(out, c->point_a, s->dim);
    put_vec(out, "point_b", c->point_b, s->dim);
    cli_print_real(out, "depth", c->depth);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "]");
}

/* As `graze query` prints it, without the steps; and of many parts without the certificates of all pairs. */
static void put_answer(cli_text *out, const story *s) {
  enum { MOST_PARTS = 64 };
  cli_request plain = *s->question;
  cli_pair_result finding = s->finding;
  const cli_cso set = {s->vertices, s->pairs, s->vertex_count, s->holds_origin};
  plain.trace = false;
  if (finding.answer.part_count > MOST_PARTS) {
    finding.answer.parts = NULL;
    finding.answer.part_count = 0;
  }
  cli_print_key(out, "answer");
  if (plain.query == CLI_MINKOWSKI)
    cli_print_minkowski(out, &plain, &set);
  else if (s->motion)
    cli_print_cast_result(out, &plain, &s->motion->impact);
  else
    cli_print_pair_result(out, &plain, &finding);
  cli_text_str(out, "}");
}

static void put_words(cli_text *out, const story *s) {
  cli_text question = {0}, answer = {0}, sentence = {0};
  cli_print_key(out, "words");
  cli_text_str(out, "{\"question\":");
  words_question(&question, s);
  cli_text_quote(out, &question);
  cli_print_key(out, "answer");
  words_answer(&answer, s);
  cli_text_quote(out, &answer);
  begin_list(out, "certificate");
  for (size_t k = 0; words_certificate(&sentence, s, k); k++) {
    put_comma(out, k);
    cli_text_quote(out, &sentence);
    sentence = (cli_text){0};
  }
  if (sentence.failed) out->failed = true;
  cli_text_free(&sentence);
  cli_text_str(out, "]}");
}

/* The question as it was given; line breaks of JSON stand only between its words. */
static void put_line(cli_text *out, cli_span line) {
  for (size_t i = 0; i < line.size; i++)
    cli_text_bytes(out, line.data[i] == '\n' || line.data[i] == '\r' ? " " : line.data + i, 1);
}

void story_print_json(cli_text *out, const story *s) {
  cli_text_str(out, "{\"story\":1");
  cli_print_word(out, "graze", graze_version());
  cli_print_int(out, "dim", s->dim);
  cli_print_real(out, "r", s->radius);
  cli_print_key(out, "question");
  put_line(out, s->line);
  put_answer(out, s);
  put_words(out, s);
  begin_list(out, "bodies");
  put_body(out, s, &s->a, "A");
  cli_text_str(out, ",");
  put_body(out, s, &s->b, "B");
  cli_text_str(out, "]");
  cli_print_key(out, "core");
  put_mesh(out, &s->core, s->dim);
  cli_print_key(out, "cso");
  put_mesh(out, &s->cso, s->dim);
  put_points(out, s);
  put_steps(out, s);
  put_axes(out, s);
  if (s->question->query == CLI_MANIFOLD) put_contacts(out, s);
  if (s->motion) motion_print_json(out, s);
  if (s->question->query == CLI_MINKOWSKI)
    put_set(out, s);
  else
    put_evidence(out, s);
  cli_text_str(out, "}");
}
