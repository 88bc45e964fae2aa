/* The story as JSON, for programs, and the page that contains it. */
#include "explain/story.h"

#include <math.h>

static const graze_vec UNKNOWN = {NAN, NAN, NAN};

/* Lists of `each` indices, stored one after the other. */
static void emit_indices(cli_text *out, const char *key, const int32_t *values, size_t count, size_t each) {
  emit(out, ",\"%s\":[", key);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < each; k++)
      emit(out, "%s%s%i%s", comma(k > 0 ? k : i), each > 1 && k == 0 ? "[" : "", (int)values[each * i + k],
           each > 1 && k + 1 == each ? "]" : "");
  emit(out, "]");
}

/* ---- Meshes and bodies */

static void emit_mesh(cli_text *out, const char *before, const story_mesh *mesh, int dim) {
  emit(out, "%s", before);
  if (mesh->kind == STORY_MESH_NONE) {
    emit(out, "null");
  } else if (mesh->kind == STORY_MESH_PLANE) {
    emit(out, "{\"kind\":\"plane\",\"point\":%V,\"normal\":%V}", mesh->points[0], dim, mesh->points[1], dim);
  } else {
    emit(out, "{\"kind\":\"solid\",\"smooth\":%b,\"points\":%L", mesh->smooth, mesh->points, mesh->point_count, dim);
    if (dim == 3) emit_indices(out, "triangles", (const int32_t *)mesh->triangles, mesh->triangle_count, 3);
    if (dim == 3) emit_indices(out, "edges", (const int32_t *)mesh->edges, mesh->edge_count, 2);
    emit(out, "}");
  }
}

static void emit_faces(cli_text *out, const story_faces *faces, int dim) {
  if (faces->count == 0) {
    emit(out, ",\"faces\":null");
    return;
  }
  emit(out, ",\"faces\":{\"total\":%z,\"solid\":%b,\"points\":%L,\"dots\":%L", faces->total, faces->solid,
       faces->points, faces->point_count, dim, faces->dots, faces->dot_count, dim);
  emit_indices(out, "corners", faces->corners, faces->count, (size_t)dim);
  emit(out, "}");
}

static void emit_body(cli_text *out, const story *s, size_t k) {
  const story_body *body = k == 0 ? &s->a : &s->b;
  emit(out, "%s{\"name\":%q,\"kind\":%Q", comma(k), k == 0 ? "A" : "B", sentence_shape, s, k);
  if (body->part >= 0) emit(out, ",\"part\":%i,\"part_word\":%q", (int)body->part, body->part_word);
  emit_mesh(out, ",\"mesh\":", &body->mesh, s->dim);
  emit_faces(out, &body->faces, s->dim);
  emit(out, ",\"others\":[");
  for (size_t i = 0; i < body->other_count; i++) emit_mesh(out, comma(i), &body->others[i], s->dim);
  emit(out, "]}");
}

/* The ray and the faces that it hits, the first ones of many. */
static void emit_ray(cli_text *out, const story *s) {
  enum { MAX_HITS = 200 };
  const story_ray *ray = &s->ray;
  emit(out, ",\"ray\":{\"inside\":%b,\"origin\":%V,\"direction\":%V,\"hit_total\":%z,\"hits\":[", story_is_contained(s),
       ray->origin, s->dim, ray->direction, s->dim, ray->count);
  for (size_t i = 0; i < ray->count && i < MAX_HITS; i++)
    emit(out, "%s{\"face\":%i,\"t\":%j,\"at\":%V}", comma(i), (int)ray->hits[i].face, ray->hits[i].t, ray->hits[i].at,
         s->dim);
  emit(out, "]}");
}

static void emit_named_points(cli_text *out, const story *s) {
  for (size_t i = 0; i < s->point_count; i++) {
    const story_point *p = &s->points[i];
    emit(out, cso_point_has_vertices(&p->w) ? "%s{\"pair\":%W,\"label\":\"%P\"" : "%s{\"pair\":%W,\"label\":\"\"",
         comma(i), &p->w, s->dim, &p->w);
    emit(out, ",\"at\":%V,\"a\":%V,\"b\":%V}", p->w.point, s->dim, p->a, s->dim, p->b, s->dim);
  }
}

