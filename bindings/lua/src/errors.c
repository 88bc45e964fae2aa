/* Error messages: the thing as the caller wrote it, what is wrong with its value, what is allowed.
 *
 * The usage lines below are the only source of parameter names in messages about the number of arguments.
 * tests/lua/types_spec.lua checks them against library/graze.lua. */
#include "binding.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OWNER.NAME(…), or OWNER:NAME(…) if the object is the first argument. Queries are methods of placed shapes too. */
static const char *const usages[] = {
    "graze.version()",
    "graze.point()",
    "graze.point2()",
    "graze.segment(ax, ay [, az], bx, by [, bz])",
    "graze.triangle(ax, ay [, az], bx, by [, bz], cx, cy [, cz])",
    "graze.box(x, y [, z])",
    "graze.circle(radius)",
    "graze.sphere(radius)",
    "graze.capsule(radius, half_length)",
    "graze.capsule2(radius, half_length)",
    "graze.cylinder(radius, half_length)",
    "graze.cone(radius, half_length)",
    "graze.ellipse(x, y)",
    "graze.ellipsoid(x, y, z)",
    "graze.halfspace(nx, ny [, nz], offset)",
    "graze.half_angle(angle)",
    "graze.axis_angle(ax, ay, az, angle)",
    "graze.from_matrix(m11, m12 [, m13], m21, m22 [, m23 [, m31, m32, m33]])",
    "graze.to_matrix(x, y [, z], w [, qx, qy], qz)",
    "graze.inverse(x, y [, z], w [, qx, qy], qz)",
    "graze.compose(outer_x, outer_y, …, inner_x, inner_y, …)",
    "graze.transform(x, y [, z], w [, qx, qy], qz, px, py [, pz])",
    "graze.polygon(vertices)",
    "graze.concave(vertices [, options])",
    "graze.hull_points(points [, dim])",
    "graze.hull(points [, dim])",
    "graze.compound(parts)",
    "graze.mesh(vertices, triangles [, options])",
    "graze.mesh2(vertices, edges [, options])",
    "graze.validate_mesh(vertices, faces [, options])",
    "graze.user(dim, support)",
    "graze.convexity(vertices)",
    "graze.decompose(vertices [, options])",
    "graze.fit_box(points [, effort])",
    "graze.options(table)",
    "graze.answer()",
    "graze.cast_result()",
    "graze.world([options])",
    "graze.bounds(placed)",
    "graze.support(placed, dx, dy [, dz])",
    "graze.project(placed, ax, ay [, az])",
    "graze.contains(placed, x, y [, z])",
    "graze.part_count(placed)",
    "graze.part(placed, index)",
    "graze.intersect(a, b [, options [, answer]])",
    "graze.gjk(a, b [, options [, answer]])",
    "graze.distance(a, b [, options [, answer]])",
    "graze.penetration(a, b [, options [, answer]])",
    "graze.epa(a, b [, options [, answer]])",
    "graze.sat(a, b [, options [, visit]])",
    "graze.manifold(a, b [, contacts [, options [, answer]]])",
    "graze.contacts(a, b [, contacts [, options]])",
    "graze.minkowski(a, b [, of])",
    "graze.intersect_list(a, list [, options [, found]])",
    "graze.distance_list(a, list [, options [, found [, distances]]])",
    "graze.verify(a, b, answer [, options])",
    "graze.cast(a, b, motion [, options [, result]])",
    "graze.raycast(placed, ox, oy [, oz], dx, dy [, dz] [, t_max [, options [, result]]])",
    "graze.raycast_parts(placed, ox, oy [, oz], dx, dy [, dz] [, t_max [, options [, hits]]])",
    "graze.verify_cast(a, b, motion, result [, options])",
    "graze.motion_between(from, to, time)",
    "graze.pose_after(placed, motion, t)",
    "shape:at([x, y [, z] [, rotation]])",
    "shape:with_margin(margin)",
    "shape:kind()",
    "shape:dim()",
    "shape:vertices()",
    "shape:faces()",
    "shape:is_solid()",
    "shape:free()",
    "placed:set_pose(x, y [, z] [, rotation])",
    "placed:pose()",
    "placed:dim()",
    "placed:shape()",
    "placed:corners([into])",
    "answer:normal()",
    "answer:point_a()",
    "answer:point_b()",
    "answer:certificate()",
    "cast_result:normal()",
    "cast_result:point()",
    "cast_result:position_a()",
    "cast_result:position_b()",
    "cast_result:certificate()",
    "world:add(item, shape, x, y [, z] [, rotation] [, def])",
    "world:remove(item)",
    "world:has(item)",
    "world:count()",
    "world:items()",
    "world:get(item)",
    "world:set(item, def)",
    "world:shape(item)",
    "world:set_shape(item, shape)",
    "world:pose(item)",
    "world:set_pose(item, x, y [, z] [, rotation])",
    "world:velocity(item)",
    "world:set_velocity(item, vx, vy [, vz] [, angular_velocity])",
    "world:placed(item [, into])",
    "world:dim()",
    "world:save()",
    "world:restore(snapshot)",
    "world:free()",
    "world:move(item, x, y [, z] [, turn] [, filter [, contacts]])",
    "world:check(item, x, y [, z] [, turn] [, filter [, contacts]])",
    "world:add_response(name, response)",
    "world:step(dt [, events])",
    "world:last_step()",
    "world:overlap(placed [, filter [, found]])",
    "world:overlap_any(placed [, filter])",
    "world:at_point(x, y [, z] [, filter [, found]])",
    "world:in_box(min_x, min_y [, min_z], max_x, max_y [, max_z] [, filter [, found]])",
    "world:nearest(placed [, max_distance [, max_count [, filter [, found]]]])",
    "world:within(placed, distance [, filter [, found]])",
    "world:closest_pairs(max_count [, max_distance [, found]])",
    "world:pairs([found])",
    "world:cast(placed, motion [, filter [, result]])",
    "world:cast_any(placed, motion [, filter [, result]])",
    "world:cast_all(placed, motion [, filter [, hits]])",
    "world:raycast(ox, oy [, oz], dx, dy [, dz] [, t_max [, filter [, result]]])",
    "world:raycast_any(ox, oy [, oz], dx, dy [, dz] [, t_max [, filter [, result]]])",
    "world:raycast_all(ox, oy [, oz], dx, dy [, dz] [, t_max [, filter [, hits]]])",
    "world:manifold(item, other [, contacts])",
};

