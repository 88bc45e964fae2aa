/* The heights of the edges of two outlines, and the path through them: they are right, and every instruction set gives
 * the same bits. */
#include "support/geometry.h"
#include "support/random.h"
#include "support/test.h"
#include "narrow/axes.h"

enum { MOST = GRZ_OUTLINE_VERTICES };

typedef struct outlines {
  graze_vec corner[2][MOST];
  double rotation[2][9];
  graze_vec offset;
  grz_outline of[2];
} outlines;

/* Corners around the origin, in either winding; some are repeated. */
static void any_outline(rng *random, outlines *o, int which) {
  graze_vec *corner = o->corner[which];
  const int count = rng_between(random, 1, MOST);
  double angle = 0;
  for (int i = 0; i < count; i++) {
    const bool repeated = i > 0 && rng_below(random, 8) == 0;
    angle += rng_uniform(random, 0.1, 1) * 6.28 / MOST;
    corner[i] = repeated ? corner[i - 1] : vec(cos(angle), 0.5 * sin(angle), 0);
  }
  const double turn = rng_uniform(random, 0, 6);
  const double rotation[9] = {cos(turn), -sin(turn), 0, sin(turn), cos(turn), 0, 0, 0, 1};
  memcpy(o->rotation[which], rotation, sizeof rotation);
  const bool reverse = rng_coin(random);
  for (int i = 0; reverse && i < count / 2; i++) {
    const graze_vec first = corner[i];
    corner[i] = corner[count - 1 - i], corner[count - 1 - i] = first;
  }
  o->of[which] = (grz_outline){.corner = corner, .count = count, .rotation = o->rotation[which]};
  o->of[which].first = reverse ? count - 1 : 0, o->of[which].step = reverse ? -1 : 1;
}

static graze_vec place(const outlines *o, int which, int k) {
  const grz_outline *outline = &o->of[which];
  const double *r = o->rotation[which];
  const graze_vec v = outline->corner[outline->first + outline->step * (k % outline->count)];
  return vec(r[0] * v.x + r[1] * v.y, r[3] * v.x + r[4] * v.y, 0);
}

/* The height of an edge line of one outline over the origin, by a plain loop; infinite between coincident corners. */
static double height(const outlines *o, int which, int k) {
  const graze_vec from = place(o, which, k), to = place(o, which, k + 1), offset = scaled(which ? -1 : 1, o->offset);
  const double length = hypot(to.x - from.x, to.y - from.y);
  if (length == 0) return INFINITY;
  const double x = (to.y - from.y) / length, y = (from.x - to.x) / length;
  double least = INFINITY;
  for (int j = 0; j < o->of[!which].count; j++) {
    const graze_vec other = place(o, !which, j);
    least = fmin(least, x * other.x + y * other.y);
  }
  return x * (from.x + offset.x) + y * (from.y + offset.y) - least;
}

static void check_heights(const outlines *o, double inside, double outside, const grz_outline_decision *d) {
  int edges = 0, low = 0;
  for (int which = 0; which < 2; which++) {
    const grz_outline *outline = &o->of[which];
    double least = INFINITY;
    for (int k = 0; k < outline->count; k++) {
      const double expected = height(o, which, k), square = outline->height[k];
      least = fmin(least, expected);
      if (expected == INFINITY) continue;
      edges++, low += expected <= inside;
      const double computed = copysign(sqrt(fabs(square)), square); /* a lower bound if it is beyond the least */
      assert_true(computed - expected < 1e-7 && (k != outline->edge || expected - computed < 1e-7));
    }
    assert_true(least == outline->least || fabs(outline->least - least) < 1e-7);
  }
  if (d->separating >= 0) {
    assert_true(height(o, !d->of_a, d->separating) < -outside);
    return;
  }
  assert_int_equal(d->edges != 0, edges > 0);
  assert_int_equal(d->low_edges != 0, low > 0);
}

