/* Writing and restoring of snapshots.
 *
 * Restoring builds a second store and validates every number as graze_scene_add() does. Then it exchanges the
 * stores, which cannot fail. Decisions: docs/decisions/snapshots.md. */
#include "scene/store.h"
#include "scene/snapshot_bytes.h"

#include "core/status.h"
#include "core/memory.h"

/* ---- Writing. The first walk counts the bytes, the second writes them. */

static void snapshot_write_body(grz_snap_sink *s, const graze_scene *scene, size_t slot) {
  const scene_record *b = &scene_records(scene)[slot];
  const scene_filter *filter = &scene_filters(scene)[slot];
  const graze_pose *pose = &b->placed.pose;
  const bool fresh = scene_flags_of(scene)[slot].fresh;
  grz_snap_write4(s, (uint32_t)b->response);
  grz_snap_write4(s, (filter->sensor ? GRZ_SNAP_SENSOR : 0u) | (fresh ? GRZ_SNAP_FRESH : 0u));
  grz_snap_write8(s, (uint64_t)(uintptr_t)b->user);
  grz_snap_write8(s, filter->category);
  grz_snap_write8(s, filter->mask);
  grz_snap_write_real(s, b->margin);
  grz_snap_write_real(s, b->mass);
  grz_snap_write_real(s, b->bounce);
  grz_snap_write_vec(s, pose->position);
  grz_snap_write_real(s, pose->w), grz_snap_write_real(s, pose->x);
  grz_snap_write_real(s, pose->y), grz_snap_write_real(s, pose->z);
  grz_snap_write_vec(s, b->motion.velocity);
  grz_snap_write_vec(s, b->motion.angular);
  grz_snap_write_shape(s, &b->placed.shape);
}

/* Writes everything except the checksum. */
static void snapshot_write(grz_snap_sink *s, const graze_scene *scene, size_t size) {
  const scene_store *store = &scene->store;
  const scene_record *records = scene_records(scene);
  const scene_contact *contact = scene_contacts(scene);
  uint32_t free_slots = 0;
  uint64_t contacts = store->contact_count;
  for (uint32_t at = store->free_slot; at < store->slots; at = records[at].next_free) free_slots++;
  if (store->has_void_contacts) {
    contacts = 0;
    for (size_t i = 0; i < store->contact_count; i++) contacts += scene_is_contact(scene, contact[i]);
  }
  for (size_t i = 0; i < 8; i++) grz_snap_write(s, (unsigned char)GRZ_SNAP_MAGIC[i], 1);
  grz_snap_write4(s, GRZ_SNAP_VERSION);
  grz_snap_write4(s, (uint32_t)scene->def.dim);
  grz_snap_write8(s, size);
  grz_snap_write4(s, (uint32_t)scene->def.method);
  grz_snap_write4(s, 0);
  grz_snap_write_real(s, scene->def.skin);
  grz_snap_write_real(s, scene->def.push_speed);
  grz_snap_write4(s, (uint32_t)store->slots);
  grz_snap_write4(s, free_slots);
  grz_snap_write8(s, contacts);
  for (size_t i = 0; i < store->slots; i++) {
    const uint8_t type = scene_filters(scene)[i].type;
    grz_snap_write4(s, scene_generations(scene)[i]);
    grz_snap_write4(s, type);
    if (type != 0) snapshot_write_body(s, scene, i);
    for (size_t k = GRZ_SNAP_SLOT_HEAD; type == 0 && k < GRZ_SNAP_SLOT; k += 8) grz_snap_write8(s, 0);
  }
  for (uint32_t at = store->free_slot; at < store->slots; at = records[at].next_free) grz_snap_write4(s, at);
  for (size_t i = 0; i < store->contact_count; i++) {
    if (!scene_is_contact(scene, contact[i])) continue;
    grz_snap_write4(s, contact[i].low);
    grz_snap_write4(s, contact[i].high);
  }
}

