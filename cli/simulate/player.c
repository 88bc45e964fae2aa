/* The page of a run: the recording as JSON between the two halves of the page in page/. */
#include "simulate/run.h"

#include "explain/story.h"
#include "page.h"

#include <math.h>
#include <stdlib.h>

/* ---- Shapes in the body frame: closed meshes of convex polygons, in 2D closed outlines */

/* A shape that is being written. */
typedef struct drawing {
  int dim;
  double size; /* of the whole shape */
  bool failed;
  cli_text vertices, faces; /* 2D: faces contains the outlines */
  size_t vertex_count, face_count;
} drawing;

static void print_vertex(cli_text *out, graze_vec v, const drawing *d, bool first) {
  cli_text_str(out, first ? "[" : ",[");
  sim_print_vec(out, v, d->dim, SIM_LENGTH_RESOLUTION * d->size);
  cli_text_str(out, "]");
}

static void draw_hull(drawing *d, const graze_hull *hull) {
  for (size_t f = 0; d->dim == 3 && f < hull->face_count; f++) {
    const int32_t begin = hull->face_start[f], end = hull->face_start[f + 1];
    for (int32_t k = begin; k < end; k++)
      emit(&d->faces, "%s%i",
           k > begin             ? ","
           : d->face_count++ > 0 ? ",["
                                 : "[",
           (int)d->vertex_count + hull->face_vertices[k]);
    cli_text_str(&d->faces, "]");
  }
  for (size_t i = 0; d->dim == 3 && i < hull->vertex_count; i++)
    print_vertex(&d->vertices, hull->vertices[i], d, d->vertex_count++ == 0);
  if (d->dim == 3) return;
  cli_text_str(&d->faces, d->face_count++ > 0 ? ",[" : "[");
  for (size_t i = 0; i < hull->vertex_count; i++) print_vertex(&d->faces, hull->vertices[i], d, i == 0);
  cli_text_str(&d->faces, "]");
}

static void draw_points(drawing *d, const graze_vec *points, size_t count) {
  graze_hull hull;
  graze_status status = graze_hull_create(points, count, d->dim, NULL, &hull, NULL);
  if (status == GRAZE_OUT_OF_MEMORY) d->failed = true;
  if (status != GRAZE_OK) return;
  draw_hull(d, &hull);
  graze_hull_destroy(&hull);
}

/* A half-space becomes a plate that is as large as the view. */
static void draw_halfspace(drawing *d, const graze_body_def *def, const graze_aabb *view) {
  const graze_vec n = vec_unit(def->shape.as.box.half_extents), p = def->pose.position;
  const double extent = d->size = 0.75 * vec_norm(vec_sub(view->max, view->min));
  /* The centre of the view in the body frame, projected onto the plane. */
  const graze_pose turned_back = {{0, 0, 0}, def->pose.w, -def->pose.x, -def->pose.y, -def->pose.z};
  const story_body inverse = {.placed = {.pose = turned_back}, .part = -1};
  const graze_vec centre = vec_scale(vec_add(view->min, view->max), 0.5);
  const graze_vec local = body_direction(&inverse, vec_sub(centre, p));
  const double height = vec_dot(n, local) - def->shape.as.halfspace.offset - def->shape.margin;
  const graze_vec middle = vec_sub(local, vec_scale(n, height));
  const graze_vec other = {fabs(n.x) < 0.6, fabs(n.x) >= 0.6, 0};
  const graze_vec u = d->dim == 2 ? (graze_vec){-n.y, n.x, 0} : vec_unit(vec_cross(n, other));
  const graze_vec v = d->dim == 2 ? (graze_vec){0, 0, 0} : vec_cross(n, u);
  graze_vec points[8];
  for (int i = 0; i < 8; i++) {
    graze_vec q = vec_add(middle, vec_scale(u, i & 1 ? extent : -extent));
    q = vec_add(q, vec_scale(v, i & 2 ? extent : -extent));
    points[i] = vec_sub(q, vec_scale(n, i & 4 ? extent / 30 : 0));
  }
  draw_points(d, points, 8);
}

