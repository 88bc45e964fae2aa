/* Shapes that own memory: polygons, clouds of points, convex hulls, compounds, concave polygons, support functions of
 * the caller's. */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A shape with a store of its own, on top; the store has room for vertices, copied from `points` if there are any. */
static grl_shape *push_stored(lua_State *L, const graze_vec *points, size_t count) {
  grl_shape *made = grl_push_shape(L, graze_point());
  made->store = grl_store_new(count);
  if (made->store == NULL) grl_out_of_memory(L);
  if (count > 0) memcpy(made->store->vertices, points, count * sizeof *points);
  grl_weigh(L, count * sizeof *points);
  return made;
}

/* The dimension that a caller may name after a list of points; 0: the points tell. */
static int wanted_dim(lua_State *L, int argument) {
  if (grl_absent(L, argument)) return 0;
  if (lua_type(L, argument) != LUA_TNUMBER || (lua_tonumber(L, argument) != 2 && lua_tonumber(L, argument) != 3))
    grl_refuse(L, argument, "dim: 2 or 3 expected, got %s", grl_describe(L, argument));
  return (int)lua_tonumber(L, argument);
}

static int polygon(lua_State *L) {
  grl_count(L, 1, 1);
  size_t count;
  int dim = 2;
  const graze_vec *points = grl_points(L, 1, 1, "vertices", &count, &dim);
  grl_shape *made = push_stored(L, points, count);
  made->shape = graze_polygon(made->store->vertices, count);
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  if (graze_check(&made->shape, NULL, &error) == GRAZE_NOT_CONVEX && error.index >= 0 && (size_t)error.index < count)
    grl_refuse(L, 1, "vertices[%d] = (%s, %s): not convex there; graze.concave() takes any outline",
               (int)error.index + 1, grl_say(L, points[error.index].x), grl_say(L, points[error.index].y));
  grl_judge_shape(L, 1, made);
  return 1;
}

static int cloud(lua_State *L) {
  grl_count(L, 1, 2);
  size_t count;
  int dim = wanted_dim(L, 2);
  const graze_vec *points = grl_points(L, 1, 1, "points", &count, &dim);
  grl_shape *made = push_stored(L, points, count);
  made->shape =
      dim == 2 ? graze_hull_points2(made->store->vertices, count) : graze_hull_points(made->store->vertices, count);
  grl_judge_shape(L, 1, made);
  return 1;
}

/* ---- Convex hulls ---- */

static void push_faces(lua_State *L, const graze_hull *hull) {
  lua_createtable(L, (int)hull->face_count, 0);
  for (size_t f = 0; f < hull->face_count; f++) {
    int32_t first = hull->face_start[f], end = hull->face_start[f + 1];
    lua_createtable(L, end - first, 0);
    for (int32_t i = first; i < end; i++) {
      lua_pushinteger(L, hull->face_vertices[i] + 1);
      lua_rawseti(L, -2, i - first + 1);
    }
    lua_rawseti(L, -2, (int)f + 1);
  }
}

static void push_hull_report(lua_State *L, const graze_hull *hull) {
  lua_createtable(L, 0, 6);
  grl_set_whole(L, "affine_dim", hull->affine_dim);
  grl_push_points(L, hull->vertices, hull->vertex_count, hull->dim);
  lua_setfield(L, -2, "vertices");
  lua_createtable(L, (int)hull->vertex_count, 0);
  for (size_t i = 0; i < hull->vertex_count; i++) {
    lua_pushinteger(L, (lua_Integer)hull->indices[i] + 1);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "indices");
  push_faces(L, hull);
  lua_setfield(L, -2, "faces");
  grl_set_number(L, "area", hull->area);
  grl_set_number(L, "volume", hull->volume);
}

static int hull(lua_State *L) {
  grl_count(L, 1, 2);
  size_t count;
  int dim = wanted_dim(L, 2);
  const graze_vec *points = grl_points(L, 1, 1, "points", &count, &dim);
  grl_shape *made = push_stored(L, NULL, 0);
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  graze_status status = graze_hull_create(points, count, dim, NULL, &made->store->hull, &error);
  grl_check(L, 1, NULL, status, &error);
  made->shape = graze_hull_shape(&made->store->hull);
  grl_weigh(L, made->store->hull.vertex_count * 256);
  push_hull_report(L, &made->store->hull);
  return 2;
}

/* ---- Compounds ---- */