/* The times at which the origin passes the edge lines, by a plain loop. */
static void check_path(const outlines *o, graze_vec speed, const grz_outline_path *path) {
  double enter = -INFINITY, leave = INFINITY;
  for (int which = 0; which < 2; which++) {
    for (int k = 0; k < o->of[which].count; k++) {
      const graze_vec from = place(o, which, k), to = place(o, which, k + 1);
      const double length = hypot(to.x - from.x, to.y - from.y), sign = which ? -1 : 1;
      if (length == 0) continue;
      const double rate = sign * ((to.y - from.y) * speed.x + (from.x - to.x) * speed.y) / length;
      const double time = -height(o, which, k) / rate;
      if (rate < 0)
        leave = fmin(leave, time);
      else
        enter = fmax(enter, time);
    }
  }
  assert_true(enter == path->enter || fabs(enter - path->enter) < 1e-6 * (1 + fabs(enter)));
  assert_true(leave == path->leave || fabs(leave - path->leave) < 1e-6 * (1 + fabs(leave)));
  assert_true((path->in >= 0) == (path->enter > -INFINITY) && (path->out >= 0) == (path->leave < INFINITY));
}

TEST(every_instruction_set_gives_the_same_bits) {
  const grz_outline_kernels *kernels[3] = {&grz_outline_portable, grz_outline_select()};
  int sets = 2, separated = 0, inside = 0, hits = 0, cases = tiered(2000, 10000, 100000);
#ifdef GRZ_SIMD_X86
  kernels[sets++] = &grz_outline_sse2;
#endif
  rng random = 7;
  for (int i = 0; i < cases; i++) {
    outlines o[3];
    grz_outline_decision d[3];
    grz_outline_path path[3];
    any_outline(&random, &o[0], 0), any_outline(&random, &o[0], 1);
    o[0].offset = rng_vec(&random, 2, 1.2);
    const graze_vec speed = rng_coin(&random) ? rng_vec(&random, 2, 1) : vec(rng_coin(&random), 0, 0);
    for (int k = 0; k < sets; k++) {
      grz_outline a = o[0].of[0], b = o[0].of[1];
      d[k] = (grz_outline_decision){.outside = 0.125, .inside = 0.0625};
      assert_true(kernels[k]->decide(&a, &b, o[0].offset, &d[k]));
      assert_true(kernels[k]->clip(&a, &b, o[0].offset, speed, &path[k]));
      assert_true(kernels[k]->heights(&a, &b, o[0].offset, 1e-9));
      o[k].of[0] = a, o[k].of[1] = b;
      if (k == 0) continue;
      assert_true(d[k].separating == d[0].separating && d[k].of_a == d[0].of_a);
      assert_true(path[k].enter == path[0].enter && path[k].leave == path[0].leave);
      assert_true(path[k].in == path[0].in && (path[k].in < 0 || path[k].in_own == path[0].in_own));
      assert_true(path[k].out == path[0].out && (path[k].out < 0 || path[k].out_own == path[0].out_own));
      for (int which = 0; which < 2; which++) {
        const grz_outline *first = &o[0].of[which], *other = &o[k].of[which];
        assert_true(first->least == other->least && first->edge == other->edge);
        assert_true(first->height[first->edge] == other->height[first->edge]);
        for (int c = 0; c < first->count; c++) assert_true(first->x[c] == other->x[c] && first->y[c] == other->y[c]);
      }
    }
    check_heights(&o[0], 0.0625, 0.125, &d[0]);
    if (norm(speed) > 0) check_path(&o[0], speed, &path[0]);
    hits += path[0].enter > 0 && path[0].enter < path[0].leave;
    separated += d[0].separating >= 0, inside += d[0].separating < 0 && d[0].edges && !d[0].low_edges;
  }
  assert_in_range(separated, cases / 5, 4 * cases / 5);
  assert_in_range(inside, cases / 10, 4 * cases / 5);
  assert_in_range(hits, cases / 20, cases / 2);
}
