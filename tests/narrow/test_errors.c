/* Rejected input of queries about two shapes: the status, and the name, value and rule in the caller's graze_error. */
#include "support/test.h"
#include "support/geometry.h"

#include <graze/batch.h>
#include <graze/build.h>
#include <graze/compare.h>

static graze_error error;
static const char *broken_rule; /* of the last failure */
static graze_answer answer;
static graze_certificate certificate;

/* The last call failed, and named this. */
static void expect_reason(graze_status status, graze_status expected, const char *owner, const char *what,
                          ptrdiff_t index, double value) {
  assert_int_equal(status, expected);
  assert_int_equal(error.status, expected);
  assert_string_equal(error.owner, owner);
  assert_string_equal(error.what, what);
  assert_int_equal(error.index, index);
  assert_true(error.value == value || (isnan(error.value) && isnan(value)));
  assert_true(error.allowed != NULL && strlen(error.allowed) > 5);
  broken_rule = error.allowed;
  error = (graze_error){.what = "", .owner = "", .allowed = ""};
}

static graze_placed box_at(double x) {
  const graze_shape box = graze_box(1, 1, 1);
  return graze_place(&box, graze_pose_at(x, 0, 0));
}

static graze_placed bad_box(void) {
  const graze_shape box = graze_box(1, -2, 1);
  return graze_place(&box, graze_pose_at(0, 0, 0));
}

typedef graze_status (*pair_query)(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                   graze_answer *result);

static graze_status verify(const graze_placed *a, const graze_placed *b, const graze_options *options,
                           graze_answer *result) {
  return graze_verify(a, b, options, result, &certificate);
}

TEST(every_query_of_two_shapes_names_the_reason) {
  static const pair_query queries[] = {graze_intersect, graze_distance, graze_compare_brute, graze_compare_sat, verify};
  const graze_placed good = box_at(0), other = box_at(5), bad = bad_box();
  const graze_shape flat_shape = graze_circle(1), plane_shape = graze_halfspace(vec(0, 0, 1), 0);
  const graze_placed flat = graze_place(&flat_shape, graze_pose_at(0, 0, 0)),
                     plane = graze_place(&plane_shape, graze_pose_at(0, 0, 0));
  for (size_t i = 0; i < COUNT(queries); i++) {
    graze_options options = graze_default_options();
    options.error = &error;
    expect_reason(queries[i](&good, &bad, &options, &answer), GRAZE_BAD_SHAPE, "b", "half_extents", 1, -2);
    expect_reason(queries[i](&bad, &good, &options, &answer), GRAZE_BAD_SHAPE, "a", "half_extents", 1, -2);
    expect_reason(queries[i](&good, &flat, &options, &answer), GRAZE_DIM_MISMATCH, "b", "dim", -1, 2);
    expect_reason(queries[i](&plane, &plane, &options, &answer), GRAZE_UNSUPPORTED, "", "shapes", -1, 0);
    options.clearance = -3;
    expect_reason(queries[i](&good, &other, &options, &answer), GRAZE_BAD_OPTION, "", "clearance", -1, -3);
  }
}

TEST(methods_name_the_shapes_that_they_do_not_accept) {
  static const struct {
    graze_method method;
    const char *word;
  } cases[] = {{GRAZE_METHOD_EXACT, "curved"}, {GRAZE_METHOD_EPA, "half-space"}};
  const graze_shape round = graze_ellipsoid(1, 2, 3), plane = graze_halfspace(vec(0, 0, 1), 0);
  const graze_placed good = box_at(0);
  for (size_t i = 0; i < COUNT(cases); i++) {
    const graze_placed other = graze_place(i == 0 ? &round : &plane, graze_pose_at(0, 0, 0));
    graze_options options = graze_default_options();
    options.error = &error, options.method = cases[i].method;
    expect_reason(graze_distance(&good, &other, &options, &answer), GRAZE_UNSUPPORTED, "", "method", -1,
                  cases[i].method);
    assert_non_null(strstr(broken_rule, cases[i].word));
  }
  const graze_placed half = graze_place(&plane, graze_pose_at(0, 0, 0));
  graze_options options = graze_default_options();
  options.error = &error, options.method = GRAZE_METHOD_EXACT;
  expect_reason(graze_distance(&half, &half, &options, &answer), GRAZE_UNSUPPORTED, "", "shapes", -1, 0);
}

