/* What is around a moved body, and ahead of it. It stops short of others by the skin; but what is asked is when it
 * comes half as near. So contacts are never asked about at the distance where bodies stop, and what slides along one
 * tile does not stumble over the corner of the next. */
#include "math/vec.h"
#include "scene/ask.h"
#include "scene/move.h"
#include "scene/pair.h"

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

/* The same as grz_move_measure(); but true, too, where nobody can tell, as a support function of the caller's gives no
 * numbers: then the gap, the point and the normal are NaN. */
static bool look_measure(scene_move *m, uint32_t slot, int32_t part_a, int32_t part_b, move_contact *contact) {
  const scene_body *other = look_of(m, slot);
  const double skin = grz_move_skin(m, other), margin = pair_margin(m->body, other);
  const graze_placed a = part_a < 0 ? m->placed : graze_part(&m->placed, (size_t)part_a),
                     b = part_b < 0 ? other->placed : graze_part(&other->placed, (size_t)part_b);
  graze_answer answer;
  graze_options options = graze_default_options();
  options.tolerance = PAIR_TOLERANCE * skin;
  options.max_distance = margin + 2 * skin;
  m->status = graze_distance(&a, &b, &options, &answer);
  if (m->status != GRAZE_OK || answer.stopped == GRAZE_STOP_CUTOFF) return false;
  *contact = (move_contact){.slot = slot, .point = answer.point_a, .normal = answer.normal};
  contact->arm = vec_sub(answer.point_a, m->placed.pose.position);
  contact->part_a = part_a < 0 ? answer.part_a : part_a;
  contact->part_b = part_b < 0 ? answer.part_b : part_b;
  contact->gap = (answer.lower > 0 ? answer.lower : answer.distance) - margin;
  if (answer.relation == GRAZE_UNDECIDED && !(contact->gap < 2 * skin)) {
    contact->gap = __builtin_nan("");
    contact->point = contact->normal = vec_make(contact->gap, contact->gap, contact->gap);
  }
  return !(contact->gap >= 2 * skin);
}

bool grz_move_measure(scene_move *m, uint32_t slot, int32_t part_a, int32_t part_b, move_contact *contact) {
  return look_measure(m, slot, part_a, part_b, contact) && contact->gap == contact->gap;
}

static void look_offer(scene_move *m, const move_contact *contact, double met, double s) {
  if (m->hits && (m->met < met || (m->met == met && m->contact.slot < contact->slot))) return;
  m->hits = true;
  m->contact = *contact;
  m->met = met, m->s = s;
}

/* When it comes so near. */
static void look_cast(scene_move *m, uint32_t slot, double clearance, graze_impact *impact) {
  graze_options options = graze_default_options();
  options.clearance = clearance;
  options.max_distance = 0; /* how near it passes is nobody's question */
  m->status = graze_sweep(&m->placed, &m->motion, &look_of(m, slot)->placed, &look_still, m->time, &options, impact);
}

/* It comes near: it stops before that, where the gap is `gap` wider, if it was. */
static void look_met(scene_move *m, move_contact *contact, const graze_impact *impact, double gap) {
  const graze_vec arm = vec_sub(impact->point, impact->position_a);
  const graze_vec moves = vec_add(m->motion.velocity, vec_cross(m->motion.angular, arm));
  const double speed = vec_dot(impact->normal, moves), fast = vec_length(m->motion.velocity);
  double back = fast > 0 ? PAIR_BACK * gap / fast : 0;
  if (speed * back > gap) back = gap / speed;
  contact->part_a = impact->part_a, contact->part_b = impact->part_b;
  contact->point = impact->point, contact->normal = impact->normal;
  contact->arm = arm;
  look_offer(m, contact, impact->t_lower, real_max(impact->t_lower - back, 0));
}

static void look_solid(scene_move *m, const move_note *note) {
  const scene_body *other = look_of(m, note->slot);
  const double margin = pair_margin(m->body, other);
  double half = 0.5 * grz_move_skin(m, other);
  move_contact contact = {.slot = note->slot, .crossing = note->crossing};
  graze_impact impact;
  look_cast(m, note->slot, margin + half, &impact);
  if (m->status == GRAZE_OK && impact.starts != GRAZE_SEPARATED) { /* it is nearer already */
    if (!look_measure(m, note->slot, -1, -1, &contact)) return;
    contact.crossing = note->crossing;
    if (m->leaving && contact.gap < 2 * half) return; /* it is what is left */
    if (!(contact.gap > 0)) {
      look_offer(m, &contact, 0, 0);
      return;
    }
    half = 0.5 * contact.gap;
    look_cast(m, note->slot, margin + half, &impact);
  }
  if (m->status == GRAZE_OK && impact.result != GRAZE_CLEAR) look_met(m, &contact, &impact, half);
}

static void look_crossed(scene_move *m, move_note *note) {
  move_contact contact;
  graze_impact impact;
  look_cast(m, note->slot, pair_margin(m->body, look_of(m, note->slot)), &impact);
  if (m->status != GRAZE_OK) return;
  if (impact.starts != GRAZE_SEPARATED) {
    if (look_measure(m, note->slot, -1, -1, &contact)) look_wait(note, 0, contact.point, contact.normal);
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
  if (contact.gap < 0 || (contact.gap == 0 && note->crossing == GRAZE_CROSSING_CROSS)) {
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

void grz_move_look_around(scene_move *m) {
  m->planes = 0;
  m->time = 0;
  look_at_all(m, look_around);
}

void grz_move_look_ahead(scene_move *m) { look_at_all(m, look_ahead); }
