/* Queries about two placed shapes: graze.NAME(a, b, options, answer). Queries return plain numbers without garbage; the
 * rest of the result is in `answer`, if given. Algorithms: graze/graze.h. */
#include "binding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct operands {
  const grl_placed *a, *b;
  int dim;
} operands;

static operands read_operands(lua_State *L) {
  operands o = {grl_check_placed(L, 1, "a"), grl_check_placed(L, 2, "b"), 0};
  o.dim = o.a->placed.shape.dim;
  grl_check_dim(L, 2, "b", o.b->placed.shape.dim, o.dim);
  return o;
}

static size_t part_pairs(const operands *o) {
  return graze_part_count(&o->a->placed) * graze_part_count(&o->b->placed);
}

/* ---- Errors ---- */

static const char *kind_of(lua_State *L, const grl_placed *placed) {
  graze_shape_kind kind = placed->placed.shape.kind;
  return lua_pushfstring(L, kind == GRAZE_ELLIPSOID ? "an %s" : "a %s", grl_kind_text(kind));
}

/* Rejects the shapes at 1 and 2: the function, or the method in the options, does not support them. */
static void reject_shapes(lua_State *L, int options, const char *method, const char *function) {
  const grl_placed *a = grl_test(L, 1, GRL_PLACED), *b = grl_test(L, 2, GRL_PLACED);
  const char *shapes = kind_of(L, a);
  if (b) shapes = lua_pushfstring(L, "%s and %s", shapes, kind_of(L, b));
  if (method) grl_reject(L, options, "options.method: \"%s\" does not support %s of %s", method, function, shapes);
  grl_reject(L, 1, "%s: %s does not support such shapes (%s)", b ? "a and b" : "placed", function, shapes);
}

void grl_check_query(lua_State *L, graze_status status, int options, const grl_query *query, const char *function) {
  if (status == GRAZE_NO_SPACE)
    grl_reject(L, options,
               "options.workspace: too small, must be at least the number of vertex pairs for method \"brute\"");
  if (status == GRAZE_BAD_OPTION) grl_check_status(L, options, "options", status, &query->error);
  if (status == GRAZE_UNSUPPORTED) reject_shapes(L, options, query->method, function);
  grl_check_status(L, 1, "a and b", status, NULL);
}

int grl_push_verdict(lua_State *L, graze_status status, int options, const grl_query *query, const char *function) {
  if (status != GRAZE_OK && status != GRAZE_REFUTED && status != GRAZE_UNPROVEN)
    grl_check_query(L, status, options, query, function);
  lua_pushboolean(L, status == GRAZE_OK);
  if (status == GRAZE_OK) return 1;
  lua_pushstring(L, status == GRAZE_REFUTED ? "refuted" : "unproven");
  return 2;
}

/* ---- Relation, distance, penetration ---- */

/* The radius that rounds the core of a shape, or of one of its parts. */
static double radius_of(const graze_placed *placed, int32_t part) {
  const graze_shape *s = &placed->shape;
  graze_placed found;
  graze_frame frame;
  double radius = s->margin;
  if (s->kind == GRAZE_COMPOUND) {
    found = graze_part(placed, (size_t)part, &frame);
    s = &found.shape;
    radius += s->margin;
  }
  return radius + (s->kind == GRAZE_SPHERE ? s->as.sphere.radius : s->kind == GRAZE_CAPSULE ? s->as.capsule.radius : 0);
}

/* Fills the answer; the query has written its certificate. */
static void store_answer(grl_answer *answer, const graze_answer *found, const operands *o, const grl_query *query) {
  answer->answer = *found;
  answer->dim = o->a->placed.shape.dim;
  answer->bounds = true;
  answer->radii =
      radius_of(&o->a->placed, found->part_a) + radius_of(&o->b->placed, found->part_b) + query->pair.clearance;
}

/* Reads the arguments, runs the query, and fills the answer at argument 4, if given. `method` replaces that of the
 * options, unless it is GRAZE_METHOD_AUTO. */
