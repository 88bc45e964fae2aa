/* The page of `graze explain --html`, split where the story is inserted, and the style sheet of pictures.
 * cmake/embed.cmake generates them from page/. */
#ifndef GRAZE_CLI_PAGE_H
#define GRAZE_CLI_PAGE_H

#include <stddef.h>

/* UTF-8, without a final 0. */
extern const unsigned char page_head[], page_tail[], page_picture[];
extern const size_t page_head_size, page_tail_size, page_picture_size;

#endif
