/* Pairs of nodes wait on a stack of fixed size, each with the least signed distance that anything below can have. */
#include "compound/search.h"

#include "core/vec.h"

typedef struct search_nodes {
  double bound;
  const grz_tree_node *host, *guest; /* guest NULL: convex */
  graze_aabb box;                    /* the guest's, in the host's frame */
} search_nodes;

/* On the way down, one pair waits for every step in either tree. */
enum { SEARCH_MOST = 2 * GRZ_TREE_DEPTH + 2 };

static search_nodes search_make(const grz_search *s, const grz_tree_node *host, const grz_tree_node *guest) {
  search_nodes pair = {.host = host, .guest = guest, .box = grz_query_shape_box(s->guest, guest)};
  pair.bound = grz_query_shape_bound(s->guest, &host->box, &pair.box);
  return pair;
}

/* The same guest node with another host node. */
static search_nodes search_with(const grz_search *s, const search_nodes *pair, const grz_tree_node *host) {
  search_nodes with = *pair;
  with.host = host;
  with.bound = grz_query_shape_bound(s->guest, &host->box, &with.box);
  return with;
}

static double search_extent(const graze_aabb *box) {
  return ((box->max.x - box->min.x) + (box->max.y - box->min.y)) + (box->max.z - box->min.z);
}

static bool search_opens_guest(const search_nodes *pair) {
  if (pair->guest == NULL || pair->guest->below < 0) return false;
  return pair->host->below < 0 || search_extent(&pair->guest->box) > search_extent(&pair->host->box);
}

static void search_split(const grz_search *s, const search_nodes *pair, search_nodes half[2]) {
  bool guest = search_opens_guest(pair);
  const grz_tree_node *root = guest ? s->guest->node : s->host;
  const grz_tree_node *first = root + grz_tree_below(guest ? pair->guest : pair->host);
  for (int i = 0; i < 2; i++) half[i] = guest ? search_make(s, pair->host, first + i) : search_with(s, pair, first + i);
}

static bool search_is_leaf(const search_nodes *pair) {
  return pair->host->below < 0 && (pair->guest == NULL || pair->guest->below < 0);
}

void grz_search_run(grz_search *s) {
  search_nodes stack[SEARCH_MOST], half[2];
  int waiting = 0;
  bool asked = false;
  s->beyond = __builtin_inf();
  stack[waiting++] = search_make(s, s->host, s->guest->node);
  while (waiting > 0) {
    const search_nodes pair = stack[--waiting];
    if (asked && pair.bound > s->limit) {
      s->beyond = real_min(s->beyond, pair.bound);
      continue;
    }
    if (search_is_leaf(&pair)) {
      asked = true;
      if (!s->ask(s->context, ~pair.host->below, pair.guest != NULL ? ~pair.guest->below : 0)) return;
      continue;
    }
    search_split(s, &pair, half);
    int far = half[0].bound <= half[1].bound; /* waits below the other */
    stack[waiting++] = half[far];
    stack[waiting++] = half[1 - far];
  }
}