size_t graze_scene_snapshot_size(const graze_scene *scene) {
  grz_snap_sink counted = {.at = 0};
  snapshot_write(&counted, scene, 0);
  return counted.at + GRZ_SNAP_END;
}

graze_status graze_scene_save(const graze_scene *scene, void *bytes, size_t capacity, size_t *size) {
  grz_snap_sink sink = {.to = bytes};
  *size = graze_scene_snapshot_size(scene);
  if (bytes == NULL || *size > capacity) return GRAZE_NO_SPACE;
  snapshot_write(&sink, scene, *size);
  grz_snap_write8(&sink, grz_checksum(sink.to, sink.at));
  return GRAZE_OK;
}

/* ---- Reading */

typedef struct snapshot_reader {
  graze_scene *scene; /* the scene before it is restored */
  graze_scene made;   /* the new store and definition; during the construction it owns the vertex lists of the scene */
  size_t reusable;    /* free slots that have generations left */
  grz_snap_source in;
  graze_error error;
} snapshot_reader;

static graze_status snapshot_error(snapshot_reader *r, graze_status status, const char *what, ptrdiff_t index,
                                   double value) {
  r->error = grz_error(status, what, index, value);
  return status;
}

static graze_status snapshot_bad(snapshot_reader *r, const char *what, double value) {
  return snapshot_error(r, GRAZE_BAD_DATA, what, -1, value);
}

static graze_status snapshot_read_head(snapshot_reader *r, const unsigned char *bytes, size_t size) {
  graze_scene_def *def = &r->made.def;
  if (bytes == NULL || size < 8 || memcmp(bytes, GRZ_SNAP_MAGIC, 8) != 0) return snapshot_bad(r, "magic", 0);
  if (size < GRZ_SNAP_HEAD + GRZ_SNAP_END) return snapshot_bad(r, "length", (double)size);
  r->in = (grz_snap_source){.from = bytes, .at = 8, .end = size - GRZ_SNAP_END};
  const uint32_t version = grz_snap_read4(&r->in);
  def->dim = (int)(int32_t)grz_snap_read4(&r->in);
  if (version != GRZ_SNAP_VERSION) {
    r->error = grz_error_rule(GRAZE_BAD_DATA, "version", version, "must be the version that this library writes");
    return GRAZE_BAD_DATA;
  }
  const uint64_t length = grz_snap_read8(&r->in);
  if (length != size) return snapshot_bad(r, "length", (double)length);
  if (grz_snap_load(bytes + r->in.end, 8) != grz_checksum(bytes, r->in.end)) return snapshot_bad(r, "checksum", 0);
  def->method = (graze_cast_method)grz_snap_read4(&r->in);
  const uint32_t reserved = grz_snap_read4(&r->in);
  def->skin = grz_snap_read_real(&r->in);
  def->push_speed = grz_snap_read_real(&r->in);
  if (reserved != 0) return snapshot_bad(r, "reserved", reserved);
  if (grz_scene_check_def(def, &r->error) == GRAZE_OK) return GRAZE_OK;
  return r->error.status = GRAZE_BAD_DATA; /* the rule of the definition remains */
}

/* Reads all of a body but its shape. Does not validate *flags. */
static void snapshot_read_numbers(grz_snap_source *s, graze_body_def *def, uint32_t *flags) {
  def->response = (graze_response)grz_snap_read4(s);
  *flags = grz_snap_read4(s);
  def->sensor = (*flags & GRZ_SNAP_SENSOR) != 0;
  def->user = (void *)(uintptr_t)grz_snap_read8(s);
  def->category = grz_snap_read8(s);
  def->mask = grz_snap_read8(s);
  def->margin = grz_snap_read_real(s);
  def->mass = grz_snap_read_real(s);
  def->bounce = grz_snap_read_real(s);
  def->pose.position = grz_snap_read_vec(s);
  def->pose.w = grz_snap_read_real(s), def->pose.x = grz_snap_read_real(s);
  def->pose.y = grz_snap_read_real(s), def->pose.z = grz_snap_read_real(s);
  def->motion.velocity = grz_snap_read_vec(s);
  def->motion.angular = grz_snap_read_vec(s);
}

