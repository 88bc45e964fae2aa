/* The smallest box around a solid. Two adjacent faces of it are flush with an edge of the hull each (O'Rourke 1985).
 * For a pair of edges these boxes form a family of one parameter, in which the volume is a quotient of polynomials as
 * long as the vertices that the box touches stay the same, and no less than that quotient otherwise. So branch and
 * bound finds the least of every family, to 1e-12. docs/theory/boxes.md, "The smallest of all". */
#include "geometry/fit_box_edges.h"

#include "core/memory.h"

enum { BEST_EDGES = 6000, BEST_DEPTH = 60, BEST_STEPS = 4000 };

/* A box counts as smaller by this part of the volume, and what rounding may feign: widths are off by about this much.
 */
#define BEST_GAIN 1e-12
#define BEST_NOISE 0x1p-50
#define BEST_SHORT 0x1p-50

/* Looks at vertices; a pair of edges counts as BEST_PAIR of them. Hulls of 600 vertices needed fewer, whatever their
 * form. */
#define BEST_WORK INT64_C(4000000000)
enum { BEST_PAIR = 8 };

/* Two faces of the box have the normals n1 and n2 = side·(edge × n1), which are not of length 1; n1 runs straight from
 * `from` to `to`. */
typedef struct best_piece {
  graze_vec from, to;
} best_piece;

typedef struct best_search {
  const graze_hull *hull;
  const fit_cloud *cloud;
  fit_frame frame;
  double volume;
  int32_t hint[6];
  int64_t work;
} best_search;

static graze_vec best_lerp(graze_vec a, graze_vec b, double t) { return vec_add(vec_scale(a, 1 - t), vec_scale(b, t)); }

static graze_vec best_middle(graze_vec a, graze_vec b) { return vec_scale(vec_add(a, b), 0.5); }

/* Climbs from where the last search ended. If rounding makes it stop early, the bounds are lower, and still bounds. */
static void best_climb(best_search *search, int k, graze_vec direction) {
  const graze_adjacency *adjacency = &search->hull->adjacency;
  int32_t at = search->hint[k];
  double most = vec_dot(direction, search->cloud->at[at]);
  for (bool up = true; up;) {
    int32_t start = adjacency->start[at], end = adjacency->start[at + 1];
    up = false;
    search->work += end - start;
    for (int32_t s = start; s < end; s++) {
      double value = vec_dot(direction, search->cloud->at[adjacency->neighbor[s]]);
      if (value > most) most = value, at = adjacency->neighbor[s], up = true;
    }
  }
  search->hint[k] = at;
}

static void best_try(best_search *search, graze_vec n1, graze_vec n2) {
  graze_vec n3 = vec_cross(n1, n2);
  double length1 = vec_length(n1), length3 = vec_length(n3);
  if (!(length1 > 0 && length3 > 1e-12 * length1)) return;
  fit_frame frame;
  frame.axis[0] = vec_scale(n1, 1 / length1);
  frame.axis[2] = vec_scale(n3, 1 / length3);
  frame.axis[1] = vec_cross(frame.axis[2], frame.axis[0]);
  double volume = grz_fit_volume(search->cloud, frame);
  search->work += (int64_t)search->cloud->count;
  if (!(volume < search->volume)) return;
  search->volume = volume;
  search->frame = frame;
}

/* ---- Polynomials by their Bernstein coefficients. */

static void best_line_by_line(const double f[2], const double g[2], double out[3]) {
  out[0] = f[0] * g[0];
  out[1] = 0.5 * (f[0] * g[1] + f[1] * g[0]);
  out[2] = f[1] * g[1];
}

static void best_square_by_square(const double f[3], const double g[3], double out[5]) {
  out[0] = f[0] * g[0];
  out[1] = 0.5 * (f[0] * g[1] + f[1] * g[0]);
  out[2] = (f[0] * g[2] + 4 * f[1] * g[1] + f[2] * g[0]) * (1 / 6.0);
  out[3] = 0.5 * (f[1] * g[2] + f[2] * g[1]);
  out[4] = f[2] * g[2];
}

static void best_norm(graze_vec from, graze_vec to, double out[3]) {
  out[0] = vec_dot(from, from), out[1] = vec_dot(from, to), out[2] = vec_dot(to, to);
}

/* The vertices found last: any others would do, for worse bounds. */
static graze_vec best_last(const best_search *search, int k) {
  return vec_sub(search->cloud->at[search->hint[2 * k]], search->cloud->at[search->hint[2 * k + 1]]);
}

/* Is every box of the piece as large as the smallest so far? The widths between pairs of vertices say so: on the scale
 * of the normals their product is at most the volume times |n1|²|n2|², as n3 = n1 × n2; unless two of them are
 * negative.
 */
