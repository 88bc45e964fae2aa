/* The story of one query, to be read from top to bottom in a terminal. */
#include "explain/columns.h"
#include "explain/tables.h"
#include "explain/text_motion.h"
#include "explain/words.h"

#include <math.h>

static void heading(cli_text *out, const char *words) {
  cli_text_str(out, "\n");
  cli_text_str(out, words);
  cli_text_str(out, "\n");
}

/* ---- What was asked */

static void print_question(cli_text *out, const story *s) {
  const cli_span id = s->question->id;
  cli_text text = {0};
  if (id.data) {
    cli_text_bytes(&text, id.data, id.size);
    cli_text_str(&text, ": ");
  }
  words_question(&text, s);
  columns_paragraph(out, &text, 0, 2);
  cli_text_free(&text);
}

static void put_part(cli_text *out, const story_body *body, const char *name) {
  words_body(out, body, name);
  if (!body->is_part) return;
  cli_text_str(out, ", ");
  words_shape(out, &body->placed.shape);
  cli_text_str(out, ",");
}

/* "Part 0 of A has vertices of its own numbers: A0 (0, 0), A1 (1, 0), A2 (1, 5).", as the steps name them by these. */
static void print_piece(cli_text *out, const story_body *body, const char *name) {
  enum { MOST_LISTED = 12 };
  const graze_shape *shape = &body->placed.shape;
  bool listed = shape->kind == GRAZE_POLYGON || shape->kind == GRAZE_HULL || shape->kind == GRAZE_TRIANGLE;
  if (!body->is_part || !listed || shape->vertex_count > MOST_LISTED) return;
  cli_text text = {0};
  cli_text_str(&text, "Part ");
  cli_text_int(&text, body->part);
  cli_text_str(&text, " of ");
  cli_text_str(&text, name);
  cli_text_str(&text, " has vertices of its own numbers: ");
  for (size_t i = 0; i < shape->vertex_count; i++) {
    if (i > 0) cli_text_str(&text, ", ");
    cli_text_str(&text, name);
    cli_text_int(&text, (long long)i);
    cli_text_str(&text, " ");
    words_vec(&text, shape->vertices[i], shape->dim);
  }
  const graze_pose *pose = &body->placed.pose;
  graze_vec at = pose->position;
  bool placed = at.x != 0 || at.y != 0 || at.z != 0 || pose->x != 0 || pose->y != 0 || pose->z != 0;
  cli_text_str(&text, placed ? ", before it is placed." : ".");
  columns_paragraph(out, &text, 0, 0);
  cli_text_free(&text);
}

/* Of compounds: which parts decide. */
static void print_parts(cli_text *out, const story *s) {
  if (!story_has_parts(s)) return;
  const size_t tested = s->finding.answer.pairs_tested, total = story_pair_count(s);
  cli_text text = {0};
  cli_text_str(&text, "What decides is ");
  put_part(&text, &s->a, "A");
  cli_text_str(&text, " and ");
  put_part(&text, &s->b, "B");
  cli_text_str(&text, s->b.is_part ? " of " : ", of ");
  words_count(&text, total, "pair of parts", "pairs of parts");
  if (tested < total) {
    cli_text_str(&text, "; bounds were enough for all but ");
    cli_text_int(&text, (long long)tested);
  }
  bool seam = s->finding.answer.certificate.kind == GRAZE_CERTIFICATE_INTERNAL_EDGE;
  const char *steps = seam ? ". The steps are those for this pair, which by itself only touches."
                           : ". The steps are those for this pair.";
  cli_text_str(&text, s->finding.trace.count > 0 ? steps : ".");
  cli_text_str(out, "\n");
  columns_paragraph(out, &text, 0, 0);
  cli_text_free(&text);
  print_piece(out, &s->a, "A");
  print_piece(out, &s->b, "B");
}

/* ---- The steps */

static bool has_kind(const story *s, graze_shape_kind kind) {
  return s->a.placed.shape.kind == kind || s->b.placed.shape.kind == kind;
}

static bool is_curved(const story *s) {
  return has_kind(s, GRAZE_ELLIPSOID) || has_kind(s, GRAZE_CYLINDER) || has_kind(s, GRAZE_CONE);
}

