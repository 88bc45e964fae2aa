/* Attacks on surfaces that prove a depth: every face, index, pair and count, and points of curved cores. */

#include "verify/attacks.h"

static const int32_t cube_faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                          {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
static const int cube_inside[4] = {0, 3, 5, 6};

/* The cube of half extent 1 as a hull, exactly one deep, with its surface. */
static verify_case cube_case(closed_surface *s) {
  for (int i = 0; i < 8; i++) s->point[i] = vec(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  memcpy(s->face, cube_faces, sizeof cube_faces);
  surface_close(s, 8, 12);
  return with_interval(with_vector(surface_case(s, identity, 4, cube_inside), 1, 0, 0), -1, -1, -1);
}

TEST(surface_proves_depth_and_radii_add_up) {
  closed_surface s;
  verify_case c = cube_case(&s), turned = c;
  check_tight(c);
  turned.a.pose = graze_pose3(vec(3, 4, 5), 1, 2, 3, 4);
  turned.b.pose.position = turned.a.pose.position;
  check(with_interval(turned, NAN, NAN, -1));
  c.a.shape.margin = 0.5;
  c.b.shape = graze_with_margin(graze_sphere(0.25), 0.0625);
  c = with_interval(with_clearance(c, 0.125), -1.9375, -1.9375, -1.9375);
  check_tight(c);
  c.answer.certificate.kind = GRAZE_CERTIFICATE_NEAR;
  check_tight(c);
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_PAIRS;
  expect(c, GRAZE_UNPROVEN);
  check(with_interval(c, -1.9375, NAN, -0.9375)); /* as deep as the radii */
}

static void swap_faces(closed_surface *s, int i, int k) {
  int32_t kept[3];
  memcpy(kept, s->face[i], sizeof kept);
  memcpy(s->face[i], s->face[k], sizeof kept);
  memcpy(s->face[k], kept, sizeof kept);
}

TEST(every_face_is_needed) {
  closed_surface s;
  verify_case c = cube_case(&s);
  for (int i = 0; i < 12; i++) {
    typedef struct triangle {
      int32_t at[3];
    } triangle;
    int32_t *face = s.face[i];
    const int32_t u = face[0], v = face[1], w = face[2], *next = s.face[(i + 1) % 12];
    REFUTE_EACH(&c, triangle, *face, {{v, u, w}}, {{next[0], next[1], next[2]}}, {{u, u, u}}); /* reversed, … */
    for (int k = 0; k < 3; k++) REFUTE_EACH(&c, int32_t, face[k], -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, INT32_MAX, INT32_MIN);
    face[0] = v, face[1] = w, face[2] = u;
    expect(c, GRAZE_OK); /* the same face */
    swap_faces(&s, i, 11);
    expect(c, GRAZE_OK);
    REFUTE_EACH(&c, size_t, s.surface.face_count, 11);
  }
}

TEST(no_face_may_be_added) {
  closed_surface s;
  verify_case c = cube_case(&s);
  for (int i = 0; i < 12; i++) {
    memcpy(s.face[12], s.face[i], sizeof *s.face);
    memcpy(s.face[13], (const int32_t[]){s.face[i][1], s.face[i][0], s.face[i][2]}, sizeof *s.face);
    REFUTE_EACH(&c, size_t, s.surface.face_count, 13, 14); /* twice; a flat fold: closed, but half of it is reversed */
  }
  for (int32_t third = 0; third < 8; third++) {
    memcpy(s.face[12], (const int32_t[]){0, 0, third}, sizeof *s.face);
    REFUTE_EACH(&c, size_t, s.surface.face_count, 13); /* a point, or an edge to and fro */
  }
  memcpy(s.face[12], s.face[0], 12 * sizeof *s.face);
  s.surface.face_count = 24;
  expect(c, GRAZE_OK); /* the surface twice is as sound as once */
}

TEST(counts_of_surfaces) {
  static int32_t repeated_faces[4097][3];
  const size_t huge[] = {4097, (size_t)INT32_MAX + 1, SIZE_MAX / 12, SIZE_MAX};
  closed_surface s;
  verify_case c = cube_case(&s);
  REFUTE_EACH(&c, size_t, s.surface.face_count, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  REFUTE_EACH(&c, size_t, s.surface.pair_count, 0, 1, 2, 3, 4, 5, 6, 7);
  for (size_t i = 0; i < COUNT(huge); i++) { /* neither array is read */
    s.surface.face_count = huge[i];
    expect(c, GRAZE_UNPROVEN);
    s.surface.face_count = 12, s.surface.pair_count = huge[i];
    if (i > 0) expect(c, GRAZE_UNPROVEN);
    s.surface.pair_count = 8;
  }
  for (int i = 0; i < 4097; i++) memcpy(repeated_faces[i], s.face[i % 12], sizeof *repeated_faces);
  s.surface.faces = (const int32_t(*)[3])repeated_faces;
  s.surface.face_count = 12 * 341; /* 4092 faces */
  expect(c, GRAZE_OK);
  REFUTE_EACH(&c, size_t, s.surface.face_count, 4096); /* four too many */
  s.surface.face_count = 4097;
  expect(c, GRAZE_UNPROVEN);
  c.answer.certificate.surface = NULL;
  expect(c, GRAZE_REFUTED);
}

TEST(kinds_of_depth_proofs) {
  closed_surface s;
  verify_case c = cube_case(&s);
  REFUTE_EACH(&c, int, c.answer.certificate.depth_proof, 3, -1, 1000, INT32_MAX, INT32_MIN);
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_PAIRS;
  expect(c, GRAZE_UNPROVEN);
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_AXES;
  expect(c, GRAZE_REFUTED);                       /* a hull */
  expect(with_interval(c, -1, NAN, 0), GRAZE_OK); /* overlapping proves as much by itself */
}

TEST(pairs_of_surfaces_must_be_vertices) {
  closed_surface s;
  verify_case c = cube_case(&s);
  for (int i = 0; i < 8; i++) {
    const int32_t another = (i + 1) % 8;
    REFUTE_EACH(&c, int32_t, s.pair[i].a, -1, 8, INT32_MAX, INT32_MIN, another);
    REFUTE_EACH(&c, int32_t, s.pair[i].b, -1, 1, INT32_MAX, INT32_MIN);
  }
}

/* Closed, but the origin is outside, on a face, or on an edge. The points lie far inside the hull. */
TEST(surface_must_enclose_the_origin) {
  static const int32_t faces[4][3] = {{8, 10, 9}, {8, 9, 11}, {9, 10, 11}, {8, 11, 10}};
  const double shift[] = {-0.25, 0, 0x1p-1074, 0.5, -1};
  for (int i = 0; i < 5; i++) {
    closed_surface s;
    const graze_vec corner = {shift[i], shift[i], shift[i]};
    for (int k = 0; k < 8; k++) s.point[k] = vec(k & 1 ? 9 : -9, k & 2 ? 9 : -9, k & 4 ? 9 : -9);
    for (int k = 0; k < 4; k++) s.point[8 + k] = add(corner, vec(k == 1, k == 2, k == 3));
    memcpy(s.face, faces, sizeof faces);
    surface_close(&s, 12, 4);
    verify_case c = surface_case(&s, identity, 4, cube_inside);
    expect(with_interval(c, NAN, NAN, -0x1p-1074), i == 0 ? GRAZE_OK : GRAZE_REFUTED);
  }
}

/* A prism in a cylinder, 3 deep along the axis. */
TEST(points_of_curved_surfaces_must_lie_in_the_core) {
  static const graze_vec rim[4] = {{-3, -4, 0}, {4, -3, 0}, {-4, 3, 0}, {3, 4, 0}}; /* as the corners of a cube */
  closed_surface s;
  memcpy(s.face, cube_faces, sizeof cube_faces);
  surface_close(&s, 8, 12);
  for (int i = 0; i < 8; i++) s.pair[i] = points(-1, add(rim[i % 4], vec(0, 0, i < 4 ? -3 : 3)), 0, vec(0, 0, 0));
  verify_case c = overlapping(graze_with_margin(graze_cylinder(5, 3), 0.25), identity, graze_point(), identity,
                              GRAZE_CERTIFICATE_NEAR);
  c = with_vector(with_pairs(c, PAIRS(s.pair[0], s.pair[3], s.pair[5], s.pair[6])), 0, 0, 1);
  c = with_interval(c, -3.25, -3.25, -3.25);
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_SURFACE;
  c.answer.certificate.surface = &s.surface;
  check_tight(c);
  for (int i = 0; i < 8; i++) {
    double *coordinate[3] = {&s.pair[i].point_a.x, &s.pair[i].point_a.y, &s.pair[i].point_a.z};
    for (int k = 0; k < 3; k++) {
      const double x = *coordinate[k];
      REFUTE_EACH(&c, double, *coordinate[k], nextafter(x, x > 0 ? INFINITY : -INFINITY), NAN);
    }
    REFUTE_EACH(&c, int32_t, s.pair[i].a, 0); /* a cylinder has no vertices */
  }
  c.a.shape.as.capsule.radius = nextafter(5, 0);
  expect(c, GRAZE_REFUTED);
}
