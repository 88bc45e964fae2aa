/* FCL. https://github.com/flexible-collision-library/fcl */
#include "fcl_shapes.hpp"
#include "queries_fcl.hpp"


namespace {

struct Kit : FclShapes {
  using Manager = fcl::DynamicAABBTreeCollisionManagerd;

  static std::unique_ptr<Object> object(const std::shared_ptr<Geometry> &shape) {
    return std::make_unique<Object>(shape);
  }

  static void place(Object &object, const double *p, const double *q) {
    object.setTransform(fcl::Quaterniond(q[3], q[0], q[1], q[2]), fcl::Vector3d(p[0], p[1], p[2]));
    object.computeAABB();
  }

  struct Search {
    double clearance, least;
    size_t most, count;
  };

  static bool collide(Object *a, Object *b, void *context) {
    auto *search = static_cast<Search *>(context);
    fcl::CollisionResultd result;
    search->count += fcl::collide(a, b, fcl::CollisionRequestd(), result) > 0;
    return search->count >= search->most;
  }

  static bool compare(Object *a, Object *b, void *context, double &bound) {
    auto *search = static_cast<Search *>(context);
    fcl::DistanceResultd result;
    search->least = std::min(search->least, fcl::distance(a, b, fcl::DistanceRequestd(), result));
    search->count = search->least <= search->clearance;
    bound = std::max(search->clearance, search->least);
    return search->count > 0;
  }

  /* FCL has no overlap with a clearance: a positive one is a search for the nearest body that ends early. */
  static size_t count(const Manager &manager, Object *object, double clearance, size_t most) {
    Search search{clearance, HUGE_VAL, most, 0};
    if (clearance > 0)
      manager.distance(object, &search, compare);
    else
      manager.collide(object, &search, collide);
    return search.count;
  }

  static double nearest(const Manager &manager, Object *object) {
    Search search{0, HUGE_VAL, 1, 0};
    manager.distance(object, &search, compare);
    return search.least;
  }
};

using World = FclWorld<Kit>;

} // namespace

extern "C" const query_peer query_fcl = {"fcl",      false,       false,   true,          World::missing, World::make,
                                         World::add, World::step, nullptr, World::answer, World::release};
