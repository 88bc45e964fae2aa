/* Driving: tests a planned trajectory for collisions, at its poses and between them. README.md shows the output. */
#include <graze/build.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { OBSTACLES = 4 };

typedef struct state {
  double t, x, y, heading; /* of the centre of the rear axle; seconds, metres, radians */
} state;

typedef struct obstacle {
  const char *name;
  graze_shape shape;
  graze_vec start, velocity; /* start: position at t = 0 */
} obstacle;

typedef struct road {
  const state *plan;
  size_t poses;
  graze_shape car;
  const obstacle *obstacle; /* OBSTACLES of them */
} road;

/* Relative to the rear axle, about which a car turns: 1 m to the rear, 3.6 m to the front. */
static const graze_vec outline[] = {{-1, -0.95, 0}, {3.6, -0.95, 0}, {3.6, 0.95, 0}, {-1, 0.95, 0}};
static const graze_vec van[] = {{13, -1.3, 0}, {18, -1.3, 0}, {18, 0.5, 0}, {17.5, 0.7, 0}, {13, 0.7, 0}};
/* Not convex: the kerb extends into the road at a crossing. */
static const graze_vec kerb[] = {{-10, -4, 0},  {50, -4, 0},   {50, -1.8, 0}, {31, -1.8, 0},
                                 {30, -0.9, 0}, {26, -0.9, 0}, {25, -1.8, 0}, {-10, -1.8, 0}};

/* ---- Poses and motions */

static graze_placed car_at(const road *r, size_t pose, double shift) {
  const state *s = &r->plan[pose];
  return graze_place(&r->car, graze_pose2(s->x, s->y + shift, s->heading));
}

static graze_placed obstacle_at(const obstacle *o, double t) {
  return graze_place(&o->shape, graze_pose_at(o->start.x + o->velocity.x * t, o->start.y + o->velocity.y * t, 0));
}

/* The constant velocity and angular velocity between a pose and the next. */
static graze_motion car_motion(const road *r, size_t pose) {
  const state *a = &r->plan[pose], *b = a + 1;
  const double dt = b->t - a->t;
  return (graze_motion){{(b->x - a->x) / dt, (b->y - a->y) / dt, 0}, {0, 0, (b->heading - a->heading) / dt}};
}

/* Computes the first contact in a segment, or the first time at which the gap is less than the clearance. */
static bool cast_segment(const road *r, size_t pose, double shift, const obstacle *o, double clearance,
                         graze_cast_result *cast) {
  const double from = r->plan[pose].t, dt = r->plan[pose + 1].t - from;
  const graze_placed car = car_at(r, pose, shift), other = obstacle_at(o, from);
  const graze_motion drives = car_motion(r, pose), walks = {o->velocity, {0, 0, 0}};
  graze_cast_options options = graze_default_cast_options();
  options.clearance = clearance;
  return graze_cast(&car, &drives, &other, &walks, dt, &options, cast) == GRAZE_OK;
}

/* ---- Tests at the poses */

static bool check_poses(const road *r, double shift) {
  graze_cache cache[OBSTACLES] = {
      {{0, 0, 0}, 0, {0}, {0}}}; /* one per pair: the next pose is close to the previous one */
  for (size_t i = 0; i < r->poses; i++) {
    const graze_placed car = car_at(r, i, shift);
    const char *nearest = "";
    double gap = 100; /* largest reported */
    for (size_t k = 0; k < OBSTACLES; k++) {
      const graze_placed other = obstacle_at(&r->obstacle[k], r->plan[i].t);
      graze_options options = graze_default_options();
      graze_answer answer;
      options.max_distance = gap;
      options.cache = graze_part_count(&other) == 1 ? &cache[k] : NULL; /* compounds do not support caches */
      if (graze_distance(&car, &other, &options, &answer) != GRAZE_OK) return false;
      if (answer.stopped != GRAZE_STOP_CUTOFF && answer.distance < gap)
        gap = answer.distance, nearest = r->obstacle[k].name;
    }
    printf("  at %.1f s: %.2f m to the %s\n", r->plan[i].t, gap, nearest);
  }
  return true;
}

/* ---- Tests between the poses */