enum { USAGE_COUNT = sizeof usages / sizeof *usages };

int grl_find_usage(const char *owner, const char *name) {
  size_t before = strlen(owner), length = strlen(name);
  for (int i = 0; i < USAGE_COUNT; i++)
    if (strncmp(usages[i], owner, before) == 0 && strchr(".:", usages[i][before]) &&
        strncmp(usages[i] + before + 1, name, length) == 0 && usages[i][before + 1 + length] == '(')
      return i + 1;
  return strcmp(owner, "placed") == 0 ? grl_find_usage("graze", name) : 0;
}

/* The usage line of the running function; NULL for metamethods and callbacks. */
static const char *current_usage(lua_State *L) {
  lua_Integer number = lua_tointeger(L, lua_upvalueindex(GRL_USAGE));
  return number > 0 ? usages[number - 1] : NULL;
}

/* Returns whether the call is object:name(…). Messages about such a call do not count the object as an argument. */
static bool is_method_call(lua_State *L) {
  lua_Debug about;
  return lua_getstack(L, 0, &about) && lua_getinfo(L, "n", &about) && strcmp(about.namewhat, "method") == 0;
}

/* Like luaL_argerror(), with the function's name even if Lua has none: through pcall() or in a tail call. */
int grl_reject(lua_State *L, int argument, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = lua_pushvfstring(L, format, arguments), *usage = current_usage(L);
  va_end(arguments);
  if (usage == NULL) return luaL_argerror(L, argument, message);
  const char *start = strpbrk(usage, ".:") + 1;
  lua_pushlstring(L, start, (size_t)(strchr(start, '(') - start));
  const char *name = lua_tostring(L, -1);
  int position = is_method_call(L) ? argument - 1 : argument;
  if (position == 0) return luaL_error(L, "calling '%s' on bad self (%s)", name, message);
  return luaL_error(L, "bad argument #%d to '%s' (%s)", position, name, message);
}

int grl_reject_value(lua_State *L, int argument, int index, const char *name, const char *allowed) {
  return grl_reject(L, argument, "%s: invalid value (%s), must be %s", name, grl_describe(L, index), allowed);
}

