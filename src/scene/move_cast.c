/* Contacts of the moved body at its place and along its motion.
 *
 * The body stops one skin away from others, but the clearance of casts is half a skin. So no cast has to decide whether
 * the gap is exactly one skin. Therefore a body that slides over one tile of a floor does not hit the corner of the
 * next tile.
 *
 * A body passes another one without a contact if a fixed normal separates the two during the whole motion. Touching
 * is allowed. So a body fits into a gap of exactly its own width: docs/theory/scene.md, "Fits". */
#include "compound/compound.h"
#include "core/vec.h"
#include "scene/queries.h"
#include "shape/motion.h"

double grz_move_skin(const scene_move *m, uint32_t slot) {
  return grz_pair_skin_of(m->body, &scene_records(m->scene)[slot], m->minimum_skin);
}

/* ---- Records */

size_t grz_move_record_index(const scene_move *m, uint32_t slot) {
  size_t from = 0, to = m->record_count;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (move_records(m)[middle].slot < slot)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

/* Returns the record of a body, or NULL on failure. For a new record, the caller of graze_scene_move() chooses the
 * response. */
static move_record *move_cast_record(scene_move *m, uint32_t slot) {
  const size_t at = grz_move_record_index(m, slot);
  if (at < m->record_count && move_records(m)[at].slot == slot) return &move_records(m)[at];
  const scene_filter *filter = scene_filters(m->scene);
  graze_collision_response response = GRAZE_COLLISION_SLIDE;
  if (m->choose != NULL) response = m->choose(m->context, scene_id(m->scene, m->slot), scene_id(m->scene, slot));
  if ((unsigned)response > GRAZE_COLLISION_BOUNCE)
    m->status = GRAZE_BAD_OPTION;
  else if (!grz_scene_grow(m->scene, &m->scene->buffer[BUFFER_MOVE_RECORDS], m->record_count + 1, sizeof(move_record)))
    m->status = GRAZE_OUT_OF_MEMORY;
  if (m->status != GRAZE_OK) return NULL;
  const bool sensor = filter[m->slot].sensor || filter[slot].sensor;
  if (sensor && response > GRAZE_COLLISION_CROSS) response = GRAZE_COLLISION_CROSS;
  for (size_t i = m->record_count++; i > at; i--) move_records(m)[i] = move_records(m)[i - 1];
  move_records(m)[at] = (move_record){.slot = slot, .response = response};
  return &move_records(m)[at];
}

static void move_cast_set_pending(move_record *record, double time, graze_vec point, graze_vec normal) {
  record->pending = true;
  record->time = time;
  record->point = point, record->normal = normal;
}

/* ---- One other body */

/* Makes the pair of two bodies or of two parts. `at` is the moved body at some pose. */
static void move_cast_pair(const scene_move *m, const graze_placed *at, uint32_t slot, int32_t part_a, int32_t part_b,
                           move_pair *pair) {
  const graze_placed *a = &m->placed, *b = scene_placed(m->scene, slot);
  pair->slot = slot;
  pair->part_a = part_a, pair->part_b = part_b;
  pair->margin = pair_margin(m->scene, m->slot, slot), pair->skin = grz_move_skin(m, slot);
  /* Rounding errors are below 2^-36 of all numbers of the pair. For tiny bodies at large coordinates they are
   * limited to 1/8 of the skin. */
  const double size = vec_norm1(b->pose.position) + b->hidden.bounding_radius + a->hidden.bounding_radius +
                      grz_radius_parameter(&b->shape) + grz_radius_parameter(&a->shape);
  pair->rounding = real_min(m->minimum_skin + 0x1p-36 * size, 0x1p-3 * pair->skin);
  if (part_a >= 0) pair->of_a = graze_part(at, (size_t)part_a, &pair->frame_a);
  if (part_b >= 0) pair->of_b = graze_part(b, (size_t)part_b, &pair->frame_b);
  pair->a = part_a >= 0 ? &pair->of_a : at;
  pair->b = part_b >= 0 ? &pair->of_b : b;
}

/* As grz_move_measure(), but returns true with NaN as gap, point and normal if the gap cannot be computed. */
static bool move_cast_measure(scene_move *m, const move_pair *pair, move_contact *contact) {
  graze_answer answer;
  graze_options options = graze_default_options();
  options.tolerance = PAIR_TOLERANCE * pair->skin;
  options.max_distance = pair->margin + 2 * pair->skin;
  m->status = graze_distance(pair->a, pair->b, &options, &answer);
  if (m->status != GRAZE_OK || answer.stopped == GRAZE_STOP_CUTOFF) return false;
  *contact = (move_contact){.slot = pair->slot, .point = answer.point_a, .normal = answer.normal};
  contact->lever = vec_sub(answer.point_a, m->placed.pose.position);
  contact->part_a = pair->part_a < 0 ? answer.part_a : pair->part_a;
  contact->part_b = pair->part_b < 0 ? answer.part_b : pair->part_b;
  contact->gap = (answer.lower > 0 ? answer.lower : answer.distance) - pair->margin;
  contact->rounding = pair->rounding;
  if (answer.relation == GRAZE_UNDECIDED &&
      !(contact->gap < 2 * pair->skin)) { /* user shapes whose distance is unknown */
    contact->gap = __builtin_nan("");
    contact->point = contact->normal = vec_make(contact->gap, contact->gap, contact->gap);
  }
  return !(contact->gap >= 2 * pair->skin);
}

bool grz_move_measure(scene_move *m, uint32_t slot, int32_t part_a, int32_t part_b, move_contact *contact) {
  move_pair pair;
  move_cast_pair(m, &m->placed, slot, part_a, part_b, &pair);
  return move_cast_measure(m, &pair, contact) && contact->gap == contact->gap;
}

static bool move_cast_is_later(const scene_move *m, uint32_t slot, double contact_time) {
  return m->has_contact &&
         (m->contact_time < contact_time || (m->contact_time == contact_time && m->contact.slot < slot));
}

static void move_cast_offer(scene_move *m, const move_contact *contact, double contact_time, double stop_time) {
  if (move_cast_is_later(m, contact->slot, contact_time)) return;
  m->has_contact = true;
  m->contact = *contact;
  m->contact_time = contact_time, m->stop_time = stop_time;
}

static void move_cast_sweep(scene_move *m, const move_pair *pair, double clearance, graze_cast_result *result) {
  graze_cast_options options = graze_default_cast_options();
  options.clearance = clearance;
  options.min_distance = false;
  m->status = graze_cast(pair->a, &m->motion, pair->b, &grz_motion_at_rest, m->time, &options, result);
  if (m->status == GRAZE_OK && move_turns(m)) m->work += result->iterations;
}

static bool move_cast_is_unresolved(const scene_move *m, const graze_cast_result *result) {
  return move_turns(m) && result->stopped == GRAZE_STOP_BUDGET;
}

/* ---- Passing by */

/* Returns the gap along a direction that points away from the moved body. Returns minus infinity for half-spaces,
 * and for user shapes, whose support points may be inaccurate. */
static double move_cast_gap(const move_pair *pair, graze_vec normal) {
  graze_vec near_a, near_b;
  const bool user = pair->a->shape.kind == GRAZE_USER || pair->b->shape.kind == GRAZE_USER;
  const bool known = !user && graze_support(pair->a, normal, &near_a, NULL) == GRAZE_OK &&
                     graze_support(pair->b, vec_neg(normal), &near_b, NULL) == GRAZE_OK;
  return known ? vec_dot(normal, vec_sub(near_b, near_a)) - pair->margin : -__builtin_inf();
}

/* Returns whether a plane with this normal separates the two; touching is allowed. A plane that contains two flat
 * bodies does not separate them. */
static bool move_cast_is_beside(const move_pair *pair, graze_vec normal, double *gap) {
  const double thickness =
      16; /* multiple of the rounding error by which the two must overlap along the opposite normal */
  *gap = move_cast_gap(pair, normal);
  return *gap >= -pair->rounding && move_cast_gap(pair, vec_neg(normal)) < -thickness * pair->rounding;
}

/* In 3D, tests the direction that is perpendicular to the motion and nearest to the normal of the contact at `time`.
 * `time` may be later than the end of the motion. `direction` is the unit direction of the motion. */
static bool move_cast_passes_at(scene_move *m, const move_pair *pair, graze_vec direction, double time) {
  graze_placed moved = m->placed;
  move_pair later;
  move_contact contact;
  double gap;
  m->status = graze_set_pose(&moved, graze_pose_after(&m->placed.pose, &m->motion, time));
  if (m->status != GRAZE_OK) return false;
  move_cast_pair(m, &moved, pair->slot, pair->part_a, pair->part_b, &later);
  if (!move_cast_measure(m, &later, &contact)) return false;
  const graze_vec across = vec_sub(contact.normal, vec_scale(direction, vec_dot(direction, contact.normal)));
  const double length = vec_length(across);
  return length > 0.5 && move_cast_is_beside(pair, vec_scale(across, 1 / length), &gap);
}

/* Returns whether the moved body passes the other one and at most touches it. The shapes are convex. The contact is
 * at `time`, where 0 is the present. */
static bool move_cast_passes_by(scene_move *m, const move_contact *c, double time) {
  const double speed = vec_length(m->motion.velocity),
               size = m->placed.hidden.bounding_radius + grz_radius_parameter(&m->placed.shape);
  move_pair pair;
  double gap;
  if (move_turns(m)) return false;
  move_cast_pair(m, &m->placed, c->slot, c->part_a, c->part_b, &pair);

  /* Along the normal of the contact, the gap shrinks at most by half. */
  if (time == 0 && vec_dot(c->normal, c->normal) > 0 && move_cast_is_beside(&pair, c->normal, &gap) &&
      vec_dot(c->normal, m->motion.velocity) * m->time <= 0.5 * (gap + pair.rounding))
    return true;
  if (!(speed > 0)) return false;

  /* Along a direction perpendicular to the motion, the gap is constant. */
  const graze_vec direction = vec_scale(m->motion.velocity, 1 / speed), across = vec_make(-direction.y, direction.x, 0);
  if (m->scene->def.dim == 2)
    return move_cast_is_beside(&pair, across, &gap) || move_cast_is_beside(&pair, vec_neg(across), &gap);
  if (move_cast_passes_at(m, &pair, direction, time + 2 * pair.skin / speed)) return true;
  const bool flat = real_abs(vec_dot(c->normal, direction)) <= 0x1p-3;
  return flat && m->status == GRAZE_OK && move_cast_passes_at(m, &pair, direction, time + size / speed);
}

/* The normal at a touched vertex is ambiguous. Such a contact takes the normal of another contact if that normal
 * separates the two as well. For example, the vertex of the next tile takes the normal of the floor. */
static void move_cast_align_normals(const scene_move *m, move_contact *contact, int count) {
  for (int i = 0; i < count; i++) {
    move_pair pair;
    double gap;
    if (!(real_abs(contact[i].gap) <= contact[i].rounding)) continue;
    move_cast_pair(m, &m->placed, contact[i].slot, contact[i].part_a, contact[i].part_b, &pair);
    for (int k = 0; k < count; k++) {
      if (k == i || !move_cast_is_beside(&pair, contact[k].normal, &gap)) continue;
      contact[i].normal = contact[k].normal;
      break;
    }
  }
}

int grz_move_find_sidesteps(const scene_move *m, const move_contact *c, graze_vec direction[MOVE_SIDESTEPS]) {
  /* Cosine and sine of 1/8 of a right angle. A corner that deviates less counts as round. */
  const double cosine = 0.98078528040323044, sine = 0.19509032201612827;
  const graze_vec n = c->normal, x = {1, 0, 0}, z = {0, 0, 1};
  const graze_vec tangent = vec_unit(vec_cross(real_abs(n.z) < 0.75 ? z : x, n));
  const graze_vec tangents[] = {tangent, vec_cross(n, tangent)}, base = vec_scale(n, cosine);
  move_pair pair;
  int count = 0;
  move_cast_pair(m, &m->placed, c->slot, c->part_a, c->part_b, &pair);
  const double enough = MOVE_CLOSE * pair.skin;
  for (int i = 0; i < m->scene->def.dim - 1; i++) {
    const graze_vec by = vec_scale(tangents[i], sine);
    if (!(move_cast_gap(&pair, vec_add(base, by)) >= enough && move_cast_gap(&pair, vec_sub(base, by)) >= enough))
      continue;
    direction[count++] = tangents[i];
    direction[count++] = vec_neg(tangents[i]);
  }
  return count;
}

/* ---- The motion against one other body */

/* Adds a pair that is in contact and that the motion presses together. Returns false for a whole compound, because
 * each of its parts has a normal of its own. */
static bool move_cast_add_initial(scene_move *m, const move_pair *pair, const move_contact *contact) {
  const bool compound = grz_has_parts(&pair->a->shape) || grz_has_parts(&pair->b->shape);
  if (compound && contact->gap >= -contact->rounding && !move_turns(m)) return false;
  if (m->initial_count < MOVE_PLANES)
    m->initial[m->initial_count++] = *contact;
  else
    move_cast_offer(m, contact, 0, 0);
  return true;
}

/* Queries the motion against a solid pair. Returns false if the moved body passes the parts that it reaches first.
 * Then all other parts must be queried. */
static bool move_cast_solid_pair(scene_move *m, const move_record *record, const move_pair *pair) {
  double half = 0.5 * pair->skin;
  move_contact contact = {.slot = record->slot, .response = record->response};
  graze_cast_result result;
  move_cast_sweep(m, pair, pair->margin + half, &result);
  if (m->status == GRAZE_OK &&
      result.start_relation != GRAZE_SEPARATED) { /* nearer than half a skin: use half of the gap as clearance */
    if (!move_cast_measure(m, pair, &contact)) return true;
    contact.response = record->response;
    if (m->separating && contact.gap < 2 * half) return true; /* the body is being moved out of this contact */
    if (move_cast_passes_by(m, &contact, 0)) return false;
    if (m->status != GRAZE_OK) return true;
    if (!(contact.gap > 0)) return move_cast_add_initial(m, pair, &contact);
    half = 0.5 * contact.gap;
    move_cast_sweep(m, pair, pair->margin + half, &result);
  }
  if (m->status != GRAZE_OK || result.outcome == GRAZE_CLEAR || move_cast_is_later(m, record->slot, result.t_lower))
    return true;
  contact.part_a = pair->part_a < 0 ? result.part_a : pair->part_a;
  contact.part_b = pair->part_b < 0 ? result.part_b : pair->part_b;
  contact.point = result.point, contact.normal = result.normal;
  contact.lever = vec_sub(result.point, result.position_a);
  contact.unresolved = move_cast_is_unresolved(m, &result);
  if (move_cast_passes_by(m, &contact, result.t_lower)) return false;
  if (m->status != GRAZE_OK) return true;

  /* The body stops earlier, where the gap was larger by `half`. */
  const graze_vec velocity = vec_add(m->motion.velocity, vec_cross(m->motion.angular, contact.lever));
  const double closing_speed = vec_dot(contact.normal, velocity), speed = vec_length(m->motion.velocity);
  double back = speed > 0 && !contact.unresolved ? PAIR_MAX_BACK * half / speed : 0;
  if (closing_speed * back > half) back = half / closing_speed;
  move_cast_offer(m, &contact, result.t_lower, real_max(result.t_lower - back, 0));
  return true;
}

typedef struct move_cast_parts {
  scene_move *m;
  const move_record *record;
  bool tree_moves; /* the search uses the tree of the moved body */
} move_cast_parts;

static bool move_cast_solid_parts(void *context, int32_t tree_part, int32_t query_part) {
  const move_cast_parts *of = context;
  move_pair pair;
  move_cast_pair(of->m, &of->m->placed, of->record->slot, of->tree_moves ? tree_part : query_part,
                 of->tree_moves ? query_part : tree_part, &pair);
  (void)move_cast_solid_pair(of->m, of->record, &pair);
  return of->m->status == GRAZE_OK;
}

/* Queries a body that is not crossed. If the moved body passes the parts of a compound that it reaches first, all
 * pairs of parts that come near during the motion are queried. */
static void move_cast_solid(scene_move *m, const move_record *record) {
  move_pair pair;
  move_cast_pair(m, &m->placed, record->slot, -1, -1, &pair);
  const bool convex = !grz_has_parts(&pair.a->shape) && !grz_has_parts(&pair.b->shape);
  if (move_cast_solid_pair(m, record, &pair) || convex) return;
  move_cast_parts of = {m, record, grz_has_parts(&pair.a->shape)};
  const graze_placed *tree_body = of.tree_moves ? pair.a : pair.b, *query_body = of.tree_moves ? pair.b : pair.a;
  grz_query_shape query;
  grz_query_shape_make(&query, tree_body, query_body, pair.margin + pair.skin);
  grz_query_shape_sweep(&query, tree_body, vec_scale(m->motion.velocity, of.tree_moves ? -m->time : m->time));
  grz_search search = {.target = &tree_body->shape, .query = &query};
  search.visit = move_cast_solid_parts, search.context = &of;
  grz_search_run(&search);
}

static void move_cast_crossed(scene_move *m, move_record *record) {
  move_contact contact;
  graze_cast_result result;
  move_pair pair;
  move_cast_pair(m, &m->placed, record->slot, -1, -1, &pair);
  move_cast_sweep(m, &pair, pair.margin, &result);
  if (m->status != GRAZE_OK) return;
  if (result.start_relation != GRAZE_SEPARATED) {
    if (move_cast_measure(m, &pair, &contact)) move_cast_set_pending(record, 0, contact.point, contact.normal);
  } else if (move_cast_is_unresolved(m, &result)) {
    contact = (move_contact){.slot = record->slot, .response = record->response, .unresolved = true};
    move_cast_offer(m, &contact, result.t_lower, result.t_lower);
  } else if (result.outcome != GRAZE_CLEAR) {
    move_cast_set_pending(record, result.t_lower, result.point, result.normal);
  }
}

/* ---- Velocity planes */

static bool move_cast_plane_is_before(const move_contact *p, const move_contact *q) {
  if (p->slot != q->slot) return p->slot < q->slot;
  return p->part_a != q->part_a ? p->part_a < q->part_a : p->part_b < q->part_b;
}

void grz_move_add_plane(scene_move *m, const move_contact *contact) {
  int at = 0;
  while (at < m->plane_count && move_cast_plane_is_before(&m->plane[at], contact)) at++;
  const bool known = at < m->plane_count && !move_cast_plane_is_before(contact, &m->plane[at]);
  for (int i = m->plane_count; !known && i > at; i--) m->plane[i] = m->plane[i - 1];
  m->plane[at] = *contact;
  m->plane_count += !known;
  if (m->plane_count <= MOVE_PLANES) return;
  int widest = 0;
  for (int i = 1; i < m->plane_count; i++)
    if (m->plane[i].gap >= m->plane[widest].gap) widest = i;
  m->plane_count--;
  for (int i = widest; i < m->plane_count; i++) m->plane[i] = m->plane[i + 1];
}

/* ---- All other bodies */

/* Returns the record of a body if its bounds overlap those of the motion. Returns NULL for all other bodies, ignored
 * bodies, and on failure. */
static move_record *move_cast_candidate(scene_move *m, uint32_t slot) {
  const scene_record *other = &scene_records(m->scene)[slot];
  const scene_filter *filter = scene_filters(m->scene);
  if (slot == m->slot || !scene_are_pair(&filter[m->slot], &filter[slot])) return NULL;
  if (other->placed.shape.kind == GRAZE_HALFSPACE) {
    if (!grz_halfspace_overlaps(&other->placed, &grz_motion_at_rest, 0, other->margin, &m->box)) return NULL;
  } else if (m->placed.shape.kind == GRAZE_HALFSPACE) {
    const graze_aabb box = grz_query_bounds(&other->placed);
    const double inflation = m->body->margin + scene_inflation(other);
    if (!grz_halfspace_overlaps(&m->placed, &m->motion, m->time, inflation, &box)) return NULL;
  }
  move_record *record = move_cast_record(m, slot);
  return record != NULL && record->response != GRAZE_COLLISION_IGNORE ? record : NULL;
}

static bool move_cast_visit_contact(void *context, size_t item) {
  scene_move *m = context;
  move_contact contact;
  move_record *record = move_cast_candidate(m, (uint32_t)item);
  if (record == NULL || !grz_move_measure(m, record->slot, -1, -1, &contact)) return m->status == GRAZE_OK;
  contact.response = record->response;
  if (record->response == GRAZE_COLLISION_CROSS ? contact.gap <= 0 : move_overlaps(&contact))
    move_cast_set_pending(record, 0, contact.point, contact.normal);
  if (record->response != GRAZE_COLLISION_CROSS) grz_move_add_plane(m, &contact);
  return true;
}

static bool move_cast_visit_motion(void *context, size_t item) {
  scene_move *m = context;
  move_record *record = move_cast_candidate(m, (uint32_t)item);
  if (record == NULL) return m->status == GRAZE_OK;
  if (record->response != GRAZE_COLLISION_CROSS)
    move_cast_solid(m, record);
  else if (!record->reported)
    move_cast_crossed(m, record);
  return m->status == GRAZE_OK && !move_is_over_budget(m);
}

static void move_cast_visit_all(scene_move *m, bool (*visit)(void *context, size_t item)) {
  for (size_t i = 0; i < m->record_count; i++) move_records(m)[i].pending = false;
  m->has_contact = false;
  m->box = grz_swept_bounds(&m->placed, &m->motion, m->time, scene_inflation(m->body) + 2 * m->minimum_skin);
  grz_bvh_overlap(&m->scene->store.tree, &m->box, visit, m);
}

void grz_move_find_contacts(scene_move *m) {
  m->plane_count = 0;
  m->time = 0;
  move_cast_visit_all(m, move_cast_visit_contact);
  move_cast_align_normals(m, m->plane, m->plane_count);
}

void grz_move_cast(scene_move *m) {
  m->initial_count = 0;
  move_cast_visit_all(m, move_cast_visit_motion);
  move_cast_align_normals(m, m->initial, m->initial_count);
  for (int i = 0; i < m->initial_count; i++) move_cast_offer(m, &m->initial[i], 0, 0);
}
