#include "scene/churn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Creation */

graze_scene *churn_scene(churn *c) {
  const graze_allocator allocator = failing_allocator(&c->memory);
  graze_scene_def def = graze_default_scene();
  graze_parallel parallel;
  graze_scene *scene;
  def.dim = c->kind.dim;
  def.push_speed = 8;
  if (c->pool != NULL) parallel = graze_pool_parallel(c->pool), def.parallel = &parallel;
  assert_int_equal(graze_scene_create(&def, &allocator, &scene, NULL), GRAZE_OK);
  return scene;
}

void churn_begin(churn *c, churn_kind kind) {
  memset(c, 0, sizeof *c);
  c->kind = kind;
  c->dice = kind.seed;
  c->memory.fail_at = -1, c->memory.once = true;
  c->target = kind.most;
  make_body_kind(&c->dice, kind.dim, kind.spread, kind.plain, &c->bodies);
  c->bodies.responds = kind.responds, c->bodies.planes = true;
  if (kind.threads > 1) assert_int_equal(graze_pool_create(kind.threads, NULL, &c->pool), GRAZE_OK);
  c->scene = churn_scene(c);
}

void churn_end(churn *c) {
  graze_scene_destroy(c->scene);
  graze_compound_destroy(c->bodies.parts.compound);
  graze_pool_destroy(c->pool);
  free(c->bytes);
  assert_int_equal(c->memory.bytes, 0);
}

/* ---- The list */

size_t churn_any_slot(churn *c) {
  size_t slot;
  do slot = (size_t)rng_below(&c->dice, (int)c->now.slots);
  while (!c->now.there[slot]);
  return slot;
}

bool churn_is_live(const churn *c, graze_body body) {
  return body.slot < c->now.slots && c->now.there[body.slot] && c->now.body[body.slot].generation == body.generation;
}

static bool has_vertices(const graze_shape *shape) { return shape->kind == GRAZE_POLYGON || shape->kind == GRAZE_HULL; }

graze_body_def churn_def(const churn_list *list, size_t slot) {
  graze_body_def def = list->def[slot];
  if (has_vertices(&def.shape)) def.shape.as.hull.vertices = list->vertices[slot];
  return def;
}

graze_placed churn_placed(const churn_list *list, size_t slot) {
  const graze_body_def def = churn_def(list, slot);
  return graze_place(&def.shape, def.pose);
}

void churn_insert(churn *c, graze_body body, const graze_body_def *def) {
  churn_list *list = &c->now;
  const size_t slot = body.slot;
  const bool copies = has_vertices(&def->shape);
  assert_true(slot < CHURN_SLOTS && (!copies || def->shape.as.hull.count <= CHURN_VERTICES));
  if (copies) memcpy(list->vertices[slot], def->shape.as.hull.vertices, def->shape.as.hull.count * sizeof(graze_vec));
  if (!list->there[slot]) list->count++;
  if (slot == list->slots) list->slots++;
  list->there[slot] = true;
  list->body[slot] = body;
  list->def[slot] = *def;
  if (copies) list->def[slot].shape.as.hull.vertices = NULL;
}

static void record_stale(churn *c, graze_body body) { c->stale[c->stale_count++ % CHURN_STALE] = body; }

void churn_remove(churn *c, size_t slot) {
  churn_list *list = &c->now;
  record_stale(c, list->body[slot]);
  list->there[slot] = false;
  list->count--;
  list->spent += list->body[slot].generation == UINT32_MAX;
  for (size_t i = 0; i < CHURN_SLOTS; i++) list->met[slot][i] = list->met[i][slot] = false;
}

void churn_become(churn *c, const churn_list *list) {
  for (size_t i = 0; i < c->now.slots; i++) {
    const bool stays = list->there[i] && list->body[i].generation == c->now.body[i].generation;
    if (c->now.there[i] && !stays) record_stale(c, c->now.body[i]);
  }
  c->now = *list;
}

/* ---- Comparison */

