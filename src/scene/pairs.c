/* The broad phase proposes, chunk by chunk; most pairs are then decided beyond doubt by their boxes, while these are at
 * hand. What is left here depends on the bodies alone. */
#include "scene/pairs.h"

#include "core/vec.h"

enum {
  PAIRS_A_CHUNK = 2048, /* of 512 bodies */
  PAIRS_AHEAD = 16,     /* bodies are fetched so many pairs before they are looked at */
  PAIRS_LANES = 64,     /* judged together */
};
_Static_assert(PAIRS_LANES % GRZ_BATCH_WIDTH == 0, "whole registers are judged");

/* Marks `high` of a pair that overlaps. */
#define PAIRS_OVERLAP 0x80000000u

/* What became of a chunk: pairs from `first` on; more than there was room for are asked for again. */
typedef struct pairs_chunk {
  size_t first, found, met, left;
} pairs_chunk;

typedef struct pairs_collection {
  const graze_scene *scene;
  const scene_state *state;
  const grz_oriented *boxes;
  const scene_timeline *line;
  double dt;
  bool casts; /* the scene's method misses nothing */
  grz_bvh_pair *room;
  pairs_chunk *chunk;
} pairs_collection;

static void pairs_fetch(const pairs_collection *s, uint32_t slot) {
  if (!s->state[slot].plain) __builtin_prefetch(&scene_briefs(s->scene)[slot]);
  __builtin_prefetch(&s->boxes[slot]);
}

/* It goes the way that its motion says. */
static bool pairs_is_straight(const pairs_collection *s, uint32_t slot) {
  return !s->state[slot].turns && !(s->line->any && s->line->body[slot].changed);
}

/* Pairs that are judged together. */
typedef struct pairs_batch {
  const grz_oriented *box[2][PAIRS_LANES];
  double way[PAIRS_LANES][4];
  grz_bvh_pair pair[PAIRS_LANES];
  bool core[PAIRS_LANES]; /* both boxes are cores */
  size_t count;
} pairs_batch;

static void pairs_keep(const pairs_collection *s, pairs_chunk *c, grz_bvh_pair p, bool overlap) {
  s->room[c->first + c->left++] = (grz_bvh_pair){p.low, p.high | (overlap ? PAIRS_OVERLAP : 0)};
}

/* Takes the place of pairs that were read already. */
static void pairs_judge(const pairs_collection *s, pairs_chunk *c, pairs_batch *b) {
  uint8_t verdict[PAIRS_LANES];
  const grz_oriented_pairs pairs = {{b->box[0], b->box[1]}, s->dt > 0 ? (const double(*)[4])b->way : NULL};
  const size_t lanes = GRZ_BATCH_WIDTH, full = (b->count + lanes - 1) / lanes * lanes, last = b->count - 1;
  if (b->count == 0) return;
  for (size_t i = b->count; i < full; i++) {
    for (int k = 0; k < 2; k++) b->box[k][i] = b->box[k][last];
    for (int k = 0; k < 4; k++) b->way[i][k] = 0;
  }
  s->scene->kernels->bodies(&pairs, full, verdict);
  for (size_t i = 0; i < b->count; i++) { /* without a branch, since nobody can predict it */
    pairs_keep(s, c, b->pair[i], b->core[i] & (verdict[i] == GRAZE_OVERLAPPING));
    c->left -= verdict[i] == GRAZE_SEPARATED;
  }
  b->count = 0;
}

static void pairs_add(const pairs_collection *s, pairs_batch *b, grz_bvh_pair p) {
  const scene_body *body = s->scene->body;
  const size_t at = b->count++;
  b->box[0][at] = &s->boxes[p.low], b->box[1][at] = &s->boxes[p.high];
  if (s->dt > 0) {
    const graze_vec way = vec_scale(vec_sub(body[p.high].motion.velocity, body[p.low].motion.velocity), s->dt);
    b->way[at][0] = way.x, b->way[at][1] = way.y, b->way[at][2] = way.z, b->way[at][3] = 0;
  }
  b->core[at] = s->state[p.low].boxed && s->state[p.high].boxed;
  b->pair[at] = p;
}

/* May boxes decide about it? */
static bool pairs_is_simple(const pairs_collection *s, grz_bvh_pair p) {
  return s->dt == 0 || (s->casts && pairs_is_straight(s, p.low) && pairs_is_straight(s, p.high));
}

/* What briefs say of a pair: those of most need not be read. `plane`: one of them is a half-space. */
static bool pairs_may(const pairs_collection *s, grz_bvh_pair p, bool *plane) {
  const graze_scene *scene = s->scene;
  const scene_state a = s->state[p.low], b = s->state[p.high];
  *plane = false;
  if (a.plain && b.plain) return !(a.fixed && b.fixed);
  const scene_brief *low = &scene_briefs(scene)[p.low], *high = &scene_briefs(scene)[p.high];
  *plane = low->form == SCENE_FORM_PLANE || high->form == SCENE_FORM_PLANE;
  return scene_are_pair(low, high);
}

static void pairs_filter(const pairs_collection *s, pairs_chunk *c) {
  const graze_scene *scene = s->scene;
  const grz_bvh_pair *pair = s->room + c->first;
  pairs_batch batch; /* large: only what is used is set */
  batch.count = 0;
  c->met = c->left = 0;
  for (size_t i = 0; i < c->found; i++) {
    const grz_bvh_pair p = pair[i], ahead = pair[i + PAIRS_AHEAD < c->found ? i + PAIRS_AHEAD : i];
    bool plane;
    pairs_fetch(s, ahead.low), pairs_fetch(s, ahead.high);
    if (!pairs_may(s, p, &plane)) continue;
    if (plane && !grz_scene_bounds_meet(scene, s->dt, p.low, p.high)) continue;
    c->met++;
    if (plane || !pairs_is_simple(s, p))
      pairs_keep(s, c, p, false);
    else
      pairs_add(s, &batch, p);
    if (batch.count == PAIRS_LANES) pairs_judge(s, c, &batch);
  }
  pairs_judge(s, c, &batch);
}

