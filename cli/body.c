/* Reading a placed shape: its type, its parameters, where it stands. What a shape may be, graze_check() judges. */
#include "question.h"

#include "names.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum shape_type {
  POINT,
  SEGMENT,
  TRIANGLE,
  BOX,
  POLYGON,
  HULL,
  CIRCLE,
  SPHERE,
  ELLIPSE,
  ELLIPSOID,
  CAPSULE,
  CYLINDER,
  CONE,
  HALFSPACE,
  COMPOUND
} shape_type;

/* Sets of parameters. */
enum {
  RADIUS = 1,
  HALF_LENGTH = 2,
  OFFSET = 4,
  HALF_EXTENTS = 8,
  RADII = 16,
  NORMAL = 32,
  VERTICES = 64,
  PARTS = 128,
  CONCAVE = 256,
  HOLES = 512,
  OPTIONAL = CONCAVE | HOLES
};

typedef struct type_row {
  const char *name;
  shape_type type;
  int dim; /* 0: both */
  unsigned parameters;
  const char *other; /* what it is called in the other dimension */
} type_row;

static const type_row types[] = {
    {"point", POINT, 0, 0, NULL},
    {"segment", SEGMENT, 0, VERTICES, NULL},
    {"triangle", TRIANGLE, 0, VERTICES, NULL},
    {"box", BOX, 0, HALF_EXTENTS, NULL},
    {"polygon", POLYGON, 2, VERTICES | CONCAVE | HOLES, "hull"},
    {"hull", HULL, 0, VERTICES, NULL},
    {"circle", CIRCLE, 2, RADIUS, "sphere"},
    {"sphere", SPHERE, 3, RADIUS, "circle"},
    {"ellipse", ELLIPSE, 2, RADII, "ellipsoid"},
    {"ellipsoid", ELLIPSOID, 3, RADII, "ellipse"},
    {"capsule", CAPSULE, 0, RADIUS | HALF_LENGTH, NULL},
    {"cylinder", CYLINDER, 3, RADIUS | HALF_LENGTH, "box"},
    {"cone", CONE, 3, RADIUS | HALF_LENGTH, "triangle"},
    {"halfspace", HALFSPACE, 0, NORMAL | OFFSET, NULL},
    {"compound", COMPOUND, 0, PARTS, NULL},
};

typedef struct parameter_row {
  const char *name;
  unsigned parameter; /* 0: belongs to every type, and may be absent */
} parameter_row;

static const parameter_row parameters[] = {
    {"radius", RADIUS},
    {"half_length", HALF_LENGTH},
    {"offset", OFFSET},
    {"half_extents", HALF_EXTENTS},
    {"radii", RADII},
    {"normal", NORMAL},
    {"vertices", VERTICES},
    {"parts", PARTS},
    {"concave", CONCAVE},
    {"holes", HOLES},
    {"type", 0},
    {"position", 0},
    {"rotation", 0},
    {"margin", 0},
};
enum { TYPE_COUNT = sizeof types / sizeof *types, PARAMETER_COUNT = sizeof parameters / sizeof *parameters };

/* The body on its way: what the parameters said. */
typedef struct reading {
  json_t *object;
  const char *owner;
  int dim;
  cli_use use;
  const type_row *row;
  double radius, half_length, offset, margin;
  graze_vec vec; /* half extents, radii or normal */
  graze_pose pose;
  cli_body *body; /* owns what is allocated */
  cli_error *complaint;
} reading;

static cli_name name_of(const reading *r, const char *key) { return (cli_name){r->owner, key, -1}; }

