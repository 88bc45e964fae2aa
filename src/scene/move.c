/* Move and slide (collide and slide) for character controllers. Source: Fauerby, "Improved Collision Detection and
 * Response" 2003. Quake and Box2D's b2SolvePlanes() use the same velocity planes.
 *
 * First the body leaves all bodies that it overlaps, by the shortest displacement. Then it moves from contact to
 * contact. Each contact changes the velocity to the nearest one that violates no velocity plane. Planes of earlier
 * contacts hold while the body is near them, so it does not oscillate in a corner.
 *
 * A body whose rotation presses it against another body is also moved away from that body. The comments call this
 * "making space". Theory: docs/theory/scene.md, "Fits" to "Separation speeds". */
#include "scene/queries.h"

#include "core/status.h"
#include "core/vec.h"
#include "shape/motion.h"

/* A body that makes space rotates by this angle in radians before its velocity is computed again. The excess
 * displacement is at most about the square of the angle, times the bounding radius. */
#define MOVE_ARC 0x1p-4

/* ---- Velocity planes: a quadratic program of at most three dimensions, solved by enumeration. The nearest point
 * lies on up to three planes. It is the point of their intersection that is nearest to the wanted velocity. In 2D
 * two planes leave a line along z, on which z = 0 is nearest. */

/* Relative tolerances: by how much a satisfied plane may be violated, and the sine of the angle between normals that
 * count as parallel. */
#define PLANES_TOLERANCE 0x1p-38
#define PLANES_PARALLEL 0x1p-40

typedef struct velocity_search {
  const velocity_plane *plane;
  int count;
  graze_vec wanted, best;
  double tolerance, square; /* of the distance from `wanted` to `best`; infinite: there is none */
} velocity_search;

/* Computes the shortest displacement that moves v onto one, two or three planes. Returns false if they are almost
 * parallel. */
static bool planes_project(const velocity_plane *const p[3], int count, graze_vec v, graze_vec *displacement) {
  const graze_vec a = p[0]->normal;
  const double to_a = p[0]->limit - vec_dot(a, v);
  *displacement = vec_scale(a, to_a);
  if (count == 1) return true;
  const graze_vec b = p[1]->normal, crease = vec_cross(a, b);
  const double to_b = p[1]->limit - vec_dot(b, v), square = vec_dot(crease, crease);
  if (!(square > PLANES_PARALLEL * PLANES_PARALLEL)) return false;
  *displacement =
      vec_add(vec_scale(vec_cross(b, crease), to_a / square), vec_scale(vec_cross(crease, a), to_b / square));
  if (count == 2) return true;
  const graze_vec c = p[2]->normal;
  const double to_c = p[2]->limit - vec_dot(c, v), volume = vec_dot(crease, c);
  if (!(real_abs(volume) > PLANES_PARALLEL)) return false;
  const graze_vec of_a = vec_scale(vec_cross(b, c), to_a), of_b = vec_scale(vec_cross(c, a), to_b);
  *displacement = vec_scale(vec_add(vec_add(of_a, of_b), vec_scale(crease, to_c)), 1 / volume);
  return true;
}

/* Keeps v if it satisfies all planes and is nearer than the best point so far. */
static void planes_offer(velocity_search *s, graze_vec v) {
  const graze_vec d = vec_sub(v, s->wanted);
  const double square = vec_dot(d, d);
  if (!(square < s->square)) return;
  for (int i = 0; i < s->count; i++)
    if (!(vec_dot(s->plane[i].normal, v) <= s->plane[i].limit + s->tolerance)) return;
  s->best = v, s->square = square;
}

static void planes_try(velocity_search *s, const velocity_plane *a, const velocity_plane *b, const velocity_plane *c) {
  const velocity_plane *const p[3] = {a, b, c};
  const int count = b == NULL ? 1 : c == NULL ? 2 : 3;
  graze_vec displacement;
  if (planes_project(p, count, s->wanted, &displacement)) planes_offer(s, vec_add(s->wanted, displacement));
}

