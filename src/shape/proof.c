/* Conversion between public certificates and grz_proof. */
#include "shape/proof.h"

/* Returns the public index of a parent. Appends a point of a curved shape to the certificate. */
static int32_t proof_write_parent(graze_certificate *c, int32_t index, graze_vec point) {
  if (index >= 0) return index;
  c->points[c->point_count] = point;
  return -1 - c->point_count++;
}

static void proof_write_pairs(graze_certificate *c, const grz_pair *from, int count, graze_pair *to) {
  for (int i = 0; i < count; i++) {
    to[i].a = proof_write_parent(c, from[i].a, from[i].point_a);
    to[i].b = proof_write_parent(c, from[i].b, from[i].point_b);
    to[i].end = from[i].end;
  }
}

void grz_proof_write(const grz_proof *proof, graze_certificate *c) {
  const grz_direction *d = &proof->direction;
  const bool by_pairs = d->form > GRAZE_DIRECTION_VECTOR;
  c->kind = proof->kind, c->depth_proof = proof->depth_proof;
  c->point_count = 0;
  c->direction.form = d->form;
  c->direction.vector = d->form == GRAZE_DIRECTION_VECTOR ? d->vector : (graze_vec){0, 0, 0};
  c->direction.sign = d->form > GRAZE_DIRECTION_NEAREST ? d->sign : 0;
  c->direction.axis = d->form == GRAZE_DIRECTION_EDGE ? d->axis : 0;
  c->direction.count = by_pairs ? d->count : 0;
  proof_write_pairs(c, d->pairs, c->direction.count, c->direction.pairs);
  c->pair_count = proof->pair_count;
  proof_write_pairs(c, proof->pairs, proof->pair_count, c->pairs);
  c->vertex =
      proof->kind == GRAZE_CERTIFICATE_HALFSPACE ? proof_write_parent(c, proof->vertex, proof->vertex_point) : -1;
  c->surface = proof->surface;
  for (int k = 0; k < 2 && proof->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE; k++) {
    const grz_edge_touch *from = &proof->internal_edge[k];
    graze_internal_edge_touch *to = &c->internal_edge[k];
    to->part_a = from->part_a, to->part_b = from->part_b, to->sign = from->sign, to->pair_count = from->pair_count;
    proof_write_pairs(c, from->pairs, from->pair_count, to->pairs);
  }
  c->parts = NULL, c->part_count = 0;
  c->frontier = NULL;
  c->steps = NULL, c->step_count = 0;
}

/* Reads the index of a parent: a vertex, or -1 and its point. */
static bool proof_read_parent(int32_t index, const graze_vec *points, size_t point_count, int32_t *parent,
                              graze_vec *point) {
  *parent = index < 0 ? -1 : index;
  *point = (graze_vec){0, 0, 0};
  if (index >= 0) return true;
  const size_t at = (size_t)(-1 - (int64_t)index);
  if (points == NULL || at >= point_count) return false;
  *point = points[at];
  return true;
}

bool grz_pair_read(const graze_pair *pair, const graze_vec *points, size_t point_count, grz_pair *read) {
  read->end = pair->end;
  return proof_read_parent(pair->a, points, point_count, &read->a, &read->point_a) &&
         proof_read_parent(pair->b, points, point_count, &read->b, &read->point_b);
}

static bool proof_read_pairs(const graze_certificate *c, const graze_pair *from, int count, int max_count,
                             grz_pair *to) {
  if (count < 0 || count > max_count) return false;
  for (int i = 0; i < count; i++)
    if (!grz_pair_read(&from[i], c->points, (size_t)c->point_count, &to[i])) return false;
  return true;
}

bool grz_proof_read(const graze_certificate *c, grz_proof *proof) {
  grz_direction *d = &proof->direction;
  if (c->point_count < 0 || (size_t)c->point_count > sizeof c->points / sizeof c->points[0]) return false;
  proof->kind = c->kind, proof->depth_proof = c->depth_proof, proof->surface = c->surface;
  d->form = c->direction.form, d->vector = c->direction.vector;
  d->sign = c->direction.sign, d->axis = c->direction.axis, d->count = c->direction.count;
  const bool by_pairs = d->form != GRAZE_DIRECTION_NONE && d->form != GRAZE_DIRECTION_VECTOR;
  if (by_pairs && !proof_read_pairs(c, c->direction.pairs, d->count, 4, d->pairs)) return false;
  proof->pair_count = c->pair_count;
  if (!proof_read_pairs(c, c->pairs, c->pair_count, 6, proof->pairs)) return false;
  proof->vertex = -1, proof->vertex_point = (graze_vec){0, 0, 0};
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE &&
      !proof_read_parent(c->vertex, c->points, (size_t)c->point_count, &proof->vertex, &proof->vertex_point))
    return false;
  for (int k = 0; k < 2 && c->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE; k++) {
    const graze_internal_edge_touch *from = &c->internal_edge[k];
    grz_edge_touch *to = &proof->internal_edge[k];
    to->part_a = from->part_a, to->part_b = from->part_b, to->sign = from->sign, to->pair_count = from->pair_count;
    if (!proof_read_pairs(c, from->pairs, from->pair_count, 4, to->pairs)) return false;
  }
  return true;
}