/* Not every type can be asked everything. */
static bool check_use(const reading *r) {
  shape_type type = r->row->type;
  const char *why = NULL;
  if (r->use == CLI_USE_PART && (type == COMPOUND || type == HALFSPACE))
    why = "no part of a compound may be one; the other types may";
  if (r->use == CLI_USE_POINTS && !(r->row->parameters & VERTICES))
    why = "it has no vertices; segment, triangle, polygon and hull have";
  if ((r->use == CLI_USE_OUTLINE || r->use == CLI_USE_RINGS) && type != POLYGON)
    why = "this question is about the outline of a \"polygon\"";
  return why == NULL || cli_reject(r->complaint, CLI_UNSUPPORTED, "%s.type = \"%s\": %s", r->owner, r->row->name, why);
}

static bool read_type(reading *r) {
  char shown[CLI_SHOWN_SIZE], hint[CLI_HINT_SIZE];
  const json_t *type = json_object_get(r->object, "type");
  if (type == NULL) return cli_reject(r->complaint, CLI_MISSING, "%s.type is missing", r->owner);
  const char *word = json_string_value(type) ? json_string_value(type) : "";
  for (size_t i = 0; i < TYPE_COUNT; i++)
    if (strcmp(types[i].name, word) == 0) r->row = &types[i];
  if (r->row == NULL)
    return cli_reject(r->complaint, CLI_UNKNOWN_SHAPE, "%s.type = %s: no shape has this name%s", r->owner,
                      cli_show(type, shown), cli_hint(word, types, TYPE_COUNT, sizeof *types, hint));
  if (r->row->dim != 0 && r->row->dim != r->dim)
    return cli_reject(r->complaint, CLI_DIM_MISMATCH, "%s.type = \"%s\" needs dim %d, but dim is %d; in %dD use \"%s\"",
                      r->owner, word, r->row->dim, r->dim, r->dim, r->row->other);
  return check_use(r);
}

static const parameter_row *find_parameter(const char *key) {
  for (size_t i = 0; i < PARAMETER_COUNT; i++)
    if (strcmp(parameters[i].name, key) == 0) return &parameters[i];
  return NULL;
}

const char *cli_shape_key(const char *word) {
  if (strcmp(word, "angle") == 0) return "rotation";
  if (strcmp(word, "size") == 0) return "half_extents";
  const parameter_row *row = find_parameter(word);
  return row ? row->name : NULL;
}

static bool belongs(const reading *r, const parameter_row *row) {
  return row && (row->parameter == 0 || (row->parameter & r->row->parameters));
}

/* Only what belongs to the type may be there: a misspelt key must not be silent. */
static bool check_keys(reading *r) {
  const char *key;
  json_t *value;
  char hint[CLI_HINT_SIZE];
  json_object_foreach(r->object, key, value) {
    const parameter_row *row = find_parameter(key);
    if (belongs(r, row)) continue;
    if (row)
      return cli_reject(r->complaint, CLI_UNKNOWN_KEY, "%s.%s does not belong to a %s", r->owner, key, r->row->name);
    const char *meant = cli_shape_key(key);
    if (meant && belongs(r, find_parameter(meant)))
      return cli_reject(r->complaint, CLI_UNKNOWN_KEY, "%s.%s: no shape has this key (did you mean \"%s\"?)", r->owner,
                        key, meant);
    return cli_reject(r->complaint, CLI_UNKNOWN_KEY, "%s.%.60s: no shape has this key%s", r->owner, key,
                      cli_hint(key, parameters, PARAMETER_COUNT, sizeof *parameters, hint));
  }
  return true;
}

static bool read_vertices(reading *r, const json_t *list) {
  size_t wanted = r->row->type == SEGMENT ? 2 : r->row->type == TRIANGLE ? 3 : 0, count = json_array_size(list);
  if (json_is_array(list) && wanted && count != wanted)
    return cli_reject(r->complaint, CLI_BAD_SHAPE, "%s.vertices has %zu points; a %s has %zu", r->owner, count,
                      r->row->name, wanted);
  size_t least = r->row->type == POLYGON && r->use != CLI_USE_OUTLINE ? 3 : 1; /* an outline is judged as it is */
  return cli_read_points(list, r->owner, "vertices", r->dim, least, &r->body->vertices, &r->body->vertex_count,
                         r->complaint);
}

