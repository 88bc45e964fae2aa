/* Random answers. On small lattices, where every degeneracy is common, accepted answers agree with the oracle. An
 * answer may hold any bytes. Numbers from 2^-1074 to 1e40 do not exhaust the arena. Seeds are fixed. */

#include "verify/attacks.h"
#include "support/oracle/oracle.h"
#include "support/random.h"

enum { CORNERS = 8 };
static graze_vec corners[2][CORNERS];
static rng state;

static int below(int count) { return rng_below(&state, count); }

/* One of the numbers that a test draws from. */
typedef double (*number)(void);

static double lattice(void) { return below(5) - 2; }

/* Mostly the largest and the smallest numbers: their sums are the longest. */
static double extreme(void) {
  double m = ldexp((double)(rng_bits(&state) >> 11 | 1), -53), value;
  switch (below(4)) {
  case 0:
  case 1: value = ldexp(0.5 + m / 2, 132); break;
  case 2: value = (1 + below(3)) * 0x1p-1074; break;
  default: value = ldexp(m, below(1200) - 1070); break;
  }
  return below(2) ? value : -value;
}

static graze_vec draw(number n, int dim) {
  const double x = n(), y = n();
  return vec(x, y, dim == 3 ? n() : 0);
}

static graze_shape draw_polytope(number n, int dim, int slot) {
  graze_vec *v = corners[slot];
  for (int i = 0; i < CORNERS; i++) v[i] = draw(n, dim);
  double r = fabs(n()), h = fabs(n());
  switch (below(6)) {
  case 0: return dim == 3 ? graze_point() : graze_point2();
  case 1: return dim == 3 ? graze_segment(v[0], v[1]) : graze_segment2(v[0], v[1]);
  case 2: return dim == 3 ? graze_box(r, h, fabs(n())) : graze_box2(r, h);
  case 3: return dim == 3 ? graze_sphere(r) : graze_circle(r);
  case 4: return dim == 3 ? graze_capsule(r, h) : graze_capsule2(r, h);
  default:
    return dim == 3 ? graze_hull_points(v, 1 + (size_t)below(CORNERS))
                    : graze_hull_points2(v, 1 + (size_t)below(CORNERS));
  }
}

static graze_pose draw_pose(number n, int dim) {
  graze_pose pose = {draw(n, dim), 1, 0, 0, 0};
  if (n == lattice && below(3) == 0) return pose;
  do {
    pose.w = n(), pose.z = n();
    if (dim == 3) pose.x = n(), pose.y = n();
  } while (pose.w == 0 && pose.x == 0 && pose.y == 0 && pose.z == 0);
  return pose;
}

static graze_shape draw_rounded(graze_shape shape, number n) {
  return below(3) == 0 ? graze_with_margin(shape, fabs(n())) : shape;
}

static editable_pair random_pair(const verify_case *c) {
  return vertices(below(oracle_core_count(&c->a.shape)), below(oracle_core_count(&c->b.shape)));
}

/* ---- the truth */

/* The largest double that is not above the signed distance. */
static double largest_below(const oracle *o) {
  double x = oracle_distance(o);
  while (oracle_compare(o, x) < 0) x = nextafter(x, -INFINITY);
  while (oracle_compare(o, nextafter(x, INFINITY)) >= 0) x = nextafter(x, INFINITY);
  return x;
}

static void set_nearest(verify_case *c, const oracle *o) {
  int a[4], b[4];
  double weight[4];
  editable_pair pairs[4];
  int count = oracle_nearest(o, a, b, weight);
  for (int i = 0; i < count; i++) pairs[i] = vertices(a[i], b[i]);
  *c = with_pairs(with_nearest(*c, (pair_list){count, pairs}), (pair_list){count, pairs});
}

/* Cores apart: the nearest pairs prove the relation and the narrowest interval. */
static void check_complete(verify_case c, const oracle *o) {
  const graze_certificate_kind kind[] = {GRAZE_CERTIFICATE_SEPARATED, GRAZE_CERTIFICATE_TOUCH, GRAZE_CERTIFICATE_NEAR};
  c = with_relation(c, oracle_relation(o), kind[oracle_relation(o) - 1]);
  set_nearest(&c, o);
  if (c.answer.relation == GRAZE_TOUCHING) {
    check(c);
    return;
  }
  double lower = largest_below(o), upper = oracle_compare(o, lower) == 0 ? lower : nextafter(lower, INFINITY);
  check_tight(with_interval(c, lower, c.answer.relation == GRAZE_SEPARATED ? upper : lower, upper));
}

