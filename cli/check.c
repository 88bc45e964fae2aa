/* The check of an answer line: its numbers are consistent, and graze_verify() proves them. */
#include "verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"json", 0, NULL, "print one JSON object for each answer, with its verdict, then one with the counts"},
};

const cli_verb cli_verify_verb = {
    "verify",
    "QUERIES ANSWERS",
    "Checks the n-th answer of ANSWERS against the n-th query of QUERIES, in exact arithmetic:\n"
    "the certificate must prove the relation, and the stated interval must follow from it.\n"
    "The check is done by graze-verify, a program that contains no solver.",
    "Either file may be -, standard input. The output is the number of answers that are\n"
    "   verified   proved by their certificates\n"
    "   unproven   without a proof, for instance without a certificate. Some proofs are only\n"
    "              written with \"proof\":true: the depth of hulls, compounds that do not\n"
    "              overlap, and bodies that rotate\n"
    "   refused    wrong; standard error names each of them and the reason\n"
    "   errors     error lines, which state nothing\n"
    "\n"
    "exit status:\n"
    "   0  no answer is refused\n"
    "   1  some answers are refused\n"
    "   2  usage error, a file that cannot be read, or different numbers of lines\n"
    "\n"
    "example:\n"
    "   graze query queries.jsonl > answers.jsonl\n"
    "   graze verify queries.jsonl answers.jsonl\n",
    options,
    sizeof options / sizeof *options,
    NULL,
};

static cli_verdict conclude(cli_verdict verdict, const char *message, cli_error *reason) {
  cli_reject(reason, CLI_BAD_JSON, "%s", message);
  return verdict;
}

/* The verdict for a status of the verifier; `fallback` is that for a status other than refuted or unproven. */
static cli_verdict verdict_of(graze_status status, cli_verdict fallback, cli_error *reason) {
  if (status == GRAZE_OK) return CLI_VERIFIED;
  cli_verdict verdict = status == GRAZE_REFUTED ? CLI_REJECTED : status == GRAZE_UNPROVEN ? CLI_UNPROVEN : fallback;
  return conclude(verdict, graze_status_text(status), reason);
}

static cli_verdict worse(cli_verdict a, cli_verdict b) { return a > b ? a : b; }

/* ---- Pieces: their internal edges are recomputed from the points; graze_verify_pieces() checks the rest */

/* An edge of a piece, with its ends in lexicographic order. */
typedef struct edge {
  graze_vec low, high;
  bool ascending; /* the piece runs from low to high */
  int32_t piece;
} edge;

typedef struct tiling {
  graze_decomposition pieces;
  graze_vec *vertices;
  size_t *start;
  graze_internal_edge *internal_edges;
  edge *edges;
} tiling;

static int compare_points(graze_vec p, graze_vec q) {
  if (p.x != q.x) return p.x < q.x ? -1 : 1;
  return p.y < q.y ? -1 : p.y > q.y;
}

static int compare_edges(const void *first, const void *second) {
  const edge *e = first, *g = second;
  int low = compare_points(e->low, g->low), high = compare_points(e->high, g->high);
  if (low || high) return low ? low : high;
  return e->ascending != g->ascending ? e->ascending - g->ascending : (e->piece > g->piece) - (e->piece < g->piece);
}

/* Reads the points of all pieces into one list. */
static bool read_pieces(tiling *t, const json_t *list, const char *name, cli_error *reason) {
  size_t count = json_array_size(list), total = 0;
  for (size_t i = 0; i < count; i++) total += json_array_size(json_array_get(list, i));
  t->vertices = malloc((total + 1) * sizeof *t->vertices);
  t->start = calloc(count + 1, sizeof *t->start);
  if (t->vertices == NULL || t->start == NULL) return cli_reject_memory(reason);
  for (size_t i = 0; i < count; i++) {
    const json_t *piece = json_array_get(list, i);
    size_t size = json_array_size(piece);
    cli_name at = {"", name, (ptrdiff_t)i};
    for (size_t k = 0; k < size; k++)
      if (!cli_read_vec(json_array_get(piece, k), at, 2, &t->vertices[t->start[i] + k], reason)) return false;
    t->start[i + 1] = t->start[i] + size;
  }
  t->pieces = (graze_decomposition){.vertices = t->vertices, .piece_start = t->start, .piece_count = count};
  return true;
}

