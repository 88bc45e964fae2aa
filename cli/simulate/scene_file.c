/* The parser of scene files: docs/guide/simulate.md lists the keys. */
#include "simulate/simulation.h"

#include "answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWNER_SIZE = 64 }; /* bodies[3].path[2] */

static const double MIN_POSITIVE = 0x1p-1022;
/* A JSON number holds 53 bits. */
static const double MAX_MASK = 9007199254740991.0;

/* ---- Planned trajectories */

static bool read_path(const cli_object *owner, int dim, sim_body *body) {
  static const char *const keys[] = {"t", "position", "rotation", NULL};
  const json_t *list = json_object_get(owner->json, "path");
  size_t count = json_array_size(list);
  double angle = NAN, previous_angle = NAN;
  if (!json_is_array(list) || count == 0)
    return cli_reject_key(owner, CLI_BAD_JSON, "path", "invalid value", "must be a list of keyframes");
  body->path = calloc(count, sizeof *body->path);
  if (body->path == NULL) return cli_reject_memory(owner->error);
  for (size_t i = 0; i < count; i++) {
    sim_keyframe *key = &body->path[i], *last = key - 1;
    char name[OWNER_SIZE];
    snprintf(name, sizeof name, "%s.path[%zu]", owner->name, i);
    const cli_object o = {json_array_get(list, i), name, owner->error};
    key->pose = i > 0 ? last->pose : body->def.pose;
    previous_angle = angle;
    const json_t *rotation = json_object_get(o.json, "rotation");
    if (!json_is_object(o.json))
      return cli_reject_value(o.json, (cli_name){"", name, -1}, CLI_BAD_JSON,
                              "invalid value (%s), must be an object with t and position", o.error);
    if (!cli_check_keys(&o, "a keyframe", keys)) return false;
    for (int k = 0; k < 2; k++)
      if (json_object_get(o.json, keys[k]) == NULL)
        return cli_reject_key(&o, CLI_MISSING, keys[k], "missing", "required for a keyframe");
    if (!cli_get_number(&o, "t", 0, INFINITY, &key->t) || !cli_get_vec(&o, "position", dim, &key->pose.position))
      return false;
    /* The angle of a 2D keyframe, NaN for a pair. Two angles give a rate; otherwise the rotation is the shortest. */
    if (rotation && !json_is_number(rotation)) angle = NAN;
    if (rotation && !cli_read_rotation(rotation, name, dim, &key->pose, &angle, o.error)) return false;
    if (key->pose.w == 0 && key->pose.x == 0 && key->pose.y == 0 && key->pose.z == 0)
      return cli_reject(o.error, CLI_BAD_SHAPE, "%s.rotation: all zero, must have a length > 0", name);
    if (i == 0) continue;
    double time = key->t - last->t;
    if (!(time > 0))
      return cli_reject_key(&o, CLI_BAD_NUMBER, "t", "out of range", "must be > %g, the previous t", last->t);
    last->motion = sim_motion_between(&last->pose, &key->pose, time);
    if (!isnan(previous_angle) && !isnan(angle))
      last->motion.angular = (graze_vec){0, 0, (angle - previous_angle) / time};
    const graze_vec v = last->motion.velocity, w = last->motion.angular;
    if (!(vec_norm_inf(v) <= GRAZE_LARGEST) || !(vec_norm_inf(w) <= GRAZE_LARGEST))
      return cli_reject_key(&o, CLI_BAD_NUMBER, "t", "too close to the previous t", "velocities must be at most 1e40");
    if (body->def.shape.kind == GRAZE_HALFSPACE && !vec_is_zero(w))
      return cli_reject_key(&o, CLI_UNSUPPORTED, "rotation", "not supported",
                            "a half-space must not rotate; use a large box");
  }
  body->path_count = count;
  body->def.pose = sim_path_pose(body, 0);
  return true;
}

/* ---- Bodies */

