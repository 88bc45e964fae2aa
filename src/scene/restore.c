/* Snapshots, read. A scene is made beside the one that is there, every number judged as graze_scene_add() would; they
 * are exchanged when nothing can fail any more. */
#include "core/memory.h"
#include "scene/checksum.h"
#include "scene/snapshot_bytes.h"

typedef struct restore_run {
  graze_scene *scene; /* as it is */
  graze_scene made;   /* as it will be: its bodies, tree and contacts */
  size_t free_count;  /* slots that may be used again */
  grz_snap_source in;
  graze_error error;
} restore_run;

static graze_status restore_fault(restore_run *r, graze_status status, const char *what, size_t index, double value) {
  r->error = (graze_error){status, what, (ptrdiff_t)index, value};
  return status;
}

static graze_status restore_bad(restore_run *r, const char *what, double value) {
  r->error = (graze_error){GRAZE_BAD_DATA, what, -1, value};
  return GRAZE_BAD_DATA;
}

/* ---- The parts, in their order */

static graze_status restore_head(restore_run *r, const unsigned char *bytes, size_t size) {
  if (bytes == NULL || size < 8 || memcmp(bytes, GRZ_SNAP_MAGIC, 8) != 0) return restore_bad(r, "magic", 0);
  if (size < GRZ_SNAP_HEAD + GRZ_SNAP_END) return restore_bad(r, "length", (double)size);
  r->in = (grz_snap_source){.from = bytes, .at = 8, .end = size - GRZ_SNAP_END};
  const uint32_t version = grz_snap_get4(&r->in);
  r->made.def.dim = (int)(int32_t)grz_snap_get4(&r->in);
  if (version != GRZ_SNAP_VERSION) return restore_bad(r, "version", version);
  const uint64_t length = grz_snap_get8(&r->in);
  if (length != size) return restore_bad(r, "length", (double)length);
  if (grz_snap_load(bytes + r->in.end, 8) != grz_checksum(bytes, r->in.end)) return restore_bad(r, "checksum", 0);
  return GRAZE_OK;
}

static graze_status restore_definition(restore_run *r) {
  graze_scene_def *def = &r->made.def;
  def->method = (graze_method)grz_snap_get4(&r->in);
  def->samples = (int)(int32_t)grz_snap_get4(&r->in);
  def->skin = grz_snap_get_real(&r->in);
  def->push_speed = grz_snap_get_real(&r->in);
  return grz_scene_def_is_good(def) ? GRAZE_OK : restore_bad(r, "definition", 0);
}

/* All but the shape; *flags are not judged. */
static void restore_numbers(grz_snap_source *s, graze_body_def *def, uint32_t *flags) {
  def->response = (graze_response)grz_snap_get4(s);
  *flags = grz_snap_get4(s);
  def->sensor = (*flags & GRZ_SNAP_SENSOR) != 0;
  def->user = (void *)(uintptr_t)grz_snap_get8(s);
  def->category = grz_snap_get8(s);
  def->mask = grz_snap_get8(s);
  def->margin = grz_snap_get_real(s);
  def->mass = grz_snap_get_real(s);
  def->bounce = grz_snap_get_real(s);
  def->pose.position = grz_snap_get_vec(s);
  def->pose.w = grz_snap_get_real(s), def->pose.x = grz_snap_get_real(s);
  def->pose.y = grz_snap_get_real(s), def->pose.z = grz_snap_get_real(s);
  def->motion.velocity = grz_snap_get_vec(s);
  def->motion.angular = grz_snap_get_vec(s);
}

