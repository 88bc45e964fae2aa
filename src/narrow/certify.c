/* Floating-point filters, and bounds that are rounded outward. */
#include "narrow/query.h"
#include "narrow/search.h"

#include "shape/placed.h"

/* The certain sign of det[u, v, w] = (u × v)·w; 0 if uncertain. */
static int certify_det3(graze_vec u, graze_vec v, graze_vec w, double point_error) {
  double det = vec_dot(vec_cross(u, v), w);
  double error = grz_det_error(vec_norm1(u), vec_norm1(v), vec_norm1(w), point_error);
  return det > error ? 1 : det < -error ? -1 : 0;
}

static int certify_det2(graze_vec u, graze_vec v, double point_error) {
  double lu = vec_norm1(u), lv = vec_norm1(v);
  double det = u.x * v.y - u.y * v.x;
  double error = 1.01 * point_error * (lu + lv) + 8 * GRZ_U * (lu * lv);
  return det > error ? 1 : det < -error ? -1 : 0;
}

int grz_certify_volume(const grz_obstacle *c, graze_vec u, graze_vec v, graze_vec w) {
  return certify_det3(u, v, w, c->point_error);
}

int grz_certify_turn(const grz_obstacle *c, graze_vec u, graze_vec v) { return certify_det2(u, v, c->point_error); }

bool grz_certify_inside(const grz_obstacle *c, const grz_cso_point *p) {
  double e = c->point_error;
  if (c->dim == 2) {
    int sign = certify_det2(p[0].w, p[1].w, e);
    return sign != 0 && certify_det2(p[1].w, p[2].w, e) == sign && certify_det2(p[2].w, p[0].w, e) == sign;
  }
  int sign = certify_det3(p[1].w, p[2].w, p[3].w, e);
  return sign != 0 && certify_det3(p[0].w, p[3].w, p[2].w, e) == sign &&
         certify_det3(p[0].w, p[1].w, p[3].w, e) == sign && certify_det3(p[0].w, p[2].w, p[1].w, e) == sign;
}

static void certify_pairs(const grz_cso_point *point, int count, grz_result *result) {
  result->proof.pair_count = count;
  for (int i = 0; i < count; i++) result->proof.pairs[i] = grz_obstacle_pair(&point[i]);
}

/* Fills an overlap: the hull of these points certainly contains the origin, or a point nearer to it than r. */
static void certify_overlapping(const grz_obstacle *c, const grz_cso_point *point, int count, grz_result *result) {
  result->answer.relation = GRAZE_OVERLAPPING;
  result->proof.kind = c->radius > 0 ? GRAZE_CERTIFICATE_NEAR : GRAZE_CERTIFICATE_INSIDE;
  certify_pairs(point, count, result);
}

/* The point of the hull with the weights of the simplex: the difference of the witness points. */
static graze_vec certify_mean(const grz_simplex *s) {
  graze_vec p = {0, 0, 0};
  for (int i = 0; i < s->count; i++) p = vec_add(p, vec_scale(s->point[i].w, s->weight[i]));
  return p;
}

/* An upper bound of the distance from the origin to the hull of the simplex; `length` is that of certify_mean(). */
static double certify_upper(const grz_obstacle *c, double length) { return length + 66 * GRZ_U * c->size; }

bool grz_certify_near(const grz_obstacle *c, double length) {
  return certify_upper(c, length) < c->radius - c->radius_error;
}

bool grz_certify_relation(const grz_obstacle *c, const grz_gjk *gjk, grz_result *result) {
  const grz_simplex *s = &gjk->simplex;
  if (grz_gjk_lower(gjk, c) > c->radius + c->radius_error) {
    grz_certify_separated(gjk->lower_direction, result);
    certify_pairs(s->point, s->count, result);
    return true;
  }
  bool inside = gjk->holds_origin && s->count == c->dim + 1 && grz_certify_inside(c, s->point);
  bool near = !gjk->holds_origin && s->count > 0 && c->radius > 0 && grz_certify_near(c, vec_length(certify_mean(s)));
  if (!inside && !near) return false;
  certify_overlapping(c, s->point, s->count, result);
  return true;
}

/* Convert to the caller's units, rounded outward. Only tiny numbers are rounded. */
static double certify_down(const grz_obstacle *c, double x) { return c->unit == 1 ? x : x / c->unit - 0x1p-1074; }
static double certify_up(const grz_obstacle *c, double x) { return c->unit == 1 ? x : x / c->unit + 0x1p-1074; }

