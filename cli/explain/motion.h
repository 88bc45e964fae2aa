/* The story of a cast: its times, its moments and the meshes at these. */
#ifndef GRAZE_CLI_MOTION_H
#define GRAZE_CLI_MOTION_H

#include "explain/story.h"

/* Runs the cast, and records its result and the relation at t = 0. */
bool motion_query(story *s, cli_buffer *room, cli_error *complaint);
/* Records the rest. The bodies, points and meshes of `s` must be set. */
void motion_record(story *s);
void motion_free(story *s);

#endif
