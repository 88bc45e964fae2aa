/* One number for the answers of 100,000 queries over all kinds of shapes, and 12,500 of meshes. It must come out the
 * same from every compiler, with all options (tests/golden/run.py). Only the public API. */
#include "common.h"

#include <graze/mesh.h>

enum { QUERIES = 100000 };

/* ---- The run ---- */

typedef struct counts {
  int relation[GRAZE_UNDECIDED + 1], rejected, exact, unverified;
} counts;

static void query(const graze_placed *a, const graze_placed *b, const graze_options *given, counts *tally) {
  graze_options options = given ? *given : graze_default_options();
  graze_answer answer;
  graze_certificate certificate;
  memset(&answer, 0, sizeof answer);
  options.certificate = &certificate;
  graze_status status = below(2) ? graze_distance(a, b, &options, &answer) : graze_intersect(a, b, &options, &answer);
  ADD_INTEGERS(status);
  if (status != GRAZE_OK) {
    tally->rejected++;
    return;
  }
  add_answer(&answer, &certificate);
  tally->relation[answer.relation]++;
  tally->exact += answer.exact;
  if (below(8) == 0) {
    status = graze_verify(a, b, &options, &answer, &certificate);
    ADD_INTEGERS(status);
    tally->unverified += status != GRAZE_OK;
  }
}

/* B approaches A or passes by. */
static void query_cast(const graze_placed *a, const graze_placed *b, const style *s) {
  graze_cast_options options = graze_default_cast_options();
  graze_cast_result result;
  graze_certificate certificate;
  graze_vec from = b->pose.position, to = a->pose.position, aside = any_vec(s);
  const graze_motion motion = {{to.x - from.x + aside.x, to.y - from.y + aside.y, to.z - from.z + aside.z}, {0, 0, 0}};
  options.certificate = &certificate;
  graze_status status = graze_cast(a, NULL, b, &motion, below(2) ? 1 : 4, &options, &result);
  add_cast(status, &result, &certificate);
}

/* The same, and both rotate. */
static void query_sweep(const graze_placed *a, const graze_placed *b, const style *s) {
  static graze_cast_step steps[64];
  graze_cast_options options = graze_default_cast_options();
  graze_cast_result result;
  graze_certificate certificate;
  graze_vec from = b->pose.position, to = a->pose.position;
  const style spin = {s->lattice, s->dim, 1};
  graze_motion motion[2] = {{{0, 0, 0}, {0, 0, 0}}, {{to.x - from.x, to.y - from.y, to.z - from.z}, {0, 0, 0}}};
  motion[0].angular = any_vec(&spin);
  motion[1].angular = any_vec(&spin);
  for (int i = 0; i < 2 && s->dim == 2; i++) motion[i].angular.x = motion[i].angular.y = 0;
  if (below(2)) options.steps = steps, options.step_capacity = 64;
  options.certificate = &certificate;
  graze_status status = graze_cast(a, &motion[0], b, &motion[1], 1, &options, &result);
  add_cast(status, &result, &certificate);
}

static void add_single(const graze_placed *placed, const style *s) {
  graze_aabb bounds;
  graze_vec point;
  graze_relation relation;
  int vertex = -1;
  graze_status status = graze_bounds(placed, &bounds);
  ADD_INTEGERS(status);
  if (status == GRAZE_OK) add_vec(bounds.min), add_vec(bounds.max);
  status = graze_support(placed, any_vec(s), &point, &vertex);
  ADD_INTEGERS(status);
  if (status == GRAZE_OK) add_vec(point), add_bits((uint64_t)vertex);
  status = graze_contains(placed, any_vec(s), &relation);
  ADD_INTEGERS(status);
  if (status == GRAZE_OK) ADD_INTEGERS(relation);
}

