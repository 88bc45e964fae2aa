/* world:move(item, x, y [, turn] [, filter [, contacts]]): move and slide, in the manner of bump and slick. In 3D
 * x, y, z [, rx, ry, rz]. The item goes towards the place, and does what `filter` says about everything on the way. */
#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const crossings[] = {"ignore", "cross", "touch", "slide", "bounce", NULL};

/* A call of move(): where its arguments and tables stand on the stack. */
typedef struct moving {
  grl_world *world;
  grl_state *state;
  graze_body body;
  graze_vec goal, turn;
  graze_collision_response all; /* where the filter is a word, or absent */
  const char *all_own;          /* where that word is a response of the caller's */
  int filter, contacts;
  int chosen, items; /* the filter function, the items, and the chosen names stand at filter, items, chosen …; the items
                        are those of this leg */
  int responses, spare;
  graze_pose start;
  int found;    /* contacts in the list */
  size_t count; /* meetings of the last leg */
} moving;

/* ---- The filter ---- */

typedef struct choice {
  const moving *m;
  graze_body other;
  graze_collision_response crossing;
} choice;

static graze_collision_response read_word(lua_State *L, int index, int responses) {
  const char *word = lua_tostring(L, index);
  for (int i = 0; crossings[i]; i++)
    if (strcmp(word, crossings[i]) == 0) return (graze_collision_response)i;
  lua_pushvalue(L, index);
  lua_rawget(L, responses);
  bool own = lua_isfunction(L, -1);
  lua_pop(L, 1);
  return own ? GRAZE_COLLISION_TOUCH : (graze_collision_response)-1;
}

/* Arguments: filter, items, chosen, responses, which the caller pushed side by side. */
static void call_filter(lua_State *L, void *data) {
  choice *c = data;
  lua_pushvalue(L, 1);
  grl_push_item(L, 2, c->m->body);
  grl_push_item(L, 2, c->other);
  lua_call(L, 2, 1);
  int result = lua_gettop(L);
  c->crossing = GRAZE_COLLISION_IGNORE;
  if (lua_isnil(L, result) || (lua_isboolean(L, result) && !lua_toboolean(L, result))) return;
  if (lua_type(L, result) == LUA_TSTRING) {
    c->crossing = read_word(L, result, 4);
    if (c->crossing == GRAZE_COLLISION_TOUCH) {
      if (strcmp(lua_tostring(L, result), "touch") == 0)
        lua_pushnil(L); /* whatever it chose before */
      else
        lua_pushvalue(L, result);
      lua_rawseti(L, 3, (int)c->other.slot + 1);
    }
    if ((int)c->crossing >= 0) return;
  }
  grl_push_item(L, 2, c->other);
  luaL_error(L,
             "filter at %s: slide, touch, cross, bounce, ignore, nil, false or the name of a response expected for %s, "
             "got %s",
             grl_describe_function(L, 1), grl_describe_item(L, result + 1), grl_describe(L, result));
}

static graze_collision_response choose(void *context, graze_body moved, graze_body other) {
  const moving *m = context;
  choice c = {m, other, GRAZE_COLLISION_IGNORE};
  (void)moved;
  if (m->filter == 0) return m->all;
  if (!grl_protected(m->state, call_filter, &c, m->filter, 4))
    return (graze_collision_response)-1; /* and nothing is moved */
  return c.crossing;
}

/* ---- Contacts ---- */

/* What was done about the body: the name of a response of the caller's, or a word. */
static void push_type(lua_State *L, const moving *m, const graze_collision *meeting) {
  if (meeting->response == GRAZE_COLLISION_TOUCH) {
    if (m->all_own) {
      lua_pushstring(L, m->all_own);
      return;
    }
    lua_rawgeti(L, m->chosen, (int)meeting->other.slot + 1);
    if (!lua_isnil(L, -1)) return;
    lua_pop(L, 1);
  }
  lua_pushstring(L, crossings[meeting->response]);
}

