/* Room that a thread keeps from one question to the next, so that it is asked of the system once. */
#ifndef GRAZE_CLI_ROOM_H
#define GRAZE_CLI_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Zero it to begin. */
typedef struct cli_room {
  void *data;
  size_t size;
} cli_room;

/* At least `size` bytes; what stood there is lost. False: there is not enough memory. */
bool cli_room_reserve(cli_room *room, size_t size);
void cli_room_free(cli_room *room);

#endif
