/* Move and slide. First out of what it overlaps, by the shortest way that leaves all of it; then along the way, from
 * one contact to the next, each changing the way that is left. The planes of earlier contacts hold as long as the body
 * is near: so it does not swing to and fro in a corner. */
#include "scene/move.h"

#include "core/vec.h"
#include "scene/pair.h"
#include "shape/turning.h"

/* So often it is put out of others, and so often it meets one; then it stays. So many stretches the way may have, and
 * so many in a row that lead nowhere. */
enum { MOVE_LEAVES = 24, MOVE_MEETINGS = 32, MOVE_STRETCHES = 1024, MOVE_STALLS = 32 };

/* By less than this share of a stretch altogether they lead nowhere. */
#define MOVE_NOWHERE 0x1p-8

/* By so many radians it turns while it makes way; then it is asked again how fast it must. So it is put aside by at
 * most about the square of this, in shares of its reach, more than it must. */
#define MOVE_ARC 0x1p-4

/* Meetings of what turns with the same body are one where their normals differ by no more than 1/8 radian. */
#define MOVE_ALIKE (1 - 0x1p-7)

/* How fast it parts at first from what it turns against, in shares of what turning may take while it makes way. A
 * meeting that leads nowhere makes that grow as so many others do. */
#define MOVE_KICK 0x1p-12
enum { MOVE_KICK_GROWS = 4 };

/* But by no more than this share of how fast turning moves its points: a corner bends its way only while it passes. */
#define MOVE_KICK_MOST 0x1p-4

/* So much faster than it was it may become where it makes way. */
#define MOVE_FASTER 4

/* It comes no further where less of its way is left than this share. */
#define MOVE_HARDLY 0x1p-36

/* By so much farther than it is deep in any one it may have to go, to be out of several: out of a wedge of 2 degrees.
 */
#define MOVE_FAR_OUT 64

static const graze_motion move_still = {{0, 0, 0}, {0, 0, 0}};

/* ---- What is reported */

static void move_record(scene_move *m, const graze_collision *meeting) {
  if (m->count < m->capacity) m->meetings[m->count] = *meeting;
  if (meeting->crossing != GRAZE_COLLISION_CROSS) m->last = m->count;
  m->count++;
}

static void move_report_note(scene_move *m, move_note *note) {
  graze_collision met = {.other = scene_id(m->scene, note->slot), .crossing = note->crossing};
  met.overlapped = note->overlapped;
  met.t = m->leaving ? 0 : real_min(m->t + note->s, 1);
  met.point = note->point, met.normal = note->normal;
  met.pose = note->s > 0 ? graze_pose_after(&m->placed.pose, &m->motion, note->s) : m->placed.pose;
  note->seen = true, note->waits = false;
  move_record(m, &met);
}

/* All that wait, up to there: by time, then by slot. */
static void move_report(scene_move *m, double end) {
  for (;;) {
    move_note *first = NULL;
    for (size_t i = 0; i < m->notes; i++) {
      move_note *note = &move_notes(m)[i];
      if (note->waits && note->s <= end && (first == NULL || note->s < first->s)) first = note;
    }
    if (first == NULL) return;
    move_report_note(m, first);
  }
}

/* ---- The way */

static bool move_moves(const scene_move *m) {
  return vec_norm_inf(m->motion.velocity) > 0 || vec_norm_inf(m->motion.angular) > 0;
}

static void move_go(scene_move *m, double s) {
  if (s > 0) m->status = graze_set_pose(&m->placed, graze_pose_after(&m->placed.pose, &m->motion, s));
  if (!m->leaving) m->t = s < 1 - m->t ? m->t + s : 1;
}

/* To the first contact, or to the end. */
static void move_advance(scene_move *m, double time) {
  m->time = time;
  grz_move_look_ahead(m);
  if (m->status != GRAZE_OK || move_is_tired(m)) return;
  const double s = m->hits ? real_min(m->s, time) : time;
  move_report(m, s);
  move_go(m, s);
}

/* ---- Out of others */

static double move_room(const scene_move *m, const move_contact *c) {
  return grz_move_skin(m, &m->scene->body[c->slot]);
}

static bool move_is_close(const scene_move *m, const move_contact *c) { return c->gap < MOVE_CLOSE * move_room(m, c); }

/* The shortest way that leaves all of them: by the skin, or to touching only. False: there is none, or only far off, as
 * between two that face each other, where the rounding of their normals makes one. */
