/* Polytopes that grow by points of whole numbers, with exact predicates: after every point the surface is closed, each
 * edge met by its reverse, V - E + F = 2, no face degenerate, and all points lie inside or on every face. Full buffers
 * are refused, and nothing beyond them is written. Seeds are stated at each test. */

#include "support/test.h"
#include "build/polytope.h"
#include "support/oracle/whole.h"
#include "support/rational.h"

enum { MOST_POINTS = 120, CANARIES = 64, CANARY = 0xa5 };

static int dim;
static grz_polytope p;
static unsigned char *buffer, *room; /* room lies in buffer between canaries */
static size_t room_size;

static uint64_t state;

static int below(int count) { return rng_below(&state, count); }

/* ---- Exact predicates. */

static whole at(const grz_polytope *q, int i) {
  return (whole){(int64_t)q->w[i].x, (int64_t)q->w[i].y, (int64_t)q->w[i].z};
}

/* The normal of a face, outward; {0, 0, 0}: it is degenerate. */
static whole normal(const grz_polytope *q, const int32_t *v) {
  whole u = whole_minus(at(q, v[1]), at(q, v[0]));
  if (dim == 2) return (whole){u.y, -u.x, 0};
  return whole_cross(u, whole_minus(at(q, v[2]), at(q, v[0])));
}

/* > 0: the point lies beyond the face. */
static int64_t side(const grz_polytope *q, const int32_t *v, int point) {
  return whole_dot(normal(q, v), whole_minus(at(q, point), at(q, v[0])));
}

static bool sees(void *context, const grz_polytope *q, int face, int point) {
  assert_true(context == &state);
  return side(q, q->face[face].vertex, point) >= 0;
}

static int planes, spoil_at;

static bool plane(void *context, grz_polytope *q, int face) {
  assert_true(context == &state);
  assert_in_range(face, 0, q->face_count - 1);
  whole n = normal(q, q->face[face].vertex);
  q->height[face] = 1;
  q->face[face].tilt = 0;
  return ++planes != spoil_at && (n.x != 0 || n.y != 0 || n.z != 0);
}

/* ---- Buffers with canaries. */

static void begin(size_t size) {
  room_size = size;
  buffer = malloc(size + 2 * CANARIES);
  assert_non_null(buffer);
  memset(buffer, CANARY, size + 2 * CANARIES);
  room = buffer + CANARIES;
  grz_polytope_make(&p, room, size);
}

static void end(void) {
  for (size_t i = 0; i < CANARIES; i++) {
    assert_int_equal(buffer[i], CANARY);
    assert_int_equal(room[room_size + i], CANARY);
  }
  free(buffer);
}

static void put(int i, whole v) { p.w[i] = (graze_vec){(double)v.x, (double)v.y, (double)v.z}; }

/* ---- What must hold. */

static bool is_live(int face) { return p.face[face].vertex[0] >= 0; }

static void check_edges(int face) {
  for (int k = 0; k < 3; k++) {
    int32_t there = p.face[face].neighbor[k];
    int other = there >> 2, edge = there & 3;
    assert_in_range(edge, 0, 2);
    assert_in_range(other, 0, p.face_count - 1);
    assert_true(is_live(other) && other != face);
    assert_int_equal(p.face[other].neighbor[edge], face << 2 | k);
    assert_int_equal(p.face[other].vertex[edge], p.face[face].vertex[(k + 1) % 3]);
    assert_int_equal(p.face[other].vertex[(edge + 1) % 3], p.face[face].vertex[k]);
  }
}

static void check_ends(int face) {
  int before = p.face[face].neighbor[0], after = p.face[face].neighbor[1];
  assert_true(is_live(before) && is_live(after));
  assert_int_equal(p.face[before].neighbor[1], face);
  assert_int_equal(p.face[after].neighbor[0], face);
  assert_int_equal(p.face[before].vertex[1], p.face[face].vertex[0]);
  assert_int_equal(p.face[after].vertex[0], p.face[face].vertex[1]);
}

