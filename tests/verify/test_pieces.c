/* graze_verify_pieces(): each condition of docs/theory/certificates.md, "Pieces", has a wrong decomposition of its own;
 * random changes are compared with tests/geometry/tiling.c, which shares no code. */

#include "geometry/rings.h"
#include "geometry/tiling.h"
#include "support/compounds.h"
#include "support/test.h"

/* A copy of a decomposition, with space to grow. */
typedef struct pieces {
  graze_decomposition made; /* points to the lists below */
  graze_vec *vertices;
  size_t *start;
  graze_internal_edge *internal_edges;
} pieces;

static pieces pieces_copy(const graze_decomposition *d) {
  const size_t corners = d->piece_start[d->piece_count];
  pieces p = {.made = *d};
  p.vertices = calloc(2 * corners + 8, sizeof *p.vertices);
  p.start = calloc(d->piece_count + 8, sizeof *p.start);
  p.internal_edges = calloc(2 * d->internal_edge_count + corners + 8, sizeof *p.internal_edges);
  assert_true(p.vertices && p.start && p.internal_edges);
  memcpy(p.vertices, d->vertices, corners * sizeof *p.vertices);
  memcpy(p.start, d->piece_start, (d->piece_count + 1) * sizeof *p.start);
  if (d->internal_edge_count > 0)
    memcpy(p.internal_edges, d->internal_edges, d->internal_edge_count * sizeof *p.internal_edges);
  p.made.vertices = p.vertices, p.made.piece_start = p.start, p.made.internal_edges = p.internal_edges;
  return p;
}

static void pieces_free(pieces *p) {
  free(p->vertices);
  free(p->start);
  free(p->internal_edges);
}

static bool same_point(graze_vec p, graze_vec q) { return p.x == q.x && p.y == q.y; }

/* The rings as pieces, with the correct internal_edges: all edges of two pieces that are reverses of one another. */
static pieces pieces_of(const rings *all) {
  pieces p = pieces_copy(
      &(graze_decomposition){.vertices = all->points, .piece_start = all->start, .piece_count = all->ring_count});
  const size_t *start = p.start;
  for (size_t i = 0; i < p.made.piece_count; i++) {
    for (size_t j = 0; j < i; j++) {
      for (size_t k = start[i]; k < start[i + 1]; k++) {
        for (size_t m = start[j]; m < start[j + 1]; m++) {
          const graze_vec from = p.vertices[k], to = p.vertices[k + 1 < start[i + 1] ? k + 1 : start[i]];
          if (!same_point(from, p.vertices[m + 1 < start[j + 1] ? m + 1 : start[j]])) continue;
          if (!same_point(to, p.vertices[m])) continue;
          p.internal_edges[p.made.internal_edge_count++] = (graze_internal_edge){(int32_t)i, (int32_t)j, from, to};
        }
      }
    }
  }
  return p;
}

static pieces pieces_parse(const char *text) {
  rings all = rings_parse(text);
  pieces p = pieces_of(&all);
  rings_clear(&all);
  return p;
}

enum { MOST_HOLES = 2048 };
static const graze_ring *shared_holes(const rings *all) {
  static graze_ring holes[MOST_HOLES];
  assert_true(all->ring_count <= MOST_HOLES);
  rings_holes(all, holes);
  return holes;
}

static graze_status verify(const rings *all, const graze_decomposition *made) {
  return graze_verify_pieces(rings_outline(all), shared_holes(all), all->ring_count - 1, made, NULL);
}

static graze_status decompose(const rings *all, graze_decomposition *made) {
  return graze_decompose(rings_outline(all), shared_holes(all), all->ring_count - 1, GRAZE_SPLIT_AUTO, NULL, made, NULL,
                         NULL);
}

/* "x y x y …": rings and pieces, each ended by ";". */
#define SQUARE "0 0 4 0 4 4 0 4;"
#define HALVES "0 0 4 0 4 4; 0 0 4 4 0 4;"
#define HEXAGON "0 0 6 0 6 6 0 6; 2 1 4 1 5 3 4 5 2 5 1 3;"
#define AROUND                                                                                                         \
  "0 0 6 0 4 1 2 1; 6 0 5 3 4 1; 6 0 6 6 5 3; 6 6 4 5 5 3; 6 6 0 6 2 5 4 5; 0 6 1 3 2 5; 0 6 0 0 1 3; 0 0 2 1 1 3;"
