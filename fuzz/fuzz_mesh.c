/* Arbitrary meshes. Validation and construction agree. Queries about a mesh and another mesh or a convex shape agree
 * with each other, with the pairs of their parts and with swapped bodies. No proof is refuted, and that of separated
 * bodies is verified. */
#include "bytes.h"
#include "dump.h"

#include <graze/mesh.h>
#include <stdlib.h>

enum { MAX_FACES = 12, NODES = 1 << 13, PAIRS = MAX_FACES * MAX_FACES, MAX_PAIRS_TESTED = 64, MAX_CONTACTS = 4 };

typedef struct faces {
  graze_vec vertices[MAX_VERTICES];
  int32_t indices[3 * MAX_FACES];
  graze_mesh_def def;
} faces;

static const graze_placed *current_a, *current_b;
static double current_clearance;
static graze_answer answer; /* the last one */
static graze_certificate certificate;
static graze_frontier_node nodes[NODES];
static graze_part_proof parts[PAIRS];
static double workspace[1 << 13];

static void require(bool ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "FAILED: %s\n", what);
  if (current_a) {
    dump("a", current_a), dump("b", current_b);
    fprintf(stderr, "clearance %a, %s in [%.17g, %.17g], parts %d %d, stop %d, certificate %d\n", current_clearance,
            graze_relation_text(answer.relation), answer.lower, answer.upper, (int)answer.part_a, (int)answer.part_b,
            (int)answer.stopped, (int)certificate.kind);
  }
  abort();
}

/* ---- Meshes */

