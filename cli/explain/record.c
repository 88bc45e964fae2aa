/* Runs a query and records its story. */
#include "explain/story.h"

#include "explain/geometry.h"
#include "polygon.h"

#include <stdlib.h>

/* ---- Points */

static void name_point(story *s, const graze_cso_point *w) {
  if (s->failed || story_find(s, w) >= 0) return;
  story_point *points = cli_grow(s->points, sizeof *points, &s->point_capacity, s->point_count + 1);
  s->failed = points == NULL;
  if (s->failed) return;
  s->points = points;
  s->points[s->point_count++] = (story_point){*w, body_point(&s->a, w->point_a), body_point(&s->b, w->point_b)};
}

static void name_pairs(story *s, const graze_pair *pairs, size_t count, const graze_vec *points) {
  for (size_t i = 0; i < count; i++) {
    const graze_cso_point w = cso_point_of(s, &pairs[i], points);
    name_point(s, &w);
  }
}

static void name_surface(story *s, const graze_surface *surface) {
  if (surface) name_pairs(s, surface->pairs, surface->pair_count, surface->points);
}

/* Names every point of the trace and of the certificates. */
static void name_points(story *s) {
  const graze_certificate *c = story_certificate(s);
  for (size_t i = 0; i < s->finding.trace.count; i++) {
    const graze_trace_step *step = &s->finding.trace.steps[i];
    if (story_has_point(step)) name_point(s, &step->support);
    for (int k = 0; k < step->simplex_count; k++) name_point(s, &step->simplex[k]);
    name_surface(s, step->polytope);
  }
  name_pairs(s, c->pairs, (size_t)c->pair_count, c->points);
  name_pairs(s, c->direction.pairs, (size_t)c->direction.count, c->points);
  name_surface(s, c->surface);
  if (s->motion == NULL) return;
  c = &s->motion->certificate;
  name_pairs(s, c->pairs, (size_t)c->pair_count, c->points);
}

/* ---- Bodies */

static bool make_body(const cli_body *from, int32_t part, story_body *body) {
  *body = (story_body){.whole = &from->placed, .placed = from->placed, .frame = from->placed.pose};
  if (!cli_is_compound(from)) return mesh_of_body(body, &body->mesh);
  body->is_part = true;
  body->part = part;
  body->placed = graze_part(body->whole, (size_t)part);
  if (!mesh_of_body(body, &body->mesh)) return false;
  size_t count = graze_part_count(body->whole);
  if (count > STORY_MAX_PARTS) return true;
  body->others = calloc(count, sizeof *body->others);
  if (body->others == NULL) return false;
  for (size_t i = 0; i < count; i++) {
    if ((int32_t)i == body->part) continue;
    story_body other = *body;
    other.placed = graze_part(body->whole, i);
    if (!mesh_of_body(&other, &body->others[body->other_count++])) return false;
  }
  return true;
}

static void free_body(story_body *body) {
  mesh_free(&body->mesh);
  for (size_t i = 0; i < body->other_count; i++) mesh_free(&body->others[i]);
  free(body->others);
}

/* ---- The run */

/* The run on two compounds has no trace: the deciding pair of parts is run again as a pair of its own. */
static bool trace_parts(story *s, cli_error *error) {
  if (!story_has_parts(s) || s->motion) return true;
  cli_request plain = *s->request;
  cli_pair_result finding = {0};
  cli_buffer buffer = {0}; /* the caller's holds the depth surface of the answer */
  plain.a = (cli_body){.placed = s->a.placed};
  plain.b = (cli_body){.placed = s->b.placed};
  plain.options.surface = NULL;
  plain.options.parts = NULL;
  plain.options.part_capacity = 0;
  bool good = cli_solve_pair(&plain, &buffer, &finding, error);
  if (good) {
    cli_trace_free(&s->finding.trace);
    s->finding.trace = finding.trace;
    finding.trace = (cli_trace){0};
  }
  cli_pair_result_free(&finding);
  cli_buffer_free(&buffer);
  return good;
}

static bool run_query(story *s, cli_buffer *buffer, cli_error *error) {
  cli_request *q = s->request;
  if (cli_query_has_motion(q->query)) return motion_query(s, buffer, error);
  if (q->query == CLI_MINKOWSKI) {
    cli_cso set = {0};
    if (!cli_solve_minkowski(q, buffer, &set, error)) return false;
    s->vertices = set.points;
    s->pairs = set.pairs;
    s->vertex_count = set.count;
    s->contains_origin = set.holds;
    return true;
  }
  q->trace = q->certificate = true;
  q->proof = graze_part_count(&q->a.placed) * graze_part_count(&q->b.placed) <= CLI_MAX_PROOFS;
  if (!cli_solve_pair(q, buffer, &s->finding, error)) return false;
  if (s->finding.trace.axis_count > 0) s->best_axis = (int)cli_trace_best(&s->finding.trace);
  return true;
}

/* All that is recorded after the run. False: out of memory, or a run of parts failed. */
static bool record(story *s, cli_error *error) {
  const graze_answer *answer = story_answer(s);
  if (!make_body(&s->request->a, answer->part_a, &s->a) || !make_body(&s->request->b, answer->part_b, &s->b))
    return cli_reject_memory(error);
  if (!trace_parts(s, error)) return false;
  s->radius = story_clearance(s) + body_radius(&s->a) + body_radius(&s->b);
  name_points(s);
  if (s->failed || s->finding.trace.failed || !mesh_of_difference(s, &s->core, &s->cso))
    return cli_reject_memory(error);
  s->evidence = evidence_of_answer(s);
  if (s->motion) motion_record(s);
  return !s->failed || cli_reject_memory(error);
}

bool story_make(cli_request *request, cli_span line, cli_buffer *buffer, story *s, cli_error *error) {
  *s = (story){.request = request, .line = line, .dim = request->dim, .best_axis = -1};
  if (request->filter)
    return cli_reject(error, CLI_UNSUPPORTED, "not supported by explain: filter; remove it to explain the shapes");
  if (cli_query_has_one_shape(request->query) && !cli_query_has_motion(request->query))
    return cli_reject(error, CLI_UNSUPPORTED,
                      "not supported by explain: %s; supported are intersect, distance, penetration, obb, manifold, "
                      "minkowski, raycast, shapecast and toi; graze query answers %s",
                      cli_query_text(request->query), cli_query_text(request->query));
  if (cli_decompose_bodies(request, error) && run_query(s, buffer, error) && record(s, error)) return true;
  story_free(s);
  return false;
}

void story_free(story *s) {
  free_body(&s->a);
  free_body(&s->b);
  mesh_free(&s->core);
  mesh_free(&s->cso);
  free(s->points);
  free(s->vertices);
  free(s->pairs);
  motion_free(s);
  cli_pair_result_free(&s->finding);
  *s = (story){.request = s->request};
}
