/* Which bounds of edges meet: a segment tree over y that exists only as the path of a recursion, with scans along x.
 * Source: Zomorodian, Edelsbrunner 2002 (streamed segment trees); docs/theory/polygons.md, "Pairs of edges". */
#include "geometry/edges.h"

#include "core/memory.h"
#include "geometry/order.h"
#include "core/vec.h"

/* An edge as the recursion sees it: all four sides of its bounds are ranks, so that no two are equal and "meets" has no
 * border cases. Items are numbered by their left sides. */
typedef struct pair_item {
  int32_t edge;
  int32_t x_end;          /* the items from this one to that one begin before this one ends */
  uint32_t y_low, y_high; /* ranks among all lower and upper sides; a lower one comes before an equal upper one */
} pair_item;

typedef struct pair_list {
  int32_t *at; /* items in increasing order */
  size_t count;
} pair_list;

typedef struct pair_search {
  pair_item *items;
  grz_edges_visit *visit;
  void *context;
} pair_search;

/* Below so many ranks all points are compared with all intervals. */
enum { PAIR_LEAF = 32 };

static bool pair_x_meet(const pair_item *items, int32_t i, int32_t j) {
  return i < j ? j <= items[i].x_end : i <= items[j].x_end;
}

static bool pair_visit(const pair_search *search, int32_t i, int32_t j) {
  return search->visit(search->context, search->items[i].edge, search->items[j].edge);
}

/* All pairs from the two lists that meet along x. */
static bool pair_scan(const pair_search *search, pair_list a, pair_list b) {
  size_t i = 0, j = 0;
  while (i < a.count && j < b.count) {
    bool from_a = a.at[i] < b.at[j];
    int32_t item = from_a ? a.at[i++] : b.at[j++], end = search->items[item].x_end;
    const pair_list *other = from_a ? &b : &a;
    for (size_t k = from_a ? j : i; k < other->count && other->at[k] <= end; k++) {
      if (!pair_visit(search, item, other->at[k])) return false;
    }
  }
  return true;
}

/* Few points: every one against every interval. */
static bool pair_compare(const pair_search *search, pair_list points, pair_list intervals) {
  for (size_t i = 0; i < intervals.count; i++) {
    const pair_item *interval = &search->items[intervals.at[i]];
    for (size_t j = 0; j < points.count; j++) {
      uint32_t y = search->items[points.at[j]].y_low;
      bool meet =
          interval->y_low < y && y < interval->y_high && pair_x_meet(search->items, intervals.at[i], points.at[j]);
      if (meet && !pair_visit(search, intervals.at[i], points.at[j])) return false;
    }
  }
  return true;
}

static pair_list pair_points(const pair_item *items, pair_list from, uint32_t low, uint32_t high, int32_t *room) {
  pair_list list = {room, 0};
  for (size_t i = 0; i < from.count; i++) {
    uint32_t y = items[from.at[i]].y_low;
    if (low <= y && y < high) list.at[list.count++] = from.at[i];
  }
  return list;
}

/* The intervals that have all of the ranks low … high - 1 inside, or (spanning = false) some of them, but not all. */
static pair_list pair_intervals(const pair_item *items, pair_list from, uint32_t low, uint32_t high, bool spanning,
                                int32_t *room) {
  pair_list list = {room, 0};
  for (size_t i = 0; i < from.count; i++) {
    uint32_t begin = items[from.at[i]].y_low + 1, end = items[from.at[i]].y_high;
    bool all = begin <= low && high <= end, some = begin < high && low < end && begin < end;
    if (spanning ? all : some && !all) list.at[list.count++] = from.at[i];
  }
  return list;
}

/* The pairs of a point (a lower side) with a rank in low … high - 1 and an interval that has it inside. `intervals`:
 * those with some of these ranks, but not all. */
static bool pair_node(const pair_search *search, pair_list points, pair_list intervals, uint32_t low, uint32_t high,
                      int32_t *room) {
  if (points.count == 0 || intervals.count == 0) return true;
  if (high - low <= PAIR_LEAF) return pair_compare(search, points, intervals);
  uint32_t middle = low + (high - low) / 2;
  for (int half = 0; half < 2; half++) {
    uint32_t from = half ? middle : low, to = half ? high : middle;
    pair_list inner = pair_points(search->items, points, from, to, room);
    pair_list span = pair_intervals(search->items, intervals, from, to, true, room + inner.count);
    if (!pair_scan(search, inner, span)) return false;
    pair_list part = pair_intervals(search->items, intervals, from, to, false, room + inner.count);
    if (!pair_node(search, inner, part, from, to, room + inner.count + part.count)) return false;
  }
  return true;
}

/* Sorts the items by their left sides. */
static void pair_order_x(const grz_edge *edges, size_t count, pair_item *items, grz_key *keys) {
  for (size_t i = 0; i < count; i++) {
    grz_key key = {real_min(edges[i].from.x, edges[i].to.x), 0, (uint32_t)i};
    keys[i] = key;
  }
  grz_order(keys, count, keys + count);
  for (size_t i = 0; i < count; i++) {
    const grz_edge *edge = &edges[keys[i].index];
    double right = real_max(edge->from.x, edge->to.x);
    size_t last = i, beyond = count; /* keys[last] is not right of it, keys[beyond] is */
    while (beyond - last > 1) {
      size_t middle = last + (beyond - last) / 2;
      *(keys[middle].first <= right ? &last : &beyond) = middle;
    }
    pair_item item = {(int32_t)keys[i].index, (int32_t)last, 0, 0};
    items[i] = item;
  }
}

static void pair_order_y(const grz_edge *edges, size_t count, pair_item *items, grz_key *keys) {
  for (size_t i = 0; i < count; i++) {
    const grz_edge *edge = &edges[items[i].edge];
    grz_key low = {real_min(edge->from.y, edge->to.y), 0, (uint32_t)i};
    grz_key high = {real_max(edge->from.y, edge->to.y), 1, (uint32_t)i};
    keys[2 * i] = low, keys[2 * i + 1] = high;
  }
  grz_order(keys, 2 * count, keys + 2 * count);
  for (size_t i = 0; i < 2 * count; i++) {
    pair_item *item = &items[keys[i].index];
    *(keys[i].second == 0 ? &item->y_low : &item->y_high) = (uint32_t)i;
  }
}

/* The root's list, n; each step down takes as many as twice the ranks of a half, 4n in all with what spans at the end;
 * docs/theory/polygons.md. */
static size_t pair_room(size_t count) { return 5 * count + 128; }

graze_status outline_find_pairs(const grz_edge *edges, int32_t edge_count, const graze_allocator *allocator,
                             grz_edges_visit *visit, void *context) {
  size_t count = (size_t)edge_count;
  pair_item *items = grz_allocate(allocator, count, sizeof *items);
  grz_key *keys = grz_allocate(allocator, count, 4 * sizeof *keys);
  bool ready = items != NULL && keys != NULL;
  if (ready) {
    pair_order_x(edges, count, items, keys);
    pair_order_y(edges, count, items, keys);
  }
  grz_release(allocator, keys);
  int32_t *room = ready ? grz_allocate(allocator, pair_room(count), sizeof *room) : NULL;
  if (room != NULL) {
    pair_search search = {items, visit, context};
    pair_list all = {room, count};
    for (size_t i = 0; i < count; i++) room[i] = (int32_t)i;
    pair_node(&search, all, all, 0, (uint32_t)(2 * count), room + count);
  }
  grz_release(allocator, room);
  grz_release(allocator, items);
  return room != NULL ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}
