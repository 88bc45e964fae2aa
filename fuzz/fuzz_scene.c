/* Scenes. The first byte chooses: arbitrary bytes as a snapshot, a snapshot with changed bytes, or a sequence of calls.
 * A bit chooses whether the checksum is repaired. Checks:
 * - A restored scene saves the same bytes.
 * - Events are in order and consistent with earlier contacts.
 * - A scene restored from a snapshot continues with the same bits as the original.
 * - Queries return existing bodies and change nothing; neither do calls that fail. */
#include "bytes.h"

#include <graze/compare.h>
#include <graze/scene.h>

#include <stdio.h>
#include <stdlib.h>

#include "scene/snapshot_bytes.h"

enum { BODIES = 12, CALLS = 48, CONTACTS = 6, HEAD = 24, LENGTH_AT = 16, END = 8 };

/* Bodies by slot, their contacts, and the memory of their shapes. */
typedef struct world {
  graze_scene *scene;
  graze_cast_function cast; /* not in snapshots */
  int dim, added;
  graze_vec vertices[BODIES][MAX_VERTICES];
  double radius[BODIES];
  graze_body body[BODIES];
  bool in_contact[BODIES][BODIES];
} world;

static world fuzzed;

static void require(bool ok, const char *what, int number) {
  if (ok) return;
  fprintf(stderr, "FAILED: %s (%d)\n", what, number);
  abort();
}

/* ---- Snapshots */

static unsigned char *save(const graze_scene *scene, size_t *size) {
  const size_t capacity = graze_scene_snapshot_size(scene);
  unsigned char *bytes = malloc(capacity);
  require(bytes != NULL && graze_scene_save(scene, bytes, capacity, size) == GRAZE_OK && *size == capacity, "saved", 0);
  return bytes;
}

static bool is_snapshot(const graze_scene *scene, const unsigned char *bytes, size_t size) {
  size_t now_size;
  unsigned char *now = save(scene, &now_size);
  const bool same = now_size == size && memcmp(now, bytes, size) == 0;
  free(now);
  return same;
}

/* Repairs the header, the length and the checksum. */
static void repair(unsigned char *bytes, size_t size, const unsigned char *like) {
  if (size < HEAD + END) return;
  memcpy(bytes, like, LENGTH_AT - 4);
  for (size_t i = 0; i < 8; i++) bytes[LENGTH_AT + i] = (unsigned char)((uint64_t)size >> 8 * i);
  const uint64_t sum = grz_checksum(bytes, size - END);
  for (size_t i = 0; i < 8; i++) bytes[size - END + i] = (unsigned char)(sum >> 8 * i);
}

static void try_restore(graze_scene *scene, const unsigned char *bytes, size_t size) {
  size_t kept_size;
  graze_error error;
  unsigned char *kept = save(scene, &kept_size);
  const graze_status status = graze_scene_restore(scene, bytes, size, &error);
  require(status == GRAZE_OK || status == GRAZE_BAD_DATA || status == GRAZE_UNSUPPORTED, "restored or rejected",
          (int)status);
  require(error.status == status && error.what != NULL, "the error has the status", (int)status);
  require(is_snapshot(scene, status == GRAZE_OK ? bytes : kept, status == GRAZE_OK ? size : kept_size),
          "restored, or unchanged", (int)status);
  free(kept);
  for (int i = 0; status == GRAZE_OK && i < 2; i++) (void)graze_scene_step(scene, 0.25, NULL, NULL);
}

/* ---- Calls */

static graze_motion next_motion(bytes *in, int dim) {
  graze_motion motion = {next_vec(in, dim), {0, 0, 0}};
  if (next_byte(in) % 2 == 0) return motion;
  motion.angular = next_vec(in, 3);
  if (dim == 2) motion.angular.x = motion.angular.y = 0;
  return motion;
}

