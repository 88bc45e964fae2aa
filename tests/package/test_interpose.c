/* Queries never allocate and never call libm: here malloc and its kin, and the functions of libm that compilers like to
 * call, are this program's own, which count. Thousands of mixed queries between two marks must count nothing.
 * Needs glibc and no sanitizer, which has an allocator of its own; elsewhere it is skipped. */

#include "support/test.h"
#include "support/families.h"

#include <graze/batch.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INTERPOSE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer) ||          \
    __has_feature(undefined_behavior_sanitizer)
#define INTERPOSE_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(INTERPOSE_SANITIZED)

static struct {
  bool on;
  long memory, math;
} counter;

static void count_memory(void) { counter.memory += counter.on; }
static void count_math(void) { counter.math += counter.on; }

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *old);

void *malloc(size_t size) {
  count_memory();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_memory();
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  count_memory();
  return __libc_realloc(old, size);
}

void free(void *old) {
  count_memory();
  __libc_free(old);
}

/* Through the long double functions, which are not replaced; volatile, so that compilers do not narrow the call back to
 * the very function it stands in. */
#define COUNTED(name)                                                                                                  \
  double name(double x) {                                                                                              \
    volatile long double wide = x;                                                                                     \
    count_math();                                                                                                      \
    wide = name##l(wide);                                                                                              \
    return (double)wide;                                                                                               \
  }

COUNTED(sqrt)
COUNTED(sin)
COUNTED(cos)
COUNTED(fabs)
COUNTED(floor)

double ldexp(double x, int power) {
  volatile long double wide = x;
  count_math();
  wide = ldexpl(wide, power);
  return (double)wide;
}

double frexp(double x, int *power) {
  volatile long double wide = x;
  count_math();
  wide = frexpl(wide, power);
  return (double)wide;
}

double pow(double x, double y) {
  volatile long double wide = x;
  count_math();
  wide = powl(wide, y);
  return (double)wide;
}

/* ---- what is asked */

enum { ROOMS = 4, MOST_SHAPES = 24, ROUNDS = 4000 };

static graze_vec rooms[ROOMS][PAIR_VERTICES];
static graze_shape shapes[2][MOST_SHAPES]; /* 2D, 3D */
static int shape_count[2];

/* What went wrong, and how often the paths of interest were taken; no assertion stands between the marks. */
static struct { int failed, refused, asked, met, exact, portal, plane, sat, epa; } seen;

static double box_support(void *context, graze_vec d, graze_vec *point) {
  const graze_vec *h = context;
  *point = (graze_vec){d.x > 0 ? h->x : -h->x, d.y > 0 ? h->y : -h->y, d.z > 0 ? h->z : -h->z};
  return 0;
}

static void add(graze_shape shape) {
  int k = shape.dim - 2;
  assert_true(shape_count[k] + 2 <= MOST_SHAPES);
  shapes[k][shape_count[k]++] = shape;
  bool rounds = shape.kind != GRAZE_HALFSPACE && shape.kind != GRAZE_USER;
  if (rounds && shape_count[k] % 3 == 0) shapes[k][shape_count[k]++] = graze_with_margin(shape, 0.125);
}

/* Every kind in both dimensions; may allocate, and use libm. */
static void make_shapes(rng *random) {
  static graze_vec half = {0.5, 0.25, 0.75}, half2 = {0.5, 0.25, 0};
  graze_vec p = {-0.5, 0.25, 0}, q = {0.75, 0.5, 0}, r = {0, -0.5, 0}, s = {0.1, 0.2, 0.8}, n = {0.3, -2, 0};
  shape_count[0] = shape_count[1] = 0;
  add(graze_point2());
  add(graze_segment2(p, q));
  add(graze_triangle2(p, q, r));
  add(graze_box2(0.5, 0.75));
  add(random_polygon(random, rooms[0]));
  add(random_hull(random, 2, 12, rooms[1]));
  add(graze_circle(0.5));
  add(graze_capsule2(0.25, 0.5));
  add(graze_ellipse(0.75, 0.25));
  add(graze_halfspace2(n, -0.5));
  add(graze_user(2, box_support, &half2));
  add(graze_point());
  add(graze_segment(p, s));
  add(graze_triangle(p, q, s));
  add(graze_box(0.5, 0.75, 0.25));
  add(random_hull(random, 3, 40, rooms[2]));
  add(graze_sphere(0.5));
  add(graze_capsule(0.25, 0.5));
  add(graze_ellipsoid(0.75, 0.25, 0.5));
  add(graze_cylinder(0.5, 0.25));
  add(graze_cone(0.5, 0.75));
  add(graze_halfspace(n, -0.5));
  add(graze_user(3, box_support, &half));
}

static bool is_refused(graze_status status) { return status == GRAZE_UNSUPPORTED || status == GRAZE_NO_ROOM; }

