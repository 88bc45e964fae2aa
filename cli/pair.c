/* Queries about two shapes, and their answers. */
#include "answers.h"

#include <math.h>
#include <stdlib.h>

/* Sizes of the workspace, in points. */
enum {
  FIRST_POINTS = 8192, /* curved shapes need many if many points of the CSO boundary are nearest the origin */
  PROOF_POINTS = 2050, /* with proof: these span 4096 triangles, the maximum of the verifier */
  MAX_POINTS = 1 << 16,
  FIRST_NODES = 1024, /* of a frontier, and certificates of its pairs */
  FLAT_POINTS = 4,    /* additional points for a flat Minkowski set */
  FIRST_STEPS = 256
};

void cli_buffer_free(cli_buffer *buffer) {
  free(buffer->data);
  *buffer = (cli_buffer){0};
}

/* Sets a workspace for `points` points. The previous content of the buffer is lost. */
static bool set_workspace(cli_request *r, cli_buffer *buffer, size_t points, cli_error *error) {
  size_t size = graze_workspace_size(points);
  if (size > buffer->size) {
    cli_buffer_free(buffer);
    buffer->data = malloc(size);
    if (buffer->data == NULL) return cli_reject_memory(error);
    buffer->size = size;
  }
  r->options.workspace = r->cast.workspace = buffer->data;
  r->options.workspace_size = r->cast.workspace_size = size;
  return true;
}

/* ---- One run of a method */

static graze_status solve(const cli_request *r, cli_pair_result *result) {
  const graze_placed *a = &r->a.placed, *b = &r->b.placed;
  const bool obb = r->query == CLI_OBB, sat = r->method == CLI_METHOD_SAT;
  const bool has_axis = obb || (sat && cli_query_has_distance(r->query));
  graze_status status = GRAZE_OK;
  /* The axes are tested before the answer, because they may use the workspace where its surface will lie. */
  if (has_axis || (sat && r->trace)) {
    graze_axis_function visit = r->trace ? cli_trace_axis : NULL;
    status = graze_compare_axes(a, b, &r->options, visit, &result->trace, &result->axis);
    result->has_axis = has_axis && status == GRAZE_OK;
    if (status != GRAZE_OK && (status != GRAZE_UNSUPPORTED || obb)) return status; /* two points have no axis */
  }
  if (r->method == CLI_METHOD_BRUTE)
    status = graze_compare_brute(a, b, &r->options, &result->answer);
  else if (sat)
    status = graze_compare_sat(a, b, &r->options, &result->answer);
  else
    status = (r->query == CLI_INTERSECT ? graze_intersect : graze_distance)(a, b, &r->options, &result->answer);
  if (status != GRAZE_OK || r->query != CLI_MANIFOLD) return status;
  /* The contact points are computed separately: only the distance has a certificate and a method. */
  graze_manifold_options options = graze_default_manifold_options();
  graze_answer answer;
  options.clearance = r->options.clearance;
  options.speculative_distance = r->options.max_distance;
  options.tolerance = r->options.tolerance;
  options.max_iterations = r->options.max_iterations;
  return graze_manifold(a, b, &options, &answer, result->contacts, result->capacity, &result->count);
}

static graze_status cast(const cli_request *r, graze_cast_result *result) {
  const graze_placed *a = &r->a.placed, *b = &r->b.placed;
  const cli_motion *m = &r->motion;
  if (r->query == CLI_RAYCAST) return graze_raycast(a, b->pose.position, m->b.velocity, m->t_max, &r->cast, result);
  if (r->method == CLI_METHOD_LCCD) return graze_compare_lccd(NULL, a, &m->a, b, &m->b, m->t_max, &r->cast, result);
  if (r->method == CLI_METHOD_DISCRETE)
    return graze_compare_sampling((void *)&r->samples, a, &m->a, b, &m->b, m->t_max, &r->cast, result);
  return graze_cast(a, &m->a, b, &m->b, m->t_max, &r->cast, result);
}