/* The default type follows from the shape and the path. */
static bool read_motion(const cli_object *o, int dim, sim_body *body) {
  graze_body_def *def = &body->def;
  const bool plane = def->shape.kind == GRAZE_HALFSPACE, path = json_object_get(o->json, "path");
  int type = (path ? GRAZE_KINEMATIC : plane ? GRAZE_STATIC : GRAZE_DYNAMIC) - 1;
  graze_vec *angular = &def->motion.angular;
  if (!cli_get_word(o, "type", sim_types, &type)) return false;
  def->type = (graze_body_type)(type + 1);
  if (plane && def->type == GRAZE_DYNAMIC)
    return cli_reject_key(o, CLI_UNSUPPORTED, "type", "not supported", "a half-space must be static or kinematic");
  if (dim == 2 && json_is_array(json_object_get(o->json, "angular_velocity")))
    return cli_reject_key(o, CLI_DIM_MISMATCH, "angular_velocity", "wrong length", "in 2D it must be one number");
  if (!cli_get_vec(o, "velocity", dim, &def->motion.velocity) ||
      !(dim == 3 ? cli_get_vec(o, "angular_velocity", 3, angular)
                 : cli_get_number(o, "angular_velocity", -INFINITY, INFINITY, &angular->z)))
    return false;
  const bool moves = !vec_is_zero(def->motion.velocity), rotates = !vec_is_zero(*angular);
  const char *key = moves ? "velocity" : "angular_velocity";
  if (def->type == GRAZE_STATIC && (moves || rotates))
    return cli_reject_key(o, CLI_UNSUPPORTED, key, "not supported", "a moving body must be kinematic or dynamic");
  if (plane && rotates)
    return cli_reject_key(o, CLI_UNSUPPORTED, "angular_velocity", "not supported",
                          "a half-space must not rotate; use a large box");
  if (!path) return true;
  if (moves || rotates)
    return cli_reject_key(o, CLI_UNSUPPORTED, key, "not supported", "the path determines the motion; remove the key");
  if (def->type != GRAZE_KINEMATIC)
    return cli_reject(o->error, CLI_UNSUPPORTED, "%s.path: not supported for a %s body, must be kinematic", o->name,
                      sim_types[type]);
  if (json_object_get(json_object_get(o->json, "shape"), "position"))
    return cli_reject(o->error, CLI_UNSUPPORTED,
                      "%s.shape.position: not supported, the path determines the position; remove the key", o->name);
  return read_path(o, dim, body);
}

static bool read_body(const cli_object *o, int dim, int response, cli_models *models, sim_body *body) {
  static const char *const keys[] = {"shape",  "name",   "type",    "velocity", "angular_velocity", "category", "mask",
                                     "sensor", "margin", "respond", "mass",     "bounce",           "path",     NULL};
  graze_body_def *def = &body->def;
  char name[OWNER_SIZE + 8];
  const char *key;
  json_t *value, *shape = json_object_get(o->json, "shape");
  *body = (sim_body){.def = graze_default_body()};
  double category = (double)def->category, mask = (double)def->mask;
  if (!json_is_object(o->json))
    return cli_reject_value(o->json, (cli_name){"", o->name, -1}, CLI_BAD_JSON, "invalid value (%s), must be a body",
                            o->error);
  json_object_foreach(o->json, key, value) { /* keys of shapes that stand beside the shape */
    if (cli_index_of(key, keys) >= 0 || !cli_is_shape_key(key)) continue;
    const char *meant = cli_synonym(key);
    bool same = strcmp(meant, key) == 0;
    return cli_reject(o->error, CLI_UNKNOWN_KEY, "%s.%s: unknown key, must be in %s.shape%s%s%s", o->name, key, o->name,
                      same ? "" : " as \"", same ? "" : meant, same ? "" : "\"");
  }
  snprintf(name, sizeof name, "%s.shape", o->name);
  if (!cli_check_keys(o, "a body", keys) || !cli_get_string(o, "name", body->name, sizeof body->name)) return false;
  if (shape == NULL) return cli_reject(o->error, CLI_MISSING, "%s: missing, must be a placed shape", name);
  if (!cli_body_read(shape, name, dim, CLI_USE_SHAPE, models, &body->shape, o->error)) return false;
  bool good = cli_prepare_body(&body->shape, name, o->error);
  def->shape = body->shape.placed.shape;
  def->pose = body->shape.placed.pose;
  good =
      good && read_motion(o, dim, body) && cli_get_whole(o, "category", 0, MAX_MASK, &category) &&
      cli_get_whole(o, "mask", 0, MAX_MASK, &mask) && cli_get_flag(o, "sensor", &def->sensor) &&
      cli_get_number(o, "margin", 0, INFINITY, &def->margin) && cli_get_word(o, "respond", sim_responses, &response) &&
      cli_get_number(o, "mass", MIN_POSITIVE, INFINITY, &def->mass) && cli_get_number(o, "bounce", 0, 1, &def->bounce);
  if (!good) {
    cli_body_free(&body->shape);
    free(body->path);
    return false;
  }
  /* The default mask has bits that a double cannot represent. */
  if (json_object_get(o->json, "category")) def->category = (uint64_t)category;
  if (json_object_get(o->json, "mask")) def->mask = (uint64_t)mask;
  def->response = (graze_response)response;
  return true;
}

/* ---- The scene */