static graze_body_def next_body(bytes *in, world *w, int at) {
  graze_body_def def = graze_default_body();
  const uint8_t head = next_byte(in), more = next_byte(in);
  w->radius[at] = 1;
  def.shape = next_shape(in, w->dim, w->vertices[at], &w->radius[at]);
  def.pose = next_pose(in, w->dim);
  def.type = (graze_body_type)(1 + head % 3);
  def.response = (graze_response)(head >> 2 & 3);
  if (def.type != GRAZE_STATIC && head & 16) def.motion = next_motion(in, w->dim);
  def.sensor = head >> 5 == 7;
  def.category = 1u << (more & 3);
  if (more & 4) def.mask = more >> 3;
  if (head & 32) def.mass = next_size(in);
  if (head & 64) def.bounce = next_size(in) / 4;
  if (head & 128) def.margin = next_size(in);
  return def;
}

static void clear_contacts(world *w, size_t slot) {
  for (size_t i = 0; i < BODIES; i++) w->in_contact[slot][i] = w->in_contact[i][slot] = false;
}

static void call_add(bytes *in, world *w) {
  if (w->added == BODIES) return;
  const graze_body_def def = next_body(in, w, w->added);
  graze_body body;
  if (graze_scene_add(w->scene, &def, &body, NULL) != GRAZE_OK) return;
  require(body.slot < BODIES && body.generation > w->body[body.slot].generation, "a new id", (int)body.slot);
  w->body[body.slot] = body;
  w->added++;
}

static void call_remove(bytes *in, world *w) {
  const size_t slot = next_byte(in) % BODIES;
  const bool there = graze_scene_placed(w->scene, w->body[slot]) != NULL;
  const graze_status status = graze_scene_remove(w->scene, w->body[slot]);
  require(status == (there ? GRAZE_OK : GRAZE_NO_BODY), "removed if it exists", (int)status);
  clear_contacts(w, slot);
}

/* Changes one member of a definition. */
static void change_member(bytes *in, graze_body_def *def) {
  const uint8_t head = next_byte(in), value = next_byte(in);
  switch (head % 10) {
  case 0: def->type = (graze_body_type)(value % 5); break;
  case 1: def->response = (graze_response)(value % 5); break;
  case 2: def->category = value; break;
  case 3: def->mask = value; break;
  case 4: def->sensor = value & 1; break;
  case 5: def->margin = next_number(in); break;
  case 6: def->mass = next_number(in); break;
  case 7: def->bounce = next_number(in); break;
  case 8: def->shape.margin = next_number(in); break;
  default: def->user = (void *)(uintptr_t)value;
  }
}

/* Changes a member, or replaces the whole definition by that of a body that is never added. */
static void call_change(bytes *in, world *w) {
  const uint8_t head = next_byte(in);
  const graze_body body = w->body[head % BODIES];
  graze_body_def def, now;
  graze_error error;
  if (head & 16) (void)graze_scene_set_pose(w->scene, body, next_pose(in, w->dim), NULL);
  const graze_motion motion = next_motion(in, w->dim);
  if (head & 32) (void)graze_scene_set_motion(w->scene, body, &motion, NULL);
  if (head < 64 || graze_scene_get(w->scene, body, &def) != GRAZE_OK) return;
  if (head < 192) {
    change_member(in, &def);
  } else {
    if (w->added == BODIES) return;
    def = next_body(in, w, w->added++);
  }
  const graze_status status = graze_scene_set(w->scene, body, &def, &error);
  require(error.status == status && error.what != NULL, "the error has the status", (int)status);
  require(graze_scene_get(w->scene, body, &now) == GRAZE_OK, "still exists", (int)status);
  if (status != GRAZE_OK) return;
  require(now.type == def.type && now.response == def.response && now.category == def.category &&
              now.mask == def.mask && now.sensor == def.sensor && now.margin == def.margin && now.mass == def.mass &&
              now.bounce == def.bounce && now.shape.kind == def.shape.kind && now.shape.margin == def.shape.margin &&
              now.user == def.user,
          "the definition is set", (int)head);
}

