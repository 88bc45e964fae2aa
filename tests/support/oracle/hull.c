/* The faces and edges of a body's convex hull, exactly: of all planes through three vertices those that no vertex lies
 * beyond, and of all lines through two vertices of such a face those that none of its vertices lies beyond. Every one
 * is tried, so none is missing. A side with vertices on it counts as several edges. */
#include "support/oracle/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The vertices as seen from the first one, each once; and their doubles, scaled to at most 1: each off by at most
 * 2^-53. */
typedef struct cloud {
  zlist at;
  double (*f)[3];
  int *edge; /* of the vertices u, v: the number of the edge plus 1, or 0 */
  int *on;   /* the vertices of a face */
  int on_count;
} cloud;

static void cloud_init(cloud *c, const zlist *body) {
  memset(c, 0, sizeof *c);
  for (int i = 0; i < body->count; i++) {
    const zvec *p = orc_append(&c->at);
    orc_z_sub(&c->at.at[c->at.count - 1], &body->at[i], &body->at[0]);
    for (int k = 0, n = c->at.count - 1; k < n; k++)
      if (orc_z_equal(&c->at.at[k], p)) c->at.count = n;
  }
  const size_t n = (size_t)c->at.count;
  c->f = orc_resize(NULL, n, sizeof *c->f);
  c->on = orc_resize(NULL, n, sizeof *c->on);
  c->edge = orc_resize(NULL, n * n, sizeof *c->edge);
  memset(c->edge, 0, n * n * sizeof *c->edge);
  orc_round_list(c->f, &c->at);
}

static void cloud_clear(cloud *c) {
  orc_list_clear(&c->at);
  free(c->f);
  free(c->on);
  free(c->edge);
}

/* n = (q - p) × (r - p), exactly. */
static void plane_normal(zvec *n, const cloud *c, int p, int q, int r) {
  LOCAL_ZVEC(u);
  LOCAL_ZVEC(v);
  orc_z_sub(&u, &c->at.at[q], &c->at.at[p]);
  orc_z_sub(&v, &c->at.at[r], &c->at.at[p]);
  orc_z_cross(n, &u, &v);
}

static bool collinear(const cloud *c, int p, int q, int r) {
  LOCAL_ZVEC(n);
  plane_normal(&n, c, p, q, r);
  return orc_z_zero(&n);
}

/* n = (q - p) × (r - p), rounded: differences are at most 2 and off by 2^-51, products of two of them by 2^-48. */
static void rough_normal(double n[3], const cloud *c, int p, int q, int r) {
  double u[3], v[3];
  for (int k = 0; k < 3; k++) {
    u[k] = c->f[q][k] - c->f[p][k];
    v[k] = c->f[r][k] - c->f[p][k];
  }
  orc_f_cross(n, u, v);
}

/* The side of the plane through p on which s lies; the normal has an error of 2^-47. 0: too near for doubles. */
static int rough_side(const cloud *c, const double normal[3], int p, int s) {
  const double from[3] = {c->f[s][0] - c->f[p][0], c->f[s][1] - c->f[p][1], c->f[s][2] - c->f[p][2]};
  const double height = orc_f_dot(normal, from);
  return (height > 0x1p-42) - (height < -0x1p-42);
}

/* On which side of the plane through p with this normal is s? */
static int side(const cloud *c, const zvec *normal, int p, int s) {
  LOCAL_ZVEC(v);
  LOCAL_MPZ(x);
  orc_z_sub(&v, &c->at.at[s], &c->at.at[p]);
  orc_z_dot(x, normal, &v);
  return mpz_sgn(x);
}

