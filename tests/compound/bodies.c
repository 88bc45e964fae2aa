#include "compound/bodies.h"

#include <math.h>
#include <stdlib.h>

static uint64_t bodies_next(bodies_random *random) {
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return random->state * 0x2545f4914f6cdd1du;
}

double bodies_between(bodies_random *random, double low, double high) {
  return low + (high - low) * ((double)(bodies_next(random) >> 11) * 0x1p-53);
}

int bodies_below(bodies_random *random, int count) { return (int)((bodies_next(random) >> 33) % (uint64_t)count); }

static graze_vec bodies_vec(bodies_random *random, int dim, double size) {
  graze_vec v = {bodies_between(random, -size, size), bodies_between(random, -size, size), 0};
  if (dim == 3) v.z = bodies_between(random, -size, size);
  return v;
}

graze_pose bodies_pose(bodies_random *random, int dim, double spread) {
  graze_vec at = bodies_vec(random, dim, spread);
  graze_vec q = bodies_vec(random, 3, 1);
  if (bodies_below(random, 4) == 0) return graze_pose_at(round(at.x), round(at.y), round(at.z));
  graze_pose pose = {at, bodies_between(random, -1, 1), dim == 3 ? q.x : 0, dim == 3 ? q.y : 0, q.z};
  return pose;
}

static graze_shape bodies_polygon(bodies_random *random, graze_vec room[8]) {
  int count = 3 + bodies_below(random, 6);
  double turn = bodies_between(random, 0, 6);
  for (int i = 0; i < count; i++) {
    double angle = turn + 6.283185307179586 * i / count;
    room[i] = (graze_vec){cos(angle), sin(angle), 0};
  }
  return graze_polygon(room, (size_t)count);
}

static graze_shape bodies_flat(bodies_random *random, int dim) {
  graze_vec a = bodies_vec(random, dim, 1), b = bodies_vec(random, dim, 1), c = bodies_vec(random, dim, 1);
  switch (bodies_below(random, 3)) {
  case 0: return dim == 2 ? graze_point2() : graze_point();
  case 1: return dim == 2 ? graze_segment2(a, b) : graze_segment(a, b);
  default: return dim == 2 ? graze_triangle2(a, b, c) : graze_triangle(a, b, c);
  }
}

static graze_shape bodies_curved(bodies_random *random, int dim) {
  double x = bodies_between(random, 0.2, 1), y = bodies_between(random, 0.2, 1), z = bodies_between(random, 0.2, 1);
  if (dim == 2) return graze_ellipse(x, y);
  int kind = bodies_below(random, 3);
  return kind == 0 ? graze_ellipsoid(x, y, z) : kind == 1 ? graze_cylinder(x, y) : graze_cone(x, y);
}

graze_shape bodies_convex(bodies_random *random, int dim, bool curved, graze_vec room[8]) {
  double x = bodies_between(random, 0.2, 1), y = bodies_between(random, 0.2, 1), z = bodies_between(random, 0.2, 1);
  graze_shape shape;
  switch (bodies_below(random, curved ? 6 : 5)) {
  case 0: shape = dim == 2 ? graze_box2(x, y) : graze_box(x, y, z); break;
  case 1: shape = dim == 2 ? graze_circle(x) : graze_sphere(x); break;
  case 2: shape = dim == 2 ? graze_capsule2(x, y) : graze_capsule(x, y); break;
  case 3: shape = bodies_flat(random, dim); break;
  case 4:
    for (int i = 0; i < 8; i++) room[i] = bodies_vec(random, dim, 1);
    shape = dim == 2 ? bodies_polygon(random, room) : graze_hull(room, 8);
    break;
  default: shape = bodies_curved(random, dim); break;
  }
  return bodies_below(random, 4) == 0 ? graze_with_margin(shape, bodies_between(random, 0, 0.3)) : shape;
}

static double bodies_ball_support(void *context, graze_vec d, graze_vec *point) {
  const double radius = *(const double *)context, length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  const double f = radius * (1 - 0x1p-48) / length;
  *point = (graze_vec){d.x * f, d.y * f, d.z * f};
  return radius * 0x1p-46;
}

graze_shape bodies_ball(int dim, double *radius) { return graze_user(dim, bodies_ball_support, radius); }

void bodies_make(bodies_random *random, int dim, int count, bool curved, bodies_compound *made) {
  graze_placed parts[BODIES_PARTS];
  for (int i = 0; i < count; i++) {
    graze_shape shape = bodies_convex(random, dim, curved, made->room[i]);
    parts[i] = graze_place(&shape, bodies_pose(random, dim, 4));
  }
  if (graze_compound_create(parts, (size_t)count, NULL, &made->compound, NULL) != GRAZE_OK) abort();
}

