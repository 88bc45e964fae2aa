/* Frontiers: the proof that no pair of parts of two bodies is nearer than the answer states.
 *
 * Both trees are descended from their roots. A pair of boxes that a direction separates by the bound becomes a node of
 * the frontier. The directions are that of the answer, which separates most pairs near the contact, and that of the
 * nearest points of both boxes. Single pairs of parts get certificates of their own. Only the verifier decides whether
 * a frontier holds: docs/theory/meshes.md, "Frontiers". */
#include "compound/compound.h"

#include "narrow/stages.h"
#include "shape/placed.h"
#include "shape/support.h"
#include "verify/verify.h"

/* Errors of heights along a direction, in units of the size: of points, and of boxes in floats. */
#define FRONTIER_ERROR (32 * GRZ_U)
#define FRONTIER_BOX_ERROR 0x1p-20

typedef struct frontier_side {
  const graze_placed *placed;
  const grz_tree *tree; /* NULL: convex */
  const graze_mesh *mesh;
  size_t count; /* of parts */
} frontier_side;

/* All parts of a box of the tree, and the box in the frame of the body. Level 0 is a slot. */
typedef struct frontier_box {
  int level;
  size_t index, count;
  graze_aabb box;
} frontier_box;

typedef struct frontier_run {
  grz_compound_query *query;
  graze_frontier *to;
  frontier_side a, b;
  graze_vec offset;     /* from the position of A to that of B */
  double radius, error; /* of both bodies */
  graze_relation relation;
  double wanted;       /* the bound; NaN: only the relation */
  double lower;        /* of all nodes so far */
  graze_vec direction; /* of the answer, or zero */
  size_t nodes, pairs;
} frontier_run;

/* ---- Boxes */

static graze_aabb frontier_box_of(const frontier_side *s, int level, size_t index) {
  const grz_tree *tree = s->tree;
  float side[6];
  double at[6];
  for (int k = 0; k < 6 && level < tree->levels; k++) side[k] = tree->level[level][index / 8].side[k][index % 8];
  if (level == tree->levels) grz_node_union(&tree->level[level - 1][0], side);
  for (int k = 0; k < 6; k++) at[k] = (double)side[k] / tree->scale + (k < 3 ? 1 : -1) * tree->centre[k % 3];
  if (tree->dim == 2) at[2] = at[5] = 0;
  return (graze_aabb){vec_make(at[0], at[1], at[2]), vec_make(-at[3], -at[4], -at[5])};
}

/* A range of one part is a slot: the same ranges as of the verifier. */
static frontier_box frontier_box_make(const frontier_side *s, int level, size_t index) {
  size_t size = (size_t)1 << 3 * level;
  const size_t first = index * size, left = s->count - first, count = left < size ? left : size;
  for (; level > 0 && count <= size / 8; level--) index *= 8, size /= 8;
  frontier_box box = {.level = level, .index = index, .count = count};
  if (s->tree != NULL) box.box = frontier_box_of(s, level, index);
  return box;
}

static double frontier_size(const frontier_box *box) {
  return box->count > 1 ? vec_norm1(vec_sub(box->box.max, box->box.min)) : -1;
}

/* ---- Heights: the largest d·x of all points of a box, relative to the position of the body */

static double frontier_height_of_faces(const frontier_side *s, const frontier_box *box, graze_vec local) {
  const graze_mesh_def *def = &s->mesh->def;
  const size_t first = box->index << 3 * box->level, corners = (size_t)def->dim;
  double most = -__builtin_inf();
  for (size_t i = first; i < first + box->count; i++) {
    const int32_t *corner = def->faces + corners * s->tree->item[i];
    for (size_t k = 0; k < corners; k++) most = real_max(most, vec_dot(local, def->vertices[corner[k]]));
  }
  return most;
}

/* `exact`: of the vertices, not of the box. */
static double frontier_height(const frontier_side *s, const frontier_box *box, graze_vec d, bool exact) {
  const graze_placed *placed = s->placed;
  const graze_vec local = vec_unrotate(placed->hidden.rotation, d, placed->shape.dim);
  const graze_aabb *of = &box->box;
  double slack = 0;
  if (placed->shape.kind == GRAZE_HALFSPACE) return placed->shape.as.halfspace.offset;
  if (s->tree == NULL) {
    const graze_vec at = grz_support_local(&placed->shape, local, &slack).local;
    return vec_dot(local, at) + 2 * slack;
  }
  if (exact) return frontier_height_of_faces(s, box, local);
  return (real_max(local.x * of->min.x, local.x * of->max.x) + real_max(local.y * of->min.y, local.y * of->max.y)) +
         real_max(local.z * of->min.z, local.z * of->max.z);
}

