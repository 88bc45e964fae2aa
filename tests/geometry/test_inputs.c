/* All functions that build something from points. Rejected input: only the error is written. Failed allocations:
 * nothing leaks or changes. Other allocators: the same bits. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "geometry/rings.h"

enum { HULL, OUTLINE, BOX, PIECES, FUNCTIONS };

typedef struct input {
  int function;
  const graze_vec *points;
  size_t count;
  int dim, how; /* how: the effort for a box, the splitting for pieces */
  const graze_ring *holes;
  size_t hole_count;
} input;

typedef union built {
  graze_hull hull;
  graze_outline outline;
  graze_fitted_box box;
  graze_decomposition pieces;
} built;

static graze_status build(const input *in, const graze_allocator *allocator, built *out, graze_error *error) {
  const graze_ring ring = {in->points, in->count};
  switch (in->function) {
  case HULL: return graze_hull_create(in->points, in->count, in->dim, allocator, &out->hull, error);
  case OUTLINE: return graze_validate_outline(in->points, in->count, allocator, &out->outline, error);
  case BOX: return graze_fit_box(in->points, in->count, in->dim, (graze_effort)in->how, allocator, &out->box, error);
  default:
    return graze_decompose(ring, in->holes, in->hole_count, (graze_splitting)in->how, allocator, &out->pieces, NULL,
                           error);
  }
}

static void destroy(int function, built *out) {
  if (function == HULL) graze_hull_destroy(&out->hull);
  if (function == OUTLINE) graze_outline_destroy(&out->outline);
  if (function == PIECES) graze_decomposition_destroy(&out->pieces);
}

static void expect(input in, graze_status status, const char *what, ptrdiff_t index, double value) {
  built out, before;
  graze_error error = {.status = GRAZE_REFUTED, .index = 7, .value = 7};
  memset(&out, 0x5a, sizeof out);
  memcpy(&before, &out, sizeof out);
  assert_int_equal(build(&in, NULL, &out, &error), status);
  assert_int_equal(build(&in, NULL, &out, NULL), status);
  assert_memory_equal(&out, &before, sizeof out);
  assert_int_equal(error.status, status);
  assert_string_equal(error.what, what);
  assert_int_equal(error.index, index);
  if (error.value != value && !(isnan(error.value) && isnan(value)))
    fail_msg("function %d, %s: value %g", in.function, what, error.value);
}

