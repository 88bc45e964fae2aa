/* Certificates and trace steps as tables, with the keys of query lines (docs/guide/command-line.md). Indices of
 * vertices and parts count from 0, as in every other program that reads certificates. */
#include "binding.h"

/* An index, or for curved shapes the point that it names. */
static void push_vertex(lua_State *L, int32_t index, const graze_vec *points, int dim) {
  if (index >= 0)
    lua_pushinteger(L, index);
  else
    grl_push_point(L, points[-1 - index], dim);
}

/* Pushes {a, b}, or {a, b, 1} at the end of an interval of time. */
static void push_pair(lua_State *L, const graze_pair *pair, const graze_vec *points, int dim) {
  lua_createtable(L, 3, 0);
  push_vertex(L, pair->a, points, dim);
  lua_rawseti(L, -2, 1);
  push_vertex(L, pair->b, points, dim);
  lua_rawseti(L, -2, 2);
  if (pair->end == 0) return;
  lua_pushinteger(L, 1);
  lua_rawseti(L, -2, 3);
}

void grl_push_pairs(lua_State *L, const graze_pair *pairs, size_t count, const graze_vec *points, int dim) {
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    push_pair(L, &pairs[i], points, dim);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

static void set_pairs(lua_State *L, const char *key, const graze_pair *pairs, int count, const graze_vec *points,
                      int dim) {
  grl_push_pairs(L, pairs, (size_t)count, points, dim);
  lua_setfield(L, -2, key);
}

static void set_direction(lua_State *L, const graze_direction *d, const graze_vec *points, int dim) {
  switch (d->form) {
  case GRAZE_DIRECTION_VECTOR:
    grl_push_point(L, d->vector, dim);
    lua_setfield(L, -2, "direction");
    return;
  case GRAZE_DIRECTION_NEAREST: set_pairs(L, "nearest", d->pairs, d->count, points, dim); return;
  case GRAZE_DIRECTION_FACET: set_pairs(L, "facet", d->pairs, d->count, points, dim); break;
  case GRAZE_DIRECTION_EDGE:
    set_pairs(L, "edge", d->pairs, d->count, points, dim);
    grl_set_integer(L, "axis", d->axis);
    break;
  case GRAZE_DIRECTION_NONE: return;
  }
  grl_set_integer(L, "sign", d->sign);
}

/* The two touches of a relation that is decided on an internal edge. */
static void set_internal_edge(lua_State *L, const graze_certificate *c, int dim) {
  lua_createtable(L, 2, 0);
  for (int i = 0; i < 2; i++) {
    const graze_internal_edge_touch *touch = &c->internal_edge[i];
    lua_newtable(L);
    grl_set_integer(L, "part_a", touch->part_a);
    grl_set_integer(L, "part_b", touch->part_b);
    grl_set_string(L, "kind", "touch");
    set_pairs(L, "facet", touch->pairs, 2, c->points, dim);
    grl_set_integer(L, "sign", touch->sign);
    set_pairs(L, "pairs", touch->pairs, touch->pair_count, c->points, dim);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "seam");
}

/* In 2D, boxes count as polygons. */
static const char *axes_word(int dim) { return dim == 2 ? "polygon" : "box"; }

/* Sets c.relation. */
static void set_relation(lua_State *L, const graze_certificate *c, int dim) {
  static const char *const kinds[] = {NULL,    "separated", "touch", "inside", "near",
                                      "plane", "seam",      "axes",  "in_a",   "in_b"};
  if (c->kind == GRAZE_CERTIFICATE_NONE) return;
  lua_newtable(L);
  grl_set_string(L, "kind", kinds[c->kind]);
  switch (c->kind) {
  case GRAZE_CERTIFICATE_SEPARATED: set_direction(L, &c->direction, c->points, dim); break;
  case GRAZE_CERTIFICATE_TOUCH:
    set_direction(L, &c->direction, c->points, dim);
    set_pairs(L, "pairs", c->pairs, c->pair_count, c->points, dim);
    break;
  case GRAZE_CERTIFICATE_INSIDE:
  case GRAZE_CERTIFICATE_IN_A:
  case GRAZE_CERTIFICATE_IN_B:
  case GRAZE_CERTIFICATE_NEAR: set_pairs(L, "pairs", c->pairs, c->pair_count, c->points, dim); break;
  case GRAZE_CERTIFICATE_HALFSPACE:
    push_vertex(L, c->vertex, c->points, dim);
    lua_setfield(L, -2, "vertex");
    break;
  case GRAZE_CERTIFICATE_INTERNAL_EDGE: set_internal_edge(L, c, dim); break;
  case GRAZE_CERTIFICATE_AXES: grl_set_string(L, "axes", axes_word(dim)); break;
  case GRAZE_CERTIFICATE_NONE: break;
  }
  lua_setfield(L, -2, "relation");
}

/* Against a half-space one vertex proves the relation and both bounds. */
static void set_halfspace_bound(lua_State *L, const char *key) {
  lua_getfield(L, -1, "relation");
  lua_setfield(L, -2, key);
}

/* Sets c.lower: a direction. */
static void set_lower(lua_State *L, const graze_certificate *c, int dim) {
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE) {
    set_halfspace_bound(L, "lower");
  } else if (c->direction.form != GRAZE_DIRECTION_NONE) {
    lua_newtable(L);
    set_direction(L, &c->direction, c->points, dim);
    lua_setfield(L, -2, "lower");
  }
}

