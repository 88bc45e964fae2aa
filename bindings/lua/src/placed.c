/* Shapes in their places: poses, bounds, support points, projections, points inside, parts. */
#include "binding.h"

grl_placed *grl_check_placed(lua_State *L, int argument, const char *name) {
  grl_placed *placed = grl_test(L, argument, GRL_PLACED);
  if (placed == NULL)
    grl_refuse(L, argument, "%s: a placed shape expected (shape:at(x, y)), got %s", name,
               grl_test(L, argument, GRL_SHAPE) ? "a shape without a place" : grl_describe(L, argument));
  if (placed->freed) grl_refuse(L, argument, "%s: this placed shape was freed", name);
  return placed;
}

grl_placed *grl_push_placed(lua_State *L) { return grl_new(L, sizeof(grl_placed), GRL_PLACED); }

void grl_fill_placed(lua_State *L, grl_placed *made, const graze_placed *placed, grl_store *store, int from) {
  made->placed = *placed;
  made->store = grl_store_keep(store);
  grl_share_functions(L, store, from, lua_gettop(L));
}

static int set_pose(lua_State *L) {
  grl_placed *placed = grl_check_placed(L, 1, "placed");
  graze_pose pose = grl_last_pose(L, 2, placed->placed.shape.dim, true);
  grl_may_change(L);
  graze_status status = graze_set_pose(&placed->placed, pose);
  if (status == GRAZE_UNSUPPORTED) grl_refuse(L, 1, "placed: the part of a compound does not move by itself");
  graze_error error = {GRAZE_OK, NULL, -1, 0};
  if (status != GRAZE_OK) graze_check(&placed->placed.shape, &pose, &error);
  grl_check(L, 2, NULL, status, &error);
  lua_settop(L, 1);
  return 1;
}

static int pose(lua_State *L) {
  grl_count(L, 1, 1);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  return grl_push_pose(L, &placed->placed.pose, placed->placed.shape.dim);
}

static int dim(lua_State *L) {
  grl_count(L, 1, 1);
  lua_pushinteger(L, grl_check_placed(L, 1, "placed")->placed.shape.dim);
  return 1;
}

static int shape(lua_State *L) {
  grl_count(L, 1, 1);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  grl_shape *made = grl_push_shape(L, graze_point());
  made->shape = placed->placed.shape;
  made->store = grl_store_keep(placed->store);
  grl_share_functions(L, made->store, 1, lua_gettop(L));
  return 1;
}

static int bounds(lua_State *L) {
  grl_count(L, 1, 1);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  graze_aabb box;
  lua_State *before = grl_enter(L);
  graze_status status = graze_bounds(&placed->placed, &box);
  grl_leave(L, before);
  grl_check(L, 1, "placed", status, NULL);
  return grl_push_vec(L, box.min, placed->placed.shape.dim) + grl_push_vec(L, box.max, placed->placed.shape.dim);
}

static int support(lua_State *L) {
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dimension = placed->placed.shape.dim, vertex;
  grl_count(L, 1 + dimension, 1 + dimension);
  graze_vec direction = grl_direction(L, 2, dimension, "direction"), point;
  lua_State *before = grl_enter(L);
  graze_status status = graze_support(&placed->placed, direction, &point, &vertex);
  grl_leave(L, before);
  if (status == GRAZE_UNSUPPORTED) grl_refuse(L, 1, "placed: a halfspace has no end");
  grl_check(L, 2, "direction", status, NULL);
  int count = grl_push_vec(L, point, dimension);
  if (vertex < 0) return count;
  lua_pushinteger(L, vertex + 1);
  return count + 1;
}

static int project(lua_State *L) {
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dimension = placed->placed.shape.dim;
  grl_count(L, 1 + dimension, 1 + dimension);
  graze_vec axis = grl_direction(L, 2, dimension, "axis");
  graze_interval interval;
  lua_State *before = grl_enter(L);
  graze_status status = graze_project(&placed->placed, axis, &interval);
  grl_leave(L, before);
  if (status == GRAZE_UNSUPPORTED) grl_refuse(L, 1, "placed: a halfspace has no end");
  grl_check(L, 2, "axis", status, NULL);
  lua_pushnumber(L, interval.min);
  lua_pushnumber(L, interval.max);
  return 2;
}

static int contains(lua_State *L) {
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  int dimension = placed->placed.shape.dim;
  grl_count(L, 1 + dimension, 1 + dimension);
  graze_vec point = grl_vec_arguments(L, 2, dimension, "point");
  graze_relation relation;
  lua_State *before = grl_enter(L);
  graze_status status = graze_contains(&placed->placed, point, &relation);
  grl_leave(L, before);
  grl_check(L, 2, "point", status, NULL);
  lua_pushboolean(L, relation != GRAZE_SEPARATED);
  lua_pushstring(L, graze_relation_text(relation));
  return 2;
}

static int part_count(lua_State *L) {
  grl_count(L, 1, 1);
  lua_pushinteger(L, (lua_Integer)graze_part_count(&grl_check_placed(L, 1, "placed")->placed));
  return 1;
}

