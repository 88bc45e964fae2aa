/* Pieces before the verifier: what graze_decompose() makes is accepted. Random changes of it are judged by
 * tests/build/tiling.c, which shares no code; squares cut at random, by where their corners lie. Seeds: stated at each
 * test. GRAZE_TIER=ci or soak: more of them. */

#include "support/test.h"
#include "support/random.h"

#include <time.h>

#include "build/tiling.h"
#include "cert/forgery.h"

static int tier(void) { return tiered(1, 2, 40); }

static size_t corners_of(const forgery *f) { return f->start[f->made.piece_count]; }

static void drop_piece(forgery *f, size_t piece) {
  size_t from = f->start[piece], to = f->start[piece + 1], all = corners_of(f);
  memmove(f->vertices + from, f->vertices + to, (all - to) * sizeof *f->vertices);
  for (size_t i = piece; i < f->made.piece_count; i++) f->start[i] = f->start[i + 1] - (to - from);
  f->made.piece_count--;
}

static void repeat_piece(forgery *f, size_t piece) {
  size_t from = f->start[piece], size = f->start[piece + 1] - from, all = corners_of(f);
  memcpy(f->vertices + all, f->vertices + from, size * sizeof *f->vertices);
  f->start[++f->made.piece_count] = all + size;
}

/* Leaves a corner of one piece out: most often an edge of others is then cut short, or a vertex stands on one. */
static void drop_corner(forgery *f, size_t at) {
  memmove(f->vertices + at, f->vertices + at + 1, (corners_of(f) - at - 1) * sizeof *f->vertices);
  for (size_t i = 1; i <= f->made.piece_count; i++) f->start[i] -= f->start[i] > at;
}

static void forge(forgery *f, int kind, uint64_t *seed) {
  size_t corner = rng_index(seed, corners_of(f)), piece = rng_index(seed, f->made.piece_count);
  size_t seams = f->made.seam_count, seam = seams > 0 ? rng_index(seed, seams) : 0;
  switch (kind) {
  case 0: f->vertices[corner].x = nextafter(f->vertices[corner].x, rng_index(seed, 2) ? INFINITY : -INFINITY); break;
  case 1: f->vertices[corner] = f->vertices[rng_index(seed, corners_of(f))]; break;
  case 2: drop_piece(f, piece); break;
  case 3: repeat_piece(f, piece); break;
  case 4: drop_corner(f, corner); break;
  case 5:
    if (seams > 0) f->seams[seam] = f->seams[--f->made.seam_count];
    break;
  case 6:
    if (seams > 0) f->seams[seam].left = f->seams[seam].right;
    break;
  case 7:
    if (seams > 0) f->seams[f->made.seam_count++] = f->seams[seam];
    break;
  default:
    if (seams > 0) f->seams[seam].from = f->vertices[corner];
    break;
  }
}

/* Seeds 2000 to 2000 + tries, and 9 for the changes. What is changed is refuted wherever the oracle finds a fault; it
 * does not look at corners inside, which cannot come about here. */
TEST(test_random) {
  uint64_t seed = 9;
  size_t refuted = 0, unchanged = 0;
  for (size_t family = 0; family < rings_family_count; family++) {
    for (int t = 0; t < 8 * tier(); t++) {
      rings all = {0};
      graze_decomposition d = {0};
      rings_families[family].make(&all, (size_t)(12 + 7 * (t % 8) * (t % 3)), 2000 + (uint64_t)t);
      graze_ring *holes = forgery_room(all.ring_count, sizeof *holes);
      rings_holes(&all, holes);
      assert_int_equal(forgery_decompose(&all, &d), GRAZE_OK);
      if (forgery_judge(&all, &d) != GRAZE_OK) fail_msg("%s %d is refuted", rings_families[family].name, t);
      for (int kind = 0; kind < 36; kind++) {
        forgery f = forgery_copy(&d);
        forge(&f, kind % 9, &seed);
        const char *fault = tiling_fault(rings_outline(&all), holes, all.ring_count - 1, &f.made);
        graze_status status = forgery_judge(&all, &f.made);
        if ((status == GRAZE_OK) != (fault == NULL))
          fail_msg("%s %d, change %d: %s, but %s", rings_families[family].name, t, kind % 9, graze_status_text(status),
                   fault ? fault : "there is no fault");
        refuted += fault != NULL, unchanged += fault == NULL;
        forgery_free(&f);
      }
      graze_decomposition_destroy(&d);
      free(holes);
      rings_clear(&all);
    }
  }
  print_message("%zu changes refuted, %zu of no matter\n", refuted, unchanged);
  assert_true(refuted > 8 * unchanged && unchanged > 0);
}

/* A square cut again and again from side to side, so that T-junctions are frequent, with slits to all lattice points
 * and corners of 180 degrees here and there. Such pieces always tile it; they are good if no corner is inside. */
enum { LATTICE = 4, CUTS = 3 };

