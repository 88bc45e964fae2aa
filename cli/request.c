/* Requests: the tables of queries, methods and motions, and the parser of query lines (docs/guide/command-line.md). */
#include "queries.h"

#include "vec.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tables */

/* The kinds of queries that a method answers, and the kind of a query. */
enum { AT_REST = 1, RAY = 2, MOVING = 4, POINT_SETS = 8, ONLY_AUTO = 16 };
/* The properties of a query. */
enum { DISTANCE = 1, ONE_SHAPE = 2, MOTION = 4 };

static const struct query_row {
  const char *name;
  unsigned properties, kind;
  cli_use use; /* of `a` */
  const char *help;
} queries[] = {
    [CLI_INTERSECT] = {"intersect", 0, AT_REST, CLI_USE_SHAPE, "do a and b intersect?"},
    [CLI_DISTANCE] = {"distance", DISTANCE, AT_REST, CLI_USE_SHAPE, "their distance, or minus the penetration depth"},
    [CLI_PENETRATION] = {"penetration", DISTANCE, AT_REST, CLI_USE_SHAPE, "the same as distance"},
    [CLI_OBB] = {"obb", DISTANCE, AT_REST, CLI_USE_SHAPE, "the same for two boxes, with their best separating axis"},
    [CLI_MANIFOLD] = {"manifold", DISTANCE, AT_REST, CLI_USE_SHAPE,
                      "the same, with contact points (\"full\":true: the whole contact polygon)"},
    [CLI_MINKOWSKI] = {"minkowski", 0, POINT_SETS, CLI_USE_SHAPE,
                       "the Minkowski difference of polytopes (\"of\":\"sum\": their sum)"},
    [CLI_SHAPECAST] = {"shapecast", MOTION, MOVING, CLI_USE_SHAPE, "a and b translate: the time of first contact"},
    [CLI_TOI] = {"toi", MOTION, MOVING, CLI_USE_SHAPE, "a and b translate and rotate: the time of first contact"},
    [CLI_RAYCAST] = {"raycast", ONE_SHAPE | MOTION, RAY, CLI_USE_SHAPE, "the first point of a on a ray"},
    [CLI_AABB] = {"aabb", ONE_SHAPE, AT_REST, CLI_USE_BOUNDS, "the axis-aligned bounding box of a"},
    [CLI_HULL] = {"hull", ONE_SHAPE, ONLY_AUTO, CLI_USE_POINTS, "the convex hull of the vertices of a"},
    [CLI_FIT_BOX] = {"fit_box", ONE_SHAPE, ONLY_AUTO, CLI_USE_POINTS,
                     "a small box around the vertices of a (3D: \"effort\": fast or best)"},
    [CLI_CONVEXITY] = {"convexity", ONE_SHAPE, ONLY_AUTO, CLI_USE_OUTLINE, "is polygon a convex and simple?"},
    [CLI_DECOMPOSE] = {"decompose", ONE_SHAPE, ONLY_AUTO, CLI_USE_RINGS,
                       "convex pieces of polygon a (\"splitting\": auto, few or fewest)"},
};

/* Methods without a value of the library are functions of compare.h, which need AUTO. */
static const struct method_row {
  const char *name;
  unsigned kinds;
  graze_method rest;
  graze_cast_method cast;
} methods[] = {
    [CLI_METHOD_AUTO] = {"auto", AT_REST | RAY | MOVING | POINT_SETS | ONLY_AUTO, GRAZE_METHOD_AUTO, GRAZE_CAST_AUTO},
    [CLI_METHOD_GJK] = {"gjk", AT_REST, GRAZE_METHOD_GJK, GRAZE_CAST_AUTO},
    [CLI_METHOD_EXACT] = {"exact", AT_REST, GRAZE_METHOD_EXACT, GRAZE_CAST_AUTO},
    [CLI_METHOD_SAT] = {"sat", AT_REST, GRAZE_METHOD_AUTO, GRAZE_CAST_AUTO},
    [CLI_METHOD_EPA] = {"epa", AT_REST, GRAZE_METHOD_EPA, GRAZE_CAST_AUTO},
    [CLI_METHOD_BRUTE] = {"brute", AT_REST | POINT_SETS, GRAZE_METHOD_AUTO, GRAZE_CAST_AUTO},
    [CLI_METHOD_FCCD] = {"fccd", RAY | MOVING, GRAZE_METHOD_AUTO, GRAZE_CAST_FCCD},
    [CLI_METHOD_SWEEP] = {"sweep", MOVING, GRAZE_METHOD_AUTO, GRAZE_CAST_SWEEP},
    [CLI_METHOD_LCCD] = {"lccd", MOVING, GRAZE_METHOD_AUTO, GRAZE_CAST_AUTO},
    [CLI_METHOD_CA] = {"ca", MOVING, GRAZE_METHOD_AUTO, GRAZE_CAST_CA},
    [CLI_METHOD_DISCRETE] = {"discrete", MOVING, GRAZE_METHOD_AUTO, GRAZE_CAST_AUTO},
};
enum { QUERY_COUNT = sizeof queries / sizeof *queries, MAX_SAMPLES = 1000000 };