#define SLITS "0 0 4 0 4 2 4 4 2 4 2 2 2 4 0 4 0 2 1 2 0 2;"
#define SLIT "0 0 4 0 4 2 4 4 0 4 0 2 1 2 3 2 1 2 0 2;"

static const struct {
  graze_status status;
  const char *what, *rings, *pieces;
} cases[] = {
    {GRAZE_OK, "one piece", SQUARE, SQUARE},
    {GRAZE_OK, "two", SQUARE, HALVES},
    {GRAZE_OK, "a clockwise outline", "0 4 4 4 4 0 0 0;", HALVES},
    {GRAZE_OK, "repeated neighbours", "0 0 4 0 4 0 4 4 0 4 0 0;", HALVES},
    {GRAZE_OK, "a vertex on an edge, not used", "0 0 2 0 4 0 4 4 0 4;", SQUARE},
    {GRAZE_OK, "and used", "0 0 2 0 4 0 4 4 0 4;", "0 0 2 0 0 4; 2 0 4 0 4 4 0 4;"},
    {GRAZE_OK, "a hole", "0 0 6 0 6 6 0 6; 2 2 4 2 4 4 2 4;",
     "0 0 6 0 4 2 2 2; 6 0 6 6 4 4 4 2; 6 6 0 6 2 4 4 4; 0 6 0 0 2 2 2 4;"},
    {GRAZE_OK, "a slit that nothing uses", "0 0 4 0 4 4 0 4 0 2 2 2 0 2;", HALVES},
    {GRAZE_OK, "a spike", "0 0 9 0 4 0 4 4 0 4;", HALVES},
    {GRAZE_OK, "two triangles that share a corner", "0 0 2 2 4 0 4 4 2 2 0 4;", "0 0 2 2 0 4; 4 0 4 4 2 2;"},
    /* Each piece. */
    {GRAZE_REFUTED, "not convex", "0 0 4 0 1 1 0 4;", "0 0 4 0 1 1 0 4;"},
    {GRAZE_REFUTED, "flat", SQUARE, "0 0 4 0 4 4 0 4; 0 0 4 0 2 0;"},
    {GRAZE_REFUTED, "clockwise", SQUARE, "0 4 4 4 4 0 0 0;"},
    {GRAZE_REFUTED, "two vertices", SQUARE, "0 0 4 0 4 4 0 4; 0 0 4 0;"},
    {GRAZE_REFUTED, "a vertex twice", SQUARE, "0 0 4 0 4 0 4 4 0 4;"},
    {GRAZE_REFUTED, "a piece that winds twice", "0 0 4 0 4 4 0 4 0 0 4 0 4 4 0 4;", "0 0 4 0 4 4 0 4 0 0 4 0 4 4 0 4;"},
    {GRAZE_OK, "around a hexagon", HEXAGON, AROUND},
    {GRAZE_REFUTED, "a triangle in the hole, there and back", HEXAGON, AROUND "2 1 5 3 2 5; 2 1 2 5 5 3;"},
    /* Corners. */
    {GRAZE_REFUTED, "a vertex of no ring", SQUARE, "0 0 2 0 4 0 4 4 0 4;"},
    {GRAZE_REFUTED, "a fan about an inner point", SQUARE, "0 0 4 0 1 2; 4 0 4 4 1 2; 4 4 0 4 1 2; 0 4 0 0 1 2;"},
    {GRAZE_REFUTED, "a fan about the end of a slit", "0 0 4 0 4 4 0 4 0 0 1 2;",
     "0 0 4 0 1 2; 4 0 4 4 1 2; 4 4 0 4 1 2; 0 4 0 0 1 2;"},
    {GRAZE_REFUTED, "180 degrees on either side, inside", "0 0 4 0 4 2 4 4 0 4 0 2 1 2 3 2 1 2 0 2;",
     "0 0 4 0 4 2 3 2 1 2 0 2; 0 2 1 2 3 2 4 2 4 4 0 4;"},
    /* Borders. */
    {GRAZE_REFUTED, "a piece is missing", SQUARE, "0 0 4 0 4 4;"},
    {GRAZE_REFUTED, "a hole is covered", "0 0 6 0 6 6 0 6; 2 2 4 2 4 4 2 4;", "0 0 6 0 6 6 0 6;"},
    {GRAZE_REFUTED, "only the hole", "0 0 6 0 6 6 0 6; 2 2 4 2 4 4 2 4;", "2 2 4 2 4 4 2 4;"},
    {GRAZE_REFUTED, "a hole outside", "0 0 4 0 4 4 0 4; 6 0 8 0 8 2 6 2;", "0 0 4 0 4 4 0 4; 6 0 8 0 8 2 6 2;"},
    {GRAZE_REFUTED, "twice, the other way", "0 0 4 0 4 4 0 4 0 2 0 1;", "0 0 4 0 4 4 0 4 0 2 0 1; 0 4 0 0 4 0 4 4;"},
    {GRAZE_REFUTED, "the hull", "0 0 4 0 4 4 2 2 0 4;", "0 0 4 0 4 4 0 4;"},
    {GRAZE_REFUTED, "a piece on a spike", "0 0 9 0 4 0 4 4 0 4;", "0 0 4 0 4 4 0 4; 4 0 9 0 4 4;"},
    /* T-junctions: each border cancels, but there is no internal edge. */
    {GRAZE_REFUTED, "one below two", "0 0 4 0 4 2 4 4 2 4 2 2 2 4 0 4 0 2;",
     "0 0 4 0 4 2 0 2; 0 2 2 2 2 4 0 4; 2 2 4 2 4 4 2 4;"},
    {GRAZE_REFUTED, "the corner of a hole on an edge", "0 0 4 0 4 2 4 4 0 4 0 2; 2 2 3 3 1 3;",
     "0 0 4 0 4 2 0 2; 0 2 2 2 1 3; 2 2 4 2 3 3; 0 2 1 3 0 4; 1 3 3 3 4 4 0 4; 3 3 4 2 4 4;"},
    {GRAZE_REFUTED, "the last edges of the lists", SLITS, "0 2 0 0 4 0 4 2; 2 2 2 4 0 4 0 2; 4 2 4 4 2 4 2 2;"},
    {GRAZE_REFUTED, "beside an internal edge", SLITS, "0 0 4 0 4 2 1 2 0 2; 0 2 1 2 2 2 2 4 0 4; 2 2 4 2 4 4 2 4;"},
    {GRAZE_REFUTED, "behind an internal edge", SLITS, "0 0 4 0 4 2 2 2 0 2; 0 2 1 2 2 2 2 4 0 4; 2 2 4 2 4 4 2 4;"},
    {GRAZE_REFUTED, "two pieces, left of an internal edge", SLIT, "0 0 4 0 4 2 1 2 0 2; 0 2 1 2 3 2 4 2 4 4 0 4;"},
    {GRAZE_REFUTED, "and right of one", SLIT, "0 0 4 0 4 2 3 2 0 2; 0 2 1 2 3 2 4 2 4 4 0 4;"},
    /* Twice. */
    {GRAZE_REFUTED, "rings that wind twice", "0 0 4 0 4 4 0 4 0 0 4 0 4 4 0 4;", "0 0 4 0 4 4 0 4; 0 0 4 0 4 4 0 4;"},
    {GRAZE_REFUTED, "and other pieces on top", "0 0 4 0 4 4 0 4 0 0 4 0 4 4 0 4;",
     "0 0 4 0 4 4; 0 0 4 4 0 4; 0 0 4 0 0 4; 4 0 4 4 0 4;"},
    {GRAZE_REFUTED, "a loop within", "0 0 4 0 4 4 0 4 0 0 2 1 2 3 1 2;", "0 0 4 0 4 4 0 4; 0 0 2 1 2 3 1 2;"},
    {GRAZE_REFUTED, "nonsense", "0 0 5 0 5 3 1 3 1 5 0 5; 6 6 7 6 7 7;", "0 0 5 0 5 3 1 3 1 5 0 5;"},
    {GRAZE_NOT_SIMPLE, "a hole without area", "0 0 4 0 4 4 0 4; 1 1 2 2;", SQUARE},
    {GRAZE_NOT_SIMPLE, "a bow tie", "0 0 4 4 4 0 0 4;", "0 0 4 0 2 2;"},
};

