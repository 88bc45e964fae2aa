/* Fixed queries for counting instructions: the counts show a slower code path independently of the load of the machine.
 * Each printed line is a query and its number of repetitions in one call of counted(), in the order of these calls.
 * tools/check_instructions.py counts each call. */
#define _POSIX_C_SOURCE 199309L
#include "probe.h"

#include <stdbool.h>
#include <string.h>

enum { PAIRS = 64, VERTICES = 64 };

typedef enum counted_kind {
  BOX,
  HULL_8,
  HULL_32,
  HULL_64,
  CAPSULE,
  TRIANGLE,
  ELLIPSOID,
  POLYGON,
  ROUND_POLYGON
} counted_kind;
typedef enum counted_query { INTERSECT, DISTANCE, CAST, SWEEP, MANIFOLD } counted_query;

typedef enum counted_placement {
  SEPARATED, /* centres at distances from low to high */
  FRAMES,    /* the same; each pair is the previous one, slightly moved and rotated; with a cache */
  PASS,      /* the same; B moves perpendicularly to the line of centres */
  TOUCH      /* support points coincide up to rounding */
} counted_placement;

typedef struct counted_case {
  const char *name;
  counted_kind kind[2];
  counted_query query;
  counted_placement placement;
  double low, high;
} counted_case;

static const counted_case CASES[] = {
    {"boxes intersect", {BOX, BOX}, INTERSECT, SEPARATED, 0.5, 2},
    {"boxes distance", {BOX, BOX}, DISTANCE, SEPARATED, 2, 4},
    {"boxes depth", {BOX, BOX}, DISTANCE, SEPARATED, 0.1, 0.5},
    {"boxes manifold", {BOX, BOX}, MANIFOLD, SEPARATED, 0.1, 0.5},
    {"boxes cast", {BOX, BOX}, CAST, SEPARATED, 2, 4},
    {"boxes sweep", {BOX, BOX}, SWEEP, SEPARATED, 2, 4},
    {"hulls of 8 intersect", {HULL_8, HULL_8}, INTERSECT, SEPARATED, 0.5, 2.5},
    {"hulls of 32 intersect", {HULL_32, HULL_32}, INTERSECT, SEPARATED, 1, 3},
    {"hulls of 32 distance", {HULL_32, HULL_32}, DISTANCE, SEPARATED, 2.5, 4},
    {"hulls of 32 depth", {HULL_32, HULL_32}, DISTANCE, SEPARATED, 0.5, 1},
    {"hulls of 64, frames, distance", {HULL_64, HULL_64}, DISTANCE, FRAMES, 3, 3},
    {"capsule and box intersect", {CAPSULE, BOX}, INTERSECT, SEPARATED, 0.5, 2},
    {"capsule and box distance", {CAPSULE, BOX}, DISTANCE, SEPARATED, 2, 4},
    {"triangles intersect", {TRIANGLE, TRIANGLE}, INTERSECT, SEPARATED, 0.2, 1.5},
    {"triangles distance", {TRIANGLE, TRIANGLE}, DISTANCE, SEPARATED, 2, 4},
    {"triangles depth", {TRIANGLE, TRIANGLE}, DISTANCE, SEPARATED, 0, 0.1},
    {"triangle and capsule distance", {TRIANGLE, CAPSULE}, DISTANCE, SEPARATED, 2, 4},
    {"triangle and box depth", {TRIANGLE, BOX}, DISTANCE, SEPARATED, 0, 0.2},
    {"polygons of 8 distance", {POLYGON, POLYGON}, DISTANCE, SEPARATED, 2, 4},
    {"polygons of 8 depth", {POLYGON, POLYGON}, DISTANCE, SEPARATED, 0.1, 0.5},
    {"polygons of 8 manifold", {POLYGON, POLYGON}, MANIFOLD, SEPARATED, 0.1, 0.5},
    {"polygons of 8 cast", {POLYGON, POLYGON}, CAST, SEPARATED, 2, 4},
    {"polygons of 64, frames, distance", {ROUND_POLYGON, ROUND_POLYGON}, DISTANCE, FRAMES, 4, 4},
    {"hulls of 8 touch, intersect", {HULL_8, HULL_8}, INTERSECT, TOUCH, 0, 0},
    {"hulls of 32 touch, distance", {HULL_32, HULL_32}, DISTANCE, TOUCH, 0, 0},
    {"ellipsoids distance", {ELLIPSOID, ELLIPSOID}, DISTANCE, SEPARATED, 3, 5},
    {"ellipsoids depth", {ELLIPSOID, ELLIPSOID}, DISTANCE, SEPARATED, 0.1, 0.5},
    {"ellipsoids touch, intersect", {ELLIPSOID, ELLIPSOID}, INTERSECT, TOUCH, 0, 0},
    {"boxes pass by, sweep", {BOX, BOX}, SWEEP, PASS, 20, 40},
};

