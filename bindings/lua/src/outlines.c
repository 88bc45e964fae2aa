/* Polygons with holes: convexity and winding, convex decomposition, concave polygons as shapes; smallest boxes. */
#include "binding.h"

static int collect(lua_State *L) {
  grl_guard *g = grl_test(L, 1, GRL_GUARD);
  if (g == NULL) return 0;
  if (g->outline.memory) graze_outline_destroy(&g->outline);
  if (g->pieces.memory) graze_decomposition_destroy(&g->pieces);
  if (g->mesh_report.memory) graze_mesh_report_destroy(&g->mesh_report);
  return 0;
}

const luaL_Reg grl_guard_meta[] = {{"__gc", collect}, {NULL, NULL}};

/* graze.convexity(vertices): convex, winding, report. */
static int convexity(lua_State *L) {
  grl_check_count(L, 1, 1);
  size_t count;
  int dim = 2;
  const graze_vec *points = grl_points(L, 1, 1, "vertices", &count, &dim);
  grl_guard *g = grl_new(L, sizeof *g, GRL_GUARD);
  graze_outline *outline = &g->outline;
  graze_error error = {.index = -1};
  grl_check_status(L, 1, NULL, graze_validate_outline(points, count, NULL, outline, &error), &error);
  lua_pushboolean(L, outline->convex);
  lua_pushstring(L, graze_winding_text(outline->winding));
  lua_createtable(L, 0, 5);
  grl_set_flag(L, "convex", outline->convex);
  grl_set_flag(L, "simple", outline->simple);
  grl_set_string(L, "winding", graze_winding_text(outline->winding));
  grl_set_number(L, "area", outline->area);
  lua_createtable(L, (int)outline->error_count, 0);
  for (size_t i = 0; i < outline->error_count; i++) {
    const graze_outline_error *problem = &outline->errors[i];
    lua_createtable(L, 0, 3);
    grl_set_string(L, "kind", graze_outline_error_text(problem->kind));
    grl_set_integer(L, "index", (ptrdiff_t)(problem->index + 1));
    if (problem->kind > GRAZE_OUTLINE_ZERO_AREA) grl_set_integer(L, "other", (ptrdiff_t)(problem->other + 1));
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "problems");
  graze_outline_destroy(outline);
  return 3;
}

/* ---- Convex decomposition ---- */

typedef struct polygon {
  graze_ring outline;
  graze_ring *holes;
  size_t hole_count;
  graze_splitting splitting;
  bool verify;
} polygon;

static void read_holes(lua_State *L, int index, polygon *p) {
  if (!lua_istable(L, index)) grl_reject_value(L, 2, index, "options.holes", "a list of outlines");
  p->hole_count = grl_length(L, index);
  if (p->hole_count == 0) return;
  p->holes = lua_newuserdata(L, p->hole_count * sizeof *p->holes);
  for (size_t i = 0; i < p->hole_count; i++) {
    int dim = 2;
    lua_rawgeti(L, index, (int)i + 1);
    p->holes[i].vertices = grl_points(L, 2, lua_gettop(L), "options.holes", &p->holes[i].count, &dim);
    lua_insert(L, -2); /* the points stay on the stack, the table is popped */
    lua_pop(L, 1);
    luaL_checkstack(L, 8, "too many holes");
  }
}

/* Reads the arguments. The points are userdata that stay on the stack. */
static polygon read_polygon(lua_State *L) {
  static const char *const splittings[] = {"auto", "few", "fewest", NULL}, *const keys[] = {"splitting", "verify",
                                                                                            "holes", NULL};
  polygon p = {{NULL, 0}, NULL, 0, GRAZE_SPLIT_AUTO, false};
  int dim = 2;
  grl_check_count(L, 1, 2);
  lua_settop(L, 2);
  p.outline.vertices = grl_points(L, 1, 1, "vertices", &p.outline.count, &dim);
  if (grl_absent(L, 2)) return p;
  if (!lua_istable(L, 2)) grl_reject_value(L, 2, 2, "options", "a table");
  lua_pushnil(L);
  while (lua_next(L, 2) != 0) {
    int value = lua_gettop(L);
    switch (grl_key(L, 2, "options", keys)) {
    case 0: p.splitting = (graze_splitting)grl_choice(L, 2, value, "options.splitting", splittings); break;
    case 1: p.verify = grl_flag(L, 2, value, "options.verify"); break;
    default: break; /* holes: read after the loop, because their points stay on the stack */
    }
    lua_settop(L, value - 1);
  }
  lua_getfield(L, 2, "holes");
  if (!lua_isnil(L, -1)) read_holes(L, lua_gettop(L), &p);
  return p;
}

static const char *push_ring(lua_State *L, size_t ring) {
  return ring == 0 ? "vertices" : lua_pushfstring(L, "options.holes[%d]", (int)ring);
}

