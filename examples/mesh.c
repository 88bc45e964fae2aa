/* A triangle mesh: a steel block of 4 x 4 x 1 with a square hole of 2 x 2 through it, and bodies around it. The mesh is
 * closed, so it is solid: a chip inside the steel overlaps it, and a peg in the hole does not. Prints:
 *
 *   block: 32 faces, solid, volume 12, 0 errors
 *   peg in the hole: separated (proved), distance 0.0625
 *   peg that fills the hole: touching (proved), distance 0
 *   turned peg: overlapping (proved), depth 0.2374 to 2.5
 *   chip in the steel: overlapping (proved), depth 0.25 to 0.75
 *   crate on the block: 2 faces in contact, depth 0.05
 *   ray into the hole: clear
 *   ray at the steel: hit, t 4, face 10
 *   falling crate: hit, t 2.5, face 10
 */
#include <graze/mesh.h>
#include <math.h>
#include <stdio.h>

enum { RINGS = 4, CORNERS = 4, FACES = 2 * RINGS * CORNERS };

/* Four squares, each counter-clockwise from above: outside at the bottom and top, hole at the top and bottom. */
static const graze_vec vertices[RINGS * CORNERS] = {
    {-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}, {-2, -2, 1}, {2, -2, 1}, {2, 2, 1}, {-2, 2, 1},
    {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}, {-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};

/* Joins each square to the next one by two triangles a side, counter-clockwise from outside. */
static void join_squares(int32_t faces[3 * FACES]) {
  for (int ring = 0; ring < RINGS; ring++) {
    const int below = CORNERS * ring, above = CORNERS * ((ring + 1) % RINGS);
    for (int k = 0; k < CORNERS; k++) {
      const int next = (k + 1) % CORNERS;
      const int32_t pair[6] = {below + k, below + next, above + next, below + k, above + next, above + k};
      for (int i = 0; i < 6; i++) *faces++ = pair[i];
    }
  }
}

/* Returns the block, or NULL if it is not a solid without errors. */
static graze_mesh *make_block(void) {
  int32_t faces[3 * FACES];
  join_squares(faces);
  graze_mesh_def def = {
      .dim = 3, .vertices = vertices, .vertex_count = RINGS * CORNERS, .faces = faces, .face_count = FACES};

  graze_mesh_report report;
  graze_error error;
  if (graze_validate_mesh(&def, true, NULL, &report, &error) != GRAZE_OK) {
    fprintf(stderr, "%s[%td]: %s\n", error.what, error.index, graze_status_text(error.status));
    return NULL;
  }
  for (size_t i = 0; i < report.error_count; i++)
    fprintf(stderr, "face %d: %s\n", (int)report.errors[i].face, graze_mesh_error_text(report.errors[i].kind));
  const double volume = report.volume;
  const size_t error_count = report.error_count;
  graze_mesh_report_destroy(&report);

  graze_mesh *mesh;
  if (graze_mesh_create(&def, NULL, &mesh, NULL) != GRAZE_OK) return NULL; /* copies the arrays */
  printf("block: %d faces, %s, volume %g, %zu errors\n", FACES, graze_mesh_is_solid(mesh) ? "solid" : "surface", volume,
         error_count);
  return mesh;
}

/* Prints the relation, and the distance or the interval of the depth. Verifies the relation; for bodies that do not
 * overlap, this takes one certificate for each face. Returns 1 on failure. */
static int measure(const char *name, const graze_placed *block, const graze_shape *shape, graze_pose pose) {
  graze_placed body = graze_place(shape, pose);
  graze_options options = graze_default_options();
  graze_certificate certificate;
  graze_part_proof proofs[FACES];
  graze_answer answer;
  options.certificate = &certificate, options.parts = proofs, options.part_capacity = FACES;
  if (graze_intersect(block, &body, &options, &answer) != GRAZE_OK) return 1;
  const graze_status verdict = graze_verify(block, &body, &options, &answer, &certificate);
  if (graze_distance(block, &body, NULL, &answer) != GRAZE_OK) return 1;

  printf("%s: %s (%s), ", name, graze_relation_text(answer.relation), verdict == GRAZE_OK ? "proved" : "not proved");
  if (answer.relation == GRAZE_OVERLAPPING)
    printf("depth %.4g to %.4g\n", -answer.upper, -answer.lower);
  else
    printf("distance %g\n", answer.distance);
  return verdict != GRAZE_OK;
}

typedef struct contact_sum {
  int faces;
  double depth;
} contact_sum;

static bool add_contacts(void *context, const graze_answer *answer, const graze_contact *contacts, size_t count) {
  contact_sum *sum = context;
  (void)answer; /* answer->part_a is the face of the block */
  sum->faces++;
  for (size_t i = 0; i < count; i++)
    if (contacts[i].depth > sum->depth) sum->depth = contacts[i].depth;
  return true;
}

/* Prints the result of a ray that points down. Returns 1 on failure. */
static int shoot(const char *name, const graze_placed *block, graze_vec origin) {
  const graze_vec down = {0, 0, -1};
  graze_cast_options options = graze_default_cast_options();
  options.min_distance = false; /* the least distance of a miss is not needed, and costs more than a hit */
  graze_cast_result result;
  if (graze_raycast(block, origin, down, INFINITY, &options, &result) != GRAZE_OK) return 1;
  printf("%s: %s", name, graze_cast_outcome_text(result.outcome));
  if (result.outcome == GRAZE_HIT) printf(", t %g, face %d", result.t, (int)result.part_a);
  printf("\n");
  return 0;
}

int main(void) {
  graze_mesh *mesh = make_block();
  if (!mesh) return 1;
  graze_shape shape = graze_mesh_shape(mesh);
  graze_placed block = graze_place(&shape, graze_pose_at(0, 0, 0));

  graze_shape peg = graze_box(0.875, 0.875, 2), tight_peg = graze_box(1, 1, 2), chip = graze_box(0.25, 0.25, 0.25);
  const graze_pose turned = {.position = {0, 0, 0.5}, .w = 1, .z = 0.41421356237309503}; /* by 45 degrees about z */
  int failed = measure("peg in the hole", &block, &peg, graze_pose_at(0.0625, 0, 0.5));
  failed += measure("peg that fills the hole", &block, &tight_peg, graze_pose_at(0, 0, 0.5));
  failed += measure("turned peg", &block, &peg, turned);
  failed += measure("chip in the steel", &block, &chip, graze_pose_at(1.5, 0, 0.5));

  graze_placed crate = graze_place(&chip, graze_pose_at(1.5, 0.25, 1.2));
  contact_sum sum = {0, 0};
  failed += graze_contacts(&block, &crate, NULL, add_contacts, &sum) != GRAZE_OK;
  printf("crate on the block: %d faces in contact, depth %g\n", sum.faces, sum.depth);

  failed += shoot("ray into the hole", &block, (graze_vec){0.5, 0.25, 5});
  failed += shoot("ray at the steel", &block, (graze_vec){1.5, 0.25, 5});

  graze_motion fall = {.velocity = {0, 0, -1}};
  graze_cast_result result;
  crate = graze_place(&chip, graze_pose_at(1.5, 0.75, 3.75));
  failed += graze_cast(&block, NULL, &crate, &fall, INFINITY, NULL, &result) != GRAZE_OK;
  printf("falling crate: %s, t %g, face %d\n", graze_cast_outcome_text(result.outcome), result.t, (int)result.part_a);
  graze_mesh_destroy(mesh);
  return failed;
}