static void random_direction(verify_case *c) {
  editable_pair pairs[4];
  for (int i = 0; i < 4; i++) pairs[i] = random_pair(c);
  const graze_vec d = draw(lattice, c->a.shape.dim);
  const int sign = below(2) ? 1 : -1;
  switch (below(4)) {
  case 0: *c = with_vector(*c, d.x, d.y, d.z); break;
  case 1: *c = with_nearest(*c, (pair_list){1 + below(4), pairs}); break;
  case 2: *c = with_direction(*c, GRAZE_DIRECTION_FACET, sign, 0, (pair_list){c->a.shape.dim, pairs}); break;
  default: *c = with_direction(*c, GRAZE_DIRECTION_EDGE, sign, below(3), (pair_list){2, pairs}); break;
  }
}

static void random_case(verify_case *c, const oracle *o) {
  editable_pair pairs[6];
  for (int i = 0; i < 6; i++) pairs[i] = random_pair(c);
  c->answer.relation = (graze_relation)(1 + below(4));
  if (below(2)) c->answer.relation = oracle_relation(o);
  c->answer.certificate.kind = (graze_certificate_kind)c->answer.relation;
  if (c->answer.relation == GRAZE_OVERLAPPING && below(2)) c->answer.certificate.kind = GRAZE_CERTIFICATE_NEAR;
  if (c->answer.relation == GRAZE_UNDECIDED) c->answer.certificate.kind = GRAZE_CERTIFICATE_NONE;
  *c = with_pairs(*c, (pair_list){1 + below(2 * c->a.shape.dim), pairs});
  random_direction(c);
  if (below(3) == 0) set_nearest(c, o);
  double about = below(2) ? oracle_distance(o) : lattice() / 4, width = ldexp(1, -below(60));
  *c = with_interval(*c, about - below(3) * width, NAN, about + below(3) * width);
  if (below(4) == 0) c->answer.lower = NAN;
  if (below(4) == 0) c->answer.upper = NAN;
  if (c->answer.relation == GRAZE_TOUCHING) *c = with_interval(*c, 0, 0, 0);
}

/* Accepted, therefore true. */
static void check_true(const verify_case *c, oracle *o) {
  const editable_answer *answer = &c->answer;
  bool meet = oracle_cores_meet(o);
  if (answer->relation != GRAZE_UNDECIDED) assert_int_equal(answer->relation, oracle_relation(o));
  if (!isnan(answer->upper) && !(meet && answer->upper == 0)) assert_true(oracle_compare(o, answer->upper) <= 0);
  if (isnan(answer->lower)) return;
  if (!meet)
    assert_true(oracle_compare(o, answer->lower) >= 0);
  else if (answer->relation == GRAZE_OVERLAPPING && below(20) == 0) /* the oracle's depth is slow */
    assert_true(oracle_depth_at_most(o, -answer->lower));
}

TEST(accepted_answers_are_true) {
  state = 0x6a09e667f3bcc908u;
  oracle *o = oracle_new();
  int accepted[5] = {0}, complete[5] = {0};
  for (int round = 0, rounds = tiered(3000, 6000, 60000); round < rounds; round++) {
    int dim = 2 + round % 2;
    graze_shape a = draw_rounded(draw_polytope(lattice, dim, 0), lattice);
    graze_shape b = draw_rounded(draw_polytope(lattice, dim, 1), lattice);
    verify_case c =
        case_make(a, draw_pose(lattice, dim), b, draw_pose(lattice, dim), GRAZE_UNDECIDED, GRAZE_CERTIFICATE_NONE);
    c.options.clearance = below(4) == 0 ? fabs(lattice()) / 2 : 0;
    assert_true(oracle_solve(o, &a, &c.a.pose, &b, &c.b.pose, c.options.clearance));
    if (!oracle_cores_meet(o)) {
      check_complete(c, o);
      complete[oracle_relation(o)]++;
    }
    for (int attempt = 0; attempt < 10; attempt++) {
      random_case(&c, o);
      if (case_status(&c) != GRAZE_OK) continue;
      accepted[c.answer.relation]++;
      check_true(&c, o);
    }
  }
  for (int relation = GRAZE_SEPARATED; relation <= GRAZE_OVERLAPPING; relation++) assert_true(complete[relation] > 25);
  for (int relation = GRAZE_SEPARATED; relation <= GRAZE_UNDECIDED; relation++) assert_true(accepted[relation] > 10);
  oracle_free(o);
}

