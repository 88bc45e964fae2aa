/* Damaged snapshots, and forged ones with a correct checksum. They are rejected, or they restore a valid scene. In
 * any case nothing is leaked. Each test states its seeds. */

#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scene/make.h"
#include "scene/random_scene.h"
#include "scene/snapshot_format.h"

/* Offsets: src/scene/snapshot_bytes.h. */
enum { VERSION = 8, DIM = 12, LENGTH = 16, METHOD = 24, RESERVED = 28, SKIN = 32, PUSH = 40 };
enum { SLOTS = 48, UNUSED = 52, CONTACTS = 56, FIRST = 64 };
/* Offsets in a slot. */
enum { GENERATION = 0, TYPE = 4, RESPONSE = 8, FLAGS = 12, MARGIN = 40, MASS = 48, BOUNCE = 56, POSITION = 64 };
enum { QUATERNION = 88, VELOCITY = 120, KIND = 168, RADIUS = 180, VERTICES = 228 };

/* A scene that must not change, and a snapshot of another scene. */
static failing_memory memory;
static graze_scene *scene;
static unsigned char *kept, *bytes;
static size_t kept_size, size;
static double rejected_number; /* error.value of the last rejection */
static const char *broken_rule;

static void insert(graze_scene *to, graze_shape shape, double x, graze_body_type type) {
  graze_body_def def = passive_body();
  def.shape = shape, def.type = type, def.pose = graze_pose_at(x, 0, 0);
  if (type == GRAZE_DYNAMIC) def.motion.velocity.y = 0.25;
  (void)add_def(to, &def);
}

/* A moving ball that touches a box; a hull; two free slots. */
static graze_scene *make_few(void) {
  static const graze_vec v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  graze_scene *few = make_scene(3, 0, NULL);
  insert(few, graze_sphere(1), 0, GRAZE_DYNAMIC);
  insert(few, graze_point(), 0, GRAZE_DYNAMIC);
  insert(few, graze_box(1, 1, 1), 2, GRAZE_STATIC);
  insert(few, graze_hull_points(v, 4), 6, GRAZE_KINEMATIC);
  insert(few, graze_point(), 0, GRAZE_DYNAMIC);
  assert_int_equal(graze_scene_step(few, 0, NULL, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_remove(few, (graze_body){1, 1}), GRAZE_OK);
  assert_int_equal(graze_scene_remove(few, (graze_body){4, 1}), GRAZE_OK);
  return few;
}

static int begin(void **state) {
  (void)state;
  memory = (failing_memory){.fail_at = 100000000};
  const graze_allocator allocator = failing_allocator(&memory);
  scene = make_scene(3, 0, &allocator);
  insert(scene, graze_capsule(1, 2), 0, GRAZE_DYNAMIC);
  kept = save_scene(scene, &kept_size);
  graze_scene *few = make_few();
  bytes = save_scene(few, &size);
  graze_scene_destroy(few);
  return 0;
}

static int end(void **state) {
  (void)state;
  free(bytes), free(kept);
  graze_scene_destroy(scene);
  return memory.out != 0;
}

static void expect_kept(long out) {
  size_t now_size;
  unsigned char *now = save_scene(scene, &now_size);
  assert_true(now_size == kept_size && memcmp(now, kept, kept_size) == 0);
  free(now);
  assert_int_equal(memory.out, out);
}

static void expect_rejected(const unsigned char *from, size_t count, const char *what, ptrdiff_t index) {
  const long out = memory.out;
  graze_error error;
  const graze_status status = graze_scene_restore(scene, from, count, &error);
  assert_int_equal(status, GRAZE_BAD_DATA);
  assert_int_equal(error.status, GRAZE_BAD_DATA);
  rejected_number = error.value, broken_rule = error.allowed;
  if (what != NULL) assert_string_equal(error.what, what);
  if (what != NULL) assert_int_equal(error.index, index);
  assert_int_equal(graze_scene_restore(scene, from, count, NULL), GRAZE_BAD_DATA);
  expect_kept(out);
}

/* ---- Damage */

TEST_WITH(test_damage, begin, end) {
  for (size_t i = 0; i < size; i++) {
    const unsigned char was = bytes[i];
    for (int bit = 0; bit < 8; bit++) {
      bytes[i] = (unsigned char)(was ^ 1 << bit);
      expect_rejected(bytes, size, i < 8 ? "magic" : i < DIM ? "version" : NULL, -1);
    }
    bytes[i] = was;
  }
}

/* Parts of a snapshot, exchanged bytes, and additional bytes. Seed 1. */
TEST_WITH(test_damage_more, begin, end) {
  rng dice = {1};
  unsigned char *longer = malloc(size + 8), *mixed = malloc(size);
  memcpy(longer, bytes, size), memset(longer + size, 0, 8);
  for (size_t i = 1; i <= 8; i++) expect_rejected(longer, size + i, "length", -1);
  for (size_t i = 0; i < size; i++) expect_rejected(bytes, i, i < 8 ? "magic" : "length", -1);
  expect_rejected(NULL, 0, "magic", -1);
  for (int i = 0; i < 2000; i++) {
    const size_t count = 1 + rng_index(&dice, 16), p = rng_index(&dice, size - count),
                 q = rng_index(&dice, size - count);
    memcpy(mixed, bytes, size);
    memcpy(mixed + p, bytes + q, count);
    if (memcmp(mixed, bytes, size) != 0) expect_rejected(mixed, size, NULL, 0);
  }
  free(longer), free(mixed);
}

/* ---- Forgery */

static size_t slot_at(size_t slot) {
  const size_t at[] = {FIRST, FIRST + 228, FIRST + 356, FIRST + 584, FIRST + 920};
  return at[slot];
}

static void reject(size_t at, uint64_t value, size_t count, const char *what, ptrdiff_t index) {
  unsigned char *forged = malloc(size);
  memcpy(forged, bytes, size);
  snapshot_write(forged + at, value, count);
  assert_true(memcmp(forged, bytes, size) != 0);
  snapshot_seal(forged, size);
  expect_rejected(forged, size, what, index);
  free(forged);
}

static void forge_real(size_t at, double x, const char *what, ptrdiff_t index) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  reject(at, bits, 8, what, index);
}

