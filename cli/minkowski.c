/* The Minkowski difference or sum itself. */
#include "pair.h"

#include <stdlib.h>

enum { HELPERS = 4 }; /* points that a flat set needs beside it */

static void cso_free(cli_cso *c) {
  free(c->points);
  free(c->pairs);
}

/* Every pair may be a vertex. */
static bool cso_reserve(cli_cso *c, size_t pairs) {
  c->points = malloc(pairs * sizeof *c->points);
  c->pairs = malloc(pairs * sizeof *c->pairs);
  return c->points && c->pairs;
}

static bool is_round(const cli_body *body) {
  const graze_shape *shape = &body->placed.shape;
  return shape->margin > 0 || shape->radius > 0;
}

/* Before anything is computed: the shapes must be polytopes, and not too many pairs. */
static bool check_shapes(const cli_request *q, size_t *pairs, cli_error *complaint) {
  size_t n = cli_corner_count(&q->a.placed.shape), m = cli_corner_count(&q->b.placed.shape);
  const char *owner = n == 0 || is_round(&q->a) ? "a" : m == 0 || is_round(&q->b) ? "b" : NULL;
  if (owner)
    return cli_reject(complaint, CLI_UNSUPPORTED,
                      "minkowski: %s is no polytope (curved, half-space, radius or margin); intersect and distance "
                      "ask about the Minkowski difference of any shapes",
                      owner);
  *pairs = n > CLI_MOST_POINTS / m ? CLI_MOST_POINTS + 1 : n * m;
  return *pairs <= CLI_MOST_POINTS ||
         cli_reject(complaint, CLI_UNSUPPORTED,
                    "minkowski of %zu and %zu vertices: more than %d pairs; intersect and distance ask about the "
                    "Minkowski difference without making it",
                    n, m, CLI_MOST_POINTS);
}

void cli_print_minkowski(cli_text *out, const cli_request *q, const cli_cso *c) {
  cli_print_begin(out, q);
  cli_print_key(out, "vertices");
  cli_text_str(out, "[");
  for (size_t i = 0; i < c->count; i++) {
    if (i > 0) cli_text_str(out, ",");
    cli_print_vec(out, c->points[i], q->dim);
  }
  cli_text_str(out, "]");
  cli_print_key(out, "pairs");
  cli_print_pairs(out, c->pairs, (int)c->count, q->dim);
  cli_print_key(out, "holds_origin");
  cli_text_str(out, c->holds ? "true" : "false");
  cli_print_word(out, "path", graze_algorithm_text(GRAZE_ALGORITHM_BRUTE));
  cli_print_int(out, "iterations", 0);
  cli_print_rotations(out, q);
}

bool cli_solve_minkowski(cli_request *q, cli_buffer *room, cli_cso *c, cli_error *complaint) {
  size_t pairs = 0;
  *c = (cli_cso){0};
  if (!check_shapes(q, &pairs, complaint) || !cli_give_workspace(q, room, pairs + HELPERS, complaint)) return false;
  bool good = cso_reserve(c, pairs) || cli_reject_memory(complaint);
  if (good) {
    graze_status status = graze_minkowski(&q->a.placed, &q->b.placed, q->of, &q->options, c->points, c->pairs, pairs,
                                          &c->count, &c->holds);
    good = status == GRAZE_OK || cli_refuse_status(q, status, complaint);
  }
  if (!good) cso_free(c);
  return good;
}

bool cli_answer_minkowski(cli_request *q, cli_buffer *room, cli_text *out, cli_error *complaint) {
  cli_cso c;
  if (!cli_solve_minkowski(q, room, &c, complaint)) return false;
  cli_print_minkowski(out, q, &c);
  cso_free(&c);
  return true;
}