/* The error of r and the last roundings of a width. `size` and `r` are in the same unit. */
static double certify_width_rounding(double size, double r) { return GRZ_RADIUS_ERROR * r + 4 * GRZ_U * (size + r); }

/* `gap`: the gap of the cores is certainly at least this along the direction. */
static void certify_lower(const grz_obstacle *c, double gap, graze_vec direction, grz_result *result) {
  result->answer.lower = certify_down(c, (gap - c->radius) - certify_width_rounding(c->size, c->radius));
  grz_certify_vector(direction, result);
}

void grz_certify_lower(const grz_obstacle *c, const grz_gjk *gjk, grz_result *result) {
  certify_lower(c, grz_gjk_lower(gjk, c), gjk->lower_direction, result);
}

/* The distance of the origin from a point of C with this length is an upper bound. */
static void certify_upper_bound(const grz_obstacle *c, double length, grz_result *result) {
  result->answer.upper =
      certify_up(c, (certify_upper(c, length) - c->radius) + certify_width_rounding(c->size, c->radius));
}

GRZ_TEMPLATE void certify_clip(grz_result *result) {
  if (result->answer.relation == GRAZE_SEPARATED) result->answer.lower = real_max(result->answer.lower, 0);
  if (result->answer.relation == GRAZE_OVERLAPPING) result->answer.upper = real_min(result->answer.upper, 0);
}

/* The number nearest to 0 that the relation allows. */
static double certify_least(graze_relation relation) {
  return relation == GRAZE_SEPARATED ? 0x1p-1074 : relation == GRAZE_OVERLAPPING ? -0x1p-1074 : 0;
}

GRZ_TEMPLATE void certify_witness(const graze_placed *a, const graze_placed *b, graze_vec core_a, graze_vec core_b,
                                  double clearance, grz_result *result) {
  graze_vec out_a = vec_scale(result->answer.normal, a->hidden.radius + clearance),
            out_b = vec_scale(result->answer.normal, b->hidden.radius);
  result->answer.point_a = vec_add(vec_add(core_a, out_a), placed_origin(a));
  result->answer.point_b = vec_add(vec_sub(core_b, out_b), placed_origin(b));
}

void grz_certify_witness(const graze_placed *a, const graze_placed *b, graze_vec core_a, graze_vec core_b,
                         double clearance, grz_result *result) {
  certify_witness(a, b, core_a, core_b, clearance, result);
}

/* Limits the interval to the relation, and fills distance, normal and witness points from the parents of the nearest
 * point of C (world axes, without positions). */
GRZ_TEMPLATE void certify_numbers(const graze_placed *a, const graze_placed *b, double clearance, double distance,
                                  graze_vec normal, graze_vec core_a, graze_vec core_b, grz_result *result) {
  certify_clip(result);
  result->answer.distance = real_min(real_max(distance, result->answer.lower), result->answer.upper);
  if (result->answer.distance == 0)
    result->answer.distance = certify_least(result->answer.relation); /* a subnormal was rounded to 0 */
  result->answer.normal = normal;
  certify_witness(a, b, core_a, core_b, clearance, result);
}

bool grz_certify_cores(const grz_cores_pair *p, const grz_cores_difference *v, double most, grz_result *result) {
  const double length = real_sqrt(v->square);
  const bool curved = grz_is_curved(&p->a->shape) || grz_is_curved(&p->b->shape);
  result->answer.lower = (v->gap / length - p->r) - p->error, result->answer.upper = (most - p->r) + p->error;
  certify_numbers(p->a, p->b, p->options->clearance, most - p->r, vec_scale(v->d, -1 / length), v->core_a, v->core_b,
                  result);
  return grz_query_is_narrow_for(p->options, curved, placed_scale(p->a, p->b), result);
}

/* The same from the nearest point v of C. */
static void certify_point(const grz_obstacle *c, double clearance, graze_vec v, double length, graze_vec core_a,
                          graze_vec core_b, grz_result *result) {
  certify_numbers(c->a, c->b, clearance, (length - c->radius) / c->unit, vec_scale(v, -1 / length), core_a, core_b,
                  result);
}

