/* The description of a scene, from a file or from the generator of cubes, before anything moves; and facts about it. */
#ifndef GRAZE_CLI_SIMULATE_SCENE_H
#define GRAZE_CLI_SIMULATE_SCENE_H

#include "request.h"
#include "vec.h"

#include <graze/scene.h>

/* ---- Names and values for tables, pages and JSON; and numbers of recordings as JSON (report.c) */

typedef struct sim_fact {
  char name[40], value[120];
} sim_fact;

typedef struct sim_facts {
  sim_fact list[24];
  size_t count;
  bool failed; /* the list is full; what is printed from it fails too */
} sim_facts;

void sim_fact_add(sim_facts *facts, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A JSON list of [name, value]. */
void sim_facts_json(cli_text *out, const sim_facts *facts);

/* Resolutions: of a time relative to the time step, also after a million steps; of a length relative to the size of a
 * body, or of an angle in radians. */
#define SIM_TIME_RESOLUTION 1e-5
#define SIM_LENGTH_RESOLUTION 1e-6

/* A number with the digits down to the resolution, all digits if that is 0; null if it is not finite. */
void sim_print_number(cli_text *out, double value, double resolution);
/* ---- Scenes */

/* A time, the pose at that time, and the motion until the next keyframe. */
typedef struct sim_keyframe {
  double t;
  graze_pose pose;
  graze_motion motion;
} sim_keyframe;

typedef struct sim_body {
  char name[64];      /* may be "" */
  cli_body shape;     /* owns what def.shape points to */
  graze_body_def def; /* the state at the beginning */
  sim_keyframe *path; /* owned; the planned trajectory of a kinematic body */
  size_t path_count;
} sim_body;

typedef struct sim_scene {
  char title[160], caption[480];
  int dim;
  double dt;
  size_t steps;
  cli_method method;
  graze_vec gravity;
  double arena;     /* > 0: the half edge of a cube around the origin; a centre outside it reverses its velocity */
  graze_aabb view;  /* the visible part on a page; if min.x >= max.x: all bodies at the beginning */
  sim_body *bodies; /* owned */
  size_t count;
  sim_facts facts; /* the origin of the scene */
} sim_scene;

enum { SIM_MAX_STEPS = 1000000, SIM_MAX_BODIES = 20000, SIM_MAX_CUBES = 10000 };

void sim_scene_free(sim_scene *scene);
/* The bounds of the bodies and of their paths, without half-spaces; a unit box if there are none. */
graze_aabb sim_scene_bounds(const sim_scene *scene);
/* Reverses the velocity components that point out of the arena. Returns whether one changed. */
bool sim_reflect(double arena, graze_vec position, graze_vec *velocity);

/* The options --count, --seed and --spin. */
typedef struct sim_cubes {
  size_t count;
  uint64_t seed;
  bool spin;
  graze_response respond;
} sim_cubes;

/* Generates moving cubes. False: out of memory. Otherwise the caller frees the scene. */
bool sim_cubes_make(const sim_cubes *cubes, sim_scene *scene);
/* Reads a scene from the text of a file. False: see error. Otherwise the caller frees the scene. */
bool sim_scene_read(cli_span text, sim_scene *scene, cli_error *error);

/* Lists that end with NULL. sim_types[i] is graze_body_type i + 1, sim_responses[i] is graze_response i, sim_methods[i]
 * is sim_method_values[i]. */
extern const char *const sim_types[], *const sim_methods[], *const sim_responses[];
extern const cli_method sim_method_values[];

/* The motion that moves one pose to the other in `time`, without rotations that rounding causes. */
graze_motion sim_motion_between(const graze_pose *from, const graze_pose *to, double time);
/* The pose of the planned trajectory at a time. */
graze_pose sim_path_pose(const sim_body *body, double t);
/* The motion from `pose` that ends at the planned pose at t + dt. */
graze_motion sim_path_motion(const sim_body *body, const graze_pose *pose, double t, double dt);

#endif
