/* Coordinates as multiples of one power of two. */
#include "build/tiling.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build/rings.h"

/* ---- Numbers. */

enum { UNIT = -1074 };

static void put(mpz_t out, double x) {
  int exponent;
  double mantissa = frexp(x, &exponent);
  if (x == 0) exponent = UNIT + 53;
  mpz_set_d(out, ldexp(mantissa, 53));
  exponent -= 53 + UNIT;
  if (exponent >= 0)
    mpz_mul_2exp(out, out, (mp_bitcnt_t)exponent);
  else
    mpz_tdiv_q_2exp(out, out, (mp_bitcnt_t)-exponent); /* zeros: x is a multiple of the unit */
}

static void put_difference(mpz_t out, double x, double y) {
  mpz_t t;
  mpz_init(t);
  put(out, x), put(t, y);
  mpz_sub(out, out, t);
  mpz_clear(t);
}

int tiling_turn(graze_vec a, graze_vec b, graze_vec c) {
  mpz_t t[4];
  for (int i = 0; i < 4; i++) mpz_init(t[i]);
  put_difference(t[0], b.x, a.x), put_difference(t[1], c.y, b.y);
  put_difference(t[2], b.y, a.y), put_difference(t[3], c.x, b.x);
  mpz_mul(t[0], t[0], t[1]);
  mpz_submul(t[0], t[2], t[3]);
  int sign = mpz_sgn(t[0]);
  for (int i = 0; i < 4; i++) mpz_clear(t[i]);
  return sign;
}

int tiling_in_circle(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  const graze_vec p[3] = {a, b, c};
  mpz_t m[3][3], t, sum;
  mpz_init(t), mpz_init_set_ui(sum, 0);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) mpz_init(m[i][k]);
    put_difference(m[i][0], p[i].x, d.x), put_difference(m[i][1], p[i].y, d.y);
    mpz_mul(m[i][2], m[i][0], m[i][0]);
    mpz_addmul(m[i][2], m[i][1], m[i][1]);
  }
  for (int k = 0; k < 3; k++) { /* along the first row */
    int u = (k + 1) % 3, v = (k + 2) % 3;
    mpz_mul(t, m[1][u], m[2][v]);
    mpz_submul(t, m[1][v], m[2][u]);
    mpz_addmul(sum, m[0][k], t);
  }
  int sign = mpz_sgn(sum);
  for (int i = 0; i < 9; i++) mpz_clear(m[i / 3][i % 3]);
  mpz_clear(t), mpz_clear(sum);
  return sign;
}

/* sum += twice the signed area. */
static void add_area(mpz_t sum, const graze_vec *v, size_t count, int sense) {
  mpz_t x, y, t;
  mpz_init(x), mpz_init(y), mpz_init_set_ui(t, 0);
  for (size_t i = 0; i < count; i++) {
    graze_vec a = v[i], b = v[(i + 1) % count];
    put(x, a.x), put(y, b.y), mpz_addmul(t, x, y);
    put(x, b.x), put(y, a.y), mpz_submul(t, x, y);
  }
  if (sense == 0) mpz_abs(t, t), sense = 1; /* whichever way it winds */
  if (sense > 0)
    mpz_add(sum, sum, t);
  else
    mpz_sub(sum, sum, t);
  mpz_clear(x), mpz_clear(y), mpz_clear(t);
}

static int sense_of(graze_ring ring) {
  mpz_t sum;
  mpz_init_set_ui(sum, 0);
  add_area(sum, ring.vertices, ring.count, 1);
  int sign = mpz_sgn(sum);
  mpz_clear(sum);
  return sign;
}

/* |2·sum - x| in units of 2^(2·UNIT) / 2 … for comparing how near two doubles are. */
static void miss(mpz_t out, const mpz_t twice, double area) {
  put(out, area);
  mpz_mul_2exp(out, out, (mp_bitcnt_t)(1 - UNIT));
  mpz_sub(out, out, twice);
  mpz_abs(out, out);
}

static bool is_nearest(const mpz_t twice, double area) {
  mpz_t here, there;
  mpz_init(here), mpz_init(there);
  miss(here, twice, area);
  bool good = area >= 0;
  for (int side = 0; side < 2 && good; side++) {
    miss(there, twice, nextafter(area, side ? INFINITY : -INFINITY));
    good = mpz_cmp(here, there) <= 0;
  }
  mpz_clear(here), mpz_clear(there);
  return good;
}

