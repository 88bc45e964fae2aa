/* Edges of rings, and how two of them meet: signs of turns, exactly. */
#include "geometry/edges.h"

#include "exact/predicates.h"
#include "core/vec.h"

int32_t grz_edges_of(const graze_ring *rings, size_t ring_count, grz_edge *edges) {
  int32_t count = 0;
  for (size_t ring = 0; ring < ring_count; ring++) {
    const graze_vec *v = rings[ring].vertices;
    int32_t first = count;
    for (size_t i = 0; i < rings[ring].count; i++) {
      graze_vec to = v[i + 1 < rings[ring].count ? i + 1 : 0];
      if (vec_equal(v[i], to)) continue;
      grz_edge edge = {v[i], to, ring, i, count + 1};
      edges[count++] = edge;
    }
    if (count > first) edges[count - 1].next = first;
  }
  return count;
}

/* Do a and b lie on the same side of v? The three lie on one line. */
static bool edges_same_side(graze_vec a, graze_vec b, graze_vec v) {
  bool a_before = a.x < v.x || (a.x == v.x && a.y < v.y), b_before = b.x < v.x || (b.x == v.x && b.y < v.y);
  return a_before == b_before;
}

/* Does f, which begins where e ends, go straight back? If it does not, they share that vertex only. */
static bool edges_fold(const grz_edge *e, const grz_edge *f) {
  return grz_orient2(e->from, e->to, f->to) == 0 && edges_same_side(e->from, f->to, e->to);
}

grz_meeting grz_edges_meeting(const grz_edge *edges, int32_t i, int32_t j) {
  const grz_edge *e = &edges[i], *f = &edges[j];
  bool e_first = e->next == j, f_first = f->next == i;
  if (e_first || f_first)
    return (e_first && edges_fold(e, f)) || (f_first && edges_fold(f, e)) ? GRZ_TOUCH : GRZ_DISJOINT;
  int f_begin = grz_orient2(e->from, e->to, f->from), f_end = grz_orient2(e->from, e->to, f->to);
  if (f_begin * f_end > 0) return GRZ_DISJOINT;
  int e_begin = grz_orient2(f->from, f->to, e->from), e_end = grz_orient2(f->from, f->to, e->to);
  if (e_begin * e_end > 0) return GRZ_DISJOINT;
  return f_begin * f_end * e_begin * e_end != 0 ? GRZ_CROSS : GRZ_TOUCH;
}
