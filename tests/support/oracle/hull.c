/* The features of a body's convex hull, exactly, and proved: an incremental hull proposes, the checks below decide.
 *
 * Why the features are all there: each face found is a proper triangle in a plane that no vertex lies beyond, so it
 * lies in the boundary of the hull; and each directed edge is met once by its reverse, so that the faces cover every
 * part of the boundary equally often, which is at least once. Coplanar neighbours stay apart: more edges than the hull
 * has, never fewer. */
#include "support/oracle/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The vertices, and their doubles about the first one, scaled to at most 1: each off by at most 2^-53. */
typedef struct cloud {
  const zlist *at;
  double (*f)[3];
  zvec p, q, r, n; /* scratch */
  mpz_t x;
} cloud;

static void cloud_init(cloud *c, const zlist *body) {
  zlist from_first = {0};
  c->at = body;
  c->f = orc_room_for(NULL, (size_t)body->count, sizeof *c->f);
  orc_z_init(&c->p), orc_z_init(&c->q), orc_z_init(&c->r), orc_z_init(&c->n);
  mpz_init(c->x);
  orc_list_resize(&from_first, body->count);
  for (int i = 0; i < body->count; i++) orc_z_sub(&from_first.at[i], &body->at[i], &body->at[0]);
  orc_round_list(c->f, &from_first, orc_largest_exponent(&from_first, 0));
  orc_list_clear(&from_first);
}

static void cloud_clear(cloud *c) {
  free(c->f);
  orc_z_clear(&c->p), orc_z_clear(&c->q), orc_z_clear(&c->r), orc_z_clear(&c->n);
  mpz_clear(c->x);
}

/* c->n = (q - p) × (r - p), exactly. */
static void plane_normal(cloud *c, int p, int q, int r) {
  orc_z_sub(&c->p, &c->at->at[q], &c->at->at[p]);
  orc_z_sub(&c->q, &c->at->at[r], &c->at->at[p]);
  orc_z_cross(&c->n, &c->p, &c->q);
}

/* On which side of the plane through p, q, r is s? Differences of doubles are off by 2^-51, products of three of them
 * (each at most 2) by 2^-46, the six together by 2^-43. */
static int side(cloud *c, int p, int q, int r, int s) {
  double u[3], v[3], w[3], n[3];
  for (int k = 0; k < 3; k++) {
    u[k] = c->f[q][k] - c->f[p][k];
    v[k] = c->f[r][k] - c->f[p][k];
    w[k] = c->f[s][k] - c->f[p][k];
  }
  orc_f_cross(n, u, v);
  double rough = orc_f_dot(n, w);
  if (fabs(rough) > 0x1p-42) return rough > 0 ? 1 : -1;
  plane_normal(c, p, q, r);
  orc_z_sub(&c->r, &c->at->at[s], &c->at->at[p]);
  orc_z_dot(c->x, &c->n, &c->r);
  return mpz_sgn(c->x);
}

/* The first vertices that span a point, line, plane, space, one after the other: how many. */
static int spanning(cloud *c, int pick[4]) {
  int n = 1;
  pick[0] = 0;
  for (int i = 1; i < c->at->count && n < 4; i++) {
    if (n == 3 && side(c, pick[0], pick[1], pick[2], i) == 0) continue;
    if (n == 2) {
      plane_normal(c, pick[0], pick[1], i);
      if (orc_z_zero(&c->n)) continue;
    }
    if (n == 1 && orc_z_equal(&c->at->at[0], &c->at->at[i])) continue;
    pick[n++] = i;
  }
  return n;
}

/* ---- bodies with an inside: triangles */

typedef struct mesh {
  int (*face)[3], count;
  int *opposite; /* of the directed edge u, v: the third vertex of its face plus 1, or 0 where there is none */
  int n;
} mesh;

static int *opposite(const mesh *m, int u, int v) { return &m->opposite[u * m->n + v]; }

static void set_opposites(const mesh *m, int (*face)[3], int count, bool there) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) *opposite(m, face[i][k], face[i][(k + 1) % 3]) = there ? face[i][(k + 2) % 3] + 1 : 0;
}

static void add_face(mesh *m, int p, int q, int r) {
  int *v = m->face[m->count++];
  v[0] = p, v[1] = q, v[2] = r;
}

/* Replaces the faces that p sees by those from their outline to p. */
static void add_vertex(cloud *c, mesh *m, int p, int (*seen)[3]) {
  int kept = 0, gone = 0;
  for (int i = 0; i < m->count; i++) {
    int *v = m->face[i];
    memmove(side(c, v[0], v[1], v[2], p) > 0 ? seen[gone++] : m->face[kept++], v, sizeof *m->face);
  }
  m->count = kept;
  set_opposites(m, seen, gone, true);
  for (int i = 0; i < gone; i++)
    for (int k = 0; k < 3; k++) {
      int u = seen[i][k], v = seen[i][(k + 1) % 3];
      if (!*opposite(m, v, u)) add_face(m, u, v, p);
    }
  set_opposites(m, seen, gone, false);
}