const char *const cli_splittings[] = {"auto", "few", "fewest", NULL};

const char *cli_query_text(cli_query query) { return queries[query].name; }
bool cli_query_has_distance(cli_query query) { return queries[query].properties & DISTANCE; }
bool cli_query_has_one_shape(cli_query query) { return queries[query].properties & ONE_SHAPE; }
bool cli_query_has_motion(cli_query query) { return queries[query].properties & MOTION; }

static const struct method_row *find_method(const char *word) {
  for (size_t i = 0; i < CLI_METHOD_COUNT; i++)
    if (strcmp(methods[i].name, word) == 0) return &methods[i];
  return NULL;
}

const char *cli_method_text(cli_method method) { return methods[method].name; }

/* Lists the methods for a kind of query. The list ends with NULL. */
static void list_methods(unsigned kind, const char *names[CLI_METHOD_COUNT + 1]) {
  size_t count = 0;
  for (size_t i = 0; i < CLI_METHOD_COUNT; i++)
    if (methods[i].kinds & kind) names[count++] = methods[i].name;
  names[count] = NULL;
}

void cli_print_queries(cli_text *text) {
  for (int one = 0; one < 2; one++) {
    cli_text_str(text, one ? "queries about one placed shape, a:\n" : "queries about two placed shapes, a and b:\n");
    for (size_t i = 0; i < QUERY_COUNT; i++)
      if (cli_query_has_one_shape((cli_query)i) == (one == 1))
        cli_text_format(text, "   %-12s %s\n", queries[i].name, queries[i].help);
  }
  cli_text_str(text, "methods:\n");
  static const struct {
    const char *title;
    unsigned kind;
  } kinds[] = {{"shapes at rest", AT_REST}, {"shapecast, toi", MOVING}, {"raycast", RAY}, {"minkowski", POINT_SETS}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const char *names[CLI_METHOD_COUNT + 1];
    list_methods(kinds[k].kind, names);
    cli_text_format(text, "   %-22s", kinds[k].title);
    for (size_t i = 0; names[i]; i++) cli_text_format(text, i > 0 ? ", %s" : "%s", names[i]);
    cli_text_str(text, "\n");
  }
  cli_text_str(text, "\n");
  cli_print_shapes(text);
}

/* ---- Top-level keys */

static bool read_query(const cli_object *o, cli_request *r) {
  const char *names[QUERY_COUNT + 1] = {NULL};
  int query = 0;
  const json_t *value = cli_get(o->json, "query");
  char choice[CLI_CHOICE_SIZE];
  for (size_t i = 0; i < QUERY_COUNT; i++) names[i] = queries[i].name;
  if (value == NULL) return cli_reject(o->error, CLI_MISSING, "query: missing, %s", cli_choice("", names, choice));
  const struct method_row *method = find_method(json_is_string(value) ? json_string_value(value) : "");
  if (method)
    return cli_reject_key(o, CLI_UNKNOWN_QUERY, "query", "a method",
                          "write for instance \"query\":\"%s\",\"method\":\"%s\"",
                          method->kinds & AT_REST ? "distance" : "shapecast", method->name);
  if (!cli_get_word(o, "query", names, &query)) {
    o->error->code = CLI_UNKNOWN_QUERY;
    return false;
  }
  r->query = (cli_query)query;
  return true;
}

