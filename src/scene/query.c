/* Queries about one shape, one box, a cast or ray, and all pairs.
 *
 * The tree returns candidates. Its boxes contain the bodies and their motions in the last step, so they are too
 * large. The bounds of the present poses exclude most candidates. The exact query decides about the rest. */
#include "scene/queries.h"

#include "compound/compound.h"
#include "core/status.h"
#include "core/vec.h"
#include "scene/collisions.h"
#include "shape/motion.h"
#include "shape/shape.h"

graze_filter graze_default_filter(void) { return (graze_filter){.category = 1, .mask = UINT64_MAX}; }

/* ---- Filters and bounds */

static bool query_accepts(const graze_scene *scene, const graze_filter *filter, size_t slot) {
  const scene_filter *b = &scene_filters(scene)[slot];
  if (filter == NULL) return true;
  if ((filter->category & b->mask) == 0 || (b->category & filter->mask) == 0) return false;
  if (b->sensor && !filter->sensors) return false;
  if (filter->except.slot == slot && filter->except.generation == scene_generations(scene)[slot]) return false;
  return filter->accept == NULL || filter->accept(filter->context, scene_id(scene, slot));
}

/* If the support points of a user shape contradict each other, graze_bounds() fails; then its bounding radius gives
 * the bounds. */
graze_aabb grz_query_bounds(const graze_placed *placed) {
  graze_aabb box;
  if (placed->shape.kind != GRAZE_HALFSPACE && graze_bounds(placed, &box) == GRAZE_OK) return box;
  return grz_swept_bounds(placed, &grz_motion_at_rest, 0, 0);
}

/* Wider bounds, which take less time. */
static graze_aabb query_wide_bounds(const graze_placed *placed) {
  return grz_swept_bounds(placed, &grz_motion_at_rest, 0, 0);
}

static bool query_are_halfspaces(const graze_placed *a, const graze_placed *b) {
  return a->shape.kind == GRAZE_HALFSPACE && b->shape.kind == GRAZE_HALFSPACE;
}

static double query_gap(double low, double high, double other_low, double other_high) {
  return real_max(real_max(other_low - high, low - other_high), 0);
}

/* Returns false only if the bounds prove that a shape with the box `p` is farther than `within` from a body, or for
 * two half-spaces. */
static bool query_may_be_near(const graze_placed *placed, const graze_aabb *p, const graze_placed *body,
                              double within) {
  enum { PARTS = 32 }; /* compounds of more parts have a tree of their own, which is faster */
  const bool halfspace = placed->shape.kind == GRAZE_HALFSPACE;
  if (body->shape.kind == GRAZE_HALFSPACE)
    return !halfspace && grz_halfspace_overlaps(body, &grz_motion_at_rest, 0, within, p);
  if (!halfspace && graze_part_count(body) > PARTS) return true;
  const graze_aabb q = query_wide_bounds(body);
  if (halfspace) return grz_halfspace_overlaps(placed, &grz_motion_at_rest, 0, within, &q);
  const graze_vec gap =
      vec_make(query_gap(p->min.x, p->max.x, q.min.x, q.max.x), query_gap(p->min.y, p->max.y, q.min.y, q.max.y),
               query_gap(p->min.z, p->max.z, q.min.z, q.max.z));
  return vec_length(gap) * (1 - 8 * GRZ_U) <= within; /* underflow only reduces the length */
}

/* Options for distances up to `within`. A distance above it is cut off. */
static graze_options query_distance_options(double within) {
  graze_options options = graze_default_options();
  if (within < __builtin_inf()) options.max_distance = real_next_up(within); /* the query rejects a NaN */
  return options;
}

/* The bounding radius of a placed shape about its position. */
static double query_radius(const graze_placed *placed) {
  return placed->hidden.bounding_radius + placed->hidden.radius;
}

/* ---- Bodies that meet a shape, or a box */

static bool query_body_before(const void *p, const void *q) {
  return ((const graze_body *)p)->slot < ((const graze_body *)q)->slot;
}

typedef struct query_search {
  const graze_scene *scene;
  const graze_placed *placed;
  graze_aabb box;
  const graze_filter *filter;
  graze_options options;
  double within;
  bool nearest; /* the results are the nearest ones: the search radius shrinks */
  bool any;     /* one result is enough */
  result_list results;
  graze_status status;
} query_search;

