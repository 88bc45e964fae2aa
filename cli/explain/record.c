/* Runs a query and records its story; for a cast also its times, its moments, and the meshes at these. */
#include "explain/story.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- Points */

static void name_point(story *s, const graze_cso_point *w) {
  if (s->failed || story_find(s, w) >= 0) return;
  s->failed = !cli_grow(&s->points, sizeof *s->points, &s->point_capacity, s->point_count + 1);
  if (s->failed) return;
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
  const graze_certificate *c = story_certificate(s), *of_cast = s->motion ? &s->motion->certificate : NULL;
  for (size_t i = 0; i < s->finding.trace.count; i++) {
    const graze_trace_step *step = &s->finding.trace.steps[i];
    if (story_has_point(step)) name_point(s, &step->support);
    for (int k = 0; k < step->simplex_count; k++) name_point(s, &step->simplex[k]);
    name_surface(s, step->polytope);
  }
  if (!story_is_contained(s)) name_pairs(s, c->pairs, (size_t)c->pair_count, c->points);
  name_pairs(s, c->direction.pairs, (size_t)c->direction.count, c->points);
  name_surface(s, c->surface);
  if (of_cast && !story_is_contained(s)) name_pairs(s, of_cast->pairs, (size_t)of_cast->pair_count, of_cast->points);
}

/* ---- The run */

/* `decides`: the part with this index does. */
static bool make_body(const cli_body *from, int32_t part, bool decides, story_body *body) {
  *body = (story_body){.whole = &from->placed, .placed = from->placed, .part = -1};
  if (!cli_has_parts(from)) return mesh_of_body(body, &body->mesh);
  if (!decides) return true;
  body->part = part;
  body->part_word = from->mesh == NULL ? "part" : from->placed.shape.dim == 2 ? "edge" : "triangle";
  body->placed = graze_part(body->whole, (size_t)part, &body->frame);
  if (!mesh_of_body(body, &body->mesh)) return false;
  size_t count = graze_part_count(body->whole);
  if (count > STORY_MAX_PARTS || from->mesh) return true;
  body->others = calloc(count, sizeof *body->others);
  for (size_t i = 0; body->others && i < count; i++) {
    story_body other = *body;
    other.placed = graze_part(body->whole, i, &other.frame);
    if ((int32_t)i != part && !mesh_of_body(&other, &body->others[body->other_count++])) return false;
  }
  return body->others != NULL;
}

/* Makes both bodies, and decides whether a pair of parts decides. If a body is inside a solid mesh, the nearest faces
 * do only if their distance is computed. A compound inside has the part that is inside instead. */
static bool make_bodies(story *s) {
  const graze_answer *answer = story_answer(s);
  const cli_body *a = &s->request->a, *b = &s->request->b;
  const bool contained = story_is_contained(s), in_a = story_certificate(s)->kind == GRAZE_CERTIFICATE_IN_A;
  const bool compound_a = cli_has_parts(a) && !a->mesh, compound_b = cli_has_parts(b) && !b->mesh;
  const bool measured = s->motion != NULL || cli_query_has_distance(s->request->query);
  const bool faces = !contained || (measured && !(in_a ? compound_b : compound_a));
  s->of_parts = faces && (cli_has_parts(a) || cli_has_parts(b));
  return make_body(a, answer->part_a, faces || compound_a, &s->a) &&
         make_body(b, answer->part_b, faces || compound_b, &s->b);
}

/* The point about which the faces of a large mesh are drawn: the middle of the deciding face, or what a ray decides. */
static graze_vec point_of_interest(const story *s, const story_body *body, const story_mesh *face) {
  graze_vec sum = {0, 0, 0};
  if (face->kind != STORY_MESH_SOLID) return story_is_contained(s) ? contained_point(s) : body->whole->pose.position;
  for (size_t i = 0; i < face->point_count; i++) sum = vec_add(sum, face->points[i]);
  return vec_scale(sum, 1 / (double)face->point_count);
}