bool cli_set_method(cli_request *r, cli_method method) {
  r->method = method;
  r->options.method = methods[method].rest;
  r->cast.method = methods[method].cast;
  return methods[method].kinds & queries[r->query].kind;
}

static bool read_method(const cli_object *o, cli_request *r) {
  const char *names[CLI_METHOD_COUNT + 1];
  const json_t *value = json_object_get(o->json, "method");
  const struct method_row *row = find_method(json_is_string(value) ? json_string_value(value) : "");
  unsigned kind = queries[r->query].kind;
  char choice[CLI_CHOICE_SIZE];
  int index = 0;
  list_methods(kind, names);
  if (row == NULL || (row->kinds & kind)) {
    if (!cli_get_word(o, "method", names, &index)) return false;
    return row == NULL || cli_set_method(r, (cli_method)(row - methods));
  }
  return cli_reject_key(o, CLI_UNSUPPORTED, "method", "not supported", "for %s it %s", cli_query_text(r->query),
                        cli_choice("", names, choice));
}

static bool read_options(const cli_object *o, cli_request *r) {
  static const char *const boxes[] = {"aabb", "obb", NULL}, *const sets[] = {"difference", "sum", NULL},
                           *const efforts[] = {"fast", "best", NULL};
  graze_options *options = &r->options;
  int filter = -1, of = 0, effort = 0, splitting = 0;
  double budget = options->max_iterations, samples = 64;
  if (!cli_get_word(o, "filter", boxes, &filter) || !cli_get_word(o, "of", sets, &of) ||
      (r->query == CLI_FIT_BOX && !cli_get_word(o, "effort", efforts, &effort)) ||
      (r->query == CLI_DECOMPOSE && !cli_get_word(o, "splitting", cli_splittings, &splitting)))
    return false;
  r->filter = (cli_filter)(CLI_FILTER_AABB + filter);
  r->of = of == 1 ? GRAZE_MINKOWSKI_SUM : GRAZE_MINKOWSKI_DIFFERENCE;
  r->effort = effort == 1 ? GRAZE_BEST : GRAZE_FAST;
  r->splitting = (graze_splitting)splitting;
  if (json_object_get(o->json, "samples") && r->method != CLI_METHOD_DISCRETE)
    return cli_reject_key(o, CLI_UNSUPPORTED, "samples", "not supported", "method must be discrete, not %s",
                          cli_method_text(r->method));
  /* Some JSON writers write null for infinity. */
  bool limited = cli_get(o->json, "max_distance");
  bool good = (!limited || cli_get_number(o, "max_distance", 0, INFINITY, &options->max_distance)) &&
              cli_get_vec(o, "start", r->dim, &options->start) &&
              cli_get_number(o, "clearance", 0, INFINITY, &options->clearance) &&
              cli_get_number(o, "tolerance", 0, INFINITY, &options->tolerance) &&
              cli_get_whole(o, "max_iterations", 1, INFINITY, &budget) &&
              cli_get_whole(o, "samples", 2, MAX_SAMPLES, &samples) &&
              cli_get_flag(o, "certificate", &r->certificate) && cli_get_flag(o, "proof", &r->proof) &&
              cli_get_flag(o, "trace", &r->trace) && cli_get_flag(o, "full", &r->full);
  options->max_iterations = budget < INT_MAX ? (int)budget : INT_MAX;
  r->samples = (int)samples;
  /* All other options of casts, because graze-verify is not linked with graze_default_cast_options(). */
  r->cast.clearance = options->clearance;
  r->cast.tolerance = options->tolerance;
  r->cast.max_iterations = options->max_iterations;
  return good;
}

/* ---- Motion */

static const struct motion_row {
  const char *name;
  const char *keys[8];
} motions[] = {
    {"ray", {"type", "t_max", "origin", "direction"}},
    {"linear", {"type", "t_max", "velocity_a", "velocity_b"}},
    {"rotational", {"type", "t_max", "velocity_a", "velocity_b", "angular_velocity_a", "angular_velocity_b"}},
};
enum { MOTION_COUNT = sizeof motions / sizeof *motions };

