/* Are these convex pieces that polygon? Take the borders of all pieces, counter-clockwise, and those of the polygon,
 * the outline counter-clockwise and its holes clockwise, as directed edges. If both are the same edges but for those
 * that run to and fro, then every point off the edges lies in as many pieces as the rings of the polygon wind about it:
 * once inside, not at all outside. So the pieces are the polygon, without overlap or gap, and an edge that runs to and
 * fro between two pieces is a seam. Only equal numbers are looked for, but for the turn of a ring and where a corner
 * stands on the middle of an edge; both are decided exactly. */
#include "pieces.h"

#include "winding.h"

#include <stdlib.h>

enum { NO_PIECE = -1, MOST_LEFT = 1024, MOST_CUTS = 8 * MOST_LEFT };

/* An edge from its lesser end to its greater one. */
typedef struct edge {
  graze_vec low, high;
  int sign;      /* +1: it runs from low to high in a piece, or from high to low in a ring; -1: the reverse */
  int32_t piece; /* NO_PIECE: of a ring */
} edge;

typedef struct fitting {
  graze_decomposition made; /* what the pieces are: vertices, starts, seams */
  graze_vec *vertices;
  size_t *start;
  graze_seam *seams;
  edge *edges;
  size_t edge_count;
} fitting;

static void fitting_free(fitting *f) {
  free(f->vertices);
  free(f->start);
  free(f->seams);
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
  return e->sign != g->sign ? e->sign - g->sign : (e->piece > g->piece) - (e->piece < g->piece);
}

static bool same_place(const edge *e, const edge *g) {
  return compare_points(e->low, g->low) == 0 && compare_points(e->high, g->high) == 0;
}

static void add_edge(fitting *f, graze_vec from, graze_vec to, int sign, int32_t piece) {
  int order = compare_points(from, to);
  if (order == 0) return;
  f->edges[f->edge_count++] = order < 0 ? (edge){from, to, sign, piece} : (edge){to, from, -sign, piece};
}

static void add_ring(fitting *f, const graze_vec *points, size_t count, int sign, int32_t piece) {
  for (size_t i = 0; i < count; i++) add_edge(f, points[i], points[i + 1 < count ? i + 1 : 0], sign, piece);
}

static cli_verdict refuse(const char *name, const char *why, cli_complaint *reason) {
  cli_refuse(reason, CLI_BAD_JSON, "%s: %s", name, why);
  return CLI_REFUSED;
}

static cli_verdict lack_memory(cli_complaint *reason) {
  cli_refuse_memory(reason);
  return CLI_UNPROVEN;
}

