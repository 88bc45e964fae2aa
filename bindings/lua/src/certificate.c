/* Certificates as tables, in the form of query lines: indices of vertices and parts count from 0 there, as in every
 * other program that reads certificates. */
#include "binding.h"

void grl_push_pair(lua_State *L, const graze_pair *pair, int dim) {
  lua_createtable(L, 3, 0);
  if (pair->a >= 0)
    lua_pushinteger(L, pair->a);
  else
    grl_push_point(L, pair->point_a, dim);
  lua_rawseti(L, -2, 1);
  if (pair->b >= 0)
    lua_pushinteger(L, pair->b);
  else
    grl_push_point(L, pair->point_b, dim);
  lua_rawseti(L, -2, 2);
  if (pair->end == 0) return;
  lua_pushinteger(L, 1);
  lua_rawseti(L, -2, 3);
}

void grl_push_pairs(lua_State *L, const graze_pair *pairs, size_t count, int dim) {
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    grl_push_pair(L, &pairs[i], dim);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

static void set_pairs(lua_State *L, const char *key, const graze_pair *pairs, int count, int dim) {
  grl_push_pairs(L, pairs, (size_t)count, dim);
  lua_setfield(L, -2, key);
}

/* Into the table on top. */
static void set_direction(lua_State *L, const graze_direction *d, int dim) {
  switch (d->form) {
  case GRAZE_DIRECTION_VECTOR:
    grl_push_point(L, d->vector, dim);
    lua_setfield(L, -2, "direction");
    return;
  case GRAZE_DIRECTION_NEAREST: set_pairs(L, "nearest", d->pairs, d->count, dim); return;
  case GRAZE_DIRECTION_FACET: set_pairs(L, "facet", d->pairs, d->count, dim); break;
  case GRAZE_DIRECTION_EDGE:
    set_pairs(L, "edge", d->pairs, d->count, dim);
    grl_set_whole(L, "axis", d->axis);
    break;
  case GRAZE_DIRECTION_NONE: return;
  }
  grl_set_whole(L, "sign", d->sign);
}

void grl_push_direction(lua_State *L, const graze_direction *direction, int dim) {
  lua_newtable(L);
  set_direction(L, direction, dim);
}

static void push_seam_touch(lua_State *L, const graze_internal_edge_touch *touch, int dim) {
  lua_newtable(L);
  grl_set_whole(L, "part_a", touch->part_a);
  grl_set_whole(L, "part_b", touch->part_b);
  grl_set_word(L, "kind", "touch");
  set_pairs(L, "facet", touch->pairs, 2, dim);
  grl_set_whole(L, "sign", touch->sign);
  set_pairs(L, "pairs", touch->pairs, touch->pair_count, dim);
}

static void set_seam(lua_State *L, const graze_certificate *c, int dim) {
  lua_createtable(L, 2, 0);
  for (int i = 0; i < 2; i++) {
    push_seam_touch(L, &c->seam[i], dim);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "seam");
}

static void set_vertex(lua_State *L, const graze_certificate *c, int dim) {
  if (c->vertex >= 0)
    lua_pushinteger(L, c->vertex);
  else
    grl_push_point(L, c->vertex_point, dim);
  lua_setfield(L, -2, "vertex");
}

void grl_push_relation_proof(lua_State *L, const graze_certificate *c, int dim) {
  static const char *const kinds[] = {NULL, "separated", "touch", "inside", "near", "plane", "seam"};
  if (c->kind == GRAZE_CERTIFICATE_NONE) {
    lua_pushnil(L);
    return;
  }
  lua_newtable(L);
  grl_set_word(L, "kind", kinds[c->kind]);
  switch (c->kind) {
  case GRAZE_CERTIFICATE_SEPARATED: set_direction(L, &c->direction, dim); break;
  case GRAZE_CERTIFICATE_TOUCH:
    set_direction(L, &c->direction, dim);
    set_pairs(L, "pairs", c->pairs, c->pair_count, dim);
    break;
  case GRAZE_CERTIFICATE_INSIDE:
  case GRAZE_CERTIFICATE_NEAR: set_pairs(L, "pairs", c->pairs, c->pair_count, dim); break;
  case GRAZE_CERTIFICATE_HALFSPACE: set_vertex(L, c, dim); break;
  case GRAZE_CERTIFICATE_INTERNAL_EDGE: set_seam(L, c, dim); break;
  case GRAZE_CERTIFICATE_NONE: break;
  }
}

void grl_push_lower_proof(lua_State *L, const graze_certificate *c, int dim) {
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE)
    grl_push_relation_proof(L, c, dim);
  else if (c->direction.form == GRAZE_DIRECTION_NONE)
    lua_pushnil(L);
  else
    grl_push_direction(L, &c->direction, dim);
}

