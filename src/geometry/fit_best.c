/* The smallest box around a solid.
 *
 * Two adjacent faces of the smallest box are flush with an edge of the hull each (O'Rourke 1985, "Finding minimal
 * enclosing boxes"). For a pair of edges these boxes form a family with one parameter. While the box touches the same
 * vertices, its volume is a quotient of polynomials; with other vertices that quotient is a lower bound. Branch and
 * bound therefore finds the minimum of every family within a relative error of 1e-12. docs/theory/boxes.md, "The
 * smallest of all". */
#include "geometry/fit_box.h"

#include "core/memory.h"

/* ---- The edges of the hull with the normals of the faces on both sides. */

/* A unit edge, and the outward normals between which a plane through the edge supports the hull: from `left` over
 * `middle` to `right`. A wing points from the edge into one of its faces. A vector n
 * perpendicular to the edge is such a normal if n·wing <= 0 for both wings. */
typedef struct best_edge {
  graze_vec direction, left, middle, right, wing[2];
} best_edge;

/* Every edge is in the adjacency lists of both ends. Its owner is the end with the shorter list, so that searching for
 * an edge takes O(1) on average for all degrees. */
static bool edges_is_owner(const graze_adjacency *adjacency, int32_t a, int32_t b) {
  const int32_t degree_a = adjacency->start[a + 1] - adjacency->start[a];
  const int32_t degree_b = adjacency->start[b + 1] - adjacency->start[b];
  return degree_a != degree_b ? degree_a < degree_b : a < b;
}

static int32_t edges_slot(const graze_adjacency *adjacency, int32_t a, int32_t b) {
  int32_t slot = adjacency->start[a];
  while (adjacency->neighbor[slot] != b) slot++;
  return slot;
}

/* Any three corners of a face are not collinear. */
static graze_vec edges_normal(const graze_hull *hull, int32_t face) {
  const int32_t start = hull->face_start[face], size = hull->face_start[face + 1] - start;
  const int32_t *corner = hull->face_vertices + start;
  return grz_fit_normal(hull->vertices[corner[0]], hull->vertices[corner[size / 3]],
                        hull->vertices[corner[2 * size / 3]]);
}

/* Fills the `capacity` longest edges; edges of equal length in the order of the vertices. Returns their number, 0 if
 * out of memory. */
static size_t edges_fill(const graze_hull *hull, const fit_cloud *cloud, const graze_allocator *allocator,
                         best_edge *edges, size_t capacity) {
  const graze_adjacency *adjacency = &hull->adjacency;
  const size_t slots = (size_t)adjacency->start[hull->vertex_count];
  size_t count = 0;
  int32_t *left = grz_allocate(allocator, 2 * slots, sizeof *left), *right = left ? left + slots : NULL;
  grz_key *keys = grz_allocate(allocator, slots, sizeof *keys); /* slots/2 edges, and as many spare keys */
  if (left && keys) {
    /* The faces on both sides of each edge, in the slot of its owner. */
    for (size_t f = 0; f < hull->face_count; f++) {
      const int32_t start = hull->face_start[f], end = hull->face_start[f + 1];
      for (int32_t i = start; i < end; i++) {
        const int32_t a = hull->face_vertices[i], b = hull->face_vertices[i + 1 < end ? i + 1 : start];
        if (edges_is_owner(adjacency, a, b))
          left[edges_slot(adjacency, a, b)] = (int32_t)f;
        else
          right[edges_slot(adjacency, b, a)] = (int32_t)f;
      }
    }

    /* Sort by length, the longest first. */
    for (int32_t a = 0; a < (int32_t)hull->vertex_count; a++) {
      for (int32_t s = adjacency->start[a]; s < adjacency->start[a + 1]; s++) {
        if (!edges_is_owner(adjacency, a, adjacency->neighbor[s])) continue;
        const double length = vec_length(vec_sub(cloud->at[adjacency->neighbor[s]], cloud->at[a]));
        keys[count++] = (grz_key){-length, a, (uint32_t)s};
      }
    }
    grz_sort(keys, count, keys + count);
    if (count > capacity) count = capacity;

    for (size_t i = 0; i < count; i++) {
      const int32_t slot = (int32_t)keys[i].index;
      best_edge e;
      e.direction = vec_unit(vec_sub(cloud->at[adjacency->neighbor[slot]], cloud->at[(int32_t)keys[i].second]));
      e.left = edges_normal(hull, left[slot]);
      e.right = edges_normal(hull, right[slot]);
      e.wing[0] = vec_cross(e.left, e.direction);
      e.wing[1] = vec_cross(e.direction, e.right);
      e.middle = vec_add(e.left, e.right);
      if (vec_dot(e.left, e.right) < 0) e.middle = vec_cross(vec_sub(e.right, e.left), e.direction);
      e.middle = vec_unit(e.middle);
      edges[i] = e;
    }
  }
  grz_release(allocator, keys);
  grz_release(allocator, left);
  return count;
}

/* ---- Candidates. */

enum { BEST_EDGES = 6000, BEST_DEPTH = 60, BEST_STEPS = 4000 };