/* ---- Steps */

static bool is_before(const graze_event *p, const graze_event *q) {
  if (p->a.slot != q->a.slot) return p->a.slot < q->a.slot;
  if (p->b.slot != q->b.slot) return p->b.slot < q->b.slot;
  return p->kind < q->kind;
}

static void check_event(world *w, const graze_event *e, double dt) {
  bool *contact = &w->in_contact[e->a.slot][e->b.slot];
  require(graze_scene_placed(w->scene, e->a) != NULL && graze_scene_placed(w->scene, e->b) != NULL, "both bodies exist",
          (int)e->kind);
  require(e->a.slot < e->b.slot, "the lower slot comes first", (int)e->kind);
  require(*contact == (e->kind != GRAZE_EVENT_BEGIN), "consistent with earlier contacts", (int)e->kind);
  *contact = e->kind != GRAZE_EVENT_END;
  require(e->t_lower >= 0 && e->t_lower <= e->t_upper && e->t_upper <= dt, "times in order", (int)e->kind);
}

/* Every earlier contact has an event. */
static void check_step(world *w, const graze_step *step, double dt) {
  bool seen[BODIES][BODIES] = {{false}};
  for (size_t i = 0; i < BODIES; i++)
    for (size_t k = 0; k < BODIES; k++) seen[i][k] = !w->in_contact[i][k];
  for (size_t i = 0; i < step->event_count; i++) {
    const graze_event *e = &step->events[i];
    require(i == 0 || is_before(e - 1, e), "events in order", (int)i);
    check_event(w, e, dt);
    seen[e->a.slot][e->b.slot] = true;
  }
  for (size_t i = 0; i < BODIES; i++)
    for (size_t k = 0; k < BODIES; k++) require(seen[i][k], "every contact has an event", (int)(BODIES * i + k));
}

static graze_status step_scene(world *w, double dt) {
  graze_step step;
  size_t size;
  unsigned char *before = save(w->scene, &size);
  const graze_status status = graze_scene_step(w->scene, dt, &step, NULL);
  const bool good = dt >= 0 && dt <= GRAZE_LARGEST;
  require(status == (good ? GRAZE_OK : GRAZE_BAD_OPTION) || (good && status == GRAZE_BAD_NUMBER), "a step",
          (int)status);
  if (status == GRAZE_OK)
    check_step(w, &step, dt);
  else
    require(is_snapshot(w->scene, before, size), "unchanged", (int)status);
  free(before);
  return status;
}

/* A scene restored from a snapshot makes the same step. */
static void call_twin(world *w, double dt) {
  graze_scene *twin;
  size_t size;
  unsigned char *bytes = save(w->scene, &size);
  graze_scene_def def = graze_default_scene();
  def.cast = w->cast;
  require(graze_scene_create(&def, NULL, &twin, NULL) == GRAZE_OK, "memory", 0);
  graze_status status = graze_scene_restore(twin, bytes, size, NULL);
  require(status == GRAZE_OK || status == GRAZE_UNSUPPORTED, "a saved scene is restored", (int)status);
  free(bytes);
  if (status == GRAZE_OK) {
    status = step_scene(w, dt);
    require(graze_scene_step(twin, dt, NULL, NULL) == status, "the same status", (int)status);
    bytes = save(w->scene, &size);
    require(is_snapshot(twin, bytes, size), "the same scene", (int)status);
    free(bytes);
  }
  graze_scene_destroy(twin);
}

/* Restores the scene after a step, including its contacts. */
static void call_restore(bytes *in, world *w) {
  size_t size;
  const world was = *w;
  unsigned char *bytes = save(w->scene, &size);
  (void)step_scene(w, next_size(in));
  require(graze_scene_restore(w->scene, bytes, size, NULL) == GRAZE_OK, "restored", 0);
  require(is_snapshot(w->scene, bytes, size), "the same snapshot", 0);
  *w = was;
  free(bytes);
}