/* Finds the edges that two pieces share in opposite directions. The verifier rejects edges shared by more than two. */
static bool find_internal_edges(tiling *t, cli_error *reason) {
  size_t count = t->start[t->pieces.piece_count];
  edge *e = t->edges = malloc((count + 1) * sizeof *t->edges);
  t->internal_edges = malloc((count + 1) * sizeof *t->internal_edges);
  if (t->edges == NULL || t->internal_edges == NULL) return cli_reject_memory(reason);
  for (size_t i = 0; i < t->pieces.piece_count; i++) {
    for (size_t k = t->start[i]; k < t->start[i + 1]; k++) {
      graze_vec from = t->vertices[k], to = t->vertices[k + 1 < t->start[i + 1] ? k + 1 : t->start[i]];
      bool ascending = compare_points(from, to) < 0;
      *e++ = (edge){ascending ? from : to, ascending ? to : from, ascending, (int32_t)i};
    }
  }
  qsort(t->edges, count, sizeof *t->edges, compare_edges);
  for (size_t k = 0; k + 1 < count; k++) {
    const edge *back = &t->edges[k], *forth = back + 1;
    bool same = compare_points(back->low, forth->low) == 0 && compare_points(back->high, forth->high) == 0;
    if (!same || back->ascending || !forth->ascending) continue;
    t->internal_edges[t->pieces.internal_edge_count++] =
        (graze_internal_edge){forth->piece, back->piece, back->low, back->high};
  }
  t->pieces.internal_edges = t->internal_edges;
  return true;
}

/* Checks that the pieces (NULL: missing) tile the polygon. With `replace`, the body becomes their compound. */
static cli_verdict check_pieces(const json_t *list, const char *name, cli_body *body, bool replace, cli_error *reason) {
  tiling t = {.vertices = NULL};
  graze_compound *compound = NULL;
  cli_verdict verdict = CLI_REJECTED;
  if (list == NULL) {
    cli_reject(reason, CLI_BAD_JSON, "%s: missing, must be the convex pieces of the polygon", name);
    return CLI_UNPROVEN;
  }
  if (!json_is_array(list) || json_array_size(list) == 0) {
    cli_reject(reason, CLI_BAD_JSON, "%s: malformed, must be a list of pieces", name);
  } else if (read_pieces(&t, list, name, reason) && find_internal_edges(&t, reason)) {
    graze_ring outline = {body->vertices, body->vertex_count};
    graze_status status = graze_verify_pieces(outline, body->holes, body->hole_count, &t.pieces, NULL);
    bool good =
        status == GRAZE_OK && (!replace || graze_decomposition_compound(&t.pieces, NULL, &compound) == GRAZE_OK);
    if (good)
      verdict = CLI_VERIFIED;
    else if (status == GRAZE_OK || status == GRAZE_OUT_OF_MEMORY)
      cli_reject_memory(reason);
    else
      cli_reject(reason, CLI_BAD_JSON, "%s: %s", name,
                 status == GRAZE_REFUTED ? "the pieces are not the polygon" : graze_status_text(status));
  }
  if (compound != NULL) cli_body_set_compound(body, compound);
  free(t.vertices);
  free(t.start);
  free(t.internal_edges);
  free(t.edges);
  return verdict;
}

/* ---- Checks that answers about rest and motion have in common */

/* Returns whether a half-angle pair in the answer is the one of the angle in the query. */
static bool same_rotation(const json_t *pair, const cli_body *body) {
  if (!body->angle_given || pair == NULL) return true;
  const json_t *w = json_array_get(pair, 0), *z = json_array_get(pair, 1);
  return json_array_size(pair) == 2 && json_is_number(w) && json_is_number(z) &&
         json_number_value(w) == body->placed.pose.w && json_number_value(z) == body->placed.pose.z;
}

