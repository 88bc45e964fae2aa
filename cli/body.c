/* Placed shapes: the tables of types and keys, and the parser. The rules for values are those of graze_check(). */
#include "queries.h"

#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parameters of shapes, as bits of a set. */
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
  TRIANGLES = 1024,
  EDGES = 2048,
  MODEL_FILE = 4096,
  SOLID = 8192,
  OPTIONAL = CONCAVE | HOLES
};

typedef struct type_row {
  const char *name;
  graze_shape_kind kind;
  int dim; /* 0: both */
  unsigned parameters;
  const char *other; /* the nearest type of the other dimension */
} type_row;

static const type_row types[] = {
    {"point", GRAZE_POINT, 0, 0, NULL},
    {"segment", GRAZE_SEGMENT, 0, VERTICES, NULL},
    {"triangle", GRAZE_TRIANGLE, 0, VERTICES, NULL},
    {"box", GRAZE_BOX, 0, HALF_EXTENTS, NULL},
    {"polygon", GRAZE_POLYGON, 2, VERTICES | CONCAVE | HOLES, "hull"},
    {"hull", GRAZE_HULL, 0, VERTICES, NULL},
    {"circle", GRAZE_SPHERE, 2, RADIUS, "sphere"},
    {"sphere", GRAZE_SPHERE, 3, RADIUS, "circle"},
    {"ellipse", GRAZE_ELLIPSOID, 2, RADII, "ellipsoid"},
    {"ellipsoid", GRAZE_ELLIPSOID, 3, RADII, "ellipse"},
    {"capsule", GRAZE_CAPSULE, 0, RADIUS | HALF_LENGTH, NULL},
    {"cylinder", GRAZE_CYLINDER, 3, RADIUS | HALF_LENGTH, "box"},
    {"cone", GRAZE_CONE, 3, RADIUS | HALF_LENGTH, "triangle"},
    {"halfspace", GRAZE_HALFSPACE, 0, NORMAL | OFFSET, NULL},
    {"compound", GRAZE_COMPOUND, 0, PARTS, NULL},
    {"mesh", GRAZE_MESH, 0, VERTICES | TRIANGLES | EDGES | MODEL_FILE | SOLID, NULL},
};

typedef struct key_row {
  const char *name;
  unsigned parameter; /* 0: every type has it, and it is optional */
  const char *help;
} key_row;

static const key_row keys[] = {
    {"type", 0, "one of the types above"},
    {"radius", RADIUS, "number >= 0"},
    {"half_length", HALF_LENGTH, "number >= 0, half the length along local z (2D capsule: local x)"},
    {"half_extents", HALF_EXTENTS, "2 or 3 numbers >= 0"},
    {"radii", RADII, "2 or 3 numbers >= 0"},
    {"normal", NORMAL, "nonzero vector, outward"},
    {"offset", OFFSET, "number; the points x with (normal/|normal|).x <= offset"},
    {"vertices", VERTICES, "list of points: segment 2, triangle 3, polygon >= 3 (convex), hull and mesh >= 1"},
    {"concave", CONCAVE, "\"decompose\": the polygon may be concave (optional)"},
    {"holes", HOLES, "list of lists of points, with \"concave\" (optional)"},
    {"parts", PARTS, "list of placed convex shapes"},
    {"triangles", TRIANGLES, "3D mesh: list of [i,j,k], indices of vertices, counter-clockwise from outside"},
    {"edges", EDGES, "2D mesh: list of [i,j], with the inside on the left"},
    {"file", MODEL_FILE, "3D mesh: a model file, relative to the file of queries, instead of these lists"},
    {"solid", SOLID, "mesh: false if only its faces count (default: true if it is closed)"},
    {"position", 0, "point (default: the origin)"},
    {"rotation", 0, "3D: quaternion [w,x,y,z]; 2D: angle in radians, or [w,z]"},
    {"margin", 0, "number >= 0, rounds the shape by this radius (default 0)"},
};
enum { TYPE_COUNT = sizeof types / sizeof *types, KEY_COUNT = sizeof keys / sizeof *keys, MAX_PARTS = 1 << 17 };

/* A body that is being read. */
typedef struct parser {
  cli_object o;
  int dim;
  cli_use use;
  const type_row *row;
  double radius, half_length, offset, margin;
  graze_vec vec; /* half extents, radii or normal */
  graze_pose pose;
  cli_body *body; /* owns all allocated memory */
} parser;

