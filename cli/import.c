/* The import of model files (STL, OBJ, PLY, glTF, COLLADA, 3MF) with Assimp: checks of the file, its triangles, and a
 * process in which the import runs. */
#define _XOPEN_SOURCE 700

#include "import.h"

#ifdef GRAZE_ASSIMP

#include "text.h"
#include "truncated.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The depth of the scene graph. The processor time of an import: 10 seconds, and one for each 4 MiB of the file. Its
 * memory: 1 GiB, and 256 bytes for each byte of the file, because a short file can state a large count of vertices. */
enum {
  MAX_DEPTH = 1000,
  LEAST_SECONDS = 10,
  BYTES_PER_SECOND = 4 << 20,
  LEAST_MEMORY = 1 << 30,
  MEMORY_PER_BYTE = 256
};
static const off_t MAX_BYTES = (off_t)1 << 30;

/* ---- Files: regular ones only */

/* Opens a file, or sets *problem. */
static FILE *open_regular(const char *path, const char **problem) {
  struct stat status;
  FILE *file = NULL;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a pipe must not block */
  if (fd < 0 || fstat(fd, &status) != 0) {
    *problem = strerror(errno);
  } else if (!S_ISREG(status.st_mode)) {
    *problem = "not a regular file";
  } else if (status.st_size > MAX_BYTES) {
    *problem = "more than 1 GiB";
  } else {
    file = fdopen(fd, "rb");
    *problem = file ? NULL : strerror(errno);
  }
  if (file == NULL && fd >= 0) close(fd);
  return file;
}

static size_t bytes_of(FILE *file) {
  struct stat status;
  return fstat(fileno(file), &status) == 0 ? (size_t)status.st_size : 0;
}

static FILE *stream_of(struct aiFile *file) { return (FILE *)(void *)file->UserData; }

static size_t file_read(struct aiFile *file, char *buffer, size_t size, size_t count) {
  return fread(buffer, size, count, stream_of(file));
}

static size_t file_write(struct aiFile *file, const char *buffer, size_t size, size_t count) {
  (void)file, (void)buffer, (void)size, (void)count;
  return 0;
}

static size_t file_position(struct aiFile *file) {
  const long position = ftell(stream_of(file));
  return position < 0 ? 0 : (size_t)position;
}

static size_t file_size(struct aiFile *file) { return bytes_of(stream_of(file)); }

static enum aiReturn file_seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
  const int whence = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
  return fseek(stream_of(file), (long)offset, whence) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static void file_flush(struct aiFile *file) { (void)file; }

/* Returns whether the model may read a file: itself, or a file in its folder or below. */
static bool is_allowed(const cli_model_file *model, const char *path) {
  if (strncmp(path, model->path, model->folder) != 0) return false;
  for (const char *part = path + model->folder; part; part = strchr(part, '/')) {
    part += *part == '/';
    if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return false;
  }
  return true;
}

static struct aiFile *file_open(struct aiFileIO *io, const char *path, const char *mode) {
  const cli_model_file *model = (const cli_model_file *)(const void *)io->UserData;
  const char *problem;
  if (mode[0] != 'r' || !is_allowed(model, path)) return NULL;
  FILE *stream = open_regular(path, &problem);
  struct aiFile *file = stream ? malloc(sizeof *file) : NULL;
  if (file == NULL) {
    if (stream) fclose(stream);
    return NULL;
  }
  *file = (struct aiFile){
      file_read, file_write, file_position, file_size, file_seek, file_flush, (aiUserData)(void *)stream};
  return file;
}

static void file_close(struct aiFileIO *io, struct aiFile *file) {
  (void)io;
  fclose(stream_of(file));
  free(file);
}

/* ---- The triangles of a scene */

typedef struct triangle_list {
  cli_triangles all;
  size_t vertex_capacity, face_capacity;
} triangle_list;

/* The transformation of a node: x -> m·(x, 1). */
typedef struct affine {
  double m[3][4];
} affine;

static affine affine_of(const struct aiMatrix4x4 *t) {
  return (affine){{{t->a1, t->a2, t->a3, t->a4}, {t->b1, t->b2, t->b3, t->b4}, {t->c1, t->c2, t->c3, t->c4}}};
}

static affine affine_product(const affine *p, const affine *q) {
  affine r;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      r.m[i][j] =
          p->m[i][0] * q->m[0][j] + p->m[i][1] * q->m[1][j] + p->m[i][2] * q->m[2][j] + (j == 3 ? p->m[i][3] : 0);
  return r;
}

/* Returns whether the transformation mirrors, which reverses the orientation of triangles. */
static bool affine_mirrors(const affine *t) {
  const double(*m)[4] = t->m;
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
             m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
         0;
}

static double affine_row(const double m[4], const struct aiVector3D *x) {
  return m[0] * (double)x->x + m[1] * (double)x->y + m[2] * (double)x->z + m[3];
}

