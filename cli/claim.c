#include "claim.h"

#include "question.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct word_row {
  const char *name;
  int value;
} word_row;

static const word_row relations[] = {
    {"separated", GRAZE_SEPARATED},
    {"touching", GRAZE_TOUCHING},
    {"overlapping", GRAZE_OVERLAPPING},
    {"undecided", GRAZE_UNDECIDED},
};
static const word_row kinds[] = {
    {"separated", GRAZE_CERTIFICATE_SEPARATED}, {"touch", GRAZE_CERTIFICATE_TOUCH},
    {"inside", GRAZE_CERTIFICATE_INSIDE},       {"near", GRAZE_CERTIFICATE_NEAR},
    {"plane", GRAZE_CERTIFICATE_HALFSPACE},     {"seam", GRAZE_CERTIFICATE_INTERNAL_EDGE},
    {"undecided", GRAZE_CERTIFICATE_NONE},
};
static const word_row results[] = {{"hit", GRAZE_HIT}, {"clear", GRAZE_CLEAR}, {"possible", GRAZE_POSSIBLE}};
enum {
  RELATION_COUNT = sizeof relations / sizeof *relations,
  KIND_COUNT = sizeof kinds / sizeof *kinds,
  RESULT_COUNT = sizeof results / sizeof *results
};

typedef struct reading {
  const char *part; /* relation, lower or upper */
  int dim;
  cli_claim *claim; /* owns what is allocated */
  cli_error *complaint;
} reading;

static json_t *get(const json_t *root, const char *key) {
  json_t *value = json_object_get(root, key);
  return json_is_null(value) ? NULL : value;
}

static bool malformed(const reading *r, const char *key, const json_t *value) {
  char shown[CLI_SHOWN_SIZE] = "missing";
  if (value) cli_show(value, shown);
  return cli_reject(r->complaint, CLI_BAD_JSON, "%s%s%s = %s: malformed", r->part, r->part[0] && key[0] ? "." : "", key,
                    shown);
}

static bool read_word(const json_t *value, const word_row *rows, size_t count, int *out) {
  const char *word = json_string_value(value);
  for (size_t i = 0; word && i < count; i++) {
    if (strcmp(rows[i].name, word) != 0) continue;
    *out = rows[i].value;
    return true;
  }
  return false;
}

static bool read_whole(const json_t *value, int least, int most, int *out) {
  double number = json_is_number(value) ? json_number_value(value) : NAN;
  if (!(number >= least && number <= most) || number != floor(number)) return false;
  *out = (int)number;
  return true;
}

