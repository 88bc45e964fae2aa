#include "scene/worlds.h"

#include "support/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static graze_shape world_shape(const world *w, rng *random, const world_kind *kind, graze_vec *room) {
  graze_vec e = {rng_uniform(random, 0.1, 0.6), rng_uniform(random, 0.1, 0.6), rng_uniform(random, 0.1, 0.6)};
  double size = kind->sizes ? ldexp(1, -rng_between(random, 0, 10)) : 1;
  if (kind->points && rng_coin(random)) return point_of(kind->dim);
  if (kind->compounds && rng_below(random, 3) == 0)
    return graze_compound_shape(w->many[rng_below(random, WORLD_COMPOUNDS)].compound);
  if (!kind->boxes && rng_coin(random)) return random_shape(random, kind->dim, room);
  return box_of(kind->dim, size * e.x, size * e.y, size * e.z);
}

static void world_add(world *w, const graze_body_def *def) {
  graze_error error;
  if (graze_scene_add(w->scene, def, &w->body[w->count], &error) != GRAZE_OK) abort();
  w->count++;
}

/* Moves a body up to the last one, along a line or its own direction: so that they touch, are a rounding apart or
 * inside each other, or count as in contact by their margins. A third of them move as that one does. */
static void world_place_flush(const world *w, rng *random, const world_kind *kind, graze_body_def *def) {
  static const double gaps[] = {0, 0, 1e-9, -1e-9, 1e-7, 0.03};
  const graze_body_def last = world_body(w, w->count - 1);
  const graze_placed other = graze_place(&last.shape, last.pose);
  const graze_body_def before = *def;
  const graze_vec still = {0, 0, 0}, away = rng_vec(random, kind->dim, 1);
  const double length = sqrt(away.x * away.x + away.y * away.y + away.z * away.z);
  const graze_vec way = {-away.x / length, -away.y / length, -away.z / length};
  graze_impact impact;
  if (rng_coin(random)) {
    const graze_vec p = def->pose.position;
    def->pose = last.pose;
    def->pose.position = p;
  }
  const graze_vec p = last.pose.position;
  def->pose.position = (graze_vec){p.x - 30 * way.x, p.y - 30 * way.y, p.z - 30 * way.z};
  const graze_placed placed = graze_place(&def->shape, def->pose);
  if (graze_cast(&placed, way, &other, still, 60, NULL, &impact) != GRAZE_OK) abort();
  if (impact.result == GRAZE_CLEAR) *def = before;
  if (impact.result == GRAZE_CLEAR) return;
  const double far = impact.t - gaps[rng_below(random, 6)];
  def->pose.position.x += far * way.x, def->pose.position.y += far * way.y, def->pose.position.z += far * way.z;
  const graze_vec q = def->pose.position;
  if (fmax(fabs(q.x - kind->offset), fmax(fabs(q.y), fabs(q.z))) > w->half) *def = before; /* stay in the room */
  if (rng_below(random, 3) == 0) def->motion = last.motion;
}

static void world_add_body(world *w, rng *random, const world_kind *kind) {
  graze_body_def def = graze_default_body();
  def.shape = world_shape(w, random, kind, w->room[w->count]);
  def.pose = random_pose(random, kind->dim, w->half);
  def.pose.position.x += kind->offset;
  def.motion.velocity = rng_vec(random, kind->dim, kind->speed);
  def.motion.angular = rng_vec(random, 3, kind->spin);
  if (kind->dim == 2) def.motion.angular.x = def.motion.angular.y = 0;
  def.response = kind->response;
  def.mass =
      kind->decades > 0 ? pow(10, rng_uniform(random, -kind->decades, kind->decades)) : rng_uniform(random, 0.5, 2);
  if (kind->masks) def.category = 1u << rng_below(random, 3), def.mask = (uint64_t)rng_between(random, 3, 7);
  def.bounce = rng_uniform(random, 0, 1);
  switch (rng_below(random, 12)) {
  case 0:
    def.type = GRAZE_STATIC;
    memset(&def.motion, 0, sizeof def.motion);
    break;
  case 1: def.type = GRAZE_KINEMATIC; break;
  case 2: def.sensor = true; break;
  case 3: def.margin = 0.125; break;
  default: break;
  }
  if (kind->flush && w->count > 0 && def.type != GRAZE_STATIC && rng_below(random, 3) > 0)
    world_place_flush(w, random, kind, &def);
  world_add(w, &def);
}