static void put_names(cli_text *out, const story *s) {
  const char *centre = s->dim == 2 ? "; of a circle 0 is its centre" : "; of a sphere 0 is its centre";
  cli_text_str(out, s->a.is_part ? " Its point A2 − B0 is vertex 2 of that part of A less vertex 0 of "
                                 : " Its point A2 − B0 is vertex 2 of A less vertex 0 of ");
  cli_text_str(out, s->b.is_part ? "that part of B" : "B");
  if (has_kind(s, GRAZE_BOX)) cli_text_str(out, "; of a box bit k of the number is the sign of axis k");
  if (has_kind(s, GRAZE_SPHERE)) cli_text_str(out, centre);
  if (has_kind(s, GRAZE_CAPSULE)) cli_text_str(out, "; of a capsule 0 and 1 are the ends of its core");
  cli_text_str(out, ".");
}

/* What holds for the bounds of all searches. */
static void put_bounds(cli_text *out, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  bool below = false;
  size_t searches = 0;
  for (size_t k = 0; k < trace->count; k++) {
    searches += words_begins(s, k);
    below = below || (trace->steps[k].lower < 0 && trace->steps[k].phase != GRAZE_PHASE_EPA);
  }
  if (searches > 1) cli_text_str(out, " Each search begins with bounds of its own.");
  if (below)
    cli_text_str(out, s->radius > 0 ? " A lower bound < 0 is minus the least d·w/|d| so far, and of the signed "
                                      "distance: B moved that far along d, the cores would not overlap."
                                    : " A lower bound < 0 is minus the least d·w/|d| so far, and of the signed "
                                      "distance: B moved that far along d would not overlap A.");
}

/* What the tables name and count. */
static void print_legend(cli_text *out, const story *s) {
  cli_text text = {0};
  cli_text_str(&text, "A − B is the set of all a − b");
  if (s->radius > 0) {
    cli_text_str(&text, " of the cores, which are the shapes without radii: A and B meet where it comes within r = ");
    words_bound(&text, s, s->radius);
    cli_text_str(&text, " of the origin. Lower and upper bounds are of the distance of the cores, r more than the "
                        "distance of the shapes.");
  } else {
    cli_text_str(&text, ": A and B meet where it holds the origin.");
  }
  if (!is_curved(s)) put_names(&text, s);
  cli_text_str(&text, " In a simplex w1 w2 … are the new points of those steps.");
  put_bounds(&text, s);
  columns_paragraph(out, &text, 0, 0);
  cli_text_free(&text);
}

static const char *phase_title(graze_phase phase) {
  switch (phase) {
  case GRAZE_PHASE_GJK: return "GJK";
  case GRAZE_PHASE_PORTAL: return "Portal refinement";
  case GRAZE_PHASE_EXACT: return "The exact search";
  case GRAZE_PHASE_EPA: return "EPA, the expanding polytope";
  }
  return "";
}

static const char *phase_text(graze_phase phase) {
  switch (phase) {
  case GRAZE_PHASE_GJK:
    return "Each step looks from the simplex's nearest point towards the origin, along d, for the farthest point w of "
           "A − B. Where d·w < 0, the origin is not passed: A − B ends before it, and −d·w/|d| is a lower bound of the "
           "distance. Each simplex gives an upper bound.";
  case GRAZE_PHASE_PORTAL:
    return "From a point v inside of A − B a ray goes through the origin; three support points (2D: two) that it "
           "passes between are the portal, and each step looks for the farthest point w along its normal d.";
  case GRAZE_PHASE_EXACT:
    return "A walk like GJK's, in exact arithmetic. The numbers shown are rounded, their signs are not.";
  case GRAZE_PHASE_EPA:
    return "A polytope inside of A − B grows around the origin. Each step takes its face (2D: edge) nearest the "
           "origin and looks along that one's outward normal d for the farthest point w of A − B: the depth is at "
           "least the face's distance, and at most w's along d. Lower and upper are of minus the depth.";
  }
  return "";
}

static void print_phase(cli_text *out, const story *s, graze_phase phase) {
  cli_text text = {0};
  cli_text_str(&text, phase_text(phase));
  if (phase == GRAZE_PHASE_GJK) {
    cli_text_str(&text, " The first d ");
    cli_text_str(&text, words_start(s));
    cli_text_str(&text, ".");
  } else if (phase == GRAZE_PHASE_EPA) {
    cli_text_str(&text, " ");
    cli_text_str(&text, words_first_points(s));
  }
  columns_paragraph(out, &text, 2, 0);
  cli_text_free(&text);
}

/* With radii: what the last bounds say of the shapes. */
static void print_less_r(cli_text *out, const story *s, size_t last) {
  const graze_trace_step *step = &s->finding.trace.steps[last];
  bool ends = last + 1 == s->finding.trace.count;
  if (!ends || !(s->radius > 0) || !isfinite(step->lower) || !isfinite(step->upper)) return;
  cli_text text = {0};
  cli_text_str(&text, "Less r, these last bounds are ");
  words_number(&text, step->lower - s->radius);
  cli_text_str(&text, " and ");
  words_number(&text, step->upper - s->radius);
  cli_text_str(&text, ": those of the shapes.");
  columns_paragraph(out, &text, 2, 2);
  cli_text_free(&text);
}

