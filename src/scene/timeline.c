/* What meets first is answered first: the two bodies are put where they meet, respond, and all that may meet them from
 * then on is asked about anew.
 *
 * Bodies stop short of each other by the skin. From nearer, where what turns or slides may come, they are asked when
 * they come half as near as they are: so no contact is ever asked about from within, and rounding of poses, far less
 * than the skin, makes no overlap: docs/theory/scene.md. */
#include "scene/timeline.h"

#include "scene/results.h"
#include "scene/event_queue.h"

static bool line_comes_before(const void *p, const void *q) {
  const line_meeting *of_p = p, *of_q = q;
  if (of_p->low != of_q->low) return of_p->low < of_q->low;
  if (of_p->high != of_q->high) return of_p->high < of_q->high;
  return of_p->t_lower < of_q->t_lower;
}

const line_meeting *grz_scene_first_meeting(const graze_scene *scene, const scene_timeline *line, uint32_t low,
                                            uint32_t high) {
  const line_meeting *all = scene->meets.memory;
  size_t from = 0, to = line->meeting_count;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (all[middle].low < low || (all[middle].low == low && all[middle].high < high))
      from = middle + 1;
    else
      to = middle;
  }
  return from < line->meeting_count && all[from].low == low && all[from].high == high ? &all[from] : NULL;
}

line_piece grz_scene_first_piece(const graze_scene *scene, const scene_timeline *line, size_t slot) {
  const scene_body *b = &scene->body[slot];
  if (line->any && line->body[slot].first != SCENE_NOWHERE) return scene_pieces(scene)[line->body[slot].first];
  return (line_piece){0, b->placed.pose, b->motion, SCENE_NOWHERE};
}

graze_pose grz_scene_end_pose(const graze_scene *scene, const scene_timeline *line, size_t slot, double dt) {
  const scene_body *b = &scene->body[slot];
  return line->any && line->body[slot].changed ? grz_line_pose(&line->body[slot], dt)
                                               : graze_pose_after(&b->placed.pose, &b->motion, dt);
}

static bool line_is_needed(const graze_scene *scene, size_t pairs) {
  for (size_t i = 0; i < pairs; i++) {
    const scene_pair p = scene_pairs(scene)[i];
    if (scene_respond(&scene_briefs(scene)[p.low], &scene_briefs(scene)[p.high])) return true;
  }
  return false;
}

static bool line_prepare(line_run *r) {
  graze_scene *scene = r->scene;
  if (!grz_scene_grow(scene, &scene->lines, scene->slots, sizeof(line_body)) ||
      !grz_scene_grow(scene, &scene->asked, r->pairs, sizeof(line_asked)))
    return false;
  r->line->body = scene->lines.memory;
  for (size_t i = 0; i < scene->slots; i++) {
    const scene_body *b = &scene->body[i];
    r->line->body[i] = (line_body){.pose = b->placed.pose, .motion = b->motion};
    r->line->body[i].first = r->line->body[i].last = SCENE_NOWHERE;
    r->line->body[i].met = r->line->body[i].nearest = __builtin_inf();
  }
  return true;
}

graze_status grz_scene_run_timeline(graze_scene *scene, double dt, size_t pairs, scene_timeline *line) {
  line_run r = {.scene = scene, .line = line, .dt = dt, .pairs = pairs, .status = GRAZE_OK};
  *line = (scene_timeline){.any = dt > 0 && line_is_needed(scene, pairs)};
  if (!line->any) return GRAZE_OK;
  if (!line_prepare(&r)) return GRAZE_OUT_OF_MEMORY;
  grz_line_begin(&r);
  while (line->waiting_count > 0 && r.status == GRAZE_OK) {
    const line_wait wait = grz_line_pop(&r);
    const line_meeting *m = &wait.meeting;
    if (wait.turn_low != line->body[m->low].turn || wait.turn_high != line->body[m->high].turn) continue;
    if (!grz_line_put_off(&r, &wait)) grz_line_answer(&r, &wait);
  }
  grz_scene_sort(scene->meets.memory, line->meeting_count, sizeof(line_meeting), line_comes_before);
  return r.status;
}