TEST(decompositions_by_hand) {
  for (size_t i = 0; i < COUNT(cases); i++) {
    rings all = rings_parse(cases[i].rings);
    pieces p = pieces_parse(cases[i].pieces);
    const graze_status status = verify(&all, &p.made);
    if (status != cases[i].status) fail_msg("%s: %s", cases[i].what, graze_status_text(status));
    pieces_free(&p);
    rings_clear(&all);
  }
}

TEST(internal_edges_must_be_the_common_edges) {
  rings all = rings_parse(SQUARE);
  pieces p = pieces_parse(HALVES);
  const graze_internal_edge good = p.internal_edges[0];
  const int32_t left = good.left, right = good.right;
  const graze_vec from = good.from, to = good.to, corner = {4, 0, 0};
  const graze_internal_edge bad[] = {
      {right, left, from, to},          {left, right, to, from},     {left, left, from, to},
      {left, right, from, from},        {left, right, from, corner}, {left, right, {NAN, 0, 0}, to},
      {left, right, from, {4, NAN, 0}}, {-1, right, from, to},       {left, 7, from, to}};
  assert_int_equal(p.made.internal_edge_count, 1);
  p.internal_edges[0] = (graze_internal_edge){right, left, to, from};
  assert_int_equal(verify(&all, &p.made), GRAZE_OK);
  for (size_t i = 0; i < COUNT(bad); i++) {
    p.internal_edges[0] = bad[i];
    assert_int_equal(verify(&all, &p.made), GRAZE_REFUTED);
  }
  p.internal_edges[0] = p.internal_edges[1] = good;
  for (size_t count = 0; count < 5; count++) {
    p.made.internal_edge_count = count < 4 ? count : SIZE_MAX;
    assert_int_equal(verify(&all, &p.made), count == 1 ? GRAZE_OK : GRAZE_REFUTED);
  }
  pieces_free(&p);
  rings_clear(&all);
}

