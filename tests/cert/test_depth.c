/* Attacks on surfaces that prove a depth: every face, index, pair and count of them, and points of curved cores. What
 * is accepted must be true, what is true must be accepted to the last bit. */

#include "support/test.h"
#include "cert/skins.h"

static const int32_t cube_faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                          {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
static const int cube_inside[4] = {0, 3, 5, 6};

/* The cube of half extent 1 as a hull, one deep exactly, and its surface. */
static claim claim_cube(skin *s) {
  for (int i = 0; i < 8; i++) s->point[i] = vec(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  memcpy(s->face, cube_faces, sizeof cube_faces);
  skin_close(s, 8, 12);
  claim c = claim_skin(s, home, 4, cube_inside);
  claim_vector(&c, 1, 0, 0);
  claim_interval(&c, -1, -1, -1);
  return c;
}

TEST(test_cube) {
  skin s;
  claim c = claim_cube(&s);
  claim_check_tight(&c);
  c.a.pose = graze_pose3(vec(3, 4, 5), 1, 2, 3, 4);
  c.b.pose.position = c.a.pose.position;
  claim_interval(&c, NAN, NAN, -1);
  claim_check(&c);
}

TEST(test_radii_count) {
  skin s;
  claim c = claim_cube(&s);
  c.a.shape.margin = 0.5;
  c.b.shape = graze_with_margin(graze_sphere(0.25), 0.0625);
  c.options.clearance = 0.125;
  claim_interval(&c, -1.9375, -1.9375, -1.9375);
  claim_check_tight(&c);
  c.answer.certificate.kind = GRAZE_CERTIFICATE_NEAR;
  claim_check_tight(&c);
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_PAIRS;
  expect(&c, GRAZE_UNPROVEN);
  claim_interval(&c, -1.9375, NAN, -0.9375); /* as deep as the radii */
  claim_check(&c);
}

/* ---- Malformed surfaces. */

TEST(test_one_face_attacked) {
  skin s;
  claim c = claim_cube(&s);
  for (int i = 0; i < 12; i++) {
    int32_t *face = s.face[i];
    int32_t whole[3];
    memcpy(whole, face, sizeof whole);
    face[0] = whole[1], face[1] = whole[0];
    expect(&c, GRAZE_REFUTED); /* flipped */
    memcpy(face, s.face[(i + 1) % 12], sizeof whole);
    expect(&c, GRAZE_REFUTED); /* another in its place */
    face[0] = face[1] = face[2] = whole[0];
    expect(&c, GRAZE_REFUTED); /* a point */
    memcpy(face, whole, sizeof whole);
    for (int k = 0; k < 3; k++) {
      const int32_t wrong[] = {-1, 8, INT32_MAX, INT32_MIN};
      for (int w = 0; w < 4; w++) {
        face[k] = wrong[w];
        expect(&c, GRAZE_REFUTED);
      }
      for (int32_t other = 0; other < 8; other++) {
        face[k] = other;
        expect(&c, other == whole[k] ? GRAZE_OK : GRAZE_REFUTED);
      }
      face[k] = whole[k];
    }
    int32_t turned[3] = {whole[1], whole[2], whole[0]};
    memcpy(face, turned, sizeof whole);
    expect(&c, GRAZE_OK); /* the same face */
    memcpy(face, s.face[11], sizeof whole);
    memcpy(s.face[11], whole, sizeof whole);
    s.surface.face_count = 11;
    expect(&c, GRAZE_REFUTED); /* left out */
    s.surface.face_count = 12;
    expect(&c, GRAZE_OK); /* swapped with the last */
  }
}

TEST(test_faces_added) {
  skin s;
  claim c = claim_cube(&s);
  for (int i = 0; i < 12; i++) {
    memcpy(s.face[12], s.face[i], sizeof *s.face);
    s.surface.face_count = 13;
    expect(&c, GRAZE_REFUTED); /* twice */
    memcpy(s.face[13], s.face[i], sizeof *s.face);
    s.face[13][0] = s.face[i][1], s.face[13][1] = s.face[i][0];
    s.surface.face_count = 14;
    expect(&c, GRAZE_REFUTED); /* a flat fold of it: closed, but it turns the wrong way */
  }
  s.face[12][0] = s.face[12][1] = 0;
  for (int32_t third = 0; third < 8; third++) {
    s.face[12][2] = third;
    s.surface.face_count = 13;
    expect(&c, GRAZE_REFUTED); /* no face: a point, or an edge and back */
  }
  memcpy(s.face[12], s.face[0], 12 * sizeof *s.face);
  s.surface.face_count = 24;
  expect(&c, GRAZE_OK); /* the whole surface twice is as sound as once */
}

TEST(test_counts) {
  static int32_t many[4097][3];
  skin s;
  claim c = claim_cube(&s);
  for (size_t count = 0; count < 12; count++) {
    s.surface.face_count = count;
    expect(&c, GRAZE_REFUTED);
  }
  s.surface.face_count = 12;
  for (size_t count = 0; count < 8; count++) {
    s.surface.pair_count = count;
    expect(&c, GRAZE_REFUTED);
  }
  const size_t huge[] = {4097, 1 << 20, (size_t)INT32_MAX + 1, SIZE_MAX / 12, SIZE_MAX};
  for (int i = 0; i < 5; i++) { /* neither array is looked at */
    s.surface.pair_count = 8;
    s.surface.face_count = huge[i];
    expect(&c, GRAZE_UNPROVEN);
    s.surface.face_count = 12;
    s.surface.pair_count = huge[i];
    if (huge[i] > 1 << 20) expect(&c, GRAZE_UNPROVEN);
  }
  s.surface.pair_count = 8;
  for (int i = 0; i < 4097; i++) memcpy(many[i], s.face[i % 12], sizeof *many);
  s.surface.faces = (const int32_t(*)[3])many;
  s.surface.face_count = 12 * 341; /* 4092 faces */
  expect(&c, GRAZE_OK);
  s.surface.face_count = 4096;
  expect(&c, GRAZE_REFUTED); /* four too many */
  s.surface.face_count = 4097;
  expect(&c, GRAZE_UNPROVEN);
  c.answer.certificate.surface = NULL;
  expect(&c, GRAZE_REFUTED);
}

TEST(test_proof_words) {
  skin s;
  claim c = claim_cube(&s);
  const int words[] = {3, -1, 1000, INT32_MAX, INT32_MIN};
  for (int i = 0; i < 5; i++) {
    memcpy(&c.answer.certificate.depth_proof, &words[i], sizeof(int));
    expect(&c, GRAZE_REFUTED);
  }
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_PAIRS;
  expect(&c, GRAZE_UNPROVEN);
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_BOX_AXES;
  expect(&c, GRAZE_REFUTED); /* a hull */
  claim_interval(&c, -1, NAN, 0);
  expect(&c, GRAZE_OK); /* overlapping shows as much by itself */
}

TEST(test_pairs_attacked) {
  skin s;
  claim c = claim_cube(&s);
  const int32_t wrong_a[] = {-1, 8, INT32_MAX, INT32_MIN}, wrong_b[] = {-1, 1, INT32_MAX, INT32_MIN};
  for (int i = 0; i < 8; i++) {
    for (int w = 0; w < 4; w++) {
      s.pair[i].a = wrong_a[w];
      expect(&c, GRAZE_REFUTED);
      s.pair[i].a = i;
      s.pair[i].b = wrong_b[w];
      expect(&c, GRAZE_REFUTED);
      s.pair[i].b = 0;
    }
    s.pair[i].a = (i + 1) % 8;
    expect(&c, GRAZE_REFUTED); /* a vertex, but another one */
    s.pair[i].a = i;
  }
  expect(&c, GRAZE_OK);
}

/* Closed, but the origin is outside, on a face, or on an edge. The points are vertices of the shape's list, far inside
 * of its hull. */
TEST(test_not_around_the_origin) {
  static const int32_t faces[4][3] = {{8, 10, 9}, {8, 9, 11}, {9, 10, 11}, {8, 11, 10}};
  static const struct {
    double shift;
    graze_status status;
  } cases[] = {
      {-0.25, GRAZE_OK}, {0, GRAZE_REFUTED}, {0x1p-1074, GRAZE_REFUTED}, {0.5, GRAZE_REFUTED}, {-1, GRAZE_REFUTED}};
  for (int i = 0; i < 5; i++) {
    skin s;
    double t = cases[i].shift;
    for (int k = 0; k < 8; k++) s.point[k] = vec(k & 1 ? 9 : -9, k & 2 ? 9 : -9, k & 4 ? 9 : -9);
    s.point[8] = vec(t, t, t), s.point[9] = vec(1 + t, t, t), s.point[10] = vec(t, 1 + t, t);
    s.point[11] = vec(t, t, 1 + t);
    memcpy(s.face, faces, sizeof faces);
    skin_close(&s, 12, 4);
    claim c = claim_skin(&s, home, 4, cube_inside);
    claim_interval(&c, NAN, NAN, -0x1p-1074);
    expect(&c, cases[i].status);
  }
}

/* ---- Curved cores. */

/* A prism in a cylinder, 3 deep along the axis. */
static claim claim_prism(skin *s) {
  static const graze_vec rim[4] = {{-3, -4, 0}, {4, -3, 0}, {-4, 3, 0}, {3, 4, 0}}; /* as the corners of a cube */
  for (int i = 0; i < 8; i++) {
    s->point[i] = vec(rim[i % 4].x, rim[i % 4].y, i < 4 ? -3 : 3);
    s->pair[i] = claim_points(-1, s->point[i], 0, zero);
  }
  memcpy(s->face, cube_faces, sizeof cube_faces);
  s->surface = (graze_surface){8, 12, s->pair, (const int32_t(*)[3])s->face};
  claim c = claim_make(graze_with_margin(graze_cylinder(5, 3), 0.25), home, graze_point(), home, GRAZE_OVERLAPPING,
                       GRAZE_CERTIFICATE_NEAR);
  claim_pairs(&c, 4, (const graze_pair[4]){s->pair[0], s->pair[3], s->pair[5], s->pair[6]});
  claim_vector(&c, 0, 0, 1);
  claim_interval(&c, -3.25, -3.25, -3.25);
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_SURFACE;
  c.answer.certificate.surface = &s->surface;
  return c;
}

TEST(test_curved_points) {
  skin s;
  claim c = claim_prism(&s);
  claim_check_tight(&c);
  for (int i = 0; i < 8; i++) {
    double *at[3] = {&s.pair[i].point_a.x, &s.pair[i].point_a.y, &s.pair[i].point_a.z};
    for (int k = 0; k < 3; k++) {
      double kept = *at[k];
      *at[k] = nextafter(kept, kept > 0 ? INFINITY : -INFINITY);
      expect(&c, GRAZE_REFUTED); /* outside by one ulp */
      *at[k] = NAN;
      expect(&c, GRAZE_REFUTED);
      *at[k] = kept;
    }
    s.pair[i].a = 0;
    expect(&c, GRAZE_REFUTED); /* a cylinder has no vertices */
    s.pair[i].a = -1;
  }
  expect(&c, GRAZE_OK);
  c.a.shape.radius = nextafter(5, 0);
  expect(&c, GRAZE_REFUTED);
}