static bool read_parameter(reading *r, const parameter_row *row) {
  const json_t *value = json_object_get(r->object, row->name);
  if (value == NULL)
    return cli_reject(r->complaint, CLI_MISSING, "%s.%s is missing; a %s needs it", r->owner, row->name, r->row->name);
  cli_name name = name_of(r, row->name);
  switch (row->parameter) {
  case RADIUS: return cli_read_number(value, name, &r->radius, r->complaint);
  case HALF_LENGTH: return cli_read_number(value, name, &r->half_length, r->complaint);
  case OFFSET: return cli_read_number(value, name, &r->offset, r->complaint);
  case VERTICES: return read_vertices(r, value);
  case PARTS: return cli_read_parts(value, r->owner, r->dim, r->body, r->complaint);
  default: return cli_read_vec(value, name, r->dim, &r->vec, r->complaint);
  }
}

static bool read_rotation2(reading *r, const json_t *rotation, bool *angle_given) {
  double pair[2];
  cli_name name = name_of(r, "rotation");
  if (json_is_number(rotation)) {
    double angle = 0;
    if (!cli_read_number(rotation, name, &angle, r->complaint)) return false;
    graze_half_angle(angle, &r->pose.w, &r->pose.z);
    *angle_given = true;
    return true;
  }
  char shown[CLI_SHOWN_SIZE];
  if (!json_is_array(rotation))
    return cli_reject(r->complaint, CLI_BAD_SHAPE, "%s.rotation = %s: neither an angle nor [w, z]", r->owner,
                      cli_show(rotation, shown));
  if (!cli_read_numbers(rotation, name, 2, pair, r->complaint)) return false;
  r->pose.w = pair[0];
  r->pose.z = pair[1];
  return true;
}

static bool read_rotation3(reading *r, const json_t *rotation) {
  double q[4];
  char shown[CLI_SHOWN_SIZE];
  if (json_is_number(rotation))
    return cli_reject(r->complaint, CLI_DIM_MISMATCH, "%s.rotation = %s: an angle is for 2D; in 3D write [w, x, y, z]",
                      r->owner, cli_show(rotation, shown));
  if (!cli_read_numbers(rotation, name_of(r, "rotation"), 4, q, r->complaint)) return false;
  r->pose.w = q[0];
  r->pose.x = q[1];
  r->pose.y = q[2];
  r->pose.z = q[3];
  return true;
}

static bool read_pose(reading *r, bool *angle_given) {
  r->pose = graze_pose_at(0, 0, 0);
  const json_t *position = json_object_get(r->object, "position"), *rotation = json_object_get(r->object, "rotation");
  if (position && !cli_read_vec(position, name_of(r, "position"), r->dim, &r->pose.position, r->complaint))
    return false;
  if (rotation == NULL) return true;
  return r->dim == 2 ? read_rotation2(r, rotation, angle_given) : read_rotation3(r, rotation);
}

/* Where the corners may not be those of a convex polygon, their hull stands for them. */
static graze_shape polygon_of(const reading *r) {
  const cli_body *body = r->body;
  bool judged = (r->use == CLI_USE_SHAPE || r->use == CLI_USE_PART) && !body->concave;
  return (judged ? graze_polygon : graze_hull_points2)(body->vertices, body->vertex_count);
}

static graze_shape shape2(const reading *r) {
  const graze_vec *v = r->body->vertices;
  switch (r->row->type) {
  case SEGMENT: return graze_segment2(v[0], v[1]);
  case TRIANGLE: return graze_triangle2(v[0], v[1], v[2]);
  case BOX: return graze_box2(r->vec.x, r->vec.y);
  case POLYGON: return polygon_of(r);
  case HULL: return graze_hull_points2(v, r->body->vertex_count);
  case CIRCLE: return graze_circle(r->radius);
  case ELLIPSE: return graze_ellipse(r->vec.x, r->vec.y);
  case CAPSULE: return graze_capsule2(r->radius, r->half_length);
  case HALFSPACE: return graze_halfspace2(r->vec, r->offset);
  default: return graze_point2();
  }
}