static void build_mesh(cloud *c, mesh *m, int pick[4]) {
  size_t room = 4 * (size_t)c->at->count + 8;
  int(*seen)[3] = orc_room_for(NULL, room, sizeof *seen);
  if (side(c, pick[0], pick[1], pick[2], pick[3]) > 0) {
    int t = pick[0];
    pick[0] = pick[1], pick[1] = t;
  }
  m->n = c->at->count;
  m->count = 0;
  m->face = orc_room_for(NULL, room, sizeof *m->face);
  m->opposite = orc_room_for(NULL, (size_t)m->n * (size_t)m->n, sizeof *m->opposite);
  memset(m->opposite, 0, (size_t)m->n * (size_t)m->n * sizeof *m->opposite);
  add_face(m, pick[0], pick[1], pick[2]);
  for (int k = 0; k < 3; k++) add_face(m, pick[(k + 1) % 3], pick[k], pick[3]);
  for (int p = 0; p < m->n; p++) add_vertex(c, m, p, seen);
  free(seen);
}

/* See the top of the file; Euler's formula besides. Leaves m->opposite filled. */
static void prove_mesh(cloud *c, mesh *m) {
  int edges = 0, used = 0;
  for (int i = 0; i < m->count; i++) {
    const int *v = m->face[i];
    plane_normal(c, v[0], v[1], v[2]);
    orc_require(!orc_z_zero(&c->n), "a face of the hull is no triangle");
    for (int p = 0; p < m->n; p++)
      orc_require(side(c, v[0], v[1], v[2], p) <= 0, "a vertex lies beyond a face of the hull");
    for (int k = 0; k < 3; k++)
      orc_require(*opposite(m, v[k], v[(k + 1) % 3]) == 0, "an edge of the hull is met twice");
    set_opposites(m, &m->face[i], 1, true);
  }
  for (int u = 0; u < m->n; u++) {
    bool any = false;
    for (int v = 0; v < m->n; v++) {
      if (!*opposite(m, u, v)) continue;
      orc_require(*opposite(m, v, u) != 0, "an edge of the hull is not met");
      any = true;
      edges++;
    }
    used += any;
  }
  orc_require(m->count > 0 && used - edges / 2 + m->count == 2, "the hull is no sphere");
}

static zvec *append(zlist *list) {
  orc_list_resize(list, list->count + 1);
  return &list->at[list->count - 1];
}

/* Edge u-v with its wings towards `w` and `x` (-1: none). */
static void add_edge(features *out, const zlist *body, int u, int v, int w, int x) {
  orc_z_sub(append(&out->edge), &body->at[v], &body->at[u]);
  for (int i = 0; i < 2; i++) {
    int to = i ? x : w;
    orc_z_sub(append(&out->wing), &body->at[to < 0 ? u : to], &body->at[u]);
  }
}

static void solid_features(features *out, cloud *c, int pick[4]) {
  mesh m;
  build_mesh(c, &m, pick);
  prove_mesh(c, &m);
  for (int i = 0; i < m.count; i++) {
    plane_normal(c, m.face[i][0], m.face[i][1], m.face[i][2]);
    orc_z_set(append(&out->normal), &c->n);
  }
  for (int u = 0; u < m.n; u++)
    for (int v = u + 1; v < m.n; v++)
      if (*opposite(&m, u, v)) add_edge(out, c->at, u, v, *opposite(&m, u, v) - 1, *opposite(&m, v, u) - 1);
  free(m.face);
  free(m.opposite);
}

/* ---- bodies in a plane: polygons, by their shadow along axis k, counter-clockwise about it */

typedef struct shadow {
  const zlist *at;
  int i, j;
  mpz_t x, y, z;
} shadow;

/* On which side of p -> q is r? */
static int turn(shadow *s, const zvec *p, const zvec *q, const zvec *r) {
  mpz_sub(s->x, q->at[s->i], p->at[s->i]);
  mpz_sub(s->y, r->at[s->j], p->at[s->j]);
  mpz_mul(s->z, s->x, s->y);
  mpz_sub(s->x, q->at[s->j], p->at[s->j]);
  mpz_sub(s->y, r->at[s->i], p->at[s->i]);
  mpz_submul(s->z, s->x, s->y);
  return mpz_sgn(s->z);
}

