/* What callers give: read strictly, refused by name and value. */
#include "binding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void grl_count(lua_State *L, int least, int most) {
  int count = lua_gettop(L);
  if (count < least || count > most) grl_refuse_count(L, least, most, true);
}

bool grl_absent(lua_State *L, int index) { return lua_isnoneornil(L, index); }

double grl_real(lua_State *L, int argument, int index, const char *name, const char *expected) {
  if (lua_type(L, index) != LUA_TNUMBER)
    grl_refuse(L, argument, "%s: %s expected, got %s", name, expected, grl_describe(L, index));
#if LUA_VERSION_NUM >= 503
  if (lua_isinteger(L, index)) {
    lua_Integer whole = lua_tointeger(L, index);
    double near = (double)whole;
    if (!(near < 0x1p63 && (lua_Integer)near == whole))
      grl_refuse(L, argument, "%s: %s is not a double; write %s.0 for the nearest", name, grl_describe(L, index),
                 grl_describe(L, index));
  }
#endif
  return lua_tonumber(L, index);
}

/* The number at a stack index. */
static double number_at(lua_State *L, int argument, int index, const char *name) {
  double value = grl_real(L, argument, index, name, "a number");
  if (!(fabs(value) <= GRAZE_LARGEST))
    grl_refuse(L, argument, "%s: a number up to 1e40 in magnitude expected, got %s", name, grl_describe(L, index));
  return value;
}

double grl_number(lua_State *L, int argument, const char *name) { return number_at(L, argument, argument, name); }

double grl_time_at(lua_State *L, int argument, int index, const char *name) {
  double value = grl_real(L, argument, index, name, "a number from 0 on");
  if (!(value >= 0)) grl_refuse(L, argument, "%s: a number from 0 on expected, got %s", name, grl_describe(L, index));
  return value;
}

double grl_time(lua_State *L, int argument, const char *name, double fallback) {
  return grl_absent(L, argument) ? fallback : grl_time_at(L, argument, argument, name);
}

graze_vec grl_vec_arguments(lua_State *L, int first, int dim, const char *name) {
  static const char axes[3][4] = {".x", ".y", ".z"};
  double v[3] = {0, 0, 0};
  for (int i = 0; i < dim; i++) {
    char full[64];
    snprintf(full, sizeof full, "%s%s", name, axes[i]);
    v[i] = grl_number(L, first + i, full);
  }
  return (graze_vec){v[0], v[1], v[2]};
}

graze_vec grl_direction(lua_State *L, int first, int dim, const char *name) {
  graze_vec d = grl_vec_arguments(L, first, dim, name);
  if (d.x == 0 && d.y == 0 && d.z == 0)
    grl_refuse(L, first, "%s: a direction expected, got %s, which points nowhere", name,
               dim == 2 ? "(0, 0)" : "(0, 0, 0)");
  return d;
}

bool grl_flag(lua_State *L, int argument, int index, const char *name) {
  if (!lua_isboolean(L, index))
    grl_refuse(L, argument, "%s: true or false expected, got %s", name, grl_describe(L, index));
  return lua_toboolean(L, index) != 0;
}

size_t grl_whole(lua_State *L, int argument, const char *name, double most) {
  double value = lua_type(L, argument) == LUA_TNUMBER ? lua_tonumber(L, argument) : 0;
  if (!(value >= 1 && value <= most && value == floor(value)))
    grl_refuse(L, argument, "%s: a whole number from 1 to %s expected, got %s", name, grl_say(L, most),
               grl_describe(L, argument));
  return (size_t)value;
}

uint64_t grl_bits(lua_State *L, int argument, int index, const char *name) {
  if (grl_is_integer(L, index)) return (uint64_t)lua_tointeger(L, index);
  double value = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
  if (!(fabs(value) <= 0x1p53 && value == floor(value)))
    grl_refuse(L, argument, "%s: a whole number from -2^53 to 2^53, whose bits are meant (-1: all), expected, got %s",
               name, grl_describe(L, index));
  return (uint64_t)(int64_t)value;
}

/* ---- Vectors ---- */

/* Coordinate `i` of the table: by its place, or by its name. Nil: there is none. */
static bool coordinate(lua_State *L, int argument, int index, int i, const char *name, double *value) {
  static const char *const axes[] = {"x", "y", "z"};
  char full[80];
  lua_rawgeti(L, index, i + 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushstring(L, axes[i]);
    lua_rawget(L, index);
  }
  bool there = !lua_isnil(L, -1);
  if (there) {
    snprintf(full, sizeof full, "%s.%s", name, axes[i]);
    *value = number_at(L, argument, lua_gettop(L), full);
  }
  lua_pop(L, 1);
  return there;
}

graze_vec grl_vec_table(lua_State *L, int argument, int index, const char *name, int *dim) {
  double v[3] = {0, 0, 0};
  int count = 0;
  if (!lua_istable(L, index))
    grl_refuse(L, argument, "%s: a table {x, y} or {x, y, z} expected, got %s", name, grl_describe(L, index));
  while (count < 3 && coordinate(L, argument, index, count, name, &v[count])) count++;
  if (count < 2)
    grl_refuse(L, argument, "%s: a table {x, y} or {x, y, z} expected, got one without %s", name,
               count == 1                                       ? "y"
               : coordinate(L, argument, index, 1, name, &v[1]) ? "x"
                                                                : "x and y");
  if (grl_length(L, index) > 3)
    grl_refuse(L, argument, "%s: a table {x, y} or {x, y, z} expected, got one of %d numbers", name,
               (int)grl_length(L, index));
  *dim = count;
  return (graze_vec){v[0], v[1], v[2]};
}

