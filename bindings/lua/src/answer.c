/* Answers and impacts: filled by questions, read as fields, asked for vectors and certificates by methods. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

static int new_answer(lua_State *L) {
  grl_count(L, 0, 0);
  grl_new(L, sizeof(grl_answer), GRL_ANSWER);
  return 1;
}

static int new_impact(lua_State *L) {
  grl_count(L, 0, 0);
  grl_new(L, sizeof(grl_impact), GRL_IMPACT);
  return 1;
}

const luaL_Reg grl_answer_functions[] = {{"answer", new_answer}, {"impact", new_impact}, {NULL, NULL}};

grl_answer *grl_check_answer(lua_State *L, int argument) {
  if (grl_absent(L, argument)) return NULL;
  grl_answer *answer = grl_test(L, argument, GRL_ANSWER);
  if (answer == NULL) grl_refuse(L, argument, "answer: graze.answer() expected, got %s", grl_describe(L, argument));
  return answer;
}

grl_impact *grl_check_impact(lua_State *L, int argument) {
  if (grl_absent(L, argument)) return NULL;
  grl_impact *impact = grl_test(L, argument, GRL_IMPACT);
  if (impact == NULL) grl_refuse(L, argument, "impact: graze.impact() expected, got %s", grl_describe(L, argument));
  return impact;
}

/* An answer that is read, not filled. */
static grl_answer *filled_answer(lua_State *L) {
  grl_count(L, 1, 1);
  grl_answer *answer = grl_test(L, 1, GRL_ANSWER);
  if (answer == NULL) grl_refuse(L, 1, "answer: graze.answer() expected, got %s", grl_describe(L, 1));
  if (answer->answer.relation == 0) grl_refuse(L, 1, "answer: no question has filled it");
  return answer;
}

static grl_impact *filled_impact(lua_State *L) {
  grl_count(L, 1, 1);
  grl_impact *impact = grl_test(L, 1, GRL_IMPACT);
  if (impact == NULL) grl_refuse(L, 1, "impact: graze.impact() expected, got %s", grl_describe(L, 1));
  if (impact->impact.result == 0) grl_refuse(L, 1, "impact: no question has filled it");
  return impact;
}

/* ---- Room for proofs ---- */

enum { PROOF_POINTS = 2050, PROOF_STEPS = 4096 }; /* graze_verify() reads the faces of so many points */

void grl_answer_room(lua_State *L, grl_answer *answer, grl_asking *asking, size_t pairs_of_parts) {
  size_t size = graze_workspace_size(PROOF_POINTS);
  if (answer == NULL || asking->given == NULL || !asking->given->proof) return;
  memset(&answer->answer, 0, sizeof answer->answer); /* it may point into what moves */
  if (answer->workspace == NULL) {
    answer->workspace = malloc(size);
    if (answer->workspace == NULL) grl_out_of_memory(L);
    grl_weigh(L, size);
  }
  asking->options.workspace = answer->workspace;
  asking->options.workspace_size = size;
  asking->options.surface = &answer->surface;
  if (pairs_of_parts <= 1) return;
  if (answer->part_capacity < pairs_of_parts) {
    free(answer->parts);
    answer->part_capacity = 0;
    answer->parts =
        pairs_of_parts <= SIZE_MAX / sizeof *answer->parts ? malloc(pairs_of_parts * sizeof *answer->parts) : NULL;
    if (answer->parts == NULL) grl_out_of_memory(L);
    answer->part_capacity = pairs_of_parts;
    grl_weigh(L, pairs_of_parts * sizeof *answer->parts);
  }
  asking->options.parts = answer->parts;
  asking->options.part_capacity = answer->part_capacity;
}