size_t tiling_reflex(graze_ring ring) {
  int sense = sense_of(ring);
  size_t reflex = 0, before = ring.count - 1, count = ring.count;
  const graze_vec *v = ring.vertices;
  while (before > 0 && v[before].x == v[0].x && v[before].y == v[0].y) before--;
  for (size_t i = 0; i < count; i++) {
    graze_vec next = v[(i + 1) % count];
    if (next.x == v[i].x && next.y == v[i].y) continue;
    reflex += tiling_turn(v[before], v[i], next) * sense < 0;
    before = i;
  }
  return reflex;
}

/* ---- Points by number, in lexicographic order: so between two on a line lie only numbers between theirs. */

typedef struct plane {
  graze_vec *at;
  size_t count;
} plane;

static int order_points(const void *a, const void *b) {
  const graze_vec *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return p->y < q->y ? -1 : p->y > q->y;
}

static void *room_for(size_t count, size_t size) {
  void *room = malloc((count + 1) * size);
  if (room == NULL) abort();
  return room;
}

static plane plane_make(graze_ring outline, const graze_ring *holes, size_t hole_count) {
  size_t total = outline.count, kept = 0;
  for (size_t i = 0; i < hole_count; i++) total += holes[i].count;
  plane all = {room_for(total, sizeof *all.at), 0};
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
  const graze_vec *found = bsearch(&p, all->at, all->count, sizeof p, order_points);
  return found != NULL && p.z == 0 ? (size_t)(found - all->at) : SIZE_MAX;
}

/* ---- Chains of directed edges. */

typedef struct link {
  size_t low, high;
  int walks; /* from low to high, minus those from high to low */
} link;

typedef struct chain {
  const plane *all;
  link *at;
  size_t count, room;
  bool strange; /* an end that is no point */
} chain;

static void chain_link(chain *c, size_t low, size_t high, int walks) {
  if (c->count == c->room) {
    c->room = 2 * c->room + 64;
    c->at = realloc(c->at, c->room * sizeof *c->at);
    if (c->at == NULL) abort();
  }
  c->at[c->count++] = (link){low, high, walks};
}

/* The edge, split at the points on it if so wanted. */
static void chain_edge(chain *c, graze_vec a, graze_vec b, int walks, bool split) {
  size_t i = plane_find(c->all, a), j = plane_find(c->all, b);
  if (i == SIZE_MAX || j == SIZE_MAX) c->strange = true;
  if (c->strange || i == j) return;
  size_t low = i < j ? i : j, high = i < j ? j : i, from = low;
  double bottom = a.y < b.y ? a.y : b.y, top = a.y < b.y ? b.y : a.y;
  if (i > j) walks = -walks;
  for (size_t k = low + 1; split && k < high; k++) {
    graze_vec p = c->all->at[k];
    if (p.y < bottom || p.y > top || tiling_turn(a, b, p) != 0) continue;
    chain_link(c, from, k, walks);
    from = k;
  }
  chain_link(c, from, high, walks);
}

static void chain_ring(chain *c, const graze_vec *v, size_t count, int walks, bool split) {
  for (size_t i = 0; i < count; i++) chain_edge(c, v[i], v[(i + 1) % count], walks, split);
}

static int order_links(const void *a, const void *b) {
  const link *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  return p->high < q->high ? -1 : p->high > q->high;
}

static bool chain_is_zero(chain *c) {
  qsort(c->at, c->count, sizeof *c->at, order_links);
  for (size_t i = 0, j; i < c->count; i = j) {
    int walks = 0;
    for (j = i; j < c->count && order_links(&c->at[i], &c->at[j]) == 0; j++) walks += c->at[j].walks;
    if (walks != 0) return false;
  }
  return true;
}

/* How many edges are walked both ways. */
static size_t chain_shared(chain *c) {
  size_t shared = 0;
  qsort(c->at, c->count, sizeof *c->at, order_links);
  for (size_t i = 0; i + 1 < c->count; i++) shared += order_links(&c->at[i], &c->at[i + 1]) == 0;
  return shared;
}

/* ---- The judgement. */

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

static const char *seam_fault(const plane *all, const graze_decomposition *d) {
  chain c = {.all = all};
  for (size_t i = 0; i < d->piece_count; i++) {
    size_t count;
    const graze_vec *v = piece_of(d, i, &count);
    chain_ring(&c, v, count, 1, false);
  }
  bool good = !c.strange && chain_shared(&c) == d->seam_count;
  free(c.at);
  for (size_t i = 0; i < d->seam_count; i++) {
    const graze_seam *s = &d->seams[i];
    good = good && has_edge(d, s->left, s->from, s->to) && has_edge(d, s->right, s->to, s->from);
  }
  return good ? NULL : "the seams are not the shared edges";
}

