/* Surfaces made by hand. */
#include "cert/skins.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void skin_close(skin *s, size_t points, size_t faces) {
  for (size_t i = 0; i < points; i++) s->pair[i] = claim_vertices((int)i, 0);
  s->surface = (graze_surface){points, faces, s->pair, (const int32_t(*)[3])s->face};
}

claim claim_skin(const skin *s, graze_pose pose, int count, const int *inside) {
  int dim = s->surface.face_count > 0 ? 3 : 2;
  graze_shape hull = (dim == 3 ? graze_hull : graze_hull2)(s->point, s->surface.pair_count);
  claim c = claim_make(hull, pose, dim == 3 ? graze_point() : graze_point2(),
                       graze_pose_at(pose.position.x, pose.position.y, pose.position.z), GRAZE_OVERLAPPING,
                       GRAZE_CERTIFICATE_INSIDE);
  graze_pair pairs[6];
  for (int i = 0; i < count; i++) pairs[i] = claim_vertices(inside[i], 0);
  claim_pairs(&c, count, pairs);
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_SURFACE;
  c.answer.certificate.surface = &s->surface;
  return c;
}

void expect(const claim *c, graze_status status) { assert_int_equal(claim_judge(c), status); }

void expect_depth(claim c, double depth) {
  claim_interval(&c, NAN, NAN, -depth);
  expect(&c, GRAZE_OK);
  c.answer.upper = nextafter(-depth, -INFINITY);
  expect(&c, GRAZE_REFUTED);
}