/* ---- Statuses */

/* Reports the methods that support the shapes. The library decides: each method gets the query, with a minimal budget.
 */
static bool reject_method(const cli_request *r, cli_error *error) {
  const bool moves = cli_query_has_motion(r->query);
  const char *names[CLI_METHOD_COUNT + 1] = {NULL};
  char choice[CLI_CHOICE_SIZE];
  size_t count = 0;
  cli_request other = *r;
  other.trace = false;
  other.options = graze_default_options();
  other.options.clearance = r->options.clearance;
  other.options.max_iterations = other.cast.max_iterations = 1;
  other.cast.certificate = NULL;
  for (int i = 0; i < CLI_METHOD_COUNT; i++) {
    cli_pair_result result = {.count = 0};
    graze_cast_result moved;
    if (cli_set_method(&other, (cli_method)i) &&
        (moves ? cast(&other, &moved) : solve(&other, &result)) != GRAZE_UNSUPPORTED)
      names[count++] = cli_method_text((cli_method)i);
  }
  return cli_reject(error, CLI_UNSUPPORTED, "method: not supported (\"%s\"), for %s it %s", cli_method_text(r->method),
                    !moves ? "these shapes" : "these shapes and motions", cli_choice("", names, choice));
}

bool cli_reject_status(const cli_request *r, graze_status status, cli_error *error) {
  const char *query = cli_query_text(r->query), *method = cli_method_text(r->method);
  const bool planes = r->a.placed.shape.kind == GRAZE_HALFSPACE && r->b.placed.shape.kind == GRAZE_HALFSPACE;
  if (status == GRAZE_UNSUPPORTED && planes)
    return cli_reject(error, CLI_UNSUPPORTED, "%s: not supported for two half-spaces, one shape must be another type",
                      query);
  if (status == GRAZE_UNSUPPORTED && r->method != CLI_METHOD_AUTO) return reject_method(r, error);
  if (status == GRAZE_NO_SPACE && r->query == CLI_MINKOWSKI)
    return cli_reject(error, CLI_UNSUPPORTED,
                      "minkowski: the magnitudes of the numbers differ too much, use intersect or distance");
  if (status == GRAZE_NO_SPACE)
    return cli_reject(error, CLI_UNSUPPORTED,
                      "method: not supported (\"%s\"), the shapes have too many vertices: use auto", method);
  return cli_reject(error, status == GRAZE_UNSUPPORTED ? CLI_UNSUPPORTED : CLI_BAD_NUMBER, "%s: %s", query,
                    graze_status_text(status));
}

/* ---- Proofs for all pairs of parts */

static bool set_part_capacity(cli_request *r, cli_pair_result *result, size_t count, cli_error *error) {
  free(result->parts);
  r->options.parts = result->parts = malloc(count * sizeof *result->parts);
  r->options.part_capacity = count;
  return result->parts != NULL || cli_reject_memory(error);
}

static bool set_node_capacity(cli_pair_result *result, size_t count, cli_error *error) {
  free(result->frontier.nodes);
  result->frontier.nodes = malloc(count * sizeof *result->frontier.nodes);
  result->frontier.node_capacity = count;
  return result->frontier.nodes != NULL || cli_reject_memory(error);
}

/* Compounds have a certificate for each pair of parts, bodies with a mesh a frontier. */
static bool set_parts(cli_request *r, cli_pair_result *result, cli_error *error) {
  const size_t n = graze_part_count(&r->a.placed), m = graze_part_count(&r->b.placed);
  if (r->a.mesh != NULL || r->b.mesh != NULL) {
    r->options.frontier = &result->frontier;
    return set_node_capacity(result, FIRST_NODES, error) && set_part_capacity(r, result, FIRST_NODES, error);
  }
  if (!cli_has_parts(&r->a) && !cli_has_parts(&r->b)) return true;
  if (n > CLI_MAX_PROOFS / m)
    return cli_reject(error, CLI_UNSUPPORTED, "proof: too many pairs of parts (%zu and %zu parts), must be at most %d",
                      n, m, CLI_MAX_PROOFS);
  return set_part_capacity(r, result, n * m, error);
}

