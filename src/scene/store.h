/* The state of a scene, with arrays of bodies, the tree, vertex lists and contacts.
 *
 * A body occupies a slot. The state of all bodies is stored in arrays by slot, each value once:
 *
 *   records      placed shape, motion, margin, mass, bounce, response, user pointer
 *   filters      type, category, mask, sensor: these decide whether two bodies are a pair. The pair tests read them
 *                much more often than the records, which are large
 *   generations  the generation of the body in the slot. A free slot keeps the generation of its last body
 *   flags        `used`, `fresh` and `removed` are state; the other bits are derived
 *
 * Only src/scene/bodies.c, trajectory.c and the first phase of a step write derived data:
 *
 *   flags        one-bit summaries of record and filter, small enough to stay in the cache during a step
 *   boxes        an oriented box around the core of each body, in floats, for SIMD tests
 *   tree         a bounding-volume tree over the axis-aligned bounds of the motion of each body in the current step;
 *                it stores the bounds
 *
 * The vertices of hulls and polygons stand in reference-counted lists, which bodies with equal vertices share. The
 * contacts at the end of the last step are pairs of slots.
 *
 * A step and a move first write their results to scene->buffer: trajectories, events and new contacts. They change
 * the state at the end, where nothing can fail. */
#ifndef GRAZE_SCENE_STORE_H
#define GRAZE_SCENE_STORE_H

#include "batch/job.h"
#include "bvh/scene_tree.h"

#include <graze/scene.h>

/* No slot, no index. */
#define SCENE_NONE UINT32_MAX

/* Bodies that respond to contacts stop one skin apart. They count as in contact up to this many skins, because the
 * gaps of bodies at rest vary slightly. */
#define SCENE_CONTACT_SKINS 8

/* ---- The body store */

typedef struct scene_record {
  double margin;
  double skin; /* 0 for a point, infinite for a half-space: the pair then uses the skin of the other body */
  graze_placed placed;
  graze_motion motion;
  double mass, bounce;
  void *user;
  graze_response response;
  uint32_t next_free; /* the next free slot, if this slot is free */
} scene_record;

typedef enum scene_form {
  SCENE_FORM_ANY,
  SCENE_FORM_HALFSPACE,
  SCENE_FORM_BOX /* the oriented box is the core itself */
} scene_form;

typedef struct scene_filter {
  uint64_t category, mask;
  uint8_t type; /* graze_body_type; 0: the slot is free */
  uint8_t form; /* scene_form; derived from the shape */
  bool yields;  /* derived: dynamic, with a response */
  bool sensor;
} scene_filter;

typedef struct scene_flags {
  /* State. */
  bool used : 1;    /* the slot holds a body */
  bool fresh : 1;   /* added, placed or changed since the last step */
  bool removed : 1; /* the body of the last step was removed, so the contacts of the slot are void */
  /* Derived from record and filter. */
  bool moves : 1; /* the motion is not zero */
  bool turns : 1; /* the angular velocity is not zero */
  bool is_static : 1;
  bool is_box : 1;
  bool yields : 1;
  bool sensor : 1;
  bool default_filter : 1; /* no half-space, default category and mask: a pair unless both are static */
  bool minimum_skin : 1;   /* scene_minimum_skin() > 0, so the inflation depends on the position */
  /* The bounds and the tree. */
  bool awake : 1;      /* tested against all bodies in the current step: it moves, or is fresh */
  bool swept : 1;      /* the bounds contain a motion */
  bool stale : 1;      /* the tree has older bounds */
  bool tree_moves : 1; /* the tree stores it as moving */
  bool changed : 1;    /* in the current step the body does not follow the motion of its record */
} scene_flags;

/* Arrays by slot. Each starts at a cache line, so that an element spans as few lines as possible. */
typedef enum scene_array_id {
  SCENE_RECORDS,
  SCENE_FILTERS,
  SCENE_FLAGS,
  SCENE_GENERATIONS,
  SCENE_BOXES,
  SCENE_ARRAYS
} scene_array_id;

typedef struct scene_array {
  void *block, *first; /* as allocated; aligned */
  size_t capacity;     /* in elements */
} scene_array;

/* Memory that grows and is kept until the scene is destroyed. */
typedef struct scene_buffer {
  void *memory;
  size_t capacity; /* in elements */
} scene_buffer;

/* Two slots in contact, low < high. */
typedef struct scene_contact {
  uint32_t low, high;
} scene_contact;

