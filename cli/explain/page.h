/* The page of `graze explain --html`, split where the story is inserted. cmake/embed.cmake generates it from page/. */
#ifndef GRAZE_CLI_PAGE_H
#define GRAZE_CLI_PAGE_H

#include <stddef.h>

/* UTF-8, without a final 0. */
extern const unsigned char page_head[], page_tail[];
extern const size_t page_head_size, page_tail_size;

#endif