static graze_shape shape3(const reading *r) {
  const graze_vec *v = r->body->vertices;
  switch (r->row->type) {
  case SEGMENT: return graze_segment(v[0], v[1]);
  case TRIANGLE: return graze_triangle(v[0], v[1], v[2]);
  case BOX: return graze_box(r->vec.x, r->vec.y, r->vec.z);
  case HULL: return graze_hull_points(v, r->body->vertex_count);
  case SPHERE: return graze_sphere(r->radius);
  case ELLIPSOID: return graze_ellipsoid(r->vec.x, r->vec.y, r->vec.z);
  case CAPSULE: return graze_capsule(r->radius, r->half_length);
  case CYLINDER: return graze_cylinder(r->radius, r->half_length);
  case CONE: return graze_cone(r->radius, r->half_length);
  case HALFSPACE: return graze_halfspace(r->vec, r->offset);
  default: return graze_point();
  }
}

/* How a polygon that need not be convex is meant. */
static bool read_concave(reading *r) {
  char shown[CLI_SHOWN_SIZE];
  const json_t *concave = json_object_get(r->object, "concave"), *holes = json_object_get(r->object, "holes");
  const char *word = json_string_value(concave);
  bool whole = r->use == CLI_USE_SHAPE || r->use == CLI_USE_BOUNDS;
  if (concave && (word == NULL || strcmp(word, "decompose") != 0))
    return cli_reject(r->complaint, CLI_UNSUPPORTED, "%s.concave = %s: only \"decompose\" is known", r->owner,
                      cli_show(concave, shown));
  if (concave && r->use == CLI_USE_PART)
    return cli_reject(r->complaint, CLI_UNSUPPORTED,
                      "%s.concave: the parts of a compound are convex; decompose tells the pieces of a polygon",
                      r->owner);
  if (holes && !whole && r->use != CLI_USE_RINGS)
    return cli_reject(r->complaint, CLI_UNSUPPORTED, "%s.holes: this question is about the outline alone; %s", r->owner,
                      r->use == CLI_USE_PART ? "the parts of a compound are convex" : "decompose takes holes too");
  if (holes && whole && concave == NULL)
    return cli_reject(r->complaint, CLI_MISSING,
                      "%s.concave is missing; a polygon with holes needs \"concave\": \"decompose\"", r->owner);
  r->body->concave = concave && whole;
  return holes == NULL || cli_read_holes(holes, r->owner, r->body, r->complaint);
}

static bool read_all(reading *r) {
  char shown[CLI_SHOWN_SIZE];
  if (!json_is_object(r->object))
    return cli_reject(r->complaint, CLI_BAD_SHAPE, "%s = %s: not a placed shape", r->owner, cli_show(r->object, shown));
  if (!read_type(r) || !check_keys(r)) return false;
  for (size_t i = 0; i < PARAMETER_COUNT; i++)
    if ((parameters[i].parameter & r->row->parameters & ~(unsigned)OPTIONAL) && !read_parameter(r, &parameters[i]))
      return false;
  const json_t *margin = json_object_get(r->object, "margin");
  if (margin && !cli_read_number(margin, name_of(r, "margin"), &r->margin, r->complaint)) return false;
  return (r->row->type != POLYGON || read_concave(r)) && read_pose(r, &r->body->angle_given);
}

static cli_code code_of(graze_status status) {
  switch (status) {
  case GRAZE_BAD_NUMBER: return CLI_BAD_NUMBER;
  case GRAZE_NOT_CONVEX: return CLI_NOT_CONVEX;
  case GRAZE_DIM_MISMATCH: return CLI_DIM_MISMATCH;
  case GRAZE_UNSUPPORTED: return CLI_UNSUPPORTED;
  default: return CLI_BAD_SHAPE;
  }
}

