/* Pieces before the verifier, by hand: each condition of docs/theory/certificates.md, "Pieces", has a forgery of its
 * own. What is random: test_pieces_random.c. */

#include "support/test.h"
#include "cert/forgery.h"

/* ---- By hand: "x y x y …", rings and pieces ended by ";". The seams are what they should be. */

static void read_rings(const char *text, rings *out) {
  for (const char *at = text; *at;) {
    char *end;
    if (*at == ';' || *at == ' ') {
      if (*at++ == ';') rings_end(out);
      continue;
    }
    double x = strtod(at, &end), y = strtod(end, &end);
    rings_add_point(out, x, y);
    at = end;
  }
}

static forgery read_pieces(const char *text) {
  rings all = {0};
  read_rings(text, &all);
  graze_decomposition d = {.vertices = all.points, .piece_start = all.start, .piece_count = all.ring_count};
  forgery f = forgery_copy(&d);
  forgery_seams(&f);
  rings_clear(&all);
  return f;
}

static void expect(graze_status wanted, const char *outline, const char *pieces, const char *why) {
  rings all = {0};
  read_rings(outline, &all);
  forgery f = read_pieces(pieces);
  graze_status status = forgery_judge(&all, &f.made);
  if (status != wanted) fail_msg("%s: %s, not %s", why, graze_status_text(status), graze_status_text(wanted));
  forgery_free(&f);
  rings_clear(&all);
}

#define SQUARE "0 0 4 0 4 4 0 4;"
#define WHOLE SQUARE
#define HALVES "0 0 4 0 4 4; 0 0 4 4 0 4;"

TEST(test_right) {
  expect(GRAZE_OK, SQUARE, WHOLE, "one piece");
  expect(GRAZE_OK, SQUARE, HALVES, "two");
  expect(GRAZE_OK, "0 4 4 4 4 0 0 0;", HALVES, "a clockwise outline");
  expect(GRAZE_OK, "0 0 4 0 4 0 4 4 0 4 0 0;", HALVES, "repeated neighbours");
  expect(GRAZE_OK, "0 0 2 0 4 0 4 4 0 4;", WHOLE, "a vertex on an edge, not used");
  expect(GRAZE_OK, "0 0 2 0 4 0 4 4 0 4;", "0 0 2 0 0 4; 2 0 4 0 4 4 0 4;", "and used");
  expect(GRAZE_OK, "0 0 6 0 6 6 0 6; 2 2 4 2 4 4 2 4;",
         "0 0 6 0 4 2 2 2; 6 0 6 6 4 4 4 2; 6 6 0 6 2 4 4 4; 0 6 0 0 2 2 2 4;", "a hole");
  expect(GRAZE_OK, "0 0 4 0 4 4 0 4 0 2 2 2 0 2;", HALVES, "a slit that nothing uses");
  expect(GRAZE_OK, "0 0 9 0 4 0 4 4 0 4;", HALVES, "a spike");
  expect(GRAZE_OK, "0 0 2 2 4 0 4 4 2 2 0 4;", "0 0 2 2 0 4; 4 0 4 4 2 2;", "two triangles that share a corner");
}

