/* The guest of a compound in the compound's frame. */
#include "compound/query_shape.h"

#include "core/vec.h"
#include "shape/placed.h"
#include "shape/support.h"

/* Rounding errors, relative to the sizes of both and their distance: docs/theory/compounds.md, "Bounds". */
#define GUEST_ERROR (1024 * GRZ_U)

double grz_query_shape_size(const graze_placed *placed) {
  const graze_compound *compound = placed->shape.kind == GRAZE_COMPOUND ? placed->shape.as.compound : NULL;
  return placed->hidden.bounding_radius + placed->hidden.radius + (compound != NULL ? compound->radius : 0);
}

/* The host's axis k in the world. */
static graze_vec guest_axis(const graze_placed *host, int k) {
  const double *r = host->hidden.rotation;
  return vec_make(r[k], r[3 + k], r[6 + k]);
}

/* The rows of R(host)^T R(guest). */
static void guest_turn(grz_query_shape *g, const graze_placed *host, const graze_placed *placed) {
  for (int k = 0; k < 3; k++) {
    graze_vec row = vec_unrotate(placed->hidden.rotation, guest_axis(host, k), 3);
    g->turn[3 * k] = row.x, g->turn[3 * k + 1] = row.y, g->turn[3 * k + 2] = row.z;
  }
}

/* How far a convex guest reaches along a world direction of length 1, beyond its own place. */
static double guest_reach(const graze_placed *placed, graze_vec d) {
  const int dim = placed->shape.dim;
  double slack = 0;
  grz_core_point far = grz_support_local(&placed->shape, vec_unrotate(placed->hidden.rotation, d, dim), &slack);
  return (vec_dot(d, vec_rotate(placed->hidden.rotation, far.local, dim)) + placed->hidden.radius) + 2 * slack;
}

static void guest_body(grz_query_shape *g, const graze_placed *host, const graze_placed *placed) {
  const double at[3] = {g->shift.x, g->shift.y, g->shift.z};
  double min[3] = {0, 0, 0}, max[3] = {0, 0, 0};
  for (int k = 0; k < g->dim; k++) {
    graze_vec axis = guest_axis(host, k);
    max[k] = at[k] + guest_reach(placed, axis);
    min[k] = at[k] - guest_reach(placed, vec_neg(axis));
  }
  g->box.min = vec_make(min[0], min[1], min[2]);
  g->box.max = vec_make(max[0], max[1], max[2]);
}

static void guest_plane(grz_query_shape *g, const graze_placed *host, const graze_placed *placed) {
  graze_vec n = vec_unit_inf(placed->shape.as.halfspace.normal);
  graze_vec world = vec_rotate(placed->hidden.rotation, vec_scale(n, 1 / vec_length(n)), g->dim);
  g->plane = true;
  g->normal = vec_unrotate(host->hidden.rotation, world, g->dim);
  g->height = (vec_dot(g->normal, g->shift) + placed->shape.as.halfspace.offset) + placed->hidden.radius;
}

void grz_query_shape_make(grz_query_shape *g, const graze_placed *host, const graze_placed *placed, double clearance) {
  graze_vec offset = placed_from(placed, host->pose.position);
  bool compound = placed->shape.kind == GRAZE_COMPOUND;
  g->dim = host->shape.dim;
  g->node = compound ? placed->shape.as.compound->tree->node : NULL;
  g->plane = false;
  g->box = (graze_aabb){{0, 0, 0}, {0, 0, 0}};
  g->sweep = vec_make(0, 0, 0);
  g->less = host->shape.margin + (compound ? placed->shape.margin : 0) + clearance;
  double size = grz_query_shape_size(host) + grz_query_shape_size(placed) + clearance + vec_length_up(offset);
  if (placed->hidden.is_part) size += vec_length_up(placed->hidden.shift);
  if (placed->shape.kind == GRAZE_HALFSPACE) size += real_abs(placed->shape.as.halfspace.offset);
  g->error = GUEST_ERROR * size + 0x1p-1060;
  g->shift = vec_unrotate(host->hidden.rotation, offset, g->dim);
  if (compound)
    guest_turn(g, host, placed);
  else if (placed->shape.kind == GRAZE_HALFSPACE)
    guest_plane(g, host, placed);
  else
    guest_body(g, host, placed);
}

void grz_query_shape_sweep(grz_query_shape *g, const graze_placed *host, graze_vec way) {
  g->sweep = vec_unrotate(host->hidden.rotation, way, g->dim);
  g->error += GUEST_ERROR * vec_length_up(way);
}

static graze_aabb guest_along(const graze_aabb *box, graze_vec way) {
  graze_aabb along = {vec_min(box->min, vec_add(box->min, way)), vec_max(box->max, vec_add(box->max, way))};
  return along;
}

graze_aabb grz_query_shape_box(const grz_query_shape *g, const grz_tree_node *node) {
  if (g->node == NULL) return guest_along(&g->box, g->sweep);
  graze_vec centre = vec_scale(vec_add(node->box.min, node->box.max), 0.5);
  graze_vec half = vec_scale(vec_sub(node->box.max, node->box.min), 0.5);
  double size[9];
  for (int i = 0; i < 9; i++) size[i] = real_abs(g->turn[i]);
  graze_vec at = vec_add(vec_rotate(g->turn, centre, g->dim), g->shift), out = vec_rotate(size, half, g->dim);
  graze_aabb box = {vec_sub(at, out), vec_add(at, out)};
  return guest_along(&box, g->sweep);
}

/* The greatest gap along an axis, negative where boxes overlap, or how far apart they are: no signed distance of what
 * lies in them is less. */
static double guest_gap(const graze_aabb *p, const graze_aabb *q, int dim) {
  double x = real_max(q->min.x - p->max.x, p->min.x - q->max.x);
  double y = real_max(q->min.y - p->max.y, p->min.y - q->max.y);
  double z = dim == 2 ? -__builtin_inf() : real_max(q->min.z - p->max.z, p->min.z - q->max.z);
  double most = real_max(real_max(x, y), z);
  if (!(most > 0x1p-500)) return most; /* squares might underflow */
  return vec_length(vec_make(real_max(x, 0), real_max(y, 0), real_max(z, 0)));
}

/* The lowest that a box reaches over the plane. */
static double guest_height(const grz_query_shape *g, const graze_aabb *box) {
  graze_vec n = g->normal;
  double x = real_min(n.x * box->min.x, n.x * box->max.x), y = real_min(n.y * box->min.y, n.y * box->max.y);
  double z = real_min(n.z * box->min.z, n.z * box->max.z);
  return ((x + y) + z) - (g->height + real_max(vec_dot(n, g->sweep), 0));
}

double grz_query_shape_bound(const grz_query_shape *g, const graze_aabb *host, const graze_aabb *box) {
  double gap = g->plane ? guest_height(g, host) : guest_gap(host, box, g->dim);
  return (gap - g->less) - g->error;
}
