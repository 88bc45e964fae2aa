/* The next collision of two bodies in a step.
 *
 * Bodies with a gap are cast with half of the gap as clearance, at most the skin. So the gap never falls to 0, and the
 * rounding of poses never causes an overlap. For bodies in contact the query proves that they do not approach each
 * other.
 *
 * Proof: let N be the normal of the contact from a body F to a body M. N rotates with F. The height of a point q of
 * M over F along N is h(q, t) = N·q + t·s(q), with an error of at most a·t²/2. Here s(q) is the speed of q along N
 * at t = 0, which is affine in q, and a bounds the acceleration. The minimum of h over all q is concave in t,
 * because it is a minimum of affine functions. So one support point at time t gives a lower bound of the height
 * during [0, t]. Theory: docs/theory/scene.md, "Contacts at the start". */
#include "compound/compound.h"
#include "core/vec.h"
#include "scene/collisions.h"
#include "shape/placed.h"
#include "shape/support.h"

/* A gap below the sum of these fractions, of the skin and of the positions, counts as none. */
#define EVENT_NO_GAP 0x1p-24
#define EVENT_NO_GAP_AT 0x1p-44

/* The minimum separation speed of rotating bodies after their first contact, as a fraction of the speed that the
 * rotation may add. With a smaller value they collide more often. */
#define EVENT_SEPARATION 0x1p-10

/* Rounding of support points and heights, as a fraction of the sizes. */
#define EVENT_ERROR (64 * GRZ_U)

/* ---- Bodies of a collision */

static graze_motion event_motion(const scene_step *step, uint32_t slot) {
  return grz_trajectory_motion(&step->trajectory[slot]);
}

static double event_skin(const scene_step *step, const step_collision *c) {
  return grz_pair_skin(step->scene, c->low, c->high);
}

static double event_margin(const scene_step *step, const step_collision *c) {
  return pair_margin(step->scene, c->low, c->high);
}

static bool event_turns(const scene_step *step, const step_collision *c) {
  const graze_motion a = event_motion(step, c->low), b = event_motion(step, c->high);
  return vec_norm_inf(a.angular) > 0 || vec_norm_inf(b.angular) > 0;
}

/* The height above the contact up to which bodies have no gap. */
static double event_no_gap(const scene_step *step, const step_collision *c, const graze_placed *a,
                           const graze_placed *b) {
  const double size = vec_norm1(placed_reference_point(a)) + vec_norm1(placed_reference_point(b));
  return EVENT_NO_GAP * event_skin(step, c) + EVENT_NO_GAP_AT * size;
}

static int event_contacts(const scene_step *step, const step_collision *c) {
  const int low = step->trajectory[c->low].contacts, high = step->trajectory[c->high].contacts;
  return low > high ? low : high;
}

static double event_separation_fraction(const scene_step *step, const step_collision *c) {
  return grz_separation_fraction(EVENT_SEPARATION, event_contacts(step, c));
}

double grz_event_minimum_separation(const scene_step *step, const step_collision *c, const contact_body *a,
                                    const contact_body *b) {
  const double least = grz_minimum_separation(a, b, EVENT_SEPARATION, event_contacts(step, c), step->dt);
  const bool turn = vec_norm_inf(a->motion.angular) > 0 || vec_norm_inf(b->motion.angular) > 0;
  return turn ? real_max(least, event_separation_fraction(step, c) * step->dt * c->acceleration) : least;
}

/* ---- Proofs of contact */

/* The motion of the points of one body in the frame of another body. The normal rotates with that frame. */
typedef struct event_view {
  const graze_placed *moving, *fixed;
  graze_vec velocity;           /* of `moving`, relative */
  graze_vec spin, spin_fixed;   /* radians per time */
  graze_vec offset;             /* from the position of `fixed` to that of `moving` */
  graze_vec normal;             /* unit, from `fixed` to `moving` */
  graze_vec lever, lever_fixed; /* normal × spin: a point at r gains r·lever of height per time */
} event_view;