/* A lower bound of the signed distance of all pairs along a unit direction. */
static double frontier_gap(const frontier_run *f, const frontier_box *a, const frontier_box *b, graze_vec d,
                           bool exact) {
  const double heights = frontier_height(&f->a, a, d, exact) + frontier_height(&f->b, b, vec_neg(d), exact);
  const double gap = vec_dot(d, f->offset) - heights - f->radius;
  return gap - real_abs(gap) * FRONTIER_ERROR - (exact ? FRONTIER_ERROR : FRONTIER_BOX_ERROR) * f->error;
}

static bool frontier_holds(const frontier_run *f, double gap) {
  if (f->relation == GRAZE_SEPARATED && !(gap > 0)) return false;
  if (f->relation == GRAZE_TOUCHING && !(gap >= 0)) return false;
  return !(gap < f->wanted - 2 * FRONTIER_ERROR * f->error);
}

/* The direction between the nearest points of both boxes, in the frame of A turned to the world. Zero if they overlap.
 */
static graze_vec frontier_between(const frontier_run *f, const frontier_box *a, const frontier_box *b) {
  const int dim = f->a.placed->shape.dim;
  double gap[3] = {0, 0, 0};
  for (int k = 0; k < dim; k++) {
    const graze_vec axis = vec_column(f->a.placed->hidden.rotation, k);
    const double up = -frontier_height(&f->b, b, vec_neg(axis), false) + vec_dot(axis, f->offset);
    const double down = frontier_height(&f->b, b, axis, false) + vec_dot(axis, f->offset);
    const double above = up - frontier_height(&f->a, a, axis, false),
                 below = down + frontier_height(&f->a, a, vec_neg(axis), false);
    gap[k] = above > 0 ? above : below < 0 ? below : 0;
  }
  const graze_vec local = vec_make(gap[0], gap[1], gap[2]);
  if (!(vec_norm_inf(local) > 0)) return local;
  return vec_rotate(f->a.placed->hidden.rotation, vec_unit(vec_unit_inf(local)), dim);
}

/* ---- The descent */

static void frontier_add(frontier_run *f, graze_frontier_kind kind, graze_vec direction) {
  if (f->nodes < f->to->node_capacity) f->to->nodes[f->nodes] = (graze_frontier_node){kind, direction};
  f->nodes++;
}

static bool frontier_add_direction(frontier_run *f, const frontier_box *a, const frontier_box *b, graze_vec d) {
  const bool meshes = (f->a.tree == NULL || f->a.mesh != NULL) && (f->b.tree == NULL || f->b.mesh != NULL);
  double gap = frontier_gap(f, a, b, d, false);
  if (!frontier_holds(f, gap) && meshes && frontier_holds(f, gap + 4 * FRONTIER_BOX_ERROR * f->error))
    gap = frontier_gap(f, a, b, d, true);
  if (!frontier_holds(f, gap)) return false;
  f->lower = real_min(f->lower, gap);
  frontier_add(f, GRAZE_FRONTIER_DIRECTION, d);
  return true;
}

/* Adds a pair of parts with its own certificate. Returns false if the pair does not have the relation. */
static bool frontier_add_pair(frontier_run *f, const frontier_box *a, const frontier_box *b) {
  const graze_options *options = &f->query->options;
  const int32_t part_a = f->a.tree != NULL ? (int32_t)f->a.tree->item[a->index] : 0;
  const int32_t part_b = f->b.tree != NULL ? (int32_t)f->b.tree->item[b->index] : 0;
  grz_result result;
  if (grz_compound_query_pair(f->query, part_a, part_b, &result) != GRAZE_OK) return false;
  const graze_relation relation = result.answer.relation;
  if (f->relation == GRAZE_SEPARATED && relation != GRAZE_SEPARATED) return false;
  if (f->relation == GRAZE_TOUCHING && relation != GRAZE_SEPARATED && relation != GRAZE_TOUCHING) return false;
  if (f->relation != GRAZE_TOUCHING) f->lower = real_min(f->lower, result.answer.lower);
  if (options->parts != NULL && f->pairs < options->part_capacity) {
    graze_part_proof *part = &options->parts[f->pairs];
    part->part_a = part_a, part->part_b = part_b;
    grz_proof_write(&result.proof, &part->certificate);
  }
  f->pairs++;
  frontier_add(f, GRAZE_FRONTIER_PAIR, vec_make(0, 0, 0));
  return true;
}

