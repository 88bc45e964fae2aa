/* Queries of a scene, and the motion of one body among others at rest. */
#ifndef GRAZE_SCENE_QUERIES_H
#define GRAZE_SCENE_QUERIES_H

#include "scene/collisions.h"

#include <string.h>

/* Queries neither change the scene nor allocate. */

/* ---- Result lists */

/* A strict order of different elements. */
typedef bool scene_before(const void *p, const void *q);

/* The first `capacity` results in an order, in the caller's array. A binary heap with the last one on top, until the
 * list is sorted. */
typedef struct result_list {
  void *first;
  size_t size, capacity; /* size: of an element */
  scene_before *before;
  size_t kept, count; /* count: of all results, kept or not */
} result_list;

static inline result_list results_make(void *first, size_t size, size_t capacity, scene_before *before) {
  return (result_list){.first = first, .size = size, .capacity = capacity, .before = before};
}

static inline bool results_are_full(const result_list *r) { return r->kept == r->capacity; }

/* The last one of the kept results. */
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

/* Adds a result; if the list is full, the last one of all is dropped. */
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

/* Bounds of the shape where it is; of a half-space everything. */
graze_aabb grz_query_bounds(const graze_placed *placed);

/* ---- The motion of one body, graze_scene_move(): the state that move.c and move_cast.c share
 *
 * This is working state. The scene changes only when nothing can fail any more. */

/* Nearer than this fraction of the skin, a body is moved away before the motion starts. */
#define MOVE_CLOSE 0.5

/* The GJK iterations that the sweeps of a turning body may use. After them it no longer turns. */
#define MOVE_BUDGET (1 << 19)

enum { MOVE_PLANES = 12, MOVE_SIDESTEPS = 4 };

/* The state of one other body. There is one record for each body that the motion may touch. */
typedef struct move_record {
  uint32_t slot;
  graze_collision_response response;
  bool reported;   /* as crossed, or as overlapped at first */
  bool pending;    /* to be reported if the body moves as far as `time` */
  double time;     /* from now on */
  bool overlapped; /* at the start */
  graze_vec point, normal;
  bool collided; /* a collision was reported, with … */
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
  bool unresolved; /* no contact: the sweep used up its budget, and the motion is free until here */
} move_contact;

/* The moved body and another one, or a part of each. */
typedef struct move_pair {
  uint32_t slot;
  int32_t part_a, part_b; /* -1: the whole body */
  graze_placed of_a, of_b;
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
  graze_motion motion;    /* from here on: its own, and what makes space for turning */
  graze_vec own_velocity; /* its own part */
  double time;            /* how long it moves so, from now on */
  double t;               /* how much of the whole motion is done, 0 … 1 */
  double minimum_skin;    /* well above the rounding of all positions */

  bool separating; /* it is moved out of others, which is no part of its motion */
  bool stuck;      /* it overlaps others, and there is no direction out of them */
  bool stops;      /* it does not move all of the motion */
  bool sidesteps;  /* it moves a little to the side, around a corner that it met head-on */

  graze_aabb box;                    /* swept bounds of the motion */
  move_contact initial[MOVE_PLANES]; /* contacts that it would move into at once */
  int initial_count;
  bool has_contact; /* in the motion: the first one is */
  move_contact contact;
  double contact_time; /* when the two come near */
  double stop_time;    /* when the body stops before that */

  size_t record_count;                 /* in BUFFER_MOVE_RECORDS, sorted by slot */
  move_contact plane[MOVE_PLANES + 1]; /* contacts that limit the velocity, sorted by slot and parts */
  int plane_count;

  int stalls;           /* stretches in a row without progress … */
  double stalled_at;    /* … since this t */
  int earlier_contacts; /* how many; contacts without progress count more */
  int reported_contacts;
  bool turns_at_start;
  int64_t work; /* GJK iterations while it turned */

  graze_collision *collisions; /* the caller's array */
  size_t capacity, count;
  size_t last_solid; /* the last collision that was not crossed; SIZE_MAX: none */
  graze_status status;
} scene_move;

/* A circle does not turn. */
static inline bool move_turns(const scene_move *m) {
  return vec_norm_inf(m->motion.angular) > 0 && m->placed.hidden.bounding_radius > 0;
}

static inline bool move_is_over_budget(const scene_move *m) { return m->work > MOVE_BUDGET && move_turns(m); }

/* Deeper than rounding. Otherwise the two touch. */
static inline bool move_overlaps(const move_contact *c) { return c->gap < -c->rounding; }

static inline move_record *move_records(const scene_move *m) { return m->scene->buffer[BUFFER_MOVE_RECORDS].memory; }

/* The index of the record of a slot, or the index at which it would be inserted. */
size_t grz_move_record_index(const scene_move *m, uint32_t slot);

/* The distance from another body at which the moved body stops, beyond the margins. */
double grz_move_skin(const scene_move *m, uint32_t slot);

/* Measures the gap to a body, or between two parts. Returns false if it is at least two skins, if the gap cannot be
 * computed, or on failure. */
bool grz_move_measure(scene_move *m, uint32_t slot, int32_t part_a, int32_t part_b, move_contact *contact);

/* Directions across the normal that lead around a corner: the normal may turn towards them without a collision. Returns
 * how many. */
int grz_move_find_sidesteps(const scene_move *m, const move_contact *contact, graze_vec direction[MOVE_SIDESTEPS]);

/* Finds the bodies nearer than two skins: m->plane. Overlapped and crossed bodies become pending. */
void grz_move_find_contacts(scene_move *m);

/* Finds the first contact of the motion: m->has_contact. Crossed bodies become pending. Ends early when the budget is
 * used up. */
void grz_move_cast(scene_move *m);

/* Adds a contact, or replaces that of the same parts. If there are too many, the one with the largest gap is removed.
 */
void grz_move_add_plane(scene_move *m, const move_contact *contact);

/* ---- The nearest velocity between planes (move.c) */

/* normal·v <= limit; the normal is a unit vector. In 2D its z is 0. */
typedef struct velocity_plane {
  graze_vec normal;
  double limit;
} velocity_plane;

/* Finds the point nearest to `wanted` that satisfies up to MOVE_PLANES planes, to 2^-38 of the numbers; `wanted`
 * itself if it does. False: no point does. */
bool grz_nearest_velocity(const velocity_plane *planes, int count, graze_vec wanted, graze_vec *nearest);

#endif