TEST(malformed_input_is_rejected) {
  rings all = rings_parse(SQUARE);
  pieces p = pieces_parse(SQUARE);
  const graze_ring outline = rings_outline(&all), none = {NULL, 4};
  graze_vec wrong[4];
  memcpy(wrong, outline.vertices, sizeof wrong);
  const graze_ring bad = {wrong, 4};
  wrong[2].x = NAN;
  assert_int_equal(graze_verify_pieces(bad, NULL, 0, &p.made, NULL), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_verify_pieces(outline, &bad, 1, &p.made, NULL), GRAZE_BAD_NUMBER);
  wrong[2] = (graze_vec){4, 4, 1};
  assert_int_equal(graze_verify_pieces(bad, NULL, 0, &p.made, NULL), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_verify_pieces(none, NULL, 0, &p.made, NULL), GRAZE_BAD_SHAPE);
  assert_int_equal(graze_verify_pieces(outline, NULL, 1, &p.made, NULL), GRAZE_BAD_SHAPE);
  const graze_vec kept = p.vertices[1];
  const graze_vec vertices[] = {{NAN, 0, 0}, {INFINITY, 0, 0}, {2 * GRAZE_LARGEST, 0, 0}, {4, 0, 1}};
  for (size_t i = 0; i < COUNT(vertices); i++) {
    p.vertices[1] = vertices[i];
    assert_int_equal(verify(&all, &p.made), GRAZE_REFUTED);
  }
  p.vertices[1] = kept;
  graze_decomposition malformed[5] = {p.made, p.made, p.made, p.made, p.made};
  malformed[0].piece_count = 0, malformed[1].vertices = NULL, malformed[2].piece_start = NULL;
  malformed[3].internal_edges = NULL, malformed[3].internal_edge_count = 1,
  malformed[4].piece_count = (size_t)INT32_MAX + 1;
  for (size_t i = 0; i < COUNT(malformed); i++) assert_int_equal(verify(&all, &malformed[i]), GRAZE_REFUTED);
  p.start[0] = 1;
  assert_int_equal(verify(&all, &p.made), GRAZE_REFUTED);
  p.start[0] = 0, p.start[2] = 0, p.made.piece_count = 2;
  assert_int_equal(verify(&all, &p.made), GRAZE_REFUTED);
  p.start[2] = 4, p.made.piece_count = 1;
  assert_int_equal(verify(&all, &p.made), GRAZE_OK);
  pieces_free(&p);
  rings_clear(&all);
}

