/* Graze: collision detection that answers with a number, an interval that surely holds the truth, and a certificate.
 *
 * Every question about two convex shapes A and B is a question about their Minkowski difference
 * C = { a - b : a in A, b in B }, the configuration-space obstacle (CSO): do they meet (is the origin in C?), how far
 * apart are they (how far is C from the origin?), how deep do they overlap (how deep is the origin in C?).
 *
 * Units are the caller's. Coordinates and directions are in the world frame unless a comment says "local", which means
 * the shape's own frame before its pose. In 2D, z is 0 everywhere. Angles are radians.
 * Queries do not allocate; nothing keeps a global or needs initialising. Const objects may be shared between threads.
 * Hulls, boxes and polygons are made in graze/build.h.
 */
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
#define GRAZE_VERSION_MINOR 1
#define GRAZE_VERSION_PATCH 0
#define GRAZE_VERSION "0.1.0"

/** The version of the library that is linked, for instance "0.1.0"; GRAZE_VERSION is that of this header. */
GRAZE_API const char *graze_version(void);
/** @} */

/** @defgroup status Status and errors
 * @{ */

/** What a function returns. Everything but GRAZE_OK leaves the results untouched, unless the function says otherwise.
 */
typedef enum graze_status {
  GRAZE_OK = 0,
  GRAZE_BAD_NUMBER,    /**< a number is NaN, infinite, or larger than GRAZE_LARGEST in magnitude */
  GRAZE_BAD_SHAPE,     /**< a negative radius, extent or margin; no vertices; a zero quaternion; a zero normal … */
  GRAZE_NOT_CONVEX,    /**< a polygon that is not convex */
  GRAZE_NOT_SIMPLE,    /**< an outline that crosses itself, or whose holes do not lie inside it */
  GRAZE_DIM_MISMATCH,  /**< a 2D shape with a 3D one, or a 3D pose or direction for a 2D shape */
  GRAZE_BAD_OPTION,    /**< an option out of its range: a negative clearance or tolerance, a NaN … */
  GRAZE_UNSUPPORTED,   /**< the question has no meaning for these shapes: half-space against half-space … */
  GRAZE_NO_SPACE,      /**< a buffer of the caller's is too small for the result */
  GRAZE_OUT_OF_MEMORY, /**< an allocation failed; nothing is leaked, nothing has changed */
  GRAZE_REFUTED,       /**< graze_verify: the certificate or the interval is wrong */
  GRAZE_UNPROVEN,      /**< graze_verify: the answer claims something that its certificate does not show */
  GRAZE_NO_BODY,       /**< a scene has no body of this id */
  GRAZE_BAD_DATA       /**< bytes that are no snapshot, damaged, or of another version */
} graze_status;

/** One line of English for a status; never NULL. */
GRAZE_API const char *graze_status_text(graze_status status);

/** The largest magnitude of any number that Graze accepts. There is no smallest: subnormal numbers are taken as given.
 */
#define GRAZE_LARGEST 1e40

/** What was wrong with some input. */
typedef struct graze_error {
  graze_status status;
  const char *what; /**< the parameter, as in the text form of questions: "radius", "vertices", "position" … */
  ptrdiff_t index;  /**< which element of it (a vertex, a coordinate); -1 where there is only one */
  double value;     /**< the offending number; 0 where none */
} graze_error;
/** @} */

/** @defgroup memory Memory
 * Queries never allocate. What owns memory takes an allocator; NULL stands for malloc() and free().
 * @{ */
