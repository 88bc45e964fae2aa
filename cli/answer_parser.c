/* The parser of answer lines. It checks the form only; check.c checks the content. */
#include "verdict.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By the values of graze_certificate_kind, graze_direction_form, graze_relation and graze_cast_outcome. */
const char *const cli_kinds[] = {"undecided", "separated", "touch", "inside", "near", "plane",
                                 "seam",      "axes",      "in_a",  "in_b",   NULL};
const char *const cli_forms[] = {"", "direction", "nearest", "facet", "edge", NULL};
const char *const cli_frontier_kinds[] = {"a", "b", "", "pair", NULL}; /* by the values of graze_frontier_kind */
static const char *const relations[] = {"", "separated", "touching", "overlapping", "undecided", NULL};
static const char *const outcomes[] = {"", "hit", "clear", "possible", NULL};

typedef struct parser {
  const char *part; /* relation, lower, upper, …; "": the line */
  int dim;
  const char *part_keys[2]; /* cli_part_key() */
  cli_points *points;       /* receives the points of curved cores */
  cli_parsed *answer;       /* owns allocated lists */
  cli_error *error;
} parser;

static bool malformed(const parser *p, const char *key, const json_t *value) {
  char shown[CLI_SHOWN_SIZE] = "missing";
  if (value) cli_show(value, shown);
  return cli_reject(p->error, CLI_BAD_JSON, "%s%s%s: malformed (%s)", p->part, p->part[0] && key[0] ? "." : "", key,
                    shown);
}

/* ---- Values */

static bool parse_word(const json_t *value, const char *const *words, int *out) {
  const char *word = json_is_string(value) ? json_string_value(value) : "";
  const int index = *word ? cli_index_of(word, words) : -1;
  if (index >= 0) *out = index;
  return index >= 0;
}

static bool parse_int(const json_t *value, int least, int most, int32_t *out) {
  double number = json_is_number(value) ? json_number_value(value) : NAN;
  if (!(number >= least && number <= most) || number != floor(number)) return false;
  *out = (int)number;
  return true;
}

static bool parse_real(const parser *p, const json_t *root, const char *key, double *out) {
  const json_t *value = cli_get(root, key);
  *out = json_is_number(value) ? json_number_value(value) : NAN;
  return value == NULL || json_is_number(value) || malformed(p, key, value);
}

static bool parse_point(const json_t *value, int dim, graze_vec *out) {
  double numbers[3] = {0, 0, 0};
  if (!json_is_array(value) || json_array_size(value) != (size_t)dim) return false;
  for (size_t i = 0; i < (size_t)dim; i++) {
    const json_t *item = json_array_get(value, i);
    if (!json_is_number(item)) return false;
    numbers[i] = json_number_value(item);
  }
  *out = (graze_vec){numbers[0], numbers[1], numbers[2]};
  return true;
}

/* A vertex index, or a point of a curved core. A surface has so many points that it keeps them in a list of its own. */
static bool parse_vertex(const parser *p, const json_t *value, graze_surface *surface, int32_t *vertex) {
  graze_vec v;
  if (!json_is_array(value)) return parse_int(value, 0, INT_MAX, vertex);
  if (!parse_point(value, p->dim, &v)) return false;
  if (surface) {
    *vertex = -1 - (int32_t)surface->point_count;
    p->answer->surface_points[surface->point_count++] = v;
    return true;
  }
  /* Equal points have one index, so that equal parts of a certificate compare equal. */
  cli_points *points = p->points;
  size_t k = 0;
  while (k < points->count && memcmp(&points->list[k], &v, sizeof v) != 0) k++;
  if (k == points->count && k < sizeof points->list / sizeof *points->list) points->list[points->count++] = v;
  *vertex = -1 - (int32_t)k;
  return true;
}

/* In a motion, the third number is the end of the time interval; the default is its beginning. */
static bool parse_pair(const parser *p, const json_t *pair, graze_surface *surface, graze_pair *out) {
  size_t size = json_array_size(pair);
  int end = 0;
  if (size == 3 && !parse_int(json_array_get(pair, 2), 0, 1, &end)) return false;
  out->end = end;
  return json_is_array(pair) && (size == 2 || size == 3) &&
         parse_vertex(p, json_array_get(pair, 0), surface, &out->a) &&
         parse_vertex(p, json_array_get(pair, 1), surface, &out->b);
}

static bool parse_pairs(const parser *p, const json_t *list, int most, graze_pair *pairs, int *count) {
  size_t size = json_array_size(list);
  if (!json_is_array(list) || size == 0 || size > (size_t)most) return false;
  for (size_t i = 0; i < size; i++)
    if (!parse_pair(p, json_array_get(list, i), NULL, &pairs[i])) return false;
  *count = (int)size;
  return true;
}

