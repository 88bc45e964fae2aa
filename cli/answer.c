/* Answers: the queries about one shape, the filters, and the choice of the function for a query. */
#include "answers.h"

#include <math.h>
#include <stdlib.h>

/* ---- hull, fit_box */

static bool reject_points(graze_status status, cli_error *error) {
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(error);
  return cli_reject(error, CLI_BAD_SHAPE, "a.vertices: %s", graze_status_text(status));
}

static bool answer_hull(const cli_request *r, cli_text *out, cli_error *error) {
  graze_hull hull;
  graze_status status = graze_hull_create(r->a.vertices, r->a.vertex_count, r->dim, NULL, &hull, NULL);
  if (status != GRAZE_OK) return reject_points(status, error);
  cli_print_begin(out, r);
  emit(out, ",\"affine_dim\":%i,\"vertices\":%L,\"indices\":[", hull.affine_dim, hull.vertices, hull.vertex_count,
       r->dim);
  for (size_t i = 0; i < hull.vertex_count; i++) emit(out, "%s%z", comma(i), hull.indices[i]);
  cli_text_str(out, r->dim == 3 ? "],\"faces\":[" : "]");
  for (size_t f = 0; r->dim == 3 && f < hull.face_count; f++) {
    const int32_t begin = hull.face_start[f], end = hull.face_start[f + 1];
    for (int32_t i = begin; i < end; i++)
      emit(out, "%s%i", i > begin ? "," : f > 0 ? ",[" : "[", (int)hull.face_vertices[i]);
    cli_text_str(out, "]");
  }
  if (r->dim == 2)
    emit(out, ",\"area\":%j", hull.area);
  else
    emit(out, "],\"volume\":%j,\"surface_area\":%j", hull.volume, hull.affine_dim == 2 ? 2 * hull.area : hull.area);
  cli_print_path(out, hull.affine_dim == 3 ? "incremental" : hull.affine_dim == 2 ? "chain" : "ends", 0);
  graze_hull_destroy(&hull);
  return true;
}

static bool answer_fit_box(const cli_request *r, cli_text *out, cli_error *error) {
  graze_fitted_box fitted;
  graze_status status = graze_fit_box(r->a.vertices, r->a.vertex_count, r->dim, r->effort, NULL, &fitted, NULL);
  if (status != GRAZE_OK) return reject_points(status, error);
  cli_print_begin(out, r);
  emit(out, ",\"center\":%V,\"rotation\":%R,\"half_extents\":%V,\"%s\":%j", fitted.pose.position, r->dim, &fitted.pose,
       r->dim, fitted.box.as.box.half_extents, r->dim, r->dim == 2 ? "area" : "volume", fitted.measure);
  cli_print_path(out, r->dim == 2 ? "calipers" : r->effort == GRAZE_BEST ? "best" : "fast", 0);
  return true;
}

/* ---- aabb, and the filter aabb */

static bool bounds_of(const cli_body *body, const char *name, graze_aabb *bounds, cli_error *error) {
  graze_status status = graze_bounds(&body->placed, bounds);
  if (status == GRAZE_OK) return true;
  if (status == GRAZE_UNSUPPORTED)
    return cli_reject(error, CLI_UNSUPPORTED, "%s: a half-space has no bounds, must be another type", name);
  return cli_reject(error, CLI_BAD_NUMBER, "bounds of %s: %s", name, graze_status_text(status));
}

/* A coordinate axis that separates the bounds by more than the clearance, by their rounded difference. */
static bool separate_bounds(const cli_request *r, graze_vec *axis, bool *separated, cli_error *error) {
  graze_aabb a, b;
  if (!bounds_of(&r->a, "a", &a, error) || !bounds_of(&r->b, "b", &b, error)) return false;
  const double a_min[] = {a.min.x, a.min.y, a.min.z}, a_max[] = {a.max.x, a.max.y, a.max.z};
  const double b_min[] = {b.min.x, b.min.y, b.min.z}, b_max[] = {b.max.x, b.max.y, b.max.z};
  const double clearance = r->options.clearance;
  *separated = false;
  for (int k = 0; k < r->dim && !*separated; k++) {
    double sign = b_min[k] - a_max[k] > clearance ? 1 : a_min[k] - b_max[k] > clearance ? -1 : 0;
    *axis = (graze_vec){k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0};
    *separated = sign != 0;
  }
  return true;
}

/* ---- The filter obb */

/* The oriented bounding box of a body. It is a part of a compound, so that its pose in the body frame is exact. */
typedef struct obb {
  graze_placed box;
  graze_frame place;     /* of the compound; box points to it */
  graze_compound *frame; /* owned; NULL if the body is a box */
} obb;

/* Computes a box around the shape in its own frame, without the margin: its bounds, or a small box for vertices. */
static graze_status fit_shape(const cli_body *body, graze_fitted_box *fitted) {
  const graze_shape bare = graze_with_margin(body->placed.shape, 0);
  const graze_placed placed = graze_place(&bare, fitted->pose);
  graze_aabb bounds = {{0, 0, 0}, {0, 0, 0}};
  if (bare.kind == GRAZE_COMPOUND || bare.kind == GRAZE_MESH) return GRAZE_UNSUPPORTED;
  if (body->vertex_count > 0)
    return graze_fit_box(body->vertices, body->vertex_count, bare.dim, GRAZE_FAST, NULL, fitted, NULL);
  const graze_status status = graze_bounds(&placed, &bounds);
  const graze_vec half = bounds.max;
  if (status == GRAZE_OK) fitted->box = bare.dim == 2 ? graze_box2(half.x, half.y) : graze_box(half.x, half.y, half.z);
  return status;
}