static void note(graze_status status) {
  seen.refused += is_refused(status);
  seen.failed += status != GRAZE_OK && !is_refused(status);
}

/* Depths are shown by a surface: asked for in a workspace, after the same question without one. */
static graze_answer ask_one(const graze_placed *a, const graze_placed *b, const graze_options *options, bool whole) {
  static uint64_t room[1 << 13];
  static graze_surface surface;
  graze_answer answer = {.distance = 0};
  graze_options shown = options ? *options : graze_default_options();
  if (whole) {
    note(graze_distance(a, b, options, &answer));
    shown.workspace = room, shown.workspace_size = sizeof room;
    shown.surface = &surface;
    shown.cache = NULL;
  }
  graze_status status = whole ? graze_distance(a, b, &shown, &answer) : graze_intersect(a, b, options, &answer);
  note(status);
  if (status != GRAZE_OK) return answer;
  seen.asked++;
  seen.sat += answer.path == GRAZE_PATH_SAT;
  seen.epa += answer.path == GRAZE_PATH_EPA;
  seen.met += answer.relation != GRAZE_SEPARATED;
  seen.exact += answer.path == GRAZE_PATH_EXACT;
  seen.portal += answer.path == GRAZE_PATH_PORTAL;
  seen.plane += answer.path == GRAZE_PATH_PLANE;
  /* the axes of other polytopes than boxes leave nothing behind that shows a depth */
  bool unshown = answer.path == GRAZE_PATH_SAT && answer.certificate.depth_proof == GRAZE_DEPTH_BY_PAIRS;
  status = graze_verify(a, b, options, &answer);
  if (!unshown || status != GRAZE_UNPROVEN) note(status);
  return answer;
}

static void ask_about_one(const graze_placed *a, graze_vec direction) {
  graze_aabb bounds;
  graze_vec point;
  graze_relation relation;
  int vertex;
  note(graze_bounds(a, &bounds));
  note(graze_support(a, direction, &point, &vertex));
  note(graze_contains(a, direction, &relation));
  note(graze_check(&a->shape, &a->pose, NULL));
  graze_interval interval;
  note(graze_project(a, direction, &interval));
}

static void ask_for_axes_and_points(const graze_placed *a, const graze_placed *b) {
  graze_vec points[32];
  graze_pair pairs[32];
  size_t count;
  bool holds;
  graze_axis best;
  note(graze_sat(a, b, NULL, NULL, NULL, &best));
  note(graze_minkowski(a, b, GRAZE_MINKOWSKI_SUM, NULL, points, pairs, 32, &count, &holds));
}

/* B is moved until both are within rounding of contact, which is where the exact search and portals are. */
static void ask_near_contact(const graze_placed *a, graze_placed *b, const graze_answer *first) {
  graze_pose pose = b->pose;
  if (first->relation != GRAZE_SEPARATED || first->distance != first->distance) return;
  pose.position.x -= first->distance * first->normal.x;
  pose.position.y -= first->distance * first->normal.y;
  pose.position.z -= first->distance * first->normal.z;
  note(graze_set_pose(b, pose));
  (void)ask_one(a, b, NULL, true);
  (void)ask_one(a, b, NULL, false);
}

static void ask_all(rng *random, int round) {
  int k = round % 2, dim = k + 2;
  const graze_shape *first = &shapes[k][rng_below(random, shape_count[k])];
  const graze_shape *second = &shapes[k][rng_below(random, shape_count[k])];
  graze_options options = graze_default_options();
  graze_cache cache = {.count = 0};
  graze_placed a = graze_place(first, random_pose(random, dim, 1));
  graze_pose turned = graze_pose2(rng_uniform(random, -2, 2), 0.5, rng_uniform(random, -9, 9));
  graze_placed b = graze_place(second, round % 5 == 0 ? turned : random_pose(random, dim, 1));
  options.cache = &cache;
  options.clearance = round % 7 == 0 ? 0.0625 : 0;
  graze_answer answer = ask_one(&a, &b, NULL, true);
  (void)ask_one(&a, &b, &options, false);
  (void)ask_one(&a, &b, &options, true);
  options.method = (graze_method)(round % (GRAZE_METHOD_BRUTE + 1));
  options.max_iterations = 1 + round % 11;
  (void)ask_one(&a, &b, &options, round % 4 < 2);
  ask_about_one(&a, rng_vec(random, dim, 1));
  ask_for_axes_and_points(&a, &b);
  ask_near_contact(&a, &b, &answer);
}

/* Arrays of pairs, with threads of the caller's. Seed 32. */
static void run_alone(void *context, size_t count, void (*task)(void *data, size_t index), void *data) {
  (void)context;
  for (size_t i = 0; i < count; i++) task(data, i);
}