/* Reduces *centimetres to a gap that is certainly kept in a segment, by bisection over the clearance; -1: contact. */
static bool bound(const road *r, size_t pose, double shift, const obstacle *o, int *centimetres) {
  int free = -1, near = *centimetres + 1, middle = *centimetres;
  while (near - free > 1) {
    graze_cast_result cast;
    if (!cast_segment(r, pose, shift, o, middle / 100.0, &cast)) return false;
    if (cast.outcome == GRAZE_CLEAR)
      free = middle;
    else
      near = middle;
    middle = (free + near) / 2;
  }
  *centimetres = free;
  return true;
}

/* Prints the first contact of a segment. */
static bool print_contact(const road *r, size_t pose, double shift) {
  graze_cast_result first, cast;
  const obstacle *hit = NULL;
  for (size_t k = 0; k < OBSTACLES; k++) {
    if (!cast_segment(r, pose, shift, &r->obstacle[k], 0, &cast)) return false;
    if (cast.outcome == GRAZE_CLEAR || (hit != NULL && cast.t_lower >= first.t_lower)) continue;
    first = cast, hit = &r->obstacle[k];
  }
  if (hit == NULL) return false;
  printf("%s with the %s at %.6f s, interval %.0e s, at (%.2f, %.2f)\n", graze_cast_outcome_text(first.outcome),
         hit->name, r->plan[pose].t + first.t_lower, first.t_upper - first.t_lower, first.point.x, first.point.y);
  return true;
}

/* Tests the segments in order, up to the first contact. */
static bool check_segments(const road *r, double shift) {
  for (size_t i = 0; i + 1 < r->poses; i++) {
    int centimetres = 200; /* largest reported */
    const char *nearest = "nothing";
    printf("  %.1f to %.1f s: ", r->plan[i].t, r->plan[i + 1].t);
    for (size_t k = 0; k < OBSTACLES; k++) {
      const int before = centimetres;
      if (!bound(r, i, shift, &r->obstacle[k], &centimetres)) return false;
      if (centimetres < before) nearest = r->obstacle[k].name;
      if (centimetres < 0) return print_contact(r, i, shift);
    }
    printf("at least %.2f m, nearest is the %s\n", centimetres / 100.0, nearest);
  }
  return true;
}

/* ---- The road */

static bool drive(const road *r) {
  printf("the poses of the plan:\n");
  if (!check_poses(r, 0)) return false;
  printf("between the poses:\n");
  if (!check_segments(r, 0)) return false;
  printf("0.3 m to the right:\n");
  if (!check_segments(r, -0.3)) return false;
  printf("0.7 m to the right:\n");
  return check_segments(r, -0.7);
}

int main(void) {
  static const state plan[] = {{0, 0, 0, 0.1},      {0.5, 6, 1, 0.2},      {1, 12, 2.15, 0.08}, {1.5, 18, 2.3, -0.04},
                               {2, 24, 1.6, -0.15}, {2.5, 30, 0.7, -0.12}, {3, 36, 0.1, -0.05}};
  const graze_ring ring = {kerb, COUNT(kerb)};
  graze_decomposition pieces;
  graze_compound *compound;
  if (graze_decompose(ring, NULL, 0, GRAZE_SPLIT_AUTO, NULL, &pieces, NULL, NULL) != GRAZE_OK) return 1;
  const graze_status made = graze_decomposition_compound(&pieces, NULL, &compound);
  graze_decomposition_destroy(&pieces);
  if (made != GRAZE_OK) return 1;

  const graze_vec still = {0, 0, 0};
  const obstacle obstacles[OBSTACLES] = {{"van", graze_polygon(van, COUNT(van)), still, still},
                                         {"pedestrian", graze_circle(0.3), {28.5, -4.5, 0}, {0, 1.5, 0}},
                                         {"kerb", graze_compound_shape(compound), still, still},
                                         {"pole", graze_circle(0.04), {16.4, 3.2, 0}, still}};
  const road r = {plan, COUNT(plan), graze_polygon(outline, COUNT(outline)), obstacles};
  const bool good = drive(&r);
  graze_compound_destroy(compound);
  return good ? 0 : 1;
}
