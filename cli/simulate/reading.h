/* Reading a scene file: what its parts share. */
#ifndef GRAZE_CLI_SIMULATE_READING_H
#define GRAZE_CLI_SIMULATE_READING_H

#include "simulate/scene.h"

/* The name of an object of a list: bodies[3], or bodies[3].path[2]. */
enum { SIM_OWNER_SIZE = 64 };

/* Refuses keys other than these, the last of them NULL: a misspelt one must not be silent. `what` has them. */
bool sim_check_keys(json_t *object, const char *owner, const char *what, const char *const *keys,
                    cli_error *complaint);
/* Refuses keys of shapes that stand beside the shape; `keys` may. */
bool sim_check_beside_shape(json_t *object, const char *owner, const char *const *keys, cli_error *complaint);

/* Each reads an optional key, and leaves *out as it was where there is none. */
bool sim_read_number(const json_t *object, const char *owner, const char *key, double low, double high, double *out,
                     cli_error *complaint);
bool sim_read_whole(const json_t *object, const char *owner, const char *key, double low, double high, uint64_t *out,
                    cli_error *complaint);
bool sim_read_vec(const json_t *object, const char *owner, const char *key, int dim, graze_vec *out,
                  cli_error *complaint);
bool sim_read_string(const json_t *object, const char *owner, const char *key, char *out, size_t size,
                     cli_error *complaint);
/* One of some words, the last of them NULL: its number. */
bool sim_read_word(const json_t *object, const char *owner, const char *key, const char *const *words, int *out,
                   cli_error *complaint);

/* One body of the list. On success its shape and path are to be freed. */
bool sim_read_body(json_t *object, size_t index, int dim, graze_response respond, sim_body *body,
                   cli_error *complaint);
/* Its planned trajectory, the pose of the body being that of its shape; on failure, too, what was read is the body's.
 */
bool sim_read_path(const json_t *list, const char *owner, int dim, sim_body *body, cli_error *complaint);

#endif
