/* Compounds and meshes in words: the deciding parts, the search for them, and solids that contain the other body. */
#include "explain/story.h"

#include <math.h>

static const story_body *body_of(const story *s, size_t k) { return k == 0 ? &s->a : &s->b; }
static const cli_body *given_of(const story *s, size_t k) { return k == 0 ? &s->request->a : &s->request->b; }
static const char *name_of(size_t k) { return k == 0 ? "A" : "B"; }

/* ---- The deciding pair */

static void emit_part(cli_text *out, const story *s, size_t k) {
  const story_body *body = body_of(s, k);
  emit(out, body->part >= 0 ? "%B (%K)" : "%B", (int)body->part, body->part_word, name_of(k), sentence_shape, s, k);
}

void sentence_parts(cli_text *out, const story *s) {
  const size_t total = graze_part_count(s->a.whole) * graze_part_count(s->b.whole);
  const bool given = cli_has_parts(&s->request->a) || cli_has_parts(&s->request->b);
  const bool meets = s->motion && s->motion->cast.outcome != GRAZE_CLEAR;
  if (!given) return;
  if (!s->of_parts)
    emit(out, "No pair of parts is in contact, so a ray decides: see the certificate. The search tests");
  else if (story_is_contained(s))
    emit(out,
         "No pair of parts is in contact, so a ray decides: see the certificate. The nearest pair is %K and %K. The "
         "search tests",
         emit_part, s, (size_t)0, emit_part, s, (size_t)1);
  else
    emit(out,
         s->motion == NULL ? "The deciding pair is %K and %K. The search tests"
         : meets           ? "The first pair in contact is %K and %K. The search tests"
                           : "The nearest pair is %K and %K. The search tests",
         emit_part, s, (size_t)0, emit_part, s, (size_t)1);
  if (s->tested < total)
    emit(out, " %z of %z pairs; the bounding-volume trees exclude the others.", s->tested, total);
  else
    emit(out, s->tested == total ? " all %c." : " %c, because some are tested again.", s->tested, "pair", "pairs");
  if (story_certificate(s)->parts && !story_certificate(s)->frontier && s->tested < total)
    emit(out, " For the certificates of all pairs, the command also tests these.");
  if (s->finding.trace.count > 0)
    emit(out, story_certificate(s)->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE
                  ? " The steps are those for the deciding pair, which by itself only touches."
              : story_is_contained(s) ? " The steps are those for the nearest pair."
                                      : " The steps are those for the deciding pair.");
}

/* The steps name the vertices of a part by their indices in the part. */
void sentence_vertices(cli_text *out, const story *s, size_t k) {
  enum { MAX_LISTED = 12 };
  const story_body *body = body_of(s, k);
  const graze_shape *shape = &body->placed.shape;
  const graze_mesh *mesh = given_of(s, k)->mesh;
  const bool listed =
      mesh || shape->kind == GRAZE_POLYGON || shape->kind == GRAZE_HULL || shape->kind == GRAZE_TRIANGLE;
  const size_t count = graze_vertex_count(shape);
  if (body->part < 0 || !listed || count > MAX_LISTED) return;
  emit(out, "The vertices of %B are", (int)body->part, body->part_word, name_of(k));
  for (size_t i = 0; i < count; i++) {
    emit(out, "%s %s%z %v", i > 0 ? "," : "", name_of(k), i, body_point(body, graze_vertex(shape, i)), s->dim);
    if (mesh) emit(out, " (vertex %i)", (int)graze_mesh_faces(mesh).faces[(size_t)s->dim * (size_t)body->part + i]);
  }
  emit(out, s->motion ? " at t = 0." : ".");
}

/* ---- The drawing */

void sentence_drawn(cli_text *out, const story *s) {
  const char *before = "";
  for (size_t k = 0; k < 2; k++) {
    const story_faces *faces = &body_of(s, k)->faces;
    const char *word = s->dim == 2 ? "edges" : "triangles";
    if (faces->count == faces->total) continue;
    emit(out, "%sOnly %z of the %z %s of %s are drawn, those nearest %s%s.", before, faces->count, faces->total, word,
         name_of(k),
         body_of(s, k)->part >= 0 ? "the deciding one"
         : story_is_contained(s)  ? "the point inside"
                                  : "its position",
         s->ray.target == body_of(s, k) ? " or hit by the ray" : "");
    before = " ";
  }
}

/* ---- Solids */

/* "triangle 3 at (1, 0.2, 0.3)" for each face that the ray hits */
static void emit_hits(cli_text *out, const story *s) {
  enum { MAX_LISTED = 7 };
  const story_ray *ray = &s->ray;
  for (size_t i = 0; i < ray->count && i < MAX_LISTED; i++)
    emit(out, "%s%s %i at %v", i > 0 ? ", " : "", s->dim == 2 ? "edge" : "triangle", (int)ray->hits[i].face,
         ray->hits[i].at, s->dim);
  if (ray->count > MAX_LISTED) emit(out, " and %z more", ray->count - MAX_LISTED);
}

void certificate_contained(cli_text *out, const story *s) {
  const bool in_a = story_certificate(s)->kind == GRAZE_CERTIFICATE_IN_A;
  const char *solid = in_a ? "A" : "B", *body = in_a ? "B" : "A";
  emit(out, "overlapping: the point %v of %s is inside the solid mesh %s. ", contained_point(s), s->dim, body, solid);
  if (s->ray.target)
    emit(out, "The ray from it in the direction %v leaves %s through %c: %S. The number is odd.", s->ray.direction,
         s->dim, solid, s->ray.count, s->dim == 2 ? "edge" : "triangle", s->dim == 2 ? "edges" : "triangles", emit_hits,
         s);
  else
    emit(out, "A ray from it crosses an odd number of faces.");
}

void certificate_nonconvex_lower(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  emit(out,
       "lower: projected on d = %v, all of A ends at %n and all of B begins at %n, so moving B by %n along d ends the "
       "overlap: the distance is at least %x.",
       e->direction, s->dim, e->max_a, e->min_b, -story_answer(s)->lower, story_answer(s)->lower);
}

void certificate_nonconvex_upper(cli_text *out, const story *s) {
  if (story_answer(s)->relation != GRAZE_OVERLAPPING) return; /* undecided: there is no least depth */
  if (story_is_contained(s))
    emit(out, "upper: to leave the solid, the point inside must reach its faces, and the faces of both are ");
  else
    emit(out, "upper: a displacement that ends the overlap also ends that of %S, whose depth is ", sentence_pair, s);
  emit(out, "at least %x%s: the distance is at most %x.", -story_answer(s)->upper,
       story_is_contained(s) ? " from each other" : "", story_answer(s)->upper);
}
