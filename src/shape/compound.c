/* Compounds as shapes, and their parts in their places. */
#include "shape/placed.h"

#include "shape/placed.h"

graze_shape graze_compound_shape(const graze_compound *compound) {
  graze_shape shape = {.kind = GRAZE_COMPOUND, .dim = compound->dim, .as.compound = compound};
  return shape;
}

size_t graze_part_count(const graze_placed *placed) {
  bool many = placed->status == GRAZE_OK && placed->shape.kind == GRAZE_COMPOUND;
  return many ? placed->shape.as.compound->count : 1;
}

graze_placed graze_part(const graze_placed *placed, size_t index) {
  graze_placed part = {.status = placed->status};
  if (index >= graze_part_count(placed)) {
    if (part.status == GRAZE_OK) part.status = GRAZE_BAD_OPTION;
    return part;
  }
  if (placed->status != GRAZE_OK || placed->shape.kind != GRAZE_COMPOUND) return *placed;
  part = placed->shape.as.compound->parts[index];
  grz_place_part(&part, placed);
  return part;
}