/* The parents of the point with the weights of the simplex. */
GRZ_TEMPLATE void certify_core_points(const grz_obstacle *c, const grz_simplex *s, graze_vec *core_a, graze_vec *core_b,
                                      const int dim) {
  graze_vec a = {0, 0, 0}, b = {0, 0, 0};
  for (int i = 0; i < s->count; i++) {
    a = vec_add(a, vec_scale(s->point[i].a.local, s->weight[i]));
    b = vec_add(b, vec_scale(s->point[i].b.local, s->weight[i]));
  }
  *core_a = vec_rotate(c->a->hidden.rotation, a, dim), *core_b = vec_rotate(c->b->hidden.rotation, b, dim);
}

void grz_certify_numbers(const grz_obstacle *c, double clearance, const grz_gjk *gjk, grz_result *result) {
  const grz_simplex *s = &gjk->simplex;
  bool contact = gjk->holds_origin || s->vv == 0;
  graze_vec mean = contact ? vec_make(0, 0, 0) : certify_mean(s);
  double length = vec_length(mean);
  grz_certify_lower(c, gjk, result);
  result->answer.upper = 0;
  if (!contact) certify_upper_bound(c, length, result);
  certify_clip(result);
  /* The depth of rounded shapes is r - |v| only if their cores are separated. */
  if (contact || length == 0 || (result->answer.relation == GRAZE_OVERLAPPING && grz_gjk_lower(gjk, c) <= 0)) {
    result->answer.lower = real_min(result->answer.lower, 0);
    return;
  }
  graze_vec core_a, core_b;
  if (c->dim == 2)
    certify_core_points(c, s, &core_a, &core_b, 2);
  else
    certify_core_points(c, s, &core_a, &core_b, 3);
  certify_point(c, clearance, mean, length, core_a, core_b, result);
}

bool grz_certify_closest(const grz_obstacle *c, double clearance, const grz_closest *closest, bool measure,
                         grz_result *result) {
  const graze_vec mean = vec_add(vec_sub(closest->core_a, closest->core_b), c->offset);
  const double upper = vec_length(mean);
  if (closest->gap > c->radius + c->radius_error) {
    grz_certify_separated(vec_neg(closest->v), result);
  } else if (closest->gap > 0 && grz_certify_near(c, upper)) {
    result->answer.relation = GRAZE_OVERLAPPING;
    result->proof.kind = GRAZE_CERTIFICATE_NEAR;
  } else {
    return false;
  }
  if (!measure) return true;
  certify_lower(c, closest->gap, vec_neg(closest->v), result);
  certify_upper_bound(c, upper, result);
  certify_point(c, clearance, closest->v, closest->length, closest->core_a, closest->core_b, result);
  return true;
}

void grz_certify_fit(grz_result *result) {
  graze_vec step = vec_scale(result->answer.normal, result->answer.distance);
  graze_vec excess = vec_sub(vec_sub(result->answer.point_b, result->answer.point_a), step);
  result->answer.point_a = vec_add(result->answer.point_a, vec_scale(excess, 0.5));
  result->answer.point_b = vec_add(result->answer.point_a, step);
}

/* `size` and the depth are times `unit`. */
GRZ_TEMPLATE void certify_depth(const graze_placed *a, const graze_placed *b, double size, const double unit,
                                double clearance, const grz_depth *depth, grz_result *result) {
  /* In the caller's units, because r·unit can leave the range of doubles if r is far larger than the cores. */
  double r = (a->hidden.radius + b->hidden.radius) + clearance;
  double rounding = certify_width_rounding(size / unit, r) + (unit == 1 ? 0 : 0x1p-1070);
  result->answer.lower = -((depth->high / unit + r) + rounding);
  result->answer.upper = real_min(rounding - (depth->low / unit + r), 0);
  double distance = real_min(real_max(-(depth->best / unit + r), result->answer.lower), result->answer.upper);
  result->answer.distance = distance == 0 ? certify_least(GRAZE_OVERLAPPING) : distance;
  result->answer.normal = vec_unit(depth->direction);
  grz_certify_vector(depth->direction, result);
  certify_witness(a, b, depth->core_a, depth->core_b, clearance, result);
  grz_certify_fit(result);
}

void grz_certify_depth(const grz_obstacle *c, double clearance, const grz_depth *depth, grz_result *result) {
  certify_depth(c->a, c->b, c->size, c->unit, clearance, depth, result);
}

void grz_certify_depth_of(const graze_placed *a, const graze_placed *b, double size, double clearance,
                          const grz_depth *depth, grz_result *result) {
  certify_depth(a, b, size, 1, clearance, depth, result);
}
