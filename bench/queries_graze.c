/* Graze as a peer of `queries`. */
#define _POSIX_C_SOURCE 199309L
#include "probe.h"
#include "queries.h"

#include <graze/scene.h>

enum { MOST_FOUND = 1024 };

typedef struct graze_world {
  const query_world *world;
  graze_scene *scene;
  graze_shape *shapes, overlap, cast, ball, point, character, links[2];
  graze_body characters[QUERY_CHARACTERS], found[MOST_FOUND];
  size_t character_count;
} graze_world;

static graze_vec vector(const double v[3]) { return (graze_vec){v[0], v[1], v[2]}; }

static graze_pose pose_of(const double position[3], const double q[4]) {
  return graze_pose3(vector(position), q[3], q[0], q[1], q[2]);
}

static graze_shape box_of(int dim, const double h[3]) {
  return dim == 2 ? graze_box2(h[0], h[1]) : graze_box(h[0], h[1], h[2]);
}

static graze_shape ball_of(int dim, double radius) { return dim == 2 ? graze_circle(radius) : graze_sphere(radius); }

static graze_shape capsule_of(int dim, const double s[2]) {
  return dim == 2 ? graze_capsule2(s[0], s[1]) : graze_capsule(s[0], s[1]);
}

static graze_shape hull_of(int dim, const double *points, size_t count) {
  const graze_vec *vertices = (const graze_vec *)points;
  return dim == 2 ? graze_polygon(vertices, count) : graze_hull_points(vertices, count);
}

static graze_shape shape_of(int dim, const query_body *body) {
  switch (body->shape) {
  case QUERY_BOX: return box_of(dim, body->size);
  case QUERY_BALL: return ball_of(dim, body->size[0]);
  case QUERY_CAPSULE: return capsule_of(dim, body->size);
  default: return hull_of(dim, body->vertices[0], (size_t)body->vertex_count);
  }
}

static void *make(const query_world *world) {
  graze_world *self = probe_allocate(1, sizeof *self);
  graze_scene_def def = graze_default_scene();
  const int dim = def.dim = world->dim;
  self->world = world;
  self->overlap = box_of(dim, query_overlap_box);
  self->cast = box_of(dim, query_cast_box);
  self->ball = ball_of(dim, QUERY_RADIUS);
  self->point = dim == 2 ? graze_point2() : graze_point();
  self->character = capsule_of(dim, query_character);
  self->links[0] = graze_with_margin(capsule_of(dim, query_link_capsule), QUERY_CLEARANCE);
  self->links[1] = graze_with_margin(hull_of(dim, world->link[0], QUERY_LINK_VERTICES), QUERY_CLEARANCE);
  self->shapes = probe_allocate(world->count, sizeof *self->shapes);
  for (size_t i = 0; i < world->count; i++) self->shapes[i] = shape_of(dim, &world->bodies[i]);
  probe_expect(graze_scene_create(&def, NULL, &self->scene, NULL), "scene");
  return self;
}

static void add(void *context, size_t index) {
  graze_world *self = context;
  const query_body *source = &self->world->bodies[index];
  graze_body_def def = graze_default_body();
  graze_body body;
  def.shape = self->shapes[index];
  def.pose = pose_of(source->position, source->rotation);
  def.type = GRAZE_STATIC;
  probe_expect(graze_scene_add(self->scene, &def, &body, NULL), "add");
}

static void step(void *context) {
  const graze_world *self = context;
  probe_expect(graze_scene_step(self->scene, 0, NULL, NULL), "step");
}

/* Characters do not collide with each other. */
static void place(void *context, const scene_query *moves, size_t count) {
  graze_world *self = context;
  graze_body_def def = graze_default_body();
  for (size_t i = 0; i < self->character_count; i++)
    probe_expect(graze_scene_remove(self->scene, self->characters[i]), "remove");
  def.shape = self->character;
  def.mask = 1, def.category = 2;
  for (size_t i = 0; i < count; i++) {
    def.pose = pose_of(moves[i].position, moves[i].rotation);
    probe_expect(graze_scene_add(self->scene, &def, &self->characters[i], NULL), "add");
  }
  self->character_count = count;
  step(self);
}