/* ---- any bytes */

static double some_support(void *context, graze_vec d, graze_vec *point) {
  (void)context;
  *point = vec(d.x > 0 ? 1 : -1, d.y > 0 ? 1 : -1, d.z > 0 ? 1 : -1);
  return 0;
}

static graze_shape any_shape(int dim, int slot) {
  switch (below(6)) {
  case 0: return dim == 3 ? graze_ellipsoid(1, 2, 0) : graze_ellipse(1, 3);
  case 1: return dim == 3 ? graze_cylinder(1, 2) : graze_ellipse(0, 1);
  case 2: return dim == 3 ? graze_cone(1, 2) : graze_circle(1);
  case 3: return graze_user(dim, some_support, NULL);
  case 4: return dim == 3 ? graze_halfspace((graze_vec){1, 2, 3}, -1) : graze_halfspace2((graze_vec){1, 2, 0}, -1);
  default: return draw_polytope(lattice, dim, slot);
  }
}

static void random_bytes(void *out, size_t size) {
  unsigned char *byte = out;
  for (size_t i = 0; i < size; i++) byte[i] = (unsigned char)(rng_bits(&state) >> 32);
}

/* Each word of the answer is left as it was, made random, or given a value that means something. */
static void scramble(editable_answer *answer) {
  const int32_t word[] = {0, 1, 2, 3, 4, 5, 6, 7, -1, INT32_MAX, INT32_MIN};
  const double real[] = {0, 1, -1, NAN, INFINITY, -INFINITY, 0x1p-1074, -0x1p-1074, 1e40, -1e40, 1e308};
  unsigned char *byte = (unsigned char *)answer;
  for (size_t at = 0; at + 8 <= sizeof *answer; at += 4) {
    size_t choice = (size_t)below(11);
    switch (below(5)) {
    case 0: memcpy(byte + at, &word[choice], sizeof *word); break;
    case 1: memcpy(byte + at, &real[choice], sizeof *real); break;
    case 2: random_bytes(byte + at, 4); break;
    default: break;
    }
  }
}

/* Pointers and lengths of a surface are what the caller vouches for; what it points to may be anything. */
static const editable_surface *any_surface(int dim) {
  enum { PAIRS = 12, FACES = 20 };
  static editable_pair pairs[PAIRS];
  static int32_t faces[FACES][3];
  static editable_surface surface;
  random_bytes(pairs, sizeof pairs);
  random_bytes(faces, sizeof faces);
  for (int i = 0; i < PAIRS; i++) {
    if (below(8) != 0) pairs[i].a = below(4), pairs[i].b = below(4);
    if (below(4) == 0) pairs[i] = points(-1, draw(lattice, dim), -1, draw(lattice, dim));
  }
  for (int i = 0; i < FACES; i++) {
    for (int k = 0; k < 3 && below(8) != 0; k++) faces[i][k] = below(PAIRS);
  }
  surface = (editable_surface){(size_t)below(PAIRS + 1), (size_t)below(FACES + 1), pairs, (const int32_t(*)[3])faces};
  if (below(8) == 0) surface.face_count = SIZE_MAX;
  if (below(8) == 0) surface.pair_count = SIZE_MAX;
  return below(8) == 0 ? NULL : &surface;
}

TEST(arbitrary_bytes_are_handled) {
  state = 0xbb67ae8584caa73bu;
  for (int round = 0, rounds = tiered(40000, 60000, 600000); round < rounds; round++) {
    int dim = 2 + round % 2;
    verify_case c = case_make(any_shape(dim, 0), draw_pose(lattice, dim), any_shape(dim, 1), draw_pose(lattice, dim),
                              GRAZE_SEPARATED, GRAZE_CERTIFICATE_SEPARATED);
    if (round % 3 == 0) {
      random_bytes(&c.answer, sizeof c.answer);
    } else {
      c.answer.relation = (graze_relation)(1 + below(4));
      c.answer.certificate.kind = (graze_certificate_kind)below(6);
      c.answer.certificate.pair_count = below(7);
      c.answer.certificate.direction.form = (graze_direction_form)below(5);
      c.answer.certificate.direction.count = 1 + below(4);
      if (round % 3 == 1) scramble(&c.answer);
      if (round % 6 == 2) { /* a depth: any proof of it */
        c.answer.relation = GRAZE_OVERLAPPING;
        c.answer.certificate.kind = GRAZE_CERTIFICATE_NEAR;
        c.answer.certificate.depth_proof = (graze_depth_proof)(below(4));
        c = with_interval(c, NAN, NAN, -0x1p-10);
      }
    }
    c.answer.certificate.surface = any_surface(dim);
    graze_status status = case_status(&c);
    assert_true(status == GRAZE_OK || status == GRAZE_REFUTED || status == GRAZE_UNPROVEN ||
                status == GRAZE_UNSUPPORTED);
  }
}