static void draw_parts(drawing *d, const graze_body_def *def) {
  graze_placed whole = graze_place(&def->shape, graze_pose_at(0, 0, 0));
  size_t parts = graze_part_count(&whole);
  for (size_t i = 0; i < parts && !d->failed; i++) {
    const bool compound = def->shape.kind == GRAZE_COMPOUND;
    story_body body = {&whole, .placed = compound ? graze_part(&whole, i) : whole, .part = compound ? (int32_t)i : -1};
    size_t count;
    bool smooth;
    graze_vec *points = mesh_points(&body, &count, &smooth);
    if (points)
      draw_points(d, points, count);
    else
      d->failed = true;
    free(points);
  }
}

static void print_shape(cli_text *out, const graze_body_def *def, const graze_aabb *view) {
  drawing d = {.dim = def->shape.dim, .size = sim_size_of(&def->shape)};
  if (def->shape.kind == GRAZE_HALFSPACE)
    draw_halfspace(&d, def, view);
  else
    draw_parts(&d, def);
  if (d.failed) out->failed = true;
  emit(out, d.dim == 3 ? "{\"vertices\":[%t],\"faces\":[%t]}" : "{\"outlines\":[%t%t]}", &d.vertices, &d.faces);
  cli_text_free(&d.vertices);
  cli_text_free(&d.faces);
}

/* Returns whether two shapes have the same picture. That of a half-space depends on its pose. */
static bool same_shape(const graze_shape *a, const graze_shape *b) {
  return a->kind != GRAZE_HALFSPACE && graze_shape_equal(a, b);
}

/* A list of the different shapes; shape_of[i] receives the index in it of the shape of body i. */
static void print_shapes(cli_text *out, const sim_scene *scene, const graze_aabb *view, size_t *shape_of) {
  size_t *first = calloc(scene->count + 1, sizeof *first), count = 0; /* the first body of each shape */
  if (first == NULL) out->failed = true;
  cli_text_str(out, "[");
  for (size_t i = 0; first && i < scene->count; i++) {
    const graze_body_def *def = &scene->bodies[i].def;
    size_t k = 0;
    while (k < count && !same_shape(&scene->bodies[first[k]].def.shape, &def->shape)) k++;
    shape_of[i] = k;
    if (k < count) continue;
    first[count++] = i;
    cli_text_str(out, k > 0 ? ",\n" : "\n");
    print_shape(out, def, view);
  }
  cli_text_str(out, "]");
  free(first);
}

/* ---- Tracks */

/* [t, position, rotation, velocity, angular velocity], the rotation of length 1; valid for `time`. */
static void print_keyframe(cli_text *out, const sim_scene *scene, const sim_keyframe *key, double size, double time) {
  const graze_pose *p = &key->pose;
  const double length = sqrt(p->w * p->w + p->x * p->x + p->y * p->y + p->z * p->z);
  const double resolution = SIM_LENGTH_RESOLUTION / 10;
  const graze_pose unit = {p->position, p->w / length, p->x / length, p->y / length, p->z / length};
  cli_text_str(out, "[");
  sim_print_number(out, key->t, SIM_TIME_RESOLUTION * scene->dt);
  cli_text_str(out, ",");
  sim_print_vec(out, p->position, scene->dim, resolution * size);
  cli_text_str(out, ",");
  sim_print_rotation(out, &unit, scene->dim, resolution);
  cli_text_str(out, ",");
  sim_print_vec(out, key->motion.velocity, scene->dim, resolution * size / time);
  cli_text_str(out, ",");
  sim_print_angular(out, key->motion.angular, scene->dim, resolution / time);
  cli_text_str(out, "]");
}

static void print_track(cli_text *out, const sim_scene *scene, const sim_track *track, double end) {
  const double resolution = SIM_TIME_RESOLUTION * scene->dt;
  cli_text_str(out, ",\"keys\":[");
  for (size_t i = 0; i < track->key_count; i++) {
    const sim_keyframe *key = &track->keys[i];
    double time = (i + 1 < track->key_count ? key[1].t : end) - key->t;
    cli_text_str(out, comma(i));
    print_keyframe(out, scene, key, track->size, fmax(time, scene->dt));
  }
  cli_text_str(out, "],\"red\":[");
  for (size_t i = 0; i < track->interval_count; i++) {
    cli_text_str(out, i > 0 ? ",[" : "[");
    sim_print_number(out, track->intervals[i][0], resolution);
    cli_text_str(out, ",");
    sim_print_number(out, track->intervals[i][1], resolution);
    cli_text_str(out, "]");
  }
  cli_text_str(out, "]}");
}

