/* Graze: many bodies. Pairs, queries, continuous steps with events and response.
 *
 * A scene holds placed shapes under ids, knows which may meet (broad phase), and moves them from step to step so that
 * no contact on the way is missed. Whatever a pair of bodies is asked, graze_intersect(), graze_cast() and
 * graze_sweep() answer; the scene only leaves out pairs of which the bounds do not meet, and never one that matters.
 *
 *     graze_scene_create(NULL, NULL, &scene);            NULL: 3D; every status looked at, of course
 *     graze_body_def def = graze_default_body();         then def.shape, def.pose, def.motion, def.response …
 *     graze_scene_add(scene, &def, &body, NULL);
 *     graze_scene_step(scene, 1.0 / 60, &step);          step.events: who met, stayed in contact, parted
 *     graze_scene_placed(scene, body)->pose              where it is now
 *     graze_scene_destroy(scene);
 *
 * Lengths, times and angles are in the caller's units, angles in radians. In 2D all z are 0. Equal calls give equal
 * bits, whatever the number of threads. A scene owns memory: it comes from an allocator (NULL: malloc() and free()),
 * which is copied. When an allocation fails a function returns GRAZE_OUT_OF_MEMORY, nothing is leaked and the scene is
 * as it was. Functions that take a const scene may be called side by side; the others must be alone. */
#ifndef GRAZE_SCENE_H
#define GRAZE_SCENE_H

#include <graze/graze.h> /* and with it motion.h: graze_motion, graze_cast_result; in 2D `angular` is {0, 0, rate} */
#include <graze/parallel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_scene graze_scene;

/** @defgroup bodies Bodies
 * @{ */

/** The id of a body. It is never given twice: ids of bodies that are gone are refused with GRAZE_NO_BODY. A slot that
 * has given all its generations is not used again. What is restored is as it was: ids given since the snapshot are
 * gone, and are given again. To another scene an id is but two numbers: nothing tells that it is not one of its own. */
typedef struct graze_body {
  uint32_t slot;       /**< below the most bodies that there ever were at a time, and slots that are used up */
  uint32_t generation; /**< >= 1, by one more for every body in a slot; 0: no body */
} graze_body;

typedef enum graze_body_type {
  GRAZE_STATIC = 1, /**< does not move by itself; two of them are never a pair */
  GRAZE_KINEMATIC,  /**< moves as it is told; nothing pushes it */
  GRAZE_DYNAMIC     /**< responds to contacts */
} graze_body_type;

/** What a contact does to a dynamic body. */
typedef enum graze_response {
  GRAZE_RESPONSE_NONE = 0, /**< reported; it goes on as if nothing were there. Others respond to it as to a kinematic
                                body */
  GRAZE_RESPONSE_STOP,     /**< it stays where it met the other: velocity and angular velocity become 0 */
  GRAZE_RESPONSE_SLIDE, /**< it loses the speed towards the other, and keeps that along it. Its spin stays; what turns
                             against something parts from it a little faster, by some thousandth of ωρ·ωΔt (ρ its
                             reach), up to a 16th where the two meet again and again within the step */
  GRAZE_RESPONSE_BOUNCE /**< it is thrown back: `bounce` times the speed at which they met; the same of its spin */
} graze_response;

GRAZE_API const char *graze_response_text(graze_response response);

/** All there is to know of a body. Start from graze_default_body(). */
typedef struct graze_body_def {
  graze_shape shape; /**< convex or a compound; what it points to must outlive the body. Half-spaces do not turn and
                          are not dynamic */
  graze_pose pose;
  graze_motion motion; /**< of a static body: zero */
  graze_body_type type;
  uint64_t category, mask; /**< two bodies are a pair when each one's category has a bit of the other's mask */
  bool sensor;             /**< contacts are reported, and nothing responds to them */
  double margin;           /**< >= 0: it counts as in contact so far away already; those of both add up */
  graze_response response; /**< of a dynamic body */
  double mass;             /**< > 0; of dynamic bodies the heavier one gives way less */
  double bounce; /**< 0 … 1. Of two bodies that bounce the greater one counts; in graze_scene_move() the greater
                      of the moved body's and the other's, whatever their responses */
  void *user;    /**< the caller's */
} graze_body_def;

/** A 3D point at the origin: dynamic, category 1, all bits in the mask, no margin, no response, mass 1, bounce 1. */
GRAZE_API graze_body_def graze_default_body(void);

