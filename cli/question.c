/* Reading a question: which query, by which method, about which bodies. */
#include "question.h"

#include "names.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const queries[] = {
    [CLI_INTERSECT] = "intersect",
    [CLI_DISTANCE] = "distance",
    [CLI_PENETRATION] = "penetration",
    [CLI_OBB] = "obb",
    [CLI_MANIFOLD] = "manifold",
    [CLI_MINKOWSKI] = "minkowski",
    [CLI_SHAPECAST] = "shapecast",
    [CLI_TOI] = "toi",
    [CLI_RAYCAST] = "raycast",
    [CLI_AABB] = "aabb",
    [CLI_HULL] = "hull",
    [CLI_FIT_BOX] = "fit_box",
    [CLI_CONVEXITY] = "convexity",
    [CLI_DECOMPOSE] = "decompose",
};
enum { QUERY_COUNT = sizeof queries / sizeof *queries };

/* What a method answers: questions about bodies at rest, rays, bodies in motion. */
enum { REST = 1, RAYS = 2, MOTION = 4 };

typedef struct method_row {
  const char *name;
  unsigned answers;
  graze_method method;
} method_row;

static const method_row methods[] = {
    {"auto", REST | RAYS | MOTION, GRAZE_METHOD_AUTO},
    {"gjk", REST, GRAZE_METHOD_GJK},
    {"exact", REST, GRAZE_METHOD_EXACT},
    {"sat", REST, GRAZE_METHOD_SAT},
    {"epa", REST, GRAZE_METHOD_EPA},
    {"brute", REST, GRAZE_METHOD_BRUTE},
    {"fccd", RAYS | MOTION, GRAZE_METHOD_FCCD},
    {"sweep", MOTION, GRAZE_METHOD_SWEEP},
    {"lccd", MOTION, GRAZE_METHOD_LCCD},
    {"ca", MOTION, GRAZE_METHOD_CA},
    {"discrete", MOTION, GRAZE_METHOD_DISCRETE},
};
enum { METHOD_COUNT = sizeof methods / sizeof *methods, MOST_SAMPLES = 1000000 };

const char *cli_query_text(cli_query query) { return queries[query]; }

bool cli_query_has_distance(cli_query query) {
  return query == CLI_DISTANCE || query == CLI_PENETRATION || query == CLI_OBB || query == CLI_MANIFOLD;
}

bool cli_query_has_one_shape(cli_query query) { return query >= CLI_RAYCAST; }

bool cli_query_has_motion(cli_query query) { return query == CLI_SHAPECAST || query == CLI_TOI || query == CLI_RAYCAST; }

static const method_row *find_method(const char *word) {
  for (size_t i = 0; i < METHOD_COUNT; i++)
    if (strcmp(methods[i].name, word) == 0) return &methods[i];
  return NULL;
}

bool cli_method_of(const char *word, graze_method *method) {
  const method_row *row = find_method(word);
  if (row) *method = row->method;
  return row != NULL;
}

const char *cli_method_text(graze_method method) {
  size_t i = 0;
  while (methods[i].method != method) i++;
  return methods[i].name;
}

/* A top-level value that may be null, which means absent. Other keys are read with json_object_get(), and null is a
 * value of the wrong type there. */
static json_t *get(const json_t *root, const char *key) {
  json_t *value = json_object_get(root, key);
  return json_is_null(value) ? NULL : value;
}

static cli_name top(const char *key) { return (cli_name){"", key, -1}; }

