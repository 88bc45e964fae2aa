/* world:move(item, x, y [, turn] [, filter [, contacts]]): moves one item with collision response, with the interface
 * of bump.lua and slick. In 3D x, y, z [, rx, ry, rz]. The filter chooses the response to each body on the path.
 *
 * A move consists of legs. A leg is one call of graze_scene_move(), which ends at the goal, or at a contact with
 * a custom response. The response may return a goal for the next leg. */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const response_names[] = {"ignore", "cross", "touch", "slide", "bounce", NULL};

/* The state of a call. Members of type int are stack indices, except for `found`. */
typedef struct move_call {
  grl_world *world;
  grl_state *state;
  graze_body body;
  graze_vec goal, turn;
  graze_collision_response response; /* for all bodies, if there is no filter function */
  const char *custom;                /* the name of a custom response for all bodies */
  int filter;                        /* the filter function, followed by items, chosen, responses; 0: none */
  int items, chosen, responses;      /* items: those of this leg */
  int contacts, spare;
  graze_pose start;
  int found;    /* contacts in the list */
  size_t count; /* collisions of the last leg */
} move_call;

/* ---- Filters ---- */

typedef struct filter_call {
  const move_call *m;
  graze_body other;
  graze_collision_response response;
} filter_call;

/* The response that a string names; -1: none. A custom response stops the item before its function runs. */
static graze_collision_response response_by_name(lua_State *L, int index, int responses) {
  const char *name = lua_tostring(L, index);
  for (int i = 0; response_names[i]; i++)
    if (strcmp(name, response_names[i]) == 0) return (graze_collision_response)i;
  lua_pushvalue(L, index);
  lua_rawget(L, responses);
  bool custom = lua_isfunction(L, -1);
  lua_pop(L, 1);
  return custom ? GRAZE_COLLISION_TOUCH : (graze_collision_response)-1;
}

static const char allowed_responses[] = "slide, touch, cross, bounce, ignore, the name of a response, nil or false";

/* Arguments: filter, items, chosen, responses. */
static void call_filter(lua_State *L, void *data) {
  filter_call *c = data;
  lua_pushvalue(L, 1);
  grl_push_item(L, 2, c->m->body);
  grl_push_item(L, 2, c->other);
  lua_call(L, 2, 1);
  int result = lua_gettop(L);
  c->response = GRAZE_COLLISION_IGNORE;
  if (lua_isnil(L, result) || (lua_isboolean(L, result) && !lua_toboolean(L, result))) return;
  if (lua_type(L, result) == LUA_TSTRING) {
    c->response = response_by_name(L, result, 4);
    if (c->response == GRAZE_COLLISION_TOUCH) {
      if (strcmp(lua_tostring(L, result), "touch") == 0)
        lua_pushnil(L); /* replaces an earlier choice */
      else
        lua_pushvalue(L, result);
      lua_rawseti(L, 3, (int)c->other.slot + 1);
    }
    if ((int)c->response >= 0) return;
  }
  grl_push_item(L, 2, c->other);
  luaL_error(L, "filter at %s: invalid result (%s) for %s, must be %s", grl_describe_function(L, 1),
             grl_describe(L, result), grl_describe_item(L, result + 1), allowed_responses);
}

/* The callback of graze_scene_move(). An invalid response ends the move without moving anything. */
static graze_collision_response choose(void *context, graze_body moved, graze_body other) {
  const move_call *m = context;
  filter_call c = {m, other, GRAZE_COLLISION_IGNORE};
  (void)moved;
  if (m->filter == 0) return m->response;
  if (!grl_call_protected(m->state, call_filter, &c, m->filter, 4)) return (graze_collision_response)-1;
  return c.response;
}

/* ---- Contacts ---- */

/* Pushes the name of the response to a collision. */
static void push_response(lua_State *L, const move_call *m, const graze_collision *collision) {
  if (collision->response == GRAZE_COLLISION_TOUCH) {
    if (m->custom) {
      lua_pushstring(L, m->custom);
      return;
    }
    lua_rawgeti(L, m->chosen, (int)collision->other.slot + 1);
    if (!lua_isnil(L, -1)) return;
    lua_pop(L, 1);
  }
  lua_pushstring(L, response_names[collision->response]);
}

