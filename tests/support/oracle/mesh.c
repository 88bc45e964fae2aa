/* Two bodies in one unit, cells of their faces, and the number of faces that a ray crosses. */
#include "support/oracle/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/oracle/mesh_cells.h"
#include "support/random.h"
#include "support/rational.h"

typedef struct exact_body {
  const mesh_body *given;
  exact_face *face;
  int count;
  double low[3], high[3];
} exact_body;

/* Both bodies in one unit; the first vertex of the first is the origin. */
typedef struct exact_pair {
  zlist vertices;
  double (*rounded)[3]; /* the vertices, divided by 2^exponent: at most 1 */
  long exponent;
  exact_body body[2];
  bool flat; /* in 2D */
} exact_pair;

/* ---- Both bodies */

/* position += time·velocity */
static void add_path(mpq_t position[3], const mesh_body *body) {
  const double velocity[3] = {body->velocity.x, body->velocity.y, body->velocity.z};
  mpq_t t, v;
  mpq_inits(t, v, NULL);
  mpq_set_d(t, body->time);
  for (int k = 0; k < 3; k++) {
    mpq_set_d(v, velocity[k]);
    mpq_mul(v, v, t);
    mpq_add(position[k], position[k], v);
  }
  mpq_clears(t, v, NULL);
}

/* Appends the world vertices of both bodies, times the common denominator. */
static void place_vertices(exact_pair *p, const mesh_body *const body[2]) {
  const int count = body[0]->vertex_count + body[1]->vertex_count;
  mpq_t *world = orc_resize(NULL, 3 * (size_t)count, sizeof *world), t;
  LOCAL_MPZ(common);
  mpq_init(t);
  mpz_set_ui(common, 1);
  for (int i = 0; i < 3 * count; i++) mpq_init(world[i]);
  for (int b = 0, at = 0; b < 2; b++) {
    const graze_placed placed = {.pose = body[b]->pose};
    rational_map map;
    rational_map_init(&map);
    rational_map_set(&map, &placed);
    add_path(map.p, body[b]);
    for (int i = 0; i < body[b]->vertex_count; i++, at++) {
      const graze_vec v = body[b]->vertices[i];
      const double local[3] = {v.x, v.y, v.z};
      for (int k = 0; k < 3; k++) {
        mpq_t *x = &world[3 * at + k];
        mpq_set(*x, map.p[k]);
        for (int j = 0; j < 3; j++) {
          mpq_set_d(t, local[j]);
          mpq_mul(t, t, map.m[3 * k + j]);
          mpq_add(*x, *x, t);
        }
        if (at > 0) mpq_sub(*x, *x, world[k]);
        mpz_lcm(common, common, mpq_denref(*x));
      }
    }
    rational_map_clear(&map);
  }
  for (int k = 0; k < 3; k++) mpq_set_ui(world[k], 0, 1);
  for (int i = 0; i < count; i++) {
    zvec *v = orc_append(&p->vertices);
    for (int k = 0; k < 3; k++) {
      mpz_divexact(v->at[k], common, mpq_denref(world[3 * i + k]));
      mpz_mul(v->at[k], v->at[k], mpq_numref(world[3 * i + k]));
    }
  }
  for (int i = 0; i < 3 * count; i++) mpq_clear(world[i]);
  mpq_clear(t);
  free(world);
}

/* In 2D: copies of the vertices, as far above the plane as the largest coordinate, or 1. */
static void lift_vertices(exact_pair *p) {
  LOCAL_MPZ(height);
  const int count = p->vertices.count;
  mpz_set_ui(height, 1);
  for (int i = 0; i < 2 * count; i++) {
    mpz_srcptr x = p->vertices.at[i / 2].at[i % 2];
    if (mpz_cmpabs(x, height) > 0) mpz_abs(height, x);
  }
  orc_list_resize(&p->vertices, 2 * count);
  for (int i = 0; i < count; i++) {
    orc_z_set(&p->vertices.at[count + i], &p->vertices.at[i]);
    mpz_set(p->vertices.at[count + i].at[2], height);
  }
}

static void round_vertices(exact_pair *p) {
  for (int i = 0; i < 3 * p->vertices.count; i++) {
    mpz_srcptr x = p->vertices.at[i / 3].at[i % 3];
    const long bits = mpz_sgn(x) == 0 ? 0 : (long)mpz_sizeinbase(x, 2);
    if (bits > p->exponent) p->exponent = bits;
  }
  p->rounded = orc_resize(NULL, (size_t)p->vertices.count, sizeof *p->rounded);
  for (int i = 0; i < 3 * p->vertices.count; i++) {
    signed long e;
    const double m = mpz_get_d_2exp(&e, p->vertices.at[i / 3].at[i % 3]);
    p->rounded[i / 3][i % 3] = ldexp(m, (int)(e - p->exponent));
  }
}