/* ---- Queries */

static void require_body(const world *w, graze_body body, const char *what) {
  require(graze_scene_placed(w->scene, body) != NULL && body.slot < BODIES, what, (int)body.slot);
}

/* The context of callbacks, which are called once per body. */
typedef struct chooser {
  const world *w;
  graze_body moved;
  uint8_t choice;
  bool called[BODIES];
} chooser;

static unsigned choose(void *context, graze_body body) {
  chooser *c = context;
  require_body(c->w, body, "the body of a callback exists");
  require(!c->called[body.slot], "called once per body", (int)body.slot);
  c->called[body.slot] = true;
  return (unsigned)c->choice + body.slot;
}

static bool accept_some(void *context, graze_body body) { return choose(context, body) % 3 != 0; }

/* For half of the inputs one in six responses is invalid. */
static graze_collision_response respond_some(void *context, graze_body moved, graze_body other) {
  chooser *c = context;
  require(moved.slot == c->moved.slot && moved.generation == c->moved.generation, "the moved body", (int)moved.slot);
  require(moved.slot != other.slot, "another one", (int)other.slot);
  return c->choice >= 128 ? (graze_collision_response)(choose(c, other) % 6)
                          : (graze_collision_response)(choose(c, other) % 5);
}

static graze_filter next_filter(bytes *in, const world *w, chooser *c) {
  const uint8_t head = next_byte(in);
  graze_filter filter = graze_default_filter();
  *c = (chooser){.w = w, .choice = head};
  filter.category = 1u << (head & 3);
  filter.sensors = head & 4;
  if (head & 8) filter.mask = head >> 4;
  if (head & 16) filter.except = w->body[(head >> 4) % BODIES];
  if (head & 32) filter.accept = accept_some, filter.context = c;
  return filter;
}

static bool is_counted(graze_status status, size_t count, size_t capacity) {
  if (status == GRAZE_NO_SPACE) return count > capacity && count <= BODIES;
  return status != GRAZE_OK || count <= capacity;
}

static void query_bodies(bytes *in, const world *w, const graze_placed *placed, const graze_filter *filter) {
  graze_body found[BODIES];
  const size_t capacity = next_byte(in) % (BODIES + 1);
  const graze_aabb box = {next_vec(in, w->dim), next_vec(in, w->dim)};
  for (int i = 0; i < 2; i++) {
    size_t count = 0;
    if (filter->accept != NULL) memset(((chooser *)filter->context)->called, 0, sizeof(bool[BODIES]));
    const graze_status status = i == 0 ? graze_scene_overlap(w->scene, placed, filter, found, capacity, &count, NULL)
                                       : graze_scene_in_box(w->scene, &box, filter, found, capacity, &count, NULL);
    require(is_counted(status, count, capacity), "the count of bodies", (int)status);
    for (size_t k = 0; status == GRAZE_OK && k < count; k++) {
      require_body(w, found[k], "a body of the result exists");
      require(k == 0 || found[k - 1].slot < found[k].slot, "in the order of slots", (int)k);
    }
  }
}

static void query_neighbors(bytes *in, const world *w, const graze_placed *placed, const graze_filter *filter) {
  graze_neighbor found[BODIES];
  const size_t capacity = next_byte(in) % (BODIES + 1);
  const double within = next_byte(in) & 1 ? INFINITY : next_number(in);
  for (int i = 0; i < 3; i++) {
    size_t count = 0;
    if (filter->accept != NULL) memset(((chooser *)filter->context)->called, 0, sizeof(bool[BODIES]));
    const graze_status status =
        i == 0   ? graze_scene_within(w->scene, placed, within, filter, found, capacity, &count, NULL)
        : i == 1 ? graze_scene_nearest(w->scene, placed, within, filter, found, capacity, &count, NULL)
                 : graze_scene_closest_pairs(w->scene, within, found, capacity, &count, NULL);
    require(is_counted(status, count, capacity), "the count of neighbors", (int)status);
    for (size_t k = 0; status == GRAZE_OK && k < count; k++) {
      require_body(w, found[k].b, "a neighbor exists");
      if (i == 2) require_body(w, found[k].a, "the other body exists");
      require(i == 0 || k == 0 || found[k - 1].answer.distance <= found[k].answer.distance, "in the order of distances",
              (int)k);
      require(found[k].answer.lower <= within, "within the distance", (int)k);
    }
  }
}