static void print_stop(cli_text *out, const story *s, size_t last) {
  if (s->finding.trace.steps[last].stop == GRAZE_TRACE_CONTINUE) return;
  cli_text text = {0};
  cli_text_str(&text, "Stopped: ");
  words_stop(&text, s, last);
  columns_paragraph(out, &text, 2, 2);
  cli_text_free(&text);
}

static void print_searches(cli_text *out, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  bool told[GRAZE_PHASE_EPA + 1] = {false};
  print_legend(out, s);
  if (trace->axis_count > 0)
    columns_sentence(out,
                     "GJK comes first: it decides whether A and B meet, and finds what the certificate is made of. The "
                     "separating axes follow below.",
                     0);
  for (size_t first = 0, last; first < trace->count; first = last + 1) {
    graze_phase phase = trace->steps[first].phase;
    for (last = first; last + 1 < trace->count && !words_begins(s, last + 1);) last++;
    heading(out, phase_title(phase));
    if (!told[phase]) print_phase(out, s, phase);
    told[phase] = true;
    cli_text_str(out, "\n");
    tables_steps(out, s, first, last);
    print_less_r(out, s, last);
    print_stop(out, s, last);
  }
  if (trace->total == trace->count) return;
  cli_text text = {0};
  cli_text_str(&text, "… and ");
  words_count(&text, trace->total - trace->count, "step more, not kept", "steps more, not kept");
  columns_paragraph(out, &text, 2, 0);
  cli_text_free(&text);
}

/* Why there is no step to show. */
static const char *no_steps_text(const story *s) {
  switch (s->finding.answer.algorithm) {
  case GRAZE_ALGORITHM_HALFSPACE:
    return "No search: against a half-space the point of the other shape that lies deepest decides, one support point.";
  case GRAZE_ALGORITHM_BRUTE:
    return "No search: by brute force all vertex pairs a − b and their convex hull are computed, exactly.";
  case GRAZE_ALGORITHM_SAT: return "No search: separating axes decide.";
  case GRAZE_ALGORITHM_EXACT: return "No step of a search is recorded: exact arithmetic decided on what it was given.";
  default: return "No step of a search is recorded.";
  }
}

static void print_steps(cli_text *out, const story *s) {
  cli_text_str(out, "\n");
  if (s->finding.trace.count > 0)
    print_searches(out, s);
  else
    columns_sentence(out, no_steps_text(s), 0);
}

/* ---- What came out */

static void print_witness(cli_text *out, const story *s) {
  const graze_answer *answer = &s->finding.answer;
  if (!cli_query_has_distance(s->question->query) || !isfinite(answer->point_a.x) || !isfinite(answer->point_b.x)) return;
  cli_text text = {0};
  int digits = words_place_digits(s, answer->point_a, answer->point_b);
  cli_text_str(&text, "on A the point ");
  words_vec_rounded(&text, answer->point_a, s->dim, digits);
  cli_text_str(&text, ", on B ");
  words_vec_rounded(&text, answer->point_b, s->dim, digits);
  cli_text_str(&text, ", normal ");
  words_vec(&text, answer->normal, s->dim);
  columns_paragraph(out, &text, 2, 2);
  cli_text_free(&text);
}

static void print_answer(cli_text *out, const story *s) {
  heading(out, "Answer");
  cli_text text = {0};
  words_answer(&text, s);
  columns_paragraph(out, &text, 2, 2);
  cli_text_free(&text);
  print_witness(out, s);
}

static void print_certificate(cli_text *out, const story *s) {
  cli_text text = {0};
  for (size_t k = 0; words_certificate(&text, s, k); k++) {
    if (k == 0) heading(out, "Certificate");
    columns_paragraph(out, &text, 2, 2);
    text.size = 0;
  }
  if (text.failed) out->failed = true;
  cli_text_free(&text);
}

void story_print_text(cli_text *out, const story *s) {
  print_question(out, s);
  if (s->question->query == CLI_MINKOWSKI) {
    tables_vertices(out, s);
    print_answer(out, s);
    return;
  }
  if (s->motion) {
    text_motion(out, s);
    print_answer(out, s);
    print_certificate(out, s);
    return;
  }
  print_parts(out, s);
  print_steps(out, s);
  tables_axes(out, s);
  print_answer(out, s);
  tables_contacts(out, s);
  print_certificate(out, s);
}
