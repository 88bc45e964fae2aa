/* Validation of definitions, motions and queries of scenes, with the reason for a rejection. */
#include "scene/store.h"

#include "core/status.h"
#include "core/vec.h"
#include "shape/motion.h"

#include <string.h>

static bool validate_is_size(double x) { return x >= 0 && x <= GRAZE_LARGEST; }

#define VALIDATE_SIZE "must be 0 to 1e40"

/* ---- Bodies and scenes */

graze_status grz_scene_no_body(graze_error *error, graze_body body) {
  return grz_reject(error, grz_error_rule(GRAZE_NO_BODY, "body", (double)body.slot, "must be the id of a body"));
}

/* The name of a member of graze_body_def, for a name that graze_check() reports. */
static const char *validate_member(const char *what) {
  static const char *const names[][2] = {
      {"position", "pose.position"},
      {"rotation", "pose.rotation"},
      {"type", "shape.type"},
      {"dim", "shape.dim"},
      {"margin", "shape.margin"},
      {"radius", "shape.radius"},
      {"half_length", "shape.half_length"},
      {"half_extents", "shape.half_extents"},
      {"radii", "shape.radii"},
      {"vertices", "shape.vertices"},
      {"normal", "shape.normal"},
      {"offset", "shape.offset"},
      {"support", "shape.support"},
      {"parts", "shape.parts"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], what) == 0) return names[i][1];
  return "shape";
}

graze_status grz_scene_check_shape(const graze_shape *shape, const graze_pose *pose, graze_error *error) {
  const graze_status status = graze_check(shape, pose, error);
  if (status != GRAZE_OK && error != NULL) error->what = validate_member(error->what);
  return status;
}

graze_status grz_scene_check_motion(const graze_placed *placed, graze_body_type type, const graze_motion *motion,
                                    graze_error *error) {
  const graze_vec v = motion->velocity, w = motion->angular;
  const graze_status status = grz_motion_validate(placed, motion);
  if (status != GRAZE_OK) {
    graze_error reason = grz_motion_error(status, "", placed, motion);
    reason.what = strcmp(reason.what, "velocity") == 0 ? "motion.velocity" : "motion.angular";
    return grz_reject(error, reason);
  }
  if (type != GRAZE_STATIC || (vec_norm_inf(v) == 0 && vec_norm_inf(w) == 0)) return GRAZE_OK;
  const bool moves = vec_norm_inf(v) > 0;
  const graze_vec x = moves ? v : w;
  graze_error reason =
      grz_error_rule(GRAZE_BAD_OPTION, moves ? "motion.velocity" : "motion.angular", 0, "must be 0 for a static body");
  reason.index = x.x != 0 ? 0 : x.y != 0 ? 1 : 2;
  reason.value = x.x != 0 ? x.x : x.y != 0 ? x.y : x.z;
  return grz_reject(error, reason);
}

static graze_error validate_def(int dim, const graze_body_def *def) {
  const graze_status bad = GRAZE_BAD_OPTION;
  if (def->shape.dim != dim)
    return grz_error_rule(GRAZE_DIM_MISMATCH, "shape.dim", def->shape.dim, "must be the dimension of the scene");
  if (def->shape.kind == GRAZE_HALFSPACE && def->type == GRAZE_DYNAMIC)
    return grz_error_rule(GRAZE_UNSUPPORTED, "type", (double)def->type, "must not be dynamic for a half-space");
  if (!validate_is_size(def->margin)) return grz_error_rule(bad, "margin", def->margin, VALIDATE_SIZE);
  if (!(def->mass > 0 && def->mass <= GRAZE_LARGEST))
    return grz_error_rule(bad, "mass", def->mass, "must be > 0 and <= 1e40");
  if (!(def->bounce >= 0 && def->bounce <= 1)) return grz_error_rule(bad, "bounce", def->bounce, "must be 0 to 1");
  if ((unsigned)def->response > GRAZE_RESPONSE_BOUNCE)
    return grz_error_rule(bad, "response", (double)def->response, "must be a graze_response");
  if (def->type < GRAZE_STATIC || def->type > GRAZE_DYNAMIC)
    return grz_error_rule(bad, "type", (double)def->type, "must be a graze_body_type");
  return grz_no_error();
}

graze_status grz_scene_validate(int dim, const graze_body_def *def, graze_placed *placed, graze_error *error) {
  graze_status status = grz_scene_check_shape(&def->shape, &def->pose, error);
  if (status == GRAZE_OK) status = grz_reject(error, validate_def(dim, def));
  if (status != GRAZE_OK) return status;
  *placed = graze_place(&def->shape, def->pose);
  if (placed->status != GRAZE_OK) return grz_reject(error, grz_error(placed->status, "shape", -1, 0));
  return grz_scene_check_motion(placed, def->type, &def->motion, error);
}

