/* The five Luas behind one face: 5.1 and LuaJIT keep a userdata's table as its environment, the others as its user
 * value. */
#ifndef GRAZE_LUA_COMPAT_H
#define GRAZE_LUA_COMPAT_H

#include <lauxlib.h>
#include <lua.h>

#include <stdbool.h>

#if LUA_VERSION_NUM < 503
#define grl_is_integer(L, index) false /* every number is a double */
#else
#define grl_is_integer(L, index) lua_isinteger(L, index)
#endif

#if LUA_VERSION_NUM < 502
#define grl_length lua_objlen
#define grl_get_table(L, index) lua_getfenv(L, index)
#define grl_set_table(L, index) lua_setfenv(L, index)
#else
#define grl_length lua_rawlen
#define grl_get_table(L, index) lua_getuservalue(L, index)
#define grl_set_table(L, index) lua_setuservalue(L, index)
#endif

#endif
