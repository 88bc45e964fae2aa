/* Arbitrary text as a scene file. It is rejected with a message, or the scene runs a few steps and every output format
 * is well-formed. */
#include "json.h"
#include "simulate/simulation.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 3, MAX_BODIES = 24, MAX_VERTICES = 192 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  cli_json_begin();
  return 0;
}

static void require(bool ok) {
  if (!ok) abort();
}

/* Frees the text. */
static void require_json(cli_text *text) {
  require(!text->failed);
  json_t *root = json_loadb(text->data, text->size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
  require(json_is_object(root));
  json_decref(root);
  cli_text_free(text);
}

/* Contacts are in the order of their times, within the run, and between existing bodies. */
static void check_record(const sim_scene *scene, const sim_run *run, const sim_record *record) {
  double end = (double)run->count * scene->dt;
  for (size_t i = 0; i < record->contact_count; i++) {
    const sim_contact *contact = &record->contacts[i];
    require(contact->a < scene->count && contact->b < scene->count && contact->a != contact->b);
    require(contact->t >= 0 && contact->t <= end && (i == 0 || contact[-1].t <= contact->t));
  }
  for (size_t i = 0; i < record->count; i++) require(record->tracks[i].key_count > 0);
}

static void print_all(const sim_scene *scene, const sim_run *run, const sim_record *record) {
  cli_text text = {0}, json = {0}, page = {0};
  sim_print_table(&text, scene, run);
  for (size_t i = 0; i < text.size; i++) require((unsigned char)text.data[i] >= 0x20 || text.data[i] == '\n');
  sim_print_csv(&text, scene, run);
  sim_print_page(&page, scene, run, record);
  require(!text.failed && !page.failed);
  sim_print_json(&json, scene, run, record);
  require_json(&json);
  cli_text_free(&text);
  cli_text_free(&page);
}

static void run_scene(const sim_scene *scene) {
  cli_error error;
  sim_progress progress = {0};
  sim_record record;
  sim_run run;
  require(sim_record_make(scene, &record));
  if (sim_run_make(scene, scene->method, &record, &progress, &run, &error)) {
    require(run.count == scene->steps);
    check_record(scene, &run, &record);
    print_all(scene, &run, &record);
    sim_run_free(&run);
  } else {
    require(error.message[0] != '\0');
  }
  sim_record_free(&record);
}

/* Larger scenes are left to other targets. */
static bool is_small(const sim_scene *scene) {
  size_t vertices = 0;
  for (size_t i = 0; i < scene->count; i++) vertices += graze_vertex_count(&scene->bodies[i].def.shape);
  return scene->count <= MAX_BODIES && vertices <= MAX_VERTICES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sim_scene scene;
  cli_error error = {CLI_OK, ""};
  if (!sim_scene_read((cli_span){(const char *)data, size}, NULL, &scene, &error)) {
    require(error.code != CLI_OK && error.message[0] != '\0' && scene.bodies == NULL);
    return 0;
  }
  if (scene.steps > MAX_STEPS) scene.steps = MAX_STEPS;
  if (is_small(&scene)) run_scene(&scene);
  sim_scene_free(&scene);
  return 0;
}
