/* Virtual reality: a tracked hand pushes objects, grasps one, moves it and releases it. README.md shows the output. */
#include <graze/scene.h>
#include <stdio.h>

enum { FINGERS = 4, PROPS = 3, STEPS = 90, HAND = 1, THING = 2 };
enum { THUMB, INDEX, MIDDLE, PALM };

static const double dt = 1.0 / 90; /* seconds; lengths are centimetres, z is up */

typedef struct world {
  graze_scene *scene;
  graze_body hand[FINGERS], prop[PROPS];
  int held; /* index of the prop; -1: none */
} world;

static const char *name_of(const world *w, graze_body body) {
  graze_body_def def;
  return graze_scene_get(w->scene, body, &def) == GRAZE_OK ? def.user : "";
}

/* ---- The tracker */

/* The tracked position at a step, and the opening of the hand. The position jumps at step 11, as real trackers do. */
static graze_vec tracked(int step, double *open) {
  static const struct {
    int step;
    double x, z, open;
  } key[] = {{0, -25, 3, 5},   {11, -20, 3, 5}, {12, -8, 3, 5},  {30, 0, 3, 5}, {40, 0, 3, 2.6},
             {55, 0, 12, 2.6}, {70, 6, 3, 2.6}, {75, 6, 3, 2.6}, {80, 6, 3, 5}, {90, -10, 3, 5}};
  int i = 0;
  while (key[i + 1].step < step) i++;
  const double s = (double)(step - key[i].step) / (key[i + 1].step - key[i].step);
  *open = key[i].open + s * (key[i + 1].open - key[i].open);
  return (graze_vec){key[i].x + s * (key[i + 1].x - key[i].x), 0, key[i].z + s * (key[i + 1].z - key[i].z)};
}

static graze_vec finger_position(int finger, graze_vec hand, double open) {
  static const double forward[FINGERS] = {0, 0, 0, -6}, side[FINGERS] = {-1, 1, 1, 0}, up[FINGERS] = {0, 1, -1, 0};
  return (graze_vec){hand.x + forward[finger], hand.y + side[finger] * open, hand.z + up[finger]};
}

/* ---- The scene */

static bool add(world *w, char *name, graze_body_def def, graze_body *body) {
  def.user = name;
  return graze_scene_add(w->scene, &def, body, NULL) == GRAZE_OK;
}

static bool add_hand(world *w) {
  static char *const names[FINGERS] = {"thumb", "index finger", "middle finger", "palm"};
  double open;
  const graze_vec at = tracked(0, &open);
  for (int i = 0; i < FINGERS; i++) {
    graze_body_def def = graze_default_body();
    def.type = GRAZE_KINEMATIC;
    def.category = HAND, def.mask = THING; /* fingers do not collide with each other */
    def.shape = i == PALM ? graze_box(4, 2, 2) : graze_capsule(0.8, 2.5);
    def.pose = graze_pose3(finger_position(i, at, open), 1, 0, 1, 0); /* 90 degrees: capsules along x */
    if (!add(w, names[i], def, &w->hand[i])) return false;
  }
  return true;
}

static bool add_things(world *w) {
  graze_body_def def = graze_default_body();
  graze_body body;
  def.type = GRAZE_STATIC, def.category = THING, def.mask = THING; /* hands pass through static bodies */
  def.shape = graze_box(40, 20, 1), def.pose = graze_pose_at(0, 0, -1);
  if (!add(w, "table", def, &body)) return false;
  def.shape = graze_box(40, 1, 20), def.pose = graze_pose_at(0, 11, 20);
  if (!add(w, "wall", def, &body)) return false;

  def.type = GRAZE_DYNAMIC, def.mask = HAND | THING, def.response = GRAZE_RESPONSE_SLIDE;
  def.shape = graze_sphere(1.6), def.pose = graze_pose_at(-13.5, 5.5, 1.6);
  if (!add(w, "ball", def, &w->prop[0])) return false;
  def.shape = graze_box(2, 2, 3), def.pose = graze_pose_at(0, 0.5, 3);
  if (!add(w, "box", def, &w->prop[1])) return false;
  def.shape = graze_cylinder(2, 3), def.pose = graze_pose_at(9, 0, 3);
  return add(w, "cup", def, &w->prop[2]);
}

/* ---- Grasping */

/* The grasp test: thumb and index finger touch the prop on opposite sides. */
static bool holds(const world *w, graze_body prop) {
  graze_answer thumb, finger;
  graze_contact contacts[4];
  size_t on_thumb, on_finger;
  if (graze_scene_manifold(w->scene, w->hand[THUMB], prop, NULL, &thumb, contacts, 4, &on_thumb) != GRAZE_OK ||
      graze_scene_manifold(w->scene, w->hand[INDEX], prop, NULL, &finger, contacts, 4, &on_finger) != GRAZE_OK)
    return false;
  const graze_vec a = thumb.normal, b = finger.normal;
  return on_thumb > 0 && on_finger > 0 && a.x * b.x + a.y * b.y + a.z * b.z < -0.9;
}

