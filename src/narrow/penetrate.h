/* Penetration depth of overlapping cores: separating axes, EPA in doubles, EPA with exact predicates. Theory:
 * docs/theory/depth.md. */
#ifndef GRAZE_NARROW_PENETRATE_H
#define GRAZE_NARROW_PENETRATE_H

#include "geometry/polytope.h"
#include "narrow/boxes.h"
#include "narrow/query.h"

#include <graze/graze.h>

/* Fills distance, interval, normal, witness points and the certificate of the bounds. The relation must be OVERLAPPING
 * with the pairs of its certificate. `axes`: the depth by separating axes if known, or NULL. */
void grz_penetrate(const grz_query *query, const grz_obstacle *obstacle, const grz_axis_depth *axes,
                   grz_result *result);

/* True if grz_polygon_depth() applies to the query. Two boxes have their own axes. */
bool grz_penetrate_uses_polygon_axes(const grz_query *query, const grz_obstacle *obstacle);

/* Fills the missing numbers with rough bounds, after a budget ended the search before an overlap was proved. */
void grz_penetrate_roughly(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

/* Writes the start points of EPA. */
typedef void (*grz_polytope_fill)(const grz_obstacle *obstacle, grz_polytope *polytope);

/* Computes grz_penetrate() by EPA with exact predicates from these points. */
void grz_penetrate_from(const grz_query *query, const grz_obstacle *obstacle, grz_polytope_fill fill,
                        grz_result *result);

/* ---- Workspace */
/* Calls `work` with the workspace of the options. Without one, the buffer lies on the stack and has at least
 * graze_workspace_size(GRAZE_WORKSPACE_POINTS) bytes. */
void grz_with_workspace(const graze_options *options, void (*work)(void *context, void *buffer, size_t size),
                        void *context);

#endif
