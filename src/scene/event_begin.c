/* The beginning of a step. Most pairs are far from each other, and a cast is all that it takes. Those that are in
 * contact already are answered together, again and again until none approaches: so a pile comes to rest without any
 * cast. */
#include "core/vec.h"
#include "scene/event_queue.h"

/* Pairs of a task; and how often all contacts are answered. */
enum { LINE_PAIRS = 32, LINE_ROUNDS = 48 };

static line_asked *line_all_asked(const line_run *r) { return r->scene->asked.memory; }

/* The direction to what is nearest tells who approaches only where there is hardly any room left: a body that slides
 * over the seam of a floor is about to pass the corner behind it, not to hit it. Elsewhere a cast tells. */
static graze_status line_ask_near(const line_run *r, const scene_body *a, const scene_body *b, line_asked *asked) {
  graze_answer answer;
  graze_cast_result impact;
  line_meeting *m = &asked->wait.meeting;
  const double skin = grz_pair_skin(a, b), margin = pair_margin(a, b);
  graze_status status = graze_distance(&a->placed, &b->placed, NULL, &answer);
  if (status != GRAZE_OK) return status;
  asked->gap = answer.lower - margin;
  asked->near = asked->gap <= 2 * skin;
  m->result = GRAZE_HIT;
  m->t_lower = m->t_upper = 0;
  line_meeting_of_answer(m, &answer);
  asked->contact = *m;
  (void)grz_line_contact(r, &a->placed, &b->placed, &answer, m);
  asked->closes = asked->near;
  asked->wait.met = asked->near ? 0 : __builtin_inf();
  if (!asked->near || asked->gap < LINE_CLOSE * skin) return GRAZE_OK;
  status = grz_line_cast(r, m, &a->placed, &b->placed, r->dt, grz_line_clearance(r, m, asked->gap), &impact);
  asked->closes = status == GRAZE_OK && impact.result != GRAZE_CLEAR;
  if (asked->closes) line_meeting_of_impact(m, &impact), asked->wait.met = impact.t_lower;
  return status;
}

static graze_status line_ask_first(const line_run *r, const scene_body *a, const scene_body *b, bool contact,
                                   line_asked *asked) {
  graze_cast_result impact;
  if (contact) {
    graze_status status = line_ask_near(r, a, b, asked);
    if (status != GRAZE_OK || asked->near) return status;
  }
  const double clearance = grz_line_clearance(r, &asked->wait.meeting, __builtin_inf());
  graze_status status = grz_line_cast(r, &asked->wait.meeting, &a->placed, &b->placed, r->dt, clearance, &impact);
  if (status != GRAZE_OK) return status;
  if (impact.starts != GRAZE_SEPARATED) return line_ask_near(r, a, b, asked);
  grz_line_meet(r, &asked->wait, &impact, 0, clearance);
  return GRAZE_OK;
}

static void line_ask_some(void *data, size_t index) {
  const line_run *r = data;
  const scene_brief *brief = scene_briefs(r->scene);
  line_asked *asked = line_all_asked(r);
  for (size_t i = index * LINE_PAIRS; i < r->pairs && i < (index + 1) * LINE_PAIRS; i++) {
    const scene_pair p = scene_pairs(r->scene)[i];
    const scene_body *a = line_of(r, p.low), *b = line_of(r, p.high);
    asked[i] = (line_asked){.status = GRAZE_OK, .wait = grz_line_wait_for(r, p.low, p.high)};
    if (scene_respond(&brief[p.low], &brief[p.high]))
      asked[i].status = line_ask_first(r, a, b, scene_in_contact(r->scene, p), &asked[i]);
  }
}

/* ---- Contacts there are */

/* Out of each other, or to the skin, no faster than may be: shared by masses. What earlier pushes do for it counts. */
static void line_push_apart(line_run *r, const line_asked *asked) {
  const line_meeting *m = &asked->wait.meeting;
  line_body *low = &r->line->body[m->low], *high = &r->line->body[m->high];
  const double skin = grz_pair_skin(line_of(r, m->low), line_of(r, m->high));
  const double parts = vec_dot(m->normal, vec_sub(high->push, low->push));
  const double yields_a = grz_line_mover(r, m->low, low->pose.position).yields,
               yields_b = grz_line_mover(r, m->high, high->pose.position).yields;
  if (!(asked->gap + parts * r->dt < 0.5 * skin) || yields_a + yields_b == 0) return;
  const double wanted = real_min((skin - asked->gap) / r->dt, r->scene->def.push_speed);
  const double speed = real_max(wanted - parts, 0);
  low->push = vec_sub(low->push, vec_scale(m->normal, speed * (yields_a / (yields_a + yields_b))));
  high->push = vec_add(high->push, vec_scale(m->normal, speed * (yields_b / (yields_a + yields_b))));
  low->stirred = low->stirred || (yields_a > 0 && speed > 0);
  high->stirred = high->stirred || (yields_b > 0 && speed > 0);
}

static bool line_settle_body(line_run *r, uint32_t slot, const grz_mover *mover) {
  line_body *b = &r->line->body[slot];
  if (grz_line_is_as_before(b, mover)) return false;
  b->motion = mover->motion;
  b->stirred = true;
  return true;
}

/* A push out of something else leads into this. */
static bool line_stop_pushes(line_run *r, const line_asked *asked, grz_mover *a, grz_mover *b) {
  const line_meeting *m = &asked->wait.meeting;
  line_body *low = &r->line->body[m->low], *high = &r->line->body[m->high];
  a->push = low->push, b->push = high->push;
  const bool pushed = vec_norm_inf(a->push) > 0 || vec_norm_inf(b->push) > 0;
  if (!pushed || !(asked->gap > 0) || !grz_line_must_respond(r, m, a, b, asked->gap, 0)) return false;
  low->push = high->push = vec_make(0, 0, 0);
  return true;
}