/* Faces gone are those in the list, once each. */
static void check_free(int gone) {
  int listed = 0;
  for (int face = p.free_face; face >= 0; face = p.face[face].neighbor[0]) {
    assert_false(is_live(face));
    assert_true(p.height[face] > 1e308);
    assert_true(++listed <= gone);
  }
  assert_int_equal(listed, gone);
}

static void check_all(void) {
  bool used[MOST_POINTS] = {false};
  int faces = 0, points = 0;
  for (int i = 0; i < p.face_count; i++) {
    if (!is_live(i)) continue;
    faces++;
    if (dim == 3)
      check_edges(i);
    else
      check_ends(i);
    whole n = normal(&p, p.face[i].vertex);
    assert_true(n.x != 0 || n.y != 0 || n.z != 0);
    for (int k = 0; k < dim; k++) used[p.face[i].vertex[k]] = true;
    for (int k = 0; k < p.point_count; k++) assert_true(side(&p, p.face[i].vertex, k) <= 0);
  }
  for (int i = 0; i < MOST_POINTS; i++) points += used[i]; /* the first ones may be yet to come */
  assert_true(p.face_count <= p.face_room);
  check_free(p.face_count - faces);
  if (dim == 2)
    assert_int_equal(faces, points);
  else
    assert_int_equal(2 * points - faces, 4); /* E = 3F/2 */
}

/* ---- Growing. */

static int face_beyond(int point) {
  for (int i = 0; i < p.face_count; i++) {
    if (is_live(i) && side(&p, p.face[i].vertex, point) > 0) return i;
  }
  return -1;
}

/* Any face that it sees will do: here a random one. */
static int some_face_beyond(int point) {
  int first = below(p.face_count);
  for (int i = 0; i < p.face_count; i++) {
    int face = (first + i) % p.face_count;
    if (is_live(face) && side(&p, p.face[face].vertex, point) > 0) return face;
  }
  return -1;
}

static bool add(int seed, int point) {
  return dim == 3 ? grz_polytope_add(&p, seed, point, sees, plane, &state)
                  : grz_polygon_add(&p, seed, point, sees, plane, &state);
}

/* The first dim + 1 independent points; false: there are none. */
static bool start(const whole *v, int count) {
  for (int i = 0; i < count; i++) put(i, v[i]);
  for (int a = 0; a < count; a++) {
    for (int b = a + 1; b < count; b++) {
      for (int c = b + 1; c < count; c++) {
        if (dim == 2) {
          const int32_t edge[2] = {a, b};
          int64_t out = side(&p, edge, c);
          const int order[3] = {out < 0 ? a : b, out < 0 ? b : a, c};
          if (out != 0) return grz_polygon_start(&p, order, plane, &state);
          continue;
        }
        for (int d = c + 1; d < count; d++) {
          const int32_t face[3] = {a, b, c};
          int64_t out = side(&p, face, d);
          const int order[4] = {a, out < 0 ? b : c, out < 0 ? c : b, d};
          if (out != 0) return grz_polytope_start(&p, order, plane, &state);
        }
      }
    }
  }
  return false;
}

/* Adds the points one by one, and checks each time. Returns how many joined; -1: all in one flat. */
static int grow(const whole *v, int count) {
  int joined = 0;
  begin(graze_workspace_size((size_t)count));
  assert_true(p.point_room >= count);
  spoil_at = -1;
  p.point_count = 0;
  if (!start(v, count)) {
    end();
    return -1;
  }
  check_free(0);
  for (int i = 0; i < count; i++) {
    int seed = some_face_beyond(i);
    p.point_count = i + 1;
    if (seed >= 0) {
      assert_true(add(seed, i));
      joined++;
    }
    check_all();
  }
  end();
  return joined;
}

static whole any_whole(int range) {
  return (whole){below(2 * range + 1) - range, below(2 * range + 1) - range,
                 dim == 3 ? below(2 * range + 1) - range : 0};
}

/* Seed 1: wide, narrow lattices (coplanar, collinear and equal points everywhere), a plane with few points beside it, a
 * line with few, and a convex position. */
