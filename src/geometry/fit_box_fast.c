/* A good box: seeds from a few extremal points, then turned about one axis at a time to the smallest rectangle. */
#include "geometry/fit_box.h"

enum { FAST_SLABS = 7, FAST_KEPT = 6, FAST_ROUNDS = 24 };

typedef struct fast_box {
  fit_frame frame;
  double volume;
} fast_box;

/* The smallest boxes so far, by volume. */
typedef struct fast_search {
  const fit_cloud *cloud;
  fast_box kept[FAST_KEPT];
  int count;
} fast_search;

static void fast_try(fast_search *search, fit_frame frame) {
  double volume = grz_fit_volume(search->cloud, frame);
  int at = search->count;
  while (at > 0 && volume < search->kept[at - 1].volume) at--;
  if (!(volume < __builtin_inf()) || at == FAST_KEPT) return;
  if (search->count < FAST_KEPT) search->count++;
  for (int i = search->count - 1; i > at; i--) search->kept[i] = search->kept[i - 1];
  search->kept[at] = (fast_box){frame, volume};
}

/* The three boxes that are flush with a triangle and with one of its sides. */
static void fast_triangle(fast_search *search, graze_vec a, graze_vec b, graze_vec c) {
  const graze_vec side[3] = {vec_sub(b, a), vec_sub(c, b), vec_sub(a, c)};
  graze_vec normal = vec_cross(side[0], side[1]);
  double length = vec_length(normal);
  if (!(length > 1e-30)) return;
  normal = vec_scale(normal, 1 / length);
  for (int i = 0; i < 3; i++) {
    graze_vec along = vec_scale(side[i], 1 / vec_length(side[i]));
    graze_vec across = vec_cross(normal, along);
    fast_try(search, (fit_frame){{normal, along, vec_scale(across, 1 / vec_length(across))}});
  }
}

/* The vertex with the greatest value of dot(direction). */
static graze_vec fast_extreme(const fit_cloud *cloud, graze_vec direction) {
  size_t best = 0;
  double most = -__builtin_inf();
  for (size_t i = 0; i < cloud->count; i++) {
    double at = vec_dot(direction, cloud->at[i]);
    if (at > most) most = at, best = i;
  }
  return cloud->at[best];
}

/* Larsson and Källberg 2011: two extremal points far apart, a third far from their line, and from that triangle two
 * tetrahedra, up and down. */
static void fast_seeds(fast_search *search) {
  static const graze_vec slab[FAST_SLABS] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 1},
                                             {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};
  graze_vec point[2 * FAST_SLABS], a = {0, 0, 0}, b = a, c = a;
  double far = -1, off = -1;
  for (int i = 0; i < FAST_SLABS; i++) {
    point[2 * i] = fast_extreme(search->cloud, slab[i]);
    point[2 * i + 1] = fast_extreme(search->cloud, vec_neg(slab[i]));
    double apart = vec_length(vec_sub(point[2 * i], point[2 * i + 1]));
    if (apart > far) far = apart, a = point[2 * i], b = point[2 * i + 1];
  }
  for (int i = 0; i < 2 * FAST_SLABS; i++) {
    double from = vec_length(vec_cross(vec_sub(point[i], a), vec_sub(b, a)));
    if (from > off) off = from, c = point[i];
  }
  graze_vec normal = vec_cross(vec_sub(b, a), vec_sub(c, a));
  fast_triangle(search, a, b, c);
  for (int side = 0; side < 2; side++) {
    graze_vec top = fast_extreme(search->cloud, side == 0 ? normal : vec_neg(normal));
    fast_triangle(search, a, b, top);
    fast_triangle(search, b, c, top);
    fast_triangle(search, c, a, top);
  }
}

/* Turns about the axes in order until a whole round gains nothing. */
static void fast_descend(const fit_cloud *cloud, fast_box *box) {
  for (int round = 0; round < FAST_ROUNDS; round++) {
    double before = box->volume;
    for (int axis = 0; axis < 3; axis++) {
      fast_box next = {.frame = grz_fit_about(cloud, box->frame, axis)};
      next.volume = grz_fit_volume(cloud, next.frame);
      if (next.volume < box->volume) *box = next;
    }
    if (!(box->volume < before * (1 - 0x1p-40))) return;
  }
}

fit_frame grz_fit_fast(const fit_cloud *cloud) {
  const fit_frame still = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  fast_search search = {.cloud = cloud};
  fast_box best = {still, grz_fit_volume(cloud, still)};
  fast_seeds(&search);
  fast_descend(cloud, &best);
  for (int i = 0; i < search.count; i++) {
    fast_descend(cloud, &search.kept[i]);
    if (search.kept[i].volume < best.volume) best = search.kept[i];
  }
  return best.frame;
}
