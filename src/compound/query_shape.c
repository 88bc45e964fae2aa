/* A query shape in the frame of a target with parts, and lower bounds of its signed distance from boxes, in doubles. */
#include "compound/compound.h"

#include "core/vec.h"
#include "shape/placed.h"
#include "shape/support.h"

/* Rounding errors, relative to both sizes and the distance: docs/theory/compounds.md, "Bounds". */
#define QUERY_SHAPE_ERROR (1024 * GRZ_U)

double grz_query_shape_size(const graze_placed *placed) {
  const graze_compound *compound = placed->shape.kind == GRAZE_COMPOUND ? placed->shape.as.compound : NULL;
  return placed->hidden.bounding_radius + placed->hidden.radius + (compound != NULL ? compound->radius : 0);
}

/* Sets the rows of R(target)^T R(query), and the bounds of all parts. */
static void query_shape_set_rotation(grz_query_shape *g, const graze_placed *target, const graze_placed *placed) {
  const graze_aabb *bounds = grz_bounds_of_parts(&placed->shape);
  double size[9];
  for (int k = 0; k < 3; k++) {
    graze_vec row = vec_unrotate(placed->hidden.rotation, vec_column(target->hidden.rotation, k), 3);
    g->turn[3 * k] = row.x, g->turn[3 * k + 1] = row.y, g->turn[3 * k + 2] = row.z;
  }
  for (int i = 0; i < 9; i++) size[i] = real_abs(g->turn[i]);
  const graze_vec centre = vec_scale(vec_add(bounds->min, bounds->max), 0.5);
  const graze_vec half = vec_scale(vec_sub(bounds->max, bounds->min), 0.5);
  const graze_vec at = vec_add(vec_rotate(g->turn, centre, g->dim), g->shift), out = vec_rotate(size, half, g->dim);
  g->box = (graze_aabb){vec_sub(at, out), vec_add(at, out)};
}

/* The support value of a convex query shape in a unit world direction, relative to its own origin. */
static double query_shape_support(const graze_placed *placed, graze_vec d) {
  const int dim = placed->shape.dim;
  double slack = 0;
  grz_core_point support = grz_support_local(&placed->shape, vec_unrotate(placed->hidden.rotation, d, dim), &slack);
  return (vec_dot(d, vec_rotate(placed->hidden.rotation, support.local, dim)) + placed->hidden.radius) + 2 * slack;
}

static void query_shape_set_box(grz_query_shape *g, const graze_placed *target, const graze_placed *placed) {
  const double at[3] = {g->shift.x, g->shift.y, g->shift.z};
  double min[3] = {0, 0, 0}, max[3] = {0, 0, 0};
  const bool point = grz_core_is_point(&placed->shape);
  for (int k = 0; k < g->dim; k++) {
    max[k] = at[k] + placed->hidden.radius, min[k] = at[k] - placed->hidden.radius;
    if (point) continue;
    graze_vec axis = vec_column(target->hidden.rotation, k);
    max[k] = at[k] + query_shape_support(placed, axis);
    min[k] = at[k] - query_shape_support(placed, vec_neg(axis));
  }
  g->box.min = vec_make(min[0], min[1], min[2]);
  g->box.max = vec_make(max[0], max[1], max[2]);
}

static void query_shape_set_halfspace(grz_query_shape *g, const graze_placed *target, const graze_placed *placed) {
  graze_vec n = vec_unit_inf(placed->shape.as.halfspace.normal);
  graze_vec world = vec_rotate(placed->hidden.rotation, vec_scale(n, 1 / vec_length(n)), g->dim);
  g->plane = true;
  g->normal = vec_unrotate(target->hidden.rotation, world, g->dim);
  g->height = (vec_dot(g->normal, g->shift) + placed->shape.as.halfspace.offset) + placed->hidden.radius;
}

