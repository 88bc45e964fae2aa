/* What waits, as a heap. */
#include "scene/event_queue.h"

static bool line_earlier(const line_wait *p, const line_wait *q) {
  if (p->time != q->time) return p->time < q->time;
  if (p->met != q->met) return p->met < q->met;
  if (p->meeting.low != q->meeting.low) return p->meeting.low < q->meeting.low;
  return p->meeting.high < q->meeting.high;
}

void grz_line_note_first(line_run *r, const line_wait *wait) {
  line_body *bodies[] = {&r->line->body[wait->meeting.low], &r->line->body[wait->meeting.high]};
  for (int i = 0; i < 2; i++)
    if (wait->met < bodies[i]->met) bodies[i]->met = wait->met, bodies[i]->answered = wait->time;
}

void grz_line_push(line_run *r, const line_wait *wait) {
  scene_timeline *line = r->line;
  if (!grz_scene_grow(r->scene, &r->scene->waiting, line->waiting_count + 1, sizeof *wait)) {
    r->status = GRAZE_OUT_OF_MEMORY;
    return;
  }
  line_wait *heap = r->scene->waiting.memory;
  size_t at = line->waiting_count++;
  for (; at > 0 && line_earlier(wait, &heap[(at - 1) / 2]); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = *wait;
  grz_line_note_first(r, wait);
}

line_wait grz_line_pop(line_run *r) {
  line_wait *heap = r->scene->waiting.memory;
  const size_t count = --r->line->waiting_count;
  const line_wait first = heap[0], moved = heap[count];
  size_t at = 0;
  for (size_t child = 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && line_earlier(&heap[child + 1], &heap[child])) child++;
    if (!line_earlier(&heap[child], &moved)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
  return first;
}

/* Bodies stop before they meet, the slower they approach the earlier. What falls on a floor would stop first at a side
 * of the next tile, into which it never comes. */
bool grz_line_put_off(line_run *r, const line_wait *wait) {
  const line_body *bodies[] = {&r->line->body[wait->meeting.low], &r->line->body[wait->meeting.high]};
  line_wait later = *wait;
  for (int i = 0; i < 2; i++)
    if (bodies[i]->met < wait->met) later.time = real_max(later.time, bodies[i]->answered);
  if (later.time == wait->time) return false;
  later.meeting.t_lower = later.time;
  later.meeting.t_upper = real_min(wait->meeting.t_upper + (later.time - wait->time), r->dt);
  grz_line_push(r, &later);
  return true;
}
