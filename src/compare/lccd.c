/* Linear continuous collision detection (LCCD, Zhang) of polytopes: the planes of all facets of the CSO against the
 * relative path. docs/theory/cast.md, "LCCD". */
#include "ccd/ccd.h"
#include "compare/axis_search.h"
#include "narrow/stages.h"
#include "shape/shape.h"
#include "shape/motion.h"

#include <graze/compare.h>

/* Vertices within this fraction of the size from a plane count as points of the plane. */
#define PLANE_TOLERANCE 0x1p-44

typedef struct planes_search {
  const grz_obstacle *c;
  double end;
  grz_facet_path path;
  bool fits; /* the workspace is large enough */
} planes_search;

static void planes_pass(grz_facet_path *path, graze_vec d, double forward, double backward) {
  const double rate = vec_dot(d, path->speed);
  const bool reversed = rate < 0;
  const double slow = 1 / real_abs(rate), from = (reversed ? backward : forward) * slow,
               to = -(reversed ? forward : backward) * slow;
  const graze_vec in = reversed ? vec_neg(d) : d;
  path->planes++;
  if (from > path->enter) path->enter = from, path->in = in, path->gap = reversed ? backward : forward;
  if (to < path->leave) path->leave = to, path->out = vec_neg(in);
}

static bool planes_visit(void *context, const grz_axis_candidate *candidate) {
  planes_search *s = context;
  const double shift = vec_dot(candidate->direction, s->path.offset);
  planes_pass(&s->path, candidate->direction, (candidate->b.min - candidate->a.max) - shift,
              (candidate->a.min - candidate->b.max) + shift);
  return true;
}

/* Finds the vertices in the supporting plane with normal n. Returns false if there are too many. */
static bool planes_face(const grz_faces_edges *f, graze_vec n, double tolerance, grz_facet_path_face *face) {
  double most = -__builtin_inf();
  face->count = 0;
  for (int i = 0; i < f->vertex_count; i++) most = real_max(most, vec_dot(n, f->vertex[i]));
  for (int i = 0; i < f->vertex_count; i++) {
    if (vec_dot(n, f->vertex[i]) < most - tolerance) continue;
    if (face->count == GRZ_FACET_VERTICES) return false;
    face->vertex[face->count++] = (grz_facet_path_vertex){f->vertex[i], i};
  }
  return true;
}

static void planes_work(void *context, void *buffer, size_t size) {
  planes_search *s = context;
  const grz_obstacle *c = s->c;
  grz_faces_edges a, b;
  grz_facet_path *path = &s->path;
  grz_facet_path_face face_a, face_b;
  grz_workspace workspace = {buffer, size, false};
  s->fits = grz_faces_edges_make(&a, c->a, c->unit, &workspace) && grz_faces_edges_make(&b, c->b, c->unit, &workspace);
  if (!s->fits) return;
  grz_axis_search axes = {.a = &a, .b = &b, .offset = c->offset, .size = c->size};
  path->enter = -__builtin_inf(), path->leave = __builtin_inf();
  path->planes = path->corners = 0;
  path->in = path->out = vec_make(0, 0, 0);
  (void)grz_axes_search(&axes, planes_visit, s);
  if (!(path->enter > 0 && path->enter <= path->leave && path->enter <= s->end)) return;
  const double tolerance = PLANE_TOLERANCE * c->size;
  if (!planes_face(&a, path->in, tolerance, &face_a) || !planes_face(&b, vec_neg(path->in), tolerance, &face_b)) return;
  const graze_vec offset = vec_add(path->offset, vec_scale(path->speed, path->enter));
  grz_facet_path_pick(path, &face_a, &face_b, path->in, offset, c->dim);
}

static graze_status lccd_planes(grz_ray_cast *out, const grz_obstacle *c, const graze_options *options,
                                grz_ray_cast_end *end) {
  planes_search s = {.c = c, .end = out->end, .path = {.offset = c->offset, .speed = out->speed}, .fits = true};
  if (c->a->shape.kind == GRAZE_BOX && c->b->shape.kind == GRAZE_BOX) return grz_cast_box_planes(out, c, options, end);
  grz_ray_cast_start(out);
  *end = GRZ_RAY_CAST_MISS;
  if (grz_facets_cull(out, c, 0)) return GRAZE_OK;
  grz_with_workspace(options, planes_work, &s);
  if (!s.fits) return GRAZE_NO_SPACE;
  *end = grz_facets_settle(out, c, &s.path);
  return GRAZE_OK;
}

static bool lccd_accepts(const graze_placed *placed) {
  return !grz_is_curved(&placed->shape) && placed->shape.kind != GRAZE_HALFSPACE &&
         placed->shape.kind != GRAZE_COMPOUND && !(placed->hidden.radius > 0);
}

graze_status graze_compare_lccd(void *context, const graze_placed *a, const graze_motion *motion_a,
                                const graze_placed *b, const graze_motion *motion_b, double t_max,
                                const graze_cast_options *options, graze_cast_result *result) {
  static const graze_motion rest = {{0, 0, 0}, {0, 0, 0}};
  const graze_cast_options in_force = options ? *options : graze_default_cast_options();
  grz_cast_result cast;
  (void)context;
  if (motion_a == NULL) motion_a = &rest;
  if (motion_b == NULL) motion_b = &rest;
  if (a->status == GRAZE_OK && b->status == GRAZE_OK) {
    graze_status status = grz_motion_validate(a, motion_a);
    if (status == GRAZE_OK) status = grz_motion_validate(b, motion_b);
    if (status != GRAZE_OK) return status;
    const bool turns = motion_rotates(a, motion_a) || motion_rotates(b, motion_b);
    if (turns || !lccd_accepts(a) || !lccd_accepts(b) || in_force.clearance > 0) return GRAZE_UNSUPPORTED;
  }
  graze_status status =
      grz_cast_pair(a, motion_a->velocity, b, motion_b->velocity, t_max, false, &in_force, lccd_planes, &cast);
  if (status != GRAZE_OK) return status;
  *result = cast.cast;
  if (in_force.certificate) grz_proof_write(&cast.proof, in_force.certificate);
  return GRAZE_OK;
}
