/* Methods of shapes, and placed shapes: poses, bounds, support points, projections, containment, parts, corners. */
#include "binding.h"

grl_placed *grl_check_placed(lua_State *L, int argument, const char *name) {
  grl_placed *placed = grl_test(L, argument, GRL_PLACED);
  if (placed == NULL)
    grl_reject(L, argument, "%s: invalid value (%s), must be a placed shape, for instance shape:at(x, y)", name,
               grl_test(L, argument, GRL_SHAPE) ? "a shape without a pose" : grl_describe(L, argument));
  if (placed->freed) grl_reject(L, argument, "%s: already freed", name);
  return placed;
}

grl_placed *grl_push_placed(lua_State *L) { return grl_new(L, sizeof(grl_placed), GRL_PLACED); }

void grl_fill_placed(lua_State *L, grl_placed *made, const graze_placed *placed, grl_store *store, int from) {
  made->placed = *placed;
  made->store = grl_store_retain(store);
  grl_share_functions(L, store, from, lua_gettop(L));
}

/* ---- Methods of shapes ---- */

static int kind(lua_State *L) {
  grl_check_count(L, 1, 1);
  lua_pushstring(L, grl_kind_text(grl_check_shape(L, 1, "shape")->shape.kind));
  return 1;
}

static int shape_dim(lua_State *L) {
  grl_check_count(L, 1, 1);
  lua_pushinteger(L, grl_check_shape(L, 1, "shape")->shape.dim);
  return 1;
}

static int with_margin(lua_State *L) {
  grl_check_count(L, 2, 2);
  double margin = grl_number(L, 2, "margin");
  grl_check_shape(L, 1, "shape");
  grl_shape *made = grl_push_shape(L, graze_point());
  const grl_shape *shape = grl_check_shape(L, 1, "shape"); /* again: a finalizer may have freed it */
  made->shape = graze_with_margin(shape->shape, margin);
  made->store = grl_store_retain(shape->store);
  grl_share_functions(L, made->store, 1, lua_gettop(L));
  grl_validate_shape(L, 2, made);
  return 1;
}

static int at(lua_State *L) {
  const grl_shape *shape = grl_check_shape(L, 1, "shape");
  graze_pose pose = grl_last_pose(L, 2, shape->shape.dim, false);
  graze_error error = {.index = -1};
  grl_placed *made = grl_push_placed(L);
  shape = grl_check_shape(L, 1, "shape"); /* again: a finalizer may have freed it */
  lua_State *before = grl_enter(L);
  graze_placed placed = graze_place(&shape->shape, pose);
  if (placed.status != GRAZE_OK) graze_check(&shape->shape, &pose, &error);
  grl_leave(L, before);
  grl_check_status(L, 2, NULL, placed.status, &error);
  grl_fill_placed(L, made, &placed, shape->store, 1);
  return 1;
}

static int vertices(lua_State *L) {
  grl_check_count(L, 1, 1);
  grl_check_shape(L, 1, "shape");
  grl_shape *kept = grl_push_shape(L, graze_point()); /* keeps the vertices if a finalizer frees the shape */
  const grl_shape *shape = grl_check_shape(L, 1, "shape");
  const graze_vec *list;
  size_t count;
  if (shape->shape.kind == GRAZE_POLYGON) {
    list = shape->shape.as.polygon.vertices, count = shape->shape.as.polygon.count;
  } else if (shape->shape.kind == GRAZE_HULL) {
    list = shape->shape.as.hull.vertices, count = shape->shape.as.hull.count;
  } else if (shape->shape.kind == GRAZE_MESH) {
    const graze_mesh_def def = graze_mesh_faces(shape->shape.as.mesh);
    list = def.vertices, count = def.vertex_count;
  } else {
    return 0;
  }
  kept->store = grl_store_retain(shape->store);
  grl_push_points(L, list, count, shape->shape.dim);
  return 1;
}

/* shape:faces(): the vertex indices of each face of a mesh. */
static int faces(lua_State *L) {
  grl_check_count(L, 1, 1);
  grl_check_shape(L, 1, "shape");
  grl_shape *kept = grl_push_shape(L, graze_point()); /* as in vertices() */
  const grl_shape *shape = grl_check_shape(L, 1, "shape");
  if (shape->shape.kind != GRAZE_MESH) return 0;
  kept->store = grl_store_retain(shape->store);
  const graze_mesh_def def = graze_mesh_faces(shape->shape.as.mesh);
  lua_createtable(L, (int)def.face_count, 0);
  for (size_t f = 0; f < def.face_count; f++) {
    lua_createtable(L, def.dim, 0);
    for (int k = 0; k < def.dim; k++) {
      lua_pushinteger(L, (lua_Integer)def.faces[(size_t)def.dim * f + (size_t)k] + 1);
      lua_rawseti(L, -2, k + 1);
    }
    lua_rawseti(L, -2, (int)f + 1);
  }
  return 1;
}