static bool read_query(const json_t *root, cli_request *q, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE], hint[CLI_HINT_SIZE];
  const json_t *value = get(root, "query");
  if (value == NULL)
    return cli_reject(complaint, CLI_MISSING,
                      "query is missing; ask intersect, distance, penetration, obb, manifold, minkowski, shapecast, "
                      "toi, raycast, aabb, hull, fit_box, convexity or decompose");
  const char *word = json_string_value(value) ? json_string_value(value) : "";
  for (size_t i = 0; i < QUERY_COUNT; i++) {
    if (strcmp(queries[i], word) != 0) continue;
    q->query = (cli_query)i;
    return true;
  }
  const method_row *method = find_method(word);
  if (method)
    return cli_reject(complaint, CLI_UNKNOWN_QUERY,
                      "query = %s: that is a method; ask for instance \"query\":\"%s\",\"method\":\"%s\"",
                      cli_show(value, shown), method->answers & REST ? "distance" : "shapecast", word);
  return cli_reject(complaint, CLI_UNKNOWN_QUERY, "query = %s: no query has this name%s", cli_show(value, shown),
                    cli_hint(word, queries, QUERY_COUNT, sizeof *queries, hint));
}

static bool read_dim(const json_t *root, cli_request *q, cli_error *complaint) {
  double dim = 3;
  const json_t *value = json_object_get(root, "dim");
  if (value && !cli_read_number(value, top("dim"), &dim, complaint)) return false;
  char shown[CLI_SHOWN_SIZE];
  if (dim != 2 && dim != 3)
    return cli_reject(complaint, CLI_DIM_MISMATCH, "dim = %s: neither 2 nor 3", cli_show(value, shown));
  q->dim = (int)dim;
  return true;
}

static bool method_answers(const method_row *row, cli_query query) {
  bool plain = row->method == GRAZE_METHOD_AUTO;
  if (cli_query_has_motion(query)) return row->answers & (query == CLI_RAYCAST ? RAYS : MOTION);
  if (!(row->answers & REST)) return false;
  if (query == CLI_MINKOWSKI) return plain || row->method == GRAZE_METHOD_BRUTE;
  return plain || query == CLI_AABB || !cli_query_has_one_shape(query);
}

static const char *methods_of(cli_query query) {
  if (query == CLI_RAYCAST) return "auto and fccd do";
  if (cli_query_has_motion(query)) return "auto, fccd, sweep, lccd, ca and discrete do";
  if (cli_query_has_one_shape(query)) return "only auto does";
  return query == CLI_MINKOWSKI ? "auto and brute do" : "auto, gjk, exact, sat, epa and brute do";
}

static bool read_method(const json_t *root, cli_request *q, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE], hint[CLI_HINT_SIZE];
  const json_t *value = json_object_get(root, "method");
  if (value == NULL) return true;
  const char *word = json_string_value(value) ? json_string_value(value) : "", *others = methods_of(q->query);
  const method_row *row = find_method(word);
  if (row) {
    q->options.method = row->method;
    return method_answers(row, q->query) ||
           cli_reject(complaint, CLI_UNSUPPORTED, "method = \"%s\" does not answer %s; %s", word,
                      cli_query_text(q->query), others);
  }
  return cli_reject(complaint, CLI_UNSUPPORTED, "method = %s: no method has this name%s; of those that are known, %s",
                    cli_show(value, shown), cli_hint(word, methods, METHOD_COUNT, sizeof *methods, hint), others);
}

/* A key whose value is one of some words, the last of them NULL: *choice is its number, or as it was where there is
 * none.
 */
static bool read_choice(const json_t *root, const char *key, const char *const words[], int *choice,
                        cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE], known[64] = "";
  const json_t *value = json_object_get(root, key);
  const char *word = json_string_value(value);
  if (value == NULL) return true;
  for (int i = 0; words[i]; i++) {
    if (word && strcmp(word, words[i]) == 0) {
      *choice = i;
      return true;
    }
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s\"%s\"", i == 0 ? "" : ", ", words[i]);
  }
  return cli_reject(complaint, CLI_UNSUPPORTED, "%s = %s: not one of %s", key, cli_show(value, shown), known);
}

