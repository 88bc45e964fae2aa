/* Room that a thread keeps from one question to the next, so that it is asked of the system once. */
#ifndef GRAZE_CLI_ROOM_H
#define GRAZE_CLI_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Zero it to begin. */
typedef struct cli_buffer {
  void *data;
  size_t size;
} cli_buffer;

/* At least `size` bytes; what stood there is lost. False: there is not enough memory. */
bool cli_room_reserve(cli_buffer *room, size_t size);
void cli_buffer_free(cli_buffer *room);

#endif
