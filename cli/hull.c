/* The questions about points: their convex hull, and a small box around them. */
#include "asked.h"

static bool refuse(graze_status status, cli_error *complaint) {
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(complaint);
  return cli_reject(complaint, CLI_BAD_SHAPE, "a.vertices: %s", graze_status_text(status));
}

static void print_faces(cli_text *out, const graze_hull *hull) {
  cli_print_key(out, "faces");
  cli_text_str(out, "[");
  for (size_t f = 0; f < hull->face_count; f++) {
    cli_text_str(out, f > 0 ? ",[" : "[");
    for (int32_t i = hull->face_start[f]; i < hull->face_start[f + 1]; i++) {
      if (i > hull->face_start[f]) cli_text_str(out, ",");
      cli_text_int(out, hull->face_vertices[i]);
    }
    cli_text_str(out, "]");
  }
  cli_text_str(out, "]");
}

static void print_indices(cli_text *out, const graze_hull *hull) {
  cli_print_key(out, "indices");
  cli_text_str(out, "[");
  for (size_t i = 0; i < hull->vertex_count; i++) {
    if (i > 0) cli_text_str(out, ",");
    cli_text_int(out, (long long)hull->indices[i]);
  }
  cli_text_str(out, "]");
}

bool cli_answer_hull(const cli_request *q, cli_text *out, cli_error *complaint) {
  graze_hull hull;
  graze_status status = graze_hull_create(q->a.vertices, q->a.vertex_count, q->dim, NULL, &hull, NULL);
  if (status != GRAZE_OK) return refuse(status, complaint);
  cli_print_begin(out, q);
  cli_print_int(out, "affine_dim", hull.affine_dim);
  cli_print_key(out, "vertices");
  cli_print_points(out, hull.vertices, hull.vertex_count, q->dim);
  print_indices(out, &hull);
  if (q->dim == 2) {
    cli_print_real(out, "area", hull.area);
  } else {
    print_faces(out, &hull);
    cli_print_real(out, "volume", hull.volume);
    cli_print_real(out, "surface_area", hull.affine_dim == 2 ? 2 * hull.area : hull.area);
  }
  cli_print_word(out, "path", hull.affine_dim == 3 ? "incremental" : hull.affine_dim == 2 ? "chain" : "ends");
  cli_print_int(out, "iterations", 0);
  graze_hull_destroy(&hull);
  return true;
}

bool cli_answer_fit_box(const cli_request *q, cli_text *out, cli_error *complaint) {
  graze_fitted_box fitted;
  graze_status status = graze_fit_box(q->a.vertices, q->a.vertex_count, q->dim, q->effort, NULL, &fitted, NULL);
  if (status != GRAZE_OK) return refuse(status, complaint);
  const graze_pose *pose = &fitted.pose;
  cli_print_begin(out, q);
  cli_print_key(out, "center");
  cli_print_vec(out, pose->position, q->dim);
  cli_print_key(out, "rotation");
  if (q->dim == 2)
    cli_print_vec(out, (graze_vec){pose->w, pose->z, 0}, 2);
  else
    cli_print_quaternion(out, pose);
  cli_print_key(out, "half_extents");
  cli_print_vec(out, fitted.box.extents, q->dim);
  cli_print_real(out, q->dim == 2 ? "area" : "volume", fitted.measure);
  cli_print_word(out, "path", q->dim == 2 ? "calipers" : q->effort == GRAZE_BEST ? "best" : "fast");
  cli_print_int(out, "iterations", 0);
  return true;
}