TEST(batches_do_not_either) {
  enum { PAIRS = 600 };
  static graze_pose pose[2 * PAIRS];
  static double distance[PAIRS];
  static uint8_t relation[PAIRS];
  static _Alignas(16) char room[16384], scratch[4096];
  const graze_shape shape[] = {graze_box(0.5, 0.5, 0.25), graze_sphere(0.5), graze_cylinder(0.25, 0.5)};
  const graze_parallel loop = {run_alone, NULL};
  const graze_table *table;
  graze_batch_counts counts;
  uint32_t index[PAIRS];
  rng random = {32};
  for (uint32_t i = 0; i < PAIRS; i++) index[i] = i % 3;
  for (int i = 0; i < 2 * PAIRS; i++) pose[i] = random_pose(&random, 3, 0.75);
  assert_true(graze_batch_scratch_size(PAIRS) <= sizeof scratch);
  memset(&counter, 0, sizeof counter);
  counter.on = true;
  graze_status status = graze_table_make(shape, 3, room, sizeof room, &table, NULL);
  graze_batch batch = graze_default_batch();
  batch.a = (graze_batch_side){.table = table, .shape_index = index, .poses = pose, .pose_count = PAIRS};
  batch.b = (graze_batch_side){.table = table, .shape_index = index, .poses = pose + PAIRS, .pose_count = PAIRS};
  batch.count = PAIRS, batch.parallel = &loop, batch.scratch = scratch, batch.scratch_size = sizeof scratch;
  const graze_batch_answers answers = {.relation = relation, .distance = distance};
  if (status == GRAZE_OK) status = graze_batch_intersect(&batch, &answers, NULL, NULL);
  if (status == GRAZE_OK) status = graze_batch_cast(&batch, &answers, NULL, NULL);
  if (status == GRAZE_OK) status = graze_batch_distance(&batch, &answers, &counts, NULL);
  counter.on = false;
  assert_int_equal(status, GRAZE_OK);
  assert_true(counts.by_lanes > PAIRS / 10 && counts.one_by_one > PAIRS / 10);
  assert_int_equal(counter.memory, 0);
  assert_int_equal(counter.math, 0);
}

/* Seed 30. */
TEST(queries_neither_allocate_nor_call_libm) {
  rng random = {30};
  make_shapes(&random);
  memset(&counter, 0, sizeof counter);
  counter.on = true;
  for (int i = 0; i < ROUNDS; i++) ask_all(&random, i);
  counter.on = false;
  print_message("%d answers: %d met, %d exact, %d portal, %d plane, %d sat, %d epa; %d refused\n", seen.asked, seen.met,
                seen.exact, seen.portal, seen.plane, seen.sat, seen.epa, seen.refused);
  assert_int_equal(seen.failed, 0);
  assert_true(seen.asked >= 4 * ROUNDS && seen.refused < seen.asked / 2);
  assert_true(seen.met * 10 >= seen.asked * 3 && seen.met * 10 <= seen.asked * 6);
  assert_true(seen.exact >= 1000 && seen.portal >= 1000 && seen.plane >= 1000);
  assert_true(seen.sat >= 20 && seen.epa >= 1000);
  assert_int_equal(counter.memory, 0);
  assert_int_equal(counter.math, 0);
}

/* Through pointers that compilers cannot see through, as a call from elsewhere. */
TEST(the_counter_counts) {
  void *(*volatile take)(size_t) = malloc;
  void *(*volatile take_zeroed)(size_t, size_t) = calloc;
  void *(*volatile take_again)(void *, size_t) = realloc;
  void (*volatile give)(void *) = free;
  double (*volatile root)(double) = sqrt, (*volatile power)(double, double) = pow;
  double (*volatile sine)(double) = sin, (*volatile scale)(double, int) = ldexp;
  memset(&counter, 0, sizeof counter);
  void *before = take(8);
  counter.on = true;
  void *one = take_again(take(8), 64), *two = take_zeroed(2, 8);
  give(one);
  give(two);
  double sum = root(9) + power(2, 3) + sine(0) + scale(1, 2);
  counter.on = false;
  give(before);
  assert_int_equal(counter.memory, 5);
  assert_int_equal(counter.math, 4);
  assert_true(sum == 15);
}

/* A call from the helpers' library, linked as Graze is: this program's functions are those that it finds. */
TEST(a_linked_library_is_counted) {
  rng random = {31};
  graze_vec room[PAIR_VERTICES];
  memset(&counter, 0, sizeof counter);
  counter.on = true;
  (void)random_polygon(&random, room);
  counter.on = false;
  assert_true(counter.math > 0);
}

#else

TEST(the_counter_counts) {
  print_message("Skipped: needs glibc, and no sanitizer\n");
  skip();
}

#endif
