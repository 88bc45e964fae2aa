/* Pairs of bodies along the ways that they take in a step, and the events that come of it. Pairs that respond were
 * followed by the timeline; all others are asked here, stretch by stretch, side by side. */
#include "core/vec.h"
#include "scene/step.h"

enum { REPORT_PAIRS = 64 }; /* of a task */

typedef struct report_outcome {
  bool was : 1, met : 1, meets : 1; /* in contact at first; met on the way; in contact at the end */
} report_outcome;

/* What a task adds up. */
typedef struct report_sum {
  graze_status status; /* the first that is bad */
  size_t casts, begin; /* `begin`: met, and were not in contact */
} report_sum;

/* A pair while it is asked about. */
typedef struct report_case {
  bool was, met, meets;  /* as above */
  line_meeting *meeting; /* where they met, if they did */
  report_sum *sum;
} report_case;

typedef struct report_work {
  const scene_step *step;
  report_outcome *outcome;
  line_meeting *meeting; /* a place for each */
  report_sum *sum;       /* one for each task */
} report_work;

/* ---- One pair */

/* They are in contact where they stand at a moment, and that was not seen to come. */
static graze_status report_found(const graze_placed *a, const graze_placed *b, double t_lower, double t_upper,
                                 report_case *out) {
  graze_answer answer;
  graze_status status = graze_distance(a, b, NULL, &answer);
  if (status != GRAZE_OK) return status;
  out->met = true;
  out->meeting->result = GRAZE_HIT;
  out->meeting->t_lower = t_lower, out->meeting->t_upper = t_upper;
  line_meeting_of_answer(out->meeting, &answer);
  return GRAZE_OK;
}

/* From one moment to another, in which neither changes its motion. */
static graze_status report_stretch(const scene_step *step, pair_side a, pair_side b, double margin, double from,
                                   double to, report_case *out) {
  graze_cast_result impact;
  graze_status status = grz_pair_cast(step->scene, a, b, to - from, (pair_near){.clearance = margin}, &impact);
  out->sum->casts++;
  if (status != GRAZE_OK || (impact.result == GRAZE_CLEAR && impact.starts == GRAZE_SEPARATED)) return status;
  if (impact.result == GRAZE_CLEAR) return report_found(a.placed, b.placed, from, from, out); /* they part */
  out->met = true;
  out->meeting->result = impact.result;
  out->meeting->t_lower = from + impact.t_lower;
  out->meeting->t_upper = real_min(from + impact.t_upper, to);
  line_meeting_of_impact(out->meeting, &impact);
  return GRAZE_OK;
}

/* What comes after a stretch. */
static double report_next(const graze_scene *scene, const line_piece *piece, double dt) {
  return piece->next == SCENE_NOWHERE ? dt : scene_pieces(scene)[piece->next].from;
}

static graze_status report_place(graze_placed *placed, const line_piece *piece, double t) {
  return graze_set_pose(placed, t > piece->from ? graze_pose_after(&piece->pose, &piece->motion, t - piece->from)
                                                : piece->pose);
}

/* Along the ways of both, from one change of motion to the next. */
static graze_status report_walk(const scene_step *step, scene_pair pair, double margin, report_case *out) {
  const graze_scene *scene = step->scene;
  graze_placed a = scene->body[pair.low].placed, b = scene->body[pair.high].placed;
  line_piece of_a = grz_scene_first_piece(scene, &step->line, pair.low),
             of_b = grz_scene_first_piece(scene, &step->line, pair.high);
  graze_status status = GRAZE_OK;
  for (double t = 0; status == GRAZE_OK && !out->met && t < step->dt;) {
    const double end_a = report_next(scene, &of_a, step->dt), end_b = report_next(scene, &of_b, step->dt);
    const double end = real_min(end_a, end_b);
    status = report_place(&a, &of_a, t);
    if (status == GRAZE_OK) status = report_place(&b, &of_b, t);
    if (status == GRAZE_OK && end > t)
      status = report_stretch(step, (pair_side){&a, &of_a.motion}, (pair_side){&b, &of_b.motion}, margin, t, end, out);
    if (end_a <= end && of_a.next != SCENE_NOWHERE) of_a = scene_pieces(scene)[of_a.next];
    if (end_b <= end && of_b.next != SCENE_NOWHERE) of_b = scene_pieces(scene)[of_b.next];
    t = end;
  }
  return status;
}

static bool report_moves(const scene_step *step, size_t slot) {
  return grz_scene_end(step, slot) != &step->scene->body[slot].placed;
}

static bool report_changed(const scene_step *step, size_t slot) {
  return step->line.any && step->line.body[slot].changed;
}

