/* Bodies that slide over a floor of triangles: no inner edge stops, slows or lifts them. The floor is a sheet or the
 * top of a solid, level or tilted; tilted vertices are rounded, so the triangles are not exactly in one plane. */

#include <graze/mesh.h>
#include <graze/scene.h>

#include "support/test.h"
#include "support/geometry.h"
#include "support/query.h"

enum { CELLS = 24, SIDE = CELLS + 1, STEPS = 120 };

typedef enum floor_kind { SHEET, SOLID, RAMP } floor_kind;

static graze_vec vertices[2 * SIDE * SIDE];
static int32_t faces[12 * CELLS * CELLS + 24 * CELLS];
static int corner_count;

static void add_face(int a, int b, int c) {
  faces[corner_count++] = a, faces[corner_count++] = b, faces[corner_count++] = c;
}

/* A wall below the edge of the floor from a to b, which has the floor on its left. */
static void add_wall(int a, int b) {
  const int below = SIDE * SIDE;
  add_face(a, below + a, below + b), add_face(a, below + b, b);
}

static int vertex(int i, int k) { return i * SIDE + k; }

/* Cells of size 0.5, their diagonals in both directions; x from -1 to 11, y from -6 to 6. RAMP: from x = 1.5 to 2
 * the floor rises by 0.05. */
static graze_mesh *make_floor(floor_kind kind, const graze_pose *tilt) {
  const int below = SIDE * SIDE;
  corner_count = 0;
  for (int i = 0; i < SIDE; i++) {
    for (int k = 0; k < SIDE; k++) {
      const double x = 0.5 * i - 1, y = 0.5 * k - 6, z = kind == RAMP && x >= 2 ? 0.05 : 0;
      vertices[vertex(i, k)] = rotated(tilt, vec(x, y, z));
      vertices[below + vertex(i, k)] = rotated(tilt, vec(x, y, -1));
    }
  }
  for (int i = 0; i < CELLS; i++) {
    for (int k = 0; k < CELLS; k++) {
      const int a = vertex(i, k), b = vertex(i + 1, k), c = vertex(i + 1, k + 1), d = vertex(i, k + 1);
      const bool turned = (i + k) % 2 == 0;
      add_face(a, b, turned ? c : d), add_face(turned ? a : b, c, d);
      if (kind == SOLID) add_face(below + a, below + c, below + b), add_face(below + a, below + d, below + c);
    }
  }
  for (int i = 0; i < CELLS && kind == SOLID; i++) {
    add_wall(vertex(i, 0), vertex(i + 1, 0)), add_wall(vertex(i + 1, CELLS), vertex(i, CELLS));
    add_wall(vertex(CELLS, i), vertex(CELLS, i + 1)), add_wall(vertex(0, i + 1), vertex(0, i));
  }
  const size_t vertex_count = (kind == SOLID ? 2 : 1) * SIDE * SIDE;
  const graze_mesh_def def = {.dim = 3,
                              .vertices = vertices,
                              .vertex_count = vertex_count,
                              .faces = faces,
                              .face_count = (size_t)corner_count / 3};
  graze_mesh *mesh;
  assert_int_equal(graze_mesh_create(&def, NULL, &mesh, NULL), GRAZE_OK);
  assert_true(graze_mesh_is_solid(mesh) == (kind == SOLID));
  return mesh;
}

/* ---- Bodies on it */

static const struct {
  const char *name;
  double height;
  graze_vec spin; /* the ball rolls, the cylinder turns about its axis */
  double most;    /* the deviation. The normal of a cylinder is that of a time before the contact, by 2^-26 of the time
                     in which the bodies pass each other (ccd/cast.c), and each of 120 steps has a response */
} sliders[] = {{"box", 0.2, {0, 0, 0}, 1e-8}, {"ball", 0.25, {0, 4, 0}, 1e-8}, {"cylinder", 0.2, {0, 0, 1}, 0x1p-20}};

static graze_shape slider_shape(size_t i) {
  return i == 0 ? graze_box(0.5, 0.3, 0.2) : i == 1 ? graze_sphere(0.25) : graze_cylinder(0.2, 0.2);
}

/* The product of two rotations: first q, then p. */
static graze_pose turned(const graze_pose *p, const graze_pose *q) {
  graze_pose r = *q;
  r.w = p->w * q->w - p->x * q->x - p->y * q->y - p->z * q->z;
  r.x = p->w * q->x + p->x * q->w + p->y * q->z - p->z * q->y;
  r.y = p->w * q->y - p->x * q->z + p->y * q->w + p->z * q->x;
  r.z = p->w * q->z + p->x * q->y - p->y * q->x + p->z * q->w;
  return r;
}

