/* Faces by their planes, and cells of faces. */
#include "support/oracle/mesh_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Cells */

static void cell_resize(cell *c, int count) {
  if (count > c->capacity) {
    c->at = orc_resize(c->at, (size_t)count, sizeof *c->at);
    for (int i = c->capacity; i < count; i++) orc_z_init(&c->at[i].at), mpz_init(c->at[i].weight);
    c->capacity = count;
  }
  c->count = count;
}

void orc_cell_clear(cell *c) {
  for (int i = 0; i < c->capacity; i++) orc_z_clear(&c->at[i].at), mpz_clear(c->at[i].weight);
  free(c->at);
}

ratio_point *orc_cell_append(cell *c) {
  cell_resize(c, c->count + 1);
  return &c->at[c->count - 1];
}

static void cell_append_copy(cell *c, const ratio_point *p) {
  ratio_point *last = orc_cell_append(c);
  orc_z_set(&last->at, &p->at);
  mpz_set(last->weight, p->weight);
}

cell *orc_cells_append(cell_list *list) {
  if (list->count == list->capacity) {
    const int capacity = 2 * list->capacity + 4;
    list->at = orc_resize(list->at, (size_t)capacity, sizeof *list->at);
    memset(list->at + list->capacity, 0, (size_t)(capacity - list->capacity) * sizeof *list->at);
    list->capacity = capacity;
  }
  cell *last = &list->at[list->count++];
  last->count = 0;
  return last;
}

void orc_cells_clear(cell_list *list) {
  for (int i = 0; i < list->capacity; i++) orc_cell_clear(&list->at[i]);
  free(list->at);
}

static void reduce(ratio_point *p) {
  LOCAL_MPZ(g);
  mpz_set(g, p->weight);
  for (int k = 0; k < 3; k++) mpz_gcd(g, g, p->at.at[k]);
  mpz_divexact(p->weight, p->weight, g);
  for (int k = 0; k < 3; k++) mpz_divexact(p->at.at[k], p->at.at[k], g);
}

/* out = weight·(normal·p - offset) */
static void plane_value(mpz_t out, const boundary_plane *plane, const ratio_point *p) {
  LOCAL_MPZ(t);
  orc_z_dot(t, &plane->normal, &p->at);
  mpz_submul(t, plane->offset, p->weight);
  mpz_swap(out, t);
}

/* The point of the plane between p and q, whose values are s and t of opposite signs. */
static void append_cut(cell *out, const ratio_point *p, const ratio_point *q, const mpz_t s, const mpz_t t) {
  LOCAL_MPZ(f, g);
  ratio_point *x = orc_cell_append(out);
  mpz_abs(f, t), mpz_abs(g, s);
  for (int k = 0; k < 3; k++) {
    mpz_mul(x->at.at[k], f, p->at.at[k]);
    mpz_addmul(x->at.at[k], g, q->at.at[k]);
  }
  mpz_mul(x->weight, f, p->weight);
  mpz_addmul(x->weight, g, q->weight);
  reduce(x);
}

bool orc_cell_side(cell *out, const cell *c, const boundary_plane *plane, int sign) {
  LOCAL_MPZ(s, t);
  bool strictly = false;
  out->count = 0;
  if (c->count == 0) return false;
  plane_value(s, plane, &c->at[c->count - 1]);
  for (int i = 0; i < c->count; i++) {
    const ratio_point *before = &c->at[(i + c->count - 1) % c->count];
    plane_value(t, plane, &c->at[i]);
    if (mpz_sgn(s) * mpz_sgn(t) < 0) append_cut(out, before, &c->at[i], s, t);
    if (mpz_sgn(t) * sign >= 0) cell_append_copy(out, &c->at[i]);
    strictly |= mpz_sgn(t) * sign > 0;
    mpz_swap(s, t);
  }
  return strictly;
}

void orc_cells_cut(cell_list *list, const boundary_plane *plane) {
  const int count = list->count;
  for (int i = 0; i < count; i++) {
    LOCAL_CELL(above);
    LOCAL_CELL(below);
    if (!orc_cell_side(&above, &list->at[i], plane, 1) || !orc_cell_side(&below, &list->at[i], plane, -1)) continue;
    cell swapped = list->at[i];
    list->at[i] = above, above = swapped;
    cell *last = orc_cells_append(list);
    swapped = *last, *last = below, below = swapped;
  }
}

void orc_cell_middle(ratio_point *out, const cell *c) {
  for (int i = 0; i < c->count; i++) {
    for (int k = 0; k < 3; k++) mpz_add(out->at.at[k], out->at.at[k], c->at[i].at.at[k]);
    mpz_add(out->weight, out->weight, c->at[i].weight);
  }
  reduce(out);
}

/* ---- Faces */

void orc_face_cell(cell *out, const zlist *vertices, const exact_face *f) {
  out->count = 0;
  for (int i = 0; i < f->corners; i++) {
    ratio_point *last = orc_cell_append(out);
    orc_z_set(&last->at, &vertices->at[f->corner[i]]);
    mpz_set_ui(last->weight, 1);
  }
}

