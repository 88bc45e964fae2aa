/* Model files and scenes of Assimp with arbitrary content. A query about a file has an answer that the verifier
 * accepts, or an error that names the file. A scene becomes the triangles of its nodes, or it is rejected for a reason.
 *
 * Assimp 5.2.5 crashes for some COLLADA files, and does not end for some PLY files. So PLY files are left out, and only
 * STL, OBJ and glTF files are also imported in this process, where sanitizers test the functions around Assimp. */
#include "import.c"

#include "bytes.h"
#include "model.h"
#include "verdict.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void require(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "FAILED: %s\n", what);
  abort();
}

/* ---- Scenes, in this process, which is instrumented */

#ifdef GRAZE_ASSIMP

enum { MESHES = 3, VERTICES = 6, FACES = 6, NODES = MAX_DEPTH + 16 };

static struct aiVector3D vertices[MESHES][VERTICES];
static unsigned indices[MESHES][FACES][4];
static struct aiFace faces[MESHES][FACES];
static struct aiMesh meshes[MESHES], *mesh_list[MESHES] = {&meshes[0], &meshes[1], &meshes[2]};
static struct aiNode nodes[NODES], *node_list[NODES];
static unsigned node_meshes[NODES];

static float next_float(bytes *in) {
  float x;
  uint8_t raw[4];
  if (in->numbers != 3) return (float)next_number(in);
  for (int i = 0; i < 4; i++) raw[i] = next_byte(in);
  memcpy(&x, raw, sizeof x);
  return x;
}

/* A mesh with faces of one to four vertices, some of which do not exist. */
static void next_mesh(bytes *in, int m) {
  const uint8_t head = next_byte(in);
  meshes[m] = (struct aiMesh){.mNumVertices = head % (VERTICES + 1), .mVertices = vertices[m]};
  meshes[m].mNumFaces = head / 8 % (FACES + 1), meshes[m].mFaces = faces[m];
  for (unsigned i = 0; i < meshes[m].mNumVertices; i++) {
    vertices[m][i].x = next_float(in);
    vertices[m][i].y = next_float(in);
    vertices[m][i].z = next_float(in);
  }
  for (unsigned i = 0; i < meshes[m].mNumFaces; i++) {
    const uint8_t kind = next_byte(in);
    faces[m][i] = (struct aiFace){kind & 12 ? 3 : 1 + kind % 4, indices[m][i]};
    for (int k = 0; k < 4; k++) {
      const uint8_t byte = next_byte(in);
      indices[m][i][k] =
          byte < 250 ? byte % (meshes[m].mNumVertices + (meshes[m].mNumVertices == 0)) : byte * 0x1010101u;
    }
  }
}

/* A chain of nodes with some leaves at its end. Each has at most one mesh, which may not exist. */
static unsigned next_nodes(bytes *in, unsigned *depth) {
  const uint8_t head = next_byte(in);
  const unsigned leaves = head / 2 % 8, count = leaves + (*depth = head & 1 ? 1 : MAX_DEPTH - 4 + next_byte(in) % 8);
  for (unsigned i = 0; i < count; i++) {
    const bool chain = i < *depth, last = i + 1 == *depth;
    node_list[i] = &nodes[i], node_meshes[i] = next_byte(in) % (MESHES + 1);
    nodes[i] =
        (struct aiNode){.mNumMeshes = next_byte(in) % 2, .mMeshes = &node_meshes[i], .mChildren = node_list + i + 1};
    nodes[i].mNumChildren = last ? leaves : chain;
    float *t = &nodes[i].mTransformation.a1;
    for (int k = 0; k < 16; k++) t[k] = in->size > 0 ? next_float(in) : (float)(k % 5 == 0);
  }
  return count;
}

static void check_triangles(const triangle_list *list) {
  const cli_triangles *t = &list->all;
  for (size_t i = 0; i < t->face_count; i++)
    for (int k = 0; k < 3; k++) require((size_t)t->faces[i][k] < t->vertex_count, "an index of a vertex");
  if (t->face_count == 0) return;
  const graze_mesh_def def = {3, t->vertices, t->vertex_count, t->faces[0], t->face_count, false, NULL};
  graze_mesh *mesh = NULL;
  graze_error error;
  const graze_status status = graze_mesh_create(&def, NULL, &mesh, &error);
  require(status == GRAZE_OK || (status == GRAZE_BAD_NUMBER && (size_t)error.index < t->vertex_count), "a mesh");
  graze_mesh_destroy(mesh);
}

static void check_scene(bytes *in) {
  cli_error error = {CLI_OK, ""};
  const cli_model_file model = {
      .path = "./model.stl", .folder = 2, .name = "a.file", .shown = "\"model.stl\"", .error = &error};
  struct aiScene scene = {.mMeshes = mesh_list, .mNumMeshes = MESHES, .mRootNode = &nodes[0]};
  triangle_list list = {.vertex_capacity = 0};
  unsigned depth;
  bool bad = false;
  size_t triangles = 0;
  for (int m = 0; m < MESHES; m++) next_mesh(in, m);
  for (unsigned i = 0, count = next_nodes(in, &depth); i < count; i++) {
    const bool used = nodes[i].mNumMeshes > 0 && node_meshes[i] < MESHES;
    const struct aiMesh *mesh = &meshes[used ? node_meshes[i] : 0];
    for (unsigned f = 0; used && f < mesh->mNumFaces; f++) {
      if (mesh->mFaces[f].mNumIndices != 3) continue;
      triangles++;
      for (int k = 0; k < 3; k++) bad = bad || mesh->mFaces[f].mIndices[k] >= mesh->mNumVertices;
    }
    bad = bad || (i < depth ? i : depth) >= MAX_DEPTH;
  }
  const bool good = add_scene(&model, &scene, &list);
  require(good == !bad, "accepted without errors");
  require(!good || list.all.face_count == triangles, "all triangles");
  require(good || (error.code == CLI_BAD_FILE && strstr(error.message, model.shown)), "an error that names the file");
  check_triangles(&list);
  free(list.all.vertices);
  free(list.all.faces);
}

