/* Workspaces too small for the question, of every size from 0 on: nothing beyond them is written, every interval holds
 * the truth, `stopped` tells where it is wide, and what the surface shows is verified. */
#include "support/test.h"

#include <graze/graze.h>

#include "support/tier.h"

enum { CANARIES = 256, CANARY = 0x5a, ENOUGH = 1 << 20 };

static _Alignas(16) unsigned char room[CANARIES + ENOUGH + CANARIES];

static void set_canaries(size_t size) {
  memset(room, CANARY, CANARIES);
  memset(room + CANARIES + size, CANARY, CANARIES);
}

static void check_canaries(size_t size) {
  unsigned char whole[CANARIES];
  memset(whole, CANARY, sizeof whole);
  assert_memory_equal(room, whole, CANARIES);
  assert_memory_equal(room + CANARIES + size, whole, CANARIES);
}

/* Points of a sphere, of radii that differ a little: all of them are vertices. */
static graze_shape ball_of_points(graze_vec *v, int count, int dim) {
  for (int i = 0; i < count; i++) {
    double z = dim == 2 ? 0 : 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z) * (1 + 0.001 * (i % 3));
    v[i] = (graze_vec){r * cos(2.4 * i), r * sin(2.4 * i), z};
  }
  return dim == 2 ? graze_hull2(v, (size_t)count) : graze_hull(v, (size_t)count);
}

static double disk_support(void *context, graze_vec d, graze_vec *point) {
  (void)context;
  double length = sqrt(d.x * d.x + d.y * d.y);
  *point = (graze_vec){length > 0 ? d.x / length : 0, length > 0 ? d.y / length : 0, d.z > 0 ? 0.5 : -0.5};
  return 0x1p-49;
}

/* Every kind of question that takes room. */
enum { PAIRS = 9 };

static void make_pair(int which, graze_placed *a, graze_placed *b) {
  static graze_vec many[100], few[30], flat[40], level[40];
  graze_shape p = ball_of_points(many, 100, 3), q = ball_of_points(few, 30, 3),
              user = graze_user(3, disk_support, NULL);
  switch (which) {
  case 0: break;
  case 1: p = q = graze_box(1, 2, 3); break;
  case 2: p = ball_of_points(flat, 40, 2), q = ball_of_points(level, 37, 2); break;
  case 3: p = graze_ellipsoid(1, 2, 3), q = graze_cylinder(1, 2); break;
  case 4: p = graze_ellipse(1, 2), q = graze_box2(1, 2); break;
  case 5: p = graze_sphere(1), q = graze_with_margin(q, 0.5); break;
  case 6: p = graze_cone(1, 2), q = user; break;
  case 7: p = graze_capsule(0.5, 1), q = graze_triangle(many[0], many[50], many[99]); break;
  default: p = graze_segment(many[0], many[99]), q = graze_segment(many[20], many[70]); break;
  }
  bool flat_pair = p.dim == 2;
  *a = graze_place(&p, flat_pair ? graze_pose2(0, 0, 1) : graze_pose3((graze_vec){0, 0, 0}, 1, 0.5, -0.25, 2));
  *b = graze_place(&q, flat_pair ? graze_pose2(0.25, 0.125, 0) : graze_pose_at(0.25, 0.125, -0.0625));
}

static bool is_narrow(const graze_answer *answer) {
  return answer->upper - answer->lower <= 1e-9 * fmax(fabs(answer->distance), 8);
}

