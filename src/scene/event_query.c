/* When two bodies meet, from some time on. */
#include "compound/search.h"
#include "core/vec.h"
#include "scene/event_queue.h"
#include "shape/placed.h"

/* Below this share of the skin, or of positions, there is no room left between two bodies. */
#define LINE_ROOM 0x1p-24
#define LINE_ROOM_AT 0x1p-44

/* What may be left of an approach until the end of the step: this share of the room there is, and LINE_NOTHING. */
#define LINE_SLACK 0.125

/* How fast bodies that turn must part at first, in shares of what turning may take. Less makes them meet more often. */
#define LINE_KICK 0x1p-10

/* So near, in skins, bodies that do not turn may come before anybody has to respond; then they stop where they are a
 * skin apart, if they were: what slides along one tile does not stumble over the corner of the next. */
#define LINE_AHEAD 0x1p-3

/* So small a share of its speed rounding could have made of a body's approach: then it does not stop earlier. */
#define LINE_GRAZES 0x1p-20

line_wait grz_line_wait_for(const line_run *r, uint32_t low, uint32_t high) {
  line_wait wait = {.time = __builtin_inf(), .met = __builtin_inf()};
  wait.turn_low = r->line->body[low].turn, wait.turn_high = r->line->body[high].turn;
  wait.meeting.low = low, wait.meeting.high = high;
  return wait;
}

static bool line_turns(const line_run *r, const line_meeting *m) {
  const graze_motion a = grz_line_motion(&r->line->body[m->low]), b = grz_line_motion(&r->line->body[m->high]);
  return vec_norm_inf(a.angular) > 0 || vec_norm_inf(b.angular) > 0;
}

double grz_line_clearance(const line_run *r, const line_meeting *m, double gap) {
  const double skin = grz_pair_skin(line_of(r, m->low), line_of(r, m->high));
  return real_min(0.5 * gap, line_turns(r, m) ? skin : LINE_AHEAD * skin);
}

/* They stop so long before they come to the clearance. */
static double line_back(const line_run *r, const line_meeting *m, double clearance) {
  const double room = grz_pair_skin(line_of(r, m->low), line_of(r, m->high)) - clearance;
  const graze_vec moves =
      vec_sub(grz_line_motion(&r->line->body[m->high]).velocity, grz_line_motion(&r->line->body[m->low]).velocity);
  const double speed = -vec_dot(m->normal, moves), fast = vec_length(moves);
  if (line_turns(r, m) || !(speed > LINE_GRAZES * fast)) return 0;
  return real_min(room / speed, PAIR_BACK * room / fast);
}

void grz_line_meet(const line_run *r, line_wait *wait, const graze_cast_result *impact, double from, double clearance) {
  if (impact->result == GRAZE_CLEAR) return;
  line_meeting *m = &wait->meeting;
  m->result = impact->result;
  line_meeting_of_impact(m, impact);
  const double back = line_back(r, m, clearance), before = real_max(impact->t_lower - back, 0);
  wait->time = m->t_lower = from + before, wait->met = from + impact->t_lower;
  m->t_upper = real_min(m->t_lower + (impact->t_upper - impact->t_lower), r->dt);
}

graze_status grz_line_cast(const line_run *r, const line_meeting *m, const graze_placed *a, const graze_placed *b,
                           double time, double clearance, graze_cast_result *impact) {
  const scene_body *of_a = line_of(r, m->low), *of_b = line_of(r, m->high);
  const graze_motion motion_a = grz_line_motion(&r->line->body[m->low]),
                     motion_b = grz_line_motion(&r->line->body[m->high]);
  const pair_near near = {pair_margin(of_a, of_b) + clearance, PAIR_TOLERANCE * grz_pair_skin(of_a, of_b)};
  return grz_pair_cast(r->scene, (pair_side){a, &motion_a}, (pair_side){b, &motion_b}, time, near, impact);
}

