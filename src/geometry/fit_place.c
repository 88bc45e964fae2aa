/* From a proposed rotation to a box in doubles that contains every point: angle, centre and extents.
 *
 * The rotation matrix is R = M/s with s = q·q. Coordinate i of a point p in the frame of the box is (column i of M)·p /
 * s, a polynomial in doubles over one positive number. So extremes, centre and extents are computed exactly and rounded
 * once. Proofs: docs/theory/boxes.md. */
#include "geometry/fit.h"

#include "exact/exact.h"

int grz_fit_exponent(const graze_vec *points, size_t count) {
  double largest = 0;
  for (size_t i = 1; i < count; i++) largest = real_max(largest, vec_norm_inf(vec_sub(points[i], points[0])));
  if (largest == 0) return 0;
  const int lift = largest < 0x1p-900 ? 150 : 0;
  return lift - real_exponent(lift ? largest * 0x1p150 : largest);
}

/* ---- The half-angle pair of a direction. The two doubles may have any length, so their quotient z/w can be any
 * fraction of integers of 53 bits. A search on the Stern-Brocot tree with exact comparisons finds the best one. If the
 * tangent of half the angle is such a fraction, as for 3-4-5 triangles, the result is exact. */

enum { ANGLE_LIMBS = 3000, ANGLE_MAX_LIFT = 1000 };
#define ANGLE_MAX 0x1p53

/* The fraction z/w, with z in units of 2^-lift. */
typedef struct angle_fraction {
  double w, z;
} angle_fraction;

/* A direction between 0 and 45 degrees above the x axis. */
typedef struct angle_search {
  grz_arena *arena;
  grz_big x, y;
  int lift;
} angle_search;

/* The cross product of the direction of the fraction, (w² - z², 2wz), with the given one: positive if the fraction
 * rotates less. */
static grz_big angle_cross(const angle_search *search, angle_fraction f) {
  grz_arena *arena = search->arena;
  const size_t mark = arena->used;
  grz_big w = grz_big_of(arena, f.w), z = grz_big_of(arena, f.z * real_power_of_two(-search->lift));
  grz_big cosine = grz_big_sub(arena, grz_big_mul(arena, w, w), grz_big_mul(arena, z, z));
  grz_big sine = grz_big_mul(arena, w, z);
  sine = grz_big_add(arena, sine, sine);
  grz_big cross = grz_big_sub(arena, grz_big_mul(arena, cosine, search->y), grz_big_mul(arena, sine, search->x));
  return grz_big_keep(arena, mark, cross);
}

static int angle_sign(const angle_search *search, angle_fraction f) {
  const size_t mark = search->arena->used;
  const int sign = angle_cross(search, f).sign;
  search->arena->used = mark;
  return sign;
}

static angle_fraction angle_add(angle_fraction from, angle_fraction to, double times) {
  return (angle_fraction){from.w + times * to.w, from.z + times * to.z};
}

/* Moves `from` toward `to` by the greatest number of steps that does not pass the direction. False: the number is 0. */
static bool angle_advance(const angle_search *search, angle_fraction *from, angle_fraction to, int side) {
  double limit = (double)(int64_t)((ANGLE_MAX - from->w) / to.w), steps = 0, step = 1;
  while (steps + step <= limit && side * angle_sign(search, angle_add(*from, to, steps + step)) >= 0) {
    steps += step;
    step *= 2;
  }
  for (; step >= 1; step = step / 2) {
    if (steps + step <= limit && side * angle_sign(search, angle_add(*from, to, steps + step)) >= 0) steps += step;
  }
  *from = angle_add(*from, to, steps);
  return steps > 0;
}