/* The error contains the number. */
static void reject_real(size_t at, double x, const char *what, ptrdiff_t index) {
  forge_real(at, x, what, index);
  assert_true(rejected_number == x || (x != x && rejected_number != rejected_number));
}

/* Checks the offsets above. */
TEST_WITH(test_layout, begin, end) {
  assert_true(snapshot_get(bytes + VERSION, 4) == 2 && snapshot_get(bytes + DIM, 4) == 3 &&
              snapshot_get(bytes + LENGTH, 8) == size);
  assert_true(snapshot_get(bytes + SLOTS, 4) == 5 && snapshot_get(bytes + UNUSED, 4) == 2 &&
              snapshot_get(bytes + CONTACTS, 8) == 1);
  for (size_t i = 0; i < 5; i++) assert_true(snapshot_get(bytes + slot_at(i), 4) == 1);
  assert_true(snapshot_get(bytes + slot_at(0) + KIND, 4) == GRAZE_SPHERE &&
              snapshot_get(bytes + slot_at(3) + KIND, 4) == GRAZE_HULL);
  assert_true(snapshot_get(bytes + slot_at(1) + TYPE, 4) == 0 && snapshot_get(bytes + slot_at(4) + TYPE, 4) == 0);
  assert_true(snapshot_get(bytes + slot_at(3) + VERTICES, 4) == 4);
}

