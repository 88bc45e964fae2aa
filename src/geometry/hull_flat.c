/* The hull of points in a plane: Andrew's monotone chain, along two of the axes, with exact turns. */
#include "geometry/hull.h"
#include "core/memory.h"
#include "exact/predicates.h"
#include "core/vec.h"

typedef struct flat_point {
  double u, v;
  int32_t index;
} flat_point;

typedef struct flat_axes {
  int u, v;
} flat_axes;

static double flat_coordinate(graze_vec p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

static flat_point flat_of(const graze_vec *points, size_t index, flat_axes axes) {
  flat_point p = {flat_coordinate(points[index], axes.u), flat_coordinate(points[index], axes.v), (int32_t)index};
  return p;
}

static int flat_turn(flat_point a, flat_point b, flat_point c) {
  return grz_orient2(vec_make(a.u, a.v, 0), vec_make(b.u, b.v, 0), vec_make(c.u, c.v, 0));
}

/* Two axes along which the plane does not become a line: the projection is one to one on it, and keeps lines. */
static flat_axes flat_choose(const graze_vec *points, const grz_span *span) {
  static const flat_axes choice[3] = {{0, 1}, {1, 2}, {2, 0}};
  for (int i = 0; i < 2; i++) {
    flat_axes axes = choice[i];
    if (flat_turn(flat_of(points, span->point[0], axes), flat_of(points, span->point[1], axes),
                  flat_of(points, span->point[2], axes)) != 0)
      return axes;
  }
  return choice[2];
}

static bool flat_is_after(flat_point a, flat_point b) {
  if (a.u != b.u) return a.u > b.u;
  return a.v != b.v ? a.v > b.v : a.index > b.index;
}

/* Merges two neighbouring runs of `from`, which end at `middle` and `end`. */
static void flat_merge(const flat_point *from, flat_point *to, size_t start, size_t middle, size_t end) {
  size_t left = start, right = middle;
  for (size_t i = start; i < end; i++) {
    bool take_right = left == middle || (right < end && flat_is_after(from[left], from[right]));
    to[i] = from[take_right ? right++ : left++];
  }
}

/* Merge sort, from runs of one upward. Returns whichever of the two arrays holds the result. */
static flat_point *flat_sort(flat_point *p, flat_point *other, size_t count) {
  for (size_t run = 1; run < count; run *= 2) {
    for (size_t start = 0; start < count; start += 2 * run) {
      size_t middle = start + run < count ? start + run : count, end = middle + run < count ? middle + run : count;
      flat_merge(p, other, start, middle, end);
    }
    flat_point *t = p;
    p = other, other = t;
  }
  return p;
}

/* Of equal points the first stays. */
static size_t flat_unique(flat_point *p, size_t count) {
  size_t kept = 1;
  for (size_t i = 1; i < count; i++) {
    if (p[i].u != p[kept - 1].u || p[i].v != p[kept - 1].v) p[kept++] = p[i];
  }
  return kept;
}

/* Puts a point on the chain above `floor`, after taking off what it makes superfluous. */
static size_t flat_push(flat_point *chain, size_t used, size_t floor, flat_point p) {
  while (used > floor + 1 && flat_turn(chain[used - 2], chain[used - 1], p) <= 0) used--;
  chain[used] = p;
  return used + 1;
}

/* The hull of sorted, different points, counter-clockwise from the first. */
static size_t flat_chain(const flat_point *p, size_t count, flat_point *chain) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++) used = flat_push(chain, used, 0, p[i]);
  size_t floor = used - 1;
  for (size_t i = count - 1; i-- > 0;) used = flat_push(chain, used, floor, p[i]);
  return used - 1; /* the first point again */
}

static void flat_write_faces(const grz_hull_arrays *arrays, size_t count) {
  for (size_t i = 0; i < count; i++) {
    arrays->face_vertices[i] = (int32_t)i;
    arrays->face_vertices[count + i] = (int32_t)(count - 1 - i);
  }
  arrays->face_start[1] = (int32_t)count;
  arrays->face_start[2] = (int32_t)(2 * count);
}

static graze_status flat_write(const graze_vec *points, const flat_point *chain, size_t count, graze_hull *hull) {
  grz_hull_arrays arrays;
  size_t faces = hull->dim == 3 ? 2 : 0;
  graze_status status = grz_hull_workspace(hull, &arrays, count, faces, faces * count, count);
  if (status != GRAZE_OK) return status;
  for (size_t i = 0; i < count; i++) {
    arrays.indices[i] = (size_t)chain[i].index;
    arrays.vertices[i] = points[chain[i].index];
    arrays.start[i] = (int32_t)(2 * i);
    arrays.neighbor[2 * i] = (int32_t)(i > 0 ? i - 1 : count - 1);
    arrays.neighbor[2 * i + 1] = (int32_t)(i + 1 < count ? i + 1 : 0);
  }
  arrays.start[count] = (int32_t)(2 * count);
  arrays.face_start[0] = 0;
  if (faces > 0) flat_write_faces(&arrays, count);
  grz_hull_seed(hull, &arrays);
  return GRAZE_OK;
}

graze_status grz_hull_flat(const graze_vec *points, size_t count, const grz_span *span, graze_hull *hull) {
  /* Two lists; the chain holds its first point twice, for a moment. */
  flat_point *room = grz_allocate(&hull->allocator, 2 * (count + 1), sizeof *room);
  if (!room) return GRAZE_OUT_OF_MEMORY;
  flat_axes axes = flat_choose(points, span);
  for (size_t i = 0; i < count; i++) room[i] = flat_of(points, i, axes);
  flat_point *other = room + count + 1, *sorted = flat_sort(room, other, count), *chain = sorted == room ? other : room;
  size_t corners = flat_chain(sorted, flat_unique(sorted, count), chain);
  graze_status status = flat_write(points, chain, corners, hull);
  grz_release(&hull->allocator, room);
  return status;
}