/* Copies pairs into a certificate, with the points that they name. */
static void copy_pairs(graze_certificate *c, const cli_points *points, graze_pair *to, const graze_pair *from,
                       int count) {
  for (int i = 0; i < count; i++) {
    to[i] = from[i];
    for (int side = 0; side < 2; side++) {
      int32_t *vertex = side == 0 ? &to[i].a : &to[i].b;
      if (*vertex >= 0) continue;
      c->points[c->point_count] = points->list[-1 - *vertex];
      *vertex = -1 - c->point_count++;
    }
  }
}

graze_certificate cli_assemble(const cli_points *points, const cli_proof *relation, const graze_direction *direction,
                               const cli_proof *pairs) {
  graze_certificate c = {.kind = relation->kind, .direction = *direction, .pair_count = pairs->pair_count};
  graze_pair vertex = {.a = relation->vertex};
  copy_pairs(&c, points, c.direction.pairs, direction->pairs, direction->count);
  copy_pairs(&c, points, c.pairs, pairs->pairs, pairs->pair_count);
  if (relation->kind == GRAZE_CERTIFICATE_HALFSPACE) copy_pairs(&c, points, &vertex, &vertex, 1);
  c.vertex = vertex.a;
  memcpy(c.internal_edge, relation->internal_edge, sizeof c.internal_edge);
  return c;
}

/* ---- Parts of a certificate */

/* Parses at most one form of a direction; without any, *d is unchanged. */
static bool parse_direction(const parser *p, const json_t *object, graze_direction *d) {
  for (int form = GRAZE_DIRECTION_VECTOR; cli_forms[form]; form++) {
    const json_t *value = cli_get(object, cli_forms[form]);
    if (value == NULL) continue;
    if (d->form != GRAZE_DIRECTION_NONE) return malformed(p, "a second direction", value);
    d->form = (graze_direction_form)form;
    bool good = d->form == GRAZE_DIRECTION_VECTOR ? parse_point(value, p->dim, &d->vector)
                                                  : parse_pairs(p, value, 4, d->pairs, &d->count);
    if (!good) return malformed(p, cli_forms[form], value);
  }
  const bool facet = d->form == GRAZE_DIRECTION_FACET, edge = d->form == GRAZE_DIRECTION_EDGE;
  const json_t *sign = cli_get(object, "sign"), *axis = cli_get(object, "axis");
  if ((facet || edge) && !parse_int(sign, -1, 1, &d->sign)) return malformed(p, "sign", sign);
  return !edge || parse_int(axis, 0, 2, &d->axis) || malformed(p, "axis", axis);
}

static bool parse_surface(const parser *p, const json_t *object, graze_surface *surface) {
  const json_t *list = cli_get(object, "pairs"), *faces = cli_get(object, "faces");
  size_t count = json_array_size(list);
  if (!json_is_array(list) || count == 0 || count > INT_MAX) return malformed(p, "surface.pairs", list);
  graze_pair *pairs = p->answer->surface_pairs = calloc(count, sizeof *pairs);
  graze_vec *points = p->answer->surface_points = calloc(2 * count, sizeof *points);
  if (pairs == NULL || points == NULL) return cli_reject_memory(p->error);
  surface->points = points;
  for (size_t i = 0; i < count; i++) {
    const json_t *pair = json_array_get(list, i);
    if (!parse_pair(p, pair, surface, &pairs[i])) return malformed(p, "surface.pairs", pair);
  }
  surface->pair_count = count;
  surface->pairs = pairs;
  if (p->dim == 2) return faces == NULL || malformed(p, "surface.faces", faces); /* the pairs are a polygon in order */
  surface->face_count = json_array_size(faces);
  if (!json_is_array(faces) || surface->face_count == 0) return malformed(p, "surface.faces", faces);
  int32_t(*indices)[3] = p->answer->surface_faces = calloc(surface->face_count, sizeof *indices);
  if (indices == NULL) return cli_reject_memory(p->error);
  for (size_t i = 0; i < surface->face_count; i++) {
    const json_t *face = json_array_get(faces, i);
    bool good = json_is_array(face) && json_array_size(face) == 3;
    for (size_t k = 0; good && k < 3; k++) good = parse_int(json_array_get(face, k), 0, (int)count - 1, &indices[i][k]);
    if (!good) return malformed(p, "surface.faces", face);
  }
  surface->faces = (const int32_t(*)[3])indices;
  return true;
}