bool cli_is_shape_key(const char *word) {
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (strcmp(keys[i].name, cli_synonym(word)) == 0) return true;
  return false;
}

void cli_print_shapes(cli_text *text) {
  cli_text_str(text, "shapes, and the keys of each besides type, position, rotation and margin:\n");
  for (size_t i = 0; i < TYPE_COUNT; i++) {
    cli_text_format(text, "   %-10s %s %s", types[i].name, types[i].dim == 3 ? "  " : "2D",
                    types[i].dim == 2 ? "  " : "3D");
    for (size_t k = 0, count = 0; k < KEY_COUNT; k++)
      if (keys[k].parameter & types[i].parameters) cli_text_format(text, count++ ? ", %s" : "  %s", keys[k].name);
    cli_text_str(text, "\n");
  }
  cli_text_str(text, "keys of shapes:\n");
  for (size_t k = 0; k < KEY_COUNT; k++) cli_text_format(text, "   %-13s %s\n", keys[k].name, keys[k].help);
}

static bool read_type(parser *p) {
  const cli_object *o = &p->o;
  const char *names[TYPE_COUNT + 1] = {NULL}, *rule = NULL;
  int at = -1;
  for (size_t i = 0; i < TYPE_COUNT; i++) names[i] = types[i].name;
  const json_t *type = json_object_get(o->json, "type");
  if (type == NULL)
    return cli_reject_key(o, CLI_MISSING, "type", "missing", "must be one of the shapes of 'graze help query'");
  if (!cli_get_word(o, "type", names, &at)) {
    o->error->code = CLI_UNKNOWN_SHAPE;
    return false;
  }
  p->row = &types[at];
  if (p->row->dim != 0 && p->row->dim != p->dim)
    return cli_reject_key(o, CLI_DIM_MISMATCH, "type", p->dim == 2 ? "not a 2D shape" : "not a 3D shape",
                          "dim is %d: use \"%s\"", p->dim, p->row->other);
  const graze_shape_kind kind = p->row->kind;
  if (p->use == CLI_USE_PART && (kind == GRAZE_COMPOUND || kind == GRAZE_HALFSPACE || kind == GRAZE_MESH))
    rule = "a part must not be a compound, a halfspace or a mesh";
  if (p->use == CLI_USE_POINTS && !(p->row->parameters & VERTICES))
    rule = "must have vertices: segment, triangle, polygon, hull or mesh";
  if ((p->use == CLI_USE_OUTLINE || p->use == CLI_USE_RINGS) && p->row->kind != GRAZE_POLYGON)
    rule = "must be polygon for this query";
  return rule == NULL || cli_reject_key(o, CLI_UNSUPPORTED, "type", "not supported", "%s", rule);
}

static bool read_vertices(parser *p, const json_t *list) {
  size_t exact = p->row->kind == GRAZE_SEGMENT    ? 2
                 : p->row->kind == GRAZE_TRIANGLE ? 3
                                                  : 0,
         count = json_array_size(list);
  if (json_is_array(list) && exact && count != exact)
    return cli_reject(p->o.error, CLI_BAD_SHAPE, "%s.vertices: wrong number of points (%zu), a %s has %zu", p->o.name,
                      count, p->row->name, exact);
  size_t least = p->row->kind == GRAZE_POLYGON && p->use != CLI_USE_OUTLINE ? 3 : 1;
  graze_vec *points = NULL;
  const bool good = cli_read_points(list, (cli_name){p->o.name, "vertices", -1}, p->dim, least, &points,
                                    &p->body->vertex_count, p->o.error);
  p->body->vertices = points;
  return good;
}

static bool read_holes(const parser *p, const json_t *list) {
  cli_body *body = p->body;
  size_t count = json_array_size(list);
  if (!json_is_array(list))
    return cli_reject_key(&p->o, CLI_BAD_SHAPE, "holes", "invalid value", "must be a list of rings");
  body->holes = calloc(count + 1, sizeof *body->holes);
  if (body->holes == NULL) return cli_reject_memory(p->o.error);
  for (size_t i = 0; i < count; i++) {
    graze_vec *points = NULL;
    bool good = cli_read_points(json_array_get(list, i), (cli_name){p->o.name, "holes", (ptrdiff_t)i}, 2, 3, &points,
                                &body->holes[i].count, p->o.error);
    body->holes[i].vertices = points;
    body->hole_count = i + 1;
    if (!good) return false;
  }
  return true;
}

