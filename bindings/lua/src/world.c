/* graze.world(): scenes whose bodies are named by items of the caller; creation, buffers, time steps. */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

grl_world *grl_check_world(lua_State *L) {
  grl_world *world = grl_test(L, 1, GRL_WORLD);
  if (world == NULL) grl_reject_value(L, 1, 1, "world", "graze.world()");
  if (world->scene == NULL) grl_reject(L, 1, "world: already freed");
  return world;
}

lua_State *grl_enter_world(lua_State *L, const grl_world *world) {
  if (world->scene == NULL) grl_reject(L, 1, "world: already freed");
  return grl_enter(L);
}

grl_world *grl_change_world(lua_State *L) {
  grl_require_mutable(L);
  return grl_check_world(L);
}

int grl_world_list_push(lua_State *L, grl_world_list list) {
  grl_get_table(L, 1);
  lua_rawgeti(L, -1, (int)list);
  lua_remove(L, -2);
  return lua_gettop(L);
}

bool grl_world_list_argument(lua_State *L, int argument, const char *name, grl_world_list list) {
  bool own = grl_absent(L, argument);
  if (lua_gettop(L) < argument) lua_settop(L, argument);
  if (own) {
    grl_world_list_push(L, list);
    lua_replace(L, argument);
  }
  grl_list_argument(L, argument, name);
  return own;
}

void *grl_buffer_borrow(lua_State *L, size_t *size) {
  grl_get_table(L, 1);
  lua_rawgeti(L, -1, GRL_BUFFER);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -3, GRL_BUFFER);
  lua_remove(L, -2);
  if (lua_isuserdata(L, -1) && grl_length(L, -1) >= *size) {
    *size = grl_length(L, -1);
    return lua_touserdata(L, -1);
  }
  lua_pop(L, 1);
  return lua_newuserdata(L, *size);
}

void grl_buffer_return(lua_State *L, int index) {
  grl_get_table(L, 1);
  lua_rawgeti(L, -1, GRL_BUFFER);
  if (!lua_isuserdata(L, -1) || grl_length(L, -1) < grl_length(L, index)) {
    lua_pushvalue(L, index);
    lua_rawseti(L, -3, GRL_BUFFER);
  }
  lua_pop(L, 2);
}

graze_body grl_find_item(lua_State *L, const grl_world *world, int index) {
  graze_body body = {0, 0};
  grl_world_list_push(L, GRL_SLOTS);
  lua_pushvalue(L, index);
  if (!lua_isnil(L, -1)) lua_rawget(L, -2);
  if (!lua_isnil(L, -1)) body = world->entries[(size_t)lua_tonumber(L, -1)].body;
  lua_pop(L, 2);
  return body;
}

graze_body grl_check_item_at(lua_State *L, const grl_world *world, int argument, int index, const char *name) {
  graze_body body = grl_find_item(L, world, index);
  if (body.generation == 0)
    grl_reject(L, argument, "%s: unknown (%s), must be an item of this world", name, grl_describe_item(L, index));
  return body;
}

graze_body grl_check_item(lua_State *L, const grl_world *world, int argument, const char *name) {
  if (grl_absent(L, argument)) grl_reject(L, argument, "%s: unknown (nil), must be an item of this world", name);
  return grl_check_item_at(L, world, argument, argument, name);
}

void grl_push_item(lua_State *L, int items, graze_body body) {
  if (body.generation == 0)
    lua_pushnil(L);
  else
    lua_rawgeti(L, items, (int)body.slot + 1);
}

/* ---- Creation ---- */

static double number_key(lua_State *L, const char *key, double least, double most, double fallback) {
  lua_getfield(L, 1, key);
  double value = fallback;
  int top = lua_gettop(L);
  if (!lua_isnil(L, -1)) {
    value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (!(value >= least && value <= most))
      grl_reject_value(
          L, 1, top, lua_pushfstring(L, "options.%s", key),
          lua_pushfstring(L, "a number from %s to %s", grl_format_number(L, least), grl_format_number(L, most)));
  }
  lua_settop(L, top - 1);
  return value;
}

