/* Generates the pairs of the benchmarks: random, but the same in every run.
 *
 *   workloads FOLDER
 *
 * w1         boxes, half of the pairs overlapping
 * w2_N       hulls of N vertices on an ellipsoid, half of the pairs overlapping
 * w3_…       capsule and box, sphere and hull, cylinder and box, two ellipsoids: separated
 * w4         two hulls of 64 vertices in 10 000 consecutive frames: separated
 * w5_N       in 2D: polygons of N vertices on an ellipse, half of the pairs overlapping; of 4 and 8 vertices B moves
 * w6         separated boxes; B moves towards A with a lateral offset, so that some miss
 * w8         triangles, half of the pairs overlapping
 * m_A_B      each pair of primitive shapes, half of the pairs overlapping
 * nasty      ten categories (the names below) of difficult cases for solvers */
#include "workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NASTY_NEARLY_PARALLEL,
  NASTY_NEARLY_TOUCHING,
  NASTY_ASPECT,
  NASTY_DISTANT_BOXES,
  NASTY_DOUBLED,
  NASTY_FLAT,
  NASTY_COINCIDENT,
  NASTY_EXACT_CONTACT,
  NASTY_DISTANT_HULLS,
  NASTY_NEEDLES,
  NASTY_CATEGORIES
};
enum { NASTY_EACH = 500, MAX_HULLS = 40000 };

static const double TURN = 6.283185307179586;
static uint64_t state; /* of SplitMix64 */

static uint64_t random_bits(void) {
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}
static double between(double low, double high) { return low + (high - low) * (double)(random_bits() >> 11) * 0x1p-53; }
static double tiny(double low, double high) { return pow(10, -between(low, high)); }

/* A uniform unit vector with 3 or 4 coordinates, by rejection sampling in the cube. */
static void random_unit(double *v, int count) {
  double square;
  do {
    square = 0;
    for (int i = 0; i < count; i++) v[i] = between(-1, 1), square += v[i] * v[i];
  } while (square > 1 || square < 1e-4);
  for (int i = 0; i < count; i++) v[i] /= sqrt(square);
}

/* ---- Hulls */

static bench_hull random_hull(int32_t count, double x, double y, double z) {
  graze_vec *v = bench_alloc((size_t)count * sizeof *v);
  for (int32_t i = 0; i < count; i++) {
    double d[3];
    random_unit(d, 3);
    v[i].x = x * d[0], v[i].y = y * d[1], v[i].z = z * d[2];
  }
  return bench_hull_of_points(v, count);
}

static bench_hull round_hull(int32_t count) {
  double x = between(0.5, 1.5), y = between(0.5, 1.5), z = between(0.5, 1.5);
  return random_hull(count, x, y, z);
}

static bench_hull doubled_hull(void) {
  bench_hull hull = round_hull(16);
  size_t size = 16 * sizeof(graze_vec);
  graze_vec *twice = bench_alloc(2 * size);
  memcpy(twice, hull.vertices, size);
  memcpy(twice + 16, hull.vertices, size);
  free(hull.vertices);
  hull.vertices = twice;
  hull.vertex_count = 32;
  return hull;
}

static bench_hull flat_hull(void) {
  enum { COUNT = 12 };
  bench_hull hull = {COUNT, 2 * (COUNT - 2), bench_alloc(COUNT * sizeof(graze_vec)), bench_alloc(6 * COUNT * 4)};
  double x = between(0.5, 1.5), y = between(0.5, 1.5);
  for (int i = 0; i < COUNT; i++) {
    double angle = (i + between(-0.3, 0.3)) * TURN / COUNT;
    hull.vertices[i].x = x * cos(angle), hull.vertices[i].y = y * sin(angle);
  }
  for (int i = 1; i + 1 < COUNT; i++) {
    int32_t both[6] = {0, i, i + 1, 0, i + 1, i};
    memcpy(&hull.faces[6 * (i - 1)], both, sizeof both);
  }
  return hull;
}

/* The centroid is the origin. */
static bench_hull random_triangle(void) {
  static const int32_t FACES[6] = {0, 1, 2, 0, 2, 1};
  bench_hull hull = {3, 2, bench_alloc(3 * sizeof(graze_vec)), bench_alloc(sizeof FACES)};
  graze_vec *v = hull.vertices;
  memcpy(hull.faces, FACES, sizeof FACES);
  for (int i = 0; i < 2; i++) {
    double d[3], size = between(0.2, 1);
    random_unit(d, 3);
    v[i] = (graze_vec){size * d[0], size * d[1], size * d[2]};
  }
  v[2] = (graze_vec){-v[0].x - v[1].x, -v[0].y - v[1].y, -v[0].z - v[1].z};
  return hull;
}