/* Reads a body into a slot. Its type and generation were read before. */
static graze_status snapshot_read_body(snapshot_reader *r, uint32_t slot, graze_body_type type) {
  const graze_body id = {slot, scene_generations(&r->made)[slot]};
  const graze_placed *own = graze_scene_placed(r->scene, id);
  graze_body_def def = {.type = type};
  graze_placed placed;
  uint32_t flags;
  void *copy = NULL;
  snapshot_read_numbers(&r->in, &def, &flags);
  graze_status status = grz_snap_read_shape(&r->in, r->made.def.dim, own != NULL ? &own->shape : NULL,
                                            &r->made.allocator, &def.shape, &copy);
  if (status != GRAZE_OK) {
    snapshot_error(r, status, status == GRAZE_OUT_OF_MEMORY ? "vertices" : "shape", slot, 0);
    if (status == GRAZE_UNSUPPORTED) r->error.allowed = "must be the compound, mesh or user shape of the same body";
  } else if (flags > GRZ_SNAP_FLAGS)
    status = snapshot_error(r, GRAZE_BAD_DATA, "flags", slot, flags);
  else if (grz_scene_validate(r->made.def.dim, &def, &placed, &r->error) != GRAZE_OK)
    status = r->error.status = GRAZE_BAD_DATA, r->error.index = slot;
  else if (!grz_vertices_acquire(&r->made, &placed.shape))
    status = snapshot_error(r, GRAZE_OUT_OF_MEMORY, "vertices", slot, 0);
  grz_release(&r->made.allocator, copy);
  if (status != GRAZE_OK) return status;
  grz_store_set(&r->made, slot, &def, &placed);
  scene_flags_of(&r->made)[slot].fresh = (flags & GRZ_SNAP_FRESH) != 0;
  return GRAZE_OK;
}

static graze_status snapshot_read_slot(snapshot_reader *r, uint32_t slot) {
  const uint32_t generation = grz_snap_read4(&r->in), type = grz_snap_read4(&r->in);
  scene_generations(&r->made)[slot] = generation;
  scene_records(&r->made)[slot].next_free = SCENE_NONE;
  if (generation == 0 && !r->in.ended) return snapshot_error(r, GRAZE_BAD_DATA, "generation", slot, 0);
  if (type != 0) return snapshot_read_body(r, slot, (graze_body_type)type);
  for (size_t i = GRZ_SNAP_SLOT_HEAD; i < GRZ_SNAP_SLOT; i += 8)
    if (grz_snap_read8(&r->in) != 0) return snapshot_error(r, GRAZE_BAD_DATA, "free slot", slot, 0);
  if (r->in.ended) return snapshot_error(r, GRAZE_BAD_DATA, "bodies", slot, 0);
  r->reusable += generation != UINT32_MAX;
  return GRAZE_OK;
}

static graze_status snapshot_read_slots(snapshot_reader *r, uint32_t slots) {
  scene_store *store = &r->made.store;
  if (slots > grz_snap_left(&r->in) / GRZ_SNAP_SLOT || slots > INT32_MAX / 2)
    return snapshot_bad(r, "bodies", (double)slots);
  if (slots > 0 && !grz_store_reserve(&r->made, slots))
    return snapshot_error(r, GRAZE_OUT_OF_MEMORY, "bodies", slots, 0);
  graze_status status = GRAZE_OK;
  for (; store->slots < slots && status == GRAZE_OK; store->slots++)
    status = snapshot_read_slot(r, (uint32_t)store->slots);
  return status;
}

