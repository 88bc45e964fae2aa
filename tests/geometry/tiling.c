#include "geometry/tiling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/oracle/exact.h"
#include "support/rational.h"

/* ---- Numbers are multiples of 2^UNIT: 52 bits below the last place of the least double. */

enum { UNIT = -1126 };

static void set(mpz_t out, double x) { orc_z_set_double(out, x, UNIT); }

/* out = p - q */
static void set_difference(zvec *out, graze_vec p, graze_vec q) {
  zvec t;
  orc_z_init(out), orc_z_init(&t);
  orc_z_set_vec(out, p, UNIT), orc_z_set_vec(&t, q, UNIT);
  orc_z_sub(out, out, &t);
  orc_z_clear(&t);
}

int tiling_turn(graze_vec a, graze_vec b, graze_vec c) {
  zvec u, v, w;
  set_difference(&u, b, a), set_difference(&v, c, b);
  orc_z_init(&w);
  orc_z_cross(&w, &u, &v);
  const int sign = mpz_sgn(w.at[2]);
  orc_z_clear(&u), orc_z_clear(&v), orc_z_clear(&w);
  return sign;
}

bool tiling_cross(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  return tiling_turn(a, b, c) * tiling_turn(a, b, d) < 0 && tiling_turn(c, d, a) * tiling_turn(c, d, b) < 0;
}

int tiling_in_circle(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  const graze_vec p[3] = {a, b, c};
  zvec row[3];
  mpz_t det;
  mpz_init(det);
  for (int i = 0; i < 3; i++) {
    set_difference(&row[i], p[i], d);
    orc_z_dot(det, &row[i], &row[i]);
    mpz_set(row[i].at[2], det);
  }
  orc_z_det(det, &row[0], &row[1], &row[2]);
  const int sign = mpz_sgn(det);
  for (int i = 0; i < 3; i++) orc_z_clear(&row[i]);
  mpz_clear(det);
  return sign;
}

/* sum += orientation·(twice the signed area). Orientation 0: adds the absolute value. */
static void add_area(mpz_t sum, const graze_vec *v, size_t count, int orientation) {
  mpz_t x, y, t;
  mpz_inits(x, y, t, NULL);
  for (size_t i = 0; i < count; i++) {
    graze_vec a = v[i], b = v[(i + 1) % count];
    set(x, a.x), set(y, b.y), mpz_addmul(t, x, y);
    set(x, b.x), set(y, a.y), mpz_submul(t, x, y);
  }
  if (orientation == 0) mpz_abs(t, t);
  (orientation < 0 ? mpz_sub : mpz_add)(sum, sum, t);
  mpz_clears(x, y, t, NULL);
}

double tiling_area(const graze_vec *vertices, size_t count, int *sign) {
  mpz_t sum;
  mpz_init(sum);
  add_area(sum, vertices, count, 1);
  *sign = mpz_sgn(sum);
  mpz_abs(sum, sum);
  const double area = *sign != 0 ? nearest_double(sum, 2 * UNIT - 1) : 0;
  mpz_clear(sum);
  return area;
}

static int orientation_of(graze_ring ring) {
  int sign;
  tiling_area(ring.vertices, ring.count, &sign);
  return sign;
}

size_t tiling_reflex(graze_ring ring) {
  int orientation = orientation_of(ring);
  size_t reflex = 0, before = ring.count - 1, count = ring.count;
  const graze_vec *v = ring.vertices;
  while (before > 0 && v[before].x == v[0].x && v[before].y == v[0].y) before--;
  for (size_t i = 0; i < count; i++) {
    graze_vec next = v[(i + 1) % count];
    if (next.x == v[i].x && next.y == v[i].y) continue;
    reflex += tiling_turn(v[before], v[i], next) * orientation < 0;
    before = i;
  }
  return reflex;
}

/* ---- Points are numbered in lexicographic order. A point on a segment has a number between those of its ends. */

typedef struct plane {
  graze_vec *at;
  size_t count;
} plane;

static int order_points(const void *a, const void *b) {
  const graze_vec *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return p->y < q->y ? -1 : p->y > q->y;
}

