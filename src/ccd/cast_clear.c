/* Bodies that do not meet: how near they come, and what shows it, also of motions without end. docs/theory/cast.md,
 * "The end". */
#include "ccd/cast_state.h"
#include "narrow/pairs.h"

/* The least distance is wanted within this share of the way that matters: doubles give it. */
#define CAST_DIGITS 0x1p-40

/* Of a motion this many times longer than what is looked at, the end is not looked at. */
#define CAST_LONG 0x1p20

/* When, of the interval that they are moved through, the nearest point of the swept obstacle is met. */
static double cast_when(const cast *c, const graze_certificate *proof) {
  grz_obstacle o;
  grz_simplex s = {.count = 0};
  double share = 0;
  grz_obstacle_make(&o, &c->a, &c->b, c->options.clearance);
  for (int i = 0; i < proof->pair_count && i <= o.dim; i++)
    s.point[s.count++] = grz_obstacle_of_pair(&o, &proof->pairs[i], o.dim);
  if (s.count == 0) return c->a.from;
  bool held = o.dim == 2 ? grz_simplex_reduce(&s, 2) : grz_simplex_reduce(&s, 3);
  if (held) return s.point[0].end ? c->a.to : c->a.from;
  for (int i = 0; i < s.count; i++) share += s.point[i].end ? s.weight[i] : 0;
  return c->a.from + real_min(real_max(share, 0), 1) * (c->a.to - c->a.from);
}

/* The same of the whole way. Of one that is long beside the bodies or passes them very near, in halves: the
 * distance is convex. */
static double cast_nearest_time(cast *c, const graze_certificate *proof) {
  graze_answer answer;
  graze_options options = graze_default_options(); /* halving takes the digits that a loose tolerance leaves out */
  double from = 0, to = c->t_max, size = c->at_a->reach + c->at_b->reach;
  const bool loose = c->options.tolerance > 0 || c->options.max_iterations < options.max_iterations;
  const bool tame = c->fast * c->t_max <= 0x1p12 * size && c->impact->min_upper >= 0x1p-20 * size;
  if (tame && !loose) return cast_when(c, proof);
  options.clearance = c->options.clearance;
  for (int i = 0; i < CAST_HALVINGS; i++) {
    const double middle = from + (to - from) / 2;
    cast_between(c, middle, middle);
    if (grz_distance_pair(&c->a, &c->b, &options, &answer) != GRAZE_OK || !(answer.lower > 0)) return middle;
    *(vec_dot(answer.normal, c->speed) > 0 ? &from : &to) = middle;
  }
  return from;
}

/* Numbers and certificate of a distance along the whole way. False: that is not known. */
static bool cast_clear_by(cast *c, double from, double to, graze_answer *answer) {
  graze_options options = c->options;
  options.tolerance = real_max(options.tolerance, CAST_DIGITS * c->fast * c->end);
  cast_between(c, from, to);
  if (grz_distance_pair(&c->a, &c->b, &options, answer) != GRAZE_OK) return false;
  c->impact->iterations += answer->iterations;
  if (answer->relation != GRAZE_SEPARATED) return false;
  c->impact->exact = c->impact->exact || answer->exact;
  c->impact->stopped = answer->stopped;
  c->impact->certificate = answer->certificate;
  c->impact->min_lower = answer->lower;
  c->impact->min_upper = answer->upper;
  return true;
}

/* Turned so far away from the motion that they surely part along it, by this share of the speed at least. */
static graze_vec cast_tilted(const cast *c, graze_vec d, double least) {
  graze_vec way = vec_unit(vec_unit_inf(c->speed));
  double closing = vec_dot(d, way);
  return closing > -least ? vec_sub(d, vec_scale(way, closing + least)) : d;
}

static bool cast_is_for_ever(cast *c, const graze_direction *d) {
  c->impact->certificate.direction = *d;
  return graze_verify_cast(c->at_a, c->velocity_a, c->at_b, c->velocity_b, c->asked, &c->options, c->impact) ==
         GRAZE_OK;
}

/* Directions that are exactly perpendicular to the motion: from where a pair passes; to the plane through the ways of
 * two pairs; in 2D to the way. */