/* ---- the longest numbers */

static double extreme_support(void *context, graze_vec d, graze_vec *point) {
  (void)context;
  *point = vec(d.x > 0 ? 1e40 : -1e40, d.y > 0 ? 0x1p-1074 : -0x1p-1074, d.z > 0 ? 1e39 : -1e39);
  return 0x1p-1074;
}

static graze_shape extreme_shape(int slot) {
  switch (below(5)) {
  case 0: return graze_ellipsoid(fabs(extreme()), fabs(extreme()), fabs(extreme()));
  case 1: return graze_cylinder(fabs(extreme()), fabs(extreme()));
  case 2: return graze_cone(fabs(extreme()), fabs(extreme()));
  case 3: return graze_user(3, extreme_support, NULL);
  default: return draw_polytope(extreme, 3, slot);
  }
}

/* A point of a curved core; of a user shape, any point. */
static graze_vec point_of(const graze_shape *shape) {
  double sign = below(2) ? 0.25 : -0.25;
  switch (shape->kind) {
  case GRAZE_ELLIPSOID:
    return vec(sign * shape->as.ellipsoid.radii.x, sign * shape->as.ellipsoid.radii.y,
               -sign * shape->as.ellipsoid.radii.z);
  case GRAZE_CYLINDER:
  case GRAZE_CONE:
    return vec(sign * shape->as.capsule.radius, sign * shape->as.capsule.radius,
               below(2) ? -shape->as.capsule.half_length : 0);
  case GRAZE_USER: return draw(extreme, 3);
  default: return vec(0, 0, 0);
  }
}

static editable_pair extreme_pair(const verify_case *c) {
  int a = oracle_core_count(&c->a.shape), b = oracle_core_count(&c->b.shape);
  return points(a > 0 ? below(a) : -1, point_of(&c->a.shape), b > 0 ? below(b) : -1, point_of(&c->b.shape));
}

TEST(longest_numbers_fit_the_arena) {
  state = 0x3c6ef372fe94f82bu;
  int accepted = 0;
  for (int round = 0; round < 1200; round++) {
    verify_case c = case_make(graze_with_margin(extreme_shape(0), fabs(extreme())), draw_pose(extreme, 3),
                              graze_with_margin(extreme_shape(1), fabs(extreme())), draw_pose(extreme, 3),
                              (graze_relation)(1 + round % 4), GRAZE_CERTIFICATE_NONE);
    const double bound[] = {1e41, 0, 0, 1e41};
    const graze_certificate_kind kind[] = {GRAZE_CERTIFICATE_SEPARATED, GRAZE_CERTIFICATE_TOUCH, GRAZE_CERTIFICATE_NEAR,
                                           GRAZE_CERTIFICATE_NONE};
    editable_pair pairs[6];
    for (int i = 0; i < 6; i++) pairs[i] = extreme_pair(&c);
    c.options.clearance = fabs(extreme());
    c.answer.conditional = true;
    c.answer.certificate.kind = kind[round % 4];
    if (round % 4 != 1) c = with_interval(c, round % 4 == 0 ? 0x1p-1074 : -1e41, NAN, bound[round % 4]);
    c = with_pairs(c, (pair_list){1 + below(6), pairs});
    int form = 2 + below(3);
    const int count[] = {
        [GRAZE_DIRECTION_NEAREST] = 2 + below(3), [GRAZE_DIRECTION_FACET] = 3, [GRAZE_DIRECTION_EDGE] = 2};
    c = with_direction(c, (graze_direction_form)form, 1, below(3), (pair_list){count[form], pairs});
    if (below(4) == 0) c = with_vector(c, 0x1.fffffffffffffp1023, 0x1p-1074, -0x1p1023);
    graze_status status = case_status(&c);
    assert_true(status == GRAZE_OK || status == GRAZE_REFUTED);
    accepted += status == GRAZE_OK;
  }
  assert_true(accepted > 100);
}