static bool make_faces(story *s) {
  for (int k = 0; k < 2; k++) {
    story_body *body = k == 0 ? &s->a : &s->b;
    const graze_mesh *mesh = k == 0 ? s->request->a.mesh : s->request->b.mesh;
    const story_ray *ray = s->ray.target == body ? &s->ray : NULL;
    if (mesh && !faces_of_body(body, mesh, point_of_interest(s, body, &body->mesh), ray, &body->faces)) return false;
  }
  return true;
}

/* The number of pairs that the search tests. A run with the certificates of all pairs tests all of them. */
static size_t count_tested(const story *s) {
  const cli_request *q = s->request;
  graze_options options = q->options;
  graze_answer answer;
  if (s->motion) return s->motion->cast.pairs_tested;
  if (options.parts == NULL || options.frontier != NULL) return story_answer(s)->pairs_tested;
  options.certificate = NULL, options.surface = NULL, options.tracer = NULL, options.parts = NULL;
  options.part_capacity = options.workspace_size = 0, options.workspace = NULL;
  const graze_status status = (cli_query_has_distance(q->query) ? graze_distance : graze_intersect)(
      &q->a.placed, &q->b.placed, &options, &answer);
  return status == GRAZE_OK ? answer.pairs_tested : story_answer(s)->pairs_tested;
}

/* The run on two compounds has no trace: the deciding pair of parts is run again as a pair of its own. */
static bool trace_parts(story *s, cli_error *error) {
  cli_request plain = *s->request;
  cli_pair_result finding = {0};
  cli_buffer buffer = {0}; /* the caller's holds the depth surface of the answer */
  plain.a = (cli_body){.placed = s->a.placed};
  plain.b = (cli_body){.placed = s->b.placed};
  plain.options.surface = NULL, plain.options.frontier = NULL;
  plain.options.parts = NULL;
  plain.options.part_capacity = 0;
  bool good = cli_solve_pair(&plain, &buffer, &finding, error);
  if (good) {
    cli_trace_free(&s->finding.trace);
    s->finding.trace = finding.trace;
    finding.trace = (cli_trace){0};
    s->pair = finding.answer;
  }
  cli_pair_result_free(&finding);
  cli_buffer_free(&buffer);
  return good;
}

/* Runs the cast, and records its result and the relation at t = 0. */
static bool run_cast(story *s, cli_buffer *buffer, cli_error *error) {
  cli_request *q = s->request;
  story_motion *m = s->motion = calloc(1, sizeof *m);
  if (m == NULL) return cli_reject_memory(error);
  m->ray = q->query == CLI_RAYCAST;
  m->t_max = q->motion.t_max;
  m->a = q->motion.a;
  m->b = q->motion.b;
  m->u = vec_sub(m->b.velocity, m->a.velocity);
  m->turns = cli_turns(&q->motion);
  q->certificate = q->proof = true;
  if (!cli_solve_cast(q, buffer, &m->cast, &m->certificate, error)) return false;
  const graze_cast_result *cast = &m->cast;
  bool swept = cast->algorithm == GRAZE_ALGORITHM_SWEEP || cast->algorithm == GRAZE_ALGORITHM_CA;
  bool separated = cast->start_relation == GRAZE_SEPARATED;
  m->sweep = cast->algorithm == GRAZE_ALGORITHM_SAMPLING || (swept && (separated || cast->t_upper > 0));
  /* The relation at t = 0 as an answer of its own, with the certificate of the relation. */
  const graze_vec none = {NAN, NAN, NAN};
  const double distance = cast->start_relation == GRAZE_TOUCHING ? 0 : NAN;
  graze_answer *start = &s->finding.answer;
  *start = (graze_answer){.relation = cast->start_relation, .distance = distance, .lower = distance, .upper = distance};
  start->point_a = start->point_b = start->normal = none;
  start->part_a = cast->part_a;
  start->part_b = cast->part_b;
  s->finding.certificate = m->certificate;
  if (separated) s->finding.certificate.pair_count = 0; /* these prove the contact */
  return true;
}

