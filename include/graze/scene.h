/* Graze scenes: many bodies, queries about them, and steps that move them.
 *
 * A scene stores bodies in a bounding-volume tree. graze_scene_step() moves all bodies by one time step with continuous
 * collision detection, so fast bodies do not tunnel. It handles contacts in the order of their times, and reports an
 * event when a contact begins, persists or ends.
 *
 *     graze_scene *scene;
 *     graze_scene_create(NULL, NULL, &scene, NULL);      NULL: 3D, malloc() and free(). Check every status.
 *     graze_body_def def = graze_default_body();         then def.shape, def.pose, def.motion …
 *     graze_scene_add(scene, &def, &body, NULL);
 *     graze_scene_step(scene, 1.0 / 60, &step, NULL);    step.events: contacts that began, persisted, ended
 *     graze_scene_placed(scene, body)->pose              where the body is now
 *     graze_scene_destroy(scene);
 *
 * Lengths and times are in units of the caller, angles in radians. In 2D all z are 0. Equal calls return equal bits,
 * whatever the number of threads. If an allocation fails, a function returns GRAZE_OUT_OF_MEMORY and changes nothing.
 * Functions with a const scene may run at the same time; all others need exclusive access to the scene.
 *
 * The guide: docs/guide/scenes.md. Why no contact is missed: docs/theory/scene.md. */
#ifndef GRAZE_SCENE_H
#define GRAZE_SCENE_H

#include <graze/graze.h> /* includes motion.h: graze_motion, graze_cast_result */
#include <graze/parallel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_scene graze_scene;

/** @defgroup bodies Bodies
 * @{ */

/** The id of a body. Functions reject the id of a removed body with GRAZE_NO_BODY. Ids of another scene are not
 * detected. Restoring a snapshot invalidates ids created after the snapshot; they may be reissued. */
typedef struct graze_body {
  uint32_t slot;       /**< index of the body's storage; slots of removed bodies are used again */
  uint32_t generation; /**< >= 1: counts the bodies of the slot. 0: no body */
} graze_body;

typedef enum graze_body_type {
  GRAZE_STATIC = 1, /**< does not move; two static bodies are not a pair */
  GRAZE_KINEMATIC,  /**< moves by its motion; contacts do not change it */
  GRAZE_DYNAMIC     /**< contacts change its motion */
} graze_body_type;

/** How a contact changes the motion of a dynamic body. */
typedef enum graze_response {
  GRAZE_RESPONSE_NONE = 0, /**< not at all; other bodies treat it as a kinematic body */
  GRAZE_RESPONSE_STOP,     /**< velocity and angular velocity become 0 */
  GRAZE_RESPONSE_SLIDE,    /**< loses the velocity along the contact normal; keeps its spin */
  GRAZE_RESPONSE_BOUNCE    /**< reverses the velocity along the contact normal, times `bounce`; keeps its spin */
} graze_response;

GRAZE_API const char *graze_response_text(graze_response response);

/** The definition of a body. Start from graze_default_body(). */
typedef struct graze_body_def {
  graze_shape shape; /**< convex, a compound or a mesh. Half-spaces must not rotate and must not be dynamic */
  graze_pose pose;
  graze_motion motion; /**< zero for a static body; 2D: angular is (0, 0, rate) */
  graze_body_type type;
  uint64_t category, mask; /**< two bodies are a pair if each category shares a bit with the other mask */
  bool sensor;             /**< contacts are reported, but nothing responds to them */
  double margin;           /**< >= 0: the body counts as in contact from this distance on; margins of a pair add up */
  graze_response response; /**< of a dynamic body */
  double mass;             /**< > 0: the response is shared in inverse proportion to the masses */
  double bounce;           /**< 0 … 1: restitution. The larger one of a pair is used */
  void *user;              /**< for the caller: graze_body_user() */
} graze_body_def;

