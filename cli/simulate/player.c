/* The page of a run: the recording as JSON between the two halves of the page in page/. */
#include "explain/story.h"
#include "simulate/simulation.h"

#include <math.h>
#include <stdlib.h>

/* Numbers with the digits down to the resolution, and the text before them. */
static void print_numbers(cli_text *out, const char *before, const double *numbers, int count, double resolution) {
  for (int i = 0; i < count; i++) {
    cli_text_str(out, i > 0 ? "," : before);
    sim_print_number(out, numbers[i], resolution);
  }
}

static void print_vec(cli_text *out, const char *before, graze_vec v, int dim, double resolution) {
  print_numbers(out, before, (const double[]){v.x, v.y, v.z}, dim, resolution);
}

/* ---- Shapes in the body frame: closed meshes of convex polygons, in 2D closed outlines */

/* A shape that is being written. */
typedef struct drawing {
  int dim;
  double size; /* of the whole shape */
  bool failed;
  cli_text vertices, faces; /* 2D: faces contains the outlines */
  size_t vertex_count, face_count;
} drawing;

/* Adds the convex hull of points. */
static void draw_points(drawing *d, const graze_vec *points, size_t count) {
  graze_hull hull;
  graze_status status = graze_hull_create(points, count, d->dim, NULL, &hull, NULL);
  if (status == GRAZE_OUT_OF_MEMORY) d->failed = true;
  if (status != GRAZE_OK) return;
  for (size_t f = 0; d->dim == 3 && f < hull.face_count; f++) {
    const int32_t begin = hull.face_start[f], end = hull.face_start[f + 1];
    for (int32_t k = begin; k < end; k++)
      emit(&d->faces, "%s%i",
           k > begin             ? ","
           : d->face_count++ > 0 ? ",["
                                 : "[",
           (int)d->vertex_count + hull.face_vertices[k]);
    cli_text_str(&d->faces, "]");
  }
  cli_text *list = d->dim == 3 ? &d->vertices : &d->faces;
  if (d->dim == 2) cli_text_str(list, d->face_count++ > 0 ? ",[" : "[");
  for (size_t i = 0; i < hull.vertex_count; i++) {
    bool first = d->dim == 3 ? d->vertex_count++ == 0 : i == 0;
    print_vec(list, first ? "[" : ",[", hull.vertices[i], d->dim, SIM_LENGTH_RESOLUTION * d->size);
    cli_text_str(list, "]");
  }
  if (d->dim == 2) cli_text_str(list, "]");
  graze_hull_destroy(&hull);
}

/* A half-space becomes a plate that is as large as the view. */
static void draw_halfspace(drawing *d, const graze_body_def *def, const graze_aabb *view) {
  const graze_vec n = vec_unit(def->shape.as.halfspace.normal), p = def->pose.position;
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

static void print_shape(cli_text *out, const graze_body_def *def, const graze_aabb *view) {
  enum { MAX_FACES = 20000 };
  const bool halfspace = def->shape.kind == GRAZE_HALFSPACE;
  drawing d = {.dim = def->shape.dim, .size = sim_size_of(&def->shape)};
  graze_placed whole = graze_place(&def->shape, graze_pose_at(0, 0, 0));
  if (halfspace) draw_halfspace(&d, def, view);
  /* A mesh of many faces is drawn as its convex hull. */
  const size_t part_count = graze_part_count(&whole);
  const bool all = def->shape.kind == GRAZE_COMPOUND || (def->shape.kind == GRAZE_MESH && part_count <= MAX_FACES);
  for (size_t i = 0; !halfspace && i < (all ? part_count : 1) && !d.failed; i++) {
    story_body body = {&whole, .placed = whole, .part = all ? (int32_t)i : -1};
    if (all) body.placed = graze_part(&whole, i, &body.frame);
    size_t count;
    bool smooth;
    graze_vec *points = mesh_points(&body, &count, &smooth);
    if (points)
      draw_points(&d, points, count);
    else
      d.failed = true;
    free(points);
  }
  if (d.failed) out->failed = true;
  emit(out, d.dim == 3 ? "{\"vertices\":[%t],\"faces\":[%t]}" : "{\"outlines\":[%t%t]}", &d.vertices, &d.faces);
  cli_text_free(&d.vertices);
  cli_text_free(&d.faces);
}

/* A list of the different shapes; shape_of[i] receives the index of that of body i. Half-spaces are all different. */
static void print_shapes(cli_text *out, const sim_scene *scene, const graze_aabb *view, size_t *shape_of) {
  size_t *first = calloc(scene->count + 1, sizeof *first), count = 0; /* the first body of each shape */
  if (first == NULL) out->failed = true;
  for (size_t i = 0; first && i < scene->count; i++) {
    const graze_body_def *def = &scene->bodies[i].def;
    const bool shared = def->shape.kind != GRAZE_HALFSPACE;
    size_t k = 0;
    while (k < count && !(shared && graze_shape_equal(&scene->bodies[first[k]].def.shape, &def->shape))) k++;
    shape_of[i] = k;
    if (k < count) continue;
    first[count++] = i;
    emit(out, "%s\n", comma(k));
    print_shape(out, def, view);
  }
  free(first);
}

/* ---- Bodies and contacts */

/* [t, position, rotation, velocity, angular velocity], the rotation of length 1; valid for `time`. */
static void print_keyframe(cli_text *out, const sim_scene *scene, const sim_keyframe *key, double size, double time) {
  const graze_pose *p = &key->pose;
  const graze_vec angular = key->motion.angular;
  const bool flat = scene->dim == 2;
  const double length = sqrt(p->w * p->w + p->x * p->x + p->y * p->y + p->z * p->z);
  const double resolution = SIM_LENGTH_RESOLUTION / 10;
  const double w = p->w / length, x = p->x / length, y = p->y / length, z = p->z / length;
  print_numbers(out, "[", &key->t, 1, SIM_TIME_RESOLUTION * scene->dt);
  print_vec(out, ",", p->position, scene->dim, resolution * size);
  print_numbers(out, ",", flat ? (const double[]){w, z} : (const double[]){w, x, y, z}, flat ? 2 : 4, resolution);
  print_vec(out, ",", key->motion.velocity, scene->dim, resolution * size / time);
  print_vec(out, ",", flat ? (graze_vec){angular.z, 0, 0} : angular, flat ? 1 : 3, resolution / time);
  cli_text_str(out, "]");
}

static void print_body(cli_text *out, const sim_scene *scene, const sim_track *track, double end) {
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
    print_numbers(out, i > 0 ? ",[" : "[", track->intervals[i], 2, resolution);
    cli_text_str(out, "]");
  }
  cli_text_str(out, "]}");
}