void grl_impact_room(lua_State *L, grl_impact *impact, grl_asking *asking) {
  if (impact == NULL || asking->given == NULL || !asking->given->proof) return;
  size_t capacity = asking->given->options.step_capacity ? asking->given->options.step_capacity : PROOF_STEPS;
  memset(&impact->impact, 0, sizeof impact->impact);
  if (impact->step_capacity < capacity) {
    free(impact->steps);
    impact->step_capacity = 0;
    impact->steps = malloc(capacity * sizeof *impact->steps);
    if (impact->steps == NULL) grl_out_of_memory(L);
    impact->step_capacity = capacity;
    grl_weigh(L, capacity * sizeof *impact->steps);
  }
  asking->options.steps = impact->steps;
  asking->options.step_capacity = capacity;
}

/* ---- Fields ---- */

typedef enum field_kind { REAL, WHOLE, FLAG, PART, MANY, RELATION, PATH, STOP, RESULT } field_kind;

typedef struct field {
  const char *name;
  field_kind kind;
  size_t offset;
} field;

#define AT(type, member) offsetof(type, member)

static const field answer_fields[] = {
    {"distance", REAL, AT(graze_answer, distance)},
    {"lower", REAL, AT(graze_answer, lower)},
    {"upper", REAL, AT(graze_answer, upper)},
    {"relation", RELATION, AT(graze_answer, relation)},
    {"path", PATH, AT(graze_answer, algorithm)},
    {"stopped", STOP, AT(graze_answer, stopped)},
    {"iterations", WHOLE, AT(graze_answer, iterations)},
    {"exact", FLAG, AT(graze_answer, exact)},
    {"conditional", FLAG, AT(graze_answer, conditional)},
    {"part_a", PART, AT(graze_answer, part_a)},
    {"part_b", PART, AT(graze_answer, part_b)},
    {"pairs_tested", MANY, AT(graze_answer, pairs_tested)},
    {NULL, REAL, 0},
};

static const field impact_fields[] = {
    {"t", REAL, AT(graze_cast_result, t)},
    {"t_lower", REAL, AT(graze_cast_result, t_lower)},
    {"t_upper", REAL, AT(graze_cast_result, t_upper)},
    {"result", RESULT, AT(graze_cast_result, result)},
    {"starts", RELATION, AT(graze_cast_result, starts)},
    {"min_lower", REAL, AT(graze_cast_result, min_lower)},
    {"min_upper", REAL, AT(graze_cast_result, min_upper)},
    {"t_min", REAL, AT(graze_cast_result, t_min)},
    {"path", PATH, AT(graze_cast_result, algorithm)},
    {"stopped", STOP, AT(graze_cast_result, stopped)},
    {"iterations", WHOLE, AT(graze_cast_result, iterations)},
    {"exact", FLAG, AT(graze_cast_result, exact)},
    {"conditional", FLAG, AT(graze_cast_result, conditional)},
    {"part_a", PART, AT(graze_cast_result, part_a)},
    {"part_b", PART, AT(graze_cast_result, part_b)},
    {NULL, REAL, 0},
};

const char *grl_answer_field(int i) { return answer_fields[i].name; }

const char *grl_impact_field(int i) { return impact_fields[i].name; }

static void push_field(lua_State *L, const field *f, const void *object) {
  const void *at = (const char *)object + f->offset;
  switch (f->kind) {
  case REAL: grl_push_real(L, *(const double *)at); break;
  case WHOLE: lua_pushinteger(L, *(const int *)at); break;
  case FLAG: lua_pushboolean(L, *(const bool *)at); break;
  case PART: lua_pushinteger(L, *(const int32_t *)at + 1); break;
  case MANY: lua_pushinteger(L, (lua_Integer) * (const size_t *)at); break;
  case RELATION: lua_pushstring(L, graze_relation_text(*(const graze_relation *)at)); break;
  case PATH: lua_pushstring(L, graze_algorithm_text(*(const graze_algorithm *)at)); break;
  case STOP: lua_pushstring(L, graze_stop_text(*(const graze_stop *)at)); break;
  case RESULT: lua_pushstring(L, graze_cast_outcome_text(*(const graze_cast_outcome *)at)); break;
  }
}

