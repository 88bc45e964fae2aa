/* Graze: collision detection in 2D and 3D. A query returns a number and an interval that contains the true number. On
 * request it returns a certificate, which a small verifier checks exactly.
 *
 * Queries about two convex shapes A and B are computed on their configuration-space obstacle (CSO, Minkowski
 * difference) C = { a - b : a in A, b in B }. A and B intersect if C contains the origin. Their distance is the
 * distance of C from the origin. Their penetration depth is the depth of the origin in C.
 *
 * Units are the caller's. Coordinates and directions are in the world frame; "local" means the frame of the shape
 * before its pose. In 2D all z are 0. Angles are radians. Queries do not allocate. The library has no mutable global
 * state and needs no initialisation. Const objects may be shared between threads.
 *
 * Other headers: motion.h and certificate.h (included here), trace.h (steps of a query), build.h (hulls, boxes,
 * polygons), mesh.h (meshes), batch.h (arrays of pairs), scene.h (many bodies), compare.h (reference methods). Guides:
 * docs/guide/. */
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(GRAZE_SHARED)
#if defined(GRAZE_BUILDING)
#define GRAZE_API __declspec(dllexport)
#else
#define GRAZE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define GRAZE_API __attribute__((visibility("default")))
#else
#define GRAZE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup version Version
 * @{ */
#define GRAZE_VERSION_MAJOR 0
#define GRAZE_VERSION_MINOR 2
#define GRAZE_VERSION_PATCH 0
#define GRAZE_VERSION "0.2.0"

/** Returns the version of the linked library, for instance "0.2.0"; GRAZE_VERSION is the version of this header. */
GRAZE_API const char *graze_version(void);
/** @} */

/** @defgroup status Status and errors
 * @{ */

/** The status of a call. If it is not GRAZE_OK, results are unchanged unless the function states otherwise. */
typedef enum graze_status {
  GRAZE_OK = 0,
  GRAZE_BAD_NUMBER,    /**< a number is NaN, infinite, or larger than GRAZE_LARGEST in magnitude */
  GRAZE_BAD_SHAPE,     /**< a negative radius, extent or margin; no vertices; a zero quaternion; a zero normal … */
  GRAZE_NOT_CONVEX,    /**< a polygon that is not convex */
  GRAZE_NOT_SIMPLE,    /**< an outline that crosses itself, or has a hole that is not inside it */
  GRAZE_DIM_MISMATCH,  /**< a 2D shape with a 3D shape, or a 3D pose or direction for a 2D shape */
  GRAZE_BAD_OPTION,    /**< an option out of its range: a negative clearance or tolerance, a NaN … */
  GRAZE_UNSUPPORTED,   /**< the query is not defined for these shapes, for instance for two half-spaces */
  GRAZE_NO_SPACE,      /**< an array or buffer of the caller is too small for the result */
  GRAZE_OUT_OF_MEMORY, /**< an allocation failed; nothing is leaked and nothing has changed */
  GRAZE_REFUTED,       /**< graze_verify: the certificate or the interval is wrong */
  GRAZE_UNPROVEN,      /**< graze_verify: the answer states something that its certificate does not prove */
  GRAZE_NO_BODY,       /**< a scene has no body with this id */
  GRAZE_BAD_DATA       /**< bytes that are not a snapshot, are damaged, or come from another version */
} graze_status;

/** Returns one line of English for a status; never NULL. */
GRAZE_API const char *graze_status_text(graze_status status);

/** The largest magnitude of any number that Graze accepts. Subnormal numbers are accepted, and are exact. */
#define GRAZE_LARGEST 1e40

/** Names the input that was rejected, for a message such as "a.half_extents[1] = -2 (must be >= 0)". */
typedef struct graze_error {
  graze_status status;
  const char *what;    /**< the name of the parameter: "radius", "vertices", "position" … */
  ptrdiff_t index;     /**< the element of the parameter (a vertex, a coordinate); -1 if there is only one */
  double value;        /**< the rejected number; 0 if there is none */
  const char *owner;   /**< "a" or "b" in queries about two shapes; otherwise "" */
  const char *allowed; /**< the rule that the input breaks: "must be >= 0"; never NULL after a failed call */
} graze_error;
/** @} */

/** @defgroup memory Memory
 * Functions that own memory take an allocator. NULL stands for malloc() and free().
 * @{ */
typedef struct graze_allocator {
  void *(*allocate)(void *context, size_t size); /**< aligned like malloc(); NULL if there is no memory */
  void (*release)(void *context, void *memory);  /**< releases a result of allocate(); never called with NULL */
  void *context;
} graze_allocator;
/** @} */

/** @defgroup vectors Vectors and poses
 * @{ */

/** A point or direction; z is 0 in 2D. */
typedef struct graze_vec {
  double x, y, z;
} graze_vec;

/** A rigid placement: x -> R(q) x + position.
 *
 * q = (w, x, y, z) is any nonzero quaternion of any length. R(q) = M(q) / (q·q) is exactly orthonormal, and all answers
 * refer to this rotation in real arithmetic. In 2D x = y = 0, and (w, z) is the half-angle pair: cosine and sine of
 * half the angle, times any common length. */
typedef struct graze_pose {
  graze_vec position;
  double w, x, y, z;
} graze_pose;

/** Returns the identity: the origin without rotation. */
GRAZE_API graze_pose graze_pose_identity(void);

/** Returns a pose without rotation. */
GRAZE_API graze_pose graze_pose_at(double x, double y, double z);

/** Returns a 3D pose from a position and a quaternion (w, x, y, z) of any nonzero length. */
GRAZE_API graze_pose graze_pose3(graze_vec position, double w, double x, double y, double z);

/** Returns a 2D pose rotated counter-clockwise by `angle` radians; see graze_half_angle(). */
GRAZE_API graze_pose graze_pose2(double x, double y, double angle);

/** Returns a 3D pose rotated by `angle` radians about `axis` (any nonzero length). */
GRAZE_API graze_pose graze_pose_axis_angle(graze_vec position, graze_vec axis, double angle);

/** Returns a pose from a rotation matrix, row by row. The matrix is rounded to the nearest quaternion direction; a
 * matrix that is not a rotation gives an unspecified rotation. If `dim` is 2, only rotation[0] and rotation[3] are
 * read. */
GRAZE_API graze_pose graze_pose_matrix(graze_vec position, const double rotation[9], int dim);

/** Writes R(q), row by row, rounded to a few ulps. Precondition: a nonzero quaternion. */
GRAZE_API void graze_pose_rotation(const graze_pose *pose, double rotation[9]);

/** Returns the inverse of a pose, rounded. */
GRAZE_API graze_pose graze_pose_inverse(const graze_pose *pose);

/** Returns x -> outer(inner(x)), rounded: the pose in the world of a part with pose `inner` in the frame `outer`. */
GRAZE_API graze_pose graze_pose_compose(const graze_pose *outer, const graze_pose *inner);

/** Returns the world position of a local point, rounded. */
GRAZE_API graze_vec graze_pose_apply(const graze_pose *pose, graze_vec local);

/** Converts an angle to its half-angle pair: *w = cos(angle/2), *z = sin(angle/2), each within 1 ulp, with the same
 * bits on every machine. If |angle| > GRAZE_LARGEST, both become NaN. */
GRAZE_API void graze_half_angle(double angle, double *w, double *z);
/** @} */

/** @defgroup shapes Shapes
 * Shapes are plain values. Constructors do not validate. graze_check() does, and every query rejects the same shapes.
 * @{ */

typedef enum graze_shape_kind {
  GRAZE_POINT = 1,
  GRAZE_SEGMENT,
  GRAZE_TRIANGLE,
  GRAZE_BOX,
  GRAZE_POLYGON,
  GRAZE_HULL,
  GRAZE_SPHERE,    /**< in 2D a circle */
  GRAZE_CAPSULE,   /**< core segment along local z (2D: local x) */
  GRAZE_ELLIPSOID, /**< in 2D an ellipse */
  GRAZE_CYLINDER,  /**< along local z; 3D */
  GRAZE_CONE,      /**< apex at +half_length on local z, base disk at -half_length; 3D */
  GRAZE_HALFSPACE, /**< the points with (normal/|normal|)·x <= offset */
  GRAZE_USER,      /**< a support function of the caller */
  GRAZE_COMPOUND,  /**< placed convex parts; see graze_compound_create() */
  GRAZE_MESH       /**< triangles, in 2D edges; see mesh.h */
} graze_shape_kind;

/** A support function of the caller.
 *
 * It sets *point to a point of the shape, in the local frame, that is nearly farthest along the local `direction`
 * (never zero, any length). It returns a bound e >= 0 such that no point of the shape is farther than direction·point +
 * e·|direction|. It must be deterministic. Answers about such a shape rely on this and set graze_answer::conditional.
 */
typedef double (*graze_support_function)(void *context, graze_vec direction, graze_vec *point);

/** The edges of a hull: vertex v is joined to neighbor[start[v]] … neighbor[start[v + 1] - 1]. Every index must be in
 * range. For hulls with at least 1024 vertices, graze_hull_create() also stores start vertices, and support points are
 * found by hill climbing. Adjacency changes the speed of an answer, never its relation. */
typedef struct graze_adjacency {
  const int32_t *start, *neighbor; /**< NULL: unknown */
  const int32_t *seed;             /**< private: a start vertex for every cell of directions; NULL: too few vertices */
  int32_t seed_rank;               /**< private: the resolution of these cells */
} graze_adjacency;

/** Convex parts in one frame. */
typedef struct graze_compound graze_compound;

/** Triangles in one frame, in 2D edges: mesh.h. */
typedef struct graze_mesh graze_mesh;

/** A convex shape, a compound of convex shapes, or a mesh, in its own frame. */
typedef struct graze_shape {
  graze_shape_kind kind;
  int dim;       /**< 2 or 3 */
  double margin; /**< >= 0: the shape is rounded by a ball of this radius */
  union {
    struct {
      graze_vec vertices[3];
    } triangle;
    struct {
      graze_vec vertices[2];
    } segment;
    struct {
      graze_vec half_extents;
    } box;
    struct {
      const graze_vec *vertices; /**< the caller's array, which must outlive the shape */
      size_t count;
    } polygon;
    struct {
      const graze_vec *vertices; /**< the caller's array, which must outlive the shape */
      size_t count;
      graze_adjacency adjacency; /**< zero, or the edges of the hull; then every vertex must be a corner of the hull */
    } hull;
    struct {
      double radius;
    } sphere;
    struct {
      double radius, half_length;
    } capsule, cylinder, cone;
    struct {
      graze_vec radii;
    } ellipsoid;
    struct {
      graze_vec normal; /**< any nonzero length */
      double offset;
    } halfspace;
    struct {
      graze_support_function support;
      void *context;
    } user;
    const graze_compound *compound; /**< must outlive the shape */
    const graze_mesh *mesh;         /**< must outlive the shape */
  } as;                             /**< the parameters of `kind` */
} graze_shape;

GRAZE_API graze_shape graze_point(void);  /**< the local origin, 3D */
GRAZE_API graze_shape graze_point2(void); /**< the local origin, 2D */
GRAZE_API graze_shape graze_segment(graze_vec a, graze_vec b);
GRAZE_API graze_shape graze_segment2(graze_vec a, graze_vec b);
GRAZE_API graze_shape graze_triangle(graze_vec a, graze_vec b, graze_vec c);
GRAZE_API graze_shape graze_triangle2(graze_vec a, graze_vec b, graze_vec c);
/** A box about the local origin with these half extents (>= 0; zero makes it flat). */
GRAZE_API graze_shape graze_box(double x, double y, double z);
GRAZE_API graze_shape graze_box2(double x, double y);
/** A convex 2D polygon of at least 3 vertices in order, either winding; repeated and collinear vertices are allowed. */
GRAZE_API graze_shape graze_polygon(const graze_vec *vertices, size_t count);
/** The convex hull of any points (>= 1), 3D. graze_hull_create() removes inner points first. */
GRAZE_API graze_shape graze_hull_points(const graze_vec *vertices, size_t count);
/** The convex hull of any points (>= 1), 2D. */
GRAZE_API graze_shape graze_hull_points2(const graze_vec *vertices, size_t count);
GRAZE_API graze_shape graze_sphere(double radius);
GRAZE_API graze_shape graze_circle(double radius);
GRAZE_API graze_shape graze_capsule(double radius, double half_length);  /**< core along local z */
GRAZE_API graze_shape graze_capsule2(double radius, double half_length); /**< core along local x */
GRAZE_API graze_shape graze_ellipsoid(double x, double y, double z);
GRAZE_API graze_shape graze_ellipse(double x, double y);
GRAZE_API graze_shape graze_cylinder(double radius, double half_length);
GRAZE_API graze_shape graze_cone(double radius, double half_length);
/** The points with (normal/|normal|)·x <= offset; the normal has any nonzero length. */
GRAZE_API graze_shape graze_halfspace(graze_vec normal, double offset);
GRAZE_API graze_shape graze_halfspace2(graze_vec normal, double offset);
/** A shape given by its support function; `dim` is 2 or 3. */
GRAZE_API graze_shape graze_user(int dim, graze_support_function support, void *context);
/** Returns the same shape rounded by a ball of radius `margin` >= 0, which replaces an earlier margin. */
GRAZE_API graze_shape graze_with_margin(graze_shape shape, double margin);

/** Validates a shape and its pose (NULL: only the shape). Exact: no tolerance decides whether a polygon is convex.
 * @param error  NULL, or receives the reason; its status is GRAZE_OK if there is none. */
GRAZE_API graze_status graze_check(const graze_shape *shape, const graze_pose *pose, graze_error *error);

/** Returns whether two shapes have the same kind, dimension, margin and parameters. Vertices of polygons and hulls are
 * compared one by one; contexts and compounds by address. */
GRAZE_API bool graze_shape_equal(const graze_shape *a, const graze_shape *b);

/** Returns whether the core of a shape is curved: ellipsoid, cylinder, cone, user shape. Other cores are polytopes. */
GRAZE_API bool graze_is_curved(const graze_shape *shape);

/** Returns the number of vertices of the core: 1 for a point or sphere, 2 for a segment or capsule, 4 or 8 for a box.
 * Curved cores, half-spaces and compounds have 0. The core is the shape without its margin and without the radius of a
 * sphere or capsule. Certificates name these vertices by index. */
GRAZE_API size_t graze_vertex_count(const graze_shape *shape);

/** Returns core vertex `index` < graze_vertex_count() in the local frame, exactly. Box: bit k of the index is 1 for the
 * positive side of axis k. Capsule: vertex 0 is the negative end. */
GRAZE_API graze_vec graze_vertex(const graze_shape *shape, size_t index);

/** An axis-aligned bounding box (AABB). */
typedef struct graze_aabb {
  graze_vec min, max;
} graze_aabb;

/** Memory for the place of a compound, to which its parts refer; see graze_part(). */
typedef struct graze_frame {
  struct {
    bool is_part;       /* of a compound with this pose and margin */
    bool is_moving;     /* linear motion by `velocity` from time `from` to `to` */
    graze_pose pose;    /* of the compound … */
    double margin;      /* … its margin … */
    double rotation[9]; /* … and its rotation, rounded */
    graze_vec velocity;
    double from, to;
  } hidden; /**< private: contents change between versions */
} graze_frame;

/** A shape at its pose, prepared for any number of queries. Read `status`, `pose` and `shape`. */
typedef struct graze_placed {
  struct {
    const graze_frame *frame; /* of parts of compounds and moving shapes; otherwise NULL */
    double bounding_radius;   /* no core point is farther from the local origin */
    double radius;            /* radius of sphere or capsule, plus all margins, rounded */
    double rotation[9];       /* R(q), rounded, row by row; of a part: the product with the rotation of its frame */
  } hidden;            /**< private: contents change between versions. Queries read it, `status` and the position, which
                        * fill two cache lines */
  graze_status status; /**< the result of graze_check(); queries return it if it is not GRAZE_OK */
  int winding;         /**< private: of a polygon or triangle in 2D, 1 counter-clockwise, -1 clockwise; otherwise 0 */
  graze_pose pose;
  graze_shape shape;
} graze_placed;

/** Places a shape.
 * @param shape  is copied; vertices that it points to must outlive the result.
 * @return the placed shape; its `status` is that of graze_check(). */
GRAZE_API graze_placed graze_place(const graze_shape *shape, graze_pose pose);

/** Moves a placed shape: like graze_place() with another pose, in constant time for any number of vertices.
 * @return GRAZE_BAD_NUMBER, GRAZE_BAD_SHAPE (zero quaternion), GRAZE_DIM_MISMATCH, or placed->status; then nothing has
 *         changed. GRAZE_UNSUPPORTED for a part of a compound. */
GRAZE_API graze_status graze_set_pose(graze_placed *placed, graze_pose pose);

/** Computes the bounds of a placed shape in the world frame, rounded outward: they contain it.
 * @return GRAZE_UNSUPPORTED for a half-space; placed->status if that is not GRAZE_OK. */
GRAZE_API graze_status graze_bounds(const graze_placed *placed, graze_aabb *bounds);

/** Computes the support point: a point of the placed shape that is farthest along a world direction. If vertices are
 * equally far, it is the first. It is rounded by about a dozen ulps of size and position, without a proved error bound.
 * @param vertex  NULL, or receives the index of the core vertex; -1 for a curved shape.
 * @return GRAZE_BAD_NUMBER for a zero, infinite or NaN direction; GRAZE_DIM_MISMATCH for z in 2D; GRAZE_UNSUPPORTED for
 *         a half-space; placed->status if that is not GRAZE_OK. */
GRAZE_API graze_status graze_support(const graze_placed *placed, graze_vec direction, graze_vec *point, int *vertex);

/** An interval of real numbers: the values of axis·x over the points x of a shape. */
typedef struct graze_interval {
  double min, max;
} graze_interval;

/** Projects a placed shape, with its radius and margin, on a world axis of any nonzero length. Rounded by about a dozen
 * ulps of |axis| times size and position. Errors as graze_support(). */
GRAZE_API graze_status graze_project(const graze_placed *placed, graze_vec axis, graze_interval *interval);
/** @} */

/** @defgroup compounds Compounds
 * Placed convex parts as one shape. A compound is accepted wherever a convex shape is; only functions of compare.h and
 * methods that name one algorithm reject it. Details: docs/guide/shapes.md.
 * @{ */

/** Creates a compound of `count` >= 1 convex parts, placed in its frame; half-spaces and compounds are not accepted.
 *
 * Parts are copied; vertices, adjacencies and contexts that they point to must outlive the compound. Answers refer to
 * the exact product of the part's pose and the compound's pose. Builds a bounding-volume tree in O(n log n).
 * @param error  NULL, or receives "parts" and the index of the rejected part.
 * @return GRAZE_BAD_SHAPE for no parts or more than INT32_MAX; GRAZE_UNSUPPORTED; GRAZE_DIM_MISMATCH; the status of a
 *         rejected part; GRAZE_OUT_OF_MEMORY. */
GRAZE_API graze_status graze_compound_create(const graze_placed *parts, size_t count, const graze_allocator *allocator,
                                             graze_compound **compound, graze_error *error);

/** Releases a compound; NULL is allowed. */
GRAZE_API void graze_compound_destroy(graze_compound *compound);

/** Returns the compound as a shape. */
GRAZE_API graze_shape graze_compound_shape(const graze_compound *compound);

/** Returns the number of parts of a compound, or of faces of a mesh; 1 for a convex shape. */
GRAZE_API size_t graze_part_count(const graze_placed *placed);

/** Returns part `index` < graze_part_count() at its place in the world; a convex shape is its own part 0, and a face of
 * a mesh is a triangle (2D: a segment) at the pose of the mesh. The result is accepted by all queries. That of a
 * compound cannot be moved or become a part again (GRAZE_UNSUPPORTED).
 * @param frame  receives the place of the compound, which the result and its copies point to; it must outlive them.
 *               One frame can serve all parts of one compound at one pose, in one thread. A convex shape and a face do
 *               not use it; a part, as its own part 0, keeps its first frame.
 * @return a placed shape with the status GRAZE_BAD_OPTION if the index is out of range, or if `frame` is NULL for a
 *         compound or a mesh. */
GRAZE_API graze_placed graze_part(const graze_placed *placed, size_t index, graze_frame *frame);
/** @} */

/** @defgroup answers Answers
 * @{ */

/** The relation of two closed sets. For compounds and surface meshes it is the strongest relation of all pairs of
 * parts. A solid mesh and another body overlap if their interiors have a common point, or if a flat body meets the
 * interior. */
typedef enum graze_relation {
  GRAZE_SEPARATED = 1, /**< no common point */
  GRAZE_TOUCHING,    /**< common points, and no overlap. Convex sets: an arbitrarily small translation separates them */
  GRAZE_OVERLAPPING, /**< convex sets: the origin is an interior point of the CSO */
  GRAZE_UNDECIDED    /**< curved shapes, up to about 1e-14 of the size from touching; and solid meshes that touch where
                        too many faces meet. The interval contains 0 */
} graze_relation;

GRAZE_API const char *graze_relation_text(graze_relation relation);

/** The algorithm that produced an answer. */
typedef enum graze_algorithm {
  GRAZE_ALGORITHM_GJK = 1,          /**< GJK in doubles, certified by a floating-point filter */
  GRAZE_ALGORITHM_CACHED_AXIS,      /**< the direction in the caller's cache separates */
  GRAZE_ALGORITHM_EXACT,            /**< exact refinement, started from the simplex of GJK */
  GRAZE_ALGORITHM_HALFSPACE,        /**< half-space: one support point */
  GRAZE_ALGORITHM_PORTAL,           /**< curved shapes near contact: portal refinement */
  GRAZE_ALGORITHM_SAT,              /**< separating axes: see docs/guide/queries.md, "Algorithms" */
  GRAZE_ALGORITHM_EPA,              /**< depth by the expanding polytope algorithm (EPA) */
  GRAZE_ALGORITHM_BRUTE,            /**< compare.h: all vertex pairs and their convex hull */
  GRAZE_ALGORITHM_FCCD,             /**< motion: supporting planes of the CSO and the relative path */
  GRAZE_ALGORITHM_SWEEP,            /**< motion: time intervals, each with one separating direction */
  GRAZE_ALGORITHM_LCCD,             /**< motion: the facets of the CSO and the relative path */
  GRAZE_ALGORITHM_CA,               /**< motion: conservative advancement */
  GRAZE_ALGORITHM_SAMPLING,         /**< compare.h: discrete sampling, which proves nothing between samples */
  GRAZE_ALGORITHM_BOUNDING_SPHERES, /**< bounding spheres about the local origins are disjoint */
  GRAZE_ALGORITHM_BOUNDARY_WALK,    /**< separated polygons: a walk along the boundary of the CSO */
  GRAZE_ALGORITHM_CLOSED_FORM, /**< points, segments, spheres, capsules, triangles in 3D; a point or sphere and a box,
                                    cylinder or cone; two separated boxes in 3D; a ray and a face of a mesh */
  GRAZE_ALGORITHM_CONTAINMENT  /**< solid meshes: the parity of the faces that a ray crosses */
} graze_algorithm;

GRAZE_API const char *graze_algorithm_text(graze_algorithm algorithm);

/** Why an interval is wider than promised. */
typedef enum graze_stop {
  GRAZE_STOP_NONE = 0,  /**< the interval is as narrow as promised */
  GRAZE_STOP_CUTOFF,    /**< beyond max_distance: lower >= max_distance; `distance` and `upper` are NaN */
  GRAZE_STOP_BUDGET,    /**< max_iterations or the workspace was exhausted; the interval contains the true number */
  GRAZE_STOP_PRECISION, /**< rounding, or the error of a user support function; the interval contains the true number */
  GRAZE_STOP_NONCONVEX  /**< overlapping solid meshes: `distance` = `lower` is a translation of B along `normal` that
                           ends  the overlap; `upper` is the depth of the deepest pair of faces, or of a body inside */
} graze_stop;

GRAZE_API const char *graze_stop_text(graze_stop stop);

/** The answer to a query about two shapes. The true signed distance is in [lower, upper]. */
typedef struct graze_answer {
  graze_relation relation;
  graze_algorithm algorithm;
  graze_stop stopped;
  int iterations;             /**< steps of all algorithms of the query, tested axes included */
  double distance;            /**< > 0: gap; 0: touching; < 0: minus the penetration depth; NaN if not computed */
  double lower, upper;        /**< NaN if not computed */
  graze_vec normal;           /**< unit, from A to B; touching: a weakly separating direction; NaN if not computed */
  graze_vec point_a, point_b; /**< witness points: point_b - point_a = distance·normal, rounded. A clearance counts as a
                                   radius of A */
  int32_t part_a, part_b;     /**< the deciding pair of parts of compounds, or faces of meshes; 0 for a convex shape */
  size_t pairs_tested;        /**< the number of pairs of parts that bounds did not exclude; 0 for convex shapes */
  bool exact;                 /**< some decision needed exact arithmetic */
  bool conditional;           /**< relies on a user support function */
} graze_answer;
/** @} */

/** @defgroup options Options
 * @{ */

/** The algorithm for graze_intersect() and graze_distance(). Methods for comparison are in compare.h. */
typedef enum graze_method {
  GRAZE_METHOD_AUTO = 0, /**< the fastest that applies */
  GRAZE_METHOD_GJK,      /**< plain GJK from `start`; a result that doubles do not certify is refined exactly */
  GRAZE_METHOD_EXACT,    /**< exact search only; not for curved shapes */
  GRAZE_METHOD_EPA       /**< as AUTO, but all depths by EPA; not for half-spaces */
} graze_method;

/** A warm start, owned by the caller, one for each pair of bodies. Zero it once and pass it to every query of the pair.
 * It changes the speed of an answer, never its relation. Its contents are not trusted. */
typedef struct graze_cache {
  graze_vec direction; /**< the last direction from A to B; zero: none */
  int count;           /**< the number of vertex pairs: 0 to 4 */
  int32_t a[4], b[4];
} graze_cache;

/** Options of graze_intersect() and graze_distance(). Start from graze_default_options(); zeros are not defaults. */
typedef struct graze_options {
  double clearance;    /**< >= 0, added exactly to the radii: "is the gap less than this?" Default 0 */
  double max_distance; /**< >= 0: for larger gaps, only lower >= max_distance is computed. Default INFINITY */
  double tolerance;    /**< >= 0: the wanted upper - lower. Default 0: as narrow as promised */
  int max_iterations;  /**< >= 1: a budget for GJK. Default 64. EPA ends when the workspace is full. Relations that are
                          promised exact do not depend on it. Curved shapes near contact may need some 300 further steps
                        */
  graze_method method;
  graze_vec start;                       /**< first direction for GRAZE_METHOD_GJK; zero: chosen by Graze */
  graze_cache *cache;                    /**< NULL: no warm start. Ignored for compounds */
  void *workspace;                       /**< memory for EPA, aligned like malloc(); NULL: about 60 KB of stack */
  size_t workspace_size;                 /**< bytes; see graze_workspace_size() */
  graze_error *error;                    /**< NULL, or receives the reason if the call fails */
  struct graze_certificate *certificate; /**< NULL, or receives the certificate of the answer: certificate.h */
  struct graze_surface *surface; /**< NULL, or receives the surface that proves a depth computed by EPA; the interval is
                                    then no narrower than this proof. The arrays of the surface are in `workspace`,
                                    which must not be NULL, and are valid until its next use */
  struct graze_part_proof *parts;  /**< NULL, or receives the certificates of all pairs of parts of compounds */
  size_t part_capacity;            /**< of `parts`; GRAZE_NO_SPACE if there are more pairs */
  struct graze_frontier *frontier; /**< NULL, or receives the proof for all pairs of parts of compounds and meshes;
                                      `parts` then receives the certificates of single pairs. The caller sets `nodes`
                                      and `node_capacity`. GRAZE_NO_SPACE: its node_count and the part_count of the
                                      certificate are the needed capacities. node_count 0: the answer needs none or has
                                      none. Orders refer to the shapes, and are valid as long as these */
  struct graze_tracer *tracer;     /**< NULL, or receives every step of the query: trace.h. Ignored for compounds */
} graze_options;

/** Returns the defaults named above. */
GRAZE_API graze_options graze_default_options(void);

/** Validates options for shapes of dimension `dim`, as graze_intersect() and graze_distance() do.
 * @param options  NULL: defaults.
 * @param error    NULL, or receives the reason. */
GRAZE_API graze_status graze_check_options(const graze_options *options, int dim, graze_error *error);

#define GRAZE_WORKSPACE_POINTS 256

/** Returns the number of bytes of a workspace for a polytope with up to `points` vertices. The CSO of shapes with n and
 * m vertices has at most n·m. A surface has at most 2050 points, because graze_verify() reads up to 4096 faces. */
GRAZE_API size_t graze_workspace_size(size_t points);
/** @} */

/** @defgroup queries Queries about two shapes
 * `options` may be NULL: defaults. No other pointer may be NULL. Both shapes must have the same dimension.
 *
 * Every query returns: the status of a shape that is not GRAZE_OK; GRAZE_DIM_MISMATCH; GRAZE_BAD_OPTION;
 * GRAZE_UNSUPPORTED for two half-spaces or a method that does not accept the shapes. options->error names the reason.
 * @{ */

/** Computes the relation of A and B.
 *
 * Exact for polytopes, rounded polytopes, and half-spaces against them; rigorous enclosures decide for curved shapes.
 * For touching and undecided shapes all numbers are computed; otherwise they are NaN (use graze_distance()).
 * Source: Gilbert, Johnson, Keerthi 1988; exact refinement: docs/theory/exact.md. */
GRAZE_API graze_status graze_intersect(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                       graze_answer *answer);

/** Computes the signed distance of A and B: the gap, 0, or minus the penetration depth.
 *
 * The depth of convex shapes is the length of the shortest translation of B, along `normal`, that ends the overlap: a
 * global minimum. For compounds and surface meshes it is that of the deepest pair of parts. For a solid mesh it is an
 * interval: see GRAZE_STOP_NONCONVEX.
 * The interval is at most 1e-12 of the size wide for polytopes and rounded polytopes, 1e-9 for curved shapes. It is
 * wider only if `stopped` is not GRAZE_STOP_NONE. Stack: about 130 KB, or 700 KB if magnitudes are spread over hundreds
 * of powers of two. Source: van den Bergen 2001 (EPA); Gottschalk, Lin, Manocha 1996 (boxes); docs/theory/depth.md. */
GRAZE_API graze_status graze_distance(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                      graze_answer *answer);

/** Computes the relation of a world point and a shape. Overlapping: the point is strictly inside. Touching: it is on
 * the boundary, or in a flat shape. Separated: it is outside. Undecided: it is within rounding of the boundary of a
 * curved shape.
 * @return GRAZE_BAD_NUMBER, GRAZE_DIM_MISMATCH for z in 2D, or placed->status. */
GRAZE_API graze_status graze_contains(const graze_placed *placed, graze_vec point, graze_relation *relation);

/** One contact point. */
typedef struct graze_contact {
  graze_vec point_a, point_b; /**< on A and on B; point_b - point_a = -depth·normal, rounded */
  double depth;               /**< > 0: overlap; < 0: the gap of a speculative point */
  uint64_t feature; /**< an id of the two faces, edges or corners in contact; successive calls give the same contact the
                       same id */
} graze_contact;

/** Options of graze_manifold(). Start from graze_default_manifold_options(). */
typedef struct graze_manifold_options {
  double clearance;            /**< >= 0, added exactly to the radii. Default 0 */
  double speculative_distance; /**< >= 0: also report points with a gap up to this. Default 0 */
  double tolerance;            /**< as graze_options::tolerance */
  int max_iterations;          /**< as graze_options::max_iterations */
  graze_cache *cache;          /**< NULL: no warm start. Ignored for compounds */
  void *workspace;             /**< as graze_options::workspace */
  size_t workspace_size;
  graze_error *error; /**< NULL, or receives the reason if the call fails */
} graze_manifold_options;

GRAZE_API graze_manifold_options graze_default_manifold_options(void);

/** Computes the contact points of A and B.
 *
 * The points are the corners of the overlap of two faces: the face of A and the face of B that are most perpendicular
 * to answer->normal. A sphere or an ellipsoid gives one point, the side of a capsule or cylinder two. Shapes with a gap
 * above the speculative distance give none. Otherwise points whose gap exceeds that of the shapes by up to 1/1024 of
 * the smaller shape's size are also reported. Therefore a box that rests slightly tilted on a plane keeps four.
 *
 * @param options   NULL: defaults.
 * @param answer    receives what graze_distance() computes.
 * @param contacts  receives at most `capacity` points, counter-clockwise about the normal. If there are more, the four
 *                  (2D: two) with the deepest point and the largest area are kept. 145 always suffice for all.
 * @param count     receives the number of points written.
 * @return GRAZE_NO_SPACE if capacity is 0; otherwise as graze_distance().
 *
 * Contact points are rounded and carry no certificate. Feature ids and persistence: docs/guide/contacts.md.
 * Source: Gregorius, "Robust Contact Creation for Physics Simulations", GDC 2015; docs/theory/contact.md. */
GRAZE_API graze_status graze_manifold(const graze_placed *a, const graze_placed *b,
                                      const graze_manifold_options *options, graze_answer *answer,
                                      graze_contact *contacts, size_t capacity, size_t *count);
/** @} */

/** @defgroup contacts Contacts of all parts
 * @{ */

/** Called for one pair of parts; `answer` names the parts, and is valid only during the call, as are the contacts.
 * Returns false to end the search. */
typedef bool (*graze_contacts_function)(void *context, const graze_answer *answer, const graze_contact *contacts,
                                        size_t count);

/** Reports each pair of parts of A and B that is not separated, or has contacts within the speculative distance.
 *
 * Parts are those of compounds and the faces of meshes. A pair has up to four contacts, as of graze_manifold(). The
 * order is deterministic, and not that of the indices. A body inside a solid mesh, of which no part touches a face, has
 * no contacts.
 * @param options  NULL: defaults.
 * @return as graze_distance(). */
GRAZE_API graze_status graze_contacts(const graze_placed *a, const graze_placed *b,
                                      const graze_manifold_options *options, graze_contacts_function report,
                                      void *context);
/** @} */

/** @defgroup lists One shape against a list
 * A list query compares bounds first. It runs the exact query for members whose bounds overlap those of A.
 * @{ */

/** Options of graze_intersect_list() and graze_distance_list(). Start from graze_default_list_options(). */
typedef struct graze_list_options {
  double clearance;    /**< >= 0, added exactly to the radii. Default 0 */
  double max_distance; /**< >= 0: graze_distance_list() reports members up to this distance. Default INFINITY */
  double tolerance;    /**< as graze_options::tolerance */
  int max_iterations;  /**< as graze_options::max_iterations */
  void *workspace;     /**< as graze_options::workspace */
  size_t workspace_size;
  graze_error *error; /**< NULL, or receives the reason if the call fails; its `index` is the member */
} graze_list_options;

GRAZE_API graze_list_options graze_default_list_options(void);

/** Called for one member of a list; `answer` is valid only during the call. Returns false to end the search. */
typedef bool (*graze_list_function)(void *context, size_t index, const graze_answer *answer);

/** Counts of a list query. */
typedef struct graze_list_counts {
  size_t members;             /**< members tested: fewer than the list has if the callback ended the search */
  size_t separated_by_bounds; /**< members excluded by their bounds */
  size_t queried;             /**< members for which the exact query ran … */
  size_t reported;            /**< … and passed to the callback */
} graze_list_counts;

/** Reports every member of a list that is not separated from A, in order, by graze_intersect().
 * @param counts  NULL, or receives the counts if the status is GRAZE_OK.
 * @return as graze_intersect(); the first rejected member ends the search. */
GRAZE_API graze_status graze_intersect_list(const graze_placed *a, const graze_placed *list, size_t count,
                                            const graze_list_options *options, graze_list_function report,
                                            void *context, graze_list_counts *counts);

/** Reports every member that is not certainly farther than options->max_distance, in order, by graze_distance(). */
GRAZE_API graze_status graze_distance_list(const graze_placed *a, const graze_placed *list, size_t count,
                                           const graze_list_options *options, graze_list_function report, void *context,
                                           graze_list_counts *counts);
/** @} */

#ifdef __cplusplus
}
#endif

#include <graze/certificate.h>
#include <graze/motion.h>

#endif