typedef struct graze_allocator {
  void *(*allocate)(void *context, size_t size); /**< aligned as malloc() aligns; NULL: none left */
  void (*release)(void *context, void *memory);  /**< what allocate() gave, never NULL */
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
 * q = (w, x, y, z) is ANY nonzero quaternion, of any length: R(q) = M(q) / (q·q) is exactly orthonormal and rational,
 * and it is that rotation, in real arithmetic, which every claim is about. In 2D x = y = 0, and (w, z) is the
 * half-angle pair: cos and sin of half the angle, times any length. */
typedef struct graze_pose {
  graze_vec position;
  double w, x, y, z;
} graze_pose;

/** A pose without rotation. */
GRAZE_API graze_pose graze_pose_at(double x, double y, double z);

/** A 3D pose: position, then the quaternion (w, x, y, z), any nonzero length. */
GRAZE_API graze_pose graze_pose3(graze_vec position, double w, double x, double y, double z);

/** A 2D pose turned by `angle` radians, counter-clockwise, through graze_half_angle(). */
GRAZE_API graze_pose graze_pose2(double x, double y, double angle);

/** Turns an angle into its half-angle pair: *w = cos(angle/2), *z = sin(angle/2), each within 1 ulp, the same bits on
 * every machine. |angle| must not exceed GRAZE_LARGEST; otherwise both become NaN. */
GRAZE_API void graze_half_angle(double angle, double *w, double *z);
/** @} */

/** @defgroup shapes Shapes
 * Plain values. Constructors do not judge; graze_check() does, and every query refuses what it refuses.
 * @{ */

typedef enum graze_shape_kind {
  GRAZE_POINT = 1,
  GRAZE_SEGMENT,
  GRAZE_TRIANGLE,
  GRAZE_BOX,
  GRAZE_POLYGON,
  GRAZE_HULL,
  GRAZE_SPHERE,    /**< the circle in 2D */
  GRAZE_CAPSULE,   /**< core segment along local z (2D: local x) */
  GRAZE_ELLIPSOID, /**< the ellipse in 2D */
  GRAZE_CYLINDER,  /**< along local z; 3D */
  GRAZE_CONE,      /**< apex at +half_length on local z, base disk at -half_length; 3D */
  GRAZE_HALFSPACE, /**< the points with (normal/|normal|)·x <= offset */
  GRAZE_USER,      /**< a support function of the caller's */
  GRAZE_COMPOUND   /**< placed convex parts; see graze_compound_create() */
} graze_shape_kind;

/** A support function of the caller's.
 *
 * Must set *point to a point of the shape, in the local frame, that lies nearly farthest along the local `direction`
 * (never zero, of any length), and return a bound e >= 0 such that no point of the shape lies farther than
 * direction·point + e·|direction|. Must be deterministic. All claims about such a shape hold on that condition, and
 * graze_answer::conditional says so. */
typedef double (*graze_support_function)(void *context, graze_vec direction, graze_vec *point);

/** Which vertices are joined by an edge: those joined to vertex v are neighbor[start[v]] … neighbor[start[v + 1] - 1].
 * A hull of 1024 vertices or more, with the seeds that only graze_hull_create() makes, finds support points by
 * climbing. It changes how fast an answer comes (faster while the hull stays in the caches, slower otherwise), never
 * its relation; but every index must be in range. */
typedef struct graze_adjacency {
  const int32_t *start, *neighbor; /**< NULL: not known */
  const int32_t *seed;             /**< private: where to begin, for every cell of directions; NULL: too few vertices */
  int32_t seed_rank;               /**< private: how finely directions are divided */
} graze_adjacency;

/** Convex parts in one frame. */
typedef struct graze_compound graze_compound;

/** A convex shape, or a compound of convex shapes, in its own frame. */
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
      graze_adjacency adjacency; /**< zero, or the edges of the hull; then every vertex is a corner of it */
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
  } as;                             /**< the parameters of `kind` */
} graze_shape;

GRAZE_API graze_shape graze_point(void);  /**< the local origin, 3D */
GRAZE_API graze_shape graze_point2(void); /**< the local origin, 2D */
GRAZE_API graze_shape graze_segment(graze_vec a, graze_vec b);
GRAZE_API graze_shape graze_segment2(graze_vec a, graze_vec b);
GRAZE_API graze_shape graze_triangle(graze_vec a, graze_vec b, graze_vec c);
GRAZE_API graze_shape graze_triangle2(graze_vec a, graze_vec b, graze_vec c);
/** A box about the local origin, by its half extents (>= 0; zero makes it flat). */
GRAZE_API graze_shape graze_box(double x, double y, double z);
GRAZE_API graze_shape graze_box2(double x, double y);
/** A convex 2D polygon, by at least 3 vertices in order, either winding; repeated and collinear vertices are allowed.
 */
GRAZE_API graze_shape graze_polygon(const graze_vec *vertices, size_t count);
/** The convex hull of any points (>= 1), 3D. */
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
/** The points with (normal/|normal|)·x <= offset; normal of any nonzero length. */
GRAZE_API graze_shape graze_halfspace(graze_vec normal, double offset);
GRAZE_API graze_shape graze_halfspace2(graze_vec normal, double offset);
/** A shape by its support function; `dim` is 2 or 3. */
GRAZE_API graze_shape graze_user(int dim, graze_support_function support, void *context);
/** The same shape rounded by a ball of radius `margin` >= 0 (replaces an earlier margin). */
GRAZE_API graze_shape graze_with_margin(graze_shape shape, double margin);

/** Judges a shape and its pose (NULL: only the shape). Exact: a polygon is convex or it is not.
 * `error` (may be NULL) receives the reason. */
GRAZE_API graze_status graze_check(const graze_shape *shape, const graze_pose *pose, graze_error *error);

/** Returns whether two shapes have the same kind, dimension, margin and parameters. Vertices of polygons and hulls are
 * compared one by one; contexts and compounds by address. */
GRAZE_API bool graze_shape_equal(const graze_shape *a, const graze_shape *b);

/** Returns whether the core of a shape is curved: ellipsoid, cylinder, cone, user shape. Other cores are polytopes. */
GRAZE_API bool graze_is_curved(const graze_shape *shape);

/** Returns the number of vertices of the core: 1 for a point or sphere, 2 for a segment or capsule, 4 or 8 for a box; 0
 * for curved cores, half-spaces and compounds. The core is the shape without its margin and without the radius of a
 * sphere or capsule. Certificates name these vertices by index. */
GRAZE_API size_t graze_vertex_count(const graze_shape *shape);

/** Returns core vertex `index` < graze_vertex_count() in the local frame, exactly. Box: bit k of the index is the sign of
 * axis k, 1 is +. Capsule: 0 is the - end. */
GRAZE_API graze_vec graze_vertex(const graze_shape *shape, size_t index);

/** An axis-aligned bounding box (AABB). */
typedef struct graze_aabb {
  graze_vec min, max;
} graze_aabb;

