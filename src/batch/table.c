/* Shapes judged once, and laid out for lanes. */
#include "core/error.h"
#include "batch/table.h"

#include "shape/core.h"

#include <string.h>

/* Lines of cache. */
enum { TABLE_ALIGN = 64 };

static size_t table_round(size_t size) { return (size + TABLE_ALIGN - 1) / TABLE_ALIGN * TABLE_ALIGN; }

/* Of eight core vertices: 1, 2, 4 or 8, so that loops have known lengths; 0: no list, or too long. */
static size_t table_blocks(const graze_shape *shape) {
  const size_t count = grz_core_count(shape);
  if (count == 0 || count > GRZ_BATCH_POINTS) return 0;
  return count <= 8 ? 1 : count <= 16 ? 2 : count <= 32 ? 4 : 8;
}

/* Where the parts of a table begin. */
typedef struct table_layout {
  size_t placed, boxes, lists, kinds, points, size;
} table_layout;

static table_layout table_lay_out(const graze_shape *shapes, size_t count) {
  table_layout at;
  size_t blocks = 0;
  for (size_t i = 0; i < count; i++) blocks += table_blocks(&shapes[i]);
  at.placed = table_round(sizeof(graze_table));
  at.boxes = at.placed + table_round(count * sizeof(graze_placed));
  at.lists = at.boxes + table_round(count * sizeof(grz_batch_box));
  at.kinds = at.lists + table_round(count * sizeof(grz_batch_list));
  at.points = at.kinds + table_round(count);
  at.size = at.points + blocks * GRZ_BATCH_ROW * sizeof(double);
  return at;
}

size_t graze_table_size(const graze_shape *shapes, size_t count) {
  return table_lay_out(shapes, count).size + TABLE_ALIGN; /* which malloc() may not keep to */
}

static graze_status table_refuse(graze_error *error, graze_status status, const char *what, size_t index,
                                 double value) {
  if (error != NULL) *error = grz_error(status, what, (ptrdiff_t)index, value);
  return status;
}

static grz_batch_box table_box(const graze_placed *placed) {
  const graze_vec e = placed->shape.as.box.half_extents;
  const double z = placed->shape.dim == 2 ? real_max(e.x, e.y) : e.z;
  return (grz_batch_box){{(float)e.x, (float)e.y, (float)z, 0}};
}

/* The core vertices, and the first one again until all blocks are full. */
static void table_points(const graze_shape *shape, size_t blocks, double *points) {
  const size_t count = grz_core_count(shape);
  for (size_t i = 0; i < 8 * blocks; i++) {
    const graze_vec v = grz_core_vertex(shape, i < count ? i : 0);
    double *row = points + i / 8 * GRZ_BATCH_ROW + i % 8;
    row[0] = v.x, row[8] = v.y, row[16] = v.z;
  }
}

static grz_batch_kind table_kind(const graze_placed *placed) {
  if (placed->shape.kind == GRAZE_BOX && placed->hidden.radius == 0) return GRZ_BATCH_BOX;
  return table_blocks(&placed->shape) > 0 ? GRZ_BATCH_LIST : GRZ_BATCH_OTHER;
}

/* Where the next shape goes. */
typedef struct table_place {
  graze_placed *placed;
  grz_batch_box *boxes;
  grz_batch_list *lists;
  uint8_t *kinds;
  double *points;
} table_place;

static void table_put(table_place *to, size_t i, const graze_placed *placed) {
  const uint32_t blocks = (uint32_t)table_blocks(&placed->shape);
  to->placed[i] = *placed;
  to->kinds[i] = (uint8_t)table_kind(placed);
  to->boxes[i] = table_box(placed);
  to->lists[i] = (grz_batch_list){to->points, blocks, placed->hidden.bounding_radius, placed->hidden.radius};
  table_points(&placed->shape, blocks, to->points);
  to->points += blocks * GRZ_BATCH_ROW;
}

static graze_status table_judge(const graze_shape *shape, size_t index, int dim, graze_placed *placed,
                                graze_error *error) {
  graze_error found;
  const graze_status status = graze_check(shape, NULL, &found);
  if (status != GRAZE_OK) return table_refuse(error, status, found.what, index, found.value);
  if (shape->dim != dim) return table_refuse(error, GRAZE_DIM_MISMATCH, "dim", index, shape->dim);
  *placed = graze_place(shape, graze_pose_at(0, 0, 0));
  return placed->status == GRAZE_OK ? GRAZE_OK : table_refuse(error, placed->status, "support", index, 0);
}

/* Their sum would leave size_t: only where that has 32 bits. */
static bool table_is_too_large(size_t count) {
  const size_t each = sizeof(graze_placed) + sizeof(grz_batch_box) + sizeof(grz_batch_list) + 1;
  const size_t points = 8 * GRZ_BATCH_ROW * sizeof(double);
  return count > (SIZE_MAX - sizeof(graze_table) - 8 * (size_t)TABLE_ALIGN) / (each + points);
}

graze_status graze_table_make(const graze_shape *shapes, size_t count, void *memory, size_t size,
                              const graze_table **table, graze_error *error) {
  if (count == 0 || (uint64_t)count > UINT32_MAX || shapes == NULL || table_is_too_large(count))
    return table_refuse(error, GRAZE_BAD_OPTION, "count", (size_t)-1, (double)count);
  const table_layout at = table_lay_out(shapes, count);
  if (memory == NULL || size < at.size + TABLE_ALIGN)
    return table_refuse(error, GRAZE_NO_SPACE, "memory", (size_t)-1, (double)(at.size + TABLE_ALIGN));
  char *base = (char *)memory + (TABLE_ALIGN - (uintptr_t)memory % TABLE_ALIGN) % TABLE_ALIGN;
  table_place to = {(graze_placed *)(void *)(base + at.placed), (grz_batch_box *)(void *)(base + at.boxes),
                    (grz_batch_list *)(void *)(base + at.lists), (uint8_t *)(base + at.kinds),
                    (double *)(void *)(base + at.points)};
  const graze_table head = {count, shapes[0].dim, to.placed, to.boxes, to.lists, to.kinds};
  for (size_t i = 0; i < count; i++) {
    graze_placed placed;
    const graze_status status = table_judge(&shapes[i], i, head.dim, &placed, error);
    if (status != GRAZE_OK) return status;
    table_put(&to, i, &placed);
  }
  memcpy(base, &head, sizeof head);
  *table = (const graze_table *)(const void *)base;
  if (error != NULL) *error = grz_error(GRAZE_OK, "", -1, 0);
  return GRAZE_OK;
}