void grl_same_dim(lua_State *L, int argument, const char *name, int have, int want) {
  if (have != want) grl_refuse(L, argument, "%s: %dD, where %dD is wanted", name, have, want);
}

graze_vec grl_velocity(lua_State *L, int argument, const char *name, int dim, bool angular) {
  graze_vec v = {0, 0, 0};
  int have, top = lua_gettop(L);
  if (angular && dim == 2) {
    v.z = number_at(L, argument, top, name);
    return v;
  }
  v = grl_vec_table(L, argument, top, name, &have);
  grl_same_dim(L, argument, name, have, dim);
  return v;
}

static void check_list(lua_State *L, int argument, int index, const char *name) {
  if (!lua_istable(L, index))
    grl_refuse(L, argument, "%s: a list of points expected, got %s", name, grl_describe(L, index));
  if (grl_length(L, index) == 0) grl_refuse(L, argument, "%s: a list of points expected, got an empty table", name);
}

static const graze_vec *flat_points(lua_State *L, int argument, int index, const char *name, size_t *count) {
  size_t length = grl_length(L, index);
  if (length % 2 != 0)
    grl_refuse(L, argument, "%s: x and y for every point expected, got %d numbers", name, (int)length);
  graze_vec *points = lua_newuserdata(L, length / 2 * sizeof *points);
  for (size_t i = 0; i < length; i++) {
    char full[80];
    snprintf(full, sizeof full, "%s[%lu]", name, (unsigned long)i + 1);
    lua_rawgeti(L, index, (int)i + 1);
    double value = number_at(L, argument, lua_gettop(L), full);
    lua_pop(L, 1);
    if (i % 2 == 0)
      points[i / 2] = (graze_vec){value, 0, 0};
    else
      points[i / 2].y = value;
  }
  *count = length / 2;
  return points;
}

const graze_vec *grl_points(lua_State *L, int argument, int index, const char *name, size_t *count, int *dim) {
  check_list(L, argument, index, name);
  lua_rawgeti(L, index, 1);
  bool flat = lua_type(L, -1) == LUA_TNUMBER;
  lua_pop(L, 1);
  if (flat) {
    if (*dim == 0) *dim = 2;
    grl_same_dim(L, argument, name, 2, *dim);
    return flat_points(L, argument, index, name, count);
  }
  *count = grl_length(L, index);
  graze_vec *points = lua_newuserdata(L, *count * sizeof *points);
  for (size_t i = 0; i < *count; i++) {
    char full[64];
    int have;
    snprintf(full, sizeof full, "%s[%lu]", name, (unsigned long)i + 1);
    lua_rawgeti(L, index, (int)i + 1);
    points[i] = grl_vec_table(L, argument, lua_gettop(L), full, &have);
    lua_pop(L, 1);
    if (*dim == 0) *dim = have;
    grl_same_dim(L, argument, full, have, *dim);
  }
  return points;
}

graze_pose grl_pose_arguments(lua_State *L, int first, int dim, int *next) {
  int count = 0;
  while (count < 8 && lua_type(L, first + count) == LUA_TNUMBER) count++;
  *next = first + count;
  if (count == 0 && grl_absent(L, first)) return graze_pose_at(0, 0, 0);
  if (count < dim)
    grl_refuse(L, first + count, "position.%s: a number expected, got %s",
               count == 0   ? "x"
               : count == 1 ? "y"
                            : "z",
               grl_describe(L, first + count));
  graze_vec position = grl_vec_arguments(L, first, dim, "position");
  if (count == dim) return graze_pose_at(position.x, position.y, position.z);
  if (dim == 2 && count == 3) return graze_pose2(position.x, position.y, grl_number(L, first + 2, "angle"));
  if (dim == 2 && count == 4)
    return (graze_pose){position, grl_number(L, first + 2, "rotation.w"), 0, 0, grl_number(L, first + 3, "rotation.z")};
  if (dim == 3 && count == 7)
    return graze_pose3(position, grl_number(L, first + 3, "rotation.w"), grl_number(L, first + 4, "rotation.x"),
                       grl_number(L, first + 5, "rotation.y"), grl_number(L, first + 6, "rotation.z"));
  grl_refuse(L, first + count - 1, "pose: %s expected, got %d numbers",
             dim == 2 ? "x, y [, angle] or x, y, w, z" : "x, y, z [, w, x, y, z]", count);
  return graze_pose_at(0, 0, 0);
}

graze_pose grl_last_pose(lua_State *L, int first, int dim, bool must) {
  int next;
  graze_pose pose = grl_pose_arguments(L, first, dim, &next);
  grl_count(L, first - 1 + (must ? dim : 0), first - 1 + (dim == 2 ? 4 : 7));
  if (lua_gettop(L) >= next) grl_refuse(L, next, "pose: a number expected, got %s", grl_describe(L, next));
  return pose;
}