graze_status grz_scene_check_def(const graze_scene_def *def, graze_error *error) {
  const bool known = def->method >= GRAZE_CAST_AUTO && def->method <= GRAZE_CAST_CA;
  graze_error reason = grz_no_error();
  if (def->dim != 2 && def->dim != 3)
    reason = grz_error_rule(GRAZE_BAD_OPTION, "dim", def->dim, "must be 2 or 3");
  else if (!known)
    reason = grz_error_rule(GRAZE_BAD_OPTION, "method", (double)def->method, "must be a graze_cast_method");
  else if (!validate_is_size(def->skin))
    reason = grz_error_rule(GRAZE_BAD_OPTION, "skin", def->skin, VALIDATE_SIZE);
  else if (!validate_is_size(def->push_speed))
    reason = grz_error_rule(GRAZE_BAD_OPTION, "push_speed", def->push_speed, VALIDATE_SIZE);
  return grz_reject(error, reason);
}

/* ---- Queries. A valid query costs one test of each input. */

graze_status grz_query_check_shape(const graze_scene *scene, const graze_placed *placed, graze_error *error) {
  if (placed->status == GRAZE_OK && placed->shape.dim == scene->def.dim) return GRAZE_OK;
  if (placed->status == GRAZE_OK)
    return grz_reject(error, grz_error_rule(GRAZE_DIM_MISMATCH, "shape.dim", placed->shape.dim,
                                            "must be the dimension of the scene"));
  graze_error reason;
  if (grz_scene_check_shape(&placed->shape, &placed->pose, &reason) == GRAZE_OK)
    reason = grz_error_rule(placed->status, "placed.status", (double)placed->status, "must be GRAZE_OK");
  reason.status = placed->status;
  return grz_reject(error, reason);
}

graze_status grz_query_check_within(double within, graze_error *error) {
  if (within >= 0) return GRAZE_OK;
  return grz_reject(error, grz_error_rule(GRAZE_BAD_OPTION, "within", within, "must be >= 0"));
}

static graze_status validate_time(double t_max, graze_error *error) {
  if (t_max >= 0) return GRAZE_OK;
  const graze_status status = t_max < 0 ? GRAZE_BAD_OPTION : GRAZE_BAD_NUMBER;
  return grz_reject(error, grz_error_rule(status, "t_max", t_max, "must be >= 0"));
}

graze_status grz_query_check_cast(const graze_placed *placed, const graze_motion *motion, double t_max,
                                  graze_error *error) {
  const graze_status status = grz_scene_check_motion(placed, GRAZE_KINEMATIC, motion, error);
  return status == GRAZE_OK ? validate_time(t_max, error) : status;
}

graze_status grz_query_check_ray(const graze_placed *point, const graze_motion *motion, double t_max,
                                 graze_error *error) {
  graze_status status = point->status;
  if (status != GRAZE_OK) {
    (void)graze_check(&point->shape, &point->pose, error);
    if (error != NULL) error->what = "origin";
    return status;
  }
  status = grz_scene_check_motion(point, GRAZE_KINEMATIC, motion, error);
  if (status != GRAZE_OK && error != NULL) error->what = "direction";
  return status == GRAZE_OK ? validate_time(t_max, error) : status;
}

graze_status grz_query_check_box(const graze_scene *scene, const graze_aabb *box, graze_error *error) {
  const graze_vec p = box->min, q = box->max;
  const double low[3] = {p.x, p.y, p.z}, high[3] = {q.x, q.y, q.z};
  graze_error reason = grz_no_error();
  for (int i = 0; i < 3 && reason.status == GRAZE_OK; i++) {
    const bool is_low = low[i] != low[i] || (scene->def.dim == 2 && i == 2 && low[i] != 0);
    const double x = is_low ? low[i] : high[i];
    const char *what = is_low ? "box.min" : "box.max";
    if (x != x)
      reason = grz_error_rule(GRAZE_BAD_NUMBER, what, x, "must be a number");
    else if (low[i] > high[i])
      reason = grz_error_rule(GRAZE_BAD_OPTION, "box.max", high[i], "must be at least box.min");
    else if (scene->def.dim == 2 && i == 2 && x != 0)
      reason = grz_error_rule(GRAZE_DIM_MISMATCH, what, x, "must be 0 in 2D");
    reason.index = i;
  }
  return reason.status == GRAZE_OK ? GRAZE_OK : grz_reject(error, reason);
}
