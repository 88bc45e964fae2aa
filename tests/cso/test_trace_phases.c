/* The trace of every search: what each step must satisfy, and that looking changes nothing. */

#include "support/test.h"
#include "support/families_run.h"
#include "cso/watch.h"

static watch w;
static shape_pair pair, tiny;

static graze_answer ask(bool distance, graze_method method, const char *name) {
  graze_options options = graze_default_options();
  options.method = method;
  graze_answer answer = watch_ask(&w, &pair, NULL, 1, distance, options);
  if (w.wrong) {
    print_query_line(stderr, name, distance ? "distance" : "intersect", &pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
    fail_msg("%s, method %d, step %d, phase %d: %s", name, (int)method, w.count, (int)w.last.phase, w.wrong);
  }
  return answer;
}

/* Which phases an answer must have shown. */
static void expect_phases(const graze_answer *answer, graze_method method) {
  if (method == GRAZE_METHOD_EXACT) assert_true(w.phase[GRAZE_PHASE_EXACT] > 0 && w.phase[GRAZE_PHASE_GJK] == 0);
  if (answer->path == GRAZE_PATH_GJK) assert_int_equal(w.count, w.phase[GRAZE_PHASE_GJK]);
  if (answer->path == GRAZE_PATH_EXACT) assert_true(w.phase[GRAZE_PHASE_EXACT] + w.phase[GRAZE_PHASE_EPA] > 0);
  if (answer->path == GRAZE_PATH_EPA) assert_true(w.phase[GRAZE_PHASE_EPA] > 0);
  if (method == GRAZE_METHOD_SAT && answer->path == GRAZE_PATH_SAT) assert_int_equal(w.phase[GRAZE_PHASE_EPA], 0);
  assert_int_equal(w.phase[GRAZE_PHASE_PORTAL], 0);
}

typedef struct tally {
  long asked, exact, epa;
} tally;

/* Seed 5. */
static void watch_family(const family *f, int count, tally *t) {
  static const graze_method method[] = {GRAZE_METHOD_AUTO, GRAZE_METHOD_EPA,   GRAZE_METHOD_EXACT,
                                        GRAZE_METHOD_GJK,  GRAZE_METHOD_BRUTE, GRAZE_METHOD_SAT};
  rng random = {5};
  for (int i = 0; i < count; i++) {
    f->make(&random, &pair);
    graze_method m = method[i % 6];
    graze_answer answer = ask(i % 3 != 0, m, f->name);
    if (w.count > 0) expect_phases(&answer, m);
    t->asked++;
    t->exact += w.phase[GRAZE_PHASE_EXACT] > 0 && m != GRAZE_METHOD_EXACT && m != GRAZE_METHOD_BRUTE;
    t->epa += w.phase[GRAZE_PHASE_EPA] > 0;
  }
}

TEST(polytopes) {
  tally random = {0, 0, 0}, bad = random, deep = random;
  const int count = tiered(60, 120, 20000);
  for (int i = 0; i < families_random_count; i++) watch_family(&families_random[i], count, &random);
  for (int i = 0; i < families_degenerate_count; i++) watch_family(&families_degenerate[i], count, &bad);
  for (int i = 0; i < families_depth_count; i++) watch_family(&families_depth[i], count, &deep);
  print_message("of %ld: exact %ld, EPA %ld; degenerate %ld: %ld, %ld; deep %ld: %ld, %ld\n", random.asked,
                random.exact, random.epa, bad.asked, bad.exact, bad.epa, deep.asked, deep.exact, deep.epa);
  assert_true(bad.exact * 10 > bad.asked);
  assert_true(deep.epa * 4 > deep.asked);
}

static graze_shape curved_shape(rng *random, int dim) {
  double p = rng_uniform(random, 0.3, 1), q = rng_uniform(random, 0.3, 1), r = rng_uniform(random, 0.3, 1);
  if (dim == 2) return graze_ellipse(p, q);
  int kind = rng_below(random, 3);
  return kind == 0 ? graze_ellipsoid(p, q, r) : kind == 1 ? graze_cylinder(p, q) : graze_cone(p, q);
}

/* As deep as it comes, and moved along the normal until it nearly touches, which is what portals are for. Seed 6. */
TEST(curved) {
  rng random = {6};
  const int count = tiered(300, 600, 50000);
  int portal = 0, near = 0, epa = 0, inscribed = 0;
  for (int i = 0; i < count; i++) {
    int dim = i % 3 == 0 ? 2 : 3;
    pair.a = curved_shape(&random, dim);
    pair.b = rng_coin(&random) ? curved_shape(&random, dim) : random_shape(&random, dim, pair.vertices_b);
    place_near(&random, &pair, 1, 1.5);
    graze_answer answer = ask(true, GRAZE_METHOD_AUTO, "curved");
    epa += w.phase[GRAZE_PHASE_EPA] > 0;
    if (answer.relation != GRAZE_SEPARATED) continue;
    double by = answer.distance;
    pair.pose_b.position.x -= answer.normal.x * by;
    pair.pose_b.position.y -= answer.normal.y * by;
    pair.pose_b.position.z -= answer.normal.z * by;
    ask(i % 2, GRAZE_METHOD_AUTO, "curved, near");
    near++;
    portal += w.phase[GRAZE_PHASE_PORTAL] > 0;
    inscribed += w.phase[GRAZE_PHASE_EXACT] > 0;
  }
  print_message("of %d: EPA %d; near contact %d: portals %d, inscribed polytopes %d\n", count, epa, near, portal,
                inscribed);
  assert_true(epa * 10 > count && near * 10 > count);
  assert_true(portal * 4 > near);
}

/* Lengths are the caller's, however small. Seed 7. */
TEST(tiny_shapes) {
  int epa = 0, apart = 0;
  for (int f = 0; f < families_random_count; f++) {
    rng random = {7}, same = {7};
    for (int i = 0; i < 20; i++) {
      families_random[f].make(&random, &pair);
      families_random[f].make(&same, &tiny);
      scale_pair(&tiny, 0x1p-500);
      graze_options options = graze_default_options();
      options.method = i % 2 ? GRAZE_METHOD_EPA : GRAZE_METHOD_AUTO;
      graze_answer answer = watch_ask(&w, &pair, &tiny, 0x1p500, true, options);
      if (w.wrong) fail_msg("%s, tiny %d, step %d: %s", families_random[f].name, i, w.count, w.wrong);
      epa += w.phase[GRAZE_PHASE_EPA] > 0;
      apart += answer.relation == GRAZE_SEPARATED;
    }
  }
  assert_true(epa > 20 && apart > 20);
}

/* Where the exact search needs more room than it began with, it begins anew; its steps are told once. */
typedef struct steps {
  int count;
  graze_trace_step step[100];
} steps;

static void keep_exact(void *context, const graze_trace_step *step) {
  steps *s = context;
  if (step->phase == GRAZE_PHASE_EXACT && s->count < 100) s->step[s->count++] = *step;
}

static bool same_step(const graze_trace_step *p, const graze_trace_step *q) {
  bool same = memcmp(&p->direction, &q->direction, sizeof p->direction) == 0 && p->simplex_count == q->simplex_count;
  same = same && p->pair.a == q->pair.a && p->pair.b == q->pair.b;
  for (int i = 0; same && i < p->simplex_count; i++)
    same = p->simplex[i].a == q->simplex[i].a && p->simplex[i].b == q->simplex[i].b;
  return same;
}

static double wild(rng *random) { return ldexp(rng_uniform(random, -1, 1), -rng_below(random, 1000)); }

static graze_vec wild_vec(rng *random) {
  graze_vec v = {wild(random), wild(random), wild(random)};
  return v;
}

static graze_pose wild_pose(rng *random) {
  return graze_pose3(wild_vec(random), 1, wild(random), wild(random), wild(random));
}

/* Seed 8. */
TEST(exact_steps_come_once) {
  static steps s;
  rng random = {8};
  int many = 0;
  for (int i = 0; i < 800; i++) {
    for (int k = 0; k < 12; k++) pair.vertices_a[k] = wild_vec(&random), pair.vertices_b[k] = wild_vec(&random);
    pair.a = graze_hull(pair.vertices_a, 12), pair.b = graze_hull(pair.vertices_b, 12);
    pair.pose_a = wild_pose(&random), pair.pose_b = wild_pose(&random);
    graze_placed a = graze_place(&pair.a, pair.pose_a), b = graze_place(&pair.b, pair.pose_b);
    graze_options options = graze_default_options();
    graze_answer answer;
    options.method = GRAZE_METHOD_EXACT;
    options.trace = keep_exact, options.trace_context = &s;
    s.count = 0;
    assert_int_equal(graze_intersect(&a, &b, &options, &answer), GRAZE_OK);
    assert_true(s.count >= 1 && s.count <= answer.iterations + 2);
    for (int k = 0; k < s.count; k++) assert_int_equal(s.step[k].stop != GRAZE_TRACE_GOES_ON, k == s.count - 1);
    for (int k = 1; k < s.count; k++)
      for (int j = 0; j < k; j++) assert_false(same_step(&s.step[j], &s.step[k]));
    many += s.count > 2;
  }
  assert_true(many > 400);
}

/* A workspace that is soon full; nothing beyond it is written. Seed 9. */
TEST(a_small_workspace) {
  static double room[1 << 12];
  rng random = {9};
  int full = 0;
  for (int i = 0; i < 300; i++) {
    families_depth[i % families_depth_count].make(&random, &pair);
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_EPA;
    options.workspace = room, options.workspace_size = graze_workspace_size(8 + (size_t)(i % 5));
    memset((char *)room + options.workspace_size, 0x5a, sizeof room - options.workspace_size);
    watch_ask(&w, &pair, NULL, 1, true, options);
    for (size_t k = options.workspace_size; k < sizeof room; k++) assert_int_equal(((char *)room)[k], 0x5a);
    if (w.wrong) fail_msg("small %d, step %d: %s", i, w.count, w.wrong);
    full += w.count > 0 && w.last.stop == GRAZE_TRACE_BUDGET;
  }
  assert_true(full > 50);
}