/* Pushes a closed surface of points of the CSO: pairs, and in 3D triangles of them. */
static void push_surface(lua_State *L, const graze_surface *surface, int dim) {
  lua_newtable(L);
  grl_push_pairs(L, surface->pairs, surface->pair_count, surface->points, dim);
  lua_setfield(L, -2, "pairs");
  if (dim == 2) return;
  lua_createtable(L, (int)surface->face_count, 0);
  for (size_t i = 0; i < surface->face_count; i++) {
    lua_createtable(L, 3, 0);
    for (int k = 0; k < 3; k++) {
      lua_pushinteger(L, surface->faces[i][k]);
      lua_rawseti(L, -2, k + 1);
    }
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "faces");
}

/* Pairs prove a gap, or a depth up to the radii, but not how deep the cores overlap. */
static bool pairs_prove_upper(const grl_answer *answer) {
  const graze_certificate *c = &answer->certificate;
  if (c->pair_count == 0 || c->depth_proof != GRAZE_DEPTH_BY_PAIRS || c->kind == GRAZE_CERTIFICATE_INSIDE) return false;
  return answer->answer.relation != GRAZE_OVERLAPPING || -answer->answer.upper <= answer->radii;
}

/* Sets c.upper, unless the upper bound 0 follows from the relation. */
static void set_upper(lua_State *L, const grl_answer *answer) {
  const graze_certificate *c = &answer->certificate;
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE) {
    set_halfspace_bound(L, "upper");
    return;
  }
  lua_newtable(L);
  if (c->depth_proof == GRAZE_DEPTH_BY_AXES) {
    grl_set_string(L, "axes", axes_word(answer->dim));
  } else if (c->depth_proof == GRAZE_DEPTH_BY_SURFACE && c->surface) {
    push_surface(L, c->surface, answer->dim);
    lua_setfield(L, -2, "surface");
  } else if (pairs_prove_upper(answer)) {
    set_pairs(L, "pairs", c->pairs, c->pair_count, c->points, answer->dim);
  } else {
    lua_pop(L, 1);
    return;
  }
  lua_setfield(L, -2, "upper");
}