static bool query_visit_overlap(void *context, size_t slot) {
  query_search *s = context;
  const graze_placed *body = scene_placed(s->scene, slot);
  const graze_body id = scene_id(s->scene, slot);
  bool meets;
  if (query_are_halfspaces(s->placed, body) || !query_accepts(s->scene, s->filter, slot)) return true;
  s->status = grz_pair_meets(s->placed, body, 0, &meets);
  if (s->status == GRAZE_OK && meets) results_add(&s->results, &id);
  return s->status == GRAZE_OK && !(s->any && meets);
}

static graze_status query_overlap(query_search *s, graze_body *bodies, size_t capacity, graze_error *error) {
  s->status = grz_query_check_shape(s->scene, s->placed, error);
  if (s->status != GRAZE_OK) return s->status;
  s->results = results_make(bodies, sizeof *bodies, capacity, query_body_before);
  s->box = query_wide_bounds(s->placed);
  grz_bvh_overlap(&s->scene->store.tree, &s->box, query_visit_overlap, s);
  return s->status;
}

graze_status graze_scene_overlap(const graze_scene *scene, const graze_placed *placed, const graze_filter *filter,
                                 graze_body *bodies, size_t capacity, size_t *count, graze_error *error) {
  query_search s = {.scene = scene, .placed = placed, .filter = filter};
  graze_status status = query_overlap(&s, bodies, capacity, error);
  return status == GRAZE_OK ? results_finish(&s.results, count) : status;
}

graze_status graze_scene_overlap_any(const graze_scene *scene, const graze_placed *placed, const graze_filter *filter,
                                     graze_body *body, graze_error *error) {
  query_search s = {.scene = scene, .placed = placed, .filter = filter, .any = true};
  graze_body any = {0, 0};
  graze_status status = query_overlap(&s, &any, 1, error);
  if (status == GRAZE_OK) *body = any;
  return status;
}

static bool query_visit_box(void *context, size_t slot) {
  query_search *s = context;
  const graze_placed *body = scene_placed(s->scene, slot);
  const graze_body id = scene_id(s->scene, slot);
  bool meets;
  if (body->shape.kind == GRAZE_HALFSPACE) {
    meets = grz_halfspace_overlaps(body, &grz_motion_at_rest, 0, 0, &s->box);
  } else {
    const graze_aabb bounds = grz_query_bounds(body);
    meets = grz_aabb_overlap(&bounds, &s->box);
  }
  if (meets && query_accepts(s->scene, s->filter, slot)) results_add(&s->results, &id);
  return true;
}

graze_status graze_scene_in_box(const graze_scene *scene, const graze_aabb *box, const graze_filter *filter,
                                graze_body *bodies, size_t capacity, size_t *count, graze_error *error) {
  query_search s = {.scene = scene, .box = *box, .filter = filter};
  const graze_status status = grz_query_check_box(scene, box, error);
  if (status != GRAZE_OK) return status;
  s.results = results_make(bodies, sizeof *bodies, capacity, query_body_before);
  grz_bvh_overlap(&scene->store.tree, box, query_visit_box, &s);
  return results_finish(&s.results, count);
}

/* ---- Bodies near a shape */

static bool query_slots_before(const void *p, const void *q) {
  const graze_neighbor *of_p = p, *of_q = q;
  return of_p->a.slot != of_q->a.slot ? of_p->a.slot < of_q->a.slot : of_p->b.slot < of_q->b.slot;
}

static bool query_nearer(const void *p, const void *q) {
  const double of_p = ((const graze_neighbor *)p)->answer.distance, of_q = ((const graze_neighbor *)q)->answer.distance;
  return of_p != of_q ? of_p < of_q : query_slots_before(p, q);
}

/* Returns the distance up to which results are needed. For a full list it is the distance of the last result plus a
 * margin above the rounding errors of bodies with these bounding radii. */
static double query_limit(const query_search *s, double radius, double other_radius) {
  if (!s->nearest || !results_are_full(&s->results)) return s->within;
  const graze_neighbor *last = results_last(&s->results);
  const double farthest = real_max(last->answer.distance, 0);
  return real_min(s->within, farthest + 0x1p-24 * (farthest + radius + other_radius));
}

