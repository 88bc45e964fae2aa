/* Boxes around shapes, in the shapes' own frames: a box in such a frame is the only part of a compound that stands
 * where the shape does. */
#include "obb.h"

#include <graze/build.h>

#include <math.h>

/* The sum of two lengths, rounded up. */
static double sum_up(double x, double y) {
  double sum = x + y;
  return sum - x < y || sum - y < x ? nextafter(sum, INFINITY) : sum;
}

static graze_shape box_of(int dim, double x, double y, double z) {
  return dim == 2 ? graze_box2(x, y) : graze_box(x, y, z);
}

static bool around_round(const graze_shape *s, graze_shape *box) {
  double length = sum_up(s->half_length, s->radius);
  switch (s->kind) {
  case GRAZE_SPHERE: *box = box_of(s->dim, s->radius, s->radius, s->radius); return true;
  case GRAZE_CAPSULE:
    *box = s->dim == 2 ? graze_box2(length, s->radius) : graze_box(s->radius, s->radius, length);
    return true;
  case GRAZE_ELLIPSOID: *box = box_of(s->dim, s->extents.x, s->extents.y, s->extents.z); return true;
  case GRAZE_CYLINDER:
  case GRAZE_CONE: *box = graze_box(s->radius, s->radius, s->half_length); return true;
  default: return false;
  }
}

static graze_status around_points(const graze_shape *s, graze_fitted_box *fitted) {
  const graze_vec origin = {0, 0, 0}, *points = s->vertices;
  size_t count = s->vertex_count;
  if (s->kind == GRAZE_POINT) points = &origin, count = 1;
  if (s->kind == GRAZE_SEGMENT) points = s->corners, count = 2;
  if (s->kind == GRAZE_TRIANGLE) points = s->corners, count = 3;
  return points ? graze_fit_box(points, count, s->dim, GRAZE_FAST, NULL, fitted, NULL) : GRAZE_UNSUPPORTED;
}

bool cli_obb_make(const cli_body *body, const char *owner, cli_obb *obb, cli_error *complaint) {
  const graze_shape *shape = &body->placed.shape;
  graze_fitted_box fitted = {.pose = graze_pose_at(0, 0, 0)};
  *obb = (cli_obb){.box = body->placed};
  if (shape->kind == GRAZE_BOX) return true;
  graze_status status = around_round(shape, &fitted.box) ? GRAZE_OK : around_points(shape, &fitted);
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(complaint);
  if (status != GRAZE_OK)
    return cli_reject(complaint, CLI_UNSUPPORTED,
                      "filter = \"obb\": %s is a half-space or a compound, which have no such box", owner);
  graze_placed part = graze_place(&fitted.box, fitted.pose);
  status = graze_compound_create(&part, 1, NULL, &obb->frame, NULL);
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(complaint);
  if (status != GRAZE_OK)
    return cli_reject(complaint, CLI_BAD_NUMBER, "the box around %s: %s", owner, graze_status_text(status));
  graze_shape whole = graze_with_margin(graze_compound_shape(obb->frame), shape->margin);
  graze_placed placed = graze_place(&whole, body->placed.pose);
  obb->box = graze_part(&placed, 0);
  return true;
}

void cli_obb_free(cli_obb *obb) { graze_compound_destroy(obb->frame); }