/* A box counts as smaller if its volume is smaller by this part, and by what rounding can cause: the error of a width
 * is about BEST_NOISE. */
#define BEST_GAIN 1e-12
#define BEST_NOISE 0x1p-50
#define BEST_SHORT 0x1p-50

/* The limit of the work: tests of vertices, plus BEST_PAIR_WORK per pair of edges. No hull of 600 vertices that was
 * measured needed as much. */
#define BEST_WORK INT64_C(4000000000)
enum { BEST_PAIR_WORK = 8 };

/* An interval of a family. Two faces of its boxes have the normals n1 and n2 = side·(edge × n1), not of unit length. In
 * the interval, n1 moves on a straight line from `from` to `to`. */
typedef struct best_interval {
  graze_vec from, to;
} best_interval;

typedef struct best_search {
  const graze_hull *hull;
  const fit_cloud *cloud;
  fit_frame frame; /* the best so far */
  double volume;
  int32_t touched[6]; /* the vertices on the six faces of the last box */
  int64_t work;
} best_search;

static graze_vec best_lerp(graze_vec a, graze_vec b, double t) { return vec_add(vec_scale(a, 1 - t), vec_scale(b, t)); }

static graze_vec best_middle(graze_vec a, graze_vec b) { return vec_scale(vec_add(a, b), 0.5); }

/* Measures the box with two given normals on all vertices. */
static void best_try(best_search *search, graze_vec n1, graze_vec n2) {
  const graze_vec n3 = vec_cross(n1, n2);
  const double length1 = vec_length(n1), length3 = vec_length(n3);
  if (!(length1 > 0 && length3 > 1e-12 * length1)) return;
  fit_frame frame;
  frame.axis[0] = vec_scale(n1, 1 / length1);
  frame.axis[2] = vec_scale(n3, 1 / length3);
  frame.axis[1] = vec_cross(frame.axis[2], frame.axis[0]);
  const double volume = grz_fit_volume(search->cloud, frame);
  search->work += (int64_t)search->cloud->count;
  if (!(volume < search->volume)) return;
  search->volume = volume;
  search->frame = frame;
}

/* Hill climbing from the vertex touched last. If rounding stops it early, the bounds are lower but still valid. */
static void best_climb(best_search *search, int k, graze_vec direction) {
  const graze_adjacency *adjacency = &search->hull->adjacency;
  int32_t at = search->touched[k];
  double greatest = vec_dot(direction, search->cloud->at[at]);
  for (bool up = true; up;) {
    const int32_t start = adjacency->start[at], end = adjacency->start[at + 1];
    up = false;
    search->work += end - start;
    for (int32_t s = start; s < end; s++) {
      const double value = vec_dot(direction, search->cloud->at[adjacency->neighbor[s]]);
      if (value > greatest) greatest = value, at = adjacency->neighbor[s], up = true;
    }
  }
  search->touched[k] = at;
}

/* The vector between the touched vertices of two opposite faces. Other vertices would give weaker bounds. */
static graze_vec best_width(const best_search *search, int k) {
  return vec_sub(search->cloud->at[search->touched[2 * k]], search->cloud->at[search->touched[2 * k + 1]]);
}

/* Moves the touched vertices to those of the middle box. Returns its volume. */
static double best_touch(best_search *search, best_interval interval, graze_vec edge) {
  const graze_vec m = best_middle(interval.from, interval.to), n = vec_cross(edge, m), third = vec_cross(m, n);
  const graze_vec normal[3] = {m, n, third};
  double volume = 1 / (vec_dot(m, m) * vec_dot(n, n));
  for (int k = 0; k < 3; k++) {
    best_climb(search, 2 * k, normal[k]);
    best_climb(search, 2 * k + 1, vec_neg(normal[k]));
    volume *= vec_dot(normal[k], best_width(search, k));
  }
  return volume;
}

/* ---- Bounds: polynomials by their Bernstein coefficients. */

static void best_multiply_linear(const double f[2], const double g[2], double out[3]) {
  out[0] = f[0] * g[0];
  out[1] = 0.5 * (f[0] * g[1] + f[1] * g[0]);
  out[2] = f[1] * g[1];
}

static void best_multiply_quadratic(const double f[3], const double g[3], double out[5]) {
  out[0] = f[0] * g[0];
  out[1] = 0.5 * (f[0] * g[1] + f[1] * g[0]);
  out[2] = (f[0] * g[2] + 4 * f[1] * g[1] + f[2] * g[0]) * (1 / 6.0);
  out[3] = 0.5 * (f[1] * g[2] + f[2] * g[1]);
  out[4] = f[2] * g[2];
}

/* Is no box of the interval smaller than the best so far? Unless two widths are negative, the product of the
 * widths between the touched vertices is at most the volume times |n1|²|n2|², because n3 = n1 × n2. */
