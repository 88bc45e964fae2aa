/* Validation of meshes: wrong indices, degenerate and duplicate faces, edges and their orientation, and the volume.
 *
 * Edges and faces are sorted by their welded vertices, so that equal ones follow each other. All decisions are exact.
 * Only the volume is rounded. */
#include <graze/mesh.h>

#include "compound/mesh_intersections.h"
#include "core/memory.h"
#include "core/status.h"
#include "exact/exact.h"
#include "geometry/measure.h"
#include "shape/mesh_edges.h"

#include <string.h>

/* A mesh under validation. Corner k of face f has the number dim·f + k, which is also the number of the edge that
 * starts there; in 2D, the number of the end of an edge. All memory is temporary. */
typedef struct report_work {
  const graze_mesh_def *def;
  size_t dim, corner_count;
  graze_allocator allocator;
  int32_t *weld;        /* for each vertex the first equal vertex */
  int32_t *corner;      /* for each corner the welded vertex; -1: the face has a wrong index */
  int32_t *same_face;   /* for each duplicate face the first face with the same vertices */
  int32_t *same_edge;   /* for each corner of a wrong orientation the first face with the same direction */
  unsigned char *marks; /* for each corner the kinds of its errors, as bits; kinds of faces at corner 0 */
  int32_t *keys;        /* for each corner or face the vertices by which it is sorted */
  size_t *order, *spare;
  size_t *starts; /* vertex_count + 1 numbers */
} report_work;

static void report_mark(report_work *work, size_t corner, graze_mesh_error_kind kind) {
  work->marks[corner] |= (unsigned char)(1u << kind);
}

/* ---- Memory. */

/* False: out of memory. */
static bool report_allocate(report_work *work) {
  const graze_allocator *allocator = &work->allocator;
  const size_t corners = work->corner_count, vertices = work->def->vertex_count;
  work->weld = grz_allocate(allocator, vertices, sizeof *work->weld);
  work->corner = grz_allocate(allocator, corners, sizeof *work->corner);
  work->same_face = grz_allocate(allocator, work->def->face_count, sizeof *work->same_face);
  work->same_edge = grz_allocate(allocator, corners, sizeof *work->same_edge);
  work->marks = grz_allocate(allocator, corners, sizeof *work->marks);
  work->keys = grz_allocate(allocator, corners, (work->dim - 1) * sizeof *work->keys);
  work->order = grz_allocate(allocator, corners, sizeof *work->order);
  work->spare = grz_allocate(allocator, corners, sizeof *work->spare);
  work->starts = grz_allocate(allocator, vertices + 1, sizeof *work->starts);
  return work->weld != NULL && work->corner != NULL && work->same_face != NULL && work->same_edge != NULL &&
         work->marks != NULL && work->keys != NULL && work->order != NULL && work->spare != NULL &&
         work->starts != NULL;
}

static void report_release(const report_work *work) {
  const graze_allocator *allocator = &work->allocator;
  grz_release(allocator, work->starts);
  grz_release(allocator, work->spare);
  grz_release(allocator, work->order);
  grz_release(allocator, work->keys);
  grz_release(allocator, work->marks);
  grz_release(allocator, work->same_edge);
  grz_release(allocator, work->same_face);
  grz_release(allocator, work->corner);
  grz_release(allocator, work->weld);
}

/* ---- Sorting. */

/* Sorts the `count` numbers in work->order by their keys, work->keys[length·number] and the next length - 1 keys. The
 * sort is stable: LSD radix sort, with one digit for each key. */