static plane plane_make(graze_ring outline, const graze_ring *holes, size_t hole_count) {
  size_t total = outline.count, kept = 0;
  for (size_t i = 0; i < hole_count; i++) total += holes[i].count;
  plane all = {orc_resize(NULL, total + 1, sizeof *all.at), 0};
  memcpy(all.at, outline.vertices, outline.count * sizeof *all.at);
  all.count = outline.count;
  for (size_t i = 0; i < hole_count; i++) {
    memcpy(all.at + all.count, holes[i].vertices, holes[i].count * sizeof *all.at);
    all.count += holes[i].count;
  }
  qsort(all.at, all.count, sizeof *all.at, order_points);
  for (size_t i = 0; i < all.count; i++) {
    if (kept == 0 || order_points(&all.at[kept - 1], &all.at[i]) != 0) all.at[kept++] = all.at[i];
  }
  all.count = kept;
  return all;
}

static size_t plane_find(const plane *all, graze_vec p) {
  const graze_vec *match = bsearch(&p, all->at, all->count, sizeof p, order_points);
  return match != NULL && p.z == 0 ? (size_t)(match - all->at) : SIZE_MAX;
}

/* ---- Chains of directed edges. */

typedef struct link {
  size_t low, high;
  int multiplicity; /* edges from low to high, minus those from high to low */
} link;

typedef struct chain {
  const plane *all;
  link *at;
  size_t count, capacity;
  bool unknown; /* an end is not a ring point */
} chain;

static void chain_link(chain *c, size_t low, size_t high, int multiplicity) {
  if (c->count == c->capacity) {
    c->capacity = 2 * c->capacity + 64;
    c->at = orc_resize(c->at, c->capacity, sizeof *c->at);
  }
  c->at[c->count++] = (link){low, high, multiplicity};
}

/* Adds an edge; `split`: in parts between the points on it. */
static void chain_edge(chain *c, graze_vec a, graze_vec b, int multiplicity, bool split) {
  size_t i = plane_find(c->all, a), j = plane_find(c->all, b);
  if (i == SIZE_MAX || j == SIZE_MAX) c->unknown = true;
  if (c->unknown || i == j) return;
  size_t low = i < j ? i : j, high = i < j ? j : i, from = low;
  double bottom = a.y < b.y ? a.y : b.y, top = a.y < b.y ? b.y : a.y;
  if (i > j) multiplicity = -multiplicity;
  for (size_t k = low + 1; split && k < high; k++) {
    graze_vec p = c->all->at[k];
    if (p.y < bottom || p.y > top || tiling_turn(a, b, p) != 0) continue;
    chain_link(c, from, k, multiplicity);
    from = k;
  }
  chain_link(c, from, high, multiplicity);
}

static void chain_ring(chain *c, const graze_vec *v, size_t count, int multiplicity, bool split) {
  for (size_t i = 0; i < count; i++) chain_edge(c, v[i], v[(i + 1) % count], multiplicity, split);
}

static void chain_pieces(chain *c, const graze_decomposition *d, bool split) {
  for (size_t i = 0; i < d->piece_count; i++)
    chain_ring(c, d->vertices + d->piece_start[i], d->piece_start[i + 1] - d->piece_start[i], 1, split);
}

static int order_links(const void *a, const void *b) {
  const link *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  return p->high < q->high ? -1 : p->high > q->high;
}

static bool chain_is_zero(chain *c) {
  qsort(c->at, c->count, sizeof *c->at, order_links);
  for (size_t i = 0, j; i < c->count; i = j) {
    int multiplicity = 0;
    for (j = i; j < c->count && order_links(&c->at[i], &c->at[j]) == 0; j++) multiplicity += c->at[j].multiplicity;
    if (multiplicity != 0) return false;
  }
  return true;
}

/* The number of edges that occur in both directions. */
static size_t chain_shared(chain *c) {
  size_t shared = 0;
  qsort(c->at, c->count, sizeof *c->at, order_links);
  for (size_t i = 0; i + 1 < c->count; i++) shared += order_links(&c->at[i], &c->at[i + 1]) == 0;
  return shared;
}

/* ---- Pieces. */

static const graze_vec *piece_of(const graze_decomposition *d, size_t i, size_t *count) {
  *count = d->piece_start[i + 1] - d->piece_start[i];
  return d->vertices + d->piece_start[i];
}