/** Start from graze_default_scene(). */
typedef struct graze_scene_def {
  int dim;             /**< 2 or 3: of all shapes. Default 3 */
  graze_cast_method method;  /**< for pairs of bodies. FCCD takes no rotation: such pairs use AUTO. Default AUTO */
  graze_cast_function cast;  /**< NULL: graze_cast(). For comparison, the cast of compare.h that pairs use: a scene misses
                                  what it misses. Pairs that it rejects as GRAZE_UNSUPPORTED use AUTO */
  void *cast_context;
  double skin;       /**< >= 0: how far from each other bodies stop that respond. 0, the default: 2^-16 of the reach of
                          the smaller one (from its origin to its farthest point). Where 2^-36 of the coordinates of
                          both is more, that */
  double push_speed; /**< >= 0: the fastest that bodies are pushed apart that overlap. Default 1e30: in one step */
  const graze_parallel
      *parallel; /**< copied: what it stands for must outlive the scene; NULL, the default: one thread */
} graze_scene_def;

GRAZE_API graze_scene_def graze_default_scene(void);

/** `def` may be NULL. GRAZE_BAD_OPTION: something in it is out of its range. */
GRAZE_API graze_status graze_scene_create(const graze_scene_def *def, const graze_allocator *allocator,
                                          graze_scene **scene);

/** NULL is allowed. */
GRAZE_API void graze_scene_destroy(graze_scene *scene);

/** Adds a body. The status of what is wrong with it, and `error` (may be NULL) says what: "mass", or another member of
 * `def`; "motion.velocity", "motion.angular" and the coordinate; "pose." or "shape." and what graze_check() says:
 * "pose.position", "pose.rotation", "shape.vertices" … GRAZE_DIM_MISMATCH: "shape.dim", where it is not the scene's.
 * GRAZE_UNSUPPORTED: "type", of a half-space that is dynamic. GRAZE_OUT_OF_MEMORY: "bodies", and how many there are. On
 * success it says GRAZE_OK. */
GRAZE_API graze_status graze_scene_add(graze_scene *scene, const graze_body_def *def, graze_body *body,
                                       graze_error *error);

/** Contacts of it end without an event. */
GRAZE_API graze_status graze_scene_remove(graze_scene *scene, graze_body body);

/** What a body is now. */
GRAZE_API graze_status graze_scene_get(const graze_scene *scene, graze_body body, graze_body_def *def);

/** Makes the body what `def` says, as if it were added; its id and its contacts stay. GRAZE_NO_BODY: "body", and the
 * slot. Status and `error` otherwise as graze_scene_add(). */
GRAZE_API graze_status graze_scene_set(graze_scene *scene, graze_body body, const graze_body_def *def,
                                       graze_error *error);

/** Puts a body somewhere, at once: what lies between is not looked at. Status as graze_set_pose(). */
GRAZE_API graze_status graze_scene_set_pose(graze_scene *scene, graze_body body, graze_pose pose);

/** GRAZE_BAD_OPTION for a static body that would move. Status otherwise as graze_sweep(). */
GRAZE_API graze_status graze_scene_set_motion(graze_scene *scene, graze_body body, const graze_motion *motion);

/** The body in its place, for any question; NULL: no such body. It stays until the scene is changed. */
GRAZE_API const graze_placed *graze_scene_placed(const graze_scene *scene, graze_body body);

GRAZE_API size_t graze_scene_count(const graze_scene *scene);

/** The body after this one, in the order of slots; after {0, 0}: the first. {0, 0} when there is no more. */
GRAZE_API graze_body graze_scene_next(const graze_scene *scene, graze_body after);
/** @} */

/** @defgroup steps Steps
 * @{ */

typedef enum graze_event_kind {
  GRAZE_EVENT_BEGIN = 1, /**< they were apart, and met */
  GRAZE_EVENT_STAY,      /**< they were in contact, and are */
  GRAZE_EVENT_END        /**< they were in contact, or met in this step, and are no more */
} graze_event_kind;

GRAZE_API const char *graze_event_text(graze_event_kind kind);

/** What became of a pair of bodies. In contact: they touch or overlap, or nobody can tell; margins count, and where
 * they respond eight skins. */
typedef struct graze_event {
  graze_event_kind kind;
  graze_body a, b; /**< a.slot < b.slot */
  graze_cast_outcome
      result;              /**< BEGIN: GRAZE_HIT, or GRAZE_POSSIBLE. STAY and END: GRAZE_HIT, and no times or points */
  double t_lower, t_upper; /**< BEGIN: the contact is in this bracket, from the beginning of the step; 0 where they
                                were put there. Otherwise 0 */
  graze_vec point, normal; /**< BEGIN: where they meet; unit, from A to B. NaN where that is not known */
  int32_t part_a, part_b;  /**< BEGIN: of compounds, the parts that meet */
} graze_event;

