/* FCL with its default solver (its own descendant of libccd's). https://github.com/flexible-collision-library/fcl */
#include "fcl_scene.hpp"
#include "fcl_shapes.hpp"


namespace {

struct Kit : FclShapes {
  static std::shared_ptr<Geometry> halfspace() { return std::make_shared<fcl::Halfspaced>(fcl::Vector3d(0, 0, 1), 0); }

  static std::unique_ptr<Object> object(const std::shared_ptr<Geometry> &shape, const bench_body &body) {
    const double *p = body.position, *q = body.rotation;
    fcl::Transform3d placement = fcl::Transform3d::Identity();
    placement.translation() = fcl::Vector3d(p[0], p[1], p[2]);
    placement.linear() = fcl::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix();
    return std::make_unique<Object>(shape, placement);
  }

  static double collide(const Object *a, const Object *b, bool depth, double normal[3]) {
    fcl::CollisionResultd result;
    bool collides = fcl::collide(a, b, fcl::CollisionRequestd(1, depth), result) != 0;
    if (!depth) return !collides;
    if (!collides) return NAN;
    const fcl::Contactd &contact = result.getContact(0);
    for (int i = 0; i < 3; i++) normal[i] = contact.normal[i];
    return -contact.penetration_depth;
  }

  static double distance(const Object *a, const Object *b) {
    if (a->getNodeType() == fcl::GEOM_HALFSPACE) return NAN; /* fcl::distance() crashes */
    fcl::DistanceResultd result;
    return fcl::distance(a, b, fcl::DistanceRequestd(), result);
  }

  static double cast(const Object *a, const Object *b, const Object *end) {
    fcl::ContinuousCollisionRequestd request(10, 1e-4, fcl::CCDM_TRANS, fcl::GST_LIBCCD,
                                             fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide(a, a->getTransform(), b, end->getTransform(), request, result);
    return result.is_collide ? result.time_of_contact : HUGE_VAL;
  }
};

using Scene = FclScene<Kit>;

} // namespace

extern "C" const bench_contestant bench_fcl = {
    "fcl",
    {"collide", "distance", "collide with one contact: normal, a point", nullptr,
     "continuousCollide: conservative advancement, 10 iterations, error 1e-4 (the defaults), CCDM_TRANS"},
    Scene::fits,
    Scene::prepare,
    Scene::run_query,
    Scene::release,
    false};