static int integer_key(lua_State *L, const char *key, int least, int most, int fallback) {
  double value = number_key(L, key, least, most, fallback);
  if (value != floor(value))
    grl_reject(L, 1, "options.%s: invalid value (%s), must be a whole number", key, grl_format_number(L, value));
  return (int)value;
}

static int dim_key(lua_State *L) {
  lua_getfield(L, 1, "dim");
  double dim = lua_isnil(L, -1) ? 2 : lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
  if (dim != 2 && dim != 3) grl_reject_value(L, 1, lua_gettop(L), "options.dim", "2 or 3");
  lua_pop(L, 1);
  return (int)dim;
}

/* *samples receives the context of a cast by sampling. */
static graze_scene_def read_options(lua_State *L, int *samples, int *threads) {
  static const char *const known[] = {"dim", "method", "samples", "skin", "push_speed", "threads", NULL};
  graze_scene_def def = graze_default_scene();
  def.dim = 2;
  *samples = 2;
  *threads = 1;
  if (grl_absent(L, 1)) return def;
  if (!lua_istable(L, 1)) grl_reject_value(L, 1, 1, "options", "a table");
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) grl_key(L, 1, "options", known);
  def.dim = dim_key(L);
  def.skin = number_key(L, "skin", 0, GRAZE_LARGEST, def.skin);
  def.push_speed = number_key(L, "push_speed", 0, GRAZE_LARGEST, def.push_speed);
  lua_getfield(L, 1, "method");
  if (!lua_isnil(L, -1)) def.method = grl_cast_method(L, 1, lua_gettop(L), "options.method", &def.cast);
  lua_pop(L, 1);
  *samples = integer_key(L, "samples", 2, 1000000, *samples);
  *threads = integer_key(L, "threads", 1, 256, 1);
  return def;
}

/* Gives the world on top a user table of empty lists. */
static void make_lists(lua_State *L) {
  lua_createtable(L, GRL_BUFFER, 0);
  for (int i = GRL_ITEMS; i <= GRL_CHOSEN; i++) {
    lua_newtable(L);
    lua_rawseti(L, -2, i);
  }
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, GRL_BUFFER);
  grl_set_table(L, -2);
}

static int make(lua_State *L) {
  int samples, threads;
  grl_check_count(L, 0, 1);
  graze_scene_def def = read_options(L, &samples, &threads);
  grl_world *world = grl_new(L, sizeof *world, GRL_WORLD);
  make_lists(L);
  world->dim = def.dim;
  world->samples = samples;
  def.cast_context = &world->samples;
  graze_parallel parallel;
  if (threads > 1) {
    grl_check_status(L, 1, "options.threads", graze_pool_create(threads, NULL, &world->pool), NULL);
    parallel = graze_pool_parallel(world->pool);
    def.parallel = &parallel;
  }
  grl_check_status(L, 1, "options", graze_scene_create(&def, NULL, &world->scene, NULL), NULL);
  return 1;
}

static int collect(lua_State *L) {
  grl_world *world = grl_test(L, 1, GRL_WORLD);
  if (world == NULL || (world->scene == NULL && world->pool == NULL)) return 0;
  graze_scene_destroy(world->scene);
  graze_pool_destroy(world->pool);
  for (size_t i = 0; i < world->entry_count; i++) grl_store_release(world->entries[i].store);
  free(world->entries);
  free(world->collisions);
  memset(world, 0, sizeof *world);
  return 0;
}

static int free_world(lua_State *L) {
  grl_check_count(L, 1, 1);
  grl_change_world(L);
  collect(L);
  make_lists(L); /* releases the items */
  return 0;
}

static int dim(lua_State *L) {
  grl_check_count(L, 1, 1);
  lua_pushinteger(L, grl_check_world(L)->dim);
  return 1;
}

