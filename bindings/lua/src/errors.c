/* Errors: the argument, its value, and what would be right. */
#include "binding.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As luaL_argerror(), with a name where Lua knows none: through pcall(), or in a tail call. */
int grl_refuse(lua_State *L, int argument, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = lua_pushvfstring(L, format, arguments), *name = grl_function_name(L);
  va_end(arguments);
  if (name == NULL) return luaL_argerror(L, argument, message);
  int place = grl_is_method_call(L) ? argument - 1 : argument;
  if (place == 0) return luaL_error(L, "calling '%s' on bad self (%s)", name, message);
  return luaL_error(L, "bad argument #%d to '%s' (%s)", place, name, message);
}

/* ---- What there is ---- */

const char *grl_say(lua_State *L, double value) {
  char text[32] = "nan";
  for (int digits = 1; !isnan(value) && digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  if (fabs(value) < 1e15 && value == floor(value)) snprintf(text, sizeof text, "%.0f", value);
  lua_pushstring(L, text);
  return lua_tostring(L, -1);
}

/* An integer of Lua's with all its digits. */
static const char *say_number(lua_State *L, int index) {
  if (!grl_is_integer(L, index)) return grl_say(L, lua_tonumber(L, index));
  lua_pushvalue(L, index);
  return lua_tostring(L, -1);
}

/* Types of the module, and of others that have a name, by it. */
static void describe_object(lua_State *L, int index, char *text, size_t size) {
  const char *name = NULL;
  if (lua_getmetatable(L, index)) {
    lua_pushliteral(L, "__name");
    lua_rawget(L, -2);
    name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  }
  snprintf(text, size, "a %.40s", name ? name : "userdata");
}

/* How many bytes of a text are told: whole characters of UTF-8. */
static int told_of(const char *text, size_t length) {
  int told = length > 40 ? 40 : (int)length;
  if (length > 40)
    while (told > 36 && ((unsigned char)text[told] & 0xc0) == 0x80) told--;
  return told;
}

const char *grl_describe(lua_State *L, int index) {
  char text[64];
  switch (lua_type(L, index)) {
  case LUA_TNUMBER: return say_number(L, index);
  case LUA_TSTRING: {
    size_t length;
    const char *string = lua_tolstring(L, index, &length);
    snprintf(text, sizeof text, "\"%.*s%s\"", told_of(string, length), string, length > 40 ? "…" : "");
    break;
  }
  case LUA_TBOOLEAN: snprintf(text, sizeof text, "%s", lua_toboolean(L, index) ? "true" : "false"); break;
  case LUA_TNONE: snprintf(text, sizeof text, "nothing"); break;
  case LUA_TNIL: snprintf(text, sizeof text, "nil"); break;
  case LUA_TUSERDATA: describe_object(L, index, text, sizeof text); break;
  default: snprintf(text, sizeof text, "a %s", lua_typename(L, lua_type(L, index))); break;
  }
  lua_pushstring(L, text);
  return lua_tostring(L, -1);
}

const char *grl_describe_item(lua_State *L, int index) {
  if (!lua_istable(L, index)) return grl_describe(L, index);
  if (luaL_getmetafield(L, index, "__tostring")) {
    lua_pushvalue(L, index);
    if (lua_pcall(L, 1, 1, 0) == 0 && lua_type(L, -1) == LUA_TSTRING) return lua_tostring(L, -1);
  }
  return lua_pushfstring(L, "table: %p", lua_topointer(L, index));
}

const char *grl_describe_function(lua_State *L, int index) {
  lua_Debug about;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &about);
  return lua_pushfstring(L, about.linedefined > 0 ? "%s:%d" : "%s", about.short_src, about.linedefined);
}

/* ---- Words ---- */

static const char *push_words(lua_State *L, const char *const *words, const char *last) {
  luaL_Buffer list;
  luaL_buffinit(L, &list);
  for (int i = 0; words[i]; i++) {
    if (i > 0) luaL_addstring(&list, words[i + 1] ? ", " : last);
    luaL_addstring(&list, words[i]);
  }
  luaL_pushresult(&list);
  return lua_tostring(L, -1);
}

static int find_word(lua_State *L, int index, const char *const *words) {
  const char *word = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
  for (int i = 0; word && words[i]; i++)
    if (strcmp(word, words[i]) == 0) return i;
  return -1;
}

