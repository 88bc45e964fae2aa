/* Looking around from every vertex, through the triangles that its gaze crosses. */
#include "geometry/decompose_visibility.h"

#include "core/memory.h"
#include "exact/predicates.h"

/* A part of the view: through the edge of dart `edge`, from beyond the ray to the vertex `right` to before that to
 * `left`. Three numbers on the mesh's stack. */
typedef struct sight_gap {
  int32_t edge, right, left;
} sight_gap;

typedef struct sight_view {
  const grz_mesh *mesh;
  int32_t from, depth;
  int32_t *found; /* mesh vertices */
  int32_t found_count;
} sight_view;

static void sight_push(sight_view *view, int32_t edge, int32_t right, int32_t left) {
  if (view->mesh->dart[edge].walks != 0) return;
  int32_t *top = view->mesh->stack + 3 * view->depth++;
  top[0] = edge, top[1] = right, top[2] = left;
}

static sight_gap sight_pop(sight_view *view) {
  const int32_t *top = view->mesh->stack + 3 * --view->depth;
  return (sight_gap){top[0], top[1], top[2]};
}

/* All that the view's vertex sees. Each triangle comes up once: the polygon has no holes. */
static void sight_look(sight_view *view) {
  const grz_mesh *mesh = view->mesh;
  int32_t first = mesh->spoke[view->from], e = first;
  view->depth = view->found_count = 0;
  do {
    int32_t next = mesh->dart[e].ccw;
    if (mesh->dart[e].winding == 1 || mesh->dart[e ^ 1].winding == 1)
      view->found[view->found_count++] = mesh_to(mesh, e);
    if (mesh->dart[e].winding == 1) sight_push(view, mesh_next(mesh, e), mesh_to(mesh, e), mesh_to(mesh, next));
    e = next;
  } while (e != first);
  while (view->depth > 0) {
    sight_gap gap = sight_pop(view);
    int32_t right = mesh_next(mesh, gap.edge ^ 1), left = mesh_next(mesh, right), apex = mesh_to(mesh, right);
    bool after_right = grz_mesh_turn(mesh, view->from, gap.right, apex) > 0;
    bool before_left = grz_mesh_turn(mesh, view->from, gap.left, apex) < 0;
    if (after_right && before_left) view->found[view->found_count++] = apex;
    if (after_right) sight_push(view, right, gap.right, before_left ? apex : gap.left);
    if (before_left) sight_push(view, left, after_right ? apex : gap.right, gap.left);
  }
}

static bool sight_is_reflex(const grz_mesh *mesh, const split_sight *sight, int32_t i) {
  int32_t before = i > 0 ? i - 1 : sight->count - 1, after = i + 1 < sight->count ? i + 1 : 0;
  return grz_mesh_turn(mesh, sight->vertex[before], sight->vertex[i], sight->vertex[after]) < 0;
}

/* Numbers around the polygon: `place` of mesh vertices, and whether they are reflex corners. */
static void sight_number(const grz_split *split, split_sight *sight, int32_t *place, bool *reflex) {
  int32_t total = split->start[1], count = 0;
  for (int32_t k = 0; k < total; k++) {
    int32_t vertex = split->vertex[split->sense[0] > 0 ? k : total - 1 - k];
    if (count == 0 || (vertex != sight->vertex[count - 1] && vertex != sight->vertex[0]))
      sight->vertex[count++] = vertex;
  }
  sight->count = count;
  for (int32_t i = 0; i < count; i++) {
    place[sight->vertex[i]] = i;
    reflex[i] = sight_is_reflex(&split->mesh, sight, i);
  }
}

/* Each sees the other: so going through the vertices in order, and noting each with those that it sees, brings their
 * lists into order. The first time around they are only counted. */
static void sight_survey(const grz_split *split, split_sight *sight, const int32_t *place, const bool *reflex,
                         int32_t *found, size_t *next) {
  sight_view view = {.mesh = &split->mesh, .found = found};
  for (int32_t i = 0; i < sight->count; i++) {
    view.from = sight->vertex[i];
    sight_look(&view);
    for (int32_t k = 0; k < view.found_count; k++) {
      int32_t j = place[found[k]], apart = i < j ? j - i : i - j;
      if (!reflex[i] && !reflex[j] && apart != 1 && apart != sight->count - 1) continue;
      if (sight->seen != NULL) sight->seen[next[j]] = i;
      next[j]++;
    }
  }
}

static void sight_mirror(split_sight *sight, size_t *next) {
  for (int32_t i = 0; i < sight->count; i++) next[i] = sight->start[i];
  for (int32_t i = 0; i < sight->count; i++) {
    for (size_t at = sight->start[i]; at < sight->start[i + 1]; at++) {
      if (sight->seen[at] > i) sight->mirror[next[sight->seen[at]]++] = at;
    }
  }
}

/* Counts: start[i + 1] - start[i] is how many i sees. */
static void sight_sum(split_sight *sight, size_t *next) {
  sight->start[0] = 0;
  for (int32_t i = 0; i < sight->count; i++) {
    sight->start[i + 1] = sight->start[i] + next[i];
    next[i] = sight->start[i];
  }
}

bool grz_split_sight(grz_split *split, split_sight *sight) {
  size_t most = (size_t)split->mesh.count;
  size_t *next = grz_allocate(&split->allocator, (2 * most + 1) * sizeof *next + most * (3 * sizeof(int32_t) + 1), 1);
  *sight = (split_sight){.memory = {next, NULL}};
  if (next == NULL) return false;
  sight->start = next + most;
  sight->vertex = (int32_t *)(sight->start + most + 1);
  int32_t *place = sight->vertex + most, *found = place + most;
  bool *reflex = (bool *)(found + most);
  sight_number(split, sight, place, reflex);
  for (size_t i = 0; i < most; i++) next[i] = 0;
  sight_survey(split, sight, place, reflex, found, next);
  sight_sum(sight, next);
  size_t pairs = sight->start[sight->count];
  sight->mirror = sight->memory[1] = grz_allocate(&split->allocator, pairs + 1, sizeof(size_t) + sizeof(int32_t));
  if (sight->mirror == NULL) {
    grz_split_sight_release(split, sight);
    return false;
  }
  sight->seen = (int32_t *)(sight->mirror + pairs + 1);
  sight->seen[pairs] = sight->count;
  sight_survey(split, sight, place, reflex, found, next);
  sight_mirror(sight, next);
  return true;
}

void grz_split_sight_release(const grz_split *split, split_sight *sight) {
  grz_release(&split->allocator, sight->memory[1]);
  grz_release(&split->allocator, sight->memory[0]);
}
