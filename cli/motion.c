/* Reading what moves. */
#include "question.h"

#include "names.h"

#include <math.h>
#include <string.h>

enum { RAY = 1, LINEAR = 2, ROTATIONAL = 4 };

typedef struct word_row {
  const char *name;
  unsigned types;
} word_row;

static const word_row kinds[] = {{"ray", RAY}, {"linear", LINEAR}, {"rotational", ROTATIONAL}};
static const word_row keys[] = {
    {"type", RAY | LINEAR | ROTATIONAL},
    {"t_max", RAY | LINEAR | ROTATIONAL},
    {"origin", RAY},
    {"direction", RAY},
    {"velocity_a", LINEAR | ROTATIONAL},
    {"velocity_b", LINEAR | ROTATIONAL},
    {"angular_velocity_a", ROTATIONAL},
    {"angular_velocity_b", ROTATIONAL},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds, KEY_COUNT = sizeof keys / sizeof *keys };

static json_t *get(const json_t *root, const char *key) {
  json_t *value = json_object_get(root, key);
  return json_is_null(value) ? NULL : value;
}

/* 0: no motion has this type. */
static unsigned type_of(const json_t *motion) {
  const char *type = json_string_value(json_object_get(motion, "type"));
  for (size_t i = 0; type && i < KIND_COUNT; i++)
    if (strcmp(kinds[i].name, type) == 0) return kinds[i].types;
  return 0;
}

/* A misspelt key must not be silent, also where shapes are at rest and the motion is not used. */
static bool check_keys(json_t *motion, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE], hint[CLI_HINT_SIZE];
  const char *type = json_string_value(json_object_get(motion, "type")), *key;
  json_t *value;
  unsigned types = type_of(motion);
  if (motion && !json_is_object(motion))
    return cli_reject(complaint, CLI_BAD_JSON, "motion = %s: not an object", cli_show(motion, shown));
  json_object_foreach(motion, key, value) {
    size_t i = 0;
    while (i < KEY_COUNT && strcmp(keys[i].name, key) != 0) i++;
    if (i == KEY_COUNT)
      return cli_reject(complaint, CLI_UNKNOWN_KEY, "motion.%.60s: no motion has this key%s", key,
                        cli_hint(key, keys, KEY_COUNT, sizeof *keys, hint));
    if (types && !(keys[i].types & types))
      return cli_reject(complaint, CLI_UNKNOWN_KEY, "motion.%s does not belong to a %s motion", key, type);
  }
  return true;
}

/* The motions of which the query needs one. */
static unsigned types_of(cli_query query) {
  return query == CLI_RAYCAST ? RAY : query == CLI_SHAPECAST ? LINEAR : LINEAR | ROTATIONAL;
}

static const char *words_of(cli_query query) {
  return query == CLI_RAYCAST ? "\"ray\"" : query == CLI_SHAPECAST ? "\"linear\"" : "\"rotational\" or \"linear\"";
}

static bool check_type(const json_t *motion, const cli_request *q, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  const char *query = cli_query_text(q->query), *wanted = words_of(q->query);
  const json_t *type = json_object_get(motion, "type");
  if (motion == NULL)
    return cli_reject(complaint, CLI_MISSING, "motion is missing; %s needs one of type %s", query, wanted);
  if (type == NULL) return cli_reject(complaint, CLI_MISSING, "motion.type is missing; %s needs %s", query, wanted);
  if (type_of(motion) & types_of(q->query)) return true;
  return cli_reject(complaint, CLI_UNSUPPORTED, "motion.type = %s: %s needs %s%s", cli_show(type, shown), query, wanted,
                    type_of(motion) == ROTATIONAL ? "; toi is about bodies that turn" : "");
}

/* What is asked of shapes at rest only. */
static bool check_options(const json_t *root, const cli_request *q, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  const char *query = cli_query_text(q->query);
  if (q->query == CLI_RAYCAST && get(root, "b"))
    return cli_reject(complaint, CLI_UNSUPPORTED, "b = %s: raycast is about one shape, a; shapecast moves two",
                      cli_show(get(root, "b"), shown));
  if (q->filter)
    return cli_reject(complaint, CLI_UNSUPPORTED, "filter = %s: not for %s; leave it out, or ask intersect",
                      cli_show(json_object_get(root, "filter"), shown), query);
  return !q->trace || cli_reject(complaint, CLI_UNSUPPORTED,
                                 "trace = true: %s is not traced in this version; intersect and distance are", query);
}