/* A field of the object, or a method: they are the last upvalue. */
static int index_fields(lua_State *L, grl_type type, const field *fields, const void *object, bool filled) {
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
  lua_rawget(L, lua_upvalueindex(GRL_USAGE + 1));
  return lua_isnil(L, -1) ? grl_no_member(L, type) : 1;
}

static int index_answer(lua_State *L) {
  const grl_answer *answer = grl_test(L, 1, GRL_ANSWER);
  if (answer == NULL) return luaL_argerror(L, 1, "an answer expected");
  return index_fields(L, GRL_ANSWER, answer_fields, &answer->answer, answer->answer.relation != 0);
}

static int index_impact(lua_State *L) {
  const grl_impact *impact = grl_test(L, 1, GRL_IMPACT);
  if (impact == NULL) return luaL_argerror(L, 1, "an impact expected");
  return index_fields(L, GRL_IMPACT, impact_fields, &impact->impact, impact->impact.result != 0);
}

/* ---- Vectors: as numbers; nil where they are not known ---- */

static int normal(lua_State *L) {
  const grl_answer *a = filled_answer(L);
  return grl_push_known(L, a->answer.normal, a->dim);
}

static int point_a(lua_State *L) {
  const grl_answer *a = filled_answer(L);
  return grl_push_known(L, a->answer.point_a, a->dim);
}

static int point_b(lua_State *L) {
  const grl_answer *a = filled_answer(L);
  return grl_push_known(L, a->answer.point_b, a->dim);
}

static int impact_normal(lua_State *L) {
  const grl_impact *i = filled_impact(L);
  return grl_push_known(L, i->impact.normal, i->dim);
}

static int impact_point(lua_State *L) {
  const grl_impact *i = filled_impact(L);
  return grl_push_known(L, i->impact.point, i->dim);
}

static int position_a(lua_State *L) {
  const grl_impact *i = filled_impact(L);
  return grl_push_known(L, i->impact.position_a, i->dim);
}

static int position_b(lua_State *L) {
  const grl_impact *i = filled_impact(L);
  return grl_push_known(L, i->impact.position_b, i->dim);
}

/* ---- Certificates ---- */

/* Fills the table on top while nothing may be changed. */
static int tell(lua_State *L, grl_body body, void *object) {
  lua_State *before = grl_enter(L);
  grl_protected(grl_get_state(L), body, object, lua_gettop(L), 1);
  grl_leave(L, before);
  return 1;
}

static int certificate(lua_State *L) {
  grl_answer *answer = filled_answer(L);
  lua_newtable(L);
  return tell(L, grl_set_certificate, answer);
}

static int impact_certificate(lua_State *L) {
  grl_impact *impact = filled_impact(L);
  lua_newtable(L);
  return tell(L, grl_set_impact_certificate, impact);
}

/* ---- End ---- */

static int collect_answer(lua_State *L) {
  grl_answer *answer = grl_test(L, 1, GRL_ANSWER);
  if (answer == NULL) return 0;
  free(answer->workspace);
  free(answer->parts);
  memset(answer, 0, sizeof *answer);
  return 0;
}

static int collect_impact(lua_State *L) {
  grl_impact *impact = grl_test(L, 1, GRL_IMPACT);
  if (impact == NULL) return 0;
  free(impact->steps);
  memset(impact, 0, sizeof *impact);
  return 0;
}

const luaL_Reg grl_answer_methods[] = {
    {"normal", normal}, {"point_a", point_a}, {"point_b", point_b}, {"certificate", certificate}, {NULL, NULL},
};

const luaL_Reg grl_impact_methods[] = {
    {"normal", impact_normal},           {"point", impact_point},
    {"position_a", position_a},          {"position_b", position_b},
    {"certificate", impact_certificate}, {NULL, NULL},
};

const luaL_Reg grl_answer_meta[] = {{"__gc", collect_answer}, {"__index", index_answer}, {NULL, NULL}};

const luaL_Reg grl_impact_meta[] = {{"__gc", collect_impact}, {"__index", index_impact}, {NULL, NULL}};
