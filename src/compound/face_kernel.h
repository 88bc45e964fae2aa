/* Eight triangles of a leaf at once, for one instruction set: their bounds, and lower bounds of their distances from a
 * triangle. Included by search.c. Every instruction set returns the same bits. Margins: docs/theory/compounds.md,
 * "Bounds". */
#define face_turn GRZ_ISA_NAME(face_turn)
#define face_boxes GRZ_ISA_NAME(face_boxes)
#define face_extents GRZ_ISA_NAME(face_extents)
#define face_gaps GRZ_ISA_NAME(face_gaps)
#define face_vec GRZ_ISA_NAME(face_vec)
#define face_nearest GRZ_ISA_NAME(face_nearest)
#define face_load GRZ_ISA_NAME(face_load)
#define face_all GRZ_ISA_NAME(face_all)
#define face_sub GRZ_ISA_NAME(face_sub)
#define face_scale GRZ_ISA_NAME(face_scale)
#define face_dot GRZ_ISA_NAME(face_dot)
#define face_cross GRZ_ISA_NAME(face_cross)
#define face_offer GRZ_ISA_NAME(face_offer)
#define face_clamp GRZ_ISA_NAME(face_clamp)
#define face_edges GRZ_ISA_NAME(face_edges)
#define face_edge GRZ_ISA_NAME(face_edge)
#define face_edge_of GRZ_ISA_NAME(face_edge_of)
#define face_point GRZ_ISA_NAME(face_point)
#define face_plane_gap GRZ_ISA_NAME(face_plane_gap)
#define face_plane_gaps GRZ_ISA_NAME(face_plane_gaps)
#define face_planes GRZ_ISA_NAME(face_planes)
#define face_raise GRZ_ISA_NAME(face_raise)

/* Turns the vertices of a leaf of the query shape to the frame of the target. */
static void face_turn(const search_frame *f, const search_faces *faces, search_faces *turned) {
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    for (int k = 0; k < f->dim; k++) {
      const f32xn x = f32xn_load(faces->at[k][0] + i), y = f32xn_load(faces->at[k][1] + i);
      const f32xn z = f32xn_load(faces->at[k][2] + i);
      for (int r = 0; r < 3; r++) {
        const f32xn xy = f32xn_all(f->turn[3 * r]) * x + f32xn_all(f->turn[3 * r + 1]) * y;
        f32xn_store(turned->at[k][r] + i, (xy + f32xn_all(f->turn[3 * r + 2]) * z) + f32xn_all(f->shift[r]));
      }
    }
  }
}

/* Writes boxes that contain the turned faces at all times of the motion. They are tighter than turned boxes. */
static void face_boxes(const search_frame *f, const search_faces *turned, grz_node *node) {
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    for (int r = 0; r < f->dim; r++) {
      f32xn low = f32xn_load(turned->at[0][r] + i), high = low;
      for (int k = 1; k < f->dim; k++) {
        const f32xn at = f32xn_load(turned->at[k][r] + i);
        low = f32xn_min(low, at), high = f32xn_max(high, at);
      }
      low = low - f32xn_all(f->error), high = high + f32xn_all(f->error);
      f32xn_store(node->side[r] + i, low + f32xn_all(f->sweep_low[r]));
      f32xn_store(node->side[r + 3] + i, (f32xn_all(0) - high) - f32xn_all(f->sweep_high[r]));
    }
  }
}

/* Writes upper bounds of axis·x over the faces, which are less than those of their boxes. */
static void face_extents(const search_frame *f, const float axis[3], const search_faces *faces, float extent[8]) {
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    f32xn most = f32xn_all(-FLT_MAX);
    for (int k = 0; k < f->dim; k++) {
      f32xn sum = f32xn_all(f->error);
      for (int r = 0; r < f->dim; r++) sum = sum + f32xn_all(axis[r]) * f32xn_load(faces->at[k][r] + i);
      most = f32xn_max(most, sum);
    }
    f32xn_store(extent + i, most);
  }
}

/* ---- Distances of triangles. The nearest points of two triangles are on two edges, or one is a vertex. */

typedef struct face_vec {
  f32xn x, y, z;
} face_vec;

static inline face_vec face_load(const search_faces *faces, int corner, int i) {
  return (face_vec){f32xn_load(faces->at[corner][0] + i), f32xn_load(faces->at[corner][1] + i),
                    f32xn_load(faces->at[corner][2] + i)};
}

static inline face_vec face_all(const search_faces *faces, int corner, int face) {
  return (face_vec){f32xn_all(faces->at[corner][0][face]), f32xn_all(faces->at[corner][1][face]),
                    f32xn_all(faces->at[corner][2][face])};
}