static double bodies_step(bodies_random *random, double low, double high) {
  return round(64 * bodies_between(random, low, high)) / 64;
}

void bodies_cut(bodies_random *random, int count, bodies_strip *strip) {
  strip->count = count;
  for (int i = 0; i <= count; i++) {
    strip->below[i] = (graze_vec){i + bodies_step(random, -0.1, 0.1), bodies_step(random, -2, -0.5), 0};
    strip->above[i] = (graze_vec){i + bodies_step(random, -0.1, 0.1), bodies_step(random, 0.5, 2), 0};
  }
  for (int i = 0; i < count; i++) {
    graze_vec *corner = strip->corners + 4 * i;
    corner[0] = strip->below[i], corner[1] = strip->below[i + 1];
    corner[2] = strip->above[i + 1], corner[3] = strip->above[i];
    strip->start[i] = (size_t)(4 * i);
    strip->seams[i] = (graze_seam){i, i + 1, strip->below[i + 1], strip->above[i + 1]};
  }
  strip->start[count] = (size_t)(4 * count);
  strip->decomposition = (graze_decomposition){.vertices = strip->corners,
                                               .piece_start = strip->start,
                                               .piece_count = (size_t)count,
                                               .seams = strip->seams,
                                               .seam_count = (size_t)count - 1};
}

/* Is the point on the edge? Otherwise counts how the edge winds around it. */
static bool bodies_on_edge(graze_vec p, graze_vec q, graze_vec at, int *winding) {
  int64_t px = (int64_t)(512 * (p.x - at.x)), py = (int64_t)(512 * (p.y - at.y));
  int64_t qx = (int64_t)(512 * (q.x - at.x)), qy = (int64_t)(512 * (q.y - at.y)), turn = px * qy - py * qx;
  if (turn == 0 && px * qx <= 0 && py * qy <= 0) return true;
  if (py <= 0 && qy > 0 && turn > 0) ++*winding;
  if (qy <= 0 && py > 0 && turn < 0) --*winding;
  return false;
}

graze_relation bodies_where(const graze_ring *rings, int count, graze_vec at) {
  int rings_around = 0;
  for (int r = 0; r < count; r++) {
    int winding = 0;
    for (size_t i = 0; i < rings[r].count; i++) {
      const graze_vec *p = &rings[r].vertices[i], *q = &rings[r].vertices[(i + 1) % rings[r].count];
      if (bodies_on_edge(*p, *q, at, &winding)) return GRAZE_TOUCHING;
    }
    rings_around += winding != 0;
  }
  return rings_around % 2 ? GRAZE_OVERLAPPING : GRAZE_SEPARATED;
}

static int bodies_strength(graze_relation relation) {
  return relation == GRAZE_OVERLAPPING ? 3 : relation == GRAZE_UNDECIDED ? 2 : relation == GRAZE_TOUCHING;
}

bodies_truth bodies_ask_all(const graze_placed *a, const graze_placed *b, double clearance) {
  bodies_truth truth = {GRAZE_SEPARATED, INFINITY, INFINITY, 0};
  graze_options options = graze_default_options();
  graze_answer answer;
  options.clearance = clearance;
  for (size_t i = 0; i < graze_part_count(a); i++) {
    for (size_t k = 0; k < graze_part_count(b); k++) {
      graze_placed part_a = graze_part(a, i), part_b = graze_part(b, k);
      if (graze_distance(&part_a, &part_b, &options, &answer) != GRAZE_OK) abort();
      if (bodies_strength(answer.relation) > bodies_strength(truth.relation)) truth.relation = answer.relation;
      truth.lower = fmin(truth.lower, answer.lower);
      truth.upper = fmin(truth.upper, answer.upper);
      truth.pairs++;
    }
  }
  return truth;
}

static void *bodies_allocate(void *context, size_t size) {
  bodies_memory *memory = context;
  const long call = memory->calls++;
  if (memory->once ? call == memory->fail_at : call >= memory->fail_at) return NULL;
  memory->out++;
  return malloc(size);
}

static void bodies_release(void *context, void *block) {
  bodies_memory *memory = context;
  memory->out--;
  free(block);
}

graze_allocator bodies_allocator(bodies_memory *memory) {
  graze_allocator allocator = {bodies_allocate, bodies_release, memory};
  return allocator;
}
