/* Validation of a query, the promised width of its interval, and warm starts. */
#include "narrow/query.h"

#include "core/status.h"

#include "shape/placed.h"
#include "shape/shape.h"

typedef enum query_rule {
  QUERY_NO_RULE, /* all options are valid */
  QUERY_CLEARANCE,
  QUERY_MAX_DISTANCE,
  QUERY_TOLERANCE,
  QUERY_MAX_ITERATIONS,
  QUERY_METHOD,
  QUERY_WORKSPACE,
  QUERY_START,
  QUERY_RULES
} query_rule;

/* Returns the first rule that the options break. */
static query_rule query_broken_rule(const graze_options *o, int dim) {
  if (!(o->clearance >= 0 && o->clearance <= GRAZE_LARGEST)) return QUERY_CLEARANCE;
  if (!(o->max_distance >= 0)) return QUERY_MAX_DISTANCE;
  if (!(o->tolerance >= 0)) return QUERY_TOLERANCE;
  if (o->max_iterations < 1) return QUERY_MAX_ITERATIONS;
  if (o->method < GRAZE_METHOD_AUTO || o->method > GRAZE_METHOD_EPA) return QUERY_METHOD;
  if (o->surface && !o->workspace) return QUERY_WORKSPACE;
  if (o->start.x == 0 && o->start.y == 0 && o->start.z == 0) return QUERY_NO_RULE; /* short: it is the default */
  const bool is_direction = vec_norm_inf(o->start) <= GRAZE_LARGEST && vec_dot(o->start, o->start) >= 0;
  return is_direction && (dim == 3 || o->start.z == 0) ? QUERY_NO_RULE : QUERY_START;
}

graze_error grz_options_error(const graze_options *o, int dim) {
  const double largest = vec_norm_inf(o->start);
  const struct {
    const char *what;
    double value;
    const char *allowed;
  } rules[QUERY_RULES] = {
      [QUERY_CLEARANCE] = {"clearance", o->clearance, "must be 0 to 1e40"},
      [QUERY_MAX_DISTANCE] = {"max_distance", o->max_distance, "must be >= 0"},
      [QUERY_TOLERANCE] = {"tolerance", o->tolerance, "must be >= 0"},
      [QUERY_MAX_ITERATIONS] = {"max_iterations", o->max_iterations, "must be >= 1"},
      [QUERY_METHOD] = {"method", o->method, "must be a graze_method"},
      [QUERY_WORKSPACE] = {"workspace", 0, "must not be NULL with a surface"},
      [QUERY_START] = {"start", dim == 2 && largest <= GRAZE_LARGEST ? o->start.z : largest,
                       "must be a direction of this dimension"},
  };
  const query_rule rule = query_broken_rule(o, dim);
  if (rule == QUERY_NO_RULE) return grz_no_error();
  return grz_error_rule(GRAZE_BAD_OPTION, rules[rule].what, rules[rule].value, rules[rule].allowed);
}

graze_status graze_check_options(const graze_options *options, int dim, graze_error *error) {
  return grz_reject(error, options != NULL ? grz_options_error(options, dim) : grz_no_error());
}

const char *grz_query_method_rule(const graze_placed *a, const graze_placed *b, graze_method method) {
  const bool curved = grz_is_curved(&a->shape) || grz_is_curved(&b->shape);
  const bool halfspace = a->shape.kind == GRAZE_HALFSPACE || b->shape.kind == GRAZE_HALFSPACE;
  if (grz_has_parts(&a->shape) || grz_has_parts(&b->shape)) return "must be GRAZE_METHOD_AUTO for compounds and meshes";
  if (curved && method == GRAZE_METHOD_EXACT) return "GRAZE_METHOD_EXACT does not accept curved shapes";
  if (halfspace && method == GRAZE_METHOD_EPA) return "GRAZE_METHOD_EPA does not accept half-spaces";
  return NULL;
}

graze_status grz_query_validate(grz_query *query, const graze_placed *a, const graze_placed *b,
                                const graze_options *options) {
  if (a->status != GRAZE_OK) return a->status;
  if (b->status != GRAZE_OK) return b->status;
  if (a->shape.dim != b->shape.dim) return GRAZE_DIM_MISMATCH;
  query->options = options ? options : &grz_default_options;
  const bool defaults = query->options == &grz_default_options;
  if (!defaults && query_broken_rule(options, a->shape.dim) != QUERY_NO_RULE) return GRAZE_BAD_OPTION;
  const unsigned planes = 1u << GRAZE_HALFSPACE, parts = 1u << GRAZE_COMPOUND | 1u << GRAZE_MESH;
  const unsigned both = 1u << a->shape.kind | 1u << b->shape.kind;
  if (both == planes) return GRAZE_UNSUPPORTED;
  query->plane = (both & planes) != 0;
  query->compound = (both & parts) != 0;
  if (query->options->method == GRAZE_METHOD_AUTO) return GRAZE_OK;
  return grz_query_method_rule(a, b, query->options->method) == NULL ? GRAZE_OK : GRAZE_UNSUPPORTED;
}

