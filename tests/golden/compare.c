/* One number for the answers of the reference methods (graze/compare.h) and of the cast methods that AUTO does not
 * choose. It must come out the same from every compiler, with all options (tests/golden/run.py). Only the public API.
 */
#include "common.h"

#include <graze/compare.h>

enum { SCENES = 24, QUERIES_PER_SCENE = 200, MOST_POINTS = MOST_VERTICES * MOST_VERTICES };

static int answered;

static void query_rest(const graze_placed *a, const graze_placed *b, const style *s) {
  const bool brute = below(2);
  graze_options options = graze_default_options();
  graze_answer answer;
  graze_certificate certificate;
  graze_axis best;
  memset(&certificate, 0, sizeof certificate);
  if (below(8) == 0) options.clearance = any_size(s);
  options.workspace = workspace;
  options.workspace_size = sizeof workspace;
  options.certificate = &certificate;
  graze_status status = (brute ? graze_compare_brute : graze_compare_sat)(a, b, &options, &answer);
  ADD_INTEGERS(status);
  if (status == GRAZE_OK) add_answer(&answer, &certificate), answered++;
  status = graze_compare_axes(a, b, &options, NULL, NULL, &best);
  ADD_INTEGERS(status);
  if (status != GRAZE_OK) return;
  ADD_INTEGERS(best.kind, best.feature_a, best.feature_b);
  add_vec(best.direction);
  add_vec((graze_vec){best.separation, best.a.min, best.b.max});
}

static void query_minkowski(const graze_placed *a, const graze_placed *b) {
  static graze_vec points[MOST_POINTS];
  static graze_pair pairs[MOST_POINTS];
  graze_options options = graze_default_options();
  size_t count = 0;
  bool contains = false;
  options.workspace = workspace;
  options.workspace_size = sizeof workspace;
  const graze_minkowski_of of = below(2) ? GRAZE_MINKOWSKI_DIFFERENCE : GRAZE_MINKOWSKI_SUM;
  graze_status status = graze_compare_minkowski(a, b, of, &options, points, pairs, MOST_POINTS, &count, &contains);
  ADD_INTEGERS(status);
  if (status != GRAZE_OK) return;
  ADD_INTEGERS(contains);
  add_pairs(pairs, (int)count, NULL);
  for (size_t i = 0; i < count; i++) add_vec(points[i]);
}

static void query_motion(const graze_placed *a, const graze_placed *b, const style *s) {
  static const graze_cast_method methods[] = {GRAZE_CAST_FCCD, GRAZE_CAST_SWEEP, GRAZE_CAST_CA};
  graze_cast_options options = graze_default_cast_options();
  graze_cast_result result;
  graze_certificate certificate;
  const int method = below(5);
  const graze_vec from = b->pose.position, to = a->pose.position, aside = any_vec(s);
  const graze_motion motion = {{to.x - from.x + aside.x, to.y - from.y + aside.y, to.z - from.z + aside.z}, {0, 0, 0}};
  memset(&certificate, 0, sizeof certificate);
  options.certificate = &certificate;
  if (method < 3) options.method = methods[method];
  graze_status status = method < 3    ? graze_cast(a, NULL, b, &motion, 1, &options, &result)
                        : method == 3 ? graze_compare_lccd(NULL, a, NULL, b, &motion, 1, &options, &result)
                                      : graze_compare_sampling(NULL, a, NULL, b, &motion, 1, &options, &result);
  add_cast(status, &result, &certificate);
  answered += status == GRAZE_OK;
}

int main(void) {
  static shape_store stores[PLACED];
  static graze_placed placed[PLACED];
  for (int scene = 0; scene < SCENES; scene++) {
    style s = {scene % 2 == 0, scene % 3 == 0 ? 2 : 3, 1};
    if (scene % 4 == 3) s.scale = power_of_two(below(161) - 80);
    for (int i = 0; i < PLACED; i++) placed[i] = any_placed(&s, &stores[i]);
    for (int i = 0; i < QUERIES_PER_SCENE; i++) {
      const graze_placed *a = &placed[below(PLACED)], *b = &placed[below(PLACED)];
      query_rest(a, b, &s);
      if (below(4) == 0) query_minkowski(a, b);
      if (below(4) == 0) query_motion(a, b, &s);
    }
  }
  fprintf(stderr, "%d answers of reference methods\n", answered);
  printf("%016" PRIx64 "\n", hash);
  return 0;
}
