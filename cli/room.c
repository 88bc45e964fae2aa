#include "room.h"

#include <stdlib.h>

bool cli_room_reserve(cli_buffer *room, size_t size) {
  if (size <= room->size) return true;
  cli_buffer_free(room);
  room->data = malloc(size);
  room->size = room->data ? size : 0;
  return room->data != NULL;
}

void cli_buffer_free(cli_buffer *room) {
  free(room->data);
  *room = (cli_buffer){0};
}