/* ---- The times and moments of a cast */

static const story_mesh *outline(const story *s) { return s->cso.kind == STORY_MESH_SOLID ? &s->cso : &s->core; }

/* The extent of A - B, the origin, and the path until t_key. */
static double extent_of(const story *s) {
  bounds box = {0};
  bounds_add(&box, (graze_vec){0, 0, 0});
  bounds_add(&box, vec_scale(s->motion->u, s->motion->t_key));
  bounds_add_mesh(&box, outline(s));
  return bounds_size(&box);
}

static void add_span(story_motion *m, double from, double to, motion_state state) {
  if (to > from || (to == from && m->t_end == 0)) m->spans[m->span_count++] = (motion_span){from, to, state};
}

/* Sets the end of the time bar and of the path, and the spans. */
static void set_times(story *s) {
  story_motion *m = s->motion;
  const graze_cast_result *cast = &m->cast;
  const bool hit = cast->outcome == GRAZE_HIT, clear = cast->outcome == GRAZE_CLEAR;
  const bool sampled = cast->algorithm == GRAZE_ALGORITHM_SAMPLING;
  const double key = clear ? cast->t_min : cast->t, speed = vec_norm_inf(m->u);
  m->t_key = isfinite(key) ? key : 0;
  /* The time bar of an unbounded motion ends after the last event, or where doubles end. Without an event it ends when
   * the path is as long as A - B is wide. */
  double last = fmax(m->t_key, isfinite(cast->t_upper) ? cast->t_upper : 0);
  if (!(last > 0) && speed > 0) last = extent_of(s) / speed;
  m->t_end = isfinite(m->t_max) ? m->t_max : last > 0 && isfinite(last) ? fmin(1.6 * last, DBL_MAX) : 1;
  /* A much longer path would make everything else too small to see: it is drawn to half the extent beyond t_key. */
  const bool whole = outline(s)->kind != STORY_MESH_SOLID || (!(m->t_key > 0) && clear);
  const double end = m->t_key + (whole ? 1 : 0.5) * extent_of(s) / speed;
  m->t_drawn = speed > 0 && end < m->t_end ? end : m->t_end;
  /* Sampling proves nothing about the times between samples. */
  const double free_until = sampled ? 0 : clear ? m->t_end : cast->t_lower, met = hit ? cast->t_upper : m->t_end;
  add_span(m, 0, free_until, MOTION_FREE);
  if (!clear || sampled) add_span(m, free_until, met, MOTION_UNDECIDED);
  if (hit) add_span(m, met, m->t_end, MOTION_MET);
}

static motion_moment moment_at(const story *s, double t) {
  const story_motion *m = s->motion;
  motion_moment moment = {.t = t, .at = t > 0 ? vec_scale(m->u, t) : (graze_vec){0, 0, 0}};
  moment.a = graze_pose_after(&s->a.whole->pose, &m->a, t);
  moment.b = graze_pose_after(&s->b.whole->pose, &m->b, t);
  return moment;
}

static void insert_moment(story_motion *m, motion_moment moment) {
  int i = m->moment_count++;
  for (; i > 0 && m->moments[i - 1].t > moment.t; i--) m->moments[i] = m->moments[i - 1];
  m->moments[i] = moment;
}

/* The samples, with relations as discrete collision detection computes them, and the moment at t_key. */
static void set_moments(story *s) {
  story_motion *m = s->motion;
  bool has_key = false;
  for (int k = 0; k < MOTION_SAMPLES && (k == 0 || m->t_end > 0); k++) {
    double share = (double)k / (MOTION_SAMPLES - 1);
    motion_moment moment = moment_at(s, k + 1 < MOTION_SAMPLES ? share * m->t_end : m->t_end);
    graze_placed a = graze_place(&s->a.whole->shape, moment.a), b = graze_place(&s->b.whole->shape, moment.b);
    graze_options options = graze_default_options();
    graze_answer answer;
    options.clearance = story_clearance(s);
    moment.sampled = true;
    if (graze_intersect(&a, &b, &options, &answer) == GRAZE_OK) moment.relation = answer.relation;
    insert_moment(m, moment);
    has_key = has_key || moment.t == m->t_key;
  }
  if (!has_key) insert_moment(m, moment_at(s, m->t_key));
  for (m->key = 0; m->moments[m->key].t != m->t_key;) m->key++;
}

