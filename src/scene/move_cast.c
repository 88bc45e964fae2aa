/* What is around a moved body, and ahead of it. It stops short of others by the skin; but what is asked is when it
 * comes half as near. So contacts are never asked about at the distance where bodies stop, and what slides along one
 * tile does not stumble over the corner of the next. */
#include "compound/search.h"
#include "core/vec.h"
#include "scene/query.h"
#include "scene/move.h"
#include "scene/pair.h"

/* Rounding makes less than this of all numbers that there are in a pair. */
#define LOOK_HAIR 0x1p-36

/* And where bodies are tiny beside that, less than this of the skin counts as such. */
#define LOOK_HAIR_MOST 0x1p-3

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
static graze_collision_response look_choose(const scene_move *m, uint32_t slot) {
  const graze_body self = scene_id(m->scene, m->slot), other = scene_id(m->scene, slot);
  const graze_collision_response chosen =
      m->choose != NULL ? m->choose(m->context, self, other) : GRAZE_COLLISION_SLIDE;
  const bool sensor = m->body->sensor || look_of(m, slot)->sensor;
  return sensor && chosen > GRAZE_COLLISION_CROSS && chosen <= GRAZE_COLLISION_BOUNCE ? GRAZE_COLLISION_CROSS : chosen;
}

/* NULL: a failure. */
static move_note *look_note(scene_move *m, uint32_t slot) {
  const size_t at = grz_move_note_place(m, slot);
  if (at < m->notes && move_notes(m)[at].slot == slot) return &move_notes(m)[at];
  const graze_collision_response crossing = look_choose(m, slot);
  if ((unsigned)crossing > GRAZE_COLLISION_BOUNCE)
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

static double look_hair(const scene_move *m, const scene_body *other, double skin) {
  const graze_placed *a = &m->placed, *b = &other->placed;
  const double size = vec_norm1(b->pose.position) + b->reach + a->reach + b->shape.radius + a->shape.radius;
  return real_min(m->thin + LOOK_HAIR * size, LOOK_HAIR_MOST * skin);
}

void grz_move_pair_at(const scene_move *m, const graze_placed *at, uint32_t slot, int32_t part_a, int32_t part_b,
                      move_pair *pair) {
  const scene_body *other = look_of(m, slot);
  pair->slot = slot;
  pair->part_a = part_a, pair->part_b = part_b;
  pair->margin = pair_margin(m->body, other), pair->skin = grz_move_skin(m, other);
  pair->hair = look_hair(m, other, pair->skin);
  if (part_a >= 0) pair->of_a = graze_part(at, (size_t)part_a);
  if (part_b >= 0) pair->of_b = graze_part(&other->placed, (size_t)part_b);
  pair->a = part_a >= 0 ? &pair->of_a : at;
  pair->b = part_b >= 0 ? &pair->of_b : &other->placed;
}

bool grz_move_measure_pair(scene_move *m, const move_pair *pair, move_contact *contact) {
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
  contact->hair = pair->hair;
  if (answer.relation == GRAZE_UNDECIDED && !(contact->gap < 2 * pair->skin)) {
    contact->gap = __builtin_nan("");
    contact->point = contact->normal = vec_make(contact->gap, contact->gap, contact->gap);
  }
  return !(contact->gap >= 2 * pair->skin);
}

bool grz_move_measure(scene_move *m, uint32_t slot, int32_t part_a, int32_t part_b, move_contact *contact) {
  move_pair pair;
  grz_move_pair_at(m, &m->placed, slot, part_a, part_b, &pair);
  return grz_move_measure_pair(m, &pair, contact) && contact->gap == contact->gap;
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
static void look_cast(scene_move *m, const move_pair *pair, double clearance, graze_cast_result *impact) {
  graze_options options = graze_default_options();
  options.clearance = clearance;
  options.max_distance = 0; /* how near it passes is nobody's question */
  m->status = graze_sweep(pair->a, &m->motion, pair->b, &look_still, m->time, &options, impact);
  if (m->status == GRAZE_OK && move_turns(m)) m->work += impact->iterations;
}

/* It turns more than a sweep sees through. */
static bool look_is_unseen(const scene_move *m, const graze_cast_result *impact) {
  return move_turns(m) && impact->stopped == GRAZE_STOP_BUDGET;
}

/* Where it comes near. */
static void look_take(const move_pair *pair, const graze_cast_result *impact, move_contact *contact) {
  contact->part_a = pair->part_a < 0 ? impact->part_a : pair->part_a;
  contact->part_b = pair->part_b < 0 ? impact->part_b : pair->part_b;
  contact->point = impact->point, contact->normal = impact->normal;
  contact->arm = vec_sub(impact->point, impact->position_a);
}

/* It stops before that, where the gap is `gap` wider, if it was. */
static void look_met(scene_move *m, const move_contact *contact, double t, double gap) {
  const graze_vec moves = vec_add(m->motion.velocity, vec_cross(m->motion.angular, contact->arm));
  const double speed = vec_dot(contact->normal, moves), fast = vec_length(m->motion.velocity);
  double back = fast > 0 && !contact->unseen ? PAIR_BACK * gap / fast : 0;
  if (speed * back > gap) back = gap / speed;
  look_offer(m, contact, t, real_max(t - back, 0));
}

/* False: of the whole of a compound; its parts touch in ways of their own. */
static bool look_touch(scene_move *m, const move_pair *pair, const move_contact *contact) {
  const bool compound = pair->a->shape.kind == GRAZE_COMPOUND || pair->b->shape.kind == GRAZE_COMPOUND;
  if (compound && contact->gap >= -contact->hair && !move_turns(m)) return false;
  if (m->touches < GRZ_PLANES)
    m->touch[m->touches++] = *contact;
  else
    look_offer(m, contact, 0, 0);
  return true;
}

/* False: it only passes by the parts that come first, or touches them, and others are not asked about. */
static bool look_solid_pair(scene_move *m, const move_note *note, const move_pair *pair) {
  double half = 0.5 * pair->skin;
  move_contact contact = {.slot = note->slot, .crossing = note->crossing};
  graze_cast_result impact;
  look_cast(m, pair, pair->margin + half, &impact);
  if (m->status == GRAZE_OK && impact.starts != GRAZE_SEPARATED) { /* it is nearer already */
    if (!grz_move_measure_pair(m, pair, &contact)) return true;
    contact.crossing = note->crossing;
    if (m->leaving && contact.gap < 2 * half) return true; /* it is what is left */
    if (grz_move_passes(m, &contact, 0)) return false;
    if (m->status != GRAZE_OK) return true;
    if (!(contact.gap > 0)) return look_touch(m, pair, &contact);
    half = 0.5 * contact.gap;
    look_cast(m, pair, pair->margin + half, &impact);
  }
  if (m->status != GRAZE_OK || impact.result == GRAZE_CLEAR || look_is_later(m, note->slot, impact.t_lower))
    return true;
  look_take(pair, &impact, &contact);
  contact.unseen = look_is_unseen(m, &impact);
  if (grz_move_passes(m, &contact, impact.t_lower)) return false;
  if (m->status == GRAZE_OK) look_met(m, &contact, impact.t_lower, half);
  return true;
}

typedef struct look_parts {
  scene_move *m;
  const move_note *note;
  bool host_moves; /* the parts that are walked through first are its own */
} look_parts;

static bool look_solid_parts(void *context, int32_t host_part, int32_t guest_part) {
  const look_parts *of = context;
  move_pair pair;
  grz_move_pair_at(of->m, &of->m->placed, of->note->slot, of->host_moves ? host_part : guest_part,
                   of->host_moves ? guest_part : host_part, &pair);
  (void)look_solid_pair(of->m, of->note, &pair);
  return of->m->status == GRAZE_OK;
}

/* Each pair of parts that may come near on the way, of what does not turn. */
static void look_solid_each(scene_move *m, const move_note *note, const move_pair *whole) {
  look_parts of = {m, note, whole->a->shape.kind == GRAZE_COMPOUND};
  const graze_placed *host = of.host_moves ? whole->a : whole->b, *other = of.host_moves ? whole->b : whole->a;
  grz_query_shape guest;
  grz_query_shape_make(&guest, host, other, whole->margin + whole->skin);
  grz_query_shape_sweep(&guest, host, vec_scale(m->motion.velocity, of.host_moves ? -m->time : m->time));
  grz_search search = {.host = host->shape.compound->tree->node, .guest = &guest};
  search.ask = look_solid_parts, search.context = &of;
  grz_search_run(&search);
}

static void look_solid(scene_move *m, const move_note *note) {
  move_pair pair;
  grz_move_pair_at(m, &m->placed, note->slot, -1, -1, &pair);
  const bool convex = pair.a->shape.kind != GRAZE_COMPOUND && pair.b->shape.kind != GRAZE_COMPOUND;
  if (!look_solid_pair(m, note, &pair) && !convex) look_solid_each(m, note, &pair);
}

static void look_crossed(scene_move *m, move_note *note) {
  move_contact contact;
  graze_cast_result impact;
  move_pair pair;
  grz_move_pair_at(m, &m->placed, note->slot, -1, -1, &pair);
  look_cast(m, &pair, pair.margin, &impact);
  if (m->status != GRAZE_OK) return;
  if (impact.starts != GRAZE_SEPARATED) {
    if (grz_move_measure_pair(m, &pair, &contact)) look_wait(note, 0, contact.point, contact.normal);
  } else if (look_is_unseen(m, &impact)) {
    contact = (move_contact){.slot = note->slot, .crossing = note->crossing, .unseen = true};
    look_offer(m, &contact, impact.t_lower, impact.t_lower);
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
    near = grz_halfspace_overlaps(&other->placed, &look_still, 0, other->margin, &m->box);
  } else if (near && m->placed.shape.kind == GRAZE_HALFSPACE) {
    const graze_aabb box = grz_scene_box_of(&other->placed);
    near = grz_halfspace_overlaps(&m->placed, &m->motion, m->time, m->body->margin + scene_grows(other), &box);
  }
  move_note *note = near ? look_note(m, slot) : NULL;
  return note != NULL && note->crossing != GRAZE_COLLISION_IGNORE ? note : NULL;
}

static bool look_around(void *context, size_t item) {
  scene_move *m = context;
  move_contact contact;
  move_note *note = look_at(m, (uint32_t)item);
  if (note == NULL || !grz_move_measure(m, note->slot, -1, -1, &contact)) return m->status == GRAZE_OK;
  contact.crossing = note->crossing;
  if (note->crossing == GRAZE_COLLISION_CROSS ? contact.gap <= 0 : move_overlaps(&contact))
    look_wait(note, 0, contact.point, contact.normal);
  if (note->crossing != GRAZE_COLLISION_CROSS) grz_move_add_plane(m, &contact);
  return true;
}

static bool look_ahead(void *context, size_t item) {
  scene_move *m = context;
  move_note *note = look_at(m, (uint32_t)item);
  if (note == NULL) return m->status == GRAZE_OK;
  if (note->crossing != GRAZE_COLLISION_CROSS)
    look_solid(m, note);
  else if (!note->seen)
    look_crossed(m, note);
  return m->status == GRAZE_OK && !move_is_tired(m);
}

static void look_at_all(scene_move *m, bool (*visit)(void *context, size_t item)) {
  for (size_t i = 0; i < m->notes; i++) move_notes(m)[i].waits = false;
  m->hits = false;
  m->box = grz_swept_bounds(&m->placed, &m->motion, m->time, scene_grows(m->body) + 2 * m->thin);
  grz_bvh_overlap(&m->scene->broad, &m->box, visit, m);
}

void grz_move_look_around(scene_move *m) {
  m->planes = 0;
  m->time = 0;
  look_at_all(m, look_around);
  grz_move_align(m, m->plane, m->planes);
}

void grz_move_look_ahead(scene_move *m) {
  m->touches = 0;
  look_at_all(m, look_ahead);
  grz_move_align(m, m->touch, m->touches);
  for (int i = 0; i < m->touches; i++) look_offer(m, &m->touch[i], 0, 0);
}