/* Appends the collisions of a leg to the list. The arguments are the whole stack of move(). Finalizers cannot change
 * objects meanwhile. */
static void fill_contacts(lua_State *L, void *data) {
  move_call *m = data;
  int dim = m->world->dim;
  for (size_t i = 0; i < m->count; i++) {
    const graze_collision *c = &m->world->collisions[i];
    grl_list_entry(L, m->contacts, m->spare, ++m->found);
    grl_push_item(L, m->items, m->body);
    grl_set_field(L, "item");
    grl_push_item(L, m->items, c->other);
    grl_set_field(L, "other");
    push_response(L, m, c);
    grl_set_field(L, "type");
    grl_set_flag(L, "overlaps", c->overlapped);
    grl_set_flag(L, "stuck", c->stuck);
    grl_set_flag(L, "stopped", c->stopped);
    grl_set_number(L, "t", c->t);
    /* As in bump.lua, the normal points towards the moved item. */
    grl_set_vec(L, "normal", (graze_vec){0 - c->normal.x, 0 - c->normal.y, 0 - c->normal.z}, dim);
    grl_set_vec(L, "point", c->point, dim);
    grl_set_vec(L, "touch", c->pose.position, dim);
    lua_pop(L, 1);
  }
}

/* ---- Legs ---- */

/* Finds the item and returns its pose; NULL if a finalizer or a response removed it or freed the world. */
static const graze_pose *find_moved(lua_State *L, move_call *m) {
  if (m->world->scene == NULL) return NULL;
  m->body = grl_find_item(L, m->world, 2);
  const graze_placed *placed = graze_scene_placed(m->world->scene, m->body);
  return placed ? &placed->pose : NULL;
}

static void reject_removed(lua_State *L) { luaL_error(L, "item: removed by a finalizer during the move"); }

static void restore_pose(lua_State *L, move_call *m) {
  if (find_moved(L, m)) graze_scene_set_pose(m->world->scene, m->body, m->start, NULL);
}

static bool reserve_collisions(grl_world *world) {
  size_t wanted = graze_scene_count(world->scene) + 64;
  if (world->collision_capacity >= wanted) return true;
  graze_collision *more = realloc(world->collisions, 2 * wanted * sizeof *more);
  if (more == NULL) return false;
  world->collisions = more;
  world->collision_capacity = 2 * wanted;
  return true;
}