/* Collinear points: does r lie beyond q, seen from p? */
static bool beyond(shadow *s, const zvec *p, const zvec *q, const zvec *r) {
  mpz_sub(s->x, q->at[s->i], p->at[s->i]);
  mpz_sub(s->y, r->at[s->i], q->at[s->i]);
  mpz_mul(s->z, s->x, s->y);
  mpz_sub(s->x, q->at[s->j], p->at[s->j]);
  mpz_sub(s->y, r->at[s->j], q->at[s->j]);
  mpz_addmul(s->z, s->x, s->y);
  return mpz_sgn(s->z) > 0;
}

/* The next corner after `from`, which is one (Jarvis 1973). */
static int next_corner(shadow *s, int from) {
  const zvec *p = &s->at->at[from];
  int best = -1;
  for (int i = 0; i < s->at->count; i++) {
    const zvec *r = &s->at->at[i];
    if (orc_z_equal(r, p)) continue;
    int t = best < 0 ? -1 : turn(s, p, &s->at->at[best], r);
    if (t < 0 || (t == 0 && beyond(s, p, &s->at->at[best], r))) best = i;
  }
  return best;
}

static int first_corner(const shadow *s) {
  int first = 0;
  for (int i = 1; i < s->at->count; i++) {
    const zvec *p = &s->at->at[i], *q = &s->at->at[first];
    int by = mpz_cmp(p->at[s->i], q->at[s->i]);
    if (by < 0 || (by == 0 && mpz_cmp(p->at[s->j], q->at[s->j]) < 0)) first = i;
  }
  return first;
}

static int corners_of(shadow *s, int *corner) {
  int n = 0;
  corner[n++] = first_corner(s);
  for (;;) {
    int next = next_corner(s, corner[n - 1]);
    if (orc_z_equal(&s->at->at[next], &s->at->at[corner[0]])) return n;
    orc_require(n < s->at->count, "the outline does not close");
    corner[n++] = next;
  }
}

/* Closed by construction; every point on the left of every edge: all of the boundary is there. */
static void prove_corners(shadow *s, const int *corner, int n) {
  orc_require(n >= 3, "the outline has no inside");
  for (int e = 0; e < n; e++)
    for (int i = 0; i < s->at->count; i++)
      orc_require(turn(s, &s->at->at[corner[e]], &s->at->at[corner[(e + 1) % n]], &s->at->at[i]) >= 0,
                  "a vertex lies beyond an edge of the outline");
}

/* 2D: the left perpendicular of an edge, which is what faces are there. */
static void add_perpendicular(features *out, const zvec *p, const zvec *q) {
  zvec *n = append(&out->normal);
  mpz_sub(n->at[0], p->at[1], q->at[1]);
  mpz_sub(n->at[1], q->at[0], p->at[0]);
  mpz_set_ui(n->at[2], 0);
}

static void plane_features(features *out, const zlist *body, int axis, int dim) {
  shadow s = {.at = body, .i = (axis + 1) % 3, .j = (axis + 2) % 3};
  int *corner = orc_room_for(NULL, (size_t)body->count, sizeof *corner);
  mpz_inits(s.x, s.y, s.z, NULL);
  int n = corners_of(&s, corner);
  prove_corners(&s, corner, n);
  for (int e = 0; e < n; e++) {
    int u = corner[e], v = corner[(e + 1) % n];
    if (dim == 2)
      add_perpendicular(out, &body->at[u], &body->at[v]);
    else
      add_edge(out, body, u, v, corner[(e + 2) % n], -1);
  }
  mpz_clears(s.x, s.y, s.z, NULL);
  free(corner);
}

void orc_features(features *out, const zlist *body, int dim) {
  cloud c;
  int pick[4];
  out->normal.count = out->edge.count = out->wing.count = 0;
  cloud_init(&c, body);
  int span = spanning(&c, pick);
  if (span == 4) solid_features(out, &c, pick);
  if (span == 3) {
    plane_normal(&c, pick[0], pick[1], pick[2]);
    int axis = mpz_sgn(c.n.at[2]) ? 2 : mpz_sgn(c.n.at[1]) ? 1 : 0;
    if (dim == 3) orc_z_set(append(&out->normal), &c.n);
    plane_features(out, body, axis, dim);
  }
  if (span == 2 && dim == 3) add_edge(out, body, pick[0], pick[1], -1, -1);
  if (span == 2 && dim == 2) add_perpendicular(out, &body->at[pick[0]], &body->at[pick[1]]);
  cloud_clear(&c);
}

void orc_features_clear(features *f) {
  orc_list_clear(&f->normal);
  orc_list_clear(&f->edge);
  orc_list_clear(&f->wing);
}
