/* Convex pairs in contact: until when they surely come no deeper, along which normal, and where.
 *
 * Let N be the normal of the contact, from a body F to a body M, turning with F. The height of a point q of M over F
 * along N is h(q, t) = N·q + t·s(q) but for a·t²/2, where s(q) is the speed of q along N at first, affine in q, and a
 * bounds the acceleration. The least h over all q is concave in t, as the least of affine functions. So one support
 * point at time t bounds the height during all of [0, t] from below: docs/theory/scene.md, "Contacts that turn". */
#include "core/vec.h"
#include "core/vec.h"
#include "scene/event_queue.h"
#include "shape/placed.h"
#include "shape/support.h"

/* Rounding of supports and heights, in shares of the sizes. */
#define CLOSE_ERROR (64 * GRZ_U)

/* Each attempt to prove takes this share of the time of the one before. */
#define CLOSE_SHORTER 0.25

/* No proof is tried for less than this share of the time for which the response leaves a parting speed. */
#define CLOSE_LEAST 0x1p-3

/* To find their normal, two bodies are moved apart by this share of the smaller one, or by so many skins. */
#define CLOSE_AWAY 0x1p-10
#define CLOSE_AWAY_SKINS 64

/* The motion of the points of one body in the frame of another one, which turns with the normal. */
typedef struct close_view {
  const graze_placed *moving, *fixed;
  graze_vec velocity;           /* of `moving`, relative */
  graze_vec spin, spin_fixed;   /* radians per time */
  graze_vec offset;             /* from the position of `fixed` to that of `moving` */
  graze_vec normal;             /* unit, from `fixed` to `moving` */
  graze_vec lever, lever_fixed; /* normal × spin: a point at r gains r·lever of height per time */
} close_view;

/* Returns false for a half-space as `moving`: it has no lowest point. */
static bool close_view_of(const line_run *r, const line_meeting *m, const graze_placed *a, const graze_placed *b,
                          bool from_a, close_view *view) {
  const graze_motion of_a = grz_line_motion(&r->line->body[m->low]), of_b = grz_line_motion(&r->line->body[m->high]);
  const graze_motion moving = from_a ? of_b : of_a, fixed = from_a ? of_a : of_b;
  *view = (close_view){.moving = from_a ? b : a, .fixed = from_a ? a : b};
  view->velocity = vec_sub(moving.velocity, fixed.velocity);
  view->spin = moving.angular, view->spin_fixed = fixed.angular;
  view->offset = vec_sub(placed_reference_point(view->moving), placed_reference_point(view->fixed));
  view->normal = from_a ? m->normal : vec_neg(m->normal);
  view->lever = vec_cross(view->normal, view->spin), view->lever_fixed = vec_cross(view->normal, view->spin_fixed);
  return view->moving->shape.kind != GRAZE_HALFSPACE;
}

/* Bounds the acceleration of the height of every core point in [0, time]. */
static double close_acceleration(const close_view *view, double time) {
  const double spin = vec_length(view->spin), fixed = vec_length(view->spin_fixed), reach = view->moving->reach;
  const double fast = vec_length(view->velocity);
  if (fixed == 0) return spin * vec_length(view->lever) * reach; /* N·(w × (w × r)) = (N × w)·(w × r) */
  const double far = vec_length(view->offset) + reach + fast * time;
  return fixed * fixed * far + 2 * fixed * (fast + spin * reach) + spin * spin * reach;
}

/* Returns the core point that is lowest after this time, relative to the position of `moving`. No point is lower by
 * more than *slack. */
static graze_vec close_lowest(const close_view *view, double time, double *slack) {
  const graze_placed *p = view->moving;
  const graze_vec turns = vec_scale(vec_sub(view->lever, view->lever_fixed), time);
  const graze_vec down = vec_neg(vec_add(view->normal, turns));
  double error = 0;
  const grz_core_point core = grz_support_local(&p->shape, vec_unrotate(p->rotation, down, p->shape.dim), &error);
  const graze_vec point = vec_rotate(p->rotation, core.local, p->shape.dim);
  *slack = error * vec_length(down);
  return p->framed ? vec_add(point, p->shift) : point;
}

static double close_speed(const close_view *view, graze_vec point) {
  const double turns = vec_dot(point, view->lever) - vec_dot(vec_add(point, view->offset), view->lever_fixed);
  return vec_dot(view->normal, view->velocity) + turns;
}