static const char *reason_of(const graze_error *error) {
  const char *what = error->what ? error->what : "";
  if (error->status == GRAZE_NOT_CONVEX)
    return "the polygon is not convex here; \"concave\": \"decompose\" splits it, a \"hull\" is its convex hull";
  if (error->status != GRAZE_BAD_SHAPE) return graze_status_text(error->status);
  if (error->value < 0) return "negative";
  if (strcmp(what, "rotation") == 0) return "all zero, which is no rotation";
  if (strcmp(what, "normal") == 0) return "all zero, which is no direction";
  return graze_status_text(error->status);
}

/* What graze_check() has against a shape. */
static bool refuse_shape(const reading *r, const graze_placed *placed) {
  graze_error error = {placed->status, NULL, -1, 0};
  graze_check(&placed->shape, &placed->pose, &error);
  char name[CLI_NAME_SIZE], number[CLI_NUMBER_SIZE], value[CLI_NUMBER_SIZE + 4] = "";
  cli_name_text((cli_name){r->owner, error.what ? error.what : r->row->name, error.index}, name);
  cli_number_text(error.value, number);
  if (error.value != 0) snprintf(value, sizeof value, " = %s", number);
  return cli_reject(r->complaint, code_of(placed->status), "%s%s: %s", name, value, reason_of(&error));
}

/* Some questions are about points as they are given: a place or a margin would go unheard. */
static bool check_own_frame(const reading *r) {
  const graze_pose *pose = &r->pose;
  const graze_vec *p = &pose->position;
  const char *key = r->margin != 0                                 ? "margin"
                    : p->x != 0 || p->y != 0 || p->z != 0          ? "position"
                    : pose->x != 0 || pose->y != 0 || pose->z != 0 ? "rotation"
                                                                   : NULL;
  char shown[CLI_SHOWN_SIZE];
  if (r->use < CLI_USE_POINTS || key == NULL) return true;
  return cli_reject(r->complaint, CLI_UNSUPPORTED,
                    "%s.%s = %s: this question is about the vertices as they stand in the list; leave it out", r->owner,
                    key, cli_show(json_object_get(r->object, key), shown));
}

static bool place(reading *r) {
  cli_body *body = r->body;
  graze_shape shape = graze_with_margin(r->dim == 2 ? shape2(r) : shape3(r), r->margin);
  body->placed = graze_place(&shape, r->pose);
  if (body->placed.status != GRAZE_OK) return refuse_shape(r, &body->placed);
  return r->row->type != COMPOUND || cli_join_parts(r->owner, body, r->complaint);
}

bool cli_body_read(json_t *value, const char *owner, int dim, cli_use use, cli_body *body, cli_error *complaint) {
  reading r = {.object = value, .owner = owner, .dim = dim, .use = use, .body = body, .complaint = complaint};
  *body = (cli_body){0};
  bool good = read_all(&r) && check_own_frame(&r) && place(&r);
  if (!good) cli_body_free(body);
  return good;
}

bool cli_is_compound(const cli_body *body) { return body->concave || body->compound; }

void cli_body_take(cli_body *body, graze_compound *compound) {
  graze_shape shape = graze_with_margin(graze_compound_shape(compound), body->placed.shape.margin);
  body->placed = graze_place(&shape, body->placed.pose);
  body->compound = compound;
  body->concave = false;
}

void cli_body_free(cli_body *body) {
  for (size_t i = 0; i < body->part_count; i++) free(body->parts[i].vertices); /* parts own nothing else */
  for (size_t i = 0; i < body->hole_count; i++) free((void *)body->holes[i].vertices);
  graze_compound_destroy(body->compound);
  free(body->parts);
  free(body->holes);
  free(body->vertices);
  *body = (cli_body){0};
}
