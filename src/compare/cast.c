/* Reference methods of casts: linear continuous collision detection (LCCD) and discrete sampling. */
#include "ccd/ccd.h"

#include "compare/reference.h"
#include "narrow/stages.h"
#include "shape/motion.h"

/* ---- LCCD (Zhang) of polytopes: intersects the relative path with the planes of all facets of the CSO.
 * docs/theory/cast.md, "LCCD". */

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
  if (c->dim == 2 && grz_polygon_clip_applies(c->a, c->b)) {
    const graze_status status = grz_cast_polygon_planes(out, c, options, end);
    if (status != GRAZE_UNSUPPORTED) return status;
  } else if (grz_are_boxes(&c->a->shape, &c->b->shape)) {
    return grz_cast_box_planes(out, c, options, end);
  }
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
  const graze_cast_options in_force = options ? *options : graze_default_cast_options();
  grz_cast_result cast;
  (void)context;
  if (motion_a == NULL) motion_a = &grz_motion_at_rest;
  if (motion_b == NULL) motion_b = &grz_motion_at_rest;
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

/* ---- Discrete sampling, as in engines without continuous detection. Sampling misses contacts between two samples. */

enum { SAMPLING_DEFAULT = 64 };

/* Bodies that touched at the start and still touch have not collided. */
static bool sampling_collides(graze_relation relation, graze_relation start) {
  return relation != GRAZE_SEPARATED && !(relation == GRAZE_TOUCHING && start == GRAZE_TOUCHING);
}

static graze_status sampling_validate(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                      const graze_motion *motion_b, double t_max, int samples) {
  if (a->status != GRAZE_OK) return a->status;
  if (b->status != GRAZE_OK) return b->status;
  if (samples < 2) return GRAZE_BAD_OPTION;
  graze_status status = grz_motion_validate(a, motion_a);
  if (status == GRAZE_OK) status = grz_motion_validate(b, motion_b);
  return status == GRAZE_OK ? moving_validate(motion_a->velocity, motion_b->velocity, t_max, a->shape.dim) : status;
}

graze_status graze_compare_sampling(void *context, const graze_placed *a, const graze_motion *motion_a,
                                    const graze_placed *b, const graze_motion *motion_b, double t_max,
                                    const graze_cast_options *options, graze_cast_result *result) {
  const int samples = context != NULL ? *(const int *)context : SAMPLING_DEFAULT;
  const graze_cast_options in_force = options ? *options : graze_default_cast_options();
  graze_options still = graze_default_options();
  graze_placed now_a = *a, now_b = *b;
  graze_answer answer;
  grz_cast_result cast;
  double before = 0, t = 0;
  if (motion_a == NULL) motion_a = &grz_motion_at_rest;
  if (motion_b == NULL) motion_b = &grz_motion_at_rest;
  graze_status status = sampling_validate(a, motion_a, b, motion_b, t_max, samples);
  if (status != GRAZE_OK) return status;
  still.clearance = in_force.clearance, still.tolerance = in_force.tolerance;
  still.max_iterations = in_force.max_iterations;
  still.workspace = in_force.workspace, still.workspace_size = in_force.workspace_size;
  still.certificate = in_force.certificate;
  status = graze_distance(a, b, &still, &answer);
  if (status != GRAZE_OK) return status;
  still.certificate = NULL;
  cast_result_clear(&cast, GRAZE_ALGORITHM_SAMPLING, answer.conditional);
  cast.cast.iterations = answer.iterations;
  const grz_result start = {.answer = answer};
  cast_result_start(a, b, &start, &cast);
  if (answer.relation != GRAZE_OVERLAPPING) cast_result_miss(&cast);
  for (int i = 1; i < samples && cast.cast.outcome == GRAZE_CLEAR; i++, before = t) {
    t = motion_last_time(t_max) * ((double)i / (samples - 1));
    status = graze_set_pose(&now_a, graze_pose_after(&a->pose, motion_a, t));
    if (status == GRAZE_OK) status = graze_set_pose(&now_b, graze_pose_after(&b->pose, motion_b, t));
    if (status == GRAZE_OK) status = graze_intersect(&now_a, &now_b, &still, &answer);
    if (status != GRAZE_OK) return status;
    cast.cast.iterations += answer.iterations;
    if (!sampling_collides(answer.relation, cast.cast.start_relation)) continue;
    cast_result_times(&cast, GRAZE_HIT, before, t);
    if (graze_distance(&now_a, &now_b, &still, &answer) != GRAZE_OK) continue;
    cast.cast.normal = answer.normal;
    cast.cast.point = vec_scale(vec_add(answer.point_a, answer.point_b), 0.5);
  }
  t = cast.cast.outcome == GRAZE_HIT ? cast.cast.t : motion_last_time(t_max);
  cast.cast.position_a = moving_position(a, motion_a->velocity, t);
  cast.cast.position_b = moving_position(b, motion_b->velocity, t);
  *result = cast.cast;
  return GRAZE_OK;
}
