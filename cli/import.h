/* The import of model files, with Assimp, if the command is built with it. */
#ifndef GRAZE_CLI_IMPORT_H
#define GRAZE_CLI_IMPORT_H

#include "json.h"

/* A model file that is being read. */
typedef struct cli_model_file {
  const char *path; /* begins with its folder */
  size_t folder;    /* the length of the folder, with the slash */
  const char *name; /* of the value in messages */
  char shown[CLI_SHOWN_SIZE];
  cli_error *error;
} cli_model_file;

typedef struct cli_triangles {
  graze_vec *vertices;
  int32_t (*faces)[3];
  size_t vertex_count, face_count;
} cli_triangles;

/* Imports the triangles of a file. The caller frees both lists, whatever is returned. False: see file->error. */
bool cli_import(const cli_model_file *file, cli_triangles *triangles);

#endif