/* The parameters as the caller wrote the call, with or without the object in front. */
static void write_parameters(const char *usage, bool method, char *text, size_t size) {
  const char *owner = strpbrk(usage, ".:"), *first = strchr(usage, '(') + 1, *comma = strstr(first, ", ");
  int length = (int)(strrchr(first, ')') - first);
  if (method == (*owner == ':')) {
    snprintf(text, size, "%.*s", length, first);
  } else if (method) {
    snprintf(text, size, "%.*s", comma ? length - (int)(comma + 2 - first) : 0, comma ? comma + 2 : "");
  } else {
    const char *between = length == 0 ? "" : *first == '[' ? " [, " : ", ";
    bool optional = *first == '[';
    snprintf(text, size, "%.*s%s%.*s", (int)(owner - usage), usage, between, length - optional, first + optional);
  }
}

void grl_reject_count(lua_State *L, int least, int most, bool between) {
  char parameters[128] = "", allowed[32];
  int count = lua_gettop(L), self = is_method_call(L) ? 1 : 0;
  const char *usage = current_usage(L);
  if (usage) write_parameters(usage, self == 1, parameters, sizeof parameters);
  if (least == most)
    snprintf(allowed, sizeof allowed, "%d", most - self);
  else
    snprintf(allowed, sizeof allowed, "%d %s %d", least - self, between && most > least + 1 ? "to" : "or", most - self);
  grl_reject(L, count > most ? most + 1 : count + 1, "%s%swrong number of arguments (%d), must be %s", parameters,
             *parameters ? ": " : "", count - self, allowed);
}

void grl_check_count(lua_State *L, int least, int most) {
  int count = lua_gettop(L);
  if (count < least || count > most) grl_reject_count(L, least, most, true);
}

/* ---- Texts of values ---- */

