/* One pair of bodies (casts and contact responses), and the candidate pairs of a step.
 *
 * Broad phase: the tree proposes pairs in chunks, which are independent tasks. A SIMD test of oriented boxes decides
 * most pairs: they are separated during the whole step, or they overlap. A counting sort orders the remaining pairs.
 *
 * Response: Newton's law of restitution along the contact normal, without friction. Proof that responding bodies
 * never enter each other: docs/theory/scene.md. */
#include "scene/collisions.h"

#include "core/vec.h"
#include "shape/motion.h"

/* ---- One pair */

double grz_pair_skin_of(const scene_record *a, const scene_record *b, double minimum) {
  const double least = real_min(a->skin, b->skin), most = real_max(a->skin, b->skin);
  if (least > 0) return real_max(least, minimum);
  return most < __builtin_inf() ? real_max(most, minimum) : minimum;
}

double grz_pair_skin(const graze_scene *scene, size_t low, size_t high) {
  const scene_record *a = &scene_records(scene)[low], *b = &scene_records(scene)[high];
  if (!scene_respond(scene, low, high)) return 0;
  return grz_pair_skin_of(a, b, scene_minimum_skin(a) + scene_minimum_skin(b));
}

double grz_pair_contact_distance(const graze_scene *scene, size_t low, size_t high) {
  return pair_margin(scene, low, high) + SCENE_CONTACT_SKINS * grz_pair_skin(scene, low, high);
}

graze_status grz_pair_meets(const graze_placed *a, const graze_placed *b, double clearance, bool *meets) {
  graze_answer answer;
  graze_options options = graze_default_options();
  options.clearance = clearance;
  graze_status status = graze_intersect(a, b, &options, &answer);
  *meets = status == GRAZE_OK && answer.relation != GRAZE_SEPARATED;
  return status;
}

graze_status grz_pair_cast(const graze_scene *scene, pair_body a, pair_body b, double time, double clearance,
                           double tolerance, graze_cast_result *result) {
  const graze_scene_def *def = &scene->def;
  graze_cast_options options = graze_default_cast_options();
  options.clearance = clearance;
  options.tolerance = tolerance;
  options.min_distance = false;
  if (def->cast != NULL) {
    const graze_status status =
        def->cast(def->cast_context, a.placed, a.motion, b.placed, b.motion, time, &options, result);
    if (status != GRAZE_UNSUPPORTED) return status;
  }
  const bool turns = motion_rotates(a.placed, a.motion) || motion_rotates(b.placed, b.motion);
  options.method = turns && def->method == GRAZE_CAST_FCCD ? GRAZE_CAST_AUTO : def->method;
  return graze_cast(a.placed, a.motion, b.placed, b.motion, time, &options, result);
}

/* ---- Response */

static graze_vec contact_velocity(const contact_body *b, graze_vec point) {
  const graze_vec linear = vec_add(b->motion.velocity, b->push);
  return vec_add(linear, vec_cross(b->motion.angular, vec_sub(point, b->position)));
}

double grz_separation_speed(const contact_body *a, const contact_body *b, graze_vec point, graze_vec normal) {
  return vec_dot(normal, vec_sub(contact_velocity(b, point), contact_velocity(a, point)));
}

double grz_separation_fraction(double fraction, int contacts) {
  enum { GROWTH = 4 };
  const double largest = 0x1p-4;
  for (int i = 0; i < contacts && fraction < largest; i++) fraction *= GROWTH;
  return fraction;
}

double grz_minimum_separation(const contact_body *a, const contact_body *b, double fraction, int contacts,
                              double time) {
  const double spin_a = vec_length(a->motion.angular), spin_b = vec_length(b->motion.angular);
  const graze_vec moves_a = vec_add(a->motion.velocity, a->push), moves_b = vec_add(b->motion.velocity, b->push);
  const double speed = vec_length(vec_sub(moves_a, moves_b));
  const double acceleration = spin_a * spin_a * a->radius + spin_b * spin_b * b->radius + (spin_a + spin_b) * speed;
  return grz_separation_fraction(fraction, contacts) * time * acceleration;
}

static bool contact_stop(contact_body *b) {
  if (b->response != GRAZE_RESPONSE_STOP || b->inverse_mass == 0) return false;
  b->motion.velocity = b->motion.angular = vec_make(0, 0, 0);
  return true;
}

