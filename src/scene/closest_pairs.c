/* Queries about pairs. Each is found from one of its bodies: the one that moves, and is no half-space; or from the
 * lower slot. So nobody looks around a static body, of which there may be many. */
#include "core/vec.h"
#include "core/vec.h"
#include "scene/query.h"
#include "scene/results.h"

static const graze_motion closest_still = {{0, 0, 0}, {0, 0, 0}};

static int closest_rank(const scene_body *b) {
  return b->type == GRAZE_STATIC ? 0 : b->placed.shape.kind == GRAZE_HALFSPACE ? 1 : 2;
}

typedef struct closest_search {
  const graze_scene *scene;
  size_t slot;    /* from which is looked */
  graze_aabb box; /* its own; of pairs, grown by its margin */
  graze_options options;
  double within;
  scene_found found;
  graze_status status;
} closest_search;

static bool closest_is_asked(const closest_search *s, size_t other) {
  const scene_body *a = &s->scene->body[s->slot], *b = &s->scene->body[other];
  const int rank_a = closest_rank(a), rank_b = closest_rank(b);
  if (other == s->slot || rank_a < rank_b || (rank_a == rank_b && other < s->slot)) return false;
  return scene_are_pair(&scene_briefs(s->scene)[s->slot], &scene_briefs(s->scene)[other]);
}

/* ---- Whose bounds meet? */

static bool closest_pair_before(const void *p, const void *q) {
  const graze_body_pair *of_p = p, *of_q = q;
  return of_p->a.slot != of_q->a.slot ? of_p->a.slot < of_q->a.slot : of_p->b.slot < of_q->b.slot;
}

static double closest_farther(double x, double by) {
  const double sum = x + by;
  return by > 0 && real_abs(sum) < __builtin_inf() ? real_next_up(sum) : sum;
}

/* The box, larger by so much along every axis, rounded outward. */
static graze_aabb closest_grown(const graze_aabb *box, int dim, double by) {
  const double of_z = dim == 2 ? 0 : by;
  const graze_vec p = vec_neg(box->min), q = box->max;
  return (graze_aabb){
      vec_neg(vec_make(closest_farther(p.x, by), closest_farther(p.y, by), closest_farther(p.z, of_z))),
      vec_make(closest_farther(q.x, by), closest_farther(q.y, by), closest_farther(q.z, of_z)),
  };
}

static graze_aabb closest_box(const graze_scene *scene, size_t slot) {
  const scene_body *b = &scene->body[slot];
  const graze_aabb box = grz_scene_box_of(&b->placed);
  return closest_grown(&box, scene->def.dim, b->margin);
}

static bool closest_bounds_meet(const closest_search *s, size_t other) {
  const scene_body *a = &s->scene->body[s->slot], *b = &s->scene->body[other];
  const graze_aabb box = closest_box(s->scene, other);
  if (a->placed.shape.kind == GRAZE_HALFSPACE)
    return grz_halfspace_overlaps(&a->placed, &closest_still, 0, a->margin, &box);
  if (b->placed.shape.kind == GRAZE_HALFSPACE)
    return grz_halfspace_overlaps(&b->placed, &closest_still, 0, b->margin, &s->box);
  return grz_aabb_overlap(&s->box, &box);
}

static bool closest_pair(void *context, size_t other) {
  closest_search *s = context;
  const size_t low = other < s->slot ? other : s->slot, high = other < s->slot ? s->slot : other;
  const graze_body_pair pair = {scene_id(s->scene, low), scene_id(s->scene, high)};
  if (closest_is_asked(s, other) && closest_bounds_meet(s, other)) grz_scene_found_put(&s->found, &pair);
  return true;
}

graze_status graze_scene_pairs(const graze_scene *scene, graze_body_pair *pairs, size_t capacity, size_t *count) {
  closest_search s = {.scene = scene};
  s.found = (scene_found){.at = pairs, .size = sizeof *pairs, .capacity = capacity, .before = closest_pair_before};
  for (s.slot = 0; s.slot < scene->slots; s.slot++) {
    if (scene->body[s.slot].type == 0 || scene->body[s.slot].type == GRAZE_STATIC) continue;
    s.box = closest_box(scene, s.slot);
    grz_bvh_overlap(&scene->broad, &s.box, closest_pair, &s);
  }
  return grz_scene_found_all(&s.found, count);
}

/* ---- Who is nearest to whom? */

static bool closest_nearer(const void *p, const void *q) {
  const graze_neighbor *of_p = p, *of_q = q;
  const double far_p = of_p->answer.distance, far_q = of_q->answer.distance;
  if (far_p != far_q) return far_p < far_q;
  return of_p->a.slot != of_q->a.slot ? of_p->a.slot < of_q->a.slot : of_p->b.slot < of_q->b.slot;
}

static double closest_reach(const scene_body *b) { return b->placed.reach + b->placed.radius; }

/* As of the nearest bodies: farther than the last one, by more than rounding. */
static double closest_end(const closest_search *s, double more) {
  if (!scene_found_is_full(&s->found)) return s->within;
  const graze_neighbor *last = scene_found_last(&s->found);
  const double farthest = real_max(last->answer.distance, 0), reach = closest_reach(&s->scene->body[s->slot]);
  return real_min(s->within, farthest + 0x1p-24 * (farthest + reach + more));
}

static double closest_near(void *context, size_t other, double distance) {
  closest_search *s = context;
  const size_t low = other < s->slot ? other : s->slot, high = other < s->slot ? s->slot : other;
  const scene_body *a = &s->scene->body[s->slot], *b = &s->scene->body[other];
  graze_neighbor near = {.a = scene_id(s->scene, low), .b = scene_id(s->scene, high)};
  (void)distance;
  if (!closest_is_asked(s, other) ||
      !grz_scene_may_be_near(&a->placed, &s->box, &b->placed, closest_end(s, closest_reach(b))))
    return closest_end(s, 0);
  s->status = graze_distance(&s->scene->body[low].placed, &s->scene->body[high].placed, &s->options, &near.answer);
  if (s->status != GRAZE_OK) return -1; /* no more */
  if (near.answer.stopped != GRAZE_STOP_CUTOFF) grz_scene_found_put(&s->found, &near);
  return closest_end(s, 0);
}

graze_status graze_scene_closest_pairs(const graze_scene *scene, double within, graze_neighbor *found, size_t capacity,
                                       size_t *count) {
  closest_search s = {.scene = scene, .options = grz_scene_near_options(within), .within = within, .status = GRAZE_OK};
  s.found = (scene_found){.at = found, .size = sizeof *found, .capacity = capacity, .before = closest_nearer};
  if (!(within >= 0)) return GRAZE_BAD_OPTION;
  for (s.slot = 0; s.slot < scene->slots && capacity > 0 && s.status == GRAZE_OK; s.slot++) {
    if (scene->body[s.slot].type == 0 || scene->body[s.slot].type == GRAZE_STATIC) continue;
    s.box = grz_scene_box_of(&scene->body[s.slot].placed);
    grz_bvh_nearest(&scene->broad, &s.box, closest_end(&s, 0), closest_near, &s);
  }
  if (s.status != GRAZE_OK) return s.status;
  grz_scene_found_end(&s.found);
  *count = s.found.kept;
  return GRAZE_OK;
}
