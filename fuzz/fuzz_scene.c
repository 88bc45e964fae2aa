/* Scenes. By the first byte: bytes as a snapshot; a snapshot with some of its bytes changed; a program of calls. The
 * checksum is mended where a bit says so. What is restored is written as it was read; events are in order and agree
 * with the contacts that there were; a scene restored from a snapshot goes on to the last bit as the one that was
 * saved; what is asked names bodies that are there, and changes nothing; what is refused changes nothing either. */
#include "bytes.h"

#include <graze/scene.h>

#include <stdio.h>
#include <stdlib.h>

#include "scene/checksum.h"

enum { BODIES = 12, CALLS = 48, CONTACTS = 6, HEAD = 24, LENGTH_AT = 16, END = 8 };

/* Bodies by slot, their contacts, and what their shapes point to. */
typedef struct world {
  graze_scene *scene;
  int dim, added;
  graze_vec room[BODIES][MOST_VERTICES];
  double radius[BODIES];
  graze_body body[BODIES];
  bool met[BODIES][BODIES];
} world;

static world fuzzed;

static void must(bool ok, const char *what, int number) {
  if (ok) return;
  fprintf(stderr, "NOT SO: %s (%d)\n", what, number);
  abort();
}

/* ---- Snapshots */

static unsigned char *save(const graze_scene *scene, size_t *size) {
  const size_t room = graze_scene_snapshot_size(scene);
  unsigned char *bytes = malloc(room);
  must(bytes != NULL && graze_scene_save(scene, bytes, room, size) == GRAZE_OK && *size == room, "it is saved", 0);
  return bytes;
}

static bool is_snapshot(const graze_scene *scene, const unsigned char *bytes, size_t size) {
  size_t now_size;
  unsigned char *now = save(scene, &now_size);
  const bool same = now_size == size && memcmp(now, bytes, size) == 0;
  free(now);
  return same;
}

/* Beginning, length and checksum become right. */
static void mend(unsigned char *bytes, size_t size, const unsigned char *like) {
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
  must(status == GRAZE_OK || status == GRAZE_BAD_DATA || status == GRAZE_UNSUPPORTED, "restored or refused",
       (int)status);
  must(error.status == status && error.what != NULL, "the error says it", (int)status);
  must(is_snapshot(scene, status == GRAZE_OK ? bytes : kept, status == GRAZE_OK ? size : kept_size),
       "as it was read, or as it was", (int)status);
  free(kept);
  for (int i = 0; status == GRAZE_OK && i < 2; i++) (void)graze_scene_step(scene, 0.25, NULL);
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
  def.shape = next_shape(in, w->dim, w->room[at], &w->radius[at]);
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

static void forget(world *w, size_t slot) {
  for (size_t i = 0; i < BODIES; i++) w->met[slot][i] = w->met[i][slot] = false;
}

static void call_add(bytes *in, world *w) {
  if (w->added == BODIES) return;
  const graze_body_def def = next_body(in, w, w->added);
  graze_body body;
  if (graze_scene_add(w->scene, &def, &body, NULL) != GRAZE_OK) return;
  must(body.slot < BODIES && body.generation > w->body[body.slot].generation, "a new id", (int)body.slot);
  w->body[body.slot] = body;
  w->added++;
}

static void call_remove(bytes *in, world *w) {
  const size_t slot = next_byte(in) % BODIES;
  const bool there = graze_scene_placed(w->scene, w->body[slot]) != NULL;
  const graze_status status = graze_scene_remove(w->scene, w->body[slot]);
  must(status == (there ? GRAZE_OK : GRAZE_NO_BODY), "removed if it was there", (int)status);
  forget(w, slot);
}

/* Another member of what it is. */
static void next_member(bytes *in, graze_body_def *def) {
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

/* Its vertices, wherever they are, stay; or all of it becomes another body, with those of one that was never added. */
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
    next_member(in, &def);
  } else {
    if (w->added == BODIES) return;
    def = next_body(in, w, w->added++);
  }
  const graze_status status = graze_scene_set(w->scene, body, &def, &error);
  must(error.status == status && error.what != NULL, "the error says it", (int)status);
  must(graze_scene_get(w->scene, body, &now) == GRAZE_OK, "it is still there", (int)status);
  if (status != GRAZE_OK) return;
  must(now.type == def.type && now.response == def.response && now.category == def.category && now.mask == def.mask &&
           now.sensor == def.sensor && now.margin == def.margin && now.mass == def.mass && now.bounce == def.bounce &&
           now.shape.kind == def.shape.kind && now.shape.margin == def.shape.margin && now.user == def.user,
       "it is what it was told to be", (int)head);
}

