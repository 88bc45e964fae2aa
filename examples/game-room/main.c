/* A level of a platform game: a player runs, falls, is moved by a lift and bounces; a fast bullet does not tunnel.
 * README.md shows the output. */
#include <graze/build.h>
#include <graze/scene.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { FRAMES = 400, MAX_COLLISIONS = 8 };

static const double frame = 1.0 / 60, gravity = 30, runs = 5; /* seconds and tiles; y is up */

/* Rock with the air as a hole: a floor, a slope, a step down, walls. */
static const graze_vec rock[] = {{-1, -1, 0}, {25, -1, 0}, {25, 11, 0}, {-1, 11, 0}};
static const graze_vec air[] = {{0, 0, 0},  {5, 0, 0},  {7, 1, 0},   {10, 1, 0},
                                {10, 0, 0}, {24, 0, 0}, {24, 10, 0}, {0, 10, 0}};

typedef struct game {
  graze_scene *scene;
  graze_body ground, lift, spring, door, player, bullet;
  graze_body ground_of_player; /* {0, 0}: the player falls */
  graze_vec speed;             /* of the player */
  int number, coins;
} game;

static bool same(graze_body a, graze_body b) { return a.slot == b.slot && a.generation == b.generation; }

static const char *name_of(const game *g, graze_body body) {
  graze_body_def def;
  return graze_scene_get(g->scene, body, &def) == GRAZE_OK ? def.user : "";
}

/* ---- The level */

static graze_compound *make_ground(void) {
  const graze_ring outline = {rock, COUNT(rock)}, hole = {air, COUNT(air)};
  graze_decomposition pieces;
  graze_compound *compound = NULL; /* stays NULL if out of memory */
  if (graze_decompose(outline, &hole, 1, GRAZE_SPLIT_AUTO, NULL, &pieces, NULL, NULL) != GRAZE_OK) return NULL;
  graze_decomposition_compound(&pieces, NULL, &compound);
  graze_decomposition_destroy(&pieces);
  return compound;
}

static graze_body_def make_def(graze_body_type type, graze_shape shape, double x, double y, char *name) {
  graze_body_def def = graze_default_body();
  def.type = type, def.shape = shape, def.pose = graze_pose_at(x, y, 0), def.user = name;
  return def;
}

static bool add(game *g, const graze_body_def *def, graze_body *body) {
  return graze_scene_add(g->scene, def, body, NULL) == GRAZE_OK;
}

static bool add_bodies(game *g, const graze_compound *compound) {
  static const graze_vec coins[] = {{3, 0.8, 0}, {8.5, 2, 0}, {19.5, 7.2, 0}};
  const graze_body_def ground = make_def(GRAZE_STATIC, graze_compound_shape(compound), 0, 0, "rock"),
                       lift = make_def(GRAZE_KINEMATIC, graze_box2(1.2, 0.15), 12, 0.2, "lift"),
                       spring = make_def(GRAZE_STATIC, graze_box2(0.8, 0.2), 16.5, 0.2, "spring"),
                       door = make_def(GRAZE_STATIC, graze_box2(0.01, 5), 22, 5, "door");
  graze_body_def player = make_def(GRAZE_KINEMATIC, graze_capsule2(0.3, 0.5), 1, 2, "player"),
                 bullet = make_def(GRAZE_DYNAMIC, graze_circle(0.05), 0.5, 9, "bullet");
  player.pose.w = player.pose.z = 1; /* upright: exactly 90 degrees */
  bullet.response = GRAZE_RESPONSE_STOP;
  bullet.motion.velocity.x = 1000; /* 17 tiles per frame; the door is 0.02 thick */
  for (size_t i = 0; i < COUNT(coins); i++) {
    graze_body_def coin = make_def(GRAZE_STATIC, graze_circle(0.25), coins[i].x, coins[i].y, "coin");
    graze_body body;
    coin.sensor = true; /* reports contacts, stops nothing */
    if (!add(g, &coin, &body)) return false;
  }
  return add(g, &ground, &g->ground) && add(g, &lift, &g->lift) && add(g, &spring, &g->spring) &&
         add(g, &door, &g->door) && add(g, &player, &g->player) && add(g, &bullet, &g->bullet);
}

/* ---- The player */

static graze_collision_response choose(void *context, graze_body moved, graze_body other) {
  const game *g = context;
  (void)moved;
  if (same(other, g->bullet)) return GRAZE_COLLISION_IGNORE;
  return same(other, g->spring) ? GRAZE_COLLISION_BOUNCE : GRAZE_COLLISION_SLIDE; /* sensors are always crossed */
}

