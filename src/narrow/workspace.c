/* The default workspace, in a frame of its own: most questions do without. */
#include "narrow/workspace.h"

#include "geometry/polytope.h"

enum { ROOM_ON_STACK = 60 * 1024 };
_Static_assert(ROOM_ON_STACK >= GRAZE_WORKSPACE_POINTS * GRZ_POLYTOPE_BYTES, "the default holds what graze.h promises");

__attribute__((noinline)) static void room_on_stack(void (*work)(void *context, void *room, size_t size),
                                                    void *context) {
  uint64_t room[ROOM_ON_STACK / sizeof(uint64_t)];
  work(context, room, sizeof room);
}

void grz_with_workspace(const graze_options *options, void (*work)(void *context, void *room, size_t size),
                        void *context) {
  if (options->workspace != NULL)
    work(context, options->workspace, options->workspace_size);
  else
    room_on_stack(work, context);
}
