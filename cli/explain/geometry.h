/* Rounded vector arithmetic and positions, for display only. */
#ifndef GRAZE_CLI_GEOMETRY_H
#define GRAZE_CLI_GEOMETRY_H

#include "explain/story.h"

static inline graze_vec vec_add(graze_vec u, graze_vec v) { return (graze_vec){u.x + v.x, u.y + v.y, u.z + v.z}; }
static inline graze_vec vec_sub(graze_vec u, graze_vec v) { return (graze_vec){u.x - v.x, u.y - v.y, u.z - v.z}; }
static inline graze_vec vec_scale(graze_vec v, double f) { return (graze_vec){f * v.x, f * v.y, f * v.z}; }
/* u + f·v */
static inline graze_vec vec_mad(graze_vec u, double f, graze_vec v) { return vec_add(u, vec_scale(v, f)); }
static inline double vec_dot(graze_vec u, graze_vec v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
static inline graze_vec vec_cross(graze_vec u, graze_vec v) {
  return (graze_vec){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}
static inline bool vec_is_zero(graze_vec v) { return v.x == 0 && v.y == 0 && v.z == 0; }
/* The largest coordinate in magnitude. */
double vec_norm_inf(graze_vec v);
/* Both neither overflow nor underflow. The unit vector of zero is zero. */
double vec_norm(graze_vec v);
graze_vec vec_unit(graze_vec v);

/* An axis-aligned box. Zero it to begin. */
typedef struct bounds {
  graze_vec low, high;
  bool any;
} bounds;
void bounds_add(bounds *box, graze_vec point);
/* The points of a solid; nothing of a half-space. */
void bounds_add_mesh(bounds *box, const story_mesh *mesh);
/* The largest side. */
double bounds_size(const bounds *box);

/* A point or a direction of the shape's local frame, in the world. */
graze_vec body_point(const story_body *body, graze_vec local);
graze_vec body_direction(const story_body *body, graze_vec local);
/* The radius of the ball that rounds the core, margins included. */
double body_radius(const story_body *body);
/* The point of A - B that a pair names, and its two points in the local frames. `points`: those of the certificate or
 * surface of the pair. */
graze_cso_point cso_point_of(const story *s, const graze_pair *pair, const graze_vec *points);
/* True if both have the same vertices, or equal points of curved cores. */
bool cso_point_equal(const graze_cso_point *p, const graze_cso_point *q);
/* True if both cores are polytopes there, so that vertices name the point. */
static inline bool cso_point_has_vertices(const graze_cso_point *w) { return w->a >= 0 && w->b >= 0; }

/* The index of a named point, or -1. A pair of a cast names the same point at both ends of its interval, because A - B
 * is drawn at t = 0. */
int32_t story_find(const story *s, const graze_cso_point *w);
int32_t story_find_pair(const story *s, const graze_pair *pair, const graze_vec *points);
/* True if the step computed a support point. Exact refinement also has steps that only reduce a given simplex. */
static inline bool story_has_point(const graze_trace_step *step) { return !vec_is_zero(step->direction); }

/* Unit directions distributed evenly: 96 in the plane, 266 in space. */
enum { MAX_DIRECTIONS = 266 };
size_t even_directions(int dim, graze_vec directions[MAX_DIRECTIONS]);

/* The point of the convex hull of 1 to 6 points nearest the origin, and its convex weights. */
graze_vec nearest_of_hull(const graze_vec *points, int count, int dim, double weights[6]);

#endif