TEST(no_leak_when_memory_is_exhausted) {
  rings all = rings_parse(SQUARE);
  pieces p = pieces_parse(HALVES);
  graze_status status = GRAZE_OUT_OF_MEMORY;
  for (long n = 0; status != GRAZE_OK; n++) {
    failing_memory memory = {.fail_at = n};
    const graze_allocator allocator = failing_allocator(&memory);
    status = graze_verify_pieces(rings_outline(&all), NULL, 0, &p.made, &allocator);
    assert_int_equal(memory.out, 0);
    assert_int_equal(status, memory.calls > n ? GRAZE_OUT_OF_MEMORY : GRAZE_OK);
    assert_true(n < 10);
  }
  pieces_free(&p);
  rings_clear(&all);
}

/* ---- Random changes. */

static void change(pieces *p, int kind, rng *random) {
  const size_t corners = p->start[p->made.piece_count], count = p->made.piece_count,
               internal_edges = p->made.internal_edge_count;
  const size_t corner = rng_index(random, corners), piece = rng_index(random, count);
  const size_t from = p->start[piece], to = p->start[piece + 1],
               chosen_edge = internal_edges > 0 ? rng_index(random, internal_edges) : 0;
  graze_vec *v = p->vertices;
  if (kind > 4 && internal_edges == 0) return;
  switch (kind) {
  case 0: v[corner].x = nextafter(v[corner].x, rng_coin(random) ? INFINITY : -INFINITY); break;
  case 1: v[corner] = v[rng_index(random, corners)]; break;
  case 2: /* a piece less */
    memmove(v + from, v + to, (corners - to) * sizeof *v);
    for (size_t i = piece; i < count; i++) p->start[i] = p->start[i + 1] - (to - from);
    p->made.piece_count--;
    break;
  case 3: /* a piece twice */
    memcpy(v + corners, v + from, (to - from) * sizeof *v);
    p->start[++p->made.piece_count] = corners + (to - from);
    break;
  case 4: /* a corner less */
    memmove(v + corner, v + corner + 1, (corners - corner - 1) * sizeof *v);
    for (size_t i = 1; i <= count; i++) p->start[i] -= p->start[i] > corner;
    break;
  case 5: p->internal_edges[chosen_edge] = p->internal_edges[--p->made.internal_edge_count]; break;
  case 6: p->internal_edges[chosen_edge].left = p->internal_edges[chosen_edge].right; break;
  case 7: p->internal_edges[p->made.internal_edge_count++] = p->internal_edges[chosen_edge]; break;
  default: p->internal_edges[chosen_edge].from = v[corner]; break;
  }
}

/* The tiling oracle does not test corners inside, which these changes cannot create. Seeds 2000 on; 9 for the changes.
 */
TEST(changed_decompositions) {
  rng random = 9;
  size_t refuted = 0, unchanged = 0;
  for (size_t family = 0; family < rings_family_count; family++) {
    for (int t = 0; t < tiered(8, 16, 320); t++) {
      rings all = {0};
      graze_decomposition d = {0};
      rings_families[family].make(&all, (size_t)(12 + 7 * (t % 8) * (t % 3)), 2000 + (uint64_t)t);
      assert_int_equal(decompose(&all, &d), GRAZE_OK);
      if (verify(&all, &d) != GRAZE_OK) fail_msg("%s %d is refuted", rings_families[family].name, t);
      for (int i = 0; i < 36; i++) {
        pieces p = pieces_copy(&d);
        change(&p, i % 9, &random);
        const char *fault = tiling_fault(rings_outline(&all), shared_holes(&all), all.ring_count - 1, &p.made);
        const graze_status status = verify(&all, &p.made);
        if ((status == GRAZE_OK) != (fault == NULL))
          fail_msg("%s %d, change %d: %s, but the oracle finds: %s", rings_families[family].name, t, i % 9,
                   graze_status_text(status), fault ? fault : "no fault");
        refuted += fault != NULL, unchanged += fault == NULL;
        pieces_free(&p);
      }
      graze_decomposition_destroy(&d);
      rings_clear(&all);
    }
  }
  assert_true(refuted > 8 * unchanged && unchanged > 0);
}

