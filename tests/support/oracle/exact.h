/* Inside the oracle: exact vectors, the set of all w = a - b, and the search for its point nearest the origin. */
#ifndef ORACLE_EXACT_H
#define ORACLE_EXACT_H

#include <gmp.h>

#include "support/oracle/oracle.h"

enum { SIMPLEX_CAPACITY = 5, NO_UNIT = 1 << 20 /* of zeros only */ };

typedef struct zvec {
  mpz_t at[3];
} zvec;

typedef struct zlist {
  zvec *at;
  int count, capacity;
} zlist;

/* Local numbers, vectors and lists, cleared at the end of their block. */
#define LOCAL_MPZ(...)                                                                                                 \
  __attribute__((cleanup(orc_mpz_clear))) mpz_t __VA_ARGS__;                                                           \
  mpz_inits(__VA_ARGS__, NULL)
#define LOCAL_QUAT(q)                                                                                                  \
  __attribute__((cleanup(orc_quat_clear))) mpz_t q[4];                                                                 \
  mpz_inits(q[0], q[1], q[2], q[3], NULL)
#define LOCAL_ZVEC(v)                                                                                                  \
  __attribute__((cleanup(orc_z_clear))) zvec v;                                                                        \
  orc_z_init(&v)
#define LOCAL_ZLIST(list) __attribute__((cleanup(orc_list_clear))) zlist list = {0}

/* The set of all w = a_i - b_j; and its doubles, scaled to about 1. */
typedef struct pointset {
  zlist a, b;
  double (*fa)[3], (*fb)[3];
} pointset;

/* A few points w, and v = (sum of weight·w) / total. */
typedef struct simplex {
  int count, a[SIMPLEX_CAPACITY], b[SIMPLEX_CAPACITY];
  zvec w[SIMPLEX_CAPACITY], v; /* v: times total */
  mpz_t weight[SIMPLEX_CAPACITY], total;
} simplex;

/* The normals of the faces of a body's convex hull, of which both sides count (in 2D those of its edges), and its
 * edges: edge i has the direction edge.at[i]; wing.at[2i] and wing.at[2i + 1] lead from it into its two faces, or are
 * 0: where the edge supports the body, no wing points out. */
typedef struct features {
  zlist normal, edge, wing;
} features;

struct oracle {
  pointset set; /* in units of 2^unit / denominator */
  mpz_t denominator;
  long unit;
  int dim;
  simplex nearest;
  bool meet;
  bool moves;           /* A moves, relative to B, from the first of these displacements to the second … */
  zvec displacement[2]; /* … in units of 2^unit … */
  mpz_t turn[2][4];     /* … after a rotation by these quaternions; the first belongs to the body placed first */
  double blur;          /* bound of the error that the rounded rotation causes in the distance */
  graze_relation relation;
  /* signed distance = (sign·sqrt(square / divisor) - shift)·2^unit */
  int sign;
  mpz_t square, divisor, shift;
  /* where the cores meet */
  features of_a, of_b;
  zvec deepest; /* the direction of least depth; where that is 0, one that separates weakly */
};

/* exact.c: aborts with the reason; never returns NULL. */
void orc_require(bool ok, const char *what);
void *orc_resize(void *old, size_t count, size_t size);

void orc_mpz_clear(mpz_t *x);
void orc_quat_clear(mpz_t (*q)[4]);
void orc_z_init(zvec *v);
void orc_z_clear(zvec *v);
void orc_z_set(zvec *out, const zvec *v);
void orc_z_sub(zvec *out, const zvec *u, const zvec *v);
bool orc_z_zero(const zvec *v);
bool orc_z_equal(const zvec *u, const zvec *v);
void orc_z_dot(mpz_t out, const zvec *u, const zvec *v);   /* out: neither in u nor in v */
void orc_z_cross(zvec *out, const zvec *u, const zvec *v); /* out: neither u nor v */
void orc_z_det(mpz_t out, const zvec *u, const zvec *v, const zvec *w);
void orc_list_resize(zlist *list, int count);
zvec *orc_append(zlist *list);
void orc_list_clear(zlist *list);
void orc_set_clear(pointset *set);
void orc_set_point(zvec *w, const pointset *set, int i, int j);
void orc_simplex_init(simplex *s);
void orc_simplex_clear(simplex *s);

/* s->v and s->total from the weights. */
void orc_z_combine(simplex *s);

/* In doubles: the list, divided by a power of two so that the longest vector is about 1; the set, by one for all. */
void orc_round_list(double (*out)[3], const zlist *list);
void orc_round_set(pointset *set);
double orc_f_dot(const double u[3], const double v[3]);
void orc_f_cross(double out[3], const double u[3], const double v[3]);

/* place.c: the exponent of the last bit of x, lowered into *unit. */
void orc_refine_unit(long *unit, double x);
void orc_refine_unit_vec(long *unit, graze_vec v);
void orc_refine_shape_unit(long *unit, const graze_shape *s, const graze_pose *pose);
void orc_refine_motion_unit(long *unit, const oracle_motion *motion);

/* out = x / 2^unit, which must be whole. */
void orc_z_set_double(mpz_t out, double x, long unit);
void orc_z_set_vec(zvec *out, graze_vec v, long unit);
void orc_set_motion(oracle *o, const oracle_motion *motion); /* into o->displacement */

/* shift += every radius of the shape (and the offset of a half-space). */
void orc_add_radii(mpz_t shift, const graze_shape *s, long unit);

/* Both cores in one frame, cleared of denominators: a_i - b_j = denominator·(w / 2^unit). */
void orc_place_both(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                    const graze_pose *pose_b);

/* Replaces A's vertices by those at both ends of the displacement. If A is a half-space, they are B's and sign is -1.
 */
void orc_sweep(oracle *o, int sign);

/* turning.c: no turn at all, and that of bodies with these angular velocities until t. */
void orc_turn_none(oracle *o);
void orc_turn(mpz_t q[4], graze_vec angular, double t);

/* A bound of the displacement of a core point by the rounding of its rotation. */
double orc_turn_blur(const graze_shape *shape, graze_vec angular);

/* search.c: the nearest point of the set, exactly. The caller proves it. */
void orc_solve_nearest(simplex *s, pointset *set);

/* oracle.c: extreme = the least (which < 0) or greatest d·w over all pairs. */
void orc_extreme_value(mpz_t extreme, const pointset *set, const zvec *d, int which);

/* out = x / 2^fine + shift·2^(unit - fine), where fine <= unit is small enough for both; returns fine. */
long orc_shifted(mpz_t out, const oracle *o, const mpz_t shift, double x);

/* hull.c */
void orc_features(features *out, const zlist *body, int dim);

/* depth.c: the cores meet. Sets o->sign, o->square, o->divisor to minus their depth, and o->deepest. */
void orc_depth(oracle *o);

#endif