/** A dynamic 3D point at the origin that slides: category 1, all bits of the mask, no margin, mass 1, bounce 1. */
GRAZE_API graze_body_def graze_default_body(void);

/** The definition of a scene. Start from graze_default_scene(). */
typedef struct graze_scene_def {
  int dim;                  /**< 2 or 3. Default 3 */
  graze_cast_method method; /**< of casts. FCCD does not support rotation; pairs that rotate use AUTO. Default AUTO */
  graze_cast_function cast; /**< NULL: graze_cast(). Otherwise a cast of compare.h, for comparison; contacts that it
                               misses have no effect. Pairs that it rejects as GRAZE_UNSUPPORTED use AUTO */
  void *cast_context;
  double skin;       /**< >= 0: the gap at which responding bodies stop. Default 0: 2^-16 of the bounding radius of
                          the smaller body. At least 2^-36 of the coordinates */
  double push_speed; /**< >= 0: the largest speed at which overlapping bodies are separated. Default 1e30 */
  const graze_parallel *parallel; /**< copied; its context must outlive the scene. Default NULL: one thread */
} graze_scene_def;

GRAZE_API graze_scene_def graze_default_scene(void);

/** Creates a scene.
 *
 * @param def        NULL: defaults.
 * @param allocator  NULL: malloc() and free(). Copied.
 * @param error      NULL, or receives the member of `def` that is out of range ("skin" …) and its value.
 * @return GRAZE_BAD_OPTION, GRAZE_OUT_OF_MEMORY. */
GRAZE_API graze_status graze_scene_create(const graze_scene_def *def, const graze_allocator *allocator,
                                          graze_scene **scene, graze_error *error);

/** Frees a scene and all of its bodies. NULL is allowed. */
GRAZE_API void graze_scene_destroy(graze_scene *scene);

/** Adds a body.
 *
 * The vertices of polygons and hulls are copied; bodies with equal vertices share one copy. Compounds, and the context
 * of support functions, are not copied: they must outlive the body.
 *
 * @param error  NULL, or receives the wrong member of `def` as the caller writes it ("mass", "pose.rotation",
 *               "motion.velocity", "shape.radius"), its value, and the coordinate or vertex as the index.
 * @return as graze_check(); GRAZE_DIM_MISMATCH: not the dimension of the scene; GRAZE_UNSUPPORTED: a dynamic or turning
 *         half-space; GRAZE_BAD_OPTION: another member is out of range; GRAZE_OUT_OF_MEMORY. */
GRAZE_API graze_status graze_scene_add(graze_scene *scene, const graze_body_def *def, graze_body *body,
                                       graze_error *error);

/** Removes a body and frees its copy of the vertices. Its contacts end without an event. */
GRAZE_API graze_status graze_scene_remove(graze_scene *scene, graze_body body);

/** Returns the current definition of a body. Vertices in it belong to the scene, until the body is removed or gets
 * another shape. */
GRAZE_API graze_status graze_scene_get(const graze_scene *scene, graze_body body, graze_body_def *def);

/** Replaces the definition of a body. Its id and its contacts stay. Status and error as graze_scene_add(). For
 * GRAZE_NO_BODY the error is "body" with the slot as the value. */
GRAZE_API graze_status graze_scene_set(graze_scene *scene, graze_body body, const graze_body_def *def,
                                       graze_error *error);

/** Places a body and ignores contacts on the path. Status as graze_set_pose(); error as graze_scene_set(). */
GRAZE_API graze_status graze_scene_set_pose(graze_scene *scene, graze_body body, graze_pose pose, graze_error *error);

/** Sets the motion of a body. GRAZE_BAD_OPTION: a static body does not move. Otherwise the status is that of
 * graze_cast(). Error as graze_scene_set(). */
GRAZE_API graze_status graze_scene_set_motion(graze_scene *scene, graze_body body, const graze_motion *motion,
                                              graze_error *error);