/* A lower bound of the height gained by this time; at earlier times at least in proportion, if it is not negative. */
static double close_gain(const close_view *view, double time) {
  double slack, none;
  const graze_vec first = close_lowest(view, 0, &none), last = close_lowest(view, time, &slack);
  const double height = vec_dot(view->normal, vec_sub(last, first)) + time * close_speed(view, last);
  return (height - slack) - 0.5 * close_acceleration(view, time) * time * time;
}

/* The error of a computed gain. */
static double close_error(const line_run *r, const line_meeting *m, const close_view *view) {
  const double skin = grz_pair_skin(line_of(r, m->low), line_of(r, m->high));
  return LINE_NOTHING * skin + CLOSE_ERROR * (vec_norm1(view->offset) + view->moving->reach + view->fixed->reach);
}

static bool close_gains(const line_run *r, const line_meeting *m, const graze_placed *a, const graze_placed *b,
                        double time) {
  for (int i = 0; i < 2; i++) {
    close_view view;
    if (close_view_of(r, m, a, b, i == 0, &view) && close_gain(&view, time) >= -close_error(r, m, &view)) return true;
  }
  return false;
}

void grz_line_deepest_point(const line_run *r, const graze_placed *a, const graze_placed *b, line_meeting *m) {
  const double time = grz_line_kick(r, m) * r->dt;
  double most = __builtin_inf();
  for (int i = 0; i < 2; i++) {
    close_view view;
    double slack;
    if (!close_view_of(r, m, a, b, i == 0, &view)) continue;
    const graze_vec point = close_lowest(&view, time, &slack);
    const double bend = close_acceleration(&view, time), missing = time * bend - close_speed(&view, point);
    if (!(missing < most)) continue;
    most = missing;
    m->point = vec_add(placed_reference_point(view.moving), point), m->bend = bend;
  }
}

double grz_line_apart_until(const line_run *r, const line_meeting *m, const graze_placed *a, const graze_placed *b,
                            double t) {
  const double left = r->dt - t, least = CLOSE_LEAST * (grz_line_kick(r, m) * r->dt);
  for (double time = left; time >= real_min(least, left); time *= CLOSE_SHORTER)
    if (close_gains(r, m, a, b, time)) return time < left ? t + time : r->dt;
  return t;
}

static bool close_is(const graze_placed *a, const graze_placed *b, graze_shape_kind kind) {
  return a->shape.kind == kind || b->shape.kind == kind;
}

/* Returns whether the normal of the meeting separates them by this height; false for half-spaces: not known. */
static bool close_separates(const line_meeting *m, const graze_placed *a, const graze_placed *b, double height) {
  graze_vec on_a, on_b;
  const double size = vec_norm1(placed_reference_point(a)) + vec_norm1(placed_reference_point(b)) + a->reach + b->reach;
  const bool known = graze_support(a, m->normal, &on_a, NULL) == GRAZE_OK &&
                     graze_support(b, vec_neg(m->normal), &on_b, NULL) == GRAZE_OK;
  return known && vec_dot(m->normal, vec_sub(on_b, on_a)) >= height - CLOSE_ERROR * size;
}

bool grz_line_stays_apart(const line_run *r, const line_meeting *m, const graze_placed *a, const graze_placed *b,
                          double height, double t) {
  return !close_is(a, b, GRAZE_USER) && close_separates(m, a, b, height) && close_gains(r, m, a, b, r->dt - t);
}

bool grz_line_correct_normal(const line_run *r, const graze_placed *a, const graze_placed *b, double height,
                             line_meeting *m) {
  const double reach = real_min(a->reach, b->reach), skin = grz_pair_skin(line_of(r, m->low), line_of(r, m->high));
  const double away = real_max(CLOSE_AWAY * reach, CLOSE_AWAY_SKINS * skin);
  graze_placed moved = *b;
  graze_vec *position = moved.framed ? &moved.frame.position : &moved.pose.position;
  graze_answer answer;
  if (close_is(a, b, GRAZE_USER)) return !(height > 0);
  if (close_is(a, b, GRAZE_HALFSPACE) || close_separates(m, a, b, height)) return true;
  *position = vec_add(*position, vec_scale(m->normal, away));
  if (graze_distance(a, &moved, NULL, &answer) != GRAZE_OK || !(answer.lower > 0)) return false;
  m->normal = answer.normal;
  return close_separates(m, a, b, height);
}