/* Sets the corners of the faces that replace face i of the body: one face; in 2D a segment, or two triangles. */
static int set_corners(const exact_pair *p, const mesh_body *body, int i, int first, exact_face out[2]) {
  const int lift = p->vertices.count / 2, corners = body->corners;
  const int32_t *face = body->faces + corners * i;
  int u[3] = {0, 0, 0};
  for (int k = 0; k < corners; k++) u[k] = first + face[k];
  if (!p->flat) {
    out[0] = (exact_face){.corner = {u[0], u[1], u[2]}, .corners = corners};
    return 1;
  }
  if (corners == 1) {
    out[0] = (exact_face){.corner = {u[0], u[0] + lift, 0}, .corners = 2};
    return 1;
  }
  out[0] = (exact_face){.corner = {u[0], u[1], u[1] + lift}, .corners = 3};
  out[1] = (exact_face){.corner = {u[0], u[1] + lift, u[0] + lift}, .corners = 3};
  return 2;
}

static void pair_make(exact_pair *p, const mesh_body *a, const mesh_body *b) {
  const mesh_body *const given[2] = {a, b};
  memset(p, 0, sizeof *p);
  p->flat = a->dim == 2;
  place_vertices(p, given);
  if (p->flat) lift_vertices(p);
  round_vertices(p);
  for (int k = 0; k < 2; k++) {
    exact_body *body = &p->body[k];
    body->given = given[k];
    body->face = orc_resize(NULL, 2 * (size_t)given[k]->face_count, sizeof *body->face);
    for (int i = 0; i < given[k]->face_count; i++)
      body->count += set_corners(p, given[k], i, k * a->vertex_count, body->face + body->count);
    for (int j = 0; j < 3; j++) body->low[j] = INFINITY, body->high[j] = -INFINITY;
    for (int i = 0; i < body->count; i++) {
      orc_face_make(&p->vertices, p->rounded, &body->face[i]);
      for (int j = 0; j < 3; j++) {
        body->low[j] = fmin(body->low[j], body->face[i].low[j]);
        body->high[j] = fmax(body->high[j], body->face[i].high[j]);
      }
    }
  }
}

static void pair_clear(exact_pair *p) {
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < p->body[k].count; i++) orc_face_clear(&p->body[k].face[i]);
    free(p->body[k].face);
  }
  orc_list_clear(&p->vertices);
  free(p->rounded);
}

/* ---- Points inside */

/* Whether the ray crosses the triangle: 1 beyond its origin, 0 at its origin, -1 not. -2: it meets an edge. `near`: the
 * vertices as seen from the origin. */
static int ray_crosses(const zvec *direction, const zvec near[3]) {
  LOCAL_MPZ(det, sum);
  int positive = 0, negative = 0;
  for (int i = 0; i < 3; i++) {
    orc_z_det(det, direction, &near[i], &near[(i + 1) % 3]);
    positive += mpz_sgn(det) > 0, negative += mpz_sgn(det) < 0;
  }
  if (positive > 0 && negative > 0) return -1;
  if (positive + negative < 3) return -2;
  orc_z_det(det, &near[0], &near[1], &near[2]);
  const int sign = mpz_sgn(det) * (positive ? 1 : -1);
  return sign > 0 ? 1 : sign == 0 ? 0 : -1;
}

/* The ray leads along x, with a slope below 2^-12; coordinates are at most 1. */
static bool ray_may_cross(const double from[3], const exact_face *f) {
  const double off = 0x1p-10;
  if (f->corners < 3 || f->high[0] < from[0] - off) return false;
  for (int k = 1; k < 3; k++)
    if (f->high[k] < from[k] - off || f->low[k] > from[k] + off) return false;
  return true;
}

static void round_point(double out[3], const exact_pair *p, const ratio_point *from) {
  signed long e, f;
  const double weight = mpz_get_d_2exp(&f, from->weight);
  for (int k = 0; k < 3; k++) {
    const double m = mpz_get_d_2exp(&e, from->at.at[k]);
    out[k] = ldexp(m / weight, (int)(e - f - p->exponent));
  }
}

/* The numbers of faces that a ray crosses: beyond its origin, and at it. */
typedef struct crossed_faces {
  int beyond, at;
} crossed_faces;

/* Returns false if the ray meets an edge. */
static bool count_crossed(const exact_pair *p, const exact_body *body, const ratio_point *from, const zvec *direction,
                          crossed_faces *out) {
  double rounded[3];
  LOCAL_ZLIST(near);
  orc_list_resize(&near, 3);
  round_point(rounded, p, from);
  *out = (crossed_faces){0, 0};
  for (int i = 0; i < body->count; i++) {
    const exact_face *f = &body->face[i];
    if (!ray_may_cross(rounded, f)) continue;
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++) {
        mpz_mul(near.at[k].at[j], p->vertices.at[f->corner[k]].at[j], from->weight);
        mpz_sub(near.at[k].at[j], near.at[k].at[j], from->at.at[j]);
      }
    const int crosses = ray_crosses(direction, near.at);
    if (crosses == -2) return false;
    out->beyond += crosses == 1, out->at += crosses == 0;
  }
  return true;
}