/** What a step did. */
typedef struct graze_step {
  const graze_event *events; /**< by a.slot, b.slot and kind; until the scene is changed, or a step is tried */
  size_t event_count;
  size_t pairs;     /**< that may be one, by masks and types, of which one moves or was put somewhere and the bounds
                       of their motions meet */
  size_t casts;     /**< how often a pair was asked when it meets */
  size_t responses; /**< how often a contact changed how bodies move */
  size_t stalled;   /**< bodies that met others 32 times, or 8 times getting nowhere, and wait for the next step where
                       they   are */
  size_t overlaps;  /**< pairs that respond and overlap at the end: they did at first, or were put so */
} graze_step;

/** Moves all bodies on by a time dt >= 0, in the order in which they meet, and says who met, stayed in contact and
 * parted. With dt = 0 only contacts are looked at. Of two bodies that respond neither enters the other: they stop short
 * of it by the skin, and go on as their response says; what bodies lose or gain is shared by their masses. This holds
 * for bodies that start in contact or inside their margins, too, and for each part of a compound, to the rounding of
 * poses (some 1e-14 of sizes and positions). If no motion of two such bodies can be proved safe, both wait. A kinematic
 * body, or a dynamic one without a response, waits where it would press one that responds into something. Bodies that
 * overlap at first are pushed apart along the shortest way, no faster than push_speed. `step` may be NULL.
 * GRAZE_BAD_OPTION: dt is not 0 … 1e40; GRAZE_BAD_NUMBER: a body would leave the numbers up to 1e40;
 * GRAZE_OUT_OF_MEMORY. Then the scene is as it was. A support function of the caller's that gives no numbers is no
 * failure: nobody can tell what it touches. */
GRAZE_API graze_status graze_scene_step(graze_scene *scene, double dt, graze_step *step);

/** The contact manifold of two bodies where they are: graze_manifold(). Where `options` (may be NULL) name no
 * max_distance, it is the distance at which the two count as in contact: their margins, and eight skins where they
 * respond. Masks, types and sensors are not regarded. GRAZE_BAD_OPTION: a is b; otherwise status as graze_manifold().
 */
GRAZE_API graze_status graze_scene_manifold(const graze_scene *scene, graze_body a, graze_body b,
                                            const graze_manifold_options *options, graze_answer *answer,
                                            graze_contact *contacts,
                                            size_t capacity, size_t *count);
/** @} */

/** @defgroup scene_queries Queries
 * Of all bodies where they are, margins not counted unless that is said. What is asked with is placed by the caller,
 * and may be a graze_part(); a half-space is not asked about half-spaces. Results go into the caller's array, in the
 * order of slots where nothing else is said. *count says how many there are; where they are more than `capacity`, the
 * first of them are written, and the status is GRAZE_NO_SPACE. `capacity` 0, with NULL, counts. Status otherwise as the
 * question about two shapes, judged even where there is nobody to be asked; where it is another one *count stays, and
 * the array has no meaning.
 * @{ */

/** Which bodies count; NULL: all. */
typedef struct graze_filter {
  uint64_t category, mask;                        /**< as of a body */
  graze_body except;                              /**< not this one; {0, 0}: none */
  bool sensors;                                   /**< sensors count, too */
  bool (*accept)(void *context, graze_body body); /**< NULL: all. Asked last, in no particular order, at most once for
                                                       every body; it must not change the scene */
  void *context;
} graze_filter;

/** Category 1, all bits in the mask, no exception, no sensors. */
GRAZE_API graze_filter graze_default_filter(void);

/** A body, and how far it is. */
typedef struct graze_neighbor {
  graze_body a, b;     /**< a: {0, 0} where the caller's shape is meant */
  graze_answer answer; /**< of graze_distance(), from a to b */
} graze_neighbor;

/** Bodies that meet the shape: touch or overlap it, or nobody can tell. */
GRAZE_API graze_status graze_scene_overlap(const graze_scene *scene, const graze_placed *placed,
                                           const graze_filter *filter, graze_body *bodies, size_t capacity,
                                           size_t *count);

