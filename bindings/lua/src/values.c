/* Values between Lua and Graze: arguments are read strictly and rejected by name; results are numbers, tables of
 * points, and tables that calls refill without garbage. */
#include "binding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Numbers ---- */

bool grl_absent(lua_State *L, int index) { return lua_isnoneornil(L, index); }

double grl_any_number(lua_State *L, int argument, int index, const char *name, const char *allowed) {
  if (lua_type(L, index) != LUA_TNUMBER) grl_reject_value(L, argument, index, name, allowed);
#if LUA_VERSION_NUM >= 503
  if (lua_isinteger(L, index)) {
    lua_Integer whole = lua_tointeger(L, index);
    double nearest = (double)whole;
    if (!(nearest < 0x1p63 && (lua_Integer)nearest == whole)) {
      const char *value = grl_describe(L, index);
      grl_reject(L, argument, "%s: integer (%s) that is no double, must be a float, for instance %s.0", name, value,
                 value);
    }
  }
#endif
  return lua_tonumber(L, index);
}

/* The number at a stack index. */
static double number_at(lua_State *L, int argument, int index, const char *name) {
  double value = grl_any_number(L, argument, index, name, "a number");
  if (!(fabs(value) <= GRAZE_LARGEST)) grl_reject_value(L, argument, index, name, "a number of magnitude <= 1e40");
  return value;
}

double grl_number(lua_State *L, int argument, const char *name) { return number_at(L, argument, argument, name); }

double grl_nonnegative_at(lua_State *L, int argument, int index, const char *name) {
  double value = grl_any_number(L, argument, index, name, "a number >= 0");
  if (!(value >= 0)) grl_reject_value(L, argument, index, name, "a number >= 0");
  return value;
}

double grl_nonnegative(lua_State *L, int argument, const char *name, double fallback) {
  return grl_absent(L, argument) ? fallback : grl_nonnegative_at(L, argument, argument, name);
}

size_t grl_positive_integer(lua_State *L, int argument, const char *name, double most) {
  double value = lua_type(L, argument) == LUA_TNUMBER ? lua_tonumber(L, argument) : 0;
  if (!(value >= 1 && value <= most && value == floor(value))) {
    const char *given = grl_describe(L, argument); /* before anything is pushed: it may be none */
    grl_reject(L, argument, "%s: invalid value (%s), must be a whole number from 1 to %s", name, given,
               grl_format_number(L, most));
  }
  return (size_t)value;
}

bool grl_flag(lua_State *L, int argument, int index, const char *name) {
  if (!lua_isboolean(L, index)) grl_reject_value(L, argument, index, name, "true or false");
  return lua_toboolean(L, index) != 0;
}

uint64_t grl_bits(lua_State *L, int argument, int index, const char *name) {
  if (grl_is_integer(L, index)) return (uint64_t)lua_tointeger(L, index);
  double value = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
  if (!(fabs(value) <= 0x1p53 && value == floor(value)))
    grl_reject_value(L, argument, index, name, "a bit mask: a whole number from -2^53 to 2^53 (-1: all bits)");
  return (uint64_t)(int64_t)value;
}

/* ---- Vectors ---- */

graze_vec grl_vec_arguments(lua_State *L, int first, int dim, const char *name) {
  double v[3] = {0, 0, 0};
  for (int i = 0; i < dim; i++) {
    char full[64];
    snprintf(full, sizeof full, "%s.%c", name, "xyz"[i]);
    v[i] = grl_number(L, first + i, full);
  }
  return (graze_vec){v[0], v[1], v[2]};
}

graze_vec grl_direction(lua_State *L, int first, int dim, const char *name) {
  graze_vec d = grl_vec_arguments(L, first, dim, name);
  if (d.x == 0 && d.y == 0 && d.z == 0) grl_reject(L, first, "%s: zero vector, must be a direction", name);
  return d;
}

/* Reads coordinate i of the table by its position or its name. Returns false if it is nil. */
static bool coordinate(lua_State *L, int argument, int index, int i, const char *name, double *value) {
  static const char *const axes[] = {"x", "y", "z"};
  char full[80];
  lua_rawgeti(L, index, i + 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushstring(L, axes[i]);
    lua_rawget(L, index);
  }
  bool present = !lua_isnil(L, -1);
  if (present) {
    snprintf(full, sizeof full, "%s.%s", name, axes[i]);
    *value = number_at(L, argument, lua_gettop(L), full);
  }
  lua_pop(L, 1);
  return present;
}