static bool frontier_is_full(const cli_pair_result *result) {
  return result->frontier.node_count > result->frontier.node_capacity ||
         (result->frontier.node_count > 0 && result->certificate.part_count > FIRST_NODES);
}

/* Gives the frontier the capacities that the last run needed. */
static bool grow_frontier(cli_request *r, cli_pair_result *result, cli_error *error) {
  const size_t nodes = result->frontier.node_count, pairs = result->certificate.part_count;
  if (nodes > CLI_MAX_NODES || pairs > CLI_MAX_PROOFS)
    return cli_reject(error, CLI_UNSUPPORTED,
                      "proof: too many nodes of the frontier (%zu, %zu of them pairs), must be at most %d and %d",
                      nodes, pairs, CLI_MAX_NODES, CLI_MAX_PROOFS);
  return set_node_capacity(result, nodes, error) && set_part_capacity(r, result, pairs + 1, error);
}

/* ---- Pairs, with a workspace */

bool cli_solve_pair(cli_request *r, cli_buffer *buffer, cli_pair_result *result, cli_error *error) {
  const bool proof = r->proof && r->certificate;
  size_t points = FIRST_POINTS;
  if (r->trace) {
    result->tracer = (graze_tracer){cli_trace_step, &result->trace};
    r->options.tracer = &result->tracer;
  }
  if (r->certificate) r->options.certificate = &result->certificate;
  if (proof && cli_query_has_distance(r->query)) r->options.surface = &result->surface;
  if (proof && !set_parts(r, result, error)) return false;
  result->capacity = r->full ? CLI_MAX_CONTACTS : r->dim == 2 ? 2 : 4;
  if (r->method == CLI_METHOD_BRUTE)
    points = graze_vertex_count(&r->a.placed.shape) * graze_vertex_count(&r->b.placed.shape);
  if (points < FIRST_POINTS) points = FIRST_POINTS;
  if (r->options.surface && r->dim == 3) points = PROOF_POINTS;
  /* Repeat with more workspace if the method needs it. An answer that only stops early is an answer. */
  for (;; points *= 4) {
    if (points > MAX_POINTS) points = MAX_POINTS;
    if (!set_workspace(r, buffer, points, error)) return false;
    cli_trace_begin(&result->trace);
    graze_status status = solve(r, result);
    if (status == GRAZE_NO_SPACE && frontier_is_full(result)) {
      if (!grow_frontier(r, result, error)) return false;
      status = solve(r, result);
    }
    if (status == GRAZE_NO_SPACE && points < MAX_POINTS) continue;
    return status == GRAZE_OK || cli_reject_status(r, status, error);
  }
}

void cli_pair_result_free(cli_pair_result *result) {
  free(result->parts);
  free(result->frontier.nodes);
  cli_trace_free(&result->trace);
}

/* The end of an answer about two shapes, before its certificate. */
static void print_run(cli_text *out, const cli_request *r, graze_algorithm algorithm, int iterations, bool exact,
                      graze_stop stopped) {
  cli_print_path(out, graze_algorithm_text(algorithm), iterations);
  emit(out, ",\"exact\":%b", exact);
  if (stopped != GRAZE_STOP_NONE) emit(out, ",\"stopped\":%q", graze_stop_text(stopped));
  cli_print_rotations(out, r);
}

/* The deciding parts of compounds and faces of meshes, and the numbers of all and of the tested pairs. Nothing if
 * neither shape has parts. */
