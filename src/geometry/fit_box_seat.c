/* A box around points, given its rotation. With R = M/s, s = q·q, the coordinate i of a point p in the frame of the box
 * is (column i of M)·p / s: a polynomial in doubles over one positive number, so extremes, middles and extents are
 * exact, and rounded once. docs/theory/boxes.md, "Seating". */
#include "geometry/fit_box.h"

#include "exact/placement.h"

/* Room for the worst spread of exponents: docs/theory/boxes.md. */
enum { SEAT_LIMBS = 4000 };

typedef struct fit_seat {
  grz_arena arena;
  const graze_vec *points;
  size_t count;
  int dim, unit;
  grz_placement placing;
  graze_vec column[3];     /* rounded, the largest coordinate about 1 */
  grz_big low[3], high[3]; /* s times the extremes */
} fit_seat;

/* Beyond every error of column·(point - points[0]) in units of 2^-unit. */
#define SEAT_ERROR 0x1p-48

int grz_fit_unit(const graze_vec *points, size_t count) {
  double largest = 0;
  for (size_t i = 1; i < count; i++) largest = real_max(largest, vec_norm_inf(vec_sub(points[i], points[0])));
  if (largest == 0) return 0;
  int lift = largest < 0x1p-900 ? 150 : 0;
  return lift - real_exponent(lift ? largest * 0x1p150 : largest);
}

static grz_bvec seat_column(const fit_seat *seat, int i) {
  const grz_bvec *row = seat->placing.to_world_a;
  if (i == 0) return (grz_bvec){row[0].x, row[1].x, row[2].x};
  if (i == 1) return (grz_bvec){row[0].y, row[1].y, row[2].y};
  return (grz_bvec){row[0].z, row[1].z, row[2].z};
}

/* s times coordinate i of p. */
static grz_big seat_coordinate(fit_seat *seat, int i, graze_vec p) {
  size_t mark = seat->arena.used;
  grz_big value = grz_bvec_dot(&seat->arena, seat_column(seat, i), grz_bvec_of(&seat->arena, p));
  return grz_big_keep(&seat->arena, mark, value);
}

static double seat_rounded(const fit_seat *seat, int i, size_t point) {
  return vec_dot(seat->column[i], fit_scale(vec_sub(seat->points[point], seat->points[0]), seat->unit));
}

/* The greatest (sign 1) or least (-1) coordinate i of all points: those that rounding cannot tell from it compete
 * exactly. */
static grz_big seat_extreme(fit_seat *seat, int i, int sign) {
  double limit = -__builtin_inf();
  for (size_t p = 0; p < seat->count; p++) limit = real_max(limit, sign * seat_rounded(seat, i, p));
  size_t mark = seat->arena.used;
  grz_big best = grz_big_zero();
  bool any = false;
  for (size_t p = 0; p < seat->count; p++) {
    if (sign * seat_rounded(seat, i, p) < limit - 2 * SEAT_ERROR) continue;
    grz_big value = seat_coordinate(seat, i, seat->points[p]);
    if (!any || sign * grz_big_compare(value, best) > 0) best = value;
    any = true;
    best = grz_big_keep(&seat->arena, mark, best);
  }
  return best;
}

static void seat_begin(fit_seat *seat, fit_turn turn) {
  const graze_placed still = {.pose = {{0, 0, 0}, 1, 0, 0, 0}};
  const graze_placed turned = {.pose = {{0, 0, 0}, turn.w, turn.x, turn.y, turn.z}};
  seat->placing = grz_placement_make(&seat->arena, &turned, &still);
  seat->unit = grz_fit_unit(seat->points, seat->count);
  for (int i = 0; i < seat->dim; i++) {
    seat->column[i] = scaled_direction(seat_column(seat, i));
    seat->high[i] = seat_extreme(seat, i, 1);
    seat->low[i] = seat_extreme(seat, i, -1);
  }
}

/* x/y for y > 0, rounded, and once more by the exact remainder: the nearest double, if it is near a double. */
static double seat_quotient(grz_arena *arena, grz_big x, grz_big y) {
  size_t mark = arena->used;
  grz_scaled divisor = scaled_of_big(y);
  double q = scaled_to_double(scaled_div(scaled_of_big(x), divisor));
  grz_big rest = grz_big_sub(arena, x, grz_big_mul(arena, grz_big_of(arena, q), y));
  q += scaled_to_double(scaled_div(scaled_of_big(rest), divisor));
  arena->used = mark;
  return q;
}

/* The middle of the extremes, rotated back: sum over i of row·(low + high)_i, over 2s². */
static graze_vec seat_middle(fit_seat *seat) {
  grz_arena *arena = &seat->arena;
  size_t mark = arena->used;
  grz_big sum[3] = {grz_big_zero(), grz_big_zero(), grz_big_zero()};
  for (int i = 0; i < seat->dim; i++) sum[i] = grz_big_add(arena, seat->low[i], seat->high[i]);
  grz_big square = grz_big_mul(arena, seat->placing.scale, seat->placing.scale);
  square = grz_big_add(arena, square, square);
  grz_bvec twice = {sum[0], sum[1], sum[2]};
  double c[3] = {0, 0, 0};
  for (int k = 0; k < seat->dim; k++) {
    size_t start = arena->used;
    c[k] = seat_quotient(arena, grz_bvec_dot(arena, seat->placing.to_world_a[k], twice), square);
    arena->used = start;
  }
  arena->used = mark;
  return vec_make(c[0], c[1], c[2]);
}

