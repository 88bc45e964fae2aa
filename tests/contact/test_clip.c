/* The clipper alone, on outlines that lie almost along one another: what is found is within the slack of both, and what
 * lies in both by more than rounding is within what is merged (10 times the slack) of the hull of what is found. The
 * truth is computed in long doubles, without any tolerance. Seed 1. */

#include "support/test.h"
#include "contact/check.h"
#include "contact/clip.h"

enum { ROOM = 16 };

typedef struct point {
  long double x, y;
} point;

typedef struct polygon {
  int count;
  point at[ROOM];
} polygon;

static uint64_t state;

static double uniform(double low, double high) { return rng_uniform(&state, low, high); }

static long double side(point p, point q, point x) { return (q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x); }

static void cut(polygon *out, const polygon *in, point p, point q) {
  out->count = 0;
  for (int i = 0; i < in->count; i++) {
    point u = in->at[i], v = in->at[(i + 1) % in->count];
    long double a = side(p, q, u), b = side(p, q, v), t = a / (a - b);
    if (a >= 0) out->at[out->count++] = u;
    if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
      point between = {u.x + (v.x - u.x) * t, u.y + (v.y - u.y) * t};
      out->at[out->count++] = between;
    }
  }
}

/* Keeps what lies at least `in` inside every side of q. */
static void cut_all(polygon *p, const polygon *q, long double in) {
  for (int i = 0; i < q->count; i++) {
    point u = q->at[i], v = q->at[(i + 1) % q->count];
    long double length = hypotl(v.x - u.x, v.y - u.y), x = -(v.y - u.y) * in / length, y = (v.x - u.x) * in / length;
    point inner_u = {u.x + x, u.y + y}, inner_v = {v.x + x, v.y + y};
    polygon old = *p;
    cut(p, &old, inner_u, inner_v);
  }
}

static long double from_segment(point x, point p, point q) {
  long double ex = q.x - p.x, ey = q.y - p.y, dx = x.x - p.x, dy = x.y - p.y, square = ex * ex + ey * ey;
  long double t = square > 0 ? fminl(fmaxl((ex * dx + ey * dy) / square, 0), 1) : 0;
  return hypotl(dx - t * ex, dy - t * ey);
}

/* The distance of x from the convex hull of points. */
static long double from_hull(point x, const polygon *p) {
  long double least = INFINITY;
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < p->count; k++) {
      least = fminl(least, from_segment(x, p->at[i], p->at[k]));
      for (int j = 0; j < p->count; j++)
        if (side(p->at[i], p->at[j], x) >= 0 && side(p->at[j], p->at[k], x) >= 0 && side(p->at[k], p->at[i], x) >= 0 &&
            side(p->at[i], p->at[j], p->at[k]) > 0)
          return 0;
    }
  return least;
}

/* A polygon about the origin, and one that shares a side with it but for an offset and a turn of nearly nothing. */
static bool almost_along(polygon *p, polygon *q) {
  double tiny = pow(10, uniform(-14, -5)), start = uniform(0, 6);
  p->count = 3 + (int)uniform(0, 5);
  for (int i = 0; i < p->count; i++) {
    p->at[i].x = cos(start + i * 8 * atan(1) / p->count);
    p->at[i].y = sin(start + i * 8 * atan(1) / p->count);
  }
  double outward = uniform(0, 1) < 0.5 ? -1 : 1;
  point a = p->at[0], b = p->at[1];
  long double ex = b.x - a.x, ey = b.y - a.y, from = uniform(-0.5, 0.9), to = from + uniform(0.1, 1);
  if (uniform(0, 1) < 0.3) from = 0;
  if (uniform(0, 1) < 0.3) to = 1;
  const long double along[4] = {from, to, to + uniform(-0.5, 0.5), from + uniform(-0.5, 0.5)};
  const double off[4] = {uniform(-1, 1) * tiny, uniform(-1, 1) * tiny, uniform(0.1, 1), uniform(0.1, 1)};
  q->count = 4;
  for (int i = 0; i < 4; i++) {
    double up = i < 2 ? off[i] : outward * off[i];
    point corner = {a.x + along[i] * ex - up * ey, a.y + along[i] * ey + up * ex};
    q->at[outward > 0 ? i : 3 - i] = corner;
  }
  for (int i = 0; i < 4; i++)
    if (!(side(q->at[i], q->at[(i + 1) % 4], q->at[(i + 2) % 4]) > 1e-3L)) return false;
  return true;
}

/* As both see it: rounded. */
static void outline(grz_feature *f, polygon *p) {
  f->count = p->count;
  f->disk = f->plane = false;
  f->face = 0;
  for (int i = 0; i < p->count; i++) {
    f->corner[i] = check_vec((double)p->at[i].x, (double)p->at[i].y, 0);
    f->id[i] = i;
    p->at[i].x = f->corner[i].x, p->at[i].y = f->corner[i].y;
  }
}

TEST(nothing_lost) {
  static grz_feature a, b;
  static grz_touches touches;
  grz_frame frame = {.slack = 1e-10};
  int corners = 0, thin = 0;
  state = 1;
  for (int i = 0; i < 20000; i++) {
    polygon p, q, truth, found;
    if (!almost_along(&p, &q)) continue;
    outline(&a, &p);
    outline(&b, &q);
    grz_clip(&frame, &a, &b, &touches);
    found.count = touches.count;
    assert_true(touches.count <= ROOM);
    for (int k = 0; k < touches.count; k++) {
      found.at[k].x = touches.at[k].at.x, found.at[k].y = touches.at[k].at.y;
      long double out = fmaxl(from_hull(found.at[k], &p), from_hull(found.at[k], &q));
      if (out > 1.001e-10L) fail_msg("round %d: found %Lg outside", i, out);
    }
    truth = p;
    cut_all(&truth, &p, 1e-14L);
    cut_all(&truth, &q, 1e-14L);
    for (int k = 0; k < truth.count; k++) {
      long double off = from_hull(truth.at[k], &found);
      if (off > 12e-10L) fail_msg("round %d: a corner lies %Lg from what is found", i, off);
    }
    corners += truth.count;
    thin += truth.count > 0 && from_hull(truth.at[0], &found) > 0;
  }
  if (corners < 30000 || thin < 100) fail_msg("%d corners, %d not found exactly", corners, thin);
}