static bool read_point(const json_t *value, int dim, graze_vec *out) {
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

/* A vertex index, or a point of a curved core. */
static bool read_parent(const json_t *value, int dim, int32_t *vertex, graze_vec *point) {
  int index = -1;
  if (json_is_array(value)) {
    *vertex = -1;
    return read_point(value, dim, point);
  }
  if (!read_whole(value, 0, INT_MAX, &index)) return false;
  *vertex = index;
  return true;
}

/* Of motions a third number says at which end of the interval; without it, at the beginning. */
static bool read_pair(const json_t *pair, int dim, graze_pair *out) {
  size_t size = json_array_size(pair);
  int end = 0;
  if (size == 3 && !read_whole(json_array_get(pair, 2), 0, 1, &end)) return false;
  out->end = end;
  return json_is_array(pair) && (size == 2 || size == 3) &&
         read_parent(json_array_get(pair, 0), dim, &out->a, &out->point_a) &&
         read_parent(json_array_get(pair, 1), dim, &out->b, &out->point_b);
}

static bool read_pairs(const json_t *list, int dim, int most, graze_pair *pairs, int *count) {
  size_t size = json_array_size(list);
  if (!json_is_array(list) || size == 0 || size > (size_t)most) return false;
  for (size_t i = 0; i < size; i++)
    if (!read_pair(json_array_get(list, i), dim, &pairs[i])) return false;
  *count = (int)size;
  return true;
}

typedef struct form_row {
  const char *name;
  graze_direction_form form;
} form_row;

static const form_row forms[] = {
    {"direction", GRAZE_DIRECTION_VECTOR},
    {"nearest", GRAZE_DIRECTION_NEAREST},
    {"facet", GRAZE_DIRECTION_FACET},
    {"edge", GRAZE_DIRECTION_EDGE},
};
enum { FORM_COUNT = sizeof forms / sizeof *forms };

/* At most one of the forms; none is no fault here. */
static bool read_direction(const reading *r, const json_t *object, graze_direction *d) {
  for (size_t i = 0; i < FORM_COUNT; i++) {
    const json_t *value = get(object, forms[i].name);
    if (value == NULL) continue;
    if (d->form != GRAZE_DIRECTION_NONE) return malformed(r, "a second direction", value);
    d->form = forms[i].form;
    bool good = d->form == GRAZE_DIRECTION_VECTOR ? read_point(value, r->dim, &d->vector)
                                                  : read_pairs(value, r->dim, 4, d->pairs, &d->count);
    if (!good) return malformed(r, forms[i].name, value);
  }
  bool facet = d->form == GRAZE_DIRECTION_FACET, edge = d->form == GRAZE_DIRECTION_EDGE;
  const json_t *sign = get(object, "sign"), *axis = get(object, "axis");
  if ((facet || edge) && !read_whole(sign, -1, 1, &d->sign)) return malformed(r, "sign", sign);
  if (edge && !read_whole(axis, 0, 2, &d->axis)) return malformed(r, "axis", axis);
  return true;
}

static bool read_surface_pairs(const reading *r, const json_t *list, graze_surface *surface) {
  size_t count = json_array_size(list);
  if (!json_is_array(list) || count == 0 || count > INT_MAX) return malformed(r, "surface.pairs", list);
  graze_pair *pairs = r->claim->surface_pairs = calloc(count, sizeof *pairs);
  if (pairs == NULL) return cli_reject_memory(r->complaint);
  for (size_t i = 0; i < count; i++) {
    const json_t *pair = json_array_get(list, i);
    if (!read_pair(pair, r->dim, &pairs[i])) return malformed(r, "surface.pairs", pair);
  }
  surface->pair_count = count;
  surface->pairs = pairs;
  return true;
}

static bool read_face(const json_t *list, size_t pair_count, int32_t face[3]) {
  if (!json_is_array(list) || json_array_size(list) != 3) return false;
  for (size_t i = 0; i < 3; i++) {
    int index = 0;
    if (!read_whole(json_array_get(list, i), 0, (int)pair_count - 1, &index)) return false;
    face[i] = index;
  }
  return true;
}

static bool read_surface_faces(const reading *r, const json_t *list, graze_surface *surface) {
  size_t count = json_array_size(list);
  if (!json_is_array(list) || count == 0) return malformed(r, "surface.faces", list);
  int32_t(*faces)[3] = r->claim->surface_faces = calloc(count, sizeof *faces);
  if (faces == NULL) return cli_reject_memory(r->complaint);
  for (size_t i = 0; i < count; i++) {
    const json_t *face = json_array_get(list, i);
    if (!read_face(face, surface->pair_count, faces[i])) return malformed(r, "surface.faces", face);
  }
  surface->face_count = count;
  surface->faces = (const int32_t(*)[3])faces;
  return true;
}

/* What else than pairs may prove `upper`: at most one of them. */
static bool read_depth_proof(const reading *r, const json_t *object, cli_proof *proof) {
  const json_t *axes = get(object, "axes"), *surface = get(object, "surface"), *faces = get(surface, "faces");
  const char *word = json_string_value(axes);
  if (axes && (word == NULL || strcmp(word, "box") != 0)) return malformed(r, "axes", axes);
  if (surface && !json_is_object(surface)) return malformed(r, "surface", surface);
  if (surface && (axes || proof->pairs_given)) return malformed(r, "a second proof", surface);
  if (axes && proof->pairs_given) return malformed(r, "a second proof", axes);
  if (axes) proof->depth_proof = GRAZE_DEPTH_BY_BOX_AXES;
  if (surface == NULL) return true;
  proof->depth_proof = GRAZE_DEPTH_BY_SURFACE;
  if (!read_surface_pairs(r, get(surface, "pairs"), &proof->surface)) return false;
  if (r->dim == 3) return read_surface_faces(r, faces, &proof->surface);
  return faces == NULL || malformed(r, "surface.faces", faces); /* a polygon: the order of its pairs says all */
}

/* Which pair of parts; without one, the first. */
static bool read_part_numbers(const reading *r, const json_t *object, int32_t *part_a, int32_t *part_b) {
  const json_t *a = get(object, "part_a"), *b = get(object, "part_b");
  int first = 0, second = 0;
  if (a && !read_whole(a, 0, INT_MAX, &first)) return malformed(r, "part_a", a);
  if (b && !read_whole(b, 0, INT_MAX, &second)) return malformed(r, "part_b", b);
  *part_a = first;
  *part_b = second;
  return true;
}

/* The touches on both sides of a seam: the facet of each is that of its first two pairs. */
static bool read_seam(const reading *r, const json_t *list, graze_internal_edge_touch seam[2]) {
  if (!json_is_array(list) || json_array_size(list) != 2) return malformed(r, "seam", list);
  for (size_t i = 0; i < 2; i++) {
    const json_t *touch = json_array_get(list, i), *kind = get(touch, "kind");
    graze_direction d = {.form = GRAZE_DIRECTION_NONE};
    int value = 0;
    if (!read_part_numbers(r, touch, &seam[i].part_a, &seam[i].part_b) || !read_direction(r, touch, &d)) return false;
    bool good = read_word(kind, kinds, KIND_COUNT, &value) && value == GRAZE_CERTIFICATE_TOUCH &&
                read_pairs(get(touch, "pairs"), r->dim, 4, seam[i].pairs, &seam[i].pair_count) &&
                d.form == GRAZE_DIRECTION_FACET && d.count == 2 && seam[i].pair_count >= 2 &&
                memcmp(d.pairs, seam[i].pairs, 2 * sizeof *d.pairs) == 0;
    if (!good) return malformed(r, "seam", touch);
    seam[i].sign = d.sign;
  }
  return true;
}

static bool read_proof(const reading *r, const json_t *object, cli_proof *proof) {
  bool upper = proof == &r->claim->upper_proof;
  const json_t *kind = get(object, "kind"), *pairs = get(object, "pairs"), *vertex = get(object, "vertex");
  int value = GRAZE_CERTIFICATE_NONE;
  if (object == NULL) return true;
  if (!json_is_object(object)) return malformed(r, "", object);
  if (kind && !read_word(kind, kinds, KIND_COUNT, &value)) return malformed(r, "kind", kind);
  proof->given = true;
  proof->kind = (graze_certificate_kind)value;
  if (!read_direction(r, object, &proof->direction)) return false;
  proof->pairs_given = pairs != NULL;
  if (pairs && !read_pairs(pairs, r->dim, 6, proof->pairs, &proof->pair_count)) return malformed(r, "pairs", pairs);
  proof->vertex = -1;
  if (vertex && !read_parent(vertex, r->dim, &proof->vertex, &proof->vertex_point))
    return malformed(r, "vertex", vertex);
  if (proof->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE && !read_seam(r, get(object, "seam"), proof->seam)) return false;
  return !upper || read_depth_proof(r, object, proof);
}

/* A touch of rounded shapes: the pairs of its direction show the common point too. */
static void take_pairs(const cli_proof *relation, graze_certificate *c) {
  const graze_direction *d = &relation->direction;
  bool shown = !relation->pairs_given && relation->kind == GRAZE_CERTIFICATE_TOUCH;
  c->pair_count = shown ? d->count : relation->pair_count;
  memcpy(c->pairs, relation->pairs, sizeof c->pairs);
  if (shown) memcpy(c->pairs, d->pairs, sizeof d->pairs);
}

/* The certificate of one pair of parts: its relation, and its lower bound by the same direction or one of its own. */
static bool read_part_proof(const reading *r, const json_t *object, graze_part_proof *part) {
  const json_t *certificate = get(object, "certificate");
  graze_certificate *c = &part->certificate;
  cli_proof relation = {.given = false}, lower = {.given = false};
  if (!read_part_numbers(r, object, &part->part_a, &part->part_b) ||
      !read_proof(r, get(certificate, "relation"), &relation) || !read_proof(r, get(certificate, "lower"), &lower))
    return false;
  c->kind = relation.kind;
  c->direction = relation.direction.form ? relation.direction : lower.direction;
  c->vertex = relation.vertex;
  c->vertex_point = relation.vertex_point;
  take_pairs(&relation, c);
  return true;
}

static bool read_part_proofs(const reading *r, const json_t *list) {
  size_t count = json_array_size(list);
  if (list == NULL) return true;
  if (!json_is_array(list) || count == 0 || count > CLI_MAX_PROOFS) return malformed(r, "parts", list);
  r->claim->parts = calloc(count, sizeof *r->claim->parts);
  if (r->claim->parts == NULL) return cli_reject_memory(r->complaint);
  r->claim->part_count = count;
  for (size_t i = 0; i < count; i++)
    if (!read_part_proof(r, json_array_get(list, i), &r->claim->parts[i])) return false;
  return true;
}

static bool read_certificate(const json_t *certificate, int dim, cli_claim *claim, cli_error *complaint) {
  const struct {
    const char *part;
    cli_proof *proof;
  } parts[] = {{"relation", &claim->relation_proof}, {"lower", &claim->lower_proof}, {"upper", &claim->upper_proof}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    reading r = {parts[i].part, dim, claim, complaint};
    if (!read_proof(&r, get(certificate, parts[i].part), parts[i].proof)) return false;
  }
  claim->pieces_a = get(certificate, "pieces_a");
  claim->pieces_b = get(certificate, "pieces_b");
  reading r = {"parts", dim, claim, complaint};
  return read_part_proofs(&r, get(certificate, "parts"));
}

static bool read_real(const reading *r, const json_t *root, const char *key, double *out) {
  const json_t *value = get(root, key);
  *out = NAN;
  if (value == NULL) return true;
  if (!json_is_number(value)) return malformed(r, key, value);
  *out = json_number_value(value);
  return true;
}

bool cli_claim_read(const json_t *root, int dim, cli_claim *claim, cli_error *complaint) {
  reading r = {"", dim, claim, complaint};
  const json_t *relation = get(root, "relation"), *certificate = get(root, "certificate");
  const char *stopped = json_string_value(get(root, "stopped"));
  int value = 0;
  memset(claim, 0, sizeof *claim);
  if (!read_word(relation, relations, RELATION_COUNT, &value)) return malformed(&r, "relation", relation);
  claim->relation = (graze_relation)value;
  claim->cutoff = stopped && strcmp(stopped, "cutoff") == 0;
  if (!read_real(&r, root, "distance", &claim->distance) || !read_real(&r, root, "lower", &claim->lower) ||
      !read_real(&r, root, "upper", &claim->upper) || !read_part_numbers(&r, root, &claim->part_a, &claim->part_b))
    return false;
  if (certificate == NULL) return true;
  claim->certificate = true;
  return json_is_object(certificate) ? read_certificate(certificate, dim, claim, complaint)
                                     : malformed(&r, "certificate", certificate);
}

static bool read_result(const reading *r, const json_t *root, bool ray, cli_cast_claim *claim) {
  const json_t *hit = get(root, "hit"), *result = get(root, "result"), *starts = get(root, "starts");
  int value = 0;
  if (ray && !json_is_boolean(hit)) return malformed(r, "hit", hit);
  if (ray) value = json_is_true(hit) ? GRAZE_HIT : GRAZE_CLEAR;
  if ((result || !ray) && !read_word(result, results, RESULT_COUNT, &value)) return malformed(r, "result", result);
  if (ray && json_is_true(hit) == (value == GRAZE_CLEAR)) return malformed(r, "result", result);
  claim->result = (graze_cast_outcome)value;
  value = 0;
  if ((starts || !ray) && !read_word(starts, relations, RELATION_COUNT, &value)) return malformed(r, "starts", starts);
  claim->starts = (graze_relation)value;
  return true;
}

static bool read_bracket(const reading *r, const json_t *root, cli_cast_claim *claim) {
  const json_t *list = get(root, "min_distance");
  double *ends[2] = {&claim->min_lower, &claim->min_upper};
  claim->passing = list != NULL;
  *ends[0] = *ends[1] = NAN;
  if (list && (!json_is_array(list) || json_array_size(list) != 2)) return malformed(r, "min_distance", list);
  for (size_t i = 0; list && i < 2; i++) {
    const json_t *end = json_array_get(list, i);
    if (!json_is_number(end) && !json_is_null(end)) return malformed(r, "min_distance", list);
    if (json_is_number(end)) *ends[i] = json_number_value(end);
  }
  return read_real(r, root, "t", &claim->t) && read_real(r, root, "t_lower", &claim->t_lower) &&
         read_real(r, root, "t_upper", &claim->t_upper) && read_real(r, root, "t_min", &claim->t_min);
}

static bool read_step(const reading *r, const json_t *object, graze_cast_step *step) {
  const json_t *from = get(object, "t0"), *to = get(object, "t1"), *direction = get(object, "direction");
  if (!json_is_object(object)) return malformed(r, "", object);
  if (!json_is_number(from)) return malformed(r, "t0", from);
  if (!json_is_number(to)) return malformed(r, "t1", to);
  step->from = json_number_value(from);
  step->to = json_number_value(to);
  step->direction.form = GRAZE_DIRECTION_VECTOR;
  return read_point(direction, r->dim, &step->direction.vector) || malformed(r, "direction", direction);
}

/* The verifier checks that they follow each other without a gap. An empty list ends at t = 0. */
static bool read_steps(const reading *r, const json_t *list, cli_cast_claim *claim) {
  size_t count = json_array_size(list);
  if (list == NULL) return true;
  if (!json_is_array(list) || count > CLI_MOST_STEPS) return malformed(r, "", list);
  claim->steps = calloc(count + 1, sizeof *claim->steps);
  if (claim->steps == NULL) return cli_reject_memory(r->complaint);
  claim->step_count = count;
  for (size_t i = 0; i < count; i++)
    if (!read_step(r, json_array_get(list, i), &claim->steps[i])) return false;
  return true;
}

bool cli_cast_claim_read(const json_t *root, int dim, bool ray, cli_cast_claim *claim, cli_error *complaint) {
  cli_claim owner = {.certificate = false}; /* none of the proofs in `parts` owns anything */
  reading r = {"", dim, &owner, complaint};
  const json_t *certificate = get(root, "certificate");
  memset(claim, 0, sizeof *claim);
  const struct {
    const char *part;
    cli_proof *proof;
  } parts[] = {{"relation", &claim->relation},
               {"t_lower", &claim->free},
               {"t_upper", &claim->meets},
               {"lower", &claim->lower},
               {"upper", &claim->upper}};
  if (!read_result(&r, root, ray, claim) || !read_bracket(&r, root, claim) ||
      !read_part_numbers(&r, root, &claim->part_a, &claim->part_b))
    return false;
  if (certificate && !json_is_object(certificate)) return malformed(&r, "certificate", certificate);
  claim->certificate = certificate != NULL;
  claim->pieces_a = get(certificate, "pieces_a");
  claim->pieces_b = get(certificate, "pieces_b");
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    r.part = parts[i].part;
    if (!read_proof(&r, get(certificate, parts[i].part), parts[i].proof)) return false;
  }
  r.part = "steps";
  return read_steps(&r, get(certificate, "steps"), claim);
}

void cli_cast_claim_free(cli_cast_claim *claim) { free(claim->steps); }

void cli_claim_free(cli_claim *claim) {
  free(claim->surface_pairs);
  free(claim->surface_faces);
  free(claim->parts);
}
