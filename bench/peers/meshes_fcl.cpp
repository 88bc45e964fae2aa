/* FCL. https://github.com/flexible-collision-library/fcl */
#include "meshes_fcl.hpp"

#include <fcl/fcl.h>

namespace {

struct Kit {
  using Model = fcl::BVHModel<fcl::OBBRSSd>;
  using Object = fcl::CollisionObjectd;
  using Point = fcl::Vector3d;
  using Face = fcl::Triangle;

  static Object *place(const std::shared_ptr<Model> &model, const double *p, const double *q) {
    auto *object = new Object(model);
    object->setTransform(fcl::Quaterniond(q[3], q[0], q[1], q[2]), fcl::Vector3d(p[0], p[1], p[2]));
    return object;
  }

  static size_t collide(void *a, void *b, size_t most, bool contacts) {
    fcl::CollisionResultd result;
    fcl::collide(static_cast<Object *>(a), static_cast<Object *>(b), fcl::CollisionRequestd(most, contacts), result);
    return contacts ? result.numContacts() : result.isCollision();
  }

  static double distance(void *a, void *b) {
    fcl::DistanceResultd result;
    return fcl::distance(static_cast<Object *>(a), static_cast<Object *>(b), fcl::DistanceRequestd(true), result);
  }
};

using Meshes = FclMeshes<Kit>;

} // namespace

extern "C" const mesh_peer mesh_fcl = {"fcl",          false,         Meshes::build,    Meshes::release, Meshes::place,
                                       Meshes::remove, Meshes::first, Meshes::contacts, Kit::distance,   nullptr};
