/* Copies of decompositions. */
#include "cert/forgery.h"

#include <stdlib.h>
#include <string.h>

void *forgery_room(size_t count, size_t size) {
  void *memory = calloc(count + 8, size);
  if (memory == NULL) abort();
  return memory;
}

forgery forgery_copy(const graze_decomposition *d) {
  forgery f = {.made = *d};
  size_t corners = d->piece_start[d->piece_count];
  f.vertices = forgery_room(2 * corners, sizeof *f.vertices);
  f.start = forgery_room(d->piece_count, sizeof *f.start);
  f.seams = forgery_room(2 * d->seam_count, sizeof *f.seams);
  memcpy(f.vertices, d->vertices, corners * sizeof *f.vertices);
  memcpy(f.start, d->piece_start, (d->piece_count + 1) * sizeof *f.start);
  if (d->seam_count > 0) memcpy(f.seams, d->seams, d->seam_count * sizeof *f.seams);
  f.made.vertices = f.vertices, f.made.piece_start = f.start, f.made.seams = f.seams;
  return f;
}

void forgery_free(forgery *f) {
  free(f->vertices);
  free(f->start);
  free(f->seams);
}

graze_status forgery_judge(const rings *all, const graze_decomposition *made) {
  graze_ring *holes = forgery_room(all->ring_count, sizeof *holes);
  rings_holes(all, holes);
  graze_status status = graze_verify_pieces(rings_outline(all), holes, all->ring_count - 1, made, NULL);
  free(holes);
  return status;
}

graze_status forgery_decompose(const rings *all, graze_decomposition *made) {
  graze_ring *holes = forgery_room(all->ring_count, sizeof *holes);
  rings_holes(all, holes);
  graze_status status =
      graze_decompose(rings_outline(all), holes, all->ring_count - 1, GRAZE_SPLIT_AUTO, NULL, made, NULL, NULL);
  free(holes);
  return status;
}

static bool same(graze_vec p, graze_vec q) { return p.x == q.x && p.y == q.y; }

void forgery_seams(forgery *f) {
  const size_t *start = f->start;
  size_t corners = start[f->made.piece_count];
  free(f->seams);
  f->made.seams = f->seams = forgery_room(corners, sizeof *f->seams);
  f->made.seam_count = 0;
  for (size_t i = 0; i < f->made.piece_count; i++) {
    for (size_t j = 0; j < i; j++) {
      for (size_t k = start[i]; k < start[i + 1]; k++) {
        for (size_t m = start[j]; m < start[j + 1]; m++) {
          graze_vec from = f->vertices[k], to = f->vertices[k + 1 < start[i + 1] ? k + 1 : start[i]];
          if (!same(from, f->vertices[m + 1 < start[j + 1] ? m + 1 : start[j]]) || !same(to, f->vertices[m])) continue;
          f->seams[f->made.seam_count++] = (graze_seam){(int32_t)i, (int32_t)j, from, to};
        }
      }
    }
  }
}