/* The edges that an error is about. */
static const char *push_edges(lua_State *L, const graze_outline_error *error) {
  int index = (int)error->index + 1, other = (int)error->other + 1;
  bool pair = error->kind == GRAZE_OUTLINE_EDGES_CROSS || error->kind == GRAZE_OUTLINE_EDGES_TOUCH;
  if (!pair && error->kind != GRAZE_OUTLINE_HOLE_OUTSIDE) return "";
  if (error->ring == error->other_ring)
    return pair ? lua_pushfstring(L, " (edges %d and %d)", index, other)
                : lua_pushfstring(L, " (at its edge %d)", index);
  const char *ring = push_ring(L, error->other_ring);
  if (pair) return lua_pushfstring(L, " (edge %d and edge %d of %s)", index, other, ring);
  return lua_pushfstring(L, " (at edge %d of %s)", other, ring);
}

/* Decomposes the polygon of the arguments. The pieces belong to a guard on top. */
static graze_decomposition *decompose_arguments(lua_State *L, polygon *p) {
  *p = read_polygon(L);
  grl_guard *g = grl_new(L, sizeof *g, GRL_GUARD);
  graze_outline_error problem = {GRAZE_OUTLINE_FEW_POINTS, 0, 0, 0, 0};
  graze_error error = {.index = -1};
  graze_status status =
      graze_decompose(p->outline, p->holes, p->hole_count, p->splitting, NULL, &g->pieces, &problem, &error);
  if (status == GRAZE_NOT_SIMPLE) {
    bool outer = problem.ring == 0;
    const char *place = outer ? lua_pushfstring(L, "vertices[%d]", (int)problem.index + 1) : push_ring(L, problem.ring);
    grl_reject(L, outer ? 1 : 2, "%s: %s%s", place, graze_outline_error_text(problem.kind), push_edges(L, &problem));
  }
  if (status == GRAZE_UNSUPPORTED)
    grl_reject(L, 2, "options.splitting: \"fewest\" with holes, must be \"auto\" or \"few\"");
  grl_check_status(L, 1, NULL, status, &error);
  return &g->pieces;
}

/* graze.decompose(vertices, {holes, splitting, verify}): a table. */
static int decompose(lua_State *L) {
  polygon p;
  graze_decomposition *d = decompose_arguments(L, &p);
  lua_createtable(L, 0, 6);
  lua_createtable(L, (int)d->piece_count, 0);
  for (size_t i = 0; i < d->piece_count; i++) {
    size_t first = d->piece_start[i], end = d->piece_start[i + 1];
    grl_push_points(L, d->vertices + first, end - first, 2);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "pieces");
  lua_createtable(L, (int)d->internal_edge_count, 0);
  for (size_t i = 0; i < d->internal_edge_count; i++) {
    lua_createtable(L, 0, 4);
    grl_set_integer(L, "left", (ptrdiff_t)(d->internal_edges[i].left + 1));
    grl_set_integer(L, "right", (ptrdiff_t)(d->internal_edges[i].right + 1));
    grl_push_point(L, d->internal_edges[i].from, 2);
    lua_setfield(L, -2, "from");
    grl_push_point(L, d->internal_edges[i].to, 2);
    lua_setfield(L, -2, "to");
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "internal_edges");
  grl_set_integer(L, "count", (ptrdiff_t)d->piece_count);
  grl_set_integer(L, "fewest", (ptrdiff_t)d->fewest);
  grl_set_number(L, "area", d->area);
  if (p.verify) grl_set_flag(L, "verified", graze_verify_pieces(p.outline, p.holes, p.hole_count, d, NULL) == GRAZE_OK);
  graze_decomposition_destroy(d);
  return 1;
}

/* graze.concave(vertices, {holes, splitting}): a compound of the pieces of graze.decompose(). */
static int concave(lua_State *L) {
  polygon p;
  graze_decomposition *d = decompose_arguments(L, &p);
  if (p.verify) grl_reject(L, 2, "options.verify: unused, needs graze.decompose()");
  grl_shape *made = grl_push_shape(L, graze_point2());
  made->store = grl_store_new(0);
  graze_status status = GRAZE_OUT_OF_MEMORY;
  if (made->store) status = graze_decomposition_compound(d, NULL, &made->store->compound);
  size_t count = d->piece_count;
  graze_decomposition_destroy(d);
  grl_check_status(L, 1, "vertices", status, NULL);
  made->shape = graze_compound_shape(made->store->compound);
  grl_report_memory(L, count * 1024);
  return 1;
}

/* graze.fit_box(points, effort): a placed box, its area or volume. */
static int fit_box(lua_State *L) {
  static const char *const efforts[] = {"fast", "best", NULL};
  grl_check_count(L, 1, 2);
  size_t count;
  int dim = 0;
  graze_effort effort = grl_absent(L, 2) ? GRAZE_BEST : (graze_effort)(grl_choice(L, 2, 2, "effort", efforts) + 1);
  const graze_vec *points = grl_points(L, 1, 1, "points", &count, &dim);
  graze_fitted_box fitted;
  graze_error error = {.index = -1};
  grl_check_status(L, 1, NULL, graze_fit_box(points, count, dim, effort, NULL, &fitted, &error), &error);
  graze_placed placed = graze_place(&fitted.box, fitted.pose);
  grl_fill_placed(L, grl_push_placed(L), &placed, NULL, 0);
  lua_pushnumber(L, fitted.measure);
  return 2;
}

const luaL_Reg grl_outline_functions[] = {
    {"convexity", convexity}, {"decompose", decompose}, {"concave", concave}, {"fit_box", fit_box}, {NULL, NULL},
};
