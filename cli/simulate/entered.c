#include "simulate/entered.h"

#include <math.h>

/* Poses that are compared within a step, its end included. */
enum { SAMPLES = 16 };

/* Below this share of the smaller body, a difference of depths is rounding or a skin. */
#define TOLERANCE 0x1p-20

/* A body that ends at most so far, in shares of its size, from where its velocity takes it was only pushed. */
#define PUSHED 0.25

/* The squared sine of half the angle between rotations that are equal but for rounding, at most. */
#define SAME_ROTATION 1e-12

static bool is_same(graze_vec v, graze_vec w) { return v.x == w.x && v.y == w.y && v.z == w.z; }

static double difference(graze_vec v, graze_vec w) {
  return fmax(fabs(v.x - w.x), fmax(fabs(v.y - w.y), fabs(v.z - w.z)));
}

/* Quaternions may have any length. */
static bool is_same_rotation(graze_pose p, graze_pose q) {
  double dot = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z;
  double square_p = p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z;
  double square_q = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  return 1 - dot * dot / (square_p * square_q) < SAME_ROTATION;
}

/* Half the diagonal of the bounds; infinite for a half-space. */
static double size_of(const graze_placed *placed) {
  graze_aabb box;
  if (graze_bounds(placed, &box) != GRAZE_OK) return INFINITY;
  double x = box.max.x - box.min.x, y = box.max.y - box.min.y, z = box.max.z - box.min.z;
  return 0.5 * sqrt(x * x + y * y + z * z);
}

sim_ends sim_ends_of(const sim_world *world, const graze_step *step, size_t index) {
  graze_body_def now;
  sim_ends ends = {&world->placed[index], graze_scene_placed(world->space, world->ids[index]), world->motions[index], 0,
                   false};
  graze_vec p = ends.before->pose.position, q = ends.after->pose.position;
  double dt = world->scene->dt;
  if (!(dt > 0) || graze_scene_get(world->space, world->ids[index], &now) != GRAZE_OK) return ends;
  ends.motion.velocity = (graze_vec){(q.x - p.x) / dt, (q.y - p.y) / dt, (q.z - p.z) / dt};
  graze_pose end = graze_pose_after(&ends.before->pose, &ends.motion, dt);
  double size = size_of(ends.before);
  if (step->responses > 0) ends.off = dt * difference(ends.motion.velocity, now.motion.velocity);
  ends.steady = ends.off <= PUSHED * size && step->stalled == 0 &&
                dt * difference(now.motion.velocity, world->motions[index].velocity) <= TOLERANCE * size &&
                is_same(now.motion.angular, world->motions[index].angular) && is_same_rotation(end, ends.after->pose);
  return ends;
}

/* Negative: the depth. */
static graze_status depth_of(const graze_placed *a, const graze_placed *b, graze_answer *answer) {
  graze_options options = graze_default_options();
  options.max_distance = 0;
  return graze_distance(a, b, &options, answer);
}

static bool is_deeper(const graze_placed *a, const graze_placed *b, double least) {
  graze_answer answer;
  return depth_of(a, b, &answer) == GRAZE_OK && answer.relation == GRAZE_OVERLAPPING && answer.upper < least;
}

static graze_placed at(const sim_ends *ends, double t) {
  graze_placed placed = *ends->before;
  (void)graze_set_pose(&placed, graze_pose_after(&placed.pose, &ends->motion, t));
  return placed;
}

bool sim_entered(const sim_ends *a, const sim_ends *b, double dt, double *t) {
  graze_answer first;
  if (depth_of(a->before, b->before, &first) != GRAZE_OK) return false;
  double least = fmin(first.lower, 0) - TOLERANCE * fmin(size_of(a->before), size_of(b->before));
  double between = least - a->off - b->off;
  for (int i = 1; i < SAMPLES && a->steady && b->steady; i++) {
    *t = dt * i / SAMPLES;
    graze_placed at_a = at(a, *t), at_b = at(b, *t);
    if (is_deeper(&at_a, &at_b, between)) return true;
  }
  *t = dt;
  return is_deeper(a->after, b->after, least);
}