/* The normal of a contact points at the moved item, as in bump. */
static void set_contact(lua_State *L, const moving *m, const graze_collision *meeting) {
  int dim = m->world->dim;
  grl_push_item(L, m->items, m->body);
  grl_set_field(L, "item");
  grl_push_item(L, m->items, meeting->other);
  grl_set_field(L, "other");
  push_type(L, m, meeting);
  grl_set_field(L, "type");
  grl_set_flag(L, "overlaps", meeting->overlapped);
  grl_set_flag(L, "stuck", meeting->stuck);
  grl_set_flag(L, "stopped", meeting->stopped);
  grl_set_number(L, "t", meeting->t);
  grl_reuse_vec(L, "normal", (graze_vec){0 - meeting->normal.x, 0 - meeting->normal.y, 0 - meeting->normal.z}, dim);
  grl_reuse_vec(L, "point", meeting->point, dim);
  grl_reuse_vec(L, "touch", meeting->pose.position, dim);
}

/* ---- Moving ---- */

static bool make_room(grl_world *world) {
  size_t wanted = graze_scene_count(world->scene) + 64;
  if (world->meeting_capacity >= wanted) return true;
  graze_collision *more = realloc(world->meetings, 2 * wanted * sizeof *more);
  if (more == NULL) return false;
  world->meetings = more;
  world->meeting_capacity = 2 * wanted;
  return true;
}

/* Finds the item anew, and says where it is; NULL: a finalizer or a response took it, or the world, away. */
static const graze_pose *whereabouts(lua_State *L, moving *m) {
  if (m->world->scene == NULL) return NULL;
  m->body = grl_find_item(L, m->world, 2);
  const graze_placed *placed = graze_scene_placed(m->world->scene, m->body);
  return placed ? &placed->pose : NULL;
}

static void refuse_lost(lua_State *L) { luaL_error(L, "a finalizer took away what moves"); }

static void put_back(lua_State *L, moving *m) {
  if (whereabouts(L, m)) graze_scene_set_pose(m->world->scene, m->body, m->start, NULL);
}

/* Meetings become contacts. With the whole stack of move() as arguments, and while nothing may be changed. */
static void fill(lua_State *L, void *data) {
  moving *m = data;
  for (size_t i = 0; i < m->count; i++) {
    grl_list_entry(L, m->contacts, m->spare, ++m->found);
    set_contact(L, m, &m->world->meetings[i]);
    lua_pop(L, 1);
  }
}

/* From `start` to the goal. Where its contacts cannot be told, it is not gone. */
static graze_status go_from(moving *m, graze_pose start) {
  grl_world *world = m->world;
  graze_vec from = start.position;
  graze_motion motion = {{m->goal.x - from.x, m->goal.y - from.y, m->goal.z - from.z}, m->turn};
  bool slides = m->filter == 0 && m->all == GRAZE_COLLISION_SLIDE;
  if (!make_room(world)) return GRAZE_OUT_OF_MEMORY;
  graze_status status = graze_scene_move(world->scene, m->body, &motion, slides ? NULL : choose, m, world->meetings,
                                         world->meeting_capacity, &m->count);
  if (m->count > world->meeting_capacity) m->count = world->meeting_capacity;
  if (status == GRAZE_OK && !grl_protected(m->state, fill, m, 1, m->spare))
    graze_scene_set_pose(world->scene, m->body, start, NULL);
  return status;
}

