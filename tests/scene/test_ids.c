/* Ids and bodies against a plain list: what is there, what is not any more, who is in contact. Seeds are stated at each
 * test. */

#include "support/test.h"
#include "scene/naive.h"
#include "scene/party.h"

enum { MOST = 64 };

/* ---- What a scene should be */

typedef struct naive {
  graze_scene *scene;
  rng dice;
  int dim;
  bool there[MOST], met[MOST][MOST]; /* by slot; met: low, high */
  graze_body body[MOST];             /* of a free slot: the last one */
  graze_body_def def[MOST];
  size_t slots, count;
} naive;

static naive world;
static failing_memory memory;

static void naive_begin(uint64_t seed, int dim) {
  graze_scene_def def = graze_default_scene();
  const graze_allocator allocator = failing_allocator(&memory);
  memory = (failing_memory){.fail_at = 1000000000};
  world = (naive){.dice = seed, .dim = dim};
  def.dim = dim;
  assert_int_equal(graze_scene_create(&def, &allocator, &world.scene), GRAZE_OK);
}

static void naive_end(void) {
  graze_scene_destroy(world.scene);
  assert_int_equal(memory.out, 0);
}

static int below(int count) { return rng_below(&world.dice, count); }

static graze_body_def any_body(void) {
  graze_body_def def = graze_default_body();
  const double x = rng_uniform(&world.dice, 0.2, 1), y = rng_uniform(&world.dice, 0.2, 1);
  if (world.dim == 2)
    def.shape = below(2) ? graze_circle(x) : graze_box2(x, y);
  else
    def.shape = below(2) ? graze_sphere(x) : graze_box(x, y, x);
  def.type = (graze_body_type)(1 + below(3));
  def.pose = random_grid_pose(&world.dice, world.dim, 4);
  def.margin = below(3) == 0 ? 0.25 : 0;
  def.category = 1u << below(3);
  def.mask = below(3) == 0 ? 1u << below(3) : UINT64_MAX;
  def.sensor = below(8) == 0;
  def.user = (void *)(uintptr_t)rng_below(&world.dice, 1000);
  return def;
}

/* ---- Changes */

static void naive_add(void) {
  const graze_body_def def = any_body();
  graze_body body;
  graze_error error;
  assert_int_equal(graze_scene_add(world.scene, &def, &body, &error), GRAZE_OK);
  assert_true(body.slot < MOST && !world.there[body.slot] && body.generation == world.body[body.slot].generation + 1);
  assert_true(body.slot <= world.slots && (body.slot < world.slots || world.count == world.slots));
  if (body.slot == world.slots) world.slots++;
  world.there[body.slot] = true;
  world.body[body.slot] = body;
  world.def[body.slot] = def;
  world.count++;
}

static void naive_remove(size_t slot) {
  const bool there = world.there[slot];
  assert_int_equal(graze_scene_remove(world.scene, world.body[slot]), there ? GRAZE_OK : GRAZE_NO_BODY);
  if (!there) return;
  world.there[slot] = false;
  world.count--;
  for (size_t i = 0; i < MOST; i++) world.met[slot][i] = world.met[i][slot] = false;
}

static void naive_change(size_t slot) {
  const graze_body_def def = any_body();
  const graze_body body = world.body[slot];
  const graze_status expected = world.there[slot] ? GRAZE_OK : GRAZE_NO_BODY;
  const graze_motion motion = {{rng_uniform(&world.dice, -1, 1), 0, 0}, {0, 0, 0}};
  switch (below(3)) {
  case 0:
    assert_int_equal(graze_scene_set(world.scene, body, &def, NULL), expected);
    if (expected == GRAZE_OK) world.def[slot] = def;
    break;
  case 1:
    assert_int_equal(graze_scene_set_pose(world.scene, body, def.pose), expected);
    world.def[slot].pose = def.pose;
    break;
  default:
    if (expected == GRAZE_OK && world.def[slot].type == GRAZE_STATIC) {
      assert_int_equal(graze_scene_set_motion(world.scene, body, &motion), GRAZE_BAD_OPTION);
    } else {
      assert_int_equal(graze_scene_set_motion(world.scene, body, &motion), expected);
      world.def[slot].motion = motion;
    }
  }
}

/* ---- Comparing */