/* Appends the triangles of a mesh. Its points and lines are ignored. */
static bool add_mesh(const cli_model_file *model, const struct aiMesh *mesh, const affine *t, triangle_list *list) {
  const size_t first = list->all.vertex_count, end = first + mesh->mNumVertices;
  const bool mirrors = affine_mirrors(t);
  if (end > INT32_MAX || list->all.face_count + mesh->mNumFaces > INT32_MAX)
    return cli_reject(model->error, CLI_BAD_FILE, "%s: too many vertices or triangles (%s), must be at most %d",
                      model->name, model->shown, INT32_MAX);
  if (!cli_grow(&list->all.vertices, sizeof *list->all.vertices, &list->vertex_capacity, end) ||
      !cli_grow(&list->all.faces, sizeof *list->all.faces, &list->face_capacity,
                list->all.face_count + mesh->mNumFaces))
    return cli_reject_memory(model->error);
  for (size_t i = 0; i < mesh->mNumVertices; i++) {
    const struct aiVector3D *x = &mesh->mVertices[i];
    list->all.vertices[first + i] = (graze_vec){affine_row(t->m[0], x), affine_row(t->m[1], x), affine_row(t->m[2], x)};
  }
  list->all.vertex_count = end;
  for (size_t i = 0; i < mesh->mNumFaces; i++) {
    const struct aiFace *face = &mesh->mFaces[i];
    if (face->mNumIndices != 3) continue;
    for (int k = 0; k < 3; k++) {
      const unsigned vertex = face->mIndices[mirrors ? 2 - k : k];
      if (vertex >= mesh->mNumVertices)
        return cli_reject(model->error, CLI_BAD_FILE, "%s: invalid index of a vertex (%s), must be below %u",
                          model->name, model->shown, mesh->mNumVertices);
      list->all.faces[list->all.face_count][k] = (int32_t)(first + vertex);
    }
    list->all.face_count++;
  }
  return true;
}

/* Appends the meshes of a node and of those below it. `t` includes the transformation of the node. */
static bool add_node(const cli_model_file *model, const struct aiScene *scene, const struct aiNode *node,
                     const affine *t, int depth, triangle_list *list) {
  if (depth == MAX_DEPTH)
    return cli_reject(model->error, CLI_BAD_FILE, "%s: the scene graph is too deep (%s), must have at most %d levels",
                      model->name, model->shown, MAX_DEPTH);
  for (unsigned i = 0; i < node->mNumMeshes; i++)
    if (node->mMeshes[i] < scene->mNumMeshes && !add_mesh(model, scene->mMeshes[node->mMeshes[i]], t, list))
      return false;
  for (unsigned i = 0; i < node->mNumChildren; i++) {
    const affine own = affine_of(&node->mChildren[i]->mTransformation), child = affine_product(t, &own);
    if (!add_node(model, scene, node->mChildren[i], &child, depth + 1, list)) return false;
  }
  return true;
}

/* Appends the meshes of a scene. The root of a COLLADA file has no transformation but the conversion of its unit. */
static bool add_scene(const cli_model_file *model, const struct aiScene *scene, triangle_list *list) {
  const bool collada = strcasecmp(strrchr(model->path, '.'), ".dae") == 0;
  const affine unit = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  if (scene->mRootNode == NULL) return true;
  const affine root = collada ? unit : affine_of(&scene->mRootNode->mTransformation);
  return add_node(model, scene, scene->mRootNode, &root, 0, list);
}

/* ---- The import */

static bool check_format(const cli_model_file *model) {
  static const char *const formats[] = {".stl", ".obj", ".ply", ".gltf", ".glb", ".dae", ".3mf"};
  const char *dot = strrchr(model->path + model->folder, '.');
  for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
    if (strcasecmp(dot, formats[i]) == 0) return true;
  return cli_reject(model->error, CLI_BAD_FILE,
                    "%s: unknown format (%s), must be .stl, .obj, .ply, .gltf, .glb, .dae or .3mf", model->name,
                    model->shown);
}

/* Rejects the file with the error text of Assimp, which can contain bytes of the file. */
static bool reject_import(const cli_model_file *model) {
  char text[200];
  snprintf(text, sizeof text, "%s", aiGetErrorString());
  for (char *c = text; *c; c++)
    if (*c < ' ' || *c > '~') *c = '?';
  return cli_reject(model->error, CLI_BAD_FILE, "%s: cannot be imported (%s: %s), must be a valid model", model->name,
                    model->shown, text);
}

/* Assimp opens the files of a model itself; this is the model file once more. */
static bool reject_truncated(const cli_model_file *model) {
  const char *problem;
  FILE *file = open_regular(model->path, &problem);
  const bool truncated = file != NULL && cli_is_truncated(file);
  if (file) fclose(file);
  return truncated && !cli_reject(model->error, CLI_BAD_FILE, "%s: ends too early (%s), must be a whole file",
                                  model->name, model->shown);
}