/* shape:is_solid(): of a mesh; nothing for other shapes. */
static int is_solid(lua_State *L) {
  grl_check_count(L, 1, 1);
  const grl_shape *shape = grl_check_shape(L, 1, "shape");
  if (shape->shape.kind != GRAZE_MESH) return 0;
  lua_pushboolean(L, graze_mesh_is_solid(shape->shape.as.mesh));
  return 1;
}

static int collect_shape(lua_State *L) {
  grl_shape *shape = grl_test(L, 1, GRL_SHAPE);
  if (shape == NULL) return 0;
  grl_store *store = shape->store;
  shape->store = NULL;
  shape->freed = true;
  grl_store_release(store);
  return 0;
}

static int free_shape(lua_State *L) {
  grl_check_count(L, 1, 1);
  const grl_shape *shape = grl_check_shape(L, 1, "shape");
  grl_require_mutable(L);
  if (shape->store && shape->store->calls_lua && shape->store->references == 1) {
    grl_get_table(L, 1); /* the last owner: its support functions are not called any more */
    for (size_t i = grl_length(L, -1); i > 0; i--) {
      lua_pushnil(L);
      lua_rawseti(L, -2, (int)i);
    }
  }
  return collect_shape(L);
}

static int shape_to_string(lua_State *L) {
  const grl_shape *shape = grl_test(L, 1, GRL_SHAPE);
  if (shape == NULL) return luaL_argerror(L, 1, "shape: must be a shape");
  lua_pushfstring(L, "graze.shape (%s%s, %dD)", shape->freed ? "freed " : "", grl_kind_text(shape->shape.kind),
                  shape->shape.dim);
  return 1;
}

const luaL_Reg grl_shape_methods[] = {
    {"at", at},       {"with_margin", with_margin}, {"kind", kind},       {"dim", shape_dim}, {"vertices", vertices},
    {"faces", faces}, {"is_solid", is_solid},       {"free", free_shape}, {NULL, NULL},
};

const luaL_Reg grl_shape_meta[] = {{"__gc", collect_shape}, {"__tostring", shape_to_string}, {NULL, NULL}};

/* ---- Placed shapes ---- */

static int set_pose(lua_State *L) {
  grl_placed *placed = grl_check_placed(L, 1, "placed");
  graze_pose pose = grl_last_pose(L, 2, placed->placed.shape.dim, true);
  grl_require_mutable(L);
  graze_status status = graze_set_pose(&placed->placed, pose);
  if (status == GRAZE_UNSUPPORTED) grl_reject(L, 1, "placed: part of a compound, must be moved with its compound");
  graze_error error = {.index = -1};
  if (status != GRAZE_OK) graze_check(&placed->placed.shape, &pose, &error);
  grl_check_status(L, 2, NULL, status, &error);
  lua_settop(L, 1);
  return 1;
}

static int pose(lua_State *L) {
  grl_check_count(L, 1, 1);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  return grl_push_pose(L, &placed->placed.pose, placed->placed.shape.dim);
}

static int dim(lua_State *L) {
  grl_check_count(L, 1, 1);
  lua_pushinteger(L, grl_check_placed(L, 1, "placed")->placed.shape.dim);
  return 1;
}

static int shape(lua_State *L) {
  grl_check_count(L, 1, 1);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  grl_shape *made = grl_push_shape(L, graze_point());
  made->shape = placed->placed.shape;
  made->store = grl_store_retain(placed->store);
  grl_share_functions(L, made->store, 1, lua_gettop(L));
  return 1;
}

static int bounds(lua_State *L) {
  grl_check_count(L, 1, 1);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  graze_aabb box;
  lua_State *before = grl_enter(L);
  graze_status status = graze_bounds(&placed->placed, &box);
  grl_leave(L, before);
  grl_check_status(L, 1, "placed", status, NULL);
  return grl_push_vec(L, box.min, placed->placed.shape.dim) + grl_push_vec(L, box.max, placed->placed.shape.dim);
}

/* Raises an error for the status of a query along a direction, which is argument 2. */
static void check_extent(lua_State *L, graze_status status, const char *name) {
  if (status == GRAZE_UNSUPPORTED) grl_reject(L, 1, "placed: unbounded shape (a halfspace), must be bounded");
  grl_check_status(L, 2, name, status, NULL);
}

static int support(lua_State *L) {
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dimension = placed->placed.shape.dim, vertex;
  grl_check_count(L, 1 + dimension, 1 + dimension);
  graze_vec direction = grl_direction(L, 2, dimension, "direction"), point;
  lua_State *before = grl_enter(L);
  graze_status status = graze_support(&placed->placed, direction, &point, &vertex);
  grl_leave(L, before);
  check_extent(L, status, "direction");
  int count = grl_push_vec(L, point, dimension);
  if (vertex < 0) return count;
  lua_pushinteger(L, vertex + 1);
  return count + 1;
}

static int project(lua_State *L) {
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dimension = placed->placed.shape.dim;
  grl_check_count(L, 1 + dimension, 1 + dimension);
  graze_vec axis = grl_direction(L, 2, dimension, "axis");
  graze_interval interval;
  lua_State *before = grl_enter(L);
  graze_status status = graze_project(&placed->placed, axis, &interval);
  grl_leave(L, before);
  check_extent(L, status, "axis");
  lua_pushnumber(L, interval.min);
  lua_pushnumber(L, interval.max);
  return 2;
}

