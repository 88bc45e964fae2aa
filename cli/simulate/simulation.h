/* The run of a scene: its states, its recording, the reference, and the results. */
#ifndef GRAZE_CLI_SIMULATE_SIMULATION_H
#define GRAZE_CLI_SIMULATE_SIMULATION_H

#include "command.h"
#include "queries.h"
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

/* Resolutions: of a time relative to the time step; of a length relative to the size of a body, or of an angle. */
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
  double half;        /* of a moving cube, or of the one that a mesh replaces */
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
  cli_models models; /* owned; the model files of the bodies */
  sim_facts facts;   /* the origin of the scene */
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
  bool spin, meshes;
  graze_response respond;
} sim_cubes;

/* Generates moving cubes. False: out of memory. Otherwise the caller frees the scene. */
bool sim_cubes_make(const sim_cubes *cubes, sim_scene *scene);
/* Reads a scene from the text of a file. False: see error. Otherwise the caller frees the scene. */
bool sim_scene_read(cli_span text, const char *name, sim_scene *scene, cli_error *error);

/* Lists that end with NULL, by graze_body_type - 1, by the index of sim_method_values, and by graze_response. */
extern const char *const sim_types[], *const sim_methods[], *const sim_responses[];
extern const cli_method sim_method_values[];

/* The motion that moves one pose to the other in `time`, without rotations that rounding causes. */
graze_motion sim_motion_between(const graze_pose *from, const graze_pose *to, double time);
/* The pose of the planned trajectory at a time. */
graze_pose sim_path_pose(const sim_body *body, double t);
/* The motion from `pose` that ends at the planned pose at t + dt. */
graze_motion sim_path_motion(const sim_body *body, const graze_pose *pose, double t, double dt);

/* ---- The scene of the library, and the state of each body at the beginning of the step */

typedef struct sim_world {
  const sim_scene *scene;
  graze_scene *handle;
  graze_body *ids;
  size_t *index_of; /* by slot */
  /* Each body at the beginning of the step, with its motion in the step. */
  graze_placed *placed;
  graze_motion *motions;
  size_t step; /* the number of steps done */
} sim_world;

/* The time at which the next step begins. */
static inline double sim_world_time(const sim_world *world) { return (double)world->step * world->scene->dt; }

/* The cast of a method: an option of graze_cast(), or a function of compare.h with its context. */
typedef struct sim_cast {
  graze_cast_method option;
  graze_cast_function function; /* NULL: graze_cast() */
  void *context;
} sim_cast;

sim_cast sim_cast_of(cli_method method);
/* Conservative bounds of a body in motion for a time dt, grown by a margin. */
graze_aabb sim_swept_bounds(const graze_placed *placed, const graze_motion *motion, double margin, double dt);
static inline bool sim_bounds_overlap(const graze_aabb *a, const graze_aabb *b) {
  return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
         a->min.z <= b->max.z && b->min.z <= a->max.z;
}

/* ---- record.c: keyframes of every body, its intervals in contact, and the contacts */

/* One body: keyframes where its motion changes, and the time intervals in which it is in contact. */
typedef struct sim_track {
  sim_keyframe *keys;
  size_t key_count, key_capacity;
  double (*intervals)[2];
  size_t interval_count, interval_capacity;
  size_t touching; /* the number of bodies it is in contact with */
  double since;    /* the beginning of the current interval in contact */
  double size;     /* a change that is small relative to this is not recorded */
} sim_track;

typedef struct sim_contact {
  double t;
  size_t a, b;
  graze_vec point, normal; /* NaN if not known */
} sim_contact;

typedef struct sim_record {
  sim_track *tracks; /* one for each body */
  size_t count;
  sim_contact *contacts; /* sorted by time, then by bodies */
  size_t contact_count, contact_capacity;
  bool failed; /* out of memory */
} sim_record;

/* The longest side of the bounds of a shape; 1 if it has no bounds or no size. */
double sim_size_of(const graze_shape *shape);
/* False: out of memory. Otherwise the caller frees the recording. */
bool sim_record_make(const sim_scene *scene, sim_record *record);
void sim_record_free(sim_record *record);
/* Before a step, with the states of the world; after the step; and at the end of the run. */
void sim_record_before(sim_record *record, const sim_world *world);
void sim_record_after(sim_record *record, const sim_world *world, const graze_step *step);
void sim_record_end(sim_record *record, double t);

