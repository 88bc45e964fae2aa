/* Sorting contact points and choosing among them, so that noise in depth or place changes nothing. */
#include "narrow/contact_reduce.h"

/* A point takes the place of an earlier one only when it is better by this: what is equal but for noise never does. */
#define REDUCE_BETTER (1 + 1e-3)

static bool reduce_is_witness(const grz_touch *t) { return t->feature == GRZ_WITNESS_FEATURE; }

static graze_vec reduce_from(const grz_touch *p, const grz_touch *q) { return vec_sub(q->at, p->at); }

static int reduce_lowest(const grz_touches *t) {
  int lowest = 0;
  for (int i = 1; i < t->count; i++)
    if (t->at[i].feature < t->at[lowest].feature) lowest = i;
  return lowest;
}

static graze_vec reduce_middle(const grz_touches *t) {
  graze_vec sum = {0, 0, 0};
  for (int i = 0; i < t->count; i++) sum = vec_add(sum, t->at[i].at);
  return vec_scale(sum, 1.0 / t->count);
}

/* Grows with the angle from u to v, counter-clockwise: 0 to 4. */
static double reduce_angle(graze_vec u, graze_vec v) {
  double x = flat_dot(u, v), y = flat_cross(u, v), length = real_abs(x) + real_abs(y);
  if (!(length > 0)) return 0;
  return y < 0 ? 3 + x / length : 1 - x / length;
}

/* The point farthest from point i, by more than noise. */
static int reduce_farthest(const grz_touches *t, int i) {
  int best = i;
  double most = 0;
  for (int k = 0; k < t->count; k++) {
    double far = flat_square(reduce_from(&t->at[i], &t->at[k]));
    if (far > most * REDUCE_BETTER) most = far, best = k;
  }
  return best;
}

/* The point farthest from the line through points i and k; -1 when all lie on it within the slack. */
static int reduce_off_line(const grz_touches *t, int i, int k, double slack) {
  graze_vec line = reduce_from(&t->at[i], &t->at[k]);
  double most = 10 * slack * real_sqrt(flat_square(line));
  int best = -1;
  for (int p = 0; p < t->count; p++) {
    double off = real_abs(flat_cross(line, reduce_from(&t->at[i], &t->at[p])));
    if (off > most * REDUCE_BETTER) most = off, best = p;
  }
  return best;
}

/* The point that adds the largest triangle to a triangle; -1 when none adds any. */
static int reduce_outside(const grz_touches *t, const int corner[3], double slack) {
  const grz_touch *a = &t->at[corner[0]], *b = &t->at[corner[1]], *c = &t->at[corner[2]];
  double sign = flat_cross(reduce_from(a, b), reduce_from(a, c)) > 0 ? 1 : -1, most = 0;
  int best = -1;
  for (int p = 0; p < t->count; p++)
    for (int i = 0; i < 3; i++) {
      const grz_touch *from = &t->at[corner[i]];
      graze_vec side = reduce_from(from, &t->at[corner[(i + 1) % 3]]);
      double out = -sign * flat_cross(side, reduce_from(from, &t->at[p]));
      if (out <= 10 * slack * real_sqrt(flat_square(side)) || out <= most * REDUCE_BETTER) continue;
      most = out, best = p;
    }
  return best;
}

void grz_touches_sort(grz_touches *t, double slack) {
  if (t->count < 2) return;
  if (t->count == 2) { /* on one line, and a witness has the highest feature */
    const grz_touch first = t->at[0];
    if (t->at[1].feature < first.feature) t->at[0] = t->at[1], t->at[1] = first;
    return;
  }
  double key[GRZ_TOUCHES];
  int lowest = reduce_lowest(t), far = reduce_farthest(t, lowest);
  bool around = reduce_off_line(t, lowest, far, slack) >= 0;
  graze_vec middle = reduce_middle(t), first = vec_sub(t->at[lowest].at, middle);
  for (int i = 0; i < t->count; i++) {
    grz_touch touch = t->at[i];
    double turn = around ? reduce_angle(first, vec_sub(touch.at, middle)) : (double)touch.feature;
    turn = reduce_is_witness(&touch) ? __builtin_inf() : turn;
    int k = i;
    for (; k > 0 && turn < key[k - 1]; k--) t->at[k] = t->at[k - 1], key[k] = key[k - 1];
    t->at[k] = touch, key[k] = turn;
  }
}

/* Of those equally deep the lowest feature: corners come before crossings in the middle of an edge. */
static int reduce_deepest(const grz_touches *t, double equal) {
  int best = -1;
  double most = t->at[0].depth;
  for (int i = 1; i < t->count; i++) most = real_max(most, t->at[i].depth);
  for (int i = 0; i < t->count; i++) {
    if (t->at[i].depth >= most - equal && (best < 0 || t->at[i].feature < t->at[best].feature)) best = i;
  }
  return best;
}

/* Marks up to `most` points, the most important first; returns how many. */
static int reduce_choose(const grz_touches *t, int most, double equal, double slack, int chosen[4]) {
  chosen[0] = reduce_deepest(t, equal);
  if (most == 1) return 1;
  chosen[1] = reduce_farthest(t, chosen[0]);
  if (chosen[1] == chosen[0]) return 1;
  if (most == 2) return 2;
  chosen[2] = reduce_off_line(t, chosen[0], chosen[1], slack);
  if (chosen[2] < 0) return 2;
  if (most == 3) return 3;
  chosen[3] = reduce_outside(t, chosen, slack);
  return chosen[3] < 0 ? 3 : 4;
}

void grz_touches_reduce(grz_touches *t, int most, double equal, double slack) {
  int chosen[4], kept = 0, count = reduce_choose(t, most, equal, slack, chosen);
  for (int i = 0; i < t->count; i++)
    for (int k = 0; k < count; k++)
      if (chosen[k] == i) t->at[kept++] = t->at[i];
  t->count = kept;
}
