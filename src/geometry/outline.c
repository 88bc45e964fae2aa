/* What is to be known about an outline. Definitions and proofs: docs/theory/polygons.md. */
#include "core/error.h"
#include "geometry/area.h"
#include "geometry/edges.h"
#include "core/memory.h"
#include "geometry/order.h"
#include "core/vec.h"
#include "shape/check.h"

#include <string.h>

/* Two edges that meet. */
typedef struct outline_pair {
  int32_t first, second; /* first < second */
  grz_meeting meeting;
} outline_pair;

typedef struct outline_pairs {
  outline_pair *at;
  size_t count, room;
} outline_pairs;

/* The judgement while it is made: three blocks of memory, all temporary. */
typedef struct outline_work {
  const graze_vec *vertices;
  size_t count, distinct;
  graze_allocator allocator;
  size_t *twins; /* for every vertex the first one at the same place that begins a run of equal neighbours, or itself */
  grz_edge *edges;
  int32_t edge_count;
  outline_pairs pairs;
  bool full; /* an allocation failed */
} outline_work;

/* Does the vertex equal the one before it? */
static bool outline_repeats(const outline_work *work, size_t i) {
  return work->count > 1 && vec_equal(work->vertices[i], work->vertices[i > 0 ? i - 1 : work->count - 1]);
}

/* Sorts the vertices by place: counts the places, and finds the twins. */
static void outline_places(outline_work *work, grz_key *keys) {
  for (size_t i = 0; i < work->count; i++) {
    grz_key key = {work->vertices[i].x, work->vertices[i].y, (uint32_t)i};
    keys[i] = key;
  }
  grz_order(keys, work->count, keys + work->count);
  size_t twin = work->count; /* none at this place yet */
  for (size_t k = 0; k < work->count; k++) {
    size_t i = keys[k].index;
    bool fresh = k == 0 || !vec_equal(work->vertices[i], work->vertices[keys[k - 1].index]);
    if (fresh) work->distinct++, twin = work->count;
    bool begins = !outline_repeats(work, i);
    if (begins && twin == work->count) twin = i;
    work->twins[i] = begins ? twin : i;
  }
}

static bool outline_grow(outline_work *work) {
  outline_pairs *pairs = &work->pairs;
  size_t room = pairs->room > 0 ? 2 * pairs->room : 64;
  outline_pair *at = grz_allocate(&work->allocator, room, sizeof *at);
  if (at == NULL) return false;
  if (pairs->count > 0) memcpy(at, pairs->at, pairs->count * sizeof *at);
  grz_release(&work->allocator, pairs->at);
  pairs->at = at, pairs->room = room;
  return true;
}

static bool outline_visit(void *context, int32_t i, int32_t j) {
  outline_work *work = context;
  grz_meeting meeting = grz_edges_meeting(work->edges, i, j);
  if (meeting == GRZ_DISJOINT) return true;
  if (work->pairs.count == work->pairs.room && !outline_grow(work)) {
    work->full = true;
    return false;
  }
  outline_pair pair = {i < j ? i : j, i < j ? j : i, meeting};
  work->pairs.at[work->pairs.count++] = pair;
  return true;
}

/* One pass of a counting sort, by the second edge or by the first. */
static void outline_pass(const outline_pair *from, outline_pair *to, size_t count, bool by_first, size_t *starts,
                         size_t edge_count) {
  memset(starts, 0, (edge_count + 1) * sizeof *starts);
  for (size_t i = 0; i < count; i++) starts[(by_first ? from[i].first : from[i].second) + 1]++;
  for (size_t i = 0; i < edge_count; i++) starts[i + 1] += starts[i];
  for (size_t i = 0; i < count; i++) to[starts[by_first ? from[i].first : from[i].second]++] = from[i];
}

/* Sorts the pairs by the first edge, then the second. */
static void outline_sort(outline_work *work) {
  outline_pairs *pairs = &work->pairs;
  if (pairs->count < 2) return;
  size_t edge_count = (size_t)work->edge_count;
  outline_pair *spare = grz_allocate(&work->allocator, pairs->count, sizeof *spare);
  size_t *starts = grz_allocate(&work->allocator, edge_count + 1, sizeof *starts);
  work->full = spare == NULL || starts == NULL;
  if (!work->full) {
    outline_pass(pairs->at, spare, pairs->count, false, starts, edge_count);
    outline_pass(spare, pairs->at, pairs->count, true, starts, edge_count);
  }
  grz_release(&work->allocator, starts);
  grz_release(&work->allocator, spare);
}

