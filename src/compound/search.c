/* Depth-first search through both trees, nearest first. A stack of fixed size holds pairs of nodes with lower bounds
 * of the signed distance of their contents. */
#include "compound/search.h"

#include "core/vec.h"

typedef struct search_nodes {
  double bound;
  const grz_tree_node *target, *query; /* query NULL: convex */
  graze_aabb box;                      /* of the query node, in the frame of the target */
} search_nodes;

/* Each level of either tree leaves one pair on the stack. */
enum { SEARCH_CAPACITY = 2 * GRZ_TREE_DEPTH + 2 };

static search_nodes search_make(const grz_search *s, const grz_tree_node *target, const grz_tree_node *query) {
  search_nodes pair = {.target = target, .query = query, .box = grz_query_shape_box(s->query, query)};
  pair.bound = grz_query_shape_bound(s->query, &target->box, &pair.box);
  return pair;
}

/* The same query node with another target node. */
static search_nodes search_with(const grz_search *s, const search_nodes *pair, const grz_tree_node *target) {
  search_nodes with = *pair;
  with.target = target;
  with.bound = grz_query_shape_bound(s->query, &target->box, &with.box);
  return with;
}

static double search_extent(const graze_aabb *box) {
  return ((box->max.x - box->min.x) + (box->max.y - box->min.y)) + (box->max.z - box->min.z);
}

static bool search_opens_query(const search_nodes *pair) {
  if (pair->query == NULL || pair->query->below < 0) return false;
  return pair->target->below < 0 || search_extent(&pair->query->box) > search_extent(&pair->target->box);
}

static void search_split(const grz_search *s, const search_nodes *pair, search_nodes half[2]) {
  bool query = search_opens_query(pair);
  const grz_tree_node *root = query ? s->query->node : s->target;
  const grz_tree_node *first = root + grz_tree_below(query ? pair->query : pair->target);
  for (int i = 0; i < 2; i++)
    half[i] = query ? search_make(s, pair->target, first + i) : search_with(s, pair, first + i);
}

static bool search_is_leaf(const search_nodes *pair) {
  return pair->target->below < 0 && (pair->query == NULL || pair->query->below < 0);
}

void grz_search_run(grz_search *s) {
  search_nodes stack[SEARCH_CAPACITY], half[2];
  int count = 0;
  bool visited = false;
  s->beyond = __builtin_inf();
  stack[count++] = search_make(s, s->target, s->query->node);
  while (count > 0) {
    const search_nodes pair = stack[--count];
    if (visited && pair.bound > s->limit) {
      s->beyond = real_min(s->beyond, pair.bound);
      continue;
    }
    if (search_is_leaf(&pair)) {
      visited = true;
      if (!s->visit(s->context, ~pair.target->below, pair.query != NULL ? ~pair.query->below : 0)) return;
      continue;
    }
    search_split(s, &pair, half);
    int farther = half[0].bound <= half[1].bound; /* the farther pair is pushed first */
    stack[count++] = half[farther];
    stack[count++] = half[1 - farther];
  }
}