bool grz_nearest_velocity(const velocity_plane *p, int count, graze_vec wanted, graze_vec *nearest) {
  velocity_search s = {.plane = p, .count = count, .wanted = wanted, .square = __builtin_inf()};
  double size = vec_norm1(wanted);
  planes_offer(&s, wanted);
  if (s.square == 0) {
    *nearest = wanted;
    return true;
  }
  for (int i = 0; i < count; i++) size = real_max(size, real_abs(p[i].limit));
  s.tolerance = PLANES_TOLERANCE * size;
  planes_offer(&s, vec_make(0, 0, 0)); /* 0 satisfies all planes with limits >= 0 */
  for (int i = 0; i < count; i++) {
    planes_try(&s, &p[i], NULL, NULL);
    for (int k = i + 1; k < count; k++) {
      planes_try(&s, &p[i], &p[k], NULL);
      for (int l = k + 1; l < count; l++) planes_try(&s, &p[i], &p[k], &p[l]);
    }
  }
  *nearest = s.best;
  return s.square < __builtin_inf();
}

/* ---- Reports */

static void move_report(scene_move *m, const graze_collision *collision) {
  if (m->count < m->capacity) m->collisions[m->count] = *collision;
  if (collision->response != GRAZE_COLLISION_CROSS) m->last_solid = m->count;
  m->count++;
}

/* Reports the pending records up to a time, in the order of time, then of slots. */
static void move_report_pending(scene_move *m, double end) {
  for (;;) {
    move_record *first = NULL;
    for (size_t i = 0; i < m->record_count; i++) {
      move_record *record = &move_records(m)[i];
      if (record->pending && record->time <= end && (first == NULL || record->time < first->time)) first = record;
    }
    if (first == NULL) return;
    graze_collision collision = {.other = scene_id(m->scene, first->slot), .response = first->response};
    collision.overlapped = first->overlapped;
    collision.t = m->separating ? 0 : real_min(m->t + first->time, 1);
    collision.point = first->point, collision.normal = first->normal;
    collision.pose = first->time > 0 ? graze_pose_after(&m->placed.pose, &m->motion, first->time) : m->placed.pose;
    first->reported = true, first->pending = false;
    move_report(m, &collision);
  }
}

static bool move_moves(const scene_move *m) {
  return vec_norm_inf(m->motion.velocity) > 0 || vec_norm_inf(m->motion.angular) > 0;
}

/* Moves the body to its first contact within `time`, or for the whole `time`. */
static void move_advance(scene_move *m, double time) {
  m->time = time;
  grz_move_cast(m);
  if (m->status != GRAZE_OK || move_is_over_budget(m)) return;
  const double s = m->has_contact ? real_min(m->stop_time, time) : time;
  move_report_pending(m, s);
  if (s > 0) m->status = graze_set_pose(&m->placed, graze_pose_after(&m->placed.pose, &m->motion, s));
  if (!m->separating) m->t = s < 1 - m->t ? m->t + s : 1;
}

/* ---- Leaving overlaps at the start */

static bool move_is_close(const scene_move *m, const move_contact *c) {
  return c->gap < MOVE_CLOSE * grz_move_skin(m, c->slot);
}

/* Computes the shortest displacement that leaves all contacts, by one skin or until they touch. Returns false if there
 * is none. Two opposite walls with rounded normals have only a very long displacement, which does not count. */
static bool move_find_displacement(const scene_move *m, bool until_touching, graze_vec *displacement) {
  const double longest = 64; /* times the depth, which suffices for a wedge of 2 degrees */
  velocity_plane plane[MOVE_PLANES];
  double most = 0;
  for (int i = 0; i < m->plane_count; i++) {
    const move_contact *c = &m->plane[i];
    const double gap = c->gap - (until_touching ? 0 : grz_move_skin(m, c->slot));
    const bool leaves = until_touching ? move_overlaps(c) : move_is_close(m, c);
    plane[i] = (velocity_plane){c->normal, leaves ? gap : real_max(gap, 0)};
    most = real_max(most, -plane[i].limit);
  }
  return grz_nearest_velocity(plane, m->plane_count, vec_make(0, 0, 0), displacement) &&
         vec_length(*displacement) <= longest * most;
}

/* Returns the displacement for one attempt: out of all contacts, or else out of the deepest one. It is 0 if no
 * contact is close. */
static graze_vec move_separating_displacement(const scene_move *m) {
  const move_contact *deepest = &m->plane[0];
  graze_vec displacement;
  bool close = false;
  for (int i = 0; i < m->plane_count; i++) close = close || move_is_close(m, &m->plane[i]);
  if (!close) return grz_motion_at_rest.velocity;
  if (move_find_displacement(m, false, &displacement) || move_find_displacement(m, true, &displacement))
    return displacement;
  for (int i = 1; i < m->plane_count; i++)
    if (m->plane[i].gap < deepest->gap) deepest = &m->plane[i];
  return vec_scale(deepest->normal, deepest->gap - grz_move_skin(m, deepest->slot));
}

