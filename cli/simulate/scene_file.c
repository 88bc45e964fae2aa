/* A scene file: docs/simulate.md. */
#include "simulate/reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const KEYS[] = {"title",   "note", "dim",     "dt",     "steps", "method",
                                   "respond", "view", "gravity", "bodies", NULL};

static bool read_dim(const json_t *root, sim_scene *scene, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  const json_t *value = json_object_get(root, "dim");
  double dim = 3;
  if (value && !cli_read_number(value, (cli_name){"", "dim", -1}, &dim, complaint)) return false;
  if (dim != 2 && dim != 3)
    return cli_reject(complaint, CLI_DIM_MISMATCH, "dim = %s: neither 2 nor 3", cli_show(value, shown));
  scene->dim = (int)dim;
  return true;
}

static bool read_view(const json_t *root, sim_scene *scene, cli_error *complaint) {
  static const char *const keys[] = {"min", "max", NULL};
  char shown[CLI_SHOWN_SIZE];
  json_t *view = json_object_get(root, "view");
  graze_vec *low = &scene->view.min, *high = &scene->view.max;
  if (view == NULL) return true;
  if (!json_is_object(view))
    return cli_reject(complaint, CLI_BAD_JSON, "view = %s: not an object with min and max", cli_show(view, shown));
  if (!sim_check_keys(view, "view", "view", keys, complaint)) return false;
  if (json_object_size(view) != 2)
    return cli_reject(complaint, CLI_MISSING, "view has both min and max, or is left out");
  if (!sim_read_vec(view, "view", "min", scene->dim, low, complaint) ||
      !sim_read_vec(view, "view", "max", scene->dim, high, complaint))
    return false;
  return (low->x < high->x && low->y < high->y && (scene->dim == 2 || low->z < high->z)) ||
         cli_reject(complaint, CLI_BAD_NUMBER, "view: min is not below max");
}

static bool read_manner(const json_t *root, sim_scene *scene, graze_response *respond, cli_error *complaint) {
  int method = 0, response = 0;
  uint64_t steps = scene->steps;
  double smallest = 0x1p-1022; /* above 0 */
  if (!sim_read_number(root, "", "dt", smallest, INFINITY, &scene->dt, complaint) ||
      !sim_read_whole(root, "", "steps", 1, SIM_MOST_STEPS, &steps, complaint) ||
      !sim_read_word(root, "", "method", sim_methods, &method, complaint) ||
      !sim_read_word(root, "", "respond", sim_responses, &response, complaint))
    return false;
  scene->steps = (size_t)steps;
  sim_method_of(sim_methods[method], &scene->method);
  *respond = (graze_response)response;
  return true;
}

static bool read_head(json_t *root, sim_scene *scene, graze_response *respond, cli_error *complaint) {
  return sim_check_keys(root, "", "scene", KEYS, complaint) && read_dim(root, scene, complaint) &&
         sim_read_string(root, "", "title", scene->title, sizeof scene->title, complaint) &&
         sim_read_string(root, "", "note", scene->note, sizeof scene->note, complaint) &&
         read_manner(root, scene, respond, complaint) && read_view(root, scene, complaint) &&
         sim_read_vec(root, "", "gravity", scene->dim, &scene->gravity, complaint);
}

static bool read_bodies(const json_t *root, graze_response respond, sim_scene *scene, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  const json_t *list = json_object_get(root, "bodies");
  size_t count = json_array_size(list);
  if (list == NULL) return cli_reject(complaint, CLI_MISSING, "bodies is missing");
  if (!json_is_array(list))
    return cli_reject(complaint, CLI_BAD_JSON, "bodies = %s: not a list of bodies", cli_show(list, shown));
  if (count < 1 || count > SIM_MOST_BODIES)
    return cli_reject(complaint, CLI_UNSUPPORTED, "bodies has %zu; a scene has 1 to %d", count, SIM_MOST_BODIES);
  scene->bodies = calloc(count, sizeof *scene->bodies);
  if (scene->bodies == NULL) return cli_reject_memory(complaint);
  for (size_t i = 0; i < count; i++) {
    json_t *object = json_array_get(list, i);
    if (!sim_read_body(object, i, scene->dim, respond, &scene->bodies[i], complaint)) return false;
    scene->count++;
  }
  return true;
}

static void name_facts(sim_scene *scene) {
  size_t types[GRAZE_DYNAMIC + 1] = {0}, sensors = 0;
  for (size_t i = 0; i < scene->count; i++) {
    types[scene->bodies[i].def.type]++;
    sensors += scene->bodies[i].def.sensor;
  }
  sim_fact_add(&scene->facts, "dimensions", "%d", scene->dim);
  sim_fact_add(&scene->facts, "bodies", "%zu: %zu dynamic, %zu kinematic, %zu static", scene->count,
               types[GRAZE_DYNAMIC], types[GRAZE_KINEMATIC], types[GRAZE_STATIC]);
  if (sensors > 0) sim_fact_add(&scene->facts, "of these sensors", "%zu", sensors);
}

static bool is_empty(cli_span text) {
  size_t i = 0;
  while (i < text.size && strchr(" \t\r\n", text.data[i]) && text.data[i]) i++;
  return i == text.size;
}

bool sim_scene_read(cli_span text, sim_scene *scene, cli_error *complaint) {
  graze_response respond = GRAZE_RESPONSE_NONE;
  *scene = (sim_scene){.dim = 3, .dt = 1.0 / 60, .steps = 600, .method = GRAZE_METHOD_AUTO};
  memcpy(scene->title, "a scene", sizeof "a scene");
  if (text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0) text = (cli_span){text.data + 3, text.size - 3};
  if (is_empty(text)) return cli_reject(complaint, CLI_BAD_JSON, "it is empty");
  json_t *root = cli_json_line(text, complaint);
  bool good = root && read_head(root, scene, &respond, complaint) && read_bodies(root, respond, scene, complaint);
  json_decref(root);
  if (good)
    name_facts(scene);
  else
    sim_scene_free(scene);
  return good;
}