static void query_casts(bytes *in, const world *w, const graze_placed *placed, const graze_filter *filter) {
  const graze_motion motion = next_motion(in, w->dim);
  const graze_vec origin = next_vec(in, w->dim), direction = next_vec(in, w->dim);
  const double t_max = next_number(in);
  for (int i = 0; i < 2; i++) {
    graze_body body = {0, 0};
    graze_cast_result cast = {.t_lower = -1};
    if (filter->accept != NULL) memset(((chooser *)filter->context)->called, 0, sizeof(bool[BODIES]));
    const graze_status status =
        i == 0 ? graze_scene_cast(w->scene, placed, &motion, t_max, filter, &body, &cast, NULL)
               : graze_scene_raycast(w->scene, origin, direction, t_max, filter, &body, &cast, NULL);
    if (status != GRAZE_OK || body.generation == 0) continue;
    require_body(w, body, "the body that is hit exists");
    require(cast.outcome != GRAZE_CLEAR && cast.t_lower >= 0 && cast.t_lower <= t_max, "the time", (int)cast.outcome);
  }
}

static void query_pairs(bytes *in, const world *w) {
  graze_body_pair pairs[BODIES * BODIES];
  graze_contact contacts[CONTACTS];
  graze_answer answer;
  graze_manifold_options options = graze_default_manifold_options();
  size_t count = 0;
  require(graze_scene_pairs(w->scene, pairs, BODIES * BODIES, &count) == GRAZE_OK, "the buffer holds all pairs",
          (int)count);
  for (size_t i = 0; i < count; i++) {
    require_body(w, pairs[i].a, "the first body of a pair exists");
    require_body(w, pairs[i].b, "the second body of a pair exists");
    require(pairs[i].a.slot < pairs[i].b.slot, "the lower slot comes first", (int)i);
  }
  const uint8_t head = next_byte(in);
  const graze_body a = w->body[(head & 15) % BODIES], b = w->body[(head >> 4) % BODIES];
  const bool there = graze_scene_placed(w->scene, a) != NULL && graze_scene_placed(w->scene, b) != NULL;
  if (next_byte(in) & 1) options.speculative_distance = next_size(in);
  const graze_status status = graze_scene_manifold(w->scene, a, b, &options, &answer, contacts, CONTACTS, &count);
  require((status == GRAZE_NO_BODY) == !there, "contacts of existing bodies", (int)status);
  require(status != GRAZE_OK || count <= CONTACTS, "count <= capacity", (int)count);
}

static void call_query(bytes *in, world *w) {
  graze_vec vertices[MAX_VERTICES];
  double radius = 1;
  chooser chosen;
  size_t size;
  unsigned char *before = save(w->scene, &size);
  const uint8_t head = next_byte(in);
  const graze_filter filter = next_filter(in, w, &chosen);
  const graze_shape shape = next_shape(in, w->dim, vertices, &radius);
  const graze_placed placed = graze_place(&shape, next_pose(in, w->dim));
  switch (head % 4) {
  case 0: query_bodies(in, w, &placed, &filter); break;
  case 1: query_neighbors(in, w, &placed, &filter); break;
  case 2: query_casts(in, w, &placed, &filter); break;
  default: query_pairs(in, w);
  }
  require(is_snapshot(w->scene, before, size), "queries change nothing", head % 4);
  free(before);
}