bool grz_respond_stop(contact_body *a, contact_body *b, graze_vec point, graze_vec normal) {
  if (!(grz_separation_speed(a, b, point, normal) < 0)) return false;
  const bool a_stops = contact_stop(a), b_stops = contact_stop(b);
  return a_stops || b_stops;
}

static double contact_inverse_mass(const contact_body *b, bool with_stopped) {
  const bool stopped = b->response == GRAZE_RESPONSE_STOP && !with_stopped;
  return b->response == GRAZE_RESPONSE_NONE || stopped ? 0 : b->inverse_mass;
}

static double contact_bounce(const contact_body *b) { return b->response == GRAZE_RESPONSE_BOUNCE ? b->bounce : 0; }

static void contact_accelerate(contact_body *b, graze_vec normal, double speed) {
  b->motion.velocity = vec_add(b->motion.velocity, vec_scale(normal, speed));
}

bool grz_respond(contact_body *a, contact_body *b, graze_vec point, graze_vec normal, double minimum) {
  const double speed = grz_separation_speed(a, b, point, normal);
  if (speed >= minimum) return false;
  /* A body with GRAZE_RESPONSE_STOP is moved only if the other body cannot be moved. */
  double of_a = contact_inverse_mass(a, false), of_b = contact_inverse_mass(b, false);
  if (of_a + of_b == 0) of_a = contact_inverse_mass(a, true), of_b = contact_inverse_mass(b, true);
  if (of_a + of_b == 0) return false;
  const double bounce = contact_bounce(a) > contact_bounce(b) ? contact_bounce(a) : contact_bounce(b);
  const double change = real_max(-bounce * speed, minimum) - speed;
  contact_accelerate(a, normal, -change * (of_a / (of_a + of_b)));
  contact_accelerate(b, normal, change * (of_b / (of_a + of_b)));
  return true;
}

/* ---- Candidate pairs */

enum {
  PAIRS_CHUNK = 2048,  /* pairs; 512 bodies have about as many */
  PAIRS_PREFETCH = 16, /* bodies are prefetched this many pairs ahead */
  PAIRS_BATCH = 64,    /* pairs of one SIMD call */
};
_Static_assert(PAIRS_BATCH % GRZ_BATCH_WIDTH == 0, "a batch fills whole registers");

/* A bit of `high`: the cores certainly overlap. */
#define PAIRS_OVERLAP 0x80000000u

/* One task. Its pairs start at `first`. If there are more than PAIRS_CHUNK, the task runs again with more memory. */
typedef struct pairs_chunk {
  size_t first, proposed, tested, kept;
} pairs_chunk;

typedef struct pairs_search {
  const graze_scene *scene;
  const scene_flags *flags;
  const grz_oriented *boxes;
  double dt;
  bool removes; /* AUTO and FCCD: certainly separated pairs are removed. Other methods cast all pairs, so that the costs
                   of methods can be compared */
  grz_bvh_pair *memory;
  pairs_chunk *chunk;
} pairs_search;

typedef struct pairs_batch {
  const grz_oriented *box[2][PAIRS_BATCH];
  double displacement[PAIRS_BATCH][4]; /* of B relative to A in the step */
  grz_bvh_pair pair[PAIRS_BATCH];
  bool core[PAIRS_BATCH]; /* both boxes are cores */
  size_t count;
} pairs_batch;

/* Writes a pair over those pairs of the chunk that were already read. */
static void pairs_keep(const pairs_search *s, pairs_chunk *c, grz_bvh_pair p, bool overlap) {
  s->memory[c->first + c->kept++] = (grz_bvh_pair){p.low, p.high | (overlap ? PAIRS_OVERLAP : 0)};
}

static void pairs_test_batch(const pairs_search *s, pairs_chunk *c, pairs_batch *b) {
  uint8_t relation[PAIRS_BATCH];
  const grz_oriented_pairs pairs = {{b->box[0], b->box[1]}, s->dt > 0 ? (const double(*)[4])b->displacement : NULL};
  const size_t width = GRZ_BATCH_WIDTH, full = (b->count + width - 1) / width * width, last = b->count - 1;
  if (b->count == 0) return;
  for (size_t i = b->count; i < full; i++) { /* fill the last register */
    for (int k = 0; k < 2; k++) b->box[k][i] = b->box[k][last];
    for (int k = 0; k < 4; k++) b->displacement[i][k] = 0;
  }
  s->scene->kernels->bodies(&pairs, full, relation);
  for (size_t i = 0; i < b->count; i++) { /* no branch, because it would be mispredicted */
    pairs_keep(s, c, b->pair[i], b->core[i] & (relation[i] == GRAZE_OVERLAPPING));
    c->kept -= relation[i] == GRAZE_SEPARATED;
  }
  b->count = 0;
}

