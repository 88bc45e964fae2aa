/* The meshes of model files, which are kept for the next line that names the file. */
#define _POSIX_C_SOURCE 200809L

#include "model.h"

#include "import.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct cli_model {
  cli_model *next;
  graze_mesh *mesh;
  bool surface;
  size_t users;
  char path[];
};

/* Protects the lists of models and their users. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* NULL: see file->error. */
static graze_mesh *read_mesh(const cli_model_file *file, bool surface) {
  cli_triangles t = {.face_count = 0};
  graze_mesh *mesh = NULL;
  graze_error e = {.index = -1};
  if (cli_import(file, &t)) {
    const graze_mesh_def def = {3, t.vertices, t.vertex_count, t.faces[0], t.face_count, surface, NULL};
    const graze_status status = graze_mesh_create(&def, NULL, &mesh, &e);
    if (status == GRAZE_OUT_OF_MEMORY)
      cli_reject_memory(file->error);
    else if (status != GRAZE_OK)
      cli_reject(file->error, CLI_BAD_FILE,
                 "%s: out of range (%s: a coordinate of vertex %td), must be finite and at most 1e40 in magnitude",
                 file->name, file->shown, e.index);
  }
  free(t.vertices);
  free(t.faces);
  return mesh;
}

enum { MAX_PATH = 4096, MAX_UNUSED = 16 };

/* Frees models without users, until at most MAX_UNUSED are left. */
static void remove_unused(cli_models *models) {
  size_t unused = 0;
  for (cli_model **at = &models->first; *at;) {
    cli_model *model = *at;
    if (model->users > 0 || ++unused <= MAX_UNUSED) {
      at = &model->next;
      continue;
    }
    *at = model->next;
    graze_mesh_destroy(model->mesh);
    free(model);
  }
}

/* Adds the model to the front of the list. */
static cli_model *add_model(cli_models *models, const cli_model_file *file, bool surface) {
  const size_t size = strlen(file->path) + 1;
  cli_model *model = malloc(sizeof *model + size);
  if (model == NULL) {
    cli_reject_memory(file->error);
    return NULL;
  }
  *model = (cli_model){.next = models->first, .mesh = read_mesh(file, surface), .surface = surface};
  memcpy(model->path, file->path, size);
  if (model->mesh == NULL) {
    free(model);
    return NULL;
  }
  remove_unused(models);
  models->first = model;
  return model;
}

cli_model *cli_model_read(cli_models *models, const json_t *value, const char *name, bool surface, cli_error *error) {
  const char *word = json_string_value(value), *from = models ? models->name : NULL;
  const char *slash = from ? strrchr(from, '/') : NULL;
  char path[MAX_PATH];
  cli_model_file file = {.path = path, .name = name, .error = error};
  cli_show(value, file.shown);
  if (word == NULL || *word == '\0') {
    cli_reject(error, CLI_BAD_FILE, "%s: invalid value (%s), must be the name of a file", name, file.shown);
    return NULL;
  }
  if (from == NULL) {
    cli_reject(error, CLI_UNSUPPORTED, "%s: not supported (%s), this input cannot name files", name, file.shown);
    return NULL;
  }
  const int folder = slash ? (int)(slash + 1 - from) : 2;
  int used = *word == '/' ? snprintf(path, sizeof path, "%s", word)
                          : snprintf(path, sizeof path, "%.*s%s", folder, slash ? from : "./", word);
  if (used >= MAX_PATH) {
    cli_reject(error, CLI_BAD_FILE, "%s: too long (%d bytes), must be below %d bytes", name, used, MAX_PATH);
    return NULL;
  }
  file.folder = (size_t)(strrchr(path, '/') + 1 - path);
  pthread_mutex_lock(&mutex);
  cli_model *model = models->first;
  while (model && (model->surface != surface || strcmp(model->path, path) != 0)) model = model->next;
  if (model == NULL) model = add_model(models, &file, surface);
  if (model) model->users++;
  pthread_mutex_unlock(&mutex);
  return model;
}

const graze_mesh *cli_model_mesh(const cli_model *model) { return model->mesh; }

void cli_model_release(cli_model *model) {
  if (model == NULL) return;
  pthread_mutex_lock(&mutex);
  model->users--;
  pthread_mutex_unlock(&mutex);
}

void cli_models_free(cli_models *models) {
  while (models->first) {
    cli_model *model = models->first;
    models->first = model->next;
    graze_mesh_destroy(model->mesh);
    free(model);
  }
}
