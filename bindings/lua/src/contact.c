/* graze.manifold(a, b, contacts, options, answer): contacts, count, normal. */
#include "binding.h"

#include <math.h>
#include <stdio.h>

enum { MOST_CONTACTS = 145 }; /* hold any contact polygon whole */

static void set_contact(lua_State *L, const graze_contact *contact, int dim) {
  char feature[24];
  grl_reuse_vec(L, "point_a", contact->point_a, dim);
  grl_reuse_vec(L, "point_b", contact->point_b, dim);
  grl_set_number(L, "depth", contact->depth);
  snprintf(feature, sizeof feature, "%016llx", (unsigned long long)contact->feature);
  lua_pushstring(L, feature); /* 64 bits: more than a number of Lua 5.1 holds */
  grl_set_field(L, "feature");
}

void grl_fill_contacts(lua_State *L, int list, const graze_contact *contacts, size_t count, int dim) {
  int spare = grl_list_begin(L, list);
  for (size_t i = 0; i < count; i++) {
    grl_list_entry(L, list, spare, (int)i + 1);
    set_contact(L, &contacts[i], dim);
    lua_pop(L, 1);
  }
  grl_list_end(L, list, (int)count);
  lua_pop(L, 1);
}

void grl_read_contacts(lua_State *L, int argument) {
  grl_read_list(L, argument, "contacts");
  lua_pushliteral(L, "spare");
  lua_rawget(L, argument);
  if (lua_isnil(L, -1)) grl_refuse_options(L, argument, "contacts: a table to fill expected"); /* not filled yet */
  lua_pop(L, 1);
}

int grl_push_manifold(lua_State *L, int list, const graze_answer *answer, size_t count, int dim) {
  lua_pushvalue(L, list);
  lua_pushinteger(L, (lua_Integer)count);
  return isnan(answer->normal.x) ? 2 : 2 + grl_push_vec(L, answer->normal, dim);
}

static int manifold(lua_State *L) {
  grl_count(L, 2, 5);
  const grl_placed *a = grl_check_placed(L, 1, "a"), *b = grl_check_placed(L, 2, "b");
  int dim = a->placed.shape.dim;
  grl_same_dim(L, 2, "b", b->placed.shape.dim, dim);
  grl_answer *kept = grl_check_answer(L, 5);
  if (kept) grl_may_change(L);
  lua_settop(L, 5);
  grl_read_contacts(L, 3);
  grl_asking asking;
  grl_asking_read(L, 4, dim, &asking);
  if (kept) grl_answer_room(L, kept, &asking, graze_part_count(&a->placed) * graze_part_count(&b->placed));
  size_t capacity = dim == 2 ? 2 : 4, count;
  graze_contact contacts[MOST_CONTACTS];
  if (asking.given && asking.given->full) capacity = MOST_CONTACTS;
  graze_answer answer;
  lua_State *before = grl_ask(L, &asking);
  graze_status status = graze_manifold(&a->placed, &b->placed, &asking.options, &answer, contacts, capacity, &count);
  grl_asked(L, &asking, before);
  grl_check_question(L, status, 4, "manifold");
  if (kept) grl_keep_answer(kept, &answer, a, b, &asking);
  grl_fill_contacts(L, 3, contacts, count, dim);
  return grl_push_manifold(L, 3, &answer, count, dim);
}

const luaL_Reg grl_contact_functions[] = {{"manifold", manifold}, {NULL, NULL}};