static inline face_vec face_sub(face_vec u, face_vec v) { return (face_vec){u.x - v.x, u.y - v.y, u.z - v.z}; }
static inline face_vec face_scale(face_vec u, f32xn s) { return (face_vec){u.x * s, u.y * s, u.z * s}; }
static inline f32xn face_dot(face_vec u, face_vec v) { return (u.x * v.x + u.y * v.y) + u.z * v.z; }

static inline face_vec face_cross(face_vec u, face_vec v) {
  return (face_vec){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

static inline f32xn face_clamp(f32xn x) { return f32xn_min(f32xn_max(x, f32xn_all(0)), f32xn_all(1)); }

/* The shortest vector so far, and its square. */
typedef struct face_nearest {
  f32xn square;
  face_vec v;
} face_nearest;

static inline void face_offer(face_nearest *best, f32xn square, face_vec v) {
  best->v.x = f32xn_select_less(square, best->square, v.x, best->v.x);
  best->v.y = f32xn_select_less(square, best->square, v.y, best->v.y);
  best->v.z = f32xn_select_less(square, best->square, v.z, best->v.z);
  best->square = f32xn_min(square, best->square);
}

/* An edge, the square of its length, at least FLT_MIN, and the inverse of that. */
typedef struct face_edge {
  face_vec v;
  f32xn square, inverse;
} face_edge;

static inline face_edge face_edge_of(face_vec from, face_vec to) {
  const face_vec v = face_sub(to, from);
  const f32xn square = f32xn_max(face_dot(v, v), f32xn_all(FLT_MIN));
  return (face_edge){v, square, f32xn_all(1) / square};
}

/* The nearest points of the edges p + s·u and q + t·v, 0 <= s, t <= 1. Source: Ericson, "Real-Time Collision
 * Detection", 5.1.9. Edges that are parallel or have no length give some points of them. */
static inline void face_edges(face_nearest *best, face_vec p, const face_edge *u, face_vec q, const face_edge *v) {
  const face_vec r = face_sub(q, p);
  const f32xn uv = face_dot(u->v, v->v), ur = face_dot(u->v, r), vr = face_dot(v->v, r);
  const f32xn det = f32xn_max(u->square * v->square - uv * uv, f32xn_all(FLT_MIN));
  f32xn s = face_clamp((ur * v->square - uv * vr) / det);
  const f32xn t = face_clamp((s * uv - vr) * v->inverse);
  s = face_clamp((ur + t * uv) * u->inverse);
  const face_vec w = face_sub((face_vec){r.x + t * v->v.x, r.y + t * v->v.y, r.z + t * v->v.z}, face_scale(u->v, s));
  face_offer(best, face_dot(w, w), w);
}

/* A point above a triangle with the unit normal n: the vector along it. `side` are n × edge. `sign` is 1 if the vector
 * goes from the point to the triangle. */
static inline void face_point(face_nearest *best, face_vec point, const face_vec *corner, face_vec n,
                              const face_vec *side, float sign) {
  const f32xn height = face_dot(n, face_sub(corner[0], point));
  f32xn inside = face_dot(side[0], face_sub(point, corner[0]));
  for (int k = 1; k < 3; k++) inside = f32xn_min(inside, face_dot(side[k], face_sub(point, corner[k])));
  const f32xn square = f32xn_select_less(f32xn_all(0), inside, height * height, f32xn_all(FLT_MAX));
  face_offer(best, square, face_scale(n, height * f32xn_all(sign)));
}

/* The gap between the heights of a triangle along its own normal and those of another one. */
static inline f32xn face_plane_gap(face_vec n, f32xn low, f32xn high, const face_vec *other) {
  f32xn least = face_dot(n, other[0]), most = least;
  for (int k = 1; k < 3; k++) {
    const f32xn height = face_dot(n, other[k]);
    least = f32xn_min(least, height), most = f32xn_max(most, height);
  }
  return f32xn_max(least - high, low - most);
}

/* Raises a key to a gap less its error. */
static inline void face_raise(const search_frame *f, f32xn gap, float *key) {
  const f32xn bound = gap - f32xn_all(2 * f->error), outside = f32xn_max(bound, f32xn_all(0));
  const f32xn of_bound = (outside * outside) * f32xn_all(1 - 0x1p-20f) + f32xn_min(bound, f32xn_all(0));
  f32xn_store(key, f32xn_max(of_bound, f32xn_load(key)));
}

/* Sets the unit normals of eight triangles and their own heights along them, which rounding makes two. A normal of a
 * square that has lost digits becomes zero, with heights that bound nothing. */
static void face_planes(search_faces *faces) {
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    const face_vec p[3] = {face_load(faces, 0, i), face_load(faces, 1, i), face_load(faces, 2, i)};
    face_vec n = face_cross(face_sub(p[1], p[0]), face_sub(p[2], p[0]));
    const f32xn square = face_dot(n, n), most = f32xn_all(FLT_MAX), least = f32xn_all(1e-30f), none = f32xn_all(0);
    n = face_scale(n, f32xn_select_less(least, square, f32xn_all(1) / f32xn_sqrt(f32xn_max(square, least)), none));
    const f32xn at[3] = {face_dot(n, p[0]), face_dot(n, p[1]), face_dot(n, p[2])};
    const f32xn low = f32xn_min(at[0], f32xn_min(at[1], at[2])), high = f32xn_max(at[0], f32xn_max(at[1], at[2]));
    f32xn_store(faces->normal[0] + i, n.x), f32xn_store(faces->normal[1] + i, n.y);
    f32xn_store(faces->normal[2] + i, n.z);
    f32xn_store(faces->low + i, f32xn_select_less(least, square, low, none - most));
    f32xn_store(faces->high + i, f32xn_select_less(least, square, high, most));
  }
}

/* Raises the keys of eight faces of the target to lower bounds of their signed distances from face j of the query
 * shape, in 3D and at rest: the gaps along both normals. */
static void face_plane_gaps(const search_frame *f, const search_faces *target, const search_faces *query, int j,
                            float key[8]) {
  const face_vec q[3] = {face_all(query, 0, j), face_all(query, 1, j), face_all(query, 2, j)};
  const face_vec normal = {f32xn_all(query->normal[0][j]), f32xn_all(query->normal[1][j]),
                           f32xn_all(query->normal[2][j])};
  const f32xn low = f32xn_all(query->low[j]), high = f32xn_all(query->high[j]);
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    const face_vec p[3] = {face_load(target, 0, i), face_load(target, 1, i), face_load(target, 2, i)};
    const face_vec n = {f32xn_load(target->normal[0] + i), f32xn_load(target->normal[1] + i),
                        f32xn_load(target->normal[2] + i)};
    const f32xn of_p = face_plane_gap(n, f32xn_load(target->low + i), f32xn_load(target->high + i), q);
    face_raise(f, f32xn_max(of_p, face_plane_gap(normal, low, high, p)), key + i);
  }
}

