/* Where things stand, in doubles and for showing only: nothing is decided by these numbers. */
#ifndef GRAZE_CLI_GEOMETRY_H
#define GRAZE_CLI_GEOMETRY_H

#include "explain/story.h"

static inline graze_vec vec_add(graze_vec u, graze_vec v) { return (graze_vec){u.x + v.x, u.y + v.y, u.z + v.z}; }
static inline graze_vec vec_sub(graze_vec u, graze_vec v) { return (graze_vec){u.x - v.x, u.y - v.y, u.z - v.z}; }
static inline graze_vec vec_scale(graze_vec v, double factor) {
  return (graze_vec){factor * v.x, factor * v.y, factor * v.z};
}
static inline double vec_dot(graze_vec u, graze_vec v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
static inline graze_vec vec_cross(graze_vec u, graze_vec v) {
  return (graze_vec){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}
/* The largest of the coordinates, in magnitude. */
double geometry_largest(graze_vec v);
/* Neither overflows nor vanishes before the result does. */
double vec_norm(graze_vec v);
/* Zero stays zero. */
graze_vec vec_unit(graze_vec v);

/* A point or a direction of the shape's own frame, in the world. */
graze_vec body_point(const story_body *body, graze_vec local);
graze_vec body_direction(const story_body *body, graze_vec local);

/* Core vertex `index` in the shape's own frame. */
graze_vec geometry_corner(const graze_shape *shape, size_t index);
/* The radius of the ball that rounds the core, margins included. */
double geometry_radius(const story_body *body);

/* The point of a core that a pair names, in the world. */
graze_vec geometry_parent(const story_body *body, int32_t index, graze_vec named);

/* Directions all around: unit, in an order that depends on nothing. */
enum { GEOMETRY_MOST_DIRECTIONS = 266 };
size_t geometry_directions(int dim, graze_vec directions[GEOMETRY_MOST_DIRECTIONS]);

/* The point of the hull of 1 to 6 points that lies nearest the origin, and the weights that make it. */
graze_vec geometry_nearest(const graze_vec *points, int count, int dim, double weights[6]);

#endif