/* ---- The meshes of a cast */

/* The story with its bodies moved to a moment, for meshes only. */
typedef struct moved_story {
  story s;
  graze_placed whole[2];
} moved_story;

static void move_story(moved_story *moved, const story *s, const motion_moment *moment) {
  moved->s = *s;
  moved->s.point_count = 0; /* the named points are those at t = 0 */
  for (int i = 0; i < 2; i++) {
    story_body *body = i == 0 ? &moved->s.a : &moved->s.b;
    moved->whole[i] = graze_place(&body->whole->shape, i == 0 ? moment->a : moment->b);
    body->whole = &moved->whole[i];
    body->placed = body->part >= 0 ? graze_part(body->whole, (size_t)body->part, &body->frame) : *body->whole;
  }
}

static bool mesh_bodies(const story *s, const motion_moment *moment, story_mesh *a, story_mesh *b) {
  moved_story moved;
  move_story(&moved, s, moment);
  return (moved.s.a.mesh.kind == STORY_MESH_NONE || mesh_of_body(&moved.s.a, a)) &&
         (moved.s.b.mesh.kind == STORY_MESH_NONE || mesh_of_body(&moved.s.b, b));
}

/* The faces of the bodies at the key moment; the meshes of the deciding parts at that moment are known. */
static bool mesh_faces_at_key(story *s) {
  story_motion *m = s->motion;
  moved_story moved;
  move_story(&moved, s, &m->moments[m->key]);
  for (int i = 0; i < 2; i++) {
    const story_body *body = i == 0 ? &moved.s.a : &moved.s.b;
    const graze_mesh *mesh = i == 0 ? s->request->a.mesh : s->request->b.mesh;
    if (mesh && !faces_of_body(body, mesh, point_of_interest(s, body, &m->at_key[i]), NULL, &m->faces_at_key[i]))
      return false;
  }
  return true;
}

static void shift_mesh(story_mesh *mesh, graze_vec by) {
  size_t count = mesh->kind == STORY_MESH_PLANE ? 1 : mesh->point_count;
  for (size_t i = 0; mesh->kind != STORY_MESH_NONE && i < count; i++) mesh->points[i] = vec_add(mesh->points[i], by);
}

static bool mesh_swept(const story_mesh *mesh, graze_vec velocity, double t, story_mesh *swept) {
  if (mesh->kind != STORY_MESH_SOLID || !(t > 0)) return true;
  graze_vec *points = malloc(2 * mesh->point_count * sizeof *points);
  for (size_t i = 0; points && i < mesh->point_count; i++) {
    points[2 * i] = mesh->points[i];
    points[2 * i + 1] = vec_mad(mesh->points[i], t, velocity);
  }
  bool good = points && mesh_of_points(points, 2 * mesh->point_count, 2, mesh->smooth, swept);
  free(points);
  return good;
}