static int to_string(lua_State *L) {
  const grl_world *world = grl_test(L, 1, GRL_WORLD);
  if (world == NULL) return luaL_argerror(L, 1, "world: must be graze.world()");
  if (world->scene == NULL)
    lua_pushliteral(L, "graze.world (freed)");
  else
    lua_pushfstring(L, "graze.world (%dD, %d bodies)", world->dim, (int)graze_scene_count(world->scene));
  return 1;
}

/* ---- Steps ---- */

typedef struct event_fill {
  const grl_world *world;
  int spare, items; /* stack indices */
} event_fill;

/* The arguments are the whole stack of step(). Finalizers cannot change objects meanwhile, so the events, which belong
 * to the scene, stay valid. */
static void fill_events(lua_State *L, void *data) {
  const event_fill *f = data;
  int dim = f->world->dim;
  for (size_t i = 0; i < f->world->step.event_count; i++) {
    const graze_event *event = &f->world->step.events[i];
    grl_list_entry(L, 3, f->spare, (int)i + 1);
    grl_set_string(L, "kind", graze_event_text(event->kind));
    grl_push_item(L, f->items, event->a);
    grl_set_field(L, "a");
    grl_push_item(L, f->items, event->b);
    grl_set_field(L, "b");
    grl_set_string(L, "outcome", graze_cast_outcome_text(event->outcome));
    grl_set_number(L, "t_lower", event->t_lower);
    grl_set_number(L, "t_upper", event->t_upper);
    grl_set_vec(L, "point", event->point, dim);
    grl_set_vec(L, "normal", event->normal, dim);
    grl_set_integer(L, "part_a", event->part_a + 1);
    grl_set_integer(L, "part_b", event->part_b + 1);
    lua_pop(L, 1);
  }
}

/* world:step(dt [, events]): moves all bodies; events report contacts that begin, persist or end. */
static int step(lua_State *L) {
  grl_check_count(L, 2, 3);
  grl_world *world = grl_change_world(L);
  double dt = grl_number(L, 2, "dt");
  grl_world_list_argument(L, 3, "events", GRL_EVENTS);
  event_fill f = {.world = world, .spare = grl_list_begin(L, 3)};
  grl_state *state = grl_get_state(L);
  lua_State *before = grl_enter_world(L, world);
  f.items = grl_world_list_push(L, GRL_ITEMS);
  graze_status status = graze_scene_step(world->scene, dt, &world->step, NULL);
  if (status == GRAZE_OK) grl_call_protected(state, fill_events, &f, 1, f.items);
  size_t count = world->step.event_count;
  world->step.events = NULL;
  grl_leave(L, before);
  if (status == GRAZE_BAD_OPTION) grl_reject_value(L, 2, 2, "dt", "a number >= 0");
  if (status == GRAZE_BAD_NUMBER) grl_reject_value(L, 2, 2, "dt", "a time in which no body moves farther than 1e40");
  grl_check_status(L, 2, "dt", status, NULL);
  grl_list_end(L, 3, (int)count);
  lua_pushvalue(L, 3);
  lua_pushinteger(L, (lua_Integer)count);
  return 2;
}

/* world:last_step(): counts of the last step. */
static int last_step(lua_State *L) {
  grl_check_count(L, 1, 1);
  const graze_step *s = &grl_check_world(L)->step;
  lua_createtable(L, 0, 5);
  grl_set_integer(L, "pairs", (ptrdiff_t)s->pairs);
  grl_set_integer(L, "casts", (ptrdiff_t)s->casts);
  grl_set_integer(L, "responses", (ptrdiff_t)s->responses);
  grl_set_integer(L, "stalled", (ptrdiff_t)s->stalled);
  grl_set_integer(L, "overlaps", (ptrdiff_t)s->overlaps);
  return 1;
}

const luaL_Reg grl_world_functions[] = {{"world", make}, {NULL, NULL}};

const luaL_Reg grl_world_methods[] = {
    {"dim", dim}, {"free", free_world}, {"step", step}, {"last_step", last_step}, {NULL, NULL},
};

const luaL_Reg grl_world_meta[] = {{"__gc", collect}, {"__tostring", to_string}, {NULL, NULL}};