static void pairs_add(const pairs_search *s, pairs_batch *b, grz_bvh_pair p) {
  const scene_record *body = scene_records(s->scene);
  const size_t at = b->count++;
  b->box[0][at] = &s->boxes[p.low], b->box[1][at] = &s->boxes[p.high];
  if (s->dt > 0) {
    const graze_vec d = vec_scale(vec_sub(body[p.high].motion.velocity, body[p.low].motion.velocity), s->dt);
    b->displacement[at][0] = d.x, b->displacement[at][1] = d.y, b->displacement[at][2] = d.z;
    b->displacement[at][3] = 0;
  }
  b->core[at] = s->flags[p.low].is_box && s->flags[p.high].is_box;
  b->pair[at] = p;
}

static void pairs_prefetch(const pairs_search *s, uint32_t slot) {
  if (!s->flags[slot].default_filter) __builtin_prefetch(&scene_filters(s->scene)[slot]);
  __builtin_prefetch(&s->boxes[slot]);
}

/* Returns whether the body does not rotate and follows the motion of its record during the whole step. */
static bool pairs_translates(const pairs_search *s, uint32_t slot) {
  return !s->flags[slot].turns && !s->flags[slot].changed;
}

static void pairs_filter(const pairs_search *s, pairs_chunk *c) {
  const graze_scene *scene = s->scene;
  const scene_filter *filter = scene_filters(scene);
  const grz_bvh_pair *pair = s->memory + c->first;
  pairs_batch batch; /* large: only used entries are set */
  batch.count = 0;
  c->tested = c->kept = 0;
  for (size_t i = 0; i < c->proposed; i++) {
    const grz_bvh_pair p = pair[i], later = pair[i + PAIRS_PREFETCH < c->proposed ? i + PAIRS_PREFETCH : i];
    const scene_flags a = s->flags[p.low], b = s->flags[p.high];
    bool halfspace = false;
    pairs_prefetch(s, later.low), pairs_prefetch(s, later.high);
    if (a.default_filter && b.default_filter) {
      if (a.is_static && b.is_static) continue;
    } else {
      halfspace = filter[p.low].form == SCENE_FORM_HALFSPACE || filter[p.high].form == SCENE_FORM_HALFSPACE;
      if (!scene_are_pair(&filter[p.low], &filter[p.high])) continue;
    }
    if (halfspace && !grz_store_bounds_meet(scene, s->dt, p.low, p.high)) continue;
    c->tested++;
    const bool simple = s->dt == 0 || (s->removes && pairs_translates(s, p.low) && pairs_translates(s, p.high));
    if (halfspace || !simple)
      pairs_keep(s, c, p, false);
    else
      pairs_add(s, &batch, p);
    if (batch.count == PAIRS_BATCH) pairs_test_batch(s, c, &batch);
  }
  pairs_test_batch(s, c, &batch);
}

static void pairs_run_chunk(void *data, size_t index) {
  const pairs_search *s = data;
  pairs_chunk *c = &s->chunk[index];
  c->first = index * PAIRS_CHUNK;
  c->proposed = grz_bvh_pairs(&s->scene->store.tree, index, s->memory + c->first, PAIRS_CHUNK);
  if (c->proposed <= PAIRS_CHUNK) pairs_filter(s, c);
}

static void pairs_run_large_chunk(void *data, size_t index) {
  const pairs_search *s = data;
  pairs_chunk *c = &s->chunk[index];
  if (c->proposed <= PAIRS_CHUNK) return;
  (void)grz_bvh_pairs(&s->scene->store.tree, index, s->memory + c->first, c->proposed);
  pairs_filter(s, c);
}

/* Replaces each count by the sum of those before it. */
static void pairs_prefix_sums(uint32_t *count, size_t slots) {
  uint32_t sum = 0;
  for (size_t i = 0; i <= slots; i++) {
    const uint32_t here = count[i];
    count[i] = sum;
    sum += here;
  }
}

