/* Any two shapes, from lattice coordinates (where everything degenerates) to raw bits: whatever is accepted must be
 * answered, the answers must agree with each other, and the verifier must accept every one. */
#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>

static const graze_placed *now_a, *now_b;
static const graze_options *now_options;
static const graze_answer *now_answer;

static void dump_vec(const char *name, graze_vec v) { fprintf(stderr, " %s (%a, %a, %a)", name, v.x, v.y, v.z); }

static void dump(const char *name, const graze_placed *p) {
  const graze_shape *s = &p->shape;
  fprintf(stderr, "%s: kind %d, %dD, margin %a, radius %a, half_length %a, offset %a\n ", name, (int)s->kind, s->dim,
          s->margin, s->radius, s->half_length, s->offset);
  dump_vec("extents", s->extents);
  for (int i = 0; i < 3; i++) dump_vec("corner", s->corners[i]);
  fprintf(stderr, "\n ");
  for (size_t i = 0; i < s->vertex_count; i++) dump_vec("vertex", s->vertices[i]);
  dump_vec("position", p->pose.position);
  fprintf(stderr, " rotation (%a, %a, %a, %a)\n", p->pose.w, p->pose.x, p->pose.y, p->pose.z);
}

static void must(bool ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "NOT SO: %s\n", what);
  dump("a", now_a);
  dump("b", now_b);
  fprintf(stderr, "clearance %a\n", now_options->clearance);
  if (now_answer)
    fprintf(stderr, "%s, %.17g in [%.17g, %.17g], path %d, certificate %d\n", graze_relation_text(now_answer->relation),
            now_answer->distance, now_answer->lower, now_answer->upper, (int)now_answer->path,
            (int)now_answer->certificate.kind);
  abort();
}

static void check_numbers(const graze_answer *x, bool distance) {
  now_answer = x;
  must(!(x->lower > x->upper), "lower <= upper");
  must(!(x->distance < x->lower || x->distance > x->upper), "distance within [lower, upper]");
  switch (x->relation) {
  case GRAZE_SEPARATED: must(!(x->lower < 0) && (!distance || x->distance > 0), "separated by a gap"); break;
  case GRAZE_TOUCHING: must(x->distance == 0 && x->lower == 0 && x->upper == 0, "touching at 0"); break;
  case GRAZE_OVERLAPPING: must(!(x->upper > 0) && !(x->distance >= 0), "overlapping below 0"); break;
  case GRAZE_UNDECIDED: must(x->lower <= 0 && x->upper >= 0, "undecided about 0"); break;
  default: must(false, "a relation");
  }
}

static bool is_user(const graze_placed *p) { return p->shape.kind == GRAZE_USER; }

static bool is_curved(const graze_placed *p) {
  graze_shape_kind kind = p->shape.kind;
  return kind == GRAZE_ELLIPSOID || kind == GRAZE_CYLINDER || kind == GRAZE_CONE || kind == GRAZE_USER;
}

/* Claims about user shapes rest on the caller's word, which the verifier need not take. The depth of overlapping shapes
 * is shown by a surface only (two boxes: by their axes), unless the answer was reached without one. */
static void check_proof(const graze_placed *a, const graze_placed *b, const graze_options *options,
                        const graze_answer *x) {
  graze_status status = graze_verify(a, b, options, x);
  now_answer = x;
  bool user = is_user(a) || is_user(b);
  must(x->conditional == user, "conditional for user shapes only");
  must(status != GRAZE_REFUTED, "not refuted");
  bool shown = options->surface || (a->shape.kind == GRAZE_BOX && b->shape.kind == GRAZE_BOX);
  bool deep = x->relation == GRAZE_OVERLAPPING && x->distance == x->distance && !shown;
  must(user || status == GRAZE_OK || (deep && status == GRAZE_UNPROVEN), "proved");
}

static double room[1 << 13]; /* more makes rings of least depths slow */