static operands run(lua_State *L, grl_pair_function function, const char *name, graze_method method,
                    graze_answer *found) {
  grl_check_count(L, 2, 4);
  operands o = read_operands(L);
  grl_answer *answer = grl_check_answer(L, 4);
  grl_query query;
  if (answer) grl_require_mutable(L);
  grl_query_read(L, 3, o.dim, GRL_PAIR, &query);
  if (method != GRAZE_METHOD_AUTO) {
    query.pair.method = method;
    query.method = NULL;
    query.compare_pair = NULL;
  }
  if (answer) grl_answer_reserve(L, answer, &query, 3, part_pairs(&o));
  lua_State *before = grl_query_begin(L, &query);
  graze_status status =
      (query.compare_pair ? query.compare_pair : function)(&o.a->placed, &o.b->placed, &query.pair, found);
  grl_query_end(L, &query, before);
  grl_check_query(L, status, 3, &query, name);
  o.dim = o.a->placed.shape.dim; /* a finalizer may have refilled it before the query */
  if (answer) {
    store_answer(answer, found, &o, &query);
    answer->bounds = function != graze_intersect || found->relation == GRAZE_UNDECIDED;
  }
  return o;
}

static int relation_by(lua_State *L, const char *name, graze_method method) {
  graze_answer answer;
  run(L, graze_intersect, name, method, &answer);
  lua_pushboolean(L, answer.relation != GRAZE_SEPARATED);
  lua_pushstring(L, graze_relation_text(answer.relation));
  return 2;
}

static int intersect(lua_State *L) { return relation_by(L, "intersect", GRAZE_METHOD_AUTO); }

static int gjk(lua_State *L) { return relation_by(L, "gjk", GRAZE_METHOD_GJK); }

static int distance(lua_State *L) {
  graze_answer answer;
  operands o = run(L, graze_distance, "distance", GRAZE_METHOD_AUTO, &answer);
  if (isnan(answer.distance)) { /* beyond max_distance */
    lua_pushnil(L);
    lua_pushstring(L, graze_stop_text(answer.stopped));
    return 2;
  }
  lua_pushnumber(L, answer.distance);
  return 1 + grl_push_vec(L, answer.normal, o.dim);
}

static int depth_by(lua_State *L, const char *name, graze_method method) {
  graze_answer answer;
  operands o = run(L, graze_distance, name, method, &answer);
  if (answer.relation == GRAZE_SEPARATED) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushnumber(L, 0 - answer.distance);
  return 1 + grl_push_vec(L, answer.normal, o.dim);
}

static int penetration(lua_State *L) { return depth_by(L, "penetration", GRAZE_METHOD_AUTO); }

static int epa(lua_State *L) { return depth_by(L, "epa", GRAZE_METHOD_EPA); }

/* graze.verify(a, b, answer, options): true, or false and the reason. Only the clearance of the options matters. */
static int verify(lua_State *L) {
  grl_check_count(L, 3, 4);
  operands o = read_operands(L);
  grl_answer *answer = grl_check_answer(L, 3);
  if (answer == NULL) grl_reject_value(L, 3, 3, "answer", "graze.answer()");
  if (answer->answer.relation == 0) grl_reject(L, 3, "answer: empty, must be filled by a query");
  lua_settop(L, 4);
  grl_query query;
  grl_query_read(L, 4, o.dim, GRL_PAIR, &query);
  lua_State *before = grl_query_begin(L, &query);
  graze_status status = graze_verify(&o.a->placed, &o.b->placed, &query.pair, &answer->answer, &answer->certificate);
  grl_query_end(L, &query, before);
  return grl_push_verdict(L, status, 4, &query, "verify");
}

/* ---- Contact points ---- */

enum { MAX_CONTACTS = 145 }; /* hold any complete contact polygon */

void grl_set_contacts(lua_State *L, int list, const graze_contact *contacts, size_t count, int dim) {
  char feature[24];
  int spare = grl_list_begin(L, list);
  for (size_t i = 0; i < count; i++) {
    grl_list_entry(L, list, spare, (int)i + 1);
    grl_set_vec(L, "point_a", contacts[i].point_a, dim);
    grl_set_vec(L, "point_b", contacts[i].point_b, dim);
    grl_set_number(L, "depth", contacts[i].depth);
    snprintf(feature, sizeof feature, "%016llx", (unsigned long long)contacts[i].feature);
    grl_set_string(L, "feature", feature); /* 64 bits: more than a number of Lua 5.1 holds */
    lua_pop(L, 1);
  }
  grl_list_end(L, list, (int)count);
  lua_pop(L, 1);
}

