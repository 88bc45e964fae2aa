/* Bodies in time: piece after piece. */
#include "core/vec.h"
#include "scene/event_queue.h"

/* So that no mass, however small, has an inverse beyond all doubles. */
#define LINE_MASS 0x1p-60

/* Who waits so early in a step, in shares of it, has no way to go. */
#define LINE_AT_ONCE 0x1p-4

static const graze_motion line_still = {{0, 0, 0}, {0, 0, 0}};

graze_motion grz_line_motion(const line_body *b) {
  if (b->held) return line_still;
  return (graze_motion){vec_add(b->motion.velocity, b->push), b->motion.angular};
}

graze_pose grz_line_pose(const line_body *b, double t) {
  const graze_motion motion = grz_line_motion(b);
  return t > b->time ? graze_pose_after(&b->pose, &motion, t - b->time) : b->pose;
}

graze_status grz_line_place(const line_run *r, uint32_t slot, double t, graze_placed *placed) {
  const line_body *b = &r->line->body[slot];
  *placed = r->scene->body[slot].placed;
  if (!b->changed && t == 0) return GRAZE_OK;
  return graze_set_pose(placed, grz_line_pose(b, t));
}

static bool line_add_piece(line_run *r, line_body *b, double from, graze_pose pose, graze_motion motion) {
  if (!grz_scene_grow(r->scene, &r->scene->pieces, r->line->piece_count + 1, sizeof(line_piece))) return false;
  const uint32_t at = (uint32_t)r->line->piece_count++;
  line_piece *piece = scene_pieces(r->scene);
  piece[at] = (line_piece){from, pose, motion, SCENE_NOWHERE};
  if (b->first == SCENE_NOWHERE)
    b->first = at;
  else
    piece[b->last].next = at;
  b->last = at;
  return true;
}

/* Bounds of all that it did and will do. */
static bool line_bound(line_run *r, uint32_t slot) {
  const scene_body *body = line_of(r, slot);
  const line_body *b = &r->line->body[slot];
  graze_placed placed = body->placed;
  const graze_motion motion = grz_line_motion(b);
  if (graze_set_pose(&placed, b->pose) != GRAZE_OK) return false;
  graze_aabb *all = &scene_bounds(r->scene)[slot];
  const graze_aabb box = grz_swept_bounds(&placed, &motion, r->dt - b->time, scene_grows(body));
  const bool finite = vec_norm_inf(vec_sub(box.max, box.min)) < __builtin_inf();
  if (!finite && body->placed.shape.kind != GRAZE_HALFSPACE) return false; /* before the tree sees it */
  all->min = vec_min(all->min, box.min), all->max = vec_max(all->max, box.max);
  grz_bvh_insert(&r->scene->broad, slot, all, true);
  scene_state *state = &scene_states(r->scene)[slot];
  state->awake = state->swept = state->told = true; /* to be put back */
  return true;
}

void grz_line_change(line_run *r, uint32_t slot, double t, graze_motion before) {
  line_body *b = &r->line->body[slot];
  bool good = true;
  if (b->first == SCENE_NOWHERE && t > 0) good = line_add_piece(r, b, 0, b->pose, before);
  if (good && t > b->time) {
    b->pose = graze_pose_after(&b->pose, &before, t - b->time);
    b->time = t;
  }
  b->changed = true;
  b->turn++;
  b->met = __builtin_inf();
  if (good && b->first != SCENE_NOWHERE && scene_pieces(r->scene)[b->last].from == t)
    scene_pieces(r->scene)[b->last].motion = grz_line_motion(b);
  else
    good = good && line_add_piece(r, b, t, b->pose, grz_line_motion(b));
  if (!good) r->status = GRAZE_OUT_OF_MEMORY;
  if (good && !line_bound(r, slot)) r->status = GRAZE_BAD_NUMBER;
}

bool grz_line_is_as_before(const line_body *b, const grz_mover *m) {
  return vec_equal(m->motion.velocity, b->motion.velocity) && vec_equal(m->motion.angular, b->motion.angular);
}

grz_mover grz_line_mover(const line_run *r, uint32_t slot, graze_vec position) {
  const scene_body *body = line_of(r, slot);
  const line_body *b = &r->line->body[slot];
  const bool yields = body->type == GRAZE_DYNAMIC && !b->held && body->response != GRAZE_RESPONSE_NONE;
  grz_mover m = {.position = position, .motion = b->held ? line_still : b->motion};
  if (!b->held) m.push = b->push;
  m.yields = yields ? LINE_MASS / body->mass : 0;
  m.reach = body->placed.reach;
  m.response = yields ? body->response : GRAZE_RESPONSE_NONE;
  m.bounce = body->bounce;
  return m;
}

void grz_line_hold(line_run *r, uint32_t slot, double t) {
  line_body *b = &r->line->body[slot];
  const graze_motion before = grz_line_motion(b);
  if (b->held || line_of(r, slot)->type == GRAZE_STATIC) return;
  b->held = true;
  const graze_response response = line_of(r, slot)->response;
  const bool gives = response == GRAZE_RESPONSE_STOP || response == GRAZE_RESPONSE_SLIDE;
  if (gives && line_of(r, slot)->type == GRAZE_DYNAMIC && t <= LINE_AT_ONCE * r->dt)
    b->motion.velocity = vec_make(0, 0, 0); /* what pushed it last must not throw it out later */
  r->line->stalled++;
  grz_line_change(r, slot, t, before);
}