TEST_WITH(test_forged_head, begin, end) {
  reject(VERSION, 1, 4, "version", -1);
  reject(LENGTH, size + 1, 8, "length", -1);
  reject(DIM, 4, 4, "dim", -1);
  reject(DIM, 0x80000003u, 4, "dim", -1);
  reject(DIM, 2, 4, "shape.half_extents", 2); /* the ball becomes a circle, but the box has three dimensions */
  reject(METHOD, GRAZE_CAST_CA + 1, 4, "method", -1);
  reject(METHOD, 0xffffffffu, 4, "method", -1);
  reject(RESERVED, 1, 4, "reserved", -1);
  reject(RESERVED, 0x80000002u, 4, "reserved", -1);
  reject_real(SKIN, -1, "skin", -1);
  reject_real(SKIN, NAN, "skin", -1);
  reject_real(PUSH, INFINITY, "push_speed", -1);
  reject(SLOTS, 0xffffffffu, 4, "bodies", -1);
  reject(SLOTS, 0x3ffffffeu, 4, "bodies", -1);
  reject(SLOTS, 6, 4, NULL, 0);
  reject(SLOTS, 4, 4, NULL, 0);
  reject(SLOTS, 0, 4, NULL, 0);
  reject(UNUSED, 1, 4, "free list", -1);
  reject(UNUSED, 3, 4, "free list", 2);
  reject(UNUSED, 0xffffffffu, 4, "free list", 2);
  reject(CONTACTS, 0, 8, "contacts", -1);
  reject(CONTACTS, 2, 8, "contacts", -1);
  reject(CONTACTS, UINT64_MAX, 8, "contacts", -1);
  reject(CONTACTS, (UINT64_C(1) << 61) + 1, 8, "contacts", -1);
}

/* The error states the rule of graze_scene_add() and graze_scene_create(), or that the bytes were changed. */
TEST_WITH(test_rules, begin, end) {
  static const char changed[] = "must be as graze_scene_save() wrote it";
  forge_real(slot_at(0) + MASS, 0, "mass", 0);
  assert_string_equal(broken_rule, "must be > 0 and <= 1e40");
  forge_real(slot_at(0) + BOUNCE, 2, "bounce", 0);
  assert_string_equal(broken_rule, "must be 0 to 1");
  forge_real(slot_at(0) + RADIUS, -1, "shape.radius", 0);
  assert_string_equal(broken_rule, "must be >= 0");
  reject(METHOD, GRAZE_CAST_CA + 1, 4, "method", -1);
  assert_string_equal(broken_rule, "must be a graze_cast_method");
  reject(SLOTS, 0xffffffffu, 4, "bodies", -1);
  assert_string_equal(broken_rule, changed);
  expect_rejected(bytes, 7, "magic", -1);
  assert_string_equal(broken_rule, changed);
  reject(VERSION, 1, 4, "version", -1);
  assert_string_equal(broken_rule, "must be the version that this library writes");
  bytes[FIRST] ^= 1;
  expect_rejected(bytes, size, "checksum", -1);
  assert_string_equal(broken_rule, changed);
}

TEST_WITH(test_forged_bodies, begin, end) {
  const size_t ball = slot_at(0), none = slot_at(1), box = slot_at(2), hull = slot_at(3);
  reject(ball + GENERATION, 0, 4, "generation", 0);
  reject(none + GENERATION, 0, 4, "generation", 1);
  reject(none + 8, 1, 1, "free slot", 1);
  reject(none + 127, 1, 1, "free slot", 1);
  reject(ball + TYPE, 4, 4, "type", 0);
  reject(ball + TYPE, GRAZE_STATIC, 4, "motion.velocity", 0); /* the ball moves */
  reject(ball + RESPONSE, 4, 4, "response", 0);
  reject(ball + FLAGS, 4, 4, "flags", 0);
  reject_real(ball + MARGIN, -1, "margin", 0);
  reject_real(box + MARGIN, NAN, "margin", 2);
  reject_real(ball + MASS, 0, "mass", 0);
  reject_real(ball + BOUNCE, 1.5, "bounce", 0);
  reject_real(hull + POSITION + 16, 2e40, "pose.position", 3);
  reject_real(ball + QUATERNION, 0, "pose.rotation", 0);
  reject_real(ball + RADIUS, -1, "shape.radius", 0);
  reject_real(hull + VERTICES + 12, INFINITY, "shape.vertices", 3);
  forge_real(ball + VELOCITY, NAN, "motion.velocity", 0); /* NaN equals nothing, so the value is not compared */
  reject(ball + KIND, 0, 4, "shape", 0);
  reject(ball + KIND, GRAZE_MESH + 1, 4, "shape", 0);
  reject(ball + KIND, GRAZE_HALFSPACE, 4, "shape", 0);
  reject(hull + KIND, GRAZE_POLYGON, 4, "shape.dim", 3);
  reject(hull + VERTICES, 5, 4, NULL, 0);
  reject(hull + VERTICES, 0, 4, "shape.vertices", 3);
  reject(hull + VERTICES, 0xffffffffu, 4, "shape", 3);
  reject(hull + VERTICES, 0x7fffffffu, 4, "shape", 3);
  reject(hull + VERTICES + 4, 1, 4, "shape", 3); /* seeds for four vertices */
  reject(hull + VERTICES + 8, 1, 4, "shape", 3); /* neighbours without seeds */
}