void grl_contacts_argument(lua_State *L, int argument) {
  grl_list_argument(L, argument, "contacts");
  lua_pushliteral(L, "spare");
  lua_rawget(L, argument);
  if (lua_isnil(L, -1)) grl_reject_options(L, argument, "contacts"); /* never filled: it may be options */
  lua_pop(L, 1);
}

int grl_push_manifold(lua_State *L, int list, const graze_answer *answer, size_t count, int dim) {
  lua_pushvalue(L, list);
  lua_pushinteger(L, (lua_Integer)count);
  return isnan(answer->normal.x) ? 2 : 2 + grl_push_vec(L, answer->normal, dim);
}

/* graze.manifold(a, b, contacts, options, answer): contacts, count, normal. */
static int manifold(lua_State *L) {
  grl_check_count(L, 2, 5);
  operands o = read_operands(L);
  grl_answer *kept = grl_check_answer(L, 5);
  if (kept) grl_require_mutable(L);
  lua_settop(L, 5);
  grl_contacts_argument(L, 3);
  grl_query query;
  grl_query_read(L, 4, o.dim, GRL_MANIFOLD, &query);
  if (kept) grl_answer_reserve(L, kept, &query, 4, part_pairs(&o));
  size_t capacity = o.dim == 2 ? 2 : 4, count;
  graze_contact contacts[MAX_CONTACTS];
  if (query.given && query.given->full) capacity = MAX_CONTACTS;
  graze_answer answer, certified;
  lua_State *before = grl_query_begin(L, &query);
  graze_status status =
      graze_manifold(&o.a->placed, &o.b->placed, &query.manifold, &answer, contacts, capacity, &count);
  if (status == GRAZE_OK && kept) /* contacts carry no certificate */
    status = graze_distance(&o.a->placed, &o.b->placed, &query.pair, &certified);
  grl_query_end(L, &query, before);
  grl_check_query(L, status, 4, &query, "manifold");
  if (kept) store_answer(kept, &certified, &o, &query);
  grl_set_contacts(L, 3, contacts, count, o.dim);
  return grl_push_manifold(L, 3, &answer, count, o.dim);
}

/* ---- Contact points of all parts ---- */

typedef struct pair_fill {
  const graze_answer *pair;
  const graze_contact *contacts;
  size_t count;
  grl_state *state;
  int first; /* stack index of the list, followed by its spare entries */
  int dim, pairs;
} pair_fill;

/* Arguments: the list, its spare entries. */
static void fill_pair(lua_State *L, void *data) {
  pair_fill *f = data;
  grl_list_entry(L, 1, 2, ++f->pairs);
  grl_set_integer(L, "part_a", f->pair->part_a + 1);
  grl_set_integer(L, "part_b", f->pair->part_b + 1);
  grl_set_string(L, "relation", graze_relation_text(f->pair->relation));
  grl_set_vec(L, "normal", f->pair->normal, f->dim);
  lua_pushliteral(L, "points");
  lua_rawget(L, -2);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_newtable(L);
    grl_set_field(L, "points");
    lua_pushliteral(L, "points");
    lua_rawget(L, -2);
  }
  grl_set_contacts(L, lua_gettop(L), f->contacts, f->count, f->dim);
}

static bool report_pair(void *context, const graze_answer *pair, const graze_contact *contacts, size_t count) {
  pair_fill *f = context;
  f->pair = pair, f->contacts = contacts, f->count = count;
  return grl_call_protected(f->state, fill_pair, f, f->first, 2);
}

/* graze.contacts(a, b, contacts, options): the pairs of parts in contact, each with its contact points; the count. */
static int contacts_of_parts(lua_State *L) {
  grl_check_count(L, 2, 4);
  operands o = read_operands(L);
  lua_settop(L, 4);
  grl_contacts_argument(L, 3);
  grl_query query;
  grl_query_read(L, 4, o.dim, GRL_PART_CONTACTS, &query);
  lua_pushvalue(L, 3);
  pair_fill f = {.state = query.state, .first = lua_gettop(L)};
  grl_list_begin(L, f.first);
  lua_State *before = grl_query_begin(L, &query);
  f.dim = o.a->placed.shape.dim; /* as in run() */
  graze_status status = graze_contacts(&o.a->placed, &o.b->placed, &query.manifold, report_pair, &f);
  grl_query_end(L, &query, before);
  grl_check_query(L, status, 4, &query, "contacts");
  grl_list_end(L, 3, f.pairs);
  lua_pushvalue(L, 3);
  lua_pushinteger(L, f.pairs);
  return 2;
}