static bool best_excludes(const best_search *search, best_piece piece, graze_vec edge) {
  graze_vec a = piece.from, b = piece.to, na = vec_cross(edge, a), nb = vec_cross(edge, b);
  graze_vec d1 = best_last(search, 0), d2 = best_last(search, 1), d3 = best_last(search, 2);
  const double w1[2] = {vec_dot(a, d1), vec_dot(b, d1)}, w2[2] = {vec_dot(na, d2), vec_dot(nb, d2)};
  const double w3[3] = {vec_dot(vec_cross(a, na), d3),
                        0.5 * (vec_dot(vec_cross(a, nb), d3) + vec_dot(vec_cross(b, na), d3)),
                        vec_dot(vec_cross(b, nb), d3)};
  double middle1 = 0.5 * (w1[0] + w1[1]), middle2 = 0.5 * (w2[0] + w2[1]);
  double middle3 = 0.25 * (w3[0] + 2 * w3[1] + w3[2]);
  if (w1[0] < 0 || w1[1] < 0 || w2[0] < 0 || w2[1] < 0) return false;
  if (!(middle1 > 0 && middle2 > 0 && middle3 > 0)) return false;
  double gain = BEST_GAIN + BEST_NOISE * (1 / middle1 + 1 / middle2 + 1 / middle3);
  double w12[3], square1[3], square2[3], product[5], norms[5], bound = search->volume * (1 - gain);
  best_line_by_line(w1, w2, w12);
  best_square_by_square(w12, w3, product);
  best_norm(a, b, square1);
  best_norm(na, nb, square2);
  best_square_by_square(square1, square2, norms);
  for (int i = 0; i < 5; i++) {
    if (!(product[i] >= bound * norms[i])) return false;
  }
  return true;
}

/* Finds what the box in the middle of the piece touches, and its volume. */
static double best_touch(best_search *search, best_piece piece, graze_vec edge) {
  graze_vec m = best_middle(piece.from, piece.to), n = vec_cross(edge, m), third = vec_cross(m, n);
  const graze_vec normal[3] = {m, n, third};
  double volume = 1 / (vec_dot(m, m) * vec_dot(n, n));
  for (int k = 0; k < 3; k++) {
    best_climb(search, 2 * k, normal[k]);
    best_climb(search, 2 * k + 1, vec_neg(normal[k]));
    volume *= vec_dot(normal[k], best_last(search, k));
  }
  return volume;
}

/* Depth first, the half with `from` before the other. Pieces get half as long from level to level, 1.5 at first, so 52
 * levels are all there are. */
static void best_family(best_search *search, best_piece family, graze_vec edge) {
  best_piece stack[BEST_DEPTH];
  int depth = 0;
  if (best_excludes(search, family, edge)) return;
  best_touch(search, family, edge);
  if (best_excludes(search, family, edge)) return;
  best_try(search, family.from, vec_cross(edge, family.from));
  best_try(search, family.to, vec_cross(edge, family.to));
  stack[depth++] = family;
  for (int step = 0; depth > 0 && step < BEST_STEPS; step++) {
    best_piece piece = stack[--depth];
    double volume = best_touch(search, piece, edge);
    if (vec_norm_inf(vec_sub(piece.to, piece.from)) < BEST_SHORT || best_excludes(search, piece, edge)) continue;
    graze_vec middle = best_middle(piece.from, piece.to);
    if (volume < search->volume) best_try(search, middle, vec_cross(edge, middle));
    stack[depth++] = (best_piece){middle, piece.to};
    stack[depth++] = (best_piece){piece.from, middle};
  }
}

/* Cuts from [t[0], t[1]] what is beyond the zero of a function that is f at 0 and g at 1, and must not be positive. */
static void best_cut(double f, double g, double t[2]) {
  if (f <= 0 && g <= 0) return;
  if (f > 0 && g > 0) {
    t[1] = -1;
    return;
  }
  double zero = f / (f - g);
  if (f > 0)
    t[0] = real_max(t[0], zero);
  else
    t[1] = real_min(t[1], zero);
}

/* The boxes with one face on the first edge, its normal between `from` and `to`, and one on the second. */
static void best_pair(best_search *search, best_piece arc, const fit_edge *second) {
  graze_vec across_from = vec_cross(second->along, arc.from), across_to = vec_cross(second->along, arc.to);
  double f[2], g[2];
  for (int i = 0; i < 2; i++) f[i] = vec_dot(across_from, second->wing[i]), g[i] = vec_dot(across_to, second->wing[i]);
  for (int side = 1; side >= -1; side -= 2) {
    double t[2] = {0, 1};
    for (int i = 0; i < 2; i++) best_cut(side * f[i], side * g[i], t);
    if (!(t[0] <= t[1])) continue;
    best_piece family = {best_lerp(arc.from, arc.to, t[0]), best_lerp(arc.from, arc.to, t[1])};
    best_family(search, family, vec_scale(second->along, side));
  }
}

static void best_all(best_search *search, const fit_edge *edges, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const best_piece arc[2] = {{edges[i].left, edges[i].middle}, {edges[i].middle, edges[i].right}};
    for (size_t j = i; j < count; j++) {
      search->work += BEST_PAIR;
      if (search->work > BEST_WORK) return;
      for (int half = 0; half < 2; half++) best_pair(search, arc[half], &edges[j]);
    }
  }
}

bool grz_fit_best(const graze_hull *hull, const fit_cloud *cloud, const graze_allocator *allocator, fit_frame *frame) {
  size_t slots = (size_t)hull->adjacency.start[hull->vertex_count] / 2;
  size_t room = slots < BEST_EDGES ? slots : BEST_EDGES;
  fit_edge *edges = grz_allocate(allocator, room, sizeof *edges);
  size_t count = edges ? grz_fit_edges(hull, cloud, allocator, edges, room) : 0;
  if (count > 0) {
    best_search search = {.hull = hull, .cloud = cloud, .frame = *frame, .volume = grz_fit_volume(cloud, *frame)};
    best_all(&search, edges, count);
    *frame = search.frame;
  }
  grz_release(allocator, edges);
  return count > 0;
}