static bool read_parts(const parser *p, const json_t *list) {
  cli_body *body = p->body;
  size_t count = json_array_size(list);
  if (!json_is_array(list))
    return cli_reject_key(&p->o, CLI_BAD_SHAPE, "parts", "invalid value", "must be a list of placed shapes");
  if (count == 0 || count > MAX_PARTS)
    return cli_reject(p->o.error, CLI_BAD_SHAPE, "%s.parts: wrong number of shapes (%zu), must be from 1 to %d",
                      p->o.name, count, MAX_PARTS);
  body->parts = calloc(count, sizeof *body->parts);
  if (body->parts == NULL) return cli_reject_memory(p->o.error);
  for (size_t i = 0; i < count; i++) {
    char name[CLI_NAME_SIZE];
    cli_name_text((cli_name){p->o.name, "parts", (ptrdiff_t)i}, name);
    if (!cli_body_read(json_array_get(list, i), name, p->dim, CLI_USE_PART, NULL, &body->parts[i], p->o.error))
      return false;
    body->part_count = i + 1;
  }
  return true;
}

bool cli_read_rotation(const json_t *value, const char *owner, int dim, graze_pose *pose, double *angle,
                       cli_error *error) {
  const cli_name name = {owner, "rotation", -1};
  double q[4] = {1, 0, 0, 0};
  if (dim == 2 && json_is_number(value)) {
    if (!cli_read_number(value, name, angle, error)) return false;
    graze_half_angle(*angle, &pose->w, &pose->z);
    return true;
  }
  if (dim == 2 && !json_is_array(value))
    return cli_reject_value(value, name, CLI_BAD_SHAPE, "invalid value (%s), must be an angle or [w,z]", error);
  if (json_is_number(value))
    return cli_reject_value(value, name, CLI_DIM_MISMATCH, "an angle (%s), in 3D it must be [w,x,y,z]", error);
  if (!cli_read_numbers(value, name, dim == 2 ? 2 : 4, q, error)) return false;
  *pose =
      dim == 2 ? (graze_pose){pose->position, q[0], 0, 0, q[1]} : (graze_pose){pose->position, q[0], q[1], q[2], q[3]};
  return true;
}

/* Reads the keys of a polygon that may be concave. */
static bool read_concave(parser *p) {
  static const char *const words[] = {"decompose", NULL};
  const json_t *concave = json_object_get(p->o.json, "concave"), *holes = json_object_get(p->o.json, "holes");
  bool whole = p->use == CLI_USE_SHAPE || p->use == CLI_USE_BOUNDS;
  int word = 0;
  if (!cli_get_word(&p->o, "concave", words, &word)) return false;
  if (concave && p->use == CLI_USE_PART)
    return cli_reject_key(&p->o, CLI_UNSUPPORTED, "concave", "not supported",
                          "a part must be convex; the query decompose returns the pieces of a polygon");
  if (holes && !whole && p->use != CLI_USE_RINGS)
    return cli_reject_key(&p->o, CLI_UNSUPPORTED, "holes", "not supported", "%s",
                          p->use == CLI_USE_PART
                              ? "a part must be convex"
                              : "this query reads the outline only; the query decompose reads holes");
  if (holes && whole && concave == NULL)
    return cli_reject_key(&p->o, CLI_MISSING, "concave", "missing", "a polygon with holes needs \"decompose\"");
  p->body->concave = concave && whole;
  return holes == NULL || read_holes(p, holes);
}

