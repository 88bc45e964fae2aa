/* Concave polygons into convex pieces, and what is said where that cannot be. */
#include "asked.h"
#include "winding.h"

#include <stdio.h>

/* a.vertices, or a.holes[k]. */
static void ring_name(const char *owner, size_t ring, char out[CLI_NAME_SIZE]) {
  if (ring == 0)
    snprintf(out, CLI_NAME_SIZE, "%s.vertices", owner);
  else
    snprintf(out, CLI_NAME_SIZE, "%s.holes[%zu]", owner, ring - 1);
}

/* `a.vertices[3] = [1,2]`, and for an edge where it leads: ` to [3,4]`. */
static void show_place(const cli_body *body, const char *owner, size_t ring, size_t index, bool edge,
                       char out[CLI_PLACE_SIZE]) {
  char name[CLI_NAME_SIZE], number[4][CLI_NUMBER_SIZE], to[2 * CLI_NUMBER_SIZE + 8] = "";
  const graze_vec *points = ring == 0 ? body->vertices : body->holes[ring - 1].vertices;
  size_t count = ring == 0 ? body->vertex_count : body->holes[ring - 1].count;
  graze_vec from = points[index % count], next = points[(index + 1) % count];
  const double numbers[4] = {from.x, from.y, next.x, next.y};
  for (int i = 0; i < 4; i++) cli_number_text(numbers[i], number[i]);
  ring_name(owner, ring, name);
  if (edge) snprintf(to, sizeof to, " to [%s,%s]", number[2], number[3]);
  snprintf(out, CLI_PLACE_SIZE, "%s[%zu] = [%s,%s]%s", name, index, number[0], number[1], to);
}

/* What the first place has to do with the second; NULL where a flaw has no places. */
static const char *flaw_verb(graze_outline_error_kind kind) {
  switch (kind) {
  case GRAZE_OUTLINE_EDGES_CROSS: return "crosses";
  case GRAZE_OUTLINE_EDGES_TOUCH: return "touches";
  case GRAZE_OUTLINE_REPEATED_POINT:
  case GRAZE_OUTLINE_REPEATED_NEIGHBOUR: return "is the same point as";
  default: return NULL;
  }
}

/* Beside one of its edges the hole cuts out what is not there; or else beside one of another ring, which it encloses.
 */
static bool refuse_hole(const cli_body *body, const char *owner, const graze_outline_error *flaw,
                        cli_error *complaint) {
  char first[CLI_PLACE_SIZE], second[CLI_PLACE_SIZE];
  show_place(body, owner, flaw->ring, flaw->index, true, first);
  show_place(body, owner, flaw->other_ring, flaw->other, true, second);
  if (flaw->other_ring != flaw->ring)
    return cli_reject(complaint, CLI_NOT_SIMPLE, "%s: the hole of %s lies around %s",
                      graze_outline_error_text(flaw->kind), first, second);
  return cli_reject(complaint, CLI_NOT_SIMPLE, "%s: %s lies outside the outline or in another hole",
                    graze_outline_error_text(flaw->kind), first);
}

/* The flaw with its ring, its numbers and its points. */
static bool refuse_flaw(const cli_body *body, const char *owner, const graze_outline_error *flaw,
                        cli_error *complaint) {
  char name[CLI_NAME_SIZE], first[CLI_PLACE_SIZE], second[CLI_PLACE_SIZE];
  const char *kind = graze_outline_error_text(flaw->kind), *verb = flaw_verb(flaw->kind);
  bool edges = flaw->kind == GRAZE_OUTLINE_EDGES_CROSS || flaw->kind == GRAZE_OUTLINE_EDGES_TOUCH;
  if (flaw->kind == GRAZE_OUTLINE_HOLE_OUTSIDE) return refuse_hole(body, owner, flaw, complaint);
  if (verb) {
    show_place(body, owner, flaw->ring, flaw->index, edges, first);
    show_place(body, owner, flaw->other_ring, flaw->other, edges, second);
    return cli_reject(complaint, CLI_NOT_SIMPLE, "%s: %s %s %s", kind, first, verb, second);
  }
  ring_name(owner, flaw->ring, name);
  return cli_reject(complaint, CLI_NOT_SIMPLE, "%s: %s %s", kind, name,
                    flaw->kind == GRAZE_OUTLINE_FEW_POINTS ? "has fewer than 3 distinct points"
                    : flaw->ring == 0 && cli_winding(body->vertices, body->vertex_count) != 0
                        ? "has no area but that of its holes"
                        : "has no area");
}

bool cli_decompose(const cli_body *body, const char *owner, graze_splitting splitting,
                   graze_decomposition *decomposition, cli_error *complaint) {
  graze_outline_error flaw = {.kind = GRAZE_OUTLINE_FEW_POINTS};
  graze_ring outline = {body->vertices, body->vertex_count};
  graze_status status =
      graze_decompose(outline, body->holes, body->hole_count, splitting, NULL, decomposition, &flaw, NULL);
  if (status == GRAZE_OK) return true;
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(complaint);
  if (status == GRAZE_NOT_SIMPLE) return refuse_flaw(body, owner, &flaw, complaint);
  if (status == GRAZE_UNSUPPORTED)
    return cli_reject(complaint, CLI_UNSUPPORTED,
                      "splitting = \"fewest\": %s has holes, or its outline touches itself; auto and few split it",
                      owner);
  return cli_reject(complaint, CLI_BAD_SHAPE, "%s.vertices: %s", owner, graze_status_text(status));
}

bool cli_split_body(cli_body *body, const char *owner, cli_error *complaint) {
  graze_decomposition decomposition = {.piece_count = 0};
  graze_compound *compound = NULL;
  if (!body->concave) return true;
  if (!cli_decompose(body, owner, GRAZE_SPLIT_AUTO, &decomposition, complaint)) return false;
  graze_status status = graze_decomposition_compound(&decomposition, NULL, &compound);
  graze_decomposition_destroy(&decomposition);
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(complaint);
  if (status != GRAZE_OK)
    return cli_reject(complaint, CLI_BAD_SHAPE, "the pieces of %s: %s", owner, graze_status_text(status));
  cli_body_take(body, compound);
  return true;
}

bool cli_decompose_bodies(cli_request *q, cli_error *complaint) {
  return cli_split_body(&q->a, "a", complaint) && cli_split_body(&q->b, "b", complaint);
}