static void report_sort(report_work *work, size_t length, size_t count) {
  const size_t vertices = work->def->vertex_count;
  size_t *starts = work->starts;
  for (size_t k = length; k-- > 0;) {
    const int32_t *keys = work->keys + k;
    memset(starts, 0, (vertices + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++) starts[keys[length * work->order[i]] + 1]++;
    for (size_t v = 0; v < vertices; v++) starts[v + 1] += starts[v];
    for (size_t i = 0; i < count; i++) work->spare[starts[keys[length * work->order[i]]]++] = work->order[i];
    size_t *swap = work->order;
    work->order = work->spare, work->spare = swap;
  }
}

/* Returns the end of the run of equal keys that starts at `first`. */
static size_t report_run(const report_work *work, size_t length, size_t count, size_t first) {
  const int32_t *key = work->keys + length * work->order[first];
  size_t end = first + 1;
  while (end < count && memcmp(key, work->keys + length * work->order[end], length * sizeof *key) == 0) end++;
  return end;
}

/* ---- Faces. */

/* Marks wrong indices, and sets work->corner. Returns whether all indices are right. False for *enough: out of memory.
 */
static bool report_corners(report_work *work, bool *enough) {
  const graze_mesh_def *def = work->def;
  for (size_t v = 0; v < def->vertex_count; v++) work->weld[v] = (int32_t)v;
  *enough = grz_mesh_weld(def->vertices, work->weld, def->vertex_count, &work->allocator);
  if (!*enough) return false;
  bool all_right = true;
  for (size_t first = 0; first < work->corner_count; first += work->dim) {
    bool right = true;
    for (size_t i = first; i < first + work->dim; i++) {
      if (def->faces[i] >= 0 && (size_t)def->faces[i] < def->vertex_count) continue;
      report_mark(work, i, GRAZE_MESH_BAD_INDEX);
      right = false;
    }
    for (size_t i = first; i < first + work->dim; i++) work->corner[i] = right ? work->weld[def->faces[i]] : -1;
    all_right = all_right && right;
  }
  return all_right;
}

static void report_degenerate_faces(report_work *work) {
  const graze_vec *v = work->def->vertices;
  for (size_t first = 0; first < work->corner_count; first += work->dim) {
    const int32_t *corner = work->corner + first;
    if (corner[0] < 0) continue;
    const bool degenerate =
        work->dim == 2 ? corner[0] == corner[1] : grz_are_collinear(v[corner[0]], v[corner[1]], v[corner[2]]);
    if (degenerate) report_mark(work, first, GRAZE_MESH_DEGENERATE_FACE);
  }
}

/* Writes the set of the vertices of a face: in ascending order, each once, and the last as often as needed. */
static void report_vertex_set(const int32_t *corner, size_t dim, int32_t *set) {
  size_t used = 0;
  for (size_t k = 0; k < dim; k++) {
    size_t at = used;
    while (at > 0 && set[at - 1] > corner[k]) at--;
    if (at > 0 && set[at - 1] == corner[k]) continue;
    for (size_t i = used; i > at; i--) set[i] = set[i - 1];
    set[at] = corner[k];
    used++;
  }
  for (; used < dim; used++) set[used] = set[used - 1];
}

static void report_duplicate_faces(report_work *work) {
  size_t count = 0;
  for (size_t f = 0; f < work->def->face_count; f++) {
    const int32_t *corner = work->corner + work->dim * f;
    if (corner[0] < 0) continue;
    report_vertex_set(corner, work->dim, work->keys + work->dim * f);
    work->order[count++] = f;
  }
  report_sort(work, work->dim, count);
  for (size_t first = 0, end; first < count; first = end) {
    end = report_run(work, work->dim, count, first);
    for (size_t i = first + 1; i < end; i++) {
      work->same_face[work->order[i]] = (int32_t)work->order[first];
      report_mark(work, work->dim * work->order[i], GRAZE_MESH_DUPLICATE_FACE);
    }
  }
}

/* ---- Edges, in 2D their ends. */

/* Returns whether the edge that starts at a corner goes from its lesser to its greater vertex. 2D: whether the corner
 * is the start of its face. */
static bool report_is_forward(const report_work *work, size_t corner) {
  if (work->dim == 2) return corner % 2 == 0;
  const size_t next = corner % 3 < 2 ? corner + 1 : corner - 2;
  return work->corner[corner] < work->corner[next];
}

/* Marks the errors of one edge: `count` corners of work->order, in ascending order. Returns whether the edge belongs to
 * at least two faces, or to one face in both directions. */
static bool report_edge(report_work *work, const size_t *corners, size_t count) {
  const size_t dim = work->dim;
  size_t faces = 1, uses[2] = {0, 0}, first[2] = {0, 0}, last[2] = {0, 0};
  for (size_t i = 0; i < count; i++) {
    const size_t corner = corners[i];
    const bool forward = report_is_forward(work, corner);
    if (i > 0 && corner / dim != corners[i - 1] / dim) faces++;
    if (uses[forward]++ == 0) first[forward] = corner;
    last[forward] = corner;
  }
  const bool open = faces == 1 && uses[0] != uses[1];
  if (open) report_mark(work, corners[0], GRAZE_MESH_OPEN_EDGE);
  if (faces > 2) report_mark(work, corners[0], GRAZE_MESH_SHARED_EDGE);
  if (faces > 1 && uses[0] != uses[1]) {
    /* A face has an edge at most once in each direction. So the excess direction occurs in two faces. */
    const bool excess = uses[1] > uses[0];
    work->same_edge[last[excess]] = (int32_t)(first[excess] / dim);
    report_mark(work, last[excess], GRAZE_MESH_ORIENTATION);
  }
  return !open;
}

/* Returns whether no edge is open. */
static bool report_edges(report_work *work) {
  const size_t length = work->dim - 1;
  size_t count = 0;
  for (size_t i = 0; i < work->corner_count; i++) {
    const size_t next = i % work->dim < work->dim - 1 ? i + 1 : i + 1 - work->dim;
    const int32_t from = work->corner[i], to = work->corner[next];
    if (from == to) continue; /* also for a face with a wrong index */
    int32_t *key = work->keys + length * i;
    key[0] = work->dim == 2 || from < to ? from : to;
    if (work->dim == 3) key[1] = from < to ? to : from;
    work->order[count++] = i;
  }
  report_sort(work, length, count);
  bool closed = true;
  for (size_t first = 0, end; first < count; first = end) {
    end = report_run(work, length, count, first);
    closed = report_edge(work, work->order + first, end - first) && closed;
  }
  return closed;
}

/* ---- Volume. */

/* The sum of the signed volumes (2D: areas) of the simplices of the first vertex and each face, exact before it is
 * rounded. */
static double report_volume(const graze_mesh_def *def) {
  const graze_vec *v = def->vertices;
  const measure_format format = measure_format_of(v, def->vertex_count);
  const grz_scaled half = {0.5, 0}, six = {0.75, 3};
  measure_sum sum;
  measure_clear(&sum);
  for (size_t f = 0; f < def->face_count; f++) {
    const int32_t *face = def->faces + (size_t)def->dim * f;
    if (def->dim == 2)
      measure_add_cross(&format, &sum, v[0], v[face[0]], v[face[1]]);
    else
      measure_add_det(&format, &sum, v[0], v[face[0]], v[face[1]], v[face[2]]);
  }
  if (def->dim == 2) return scaled_to_double(scaled_mul(measure_round(&format, &sum, 2, 2), half));
  return scaled_to_double(scaled_div(measure_round(&format, &sum, 0, 3), six));
}

/* ---- The list of errors. */

/* Writes the marked errors, sorted, unless `errors` is NULL. Returns their number. */
static size_t report_list_errors(const report_work *work, graze_mesh_error *errors) {
  size_t count = 0;
  for (int kind = GRAZE_MESH_BAD_INDEX; kind <= GRAZE_MESH_ORIENTATION; kind++) {
    for (size_t i = 0; i < work->corner_count; i++) {
      if ((work->marks[i] >> kind & 1) == 0) continue;
      const size_t face = i / work->dim;
      if (errors != NULL) {
        const int32_t other = kind == GRAZE_MESH_DUPLICATE_FACE ? work->same_face[face]
                              : kind == GRAZE_MESH_ORIENTATION  ? work->same_edge[i]
                                                                : -1;
        errors[count] = (graze_mesh_error){(graze_mesh_error_kind)kind, (int32_t)face, (int32_t)(i % work->dim), other};
      }
      count++;
    }
  }
  return count;
}

/* Shell sort by face, then by the other face, with the gaps (3^k - 1)/2. */
static void report_sort_pairs(graze_mesh_error *errors, size_t count) {
  size_t gap = 1;
  while (gap < count / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (size_t i = gap; i < count; i++) {
      const graze_mesh_error inserted = errors[i];
      size_t k = i;
      for (; k >= gap && (errors[k - gap].face > inserted.face ||
                          (errors[k - gap].face == inserted.face && errors[k - gap].other > inserted.other));
           k -= gap)
        errors[k] = errors[k - gap];
      errors[k] = inserted;
    }
  }
}

/* ---- Public functions. */

/* False: out of memory. */
static bool report_validate(report_work *work, bool intersections, graze_mesh_report *report) {
  const graze_mesh_def *def = work->def;
  if (!report_allocate(work)) return false;
  memset(work->marks, 0, work->corner_count * sizeof *work->marks);
  bool enough;
  const bool all_right = report_corners(work, &enough);
  if (!enough) return false;
  report_degenerate_faces(work);
  report_duplicate_faces(work);
  report->closed = report_edges(work) && all_right;
  if (all_right && grz_mesh_is_closed(def, &work->allocator, &report->oriented) != GRAZE_OK) return false;
  if (report->closed && report->oriented) report->volume = report_volume(def);

  const size_t marked = report_list_errors(work, NULL);
  size_t pair_count = 0;
  graze_mesh *mesh = NULL;
  if (intersections && all_right) { /* the search counts the errors, then it runs again to list them */
    graze_mesh_def surface = *def;
    surface.surface = true;
    if (graze_mesh_create(&surface, &work->allocator, &mesh, NULL) != GRAZE_OK) return false;
    pair_count = grz_mesh_intersections(mesh, work->corner, NULL, 0);
  }
  const size_t count = marked + pair_count;
  graze_mesh_error *errors = count > 0 ? grz_allocate(&work->allocator, count, sizeof *errors) : NULL;
  if (errors != NULL) {
    (void)report_list_errors(work, errors);
    if (pair_count > 0) (void)grz_mesh_intersections(mesh, work->corner, errors + marked, pair_count);
    report_sort_pairs(errors + marked, pair_count);
  }
  graze_mesh_destroy(mesh);
  report->errors = report->memory = errors;
  report->error_count = count;
  return count == 0 || errors != NULL;
}

graze_status graze_validate_mesh(const graze_mesh_def *def, bool intersections, const graze_allocator *allocator,
                                 graze_mesh_report *report, graze_error *error) {
  const graze_status status = grz_mesh_check_def(def, false, error);
  if (status != GRAZE_OK) return status;
  const size_t dim = (size_t)def->dim;
  report_work work = {
      .def = def, .dim = dim, .corner_count = dim * def->face_count, .allocator = grz_allocator(allocator)};
  graze_mesh_report made = {.allocator = work.allocator};
  const bool done = report_validate(&work, intersections, &made);
  report_release(&work);
  if (!done) return grz_reject(error, grz_error(GRAZE_OUT_OF_MEMORY, "faces", -1, (double)def->face_count));
  *report = made;
  return GRAZE_OK;
}

void graze_mesh_report_destroy(graze_mesh_report *report) {
  grz_release(&report->allocator, report->memory);
  memset(report, 0, sizeof *report);
}

const char *graze_mesh_error_text(graze_mesh_error_kind kind) {
  switch (kind) {
  case GRAZE_MESH_BAD_INDEX: return "bad_index";
  case GRAZE_MESH_DEGENERATE_FACE: return "degenerate_face";
  case GRAZE_MESH_DUPLICATE_FACE: return "duplicate_face";
  case GRAZE_MESH_OPEN_EDGE: return "open_edge";
  case GRAZE_MESH_SHARED_EDGE: return "shared_edge";
  case GRAZE_MESH_ORIENTATION: return "orientation";
  case GRAZE_MESH_INTERSECTION: return "intersection";
  }
  return "unknown mesh error";
}
