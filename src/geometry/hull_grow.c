/* How a solid grows by one point. Each step in a word:
 *   open    the faces that the point sees go; the rim is what they leave open
 *   close   across each edge of the rim lies a face below which the point lies: the edge gets a triangle; or a face on
 *           whose plane it lies: that face reaches up to the point
 *   settle  the points that waited at faces gone look for a new one among the faces around the point. */
#include "geometry/hull_solid.h"
#include "core/vec.h"

/* From how many faces on the search for a point's face bisects. */
enum { GROW_BISECT = 16 };

/* ---- Open. */

/* Tries the face once, and lists it if the point sees it. False: it does not. */
static bool grow_is_seen(grz_solid *s, int32_t face, int32_t p) {
  solid_face *f = &s->face[face];
  if (f->seen != p) {
    f->seen = p;
    f->side = solid_side(s, f, s->point[p]);
    if (f->side > 0) solid_gone(s)[s->gone.used++] = face;
  }
  return f->side > 0;
}

/* Lists the faces that go; returns an edge of one of them, across which a face stays. */
static int32_t grow_open(grz_solid *s, int32_t p) {
  int32_t border = SOLID_NONE;
  grow_is_seen(s, s->where[p], p);
  for (int32_t i = 0; i < s->gone.used; i++) {
    int32_t first = s->face[solid_gone(s)[i]].edge, edge = first;
    do {
      if (!grow_is_seen(s, s->edge[s->edge[edge].twin].face, p)) border = edge;
      edge = s->edge[edge].next;
    } while (edge != first);
  }
  return border;
}

/* Does the face across the edge stay? */
static bool grow_is_border(const grz_solid *s, int32_t edge) {
  return s->face[s->edge[s->edge[edge].twin].face].side <= 0;
}

/* The face across an edge of the rim, if the point lies on its plane; otherwise SOLID_NONE. */
static int32_t grow_level(const grz_solid *s, int32_t edge) {
  int32_t face = s->edge[s->edge[edge].twin].face;
  return s->face[face].side == 0 ? face : SOLID_NONE;
}

/* The next edge of the rim, counter-clockwise around the hole. */
static int32_t grow_next_border(const grz_solid *s, int32_t edge) {
  edge = s->edge[edge].next;
  while (!grow_is_border(s, edge)) edge = s->edge[s->edge[edge].twin].next;
  return edge;
}

/* Lists the edges of the rim, beginning where a face across begins. */
static bool grow_rim(grz_solid *s, int32_t border) {
  int32_t first = border, edge = border;
  do { /* no face borders on the whole rim */
    first = edge;
    edge = grow_next_border(s, edge);
  } while (grow_level(s, first) != SOLID_NONE && grow_level(s, first) == grow_level(s, edge));
  s->rim.used = 0;
  first = edge;
  do {
    if (!grz_solid_reserve(s, &s->rim, sizeof(int32_t), 1)) return false;
    solid_rim(s)[s->rim.used++] = edge;
    edge = grow_next_border(s, edge);
  } while (edge != first);
  return true;
}

/* The edges between faces gone are free again. */
static void grow_free_edges(grz_solid *s) {
  for (int32_t i = 0; i < s->rim.used; i++) s->edge[solid_rim(s)[i]].face = SOLID_RIM;
  for (int32_t i = 0; i < s->gone.used; i++) {
    int32_t first = s->face[solid_gone(s)[i]].edge, edge = first;
    do {
      int32_t next = s->edge[edge].next;
      if (s->edge[edge].face != SOLID_RIM) grz_solid_free_edge(s, edge);
      edge = next;
    } while (edge != first);
  }
}

/* ---- Close. */

static void grow_link(grz_solid *s, int32_t edge, int32_t next) {
  s->edge[edge].next = next;
  s->edge[next].prev = edge;
}

/* The two edges of a face that meet in the point: from `from`, where `before` ends, and to where `after` begins. */
static void grow_corner(grz_solid *s, solid_spoke *spoke, int32_t before, int32_t after, int32_t from, int32_t p) {
  spoke->in = grz_solid_take_edge(s);
  spoke->out = grz_solid_take_edge(s);
  s->edge[spoke->in].origin = from;
  s->edge[spoke->out].origin = p;
  s->edge[spoke->in].face = s->edge[spoke->out].face = spoke->face;
  grow_link(s, before, spoke->in);
  grow_link(s, spoke->in, spoke->out);
  grow_link(s, spoke->out, after);
  s->face[spoke->face].edge = spoke->in;
}