typedef struct scene_store {
  scene_array array[SCENE_ARRAYS];
  size_t slots;         /* slots that were ever used */
  uint32_t free_slot;   /* the first free slot; equal to `slots` if there is none */
  grz_bvh tree;         /* items: slots */
  scene_buffer contact; /* scene_contact: of the last step, sorted */
  size_t contact_count;
  bool has_void_contacts; /* some contacts belong to removed bodies; grz_store_purge_contacts() removes them */
} scene_store;

/* ---- Vertex lists */

/* The header of a block; the vertices follow it, then the arrays of the adjacency. Lists are immutable. */
typedef struct scene_vertices {
  struct scene_vertices *next, *previous; /* in the same bucket */
  uint64_t hash;
  size_t users; /* bodies */
  graze_shape_kind kind;
  int dim;
  size_t count;
  graze_adjacency adjacency;
} scene_vertices;

/* A hash table with chaining. All zeros: an empty table. */
typedef struct scene_vertex_table {
  scene_vertices **bucket;
  size_t buckets, count; /* buckets: a power of 2, or 0 */
} scene_vertex_table;

/* ---- The scene */

/* Buffers of calls, by the file that uses them. */
typedef enum scene_buffer_id {
  BUFFER_CANDIDATES, /* pairs.c */
  BUFFER_CHUNKS,
  BUFFER_SORTED_HIGH,
  BUFFER_SLOT_COUNTS,
  BUFFER_PAIRS,
  BUFFER_TRAJECTORIES, /* trajectory.c */
  BUFFER_SEGMENTS,
  BUFFER_QUEUE,
  BUFFER_COLLISIONS, /* event_queue.c */
  BUFFER_FIRST_QUERIES,
  BUFFER_PLACED_AT_END, /* step.c */
  BUFFER_OUTCOMES,
  BUFFER_TASKS,
  BUFFER_EVENTS,
  BUFFER_CONTACTS,
  BUFFER_MOVE_RECORDS, /* move_cast.c */
  BUFFERS
} scene_buffer_id;

struct graze_scene {
  graze_allocator allocator;
  graze_scene_def def;
  graze_parallel parallel; /* run == NULL: one thread */
  const grz_batch_kernels *kernels;
  scene_store store;
  scene_vertex_table vertices;
  scene_buffer buffer[BUFFERS];
};

static inline scene_record *scene_records(const graze_scene *scene) { return scene->store.array[SCENE_RECORDS].first; }
static inline scene_filter *scene_filters(const graze_scene *scene) { return scene->store.array[SCENE_FILTERS].first; }
static inline scene_flags *scene_flags_of(const graze_scene *scene) { return scene->store.array[SCENE_FLAGS].first; }
static inline uint32_t *scene_generations(const graze_scene *scene) {
  return scene->store.array[SCENE_GENERATIONS].first;
}
static inline grz_oriented *scene_boxes(const graze_scene *scene) { return scene->store.array[SCENE_BOXES].first; }
static inline graze_aabb *scene_bounds(const graze_scene *scene) { return scene->store.tree.box; }
static inline const graze_placed *scene_placed(const graze_scene *scene, size_t slot) {
  return &scene_records(scene)[slot].placed;
}
static inline const scene_contact *scene_contacts(const graze_scene *scene) { return scene->store.contact.memory; }

static inline graze_body scene_id(const graze_scene *scene, size_t slot) {
  return (graze_body){(uint32_t)slot, scene_generations(scene)[slot]};
}

/* Returns whether the id belongs to a body of the scene. */
static inline bool scene_has(const graze_scene *scene, graze_body body) {
  return body.slot < scene->store.slots && scene_flags_of(scene)[body.slot].used &&
         scene_generations(scene)[body.slot] == body.generation;
}

/* Returns whether both bodies of a contact exist. A removal leaves the contacts of the body in the list as void. */
static inline bool scene_is_contact(const graze_scene *scene, scene_contact c) {
  return !scene_flags_of(scene)[c.low].removed && !scene_flags_of(scene)[c.high].removed;
}

/* ---- Pairs of filters */