/** Bodies of which the bounds, graze_bounds(), meet a box; half-spaces that meet it, or where that is not sure. Sides
 * of the box may be infinite. GRAZE_BAD_NUMBER: a NaN; GRAZE_BAD_OPTION: min is beyond max; GRAZE_DIM_MISMATCH: z in
 * 2D. */
GRAZE_API graze_status graze_scene_in_box(const graze_scene *scene, const graze_aabb *box, const graze_filter *filter,
                                          graze_body *bodies, size_t capacity, size_t *count);

/** Bodies that are not surely farther from the shape than `within` >= 0 (INFINITY: all). Answers are those of
 * graze_distance(), cut off beyond that. */
GRAZE_API graze_status graze_scene_within(const graze_scene *scene, const graze_placed *placed, double within,
                                          const graze_filter *filter, graze_neighbor *found, size_t capacity,
                                          size_t *count);

/** The `capacity` nearest of these, by answer.distance, then by slot; *count of them. That there are more is
 * GRAZE_OK. */
GRAZE_API graze_status graze_scene_nearest(const graze_scene *scene, const graze_placed *placed, double within,
                                           const graze_filter *filter, graze_neighbor *found, size_t capacity,
                                           size_t *count);

/** The `capacity` pairs of bodies, a.slot < b.slot, nearest to each other, not surely farther than `within`; by
 * answer.distance, then by slots; *count of them. Masks count, and two static ones, or two half-spaces, are no pair:
 * for clearances of what stands still let one of them be kinematic. */
GRAZE_API graze_status graze_scene_closest_pairs(const graze_scene *scene, double within, graze_neighbor *found,
                                                 size_t capacity, size_t *count);

/** Pairs of bodies, a.slot < b.slot, of which the bounds, grown by their margins, meet: the broad phase alone. By
 * slots; pairs are what they are for graze_scene_closest_pairs(). */
typedef struct graze_body_pair {
  graze_body a, b;
} graze_body_pair;
GRAZE_API graze_status graze_scene_pairs(const graze_scene *scene, graze_body_pair *pairs, size_t capacity,
                                         size_t *count);

/** The first body that the moving shape meets, bodies standing still: graze_sweep() with each of them. *body is {0, 0}
 * where it meets none, and *impact stays as it was; otherwise it is that with the first body: the one with the least
 * t_lower, so that until then nothing is met; of equals one that is surely hit, then the one with the lowest slot.
 * Bodies that are `possible` count. For a clearance give the shape a margin. The shape turns about its own position;
 * what swings about another point is asked about in stretches. */
GRAZE_API graze_status graze_scene_cast(const graze_scene *scene, const graze_placed *placed,
                                        const graze_motion *motion, double t_max, const graze_filter *filter,
                                        graze_body *body, graze_cast_result *impact);

/** The first body on a ray, in the same way: graze_raycast() with each of them. t is in units of `direction`. */
GRAZE_API graze_status graze_scene_raycast(const graze_scene *scene, graze_vec origin, graze_vec direction,
                                           double t_max, const graze_filter *filter, graze_body *body,
                                           graze_cast_result *impact);
/** @} */

/** @defgroup move Moving one body
 * @{ */

/** What a body does about another that it meets on its way. */
typedef enum graze_collision_response {
  GRAZE_COLLISION_IGNORE = 0, /**< as if it were not there */
  GRAZE_COLLISION_CROSS,      /**< reported, and gone through */
  GRAZE_COLLISION_TOUCH,      /**< it stops there */
  GRAZE_COLLISION_SLIDE,      /**< it goes on along it */
  GRAZE_COLLISION_BOUNCE      /**< it is thrown back */
} graze_collision_response;

/** Chooses for every body that may be met. */
typedef graze_collision_response (*graze_collision_function)(void *context, graze_body moved, graze_body other);

/** One body that was met. */
typedef struct graze_collision {
  graze_body other;
  graze_collision_response crossing; /**< what was done about it: TOUCH also where nobody can tell whether they meet */
  bool overlapped;                   /**< from the beginning: unless crossed, it is left by the shortest way */
  bool stuck;              /**< overlapped, and there was no way out: the body stays where it was, in it: crushed */
  bool stopped;            /**< the last meeting that was not crossed: some of the way was left, and it leads nowhere:
                                against a wall, in a corner, after 32 meetings, or 1024 stretches of a sixteenth of a
                                radian; also of a body at rest that is pulled to the floor */
  double t;                /**< how much of the way was behind it, 0 … 1 */
  graze_vec point, normal; /**< where; unit, from the moved body to the other. NaN where that is not known */
  graze_pose pose;         /**< of the moved body there */
} graze_collision;

