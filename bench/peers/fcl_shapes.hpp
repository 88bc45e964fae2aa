/* The types and hulls of FCL. https://github.com/flexible-collision-library/fcl
 * For fcl_scene.hpp and queries_fcl.hpp. */
#ifndef GRAZE_BENCH_FCL_SHAPES_HPP
#define GRAZE_BENCH_FCL_SHAPES_HPP

#include "../workload.h"

#include <fcl/fcl.h>
#include <memory>
#include <vector>

struct FclShapes {
  using Geometry = fcl::CollisionGeometryd;
  using Object = fcl::CollisionObjectd;
  using Box = fcl::Boxd;
  using Sphere = fcl::Sphered;
  using Capsule = fcl::Capsuled;
  using Cylinder = fcl::Cylinderd;
  using Cone = fcl::Coned;
  using Ellipsoid = fcl::Ellipsoidd;

  static std::shared_ptr<Geometry> convex(const bench_hull &hull) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (int i = 0; i < hull.vertex_count; i++)
      vertices->emplace_back(hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z);
    for (int i = 0; i < hull.face_count; i++)
      faces->insert(faces->end(), {3, hull.faces[3 * i], hull.faces[3 * i + 1], hull.faces[3 * i + 2]});
    return std::make_shared<fcl::Convexd>(vertices, hull.face_count, faces);
  }
};

#endif