static double largest(graze_vec v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

/* Each number that was given is good: the larger one, of the way and the turn, was too large. */
static void refuse_leg(lua_State *L, const moving *m, graze_vec from) {
  double turn = largest(m->turn);
  double way = largest((graze_vec){m->goal.x - from.x, m->goal.y - from.y, m->goal.z - from.z});
  if (turn > way)
    grl_refuse(L, 3 + m->world->dim, "turn: a smaller one expected, got %s, which leads to numbers larger than 1e40",
               grl_say(L, turn));
  grl_refuse(L, 3, "goal: a nearer one expected, got one at a distance of %s, which leads to numbers larger than 1e40",
             grl_say(L, way));
}

/* One leg of the way. What a finalizer may have changed is looked up when none may change it any more. */
static void go(lua_State *L, moving *m) {
  lua_State *before = grl_enter(L);
  const graze_pose *here = whereabouts(L, m);
  graze_status status = GRAZE_NO_BODY;
  graze_vec from = {0, 0, 0};
  if (here) {
    from = here->position;
    grl_world_list_push(L, GRL_ITEMS);
    lua_replace(L, m->items);
    status = go_from(m, *here);
    if (status != GRAZE_OK || m->state->failed) put_back(L, m);
  }
  grl_leave(L, before);
  if (here == NULL) refuse_lost(L);
  if (status == GRAZE_BAD_OPTION) grl_refuse(L, 2, "item: a static body does not move");
  if (status == GRAZE_BAD_NUMBER) refuse_leg(L, m, from);
  grl_check(L, 3, "goal", status, NULL);
}

/* Calls the function, with `given` arguments on top. Moves in it count as within this one, as callbacks within each
 * other do; when it raises an error, the item goes back first. */
static void call_response(lua_State *L, moving *m, int given, int dim) {
  m->state->depth++;
  bool good = lua_pcall(L, given, dim, 0) == 0;
  m->state->depth--;
  if (good) return;
  put_back(L, m);
  lua_error(L);
}

/* What is no coordinate of a goal is an error, with the place of the response at `name` + 1. */
static double read_coordinate(lua_State *L, moving *m, int name, int index, char axis) {
  double value = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
  if (fabs(value) <= GRAZE_LARGEST) return value;
  put_back(L, m);
  luaL_error(L, "response %s at %s: %c: a number%s expected, got %s", grl_describe(L, name),
             grl_describe_function(L, name + 1), axis, isnan(value) ? "" : " up to 1e40 in magnitude",
             grl_describe(L, index));
  return 0;
}

/* Calls the caller's response to the last contact, if it has one: response(world, contact, goal …) returns where to go
 * from there, or nothing. */
static bool respond(lua_State *L, moving *m) {
  int top = lua_gettop(L), dim = m->world->dim;
  if (m->count == 0) return false;
  const graze_collision last = m->world->meetings[m->count - 1];
  if (last.response != GRAZE_COLLISION_TOUCH) return false;
  push_type(L, m, &last);
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
  int given = grl_push_vec(L, m->goal, dim);
  call_response(L, m, 2 + given, dim);
  if (m->world->scene == NULL) luaL_error(L, "the response freed the world");
  if (whereabouts(L, m) == NULL) grl_check_item(L, m->world, 2, "item"); /* raises the error: it was removed */
  bool goes_on = !lua_isnil(L, top + 3);
  if (goes_on) {
    m->goal.x = read_coordinate(L, m, top + 1, top + 3, 'x');
    m->goal.y = read_coordinate(L, m, top + 1, top + 4, 'y');
    if (dim == 3) m->goal.z = read_coordinate(L, m, top + 1, top + 5, 'z');
  }
  m->turn = (graze_vec){0, 0, 0};
  lua_settop(L, top);
  return goes_on;
}

enum { MOST_LEGS = 32 }; /* as many as graze_scene_move() has meetings */

static void run(lua_State *L, moving *m) {
  m->spare = grl_list_begin(L, m->contacts);
  for (int leg = 0; leg < MOST_LEGS; leg++) {
    go(L, m);
    if (!respond(L, m)) break;
  }
  grl_list_end(L, m->contacts, m->found);
}

/* ---- Arguments ---- */

/* The filter at an argument: absent, a word, or a function. */
static void read_filter(lua_State *L, int argument, moving *m) {
  m->all = GRAZE_COLLISION_SLIDE;
  if (grl_absent(L, argument)) return;
  if (lua_type(L, argument) == LUA_TSTRING) {
    m->all = read_word(L, argument, m->responses);
    if ((int)m->all >= 0) {
      const char *word = lua_tostring(L, argument);
      if (m->all == GRAZE_COLLISION_TOUCH && strcmp(word, "touch") != 0) m->all_own = word;
      return;
    }
  } else if (lua_isfunction(L, argument)) {
    lua_pushvalue(L, argument);
    m->filter = lua_gettop(L);
    return;
  }
  grl_refuse(L, argument,
             "filter: a function, slide, touch, cross, bounce, ignore or the name of a response expected, "
             "got %s",
             grl_describe(L, argument));
}

/* Names that filters chose in earlier moves mean nothing in this one. */
static void forget(lua_State *L, int chosen) {
  lua_pushnil(L);
  while (lua_next(L, chosen) != 0) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, chosen);
  }
}