static void print_bodies(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record,
                         const size_t *shape_of) {
  cli_text_str(out, ",\n\"bodies\":[");
  for (size_t i = 0; i < scene->count; i++) {
    const sim_body *body = &scene->bodies[i];
    emit(out, "%s\n{\"shape\":%z,\"type\":%q", comma(i), shape_of[i],
         body->def.sensor ? "sensor" : sim_types[body->def.type - 1]);
    if (body->name[0]) emit(out, ",\"name\":%q", body->name);
    print_track(out, scene, &record->tracks[i], (double)run->count * scene->dt);
  }
  cli_text_str(out, "]");
}

/* Contacts without a point are counted, but have no mark in the picture. */
static void print_contacts(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record) {
  const double resolution = SIM_TIME_RESOLUTION * scene->dt;
  cli_text_str(out, ",\n\"contacts\":[");
  for (size_t i = 0; i < record->contact_count; i++) {
    const sim_contact *contact = &record->contacts[i];
    const graze_vec p = contact->point, n = contact->normal;
    double size = fmin(record->tracks[contact->a].size, record->tracks[contact->b].size);
    if (i > 0) cli_text_str(out, ",\n");
    sim_print_contact_head(out, contact->t, contact->a, contact->b, resolution);
    if (isfinite(p.x + p.y + p.z + n.x + n.y + n.z)) {
      cli_text_str(out, ",");
      sim_print_vec(out, p, scene->dim, SIM_LENGTH_RESOLUTION * size);
      cli_text_str(out, ",");
      sim_print_vec(out, n, scene->dim, SIM_LENGTH_RESOLUTION);
    }
    cli_text_str(out, "]");
  }
  cli_text_str(out, "],\n\"missed\":[");
  for (size_t i = 0; i < run->exact.count; i++) {
    const sim_miss *miss = &run->exact.misses[i];
    if (i > 0) cli_text_str(out, ",\n");
    sim_print_contact_head(out, miss->t, miss->a, miss->b, resolution);
    cli_text_str(out, "]");
  }
  cli_text_str(out, "]");
}

/* ---- The page */

/* The default view: all bodies at the beginning, and a tenth more. */
static graze_aabb view_of(const sim_scene *scene) {
  if (scene->view.min.x < scene->view.max.x) return scene->view;
  graze_aabb b = sim_scene_bounds(scene);
  double size = fmax(b.max.x - b.min.x, fmax(b.max.y - b.min.y, b.max.z - b.min.z));
  double more = size > 0 ? size / 10 : 1, deep = scene->dim == 2 ? 0 : more;
  return (graze_aabb){{b.min.x - more, b.min.y - more, b.min.z - deep},
                      {b.max.x + more, b.max.y + more, b.max.z + deep}};
}

static void print_head(cli_text *out, const sim_scene *scene, const sim_run *run, const graze_aabb *view) {
  sim_facts parameters = sim_parameters(scene), results = sim_results(run);
  double resolution = SIM_LENGTH_RESOLUTION * fmax(view->max.x - view->min.x, view->max.y - view->min.y);
  emit(out, "{\"kind\":\"simulation\",\"title\":%q,\"note\":%q,\"dim\":%i,\"dt\":%j,\"steps\":%z,\n\"parameters\":",
       scene->title, scene->caption, scene->dim, scene->dt, run->count);
  sim_facts_json(out, &parameters);
  cli_text_str(out, ",\n\"table\":");
  sim_facts_json(out, &results);
  cli_text_str(out, ",\n\"view\":{\"min\":[");
  sim_print_vec(out, view->min, scene->dim, resolution);
  cli_text_str(out, "],\"max\":[");
  sim_print_vec(out, view->max, scene->dim, resolution);
  cli_text_str(out, "]}");
}

void sim_print_page(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record) {
  cli_text json = {0};
  graze_aabb view = view_of(scene);
  size_t *shape_of = calloc(scene->count + 1, sizeof *shape_of);
  if (shape_of == NULL) {
    out->failed = true;
    return;
  }
  print_head(&json, scene, run, &view);
  cli_text_str(&json, ",\n\"shapes\":");
  print_shapes(&json, scene, &view, shape_of);
  print_bodies(&json, scene, run, record, shape_of);
  print_contacts(&json, scene, run, record);
  cli_text_str(&json, "}");
  cli_text_bytes(out, (const char *)player_head, player_head_size);
  cli_text_script(out, &json);
  cli_text_bytes(out, (const char *)player_tail, player_tail_size);
  cli_text_free(&json);
  free(shape_of);
}