TEST(reference_methods_name_what_they_do_not_support) {
  const graze_shape round = graze_ellipsoid(1, 2, 3);
  const graze_placed good = box_at(0), curved = graze_place(&round, graze_pose_at(0, 0, 0));
  graze_options options = graze_default_options();
  options.error = &error;
  expect_reason(graze_compare_sat(&good, &curved, &options, &answer), GRAZE_UNSUPPORTED, "", "shapes", -1, 0);
  options.method = GRAZE_METHOD_EPA;
  expect_reason(graze_compare_brute(&good, &good, &options, &answer), GRAZE_UNSUPPORTED, "", "method", -1,
                GRAZE_METHOD_EPA);
  options.method = GRAZE_METHOD_AUTO, options.workspace = &answer, options.workspace_size = 8;
  expect_reason(graze_compare_brute(&good, &good, &options, &answer), GRAZE_NO_SPACE, "", "workspace", -1, 8);
}

TEST(rays_name_their_own_parameters) {
  const graze_placed good = box_at(0), bad = bad_box();
  const graze_vec o = {-5, 0, 0}, x = {1, 0, 0}, nan = {0, NAN, 0}, huge = {0, 0, 2e40};
  graze_cast_options options = graze_default_cast_options();
  graze_cast_result result;
  options.error = &error;
  expect_reason(graze_raycast(&good, nan, x, 9, &options, &result), GRAZE_BAD_NUMBER, "", "origin", 1, NAN);
  expect_reason(graze_raycast(&good, o, huge, 9, &options, &result), GRAZE_BAD_NUMBER, "", "direction", 2, 2e40);
  expect_reason(graze_raycast(&good, o, x, -9, &options, &result), GRAZE_BAD_OPTION, "", "t_max", -1, -9);
  expect_reason(graze_raycast(&bad, o, x, 9, &options, &result), GRAZE_BAD_SHAPE, "", "half_extents", 1, -2);
}

TEST(motions_name_the_body_and_the_coordinate) {
  const graze_placed good = box_at(0), other = box_at(9);
  const graze_shape plane_shape = graze_halfspace(vec(0, 0, 1), 0);
  const graze_placed plane = graze_place(&plane_shape, graze_pose_at(0, 0, 0));
  const graze_motion spin = {{0, 0, 0}, {0, 7, 0}}, nan = {{0, 0, NAN}, {0, 0, 0}};
  graze_cast_options options = graze_default_cast_options();
  graze_cast_result result;
  options.error = &error;
  expect_reason(graze_cast(&good, NULL, &other, &nan, 9, &options, &result), GRAZE_BAD_NUMBER, "b", "velocity", 2, NAN);
  expect_reason(graze_cast(&plane, &spin, &other, NULL, 9, &options, &result), GRAZE_UNSUPPORTED, "a", "angular", 1, 7);
}

TEST(the_verifier_of_casts_names_the_reason) {
  const graze_placed good = box_at(0), other = box_at(9), bad = bad_box();
  const graze_shape plane_shape = graze_halfspace(vec(0, 0, 1), 0);
  const graze_placed plane = graze_place(&plane_shape, graze_pose_at(0, 0, 0));
  const graze_motion spin = {{0, 0, 0}, {0, 7, 0}};
  graze_cast_options options = graze_default_cast_options();
  graze_cast_result result;
  graze_compound *compound;
  options.error = &error, options.certificate = &certificate;
  assert_int_equal(graze_cast(&good, NULL, &other, NULL, 1, &options, &result), GRAZE_OK);
  const graze_cast_options *o = &options;
#define VERIFY(a, motion_a, b, t_max) graze_verify_cast(&(a), motion_a, &(b), NULL, t_max, o, &result, &certificate)
  expect_reason(VERIFY(good, NULL, bad, 1), GRAZE_BAD_SHAPE, "b", "half_extents", 1, -2);
  expect_reason(VERIFY(plane, NULL, plane, 1), GRAZE_UNSUPPORTED, "", "shapes", -1, 0);
  expect_reason(VERIFY(plane, &spin, good, 1), GRAZE_UNSUPPORTED, "a", "angular", 1, 7);
  expect_reason(VERIFY(good, NULL, other, NAN), GRAZE_BAD_NUMBER, "", "t_max", -1, NAN);
  expect_reason(VERIFY(good, NULL, other, -1), GRAZE_BAD_OPTION, "", "t_max", -1, -1);
  assert_int_equal(graze_compound_create(&good, 1, NULL, &compound, NULL), GRAZE_OK);
  const graze_shape whole = graze_compound_shape(compound);
  const graze_placed placed = graze_place(&whole, graze_pose_at(0, 0, 0));
  expect_reason(VERIFY(placed, NULL, other, 1), GRAZE_UNSUPPORTED, "", "shapes", -1, 0);
  assert_string_equal(broken_rule, "must not be compounds");
  graze_compound_destroy(compound);
  options.clearance = -2;
  expect_reason(VERIFY(good, NULL, other, 1), GRAZE_BAD_OPTION, "", "clearance", -1, -2);
#undef VERIFY
}

