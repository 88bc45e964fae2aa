#include "explain/story.h"

#include "explain/evidence.h"
#include "explain/geometry.h"
#include "explain/story.h"
#include "explain/motion.h"
#include "polygon.h"

#include <stdlib.h>

/* ---- Points, each once */

/* Points are in the order of their first naming, and looked for from the last one. A pair of a motion is the same point
 * at both ends of its interval: A - B is drawn at rest. */
int32_t story_find(const story *s, const graze_pair *pair) {
  graze_pair still = *pair;
  still.end = 0;
  for (size_t i = s->point_count; i-- > 0;)
    if (cli_same_pair(&s->points[i].pair, &still)) return (int32_t)i;
  return -1;
}

static void name_point(story *s, const graze_pair *pair, const graze_vec *known) {
  if (s->failed || story_find(s, pair) >= 0) return;
  if (s->point_count == s->point_capacity) {
    size_t capacity = s->point_capacity ? 2 * s->point_capacity : 64;
    story_point *points = realloc(s->points, capacity * sizeof *points);
    if (points == NULL) {
      s->failed = true;
      return;
    }
    s->points = points;
    s->point_capacity = capacity;
  }
  story_point *p = &s->points[s->point_count++];
  p->pair = *pair;
  p->pair.end = 0;
  p->a = geometry_parent(&s->a, pair->a, pair->point_a);
  p->b = geometry_parent(&s->b, pair->b, pair->point_b);
  p->at = known ? *known : vec_sub(p->a, p->b);
}

static void name_pairs(story *s, const graze_pair *pairs, size_t count) {
  for (size_t i = 0; i < count; i++) name_point(s, &pairs[i], NULL);
}

bool story_has_point(const graze_trace_step *step) {
  return step->direction.x != 0 || step->direction.y != 0 || step->direction.z != 0;
}

static void name_all(story *s) {
  const graze_certificate *c = &s->finding.answer.certificate;
  for (size_t i = 0; i < s->finding.trace.count; i++) {
    const graze_trace_step *step = &s->finding.trace.steps[i];
    if (story_has_point(step)) name_point(s, &step->pair, &step->point);
    for (int k = 0; k < step->simplex_count; k++) name_point(s, &step->simplex[k], &step->simplex_point[k]);
    if (step->polytope) name_pairs(s, step->polytope->pairs, step->polytope->pair_count);
  }
  name_pairs(s, c->pairs, (size_t)c->pair_count);
  name_pairs(s, c->direction.pairs, (size_t)c->direction.count);
  if (c->surface) name_pairs(s, c->surface->pairs, c->surface->pair_count);
  if (s->motion == NULL) return;
  c = &s->motion->impact.certificate;
  name_pairs(s, c->pairs, (size_t)c->pair_count);
}

/* ---- Bodies */

static bool mesh_others(story_body *body) {
  size_t count = graze_part_count(body->whole);
  if (!body->is_part || count > STORY_MOST_PARTS) return true;
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

static bool make_body(const cli_body *from, int32_t part, story_body *body) {
  *body = (story_body){.whole = &from->placed, .placed = from->placed, .frame = from->placed.pose};
  if (cli_is_compound(from)) {
    body->is_part = true;
    body->part = part;
    body->placed = graze_part(body->whole, (size_t)part);
  }
  return mesh_of_body(body, &body->mesh) && mesh_others(body);
}

bool story_has_parts(const story *s) { return s->a.is_part || s->b.is_part; }

size_t story_pair_count(const story *s) {
  return graze_part_count(&s->question->a.placed) * graze_part_count(&s->question->b.placed);
}

static void free_body(story_body *body) {
  mesh_free(&body->mesh);
  for (size_t i = 0; i < body->other_count; i++) mesh_free(&body->others[i]);
  free(body->others);
}

/* ---- What is asked */

/* Compounds are not traced: the pair of parts that decides is asked once more, as a pair of its own. */
static bool trace_parts(story *s, cli_error *complaint) {
  if (!story_has_parts(s)) return true;
  cli_request plain = *s->question;
  cli_pair_result finding = {0};
  cli_buffer room = {0}; /* the other one holds the surface of the answer */
  plain.a = (cli_body){.placed = s->a.placed};
  plain.b = (cli_body){.placed = s->b.placed};
  plain.options.surface = NULL;
  plain.options.parts = NULL;
  plain.options.part_capacity = 0;
  bool good = cli_solve_pair(&plain, &room, &finding, complaint);
  if (good) {
    cli_trace_free(&s->finding.trace);
    s->finding.trace = finding.trace;
    finding.trace = (cli_trace){0};
  }
  cli_pair_result_free(&finding);
  cli_buffer_free(&room);
  return good;
}

static bool ask_pair(story *s, cli_buffer *room, cli_error *complaint) {
  cli_request *q = s->question;
  q->trace = q->certificate = true;
  q->proof = story_pair_count(s) <= CLI_MAX_PROOFS;
  if (!cli_solve_pair(q, room, &s->finding, complaint)) return false;
  if (s->finding.trace.axis_count > 0) s->best_axis = (int)cli_trace_best(&s->finding.trace);
  return true;
}

static bool ask_set(story *s, cli_buffer *room, cli_error *complaint) {
  cli_cso set = {0};
  if (!cli_solve_minkowski(s->question, room, &set, complaint)) return false;
  s->vertices = set.points;
  s->pairs = set.pairs;
  s->vertex_count = set.count;
  s->holds_origin = set.holds;
  return true;
}

static bool ask(story *s, cli_buffer *room, cli_error *complaint) {
  if (cli_query_has_motion(s->question->query)) return motion_ask(s, room, complaint);
  return s->question->query == CLI_MINKOWSKI ? ask_set(s, room, complaint) : ask_pair(s, room, complaint);
}

static bool make_bodies(story *s, cli_error *complaint) {
  const graze_answer *answer = &s->finding.answer;
  bool good = make_body(&s->question->a, answer->part_a, &s->a) && make_body(&s->question->b, answer->part_b, &s->b);
  return good || cli_reject_memory(complaint);
}

static bool make_difference(story *s, cli_error *complaint) {
  s->radius = s->question->options.clearance + geometry_radius(&s->a) + geometry_radius(&s->b);
  name_all(s);
  bool good = !s->failed && !s->finding.trace.failed && mesh_of_difference(s, &s->core, &s->cso);
  return good || cli_reject_memory(complaint);
}

static bool refuse_question(const cli_request *q, cli_error *complaint) {
  if (q->filter) return cli_reject(complaint, CLI_UNSUPPORTED, "explain asks the shapes themselves: leave out filter");
  return cli_reject(complaint, CLI_UNSUPPORTED,
                    "explain is for intersect, distance, penetration, obb, manifold, minkowski, raycast, "
                    "shapecast and toi; graze query answers %s",
                    cli_query_text(q->query));
}

bool story_make(cli_request *question, cli_span line, cli_buffer *room, story *s, cli_error *complaint) {
  *s = (story){.question = question, .line = line, .dim = question->dim, .best_axis = -1};
  if (question->filter || (cli_query_has_one_shape(question->query) && !cli_query_has_motion(question->query)))
    return refuse_question(question, complaint);
  bool good = cli_decompose_bodies(question, complaint) && ask(s, room, complaint) && make_bodies(s, complaint) &&
              (s->motion || trace_parts(s, complaint)) && make_difference(s, complaint);
  if (good) s->evidence = evidence_of(s);
  if (good && s->motion) {
    motion_record(s);
    good = !s->failed || cli_reject_memory(complaint);
  }
  if (!good) story_free(s);
  return good;
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
  *s = (story){.question = s->question};
}