static bool move_find_way_out(const scene_move *m, bool touching, graze_vec *way) {
  grz_barrier plane[GRZ_PLANES];
  double most = 0;
  for (int i = 0; i < m->planes; i++) {
    const move_contact *c = &m->plane[i];
    const double left = c->gap - (touching ? 0 : move_room(m, c));
    const bool leaves = touching ? move_overlaps(c) : move_is_close(m, c);
    plane[i] = (grz_barrier){c->normal, leaves ? left : real_max(left, 0)};
    most = real_max(most, -plane[i].most);
  }
  return grz_planes_nearest(plane, m->planes, vec_make(0, 0, 0), way) && vec_length(*way) <= MOVE_FAR_OUT * most;
}

/* Out of all of them; where that cannot be, out of the deepest. Zero: it touches those that it does not leave, and
 * there is no more room. */
static graze_vec move_way_out(const scene_move *m) {
  const move_contact *deepest = &m->plane[0];
  graze_vec way;
  if (move_find_way_out(m, false, &way) || move_find_way_out(m, true, &way)) return way;
  for (int i = 1; i < m->planes; i++)
    if (m->plane[i].gap < deepest->gap) deepest = &m->plane[i];
  return vec_scale(deepest->normal, deepest->gap - move_room(m, deepest));
}

static bool move_is_free(const scene_move *m) {
  for (int i = 0; i < m->planes; i++)
    if (move_is_close(m, &m->plane[i])) return false;
  return true;
}

static bool move_overlaps_any(const scene_move *m) {
  for (int i = 0; i < m->planes; i++)
    if (move_overlaps(&m->plane[i])) return true;
  return false;
}

/* What waits where it starts is overlapped there. */
static void move_note_overlaps(scene_move *m) {
  for (size_t i = 0; i < m->notes; i++) {
    move_note *note = &move_notes(m)[i];
    note->overlapped = note->waits;
  }
}

/* It is where it started, and what it only met on the way out was not met: so many were told before. */
static void move_stay(scene_move *m, const graze_placed *start, size_t told) {
  m->placed = *start;
  m->count = told;
  for (size_t i = 0; i < m->notes; i++) {
    move_note *note = &move_notes(m)[i];
    note->seen = note->overlapped;
  }
}

/* False: there is no way out. Where it touches others, or is close to them, and cannot be put farther, it stays where
 * it is. */
static bool move_leave(scene_move *m) {
  const graze_placed start = m->placed;
  bool overlaps = false;
  size_t told = 0;
  m->leaving = true;
  for (int i = 0; i < MOVE_LEAVES && m->status == GRAZE_OK; i++) {
    m->motion = move_still;
    grz_move_look_around(m);
    if (m->status != GRAZE_OK) return false;
    if (i == 0) {
      overlaps = move_overlaps_any(m);
      move_note_overlaps(m);
      move_report(m, 0);
      told = m->count;
    }
    m->motion.velocity = move_is_free(m) ? move_still.velocity : move_way_out(m);
    m->leaving = move_moves(m);
    if (!m->leaving) return true;
    move_advance(m, 1);
  }
  m->leaving = false;
  move_stay(m, &start, told);
  return !overlaps;
}

/* ---- Contacts */

/* How fast a contact moves by turning alone. */
static double move_turning(const scene_move *m, const move_contact *c) {
  return vec_dot(c->normal, vec_cross(m->motion.angular, c->arm));
}

/* How long it makes way before it is asked again how fast. */
static double move_stretch(const scene_move *m) {
  const double left = 1 - m->t, spin = vec_length(m->motion.angular);
  return left * spin > MOVE_ARC ? MOVE_ARC / spin : left;
}

/* At least so fast it has to part from others, which stand still. */
static double move_least(const scene_move *m) {
  const graze_motion motion = {m->own, m->motion.angular};
  const grz_mover self = {.motion = motion, .reach = m->placed.reach}, others = {.yields = 0};
  const double least = grz_parting_least(&self, &others, MOVE_KICK, m->met_before, move_stretch(m));
  return real_min(least, MOVE_KICK_MOST * vec_length(m->motion.angular) * m->placed.reach);
}

/* Contacts of earlier meetings: what is no longer near is none any more. A normal stays while nothing turns: the body
 * slid along it. */