/* From time t on, down to `clearance`; they are farther from each other. */
static graze_status line_wait_near(const line_run *r, const graze_placed *a, const graze_placed *b, double t,
                                   double clearance, line_wait *wait) {
  graze_cast_result impact;
  graze_status status = grz_line_cast(r, &wait->meeting, a, b, r->dt - t, clearance, &impact);
  if (status == GRAZE_OK) grz_line_meet(r, wait, &impact, t, clearance);
  return status;
}

static int line_contacts(const line_run *r, const line_meeting *m) {
  const int of_low = r->line->body[m->low].contacts, of_high = r->line->body[m->high].contacts;
  return of_low > of_high ? of_low : of_high;
}

double grz_line_kick(const line_run *r, const line_meeting *m) {
  return grz_parting_share(LINE_KICK, line_contacts(r, m));
}

double grz_line_least(const line_run *r, const line_meeting *m, const grz_mover *a, const grz_mover *b) {
  const double least = grz_parting_least(a, b, LINE_KICK, line_contacts(r, m), r->dt);
  const bool turn = vec_norm_inf(a->motion.angular) > 0 || vec_norm_inf(b->motion.angular) > 0;
  return turn ? real_max(least, grz_line_kick(r, m) * r->dt * m->bend) : least;
}

bool grz_line_must_respond(const line_run *r, const line_meeting *m, const grz_mover *a, const grz_mover *b, double gap,
                           double t) {
  const double skin = grz_pair_skin(line_of(r, m->low), line_of(r, m->high)), left = r->dt - t;
  const double speed = grz_parting_speed(a, b, m->point, m->normal), least = grz_line_least(r, m, a, b);
  const double nothing = LINE_NOTHING * skin, room = real_min(real_max(gap, 0), skin);
  const bool hardly = room < LINE_CLOSE * skin && speed < 0.5 * least && least * left > nothing;
  return speed * left < -(LINE_SLACK * room + nothing) || hardly;
}

static void line_meet_now(line_wait *wait, double t) {
  wait->time = wait->met = wait->meeting.t_lower = wait->meeting.t_upper = t;
  wait->meeting.result = GRAZE_HIT;
}

static double line_room(const line_run *r, const line_meeting *m, const graze_placed *a, const graze_placed *b) {
  const double far = vec_norm1(placed_reference_point(a)) + vec_norm1(placed_reference_point(b));
  return LINE_ROOM * grz_pair_skin(line_of(r, m->low), line_of(r, m->high)) + LINE_ROOM_AT * far;
}

bool grz_line_contact(const line_run *r, const graze_placed *a, const graze_placed *b, const graze_answer *answer,
                      line_meeting *m) {
  line_meeting_of_answer(m, answer);
  const double room = line_room(r, m, a, b);
  if (answer->lower - pair_margin(line_of(r, m->low), line_of(r, m->high)) > room) return true;
  const graze_placed part_a = graze_part(a, (size_t)answer->part_a), part_b = graze_part(b, (size_t)answer->part_b);
  const bool straight = grz_line_correct_normal(r, &part_a, &part_b, answer->lower, m);
  if (line_turns(r, m) && answer->lower <= room) grz_line_deepest_point(r, &part_a, &part_b, m);
  return straight;
}

/* They are about as close as the skin. */
static bool line_approach(const line_run *r, const graze_placed *a, const graze_placed *b, const graze_answer *answer,
                          double t, line_wait *wait) {
  line_meeting *m = &wait->meeting;
  const grz_mover at_a = grz_line_mover(r, m->low, a->pose.position),
                  at_b = grz_line_mover(r, m->high, b->pose.position);
  wait->no_normal = !grz_line_contact(r, a, b, answer, m);
  const double gap = answer->lower - pair_margin(line_of(r, m->low), line_of(r, m->high));
  if (!grz_line_must_respond(r, m, &at_a, &at_b, gap, t)) return false;
  line_meet_now(wait, t);
  return true;
}