/* Returns false if `moving` is a half-space, which has no lowest point. */
static bool event_view_of(const scene_step *step, const step_collision *c, const graze_placed *a, const graze_placed *b,
                          bool from_a, event_view *view) {
  const graze_motion of_a = event_motion(step, c->low), of_b = event_motion(step, c->high);
  const graze_motion moving = from_a ? of_b : of_a, fixed = from_a ? of_a : of_b;
  *view = (event_view){.moving = from_a ? b : a, .fixed = from_a ? a : b};
  view->velocity = vec_sub(moving.velocity, fixed.velocity);
  view->spin = moving.angular, view->spin_fixed = fixed.angular;
  view->offset = vec_sub(placed_reference_point(view->moving), placed_reference_point(view->fixed));
  view->normal = from_a ? c->normal : vec_neg(c->normal);
  view->lever = vec_cross(view->normal, view->spin), view->lever_fixed = vec_cross(view->normal, view->spin_fixed);
  return view->moving->shape.kind != GRAZE_HALFSPACE;
}

/* Returns an upper bound of the acceleration of the heights of all core points during [0, time]. */
static double event_acceleration(const event_view *view, double time) {
  const double spin = vec_length(view->spin), fixed = vec_length(view->spin_fixed),
               radius = view->moving->hidden.bounding_radius;
  const double speed = vec_length(view->velocity);
  if (fixed == 0) return spin * vec_length(view->lever) * radius; /* N·(w × (w × r)) = (N × w)·(w × r) */
  const double distance = vec_length(view->offset) + radius + speed * time;
  return fixed * fixed * distance + 2 * fixed * (speed + spin * radius) + spin * spin * radius;
}

/* Returns the lowest core point after `time`, relative to the position of `moving`. Other points are at most *slack
 * lower. */
static graze_vec event_lowest(const event_view *view, double time, double *slack) {
  const graze_placed *p = view->moving;
  const graze_vec turns = vec_scale(vec_sub(view->lever, view->lever_fixed), time);
  const graze_vec down = vec_neg(vec_add(view->normal, turns));
  double error = 0;
  const grz_core_point core =
      grz_support_local(&p->shape, vec_unrotate(p->hidden.rotation, down, p->shape.dim), &error);
  const graze_vec point = vec_rotate(p->hidden.rotation, core.local, p->shape.dim);
  *slack = error * vec_length(down);
  return placed_is_part(p) ? vec_add(point, grz_placed_shift(p)) : point;
}

static double event_speed(const event_view *view, graze_vec point) {
  const double turns = vec_dot(point, view->lever) - vec_dot(vec_add(point, view->offset), view->lever_fixed);
  return vec_dot(view->normal, view->velocity) + turns;
}

/* Returns whether the height certainly does not decrease during `time`. The proof may use either body as the moving
 * one. */
static bool event_gains_height(const scene_step *step, const step_collision *c, const graze_placed *a,
                               const graze_placed *b, double time) {
  for (int i = 0; i < 2; i++) {
    event_view view;
    double slack, none;
    if (!event_view_of(step, c, a, b, i == 0, &view)) continue;
    const graze_vec first = event_lowest(&view, 0, &none), last = event_lowest(&view, time, &slack);
    const double height = vec_dot(view.normal, vec_sub(last, first)) + time * event_speed(&view, last);
    const double gain = (height - slack) - 0.5 * event_acceleration(&view, time) * time * time;
    const double error = STEP_NEGLIGIBLE * event_skin(step, c) +
                         EVENT_ERROR * (vec_norm1(view.offset) + view.moving->hidden.bounding_radius +
                                        view.fixed->hidden.bounding_radius);
    if (gain >= -error) return true;
  }
  return false;
}