/* ---- Separating axes ---- */

typedef struct visit_call {
  const graze_axis *axis;
  grl_state *state;
  int function, dim;
  bool proceed;
} visit_call;

static void set_interval(lua_State *L, const char *key, graze_interval interval) {
  lua_createtable(L, 2, 0);
  lua_pushnumber(L, interval.min);
  lua_rawseti(L, -2, 1);
  lua_pushnumber(L, interval.max);
  lua_rawseti(L, -2, 2);
  lua_setfield(L, -2, key);
}

/* Argument 1: the visitor. */
static void call_visit(lua_State *L, void *data) {
  static const char *const kinds[] = {"", "face_a", "face_b", "edges"};
  visit_call *v = data;
  lua_createtable(L, 0, 8);
  grl_set_string(L, "kind", kinds[v->axis->kind]);
  if (v->axis->feature_a >= 0) grl_set_integer(L, "feature_a", v->axis->feature_a + 1);
  if (v->axis->feature_b >= 0) grl_set_integer(L, "feature_b", v->axis->feature_b + 1);
  grl_push_point(L, v->axis->direction, v->dim);
  lua_setfield(L, -2, "direction");
  grl_set_number(L, "separation", v->axis->separation);
  set_interval(L, "a", v->axis->a);
  set_interval(L, "b", v->axis->b);
  lua_call(L, 1, 1);
  v->proceed = lua_isnil(L, -1) || lua_toboolean(L, -1);
}

static bool visit_axis(void *context, const graze_axis *axis) {
  visit_call *v = context;
  v->axis = axis;
  return grl_call_protected(v->state, call_visit, v, v->function, 1) && v->proceed;
}

/* graze.sat(a, b, options, visit): intersects, separation, axis. The relation is exact, the axis is rounded. */
static int sat(lua_State *L) {
  grl_check_count(L, 2, 4);
  operands o = read_operands(L);
  if (!grl_absent(L, 4) && !lua_isfunction(L, 4)) grl_reject_value(L, 4, 4, "visit", "a function");
  lua_settop(L, 4);
  grl_query query;
  grl_query_read(L, 3, o.dim, GRL_PAIR, &query);
  query.pair.method = GRAZE_METHOD_AUTO; /* every method returns the same relation; this is the fastest */
  query.method = NULL;
  visit_call v = {NULL, query.state, 4, o.dim, true};
  graze_answer answer;
  graze_axis best;
  lua_State *before = grl_query_begin(L, &query);
  graze_status status =
      graze_compare_axes(&o.a->placed, &o.b->placed, &query.pair, lua_isfunction(L, 4) ? visit_axis : NULL, &v, &best);
  if (status == GRAZE_OK) status = graze_intersect(&o.a->placed, &o.b->placed, &query.pair, &answer);
  grl_query_end(L, &query, before);
  grl_check_query(L, status, 3, &query, "sat");
  lua_pushboolean(L, answer.relation != GRAZE_SEPARATED);
  lua_pushnumber(L, best.separation);
  return 2 + grl_push_vec(L, best.direction, o.dim);
}

/* ---- Minkowski difference and sum ---- */

enum { MAX_VERTEX_PAIRS = 1 << 18 };

