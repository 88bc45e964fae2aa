/* What the judgements of the several kinds of answers have in common. */
#ifndef GRAZE_CLI_JUDGE_H
#define GRAZE_CLI_JUDGE_H

#include "claim.h"
#include "question.h"
#include "verify.h"

cli_verdict cli_judge_refused(cli_error *reason, const char *message);
cli_verdict cli_judge_unproven(cli_error *reason, const char *message);
/* What the verifier says; `fallback` is the verdict on what it cannot judge. */
cli_verdict cli_judge_status(graze_status status, cli_verdict fallback, cli_error *reason);

static inline cli_verdict cli_judge_worse(cli_verdict a, cli_verdict b) { return a > b ? a : b; }

/* Is either body, or a part of it, an ellipsoid, cylinder or cone? */
bool cli_judge_curved(const cli_request *q);
/* Are the half-angle pairs that the answer echoes those of the question's angles? */
bool cli_judge_rotations(const cli_request *q, const json_t *root);
/* A polygon that is to be decomposed: are the pieces that the answer names the polygon? If so, they are taken for it.
 */
cli_verdict cli_judge_pieces(cli_request *q, const json_t *pieces_a, const json_t *pieces_b, cli_error *reason);

/* shapecast, toi, raycast */
cli_verdict cli_judge_cast(cli_request *q, const json_t *root, cli_error *reason);

#endif
