/* Features of placed cores; docs/theory/axes.md, "Features", has the errors. */
#include "compare/faces_edges.h"

#include "shape/core.h"

void *grz_workspace_take(grz_workspace *room, size_t count, size_t size) {
  size_t bytes = (count * size + 15) / 16 * 16;
  if (room->full || bytes > room->left) {
    room->full = true;
    return NULL;
  }
  void *taken = room->at;
  room->at += bytes, room->left -= bytes;
  return taken;
}

static graze_vec features_unit(graze_vec v) { return vec_unit(vec_unit_inf(v)); }

bool grz_features_make(grz_features *f, const graze_placed *placed, double unit, int normals, int axes, int edges,
                       grz_workspace *room) {
  size_t count = grz_core_count(&placed->shape);
  *f = (grz_features){.vertex_count = (int)count, .vertex = grz_workspace_take(room, count, sizeof *f->vertex)};
  f->normal = grz_workspace_take(room, (size_t)normals, sizeof *f->normal);
  f->axis = grz_workspace_take(room, (size_t)axes, sizeof *f->axis);
  f->edge = grz_workspace_take(room, (size_t)edges, GRZ_FEATURE_EDGE_BYTES);
  if (room->full) return false;
  for (size_t i = 0; i < count; i++) {
    graze_vec local = vec_scale(grz_core_vertex(&placed->shape, i), unit);
    f->vertex[i] = vec_rotate(placed->hidden.rotation, local, placed->shape.dim);
  }
  return true;
}

int grz_features_normal(grz_features *f, const graze_placed *placed, graze_vec local) {
  f->normal[f->normal_count] = vec_rotate(placed->hidden.rotation, features_unit(local), placed->shape.dim);
  return f->normal_count++;
}

void grz_features_axis(grz_features *f, int normal) { f->axis[f->axis_count++].normal = normal; }

void grz_features_edge(grz_features *f, const graze_placed *placed, int from, int to, graze_vec along,
                       const int normal[2], int id) {
  grz_feature_edge *edge = &f->edge[f->edge_count++];
  graze_vec a = f->vertex[from], b = f->vertex[to];
  edge->along = vec_rotate(placed->hidden.rotation, features_unit(along), 3);
  edge->length = vec_length(vec_sub(b, a));
  edge->vertex[0] = from, edge->vertex[1] = to;
  edge->normal[0] = normal[0], edge->normal[1] = normal[1];
  edge->id = id;
}

static graze_vec features_axis_of(int i) { return vec_make(i == 0, i == 1, i == 2); }

bool grz_features_box(grz_features *f, const graze_placed *placed, double unit, grz_workspace *room) {
  const int dim = placed->shape.dim;
  if (!grz_features_make(f, placed, unit, 6, 3, 12, room)) return false;
  f->box = true;
  for (int i = 0; i < dim; i++) { /* normal 2i: the face on the + side; 2i + 1: the other */
    grz_features_axis(f, grz_features_normal(f, placed, features_axis_of(i)));
    (void)grz_features_normal(f, placed, vec_neg(features_axis_of(i)));
  }
  for (int edge = 0; dim == 3 && edge < 12; edge++) {
    const int i = edge / 4, k = (i + 1) % 3, l = (i + 2) % 3, k_high = edge & 1, l_high = edge >> 1 & 1;
    const int from = k_high << k | l_high << l, normal[2] = {2 * k + !k_high, 2 * l + !l_high};
    grz_features_edge(f, placed, from, from | 1 << i, features_axis_of(i), normal, i);
  }
  return true;
}

static graze_vec features_step(const graze_placed *placed, int from, int to) {
  return vec_sub(grz_core_vertex(&placed->shape, (size_t)to), grz_core_vertex(&placed->shape, (size_t)from));
}

bool grz_features_segment(grz_features *f, const graze_placed *placed, double unit, int from, int to,
                          grz_workspace *room) {
  static const int none[2] = {-1, -1};
  if (!grz_features_make(f, placed, unit, 1, 1, 1, room)) return false;
  graze_vec step = features_step(placed, from, to);
  if (placed->shape.dim == 2)
    grz_features_axis(f, grz_features_normal(f, placed, vec_make(step.y, -step.x, 0)));
  else
    grz_features_edge(f, placed, from, to, step, none, 0);
  return true;
}

/* The normal from the first corner, the one farthest from it, and the one that makes the largest triangle with both. */
static graze_vec features_lamina_normal(grz_features *f, const graze_placed *placed, const int32_t *ring, int count) {
  int far = 1;
  double most = 0;
  for (int i = 1; i < count; i++) {
    double length = vec_norm_inf(features_step(placed, ring[0], ring[i]));
    if (length > most) most = length, far = i;
  }
  graze_vec u = vec_unit_inf(features_step(placed, ring[0], ring[far])), best = {0, 0, 0};
  double best_sine = 0;
  for (int i = 1; i < count; i++) {
    if (i == far) continue;
    graze_vec v = vec_unit_inf(features_step(placed, ring[0], ring[i]));
    graze_vec n = vec_cross(i < far ? v : u, i < far ? u : v);
    double sine = vec_length(n) / (vec_length(u) * vec_length(v));
    if (sine > best_sine) best = n, best_sine = sine;
  }
  f->tilt = best_sine > 64 * GRZ_U ? 8 * GRZ_U / best_sine : 2;
  return best_sine > 0 ? best : vec_make(0, 0, 1);
}

bool grz_features_lamina(grz_features *f, const graze_placed *placed, double unit, const int32_t *ring, int count,
                         grz_workspace *room) {
  if (!grz_features_make(f, placed, unit, 2, 1, count, room)) return false;
  graze_vec local = features_lamina_normal(f, placed, ring, count);
  int up = grz_features_normal(f, placed, local), down = grz_features_normal(f, placed, vec_neg(local));
  const int normal[2] = {up, down};
  grz_features_axis(f, up);
  for (int i = 0; i < count; i++) {
    int to = ring[i + 1 < count ? i + 1 : 0];
    grz_features_edge(f, placed, ring[i], to, features_step(placed, ring[i], to), normal, i);
  }
  return true;
}

bool grz_features_ring(grz_features *f, const graze_placed *placed, double unit, const int32_t *ring, int count,
                       grz_workspace *room) {
  if (!grz_features_make(f, placed, unit, count, count, 0, room)) return false;
  for (int i = 0; i < count; i++) {
    graze_vec step = features_step(placed, ring[i], ring[i + 1 < count ? i + 1 : 0]);
    grz_features_axis(f, grz_features_normal(f, placed, vec_make(step.y, -step.x, 0)));
  }
  return true;
}
