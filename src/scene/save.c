/* Snapshots, written. One walk counts the bytes, another writes them. */
#include "scene/checksum.h"
#include "scene/snapshot_bytes.h"

static void save_head(grz_snap_sink *s, const graze_scene *scene, size_t size) {
  const char *magic = GRZ_SNAP_MAGIC;
  for (size_t i = 0; i < 8; i++) grz_snap_put(s, (unsigned char)magic[i], 1);
  grz_snap_put4(s, GRZ_SNAP_VERSION);
  grz_snap_put4(s, (uint32_t)scene->def.dim);
  grz_snap_put8(s, size);
  grz_snap_put4(s, (uint32_t)scene->def.method);
  grz_snap_put4(s, 0); /* reserved */
  grz_snap_put_real(s, scene->def.skin);
  grz_snap_put_real(s, scene->def.push_speed);
}

static void save_body(grz_snap_sink *s, const scene_body *b, bool fresh) {
  const graze_pose *pose = &b->placed.pose;
  grz_snap_put4(s, (uint32_t)b->response);
  grz_snap_put4(s, (b->sensor ? GRZ_SNAP_SENSOR : 0u) | (fresh ? GRZ_SNAP_FRESH : 0u));
  grz_snap_put8(s, (uint64_t)(uintptr_t)b->user);
  grz_snap_put8(s, b->category);
  grz_snap_put8(s, b->mask);
  grz_snap_put_real(s, b->margin);
  grz_snap_put_real(s, b->mass);
  grz_snap_put_real(s, b->bounce);
  grz_snap_put_vec(s, pose->position);
  grz_snap_put_real(s, pose->w), grz_snap_put_real(s, pose->x);
  grz_snap_put_real(s, pose->y), grz_snap_put_real(s, pose->z);
  grz_snap_put_vec(s, b->motion.velocity);
  grz_snap_put_vec(s, b->motion.angular);
  grz_snap_put_shape(s, &b->placed.shape);
}

static void save_slots(grz_snap_sink *s, const graze_scene *scene) {
  for (size_t i = 0; i < scene->slots; i++) {
    const scene_body *b = &scene->body[i];
    grz_snap_put4(s, b->generation);
    grz_snap_put4(s, (uint32_t)b->type);
    if (b->type != 0) save_body(s, b, scene_states(scene)[i].fresh);
    for (size_t k = GRZ_SNAP_SLOT_HEAD; b->type == 0 && k < GRZ_SNAP_SLOT; k += 8) grz_snap_put8(s, 0);
  }
}

static uint32_t save_count_free(const graze_scene *scene) {
  uint32_t count = 0;
  for (uint32_t at = scene->free_slot; at < scene->slots; at = scene->body[at].next) count++;
  return count;
}

static uint64_t save_count_contacts(const graze_scene *scene) {
  uint64_t count = 0;
  if (!scene->forgets) return scene->contact_count;
  for (size_t i = 0; i < scene->contact_count; i++) count += scene_is_contact(scene, scene->contact[i]);
  return count;
}

/* All but the checksum; `size`: of the snapshot. */
static void save_all(grz_snap_sink *s, const graze_scene *scene, size_t size) {
  save_head(s, scene, size);
  grz_snap_put4(s, (uint32_t)scene->slots);
  grz_snap_put4(s, save_count_free(scene));
  grz_snap_put8(s, save_count_contacts(scene));
  save_slots(s, scene);
  for (uint32_t at = scene->free_slot; at < scene->slots; at = scene->body[at].next) grz_snap_put4(s, at);
  for (size_t i = 0; i < scene->contact_count; i++) {
    if (!scene_is_contact(scene, scene->contact[i])) continue;
    grz_snap_put4(s, scene->contact[i].low);
    grz_snap_put4(s, scene->contact[i].high);
  }
}

size_t graze_scene_snapshot_size(const graze_scene *scene) {
  grz_snap_sink counted = {.at = 0};
  save_all(&counted, scene, 0);
  return counted.at + GRZ_SNAP_END;
}

graze_status graze_scene_save(const graze_scene *scene, void *bytes, size_t capacity, size_t *size) {
  grz_snap_sink sink = {.to = bytes};
  *size = graze_scene_snapshot_size(scene);
  if (bytes == NULL || *size > capacity) return GRAZE_NO_SPACE;
  save_all(&sink, scene, *size);
  grz_snap_put8(&sink, grz_checksum(sink.to, sink.at));
  return GRAZE_OK;
}