static double max_component(graze_vec v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

/* The goal and the turn are valid numbers, so the larger of the displacement and the turn caused the overflow. */
static void reject_overflow(lua_State *L, const move_call *m, graze_vec displacement) {
  double turn = max_component(m->turn), length = max_component(displacement);
  if (turn > length)
    grl_reject(L, 3 + m->world->dim, "turn: too large (%s), must keep all numbers <= 1e40", grl_format_number(L, turn));
  grl_reject(L, 3, "goal: too far away (%s), must keep all numbers <= 1e40", grl_format_number(L, length));
}

/* One leg. Everything that a finalizer may have changed is read after grl_enter(), which forbids changes. */
static void run_leg(lua_State *L, move_call *m) {
  lua_State *before = grl_enter(L);
  grl_world *world = m->world;
  const graze_pose *pose = find_moved(L, m);
  graze_status status = GRAZE_NO_BODY;
  graze_motion motion = {{0, 0, 0}, m->turn};
  if (pose) {
    const graze_pose start = *pose;
    motion.velocity =
        (graze_vec){m->goal.x - start.position.x, m->goal.y - start.position.y, m->goal.z - start.position.z};
    grl_world_list_push(L, GRL_ITEMS);
    lua_replace(L, m->items);
    bool slides = m->filter == 0 && m->response == GRAZE_COLLISION_SLIDE;
    status = GRAZE_OUT_OF_MEMORY;
    if (reserve_collisions(world)) {
      status = graze_scene_move(world->scene, m->body, &motion, slides ? NULL : choose, m, world->collisions,
                                world->collision_capacity, &m->count, NULL);
      if (m->count > world->collision_capacity) m->count = world->collision_capacity;
      /* If the contacts cannot be stored, the leg is undone. */
      if (status == GRAZE_OK && !grl_call_protected(m->state, fill_contacts, m, 1, m->spare))
        graze_scene_set_pose(world->scene, m->body, start, NULL);
    }
    if (status != GRAZE_OK || m->state->failed) restore_pose(L, m);
  }
  grl_leave(L, before);
  if (pose == NULL) reject_removed(L);
  if (status == GRAZE_BAD_OPTION) grl_reject(L, 2, "item: static body, must be kinematic or dynamic to move");
  if (status == GRAZE_BAD_NUMBER) reject_overflow(L, m, motion.velocity);
  grl_check_status(L, 3, "goal", status, NULL);
}

/* Reads a coordinate of the goal that a response returned. The name of the response and its function are at `name`. */
static double read_coordinate(lua_State *L, move_call *m, int name, int index, char axis) {
  double value = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
  if (fabs(value) <= GRAZE_LARGEST) return value;
  restore_pose(L, m);
  luaL_error(L, "response %s at %s: %c: invalid value (%s), must be a number%s", grl_describe(L, name),
             grl_describe_function(L, name + 1), axis, grl_describe(L, index),
             isnan(value) ? "" : " of magnitude <= 1e40");
  return 0;
}

/* Calls the custom response to the last contact, if it has one: response(world, contact, goal …) returns a new goal or
 * nothing. Returns whether there is a next leg. */
static bool respond(lua_State *L, move_call *m) {
  int top = lua_gettop(L), dim = m->world->dim;
  if (m->count == 0) return false;
  const graze_collision last = m->world->collisions[m->count - 1];
  if (last.response != GRAZE_COLLISION_TOUCH) return false;
  push_response(L, m, &last);
  lua_pushvalue(L, -1);
  lua_rawget(L, m->responses);
  if (!lua_isfunction(L, -1)) {
    lua_settop(L, top);
    return false;
  }
  luaL_checkstack(L, 16, "move");
  lua_pushvalue(L, -1);
  lua_pushvalue(L, 1);
  lua_rawgeti(L, m->contacts, m->found);
  int count = 2 + grl_push_vec(L, m->goal, dim);
  m->state->depth++; /* moves inside the response count as nested callbacks */
  bool good = lua_pcall(L, count, dim, 0) == 0;
  m->state->depth--;
  if (!good) {
    restore_pose(L, m);
    lua_error(L);
  }
  if (m->world->scene == NULL) luaL_error(L, "world: freed by the response");
  if (find_moved(L, m) == NULL) grl_check_item(L, m->world, 2, "item"); /* raises the error: it was removed */
  bool proceed = !lua_isnil(L, top + 3);
  if (proceed) {
    m->goal.x = read_coordinate(L, m, top + 1, top + 3, 'x');
    m->goal.y = read_coordinate(L, m, top + 1, top + 4, 'y');
    if (dim == 3) m->goal.z = read_coordinate(L, m, top + 1, top + 5, 'z');
  }
  m->turn = (graze_vec){0, 0, 0};
  lua_settop(L, top);
  return proceed;
}

enum { MAX_LEGS = 32 }; /* the limit of collisions of graze_scene_move() */

/* ---- Arguments ---- */

/* The filter at an argument: absent, the name of a response, or a function. */
static void read_filter(lua_State *L, int argument, move_call *m) {
  m->response = GRAZE_COLLISION_SLIDE;
  if (grl_absent(L, argument)) return;
  if (lua_isfunction(L, argument)) {
    lua_pushvalue(L, argument);
    m->filter = lua_gettop(L);
    return;
  }
  m->response = (graze_collision_response)-1;
  if (lua_type(L, argument) == LUA_TSTRING) {
    m->response = response_by_name(L, argument, m->responses);
    const char *name = lua_tostring(L, argument);
    if (m->response == GRAZE_COLLISION_TOUCH && strcmp(name, "touch") != 0) m->custom = name;
  }
  if ((int)m->response < 0)
    grl_reject_value(L, argument, argument, "filter",
                     "a function, slide, touch, cross, bounce, ignore or the name of a response");
}

/* Sets the list for the next move that has no list of the caller; nil: that move makes one. */
static void set_own_list(lua_State *L, int index) {
  grl_get_table(L, 1);
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, GRL_CONTACTS);
  lua_pop(L, 1);
}

