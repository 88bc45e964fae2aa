/* The hull of points that span space: they join a growing solid in a random order, always the same. */
#include "geometry/hull_solid.h"
#include "core/memory.h"
#include "core/vec.h"

/* ---- The order. */

static void solid_swap(int32_t *index, size_t i, size_t j) {
  int32_t t = index[i];
  index[i] = index[j], index[j] = t;
}

/* The points that span space, then all others, shuffled (Fisher, Yates; xorshift64*): no order of the input is a bad
 * one. */
static void solid_shuffle(int32_t *index, size_t count, const grz_span *span) {
  for (size_t i = 0; i < count; i++) index[i] = (int32_t)i;
  for (size_t k = 0; k < 4; k++) {
    size_t at = span->point[k];
    while ((size_t)index[at] != span->point[k]) at = (size_t)index[at]; /* an earlier swap took it away */
    solid_swap(index, k, at);
  }
  uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = count; i-- > 5;) {
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    uint64_t random = (state * UINT64_C(0x2545f4914f6cdd1d)) >> 32;
    solid_swap(index, i, 4 + (size_t)((random * (i - 3)) >> 32));
  }
}

/* ---- Rounds: of the shuffled points, the last half, the half before it, and so on, each in the order of the cells
 * they lie in, so that memory is met where it was just used. The order stays random enough: Amenta, Choi, Rote 2003. */

enum { SOLID_CELL_BITS = 10, SOLID_CELLS = 1 << SOLID_CELL_BITS, SOLID_LEAST_ROUND = 2048 };

typedef struct solid_key {
  uint32_t cell;
  int32_t index;
} solid_key;

static void solid_bounds(const graze_vec *points, size_t count, graze_vec *low, graze_vec *reach) {
  graze_vec high = *low = points[0];
  for (size_t i = 1; i < count; i++) *low = vec_min(*low, points[i]), high = vec_max(high, points[i]);
  *reach = vec_sub(high, *low);
}

/* The bits of 0 <= t <= 1, two free places between any two. */
static uint32_t solid_spread(double t) {
  uint32_t x = (uint32_t)(t * (SOLID_CELLS - 1));
  x = (x | x << 16) & UINT32_C(0x030000ff);
  x = (x | x << 8) & UINT32_C(0x0300f00f);
  x = (x | x << 4) & UINT32_C(0x030c30c3);
  return (x | x << 2) & UINT32_C(0x09249249);
}

/* The cell of a point, numbered along a curve that stays near itself (Morton). */
static uint32_t solid_cell(graze_vec p, graze_vec low, graze_vec reach) {
  return solid_spread((p.x - low.x) / reach.x) | solid_spread((p.y - low.y) / reach.y) << 1 |
         solid_spread((p.z - low.z) / reach.z) << 2;
}

/* One pass of a radix sort: by `SOLID_CELL_BITS` bits from `shift` on. */
static void solid_pass(const solid_key *from, solid_key *to, size_t count, int shift) {
  size_t start[SOLID_CELLS + 1] = {0};
  for (size_t i = 0; i < count; i++) start[(from[i].cell >> shift) % SOLID_CELLS + 1]++;
  for (size_t i = 0; i < SOLID_CELLS; i++) start[i + 1] += start[i];
  for (size_t i = 0; i < count; i++) to[start[(from[i].cell >> shift) % SOLID_CELLS]++] = from[i];
}

/* `room` is for twice as many keys as there are points. */
static void solid_sort(int32_t *index, size_t count, const graze_vec *points, graze_vec low, graze_vec reach,
                       solid_key *room) {
  solid_key *a = room, *b = room + count;
  for (size_t i = 0; i < count; i++) a[i] = (solid_key){solid_cell(points[index[i]], low, reach), index[i]};
  solid_pass(a, b, count, 0);
  solid_pass(b, a, count, SOLID_CELL_BITS);
  solid_pass(a, b, count, 2 * SOLID_CELL_BITS);
  for (size_t i = 0; i < count; i++) index[i] = b[i].index;
}

static void solid_prepare(grz_solid *s, const graze_vec *points, size_t count, const grz_span *span) {
  solid_shuffle(s->index, count, span);
  if (grz_orient3(points[s->index[0]], points[s->index[1]], points[s->index[2]], points[s->index[3]]) > 0)
    solid_swap(s->index, 0, 1);
  graze_vec low;
  solid_bounds(points, count, &low, &s->reach);
  solid_key *room = (solid_key *)(void *)s->point; /* not yet in use, and large enough */
  for (size_t end = count; end / 2 >= SOLID_LEAST_ROUND; end /= 2)
    solid_sort(s->index + end / 2, end - end / 2, points, low, s->reach, room);
  for (size_t i = 0; i < count; i++) s->point[i] = points[s->index[i]];
}