/** A shape at its pose, prepared for any number of queries. Read `status`, `pose` and `shape`. */
typedef struct graze_placed {
  struct {
    bool is_part;           /* a part of a compound, placed in `frame` */
    bool is_moving;         /* in linear motion by `velocity` from time `from` to `to` */
    double bounding_radius; /* no core point is farther from the local origin */
    double radius;          /* radius of sphere or capsule, plus all margins, rounded */
    double rotation[9];     /* R(q), rounded, row by row; of a part: the product with the rotation of its frame */
    graze_vec shift;        /* of a part: pose.position rotated by the frame, rounded */
    graze_pose frame;       /* of a part: the pose of the compound … */
    double frame_margin;    /* … and its margin */
    graze_vec velocity;
    double from, to;
  } hidden;            /**< private: contents change between versions */
  graze_status status; /**< the result of graze_check(); queries return it if it is not GRAZE_OK */
  graze_pose pose;
  graze_shape shape;
} graze_placed;

/** @defgroup compounds Compounds
 * Placed convex parts as one shape: usable wherever a convex shape is, but for graze_sat(), graze_minkowski() and the
 * methods that name one algorithm.
 *
 * Relation and signed distance are over pairs of parts: the strongest relation, the least signed distance; where they
 * overlap, a lower bound of the depth of the whole. Answers name the pair that decides, part_a and part_b, and the
 * certificate is of that pair: it proves `overlapping` and `upper`. graze_options::parts asks for the others.
 * A polygon that graze_decompose() split is one body: what lies on its internal_edges lies inside. (A user shape that
 * touches one of its pieces is `undecided`: nobody can tell whether it is flat.) A contact manifold is that of the pair
 * that decides.
 * @{ */

/** Makes a compound of `count` >= 1 convex parts, placed in its frame; no half-spaces, no compounds. The parts are
 * copied; vertices, adjacencies and contexts they point to must outlive the compound. Answers are about the exact
 * product of the part's pose and the compound's. Builds a bounds tree: O(n log n).
 * GRAZE_BAD_SHAPE: no parts, or too many (INT32_MAX); GRAZE_UNSUPPORTED: a half-space, a compound or a part of
 * one among them; GRAZE_DIM_MISMATCH; what a part was refused for (graze_check() says more); GRAZE_OUT_OF_MEMORY. On
 * success *error says GRAZE_OK. error->what is "parts", error->index the part. */
GRAZE_API graze_status graze_compound_create(const graze_placed *parts, size_t count, const graze_allocator *allocator,
                                             graze_compound **compound, graze_error *error);

/** Gives the memory back; NULL is allowed. */
GRAZE_API void graze_compound_destroy(graze_compound *compound);

/** The compound as a shape. */
GRAZE_API graze_shape graze_compound_shape(const graze_compound *compound);

/** How many parts: 1 for a convex shape. */
GRAZE_API size_t graze_part_count(const graze_placed *placed);

/** Part `index` < graze_part_count() in its place in the world; a convex shape is its own part 0. It can be asked about
 * like any placed shape, but neither moved nor made a part again (GRAZE_UNSUPPORTED). Out of range: its status is
 * GRAZE_BAD_OPTION. */
GRAZE_API graze_placed graze_part(const graze_placed *placed, size_t index);
/** @} */

/** Places a shape. The shape is copied; the vertices it points to must outlive the result. */
GRAZE_API graze_placed graze_place(const graze_shape *shape, graze_pose pose);

/** Moves a placed shape: as graze_place() with another pose, but judges only that, in constant time whatever the number
 * of vertices. GRAZE_BAD_NUMBER, GRAZE_BAD_SHAPE (zero quaternion), GRAZE_DIM_MISMATCH, or what the shape was refused
 * for: then nothing has changed. */
GRAZE_API graze_status graze_set_pose(graze_placed *placed, graze_pose pose);

/** The bounds of a placed shape, in the world frame, rounded outward: they surely contain it.
 * GRAZE_UNSUPPORTED for a half-space. */
GRAZE_API graze_status graze_bounds(const graze_placed *placed, graze_aabb *bounds);

/** The support point: a point of the placed shape farthest along the world direction (the first of equal vertices).
 * `vertex` (may be NULL) receives its core vertex index, or -1 for a curved shape. Rounded, by about a dozen ulps of
 * the shape's size and position: for use, not proof. GRAZE_BAD_NUMBER for a zero, infinite or NaN direction,
 * GRAZE_DIM_MISMATCH for one with z in 2D, GRAZE_UNSUPPORTED for a half-space, and what the shape was refused for. */
GRAZE_API graze_status graze_support(const graze_placed *placed, graze_vec direction, graze_vec *point, int *vertex);
/** @} */

/** @defgroup certificates Answers and certificates
 * @{ */

/** Closed sets: separated: no common point; touching: common points, but an arbitrarily small push ends it;
 * overlapping: the origin is interior to the Minkowski difference. Compounds: the strongest of all pairs of parts (a
 * peg that fills a hole touches every side of it, though no push frees it). */
typedef enum graze_relation {
  GRAZE_SEPARATED = 1,
  GRAZE_TOUCHING,
  GRAZE_OVERLAPPING,
  GRAZE_UNDECIDED /**< curved shapes only, within about 1e-14 of their size of touching; the interval holds 0 and is a
                     few 1e-13 wide */
} graze_relation;

GRAZE_API const char *graze_relation_text(graze_relation relation);

/** A point of the Minkowski difference, by its parents: w = a - b. A core vertex is named by its index (boxes: bit k is
 * the sign of axis k, 1 is +; capsules: 0 is the - end; sphere, circle, point: 0). A point of a curved core has index
 * -1 and is given in that shape's own frame; it lies exactly in the closed core. */
