/* Concave polygons: their decomposition into convex pieces, and the queries about them. */
#ifndef GRAZE_CLI_POLYGON_H
#define GRAZE_CLI_POLYGON_H

#include "request.h"

/* Decomposes a polygon with holes. The caller destroys the result with graze_decomposition_destroy(). */
bool cli_decompose(const cli_body *body, const char *name, graze_splitting splitting,
                   graze_decomposition *decomposition, cli_error *error);
/* Replaces a polygon that is to be decomposed by the compound of its pieces; does nothing for other shapes. */
bool cli_decompose_body(cli_body *body, const char *name, cli_error *error);
/* Both bodies of a request. */
bool cli_decompose_bodies(cli_request *r, cli_error *error);

/* The queries convexity and decompose. */
bool cli_answer_convexity(const cli_request *r, cli_text *out, cli_error *error);
bool cli_answer_decompose(const cli_request *r, cli_text *out, cli_error *error);

#endif