static bool best_excludes(const best_search *search, best_interval interval, graze_vec edge) {
  const graze_vec a = interval.from, b = interval.to, na = vec_cross(edge, a), nb = vec_cross(edge, b);
  const graze_vec d1 = best_width(search, 0), d2 = best_width(search, 1), d3 = best_width(search, 2);
  const double w1[2] = {vec_dot(a, d1), vec_dot(b, d1)}, w2[2] = {vec_dot(na, d2), vec_dot(nb, d2)};
  const double w3[3] = {vec_dot(vec_cross(a, na), d3),
                        0.5 * (vec_dot(vec_cross(a, nb), d3) + vec_dot(vec_cross(b, na), d3)),
                        vec_dot(vec_cross(b, nb), d3)};
  const double middle1 = 0.5 * (w1[0] + w1[1]), middle2 = 0.5 * (w2[0] + w2[1]);
  const double middle3 = 0.25 * (w3[0] + 2 * w3[1] + w3[2]);
  if (w1[0] < 0 || w1[1] < 0 || w2[0] < 0 || w2[1] < 0) return false;
  if (!(middle1 > 0 && middle2 > 0 && middle3 > 0)) return false;
  const double gain = BEST_GAIN + BEST_NOISE * (1 / middle1 + 1 / middle2 + 1 / middle3);
  const double square1[3] = {vec_dot(a, a), vec_dot(a, b), vec_dot(b, b)};
  const double square2[3] = {vec_dot(na, na), vec_dot(na, nb), vec_dot(nb, nb)};
  const double bound = search->volume * (1 - gain);
  double w12[3], product[5], norms[5];
  best_multiply_linear(w1, w2, w12);
  best_multiply_quadratic(w12, w3, product);
  best_multiply_quadratic(square1, square2, norms);
  for (int i = 0; i < 5; i++) {
    if (!(product[i] >= bound * norms[i])) return false;
  }
  return true;
}

/* ---- Branch and bound. */

/* One family, depth first: the half with `from` before the other. The length of an interval is 1.5 at first and halves
 * at each level, so there are at most 52 levels. */
static void best_family(best_search *search, best_interval family, graze_vec edge) {
  best_interval stack[BEST_DEPTH];
  int depth = 0;
  if (best_excludes(search, family, edge)) return;
  best_touch(search, family, edge);
  if (best_excludes(search, family, edge)) return;
  best_try(search, family.from, vec_cross(edge, family.from));
  best_try(search, family.to, vec_cross(edge, family.to));
  stack[depth++] = family;
  for (int step = 0; depth > 0 && step < BEST_STEPS; step++) {
    const best_interval at = stack[--depth];
    const double volume = best_touch(search, at, edge);
    if (vec_norm_inf(vec_sub(at.to, at.from)) < BEST_SHORT || best_excludes(search, at, edge)) continue;
    const graze_vec middle = best_middle(at.from, at.to);
    if (volume < search->volume) best_try(search, middle, vec_cross(edge, middle));
    stack[depth++] = (best_interval){middle, at.to};
    stack[depth++] = (best_interval){at.from, middle};
  }
}

/* The boxes with one face on the first edge, its normal in `arc`, and one face on the second edge. */
static void best_pair(best_search *search, best_interval arc, const best_edge *second) {
  const graze_vec from = vec_cross(second->direction, arc.from), to = vec_cross(second->direction, arc.to);
  for (int side = 1; side >= -1; side -= 2) {
    /* Clip [0, 1] to the parameters for which side·(edge × n1) supports the hull. */
    double t[2] = {0, 1};
    for (int i = 0; i < 2; i++) {
      const double f = side * vec_dot(from, second->wing[i]), g = side * vec_dot(to, second->wing[i]);
      if (f <= 0 && g <= 0) continue;
      if (f > 0 && g > 0)
        t[1] = -1;
      else if (f > 0)
        t[0] = real_max(t[0], f / (f - g));
      else
        t[1] = real_min(t[1], f / (f - g)); /* NaN if f or g is: an empty interval */
    }
    if (!(t[0] <= t[1])) continue;
    const best_interval family = {best_lerp(arc.from, arc.to, t[0]), best_lerp(arc.from, arc.to, t[1])};
    best_family(search, family, vec_scale(second->direction, side));
  }
}

bool grz_fit_best(const graze_hull *hull, const fit_cloud *cloud, const graze_allocator *allocator, fit_frame *frame) {
  const size_t edge_count = (size_t)hull->adjacency.start[hull->vertex_count] / 2;
  const size_t capacity = edge_count < BEST_EDGES ? edge_count : BEST_EDGES;
  best_edge *edges = grz_allocate(allocator, capacity, sizeof *edges);
  const size_t count = edges ? edges_fill(hull, cloud, allocator, edges, capacity) : 0;
  if (count > 0) {
    best_search search = {.hull = hull, .cloud = cloud, .frame = *frame, .volume = grz_fit_volume(cloud, *frame)};
    for (size_t i = 0; i < count && search.work <= BEST_WORK; i++) {
      const best_interval arc[2] = {{edges[i].left, edges[i].middle}, {edges[i].middle, edges[i].right}};
      for (size_t j = i; j < count; j++) {
        search.work += BEST_PAIR_WORK;
        if (search.work > BEST_WORK) break;
        for (int half = 0; half < 2; half++) best_pair(&search, arc[half], &edges[j]);
      }
    }
    *frame = search.frame;
  }
  grz_release(allocator, edges);
  return count > 0;
}
