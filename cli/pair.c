/* The questions about two shapes: do they meet, how far apart are they, how deep do they overlap, where do they touch?
 */
#include "pair.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  FIRST_POINTS = 8192, /* of the workspace: curved shapes need many where their least depth is reached all around */
  PROOF_POINTS = 2050  /* the same with proof: they span 4096 triangles, as many as the verifier reads */
};

static void print_interval(cli_text *out, const graze_answer *answer) {
  cli_print_real(out, "lower", answer->lower);
  cli_print_real(out, "upper", answer->stopped == GRAZE_STOP_CUTOFF ? NAN : answer->upper);
}

static void print_vec(cli_text *out, const char *key, graze_vec v, int dim) {
  cli_print_key(out, key);
  cli_print_vec(out, v, dim);
}

static void print_distance(cli_text *out, const cli_request *q, const graze_answer *answer) {
  cli_print_real(out, "distance", answer->stopped == GRAZE_STOP_CUTOFF ? NAN : answer->distance);
  print_interval(out, answer);
  print_vec(out, "point_a", answer->point_a, q->dim);
  print_vec(out, "point_b", answer->point_b, q->dim);
  print_vec(out, "normal", answer->normal, q->dim);
}

static void print_contacts(cli_text *out, const cli_pair_result *f, int dim) {
  cli_print_key(out, "points");
  cli_text_str(out, "[");
  for (size_t i = 0; i < f->count; i++) {
    const graze_contact *contact = &f->contacts[i];
    char feature[24]; /* a string: a number of JSON holds 53 bits only */
    snprintf(feature, sizeof feature, "%016llx", (unsigned long long)contact->feature);
    cli_text_str(out, i > 0 ? ",{\"point_a\":" : "{\"point_a\":");
    cli_print_vec(out, contact->point_a, dim);
    print_vec(out, "point_b", contact->point_b, dim);
    cli_print_real(out, "depth", contact->depth);
    cli_print_word(out, "feature", feature);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "]");
}

/* Compounds: which parts decide, and how many pairs of them had to be asked about. */
static void print_parts(cli_text *out, const cli_request *q, const graze_answer *answer) {
  bool a = cli_is_compound(&q->a), b = cli_is_compound(&q->b);
  if (a) cli_print_int(out, "part_a", answer->part_a);
  if (b) cli_print_int(out, "part_b", answer->part_b);
  if (!a && !b) return;
  cli_print_key(out, "pairs");
  cli_text_str(out, "{\"total\":");
  cli_text_int(out, (long long)(graze_part_count(&q->a.placed) * graze_part_count(&q->b.placed)));
  cli_print_int(out, "tested", (long long)answer->pairs_tested);
  cli_text_str(out, "}");
}

void cli_print_pair_result(cli_text *out, const cli_request *q, const cli_pair_result *f) {
  const graze_answer *answer = &f->answer;
  bool asked = cli_query_has_distance(q->query), bounds = asked || answer->relation == GRAZE_UNDECIDED;
  cli_print_begin(out, q);
  cli_print_word(out, "relation", graze_relation_text(answer->relation));
  if (asked)
    print_distance(out, q, answer);
  else if (bounds) /* undecided: the interval is told */
    print_interval(out, answer);
  if (f->has_axis) {
    print_vec(out, "axis", f->axis.direction, q->dim);
    cli_print_real(out, "axis_separation", f->axis.separation);
  }
  if (q->query == CLI_MANIFOLD) print_contacts(out, f, q->dim);
  print_parts(out, q, answer);
  cli_print_word(out, "path", graze_algorithm_text(answer->algorithm));
  cli_print_int(out, "iterations", answer->iterations);
  cli_print_key(out, "exact");
  cli_text_str(out, answer->exact ? "true" : "false");
  if (answer->stopped != GRAZE_STOP_NONE) cli_print_word(out, "stopped", graze_stop_text(answer->stopped));
  cli_print_rotations(out, q);
  if (q->certificate) cli_print_certificate(out, q, answer, bounds);
  if (q->trace) cli_print_trace(out, &f->trace, q->dim);
}

