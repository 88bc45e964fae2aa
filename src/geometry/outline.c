/* Validation of outlines: convexity, orientation, area, and every error. All pairs of edges whose bounds overlap are
 * classified by exact orientation tests. Pairs: Zomorodian, Edelsbrunner 2002, "Fast software for box intersections"
 * (streamed segment tree). Definitions and proofs: docs/theory/polygons.md. */
#include "core/status.h"
#include "core/memory.h"
#include "core/vec.h"
#include "exact/exact.h"
#include "exact/fixed.h"
#include "geometry/polygon.h"
#include "core/sort.h"
#include "shape/shape.h"

#include <string.h>

/* ---- Exact areas (shoelace formula). */

grz_big grz_area_add(grz_arena *arena, grz_big sum, graze_ring ring) {
  for (size_t i = 0; i < ring.count; i++) {
    const graze_vec from = ring.vertices[i], to = ring.vertices[i + 1 < ring.count ? i + 1 : 0];
    const double factor[2][2] = {{from.x, to.y}, {to.x, from.y}};
    for (int k = 0; k < 2; k++) {
      grz_big product = grz_big_mul(arena, grz_big_of(arena, factor[k][0]), grz_big_of(arena, factor[k][1]));
      sum = grz_big_keep(arena, 0, grz_big_add(arena, sum, k == 0 ? product : grz_big_neg(product)));
    }
  }
  return sum;
}

double grz_area_round(grz_arena *arena, grz_big sum) {
  if (sum.sign < 0) sum = grz_big_neg(sum);
  grz_scaled twice = scaled_of_big(sum);
  if (twice.m == 0 || twice.e > -1021) return 0.5 * scaled_to_double(twice);
  /* A subnormal area: rounded once, as the last bits of a double near 2^-1021 (docs/theory/polygons.md). */
  grz_scaled shifted = scaled_of_big(grz_big_add(arena, sum, grz_big_of(arena, 0x1p-1021)));
  return 0.5 * (scaled_to_double(shifted) - 0x1p-1021);
}

/* ---- The state of a validation. */

/* An edge from vertex `index` to the next vertex that is different. */
typedef struct outline_edge {
  graze_vec from, to;
  size_t index;
  int32_t next; /* the edge that starts where this one ends */
} outline_edge;

typedef enum outline_relation {
  OUTLINE_DISJOINT = 0, /* no common point; for successive edges: only the vertex between them */
  OUTLINE_TOUCH,        /* common points, but the edges do not cross */
  OUTLINE_CROSS         /* a common point in the interior of both, on different lines */
} outline_relation;

/* Two edges that touch or cross. */
typedef struct outline_pair {
  int32_t first, second; /* first < second */
  outline_relation relation;
} outline_pair;

/* All memory is temporary. */
typedef struct outline_work {
  const graze_vec *vertices;
  size_t count, distinct; /* vertices, distinct points */
  graze_allocator allocator;
  size_t *twin; /* for every vertex that starts a run of equal neighbours: the first such vertex at the same point; for
                   the others: the vertex itself */
  outline_edge *edges;
  int32_t edge_count;
  outline_pair *pairs;
  size_t pair_count, pair_capacity;
} outline_work;

/* ---- Pairs of edges. */

/* Are a and b on the same side of v? The three points are collinear. */
static bool outline_same_side(graze_vec a, graze_vec b, graze_vec v) {
  const bool a_before = a.x < v.x || (a.x == v.x && a.y < v.y), b_before = b.x < v.x || (b.x == v.x && b.y < v.y);
  return a_before == b_before;
}

/* Does f, which starts where e ends, overlap e? Otherwise they share only that vertex. */
static bool outline_folds_back(const outline_edge *e, const outline_edge *f) {
  return grz_orient2(e->from, e->to, f->to) == 0 && outline_same_side(e->from, f->to, e->to);
}

