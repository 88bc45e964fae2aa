/* The types and hulls of Coal (once HPP-FCL). https://github.com/coal-library/coal
 * For fcl_scene.hpp and queries_fcl.hpp. */
#ifndef GRAZE_BENCH_COAL_SHAPES_HPP
#define GRAZE_BENCH_COAL_SHAPES_HPP

#include "../workload.h"

#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>
#include <memory>
#include <vector>

struct CoalShapes {
  using Geometry = coal::CollisionGeometry;
  using Object = coal::CollisionObject;
  using Box = coal::Box;
  using Sphere = coal::Sphere;
  using Capsule = coal::Capsule;
  using Cylinder = coal::Cylinder;
  using Cone = coal::Cone;
  using Ellipsoid = coal::Ellipsoid;

  static std::shared_ptr<Geometry> convex(const bench_hull &hull) {
    auto vertices = std::make_shared<std::vector<coal::Vec3s>>();
    auto faces = std::make_shared<std::vector<coal::Triangle>>();
    for (int i = 0; i < hull.vertex_count; i++)
      vertices->emplace_back(hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z);
    for (int i = 0; i < 3 * hull.face_count; i += 3)
      faces->emplace_back(hull.faces[i], hull.faces[i + 1], hull.faces[i + 2]);
    return std::make_shared<coal::Convex<coal::Triangle>>(vertices, hull.vertex_count, faces, hull.face_count);
  }
};

#endif
