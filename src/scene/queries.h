/* Internal types of the queries of a scene, and of the motion of one body among others at rest. */
#ifndef GRAZE_SCENE_QUERIES_H
#define GRAZE_SCENE_QUERIES_H

#include "scene/collisions.h"

#include <string.h>

/* Queries do not change the scene and do not allocate. */

/* ---- Result lists */

/* A strict order of different elements. */
typedef bool scene_before(const void *p, const void *q);

/* The first `capacity` results of an order, in the caller's array. Until it is sorted, the list is a binary heap
 * whose root is the last result. */
typedef struct result_list {
  void *first;
  size_t size, capacity; /* size: of an element */
  scene_before *before;
  size_t kept, count; /* count: all results, also those that are not kept */
} result_list;

static inline result_list results_make(void *first, size_t size, size_t capacity, scene_before *before) {
  return (result_list){.first = first, .size = size, .capacity = capacity, .before = before};
}

static inline bool results_are_full(const result_list *r) { return r->kept == r->capacity; }

/* Returns the last of the kept results. */
static inline const void *results_last(const result_list *r) { return r->first; }

static inline unsigned char *results_at(const result_list *r, size_t index) {
  return (unsigned char *)r->first + index * r->size;
}

static inline bool results_before(const result_list *r, size_t i, size_t k) {
  return r->before(results_at(r, i), results_at(r, k));
}

static inline void results_swap(const result_list *r, size_t i, size_t k) {
  unsigned char *p = results_at(r, i), *q = results_at(r, k), kept[64];
  for (size_t left = r->size; left > 0;) {
    const size_t some = left < sizeof kept ? left : sizeof kept;
    memcpy(kept, p, some), memcpy(p, q, some), memcpy(q, kept, some);
    p += some, q += some, left -= some;
  }
}

static inline void results_sift_down(const result_list *r, size_t at, size_t count) {
  for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && results_before(r, child, child + 1)) child++;
    if (!results_before(r, at, child)) return;
    results_swap(r, at, child);
    at = child;
  }
}

/* Adds a result. If the list is full, the last result is removed. */
static inline void results_add(result_list *r, const void *element) {
  r->count++;
  if (r->kept < r->capacity) {
    size_t at = r->kept++;
    memcpy(results_at(r, at), element, r->size);
    for (; at > 0 && results_before(r, (at - 1) / 2, at); at = (at - 1) / 2) results_swap(r, at, (at - 1) / 2);
  } else if (r->capacity > 0 && r->before(element, r->first)) {
    memcpy(r->first, element, r->size);
    results_sift_down(r, 0, r->kept);
  }
}

static inline void results_sort(result_list *r) {
  for (size_t last = r->kept; last-- > 1;) {
    results_swap(r, 0, last);
    results_sift_down(r, 0, last);
  }
}

/* Sorts the results and writes their number. GRAZE_NO_SPACE: some were not kept. */
static inline graze_status results_finish(result_list *r, size_t *count) {
  results_sort(r);
  *count = r->count;
  return r->count > r->capacity ? GRAZE_NO_SPACE : GRAZE_OK;
}

/* Heapsort: no bad cases, no memory. */
static inline void results_heapsort(void *first, size_t count, size_t size, scene_before *before) {
  result_list all = {.first = first, .size = size, .before = before, .kept = count};
  for (size_t i = count / 2; i-- > 0;) results_sift_down(&all, i, count);
  results_sort(&all);
}

/* ---- Filters and bounds */

/* Returns bounds of the placed shape. Those of a half-space are infinite. */
graze_aabb grz_query_bounds(const graze_placed *placed);

/* ---- The motion of one body, graze_scene_move(): the state that move.c and move_cast.c share
 *
 * Until the motion is complete, the scene itself does not change. */

/* A body nearer to another one than this fraction of the skin is moved away before the motion starts. */
#define MOVE_CLOSE 0.5

/* The largest number of GJK iterations for sweeps of a rotating body. After that the body no longer rotates. */
#define MOVE_BUDGET (1 << 19)

enum { MOVE_PLANES = 12, MOVE_SIDESTEPS = 4 };

/* A body that the motion may touch. */
typedef struct move_record {
  uint32_t slot;
  graze_collision_response response;
  bool reported;   /* as crossed, or as overlapping at the start */
  bool pending;    /* to be reported if the body moves as far as `time` */
  double time;     /* after the present time */
  bool overlapped; /* at the start */
  graze_vec point, normal;
  bool collided; /* a collision with collision_normal was reported */
  graze_vec collision_normal;
} move_record;

/* A contact with a body that is not crossed. */
typedef struct move_contact {
  uint32_t slot;
  graze_collision_response response;
  int32_t part_a, part_b; /* the nearest parts */
  graze_vec point, normal;
  graze_vec lever; /* from the position of the moved body to the point */
  double gap;      /* beyond the margins */
  double rounding; /* an upper bound of the error of the gap */
  bool unresolved; /* no contact: the sweep exhausted its budget; the motion is free up to this time */
} move_contact;

