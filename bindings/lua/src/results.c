/* Answers and cast results: queries fill them; fields are read by name, vectors and certificates by methods. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

static int new_answer(lua_State *L) {
  grl_check_count(L, 0, 0);
  grl_new(L, sizeof(grl_answer), GRL_ANSWER);
  return 1;
}

static int new_cast_result(lua_State *L) {
  grl_check_count(L, 0, 0);
  grl_new(L, sizeof(grl_cast_result), GRL_CAST_RESULT);
  return 1;
}

const luaL_Reg grl_result_functions[] = {{"answer", new_answer}, {"cast_result", new_cast_result}, {NULL, NULL}};

grl_answer *grl_check_answer(lua_State *L, int argument) {
  if (grl_absent(L, argument)) return NULL;
  grl_answer *answer = grl_test(L, argument, GRL_ANSWER);
  if (answer == NULL) grl_reject_value(L, argument, argument, "answer", "graze.answer()");
  return answer;
}

grl_cast_result *grl_check_cast_result(lua_State *L, int argument) {
  if (grl_absent(L, argument)) return NULL;
  grl_cast_result *result = grl_test(L, argument, GRL_CAST_RESULT);
  if (result == NULL) grl_reject_value(L, argument, argument, "result", "graze.cast_result()");
  return result;
}

/* The object at 1, which a query must have filled. */
static grl_answer *filled_answer(lua_State *L) {
  grl_check_count(L, 1, 1);
  grl_answer *answer = grl_test(L, 1, GRL_ANSWER);
  if (answer == NULL) grl_reject_value(L, 1, 1, "answer", "graze.answer()");
  if (answer->answer.relation == 0) grl_reject(L, 1, "answer: empty, must be filled by a query");
  return answer;
}

static grl_cast_result *filled_cast(lua_State *L) {
  grl_check_count(L, 1, 1);
  grl_cast_result *result = grl_test(L, 1, GRL_CAST_RESULT);
  if (result == NULL) grl_reject_value(L, 1, 1, "result", "graze.cast_result()");
  if (result->cast.outcome == 0) grl_reject(L, 1, "result: empty, must be filled by a query");
  return result;
}

/* ---- Buffers of large proofs ---- */

/* graze_verify() accepts no more points. The proofs of all pairs of parts take at most about 1 GB. */
enum { SURFACE_POINTS = 2050, CAST_STEPS = 4096, MAX_PART_PAIRS = 1 << 20 };

void grl_answer_reserve(lua_State *L, grl_answer *answer, grl_query *query, int options, size_t part_pairs) {
  size_t size = graze_workspace_size(SURFACE_POINTS);
  memset(&answer->answer, 0, sizeof answer->answer); /* the old certificate is invalid from here on */
  query->pair.certificate = &answer->certificate;
  if (query->given == NULL || !query->given->proof) return;
  if (part_pairs > MAX_PART_PAIRS)
    grl_reject(L, options, "options.proof: too many pairs of parts (%s), must be at most %d",
               grl_format_number(L, (double)part_pairs), MAX_PART_PAIRS);
  if (answer->workspace == NULL) {
    answer->workspace = malloc(size);
    if (answer->workspace == NULL) grl_out_of_memory(L);
    grl_report_memory(L, size);
  }
  query->pair.workspace = answer->workspace;
  query->pair.workspace_size = size;
  query->pair.surface = &answer->surface;
  if (part_pairs <= 1) return;
  if (answer->part_capacity < part_pairs) {
    free(answer->parts);
    answer->part_capacity = 0;
    answer->parts = malloc(part_pairs * sizeof *answer->parts);
    if (answer->parts == NULL) grl_out_of_memory(L);
    answer->part_capacity = part_pairs;
    grl_report_memory(L, part_pairs * sizeof *answer->parts);
  }
  query->pair.parts = answer->parts;
  query->pair.part_capacity = answer->part_capacity;
}

void grl_cast_reserve(lua_State *L, grl_cast_result *result, grl_query *query) {
  memset(&result->cast, 0, sizeof result->cast);
  query->cast.certificate = &result->certificate;
  if (query->given == NULL || !query->given->proof) return;
  size_t capacity = query->given->step_capacity ? query->given->step_capacity : CAST_STEPS;
  if (result->step_capacity < capacity) {
    free(result->steps);
    result->step_capacity = 0;
    result->steps = malloc(capacity * sizeof *result->steps);
    if (result->steps == NULL) grl_out_of_memory(L);
    result->step_capacity = capacity;
    grl_report_memory(L, capacity * sizeof *result->steps);
  }
  query->cast.steps = result->steps;
  query->cast.step_capacity = capacity;
}