static void print_parts(cli_text *out, const cli_request *r, int32_t part_a, int32_t part_b, size_t tested) {
  const bool parts_a = cli_has_parts(&r->a), parts_b = cli_has_parts(&r->b);
  if (parts_a) emit(out, ",\"%s\":%i", cli_part_key(&r->a, 0), (int)part_a);
  if (parts_b) emit(out, ",\"%s\":%i", cli_part_key(&r->b, 1), (int)part_b);
  if (parts_a || parts_b)
    emit(out, ",\"pairs\":{\"total\":%z,\"tested\":%z}",
         graze_part_count(&r->a.placed) * graze_part_count(&r->b.placed), tested);
}

void cli_print_pair_result(cli_text *out, const cli_request *r, const cli_pair_result *result) {
  const graze_answer *x = &result->answer;
  const bool distance = cli_query_has_distance(r->query), bounds = distance || x->relation == GRAZE_UNDECIDED;
  const bool cut = x->stopped == GRAZE_STOP_CUTOFF;
  cli_print_begin(out, r);
  emit(out, ",\"relation\":%q", graze_relation_text(x->relation));
  if (distance) emit(out, ",\"distance\":%j", cut ? NAN : x->distance);
  if (bounds) emit(out, ",\"lower\":%j,\"upper\":%j", x->lower, cut ? NAN : x->upper);
  if (distance)
    emit(out, ",\"point_a\":%V,\"point_b\":%V,\"normal\":%V", x->point_a, r->dim, x->point_b, r->dim, x->normal,
         r->dim);
  if (result->has_axis)
    emit(out, ",\"axis\":%V,\"axis_separation\":%j", result->axis.direction, r->dim, result->axis.separation);
  if (r->query == CLI_MANIFOLD) cli_text_str(out, ",\"points\":[");
  for (size_t i = 0; i < result->count; i++) {
    const graze_contact *contact = &result->contacts[i];
    emit(out, "%s{\"point_a\":%V,\"point_b\":%V,\"depth\":%j", comma(i), contact->point_a, r->dim, contact->point_b,
         r->dim, contact->depth);
    /* a string, because a JSON number holds only 53 bits */
    cli_text_format(out, ",\"feature\":\"%016llx\"}", (unsigned long long)contact->feature);
  }
  if (r->query == CLI_MANIFOLD) cli_text_str(out, "]");
  print_parts(out, r, x->part_a, x->part_b, x->pairs_tested);
  print_run(out, r, x->algorithm, x->iterations, x->exact, x->stopped);
  if (r->certificate) cli_print_certificate(out, r, x, &result->certificate, bounds);
  if (r->trace) cli_print_trace(out, &result->trace, r->dim);
}

/* ---- minkowski */

bool cli_solve_minkowski(cli_request *r, cli_buffer *buffer, cli_cso *cso, cli_error *error) {
  const size_t n = graze_vertex_count(&r->a.placed.shape), m = graze_vertex_count(&r->b.placed.shape);
  const char *bad = n == 0 || cli_radius(&r->a.placed.shape) > 0   ? "a"
                    : m == 0 || cli_radius(&r->b.placed.shape) > 0 ? "b"
                                                                   : NULL;
  *cso = (cli_cso){0};
  if (bad)
    return cli_reject(
        error, CLI_UNSUPPORTED,
        "minkowski: %s is not a polytope, shapes must not be curved, rounded or half-spaces: use intersect or distance",
        bad);
  if (n > MAX_POINTS / m)
    return cli_reject(
        error, CLI_UNSUPPORTED,
        "minkowski: too many pairs of vertices (%zu and %zu vertices), must be at most %d: use intersect or distance",
        n, m, MAX_POINTS);
  if (!set_workspace(r, buffer, n * m + FLAT_POINTS, error)) return false;
  cso->points = malloc(n * m * sizeof *cso->points);
  cso->pairs = malloc(n * m * sizeof *cso->pairs);
  bool good = (cso->points && cso->pairs) || cli_reject_memory(error);
  if (good) {
    graze_status status = graze_compare_minkowski(&r->a.placed, &r->b.placed, r->of, &r->options, cso->points,
                                                  cso->pairs, n * m, &cso->count, &cso->holds);
    good = status == GRAZE_OK || cli_reject_status(r, status, error);
  }
  return good;
}