/* When did they meet, if they did? */
static graze_status report_meet(const scene_step *step, scene_pair pair, report_case *out) {
  const scene_body *a = &step->scene->body[pair.low], *b = &step->scene->body[pair.high];
  const double margin = pair_margin(a, b);
  bool meets;
  if (!report_moves(step, pair.low) && !report_moves(step, pair.high)) {
    meets = pair.overlap;
    graze_status status = meets ? GRAZE_OK : grz_pair_meets(&a->placed, &b->placed, margin, &meets);
    return status == GRAZE_OK && meets ? report_found(&a->placed, &b->placed, 0, 0, out) : status;
  }
  if (report_changed(step, pair.low) || report_changed(step, pair.high)) return report_walk(step, pair, margin, out);
  graze_status status = report_stretch(step, (pair_side){&a->placed, &a->motion}, (pair_side){&b->placed, &b->motion},
                                       margin, 0, step->dt, out);
  const bool turns = vec_norm_inf(a->motion.angular) > 0 || vec_norm_inf(b->motion.angular) > 0;
  const bool approach = turns || !vec_equal(a->motion.velocity, b->motion.velocity);
  if (status != GRAZE_OK || out->met || approach) return status;
  /* Their distance is constant, but the rounding of their poses can bring them together. */
  const graze_placed *end_a = grz_scene_end(step, pair.low), *end_b = grz_scene_end(step, pair.high);
  status = grz_pair_meets(end_a, end_b, margin, &meets);
  return status == GRAZE_OK && meets ? report_found(end_a, end_b, step->dt, step->dt, out) : status;
}

static graze_status report_ends(const scene_step *step, scene_pair pair, double within, report_case *out) {
  out->meets = pair.overlap;
  if (pair.overlap) return GRAZE_OK;
  return grz_pair_meets(grz_scene_end(step, pair.low), grz_scene_end(step, pair.high), within, &out->meets);
}

/* The timeline knows of all contacts on the way; at the end they may be near without one. */
static graze_status report_responding(const scene_step *step, scene_pair pair, report_case *out) {
  const scene_body *a = &step->scene->body[pair.low], *b = &step->scene->body[pair.high];
  const line_meeting *m = grz_scene_first_meeting(step->scene, &step->line, pair.low, pair.high);
  graze_status status = report_ends(step, pair, pair_reach(a, b), out);
  if (m != NULL) out->met = true, *out->meeting = *m;
  if (status != GRAZE_OK || out->met || out->was || !out->meets) return status;
  return report_found(grz_scene_end(step, pair.low), grz_scene_end(step, pair.high), 0, step->dt, out);
}

static graze_status report_pair(const scene_step *step, scene_pair pair, report_case *out) {
  const scene_body *a = &step->scene->body[pair.low], *b = &step->scene->body[pair.high];
  if (scene_respond_slots(step->scene, pair.low, pair.high)) return report_responding(step, pair, out);
  graze_status status = out->was ? GRAZE_OK : report_meet(step, pair, out);
  if (status != GRAZE_OK || (!out->was && !out->met)) return status;
  const bool still = step->dt == 0 || (!report_moves(step, pair.low) && !report_moves(step, pair.high));
  if (still && out->met) { /* just asked */
    out->meets = true;
    return GRAZE_OK;
  }
  return report_ends(step, pair, pair_margin(a, b), out);
}

/* Most contacts: they overlap as they did, which needs no question. */
static bool report_is_known(const scene_step *step, scene_pair pair, bool was) {
  return was && pair.overlap && !step->line.any;
}

static void report_fetch(const scene_body *body) {
  const char *placed = (const char *)&body->placed;
  for (size_t i = 0; i < sizeof body->placed; i += SCENE_LINE) __builtin_prefetch(placed + i);
}

/* Who was in contact; fetches the bodies that will be asked. */
static void report_recall(const report_work *work, size_t from, size_t to) {
  const graze_scene *scene = work->step->scene;
  size_t at = grz_scene_contact_from(scene, scene_pairs(scene)[from]);
  for (size_t i = from; i < to; i++) {
    const scene_pair pair = scene_pairs(scene)[i];
    while (at < scene->contact_count && scene_contact_before(scene->contact[at], pair.low, pair.high)) at++;
    const bool was = scene_contact_is(scene, at, pair), known = report_is_known(work->step, pair, was);
    work->outcome[i] = (report_outcome){.was = was, .meets = known};
    if (known) continue;
    report_fetch(&scene->body[pair.low]), report_fetch(&scene->body[pair.high]);
  }
}

static void report_some(void *data, size_t index) {
  const report_work *work = data;
  const size_t from = index * REPORT_PAIRS, count = work->step->pairs.left;
  const size_t to = from + REPORT_PAIRS < count ? from + REPORT_PAIRS : count;
  report_sum sum = {.status = GRAZE_OK};
  report_recall(work, from, to);
  for (size_t i = from; i < to; i++) {
    const scene_pair pair = scene_pairs(work->step->scene)[i];
    report_outcome *out = &work->outcome[i];
    if (report_is_known(work->step, pair, out->was)) continue;
    report_case asked = {.was = out->was, .meeting = &work->meeting[i], .sum = &sum};
    const graze_status status = report_pair(work->step, pair, &asked);
    if (sum.status == GRAZE_OK) sum.status = status;
    sum.begin += asked.met && !asked.was;
    out->met = asked.met, out->meets = asked.meets;
  }
  work->sum[index] = sum;
}