/* |cross product| of one fraction times the squared length of the other, for comparing the sines of their errors. */
static grz_big angle_error(const angle_search *search, angle_fraction of, angle_fraction other) {
  grz_arena *arena = search->arena;
  grz_big w = grz_big_of(arena, other.w), z = grz_big_of(arena, other.z * real_power_of_two(-search->lift));
  grz_big square = grz_big_add(arena, grz_big_mul(arena, w, w), grz_big_mul(arena, z, z));
  grz_big cross = angle_cross(search, of);
  return grz_big_mul(arena, cross.sign < 0 ? grz_big_neg(cross) : cross, square);
}

/* The best fraction: descend the Stern-Brocot tree until both neighbours have the largest denominators. */
static angle_fraction angle_best(const angle_search *search) {
  angle_fraction low = {1, 0}, high = {1, 1};
  for (bool more = true; more;) {
    more = angle_advance(search, &low, high, 1);
    if (angle_sign(search, low) == 0) return low;
    more = angle_advance(search, &high, low, -1) || more;
    if (angle_sign(search, high) == 0) return high;
  }
  grz_big low_error = angle_error(search, low, high);
  return grz_big_compare(low_error, angle_error(search, high, low)) <= 0 ? low : high;
}

fit_rotation grz_fit_angle(graze_vec a, graze_vec b) {
  uint64_t limbs[ANGLE_LIMBS];
  grz_arena arena = {limbs, 0, ANGLE_LIMBS, false};
  grz_big x = grz_big_sub(&arena, grz_big_of(&arena, b.x), grz_big_of(&arena, a.x));
  grz_big y = grz_big_sub(&arena, grz_big_of(&arena, b.y), grz_big_of(&arena, a.y));
  int sign = x.sign * y.sign;
  if (x.sign < 0) x = grz_big_neg(x);
  if (y.sign < 0) y = grz_big_neg(y);
  if (grz_big_compare(y, x) > 0) { /* nearer to the y axis */
    grz_big t = x;
    x = y, y = t, sign = -sign;
  }
  if (sign == 0) return fit_rotation_of(1, 0, 0, 0);

  /* The lift: the greatest power of two whose product with the tangent of half the angle stays below 1. */
  grz_scaled ratio = scaled_div(scaled_of_big(y), scaled_of_big(x));
  const double t = scaled_to_double(ratio);
  ratio = scaled_div(ratio, scaled_normal(1 + real_sqrt(1 + t * t), 0));
  const int64_t lift = ratio.e < 0 ? -ratio.e : 0;
  if (lift > ANGLE_MAX_LIFT) return fit_rotation_of(1, 0, 0, 0);

  const angle_search search = {&arena, x, y, (int)lift};
  const angle_fraction best = angle_best(&search);
  const double unit = real_power_of_two(-real_exponent(best.w) - 1);
  return fit_rotation_of(best.w * unit, 0, 0, sign * best.z * real_power_of_two(-search.lift) * unit);
}

/* ---- The centre in 2D is a point of the grid of doubles. Let a thin rectangle have the half width h and the
 * half length l. An offset d across it costs d/h of its area, an offset d along it only d/l. In the coordinates (d_l/l,
 * d_h/h) the grid is a skew lattice. Lattice reduction (Gauss) and rounding (Babai 1986) find a point of it near the
 * middle. */

/* Rounding of the directions makes longer combinations meaningless. */
#define GRID_MAX 0x1p40

typedef struct grid_vector {
  double at[2];    /* in units of the half extents */
  double steps[2]; /* its integer coefficients */
} grid_vector;

static double grid_dot(const grid_vector *u, const grid_vector *v) { return u->at[0] * v->at[0] + u->at[1] * v->at[1]; }