static bool read_all(parser *p, cli_models *models) {
  const char *names[KEY_COUNT + 1] = {NULL};
  char what[32];
  size_t count = 0;
  double angle = NAN;
  if (!json_is_object(p->o.json))
    return cli_reject_value(p->o.json, (cli_name){"", p->o.name, -1}, CLI_BAD_SHAPE,
                            "invalid value (%s), must be a placed shape", p->o.error);
  if (!read_type(p)) return false;
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (keys[i].parameter == 0 || (keys[i].parameter & p->row->parameters)) names[count++] = keys[i].name;
  snprintf(what, sizeof what, "%s %s", p->row->kind == GRAZE_ELLIPSOID ? "an" : "a", p->row->name);
  if (!cli_check_keys(&p->o, what, names)) return false;
  const bool mesh = p->row->kind == GRAZE_MESH;
  if (mesh && !cli_mesh_read(&p->o, p->dim, models, p->body)) return false;
  for (size_t i = 0; !mesh && i < KEY_COUNT; i++) {
    const unsigned parameter = keys[i].parameter & p->row->parameters & ~(unsigned)OPTIONAL;
    const json_t *value = json_object_get(p->o.json, keys[i].name);
    double *out = parameter == RADIUS ? &p->radius : parameter == OFFSET ? &p->offset : &p->half_length;
    if (parameter == 0) continue;
    if (value == NULL)
      return cli_reject_key(&p->o, CLI_MISSING, keys[i].name, "missing", "required for type %s", p->row->name);
    bool good = parameter == VERTICES ? read_vertices(p, value)
                : parameter == PARTS  ? read_parts(p, value)
                : parameter & (HALF_EXTENTS | RADII | NORMAL)
                    ? cli_get_vec(&p->o, keys[i].name, p->dim, &p->vec)
                    : cli_get_number(&p->o, keys[i].name, -INFINITY, INFINITY, out);
    if (!good) return false;
  }
  if (!cli_get_number(&p->o, "margin", -INFINITY, INFINITY, &p->margin)) return false;
  if (p->row->kind == GRAZE_POLYGON && !read_concave(p)) return false;
  p->pose = graze_pose_at(0, 0, 0);
  const json_t *rotation = json_object_get(p->o.json, "rotation");
  bool placed = cli_get_vec(&p->o, "position", p->dim, &p->pose.position) &&
                (rotation == NULL || cli_read_rotation(rotation, p->o.name, p->dim, &p->pose, &angle, p->o.error));
  p->body->angle_given = !isnan(angle);
  return placed;
}

static graze_shape shape_of(const parser *p) {
  const cli_body *body = p->body;
  const graze_vec *v = body->vertices, *x = &p->vec;
  const bool flat = p->dim == 2;
  /* The vertices of an unchecked or concave polygon are represented by their hull. */
  const bool convex = (p->use == CLI_USE_SHAPE || p->use == CLI_USE_PART) && !body->concave;
  switch (p->row->kind) {
  case GRAZE_SEGMENT: return flat ? graze_segment2(v[0], v[1]) : graze_segment(v[0], v[1]);
  case GRAZE_TRIANGLE: return flat ? graze_triangle2(v[0], v[1], v[2]) : graze_triangle(v[0], v[1], v[2]);
  case GRAZE_BOX: return flat ? graze_box2(x->x, x->y) : graze_box(x->x, x->y, x->z);
  case GRAZE_POLYGON: return (convex ? graze_polygon : graze_hull_points2)(v, body->vertex_count);
  case GRAZE_HULL: return (flat ? graze_hull_points2 : graze_hull_points)(v, body->vertex_count);
  case GRAZE_SPHERE: return (flat ? graze_circle : graze_sphere)(p->radius);
  case GRAZE_ELLIPSOID: return flat ? graze_ellipse(x->x, x->y) : graze_ellipsoid(x->x, x->y, x->z);
  case GRAZE_CAPSULE: return (flat ? graze_capsule2 : graze_capsule)(p->radius, p->half_length);
  case GRAZE_CYLINDER: return graze_cylinder(p->radius, p->half_length);
  case GRAZE_CONE: return graze_cone(p->radius, p->half_length);
  case GRAZE_HALFSPACE: return (flat ? graze_halfspace2 : graze_halfspace)(*x, p->offset);
  case GRAZE_MESH: return graze_mesh_shape(body->mesh);
  default: return flat ? graze_point2() : graze_point();
  }
}