/** Returns the placed shape of a body, for queries of two shapes. NULL: no such body. Valid until the scene changes. */
GRAZE_API const graze_placed *graze_scene_placed(const graze_scene *scene, graze_body body);

/** Returns graze_body_def::user. NULL: no such body. */
GRAZE_API void *graze_body_user(const graze_scene *scene, graze_body body);

/** Returns the number of bodies. */
GRAZE_API size_t graze_scene_count(const graze_scene *scene);

/** Returns the next body in the order of slots; after {0, 0} the first one. {0, 0}: there are no more. */
GRAZE_API graze_body graze_scene_next(const graze_scene *scene, graze_body after);
/** @} */

/** @defgroup steps Steps
 * @{ */

typedef enum graze_event_kind {
  GRAZE_EVENT_BEGIN = 1, /**< a contact began */
  GRAZE_EVENT_STAY,      /**< a contact of the last step persists */
  GRAZE_EVENT_END        /**< a contact ended; it may have begun in this step */
} graze_event_kind;

GRAZE_API const char *graze_event_text(graze_event_kind kind);

/** A change of the contact of two bodies. Two bodies are in contact if they touch or overlap, or if their relation is
 * undecided. The distance for contact includes the margins, and eight skins for responding pairs. */
typedef struct graze_event {
  graze_event_kind kind;
  graze_body a, b;            /**< a.slot < b.slot */
  graze_cast_outcome outcome; /**< BEGIN: GRAZE_HIT or GRAZE_POSSIBLE; otherwise GRAZE_HIT */
  double t_lower, t_upper;    /**< BEGIN: an interval of the step that contains the contact time; otherwise 0 */
  graze_vec point, normal;    /**< BEGIN: the contact point; unit normal from A to B. NaN: not known */
  int32_t part_a, part_b;     /**< BEGIN: of compounds and meshes, the parts in contact */
} graze_event;

/** The results of a step. */
typedef struct graze_step {
  const graze_event *events; /**< sorted by a.slot, b.slot and kind; valid until the scene changes or the next step */
  size_t event_count;
  size_t pairs;     /**< candidate pairs: a body moved or was placed, and the bounds of both motions overlap */
  size_t casts;     /**< queries about when two bodies collide */
  size_t responses; /**< contacts that changed a motion */
  size_t stalled;   /**< bodies that stand still until the next step, after 32 contacts or 8 without progress */
  size_t overlaps;  /**< responding pairs that overlap at the end of the step; they also overlapped at its start */
} graze_step;

/** Moves all bodies by a time dt and reports the contacts.
 *
 * Responding bodies do not enter each other: they stop one skin before the contact, change their motion, and continue.
 * If no safe motion is found, both stand still until the next step. Bodies that overlap at first are separated along
 * the shortest direction.
 *
 * @param dt    0 … 1e40. With 0 nothing moves, and only contacts are updated.
 * @param step  NULL, or receives the results.
 * @param error NULL, or receives "dt" and its value, "memory", or "body" and the slot of a body that leaves the range
 * or that graze_scene_def::cast rejects.
 * @return GRAZE_BAD_OPTION: dt is out of range; GRAZE_BAD_NUMBER: a body would leave the range of coordinates;
 *         GRAZE_OUT_OF_MEMORY. Otherwise the status of graze_scene_def::cast. On failure the scene is unchanged.
 *
 * Details of responses, margins and stalled bodies: docs/guide/scenes.md, "Steps". */
GRAZE_API graze_status graze_scene_step(graze_scene *scene, double dt, graze_step *step, graze_error *error);

/** Computes the contact points of two bodies where they are: graze_manifold(). Filters and sensors are ignored.
 *
 * @param options  NULL: defaults. NULL also sets speculative_distance to the distance at which the two bodies count as
 *                 in contact.
 * @return GRAZE_NO_BODY; GRAZE_BAD_OPTION: a is b; otherwise as graze_manifold(). */