/* Reads the goal and the turn; *next receives the index of the filter. */
static void read_goal(lua_State *L, move_call *m, int *next) {
  int dim = m->world->dim;
  m->goal = grl_vec_arguments(L, 3, dim, "goal");
  *next = 3 + dim;
  if (lua_type(L, *next) != LUA_TNUMBER) return;
  if (dim == 3)
    m->turn = grl_vec_arguments(L, *next, 3, "turn");
  else
    m->turn.z = grl_number(L, *next, "turn");
  *next += dim == 2 ? 1 : 3;
}

static int move(lua_State *L, bool check_only) {
  move_call m;
  const graze_pose *pose;
  int next;
  memset(&m, 0, sizeof m);
  m.world = grl_change_world(L);
  m.state = grl_get_state(L);
  grl_check_count(L, 2 + m.world->dim, m.world->dim == 2 ? 7 : 10);
  grl_check_item(L, m.world, 2, "item");
  read_goal(L, &m, &next);
  grl_check_count(L, 2 + m.world->dim, next + 1);
  lua_settop(L, next + 1);

  /* Stack: arguments, responses, [filter,] items, chosen, responses. */
  m.responses = grl_world_list_push(L, GRL_RESPONSES);
  read_filter(L, next, &m);
  lua_pushnil(L);
  m.items = lua_gettop(L);
  m.chosen = grl_world_list_push(L, GRL_CHOSEN);
  lua_pushvalue(L, m.responses);
  for (lua_pushnil(L); lua_next(L, m.chosen) != 0;) { /* clears the choices of earlier moves */
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, m.chosen);
  }

  /* The world's list is borrowed during the move. Nested moves, in responses and finalizers, make their own. */
  m.contacts = next + 1;
  bool borrowed = grl_world_list_argument(L, m.contacts, "contacts", GRL_CONTACTS);
  lua_pushnil(L);
  if (borrowed) set_own_list(L, lua_gettop(L));
  lua_pop(L, 1);

  if ((pose = find_moved(L, &m)) == NULL) reject_removed(L);
  m.start = *pose;
  m.spare = grl_list_begin(L, m.contacts);
  for (int leg = 0; leg < MAX_LEGS; leg++) {
    run_leg(L, &m);
    if (!respond(L, &m)) break;
  }
  grl_list_end(L, m.contacts, m.found);
  if ((pose = find_moved(L, &m)) == NULL) reject_removed(L);
  int pushed = grl_push_vec(L, pose->position, m.world->dim);
  if (check_only) grl_check_status(L, 2, "item", graze_scene_set_pose(m.world->scene, m.body, m.start, NULL), NULL);
  if (borrowed) set_own_list(L, m.contacts);
  lua_pushvalue(L, m.contacts);
  lua_pushinteger(L, m.found);
  return pushed + 2;
}

static int move_item(lua_State *L) { return move(L, false); }

/* world:check(…): as world:move(), but the item stays at its pose. */
static int check(lua_State *L) { return move(L, true); }

/* world:add_response(name, function): registers a response for filters; nil removes it. */
static int add_response(lua_State *L) {
  grl_check_count(L, 3, 3);
  grl_change_world(L);
  if (lua_type(L, 2) != LUA_TSTRING) grl_reject_value(L, 2, 2, "name", "a string");
  for (int i = 0; response_names[i]; i++)
    if (strcmp(lua_tostring(L, 2), response_names[i]) == 0)
      grl_reject(L, 2, "name: built-in response (\"%s\"), must be another name", lua_tostring(L, 2));
  if (!grl_absent(L, 3) && !lua_isfunction(L, 3)) grl_reject_value(L, 3, 3, "response", "a function or nil");
  grl_world_list_push(L, GRL_RESPONSES);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  lua_rawset(L, -3);
  return 0;
}

const luaL_Reg grl_move_methods[] = {
    {"move", move_item},
    {"check", check},
    {"add_response", add_response},
    {NULL, NULL},
};