void grz_query_shape_make(grz_query_shape *g, const graze_placed *target, const graze_placed *placed,
                          double clearance) {
  graze_vec offset = placed_from(placed, target->pose.position);
  const bool has_parts = grz_has_parts(&placed->shape);
  g->dim = target->shape.dim;
  g->tree = has_parts ? grz_tree_of(&placed->shape) : NULL;
  g->mesh = placed->shape.kind == GRAZE_MESH ? placed->shape.as.mesh : NULL;
  g->plane = false;
  g->box = (graze_aabb){{0, 0, 0}, {0, 0, 0}};
  g->sweep = vec_make(0, 0, 0);
  g->less = target->shape.margin + (has_parts ? placed->shape.margin : 0) + clearance;
  double size = grz_query_shape_size(target) + grz_query_shape_size(placed) + clearance + vec_length_up(offset);
  if (placed_is_part(placed)) size += vec_length_up(grz_placed_shift(placed));
  if (placed->shape.kind == GRAZE_HALFSPACE) size += real_abs(placed->shape.as.halfspace.offset);
  g->error = QUERY_SHAPE_ERROR * size + 0x1p-1060;
  g->shift = vec_unrotate(target->hidden.rotation, offset, g->dim);
  if (has_parts)
    query_shape_set_rotation(g, target, placed);
  else if (placed->shape.kind == GRAZE_HALFSPACE)
    query_shape_set_halfspace(g, target, placed);
  else
    query_shape_set_box(g, target, placed);
}

void grz_query_shape_move(grz_query_shape *g, const graze_placed *target, graze_vec displacement) {
  const graze_vec local = vec_unrotate(target->hidden.rotation, displacement, g->dim);
  g->shift = vec_add(g->shift, local);
  g->box = (graze_aabb){vec_add(g->box.min, local), vec_add(g->box.max, local)};
  g->error += QUERY_SHAPE_ERROR * vec_length_up(displacement);
}

void grz_query_shape_sweep(grz_query_shape *g, const graze_placed *target, graze_vec displacement) {
  g->sweep = vec_unrotate(target->hidden.rotation, displacement, g->dim);
  g->error += QUERY_SHAPE_ERROR * vec_length_up(displacement);
}

graze_aabb grz_query_shape_box(const grz_query_shape *g) {
  const graze_aabb *box = &g->box;
  return (graze_aabb){vec_min(box->min, vec_add(box->min, g->sweep)), vec_max(box->max, vec_add(box->max, g->sweep))};
}

/* The distance of the boxes if they are disjoint, otherwise the largest (negative) gap along an axis. Both are lower
 * bounds of the signed distance of the contents. */
static double query_shape_box_gap(const graze_aabb *p, const graze_aabb *q, int dim) {
  double x = real_max(q->min.x - p->max.x, p->min.x - q->max.x);
  double y = real_max(q->min.y - p->max.y, p->min.y - q->max.y);
  double z = dim == 2 ? -__builtin_inf() : real_max(q->min.z - p->max.z, p->min.z - q->max.z);
  double most = real_max(real_max(x, y), z);
  if (!(most > 0x1p-500)) return most; /* squares might underflow */
  return vec_length(vec_make(real_max(x, 0), real_max(y, 0), real_max(z, 0)));
}

/* The lowest height of a box above the half-space. */
static double query_shape_height(const grz_query_shape *g, const graze_aabb *box) {
  graze_vec n = g->normal;
  double x = real_min(n.x * box->min.x, n.x * box->max.x), y = real_min(n.y * box->min.y, n.y * box->max.y);
  double z = real_min(n.z * box->min.z, n.z * box->max.z);
  return ((x + y) + z) - (g->height + real_max(vec_dot(n, g->sweep), 0));
}

double grz_query_shape_bound(const grz_query_shape *g, const graze_aabb *target, const graze_aabb *box) {
  double gap = g->plane ? query_shape_height(g, target) : query_shape_box_gap(target, box, g->dim);
  return (gap - g->less) - g->error;
}