GRAZE_API graze_status graze_scene_manifold(const graze_scene *scene, graze_body a, graze_body b,
                                            const graze_manifold_options *options, graze_answer *answer,
                                            graze_contact *contacts, size_t capacity, size_t *count);
/** @} */

/** @defgroup scene_queries Queries
 * Queries use the current poses of the bodies. Margins of bodies count only where stated. The query shape is placed by
 * the caller and may be a graze_part(). Pairs of two half-spaces are skipped.
 *
 * Functions that fill an array write at most `capacity` results, sorted by slot unless stated otherwise. *count
 * receives the number of all results. If there are more than `capacity`, the first ones are written and the status is
 * GRAZE_NO_SPACE. With `capacity` 0 the array may be NULL: the query counts. Otherwise the function returns the status
 * of the query of two shapes, which is validated even if the scene is empty. After such a failure *count is unchanged,
 * and the contents of the array are unspecified. `error`: NULL, or receives the reason: the parameter ("within",
 * "box.max", "motion.velocity", "shape.radius" …), its value and the rule.
 * @{ */

/** Selects bodies. NULL instead of a filter: all bodies. */
typedef struct graze_filter {
  uint64_t category, mask; /**< as of a body */
  graze_body except;       /**< a body to exclude; {0, 0}: none */
  bool sensors;            /**< whether sensors are included */
  /** NULL, or decides about a body. Called at most once per body, in no particular order; must not change the scene. */
  bool (*accept)(void *context, graze_body body);
  void *context;
} graze_filter;

/** Category 1, all bits of the mask, no exception, no sensors. */
GRAZE_API graze_filter graze_default_filter(void);

/** A body, and its distance. */
typedef struct graze_neighbor {
  graze_body a, b;     /**< a: {0, 0} if it is the query shape */
  graze_answer answer; /**< of graze_distance(), from a to b */
} graze_neighbor;

/** A body, and the first contact with it. */
typedef struct graze_body_hit {
  graze_body body;
  graze_cast_result result;
} graze_body_hit;

/** Finds the bodies that touch or overlap a shape, or may do so: all whose relation is not GRAZE_SEPARATED. */
GRAZE_API graze_status graze_scene_overlap(const graze_scene *scene, const graze_placed *placed,
                                           const graze_filter *filter, graze_body *bodies, size_t capacity,
                                           size_t *count, graze_error *error);

/** Finds one body that touches or overlaps a shape, or may do so. Stops at the first one. *body is {0, 0} if there is
 * none. If there are several, it is unspecified which one is returned. */
GRAZE_API graze_status graze_scene_overlap_any(const graze_scene *scene, const graze_placed *placed,
                                               const graze_filter *filter, graze_body *body, graze_error *error);

/** Finds the bodies whose bounds (graze_bounds()) overlap a box, and the half-spaces that overlap it or may do so.
 *
 * @param box  sides may be infinite.
 * @return GRAZE_BAD_NUMBER: a NaN; GRAZE_BAD_OPTION: min > max; GRAZE_DIM_MISMATCH: z != 0 in 2D. */
GRAZE_API graze_status graze_scene_in_box(const graze_scene *scene, const graze_aabb *box, const graze_filter *filter,
                                          graze_body *bodies, size_t capacity, size_t *count, graze_error *error);

/** Finds the bodies that are, or may be, within a distance of a shape.
 *
 * @param within     >= 0; INFINITY: all bodies.
 * @param neighbors  receives the bodies and their distances. */
GRAZE_API graze_status graze_scene_within(const graze_scene *scene, const graze_placed *placed, double within,
                                          const graze_filter *filter, graze_neighbor *neighbors, size_t capacity,
                                          size_t *count, graze_error *error);

/** As graze_scene_within(), but finds the `capacity` nearest bodies, sorted by answer.distance, then by slot. More
 * bodies are no error: *count is the number of bodies written. */