static bench_hull polygon(int32_t count) {
  bench_hull hull = {count, 0, bench_alloc((size_t)count * sizeof(graze_vec)), NULL};
  double x = between(0.5, 1.5), y = between(0.5, 1.5);
  for (int32_t i = 0; i < count; i++) {
    double angle = (i + between(-0.35, 0.35)) * TURN / count;
    hull.vertices[i].x = x * cos(angle), hull.vertices[i].y = y * sin(angle);
  }
  return hull;
}

/* ---- Pairs */

static bench_workload make;

static void begin(const char *name, uint64_t seed) {
  make = (bench_workload){.name = name};
  make.pairs = bench_alloc(100000 * sizeof(bench_pair));
  make.hulls = bench_alloc(MAX_HULLS * sizeof(bench_hull));
  state = seed;
}

static void finish(const char *folder) {
  bench_save(folder, &make);
  printf("%s: %zu pairs, %zu hulls\n", make.name, make.pair_count, make.hull_count);
  for (size_t i = 0; i < make.hull_count; i++) free(make.hulls[i].vertices), free(make.hulls[i].faces);
  free(make.pairs);
  free(make.hulls);
}

static int32_t add_hull(bench_hull hull) {
  make.hulls[make.hull_count] = hull;
  return (int32_t)make.hull_count++;
}

static bench_pair *add_pair(void) {
  bench_pair *pair = &make.pairs[make.pair_count++];
  for (int side = 0; side < 2; side++) {
    pair->hull[side] = -1;
    random_unit(pair->body[side].rotation, 4);
  }
  return pair;
}

static void set_shape(bench_pair *pair, int side, bench_kind kind) {
  double *s = pair->size[side];
  pair->kind[side] = (int32_t)kind;
  if (kind == BENCH_BOX || kind == BENCH_ELLIPSOID) {
    for (int i = 0; i < 3; i++) s[i] = between(0.1, 1);
  } else if (kind == BENCH_SPHERE) {
    s[0] = between(0.2, 1);
  } else if (kind == BENCH_TRIANGLE) {
    pair->hull[side] = add_hull(random_triangle());
  } else if (kind != BENCH_HALFSPACE) {
    s[0] = between(0.1, 0.6), s[1] = between(0.2, 1);
  }
}

static void set_hull(bench_pair *pair, int side, int32_t hull) {
  pair->kind[side] = BENCH_HULL;
  pair->hull[side] = hull;
}

static void set_polygon(bench_pair *pair, int side, int32_t vertices) {
  double turn = between(0, TURN / 2), rotation[4] = {0, 0, sin(turn), cos(turn)};
  set_hull(pair, side, add_hull(polygon(vertices)));
  pair->kind[side] = BENCH_POLYGON;
  memcpy(pair->body[side].rotation, rotation, sizeof rotation);
}

static graze_placed placed(const bench_pair *pair, int side, const double position[3]) {
  const double *s = pair->size[side], *q = pair->body[side].rotation;
  const bench_hull *hull = pair->hull[side] >= 0 ? &make.hulls[pair->hull[side]] : NULL;
  graze_shape shape;
  switch (pair->kind[side]) {
  case BENCH_BOX: shape = graze_box(s[0], s[1], s[2]); break;
  case BENCH_SPHERE: shape = graze_sphere(s[0]); break;
  case BENCH_CAPSULE: shape = graze_capsule(s[0], s[1]); break;
  case BENCH_CYLINDER: shape = graze_cylinder(s[0], s[1]); break;
  case BENCH_CONE: shape = graze_cone(s[0], s[1]); break;
  case BENCH_ELLIPSOID: shape = graze_ellipsoid(s[0], s[1], s[2]); break;
  case BENCH_HALFSPACE: shape = graze_halfspace((graze_vec){0, 0, 1}, 0); break;
  case BENCH_POLYGON: shape = graze_polygon(hull->vertices, (size_t)hull->vertex_count); break;
  default: shape = graze_hull_points(hull->vertices, (size_t)hull->vertex_count); /* triangles too */
  }
  graze_vec p = {position[0], position[1], position[2]};
  return graze_place(&shape, graze_pose3(p, q[3], q[0], q[1], q[2]));
}

/* The position of the second body along d at which it touches the first, by conservative advancement from outside.
 * Graze only places the pairs; its answers are compared with independent references. */