static void check_answer(const graze_placed *a, const graze_placed *b, const graze_options *options,
                         const graze_answer *truth, int *wide) {
  graze_answer answer;
  memset(&answer, 0, sizeof answer);
  assert_int_equal(graze_distance(a, b, options, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, truth->relation);
  assert_true(answer.lower <= truth->upper && truth->lower <= answer.upper);
  assert_true(answer.lower <= answer.distance && answer.distance <= answer.upper);
  if (!is_narrow(&answer)) assert_int_equal(answer.stopped, GRAZE_STOP_BUDGET);
  if (options->surface != NULL) assert_int_equal(graze_verify(a, b, options, &answer), GRAZE_OK);
  *wide += !is_narrow(&answer);
}

static void ask_in(int which, size_t step, graze_method method, bool shown, int *wide) {
  graze_placed a, b;
  graze_answer truth;
  graze_surface surface;
  graze_options options = graze_default_options();
  make_pair(which, &a, &b);
  options.method = method;
  options.workspace = room + CANARIES, options.workspace_size = ENOUGH;
  if (shown) options.surface = &surface;
  assert_int_equal(graze_distance(&a, &b, &options, &truth), GRAZE_OK);
  assert_true(is_narrow(&truth) && truth.stopped == GRAZE_STOP_NONE);
  for (size_t size = 0; size <= graze_workspace_size(64); size += step) {
    set_canaries(size);
    options.workspace_size = size;
    check_answer(&a, &b, &options, &truth, wide);
    check_canaries(size);
  }
}

/* Hulls, by each of the ways that need a polytope: every size. */
TEST(every_size) {
  const size_t step = (size_t)tiered(3, 3, 1);
  int wide = 0;
  ask_in(0, step, GRAZE_METHOD_AUTO, true, &wide);
  assert_true(wide > 100);
  wide = 0;
  ask_in(2, step, GRAZE_METHOD_AUTO, true, &wide);
  assert_true(wide > 100);
  wide = 0; /* these are slow */
  ask_in(3, 13 * step, GRAZE_METHOD_AUTO, true, &wide);
  assert_true(wide > 100);
}

/* Sizes that are no multiple of anything. */
TEST(most_questions) {
  for (int which = 0; which < PAIRS; which++) {
    bool curved = which == 3 || which == 4 || which == 6;
    int wide = 0;
    for (int shown = 0; shown < 2; shown++) {
      ask_in(which, 117, GRAZE_METHOD_AUTO, shown, &wide);
      ask_in(which, 117, GRAZE_METHOD_GJK, shown, &wide);
      ask_in(which, 117, GRAZE_METHOD_EPA, shown, &wide);
      if (!curved) ask_in(which, 117, GRAZE_METHOD_EXACT, shown, &wide);
    }
    print_message("pair %d: %d wide intervals\n", which, wide);
  }
}

/* What has no interval to widen is refused. */
TEST(no_room_is_said) {
  graze_options options = graze_default_options();
  graze_shape box = graze_box(1, 2, 3);
  graze_placed a = graze_place(&box, graze_pose_at(0, 0, 0)), b = graze_place(&box, graze_pose_at(1, 1, 1)), p, q;
  make_pair(0, &p, &q);
  options.workspace = room + CANARIES;
  int answered = 0, axes = 0;
  for (size_t size = 0; size <= graze_workspace_size(64 + 4); size++) {
    graze_answer answer;
    graze_vec points[64];
    graze_pair pairs[64];
    graze_axis best;
    size_t count;
    bool holds, fits = size >= graze_workspace_size(64);
    set_canaries(size);
    options.workspace_size = size;
    options.method = GRAZE_METHOD_BRUTE;
    assert_int_equal(graze_distance(&a, &b, &options, &answer), fits ? GRAZE_OK : GRAZE_NO_ROOM);
    options.method = GRAZE_METHOD_AUTO;
    check_canaries(size);
    if (fits) assert_true(answer.lower <= -1 && answer.upper >= -1 && is_narrow(&answer));
    if (size % 7 > 0) continue;
    graze_status status = graze_minkowski(&a, &b, GRAZE_MINKOWSKI_SUM, &options, points, pairs, 64, &count, &holds);
    assert_true(status == GRAZE_OK || status == GRAZE_NO_ROOM);
    if (!fits) assert_int_equal(status, GRAZE_NO_ROOM);
    if (size >= graze_workspace_size(64 + 3)) assert_int_equal(status, GRAZE_OK);
    check_canaries(size);
    answered += status == GRAZE_OK;
    status = graze_sat(&p, &q, &options, NULL, NULL, &best);
    assert_true(status == GRAZE_OK || status == GRAZE_NO_ROOM);
    check_canaries(size);
    axes += status == GRAZE_OK;
  }
  assert_true(answered > 10);
  assert_int_equal(axes, 0); /* hulls of 100 and 30 points */
  options.workspace_size = ENOUGH;
  graze_axis best;
  assert_int_equal(graze_sat(&p, &q, &options, NULL, NULL, &best), GRAZE_OK);
}