static void grow_triangle(grz_solid *s, solid_spoke *spoke, int32_t edge, int32_t end, int32_t p) {
  spoke->face = grz_solid_take_face(s);
  s->edge[edge].face = spoke->face;
  grz_solid_plane(s, spoke->face, spoke->rim, end, p);
  grow_corner(s, spoke, edge, edge, end, p);
}

/* The point takes the place of the edges of a level face between `first` and `last` of the rim. */
static void grow_extend(grz_solid *s, solid_spoke *spoke, int32_t first, int32_t last, int32_t end, int32_t p) {
  const int32_t *rim = solid_rim(s);
  int32_t before = s->edge[s->edge[rim[last]].twin].prev, after = s->edge[s->edge[rim[first]].twin].next;
  spoke->face = s->edge[s->edge[rim[first]].twin].face;
  for (int32_t i = first; i <= last; i++) {
    grz_solid_free_edge(s, s->edge[rim[i]].twin);
    grz_solid_free_edge(s, rim[i]);
  }
  grow_corner(s, spoke, before, after, end, p);
}

/* A corner between two level faces that met in an edge now lies between the ends of a longer one. */
static void solid_join_cone(grz_solid *s, solid_spoke *right, solid_spoke *left) {
  int32_t before = s->edge[right->in].prev, after = s->edge[left->out].next;
  if (s->edge[before].twin != after) return;
  s->edge[after].origin = s->edge[left->out].origin;
  grow_link(s, before, s->edge[right->in].next);
  grow_link(s, s->edge[left->out].prev, after);
  s->face[right->face].edge = before;
  s->face[left->face].edge = after;
  grz_solid_free_edge(s, right->in);
  grz_solid_free_edge(s, left->out);
}

static void grow_sew(grz_solid *s) {
  solid_spoke *spoke = solid_spokes(s);
  int32_t count = s->spokes.used;
  for (int32_t i = 0; i < count; i++) {
    solid_spoke *right = &spoke[i > 0 ? i - 1 : count - 1], *left = &spoke[i];
    s->edge[right->in].twin = left->out;
    s->edge[left->out].twin = right->in;
  }
  for (int32_t i = 0; i < count; i++) {
    solid_spoke *right = &spoke[i > 0 ? i - 1 : count - 1], *left = &spoke[i];
    if (s->face[right->face].side == 0 && s->face[left->face].side == 0) solid_join_cone(s, right, left);
  }
}

static bool grow_close(grz_solid *s, int32_t p) {
  int32_t sides = s->rim.used;
  if (!grz_solid_reserve(s, &s->edges, sizeof(solid_edge), 2 * (int64_t)sides) ||
      !grz_solid_reserve(s, &s->faces, sizeof(solid_face), sides))
    return false;
  s->spokes.used = 0;
  if (!grz_solid_reserve(s, &s->spokes, sizeof(solid_spoke), sides)) return false;
  const int32_t *rim = solid_rim(s);
  /* Corners first: edges of the rim are freed on the way. */
  for (int32_t first = 0, last = 0; first < sides; first = last + 1) {
    solid_spoke *spoke = &solid_spokes(s)[s->spokes.used++];
    int32_t level = grow_level(s, rim[first]);
    last = first;
    while (level != SOLID_NONE && last + 1 < sides && grow_level(s, rim[last + 1]) == level) last++;
    spoke->rim = s->edge[rim[first]].origin;
    int32_t end = s->edge[s->edge[rim[last]].twin].origin;
    if (level == SOLID_NONE)
      grow_triangle(s, spoke, rim[first], end, p);
    else
      grow_extend(s, spoke, first, last, end, p);
  }
  grow_sew(s);
  return true;
}

/* ---- Settle. */

static bool grow_sees(const grz_solid *s, int32_t spoke, graze_vec q) {
  return solid_side(s, &s->face[solid_spokes(s)[spoke].face], q) > 0;
}