TEST(no_options_are_the_defaults) {
  error.status = GRAZE_BAD_DATA;
  assert_int_equal(graze_check_options(NULL, 3, &error), GRAZE_OK);
  assert_int_equal(error.status, GRAZE_OK);
  assert_int_equal(graze_check_options(NULL, 2, NULL), GRAZE_OK);
}

/* ---- The rules that the input breaks */

TEST(a_manifold_needs_space_for_a_contact) {
  const graze_placed good = box_at(0);
  graze_manifold_options options = graze_default_manifold_options();
  graze_contact contact;
  size_t count;
  options.error = &error;
  expect_reason(graze_manifold(&good, &good, &options, &answer, &contact, 0, &count), GRAZE_NO_SPACE, "", "capacity",
                -1, 0);
  assert_string_equal(broken_rule, "must be >= 1");
}

TEST(polygons_state_the_rule_that_rings_break) {
  static const graze_vec bow_tie[4] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}},
                         square[4] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}},
                         hole[3] = {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}};
  const graze_ring ring = {square, 4}, holes[2] = {{hole, 3}, {hole, 0}}, crossed = {bow_tie, 4};
  graze_decomposition made;
  const graze_splitting any = GRAZE_SPLIT_AUTO;
  expect_reason(graze_decompose(crossed, NULL, 0, any, NULL, &made, NULL, &error), GRAZE_NOT_SIMPLE, "", "vertices", 0,
                0);
  assert_string_equal(broken_rule, "must bound a polygon, without edges that cross");
  expect_reason(graze_decompose(ring, holes, 2, any, NULL, &made, NULL, &error), GRAZE_BAD_SHAPE, "", "holes", -1, 2);
  assert_string_equal(broken_rule, "must be rings of at least one vertex");
  expect_reason(graze_decompose(ring, holes, 1, GRAZE_SPLIT_FEWEST, NULL, &made, NULL, &error), GRAZE_UNSUPPORTED, "",
                "splitting", -1, GRAZE_SPLIT_FEWEST);
  assert_string_equal(broken_rule, "must not be GRAZE_SPLIT_FEWEST for holes or a ring that touches itself");
}

TEST(compounds_state_the_rule_that_parts_break) {
  const graze_shape plane_shape = graze_halfspace(vec(0, 0, 1), 0), circle = graze_circle(1);
  const graze_placed parts[2] = {box_at(0), graze_place(&plane_shape, graze_pose_at(0, 0, 0))},
                     flat[2] = {box_at(0), graze_place(&circle, graze_pose_at(0, 0, 0))};
  graze_compound *compound;
  expect_reason(graze_compound_create(parts, 2, NULL, &compound, &error), GRAZE_UNSUPPORTED, "", "parts", 1, 0);
  assert_string_equal(broken_rule, "must not be half-spaces, meshes, compounds or parts of compounds");
  expect_reason(graze_compound_create(flat, 2, NULL, &compound, &error), GRAZE_DIM_MISMATCH, "", "parts", 1, 0);
  assert_string_equal(broken_rule, "must have the dimension of the first part");
}