static void move_renew(scene_move *m) {
  const bool turns = move_turns(m);
  const int count = m->planes;
  m->planes = 0;
  for (int i = 0; i < count && m->status == GRAZE_OK; i++) {
    const move_contact *c = &m->plane[i];
    move_contact now;
    if (grz_move_measure(m, c->slot, c->part_a, c->part_b, &now)) m->plane[m->planes++] = turns ? now : *c;
  }
}

/* Of its own velocity what leads into none of the planes, but where turning makes room. */
static void move_slide_own(scene_move *m, const grz_barrier *way) {
  grz_barrier plane[GRZ_PLANES];
  for (int i = 0; i < m->planes; i++) plane[i] = (grz_barrier){way[i].normal, real_max(way[i].most, 0)};
  if (!grz_planes_nearest(plane, m->planes, m->own, &m->own)) m->own = move_still.velocity;
  m->motion.velocity = m->own;
}

/* And nearest to that one that makes way where turning takes room. False: there is none that is not too fast. */
static bool move_slide_turning(scene_move *m) {
  grz_barrier way[GRZ_PLANES];
  const bool turns = move_turns(m);
  const double least = turns ? move_least(m) : 0;
  const double before = vec_length(m->own) + vec_length(m->motion.angular) * m->placed.reach;
  for (int i = 0; i < m->planes; i++) {
    const move_contact *c = &m->plane[i];
    way[i] = (grz_barrier){c->normal, turns ? -move_turning(m, c) - least : 0};
  }
  move_slide_own(m, way);
  return !turns || (grz_planes_nearest(way, m->planes, m->own, &m->motion.velocity) &&
                    vec_length(m->motion.velocity) <= MOVE_FASTER * before);
}

/* Where it is wedged in it no longer turns. */
static void move_slide(scene_move *m) {
  const graze_vec own = m->own;
  if (move_slide_turning(m)) return;
  m->own = own;
  m->motion.angular = move_still.angular;
  (void)move_slide_turning(m);
}

/* Thrown back is the velocity of its own: what turns makes way besides. */
static void move_bounce(scene_move *m, const move_contact *c) {
  const double speed = vec_dot(c->normal, m->own);
  const double bounce = real_max(m->body->bounce, m->scene->body[c->slot].bounce);
  if (speed > 0) m->own = vec_sub(m->own, vec_scale(c->normal, (1 + bounce) * speed));
}

/* A corner that is met head-on leaves it no way, and one that is met a hair beside leads it on: where it would come no
 * further it goes a skin aside. */
static void move_slip(scene_move *m, const move_contact *c, graze_vec way) {
  graze_vec aside[MOVE_ASIDE];
  if (vec_dot(m->own, way) > MOVE_HARDLY * vec_dot(way, way) || !(m->t < 1)) return;
  const double skin = grz_move_skin(m, &m->scene->body[c->slot]), speed = real_min(skin / (1 - m->t), vec_length(way));
  const int count = grz_move_aside(m, c, aside);
  for (int i = 0; i < count; i++) {
    m->own = vec_scale(aside[i], speed);
    move_slide(m);
    m->slips = vec_dot(m->own, aside[i]) > 0.5 * speed;
    if (m->slips) return;
  }
  m->own = way;
  move_slide(m);
}

static void move_respond(scene_move *m, const move_contact *c) {
  if (c->crossing == GRAZE_COLLISION_TOUCH) {
    m->motion = move_still;
    return;
  }
  const graze_vec own = m->own;
  move_renew(m);
  if (c->crossing == GRAZE_COLLISION_BOUNCE) move_bounce(m, c);
  if (c->crossing != GRAZE_COLLISION_BOUNCE || move_turns(m)) grz_move_add_plane(m, c);
  move_slide(m);
  if (c->crossing == GRAZE_COLLISION_SLIDE && !move_turns(m)) move_slip(m, c, own);
}

/* What was overlapped, and is met at once, is known; and what turns meets the same body again and again: that is told
 * once, but where something is thrown back. */
static bool move_is_known(const scene_move *m, const move_contact *c, const move_note *note) {
  if (m->t == 0 && note->overlapped) return true;
  if (!m->turns || !note->told || !(vec_dot(c->normal, note->told_normal) >= MOVE_ALIKE)) return false;
  return c->crossing == GRAZE_COLLISION_SLIDE ||
         (c->crossing == GRAZE_COLLISION_BOUNCE && !(vec_dot(c->normal, m->own) > 0));
}

