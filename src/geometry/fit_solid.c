/* Candidate boxes around points in 3D, in doubles, for graze_fit_box(). Theory: docs/theory/boxes.md.
 *
 * A good box: start frames from a few extremal points, then rotations about one axis to the smallest rectangle around
 * the projection. Larsson, Källberg 2011, "Fast computation of tight-fitting oriented bounding boxes" (DiTO).
 *
 * The smallest box: two adjacent faces are flush with an edge of the hull each (O'Rourke 1985, "Finding minimal
 * enclosing boxes"). For a pair of edges these boxes form a family with one parameter. For fixed touched vertices, the
 * volume is a quotient of polynomials; if the box touches others, that quotient is a lower bound. Branch and bound
 * therefore finds the minimum of every family within a relative error of 1e-12. */
#include "geometry/fit.h"

#include "core/memory.h"
#include "exact/exact.h"

/* Differences take 21 limbs, a coordinate of the product 85. */
graze_vec grz_fit_normal(graze_vec a, graze_vec b, graze_vec c) {
  uint64_t limbs[1500];
  grz_arena arena = {limbs, 0, 1500, false};
  grz_bvec at = grz_bvec_of(&arena, a);
  grz_bvec u = grz_bvec_sub(&arena, grz_bvec_of(&arena, b), at), v = grz_bvec_sub(&arena, grz_bvec_of(&arena, c), at);
  return vec_unit(scaled_direction(grz_bvec_cross(&arena, u, v)));
}

/* The volume of the box around the cloud with the axes of the frame, rounded. */
static double cloud_volume(const fit_cloud *cloud, fit_frame frame) {
  double width[3];
  for (int k = 0; k < 3; k++) {
    double low = __builtin_inf(), high = -low;
    for (size_t i = 0; i < cloud->count; i++) {
      const double value = vec_dot(frame.axis[k], cloud->at[i]);
      low = real_min(low, value), high = real_max(high, value);
    }
    width[k] = high - low;
  }
  return width[0] * width[1] * width[2];
}

/* The axes of a frame can be permuted and reversed: 24 rotations of the same box. The trace is 1 + 2·cos(angle). No
 * rotation is more than 63 degrees from one of the cube, so the greatest trace is at least 1.9. */
fit_rotation grz_fit_rotation(fit_frame frame) {
  static const int8_t orders[6][4] = {{0, 1, 2, 1},  {1, 2, 0, 1},  {2, 0, 1, 1},
                                      {1, 0, 2, -1}, {0, 2, 1, -1}, {2, 1, 0, -1}}; /* the last: the parity */
  fit_frame best = frame;
  double greatest = -2;
  for (int k = 0; k < 48; k++) {
    const int8_t *order = orders[k / 8];
    const int signs = k % 8, parity = (signs ^ signs >> 1 ^ signs >> 2) & 1 ? -1 : 1;
    if (parity != order[3]) continue;
    fit_frame arranged;
    for (int i = 0; i < 3; i++) {
      const graze_vec axis = frame.axis[order[i]];
      arranged.axis[i] = signs >> i & 1 ? vec_neg(axis) : axis;
    }
    const double trace = (arranged.axis[0].x + arranged.axis[1].y) + arranged.axis[2].z;
    if (trace > greatest) greatest = trace, best = arranged;
  }
  const graze_vec *a = best.axis;
  const double w = 1 + greatest, x = a[1].z - a[2].y, y = a[2].x - a[0].z, z = a[0].y - a[1].x;
  const double length = real_sqrt((w * w + x * x) + (y * y + z * z));
  return fit_rotation_of(w / length, x / length, y / length, z / length);
}

/* ---- The smallest rectangle around a projection, in doubles. */

/* The hull of sorted points by Andrew's monotone chain. Returns the number of corners. */
static size_t projection_hull(const graze_vec *sorted, size_t count, graze_vec *hull) {
  size_t used = 0, fixed = 1;
  for (size_t i = 0; i < 2 * count - 1; i++) {
    const graze_vec p = sorted[i < count ? i : 2 * count - 2 - i];
    for (; used > fixed; used--) {
      const graze_vec a = hull[used - 2], b = hull[used - 1];
      if (!((b.x - a.x) * (p.y - b.y) - (b.y - a.y) * (p.x - b.x) <= 0)) break;
    }
    hull[used++] = p;
    if (i == count - 1) fixed = used;
  }
  return used > 1 ? used - 1 : used;
}

typedef struct projection_calipers {
  const graze_vec *hull;
  size_t count;
} projection_calipers;