void grz_query_clear_numbers(grz_result *result) {
  const double nan = __builtin_nan("");
  const graze_vec none = {nan, nan, nan};
  result->answer.distance = nan, result->answer.lower = nan, result->answer.upper = nan;
  result->answer.point_a = none, result->answer.point_b = none, result->answer.normal = none;
}

void grz_query_blank(grz_result *result, const graze_placed *a, const graze_placed *b) {
  result->answer.relation = GRAZE_UNDECIDED;
  grz_query_clear_numbers(result);
  result->answer.algorithm = GRAZE_ALGORITHM_GJK;
  result->answer.stopped = GRAZE_STOP_NONE;
  result->answer.iterations = 0;
  result->answer.exact = false;
  result->answer.conditional = a->shape.kind == GRAZE_USER || b->shape.kind == GRAZE_USER;
  result->answer.part_a = result->answer.part_b = 0;
  result->answer.pairs_tested = 0;
  grz_proof_clear(&result->proof);
}

graze_status grz_query_begin(grz_query *query, const graze_placed *a, const graze_placed *b,
                             const graze_options *options, grz_result *result) {
  grz_query_prefetch(a, b);
  graze_status status = grz_query_validate(query, a, b, options);
  if (status == GRAZE_OK && query->compound) status = GRAZE_UNSUPPORTED;
  if (status == GRAZE_OK) grz_query_blank(result, a, b);
  return status;
}

void grz_query_place(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b) {
  grz_obstacle_make(obstacle, a, b, query->options->clearance);
  if (!query->options->tracer) return;
  grz_trace_begin(&query->tracer, query->options, a, b);
  obstacle->tracer = &query->tracer;
}

graze_status grz_query_start(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b,
                             const graze_options *options, grz_result *result) {
  const graze_status status = grz_query_begin(query, a, b, options, result);
  if (status == GRAZE_OK) grz_query_place(query, obstacle, a, b);
  return status;
}

bool grz_query_is_narrow(const grz_query *query, const grz_obstacle *c, const grz_result *result) {
  return grz_query_is_narrow_for(query->options, c->curved, placed_scale(c->a, c->b), result);
}

void grz_query_check_width(const grz_query *query, const grz_obstacle *c, bool budget, grz_result *result) {
  if (!grz_query_is_narrow(query, c, result))
    result->answer.stopped = budget ? GRAZE_STOP_BUDGET : GRAZE_STOP_PRECISION;
}

graze_vec grz_query_towards(graze_vec offset) {
  const graze_vec d = vec_neg(offset);
  const double largest = vec_norm_inf(d);
  if (largest == 0) return vec_make(1, 0, 0);
  /* The length does not matter. It changes only if the square, or the product with `unit`, would leave the range of
   * doubles. */
  return largest > 0x1p-60 && largest < 0x1p60 ? d : vec_unit_inf(d);
}

graze_vec grz_query_direction(const grz_query *query, const grz_obstacle *c) {
  const graze_vec start = query->options->start;
  const bool given = query->options->method == GRAZE_METHOD_GJK && vec_norm_inf(start) > 0;
  return grz_query_towards(given ? vec_neg(start) : c->offset);
}

const grz_simplex *grz_query_warm(const grz_query *query, const grz_obstacle *c, grz_simplex *simplex) {
  const graze_cache *cache = query->options->cache;
  if (!cache || c->curved || query->options->method != GRAZE_METHOD_AUTO) return NULL;
  simplex->count = 0;
  size_t count_a = grz_core_count(&c->a->shape), count_b = grz_core_count(&c->b->shape);
  for (int i = 0; i < cache->count && i <= c->dim; i++) {
    if (cache->a[i] < 0 || (size_t)cache->a[i] >= count_a || cache->b[i] < 0 || (size_t)cache->b[i] >= count_b)
      continue;
    grz_core_point a = {grz_core_vertex(&c->a->shape, (size_t)cache->a[i]), cache->a[i]};
    grz_core_point b = {grz_core_vertex(&c->b->shape, (size_t)cache->b[i]), cache->b[i]};
    grz_cso_point point = grz_obstacle_point(c, a, b, c->dim);
    bool known = false;
    for (int k = 0; k < simplex->count; k++) known = known || grz_obstacle_same(&simplex->point[k], &point);
    if (!known) simplex->point[simplex->count++] = point;
  }
  return simplex;
}

void grz_query_update_cache(const grz_query *query, const grz_obstacle *c, const grz_simplex *simplex,
                            graze_vec direction) {
  graze_cache *cache = query->options->cache;
  if (!cache) return;
  cache->direction = direction;
  cache->count = 0;
  if (c->curved) return;
  for (int i = 0; i < simplex->count; i++) {
    cache->a[i] = simplex->point[i].a.index;
    cache->b[i] = simplex->point[i].b.index;
  }
  cache->count = simplex->count;
}
