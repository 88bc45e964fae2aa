/* Queries about one shape, or box. The tree proposes: its boxes hold the bodies, and what they did in the last step.
 * Bounds of the bodies where they are leave most of that out; of the rest the exact question is asked. */
#include "scene/query.h"

#include "core/vec.h"
#include "core/vec.h"
#include "scene/results.h"
#include "scene/pair.h"

/* Compounds of more parts know themselves, by their own tree, which of them matter. */
enum { ASK_PARTS = 32 };

static const graze_motion ask_still = {{0, 0, 0}, {0, 0, 0}};

graze_filter graze_default_filter(void) { return (graze_filter){.category = 1, .mask = UINT64_MAX}; }

/* ---- Shared */

bool grz_scene_counts(const graze_scene *scene, const graze_filter *filter, size_t slot) {
  const scene_body *b = &scene->body[slot];
  if (filter == NULL) return true;
  if ((filter->category & b->mask) == 0 || (b->category & filter->mask) == 0) return false;
  if (b->sensor && !filter->sensors) return false;
  if (filter->except.slot == slot && filter->except.generation == b->generation) return false;
  return filter->accept == NULL || filter->accept(filter->context, scene_id(scene, slot));
}

graze_status grz_scene_may_ask(const graze_scene *scene, const graze_placed *placed) {
  if (placed->status != GRAZE_OK) return placed->status;
  return placed->shape.dim == scene->def.dim ? GRAZE_OK : GRAZE_DIM_MISMATCH;
}

/* A support function that contradicts itself has no bounds: then what it said at first has to do. */
graze_aabb grz_scene_box_of(const graze_placed *placed) {
  graze_aabb box;
  if (placed->shape.kind != GRAZE_HALFSPACE && graze_bounds(placed, &box) == GRAZE_OK) return box;
  return grz_swept_bounds(placed, &ask_still, 0, 0);
}

static double ask_gap(double low, double high, double other_low, double other_high) {
  return real_max(real_max(other_low - high, low - other_high), 0);
}

static bool ask_boxes_are_near(const graze_aabb *p, const graze_aabb *q, double within) {
  const graze_vec gap =
      vec_make(ask_gap(p->min.x, p->max.x, q->min.x, q->max.x), ask_gap(p->min.y, p->max.y, q->min.y, q->max.y),
               ask_gap(p->min.z, p->max.z, q->min.z, q->max.z));
  return vec_length(gap) * (1 - 8 * GRZ_U) <= within; /* squares that vanish make it less */
}

bool grz_scene_may_be_near(const graze_placed *placed, const graze_aabb *box, const graze_placed *body, double within) {
  const bool plane = placed->shape.kind == GRAZE_HALFSPACE;
  if (body->shape.kind == GRAZE_HALFSPACE) return !plane && grz_halfspace_overlaps(body, &ask_still, 0, within, box);
  if (!plane && graze_part_count(body) > ASK_PARTS) return true;
  const graze_aabb other = grz_scene_box_of(body);
  if (plane) return grz_halfspace_overlaps(placed, &ask_still, 0, within, &other);
  return ask_boxes_are_near(box, &other, within);
}

graze_options grz_scene_near_options(double within) {
  graze_options options = graze_default_options();
  if (within < __builtin_inf()) options.max_distance = real_next_up(within); /* a NaN is refused */
  return options;
}

/* ---- Who meets it? */

static bool ask_body_before(const void *p, const void *q) {
  return ((const graze_body *)p)->slot < ((const graze_body *)q)->slot;
}

typedef struct ask_search {
  const graze_scene *scene;
  const graze_placed *placed;
  graze_aabb box;
  const graze_filter *filter;
  graze_options options;
  double within;
  double reach; /* of the shape: distances are rounded by so little of it */
  bool nearest;
  scene_found found;
  graze_status status;
} ask_search;

static bool ask_overlap(void *context, size_t slot) {
  ask_search *s = context;
  const graze_placed *body = &s->scene->body[slot].placed;
  const graze_body id = scene_id(s->scene, slot);
  bool meets;
  if (!grz_scene_may_be_near(s->placed, &s->box, body, 0) || !grz_scene_counts(s->scene, s->filter, slot)) return true;
  s->status = grz_pair_meets(s->placed, body, 0, &meets);
  if (s->status == GRAZE_OK && meets) grz_scene_found_put(&s->found, &id);
  return s->status == GRAZE_OK;
}

graze_status graze_scene_overlap(const graze_scene *scene, const graze_placed *placed, const graze_filter *filter,
                                 graze_body *bodies, size_t capacity, size_t *count) {
  ask_search s = {.scene = scene, .placed = placed, .filter = filter, .status = grz_scene_may_ask(scene, placed)};
  if (s.status != GRAZE_OK) return s.status;
  s.found = (scene_found){.at = bodies, .size = sizeof *bodies, .capacity = capacity, .before = ask_body_before};
  s.box = grz_scene_box_of(placed);
  grz_bvh_overlap(&scene->broad, &s.box, ask_overlap, &s);
  return s.status == GRAZE_OK ? grz_scene_found_all(&s.found, count) : s.status;
}

/* ---- Whose bounds meet the box? */

static bool ask_in_box(void *context, size_t slot) {
  ask_search *s = context;
  const graze_placed *body = &s->scene->body[slot].placed;
  const graze_body id = scene_id(s->scene, slot);
  bool meets;
  if (body->shape.kind == GRAZE_HALFSPACE) {
    meets = grz_halfspace_overlaps(body, &ask_still, 0, 0, &s->box);
  } else {
    const graze_aabb bounds = grz_scene_box_of(body);
    meets = grz_aabb_overlap(&bounds, &s->box);
  }
  if (meets && grz_scene_counts(s->scene, s->filter, slot)) grz_scene_found_put(&s->found, &id);
  return true;
}