typedef struct graze_pair {
  int32_t a, b;
  graze_vec point_a, point_b;
  int32_t end; /**< of motions: 1: where the bodies are at the end of the interval, 0: at its beginning. Otherwise 0 */
} graze_pair;

/** How a direction d, from A to B, is written. The last three are recomputed exactly by the verifier. */
typedef enum graze_direction_form {
  GRAZE_DIRECTION_NONE = 0,
  GRAZE_DIRECTION_VECTOR,  /**< d = vector */
  GRAZE_DIRECTION_NEAREST, /**< d = -v, v the point nearest the origin in the hull of the pairs */
  GRAZE_DIRECTION_FACET,   /**< d = sign·(w1-w0)×(w2-w0); 2D: sign times the left perpendicular of w1-w0 */
  GRAZE_DIRECTION_EDGE     /**< d = sign·(w1-w0)×e_axis; 3D */
} graze_direction_form;

typedef struct graze_direction {
  graze_direction_form form;
  graze_vec vector; /**< VECTOR: d itself. Other forms: unused */
  int sign, axis;   /**< FACET, EDGE: sign is +1 or -1; EDGE: axis is 0, 1 or 2 */
  int count;        /**< how many pairs */
  graze_pair pairs[4];
} graze_direction;

/** What the certificate proves; gap(d) = min d·b - max d·a over the cores, r the sum of both radii, both margins and
 * the clearance. */
typedef enum graze_certificate_kind {
  GRAZE_CERTIFICATE_NONE = 0,
  GRAZE_CERTIFICATE_SEPARATED, /**< gap(d) > r·|d| */
  GRAZE_CERTIFICATE_TOUCH,     /**< r = 0: gap(d) >= 0 and the hull of the pairs holds the origin. r > 0: d is a NEAREST
                                    direction, |v| = r, and no core point lies nearer along v */
  GRAZE_CERTIFICATE_INSIDE,    /**< the origin is strictly inside the hull of the pairs (at most 2·dim) */
  GRAZE_CERTIFICATE_NEAR,      /**< r > 0: the hull of the pairs comes nearer to the origin than r */
  GRAZE_CERTIFICATE_HALFSPACE, /**< half-space: no core vertex lies deeper than `vertex`, which decides */
  GRAZE_CERTIFICATE_INTERNAL_EDGE /**< decomposed polygon: `seam`: a point or segment touches two pieces from either
                              side of their common edge, inside it */
} graze_certificate_kind;

/** A surface inside C: points of C, by their parents, and the faces they span. 3D: triangles, each directed edge met by
 * its reverse, every det[wi, wj, wk] > 0. 2D: the points are a closed counter-clockwise polygon, and there are no
 * faces. Seen from the origin it is star-shaped, so the ball that stays inside the planes of all its faces lies in C:
 * docs/theory/depth.md. */
typedef struct graze_surface {
  size_t pair_count, face_count;
  const graze_pair *pairs;
  const int32_t (*faces)[3]; /**< indices into pairs, counter-clockwise from outside */
} graze_surface;

/** What shows that the depth of overlapping cores is no less than -upper - r. */
typedef enum graze_depth_proof {
  GRAZE_DEPTH_BY_PAIRS = 0, /**< nothing but the pairs: upper >= |v| - r; what goes beyond is GRAZE_UNPROVEN */
  GRAZE_DEPTH_BY_BOX_AXES, /**< two boxes: no face normal and no product of edges (15 axes, 4 in 2D) has less overlap */
  GRAZE_DEPTH_BY_SURFACE   /**< the least distance from the origin to a face's plane of `surface` */
} graze_depth_proof;

/** How a point or segment touches one of the two pieces beside a seam: the hull of the pairs holds the origin, and
 * sign times the left perpendicular of w1 - w0 separates weakly. */
typedef struct graze_internal_edge_touch {
  int32_t part_a, part_b;
  int sign; /**< +1 or -1 */
  int pair_count;
  graze_pair pairs[4];
} graze_internal_edge_touch;

/** Why the relation and the interval hold. One direction and one list of pairs serve both:
 * `lower` follows from the direction: gap(d)/|d| - r; `upper` from the pairs: |v| - r, v the nearest point of their
 * hull; where cores overlap, from `depth_proof`. */
typedef struct graze_certificate {
  graze_certificate_kind kind;
  graze_direction direction;
  int pair_count;
  graze_pair pairs[6];
  int32_t vertex;         /**< PLANE: the deciding core vertex of the other shape, -1 for a curved one … */
  graze_vec vertex_point; /**< … and then its point */
  graze_depth_proof depth_proof;
  const graze_surface *surface;      /**< BY_SURFACE: graze_options::surface of the query; otherwise NULL */
  graze_internal_edge_touch seam[2]; /**< SEAM */
} graze_certificate;

/** The certificate of one pair of parts. */
typedef struct graze_part_proof {
  int32_t part_a, part_b;
  graze_certificate certificate;
} graze_part_proof;

