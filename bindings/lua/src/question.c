/* Questions about two placed shapes: graze.NAME(a, b, options, answer). Plain numbers come back, at no cost of memory;
 * everything else about an answer is in `answer`, where one is given. */
#include "binding.h"

#include <math.h>
#include <string.h>

typedef graze_status (*question)(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                 graze_answer *answer);

typedef struct both {
  const grl_placed *a, *b;
  int dim;
} both;

static both read_both(lua_State *L) {
  both two = {grl_check_placed(L, 1, "a"), grl_check_placed(L, 2, "b"), 0};
  two.dim = two.a->placed.shape.dim;
  grl_same_dim(L, 2, "b", two.b->placed.shape.dim, two.dim);
  return two;
}

static double radius_of(const graze_placed *placed, int32_t part) {
  const graze_shape *s = &placed->shape;
  graze_placed found;
  double radius = s->margin;
  if (s->kind == GRAZE_COMPOUND) {
    found = graze_part(placed, (size_t)part);
    s = &found.shape;
    radius += s->margin;
  }
  return radius + (s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE ? s->as.sphere.radius : 0);
}

/* The method that the options at an argument name, or NULL. */
static const char *named_method(lua_State *L, int options) {
  const grl_options *given = grl_test(L, options, GRL_OPTIONS);
  if (given) return given->options.method == GRAZE_METHOD_AUTO ? NULL : grl_method_text(given->options.method);
  if (!lua_istable(L, options)) return NULL;
  lua_pushliteral(L, "method");
  lua_rawget(L, options);
  const char *method = lua_tostring(L, -1);
  return method && strcmp(method, "auto") != 0 ? method : NULL;
}

static const char *kind_of(lua_State *L, const grl_placed *placed) {
  graze_shape_kind kind = placed->placed.shape.kind;
  return lua_pushfstring(L, kind == GRAZE_ELLIPSOID ? "an %s" : "a %s", grl_kind_text(kind));
}

/* The function, or the method of the options, has no answer about the shapes at 1 and 2. */
static void refuse_shapes(lua_State *L, int options, const char *function) {
  const grl_placed *a = grl_test(L, 1, GRL_PLACED), *b = grl_test(L, 2, GRL_PLACED);
  const char *shapes = kind_of(L, a), *method = options > 0 ? named_method(L, options) : NULL;
  if (b) shapes = lua_pushfstring(L, "%s and %s", shapes, kind_of(L, b));
  if (method) grl_refuse(L, options, "options.method: \"%s\" has no %s of %s", method, function, shapes);
  grl_refuse(L, 1, "%s: %s does not take such shapes, %s", b ? "a and b" : "placed", function, shapes);
}

void grl_check_question(lua_State *L, graze_status status, int options, const char *function) {
  if (status == GRAZE_NO_SPACE)
    grl_refuse(L, options,
               "options.workspace: more points expected, of which method \"brute\" takes one for each pair "
               "of vertices");
  if (status == GRAZE_BAD_OPTION) grl_refuse(L, options, "options: %s", graze_status_text(status));
  if (status == GRAZE_UNSUPPORTED) refuse_shapes(L, options, function);
  grl_check(L, 1, "a and b", status, NULL);
}

void grl_keep_answer(grl_answer *answer, const graze_answer *found, const grl_placed *a, const grl_placed *b,
                     const grl_asking *asking) {
  answer->answer = *found;
  answer->dim = a->placed.shape.dim;
  answer->bounds = true;
  answer->radii =
      radius_of(&a->placed, found->part_a) + radius_of(&b->placed, found->part_b) + asking->options.clearance;
}

