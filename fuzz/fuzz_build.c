/* Arbitrary points. Their hull and fitted box contain every point. An outline has the same properties when reversed.
 * Its decomposition has convex pieces, or it is rejected with a validation error. */
#include "bytes.h"

#include <graze/build.h>
#include <stdlib.h>

enum { MAX_POINTS = 64 };

static void require(bool good) {
  if (!good) abort();
}

/* Whether the closed convex shape contains the point, exactly. */
static bool contains(const graze_shape *shape, graze_pose pose, graze_vec point) {
  graze_relation relation;
  graze_placed placed = graze_place(shape, pose);
  return graze_contains(&placed, point, &relation) == GRAZE_OK && relation != GRAZE_SEPARATED;
}

static bool same(graze_vec p, graze_vec q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

static void check_hull(const graze_vec *points, size_t count, int dim) {
  graze_hull hull;
  graze_status status = graze_hull_create(points, count, dim, NULL, &hull, NULL);
  if (status != GRAZE_OK) {
    require(status == GRAZE_BAD_NUMBER);
    return;
  }
  graze_shape shape = graze_hull_shape(&hull);
  require(hull.affine_dim >= 0 && hull.affine_dim <= dim && hull.vertex_count > (size_t)hull.affine_dim);
  require(hull.area >= 0 && hull.volume >= 0);
  for (size_t i = 0; i < hull.vertex_count; i++)
    require(hull.indices[i] < count && same(points[hull.indices[i]], hull.vertices[i]));
  for (size_t i = 0; i < count; i++) require(contains(&shape, graze_pose_at(0, 0, 0), points[i]));
  graze_hull_destroy(&hull);
}

static void check_box(const graze_vec *points, size_t count, int dim, graze_effort effort) {
  graze_fitted_box fitted;
  graze_status status = graze_fit_box(points, count, dim, effort, NULL, &fitted, NULL);
  if (status != GRAZE_OK) return;
  require(graze_check(&fitted.box, &fitted.pose, NULL) == GRAZE_OK && fitted.measure >= 0);
  for (size_t i = 0; i < count; i++) require(contains(&fitted.box, fitted.pose, points[i]));
}

/* The reversed outline has the same properties with the opposite winding. */
static void check_outline(const graze_vec *points, size_t count) {
  graze_vec reversed[MAX_POINTS];
  graze_outline one, other;
  if (graze_validate_outline(points, count, NULL, &one, NULL) != GRAZE_OK) return;
  for (size_t i = 0; i < count; i++) reversed[i] = points[count - 1 - i];
  require(graze_validate_outline(reversed, count, NULL, &other, NULL) == GRAZE_OK);
  require(one.convex == other.convex && one.simple == other.simple && one.area == other.area);
  require(one.simple == (one.error_count == 0) && one.error_count == other.error_count);
  require((one.winding == GRAZE_WINDING_CCW) == (other.winding == GRAZE_WINDING_CW));
  graze_outline_destroy(&one);
  graze_outline_destroy(&other);
}

static void check_pieces(const graze_decomposition *d) {
  graze_compound *compound = NULL;
  require(d->piece_count >= 1 && d->fewest >= 1 && d->fewest <= d->piece_count);
  for (size_t i = 0; i < d->piece_count; i++) {
    graze_shape piece = graze_polygon(d->vertices + d->piece_start[i], d->piece_start[i + 1] - d->piece_start[i]);
    require(graze_check(&piece, NULL, NULL) == GRAZE_OK);
  }
  require(graze_decomposition_compound(d, NULL, &compound) == GRAZE_OK);
  graze_shape whole = graze_compound_shape(compound);
  for (size_t i = 0; i < d->piece_start[d->piece_count]; i++)
    require(contains(&whole, graze_pose_at(0, 0, 0), d->vertices[i]));
  graze_compound_destroy(compound);
}

static void check_decomposition(const graze_vec *points, size_t count, size_t hole, graze_splitting splitting) {
  graze_decomposition d;
  graze_outline_error problem = {.kind = (graze_outline_error_kind)0};
  graze_ring outline = {points, count - hole}, ring = {points + count - hole, hole};
  graze_status status = graze_decompose(outline, &ring, hole ? 1 : 0, splitting, NULL, &d, &problem, NULL);
  if (status == GRAZE_NOT_SIMPLE) require(problem.kind != 0 && problem.ring <= 1 && problem.index < count);
  if (status != GRAZE_OK) return;
  check_pieces(&d);
  graze_decomposition_destroy(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes in = {data, size, 0};
  graze_vec points[MAX_POINTS];
  uint8_t head = next_byte(&in);
  int dim = head & 1 ? 2 : 3;
  in.numbers = head >> 1 & 3;
  size_t hole = head & 8 ? next_byte(&in) % 8 : 0, count = 1 + next_byte(&in) % MAX_POINTS;
  for (size_t i = 0; i < count; i++) points[i] = next_vec(&in, dim);
  check_hull(points, count, dim);
  check_box(points, count, dim, head & 16 ? GRAZE_BEST : GRAZE_FAST);
  if (dim == 3) return 0;
  check_outline(points, count);
  if (hole < count) check_decomposition(points, count, hole, (graze_splitting)(head >> 5 & 3));
  return 0;
}
