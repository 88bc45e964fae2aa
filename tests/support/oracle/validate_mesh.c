/* Conditions that every answer about a mesh must satisfy. */
#include "support/oracle/validate_mesh.h"

#include <stdlib.h>

#include "support/families.h"
#include "support/geometry.h"
#include "support/shapes.h"

mesh_oracle mesh_oracle_new(void) { return (mesh_oracle){oracle_new(), oracle_new()}; }

void mesh_oracle_free(mesh_oracle *m) { oracle_free(m->o), oracle_free(m->other); }

/* ---- parts */

static bool is_mesh(const mesh_member *m) { return m->shape.kind == GRAZE_MESH; }

static bool with_halfspace(const mesh_query *q) {
  return q->a->shape.kind == GRAZE_HALFSPACE || q->b->shape.kind == GRAZE_HALFSPACE;
}

static int part_count(const mesh_member *m) { return is_mesh(m) ? m->set.face_count : 1; }

/* Part i as a convex shape with the pose of the body. */
static graze_shape part_of(const mesh_member *m, int i) {
  if (!is_mesh(m)) return m->shape;
  const graze_vec *v = m->set.vertices;
  const int32_t *face = m->set.faces + m->set.corners * i;
  const graze_shape shape =
      m->set.dim == 2 ? graze_segment2(v[face[0]], v[face[1]]) : graze_triangle(v[face[0]], v[face[1]], v[face[2]]);
  return graze_with_margin(shape, m->shape.margin);
}

/* A convex shape of the same size. */
static graze_shape whole_of(const mesh_member *m) {
  const size_t count = (size_t)m->set.vertex_count;
  if (!is_mesh(m)) return m->shape;
  const graze_shape hull =
      m->set.dim == 2 ? graze_hull_points2(m->set.vertices, count) : graze_hull_points(m->set.vertices, count);
  return graze_with_margin(hull, m->shape.margin);
}

static double radius_sum(const mesh_query *q) {
  return radius_of(&q->a->shape) + q->a->shape.margin + radius_of(&q->b->shape) + q->b->shape.margin + q->clearance;
}

bool mesh_query_solid(const mesh_query *q) {
  return (is_mesh(q->a) && q->a->set.solid) || (is_mesh(q->b) && q->b->set.solid);
}

/* Rounded outward. */
static graze_aabb part_bounds(const mesh_member *m, int i) {
  graze_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  const graze_pose *pose = &m->set.pose;
  if (m->shape.kind == GRAZE_HALFSPACE) return (graze_aabb){box.max, box.min};
  const int corners = is_mesh(m) ? m->set.corners : m->set.vertex_count;
  double off = radius_of(&m->shape) + m->shape.margin;
  for (int k = 0; k < corners; k++) {
    const graze_vec v = m->set.vertices[is_mesh(m) ? m->set.faces[corners * i + k] : k];
    const graze_vec p = add(pose->position, rotated(pose, v));
    off = fmax(off, radius_of(&m->shape) + m->shape.margin + 1e-14 * (size1(pose->position) + size1(v)));
    box.min = vec(fmin(box.min.x, p.x), fmin(box.min.y, p.y), fmin(box.min.z, p.z));
    box.max = vec(fmax(box.max.x, p.x), fmax(box.max.y, p.y), fmax(box.max.z, p.z));
  }
  box.min = sub(box.min, vec(off, off, off)), box.max = add(box.max, vec(off, off, off));
  return box;
}

static graze_aabb *all_bounds(const mesh_member *m) {
  graze_aabb *box = calloc((size_t)part_count(m), sizeof *box);
  if (!box) abort();
  for (int i = 0; i < part_count(m); i++) box[i] = part_bounds(m, i);
  return box;
}

static graze_aabb swept(graze_aabb box, graze_vec by) {
  box.min = add(box.min, vec(fmin(0, by.x), fmin(0, by.y), fmin(0, by.z)));
  box.max = add(box.max, vec(fmax(0, by.x), fmax(0, by.y), fmax(0, by.z)));
  return box;
}

/* The pairs of parts whose bounds come as near as `margin` while B moves by `path`. */
typedef struct near_pairs {
  const mesh_query *query;
  graze_aabb *a, *b;
  graze_vec path;
  double margin;
  int at, total;
} near_pairs;

static near_pairs pairs_begin(const mesh_query *q, double margin, graze_vec path) {
  return (near_pairs){q, all_bounds(q->a), all_bounds(q->b), path, margin, 0, part_count(q->a) * part_count(q->b)};
}

