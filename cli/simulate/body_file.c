/* One body of a scene file. */
#include "simulate/reading.h"

#include "asked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const KEYS[] = {"shape",  "name",   "type",    "velocity", "angular_velocity", "category", "mask",
                                   "sensor", "margin", "respond", "mass",     "bounce",           "path",     NULL};

/* A JSON number holds so many bits. */
static const double MOST_BITS = 9007199254740991.0;

typedef struct body_reading {
  json_t *object;
  char owner[SIM_OWNER_SIZE];
  int dim;
  sim_body *body;
  cli_error *complaint;
} body_reading;

static bool has(const body_reading *r, const char *key) { return json_object_get(r->object, key) != NULL; }

static bool read_shape(body_reading *r) {
  char owner[SIM_OWNER_SIZE + 8];
  json_t *shape = json_object_get(r->object, "shape");
  if (shape == NULL) return cli_reject(r->complaint, CLI_MISSING, "%s.shape is missing", r->owner);
  snprintf(owner, sizeof owner, "%s.shape", r->owner);
  cli_body *body = &r->body->shape;
  if (!cli_body_read(shape, owner, r->dim, CLI_USE_SHAPE, body, r->complaint)) return false;
  if (!cli_split_body(body, owner, r->complaint)) return false;
  r->body->def.shape = body->placed.shape;
  r->body->def.pose = body->placed.pose;
  return true;
}

/* What says nothing moves as its shape and its path suggest. */
static bool read_type(body_reading *r) {
  bool plane = r->body->def.shape.kind == GRAZE_HALFSPACE;
  int type = (has(r, "path") ? GRAZE_KINEMATIC : plane ? GRAZE_STATIC : GRAZE_DYNAMIC) - 1;
  if (!sim_read_word(r->object, r->owner, "type", sim_types, &type, r->complaint)) return false;
  r->body->def.type = (graze_body_type)(type + 1);
  if (plane && r->body->def.type == GRAZE_DYNAMIC)
    return cli_reject(r->complaint, CLI_UNSUPPORTED, "%s.type = \"dynamic\": a half-space is static or kinematic",
                      r->owner);
  return true;
}

static bool read_turning(body_reading *r) {
  graze_vec *angular = &r->body->def.motion.angular;
  if (r->dim == 3) return sim_read_vec(r->object, r->owner, "angular_velocity", 3, angular, r->complaint);
  char shown[CLI_SHOWN_SIZE];
  const json_t *value = json_object_get(r->object, "angular_velocity");
  if (json_is_array(value))
    return cli_reject(r->complaint, CLI_DIM_MISMATCH, "%s.angular_velocity = %s: in 2D one number, radians per time",
                      r->owner, cli_show(value, shown));
  return sim_read_number(r->object, r->owner, "angular_velocity", -INFINITY, INFINITY, &angular->z, r->complaint);
}

static bool read_motion(body_reading *r) {
  graze_body_def *def = &r->body->def;
  if (!sim_read_vec(r->object, r->owner, "velocity", r->dim, &def->motion.velocity, r->complaint) || !read_turning(r))
    return false;
  bool goes = !sim_is_zero(def->motion.velocity), turns = !sim_is_zero(def->motion.angular);
  const char *key = goes ? "velocity" : "angular_velocity";
  if (def->type == GRAZE_STATIC && (goes || turns))
    return cli_reject(r->complaint, CLI_UNSUPPORTED, "%s.%s: a static body does not move; a \"kinematic\" one does",
                      r->owner, key);
  if (def->shape.kind == GRAZE_HALFSPACE && turns)
    return cli_reject(r->complaint, CLI_UNSUPPORTED, "%s.angular_velocity: a half-space does not turn; a large box may",
                      r->owner);
  if (has(r, "path") && (goes || turns))
    return cli_reject(r->complaint, CLI_UNSUPPORTED, "%s.%s: the path says how the body moves; leave it out", r->owner,
                      key);
  return true;
}

static bool read_path(body_reading *r) {
  if (!has(r, "path")) return true;
  if (r->body->def.type != GRAZE_KINEMATIC)
    return cli_reject(r->complaint, CLI_UNSUPPORTED, "%s.path: only a \"kinematic\" body follows one, and this is %s",
                      r->owner, sim_type_text(r->body->def.type));
  if (json_object_get(json_object_get(r->object, "shape"), "position"))
    return cli_reject(r->complaint, CLI_UNSUPPORTED, "%s.shape.position: the path says where the body is; leave it out",
                      r->owner);
  if (!sim_read_path(json_object_get(r->object, "path"), r->owner, r->dim, r->body, r->complaint)) return false;
  for (size_t i = 0; r->body->def.shape.kind == GRAZE_HALFSPACE && i < r->body->path_count; i++)
    if (!sim_is_zero(r->body->path[i].motion.angular))
      return cli_reject(r->complaint, CLI_UNSUPPORTED,
                        "%s.path[%zu].rotation: a half-space does not turn; a large box may", r->owner, i + 1);
  return true;
}

static bool read_sensor(body_reading *r) {
  char shown[CLI_SHOWN_SIZE];
  const json_t *value = json_object_get(r->object, "sensor");
  if (value && !json_is_boolean(value))
    return cli_reject(r->complaint, CLI_BAD_JSON, "%s.sensor = %s: neither true nor false", r->owner,
                      cli_show(value, shown));
  r->body->def.sensor = json_is_true(value);
  return true;
}

static bool read_contact(body_reading *r) {
  graze_body_def *def = &r->body->def;
  int respond = (int)def->response;
  double tiny = 0x1p-1022; /* above 0 */
  bool good = sim_read_whole(r->object, r->owner, "category", 0, MOST_BITS, &def->category, r->complaint) &&
              sim_read_whole(r->object, r->owner, "mask", 0, MOST_BITS, &def->mask, r->complaint) && read_sensor(r) &&
              sim_read_number(r->object, r->owner, "margin", 0, INFINITY, &def->margin, r->complaint) &&
              sim_read_word(r->object, r->owner, "respond", sim_responses, &respond, r->complaint) &&
              sim_read_number(r->object, r->owner, "mass", tiny, INFINITY, &def->mass, r->complaint) &&
              sim_read_number(r->object, r->owner, "bounce", 0, 1, &def->bounce, r->complaint);
  def->response = (graze_response)respond;
  return good;
}

bool sim_read_body(json_t *object, size_t index, int dim, graze_response respond, sim_body *body,
                   cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  body_reading r = {.object = object, .dim = dim, .body = body, .complaint = complaint};
  snprintf(r.owner, sizeof r.owner, "bodies[%zu]", index);
  *body = (sim_body){.def = graze_default_body()};
  body->def.response = respond;
  if (!json_is_object(object))
    return cli_reject(complaint, CLI_BAD_JSON, "%s = %s: not a body", r.owner, cli_show(object, shown));
  bool good = sim_check_beside_shape(object, r.owner, KEYS, complaint) &&
              sim_check_keys(object, r.owner, "body", KEYS, complaint) &&
              sim_read_string(object, r.owner, "name", body->name, sizeof body->name, complaint) && read_shape(&r) &&
              read_type(&r) && read_motion(&r) && read_path(&r) && read_contact(&r);
  if (!good) {
    cli_body_free(&body->shape);
    free(body->path);
  }
  return good;
}
