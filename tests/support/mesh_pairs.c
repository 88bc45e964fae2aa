/* Placements of pairs of bodies of which one is a mesh. */
#include "support/meshes.h"

#include "support/geometry.h"
#include "support/shapes.h"
#include "support/test.h"

static void scale_fixture(mesh_fixture *f, double by) {
  for (int i = 0; i < f->member.set.vertex_count; i++) f->vertices[i] = scaled(by, f->vertices[i]);
  f->member.set.pose.position = scaled(by, f->member.set.pose.position);
}

static void set_quaternion(graze_pose *pose, int dim, double w, double x, double y, double z) {
  pose->w = w, pose->x = dim == 3 ? x : 0, pose->y = dim == 3 ? y : 0, pose->z = z;
  if (pose->w == 0 && pose->x == 0 && pose->y == 0 && pose->z == 0) pose->w = 1;
}

static void turn_small(rng *random, int dim, int most, graze_pose *pose) {
  const int w = rng_between(random, -most, most), x = rng_between(random, -most, most);
  set_quaternion(pose, dim, w, x, rng_between(random, -most, most), rng_between(random, -most, most));
}

/* Rotations by quarters, or about a diagonal by thirds. */
static void turn_quarters(rng *random, int dim, graze_pose *pose) {
  const int axis = rng_below(random, 4), sign = rng_coin(random) ? 1 : -1;
  if (axis == 3 && dim == 3)
    set_quaternion(pose, dim, 1, sign, sign, sign);
  else
    set_quaternion(pose, dim, 1, axis == 0 ? sign : 0, axis == 1 ? sign : 0, dim == 2 || axis > 1 ? sign : 0);
}

static graze_vec offset_on_lattice(rng *random, int dim) {
  const int step = rng_below(random, 4) == 0 ? 1 : rng_coin(random) ? 4 : 8, most = 24 / step;
  const graze_vec v = scaled(step / 8.0, rng_lattice_vec(random, dim, -most, most));
  return rng_coin(random) ? v : scaled(0.5, v);
}

/* A vertex of a face of A, the middle of an edge, or a point inside. */
static graze_vec point_of_face(rng *random, const mesh_fixture *a) {
  const mesh_body *set = &a->member.set;
  const int32_t *face = a->faces + set->corners * rng_below(random, set->face_count);
  const graze_vec u = a->vertices[face[0]], v = a->vertices[face[rng_below(random, set->corners)]],
                  w = a->vertices[face[rng_below(random, set->corners)]];
  return add(scaled(0.5, u), scaled(0.25, add(v, w)));
}

static double extreme(const mesh_fixture *f, int axis, double sign) {
  double most = -INFINITY;
  for (int i = 0; i < f->member.set.vertex_count; i++) {
    const graze_vec v = f->vertices[i];
    most = fmax(most, sign * (axis == 0 ? v.x : axis == 1 ? v.y : v.z));
  }
  return sign * most;
}

/* Returns an offset of B without rotation: on the lattice; beside A along an axis; or with a vertex on A. */
static graze_vec any_offset(rng *random, const mesh_fixture *a, const mesh_fixture *b) {
  const int dim = a->member.set.dim, kind = rng_below(random, 4), axis = rng_below(random, dim);
  const double sign = rng_coin(random) ? 1 : -1, beside = extreme(a, axis, sign) - extreme(b, axis, -sign);
  graze_vec v = offset_on_lattice(random, dim);
  if (kind == 0) return v;
  if (kind == 1) {
    v = point_of_face(random, a);
    return sub(v, b->vertices[rng_below(random, b->member.set.vertex_count)]);
  }
  v = scaled(0.5, v);
  *(axis == 0 ? &v.x : axis == 1 ? &v.y : &v.z) = beside;
  return v;
}

static void place_same_pose(rng *random, mesh_fixture *a, mesh_fixture *b) {
  const int dim = a->member.set.dim;
  const graze_vec by = any_offset(random, a, b);
  for (int i = 0; i < b->member.set.vertex_count; i++) b->vertices[i] = add(b->vertices[i], by);
  graze_pose pose = identity;
  turn_small(random, dim, 3, &pose);
  pose.position = mesh_lattice_point(random, dim, 80);
  if (rng_below(random, 4) == 0) pose.position = scaled(ldexp(1, rng_between(random, 10, 40)), pose.position);
  a->member.set.pose = b->member.set.pose = pose;
}