static graze_status ask_judge_box(const graze_scene *scene, const graze_aabb *box) {
  const graze_vec p = box->min, q = box->max;
  if (p.x != p.x || p.y != p.y || p.z != p.z || q.x != q.x || q.y != q.y || q.z != q.z) return GRAZE_BAD_NUMBER;
  if (p.x > q.x || p.y > q.y || p.z > q.z) return GRAZE_BAD_OPTION;
  return scene->def.dim == 2 && (p.z != 0 || q.z != 0) ? GRAZE_DIM_MISMATCH : GRAZE_OK;
}

graze_status graze_scene_in_box(const graze_scene *scene, const graze_aabb *box, const graze_filter *filter,
                                graze_body *bodies, size_t capacity, size_t *count) {
  ask_search s = {.scene = scene, .box = *box, .filter = filter, .status = ask_judge_box(scene, box)};
  if (s.status != GRAZE_OK) return s.status;
  s.found = (scene_found){.at = bodies, .size = sizeof *bodies, .capacity = capacity, .before = ask_body_before};
  grz_bvh_overlap(&scene->broad, box, ask_in_box, &s);
  return grz_scene_found_all(&s.found, count);
}

/* ---- Who is near? */

static bool ask_slot_before(const void *p, const void *q) {
  return ((const graze_neighbor *)p)->b.slot < ((const graze_neighbor *)q)->b.slot;
}

static bool ask_nearer(const void *p, const void *q) {
  const double of_p = ((const graze_neighbor *)p)->answer.distance, of_q = ((const graze_neighbor *)q)->answer.distance;
  return of_p != of_q ? of_p < of_q : ask_slot_before(p, q);
}

/* What is farther than the last one is of no interest: by so much that rounding cannot bring it before that. `more`:
 * the reach of a body. */
static double ask_end(const ask_search *s, double more) {
  if (!s->nearest || !scene_found_is_full(&s->found)) return s->within;
  const graze_neighbor *last = scene_found_last(&s->found);
  const double farthest = real_max(last->answer.distance, 0);
  return real_min(s->within, farthest + 0x1p-24 * (farthest + s->reach + more));
}

static double ask_near(void *context, size_t slot, double distance) {
  ask_search *s = context;
  const scene_body *b = &s->scene->body[slot];
  graze_neighbor near = {.b = scene_id(s->scene, slot)};
  (void)distance;
  const double end = ask_end(s, b->placed.reach + b->placed.radius);
  if (!grz_scene_may_be_near(s->placed, &s->box, &b->placed, end) || !grz_scene_counts(s->scene, s->filter, slot))
    return ask_end(s, 0);
  s->status = graze_distance(s->placed, &b->placed, &s->options, &near.answer);
  if (s->status != GRAZE_OK) return -1; /* no more */
  if (near.answer.stopped != GRAZE_STOP_CUTOFF) grz_scene_found_put(&s->found, &near);
  return ask_end(s, 0);
}

static graze_status ask_near_all(ask_search *s, double within) {
  s->options = grz_scene_near_options(within);
  s->status = grz_scene_may_ask(s->scene, s->placed);
  if (s->status == GRAZE_OK && !(within >= 0)) s->status = GRAZE_BAD_OPTION;
  if (s->status != GRAZE_OK) return s->status;
  s->box = grz_scene_box_of(s->placed);
  s->within = within;
  s->reach = s->placed->reach + s->placed->radius;
  if (s->nearest && s->found.capacity == 0) return GRAZE_OK;
  grz_bvh_nearest(&s->scene->broad, &s->box, within, ask_near, s);
  return s->status;
}

graze_status graze_scene_within(const graze_scene *scene, const graze_placed *placed, double within,
                                const graze_filter *filter, graze_neighbor *found, size_t capacity, size_t *count) {
  ask_search s = {.scene = scene, .placed = placed, .filter = filter};
  s.found = (scene_found){.at = found, .size = sizeof *found, .capacity = capacity, .before = ask_slot_before};
  graze_status status = ask_near_all(&s, within);
  return status == GRAZE_OK ? grz_scene_found_all(&s.found, count) : status;
}

graze_status graze_scene_nearest(const graze_scene *scene, const graze_placed *placed, double within,
                                 const graze_filter *filter, graze_neighbor *found, size_t capacity, size_t *count) {
  ask_search s = {.scene = scene, .placed = placed, .filter = filter, .nearest = true};
  s.found = (scene_found){.at = found, .size = sizeof *found, .capacity = capacity, .before = ask_nearer};
  graze_status status = ask_near_all(&s, within);
  if (status != GRAZE_OK) return status;
  grz_scene_found_end(&s.found);
  *count = s.found.kept;
  return GRAZE_OK;
}

/* ---- Contacts of two bodies */

graze_status graze_scene_manifold(const graze_scene *scene, graze_body a, graze_body b, const graze_options *options,
                                  graze_answer *answer, graze_contact *contacts, size_t capacity, size_t *count) {
  const scene_body *of_a = grz_scene_find(scene, a), *of_b = grz_scene_find(scene, b);
  if (of_a == NULL || of_b == NULL) return GRAZE_NO_BODY;
  if (of_a == of_b) return GRAZE_BAD_OPTION;
  graze_options in_force = options != NULL ? *options : graze_default_options();
  if (in_force.max_distance == __builtin_inf()) in_force.max_distance = pair_reach(of_a, of_b);
  return graze_manifold(&of_a->placed, &of_b->placed, &in_force, answer, contacts, capacity, count);
}
