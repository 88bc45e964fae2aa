/* A machine: checks the clearances of its parts and the path of a tool between them. README.md shows the output. */
#include <graze/scene.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define QUARTER 1.5707963267948966

enum { PARTS = 5, PAIRS = PARTS * (PARTS - 1) / 2 };
enum { FIXTURE = 1, WORKPIECE = 2, OTHER = 4, ALL = 7 }; /* categories of bodies */

static const double clearance = 2, max_distance = 10; /* mm: required, and largest reported */

typedef struct part {
  const char *name;
  const char *const *names; /* names of its convex parts; NULL: the part is convex */
  graze_shape shape;
  graze_pose pose;
  uint64_t category, mask;
} part;

typedef struct move {
  const char *name;
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

/* ---- Parts */

/* A plate, two bolts, and a clamp that holds the workpiece. */
static graze_compound *make_fixture(void) {
  static const graze_vec wedge[] = {{-40, -8, 14}, {-40, 8, 14}, {-18, -8, 14}, {-18, 8, 14},
                                    {-40, -8, 22}, {-40, 8, 22}, {-30, -8, 22}, {-30, 8, 22}};
  const graze_shape plate = graze_box(60, 40, 5), bolt = graze_cylinder(4, 20),
                    clamp = graze_hull_points(wedge, COUNT(wedge));
  const graze_placed parts[] = {
      graze_place(&plate, graze_pose_at(0, 0, -5)), graze_place(&bolt, graze_pose_at(-50, 0, 20)),
      graze_place(&bolt, graze_pose_at(50, 0, 20)), graze_place(&clamp, graze_pose_at(0, 0, 0))};
  graze_compound *fixture = NULL; /* stays NULL if out of memory */
  graze_compound_create(parts, COUNT(parts), NULL, &fixture, NULL);
  return fixture;
}

/* The tip is at the origin; the tool rotates about its axis. */
static graze_compound *make_tool(void) {
  const graze_shape cutter = graze_cylinder(3, 10), holder = graze_box(18, 6, 12);
  const graze_placed parts[] = {graze_place(&cutter, graze_pose_at(0, 0, 10)),
                                graze_place(&holder, graze_pose_at(0, 0, 32))};
  graze_compound *tool = NULL;
  graze_compound_create(parts, COUNT(parts), NULL, &tool, NULL);
  return tool;
}

static bool add(graze_scene *scene, part *p) {
  graze_body_def def = graze_default_body();
  graze_body body;
  def.shape = p->shape, def.pose = p->pose, def.user = p;
  def.category = p->category, def.mask = p->mask;
  def.type = GRAZE_KINEMATIC; /* scenes do not report pairs of static bodies */
  return graze_scene_add(scene, &def, &body, NULL) == GRAZE_OK;
}

/* ---- Clearance */

/* Prints the distance of a pair and its relation with the clearance, and verifies both answers. Proving a gap between
 * compounds needs a certificate for each pair of parts. */
static bool compare(const graze_scene *scene, graze_body a, graze_body b) {
  const graze_placed *at = graze_scene_placed(scene, a), *bt = graze_scene_placed(scene, b);
  const part *pa = part_of(scene, a), *pb = part_of(scene, b);
  graze_part_proof gaps[8], proofs[8];
  graze_options plain = graze_default_options(), strict = plain;
  graze_answer gap, kept;
  graze_certificate gap_proof, kept_proof;
  plain.certificate = &gap_proof, strict.certificate = &kept_proof;
  plain.parts = gaps, plain.part_capacity = COUNT(gaps);
  strict.parts = proofs, strict.part_capacity = COUNT(proofs);
  strict.clearance = clearance; /* added exactly: a gap of exactly 2 mm is `touching` */
  if (graze_distance(at, bt, &plain, &gap) != GRAZE_OK || graze_intersect(at, bt, &strict, &kept) != GRAZE_OK)
    return false;
  const bool proved = graze_verify(at, bt, &plain, &gap, &gap_proof) == GRAZE_OK &&
                      graze_verify(at, bt, &strict, &kept, &kept_proof) == GRAZE_OK;
  printf("  %s - %s: %.3f mm, interval %.0e; with 2 mm: %s, %s\n", name_of(pa, gap.part_a), name_of(pb, gap.part_b),
         gap.distance, gap.upper - gap.lower, graze_relation_text(kept.relation), proved ? "verified" : "not verified");
  return proved;
}

static bool check_parts(const graze_scene *scene) {
  graze_neighbor near[PAIRS];
  size_t count;
  bool good = graze_scene_closest_pairs(scene, max_distance, near, PAIRS, &count, NULL) == GRAZE_OK;
  printf("pairs within %g mm:\n", max_distance);
  for (size_t i = 0; good && i < count; i++) good = compare(scene, near[i].a, near[i].b);
  return good;
}

/* ---- The tool */

/* Tests whether the tool keeps the clearance to everything except the workpiece, which it cuts. */
static bool run(const graze_scene *scene, const graze_shape *tool, const char *plan, const move *moves, size_t count) {
  const graze_shape grown = graze_with_margin(*tool, clearance);
  graze_filter filter = graze_default_filter();
  graze_pose pose = graze_pose_at(28, -15, 40);
  filter.category = OTHER, filter.mask = ALL & ~WORKPIECE;
  printf("%s:\n", plan);
  for (size_t i = 0; i < count; i++) {
    const graze_placed placed = graze_place(&grown, pose);
    graze_body body;
    graze_cast_result result;
    if (graze_scene_cast(scene, &placed, &moves[i].motion, 1, &filter, &body, &result, NULL) != GRAZE_OK) return false;
    printf("  %s: ", moves[i].name);
    if (body.generation == 0)
      printf("clear\n");
    else
      printf("2 mm between the %s and the %s at %.6f, certainly less %.0e later\n", tool_names[result.part_a],
             name_of(part_of(scene, body), result.part_b), result.t_lower, result.t_upper - result.t_lower);
    pose = graze_pose_after(&pose, &moves[i].motion, 1);
  }
  return true;
}

static bool run_tool(const graze_scene *scene, const graze_shape *tool) {
  static const move together[] = {{"down", {{0, 0, -30}, {0, 0, 0}}},
                                  {"along the edge, rotating", {{0, 30, 0}, {0, 0, QUARTER}}},
                                  {"up", {{0, 0, 30}, {0, 0, 0}}}};
  static const move first[] = {{"down", {{0, 0, -30}, {0, 0, 0}}},
                               {"rotation", {{0, 0, 0}, {0, 0, QUARTER}}},
                               {"along the edge", {{0, 30, 0}, {0, 0, 0}}},
                               {"up", {{0, 0, 30}, {0, 0, 0}}}};
  return run(scene, tool, "rotation during the translation", together, COUNT(together)) &&
         run(scene, tool, "rotation first", first, COUNT(first));
}

static bool check(graze_scene *scene, const graze_compound *fixture, const graze_compound *tool) {
  const graze_shape cutting = graze_compound_shape(tool);
  /* The fixture touches the workpiece intentionally: their masks exclude that pair. */
  part parts[PARTS] = {
      {"fixture", fixture_names, graze_compound_shape(fixture), graze_pose_at(0, 0, 0), FIXTURE, OTHER},
      {"workpiece", NULL, graze_box(25, 15, 7), graze_pose_at(0, 0, 7), WORKPIECE, OTHER},
      {"probe", NULL, graze_capsule(3, 12), graze_pose_at(0, 20, 20), OTHER, ALL},
      {"guard", NULL, graze_box(12, 1, 15), graze_pose_at(-8, -17.9, 20), OTHER, ALL},
      {"nozzle", NULL, graze_cone(4, 6), graze_pose_at(-50, 12, 30), OTHER, ALL},
  };
  for (int i = 0; i < PARTS; i++)
    if (!add(scene, &parts[i])) return false;
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