static bool same_rotations(const json_t *root, const char *key, const char *part_key, const cli_body *body) {
  const json_t *list = json_object_get(root, part_key);
  if (!same_rotation(json_object_get(root, key), body)) return false;
  if (list && (!json_is_array(list) || json_array_size(list) != body->part_count)) return false;
  for (size_t i = 0; list && i < body->part_count; i++)
    if (!same_rotation(json_array_get(list, i), &body->parts[i])) return false;
  return true;
}

/* `problem`: a contradiction among the numbers, or NULL. */
static cli_verdict check_common(cli_request *r, const json_t *root, const cli_parsed *x, const char *problem,
                                cli_error *reason) {
  if (problem) return conclude(CLI_REJECTED, problem, reason);
  if (!same_rotations(root, "rotation_a", "part_rotations_a", &r->a) ||
      !same_rotations(root, "rotation_b", "part_rotations_b", &r->b))
    return conclude(CLI_REJECTED, "rotation: not the half-angle pair of the angle in the query", reason);
  if (!x->certificate) return conclude(CLI_UNPROVEN, "certificate: missing", reason);
  graze_frame frame;
  const graze_shape_kind a = graze_part(&r->a.placed, (size_t)x->part_a, &frame).shape.kind,
                         b = graze_part(&r->b.placed, (size_t)x->part_b, &frame).shape.kind;
  const bool of_boxes = x->relation_proof.box_axes || x->upper_proof.box_axes || x->t_upper_proof.box_axes;
  if (of_boxes && (a != GRAZE_BOX || b != GRAZE_BOX))
    return conclude(CLI_REJECTED, "axes: \"box\", but the shapes are not two boxes", reason);
  cli_verdict verdict = CLI_VERIFIED;
  if (r->a.concave) verdict = check_pieces(x->pieces_a, "pieces_a", &r->a, true, reason);
  if (verdict == CLI_VERIFIED && r->b.concave) verdict = check_pieces(x->pieces_b, "pieces_b", &r->b, true, reason);
  return verdict;
}

static bool has_curved(const cli_request *r) { return cli_body_is_curved(&r->a) || cli_body_is_curved(&r->b); }

/* ---- Shapes at rest */

/* Returns a contradiction among the numbers, or NULL. Comparisons with missing numbers (NaN) are false. */
static const char *contradiction(const cli_request *r, const cli_parsed *x) {
  const bool internal_edge = x->relation_proof.kind == GRAZE_CERTIFICATE_INTERNAL_EDGE; /* proves no depth */
  const double numbers[] = {x->distance, x->lower, x->upper};
  if (x->lower > x->upper) return "lower: above upper";
  if (x->distance < x->lower || x->distance > x->upper) return "distance: outside [lower, upper]";
  if (x->relation == GRAZE_SEPARATED && (x->distance <= 0 || x->lower < 0)) return "relation: separated without a gap";
  if (x->relation == GRAZE_OVERLAPPING && (x->distance > 0 || (x->distance == 0 && !internal_edge) || x->upper > 0))
    return "relation: overlapping with a gap";
  for (int i = 0; x->relation == GRAZE_TOUCHING && i < 3; i++)
    if (!isnan(numbers[i]) && numbers[i] != 0) return "relation: touching at a distance other than 0";
  if (x->relation == GRAZE_UNDECIDED && !r->filter && !has_curved(r))
    return "relation: undecided, but neither shape is curved";
  if (!x->cutoff) return NULL;
  if (isinf(r->options.max_distance)) return "stopped: cutoff, but the query has no max_distance";
  if (!(x->lower >= r->options.max_distance)) return "stopped: cutoff below max_distance";
  if (!isnan(x->distance) || !isnan(x->upper)) return "stopped: cutoff with a distance or an upper bound";
  return NULL;
}

