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
#define face_point GRZ_ISA_NAME(face_point)
#define face_divide GRZ_ISA_NAME(face_divide)
#define face_gap_along GRZ_ISA_NAME(face_gap_along)

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

/* The nearest points of the edges p + s·u and q + t·v, 0 <= s, t <= 1. Source: Ericson, "Real-Time Collision
 * Detection", 5.1.9. Edges that are parallel or have no length give some points of them. */
static inline void face_edges(face_nearest *best, face_vec p, face_vec u, f32xn uu, face_vec q, face_vec v, f32xn vv) {
  const face_vec r = face_sub(q, p);
  const f32xn uv = face_dot(u, v), ur = face_dot(u, r), vr = face_dot(v, r), least = f32xn_all(FLT_MIN);
  const f32xn det = f32xn_max(uu * vv - uv * uv, least);
  f32xn s = face_clamp((ur * vv - uv * vr) / det);
  const f32xn t = face_clamp((s * uv - vr) / vv);
  s = face_clamp((ur + t * uv) / uu);
  const face_vec w = face_sub((face_vec){r.x + t * v.x, r.y + t * v.y, r.z + t * v.z}, face_scale(u, s));
  face_offer(best, face_dot(w, w), w);
}

/* A point above a triangle: the vector along its normal n. `side` are n × edge. `sign` is 1 if the vector goes from the
 * point to the triangle. Returns the height of the triangle over the point, times the length of n. */
static inline f32xn face_point(face_nearest *best, face_vec point, const face_vec *corner, face_vec n, f32xn nn,
                               const face_vec *side, float sign) {
  const f32xn height = face_dot(n, face_sub(corner[0], point));
  f32xn inside = face_dot(side[0], face_sub(point, corner[0]));
  for (int k = 1; k < 3; k++) inside = f32xn_min(inside, face_dot(side[k], face_sub(point, corner[k])));
  const f32xn square = f32xn_select_less(f32xn_all(0), inside, (height * height) / nn, f32xn_all(FLT_MAX));
  face_offer(best, square, face_scale(n, (height * f32xn_all(sign)) / nn));
  return height;
}

/* The gap along ±n of a triangle and another one, times the length of n. `over` are the least and greatest heights of
 * corner[0] over the other one. The rounded normal n is not quite orthogonal to the edges. */
static inline f32xn face_gap_along(const face_vec *corner, face_vec n, const f32xn over[2]) {
  const f32xn none = f32xn_all(0), e = face_dot(n, face_sub(corner[1], corner[0])),
              f = face_dot(n, face_sub(corner[2], corner[0]));
  const f32xn below = f32xn_min(none, f32xn_min(e, f)), above = f32xn_max(none, f32xn_max(e, f));
  return f32xn_max(over[0] + below, none - (over[1] + above));
}

/* A gap along a vector, divided by its length. No bound for short vectors, whose square may have lost digits. */
static inline f32xn face_divide(f32xn gap, f32xn square) {
  return f32xn_select_less(f32xn_all(1e-30f), square, gap / f32xn_sqrt(square), f32xn_all(-FLT_MAX));
}

/* Raises the keys of eight faces of the target to lower bounds of their signed distances from face j of the query
 * shape, in 3D and at rest: gaps along both normals and along the shortest vector, which may be inexact. */
static void face_gaps(const search_frame *f, const search_faces *target, const search_faces *query, int j,
                      float key[8]) {
  const f32xn least = f32xn_all(FLT_MIN);
  face_vec q[3], v[3], q_side[3];
  f32xn vv[3];
  for (int k = 0; k < 3; k++) q[k] = face_all(query, k, j);
  for (int k = 0; k < 3; k++) v[k] = face_sub(q[(k + 1) % 3], q[k]), vv[k] = f32xn_max(face_dot(v[k], v[k]), least);
  const face_vec q_normal = face_cross(v[0], v[1]);
  const f32xn q_square = f32xn_max(face_dot(q_normal, q_normal), least);
  for (int k = 0; k < 3; k++) q_side[k] = face_cross(q_normal, v[k]);
  for (int i = 0; i < 8; i += F32XN_WIDTH) {
    face_vec p[3], u[3], p_side[3];
    f32xn uu[3];
    for (int k = 0; k < 3; k++) p[k] = face_load(target, k, i);
    for (int k = 0; k < 3; k++) u[k] = face_sub(p[(k + 1) % 3], p[k]), uu[k] = f32xn_max(face_dot(u[k], u[k]), least);
    const face_vec p_normal = face_cross(u[0], u[1]);
    const f32xn p_square = f32xn_max(face_dot(p_normal, p_normal), least);
    for (int k = 0; k < 3; k++) p_side[k] = face_cross(p_normal, u[k]);
    face_nearest best = {f32xn_all(FLT_MAX), {f32xn_all(0), f32xn_all(0), f32xn_all(0)}};
    for (int k = 0; k < 3; k++) {
      for (int l = 0; l < 3; l++) face_edges(&best, p[k], u[k], uu[k], q[l], v[l], vv[l]);
    }
    f32xn over_q[2], over_p[2]; /* the least and greatest heights */
    for (int k = 0; k < 3; k++) {
      const f32xn of_p = face_point(&best, p[k], q, q_normal, q_square, q_side, 1);
      const f32xn of_q = face_point(&best, q[k], p, p_normal, p_square, p_side, -1);
      over_q[0] = k == 0 ? of_p : f32xn_min(over_q[0], of_p), over_q[1] = k == 0 ? of_p : f32xn_max(over_q[1], of_p);
      over_p[0] = k == 0 ? of_q : f32xn_min(over_p[0], of_q), over_p[1] = k == 0 ? of_q : f32xn_max(over_p[1], of_q);
    }
    f32xn high = face_dot(best.v, p[0]), low = face_dot(best.v, q[0]);
    for (int k = 1; k < 3; k++) {
      high = f32xn_max(high, face_dot(best.v, p[k])), low = f32xn_min(low, face_dot(best.v, q[k]));
    }
    const f32xn none = f32xn_all(0);
    const f32xn along_q = face_gap_along(q, q_normal, over_q), along_p = face_gap_along(p, p_normal, over_p);
    f32xn gap = face_divide(low - high, face_dot(best.v, best.v));
    gap = f32xn_max(gap, f32xn_max(face_divide(along_q, q_square), face_divide(along_p, p_square)));
    gap = gap - f32xn_all(2 * f->error);
    const f32xn outside = f32xn_max(gap, none);
    const f32xn bound = (outside * outside) * f32xn_all(1 - 0x1p-20f) + f32xn_min(gap, none);
    f32xn_store(key + i, f32xn_max(bound, f32xn_load(key + i)));
  }
}