typedef struct slide {
  graze_vec end, velocity; /* in the frame of the floor */
  double highest;
  int contacts, tilted; /* contacts that began; those whose normal is not that of the floor */
} slide;

/* Slides a body by (2, about 0.5) in two seconds, `gap` above the floor at first, pressed down in each step. */
static slide run(floor_kind kind, const graze_pose *tilt, size_t which, double yaw, double gap) {
  slide result = {.highest = -1};
  graze_scene *scene;
  graze_body ground, body;
  graze_step step;
  graze_mesh *mesh = make_floor(kind, tilt);
  const graze_vec up = rotated(tilt, vec(0, 0, 1));
  assert_int_equal(graze_scene_create(NULL, NULL, &scene, NULL), GRAZE_OK);
  graze_body_def def = graze_default_body();
  def.type = GRAZE_STATIC, def.shape = graze_mesh_shape(mesh);
  assert_int_equal(graze_scene_add(scene, &def, &ground, NULL), GRAZE_OK);
  def = graze_default_body();
  const graze_vec start = vec(yaw / 10, 0, sliders[which].height + gap);
  graze_pose yawed = graze_pose_identity();
  if (which == 0) yawed.z = yaw / 2;
  def.shape = slider_shape(which);
  def.pose = turned(tilt, &yawed);
  def.pose.position = rotated(tilt, start);
  def.motion = (graze_motion){rotated(tilt, vec(1, 0.25, -0.5)), rotated(tilt, sliders[which].spin)};
  assert_int_equal(graze_scene_add(scene, &def, &body, NULL), GRAZE_OK);
  for (int i = 0; i < STEPS; i++) {
    assert_int_equal(graze_scene_step(scene, 1 / 60.0, &step, NULL), GRAZE_OK);
    for (size_t k = 0; k < step.event_count; k++) {
      if (step.events[k].kind != GRAZE_EVENT_BEGIN) continue;
      result.contacts++;
      result.tilted += !(fabs(dot(step.events[k].normal, up)) > 1 - 1e-6);
    }
    assert_int_equal(graze_scene_get(scene, body, &def), GRAZE_OK);
    result.highest = fmax(result.highest, dot(def.pose.position, up));
    const graze_motion down = {add_scaled(def.motion.velocity, -0.5 - dot(def.motion.velocity, up), up),
                               def.motion.angular};
    assert_int_equal(graze_scene_set_motion(scene, body, &down, NULL), GRAZE_OK);
  }
  const graze_pose back = {.w = tilt->w, .x = -tilt->x, .y = -tilt->y, .z = -tilt->z};
  result.end = sub(rotated(&back, def.pose.position), start);
  result.velocity = rotated(&back, def.motion.velocity);
  graze_scene_destroy(scene);
  graze_mesh_destroy(mesh);
  return result;
}

TEST(bodies_slide_over_inner_edges) {
  const graze_pose tilts[3] = {{.w = 1}, {.w = 1, .y = 0.15}, {.w = 3, .x = 1, .y = -0.5, .z = 2}};
  int contacts = 0;
  for (int i = 0; i < tiered(18, 36, 360); i++) {
    const graze_pose *tilt = &tilts[i % 3];
    const floor_kind kind = i / 3 % 2 == 0 ? SHEET : SOLID;
    for (size_t which = 0; which < COUNT(sliders); which++) {
      const slide s = run(kind, tilt, which, 0.21 * i, i % 2 == 0 ? 0 : 1e-3);
      contacts += s.contacts;
      const double most = sliders[which].most;
      if (!(fabs(s.end.x - 2) < most && fabs(s.end.y - 0.5) < most))
        fail_msg("%s, case %d: moved by %.17g, %.17g", sliders[which].name, i, s.end.x, s.end.y);
      assert_true(fabs(s.velocity.x - 1) < most && fabs(s.velocity.y - 0.25) < most);
      assert_true(s.highest <= sliders[which].height + 1.1e-3 && s.end.z > -1.1e-3);
      assert_int_equal(s.tilted, 0);
    }
  }
  assert_true(contacts >= tiered(18, 36, 360));
}

/* A ramp does stop a box: the test above would see an edge. */
TEST(a_ramp_stops_a_box) {
  const graze_pose level = graze_pose_identity();
  const slide s = run(RAMP, &level, 0, 0, 1e-3);
  assert_true(s.end.x < 1 && s.velocity.x < 0);
}