/* Asks, and fills the answer at argument 4 if there is one. `method` is forced, or GRAZE_METHOD_AUTO. */
static both ask(lua_State *L, question question_, const char *function, graze_method method, graze_answer *found) {
  grl_count(L, 2, 4);
  both two = read_both(L);
  grl_answer *answer = grl_check_answer(L, 4);
  grl_asking asking;
  if (answer) grl_may_change(L);
  grl_asking_read(L, 3, two.dim, &asking);
  if (method != GRAZE_METHOD_AUTO) asking.options.method = method;
  if (answer) grl_answer_room(L, answer, &asking, graze_part_count(&two.a->placed) * graze_part_count(&two.b->placed));
  lua_State *before = grl_ask(L, &asking);
  graze_status status = question_(&two.a->placed, &two.b->placed, &asking.options, found);
  grl_asked(L, &asking, before);
  if (status == GRAZE_UNSUPPORTED && method != GRAZE_METHOD_AUTO) refuse_shapes(L, 0, function);
  grl_check_question(L, status, 3, function);
  two.dim = two.a->placed.shape.dim; /* a finalizer may have filled it anew before the question */
  if (answer) {
    grl_keep_answer(answer, found, two.a, two.b, &asking);
    answer->bounds = question_ != graze_intersect || found->relation == GRAZE_UNDECIDED;
  }
  return two;
}

/* ---- Do they meet? ---- */

static int push_relation(lua_State *L, const graze_answer *answer) {
  lua_pushboolean(L, answer->relation != GRAZE_SEPARATED);
  lua_pushstring(L, graze_relation_text(answer->relation));
  return 2;
}

static int intersect(lua_State *L) {
  graze_answer answer;
  ask(L, graze_intersect, "intersect", GRAZE_METHOD_AUTO, &answer);
  return push_relation(L, &answer);
}

static int gjk(lua_State *L) {
  graze_answer answer;
  ask(L, graze_intersect, "gjk", GRAZE_METHOD_GJK, &answer);
  return push_relation(L, &answer);
}

/* ---- How far, how deep? ---- */

static int distance(lua_State *L) {
  graze_answer answer;
  both two = ask(L, graze_distance, "distance", GRAZE_METHOD_AUTO, &answer);
  if (isnan(answer.distance)) { /* beyond max_distance */
    lua_pushnil(L);
    lua_pushstring(L, graze_stop_text(answer.stopped));
    return 2;
  }
  lua_pushnumber(L, answer.distance);
  return 1 + grl_push_vec(L, answer.normal, two.dim);
}

static int push_depth(lua_State *L, const both *two, const graze_answer *answer) {
  if (answer->relation == GRAZE_SEPARATED) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushnumber(L, 0 - answer->distance);
  return 1 + grl_push_vec(L, answer->normal, two->dim);
}

static int penetration(lua_State *L) {
  graze_answer answer;
  both two = ask(L, graze_distance, "penetration", GRAZE_METHOD_AUTO, &answer);
  return push_depth(L, &two, &answer);
}

static int epa(lua_State *L) {
  graze_answer answer;
  both two = ask(L, graze_distance, "epa", GRAZE_METHOD_EPA, &answer);
  return push_depth(L, &two, &answer);
}

/* ---- Separating axes ---- */

typedef struct visiting {
  const graze_axis *axis;
  grl_state *state;
  int function, dim;
  bool go_on;
} visiting;

static void set_interval(lua_State *L, const char *key, graze_interval interval) {
  lua_createtable(L, 2, 0);
  lua_pushnumber(L, interval.min);
  lua_rawseti(L, -2, 1);
  lua_pushnumber(L, interval.max);
  lua_rawseti(L, -2, 2);
  lua_setfield(L, -2, key);
}

static void set_feature(lua_State *L, const char *key, int feature) {
  if (feature < 0) return;
  lua_pushinteger(L, feature + 1);
  lua_setfield(L, -2, key);
}

static void push_axis(lua_State *L, const graze_axis *axis, int dim) {
  static const char *const kinds[] = {"", "face_a", "face_b", "edges"};
  lua_createtable(L, 0, 8);
  grl_set_word(L, "kind", kinds[axis->kind]);
  set_feature(L, "feature_a", axis->feature_a);
  set_feature(L, "feature_b", axis->feature_b);
  grl_push_point(L, axis->direction, dim);
  lua_setfield(L, -2, "direction");
  grl_set_number(L, "separation", axis->separation);
  set_interval(L, "a", axis->a);
  set_interval(L, "b", axis->b);
}

static void tell_axis(lua_State *L, void *data) {
  visiting *v = data;
  push_axis(L, v->axis, v->dim);
  lua_call(L, 1, 1);
  v->go_on = lua_isnil(L, -1) || lua_toboolean(L, -1);
}