GRAZE_API graze_status graze_scene_nearest(const graze_scene *scene, const graze_placed *placed, double within,
                                           const graze_filter *filter, graze_neighbor *neighbors, size_t capacity,
                                           size_t *count, graze_error *error);

/** Finds the `capacity` nearest pairs of bodies within a distance, a.slot < b.slot, sorted by answer.distance, then by
 * slots. Type, category and mask select the pairs; two static bodies, or two half-spaces, are not a pair. More pairs
 * are no error: *count is the number of pairs written. */
GRAZE_API graze_status graze_scene_closest_pairs(const graze_scene *scene, double within, graze_neighbor *pairs,
                                                 size_t capacity, size_t *count, graze_error *error);

typedef struct graze_body_pair {
  graze_body a, b;
} graze_body_pair;

/** Finds the pairs of bodies whose bounds, grown by their margins, meet (broad phase), a.slot < b.slot, sorted by
 * slots. Pairs are those of graze_scene_closest_pairs(). */
GRAZE_API graze_status graze_scene_pairs(const graze_scene *scene, graze_body_pair *pairs, size_t capacity,
                                         size_t *count);

/** Finds the first body that a moving shape touches, while all bodies are at rest: graze_cast() with each body.
 *
 * The earliest t_lower wins. On ties, GRAZE_HIT wins over GRAZE_POSSIBLE, then the lower slot. The shape turns about
 * its own position. A margin of the shape acts as a clearance.
 *
 * @param body    receives the body; {0, 0}: none.
 * @param result  receives the contact; unchanged if there is none. */
GRAZE_API graze_status graze_scene_cast(const graze_scene *scene, const graze_placed *placed,
                                        const graze_motion *motion, double t_max, const graze_filter *filter,
                                        graze_body *body, graze_cast_result *result, graze_error *error);

/** As graze_scene_cast(), but stops at any body that the shape meets, or may meet, which need not be the first one.
 * `result` may be NULL. */
GRAZE_API graze_status graze_scene_cast_any(const graze_scene *scene, const graze_placed *placed,
                                            const graze_motion *motion, double t_max, const graze_filter *filter,
                                            graze_body *body, graze_cast_result *result, graze_error *error);

/** As graze_scene_cast(), but finds all bodies that the shape meets, or may meet, each as if it were alone. Sorted by
 * t_lower, then by slot. */
GRAZE_API graze_status graze_scene_cast_all(const graze_scene *scene, const graze_placed *placed,
                                            const graze_motion *motion, double t_max, const graze_filter *filter,
                                            graze_body_hit *hits, size_t capacity, size_t *count, graze_error *error);

/** Finds the first body on a ray: graze_raycast() with each body. t is in units of `direction`. Otherwise as
 * graze_scene_cast(). */
GRAZE_API graze_status graze_scene_raycast(const graze_scene *scene, graze_vec origin, graze_vec direction,
                                           double t_max, const graze_filter *filter, graze_body *body,
                                           graze_cast_result *result, graze_error *error);

/** As graze_scene_raycast(), but stops at any body on the ray: a test of visibility. `result` may be NULL. */
GRAZE_API graze_status graze_scene_raycast_any(const graze_scene *scene, graze_vec origin, graze_vec direction,
                                               double t_max, const graze_filter *filter, graze_body *body,
                                               graze_cast_result *result, graze_error *error);

/** As graze_scene_raycast(), but finds all bodies on the ray. Sorted by t_lower, then by slot. */
GRAZE_API graze_status graze_scene_raycast_all(const graze_scene *scene, graze_vec origin, graze_vec direction,
                                               double t_max, const graze_filter *filter, graze_body_hit *hits,
                                               size_t capacity, size_t *count, graze_error *error);
/** @} */

/** @defgroup move Moving one body
 * @{ */