static double projection_value(const projection_calipers *c, graze_vec axis, size_t i) {
  return vec_dot(axis, c->hull[i % c->count]);
}

static size_t projection_advance(const projection_calipers *c, graze_vec axis, size_t at, size_t from, size_t limit) {
  if (at < from) at = from;
  while (at < limit && projection_value(c, axis, at + 1) > projection_value(c, axis, at)) at++;
  return at;
}

/* The unit direction of the edge on which the smallest rectangle stands: rotating calipers (Toussaint 1983). */
static graze_vec projection_rectangle(const graze_vec *hull, size_t count) {
  const projection_calipers c = {hull, count};
  graze_vec best = vec_make(1, 0, 0);
  double least = __builtin_inf();
  size_t right = 0, top = 0, left = 0;
  for (size_t i = 0; i < count; i++) {
    const graze_vec edge = vec_sub(hull[(i + 1) % count], hull[i]);
    const double length = vec_length(edge);
    if (!(length > 0)) continue;
    const graze_vec u = vec_scale(edge, 1 / length), v = vec_make(-u.y, u.x, 0);
    right = projection_advance(&c, u, right, i + 1, i + count);
    top = projection_advance(&c, v, top, right, i + count);
    left = projection_advance(&c, vec_neg(u), left, top, i + 2 * count);
    const double width = projection_value(&c, u, right) - projection_value(&c, u, left);
    const double area = width * (projection_value(&c, v, top) - projection_value(&c, v, i));
    if (area < least) least = area, best = u;
  }
  return best;
}

fit_frame grz_fit_about_axis(const fit_cloud *cloud, fit_frame frame, int axis) {
  const graze_vec u = frame.axis[(axis + 1) % 3], v = frame.axis[(axis + 2) % 3], normal = frame.axis[axis];
  for (size_t i = 0; i < cloud->count; i++)
    cloud->keys[i] = (grz_key){vec_dot(u, cloud->at[i]), vec_dot(v, cloud->at[i]), (uint32_t)i};
  grz_sort(cloud->keys, cloud->count, cloud->keys + cloud->count);
  for (size_t i = 0; i < cloud->count; i++)
    cloud->scratch[i] = vec_make(cloud->keys[i].first, cloud->keys[i].second, 0);
  graze_vec *hull = cloud->scratch + cloud->count;
  const graze_vec edge = projection_rectangle(hull, projection_hull(cloud->scratch, cloud->count, hull));
  const graze_vec first = vec_unit(vec_add(vec_scale(u, edge.x), vec_scale(v, edge.y)));
  return (fit_frame){{normal, first, vec_unit(vec_cross(normal, first))}};
}

/* ---- A good box: local search. */

enum { SEARCH_SLABS = 7, SEARCH_KEPT = 6, SEARCH_ROUNDS = 24 };

typedef struct search_box {
  fit_frame frame;
  double volume;
} search_box;

/* The smallest start boxes, by volume. */
typedef struct search_starts {
  const fit_cloud *cloud;
  search_box kept[SEARCH_KEPT];
  int count;
} search_starts;

/* The three boxes that are flush with a triangle and with one of its sides. */
static void search_triangle(search_starts *search, graze_vec a, graze_vec b, graze_vec c) {
  const graze_vec side[3] = {vec_sub(b, a), vec_sub(c, b), vec_sub(a, c)};
  graze_vec normal = vec_cross(side[0], side[1]);
  const double length = vec_length(normal);
  if (!(length > 1e-30)) return;
  normal = vec_scale(normal, 1 / length);
  for (int i = 0; i < 3; i++) {
    const graze_vec u = vec_unit(side[i]);
    const fit_frame frame = {{normal, u, vec_unit(vec_cross(normal, u))}};
    const double volume = cloud_volume(search->cloud, frame);
    int at = search->count;
    while (at > 0 && volume < search->kept[at - 1].volume) at--;
    if (!(volume < __builtin_inf()) || at == SEARCH_KEPT) continue;
    if (search->count < SEARCH_KEPT) search->count++;
    for (int k = search->count - 1; k > at; k--) search->kept[k] = search->kept[k - 1];
    search->kept[at] = (search_box){frame, volume};
  }
}

/* The vertex with the greatest projection. */
static graze_vec search_extreme(const fit_cloud *cloud, graze_vec direction) {
  size_t best = 0;
  double greatest = -__builtin_inf();
  for (size_t i = 0; i < cloud->count; i++) {
    const double value = vec_dot(direction, cloud->at[i]);
    if (value > greatest) greatest = value, best = i;
  }
  return cloud->at[best];
}