/* The least double h with h·s >= x, for x >= 0. */
static double seat_extent(grz_arena *arena, grz_big x, grz_big s) {
  if (x.sign == 0) return 0;
  double h = seat_quotient(arena, x, s);
  for (bool enough = false; !enough && !arena->full;) {
    size_t mark = arena->used;
    enough = grz_big_compare(grz_big_mul(arena, grz_big_of(arena, h), s), x) >= 0;
    arena->used = mark;
    if (!enough) h = real_next_up(h);
  }
  while (h > 0 && !arena->full) {
    size_t mark = arena->used;
    double below = -real_next_up(-h);
    bool enough = grz_big_compare(grz_big_mul(arena, grz_big_of(arena, below), s), x) >= 0;
    arena->used = mark;
    if (!enough) break;
    h = below;
  }
  return h;
}

/* Twice s times how far the middle is from the centre, coordinate i. */
static grz_big seat_off(fit_seat *seat, int i, graze_vec centre) {
  size_t mark = seat->arena.used;
  grz_big at = seat_coordinate(seat, i, centre);
  grz_big sum = grz_big_sub(&seat->arena, grz_big_add(&seat->arena, seat->low[i], seat->high[i]),
                            grz_big_add(&seat->arena, at, at));
  return grz_big_keep(&seat->arena, mark, sum);
}

static grz_scaled seat_scaled(double x) {
  int lift = x < 0x1p-900 ? 150 : 0;
  if (lift) x *= 0x1p150;
  int k = x == 0 ? 0 : real_exponent(x);
  return scaled_normal(x * real_power_of_two(-k), k - lift);
}

/* The extents about the centre. */
static bool seat_around(fit_seat *seat, graze_vec centre, fit_box *box) {
  double half[3] = {0, 0, 0};
  box->measure = seat_scaled(1);
  if (!(vec_norm_inf(centre) <= GRAZE_LARGEST)) return false;
  for (int i = 0; i < seat->dim; i++) {
    size_t mark = seat->arena.used;
    grz_big at = seat_coordinate(seat, i, centre);
    grz_big above = grz_big_sub(&seat->arena, seat->high[i], at), below = grz_big_sub(&seat->arena, at, seat->low[i]);
    half[i] = seat_extent(&seat->arena, grz_big_compare(above, below) > 0 ? above : below, seat->placing.scale);
    seat->arena.used = mark;
    if (!(half[i] <= GRAZE_LARGEST)) return false;
    box->measure = scaled_mul(box->measure, seat_scaled(2 * half[i]));
  }
  box->pose.position = centre;
  box->half = vec_make(half[0], half[1], half[2]);
  return !seat->arena.full;
}

/* The spacing of doubles at x, but none below 2^-60 of the size, which is as good as none. */
static double seat_spacing(double x, double size) {
  return real_max(real_next_up(real_abs(x)) - real_abs(x), 0x1p-60 * size);
}

/* 2D: a centre a little farther along the rectangle may lie nearer to its middle line. Kept if the area is less. */
static void seat_refine(fit_seat *seat, fit_turn turn, fit_box *box) {
  double w = turn.w, z = turn.z, square = w * w + z * z, off[2], steps[2];
  const double half[2] = {box->half.x, box->half.y};
  double size = real_min(half[0], half[1]);
  const double grid[2] = {seat_spacing(box->pose.position.x, size), seat_spacing(box->pose.position.y, size)};
  for (int i = 0; i < 2; i++) {
    size_t mark = seat->arena.used;
    off[i] = 0.5 * scaled_to_double(scaled_div(scaled_of_big(seat_off(seat, i, box->pose.position)),
                                               scaled_of_big(seat->placing.scale)));
    seat->arena.used = mark;
  }
  if (off[0] == 0 && off[1] == 0) return;
  grz_fit_grid(off, half, grid, (w * w - z * z) / square, 2 * w * z / square, steps);
  graze_vec moved = vec_make(box->pose.position.x + steps[0] * grid[0], box->pose.position.y + steps[1] * grid[1], 0);
  fit_box other = *box;
  if (seat_around(seat, moved, &other) && scaled_is_less(other.measure, box->measure)) *box = other;
}

bool grz_fit_seat(const graze_vec *points, size_t count, int dim, fit_turn turn, fit_box *box) {
  uint64_t limbs[SEAT_LIMBS];
  fit_seat seat = {.arena = {limbs, 0, SEAT_LIMBS, false}, .points = points, .count = count, .dim = dim};
  seat_begin(&seat, turn);
  box->pose = (graze_pose){{0, 0, 0}, turn.w, turn.x, turn.y, turn.z};
  if (!seat_around(&seat, seat_middle(&seat), box)) return false;
  if (dim == 2) seat_refine(&seat, turn, box);
  return !seat.arena.full;
}
