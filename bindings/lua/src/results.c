/* What goes back to Lua: numbers, tables of points, and tables that are filled again and again without garbage. */
#include "binding.h"

#include <math.h>

int grl_push_vec(lua_State *L, graze_vec v, int dim) {
  lua_pushnumber(L, v.x);
  lua_pushnumber(L, v.y);
  if (dim == 3) lua_pushnumber(L, v.z);
  return dim;
}

int grl_push_known(lua_State *L, graze_vec v, int dim) {
  if (!isnan(v.x)) return grl_push_vec(L, v, dim);
  lua_pushnil(L);
  return 1;
}

void grl_set_vec(lua_State *L, graze_vec v, int dim) {
  const double values[] = {v.x, v.y, v.z};
  for (int i = 0; i < dim; i++) {
    lua_pushnumber(L, values[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

void grl_push_point(lua_State *L, graze_vec v, int dim) {
  if (isnan(v.x) || isnan(v.y) || isnan(v.z)) {
    lua_pushnil(L);
    return;
  }
  lua_createtable(L, dim, 0);
  grl_set_vec(L, v, dim);
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

void grl_push_real(lua_State *L, double value) {
  if (isnan(value))
    lua_pushnil(L);
  else
    lua_pushnumber(L, value);
}

/* ---- Fields of the table on top, lists of points ---- */

void grl_set_field(lua_State *L, const char *key) {
  lua_pushstring(L, key);
  lua_insert(L, -2);
  lua_rawset(L, -3);
}

void grl_set_number(lua_State *L, const char *key, double value) {
  lua_pushnumber(L, value);
  grl_set_field(L, key);
}

void grl_set_whole(lua_State *L, const char *key, ptrdiff_t value) {
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

void grl_set_word(lua_State *L, const char *key, const char *word) {
  lua_pushstring(L, word);
  grl_set_field(L, key);
}

void grl_set_flag(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  grl_set_field(L, key);
}

void grl_push_points(lua_State *L, const graze_vec *points, size_t count, int dim) {
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    grl_push_point(L, points[i], dim);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

/* ---- Tables that are used again ---- */

void grl_read_list(lua_State *L, int argument, const char *name) {
  if (lua_gettop(L) < argument) lua_settop(L, argument);
  if (lua_istable(L, argument)) return;
  if (!lua_isnil(L, argument))
    grl_refuse(L, argument, "%s: a table to fill expected, got %s", name, grl_describe(L, argument));
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

void grl_reuse_vec(lua_State *L, const char *key, graze_vec v, int dim) {
  lua_pushstring(L, key);
  lua_rawget(L, -2);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_createtable(L, 0, dim);
    lua_pushstring(L, key);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);
  }
  lua_pushnumber(L, v.x);
  grl_set_field(L, "x");
  lua_pushnumber(L, v.y);
  grl_set_field(L, "y");
  if (dim == 3) {
    lua_pushnumber(L, v.z);
    grl_set_field(L, "z");
  }
  lua_pop(L, 1);
}
