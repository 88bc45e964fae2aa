/* Graze: meshes. In 3D a mesh has triangles, in 2D edges; both are called faces here.
 *
 * A mesh is a shape: place it with graze_place() and use it in every query. Answers name the deciding face in
 * graze_answer::part_a and part_b. A mesh that is closed and consistently oriented is solid: then a body inside it
 * overlaps it, unless the body is in a cavity. A point off the faces is inside if a ray from it crosses an odd number
 * of faces. Any other mesh is a surface: only its faces count.
 *
 * Coordinates are finite, at most GRAZE_LARGEST in magnitude, and never changed. Guide: docs/guide/meshes.md. */
#ifndef GRAZE_MESH_H
#define GRAZE_MESH_H

#include <graze/parallel.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup meshes Meshes
 * @{ */

/** The faces of a mesh, in its local frame. Zero the members that are not set. */
typedef struct graze_mesh_def {
  int dim;                        /**< 2 or 3 */
  const graze_vec *vertices;      /**< in 2D, z is 0 */
  size_t vertex_count;            /**< 1 to INT32_MAX */
  const int32_t *faces;           /**< face f has the vertices faces[dim·f] … faces[dim·f + dim - 1]. By convention
                                     triangles are counter-clockwise from outside, and edges in 2D have the inside on their left;
                                     the reverse is also solid */
  size_t face_count;              /**< 1 to INT32_MAX */
  bool surface;                   /**< true: only the faces count, also if they enclose a solid */
  const graze_parallel *parallel; /**< builds the tree on several threads, with the same result; NULL: on one */
} graze_mesh_def;

/** Creates a mesh.
 *
 * The vertices and faces are copied. Faces of zero area and duplicate faces are allowed. A vertex that no face uses is
 * allowed; its copy equals a vertex that is used. Builds a bounding-volume tree in O(n log n).
 * @param allocator  NULL: malloc() and free(). It is copied, and must remain usable until the mesh is destroyed.
 * @param mesh       receives the mesh; destroy it with graze_mesh_destroy().
 * @param error      NULL, or receives the reason: `what` is "dim", "vertices" or "faces", `index` is the vertex or the
 *                   position in `faces`, or -1.
 * @return GRAZE_BAD_NUMBER or GRAZE_DIM_MISMATCH: a vertex. GRAZE_BAD_SHAPE: a count, `dim` or the index of a vertex is
 *         out of range. GRAZE_OUT_OF_MEMORY. */
GRAZE_API graze_status graze_mesh_create(const graze_mesh_def *def, const graze_allocator *allocator, graze_mesh **mesh,
                                         graze_error *error);

/** Releases a mesh; NULL is allowed. */
GRAZE_API void graze_mesh_destroy(graze_mesh *mesh);

/** Returns the mesh as a shape. The mesh must outlive it. */
GRAZE_API graze_shape graze_mesh_shape(const graze_mesh *mesh);

/** Returns whether the mesh is solid: closed, consistently oriented, and not created as a surface. Closed and
 * consistently oriented means: each edge (in 2D: each vertex) occurs as often in one direction as in the other. Equal
 * vertices count as one. */
GRAZE_API bool graze_mesh_is_solid(const graze_mesh *mesh);

/** The faces of a mesh, as copied by graze_mesh_create(); `parallel` is NULL. Valid until the mesh is destroyed. */
GRAZE_API graze_mesh_def graze_mesh_faces(const graze_mesh *mesh);

/** The kinds of errors of a mesh. Corner k of a face is followed by corner k + 1, and the last by the first. Equal
 * vertices count as one. A face with a wrong index has no other errors and no edges. An edge from a vertex to itself is
 * ignored. */
typedef enum graze_mesh_error_kind {
  GRAZE_MESH_BAD_INDEX = 1,   /**< corner `corner` of the face is not a vertex */
  GRAZE_MESH_DEGENERATE_FACE, /**< the vertices of the face are on one line, exactly. 2D: they are equal */
  GRAZE_MESH_DUPLICATE_FACE,  /**< the face has the same set of vertices as the earlier face `other`, the first */
  GRAZE_MESH_OPEN_EDGE,       /**< the edge that starts at `corner` belongs to no other face, and not to this one in
                                 both directions. 2D: the vertex */
  GRAZE_MESH_SHARED_EDGE, /**< the edge that starts at `corner` belongs to more than two faces; reported once, for the
                             first of them. 2D: the vertex */
  GRAZE_MESH_ORIENTATION, /**< the edge that starts at `corner` belongs to several faces, and occurs more often in this
                             direction than in the other. Reported once, for the last face with this direction; `other`
                             is the first. 2D: more faces start at the vertex than end there, or the reverse */
  GRAZE_MESH_INTERSECTION /**< the face meets the earlier face `other` outside their common vertices and edges;
                             neither is degenerate */
} graze_mesh_error_kind;

/** Returns the name of a kind as in the text form of answers, for example "open_edge". Never NULL. */
GRAZE_API const char *graze_mesh_error_text(graze_mesh_error_kind kind);

/** An error of a mesh, and where it is. */
typedef struct graze_mesh_error {
  graze_mesh_error_kind kind;
  int32_t face;
  int32_t corner; /**< 0 to dim - 1; 0 if the kind names none */
  int32_t other;  /**< -1 if the kind names none */
} graze_mesh_error;

/** The result of a validation. `memory` and `allocator` are private. */
typedef struct graze_mesh_report {
  bool closed;                    /**< each edge belongs to at least two faces, or to one in both directions; false if
                                     an index is wrong */
  bool oriented;                  /**< each edge occurs as often in one direction as in the other, as
                                     graze_mesh_is_solid() requires; false if an index is wrong */
  double volume;                  /**< 2D: area; signed, rounded; of a closed and oriented mesh, otherwise 0. The sum of
                                     the volumes of all closed parts, also of those that are cavities by the
                                     even-odd rule, each with the sign of its orientation */
  const graze_mesh_error *errors; /**< all errors, sorted by kind, face, corner, other; NULL if there are none */
  size_t error_count;
  graze_allocator allocator;
  void *memory;
} graze_mesh_report;

/** Validates the faces of a mesh, exactly.
 *
 * Takes O(n) expected steps, without `intersections`.
 * @param intersections  whether to search for faces that meet outside common vertices and edges; not done if an index
 *                       is wrong.
 * @param report         receives the result; destroy it with graze_mesh_report_destroy().
 * @return GRAZE_OK also for a mesh with errors. Otherwise as graze_mesh_create(), except for wrong indices. */
GRAZE_API graze_status graze_validate_mesh(const graze_mesh_def *def, bool intersections,
                                           const graze_allocator *allocator, graze_mesh_report *report,
                                           graze_error *error);

/** Releases the memory of a report and sets *report to zero. */
GRAZE_API void graze_mesh_report_destroy(graze_mesh_report *report);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
