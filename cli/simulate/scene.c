#include "simulate/scene.h"

#include "error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sim_types[] = {"static", "kinematic", "dynamic", NULL};
const char *const sim_methods[] = {"auto", "fccd", "sweep", "lccd", "ca", "discrete", NULL};
const char *const sim_responses[] = {"none", "stop", "slide", "bounce", NULL};

static int find(const char *const *words, const char *word) {
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], word) == 0) return i;
  return -1;
}

bool sim_method_of(const char *word, graze_method *method) {
  return find(sim_methods, word) >= 0 && cli_method_of(word, method);
}

bool sim_response_of(const char *word, graze_response *response) {
  int i = find(sim_responses, word);
  if (i >= 0) *response = (graze_response)i;
  return i >= 0;
}

const char *sim_type_text(graze_body_type type) { return sim_types[type - 1]; }

const char *sim_choice_text(const char *word, const char *const *words, char out[SIM_CHOICE_SIZE]) {
  char hint[CLI_HINT_SIZE];
  size_t count = 0, used = 0;
  while (words[count]) count++;
  for (size_t i = 0; i < count && used < SIM_CHOICE_SIZE; i++) {
    const char *before = i == 0 ? "not one of " : i + 1 < count ? ", " : " and ";
    used += (size_t)snprintf(out + used, SIM_CHOICE_SIZE - used, "%s%s", before, words[i]);
  }
  if (used < SIM_CHOICE_SIZE)
    snprintf(out + used, SIM_CHOICE_SIZE - used, "%s", cli_hint(word, words, count, sizeof *words, hint));
  return out;
}

bool sim_is_zero(graze_vec v) { return v.x == 0 && v.y == 0 && v.z == 0; }

void sim_scene_free(sim_scene *scene) {
  for (size_t i = 0; i < scene->count; i++) {
    cli_body_free(&scene->bodies[i].shape);
    free(scene->bodies[i].path);
  }
  free(scene->bodies);
  *scene = (sim_scene){.count = 0};
}

static graze_vec lesser(graze_vec u, graze_vec v) {
  return (graze_vec){fmin(u.x, v.x), fmin(u.y, v.y), fmin(u.z, v.z)};
}
static graze_vec greater(graze_vec u, graze_vec v) {
  return (graze_vec){fmax(u.x, v.x), fmax(u.y, v.y), fmax(u.z, v.z)};
}

graze_aabb sim_scene_bounds(const sim_scene *scene) {
  graze_aabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, one;
  for (size_t i = 0; i < scene->count; i++) {
    const sim_body *body = &scene->bodies[i];
    graze_placed placed = graze_place(&body->def.shape, body->def.pose);
    if (graze_bounds(&placed, &one) != GRAZE_OK) continue;
    all = (graze_aabb){lesser(all.min, one.min), greater(all.max, one.max)};
    for (size_t k = 0; k < body->path_count; k++) {
      graze_set_pose(&placed, body->path[k].pose);
      if (graze_bounds(&placed, &one) == GRAZE_OK)
        all = (graze_aabb){lesser(all.min, one.min), greater(all.max, one.max)};
    }
  }
  if (all.min.x > all.max.x) all = (graze_aabb){{-1, -1, -1}, {1, 1, 1}};
  if (scene->dim == 2) all.min.z = all.max.z = 0;
  return all;
}

static bool turn_one(double room, double position, double *velocity) {
  bool out = (position > room && *velocity > 0) || (position < -room && *velocity < 0);
  if (out) *velocity = -*velocity;
  return out;
}

bool sim_turn_round(double room, graze_vec position, graze_vec *velocity) {
  bool x = turn_one(room, position.x, &velocity->x), y = turn_one(room, position.y, &velocity->y);
  return turn_one(room, position.z, &velocity->z) || x || y;
}
