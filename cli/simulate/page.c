/* What was recorded, as the page reads it: docs/simulate.md. */
#include "simulate/playing.h"

#include "simulate/numbers.h"
#include "simulate/page.h"
#include "simulate/report.h"

#include <math.h>
#include <stdlib.h>

/* [t, position, rotation, velocity, angular velocity], the rotation of length 1. In force for `time`. */
static void put_key(cli_text *out, const sim_scene *scene, const sim_stop *key, double size, double time) {
  const graze_pose *p = &key->pose;
  int dim = scene->dim;
  double length = sqrt(p->w * p->w + p->x * p->x + p->y * p->y + p->z * p->z), least = SIM_LEAST_PLACE / 10;
  cli_text_str(out, "[");
  sim_put_number(out, key->t, SIM_LEAST_TIME * scene->dt);
  cli_text_str(out, ",");
  sim_put_vec(out, p->position, dim, least * size);
  cli_text_str(out, ",");
  sim_put_number(out, p->w / length, least);
  cli_text_str(out, ",");
  if (dim == 2)
    sim_put_number(out, p->z / length, least);
  else
    sim_put_vec(out, (graze_vec){p->x / length, p->y / length, p->z / length}, 3, least);
  cli_text_str(out, ",");
  sim_put_vec(out, key->motion.velocity, dim, least * size / time);
  cli_text_str(out, ",");
  if (dim == 2)
    sim_put_number(out, key->motion.angular.z, least / time);
  else
    sim_put_vec(out, key->motion.angular, 3, least / time);
  cli_text_str(out, "]");
}

static void put_track(cli_text *out, const sim_scene *scene, const sim_track *track, double end) {
  double least = SIM_LEAST_TIME * scene->dt;
  cli_text_str(out, ",\"keys\":[");
  for (size_t i = 0; i < track->key_count; i++) {
    const sim_stop *key = &track->keys[i];
    double time = (i + 1 < track->key_count ? key[1].t : end) - key->t;
    if (i > 0) cli_text_str(out, ",");
    put_key(out, scene, key, track->size, fmax(time, scene->dt));
  }
  cli_text_str(out, "],\"red\":[");
  for (size_t i = 0; i < track->red_count; i++) {
    cli_text_str(out, i > 0 ? ",[" : "[");
    sim_put_number(out, track->red[i][0], least);
    cli_text_str(out, ",");
    sim_put_number(out, track->red[i][1], least);
    cli_text_str(out, "]");
  }
  cli_text_str(out, "]}");
}

static void put_bodies(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record,
                       const size_t *shape_of) {
  cli_text_str(out, ",\n\"bodies\":[");
  for (size_t i = 0; i < scene->count; i++) {
    const sim_body *body = &scene->bodies[i];
    cli_text_str(out, i > 0 ? ",\n{\"shape\":" : "\n{\"shape\":");
    cli_text_int(out, (long long)shape_of[i]);
    cli_text_str(out, ",\"type\":");
    cli_text_quoted(out, body->def.sensor ? "sensor" : sim_type_text(body->def.type));
    if (body->name[0]) {
      cli_text_str(out, ",\"name\":");
      cli_text_quoted(out, body->name);
    }
    put_track(out, scene, &record->tracks[i], (double)run->count * scene->dt);
  }
  cli_text_str(out, "]");
}

/* Contacts without a known place are counted, and shown nowhere. */
static void put_contact(cli_text *out, const sim_scene *scene, const sim_record *record, const sim_contact *contact) {
  graze_vec p = contact->point, n = contact->normal;
  double size = fmin(record->tracks[contact->a].size, record->tracks[contact->b].size);
  sim_put_meeting(out, contact->t, contact->a, contact->b, SIM_LEAST_TIME * scene->dt);
  if (isfinite(p.x + p.y + p.z + n.x + n.y + n.z)) {
    cli_text_str(out, ",");
    sim_put_vec(out, p, scene->dim, SIM_LEAST_PLACE * size);
    cli_text_str(out, ",");
    sim_put_vec(out, n, scene->dim, SIM_LEAST_PLACE);
  }
  cli_text_str(out, "]");
}

static void put_meetings(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record) {
  cli_text_str(out, ",\n\"contacts\":[");
  for (size_t i = 0; i < record->contact_count; i++) {
    if (i > 0) cli_text_str(out, ",\n");
    put_contact(out, scene, record, &record->contacts[i]);
  }
  cli_text_str(out, "],\n\"missed\":[");
  for (size_t i = 0; i < run->exact.count; i++) {
    const sim_miss *miss = &run->exact.misses[i];
    if (i > 0) cli_text_str(out, ",\n");
    sim_put_meeting(out, miss->t, miss->a, miss->b, SIM_LEAST_TIME * scene->dt);
    cli_text_str(out, "]");
  }
  cli_text_str(out, "]");
}

/* Where nothing else is said: all bodies as they begin, and a tenth more. */
static graze_aabb view_of(const sim_scene *scene) {
  if (scene->view.min.x < scene->view.max.x) return scene->view;
  graze_aabb b = sim_scene_bounds(scene);
  double size = fmax(b.max.x - b.min.x, fmax(b.max.y - b.min.y, b.max.z - b.min.z));
  double more = size > 0 ? size / 10 : 1, deep = scene->dim == 2 ? 0 : more;
  return (graze_aabb){{b.min.x - more, b.min.y - more, b.min.z - deep},
                      {b.max.x + more, b.max.y + more, b.max.z + deep}};
}

static void put_head(cli_text *out, const sim_scene *scene, const sim_run *run, const graze_aabb *view) {
  sim_facts parameters = sim_parameters(scene), results = sim_results(run);
  double least = SIM_LEAST_PLACE * fmax(view->max.x - view->min.x, view->max.y - view->min.y);
  cli_text_str(out, "{\"kind\":\"simulation\",\"title\":");
  cli_text_quoted(out, scene->title);
  cli_text_str(out, ",\"note\":");
  cli_text_quoted(out, scene->note);
  cli_text_str(out, ",\"dim\":");
  cli_text_int(out, scene->dim);
  cli_text_str(out, ",\"dt\":");
  cli_text_number(out, scene->dt);
  cli_text_str(out, ",\"steps\":");
  cli_text_int(out, (long long)run->count);
  cli_text_str(out, ",\n\"parameters\":");
  sim_facts_json(out, &parameters);
  cli_text_str(out, ",\n\"table\":");
  sim_facts_json(out, &results);
  cli_text_str(out, ",\n\"view\":{\"min\":[");
  sim_put_vec(out, view->min, scene->dim, least);
  cli_text_str(out, "],\"max\":[");
  sim_put_vec(out, view->max, scene->dim, least);
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
  put_head(&json, scene, run, &view);
  cli_text_str(&json, ",\n\"shapes\":");
  sim_print_shapes(&json, scene, &view, shape_of);
  put_bodies(&json, scene, run, record, shape_of);
  put_meetings(&json, scene, run, record);
  cli_text_str(&json, "}");
  cli_text_bytes(out, (const char *)player_head, player_head_size);
  cli_text_script(out, &json);
  cli_text_bytes(out, (const char *)player_tail, player_tail_size);
  cli_text_free(&json);
  free(shape_of);
}