/* The relation of edges i and j, whose bounds overlap. */
static outline_relation outline_relate(const outline_edge *edges, int32_t i, int32_t j) {
  const outline_edge *e = &edges[i], *f = &edges[j];
  const bool e_first = e->next == j, f_first = f->next == i;
  if (e_first || f_first)
    return (e_first && outline_folds_back(e, f)) || (f_first && outline_folds_back(f, e)) ? OUTLINE_TOUCH
                                                                                          : OUTLINE_DISJOINT;
  const int f_begin = grz_orient2(e->from, e->to, f->from), f_end = grz_orient2(e->from, e->to, f->to);
  if (f_begin * f_end > 0) return OUTLINE_DISJOINT;
  const int e_begin = grz_orient2(f->from, f->to, e->from), e_end = grz_orient2(f->from, f->to, e->to);
  if (e_begin * e_end > 0) return OUTLINE_DISJOINT;
  return f_begin * f_end * e_begin * e_end != 0 ? OUTLINE_CROSS : OUTLINE_TOUCH;
}

/* Appends a pair of edges if they have a common point. False: out of memory. */
static bool outline_add_pair(outline_work *work, int32_t i, int32_t j) {
  const outline_relation relation = outline_relate(work->edges, i, j);
  if (relation == OUTLINE_DISJOINT) return true;
  if (work->pair_count == work->pair_capacity) {
    const size_t capacity = work->pair_capacity > 0 ? 2 * work->pair_capacity : 64;
    outline_pair *pairs = grz_allocate(&work->allocator, capacity, sizeof *pairs);
    if (pairs == NULL) return false;
    if (work->pair_count > 0) memcpy(pairs, work->pairs, work->pair_count * sizeof *pairs);
    grz_release(&work->allocator, work->pairs);
    work->pairs = pairs, work->pair_capacity = capacity;
  }
  work->pairs[work->pair_count++] = (outline_pair){i < j ? i : j, i < j ? j : i, relation};
  return true;
}

/* ---- Pairs of bounds that overlap: a segment tree over y that exists only as the call stack of a recursion, with
 * scans along x. */

/* The bounds of an edge. Sides are ranks in sorted order, so no two are equal. Boxes are numbered by their left sides.
 */
typedef struct pair_box {
  int32_t edge;
  int32_t x_end;          /* the last box whose left side is not right of the right side of this one */
  uint32_t y_low, y_high; /* ranks among all lower and upper sides; a lower side is before an equal upper side */
} pair_box;

/* Box numbers in increasing order. */
typedef struct pair_list {
  int32_t *at;
  size_t count;
} pair_list;

typedef struct outline_pairs {
  const pair_box *boxes;
  outline_work *work;
} outline_pairs;

/* For so few ranks, all points are compared with all intervals. */
enum { PAIR_LEAF = 32 };

static bool pair_report(const outline_pairs *search, int32_t i, int32_t j) {
  return outline_add_pair(search->work, search->boxes[i].edge, search->boxes[j].edge);
}

/* Reports all pairs of a box of each list that overlap along x. */
static bool pair_scan(const outline_pairs *search, pair_list a, pair_list b) {
  size_t i = 0, j = 0;
  while (i < a.count && j < b.count) {
    const bool from_a = a.at[i] < b.at[j];
    const int32_t box = from_a ? a.at[i++] : b.at[j++], end = search->boxes[box].x_end;
    const pair_list *other = from_a ? &b : &a;
    for (size_t k = from_a ? j : i; k < other->count && other->at[k] <= end; k++) {
      if (!pair_report(search, box, other->at[k])) return false;
    }
  }
  return true;
}

/* The boxes whose interval contains all of the ranks low … high - 1, or (spanning = false) some of them. */
static pair_list pair_intervals(const pair_box *boxes, pair_list from, uint32_t low, uint32_t high, bool spanning,
                                int32_t *buffer) {
  pair_list list = {buffer, 0};
  for (size_t i = 0; i < from.count; i++) {
    const uint32_t begin = boxes[from.at[i]].y_low + 1, end = boxes[from.at[i]].y_high;
    const bool all = begin <= low && high <= end, some = begin < high && low < end && begin < end;
    if (spanning ? all : some && !all) list.at[list.count++] = from.at[i];
  }
  return list;
}