/* Both move as they do now: do they still meet? Who is stopped by a floor does not come to the side of its next tile.
 */
static bool line_still_closes(line_run *r, line_asked *asked) {
  line_meeting *m = &asked->wait.meeting;
  const scene_body *a = line_of(r, m->low), *b = line_of(r, m->high);
  const double skin = grz_pair_skin(a, b);
  graze_cast_result impact;
  if (asked->again || asked->gap < LINE_CLOSE * skin) return asked->closes;
  if (!r->line->body[m->low].stirred && !r->line->body[m->high].stirred) return true;
  asked->again = true;
  r->status = grz_line_cast(r, m, &a->placed, &b->placed, r->dt, grz_line_clearance(r, m, asked->gap), &impact);
  r->line->casts++;
  asked->closes = r->status == GRAZE_OK && impact.result != GRAZE_CLEAR;
  if (!asked->closes) return false;
  line_meeting_of_impact(m, &impact);
  return true;
}

/* True: somebody moves otherwise than before. */
static bool line_settle_pair(line_run *r, line_asked *asked) {
  const line_meeting *m = &asked->wait.meeting;
  grz_mover a = grz_line_mover(r, m->low, r->line->body[m->low].pose.position),
            b = grz_line_mover(r, m->high, r->line->body[m->high].pose.position);
  a.push = b.push = vec_make(0, 0, 0);
  if (!grz_line_must_respond(r, m, &a, &b, asked->gap, 0)) return line_stop_pushes(r, asked, &a, &b);
  if (!line_still_closes(r, asked) || !grz_line_must_respond(r, m, &a, &b, asked->gap, 0)) return false;
  r->line->responses += grz_line_respond(r, m, &a, &b);
  const bool low_changed = line_settle_body(r, m->low, &a), high_changed = line_settle_body(r, m->high, &b);
  return low_changed || high_changed;
}

/* Do they meet before either meets another? */
static bool line_is_first(const line_run *r, const line_wait *wait) {
  const line_body *low = &r->line->body[wait->meeting.low], *high = &r->line->body[wait->meeting.high];
  return wait->met <= low->met && wait->met <= high->met;
}

/* What meets first is answered first; then all, again and again. */
static void line_settle_all(line_run *r) {
  line_asked *asked = line_all_asked(r);
  bool changed = true;
  for (size_t i = 0; i < r->pairs; i++)
    if (asked[i].closes) grz_line_note_first(r, &asked[i].wait);
  for (int round = 0; round < LINE_ROUNDS && changed; round++) {
    changed = round == 0;
    for (size_t i = 0; i < r->pairs && r->status == GRAZE_OK; i++) {
      if (!asked[i].closes || (round == 0 && !line_is_first(r, &asked[i].wait))) continue;
      if (line_settle_pair(r, &asked[i])) changed = true;
    }
  }
  for (size_t i = 0; i < r->scene->slots; i++) r->line->body[i].met = __builtin_inf();
}

/* Nearest first: what is pushed up from one tile is not pushed back by the corner of the next. */
static void line_push_all(line_run *r) {
  const line_asked *asked = line_all_asked(r);
  for (int nearest = 1; nearest >= 0; nearest--)
    for (size_t i = 0; i < r->pairs; i++) {
      const line_meeting *m = &asked[i].wait.meeting;
      const line_body *low = &r->line->body[m->low], *high = &r->line->body[m->high];
      const bool is_nearest = asked[i].gap <= low->nearest && asked[i].gap <= high->nearest;
      if (asked[i].near && is_nearest == (nearest == 1)) line_push_apart(r, &asked[i]);
    }
}

static void line_settle(line_run *r) {
  const line_asked *asked = line_all_asked(r);
  for (size_t i = 0; i < r->pairs; i++) {
    const line_meeting *m = &asked[i].wait.meeting;
    line_body *low = &r->line->body[m->low], *high = &r->line->body[m->high];
    if (!asked[i].near) continue;
    grz_line_note(r, &asked[i].contact); /* whatever becomes of it */
    low->nearest = real_min(low->nearest, asked[i].gap), high->nearest = real_min(high->nearest, asked[i].gap);
  }
  line_push_all(r);
  line_settle_all(r);
}

/* ---- What waits */

void grz_line_begin(line_run *r) {
  const line_asked *asked = line_all_asked(r);
  grz_scene_run(r->scene, (r->pairs + LINE_PAIRS - 1) / LINE_PAIRS, line_ask_some, r);
  r->line->casts = r->pairs;
  for (size_t i = 0; i < r->pairs && r->status == GRAZE_OK; i++) r->status = asked[i].status;
  if (r->status == GRAZE_OK) line_settle(r);
  for (uint32_t i = 0; i < r->scene->slots && r->status == GRAZE_OK; i++)
    if (r->line->body[i].stirred) grz_line_change(r, i, 0, line_of(r, i)->motion);
  r->at_first = true;
  for (uint32_t i = 0; i < r->scene->slots && r->status == GRAZE_OK; i++)
    if (r->line->body[i].stirred) grz_line_ask_all(r, i, SCENE_NOWHERE);
  r->at_first = false;
  for (size_t i = 0; i < r->pairs && r->status == GRAZE_OK; i++) {
    const line_meeting *m = &asked[i].wait.meeting;
    if (r->line->body[m->low].changed || r->line->body[m->high].changed) continue; /* asked again */
    if (asked[i].near)
      grz_line_ask(r, m->low, m->high);
    else if (asked[i].wait.time < r->dt)
      grz_line_push(r, &asked[i].wait);
  }
}
