/* An answer names pieces; which of their edges are internal_edges follows. Whether they are the polygon, the verifier
 * says. */
#include "pieces.h"

#include <stdlib.h>

/* An edge of a piece, from its lesser end to its greater one. */
typedef struct edge {
  graze_vec low, high;
  bool forth; /* it runs from low to high */
  int32_t piece;
} edge;

typedef struct fitting {
  graze_decomposition made; /* what the pieces are: vertices, starts, internal_edges */
  graze_vec *vertices;
  size_t *start;
  graze_internal_edge *internal_edges;
  edge *edges;
} fitting;

static void fitting_free(fitting *f) {
  free(f->vertices);
  free(f->start);
  free(f->internal_edges);
  free(f->edges);
}

static int compare_points(graze_vec p, graze_vec q) {
  if (p.x != q.x) return p.x < q.x ? -1 : 1;
  return p.y < q.y ? -1 : p.y > q.y;
}

static int compare_edges(const void *first, const void *second) {
  const edge *e = first, *g = second;
  int low = compare_points(e->low, g->low), high = compare_points(e->high, g->high);
  if (low || high) return low ? low : high;
  return e->forth != g->forth ? e->forth - g->forth : (e->piece > g->piece) - (e->piece < g->piece);
}

static cli_verdict refuse(const char *name, const char *why, cli_error *reason) {
  cli_reject(reason, CLI_BAD_JSON, "%s: %s", name, why);
  return CLI_REFUSED;
}

static cli_verdict lack_memory(cli_error *reason) {
  cli_reject_memory(reason);
  return CLI_UNPROVEN;
}

/* The points of all pieces, in one list. */
static bool read_pieces(fitting *f, const json_t *list, const char *name, cli_error *reason) {
  size_t count = json_array_size(list), total = 0;
  for (size_t i = 0; i < count; i++) total += json_array_size(json_array_get(list, i));
  f->vertices = malloc((total + 1) * sizeof *f->vertices);
  f->start = calloc(count + 1, sizeof *f->start);
  if (f->vertices == NULL || f->start == NULL) return cli_reject_memory(reason);
  for (size_t i = 0; i < count; i++) {
    const json_t *piece = json_array_get(list, i);
    size_t size = json_array_size(piece);
    cli_name at = {"", name, (ptrdiff_t)i};
    for (size_t k = 0; k < size; k++)
      if (!cli_read_vec(json_array_get(piece, k), at, 2, &f->vertices[f->start[i] + k], reason)) return false;
    f->start[i + 1] = f->start[i] + size;
  }
  f->made = (graze_decomposition){.vertices = f->vertices, .piece_start = f->start, .piece_count = count};
  return true;
}

static void list_edges(fitting *f) {
  edge *at = f->edges;
  for (size_t i = 0; i < f->made.piece_count; i++) {
    for (size_t k = f->start[i]; k < f->start[i + 1]; k++) {
      graze_vec from = f->vertices[k], to = f->vertices[k + 1 < f->start[i + 1] ? k + 1 : f->start[i]];
      bool forth = compare_points(from, to) < 0;
      *at++ = (edge){forth ? from : to, forth ? to : from, forth, (int32_t)i};
    }
  }
}

/* Edges that run to and fro between two pieces. Whoever names more than two in one place is refused later. */
static bool find_seams(fitting *f, cli_error *reason) {
  size_t count = f->start[f->made.piece_count];
  f->edges = malloc((count + 1) * sizeof *f->edges);
  f->internal_edges = malloc((count + 1) * sizeof *f->internal_edges);
  if (f->edges == NULL || f->internal_edges == NULL) return cli_reject_memory(reason);
  list_edges(f);
  qsort(f->edges, count, sizeof *f->edges, compare_edges);
  for (size_t k = 0; k + 1 < count; k++) {
    const edge *back = &f->edges[k], *forth = back + 1;
    bool same = compare_points(back->low, forth->low) == 0 && compare_points(back->high, forth->high) == 0;
    if (!same || back->forth || !forth->forth) continue;
    f->internal_edges[f->made.internal_edge_count++] =
        (graze_internal_edge){forth->piece, back->piece, back->low, back->high};
  }
  f->made.internal_edges = f->internal_edges;
  return true;
}

static cli_verdict verify(const fitting *f, const char *name, const cli_body *body, cli_error *reason) {
  graze_ring outline = {body->vertices, body->vertex_count};
  graze_status status = graze_verify_pieces(outline, body->holes, body->hole_count, &f->made, NULL);
  if (status == GRAZE_OK) return CLI_VERIFIED;
  if (status == GRAZE_OUT_OF_MEMORY) return lack_memory(reason);
  return refuse(name, status == GRAZE_REFUTED ? "the pieces are not the polygon" : graze_status_text(status), reason);
}

/* Reads the pieces and checks them; f is to be freed, whatever comes. */
static cli_verdict fit(fitting *f, const json_t *list, const char *name, const cli_body *body, cli_error *reason) {
  if (list == NULL) {
    cli_reject(reason, CLI_BAD_JSON, "%s is missing: which convex pieces is the polygon made of?", name);
    return CLI_UNPROVEN;
  }
  if (!json_is_array(list) || json_array_size(list) == 0) return refuse(name, "not a list of pieces", reason);
  if (!read_pieces(f, list, name, reason) || !find_seams(f, reason))
    return reason->code == CLI_OUT_OF_MEMORY ? CLI_UNPROVEN : CLI_REFUSED;
  return verify(f, name, body, reason);
}

cli_verdict cli_check_pieces(const json_t *list, const char *name, const cli_body *body, cli_error *reason) {
  fitting f = {.vertices = NULL};
  cli_verdict verdict = fit(&f, list, name, body, reason);
  fitting_free(&f);
  return verdict;
}

cli_verdict cli_take_pieces(const json_t *list, const char *name, cli_body *body, cli_error *reason) {
  fitting f = {.vertices = NULL};
  graze_compound *compound = NULL;
  cli_verdict verdict = fit(&f, list, name, body, reason);
  if (verdict == CLI_VERIFIED && graze_decomposition_compound(&f.made, NULL, &compound) != GRAZE_OK)
    verdict = lack_memory(reason);
  if (compound != NULL) cli_body_take(body, compound);
  fitting_free(&f);
  return verdict;
}
