/* Solids of unit cells of a lattice, against the cells. The truth is exact and simple: two unions of boxes overlap if
 * the interiors of two boxes meet, and their distance is that of the nearest boxes. The solids have holes, cavities,
 * common faces, edges of four faces and vertices of many. Seeds are stated at each test. */
#include <graze/mesh.h>

#include "support/query.h"
#include "support/random.h"
#include "support/test.h"

enum { SIDE = 4, CELLS = SIDE * SIDE * SIDE, FACES = 12 * CELLS };

static rng dice;

/* Cells of a lattice, moved by `offset`, and their surface. */
typedef struct solid {
  int dim, count;
  bool cell[SIDE][SIDE][SIDE];
  graze_vec low[CELLS]; /* the lowest corner of each cell in use, with the offset */
  graze_vec vertices[(SIDE + 1) * (SIDE + 1) * (SIDE + 1)];
  int32_t faces[3 * FACES];
  graze_mesh *mesh;
} solid;

static bool is_filled(const solid *s, int x, int y, int z) {
  const int top = s->dim == 2 ? 1 : SIDE;
  return x >= 0 && y >= 0 && z >= 0 && x < SIDE && y < SIDE && z < top && s->cell[z][y][x];
}

static void fill(solid *s) {
  const int kind = rng_below(&dice, 7), top = s->dim == 2 ? 1 : SIDE, size = rng_between(&dice, 1, SIDE);
  for (int z = 0; z < top; z++) {
    for (int y = 0; y < SIDE; y++) {
      for (int x = 0; x < SIDE; x++) {
        const bool inner = x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1;
        bool *cell = &s->cell[z][y][x];
        switch (kind) {
        case 0: *cell = rng_below(&dice, 2); break;
        case 1: *cell = rng_below(&dice, 5) == 0; break;
        case 2: *cell = x < size && y < size && z < size; break;                     /* a box */
        case 3: *cell = !inner && (s->dim == 2 || z < 2); break;                     /* a ring */
        case 4: *cell = !inner || (s->dim == 3 && (z == 0 || z == SIDE - 1)); break; /* a hollow box */
        case 5: *cell = (x + y + z) % 2 == 0; break;                                 /* common edges */
        default: *cell = x == 0 || y == 0; break;                                    /* an L */
        }
      }
    }
  }
  s->cell[0][0][0] = true;
}

static int32_t vertex_at(int x, int y, int z) { return (z * (SIDE + 1) + y) * (SIDE + 1) + x; }

/* Appends the square with these corners, counter-clockwise from outside, by one of its diagonals. */
static int add_square(int32_t *faces, int32_t a, int32_t b, int32_t c, int32_t d) {
  const int32_t by_ac[6] = {a, b, c, a, c, d}, by_bd[6] = {a, b, d, b, c, d};
  memcpy(faces, rng_coin(&dice) ? by_ac : by_bd, sizeof by_ac);
  return 2;
}