static double contact(const bench_pair *pair, const double d[3]) {
  const double origin[3] = {0, 0, 0};
  double t = 20;
  graze_placed a = placed(pair, 0, origin);
  for (int i = 0; i < 200; i++) {
    double position[3] = {t * d[0], t * d[1], t * d[2]};
    graze_placed b = placed(pair, 1, position);
    graze_answer answer;
    if (graze_distance(&a, &b, NULL, &answer) != GRAZE_OK || answer.relation != GRAZE_SEPARATED) break;
    double speed = answer.normal.x * d[0] + answer.normal.y * d[1] + answer.normal.z * d[2];
    if (answer.lower < 1e-14 || speed <= 0) break;
    t -= answer.lower / speed;
  }
  return t;
}

static void place(bench_pair *pair, const double d[3], double distance) {
  for (int i = 0; i < 3; i++) pair->body[1].position[i] = pair->body[0].position[i] + distance * d[i];
}

/* Whether d leaves a half-space at an angle of at least 0.2. */
static bool is_outward(const double q[4], const double d[3]) {
  double x = 2 * (q[0] * q[2] + q[3] * q[1]), y = 2 * (q[1] * q[2] - q[3] * q[0]);
  return d[0] * x + d[1] * y + d[2] * (1 - 2 * (q[0] * q[0] + q[1] * q[1])) > 0.2;
}

static void place_randomly(bench_pair *pair, bool separated, double least) {
  double d[3];
  do random_unit(d, 3);
  while (pair->kind[0] == BENCH_HALFSPACE && !is_outward(pair->body[0].rotation, d));
  for (int i = 0; i < 3; i++) pair->body[0].position[i] = between(-5, 5);
  double t = contact(pair, d);
  pair->separated = separated;
  place(pair, d, separated ? t + between(least, 2) : t * between(0.1, 1));
}

static void make_shapes(const char *folder, const char *name, uint64_t seed, bench_kind a, bench_kind b, int pairs) {
  begin(name, seed);
  for (int i = 0; i < pairs; i++) {
    bench_pair *pair = add_pair();
    set_shape(pair, 0, a);
    set_shape(pair, 1, b);
    place_randomly(pair, random_bits() >> 63, 0);
  }
  finish(folder);
}

static void make_matrix(const char *folder) {
  static const bench_kind KINDS[] = {BENCH_HALFSPACE, BENCH_SPHERE,   BENCH_CAPSULE, BENCH_BOX,
                                     BENCH_TRIANGLE,  BENCH_CYLINDER, BENCH_CONE,    BENCH_ELLIPSOID};
  static const char *const NAMES[] = {"halfspace", "sphere",   "capsule", "box",
                                      "triangle",  "cylinder", "cone",    "ellipsoid"};
  enum { COUNT = sizeof KINDS / sizeof *KINDS };
  for (int a = 0; a < COUNT; a++) {
    for (int b = a; b < COUNT; b++) {
      char name[64];
      snprintf(name, sizeof name, "m_%s_%s", NAMES[a], NAMES[b]);
      if (b > 0) make_shapes(folder, name, 7000 + (uint64_t)(COUNT * a + b), KINDS[a], KINDS[b], 2000);
    }
  }
}

static void make_hulls(const char *folder, const char *name, int32_t vertices, unsigned hulls, int pairs) {
  begin(name, 1000 + (uint64_t)vertices);
  for (unsigned i = 0; i < hulls; i++) add_hull(round_hull(vertices));
  for (int i = 0; i < pairs; i++) {
    bench_pair *pair = add_pair();
    for (int side = 0; side < 2; side++) set_hull(pair, side, (int32_t)(random_bits() % hulls));
    place_randomly(pair, random_bits() >> 63, 0);
  }
  finish(folder);
}

static void make_curved(const char *folder, const char *name, bench_kind a, bench_kind b) {
  begin(name, 2000 + (uint64_t)a);
  for (int i = 0; b == BENCH_HULL && i < 500; i++) add_hull(round_hull(32));
  for (int i = 0; i < 10000; i++) {
    bench_pair *pair = add_pair();
    set_shape(pair, 0, a);
    if (b == BENCH_HULL)
      set_hull(pair, 1, (int32_t)(random_bits() % 500));
    else
      set_shape(pair, 1, b);
    place_randomly(pair, true, 0.001);
  }
  finish(folder);
}

