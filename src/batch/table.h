/* A table of shapes: what its private bytes hold. */
#ifndef GRAZE_BATCH_TABLE_H
#define GRAZE_BATCH_TABLE_H

#include "batch/kernels.h"

#include <graze/batch.h>

/* What a shape is to the kernels. */
typedef enum grz_batch_kind {
  GRZ_BATCH_OTHER = 0, /* nothing */
  GRZ_BATCH_LIST = 1,  /* few enough core vertices */
  GRZ_BATCH_BOX = 3    /* that, and a box that is not rounded */
} grz_batch_kind;

struct graze_table {
  size_t count;
  int dim;
  const graze_placed *placed;  /* judged, at the origin */
  const grz_batch_box *boxes;  /* set for boxes … */
  const grz_batch_list *lists; /* … and for lists */
  const uint8_t *kinds;
};

#endif