static void handle_collision(game *g, const graze_collision *met) {
  const bool bounces = met->response == GRAZE_COLLISION_BOUNCE;
  const double into = g->speed.x * met->normal.x + g->speed.y * met->normal.y; /* speed into the other body */
  if (met->response == GRAZE_COLLISION_CROSS) {
    printf("frame %3d: coin %d\n", g->number, ++g->coins);
    graze_scene_remove(g->scene, met->other);
    return;
  }
  if (met->normal.y < -0.7 && !bounces) g->ground_of_player = met->other;
  if (bounces) printf("frame %3d: bounces off the %s\n", g->number, name_of(g, met->other));
  if (into > 0) { /* the speed changes like the displacement */
    g->speed.x -= (bounces ? 2 : 1) * into * met->normal.x;
    g->speed.y -= (bounces ? 2 : 1) * into * met->normal.y;
  }
}

static bool move_player(game *g) {
  const graze_body before = g->ground_of_player;
  graze_collision met[MAX_COLLISIONS];
  size_t count;
  g->speed.x = same(before, g->lift) && graze_scene_placed(g->scene, g->lift)->pose.position.y < 5 ? 0 : runs;
  g->speed.y -= gravity * frame;
  const graze_motion displacement = {{g->speed.x * frame, g->speed.y * frame, 0}, {0, 0, 0}};
  g->ground_of_player = (graze_body){0, 0};
  if (graze_scene_move(g->scene, g->player, &displacement, choose, g, met, MAX_COLLISIONS, &count, NULL) != GRAZE_OK)
    return false;
  for (size_t i = 0; i < count && i < MAX_COLLISIONS; i++) handle_collision(g, &met[i]);
  if (!same(before, g->ground_of_player)) {
    const bool leaves = g->ground_of_player.generation == 0;
    const graze_vec at = graze_scene_placed(g->scene, g->player)->pose.position;
    printf("frame %3d: %s%s at (%.2f, %.2f)\n", g->number, leaves ? "leaves the " : "lands on the ",
           name_of(g, leaves ? before : g->ground_of_player), at.x, at.y);
  }
  return true;
}

/* Adds the number of bodies that the player overlaps, without coins. */
static bool count_overlaps(const game *g, size_t *overlaps) {
  graze_filter filter = graze_default_filter();
  size_t count;
  filter.except = g->player;
  const graze_status status =
      graze_scene_overlap(g->scene, graze_scene_placed(g->scene, g->player), &filter, NULL, 0, &count, NULL);
  if (status != GRAZE_OK && status != GRAZE_NO_SPACE) return false;
  *overlaps += count;
  return true;
}

/* ---- The other bodies */

static bool step(game *g) {
  const graze_motion up = {{0, same(g->ground_of_player, g->lift) ? 3 : 0, 0}, {0, 0, 0}};
  graze_step done;
  if (graze_scene_set_motion(g->scene, g->lift, &up, NULL) != GRAZE_OK) return false;
  if (graze_scene_step(g->scene, frame, &done, NULL) != GRAZE_OK) return false;
  for (size_t i = 0; i < done.event_count; i++) {
    const graze_event *e = &done.events[i];
    if (e->kind != GRAZE_EVENT_BEGIN || (!same(e->a, g->bullet) && !same(e->b, g->bullet))) continue;
    printf("frame %3d: %s and %s collide after %.4f of the frame, at (%.2f, %.2f)\n", g->number, name_of(g, e->a),
           name_of(g, e->b), e->t_lower / frame, e->point.x, e->point.y);
  }
  return true;
}

static bool play(game *g) {
  size_t overlaps = 0;
  for (g->number = 0; g->number < FRAMES; g->number++)
    if (!step(g) || !move_player(g) || !count_overlaps(g, &overlaps)) return false;
  const graze_vec p = graze_scene_placed(g->scene, g->player)->pose.position,
                  b = graze_scene_placed(g->scene, g->bullet)->pose.position;
  printf("end: player at (%.2f, %.2f), bullet at (%.2f, %.2f), overlaps: %zu\n", p.x, p.y, b.x, b.y, overlaps);
  return true;
}

int main(void) {
  game g = {.scene = NULL};
  graze_scene_def def = graze_default_scene();
  graze_compound *ground = make_ground();
  def.dim = 2;
  const bool played = ground != NULL && graze_scene_create(&def, NULL, &g.scene, NULL) == GRAZE_OK &&
                      add_bodies(&g, ground) && play(&g);
  graze_scene_destroy(g.scene);
  graze_compound_destroy(ground);
  return played ? 0 : 1;
}