/** How an answer was found. */
typedef enum graze_algorithm {
  GRAZE_ALGORITHM_GJK = 1,     /**< GJK in doubles, certified by a floating-point filter */
  GRAZE_ALGORITHM_CACHED_AXIS, /**< the caller's cached direction still separates */
  GRAZE_ALGORITHM_EXACT,       /**< the filter could not decide: exact search, started from GJK's candidate */
  GRAZE_ALGORITHM_HALFSPACE,   /**< half-space: one support point */
  GRAZE_ALGORITHM_PORTAL,      /**< curved shapes near contact: portal refinement */
  GRAZE_ALGORITHM_SAT,         /**< depth by separating axes */
  GRAZE_ALGORITHM_EPA,         /**< depth by the expanding polytope algorithm (EPA) */
  GRAZE_ALGORITHM_BRUTE,       /**< all vertex pairs and their convex hull */
  GRAZE_ALGORITHM_FCCD,        /**< motion: supporting planes of the Minkowski difference against the relative motion */
  GRAZE_ALGORITHM_SWEEP,       /**< motion: intervals of time, each proved free by one direction */
  GRAZE_ALGORITHM_LCCD,        /**< motion: the facets of the Minkowski difference against the relative motion */
  GRAZE_ALGORITHM_CA,          /**< motion: conservative advancement */
  GRAZE_ALGORITHM_SAMPLING,    /**< motion: samples, which prove nothing between them */
  GRAZE_ALGORITHM_BOX_VERTICES,     /**< two boxes in space: vertices of the Minkowski difference and their opposites */
  GRAZE_ALGORITHM_BOUNDING_SPHERES, /**< balls around the local origins that hold the shapes are apart */
  GRAZE_ALGORITHM_BOUNDARY_WALK     /**< polygons whose cores are apart: along the border of the Minkowski difference */
} graze_algorithm;

GRAZE_API const char *graze_algorithm_text(graze_algorithm path);

/** What was cut. */
typedef enum graze_stop {
  GRAZE_STOP_NONE = 0, /**< nothing: the answer is whole */
  GRAZE_STOP_CUTOFF,   /**< beyond max_distance: `lower` >= max_distance, `distance` and `upper` are NaN */
  GRAZE_STOP_BUDGET,   /**< max_iterations or the workspace came first: a true interval, wider than asked */
  GRAZE_STOP_PRECISION /**< rounding, or a user support function's error, came first: a true interval, wider than asked
                        */
} graze_stop;

GRAZE_API const char *graze_stop_text(graze_stop stop);

typedef struct graze_answer {
  graze_relation relation;
  double distance;     /**< > 0 a gap, 0 touching, < 0 minus the penetration depth; NaN where not known (below) */
  double lower, upper; /**< surely lower <= truth <= upper. NaN where not asked for */
  graze_vec point_a, point_b; /**< witness points: point_b - point_a = distance·normal, rounded; NaN where distance is.
                                   A clearance counts as A's radius */
  graze_vec normal;           /**< unit, from A to B; when touching a weakly separating direction (compounds: of the
                                 parts that decide); NaN where distance is */
  graze_algorithm algorithm;
  graze_stop stopped;
  int iterations;                /**< steps of GJK and of what follows it, axes tested included */
  bool exact;                    /**< some decision needed exact arithmetic */
  bool conditional;              /**< holds on the word of a user support function */
  int32_t part_a, part_b;        /**< compounds: the pair of parts that decides; 0 for a convex shape */
  size_t pairs_tested;           /**< compounds: how many pairs of parts were asked about; bounds did for the others */
  graze_certificate certificate; /**< compounds: of that pair */
  const graze_part_proof *parts; /**< NULL, or graze_options::parts: the certificates of all pairs of parts */
  size_t part_count;
} graze_answer;
/** @} */

/** @defgroup options Options, cache, trace
 * @{ */

/** A warm start, owned by the caller, one for each pair of bodies. Zero it once; pass it to every query of that pair.
 * It changes how fast an answer comes, never its relation. Anything may stand in it: it is not trusted. */
typedef struct graze_cache {
  graze_vec direction; /**< the last direction from A to B; zero: none */
  int count;           /**< how many vertex pairs are remembered: 0 to 4 */
  int32_t a[4], b[4];
} graze_cache;

/** Why GJK stopped. */
typedef enum graze_trace_stop {
  GRAZE_TRACE_CONTINUE = 0,
  GRAZE_TRACE_ORIGIN_NOT_PASSED, /**< the new point does not pass the origin: a (weakly) separating direction */
  GRAZE_TRACE_CONTAINS_ORIGIN,   /**< the simplex holds the origin */
  GRAZE_TRACE_VERTEX_REPEATED,   /**< the new point was in the simplex already: the nearest point is found */
  GRAZE_TRACE_BOUNDS_MET, /**< upper - lower is within the tolerance, or both lie on one side of what was asked */
  GRAZE_TRACE_BUDGET,     /**< max_iterations; EPA: the workspace is full */
  GRAZE_TRACE_NO_PROGRESS /**< rounding stopped it: what follows takes over */
} graze_trace_stop;

GRAZE_API const char *graze_trace_stop_text(graze_trace_stop stop);

/** Which search a step belongs to. */
typedef enum graze_phase {
  GRAZE_PHASE_GJK = 1,
  GRAZE_PHASE_PORTAL, /**< curved shapes near contact: portal refinement, in doubles */
  GRAZE_PHASE_EXACT,  /**< the exact search, where doubles could not decide; of curved shapes, of polytopes inscribed in
                         them. All numbers are rounded */
  GRAZE_PHASE_EPA     /**< the expanding polytope, in doubles or exact, of overlapping cores */
} graze_phase;

GRAZE_API const char *graze_phase_text(graze_phase phase);