/* Sets the acceleration of the collision, and its point to the one that would penetrate first. */
static void event_find_deepest(const scene_step *step, const graze_placed *a, const graze_placed *b,
                               step_collision *c) {
  const double time = event_separation_fraction(step, c) * step->dt;
  double most = __builtin_inf();
  for (int i = 0; i < 2; i++) {
    event_view view;
    double slack;
    if (!event_view_of(step, c, a, b, i == 0, &view)) continue;
    const graze_vec point = event_lowest(&view, time, &slack);
    const double acceleration = event_acceleration(&view, time);
    const double missing = time * acceleration - event_speed(&view, point);
    if (!(missing < most)) continue;
    most = missing;
    c->point = vec_add(placed_reference_point(view.moving), point), c->acceleration = acceleration;
  }
}

/* Returns the time up to which the two certainly are not deeper than at `time`, or `time` if there is no proof. At
 * `time`, the normal of the collision must prove their distance or depth. */
static double event_no_deeper_until(const scene_step *step, const step_collision *c, const graze_placed *a,
                                    const graze_placed *b, double time) {
  /* Each attempt uses a quarter of the previous interval. The last one is 1/8 of the interval for which a response
   * separates the bodies. */
  const double shorter = 0.25, last = 0x1p-3 * (event_separation_fraction(step, c) * step->dt);
  const double left = step->dt - time;
  for (double t = left; t >= real_min(last, left); t *= shorter)
    if (event_gains_height(step, c, a, b, t)) return t < left ? time + t : step->dt;
  return time;
}

static bool event_is_kind(const graze_placed *a, const graze_placed *b, graze_shape_kind kind) {
  return a->shape.kind == kind || b->shape.kind == kind;
}

/* Returns whether the two are separated along the normal of the collision by this height. Returns false for
 * half-spaces. */
static bool event_separates(const step_collision *c, const graze_placed *a, const graze_placed *b, double height) {
  graze_vec on_a, on_b;
  const double size = vec_norm1(placed_reference_point(a)) + vec_norm1(placed_reference_point(b)) +
                      a->hidden.bounding_radius + b->hidden.bounding_radius;
  const bool known = graze_support(a, c->normal, &on_a, NULL) == GRAZE_OK &&
                     graze_support(b, vec_neg(c->normal), &on_b, NULL) == GRAZE_OK;
  return known && vec_dot(c->normal, vec_sub(on_b, on_a)) >= height - EVENT_ERROR * size;
}

/* Corrects the normal of a contact with almost no gap, where rounding errors rotate the normal. It moves B away and
 * uses the normal of the distance there. Returns false if no normal is known that proves the distance or depth
 * `height`. */
static bool event_correct_normal(const scene_step *step, const graze_placed *a, const graze_placed *b, double height,
                                 step_collision *c) {
  const double displacement =
      real_max(0x1p-10 * real_min(a->hidden.bounding_radius, b->hidden.bounding_radius), 64 * event_skin(step, c));
  grz_moved moved;
  grz_moved_make(&moved, b);
  graze_answer answer;
  if (event_is_kind(a, b, GRAZE_USER)) return !(height > 0);
  if (event_is_kind(a, b, GRAZE_HALFSPACE) || event_separates(c, a, b, height)) return true;
  moved_set_position(&moved, vec_add(placed_reference_point(b), vec_scale(c->normal, displacement)));
  if (graze_distance(a, &moved.placed, NULL, &answer) != GRAZE_OK || !(answer.lower > 0)) return false;
  c->normal = answer.normal;
  return event_separates(c, a, b, height);
}

bool grz_event_contact(const scene_step *step, const graze_placed *a, const graze_placed *b, const graze_answer *answer,
                       step_collision *c) {
  step_collision_from_answer(c, answer);
  const double no_gap = event_no_gap(step, c, a, b);
  if (answer->lower - event_margin(step, c) > no_gap) return true;
  graze_frame frame_a, frame_b;
  const graze_placed part_a = graze_part(a, (size_t)answer->part_a, &frame_a),
                     part_b = graze_part(b, (size_t)answer->part_b, &frame_b);
  const bool separated = event_correct_normal(step, &part_a, &part_b, answer->lower, c);
  if (event_turns(step, c) && answer->lower <= no_gap) event_find_deepest(step, &part_a, &part_b, c);
  return separated;
}

/* ---- Bodies with a gap */