/* Collects the parts of the list at 1; the store keeps what they point into. */
static graze_placed *read_parts(lua_State *L, grl_store *store, size_t count) {
  graze_placed *parts = lua_newuserdata(L, count * sizeof *parts);
  store->children = calloc(count, sizeof(grl_store *));
  if (store->children == NULL) grl_out_of_memory(L);
  store->child_count = count;
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 1, (int)i + 1);
    const grl_placed *part = grl_test(L, lua_gettop(L), GRL_PLACED);
    if (part == NULL || part->freed)
      grl_refuse(L, 1, "parts[%d]: a placed shape expected, got %s", (int)i + 1,
                 part ? "a freed one" : grl_describe(L, lua_gettop(L)));
    parts[i] = part->placed;
    store->children[i] = grl_store_keep(part->store);
    store->calls = store->calls || (part->store && part->store->calls);
    lua_pop(L, 1);
  }
  return parts;
}

static int compound(lua_State *L) {
  grl_count(L, 1, 1);
  if (!lua_istable(L, 1) || grl_length(L, 1) == 0)
    grl_refuse(L, 1, "parts: a list of placed shapes expected, got %s",
               lua_istable(L, 1) ? "an empty table" : grl_describe(L, 1));
  size_t count = grl_length(L, 1);
  grl_shape *made = push_stored(L, NULL, 0);
  int index = lua_gettop(L);
  graze_placed *parts = read_parts(L, made->store, count);
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  lua_State *before = grl_enter(L);
  graze_status status = graze_compound_create(parts, count, NULL, &made->store->compound, &error);
  grl_leave(L, before);
  grl_check(L, 1, NULL, status, &error);
  made->shape = graze_compound_shape(made->store->compound);
  grl_weigh(L, count * 1024);
  lua_pushvalue(L, index);
  grl_hold_functions(L, made->store);
  return 1;
}

/* ---- Support functions of the caller's ---- */

typedef struct support_call {
  const grl_store *store;
  int dim;
  graze_vec direction, *point;
  double *bound;
} support_call;

/* What the support function at 1 gave is refused. */
static void refuse_support(lua_State *L, const char *expected, int index) {
  luaL_error(L, "support function at %s: %s expected, got %s", grl_describe_function(L, 1), expected,
             grl_describe(L, index));
}

static void call_support(lua_State *L, void *data) {
  const support_call *c = data;
  grl_push_function(L, c->store);
  if (lua_isnil(L, 1)) /* from 5.2 to 5.4 weak values go before finalizers run */
    luaL_error(L, "the support function of this shape has been collected");
  lua_pushvalue(L, 1);
  int count = grl_push_vec(L, c->direction, c->dim), first = 2;
  lua_call(L, count, count + 1);
  double v[4] = {0, 0, 0, 0};
  for (int i = 0; i < count; i++) {
    v[i] = lua_tonumber(L, first + i);
    if (lua_type(L, first + i) != LUA_TNUMBER || !(fabs(v[i]) <= GRAZE_LARGEST))
      refuse_support(L, c->dim == 2 ? "x and y of a point" : "x, y and z of a point", first + i);
  }
  if (!lua_isnil(L, first + count)) { /* no bound: 0 */
    v[3] = lua_tonumber(L, first + count);
    if (lua_type(L, first + count) != LUA_TNUMBER || !(v[3] >= 0 && v[3] <= GRAZE_LARGEST))
      refuse_support(L, "a bound from 0 on, after the point,", first + count);
  }
  *c->point = (graze_vec){v[0], v[1], v[2]};
  *c->bound = v[3];
}

static double support_by_lua(void *context, graze_vec direction, graze_vec *point) {
  const grl_store *store = context;
  double bound = 0;
  support_call c = {store, (int)store->vertices[0].x, direction, point, &bound};
  *point = (graze_vec){0, 0, 0};
  if (store->state->running == NULL || !grl_protected(store->state, call_support, &c, 0, 0)) return -1; /* refused */
  return bound;
}

static int user(lua_State *L) {
  grl_count(L, 2, 2);
  int dim = wanted_dim(L, 1);
  if (dim == 0) grl_refuse(L, 1, "dim: 2 or 3 expected, got nil");
  if (!lua_isfunction(L, 2)) grl_refuse(L, 2, "support: a function expected, got %s", grl_describe(L, 2));
  const graze_vec room = {dim, 0, 0}; /* the store remembers the dimension */
  grl_shape *made = push_stored(L, &room, 1);
  lua_pushvalue(L, 2);
  grl_number_function(L, made->store);
  grl_hold_functions(L, made->store);
  made->shape = graze_user(dim, support_by_lua, made->store);
  grl_judge_shape(L, 2, made);
  return 1;
}

const luaL_Reg grl_solid_functions[] = {
    {"polygon", polygon}, {"cloud", cloud}, {"hull", hull}, {"compound", compound}, {"user", user}, {NULL, NULL},
};