/* graze.minkowski(a, b, of): vertices, pairs, and whether the origin is inside. */
static int minkowski(lua_State *L) {
  static const char *const of[] = {"difference", "sum", NULL};
  grl_check_count(L, 2, 3);
  operands o = read_operands(L);
  int which = grl_absent(L, 3) ? 0 : grl_choice(L, 3, 3, "of", of);
  grl_query query;
  grl_query_read(L, 4, o.dim, GRL_PAIR, &query); /* no options: the defaults */
  size_t n = graze_vertex_count(&o.a->placed.shape), m = graze_vertex_count(&o.b->placed.shape), count = 0;
  if (n == 0 || m == 0) reject_shapes(L, 0, NULL, "minkowski");
  if (n > MAX_VERTEX_PAIRS / m)
    grl_reject(L, 1, "a and b: too many vertex pairs, must be at most %d", MAX_VERTEX_PAIRS);
  query.pair.workspace_size = graze_workspace_size(n * m + 3);
  query.pair.workspace = lua_newuserdata(L, query.pair.workspace_size);
  graze_vec *points = lua_newuserdata(L, n * m * sizeof *points);
  graze_pair *pairs = lua_newuserdata(L, n * m * sizeof *pairs);
  bool inside = false;
  lua_State *before = grl_enter(L);
  graze_status status =
      graze_compare_minkowski(&o.a->placed, &o.b->placed, which == 0 ? GRAZE_MINKOWSKI_DIFFERENCE : GRAZE_MINKOWSKI_SUM,
                              &query.pair, points, pairs, n * m, &count, &inside);
  grl_leave(L, before);
  grl_check_query(L, status, 3, &query, "minkowski");
  grl_push_points(L, points, count, o.dim);
  grl_push_pairs(L, pairs, count, NULL, o.dim);
  lua_pushboolean(L, inside);
  return 3;
}

/* ---- One shape against a list ---- */

typedef graze_status (*list_query)(const graze_placed *a, const graze_placed *list, size_t count,
                                   const graze_list_options *options, graze_list_function report, void *context,
                                   graze_list_counts *counts);

static bool keep_result(void *context, size_t index, const graze_answer *answer) {
  (void)index;
  *(graze_answer *)context = *answer;
  return true;
}

/* The indices of results go into the caller's table at 4, and their distances into the table at 5. Graze receives one
 * member per call, with the same filter by bounds as for a whole list, so that nothing is copied. */
static int run_list(lua_State *L, list_query function, int tables) {
  grl_check_count(L, 2, 3 + tables);
  const grl_placed *a = grl_check_placed(L, 1, "a");
  if (!lua_istable(L, 2)) grl_reject_value(L, 2, 2, "list", "a list of placed shapes");
  for (int i = 0; i < tables; i++) grl_list_argument(L, 4 + i, i == 0 ? "found" : "distances");
  grl_query query;
  grl_query_read(L, 3, a->placed.shape.dim, GRL_LIST, &query);
  int count = (int)grl_length(L, 2), found = 0;
  for (int i = 1; i <= count; i++) {
    graze_answer answer;
    graze_list_counts counts;
    lua_rawgeti(L, 2, i);
    const grl_placed *b = grl_test(L, lua_gettop(L), GRL_PLACED);
    if (b == NULL || b->freed)
      grl_reject(L, 2, "list[%d]: invalid value (%s), must be a placed shape", i,
                 b ? "a freed one" : grl_describe(L, lua_gettop(L)));
    lua_State *before = grl_query_begin(L, &query);
    graze_status status = function(&a->placed, &b->placed, 1, &query.list, keep_result, &answer, &counts);
    grl_query_end(L, &query, before);
    if (status == GRAZE_BAD_OPTION) grl_check_status(L, 3, "options", status, &query.error);
    if (status == GRAZE_UNSUPPORTED)
      grl_reject(L, 2, "list[%d]: unsupported shape (%s) with %s as a", i, kind_of(L, b), kind_of(L, a));
    if (status != GRAZE_OK) grl_reject(L, 2, "list[%d]: %s", i, graze_status_text(status));
    lua_pop(L, 1);
    if (counts.reported != 1) continue;
    found++;
    lua_pushinteger(L, i);
    lua_rawseti(L, 4, found);
    if (tables == 1) continue;
    lua_pushnumber(L, answer.distance);
    lua_rawseti(L, 5, found);
  }
  for (int i = 0; i < tables; i++) {
    grl_list_end(L, 4 + i, found);
    lua_pushvalue(L, 4 + i);
  }
  lua_pushinteger(L, found);
  return tables + 1;
}

static int intersect_list(lua_State *L) { return run_list(L, graze_intersect_list, 1); }

static int distance_list(lua_State *L) { return run_list(L, graze_distance_list, 2); }

const luaL_Reg grl_pair_functions[] = {
    {"intersect", intersect},
    {"gjk", gjk},
    {"distance", distance},
    {"penetration", penetration},
    {"epa", epa},
    {"verify", verify},
    {"manifold", manifold},
    {"contacts", contacts_of_parts},
    {"sat", sat},
    {"minkowski", minkowski},
    {"intersect_list", intersect_list},
    {"distance_list", distance_list},
    {NULL, NULL},
};
