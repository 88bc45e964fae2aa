/* Walks down the tree for one box: at rest, on its way, or with what is near. */
#include "bvh/pairs.h"
#include "bvh/slab.h"

/* What is asked: where the box is, and where it goes, or, if it stays, what is how far from it. */
typedef struct broad_question {
  double low[3], high[3], way[3];
  bool moves;
  grz_slab slab; /* if it moves */
  grz_slab_test *test;
} broad_question;

/* Boxes in the caller's numbers: the eight of a node, or that of an item. */
typedef struct broad_boxes {
  double low[3][8], high[3][8];
} broad_boxes;

/* Narrows [from, to] to where the boxes meet along one axis. Rounding leaves it too wide: signs of differences are
 * exact, and a quotient is off by less than 2^-51 of itself or the least double. */
GRZ_TEMPLATE void broad_narrow(const broad_question *q, const broad_boxes *boxes, int k, double *from, double *to,
                               const int count) {
  double way = q->way[k];
  for (int i = 0; i < count && way == 0; i++) {
    bool meets = boxes->low[k][i] <= q->high[k] && q->low[k] <= boxes->high[k][i];
    to[i] = meets ? to[i] : -1;
  }
  for (int i = 0; i < count && way != 0; i++) {
    double near = boxes->low[k][i] - q->high[k], far = boxes->high[k][i] - q->low[k];
    double in = (way > 0 ? near : far) / way * (1 - 0x1p-50) - 0x1p-1070;
    double out = (way > 0 ? far : near) / way * (1 + 0x1p-50) + 0x1p-1070;
    from[i] = real_max(from[i], real_min(in, DBL_MAX));
    to[i] = real_min(to[i], out);
  }
}

/* When at the earliest; infinite: never. */
GRZ_TEMPLATE void broad_meetings(const broad_question *q, const broad_boxes *boxes, double *bound, const int count) {
  double to[8];
  for (int i = 0; i < count; i++) bound[i] = 0, to[i] = __builtin_inf();
  for (int k = 0; k < 3; k++) broad_narrow(q, boxes, k, bound, to, count);
  for (int i = 0; i < count; i++) bound[i] = bound[i] <= to[i] ? bound[i] : __builtin_inf();
}

/* How far at least. Where squares would vanish, 2^600 keeps them. */
GRZ_TEMPLATE void broad_distances(const broad_question *q, const broad_boxes *boxes, double *bound, const int count) {
  for (int i = 0; i < count; i++) {
    double gap[3];
    for (int k = 0; k < 3; k++) {
      gap[k] = real_max(real_max(boxes->low[k][i] - q->high[k], q->low[k] - boxes->high[k][i]), 0);
    }
    bool is_tiny = real_max(real_max(gap[0], gap[1]), gap[2]) < 0x1p-400;
    double scale = is_tiny ? 0x1p600 : 1, back = is_tiny ? 0x1p-600 : 1;
    double length = vec_length(vec_make(gap[0] * scale, gap[1] * scale, gap[2] * scale));
    bound[i] = real_max(length * (1 - 0x1p-50) * back - 0x1p-1074, 0);
  }
}

/* No x with f(x) >= side is less. Rounding to single precision is off by 2^-24 of the result or by half the least
 * float; what follows rounds by less than another 2^-50. */
GRZ_TEMPLATE double unround_below(float side, double unit, double centre) {
  double low = (double)side - (real_abs((double)side) * 0x1p-23 + 0x1p-148), x = low * unit + centre;
  return side > -FLT_MAX ? x - (real_abs(x) * 0x1p-50 + 0x1p-1070) : -__builtin_inf();
}

/* Lower bounds of the distances of a node's eight boxes, which are taken a little too large. -max is the min of a world
 * turned round. Bits: those not farther than `end`. */
static unsigned broad_distances_of(const grz_bvh *b, const broad_question *q, const grz_eight *eight, double end,
                                   double bound[8]) {
  broad_boxes boxes;
  double unit = 1 / b->scale;
  unsigned met = 0;
  for (int k = 0; k < 3; k++) {
    double centre = b->centre[k], least = b->dim == 2 && k == 2 ? 0 : 1;
    for (int i = 0; i < 8; i++) {
      boxes.low[k][i] = least * unround_below(eight->side[k][i], unit, centre);
      boxes.high[k][i] = -(least * unround_below(eight->side[k + 3][i], unit, -centre));
    }
  }
  broad_distances(q, &boxes, bound, 8);
  for (int i = 0; i < 8; i++) met |= (unsigned)(eight->side[0][i] <= FLT_MAX && bound[i] <= end) << i;
  return met;
}

