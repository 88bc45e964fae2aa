/* The questions, one function each. Each adds its answer, without the last brace, or says in the complaint why there is
 * none; then what it has added does not count. */
#ifndef GRAZE_CLI_ASKED_H
#define GRAZE_CLI_ASKED_H

#include "print.h"
#include "question.h"
#include "room.h"

/* intersect, distance, penetration, obb, manifold */
bool cli_answer_pair(cli_request *q, cli_buffer *room, cli_text *out, cli_error *complaint);
/* shapecast, toi, raycast */
bool cli_answer_cast(cli_request *q, cli_buffer *room, cli_text *out, cli_error *complaint);
/* The same in two: to ask, and to show what came of it. The steps of a proof stand in the options until
 * cli_cast_free_steps(), which is due whatever comes. */
bool cli_solve_cast(cli_request *q, cli_buffer *room, graze_cast_result *impact, cli_error *complaint);
void cli_print_cast_result(cli_text *out, const cli_request *q, const graze_cast_result *impact);
void cli_cast_free_steps(cli_request *q);
bool cli_answer_minkowski(cli_request *q, cli_buffer *room, cli_text *out, cli_error *complaint);
bool cli_answer_aabb(const cli_request *q, cli_text *out, cli_error *complaint);
bool cli_answer_hull(const cli_request *q, cli_text *out, cli_error *complaint);
bool cli_answer_fit_box(const cli_request *q, cli_text *out, cli_error *complaint);
bool cli_answer_convexity(const cli_request *q, cli_text *out, cli_error *complaint);
bool cli_answer_decompose(const cli_request *q, cli_text *out, cli_error *complaint);
/* Any question about two shapes, asked of their boxes. */
bool cli_answer_filter(const cli_request *q, cli_text *out, cli_error *complaint);

/* `{"id":…,"query":…`, with which every answer begins. */
void cli_print_begin(cli_text *out, const cli_request *q);
/* The half-angle pairs used where angles were given. */
void cli_print_rotations(cli_text *out, const cli_request *q);

/* The pieces of a polygon with holes; `owner` is its name in messages. End with graze_decomposition_destroy(). */
bool cli_decompose(const cli_body *body, const char *owner, graze_splitting splitting,
                   graze_decomposition *decomposition, cli_error *complaint);
/* Makes a compound of a polygon that is to be decomposed; of both of a question. */
bool cli_split_body(cli_body *body, const char *owner, cli_error *complaint);
bool cli_decompose_bodies(cli_request *q, cli_error *complaint);

/* The most points for which the workspace of a question is made. */
enum { CLI_MOST_POINTS = 1 << 16 };

/* Gives the question a workspace for `points` points. */
bool cli_give_workspace(cli_request *q, cli_buffer *room, size_t points, cli_error *complaint);
/* The vertices of a core; 0 for a curved one, a half-space and a compound. */
size_t cli_corner_count(const graze_shape *shape);
/* What a status means for a question; always false. */
bool cli_refuse_status(const cli_request *q, graze_status status, cli_error *complaint);

#endif