/* Assembles a certificate from the parts of the line and verifies it. */
static cli_verdict verify(const cli_request *r, const cli_parsed *x, graze_relation relation,
                          const graze_direction *direction, const cli_proof *pairs, double lower, double upper,
                          cli_error *reason) {
  graze_answer answer = {relation, .distance = NAN, .lower = lower, .upper = upper};
  if (relation == GRAZE_TOUCHING) answer.distance = answer.lower = answer.upper = 0;
  graze_certificate c = cli_assemble(&x->points, &x->relation_proof, direction, pairs);
  answer.part_a = x->part_a;
  answer.part_b = x->part_b;
  c.parts = x->parts;
  c.part_count = x->part_count;
  if (x->frontier.nodes != NULL) c.frontier = &x->frontier;
  if (!isnan(upper)) c.depth_proof = x->upper_proof.depth_proof;
  if (c.depth_proof == GRAZE_DEPTH_BY_SURFACE) c.surface = &x->upper_proof.surface;
  return verdict_of(graze_verify(&r->a.placed, &r->b.placed, &r->options, &answer, &c), CLI_REJECTED, reason);
}

static cli_verdict check_rest(cli_request *r, const json_t *root, const cli_parsed *x, cli_error *reason) {
  cli_verdict verdict = check_common(r, root, x, contradiction(r, x), reason);
  if (verdict != CLI_VERIFIED) return verdict;
  /* The parts may use different directions and pairs for the relation and the bounds. Each is then verified separately,
   * together with the relation. */
  const cli_proof *relation = &x->relation_proof, *lower = &x->lower_proof, *upper = &x->upper_proof;
  const graze_direction *low = lower->direction.form ? &lower->direction : &relation->direction;
  const graze_direction *direction = relation->direction.form ? &relation->direction : low;
  const cli_proof *high = upper->pairs_given ? upper : relation, *pairs = relation->pairs_given ? relation : high;
  const bool same_lower = memcmp(direction, low, sizeof *direction) == 0;
  const bool same_upper =
      pairs->pair_count == high->pair_count && memcmp(pairs->pairs, high->pairs, sizeof pairs->pairs) == 0;
  verdict =
      verify(r, x, x->relation, direction, pairs, same_lower ? x->lower : NAN, same_upper ? x->upper : NAN, reason);
  if (!same_lower) verdict = worse(verdict, verify(r, x, x->relation, low, pairs, x->lower, NAN, reason));
  if (!same_upper) verdict = worse(verdict, verify(r, x, x->relation, direction, high, NAN, x->upper, reason));
  if (verdict != CLI_VERIFIED || (!isnan(x->lower) && (!isnan(x->upper) || x->cutoff))) return verdict;
  if (cli_query_has_distance(r->query) && !r->filter) return conclude(CLI_UNPROVEN, "lower, upper: missing", reason);
  if (!isnan(x->distance) && x->relation != GRAZE_TOUCHING)
    return conclude(CLI_UNPROVEN, "distance: without an interval", reason);
  return verdict;
}

/* ---- Motion */

static const char compounds[] = "proofs of the motion of compounds and meshes are not supported yet";

/* Returns whether the method may answer by a sweep or by samples. */
static bool may_sweep(const cli_request *r) {
  return cli_turns(&r->motion) || r->method == CLI_METHOD_SWEEP || r->method == CLI_METHOD_CA ||
         r->method == CLI_METHOD_DISCRETE;
}

/* Returns whether the answer has no direction that separates from 0 to t_lower: only steps prove it. */
static bool is_sweep(const cli_request *r, const cli_parsed *x) {
  bool sampled = r->method == CLI_METHOD_DISCRETE && x->relation == GRAZE_TOUCHING;
  return x->steps || (may_sweep(r) && !x->t_lower_proof.given && (sampled || x->relation == GRAZE_SEPARATED));
}

static bool have_parts(const cli_request *r) { return cli_has_parts(&r->a) || cli_has_parts(&r->b); }

