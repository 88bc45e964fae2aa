/* A world: a graze_scene whose bodies go by the caller's own items. */
#ifndef GRAZE_LUA_WORLD_H
#define GRAZE_LUA_WORLD_H

#include "binding.h"

/* What stands in the table of a world. Lists go by slot + 1. */
typedef enum grl_world_list {
  GRL_ITEMS = 1, /* slot -> item */
  GRL_SLOTS,     /* item -> slot */
  GRL_SHAPES,    /* slot -> shape */
  GRL_CONTACTS,  /* the table that move() reuses */
  GRL_EVENTS,    /* the one that step() reuses */
  GRL_RESPONSES, /* name -> function, of responses of the caller's */
  GRL_CHOSEN,    /* slot -> name, of bodies that were met so in this move */
  GRL_ROOM       /* no list: what grl_borrow_room() lends; false where it is lent, or nothing yet */
} grl_world_list;

typedef struct grl_resident {
  graze_body body;
  grl_store *store;
  const void *before; /* what its shape pointed to when a restore() began */
} grl_resident;

typedef struct grl_world {
  graze_scene *scene; /* NULL: freed */
  graze_pool *pool;   /* or NULL */
  int dim;
  grl_resident *residents; /* by slot */
  size_t resident_count, resident_capacity;
  graze_collision *meetings; /* room for those of one move */
  size_t meeting_capacity;
  graze_step step; /* the last one */
} grl_world;

/* The world at argument 1. */
grl_world *grl_check_world(lua_State *L);

/* Enters; refuses a world that was freed since grl_check_world(): any allocation may call finalizers. */
lua_State *grl_enter_world(lua_State *L, const grl_world *world);

/* The same as grl_check_world(), to be changed. */
grl_world *grl_change_world(lua_State *L);

/* Pushes one of the tables of the world at argument 1; returns where it stands. A finalizer may restore the world, with
 * other lists: those of slots are pushed where none is called any more. */
int grl_world_list_push(lua_State *L, grl_world_list list);

/* The table to fill at an argument: the caller's, or where it is absent that of the world, which is put there, or a new
 * one where the world has none. True: it is not the caller's. */
bool grl_world_list_read(lua_State *L, int argument, const char *name, grl_world_list list);

/* Memory for what a question finds, *size bytes or more (which *size then tells), on top: the world at argument 1 keeps
 * it from one question to the next. Others that ask while it is lent, in filters and finalizers, get their own; it is a
 * matter of garbage only whether it comes back. */
void *grl_borrow_room(lua_State *L, size_t *size);
void grl_return_room(lua_State *L, int index); /* that which stands there */

/* The body of the item at an index; no body: it is not in this world. Allocates nothing. */
graze_body grl_find_item(lua_State *L, const grl_world *world, int index);

/* The body of the item at an argument. */
graze_body grl_check_item(lua_State *L, const grl_world *world, int argument, const char *name);

/* The same of an item at an index; the argument is for the message. */
graze_body grl_check_item_at(lua_State *L, const grl_world *world, int argument, int index, const char *name);

/* Pushes the item of a body, from the list of items at a stack index; nil for no body. */
void grl_push_item(lua_State *L, int items, graze_body body);

/* Which bodies count: from the filter at an argument, and the functions behind it. */
typedef struct grl_filter {
  graze_filter filter;
  grl_state *state;
  int first; /* the accept function stands there, and next the items; 0: there is none */
  bool used;
} grl_filter;

void grl_filter_read(lua_State *L, const grl_world *world, int argument, grl_filter *filter);

/* The filter for Graze, with the items that there are now: between grl_enter() and the question. */
const graze_filter *grl_filter_use(lua_State *L, const grl_filter *filter);

/* Room for a slot, whichever it is: a restored scene may give any that ever was. False: there is no memory. */
bool grl_make_room(grl_world *world, uint32_t slot);

/* Makes the slot that of the body, which keeps the store; what was there is let go. There must be room. */
void grl_settle(grl_world *world, graze_body body, grl_store *store);

/* Sets list[slot + 1] to the value at an index. */
void grl_set_by_slot(lua_State *L, grl_world_list list, graze_body body, int index);

/* Sets the slot of the item at an index; no body: it has none any more. */
void grl_set_slot_of(lua_State *L, int item, graze_body body);

#endif
