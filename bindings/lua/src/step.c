/* world:step(dt [, events]): everything moves; who met, stayed in contact, parted. */
#include "world.h"

static void set_item(lua_State *L, const char *key, int items, graze_body body) {
  grl_push_item(L, items, body);
  grl_set_field(L, key);
}

static void set_event(lua_State *L, const graze_event *event, int items, int dim) {
  grl_set_word(L, "kind", graze_event_text(event->kind));
  set_item(L, "a", items, event->a);
  set_item(L, "b", items, event->b);
  grl_set_word(L, "result", graze_cast_outcome_text(event->result));
  grl_set_number(L, "t_lower", event->t_lower);
  grl_set_number(L, "t_upper", event->t_upper);
  grl_reuse_vec(L, "point", event->point, dim);
  grl_reuse_vec(L, "normal", event->normal, dim);
  grl_set_whole(L, "part_a", event->part_a + 1);
  grl_set_whole(L, "part_b", event->part_b + 1);
}

typedef struct filling {
  const grl_world *world;
  int spare, items;
} filling;

/* With the whole stack of step() as arguments, and while nothing may be changed: the events are the scene's. */
static void fill(lua_State *L, void *data) {
  const filling *f = data;
  for (size_t i = 0; i < f->world->step.event_count; i++) {
    grl_list_entry(L, 3, f->spare, (int)i + 1);
    set_event(L, &f->world->step.events[i], f->items, f->world->dim);
    lua_pop(L, 1);
  }
}

static int step(lua_State *L) {
  grl_count(L, 2, 3);
  grl_world *world = grl_change_world(L);
  double dt = grl_number(L, 2, "dt");
  grl_world_list_read(L, 3, "events", GRL_EVENTS);
  filling f = {.world = world, .spare = grl_list_begin(L, 3)};
  grl_state *state = grl_get_state(L);
  lua_State *before = grl_enter_world(L, world);
  f.items = grl_world_list_push(L, GRL_ITEMS);
  graze_status status = graze_scene_step(world->scene, dt, &world->step);
  if (status == GRAZE_OK) grl_protected(state, fill, &f, 1, f.items);
  size_t count = world->step.event_count;
  world->step.events = NULL;
  grl_leave(L, before);
  if (status == GRAZE_BAD_OPTION) grl_refuse(L, 2, "dt: a number from 0 on expected, got %s", grl_describe(L, 2));
  if (status == GRAZE_BAD_NUMBER)
    grl_refuse(L, 2, "dt: a time in which nothing goes farther than 1e40, at its velocity, expected, got %s",
               grl_describe(L, 2));
  grl_check(L, 2, "dt", status, NULL);
  grl_list_end(L, 3, (int)count);
  lua_pushvalue(L, 3);
  lua_pushinteger(L, (lua_Integer)count);
  return 2;
}

/* world:last_step(): what it took, as numbers. */
static int last_step(lua_State *L) {
  grl_count(L, 1, 1);
  const graze_step *s = &grl_check_world(L)->step;
  lua_createtable(L, 0, 5);
  grl_set_whole(L, "pairs", (ptrdiff_t)s->pairs);
  grl_set_whole(L, "casts", (ptrdiff_t)s->casts);
  grl_set_whole(L, "responses", (ptrdiff_t)s->responses);
  grl_set_whole(L, "stalled", (ptrdiff_t)s->stalled);
  grl_set_whole(L, "overlaps", (ptrdiff_t)s->overlaps);
  return 1;
}

const luaL_Reg grl_step_methods[] = {{"step", step}, {"last_step", last_step}, {NULL, NULL}};
