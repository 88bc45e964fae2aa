/* Depths of a point in hulls of integer points, proved by a surface. The points are coplanar, collinear, equal, near a
 * plane or line, or in convex position. The expected depth is the least distance to a face of graze_hull_create(),
 * which has its own tests. Small workspaces give wider intervals; nothing outside of them is written. */

#include "support/proved.h"
#include <graze/build.h>

#include "support/test.h"
#include "support/geometry.h"
#include "support/random.h"

enum { POINTS_MAX = 40, CANARY = 0xa5, CANARIES = 64 };

static graze_vec whole_vec(rng *random, int dim, int limit) {
  graze_vec v = {rng_between(random, -limit, limit), rng_between(random, -limit, limit), 0};
  if (dim == 3) v.z = rng_between(random, -limit, limit);
  return v;
}

static void draw(rng *random, int dim, int kind, graze_vec *v, int count) {
  static const int ranges[] = {1000, 100, 3, 2};
  for (int i = 0; i < count; i++) {
    v[i] = whole_vec(random, dim, kind < 4 ? ranges[kind] : 5);
    double *last = dim == 3 ? &v[i].z : &v[i].y;
    if (kind == 4 && rng_below(random, 8) != 0) *last = 0;
    if (kind == 5 && rng_below(random, 4) != 0) v[i].y = v[i].x, v[i].z = dim == 3 ? -v[i].x : 0;
    if (kind == 6) { /* on a paraboloid: every point is a vertex */
      v[i] = whole_vec(random, dim, 20);
      *last = v[i].x * v[i].x + (dim == 3 ? v[i].y * v[i].y : 0);
    }
    if (i > 0 && rng_below(random, 10) == 0) v[i] = v[rng_below(random, i)];
  }
}

/* The least distance from p to the plane of a face, negative outside; 0 for a flat hull. */
static double depth_in(const graze_hull *h, graze_vec p) {
  double least = INFINITY;
  if (h->affine_dim < h->dim) return 0;
  const size_t count = h->dim == 3 ? h->face_count : h->vertex_count;
  for (size_t f = 0; f < count; f++) {
    graze_vec a, n;
    if (h->dim == 3) {
      const int32_t *corner = h->face_vertices + h->face_start[f];
      a = h->vertices[corner[0]];
      n = cross(sub(h->vertices[corner[1]], a), sub(h->vertices[corner[2]], a));
    } else {
      a = h->vertices[f];
      const graze_vec u = sub(h->vertices[(f + 1) % count], a);
      n = vec(u.y, -u.x, 0);
    }
    least = fmin(least, dot(n, sub(a, p)) / norm(n));
  }
  return least;
}

static proved_answer query(const graze_placed *hull, const graze_placed *point, size_t size, bool *proved) {
  unsigned char *buffer = malloc(size + 2 * CANARIES);
  assert_non_null(buffer);
  memset(buffer, CANARY, size + 2 * CANARIES);
  graze_surface surface;
  graze_options options = graze_default_options();
  options.workspace = buffer + CANARIES, options.workspace_size = size, options.surface = &surface;
  proved_answer answer;
  assert_int_equal(query_distance(hull, point, &options, &answer), GRAZE_OK);
  const graze_status status = verify_answer(hull, point, &options, &answer);
  assert_true(status == GRAZE_OK || status == GRAZE_UNPROVEN);
  *proved = status == GRAZE_OK;
  for (size_t i = 0; i < CANARIES; i++) assert_true(buffer[i] == CANARY && buffer[CANARIES + size + i] == CANARY);
  free(buffer);
  return answer;
}

TEST(depths_are_proved_in_any_workspace) {
  rng random = 1;
  const int rounds = tiered(100, 200, 2000);
  int widened = 0;
  for (int dim = 2; dim <= 3; dim++)
    for (int kind = 0; kind < 7; kind++) {
      int deep = 0;
      for (int i = 0; i < rounds; i++) {
        graze_vec v[POINTS_MAX], p;
        const int count = dim + 1 + rng_below(&random, POINTS_MAX - dim);
        draw(&random, dim, kind, v, count);
        p = scaled(0.125, add(whole_vec(&random, dim, 3), add(v[0], add(v[count / 2], v[count - 1]))));
        graze_hull hull;
        assert_int_equal(graze_hull_create(v, (size_t)count, dim, NULL, &hull, NULL), GRAZE_OK);
        const double depth = depth_in(&hull, p);
        double size = 0;
        for (int k = 0; k < count; k++) size = fmax(size, norm(v[k]));
        graze_hull_destroy(&hull);
        const graze_shape solid = dim == 2 ? graze_hull_points2(v, (size_t)count) : graze_hull_points(v, (size_t)count);
        const graze_shape dot_shape = dim == 2 ? graze_point2() : graze_point();
        const graze_placed a = graze_place(&solid, identity), b = graze_place(&dot_shape, graze_pose_at(p.x, p.y, p.z));
        bool proved;
        proved_answer answer = query(&a, &b, graze_workspace_size((size_t)count + 3), &proved);
        assert_true((answer.relation == GRAZE_OVERLAPPING) == (depth > 1e-9));
        if (answer.relation != GRAZE_OVERLAPPING) continue;
        deep++;
        if (!proved || fabs(answer.distance + depth) > 1e-12 * (1 + depth) ||
            answer.upper - answer.lower > 1e-12 * (1 + size))
          fail_msg("dim %d, kind %d, %d: depth %.17g, computed %.17g in [%.17g, %.17g], proved %d", dim, kind, i, depth,
                   -answer.distance, answer.lower, answer.upper, proved);
        answer = query(&a, &b, graze_workspace_size((size_t)rng_below(&random, 9)), &proved);
        assert_true(answer.lower <= -depth + 1e-12 * (1 + depth) && answer.upper >= -depth - 1e-12 * (1 + depth));
        widened += answer.stopped == GRAZE_STOP_BUDGET;
      }
      assert_true(2 * deep > rounds);
    }
  assert_true(widened > rounds);
}

TEST(workspace_size) {
  for (size_t points = 0; points < 300; points++)
    assert_true(graze_workspace_size(points) <= graze_workspace_size(points + 1));
  assert_true(graze_workspace_size(GRAZE_WORKSPACE_POINTS) <= 64 * 1024);
  assert_true(graze_workspace_size(SIZE_MAX) == SIZE_MAX && graze_workspace_size(SIZE_MAX / 200) == SIZE_MAX);
  for (size_t points = 1; points < SIZE_MAX / 2; points *= 2)
    assert_true(graze_workspace_size(points) <= graze_workspace_size(2 * points));
}
