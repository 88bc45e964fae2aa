/* The moving cubes: sizes, places, rotations, directions and speeds at random, in a room of a fixed density. Cubes
 * begin apart, and turn round at the walls, which are nothing that they could meet. */
#include "simulate/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double SMALLEST = 0.2, LARGEST = 0.6; /* half edges */
static const double SLOWEST = 1, FASTEST = 10;     /* in units of length per unit of time */
static const double FASTEST_TURN = 6;              /* radians per unit of time */
static const double DENSITY = 0.05;                /* cubes per unit of volume */
enum { MOST_TRIES = 10000 };

/* SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine. */
static uint64_t next_bits(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static double next_between(uint64_t *state, double low, double high) {
  return low + (high - low) * ((double)(next_bits(state) >> 11) * 0x1p-53);
}

/* Of length 1, evenly spread: a point of the ball, drawn from the cube around it. */
static graze_vec next_direction(uint64_t *state) {
  for (;;) {
    double x = next_between(state, -1, 1), y = next_between(state, -1, 1), z = next_between(state, -1, 1);
    double square = x * x + y * y + z * z;
    if (square > 1 || square < 1e-4) continue;
    double length = sqrt(square);
    return (graze_vec){x / length, y / length, z / length};
  }
}

/* Evenly spread, too: a point of the ball in four dimensions. */
static graze_pose next_pose(uint64_t *state, graze_vec position) {
  for (;;) {
    double q[4], square = 0;
    for (int i = 0; i < 4; i++) {
      q[i] = next_between(state, -1, 1);
      square += q[i] * q[i];
    }
    if (square <= 1 && square > 1e-4) return graze_pose3(position, q[0], q[1], q[2], q[3]);
  }
}

static graze_vec times(graze_vec v, double factor) { return (graze_vec){factor * v.x, factor * v.y, factor * v.z}; }

/* Are the balls around two cubes apart? */
static bool is_apart(const sim_body *cube, graze_vec position, double half) {
  graze_vec p = cube->def.pose.position;
  double x = p.x - position.x, y = p.y - position.y, z = p.z - position.z;
  double both = cube->def.shape.as.box.half_extents.x + half;
  return x * x + y * y + z * z > 3 * both * both;
}

/* A place where the cube is apart from all before it. At this density there soon is one; but in the small rooms of a
 * few cubes there may be none. */
static graze_vec next_place(uint64_t *state, const sim_scene *scene, double half) {
  for (int tries = 0;; tries++) {
    double x = next_between(state, -scene->room, scene->room), y = next_between(state, -scene->room, scene->room);
    graze_vec position = {x, y, next_between(state, -scene->room, scene->room)};
    size_t i = 0;
    while (i < scene->count && is_apart(&scene->bodies[i], position, half)) i++;
    if (i == scene->count || tries == MOST_TRIES) return position;
  }
}

/* All random numbers are drawn whatever is made of them, so that --spin and --respond change nothing else. */
static void make_cube(uint64_t *state, const sim_cubes *cubes, sim_scene *scene) {
  double half = next_between(state, SMALLEST, LARGEST);
  graze_body_def def = graze_default_body();
  def.shape = graze_box(half, half, half);
  def.pose = next_pose(state, next_place(state, scene, half));
  graze_vec along = next_direction(state);
  def.motion.velocity = times(along, next_between(state, SLOWEST, FASTEST));
  graze_vec axis = next_direction(state);
  double rate = next_between(state, 0, FASTEST_TURN);
  if (cubes->spin) def.motion.angular = times(axis, rate);
  def.mass = 8 * half * half * half;
  def.response = cubes->respond;
  scene->bodies[scene->count++] = (sim_body){.def = def};
}

static void name_facts(const sim_cubes *cubes, sim_scene *scene) {
  sim_facts *facts = &scene->facts;
  sim_fact_add(facts, "cubes", "%zu", cubes->count);
  sim_fact_add(facts, "seed", "%llu", (unsigned long long)cubes->seed);
  sim_fact_add(facts, "half edges", "%g to %g", SMALLEST, LARGEST);
  sim_fact_add(facts, "speeds", "%g to %g, all directions", SLOWEST, FASTEST);
  if (cubes->spin)
    sim_fact_add(facts, "turning", "0 to %g radians per unit of time, all axes", FASTEST_TURN);
  else
    sim_fact_add(facts, "turning", "none (--spin)");
  sim_fact_add(facts, "room", "a cube of edge %.6g, %g cubes per unit of volume", 2 * scene->room, DENSITY);
  sim_fact_add(facts, "at its walls", "a cube turns round where its centre is beyond");
  sim_fact_add(facts, "mass", "the volume; bounce 1");
}

bool sim_cubes_make(const sim_cubes *cubes, sim_scene *scene) {
  *scene = (sim_scene){.dim = 3, .dt = 1.0 / 60, .steps = 600, .method = GRAZE_METHOD_AUTO};
  scene->bodies = calloc(cubes->count, sizeof *scene->bodies);
  if (scene->bodies == NULL) return false;
  scene->room = ceil(500 * cbrt((double)cubes->count / DENSITY)) / 1000; /* the same on every machine */
  double edge = scene->room + LARGEST;
  scene->view = (graze_aabb){{-edge, -edge, -edge}, {edge, edge, edge}};
  uint64_t state = cubes->seed;
  while (scene->count < cubes->count) make_cube(&state, cubes, scene);
  snprintf(scene->title, sizeof scene->title, "%zu moving cubes", cubes->count);
  snprintf(scene->note, sizeof scene->note,
           "A cube is green, red while it is in collision, and green again when apart.");
  name_facts(cubes, scene);
  return true;
}