/* Returns a contradiction among the numbers, or NULL. */
static const char *cast_contradiction(const cli_request *r, const cli_parsed *x) {
  const bool inexact = has_curved(r) || have_parts(r), clear = x->outcome == GRAZE_CLEAR;
  if (x->outcome == GRAZE_POSSIBLE && !inexact && !may_sweep(r))
    return "result: possible, but neither shape is curved, a compound or a mesh";
  if (x->relation == GRAZE_UNDECIDED && !inexact)
    return "starts: undecided, but neither shape is curved, a compound or a mesh";
  if (clear && (!isnan(x->t) || !isnan(x->t_lower) || !isnan(x->t_upper)))
    return "result: clear with a time of contact";
  if (!clear && (x->has_distance || !isnan(x->t_min))) return "result: not clear, but with a least distance";
  if (x->steps && x->relation != GRAZE_SEPARATED) return "steps: the shapes must be separated at the start";
  if (x->t < x->t_lower || x->t > x->t_upper) return "t: outside [t_lower, t_upper]";
  if (x->t_min < 0 || x->t_min > r->motion.t_max) return "t_min: outside the motion";
  return x->min_lower > x->min_upper ? "min_distance: an empty interval" : NULL;
}

static cli_verdict verify_cast(const cli_request *r, const cli_parsed *x, graze_relation starts,
                               graze_certificate *certificate, double min_lower, cli_error *reason) {
  const cli_motion *m = &r->motion;
  graze_cast_result result = {.outcome = x->outcome,
                              .start_relation = starts,
                              .algorithm = is_sweep(r, x) ? GRAZE_ALGORITHM_SWEEP : GRAZE_ALGORITHM_FCCD,
                              .part_a = x->part_a,
                              .part_b = x->part_b,
                              .t = x->t,
                              .t_lower = x->t_lower,
                              .t_upper = x->t_upper};
  result.min_lower = result.min_upper = result.t_min = NAN;
  /* A sweep states no least distance. If a cast states none, any bound is right; in contact it is 0. */
  if (x->outcome == GRAZE_CLEAR && (!may_sweep(r) || x->has_distance || !isnan(x->t_min))) {
    result.min_lower = isnan(min_lower) ? 0 : min_lower;
    result.min_upper = starts == GRAZE_TOUCHING && !x->has_distance ? 0 : x->min_upper;
    result.t_min = x->t_min;
  }
  certificate->steps = x->steps;
  certificate->step_count = x->step_count;
  graze_status status =
      graze_verify_cast(&r->a.placed, &m->a, &r->b.placed, &m->b, m->t_max, &r->cast, &result, certificate);
  if (status == GRAZE_UNSUPPORTED && have_parts(r)) return conclude(CLI_UNPROVEN, compounds, reason);
  return verdict_of(status, CLI_UNPROVEN, reason);
}

/* Verifies the relation at t = 0 by its own direction. */
static cli_verdict verify_start(const cli_request *r, const cli_parsed *x, graze_relation starts, cli_error *reason) {
  return verify(r, x, starts, &x->relation_proof.direction, &x->relation_proof, NAN, NAN, reason);
}