static int part(lua_State *L) {
  grl_count(L, 2, 2);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  grl_placed *made = grl_push_placed(L);
  size_t index = grl_whole(L, 2, "index", (double)graze_part_count(&placed->placed));
  graze_placed found = graze_part(&placed->placed, index - 1);
  grl_fill_placed(L, made, &found, placed->store, 1);
  made->is_part = placed->placed.shape.kind == GRAZE_COMPOUND;
  made->whole = placed->placed.pose;
  return 1;
}

/* ---- For drawing ---- */

/* The corners of a 2D polygon or box, in the world, rounded, as x, y, x, y …; into a table of the caller's, too. */
static size_t local_corners(const graze_shape *s, const graze_vec **points, graze_vec room[4]) {
  *points = room;
  switch (s->kind) {
  case GRAZE_POLYGON:
  case GRAZE_HULL: *points = s->as.hull.vertices; return s->as.hull.count;
  case GRAZE_SEGMENT:
  case GRAZE_TRIANGLE: *points = s->as.segment.vertices; return s->kind == GRAZE_SEGMENT ? 2 : 3;
  case GRAZE_BOX:
    room[0] = (graze_vec){-s->as.box.half_extents.x, -s->as.box.half_extents.y, 0};
    room[1] = (graze_vec){s->as.box.half_extents.x, -s->as.box.half_extents.y, 0};
    room[2] = (graze_vec){s->as.box.half_extents.x, s->as.box.half_extents.y, 0};
    room[3] = (graze_vec){-s->as.box.half_extents.x, s->as.box.half_extents.y, 0};
    return 4;
  case GRAZE_POINT: room[0] = (graze_vec){0, 0, 0}; return 1;
  default: return 0;
  }
}

static graze_vec turned(const graze_pose *p, graze_vec v) {
  double s = 1 / (p->w * p->w + p->z * p->z), c = (p->w * p->w - p->z * p->z) * s, n = 2 * p->w * p->z * s;
  return (graze_vec){c * v.x - n * v.y + p->position.x, n * v.x + c * v.y + p->position.y, 0};
}

static int corners(lua_State *L) {
  grl_count(L, 1, 2);
  const grl_placed *placed = grl_check_placed(L, 1, "placed");
  const graze_placed *p = &placed->placed;
  graze_vec room[4];
  const graze_vec *points;
  if (grl_absent(L, 2)) {
    lua_settop(L, 1);
    lua_newtable(L);
  } else if (!lua_istable(L, 2)) {
    grl_refuse(L, 2, "into: a table expected, got %s", grl_describe(L, 2));
  }
  grl_same_dim(L, 1, "placed", p->shape.dim, 2);
  if (p->shape.kind == GRAZE_COMPOUND) grl_refuse(L, 1, "placed: a compound; ask its parts, placed:part(i)");
  size_t count = local_corners(&p->shape, &points, room);
  if (count == 0) grl_refuse(L, 1, "placed: a %s, which has no corners", grl_kind_text(p->shape.kind));
  for (size_t i = 0; i < count; i++) {
    graze_vec v = turned(&p->pose, points[i]);
    if (placed->is_part) v = turned(&placed->whole, v);
    lua_pushnumber(L, v.x);
    lua_rawseti(L, 2, (int)i * 2 + 1);
    lua_pushnumber(L, v.y);
    lua_rawseti(L, 2, (int)i * 2 + 2);
  }
  for (size_t i = grl_length(L, 2); i > count * 2; i--) {
    lua_pushnil(L);
    lua_rawseti(L, 2, (int)i);
  }
  return 1;
}

static int collect(lua_State *L) {
  grl_placed *placed = grl_test(L, 1, GRL_PLACED);
  if (placed == NULL) return 0;
  grl_store *store = placed->store;
  placed->store = NULL;
  placed->freed = true;
  grl_store_drop(store);
  return 0;
}

static int to_string(lua_State *L) {
  const grl_placed *placed = grl_test(L, 1, GRL_PLACED);
  if (placed == NULL) return luaL_argerror(L, 1, "a placed shape expected");
  const graze_vec *p = &placed->placed.pose.position;
  if (placed->placed.shape.dim == 2)
    lua_pushfstring(L, "graze.placed (2D, at %s, %s)", grl_say(L, p->x), grl_say(L, p->y));
  else
    lua_pushfstring(L, "graze.placed (3D, at %s, %s, %s)", grl_say(L, p->x), grl_say(L, p->y), grl_say(L, p->z));
  return 1;
}

const luaL_Reg grl_placed_functions[] = {
    {"bounds", bounds},         {"support", support}, {"project", project}, {"contains", contains},
    {"part_count", part_count}, {"part", part},       {NULL, NULL},
};

const luaL_Reg grl_placed_methods[] = {
    {"set_pose", set_pose}, {"pose", pose}, {"dim", dim}, {"shape", shape}, {"corners", corners}, {NULL, NULL},
};

const luaL_Reg grl_placed_meta[] = {{"__gc", collect}, {"__tostring", to_string}, {NULL, NULL}};