TEST(test_forged) {
  const graze_status no = GRAZE_REFUTED;
  /* Each piece. */
  expect(no, "0 0 4 0 1 1 0 4;", "0 0 4 0 1 1 0 4;", "not convex");
  expect(no, SQUARE, "0 0 4 0 4 4 0 4; 0 0 4 0 2 0;", "flat");
  expect(no, SQUARE, "0 4 4 4 4 0 0 0;", "clockwise");
  expect(no, SQUARE, "0 0 4 0 4 4 0 4; 0 0 4 0;", "two vertices");
  expect(no, SQUARE, "0 0 4 0 4 0 4 4 0 4;", "a vertex twice");
  expect(no, "0 0 4 0 4 4 0 4 0 0 4 0 4 4 0 4;", "0 0 4 0 4 4 0 4 0 0 4 0 4 4 0 4;", "a piece that winds twice");
  const char *hexagon = "0 0 6 0 6 6 0 6; 2 1 4 1 5 3 4 5 2 5 1 3;";
#define AROUND                                                                                                         \
  "0 0 6 0 4 1 2 1; 6 0 5 3 4 1; 6 0 6 6 5 3; 6 6 4 5 5 3; 6 6 0 6 2 5 4 5; 0 6 1 3 2 5; 0 6 0 0 1 3; 0 0 2 1 1 3;"
  expect(GRAZE_OK, hexagon, AROUND, "around a hexagon");
  expect(no, hexagon, AROUND "2 1 5 3 2 5; 2 1 2 5 5 3;", "a triangle in the hole, there and back");
  /* Corners. */
  expect(no, SQUARE, "0 0 2 0 4 0 4 4 0 4;", "a vertex of no ring");
  expect(no, SQUARE, "0 0 4 0 1 2; 4 0 4 4 1 2; 4 4 0 4 1 2; 0 4 0 0 1 2;", "a fan about an inner point");
  expect(no, "0 0 4 0 4 4 0 4 0 0 1 2;", "0 0 4 0 1 2; 4 0 4 4 1 2; 4 4 0 4 1 2; 0 4 0 0 1 2;",
         "a fan about the end of a slit");
  expect(no, "0 0 4 0 4 2 4 4 0 4 0 2 1 2 3 2 1 2 0 2;", "0 0 4 0 4 2 3 2 1 2 0 2; 0 2 1 2 3 2 4 2 4 4 0 4;",
         "180 degrees on either side, inside");
  /* Borders. */
  expect(no, SQUARE, "0 0 4 0 4 4;", "a piece is missing");
  expect(no, "0 0 6 0 6 6 0 6; 2 2 4 2 4 4 2 4;", "0 0 6 0 6 6 0 6;", "a hole is covered");
  expect(no, "0 0 6 0 6 6 0 6; 2 2 4 2 4 4 2 4;", "2 2 4 2 4 4 2 4;", "only the hole");
  expect(no, "0 0 4 0 4 4 0 4; 6 0 8 0 8 2 6 2;", "0 0 4 0 4 4 0 4; 6 0 8 0 8 2 6 2;", "a hole outside");
  expect(no, "0 0 4 0 4 4 0 4 0 2 0 1;", "0 0 4 0 4 4 0 4 0 2 0 1; 0 4 0 0 4 0 4 4;", "twice, the other way");
  expect(no, "0 0 4 0 4 4 2 2 0 4;", "0 0 4 0 4 4 0 4;", "the hull");
  expect(no, "0 0 9 0 4 0 4 4 0 4;", "0 0 4 0 4 4 0 4; 4 0 9 0 4 4;", "a piece on a spike");
  /* T-junctions: each border cancels, but no seam is there. */
  expect(no, "0 0 4 0 4 2 4 4 2 4 2 2 2 4 0 4 0 2;", "0 0 4 0 4 2 0 2; 0 2 2 2 2 4 0 4; 2 2 4 2 4 4 2 4;",
         "one below two");
  expect(no, "0 0 4 0 4 2 4 4 0 4 0 2; 2 2 3 3 1 3;",
         "0 0 4 0 4 2 0 2; 0 2 2 2 1 3; 2 2 4 2 3 3; 0 2 1 3 0 4; 1 3 3 3 4 4 0 4; 3 3 4 2 4 4;",
         "the corner of a hole on an edge");
  const char *slits = "0 0 4 0 4 2 4 4 2 4 2 2 2 4 0 4 0 2 1 2 0 2;";
  expect(no, slits, "0 2 0 0 4 0 4 2; 2 2 2 4 0 4 0 2; 4 2 4 4 2 4 2 2;", "the last edges of the lists");
  expect(no, slits, "0 0 4 0 4 2 1 2 0 2; 0 2 1 2 2 2 2 4 0 4; 2 2 4 2 4 4 2 4;", "beside a seam");
  expect(no, slits, "0 0 4 0 4 2 2 2 0 2; 0 2 1 2 2 2 2 4 0 4; 2 2 4 2 4 4 2 4;", "behind a seam");
  const char *slit = "0 0 4 0 4 2 4 4 0 4 0 2 1 2 3 2 1 2 0 2;";
  expect(no, slit, "0 0 4 0 4 2 1 2 0 2; 0 2 1 2 3 2 4 2 4 4 0 4;", "two pieces, left of a seam");
  expect(no, slit, "0 0 4 0 4 2 3 2 0 2; 0 2 1 2 3 2 4 2 4 4 0 4;", "and right of one");
  /* Twice. */
  expect(no, "0 0 4 0 4 4 0 4 0 0 4 0 4 4 0 4;", "0 0 4 0 4 4 0 4; 0 0 4 0 4 4 0 4;", "rings that wind twice");
  expect(no, "0 0 4 0 4 4 0 4 0 0 4 0 4 4 0 4;", "0 0 4 0 4 4; 0 0 4 4 0 4; 0 0 4 0 0 4; 4 0 4 4 0 4;",
         "and other pieces on top");
  expect(no, "0 0 4 0 4 4 0 4 0 0 2 1 2 3 1 2;", "0 0 4 0 4 4 0 4; 0 0 2 1 2 3 1 2;", "a loop within");
  expect(no, "0 0 5 0 5 3 1 3 1 5 0 5; 6 6 7 6 7 7;", "0 0 5 0 5 3 1 3 1 5 0 5;", "nonsense");
  expect(GRAZE_NOT_SIMPLE, "0 0 4 0 4 4 0 4; 1 1 2 2;", WHOLE, "a hole without area");
  expect(GRAZE_NOT_SIMPLE, "0 0 4 4 4 0 0 4;", "0 0 4 0 2 2;", "a bow tie");
}

/* ---- Seams, and what is no decomposition at all. */

