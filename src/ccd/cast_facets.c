/* LCCD of two polytopes. Theory: docs/theory/cast.md, "LCCD". */
#include "ccd/cast_facets.h"

#include "ccd/box_facets.h"
#include "shape/core.h"

/* Boxes that pass within this share of their sizes are rarely separated by the direction of the nearest passing
 * point. */
#define PLANES_NEAR 0.5

/* Tests the direction from the nearest point of the path to the origin. */
bool grz_facets_cull(grz_ray_cast *out, const grz_obstacle *c, double share) {
  const double square = vec_dot(out->speed, out->speed),
               near = share * (c->a->hidden.bounding_radius + c->b->hidden.bounding_radius) * c->unit;
  double t = -vec_dot(c->offset, out->speed) / square;
  if (!(t > 0)) t = 0;
  if (t > out->end) t = out->end;
  const graze_vec at = vec_add(c->offset, vec_scale(out->speed, t));
  const double square_distance = vec_dot(at, at);
  if (!(square_distance > near * near)) return false;
  out->iterations++;
  return grz_ray_cast_by(out, c, vec_unit_inf(vec_neg(at))) == GRZ_RAY_CAST_MISS;
}

/* ---- Proofs */

/* If the path leaves one plane before it enters another, it is outside both between these two times. The sum of the
 * normals that is perpendicular to the path separates at all times. */
static graze_vec planes_between(const grz_facet_path *path, double end) {
  if (!(path->enter < end)) return path->in;
  if (path->leave < 0) return path->out;
  const double closing = vec_dot(path->in, path->speed), parting = -vec_dot(path->out, path->speed);
  return vec_add(vec_scale(path->in, parting), vec_scale(path->out, closing));
}

static void planes_simplex(grz_ray_cast *out, const grz_obstacle *c, const grz_facet_path *path) {
  grz_simplex *s = &out->simplex;
  s->count = path->corners;
  s->vv = 0;
  s->v = vec_make(0, 0, 0);
  for (int i = 0; i < s->count; i++) {
    const grz_core_point a = {grz_core_vertex(&c->a->shape, (size_t)path->a[i]), path->a[i]},
                         b = {grz_core_vertex(&c->b->shape, (size_t)path->b[i]), path->b[i]};
    s->point[i] = c->dim == 2 ? grz_obstacle_point(c, a, b, 2) : grz_obstacle_point(c, a, b, 3);
    s->weight[i] = path->weight[i];
  }
}

grz_ray_cast_end grz_facets_settle(grz_ray_cast *out, const grz_obstacle *c, const grz_facet_path *path) {
  out->iterations += path->planes;
  if (path->planes == 0) return GRZ_RAY_CAST_UNKNOWN;
  if (path->enter > path->leave || !(path->enter < out->end) || path->leave < 0) {
    const graze_vec d = planes_between(path, out->end);
    if (vec_norm_inf(d) > 0 && grz_ray_cast_by(out, c, vec_unit_inf(d)) == GRZ_RAY_CAST_MISS) return GRZ_RAY_CAST_MISS;
  }
  if (!(path->enter > 0)) return GRZ_RAY_CAST_UNKNOWN;
  const grz_ray_cast_end end =
      out->free > 0 ? grz_ray_cast_by(out, c, path->in) : grz_ray_cast_across(out, c, path->in, path->gap);
  if (end == GRZ_RAY_CAST_MISS) return GRZ_RAY_CAST_MISS;
  planes_simplex(out, c, path);
  return grz_ray_cast_soon(out, c);
}

graze_status grz_cast_box_planes(grz_ray_cast *out, const grz_obstacle *c, const graze_options *options,
                                 grz_ray_cast_end *end) {
  grz_facet_path path = {.offset = c->offset, .speed = out->speed};
  (void)options;
  grz_ray_cast_start(out);
  *end = GRZ_RAY_CAST_MISS;
  if (grz_facets_cull(out, c, PLANES_NEAR)) return GRAZE_OK;
  grz_box_facet_path(c->a, c->b, c->unit, out->end, &path);
  *end = grz_facets_settle(out, c, &path);
  return GRAZE_OK;
}