static void move_meet(scene_move *m) {
  move_contact *c = &m->contact;
  if (!(vec_dot(c->normal, c->normal) > 0)) c->crossing = GRAZE_COLLISION_TOUCH; /* nobody can tell where */
  const graze_collision met = {.other = scene_id(m->scene, c->slot),
                               .crossing = c->crossing,
                               .t = m->t,
                               .point = c->point,
                               .normal = c->normal,
                               .pose = m->placed.pose};
  move_note *note = &move_notes(m)[grz_move_note_place(m, c->slot)];
  if (!move_is_known(m, c, note)) {
    move_record(m, &met);
    m->meets++;
    note->told = true, note->told_normal = c->normal;
  }
  move_respond(m, c);
}

/* ---- The whole */

static void move_stop_turning(scene_move *m) {
  m->motion.angular = move_still.angular;
  move_slide(m);
}

/* Where it comes no further it no longer turns; where it does not turn it stays. */
static void move_check_stall(scene_move *m) {
  if (m->t - m->stalled_at > MOVE_NOWHERE * move_stretch(m)) {
    m->stalled_at = m->t;
    m->stalls = 0;
    return;
  }
  if (!move_moves(m) || ++m->stalls < MOVE_STALLS) return;
  m->stalls = 0;
  if (!move_turns(m)) m->own = move_still.velocity;
  move_stop_turning(m);
}

/* To the next meeting; or, while it makes way, so far that it turned by a little. */
static void move_on(scene_move *m) {
  const bool makes_way = !vec_equal(m->motion.velocity, m->own);
  move_advance(m, makes_way ? move_stretch(m) : 1 - m->t);
  if (m->status != GRAZE_OK) return;
  if (move_is_tired(m) || (m->hits && m->contact.unseen)) {
    move_stop_turning(m);
  } else if (m->hits) {
    move_meet(m);
    m->met_before += m->s > 0 ? 1 : MOVE_KICK_GROWS;
  } else if (makes_way) {
    move_renew(m);
    move_slide(m);
  }
}

static void move_run(scene_move *m, const graze_motion *motion) {
  const bool leaves = move_leave(m);
  m->stuck = !leaves;
  m->motion = *motion;
  m->own = motion->velocity;
  m->turns = move_turns(m);
  m->planes = 0;
  m->stops = move_moves(m) || !leaves;
  if (!leaves) return;
  for (int i = 0; i < MOVE_STRETCHES && m->meets < MOVE_MEETINGS && m->t < 1 && move_moves(m); i++) {
    move_on(m);
    if (m->status != GRAZE_OK) return;
    move_check_stall(m);
  }
  m->stops = m->stops && (m->t < 1 || m->slips);
}

static bool move_is_where_it_was(const scene_move *m) {
  const graze_pose *p = &m->placed.pose, *q = &m->body->placed.pose;
  return vec_equal(p->position, q->position) && p->w == q->w && p->x == q->x && p->y == q->y && p->z == q->z;
}

static graze_status move_judge(const scene_body *body, const graze_motion *motion) {
  if (body == NULL) return GRAZE_NO_BODY;
  return body->type == GRAZE_STATIC ? GRAZE_BAD_OPTION : grz_turning_validate(&body->placed, motion);
}

graze_status graze_scene_move(graze_scene *scene, graze_body body, const graze_motion *motion,
                              graze_collision_function choose, void *context, graze_collision *meetings,
                              size_t capacity, size_t *count) {
  const scene_body *b = grz_scene_find(scene, body);
  graze_status status = move_judge(b, motion);
  if (status != GRAZE_OK) return status;
  scene_move m = {.scene = scene, .body = b, .slot = body.slot, .choose = choose, .context = context};
  m.placed = b->placed;
  m.meetings = meetings, m.capacity = capacity, m.last = SIZE_MAX;
  m.thin = 0x1p-36 * (vec_norm1(b->placed.pose.position) + vec_norm1(motion->velocity)) + 0x1p-400;
  move_run(&m, motion);
  if (m.status != GRAZE_OK) return m.status;
  for (size_t i = 0; m.stuck && i < m.count && i < capacity; i++)
    meetings[i].stuck = meetings[i].overlapped && meetings[i].crossing != GRAZE_COLLISION_CROSS;
  if (m.stops && m.last < m.count && m.last < capacity) meetings[m.last].stopped = true;
  if (!move_is_where_it_was(&m)) status = graze_scene_set_pose(scene, body, m.placed.pose);
  if (status == GRAZE_OK) *count = m.count;
  return status;
}
