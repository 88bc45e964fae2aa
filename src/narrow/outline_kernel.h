/* The heights of all edges of the CSO of two outlines, edges × corners at once, for one instruction set. Included by
 * polygon.c. Errors: docs/theory/axes.md, "Outlines". */
#define outline_place GRZ_ISA_NAME(outline_place)
#define outline_heights GRZ_ISA_NAME(outline_heights)
#define outline_square GRZ_ISA_NAME(outline_square)
#define outline_limit GRZ_ISA_NAME(outline_limit)
#define outline_set GRZ_ISA_NAME(outline_set)
#define outline_reduce_min GRZ_ISA_NAME(outline_reduce_min)
#define outline_last_within GRZ_ISA_NAME(outline_last_within)
#define outline_sample GRZ_ISA_NAME(outline_sample)
#define outline_least GRZ_ISA_NAME(outline_least)
#define outline_all_heights GRZ_ISA_NAME(outline_all_heights)
#define outline_decide GRZ_ISA_NAME(outline_decide)
#define outline_compare GRZ_ISA_NAME(outline_compare)
#define outline_times GRZ_ISA_NAME(outline_times)
#define outline_find GRZ_ISA_NAME(outline_find)
#define outline_clip GRZ_ISA_NAME(outline_clip)

/* Computes the corners and normals in world axes. Elements beyond the last corner are the first one, without edges.
 * Returns false if an edge is so short that its square loses significant digits; an edge of length 0 is no edge. */
GRZ_TEMPLATE bool outline_place(grz_outline *o) {
  const f64xn xx = f64xn_all(o->rotation[0]), xy = f64xn_all(o->rotation[1]);
  const f64xn yx = f64xn_all(o->rotation[3]), yy = f64xn_all(o->rotation[4]), zero = f64xn_all(0);
  const graze_vec *first = &o->corner[o->first];
  const int count = o->count, step = o->step;
  unsigned lost = 0;
  for (int i = 0; i < count; i += F64XN_WIDTH) {
    const double *at[F64XN_WIDTH + 1];
    for (int k = 0; k <= F64XN_WIDTH; k++) at[k] = &first[i + k < count ? step * (i + k) : 0].x;
    f64xn x, y, edge_x, edge_y;
    f64xn_load_pairs(at, &x, &y);
    f64xn_load_pairs(at + 1, &edge_x, &edge_y);
    edge_x = edge_x - x, edge_y = edge_y - y;
    const f64xn normal_x = xx * edge_y - xy * edge_x, normal_y = yx * edge_y - yy * edge_x;
    const f64xn_mask none = f64xn_and(f64xn_equal(edge_x, zero), f64xn_equal(edge_y, zero));
    const f64xn square = normal_x * normal_x + normal_y * normal_y;
    lost |= f64xn_mask_bits(f64xn_and_not(f64xn_less(square, f64xn_all(GRZ_OUTLINE_LEAST)), none));
    f64xn_store(o->x + i, xx * x + xy * y), f64xn_store(o->y + i, yx * x + yy * y);
    f64xn_store(o->normal_x + i, normal_x), f64xn_store(o->normal_y + i, normal_y);
  }
  return lost == 0;
}

/* The heights of the edges from `i` above every `stride`-th corner of `other`, times their lengths, and the squares of
 * the lengths; x, y: from the origin of `other` to that of `own`. */
GRZ_TEMPLATE f64xn outline_heights(const grz_outline *own, const grz_outline *other, double x, double y, int i,
                                   int stride, f64xn *square) {
  const f64xn normal_x = f64xn_load(own->normal_x + i), normal_y = f64xn_load(own->normal_y + i);
  f64xn low = f64xn_all(__builtin_inf());
  for (int k = 0; k < other->count; k += stride) {
    low = f64xn_min(normal_x * f64xn_all(other->x[k]) + normal_y * f64xn_all(other->y[k]), low);
  }
  const f64xn own_x = f64xn_load(own->x + i) + f64xn_all(x), own_y = f64xn_load(own->y + i) + f64xn_all(y);
  *square = normal_x * normal_x + normal_y * normal_y;
  return (normal_x * own_x + normal_y * own_y) - low;
}