/* The input of counted(). */
typedef struct counted_pairs {
  counted_query query;
  graze_options options;
  graze_cast_options cast;
  graze_manifold_options manifold;
  graze_placed placed[PAIRS][2];
  graze_motion motion[PAIRS]; /* of B */
} counted_pairs;

static uint64_t state;
static graze_vec vertices[PAIRS][2][VERTICES];

static double between(double low, double high) { return low + (high - low) * 0.5 * (probe_uniform(&state) + 1); }

/* Vertices on an ellipsoid. */
static graze_shape make_hull(graze_vec *v, int count) {
  const double x = between(0.5, 1.5), y = between(0.5, 1.5), z = between(0.5, 1.5);
  for (int i = 0; i < count; i++) {
    const graze_vec d = probe_sphere(&state);
    v[i] = (graze_vec){x * d.x, y * d.y, z * d.z};
  }
  return graze_hull_points(v, (size_t)count);
}

/* A stretched octagon with slopes 1/2 and 2. */
static graze_shape make_polygon(graze_vec *v) {
  static const double corner[8][2] = {{1, 0},  {0.75, 0.5},   {0, 1},  {-0.5, 0.75},
                                      {-1, 0}, {-0.75, -0.5}, {0, -1}, {0.5, -0.75}};
  const double x = between(0.5, 1.5), y = between(0.5, 1.5);
  for (int i = 0; i < 8; i++) v[i] = (graze_vec){x * corner[i][0], y * corner[i][1], 0};
  return graze_polygon(v, 8);
}

/* 64 vertices on an ellipse, with rational parameters. */
static graze_shape make_round_polygon(graze_vec *v) {
  const double x = between(0.5, 1.5), y = between(0.5, 1.5);
  for (int i = 0; i < 64; i++) {
    const double t = i % 32 / 16.0 - 1, side = i < 32 ? 1 : -1, scale = side / (1 + t * t);
    v[i] = (graze_vec){x * (1 - t * t) * scale, y * 2 * t * scale, 0};
  }
  return graze_polygon(v, 64);
}

/* Around the local origin. */
static graze_shape make_triangle(void) {
  const graze_vec u = probe_sphere(&state), v = probe_sphere(&state);
  return graze_triangle(u, v, (graze_vec){-u.x - v.x, -u.y - v.y, -u.z - v.z});
}

static graze_shape make_shape(counted_kind kind, graze_vec *v) {
  switch (kind) {
  case HULL_8: return make_hull(v, 8);
  case HULL_32: return make_hull(v, 32);
  case HULL_64: return make_hull(v, 64);
  case CAPSULE: return graze_capsule(between(0.1, 0.6), between(0.2, 1));
  case TRIANGLE: return make_triangle();
  case ELLIPSOID: return graze_ellipsoid(between(0.5, 1.5), between(0.5, 1.5), between(0.5, 1.5));
  case POLYGON: return make_polygon(v);
  case ROUND_POLYGON: return make_round_polygon(v);
  default: return graze_box(between(0.1, 1), between(0.1, 1), between(0.1, 1));
  }
}