/* A query of each pair of parts of two bodies in contact, one of them a compound. */
typedef struct line_parts {
  const line_run *r;
  const graze_placed *a, *b; /* the wholes */
  bool host_is_a;            /* A's tree is searched, with B's parts */
  double t;
  const line_meeting *contact; /* where the wholes touch */
  double height;               /* along its normal */
  line_wait first;             /* what happens first */
  graze_status status;
} line_parts;

static graze_status line_query(const line_run *r, const graze_placed *a, const graze_placed *b, double t,
                               line_wait *wait);

/* Skips a pair that stays apart along the normal of the contact, as the next tile of a floor does: the pair's own
 * normal may be another one, and stop the body. */
static bool line_query_part_pair(void *context, int32_t first_part, int32_t second_part) {
  line_parts *of = context;
  const int32_t part_a = of->host_is_a ? first_part : second_part, part_b = of->host_is_a ? second_part : first_part;
  const graze_placed a = graze_part(of->a, (size_t)part_a), b = graze_part(of->b, (size_t)part_b);
  line_wait wait = grz_line_wait_for(of->r, of->contact->low, of->contact->high);
  if (grz_line_stays_apart(of->r, of->contact, &a, &b, of->height, of->t)) return true;
  of->status = line_query(of->r, &a, &b, of->t, &wait);
  wait.meeting.part_a = part_a, wait.meeting.part_b = part_b;
  if (wait.time < of->first.time || (wait.time == of->first.time && wait.met < of->first.met)) of->first = wait;
  return of->status == GRAZE_OK;
}

/* Turning displaces no core point by more than this. */
static double line_turning_displacement(const graze_placed *placed, const graze_motion *motion, double time) {
  return real_min(vec_length(motion->angular) * time, 2) * placed->reach * (1 + 0x1p-40);
}

static graze_status line_query_parts(const line_run *r, const graze_placed *a, const graze_placed *b, double t,
                                     double height, line_wait *wait) {
  const line_meeting contact = wait->meeting;
  const scene_body *of_a = line_of(r, contact.low), *of_b = line_of(r, contact.high);
  const bool host_is_a = a->shape.kind == GRAZE_COMPOUND;
  line_parts of = {r, a, b, host_is_a, t, &contact, height, *wait, GRAZE_OK};
  const graze_motion motion_a = grz_line_motion(&r->line->body[contact.low]),
                     motion_b = grz_line_motion(&r->line->body[contact.high]);
  const graze_placed *host = host_is_a ? a : b, *guest = host_is_a ? b : a;
  const double left = r->dt - t,
               turned = line_turning_displacement(a, &motion_a, left) + line_turning_displacement(b, &motion_b, left);
  const graze_vec displacement = vec_scale(vec_sub(motion_b.velocity, motion_a.velocity), host_is_a ? left : -left);
  grz_query_shape parts;
  grz_query_shape_make(&parts, host, guest, pair_margin(of_a, of_b) + grz_pair_skin(of_a, of_b) + turned);
  grz_query_shape_sweep(&parts, host, displacement);
  grz_search search = {.host = host->shape.compound->tree->node, .guest = &parts};
  search.ask = line_query_part_pair, search.context = &of;
  grz_search_run(&search);
  *wait = of.first;
  return of.status;
}

/* Convex bodies, or parts, without a gap. Along a fixed direction the gap of bodies that do not turn is affine in time:
 * those that do not approach part. */