graze_vec grl_vec_table(lua_State *L, int argument, int index, const char *name, int *dim) {
  static const char allowed[] = "a table {x, y} or {x, y, z}";
  double v[3] = {0, 0, 0};
  int count = 0, length;
  if (!lua_istable(L, index)) grl_reject_value(L, argument, index, name, allowed);
  while (count < 3 && coordinate(L, argument, index, count, name, &v[count])) count++;
  if (count < 2) {
    const char *missing = count == 1 ? "y" : coordinate(L, argument, index, 1, name, &v[1]) ? "x" : "x and y";
    grl_reject(L, argument, "%s: invalid value (a table without %s), must be %s", name, missing, allowed);
  }
  if ((length = (int)grl_length(L, index)) > 3)
    grl_reject(L, argument, "%s: invalid value (a table of %d numbers), must be %s", name, length, allowed);
  *dim = count;
  return (graze_vec){v[0], v[1], v[2]};
}

void grl_check_dim(lua_State *L, int argument, const char *name, int dim, int wanted) {
  if (dim != wanted) grl_reject(L, argument, "%s: wrong dimension (%dD), must be %dD", name, dim, wanted);
}

graze_vec grl_velocity(lua_State *L, int argument, const char *name, int dim, bool angular) {
  int given, top = lua_gettop(L);
  if (angular && dim == 2) return (graze_vec){0, 0, number_at(L, argument, top, name)};
  graze_vec v = grl_vec_table(L, argument, top, name, &given);
  grl_check_dim(L, argument, name, given, dim);
  return v;
}

const graze_vec *grl_points(lua_State *L, int argument, int index, const char *name, size_t *count, int *dim) {
  char full[80];
  if (!lua_istable(L, index)) grl_reject_value(L, argument, index, name, "a list of points");
  size_t length = grl_length(L, index);
  if (length == 0) grl_reject(L, argument, "%s: invalid value (an empty table), must be a list of points", name);
  lua_rawgeti(L, index, 1);
  bool flat = lua_type(L, -1) == LUA_TNUMBER;
  lua_pop(L, 1);
  if (flat) {
    if (*dim == 0) *dim = 2;
    grl_check_dim(L, argument, name, 2, *dim);
    if (length % 2 != 0)
      grl_reject(L, argument, "%s: odd count (%d numbers), must be x and y of each point", name, (int)length);
  }
  *count = flat ? length / 2 : length;
  graze_vec *points = lua_newuserdata(L, *count * sizeof *points);
  for (size_t i = 0; i < length; i++) {
    snprintf(full, sizeof full, "%s[%lu]", name, (unsigned long)i + 1);
    lua_rawgeti(L, index, (int)i + 1);
    if (flat) {
      double value = number_at(L, argument, lua_gettop(L), full);
      if (i % 2 == 0)
        points[i / 2] = (graze_vec){value, 0, 0};
      else
        points[i / 2].y = value;
    } else {
      int given;
      points[i] = grl_vec_table(L, argument, lua_gettop(L), full, &given);
      if (*dim == 0) *dim = given;
      grl_check_dim(L, argument, full, given, *dim);
    }
    lua_pop(L, 1);
  }
  return points;
}

/* ---- Poses ---- */

graze_pose grl_pose_arguments(lua_State *L, int first, int dim, int *next) {
  int count = 0;
  while (count < 8 && lua_type(L, first + count) == LUA_TNUMBER) count++;
  *next = first + count;
  if (count == 0 && grl_absent(L, first)) return graze_pose_identity();
  if (count < dim) {
    const char name[] = {'p', 'o', 's', 'i', 't', 'i', 'o', 'n', '.', "xyz"[count], 0};
    grl_reject_value(L, first + count, first + count, name, "a number");
  }
  graze_vec position = grl_vec_arguments(L, first, dim, "position");
  if (count == dim) return graze_pose_at(position.x, position.y, position.z);
  if (dim == 2 && count == 3) return graze_pose2(position.x, position.y, grl_number(L, first + 2, "angle"));
  if (dim == 2 && count == 4)
    return (graze_pose){position, grl_number(L, first + 2, "rotation.w"), 0, 0, grl_number(L, first + 3, "rotation.z")};
  if (dim == 3 && count == 7)
    return graze_pose3(position, grl_number(L, first + 3, "rotation.w"), grl_number(L, first + 4, "rotation.x"),
                       grl_number(L, first + 5, "rotation.y"), grl_number(L, first + 6, "rotation.z"));
  grl_reject(L, first + count - 1, "pose: invalid value (%d numbers), must be %s", count,
             dim == 2 ? "x, y [, angle] or x, y, w, z" : "x, y, z [, w, x, y, z]");
  return graze_pose_identity();
}