/* ---- Moves of one body */

static void call_move(bytes *in, world *w) {
  graze_collision collisions[4];
  size_t size, count = 0;
  const uint8_t head = next_byte(in);
  chooser chosen = {.w = w, .choice = next_byte(in), .moved = w->body[head % BODIES]};
  const graze_motion motion = next_motion(in, w->dim);
  unsigned char *before = save(w->scene, &size);
  const graze_status status = graze_scene_move(w->scene, chosen.moved, &motion, head & 64 ? NULL : respond_some,
                                               &chosen, collisions, head & 128 ? 0 : 4, &count, NULL);
  for (size_t i = 0; i < count && i < 4 && (head & 128) == 0; i++) {
    require_body(w, collisions[i].other, "the other body exists");
    require(collisions[i].t >= (i > 0 ? collisions[i - 1].t : 0) && collisions[i].t <= 1, "collisions in order",
            (int)i);
  }
  require(status == GRAZE_OK || is_snapshot(w->scene, before, size), "unchanged after a failed move", (int)status);
  free(before);
}

static void call_any(bytes *in, world *w) {
  switch (next_byte(in) % 12) {
  case 0:
  case 1:
  case 2: call_add(in, w); return;
  case 3: call_remove(in, w); return;
  case 4: call_change(in, w); return;
  case 5: call_twin(w, next_size(in)); return;
  case 6: call_restore(in, w); return;
  case 7:
  case 8: call_move(in, w); return;
  case 9:
  case 10: call_query(in, w); return;
  default: (void)step_scene(w, next_number(in));
  }
}

static void run_calls(bytes *in, world *w) {
  for (int i = 0; i < CALLS && in->size > 0; i++) call_any(in, w);
}

/* ---- Snapshots from bytes */

static void restore_changed(bytes *in, world *w, bool repaired) {
  size_t size;
  run_calls(&(bytes){in->data, in->size < 64 ? in->size : 64, in->numbers}, w);
  unsigned char *from = save(w->scene, &size), *like = save(w->scene, &size);
  in->data += in->size < 64 ? in->size : 64, in->size -= in->size < 64 ? in->size : 64;
  while (in->size > 0) {
    const size_t at = (size_t)(next_byte(in) << 8 | next_byte(in)) % size;
    from[at] = next_byte(in);
  }
  if (repaired) repair(from, size, like);
  try_restore(w->scene, from, size);
  free(from), free(like);
}

static void restore_bytes(bytes *in, world *w, bool repaired) {
  size_t like_size;
  unsigned char *like = save(w->scene, &like_size), *from = malloc(in->size + 1);
  require(from != NULL, "memory", 0);
  memcpy(from, in->data, in->size);
  if (repaired) repair(from, in->size, like);
  try_restore(w->scene, from, in->size);
  free(from), free(like);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes in = {data, size, 0};
  const uint8_t head = next_byte(&in);
  graze_scene_def def = graze_default_scene();
  def.dim = head & 1 ? 2 : 3;
  in.numbers = head >> 1 & 3;
  fuzzed = (world){.dim = def.dim};
  if (head & 8) {
    const int method = next_byte(&in) % 6;
    if (method <= GRAZE_CAST_CA) def.method = (graze_cast_method)method;
    if (method > GRAZE_CAST_CA) def.cast = method == 5 ? graze_compare_sampling : graze_compare_lccd;
  }
  fuzzed.cast = def.cast;
  if (head & 16) def.push_speed = 2;
  if (graze_scene_create(&def, NULL, &fuzzed.scene, NULL) != GRAZE_OK) return 0;
  switch (head >> 6) {
  case 0: restore_bytes(&in, &fuzzed, head & 32); break;
  case 1: restore_changed(&in, &fuzzed, head & 32); break;
  default: run_calls(&in, &fuzzed);
  }
  graze_scene_destroy(fuzzed.scene);
  return 0;
}
