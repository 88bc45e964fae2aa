/* The page that plays a recorded run, without the recording. cmake/embed.cmake generates it from the files in page/. */
#ifndef GRAZE_CLI_SIMULATE_PAGE_H
#define GRAZE_CLI_SIMULATE_PAGE_H

#include <stddef.h>

/* UTF-8 without a terminator. Between them stands the recording as JSON, in which each "<" is written as \u003c. */
extern const unsigned char player_head[], player_tail[];
extern const size_t player_head_size, player_tail_size;

#endif