TEST(rejected) {
  static const double wrong[] = {NAN, INFINITY, -INFINITY, 1.0000001e40};
  graze_vec square[4] = {{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 9, 0}}, tip[3] = {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}};
  const graze_ring hole = {tip, 3}, none = {square, 0};
  for (int function = 0; function < FUNCTIONS; function++) {
    input in = {.function = function, .points = square, .count = 4, .dim = 2};
    in.how = function == BOX ? GRAZE_FAST : GRAZE_SPLIT_AUTO;
    for (size_t k = 0; k < COUNT(wrong); k++) {
      square[2].x = wrong[k];
      expect(in, GRAZE_BAD_NUMBER, "vertices", 2, wrong[k]);
    }
    square[2].x = 9, square[3].z = 1;
    expect(in, GRAZE_DIM_MISMATCH, "vertices", 3, 1);
    square[3].z = 0, in.points = NULL;
    expect(in, GRAZE_BAD_SHAPE, "vertices", -1, 4);
    in.points = square, in.count = 0;
    expect(in, GRAZE_BAD_SHAPE, "vertices", -1, 0);
    in.count = (size_t)INT32_MAX + 1;
    expect(in, GRAZE_BAD_SHAPE, "vertices", -1, (double)in.count);
  }
  for (size_t k = 0; k < COUNT(wrong); k++) {
    tip[1].y = wrong[k];
    expect((input){PIECES, square, 4, 2, GRAZE_SPLIT_AUTO, &hole, 1}, GRAZE_BAD_NUMBER, "holes", 1, 1);
  }
  tip[1].y = 1, tip[0].z = -1;
  expect((input){PIECES, square, 4, 2, GRAZE_SPLIT_AUTO, &hole, 1}, GRAZE_DIM_MISMATCH, "holes", 0, 1);
  tip[0].z = 0;
  static const graze_vec touching[] = {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {2, 2, 0}, {0, 2, 0}, {1, 1, 0}};
  static const graze_vec on_edge[] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {2, 0, 0}, {0, 4, 0}}; /* a vertex on an edge */
  const struct {
    input in;
    graze_status status;
    const char *what;
    double value;
  } row[] = {
      {{HULL, square, 4, 1, 0, NULL, 0}, GRAZE_BAD_SHAPE, "dim", 1},
      {{HULL, square, 4, 4, 0, NULL, 0}, GRAZE_BAD_SHAPE, "dim", 4},
      {{BOX, square, 4, 4, GRAZE_FAST, NULL, 0}, GRAZE_BAD_SHAPE, "dim", 4},
      {{BOX, square, 4, 2, 0, NULL, 0}, GRAZE_BAD_OPTION, "effort", 0},
      {{BOX, square, 4, 2, 3, NULL, 0}, GRAZE_BAD_OPTION, "effort", 3},
      {{PIECES, square, 4, 2, GRAZE_SPLIT_AUTO, NULL, 2}, GRAZE_BAD_SHAPE, "holes", 2},
      {{PIECES, square, 4, 2, GRAZE_SPLIT_AUTO, &none, 1}, GRAZE_BAD_SHAPE, "holes", 1},
      {{PIECES, square, 4, 2, 7, NULL, 0}, GRAZE_BAD_OPTION, "splitting", 7},
      {{PIECES, square, 4, 2, GRAZE_SPLIT_FEWEST, &hole, 1}, GRAZE_UNSUPPORTED, "splitting", GRAZE_SPLIT_FEWEST},
      {{PIECES, touching, 6, 2, GRAZE_SPLIT_FEWEST, NULL, 0}, GRAZE_UNSUPPORTED, "splitting", GRAZE_SPLIT_FEWEST},
      {{PIECES, on_edge, 5, 2, GRAZE_SPLIT_FEWEST, NULL, 0}, GRAZE_UNSUPPORTED, "splitting", GRAZE_SPLIT_FEWEST}};
  for (size_t i = 0; i < COUNT(row); i++) expect(row[i].in, row[i].status, row[i].what, -1, row[i].value);
}

static void assert_same(int function, const built *p, const built *q) {
  const graze_hull *h = &p->hull, *k = &q->hull;
  const graze_decomposition *d = &p->pieces, *e = &q->pieces;
  if (function == HULL) {
    assert_true(h->vertex_count == k->vertex_count && h->face_count == k->face_count);
    assert_true(same_bits(h->area, k->area) && same_bits(h->volume, k->volume));
    assert_memory_equal(h->indices, k->indices, h->vertex_count * sizeof *h->indices);
    const int32_t corners = h->face_count > 0 ? h->face_start[h->face_count] : 0,
                  edges = h->adjacency.start[h->vertex_count];
    for (int32_t i = 0; i < corners; i++) assert_int_equal(h->face_vertices[i], k->face_vertices[i]);
    for (int32_t i = 0; i < edges; i++) assert_int_equal(h->adjacency.neighbor[i], k->adjacency.neighbor[i]);
  } else if (function == OUTLINE) {
    assert_true(p->outline.error_count == q->outline.error_count && same_bits(p->outline.area, q->outline.area));
    for (size_t i = 0; i < p->outline.error_count; i++)
      assert_true(p->outline.errors[i].index == q->outline.errors[i].index &&
                  p->outline.errors[i].other == q->outline.errors[i].other);
  } else if (function == BOX) {
    assert_memory_equal(&p->box.pose, &q->box.pose, sizeof p->box.pose);
    assert_true(same_vec(p->box.box.as.box.half_extents, q->box.box.as.box.half_extents) && same_bits(p->box.measure, q->box.measure));
  } else {
    assert_true(d->piece_count == e->piece_count && d->internal_edge_count == e->internal_edge_count);
    assert_memory_equal(d->piece_start, e->piece_start, (d->piece_count + 1) * sizeof *d->piece_start);
    assert_memory_equal(d->vertices, e->vertices, d->piece_start[d->piece_count] * sizeof *d->vertices);
  }
}

/* Lets allocation n fail for n = 0, 1, … until all succeed: first n and all later ones, then n alone. The number of
 * allocations must be in low … high; it is large where arrays grow. */