/** One step of a search. */
typedef struct graze_trace_step {
  graze_phase phase;
  int iteration;       /**< from 0, through all phases */
  graze_vec direction; /**< the search direction d: the new point is the farthest of A - B along it. EPA: the outward
                            normal of the face nearest the origin. EXACT: zero where the simplex that doubles left
                            decides and no point is new */
  graze_pair pair;     /**< its two parents */
  graze_vec point;     /**< the new point w */
  double origin_check; /**< d·w: the point passes the origin when > 0 */
  int simplex_count;   /**< the simplex after this step; PORTAL and EXACT: before it; EPA: that face */
  graze_pair simplex[4];
  graze_vec simplex_point[4];
  double lower, upper; /**< bounds of the distance between the cores so far: rounded, -inf and inf where none. EPA: of
                            the signed distance, minus the least support width so far and minus the height of the face,
                            which is no bound while the origin is outside (upper > 0), and in doubles not before the
                            rounding of thin faces is counted */
  const graze_surface *polytope; /**< EPA: the polytope before the new point joins; otherwise NULL. It lives only during
                                    the call */
  graze_trace_stop stop; /**< why this search ends; GRAZE_TRACE_CONTINUE while it does not. Rounding may spoil the
                            polytope when the point joins: then the step comes once more, without polytope and with
                            GRAZE_TRACE_NO_PROGRESS */
} graze_trace_step;

/** Called once for each step; `step` lives only during the call, and the function must not use the query's workspace.
 * What is found by GRAZE_ALGORITHM_BOX_VERTICES, GRAZE_ALGORITHM_BOUNDING_SPHERES or GRAZE_ALGORITHM_BOUNDARY_WALK is
 * told as GJK would have it, which comes to the same in other steps, and the depth of two polygons as EPA would, which
 * then begins with the certificate's triangle, not with the last one of GJK. The axes of boxes are not traced:
 * graze_sat() shows them; nor is a depth that another pair of shapes was asked for (coaxial solids of revolution,
 * shapes freed of the balls they are rounded by). */
typedef void (*graze_trace_function)(void *context, const graze_trace_step *step);

/** Which algorithm answers. */
typedef enum graze_method {
  GRAZE_METHOD_AUTO = 0,
  GRAZE_METHOD_GJK,   /**< plain GJK from `start`; still certified, exactly where need be */
  GRAZE_METHOD_EXACT, /**< the exact search alone; not for curved shapes */
  GRAZE_METHOD_SAT,   /**< separating axes: see graze_sat(), which says for which shapes */
  GRAZE_METHOD_EPA, /**< as AUTO, but the depth by the expanding polytope algorithm even of boxes and polygons; not for
                         half-spaces */
  GRAZE_METHOD_BRUTE, /**< all vertex pairs a - b and their convex hull, exactly: the slow truth. Not for curved shapes
                           and half-spaces */
  GRAZE_METHOD_FCCD,  /**< of motions, also those that follow. The one of graze_cast(); nothing may turn */
  GRAZE_METHOD_SWEEP, /**< the one of graze_sweep(), also where nothing turns */
  GRAZE_METHOD_LCCD,  /**< culling by projections, then the facets of the Minkowski difference against the path (linear
                           continuous collision detection). Points, segments, triangles, boxes, polygons and hulls that
                           are not rounded; nothing may turn, and there is no clearance. All but boxes need workspace
                           for their features, or it is GRAZE_NO_SPACE */
  GRAZE_METHOD_CA,    /**< conservative advancement: as far as the distance and a bound of the speed allow, again and
                           again */
  GRAZE_METHOD_DISCRETE /**< looks at graze_options::samples moments, as engines without continuous detection do, and
                             says `clear` where it saw nothing: to be compared with, never to be relied on. The
                             poses are rounded: GRAZE_BAD_NUMBER where one is too far away; not for a graze_part() */
} graze_method;

/** A part of the proof of a motion: motion.h. */
typedef struct graze_cast_step graze_cast_step;

/** Start from graze_default_options(); zeros are not the defaults. */
typedef struct graze_options {
  double clearance;    /**< >= 0, added to r exactly: is the gap less than this? Default 0 */
  double max_distance; /**< >= 0: beyond it only lower >= max_distance is wanted. Default INFINITY */
  double tolerance;    /**< >= 0: the wanted upper - lower. Default 0: as narrow as promised */
  int max_iterations;  /**< >= 1: a budget for GJK. Default 64. EPA ends with the workspace. A relation promised exact
                          stays exact, at the price of further steps; curved shapes near contact may take some 300 */
  graze_method method;
  graze_vec start;            /**< first direction for GRAZE_METHOD_GJK; zero: chosen by Graze */
  graze_cache *cache;         /**< NULL: no warm start */
  void *workspace;            /**< room for what can grow, aligned as malloc() aligns; NULL: some 60 KB on the stack, no
                                   less than graze_workspace_size(GRAZE_WORKSPACE_POINTS) */
  size_t workspace_size;      /**< in bytes; see graze_workspace_size() */
  graze_surface *surface;     /**< NULL, or receives the surface that proves the depth, where EPA finds it; then the
                                   interval is no narrower than that shows. It lies in `workspace`, which must be
                                   given, and lives until that is used again */
  graze_part_proof *parts;    /**< NULL, or receives the certificates of all pairs of parts, which prove what one pair
                                   cannot: that compounds are separated or touch, and `lower` */
  size_t part_capacity;       /**< of `parts`; fewer than there are pairs is GRAZE_NO_SPACE */
  graze_cast_step *steps;     /**< NULL, or receives the steps that prove a sweep free until t_lower */
  size_t step_capacity;       /**< of `steps`; where they are too few the answer is `possible`, from there on */
  int samples;                /**< >= 2: the moments that GRAZE_METHOD_DISCRETE looks at, first and last included.
                                 Default 64 */
  graze_trace_function trace; /**< NULL: none; compounds are not traced */
  void *trace_context;
} graze_options;