/* The square of a height, with the sign of the height; infinite for an edge of length 0. */
GRZ_TEMPLATE f64xn outline_square(f64xn height, f64xn square) {
  const f64xn none = f64xn_all(__builtin_inf());
  return f64xn_select(f64xn_less(f64xn_all(0), square), height * f64xn_abs(height) / square, none);
}

/* A height plus `tie`, as height·|height|, in all elements. */
GRZ_TEMPLATE f64xn outline_limit(double height, double tie) {
  return f64xn_all((height + tie) * real_abs(height + tie));
}

/* Sets the height of the edges from `i` above every `stride`-th corner, and returns it. */
GRZ_TEMPLATE f64xn outline_set(grz_outline *own, const grz_outline *other, double x, double y, int i, int stride) {
  f64xn square, height = outline_heights(own, other, x, y, i, stride, &square);
  height = outline_square(height, square);
  f64xn_store(own->height + i, height);
  return height;
}

/* The least of all elements. */
GRZ_TEMPLATE double outline_reduce_min(f64xn x) { return -f64xn_reduce_max(f64xn_all(0) - x); }

/* The last element whose height is at most `most`; 0 if there is none. */
GRZ_TEMPLATE int outline_last_within(const grz_outline *own, f64xn most) {
  int last = 0;
  for (int i = 0; i < own->count; i += F64XN_WIDTH) {
    const unsigned beyond = f64xn_mask_bits(f64xn_less(most, f64xn_load(own->height + i)));
    const unsigned within = ~beyond & ((1u << F64XN_WIDTH) - 1);
    last = within ? i + 31 - __builtin_clz(within | 1) : last;
  }
  return last;
}

/* Sets the heights above a sample of the corners: they are at most the heights above all corners. Then finds the edges,
 * one register of them, that are lowest above the sample, and sets their heights above all corners. Returns the first
 * of these edges. */
GRZ_TEMPLATE int outline_sample(grz_outline *own, const grz_outline *other, double x, double y, int stride) {
  f64xn least = f64xn_all(__builtin_inf());
  for (int i = 0; i < own->count; i += F64XN_WIDTH) least = f64xn_min(outline_set(own, other, x, y, i, stride), least);
  const int lowest = outline_last_within(own, f64xn_all(outline_reduce_min(least)));
  const int first = lowest - lowest % F64XN_WIDTH;
  (void)outline_set(own, other, x, y, first, 1);
  return first;
}

/* Sets the heights, the least, and the last edge within `tie` of the least. If there are many corners, a sample of them
 * excludes most edges; these keep a lower height, which is beyond `tie`. */
GRZ_TEMPLATE void outline_least(grz_outline *own, const grz_outline *other, double x, double y, double tie) {
  const int stride = other->count / OUTLINE_SAMPLE;
  const bool sampled = stride > 2; /* otherwise the sample costs more than it saves */
  f64xn least = f64xn_all(__builtin_inf()), most = least;
  int known = -1;
  if (sampled) {
    known = outline_sample(own, other, x, y, stride);
    least = f64xn_load(own->height + known);
    most = outline_limit(outline_root(outline_reduce_min(least)), tie);
  }
  for (int i = 0; i < own->count; i += F64XN_WIDTH) {
    const bool excluded =
        sampled && f64xn_mask_bits(f64xn_less(most, f64xn_load(own->height + i))) == (1u << F64XN_WIDTH) - 1;
    if (!excluded && i != known) least = f64xn_min(outline_set(own, other, x, y, i, 1), least);
  }
  own->least = outline_root(outline_reduce_min(least));
  const int last = outline_last_within(own, outline_limit(own->least, tie));
  own->edge = last < own->count ? last : own->count - 1;
}

/* Compares the heights of the edges with the limits of the decision. Returns the number of an edge that separates, or
 * -1. */
GRZ_TEMPLATE int outline_compare(const grz_outline *own, const grz_outline *other, double x, double y,
                                 grz_outline_decision *d) {
  const f64xn below = f64xn_all(-d->outside * d->outside), above = f64xn_all(d->inside * d->inside);
  for (int i = 0; i < own->count; i += F64XN_WIDTH) {
    f64xn square, height = outline_heights(own, other, x, y, i, 1, &square);
    height = height * f64xn_abs(height);
    const unsigned separating = f64xn_mask_bits(f64xn_less(height, below * square));
    if (separating) return i + __builtin_ctz(separating);
    const f64xn_mask is_edge = f64xn_less(f64xn_all(0), square);
    d->edges |= f64xn_mask_bits(is_edge);
    d->low_edges |= f64xn_mask_bits(f64xn_and_not(is_edge, f64xn_less(above * square, height)));
  }
  return -1;
}