static void world_add_walls(world *w, const world_kind *kind) {
  for (int i = 0; i < 2 * kind->dim; i++) {
    graze_body_def def = graze_default_body();
    double n[3] = {0, 0, 0};
    n[i / 2] = i % 2 ? -1 : 1;
    const graze_vec normal = {n[0], n[1], n[2]};
    def.type = GRAZE_STATIC;
    def.shape = halfspace_of(kind->dim, normal, -w->half - 1.5);
    def.pose = graze_pose_at(kind->offset, 0, 0);
    def.category = 7;
    world_add(w, &def);
  }
}

void world_make(world *w, rng *random, const world_kind *kind, int count, const graze_parallel *parallel) {
  graze_scene_def def = graze_default_scene();
  memset(w, 0, sizeof *w);
  def.dim = kind->dim;
  def.parallel = parallel;
  def.skin = kind->skin;
  w->half = kind->half > 0 ? kind->half : 0.5 * (kind->dim == 2 ? sqrt(count / 0.25) : cbrt(count / 0.2));
  if (graze_scene_create(&def, NULL, &w->scene) != GRAZE_OK) abort();
  rng parts = {7};
  for (int i = 0; i < WORLD_COMPOUNDS && kind->compounds; i++)
    random_compound(&parts, kind->dim, 2 + i, false, &w->many[i]);
  for (int i = 0; i < count; i++) world_add_body(w, random, kind);
  if (kind->halfspaces) world_add_walls(w, kind);
}

void world_free(world *w) {
  graze_scene_destroy(w->scene);
  for (int i = 0; i < WORLD_COMPOUNDS; i++) graze_compound_destroy(w->many[i].compound);
}

graze_body_def world_body(const world *w, int index) {
  graze_body_def def;
  if (graze_scene_get(w->scene, w->body[index], &def) != GRAZE_OK) abort();
  return def;
}

void world_turn_round(world *w) {
  for (int i = 0; i < w->count; i++) {
    graze_body_def def = world_body(w, i);
    const double p[3] = {def.pose.position.x, def.pose.position.y, def.pose.position.z};
    double v[3] = {def.motion.velocity.x, def.motion.velocity.y, def.motion.velocity.z};
    for (int k = 0; k < 3; k++)
      if (fabs(p[k]) > w->half && p[k] * v[k] > 0) v[k] = -v[k];
    def.motion.velocity = (graze_vec){v[0], v[1], v[2]};
    if (graze_scene_set_motion(w->scene, w->body[i], &def.motion) != GRAZE_OK) abort();
  }
}

/* ---- The naive scene */

void naive_take_motions(naive *n, const world *w) {
  for (int i = 0; i < n->count; i++) n->body[i].motion = world_body(w, i).motion;
}

void naive_take(naive *n, const world *w) {
  memset(n, 0, sizeof *n);
  n->count = w->count;
  for (int i = 0; i < n->count; i++) n->body[i] = world_body(w, i);
}

static graze_placed naive_at(const graze_body_def *def, double t) {
  return graze_place(&def->shape, t > 0 ? graze_pose_after(&def->pose, &def->motion, t) : def->pose);
}

static bool naive_moves(const graze_body_def *b, double dt) {
  const graze_vec v = b->motion.velocity, w = b->motion.angular;
  return dt > 0 && (v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0);
}

static bool naive_meets(const graze_body_def *a, const graze_body_def *b, double t) {
  graze_answer answer;
  graze_options options = graze_default_options();
  const graze_placed at_a = naive_at(a, t), at_b = naive_at(b, t);
  options.clearance = a->margin + b->margin;
  if (graze_intersect(&at_a, &at_b, &options, &answer) != GRAZE_OK) abort();
  return answer.relation != GRAZE_SEPARATED;
}