static graze_status line_query_contact(const line_run *r, const graze_placed *a, const graze_placed *b, double t,
                                       double height, line_wait *wait) {
  const line_meeting *m = &wait->meeting;
  const scene_body *of_a = line_of(r, m->low), *of_b = line_of(r, m->high);
  const double skin = grz_pair_skin(of_a, of_b);
  const bool inside = height > line_room(r, m, a, b);
  if (!line_turns(r, m) && !(wait->no_normal && height > 0)) return GRAZE_OK;
  if (inside || (wait->no_normal && height > 0)) /* in their margins they may come as near as from a gap */
    return line_wait_near(r, a, b, t, height - real_min(0.5 * height, skin) - pair_margin(of_a, of_b), wait);
  const double until = wait->no_normal && height > -skin ? t : grz_line_apart_until(r, m, a, b, t);
  if (until >= r->dt) return GRAZE_OK;
  line_meet_now(wait, until);
  wait->requery = until > t;
  wait->holds = !wait->requery;
  return GRAZE_OK;
}

/* Finds when they meet, from time t on. A sweep or cast never asks for the distance that bodies in contact have now:
 * exact arithmetic would have to decide it. */
static graze_status line_query(const line_run *r, const graze_placed *a, const graze_placed *b, double t,
                               line_wait *wait) {
  const scene_body *of_a = line_of(r, wait->meeting.low), *of_b = line_of(r, wait->meeting.high);
  const double skin = grz_pair_skin(of_a, of_b), margin = pair_margin(of_a, of_b);
  graze_answer answer;
  graze_options options = graze_default_options();
  options.tolerance = PAIR_TOLERANCE * skin;
  options.max_distance = margin + 3 * skin;
  graze_status status = graze_distance(a, b, &options, &answer);
  if (status != GRAZE_OK) return status;
  const double gap = answer.lower - margin, room = line_room(r, &wait->meeting, a, b);
  if (gap < real_max(LINE_CLOSE * skin, room) && line_approach(r, a, b, &answer, t, wait)) return GRAZE_OK;
  if (gap > room) return line_wait_near(r, a, b, t, grz_line_clearance(r, &wait->meeting, gap), wait);
  const bool compound = a->shape.kind == GRAZE_COMPOUND || b->shape.kind == GRAZE_COMPOUND;
  return compound ? line_query_parts(r, a, b, t, answer.lower, wait)
                  : line_query_contact(r, a, b, t, answer.lower, wait);
}

static bool line_rests(const line_body *b) {
  const graze_motion motion = grz_line_motion(b);
  return vec_norm_inf(motion.velocity) == 0 && vec_norm_inf(motion.angular) == 0;
}

/* Bodies that rest both do not meet, however near they are: somebody would ask for ever. */
void grz_line_ask(line_run *r, uint32_t low, uint32_t high) {
  if (line_rests(&r->line->body[low]) && line_rests(&r->line->body[high])) return;
  const double t = real_max(r->line->body[low].time, r->line->body[high].time);
  graze_placed a, b;
  line_wait wait = grz_line_wait_for(r, low, high);
  graze_status status = grz_line_place(r, low, t, &a);
  if (status == GRAZE_OK) status = grz_line_place(r, high, t, &b);
  if (status == GRAZE_OK) status = line_query(r, &a, &b, t, &wait);
  r->line->casts++;
  if (status != GRAZE_OK) r->status = status;
  if (status == GRAZE_OK && wait.time < r->dt) grz_line_push(r, &wait);
}

static bool line_ask_neighbour(void *context, size_t item) {
  line_run *r = context;
  const uint32_t other = (uint32_t)item, low = other < r->of ? other : r->of, high = other < r->of ? r->of : other;
  const scene_brief *a = &scene_briefs(r->scene)[low], *b = &scene_briefs(r->scene)[high];
  const bool twice = other == r->but || (r->at_first && r->line->body[other].changed && other < r->of);
  if (low == high || twice || !scene_are_pair(a, b) || !scene_respond(a, b)) return true;
  if (grz_scene_bounds_meet(r->scene, r->dt, low, high)) grz_line_ask(r, low, high);
  return r->status == GRAZE_OK;
}

void grz_line_ask_all(line_run *r, uint32_t slot, uint32_t but) {
  r->of = slot, r->but = but;
  grz_bvh_overlap(&r->scene->broad, &scene_bounds(r->scene)[slot], line_ask_neighbour, r);
}