static bool solid_grow(grz_solid *s) {
  if (!grz_solid_start(s)) return false;
  for (int32_t p = 4; p < s->count; p++) {
    if (s->where[p] != SOLID_NONE && !grz_solid_join(s, p)) return false;
  }
  return true;
}

/* ---- The result. */

/* Numbers the vertices in the order of the input: s->next[i] becomes the number of input point i. Returns how many. */
static size_t solid_number(const grz_solid *s) {
  size_t count = 0;
  for (int32_t i = 0; i < s->count; i++) s->next[i] = SOLID_NONE;
  for (int32_t e = 0; e < s->edges.used; e++) {
    if (s->edge[e].face != SOLID_NONE) s->next[s->index[s->edge[e].origin]] = 0;
  }
  for (int32_t i = 0; i < s->count; i++) {
    if (s->next[i] != SOLID_NONE) s->next[i] = (int32_t)count++;
  }
  return count;
}

static int32_t solid_vertex(const grz_solid *s, int32_t edge) { return s->next[s->index[s->edge[edge].origin]]; }

static void solid_write_vertices(const grz_solid *s, const graze_vec *points, const grz_hull_arrays *arrays) {
  size_t at = 0;
  for (int32_t i = 0; i < s->count; i++) {
    if (s->next[i] == SOLID_NONE) continue;
    arrays->vertices[at] = points[i];
    arrays->indices[at++] = (size_t)i;
  }
}

/* Every face begins with its least vertex. */
static void solid_write_faces(const grz_solid *s, const grz_hull_arrays *arrays) {
  int32_t at = 0, face = 0;
  for (int32_t f = 0; f < s->faces.used; f++) {
    if (s->face[f].edge == SOLID_NONE) continue;
    arrays->face_start[face++] = at;
    int32_t first = s->face[f].edge;
    for (int32_t e = s->edge[first].next; e != s->face[f].edge; e = s->edge[e].next) {
      if (solid_vertex(s, e) < solid_vertex(s, first)) first = e;
    }
    int32_t e = first;
    do {
      arrays->face_vertices[at++] = solid_vertex(s, e);
      e = s->edge[e].next;
    } while (e != first);
  }
  arrays->face_start[face] = at;
}

static void solid_write_adjacency(const grz_solid *s, const grz_hull_arrays *arrays, size_t count) {
  int32_t *start = arrays->start;
  for (size_t i = 0; i <= count; i++) start[i] = 0;
  for (int32_t e = 0; e < s->edges.used; e++) {
    if (s->edge[e].face != SOLID_NONE) start[solid_vertex(s, e) + 1]++;
  }
  for (size_t i = 0; i < count; i++) start[i + 1] += start[i];
  for (int32_t e = 0; e < s->edges.used; e++) {
    if (s->edge[e].face != SOLID_NONE) arrays->neighbor[start[solid_vertex(s, e)]++] = solid_vertex(s, s->edge[e].next);
  }
  for (size_t i = count; i > 0; i--) start[i] = start[i - 1]; /* each stands where the next one began */
  start[0] = 0;
}

static graze_status solid_write(const grz_solid *s, const graze_vec *points, graze_hull *hull) {
  size_t faces = 0, corners = 0, vertices = solid_number(s);
  for (int32_t f = 0; f < s->faces.used; f++) faces += s->face[f].edge != SOLID_NONE;
  for (int32_t e = 0; e < s->edges.used; e++) corners += s->edge[e].face != SOLID_NONE;
  grz_hull_arrays arrays;
  graze_status status = grz_hull_workspace(hull, &arrays, vertices, faces, corners, corners / 2);
  if (status != GRAZE_OK) return status;
  solid_write_vertices(s, points, &arrays);
  solid_write_faces(s, &arrays);
  solid_write_adjacency(s, &arrays, vertices);
  grz_hull_seed(hull, &arrays);
  return GRAZE_OK;
}

graze_status grz_hull_solid(const graze_vec *points, size_t count, const grz_span *span, graze_hull *hull) {
  grz_solid s = {
      .allocator = hull->allocator, .count = (int32_t)count, .free_edge = SOLID_NONE, .free_face = SOLID_NONE};
  s.point = grz_allocate(&s.allocator, count, sizeof *s.point + 3 * sizeof(int32_t));
  if (!s.point) return GRAZE_OUT_OF_MEMORY;
  s.index = (int32_t *)(void *)(s.point + count), s.where = s.index + count, s.next = s.where + count;
  solid_prepare(&s, points, count, span);
  graze_status status = solid_grow(&s) ? solid_write(&s, points, hull) : s.failure;
  solid_list *const lists[] = {&s.edges, &s.faces, &s.gone, &s.rim, &s.spokes};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) grz_release(&s.allocator, lists[i]->at);
  grz_release(&s.allocator, s.point);
  return status;
}