/* Sets the next pair, or returns false. */
static bool pairs_next(near_pairs *p, int *i, int *k) {
  const graze_vec margin = vec(p->margin, p->margin, p->margin);
  while (p->at < p->total) {
    *i = p->at / part_count(p->query->b), *k = p->at % part_count(p->query->b);
    p->at++;
    const graze_aabb a = {sub(p->a[*i].min, margin), add(p->a[*i].max, margin)};
    if (boxes_meet(a, swept(p->b[*k], p->path))) return true;
  }
  return false;
}

static void pairs_end(near_pairs *p) { free(p->a), free(p->b); }

static bool solve_pair(oracle *o, const mesh_query *q, int i, int k) {
  const graze_shape a = part_of(q->a, i), b = part_of(q->b, k);
  return oracle_solve(o, &a, &q->a->set.pose, &b, &q->b->set.pose, q->clearance);
}

/* ---- relations */

static graze_vec path_of(const mesh_cast *c, double t) { return scaled(t, sub(c->velocity_b, c->velocity_a)); }

/* Solves a pair of parts for the motion from one time to another. */
static void solve_moving(oracle *o, const mesh_cast *c, int i, int k, double from, double to) {
  const mesh_query *q = &c->query;
  const oracle_motion motion = {c->velocity_a, c->velocity_b, from, to};
  const graze_shape a = part_of(q->a, i), b = part_of(q->b, k);
  if (!oracle_solve_moving(o, &a, &q->a->set.pose, &b, &q->b->set.pose, q->clearance, &motion)) abort();
}

/* The strongest relation of all pairs in this time. */
static graze_relation strongest_pair(oracle *o, const mesh_cast *c, double from, double to) {
  graze_relation strongest = GRAZE_SEPARATED;
  near_pairs pairs = pairs_begin(&c->query, c->query.clearance + 1e-14 * size1(path_of(c, to)), path_of(c, to));
  for (int i, k; strongest != GRAZE_OVERLAPPING && pairs_next(&pairs, &i, &k);) {
    solve_moving(o, c, i, k, from, to);
    if (oracle_relation(o) > strongest) strongest = oracle_relation(o);
  }
  pairs_end(&pairs);
  return strongest;
}

/* The relation at one time; 0 if the two methods contradict each other. */
static graze_relation relation_at(const mesh_oracle *m, const mesh_cast *c, double t) {
  const mesh_query *q = &c->query;
  mesh_body a = q->a->set, b = q->b->set;
  if (with_halfspace(q)) return strongest_pair(m->o, c, t, t);
  a.velocity = c->velocity_a, b.velocity = c->velocity_b, a.time = b.time = t;
  const graze_relation pairs = strongest_pair(m->o, c, t, t), sets = mesh_relation(&a, &b);
  const bool rounded = radius_sum(q) > 0, solid = mesh_query_solid(q);
  graze_relation expected = pairs; /* of the pairs, from the sets */
  if (solid && sets == GRAZE_OVERLAPPING) return sets;
  if (rounded && sets != GRAZE_SEPARATED) expected = GRAZE_OVERLAPPING;
  if (!rounded && sets == GRAZE_SEPARATED) expected = sets;
  if (!rounded && sets != GRAZE_SEPARATED && (solid || pairs == GRAZE_SEPARATED)) expected = GRAZE_TOUCHING;
  return pairs == expected ? pairs : (graze_relation)0;
}

graze_relation mesh_truth(const mesh_oracle *m, const mesh_query *q) {
  return relation_at(m, &(mesh_cast){.query = *q}, 0);
}

/* ---- intersect and distance */

static const char *validate_parts(const mesh_query *q, int32_t part_a, int32_t part_b) {
  const bool good = part_a >= 0 && part_a < part_count(q->a) && part_b >= 0 && part_b < part_count(q->b);
  return good ? NULL : "a part is out of range";
}

const char *validate_mesh_intersect(graze_relation truth, const mesh_query *q, const proved_answer *x) {
  if (x->relation != truth) return "WRONG RELATION by graze_intersect()";
  if (truth == GRAZE_TOUCHING && x->distance != 0) return "touching, but distance is not 0";
  if (truth != GRAZE_TOUCHING && !isnan(x->distance)) return "a distance that was not requested";
  return validate_parts(q, x->part_a, x->part_b);
}

static double query_scale(const mesh_query *q, double distance) {
  const graze_shape a = whole_of(q->a), b = whole_of(q->b);
  return pair_scale(&a, &b, distance) + q->clearance;
}

