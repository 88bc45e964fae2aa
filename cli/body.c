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
enum { RADIUS = 1, HALF_LENGTH = 2, OFFSET = 4, HALF_EXTENTS = 8, RADII = 16, NORMAL = 32, VERTICES = 64 };

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
    {"polygon", POLYGON, 2, VERTICES, "hull"},
    {"hull", HULL, 0, VERTICES, NULL},
    {"circle", CIRCLE, 2, RADIUS, "sphere"},
    {"sphere", SPHERE, 3, RADIUS, "circle"},
    {"ellipse", ELLIPSE, 2, RADII, "ellipsoid"},
    {"ellipsoid", ELLIPSOID, 3, RADII, "ellipse"},
    {"capsule", CAPSULE, 0, RADIUS | HALF_LENGTH, NULL},
    {"cylinder", CYLINDER, 3, RADIUS | HALF_LENGTH, "box"},
    {"cone", CONE, 3, RADIUS | HALF_LENGTH, "triangle"},
    {"halfspace", HALFSPACE, 0, NORMAL | OFFSET, NULL},
    {"compound", COMPOUND, 0, 0, NULL},
};

typedef struct parameter_row {
  const char *name;
  unsigned parameter; /* 0: belongs to every type, and may be absent */
} parameter_row;

static const parameter_row parameters[] = {
    {"radius", RADIUS},     {"half_length", HALF_LENGTH},
    {"offset", OFFSET},     {"half_extents", HALF_EXTENTS},
    {"radii", RADII},       {"normal", NORMAL},
    {"vertices", VERTICES}, {"type", 0},
    {"position", 0},        {"rotation", 0},
    {"margin", 0},
};
enum { TYPE_COUNT = sizeof types / sizeof *types, PARAMETER_COUNT = sizeof parameters / sizeof *parameters };

/* The body on its way: what the parameters said. */
typedef struct reading {
  json_t *object;
  const char *owner;
  int dim;
  bool outline;
  const type_row *row;
  double radius, half_length, offset, margin;
  graze_vec vec; /* half extents, radii or normal */
  graze_vec *vertices;
  size_t vertex_count;
  graze_pose pose;
  cli_complaint *complaint;
} reading;

static cli_name name_of(const reading *r, const char *key) { return (cli_name){r->owner, key, -1}; }

static bool read_type(reading *r) {
  char shown[CLI_SHOWN_SIZE], hint[CLI_HINT_SIZE];
  const json_t *type = json_object_get(r->object, "type");
  if (type == NULL) return cli_refuse(r->complaint, CLI_MISSING, "%s.type is missing", r->owner);
  const char *word = json_string_value(type) ? json_string_value(type) : "";
  for (size_t i = 0; i < TYPE_COUNT; i++)
    if (strcmp(types[i].name, word) == 0) r->row = &types[i];
  if (r->row == NULL)
    return cli_refuse(r->complaint, CLI_UNKNOWN_SHAPE, "%s.type = %s: no shape has this name%s", r->owner,
                      cli_show(type, shown), cli_hint(word, types, TYPE_COUNT, sizeof *types, hint));
  if (r->row->type == COMPOUND)
    return cli_refuse(r->complaint, CLI_UNSUPPORTED,
                      "%s.type = \"compound\": compounds are not in this version; ask about each part", r->owner);
  if (r->row->dim != 0 && r->row->dim != r->dim)
    return cli_refuse(r->complaint, CLI_DIM_MISMATCH, "%s.type = \"%s\" needs dim %d, but dim is %d; in %dD use \"%s\"",
                      r->owner, word, r->row->dim, r->dim, r->dim, r->row->other);
  return true;
}

/* Only what belongs to the type may be there: a misspelt key must not be silent. */
static bool check_keys(reading *r) {
  const char *key;
  json_t *value;
  char hint[CLI_HINT_SIZE];
  json_object_foreach(r->object, key, value) {
    const parameter_row *row = NULL;
    for (size_t i = 0; i < PARAMETER_COUNT; i++)
      if (strcmp(parameters[i].name, key) == 0) row = &parameters[i];
    if (row && (row->parameter == 0 || (row->parameter & r->row->parameters))) continue;
    if (r->row->type == POLYGON && (strcmp(key, "concave") == 0 || strcmp(key, "holes") == 0))
      return cli_refuse(r->complaint, CLI_UNSUPPORTED,
                        "%s.%s: decomposition is not in this version; split the polygon into convex pieces", r->owner,
                        key);
    if (row)
      return cli_refuse(r->complaint, CLI_UNKNOWN_KEY, "%s.%s does not belong to a %s", r->owner, key, r->row->name);
    return cli_refuse(r->complaint, CLI_UNKNOWN_KEY, "%s.%.60s: no shape has this key%s", r->owner, key,
                      cli_hint(key, parameters, PARAMETER_COUNT, sizeof *parameters, hint));
  }
  return true;
}