/* The body in a slot of which the type and the generation are known. */
static graze_status restore_body(restore_run *r, size_t slot, graze_body_type type) {
  scene_body *b = &r->made.body[slot];
  const scene_body *own = grz_scene_find(r->scene, (graze_body){(uint32_t)slot, b->generation});
  const grz_snap_places places = {own != NULL ? &own->placed.shape : NULL, &r->scene->owned, &r->made.owned,
                                  &r->made.allocator};
  graze_body_def def = {.type = type};
  graze_placed placed;
  uint32_t flags;
  restore_numbers(&r->in, &def, &flags);
  const graze_status status = grz_snap_get_shape(&r->in, r->made.def.dim, &places, &def.shape);
  if (status != GRAZE_OK)
    return restore_fault(r, status, status == GRAZE_OUT_OF_MEMORY ? "vertices" : "shape", slot, 0);
  if (flags > GRZ_SNAP_FLAGS) return restore_fault(r, GRAZE_BAD_DATA, "flags", slot, flags);
  graze_error error;
  if (grz_scene_validate(r->made.def.dim, &def, &placed, &error) != GRAZE_OK)
    return restore_fault(r, GRAZE_BAD_DATA, error.what, slot, error.value);
  grz_scene_take(&r->made, slot, &def, &placed);
  scene_states(&r->made)[slot].fresh = (flags & GRZ_SNAP_FRESH) != 0;
  return GRAZE_OK;
}

static graze_status restore_slot(restore_run *r, size_t slot) {
  const uint32_t generation = grz_snap_get4(&r->in), type = grz_snap_get4(&r->in);
  r->made.body[slot] = (scene_body){.generation = generation, .next = SCENE_NOWHERE};
  if (generation == 0 && !r->in.ended) return restore_fault(r, GRAZE_BAD_DATA, "generation", slot, 0);
  if (type != 0) return restore_body(r, slot, (graze_body_type)type);
  for (size_t i = GRZ_SNAP_SLOT_HEAD; i < GRZ_SNAP_SLOT; i += 8)
    if (grz_snap_get8(&r->in) != 0) return restore_fault(r, GRAZE_BAD_DATA, "free slot", slot, 0);
  if (r->in.ended) return restore_fault(r, GRAZE_BAD_DATA, "bodies", slot, 0);
  r->free_count += generation != UINT32_MAX;
  return GRAZE_OK;
}

static graze_status restore_reserve(restore_run *r, size_t slots) {
  graze_scene *made = &r->made;
  if (slots == 0) return GRAZE_OK;
  made->body = grz_allocate(&made->allocator, slots, sizeof *made->body);
  if (made->body == NULL || !grz_scene_brief_reserve(made, slots) || !grz_bvh_reserve(&made->broad, slots))
    return restore_fault(r, GRAZE_OUT_OF_MEMORY, "bodies", slots, 0);
  made->capacity = slots;
  return GRAZE_OK;
}

static graze_status restore_slots(restore_run *r, size_t slots) {
  if (slots > grz_snap_left(&r->in) / GRZ_SNAP_SLOT || slots > INT32_MAX / 2)
    return restore_bad(r, "bodies", (double)slots);
  graze_status status = restore_reserve(r, slots);
  for (; r->made.slots < slots && status == GRAZE_OK; r->made.slots++) status = restore_slot(r, r->made.slots);
  return status;
}

/* Links all slots that may be used again, each once. */
static graze_status restore_free_list(restore_run *r, size_t count) {
  graze_scene *made = &r->made;
  uint32_t *link = &made->free_slot;
  for (size_t i = 0; i < count; i++) {
    const uint32_t slot = grz_snap_get4(&r->in);
    scene_body *b = slot < made->slots && !r->in.ended ? &made->body[slot] : NULL;
    if (b == NULL || b->type != 0 || b->generation == UINT32_MAX || b->next != SCENE_NOWHERE)
      return restore_fault(r, GRAZE_BAD_DATA, "free list", i, slot);
    *link = slot;
    link = &b->next;
    *link = (uint32_t)made->slots;
  }
  *link = (uint32_t)made->slots;
  return count == r->free_count ? GRAZE_OK : restore_bad(r, "free list", (double)count);
}

static bool restore_is_there(const graze_scene *made, uint32_t slot) {
  return slot < made->slots && made->body[slot].type != 0;
}

