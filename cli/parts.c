/* Reading lists within a shape: points, the holes of a polygon, the parts of a compound. */
#include "question.h"

#include <stdio.h>
#include <stdlib.h>

bool cli_read_points(const json_t *list, const char *owner, const char *key, int dim, size_t least, graze_vec **points,
                     size_t *count, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  size_t size = json_array_size(list);
  if (!json_is_array(list))
    return cli_reject(complaint, CLI_BAD_SHAPE, "%s.%s = %s: not a list of points", owner, key, cli_show(list, shown));
  if (size < least)
    return cli_reject(complaint, CLI_BAD_SHAPE, "%s.%s has %zu points; it needs at least %zu", owner, key, size, least);
  graze_vec *read = *points = malloc(size * sizeof *read);
  if (read == NULL) return cli_reject_memory(complaint);
  *count = size;
  for (size_t i = 0; i < size; i++)
    if (!cli_read_vec(json_array_get(list, i), (cli_name){owner, key, (ptrdiff_t)i}, dim, &read[i], complaint))
      return false;
  return true;
}

bool cli_read_holes(const json_t *list, const char *owner, cli_body *body, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE], key[40];
  size_t count = json_array_size(list);
  if (!json_is_array(list))
    return cli_reject(complaint, CLI_BAD_SHAPE, "%s.holes = %s: not a list of rings", owner, cli_show(list, shown));
  body->holes = calloc(count + 1, sizeof *body->holes);
  if (body->holes == NULL) return cli_reject_memory(complaint);
  for (size_t i = 0; i < count; i++) {
    graze_vec *points = NULL;
    snprintf(key, sizeof key, "holes[%zu]", i);
    bool good = cli_read_points(json_array_get(list, i), owner, key, 2, 3, &points, &body->holes[i].count, complaint);
    body->holes[i].vertices = points;
    body->hole_count = i + 1;
    if (!good) return false;
  }
  return true;
}

bool cli_read_parts(const json_t *list, const char *owner, int dim, cli_body *body, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE], name[40];
  size_t count = json_array_size(list);
  if (!json_is_array(list))
    return cli_reject(complaint, CLI_BAD_SHAPE, "%s.parts = %s: not a list of placed shapes", owner,
                      cli_show(list, shown));
  if (count == 0 || count > CLI_MOST_PARTS)
    return cli_reject(complaint, CLI_BAD_SHAPE, "%s.parts has %zu shapes; a compound has 1 to %d", owner, count,
                      CLI_MOST_PARTS);
  body->parts = calloc(count, sizeof *body->parts);
  if (body->parts == NULL) return cli_reject_memory(complaint);
  for (size_t i = 0; i < count; i++) {
    snprintf(name, sizeof name, "%s.parts[%zu]", owner, i);
    if (!cli_body_read(json_array_get(list, i), name, dim, CLI_USE_PART, &body->parts[i], complaint)) return false;
    body->part_count = i + 1;
  }
  return true;
}

bool cli_join_parts(const char *owner, cli_body *body, cli_error *complaint) {
  graze_error error = {GRAZE_OK, "", -1, 0};
  graze_compound *compound = NULL;
  graze_placed *parts = malloc(body->part_count * sizeof *parts);
  if (parts == NULL) return cli_reject_memory(complaint);
  for (size_t i = 0; i < body->part_count; i++) parts[i] = body->parts[i].placed;
  graze_status status = graze_compound_create(parts, body->part_count, NULL, &compound, &error);
  free(parts);
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(complaint);
  if (status != GRAZE_OK)
    return cli_reject(complaint, CLI_BAD_SHAPE, "%s.parts[%td]: %s", owner, error.index, graze_status_text(status));
  cli_body_take(body, compound);
  return true;
}