/** Moves one body by a motion of one unit of time while all others stand still, in the manner of move-and-slide: every
 * body on its way is met as `choose` says (NULL: SLIDE along all), and none is passed unseen. Margins and masks count;
 * sensors, and all others where the moved body is one, are crossed. `choose` is asked once for every body that may be
 * met, in no particular order, and must not change the scene.
 *
 * Bodies it overlaps at first, unless ignored or crossed, are left first, by the shortest way out of all of them; they
 * come with t = 0. Then it goes on to the first body that it approaches, until the way ends. Of those it slides along
 * all that are still near count: in a corner it stops, in a crease it follows the crease. Bouncing is without loss
 * where either body's `bounce` is 1. A body that rests against another may leave it whatever the crossing. What it
 * only passes by, touching to 2^-36 of the positions, sizes and the way, is not met as long as it does not turn: so it
 * goes through a gap that is exactly as wide as it is, but not off a floor, a skin above which it stands, into one
 * that is as high: for that make it smaller by two skins. In 3D that also helps where there is some room, but less
 * than a skin. A corner that meets another one head-on ends the way, but for a skin aside: the next move gets by.
 *
 * It keeps its spin, and where that turns it against something it is put aside besides its own way: beside a wall as
 * far as that takes, to a hundredth of how far it reaches from its position, so a bar ends there by half its length;
 * out of the way of a corner for a sixteenth of a radian at a time. Wedged in, or where 32 stretches in a row lead no
 * further, it turns no more. What it turns against is told once, as long as the normal changes by less than 1/8 radian.
 * Each meeting and each stretch costs a sweep of all that is near; those of what turns by a skin from something curved,
 * or thousands of times round, are by far the dearest. Where one ends with GRAZE_STOP_BUDGET, or all of them take more
 * than 524,288 steps of GJK, it turns no more, and goes on its way without.
 *
 * Afterwards the body stands free, by about the scene's skin (a point against a point: by 2^-36 of the numbers), of
 * all that it slides along, touches or bounces off and that leaves it room; so a step, in which a skin counts only
 * where the two respond, need not call that a contact: of a body moved by this function look at its meetings. It
 * pushes nothing. Where there is no way out of what it overlaps, it stays where it was: graze_collision::stuck; after
 * 32 meetings or 1024 stretches, where it came to: graze_collision::stopped. Its motion member stays as it is.
 *
 * Meetings are in the order in which they came; *count of them, of which the first `capacity` are written: it is
 * GRAZE_OK where they are more. `meetings` may be NULL where capacity is 0. GRAZE_BAD_OPTION for a static body, and
 * where `choose` says what is no crossing; otherwise status as graze_scene_set_motion(). Then nothing was moved. */
GRAZE_API graze_status graze_scene_move(graze_scene *scene, graze_body body, const graze_motion *motion,
                                        graze_collision_function choose, void *context, graze_collision *meetings,
                                        size_t capacity, size_t *count);
/** @} */

/** @defgroup snapshots Snapshots
 * All that a scene's future depends on, as bytes: bodies with their ids and shapes, contacts, definition. The same on
 * every machine. Restored, and stepped alike, the same bits come out.
 * @{ */

/** How many bytes a snapshot of the scene has now. */
GRAZE_API size_t graze_scene_snapshot_size(const graze_scene *scene);

/** Writes it. GRAZE_NO_SPACE: *size says how many bytes it takes. */
GRAZE_API graze_status graze_scene_save(const graze_scene *scene, void *bytes, size_t capacity, size_t *size);

/** Makes the scene what it was when saved. Vertices that the body of the same id does not have are copied, each list
 * once, and stay where they are until the scene is destroyed, whatever becomes of the body; shapes that hold pointers
 * which bytes cannot carry (compounds, support functions) must be those of a body that is in the scene under the same
 * id: otherwise GRAZE_UNSUPPORTED. User pointers come back as they were saved. The definition (dim, method, skin …) is
 * that of the snapshot; `parallel` stays the scene's. GRAZE_BAD_DATA: not a snapshot, of
 * another version, or damaged; `error` (may be NULL) says what it was ("checksum", "mass", "vertices" …), its value,
 * and, of bodies, the slot as the index. Then, too, the scene is as it was. Whatever the bytes say, memory is at most
 * ten times their number. */
GRAZE_API graze_status graze_scene_restore(graze_scene *scene, const void *bytes, size_t size, graze_error *error);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