/* The box has the margin of the body. */
static bool obb_make(const cli_body *body, const char *name, obb *o, cli_error *error) {
  const graze_shape *shape = &body->placed.shape;
  graze_fitted_box fitted = {.pose = graze_pose_identity()};
  *o = (obb){.box = body->placed};
  if (shape->kind == GRAZE_BOX) return true;
  graze_status status = fit_shape(body, &fitted);
  if (status == GRAZE_UNSUPPORTED)
    return cli_reject(error, CLI_UNSUPPORTED,
                      "filter: not supported (\"obb\"), %s must not be a half-space, a compound or a mesh", name);
  if (status == GRAZE_OK) {
    graze_placed part = graze_place(&fitted.box, fitted.pose);
    status = graze_compound_create(&part, 1, NULL, &o->frame, NULL);
  }
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(error);
  if (status != GRAZE_OK)
    return cli_reject(error, CLI_BAD_NUMBER, "box around %s: %s", name, graze_status_text(status));
  graze_shape whole = graze_with_margin(graze_compound_shape(o->frame), shape->margin);
  graze_placed placed = graze_place(&whole, body->placed.pose);
  o->box = graze_part(&placed, 0, &o->place);
  return true;
}

static graze_certificate certificate_of(graze_vec direction) {
  return (graze_certificate){.kind = GRAZE_CERTIFICATE_SEPARATED,
                             .direction = {.form = GRAZE_DIRECTION_VECTOR, .vector = direction}};
}

/* Tests the best separating axis of the boxes. They are rounded, so the verifier decides about the shapes. */
static bool separate_boxes(const cli_request *r, graze_vec *axis, bool *separated, cli_error *error) {
  obb a = {.frame = NULL}, b = {.frame = NULL};
  graze_axis best;
  bool good = obb_make(&r->a, "a", &a, error) && obb_make(&r->b, "b", &b, error);
  if (good) {
    graze_status status = graze_compare_axes(&a.box, &b.box, &r->options, NULL, NULL, &best);
    good = status == GRAZE_OK || cli_reject_status(r, status, error);
  }
  if (good) {
    graze_answer answer = {.relation = GRAZE_SEPARATED, .distance = NAN, .lower = NAN, .upper = NAN};
    graze_certificate certificate = certificate_of(best.direction);
    *axis = best.direction;
    *separated =
        best.separation > 0 && graze_verify(&r->a.placed, &r->b.placed, &r->options, &answer, &certificate) == GRAZE_OK;
  }
  graze_compound_destroy(a.frame);
  graze_compound_destroy(b.frame);
  return good;
}

/* ---- All queries. Each function appends its answer without the closing brace. */

static bool answer_request(cli_request *r, cli_buffer *buffer, cli_text *out, cli_error *error) {
  cli_pair_result result = {.count = 0};
  graze_cast_result cast;
  graze_certificate certificate;
  cli_cso cso;
  graze_aabb bounds;
  bool good = false;
  if (!cli_prepare_bodies(r, error)) return false;
  switch (r->query) {
  case CLI_AABB:
    if (!bounds_of(&r->a, "a", &bounds, error)) return false;
    cli_print_begin(out, r);
    emit(out, ",\"min\":%V,\"max\":%V", bounds.min, r->dim, bounds.max, r->dim);
    cli_print_path(out, "aabb", 0);
    cli_print_rotations(out, r);
    return true;
  case CLI_HULL: return answer_hull(r, out, error);
  case CLI_FIT_BOX: return answer_fit_box(r, out, error);
  case CLI_CONVEXITY: return cli_answer_convexity(r, out, error);
  case CLI_DECOMPOSE: return cli_answer_decompose(r, out, error);
  case CLI_MINKOWSKI:
    good = cli_solve_minkowski(r, buffer, &cso, error);
    if (good) cli_print_minkowski(out, r, &cso);
    free(cso.points);
    free(cso.pairs);
    return good;
  case CLI_SHAPECAST:
  case CLI_TOI:
  case CLI_RAYCAST:
    good = cli_solve_cast(r, buffer, &cast, &certificate, error);
    if (good) cli_print_cast_result(out, r, &cast, &certificate);
    return good;
  default:
    if (r->filter) {
      graze_vec axis;
      bool boxes = r->filter == CLI_FILTER_OBB, separated;
      if (!(boxes ? separate_boxes : separate_bounds)(r, &axis, &separated, error)) return false;
      graze_answer answer = {.relation = separated ? GRAZE_SEPARATED : GRAZE_UNDECIDED};
      certificate = separated ? certificate_of(axis) : (graze_certificate){.kind = GRAZE_CERTIFICATE_NONE};
      cli_print_begin(out, r);
      emit(out, ",\"relation\":%q", graze_relation_text(answer.relation));
      cli_print_path(out, boxes ? "obb" : "aabb", 0);
      cli_print_rotations(out, r);
      if (r->certificate) cli_print_certificate(out, r, &answer, &certificate, false);
      return true;
    }
    good = cli_solve_pair(r, buffer, &result, error);
    if (good) cli_print_pair_result(out, r, &result);
    cli_pair_result_free(&result);
    return good;
  }
}

bool cli_answer(const cli_line *line, cli_buffer *buffer, cli_text *out) {
  cli_request request;
  cli_error error;
  size_t before = out->size;
  bool good = cli_request_read(line, &request, &error);
  if (good) {
    good = answer_request(&request, buffer, out, &error);
    cli_request_free(&request);
  }
  if (good) {
    cli_text_str(out, "}\n");
    return true;
  }
  if (!out->failed) out->size = before;
  cli_print_error(out, request.id, line->number, &error);
  return false;
}