static bool cast_is_beside(cast *c, const graze_pair *p, const graze_pair *q) {
  const bool flat = c->at_a->shape.dim == 2;
  graze_direction d = {.form = GRAZE_DIRECTION_NEAREST, .count = 2, .pairs = {*p, *p, *q}};
  d.pairs[0].end = d.pairs[2].end = 0, d.pairs[1].end = 1;
  if (cast_is_for_ever(c, &d)) return true;
  d.form = GRAZE_DIRECTION_FACET;
  d.count = flat ? 2 : 3;
  for (d.sign = -1; d.sign <= 1; d.sign += 2)
    if ((flat || p != q) && cast_is_for_ever(c, &d)) return true;
  return false;
}

/* They pass so near that only exact arithmetic can tell along which direction they are apart for ever. */
static bool cast_barely_for_ever(cast *c, const graze_answer *answer) {
  const graze_vec round = {0x3p25, 0x3p25, 0x3p25}; /* to multiples of 2^-26: lattices are hit exactly */
  const graze_direction plain = cast_vector(vec_sub(vec_add(answer->normal, round), round));
  const graze_certificate *near = &answer->certificate;
  if (cast_is_for_ever(c, &plain)) return true;
  graze_direction start = near->direction;
  for (int i = 0; i < start.count; i++) start.pairs[i].end = 0;
  if (cast_is_for_ever(c, &near->direction) || cast_is_for_ever(c, &start)) return true;
  for (int i = 0; i < near->pair_count; i++)
    for (int j = 0; j < near->pair_count; j++)
      if (cast_is_beside(c, &near->pairs[i], &near->pairs[j])) return true;
  return false;
}

/* The motion is very long: a direction along which they do not approach, if one surely separates them. */
static void cast_for_ever(cast *c) {
  graze_cast_result *impact = c->impact;
  graze_answer answer;
  grz_obstacle o;
  grz_cso_point p;
  bool known = cast_clear_by(c, 0, c->end, &answer);
  impact->min_lower = 0;
  impact->min_upper = __builtin_nan("");
  impact->certificate.kind = GRAZE_CERTIFICATE_NONE;
  impact->certificate.pair_count = 0;
  if (!known) return;
  const graze_vec d = cast_tilted(c, answer.normal, 0x1p-40);
  cast_between(c, 0, 0);
  grz_obstacle_make(&o, &c->a, &c->b, c->options.clearance);
  double sure = ((grz_obstacle_gap(&o, d, &p, o.dim) - o.support_error) - o.radius) - 2 * o.radius_error;
  impact->certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
  impact->certificate.direction = cast_vector(d);
  if (sure > 0)
    impact->min_lower = real_max(sure / o.unit * (1 - 8 * GRZ_U) - 0x1p-1073, 0);
  else if (!cast_barely_for_ever(c, &answer))
    impact->certificate.kind = GRAZE_CERTIFICATE_NONE, impact->certificate.direction.form = GRAZE_DIRECTION_NONE;
}

/* By the direction that showed it, where it holds to the end; one that does not would seem to refute it. */
static void cast_clear_as_shown(cast *c) {
  graze_certificate *proof = &c->impact->certificate;
  const bool shown = c->shown && c->end == c->t_max && !c->plane;
  c->impact->min_lower = 0;
  proof->kind = shown ? GRAZE_CERTIFICATE_SEPARATED : GRAZE_CERTIFICATE_NONE;
  proof->direction = c->by;
  if (!shown) proof->direction.form = GRAZE_DIRECTION_NONE;
  proof->pair_count = 0;
}

/* No contact: the swept obstacle is as far from the origin as they ever come. */
void grz_cast_clear(cast *c) {
  graze_cast_result *impact = c->impact;
  graze_answer answer;
  impact->result = GRAZE_CLEAR;
  cast_positions(c, c->asked);
  if (!c->nearest) {
    cast_clear_as_shown(c);
  } else if (c->part_at_once && c->plane) {
    if (cast_clear_by(c, 0, 0, &answer)) impact->t_min = 0;
  } else if (c->t_max > CAST_LONG * c->end && !c->plane) {
    cast_for_ever(c);
  } else if (cast_clear_by(c, 0, c->t_max, &answer)) {
    impact->t_min = c->plane ? c->t_max : cast_nearest_time(c, &answer.certificate);
  } else {
    cast_clear_as_shown(c);
  }
}
