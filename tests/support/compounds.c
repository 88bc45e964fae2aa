#include "support/proved.h"
#include "support/compounds.h"

#include <stdlib.h>
#include <string.h>

#include "support/families.h"
#include "support/geometry.h"
#include "support/shapes.h"

graze_pose random_grid_pose(rng *random, int dim, double spread) {
  graze_vec at = rng_vec(random, dim, spread);
  graze_vec q = rng_vec(random, 3, 1);
  if (rng_below(random, 4) == 0) return graze_pose_at(round(at.x), round(at.y), round(at.z));
  graze_pose pose = {at, rng_uniform(random, -1, 1), dim == 3 ? q.x : 0, dim == 3 ? q.y : 0, q.z};
  return pose;
}

static graze_shape regular_polygon(rng *random, graze_vec vertices[8]) {
  const int count = 3 + rng_below(random, 6);
  const double turn = rng_uniform(random, 0, 6);
  for (int i = 0; i < count; i++) {
    const double angle = turn + 6.283185307179586 * i / count;
    vertices[i] = vec(cos(angle), sin(angle), 0);
  }
  return graze_polygon(vertices, (size_t)count);
}

static graze_shape flat_shape(rng *random, int dim) {
  const graze_vec a = rng_vec(random, dim, 1), b = rng_vec(random, dim, 1), c = rng_vec(random, dim, 1);
  switch (rng_below(random, 3)) {
  case 0: return point_of(dim);
  case 1: return segment_of(dim, a, b);
  default: return dim == 2 ? graze_triangle2(a, b, c) : graze_triangle(a, b, c);
  }
}

graze_shape random_convex(rng *random, int dim, bool curved, graze_vec vertices[8]) {
  const double x = rng_uniform(random, 0.2, 1), y = rng_uniform(random, 0.2, 1), z = rng_uniform(random, 0.2, 1);
  graze_shape shape;
  switch (rng_below(random, curved ? 6 : 5)) {
  case 0: shape = box_of(dim, x, y, z); break;
  case 1: shape = ball_of(dim, x); break;
  case 2: shape = capsule_of(dim, x, y); break;
  case 3: shape = flat_shape(random, dim); break;
  case 4:
    for (int i = 0; i < 8; i++) vertices[i] = rng_vec(random, dim, 1);
    shape = dim == 2 ? regular_polygon(random, vertices) : graze_hull_points(vertices, 8);
    break;
  default: shape = random_curved(random, dim, 0.2); break;
  }
  return rng_below(random, 4) == 0 ? graze_with_margin(shape, rng_uniform(random, 0, 0.3)) : shape;
}

static double ball_support(void *context, graze_vec d, graze_vec *point) {
  const double radius = *(const double *)context;
  *point = scaled(radius * (1 - 0x1p-48) / norm(d), d);
  return radius * 0x1p-46;
}

graze_shape user_ball(int dim, double *radius) { return graze_user(dim, ball_support, radius); }

static double box_support(void *context, graze_vec d, graze_vec *point) {
  const graze_vec *h = context;
  *point = vec(d.x > 0 ? h->x : -h->x, d.y > 0 ? h->y : -h->y, d.z > 0 ? h->z : -h->z);
  return 0;
}

graze_shape user_box(int dim, graze_vec *half_extents) { return graze_user(dim, box_support, half_extents); }

graze_compound *compound_of(const graze_placed *parts, size_t count) {
  graze_compound *made = NULL;
  if (graze_compound_create(parts, count, NULL, &made, NULL) != GRAZE_OK) abort();
  return made;
}

graze_compound *compound_of_outline(const graze_vec *outline, size_t count) {
  const graze_ring ring = {outline, count};
  graze_decomposition pieces;
  graze_compound *made = NULL;
  if (graze_decompose(ring, NULL, 0, GRAZE_SPLIT_AUTO, NULL, &pieces, NULL, NULL) != GRAZE_OK) abort();
  if (graze_decomposition_compound(&pieces, NULL, &made) != GRAZE_OK) abort();
  graze_decomposition_destroy(&pieces);
  return made;
}

void random_compound(rng *random, int dim, int count, bool curved, compound_fixture *made) {
  graze_placed parts[COMPOUND_PARTS];
  for (int i = 0; i < count; i++) {
    graze_shape shape = random_convex(random, dim, curved, made->vertices[i]);
    parts[i] = graze_place(&shape, random_grid_pose(random, dim, 4));
  }
  made->compound = compound_of(parts, (size_t)count);
}

static double lattice_step(rng *random, double low, double high) {
  return round(64 * rng_uniform(random, low, high)) / 64;
}

