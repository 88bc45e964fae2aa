/* A concave polygon with a hole: a robot drives around a machine whose housing has a bay and a shaft. The program
 * prints the distance and the nearest convex piece. Lengths are metres. Prints:
 *
 *   6 pieces, minimum >= 3, area 42
 *   outside: separated, 1.5, piece 5
 *   in the bay: separated, 0.25, piece 5
 *   at the end of the bay: touching, 0, piece 4
 *   in the shaft: separated, 0.5, piece 0
 *   in a wall: overlapping, -0.25, piece 2
 */
#include <graze/build.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Outline and hole may have either winding. */
static const graze_vec housing[] = {{0, 0, 0}, {10, 0, 0}, {10, 6, 0}, {7, 6, 0},
                                    {7, 3, 0}, {5, 3, 0},  {5, 6, 0},  {0, 6, 0}};
static const graze_vec shaft[] = {{1, 1, 0}, {4, 1, 0}, {4, 5, 0}, {1, 5, 0}};

/* Returns the housing as one shape, or NULL. */
static graze_compound *decompose(void) {
  graze_ring outline = {housing, COUNT(housing)}, hole = {shaft, COUNT(shaft)};
  graze_decomposition pieces;
  graze_outline_error problem;
  graze_compound *compound = NULL;
  graze_status status = graze_decompose(outline, &hole, 1, GRAZE_SPLIT_AUTO, NULL, &pieces, &problem, NULL);
  if (status == GRAZE_NOT_SIMPLE) /* for instance if two edges cross */
    fprintf(stderr, "%s at vertex %zu of ring %zu\n", graze_outline_error_text(problem.kind), problem.index,
            problem.ring);
  if (status != GRAZE_OK) return NULL;

  printf("%zu pieces, minimum >= %zu, area %g\n", pieces.piece_count, pieces.fewest, pieces.area);
  graze_decomposition_compound(&pieces, NULL, &compound); /* a copy; NULL if out of memory */
  graze_decomposition_destroy(&pieces);
  return compound;
}

/* Returns 1 if the query fails or the verifier rejects its answer. */
static int drive(const graze_placed *machine, const graze_shape *robot, const char *where, graze_pose pose) {
  static double workspace[8192];
  graze_placed moving = graze_place(robot, pose);
  graze_options options = graze_default_options();
  graze_certificate certificate;
  graze_part_proof proofs[16]; /* one certificate per piece proves that no piece is nearer */
  graze_surface surface;       /* proves the depth of an overlap; both are needed for verification only */
  graze_answer answer;
  options.certificate = &certificate;
  options.parts = proofs, options.part_capacity = COUNT(proofs);
  options.surface = &surface, options.workspace = workspace, options.workspace_size = sizeof workspace;
  if (graze_distance(machine, &moving, &options, &answer) != GRAZE_OK) return 1;

  printf("%s: %s, %g, piece %d\n", where, graze_relation_text(answer.relation), answer.distance, (int)answer.part_a);
  return graze_verify(machine, &moving, &options, &answer, &certificate) != GRAZE_OK;
}

int main(void) {
  graze_compound *compound = decompose();
  if (!compound) return 1;
  graze_shape shape = graze_compound_shape(compound), robot = graze_box2(0.5, 0.5);
  graze_placed machine = graze_place(&shape, graze_pose_at(0, 0, 0));
  int wrong = drive(&machine, &robot, "outside", graze_pose2(12, 1, 0));
  wrong += drive(&machine, &robot, "in the bay", graze_pose2(6.25, 5, 0));
  wrong += drive(&machine, &robot, "at the end of the bay", graze_pose2(6.25, 3.5, 0));
  wrong += drive(&machine, &robot, "in the shaft", graze_pose2(2, 2, 0));
  wrong += drive(&machine, &robot, "in a wall", graze_pose2(3.75, 3, 0));
  graze_compound_destroy(compound);
  return wrong;
}