/* The axes of two boxes, or in 2D of two polygons. */
static bool parse_axes(const parser *p, const json_t *axes, cli_proof *proof) {
  static const char *const words[] = {"box", "polygon", NULL};
  int word = 0;
  if (!parse_word(axes, words, &word) || (word == 1 && p->dim == 3)) return malformed(p, "axes", axes);
  proof->box_axes = word == 0;
  return true;
}

/* At rest, the part `upper` may have axes or a surface instead of pairs, and at most one of them. */
static bool parse_depth_proof(const parser *p, const json_t *object, cli_proof *proof) {
  const json_t *axes = cli_get(object, "axes"), *surface = cli_get(object, "surface");
  if (axes && !parse_axes(p, axes, proof)) return false;
  if (surface && !json_is_object(surface)) return malformed(p, "surface", surface);
  if (surface && (axes || proof->pairs_given)) return malformed(p, "a second proof", surface);
  if (axes && proof->pairs_given) return malformed(p, "a second proof", axes);
  if (axes) proof->depth_proof = GRAZE_DEPTH_BY_AXES;
  if (surface == NULL) return true;
  proof->depth_proof = GRAZE_DEPTH_BY_SURFACE;
  return parse_surface(p, surface, &proof->surface);
}

/* The indices of two parts, or of faces of meshes; the default is the first one. */
static bool parse_part_numbers(const parser *p, const json_t *object, int32_t *part_a, int32_t *part_b) {
  const json_t *a = cli_get(object, p->part_keys[0]), *b = cli_get(object, p->part_keys[1]);
  *part_a = *part_b = 0;
  if (a && !parse_int(a, 0, INT_MAX, part_a)) return malformed(p, p->part_keys[0], a);
  return !b || parse_int(b, 0, INT_MAX, part_b) || malformed(p, p->part_keys[1], b);
}

/* The touches on both sides of an internal edge. The facet of each consists of its first two pairs. */
static bool parse_internal_edge(const parser *p, const json_t *list, graze_internal_edge_touch touches[2]) {
  if (!json_is_array(list) || json_array_size(list) != 2) return malformed(p, "seam", list);
  for (size_t i = 0; i < 2; i++) {
    const json_t *object = json_array_get(list, i);
    graze_internal_edge_touch *touch = &touches[i];
    graze_direction d = {.form = GRAZE_DIRECTION_NONE};
    int kind = 0;
    if (!parse_part_numbers(p, object, &touch->part_a, &touch->part_b) || !parse_direction(p, object, &d)) return false;
    bool good = parse_word(cli_get(object, "kind"), cli_kinds, &kind) && kind == GRAZE_CERTIFICATE_TOUCH &&
                parse_pairs(p, cli_get(object, "pairs"), 4, touch->pairs, &touch->pair_count) &&
                d.form == GRAZE_DIRECTION_FACET && d.count == 2 && touch->pair_count >= 2 &&
                memcmp(d.pairs, touch->pairs, 2 * sizeof *d.pairs) == 0;
    if (!good) return malformed(p, "seam", object);
    touch->sign = d.sign;
  }
  return true;
}

static bool parse_proof(const parser *p, const json_t *object, cli_proof *proof) {
  const json_t *kind = cli_get(object, "kind"), *pairs = cli_get(object, "pairs"), *vertex = cli_get(object, "vertex");
  int value = GRAZE_CERTIFICATE_NONE;
  if (object == NULL) return true;
  if (!json_is_object(object)) return malformed(p, "", object);
  if (kind && !parse_word(kind, cli_kinds, &value)) return malformed(p, "kind", kind);
  proof->given = true;
  proof->kind = (graze_certificate_kind)value;
  if (!parse_direction(p, object, &proof->direction)) return false;
  proof->pairs_given = pairs != NULL;
  if (pairs && !parse_pairs(p, pairs, 6, proof->pairs, &proof->pair_count)) return malformed(p, "pairs", pairs);
  if (proof->kind == GRAZE_CERTIFICATE_HALFSPACE && !parse_vertex(p, vertex, NULL, &proof->vertex))
    return malformed(p, "vertex", vertex);
  if (proof->kind == GRAZE_CERTIFICATE_AXES && !parse_axes(p, cli_get(object, "axes"), proof)) return false;
  if (proof->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE &&
      !parse_internal_edge(p, cli_get(object, "seam"), proof->internal_edge))
    return false;
  return true;
}

