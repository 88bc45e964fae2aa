/* Coal. https://github.com/coal-library/coal */
#include "coal_shapes.hpp"
#include "queries_fcl.hpp"

#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>

namespace {

struct Kit : CoalShapes {
  using Manager = coal::DynamicAABBTreeCollisionManager;

  static std::unique_ptr<Object> object(const std::shared_ptr<Geometry> &shape) {
    return std::make_unique<Object>(shape);
  }

  static void place(Object &object, const double *p, const double *q) {
    object.setTransform(coal::Transform3s(coal::Quatf(q[3], q[0], q[1], q[2]), coal::Vec3s(p[0], p[1], p[2])));
    object.computeAABB();
  }

  struct Overlap final : coal::CollisionCallBackBase {
    coal::CollisionRequest request{coal::NO_REQUEST, 1};
    size_t most = 1, found = 0;

    bool collide(Object *a, Object *b) override {
      coal::CollisionResult result;
      found += coal::collide(a, b, request, result) > 0;
      return found >= most;
    }
  };

  static size_t count(const Manager &manager, Object *object, double clearance, size_t most) {
    Overlap search;
    search.most = most;
    search.request.security_margin = clearance;
    if (clearance > 0) object->getAABB().expand(clearance);
    manager.collide(object, &search);
    return search.found;
  }

  struct Nearest final : coal::DistanceCallBackBase {
    double least = HUGE_VAL;

    bool distance(Object *a, Object *b, double &bound) override {
      coal::DistanceResult result;
      least = std::min(least, coal::distance(a, b, coal::DistanceRequest(true, false), result));
      bound = least;
      return least <= 0;
    }
  };

  static double nearest(const Manager &manager, Object *object) {
    Nearest search;
    manager.distance(object, &search);
    return search.least;
  }
};

using World = FclWorld<Kit>;

} // namespace

extern "C" const query_peer query_coal = {"coal",     false,       false,   true,          World::missing, World::make,
                                          World::add, World::step, nullptr, World::answer, World::release};