/* The interval is at most this wide; positions are rounded to some ulps. */
static double slack(const mesh_query *q) {
  return 1e-12 * query_scale(q, 0) + 4e-16 * (size1(q->a->set.pose.position) + size1(q->b->set.pose.position));
}

/* The signed distance of each pair whose bounds come as near as `margin` until t_max is at least `least`. */
static bool pairs_at_least(oracle *o, const mesh_cast *c, double least, double margin) {
  bool good = true;
  near_pairs pairs = pairs_begin(&c->query, margin, path_of(c, c->t_max));
  for (int i, k; good && pairs_next(&pairs, &i, &k);) {
    solve_moving(o, c, i, k, 0, c->t_max);
    good = oracle_compare(o, least) >= 0;
  }
  pairs_end(&pairs);
  return good;
}

/* The relation is that of the deciding pair, and no other pair is nearer. */
static const char *validate_pairs(const mesh_oracle *m, const mesh_query *q, const proved_answer *x) {
  const graze_shape whole_a = whole_of(q->a), whole_b = whole_of(q->b);
  const graze_shape a = part_of(q->a, x->part_a), b = part_of(q->b, x->part_b);
  if (!solve_pair(m->o, q, x->part_a, x->part_b)) abort();
  const char *why = validate_distance(m->o, &whole_a, &whole_b, x);
  if (!why && x->relation != GRAZE_OVERLAPPING)
    why = validate_points(m->o, &a, &q->a->set.pose, &b, &q->b->set.pose, q->clearance, x);
  if (!why && !pairs_at_least(m->o, &(mesh_cast){.query = *q}, x->lower, fmax(0, x->lower) + q->clearance + slack(q)))
    why = "INTERVAL MISSES: a pair of parts is below lower";
  return why;
}

static graze_relation relation_moved(const mesh_oracle *m, const mesh_query *q, graze_vec by) {
  mesh_member b = *q->b;
  const mesh_query moved = {q->a, &b, q->clearance};
  b.set.pose.position = add(b.set.pose.position, by);
  return mesh_truth(m, &moved);
}

/* -lower along the normal ends the overlap; no direction ends it by less than -upper. */
static const char *validate_depth(const mesh_oracle *m, const mesh_query *q, rng *random, const proved_answer *x) {
  const double off = slack(q), out = -x->lower * (1 + 1e-9) + off, in = -x->upper * (1 - 1e-9) - off;
  if (!(x->lower <= x->distance && x->distance <= x->upper && x->upper <= 0 && x->distance < 0))
    return "overlapping, but the numbers are not in order";
  if (!(fabs(vector_length(x->normal) - 1) <= 1e-12)) return "the normal is not a unit vector";
  if (x->stopped != GRAZE_STOP_NONCONVEX && !(x->upper - x->lower <= 1e-12 * query_scale(q, x->distance)))
    return "the interval is wider than promised";
  graze_relation moved = relation_moved(m, q, scaled(out, x->normal));
  if (moved == GRAZE_OVERLAPPING || moved == 0) return "INTERVAL MISSES: -lower along the normal leaves an overlap";
  if (!pairs_at_least(m->o, &(mesh_cast){.query = *q}, x->upper - off, q->clearance + off))
    return "INTERVAL MISSES: a pair of parts is deeper than -upper";
  for (int i = 0; i < 3 && in > 0; i++) {
    const graze_vec any = rng_vec(random, q->a->set.dim, 1), axis = vec(i == 1, i == 2, 0);
    const graze_vec direction = i == 0 ? x->normal : rng_coin(random) ? axis : scaled(1 / norm(any), any);
    moved = relation_moved(m, q, scaled(i > 0 && rng_coin(random) ? -in : in, direction));
    if (moved != GRAZE_OVERLAPPING) return "INTERVAL MISSES: the overlap ends before -upper";
  }
  return NULL;
}

const char *validate_mesh_distance(const mesh_oracle *m, const mesh_query *q, graze_relation truth, rng *random,
                                   const proved_answer *x) {
  if (x->relation != truth) return "WRONG RELATION by graze_distance()";
  const char *why = validate_parts(q, x->part_a, x->part_b);
  if (why) return why;
  if (truth == GRAZE_OVERLAPPING && mesh_query_solid(q) && !with_halfspace(q)) return validate_depth(m, q, random, x);
  if (x->stopped != GRAZE_STOP_NONE) return "stopped, without a reason";
  return validate_pairs(m, q, x);
}

/* ---- casts */

mesh_cast_truth mesh_cast_solve(const mesh_oracle *m, const mesh_cast *c) {
  mesh_cast_truth truth = {mesh_truth(m, &c->query), false};
  truth.hit = truth.starts == GRAZE_OVERLAPPING ||
              (truth.starts == GRAZE_SEPARATED && strongest_pair(m->o, c, 0, c->t_max) != GRAZE_SEPARATED);
  return truth;
}

