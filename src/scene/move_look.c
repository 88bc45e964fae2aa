/* What is around a moved body, and ahead of it. It stops short of others by the skin; but what is asked is when it
 * comes half as near. So contacts are never asked about at the distance where bodies stop, and what slides along one
 * tile does not stumble over the corner of the next. */
#include "math/vec.h"
#include "scene/ask.h"
#include "scene/move.h"
#include "scene/pair.h"

/* So many skins past where it comes near it is looked at whether it only brushes. */
#define LOOK_PAST 2

/* So little of its speed leads into what it comes near at a flat angle. */
#define LOOK_FLAT 0x1p-3

/* So much nearer it may come, in shares of the gap, while it slides along something to the end. */
#define LOOK_DRIFT 0.5

static const graze_motion look_still = {{0, 0, 0}, {0, 0, 0}};

double grz_move_skin(const scene_move *m, const scene_body *other) { return grz_pair_skin_of(m->body, other, m->thin); }

static const scene_body *look_of(const scene_move *m, uint32_t slot) { return &m->scene->body[slot]; }

/* ---- Notes */

size_t grz_move_note_place(const scene_move *m, uint32_t slot) {
  size_t from = 0, to = m->notes;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (move_notes(m)[middle].slot < slot)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

/* Sensors are crossed, if anything. */
static graze_crossing look_choose(const scene_move *m, uint32_t slot) {
  const graze_body self = scene_id(m->scene, m->slot), other = scene_id(m->scene, slot);
  const graze_crossing chosen = m->choose != NULL ? m->choose(m->context, self, other) : GRAZE_CROSSING_SLIDE;
  const bool sensor = m->body->sensor || look_of(m, slot)->sensor;
  return sensor && chosen > GRAZE_CROSSING_CROSS && chosen <= GRAZE_CROSSING_BOUNCE ? GRAZE_CROSSING_CROSS : chosen;
}

/* NULL: a failure. */
static move_note *look_note(scene_move *m, uint32_t slot) {
  const size_t at = grz_move_note_place(m, slot);
  if (at < m->notes && move_notes(m)[at].slot == slot) return &move_notes(m)[at];
  const graze_crossing crossing = look_choose(m, slot);
  if ((unsigned)crossing > GRAZE_CROSSING_BOUNCE)
    m->status = GRAZE_BAD_OPTION;
  else if (!grz_scene_grow(m->scene, &m->scene->notes, m->notes + 1, sizeof(move_note)))
    m->status = GRAZE_OUT_OF_MEMORY;
  if (m->status != GRAZE_OK) return NULL;
  for (size_t i = m->notes++; i > at; i--) move_notes(m)[i] = move_notes(m)[i - 1];
  move_notes(m)[at] = (move_note){.slot = slot, .crossing = crossing};
  return &move_notes(m)[at];
}

static void look_wait(move_note *note, double s, graze_vec point, graze_vec normal) {
  note->waits = true;
  note->s = s;
  note->point = point, note->normal = normal;
}

/* ---- One other body */

/* The moved body and another one; or a part of each, where a part is not -1. */
typedef struct look_pair {
  uint32_t slot;
  int32_t part_a, part_b;
  graze_placed of_a, of_b; /* the parts */
  const graze_placed *a, *b;
  double margin, skin;
} look_pair;

static void look_stand(look_pair *pair, const graze_placed *placed) {
  if (pair->part_a >= 0) pair->of_a = graze_part(placed, (size_t)pair->part_a);
  pair->a = pair->part_a >= 0 ? &pair->of_a : placed;
}

static void look_at_pair(const scene_move *m, uint32_t slot, int32_t part_a, int32_t part_b, look_pair *pair) {
  const scene_body *other = look_of(m, slot);
  pair->slot = slot;
  pair->part_a = part_a, pair->part_b = part_b;
  pair->margin = pair_margin(m->body, other), pair->skin = grz_move_skin(m, other);
  look_stand(pair, &m->placed);
  if (part_b >= 0) pair->of_b = graze_part(&other->placed, (size_t)part_b);
  pair->b = part_b >= 0 ? &pair->of_b : &other->placed;
}

/* The same as grz_move_measure(); but true, too, where nobody can tell, as a support function of the caller's gives no
 * numbers: then the gap, the point and the normal are NaN. */
static bool look_measure(scene_move *m, const look_pair *pair, move_contact *contact) {
  graze_answer answer;
  graze_options options = graze_default_options();
  options.tolerance = PAIR_TOLERANCE * pair->skin;
  options.max_distance = pair->margin + 2 * pair->skin;
  m->status = graze_distance(pair->a, pair->b, &options, &answer);
  if (m->status != GRAZE_OK || answer.stopped == GRAZE_STOP_CUTOFF) return false;
  *contact = (move_contact){.slot = pair->slot, .point = answer.point_a, .normal = answer.normal};
  contact->arm = vec_sub(answer.point_a, m->placed.pose.position);
  contact->part_a = pair->part_a < 0 ? answer.part_a : pair->part_a;
  contact->part_b = pair->part_b < 0 ? answer.part_b : pair->part_b;
  contact->gap = (answer.lower > 0 ? answer.lower : answer.distance) - pair->margin;
  if (answer.relation == GRAZE_UNDECIDED && !(contact->gap < 2 * pair->skin)) {
    contact->gap = __builtin_nan("");
    contact->point = contact->normal = vec_make(contact->gap, contact->gap, contact->gap);
  }
  return !(contact->gap >= 2 * pair->skin);
}

bool grz_move_measure(scene_move *m, uint32_t slot, int32_t part_a, int32_t part_b, move_contact *contact) {
  look_pair pair;
  look_at_pair(m, slot, part_a, part_b, &pair);
  return look_measure(m, &pair, contact) && contact->gap == contact->gap;
}

static bool look_is_later(const scene_move *m, uint32_t slot, double met) {
  return m->hits && (m->met < met || (m->met == met && m->contact.slot < slot));
}

static void look_offer(scene_move *m, const move_contact *contact, double met, double s) {
  if (look_is_later(m, contact->slot, met)) return;
  m->hits = true;
  m->contact = *contact;
  m->met = met, m->s = s;
}

/* When it comes so near. */
static void look_cast(scene_move *m, const look_pair *pair, double clearance, graze_impact *impact) {
  graze_options options = graze_default_options();
  options.clearance = clearance;
  options.max_distance = 0; /* how near it passes is nobody's question */
  m->status = graze_sweep(pair->a, &m->motion, pair->b, &look_still, m->time, &options, impact);
}

/* Where it comes near. */
static void look_take(const look_pair *pair, const graze_impact *impact, move_contact *contact) {
  contact->part_a = pair->part_a < 0 ? impact->part_a : pair->part_a;
  contact->part_b = pair->part_b < 0 ? impact->part_b : pair->part_b;
  contact->point = impact->point, contact->normal = impact->normal;
  contact->arm = vec_sub(impact->point, impact->position_a);
}

/* It stops before that, where the gap is `gap` wider, if it was. */
static void look_met(scene_move *m, const move_contact *contact, double t, double gap) {
  const graze_vec moves = vec_add(m->motion.velocity, vec_cross(m->motion.angular, contact->arm));
  const double speed = vec_dot(contact->normal, moves), fast = vec_length(m->motion.velocity);
  double back = fast > 0 ? PAIR_BACK * gap / fast : 0;
  if (speed * back > gap) back = gap / speed;
  look_offer(m, contact, t, real_max(t - back, 0));
}

/* Along any direction; negative where nobody can tell: of half-spaces, and of support functions, which may be coarse.
 */
static double look_gap_along(const look_pair *pair, graze_vec normal) {
  graze_vec near_a, near_b;
  const bool coarse = pair->a->shape.kind == GRAZE_USER || pair->b->shape.kind == GRAZE_USER;
  const bool known = !coarse && graze_support(pair->a, normal, &near_a, NULL) == GRAZE_OK &&
                     graze_support(pair->b, vec_neg(normal), &near_b, NULL) == GRAZE_OK;
  return known ? vec_dot(normal, vec_sub(near_b, near_a)) - pair->margin : -__builtin_inf();
}

/* By so little of its size the gap along the normal changes until then that neither enters the other. */
static bool look_keeps(const scene_move *m, const move_contact *c, double until, bool both_ways) {
  const double nearer = vec_dot(c->normal, m->motion.velocity) * until;
  return (both_ways ? real_abs(nearer) : nearer) <= LOOK_DRIFT * (c->gap + m->thin);
}

/* Two convex shapes touch, or are near, and will not enter each other by a motion along the plane between them. */
static bool look_slides(const scene_move *m, const move_contact *c, double until, bool both_ways) {
  const bool beside = c->gap >= -m->thin && vec_dot(c->normal, c->normal) > 0;
  return beside && !move_turns(m) && look_keeps(m, c, until, both_ways);
}

/* It comes near; but farther on, be it beyond its way, it would still be beside it, and slide along: so it is always.
 */
static bool look_brushes_at(scene_move *m, look_pair *pair, double time) {
  graze_placed there = m->placed;
  move_contact contact;
  m->status = graze_set_pose(&there, graze_pose_after(&there.pose, &m->motion, time));
  if (m->status != GRAZE_OK) return false;
  look_stand(pair, &there);
  const bool brushes = look_measure(m, pair, &contact) && look_slides(m, &contact, real_max(time, m->time), true);
  look_stand(pair, &m->placed);
  return brushes;
}

/* In 2D there are but two directions across the way. */
static bool look_passes(const scene_move *m, const move_contact *c, double fast) {
  const graze_vec v = m->motion.velocity, across = vec_make(-v.y / fast, v.x / fast, 0);
  look_pair parts;
  look_at_pair(m, c->slot, c->part_a, c->part_b, &parts);
  return look_gap_along(&parts, across) >= -m->thin || look_gap_along(&parts, vec_neg(across)) >= -m->thin;
}

/* In 3D, what comes near by a corner is beside it soon; what is round, over the edge of the next tile, a reach farther
 * on. */
static bool look_brushes(scene_move *m, look_pair *pair, const move_contact *c, double time) {
  const double fast = vec_length(m->motion.velocity), reach = m->placed.reach + m->placed.shape.radius;
  if (move_turns(m) || !(fast > 0)) return false;
  if (m->scene->def.dim == 2) return look_passes(m, c, fast);
  if (look_brushes_at(m, pair, time + LOOK_PAST * pair->skin / fast)) return true;
  const bool flat = real_abs(vec_dot(c->normal, m->motion.velocity)) <= LOOK_FLAT * fast;
  return flat && m->status == GRAZE_OK && look_brushes_at(m, pair, time + reach / fast);
}

/* False: it only slides along the parts that come first, and others are not asked about. */
static bool look_solid_pair(scene_move *m, const move_note *note, look_pair *pair) {
  double half = 0.5 * pair->skin;
  move_contact contact = {.slot = note->slot, .crossing = note->crossing};
  graze_impact impact;
  look_cast(m, pair, pair->margin + half, &impact);
  if (m->status == GRAZE_OK && impact.starts != GRAZE_SEPARATED) { /* it is nearer already */
    if (!look_measure(m, pair, &contact)) return true;
    contact.crossing = note->crossing;
    if (m->leaving && contact.gap < 2 * half) return true; /* it is what is left */
    if (look_slides(m, &contact, m->time, false) || look_brushes(m, pair, &contact, 0)) return false;
    if (m->status != GRAZE_OK) return true;
    if (!(contact.gap > 0)) {
      look_offer(m, &contact, 0, 0);
      return true;
    }
    half = 0.5 * contact.gap;
    look_cast(m, pair, pair->margin + half, &impact);
  }
  if (m->status != GRAZE_OK || impact.result == GRAZE_CLEAR || look_is_later(m, note->slot, impact.t_lower))
    return true;
  look_take(pair, &impact, &contact);
  if (look_brushes(m, pair, &contact, impact.t_lower)) return false;
  if (m->status == GRAZE_OK) look_met(m, &contact, impact.t_lower, half);
  return true;
}

static int32_t look_parts(const graze_placed *placed) { return (int32_t)graze_part_count(placed); }

static void look_solid(scene_move *m, const move_note *note) {
  const graze_placed *other = &look_of(m, note->slot)->placed;
  const int32_t parts_a = look_parts(&m->placed), parts_b = look_parts(other);
  look_pair pair;
  look_at_pair(m, note->slot, -1, -1, &pair);
  if (look_solid_pair(m, note, &pair) || (parts_a == 1 && parts_b == 1)) return;
  for (int32_t i = 0; i < parts_a; i++) {
    for (int32_t k = 0; k < parts_b && m->status == GRAZE_OK; k++) {
      look_at_pair(m, note->slot, i, k, &pair);
      (void)look_solid_pair(m, note, &pair);
    }
  }
}

static void look_crossed(scene_move *m, move_note *note) {
  move_contact contact;
  graze_impact impact;
  look_pair pair;
  look_at_pair(m, note->slot, -1, -1, &pair);
  look_cast(m, &pair, pair.margin, &impact);
  if (m->status != GRAZE_OK) return;
  if (impact.starts != GRAZE_SEPARATED) {
    if (look_measure(m, &pair, &contact)) look_wait(note, 0, contact.point, contact.normal);
  } else if (impact.result != GRAZE_CLEAR) {
    look_wait(note, impact.t_lower, impact.point, impact.normal);
  }
}

/* ---- Contacts */

static bool look_plane_before(const move_contact *p, const move_contact *q) {
  if (p->slot != q->slot) return p->slot < q->slot;
  return p->part_a != q->part_a ? p->part_a < q->part_a : p->part_b < q->part_b;
}

static void look_drop_farthest(scene_move *m) {
  int farthest = 0;
  for (int i = 1; i < m->planes; i++)
    if (m->plane[i].gap >= m->plane[farthest].gap) farthest = i;
  m->planes--;
  for (int i = farthest; i < m->planes; i++) m->plane[i] = m->plane[i + 1];
}

void grz_move_add_plane(scene_move *m, const move_contact *contact) {
  int at = 0;
  while (at < m->planes && look_plane_before(&m->plane[at], contact)) at++;
  const bool known = at < m->planes && !look_plane_before(contact, &m->plane[at]);
  for (int i = m->planes; !known && i > at; i--) m->plane[i] = m->plane[i - 1];
  m->plane[at] = *contact;
  m->planes += !known;
  if (m->planes > GRZ_PLANES) look_drop_farthest(m);
}

/* ---- All of them */

/* The note of a body that may be met and is not ignored; NULL: it is not, or a failure. */
static move_note *look_at(scene_move *m, uint32_t slot) {
  const scene_body *other = look_of(m, slot);
  const scene_brief *brief = scene_briefs(m->scene);
  bool near = slot != m->slot && scene_are_pair(&brief[m->slot], &brief[slot]);
  if (near && other->placed.shape.kind == GRAZE_HALFSPACE) {
    near = grz_halfspace_meets(&other->placed, &look_still, 0, other->margin, &m->box);
  } else if (near && m->placed.shape.kind == GRAZE_HALFSPACE) {
    const graze_aabb box = grz_scene_box_of(&other->placed);
    near = grz_halfspace_meets(&m->placed, &m->motion, m->time, m->body->margin + scene_grows(other), &box);
  }
  move_note *note = near ? look_note(m, slot) : NULL;
  return note != NULL && note->crossing != GRAZE_CROSSING_IGNORE ? note : NULL;
}

static bool look_around(void *context, size_t item) {
  scene_move *m = context;
  move_contact contact;
  move_note *note = look_at(m, (uint32_t)item);
  if (note == NULL || !grz_move_measure(m, note->slot, -1, -1, &contact)) return m->status == GRAZE_OK;
  contact.crossing = note->crossing;
  if (note->crossing == GRAZE_CROSSING_CROSS ? contact.gap <= 0 : move_overlaps(m, &contact)) {
    look_wait(note, 0, contact.point, contact.normal);
    note->overlapped = true;
  }
  if (note->crossing != GRAZE_CROSSING_CROSS) grz_move_add_plane(m, &contact);
  return true;
}

static bool look_ahead(void *context, size_t item) {
  scene_move *m = context;
  move_note *note = look_at(m, (uint32_t)item);
  if (note == NULL) return m->status == GRAZE_OK;
  if (note->crossing != GRAZE_CROSSING_CROSS)
    look_solid(m, note);
  else if (!note->seen)
    look_crossed(m, note);
  return m->status == GRAZE_OK;
}

static void look_at_all(scene_move *m, bool (*visit)(void *context, size_t item)) {
  for (size_t i = 0; i < m->notes; i++) move_notes(m)[i].waits = false;
  m->hits = false;
  m->box = grz_swept_bounds(&m->placed, &m->motion, m->time, scene_grows(m->body) + 2 * m->thin);
  grz_broad_in_box(&m->scene->broad, &m->box, visit, m);
}

/* Which normal a corner has that it touches is nobody's to say: it takes that of another contact where it can, as of
 * the floor whose next tile it touches. */
static void look_align(scene_move *m, move_contact *c) {
  if (!(real_abs(c->gap) <= m->thin)) return;
  look_pair pair;
  look_at_pair(m, c->slot, c->part_a, c->part_b, &pair);
  for (int i = 0; i < m->planes; i++) {
    const move_contact *other = &m->plane[i];
    if (other == c || !(look_gap_along(&pair, other->normal) >= -m->thin)) continue;
    c->normal = other->normal;
    return;
  }
}

void grz_move_look_around(scene_move *m) {
  m->planes = 0;
  m->time = 0;
  look_at_all(m, look_around);
  for (int i = 0; i < m->planes; i++) look_align(m, &m->plane[i]);
}

void grz_move_look_ahead(scene_move *m) { look_at_all(m, look_ahead); }