static void expect_body(size_t slot) {
  graze_body_def def;
  const graze_body_def *truth = &world.def[slot];
  const graze_placed *placed = graze_scene_placed(world.scene, world.body[slot]);
  assert_int_equal(graze_scene_get(world.scene, world.body[slot], &def), world.there[slot] ? GRAZE_OK : GRAZE_NO_BODY);
  assert_true((placed != NULL) == world.there[slot]);
  if (!world.there[slot]) return;
  assert_true(def.shape.kind == truth->shape.kind && def.shape.radius == truth->shape.radius);
  assert_memory_equal(&def.pose, &truth->pose, sizeof def.pose);
  assert_memory_equal(&placed->pose, &truth->pose, sizeof def.pose);
  assert_memory_equal(&def.motion, &truth->motion, sizeof def.motion);
  assert_true(def.type == truth->type && def.category == truth->category && def.mask == truth->mask);
  assert_true(def.sensor == truth->sensor && def.margin == truth->margin && def.response == truth->response);
  assert_true(def.mass == truth->mass && def.bounce == truth->bounce && def.user == truth->user);
}

static void expect_list(void) {
  graze_body at = {0, 0};
  assert_int_equal(graze_scene_count(world.scene), world.count);
  for (size_t i = 0; i < world.slots; i++) {
    expect_body(i);
    if (!world.there[i]) continue;
    at = graze_scene_next(world.scene, at);
    assert_true(at.slot == i && at.generation == world.body[i].generation);
  }
  assert_int_equal(graze_scene_next(world.scene, at).generation, 0);
}

static bool naive_meets(size_t low, size_t high) {
  const graze_body_def *a = &world.def[low], *b = &world.def[high];
  const graze_placed p = graze_place(&a->shape, a->pose), q = graze_place(&b->shape, b->pose);
  graze_options options = graze_default_options();
  graze_answer answer;
  if (!world.there[low] || !world.there[high] || !naive_is_pair(a, b)) return false;
  options.clearance = a->margin + b->margin;
  assert_int_equal(graze_intersect(&p, &q, &options, &answer), GRAZE_OK);
  return answer.relation != GRAZE_SEPARATED;
}

/* Events of a step in which nothing moves: in their order, each as it must be, and none else. */
static void expect_events(void) {
  graze_step step;
  size_t at = 0;
  assert_int_equal(graze_scene_step(world.scene, 0, &step), GRAZE_OK);
  for (size_t low = 0; low < world.slots; low++) {
    for (size_t high = low + 1; high < world.slots; high++) {
      const bool was = world.met[low][high], is = naive_meets(low, high);
      world.met[low][high] = is;
      if (!was && !is) continue;
      assert_true(at < step.event_count);
      const graze_event *e = &step.events[at++];
      assert_int_equal(e->kind, !was ? GRAZE_EVENT_BEGIN : is ? GRAZE_EVENT_STAY : GRAZE_EVENT_END);
      assert_memory_equal(&e->a, &world.body[low], sizeof e->a);
      assert_memory_equal(&e->b, &world.body[high], sizeof e->b);
    }
  }
  assert_int_equal(at, step.event_count);
}

/* ---- Tests */

/* Seeds 400 … Snapshots now and then, of which the scene goes on as if nothing had been. */
TEST(test_soak) {
  const int rounds = tiered(40, 80, 2000), changes = 400;
  for (int round = 0; round < rounds; round++) {
    naive_begin(400 + (uint64_t)round, 2 + round % 2);
    for (int i = 0; i < changes; i++) {
      const int what = below(10);
      if (what < 4 && world.count < MOST)
        naive_add();
      else if (what < 6 && world.slots > 0)
        naive_remove((size_t)below((int)world.slots));
      else if (world.slots > 0)
        naive_change((size_t)below((int)world.slots));
      if (i % 4 == 0) expect_events();
      if (i % 16 == 0) expect_list();
      if (i % 40 != 0) continue;
      size_t size;
      unsigned char *bytes = party_save(world.scene, &size);
      for (size_t k = 0; k < 5 && world.slots > 0; k++)
        (void)graze_scene_remove(world.scene, world.body[(size_t)below((int)world.slots)]);
      assert_int_equal(graze_scene_restore(world.scene, bytes, size, NULL), GRAZE_OK);
      free(bytes);
    }
    naive_end();
  }
}

