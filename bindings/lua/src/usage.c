/* What the functions take, for errors about how many arguments there are. tests/lua/types_spec.lua holds it to
 * library/graze.lua. */
#include "binding.h"

#include <stdio.h>
#include <string.h>

/* OWNER.NAME(…), or with a colon where the object before it is the first argument. Questions are methods of placed
 * shapes, too. */
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
    "graze.polygon(vertices)",
    "graze.concave(vertices [, options])",
    "graze.cloud(points [, dim])",
    "graze.hull(points [, dim])",
    "graze.compound(parts)",
    "graze.user(dim, support)",
    "graze.convexity(vertices)",
    "graze.decompose(vertices [, options])",
    "graze.fit_box(points [, effort])",
    "graze.options(table)",
    "graze.answer()",
    "graze.impact()",
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
    "graze.minkowski(a, b [, of])",
    "graze.intersect_list(a, list [, options [, found]])",
    "graze.distance_list(a, list [, options [, found [, distances]]])",
    "graze.verify(a, b, answer [, options])",
    "graze.cast(a, b, motion [, options [, impact]])",
    "graze.sweep(a, b, motion [, options [, impact]])",
    "graze.raycast(placed, ox, oy [, oz], dx, dy [, dz] [, t_max [, options [, impact]]])",
    "graze.verify_cast(a, b, motion, impact [, options])",
    "graze.verify_sweep(a, b, motion, impact [, options])",
    "graze.pose_after(placed, motion, t)",
    "shape:at([x, y [, z] [, rotation]])",
    "shape:with_margin(margin)",
    "shape:kind()",
    "shape:dim()",
    "shape:vertices()",
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
    "impact:normal()",
    "impact:point()",
    "impact:position_a()",
    "impact:position_b()",
    "impact:certificate()",
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
    "world:set_velocity(item, vx, vy [, vz] [, spin])",
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
    "world:at_point(x, y [, z] [, filter [, found]])",
    "world:in_box(min_x, min_y [, min_z], max_x, max_y [, max_z] [, filter [, found]])",
    "world:nearest(placed [, within [, most [, filter [, found]]]])",
    "world:within(placed, distance [, filter [, found]])",
    "world:closest_pairs(most [, within [, found]])",
    "world:pairs([found])",
    "world:cast(placed, motion [, filter [, impact]])",
    "world:raycast(ox, oy [, oz], dx, dy [, dz] [, t_max [, filter [, impact]]])",
    "world:manifold(item, other [, contacts])",
};

enum { COUNT = sizeof usages / sizeof *usages };

static bool is_usage_of(const char *usage, const char *owner, const char *name) {
  size_t before = strlen(owner), length = strlen(name);
  return strncmp(usage, owner, before) == 0 && strchr(".:", usage[before]) &&
         strncmp(usage + before + 1, name, length) == 0 && usage[before + 1 + length] == '(';
}

int grl_find_usage(const char *owner, const char *name) {
  for (int i = 0; i < COUNT; i++)
    if (is_usage_of(usages[i], owner, name)) return i + 1;
  return strcmp(owner, "placed") == 0 ? grl_find_usage("graze", name) : 0;
}

/* That of the function that runs; NULL: metamethods, and what Graze calls back. */
static const char *usage_here(lua_State *L) {
  lua_Integer number = lua_tointeger(L, lua_upvalueindex(GRL_USAGE));
  return number > 0 ? usages[number - 1] : NULL;
}

const char *grl_function_name(lua_State *L) {
  const char *usage = usage_here(L);
  if (usage == NULL) return NULL;
  const char *name = strpbrk(usage, ".:") + 1;
  lua_pushlstring(L, name, (size_t)(strchr(name, '(') - name));
  return lua_tostring(L, -1);
}

bool grl_is_method_call(lua_State *L) {
  lua_Debug about;
  return lua_getstack(L, 0, &about) && lua_getinfo(L, "n", &about) && strcmp(about.namewhat, "method") == 0;
}

/* The arguments as the caller wrote them, with the object in front or without it. */
static void write_arguments(const char *usage, bool method, char *text, size_t size) {
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

/* "2", "2 or 3", "2 to 4", without the object of a method call. */
static void write_counts(int least, int most, bool between, char *text, size_t size) {
  if (most == 0)
    snprintf(text, size, "no arguments");
  else if (least == most)
    snprintf(text, size, "%d argument%s", most, most == 1 ? "" : "s");
  else
    snprintf(text, size, "%d %s %d arguments", least, between && most > least + 1 ? "to" : "or", most);
}

void grl_refuse_count(lua_State *L, int least, int most, bool between) {
  char arguments[128] = "", counts[48];
  int count = lua_gettop(L), self = grl_is_method_call(L) ? 1 : 0;
  const char *usage = usage_here(L);
  if (usage) write_arguments(usage, self == 1, arguments, sizeof arguments);
  write_counts(least - self, most - self, between, counts, sizeof counts);
  grl_refuse(L, count > most ? most + 1 : count + 1, "%s%s%s expected, got %d", arguments, *arguments ? ": " : "",
             counts, count - self);
}