/* ---- Events */

typedef struct report_writer {
  scene_step *step;
  graze_event *event;
  scene_contact *contact;
} report_writer;

static graze_event *report_event(report_writer *w, graze_event_kind kind, uint32_t low, uint32_t high) {
  const graze_vec none = {__builtin_nan(""), __builtin_nan(""), __builtin_nan("")};
  const graze_body a = scene_id(w->step->scene, low), b = scene_id(w->step->scene, high);
  graze_event *e = &w->event[w->step->result.event_count++];
  *e = (graze_event){.kind = kind, .a = a, .b = b, .result = GRAZE_HIT, .point = none, .normal = none};
  return e;
}

static void report_write(report_writer *w, scene_pair pair, report_outcome out, const line_meeting *m) {
  if (!out.was && out.met) {
    graze_event *e = report_event(w, GRAZE_EVENT_BEGIN, pair.low, pair.high);
    e->result = m->result;
    e->t_lower = m->t_lower, e->t_upper = m->t_upper;
    e->point = m->point, e->normal = m->normal;
    e->part_a = m->part_a, e->part_b = m->part_b;
  }
  if (out.was && out.meets) (void)report_event(w, GRAZE_EVENT_STAY, pair.low, pair.high);
  if ((out.was || out.met) && !out.meets) (void)report_event(w, GRAZE_EVENT_END, pair.low, pair.high);
  if ((out.was || out.met) && out.meets) w->contact[w->step->contact_count++] = (scene_contact){pair.low, pair.high};
}

/* A contact of bodies that are no pair any more, or of which neither was looked at. */
static void report_left(report_writer *w, scene_contact c) {
  const scene_brief *brief = scene_briefs(w->step->scene);
  const scene_state *state = scene_states(w->step->scene);
  const bool stays = !state[c.low].awake && !state[c.high].awake && scene_are_pair(&brief[c.low], &brief[c.high]);
  (void)report_event(w, stays ? GRAZE_EVENT_STAY : GRAZE_EVENT_END, c.low, c.high);
  if (stays) w->contact[w->step->contact_count++] = c;
}

static void report_write_all(report_writer *w, const report_work *work) {
  const graze_scene *scene = w->step->scene;
  const size_t count = w->step->pairs.left;
  size_t c = 0;
  for (size_t i = 0; i < count; i++) {
    const scene_pair pair = scene_pairs(scene)[i];
    for (; c < scene->contact_count && scene_contact_before(scene->contact[c], pair.low, pair.high); c++)
      report_left(w, scene->contact[c]);
    c += work->outcome[i].was;
    report_write(w, pair, work->outcome[i], &work->meeting[i]);
  }
  for (; c < scene->contact_count; c++) report_left(w, scene->contact[c]);
}

/* How many events and contacts there will be, at most; or the first failure. */
static graze_status report_count(scene_step *step, const report_sum *sum, size_t tasks, size_t *most) {
  *most = step->scene->contact_count;
  for (size_t i = 0; i < tasks; i++) {
    if (sum[i].status != GRAZE_OK) return sum[i].status;
    *most += 2 * sum[i].begin;
    step->result.casts += sum[i].casts;
  }
  return GRAZE_OK;
}

graze_status grz_scene_report(scene_step *step) {
  graze_scene *scene = step->scene;
  const size_t tasks = (step->pairs.left + REPORT_PAIRS - 1) / REPORT_PAIRS;
  size_t most;
  if (!grz_scene_grow(scene, &scene->outcomes, step->pairs.left, sizeof(report_outcome)) ||
      !grz_scene_grow(scene, &scene->meetings, step->pairs.left, sizeof(line_meeting)) ||
      !grz_scene_grow(scene, &scene->sums, tasks, sizeof(report_sum)))
    return GRAZE_OUT_OF_MEMORY;
  report_work work = {step, scene->outcomes.memory, scene->meetings.memory, scene->sums.memory};
  grz_scene_run(scene, tasks, report_some, &work);
  graze_status status = report_count(step, work.sum, tasks, &most);
  if (status != GRAZE_OK) return status;
  if (!grz_scene_grow(scene, &scene->events, most, sizeof(graze_event)) ||
      !grz_scene_grow(scene, &scene->contacts, most, sizeof(scene_contact)))
    return GRAZE_OUT_OF_MEMORY;
  report_writer w = {step, scene->events.memory, scene->contacts.memory};
  report_write_all(&w, &work);
  step->result.events = scene->events.memory;
  return GRAZE_OK;
}