static cli_verdict verify_sweep(const cli_request *r, const cli_parsed *x, cli_error *reason) {
  if (x->steps) {
    if (x->outcome == GRAZE_HIT && !x->t_upper_proof.given)
      return conclude(CLI_UNPROVEN, "t_upper: without a proof of the contact", reason);
    /* The steps also prove the relation at t = 0; if the line has another proof of it, that must be right too. */
    cli_verdict start = x->relation_proof.given ? verify_start(r, x, x->relation, reason) : CLI_VERIFIED;
    const cli_proof *contact = &x->t_upper_proof;
    bool halfspace = contact->kind == GRAZE_CERTIFICATE_HALFSPACE;
    graze_certificate certificate =
        cli_assemble(&x->points, halfspace ? contact : &x->relation_proof, &x->relation_proof.direction, contact);
    if (contact->depth_proof == GRAZE_DEPTH_BY_AXES) certificate.depth_proof = GRAZE_DEPTH_BY_AXES;
    return worse(start, verify_cast(r, x, x->relation, &certificate, NAN, reason));
  }
  if (verify_start(r, x, x->relation, reason) == CLI_REJECTED) return CLI_REJECTED;
  if (r->method == CLI_METHOD_DISCRETE)
    return conclude(CLI_UNPROVEN, "samples prove nothing about the time between them", reason);
  if (have_parts(r)) return conclude(CLI_UNPROVEN, compounds, reason);
  return conclude(CLI_UNPROVEN,
                  "steps: missing, a sweep is proved by its steps: query with method auto or sweep and \"proof\":true",
                  reason);
}

/* The parts may use different directions: for the start, for the time before the contact, and for the least distance.
 * Each is then verified separately. */
static cli_verdict verify_directions(const cli_request *r, const cli_parsed *x, graze_relation starts,
                                     cli_error *reason) {
  const graze_direction *start = &x->relation_proof.direction, *near = &x->lower_proof.direction;
  const cli_proof *pairs = starts != GRAZE_SEPARATED   ? &x->relation_proof
                           : x->outcome == GRAZE_CLEAR ? &x->upper_proof
                                                       : &x->t_upper_proof;
  if (is_sweep(r, x)) return verify_sweep(r, x, reason);
  const graze_direction *before = x->t_lower_proof.direction.form ? &x->t_lower_proof.direction
                                  : near->form                    ? near
                                                                  : start;
  if (near->form == GRAZE_DIRECTION_NONE) near = before;
  const bool same_start = start->form == GRAZE_DIRECTION_NONE || memcmp(start, before, sizeof *start) == 0;
  const bool same_near = memcmp(near, before, sizeof *near) == 0;
  graze_certificate certificate = cli_assemble(&x->points, &x->relation_proof, before, pairs);
  cli_verdict verdict = verify_cast(r, x, starts, &certificate, same_near ? x->min_lower : NAN, reason);
  if (!same_start) verdict = worse(verdict, verify_start(r, x, starts, reason));
  certificate = cli_assemble(&x->points, &x->relation_proof, near, pairs);
  if (!same_near) verdict = worse(verdict, verify_cast(r, x, starts, &certificate, x->min_lower, reason));
  return verdict;
}

static cli_verdict check_cast(cli_request *r, const json_t *root, const cli_parsed *x, cli_error *reason) {
  const bool clear = x->outcome == GRAZE_CLEAR;
  const graze_certificate_kind kind = x->relation_proof.kind;
  /* The relation at t = 0. The answer to a ray does not state it: without a hit at 0 the ray starts outside. */
  const graze_relation starts = x->relation                           ? x->relation
                                : clear || x->t_upper > 0             ? GRAZE_SEPARATED
                                : kind == GRAZE_CERTIFICATE_NONE      ? GRAZE_UNDECIDED
                                : kind == GRAZE_CERTIFICATE_SEPARATED ? GRAZE_SEPARATED
                                : kind == GRAZE_CERTIFICATE_TOUCH     ? GRAZE_TOUCHING
                                                                      : GRAZE_OVERLAPPING;
  cli_verdict verdict = check_common(r, root, x, cast_contradiction(r, x), reason);
  if (verdict != CLI_VERIFIED) return verdict;
  if (!clear && (isnan(x->t) || isnan(x->t_lower) || isnan(x->t_upper)))
    return conclude(CLI_UNPROVEN, "t, t_lower, t_upper: missing", reason);
  if (!clear && starts == GRAZE_UNDECIDED)
    return conclude(CLI_UNPROVEN, "relation: without a proof of the start", reason);
  verdict = verify_directions(r, x, starts, reason);
  /* A ray starts in a half-space or on its boundary; one certificate proves both. */
  if (verdict == CLI_REJECTED && x->relation == 0 && starts == GRAZE_OVERLAPPING && kind == GRAZE_CERTIFICATE_HALFSPACE)
    verdict = verify_directions(r, x, GRAZE_TOUCHING, reason);
  if (verdict != CLI_VERIFIED) return verdict;
  *reason = (cli_error){CLI_OK, ""};
  if (clear && r->query == CLI_SHAPECAST && !is_sweep(r, x) && isnan(x->min_lower))
    return conclude(CLI_UNPROVEN, "min_distance: missing", reason);
  return verdict;
}