/* The faces around the point form a cone. Planes through its first spoke cut it into wedges, one for each face; a point
 * outside lies beyond the face of its wedge. */
static int32_t grow_bisect(const grz_solid *s, graze_vec p, graze_vec q) {
  const solid_spoke *spoke = solid_spokes(s);
  int32_t last = s->spokes.used - 1;
  if (grow_sees(s, 0, q)) return spoke[0].face;
  if (grow_sees(s, last, q)) return spoke[last].face;
  int32_t low = 1, high = last;
  while (high - low > 1) {
    int32_t middle = low + (high - low) / 2;
    if (grz_orient3(s->point[spoke[0].rim], s->point[spoke[middle].rim], p, q) > 0)
      high = middle;
    else
      low = middle;
  }
  return grow_sees(s, low, q) ? spoke[low].face : SOLID_NONE;
}

/* A face around the point p that q sees; SOLID_NONE: q does not lie outside. */
static int32_t grow_find(const grz_solid *s, graze_vec p, graze_vec q) {
  if (s->spokes.used >= GROW_BISECT) return grow_bisect(s, p, q);
  for (int32_t i = 0; i < s->spokes.used; i++) {
    if (grow_sees(s, i, q)) return solid_spokes(s)[i].face;
  }
  return SOLID_NONE;
}

static void grow_wait(grz_solid *s, int32_t q, int32_t face) {
  s->where[q] = face;
  if (face == SOLID_NONE) return;
  s->next[q] = s->face[face].outside;
  s->face[face].outside = q;
}

static void grow_settle(grz_solid *s, int32_t face, int32_t p) {
  graze_vec at = s->point[p];
  for (int32_t q = s->face[face].outside, next; q != SOLID_NONE; q = next) {
    next = s->next[q];
    bool same = vec_equal(s->point[q], at);
    if (same && s->index[q] < s->index[p]) s->index[p] = s->index[q];
    grow_wait(s, q, same ? SOLID_NONE : grow_find(s, at, s->point[q]));
  }
}

bool grz_solid_join(grz_solid *s, int32_t p) {
  s->gone.used = 0;
  if (!grz_solid_reserve(s, &s->gone, sizeof(int32_t), s->faces.used)) return false;
  int32_t border = grow_open(s, p);
  if (!grow_rim(s, border)) return false;
  grow_free_edges(s);
  if (!grow_close(s, p)) return false;
  for (int32_t i = 0; i < s->gone.used; i++) grow_settle(s, solid_gone(s)[i], p);
  for (int32_t i = 0; i < s->gone.used; i++) grz_solid_free_face(s, solid_gone(s)[i]);
  return true;
}

/* ---- The beginning. */

static void grow_start_faces(grz_solid *s) {
  static const int8_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const int8_t twin[12] = {5, 8, 11, 10, 6, 0, 4, 9, 1, 7, 3, 2};
  for (int32_t i = 0; i < 4; i++) {
    int32_t face = grz_solid_take_face(s);
    const int8_t *c = corner[i];
    grz_solid_plane(s, face, c[0], c[1], c[2]);
    s->face[face].edge = 3 * i;
    for (int32_t k = 0; k < 3; k++) {
      int32_t next = 3 * i + (k + 1) % 3, prev = 3 * i + (k + 2) % 3;
      s->edge[grz_solid_take_edge(s)] = (solid_edge){c[k], twin[3 * i + k], next, prev, face};
    }
  }
}

bool grz_solid_start(grz_solid *s) {
  if (!grz_solid_reserve(s, &s->edges, sizeof(solid_edge), 12) ||
      !grz_solid_reserve(s, &s->faces, sizeof(solid_face), 4))
    return false;
  grow_start_faces(s);
  for (int32_t q = 0; q < s->count; q++) {
    int32_t face = SOLID_NONE;
    for (int32_t k = 0; k < 4; k++) {
      bool same = vec_equal(s->point[q], s->point[k]);
      if (same && s->index[q] < s->index[k]) s->index[k] = s->index[q];
    }
    for (int32_t k = 0; k < 4 && face == SOLID_NONE; k++) {
      if (solid_side(s, &s->face[k], s->point[q]) > 0) face = k;
    }
    grow_wait(s, q, face);
  }
  return true;
}
