/* Directions from an apex of a contact: the cells into which the planes of the faces divide them, and whether a cell is
 * inside two solids, or inside a solid and a face, at rest or in motion. Everything is exact. Theory and proof:
 * docs/theory/meshes.md, "Touching solids". */
#include "compound/touch_cells.h"

/* Whether the apex, perturbed by the basis, is inside the solid. */
static bool touch_inside(const touch_query *q, const touch_body *body, const grz_bvec basis[3]) {
  bool inside = body->beyond;
  for (int i = 0; i < body->count; i++) inside ^= grz_ray_crosses(q->arena, q->dim, body->face[i].at, body->ray, basis);
  return inside;
}

/* ---- Cells of directions */

static grz_bvec touch_signed(grz_bvec v, int negative) { return negative ? grz_bvec_neg(v) : v; }

static bool touch_is_parallel(const touch_query *q, grz_bvec u, grz_bvec v) {
  return grz_bvec_is_zero(grz_bvec_cross(q->arena, u, v));
}

/* The planes of all faces of the solids at the apex: no two normals are parallel. */
static int touch_planes(const touch_query *q, const grz_bvec *normal[2 * TOUCH_FACES]) {
  int count = 0;
  for (int of = 0; of < 2; of++) {
    const touch_body *body = of == 0 ? &q->a : &q->b;
    for (int i = 0; body->solid && i < body->count; i++) {
      bool known = false;
      const size_t mark = q->arena->used;
      for (int k = 0; k < count && !known; k++) known = touch_is_parallel(q, *normal[k], body->face[i].normal);
      q->arena->used = mark;
      if (!known) normal[count++] = &body->face[i].normal;
    }
  }
  return count;
}

/* Whether the cone of a triangle at the apex contains the direction v, which is in its plane. */
static bool touch_cone_contains(const touch_query *q, const touch_face *face, grz_bvec v) {
  grz_arena *arena = q->arena;
  for (int i = 0; i < 3; i++) {
    const grz_bvec from = face->at[i], to = face->at[(i + 1) % 3];
    if (grz_bvec_dot(arena, face->normal, grz_bvec_cross(arena, from, to)).sign != 0) continue;
    const grz_bvec inward = grz_bvec_cross(arena, face->normal, grz_bvec_sub(arena, to, from));
    if (grz_bvec_dot(arena, inward, v).sign < 0) return false;
  }
  return true;
}

/* A basis of v and two axes. */
static void touch_complete(grz_arena *arena, grz_bvec v, grz_bvec basis[3]) {
  const int skip = v.x.sign != 0 ? 0 : v.y.sign != 0 ? 1 : 2;
  basis[0] = v;
  basis[1] = grz_bvec_of(arena, touch_axes[(skip + 1) % 3]), basis[2] = grz_bvec_of(arena, touch_axes[(skip + 2) % 3]);
}

/* Whether a plane separates both cones: the faces of each body are on one side, and so is its inside. */
static bool touch_plane_separates(const touch_query *q, grz_bvec normal, int negative) {
  const grz_bvec n = touch_signed(normal, negative);
  for (int of = 0; of < 2; of++) {
    const touch_body *body = of == 0 ? &q->a : &q->b;
    const grz_bvec out = of == 0 ? n : grz_bvec_neg(n);
    for (int i = 0; i < body->count; i++) {
      for (int k = 0; k < body->face[i].count; k++) {
        if (grz_bvec_dot(q->arena, out, body->face[i].at[k]).sign > 0) return false;
      }
    }
    grz_bvec basis[3] = {out, grz_bvec_of(q->arena, touch_axes[0]), grz_bvec_of(q->arena, touch_axes[1])};
    if (out.z.sign == 0) basis[out.y.sign == 0 ? 1 : 2] = grz_bvec_of(q->arena, touch_axes[out.y.sign == 0 ? 1 : 2]);
    if (out.z.sign == 0 && out.y.sign == 0) basis[2] = grz_bvec_of(q->arena, touch_axes[2]);
    if (body->solid && touch_inside(q, body, basis)) return false;
  }
  return true;
}

/* The planes of the faces at the apex. */
typedef struct touch_arrangement {
  const grz_bvec *normal[2 * TOUCH_FACES];
  int count;
} touch_arrangement;