/* Counts the faces of each solid body that one ray crosses; the ray meets no edge of these. */
static void count_both(const exact_pair *p, const ratio_point *from, crossed_faces out[2]) {
  LOCAL_ZVEC(direction);
  rng random = 1;
  bool good = false;
  for (int i = 0; i < 256 && !good; i++) {
    mpz_set_si(direction.at[0], 1 << 22);
    mpz_set_si(direction.at[1], rng_between(&random, -999, 999));
    mpz_set_si(direction.at[2], p->flat ? 0 : rng_between(&random, -999, 999));
    good = true;
    for (int k = 0; k < 2 && good; k++)
      good = !p->body[k].given->solid || count_crossed(p, &p->body[k], from, &direction, &out[k]);
  }
  orc_require(good, "each ray from a point meets an edge");
}

static bool on_a_face(const exact_body *body, const cell *c) {
  for (int i = 0; i < body->count; i++)
    if (orc_cell_meets(c, &body->face[i])) return true;
  return false;
}

/* Whether a side of the cell, which is on a face of `own`, is inside both bodies. */
static bool inside_both(const exact_pair *p, int own, const cell *c) {
  LOCAL_CELL(middle);
  crossed_faces n[2];
  orc_cell_middle(orc_cell_append(&middle), c);
  const bool flat = !p->body[own].given->solid;
  if (flat && on_a_face(&p->body[1 - own], &middle)) return false;
  count_both(p, &middle.at[0], n);
  if (flat) return n[1 - own].beyond % 2 == 1;
  return (n[0].beyond % 2 == 1 && n[1].beyond % 2 == 1) ||
         ((n[0].beyond + n[0].at) % 2 == 1 && (n[1].beyond + n[1].at) % 2 == 1);
}

/* Cuts the cells of f along g. */
static void cut_by_face(cell_list *cells, const exact_pair *p, const exact_face *f, const exact_face *g) {
  LOCAL_CELL(whole);
  LOCAL_CELL(side);
  if (f == g || g->corners < 3 || !orc_faces_meet(&p->vertices, f, g)) return;
  orc_face_cell(&whole, &p->vertices, f);
  if (orc_cell_side(&side, &whole, &g->plane[0], 1) || orc_cell_side(&side, &whole, &g->plane[0], -1))
    orc_cells_cut(cells, &g->plane[0]);
  else
    for (int i = 1; i < g->planes; i++) orc_cells_cut(cells, &g->plane[i]);
}

/* Whether a cell of a face of `own` bounds, or for a flat body belongs to, the common interior. */
static bool finds_interior(const exact_pair *p, int own) {
  const exact_body *body = &p->body[own], *other = &p->body[1 - own];
  for (int i = 0; i < body->count; i++) {
    const exact_face *f = &body->face[i];
    if (body->given->solid && f->corners < 3) continue;
    if (!orc_bounds_meet(f->low, f->high, other->low, other->high)) continue;
    LOCAL_CELLS(cells);
    orc_face_cell(orc_cells_append(&cells), &p->vertices, f);
    for (int k = 0; k < other->count; k++) cut_by_face(&cells, p, f, &other->face[k]);
    for (int k = 0; k < body->count && body->given->crossed; k++) cut_by_face(&cells, p, f, &body->face[k]);
    for (int k = 0; k < cells.count; k++)
      if (inside_both(p, own, &cells.at[k])) return true;
  }
  return false;
}

static bool interiors_meet(const exact_pair *p) {
  const bool solid[2] = {p->body[0].given->solid, p->body[1].given->solid};
  if (!solid[0] && !solid[1]) return false;
  return (!(solid[0] && !solid[1]) && finds_interior(p, 0)) || (!(solid[1] && !solid[0]) && finds_interior(p, 1));
}

static bool any_faces_meet(const exact_pair *p) {
  for (int i = 0; i < p->body[0].count; i++)
    for (int k = 0; k < p->body[1].count; k++)
      if (orc_faces_meet(&p->vertices, &p->body[0].face[i], &p->body[1].face[k])) return true;
  return false;
}

graze_relation mesh_relation(const mesh_body *a, const mesh_body *b) {
  exact_pair p;
  pair_make(&p, a, b);
  const graze_relation relation = interiors_meet(&p)   ? GRAZE_OVERLAPPING
                                  : any_faces_meet(&p) ? GRAZE_TOUCHING
                                                       : GRAZE_SEPARATED;
  pair_clear(&p);
  return relation;
}