bool churn_same_vec(graze_vec p, graze_vec q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

bool churn_same_pose(graze_pose p, graze_pose q) {
  return churn_same_vec(p.position, q.position) && p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z;
}

bool churn_same_motion(graze_motion p, graze_motion q) {
  return churn_same_vec(p.velocity, q.velocity) && churn_same_vec(p.angular, q.angular);
}

static void expect_vertices(const graze_vec *v, const graze_vec *truth, size_t count) {
  for (size_t i = 0; i < count; i++) assert_true(churn_same_vec(v[i], truth[i]));
}

/* Independent of graze_shape_equal(). */
static void expect_shape(const graze_shape *shape, const graze_shape *truth) {
  assert_true(shape->kind == truth->kind && shape->dim == truth->dim && shape->margin == truth->margin);
  switch (truth->kind) {
  case GRAZE_POINT: break;
  case GRAZE_SEGMENT: expect_vertices(shape->as.segment.vertices, truth->as.segment.vertices, 2); break;
  case GRAZE_TRIANGLE: expect_vertices(shape->as.triangle.vertices, truth->as.triangle.vertices, 3); break;
  case GRAZE_BOX: expect_vertices(&shape->as.box.half_extents, &truth->as.box.half_extents, 1); break;
  case GRAZE_POLYGON:
    assert_int_equal(shape->as.polygon.count, truth->as.polygon.count);
    expect_vertices(shape->as.polygon.vertices, truth->as.polygon.vertices, truth->as.polygon.count);
    break;
  case GRAZE_HULL:
    assert_int_equal(shape->as.hull.count, truth->as.hull.count);
    expect_vertices(shape->as.hull.vertices, truth->as.hull.vertices, truth->as.hull.count);
    break;
  case GRAZE_SPHERE: assert_true(shape->as.sphere.radius == truth->as.sphere.radius); break;
  case GRAZE_CAPSULE:
  case GRAZE_CYLINDER:
  case GRAZE_CONE:
    assert_true(shape->as.capsule.radius == truth->as.capsule.radius);
    assert_true(shape->as.capsule.half_length == truth->as.capsule.half_length);
    break;
  case GRAZE_ELLIPSOID: expect_vertices(&shape->as.ellipsoid.radii, &truth->as.ellipsoid.radii, 1); break;
  case GRAZE_HALFSPACE:
    assert_true(shape->as.halfspace.offset == truth->as.halfspace.offset);
    expect_vertices(&shape->as.halfspace.normal, &truth->as.halfspace.normal, 1);
    break;
  case GRAZE_USER:
    assert_true(shape->as.user.support == truth->as.user.support);
    assert_ptr_equal(shape->as.user.context, truth->as.user.context);
    break;
  case GRAZE_COMPOUND: assert_ptr_equal(shape->as.compound, truth->as.compound); break;
  case GRAZE_MESH: assert_ptr_equal(shape->as.mesh, truth->as.mesh); break;
  }
}

void churn_expect_body(const churn *c, size_t slot) {
  graze_body_def def;
  const graze_body_def truth = churn_def(&c->now, slot);
  const graze_placed *placed = graze_scene_placed(c->scene, c->now.body[slot]);
  assert_int_equal(graze_scene_get(c->scene, c->now.body[slot], &def), GRAZE_OK);
  expect_shape(&def.shape, &truth.shape);
  expect_shape(&placed->shape, &truth.shape);
  assert_true(churn_same_pose(def.pose, truth.pose) && churn_same_pose(placed->pose, truth.pose));
  assert_true(churn_same_motion(def.motion, truth.motion));
  assert_true(def.type == truth.type && def.category == truth.category && def.mask == truth.mask);
  assert_true(def.sensor == truth.sensor && def.margin == truth.margin && def.response == truth.response);
  assert_true(def.mass == truth.mass && def.bounce == truth.bounce && def.user == truth.user);
}

void churn_expect_all(const churn *c) {
  graze_body at = {0, 0};
  assert_int_equal(graze_scene_count(c->scene), c->now.count);
  for (size_t i = 0; i < c->now.slots; i++) {
    if (!c->now.there[i]) continue;
    churn_expect_body(c, i);
    at = graze_scene_next(c->scene, at);
    assert_true(at.slot == i && at.generation == c->now.body[i].generation);
  }
  assert_int_equal(graze_scene_next(c->scene, at).generation, 0);
}