/* The same by the gap along the shortest vector. It may be inexact. If it is short, its square has lost digits, and
 * there is no bound. */
static void face_gaps(const search_frame *f, const search_faces *target, const search_faces *query, int j,
                      float key[8]) {
  const f32xn least = f32xn_all(FLT_MIN);
  const face_vec q[3] = {face_all(query, 0, j), face_all(query, 1, j), face_all(query, 2, j)};
  const face_vec q_normal = {f32xn_all(query->normal[0][j]), f32xn_all(query->normal[1][j]),
                             f32xn_all(query->normal[2][j])};
  face_edge u[3], v[3];
  face_vec p_side[3], q_side[3];
  for (int k = 0; k < 3; k++) v[k] = face_edge_of(q[k], q[(k + 1) % 3]), q_side[k] = face_cross(q_normal, v[k].v);
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    const face_vec p[3] = {face_load(target, 0, i), face_load(target, 1, i), face_load(target, 2, i)};
    const face_vec p_normal = {f32xn_load(target->normal[0] + i), f32xn_load(target->normal[1] + i),
                               f32xn_load(target->normal[2] + i)};
    for (int k = 0; k < 3; k++) u[k] = face_edge_of(p[k], p[(k + 1) % 3]), p_side[k] = face_cross(p_normal, u[k].v);
    face_nearest best = {f32xn_all(FLT_MAX), {f32xn_all(0), f32xn_all(0), f32xn_all(0)}};
    for (int k = 0; k < 3; k++) {
      for (int l = 0; l < 3; l++) face_edges(&best, p[k], &u[k], q[l], &v[l]);
    }
    for (int k = 0; k < 3; k++) {
      face_point(&best, p[k], q, q_normal, q_side, 1);
      face_point(&best, q[k], p, p_normal, p_side, -1);
    }
    f32xn high = face_dot(best.v, p[0]), low = face_dot(best.v, q[0]);
    for (int k = 1; k < 3; k++) {
      high = f32xn_max(high, face_dot(best.v, p[k])), low = f32xn_min(low, face_dot(best.v, q[k]));
    }
    const f32xn square = face_dot(best.v, best.v), gap = (low - high) / f32xn_sqrt(f32xn_max(square, least));
    face_raise(f, f32xn_select_less(f32xn_all(1e-30f), square, gap, f32xn_all(-FLT_MAX)), key + i);
  }
}