static void draw(whole *v, int count, int kind) {
  static const int ranges[] = {1000, 100, 3, 1};
  for (int i = 0; i < count; i++) {
    v[i] = any_whole(kind < 4 ? ranges[kind] : 5);
    if (kind == 4 && below(8) != 0) *(dim == 3 ? &v[i].z : &v[i].y) = 0;
    if (kind == 5 && below(4) != 0) v[i].y = v[i].x, v[i].z = dim == 3 ? -v[i].x : 0;
    if (kind == 6) { /* on a paraboloid: each is a vertex */
      v[i] = any_whole(40);
      if (dim == 2) v[i].y = v[i].x * v[i].x;
      if (dim == 3) v[i].z = v[i].x * v[i].x + v[i].y * v[i].y;
    }
    if (i > 0 && below(10) == 0) v[i] = v[below(i)];
  }
}

TEST(test_growing) {
  state = 1;
  for (dim = 2; dim <= 3; dim++) {
    for (int kind = 0; kind < 7; kind++) {
      int joined = 0, flat = 0;
      for (int i = 0; i < 150; i++) {
        whole v[MOST_POINTS];
        int count = dim + 1 + below(i % 10 == 0 ? MOST_POINTS - 3 : 30);
        draw(v, count, kind);
        int n = grow(v, count);
        joined += n > 0 ? n : 0;
        flat += n < 0;
      }
      assert_true(joined >= 200 && flat <= 50);
    }
  }
}

/* All points of a cube's lattice, in every order of its axes and both directions: mostly coplanar faces. */
TEST(test_lattice_cube) {
  for (dim = 2; dim <= 3; dim++) {
    for (int order = 0; order < 12; order++) {
      whole v[64];
      int count = dim == 3 ? 64 : 16;
      for (int i = 0; i < count; i++) {
        int64_t c[3] = {i % 4, i / 4 % 4, i / 16};
        int turn = dim == 3 ? order % 3 : 0;
        if (order >= 6) c[0] = 3 - c[0], c[1] = 3 - c[1], c[2] = dim == 3 ? 3 - c[2] : 0;
        v[order % 2 ? count - 1 - i : i] = (whole){c[turn], c[(turn + 1) % 3 % dim], dim == 3 ? c[(turn + 2) % 3] : 0};
      }
      assert_true(grow(v, count) >= 0);
    }
  }
}

TEST(test_first_tetrahedron) {
  const whole v[4] = {{0, 0, 0}, {0, 5, 0}, {7, 0, 0}, {0, 0, 3}};
  const int order[4] = {0, 1, 2, 3};
  dim = 3;
  begin(graze_workspace_size(0));
  spoil_at = -1;
  for (int i = 0; i < 4; i++) put(i, v[i]);
  p.point_count = 4;
  assert_true(grz_polytope_start(&p, order, plane, &state));
  assert_int_equal(p.face_count, 4);
  check_all();
  const int flat[4] = {0, 1, 1, 3}; /* degenerate */
  assert_false(grz_polytope_start(&p, flat, plane, &state));
  end();
}

/* ---- Full buffers. */

/* No slot is left for a face of the fan: refused; the slots beyond stay as they were. */
TEST(test_no_room_for_faces) {
  state = 2;
  spoil_at = -1;
  int refused = 0;
  for (int i = 0; i < 400; i++) {
    whole v[40];
    dim = 2 + i % 2;
    draw(v, 40, 6);
    begin(graze_workspace_size(40));
    p.face_room = dim + 1 + below(24);
    size_t past = (size_t)p.face_room;
    memset(&p.face[past], CANARY, (size_t)(2 * p.point_room - p.face_room) * sizeof *p.face);
    p.point_count = 40;
    if (start(v, 40)) {
      bool good = true;
      for (int k = 0; good && k < 40; k++) {
        int seed = face_beyond(k);
        if (seed >= 0) good = add(seed, k);
      }
      refused += !good;
      assert_true(p.face_count <= p.face_room);
    }
    const unsigned char *byte = (const unsigned char *)&p.face[past], *last = (const unsigned char *)p.height;
    while (byte < last) assert_int_equal(*byte++, CANARY);
    end();
  }
  assert_in_range(refused, 200, 400);
}