/** The response of a moved body to another body. */
typedef enum graze_collision_response {
  GRAZE_COLLISION_IGNORE = 0, /**< passes through; not reported */
  GRAZE_COLLISION_CROSS,      /**< passes through; reported */
  GRAZE_COLLISION_TOUCH,      /**< stops */
  GRAZE_COLLISION_SLIDE,      /**< slides along it */
  GRAZE_COLLISION_BOUNCE      /**< bounces off it */
} graze_collision_response;

/** Chooses the response to another body. */
typedef graze_collision_response (*graze_collision_function)(void *context, graze_body moved, graze_body other);

/** A collision of a moved body. */
typedef struct graze_collision {
  graze_body other;
  graze_collision_response response; /**< as chosen; TOUCH also if the normal is not known */
  bool overlapped;                   /**< the two overlapped at first */
  bool stuck;              /**< the two overlapped, and no direction separates them: the body stays where it was */
  bool stopped;            /**< the last collision that is not CROSS, if it ended the motion early */
  double t;                /**< the fraction of the motion that was done, 0 … 1 */
  graze_vec point, normal; /**< contact point; unit normal from the moved body to the other. NaN: not known */
  graze_pose pose;         /**< of the moved body at the collision */
} graze_collision;

/** Moves one body by a motion of one unit of time, while all others are at rest: "move and slide" for characters.
 *
 * First the body leaves the bodies that it overlaps, by the shortest displacement. Then it moves from contact to
 * contact, and responds to each as `choose` decides. It ends about one skin away from everything that it does not
 * cross. Nothing is pushed, and the motion of its definition is unchanged.
 *
 * @param choose      NULL: SLIDE along all bodies. Called once for each body that may be met, in no particular order;
 *                    must not change the scene. Sensors, and all bodies if the moved one is a sensor, are crossed.
 * @param collisions  receives at most `capacity` collisions, in the order of time; NULL if capacity is 0.
 * @param count       receives the number of all collisions. More than `capacity` are no error.
 * @param error       NULL, or receives the reason, as graze_scene_set_motion().
 * @return GRAZE_BAD_OPTION: a static body, or `choose` returned no response; otherwise as graze_scene_set_motion(). On
 *         failure nothing moved.
 *
 * Corners, gaps, turning bodies and limits: docs/guide/scenes.md, "Moving one body". */
GRAZE_API graze_status graze_scene_move(graze_scene *scene, graze_body body, const graze_motion *motion,
                                        graze_collision_function choose, void *context, graze_collision *collisions,
                                        size_t capacity, size_t *count, graze_error *error);
/** @} */

/** @defgroup snapshots Snapshots
 * The state of a scene as bytes: definition, bodies with their ids and shapes, contacts. The bytes are the same on
 * every machine. A restored scene continues with the same bits.
 * @{ */

/** Returns the size of a snapshot in bytes. */
GRAZE_API size_t graze_scene_snapshot_size(const graze_scene *scene);

/** Writes a snapshot. *size receives its size; GRAZE_NO_SPACE: `capacity` is smaller. */
GRAZE_API graze_status graze_scene_save(const graze_scene *scene, void *bytes, size_t capacity, size_t *size);

/** Restores the state of a snapshot.
 *
 * Compounds and support functions are not in the bytes: they are taken from the body with the same id. The parallel
 * loop of the scene stays. User pointers are those at the time of saving.
 *
 * @param error  NULL, or receives the name of the wrong entry ("checksum", "mass", "vertices" …), its value, and the
 *               slot as the index.
 * @return GRAZE_BAD_DATA: not a snapshot, another version, or damaged; GRAZE_UNSUPPORTED: a compound, a mesh or support
 *         function is missing; GRAZE_OUT_OF_MEMORY. On failure the scene is unchanged. Bytes of unknown origin are
 *         safe: a restored scene takes at most ten times their size in memory. */
GRAZE_API graze_status graze_scene_restore(graze_scene *scene, const void *bytes, size_t size, graze_error *error);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