TEST_WITH(test_forged_slots, begin, end) {
  const size_t list = slot_at(4) + 128, contact = list + 8;
  assert_true(snapshot_get(bytes + list, 4) == 4 && snapshot_get(bytes + list + 4, 4) == 1);
  reject(list, 1, 4, "free list", 1); /* twice */
  reject(list, 0, 4, "free list", 0); /* a body */
  reject(list, 5, 4, "free list", 0);
  reject(list, 0xffffffffu, 4, "free list", 0);
  assert_true(snapshot_get(bytes + contact, 4) == 0 && snapshot_get(bytes + contact + 4, 4) == 2);
  reject(contact, 2, 4, "contacts", 0);
  reject(contact, 3, 4, "contacts", 0);
  reject(contact + 4, 1, 4, "contacts", 0);
  reject(contact + 4, 4, 4, "contacts", 0);
  reject(contact + 4, 5, 4, "contacts", 0);
  reject(contact + 4, 0xffffffffu, 4, "contacts", 0);
}

/* Contacts are sorted, each once. */
TEST_WITH(test_forged_contacts, begin, end) {
  const size_t more = size + 8;
  unsigned char *forged = malloc(more);
  for (int variant = 0; variant < 4; variant++) {
    static const uint32_t first[4][4] = {{0, 2, 0, 2}, {0, 3, 0, 2}, {2, 3, 0, 2}, {0, 2, 2, 3}};
    memcpy(forged, bytes, size);
    snapshot_write(forged + LENGTH, more, 8), snapshot_write(forged + CONTACTS, 2, 8);
    for (size_t i = 0; i < 4; i++) snapshot_write(forged + more - 24 + 4 * i, first[variant][i], 4);
    snapshot_seal(forged, more);
    if (variant < 3)
      expect_rejected(forged, more, "contacts", 1);
    else
      assert_int_equal(graze_scene_restore(scene, forged, more, NULL), GRAZE_OK);
  }
  free(forged);
}

/* A slot without generations left is not used again, whether it holds a body or not. */
TEST_WITH(test_last_generation, begin, end) {
  graze_error error;
  const graze_body_def def = passive_body();
  reject(slot_at(1) + GENERATION, UINT32_MAX, 4, "free list", 1);
  snapshot_write(bytes + slot_at(0) + GENERATION, UINT32_MAX, 4);
  snapshot_seal(bytes, size);
  assert_int_equal(graze_scene_restore(scene, bytes, size, &error), GRAZE_OK);
  assert_int_equal(graze_scene_remove(scene, (graze_body){0, UINT32_MAX}), GRAZE_OK);
  size_t again_size;
  unsigned char *again = save_scene(scene, &again_size);
  assert_int_equal(graze_scene_restore(scene, again, again_size, NULL), GRAZE_OK);
  free(again);
  const uint32_t expected[3] = {4, 1, 5};
  for (int i = 0; i < 3; i++) assert_int_equal(add_def(scene, &def).slot, expected[i]);
}