static int contains(lua_State *L) {
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dimension = placed->placed.shape.dim;
  grl_check_count(L, 1 + dimension, 1 + dimension);
  graze_vec point = grl_vec_arguments(L, 2, dimension, "point");
  graze_relation relation;
  lua_State *before = grl_enter(L);
  graze_status status = graze_contains(&placed->placed, point, &relation);
  grl_leave(L, before);
  grl_check_status(L, 2, "point", status, NULL);
  lua_pushboolean(L, relation != GRAZE_SEPARATED);
  lua_pushstring(L, graze_relation_text(relation));
  return 2;
}

static int part_count(lua_State *L) {
  grl_check_count(L, 1, 1);
  lua_pushinteger(L, (lua_Integer)graze_part_count(&grl_check_placed(L, 1, "placed")->placed));
  return 1;
}

static int part(lua_State *L) {
  grl_check_count(L, 2, 2);
  const bool own = grl_check_placed(L, 1, "placed")->is_part; /* a part is its own part */
  grl_placed *made = own ? NULL : grl_push_placed(L);
  const grl_placed *placed = grl_check_placed(L, 1, "placed"); /* again: a finalizer may have freed it */
  const size_t index = grl_positive_integer(L, 2, "index", (double)graze_part_count(&placed->placed));
  if (own) {
    lua_settop(L, 1);
    return 1;
  }
  graze_placed found = graze_part(&placed->placed, index - 1, &made->frame);
  grl_fill_placed(L, made, &found, placed->store, 1);
  made->is_part = placed->placed.shape.kind == GRAZE_COMPOUND;
  made->whole = placed->placed.pose;
  return 1;
}

static int corners(lua_State *L) {
  grl_check_count(L, 1, 2);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  const graze_placed *p = &placed->placed;
  const graze_shape_kind kind = p->shape.kind;
  if (grl_absent(L, 2)) {
    lua_settop(L, 1);
    lua_newtable(L);
  } else if (!lua_istable(L, 2)) {
    grl_reject_value(L, 2, 2, "into", "a table to fill");
  }
  grl_check_dim(L, 1, "placed", p->shape.dim, 2);
  if (grl_has_parts(&p->shape))
    grl_reject(L, 1, "placed: %s, must be convex, for instance placed:part(i)", grl_kind_text(kind));
  size_t count = kind == GRAZE_SPHERE || kind == GRAZE_CAPSULE ? 0 : graze_vertex_count(&p->shape);
  if (count == 0) grl_reject(L, 1, "placed: shape without corners (%s)", grl_kind_text(kind));
  for (size_t i = 0; i < count; i++) {
    /* Vertices of boxes are numbered by their signs: counter-clockwise they are 0, 1, 3, 2. */
    graze_vec v = graze_pose_apply(&p->pose, graze_vertex(&p->shape, kind == GRAZE_BOX ? i ^ i >> 1 : i));
    if (placed->is_part) v = graze_pose_apply(&placed->whole, v);
    lua_pushnumber(L, v.x);
    lua_rawseti(L, 2, (int)i * 2 + 1);
    lua_pushnumber(L, v.y);
    lua_rawseti(L, 2, (int)i * 2 + 2);
  }
  for (size_t i = grl_length(L, 2); i > count * 2; i--) {
    lua_pushnil(L);
    lua_rawseti(L, 2, (int)i);
  }
  return 1;
}

static int collect(lua_State *L) {
  grl_placed *placed = grl_test(L, 1, GRL_PLACED);
  if (placed == NULL) return 0;
  grl_store *store = placed->store;
  placed->store = NULL;
  placed->freed = true;
  grl_store_release(store);
  return 0;
}

static int to_string(lua_State *L) {
  const grl_placed *placed = grl_test(L, 1, GRL_PLACED);
  if (placed == NULL) return luaL_argerror(L, 1, "placed: must be a placed shape");
  const graze_vec *p = &placed->placed.pose.position;
  const char *x = grl_format_number(L, p->x), *y = grl_format_number(L, p->y);
  if (placed->placed.shape.dim == 2)
    lua_pushfstring(L, "graze.placed (2D, at %s, %s)", x, y);
  else
    lua_pushfstring(L, "graze.placed (3D, at %s, %s, %s)", x, y, grl_format_number(L, p->z));
  return 1;
}

const luaL_Reg grl_placed_functions[] = {
    {"bounds", bounds},         {"support", support}, {"project", project}, {"contains", contains},
    {"part_count", part_count}, {"part", part},       {NULL, NULL},
};

const luaL_Reg grl_placed_methods[] = {
    {"set_pose", set_pose}, {"pose", pose}, {"dim", dim}, {"shape", shape}, {"corners", corners}, {NULL, NULL},
};

const luaL_Reg grl_placed_meta[] = {{"__gc", collect}, {"__tostring", to_string}, {NULL, NULL}};