/* A plane that cannot be told makes the whole addition fail. */
TEST(test_degenerate_face_is_reported) {
  for (dim = 2; dim <= 3; dim++) {
    for (int last = 1; last <= dim + 1 + dim; last++) {
      const whole v[5] = {
          {0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {dim == 2 ? 9 : 0, 0, dim == 2 ? 0 : 4}, {9, 9, dim == 2 ? 0 : 9}};
      begin(graze_workspace_size(8));
      planes = 0;
      spoil_at = last;
      bool good = start(v, 5);
      if (last <= dim + 1)
        assert_false(good);
      else
        assert_false(add(face_beyond(4), 4));
      end();
    }
  }
}

/* A point that sees every edge (rounded predicates may say so) is refused. */
static bool sees_all(void *context, const grz_polytope *q, int face, int point) {
  (void)context, (void)q, (void)face, (void)point;
  return true;
}

TEST(test_seeing_everything_is_refused) {
  const whole v[5] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {9, 9, 9}};
  spoil_at = -1;
  dim = 3;
  begin(graze_workspace_size(8));
  assert_true(start(v, 5));
  assert_false(grz_polytope_add(&p, 0, 4, sees_all, plane, &state));
  end();
  dim = 2;
  const whole flat[4] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {9, 9, 0}};
  begin(graze_workspace_size(8));
  assert_true(start(flat, 4));
  assert_false(grz_polygon_add(&p, 0, 3, sees_all, plane, &state));
  end();
}

/* ---- How much room. */

static void inside(const void *part, size_t size, size_t *sum) {
  const unsigned char *byte = part;
  assert_true(byte >= room && size <= room_size && byte + size <= room + room_size);
  *sum += size;
}

TEST(test_workspace_size) {
  for (size_t points = 0; points < 300; points++) {
    size_t size = graze_workspace_size(points), sum = 0;
    assert_true(size <= graze_workspace_size(points + 1));
    for (size_t more = 0; more < 3; more++) {
      begin(size + 77 * more);
      size_t n = (size_t)p.point_room, faces = (size_t)p.face_room;
      assert_true(n >= points && n >= 8 && faces >= 2 * n - 4);
      assert_int_equal((uintptr_t)p.w % _Alignof(graze_vec), 0);
      assert_int_equal((uintptr_t)p.pair % _Alignof(graze_pair), 0);
      assert_int_equal((uintptr_t)p.face % _Alignof(grz_face), 0);
      assert_int_equal((uintptr_t)p.height % _Alignof(double), 0);
      memset(p.w, 1, n * sizeof *p.w), memset(p.pair, 2, n * sizeof *p.pair);
      memset(p.face, 3, faces * sizeof *p.face), memset(p.height, 4, faces * sizeof *p.height);
      memset(p.stack, 5, 4 * n * sizeof *p.stack), memset(p.horizon, 6, 2 * n * sizeof *p.horizon);
      assert_int_equal(*(unsigned char *)p.w, 1); /* no part lies on another */
      assert_int_equal(((unsigned char *)(p.w + n))[-1], 1);
      assert_int_equal(((unsigned char *)(p.pair + n))[-1], 2);
      assert_int_equal(((unsigned char *)(p.face + faces))[-1], 3);
      assert_int_equal(((unsigned char *)(p.height + faces))[-1], 4);
      assert_int_equal(((unsigned char *)(p.stack + 4 * n))[-1], 5);
      sum = 0;
      inside(p.w, n * sizeof *p.w, &sum), inside(p.pair, n * sizeof *p.pair, &sum);
      inside(p.face, faces * sizeof *p.face, &sum), inside(p.height, faces * sizeof *p.height, &sum);
      inside(p.stack, 4 * n * sizeof *p.stack, &sum), inside(p.horizon, 2 * n * sizeof *p.horizon, &sum);
      assert_true(sum <= room_size);
      end();
    }
  }
  assert_true(graze_workspace_size(GRAZE_WORKSPACE_POINTS) <= 64 * 1024);
  assert_true(graze_workspace_size(SIZE_MAX) == SIZE_MAX);
  assert_true(graze_workspace_size(SIZE_MAX / 200) == SIZE_MAX);
  for (size_t points = 1; points < SIZE_MAX / 2; points *= 2)
    assert_true(graze_workspace_size(points) <= graze_workspace_size(2 * points));
}