static void make_frames(const char *folder) {
  begin("w4", 4);
  for (int i = 0; i < 2; i++) add_hull(round_hull(64));
  for (int i = 0; i < 10000; i++) {
    bench_pair *pair = add_pair();
    double a = 0.005 * i, b = 0.0035 * i, distance = 3.2 + 0.2 * sin(0.003 * i);
    double qa[4] = {0.6 * sin(a), 0.8 * sin(a), 0, cos(a)}, qb[4] = {0, 0.8 * sin(b), 0.6 * sin(b), cos(b)};
    double position[3] = {distance * cos(0.002 * i), distance * sin(0.002 * i), 0.3 * sin(0.005 * i)};
    for (int side = 0; side < 2; side++) set_hull(pair, side, side);
    memcpy(pair->body[0].rotation, qa, sizeof qa);
    memcpy(pair->body[1].rotation, qb, sizeof qb);
    memcpy(pair->body[1].position, position, sizeof position);
    pair->separated = 1;
  }
  finish(folder);
}

/* B moves back along d, rotated by up to 0.4 radians. */
static void make_polygons(const char *folder, const char *name, int32_t vertices, bool moving) {
  begin(name, 5000 + (uint64_t)vertices);
  for (int i = 0; i < 20000; i++) {
    bench_pair *pair = add_pair();
    for (int side = 0; side < 2; side++) set_polygon(pair, side, vertices);
    for (int k = 0; k < 2; k++) pair->body[0].position[k] = between(-5, 5);
    double angle = between(0, TURN), back = angle + TURN / 2 + between(-0.4, 0.4), speed = between(0.5, 4);
    double d[3] = {cos(angle), sin(angle), 0}, t = contact(pair, d);
    pair->separated = between(0, 1) < 0.5;
    place(pair, d, pair->separated ? t + between(0, 2) : t * between(0.1, 1));
    if (moving) pair->velocity[0] = speed * cos(back), pair->velocity[1] = speed * sin(back);
  }
  finish(folder);
}

static void make_casts(const char *folder) {
  begin("w6", 6);
  for (int i = 0; i < 20000; i++) {
    bench_pair *pair = add_pair();
    double d[3], lateral[3], direction[3], square = 0;
    for (int side = 0; side < 2; side++) set_shape(pair, side, BENCH_BOX);
    random_unit(d, 3);
    random_unit(lateral, 3);
    for (int k = 0; k < 3; k++) {
      pair->body[0].position[k] = between(-5, 5);
      direction[k] = 0.35 * lateral[k] - d[k];
      square += direction[k] * direction[k];
    }
    place(pair, d, contact(pair, d) + between(0.1, 2));
    double speed = between(0.5, 4);
    for (int k = 0; k < 3; k++) pair->velocity[k] = speed * direction[k] / sqrt(square);
    pair->separated = 1;
  }
  finish(folder);
}

/* ---- Nasty pairs */

static void nasty_shapes(bench_pair *pair, int category, int i) {
  for (int side = 0; side < 2; side++) {
    bool other = side == 1 && i % 2 == 1;
    switch (category) {
    case NASTY_ASPECT:
      set_hull(pair, side,
               add_hull(side == 0 ? random_hull(32, 1, 1, 1e-6)
                        : other   ? random_hull(32, 1, 1e-6, 1e-6)
                                  : round_hull(32)));
      break;
    case NASTY_DOUBLED: set_hull(pair, side, add_hull(doubled_hull())); break;
    case NASTY_FLAT: set_hull(pair, side, add_hull(other ? round_hull(16) : flat_hull())); break;
    case NASTY_DISTANT_HULLS: set_hull(pair, side, add_hull(round_hull(32))); break;
    case NASTY_NEEDLES: set_hull(pair, side, add_hull(random_hull(8, 3, 1e-3, 1e-3))); break;
    default: set_shape(pair, side, BENCH_BOX);
    }
  }
}

/* The second rotation is the first with a small additional rotation. Returns the x axis of the first body. */
static void nasty_turn(bench_pair *pair, double axis_x[3]) {
  double axis[3], half = tiny(3, 12) / 2, *a = pair->body[0].rotation, *b = pair->body[1].rotation;
  random_unit(axis, 3);
  double x = axis[0] * half, y = axis[1] * half, z = axis[2] * half;
  double q[4] = {a[0] + x * a[3] + y * a[2] - z * a[1], a[1] - x * a[2] + y * a[3] + z * a[0],
                 a[2] + x * a[1] - y * a[0] + z * a[3], a[3] - x * a[0] - y * a[1] - z * a[2]};
  memcpy(b, q, sizeof q);
  axis_x[0] = 1 - 2 * (a[1] * a[1] + a[2] * a[2]);
  axis_x[1] = 2 * (a[0] * a[1] + a[3] * a[2]);
  axis_x[2] = 2 * (a[0] * a[2] - a[3] * a[1]);
}

