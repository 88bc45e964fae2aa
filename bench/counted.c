/* Fixed questions, for counting instructions: a change of the code that makes them dearer shows at once, whatever else
 * the machine does. Each line printed is a question and how many of it are asked in one call of counted(), in the order
 * of these calls; tools/check_instructions.py has each call counted. */
#define _POSIX_C_SOURCE 199309L
#include "probe.h"

#include <stdbool.h>
#include <string.h>

enum { PAIRS = 64, VERTICES = 64 };

typedef enum counted_kind { BOX, HULL_8, HULL_32, HULL_64, CAPSULE, POLYGON } counted_kind;
typedef enum counted_question { INTERSECT, DISTANCE, CAST, SWEEP, MANIFOLD } counted_question;

typedef struct counted_case {
  const char *name;
  counted_kind kind[2];
  counted_question question;
  double low, high; /* between the centres */
  bool follow;      /* frames that follow each other, with a cache */
} counted_case;

static const counted_case CASES[] = {
    {"boxes intersect", {BOX, BOX}, INTERSECT, 0.5, 2, false},
    {"boxes distance", {BOX, BOX}, DISTANCE, 2, 4, false},
    {"boxes depth", {BOX, BOX}, DISTANCE, 0.1, 0.5, false},
    {"boxes manifold", {BOX, BOX}, MANIFOLD, 0.1, 0.5, false},
    {"boxes cast", {BOX, BOX}, CAST, 2, 4, false},
    {"boxes sweep", {BOX, BOX}, SWEEP, 2, 4, false},
    {"hulls of 8 intersect", {HULL_8, HULL_8}, INTERSECT, 0.5, 2.5, false},
    {"hulls of 32 intersect", {HULL_32, HULL_32}, INTERSECT, 1, 3, false},
    {"hulls of 32 distance", {HULL_32, HULL_32}, DISTANCE, 2.5, 4, false},
    {"hulls of 32 depth", {HULL_32, HULL_32}, DISTANCE, 0.5, 1, false},
    {"hulls of 64, frames, distance", {HULL_64, HULL_64}, DISTANCE, 3, 3, true},
    {"capsule and box intersect", {CAPSULE, BOX}, INTERSECT, 0.5, 2, false},
    {"capsule and box distance", {CAPSULE, BOX}, DISTANCE, 2, 4, false},
    {"polygons of 8 distance", {POLYGON, POLYGON}, DISTANCE, 2, 4, false},
    {"polygons of 8 depth", {POLYGON, POLYGON}, DISTANCE, 0.1, 0.5, false},
    {"polygons of 8 manifold", {POLYGON, POLYGON}, MANIFOLD, 0.1, 0.5, false},
    {"polygons of 8 cast", {POLYGON, POLYGON}, CAST, 2, 4, false},
};

/* All that counted() reads. */
typedef struct counted_pairs {
  counted_question question;
  graze_options options;
  graze_placed placed[PAIRS][2];
  graze_vec velocity[PAIRS];
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
  return graze_hull(v, (size_t)count);
}

/* An octagon of slopes 1/2 and 2, stretched. */
static graze_shape make_polygon(graze_vec *v) {
  static const double corner[8][2] = {{1, 0},  {0.75, 0.5},   {0, 1},  {-0.5, 0.75},
                                      {-1, 0}, {-0.75, -0.5}, {0, -1}, {0.5, -0.75}};
  const double x = between(0.5, 1.5), y = between(0.5, 1.5);
  for (int i = 0; i < 8; i++) v[i] = (graze_vec){x * corner[i][0], y * corner[i][1], 0};
  return graze_polygon(v, 8);
}

static graze_shape make_shape(counted_kind kind, graze_vec *v) {
  switch (kind) {
  case HULL_8: return make_hull(v, 8);
  case HULL_32: return make_hull(v, 32);
  case HULL_64: return make_hull(v, 64);
  case CAPSULE: return graze_capsule(between(0.1, 0.6), between(0.2, 1));
  case POLYGON: return make_polygon(v);
  default: return graze_box(between(0.1, 1), between(0.1, 1), between(0.1, 1));
  }
}

/* The next frame: turned and moved a little. */
static void follow(const graze_placed before[2], graze_placed after[2]) {
  for (int side = 0; side < 2; side++) {
    graze_pose pose = before[side].pose;
    pose.x += 0.002, pose.y -= 0.001, pose.position.x += 0.001;
    after[side] = graze_place(&before[side].shape, pose);
  }
}

static void make(const counted_case *c, counted_pairs *pairs) {
  static graze_cache cache;
  state = 0x9e3779b97f4a7c15u;
  memset(&cache, 0, sizeof cache);
  pairs->question = c->question;
  pairs->options = graze_default_options();
  if (c->follow) pairs->options.cache = &cache;
  for (int i = 0; i < PAIRS; i++) {
    const double distance = between(c->low, c->high);
    const bool flat = c->kind[0] == POLYGON;
    graze_vec d = probe_sphere(&state);
    if (flat) d.z = 0;
    for (int side = 0; side < 2; side++) {
      const graze_shape shape = make_shape(c->kind[side], vertices[i][side]);
      const double far = side * distance, x = flat ? 0 : between(-1, 1), y = flat ? 0 : between(-1, 1);
      const graze_vec at = {far * d.x, far * d.y, far * d.z};
      pairs->placed[i][side] = graze_place(&shape, graze_pose3(at, between(-1, 1), x, y, between(-1, 1)));
    }
    pairs->velocity[i] = (graze_vec){-1.5 * distance * d.x + 0.3, -1.5 * distance * d.y, -1.5 * distance * d.z};
    if (c->follow && i > 0) follow(pairs->placed[i - 1], pairs->placed[i]);
  }
}

static graze_status ask(const counted_pairs *pairs, int i) {
  static const graze_vec still = {0, 0, 0};
  const graze_placed *a = &pairs->placed[i][0], *b = &pairs->placed[i][1];
  graze_answer answer;
  graze_impact impact;
  graze_contact contacts[8];
  size_t count;
  switch (pairs->question) {
  case INTERSECT: return graze_intersect(a, b, &pairs->options, &answer);
  case DISTANCE: return graze_distance(a, b, &pairs->options, &answer);
  case CAST: return graze_cast(a, still, b, pairs->velocity[i], 1, &pairs->options, &impact);
  case MANIFOLD: return graze_manifold(a, b, &pairs->options, &answer, contacts, 8, &count);
  default: break;
  }
  const graze_motion rest = {still, still}, turn = {pairs->velocity[i], {0.5, 0.3, -0.2}};
  return graze_sweep(a, &rest, b, &turn, 1, &pairs->options, &impact);
}

__attribute__((noinline)) void counted(const counted_pairs *pairs);

void counted(const counted_pairs *pairs) {
  for (int i = 0; i < PAIRS; i++) probe_expect(ask(pairs, i), "question");
}

int main(void) {
  static counted_pairs pairs;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    make(&CASES[i], &pairs);
    counted(&pairs);
    printf("%s %d\n", CASES[i].name, PAIRS);
  }
  return 0;
}