static void place_anywhere(rng *random, graze_pose *a, graze_pose *b, int dim) {
  graze_pose *const both[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    const graze_vec q = rng_vec(random, 3, 1);
    set_quaternion(both[i], dim, rng_uniform(random, -1, 1), q.x, q.y, q.z);
    both[i]->position = rng_vec(random, dim, 1.5);
  }
}

/* From 0 by 2^-60: magnitudes that differ by more than 2^1000 have wide intervals. */
static void shift_one_ulp(rng *random, double *x) {
  const double sign = rng_coin(random) ? 1 : -1;
  *x = *x == 0 ? sign * 0x1p-60 : nextafter(*x, sign * INFINITY);
}

void mesh_place_pair(rng *random, mesh_placement placement, mesh_fixture *a, mesh_fixture *b) {
  static const int scale[3] = {-60, 60, 100};
  graze_pose *pose_a = &a->member.set.pose, *pose_b = &b->member.set.pose;
  const int dim = a->member.set.dim;
  if (placement == PLACE_SAME_POSE) {
    /* A point or a sphere has no vertices of its own. */
    if (b->member.set.corners > 1)
      place_same_pose(random, a, b);
    else
      mesh_place_pair(random, PLACE_LATTICE, a, b);
    return;
  }
  if (placement == PLACE_ANYWHERE) {
    place_anywhere(random, pose_a, pose_b, dim);
    return;
  }
  pose_b->position = placement == PLACE_QUARTERS || placement == PLACE_TURNED ? offset_on_lattice(random, dim)
                                                                              : any_offset(random, a, b);
  if (placement == PLACE_QUARTERS) turn_quarters(random, dim, pose_a), turn_quarters(random, dim, pose_b);
  if (placement == PLACE_TURNED) turn_small(random, dim, 2, pose_a), turn_small(random, dim, 2, pose_b);
  if (placement == PLACE_ONE_ULP) shift_one_ulp(random, &pose_b->position.x);
  if (placement == PLACE_SCALED) {
    const double by = ldexp(1, scale[rng_below(random, 3)]);
    scale_fixture(a, by), scale_fixture(b, by);
    if (b->member.shape.kind == GRAZE_SPHERE) b->member.shape.as.sphere.radius *= by;
  }
}

/* An open box is not solid without being called a surface. */
static void create(mesh_fixture *f, int kind) {
  const bool flat = f->member.set.dim == 2;
  if (kind >= (flat ? (int)OUTLINE_AS_POINT : (int)MESH_AS_POINT))
    mesh_fixture_convex(f);
  else
    mesh_fixture_create(f, !f->member.set.solid && (flat || kind != MESH_OPEN_BOX));
}

void mesh_pair_create(mesh_pair *pair) {
  mesh_member *a = &pair->a.member, *b = &pair->b.member;
  pair->query = (mesh_query){a, b, 0};
  pair->placed_a = graze_place(&a->shape, a->set.pose), pair->placed_b = graze_place(&b->shape, b->set.pose);
  assert_true(pair->placed_a.status == GRAZE_OK && pair->placed_b.status == GRAZE_OK);
}

/* If faces of a solid cross each other, a flat body can cross both of them and not meet the interior. */
static bool crossed_and_flat(const mesh_fixture *a, const mesh_fixture *b) {
  return a->member.set.crossed && !b->member.set.solid;
}

void mesh_pair_make(rng *random, int dim, int kind_a, int kind_b, int placement, mesh_pair *out) {
  const bool ball = kind_b == (dim == 2 ? (int)OUTLINE_AS_CIRCLE : (int)MESH_AS_SPHERE);
  mesh_fixture_make(random, dim, kind_a, &out->a);
  mesh_fixture_make(random, dim, kind_b, &out->b);
  const graze_shape sphere = ball_of(dim, rng_between(random, 1, 8) / 8.0);
  if (ball) out->b.member.shape = sphere;
  if (placement < 0) placement = rng_below(random, PLACEMENTS);
  if (crossed_and_flat(&out->a, &out->b) || crossed_and_flat(&out->b, &out->a)) placement = PLACE_ANYWHERE;
  mesh_place_pair(random, (mesh_placement)placement, &out->a, &out->b);
  create(&out->a, kind_a);
  if (ball)
    out->b.member.set.vertices = out->b.vertices, out->b.member.set.faces = out->b.faces;
  else
    create(&out->b, kind_b);
  mesh_pair_create(out);
}

void mesh_pair_free(mesh_pair *pair) { mesh_fixture_free(&pair->a), mesh_fixture_free(&pair->b); }