static inline bool scene_are_pair(const scene_filter *a, const scene_filter *b) {
  const bool fixed = a->type == GRAZE_STATIC && b->type == GRAZE_STATIC;
  const bool halfspaces = a->form == SCENE_FORM_HALFSPACE && b->form == SCENE_FORM_HALFSPACE;
  return !fixed && !halfspaces && (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

/* Returns whether at least one of the two responds to a contact. */
static inline bool scene_respond(const graze_scene *scene, size_t low, size_t high) {
  const scene_flags a = scene_flags_of(scene)[low], b = scene_flags_of(scene)[high];
  return !a.sensor && !b.sensor && (a.yields || b.yields);
}

/* ---- Inflation of bounds */

/* A lower limit of the skin, well above the rounding of positions. It applies to bodies without a skin and to bodies
 * at large coordinates. Returns 0 if the skin of the body is large enough. */
static inline double scene_minimum_skin(const scene_record *b) {
  const double least = 0x1p-36 * vec_norm1(b->placed.pose.position) + 0x1p-400;
  return least > 0.125 * b->skin ? least : 0;
}

/* The distance from the body up to which others count as in contact. */
static inline double scene_inflation(const scene_record *b) {
  const bool halfspace = b->placed.shape.kind == GRAZE_HALFSPACE;
  return b->margin + (halfspace ? 0 : SCENE_CONTACT_SKINS * (b->skin + scene_minimum_skin(b)));
}

/* ---- Functions */

/* Provides memory for `count` slots. Returns false if the allocation fails; the bodies do not change. */
bool grz_store_reserve(graze_scene *scene, size_t count);

/* Releases the vertex lists of all bodies, and the memory of the store. */
void grz_store_free(graze_scene *scene);

/* Writes a body to a used or reserved slot, and its derived data. The definition must be valid. `placed` is its
 * shape, with vertices from the lists of the scene. */
void grz_store_set(graze_scene *scene, size_t slot, const graze_body_def *def, const graze_placed *placed);

/* Update derived data: grz_store_stepped() after a step, which leaves the tree to the next step, and
 * grz_store_motion_changed() after a change of the motion. */
void grz_store_stepped(graze_scene *scene, size_t slot);
void grz_store_motion_changed(graze_scene *scene, size_t slot);

/* Computes the bounds of the motion during `time`. */
void grz_store_bound(graze_scene *scene, size_t slot, double time);

/* Returns whether the bounds of two bodies overlap. A half-space is tested itself against the bounds of the other
 * body. */
bool grz_store_bounds_meet(const graze_scene *scene, double time, size_t low, size_t high);

/* Removes void contacts. */
void grz_store_purge_contacts(graze_scene *scene);

/* Replaces the vertices of a polygon or hull by an equal list of the scene, and increments the number of its users.
 * Other shapes do not change. Returns false if memory runs out. */
bool grz_vertices_acquire(graze_scene *scene, graze_shape *shape);

/* Enlarges a buffer to `count` elements of `size` bytes and keeps its contents. Returns false if the allocation
 * fails; then nothing has changed. */
bool grz_scene_grow(graze_scene *scene, scene_buffer *buffer, size_t count, size_t size);

/* The same without space for more elements. */
bool grz_scene_reserve(graze_scene *scene, scene_buffer *buffer, size_t count, size_t size);

/* The number of slots for which the store has memory. */
static inline size_t scene_slot_capacity(const graze_scene *scene) {
  return scene->store.array[SCENE_RECORDS].capacity;
}

/* Runs the tasks, in the caller's parallel loop if there is one. */
void grz_scene_run(const graze_scene *scene, size_t count, void (*task)(void *data, size_t index), void *data);

/* ---- Validation (validate.c). `error`: NULL, or receives the reason */

/* The rule for bodies that move out of the range of coordinates. */
#define GRZ_SCENE_RANGE "must stay within coordinates of magnitude 1e40"

/* Reports that there is no such body. */
graze_status grz_scene_no_body(graze_error *error, graze_body body);

/* graze_check() with the names of the members of graze_body_def. */
graze_status grz_scene_check_shape(const graze_shape *shape, const graze_pose *pose, graze_error *error);

/* Validates the motion of a body. A static body does not move. */
graze_status grz_scene_check_motion(const graze_placed *placed, graze_body_type type, const graze_motion *motion,
                                    graze_error *error);

graze_status grz_scene_check_def(const graze_scene_def *def, graze_error *error);

/* Validates a body as graze_scene_add() does, and places its shape. */
graze_status grz_scene_validate(int dim, const graze_body_def *def, graze_placed *placed, graze_error *error);

graze_status grz_query_check_shape(const graze_scene *scene, const graze_placed *placed, graze_error *error);
graze_status grz_query_check_within(double within, graze_error *error);
graze_status grz_query_check_cast(const graze_placed *placed, const graze_motion *motion, double t_max,
                                  graze_error *error);
graze_status grz_query_check_ray(const graze_placed *point, const graze_motion *motion, double t_max,
                                 graze_error *error);
graze_status grz_query_check_box(const graze_scene *scene, const graze_aabb *box, graze_error *error);

#endif
