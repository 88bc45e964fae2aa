/* A quadratic program so small that it is solved by trying: the nearest point lies in up to three of the planes, and is
 * the point of them that is nearest. Of all that the others allow, the nearest is the answer. In 2D two planes leave a
 * line along z, on which z = 0 is the nearest. */
#include "scene/velocity_planes.h"

#include "core/vec.h"

/* What counts as allowed, and as parallel, in shares of the numbers. */
#define PLANES_TOLERANCE 0x1p-38
#define PLANES_PARALLEL 0x1p-40

typedef struct planes_choice {
  const grz_barrier *plane;
  int count;
  graze_vec wanted, best;
  double tolerance, square; /* of the way from `wanted` to the best; infinite: there is none */
} planes_choice;

/* The move, along their normals, that takes v into one, two or three planes. False: they are as good as parallel. */
static bool planes_onto(const grz_barrier *const p[3], int count, graze_vec v, graze_vec *move) {
  const graze_vec a = p[0]->normal;
  const double to_a = p[0]->most - vec_dot(a, v);
  *move = vec_scale(a, to_a);
  if (count == 1) return true;
  const graze_vec b = p[1]->normal, crease = vec_cross(a, b);
  const double to_b = p[1]->most - vec_dot(b, v), square = vec_dot(crease, crease);
  if (!(square > PLANES_PARALLEL * PLANES_PARALLEL)) return false;
  *move = vec_add(vec_scale(vec_cross(b, crease), to_a / square), vec_scale(vec_cross(crease, a), to_b / square));
  if (count == 2) return true;
  const graze_vec c = p[2]->normal;
  const double to_c = p[2]->most - vec_dot(c, v), volume = vec_dot(crease, c);
  if (!(real_abs(volume) > PLANES_PARALLEL)) return false;
  const graze_vec of_a = vec_scale(vec_cross(b, c), to_a), of_b = vec_scale(vec_cross(c, a), to_b);
  *move = vec_scale(vec_add(vec_add(of_a, of_b), vec_scale(crease, to_c)), 1 / volume);
  return true;
}

static bool planes_allow(const planes_choice *s, graze_vec v) {
  for (int i = 0; i < s->count; i++)
    if (!(vec_dot(s->plane[i].normal, v) <= s->plane[i].most + s->tolerance)) return false;
  return true;
}

static void planes_offer(planes_choice *s, graze_vec v) {
  const graze_vec way = vec_sub(v, s->wanted);
  const double square = vec_dot(way, way);
  if (!(square < s->square) || !planes_allow(s, v)) return;
  s->best = v, s->square = square;
}

static void planes_try(planes_choice *s, const grz_barrier *a, const grz_barrier *b, const grz_barrier *c) {
  const grz_barrier *const p[3] = {a, b, c};
  const int count = b == NULL ? 1 : c == NULL ? 2 : 3;
  graze_vec move;
  if (planes_onto(p, count, s->wanted, &move)) planes_offer(s, vec_add(s->wanted, move));
}

static void planes_try_with(planes_choice *s, int i) {
  const grz_barrier *p = s->plane;
  planes_try(s, &p[i], NULL, NULL);
  for (int k = i + 1; k < s->count; k++) {
    planes_try(s, &p[i], &p[k], NULL);
    for (int l = k + 1; l < s->count; l++) planes_try(s, &p[i], &p[k], &p[l]);
  }
}

bool grz_planes_nearest(const grz_barrier *planes, int count, graze_vec wanted, graze_vec *nearest) {
  planes_choice s = {.plane = planes, .count = count, .wanted = wanted, .square = __builtin_inf()};
  double size = vec_norm1(wanted);
  planes_offer(&s, wanted);
  if (s.square == 0) {
    *nearest = wanted;
    return true;
  }
  for (int i = 0; i < count; i++) size = real_max(size, real_abs(planes[i].most));
  s.tolerance = PLANES_TOLERANCE * size;
  planes_offer(&s, vec_make(0, 0, 0)); /* wherever no plane asks for a move of its own */
  for (int i = 0; i < count; i++) planes_try_with(&s, i);
  *nearest = s.best;
  return s.square < __builtin_inf();
}