/* Rotates about the axes in turn until three rotations gain nothing. */
static void search_descend(const fit_cloud *cloud, search_box *box) {
  for (int round = 0; round < SEARCH_ROUNDS; round++) {
    const double before = box->volume;
    for (int axis = 0; axis < 3; axis++) {
      search_box next = {.frame = grz_fit_about_axis(cloud, box->frame, axis)};
      next.volume = cloud_volume(cloud, next.frame);
      if (next.volume < box->volume) *box = next;
    }
    if (!(box->volume < before * (1 - 0x1p-40))) return;
  }
}

fit_frame grz_fit_search(const fit_cloud *cloud) {
  static const graze_vec slab[SEARCH_SLABS] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 1},
                                               {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};
  const fit_frame axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  search_starts search = {.cloud = cloud};
  search_box best = {axes, cloud_volume(cloud, axes)};

  /* Base triangle: the extremal points of the slab with the greatest distance, and the one farthest from their line. */
  graze_vec point[2 * SEARCH_SLABS], a = {0, 0, 0}, b = a, c = a;
  double longest = -1, farthest = -1;
  for (int i = 0; i < SEARCH_SLABS; i++) {
    point[2 * i] = search_extreme(cloud, slab[i]);
    point[2 * i + 1] = search_extreme(cloud, vec_neg(slab[i]));
    const double length = vec_length(vec_sub(point[2 * i], point[2 * i + 1]));
    if (length > longest) longest = length, a = point[2 * i], b = point[2 * i + 1];
  }
  for (int i = 0; i < 2 * SEARCH_SLABS; i++) {
    const double distance = vec_length(vec_cross(vec_sub(point[i], a), vec_sub(b, a)));
    if (distance > farthest) farthest = distance, c = point[i];
  }

  /* Start frames: the base triangle and the other triangles of the two tetrahedra on it. */
  const graze_vec normal = vec_cross(vec_sub(b, a), vec_sub(c, a));
  search_triangle(&search, a, b, c);
  for (int side = 0; side < 2; side++) {
    const graze_vec top = search_extreme(cloud, side == 0 ? normal : vec_neg(normal));
    search_triangle(&search, a, b, top);
    search_triangle(&search, b, c, top);
    search_triangle(&search, c, a, top);
  }

  /* Local search from the axes and from each start frame. */
  search_descend(cloud, &best);
  for (int i = 0; i < search.count; i++) {
    search_descend(cloud, &search.kept[i]);
    if (search.kept[i].volume < best.volume) best = search.kept[i];
  }
  return best.frame;
}

/* ---- The smallest box: the edges of the hull with the normals of the faces on both sides. */

/* A unit edge, and the outward normals between which a plane through the edge supports the hull: from `left` over
 * `middle` to `right`. A wing points from the edge into one of its faces. A vector n perpendicular to the edge is such
 * a normal if n·wing <= 0 for both wings. */
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

/* No three corners of a face are collinear. */
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

/* A box counts as smaller if its volume is smaller by this part and by the effect of rounding: the error of a width is
 * about BEST_NOISE. */
#define BEST_GAIN 1e-12
#define BEST_NOISE 0x1p-50
#define BEST_SHORT 0x1p-50

/* The limit of the work: tests of vertices, plus BEST_PAIR_WORK per pair of edges. No measured hull of 600 vertices
 * needed as much. */
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
  const double volume = cloud_volume(search->cloud, frame);
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

/* Multiplies two polynomials of degree 2. */
static void best_multiply(const double f[3], const double g[3], double out[5]) {
  out[0] = f[0] * g[0];
  out[1] = 0.5 * (f[0] * g[1] + f[1] * g[0]);
  out[2] = (f[0] * g[2] + 4 * f[1] * g[1] + f[2] * g[0]) * (1 / 6.0);
  out[3] = 0.5 * (f[1] * g[2] + f[2] * g[1]);
  out[4] = f[2] * g[2];
}

/* True if no box of the interval is smaller than the best so far. Unless two widths are negative, the product of the
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
  const double w12[3] = {w1[0] * w2[0], 0.5 * (w1[0] * w2[1] + w1[1] * w2[0]), w1[1] * w2[1]};
  double product[5], norms[5];
  best_multiply(w12, w3, product);
  best_multiply(square1, square2, norms);
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
    best_search search = {.hull = hull, .cloud = cloud, .frame = *frame, .volume = cloud_volume(cloud, *frame)};
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