static const char *chain_fault(const plane *all, graze_ring outline, const graze_ring *holes, size_t hole_count,
                               const graze_decomposition *d) {
  chain c = {.all = all};
  for (size_t i = 0; i < d->piece_count; i++) {
    size_t count;
    const graze_vec *v = piece_of(d, i, &count);
    chain_ring(&c, v, count, 1, true);
  }
  chain_ring(&c, outline.vertices, outline.count, -sense_of(outline), true);
  for (size_t i = 0; i < hole_count; i++) chain_ring(&c, holes[i].vertices, holes[i].count, sense_of(holes[i]), true);
  const char *fault = c.strange ? "a vertex that is none of the rings" : NULL;
  if (fault == NULL && !chain_is_zero(&c)) fault = "the edges of the pieces do not add up to the rings";
  free(c.at);
  return fault;
}

static const char *area_fault(graze_ring outline, const graze_ring *holes, size_t hole_count,
                              const graze_decomposition *d) {
  mpz_t whole, parts;
  mpz_init_set_ui(whole, 0), mpz_init_set_ui(parts, 0);
  add_area(whole, outline.vertices, outline.count, sense_of(outline));
  for (size_t i = 0; i < hole_count; i++) add_area(whole, holes[i].vertices, holes[i].count, -sense_of(holes[i]));
  for (size_t i = 0; i < d->piece_count; i++) {
    size_t count;
    const graze_vec *v = piece_of(d, i, &count);
    add_area(parts, v, count, 0);
  }
  const char *fault = NULL;
  if (mpz_cmp(whole, parts) != 0) fault = "the areas do not add up";
  if (fault == NULL && !is_nearest(whole, d->area)) fault = "the area is not rounded to nearest";
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
  if (fault == NULL) fault = seam_fault(&all, d);
  free(all.at);
  return fault;
}

/* ---- Slowly. */

static bool is_apart(const graze_vec *p, size_t n, const graze_vec *q, size_t m) {
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < m && tiling_turn(p[i], p[(i + 1) % n], q[k]) <= 0) k++;
    if (k == m) return true;
  }
  return false;
}

/* How often the ring winds around the point; *on: the point lies on it. */
static int winding_of(const graze_vec *v, size_t count, graze_vec p, bool *on) {
  int winding = 0;
  for (size_t i = 0; i < count; i++) {
    graze_vec a = v[i], b = v[(i + 1) % count];
    int turn = tiling_turn(a, b, p);
    bool in_x = (a.x <= p.x && p.x <= b.x) || (b.x <= p.x && p.x <= a.x);
    bool in_y = (a.y <= p.y && p.y <= b.y) || (b.y <= p.y && p.y <= a.y);
    if (turn == 0 && in_x && in_y) *on = true;
    if (a.y <= p.y && b.y > p.y && turn > 0) winding++;
    if (a.y > p.y && b.y <= p.y && turn < 0) winding--;
  }
  return winding;
}

static const char *point_fault(graze_ring outline, const graze_ring *holes, size_t hole_count,
                               const graze_decomposition *d, graze_vec p) {
  bool on = false;
  int wanted = winding_of(outline.vertices, outline.count, p, &on) * sense_of(outline), found = 0;
  for (size_t i = 0; i < hole_count; i++)
    wanted -= winding_of(holes[i].vertices, holes[i].count, p, &on) * sense_of(holes[i]);
  for (size_t i = 0; i < d->piece_count; i++) {
    size_t count;
    const graze_vec *v = piece_of(d, i, &count);
    found += winding_of(v, count, p, &on);
  }
  return on || found == wanted ? NULL : "a point lies in too many or too few pieces";
}

const char *tiling_fault_slowly(graze_ring outline, const graze_ring *holes, size_t hole_count,
                                const graze_decomposition *d, int trials, uint64_t seed) {
  for (size_t i = 0; i < d->piece_count; i++) {
    for (size_t j = 0; j < i; j++) {
      size_t n, m;
      const graze_vec *p = piece_of(d, i, &n), *q = piece_of(d, j, &m);
      if (!is_apart(p, n, q, m) && !is_apart(q, m, p, n)) return "two pieces overlap";
    }
  }
  const char *fault = NULL;
  for (int t = 0; t < trials && fault == NULL; t++) { /* near three random vertices, so inside and outside */
    graze_vec a = outline.vertices[rng_index(&seed, outline.count)];
    graze_vec b = outline.vertices[rng_index(&seed, outline.count)];
    graze_vec c = outline.vertices[rng_index(&seed, outline.count)];
    double u = rng_uniform(&seed, 0, 1), v = (1 - u) * rng_uniform(&seed, 0, 1);
    graze_vec p = {a.x + u * (b.x - a.x) + v * (c.x - a.x), a.y + u * (b.y - a.y) + v * (c.y - a.y), 0};
    fault = point_fault(outline, holes, hole_count, d, p);
  }
  return fault;
}