/* Returns false if the body overlaps others and cannot leave them. Then it stays at its place. It also stays there
 * if it only touches others, or is close to them, and cannot move farther away. */
static bool move_leave_overlaps(scene_move *m) {
  enum { ATTEMPTS = 24 };
  const graze_placed start = m->placed;
  bool overlaps = false;
  size_t reported = 0;
  m->separating = true;
  for (int attempt = 0; attempt < ATTEMPTS && m->status == GRAZE_OK; attempt++) {
    m->motion = grz_motion_at_rest;
    grz_move_find_contacts(m);
    if (m->status != GRAZE_OK) return false;
    if (attempt == 0) {
      for (int i = 0; i < m->plane_count; i++) overlaps = overlaps || move_overlaps(&m->plane[i]);
      for (size_t i = 0; i < m->record_count; i++) move_records(m)[i].overlapped = move_records(m)[i].pending;
      move_report_pending(m, 0);
      reported = m->count;
    }
    m->motion.velocity = move_separating_displacement(m);
    m->separating = move_moves(m);
    if (!m->separating) return true;
    move_advance(m, 1);
  }
  m->separating = false;
  /* Restore the start, without the reports of the attempts. */
  m->placed = start;
  m->count = reported;
  for (size_t i = 0; i < m->record_count; i++) move_records(m)[i].reported = move_records(m)[i].overlapped;
  return !overlaps;
}

/* ---- Sliding */

/* Returns the time for which a body makes space before its velocity is computed again. */
static double move_stretch(const scene_move *m) {
  const double left = 1 - m->t, spin = vec_length(m->motion.angular);
  return left * spin > MOVE_ARC ? MOVE_ARC / spin : left;
}

/* Returns the minimum speed at which a rotating body separates from others. */
static double move_minimum_separation(const scene_move *m) {
  /* `first` is the fraction after the first contact. `largest` limits the separation speed, as a fraction of the
   * speed of rotation. Without this limit a corner would deflect the body after passing it. */
  const double first = 0x1p-12, largest = 0x1p-4;
  const graze_motion motion = {m->own_velocity, m->motion.angular};
  const contact_body self = {.motion = motion, .radius = m->placed.hidden.bounding_radius},
                     others = {.inverse_mass = 0};
  const double least = grz_minimum_separation(&self, &others, first, m->earlier_contacts, move_stretch(m));
  return real_min(least, largest * vec_length(m->motion.angular) * m->placed.hidden.bounding_radius);
}

/* Removes contacts that are no longer near. Without rotation the normal of a contact is kept, because the body
 * slides along it. */
static void move_update_planes(scene_move *m) {
  const bool turns = move_turns(m);
  const int count = m->plane_count;
  m->plane_count = 0;
  for (int i = 0; i < count && m->status == GRAZE_OK; i++) {
    const move_contact *c = &m->plane[i];
    move_contact now;
    if (grz_move_measure(m, c->slot, c->part_a, c->part_b, &now)) m->plane[m->plane_count++] = turns ? now : *c;
  }
}

/* Computes the velocity. own_velocity becomes the nearest velocity that violates no plane. The whole velocity is the
 * nearest one that also makes space for the rotation. Returns false if there is none or if it is much faster than
 * before. */
static bool move_try_slide(scene_move *m) {
  const double fastest = 4; /* times the speed before */
  velocity_plane all[MOVE_PLANES], own[MOVE_PLANES];
  const bool turns = move_turns(m);
  const double least = turns ? move_minimum_separation(m) : 0;
  const double before = vec_length(m->own_velocity) + vec_length(m->motion.angular) * m->placed.hidden.bounding_radius;
  for (int i = 0; i < m->plane_count; i++) {
    const move_contact *c = &m->plane[i];
    const double turning = turns ? vec_dot(c->normal, vec_cross(m->motion.angular, c->lever)) : 0;
    all[i] = (velocity_plane){c->normal, turns ? -turning - least : 0};
    own[i] = (velocity_plane){c->normal, real_max(all[i].limit, 0)};
  }
  if (!grz_nearest_velocity(own, m->plane_count, m->own_velocity, &m->own_velocity))
    m->own_velocity = grz_motion_at_rest.velocity;
  m->motion.velocity = m->own_velocity;
  return !turns || (grz_nearest_velocity(all, m->plane_count, m->own_velocity, &m->motion.velocity) &&
                    vec_length(m->motion.velocity) <= fastest * before);
}