/* The moved body and another one, or a part of each. */
typedef struct move_pair {
  uint32_t slot;
  int32_t part_a, part_b; /* -1: the whole body */
  graze_placed of_a, of_b;
  graze_frame frame_a, frame_b;
  const graze_placed *a, *b;
  double margin, skin, rounding;
} move_pair;

typedef struct scene_move {
  graze_scene *scene;
  const scene_record *body;
  uint32_t slot;
  graze_collision_function choose;
  void *context;

  graze_placed placed;    /* where the body is now */
  graze_motion motion;    /* from here on: own_velocity, and a velocity that makes space for rotation (move.c) */
  graze_vec own_velocity; /* the velocity without making space */
  double time;            /* duration of the present motion */
  double t;               /* completed fraction of the whole motion, 0 … 1 */
  double minimum_skin;    /* well above the rounding of all positions */

  bool separating; /* it is being moved out of other bodies, before its motion */
  bool stuck;      /* it overlaps other bodies and cannot leave them */
  bool stops;      /* it does not complete the motion */
  bool sidesteps;  /* it moves a little to the side, around a corner that it met head-on */

  graze_aabb box;                    /* swept bounds of the motion */
  move_contact initial[MOVE_PLANES]; /* contacts that prevent the motion at its start */
  int initial_count;
  bool has_contact; /* the motion has a contact; the first one is */
  move_contact contact;
  double contact_time; /* time of the contact */
  double stop_time;    /* earlier time, at which the body stops */

  size_t record_count;                 /* in BUFFER_MOVE_RECORDS, sorted by slot */
  move_contact plane[MOVE_PLANES + 1]; /* contacts that limit the velocity, sorted by slot and parts */
  int plane_count;

  int stalls;           /* consecutive stretches without progress since `stalled_at` */
  double stalled_at;    /* value of t */
  int earlier_contacts; /* number of contacts; those without progress count several times */
  int reported_contacts;
  bool turns_at_start;
  int64_t work; /* GJK iterations of sweeps with rotation */

  graze_collision *collisions; /* the caller's array */
  size_t capacity, count;
  size_t last_solid; /* the last collision that was not crossed; SIZE_MAX: none */
  graze_status status;
} scene_move;

/* The rotation of a body without core extent, for example a sphere, has no effect. */
static inline bool move_turns(const scene_move *m) {
  return vec_norm_inf(m->motion.angular) > 0 && m->placed.hidden.bounding_radius > 0;
}

static inline bool move_is_over_budget(const scene_move *m) { return m->work > MOVE_BUDGET && move_turns(m); }

/* Returns whether the depth exceeds the rounding error. Otherwise the two only touch. */
static inline bool move_overlaps(const move_contact *c) { return c->gap < -c->rounding; }

static inline move_record *move_records(const scene_move *m) { return m->scene->buffer[BUFFER_MOVE_RECORDS].memory; }

/* Returns the index of the record of a slot, or the index for its insertion. */
size_t grz_move_record_index(const scene_move *m, uint32_t slot);

/* Returns the distance beyond the margins at which the moved body stops. */
double grz_move_skin(const scene_move *m, uint32_t slot);

/* Measures the gap to a body, or between two parts. Returns false if the gap is at least two skins or cannot be
 * computed, or on failure. */
bool grz_move_measure(scene_move *m, uint32_t slot, int32_t part_a, int32_t part_b, move_contact *contact);

/* Finds directions perpendicular to the normal that lead around a corner: the normal still separates the two bodies
 * when it is tilted towards such a direction, and away from it. Returns their number. */
int grz_move_find_sidesteps(const scene_move *m, const move_contact *contact, graze_vec direction[MOVE_SIDESTEPS]);

/* Writes the bodies nearer than two skins to m->plane. The records of overlapped and crossed bodies become pending. */
void grz_move_find_contacts(scene_move *m);

/* Finds the first contact of the motion and sets m->has_contact. The records of crossed bodies become pending. The
 * search stops if the budget is exhausted. */
void grz_move_cast(scene_move *m);

/* Adds a contact to m->plane, or replaces the contact of the same parts. If there are too many, the contact with the
 * largest gap is removed. */
void grz_move_add_plane(scene_move *m, const move_contact *contact);

/* ---- The nearest velocity between planes (move.c) */

/* normal·v <= limit; the normal is a unit vector. In 2D its z is 0. */
typedef struct velocity_plane {
  graze_vec normal;
  double limit;
} velocity_plane;

/* Computes the point nearest to `wanted` that satisfies up to MOVE_PLANES planes, with a relative tolerance of
 * 2^-38. Returns false if there is none. */
bool grz_nearest_velocity(const velocity_plane *planes, int count, graze_vec wanted, graze_vec *nearest);

#endif
