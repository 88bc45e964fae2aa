/* FCL with its default solver (its own descendant of libccd's). https://github.com/flexible-collision-library/fcl */
#include "../contestant.h"

#include <cmath>
#include <exception>
#include <fcl/fcl.h>
#include <memory>
#include <vector>

namespace {

using Object = fcl::CollisionObjectd;

std::shared_ptr<fcl::CollisionGeometryd> convex(const bench_hull &hull) {
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  auto faces = std::make_shared<std::vector<int>>();
  for (int i = 0; i < hull.vertex_count; i++)
    vertices->emplace_back(hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z);
  for (int i = 0; i < hull.face_count; i++)
    faces->insert(faces->end(), {3, hull.faces[3 * i], hull.faces[3 * i + 1], hull.faces[3 * i + 2]});
  return std::make_shared<fcl::Convexd>(vertices, hull.face_count, faces);
}

struct Scene {
  std::vector<std::shared_ptr<fcl::CollisionGeometryd>> hulls;
  std::vector<std::unique_ptr<Object>> objects;

  std::shared_ptr<fcl::CollisionGeometryd> shape(const bench_pair &pair, int side) const {
    const double *s = pair.size[side];
    switch (pair.kind[side]) {
    case BENCH_BOX: return std::make_shared<fcl::Boxd>(2 * s[0], 2 * s[1], 2 * s[2]);
    case BENCH_SPHERE: return std::make_shared<fcl::Sphered>(s[0]);
    case BENCH_CAPSULE: return std::make_shared<fcl::Capsuled>(s[0], 2 * s[1]);
    case BENCH_CYLINDER: return std::make_shared<fcl::Cylinderd>(s[0], 2 * s[1]);
    case BENCH_ELLIPSOID: return std::make_shared<fcl::Ellipsoidd>(s[0], s[1], s[2]);
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
    fcl::Transform3d placement = fcl::Transform3d::Identity();
    placement.translation() = fcl::Vector3d(p[0], p[1], p[2]);
    placement.linear() = fcl::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix();
    scene->objects.push_back(std::make_unique<Object>(scene->shape(pair, static_cast<int>(i % 2)), placement));
  }
  return scene.release();
}

double collide(const Object *a, const Object *b, bool depth, double normal[3]) {
  fcl::CollisionResultd result;
  bool meet = fcl::collide(a, b, fcl::CollisionRequestd(1, depth), result) != 0;
  if (!depth) return !meet;
  if (!meet) return NAN;
  const fcl::Contactd &contact = result.getContact(0);
  for (int i = 0; i < 3; i++) normal[i] = contact.normal[i];
  return -contact.penetration_depth;
}

double ask(void *context, size_t pair, bench_question question, double normal[3]) {
  const Scene *scene = static_cast<const Scene *>(context);
  const Object *a = scene->objects[2 * pair].get(), *b = scene->objects[2 * pair + 1].get();
  try {
    if (question != BENCH_DISTANCE) return collide(a, b, question == BENCH_DEPTH, normal);
    fcl::DistanceResultd result;
    return fcl::distance(a, b, fcl::DistanceRequestd(), result);
  } catch (const std::exception &) { return NAN; }
}

void release(void *context) { delete static_cast<Scene *>(context); }

bool fits(const bench_workload *) { return true; }

} // namespace

extern "C" const bench_contestant bench_fcl = {
    "fcl", {"collide", "distance", "collide with one contact: normal, a point"}, fits, prepare, ask, release};