static void make(solid *s, int dim, graze_vec offset) {
  const int top = dim == 2 ? 1 : SIDE;
  int faces = 0;
  memset(s, 0, sizeof *s);
  s->dim = dim;
  fill(s);
  for (int z = 0; z <= (dim == 2 ? 0 : SIDE); z++)
    for (int y = 0; y <= SIDE; y++)
      for (int x = 0; x <= SIDE; x++) s->vertices[vertex_at(x, y, z)] = add(vec(x, y, z), offset);
  for (int z = 0; z < top; z++) {
    for (int y = 0; y < SIDE; y++) {
      for (int x = 0; x < SIDE; x++) {
        if (!is_filled(s, x, y, z)) continue;
        s->low[s->count++] = add(vec(x, y, z), offset);
        const int32_t p[8] = {vertex_at(x, y, z),         vertex_at(x + 1, y, z),        vertex_at(x, y + 1, z),
                              vertex_at(x + 1, y + 1, z), vertex_at(x, y, z + 1),        vertex_at(x + 1, y, z + 1),
                              vertex_at(x, y + 1, z + 1), vertex_at(x + 1, y + 1, z + 1)};
        const bool open[6] = {!is_filled(s, x - 1, y, z), !is_filled(s, x + 1, y, z), !is_filled(s, x, y - 1, z),
                              !is_filled(s, x, y + 1, z), !is_filled(s, x, y, z - 1), !is_filled(s, x, y, z + 1)};
        static const int square[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
        static const int edge[4][2] = {{2, 0}, {1, 3}, {0, 1}, {3, 2}};
        for (int k = 0; k < 2 * dim; k++) {
          if (!open[k]) continue;
          if (dim == 2) {
            s->faces[2 * faces] = p[edge[k][0]], s->faces[2 * faces + 1] = p[edge[k][1]];
            faces++;
          } else {
            const int *q = square[k];
            faces += add_square(s->faces + 3 * faces, p[q[0]], p[q[1]], p[q[2]], p[q[3]]);
          }
        }
      }
    }
  }
  const graze_mesh_def def = {.dim = dim,
                              .vertices = s->vertices,
                              .vertex_count = (size_t)((SIDE + 1) * (SIDE + 1) * (dim == 2 ? 1 : SIDE + 1)),
                              .faces = s->faces,
                              .face_count = (size_t)faces};
  assert_int_equal(graze_mesh_create(&def, NULL, &s->mesh, NULL), GRAZE_OK);
  assert_true(graze_mesh_is_solid(s->mesh));
}

/* ---- The truth */

/* The gap of two intervals of a length of 1; negative if they overlap. */
static double gap_of(double p, double q) { return fmax(q - p, p - q) - 1; }

typedef struct pair_truth {
  graze_relation relation;
  double distance; /* 0 unless separated */
} pair_truth;

static pair_truth truth_of(const solid *a, const solid *b) {
  double least = INFINITY, deepest = INFINITY;
  for (int i = 0; i < a->count; i++) {
    for (int k = 0; k < b->count; k++) {
      const graze_vec p = a->low[i], q = b->low[k];
      const double x = gap_of(p.x, q.x), y = gap_of(p.y, q.y), z = a->dim == 2 ? -1 : gap_of(p.z, q.z);
      least = fmin(least, fmax(x, 0) * fmax(x, 0) + fmax(y, 0) * fmax(y, 0) + fmax(z, 0) * fmax(z, 0));
      deepest = fmin(deepest, fmax(fmax(x, y), z));
    }
  }
  if (deepest < 0) return (pair_truth){GRAZE_OVERLAPPING, 0};
  return least > 0 ? (pair_truth){GRAZE_SEPARATED, sqrt(least)} : (pair_truth){GRAZE_TOUCHING, 0};
}

/* Half of all offsets are whole numbers, so that faces lie on faces. */
static graze_vec any_offset(int dim, double most) {
  const double step = rng_coin(&dice) ? 1 : 0.25;
  const int n = (int)(most / step);
  return scaled(step, rng_lattice_vec(&dice, dim, -n, n));
}

/* A rotation by a small quaternion; all bodies of a case have the same pose, so their local coordinates are exact. */
static graze_pose any_pose(int dim) {
  graze_pose pose = graze_pose_identity();
  pose.position = rng_vec(&dice, dim, 10);
  if (rng_coin(&dice)) return pose;
  pose.z = rng_between(&dice, -3, 3);
  pose.w = rng_between(&dice, 1, 3);
  if (dim == 3) pose.x = rng_between(&dice, -3, 3), pose.y = rng_between(&dice, -3, 3);
  return pose;
}

/* ---- Queries */

typedef struct tally {
  int relation[5];
} tally;

static void check(const graze_placed *a, const graze_placed *b, pair_truth t, tally *sum) {
  for (int exchanged = 0; exchanged < 2; exchanged++) {
    const graze_placed *p = exchanged ? b : a, *q = exchanged ? a : b;
    const proved_answer relation = intersect(p, q, NULL), answer = distance(p, q, NULL);
    assert_int_equal(relation.relation, t.relation);
    assert_int_equal(answer.relation, t.relation);
    assert_true(answer.lower <= answer.distance && answer.distance <= answer.upper);
    if (t.relation == GRAZE_OVERLAPPING) {
      assert_true(answer.upper <= 0 && answer.lower < 0 && answer.stopped == GRAZE_STOP_NONCONVEX);
      const graze_vec path = scaled(-answer.lower * (1 + 1e-9), answer.normal);
      graze_placed moved = *q;
      assert_int_equal(
          graze_set_pose(&moved, (graze_pose){add(q->pose.position, path), q->pose.w, q->pose.x, q->pose.y, q->pose.z}),
          GRAZE_OK);
      assert_int_not_equal(intersect(p, &moved, NULL).relation, GRAZE_OVERLAPPING);
    } else {
      assert_true(answer.lower <= t.distance * (1 + 1e-15) && t.distance * (1 - 1e-15) <= answer.upper);
      assert_true(answer.upper - answer.lower <= 1e-12 * 40);
    }
  }
  sum->relation[t.relation]++;
}

static void expect_shares(const tally *sum, int rounds) {
  for (int r = GRAZE_SEPARATED; r <= GRAZE_OVERLAPPING; r++) assert_in_range(sum->relation[r], rounds / 60, rounds);
}

/* Two solids. Seeds 1 and 2. */
TEST(solids) {
  for (int dim = 2; dim <= 3; dim++) {
    static solid a, b;
    const int rounds = tiered(dim == 2 ? 300 : 60, 600, 4000);
    tally sum = {{0}};
    dice = (rng)(dim - 1);
    for (int i = 0; i < rounds; i++) {
      make(&a, dim, any_offset(dim, 2));
      const graze_vec offset = any_offset(dim, 4);
      const bool beside = rng_coin(&dice);
      make(&b, dim, add(offset, vec(beside ? 2 : 0, rng_below(&dice, 5), 0)));
      const graze_shape of_a = graze_mesh_shape(a.mesh), of_b = graze_mesh_shape(b.mesh);
      const graze_pose pose = any_pose(dim);
      const graze_placed p = place(&of_a, pose), q = place(&of_b, pose);
      check(&p, &q, truth_of(&a, &b), &sum);
      graze_mesh_destroy(a.mesh);
      graze_mesh_destroy(b.mesh);
    }
    expect_shares(&sum, rounds);
  }
}

/* A solid and a convex cell, as a hull. Seeds 3 and 4. */
TEST(convex_bodies) {
  for (int dim = 2; dim <= 3; dim++) {
    static solid a, b;
    const int rounds = tiered(200, 1000, 10000);
    tally sum = {{0}};
    dice = (rng)(dim + 1);
    for (int i = 0; i < rounds; i++) {
      make(&a, dim, any_offset(dim, 2));
      memset(&b, 0, sizeof b);
      b.dim = dim, b.count = 1;
      b.low[0] = add(any_offset(dim, 4), vec(1, 1, dim == 2 ? 0 : 1));
      graze_vec corner[8];
      for (int k = 0; k < 8; k++) corner[k] = add(b.low[0], vec(k & 1, k >> 1 & 1, k >> 2 & 1));
      const graze_shape of_a = graze_mesh_shape(a.mesh);
      const graze_shape of_b = dim == 2 ? graze_hull_points2(corner, 4) : graze_hull_points(corner, 8);
      const graze_pose pose = any_pose(dim);
      const graze_placed p = place(&of_a, pose), q = place(&of_b, pose);
      check(&p, &q, truth_of(&a, &b), &sum);
      graze_mesh_destroy(a.mesh);
    }
    expect_shares(&sum, rounds);
  }
}

/* Returns the cells around a point as a relation: all filled, some, or none. Coordinates within 1e-9 of the lattice are
 * on it. */
static graze_relation relation_of_point(const solid *s, graze_vec offset, graze_vec point) {
  const graze_vec at = sub(point, offset);
  const double x[3] = {at.x, at.y, at.z};
  int low[3], high[3], filled = 0, all = 0;
  for (int k = 0; k < 3; k++) {
    const bool on = fabs(x[k] - round(x[k])) < 1e-9;
    low[k] = on ? (int)round(x[k]) - 1 : (int)floor(x[k]), high[k] = on ? low[k] + 1 : low[k];
  }
  if (s->dim == 2) low[2] = high[2] = 0;
  for (int k = low[2]; k <= high[2]; k++) {
    for (int j = low[1]; j <= high[1]; j++) {
      for (int i = low[0]; i <= high[0]; i++) all++, filled += is_filled(s, i, j, k);
    }
  }
  return filled == 0 ? GRAZE_SEPARATED : filled < all ? GRAZE_TOUCHING : GRAZE_OVERLAPPING;
}

static int compare_doubles(const void *x, const void *y) {
  const double p = *(const double *)x, q = *(const double *)y;
  return (p > q) - (p < q);
}

/* The strongest relation of the points of a segment: where it crosses a plane of the lattice, and between. */
static graze_relation relation_of_segment(const solid *s, graze_vec offset, graze_vec p, graze_vec q) {
  double t[2 + 3 * 64];
  int count = 0;
  graze_relation strongest = GRAZE_SEPARATED;
  const double from[3] = {p.x - offset.x, p.y - offset.y, p.z - offset.z}, delta[3] = {q.x - p.x, q.y - p.y, q.z - p.z};
  t[count++] = 0, t[count++] = 1;
  for (int k = 0; k < s->dim; k++) {
    for (int plane = -30; plane <= 30 && delta[k] != 0; plane++) {
      const double at = (plane - from[k]) / delta[k];
      if (at > 0 && at < 1) t[count++] = at;
    }
  }
  qsort(t, (size_t)count, sizeof *t, compare_doubles);
  for (int i = 0; i < 2 * count - 1; i++) {
    const double at = i % 2 == 0 ? t[i / 2] : (t[i / 2] + t[i / 2 + 1]) / 2;
    const graze_relation r = relation_of_point(s, offset, add_scaled(p, at, sub(q, p)));
    strongest = r > strongest ? r : strongest;
  }
  return strongest;
}

/* Points and segments, of which many lie in faces and end on the surface. Seeds 5 and 6. */
TEST(flat_bodies) {
  for (int dim = 2; dim <= 3; dim++) {
    static solid a;
    const int rounds = tiered(300, 2000, 20000);
    tally points = {{0}}, segments = {{0}};
    dice = (rng)(dim + 3);
    for (int i = 0; i < rounds; i++) {
      const graze_vec offset = any_offset(dim, 2);
      make(&a, dim, offset);
      const graze_vec middle = add(offset, vec(2, 2, dim == 2 ? 0 : 2));
      const graze_vec p = add(middle, any_offset(dim, 4)), q = add(middle, any_offset(dim, 4));
      const graze_shape of_a = graze_mesh_shape(a.mesh);
      const graze_shape point = dim == 2 ? graze_segment2(p, p) : graze_segment(p, p);
      const graze_shape segment = dim == 2 ? graze_segment2(p, q) : graze_segment(p, q);
      const graze_pose pose = any_pose(dim);
      const graze_placed solid_a = place(&of_a, pose), at = place(&point, pose), of_segment = place(&segment, pose);
      const graze_relation of_p = relation_of_point(&a, offset, p), of_pq = relation_of_segment(&a, offset, p, q);
      assert_int_equal(intersect(&solid_a, &at, NULL).relation, of_p);
      assert_int_equal(intersect(&of_segment, &solid_a, NULL).relation, of_pq);
      const graze_placed local = place(&of_a, graze_pose_identity());
      graze_relation contains;
      assert_int_equal(graze_contains(&local, p, &contains), GRAZE_OK);
      assert_int_equal(contains, of_p);
      points.relation[of_p]++, segments.relation[of_pq]++;
      graze_mesh_destroy(a.mesh);
    }
    expect_shares(&points, rounds);
    expect_shares(&segments, rounds);
  }
}

/* ---- Motion */

/* The first t >= 0 at which the unit cell at p, or the point p, which moves by t·velocity, touches the unit cell at q;
 * infinite if it never does. */
static double first_touch(int dim, graze_vec p, graze_vec velocity, graze_vec q, double size) {
  const double from[3] = {p.x, p.y, p.z}, delta[3] = {velocity.x, velocity.y, velocity.z}, to[3] = {q.x, q.y, q.z};
  double enter = 0, leave = INFINITY;
  for (int k = 0; k < dim; k++) {
    const double low = to[k] - size - from[k], high = to[k] + 1 - from[k];
    if (delta[k] == 0) {
      if (low > 0 || high < 0) return INFINITY;
      continue;
    }
    enter = fmax(enter, fmin(low / delta[k], high / delta[k]));
    leave = fmin(leave, fmax(low / delta[k], high / delta[k]));
  }
  return enter <= leave ? enter : INFINITY;
}

static graze_vec any_direction(int dim) {
  const graze_vec v = rng_lattice_vec(&dice, dim, -4, 4);
  return v.x == 0 && v.y == 0 && v.z == 0 ? vec(1, 0, 0) : v;
}

static void expect_time(const graze_cast_result *x, double truth) {
  assert_true(x->outcome == (truth < INFINITY ? GRAZE_HIT : GRAZE_CLEAR));
  if (x->outcome != GRAZE_HIT) return;
  assert_true(x->t_lower <= truth + 1e-12 && truth <= x->t_upper + 1e-12 && x->t_upper - x->t_lower <= 1e-9);
}

typedef struct face_times {
  int count;
  double least;
} face_times;

static bool add_time(void *context, const graze_cast_result *result) {
  face_times *times = context;
  times->count++;
  times->least = fmin(times->least, result->t);
  return true;
}

/* A ray, and how many of its hits are verified. */
typedef struct ray_proofs {
  const graze_placed *solid, *origin;
  graze_motion motion;
  graze_certificate certificate; /* of the hit that is reported */
  int hits, proved;
} ray_proofs;

static bool verify_hit(void *context, const graze_cast_result *result) {
  ray_proofs *r = context;
  graze_frame frame;
  const graze_placed face = graze_part(r->solid, (size_t)result->part_a, &frame);
  const graze_status status =
      graze_verify_cast(&face, NULL, r->origin, &r->motion, INFINITY, NULL, result, &r->certificate);
  assert_true(status == GRAZE_OK || status == GRAZE_UNPROVEN);
  r->hits++;
  r->proved += status == GRAZE_OK;
  return true;
}

/* The certificate of each face that a ray hits proves the hit for that face. Seeds 9 and 10. */
TEST(rays_prove_faces) {
  for (int dim = 2; dim <= 3; dim++) {
    static solid s;
    const graze_shape point = dim == 2 ? graze_point2() : graze_point();
    const int rounds = tiered(30, 100, 1000);
    int hits = 0, proved = 0;
    dice = (rng)(dim + 7);
    for (int i = 0; i < rounds; i++) {
      make(&s, dim, any_offset(dim, 2));
      const graze_shape shape = graze_mesh_shape(s.mesh);
      const graze_placed placed = place(&shape, graze_pose_identity());
      for (int k = 0; k < 8; k++) {
        const graze_vec from = add(any_offset(dim, 6), vec(2, 2, dim == 2 ? 0 : 2)), direction = any_direction(dim);
        const graze_placed origin = place(&point, graze_pose_at(from.x, from.y, from.z));
        ray_proofs r = {.solid = &placed, .origin = &origin, .motion = {direction, {0, 0, 0}}};
        graze_cast_options options = graze_default_cast_options();
        options.certificate = &r.certificate;
        assert_int_equal(graze_raycast_parts(&placed, from, direction, INFINITY, &options, verify_hit, &r), GRAZE_OK);
        hits += r.hits, proved += r.proved;
      }
      graze_mesh_destroy(s.mesh);
    }
    assert_true(hits > 3 * rounds && proved == hits);
  }
}

/* Rays and linear casts of solids that are separated at the start. Seeds 7 and 8. */
TEST(motion) {
  for (int dim = 2; dim <= 3; dim++) {
    static solid a, b;
    const int rounds = tiered(dim == 2 ? 100 : 30, 300, 2000);
    int hits = 0, clear = 0, inside = 0, casts = 0, cast_hits = 0;
    dice = (rng)(dim + 5);
    for (int i = 0; i < rounds; i++) {
      make(&a, dim, any_offset(dim, 2));
      make(&b, dim, any_offset(dim, 8));
      const graze_shape of_a = graze_mesh_shape(a.mesh), of_b = graze_mesh_shape(b.mesh);
      const graze_placed p = place(&of_a, graze_pose_identity()), q = place(&of_b, graze_pose_identity());
      for (int k = 0; k < 8; k++) {
        const graze_vec origin = add(any_offset(dim, 6), vec(2, 2, dim == 2 ? 0 : 2)), direction = any_direction(dim);
        double truth = INFINITY;
        graze_cast_result x;
        for (int c = 0; c < a.count; c++) truth = fmin(truth, first_touch(dim, origin, direction, a.low[c], 0));
        assert_int_equal(graze_raycast(&p, origin, direction, INFINITY, NULL, &x), GRAZE_OK);
        expect_time(&x, truth);
        face_times times = {0, INFINITY};
        assert_int_equal(graze_raycast_parts(&p, origin, direction, INFINITY, NULL, add_time, &times), GRAZE_OK);
        if (truth > 0) assert_true((times.count > 0) == (truth < INFINITY));
        if (times.count > 0 && truth > 0) assert_true(fabs(times.least - x.t) <= 1e-9);
        truth < INFINITY ? hits++ : clear++;
        inside += truth == 0;
      }
      if (truth_of(&a, &b).relation == GRAZE_SEPARATED) {
        const graze_motion motion = {any_direction(dim), {0, 0, 0}};
        double truth = INFINITY;
        graze_cast_result x;
        for (int c = 0; c < a.count; c++) {
          for (int k = 0; k < b.count; k++)
            truth = fmin(truth, first_touch(dim, b.low[k], motion.velocity, a.low[c], 1));
        }
        assert_int_equal(graze_cast(&p, NULL, &q, &motion, 4, NULL, &x), GRAZE_OK);
        expect_time(&x, truth <= 4 ? truth : INFINITY);
        casts++, cast_hits += truth <= 4;
      }
      graze_mesh_destroy(a.mesh);
      graze_mesh_destroy(b.mesh);
    }
    assert_in_range(hits, rounds / 2, 15 * rounds / 2);
    assert_in_range(clear, rounds / 2, 15 * rounds / 2);
    assert_in_range(inside, rounds / 10, hits);
    assert_true(casts > rounds / 4 && cast_hits > casts / 20 && cast_hits < casts);
  }
}