/* A node of the tree: reports the pairs of a point (a lower side) with a rank in low … high - 1 and an interval that
 * contains it. `intervals` are those that contain some of these ranks, but not all. */
static bool pair_node(const outline_pairs *search, pair_list points, pair_list intervals, uint32_t low, uint32_t high,
                      int32_t *buffer) {
  const pair_box *boxes = search->boxes;
  if (points.count == 0 || intervals.count == 0) return true;
  if (high - low <= PAIR_LEAF) {
    for (size_t i = 0; i < intervals.count; i++) {
      for (size_t j = 0; j < points.count; j++) {
        const int32_t interval = intervals.at[i], point = points.at[j];
        const uint32_t y = boxes[point].y_low;
        if (!(boxes[interval].y_low < y && y < boxes[interval].y_high)) continue;
        const bool overlap = interval < point ? point <= boxes[interval].x_end : interval <= boxes[point].x_end;
        if (overlap && !pair_report(search, interval, point)) return false;
      }
    }
    return true;
  }
  const uint32_t middle = low + (high - low) / 2;
  for (int half = 0; half < 2; half++) {
    const uint32_t from = half ? middle : low, to = half ? high : middle;
    pair_list inner = {buffer, 0};
    for (size_t i = 0; i < points.count; i++) {
      const uint32_t y = boxes[points.at[i]].y_low;
      if (from <= y && y < to) inner.at[inner.count++] = points.at[i];
    }
    const pair_list span = pair_intervals(boxes, intervals, from, to, true, buffer + inner.count);
    if (!pair_scan(search, inner, span)) return false;
    const pair_list part = pair_intervals(boxes, intervals, from, to, false, buffer + inner.count);
    if (!pair_node(search, inner, part, from, to, buffer + inner.count + part.count)) return false;
  }
  return true;
}

/* Fills the boxes of all edges. `keys` has space for 4 keys per edge. */
static void pair_fill_boxes(const outline_edge *edges, size_t count, pair_box *boxes, grz_key *keys) {
  /* Number the boxes by their left sides; find the end of each range along x by bisection. */
  for (size_t i = 0; i < count; i++) keys[i] = (grz_key){real_min(edges[i].from.x, edges[i].to.x), 0, (uint32_t)i};
  grz_sort(keys, count, keys + count);
  for (size_t i = 0; i < count; i++) {
    const outline_edge *edge = &edges[keys[i].index];
    const double right = real_max(edge->from.x, edge->to.x);
    size_t last = i, beyond = count; /* keys[last] is not right of the box, keys[beyond] is */
    while (beyond - last > 1) {
      const size_t middle = last + (beyond - last) / 2;
      *(keys[middle].first <= right ? &last : &beyond) = middle;
    }
    boxes[i] = (pair_box){(int32_t)keys[i].index, (int32_t)last, 0, 0};
  }

  /* Ranks along y. */
  for (size_t i = 0; i < count; i++) {
    const outline_edge *edge = &edges[boxes[i].edge];
    keys[2 * i] = (grz_key){real_min(edge->from.y, edge->to.y), 0, (uint32_t)i};
    keys[2 * i + 1] = (grz_key){real_max(edge->from.y, edge->to.y), 1, (uint32_t)i};
  }
  grz_sort(keys, 2 * count, keys + 2 * count);
  for (size_t i = 0; i < 2 * count; i++) {
    pair_box *box = &boxes[keys[i].index];
    *(keys[i].second == 0 ? &box->y_low : &box->y_high) = (uint32_t)i;
  }
}

/* Tests each pair of edges with overlapping bounds once, in O(n log n) steps plus the number of pairs. False: out of
 * memory. */