/* ---- The run */

/* A polytope of named points, by their indices. */
static void emit_surface(cli_text *out, const char *key, const story *s, const graze_surface *surface,
                         int32_t nearest) {
  emit(out, ",\"%s\":{\"points\":[", key);
  for (size_t i = 0; i < surface->pair_count; i++)
    emit(out, "%s%i", comma(i), (int)story_find_pair(s, &surface->pairs[i], surface->points));
  emit(out, "]");
  if (s->dim == 3) emit_indices(out, "faces", (const int32_t *)surface->faces, surface->face_count, 3);
  if (nearest >= 0) emit(out, ",\"nearest\":%i", (int)nearest);
  emit(out, "}");
}

static void emit_steps(cli_text *out, const story *s) {
  for (size_t k = 0; k < s->finding.trace.count; k++) {
    const graze_trace_step *step = &s->finding.trace.steps[k];
    emit(out, "%s{\"phase\":%q,\"iteration\":%i,\"direction\":%V,\"point\":", comma(k), graze_phase_text(step->phase),
         step->iteration, step->direction, s->dim);
    emit(out, story_has_point(step) ? "%i" : "null", (int)story_find(s, &step->support));
    emit(out, ",\"origin_check\":%j,\"simplex\":[", step->origin_check);
    for (int i = 0; i < step->simplex_count; i++)
      emit(out, "%s%i", comma((size_t)i), (int)story_find(s, &step->simplex[i]));
    emit(out, "],\"lower\":%j,\"upper\":%j", step->lower, step->upper);
    if (step->polytope) emit_surface(out, "polytope", s, step->polytope, -1);
    if (step->stop != GRAZE_TRACE_CONTINUE) emit(out, ",\"stop\":%q", graze_trace_stop_text(step->stop));
    emit(out, ",\"words\":%Q,\"stop_words\":%Q}", phase_step, s, k, phase_stop, s, k);
  }
}

static void emit_axes(cli_text *out, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  for (size_t i = 0; i < trace->axis_count; i++) {
    const graze_axis *axis = &trace->axes[i];
    emit(out, axis->kind == GRAZE_AXIS_EDGES ? "%s{\"kind\":\"edges of both\"" : "%s{\"kind\":\"%s of %s\"", comma(i),
         s->dim == 2 ? "edge" : "face", axis->kind == GRAZE_AXIS_FACE_A ? "A" : "B");
    emit(out, ",\"feature_a\":%i,\"feature_b\":%i,\"direction\":%V,\"separation\":%j,\"a\":[%j,%j],\"b\":[%j,%j]}",
         (int)axis->feature_a, (int)axis->feature_b, axis->direction, s->dim, axis->separation, axis->a.min,
         axis->a.max, axis->b.min, axis->b.max);
  }
  emit(out, "],\"axis_total\":%z", trace->axis_total);
  if (s->best_axis >= 0) emit(out, ",\"best_axis\":%i,\"best_number\":%z", s->best_axis, trace->best_axis);
}

/* ---- The answer */

/* As `graze query` prints it, without the trace; without a proof for many pairs of parts. */
static void emit_answer(cli_text *out, const story *s) {
  enum { MAX_CERTIFICATES = 64 };
  cli_request plain = *s->request;
  cli_pair_result finding = s->finding;
  plain.trace = false;
  const graze_frontier *frontier = finding.certificate.frontier;
  if (finding.certificate.part_count > MAX_CERTIFICATES ||
      (frontier != NULL && frontier->node_count > MAX_CERTIFICATES)) {
    finding.certificate.parts = NULL;
    finding.certificate.part_count = 0;
    finding.certificate.frontier = NULL;
  }
  emit(out, ",\"answer\":");
  if (plain.query == CLI_MINKOWSKI)
    cli_print_minkowski(out, &plain, &s->set);
  else if (s->motion)
    cli_print_cast_result(out, &plain, &s->motion->cast, &s->motion->certificate);
  else
    cli_print_pair_result(out, &plain, &finding);
  emit(out, "}");
}

