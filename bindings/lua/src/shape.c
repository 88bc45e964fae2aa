/* Shapes of a few numbers, and what every shape can do. The number of arguments tells 2D from 3D where it can. */
#include "binding.h"

#include <string.h>

grl_shape *grl_check_shape(lua_State *L, int argument, const char *name) {
  grl_shape *shape = grl_test(L, argument, GRL_SHAPE);
  if (shape == NULL)
    grl_refuse(L, argument, "%s: a shape expected, got %s", name,
               grl_test(L, argument, GRL_PLACED) ? "a placed one (placed:shape())" : grl_describe(L, argument));
  if (shape->freed) grl_refuse(L, argument, "%s: this shape was freed", name);
  return shape;
}

static graze_status judge(lua_State *L, const grl_shape *shape, graze_error *error) {
  lua_State *before = grl_enter(L);
  graze_status status = graze_check(&shape->shape, NULL, error);
  grl_leave(L, before);
  return status;
}

void grl_judge_shape(lua_State *L, int argument, const grl_shape *shape) {
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  graze_status status = judge(L, shape, &error);
  grl_check(L, argument, NULL, status, &error);
}

grl_shape *grl_push_shape(lua_State *L, graze_shape shape) {
  grl_shape *made = grl_new(L, sizeof *made, GRL_SHAPE);
  made->shape = shape;
  return made;
}

/* Which argument an error is about, where they are the numbers of the shape. */
static int whose(const graze_error *error) {
  if (error->what == NULL) return 1;
  if (strcmp(error->what, "half_length") == 0) return 2;
  bool counted = strcmp(error->what, "half_extents") == 0 || strcmp(error->what, "radii") == 0;
  return counted && error->index >= 0 ? 1 + (int)error->index : 1;
}

/* A shape without memory of its own. */
static int push_judged(lua_State *L, graze_shape shape) {
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  graze_status status = judge(L, grl_push_shape(L, shape), &error);
  grl_check(L, whose(&error), NULL, status, &error);
  return 1;
}

/* How many dimensions `least`, or `least` + step, arguments stand for. */
static int dim_by_count(lua_State *L, int least, int step) {
  int count = lua_gettop(L);
  if (count != least && count != least + step) grl_refuse_count(L, least, least + step, false);
  return count == least ? 2 : 3;
}

static int point(lua_State *L) {
  grl_count(L, 0, 0);
  return push_judged(L, graze_point());
}

static int point2(lua_State *L) {
  grl_count(L, 0, 0);
  return push_judged(L, graze_point2());
}

static int segment(lua_State *L) {
  int dim = dim_by_count(L, 4, 2);
  graze_vec a = grl_vec_arguments(L, 1, dim, "a"), b = grl_vec_arguments(L, 1 + dim, dim, "b");
  return push_judged(L, dim == 2 ? graze_segment2(a, b) : graze_segment(a, b));
}

static int triangle(lua_State *L) {
  int dim = dim_by_count(L, 6, 3);
  graze_vec a = grl_vec_arguments(L, 1, dim, "a"), b = grl_vec_arguments(L, 1 + dim, dim, "b"),
            c = grl_vec_arguments(L, 1 + 2 * dim, dim, "c");
  return push_judged(L, dim == 2 ? graze_triangle2(a, b, c) : graze_triangle(a, b, c));
}

static int box(lua_State *L) {
  int dim = dim_by_count(L, 2, 1);
  graze_vec v = grl_vec_arguments(L, 1, dim, "half_extents");
  return push_judged(L, dim == 2 ? graze_box2(v.x, v.y) : graze_box(v.x, v.y, v.z));
}

static int round_shape(lua_State *L, graze_shape (*make)(double)) {
  grl_count(L, 1, 1);
  return push_judged(L, make(grl_number(L, 1, "radius")));
}

static int sphere(lua_State *L) { return round_shape(L, graze_sphere); }

static int circle(lua_State *L) { return round_shape(L, graze_circle); }

static int long_shape(lua_State *L, graze_shape (*make)(double, double)) {
  grl_count(L, 2, 2);
  double radius = grl_number(L, 1, "radius");
  return push_judged(L, make(radius, grl_number(L, 2, "half_length")));
}

static int capsule(lua_State *L) { return long_shape(L, graze_capsule); }

static int capsule2(lua_State *L) { return long_shape(L, graze_capsule2); }

static int cylinder(lua_State *L) { return long_shape(L, graze_cylinder); }

static int cone(lua_State *L) { return long_shape(L, graze_cone); }

static int ellipsoid(lua_State *L) {
  grl_count(L, 3, 3);
  graze_vec v = grl_vec_arguments(L, 1, 3, "radii");
  return push_judged(L, graze_ellipsoid(v.x, v.y, v.z));
}

static int ellipse(lua_State *L) {
  grl_count(L, 2, 2);
  graze_vec v = grl_vec_arguments(L, 1, 2, "radii");
  return push_judged(L, graze_ellipse(v.x, v.y));
}

static int halfspace(lua_State *L) {
  int dim = dim_by_count(L, 3, 1);
  graze_vec normal = grl_vec_arguments(L, 1, dim, "normal");
  double offset = grl_number(L, 1 + dim, "offset");
  return push_judged(L, dim == 2 ? graze_halfspace2(normal, offset) : graze_halfspace(normal, offset));
}