static void fail_each(input in, long low, long high) {
  built same, out, before;
  assert_int_equal(build(&in, NULL, &same, NULL), GRAZE_OK);
  for (int once = 0; once < 2; once++) {
    graze_status status = GRAZE_OUT_OF_MEMORY;
    memset(&out, 0x5a, sizeof out);
    memcpy(&before, &out, sizeof out);
    for (long n = 0; status != GRAZE_OK; n++) {
      failing_memory memory = {.fail_at = n, .once = once != 0};
      const graze_allocator allocator = failing_allocator(&memory);
      graze_error error;
      status = build(&in, &allocator, &out, &error);
      assert_int_equal(error.status, status);
      if (status != GRAZE_OK) {
        assert_true(status == GRAZE_OUT_OF_MEMORY && memory.out == 0);
        assert_memory_equal(&out, &before, sizeof out);
        continue;
      }
      if (n < low || n > high) fail_msg("function %d, %zu points: %ld allocations", in.function, in.count, n);
      assert_int_equal(memory.calls, n);
      assert_int_equal(memory.out, in.function != BOX && (in.function != OUTLINE || out.outline.error_count > 0));
      assert_same(in.function, &same, &out);
      for (int twice = 0; twice < 2; twice++) destroy(in.function, &out);
      assert_int_equal(memory.out, 0);
    }
  }
  destroy(in.function, &same);
}

TEST(failing_allocations) {
  enum { CURVE_POINTS = 300, FEW_POINTS = 60 };
  graze_vec curve[CURVE_POINTS], scrambled[FEW_POINTS];
  rng random = 0x9e3779b97f4a7c15u;
  for (size_t f = 0; f < rings_family_count; f++) {
    rings all = {0};
    rings_families[f].make(&all, 60, 4);
    const graze_ring outline = rings_outline(&all);
    graze_ring *holes = holes_of(&all);
    fail_each((input){PIECES, outline.vertices, outline.count, 2, GRAZE_SPLIT_AUTO, holes, all.ring_count - 1}, 3, 10);
    fail_each((input){OUTLINE, outline.vertices, outline.count, 2, 0, NULL, 0}, 6, 20);
    fail_each((input){HULL, outline.vertices, outline.count, 2, 0, NULL, 0}, 2, 2);
    fail_each((input){HULL, outline.vertices, outline.count, 3, 0, NULL, 0}, 2, 2);
    fail_each((input){BOX, outline.vertices, outline.count, 2, GRAZE_FAST, NULL, 0}, 1, 20);
    free(holes);
    rings_clear(&all);
  }
  for (int i = 0; i < CURVE_POINTS; i++) curve[i] = vec(i, i * i, i * i * i);
  for (int i = 0; i < FEW_POINTS; i++) scrambled[i] = vec(i * 37 % FEW_POINTS, i * i % FEW_POINTS, 0);
  fail_each((input){OUTLINE, scrambled, FEW_POINTS, 2, 0, NULL, 0}, 11, 20);
  fail_each((input){HULL, curve, CURVE_POINTS, 3, 0, NULL, 0}, 11, 99);
  fail_each((input){HULL, curve, 2, 3, 0, NULL, 0}, 1, 1);
  fail_each((input){HULL, curve, 1, 2, 0, NULL, 0}, 1, 1);
  fail_each((input){BOX, curve, 2, 3, GRAZE_FAST, NULL, 0}, 1, 20);
  for (int kind = 0; kind < 3; kind++) { /* a cloud, a plane, a lattice */
    for (int i = 0; i < FEW_POINTS; i++) {
      const graze_vec v = rng_vec(&random, 3, 1);
      const double x = floor(5 * v.x), y = floor(5 * v.y);
      curve[i] = kind == 0 ? v : vec(x, y, kind == 1 ? x + y : floor(5 * v.z));
    }
    fail_each((input){HULL, curve, FEW_POINTS, 3, 0, NULL, 0}, 2, 99);
    fail_each((input){BOX, curve, FEW_POINTS / 2, 3, GRAZE_FAST, NULL, 0}, 3, 20);
    fail_each((input){BOX, curve, FEW_POINTS / 2, 3, GRAZE_BEST, NULL, 0}, kind == 1 ? 3 : 6, 50);
  }
}
