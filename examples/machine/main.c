/* A machine: which of its parts are nearer to each other than 2 mm, and is the way of a tool between them free?
 * README.md has what this prints. */
#include <graze/scene.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define QUARTER 1.5707963267948966

enum { PARTS = 5, PAIRS = PARTS * (PARTS - 1) / 2 };
enum { FIXTURE = 1, WORKPIECE = 2, OTHER = 4, ALL = 7 }; /* categories of bodies */

static const double keep = 2, look = 10; /* mm: exactly 2 are enough; beyond 10 nobody wants to know */

typedef struct part {
  const char *name;
  const char *const *names; /* of its own parts; NULL where it is convex */
  graze_shape shape;
  graze_pose pose;
  uint64_t category, mask;
} part;

typedef struct move {
  const char *what;
  graze_motion motion; /* for a time of 1 */
} move;

static const char *const fixture_names[] = {"fixture's plate", "fixture's left bolt", "fixture's right bolt",
                                            "fixture's clamp"};
static const char *const tool_names[] = {"cutter", "holder"};

static const char *name_of(const part *p, int32_t index) { return p->names != NULL ? p->names[index] : p->name; }

static const part *part_of(const graze_scene *scene, graze_body body) {
  graze_body_def def;
  return graze_scene_get(scene, body, &def) == GRAZE_OK ? def.user : NULL;
}

/* ---- The drawing */

/* A plate, two bolts, and a clamp that holds down the workpiece. */
static graze_compound *make_fixture(void) {
  static const graze_vec wedge[] = {{-40, -8, 14}, {-40, 8, 14}, {-18, -8, 14}, {-18, 8, 14},
                                    {-40, -8, 22}, {-40, 8, 22}, {-30, -8, 22}, {-30, 8, 22}};
  const graze_shape plate = graze_box(60, 40, 5), bolt = graze_cylinder(4, 20),
                    clamp = graze_hull_points(wedge, COUNT(wedge));
  const graze_placed parts[] = {
      graze_place(&plate, graze_pose_at(0, 0, -5)), graze_place(&bolt, graze_pose_at(-50, 0, 20)),
      graze_place(&bolt, graze_pose_at(50, 0, 20)), graze_place(&clamp, graze_pose_at(0, 0, 0))};
  graze_compound *fixture = NULL; /* stays NULL where there is no memory */
  graze_compound_create(parts, COUNT(parts), NULL, &fixture, NULL);
  return fixture;
}

/* Its tip is at the origin; it turns about its axis. */
static graze_compound *make_tool(void) {
  const graze_shape cutter = graze_cylinder(3, 10), holder = graze_box(18, 6, 12);
  const graze_placed parts[] = {graze_place(&cutter, graze_pose_at(0, 0, 10)),
                                graze_place(&holder, graze_pose_at(0, 0, 32))};
  graze_compound *tool = NULL;
  graze_compound_create(parts, COUNT(parts), NULL, &tool, NULL);
  return tool;
}

static bool put(graze_scene *scene, part *p) {
  graze_body_def def = graze_default_body();
  graze_body body;
  def.shape = p->shape, def.pose = p->pose, def.user = p;
  def.category = p->category, def.mask = p->mask;
  def.type = GRAZE_KINEMATIC; /* two static bodies would be no pair */
  return graze_scene_add(scene, &def, &body, NULL) == GRAZE_OK;
}

/* ---- Clearance */

/* Has one pair answered so that it can be proved, and proves it. That compounds are apart takes a certificate for each
 * pair of their parts. */
static bool compare(const graze_scene *scene, graze_body a, graze_body b) {
  const graze_placed *at = graze_scene_placed(scene, a), *bt = graze_scene_placed(scene, b);
  const part *pa = part_of(scene, a), *pb = part_of(scene, b);
  graze_part_proof gaps[8], proofs[8];
  graze_options wide = graze_default_options(), strict = wide;
  graze_answer gap, kept;
  wide.parts = gaps, wide.part_capacity = COUNT(gaps);
  strict.parts = proofs, strict.part_capacity = COUNT(proofs);
  strict.clearance = keep; /* added to the shapes exactly: 2 mm apart is `touching` */
  if (graze_distance(at, bt, &wide, &gap) != GRAZE_OK || graze_intersect(at, bt, &strict, &kept) != GRAZE_OK)
    return false;
  const bool proved = graze_verify(at, bt, &wide, &gap) == GRAZE_OK && graze_verify(at, bt, &strict, &kept) == GRAZE_OK;
  printf("  %s - %s: %.3f mm, known to %.0e; with 2 mm: %s, %s\n", name_of(pa, gap.part_a), name_of(pb, gap.part_b),
         gap.distance, gap.upper - gap.lower, graze_relation_text(kept.relation), proved ? "proved" : "not proved");
  return proved;
}

