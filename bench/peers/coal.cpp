/* Coal (once HPP-FCL) with its default solver: GJK and EPA. https://github.com/coal-library/coal */
#include "../contestant.h"

#include <cmath>
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>
#include <exception>
#include <memory>
#include <vector>

namespace {

using Shape = std::shared_ptr<coal::CollisionGeometry>;

Shape convex(const bench_hull &hull) {
  auto vertices = std::make_shared<std::vector<coal::Vec3s>>();
  auto faces = std::make_shared<std::vector<coal::Triangle>>();
  for (int i = 0; i < hull.vertex_count; i++)
    vertices->emplace_back(hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z);
  for (int i = 0; i < 3 * hull.face_count; i += 3)
    faces->emplace_back(hull.faces[i], hull.faces[i + 1], hull.faces[i + 2]);
  return std::make_shared<coal::Convex<coal::Triangle>>(vertices, hull.vertex_count, faces, hull.face_count);
}

struct Scene {
  std::vector<Shape> hulls;
  std::vector<std::unique_ptr<coal::CollisionObject>> objects;

  Shape shape(const bench_pair &pair, int side) const {
    const double *s = pair.size[side];
    switch (pair.kind[side]) {
    case BENCH_BOX: return std::make_shared<coal::Box>(2 * s[0], 2 * s[1], 2 * s[2]);
    case BENCH_SPHERE: return std::make_shared<coal::Sphere>(s[0]);
    case BENCH_CAPSULE: return std::make_shared<coal::Capsule>(s[0], 2 * s[1]);
    case BENCH_CYLINDER: return std::make_shared<coal::Cylinder>(s[0], 2 * s[1]);
    case BENCH_ELLIPSOID: return std::make_shared<coal::Ellipsoid>(s[0], s[1], s[2]);
    default: return hulls[static_cast<size_t>(pair.hull[side])];
    }
  }
};

void *prepare(const bench_workload *workload) {
  auto scene = std::make_unique<Scene>();
  for (size_t i = 0; i < workload->hull_count; i++) scene->hulls.push_back(convex(workload->hulls[i]));
  for (size_t i = 0; i < 2 * workload->pair_count; i++) {
    const bench_pair &pair = workload->pairs[i / 2];
    const double *p = pair.body[i % 2].position, *q = pair.body[i % 2].rotation;
    coal::Transform3s placement(coal::Quatf(q[3], q[0], q[1], q[2]).normalized(), coal::Vec3s(p[0], p[1], p[2]));
    scene->objects.push_back(
        std::make_unique<coal::CollisionObject>(scene->shape(pair, static_cast<int>(i % 2)), placement));
  }
  return scene.release();
}

double collide(const coal::CollisionObject *a, const coal::CollisionObject *b, bool depth, double normal[3]) {
  coal::CollisionRequest request(depth ? coal::CONTACT : coal::NO_REQUEST, 1);
  coal::CollisionResult result;
  bool meet = coal::collide(a, b, request, result) != 0;
  if (!depth) return !meet;
  if (!meet) return NAN;
  const coal::Contact &contact = result.getContact(0);
  for (int i = 0; i < 3; i++) normal[i] = contact.normal[i];
  return contact.penetration_depth;
}

double ask(void *context, size_t pair, bench_question question, double normal[3]) {
  const Scene *scene = static_cast<const Scene *>(context);
  const coal::CollisionObject *a = scene->objects[2 * pair].get(), *b = scene->objects[2 * pair + 1].get();
  try {
    if (question != BENCH_DISTANCE) return collide(a, b, question == BENCH_DEPTH, normal);
    coal::DistanceRequest request(true, false);
    coal::DistanceResult result;
    return coal::distance(a, b, request, result);
  } catch (const std::exception &) { return NAN; }
}

void release(void *context) { delete static_cast<Scene *>(context); }

bool fits(const bench_workload *) { return true; }

} // namespace

extern "C" const bench_contestant bench_coal = {
    "coal", {"collide without contacts", "distance: normal, witnesses", "collide with one contact: normal, witnesses"},
    fits,   prepare,
    ask,    release};
