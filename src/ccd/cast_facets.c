/* Linear continuous collision of polytopes (LCCD, Zhang). The planes propose; what a plane proves, grz_ray_cast_by()
 * says, and what lies in a facet, grz_ray_cast_soon(): docs/theory/cast.md, "LCCD". */
#include "ccd/cast_facets.h"

#include "ccd/box_facets.h"
#include "narrow/axis_search.h"
#include "narrow/workspace.h"
#include "narrow/sat_faces_edges.h"
#include "shape/core.h"

/* Vertices so near a plane, as a share of the size, are taken to lie in it. */
#define PLANES_FLUSH 0x1p-44

/* Boxes that pass at less than this share of their sizes are seldom told apart by where they pass. */
#define PLANES_NEAR 0.5

typedef struct planes_search {
  const grz_obstacle *c;
  double end;
  grz_facet_path path;
  bool room;
} planes_search;

/* ---- Culling */

/* Along the line from the origin to the nearest point of the path: does that tell them apart for ever? */
static bool planes_cull(grz_ray_cast *out, const grz_obstacle *c, double share) {
  const double square = vec_dot(out->speed, out->speed), near = share * (c->a->reach + c->b->reach) * c->unit;
  double t = -vec_dot(c->offset, out->speed) / square;
  if (!(t > 0)) t = 0;
  if (t > out->end) t = out->end;
  const graze_vec at = vec_add(c->offset, vec_scale(out->speed, t));
  const double away = vec_dot(at, at);
  if (!(away > near * near)) return false;
  out->iterations++;
  return grz_ray_cast_by(out, c, vec_unit_inf(vec_neg(at))) == GRZ_RAY_CAST_MISS;
}

/* ---- Polytopes that are not boxes */

static void planes_pass(grz_facet_path *path, graze_vec d, double ahead, double behind) {
  const double rate = vec_dot(d, path->speed);
  const bool turned = rate < 0;
  const double slow = 1 / real_abs(rate), from = (turned ? behind : ahead) * slow,
               to = -(turned ? ahead : behind) * slow;
  const graze_vec in = turned ? vec_neg(d) : d;
  path->planes++;
  if (from > path->enter) path->enter = from, path->in = in, path->gap = turned ? behind : ahead;
  if (to < path->leave) path->leave = to, path->out = vec_neg(in);
}

static bool planes_visit(void *context, const grz_axis_candidate *found) {
  planes_search *s = context;
  const double from = vec_dot(found->direction, s->path.offset);
  planes_pass(&s->path, found->direction, (found->b.min - found->a.max) - from, (found->a.min - found->b.max) + from);
  return true;
}

/* The vertices in the supporting plane along n. False: too many. */
static bool planes_face(const grz_features *f, graze_vec n, double flush, grz_facet_path_face *face) {
  double most = -__builtin_inf();
  face->count = 0;
  for (int i = 0; i < f->vertex_count; i++) most = real_max(most, vec_dot(n, f->vertex[i]));
  for (int i = 0; i < f->vertex_count; i++) {
    if (vec_dot(n, f->vertex[i]) < most - flush) continue;
    if (face->count == GRZ_FACET_VERTICES) return false;
    face->vertex[face->count++] = (grz_facet_path_vertex){f->vertex[i], i};
  }
  return true;
}

static void planes_work(void *context, void *buffer, size_t size) {
  planes_search *s = context;
  const grz_obstacle *c = s->c;
  grz_features a, b;
  grz_facet_path *path = &s->path;
  grz_facet_path_face face_a, face_b;
  grz_workspace room = {buffer, size, false};
  s->room = grz_sat_features(&a, c->a, c->unit, &room) && grz_sat_features(&b, c->b, c->unit, &room);
  if (!s->room) return;
  grz_axis_search axes = {.a = &a, .b = &b, .offset = c->offset, .size = c->size};
  path->enter = -__builtin_inf(), path->leave = __builtin_inf();
  path->planes = path->corners = 0;
  path->in = path->out = vec_make(0, 0, 0);
  (void)grz_axes_search(&axes, planes_visit, s);
  if (!(path->enter > 0 && path->enter <= path->leave && path->enter <= s->end)) return;
  const double flush = PLANES_FLUSH * c->size;
  if (!planes_face(&a, path->in, flush, &face_a) || !planes_face(&b, vec_neg(path->in), flush, &face_b)) return;
  const graze_vec offset = vec_add(path->offset, vec_scale(path->speed, path->enter));
  grz_facet_path_pick(path, &face_a, &face_b, path->in, offset, c->dim);
}

/* ---- What the planes propose */

/* The path passes a plane outward before another inward: between these two times it is outside both, and along their
 * sum, perpendicular to the path, always. */
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

static grz_ray_cast_end planes_settle(grz_ray_cast *out, const grz_obstacle *c, const grz_facet_path *path) {
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

graze_status grz_cast_planes(grz_ray_cast *out, const grz_obstacle *c, const graze_options *options,
                             grz_ray_cast_end *end) {
  planes_search s = {.c = c, .end = out->end, .path = {.offset = c->offset, .speed = out->speed}, .room = true};
  const bool boxes = c->a->shape.kind == GRAZE_BOX && c->b->shape.kind == GRAZE_BOX;
  grz_ray_cast_start(out);
  *end = GRZ_RAY_CAST_MISS;
  if (planes_cull(out, c, boxes ? PLANES_NEAR : 0)) return GRAZE_OK;
  if (boxes)
    grz_box_facet_path(c->a, c->b, c->unit, out->end, &s.path);
  else
    grz_with_workspace(options, planes_work, &s);
  if (!s.room) return GRAZE_NO_SPACE;
  *end = planes_settle(out, c, &s.path);
  return GRAZE_OK;
}
