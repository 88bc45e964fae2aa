/* Planned trajectories: from stop to stop at constant velocity, turning at a constant rate. */
#include "simulate/world.h"

#include <math.h>

static graze_pose conjugate(const graze_pose *q) { return (graze_pose){{0, 0, 0}, q->w, -q->x, -q->y, -q->z}; }

static graze_pose product(const graze_pose *p, const graze_pose *q) {
  return (graze_pose){{0, 0, 0},
                      p->w * q->w - p->x * q->x - p->y * q->y - p->z * q->z,
                      p->w * q->x + p->x * q->w + p->y * q->z - p->z * q->y,
                      p->w * q->y - p->x * q->z + p->y * q->w + p->z * q->x,
                      p->w * q->z + p->x * q->y - p->y * q->x + p->z * q->w};
}

/* A turn by less, in radians, is rounding. */
static const double UNTURNED = 1e-12;

/* The rotation from one pose to the other as an axis times an angle, at most half a turn. */
static graze_vec turn_between(const graze_pose *from, const graze_pose *to) {
  graze_pose back = conjugate(from), q = product(to, &back);
  double sign = q.w < 0 ? -1 : 1, sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(sine > UNTURNED / 2 * fabs(q.w))) return (graze_vec){0, 0, 0};
  double factor = 2 * atan2(sine, sign * q.w) * sign / sine;
  return (graze_vec){factor * q.x, factor * q.y, factor * q.z};
}

graze_motion sim_motion_between(const graze_pose *from, const graze_pose *to, double time) {
  graze_vec turn = turn_between(from, to), p = from->position, q = to->position;
  return (graze_motion){{(q.x - p.x) / time, (q.y - p.y) / time, (q.z - p.z) / time},
                        {turn.x / time, turn.y / time, turn.z / time}};
}

/* The last stop not later than t; before the first one, that. */
static size_t stop_at(const sim_body *body, double t) {
  size_t low = 0, high = body->path_count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (body->path[middle].t <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

graze_pose sim_path_pose(const sim_body *body, double t) {
  const sim_stop *stop = &body->path[stop_at(body, t)];
  return t <= stop->t ? stop->pose : graze_pose_after(&stop->pose, &stop->motion, t - stop->t);
}

/* Within a leg the body turns as the leg does, however fast, and from where it is to where it should be; where a leg
 * begins or ends the short way to its place. */
graze_motion sim_path_motion(const sim_body *body, const graze_pose *pose, double t, double dt) {
  graze_pose target = sim_path_pose(body, t + dt);
  graze_motion motion = sim_motion_between(pose, &target, dt);
  const sim_stop *stop = &body->path[stop_at(body, t)];
  bool inside = t >= stop->t && (stop + 1 == body->path + body->path_count || t + dt <= stop[1].t);
  if (!inside) return motion;
  graze_pose planned = sim_path_pose(body, t);
  graze_vec behind = turn_between(pose, &planned), leg = stop->motion.angular;
  motion.angular = (graze_vec){leg.x + behind.x / dt, leg.y + behind.y / dt, leg.z + behind.z / dt};
  return motion;
}
