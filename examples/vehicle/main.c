/* Driving: is a planned trajectory free, at its poses and between them? README.md has what this prints. */
#include <graze/build.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { OBSTACLES = 4 };

typedef struct state {
  double t, x, y, heading; /* of the middle of the rear axle; seconds, metres, radians */
} state;

typedef struct obstacle {
  const char *name;
  graze_shape shape;
  graze_vec start, velocity; /* where it is at t = 0, and how it moves */
} obstacle;

typedef struct road {
  const state *plan;
  size_t poses;
  graze_shape car;
  const obstacle *obstacle; /* OBSTACLES of them */
} road;

/* From the rear axle, about which a car turns: 1 m to the back, 3.6 m to the front. */
static const graze_vec outline[] = {{-1, -0.95, 0}, {3.6, -0.95, 0}, {3.6, 0.95, 0}, {-1, 0.95, 0}};
static const graze_vec van[] = {{13, -1.3, 0}, {18, -1.3, 0}, {18, 0.5, 0}, {17.5, 0.7, 0}, {13, 0.7, 0}};
/* Not convex: the kerb is built out where people cross. */
static const graze_vec kerb[] = {{-10, -4, 0},  {50, -4, 0},   {50, -1.8, 0}, {31, -1.8, 0},
                                 {30, -0.9, 0}, {26, -0.9, 0}, {25, -1.8, 0}, {-10, -1.8, 0}};

/* ---- At one moment, and between two */

static graze_placed car_at(const road *r, size_t pose, double shift) {
  const state *s = &r->plan[pose];
  return graze_place(&r->car, graze_pose2(s->x, s->y + shift, s->heading));
}

static graze_placed obstacle_at(const obstacle *o, double t) {
  return graze_place(&o->shape, graze_pose_at(o->start.x + o->velocity.x * t, o->start.y + o->velocity.y * t, 0));
}

/* The constant velocity and the constant turn that lead from a pose to the next. */
static graze_motion car_motion(const road *r, size_t pose) {
  const state *a = &r->plan[pose], *b = a + 1;
  const double dt = b->t - a->t;
  return (graze_motion){{(b->x - a->x) / dt, (b->y - a->y) / dt, 0}, {0, 0, (b->heading - a->heading) / dt}};
}

/* The first contact in a segment, or the first time when less than `clearance` is left. */
static bool sweep(const road *r, size_t pose, double shift, const obstacle *o, double clearance,
                  graze_cast_result *impact) {
  const double from = r->plan[pose].t, dt = r->plan[pose + 1].t - from;
  const graze_placed car = car_at(r, pose, shift), other = obstacle_at(o, from);
  const graze_motion drives = car_motion(r, pose), walks = {o->velocity, {0, 0, 0}};
  graze_options options = graze_default_options();
  options.clearance = clearance;
  return graze_sweep(&car, &drives, &other, &walks, dt, &options, impact) == GRAZE_OK;
}

/* ---- What most plans are checked by: the poses */

static bool look_at_poses(const road *r, double shift) {
  graze_cache cache[OBSTACLES] = {{{0, 0, 0}, 0, {0}, {0}}}; /* one for each pair: the next pose is near the last */
  for (size_t i = 0; i < r->poses; i++) {
    const graze_placed car = car_at(r, i, shift);
    const char *nearest = "";
    double gap = 100; /* farther nobody looks */
    for (size_t k = 0; k < OBSTACLES; k++) {
      const graze_placed other = obstacle_at(&r->obstacle[k], r->plan[i].t);
      graze_options options = graze_default_options();
      graze_answer answer;
      options.max_distance = gap;
      options.cache = graze_part_count(&other) == 1 ? &cache[k] : NULL; /* compounds take none */
      if (graze_distance(&car, &other, &options, &answer) != GRAZE_OK) return false;
      if (answer.stopped != GRAZE_STOP_CUTOFF && answer.distance < gap)
        gap = answer.distance, nearest = r->obstacle[k].name;
    }
    printf("  at %.1f s: %.2f m to the %s\n", r->plan[i].t, gap, nearest);
  }
  return true;
}

/* ---- What lies between them */

/* How many whole centimetres are surely left in a segment, up to those that others leave; -1: they meet. */
static bool bound(const road *r, size_t pose, double shift, const obstacle *o, int *centimetres) {
  int free = -1, near = *centimetres + 1, middle = *centimetres;
  while (near - free > 1) {
    graze_cast_result impact;
    if (!sweep(r, pose, shift, o, middle / 100.0, &impact)) return false;
    if (impact.result == GRAZE_CLEAR)
      free = middle;
    else
      near = middle;
    middle = (free + near) / 2;
  }
  *centimetres = free;
  return true;
}

/* The first contact of all. */
static bool tell_contact(const road *r, size_t pose, double shift) {
  graze_cast_result first, impact;
  const obstacle *met = NULL;
  for (size_t k = 0; k < OBSTACLES; k++) {
    if (!sweep(r, pose, shift, &r->obstacle[k], 0, &impact)) return false;
    if (impact.result == GRAZE_CLEAR || (met != NULL && impact.t_lower >= first.t_lower)) continue;
    first = impact, met = &r->obstacle[k];
  }
  if (met == NULL) return false;
  printf("%s with the %s at %.6f s, surely by %.0e s later; at (%.2f, %.2f)\n", graze_cast_outcome_text(first.result),
         met->name, r->plan[pose].t + first.t_lower, first.t_upper - first.t_lower, first.point.x, first.point.y);
  return true;
}

/* From the first segment to the last, or to one in which they meet. */
static bool look_between(const road *r, double shift) {
  for (size_t i = 0; i + 1 < r->poses; i++) {
    int centimetres = 200; /* farther nobody looks */
    const char *nearest = "nothing";
    printf("  %.1f to %.1f s: ", r->plan[i].t, r->plan[i + 1].t);
    for (size_t k = 0; k < OBSTACLES; k++) {
      const int before = centimetres;
      if (!bound(r, i, shift, &r->obstacle[k], &centimetres)) return false;
      if (centimetres < before) nearest = r->obstacle[k].name;
      if (centimetres < 0) return tell_contact(r, i, shift);
    }
    printf("surely %.2f m left, nearest is the %s\n", centimetres / 100.0, nearest);
  }
  return true;
}

/* ---- The road */

static bool drive(const road *r) {
  printf("the poses of the plan:\n");
  if (!look_at_poses(r, 0)) return false;
  printf("the way between them:\n");
  if (!look_between(r, 0)) return false;
  printf("0.3 m to the right:\n");
  if (!look_between(r, -0.3)) return false;
  printf("0.7 m to the right:\n");
  return look_between(r, -0.7);
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
  const bool answered = drive(&r);
  graze_compound_destroy(compound);
  return answered ? 0 : 1;
}
