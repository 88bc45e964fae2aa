/* What becomes of two bodies that meet. */
#include "core/vec.h"
#include "scene/event_queue.h"

/* A body that responded so often waits; and sooner where it gets nowhere, one contact following the other within this
 * share of the step: it is jammed. */
enum { LINE_CONTACTS = 32, LINE_JAMMED = 8 };
#define LINE_NOWHERE 0x1p-6

/* The cosine from which on a direction leads against something. */
#define LINE_AGAINST 0.7

void grz_line_note(line_run *r, const line_meeting *meeting) {
  scene_timeline *line = r->line;
  if (!grz_scene_grow(r->scene, &r->scene->meets, line->meeting_count + 1, sizeof *meeting)) {
    r->status = GRAZE_OUT_OF_MEMORY;
    return;
  }
  line_meeting *all = r->scene->meets.memory;
  all[line->meeting_count++] = *meeting;
}

/* False: it has met others too often. */
static bool line_count_contact(const line_run *r, line_body *b, double t) {
  b->jammed = b->contacts > 0 && t - b->last_contact <= LINE_NOWHERE * r->dt ? b->jammed + 1 : 1;
  b->last_contact = t;
  b->contacts++;
  return b->contacts < LINE_CONTACTS && b->jammed < LINE_JAMMED;
}

/* The body takes over what the response made of it. True: that is something else. */
static bool line_take(line_run *r, uint32_t slot, double t, const grz_mover *mover) {
  line_body *b = &r->line->body[slot];
  const graze_motion before = grz_line_motion(b);
  if (b->held || grz_line_is_as_before(b, mover)) return false;
  b->motion = mover->motion;
  grz_line_change(r, slot, t, before);
  if (!line_count_contact(r, b, t)) grz_line_hold(r, slot, t);
  return true;
}

/* Nothing to respond to, though they come nearer by turning: from here on they are asked about from nearer. */
static void line_go_on(line_run *r, uint32_t slot, double t) {
  const graze_motion motion = grz_line_motion(&r->line->body[slot]);
  if (line_of(r, slot)->type != GRAZE_STATIC) grz_line_change(r, slot, t, motion);
}

/* What is pushed against something else is pushed no more. */
static void line_drop_push(line_run *r, uint32_t slot, double t) {
  line_body *b = &r->line->body[slot];
  const graze_motion before = grz_line_motion(b);
  if (b->held || vec_norm_inf(b->push) == 0) return;
  b->push = vec_make(0, 0, 0);
  grz_line_change(r, slot, t, before);
}

/* A body that slides and has something in its way there does not give way either: what comes down on a stack stops at
 * once, and need not press it into the floor again and again. */
static bool line_is_blocked(const line_run *r, uint32_t slot, graze_vec d) {
  const line_body *b = &r->line->body[slot];
  for (int i = 0; i < b->blocks; i++)
    if (vec_dot(b->block[i], d) > LINE_AGAINST) return true;
  return false;
}

static void line_block(line_run *r, uint32_t slot, graze_vec d) {
  line_body *b = &r->line->body[slot];
  const bool slides = line_of(r, slot)->response == GRAZE_RESPONSE_SLIDE;
  if (slides && b->blocks < LINE_BLOCKS && !line_is_blocked(r, slot, d)) b->block[b->blocks++] = d;
}

/* Of two that are blocked each gives way as its mass says. */
bool grz_line_respond(line_run *r, const line_meeting *m, grz_mover *a, grz_mover *b) {
  const bool a_stays = a->yields == 0 || line_is_blocked(r, m->low, vec_neg(m->normal));
  const bool b_stays = b->yields == 0 || line_is_blocked(r, m->high, m->normal);
  if (a_stays && !b_stays) a->yields = 0;
  if (b_stays && !a_stays) b->yields = 0;
  if (a_stays) line_block(r, m->high, vec_neg(m->normal));
  if (b_stays) line_block(r, m->low, m->normal);
  const bool stopped = grz_respond_stop(a, b, m->point, m->normal);
  return grz_respond(a, b, m->point, m->normal, grz_line_least(r, m, a, b)) || stopped;
}

/* Somebody must wait: they approach, and nobody gives way; or they met too often. */
static void line_stand(line_run *r, const line_wait *wait, bool approach) {
  const uint32_t low = wait->meeting.low, high = wait->meeting.high;
  line_body *of_low = &r->line->body[low], *of_high = &r->line->body[high];
  const bool low_goes = line_count_contact(r, of_low, wait->time),
             high_goes = line_count_contact(r, of_high, wait->time);
  if (approach || wait->holds || !low_goes || !high_goes)
    grz_line_hold(r, low, wait->time), grz_line_hold(r, high, wait->time);
  else
    line_go_on(r, low, wait->time), line_go_on(r, high, wait->time);
}

static void line_ask_both(line_run *r, const line_meeting *m) {
  if (r->status == GRAZE_OK) grz_line_ask_all(r, m->low, SCENE_NOWHERE);
  if (r->status == GRAZE_OK) grz_line_ask_all(r, m->high, m->low);
}

void grz_line_answer(line_run *r, const line_wait *wait) {
  const line_meeting *m = &wait->meeting;
  const uint32_t low = m->low, high = m->high;
  const double t = wait->time;
  if (wait->requery) {
    line_stand(r, wait, false);
    line_ask_both(r, m);
    return;
  }
  line_drop_push(r, low, t);
  line_drop_push(r, high, t);
  grz_mover a = grz_line_mover(r, low, grz_line_pose(&r->line->body[low], t).position);
  grz_mover b = grz_line_mover(r, high, grz_line_pose(&r->line->body[high], t).position);
  const bool approach = grz_parting_speed(&a, &b, m->point, m->normal) < 0;
  r->line->responses += !wait->holds && grz_line_respond(r, m, &a, &b);
  grz_line_note(r, m);
  const bool low_changed = line_take(r, low, t, &a), high_changed = line_take(r, high, t, &b);
  if (!low_changed && !high_changed) line_stand(r, wait, approach);
  line_ask_both(r, m);
}