/* Appends the triangles of the model. Coordinates are those of the file: axes and units are not converted. */
static bool import_triangles(const cli_model_file *model, triangle_list *list) {
  struct aiFileIO io = {file_open, file_close, (aiUserData)(void *)model};
  if (reject_truncated(model)) return false;
  struct aiPropertyStore *properties = aiCreatePropertyStore();
  if (properties == NULL) return cli_reject_memory(model->error);
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  const struct aiScene *scene = aiImportFileExWithProperties(
      model->path, aiProcess_ValidateDataStructure | aiProcess_Triangulate, &io, properties);
  aiReleasePropertyStore(properties);
  if (scene == NULL) return reject_import(model);
  const bool good = add_scene(model, scene, list);
  aiReleaseImport(scene);
  return good && (list->all.face_count > 0 ||
                  cli_reject(model->error, CLI_BAD_FILE, "%s: no triangles (%s), must have at least one", model->name,
                             model->shown));
}

/* ---- A process for the import. A broken model can crash Assimp, whose assertions end the process. */

/* The head of the output of the process. Vertices and faces follow. */
typedef struct message {
  cli_error error;
  size_t vertex_count, face_count;
} message;

static bool write_all(int fd, const void *data, size_t size) {
  for (const char *next = data; size > 0;) {
    const ssize_t written = write(fd, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written, size -= (size_t)written;
  }
  return true;
}

static bool read_whole(int fd, void *data, size_t size) {
  for (char *next = data; size > 0;) {
    const ssize_t got = read(fd, next, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got, size -= (size_t)got;
  }
  return true;
}

/* Limits the memory that the process allocates in addition to its present memory, on systems that state its size. */
static void limit_memory(rlim_t bytes) {
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%llu", &pages) == 1) {
    const rlim_t most = pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
  }
  if (file) fclose(file);
}

/* The process: writes the triangles to the pipe. */
static void run_import(const cli_model_file *model, size_t size, int fd) {
  const rlim_t seconds = LEAST_SECONDS + (rlim_t)size / BYTES_PER_SECOND;
  const struct rlimit time = {seconds, seconds}, none = {0, 0};
  const int null = open("/dev/null", O_WRONLY);
  cli_model_file own = *model;
  message m = {.error = {CLI_OK, ""}};
  triangle_list list = {.vertex_capacity = 0};
  own.error = &m.error;
  if (null >= 0) dup2(null, STDERR_FILENO); /* assertions print a line */
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_CORE, &none);
  limit_memory(LEAST_MEMORY + MEMORY_PER_BYTE * (rlim_t)size);
  if (import_triangles(&own, &list)) m.vertex_count = list.all.vertex_count, m.face_count = list.all.face_count;
  const bool written = write_all(fd, &m, sizeof m) &&
                       write_all(fd, list.all.vertices, m.vertex_count * sizeof *list.all.vertices) &&
                       write_all(fd, list.all.faces, m.face_count * sizeof *list.all.faces);
  _exit(written ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Reads the output of the process. */
static bool read_triangles(const cli_model_file *model, int fd, cli_triangles *t) {
  message m;
  bool whole = read_whole(fd, &m, sizeof m);
  if (whole && m.error.code != CLI_OK) {
    *model->error = m.error;
    return false;
  }
  if (whole) {
    t->vertices = malloc(m.vertex_count * sizeof *t->vertices);
    t->faces = malloc(m.face_count * sizeof *t->faces);
    if (t->vertices == NULL || t->faces == NULL) return cli_reject_memory(model->error);
    t->vertex_count = m.vertex_count, t->face_count = m.face_count;
    whole = read_whole(fd, t->vertices, m.vertex_count * sizeof *t->vertices) &&
            read_whole(fd, t->faces, m.face_count * sizeof *t->faces);
  }
  return whole || cli_reject(model->error, CLI_BAD_FILE,
                             "%s: cannot be imported (%s: Assimp crashed or did not end), must be a valid model",
                             model->name, model->shown);
}

bool cli_import(const cli_model_file *model, cli_triangles *triangles) {
  const char *problem;
  int ends[2];
  if (!check_format(model)) return false;
  FILE *file = open_regular(model->path, &problem);
  if (file == NULL)
    return cli_reject(model->error, CLI_BAD_FILE, "%s: cannot be read (%s: %s), must be a model file", model->name,
                      model->shown, problem);
  const size_t size = bytes_of(file);
  fclose(file);
  if (size == 0)
    return cli_reject(model->error, CLI_BAD_FILE, "%s: empty (%s), must be a model file", model->name, model->shown);
  if (pipe(ends) != 0) return cli_reject_memory(model->error);
  const pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    run_import(model, size, ends[1]);
  }
  close(ends[1]);
  const bool good = process > 0 ? read_triangles(model, ends[0], triangles) : cli_reject_memory(model->error);
  close(ends[0]);
  while (process > 0 && waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
  return good;
}

#else

bool cli_import(const cli_model_file *model, cli_triangles *triangles) {
  (void)triangles;
  return cli_reject(model->error, CLI_UNSUPPORTED,
                    "%s: not supported (%s), this command is built without Assimp: use vertices and triangles",
                    model->name, model->shown);
}

#endif