static void add_plane(exact_face *f, const zvec *normal, const zvec *through, bool equal) {
  boundary_plane *plane = &f->plane[f->planes++];
  orc_z_init(&plane->normal), mpz_init(plane->offset);
  orc_z_set(&plane->normal, normal);
  orc_z_dot(plane->offset, normal, through);
  plane->equal = equal;
  f->equalities += equal;
}

static void set_axis(zvec *v, int k) {
  for (int i = 0; i < 3; i++) mpz_set_si(v->at[i], i == k);
}

static void add_point_planes(exact_face *f, const zvec *p) {
  LOCAL_ZVEC(n);
  for (int k = 0; k < 3; k++) {
    set_axis(&n, k);
    add_plane(f, &n, p, true);
  }
}

static void add_segment_planes(exact_face *f, const zvec *p, const zvec *q) {
  LOCAL_ZVEC(edge);
  LOCAL_ZVEC(perpendicular);
  LOCAL_ZVEC(n);
  orc_z_sub(&edge, q, p);
  for (int k = 0; k < 3 && orc_z_zero(&perpendicular); k++) {
    set_axis(&n, k);
    orc_z_cross(&perpendicular, &edge, &n);
  }
  orc_z_cross(&n, &edge, &perpendicular);
  add_plane(f, &perpendicular, p, true);
  add_plane(f, &n, p, true);
  add_plane(f, &edge, p, false);
  orc_z_sub(&edge, p, q);
  add_plane(f, &edge, q, false);
}

/* A triangle of zero area becomes its longest edge. */
static void shorten(const zlist *vertices, exact_face *f) {
  LOCAL_MPZ(length, longest);
  LOCAL_ZVEC(v);
  int from = f->corner[0], to = f->corner[0];
  for (int i = 0; i < 3; i++) {
    const int u = f->corner[i], w = f->corner[(i + 1) % 3];
    orc_z_sub(&v, &vertices->at[w], &vertices->at[u]);
    orc_z_dot(length, &v, &v);
    if (mpz_cmp(length, longest) > 0) mpz_set(longest, length), from = u, to = w;
  }
  f->corner[0] = from, f->corner[1] = to, f->corners = 2;
}

static void add_triangle_planes(const zlist *vertices, exact_face *f) {
  LOCAL_ZVEC(u);
  LOCAL_ZVEC(v);
  LOCAL_ZVEC(n);
  const zvec *at[3];
  for (int i = 0; i < 3; i++) at[i] = &vertices->at[f->corner[i]];
  orc_z_sub(&u, at[1], at[0]);
  orc_z_sub(&v, at[2], at[0]);
  orc_z_cross(&n, &u, &v);
  if (orc_z_zero(&n)) {
    shorten(vertices, f);
    return;
  }
  add_plane(f, &n, at[0], true);
  for (int i = 0; i < 3; i++) {
    orc_z_sub(&u, at[(i + 1) % 3], at[i]);
    orc_z_cross(&v, &n, &u);
    add_plane(f, &v, at[i], false);
  }
}

void orc_face_make(const zlist *vertices, double (*rounded)[3], exact_face *f) {
  for (int k = 0; k < 3; k++) f->low[k] = INFINITY, f->high[k] = -INFINITY;
  for (int i = 0; i < f->corners; i++)
    for (int k = 0; k < 3; k++) {
      const double x = rounded[f->corner[i]][k], off = fabs(x) * 1e-15 + 1e-300;
      f->low[k] = fmin(f->low[k], x - off);
      f->high[k] = fmax(f->high[k], x + off);
    }
  if (f->corners == 3) add_triangle_planes(vertices, f);
  if (f->corners == 2 && orc_z_equal(&vertices->at[f->corner[0]], &vertices->at[f->corner[1]])) f->corners = 1;
  if (f->corners == 2) add_segment_planes(f, &vertices->at[f->corner[0]], &vertices->at[f->corner[1]]);
  if (f->corners == 1) add_point_planes(f, &vertices->at[f->corner[0]]);
}

bool orc_bounds_meet(const double low[3], const double high[3], const double other_low[3], const double other_high[3]) {
  for (int k = 0; k < 3; k++)
    if (low[k] > other_high[k] || other_low[k] > high[k]) return false;
  return true;
}

bool orc_cell_meets(const cell *c, const exact_face *f) {
  LOCAL_CELL(now);
  LOCAL_CELL(next);
  for (int i = 0; i < c->count; i++) cell_append_copy(&now, &c->at[i]);
  for (int i = 0; i < f->planes && now.count > 0; i++)
    for (int sign = f->plane[i].equal ? -1 : 1; sign <= 1; sign += 2) {
      orc_cell_side(&next, &now, &f->plane[i], sign);
      const cell swapped = now;
      now = next, next = swapped;
    }
  return now.count > 0;
}

bool orc_faces_meet(const zlist *vertices, const exact_face *f, const exact_face *g) {
  LOCAL_CELL(c);
  if (!orc_bounds_meet(f->low, f->high, g->low, g->high)) return false;
  orc_face_cell(&c, vertices, f);
  return orc_cell_meets(&c, g);
}

void orc_face_clear(exact_face *f) {
  for (int i = 0; i < f->planes; i++) orc_z_clear(&f->plane[i].normal), mpz_clear(f->plane[i].offset);
}