const char *grl_format_number(lua_State *L, double value) {
  char text[32] = "nan";
  for (int digits = 1; !isnan(value) && digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  if (fabs(value) < 1e15 && value == floor(value)) snprintf(text, sizeof text, "%.0f", value);
  lua_pushstring(L, text);
  return lua_tostring(L, -1);
}

/* The length of a prefix of whole UTF-8 characters, at most 40 bytes. */
static int prefix_length(const char *text, size_t length) {
  int prefix = length > 40 ? 40 : (int)length;
  if (length > 40)
    while (prefix > 36 && ((unsigned char)text[prefix] & 0xc0) == 0x80) prefix--;
  return prefix;
}

const char *grl_describe(lua_State *L, int index) {
  char text[64];
  size_t length;
  const char *string;
  switch (lua_type(L, index)) {
  case LUA_TNUMBER:
    if (!grl_is_integer(L, index)) return grl_format_number(L, lua_tonumber(L, index));
    lua_pushvalue(L, index); /* all digits of an integer */
    return lua_tostring(L, -1);
  case LUA_TSTRING:
    string = lua_tolstring(L, index, &length);
    snprintf(text, sizeof text, "\"%.*s%s\"", prefix_length(string, length), string, length > 40 ? "…" : "");
    break;
  case LUA_TBOOLEAN: snprintf(text, sizeof text, "%s", lua_toboolean(L, index) ? "true" : "false"); break;
  case LUA_TNONE: snprintf(text, sizeof text, "nothing"); break;
  case LUA_TNIL: snprintf(text, sizeof text, "nil"); break;
  case LUA_TUSERDATA:
    string = NULL;
    if (lua_getmetatable(L, index)) {
      lua_pushliteral(L, "__name");
      lua_rawget(L, -2);
      string = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    }
    snprintf(text, sizeof text, "a %.40s", string ? string : "userdata");
    break;
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

const char *grl_push_words(lua_State *L, const char *const *words) {
  luaL_Buffer list;
  luaL_buffinit(L, &list);
  for (int i = 0; words[i]; i++) {
    if (i > 0) luaL_addstring(&list, words[i + 1] ? ", " : " or ");
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
  int word = find_word(L, index, words);
  return word >= 0 ? word : grl_reject_value(L, argument, index, name, grl_push_words(L, words));
}

int grl_key(lua_State *L, int argument, const char *of, const char *const *keys) {
  int index = lua_gettop(L) - 1, key = find_word(L, index, keys);
  if (key >= 0) return key;
  const char *given = grl_describe(L, index);
  return grl_reject(L, argument, "%s: unknown key (%s), must be %s", of, given, grl_push_words(L, keys));
}

int grl_reject_member(lua_State *L, int type, int members) {
  const char *list = lua_tostring(L, members);
  return luaL_error(L, "%s: unknown member (%s)%s%s", lua_tostring(L, type), grl_describe(L, 2),
                    *list ? ", must be " : "", list);
}

/* ---- Statuses of Graze ---- */

/* Texts about the value of a graze_error, by the last word of its `what`. */
static const struct {
  graze_status status;
  const char *what, *allowed; /* allowed: after "invalid value (VALUE), must be" … */
  const char *wrong;          /* … or else the whole text */
} reasons[] = {
    {GRAZE_BAD_SHAPE, "radius", "a number >= 0", NULL},
    {GRAZE_BAD_SHAPE, "radii", "a number >= 0", NULL},
    {GRAZE_BAD_SHAPE, "half_length", "a number >= 0", NULL},
    {GRAZE_BAD_SHAPE, "half_extents", "a number >= 0", NULL},
    {GRAZE_BAD_SHAPE, "margin", "a number >= 0", NULL},
    {GRAZE_BAD_SHAPE, "normal", NULL, "zero vector, must be a direction"},
    {GRAZE_BAD_SHAPE, "rotation", NULL, "all zero, must be a half-angle pair or a quaternion"},
    {GRAZE_BAD_SHAPE, "vertices", NULL, "too few, must be at least 3 points"},
    {GRAZE_BAD_OPTION, "margin", "a number from 0 to 1e40", NULL},
    {GRAZE_BAD_OPTION, "mass", "a number > 0, at most 1e40", NULL},
    {GRAZE_BAD_OPTION, "bounce", "a number from 0 to 1", NULL},
    {GRAZE_BAD_OPTION, "velocity", NULL, "not zero, must be zero for a static body"},
    {GRAZE_BAD_OPTION, "angular", NULL, "not zero, must be zero for a static body"},
    {GRAZE_UNSUPPORTED, "type", NULL, "dynamic half-space, must be static or kinematic"},
    {GRAZE_UNSUPPORTED, "angular", NULL, "not zero, must be zero for a half-space"},
    {GRAZE_UNSUPPORTED, "parts", NULL,
     "unsupported shape, must be convex: no half-space, compound, mesh or part of one"},
};

void grl_check_status(lua_State *L, int argument, const char *name, graze_status status, const graze_error *error) {
  static const char *const vectors[] = {"half_extents", "radii", "position", "velocity", "angular"};
  char place[32] = "";
  if (status == GRAZE_OK) return;
  if (status == GRAZE_OUT_OF_MEMORY) grl_out_of_memory(L);
  if (error == NULL || error->status == GRAZE_OK || error->what == NULL)
    grl_reject(L, argument, "%s: %s", name ? name : "query", graze_status_text(status));
  const char *dot = strrchr(error->what, '.'), *word = dot ? dot + 1 : error->what;
  if (error->index >= 0) snprintf(place, sizeof place, "[%ld]", (long)error->index + 1);
  for (int i = 0; i < 5 && error->index >= 0 && error->index < 3; i++)
    if (strcmp(word, vectors[i]) == 0) snprintf(place, sizeof place, ".%c", "xyz"[error->index]);
  const char *path = strncmp(error->what, "motion.", 7) == 0 ? error->what + 7 : error->what;
  if (strcmp(path, "angular") == 0) path = "angular_velocity";
  const char *full = lua_pushfstring(L, "%s%s%s%s", name ? name : "", name ? "." : "", path, place);
  const char *value = grl_format_number(L, error->value);
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
    if (reasons[i].status != error->status || strcmp(reasons[i].what, word) != 0) continue;
    if (reasons[i].wrong) grl_reject(L, argument, "%s: %s", full, reasons[i].wrong);
    grl_reject(L, argument, "%s: invalid value (%s), must be %s", full, value, reasons[i].allowed);
  }
  if (error->value == 0) grl_reject(L, argument, "%s: %s", full, graze_status_text(error->status));
  grl_reject(L, argument, "%s: %s (%s)", full, graze_status_text(error->status), value);
}