static bool read_view(const cli_object *o, sim_scene *scene) {
  static const char *const keys[] = {"min", "max", NULL};
  graze_vec *low = &scene->view.min, *high = &scene->view.max;
  if (!cli_check_keys(o, "a view", keys)) return false;
  if (json_object_size(o->json) != 2)
    return cli_reject(o->error, CLI_MISSING, "view: incomplete, must have min and max");
  if (!cli_get_vec(o, "min", scene->dim, low) || !cli_get_vec(o, "max", scene->dim, high)) return false;
  return (low->x < high->x && low->y < high->y && (scene->dim == 2 || low->z < high->z)) ||
         cli_reject(o->error, CLI_BAD_NUMBER, "view: empty, min must be below max");
}

static bool read_scene(const cli_object *o, sim_scene *scene) {
  static const char *const keys[] = {"title",   "note", "dim",     "dt",     "steps", "method",
                                     "respond", "view", "gravity", "bodies", NULL};
  const json_t *list = json_object_get(o->json, "bodies");
  const cli_object view = {json_object_get(o->json, "view"), "view", o->error};
  double dim = 3, steps = (double)scene->steps;
  int method = 0, response = GRAZE_RESPONSE_NONE;
  if (!cli_check_keys(o, "a scene", keys) || !cli_get_number(o, "dim", -INFINITY, INFINITY, &dim)) return false;
  if (dim != 2 && dim != 3) return cli_reject_key(o, CLI_DIM_MISMATCH, "dim", "invalid value", "must be 2 or 3");
  scene->dim = (int)dim;
  if (!cli_get_string(o, "title", scene->title, sizeof scene->title) ||
      !cli_get_string(o, "note", scene->caption, sizeof scene->caption) ||
      !cli_get_number(o, "dt", MIN_POSITIVE, INFINITY, &scene->dt) ||
      !cli_get_whole(o, "steps", 1, SIM_MAX_STEPS, &steps) || !cli_get_word(o, "method", sim_methods, &method) ||
      !cli_get_word(o, "respond", sim_responses, &response))
    return false;
  scene->steps = (size_t)steps;
  scene->method = sim_method_values[method];
  if (view.json && !json_is_object(view.json))
    return cli_reject_key(o, CLI_BAD_JSON, "view", "invalid value", "must be an object with min and max");
  if ((view.json && !read_view(&view, scene)) || !cli_get_vec(o, "gravity", scene->dim, &scene->gravity)) return false;
  const size_t count = json_array_size(list);
  if (!json_is_array(list))
    return cli_reject_key(o, list ? CLI_BAD_JSON : CLI_MISSING, "bodies", list ? "invalid value" : "missing",
                          "must be a list of bodies");
  if (count < 1 || count > SIM_MAX_BODIES)
    return cli_reject(o->error, CLI_UNSUPPORTED, "bodies: wrong number of bodies (%zu), must be from 1 to %d", count,
                      SIM_MAX_BODIES);
  scene->bodies = calloc(count, sizeof *scene->bodies);
  if (scene->bodies == NULL) return cli_reject_memory(o->error);
  for (size_t i = 0; i < count; i++) {
    char name[OWNER_SIZE];
    snprintf(name, sizeof name, "bodies[%zu]", i);
    const cli_object body = {json_array_get(list, i), name, o->error};
    if (!read_body(&body, scene->dim, response, &scene->models, &scene->bodies[i])) return false;
    scene->count++;
  }
  return true;
}

bool sim_scene_read(cli_span text, const char *name, sim_scene *scene, cli_error *error) {
  size_t blanks = 0, types[GRAZE_DYNAMIC + 1] = {0}, sensors = 0;
  *scene = (sim_scene){
      .title = "a scene", .dim = 3, .dt = 1.0 / 60, .steps = 600, .method = CLI_METHOD_AUTO, .models = {.name = name}};
  if (text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0) text = (cli_span){text.data + 3, text.size - 3};
  while (blanks < text.size && text.data[blanks] && strchr(" \t\r\n", text.data[blanks])) blanks++;
  if (blanks == text.size) return cli_reject(error, CLI_BAD_JSON, "input: empty, must be a scene");
  const cli_object o = {cli_json_line(text, error), "", error};
  bool good = o.json && read_scene(&o, scene);
  json_decref(o.json);
  if (!good) {
    sim_scene_free(scene);
    return false;
  }
  for (size_t i = 0; i < scene->count; i++) {
    types[scene->bodies[i].def.type]++;
    sensors += scene->bodies[i].def.sensor;
  }
  sim_fact_add(&scene->facts, "dimensions", "%d", scene->dim);
  sim_fact_add(&scene->facts, "bodies", "%zu: %zu dynamic, %zu kinematic, %zu static", scene->count,
               types[GRAZE_DYNAMIC], types[GRAZE_KINEMATIC], types[GRAZE_STATIC]);
  if (sensors > 0) sim_fact_add(&scene->facts, "sensors", "%zu", sensors);
  return true;
}