static bool visit_axis(void *context, const graze_axis *axis) {
  visiting *v = context;
  v->axis = axis;
  return grl_protected(v->state, tell_axis, v, v->function, 1) && v->go_on;
}

/* graze.sat(a, b, options, visit): meets, separation, the axis. The relation is decided exactly, the axis is rounded.
 */
static int sat(lua_State *L) {
  grl_count(L, 2, 4);
  both two = read_both(L);
  if (!grl_absent(L, 4) && !lua_isfunction(L, 4))
    grl_refuse(L, 4, "visit: a function expected, got %s", grl_describe(L, 4));
  lua_settop(L, 4);
  grl_asking asking;
  grl_asking_read(L, 3, two.dim, &asking);
  asking.options.method = GRAZE_METHOD_AUTO; /* any method finds the same relation; this one is the quickest */
  visiting v = {NULL, asking.state, 4, two.dim, true};
  graze_answer answer;
  graze_axis best;
  lua_State *before = grl_ask(L, &asking);
  graze_status status =
      graze_sat(&two.a->placed, &two.b->placed, &asking.options, lua_isfunction(L, 4) ? visit_axis : NULL, &v, &best);
  if (status == GRAZE_OK) status = graze_intersect(&two.a->placed, &two.b->placed, &asking.options, &answer);
  grl_asked(L, &asking, before);
  if (status == GRAZE_UNSUPPORTED) refuse_shapes(L, 0, "sat");
  grl_check_question(L, status, 3, "sat");
  lua_pushboolean(L, answer.relation != GRAZE_SEPARATED);
  lua_pushnumber(L, best.separation);
  return 2 + grl_push_vec(L, best.direction, two.dim);
}

/* ---- The Minkowski difference itself ---- */

/* Vertices of a shape, as the brute method counts them. */
static size_t vertex_count(const graze_shape *s) {
  switch (s->kind) {
  case GRAZE_POLYGON:
  case GRAZE_HULL: return s->as.hull.count;
  case GRAZE_BOX: return s->dim == 2 ? 4 : 8;
  case GRAZE_TRIANGLE: return 3;
  case GRAZE_SEGMENT: return 2;
  default: return 1;
  }
}

enum { MOST_VERTEX_PAIRS = 1 << 18 };

/* graze.minkowski(a, b, of): vertices, pairs, does it hold the origin? */
static int minkowski(lua_State *L) {
  static const char *const of[] = {"difference", "sum", NULL};
  grl_count(L, 2, 3);
  both two = read_both(L);
  int which = grl_absent(L, 3) ? 0 : grl_choice(L, 3, 3, "of", of);
  size_t n = vertex_count(&two.a->placed.shape), m = vertex_count(&two.b->placed.shape), count = 0;
  if (n > MOST_VERTEX_PAIRS / m) grl_refuse(L, 1, "a and b: more than %d pairs of vertices", MOST_VERTEX_PAIRS);
  graze_options options = graze_default_options();
  options.workspace_size = graze_workspace_size(n * m + 3);
  options.workspace = lua_newuserdata(L, options.workspace_size);
  graze_vec *points = lua_newuserdata(L, n * m * sizeof *points);
  graze_pair *pairs = lua_newuserdata(L, n * m * sizeof *pairs);
  bool holds = false;
  lua_State *before = grl_enter(L);
  graze_status status =
      graze_minkowski(&two.a->placed, &two.b->placed, which == 0 ? GRAZE_MINKOWSKI_DIFFERENCE : GRAZE_MINKOWSKI_SUM,
                      &options, points, pairs, n * m, &count, &holds);
  grl_leave(L, before);
  if (status == GRAZE_UNSUPPORTED) refuse_shapes(L, 0, "minkowski");
  grl_check_question(L, status, 3, "minkowski");
  grl_push_points(L, points, count, two.dim);
  grl_push_pairs(L, pairs, count, two.dim);
  lua_pushboolean(L, holds);
  return 3;
}

/* ---- One against a list ---- */

/* graze.intersect_list(a, list, options, found): the places of those that are not separated. Each goes through the same
 * filter of bounds as in C, which is asked for one member at a time, so that nothing has to be copied. */