static bool read_choices(const json_t *root, cli_request *q, cli_error *complaint) {
  static const char *const boxes[] = {"aabb", "obb", NULL}, *const sets[] = {"difference", "sum", NULL},
                           *const efforts[] = {"fast", "best", NULL},
                           *const splittings[] = {"auto", "few", "fewest", NULL};
  int filter = -1, of = 0, effort = 0, splitting = 0;
  bool good = read_choice(root, "filter", boxes, &filter, complaint) && read_choice(root, "of", sets, &of, complaint) &&
              (q->query != CLI_FIT_BOX || read_choice(root, "effort", efforts, &effort, complaint)) &&
              (q->query != CLI_DECOMPOSE || read_choice(root, "splitting", splittings, &splitting, complaint));
  q->filter = (cli_filter)(CLI_FILTER_AABB + filter);
  q->of = of == 1 ? GRAZE_MINKOWSKI_SUM : GRAZE_MINKOWSKI_DIFFERENCE;
  q->effort = effort == 1 ? GRAZE_BEST : GRAZE_FAST;
  q->splitting = (graze_splitting)splitting;
  return good;
}

static bool read_flag(const json_t *root, const char *key, bool *flag, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  const json_t *value = json_object_get(root, key);
  if (value == NULL) return true;
  if (!json_is_boolean(value))
    return cli_reject(complaint, CLI_BAD_JSON, "%s = %s: neither true nor false", key, cli_show(value, shown));
  *flag = json_is_true(value);
  return true;
}

/* A number >= 0. */
static bool read_size(const json_t *root, const char *key, double *out, cli_error *complaint) {
  const json_t *value = json_object_get(root, key);
  if (value == NULL) return true;
  if (!cli_read_number(value, top(key), out, complaint)) return false;
  char shown[CLI_SHOWN_SIZE];
  return *out >= 0 || cli_reject(complaint, CLI_BAD_NUMBER, "%s = %s: negative", key, cli_show(value, shown));
}

static bool read_budget(const json_t *root, graze_options *options, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  double budget = 1;
  const json_t *value = json_object_get(root, "max_iterations");
  if (value == NULL) return true;
  if (!read_size(root, "max_iterations", &budget, complaint)) return false;
  if (budget < 1 || budget != floor(budget))
    return cli_reject(complaint, CLI_BAD_NUMBER, "max_iterations = %s: not a whole number from 1 on",
                      cli_show(value, shown));
  options->max_iterations = budget < INT_MAX ? (int)budget : INT_MAX;
  return true;
}

/* How many moments the method looks at that knows no others. */
static bool read_samples(const json_t *root, graze_options *options, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  double samples = 0;
  const json_t *value = json_object_get(root, "samples");
  if (value == NULL) return true;
  if (options->method != GRAZE_METHOD_DISCRETE)
    return cli_reject(complaint, CLI_UNSUPPORTED, "samples = %s: only the method discrete looks at samples, not %s",
                      cli_show(value, shown), cli_method_text(options->method));
  if (!cli_read_number(value, top("samples"), &samples, complaint)) return false;
  if (!(samples >= 2 && samples <= MOST_SAMPLES) || samples != floor(samples))
    return cli_reject(complaint, CLI_BAD_NUMBER, "samples = %s: not a whole number from 2 to %d",
                      cli_show(value, shown), MOST_SAMPLES);
  options->samples = (int)samples;
  return true;
}

static bool read_options(const json_t *root, cli_request *q, cli_error *complaint) {
  graze_options *o = &q->options;
  const json_t *start = json_object_get(root, "start");
  /* null is how some writers put infinity */
  if (get(root, "max_distance") && !read_size(root, "max_distance", &o->max_distance, complaint)) return false;
  if (start && !cli_read_vec(start, top("start"), q->dim, &o->start, complaint)) return false;
  return read_size(root, "clearance", &o->clearance, complaint) &&
         read_size(root, "tolerance", &o->tolerance, complaint) && read_budget(root, o, complaint) &&
         read_samples(root, o, complaint) && read_flag(root, "certificate", &q->certificate, complaint) &&
         read_flag(root, "proof", &q->proof, complaint) && read_flag(root, "trace", &q->trace, complaint) &&
         read_flag(root, "full", &q->full, complaint);
}