/* The import, without a process of its own. */
static void check_import(const char *path) {
  cli_error error = {CLI_OK, ""};
  const cli_model_file model = {path, (size_t)(strrchr(path, '/') + 1 - path), "a.file", "\"model\"", &error};
  triangle_list list = {.vertex_capacity = 0};
  if (import_triangles(&model, &list))
    check_triangles(&list);
  else
    require(error.code == CLI_BAD_FILE && strstr(error.message, model.shown), "an error of the import");
  free(list.all.vertices);
  free(list.all.faces);
}

#else

static void check_scene(bytes *in) { (void)in; }
static void check_import(const char *path) { (void)path; }

#endif

/* ---- Files */

static const char *const endings[] = {"stl", "obj", "gltf", "dae", "glb", "3mf"};
enum { ENDINGS = sizeof endings / sizeof *endings, IMPORTED_HERE = 3 };

/* The first inputs: a few triangles in each format that is text. */
static const char *const texts[] = {
    "solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 2 0\nvertex 2 0 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 2 0 0\nvertex 0 0 2\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 2\nvertex 0 2 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 2 0 0\nvertex 0 2 0\nvertex 0 0 2\nendloop\nendfacet\nendsolid t\n",
    "o t\nv 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nl 1 2\np 1\nf -1 -2 -3 -4\n",
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,"
    "\"scale\":[-1,1,1]}],\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAA\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}",
    "<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\"><library_geometries><geometry id=\"g\"><mesh><source id=\"p\">"
    "<float_array id=\"n\" count=\"9\">0 0 0 2 0 0 0 2 0</float_array><technique_common><accessor source=\"#n\" "
    "count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
    "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices id=\"v\"><input "
    "semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" "
    "offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
    "<visual_scene id=\"s\"><node><translate>1 0 0</translate><instance_geometry url=\"#g\"/></node></visual_scene>"
    "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"};
enum { TEXTS = sizeof texts / sizeof *texts };

static char folder[] = P_tmpdir "/fuzz-model-XXXXXX";

static void remove_folder(void) { rmdir(folder); }

/* Answers a query line, and verifies the answer. */
static void check_line(const cli_line *query, const char *name) {
  static cli_buffer buffer; /* kept from run to run */
  cli_text text;
  cli_span id;
  cli_error reason;
  memset(&text, 0, sizeof text);
  const bool answered = cli_answer(query, &buffer, &text);
  require(!text.failed && text.size > 0 && text.data[text.size - 1] == '\n', "an answer");
  const cli_line line = {{text.data, text.size - 1}, query->number, false, NULL};
  require(!answered || cli_check(query, &line, &id, &reason) != CLI_REJECTED, "a proof that holds");
  text.data[text.size - 1] = '\0';
  require(answered || strstr(text.data, name), "an error that names the file");
  require(answered || strstr(text.data, "\"bad_file\"") || strstr(text.data, "\"unsupported\""), "bad_file");
  cli_text_free(&text);
}

static void check_file(bytes *in) {
  char path[sizeof folder + 16], text[256];
  const int format = next_byte(in) % ENDINGS;
  const char *ending = endings[format];
  snprintf(path, sizeof path, "%s/model.%s", folder, ending);
  FILE *file = fopen(path, "wb");
  require(file && fwrite(in->data, 1, in->size, file) == in->size && fclose(file) == 0, "a written file");
  const int length = snprintf(text, sizeof text,
                              "{\"query\":\"distance\",\"a\":{\"type\":\"mesh\",\"file\":\"model.%s\"},"
                              "\"b\":{\"type\":\"sphere\",\"radius\":0.5,\"position\":[3,0,0]},\"proof\":true}",
                              ending);
  char lines[sizeof folder + 16];
  snprintf(lines, sizeof lines, "%s/lines.jsonl", folder);
  cli_models models = {.name = lines};
  const cli_line line = {{text, (size_t)length}, 1, false, &models};
  check_line(&line, strrchr(path, '/') + 1);
  if (format < IMPORTED_HERE) check_import(path);
  cli_models_free(&models);
  unlink(path);
}

/* ---- Inputs */

const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);

/* Assimp catches exceptions of large allocations, and leaks objects of files that it rejects. */
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }
const char *__lsan_default_suppressions(void) { return "leak:libstdc++\n"; }

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);

/* A crash of Assimp in the process of an import is no failed input. */
static void reset_signals(void) {
  static const int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  cli_json_begin();
  require(mkdtemp(folder) != NULL, "a folder");
  atexit(remove_folder);
  pthread_atfork(NULL, NULL, reset_signals);
  return 0;
}

/* The first byte: 1: a file, 2 and 4: the format of numbers of a scene. The second byte of a file is its format. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes in = {data, size, 0};
  const uint8_t head = next_byte(&in);
  in.numbers = head >> 1 & 3;
  if (head & 1)
    check_file(&in);
  else
    check_scene(&in);
  return 0;
}

/* One of 64 inputs becomes one of the texts. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed) {
  const size_t kind = seed / 64 % TEXTS, length = strlen(texts[kind]);
  if (seed % 64 != 0 || length + 2 > capacity) return LLVMFuzzerMutate(data, size, capacity);
  data[0] = 1, data[1] = (uint8_t)kind;
  memcpy(data + 2, texts[kind], length);
  return length + 2;
}