static void lattice_corners(rings *out, const int from[2], const int to[2], uint64_t *seed) {
  int step[2] = {(to[0] > from[0]) - (to[0] < from[0]), (to[1] > from[1]) - (to[1] < from[1])};
  for (int at[2] = {from[0], from[1]}; at[0] != to[0] || at[1] != to[1]; at[0] += step[0], at[1] += step[1]) {
    bool corner = at[0] == from[0] && at[1] == from[1];
    if (corner || rng_index(seed, 8) == 0) rings_add_point(out, at[0], at[1]);
  }
}

static void lattice_pieces(rings *out, uint64_t *seed) {
  int box[CUTS + 1][2][2] = {{{0, 0}, {LATTICE, LATTICE}}};
  size_t count = 1;
  for (int cut = 0; cut < CUTS; cut++) {
    int(*from)[2] = box[rng_index(seed, count)], axis = rng_below(seed, 2);
    int wide = from[1][axis] - from[0][axis];
    if (wide < 2) continue;
    int at = from[0][axis] + 1 + rng_below(seed, wide - 1);
    memcpy(box[count], from, sizeof box[count]);
    from[1][axis] = box[count][0][axis] = at;
    count++;
  }
  for (size_t i = 0; i < count; i++) {
    const int *low = box[i][0], *high = box[i][1];
    const int corner[5][2] = {
        {low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}, {low[0], low[1]}};
    for (int k = 0; k < 4; k++) lattice_corners(out, corner[k], corner[k + 1], seed);
    rings_end(out);
  }
}

static void lattice_outline(rings *out) {
  for (int x = 0; x < LATTICE; x++) rings_add_point(out, x, 0);
  for (int y = 0; y < LATTICE; y++) rings_add_point(out, LATTICE, y);
  for (int x = LATTICE; x > 0; x--) rings_add_point(out, x, LATTICE);
  for (int y = LATTICE; y > 0; y--) {
    rings_add_point(out, 0, y);
    for (int x = 1; x < 2 * LATTICE - 2 && y < LATTICE; x++)
      rings_add_point(out, x < LATTICE ? x : 2 * LATTICE - 2 - x, y);
    if (y < LATTICE) rings_add_point(out, 0, y);
  }
  rings_end(out);
}

static bool is_inside(graze_vec p) { return p.x > 0 && p.x < LATTICE && p.y > 0 && p.y < LATTICE; }

/* Seed 31. */
TEST(test_lattice) {
  uint64_t seed = 31;
  size_t good = 0, tries = 4000 * (size_t)tier();
  rings all = {0};
  lattice_outline(&all);
  for (size_t t = 0; t < tries; t++) {
    rings made = {0};
    lattice_pieces(&made, &seed);
    graze_decomposition d = {.vertices = made.points, .piece_start = made.start, .piece_count = made.ring_count};
    forgery f = forgery_copy(&d);
    free(f.seams);
    f.seams = forgery_room(made.point_count, sizeof *f.seams);
    forgery_seams(&f);
    bool inside = false;
    for (size_t k = 0; k < made.point_count; k++) inside |= is_inside(made.points[k]);
    assert_int_equal(forgery_judge(&all, &f.made), inside ? GRAZE_REFUTED : GRAZE_OK);
    good += !inside;
    forgery_free(&f);
    rings_clear(&made);
  }
  print_message("%zu of %zu cut squares are good\n", good, tries);
  assert_in_range(100 * good / tries, 3, 50);
  rings_clear(&all);
}

/* The magnitudes of rings.h: down to subnormal numbers. */
TEST(test_magnitudes) {
  static const int exponents[] = {-1060, -700, 0, 100, 120};
  for (size_t family = 0; family < rings_family_count; family++) {
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
      rings all = {0};
      graze_decomposition d = {0};
      rings_families[family].make(&all, 60, 3);
      rings_scale(&all, ldexp(1, exponents[k]));
      if (forgery_decompose(&all, &d) == GRAZE_OK) {
        assert_int_equal(forgery_judge(&all, &d), GRAZE_OK);
        graze_decomposition_destroy(&d);
      } else {
        assert_int_equal(exponents[k], -1060);
      }
      rings_clear(&all);
    }
  }
}

/* With GRAZE_TIMES set, how long it takes. */
TEST(test_large) {
  const char *times = getenv("GRAZE_TIMES");
  for (size_t family = 0; family < rings_family_count; family++) {
    rings all = {0};
    graze_decomposition d = {0};
    rings_families[family].make(&all, times ? 10000 : 2000, 1);
    assert_int_equal(forgery_decompose(&all, &d), GRAZE_OK);
    clock_t begin = clock();
    assert_int_equal(forgery_judge(&all, &d), GRAZE_OK);
    if (times)
      print_message("%-15s %6zu vertices, %5zu pieces: %.1f ms\n", rings_families[family].name, all.point_count,
                    d.piece_count, 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC);
    graze_decomposition_destroy(&d);
    rings_clear(&all);
  }
}