void cli_print_minkowski(cli_text *out, const cli_request *r, const cli_cso *cso) {
  cli_print_begin(out, r);
  emit(out, ",\"vertices\":%L,\"pairs\":%A,\"holds_origin\":%b", cso->points, cso->count, r->dim, cso->pairs,
       (int)cso->count, NULL, r->dim, cso->holds);
  cli_print_path(out, graze_algorithm_text(GRAZE_ALGORITHM_BRUTE), 0);
  cli_print_rotations(out, r);
}

bool cli_solve_cast(cli_request *r, cli_buffer *buffer, graze_cast_result *result, graze_certificate *certificate,
                    cli_error *error) {
  graze_cast_options *o = &r->cast;
  const bool sweep = r->method == CLI_METHOD_SWEEP || (r->query == CLI_TOI && r->method == CLI_METHOD_AUTO);
  const bool steps = sweep && r->proof && r->certificate;
  if (!set_workspace(r, buffer, FIRST_POINTS, error)) return false; /* for the depth at the start */
  if (r->certificate) o->certificate = certificate;
  /* Repeat with more memory for steps if their number ended the search. */
  for (size_t capacity = FIRST_STEPS;; capacity *= 8) {
    if (capacity > CLI_MAX_STEPS) capacity = CLI_MAX_STEPS;
    if (steps) {
      free(o->steps);
      o->steps = malloc(capacity * sizeof *o->steps);
      if (o->steps == NULL) return cli_reject_memory(error);
      o->step_capacity = capacity;
    }
    graze_status status = cast(r, result);
    if (status != GRAZE_OK) return cli_reject_status(r, status, error);
    bool full = steps && result->stopped == GRAZE_STOP_BUDGET && certificate->step_count == capacity;
    if (!full || capacity == CLI_MAX_STEPS) return true;
  }
}

void cli_print_cast_result(cli_text *out, const cli_request *r, const graze_cast_result *x,
                           const graze_certificate *c) {
  const bool ray = r->query == CLI_RAYCAST;
  cli_print_begin(out, r);
  if (ray) emit(out, ",\"hit\":%b", x->outcome != GRAZE_CLEAR);
  if (!ray || x->outcome == GRAZE_POSSIBLE) emit(out, ",\"result\":%q", graze_cast_outcome_text(x->outcome));
  if (!ray) emit(out, ",\"starts\":%q", graze_relation_text(x->start_relation));
  emit(out, ",\"t\":%j,\"t_lower\":%j,\"t_upper\":%j,\"point\":%V,\"normal\":%V", x->t, x->t_lower, x->t_upper,
       x->point, r->dim, x->normal, r->dim);
  if (!ray) emit(out, ",\"position_a\":%V,\"position_b\":%V", x->position_a, r->dim, x->position_b, r->dim);
  if (r->query == CLI_TOI) {
    const double t = isnan(x->t) ? r->motion.t_max : x->t;
    const graze_pose a = graze_pose_after(&r->a.placed.pose, &r->motion.a, t);
    const graze_pose b = graze_pose_after(&r->b.placed.pose, &r->motion.b, t);
    emit(out, ",\"orientation_a\":%R,\"orientation_b\":%R", &a, r->dim, &b, r->dim);
  }
  if (x->outcome == GRAZE_CLEAR && !isnan(x->min_lower))
    emit(out, ",\"min_distance\":[%j,%j],\"t_min\":%j", x->min_lower, x->min_upper, x->t_min);
  print_parts(out, r, x->part_a, x->part_b, x->pairs_tested);
  print_run(out, r, x->algorithm, x->iterations, x->exact, x->stopped);
  if (r->certificate) cli_print_cast_certificate(out, r, x, c);
}