/* Sorts the pairs of all chunks with two stable counting sorts: by `high`, then by `low`. */
static void pairs_sort(const pairs_search *s, size_t chunks, size_t pairs, grz_bvh_pair *by_high, step_pair *sorted,
                       uint32_t *start) {
  const size_t slots = s->scene->store.slots;
  for (size_t i = 0; i <= slots; i++) start[i] = 0;
  for (size_t i = 0; i < chunks; i++)
    for (size_t k = 0; k < s->chunk[i].kept; k++) start[s->memory[s->chunk[i].first + k].high & ~PAIRS_OVERLAP]++;
  pairs_prefix_sums(start, slots);
  for (size_t i = 0; i < chunks; i++) {
    for (size_t k = 0; k < s->chunk[i].kept; k++) {
      const grz_bvh_pair p = s->memory[s->chunk[i].first + k];
      by_high[start[p.high & ~PAIRS_OVERLAP]++] = p;
    }
  }
  for (size_t i = 0; i <= slots; i++) start[i] = 0;
  for (size_t i = 0; i < pairs; i++) start[by_high[i].low]++;
  pairs_prefix_sums(start, slots);
  for (size_t i = 0; i < pairs; i++) {
    const grz_bvh_pair p = by_high[i];
    sorted[start[p.low]++] = (step_pair){p.low, p.high & ~PAIRS_OVERLAP, (p.high & PAIRS_OVERLAP) != 0};
  }
}

bool grz_scene_collect_pairs(graze_scene *scene, double dt, step_pair_count *count) {
  const size_t chunks = grz_bvh_chunk_count(&scene->store.tree), slots = scene->store.slots;
  scene_buffer *buffer = scene->buffer;
  if (!grz_scene_grow(scene, &buffer[BUFFER_CANDIDATES], chunks * PAIRS_CHUNK, sizeof(grz_bvh_pair)) ||
      !grz_scene_grow(scene, &buffer[BUFFER_CHUNKS], chunks, sizeof(pairs_chunk)))
    return false;
  pairs_search s = {.scene = scene, .dt = dt};
  s.flags = scene_flags_of(scene), s.boxes = scene_boxes(scene);
  s.memory = buffer[BUFFER_CANDIDATES].memory, s.chunk = buffer[BUFFER_CHUNKS].memory;
  s.removes = scene->def.cast == NULL && (scene->def.method == GRAZE_CAST_AUTO || scene->def.method == GRAZE_CAST_FCCD);
  grz_scene_run(scene, chunks, pairs_run_chunk, &s);

  /* Chunks with too many pairs run again, with memory behind that of all other chunks. */
  size_t end = chunks * PAIRS_CHUNK;
  for (size_t i = 0; i < chunks; i++) {
    if (s.chunk[i].proposed <= PAIRS_CHUNK) continue;
    s.chunk[i].first = end;
    end += s.chunk[i].proposed;
  }
  if (!grz_scene_grow(scene, &buffer[BUFFER_CANDIDATES], end, sizeof(grz_bvh_pair))) return false;
  s.memory = buffer[BUFFER_CANDIDATES].memory;
  if (end > chunks * PAIRS_CHUNK) grz_scene_run(scene, chunks, pairs_run_large_chunk, &s);

  *count = (step_pair_count){0, 0};
  for (size_t i = 0; i < chunks; i++) count->tested += s.chunk[i].tested, count->kept += s.chunk[i].kept;
  if (count->kept > UINT32_MAX || /* positions are 32-bit */
      !grz_scene_grow(scene, &buffer[BUFFER_SORTED_HIGH], count->kept, sizeof(grz_bvh_pair)) ||
      !grz_scene_grow(scene, &buffer[BUFFER_PAIRS], count->kept, sizeof(step_pair)) ||
      !grz_scene_grow(scene, &buffer[BUFFER_SLOT_COUNTS], slots + 1, sizeof(uint32_t)))
    return false;
  if (count->kept > 0)
    pairs_sort(&s, chunks, count->kept, buffer[BUFFER_SORTED_HIGH].memory, buffer[BUFFER_PAIRS].memory,
               buffer[BUFFER_SLOT_COUNTS].memory);
  return true;
}

size_t grz_scene_contact_index(const graze_scene *scene, step_pair pair) {
  const scene_contact *contact = scene_contacts(scene);
  size_t from = 0, to = scene->store.contact_count;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (contact_is_before(contact[middle], pair.low, pair.high))
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}