static void emit_evidence(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  const graze_surface *surface = story_certificate(s)->surface;
  emit(out, ",\"evidence\":{\"verdict\":%q,\"direction\":%V,\"max_a\":%j,\"min_b\":%j,\"lower\":%j,\"upper\":%j",
       e->verdict == GRAZE_OK         ? "verified"
       : e->verdict == GRAZE_UNPROVEN ? "unproven"
                                      : "refuted",
       vec_is_zero(e->direction) ? UNKNOWN : e->direction, s->dim, e->max_a, e->min_b, e->lower, e->upper);
  emit_indices(out, "points", e->points, (size_t)e->count, 1);
  emit(out, ",\"weights\":[");
  for (size_t i = 0; i < (size_t)e->count && certificate_has_weights(s); i++)
    emit(out, "%s%j", comma(i), e->weights[i]);
  emit(out, "]");
  if (e->count > 0) emit(out, ",\"nearest\":%V", e->nearest, s->dim);
  if (surface && e->face >= 0) emit_surface(out, "surface", s, surface, e->face);
  emit(out, "}");
}

static void emit_minkowski(cli_text *out, const story *s) {
  emit(out, ",\"minkowski\":{\"of\":%q,\"vertices\":%L,\"pairs\":%A",
       s->request->of == GRAZE_MINKOWSKI_SUM ? "sum" : "difference", s->set.points, s->set.count, s->dim, s->set.pairs,
       (int)s->set.count, NULL, s->dim);
  for (int k = 0; k < 2; k++) {
    emit(out, k == 0 ? ",\"a\":[" : ",\"b\":[");
    for (size_t i = 0; i < s->set.count; i++)
      emit(out, "%s%V", comma(i),
           k == 0 ? body_point(&s->a, graze_vertex(&s->a.placed.shape, (size_t)s->set.pairs[i].a))
                  : body_point(&s->b, graze_vertex(&s->b.placed.shape, (size_t)s->set.pairs[i].b)),
           s->dim);
    emit(out, "]");
  }
  emit(out, ",\"holds_origin\":%b}", s->set.holds);
}

/* ---- Casts */

static void emit_motion(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  const story_evidence *e = &m->evidence;
  emit(out, ",\"motion\":{\"ray\":%b,\"turns\":%b,\"sweep\":%b,\"velocity_a\":%V,\"velocity_b\":%V,\"u\":%V", m->ray,
       m->turns, m->sweep, m->a.velocity, s->dim, m->b.velocity, s->dim, m->u, s->dim);
  emit(out, ",\"t_max\":%j,\"t_end\":%j,\"t_key\":%j,\"t_drawn\":%j,\"spans\":[", m->t_max, m->t_end, m->t_key,
       m->t_drawn);
  for (int i = 0; i < m->span_count; i++)
    emit(out, "%s{\"from\":%j,\"to\":%j,\"state\":%q}", comma((size_t)i), m->spans[i].from, m->spans[i].to,
         motion_states[m->spans[i].state].name);
  emit(out, "],\"steps\":[");
  for (size_t i = 0; i < m->certificate.step_count; i++)
    emit(out, "%s{\"from\":%j,\"to\":%j,\"direction\":%V}", comma(i), m->certificate.steps[i].from,
         m->certificate.steps[i].to, m->certificate.steps[i].direction, s->dim);
  emit(out, "],\"moments\":[");
  for (int k = 0; k < m->moment_count; k++) {
    const motion_moment *moment = &m->moments[k];
    emit(out, "%s{\"t\":%j,\"sampled\":%b", comma((size_t)k), moment->t, moment->sampled);
    if (moment->sampled) emit(out, ",\"relation\":%q", cast_relation_text(moment->relation));
    emit(out, ",\"a\":{\"position\":%V,\"rotation\":%R},\"b\":{\"position\":%V,\"rotation\":%R},\"at\":%V",
         moment->a.position, s->dim, &moment->a, 3, moment->b.position, s->dim, &moment->b, 3, moment->at, s->dim);
    if (m->turns) emit_mesh(out, ",\"core\":", &moment->core, s->dim);
    if (m->turns) emit_mesh(out, ",\"cso\":", &moment->cso, s->dim);
    emit(out, ",\"words\":%Q}", sentence_cast_moment, s, (size_t)k);
  }
  emit(out,
       "],\"key\":%i,\"evidence\":{\"shown\":%b,\"direction\":%V,\"max_a\":%j,\"min_b\":%j,\"closing\":%j,"
       "\"free_until\":%j,\"gap\":%j,\"near_upper\":%j",
       m->key, !vec_is_zero(e->direction), e->direction, s->dim, e->max_a, e->min_b, e->closing, e->free_until, e->gap,
       e->near_upper);
  emit_indices(out, "points", e->points, (size_t)e->count, 1);
  emit(out, "},\"path\":%Y,\"samples\":%Y}", sentence_cast_path, s, sentence_cast_samples, s);
}