int grl_choice(lua_State *L, int argument, int index, const char *name, const char *const *words) {
  int found = find_word(L, index, words);
  if (found >= 0) return found;
  const char *got = grl_describe(L, index);
  return grl_refuse(L, argument, "%s: %s expected, got %s", name, push_words(L, words, " or "), got);
}

int grl_key(lua_State *L, int argument, const char *of, const char *const *keys) {
  int key = lua_gettop(L) - 1, found = find_word(L, key, keys);
  if (found >= 0) return found;
  const char *got = grl_describe(L, key);
  return grl_refuse(L, argument, "%s: no key %s; there are %s", of, got, push_words(L, keys, " and "));
}

int grl_refuse_member(lua_State *L, const char *type, const char *const *names) {
  const char *got = grl_describe(L, 2);
  return luaL_error(L, "%s has no %s%s%s", type, got, *names ? "; there are " : "", push_words(L, names, " and "));
}

/* ---- What Graze refuses ---- */

/* Why, by the last word of the path to a value. */
static const char *reason(const graze_error *error, bool *tells) {
  static const struct {
    graze_status status;
    const char *what;
    bool tells; /* the value */
    const char *text;
  } reasons[] = {
      {GRAZE_BAD_SHAPE, "radius", true, "a number from 0 on expected"},
      {GRAZE_BAD_SHAPE, "radii", true, "a number from 0 on expected"},
      {GRAZE_BAD_SHAPE, "half_length", true, "a number from 0 on expected"},
      {GRAZE_BAD_SHAPE, "half_extents", true, "a number from 0 on expected"},
      {GRAZE_BAD_SHAPE, "margin", true, "a number from 0 on expected"},
      {GRAZE_BAD_SHAPE, "normal", false, "a direction expected, not all of it 0"},
      {GRAZE_BAD_SHAPE, "rotation", false, "a half-angle pair or a quaternion expected, not all of it 0"},
      {GRAZE_BAD_SHAPE, "vertices", false, "at least 3 points expected"},
      {GRAZE_BAD_OPTION, "margin", true, "a number from 0 to 1e40 expected"},
      {GRAZE_BAD_OPTION, "mass", true, "a number above 0, up to 1e40, expected"},
      {GRAZE_BAD_OPTION, "bounce", true, "a number from 0 to 1 expected"},
      {GRAZE_BAD_OPTION, "velocity", false, "a static body does not move"},
      {GRAZE_BAD_OPTION, "angular", false, "a static body does not move"},
      {GRAZE_UNSUPPORTED, "type", false, "a half-space is static or kinematic, not dynamic"},
      {GRAZE_UNSUPPORTED, "angular", false, "a half-space does not turn"},
      {GRAZE_UNSUPPORTED, "parts", false, "a convex shape expected, no half-space, no compound and no part of one"},
  };
  const char *dot = strrchr(error->what, '.'), *word = dot ? dot + 1 : error->what;
  *tells = error->value != 0;
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
    if (reasons[i].status != error->status || strcmp(reasons[i].what, word) != 0) continue;
    *tells = reasons[i].tells;
    return reasons[i].text;
  }
  return graze_status_text(error->status);
}

/* As the path to a value: "vertices[3]", where there is an index; "half_extents.y", of a vector. */
static void say_place(const graze_error *error, char *text, size_t size) {
  static const char *const vectors[] = {"half_extents", "radii", "position"};
  const char *dot = strrchr(error->what, '.'), *word = dot ? dot + 1 : error->what;
  *text = 0;
  if (error->index < 0) return;
  snprintf(text, size, "[%ld]", (long)error->index + 1);
  for (int i = 0; i < 3 && error->index < 3; i++)
    if (strcmp(word, vectors[i]) == 0) snprintf(text, size, ".%c", "xyz"[error->index]);
}

void grl_check(lua_State *L, int argument, const char *name, graze_status status, const graze_error *error) {
  char place[32];
  if (status == GRAZE_OK) return;
  if (status == GRAZE_OUT_OF_MEMORY) grl_out_of_memory(L);
  if (error == NULL || error->status == GRAZE_OK || error->what == NULL)
    grl_refuse(L, argument, "%s: %s", name ? name : "question", graze_status_text(status));
  bool tells;
  const char *why = reason(error, &tells);
  say_place(error, place, sizeof place);
  grl_refuse(L, argument, "%s%s%s%s%s%s: %s", name ? name : "", name ? "." : "", error->what, place, tells ? " = " : "",
             tells ? grl_say(L, error->value) : "", why);
}