static bool outline_all_heights(grz_outline *a, grz_outline *b, graze_vec offset, double tie) {
  const bool placed_a = outline_place(a), placed_b = outline_place(b);
  outline_least(a, b, offset.x, offset.y, tie), outline_least(b, a, -offset.x, -offset.y, tie);
  return placed_a && placed_b;
}

static bool outline_decide(grz_outline *a, grz_outline *b, graze_vec offset, grz_outline_decision *d) {
  const bool placed_a = outline_place(a), placed_b = outline_place(b);
  d->edges = d->low_edges = 0, d->of_a = true;
  d->separating = outline_compare(a, b, offset.x, offset.y, d);
  if (d->separating < 0) d->of_a = false, d->separating = outline_compare(b, a, -offset.x, -offset.y, d);
  return placed_a && placed_b;
}

/* The times at which the origin passes the edge lines of `own`: inward in `enter`, outward in `leave`. Updates the last
 * and the first. An edge of length 0 gives NaN, a line that is not approached from outside infinity. */
GRZ_TEMPLATE void outline_times(const grz_outline *own, const grz_outline *other, graze_vec offset, graze_vec speed,
                                double *enter, double *leave, f64xn *last, f64xn *first) {
  const f64xn never = f64xn_all(__builtin_inf()), before = f64xn_all(-__builtin_inf()), zero = f64xn_all(0);
  for (int i = 0; i < own->count; i += F64XN_WIDTH) {
    f64xn square;
    const f64xn height = outline_heights(own, other, offset.x, offset.y, i, 1, &square);
    const f64xn rate =
        f64xn_load(own->normal_x + i) * f64xn_all(speed.x) + f64xn_load(own->normal_y + i) * f64xn_all(speed.y);
    const f64xn time = height / f64xn_abs(rate); /* the sign of a rate of 0 has no meaning */
    const f64xn_mask outward = f64xn_less(rate, zero);
    const f64xn in = f64xn_select(outward, before, zero - time), out = f64xn_select(outward, time, never);
    f64xn_store(enter + i, in), f64xn_store(leave + i, out);
    *last = f64xn_max(in, *last), *first = f64xn_min(out, *first);
  }
}

/* The first edge that has this time, of A or of B; -1 if there is none. */
GRZ_TEMPLATE int outline_find(double time[2][GRZ_OUTLINE_VERTICES], const grz_outline *a, const grz_outline *b,
                              double wanted, int *own) {
  for (*own = 0; *own < 2; ++*own) {
    const int count = *own == 0 ? a->count : b->count;
    for (int i = 0; i < count; i += F64XN_WIDTH) {
      const unsigned equal = f64xn_mask_bits(f64xn_equal(f64xn_load(time[*own] + i), f64xn_all(wanted)));
      if (equal) return i + __builtin_ctz(equal);
    }
  }
  return -1;
}

static bool outline_clip(grz_outline *a, grz_outline *b, graze_vec offset, graze_vec speed, grz_outline_path *path) {
  const bool placed_a = outline_place(a), placed_b = outline_place(b);
  double enter[2][GRZ_OUTLINE_VERTICES], leave[2][GRZ_OUTLINE_VERTICES]; /* large: set by outline_times() */
  f64xn last = f64xn_all(-__builtin_inf()), first = f64xn_all(__builtin_inf());
  outline_times(a, b, offset, speed, enter[0], leave[0], &last, &first);
  outline_times(b, a, vec_neg(offset), vec_neg(speed), enter[1], leave[1], &last, &first);
  path->enter = f64xn_reduce_max(last), path->leave = outline_reduce_min(first);
  path->in = path->enter > -__builtin_inf() ? outline_find(enter, a, b, path->enter, &path->in_own) : -1;
  path->out = path->leave < __builtin_inf() ? outline_find(leave, a, b, path->leave, &path->out_own) : -1;
  return placed_a && placed_b;
}

const grz_outline_kernels GRZ_ISA_NAME(grz_outline) = {outline_all_heights, outline_decide, outline_clip};