/* Contacts without a point are counted, but have no mark in the picture. */
static void print_contacts(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record) {
  cli_text_str(out, "],\n\"contacts\":[");
  for (size_t i = 0; i < record->contact_count; i++) {
    const sim_contact *c = &record->contacts[i];
    const graze_vec p = c->point, n = c->normal;
    double size = fmin(record->tracks[c->a].size, record->tracks[c->b].size);
    print_numbers(out, i > 0 ? ",\n[" : "[", &c->t, 1, SIM_TIME_RESOLUTION * scene->dt);
    emit(out, ",%z,%z", c->a, c->b);
    if (isfinite(p.x + p.y + p.z + n.x + n.y + n.z)) {
      print_vec(out, ",", p, scene->dim, SIM_LENGTH_RESOLUTION * size);
      print_vec(out, ",", n, scene->dim, SIM_LENGTH_RESOLUTION);
    }
    cli_text_str(out, "]");
  }
  cli_text_str(out, "],\n\"missed\":[");
  for (size_t i = 0; i < run->exact.count; i++) {
    const sim_miss *miss = &run->exact.misses[i];
    print_numbers(out, i > 0 ? ",\n[" : "[", &miss->t, 1, SIM_TIME_RESOLUTION * scene->dt);
    emit(out, ",%z,%z]", miss->a, miss->b);
  }
  cli_text_str(out, "]}");
}

/* ---- The page */

void sim_print_page(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record) {
  cli_text json = {0};
  graze_aabb view = scene->view;
  if (!(view.min.x < view.max.x)) { /* all bodies at the beginning, and a tenth more */
    view = sim_scene_bounds(scene);
    const double size = vec_norm_inf(vec_sub(view.max, view.min)), more = size > 0 ? size / 10 : 1;
    const graze_vec border = {more, more, scene->dim == 2 ? 0 : more};
    view = (graze_aabb){vec_sub(view.min, border), vec_add(view.max, border)};
  }
  const double resolution = SIM_LENGTH_RESOLUTION * fmax(view.max.x - view.min.x, view.max.y - view.min.y);
  sim_facts parameters = sim_parameters(scene), results = sim_results(run);
  size_t *shape_of = calloc(scene->count + 1, sizeof *shape_of);
  if (shape_of == NULL) {
    out->failed = true;
    return;
  }
  emit(&json, "{\"kind\":\"simulation\",\"title\":%q,\"note\":%q,\"dim\":%i,\"dt\":%j,\"steps\":%z,\n\"parameters\":",
       scene->title, scene->caption, scene->dim, scene->dt, run->count);
  sim_facts_json(&json, &parameters);
  cli_text_str(&json, ",\n\"table\":");
  sim_facts_json(&json, &results);
  print_vec(&json, ",\n\"view\":{\"min\":[", view.min, scene->dim, resolution);
  print_vec(&json, "],\"max\":[", view.max, scene->dim, resolution);
  cli_text_str(&json, "]},\n\"shapes\":[");
  print_shapes(&json, scene, &view, shape_of);
  cli_text_str(&json, "],\n\"bodies\":[");
  for (size_t i = 0; i < scene->count; i++) {
    const sim_body *body = &scene->bodies[i];
    emit(&json, "%s\n{\"shape\":%z,\"type\":%q", comma(i), shape_of[i],
         body->def.sensor ? "sensor" : sim_types[body->def.type - 1]);
    if (body->name[0]) emit(&json, ",\"name\":%q", body->name);
    print_body(&json, scene, &record->tracks[i], (double)run->count * scene->dt);
  }
  print_contacts(&json, scene, run, record);
  cli_text_bytes(out, (const char *)player_head, player_head_size);
  cli_text_script(out, &json);
  cli_text_bytes(out, (const char *)player_tail, player_tail_size);
  cli_text_free(&json);
  free(shape_of);
}
