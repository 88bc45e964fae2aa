/* The story of a motion in a terminal. */
#ifndef GRAZE_CLI_TEXT_MOTION_H
#define GRAZE_CLI_TEXT_MOTION_H

#include "explain/story.h"

/* All but the question: the path, and the time bar with what the samples see. */
void text_motion(cli_text *out, const story *s);

#endif