/* ---- Steps */

static bool is_before(const graze_event *p, const graze_event *q) {
  if (p->a.slot != q->a.slot) return p->a.slot < q->a.slot;
  if (p->b.slot != q->b.slot) return p->b.slot < q->b.slot;
  return p->kind < q->kind;
}

static void check_event(world *w, const graze_event *e, double dt) {
  bool *met = &w->met[e->a.slot][e->b.slot];
  must(graze_scene_placed(w->scene, e->a) != NULL && graze_scene_placed(w->scene, e->b) != NULL, "both are there",
       (int)e->kind);
  must(e->a.slot < e->b.slot, "the lower slot first", (int)e->kind);
  must(*met == (e->kind != GRAZE_EVENT_BEGIN), "as there was a contact", (int)e->kind);
  *met = e->kind != GRAZE_EVENT_END;
  must(e->t_lower >= 0 && e->t_lower <= e->t_upper && e->t_upper <= dt, "times in order", (int)e->kind);
}

/* Of contacts that there were, each has an event. */
static void check_step(world *w, const graze_step *step, double dt) {
  bool seen[BODIES][BODIES] = {{false}};
  for (size_t i = 0; i < BODIES; i++)
    for (size_t k = 0; k < BODIES; k++) seen[i][k] = !w->met[i][k];
  for (size_t i = 0; i < step->event_count; i++) {
    const graze_event *e = &step->events[i];
    must(i == 0 || is_before(e - 1, e), "events in order", (int)i);
    check_event(w, e, dt);
    seen[e->a.slot][e->b.slot] = true;
  }
  for (size_t i = 0; i < BODIES; i++)
    for (size_t k = 0; k < BODIES; k++) must(seen[i][k], "no contact is forgotten", (int)(BODIES * i + k));
}

static graze_status step_scene(world *w, double dt) {
  graze_step step;
  size_t size;
  unsigned char *before = save(w->scene, &size);
  const graze_status status = graze_scene_step(w->scene, dt, &step);
  const bool good = dt >= 0 && dt <= GRAZE_LARGEST;
  must(status == (good ? GRAZE_OK : GRAZE_BAD_OPTION) || (good && status == GRAZE_BAD_NUMBER), "a step", (int)status);
  if (status == GRAZE_OK)
    check_step(w, &step, dt);
  else
    must(is_snapshot(w->scene, before, size), "nothing has changed", (int)status);
  free(before);
  return status;
}

/* A scene made of its snapshot does the same. */
static void call_twin(world *w, double dt) {
  graze_scene *twin;
  size_t size;
  unsigned char *bytes = save(w->scene, &size);
  must(graze_scene_create(NULL, NULL, &twin, NULL) == GRAZE_OK, "memory", 0);
  graze_status status = graze_scene_restore(twin, bytes, size, NULL);
  must(status == GRAZE_OK || status == GRAZE_UNSUPPORTED, "what was saved is restored", (int)status);
  free(bytes);
  if (status == GRAZE_OK) {
    status = step_scene(w, dt);
    must(graze_scene_step(twin, dt, NULL) == status, "the same status", (int)status);
    bytes = save(w->scene, &size);
    must(is_snapshot(twin, bytes, size), "the same scene", (int)status);
    free(bytes);
  }
  graze_scene_destroy(twin);
}

/* Back to where it was after some changes: contacts, too. */
static void call_back(bytes *in, world *w) {
  size_t size;
  const world was = *w;
  unsigned char *bytes = save(w->scene, &size);
  (void)step_scene(w, next_size(in));
  must(graze_scene_restore(w->scene, bytes, size, NULL) == GRAZE_OK, "back again", 0);
  must(is_snapshot(w->scene, bytes, size), "as it was", 0);
  *w = was;
  free(bytes);
}

/* ---- Questions */

static void must_be_there(const world *w, graze_body body, const char *what) {
  must(graze_scene_placed(w->scene, body) != NULL && body.slot < BODIES, what, (int)body.slot);
}

/* Asked once for every body: who is let in, or what is done about it. */
typedef struct chooser {
  const world *w;
  graze_body moved;
  uint8_t way;
  bool asked[BODIES];
} chooser;

static unsigned choose(void *context, graze_body body) {
  chooser *c = context;
  must_be_there(c->w, body, "what is chosen from");
  must(!c->asked[body.slot], "asked once", (int)body.slot);
  c->asked[body.slot] = true;
  return (unsigned)c->way + body.slot;
}

static bool accept_some(void *context, graze_body body) { return choose(context, body) % 3 != 0; }