graze_pose grl_last_pose(lua_State *L, int first, int dim, bool required) {
  int next;
  graze_pose pose = grl_pose_arguments(L, first, dim, &next);
  grl_check_count(L, first - 1 + (required ? dim : 0), first - 1 + (dim == 2 ? 4 : 7));
  if (lua_gettop(L) >= next) grl_reject_value(L, next, next, "pose", "a number");
  return pose;
}

/* ---- Results ---- */

int grl_push_vec(lua_State *L, graze_vec v, int dim) {
  lua_pushnumber(L, v.x);
  lua_pushnumber(L, v.y);
  if (dim == 3) lua_pushnumber(L, v.z);
  return dim;
}

int grl_push_vec_or_nil(lua_State *L, graze_vec v, int dim) {
  if (!isnan(v.x)) return grl_push_vec(L, v, dim);
  lua_pushnil(L);
  return 1;
}

void grl_push_number_or_nil(lua_State *L, double value) {
  if (isnan(value))
    lua_pushnil(L);
  else
    lua_pushnumber(L, value);
}

void grl_push_point(lua_State *L, graze_vec v, int dim) {
  const double values[] = {v.x, v.y, v.z};
  if (isnan(v.x) || isnan(v.y) || isnan(v.z)) {
    lua_pushnil(L);
    return;
  }
  lua_createtable(L, dim, 0);
  for (int i = 0; i < dim; i++) {
    lua_pushnumber(L, values[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

int grl_push_pose(lua_State *L, const graze_pose *pose, int dim) {
  grl_push_vec(L, pose->position, dim);
  lua_pushnumber(L, pose->w);
  if (dim == 3) {
    lua_pushnumber(L, pose->x);
    lua_pushnumber(L, pose->y);
  }
  lua_pushnumber(L, pose->z);
  return dim == 2 ? 4 : 7;
}

void grl_push_points(lua_State *L, const graze_vec *points, size_t count, int dim) {
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    grl_push_point(L, points[i], dim);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

/* ---- Fields of the table on top ---- */

void grl_set_field(lua_State *L, const char *key) {
  lua_pushstring(L, key);
  lua_insert(L, -2);
  lua_rawset(L, -3);
}

void grl_set_number(lua_State *L, const char *key, double value) {
  lua_pushnumber(L, value);
  grl_set_field(L, key);
}

void grl_set_integer(lua_State *L, const char *key, ptrdiff_t value) {
  lua_pushinteger(L, (lua_Integer)value);
  grl_set_field(L, key);
}

void grl_set_bits(lua_State *L, const char *key, uint64_t bits) {
#if LUA_VERSION_NUM >= 503
  lua_pushinteger(L, (lua_Integer)bits);
#else
  lua_pushnumber(L, (double)(int64_t)bits);
#endif
  grl_set_field(L, key);
}

void grl_set_string(lua_State *L, const char *key, const char *string) {
  lua_pushstring(L, string);
  grl_set_field(L, key);
}

void grl_set_flag(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  grl_set_field(L, key);
}

void grl_set_vec(lua_State *L, const char *key, graze_vec v, int dim) {
  lua_pushstring(L, key);
  lua_rawget(L, -2);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_createtable(L, 0, dim);
    lua_pushstring(L, key);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);
  }
  grl_set_number(L, "x", v.x);
  grl_set_number(L, "y", v.y);
  if (dim == 3) grl_set_number(L, "z", v.z);
  lua_pop(L, 1);
}

/* ---- Lists that calls refill ---- */

void grl_list_argument(lua_State *L, int argument, const char *name) {
  if (lua_gettop(L) < argument) lua_settop(L, argument);
  if (lua_istable(L, argument)) return;
  if (!lua_isnil(L, argument)) grl_reject_value(L, argument, argument, name, "a table to fill");
  lua_newtable(L);
  lua_replace(L, argument);
}

int grl_list_begin(lua_State *L, int list) {
  lua_pushliteral(L, "spare");
  lua_rawget(L, list);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushliteral(L, "spare");
    lua_pushvalue(L, -2);
    lua_rawset(L, list);
  }
  return lua_gettop(L);
}

void grl_list_entry(lua_State *L, int list, int spare, int i) {
  lua_rawgeti(L, spare, i);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, spare, i);
  }
  lua_pushvalue(L, -1);
  lua_rawseti(L, list, i);
}

void grl_list_end(lua_State *L, int list, int count) {
  for (int i = count + 1;; i++) {
    lua_rawgeti(L, list, i);
    bool end = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (end) return;
    lua_pushnil(L);
    lua_rawseti(L, list, i);
  }
}