/* If move_try_slide() finds no velocity, the body is wedged between others and stops its rotation. */
static void move_slide(scene_move *m) {
  const graze_vec own = m->own_velocity;
  if (move_try_slide(m)) return;
  m->own_velocity = own;
  m->motion.angular = grz_motion_at_rest.angular;
  (void)move_try_slide(m);
}

static void move_stop_turning(scene_move *m) {
  m->motion.angular = grz_motion_at_rest.angular;
  move_slide(m);
}

/* A corner that is hit exactly head-on stops the body. A corner that is hit slightly to the side deflects it. So if
 * nothing of the velocity `before` remains, the body moves one skin to the side. */
static void move_sidestep(scene_move *m, const move_contact *c, graze_vec before) {
  const double no_progress = 0x1p-36; /* remaining fraction of the velocity */
  graze_vec direction[MOVE_SIDESTEPS];
  if (vec_dot(m->own_velocity, before) > no_progress * vec_dot(before, before) || !(m->t < 1)) return;
  const double skin = grz_move_skin(m, c->slot), speed = real_min(skin / (1 - m->t), vec_length(before));
  const int count = grz_move_find_sidesteps(m, c, direction);
  for (int i = 0; i < count; i++) {
    m->own_velocity = vec_scale(direction[i], speed);
    move_slide(m);
    m->sidesteps = vec_dot(m->own_velocity, direction[i]) > 0.5 * speed;
    if (m->sidesteps) return;
  }
  m->own_velocity = before;
  move_slide(m);
}

/* ---- Collisions */

/* Returns whether a contact was reported before. This is so if the two overlapped at the start, or if a rotating
 * body hits the same body again with almost the same normal. */
static bool move_is_known(const scene_move *m, const move_contact *c, const move_record *record) {
  const double same_normal = 1 - 0x1p-7; /* cosine of 1/8 radian */
  if (m->t == 0 && record->overlapped) return true;
  if (!m->turns_at_start || !record->collided || !(vec_dot(c->normal, record->collision_normal) >= same_normal))
    return false;
  return c->response == GRAZE_COLLISION_SLIDE ||
         (c->response == GRAZE_COLLISION_BOUNCE && !(vec_dot(c->normal, m->own_velocity) > 0));
}

/* Reports the contact and changes the velocity. */
static void move_collide(scene_move *m) {
  move_contact *c = &m->contact;
  if (!(vec_dot(c->normal, c->normal) > 0)) c->response = GRAZE_COLLISION_TOUCH; /* the normal is unknown */
  move_record *record = &move_records(m)[grz_move_record_index(m, c->slot)];
  if (!move_is_known(m, c, record)) {
    move_report(m, &(graze_collision){.other = scene_id(m->scene, c->slot),
                                      .response = c->response,
                                      .t = m->t,
                                      .point = c->point,
                                      .normal = c->normal,
                                      .pose = m->placed.pose});
    m->reported_contacts++;
    record->collided = true, record->collision_normal = c->normal;
  }
  if (c->response == GRAZE_COLLISION_TOUCH) {
    m->motion = grz_motion_at_rest;
    return;
  }
  const graze_vec own = m->own_velocity;
  move_update_planes(m);
  if (c->response == GRAZE_COLLISION_BOUNCE) { /* reflects own_velocity only */
    const double speed = vec_dot(c->normal, m->own_velocity);
    const double bounce = real_max(m->body->bounce, scene_records(m->scene)[c->slot].bounce);
    if (speed > 0) m->own_velocity = vec_sub(m->own_velocity, vec_scale(c->normal, (1 + bounce) * speed));
  }
  if (c->response != GRAZE_COLLISION_BOUNCE || move_turns(m)) grz_move_add_plane(m, c);
  move_slide(m);
  if (c->response == GRAZE_COLLISION_SLIDE && !move_turns(m)) move_sidestep(m, c, own);
}