/* Every function refuses an id that is not, or is no more. */
static void expect_refused(graze_body body) {
  const graze_motion motion = {{0, 0, 0}, {0, 0, 0}};
  graze_body_def def = graze_default_body();
  graze_error error;
  graze_answer answer;
  graze_contact contact;
  size_t count;
  def.shape = graze_circle(1);
  assert_int_equal(graze_scene_remove(world.scene, body), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_get(world.scene, body, &def), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_set(world.scene, body, &def, &error), GRAZE_NO_BODY);
  assert_true(error.status == GRAZE_NO_BODY && strcmp(error.what, "body") == 0);
  assert_true(error.index == -1 && error.value == (double)body.slot);
  assert_int_equal(graze_scene_set_pose(world.scene, body, graze_pose_at(0, 0, 0)), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_set_motion(world.scene, body, &motion), GRAZE_NO_BODY);
  assert_null(graze_scene_placed(world.scene, body));
  assert_int_equal(graze_scene_move(world.scene, body, &motion, NULL, NULL, NULL, 0, &count), GRAZE_NO_BODY);
  assert_int_equal(graze_scene_manifold(world.scene, body, body, NULL, &answer, &contact, 1, &count), GRAZE_NO_BODY);
}

TEST(test_stale) {
  graze_body_def def = graze_default_body();
  graze_body a, b, c;
  def.shape = graze_circle(1);
  naive_begin(1, 2);
  expect_refused((graze_body){0, 0});
  expect_refused((graze_body){0, 1});
  assert_int_equal(graze_scene_add(world.scene, &def, &a, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_add(world.scene, &def, &b, NULL), GRAZE_OK);
  expect_refused((graze_body){a.slot, 0});
  expect_refused((graze_body){a.slot, a.generation + 1});
  expect_refused((graze_body){2, 1});
  expect_refused((graze_body){UINT32_MAX, 1});
  assert_int_equal(graze_scene_remove(world.scene, a), GRAZE_OK);
  expect_refused(a);
  expect_refused((graze_body){a.slot, 0});
  assert_int_equal(graze_scene_add(world.scene, &def, &c, NULL), GRAZE_OK);
  assert_true(c.slot == a.slot && c.generation == 2);
  expect_refused(a);
  assert_non_null(graze_scene_placed(world.scene, c));
  assert_non_null(graze_scene_placed(world.scene, b));
  naive_end();
}

/* ---- What is refused: it changes nothing, and is said */

static void expect_error(const graze_error *error, graze_error truth) {
  if (strcmp(error->what, truth.what) != 0) fail_msg("it says %s, not %s", error->what, truth.what);
  assert_int_equal(error->status, truth.status);
  assert_int_equal(error->index, truth.index);
  assert_true(error->value == truth.value || (error->value != error->value && truth.value != truth.value));
}

static void expect_bad(const graze_body_def *def, graze_body body, graze_error truth) {
  graze_error error;
  graze_body none = {7, 7};
  size_t size, now_size;
  unsigned char *before = party_save(world.scene, &size);
  assert_int_equal(graze_scene_add(world.scene, def, &none, &error), truth.status);
  assert_true(none.slot == 7 && none.generation == 7);
  expect_error(&error, truth);
  assert_int_equal(graze_scene_set(world.scene, body, def, &error), truth.status);
  expect_error(&error, truth);
  assert_int_equal(graze_scene_add(world.scene, def, &none, NULL), truth.status);
  assert_int_equal(graze_scene_set(world.scene, body, def, NULL), truth.status);
  unsigned char *now = party_save(world.scene, &now_size);
  assert_true(now_size == size && memcmp(now, before, size) == 0);
  free(before), free(now);
}

static void expect_bad_shape(graze_shape shape, graze_body body, graze_error truth) {
  graze_body_def def = graze_default_body();
  def.shape = shape;
  expect_bad(&def, body, truth);
}

static graze_body begin_bad(int dim) {
  graze_body_def def = graze_default_body();
  graze_body body = {0, 0};
  graze_error error = {GRAZE_BAD_DATA, "?", 7, 7};
  const graze_error none = {GRAZE_OK, "", -1, 0};
  if (dim == 2) def.shape = graze_point2();
  naive_begin(1, dim);
  assert_int_equal(graze_scene_add(world.scene, &def, &body, &error), GRAZE_OK);
  expect_error(&error, none);
  error.status = GRAZE_BAD_DATA;
  assert_int_equal(graze_scene_set(world.scene, body, &def, &error), GRAZE_OK);
  expect_error(&error, none);
  return body;
}

#define BAD(...) expect_bad(&def, body, (graze_error){__VA_ARGS__})

TEST(test_bad_members) {
  const graze_body_def good = graze_default_body();
  graze_body_def def = good;
  const graze_body body = begin_bad(3);
  def.margin = -1, BAD(GRAZE_BAD_OPTION, "margin", -1, -1), def = good;
  def.margin = NAN, BAD(GRAZE_BAD_OPTION, "margin", -1, NAN), def = good;
  def.mass = 0, BAD(GRAZE_BAD_OPTION, "mass", -1, 0), def = good;
  def.mass = INFINITY, BAD(GRAZE_BAD_OPTION, "mass", -1, INFINITY), def = good;
  def.bounce = 1.5, BAD(GRAZE_BAD_OPTION, "bounce", -1, 1.5), def = good;
  def.type = (graze_body_type)0, BAD(GRAZE_BAD_OPTION, "type", -1, 0), def = good;
  def.type = (graze_body_type)4, BAD(GRAZE_BAD_OPTION, "type", -1, 4), def = good;
  def.response = (graze_response)4, BAD(GRAZE_BAD_OPTION, "response", -1, 4), def = good;
  def.pose.position.x = 2e40, BAD(GRAZE_BAD_NUMBER, "pose.position", 0, 2e40), def = good;
  def.pose.position.z = NAN, BAD(GRAZE_BAD_NUMBER, "pose.position", 2, NAN), def = good;
  def.pose.y = -INFINITY, BAD(GRAZE_BAD_NUMBER, "pose.rotation", 2, -INFINITY), def = good;
  def.pose.w = 0, BAD(GRAZE_BAD_SHAPE, "pose.rotation", -1, 0), def = good;
  def.motion.velocity.y = 2e40, BAD(GRAZE_BAD_NUMBER, "motion.velocity", 1, 2e40), def = good;
  def.motion.angular.z = NAN, BAD(GRAZE_BAD_NUMBER, "motion.angular", 2, NAN), def = good;
  def.type = GRAZE_STATIC;
  def.motion.velocity.z = 1, BAD(GRAZE_BAD_OPTION, "motion.velocity", 2, 1), def.motion = good.motion;
  def.motion.angular.x = 3, BAD(GRAZE_BAD_OPTION, "motion.angular", 0, 3);
  naive_end();
}

/* What the other dimension has, and half-spaces. */
TEST(test_bad_places) {
  graze_body_def good = graze_default_body(), def;
  graze_body body = begin_bad(2);
  good.shape = graze_point2(), def = good;
  def.pose.position.z = 1, BAD(GRAZE_DIM_MISMATCH, "pose.position", 2, 1), def = good;
  def.pose.x = 1, BAD(GRAZE_DIM_MISMATCH, "pose.rotation", 1, 1), def = good;
  def.motion.velocity = (graze_vec){1, 1, 2}, BAD(GRAZE_DIM_MISMATCH, "motion.velocity", 2, 2), def = good;
  def.motion.angular = (graze_vec){0, 4, 5}, BAD(GRAZE_DIM_MISMATCH, "motion.angular", 1, 4), def = good;
  def.shape = graze_sphere(1), BAD(GRAZE_DIM_MISMATCH, "shape.dim", -1, 3);
  naive_end();
  body = begin_bad(3);
  def = good = graze_default_body();
  def.shape = graze_circle(1), BAD(GRAZE_DIM_MISMATCH, "shape.dim", -1, 2);
  def.shape = graze_halfspace((graze_vec){0, 0, 1}, 0), BAD(GRAZE_UNSUPPORTED, "type", -1, GRAZE_DYNAMIC);
  def.type = GRAZE_KINEMATIC, def.motion = (graze_motion){{1, 0, 0}, {0, 2, 0}};
  BAD(GRAZE_UNSUPPORTED, "motion.angular", 1, 2);
  naive_end();
}

#define BAD_SHAPE(shape, ...) expect_bad_shape(shape, body, (graze_error){__VA_ARGS__})

TEST(test_bad_shapes) {
  const graze_vec far = {0, 3e40, 0}, up = {0, 0, 1}, dent[4] = {{-1, -1, 0}, {0, -0.5, 0}, {1, -1, 0}, {0, 1, 0}};
  graze_shape none = graze_point();
  graze_body body = begin_bad(3);
  BAD_SHAPE(graze_sphere(-1), GRAZE_BAD_SHAPE, "shape.radius", -1, -1);
  BAD_SHAPE(graze_capsule(1, -2), GRAZE_BAD_SHAPE, "shape.half_length", -1, -2);
  BAD_SHAPE(graze_box(1, -2, 1), GRAZE_BAD_SHAPE, "shape.half_extents", 1, -2);
  BAD_SHAPE(graze_ellipsoid(1, 1, NAN), GRAZE_BAD_NUMBER, "shape.radii", 2, NAN);
  BAD_SHAPE(graze_with_margin(graze_sphere(1), -1), GRAZE_BAD_SHAPE, "shape.margin", -1, -1);
  BAD_SHAPE(graze_segment(up, far), GRAZE_BAD_NUMBER, "shape.vertices", 1, 3e40);
  BAD_SHAPE(graze_hull(dent, 0), GRAZE_BAD_SHAPE, "shape.vertices", -1, 0);
  BAD_SHAPE(graze_halfspace((graze_vec){0, 0, 0}, 1), GRAZE_BAD_SHAPE, "shape.normal", -1, 0);
  BAD_SHAPE(graze_halfspace(up, INFINITY), GRAZE_BAD_NUMBER, "shape.offset", -1, INFINITY);
  BAD_SHAPE(graze_user(3, NULL, NULL), GRAZE_BAD_SHAPE, "shape.support", -1, 0);
  none.kind = (graze_shape_kind)99, BAD_SHAPE(none, GRAZE_BAD_SHAPE, "shape.type", -1, 99);
  none.kind = GRAZE_COMPOUND, BAD_SHAPE(none, GRAZE_BAD_SHAPE, "shape.parts", -1, 0);
  none.dim = 4, BAD_SHAPE(none, GRAZE_BAD_SHAPE, "shape.dim", -1, 4);
  naive_end();
  body = begin_bad(2);
  BAD_SHAPE(graze_polygon(dent, 4), GRAZE_NOT_CONVEX, "shape.vertices", 1, 0);
  naive_end();
}

TEST(test_bad_scenes) {
  graze_scene *scene = (graze_scene *)&world;
  graze_scene_def def[8];
  for (size_t i = 0; i < 8; i++) def[i] = graze_default_scene();
  def[0].dim = 4, def[1].samples = 1, def[2].skin = -1, def[3].skin = NAN, def[4].push_speed = -1;
  def[5].push_speed = INFINITY, def[6].method = GRAZE_METHOD_EPA, def[7].method = (graze_method)99;
  for (size_t i = 0; i < 8; i++) assert_int_equal(graze_scene_create(&def[i], NULL, &scene), GRAZE_BAD_OPTION);
  assert_ptr_equal(scene, &world);
}

/* Those that change a body or the scene, but say no more than the status. */
static graze_crossing choose_nothing(void *context, graze_body moved, graze_body other) {
  (void)context, (void)moved, (void)other;
  return (graze_crossing)5;
}

TEST(test_bad_changes) {
  graze_scene *s;
  const graze_body a = begin_bad(3);
  graze_body_def def = graze_default_body();
  graze_body plane, wall;
  graze_motion way = {{1, 0, 0}, {0, 0, 0}}, spin = {{0, 0, 0}, {0, 0, 1}}, bad = {{0, 0, 0}, {NAN, 0, 0}};
  size_t size, now_size, count = 77;
  s = world.scene;
  def.type = GRAZE_KINEMATIC, def.shape = graze_halfspace((graze_vec){0, 0, 1}, -9);
  assert_int_equal(graze_scene_add(s, &def, &plane, NULL), GRAZE_OK);
  def.type = GRAZE_STATIC, def.shape = graze_box(1, 1, 1), def.pose.position.x = 1.5;
  assert_int_equal(graze_scene_add(s, &def, &wall, NULL), GRAZE_OK);
  unsigned char *before = party_save(s, &size), *now;
  assert_int_equal(graze_scene_set_pose(s, a, graze_pose_at(0, NAN, 0)), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_set_pose(s, a, (graze_pose){{0, 0, 0}, 0, 0, 0, 0}), GRAZE_BAD_SHAPE);
  assert_int_equal(graze_scene_set_motion(s, a, &bad), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_set_motion(s, plane, &spin), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_scene_set_motion(s, wall, &way), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_move(s, wall, &way, NULL, NULL, NULL, 0, &count), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_move(s, a, &bad, NULL, NULL, NULL, 0, &count), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_move(s, plane, &spin, NULL, NULL, NULL, 0, &count), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_scene_move(s, a, &way, choose_nothing, NULL, NULL, 0, &count), GRAZE_BAD_OPTION);
  const double steps[] = {-1, NAN, INFINITY, 2e40};
  for (size_t i = 0; i < 4; i++) assert_int_equal(graze_scene_step(s, steps[i], NULL), GRAZE_BAD_OPTION);
  now = party_save(s, &now_size);
  assert_true(now_size == size && memcmp(now, before, size) == 0 && count == 77);
  assert_int_equal(graze_scene_save(s, now, size - 1, &now_size), GRAZE_NO_ROOM);
  assert_int_equal(now_size, size);
  free(now), free(before);
  way.velocity.x = 1e30;
  assert_int_equal(graze_scene_set_motion(s, a, &way), GRAZE_OK);
  before = party_save(s, &size);
  assert_int_equal(graze_scene_step(s, 1e30, NULL), GRAZE_BAD_NUMBER);
  now = party_save(s, &now_size);
  assert_true(now_size == size && memcmp(now, before, size) == 0);
  free(now), free(before);
  naive_end();
}

TEST(test_bad_questions) {
  const graze_body a = begin_bad(2);
  const graze_scene *s = world.scene;
  const graze_shape solid = graze_box(1, 1, 1), disk = graze_circle(1), no_disk = graze_circle(-1);
  const graze_placed in_space = graze_place(&solid, graze_pose_at(0, 0, 0)),
                     good = graze_place(&disk, graze_pose_at(0, 0, 0)),
                     bad = graze_place(&no_disk, graze_pose_at(0, 0, 0));
  const graze_motion still = {{0, 0, 0}, {0, 0, 0}}, off = {{0, 0, 1}, {0, 0, 0}};
  const graze_vec o = {0, 0, 0}, x = {1, 0, 0}, no = {NAN, 0, 0}, up = {0, 0, 1};
  const graze_aabb nan_box = {no, x}, inside_out = {x, o}, deep = {o, up};
  graze_body body;
  graze_near near;
  graze_impact impact;
  graze_answer answer;
  graze_contact contact;
  graze_body_pair pair;
  size_t count = 77;
  assert_int_equal(graze_scene_overlap(s, &in_space, NULL, &body, 1, &count), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_scene_overlap(s, &bad, NULL, &body, 1, &count), GRAZE_BAD_SHAPE);
  assert_int_equal(graze_scene_in_box(s, &nan_box, NULL, &body, 1, &count), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_in_box(s, &inside_out, NULL, &body, 1, &count), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_in_box(s, &deep, NULL, &body, 1, &count), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_scene_within(s, &good, -1, NULL, &near, 1, &count), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_within(s, &good, NAN, NULL, &near, 1, &count), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_within(s, &in_space, 1, NULL, &near, 1, &count), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_scene_nearest(s, &good, -1, NULL, &near, 1, &count), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_nearest(s, &bad, 1, NULL, &near, 1, &count), GRAZE_BAD_SHAPE);
  assert_int_equal(graze_scene_closest_pairs(s, NAN, &near, 1, &count), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_cast(s, &good, &off, 1, NULL, &body, &impact), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_scene_cast(s, &good, &still, -1, NULL, &body, &impact), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_cast(s, &good, &still, NAN, NULL, &body, &impact), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_cast(s, &bad, &still, 1, NULL, &body, &impact), GRAZE_BAD_SHAPE);
  assert_int_equal(graze_scene_raycast(s, no, x, 1, NULL, &body, &impact), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_scene_raycast(s, o, up, 1, NULL, &body, &impact), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_scene_raycast(s, o, x, -1, NULL, &body, &impact), GRAZE_BAD_OPTION);
  graze_options options = graze_default_options();
  options.tolerance = -1;
  assert_int_equal(graze_scene_manifold(s, a, a, &options, &answer, &contact, 1, &count), GRAZE_BAD_OPTION);
  assert_int_equal(graze_scene_manifold(s, a, a, NULL, &answer, &contact, 1, &count), GRAZE_BAD_OPTION);
  assert_int_equal(count, 77);
  assert_int_equal(graze_scene_overlap(s, &good, NULL, NULL, 0, &count), GRAZE_NO_ROOM);
  assert_int_equal(count, 1);
  assert_int_equal(graze_scene_pairs(s, &pair, 1, &count), GRAZE_OK);
  assert_int_equal(count, 0);
  graze_body_def def = graze_default_body();
  graze_body b;
  def.shape = disk;
  assert_int_equal(graze_scene_add(world.scene, &def, &b, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_manifold(s, a, b, NULL, &answer, &contact, 0, &count), GRAZE_NO_ROOM);
  assert_int_equal(graze_scene_manifold(s, a, b, &options, &answer, &contact, 1, &count), GRAZE_BAD_OPTION);
  naive_end();
}