static void outline_search(outline_work *work) {
  grz_key *keys = grz_allocate(&work->allocator, work->count, 2 * sizeof *keys);
  work->twins = grz_allocate(&work->allocator, work->count, sizeof *work->twins);
  work->edges = grz_allocate(&work->allocator, work->count, sizeof *work->edges);
  work->full = keys == NULL || work->twins == NULL || work->edges == NULL;
  if (!work->full) outline_places(work, keys);
  grz_release(&work->allocator, keys);
  if (work->full) return;
  graze_ring ring = {work->vertices, work->count};
  work->edge_count = grz_edges_of(&ring, 1, work->edges);
  if (outline_find_pairs(work->edges, work->edge_count, &work->allocator, outline_visit, work) != GRAZE_OK)
    work->full = true;
  if (!work->full) outline_sort(work);
}

/* ---- The list of errors */

/* Counts, and writes where there is room: `errors` may be NULL. */
typedef struct outline_list {
  graze_outline_error *errors;
  size_t count;
} outline_list;

static void outline_add(outline_list *list, graze_outline_error_kind kind, size_t index, size_t other) {
  graze_outline_error flaw = {kind, 0, index, 0, other};
  if (list->errors != NULL) list->errors[list->count] = flaw;
  list->count++;
}

static void outline_add_pairs(const outline_work *work, grz_meeting meeting, graze_outline_error_kind kind,
                              outline_list *list) {
  for (size_t i = 0; i < work->pairs.count; i++) {
    const outline_pair *pair = &work->pairs.at[i];
    if (pair->meeting != meeting) continue;
    outline_add(list, kind, work->edges[pair->first].index, work->edges[pair->second].index);
  }
}

static size_t outline_list_flaws(const outline_work *work, bool zero_area, graze_outline_error *errors) {
  outline_list list = {errors, 0};
  if (work->distinct < 3) outline_add(&list, GRAZE_OUTLINE_FEW_POINTS, 0, 0);
  if (zero_area) outline_add(&list, GRAZE_OUTLINE_ZERO_AREA, 0, 0);
  for (size_t i = 0; i < work->count; i++) {
    if (outline_repeats(work, i))
      outline_add(&list, GRAZE_OUTLINE_REPEATED_NEIGHBOUR, i, i > 0 ? i - 1 : work->count - 1);
  }
  for (size_t i = 0; i < work->count; i++) {
    if (work->twins[i] != i) outline_add(&list, GRAZE_OUTLINE_REPEATED_POINT, i, work->twins[i]);
  }
  outline_add_pairs(work, GRZ_TOUCH, GRAZE_OUTLINE_EDGES_TOUCH, &list);
  outline_add_pairs(work, GRZ_CROSS, GRAZE_OUTLINE_EDGES_CROSS, &list);
  return list.count;
}

/* ---- The judgement */

static void outline_measure(const graze_vec *vertices, size_t count, graze_outline *outline) {
  uint64_t limbs[GRZ_AREA_LIMBS];
  grz_arena arena = {limbs, 0, GRZ_AREA_LIMBS, false};
  graze_ring ring = {vertices, count};
  grz_big sum = grz_area_add(&arena, grz_big_zero(), ring);
  bool flat;
  ptrdiff_t fault = grz_convex_fault(vertices, count, &flat);
  outline->convex = fault < 0 && !flat;
  outline->winding = sum.sign > 0 ? GRAZE_WINDING_CCW : sum.sign < 0 ? GRAZE_WINDING_CW : GRAZE_WINDING_NONE;
  outline->area = grz_area_of(&arena, sum);
}

/* False: no memory. */
static bool outline_judge(outline_work *work, graze_outline *outline) {
  outline_search(work);
  if (work->full) return false;
  outline_measure(work->vertices, work->count, outline);
  bool zero_area = outline->winding == GRAZE_WINDING_NONE;
  outline->error_count = outline_list_flaws(work, zero_area, NULL);
  outline->simple = outline->error_count == 0;
  if (outline->simple) return true;
  graze_outline_error *errors = grz_allocate(&work->allocator, outline->error_count, sizeof *errors);
  if (errors == NULL) return false;
  outline_list_flaws(work, zero_area, errors);
  outline->errors = errors;
  outline->memory = errors;
  return true;
}

graze_status graze_validate_outline(const graze_vec *vertices, size_t count, const graze_allocator *allocator,
                                    graze_outline *outline, graze_error *error) {
  graze_error found = grz_check_vertices(vertices, count, 1, 2);
  if (found.status == GRAZE_OK) {
    outline_work work = {.vertices = vertices, .count = count, .allocator = grz_allocator(allocator)};
    graze_outline judged = {.allocator = work.allocator};
    if (outline_judge(&work, &judged))
      *outline = judged;
    else
      found = grz_error(GRAZE_OUT_OF_MEMORY, "vertices", -1, (double)count);
    grz_release(&work.allocator, work.pairs.at);
    grz_release(&work.allocator, work.edges);
    grz_release(&work.allocator, work.twins);
  }
  if (error != NULL) *error = found;
  return found.status;
}

void graze_outline_destroy(graze_outline *outline) {
  grz_release(&outline->allocator, outline->memory);
  memset(outline, 0, sizeof *outline);
}
