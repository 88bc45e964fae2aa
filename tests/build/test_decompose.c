/* graze_decompose() of families of polygons, checked by tiling.c: sizes, magnitudes, either winding, all splittings.
 * Each test states its seed. Prints the numbers of pieces and their lower bounds. */

#include "support/test.h"
#include "support/random.h"

#include "build/rings.h"
#include "build/tiling.h"

typedef struct tally {
  size_t pieces, bound, most; /* most: 100·pieces/bound, of the worst polygon */
} tally;

static int tier(void) { return tiered(1, 2, 40); }

static void reverse(rings *all, size_t ring) {
  for (size_t i = all->start[ring], j = all->start[ring + 1]; i + 1 < j; i++) {
    graze_vec t = all->points[i];
    all->points[i] = all->points[--j], all->points[j] = t;
  }
}

/* Splits, checks, counts. */
static size_t check(const rings *all, graze_splitting how, bool simple, const char *name, tally *sum) {
  graze_ring outline = rings_outline(all), *holes = holes_of(all);
  size_t hole_count = all->ring_count - 1;
  graze_decomposition d = {0};
  graze_flaw flaw = {0};
  graze_status status = graze_decompose(outline, holes, hole_count, how, NULL, &d, &flaw, NULL);
  if (status != GRAZE_OK)
    fail_msg("%s, %zu points: status %d, flaw %d at ring %zu, %zu", name, all->point_count, (int)status, (int)flaw.kind,
             flaw.ring, flaw.index);
  const char *fault = tiling_fault(outline, holes, hole_count, &d);
  if (fault != NULL) fail_msg("%s, %zu points, splitting %d: %s", name, all->point_count, (int)how, fault);
  assert_true(d.fewest >= 1 && d.fewest <= d.piece_count);
  if (simple) {
    size_t reflex = tiling_reflex(outline);
    assert_true(d.fewest >= (reflex + 1) / 2 + 1 && d.piece_count <= 2 * reflex + 1);
    assert_true(d.piece_count <= 4 * d.fewest);
    if (how == GRAZE_SPLIT_FEWEST) assert_true(d.fewest == d.piece_count);
  }
  size_t pieces = d.piece_count;
  if (sum != NULL) {
    sum->pieces += pieces, sum->bound += d.fewest;
    if (100 * pieces / d.fewest > sum->most) sum->most = 100 * pieces / d.fewest;
  }
  graze_decomposition_destroy(&d);
  assert_null(d.memory);
  free(holes);
  return pieces;
}

/* Seeds 1000 to 1000 + tries. */
TEST(families) {
  for (size_t f = 0; f < rings_family_count; f++) {
    const rings_family *family = &rings_families[f];
    tally few = {0}, fewest = {0};
    for (int t = 0; t < 12 * tier(); t++) {
      rings all = {0};
      family->make(&all, (size_t)(12 + t % 12 * (t % 12) * 2), 1000 + (uint64_t)t);
      for (size_t r = 0; r < all.ring_count; r++) {
        if ((t >> (r % 3)) & 1) reverse(&all, r);
      }
      size_t pieces = check(&all, GRAZE_SPLIT_FEW, family->simple, family->name, &few);
      size_t automatic = check(&all, GRAZE_SPLIT_AUTO, family->simple, family->name, NULL);
      if (family->simple) {
        size_t least = check(&all, GRAZE_SPLIT_FEWEST, true, family->name, &fewest);
        assert_true(least <= pieces);
        assert_int_equal(automatic, all.point_count <= 100 ? least : pieces);
      } else {
        assert_int_equal(automatic, pieces);
      }
      rings_clear(&all);
    }
    print_message("%-15s few: %5zu pieces, bound %5zu, worst ratio %.2f; fewest: %5zu\n", family->name, few.pieces,
                  few.bound, (double)few.most / 100, fewest.pieces);
  }
}

/* Down to where the points are subnormal and up to the largest ones. Where scaling rounds, polygons may lose their
 * validity: those on a lattice do not. */
TEST(magnitudes) {
  static const int exponents[] = {-1060, -1022, -997, -700, -300, -1, 1, 60, 120};
  for (size_t f = 0; f < rings_family_count; f++) {
    for (size_t k = 0; k < COUNT(exponents); k++) {
      const char *name = rings_families[f].name;
      bool lattice = strcmp(name, "comb") == 0 || strcmp(name, "monotone") == 0 || strcmp(name, "L") == 0 ||
                     strstr(name, "maze") != NULL || strcmp(name, "touching holes") == 0;
      if (exponents[k] < -960 && !lattice) continue;
      rings all = {0};
      rings_families[f].make(&all, 40, 11);
      rings_scale(&all, ldexp(1, exponents[k]));
      check(&all, GRAZE_SPLIT_AUTO, rings_families[f].simple, name, NULL);
      rings_clear(&all);
    }
  }
}