static double move(const graze_world *self, graze_body character, const scene_query *query, double end[3]) {
  const graze_motion motion = {vector(query->motion), {0, 0, 0}};
  size_t count;
  probe_expect(graze_scene_move(self->scene, character, &motion, NULL, NULL, NULL, 0, &count, NULL), "move");
  const graze_vec position = graze_scene_placed(self->scene, character)->pose.position;
  end[0] = position.x, end[1] = position.y, end[2] = position.z;
  return 0;
}

static double cast(const graze_world *self, const graze_shape *shape, const scene_query *query) {
  const graze_placed placed = graze_place(shape, pose_of(query->position, query->rotation));
  const graze_motion motion = {vector(query->motion), {0, 0, 0}};
  graze_body body;
  graze_cast_result result;
  probe_expect(graze_scene_cast(self->scene, &placed, &motion, 1, NULL, &body, &result, NULL), "cast");
  return body.generation > 0 ? result.t : HUGE_VAL;
}

static bool overlaps(const graze_world *self, const graze_shape *shape, const scene_query *query) {
  const graze_placed placed = graze_place(shape, pose_of(query->position, query->rotation));
  graze_body body;
  probe_expect(graze_scene_overlap_any(self->scene, &placed, NULL, &body, NULL), "overlap_any");
  return body.generation > 0;
}

static double robot(const graze_world *self, const scene_query links[QUERY_LINKS]) {
  int near = 0;
  for (int i = 0; i < QUERY_LINKS; i++) near += overlaps(self, &self->links[i % 2], &links[i]);
  return near;
}

static double answer(void *context, query_kind kind, size_t index, const scene_query *query, double end[3]) {
  graze_world *self = context;
  graze_body body;
  graze_cast_result result;
  graze_neighbor nearest;
  graze_placed placed;
  size_t count = 0;
  switch (kind) {
  case QUERY_RAY:
    probe_expect(
        graze_scene_raycast(self->scene, vector(query->position), vector(query->motion), 1, NULL, &body, &result, NULL),
        "ray");
    return body.generation > 0 ? result.t : HUGE_VAL;
  case QUERY_OVERLAP:
    placed = graze_place(&self->overlap, pose_of(query->position, query->rotation));
    probe_expect(graze_scene_overlap(self->scene, &placed, NULL, self->found, MOST_FOUND, &count, NULL), "overlap");
    return (double)count;
  case QUERY_ANY: return overlaps(self, &self->overlap, query);
  case QUERY_BOX_CAST: return cast(self, &self->cast, query);
  case QUERY_BALL_CAST: return cast(self, &self->ball, query);
  case QUERY_NEAREST:
    placed = graze_place(&self->point, graze_pose_at(query->position[0], query->position[1], query->position[2]));
    probe_expect(graze_scene_nearest(self->scene, &placed, HUGE_VAL, NULL, &nearest, 1, &count, NULL), "nearest");
    return fmax(nearest.answer.distance, 0);
  case QUERY_ROBOT: return robot(self, query);
  default: return move(self, self->characters[index], query, end);
  }
}

double query_graze_gap(void *context, const scene_query *query, const double position[3]) {
  const graze_world *self = context;
  const graze_placed placed = graze_place(&self->character, pose_of(position, query->rotation));
  graze_neighbor nearest;
  size_t count;
  probe_expect(graze_scene_nearest(self->scene, &placed, HUGE_VAL, NULL, &nearest, 1, &count, NULL), "nearest");
  return nearest.answer.distance;
}

static void release(void *context) {
  graze_world *self = context;
  graze_scene_destroy(self->scene);
  free(self->shapes);
  free(self);
}

const query_peer query_graze = {"graze", false, true, true, 0, make, add, step, place, answer, release};
