/* Room for what can grow: the caller's workspace, or some on the stack. */
#ifndef GRAZE_NARROW_WORKSPACE_H
#define GRAZE_NARROW_WORKSPACE_H

#include <graze/graze.h>

/* Calls `work` with the workspace of the options, or, where there is none, with no less than
 * graze_workspace_size(GRAZE_WORKSPACE_POINTS) bytes that live as long as the call. */
void grz_with_workspace(const graze_options *options, void (*work)(void *context, void *room, size_t size),
                        void *context);

#endif