void grl_set_certificate(lua_State *L, void *data) {
  const grl_answer *answer = data;
  const graze_certificate *c = &answer->certificate;
  set_relation(L, c, answer->dim);
  if (answer->bounds) {
    set_lower(L, c, answer->dim);
    set_upper(L, answer);
  }
  if (c->parts == NULL) return;
  lua_createtable(L, (int)c->part_count, 0);
  for (size_t i = 0; i < c->part_count; i++) {
    const graze_part_proof *proof = &c->parts[i];
    lua_newtable(L);
    grl_set_integer(L, "part_a", proof->part_a);
    grl_set_integer(L, "part_b", proof->part_b);
    lua_newtable(L);
    set_relation(L, &proof->certificate, answer->dim);
    set_lower(L, &proof->certificate, answer->dim);
    lua_setfield(L, -2, "certificate");
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "parts");
}

/* The certificate of a motion: the relation at t = 0, a direction, pairs, and the time intervals of a rotating cast. */
void grl_set_cast_certificate(lua_State *L, void *data) {
  const grl_cast_result *result = data;
  const graze_certificate *c = &result->certificate;
  set_relation(L, c, result->dim);
  set_lower(L, c, result->dim);
  set_pairs(L, "pairs", c->pairs, c->pair_count, c->points, result->dim);
  if (c->pair_count == 0 && c->depth_proof == GRAZE_DEPTH_BY_AXES) grl_set_string(L, "axes", axes_word(result->dim));
  if (c->steps == NULL) return;
  lua_createtable(L, (int)c->step_count, 0);
  for (size_t i = 0; i < c->step_count; i++) {
    lua_newtable(L);
    grl_push_point(L, c->steps[i].direction, result->dim);
    lua_setfield(L, -2, "direction");
    grl_set_number(L, "t0", c->steps[i].from);
    grl_set_number(L, "t1", c->steps[i].to);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "steps");
}

/* A vertex index, or for curved shapes the point in its local frame. */
static void push_parent(lua_State *L, int32_t index, graze_vec point, int dim) {
  if (index >= 0)
    lua_pushinteger(L, index);
  else
    grl_push_point(L, point, dim);
}

/* The parents {a, b} of a point of the CSO. */
static void push_parents(lua_State *L, const graze_cso_point *w, int dim) {
  lua_createtable(L, 2, 0);
  push_parent(L, w->a, w->point_a, dim);
  lua_rawseti(L, -2, 1);
  push_parent(L, w->b, w->point_b, dim);
  lua_rawseti(L, -2, 2);
}

void grl_push_trace_step(lua_State *L, const graze_trace_step *step, int dim) {
  lua_createtable(L, 0, 12);
  grl_set_string(L, "phase", graze_phase_text(step->phase));
  grl_set_integer(L, "iteration", step->iteration);
  grl_push_point(L, step->direction, dim);
  lua_setfield(L, -2, "direction");
  push_parents(L, &step->support, dim);
  lua_setfield(L, -2, "pair");
  grl_push_point(L, step->support.point, dim);
  lua_setfield(L, -2, "point");
  grl_push_number_or_nil(L, step->origin_check);
  lua_setfield(L, -2, "origin_check");
  lua_createtable(L, step->simplex_count, 0);
  lua_createtable(L, step->simplex_count, 0);
  for (int i = 0; i < step->simplex_count; i++) {
    push_parents(L, &step->simplex[i], dim);
    lua_rawseti(L, -3, i + 1);
    grl_push_point(L, step->simplex[i].point, dim);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -3, "simplex_points");
  lua_setfield(L, -2, "simplex");
  grl_push_number_or_nil(L, step->lower);
  lua_setfield(L, -2, "lower");
  grl_push_number_or_nil(L, step->upper);
  lua_setfield(L, -2, "upper");
  if (step->polytope) {
    push_surface(L, step->polytope, dim);
    lua_setfield(L, -2, "polytope");
  }
  if (step->stop != GRAZE_TRACE_CONTINUE) grl_set_string(L, "stop", graze_trace_stop_text(step->stop));
}
