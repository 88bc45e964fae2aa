/* Every step of a search as a table, in the form of query lines, given to options.trace. */
#include "binding.h"

typedef struct told {
  const graze_trace_step *step;
  int dim;
} told;

static void set_simplex(lua_State *L, const graze_trace_step *step, int dim) {
  grl_push_pairs(L, step->simplex, (size_t)step->simplex_count, dim);
  lua_setfield(L, -2, "simplex");
  lua_createtable(L, step->simplex_count, 0);
  for (int i = 0; i < step->simplex_count; i++) {
    grl_push_point(L, step->simplex_point[i], dim);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "simplex_points");
}

static void push_step(lua_State *L, const graze_trace_step *step, int dim) {
  lua_createtable(L, 0, 12);
  grl_set_word(L, "phase", graze_phase_text(step->phase));
  grl_set_whole(L, "iteration", step->iteration);
  grl_push_point(L, step->direction, dim);
  lua_setfield(L, -2, "direction");
  grl_push_pair(L, &step->pair, dim);
  lua_setfield(L, -2, "pair");
  grl_push_point(L, step->point, dim);
  lua_setfield(L, -2, "point");
  grl_push_real(L, step->origin_check);
  lua_setfield(L, -2, "origin_check");
  set_simplex(L, step, dim);
  grl_push_real(L, step->lower);
  lua_setfield(L, -2, "lower");
  grl_push_real(L, step->upper);
  lua_setfield(L, -2, "upper");
  if (step->polytope) {
    grl_push_surface(L, step->polytope, dim);
    lua_setfield(L, -2, "polytope");
  }
  if (step->stop == GRAZE_TRACE_CONTINUE) return;
  grl_set_word(L, "stop", graze_trace_stop_text(step->stop));
}

/* The caller's function is argument 1. */
static void tell(lua_State *L, void *data) {
  const told *t = data;
  push_step(L, t->step, t->dim);
  lua_call(L, 1, 0);
}

void grl_trace_step(void *context, const graze_trace_step *step) {
  const grl_asking *asking = context;
  told t = {step, asking->dim};
  grl_protected(asking->state, tell, &t, asking->function, 1);
}
