/* Tables that are filled again and again without garbage. */
#include "binding.h"

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
  lua_getfield(L, -1, key);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_createtable(L, 0, dim);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, key);
  }
  lua_pushnumber(L, v.x);
  lua_setfield(L, -2, "x");
  lua_pushnumber(L, v.y);
  lua_setfield(L, -2, "y");
  if (dim == 3) {
    lua_pushnumber(L, v.z);
    lua_setfield(L, -2, "z");
  }
  lua_pop(L, 1);
}