/* The nearest integer, for |x| < 2^51. */
static double grid_round(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

static void grid_subtract(grid_vector *u, double times, const grid_vector *v) {
  for (int i = 0; i < 2; i++) {
    u->at[i] -= times * v->at[i];
    u->steps[i] -= times * v->steps[i];
  }
}

/* Gauss reduction of a basis of two vectors. */
static void grid_reduce(grid_vector *u, grid_vector *v) {
  for (int round = 0; round < 100; round++) {
    if (grid_dot(u, u) > grid_dot(v, v)) {
      grid_vector t = *u;
      *u = *v, *v = t;
    }
    const double times = grid_dot(u, v) / grid_dot(u, u);
    if (!(real_abs(times) > 0.5 && real_abs(times) < GRID_MAX)) return;
    grid_vector shorter = *v;
    grid_subtract(&shorter, grid_round(times), u);
    if (!(grid_dot(&shorter, &shorter) < grid_dot(v, v)) || real_abs(shorter.steps[0]) > GRID_MAX ||
        real_abs(shorter.steps[1]) > GRID_MAX)
      return;
    *v = shorter;
  }
}

/* The integer numbers of steps that move a centre near the middle of a rectangle. `offset` is the distance to the
 * middle in the frame of the box, `half` are the half extents, `spacing` the steps along x and y. (c, s) is the
 * direction of the box. */
static void grid_steps(const double offset[2], const double half[2], const double spacing[2], double c, double s,
                       double steps[2]) {
  const double longer = real_max(half[0], half[1]);
  const double unit[2] = {real_max(half[0], 0x1p-60 * longer), real_max(half[1], 0x1p-60 * longer)};
  const double target[2] = {offset[0] / unit[0], offset[1] / unit[1]};
  grid_vector u = {{c * spacing[0] / unit[0], -s * spacing[0] / unit[1]}, {1, 0}};
  grid_vector v = {{s * spacing[1] / unit[0], c * spacing[1] / unit[1]}, {0, 1}};
  steps[0] = steps[1] = 0;
  grid_reduce(&u, &v);

  /* Round the coordinates of the target; test the nine lattice points around it. */
  const double det = u.at[0] * v.at[1] - u.at[1] * v.at[0];
  const double a = (target[0] * v.at[1] - target[1] * v.at[0]) / det;
  const double b = (u.at[0] * target[1] - u.at[1] * target[0]) / det;
  double least = real_abs(target[0]) + real_abs(target[1]);
  if (!(real_abs(a) < GRID_MAX && real_abs(b) < GRID_MAX)) return;
  for (int k = 0; k < 9; k++) {
    grid_vector rest = {{target[0], target[1]}, {0, 0}};
    grid_subtract(&rest, grid_round(a) + k % 3 - 1, &u);
    grid_subtract(&rest, grid_round(b) + k / 3 - 1, &v);
    const double cost = real_abs(rest.at[0]) + real_abs(rest.at[1]);
    if (!(cost < least)) continue;
    least = cost;
    for (int i = 0; i < 2; i++) steps[i] = -rest.steps[i];
  }
}

/* ---- Placement. */

/* Enough for the largest difference of exponents: docs/theory/boxes.md. */
enum { PLACE_LIMBS = 4000 };

/* A bound of the errors of column·(point - points[0]), in units of 2^-exponent. */
#define PLACE_ERROR 0x1p-48

typedef struct fit_placement {
  grz_arena arena;
  const graze_vec *points;
  size_t count;
  int dim, exponent;
  grz_placement placing;
  graze_vec column[3];     /* of the matrix, rounded, the largest coordinate about 1 */
  grz_big low[3], high[3]; /* s times the extreme coordinates */
} fit_placement;

static grz_bvec place_column(const fit_placement *p, int i) {
  const grz_bvec *row = p->placing.to_world_a;
  if (i == 0) return (grz_bvec){row[0].x, row[1].x, row[2].x};
  if (i == 1) return (grz_bvec){row[0].y, row[1].y, row[2].y};
  return (grz_bvec){row[0].z, row[1].z, row[2].z};
}

/* s times coordinate i of a point. */
static grz_big place_coordinate(fit_placement *p, int i, graze_vec point) {
  const size_t mark = p->arena.used;
  grz_big value = grz_bvec_dot(&p->arena, place_column(p, i), grz_bvec_of(&p->arena, point));
  return grz_big_keep(&p->arena, mark, value);
}

static double place_rounded(const fit_placement *p, int i, size_t point) {
  return vec_dot(p->column[i], fit_scale(vec_sub(p->points[point], p->points[0]), p->exponent));
}

/* The greatest (sign 1) or least (-1) coordinate i of all points. The points whose rounded coordinates are within the
 * error of the best one are compared exactly. */
static grz_big place_extreme(fit_placement *p, int i, int sign) {
  double limit = -__builtin_inf();
  for (size_t k = 0; k < p->count; k++) limit = real_max(limit, sign * place_rounded(p, i, k));
  const size_t mark = p->arena.used;
  grz_big best = grz_big_zero();
  bool any = false;
  for (size_t k = 0; k < p->count; k++) {
    if (sign * place_rounded(p, i, k) < limit - 2 * PLACE_ERROR) continue;
    grz_big value = place_coordinate(p, i, p->points[k]);
    if (!any || sign * grz_big_compare(value, best) > 0) best = value;
    any = true;
    best = grz_big_keep(&p->arena, mark, best);
  }
  return best;
}

/* x/y for y > 0, rounded and corrected once by the exact remainder. */
static double place_quotient(grz_arena *arena, grz_big x, grz_big y) {
  const size_t mark = arena->used;
  grz_scaled divisor = scaled_of_big(y);
  double q = scaled_to_double(scaled_div(scaled_of_big(x), divisor));
  grz_big rest = grz_big_sub(arena, x, grz_big_mul(arena, grz_big_of(arena, q), y));
  q += scaled_to_double(scaled_div(scaled_of_big(rest), divisor));
  arena->used = mark;
  return q;
}

/* The middle of the extremes, rotated back: the sum over i of row·(low + high)_i, over 2s². */
static graze_vec place_middle(fit_placement *p) {
  grz_arena *arena = &p->arena;
  const size_t mark = arena->used;
  grz_big sum[3] = {grz_big_zero(), grz_big_zero(), grz_big_zero()};
  for (int i = 0; i < p->dim; i++) sum[i] = grz_big_add(arena, p->low[i], p->high[i]);
  grz_big square = grz_big_mul(arena, p->placing.scale, p->placing.scale);
  square = grz_big_add(arena, square, square);
  grz_bvec twice = {sum[0], sum[1], sum[2]};
  double c[3] = {0, 0, 0};
  for (int k = 0; k < p->dim; k++) {
    const size_t start = arena->used;
    c[k] = place_quotient(arena, grz_bvec_dot(arena, p->placing.to_world_a[k], twice), square);
    arena->used = start;
  }
  arena->used = mark;
  return vec_make(c[0], c[1], c[2]);
}

/* Is h·s >= x? */
static bool place_is_enough(grz_arena *arena, double h, grz_big s, grz_big x) {
  const size_t mark = arena->used;
  const bool enough = grz_big_compare(grz_big_mul(arena, grz_big_of(arena, h), s), x) >= 0;
  arena->used = mark;
  return enough;
}

/* The least double h for which h·s >= x, for x >= 0. */
static double place_extent(grz_arena *arena, grz_big x, grz_big s) {
  if (x.sign == 0) return 0;
  double h = place_quotient(arena, x, s);
  while (!place_is_enough(arena, h, s, x) && !arena->full) h = real_next_up(h);
  while (h > 0 && !arena->full) {
    const double below = -real_next_up(-h);
    if (!place_is_enough(arena, below, s, x)) break;
    h = below;
  }
  return h;
}

static grz_scaled place_scaled(double x) {
  const int lift = x < 0x1p-900 ? 150 : 0;
  if (lift) x *= 0x1p150;
  const int k = x == 0 ? 0 : real_exponent(x);
  return scaled_normal(x * real_power_of_two(-k), k - lift);
}

/* The extents about a centre. False: a number would be too large. */
static bool place_at(fit_placement *p, graze_vec centre, fit_candidate *box) {
  double half[3] = {0, 0, 0};
  box->measure = place_scaled(1);
  if (!(vec_norm_inf(centre) <= GRAZE_LARGEST)) return false;
  for (int i = 0; i < p->dim; i++) {
    const size_t mark = p->arena.used;
    grz_big at = place_coordinate(p, i, centre);
    grz_big above = grz_big_sub(&p->arena, p->high[i], at), below = grz_big_sub(&p->arena, at, p->low[i]);
    half[i] = place_extent(&p->arena, grz_big_compare(above, below) > 0 ? above : below, p->placing.scale);
    p->arena.used = mark;
    if (!(half[i] <= GRAZE_LARGEST)) return false;
    box->measure = scaled_mul(box->measure, place_scaled(2 * half[i]));
  }
  box->pose.position = centre;
  box->half = vec_make(half[0], half[1], half[2]);
  return !p->arena.full;
}

/* 2D: tries a centre that the lattice search proposes. Keeps it if the area is smaller. */
static void place_refine(fit_placement *p, fit_rotation r, fit_candidate *box) {
  const double square = r.w * r.w + r.z * r.z, half[2] = {box->half.x, box->half.y};
  const double centre[2] = {box->pose.position.x, box->pose.position.y};
  double spacing[2], offset[2], steps[2];
  for (int i = 0; i < 2; i++) {
    /* The spacing of doubles at the centre; less than 2^-60 of the size makes no difference. */
    spacing[i] = real_next_up(real_abs(centre[i])) - real_abs(centre[i]);
    spacing[i] = real_max(spacing[i], 0x1p-60 * real_min(half[0], half[1]));
    /* 2s times the vector from the centre to the middle, exactly. */
    const size_t mark = p->arena.used;
    grz_big at = place_coordinate(p, i, box->pose.position);
    grz_big twice =
        grz_big_sub(&p->arena, grz_big_add(&p->arena, p->low[i], p->high[i]), grz_big_add(&p->arena, at, at));
    offset[i] = 0.5 * scaled_to_double(scaled_div(scaled_of_big(twice), scaled_of_big(p->placing.scale)));
    p->arena.used = mark;
  }
  if (offset[0] == 0 && offset[1] == 0) return;
  grid_steps(offset, half, spacing, (r.w * r.w - r.z * r.z) / square, 2 * r.w * r.z / square, steps);
  fit_candidate other = *box;
  const graze_vec moved = vec_make(centre[0] + steps[0] * spacing[0], centre[1] + steps[1] * spacing[1], 0);
  if (place_at(p, moved, &other) && scaled_is_less(other.measure, box->measure)) *box = other;
}

bool grz_fit_place(const graze_vec *points, size_t count, int dim, fit_rotation r, fit_candidate *box) {
  uint64_t limbs[PLACE_LIMBS];
  fit_placement p = {.arena = {limbs, 0, PLACE_LIMBS, false}, .points = points, .count = count, .dim = dim};
  const graze_placed identity = {.pose = {{0, 0, 0}, 1, 0, 0, 0}};
  const graze_placed rotated = {.pose = {{0, 0, 0}, r.w, r.x, r.y, r.z}};
  p.placing = grz_placement_make(&p.arena, &rotated, &identity);
  p.exponent = grz_fit_exponent(points, count);
  for (int i = 0; i < dim; i++) {
    p.column[i] = scaled_direction(place_column(&p, i));
    p.high[i] = place_extreme(&p, i, 1);
    p.low[i] = place_extreme(&p, i, -1);
  }
  box->pose = rotated.pose;
  if (!place_at(&p, place_middle(&p), box)) return false;
  if (dim == 2) place_refine(&p, r, box);
  return !p.arena.full;
}