static bool outline_find_pairs(outline_work *work) {
  const size_t count = (size_t)work->edge_count;
  pair_box *boxes = grz_allocate(&work->allocator, count, sizeof *boxes);
  grz_key *keys = grz_allocate(&work->allocator, count, 4 * sizeof *keys);
  const bool ready = boxes != NULL && keys != NULL;
  if (ready) pair_fill_boxes(work->edges, count, boxes, keys);
  grz_release(&work->allocator, keys);
  /* The lists of the root need n numbers; all lists on the deepest path together 4n: docs/theory/polygons.md. */
  int32_t *buffer = ready ? grz_allocate(&work->allocator, 5 * count + 128, sizeof *buffer) : NULL;
  bool done = buffer != NULL;
  if (done) {
    const outline_pairs search = {boxes, work};
    const pair_list all = {buffer, count};
    for (size_t i = 0; i < count; i++) buffer[i] = (int32_t)i;
    done = pair_node(&search, all, all, 0, (uint32_t)(2 * count), buffer + count);
  }
  grz_release(&work->allocator, buffer);
  grz_release(&work->allocator, boxes);
  return done;
}

/* Sorts the pairs by the first edge, then the second: counting sort by the second, then by the first. */
static bool outline_sort_pairs(outline_work *work) {
  if (work->pair_count < 2) return true;
  const size_t edge_count = (size_t)work->edge_count;
  outline_pair *spare = grz_allocate(&work->allocator, work->pair_count, sizeof *spare);
  size_t *starts = grz_allocate(&work->allocator, edge_count + 1, sizeof *starts);
  const bool enough = spare != NULL && starts != NULL;
  for (int pass = 0; enough && pass < 2; pass++) {
    const outline_pair *from = pass == 0 ? work->pairs : spare;
    outline_pair *to = pass == 0 ? spare : work->pairs;
    memset(starts, 0, (edge_count + 1) * sizeof *starts);
    for (size_t i = 0; i < work->pair_count; i++) starts[(pass == 0 ? from[i].second : from[i].first) + 1]++;
    for (size_t i = 0; i < edge_count; i++) starts[i + 1] += starts[i];
    for (size_t i = 0; i < work->pair_count; i++) to[starts[pass == 0 ? from[i].second : from[i].first]++] = from[i];
  }
  grz_release(&work->allocator, starts);
  grz_release(&work->allocator, spare);
  return enough;
}

/* ---- Points, edges and pairs. */

/* Does the vertex equal the previous one? */
static bool outline_repeats(const outline_work *work, size_t i) {
  return work->count > 1 && vec_equal(work->vertices[i], work->vertices[i > 0 ? i - 1 : work->count - 1]);
}

/* False: out of memory. */
static bool outline_search(outline_work *work) {
  const graze_vec *v = work->vertices;
  const size_t count = work->count;
  grz_key *keys = grz_allocate(&work->allocator, count, 2 * sizeof *keys);
  work->twin = grz_allocate(&work->allocator, count, sizeof *work->twin);
  work->edges = grz_allocate(&work->allocator, count, sizeof *work->edges);
  const bool enough = keys != NULL && work->twin != NULL && work->edges != NULL;
  if (enough) {
    /* Sort the vertices by their coordinates: distinct points, and the twin of each vertex. */
    for (size_t i = 0; i < count; i++) keys[i] = (grz_key){v[i].x, v[i].y, (uint32_t)i};
    grz_sort(keys, count, keys + count);
    size_t twin = count; /* none at this point yet */
    for (size_t k = 0; k < count; k++) {
      const size_t i = keys[k].index;
      if (k == 0 || !vec_equal(v[i], v[keys[k - 1].index])) work->distinct++, twin = count;
      const bool starts_run = !outline_repeats(work, i);
      if (starts_run && twin == count) twin = i;
      work->twin[i] = starts_run ? twin : i;
    }
    /* The edges, without those of length 0. */
    for (size_t i = 0; i < count; i++) {
      const graze_vec to = v[i + 1 < count ? i + 1 : 0];
      if (vec_equal(v[i], to)) continue;
      work->edges[work->edge_count] = (outline_edge){v[i], to, i, work->edge_count + 1};
      work->edge_count++;
    }
    if (work->edge_count > 0) work->edges[work->edge_count - 1].next = 0;
  }
  grz_release(&work->allocator, keys);
  return enough && outline_find_pairs(work) && outline_sort_pairs(work);
}

/* ---- The list of errors. */

/* Counts errors, and writes them unless `errors` is NULL. */
typedef struct outline_list {
  graze_outline_error *errors;
  size_t count;
} outline_list;