static double query_visit_near(void *context, size_t slot, double distance) {
  query_search *s = context;
  const graze_placed *body = scene_placed(s->scene, slot);
  graze_neighbor near = {.b = scene_id(s->scene, slot)};
  (void)distance;
  if (query_are_halfspaces(s->placed, body) || !query_accepts(s->scene, s->filter, slot))
    return query_limit(s, query_radius(s->placed), 0);
  s->status = graze_distance(s->placed, body, &s->options, &near.answer);
  if (s->status != GRAZE_OK) return -1; /* ends the search */
  if (near.answer.stopped != GRAZE_STOP_CUTOFF) results_add(&s->results, &near);
  return query_limit(s, query_radius(s->placed), 0);
}

static graze_status query_near(query_search *s, double within, graze_error *error) {
  s->options = query_distance_options(within);
  s->status = grz_query_check_shape(s->scene, s->placed, error);
  if (s->status == GRAZE_OK) s->status = grz_query_check_within(within, error);
  if (s->status != GRAZE_OK) return s->status;
  s->box = query_wide_bounds(s->placed);
  s->within = within;
  if (s->nearest && s->results.capacity == 0) return GRAZE_OK;
  grz_bvh_nearest(&s->scene->store.tree, &s->box, within, query_visit_near, s);
  return s->status;
}

graze_status graze_scene_within(const graze_scene *scene, const graze_placed *placed, double within,
                                const graze_filter *filter, graze_neighbor *neighbors, size_t capacity, size_t *count,
                                graze_error *error) {
  query_search s = {.scene = scene, .placed = placed, .filter = filter};
  s.results = results_make(neighbors, sizeof *neighbors, capacity, query_slots_before);
  graze_status status = query_near(&s, within, error);
  return status == GRAZE_OK ? results_finish(&s.results, count) : status;
}

graze_status graze_scene_nearest(const graze_scene *scene, const graze_placed *placed, double within,
                                 const graze_filter *filter, graze_neighbor *neighbors, size_t capacity, size_t *count,
                                 graze_error *error) {
  query_search s = {.scene = scene, .placed = placed, .filter = filter, .nearest = true};
  s.results = results_make(neighbors, sizeof *neighbors, capacity, query_nearer);
  graze_status status = query_near(&s, within, error);
  if (status != GRAZE_OK) return status;
  results_sort(&s.results);
  *count = s.results.kept;
  return GRAZE_OK;
}

/* ---- Casts and rays: the first body, any body, or all bodies
 *
 * The tree visits bodies roughly in the order in which the motion meets their boxes. It skips boxes beyond the first
 * contact found so far. All others are cast for the whole motion, so results do not depend on the order. */

typedef enum query_cast_mode { QUERY_FIRST, QUERY_ANY, QUERY_ALL } query_cast_mode;

typedef struct query_cast {
  const graze_scene *scene;
  const graze_filter *filter;
  const graze_placed *placed; /* of a ray: a point */
  bool ray;
  query_cast_mode mode;
  graze_motion motion;
  double t_max;
  double slack; /* an upper bound of the rounding of contact times */
  graze_body_hit first;
  result_list hits; /* QUERY_ALL */
  graze_status status;
} query_cast;

/* The earliest t_lower wins. On ties, GRAZE_HIT wins over GRAZE_POSSIBLE, then the lower slot. */
static bool query_cast_is_first(const graze_body_hit *p, const graze_body_hit *q) {
  if (p->result.t_lower != q->result.t_lower) return p->result.t_lower < q->result.t_lower;
  if (p->result.outcome != q->result.outcome) return p->result.outcome == GRAZE_HIT;
  return p->body.slot < q->body.slot;
}

static bool query_hit_before(const void *p, const void *q) {
  const graze_body_hit *of_p = p, *of_q = q;
  if (of_p->result.t_lower != of_q->result.t_lower) return of_p->result.t_lower < of_q->result.t_lower;
  return of_p->body.slot < of_q->body.slot;
}

/* Returns the time up to which contacts are needed. */
static double query_cast_limit(const query_cast *s) {
  if (s->mode == QUERY_ALL || s->first.body.generation == 0) return s->t_max;
  return real_min(s->t_max, s->first.result.t_lower * (1 + 0x1p-20) + s->slack);
}