/* The certificate of each pair of parts: its relation, and its lower bound by the same or another direction. */
static bool parse_part_proofs(const parser *p, const json_t *list, cli_parsed *x) {
  const size_t count = json_array_size(list);
  if (list == NULL) return true;
  if (!json_is_array(list) || count == 0 || count > CLI_MAX_PROOFS) return malformed(p, "parts", list);
  x->parts = calloc(count, sizeof *x->parts);
  if (x->parts == NULL) return cli_reject_memory(p->error);
  x->part_count = count;
  for (size_t i = 0; i < count; i++) {
    const json_t *object = json_array_get(list, i), *certificate = cli_get(object, "certificate");
    graze_part_proof *part = &x->parts[i];
    cli_points points = {.count = 0};
    cli_proof relation = {.given = false}, lower = {.given = false};
    const parser own = {p->part, p->dim, {p->part_keys[0], p->part_keys[1]}, &points, NULL, p->error};
    if (!parse_part_numbers(p, object, &part->part_a, &part->part_b) ||
        !parse_proof(&own, cli_get(certificate, "relation"), &relation) ||
        !parse_proof(&own, cli_get(certificate, "lower"), &lower))
      return false;
    if (!relation.pairs_given && relation.kind == GRAZE_CERTIFICATE_TOUCH) {
      /* Rounded shapes touch: the pairs of the direction also prove the common point. */
      relation.pair_count = relation.direction.count;
      memcpy(relation.pairs, relation.direction.pairs, sizeof relation.direction.pairs);
    }
    const graze_direction *direction = relation.direction.form ? &relation.direction : &lower.direction;
    part->certificate = cli_assemble(&points, &relation, direction, &relation);
  }
  return true;
}

/* A list of all part numbers of a body. The verifier checks that each occurs once. */
static bool parse_order(const parser *p, const json_t *object, const char *key, size_t count, uint32_t **order) {
  const json_t *list = cli_get(object, key);
  if (list == NULL) return true;
  if (!json_is_array(list) || json_array_size(list) != count) return malformed(p, key, list);
  *order = calloc(count, sizeof **order);
  if (*order == NULL) return cli_reject_memory(p->error);
  for (size_t i = 0; i < count; i++) {
    int32_t part;
    if (!parse_int(json_array_get(list, i), 0, INT_MAX, &part)) return malformed(p, key, json_array_get(list, i));
    (*order)[i] = (uint32_t)part;
  }
  return true;
}

static bool parse_frontier(parser *p, const cli_request *r, const json_t *object, cli_parsed *x) {
  const json_t *nodes = cli_get(object, "nodes");
  const size_t count = json_array_size(nodes);
  p->part = "frontier";
  if (object == NULL) return true;
  if (!json_is_array(nodes) || count == 0 || count > CLI_MAX_NODES) return malformed(p, "nodes", nodes);
  if (!parse_order(p, object, "order_a", graze_part_count(&r->a.placed), &x->order_a) ||
      !parse_order(p, object, "order_b", graze_part_count(&r->b.placed), &x->order_b))
    return false;
  x->frontier.nodes = calloc(count, sizeof *x->frontier.nodes);
  if (x->frontier.nodes == NULL) return cli_reject_memory(p->error);
  x->frontier.order_a = x->order_a, x->frontier.order_b = x->order_b;
  x->frontier.node_count = count;
  for (size_t i = 0; i < count; i++) {
    const json_t *value = json_array_get(nodes, i);
    graze_frontier_node *node = &x->frontier.nodes[i];
    int kind = GRAZE_FRONTIER_DIRECTION;
    if (!parse_point(value, p->dim, &node->direction) && !parse_word(value, cli_frontier_kinds, &kind))
      return malformed(p, "nodes", value);
    node->kind = (graze_frontier_kind)kind;
  }
  return true;
}

/* The verifier checks that the steps follow each other without a gap. */
static bool parse_steps(const parser *p, const json_t *list, cli_parsed *x) {
  size_t count = json_array_size(list);
  if (list == NULL) return true;
  if (!json_is_array(list) || count > CLI_MAX_STEPS) return malformed(p, "", list);
  x->steps = calloc(count + 1, sizeof *x->steps);
  if (x->steps == NULL) return cli_reject_memory(p->error);
  x->step_count = count;
  for (size_t i = 0; i < count; i++) {
    const json_t *object = json_array_get(list, i), *from = cli_get(object, "t0"), *to = cli_get(object, "t1");
    graze_cast_step *step = &x->steps[i];
    if (!json_is_object(object)) return malformed(p, "", object);
    if (!json_is_number(from)) return malformed(p, "t0", from);
    if (!json_is_number(to)) return malformed(p, "t1", to);
    step->from = json_number_value(from);
    step->to = json_number_value(to);
    const json_t *direction = cli_get(object, "direction");
    if (!parse_point(direction, p->dim, &step->direction)) return malformed(p, "direction", direction);
  }
  return true;
}

