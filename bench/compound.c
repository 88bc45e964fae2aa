/* Times queries about compounds, and the same queries by all pairs of parts.
 *
 *   compound [PARTS]        default 1000
 *
 * Parts are boxes with edges 0.4 to 2 and random rotations, in a cube with edge 30. A line per scene and query:
 * processor time of a query with bounding-volume trees, the pairs of parts that it tested, and the time of a query by
 * all pairs, which must return the same answer. The list contains convex boxes and uses graze_intersect_list(). */
#define _POSIX_C_SOURCE 199309L
#include "probe.h"

enum { QUERY_SHAPES = 100 };

static uint64_t state = 0x9e3779b97f4a7c15u;

static graze_pose any_pose(double spread, double x) {
  graze_vec at = {x + spread * probe_uniform(&state), spread * probe_uniform(&state), spread * probe_uniform(&state)};
  return graze_pose3(at, probe_uniform(&state), probe_uniform(&state), probe_uniform(&state), probe_uniform(&state));
}

static graze_placed any_box(double spread, double x) {
  graze_shape box = graze_box(0.6 + 0.4 * probe_uniform(&state), 0.6 + 0.4 * probe_uniform(&state),
                              0.6 + 0.4 * probe_uniform(&state));
  return graze_place(&box, any_pose(spread, x));
}

static graze_compound *assemble(size_t count) {
  graze_placed *parts = probe_allocate(count, sizeof *parts);
  graze_compound *compound;
  for (size_t i = 0; i < count; i++) parts[i] = any_box(15, 0);
  double start = probe_seconds();
  probe_expect(graze_compound_create(parts, count, NULL, &compound, NULL), "compound");
  printf("made of %zu parts in %.2f ms\n", count, (probe_seconds() - start) * 1e3);
  free(parts);
  return compound;
}

typedef graze_status query(const graze_placed *a, const graze_placed *b, const graze_options *options,
                           graze_answer *answer);

/* Tests every pair of parts as two convex shapes. */
static void run_all_pairs(query *run, const graze_placed *a, const graze_placed *b, graze_answer *strongest) {
  size_t m = graze_part_count(a), n = graze_part_count(b);
  graze_placed *others = probe_allocate(n, sizeof *others);
  graze_frame frame_a, frame_b;
  for (size_t k = 0; k < n; k++) others[k] = graze_part(b, k, &frame_b);
  for (size_t i = 0; i < m; i++) {
    graze_placed part = graze_part(a, i, &frame_a);
    for (size_t k = 0; k < n; k++) {
      graze_answer answer;
      probe_expect(run(&part, &others[k], NULL, &answer), "pair");
      bool nearer = answer.relation == strongest->relation && answer.upper < strongest->upper;
      if (answer.relation > strongest->relation || nearer) *strongest = answer;
    }
  }
  free(others);
}

static void compare(const char *scene, const char *name, query *run, const graze_placed *a, const graze_placed *b,
                    int count, int repeat) {
  double tree = 0, pairs = 0, brute = 0;
  int slow = graze_part_count(&b[0]) > 1 ? 1 : 5;
  for (int i = 0; i < count; i++) {
    graze_answer answer = {0}, whole = {0};
    double start = probe_seconds();
    for (int k = 0; k < repeat; k++) probe_expect(run(a, &b[i], NULL, &answer), scene);
    tree += probe_seconds() - start;
    pairs += (double)answer.pairs_tested;
    if (i >= slow) continue;
    start = probe_seconds();
    run_all_pairs(run, a, &b[i], &whole);
    brute += probe_seconds() - start;
    if (whole.relation != answer.relation || whole.upper < answer.lower || answer.upper < whole.lower) {
      fprintf(stderr, "%s: the two disagree\n", scene);
      exit(1);
    }
  }
  printf("%-28s %-9s %10.2f us, %6.1f pairs; all pairs %10.0f us\n", scene, name, tree * 1e6 / count / repeat,
         pairs / count, brute * 1e6 / (slow < count ? slow : count));
  fflush(stdout);
}

static void both(const char *scene, const graze_placed *a, const graze_placed *b, int count, int repeat) {
  compare(scene, "relation", graze_intersect, a, b, count, repeat);
  compare(scene, "distance", graze_distance, a, b, count, repeat);
}

static bool go_on(void *context, size_t index, const graze_answer *answer) {
  (void)context, (void)index, (void)answer;
  return true;
}

static void measure_list(size_t count) {
  graze_placed *list = probe_allocate(count, sizeof *list);
  double coarse = 0, all = 0, queried = 0;
  for (size_t i = 0; i < count; i++) list[i] = any_box(15, 0);
  for (int i = 0; i < QUERY_SHAPES; i++) {
    graze_placed query_shapes = any_box(15, 0);
    graze_list_counts counts;
    double start = probe_seconds();
    probe_expect(graze_intersect_list(&query_shapes, list, count, NULL, go_on, NULL, &counts), "list");
    coarse += probe_seconds() - start;
    queried += (double)counts.queried;
    size_t found = 0;
    start = probe_seconds();
    for (size_t k = 0; k < count; k++) {
      graze_answer answer;
      probe_expect(graze_intersect(&query_shapes, &list[k], NULL, &answer), "member");
      found += answer.relation != GRAZE_SEPARATED;
    }
    all += probe_seconds() - start;
    if (found != counts.reported) exit(1);
  }
  printf("%-28s %-9s %10.2f us, %6.1f pairs; all pairs %10.0f us\n", "a box and a list", "relation",
         coarse * 1e6 / QUERY_SHAPES, queried / QUERY_SHAPES, all * 1e6 / QUERY_SHAPES);
  free(list);
}

int main(int argc, char **argv) {
  size_t count = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1000;
  if (count == 0) return 2;
  graze_compound *made[2] = {assemble(count), assemble(count)};
  graze_shape shape = graze_compound_shape(made[0]), other = graze_compound_shape(made[1]);
  graze_placed a = graze_place(&shape, any_pose(0, 0)), query_shapes[QUERY_SHAPES], crowd[3];
  for (int i = 0; i < QUERY_SHAPES; i++) query_shapes[i] = any_box(15, 0);
  both("a box among the parts", &a, query_shapes, QUERY_SHAPES, 100);
  for (int i = 0; i < QUERY_SHAPES; i++) query_shapes[i] = any_box(15, 100);
  both("a box far away", &a, query_shapes, QUERY_SHAPES, 100);
  if (count <= 2000) { /* all pairs of two large compounds take too long */
    for (int i = 0; i < 3; i++) crowd[i] = graze_place(&other, any_pose(1, 0));
    both("one compound in the other", &a, crowd, 3, 20);
    for (int i = 0; i < 3; i++) crowd[i] = graze_place(&other, any_pose(1, 60));
    both("compounds side by side", &a, crowd, 3, 20);
  }
  measure_list(count);
  graze_compound_destroy(made[0]), graze_compound_destroy(made[1]);
  return 0;
}
