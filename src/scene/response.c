/* Responses change velocities along the normal only. What turns kicks itself off: its spin stays. */
#include "scene/response.h"

#include "core/vec.h"

static graze_vec respond_velocity(const grz_mover *m, graze_vec point) {
  const graze_vec moves = vec_add(m->motion.velocity, m->push);
  return vec_add(moves, vec_cross(m->motion.angular, vec_sub(point, m->position)));
}

double grz_parting_speed(const grz_mover *a, const grz_mover *b, graze_vec point, graze_vec normal) {
  return vec_dot(normal, vec_sub(respond_velocity(b, point), respond_velocity(a, point)));
}

/* By so much more they must part from one meeting to the next, up to this share. */
#define RESPOND_GROWS 4
#define RESPOND_MOST 0x1p-4

/* Along a fixed direction the gap may lose half of this times time squared. */
static double respond_bends(const grz_mover *a, const grz_mover *b) {
  const double spin_a = vec_length(a->motion.angular), spin_b = vec_length(b->motion.angular);
  const graze_vec moves_a = vec_add(a->motion.velocity, a->push), moves_b = vec_add(b->motion.velocity, b->push);
  const double speed = vec_length(vec_sub(moves_a, moves_b));
  return spin_a * spin_a * a->reach + spin_b * spin_b * b->reach + (spin_a + spin_b) * speed;
}

double grz_parting_share(double share, int met) {
  for (int i = 0; i < met && share < RESPOND_MOST; i++) share *= RESPOND_GROWS;
  return share;
}

double grz_parting_least(const grz_mover *a, const grz_mover *b, double share, int met, double time) {
  return grz_parting_share(share, met) * time * respond_bends(a, b);
}

static bool respond_stop(grz_mover *m) {
  if (m->response != GRAZE_RESPONSE_STOP || m->yields == 0) return false;
  m->motion.velocity = m->motion.angular = vec_make(0, 0, 0);
  return true;
}

static double respond_yields(const grz_mover *m, bool stopped_too) {
  if (m->response == GRAZE_RESPONSE_NONE || (m->response == GRAZE_RESPONSE_STOP && !stopped_too)) return 0;
  return m->yields;
}

static double respond_bounce(const grz_mover *m) { return m->response == GRAZE_RESPONSE_BOUNCE ? m->bounce : 0; }

static void respond_shift(grz_mover *m, graze_vec normal, double speed) {
  m->motion.velocity = vec_add(m->motion.velocity, vec_scale(normal, speed));
}

bool grz_respond_stop(grz_mover *a, grz_mover *b, graze_vec point, graze_vec normal) {
  if (!(grz_parting_speed(a, b, point, normal) < 0)) return false;
  const bool a_stops = respond_stop(a), b_stops = respond_stop(b);
  return a_stops || b_stops;
}

bool grz_respond(grz_mover *a, grz_mover *b, graze_vec point, graze_vec normal, double least) {
  const double left = grz_parting_speed(a, b, point, normal);
  if (left >= least) return false;
  /* what has stopped is moved only by what nothing else stops */
  double of_a = respond_yields(a, false), of_b = respond_yields(b, false);
  if (of_a + of_b == 0) of_a = respond_yields(a, true), of_b = respond_yields(b, true);
  if (of_a + of_b == 0) return false;
  const double bounce = respond_bounce(a) > respond_bounce(b) ? respond_bounce(a) : respond_bounce(b);
  const double speed = real_max(-bounce * left, least) - left;
  respond_shift(a, normal, -speed * (of_a / (of_a + of_b)));
  respond_shift(b, normal, speed * (of_b / (of_a + of_b)));
  return true;
}