/* Moves the body to its next contact. A body that makes space moves at most for one stretch. */
static void move_on(scene_move *m) {
  enum { WITHOUT_PROGRESS = 4 };
  const bool makes_space = !vec_equal(m->motion.velocity, m->own_velocity);
  move_advance(m, makes_space ? move_stretch(m) : 1 - m->t);
  if (m->status != GRAZE_OK) return;
  if (move_is_over_budget(m) || (m->has_contact && m->contact.unresolved)) {
    move_stop_turning(m);
  } else if (m->has_contact) {
    move_collide(m);
    m->earlier_contacts += m->stop_time > 0 ? 1 : WITHOUT_PROGRESS;
  } else if (makes_space) {
    move_update_planes(m);
    move_slide(m);
  }
}

/* If there is no progress, a rotating body stops its rotation, and any other body stops. */
static void move_check_progress(scene_move *m) {
  enum { STALLS = 32 };
  const double no_progress = 0x1p-8; /* fraction of a stretch */
  if (m->t - m->stalled_at > no_progress * move_stretch(m)) {
    m->stalled_at = m->t;
    m->stalls = 0;
    return;
  }
  if (!move_moves(m) || ++m->stalls < STALLS) return;
  m->stalls = 0;
  if (!move_turns(m)) m->own_velocity = grz_motion_at_rest.velocity;
  move_stop_turning(m);
}

static void move_run(scene_move *m, const graze_motion *motion) {
  enum { CONTACTS = 32, STRETCHES = 1024 };
  const bool free = move_leave_overlaps(m);
  m->stuck = !free;
  m->motion = *motion;
  m->own_velocity = motion->velocity;
  m->turns_at_start = move_turns(m);
  m->plane_count = 0;
  m->stops = move_moves(m) || !free;
  if (!free) return;
  for (int i = 0; i < STRETCHES && m->reported_contacts < CONTACTS && m->t < 1 && move_moves(m); i++) {
    move_on(m);
    if (m->status != GRAZE_OK) return;
    move_check_progress(m);
  }
  m->stops = m->stops && (m->t < 1 || m->sidesteps);
}

/* Stores the reason why a valid call failed. */
static graze_status move_reject(graze_status status, graze_body body, graze_error *error) {
  if (status == GRAZE_BAD_OPTION)
    return grz_reject(error, grz_error_rule(status, "choose", 0, "must return a graze_collision_response"));
  if (status == GRAZE_OUT_OF_MEMORY) return grz_reject(error, grz_error(status, "memory", -1, 0));
  return grz_reject(error, grz_error_rule(status, "body", (double)body.slot, GRZ_SCENE_RANGE));
}

graze_status graze_scene_move(graze_scene *scene, graze_body body, const graze_motion *motion,
                              graze_collision_function choose, void *context, graze_collision *collisions,
                              size_t capacity, size_t *count, graze_error *error) {
  if (!scene_has(scene, body)) return grz_scene_no_body(error, body);
  const scene_record *b = &scene_records(scene)[body.slot];
  if (scene_filters(scene)[body.slot].type == GRAZE_STATIC)
    return grz_reject(error, grz_error_rule(GRAZE_BAD_OPTION, "body", (double)body.slot, "must not be static"));
  graze_status status = grz_scene_check_motion(&b->placed, GRAZE_KINEMATIC, motion, error);
  if (status != GRAZE_OK) return status;
  scene_move m = {.scene = scene, .body = b, .slot = body.slot, .choose = choose, .context = context};
  m.placed = b->placed;
  m.collisions = collisions, m.capacity = capacity, m.last_solid = SIZE_MAX;
  m.minimum_skin = 0x1p-36 * (vec_norm1(b->placed.pose.position) + vec_norm1(motion->velocity)) + 0x1p-400;
  move_run(&m, motion);
  if (m.status != GRAZE_OK) return move_reject(m.status, body, error);
  for (size_t i = 0; m.stuck && i < m.count && i < capacity; i++)
    collisions[i].stuck = collisions[i].overlapped && collisions[i].response != GRAZE_COLLISION_CROSS;
  if (m.stops && m.last_solid < m.count && m.last_solid < capacity) collisions[m.last_solid].stopped = true;
  const graze_pose *p = &m.placed.pose, *q = &b->placed.pose;
  const bool moved =
      !vec_equal(p->position, q->position) || p->w != q->w || p->x != q->x || p->y != q->y || p->z != q->z;
  if (moved) status = graze_scene_set_pose(scene, body, *p, NULL);
  if (status == GRAZE_OK) *count = m.count;
  return status;
}
