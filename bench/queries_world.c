/* The random world of `queries`: 27 units of volume (2D: 9 of area) per body of diameter 0.4 to 1.7. */
#define _POSIX_C_SOURCE 199309L
#include "queries.h"

#include "probe.h"

enum { MOST_VERTICES = 16 };
static const double SPACING = 3;

static uint64_t state;

static double between(double low, double high) { return low + (high - low) * 0.5 * (probe_uniform(&state) + 1); }

static void random_position(const query_world *world, double position[3]) {
  for (int i = 0; i < 3; i++) position[i] = i < world->dim ? between(-world->half, world->half) : 0;
}

static void random_rotation(int dim, double rotation[4]) {
  double square;
  do {
    square = 0;
    for (int i = 0; i < 4; i++) {
      rotation[i] = dim == 2 && i < 2 ? 0 : between(-1, 1);
      square += rotation[i] * rotation[i];
    }
  } while (square > 1 || square < 0.01);
  for (int i = 0; i < 4; i++) rotation[i] /= sqrt(square);
}

static graze_vec random_direction(int dim) {
  const graze_vec v = probe_sphere(&state);
  const double length = sqrt(v.x * v.x + v.y * v.y);
  if (dim == 3 || length == 0) return v;
  return (graze_vec){v.x / length, v.y / length, 0};
}

static int32_t random_hull(int dim, const double size[3], double (*vertices)[3]) {
  const int32_t count = (int32_t)(dim == 2 ? between(5, 8.999) : between(8, MOST_VERTICES + 0.999));
  for (int32_t i = 0; i < count; i++) {
    const double angle = 6.283185307179586 * (i + between(-0.3, 0.3)) / count;
    const graze_vec d = dim == 2 ? (graze_vec){cos(angle), sin(angle), 0} : probe_sphere(&state);
    vertices[i][0] = size[0] * d.x, vertices[i][1] = size[1] * d.y, vertices[i][2] = size[2] * d.z;
  }
  return count;
}

/* In 2D an octagon along x, in 3D two twisted squares along z. */
static void make_link(int dim, double vertices[QUERY_LINK_VERTICES][3]) {
  for (int i = 0; i < QUERY_LINK_VERTICES; i++) {
    const double angle = 6.283185307179586 * i / QUERY_LINK_VERTICES, c = cos(angle), s = sin(angle);
    vertices[i][0] = dim == 2 ? 0.35 * c : 0.15 * c;
    vertices[i][1] = 0.15 * s;
    vertices[i][2] = dim == 2 ? 0 : i % 2 ? 0.35 : -0.35;
  }
}

static void random_body(const query_world *world, size_t index) {
  query_body *body = &world->bodies[index];
  *body = (query_body){.shape = (int32_t)between(0, 3.999)};
  for (int i = 0; i < 3; i++) body->size[i] = between(0.2, 0.5);
  random_position(world, body->position);
  random_rotation(world->dim, body->rotation);
  if (body->shape != QUERY_HULL) return;
  double(*vertices)[3] = world->vertices + index * MOST_VERTICES;
  for (int i = 0; i < 3; i++) body->size[i] += 0.1;
  body->vertex_count = random_hull(world->dim, body->size, vertices);
  body->vertices = vertices;
}

/* Rays and casts are as long as the edge of the world; characters move by half a unit. */
static void random_query(const query_world *world, query_kind kind, scene_query *query) {
  const double length = kind == QUERY_MOVE ? 0.5 : 2 * world->half;
  const graze_vec d = random_direction(world->dim);
  random_position(world, query->position);
  random_rotation(world->dim, query->rotation);
  query->motion[0] = length * d.x, query->motion[1] = length * d.y, query->motion[2] = length * d.z;
}

static void rotate(const double q[4], const double v[3], double out[3]) {
  const double x = q[1] * v[2] - q[2] * v[1] + q[3] * v[0], y = q[2] * v[0] - q[0] * v[2] + q[3] * v[1];
  const double z = q[0] * v[1] - q[1] * v[0] + q[3] * v[2];
  out[0] = v[0] + 2 * (q[1] * z - q[2] * y);
  out[1] = v[1] + 2 * (q[2] * x - q[0] * z);
  out[2] = v[2] + 2 * (q[0] * y - q[1] * x);
}

/* Each link begins where the previous one ends. */
static void random_robot(const query_world *world, scene_query links[QUERY_LINKS]) {
  const double half[3] = {world->dim == 2 ? 0.3 : 0, 0, world->dim == 2 ? 0 : 0.3};
  double joint[3], arm[3];
  random_position(world, joint);
  for (int i = 0; i < QUERY_LINKS; i++) {
    random_rotation(world->dim, links[i].rotation);
    rotate(links[i].rotation, half, arm);
    for (int k = 0; k < 3; k++) links[i].position[k] = joint[k] + arm[k], joint[k] += 2 * arm[k];
  }
}

query_world query_world_make(int dim, size_t count, size_t queries) {
  const double edge = SPACING * (dim == 2 ? sqrt((double)count) : cbrt((double)count));
  query_world world = {.dim = dim, .count = count, .query_count = queries, .half = edge / 2};
  state = 0x9e3779b97f4a7c15u;
  world.bodies = probe_allocate(count, sizeof *world.bodies);
  world.vertices = probe_allocate(count * MOST_VERTICES, sizeof *world.vertices);
  for (size_t i = 0; i < count; i++) random_body(&world, i);
  for (int kind = 0; kind < QUERY_ROBOT; kind++) {
    world.queries[kind] = probe_allocate(queries, sizeof(scene_query));
    for (size_t i = 0; i < queries; i++) random_query(&world, (query_kind)kind, &world.queries[kind][i]);
  }
  make_link(dim, world.link);
  world.queries[QUERY_ROBOT] = probe_allocate(queries * QUERY_LINKS, sizeof(scene_query));
  for (size_t i = 0; i < queries; i++) random_robot(&world, &world.queries[QUERY_ROBOT][i * QUERY_LINKS]);
  return world;
}

void query_world_choose_starts(query_world *world, double least, double most, query_gap_function function,
                               void *context) {
  for (size_t i = 0; i < world->query_count; i++) {
    scene_query *query = &world->queries[QUERY_MOVE][i];
    double gap;
    while (gap = function(context, query, query->position), gap < least || gap > most)
      random_query(world, QUERY_MOVE, query);
  }
}

void query_world_free(query_world *world) {
  free(world->bodies);
  free(world->vertices);
  for (int kind = 0; kind < QUERY_KINDS; kind++) free(world->queries[kind]);
}
