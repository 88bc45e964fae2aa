/* The page that shows a story, without the story: cmake/embed.cmake makes it of the files in page/. */
#ifndef GRAZE_CLI_PAGE_H
#define GRAZE_CLI_PAGE_H

#include <stddef.h>

/* UTF-8, not ended by 0. */
extern const unsigned char page_head[], page_tail[];
extern const size_t page_head_size, page_tail_size;

#endif