/* The exact limits of coordinates. */
TEST(largest_coordinates) {
  static const double shape[][2] = {{-1, -1}, {1, -1}, {1, 1}, {0x1p-1074, 0x1p-1074}, {-1, 1}};
  rings all = {0};
  for (size_t i = 0; i < 5; i++)
    rings_add_point(&all, shape[i][0] * (i == 3 ? 1 : 1e40), shape[i][1] * (i == 3 ? 1 : 1e40));
  rings_end(&all);
  assert_int_equal(check(&all, GRAZE_SPLIT_AUTO, true, "largest", NULL), 2);
  rings_clear(&all);
}

static double step(double x, int way) { return way == 0 ? x : nextafter(x, way > 0 ? INFINITY : -INFINITY); }

/* A square whose edges carry points on them, or an ulp to either side: decided by one bit. Seed 5. */
TEST(an_ulp_decides) {
  uint64_t seed = 5;
  size_t many = 0, single = 0;
  for (int t = 0; t < 300 * tier(); t++) {
    rings all = {0};
    double s = 1 + rng_uniform(&seed, 0, 1);
    for (int side = 0; side < 4; side++) {
      for (int k = 0; k < 5; k++) {
        double along = s * k / 5, across = k == 0 ? 0 : step(s, rng_below(&seed, 3) - 1) - s;
        double x[4] = {along, s - across, s - along, across}, y[4] = {across, along, s - across, s - along};
        rings_add_point(&all, x[side], y[side]);
      }
    }
    rings_end(&all);
    size_t pieces = check(&all, GRAZE_SPLIT_AUTO, true, "ulps", NULL);
    many += pieces > 1, single += pieces == 1;
    rings_clear(&all);
  }
  assert_true(many > (size_t)(100 * tier()) && many + single == (size_t)(300 * tier()));
}

TEST(large_polygons) {
  for (size_t f = 0; f < rings_family_count; f++) {
    rings all = {0};
    rings_families[f].make(&all, (size_t)tiered(3000, 5000, 10000), 3);
    if (all.ring_count == 1 || tier() > 1 || f % 2 == 1)
      check(&all, GRAZE_SPLIT_AUTO, rings_families[f].simple, rings_families[f].name, NULL);
    rings_clear(&all);
  }
}

/* ---- By hand. */

static size_t pieces_of(const char *rings_text, graze_splitting how, bool simple) {
  rings all = rings_parse(rings_text);
  size_t pieces = check(&all, how, simple, rings_text, NULL);
  rings_clear(&all);
  return pieces;
}

TEST(polygons_by_hand) {
  static const struct {
    const char *rings;
    graze_splitting how;
    bool simple;
    size_t pieces;
  } cases[] = {
      {"0 0, 1 0, 0 1", GRAZE_SPLIT_AUTO, true, 1},
      {"0 0, 0 1, 1 0", GRAZE_SPLIT_FEWEST, true, 1},
      {"0 0, 0 0, 1 0, 1 0, 1 0, 0 1, 0 0", GRAZE_SPLIT_FEWEST, true, 1}, /* repeated neighbours */
      {"0 0, 2 0, 2 1, 1 1, 1 2, 0 2", GRAZE_SPLIT_FEWEST, true, 2},
      {"0 0, 1 0, 2 0, 2 1, 1 1, 1 2, 0 2, 0 1", GRAZE_SPLIT_FEWEST, true, 2},
      {"0 0, 4 0, 4 4, 0 4; 1 1, 2 1, 1 2", GRAZE_SPLIT_AUTO, false, 3},
      {"0 0, 4 0, 4 4, 0 4; 0 0, 2 1, 1 2", GRAZE_SPLIT_AUTO, false, 3}, /* the hole touches a corner */
      {"0 0, 4 0, 4 4, 0 4; 2 0, 3 1, 1 1", GRAZE_SPLIT_AUTO, false, 5}, /* … the middle of an edge */
      {"0 0, 4 0, 4 4, 0 4; 1 0, 3 0, 2 1", GRAZE_SPLIT_AUTO, false, 2}, /* … lies along it */
      {"0 0, 4 0, 4 4, 0 4; 0 0, 4 0, 4 2, 0 2", GRAZE_SPLIT_AUTO, false, 1},
      {"0 0, 4 0, 4 4, 0 4; 1 1, 2 1, 2 2, 1 2; 2 1, 3 1, 3 2, 2 2", GRAZE_SPLIT_AUTO, false, 4}, /* side by side */
      {"0 0, 1 0, 1 1, 2 1, 2 2, 1 2, 1 1, 0 1", GRAZE_SPLIT_AUTO, false, 2}, /* two squares at a corner */
      {"0 0, 2 0, 1 1, 2 2, 0 2, 1 1", GRAZE_SPLIT_AUTO, false, 2},
      {"0 0, 4 0, 4 4, 0 4, 0 0, 1 1, 1 3, 3 3, 3 1, 1 1", GRAZE_SPLIT_AUTO, false, 4}, /* a keyhole */
      {"0 0, 4 0, 4 4, 0 4, 0 0, 1 1, 2 3, 1 1", GRAZE_SPLIT_AUTO, false, 1}, /* a spike inward, with a bend */
      {"0 0, 4 0, 7 0, 4 0, 4 4, 0 4", GRAZE_SPLIT_AUTO, false, 1},           /* a spike outward */
      {"0 0, 6 0, 6 2, 4 2, 4 0, 2 0, 2 2, 0 2", GRAZE_SPLIT_AUTO, false, 2}, /* an edge upon another */
      {"0 0, 4 0, 4 4, 2 0, 0 4", GRAZE_SPLIT_AUTO, false, 2},                /* a vertex upon an edge */
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    size_t pieces = pieces_of(cases[i].rings, cases[i].how, cases[i].simple);
    if (pieces != cases[i].pieces) fail_msg("%s: %zu pieces", cases[i].rings, pieces);
  }
}