static double query_visit_cast(void *context, size_t slot, double t) {
  query_cast *s = context;
  const graze_placed *body = scene_placed(s->scene, slot);
  graze_body_hit hit;
  (void)t;
  if (query_are_halfspaces(s->placed, body) || !query_accepts(s->scene, s->filter, slot)) return query_cast_limit(s);
  hit.body = scene_id(s->scene, slot);
  graze_cast_options options = graze_default_cast_options();
  options.min_distance = false;
  if (s->ray) {
    grz_cast_result cast;
    s->status = grz_raycast(body, s->placed, s->motion.velocity, s->t_max, &options, &cast);
    hit.result = cast.cast;
  } else {
    s->status = graze_cast(s->placed, &s->motion, body, &grz_motion_at_rest, s->t_max, &options, &hit.result);
  }
  if (s->status != GRAZE_OK) return -1; /* ends the search */
  if (hit.result.outcome == GRAZE_CLEAR) return query_cast_limit(s);
  if (s->mode == QUERY_ALL)
    results_add(&s->hits, &hit);
  else if (s->first.body.generation == 0 || query_cast_is_first(&hit, &s->first))
    s->first = hit;
  return s->mode == QUERY_ANY ? -1 : query_cast_limit(s);
}

/* Searches the tree with a box that contains the shape at its start position in all rotations of the motion. */
static graze_status query_cast_shape(query_cast *s, graze_error *error) {
  s->status = grz_query_check_shape(s->scene, s->placed, error);
  if (s->status == GRAZE_OK) s->status = grz_query_check_cast(s->placed, &s->motion, s->t_max, error);
  if (s->status != GRAZE_OK) return s->status;
  const graze_motion turn = {grz_motion_at_rest.velocity, s->motion.angular};
  const graze_aabb box = grz_swept_bounds(s->placed, &turn, motion_last_time(s->t_max), 0);
  const double speed = vec_length(s->motion.velocity);
  if (speed > 0) s->slack = 0x1p-24 * ((s->placed->hidden.bounding_radius + s->placed->hidden.radius) / speed);
  grz_bvh_cast(&s->scene->store.tree, &box, s->motion.velocity, s->t_max, query_visit_cast, s);
  return s->status;
}

static graze_status query_cast_ray(query_cast *s, graze_vec origin, graze_error *error) {
  const graze_shape shape = grz_point_shape(s->scene->def.dim);
  const graze_placed point = graze_place(&shape, graze_pose_at(origin.x, origin.y, origin.z));
  const graze_aabb box = {origin, origin};
  s->placed = &point, s->ray = true;
  s->status = grz_query_check_ray(&point, &s->motion, s->t_max, error);
  if (s->status == GRAZE_OK)
    grz_bvh_cast(&s->scene->store.tree, &box, s->motion.velocity, s->t_max, query_visit_cast, s);
  return s->status;
}

/* Writes the hit of QUERY_FIRST and QUERY_ANY. */
static graze_status query_cast_finish(const query_cast *s, graze_body *body, graze_cast_result *result) {
  if (s->status != GRAZE_OK) return s->status;
  *body = s->first.body;
  if (s->first.body.generation != 0 && result != NULL) *result = s->first.result;
  return GRAZE_OK;
}

static query_cast query_cast_make(const graze_scene *scene, const graze_filter *filter, query_cast_mode mode,
                                  graze_motion motion, double t_max) {
  return (query_cast){.scene = scene, .filter = filter, .mode = mode, .motion = motion, .t_max = t_max};
}

graze_status graze_scene_cast(const graze_scene *scene, const graze_placed *placed, const graze_motion *motion,
                              double t_max, const graze_filter *filter, graze_body *body, graze_cast_result *result,
                              graze_error *error) {
  query_cast s = query_cast_make(scene, filter, QUERY_FIRST, *motion, t_max);
  s.placed = placed;
  (void)query_cast_shape(&s, error);
  return query_cast_finish(&s, body, result);
}

graze_status graze_scene_cast_any(const graze_scene *scene, const graze_placed *placed, const graze_motion *motion,
                                  double t_max, const graze_filter *filter, graze_body *body, graze_cast_result *result,
                                  graze_error *error) {
  query_cast s = query_cast_make(scene, filter, QUERY_ANY, *motion, t_max);
  s.placed = placed;
  (void)query_cast_shape(&s, error);
  return query_cast_finish(&s, body, result);
}

graze_status graze_scene_cast_all(const graze_scene *scene, const graze_placed *placed, const graze_motion *motion,
                                  double t_max, const graze_filter *filter, graze_body_hit *hits, size_t capacity,
                                  size_t *count, graze_error *error) {
  query_cast s = query_cast_make(scene, filter, QUERY_ALL, *motion, t_max);
  s.placed = placed, s.hits = results_make(hits, sizeof *hits, capacity, query_hit_before);
  graze_status status = query_cast_shape(&s, error);
  return status == GRAZE_OK ? results_finish(&s.hits, count) : status;
}