step_event grz_event_none(const scene_step *step, uint32_t low, uint32_t high) {
  step_event event = {.time = __builtin_inf(), .contact_time = __builtin_inf()};
  event.version_low = step->trajectory[low].version, event.version_high = step->trajectory[high].version;
  event.collision.low = low, event.collision.high = high;
  return event;
}

double grz_event_clearance(const scene_step *step, const step_collision *c, double gap) {
  /* Bodies that do not rotate are cast to 1/8 of the skin, but stop earlier, where the gap was one skin. So a body
   * that slides over one tile of a floor does not hit the corner of the next tile. */
  const double skin = event_skin(step, c);
  return real_min(0.5 * gap, event_turns(step, c) ? skin : 0x1p-3 * skin);
}

graze_status grz_event_cast(const scene_step *step, const step_collision *c, const graze_placed *a,
                            const graze_placed *b, double time, double clearance, graze_cast_result *result) {
  const graze_motion motion_a = event_motion(step, c->low), motion_b = event_motion(step, c->high);
  return grz_pair_cast(step->scene, (pair_body){a, &motion_a}, (pair_body){b, &motion_b}, time,
                       event_margin(step, c) + clearance, PAIR_TOLERANCE * event_skin(step, c), result);
}

void grz_event_from_cast(const scene_step *step, step_event *event, const graze_cast_result *result, double time,
                         double clearance) {
  const double grazing = 0x1p-20; /* a smaller closing speed, as a fraction of the speed, may be rounding */
  if (result->outcome == GRAZE_CLEAR) return;
  step_collision *c = &event->collision;
  c->result = result->outcome;
  step_collision_from_cast(c, result);

  /* Bodies that do not rotate stop earlier, where the gap was one skin. */
  const double skin = event_skin(step, c) - clearance;
  const graze_vec velocity = vec_sub(event_motion(step, c->high).velocity, event_motion(step, c->low).velocity);
  const double closing_speed = -vec_dot(c->normal, velocity), speed = vec_length(velocity);
  const bool stops_earlier = !event_turns(step, c) && closing_speed > grazing * speed;
  const double back = stops_earlier ? real_min(skin / closing_speed, PAIR_MAX_BACK * skin / speed) : 0;
  const double stop = real_max(result->t_lower - back, 0);
  event->time = c->t_lower = time + stop, event->contact_time = time + result->t_lower;
  c->t_upper = real_min(c->t_lower + (result->t_upper - result->t_lower), step->dt);
}

/* Sets the event of two bodies whose gap is larger than `clearance` at `time`. */
static graze_status event_query_gap(const scene_step *step, const graze_placed *a, const graze_placed *b, double time,
                                    double clearance, step_event *event) {
  graze_cast_result result;
  graze_status status = grz_event_cast(step, &event->collision, a, b, step->dt - time, clearance, &result);
  if (status == GRAZE_OK) grz_event_from_cast(step, event, &result, time, clearance);
  return status;
}

/* ---- Bodies in contact */

bool grz_event_must_respond(const scene_step *step, const step_collision *c, const contact_body *a,
                            const contact_body *b, double gap, double time) {
  const double skin = event_skin(step, c), left = step->dt - time;
  const double speed = grz_separation_speed(a, b, c->point, c->normal);
  const double least = grz_event_minimum_separation(step, c, a, b);
  const double negligible = STEP_NEGLIGIBLE * skin, space = real_min(real_max(gap, 0), skin);
  const bool too_slow = space < STEP_CLOSE * skin && speed < 0.5 * least && least * left > negligible;
  return speed * left < -(0.125 * space + negligible) || too_slow;
}

static void event_set_now(step_event *event, double time) {
  event->time = event->contact_time = event->collision.t_lower = event->collision.t_upper = time;
  event->collision.result = GRAZE_HIT;
}

static graze_status event_query_pair(const scene_step *step, const graze_placed *a, const graze_placed *b, double time,
                                     step_event *event);