/* Sorted, each once. */
static graze_status restore_contacts(restore_run *r, uint64_t count) {
  graze_scene *made = &r->made;
  if (count != grz_snap_left(&r->in) / GRZ_SNAP_CONTACT || grz_snap_left(&r->in) % GRZ_SNAP_CONTACT != 0)
    return restore_bad(r, "contacts", (double)count);
  if (count == 0) return GRAZE_OK;
  made->contact = grz_allocate(&made->allocator, (size_t)count, sizeof *made->contact);
  if (made->contact == NULL) return restore_fault(r, GRAZE_OUT_OF_MEMORY, "contacts", (size_t)count, 0);
  made->contact_capacity = (size_t)count;
  for (size_t i = 0; i < count; i++) {
    const uint32_t low = grz_snap_get4(&r->in), high = grz_snap_get4(&r->in);
    const scene_contact *before = i > 0 ? &made->contact[i - 1] : NULL;
    const bool sorted = before == NULL || before->low < low || (before->low == low && before->high < high);
    if (!sorted || low >= high || !restore_is_there(made, low) || !restore_is_there(made, high))
      return restore_fault(r, GRAZE_BAD_DATA, "contacts", i, low >= high || !restore_is_there(made, high) ? high : low);
    made->contact[i] = (scene_contact){low, high};
    made->contact_count++;
  }
  return GRAZE_OK;
}

static graze_status restore_all(restore_run *r, const unsigned char *bytes, size_t size) {
  graze_status status = restore_head(r, bytes, size);
  if (status == GRAZE_OK) status = restore_definition(r);
  if (status != GRAZE_OK) return status;
  const uint32_t slots = grz_snap_get4(&r->in), unused = grz_snap_get4(&r->in);
  const uint64_t contacts = grz_snap_get8(&r->in);
  grz_bvh_make(&r->made.broad, r->made.def.dim, &r->made.allocator);
  status = restore_slots(r, slots);
  if (status == GRAZE_OK) status = restore_free_list(r, unused);
  return status == GRAZE_OK ? restore_contacts(r, contacts) : status;
}

/* ---- Exchange */

/* Gives back what bodies, tree and contacts of a scene stand in. */
static void restore_release(graze_scene *of) {
  grz_scene_brief_free(of);
  grz_bvh_free(&of->broad);
  grz_release(&of->allocator, of->contact);
  grz_release(&of->allocator, of->body);
}

/* There is room for all lists. */
static void restore_exchange(graze_scene *scene, graze_scene *made) {
  restore_release(scene);
  grz_owned_take(&scene->owned, &made->owned, &scene->allocator);
  scene->def = made->def;
  scene->body = made->body;
  scene->slots = made->slots, scene->capacity = made->capacity;
  scene->free_slot = made->free_slot;
  scene->broad = made->broad;
  scene->briefs = made->briefs, scene->states = made->states;
  scene->generations = made->generations;
  scene->boxes = made->boxes, scene->bounds = made->bounds;
  scene->contact = made->contact;
  scene->forgets = false;
  scene->contact_count = made->contact_count, scene->contact_capacity = made->contact_capacity;
}

graze_status graze_scene_restore(graze_scene *scene, const void *bytes, size_t size, graze_error *error) {
  restore_run r = {.scene = scene, .error = {GRAZE_OK, "", -1, 0}};
  r.made.allocator = scene->allocator;
  grz_bvh_make(&r.made.broad, scene->def.dim, &scene->allocator);
  graze_status status = restore_all(&r, bytes, size);
  const size_t lists = scene->owned.count + r.made.owned.count;
  if (status == GRAZE_OK && !grz_owned_reserve(&scene->owned, lists, &scene->allocator))
    status = restore_fault(&r, GRAZE_OUT_OF_MEMORY, "vertices", lists, 0);
  if (status == GRAZE_OK) {
    restore_exchange(scene, &r.made);
  } else {
    restore_release(&r.made);
    grz_owned_free(&r.made.owned, &scene->allocator);
  }
  if (error != NULL) *error = r.error;
  return status;
}
