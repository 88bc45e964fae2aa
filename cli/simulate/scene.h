/* A scene as it is described, by a file or by the generator of cubes, before anything moves. */
#ifndef GRAZE_CLI_SIMULATE_SCENE_H
#define GRAZE_CLI_SIMULATE_SCENE_H

#include "question.h"
#include "simulate/facts.h"

#include <graze/scene.h>

/* A place on a planned trajectory, and the motion from there to the next one. */
typedef struct sim_stop {
  double t;
  graze_pose pose;
  graze_motion motion;
} sim_stop;

enum { SIM_NAME_SIZE = 64, SIM_TITLE_SIZE = 160, SIM_NOTE_SIZE = 480 };

typedef struct sim_body {
  char name[SIM_NAME_SIZE]; /* "": none */
  cli_body shape;           /* what def.shape points into */
  graze_body_def def;       /* at the beginning */
  sim_stop *path;           /* owned; of a kinematic body: where it is planned to be */
  size_t path_count;
} sim_body;

typedef struct sim_scene {
  char title[SIM_TITLE_SIZE], note[SIM_NOTE_SIZE];
  int dim;
  double dt;
  size_t steps;
  graze_method method;
  graze_vec gravity;
  double room;      /* > 0: bodies turn round where their centre is farther than this from the origin along an axis */
  graze_aabb view;  /* what a page shows; where min.x is not below max.x: all bodies as they begin */
  sim_body *bodies; /* owned */
  size_t count;
  sim_facts facts; /* how it was made */
} sim_scene;

enum { SIM_MOST_STEPS = 1000000, SIM_MOST_BODIES = 20000 };

void sim_scene_free(sim_scene *scene);

/* The bounds of the bodies as they begin, half-spaces apart; a unit box where there are none. */
graze_aabb sim_scene_bounds(const sim_scene *scene);

bool sim_is_zero(graze_vec v);

/* Bodies in a room turn round where their centre is beyond a wall: true where the velocity was changed. */
bool sim_turn_round(double room, graze_vec position, graze_vec *velocity);

/* What --count, --seed and --spin say. */
typedef struct sim_cubes {
  size_t count;
  uint64_t seed;
  bool spin;
  graze_response respond;
} sim_cubes;

enum { SIM_MOST_CUBES = 10000 };

/* The moving cubes. False: there is not enough memory. Otherwise end with sim_scene_free(). */
bool sim_cubes_make(const sim_cubes *cubes, sim_scene *scene);

/* Reads a scene from a file. False: the complaint says why. Otherwise end with sim_scene_free(). */
bool sim_scene_read(cli_span text, sim_scene *scene, cli_error *complaint);

/* Words; the last is NULL. sim_types[i] is graze_body_type i + 1, sim_responses[i] graze_response i; what
 * sim_methods[i] means sim_method_of() says. */
extern const char *const sim_types[], *const sim_methods[], *const sim_responses[];
const char *sim_type_text(graze_body_type type);

/* `not one of none, stop, slide and bounce (did you mean "stop"?)` */
enum { SIM_CHOICE_SIZE = 192 };
const char *sim_choice_text(const char *word, const char *const *words, char out[SIM_CHOICE_SIZE]);

/* The one that a word means; false: there is none. */
bool sim_method_of(const char *word, graze_method *method);
bool sim_response_of(const char *word, graze_response *response);

#endif
