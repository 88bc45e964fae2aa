#include "room.h"

#include <stdlib.h>

bool cli_room_reserve(cli_room *room, size_t size) {
  if (size <= room->size) return true;
  cli_room_free(room);
  room->data = malloc(size);
  room->size = room->data ? size : 0;
  return room->data != NULL;
}

void cli_room_free(cli_room *room) {
  free(room->data);
  *room = (cli_room){0};
}