/* On which side of the line from u to v, in the plane with this normal (rounded: rough), is w? */
static int turn(const cloud *c, const zvec *normal, const double rough[3], int u, int v, int w) {
  double across[3];
  rough_normal(across, c, u, v, w);
  const double value = orc_f_dot(across, rough);
  if (fabs(value) > 0x1p-38) return value > 0 ? 1 : -1;
  LOCAL_ZVEC(n);
  LOCAL_MPZ(x);
  plane_normal(&n, c, u, v, w);
  orc_z_dot(x, &n, normal);
  return mpz_sgn(x);
}

/* Do p < q < r span a face, and are they the first vertices of it that are not on one line? Lists its vertices. */
static bool is_face(cloud *c, zvec *normal, double rough[3], int p, int q, int r) {
  int beyond = 0;
  rough_normal(rough, c, p, q, r);
  for (int s = 0; s < c->at.count; s++) {
    const int at = rough_side(c, rough, p, s);
    if (at * beyond < 0) return false;
    if (at != 0) beyond = at;
  }
  plane_normal(normal, c, p, q, r);
  c->on_count = 0;
  for (int s = 0; s < c->at.count; s++) {
    if (rough_side(c, rough, p, s) != 0) continue;
    const int at = s == p || s == q || s == r ? 0 : side(c, normal, p, s);
    if (at * beyond < 0) return false;
    if (at != 0)
      beyond = at;
    else if (s < q ? s != p : s > q && s < r && !collinear(c, p, q, s))
      return false;
    else
      c->on[c->on_count++] = s;
  }
  return !orc_z_zero(normal);
}

/* The edge u-v, or the other wing of one that is known, towards w (u: none). */
static void add_edge(features *out, cloud *c, int u, int v, int w) {
  int *known = &c->edge[u * c->at.count + v];
  if (*known == 0) {
    orc_z_sub(orc_append(&out->edge), &c->at.at[v], &c->at.at[u]);
    orc_z_sub(orc_append(&out->wing), &c->at.at[w], &c->at.at[u]);
    orc_z_sub(orc_append(&out->wing), &c->at.at[u], &c->at.at[u]);
    *known = out->edge.count;
  } else {
    orc_z_sub(&out->wing.at[2 * *known - 1], &c->at.at[w], &c->at.at[u]);
  }
}

/* The edges of the face. */
static void add_edges(features *out, cloud *c, const zvec *normal, const double rough[3]) {
  for (int i = 0; i < c->on_count; i++)
    for (int j = i + 1; j < c->on_count; j++) {
      int wing = -1, beyond = 0;
      bool supports = true;
      for (int k = 0; k < c->on_count && supports; k++) {
        const int at = k == i || k == j ? 0 : turn(c, normal, rough, c->on[i], c->on[j], c->on[k]);
        supports = at * beyond >= 0;
        if (at != 0) beyond = at, wing = c->on[k];
      }
      if (supports) add_edge(out, c, c->on[i], c->on[j], wing);
    }
}

static void add_perpendicular(features *out, const zvec *edge) {
  zvec *n = orc_append(&out->normal);
  mpz_neg(n->at[0], edge->at[1]);
  mpz_set(n->at[1], edge->at[0]);
  mpz_set_ui(n->at[2], 0);
}

void orc_features(features *out, const zlist *body, int dim) {
  cloud c;
  LOCAL_ZVEC(n);
  cloud_init(&c, body);
  const int count = c.at.count;
  out->normal.count = out->edge.count = out->wing.count = 0;
  for (int p = 0; p < count; p++)
    for (int q = p + 1; q < count; q++)
      for (int r = q + 1; r < count; r++) {
        double rough[3];
        if (!is_face(&c, &n, rough, p, q, r)) continue;
        orc_z_set(orc_append(&out->normal), &n);
        add_edges(out, &c, &n, rough);
      }
  if (count > 1 && out->edge.count == 0) add_edge(out, &c, 0, 1, 0); /* all on one line */
  if (dim == 2) {
    out->normal.count = 0;
    for (int i = 0; i < out->edge.count; i++) add_perpendicular(out, &out->edge.at[i]);
  }
  cloud_clear(&c);
}