/* Whether the direction v is outside the solid, and on no face of it. Then all cells next to v are outside. */
static bool touch_is_outside(const touch_query *q, const touch_body *solid, grz_bvec v) {
  grz_arena *arena = q->arena;
  const size_t mark = arena->used;
  bool on_face = false;
  for (int i = 0; i < solid->count && !on_face; i++)
    on_face = grz_bvec_dot(arena, solid->face[i].normal, v).sign == 0 && touch_cone_contains(q, &solid->face[i], v);
  grz_bvec basis[3];
  touch_complete(arena, v, basis);
  const bool outside = !on_face && !touch_inside(q, solid, basis);
  arena->used = mark;
  return outside;
}

/* Tests all cells next to the direction v: those on both sides of both halves of each plane that contains it. In 2D
 * there is one half. */
static bool touch_any_cell(const touch_query *q, const touch_arrangement *planes, grz_bvec v) {
  const grz_bvec third = grz_bvec_of(q->arena, touch_axes[2]);
  bool found = false;
  if (q->dim == 3 && (touch_is_outside(q, &q->a, v) || touch_is_outside(q, &q->b, v))) return false;
  for (int k = 0; k < planes->count && !found; k++) {
    const size_t mark = q->arena->used;
    const grz_bvec normal = *planes->normal[k];
    const bool contains = grz_bvec_dot(q->arena, normal, v).sign == 0;
    for (int sign = 0; contains && !found && sign < (q->dim == 2 ? 2 : 4); sign++) {
      const grz_bvec n = touch_signed(normal, sign & 1);
      const grz_bvec half = touch_signed(grz_bvec_cross(q->arena, normal, v), sign & 2);
      const grz_bvec basis2[3] = {v, n, third}, basis3[3] = {v, half, n};
      const grz_bvec *basis = q->dim == 2 ? basis2 : basis3;
      found = touch_inside(q, &q->a, basis) && touch_inside(q, &q->b, basis);
    }
    q->arena->used = mark;
  }
  return found;
}

/* Tests the line of two faces, where it is in the cones of both. */
static bool touch_any_cell_at(const touch_query *q, const touch_arrangement *planes, const touch_face *a,
                              const touch_face *b) {
  const grz_bvec line = grz_bvec_cross(q->arena, a->normal, b->normal);
  for (int sign = 0; sign < 2 && !grz_bvec_is_zero(line); sign++) {
    const grz_bvec v = touch_signed(line, sign);
    if (touch_cone_contains(q, a, v) && touch_cone_contains(q, b, v) && touch_any_cell(q, planes, v)) return true;
  }
  return false;
}

bool grz_touch_solids_overlap(const touch_query *q) {
  touch_arrangement planes;
  grz_arena *arena = q->arena;
  planes.count = touch_planes(q, planes.normal);
  for (int i = 0; i < 2 * planes.count; i++) {
    const size_t mark = arena->used;
    const bool separates = touch_plane_separates(q, *planes.normal[i / 2], i % 2);
    arena->used = mark;
    if (separates) return false;
  }

  /* The boundary of the common interior has a corner where two faces intersect, or it contains the plane of a face. */
  const int count = q->a.count + q->b.count;
  for (int i = 0; i < count && !arena->full; i++) {
    const touch_face *face = i < q->a.count ? &q->a.face[i] : &q->b.face[i - q->a.count];
    for (int k = 0; k < face->count; k++)
      if (!grz_bvec_is_zero(face->at[k]) && touch_any_cell(q, &planes, face->at[k])) return true;
    for (int j = i + 1; j < count && q->dim == 3; j++) {
      const size_t mark = arena->used;
      const touch_face *other = j < q->a.count ? &q->a.face[j] : &q->b.face[j - q->a.count];
      const bool found = touch_any_cell_at(q, &planes, face, other);
      arena->used = mark;
      if (found) return true;
    }
  }
  return false;
}

/* ---- A flat face in a solid */

/* Whether all points near the apex, in the direction v, are inside the solid. */
static bool touch_direction_inside(const touch_query *q, const touch_body *solid, grz_bvec v) {
  grz_arena *arena = q->arena;
  const grz_bvec third = grz_bvec_of(arena, touch_axes[2]);
  bool in_plane = false;
  for (int i = 0; i < solid->count; i++) {
    const grz_bvec normal = solid->face[i].normal;
    if (grz_bvec_dot(arena, normal, v).sign != 0) continue;
    in_plane = true;
    for (int sign = 0; sign < 4; sign++) {
      const grz_bvec n = touch_signed(normal, sign & 1);
      const grz_bvec basis2[3] = {v, n, third};
      const grz_bvec basis3[3] = {v, touch_signed(grz_bvec_cross(arena, normal, v), sign & 2), n};
      if (!touch_inside(q, solid, q->dim == 2 ? basis2 : basis3)) return false;
    }
  }
  if (in_plane) return true;
  grz_bvec basis[3];
  touch_complete(arena, v, basis);
  return touch_inside(q, solid, basis);
}