/* ---- A square cut repeatedly from side to side, so that T-junctions are frequent, with slits to all lattice points
 * and some corners of 180 degrees. Such pieces always tile it; they are valid if no corner is inside. */
enum { LATTICE = 4, CUTS = 3 };

static void lattice_edge(rings *out, const int from[2], const int to[2], rng *random) {
  const int step[2] = {(to[0] > from[0]) - (to[0] < from[0]), (to[1] > from[1]) - (to[1] < from[1])};
  for (int at[2] = {from[0], from[1]}; at[0] != to[0] || at[1] != to[1]; at[0] += step[0], at[1] += step[1]) {
    const bool corner = at[0] == from[0] && at[1] == from[1];
    if (corner || rng_below(random, 8) == 0) rings_add_point(out, at[0], at[1]);
  }
}

static void lattice_pieces(rings *out, rng *random) {
  int box[CUTS + 1][2][2] = {{{0, 0}, {LATTICE, LATTICE}}};
  size_t count = 1;
  for (int cut = 0; cut < CUTS; cut++) {
    int(*from)[2] = box[rng_index(random, count)], axis = rng_below(random, 2);
    const int width = from[1][axis] - from[0][axis];
    if (width < 2) continue;
    memcpy(box[count], from, sizeof box[count]);
    from[1][axis] = box[count][0][axis] = from[0][axis] + 1 + rng_below(random, width - 1);
    count++;
  }
  for (size_t i = 0; i < count; i++) {
    const int *low = box[i][0], *high = box[i][1];
    const int corner[4][2] = {{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}};
    for (int k = 0; k < 4; k++) lattice_edge(out, corner[k], corner[(k + 1) % 4], random);
    rings_end(out);
  }
}

static rings lattice_outline(void) {
  rings out = {0};
  for (int x = 0; x < LATTICE; x++) rings_add_point(&out, x, 0);
  for (int y = 0; y < LATTICE; y++) rings_add_point(&out, LATTICE, y);
  for (int x = LATTICE; x > 0; x--) rings_add_point(&out, x, LATTICE);
  for (int y = LATTICE; y > 0; y--) {
    rings_add_point(&out, 0, y);
    if (y == LATTICE) continue;
    for (int x = 1; x < 2 * LATTICE - 2; x++) rings_add_point(&out, x < LATTICE ? x : 2 * LATTICE - 2 - x, y);
    rings_add_point(&out, 0, y);
  }
  rings_end(&out);
  return out;
}

/* Seed 31. */
TEST(cut_squares) {
  rng random = 31;
  const size_t tries = (size_t)tiered(4000, 8000, 160000);
  size_t good = 0;
  rings all = lattice_outline();
  for (size_t t = 0; t < tries; t++) {
    rings made = {0};
    lattice_pieces(&made, &random);
    pieces p = pieces_of(&made);
    bool inside = false;
    for (size_t k = 0; k < made.point_count; k++) {
      const graze_vec v = made.points[k];
      inside |= v.x > 0 && v.x < LATTICE && v.y > 0 && v.y < LATTICE;
    }
    assert_int_equal(verify(&all, &p.made), inside ? GRAZE_REFUTED : GRAZE_OK);
    good += !inside;
    pieces_free(&p);
    rings_clear(&made);
  }
  assert_in_range(100 * good / tries, 3, 50);
  rings_clear(&all);
}

/* Large ones, and all magnitudes down to subnormal numbers, where graze_decompose() may fail. */
TEST(decompositions_of_all_families) {
  static const int exponents[] = {-1060, -700, 0, 100, 120};
  for (size_t family = 0; family < rings_family_count; family++) {
    for (size_t k = 0; k <= COUNT(exponents); k++) {
      const int exponent = k < COUNT(exponents) ? exponents[k] : 0;
      rings all = {0};
      graze_decomposition d = {0};
      rings_families[family].make(&all, k < COUNT(exponents) ? 60 : 2000, 3);
      rings_scale(&all, ldexp(1, exponent));
      if (decompose(&all, &d) == GRAZE_OK)
        assert_int_equal(verify(&all, &d), GRAZE_OK);
      else
        assert_int_equal(exponent, -1060);
      graze_decomposition_destroy(&d);
      rings_clear(&all);
    }
  }
}