/* The list that moves without one of the caller's use next; at an index. nil: they make one. */
static void set_own_list(lua_State *L, int index) {
  grl_get_table(L, 1);
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, GRL_CONTACTS);
  lua_pop(L, 1);
}

/* The world lends its list for as long as the move goes on: others in responses, and in finalizers, make their own. */
static bool borrow_contacts(lua_State *L, int argument) {
  bool lent = grl_world_list_read(L, argument, "contacts", GRL_CONTACTS);
  lua_pushnil(L);
  if (lent) set_own_list(L, lua_gettop(L));
  lua_pop(L, 1);
  return lent;
}

/* Where the item goes, and by how much it turns on the way; the filter is at *next. */
static void read_goal(lua_State *L, moving *m, int *next) {
  int dim = m->world->dim, turns = dim == 2 ? 1 : 3;
  m->goal = grl_vec_arguments(L, 3, dim, "goal");
  *next = 3 + dim;
  if (lua_type(L, *next) != LUA_TNUMBER) return;
  if (dim == 3)
    m->turn = grl_vec_arguments(L, *next, 3, "turn");
  else
    m->turn.z = grl_number(L, *next, "turn");
  *next += turns;
}

static int move(lua_State *L, bool back) {
  moving m;
  const graze_pose *here;
  int next;
  memset(&m, 0, sizeof m);
  m.world = grl_change_world(L);
  m.state = grl_get_state(L);
  grl_count(L, 2 + m.world->dim, m.world->dim == 2 ? 7 : 10);
  grl_check_item(L, m.world, 2, "item");
  read_goal(L, &m, &next);
  grl_count(L, 2 + m.world->dim, next + 1);
  lua_settop(L, next + 1);
  m.responses = grl_world_list_push(L, GRL_RESPONSES);
  read_filter(L, next, &m);
  lua_pushnil(L);
  m.items = lua_gettop(L); /* follows the filter function */
  m.chosen = grl_world_list_push(L, GRL_CHOSEN);
  lua_pushvalue(L, m.responses);
  forget(L, m.chosen);
  m.contacts = next + 1;
  bool lent = borrow_contacts(L, m.contacts);
  if ((here = whereabouts(L, &m)) == NULL) refuse_lost(L);
  m.start = *here;
  run(L, &m);
  if ((here = whereabouts(L, &m)) == NULL) refuse_lost(L);
  int pushed = grl_push_vec(L, here->position, m.world->dim);
  if (back) grl_check(L, 2, "item", graze_scene_set_pose(m.world->scene, m.body, m.start, NULL), NULL);
  if (lent) set_own_list(L, m.contacts);
  lua_pushvalue(L, m.contacts);
  lua_pushinteger(L, m.found);
  return pushed + 2;
}

static int move_item(lua_State *L) { return move(L, false); }

/* world:check(…): the same, and the item stays where it is. */
static int check(lua_State *L) { return move(L, true); }

/* world:add_response(name, function): filters may return this name. nil takes it away. */
static int add_response(lua_State *L) {
  grl_count(L, 3, 3);
  grl_change_world(L);
  if (lua_type(L, 2) != LUA_TSTRING) grl_refuse(L, 2, "name: a string expected, got %s", grl_describe(L, 2));
  for (int i = 0; crossings[i]; i++)
    if (strcmp(lua_tostring(L, 2), crossings[i]) == 0)
      grl_refuse(L, 2, "name: \"%s\" has a meaning already", lua_tostring(L, 2));
  if (!grl_absent(L, 3) && !lua_isfunction(L, 3))
    grl_refuse(L, 3, "response: a function expected, got %s", grl_describe(L, 3));
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