/* Whether the directions v, perturbed by w, point into a triangle at the apex. */
static bool touch_points_into(const touch_query *q, const touch_face *face, grz_bvec v, grz_bvec w) {
  grz_arena *arena = q->arena;
  for (int i = 0; i < 3; i++) {
    const grz_bvec from = face->at[i], to = face->at[(i + 1) % 3];
    if (grz_bvec_dot(arena, face->normal, grz_bvec_cross(arena, from, to)).sign != 0) continue;
    const grz_bvec inward = grz_bvec_cross(arena, face->normal, grz_bvec_sub(arena, to, from));
    const int sign = grz_bvec_dot(arena, inward, v).sign;
    if (sign < 0 || (sign == 0 && grz_bvec_dot(arena, inward, w).sign <= 0)) return false;
  }
  return true;
}

/* Tests the two cells of a triangle next to the direction v in its plane. */
static bool touch_triangle_inside(const touch_query *q, const touch_body *solid, const touch_face *face, grz_bvec v) {
  for (int sign = 0; sign < 2; sign++) {
    const grz_bvec w = touch_signed(grz_bvec_cross(q->arena, face->normal, v), sign);
    const grz_bvec above[3] = {v, w, face->normal}, below[3] = {v, w, grz_bvec_neg(face->normal)};
    if (touch_points_into(q, face, v, w) && touch_inside(q, solid, above) && touch_inside(q, solid, below)) return true;
  }
  return false;
}

bool grz_touch_face_overlaps(const touch_query *q, const touch_body *solid, const touch_face *face) {
  grz_arena *arena = q->arena;
  bool found = false;
  for (int i = 0; i < face->count && !found; i++) {
    const size_t mark = arena->used;
    if (!grz_bvec_is_zero(face->at[i]))
      found = face->count < 3 ? touch_direction_inside(q, solid, face->at[i])
                              : touch_triangle_inside(q, solid, face, face->at[i]);
    arena->used = mark;
  }
  for (int i = 0; face->count == 3 && i < solid->count && !found; i++) {
    const size_t mark = arena->used;
    const grz_bvec line = grz_bvec_cross(arena, solid->face[i].normal, face->normal);
    found = !grz_bvec_is_zero(line) &&
            (touch_triangle_inside(q, solid, face, line) || touch_triangle_inside(q, solid, face, grz_bvec_neg(line)));
    arena->used = mark;
  }
  return found;
}

/* ---- A face that moves into a solid
 *
 * A face that moves by v meets the interior at once if some direction d + s·v does, where d points into the face and
 * s > 0. These directions are a cone: the wedge of the face and v. */

/* Whether the sector between the rays g and v, which are not parallel, meets the interior. */
static bool touch_sector_overlaps(const touch_query *q, const touch_body *solid, grz_bvec g, grz_bvec v) {
  grz_arena *arena = q->arena;
  const grz_bvec normal = grz_bvec_cross(arena, g, v);
  for (int i = -2; i < 2 * solid->count; i++) { /* rays in the plane of the sector */
    const size_t mark = arena->used;
    const grz_bvec line = i < 0 ? g : grz_bvec_cross(arena, solid->face[i / 2].normal, normal);
    const grz_bvec ray = i == -1 ? v : touch_signed(line, i > 0 && i % 2);
    bool found = false;
    for (int sign = 0; sign < 2 && !grz_bvec_is_zero(ray) && !found; sign++) {
      const grz_bvec side = touch_signed(grz_bvec_cross(arena, normal, ray), sign);
      const grz_bvec x[2] = {ray, side};
      int after_g = 0, before_v = 0;
      for (int k = 0; k < 2; k++) {
        if (after_g == 0) after_g = grz_bvec_det(arena, g, x[k], normal).sign;
        if (before_v == 0) before_v = grz_bvec_det(arena, x[k], v, normal).sign;
      }
      if (after_g <= 0 || before_v <= 0) continue;
      const grz_bvec above[3] = {ray, side, normal}, below[3] = {ray, side, grz_bvec_neg(normal)};
      found = touch_inside(q, solid, above) && (q->dim == 2 || touch_inside(q, solid, below));
    }
    arena->used = mark;
    if (found) return true;
  }
  return false;
}

