/* Arbitrary meshes. A mesh is solid if its report has no open edge and no wrong orientation, and only wrong indices are
 * rejected. Both orders of a query have the same relation, and the verifier refutes no answer; it proves those of
 * separated bodies by a frontier. */
#include "bytes.h"

#include <graze/mesh.h>
#include <graze/motion.h>

#include <stdlib.h>

enum { MAX_CORNERS = 20, MAX_FACES = 24, MAX_NODES = 1 << 14, MAX_PAIRS = MAX_FACES * MAX_FACES };

static void require(bool good) {
  if (!good) abort();
}

typedef struct faces {
  graze_vec vertices[MAX_CORNERS];
  int32_t corners[3 * MAX_FACES];
} faces;

/* One of four meshes may have wrong indices. Every second one gets the reverse of each face, so that it is closed. */
static graze_mesh_def next_mesh(bytes *in, int dim, faces *f) {
  graze_mesh_def def = {.dim = dim, .vertices = f->vertices, .faces = f->corners};
  const uint8_t head = next_byte(in);
  const size_t corners = (size_t)dim, wrong = head % 4 == 0;
  def.surface = head & 64;
  def.vertex_count = 1 + next_byte(in) % MAX_CORNERS;
  def.face_count = 1 + next_byte(in) % (MAX_FACES / 2);
  for (size_t i = 0; i < def.vertex_count; i++) f->vertices[i] = next_vec(in, dim);
  for (size_t i = 0; i < corners * def.face_count; i++)
    f->corners[i] = (int32_t)(next_byte(in) % (def.vertex_count + wrong)) - (int32_t)(wrong && head & 16);
  for (size_t i = 0, first = def.face_count; i < first && head & 32; i++) {
    int32_t *to = f->corners + corners * def.face_count++;
    memcpy(to, f->corners + corners * i, corners * sizeof *to);
    to[0] = f->corners[corners * i + 1], to[1] = f->corners[corners * i];
  }
  return def;
}

static graze_mesh *build(const graze_mesh_def *def) {
  graze_mesh *mesh = NULL;
  graze_mesh_report plain, whole;
  const graze_status status = graze_mesh_create(def, NULL, &mesh, NULL);
  const graze_status valid = graze_validate_mesh(def, false, NULL, &plain, NULL);
  if (valid != GRAZE_OK) {
    require(status == valid);
    return NULL;
  }
  require(graze_validate_mesh(def, true, NULL, &whole, NULL) == GRAZE_OK);
  require(whole.error_count >= plain.error_count && whole.closed == plain.closed);
  bool bad = false;
  for (size_t i = 0; i < plain.error_count; i++) bad = bad || plain.errors[i].kind == GRAZE_MESH_BAD_INDEX;
  require((status == GRAZE_OK) == !bad);
  if (!bad) require(graze_mesh_is_solid(mesh) == (plain.closed && plain.oriented && !def->surface));
  graze_mesh_report_destroy(&plain), graze_mesh_report_destroy(&whole);
  return mesh;
}

static graze_frontier_node nodes[MAX_NODES];
static graze_part_proof parts[MAX_PAIRS];

static graze_relation relation_of(const graze_placed *a, const graze_placed *b, bool measure) {
  graze_frontier frontier = {.nodes = nodes, .node_capacity = MAX_NODES};
  graze_options options = graze_default_options();
  graze_certificate certificate;
  graze_answer x;
  options.frontier = &frontier, options.parts = parts, options.part_capacity = MAX_PAIRS;
  options.certificate = &certificate;
  require((measure ? graze_distance : graze_intersect)(a, b, &options, &x) == GRAZE_OK);
  require(!(x.lower > x.upper) && !(x.distance < x.lower) && !(x.distance > x.upper));
  const graze_status status = graze_verify(a, b, NULL, &x, &certificate);
  require(status == GRAZE_OK || (status == GRAZE_UNPROVEN && x.relation != GRAZE_SEPARATED));
  return x.relation;
}

static bool count_contact(void *context, const graze_answer *answer, const graze_contact *contacts, size_t count) {
  (void)contacts, (void)count;
  require(answer->relation != GRAZE_SEPARATED);
  ++*(size_t *)context;
  return true;
}

static void check_pair(const graze_placed *a, const graze_placed *b) {
  graze_answer x;
  size_t count = 0;
  if (graze_intersect(a, b, NULL, &x) != GRAZE_OK) return; /* a pose or a shape is invalid */
  const graze_relation relation = relation_of(a, b, false);
  require(relation == x.relation && relation_of(b, a, false) == relation);
  require(relation_of(a, b, true) == relation && relation_of(b, a, true) == relation);
  require(graze_contacts(a, b, NULL, count_contact, &count) == GRAZE_OK);
  require(relation != GRAZE_SEPARATED || count == 0);
}

static void check_ray(bytes *in, const graze_placed *a) {
  const graze_vec origin = next_vec(in, a->shape.dim), direction = next_vec(in, a->shape.dim);
  graze_cast_result x;
  if (graze_raycast(a, origin, direction, INFINITY, NULL, &x) != GRAZE_OK) return;
  require(x.outcome == GRAZE_CLEAR || x.t_lower <= x.t_upper);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static faces of_a, of_b;
  bytes in = {data, size, 0};
  const uint8_t head = next_byte(&in);
  const int dim = head & 1 ? 2 : 3;
  graze_vec vertices[MAX_VERTICES];
  double radius = 1;
  in.numbers = head >> 1 & 3;
  const graze_mesh_def def = next_mesh(&in, dim, &of_a);
  graze_mesh *mesh = build(&def), *other = NULL;
  if (mesh == NULL) return 0;
  const graze_shape shape = graze_mesh_shape(mesh);
  graze_shape second = graze_point();
  if (head & 8) {
    const graze_mesh_def of_other = next_mesh(&in, dim, &of_b);
    other = build(&of_other);
    if (other != NULL) second = graze_mesh_shape(other);
  } else {
    do second = next_shape(&in, dim, vertices, &radius);
    while (second.kind == GRAZE_USER && in.size > 0);
  }
  const graze_placed a = graze_place(&shape, next_pose(&in, dim)), b = graze_place(&second, next_pose(&in, dim));
  if (second.kind != GRAZE_USER) check_pair(&a, &b);
  check_ray(&in, &a);
  graze_mesh_destroy(mesh), graze_mesh_destroy(other);
  return 0;
}