/* The result is also that of the deciding pair. */
static const char *validate_pair_cast(const mesh_oracle *m, const mesh_cast *c, const proved_cast *x) {
  const mesh_query *q = &c->query;
  const graze_shape a = part_of(q->a, x->part_a), b = part_of(q->b, x->part_b);
  const linear_query pair = {&a,       &b,           q->a->set.pose, q->b->set.pose, c->velocity_a, c->velocity_b,
                             c->t_max, q->clearance, false,          c->ray};
  cast_truth truth;
  if (!cast_truth_solve(m->o, &pair, &truth)) abort();
  return validate_cast(m->o, m->other, &pair, &truth, x);
}

/* At moments of a motion that is clear, the bodies do not overlap. */
static const char *validate_moments(const mesh_oracle *m, const mesh_cast *c, rng *random) {
  for (int i = 0; i < 3; i++) {
    const double t = c->t_max * ldexp(rng_between(random, 1, 64), -6);
    if (relation_at(m, c, t) == GRAZE_OVERLAPPING) return "FALSE CLEAR: an overlap";
  }
  return NULL;
}

static const char *validate_contact_at_start(const mesh_oracle *m, const mesh_cast *c, graze_relation starts,
                                             rng *random, const proved_cast *x) {
  const bool must_hit = starts == GRAZE_OVERLAPPING || c->ray;
  if (must_hit && x->outcome != GRAZE_HIT) return "FALSE CLEAR: in contact at the start";
  if (must_hit) return x->t_lower == 0 && x->t_upper == 0 ? NULL : "in contact at the start, but later than 0";
  const graze_relation soon = relation_at(m, c, 0x1p-80 * c->t_max);
  if (x->outcome == GRAZE_CLEAR)
    return soon == GRAZE_OVERLAPPING ? "FALSE CLEAR: an approach" : validate_moments(m, c, random);
  if (!(x->t_lower >= 0 && x->t_lower <= x->t_upper)) return "times are not in order";
  if (soon == GRAZE_OVERLAPPING)
    return x->outcome == GRAZE_HIT && x->t_lower == 0 ? NULL : "in contact, but later than 0";
  if (x->outcome == GRAZE_POSSIBLE) return "POSSIBLE, of polytopes";
  return x->t_upper > 0 || soon == GRAZE_TOUCHING ? NULL : "FALSE HIT: the bodies separate";
}

const char *validate_mesh_cast(const mesh_oracle *m, const mesh_cast *c, const mesh_cast_truth *truth, rng *random,
                               const proved_cast *x) {
  if (x->start_relation != truth->starts) return "WRONG START";
  const char *why = validate_parts(&c->query, x->part_a, x->part_b);
  if (why) return why;
  if (truth->starts != GRAZE_SEPARATED) return validate_contact_at_start(m, c, truth->starts, random, x);
  if (x->outcome == GRAZE_POSSIBLE) return "POSSIBLE, of polytopes";
  if (truth->hit != (x->outcome == GRAZE_HIT)) return truth->hit ? "FALSE CLEAR" : "FALSE HIT";
  why = validate_pair_cast(m, c, x);
  if (why) return why;
  if (truth->hit)
    return strongest_pair(m->o, c, 0, x->t_lower) == GRAZE_SEPARATED ? NULL : "BRACKET MISSES: another pair is earlier";
  return pairs_at_least(m->o, c, x->min_lower, x->min_lower + c->query.clearance + slack(&c->query))
             ? NULL
             : "MISSES: a pair comes nearer than min_lower";
}

void print_mesh_query(FILE *out, const char *query, const mesh_query *q) {
  print_query_line(out, "mesh", query, &q->a->shape, &q->a->set.pose, &q->b->shape, &q->b->set.pose);
  if (q->clearance > 0) fprintf(out, "  with clearance %.17g\n", q->clearance);
}

void print_mesh_cast(FILE *out, const mesh_cast *c) {
  const mesh_query *q = &c->query;
  shape_pair pair = {.a = q->a->shape, .b = q->b->shape, .pose_a = q->a->set.pose, .pose_b = q->b->set.pose};
  const graze_motion a = {c->velocity_a, {0, 0, 0}}, b = {c->velocity_b, {0, 0, 0}};
  print_motion_line(out, "mesh", c->ray ? "raycast" : "shapecast", &pair, q->clearance, &a, &b, c->t_max);
}