/* A query of all pairs of parts of two bodies in contact. At least one body is a compound. */
typedef struct event_parts {
  const scene_step *step;
  const graze_placed *a, *b; /* the whole bodies */
  bool tree_of_a;            /* the search uses the tree of A and the parts of B */
  double time;
  const step_collision *contact; /* of the whole bodies */
  double height;                 /* along its normal */
  step_event first;              /* the earliest event */
  graze_status status;
} event_parts;

/* Skips a pair of parts that certainly stays separated along the normal of the contact, for example the next tile of
 * a floor. That pair may have a different normal, which would stop the body. */
static bool event_query_part_pair(void *context, int32_t first_part, int32_t second_part) {
  event_parts *of = context;
  const int32_t part_a = of->tree_of_a ? first_part : second_part, part_b = of->tree_of_a ? second_part : first_part;
  graze_frame frame_a, frame_b;
  const graze_placed a = graze_part(of->a, (size_t)part_a, &frame_a), b = graze_part(of->b, (size_t)part_b, &frame_b);
  step_event event = grz_event_none(of->step, of->contact->low, of->contact->high);
  if (!event_is_kind(&a, &b, GRAZE_USER) && event_separates(of->contact, &a, &b, of->height) &&
      event_gains_height(of->step, of->contact, &a, &b, of->step->dt - of->time))
    return true;
  of->status = event_query_pair(of->step, &a, &b, of->time, &event);
  event.collision.part_a = part_a, event.collision.part_b = part_b;
  if (event.time < of->first.time || (event.time == of->first.time && event.contact_time < of->first.contact_time))
    of->first = event;
  return of->status == GRAZE_OK;
}

/* Returns an upper bound of the displacement of core points by rotation. */
static double event_turning_displacement(const graze_placed *placed, const graze_motion *motion, double time) {
  return real_min(vec_length(motion->angular) * time, 2) * placed->hidden.bounding_radius * (1 + 0x1p-40);
}

static graze_status event_query_parts(const scene_step *step, const graze_placed *a, const graze_placed *b, double time,
                                      double height, step_event *event) {
  const step_collision contact = event->collision;
  const bool tree_of_a = grz_has_parts(&a->shape);
  event_parts of = {step, a, b, tree_of_a, time, &contact, height, *event, GRAZE_OK};
  const graze_motion motion_a = event_motion(step, contact.low), motion_b = event_motion(step, contact.high);
  const graze_placed *tree_body = tree_of_a ? a : b, *query_body = tree_of_a ? b : a;
  const double left = step->dt - time,
               turned = event_turning_displacement(a, &motion_a, left) + event_turning_displacement(b, &motion_b, left);
  const graze_vec displacement = vec_scale(vec_sub(motion_b.velocity, motion_a.velocity), tree_of_a ? left : -left);
  grz_query_shape parts;
  grz_query_shape_make(&parts, tree_body, query_body,
                       event_margin(step, &contact) + event_skin(step, &contact) + turned);
  grz_query_shape_sweep(&parts, tree_body, displacement);
  grz_search search = {.target = &tree_body->shape, .query = &parts};
  search.visit = event_query_part_pair, search.context = &of;
  grz_search_run(&search);
  *event = of.first;
  return of.status;
}

/* Queries convex bodies or parts without a gap. Without rotation the gap along a fixed direction is affine in time,
 * so bodies that do not approach now never do. */
static graze_status event_query_contact(const scene_step *step, const graze_placed *a, const graze_placed *b,
                                        double time, double height, step_event *event) {
  const step_collision *c = &event->collision;
  const double skin = event_skin(step, c);
  const bool inside_margins = height > event_no_gap(step, c, a, b);
  if (!event_turns(step, c) && !(event->no_normal && height > 0)) return GRAZE_OK;
  if (inside_margins || (event->no_normal && height > 0))
    return event_query_gap(step, a, b, time, height - real_min(0.5 * height, skin) - event_margin(step, c), event);
  const double until = event->no_normal && height > -skin ? time : event_no_deeper_until(step, c, a, b, time);
  if (until >= step->dt) return GRAZE_OK;
  event_set_now(event, until);
  event->requery = until > time;
  event->stops = !event->requery;
  return GRAZE_OK;
}

