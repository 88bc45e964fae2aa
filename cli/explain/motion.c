#include "explain/motion.h"

#include "explain/geometry.h"
#include "explain/story.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- Asking */

/* As the answer shows it: is there no direction that holds from the start to the contact? */
static bool is_sweep(const graze_cast_result *impact) {
  bool swept = impact->algorithm == GRAZE_ALGORITHM_SWEEP || impact->algorithm == GRAZE_ALGORITHM_CA;
  bool later = impact->starts == GRAZE_SEPARATED || impact->t_upper > 0;
  return impact->algorithm == GRAZE_ALGORITHM_SAMPLING || (swept && later);
}

/* How they start, as an answer of its own: the story's finding. Its certificate is that of the relation. */
static graze_answer start_of(const graze_cast_result *impact) {
  graze_answer start = {.relation = impact->starts, .distance = NAN, .lower = NAN, .upper = NAN};
  const graze_vec none = {NAN, NAN, NAN};
  start.point_a = start.point_b = start.normal = none;
  start.part_a = impact->part_a;
  start.part_b = impact->part_b;
  start.certificate = impact->certificate;
  if (impact->starts == GRAZE_TOUCHING) start.distance = start.lower = start.upper = 0;
  if (impact->starts == GRAZE_SEPARATED) start.certificate.pair_count = 0; /* they are about later */
  return start;
}

bool motion_ask(story *s, cli_buffer *room, cli_error *complaint) {
  cli_request *q = s->question;
  story_motion *m = s->motion = calloc(1, sizeof *m);
  if (m == NULL) return cli_reject_memory(complaint);
  m->ray = q->query == CLI_RAYCAST;
  m->t_max = q->motion.t_max;
  m->a = q->motion.a;
  m->b = q->motion.b;
  m->u = vec_sub(m->b.velocity, m->a.velocity);
  m->turns = cli_turns(&q->motion);
  q->certificate = q->proof = true;
  if (!cli_solve_cast(q, room, &m->impact, complaint)) return false;
  m->sweep = is_sweep(&m->impact);
  s->finding.answer = start_of(&m->impact);
  return true;
}

/* ---- Times */

static void widen(graze_vec *low, graze_vec *high, graze_vec p) {
  *low = (graze_vec){fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z)};
  *high = (graze_vec){fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z)};
}

static const story_mesh *outline(const story *s) { return s->cso.kind == STORY_MESH_SOLID ? &s->cso : &s->core; }