/* ---- exact.c: the reference: contacts that a step does not report, and bodies that entered each other */

/* A contact without an event, or a body that entered another one although they respond. */
typedef struct sim_miss {
  double t; /* a time at which they certainly overlap, or overlap deeper */
  size_t a, b;
} sim_miss;

typedef struct sim_exact {
  sim_miss *misses; /* owned; those of all steps so far */
  size_t count, capacity;
} sim_exact;

/* Tests all pairs of the step that was just done, from the states before it. It adds pairs that certainly collide, by
 * an overlap that rounding cannot explain, but have no event. The motion of bodies that respond is known only until
 * their first contact; later contacts are not counted. It also adds pairs that respond and overlap deeper after the
 * step than before, or during the step if both moved at constant rates. False: out of memory. */
bool sim_exact_check(sim_exact *exact, const sim_world *world, const graze_step *step);

/* ---- run.c: what every step did, how long it took, and the progress display */

/* A monotonic clock, in milliseconds. */
double sim_now(void);

/* Initialise with zeros; `total` is the number of steps of all runs. */
typedef struct sim_progress {
  size_t total, base; /* base: the steps of earlier runs */
  double began, shown;
  bool visible;
} sim_progress;

/* Draws a progress bar if standard error is a terminal that can erase it, at most ten times a second. */
void sim_progress_show(sim_progress *progress, size_t done);
/* Erases it. */
void sim_progress_end(sim_progress *progress);
/* After this, the first Ctrl-C only sets a flag, so that the results so far are printed; the second one ends all. */
void sim_watch_interrupt(void);
bool sim_interrupted(void);

enum { SIM_EXIT_INTERRUPTED = 130 }; /* the status that shells use for an interrupted program */

/* One step, or the sum of all steps. */
typedef struct sim_row {
  double ms;         /* of graze_scene_step() only */
  size_t pairs;      /* pairs with overlapping swept bounds */
  size_t casts;      /* the number of casts of pairs */
  size_t contacts;   /* the number of contacts that began */
  size_t in_contact; /* pairs in contact at the end */
  size_t responses, stalled, overlaps;
  size_t missed; /* compared with the reference */
} sim_row;

typedef struct sim_run {
  sim_row *rows;
  size_t count, wanted; /* steps done, and steps requested */
  sim_exact exact;
  sim_keyframe *last; /* the final pose and motion of each body */
  bool interrupted;
} sim_run;

/* Runs all steps, or until interrupted. `record` may be NULL. False: see error. Otherwise the caller frees the run. */
bool sim_run_make(const sim_scene *scene, cli_method method, sim_record *record, sim_progress *progress, sim_run *run,
                  cli_error *error);
void sim_run_free(sim_run *run);

/* Milliseconds per step. */
typedef struct sim_times {
  double mean, median, p99;
} sim_times;

sim_times sim_times_of(const sim_row *rows, size_t count);
sim_row sim_total(const sim_run *run);

/* ---- report.c: the results as a table, rows, or JSON (docs/guide/simulate.md); and player.c: as a page */

/* The parameters of a run, and its results. */
sim_facts sim_parameters(const sim_scene *scene);
sim_facts sim_results(const sim_run *run);
void sim_print_table(cli_text *out, const sim_scene *scene, const sim_run *run);
void sim_print_csv(cli_text *out, const sim_scene *scene, const sim_run *run);
void sim_print_json(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record);
void sim_print_page(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record);

/* The files that a run writes. */
enum { SIM_JSON, SIM_HTML, SIM_SVG, SIM_OUTPUTS };

/* Writes the text to standard output and frees it. False: reported on standard error. */
bool sim_write(cli_text *text);

/* ---- compare.c: numbers of cubes by every method, all pairs and in a scene */

/* `steps`: 0: the default. Prints a table, or rows with `csv`, and writes the outputs. Returns the exit status. */
int sim_compare(size_t steps, uint64_t seed, bool csv, cli_output outputs[SIM_OUTPUTS]);

#endif