static bool read_vertices(reading *r, const json_t *list) {
  char shown[CLI_SHOWN_SIZE];
  if (!json_is_array(list))
    return cli_refuse(r->complaint, CLI_BAD_SHAPE, "%s.vertices = %s: not a list of points", r->owner,
                      cli_show(list, shown));
  size_t count = json_array_size(list), wanted = r->row->type == SEGMENT ? 2 : r->row->type == TRIANGLE ? 3 : count;
  size_t least = r->row->type == POLYGON ? 3 : 1;
  if (count != wanted)
    return cli_refuse(r->complaint, CLI_BAD_SHAPE, "%s.vertices has %zu points; a %s has %zu", r->owner, count,
                      r->row->name, wanted);
  if (count < least)
    return cli_refuse(r->complaint, CLI_BAD_SHAPE, "%s.vertices has %zu points; a %s needs at least %zu", r->owner,
                      count, r->row->name, least);
  r->vertices = malloc(count * sizeof *r->vertices);
  if (r->vertices == NULL) return cli_refuse_memory(r->complaint);
  r->vertex_count = count;
  for (size_t i = 0; i < count; i++) {
    cli_name name = {r->owner, "vertices", (ptrdiff_t)i};
    if (!cli_read_vec(json_array_get(list, i), name, r->dim, &r->vertices[i], r->complaint)) return false;
  }
  return true;
}

static bool read_parameter(reading *r, const parameter_row *row) {
  const json_t *value = json_object_get(r->object, row->name);
  if (value == NULL)
    return cli_refuse(r->complaint, CLI_MISSING, "%s.%s is missing; a %s needs it", r->owner, row->name, r->row->name);
  cli_name name = name_of(r, row->name);
  switch (row->parameter) {
  case RADIUS: return cli_read_number(value, name, &r->radius, r->complaint);
  case HALF_LENGTH: return cli_read_number(value, name, &r->half_length, r->complaint);
  case OFFSET: return cli_read_number(value, name, &r->offset, r->complaint);
  case VERTICES: return read_vertices(r, value);
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
    return cli_refuse(r->complaint, CLI_BAD_SHAPE, "%s.rotation = %s: neither an angle nor [w, z]", r->owner,
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
    return cli_refuse(r->complaint, CLI_DIM_MISMATCH, "%s.rotation = %s: an angle is for 2D; in 3D write [w, x, y, z]",
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

static graze_shape shape2(const reading *r) {
  const graze_vec *v = r->vertices;
  switch (r->row->type) {
  case SEGMENT: return graze_segment2(v[0], v[1]);
  case TRIANGLE: return graze_triangle2(v[0], v[1], v[2]);
  case BOX: return graze_box2(r->vec.x, r->vec.y);
  case POLYGON: return r->outline ? graze_hull2(v, r->vertex_count) : graze_polygon(v, r->vertex_count);
  case HULL: return graze_hull2(v, r->vertex_count);
  case CIRCLE: return graze_circle(r->radius);
  case ELLIPSE: return graze_ellipse(r->vec.x, r->vec.y);
  case CAPSULE: return graze_capsule2(r->radius, r->half_length);
  case HALFSPACE: return graze_halfspace2(r->vec, r->offset);
  default: return graze_point2();
  }
}

static graze_shape shape3(const reading *r) {
  const graze_vec *v = r->vertices;
  switch (r->row->type) {
  case SEGMENT: return graze_segment(v[0], v[1]);
  case TRIANGLE: return graze_triangle(v[0], v[1], v[2]);
  case BOX: return graze_box(r->vec.x, r->vec.y, r->vec.z);
  case HULL: return graze_hull(v, r->vertex_count);
  case SPHERE: return graze_sphere(r->radius);
  case ELLIPSOID: return graze_ellipsoid(r->vec.x, r->vec.y, r->vec.z);
  case CAPSULE: return graze_capsule(r->radius, r->half_length);
  case CYLINDER: return graze_cylinder(r->radius, r->half_length);
  case CONE: return graze_cone(r->radius, r->half_length);
  case HALFSPACE: return graze_halfspace(r->vec, r->offset);
  default: return graze_point();
  }
}

static bool read_all(reading *r, bool *angle_given) {
  char shown[CLI_SHOWN_SIZE];
  if (!json_is_object(r->object))
    return cli_refuse(r->complaint, CLI_BAD_SHAPE, "%s = %s: not a placed shape", r->owner, cli_show(r->object, shown));
  if (!read_type(r) || !check_keys(r)) return false;
  for (size_t i = 0; i < PARAMETER_COUNT; i++)
    if ((parameters[i].parameter & r->row->parameters) && !read_parameter(r, &parameters[i])) return false;
  const json_t *margin = json_object_get(r->object, "margin");
  if (margin && !cli_read_number(margin, name_of(r, "margin"), &r->margin, r->complaint)) return false;
  return read_pose(r, angle_given);
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
  if (error->status == GRAZE_NOT_CONVEX) return "the polygon is not convex here; for its convex hull use a \"hull\"";
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
  return cli_refuse(r->complaint, code_of(placed->status), "%s%s: %s", name, value, reason_of(&error));
}

bool cli_body_read(json_t *value, const char *owner, int dim, bool outline, cli_body *body, cli_complaint *complaint) {
  reading r = {.object = value, .owner = owner, .dim = dim, .outline = outline, .complaint = complaint};
  *body = (cli_body){0};
  bool good = read_all(&r, &body->angle_given);
  body->vertices = r.vertices;
  if (good) {
    graze_shape shape = graze_with_margin(dim == 2 ? shape2(&r) : shape3(&r), r.margin);
    body->placed = graze_place(&shape, r.pose);
    good = body->placed.status == GRAZE_OK || refuse_shape(&r, &body->placed);
  }
  if (!good) cli_body_free(body);
  return good;
}

void cli_body_free(cli_body *body) {
  free(body->vertices);
  body->vertices = NULL;
}