/* How far A - B, the origin, and the path until the time that matters extend. */
static double size_of(const story *s) {
  const story_mesh *mesh = outline(s);
  graze_vec low = {0, 0, 0}, high = low;
  widen(&low, &high, vec_scale(s->motion->u, s->motion->t_key));
  for (size_t i = 0; mesh->kind == STORY_MESH_SOLID && i < mesh->point_count; i++) widen(&low, &high, mesh->points[i]);
  return fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

static double speed_of(const story_motion *m) { return fmax(fabs(m->u.x), fmax(fabs(m->u.y), fabs(m->u.z))); }

/* A motion without end ends, for the bar, some time after all that matters, or where numbers end; where nothing is
 * known of that, when the path has gone as far as A - B extends. */
static double end_of(const story *s) {
  const story_motion *m = s->motion;
  double last = fmax(m->t_key, isfinite(m->impact.t_upper) ? m->impact.t_upper : 0);
  if (isfinite(m->t_max)) return m->t_max;
  if (!(last > 0) && speed_of(m) > 0) last = size_of(s) / speed_of(m);
  return last > 0 && isfinite(last) ? fmin(1.6 * last, DBL_MAX) : 1;
}

static void set_times(const story *s) {
  story_motion *m = s->motion;
  double key = m->impact.result == GRAZE_CLEAR ? m->impact.t_min : m->impact.t;
  m->t_key = isfinite(key) ? key : 0;
  m->t_end = end_of(s);
}

/* A path far longer than all that matters would make that too small to be seen: it is drawn for half as long again as
 * that. */
static double drawn_until(const story *s) {
  const story_motion *m = s->motion;
  double share = outline(s)->kind == STORY_MESH_SOLID ? 0.5 : 1;
  if (!(m->t_key > 0) && m->impact.result == GRAZE_CLEAR) share = 1;
  double more = m->t_key + share * size_of(s) / speed_of(m);
  return speed_of(m) > 0 && more < m->t_end ? more : m->t_end;
}

static void add_span(story_motion *m, double from, double to, motion_state state) {
  if (to > from || (to == from && m->t_end == 0)) m->spans[m->span_count++] = (motion_span){from, to, state};
}

/* Samples prove nothing of the time between them. */
static void set_spans(story_motion *m) {
  const graze_cast_result *impact = &m->impact;
  bool hit = impact->result == GRAZE_HIT, clear = impact->result == GRAZE_CLEAR;
  bool sampled = impact->algorithm == GRAZE_ALGORITHM_SAMPLING;
  double free = sampled ? 0 : clear ? m->t_end : impact->t_lower, met = hit ? impact->t_upper : m->t_end;
  add_span(m, 0, free, MOTION_FREE);
  if (!clear || sampled) add_span(m, free, met, MOTION_UNDECIDED);
  if (hit) add_span(m, met, m->t_end, MOTION_MET);
}

/* ---- Moments */

static motion_moment moment_at(const story *s, double t) {
  const story_motion *m = s->motion;
  motion_moment moment = {.t = t, .at = t > 0 ? vec_scale(m->u, t) : (graze_vec){0, 0, 0}};
  moment.a = graze_pose_after(&s->a.whole->pose, &m->a, t);
  moment.b = graze_pose_after(&s->b.whole->pose, &m->b, t);
  return moment;
}

/* Looks, as engines without continuous detection do. */
static graze_relation look(const story *s, const motion_moment *moment) {
  graze_options options = graze_default_options();
  graze_answer answer;
  graze_placed a = graze_place(&s->a.whole->shape, moment->a), b = graze_place(&s->b.whole->shape, moment->b);
  options.clearance = s->question->options.clearance;
  return graze_intersect(&a, &b, &options, &answer) == GRAZE_OK ? answer.relation : (graze_relation)0;
}

static void insert(story_motion *m, motion_moment moment) {
  int i = m->moment_count++;
  for (; i > 0 && m->moments[i - 1].t > moment.t; i--) m->moments[i] = m->moments[i - 1];
  m->moments[i] = moment;
}

/* The samples, and the moment that matters. */
static void set_moments(story *s) {
  story_motion *m = s->motion;
  for (int k = 0; k < MOTION_SAMPLES; k++) {
    double share = (double)k / (MOTION_SAMPLES - 1);
    motion_moment moment = moment_at(s, k + 1 < MOTION_SAMPLES ? share * m->t_end : m->t_end);
    moment.sampled = true;
    moment.relation = look(s, &moment);
    if (k == 0 || m->t_end > 0) insert(m, moment);
  }
  for (m->key = 0; m->key < m->moment_count && m->moments[m->key].t != m->t_key;) m->key++;
  if (m->key < m->moment_count) return;
  insert(m, moment_at(s, m->t_key));
  for (m->key = 0; m->moments[m->key].t != m->t_key;) m->key++;
}

int motion_seen(const story_motion *m, int *first) {
  int count = 0;
  *first = -1;
  for (int k = 0; k < m->moment_count; k++) {
    graze_relation relation = m->moments[k].sampled ? m->moments[k].relation : 0;
    if (relation != GRAZE_OVERLAPPING && relation != GRAZE_TOUCHING) continue;
    if (count++ == 0) *first = k;
  }
  return count;
}

/* ---- What to draw */

/* The body, or the part of it, where it is then. */
static story_body body_at(const story_body *body, graze_placed *whole, graze_pose pose) {
  story_body moved = *body;
  *whole = graze_place(&body->whole->shape, pose);
  moved.whole = whole;
  moved.frame = pose;
  moved.placed = body->is_part ? graze_part(whole, (size_t)body->part) : *whole;
  return moved;
}

static bool sweep_mesh(const story_mesh *mesh, graze_vec velocity, double t, story_mesh *swept) {
  if (mesh->kind != STORY_MESH_SOLID || !(t > 0)) return true;
  graze_vec *points = malloc(2 * mesh->point_count * sizeof *points);
  if (points == NULL) return false;
  for (size_t i = 0; i < mesh->point_count; i++) {
    points[2 * i] = mesh->points[i];
    points[2 * i + 1] = vec_add(mesh->points[i], vec_scale(velocity, t));
  }
  bool good = mesh_of_points(points, 2 * mesh->point_count, 2, mesh->smooth, swept);
  free(points);
  return good;
}

static void shift_mesh(story_mesh *mesh, graze_vec by) {
  size_t count = mesh->kind == STORY_MESH_PLANE ? 1 : mesh->point_count;
  for (size_t i = 0; mesh->kind != STORY_MESH_NONE && i < count; i++)
    mesh->points[i] = vec_add(mesh->points[i], by);
}

/* The story with its bodies moved, for meshes only. */
typedef struct moved {
  story s;
  graze_placed a, b;
} moved;

static void move(moved *then, const story *s, const motion_moment *moment) {
  then->s = *s;
  then->s.point_count = 0; /* what the certificate names is elsewhere by then */
  then->s.a = body_at(&s->a, &then->a, moment->a);
  then->s.b = body_at(&s->b, &then->b, moment->b);
}

static bool draw_turned(const story *s, motion_moment *moment) {
  moved then;
  move(&then, s, moment);
  if (!mesh_of_difference(&then.s, &moment->core, &moment->cso)) return false;
  shift_mesh(&moment->core, moment->at);
  shift_mesh(&moment->cso, moment->at);
  return true;
}

/* Of a solid that is drawn by many points only what it is at the time that matters. */
static bool draw_moments(const story *s) {
  enum { FEW_POINTS = 64 };
  story_motion *m = s->motion;
  bool small = s->dim == 2 || s->core.point_count + s->cso.point_count <= FEW_POINTS;
  for (int k = 0; m->turns && k < m->moment_count; k++)
    if ((small || k == m->key) && !draw_turned(s, &m->moments[k])) return false;
  return true;
}

static bool draw_then(const story *s) {
  story_motion *m = s->motion;
  moved then;
  move(&then, s, &m->moments[m->key]);
  return mesh_of_body(&then.s.a, &m->then_a) && mesh_of_body(&then.s.b, &m->then_b);
}

/* What turns sweeps no simple outline: it is drawn again and again on its way. */
static bool draw_trail(const story *s) {
  story_motion *m = s->motion;
  double end = m->t_key > 0 ? m->t_key : m->t_drawn;
  for (int k = 0; k < MOTION_TRAIL; k++) {
    motion_moment moment = moment_at(s, end * (k + 1) / (MOTION_TRAIL + 1));
    moved then;
    move(&then, s, &moment);
    if (!mesh_of_body(&then.s.a, &m->trail_a[k]) || !mesh_of_body(&then.s.b, &m->trail_b[k])) return false;
  }
  return true;
}

static bool draw_way(const story *s) {
  story_motion *m = s->motion;
  if (s->dim == 3) return true;
  if (m->turns) return draw_trail(s);
  return sweep_mesh(&s->a.mesh, m->a.velocity, m->t_drawn, &m->swept_a) &&
         sweep_mesh(&s->b.mesh, m->b.velocity, m->t_drawn, &m->swept_b);
}

void motion_record(story *s) {
  story_motion *m = s->motion;
  set_times(s);
  set_spans(m);
  set_moments(s);
  m->t_drawn = drawn_until(s);
  if (!draw_then(s) || !draw_moments(s) || !draw_way(s)) s->failed = true;
  m->evidence = motion_evidence_of(s);
  motion_show_start(s);
}

void motion_free(story *s) {
  story_motion *m = s->motion;
  if (m == NULL) return;
  story_mesh *const meshes[] = {&m->then_a, &m->then_b, &m->swept_a, &m->swept_b};
  for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) mesh_free(meshes[i]);
  for (int k = 0; k < MOTION_TRAIL; k++) {
    mesh_free(&m->trail_a[k]);
    mesh_free(&m->trail_b[k]);
  }
  for (int k = 0; k < m->moment_count; k++) {
    mesh_free(&m->moments[k].core);
    mesh_free(&m->moments[k].cso);
  }
  cli_cast_free_steps(s->question);
  free(m);
}