static bool mesh_motion(story *s) {
  enum { FEW_POINTS = 64 };
  story_motion *m = s->motion;
  if (!mesh_bodies(s, &m->moments[m->key], &m->at_key[0], &m->at_key[1])) return false;
  /* A - B of turning bodies at every moment. Meshes of many points are made for the key moment only. */
  bool small = s->dim == 2 || s->core.point_count + s->cso.point_count <= FEW_POINTS;
  for (int k = 0; m->turns && (s->of_parts || s->core.kind != STORY_MESH_NONE) && k < m->moment_count; k++) {
    motion_moment *moment = &m->moments[k];
    moved_story moved;
    if (!small && k != m->key) continue;
    move_story(&moved, s, moment);
    if (!mesh_of_difference(&moved.s, &moment->core, &moment->cso)) return false;
    shift_mesh(&moment->core, moment->at);
    shift_mesh(&moment->cso, moment->at);
  }
  if (s->dim == 3) return true;
  if (!mesh_faces_at_key(s)) return false;
  /* 2D: the swept area of a translation is a polygon. A turning body is drawn at intermediate times instead. */
  if (!m->turns)
    return mesh_swept(&s->a.mesh, m->a.velocity, m->t_drawn, &m->swept[0]) &&
           mesh_swept(&s->b.mesh, m->b.velocity, m->t_drawn, &m->swept[1]);
  double end = m->t_key > 0 ? m->t_key : m->t_drawn;
  for (int k = 0; k < MOTION_TRAIL; k++) {
    motion_moment moment = moment_at(s, end * (k + 1) / (MOTION_TRAIL + 1));
    if (!mesh_bodies(s, &moment, &m->trail[0][k], &m->trail[1][k])) return false;
  }
  return true;
}

/* ---- The whole */

/* All that is recorded after the run. False: out of memory, or a run of parts failed. */
static bool record(story *s, cli_error *error) {
  const bool parts = cli_has_parts(&s->request->a) || cli_has_parts(&s->request->b);
  if (!make_bodies(s) || !ray_of_story(s) || !make_faces(s)) return cli_reject_memory(error);
  s->pair = *story_answer(s);
  if (parts) s->tested = count_tested(s);
  if (s->of_parts && s->motion == NULL && !trace_parts(s, error)) return false;
  s->radius = story_clearance(s) + body_radius(&s->a) + body_radius(&s->b);
  name_points(s);
  if (s->failed || s->finding.trace.failed || ((s->of_parts || !parts) && !mesh_of_difference(s, &s->core, &s->cso)))
    return cli_reject_memory(error);
  s->evidence = evidence_of_answer(s);
  if (s->motion == NULL) return true;
  set_times(s);
  set_moments(s);
  if (!mesh_motion(s)) return cli_reject_memory(error);
  evidence_of_cast(s);
  return true;
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
  bool good = cli_prepare_bodies(request, error);
  if (good && cli_query_has_motion(request->query)) {
    good = run_cast(s, buffer, error);
  } else if (good && request->query == CLI_MINKOWSKI) {
    good = cli_solve_minkowski(request, buffer, &s->set, error);
  } else if (good) {
    request->trace = request->certificate = true;
    const size_t n = graze_part_count(&request->a.placed), m = graze_part_count(&request->b.placed);
    request->proof = (request->a.mesh || request->b.mesh ? n + m : n * m) <= CLI_MAX_PROOFS;
    good = cli_solve_pair(request, buffer, &s->finding, error);
    if (good && s->finding.trace.axis_count > 0) s->best_axis = (int)cli_trace_best(&s->finding.trace);
  }
  good = good && record(s, error);
  if (!good) story_free(s);
  return good;
}

void story_free(story *s) {
  story_motion *m = s->motion;
  for (int k = 0; k < 2; k++) {
    story_body *body = k == 0 ? &s->a : &s->b;
    mesh_free(&body->mesh);
    for (size_t i = 0; i < body->other_count; i++) mesh_free(&body->others[i]);
    free(body->others);
    faces_free(&body->faces);
    if (m) faces_free(&m->faces_at_key[k]);
    mesh_free(k == 0 ? &s->core : &s->cso);
    if (m) mesh_free(&m->at_key[k]);
    if (m) mesh_free(&m->swept[k]);
    for (int i = 0; m && i < MOTION_TRAIL; i++) mesh_free(&m->trail[k][i]);
  }
  for (int k = 0; m && k < m->moment_count; k++) {
    mesh_free(&m->moments[k].core);
    mesh_free(&m->moments[k].cso);
  }
  free(m);
  free(s->points);
  free(s->ray.hits);
  free(s->set.points);
  free(s->set.pairs);
  cli_pair_result_free(&s->finding);
  *s = (story){.request = s->request};
}