/* Before the answer: the axes may use the workspace, where its surface will lie. Points have no axis to test. */
static graze_status ask_axis(const cli_request *q, cli_pair_result *f) {
  bool obb = q->query == CLI_OBB, sat = q->options.method == GRAZE_METHOD_SAT;
  bool answered = obb || (sat && cli_query_has_distance(q->query)), traced = sat && q->trace;
  if (!answered && !traced) return GRAZE_OK;
  graze_axis_function visit = q->trace ? cli_trace_axis : NULL;
  graze_status status = graze_sat(&q->a.placed, &q->b.placed, &q->options, visit, &f->trace, &f->axis);
  f->has_axis = answered && status == GRAZE_OK;
  return status == GRAZE_UNSUPPORTED && !obb ? GRAZE_OK : status;
}

static graze_status ask(const cli_request *q, cli_pair_result *f) {
  const graze_placed *a = &q->a.placed, *b = &q->b.placed;
  switch (q->query) {
  case CLI_INTERSECT: return graze_intersect(a, b, &q->options, &f->answer);
  case CLI_MANIFOLD: return graze_manifold(a, b, &q->options, &f->answer, f->contacts, f->capacity, &f->count);
  case CLI_PENETRATION: return graze_distance(a, b, &q->options, &f->answer);
  default: return graze_distance(a, b, &q->options, &f->answer);
  }
}

/* For how many points there is room at first. */
static size_t first_points(const cli_request *q) {
  if (q->options.surface && q->dim == 3) return PROOF_POINTS;
  if (q->options.method != GRAZE_METHOD_BRUTE) return FIRST_POINTS;
  size_t pairs = cli_corner_count(&q->a.placed.shape) * cli_corner_count(&q->b.placed.shape);
  return pairs > CLI_MOST_POINTS ? CLI_MOST_POINTS : pairs > FIRST_POINTS ? pairs : FIRST_POINTS;
}

/* Asks again with more workspace where a method does not do with less; what only ends early is an answer. */
static bool ask_with_room(cli_request *q, cli_buffer *room, cli_pair_result *f, cli_error *complaint) {
  for (size_t points = first_points(q);; points *= 4) {
    if (points > CLI_MOST_POINTS) points = CLI_MOST_POINTS;
    if (!cli_give_workspace(q, room, points, complaint)) return false;
    cli_trace_begin(&f->trace);
    graze_status status = ask_axis(q, f);
    if (status == GRAZE_OK) status = ask(q, f);
    if (status == GRAZE_NO_SPACE && points < CLI_MOST_POINTS) continue;
    return status == GRAZE_OK || cli_refuse_status(q, status, complaint);
  }
}

/* Room for the certificates of all pairs of parts. */
static bool reserve_parts(cli_request *q, cli_pair_result *f, cli_error *complaint) {
  if (!cli_is_compound(&q->a) && !cli_is_compound(&q->b)) return true;
  size_t n = graze_part_count(&q->a.placed), m = graze_part_count(&q->b.placed);
  if (n > CLI_MAX_PROOFS / m)
    return cli_reject(complaint, CLI_UNSUPPORTED,
                      "proof of %zu and %zu parts: more than %d pairs; leave proof out, or ask about fewer parts", n, m,
                      CLI_MAX_PROOFS);
  f->parts = malloc(n * m * sizeof *f->parts);
  q->options.parts = f->parts;
  q->options.part_capacity = n * m;
  return f->parts || cli_reject_memory(complaint);
}

bool cli_solve_pair(cli_request *q, cli_buffer *room, cli_pair_result *f, cli_error *complaint) {
  if (q->trace) {
    q->options.trace = cli_trace_step;
    q->options.trace_context = &f->trace;
  }
  bool proof = q->proof && q->certificate;
  if (proof && cli_query_has_distance(q->query)) q->options.surface = &f->surface;
  f->capacity = q->full ? CLI_MOST_CONTACTS : q->dim == 2 ? 2 : 4;
  return (!proof || reserve_parts(q, f, complaint)) && ask_with_room(q, room, f, complaint);
}

void cli_pair_result_free(cli_pair_result *f) {
  free(f->parts);
  cli_trace_free(&f->trace);
}

bool cli_answer_pair(cli_request *q, cli_buffer *room, cli_text *out, cli_error *complaint) {
  cli_pair_result f = {.count = 0};
  bool good = cli_solve_pair(q, room, &f, complaint);
  if (good) cli_print_pair_result(out, q, &f);
  cli_pair_result_free(&f);
  return good;
}