static void nasty_same_place(bench_pair *pair) {
  double x[3] = {random_bits() >> 63 ? 0 : between(0, 1e-9), 0, 0};
  memcpy(pair->size[1], pair->size[0], sizeof pair->size[0]);
  pair->body[1] = pair->body[0];
  place(pair, x, 1);
}

/* Axis-aligned boxes with sizes in eighths: doubles represent the contacts exactly. */
static void nasty_exact_contact(bench_pair *pair, int i) {
  static const double GAPS[8] = {0, 1e-12, -1e-12, 1e-6, -1e-6, 1e-3, -1e-3, 1e-9};
  double offset[3];
  for (int k = 0; k < 3; k++) {
    offset[k] = between(-0.1, 0.1);
    for (int side = 0; side < 2; side++) {
      pair->size[side][k] = round(pair->size[side][k] * 8 + 0.51) / 8;
      pair->body[side].position[k] = pair->body[side].rotation[k] = 0;
      pair->body[side].rotation[3] = 1;
    }
  }
  offset[i % 3] = pair->size[0][i % 3] + pair->size[1][i % 3] + GAPS[i / 3 % 8];
  place(pair, offset, 1);
}

static double nasty_gap(int category, int i, double t) {
  int sign = i % 2 ? 1 : -1;
  bool slight = category == NASTY_ASPECT || category == NASTY_FLAT || category == NASTY_NEEDLES;
  if (category == NASTY_NEARLY_PARALLEL) return sign * tiny(1, 9);
  if (category == NASTY_NEARLY_TOUCHING) return sign * between(0, 1e-12);
  if (slight && i % 4 > 1) return sign * tiny(2, 8);
  return sign > 0 ? between(0, 0.5) : -between(0, 0.5) * t;
}

static void make_nasty(const char *folder) {
  begin("nasty", 5);
  for (int n = 0; n < NASTY_CATEGORIES * NASTY_EACH; n++) {
    int category = n / NASTY_EACH, i = n % NASTY_EACH;
    bool distant = category == NASTY_DISTANT_BOXES || category == NASTY_DISTANT_HULLS;
    bench_pair *pair = add_pair();
    double d[3];
    random_unit(d, 3);
    pair->category = category;
    for (int k = 0; k < 3; k++) pair->body[0].position[k] = (distant ? 1e6 : 0) + between(-1, 1);
    nasty_shapes(pair, category, i);
    if (category == NASTY_NEARLY_PARALLEL) nasty_turn(pair, d);
    if (category == NASTY_COINCIDENT)
      nasty_same_place(pair);
    else if (category == NASTY_EXACT_CONTACT)
      nasty_exact_contact(pair, i);
    else {
      double t = contact(pair, d);
      place(pair, d, t + nasty_gap(category, i, t));
    }
  }
  finish(folder);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: workloads FOLDER\n");
    return 2;
  }
  make_shapes(argv[1], "w1", 1, BENCH_BOX, BENCH_BOX, 100000);
  make_hulls(argv[1], "w2_8", 8, 2000, 20000);
  make_hulls(argv[1], "w2_32", 32, 2000, 20000);
  make_hulls(argv[1], "w2_128", 128, 1000, 8000);
  make_hulls(argv[1], "w2_1024", 1024, 200, 1000);
  make_curved(argv[1], "w3_capbox", BENCH_CAPSULE, BENCH_BOX);
  make_curved(argv[1], "w3_sphhull", BENCH_SPHERE, BENCH_HULL);
  make_curved(argv[1], "w3_cylbox", BENCH_CYLINDER, BENCH_BOX);
  make_curved(argv[1], "w3_ellell", BENCH_ELLIPSOID, BENCH_ELLIPSOID);
  make_frames(argv[1]);
  make_polygons(argv[1], "w5_4", 4, true);
  make_polygons(argv[1], "w5_8", 8, true);
  make_polygons(argv[1], "w5_32", 32, false);
  make_polygons(argv[1], "w5_64", 64, false);
  make_casts(argv[1]);
  make_shapes(argv[1], "w8", 8, BENCH_TRIANGLE, BENCH_TRIANGLE, 20000);
  make_matrix(argv[1]);
  make_nasty(argv[1]);
  return 0;
}