/* A snapshot that is accepted is a valid scene: it is saved with the same bytes, and steps. */
static bool try(graze_scene *into, const unsigned char *from, size_t count) {
  graze_error error;
  graze_step step;
  const graze_status status = graze_scene_restore(into, from, count, &error);
  assert_true(status == error.status);
  assert_true(status == GRAZE_OK || status == GRAZE_BAD_DATA || status == GRAZE_UNSUPPORTED);
  if (status != GRAZE_OK) return false;
  size_t again_size;
  unsigned char *again = save_scene(into, &again_size);
  assert_true(again_size == count && memcmp(again, from, count) == 0);
  free(again);
  (void)graze_scene_step(into, 0.05, &step, NULL); /* huge numbers may be rejected */
  return true;
}

/* Every word is replaced by many others. Seed 2. */
TEST_WITH(test_forged_anywhere, begin, end) {
  rng dice = {2};
  static random_scene c;
  int accepted = 0, rejected = 0;
  for (int dim = 2; dim <= 3; dim++) {
    size_t count;
    random_scene_create(&c, (random_scene_kind){2, dim, 12, 3, true}, NULL, NULL);
    assert_int_equal(graze_scene_remove(c.scene, (graze_body){5, 1}), GRAZE_OK);
    assert_int_equal(graze_scene_step(c.scene, 0.05, NULL, NULL), GRAZE_OK);
    unsigned char *from = save_scene(c.scene, &count), *forged = malloc(count);
    const int rounds = tiered(0, 0, 100);
    for (size_t at = VERSION; at + 12 <= count; at += 4) {
      const uint64_t was = snapshot_get(from + at, 4), few = (uint64_t)rng_below(&dice, 40);
      const uint64_t others[] = {0, 1, was + 1, was - 1, was ^ 0x80000000u, UINT32_MAX, INT32_MAX, few, 0x7ff00000};
      for (int i = 0; i < 9 + rounds; i++) {
        const uint64_t value = i < 9 ? others[i] : (uint64_t)rng_uniform(&dice, 0, 0x1p32);
        memcpy(forged, from, count);
        snapshot_write(forged + at, value, 4);
        snapshot_seal(forged, count);
        ++*(try(scene, forged, count) ? &accepted : &rejected);
      }
    }
    free(from), free(forged);
    random_scene_destroy(&c);
  }
  assert_true(accepted > 1000 && rejected > 1000);
}

/* The adjacency of a large hull: indices out of range, lists out of order. Seed 3. */
TEST_WITH(test_forged_edges, begin, end) {
  rng dice = {3};
  graze_hull hull;
  graze_scene *round = make_scene(3, 0, NULL);
  make_round_hull(&dice, 3, 1100, &hull);
  insert(round, graze_hull_shape(&hull), 0, GRAZE_DYNAMIC);
  free(bytes);
  bytes = save_scene(round, &size);
  const size_t edges = FIRST + VERTICES + 12 + 24 * hull.vertex_count, neighbors = edges + 4 * hull.vertex_count;
  const size_t seeds = neighbors + 4 * (size_t)hull.adjacency.start[hull.vertex_count];
  reject(FIRST + VERTICES + 4, (uint64_t)hull.adjacency.seed_rank + 1, 4, "shape", 0);
  reject(FIRST + VERTICES + 8, 0xffffffffu, 4, "shape", 0);
  reject(edges, 0xffffffffu, 4, "shape", 0);
  reject(edges, 100, 4, "shape", 0); /* decreasing */
  reject(neighbors - 4, (uint64_t)hull.adjacency.start[hull.vertex_count] - 1, 4, "shape", 0);
  reject(neighbors, hull.vertex_count, 4, "shape", 0);
  reject(seeds - 4, 0xffffffffu, 4, "shape", 0);
  reject(seeds, hull.vertex_count, 4, "shape", 0);
  reject(size - 12, 0x80000000u, 4, "shape", 0);
  graze_scene_destroy(round);
  graze_hull_destroy(&hull);
}

/* ---- Memory and time */

