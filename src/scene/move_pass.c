/* What a moved body only passes by: docs/theory/scene.md, "Fits". */
#include "core/vec.h"
#include "scene/move.h"

#include "shape/core.h"

/* So many skins past where it comes near, what it passes by is beside it, in 3D. */
#define PASS_BEYOND 2

/* So little of its speed leads into what it comes near at a flat angle. */
#define PASS_FLAT 0x1p-3

/* So much nearer it may come on its way, in shares of the gap. */
#define PASS_DRIFT 0.5

/* What is deeper than this many times rounding on one side, and touches on the other, is on that side. */
#define PASS_THICK 16

/* The cosine and sine of an eighth of a right angle: smoother corners are round. */
#define PASS_COS 0.98078528040323044
#define PASS_SIN 0.19509032201612827

/* Along any direction, from the moved body on; negative where nobody can tell: of half-spaces, and of support
 * functions, which may be coarse. */
static double pass_gap(const move_pair *pair, graze_vec normal) {
  graze_vec near_a, near_b;
  const bool coarse = pair->a->shape.kind == GRAZE_USER || pair->b->shape.kind == GRAZE_USER;
  const bool known = !coarse && graze_support(pair->a, normal, &near_a, NULL) == GRAZE_OK &&
                     graze_support(pair->b, vec_neg(normal), &near_b, NULL) == GRAZE_OK;
  return known ? vec_dot(normal, vec_sub(near_b, near_a)) - pair->margin : -__builtin_inf();
}

/* Flat things that lie in one plane are on neither side of each other. */
static bool pass_is_beside(const move_pair *pair, graze_vec normal, double *gap) {
  *gap = pass_gap(pair, normal);
  return *gap >= -pair->hair && pass_gap(pair, vec_neg(normal)) < -PASS_THICK * pair->hair;
}

/* Along the normal of the contact it comes no nearer, or by a part of the gap only. */
static bool pass_slides(const scene_move *m, const move_pair *pair, graze_vec normal) {
  double gap;
  if (!(vec_dot(normal, normal) > 0) || !pass_is_beside(pair, normal, &gap)) return false;
  return vec_dot(normal, m->motion.velocity) * m->time <= PASS_DRIFT * (gap + pair->hair);
}

/* The direction across the way that is nearest to one. False: there is none. */
static bool pass_across(graze_vec way, graze_vec direction, graze_vec *across) {
  *across = vec_sub(direction, vec_scale(way, vec_dot(way, direction)));
  const double length = vec_length(*across);
  *across = vec_scale(*across, 1 / length);
  return length > 0.5;
}

/* In 3D that of the contact that there would be after so much time, be it beyond the way. */
static bool pass_is_beside_at(scene_move *m, const move_pair *pair, graze_vec way, double time) {
  graze_placed there = m->placed;
  move_pair later;
  move_contact contact;
  graze_vec across;
  double gap;
  m->status = graze_set_pose(&there, graze_pose_after(&m->placed.pose, &m->motion, time));
  if (m->status != GRAZE_OK) return false;
  grz_move_pair_at(m, &there, pair->slot, pair->part_a, pair->part_b, &later);
  const bool near = grz_move_measure_pair(m, &later, &contact);
  return near && pass_across(way, contact.normal, &across) && pass_is_beside(pair, across, &gap);
}

bool grz_move_passes(scene_move *m, const move_contact *c, double time) {
  const double fast = vec_length(m->motion.velocity), reach = m->placed.hidden.bounding_radius + grz_radius_parameter(&m->placed.shape);
  if (move_turns(m)) return false;
  move_pair pair;
  double gap;
  grz_move_pair_at(m, &m->placed, c->slot, c->part_a, c->part_b, &pair);
  if (time == 0 && pass_slides(m, &pair, c->normal)) return true;
  if (!(fast > 0)) return false;
  const graze_vec way = vec_scale(m->motion.velocity, 1 / fast), across = vec_make(-way.y, way.x, 0);
  if (m->scene->def.dim == 2)
    return pass_is_beside(&pair, across, &gap) || pass_is_beside(&pair, vec_neg(across), &gap);
  if (pass_is_beside_at(m, &pair, way, time + PASS_BEYOND * pair.skin / fast)) return true;
  const bool flat = real_abs(vec_dot(c->normal, way)) <= PASS_FLAT;
  return flat && m->status == GRAZE_OK && pass_is_beside_at(m, &pair, way, time + reach / fast);
}

static void pass_align(const scene_move *m, move_contact *c, const move_contact *others, int count) {
  move_pair pair;
  double gap;
  if (!(real_abs(c->gap) <= c->hair)) return;
  grz_move_pair_at(m, &m->placed, c->slot, c->part_a, c->part_b, &pair);
  for (int i = 0; i < count; i++) {
    if (&others[i] == c || !pass_is_beside(&pair, others[i].normal, &gap)) continue;
    c->normal = others[i].normal;
    return;
  }
}

void grz_move_align(const scene_move *m, move_contact *contacts, int count) {
  for (int i = 0; i < count; i++) pass_align(m, &contacts[i], contacts, count);
}

/* Does the normal part the two by half a skin, however it turns towards `way` or away from it? */
static bool pass_turns(const move_pair *pair, graze_vec normal, graze_vec way) {
  const graze_vec n = vec_scale(normal, PASS_COS), by = vec_scale(way, PASS_SIN);
  const double enough = MOVE_CLOSE * pair->skin;
  return pass_gap(pair, vec_add(n, by)) >= enough && pass_gap(pair, vec_sub(n, by)) >= enough;
}

int grz_move_aside(const scene_move *m, const move_contact *c, graze_vec aside[MOVE_ASIDE]) {
  const graze_vec n = c->normal, x = {1, 0, 0}, z = {0, 0, 1};
  const graze_vec along = vec_unit(vec_cross(real_abs(n.z) < 0.75 ? z : x, n)), up = vec_cross(n, along);
  const int ways = m->scene->def.dim == 2 ? 1 : 2;
  move_pair pair;
  int count = 0;
  grz_move_pair_at(m, &m->placed, c->slot, c->part_a, c->part_b, &pair);
  for (int i = 0; i < ways; i++) {
    const graze_vec way = i == 0 ? along : up;
    if (!pass_turns(&pair, n, way)) continue;
    aside[count++] = way;
    aside[count++] = vec_neg(way);
  }
  return count;
}