/* ---- Fields ---- */

typedef enum field_kind { NUMBER, INTEGER, BOOLEAN, PART, COUNT, RELATION, ALGORITHM, STOP, OUTCOME } field_kind;

typedef struct field {
  const char *name;
  field_kind kind;
  size_t offset;
} field;

static const field answer_fields[] = {
    {"distance", NUMBER, offsetof(graze_answer, distance)},
    {"lower", NUMBER, offsetof(graze_answer, lower)},
    {"upper", NUMBER, offsetof(graze_answer, upper)},
    {"relation", RELATION, offsetof(graze_answer, relation)},
    {"algorithm", ALGORITHM, offsetof(graze_answer, algorithm)},
    {"stopped", STOP, offsetof(graze_answer, stopped)},
    {"iterations", INTEGER, offsetof(graze_answer, iterations)},
    {"exact", BOOLEAN, offsetof(graze_answer, exact)},
    {"conditional", BOOLEAN, offsetof(graze_answer, conditional)},
    {"part_a", PART, offsetof(graze_answer, part_a)},
    {"part_b", PART, offsetof(graze_answer, part_b)},
    {"pairs_tested", COUNT, offsetof(graze_answer, pairs_tested)},
    {NULL, NUMBER, 0},
};

static const field cast_fields[] = {
    {"t", NUMBER, offsetof(graze_cast_result, t)},
    {"t_lower", NUMBER, offsetof(graze_cast_result, t_lower)},
    {"t_upper", NUMBER, offsetof(graze_cast_result, t_upper)},
    {"outcome", OUTCOME, offsetof(graze_cast_result, outcome)},
    {"start_relation", RELATION, offsetof(graze_cast_result, start_relation)},
    {"min_lower", NUMBER, offsetof(graze_cast_result, min_lower)},
    {"min_upper", NUMBER, offsetof(graze_cast_result, min_upper)},
    {"t_min", NUMBER, offsetof(graze_cast_result, t_min)},
    {"algorithm", ALGORITHM, offsetof(graze_cast_result, algorithm)},
    {"stopped", STOP, offsetof(graze_cast_result, stopped)},
    {"iterations", INTEGER, offsetof(graze_cast_result, iterations)},
    {"exact", BOOLEAN, offsetof(graze_cast_result, exact)},
    {"conditional", BOOLEAN, offsetof(graze_cast_result, conditional)},
    {"part_a", PART, offsetof(graze_cast_result, part_a)},
    {"part_b", PART, offsetof(graze_cast_result, part_b)},
    {"pairs_tested", COUNT, offsetof(graze_cast_result, pairs_tested)},
    {NULL, NUMBER, 0},
};

const char *grl_answer_field(int i) { return answer_fields[i].name; }

const char *grl_cast_field(int i) { return cast_fields[i].name; }

static void push_field(lua_State *L, const field *f, const void *object) {
  const void *at = (const char *)object + f->offset;
  switch (f->kind) {
  case NUMBER: grl_push_number_or_nil(L, *(const double *)at); break;
  case INTEGER: lua_pushinteger(L, *(const int *)at); break;
  case BOOLEAN: lua_pushboolean(L, *(const bool *)at); break;
  case PART: lua_pushinteger(L, *(const int32_t *)at + 1); break;
  case COUNT: lua_pushinteger(L, (lua_Integer) * (const size_t *)at); break;
  case RELATION: lua_pushstring(L, graze_relation_text(*(const graze_relation *)at)); break;
  case ALGORITHM: lua_pushstring(L, graze_algorithm_text(*(const graze_algorithm *)at)); break;
  case STOP: lua_pushstring(L, graze_stop_text(*(const graze_stop *)at)); break;
  case OUTCOME: lua_pushstring(L, graze_cast_outcome_text(*(const graze_cast_outcome *)at)); break;
  }
}

