#include "narrow/contact_side.h"

/* Relative to the square of the reach: corners, and differences of slopes, of so much area are beyond all slacks of
 * facet.c. docs/theory/contact.md, "Facets". */
#define SIDE_CLEAR 1e-9

/* Below it, products of two lengths lose digits that count. */
#define SIDE_LEAST 0x1p-1000

/* The farthest vertex, its two neighbours, and theirs; seen from the first. */
typedef struct side_corner {
  size_t at[2];
  graze_vec near[2], far[2]; /* onward, and backward */
} side_corner;

static size_t side_after(size_t i, size_t count) { return i + 1 < count ? i + 1 : 0; }
static size_t side_before(size_t i, size_t count) { return (i > 0 ? i : count) - 1; }

static side_corner side_look(const graze_shape *polygon, size_t top) {
  const graze_vec *v = polygon->as.polygon.vertices;
  const size_t count = polygon->as.polygon.count;
  side_corner s = {.at = {side_after(top, count), side_before(top, count)}};
  for (int k = 0; k < 2; k++) s.near[k] = vec_sub(v[s.at[k]], v[top]);
  s.far[0] = vec_sub(v[side_after(s.at[0], count)], v[top]);
  s.far[1] = vec_sub(v[side_before(s.at[1], count)], v[top]);
  return s;
}

static double side_cross(graze_vec u, graze_vec v) { return u.x * v.y - u.y * v.x; }
static double side_dot(graze_vec u, graze_vec v) { return u.x * v.x + u.y * v.y; }

static void side_add(grz_feature *f, graze_vec vertex, size_t i, double unit) {
  f->corner[f->count] = vec_scale(vertex, unit);
  f->id[f->count++] = (int32_t)i;
}

bool grz_side_facing(const graze_placed *placed, size_t top, graze_vec d, double unit, grz_feature *f) {
  const graze_vec *v = placed->shape.as.hull.vertices;
  const side_corner s = side_look(&placed->shape, top);
  const double clear = SIDE_CLEAR * placed->hidden.bounding_radius * placed->hidden.bounding_radius, turn = side_cross(s.near[0], s.near[1]);
  double drop[2], way[2];
  for (int k = 0; k < 2; k++) drop[k] = -side_dot(d, s.near[k]), way[k] = real_abs(side_cross(d, s.near[k]));
  const double steeper = drop[1] * way[0] - drop[0] * way[1];
  const int flat = steeper < 0;
  const double bend = side_cross(s.near[flat], s.far[flat]) * (flat ? -1 : 1);
  if (!(clear > SIDE_LEAST && real_abs(turn) > clear && real_abs(steeper) > clear)) return false;
  if (!((turn > 0 ? bend : -bend) > clear)) return false;
  const bool edge = side_is_flat(s.near[flat], d);
  side_add(f, v[top], top, unit);
  if (edge) side_add(f, v[s.at[flat]], s.at[flat], unit);
  f->face = f->id[edge] < f->id[0] ? f->id[edge] : f->id[0];
  return true;
}