/* Links all free slots that have generations left, each once. */
static graze_status snapshot_read_free_slots(snapshot_reader *r, uint32_t count) {
  scene_store *store = &r->made.store;
  scene_record *records = scene_records(&r->made);
  uint32_t *link = &store->free_slot;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t slot = grz_snap_read4(&r->in);
    const bool linked = slot >= store->slots || r->in.ended || records[slot].next_free != SCENE_NONE;
    if (linked || scene_flags_of(&r->made)[slot].used || scene_generations(&r->made)[slot] == UINT32_MAX)
      return snapshot_error(r, GRAZE_BAD_DATA, "free list", i, slot);
    *link = slot;
    link = &records[slot].next_free;
    *link = (uint32_t)store->slots;
  }
  *link = (uint32_t)store->slots;
  return count == r->reusable ? GRAZE_OK : snapshot_bad(r, "free list", (double)count);
}

/* Reads contacts: sorted, each once, between bodies that exist. */
static graze_status snapshot_read_contacts(snapshot_reader *r, uint64_t count) {
  scene_store *store = &r->made.store;
  if (count != grz_snap_left(&r->in) / GRZ_SNAP_CONTACT || grz_snap_left(&r->in) % GRZ_SNAP_CONTACT != 0)
    return snapshot_bad(r, "contacts", (double)count);
  if (count == 0) return GRAZE_OK;
  scene_contact *contact = grz_allocate(&r->made.allocator, (size_t)count, sizeof *contact);
  if (contact == NULL) return snapshot_error(r, GRAZE_OUT_OF_MEMORY, "contacts", (ptrdiff_t)count, 0);
  store->contact = (scene_buffer){contact, (size_t)count};
  for (size_t i = 0; i < count; i++) {
    const uint32_t low = grz_snap_read4(&r->in), high = grz_snap_read4(&r->in);
    const scene_contact *before = i > 0 ? &contact[i - 1] : NULL;
    const bool sorted = before == NULL || before->low < low || (before->low == low && before->high < high);
    const bool low_exists = low < store->slots && scene_flags_of(&r->made)[low].used;
    const bool high_exists = high < store->slots && scene_flags_of(&r->made)[high].used;
    if (!sorted || low >= high || !low_exists || !high_exists)
      return snapshot_error(r, GRAZE_BAD_DATA, "contacts", (ptrdiff_t)i, low >= high || !high_exists ? high : low);
    contact[i] = (scene_contact){low, high};
    store->contact_count++;
  }
  return GRAZE_OK;
}

static graze_status snapshot_read(snapshot_reader *r, const unsigned char *bytes, size_t size) {
  graze_status status = snapshot_read_head(r, bytes, size);
  if (status != GRAZE_OK) return status;
  const uint32_t slots = grz_snap_read4(&r->in), free_slots = grz_snap_read4(&r->in);
  const uint64_t contacts = grz_snap_read8(&r->in);
  grz_bvh_make(&r->made.store.tree, r->made.def.dim, &r->made.allocator);
  status = snapshot_read_slots(r, slots);
  if (status == GRAZE_OK) status = snapshot_read_free_slots(r, free_slots);
  return status == GRAZE_OK ? snapshot_read_contacts(r, contacts) : status;
}

graze_status graze_scene_restore(graze_scene *scene, const void *bytes, size_t size, graze_error *error) {
  snapshot_reader r = {.scene = scene, .error = grz_no_error()};
  r.made.allocator = scene->allocator;
  r.made.vertices = scene->vertices;
  r.made.def.cast = scene->def.cast, r.made.def.cast_context = scene->def.cast_context;
  grz_bvh_make(&r.made.store.tree, scene->def.dim, &scene->allocator);
  graze_status status = snapshot_read(&r, bytes, size);
  if (status == GRAZE_OK) {
    const scene_store before = scene->store;
    scene->store = r.made.store, scene->def = r.made.def;
    r.made.store = before;
  }
  grz_store_free(&r.made); /* the old store, or the incomplete new one */
  scene->vertices = r.made.vertices;
  if (error != NULL) *error = r.error;
  return status;
}
