/* A batch: the relations of all pairs of 100 crates. Pairs are indices; the answers go into an array.
 * Prints: 100 crates, 4950 pairs: 4639 separated, 0 touching, 311 overlapping
 */
#include <graze/batch.h>
#include <stdio.h>

enum { CRATES = 100, PAIRS = CRATES * (CRATES - 1) / 2 };

int main(void) {
  static uint32_t first[PAIRS], second[PAIRS];
  static uint8_t relation[PAIRS];
  static graze_pose pose[CRATES];
  static union {
    char bytes[4096];
    long double widest;
  } buffer; /* aligned as memory of malloc() */
  size_t count = 0, counted[5] = {0};

  graze_shape crate = graze_box(0.5, 0.5, 0.5);
  const graze_table *table; /* lies in the buffer */
  if (graze_table_make(&crate, 1, &buffer, sizeof buffer, &table, NULL) != GRAZE_OK) return 1;

  for (int i = 0; i < CRATES; i++)
    pose[i] = graze_pose3((graze_vec){i * 0.37 - 5 * (i / 13), i % 7, i % 3}, 1, i, 0, 2);
  for (uint32_t i = 0; i < CRATES; i++)
    for (uint32_t k = i + 1; k < CRATES; k++) first[count] = i, second[count++] = k;

  graze_batch batch = graze_default_batch();
  batch.count = count;
  batch.a = (graze_batch_side){.table = table, .poses = pose, .pose_count = CRATES, .pose_index = first};
  batch.b = (graze_batch_side){.table = table, .poses = pose, .pose_count = CRATES, .pose_index = second};
  graze_batch_answers answers = {.relation = relation};
  graze_error error;
  if (graze_batch_intersect(&batch, &answers, NULL, &error) != GRAZE_OK) {
    fprintf(stderr, "pair %ld: %s: %s\n", (long)error.index, error.what, graze_status_text(error.status));
    return 1;
  }

  for (size_t i = 0; i < count; i++) counted[relation[i]]++;
  printf("%d crates, %zu pairs: %zu separated, %zu touching, %zu overlapping\n", CRATES, count,
         counted[GRAZE_SEPARATED], counted[GRAZE_TOUCHING], counted[GRAZE_OVERLAPPING]);
  return 0;
}