/* The next frame: a small motion. */
static void follow(const graze_placed before[2], graze_placed after[2]) {
  for (int side = 0; side < 2; side++) {
    graze_pose pose = before[side].pose;
    pose.position.x += 0.001;
    if (before[side].shape.dim == 2)
      pose.z += 0.002;
    else
      pose.x += 0.002, pose.y -= 0.001;
    after[side] = graze_place(&before[side].shape, pose);
  }
}

/* Moves B so that its support point along -d coincides with that of A along d. */
static void touch(graze_placed pair[2], graze_vec d) {
  const graze_vec back = {-d.x, -d.y, -d.z};
  graze_vec p, q;
  int vertex;
  probe_expect(graze_support(&pair[0], d, &p, &vertex), "support");
  probe_expect(graze_support(&pair[1], back, &q, &vertex), "support");
  graze_pose pose = pair[1].pose;
  pose.position.x += p.x - q.x, pose.position.y += p.y - q.y, pose.position.z += p.z - q.z;
  pair[1] = graze_place(&pair[1].shape, pose);
}

static void make(const counted_case *c, counted_pairs *pairs) {
  static graze_cache cache;
  const bool flat = c->kind[0] >= POLYGON;
  state = 0x9e3779b97f4a7c15u;
  memset(&cache, 0, sizeof cache);
  pairs->query = c->query;
  pairs->options = graze_default_options();
  pairs->cast = graze_default_cast_options();
  pairs->manifold = graze_default_manifold_options();
  if (c->placement == FRAMES) pairs->options.cache = pairs->manifold.cache = &cache;
  for (int i = 0; i < PAIRS; i++) {
    graze_placed *pair = pairs->placed[i];
    const double distance = between(c->low, c->high), displacement = 1.5 * distance;
    graze_vec d = probe_sphere(&state);
    if (flat) d.z = 0;
    for (int side = 0; side < 2; side++) {
      const graze_shape shape = make_shape(c->kind[side], vertices[i][side]);
      const double shift = side * distance, x = flat ? 0 : between(-1, 1), y = flat ? 0 : between(-1, 1);
      const graze_vec at = {shift * d.x, shift * d.y, shift * d.z};
      pair[side] = graze_place(&shape, graze_pose3(at, between(-1, 1), x, y, between(-1, 1)));
    }
    graze_motion *motion = &pairs->motion[i];
    motion->velocity = (graze_vec){-displacement * d.x + 0.3, -displacement * d.y, -displacement * d.z};
    if (c->placement == PASS) motion->velocity = (graze_vec){-displacement * d.y, displacement * d.x, 0};
    motion->angular = c->query == SWEEP ? (graze_vec){0.5, 0.3, -0.2} : (graze_vec){0, 0, 0};
    if (c->placement == FRAMES && i > 0) follow(pairs->placed[i - 1], pair);
    if (c->placement == TOUCH) touch(pair, d);
  }
}

static graze_status run_query(const counted_pairs *pairs, int i) {
  const graze_placed *a = &pairs->placed[i][0], *b = &pairs->placed[i][1];
  graze_answer answer;
  graze_cast_result cast;
  graze_contact contacts[8];
  size_t count;
  switch (pairs->query) {
  case INTERSECT: return graze_intersect(a, b, &pairs->options, &answer);
  case DISTANCE: return graze_distance(a, b, &pairs->options, &answer);
  case MANIFOLD: return graze_manifold(a, b, &pairs->manifold, &answer, contacts, 8, &count);
  default: return graze_cast(a, NULL, b, &pairs->motion[i], 1, &pairs->cast, &cast);
  }
}

void counted(const counted_pairs *pairs);

void counted(const counted_pairs *pairs) {
  for (int i = 0; i < PAIRS; i++) probe_expect(run_query(pairs, i), "query");
}

#ifdef __clang__
static const char COMPILER[] = "clang " __VERSION__;
#else
static const char COMPILER[] = "GNU " __VERSION__;
#endif

int main(void) {
  static void (*volatile call)(const counted_pairs *) = counted; /* prevents inlining */
  static counted_pairs pairs;
  puts(COMPILER);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    make(&CASES[i], &pairs);
    call(&pairs);
    printf("%s %d\n", CASES[i].name, PAIRS);
  }
  return 0;
}