/* Points inside that no edge counts at are no reason for pieces: spikes of any shape in a square, one piece. Seed 9. */
TEST(spikes_make_no_pieces) {
  uint64_t seed = 9;
  for (int t = 0; t < 200 * tier(); t++) {
    rings all = {0};
    size_t spikes = 1 + rng_index(&seed, 12);
    rings_add_point(&all, 0, 0);
    for (size_t i = 0; i < spikes; i++) { /* fans out from the corner, in order of slope */
      double x = (double)(1 + rng_index(&seed, 3)), y = x * (double)(i + 1);
      rings_add_point(&all, x, y), rings_add_point(&all, 0, 0);
    }
    rings_add_point(&all, 0, 100), rings_add_point(&all, 100, 100), rings_add_point(&all, 100, 0);
    rings_end(&all);
    assert_int_equal(check(&all, GRAZE_SPLIT_AUTO, false, "spikes", NULL), 1);
    rings_clear(&all);
  }
}

/* The same input gives the same bits. */
TEST(same_input_same_bits) {
  for (size_t f = 0; f < rings_family_count; f++) {
    rings all = {0};
    rings_families[f].make(&all, 90, 21);
    graze_ring *holes = holes_of(&all);
    graze_decomposition d[2];
    for (int i = 0; i < 2; i++) {
      assert_int_equal(
          graze_decompose(rings_outline(&all), holes, all.ring_count - 1, GRAZE_SPLIT_AUTO, NULL, &d[i], NULL, NULL),
          GRAZE_OK);
    }
    assert_int_equal(d[0].piece_count, d[1].piece_count);
    assert_int_equal(d[0].seam_count, d[1].seam_count);
    size_t corners = d[0].piece_start[d[0].piece_count];
    assert_memory_equal(d[0].vertices, d[1].vertices, corners * sizeof *d[0].vertices);
    assert_memory_equal(d[0].piece_start, d[1].piece_start, (d[0].piece_count + 1) * sizeof *d[0].piece_start);
    for (int i = 0; i < 2; i++) graze_decomposition_destroy(&d[i]);
    free(holes);
    rings_clear(&all);
  }
}

/* The check finds planted errors: in the pieces, their area and their seams. */
TEST(check_finds_errors) {
  rings all = rings_parse("0 0, 4 0, 4 4, 2 1, 0 4");
  const graze_ring outline = rings_outline(&all);
  for (int error = 0; error < 5; error++) {
    graze_decomposition d;
    assert_int_equal(graze_decompose(outline, NULL, 0, GRAZE_SPLIT_AUTO, NULL, &d, NULL, NULL), GRAZE_OK);
    assert_null(tiling_fault(outline, NULL, 0, &d));
    graze_decomposition wrong = d;
    graze_vec corners[12];
    graze_seam seams[4];
    assert_true(d.piece_start[d.piece_count] <= COUNT(corners) && d.seam_count <= COUNT(seams));
    memcpy(corners, d.vertices, d.piece_start[d.piece_count] * sizeof *corners);
    memcpy(seams, d.seams, d.seam_count * sizeof *seams);
    wrong.vertices = corners, wrong.seams = seams;
    if (error == 0) corners[1] = corners[0];
    if (error == 1) wrong.piece_count--;
    if (error == 2) wrong.area = nextafter(d.area, 99);
    if (error == 3) seams[0].left = seams[0].right;
    if (error == 4) corners[2].x += 0x1p-50;
    assert_non_null(tiling_fault(outline, NULL, 0, &wrong));
    graze_decomposition_destroy(&d);
  }
  rings_clear(&all);
}
