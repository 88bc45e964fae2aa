/* Box2D v3, in floats. https://github.com/erincatto/box2d */
#include "../queries.h"

#include <box2d/box2d.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PLANES = 16, MOVE_ITERATIONS = 5 };

typedef union box2d_shape {
  b2Polygon polygon;
  b2Circle circle;
  b2Capsule capsule;
} box2d_shape;

typedef struct box2d_world {
  const query_world *world;
  b2WorldId id;
  box2d_shape *shapes;
} box2d_world;

static b2Vec2 vector(const double v[3]) { return (b2Vec2){(float)v[0], (float)v[1]}; }

static b2Rot rotation(const double q[4]) {
  const double sine = 2 * q[2] * q[3], cosine = q[3] * q[3] - q[2] * q[2];
  return (b2Rot){(float)cosine, (float)sine};
}

static b2Capsule capsule(const double s[2]) {
  const float half = (float)s[1];
  return (b2Capsule){{-half, 0}, {half, 0}, (float)s[0]};
}

static b2Polygon polygon(const query_body *body) {
  b2Vec2 points[B2_MAX_POLYGON_VERTICES];
  for (int i = 0; i < body->vertex_count; i++) points[i] = vector(body->vertices[i]);
  const b2Hull hull = b2ComputeHull(points, body->vertex_count);
  return b2MakePolygon(&hull, 0);
}

static box2d_shape shape_of(const query_body *body) {
  switch (body->shape) {
  case QUERY_BOX: return (box2d_shape){.polygon = b2MakeBox((float)body->size[0], (float)body->size[1])};
  case QUERY_BALL: return (box2d_shape){.circle = {{0, 0}, (float)body->size[0]}};
  case QUERY_CAPSULE: return (box2d_shape){.capsule = capsule(body->size)};
  default: return (box2d_shape){.polygon = polygon(body)};
  }
}

static void *make(const query_world *world) {
  box2d_world *self = malloc(sizeof *self);
  box2d_shape *shapes = malloc(world->count * sizeof *shapes);
  if (!self || !shapes) exit(1);
  b2WorldDef def = b2DefaultWorldDef();
  def.gravity = (b2Vec2){0, 0};
  *self = (box2d_world){world, b2CreateWorld(&def), shapes};
  for (size_t i = 0; i < world->count; i++) shapes[i] = shape_of(&world->bodies[i]);
  return self;
}

static void add(void *context, size_t index) {
  const box2d_world *self = context;
  const query_body *source = &self->world->bodies[index];
  b2BodyDef def = b2DefaultBodyDef();
  b2ShapeDef shape = b2DefaultShapeDef();
  def.position = vector(source->position);
  def.rotation = rotation(source->rotation);
  const b2BodyId body = b2CreateBody(self->id, &def);
  if (source->shape == QUERY_BALL)
    b2CreateCircleShape(body, &shape, &self->shapes[index].circle);
  else if (source->shape == QUERY_CAPSULE)
    b2CreateCapsuleShape(body, &shape, &self->shapes[index].capsule);
  else
    b2CreatePolygonShape(body, &shape, &self->shapes[index].polygon);
}

static void step(void *context) {
  const box2d_world *self = context;
  b2World_Step(self->id, 1.0f / 60, 1);
}

static float keep_first(b2ShapeId shape, b2Pos point, b2Vec2 normal, float fraction, void *context) {
  (void)shape, (void)point, (void)normal;
  *(double *)context = fraction;
  return fraction;
}

static bool count_all(b2ShapeId shape, void *context) {
  (void)shape;
  ++*(double *)context;
  return true;
}

static bool count_one(b2ShapeId shape, void *context) {
  (void)shape;
  *(double *)context = 1;
  return false;
}

static double cast(const box2d_world *self, const b2Vec2 *points, int count, float radius, const scene_query *query) {
  const b2ShapeProxy proxy =
      b2MakeOffsetProxy(points, count, radius, vector(query->position), rotation(query->rotation));
  double first = HUGE_VAL;
  b2World_CastShape(self->id, b2Pos_zero, &proxy, vector(query->motion), b2DefaultQueryFilter(), keep_first, &first);
  return first;
}

