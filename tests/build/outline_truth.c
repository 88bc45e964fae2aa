#include "build/outline_truth.h"

#include <math.h>
#include <string.h>

#include "build/tiling.h"

__extension__ typedef __int128 wide;

typedef struct point {
  wide x, y;
} point;

typedef struct judgement {
  const truth_outline *outline;
  graze_flaw *flaws;
  size_t count, most;
} judgement;

void truth_vertices(const truth_outline *outline, graze_vec *vertices) {
  for (size_t i = 0; i < outline->count; i++) {
    graze_vec v = {ldexp((double)outline->x[i], outline->unit), ldexp((double)outline->y[i], outline->unit), 0};
    vertices[i] = v;
  }
}

static point at(const truth_outline *o, size_t i) {
  i %= o->count;
  return (point){o->x[i], o->y[i]};
}
static point minus(point a, point b) { return (point){a.x - b.x, a.y - b.y}; }
static wide cross(point a, point b) { return a.x * b.y - a.y * b.x; }
static wide dot(point a, point b) { return a.x * b.x + a.y * b.y; }
static bool same(point a, point b) { return a.x == b.x && a.y == b.y; }

static size_t before(const truth_outline *o, size_t i) { return (i + o->count - 1) % o->count; }
static bool is_repeat(const truth_outline *o, size_t i) { return o->count > 1 && same(at(o, i), at(o, before(o, i))); }
static bool is_edge(const truth_outline *o, size_t i) { return !same(at(o, i), at(o, i + 1)); }

/* The next edge of some length. */
static size_t after(const truth_outline *o, size_t i) {
  do i = (i + 1) % o->count;
  while (!is_edge(o, i));
  return i;
}

/* On one line: which part of edge i does edge j cover, as values of dot(x - a, b - a)? */
static void covered(const truth_outline *o, size_t i, size_t j, wide *low, wide *high) {
  point a = at(o, i), u = minus(at(o, i + 1), a);
  wide p = dot(minus(at(o, j), a), u), q = dot(minus(at(o, j + 1), a), u), length = dot(u, u);
  *low = p < q ? p : q, *high = p < q ? q : p;
  if (*low < 0) *low = 0;
  if (*high > length) *high = length;
}

/* 0, or the flaw that edges i and j are. */
static int meeting(const truth_outline *o, size_t i, size_t j) {
  point a = at(o, i), c = at(o, j), u = minus(at(o, i + 1), a), v = minus(at(o, j + 1), c), w = minus(c, a);
  wide det = cross(u, v);
  bool successive = after(o, i) == j || after(o, j) == i;
  if (det == 0) {
    if (cross(w, u) != 0) return 0;
    wide low, high;
    covered(o, i, j, &low, &high);
    if (low > high) return 0;
    return low == high && successive ? 0 : GRAZE_FLAW_EDGES_TOUCH;
  }
  wide s = cross(w, v), t = cross(w, u); /* a + (s/det)·u = c + (t/det)·v */
  if (det < 0) s = -s, t = -t, det = -det;
  if (s < 0 || s > det || t < 0 || t > det || successive) return 0;
  return s > 0 && s < det && t > 0 && t < det ? GRAZE_FLAW_EDGES_CROSS : GRAZE_FLAW_EDGES_TOUCH;
}

static void add(judgement *judge, int kind, size_t index, size_t other) {
  graze_flaw flaw = {(graze_flaw_kind)kind, 0, index, 0, other};
  if (judge->count < judge->most) judge->flaws[judge->count] = flaw;
  judge->count++;
}

static size_t distinct(const truth_outline *o) {
  size_t count = 0;
  for (size_t i = 0; i < o->count; i++) {
    size_t j = 0;
    while (!same(at(o, i), at(o, j))) j++;
    count += i == j;
  }
  return count;
}

static void add_repeats(judgement *judge) {
  const truth_outline *o = judge->outline;
  for (size_t i = 0; i < o->count; i++) {
    if (is_repeat(o, i)) add(judge, GRAZE_FLAW_REPEATED_NEIGHBOUR, i, before(o, i));
  }
  for (size_t i = 0; i < o->count; i++) {
    if (is_repeat(o, i)) continue;
    for (size_t j = 0; j < i; j++) {
      if (is_repeat(o, j) || !same(at(o, i), at(o, j))) continue;
      add(judge, GRAZE_FLAW_REPEATED_POINT, i, j);
      break;
    }
  }
}

static void add_meetings(judgement *judge, int kind) {
  const truth_outline *o = judge->outline;
  for (size_t i = 0; i < o->count; i++) {
    for (size_t j = i + 1; j < o->count && is_edge(o, i); j++) {
      if (is_edge(o, j) && meeting(o, i, j) == kind) add(judge, kind, i, j);
    }
  }
}

/* Not on one line, and all on one side of every edge. */
static bool is_one_sided(const truth_outline *o) {
  bool flat = true;
  for (size_t i = 0; i < o->count; i++) {
    bool left = false, right = false;
    for (size_t j = 0; j < o->count; j++) {
      wide turn = cross(minus(at(o, i + 1), at(o, i)), minus(at(o, j), at(o, i)));
      left |= turn > 0, right |= turn < 0;
    }
    if (left && right) return false;
    if (left || right) flat = false;
  }
  return !flat;
}

bool truth_judge(const truth_outline *o, graze_outline *judged, graze_flaw *flaws, size_t most) {
  graze_vec vertices[TRUTH_MOST];
  judgement judge = {o, flaws, 0, most};
  int sign;
  truth_vertices(o, vertices);
  memset(judged, 0, sizeof *judged);
  judged->area = tiling_area(vertices, o->count, &sign);
  judged->winding = sign > 0 ? GRAZE_WINDING_CCW : sign < 0 ? GRAZE_WINDING_CW : GRAZE_WINDING_NONE;
  if (distinct(o) < 3) add(&judge, GRAZE_FLAW_FEW_POINTS, 0, 0);
  if (sign == 0) add(&judge, GRAZE_FLAW_ZERO_AREA, 0, 0);
  add_repeats(&judge);
  size_t others = judge.count;
  add_meetings(&judge, GRAZE_FLAW_EDGES_TOUCH);
  add_meetings(&judge, GRAZE_FLAW_EDGES_CROSS);
  judged->convex = judge.count == others && is_one_sided(o); /* what is convex and not flat is simple */
  judged->simple = judge.count == 0;
  judged->flaws = flaws;
  judged->flaw_count = judge.count;
  return judge.count <= most;
}