static const int32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const int32_t eight_faces[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
static const int32_t box[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                              2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

/* Closed faces over the vertices from `first` on. Returns the number of vertices that they have; 0: no space. */
static size_t add_closed(bytes *in, faces *f, size_t first) {
  static const struct {
    const int32_t *faces;
    size_t face_count, vertex_count;
  } solids[] = {{tetrahedron, 4, 4}, {eight_faces, 8, 6}, {box, 12, 8}};
  const size_t dim = (size_t)f->def.dim, kind = next_byte(in) % 3;
  const size_t vertex_count = dim == 2 ? 3 + kind : solids[kind].vertex_count;
  const size_t face_count = dim == 2 ? vertex_count : solids[kind].face_count;
  int32_t *next = f->indices + dim * f->def.face_count;
  if (first + vertex_count > MAX_VERTICES || f->def.face_count + face_count > MAX_FACES) return 0;
  for (size_t i = 0; i < dim * face_count; i++)
    next[i] = (int32_t)first + (dim == 3 ? solids[kind].faces[i] : (int32_t)((i / 2 + i % 2) % vertex_count));
  f->def.face_count += face_count;
  return vertex_count;
}

/* Axis-parallel boxes, whose faces meet those of others exactly. */
static void make_box(bytes *in, faces *f, size_t first) {
  const graze_vec low = next_vec(in, f->def.dim), high = next_vec(in, f->def.dim);
  for (size_t i = 0; i < 8 && first + i < MAX_VERTICES; i++)
    f->vertices[first + i] = (graze_vec){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
}

/* Head: 1: a surface; 2, 4: one or two closed parts; 8: boxes; 16, 32: further faces, with any index. */
static void next_faces(bytes *in, int dim, faces *f) {
  const uint8_t head = next_byte(in);
  size_t used = 0;
  f->def = (graze_mesh_def){.dim = dim, .vertices = f->vertices, .faces = f->indices, .surface = head & 1};
  for (size_t i = 0; i < MAX_VERTICES; i++) f->vertices[i] = (graze_vec){0, 0, 0};
  for (int part = 0; part < 2; part++) {
    const size_t first = used;
    if (head >> (part + 1) & 1) used += add_closed(in, f, first);
    if (head & 8 && dim == 3)
      make_box(in, f, first);
    else
      for (size_t i = first; i < used; i++) f->vertices[i] = next_vec(in, dim);
  }
  f->def.vertex_count = used;
  if (used == 0 || head & 16) {
    for (size_t more = 1 + next_byte(in) % 6; more > 0 && f->def.vertex_count < MAX_VERTICES; more--)
      f->vertices[f->def.vertex_count++] = next_vec(in, dim);
    for (size_t more = next_byte(in) % 8; more > 0 && f->def.face_count < MAX_FACES; more--, f->def.face_count++)
      for (int k = 0; k < dim; k++) {
        const uint8_t byte = next_byte(in);
        const int32_t index = (int32_t)(byte % f->def.vertex_count);
        f->indices[dim * (int)f->def.face_count + k] = head & 32 && byte >= 250 ? (int8_t)byte * 0x1000000 : index;
      }
  }
}

static bool precedes(const graze_mesh_error *p, const graze_mesh_error *q) {
  const int32_t a[4] = {(int32_t)p->kind, p->face, p->corner, p->other},
                b[4] = {(int32_t)q->kind, q->face, q->corner, q->other};
  int i = 0;
  while (i < 3 && a[i] == b[i]) i++;
  return a[i] < b[i];
}

static void check_report(const graze_mesh_report *r, const graze_mesh_def *def) {
  require(r->volume - r->volume == 0 || def->face_count > 0, "a volume");
  require((r->errors == NULL) == (r->error_count == 0), "a list if there are errors");
  for (size_t i = 0; i < r->error_count; i++) {
    const graze_mesh_error *e = &r->errors[i];
    require(i == 0 || precedes(e - 1, e), "sorted errors");
    require(e->kind >= GRAZE_MESH_BAD_INDEX && e->kind <= GRAZE_MESH_INTERSECTION, "a kind");
    require(e->face >= 0 && e->face < (int32_t)def->face_count && e->other < (int32_t)def->face_count, "a face");
    require(e->corner >= 0 && e->corner < def->dim && e->other >= -1, "a corner");
  }
}

/* Validates without and with intersections, and creates the mesh. NULL: it is not valid. */
static graze_mesh *next_mesh(bytes *in, int dim, faces *f) {
  graze_mesh_report plain, full;
  graze_mesh *mesh = NULL;
  graze_error error = {.what = NULL};
  next_faces(in, dim, f);
  const graze_status status = graze_validate_mesh(&f->def, false, NULL, &plain, NULL);
  require(graze_validate_mesh(&f->def, true, NULL, &full, NULL) == status, "one status with intersections");
  const graze_status created = graze_mesh_create(&f->def, NULL, &mesh, &error);
  if (status != GRAZE_OK) {
    require(created == status && error.what, "creation rejects what validation rejects");
    return NULL;
  }
  check_report(&plain, &f->def), check_report(&full, &f->def);
  require(plain.closed == full.closed && plain.oriented == full.oriented, "the same with intersections");
  require(plain.error_count <= full.error_count, "no fewer errors with intersections");
  for (size_t i = 0; i < full.error_count; i++)
    require(i < plain.error_count
                ? !precedes(&full.errors[i], &plain.errors[i]) && full.errors[i].kind == plain.errors[i].kind
                : full.errors[i].kind == GRAZE_MESH_INTERSECTION,
            "the same errors, then intersections");
  const bool bad = plain.error_count > 0 && plain.errors[0].kind == GRAZE_MESH_BAD_INDEX;
  require(created == (bad ? GRAZE_BAD_SHAPE : GRAZE_OK), "created unless an index is wrong");
  require(bad || graze_mesh_is_solid(mesh) == (plain.oriented && !f->def.surface), "solid if oriented");
  graze_mesh_report_destroy(&plain), graze_mesh_report_destroy(&full);
  return mesh;
}

/* ---- Queries */

static bool is_solid(const graze_placed *p) {
  return p->shape.kind == GRAZE_MESH && graze_mesh_is_solid(p->shape.as.mesh);
}

static bool is_user(const graze_placed *p) { return p->shape.kind == GRAZE_USER; }

static bool is_curved(const graze_placed *p) { return p->shape.kind != GRAZE_MESH && graze_is_curved(&p->shape); }

static void check_numbers(bool distance) {
  const graze_answer *x = &answer;
  require(!(x->lower > x->upper), "lower <= upper");
  require(!(x->distance < x->lower || x->distance > x->upper), "distance within [lower, upper]");
  require((size_t)x->part_a < graze_part_count(current_a) && (size_t)x->part_b < graze_part_count(current_b), "parts");
  switch (x->relation) {
  case GRAZE_SEPARATED: require(!(x->lower < 0) && (!distance || x->distance > 0), "separated by a gap"); break;
  case GRAZE_TOUCHING: require(x->distance == 0 && x->lower == 0 && x->upper == 0, "touching at 0"); break;
  case GRAZE_OVERLAPPING: require(!(x->upper > 0) && !(x->distance >= 0), "overlapping below 0"); break;
  case GRAZE_UNDECIDED: require(x->lower <= 0 && x->upper >= 0, "undecided contains 0"); break;
  default: require(false, "a relation");
  }
}

/* graze_intersect() or graze_distance(), with the proof if there is a frontier. */
static graze_relation query_pair(graze_options options, bool distance, bool prove) {
  graze_frontier frontier = {.nodes = nodes, .node_capacity = NODES};
  options.certificate = &certificate, options.workspace = workspace, options.workspace_size = sizeof workspace;
  if (prove) options.frontier = &frontier, options.parts = parts, options.part_capacity = PAIRS;
  const graze_status status = distance ? graze_distance(current_a, current_b, &options, &answer)
                                       : graze_intersect(current_a, current_b, &options, &answer);
  require(status == GRAZE_OK, "an answer");
  check_numbers(distance);
  const bool user = is_user(current_a) || is_user(current_b);
  const graze_status verified = graze_verify(current_a, current_b, &options, &answer, &certificate);
  require(verified == GRAZE_OK || verified == GRAZE_UNPROVEN || (user && verified == GRAZE_UNSUPPORTED), "not refuted");
  if (prove && answer.relation == GRAZE_SEPARATED) require(user || verified == GRAZE_OK, "proved");
  return answer.relation;
}

/* The relation of every pair of parts, and how many are in contact. */
static graze_relation check_pairs(const graze_options *options, size_t *contacts) {
  graze_relation strongest = GRAZE_SEPARATED;
  graze_frame frame_a, frame_b;
  *contacts = 0;
  for (size_t i = 0; i < graze_part_count(current_a); i++)
    for (size_t k = 0; k < graze_part_count(current_b); k++) {
      const graze_placed p = graze_part(current_a, i, &frame_a), q = graze_part(current_b, k, &frame_b);
      graze_answer x;
      require(graze_intersect(&p, &q, options, &x) == GRAZE_OK, "an answer about parts");
      *contacts += x.relation != GRAZE_SEPARATED;
      if (x.relation == GRAZE_OVERLAPPING || (x.relation == GRAZE_TOUCHING && strongest == GRAZE_SEPARATED))
        strongest = x.relation;
    }
  return strongest;
}

static bool count_contacts(void *context, const graze_answer *pair, const graze_contact *contacts, size_t count) {
  ++*(size_t *)context;
  require(count <= 4 && pair->relation != GRAZE_SEPARATED, "at most four points of a pair in contact");
  for (size_t i = 0; i < count; i++) require(contacts[i].depth - contacts[i].depth == 0, "a finite depth");
  return true;
}

static size_t reported_contacts(const graze_options *options) {
  graze_manifold_options manifold = graze_default_manifold_options();
  size_t count = 0;
  manifold.clearance = options->clearance;
  manifold.workspace = workspace, manifold.workspace_size = sizeof workspace;
  require(graze_contacts(current_a, current_b, &manifold, count_contacts, &count) == GRAZE_OK, "contacts");
  return count;
}

/* The pairs of parts decide, unless a solid contains points that are on no face. */
static void check_parts(const graze_options *options, graze_relation relation) {
  const size_t reported = reported_contacts(options);
  size_t expected;
  if (is_curved(current_a) || is_curved(current_b)) return;
  if (graze_part_count(current_a) * graze_part_count(current_b) > MAX_PAIRS_TESTED) return;
  const graze_relation strongest = check_pairs(options, &expected);
  require(reported == expected, "the contacts of all pairs");
  if (is_solid(current_a) || is_solid(current_b))
    require(relation == strongest || relation == GRAZE_OVERLAPPING || relation == GRAZE_UNDECIDED, "no weaker");
  else
    require(relation == strongest, "the strongest relation of all pairs");
}

static graze_relation check_order(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                  bool prove) {
  current_a = a, current_b = b;
  const graze_relation one = query_pair(*options, false, prove), two = query_pair(*options, true, prove);
  require(one == two || is_curved(a) || is_curved(b), "intersect and distance agree");
  return one == two ? one : GRAZE_UNDECIDED;
}

static bool any_part(void *context, const graze_cast_result *result) {
  (void)result;
  *(bool *)context = true;
  return false;
}

static void check_ray(bytes *in, const graze_placed *a) {
  graze_cast_options options = graze_default_cast_options();
  graze_cast_result result;
  graze_relation at_start;
  bool part = false;
  const uint8_t head = next_byte(in);
  const graze_vec origin = next_vec(in, a->shape.dim), direction = next_vec(in, a->shape.dim);
  const double t_max = head & 1 ? INFINITY : next_size(in);
  options.min_distance = head & 2;
  const graze_status status = graze_raycast(a, origin, direction, t_max, &options, &result);
  require(graze_raycast_parts(a, origin, direction, t_max, &options, any_part, &part) == status, "the same for parts");
  if (status != GRAZE_OK) return;
  require(graze_contains(a, origin, &at_start) == GRAZE_OK, "a relation of the origin");
  const bool hit = result.outcome == GRAZE_HIT;
  require(!(result.t_lower > result.t_upper) && (!hit || result.t_lower >= 0), "t_lower <= t_upper");
  require(at_start == GRAZE_SEPARATED || (hit && result.t == 0), "a hit at the start");
  require(!part || hit, "a hit of a part is a hit");
  require(!hit || part || at_start == GRAZE_OVERLAPPING, "a hit is that of a part, or inside");
}

/* ---- One input */

/* Queries that the limits of numbers allow. Exact tests of many contacts of solids take seconds with sanitizers. */
static void check_bodies(bytes *in, const graze_placed *a, const graze_placed *b, uint8_t head) {
  graze_options options = graze_default_options();
  if (a->status != GRAZE_OK || b->status != GRAZE_OK) return;
  if (head & 8) options.clearance = next_size(in);
  if (!(options.clearance <= GRAZE_LARGEST)) options.clearance = 0;
  current_a = a, current_b = b, current_clearance = options.clearance;
  if ((is_solid(a) || is_solid(b)) && reported_contacts(&options) > MAX_CONTACTS) return;
  const graze_relation one = check_order(a, b, &options, head & 16);
  check_parts(&options, one);
  const graze_relation two = check_order(b, a, &options, !(head & 16));
  require(one == two || one == GRAZE_UNDECIDED || two == GRAZE_UNDECIDED, "the same with a and b swapped");
  check_ray(in, a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes in = {data, size, 0};
  static faces faces_a, faces_b;
  graze_vec vertices[MAX_VERTICES];
  double radius = 1;
  const uint8_t head = next_byte(&in);
  const int dim = head & 1 ? 2 : 3;
  in.numbers = head >> 1 & 3;
  current_a = current_b = NULL;
  graze_mesh *mesh_a = next_mesh(&in, dim, &faces_a), *mesh_b = head & 32 ? next_mesh(&in, dim, &faces_b) : NULL;
  if (mesh_a) {
    const graze_shape shape = graze_mesh_shape(mesh_a);
    const graze_shape other = mesh_b ? graze_mesh_shape(mesh_b) : next_shape(&in, dim, vertices, &radius);
    const graze_placed a = graze_place(&shape, next_pose(&in, dim));
    const graze_placed b = graze_place(&other, next_pose(&in, dim));
    check_bodies(&in, &a, &b, head);
  }
  graze_mesh_destroy(mesh_a);
  graze_mesh_destroy(mesh_b);
  return 0;
}