void story_print_json(cli_text *out, const story *s) {
  enum { MAX_QUERY = 100000 }; /* a longer line, of a large mesh, is not repeated */
  cli_text words = {0};
  emit(out, "{\"story\":1,\"graze\":%q,\"dim\":%i,\"r\":%j,\"query_size\":%z,\"query\":", graze_version(), s->dim,
       s->radius, s->line.size);
  const size_t size = s->line.size > MAX_QUERY ? 0 : s->line.size;
  if (size == 0) emit(out, "null");
  for (size_t i = 0; i < size; i++) /* line breaks in JSON are equivalent to spaces */
    cli_text_bytes(out, s->line.data[i] == '\n' || s->line.data[i] == '\r' ? " " : s->line.data + i, 1);
  emit_answer(out, s);
  emit(out, ",\"words\":{\"query\":%Y,\"answer\":%Y,\"parts\":%Y,\"drawn\":%Y,\"certificate\":[", sentence_query, s,
       sentence_answer, s, sentence_parts, s, sentence_drawn, s);
  for (size_t k = 0; sentence_certificate(&words, s, k); k++, words.size = 0)
    emit(out, "%s%q", comma(k), text_string(out, &words));
  if (words.failed) out->failed = true;
  cli_text_free(&words);
  emit(out, "]},\"of_parts\":%b,\"bodies\":[%K%K]", s->of_parts, emit_body, s, (size_t)0, emit_body, s, (size_t)1);
  emit_mesh(out, ",\"core\":", &s->core, s->dim);
  emit_mesh(out, ",\"cso\":", &s->cso, s->dim);
  emit(out, ",\"points\":[%S],\"steps\":[%S],\"step_total\":%z,\"axes\":[%S", emit_named_points, s, emit_steps, s,
       s->finding.trace.total, emit_axes, s);
  if (s->request->query == CLI_MANIFOLD) emit(out, ",\"contacts\":[");
  for (size_t i = 0; i < s->finding.count; i++) {
    const graze_contact *c = &s->finding.contacts[i];
    emit(out, "%s{\"point_a\":%V,\"point_b\":%V,\"depth\":%j}", comma(i), c->point_a, s->dim, c->point_b, s->dim,
         c->depth);
  }
  if (s->request->query == CLI_MANIFOLD) emit(out, "]");
  if (s->motion) emit_motion(out, s);
  if (s->ray.target) emit_ray(out, s);
  emit(out, "%S}", s->request->query == CLI_MINKOWSKI ? emit_minkowski : emit_evidence, s);
}

void story_print_html(cli_text *out, const story *s) {
  cli_text json = {0};
  story_print_json(&json, s);
  cli_text_bytes(out, (const char *)page_head, page_head_size);
  cli_text_script(out, &json);
  cli_text_bytes(out, (const char *)page_tail, page_tail_size);
  cli_text_free(&json);
}