static void grasp(world *w, int step, bool opens) {
  if (opens && w->held >= 0) {
    printf("step %2d: releases the %s\n", step, name_of(w, w->prop[w->held]));
    w->held = -1;
  }
  for (int i = 0; i < PROPS && !opens && w->held < 0; i++) {
    if (!holds(w, w->prop[i])) continue;
    printf("step %2d: holds the %s\n", step, name_of(w, w->prop[i]));
    w->held = i;
  }
}

/* ---- Steps */

static graze_vec velocity(graze_vec from, graze_vec to) {
  return (graze_vec){(to.x - from.x) / dt, (to.y - from.y) / dt, (to.z - from.z) / dt};
}

/* Fingers follow the tracker. While a prop is held they keep their positions relative to it. */
static bool move_hand(world *w, graze_vec before, graze_vec now, double open) {
  for (int i = 0; i < FINGERS; i++) {
    const graze_vec at = graze_scene_placed(w->scene, w->hand[i])->pose.position;
    graze_motion motion = {{0, 0, 0}, {0, 0, 0}};
    motion.velocity = w->held < 0 ? velocity(at, finger_position(i, now, open)) : velocity(before, now);
    if (graze_scene_set_motion(w->scene, w->hand[i], &motion, NULL) != GRAZE_OK) return false;
  }
  return true;
}

/* The held prop moves with the hand, as a heavy body. The others slow down. */
static bool move_props(world *w, graze_vec before, graze_vec now) {
  for (int i = 0; i < PROPS; i++) {
    graze_body_def def;
    if (graze_scene_get(w->scene, w->prop[i], &def) != GRAZE_OK) return false;
    const graze_vec v = def.motion.velocity;
    def.motion.velocity = i == w->held ? velocity(before, now) : (graze_vec){v.x / 2, v.y / 2, v.z / 2};
    def.mass = i == w->held ? 1e6 : 1;
    if (graze_scene_set(w->scene, w->prop[i], &def, NULL) != GRAZE_OK) return false;
  }
  return true;
}

static void print_events(const world *w, int step, const graze_step *done, int kinds[4]) {
  for (size_t i = 0; i < done->event_count; i++) {
    const graze_event *e = &done->events[i];
    kinds[e->kind]++;
    if (e->kind == GRAZE_EVENT_STAY) continue;
    printf("step %2d: %s %s, %s\n", step, graze_event_text(e->kind), name_of(w, e->a), name_of(w, e->b));
  }
}

/* Adds the number of fingers that overlap props. */
static bool count_penetrations(const world *w, int *count) {
  for (int i = 0; i < FINGERS * PROPS; i++) {
    const graze_placed *finger = graze_scene_placed(w->scene, w->hand[i / PROPS]);
    graze_answer answer;
    if (graze_intersect(finger, graze_scene_placed(w->scene, w->prop[i % PROPS]), NULL, &answer) != GRAZE_OK)
      return false;
    *count += answer.relation != GRAZE_SEPARATED;
  }
  return true;
}

static bool play(world *w) {
  int kinds[4] = {0}, penetrations = 0;
  size_t overlaps = 0;
  for (int i = 0; i < STEPS; i++) {
    double open, opens;
    const graze_vec before = tracked(i, &open), now = tracked(i + 1, &opens);
    graze_step done;
    grasp(w, i, opens > open);
    if (!move_hand(w, before, now, opens) || !move_props(w, before, now)) return false;
    if (graze_scene_step(w->scene, dt, &done, NULL) != GRAZE_OK) return false;
    print_events(w, i, &done, kinds);
    overlaps += done.overlaps;
    if (!count_penetrations(w, &penetrations)) return false;
  }
  for (int i = 0; i < PROPS; i++) {
    const graze_vec at = graze_scene_placed(w->scene, w->prop[i])->pose.position;
    printf("the %s is at (%.2f, %.2f, %.2f)\n", name_of(w, w->prop[i]), at.x, at.y, at.z);
  }
  printf("contacts: %d begin, %d stay, %d end; fingers in props: %d; overlaps: %zu\n", kinds[GRAZE_EVENT_BEGIN],
         kinds[GRAZE_EVENT_STAY], kinds[GRAZE_EVENT_END], penetrations, overlaps);
  return true;
}

int main(void) {
  world w = {.held = -1};
  if (graze_scene_create(NULL, NULL, &w.scene, NULL) != GRAZE_OK) return 1;
  const bool played = add_hand(&w) && add_things(&w) && play(&w);
  graze_scene_destroy(w.scene);
  return played ? 0 : 1;
}