graze_status graze_scene_raycast(const graze_scene *scene, graze_vec origin, graze_vec direction, double t_max,
                                 const graze_filter *filter, graze_body *body, graze_cast_result *result,
                                 graze_error *error) {
  query_cast s = query_cast_make(scene, filter, QUERY_FIRST, (graze_motion){.velocity = direction}, t_max);
  (void)query_cast_ray(&s, origin, error);
  return query_cast_finish(&s, body, result);
}

graze_status graze_scene_raycast_any(const graze_scene *scene, graze_vec origin, graze_vec direction, double t_max,
                                     const graze_filter *filter, graze_body *body, graze_cast_result *result,
                                     graze_error *error) {
  query_cast s = query_cast_make(scene, filter, QUERY_ANY, (graze_motion){.velocity = direction}, t_max);
  (void)query_cast_ray(&s, origin, error);
  return query_cast_finish(&s, body, result);
}

graze_status graze_scene_raycast_all(const graze_scene *scene, graze_vec origin, graze_vec direction, double t_max,
                                     const graze_filter *filter, graze_body_hit *hits, size_t capacity, size_t *count,
                                     graze_error *error) {
  query_cast s = query_cast_make(scene, filter, QUERY_ALL, (graze_motion){.velocity = direction}, t_max);
  s.hits = results_make(hits, sizeof *hits, capacity, query_hit_before);
  graze_status status = query_cast_ray(&s, origin, error);
  return status == GRAZE_OK ? results_finish(&s.hits, count) : status;
}

/* ---- Pairs of bodies. Each pair is queried from one of its bodies: the one with the higher rank (query_rank()), or
 * the one with the lower slot. So no search starts at a static body, because there may be many static bodies. */

typedef struct query_pairs {
  const graze_scene *scene;
  size_t slot;    /* the body from which the pairs are queried */
  graze_aabb box; /* its bounds; for graze_scene_pairs() grown by its margin */
  query_search near;
} query_pairs;

static int query_rank(const graze_scene *scene, size_t slot) {
  const scene_filter *filter = &scene_filters(scene)[slot];
  return filter->type == GRAZE_STATIC ? 0 : filter->form == SCENE_FORM_HALFSPACE ? 1 : 2;
}

static bool query_is_pair(const query_pairs *s, size_t other) {
  const int rank = query_rank(s->scene, s->slot), other_rank = query_rank(s->scene, other);
  if (other == s->slot || rank < other_rank || (rank == other_rank && other < s->slot)) return false;
  return scene_are_pair(&scene_filters(s->scene)[s->slot], &scene_filters(s->scene)[other]);
}

static double query_add_up(double x, double by) {
  const double sum = x + by;
  return by > 0 && real_abs(sum) < __builtin_inf() ? real_next_up(sum) : sum;
}

/* Bounds of a body, grown by its margin along every axis, rounded outward. */
static graze_aabb query_grown_bounds(const graze_scene *scene, size_t slot) {
  const graze_aabb box = grz_query_bounds(scene_placed(scene, slot));
  const double by = scene_records(scene)[slot].margin, by_z = scene->def.dim == 2 ? 0 : by;
  const graze_vec p = vec_neg(box.min), q = box.max;
  return (graze_aabb){
      vec_neg(vec_make(query_add_up(p.x, by), query_add_up(p.y, by), query_add_up(p.z, by_z))),
      vec_make(query_add_up(q.x, by), query_add_up(q.y, by), query_add_up(q.z, by_z)),
  };
}

static bool query_pair_before(const void *p, const void *q) {
  const graze_body_pair *of_p = p, *of_q = q;
  return of_p->a.slot != of_q->a.slot ? of_p->a.slot < of_q->a.slot : of_p->b.slot < of_q->b.slot;
}

static bool query_visit_pair(void *context, size_t other) {
  query_pairs *s = context;
  const scene_record *a = &scene_records(s->scene)[s->slot], *b = &scene_records(s->scene)[other];
  const size_t low = other < s->slot ? other : s->slot, high = other < s->slot ? s->slot : other;
  const graze_body_pair pair = {scene_id(s->scene, low), scene_id(s->scene, high)};
  if (!query_is_pair(s, other)) return true;
  const graze_aabb box = query_grown_bounds(s->scene, other);
  bool meets;
  if (a->placed.shape.kind == GRAZE_HALFSPACE)
    meets = grz_halfspace_overlaps(&a->placed, &grz_motion_at_rest, 0, a->margin, &box);
  else if (b->placed.shape.kind == GRAZE_HALFSPACE)
    meets = grz_halfspace_overlaps(&b->placed, &grz_motion_at_rest, 0, b->margin, &s->box);
  else
    meets = grz_aabb_overlap(&s->box, &box);
  if (meets) results_add(&s->near.results, &pair);
  return true;
}