/* The depth with its proof, in room of any size. */
static void check_surface(const graze_placed *a, const graze_placed *b, graze_options options, size_t size,
                          const graze_answer *plain) {
  graze_surface surface;
  graze_answer x;
  options.workspace = room, options.workspace_size = size, options.surface = &surface;
  now_options = &options;
  must(graze_distance(a, b, &options, &x) == GRAZE_OK, "as without a surface");
  check_numbers(&x, true);
  check_proof(a, b, &options, &x);
  bool apart = x.lower > plain->upper || plain->lower > x.upper;
  must(x.relation == plain->relation || is_curved(a) || is_curved(b), "the relation does not depend on the room");
  must(!apart, "nor does the truth");
}

/* Every algorithm that takes these shapes says the same. */
static void check_methods(const graze_placed *a, const graze_placed *b, graze_options options,
                          const graze_answer *plain) {
  options.workspace = room, options.workspace_size = sizeof room;
  now_options = &options;
  for (int method = GRAZE_METHOD_GJK; method <= GRAZE_METHOD_BRUTE; method++) {
    graze_answer x;
    options.method = (graze_method)method;
    graze_status status = graze_distance(a, b, &options, &x);
    if (status == GRAZE_UNSUPPORTED) continue;
    must(status == GRAZE_OK, "answered by every method");
    check_numbers(&x, true);
    must(graze_verify(a, b, &options, &x) != GRAZE_REFUTED, "not refuted by any method");
    must(x.relation == plain->relation || is_curved(a) || is_curved(b), "one relation for all methods");
    must(!(x.lower > plain->upper || plain->lower > x.upper), "one truth for all methods");
  }
}

static void check_contacts(const graze_placed *a, const graze_placed *b, const graze_options *options,
                           size_t capacity) {
  graze_contact contacts[8];
  graze_answer x;
  size_t count;
  now_options = options;
  if (graze_manifold(a, b, options, &x, contacts, capacity, &count) != GRAZE_OK) return;
  now_answer = &x;
  must(count <= capacity, "no more contacts than asked for");
  bool numbers = x.distance == x.distance;
  must(!numbers || count > 0 || x.stopped == GRAZE_STOP_CUTOFF, "contacts wherever there is a distance");
  for (size_t i = 0; i < count; i++) must(contacts[i].depth - contacts[i].depth == 0, "a finite depth");
}

static graze_relation check_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                 size_t size) {
  graze_answer x, y;
  now_a = a, now_b = b, now_options = options, now_answer = NULL;
  graze_status status = graze_intersect(a, b, options, &x);
  must(graze_distance(a, b, options, &y) == status, "intersect and distance accept the same");
  if (status != GRAZE_OK) return GRAZE_UNDECIDED;
  check_numbers(&x, false);
  check_numbers(&y, true);
  check_proof(a, b, options, &x);
  check_proof(a, b, options, &y);
  bool open = x.relation == GRAZE_UNDECIDED || y.relation == GRAZE_UNDECIDED;
  must(!open || is_curved(a) || is_curved(b), "undecided for curved shapes only");
  must(open || x.relation == y.relation, "intersect and distance agree");
  check_surface(a, b, *options, size, &y);
  check_methods(a, b, *options, &y);
  check_contacts(a, b, options, 1 + size % 8);
  return open ? GRAZE_UNDECIDED : x.relation;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes in = {data, size, 0};
  scene s;
  next_scene(&in, &s);
  size_t room_size = next_byte(&in) % 2 ? sizeof room : (size_t)next_byte(&in) * 64;
  graze_relation one = check_pair(&s.a, &s.b, &s.options, room_size);
  graze_relation two = check_pair(&s.b, &s.a, &s.options, room_size);
  must(one == two || one == GRAZE_UNDECIDED || two == GRAZE_UNDECIDED, "the same with a and b swapped");
  return 0;
}