/** The defaults named above. */
GRAZE_API graze_options graze_default_options(void);

#define GRAZE_WORKSPACE_POINTS 256

/** How many bytes of workspace hold a polytope of up to `points` vertices. The convex hull of C for shapes of n and m
 * vertices has at most n·m. For a surface no more than 2050 are used: graze_verify() reads up to 4096 faces. */
GRAZE_API size_t graze_workspace_size(size_t points);
/** @} */

/** @defgroup questions Questions
 * `options` may be NULL: the defaults. No other pointer may be. A refused shape is explained by graze_check(). Both
 * shapes must have the same dimension. Status: that of a bad placed shape; GRAZE_DIM_MISMATCH; GRAZE_BAD_OPTION;
 * GRAZE_UNSUPPORTED for two half-spaces, and for a method that does not take such shapes; GRAZE_NO_SPACE for the brute
 * method without room for all vertex pairs.
 * @{ */

/** Do A and B meet? Fills the relation and its certificate. Touching and undecided shapes
 * have an interval, a normal and witness points too; otherwise the numbers are NaN: ask graze_distance() for them.
 * Exact for polytopes, rounded polytopes, and half-spaces against them; rigorous enclosures for curved shapes.
 * Source: Gilbert, Johnson, Keerthi 1988; the exact search is derived in docs/theory/. */
GRAZE_API graze_status graze_intersect(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                       graze_answer *answer);

/** The signed distance of A and B: the gap where they are apart, 0 where they touch, minus the penetration depth where
 * they overlap; the depth is the length of the shortest translation of B that ends the overlap, along `normal`. Fills
 * everything. The global minimum, never a local one, as an interval: no wider than 1e-12 of the size for polytopes and
 * rounded polytopes. Where the workspace ends first (the depth of hulls of hundreds of vertices, of curved shapes whose
 * least depth is reached in many directions at once), `stopped` is GRAZE_STOP_BUDGET. Where a radius is more than 2^900
 * times the core, `lower` may be -infinity. Needs up to 700 KB of stack when magnitudes are spread over hundreds of
 * powers of two, else about 130 KB.
 * Source: gaps as graze_intersect(); depths: docs/theory/depth.md (van den Bergen 2001, made rigorous); boxes:
 * Gottschalk, Lin, Manocha 1996. */
GRAZE_API graze_status graze_distance(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                      graze_answer *answer);

/** What a shape covers on an axis: the values of axis·x over its points x. */
typedef struct graze_interval {
  double min, max;
} graze_interval;

/** Projects a placed shape, with its radius and margin, on a world axis of any nonzero length; rounded, for use, not
 * proof: by about a dozen ulps of |axis| times size and position. Errors as graze_support(). */
GRAZE_API graze_status graze_project(const graze_placed *placed, graze_vec axis, graze_interval *interval);

/** Where a candidate axis comes from. */
typedef enum graze_axis_kind {
  GRAZE_AXIS_FACE_A = 1, /**< normal of a face (2D: of an edge) of A */
  GRAZE_AXIS_FACE_B,
  GRAZE_AXIS_EDGES /**< product of an edge of A and one of B; 3D */
} graze_axis_kind;

/** One candidate axis of the separating axis test (SAT). All numbers are rounded. */
typedef struct graze_axis {
  graze_axis_kind kind;
  int feature_a, feature_b; /**< which face or edge, in the order in which they are tested; -1 where none. Boxes: the
                                 local axis 0, 1 or 2 */
  graze_vec direction;      /**< unit, towards B: of the two signs the one with the greater separation */
  double separation;        /**< b.min - a.max: > 0 a gap, a lower bound of the distance; < 0 minus the overlap */
  graze_interval a, b;      /**< the projections on `direction` */
} graze_axis;

/** Called for each axis tested; `axis` lives only during the call. False ends the test. */
typedef bool (*graze_axis_function)(void *context, const graze_axis *axis);

/** The separating axis test, for teaching and debugging, and for the OBB test: polytopes and rounded polytopes of any
 * kind (box, polygon, hull, segment, triangle …) against each other; 4 axes for boxes in 2D, 15 in 3D
 * (parallel edges give none). Leaves out the clearance. Calls `visit`
 * (may be NULL) for every axis, and fills *best with that of the greatest separation: where apart, a lower bound of the
 * distance, where overlapping the least overlap (rounded: graze_distance() with GRAZE_METHOD_SAT bounds it rigorously).
 * Equal axes: the first tested; A's faces, then B's, then edges. Takes workspace from `options` for hulls in 3D.
 * GRAZE_UNSUPPORTED for curved shapes and half-spaces, and where neither shape has a face or two edges to give an axis.
 * GRAZE_NO_SPACE where the workspace is too small. Status otherwise as all questions.
 * Source: Gottschalk, Lin, Manocha 1996; Gregorius 2013 (Gauss map). */
GRAZE_API graze_status graze_sat(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                 graze_axis_function visit, void *context, graze_axis *best);