/* A scene of `count` points that were removed again, or of hulls with one vertex each, all different. */
static unsigned char *save_large(int count, bool points, size_t *bytes_out) {
  static graze_vec vertex[4000];
  graze_scene *crowded = make_scene(3, 0, NULL);
  assert_true(count <= 4000);
  for (int i = 0; i < count; i++) {
    vertex[i].x = i;
    insert(crowded, points ? graze_point() : graze_hull_points(&vertex[i], 1), 0, GRAZE_STATIC);
  }
  for (uint32_t i = 0; points && i < (uint32_t)count; i++)
    assert_int_equal(graze_scene_remove(crowded, (graze_body){i, 1}), GRAZE_OK);
  unsigned char *saved = save_scene(crowded, bytes_out);
  graze_scene_destroy(crowded);
  return saved;
}

/* Memory is at most ten times the size of the bytes: docs/decisions/snapshots.md. Fixed: a slot without generations
 * left had 8 bytes and needed 992 bytes of memory; and memory for all slots was allocated before the first one was
 * read. */
static void check_memory(const unsigned char *from, size_t count, graze_status expected) {
  failing_memory counted = {.fail_at = LONG_MAX};
  const graze_allocator allocator = failing_allocator(&counted);
  graze_scene *into = make_scene(3, 0, &allocator);
  const size_t before = counted.bytes;
  assert_int_equal(graze_scene_restore(into, from, count, NULL), expected);
  assert_true(counted.most - before <= 10 * count);
  if (expected != GRAZE_OK) assert_true(counted.bytes == before);
  graze_scene_destroy(into);
  assert_int_equal(counted.out, 0);
}

TEST_WITH(test_memory_bound, begin, end) {
  enum { COPIES = 4000 };
  for (int points = 0; points < 2; points++) {
    size_t count;
    unsigned char *from = save_large(COPIES, points, &count);
    check_memory(from, count, GRAZE_OK);
    from[count - 9] ^= 0x7f; /* the last number, after all memory is allocated */
    snapshot_seal(from, count);
    check_memory(from, count, GRAZE_BAD_DATA);
    from[count - 9] ^= 0x7f;
    for (size_t i = 0; points && i < COPIES; i++) snapshot_write(from + FIRST + 128 * i, UINT32_MAX, 4);
    if (points) { /* none of them may be used again */
      count -= 4 * COPIES;
      snapshot_write(from + LENGTH, count, 8), snapshot_write(from + UNUSED, 0, 4);
      snapshot_seal(from, count);
      check_memory(from, count, GRAZE_OK);
      memset(from + FIRST, 0xff, count - FIRST - 8);
      snapshot_write(from + SLOTS, (count - FIRST - 8) / 8, 4);
      snapshot_seal(from, count);
      check_memory(from, count, GRAZE_BAD_DATA);
    }
    free(from);
  }
}

/* Bodies that share a large hull, restored from a snapshot in which they have small hulls. Fixed: the large hull was
 * compared for each body, 8e7 vertices in all. */
TEST_WITH(test_large_for_small, begin, end) {
  enum { COPIES = 20, LARGE = 100 };
  const size_t page = (size_t)sysconf(_SC_PAGESIZE); /* at least 4096 bytes, more than LARGE vertices */
  graze_scene *crowded = make_scene(3, 0, NULL);
  size_t count;
  unsigned char *from = save_large(COPIES, false, &count);
  graze_vec *large = aligned_alloc(page, page);
  assert_true(large != NULL && LARGE * sizeof *large <= page);
  for (int i = 0; i < LARGE; i++) large[i] = (graze_vec){i, 0, 0};
  for (int i = 0; i < COPIES; i++) insert(crowded, graze_hull_points(large, LARGE), 0, GRAZE_STATIC);
  assert_int_equal(mprotect(large, page, PROT_NONE), 0);
  assert_int_equal(graze_scene_restore(crowded, from, count, NULL), GRAZE_OK);
  free(from);
  graze_scene_destroy(crowded);
  assert_int_equal(mprotect(large, page, PROT_READ | PROT_WRITE), 0);
  free(large);
}