static bool found_one(void *context, size_t index, const graze_answer *answer) {
  (void)index;
  *(graze_answer *)context = *answer;
  return true;
}

typedef graze_status (*list_question)(const graze_placed *a, const graze_placed *list, size_t count,
                                      const graze_options *options, graze_list_function visit, void *context,
                                      graze_list_counts *counts, size_t *at);

static bool ask_member(lua_State *L, const grl_placed *a, int index, grl_asking *asking, list_question question_,
                       graze_answer *answer) {
  const grl_placed *b = grl_test(L, lua_gettop(L), GRL_PLACED);
  if (b == NULL || b->freed)
    grl_refuse(L, 2, "list[%d]: a placed shape expected, got %s", index,
               b ? "a freed one" : grl_describe(L, lua_gettop(L)));
  graze_list_counts counts;
  lua_State *before = grl_ask(L, asking);
  graze_status status = question_(&a->placed, &b->placed, 1, &asking->options, found_one, answer, &counts, NULL);
  grl_asked(L, asking, before);
  if (status == GRAZE_BAD_OPTION) grl_refuse(L, 3, "options: a list takes no cache and no proof");
  if (status == GRAZE_UNSUPPORTED)
    grl_refuse(L, 2, "list[%d]: %s, which is not asked about with %s as a, or not by this method", index, kind_of(L, b),
               kind_of(L, a));
  if (status != GRAZE_OK) grl_refuse(L, 2, "list[%d]: %s", index, graze_status_text(status));
  return counts.found == 1;
}

/* The places of those that were found go into the caller's table at 4, their distances into that at 5. */
static int ask_list(lua_State *L, list_question question_, int tables) {
  grl_count(L, 2, 3 + tables);
  const grl_placed *a = grl_check_placed(L, 1, "a");
  if (!lua_istable(L, 2)) grl_refuse(L, 2, "list: a list of placed shapes expected, got %s", grl_describe(L, 2));
  for (int i = 0; i < tables; i++) grl_read_list(L, 4 + i, i == 0 ? "found" : "distances");
  grl_asking asking;
  grl_asking_read(L, 3, a->placed.shape.dim, &asking);
  int count = (int)grl_length(L, 2), found = 0;
  for (int i = 1; i <= count; i++) {
    graze_answer answer;
    lua_rawgeti(L, 2, i);
    bool is = ask_member(L, a, i, &asking, question_, &answer);
    lua_pop(L, 1);
    if (!is) continue;
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

static int intersect_list(lua_State *L) { return ask_list(L, graze_intersect_list, 1); }

static int distance_list(lua_State *L) { return ask_list(L, graze_distance_list, 2); }

/* ---- Proof ---- */

/* graze.verify(a, b, answer, options): true, or false and why. Of the options the clearance counts. */
static int verify(lua_State *L) {
  grl_count(L, 3, 4);
  both two = read_both(L);
  grl_answer *answer = grl_check_answer(L, 3);
  if (answer == NULL || answer->answer.relation == 0)
    grl_refuse(L, 3, "answer: %s", answer ? "no question has filled it" : "graze.answer() expected, got nil");
  lua_settop(L, 4);
  grl_asking asking;
  grl_asking_read(L, 4, two.dim, &asking);
  lua_State *before = grl_ask(L, &asking);
  graze_status status = graze_verify(&two.a->placed, &two.b->placed, &asking.options, &answer->answer);
  grl_asked(L, &asking, before);
  if (status != GRAZE_OK && status != GRAZE_REFUTED && status != GRAZE_UNPROVEN)
    grl_check_question(L, status, 4, "verify");
  lua_pushboolean(L, status == GRAZE_OK);
  if (status == GRAZE_OK) return 1;
  lua_pushstring(L, status == GRAZE_REFUTED ? "refuted" : "unproven");
  return 2;
}

const luaL_Reg grl_question_functions[] = {
    {"intersect", intersect},
    {"gjk", gjk},
    {"distance", distance},
    {"penetration", penetration},
    {"epa", epa},
    {"sat", sat},
    {"minkowski", minkowski},
    {"intersect_list", intersect_list},
    {"distance_list", distance_list},
    {"verify", verify},
    {NULL, NULL},
};