static void pairs_look(void *data, size_t index) {
  const pairs_collection *s = data;
  pairs_chunk *c = &s->chunk[index];
  c->first = index * PAIRS_A_CHUNK;
  c->found = grz_bvh_pairs(&s->scene->broad, index, s->room + c->first, PAIRS_A_CHUNK);
  if (c->found <= PAIRS_A_CHUNK) pairs_filter(s, c);
}

/* Those that did not fit. */
static void pairs_look_again(void *data, size_t index) {
  const pairs_collection *s = data;
  pairs_chunk *c = &s->chunk[index];
  if (c->found <= PAIRS_A_CHUNK) return;
  (void)grz_bvh_pairs(&s->scene->broad, index, s->room + c->first, c->found);
  pairs_filter(s, c);
}

/* Where the large chunks go, behind the others. */
static size_t pairs_lay_out(pairs_chunk *chunk, size_t chunks) {
  size_t end = chunks * PAIRS_A_CHUNK;
  for (size_t i = 0; i < chunks; i++) {
    if (chunk[i].found <= PAIRS_A_CHUNK) continue;
    chunk[i].first = end;
    end += chunk[i].found;
  }
  return end;
}

/* By counting, first by `high`, then by `low`. `start`: room for a number for every slot and one more. */
static void pairs_count(uint32_t *start, size_t slots) {
  uint32_t sum = 0;
  for (size_t i = 0; i <= slots; i++) {
    const uint32_t here = start[i];
    start[i] = sum;
    sum += here;
  }
}

static void pairs_sort_high(const pairs_collection *s, size_t chunks, grz_bvh_pair *to, uint32_t *start) {
  for (size_t i = 0; i <= s->scene->slots; i++) start[i] = 0;
  for (size_t i = 0; i < chunks; i++)
    for (size_t k = 0; k < s->chunk[i].left; k++) start[s->room[s->chunk[i].first + k].high & ~PAIRS_OVERLAP]++;
  pairs_count(start, s->scene->slots);
  for (size_t i = 0; i < chunks; i++) {
    for (size_t k = 0; k < s->chunk[i].left; k++) {
      const grz_bvh_pair p = s->room[s->chunk[i].first + k];
      to[start[p.high & ~PAIRS_OVERLAP]++] = p;
    }
  }
}

static void pairs_sort_low(const grz_bvh_pair *from, size_t count, scene_pair *to, uint32_t *start, size_t slots) {
  for (size_t i = 0; i <= slots; i++) start[i] = 0;
  for (size_t i = 0; i < count; i++) start[from[i].low]++;
  pairs_count(start, slots);
  for (size_t i = 0; i < count; i++) {
    const grz_bvh_pair p = from[i];
    to[start[p.low]++] = (scene_pair){p.low, p.high & ~PAIRS_OVERLAP, (p.high & PAIRS_OVERLAP) != 0};
  }
}

/* Puts all chunks together. */
static bool pairs_gather(graze_scene *scene, const pairs_collection *s, size_t chunks, scene_pairs_count *count) {
  *count = (scene_pairs_count){0, 0};
  for (size_t i = 0; i < chunks; i++) count->met += s->chunk[i].met, count->left += s->chunk[i].left;
  if (count->left > UINT32_MAX || /* they are numbered so */
      !grz_scene_grow(scene, &scene->halves, count->left, sizeof(grz_bvh_pair)) ||
      !grz_scene_grow(scene, &scene->pairs, count->left, sizeof(scene_pair)) ||
      !grz_scene_grow(scene, &scene->starts, scene->slots + 1, sizeof(uint32_t)))
    return false;
  if (count->left == 0) return true;
  pairs_sort_high(s, chunks, scene->halves.memory, scene->starts.memory);
  pairs_sort_low(scene->halves.memory, count->left, scene->pairs.memory, scene->starts.memory, scene->slots);
  return true;
}

bool grz_scene_collect_pairs(graze_scene *scene, double dt, const scene_timeline *line, scene_pairs_count *count) {
  const size_t chunks = grz_bvh_chunk_count(&scene->broad);
  const graze_method method = scene->def.method;
  if (!grz_scene_grow(scene, &scene->found, chunks * PAIRS_A_CHUNK, sizeof(grz_bvh_pair)) ||
      !grz_scene_grow(scene, &scene->chunks, chunks, sizeof(pairs_chunk)))
    return false;
  pairs_collection s = {
      .scene = scene, .line = line, .dt = dt, .room = scene->found.memory, .chunk = scene->chunks.memory};
  s.state = scene_states(scene), s.boxes = scene_boxes(scene);
  s.casts = method == GRAZE_METHOD_AUTO || method == GRAZE_METHOD_FCCD || method == GRAZE_METHOD_LCCD;
  grz_scene_run(scene, chunks, pairs_look, &s);
  const size_t end = pairs_lay_out(s.chunk, chunks);
  if (!grz_scene_grow(scene, &scene->found, end, sizeof(grz_bvh_pair))) return false;
  s.room = scene->found.memory;
  if (end > chunks * PAIRS_A_CHUNK) grz_scene_run(scene, chunks, pairs_look_again, &s);
  return pairs_gather(scene, &s, chunks, count);
}

size_t grz_scene_contact_from(const graze_scene *scene, scene_pair pair) {
  size_t from = 0, to = scene->contact_count;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (scene_contact_before(scene->contact[middle], pair.low, pair.high))
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}