/* Pushes a field of the object, or else a method. */
static int index_fields(lua_State *L, const field *fields, const void *object, bool filled) {
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  for (; fields->name; fields++) {
    if (strcmp(fields->name, name) != 0) continue;
    if (filled)
      push_field(L, fields, object);
    else
      lua_pushnil(L);
    return 1;
  }
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(GRL_METHODS));
  if (!lua_isnil(L, -1)) return 1;
  return grl_reject_member(L, lua_upvalueindex(GRL_TYPE_NAME), lua_upvalueindex(GRL_MEMBERS));
}

static int index_answer(lua_State *L) {
  const grl_answer *answer = grl_test(L, 1, GRL_ANSWER);
  if (answer == NULL) return luaL_argerror(L, 1, "answer: must be graze.answer()");
  return index_fields(L, answer_fields, &answer->answer, answer->answer.relation != 0);
}

static int index_cast(lua_State *L) {
  const grl_cast_result *result = grl_test(L, 1, GRL_CAST_RESULT);
  if (result == NULL) return luaL_argerror(L, 1, "result: must be graze.cast_result()");
  return index_fields(L, cast_fields, &result->cast, result->cast.outcome != 0);
}

/* ---- Vectors: numbers, or nil if they are unknown ---- */

static int normal(lua_State *L) {
  const grl_answer *a = filled_answer(L);
  return grl_push_vec_or_nil(L, a->answer.normal, a->dim);
}

static int point_a(lua_State *L) {
  const grl_answer *a = filled_answer(L);
  return grl_push_vec_or_nil(L, a->answer.point_a, a->dim);
}

static int point_b(lua_State *L) {
  const grl_answer *a = filled_answer(L);
  return grl_push_vec_or_nil(L, a->answer.point_b, a->dim);
}

static int cast_normal(lua_State *L) {
  const grl_cast_result *r = filled_cast(L);
  return grl_push_vec_or_nil(L, r->cast.normal, r->dim);
}

static int cast_point(lua_State *L) {
  const grl_cast_result *r = filled_cast(L);
  return grl_push_vec_or_nil(L, r->cast.point, r->dim);
}

static int position_a(lua_State *L) {
  const grl_cast_result *r = filled_cast(L);
  return grl_push_vec_or_nil(L, r->cast.position_a, r->dim);
}

static int position_b(lua_State *L) {
  const grl_cast_result *r = filled_cast(L);
  return grl_push_vec_or_nil(L, r->cast.position_b, r->dim);
}

/* ---- Certificates ---- */

/* Pushes a table that the function fills. Finalizers cannot change objects meanwhile. */
static int push_certificate(lua_State *L, grl_protected_function fill, void *object) {
  lua_newtable(L);
  lua_State *before = grl_enter(L);
  grl_call_protected(grl_get_state(L), fill, object, lua_gettop(L), 1);
  grl_leave(L, before);
  return 1;
}

static int certificate(lua_State *L) { return push_certificate(L, grl_set_certificate, filled_answer(L)); }

static int cast_certificate(lua_State *L) { return push_certificate(L, grl_set_cast_certificate, filled_cast(L)); }

/* ---- Types ---- */

static int collect_answer(lua_State *L) {
  grl_answer *answer = grl_test(L, 1, GRL_ANSWER);
  if (answer == NULL) return 0;
  free(answer->workspace);
  free(answer->parts);
  memset(answer, 0, sizeof *answer);
  return 0;
}

static int collect_cast(lua_State *L) {
  grl_cast_result *result = grl_test(L, 1, GRL_CAST_RESULT);
  if (result == NULL) return 0;
  free(result->steps);
  memset(result, 0, sizeof *result);
  return 0;
}

const luaL_Reg grl_answer_methods[] = {
    {"normal", normal}, {"point_a", point_a}, {"point_b", point_b}, {"certificate", certificate}, {NULL, NULL},
};

const luaL_Reg grl_cast_methods[] = {
    {"normal", cast_normal},           {"point", cast_point}, {"position_a", position_a}, {"position_b", position_b},
    {"certificate", cast_certificate}, {NULL, NULL},
};

const luaL_Reg grl_answer_meta[] = {{"__gc", collect_answer}, {"__index", index_answer}, {NULL, NULL}};

const luaL_Reg grl_cast_meta[] = {{"__gc", collect_cast}, {"__index", index_cast}, {NULL, NULL}};