/* ---- All answers */

/* Returns whether the query is invalid because the mesh is not solid. */
static bool is_open(const cli_body *body) { return body->must_be_solid && !graze_mesh_is_solid(body->mesh); }

static cli_verdict check_request(cli_request *r, const json_t *root, cli_span answer_id, cli_error *reason) {
  const char *query = json_string_value(json_object_get(root, "query"));
  const bool motion = cli_query_has_motion(r->query);
  if (!cli_json_same_id(r->id, answer_id)) return conclude(CLI_REJECTED, "id: not the id of the query", reason);
  if (query == NULL) return conclude(CLI_REJECTED, "query: missing", reason);
  if (strcmp(query, cli_query_text(r->query)) != 0)
    return conclude(CLI_REJECTED, "query: not the query of the line", reason);
  if (is_open(&r->a) || is_open(&r->b)) return conclude(CLI_REJECTED, "solid: the mesh is not solid", reason);
  if (r->query == CLI_MINKOWSKI) return conclude(CLI_UNPROVEN, "the Minkowski set has no certificate", reason);
  if (r->query == CLI_DECOMPOSE) {
    cli_verdict verdict = check_pieces(json_object_get(root, "pieces"), "pieces", &r->a, false, reason);
    if (verdict != CLI_VERIFIED) return verdict;
    return conclude(CLI_UNPROVEN, "the pieces are the polygon; area and fewest have no certificate", reason);
  }
  if (cli_query_has_one_shape(r->query) && !motion)
    return conclude(CLI_UNPROVEN, "answers about one shape have no certificate", reason);
  cli_parsed x;
  cli_verdict verdict = CLI_REJECTED;
  if (cli_parse_answer(root, r, &x, reason)) verdict = (motion ? check_cast : check_rest)(r, root, &x, reason);
  cli_parsed_free(&x);
  return verdict;
}

cli_verdict cli_check(const cli_line *query, const cli_line *answer, cli_span *id, cli_error *reason) {
  cli_request r;
  cli_error error;
  cli_verdict verdict;
  *id = cli_json_id(query->text);
  *reason = (cli_error){CLI_OK, ""};
  if (answer->too_long) return conclude(CLI_REJECTED, "line: too long, must be at most 64 MiB", reason);
  json_t *root = cli_json_line(answer->text, reason);
  if (root == NULL) return CLI_REJECTED;
  const json_t *e = json_object_get(root, "error");
  if (e) {
    bool complete = json_is_string(json_object_get(e, "code")) && json_is_string(json_object_get(e, "message"));
    verdict = complete ? CLI_ERROR_LINE : conclude(CLI_REJECTED, "error: must have a code and a message", reason);
  } else if (cli_request_read(query, &r, &error)) {
    verdict = check_request(&r, root, cli_json_id(answer->text), reason);
    if (verdict == CLI_REJECTED && reason->code == CLI_OUT_OF_MEMORY) verdict = CLI_UNPROVEN;
    cli_request_free(&r);
  } else {
    const bool file = error.code == CLI_BAD_FILE, unsupported = error.code == CLI_UNSUPPORTED;
    cli_reject(reason, CLI_BAD_JSON, "%s: %s",
               file          ? "query without its file"
               : unsupported ? "unsupported query"
                             : "answer to an invalid query",
               error.message);
    verdict = file || unsupported ? CLI_UNPROVEN : CLI_REJECTED;
  }
  json_decref(root);
  return verdict;
}