/** One point of a contact manifold. */
typedef struct graze_contact {
  graze_vec point_a, point_b; /**< on A and on B; point_b - point_a = -depth·normal, rounded */
  double depth;               /**< > 0 where they overlap, < 0 for a speculative point */
  uint64_t feature;           /**< which features meet here: equal from one call to the next while the same ones meet.
                                   Near a corner (1/64 of the smaller face) it is the corner's */
} graze_contact;

/** The contact manifold of A and B: where, and how deep, the features that face each other along answer->normal meet.
 * Fills *answer as graze_distance(), and up to `capacity` contacts, *count of them: 0 when farther apart than
 * max_distance. The contact polygon whole where it fits into `capacity` (>= 1; 145 always hold it); else reduced to the
 * 4 (2D: 2), or fewer, that keep the deepest point and the widest support, depths within 1e-6 of the size counting as
 * equal. Points with a gap up to options->max_distance are speculative contacts; with the default, INFINITY, only
 * points in contact count, and of shapes that are apart those as near as the nearest. Within 1e-9 of the size a point
 * counts as in contact, so that rounding loses none; in a simulation give a max_distance, or resting bodies lose
 * points from step to step. Spheres and ellipsoids give one point, capsules and the sides of
 * cylinders and cones a line, their disks 16 fixed points of the rim; user shapes the witness points. The order,
 * counter-clockwise about the normal from the lowest feature, is stable while the features are. Status as
 * graze_distance(); GRAZE_NO_SPACE for capacity 0. Source: Gregorius 2013; docs/theory/contact.md. */
GRAZE_API graze_status graze_manifold(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                      graze_answer *answer, graze_contact *contacts, size_t capacity, size_t *count);

/** Which set of points: all a - b, or all a + b. */
typedef enum graze_minkowski_of { GRAZE_MINKOWSKI_DIFFERENCE = 1, GRAZE_MINKOWSKI_SUM } graze_minkowski_of;

/** The Minkowski difference (the CSO) or sum itself, by brute force: all vertex pairs and their convex hull, exactly.
 * Fills up to `capacity` vertices of it, rounded, with their parents: in 2D counter-clockwise, in 3D in the order of
 * the indices; *count of them. GRAZE_NO_SPACE: they are more than `capacity`, which is filled, and *count says how
 * many; or *count is as before, and the workspace is too small. Of equal points the first pair. *holds: is the origin
 * in the set, border included? Takes workspace from `options`: n·m + 3 points for shapes of n and m vertices.
 * GRAZE_UNSUPPORTED for curved shapes, half-spaces, and shapes with a radius or margin. */
GRAZE_API graze_status graze_minkowski(const graze_placed *a, const graze_placed *b, graze_minkowski_of of,
                                       const graze_options *options, graze_vec *points, graze_pair *pairs,
                                       size_t capacity, size_t *count, bool *holds);

/** Is the world point in the placed shape? *relation: overlapping: strictly inside; touching: on the boundary (or the
 * shape is flat); separated: outside; undecided: curved shapes, within rounding of the boundary.
 * GRAZE_BAD_NUMBER for a point that is not finite or too large, GRAZE_DIM_MISMATCH for one with z in 2D, and what the
 * shape was refused for. */
GRAZE_API graze_status graze_contains(const graze_placed *placed, graze_vec point, graze_relation *relation);

/** Called for one member of a list; `answer` lives only during the call. False ends the search. */
typedef bool (*graze_list_function)(void *context, size_t index, const graze_answer *answer);

/** What became of the members of a list. */
typedef struct graze_list_counts {
  size_t members;             /**< how many were looked at: fewer than the list has where `visit` ended the search */
  size_t separated_by_bounds; /**< their bounds were enough */
  size_t asked;               /**< of the others, asked exactly … */
  size_t found;               /**< … and given to the visitor */
} graze_list_counts;

/** Coarse, then fine: one shape against a list. Bounds first, then graze_intersect() for those whose bounds meet (the
 * clearance counts); `visit` gets every member that is not separated, in their order. Status as graze_intersect(): the
 * first refusal ends the search; A and the options are judged first, and where a member is refused, *at says which
 * (otherwise it stays as it was). *counts and *at may be NULL; *counts is
 * filled where the status is GRAZE_OK. A cache, a surface and parts are not used: GRAZE_BAD_OPTION. max_distance does
 * not count. */
GRAZE_API graze_status graze_intersect_list(const graze_placed *a, const graze_placed *list, size_t count,
                                            const graze_options *options, graze_list_function visit, void *context,
                                            graze_list_counts *counts, size_t *at);

/** The same by graze_distance(): `visit` gets every member that is not surely farther than options->max_distance. */
GRAZE_API graze_status graze_distance_list(const graze_placed *a, const graze_placed *list, size_t count,
                                           const graze_options *options, graze_list_function visit, void *context,
                                           graze_list_counts *counts, size_t *at);

/** Checks an answer, exactly, without any solver: does the certificate prove the relation, and do lower and upper
 * follow from it? Uses only the shapes and poses as the caller gave them, options->clearance, and the answer. GRAZE_OK:
 * proved. GRAZE_REFUTED: wrong. GRAZE_UNPROVEN: claims what it does not show (an `undecided` relation whose interval is
 * proved is GRAZE_OK; without a certificate: GRAZE_UNPROVEN). This function is also in a library of its own,
 * graze_verify, which contains no solver. */
GRAZE_API graze_status graze_verify(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                    const graze_answer *answer);
/** @} */

#ifdef __cplusplus
}
#endif

#include <graze/motion.h>

#endif