/* The points of all pieces, in one list. */
static bool read_pieces(fitting *f, const json_t *list, const char *name, cli_complaint *reason) {
  size_t count = json_array_size(list), total = 0;
  for (size_t i = 0; i < count; i++) total += json_array_size(json_array_get(list, i));
  f->vertices = malloc((total + 1) * sizeof *f->vertices);
  f->start = calloc(count + 1, sizeof *f->start);
  if (f->vertices == NULL || f->start == NULL) return cli_refuse_memory(reason);
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

/* Each by itself: convex and counter-clockwise. */
static const char *piece_fault(const fitting *f) {
  for (size_t i = 0; i < f->made.piece_count; i++) {
    const graze_vec *points = f->vertices + f->start[i];
    size_t count = f->start[i + 1] - f->start[i];
    graze_shape shape = graze_polygon(points, count);
    if (count < 3 || graze_check(&shape, NULL, NULL) != GRAZE_OK) return "a piece is not convex";
    if (cli_winding(points, count) <= 0) return "a piece is not counter-clockwise";
  }
  return NULL;
}

/* All edges of the pieces, and against them those of the rings. */
static bool collect_edges(fitting *f, const cli_body *body, cli_complaint *reason) {
  size_t total = f->start[f->made.piece_count] + body->vertex_count;
  for (size_t i = 0; i < body->hole_count; i++) total += body->holes[i].count;
  f->edges = malloc(total * sizeof *f->edges);
  f->seams = malloc(total * sizeof *f->seams);
  if (f->edges == NULL || f->seams == NULL) return cli_refuse_memory(reason);
  for (size_t i = 0; i < f->made.piece_count; i++)
    add_ring(f, f->vertices + f->start[i], f->start[i + 1] - f->start[i], 1, (int32_t)i);
  add_ring(f, body->vertices, body->vertex_count, -cli_winding(body->vertices, body->vertex_count), NO_PIECE);
  for (size_t i = 0; i < body->hole_count; i++)
    add_ring(f, body->holes[i].vertices, body->holes[i].count,
             cli_winding(body->holes[i].vertices, body->holes[i].count), NO_PIECE);
  return true;
}

/* Of edges in one place: those that run to and fro between pieces are seams; what is left over moves to the front. */
static size_t settle_place(fitting *f, size_t from, size_t to, bool seams, size_t kept) {
  int sum = 0;
  size_t back = from, forth = from;
  while (forth < to && f->edges[forth].sign < 0) forth++; /* first all -1, then all +1, rings before pieces */
  size_t begin = forth;
  for (size_t i = from; i < to; i++) sum += f->edges[i].sign;
  while (back < begin && f->edges[back].piece == NO_PIECE) back++;
  while (forth < to && f->edges[forth].piece == NO_PIECE) forth++;
  for (; seams && back < begin && forth < to; back++, forth++) {
    const edge *left = &f->edges[forth], *right = &f->edges[back];
    f->seams[f->made.seam_count++] = (graze_seam){left->piece, right->piece, left->low, left->high};
  }
  edge rest = f->edges[from];
  rest.sign = sum;
  if (sum != 0) f->edges[kept++] = rest;
  return kept;
}

/* Leaves the edges that do not cancel. */
static void cancel(fitting *f, bool seams) {
  size_t kept = 0;
  qsort(f->edges, f->edge_count, sizeof *f->edges, compare_edges);
  for (size_t from = 0, to; from < f->edge_count; from = to) {
    for (to = from + 1; to < f->edge_count && same_place(&f->edges[from], &f->edges[to]);) to++;
    kept = settle_place(f, from, to, seams, kept);
  }
  f->edge_count = kept;
}

/* Strictly between the ends, and on their line: then, and only then, is the way there and back convex. */
static bool is_within(const edge *e, graze_vec p) {
  if (compare_points(e->low, p) >= 0 || compare_points(p, e->high) >= 0) return false;
  const graze_vec way[4] = {e->low, p, e->high, p};
  graze_shape shape = graze_polygon(way, 4);
  return graze_check(&shape, NULL, NULL) == GRAZE_OK;
}

/* The first end of another edge on the middle of this one. */
static bool next_cut(const fitting *f, const edge *e, graze_vec *at) {
  bool found = false;
  for (size_t i = 0; i < 2 * f->edge_count; i++) {
    graze_vec p = i % 2 ? f->edges[i / 2].high : f->edges[i / 2].low;
    if ((found && compare_points(p, *at) >= 0) || !is_within(e, p)) continue;
    *at = p;
    found = true;
  }
  return found;
}

/* Cuts the edges that are left where others end on their middle, which happens where rings touch. */
static cli_verdict cut_edges(fitting *f, cli_complaint *reason) {
  size_t made = 0;
  edge *cut = malloc(MOST_CUTS * sizeof *cut);
  if (cut == NULL) return lack_memory(reason);
  for (size_t i = 0; i < f->edge_count && made < MOST_CUTS; i++) {
    edge rest = f->edges[i];
    graze_vec at;
    for (; made + 1 < MOST_CUTS && next_cut(f, &rest, &at); rest.low = at)
      cut[made++] = (edge){rest.low, at, rest.sign, NO_PIECE};
    cut[made++] = rest;
  }
  free(f->edges);
  f->edges = cut;
  f->edge_count = made;
  return CLI_VERIFIED;
}

static cli_verdict match_edges(fitting *f, const char *name, cli_complaint *reason) {
  cancel(f, true);
  if (f->edge_count == 0) return CLI_VERIFIED;
  if (f->edge_count > MOST_LEFT) {
    cli_refuse(reason, CLI_BAD_JSON, "%s: too many edges of the polygon are cut", name);
    return CLI_UNPROVEN;
  }
  cli_verdict verdict = cut_edges(f, reason);
  if (verdict != CLI_VERIFIED) return verdict;
  cancel(f, false);
  return f->edge_count == 0 ? CLI_VERIFIED : refuse(name, "the pieces are not the polygon", reason);
}

static cli_verdict fit(fitting *f, const json_t *list, const char *name, cli_body *body, cli_complaint *reason) {
  if (!read_pieces(f, list, name, reason)) return reason->code == CLI_OUT_OF_MEMORY ? CLI_UNPROVEN : CLI_REFUSED;
  const char *fault = piece_fault(f);
  if (fault) return refuse(name, fault, reason);
  if (!collect_edges(f, body, reason)) return CLI_UNPROVEN;
  cli_verdict verdict = match_edges(f, name, reason);
  if (verdict != CLI_VERIFIED) return verdict;
  graze_compound *compound = NULL;
  f->made.seams = f->seams;
  if (graze_decomposition_compound(&f->made, NULL, &compound) != GRAZE_OK) return lack_memory(reason);
  cli_body_take(body, compound);
  return CLI_VERIFIED;
}

cli_verdict cli_take_pieces(const json_t *list, const char *name, cli_body *body, cli_complaint *reason) {
  fitting f = {.vertices = NULL};
  if (list == NULL) {
    cli_refuse(reason, CLI_BAD_JSON, "%s is missing: which convex pieces is the polygon made of?", name);
    return CLI_UNPROVEN;
  }
  if (!json_is_array(list) || json_array_size(list) == 0) return refuse(name, "not a list of pieces", reason);
  cli_verdict verdict = fit(&f, list, name, body, reason);
  fitting_free(&f);
  return verdict;
}