static int half_angle(lua_State *L) {
  double w, z;
  grl_count(L, 1, 1);
  graze_half_angle(grl_number(L, 1, "angle"), &w, &z);
  lua_pushnumber(L, w);
  lua_pushnumber(L, z);
  return 2;
}

const luaL_Reg grl_shape_functions[] = {
    {"point", point},
    {"point2", point2},
    {"segment", segment},
    {"triangle", triangle},
    {"box", box},
    {"sphere", sphere},
    {"circle", circle},
    {"capsule", capsule},
    {"capsule2", capsule2},
    {"cylinder", cylinder},
    {"cone", cone},
    {"ellipsoid", ellipsoid},
    {"ellipse", ellipse},
    {"halfspace", halfspace},
    {"half_angle", half_angle},
    {NULL, NULL},
};

/* ---- What every shape can do ---- */

const char *grl_kind_text(graze_shape_kind kind) {
  static const char *const names[] = {"point",   "segment",   "triangle", "box",  "polygon",   "hull", "sphere",
                                      "capsule", "ellipsoid", "cylinder", "cone", "halfspace", "user", "compound"};
  return kind >= GRAZE_POINT && kind <= GRAZE_COMPOUND ? names[kind - GRAZE_POINT] : "unknown";
}

static int kind(lua_State *L) {
  grl_count(L, 1, 1);
  lua_pushstring(L, grl_kind_text(grl_check_shape(L, 1, "shape")->shape.kind));
  return 1;
}

static int dim(lua_State *L) {
  grl_count(L, 1, 1);
  lua_pushinteger(L, grl_check_shape(L, 1, "shape")->shape.dim);
  return 1;
}

static int with_margin(lua_State *L) {
  grl_count(L, 2, 2);
  double margin = grl_number(L, 2, "margin");
  grl_check_shape(L, 1, "shape");
  grl_shape *made = grl_push_shape(L, graze_point());
  const grl_shape *shape = grl_check_shape(L, 1, "shape"); /* again: it may have been freed */
  made->shape = graze_with_margin(shape->shape, margin);
  made->store = grl_store_keep(shape->store);
  grl_share_functions(L, made->store, 1, lua_gettop(L));
  grl_judge_shape(L, 2, made);
  return 1;
}

static int at(lua_State *L) {
  const grl_shape *shape = grl_check_shape(L, 1, "shape");
  graze_pose pose = grl_last_pose(L, 2, shape->shape.dim, false);
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  grl_placed *made = grl_push_placed(L);
  shape = grl_check_shape(L, 1, "shape"); /* again: it may have been freed */
  lua_State *before = grl_enter(L);
  graze_placed placed = graze_place(&shape->shape, pose);
  if (placed.status != GRAZE_OK) graze_check(&shape->shape, &pose, &error);
  grl_leave(L, before);
  grl_check(L, 2, NULL, placed.status, &error);
  grl_fill_placed(L, made, &placed, shape->store, 1);
  return 1;
}

static int vertices(lua_State *L) {
  grl_count(L, 1, 1);
  grl_check_shape(L, 1, "shape");
  grl_shape *kept = grl_push_shape(L, graze_point()); /* until it was told: it may be freed meanwhile */
  const grl_shape *shape = grl_check_shape(L, 1, "shape");
  if (shape->shape.kind != GRAZE_POLYGON && shape->shape.kind != GRAZE_HULL) return 0;
  kept->shape = shape->shape;
  kept->store = grl_store_keep(shape->store);
  grl_push_points(L, kept->shape.as.hull.vertices, kept->shape.as.hull.count, kept->shape.dim);
  return 1;
}

/* What stands at the index is freed once only, by the caller or by the collector. */
static int collect(lua_State *L) {
  grl_shape *shape = grl_test(L, 1, GRL_SHAPE);
  if (shape == NULL) return 0;
  grl_store *store = shape->store;
  shape->store = NULL;
  shape->freed = true;
  grl_store_drop(store);
  return 0;
}

/* Nobody else has the store: the functions that the shape at 1 holds are not called any more. */
static void release_functions(lua_State *L) {
  grl_get_table(L, 1);
  for (size_t i = grl_length(L, -1); i > 0; i--) {
    lua_pushnil(L);
    lua_rawseti(L, -2, (int)i);
  }
  lua_pop(L, 1);
}

static int free_shape(lua_State *L) {
  grl_count(L, 1, 1);
  const grl_shape *shape = grl_check_shape(L, 1, "shape");
  grl_may_change(L);
  if (shape->store && shape->store->calls && shape->store->references == 1) release_functions(L);
  return collect(L);
}

static int to_string(lua_State *L) {
  const grl_shape *shape = grl_test(L, 1, GRL_SHAPE);
  if (shape == NULL) return luaL_argerror(L, 1, "a shape expected");
  lua_pushfstring(L, "graze.shape (%s%s, %dD)", shape->freed ? "freed " : "", grl_kind_text(shape->shape.kind),
                  shape->shape.dim);
  return 1;
}

const luaL_Reg grl_shape_methods[] = {
    {"at", at},   {"with_margin", with_margin}, {"kind", kind},
    {"dim", dim}, {"vertices", vertices},       {"free", free_shape},
    {NULL, NULL},
};

const luaL_Reg grl_shape_meta[] = {{"__gc", collect}, {"__tostring", to_string}, {NULL, NULL}};