/* In one case of 6 what is no crossing. */
static graze_collision_response cross_some(void *context, graze_body moved, graze_body other) {
  chooser *c = context;
  must(moved.slot == c->moved.slot && moved.generation == c->moved.generation, "the one that moves", (int)moved.slot);
  must(moved.slot != other.slot, "another one", (int)other.slot);
  return c->way >= 128 ? (graze_collision_response)(choose(c, other) % 6)
                       : (graze_collision_response)(choose(c, other) % 5);
}

static graze_filter next_filter(bytes *in, const world *w, chooser *c) {
  const uint8_t head = next_byte(in);
  graze_filter filter = graze_default_filter();
  *c = (chooser){.w = w, .way = head};
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

static void ask_bodies(bytes *in, const world *w, const graze_placed *placed, const graze_filter *filter) {
  graze_body found[BODIES];
  const size_t capacity = next_byte(in) % (BODIES + 1);
  const graze_aabb box = {next_vec(in, w->dim), next_vec(in, w->dim)};
  for (int i = 0; i < 2; i++) {
    size_t count = 0;
    if (filter->accept != NULL) memset(((chooser *)filter->context)->asked, 0, sizeof(bool[BODIES]));
    const graze_status status = i == 0 ? graze_scene_overlap(w->scene, placed, filter, found, capacity, &count)
                                       : graze_scene_in_box(w->scene, &box, filter, found, capacity, &count);
    must(is_counted(status, count, capacity), "so many bodies", (int)status);
    for (size_t k = 0; status == GRAZE_OK && k < count; k++) {
      must_be_there(w, found[k], "who meets it");
      must(k == 0 || found[k - 1].slot < found[k].slot, "by slots", (int)k);
    }
  }
}

static void ask_near(bytes *in, const world *w, const graze_placed *placed, const graze_filter *filter) {
  graze_neighbor found[BODIES];
  const size_t capacity = next_byte(in) % (BODIES + 1);
  const double within = next_byte(in) & 1 ? INFINITY : next_number(in);
  for (int i = 0; i < 3; i++) {
    size_t count = 0;
    if (filter->accept != NULL) memset(((chooser *)filter->context)->asked, 0, sizeof(bool[BODIES]));
    const graze_status status = i == 0 ? graze_scene_within(w->scene, placed, within, filter, found, capacity, &count)
                                : i == 1
                                    ? graze_scene_nearest(w->scene, placed, within, filter, found, capacity, &count)
                                    : graze_scene_closest_pairs(w->scene, within, found, capacity, &count);
    must(is_counted(status, count, capacity), "so many near ones", (int)status);
    for (size_t k = 0; status == GRAZE_OK && k < count; k++) {
      must_be_there(w, found[k].b, "who is near");
      if (i == 2) must_be_there(w, found[k].a, "who is near, too");
      must(i == 0 || k == 0 || found[k - 1].answer.distance <= found[k].answer.distance, "the nearest first", (int)k);
      must(found[k].answer.lower <= within, "near enough", (int)k);
    }
  }
}

static void ask_ways(bytes *in, const world *w, const graze_placed *placed, const graze_filter *filter) {
  const graze_motion motion = next_motion(in, w->dim);
  const graze_vec origin = next_vec(in, w->dim), way = next_vec(in, w->dim);
  const double t_max = next_number(in);
  for (int i = 0; i < 2; i++) {
    graze_body body = {0, 0};
    graze_cast_result impact = {.t_lower = -1};
    if (filter->accept != NULL) memset(((chooser *)filter->context)->asked, 0, sizeof(bool[BODIES]));
    const graze_status status = i == 0 ? graze_scene_cast(w->scene, placed, &motion, t_max, filter, &body, &impact)
                                       : graze_scene_raycast(w->scene, origin, way, t_max, filter, &body, &impact);
    if (status != GRAZE_OK || body.generation == 0) continue;
    must_be_there(w, body, "who is met");
    must(impact.result != GRAZE_CLEAR && impact.t_lower >= 0 && impact.t_lower <= t_max, "when", (int)impact.result);
  }
}

static void ask_pairs(bytes *in, const world *w) {
  graze_body_pair pairs[BODIES * BODIES];
  graze_contact contacts[CONTACTS];
  graze_answer answer;
  graze_options options = graze_default_options();
  size_t count = 0;
  must(graze_scene_pairs(w->scene, pairs, BODIES * BODIES, &count) == GRAZE_OK, "there is room for pairs", (int)count);
  for (size_t i = 0; i < count; i++) {
    must_be_there(w, pairs[i].a, "the first of a pair");
    must_be_there(w, pairs[i].b, "the second of a pair");
    must(pairs[i].a.slot < pairs[i].b.slot, "the lower slot first", (int)i);
  }
  const uint8_t head = next_byte(in);
  const graze_body a = w->body[(head & 15) % BODIES], b = w->body[(head >> 4) % BODIES];
  const bool there = graze_scene_placed(w->scene, a) != NULL && graze_scene_placed(w->scene, b) != NULL;
  if (next_byte(in) & 1) options.max_distance = next_size(in);
  const graze_status status = graze_scene_manifold(w->scene, a, b, &options, &answer, contacts, CONTACTS, &count);
  must((status == GRAZE_NO_BODY) == !there, "contacts of who is there", (int)status);
  must(status != GRAZE_OK || count <= CONTACTS, "so many contacts", (int)count);
}

static void call_ask(bytes *in, world *w) {
  graze_vec room[MOST_VERTICES];
  double radius = 1;
  chooser chosen;
  size_t size;
  unsigned char *before = save(w->scene, &size);
  const uint8_t head = next_byte(in);
  const graze_filter filter = next_filter(in, w, &chosen);
  const graze_shape shape = next_shape(in, w->dim, room, &radius);
  const graze_placed placed = graze_place(&shape, next_pose(in, w->dim));
  switch (head % 4) {
  case 0: ask_bodies(in, w, &placed, &filter); break;
  case 1: ask_near(in, w, &placed, &filter); break;
  case 2: ask_ways(in, w, &placed, &filter); break;
  default: ask_pairs(in, w);
  }
  must(is_snapshot(w->scene, before, size), "questions change nothing", head % 4);
  free(before);
}

/* ---- One body */

static void call_move(bytes *in, world *w) {
  graze_collision met[4];
  size_t size, count = 0;
  const uint8_t head = next_byte(in);
  chooser chosen = {.w = w, .way = next_byte(in), .moved = w->body[head % BODIES]};
  const graze_motion motion = next_motion(in, w->dim);
  unsigned char *before = save(w->scene, &size);
  const graze_status status = graze_scene_move(w->scene, chosen.moved, &motion, head & 64 ? NULL : cross_some, &chosen,
                                               met, head & 128 ? 0 : 4, &count);
  for (size_t i = 0; i < count && i < 4 && (head & 128) == 0; i++) {
    must_be_there(w, met[i].other, "who is met on the way");
    must(met[i].t >= (i > 0 ? met[i - 1].t : 0) && met[i].t <= 1, "meetings in order", (int)i);
  }
  must(status == GRAZE_OK || is_snapshot(w->scene, before, size), "nothing was moved", (int)status);
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
  case 6: call_back(in, w); return;
  case 7:
  case 8: call_move(in, w); return;
  case 9:
  case 10: call_ask(in, w); return;
  default: (void)step_scene(w, next_number(in));
  }
}

