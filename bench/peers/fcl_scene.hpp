/* Pairs for libraries with the class structure of FCL, such as Coal. A Kit provides:
 *   types     Geometry, Object, Box, Sphere, Capsule, Cylinder, Cone, Ellipsoid
 *   functions convex(hull), halfspace(), object(shape, body), collide(a, b, depth, normal), distance(a, b) and cast(a, b, end of b)
 */
#ifndef GRAZE_BENCH_FCL_SCENE_HPP
#define GRAZE_BENCH_FCL_SCENE_HPP

#include "../contestant.h"

#include <cmath>
#include <exception>
#include <memory>
#include <vector>

template <class Kit> struct FclScene {
  using Shape = std::shared_ptr<typename Kit::Geometry>;

  std::vector<Shape> hulls;
  std::vector<std::unique_ptr<typename Kit::Object>> objects;
  std::vector<std::unique_ptr<typename Kit::Object>> ends; /* B at its final pose, one per pair */

  Shape shape(const bench_pair &pair, int side) const {
    const double *s = pair.size[side];
    switch (pair.kind[side]) {
    case BENCH_BOX: return std::make_shared<typename Kit::Box>(2 * s[0], 2 * s[1], 2 * s[2]);
    case BENCH_SPHERE: return std::make_shared<typename Kit::Sphere>(s[0]);
    case BENCH_CAPSULE: return std::make_shared<typename Kit::Capsule>(s[0], 2 * s[1]);
    case BENCH_CYLINDER: return std::make_shared<typename Kit::Cylinder>(s[0], 2 * s[1]);
    case BENCH_CONE: return std::make_shared<typename Kit::Cone>(s[0], 2 * s[1]);
    case BENCH_HALFSPACE: return Kit::halfspace();
    case BENCH_ELLIPSOID: return std::make_shared<typename Kit::Ellipsoid>(s[0], s[1], s[2]);
    default: return hulls[static_cast<size_t>(pair.hull[side])];
    }
  }

  static void *prepare(const bench_workload *workload) {
    auto scene = std::make_unique<FclScene>();
    for (size_t i = 0; i < workload->hull_count; i++) scene->hulls.push_back(Kit::convex(workload->hulls[i]));
    for (size_t i = 0; i < 2 * workload->pair_count; i++) {
      const bench_pair &pair = workload->pairs[i / 2];
      scene->objects.push_back(Kit::object(scene->shape(pair, static_cast<int>(i % 2)), pair.body[i % 2]));
    }
    for (size_t i = 0; bench_moves(workload) && i < workload->pair_count; i++) {
      const bench_pair &pair = workload->pairs[i];
      bench_body end = pair.body[1];
      for (int k = 0; k < 3; k++) end.position[k] += pair.velocity[k];
      scene->ends.push_back(Kit::object(scene->shape(pair, 1), end));
    }
    return scene.release();
  }

  static double run_query(void *context, size_t pair, bench_query query, double normal[3]) {
    const FclScene *scene = static_cast<const FclScene *>(context);
    const auto *a = scene->objects[2 * pair].get(), *b = scene->objects[2 * pair + 1].get();
    try {
      if (query == BENCH_CAST) return Kit::cast(a, b, scene->ends[pair].get());
      return query == BENCH_DISTANCE ? Kit::distance(a, b) : Kit::collide(a, b, query == BENCH_DEPTH, normal);
    } catch (const std::exception &) { return NAN; }
  }

  static void release(void *context) { delete static_cast<FclScene *>(context); }

  static bool fits(const bench_workload *workload) { return bench_is_spatial(workload); }
};

#endif
