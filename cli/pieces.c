/* The pieces of an answer: their internal edges are recomputed from the points; graze_verify_pieces() checks the rest.
 */
#include "pieces.h"

#include <stdlib.h>

/* An edge of a piece, with its ends in lexicographic order. */
typedef struct edge {
  graze_vec low, high;
  bool ascending; /* the piece runs from low to high */
  int32_t piece;
} edge;

typedef struct tiling {
  graze_decomposition pieces;
  graze_vec *vertices;
  size_t *start;
  graze_internal_edge *internal_edges;
  edge *edges;
} tiling;

static void tiling_free(tiling *t) {
  free(t->vertices);
  free(t->start);
  free(t->internal_edges);
  free(t->edges);
}

static int compare_points(graze_vec p, graze_vec q) {
  if (p.x != q.x) return p.x < q.x ? -1 : 1;
  return p.y < q.y ? -1 : p.y > q.y;
}

static int compare_edges(const void *first, const void *second) {
  const edge *e = first, *g = second;
  int low = compare_points(e->low, g->low), high = compare_points(e->high, g->high);
  if (low || high) return low ? low : high;
  return e->ascending != g->ascending ? e->ascending - g->ascending : (e->piece > g->piece) - (e->piece < g->piece);
}

/* Reads the points of all pieces into one list. */
static bool read_pieces(tiling *t, const json_t *list, const char *name, cli_error *reason) {
  size_t count = json_array_size(list), total = 0;
  for (size_t i = 0; i < count; i++) total += json_array_size(json_array_get(list, i));
  t->vertices = malloc((total + 1) * sizeof *t->vertices);
  t->start = calloc(count + 1, sizeof *t->start);
  if (t->vertices == NULL || t->start == NULL) return cli_reject_memory(reason);
  for (size_t i = 0; i < count; i++) {
    const json_t *piece = json_array_get(list, i);
    size_t size = json_array_size(piece);
    cli_name at = {"", name, (ptrdiff_t)i};
    for (size_t k = 0; k < size; k++)
      if (!cli_read_vec(json_array_get(piece, k), at, 2, &t->vertices[t->start[i] + k], reason)) return false;
    t->start[i + 1] = t->start[i] + size;
  }
  t->pieces = (graze_decomposition){.vertices = t->vertices, .piece_start = t->start, .piece_count = count};
  return true;
}

/* Finds the edges that two pieces share in opposite directions. The verifier rejects edges shared by more than two. */
static bool find_internal_edges(tiling *t, cli_error *reason) {
  size_t count = t->start[t->pieces.piece_count];
  edge *e = t->edges = malloc((count + 1) * sizeof *t->edges);
  t->internal_edges = malloc((count + 1) * sizeof *t->internal_edges);
  if (t->edges == NULL || t->internal_edges == NULL) return cli_reject_memory(reason);
  for (size_t i = 0; i < t->pieces.piece_count; i++) {
    for (size_t k = t->start[i]; k < t->start[i + 1]; k++) {
      graze_vec from = t->vertices[k], to = t->vertices[k + 1 < t->start[i + 1] ? k + 1 : t->start[i]];
      bool ascending = compare_points(from, to) < 0;
      *e++ = (edge){ascending ? from : to, ascending ? to : from, ascending, (int32_t)i};
    }
  }
  qsort(t->edges, count, sizeof *t->edges, compare_edges);
  for (size_t k = 0; k + 1 < count; k++) {
    const edge *back = &t->edges[k], *forth = back + 1;
    bool same = compare_points(back->low, forth->low) == 0 && compare_points(back->high, forth->high) == 0;
    if (!same || back->ascending || !forth->ascending) continue;
    t->internal_edges[t->pieces.internal_edge_count++] =
        (graze_internal_edge){forth->piece, back->piece, back->low, back->high};
  }
  t->pieces.internal_edges = t->internal_edges;
  return true;
}

static cli_verdict reject(const char *name, const char *problem, cli_error *reason) {
  cli_reject(reason, CLI_BAD_JSON, "%s: %s", name, problem);
  return CLI_REJECTED;
}

/* The caller frees the tiling whatever is returned. */
static cli_verdict check(tiling *t, const json_t *list, const char *name, const cli_body *body, cli_error *reason) {
  if (list == NULL) {
    cli_reject(reason, CLI_BAD_JSON, "%s: missing, must be the convex pieces of the polygon", name);
    return CLI_UNPROVEN;
  }
  if (!json_is_array(list) || json_array_size(list) == 0)
    return reject(name, "malformed, must be a list of pieces", reason);
  if (!read_pieces(t, list, name, reason) || !find_internal_edges(t, reason))
    return reason->code == CLI_OUT_OF_MEMORY ? CLI_UNPROVEN : CLI_REJECTED;
  graze_ring outline = {body->vertices, body->vertex_count};
  graze_status status = graze_verify_pieces(outline, body->holes, body->hole_count, &t->pieces, NULL);
  if (status == GRAZE_OK) return CLI_VERIFIED;
  if (status != GRAZE_OUT_OF_MEMORY)
    return reject(name, status == GRAZE_REFUTED ? "the pieces are not the polygon" : graze_status_text(status), reason);
  cli_reject_memory(reason);
  return CLI_UNPROVEN;
}

cli_verdict cli_check_pieces(const json_t *list, const char *name, cli_body *body, bool replace, cli_error *reason) {
  tiling t = {.vertices = NULL};
  graze_compound *compound = NULL;
  cli_verdict verdict = check(&t, list, name, body, reason);
  if (replace && verdict == CLI_VERIFIED && graze_decomposition_compound(&t.pieces, NULL, &compound) != GRAZE_OK) {
    cli_reject_memory(reason);
    verdict = CLI_UNPROVEN;
  }
  if (compound != NULL) cli_body_set_compound(body, compound);
  tiling_free(&t);
  return verdict;
}