static void outline_add_error(outline_list *list, graze_outline_error_kind kind, size_t index, size_t other) {
  if (list->errors != NULL) list->errors[list->count] = (graze_outline_error){kind, 0, index, 0, other};
  list->count++;
}

static void outline_add_pair_errors(const outline_work *work, outline_relation relation, graze_outline_error_kind kind,
                                    outline_list *list) {
  for (size_t i = 0; i < work->pair_count; i++) {
    const outline_pair *pair = &work->pairs[i];
    if (pair->relation != relation) continue;
    outline_add_error(list, kind, work->edges[pair->first].index, work->edges[pair->second].index);
  }
}

/* Returns the number of errors. */
static size_t outline_list_errors(const outline_work *work, bool zero_area, graze_outline_error *errors) {
  outline_list list = {errors, 0};
  if (work->distinct < 3) outline_add_error(&list, GRAZE_OUTLINE_FEW_POINTS, 0, 0);
  if (zero_area) outline_add_error(&list, GRAZE_OUTLINE_ZERO_AREA, 0, 0);
  for (size_t i = 0; i < work->count; i++) {
    if (outline_repeats(work, i))
      outline_add_error(&list, GRAZE_OUTLINE_REPEATED_NEIGHBOUR, i, i > 0 ? i - 1 : work->count - 1);
  }
  for (size_t i = 0; i < work->count; i++) {
    if (work->twin[i] != i) outline_add_error(&list, GRAZE_OUTLINE_REPEATED_POINT, i, work->twin[i]);
  }
  outline_add_pair_errors(work, OUTLINE_TOUCH, GRAZE_OUTLINE_EDGES_TOUCH, &list);
  outline_add_pair_errors(work, OUTLINE_CROSS, GRAZE_OUTLINE_EDGES_CROSS, &list);
  return list.count;
}

/* ---- Public functions. */

/* False: out of memory. */
static bool outline_validate(outline_work *work, graze_outline *outline) {
  if (!outline_search(work)) return false;
  uint64_t limbs[GRZ_AREA_LIMBS];
  grz_arena arena = {limbs, 0, GRZ_AREA_LIMBS, false};
  const grz_big sum = grz_area_add(&arena, grz_big_zero(), (graze_ring){work->vertices, work->count});
  bool flat;
  const ptrdiff_t fault = grz_convex_fault(work->vertices, work->count, &flat);
  outline->convex = fault < 0 && !flat;
  outline->winding = sum.sign > 0 ? GRAZE_WINDING_CCW : sum.sign < 0 ? GRAZE_WINDING_CW : GRAZE_WINDING_NONE;
  outline->area = grz_area_round(&arena, sum);
  outline->error_count = outline_list_errors(work, sum.sign == 0, NULL);
  outline->simple = outline->error_count == 0;
  if (outline->simple) return true;
  graze_outline_error *errors = grz_allocate(&work->allocator, outline->error_count, sizeof *errors);
  if (errors == NULL) return false;
  outline_list_errors(work, sum.sign == 0, errors);
  outline->errors = errors;
  outline->memory = errors;
  return true;
}

graze_status graze_validate_outline(const graze_vec *vertices, size_t count, const graze_allocator *allocator,
                                    graze_outline *outline, graze_error *error) {
  graze_error result = grz_check_vertices(vertices, count, 1, 2);
  if (result.status == GRAZE_OK) {
    outline_work work = {.vertices = vertices, .count = count, .allocator = grz_allocator(allocator)};
    graze_outline made = {.allocator = work.allocator};
    if (outline_validate(&work, &made))
      *outline = made;
    else
      result = grz_error(GRAZE_OUT_OF_MEMORY, "vertices", -1, (double)count);
    grz_release(&work.allocator, work.pairs);
    grz_release(&work.allocator, work.edges);
    grz_release(&work.allocator, work.twin);
  }
  if (error != NULL) *error = result;
  return result.status;
}

void graze_outline_destroy(graze_outline *outline) {
  grz_release(&outline->allocator, outline->memory);
  memset(outline, 0, sizeof *outline);
}