TEST(test_seams) {
  rings all = {0};
  read_rings(SQUARE, &all);
  forgery f = read_pieces(HALVES);
  const graze_seam good = f.seams[0];
  assert_int_equal(f.made.seam_count, 1);
  f.seams[0] = (graze_seam){good.right, good.left, good.to, good.from};
  assert_int_equal(forgery_judge(&all, &f.made), GRAZE_OK);
  const graze_seam bad[] = {{good.right, good.left, good.from, good.to},
                            {good.left, good.right, good.to, good.from},
                            {good.left, good.left, good.from, good.to},
                            {good.left, good.right, good.from, good.from},
                            {good.left, good.right, good.from, {4, 0, 0}},
                            {good.left, good.right, {NAN, 0, 0}, good.to},
                            {good.left, good.right, good.from, {4, NAN, 0}},
                            {-1, good.right, good.from, good.to},
                            {good.left, 7, good.from, good.to}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    f.seams[0] = bad[i];
    assert_int_equal(forgery_judge(&all, &f.made), GRAZE_REFUTED);
  }
  f.seams[0] = f.seams[1] = good;
  for (size_t count = 0; count < 5; count++) {
    f.made.seam_count = count < 4 ? count : SIZE_MAX;
    assert_int_equal(forgery_judge(&all, &f.made), count == 1 ? GRAZE_OK : GRAZE_REFUTED);
  }
  forgery_free(&f);
  rings_clear(&all);
}

TEST(test_bad_input) {
  rings all = {0};
  read_rings(SQUARE, &all);
  forgery f = read_pieces(WHOLE);
  graze_ring outline = rings_outline(&all), none = {NULL, 4};
  graze_vec wrong[4];
  memcpy(wrong, outline.vertices, sizeof wrong);
  graze_ring bad = {wrong, 4};
  wrong[2].x = NAN;
  assert_int_equal(graze_verify_pieces(bad, NULL, 0, &f.made, NULL), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_verify_pieces(outline, &bad, 1, &f.made, NULL), GRAZE_BAD_NUMBER);
  wrong[2] = (graze_vec){4, 4, 1};
  assert_int_equal(graze_verify_pieces(bad, NULL, 0, &f.made, NULL), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_verify_pieces(none, NULL, 0, &f.made, NULL), GRAZE_BAD_SHAPE);
  assert_int_equal(graze_verify_pieces(outline, NULL, 1, &f.made, NULL), GRAZE_BAD_SHAPE);
  const double numbers[] = {NAN, INFINITY, 2 * GRAZE_LARGEST};
  for (int i = 0; i < 3; i++) {
    f.vertices[1].x = numbers[i];
    assert_int_equal(forgery_judge(&all, &f.made), GRAZE_REFUTED);
  }
  f.vertices[1] = (graze_vec){4, 0, 1};
  assert_int_equal(forgery_judge(&all, &f.made), GRAZE_REFUTED);
  f.vertices[1].z = 0;
  graze_decomposition without[5] = {f.made, f.made, f.made, f.made, f.made};
  without[0].piece_count = 0, without[1].vertices = NULL, without[2].piece_start = NULL;
  without[3].seams = NULL, without[3].seam_count = 1, without[4].piece_count = (size_t)INT32_MAX + 1;
  for (int i = 0; i < 5; i++) assert_int_equal(forgery_judge(&all, &without[i]), GRAZE_REFUTED);
  f.start[0] = 1;
  assert_int_equal(forgery_judge(&all, &f.made), GRAZE_REFUTED);
  f.start[0] = 0, f.start[2] = 0, f.made.piece_count = 2;
  assert_int_equal(forgery_judge(&all, &f.made), GRAZE_REFUTED);
  f.start[2] = 4, f.made.piece_count = 1;
  assert_int_equal(forgery_judge(&all, &f.made), GRAZE_OK);
  forgery_free(&f);
  rings_clear(&all);
}

/* ---- Memory. */

typedef struct purse {
  size_t calls, fails_at;
  long held;
} purse;

static void *take(void *context, size_t size) {
  purse *p = context;
  if (p->calls++ == p->fails_at) return NULL;
  p->held++;
  return malloc(size);
}

static void give(void *context, void *memory) {
  purse *p = context;
  p->held -= memory != NULL;
  free(memory);
}

TEST(test_memory) {
  rings all = {0};
  read_rings(SQUARE, &all);
  forgery f = read_pieces(HALVES);
  graze_status status = GRAZE_OUT_OF_MEMORY;
  for (size_t n = 0; status != GRAZE_OK; n++) {
    purse p = {.fails_at = n};
    const graze_allocator allocator = {take, give, &p};
    status = graze_verify_pieces(rings_outline(&all), NULL, 0, &f.made, &allocator);
    assert_int_equal(p.held, 0);
    assert_int_equal(status, p.calls > n ? GRAZE_OUT_OF_MEMORY : GRAZE_OK);
    assert_true(n < 10);
  }
  forgery_free(&f);
  rings_clear(&all);
}