/* Some shapes of one style, each against others; the last style of four is far smaller or larger than 1. */
static void query_scene(int number, int queries, counts *tally) {
  static shape_store stores[PLACED];
  static graze_placed placed[PLACED];
  static graze_cache cache;
  style s = {number % 2 == 0, number % 3 == 0 ? 2 : 3, 1};
  if (number % 4 == 3) s.scale = power_of_two(below(161) - 80);
  memset(&cache, 0, sizeof cache);
  for (int i = 0; i < PLACED; i++) {
    placed[i] = any_placed(&s, &stores[i]);
    ADD_INTEGERS(placed[i].status);
    add_single(&placed[i], &s);
  }
  for (int i = 0; i < queries; i++) {
    graze_options options = any_options(&s, &cache);
    const graze_placed *a = &placed[below(PLACED)];
    const graze_placed *b = &placed[below(PLACED)];
    query(a, b, below(2) ? &options : NULL, tally);
    if (below(4) == 0) query_cast(a, b, &s);
    if (below(32) == 0) query_sweep(a, b, &s);
  }
}

/* A closed mesh of eight faces (in 2D a closed line), or loose faces. */
static graze_mesh *any_mesh(const style *s, graze_vec vertices[MOST_VERTICES]) {
  static const int32_t octahedron_faces[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
  static const int32_t line[] = {0, 2, 2, 1, 1, 3, 3, 0};
  int32_t loose[MOST_VERTICES];
  graze_mesh *mesh = NULL;
  const bool closed = below(2);
  const size_t dim = (size_t)s->dim;
  graze_mesh_def def = {.dim = s->dim, .vertices = vertices, .vertex_count = MOST_VERTICES};
  def.faces = closed ? s->dim == 2 ? line : octahedron_faces : loose;
  def.face_count = closed ? s->dim == 2 ? 4 : 8 : (size_t)(1 + below(MOST_VERTICES)) / dim;
  if (def.face_count == 0) def.face_count = 1;
  for (int i = 0; i < MOST_VERTICES; i++) vertices[i] = any_vec(s), loose[i] = below(MOST_VERTICES);
  const graze_status status = graze_mesh_create(&def, NULL, &mesh, NULL);
  ADD_INTEGERS(status);
  return mesh;
}

/* Meshes against each other and against convex shapes. */
static void query_meshes(int number, int queries, counts *tally) {
  enum { MESHES = 8 };
  static graze_vec vertices[MOST_VERTICES];
  static shape_store stores[MESHES];
  graze_placed placed[2 * MESHES];
  graze_mesh *mesh[MESHES];
  style s = {number % 2 == 0, number % 3 == 0 ? 2 : 3, 1};
  if (number % 4 == 3) s.scale = power_of_two(below(161) - 80);
  for (int i = 0; i < MESHES; i++) {
    mesh[i] = any_mesh(&s, vertices);
    graze_shape shape = graze_mesh_shape(mesh[i]);
    if (below(4) == 0) shape = graze_with_margin(shape, any_size(&s));
    placed[i] = graze_place(&shape, any_pose(&s));
    placed[MESHES + i] = any_placed(&s, &stores[i]);
    add_single(&placed[i], &s);
  }
  for (int i = 0; i < queries; i++) {
    const graze_placed *a = &placed[below(MESHES)], *b = &placed[below(2 * MESHES)];
    graze_options options = graze_default_options();
    if (below(8) == 0) options.clearance = any_size(&s);
    if (below(8) == 0) options.max_distance = any_size(&s);
    query(a, b, &options, tally);
    if (below(4) == 0) query_cast(b, a, &s);
    if (below(32) == 0) query_sweep(a, b, &s);
  }
  for (int i = 0; i < MESHES; i++) graze_mesh_destroy(mesh[i]);
}

int main(int count, char **arguments) {
  int queries = count > 1 ? atoi(arguments[1]) : QUERIES;
  counts tally;
  memset(&tally, 0, sizeof tally);
  for (int scene = 0, done = 0; done < queries; scene++) {
    int some = queries - done < 200 ? queries - done : 200;
    query_scene(scene, some, &tally);
    query_meshes(scene, some / 8, &tally);
    done += some;
  }
  fprintf(
      stderr,
      "%d queries: %d separated, %d touching, %d overlapping, %d undecided, %d rejected; %d exact, %d not verified\n",
      queries, tally.relation[GRAZE_SEPARATED], tally.relation[GRAZE_TOUCHING], tally.relation[GRAZE_OVERLAPPING],
      tally.relation[GRAZE_UNDECIDED], tally.rejected, tally.exact, tally.unverified);
  printf("%016" PRIx64 "\n", hash);
  return 0;
}