static double broad_bound(const broad_question *q, const graze_aabb *box) {
  broad_boxes boxes;
  double bound;
  boxes.low[0][0] = box->min.x, boxes.low[1][0] = box->min.y, boxes.low[2][0] = box->min.z;
  boxes.high[0][0] = box->max.x, boxes.high[1][0] = box->max.y, boxes.high[2][0] = box->max.z;
  if (q->moves) {
    broad_meetings(q, &boxes, &bound, 1);
  } else {
    broad_distances(q, &boxes, &bound, 1);
  }
  return bound;
}

/* A node, and those of its lanes that are still to be looked at. */
typedef struct broad_step {
  size_t node;
  unsigned left;
  double bound[8];
} broad_step;

static void broad_open(const grz_bvh *b, const broad_question *q, int level, size_t node, double end,
                       broad_step *step) {
  const grz_eight *eight = &b->level[level][node];
  float enter[8];
  step->node = node;
  if (q->moves) {
    step->left = q->test(&q->slab, eight, (float)end, enter);
    for (int i = 0; i < 8; i++) step->bound[i] = (double)enter[i];
  } else {
    step->left = broad_distances_of(b, q, eight, end, step->bound);
  }
}

/* Takes out the lane with the least bound. */
static unsigned broad_next(broad_step *step) {
  unsigned next = grz_bit_first(step->left);
  for (unsigned left = step->left; left; left &= left - 1) {
    unsigned lane = grz_bit_first(left);
    if (step->bound[lane] < step->bound[next]) next = lane;
  }
  step->left &= ~(1u << next);
  return next;
}

/* The end in the unit of the bounds of nodes. */
static double broad_node_end(const broad_question *q, double end) {
  return q->moves ? (double)grz_slab_time(&q->slab, end) : end;
}

/* From the root down, the nearest first: one open node a level. The caller's doubles decide about items. */
static void broad_walk(const grz_bvh *b, const broad_question *q, double end,
                       double (*visit)(void *context, size_t item, double bound), void *context) {
  broad_step step[GRZ_BROAD_LEVELS];
  int level = b->levels - 1;
  if (b->count == 0) return;
  end = real_min(end, DBL_MAX);
  double node_end = broad_node_end(q, end);
  broad_open(b, q, level, 0, node_end, &step[level]);
  while (level < b->levels) {
    broad_step *at = &step[level];
    unsigned lane = at->left ? broad_next(at) : 8;
    if (lane == 8 || at->bound[lane] > node_end) {
      level++;
    } else if (level > 0) {
      broad_open(b, q, level - 1, 8 * at->node + lane, node_end, &step[level - 1]);
      level--;
    } else {
      const uint32_t item = b->item[8 * at->node + lane];
      const double bound = broad_bound(q, &b->box[item]);
      if (!(bound <= end)) continue;
      end = real_min(visit(context, item, bound), DBL_MAX);
      node_end = broad_node_end(q, end);
    }
  }
}

static void broad_ask(broad_question *q, const graze_aabb *box, graze_vec way) {
  q->low[0] = box->min.x, q->low[1] = box->min.y, q->low[2] = box->min.z;
  q->high[0] = box->max.x, q->high[1] = box->max.y, q->high[2] = box->max.z;
  q->way[0] = way.x, q->way[1] = way.y, q->way[2] = way.z;
}

void grz_bvh_cast(const grz_bvh *broad, const graze_aabb *box, graze_vec way, double end,
                  double (*visit)(void *context, size_t item, double s), void *context) {
  broad_question question = {.moves = true, .test = grz_slab_widest()};
  broad_ask(&question, box, way);
  grz_slab_make(&question.slab, broad, box, way);
  broad_walk(broad, &question, end, visit, context);
}

void grz_bvh_nearest(const grz_bvh *broad, const graze_aabb *box, double within,
                    double (*visit)(void *context, size_t item, double distance), void *context) {
  broad_question question = {.moves = false};
  broad_ask(&question, box, vec_make(0, 0, 0));
  broad_walk(broad, &question, within, visit, context);
}

void grz_bvh_overlap(const grz_bvh *broad, const graze_aabb *box, bool (*visit)(void *context, size_t item),
                      void *context) {
  struct {
    size_t node;
    unsigned left;
  } step[GRZ_BROAD_LEVELS];
  grz_eight_test *test = grz_broad_test();
  float side[6];
  grz_eight asked;
  int level = broad->levels - 1;
  if (broad->count == 0) return;
  grz_broad_sides(broad, box, side);
  grz_eight_write(&asked, 0, side);
  step[level].node = 0, step[level].left = test(&broad->level[level][0], &asked, 0).met;
  while (level < broad->levels) {
    if (!step[level].left) {
      level++;
      continue;
    }
    size_t below = 8 * step[level].node + grz_bit_first(step[level].left);
    step[level].left &= step[level].left - 1;
    if (level > 0) {
      level--;
      step[level].node = below, step[level].left = test(&broad->level[level][below], &asked, 0).met;
    } else if (grz_aabb_overlap(box, &broad->box[broad->item[below]]) && !visit(context, broad->item[below])) {
      return;
    }
  }
}