/* Bodies nearer than the radius of the points. */
static double overlap(const box2d_world *self, const b2Vec2 *points, int count, double radius, const scene_query *query,
                      b2OverlapResultFcn *function) {
  const b2Vec2 position = vector(query->position);
  const b2ShapeProxy proxy = b2MakeOffsetProxy(points, count, (float)radius, position, rotation(query->rotation));
  double found = 0;
  b2World_OverlapShape(self->id, b2Pos_zero, &proxy, b2DefaultQueryFilter(), function, &found);
  return found;
}

static double robot(const box2d_world *self, const scene_query links[QUERY_LINKS]) {
  const b2Capsule core = capsule(query_link_capsule);
  const b2Vec2 ends[2] = {core.center1, core.center2};
  b2Vec2 points[QUERY_LINK_VERTICES];
  double near = 0;
  for (int i = 0; i < QUERY_LINK_VERTICES; i++) points[i] = vector(self->world->link[i]);
  for (int i = 0; i < QUERY_LINKS; i++)
    near += i % 2 ? overlap(self, points, QUERY_LINK_VERTICES, QUERY_CLEARANCE, &links[i], count_one)
                  : overlap(self, ends, 2, query_link_capsule[0] + QUERY_CLEARANCE, &links[i], count_one);
  return near;
}

typedef struct plane_list {
  b2CollisionPlane planes[MOST_PLANES];
  int count;
} plane_list;

static bool add_plane(b2ShapeId shape, const b2PlaneResult *result, void *context) {
  plane_list *list = context;
  (void)shape;
  if (list->count < MOST_PLANES) list->planes[list->count++] = (b2CollisionPlane){result->plane, FLT_MAX, 0, true};
  return true;
}

/* The loop of the character in Box2D's samples. */
static double move(const box2d_world *self, const scene_query *query, double end[3]) {
  const b2Capsule local = capsule(query_character);
  const b2Rot q = rotation(query->rotation);
  const b2Capsule turned = {b2RotateVector(q, local.center1), b2RotateVector(q, local.center2), local.radius};
  const b2QueryFilter filter = b2DefaultQueryFilter();
  b2Vec2 position = vector(query->position);
  const b2Vec2 target = b2Add(position, vector(query->motion));
  for (int i = 0; i < MOVE_ITERATIONS; i++) {
    plane_list list = {.count = 0};
    b2World_CollideMover(self->id, position, &turned, filter, add_plane, &list);
    const b2Vec2 delta = b2SolvePlanes(b2Sub(target, position), list.planes, list.count).translation;
    const b2Vec2 moved = b2MulSV(b2World_CastMover(self->id, position, &turned, delta, filter), delta);
    position = b2Add(position, moved);
    if (b2LengthSquared(moved) < 1e-4f) break;
  }
  end[0] = position.x, end[1] = position.y, end[2] = 0;
  return 0;
}

static double answer(void *context, query_kind kind, size_t index, const scene_query *query, double end[3]) {
  static const b2Vec2 center = {0, 0};
  const box2d_world *self = context;
  const double *half = kind == QUERY_BOX_CAST ? query_cast_box : query_overlap_box;
  const float x = (float)half[0], y = (float)half[1];
  const b2Vec2 box[4] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  double first = HUGE_VAL;
  (void)index;
  switch (kind) {
  case QUERY_RAY:
    b2World_CastRay(self->id, vector(query->position), vector(query->motion), b2DefaultQueryFilter(), keep_first,
                    &first);
    return first;
  case QUERY_OVERLAP: return overlap(self, box, 4, 0, query, count_all);
  case QUERY_ANY: return overlap(self, box, 4, 0, query, count_one);
  case QUERY_ROBOT: return robot(self, query);
  case QUERY_BOX_CAST: return cast(self, box, 4, 0, query);
  case QUERY_BALL_CAST: return cast(self, &center, 1, (float)QUERY_RADIUS, query);
  default: return move(self, query, end);
  }
}

static void release(void *context) {
  box2d_world *self = context;
  b2DestroyWorld(self->id);
  free(self->shapes);
  free(self);
}

const query_peer query_box2d = {"box2d", true, true,   false,  1u << QUERY_NEAREST, make, add,
                                step,    NULL, answer, release};