/* In 2D, a number: the rate about the z axis. */
static bool read_angular(const cli_object *o, const char *key, int dim, graze_vec *out) {
  return dim == 3 ? cli_get_vec(o, key, 3, out) : cli_get_number(o, key, -INFINITY, INFINITY, &out->z);
}

static bool read_motion(const cli_object *line, cli_request *r) {
  static const char *const types[][3] = {{"ray"}, {"linear"}, {"rotational", "linear"}};
  const char *const *allowed = types[r->query == CLI_RAYCAST ? 0 : r->query == CLI_SHAPECAST ? 1 : 2];
  const cli_object o = {cli_get(line->json, "motion"), "motion", line->error};
  static const char *const all[] = {
      "type", "t_max", "origin", "direction", "velocity_a", "velocity_b", "angular_velocity_a", "angular_velocity_b",
      NULL};
  cli_motion *m = &r->motion;
  char choice[CLI_CHOICE_SIZE], what[32];
  int type = 0;
  /* Unknown keys are rejected also if the query does not use the motion. */
  const char *name = json_string_value(json_object_get(o.json, "type"));
  const struct motion_row *row = NULL;
  for (size_t i = 0; name && i < MOTION_COUNT; i++)
    if (strcmp(motions[i].name, name) == 0) row = &motions[i];
  if (o.json && !json_is_object(o.json))
    return cli_reject_key(line, CLI_BAD_JSON, "motion", "invalid value", "must be an object");
  snprintf(what, sizeof what, "a %s motion", row ? row->name : "");
  if (!(row ? cli_check_keys(&o, what, row->keys) : cli_check_keys(&o, "a motion", all))) return false;
  if (!cli_query_has_motion(r->query)) return true;
  const char *query = cli_query_text(r->query);
  cli_choice("", allowed, choice);
  if (o.json == NULL) return cli_reject(o.error, CLI_MISSING, "motion: missing, for %s its type %s", query, choice);
  if (json_object_get(o.json, "type") == NULL)
    return cli_reject_key(&o, CLI_MISSING, "type", "missing", "for %s it %s", query, choice);
  if (!cli_get_word(&o, "type", allowed, &type)) return false;
  if (r->query == CLI_RAYCAST && cli_get(line->json, "b"))
    return cli_reject_key(line, CLI_UNSUPPORTED, "b", "not supported", "raycast has one shape, a; shapecast moves two");
  if (r->filter)
    return cli_reject_key(line, CLI_UNSUPPORTED, "filter", "not supported", "%s has no filter; intersect has one",
                          query);
  if (r->trace)
    return cli_reject_key(line, CLI_UNSUPPORTED, "trace", "not supported",
                          "%s has no trace; intersect and distance have", query);
  for (const char *const *key = row->keys; *key; key++)
    if (strcmp(*key, "t_max") != 0 && json_object_get(o.json, *key) == NULL)
      return cli_reject_key(&o, CLI_MISSING, *key, "missing", "required for type %s", row->name);
  graze_vec origin = {0, 0, 0};
  bool ray = r->query == CLI_RAYCAST;
  if (!cli_get_vec(&o, "origin", r->dim, &origin) || !cli_get_vec(&o, "velocity_a", r->dim, &m->a.velocity) ||
      !cli_get_vec(&o, ray ? "direction" : "velocity_b", r->dim, &m->b.velocity) ||
      !read_angular(&o, "angular_velocity_a", r->dim, &m->a.angular) ||
      !read_angular(&o, "angular_velocity_b", r->dim, &m->b.angular))
    return false;
  graze_shape point = r->dim == 2 ? graze_point2() : graze_point();
  if (ray) r->b.placed = graze_place(&point, graze_pose_at(origin.x, origin.y, origin.z));
  m->t_max = INFINITY;
  if (cli_get(o.json, "t_max")) return cli_get_number(&o, "t_max", 0, INFINITY, &m->t_max);
  return ray || cli_reject(o.error, CLI_MISSING,
                           "motion.t_max: missing, must be a number for %s; only a ray can be unbounded", query);
}

bool cli_turns(const cli_motion *motion) { return !vec_is_zero(motion->a.angular) || !vec_is_zero(motion->b.angular); }