static const char *piece_fault(const graze_vec *v, size_t count) {
  size_t left = 0, changes = 0;
  if (count < 3) return "a piece with fewer than 3 vertices";
  for (size_t i = 0; i < count; i++) {
    graze_vec a = v[i], b = v[(i + 1) % count], c = v[(i + 2) % count];
    int turn = tiling_turn(a, b, c);
    if (order_points(&a, &b) == 0) return "a piece repeats a vertex";
    if (turn < 0) return "a piece turns right";
    bool change = (order_points(&a, &b) < 0) != (order_points(&b, &c) < 0);
    if (turn == 0 && change) return "a piece goes straight back";
    left += turn > 0, changes += change;
  }
  return left < 3 ? "a piece without an area" : changes != 2 ? "a piece turns more than once" : NULL;
}

static bool has_edge(const graze_decomposition *d, int32_t piece, graze_vec from, graze_vec to) {
  if (piece < 0 || (size_t)piece >= d->piece_count) return false;
  size_t count;
  const graze_vec *v = piece_of(d, (size_t)piece, &count);
  for (size_t i = 0; i < count; i++) {
    if (order_points(&v[i], &from) == 0 && order_points(&v[(i + 1) % count], &to) == 0) return true;
  }
  return false;
}

static const char *internal_edge_fault(const plane *all, const graze_decomposition *d) {
  chain c = {.all = all};
  chain_pieces(&c, d, false);
  bool good = !c.unknown && chain_shared(&c) == d->internal_edge_count;
  free(c.at);
  for (size_t i = 0; i < d->internal_edge_count; i++) {
    const graze_internal_edge *s = &d->internal_edges[i];
    good = good && has_edge(d, s->left, s->from, s->to) && has_edge(d, s->right, s->to, s->from);
  }
  return good ? NULL : "internal_edges are not the shared edges";
}

static const char *chain_fault(const plane *all, graze_ring outline, const graze_ring *holes, size_t hole_count,
                               const graze_decomposition *d) {
  chain c = {.all = all};
  chain_pieces(&c, d, true);
  chain_ring(&c, outline.vertices, outline.count, -orientation_of(outline), true);
  for (size_t i = 0; i < hole_count; i++)
    chain_ring(&c, holes[i].vertices, holes[i].count, orientation_of(holes[i]), true);
  const char *fault = c.unknown ? "a vertex that is not a ring vertex" : NULL;
  if (fault == NULL && !chain_is_zero(&c)) fault = "the edges of the pieces do not add up to the rings";
  free(c.at);
  return fault;
}

static const char *area_fault(graze_ring outline, const graze_ring *holes, size_t hole_count,
                              const graze_decomposition *d) {
  mpz_t whole, parts;
  mpz_init_set_ui(whole, 0), mpz_init_set_ui(parts, 0);
  add_area(whole, outline.vertices, outline.count, orientation_of(outline));
  for (size_t i = 0; i < hole_count; i++) add_area(whole, holes[i].vertices, holes[i].count, -orientation_of(holes[i]));
  for (size_t i = 0; i < d->piece_count; i++) {
    size_t count;
    const graze_vec *v = piece_of(d, i, &count);
    add_area(parts, v, count, 0);
  }
  const char *fault = NULL;
  if (mpz_cmp(whole, parts) != 0) fault = "the areas do not add up";
  if (fault == NULL && nearest_double(whole, 2 * UNIT - 1) != d->area) fault = "the area is not rounded to nearest";
  mpz_clear(whole), mpz_clear(parts);
  return fault;
}

const char *tiling_fault(graze_ring outline, const graze_ring *holes, size_t hole_count, const graze_decomposition *d) {
  const char *fault = d->piece_count == 0 || d->piece_start[0] != 0 ? "no pieces" : NULL;
  for (size_t i = 0; i < d->piece_count && fault == NULL; i++) {
    size_t count;
    const graze_vec *v = piece_of(d, i, &count);
    fault = piece_fault(v, count);
  }
  plane all = plane_make(outline, holes, hole_count);
  if (fault == NULL) fault = chain_fault(&all, outline, holes, hole_count, d);
  if (fault == NULL) fault = area_fault(outline, holes, hole_count, d);
  if (fault == NULL) fault = internal_edge_fault(&all, d);
  free(all.at);
  return fault;
}