/* If the clearance of a cast were equal to the present distance, only exact arithmetic could decide whether the two
 * are in contact at time 0. So the clearance is smaller. */
static graze_status event_query_pair(const scene_step *step, const graze_placed *a, const graze_placed *b, double time,
                                     step_event *event) {
  step_collision *c = &event->collision;
  const double skin = event_skin(step, c), margin = event_margin(step, c);
  graze_answer answer;
  graze_options options = graze_default_options();
  options.tolerance = PAIR_TOLERANCE * skin;
  options.max_distance = margin + 3 * skin;
  graze_status status = graze_distance(a, b, &options, &answer);
  if (status != GRAZE_OK) return status;
  const double gap = answer.lower - margin, no_gap = event_no_gap(step, c, a, b);
  if (gap < real_max(STEP_CLOSE * skin, no_gap)) {
    const contact_body at_a = grz_trajectory_contact_body(step, c->low, placed_reference_point(a)),
                       at_b = grz_trajectory_contact_body(step, c->high, placed_reference_point(b));
    event->no_normal = !grz_event_contact(step, a, b, &answer, c);
    if (grz_event_must_respond(step, c, &at_a, &at_b, gap, time)) {
      event_set_now(event, time);
      return GRAZE_OK;
    }
  }
  if (gap > no_gap) return event_query_gap(step, a, b, time, grz_event_clearance(step, c, gap), event);
  const bool parts = grz_has_parts(&a->shape) || grz_has_parts(&b->shape);
  return parts ? event_query_parts(step, a, b, time, answer.lower, event)
               : event_query_contact(step, a, b, time, answer.lower, event);
}

/* ---- Pairs of the step */

static bool event_is_at_rest(const step_trajectory *t) {
  const graze_motion motion = grz_trajectory_motion(t);
  return vec_norm_inf(motion.velocity) == 0 && vec_norm_inf(motion.angular) == 0;
}

void grz_event_query(scene_step *step, uint32_t low, uint32_t high) {
  const step_trajectory *of_low = &step->trajectory[low], *of_high = &step->trajectory[high];
  if (event_is_at_rest(of_low) && event_is_at_rest(of_high))
    return; /* without this rule the queue might never become empty */
  const double time = real_max(of_low->time, of_high->time);
  graze_placed a, b;
  step_event event = grz_event_none(step, low, high);
  graze_status status = grz_trajectory_place(step, low, time, &a);
  if (status == GRAZE_OK) status = grz_trajectory_place(step, high, time, &b);
  if (status == GRAZE_OK) status = event_query_pair(step, &a, &b, time, &event);
  step->result.casts++;
  step_fail(step, status, low);
  if (status == GRAZE_OK && event.time < step->dt) grz_queue_push(step, &event);
}

typedef struct event_neighbors {
  scene_step *step;
  uint32_t slot, except;
  bool at_start;
} event_neighbors;

static bool event_query_neighbor(void *context, size_t item) {
  const event_neighbors *of = context;
  scene_step *step = of->step;
  const uint32_t slot = of->slot, other = (uint32_t)item;
  const uint32_t low = other < slot ? other : slot, high = other < slot ? slot : other;
  const scene_filter *filter = scene_filters(step->scene);
  const bool twice = other == of->except || (of->at_start && step_changed(step, other) && other < slot);
  if (low == high || twice || !scene_are_pair(&filter[low], &filter[high]) || !scene_respond(step->scene, low, high))
    return true;
  if (grz_store_bounds_meet(step->scene, step->dt, low, high)) grz_event_query(step, low, high);
  return step->status == GRAZE_OK;
}

void grz_event_query_neighbors(scene_step *step, uint32_t slot, uint32_t except, bool at_start) {
  event_neighbors of = {step, slot, except, at_start};
  grz_bvh_overlap(&step->scene->store.tree, &scene_bounds(step->scene)[slot], event_query_neighbor, &of);
}
