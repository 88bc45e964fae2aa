/* Coal (once HPP-FCL) with its default solver: GJK and EPA. https://github.com/coal-library/coal */
#include "fcl_scene.hpp"
#include "coal_shapes.hpp"

#include <cstring>

namespace {

struct Kit : CoalShapes {
  static std::shared_ptr<Geometry> halfspace() { return std::make_shared<coal::Halfspace>(coal::Vec3s(0, 0, 1), 0); }

  static std::unique_ptr<Object> object(const std::shared_ptr<Geometry> &shape, const bench_body &body) {
    const double *p = body.position, *q = body.rotation;
    coal::Transform3s placement(coal::Quatf(q[3], q[0], q[1], q[2]).normalized(), coal::Vec3s(p[0], p[1], p[2]));
    return std::make_unique<Object>(shape, placement);
  }

  static double collide(const Object *a, const Object *b, bool depth, double normal[3]) {
    coal::CollisionRequest request(depth ? coal::CONTACT : coal::NO_REQUEST, 1);
    coal::CollisionResult result;
    bool collides = coal::collide(a, b, request, result) != 0;
    if (!depth) return !collides;
    if (!collides) return NAN;
    const coal::Contact &contact = result.getContact(0);
    for (int i = 0; i < 3; i++) normal[i] = contact.normal[i];
    return contact.penetration_depth;
  }

  static double distance(const Object *a, const Object *b) {
    coal::DistanceRequest request(true, false);
    coal::DistanceResult result;
    return coal::distance(a, b, request, result);
  }

  static double cast(const Object *, const Object *, const Object *) { return NAN; } /* not supported */
};

using Scene = FclScene<Kit>;

/* Starts from the result of the previous query. */
struct Warm {
  Scene *scene;
  coal::DistanceRequest request{true, false};

  static void *prepare(const bench_workload *workload) {
    auto warm = new Warm{static_cast<Scene *>(Scene::prepare(workload))};
    warm->request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
    return warm;
  }

  static double run_query(void *context, size_t pair, bench_query, double[3]) {
    Warm *warm = static_cast<Warm *>(context);
    coal::DistanceResult result;
    const auto &objects = warm->scene->objects;
    const double found = coal::distance(objects[2 * pair].get(), objects[2 * pair + 1].get(), warm->request, result);
    warm->request.updateGuess(result);
    return found;
  }

  static void release(void *context) {
    Warm *warm = static_cast<Warm *>(context);
    Scene::release(warm->scene);
    delete warm;
  }

  static bool fits(const bench_workload *workload) { return std::strcmp(workload->name, "w4") == 0; }
};

} // namespace

extern "C" const bench_contestant bench_coal = {
    "coal",
    {"collide without contacts", "distance: normal, witnesses", "collide with one contact: normal, witnesses"},
    Scene::fits,
    Scene::prepare,
    Scene::run_query,
    Scene::release,
    false};
extern "C" const bench_contestant bench_coal_warm = {"coal-warm",
                                                     {nullptr, "distance with CachedGuess: normal, witnesses"},
                                                     Warm::fits,
                                                     Warm::prepare,
                                                     Warm::run_query,
                                                     Warm::release,
                                                     false};