static bool check_parts(const graze_scene *scene) {
  graze_neighbor near[PAIRS];
  size_t count;
  bool good = graze_scene_closest_pairs(scene, look, near, PAIRS, &count) == GRAZE_OK;
  printf("nearer than %g mm:\n", look);
  for (size_t i = 0; good && i < count; i++) good = compare(scene, near[i].a, near[i].b);
  return good;
}

/* ---- The tool */

/* Does it come nearer than 2 mm to anything but the workpiece, which it cuts? */
static bool run(const graze_scene *scene, const graze_shape *tool, const char *plan, const move *moves, size_t count) {
  const graze_shape grown = graze_with_margin(*tool, keep);
  graze_filter filter = graze_default_filter();
  graze_pose pose = graze_pose_at(28, -15, 40);
  filter.category = OTHER, filter.mask = ALL & ~WORKPIECE;
  printf("%s:\n", plan);
  for (size_t i = 0; i < count; i++) {
    const graze_placed placed = graze_place(&grown, pose);
    graze_body body;
    graze_cast_result impact;
    if (graze_scene_cast(scene, &placed, &moves[i].motion, 1, &filter, &body, &impact) != GRAZE_OK) return false;
    printf("  %s: ", moves[i].what);
    if (body.generation == 0)
      printf("2 mm are kept\n");
    else
      printf("2 mm between the %s and the %s at %.6f, surely less %.0e later\n", tool_names[impact.part_a],
             name_of(part_of(scene, body), impact.part_b), impact.t_lower, impact.t_upper - impact.t_lower);
    pose = graze_pose_after(&pose, &moves[i].motion, 1);
  }
  return true;
}

static bool run_tool(const graze_scene *scene, const graze_shape *tool) {
  static const move turning[] = {{"down", {{0, 0, -30}, {0, 0, 0}}},
                                 {"along the edge, turning", {{0, 30, 0}, {0, 0, QUARTER}}},
                                 {"up", {{0, 0, 30}, {0, 0, 0}}}};
  static const move first[] = {{"down", {{0, 0, -30}, {0, 0, 0}}},
                               {"turning", {{0, 0, 0}, {0, 0, QUARTER}}},
                               {"along the edge", {{0, 30, 0}, {0, 0, 0}}},
                               {"up", {{0, 0, 30}, {0, 0, 0}}}};
  return run(scene, tool, "turning on its way", turning, COUNT(turning)) &&
         run(scene, tool, "turning first", first, COUNT(first));
}

static bool check(graze_scene *scene, const graze_compound *fixture, const graze_compound *tool) {
  const graze_shape cutting = graze_compound_shape(tool);
  /* The fixture is meant to touch the workpiece: their masks leave that pair out. */
  part parts[PARTS] = {
      {"fixture", fixture_names, graze_compound_shape(fixture), graze_pose_at(0, 0, 0), FIXTURE, OTHER},
      {"workpiece", NULL, graze_box(25, 15, 7), graze_pose_at(0, 0, 7), WORKPIECE, OTHER},
      {"probe", NULL, graze_capsule(3, 12), graze_pose_at(0, 20, 20), OTHER, ALL},
      {"guard", NULL, graze_box(12, 1, 15), graze_pose_at(-8, -17.9, 20), OTHER, ALL},
      {"nozzle", NULL, graze_cone(4, 6), graze_pose_at(-50, 12, 30), OTHER, ALL},
  };
  for (int i = 0; i < PARTS; i++)
    if (!put(scene, &parts[i])) return false;
  return check_parts(scene) && run_tool(scene, &cutting);
}

int main(void) {
  graze_compound *fixture = make_fixture(), *tool = make_tool();
  graze_scene *scene = NULL;
  bool good = fixture != NULL && tool != NULL && graze_scene_create(NULL, NULL, &scene, NULL) == GRAZE_OK;
  if (good) good = check(scene, fixture, tool);
  graze_scene_destroy(scene);
  graze_compound_destroy(tool);
  graze_compound_destroy(fixture);
  return good ? 0 : 1;
}