/* ---- The whole */

static bool parse_cast(const parser *p, const json_t *root, bool ray, cli_parsed *x) {
  const json_t *hit = cli_get(root, "hit"), *result = cli_get(root, "result"), *starts = cli_get(root, "starts");
  const json_t *least = cli_get(root, "min_distance");
  int outcome = 0, relation = 0;
  if (ray && !json_is_boolean(hit)) return malformed(p, "hit", hit);
  if (ray) outcome = json_is_true(hit) ? GRAZE_HIT : GRAZE_CLEAR;
  if ((result || !ray) && !parse_word(result, outcomes, &outcome)) return malformed(p, "result", result);
  if (ray && json_is_true(hit) == (outcome == GRAZE_CLEAR)) return malformed(p, "result", result);
  if ((starts || !ray) && !parse_word(starts, relations, &relation)) return malformed(p, "starts", starts);
  x->outcome = (graze_cast_outcome)outcome;
  x->relation = (graze_relation)relation;
  x->has_distance = least != NULL;
  if (least && (!json_is_array(least) || json_array_size(least) != 2)) return malformed(p, "min_distance", least);
  for (size_t i = 0; i < 2; i++) {
    const json_t *end = json_array_get(least, i);
    if (end && !json_is_number(end) && !json_is_null(end)) return malformed(p, "min_distance", least);
    *(i == 0 ? &x->min_lower : &x->min_upper) = json_is_number(end) ? json_number_value(end) : NAN;
  }
  return parse_real(p, root, "t", &x->t) && parse_real(p, root, "t_lower", &x->t_lower) &&
         parse_real(p, root, "t_upper", &x->t_upper) && parse_real(p, root, "t_min", &x->t_min);
}

bool cli_parse_answer(const json_t *root, const cli_request *r, cli_parsed *x, cli_error *error) {
  const struct {
    const char *name;
    cli_proof *proof;
    bool only_casts;
  } rows[] = {{"relation", &x->relation_proof, false},
              {"t_lower", &x->t_lower_proof, true},
              {"t_upper", &x->t_upper_proof, true},
              {"lower", &x->lower_proof, false},
              {"upper", &x->upper_proof, false}};
  const bool cast = cli_query_has_motion(r->query);
  const json_t *certificate = cli_get(root, "certificate");
  parser p = {"", r->dim, {cli_part_key(&r->a, 0), cli_part_key(&r->b, 1)}, &x->points, x, error};
  memset(x, 0, sizeof *x);
  bool good;
  if (cast) {
    good = parse_cast(&p, root, r->query == CLI_RAYCAST, x);
  } else {
    const json_t *relation = cli_get(root, "relation");
    const char *stopped = json_string_value(cli_get(root, "stopped"));
    int value = 0;
    if (!parse_word(relation, relations, &value)) return malformed(&p, "relation", relation);
    x->relation = (graze_relation)value;
    x->cutoff = stopped && strcmp(stopped, "cutoff") == 0;
    good = parse_real(&p, root, "distance", &x->distance) && parse_real(&p, root, "lower", &x->lower) &&
           parse_real(&p, root, "upper", &x->upper);
  }
  if (!good || !parse_part_numbers(&p, root, &x->part_a, &x->part_b)) return false;
  if (certificate && !json_is_object(certificate)) return malformed(&p, "certificate", certificate);
  x->certificate = certificate != NULL;
  x->pieces_a = cli_get(certificate, "pieces_a");
  x->pieces_b = cli_get(certificate, "pieces_b");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    p.part = rows[i].name;
    if ((cast || !rows[i].only_casts) && !parse_proof(&p, cli_get(certificate, p.part), rows[i].proof)) return false;
  }
  cli_proof *deep = cast ? &x->t_upper_proof : &x->upper_proof;
  if (deep->given && !parse_depth_proof(&p, cli_get(certificate, cast ? "t_upper" : "upper"), deep)) return false;
  if (!cast && !parse_frontier(&p, r, cli_get(certificate, "frontier"), x)) return false;
  p.part = cast ? "steps" : "parts";
  return (cast ? parse_steps : parse_part_proofs)(&p, cli_get(certificate, p.part), x);
}

void cli_parsed_free(cli_parsed *x) {
  free(x->surface_pairs);
  free(x->surface_faces);
  free(x->surface_points);
  free(x->parts);
  free(x->frontier.nodes);
  free(x->order_a);
  free(x->order_b);
  free(x->steps);
}