static bool read_vec(const json_t *motion, const char *key, int dim, graze_vec *out, cli_error *complaint) {
  const json_t *value = json_object_get(motion, key);
  if (value == NULL) return cli_reject(complaint, CLI_MISSING, "motion.%s is missing", key);
  return cli_read_vec(value, (cli_name){"motion", key, -1}, dim, out, complaint);
}

static bool read_t_max(const json_t *motion, cli_request *q, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  const json_t *value = get(motion, "t_max");
  double *t_max = &q->motion.t_max;
  *t_max = INFINITY;
  if (value == NULL && q->query == CLI_RAYCAST) return true;
  if (value == NULL)
    return cli_reject(complaint, CLI_MISSING, "motion.t_max is missing; %s needs a number, only a ray may be unbounded",
                      cli_query_text(q->query));
  if (!cli_read_number(value, (cli_name){"motion", "t_max", -1}, t_max, complaint)) return false;
  return *t_max >= 0 || cli_reject(complaint, CLI_BAD_NUMBER, "motion.t_max = %s: negative", cli_show(value, shown));
}

static bool read_ray(const json_t *motion, cli_request *q, cli_error *complaint) {
  graze_vec origin;
  if (!read_vec(motion, "origin", q->dim, &origin, complaint) ||
      !read_vec(motion, "direction", q->dim, &q->motion.b.velocity, complaint))
    return false;
  graze_shape point = q->dim == 2 ? graze_point2() : graze_point();
  q->b.placed = graze_place(&point, graze_pose_at(origin.x, origin.y, origin.z));
  return true;
}

/* In 2D a number, about the axis that points at the reader. */
static bool read_turning(const json_t *motion, const char *key, int dim, graze_vec *out, cli_error *complaint) {
  const json_t *value = json_object_get(motion, key);
  if (dim == 3 || value == NULL) return read_vec(motion, key, dim, out, complaint);
  return cli_read_number(value, (cli_name){"motion", key, -1}, &out->z, complaint);
}

static bool read_bodies(const json_t *motion, cli_request *q, cli_error *complaint) {
  cli_motion *m = &q->motion;
  if (!read_vec(motion, "velocity_a", q->dim, &m->a.velocity, complaint) ||
      !read_vec(motion, "velocity_b", q->dim, &m->b.velocity, complaint))
    return false;
  return type_of(motion) == LINEAR || (read_turning(motion, "angular_velocity_a", q->dim, &m->a.angular, complaint) &&
                                       read_turning(motion, "angular_velocity_b", q->dim, &m->b.angular, complaint));
}

static bool is_zero(graze_vec v) { return v.x == 0 && v.y == 0 && v.z == 0; }

bool cli_turns(const cli_motion *motion) { return !is_zero(motion->a.angular) || !is_zero(motion->b.angular); }

static bool check_plane(const json_t *root, const char *key, const cli_body *body, graze_vec angular,
                        cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  if (body->placed.shape.kind != GRAZE_HALFSPACE || is_zero(angular)) return true;
  return cli_reject(complaint, CLI_UNSUPPORTED, "motion.%s = %s: a half-space does not turn; a large box may", key,
                    cli_show(json_object_get(get(root, "motion"), key), shown));
}

bool cli_check_turning(const json_t *root, const cli_request *q, cli_error *complaint) {
  return check_plane(root, "angular_velocity_a", &q->a, q->motion.a.angular, complaint) &&
         check_plane(root, "angular_velocity_b", &q->b, q->motion.b.angular, complaint);
}

bool cli_read_motion(const json_t *root, cli_request *q, cli_error *complaint) {
  json_t *motion = get(root, "motion");
  if (!check_keys(motion, complaint)) return false;
  if (!cli_query_has_motion(q->query)) return true;
  if (!check_type(motion, q, complaint) || !check_options(root, q, complaint)) return false;
  bool good = q->query == CLI_RAYCAST ? read_ray(motion, q, complaint) : read_bodies(motion, q, complaint);
  return good && read_t_max(motion, q, complaint);
}