void random_strip(rng *random, int count, polygon_strip *strip) {
  strip->count = count;
  for (int i = 0; i <= count; i++) {
    strip->below[i] = (graze_vec){i + lattice_step(random, -0.1, 0.1), lattice_step(random, -2, -0.5), 0};
    strip->above[i] = (graze_vec){i + lattice_step(random, -0.1, 0.1), lattice_step(random, 0.5, 2), 0};
  }
  for (int i = 0; i < count; i++) {
    graze_vec *corner = strip->corners + 4 * i;
    corner[0] = strip->below[i], corner[1] = strip->below[i + 1];
    corner[2] = strip->above[i + 1], corner[3] = strip->above[i];
    strip->start[i] = (size_t)(4 * i);
    strip->internal_edges[i] = (graze_internal_edge){i, i + 1, strip->below[i + 1], strip->above[i + 1]};
  }
  strip->start[count] = (size_t)(4 * count);
  strip->decomposition = (graze_decomposition){.vertices = strip->corners,
                                               .piece_start = strip->start,
                                               .piece_count = (size_t)count,
                                               .internal_edges = strip->internal_edges,
                                               .internal_edge_count = (size_t)count - 1};
}

/* Whether the point is on the edge; else adds the edge to the winding number. */
static bool on_edge(graze_vec p, graze_vec q, graze_vec at, int *winding) {
  int64_t px = (int64_t)(512 * (p.x - at.x)), py = (int64_t)(512 * (p.y - at.y));
  int64_t qx = (int64_t)(512 * (q.x - at.x)), qy = (int64_t)(512 * (q.y - at.y)), turn = px * qy - py * qx;
  if (turn == 0 && px * qx <= 0 && py * qy <= 0) return true;
  if (py <= 0 && qy > 0 && turn > 0) ++*winding;
  if (qy <= 0 && py > 0 && turn < 0) --*winding;
  return false;
}

graze_relation locate_point(const graze_ring *rings, int count, graze_vec at) {
  int rings_around = 0;
  for (int r = 0; r < count; r++) {
    int winding = 0;
    for (size_t i = 0; i < rings[r].count; i++) {
      const graze_vec *p = &rings[r].vertices[i], *q = &rings[r].vertices[(i + 1) % rings[r].count];
      if (on_edge(*p, *q, at, &winding)) return GRAZE_TOUCHING;
    }
    rings_around += winding != 0;
  }
  return rings_around % 2 ? GRAZE_OVERLAPPING : GRAZE_SEPARATED;
}

static int strength(graze_relation relation) {
  return relation == GRAZE_OVERLAPPING ? 3 : relation == GRAZE_UNDECIDED ? 2 : relation == GRAZE_TOUCHING;
}

parts_truth query_all_parts(const graze_placed *a, const graze_placed *b, double clearance) {
  parts_truth truth = {GRAZE_SEPARATED, INFINITY, INFINITY, 0};
  graze_options options = graze_default_options();
  proved_answer answer;
  options.clearance = clearance;
  for (size_t i = 0; i < graze_part_count(a); i++) {
    for (size_t k = 0; k < graze_part_count(b); k++) {
      graze_placed part_a = graze_part(a, i, &(graze_frame){{0}}), part_b = graze_part(b, k, &(graze_frame){{0}});
      if (query_distance(&part_a, &part_b, &options, &answer) != GRAZE_OK) abort();
      if (strength(answer.relation) > strength(truth.relation)) truth.relation = answer.relation;
      truth.lower = fmin(truth.lower, answer.lower);
      truth.upper = fmin(truth.upper, answer.upper);
      truth.pairs++;
    }
  }
  return truth;
}

enum { BLOCK_HEAD = 16 }; /* the size stands before the block */

static void *allocate(void *context, size_t size) {
  failing_memory *memory = context;
  const long call = memory->calls++;
  if (memory->once ? call == memory->fail_at : call >= memory->fail_at) {
    memory->failed++;
    return NULL;
  }
  char *block = malloc(BLOCK_HEAD + size);
  if (block == NULL) abort();
  memset(block, 0xa5, BLOCK_HEAD + size);
  memcpy(block, &size, sizeof size);
  memory->out++, memory->bytes += size;
  if (memory->bytes > memory->most) memory->most = memory->bytes;
  return block + BLOCK_HEAD;
}

static void release(void *context, void *at) {
  failing_memory *memory = context;
  char *block = (char *)at - BLOCK_HEAD;
  size_t size;
  memcpy(&size, block, sizeof size);
  memset(block, 0x5a, BLOCK_HEAD + size);
  memory->out--, memory->bytes -= size;
  free(block);
}

graze_allocator failing_allocator(failing_memory *memory) { return (graze_allocator){allocate, release, memory}; }
