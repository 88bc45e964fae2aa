/* Two arbitrary shapes. Every accepted query returns an answer, the answers of all functions and methods agree, and the
 * verifier accepts each of them. */
#include "bytes.h"
#include "dump.h"

#include <graze/compare.h>
#include <stdlib.h>

static const graze_placed *current_a, *current_b;
static const graze_options *current_options;
static const graze_answer *current_answer;
static graze_certificate certificate; /* of the last answer */

static void require(bool ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "FAILED: %s\n", what);
  dump("a", current_a);
  dump("b", current_b);
  fprintf(stderr, "clearance %a\n", current_options->clearance);
  if (current_answer)
    fprintf(stderr, "%s, %.17g in [%.17g, %.17g], algorithm %d, certificate %d\n",
            graze_relation_text(current_answer->relation), current_answer->distance, current_answer->lower,
            current_answer->upper, (int)current_answer->algorithm, (int)certificate.kind);
  abort();
}

static void check_numbers(const graze_answer *x, bool distance) {
  current_answer = x;
  require(!(x->lower > x->upper), "lower <= upper");
  require(!(x->distance < x->lower || x->distance > x->upper), "distance within [lower, upper]");
  switch (x->relation) {
  case GRAZE_SEPARATED: require(!(x->lower < 0) && (!distance || x->distance > 0), "separated by a gap"); break;
  case GRAZE_TOUCHING: require(x->distance == 0 && x->lower == 0 && x->upper == 0, "touching at 0"); break;
  case GRAZE_OVERLAPPING: require(!(x->upper > 0) && !(x->distance >= 0), "overlapping below 0"); break;
  case GRAZE_UNDECIDED: require(x->lower <= 0 && x->upper >= 0, "undecided contains 0"); break;
  default: require(false, "a relation");
  }
}

static bool is_user(const graze_placed *p) { return p->shape.kind == GRAZE_USER; }

/* The verifier cannot verify answers about user shapes. It verifies the depth of overlapping shapes by a surface, or
 * for two boxes by their axes; other algorithms may need neither. */
static void check_proof(const graze_placed *a, const graze_placed *b, const graze_options *options,
                        const graze_answer *x) {
  graze_status status = graze_verify(a, b, options, x, &certificate);
  current_answer = x;
  bool user = is_user(a) || is_user(b);
  require(x->conditional == user, "conditional for user shapes only");
  require(status != GRAZE_REFUTED, "not refuted");
  bool shown = options->surface || (a->shape.kind == GRAZE_BOX && b->shape.kind == GRAZE_BOX);
  bool deep = x->relation == GRAZE_OVERLAPPING && x->distance == x->distance && !shown;
  require(user || status == GRAZE_OK || (deep && status == GRAZE_UNPROVEN), "proved");
}

static double workspace[1 << 13]; /* a larger one makes symmetric cases slow */

/* The depth with its proof, for any size of workspace. */
static void check_surface(const graze_placed *a, const graze_placed *b, graze_options options, size_t size,
                          const graze_answer *plain) {
  graze_surface surface;
  graze_answer x;
  options.workspace = workspace, options.workspace_size = size, options.surface = &surface;
  current_options = &options;
  require(graze_distance(a, b, &options, &x) == GRAZE_OK, "as without a surface");
  check_numbers(&x, true);
  check_proof(a, b, &options, &x);
  bool disjoint = x.lower > plain->upper || plain->lower > x.upper;
  require(x.relation == plain->relation || graze_is_curved(&a->shape) || graze_is_curved(&b->shape),
          "the relation does not depend on the workspace");
  require(!disjoint, "the intervals overlap");
}

/* Every method that supports these shapes returns a consistent answer. */
static void check_methods(const graze_placed *a, const graze_placed *b, graze_options options,
                          const graze_answer *plain) {
  options.workspace = workspace, options.workspace_size = sizeof workspace;
  current_options = &options;
  for (int method = GRAZE_METHOD_GJK; method <= GRAZE_METHOD_EPA + 2; method++) {
    graze_answer x;
    graze_status status;
    options.method = method <= GRAZE_METHOD_EPA ? (graze_method)method : GRAZE_METHOD_AUTO;
    if (method <= GRAZE_METHOD_EPA)
      status = graze_distance(a, b, &options, &x);
    else
      status = (method == GRAZE_METHOD_EPA + 1 ? graze_compare_sat : graze_compare_brute)(a, b, &options, &x);
    if (status == GRAZE_UNSUPPORTED) continue;
    require(status == GRAZE_OK, "answered by every method");
    check_numbers(&x, true);
    require(graze_verify(a, b, &options, &x, &certificate) != GRAZE_REFUTED, "not refuted by any method");
    require(x.relation == plain->relation || graze_is_curved(&a->shape) || graze_is_curved(&b->shape),
            "one relation for all methods");
    require(!(x.lower > plain->upper || plain->lower > x.upper), "the intervals of all methods overlap");
  }
}

static void check_contacts(const graze_placed *a, const graze_placed *b, const graze_options *options,
                           size_t capacity) {
  graze_contact contacts[8];
  graze_answer x;
  size_t count;
  graze_manifold_options manifold = graze_default_manifold_options();
  manifold.clearance = options->clearance, manifold.tolerance = options->tolerance;
  manifold.max_iterations = options->max_iterations;
  manifold.speculative_distance = GRAZE_LARGEST;
  current_options = options;
  if (graze_manifold(a, b, &manifold, &x, contacts, capacity, &count) != GRAZE_OK) return;
  current_answer = &x;
  require(count <= capacity, "count <= capacity");
  bool numbers = x.distance == x.distance;
  require(!numbers || count > 0 || x.distance > GRAZE_LARGEST, "contacts exist for every distance");
  for (size_t i = 0; i < count; i++) require(contacts[i].depth - contacts[i].depth == 0, "a finite depth");
}

static graze_relation check_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                 size_t size) {
  graze_answer x, y;
  graze_options plain = *options;
  plain.certificate = &certificate;
  options = &plain;
  current_a = a, current_b = b, current_options = options, current_answer = NULL;
  graze_status status = graze_intersect(a, b, options, &x);
  if (status == GRAZE_OK) {
    check_numbers(&x, false);
    check_proof(a, b, options, &x);
  }
  require(graze_distance(a, b, options, &y) == status, "intersect and distance accept the same");
  if (status != GRAZE_OK) return GRAZE_UNDECIDED;
  check_numbers(&y, true);
  check_proof(a, b, options, &y);
  bool open = x.relation == GRAZE_UNDECIDED || y.relation == GRAZE_UNDECIDED;
  require(!open || graze_is_curved(&a->shape) || graze_is_curved(&b->shape), "undecided for curved shapes only");
  require(open || x.relation == y.relation, "intersect and distance agree");
  check_surface(a, b, *options, size, &y);
  check_methods(a, b, *options, &y);
  check_contacts(a, b, options, 1 + size % 8);
  return open ? GRAZE_UNDECIDED : x.relation;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes in = {data, size, 0};
  query s;
  next_query(&in, &s);
  size_t workspace_size = next_byte(&in) % 2 ? sizeof workspace : (size_t)next_byte(&in) * 64;
  graze_relation one = check_pair(&s.a, &s.b, &s.options, workspace_size);
  graze_relation two = check_pair(&s.b, &s.a, &s.options, workspace_size);
  require(one == two || one == GRAZE_UNDECIDED || two == GRAZE_UNDECIDED, "the same with a and b swapped");
  return 0;
}