graze_status graze_scene_pairs(const graze_scene *scene, graze_body_pair *pairs, size_t capacity, size_t *count) {
  query_pairs s = {.scene = scene};
  s.near.results = results_make(pairs, sizeof *pairs, capacity, query_pair_before);
  for (s.slot = 0; s.slot < scene->store.slots; s.slot++) {
    const scene_flags flags = scene_flags_of(scene)[s.slot];
    if (!flags.used || flags.is_static) continue;
    s.box = query_grown_bounds(scene, s.slot);
    grz_bvh_overlap(&scene->store.tree, &s.box, query_visit_pair, &s);
  }
  return results_finish(&s.near.results, count);
}

static double query_visit_closest(void *context, size_t other, double distance) {
  query_pairs *s = context;
  const size_t low = other < s->slot ? other : s->slot, high = other < s->slot ? s->slot : other;
  const graze_placed *a = scene_placed(s->scene, s->slot), *b = scene_placed(s->scene, other);
  graze_neighbor pair = {.a = scene_id(s->scene, low), .b = scene_id(s->scene, high)};
  (void)distance;
  if (!query_is_pair(s, other) ||
      !query_may_be_near(a, &s->box, b, query_limit(&s->near, query_radius(a), query_radius(b))))
    return query_limit(&s->near, query_radius(a), 0);
  s->near.status =
      graze_distance(scene_placed(s->scene, low), scene_placed(s->scene, high), &s->near.options, &pair.answer);
  if (s->near.status != GRAZE_OK) return -1; /* ends the search */
  if (pair.answer.stopped != GRAZE_STOP_CUTOFF) results_add(&s->near.results, &pair);
  return query_limit(&s->near, query_radius(a), 0);
}

graze_status graze_scene_closest_pairs(const graze_scene *scene, double within, graze_neighbor *pairs, size_t capacity,
                                       size_t *count, graze_error *error) {
  query_pairs s = {.scene = scene, .near = {.within = within, .nearest = true}};
  s.near.options = query_distance_options(within);
  s.near.results = results_make(pairs, sizeof *pairs, capacity, query_nearer);
  const graze_status status = grz_query_check_within(within, error);
  if (status != GRAZE_OK) return status;
  for (s.slot = 0; s.slot < scene->store.slots && capacity > 0 && s.near.status == GRAZE_OK; s.slot++) {
    const scene_flags flags = scene_flags_of(scene)[s.slot];
    if (!flags.used || flags.is_static) continue;
    const graze_placed *placed = scene_placed(scene, s.slot);
    s.box = query_wide_bounds(placed);
    grz_bvh_nearest(&scene->store.tree, &s.box, query_limit(&s.near, query_radius(placed), 0), query_visit_closest, &s);
  }
  if (s.near.status != GRAZE_OK) return s.near.status;
  results_sort(&s.near.results);
  *count = s.near.results.kept;
  return GRAZE_OK;
}

/* ---- Contacts of two bodies */

graze_status graze_scene_manifold(const graze_scene *scene, graze_body a, graze_body b,
                                  const graze_manifold_options *options, graze_answer *answer, graze_contact *contacts,
                                  size_t capacity, size_t *count) {
  graze_error *error = options != NULL ? options->error : NULL;
  if (!scene_has(scene, a) || !scene_has(scene, b)) return grz_scene_no_body(error, scene_has(scene, a) ? b : a);
  if (a.slot == b.slot)
    return grz_reject(error, grz_error_rule(GRAZE_BAD_OPTION, "body", (double)b.slot, "must be another body than a"));
  graze_manifold_options used = options != NULL ? *options : graze_default_manifold_options();
  if (options == NULL) used.speculative_distance = grz_pair_contact_distance(scene, a.slot, b.slot);
  return graze_manifold(scene_placed(scene, a.slot), scene_placed(scene, b.slot), &used, answer, contacts, capacity,
                        count);
}
