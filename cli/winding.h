/* Which way a ring runs, exactly. */
#ifndef GRAZE_CLI_WINDING_H
#define GRAZE_CLI_WINDING_H

#include <graze/graze.h>

/* The sign of the ring's signed area: 1 counter-clockwise, -1 clockwise, 0 neither. Coordinates are finite, of up to
 * GRAZE_LARGEST. */
int cli_winding(const graze_vec *points, size_t count);

#endif