/* Reports why graze_check() rejects a shape. */
static bool reject_shape(const parser *p, const graze_placed *placed) {
  graze_error e = {.status = placed->status, .index = -1};
  graze_check(&placed->shape, &placed->pose, &e);
  const char *allowed = e.allowed ? e.allowed : graze_status_text(e.status);
  char name[CLI_NAME_SIZE], number[CLI_NUMBER_SIZE];
  cli_name_text((cli_name){p->o.name, e.what ? e.what : p->row->name, e.index}, name);
  const cli_error_code code = e.status == GRAZE_BAD_NUMBER     ? CLI_BAD_NUMBER
                              : e.status == GRAZE_DIM_MISMATCH ? CLI_DIM_MISMATCH
                              : e.status == GRAZE_UNSUPPORTED  ? CLI_UNSUPPORTED
                                                               : CLI_BAD_SHAPE;
  if (e.status == GRAZE_NOT_CONVEX)
    return cli_reject(p->o.error, CLI_NOT_CONVEX,
                      "%s: the polygon is not convex here, use \"concave\":\"decompose\" to split it, or type \"hull\" "
                      "for its convex hull",
                      name);
  if (e.value == 0) return cli_reject(p->o.error, code, "%s: invalid value, %s", name, allowed);
  return cli_reject(p->o.error, code, "%s: out of range (%s), %s", name, cli_number_text(e.value, number), allowed);
}

static bool create_compound(const parser *p) {
  cli_body *body = p->body;
  graze_error e = {.index = -1};
  graze_compound *compound = NULL;
  graze_placed *parts = malloc(body->part_count * sizeof *parts);
  if (parts == NULL) return cli_reject_memory(p->o.error);
  for (size_t i = 0; i < body->part_count; i++) parts[i] = body->parts[i].placed;
  graze_status status = graze_compound_create(parts, body->part_count, NULL, &compound, &e);
  free(parts);
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(p->o.error);
  if (status != GRAZE_OK)
    return cli_reject(p->o.error, CLI_BAD_SHAPE, "%s.parts[%td]: %s", p->o.name, e.index, graze_status_text(status));
  cli_body_set_compound(body, compound);
  return true;
}

bool cli_body_read(json_t *value, const char *name, int dim, cli_use use, cli_models *models, cli_body *body,
                   cli_error *error) {
  parser p = {.o = {value, name, error}, .dim = dim, .use = use, .body = body};
  *body = (cli_body){0};
  bool good = read_all(&p, models);
  /* Queries about points read them in the body frame, where a pose or a margin would have no effect. */
  const graze_vec at = p.pose.position;
  const char *moved = p.margin != 0                                     ? "margin"
                      : at.x != 0 || at.y != 0 || at.z != 0             ? "position"
                      : p.pose.x != 0 || p.pose.y != 0 || p.pose.z != 0 ? "rotation"
                                                                        : NULL;
  if (good && use >= CLI_USE_POINTS && moved)
    good = cli_reject_key(&p.o, CLI_UNSUPPORTED, moved, "not supported",
                          "this query reads the vertices as they are listed; remove the key");
  if (good) {
    graze_shape shape = graze_with_margin(shape_of(&p), p.margin);
    body->placed = graze_place(&shape, p.pose);
    good = body->placed.status == GRAZE_OK || reject_shape(&p, &body->placed);
  }
  good = good && (p.row->kind != GRAZE_COMPOUND || create_compound(&p));
  if (!good) cli_body_free(body);
  return good;
}

void cli_body_free(cli_body *body) {
  for (size_t i = 0; i < body->part_count; i++) free((void *)body->parts[i].vertices); /* parts own nothing else */
  for (size_t i = 0; i < body->hole_count; i++) free((void *)body->holes[i].vertices);
  graze_compound_destroy(body->compound);
  free(body->parts);
  free(body->holes);
  if (body->mesh == NULL) free((void *)body->vertices);
  graze_mesh_destroy(body->own_mesh);
  cli_model_release(body->model);
  *body = (cli_body){0};
}

double cli_radius(const graze_shape *shape) {
  if (shape->kind == GRAZE_SPHERE) return shape->as.sphere.radius + shape->margin;
  return shape->kind == GRAZE_CAPSULE ? shape->as.capsule.radius + shape->margin : shape->margin;
}

bool cli_has_parts(const cli_body *body) { return body->concave || body->compound || body->mesh; }

bool cli_body_is_curved(const cli_body *body) {
  for (size_t i = 0; i < body->part_count; i++)
    if (graze_is_curved(&body->parts[i].placed.shape)) return true;
  return graze_is_curved(&body->placed.shape);
}

void cli_body_set_compound(cli_body *body, graze_compound *compound) {
  graze_shape shape = graze_with_margin(graze_compound_shape(compound), body->placed.shape.margin);
  body->placed = graze_place(&shape, body->placed.pose);
  body->compound = compound;
  body->concave = false;
}
