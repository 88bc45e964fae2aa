/* Model files (STL, OBJ, PLY, glTF, COLLADA, 3MF) as meshes. They are read with Assimp, if the command is built with
 * it. */
#ifndef GRAZE_CLI_MODEL_H
#define GRAZE_CLI_MODEL_H

#include "json.h"

#include <graze/mesh.h>

/* The mesh of a model file. It can have several users. */
typedef struct cli_model cli_model;

/* Reads a model file, or returns the mesh that was read before. `value` is the name of the file, relative to the folder
 * of models->name. `name` is the name of the value in messages. The caller releases the model. NULL: see error. */
cli_model *cli_model_read(cli_models *models, const json_t *value, const char *name, bool surface, cli_error *error);
const graze_mesh *cli_model_mesh(const cli_model *model);
/* NULL is allowed. */
void cli_model_release(cli_model *model);
/* Frees all meshes. They must be released. */
void cli_models_free(cli_models *models);

#endif
