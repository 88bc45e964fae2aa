/* Coal. https://github.com/coal-library/coal */
#include "meshes_fcl.hpp"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>

namespace {

struct Kit {
  using Model = coal::BVHModel<coal::OBBRSS>;
  using Object = coal::CollisionObject;
  using Point = coal::Vec3s;
  using Face = coal::Triangle;

  static Object *place(const std::shared_ptr<Model> &model, const double *p, const double *q) {
    auto *object = new Object(model);
    object->setTransform(coal::Transform3s(coal::Quatf(q[3], q[0], q[1], q[2]), coal::Vec3s(p[0], p[1], p[2])));
    return object;
  }

  static size_t collide(void *a, void *b, size_t most, bool contacts) {
    const coal::CollisionRequest request(contacts ? coal::CONTACT : coal::NO_REQUEST, most);
    coal::CollisionResult result;
    coal::collide(static_cast<Object *>(a), static_cast<Object *>(b), request, result);
    return contacts ? result.numContacts() : result.isCollision();
  }

  static double distance(void *a, void *b) {
    coal::DistanceResult result;
    return coal::distance(static_cast<Object *>(a), static_cast<Object *>(b), coal::DistanceRequest(true, false), result);
  }
};

using Meshes = FclMeshes<Kit>;

} // namespace

extern "C" const mesh_peer mesh_coal = {"coal",         false,         Meshes::build,    Meshes::release, Meshes::place,
                                        Meshes::remove, Meshes::first, Meshes::contacts, Kit::distance,   nullptr};
