/* Explanations of queries: the text, picture and page of `graze explain`, without the command. */
#ifndef GRAZE_PYTHON_EXPLANATION_H
#define GRAZE_PYTHON_EXPLANATION_H

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A query about two placed shapes. `decomposed_…`: the compound is a decomposed polygon. `moves`: a cast; `ray`: the
 * cast of the point b. */
typedef struct explained_query {
  const graze_placed *a, *b;
  bool decomposed_a, decomposed_b, relation_only, moves, ray;
  graze_motion motion_a, motion_b;
  double t_max;
  const graze_options *options;           /* of a query at rest; of a cast, what both have */
  const graze_cast_options *cast_options; /* of a cast */
  const char *line;                       /* the query as a line of JSON, which the page shows */
} explained_query;

/* The three forms, allocated by malloc(); svg is NULL in 3D. */
typedef struct explanation {
  char *text, *svg, *html;
} explanation;

/* False: `message` of `size` bytes receives the reason. */
bool explain_query(const explained_query *query, explanation *result, char *message, size_t size);
void explanation_free(explanation *result);

#ifdef __cplusplus
}
#endif

#endif