/* Adds the nodes of all pairs of parts of two boxes. */
static bool frontier_descend(frontier_run *f, const frontier_box *a, const frontier_box *b) {
  if (vec_norm_inf(f->direction) > 0 && frontier_add_direction(f, a, b, f->direction)) return true;
  const graze_vec between = frontier_between(f, a, b);
  if (vec_norm_inf(between) > 0 && frontier_add_direction(f, a, b, between)) return true;
  if (a->count == 1 && b->count == 1) return frontier_add_pair(f, a, b);
  const bool split_a = frontier_size(a) >= frontier_size(b);
  const frontier_side *side = split_a ? &f->a : &f->b;
  const frontier_box *whole = split_a ? a : b;
  const size_t step = grz_frontier_step(whole->count);
  frontier_add(f, split_a ? GRAZE_FRONTIER_SPLIT_A : GRAZE_FRONTIER_SPLIT_B, vec_make(0, 0, 0));
  for (size_t i = 0; i * step < whole->count; i++) {
    const frontier_box child = frontier_box_make(side, whole->level - 1, 8 * whole->index + i);
    if (!frontier_descend(f, split_a ? &child : a, split_a ? b : &child)) return false;
  }
  return true;
}

static frontier_side frontier_side_make(const graze_placed *placed) {
  const bool parts = grz_has_parts(&placed->shape);
  return (frontier_side){placed, parts ? grz_tree_of(&placed->shape) : NULL,
                         placed->shape.kind == GRAZE_MESH ? placed->shape.as.mesh : NULL, graze_part_count(placed)};
}

static double frontier_radius(const frontier_side *s) {
  return s->tree != NULL ? s->placed->shape.margin : s->placed->hidden.radius;
}

/* Sets the statement that the frontier of this answer must prove. Returns false if the answer needs none. */
static bool frontier_statement(frontier_run *f, const grz_result *result) {
  const graze_answer *answer = &result->answer;
  const bool solid = f->query->solid;
  const bool inside = result->proof.kind == GRAZE_CERTIFICATE_IN_A || result->proof.kind == GRAZE_CERTIFICATE_IN_B;
  f->relation = inside ? GRAZE_SEPARATED : answer->relation;
  f->wanted = inside ? -answer->upper : answer->relation == GRAZE_TOUCHING ? 0 : answer->lower;
  if (answer->relation == GRAZE_UNDECIDED) return false;
  if (answer->relation != GRAZE_OVERLAPPING) return true;
  return inside ? answer->upper < 0 : !solid && answer->lower == answer->lower;
}

graze_status grz_frontier_make(grz_compound_query *query, graze_frontier *to) {
  const graze_placed *a = query->pair.a, *b = query->pair.b;
  grz_result *best = &query->best;
  frontier_run f = {.query = query, .to = to, .a = frontier_side_make(a), .b = frontier_side_make(b)};
  const frontier_box root_a = frontier_box_make(&f.a, f.a.tree != NULL ? f.a.tree->levels : 0, 0);
  const frontier_box root_b = frontier_box_make(&f.b, f.b.tree != NULL ? f.b.tree->levels : 0, 0);
  to->order_a = f.a.tree != NULL ? f.a.tree->item : NULL;
  to->order_b = f.b.tree != NULL ? f.b.tree->item : NULL;
  to->node_count = 0;
  query->frontier_pairs = 0;
  if (!frontier_statement(&f, best)) return GRAZE_OK;
  f.lower = __builtin_inf();
  f.offset = placed_offset(b, a);
  f.radius = frontier_radius(&f.a) + frontier_radius(&f.b) + query->options.clearance;
  f.error = grz_query_shape_size(a) + grz_query_shape_size(b) + f.radius + vec_norm1(f.offset) + 0x1p-1000;
  f.direction =
      best->proof.direction.form == GRAZE_DIRECTION_VECTOR ? best->proof.direction.vector : best->answer.normal;
  f.direction = vec_norm_inf(f.direction) > 0 ? vec_unit(vec_unit_inf(f.direction)) : vec_make(0, 0, 0);
  if (!frontier_descend(&f, &root_a, &root_b)) return query->status;
  to->node_count = f.nodes, query->frontier_pairs = f.pairs;
  if (f.nodes > to->node_capacity || (f.pairs > 0 && f.pairs > query->options.part_capacity)) return GRAZE_NO_SPACE;
  if (best->answer.relation == GRAZE_OVERLAPPING && f.relation == GRAZE_SEPARATED)
    best->answer.upper = real_max(best->answer.upper, -f.lower);
  else if (best->answer.relation != GRAZE_TOUCHING && f.wanted == f.wanted)
    best->answer.lower = real_min(best->answer.lower, f.lower);
  return GRAZE_OK;
}