/* Whether the perturbed direction is in the wedge of a triangle and v, which is not in its plane. */
static bool touch_wedge_contains(const touch_query *q, const touch_face *face, grz_bvec v, const grz_bvec basis[3]) {
  grz_arena *arena = q->arena;
  const grz_big rise = grz_bvec_dot(arena, face->normal, v);
  grz_bvec in_plane[3]; /* x - s·v with the s for which it is in the plane, times a positive number */
  int height = 0;
  for (int k = 0; k < 3; k++) {
    const grz_big h = grz_bvec_dot(arena, face->normal, basis[k]);
    if (height == 0) height = h.sign;
    const grz_bvec y = grz_bvec_sub(arena, grz_bvec_scale(arena, basis[k], rise), grz_bvec_scale(arena, v, h));
    in_plane[k] = touch_signed(y, rise.sign < 0);
  }
  if (height != rise.sign) return false;
  for (int i = 0; i < 3; i++) {
    const grz_bvec from = face->at[i], to = face->at[(i + 1) % 3];
    if (grz_bvec_dot(arena, face->normal, grz_bvec_cross(arena, from, to)).sign != 0) continue;
    const grz_bvec inward = grz_bvec_cross(arena, face->normal, grz_bvec_sub(arena, to, from));
    int sign = 0;
    for (int k = 0; k < 3 && sign == 0; k++) sign = grz_bvec_dot(arena, inward, in_plane[k]).sign;
    if (sign <= 0) return false;
  }
  return true;
}

/* Whether the wedge of a triangle and v, which is not in its plane, meets the interior. Its cells have corners on the
 * lines of two planes: of the solid, or of the wedge. */
static bool touch_wedge_overlaps(const touch_query *q, const touch_body *solid, const touch_face *face, grz_bvec v) {
  grz_arena *arena = q->arena;
  const size_t mark = arena->used;
  grz_bvec plane[TOUCH_FACES + 4];
  int count = 0;
  bool found = false;
  for (int i = 0; i < solid->count; i++) plane[count++] = solid->face[i].normal;
  plane[count++] = face->normal;
  for (int i = 0; i < 3; i++) {
    const grz_bvec side = grz_bvec_cross(arena, face->at[i], v);
    if (!grz_bvec_is_zero(side)) plane[count++] = side;
  }
  for (int i = 0; i < count && !found; i++) {
    for (int j = i + 1; j < count && !found; j++) {
      const size_t inner = arena->used;
      const grz_bvec line = grz_bvec_cross(arena, plane[i], plane[j]);
      bool in_cones[2];
      for (int sign = 0; sign < 2; sign++) {
        const grz_bvec ray = touch_signed(line, sign);
        in_cones[sign] = (i >= solid->count || touch_cone_contains(q, &solid->face[i], ray)) &&
                         (j >= solid->count || touch_cone_contains(q, &solid->face[j], ray));
      }
      for (int k = 0; k < count && !found && !grz_bvec_is_zero(line) && (in_cones[0] || in_cones[1]); k++) {
        if (grz_bvec_dot(arena, plane[k], line).sign != 0) continue;
        for (int sign = 0; sign < 8 && !found; sign++) {
          if (!in_cones[sign & 1]) continue;
          const grz_bvec ray = touch_signed(line, sign & 1);
          const grz_bvec half = touch_signed(grz_bvec_cross(arena, plane[k], line), sign & 2);
          const grz_bvec basis[3] = {ray, half, touch_signed(plane[k], sign & 4)};
          found = touch_wedge_contains(q, face, v, basis) && touch_inside(q, solid, basis);
        }
      }
      arena->used = inner;
    }
  }
  arena->used = mark;
  return found;
}

bool grz_touch_face_enters(const touch_query *q, const touch_body *solid, const touch_face *face, grz_bvec v) {
  const bool leaves_plane = face->count == 3 && grz_bvec_dot(q->arena, face->normal, v).sign != 0;
  if (leaves_plane) return touch_wedge_overlaps(q, solid, face, v);
  bool found = touch_direction_inside(q, solid, v);
  for (int i = 0; i < face->count && !found; i++) {
    if (!touch_is_parallel(q, face->at[i], v)) found = touch_sector_overlaps(q, solid, face->at[i], v);
  }
  return found;
}