/* ---- The whole */

/* Rejects queries that do not support these shapes. */
static bool check_shapes(const cli_object *o, const cli_request *r) {
  const cli_object motion = {cli_get(o->json, "motion"), "motion", o->error};
  const graze_shape_kind a = r->a.placed.shape.kind, b = r->b.placed.shape.kind;
  const cli_body *body = cli_has_parts(&r->a) ? &r->a : cli_has_parts(&r->b) ? &r->b : NULL;
  const char *name = body == &r->a ? "a" : "b", *what = body && body->mesh ? "a mesh" : "a compound";
  const char *plane = a == GRAZE_HALFSPACE && !vec_is_zero(r->motion.a.angular)   ? "angular_velocity_a"
                      : b == GRAZE_HALFSPACE && !vec_is_zero(r->motion.b.angular) ? "angular_velocity_b"
                                                                                  : NULL;
  if (plane)
    return cli_reject_key(&motion, CLI_UNSUPPORTED, plane, "not supported",
                          "a half-space must not rotate; use a large box");
  if (r->query == CLI_OBB && (a != GRAZE_BOX || b != GRAZE_BOX))
    return cli_reject_key(o, CLI_UNSUPPORTED, "query", "not supported",
                          "%s is not a box: use distance, or \"filter\":\"obb\" for the boxes around the shapes",
                          a == GRAZE_BOX ? "b" : "a");
  if (body == NULL || cli_query_has_one_shape(r->query) || r->filter) return true;
  if (r->query == CLI_MINKOWSKI)
    return cli_reject_key(o, CLI_UNSUPPORTED, "query", "not supported",
                          "%s is %s: use its parts, or intersect or distance", name, what);
  if (r->method != CLI_METHOD_AUTO && !cli_query_has_motion(r->query))
    return cli_reject_key(o, CLI_UNSUPPORTED, "method", "not supported", "must be auto: %s is %s", name, what);
  return !r->trace ||
         cli_reject_key(o, CLI_UNSUPPORTED, "trace", "not supported", "%s is %s: query two parts", name, what);
}

bool cli_request_read(const cli_line *line, cli_request *r, cli_error *error) {
  *r = (cli_request){.id = cli_json_id(line->text),
                     .certificate = true,
                     .options = graze_default_options(),
                     .cast = {.min_distance = true}};
  if (line->too_long) return cli_reject(error, CLI_BAD_JSON, "line: too long, must be at most 64 MiB");
  const cli_object o = {cli_json_line(line->text, error), "", error};
  if (o.json == NULL) return false;
  const json_t *id = cli_get(o.json, "id");
  bool good = id == NULL || json_is_string(id) || json_is_number(id) ||
              cli_reject_key(&o, CLI_BAD_JSON, "id", "invalid value", "must be a string or a number");
  double dim = 3;
  good = good && read_query(&o, r) && cli_get_number(&o, "dim", -INFINITY, INFINITY, &dim);
  if (good && dim != 2 && dim != 3)
    good = cli_reject_key(&o, CLI_DIM_MISMATCH, "dim", "invalid value", "must be 2 or 3");
  r->dim = dim == 2 ? 2 : 3;
  good = good && read_method(&o, r) && read_options(&o, r) && read_motion(&o, r);
  json_t *a = cli_get(o.json, "a"), *b = cli_get(o.json, "b");
  const bool one = good && cli_query_has_one_shape(r->query);
  if (good && a == NULL) good = cli_reject(error, CLI_MISSING, "a: missing, must be a placed shape");
  if (good && b == NULL && !one)
    good = cli_reject(error, CLI_MISSING, "b: missing, must be a placed shape for %s", cli_query_text(r->query));
  good = good && cli_body_read(a, "a", r->dim, queries[r->query].use, line->models, &r->a, error) &&
         (one || cli_body_read(b, "b", r->dim, CLI_USE_SHAPE, line->models, &r->b, error)) && check_shapes(&o, r);
  json_decref(o.json);
  if (!good) cli_request_free(r);
  return good;
}

void cli_request_free(cli_request *r) {
  free(r->cast.steps);
  cli_body_free(&r->a);
  cli_body_free(&r->b);
}
