/* The pages of `graze explain --html` and `graze simulate --html`, each split where its data are inserted as JSON, and
 * the style sheet of pictures. UTF-8 without a terminator. cmake/embed.cmake generates them from explain/page and
 * simulate/page. */
#ifndef GRAZE_CLI_PAGE_H
#define GRAZE_CLI_PAGE_H

#include <stddef.h>

extern const unsigned char page_head[], page_tail[], page_picture[], player_head[], player_tail[];
extern const size_t page_head_size, page_tail_size, page_picture_size, player_head_size, player_tail_size;

#endif