void grl_push_surface(lua_State *L, const graze_surface *surface, int dim) {
  lua_newtable(L);
  grl_push_pairs(L, surface->pairs, surface->pair_count, dim);
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

/* Pairs show a gap, or a depth up to the radii; not how deep cores overlap. */
static bool shown_by_pairs(const grl_answer *answer) {
  const graze_certificate *c = &answer->answer.certificate;
  if (c->pair_count == 0 || c->depth_proof != GRAZE_DEPTH_BY_PAIRS || c->kind == GRAZE_CERTIFICATE_INSIDE) return false;
  return answer->answer.relation != GRAZE_OVERLAPPING || -answer->answer.upper <= answer->radii;
}

static void push_upper_proof(lua_State *L, const grl_answer *answer) {
  const graze_certificate *c = &answer->answer.certificate;
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE) {
    grl_push_relation_proof(L, c, answer->dim);
  } else if (c->depth_proof == GRAZE_DEPTH_BY_BOX_AXES) {
    lua_newtable(L);
    grl_set_word(L, "axes", "box");
  } else if (c->depth_proof == GRAZE_DEPTH_BY_SURFACE && c->surface) {
    lua_newtable(L);
    grl_push_surface(L, c->surface, answer->dim);
    lua_setfield(L, -2, "surface");
  } else if (shown_by_pairs(answer)) {
    lua_newtable(L);
    set_pairs(L, "pairs", c->pairs, c->pair_count, answer->dim);
  } else {
    lua_pushnil(L); /* the upper bound 0 follows from the relation */
  }
}

static void set_parts(lua_State *L, const graze_answer *answer, int dim) {
  if (answer->parts == NULL) return;
  lua_createtable(L, (int)answer->part_count, 0);
  for (size_t i = 0; i < answer->part_count; i++) {
    const graze_part_proof *proof = &answer->parts[i];
    lua_newtable(L);
    grl_set_whole(L, "part_a", proof->part_a);
    grl_set_whole(L, "part_b", proof->part_b);
    lua_newtable(L);
    grl_push_relation_proof(L, &proof->certificate, dim);
    lua_setfield(L, -2, "relation");
    grl_push_lower_proof(L, &proof->certificate, dim);
    lua_setfield(L, -2, "lower");
    lua_setfield(L, -2, "certificate");
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "parts");
}

void grl_set_certificate(lua_State *L, void *data) {
  const grl_answer *answer = data;
  grl_push_relation_proof(L, &answer->answer.certificate, answer->dim);
  lua_setfield(L, -2, "relation");
  if (answer->bounds) {
    grl_push_lower_proof(L, &answer->answer.certificate, answer->dim);
    lua_setfield(L, -2, "lower");
    push_upper_proof(L, answer);
    lua_setfield(L, -2, "upper");
  }
  set_parts(L, &answer->answer, answer->dim);
}

/* The proof of a motion: what shows how the bodies start, the direction, the pairs, and the steps of a sweep. */
void grl_set_impact_certificate(lua_State *L, void *data) {
  const grl_impact *impact = data;
  const graze_certificate *c = &impact->impact.certificate;
  int dim = impact->dim;
  grl_push_relation_proof(L, c, dim);
  lua_setfield(L, -2, "relation");
  grl_push_lower_proof(L, c, dim);
  lua_setfield(L, -2, "lower");
  set_pairs(L, "pairs", c->pairs, c->pair_count, dim);
  if (impact->impact.steps == NULL) return;
  lua_createtable(L, (int)impact->impact.step_count, 0);
  for (size_t i = 0; i < impact->impact.step_count; i++) {
    const graze_cast_step *step = &impact->impact.steps[i];
    grl_push_direction(L, &step->direction, dim);
    grl_set_number(L, "t0", step->from);
    grl_set_number(L, "t1", step->to);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "steps");
}