static void run_calls(bytes *in, world *w) {
  for (int i = 0; i < CALLS && in->size > 0; i++) call_any(in, w);
}

/* ---- Snapshots out of bytes */

static void patch(bytes *in, world *w, bool mended) {
  size_t size;
  run_calls(&(bytes){in->data, in->size < 64 ? in->size : 64, in->numbers}, w);
  unsigned char *from = save(w->scene, &size), *like = save(w->scene, &size);
  in->data += in->size < 64 ? in->size : 64, in->size -= in->size < 64 ? in->size : 64;
  while (in->size > 0) {
    const size_t at = (size_t)(next_byte(in) << 8 | next_byte(in)) % size;
    from[at] = next_byte(in);
  }
  if (mended) mend(from, size, like);
  try_restore(w->scene, from, size);
  free(from), free(like);
}

static void read_all(bytes *in, world *w, bool mended) {
  size_t like_size;
  unsigned char *like = save(w->scene, &like_size), *from = malloc(in->size + 1);
  must(from != NULL, "memory", 0);
  memcpy(from, in->data, in->size);
  if (mended) mend(from, in->size, like);
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
  if (head & 8) def.method = (graze_method)(GRAZE_METHOD_FCCD + next_byte(&in) % 5);
  if (head & 16) def.push_speed = 2;
  if (graze_scene_create(&def, NULL, &fuzzed.scene, NULL) != GRAZE_OK) return 0;
  switch (head >> 6) {
  case 0: read_all(&in, &fuzzed, head & 32); break;
  case 1: patch(&in, &fuzzed, head & 32); break;
  default: run_calls(&in, &fuzzed);
  }
  graze_scene_destroy(fuzzed.scene);
  return 0;
}