static cli_use use_of(cli_query query) {
  switch (query) {
  case CLI_AABB: return CLI_USE_BOUNDS;
  case CLI_HULL:
  case CLI_FIT_BOX: return CLI_USE_POINTS;
  case CLI_CONVEXITY: return CLI_USE_OUTLINE;
  case CLI_DECOMPOSE: return CLI_USE_RINGS;
  default: return CLI_USE_SHAPE;
  }
}

static bool read_bodies(const json_t *root, cli_request *q, cli_error *complaint) {
  bool one = cli_query_has_one_shape(q->query);
  json_t *a = get(root, "a"), *b = get(root, "b");
  if (a == NULL) return cli_reject(complaint, CLI_MISSING, "a is missing");
  if (b == NULL && !one)
    return cli_reject(complaint, CLI_MISSING, "b is missing; %s asks about two shapes", cli_query_text(q->query));
  return cli_body_read(a, "a", q->dim, use_of(q->query), &q->a, complaint) &&
         (one || cli_body_read(b, "b", q->dim, CLI_USE_SHAPE, &q->b, complaint));
}

/* One question is about boxes only. */
static bool check_boxes(const cli_request *q, cli_error *complaint) {
  graze_shape_kind a = q->a.placed.shape.kind, b = q->b.placed.shape.kind;
  if (q->query != CLI_OBB || (a == GRAZE_BOX && b == GRAZE_BOX)) return true;
  return cli_reject(complaint, CLI_UNSUPPORTED,
                    "query = \"obb\": %s is not a box; distance and penetration answer for all shapes, and filter = "
                    "\"obb\" asks about the boxes around them",
                    a == GRAZE_BOX ? "b" : "a");
}

/* What is not for compounds. */
static bool check_compounds(const cli_request *q, cli_error *complaint) {
  const char *owner = cli_is_compound(&q->a) ? "a" : cli_is_compound(&q->b) ? "b" : NULL;
  if (owner == NULL || cli_query_has_one_shape(q->query) || q->filter) return true;
  if (q->query == CLI_MINKOWSKI)
    return cli_reject(complaint, CLI_UNSUPPORTED,
                      "minkowski: %s is a compound; intersect and distance answer, and minkowski of two of its parts",
                      owner);
  if (q->options.method != GRAZE_METHOD_AUTO && !cli_query_has_motion(q->query))
    return cli_reject(complaint, CLI_UNSUPPORTED, "method = \"%s\" is not for compounds, as %s is one; auto is",
                      cli_method_text(q->options.method), owner);
  return !q->trace || cli_reject(complaint, CLI_UNSUPPORTED,
                                 "trace = true: compounds are not traced, and %s is one; ask about two parts", owner);
}

static bool read_id(const json_t *root, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  const json_t *id = get(root, "id");
  if (id == NULL || json_is_string(id) || json_is_number(id)) return true;
  return cli_reject(complaint, CLI_BAD_JSON, "id = %s: neither a string nor a number", cli_show(id, shown));
}

bool cli_request_read(const cli_line *line, const graze_options *defaults, cli_request *q, cli_error *complaint) {
  *q = (cli_request){.id = cli_json_id(line->text), .certificate = true, .options = *defaults};
  if (line->too_long) return cli_reject(complaint, CLI_BAD_JSON, "the line is longer than 64 MiB");
  json_t *root = cli_json_line(line->text, complaint);
  if (root == NULL) return false;
  bool good = read_id(root, complaint) && read_query(root, q, complaint) && read_dim(root, q, complaint) &&
              read_method(root, q, complaint) && read_choices(root, q, complaint) && read_options(root, q, complaint) &&
              cli_read_motion(root, q, complaint) && read_bodies(root, q, complaint) && check_boxes(q, complaint) &&
              check_compounds(q, complaint) && cli_check_turning(root, q, complaint);
  json_decref(root);
  if (!good) cli_request_free(q);
  return good;
}

void cli_request_free(cli_request *q) {
  cli_body_free(&q->a);
  cli_body_free(&q->b);
}