static graze_event *naive_event(naive *n, const world *w, graze_event_kind kind, int i, int j) {
  graze_event *e = &n->event[n->event_count++];
  memset(e, 0, sizeof *e);
  e->kind = kind;
  e->a = w->body[i], e->b = w->body[j];
  e->result = GRAZE_HIT;
  e->point = e->normal = (graze_vec){NAN, NAN, NAN};
  return e;
}

/* They are in contact where they are. */
static void naive_found(const graze_placed *a, const graze_placed *b, graze_event *e) {
  graze_answer x;
  if (graze_distance(a, b, NULL, &x) != GRAZE_OK) abort();
  e->point = (graze_vec){0.5 * (x.point_a.x + x.point_b.x), 0.5 * (x.point_a.y + x.point_b.y),
                         0.5 * (x.point_a.z + x.point_b.z)};
  e->normal = x.normal;
  e->part_a = x.part_a, e->part_b = x.part_b;
}

/* Equal velocities, and no spin: only where the step leaves them they may be in contact. */
static bool naive_meets_by_rounding(const graze_body_def *a, const graze_body_def *b, double dt, graze_event *e) {
  const graze_vec v = a->motion.velocity, u = b->motion.velocity, p = a->motion.angular, q = b->motion.angular;
  const bool turns = p.x != 0 || p.y != 0 || p.z != 0 || q.x != 0 || q.y != 0 || q.z != 0;
  const graze_placed end_a = naive_at(a, dt), end_b = naive_at(b, dt);
  if (turns || v.x != u.x || v.y != u.y || v.z != u.z || !naive_meets(a, b, dt)) return false;
  e->t_lower = e->t_upper = dt;
  naive_found(&end_a, &end_b, e);
  return true;
}

/* Fills in where and when they meet; false: they do not. */
static bool naive_begin(const graze_body_def *a, const graze_body_def *b, double dt, graze_event *e) {
  const graze_placed at_a = naive_at(a, 0), at_b = naive_at(b, 0);
  graze_impact impact = {.result = GRAZE_CLEAR};
  graze_options options = graze_default_options();
  const bool still = !naive_moves(a, dt) && !naive_moves(b, dt);
  options.clearance = a->margin + b->margin;
  if (!still && graze_sweep(&at_a, &a->motion, &at_b, &b->motion, dt, &options, &impact) != GRAZE_OK) abort();
  if (impact.result != GRAZE_CLEAR) {
    e->result = impact.result, e->t_lower = impact.t_lower, e->t_upper = impact.t_upper;
    e->point = impact.point, e->normal = impact.normal;
    e->part_a = impact.part_a, e->part_b = impact.part_b;
    return true;
  }
  const bool met = still ? naive_meets(a, b, 0) : impact.starts != GRAZE_SEPARATED;
  if (met) naive_found(&at_a, &at_b, e);
  return met || naive_meets_by_rounding(a, b, dt, e);
}

static void naive_pair(naive *n, const world *w, int i, int j, double dt) {
  const graze_body_def *a = &n->body[i], *b = &n->body[j];
  const bool was = n->contact[i][j], meets = naive_meets(a, b, dt);
  const size_t count = n->event_count;
  bool met = false;
  if (!was) {
    met = naive_begin(a, b, dt, naive_event(n, w, GRAZE_EVENT_BEGIN, i, j));
    if (!met) n->event_count = count;
  }
  if (was && meets) (void)naive_event(n, w, GRAZE_EVENT_STAY, i, j);
  if ((was || met) && !meets) (void)naive_event(n, w, GRAZE_EVENT_END, i, j);
  n->contact[i][j] = (was || met) && meets;
}

void naive_step(naive *n, const world *w, double dt) {
  n->event_count = 0;
  for (int i = 0; i < n->count; i++)
    for (int j = i + 1; j < n->count; j++)
      if (naive_is_pair(&n->body[i], &n->body[j])) naive_pair(n, w, i, j, dt);
  for (int i = 0; i < n->count; i++) n->body[i].pose = naive_at(&n->body[i], dt).pose;
}
