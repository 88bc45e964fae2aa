/* Bullet in doubles, or in floats (bullet_single.c), margins 0: its GJK for distances, its box-box test.
 * https://github.com/bulletphysics/bullet3 */
#include "../contestant.h"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>
#include <cmath>
#include <memory>
#include <vector>

namespace {

struct Scene {
  std::vector<std::unique_ptr<btConvexShape>> shapes;
  std::vector<btTransform> placements, ends; /* ends: the final pose of B, one per pair */
};

btScalar scalar(double value) { return static_cast<btScalar>(value); }

btVector3 vector(double x, double y, double z) { return btVector3(scalar(x), scalar(y), scalar(z)); }

btConvexShape *shape(const bench_workload *workload, const bench_pair &pair, int side) {
  const double *s = pair.size[side];
  switch (pair.kind[side]) {
  case BENCH_BOX: return new btBoxShape(vector(s[0], s[1], s[2]));
  case BENCH_SPHERE: return new btSphereShape(scalar(s[0]));
  case BENCH_CAPSULE: return new btCapsuleShapeZ(scalar(s[0]), scalar(2 * s[1]));
  case BENCH_CONE: return new btConeShapeZ(scalar(s[0]), scalar(2 * s[1]));
  case BENCH_CYLINDER: return new btCylinderShapeZ(vector(s[0], s[0], s[1]));
  case BENCH_TRIANGLE: {
    const graze_vec *v = workload->hulls[pair.hull[side]].vertices;
    return new btTriangleShape(vector(v[0].x, v[0].y, v[0].z), vector(v[1].x, v[1].y, v[1].z),
                               vector(v[2].x, v[2].y, v[2].z));
  }
  default: {
    const bench_hull &hull = workload->hulls[pair.hull[side]];
    btConvexHullShape *made = new btConvexHullShape();
    for (int i = 0; i < hull.vertex_count; i++)
      made->addPoint(vector(hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z), false);
    made->recalcLocalAabb();
    return made;
  }
  }
}

void *prepare(const bench_workload *workload) {
  auto scene = std::make_unique<Scene>();
  for (size_t i = 0; i < 2 * workload->pair_count; i++) {
    const bench_pair &pair = workload->pairs[i / 2];
    const double *p = pair.body[i % 2].position, *q = pair.body[i % 2].rotation;
    scene->shapes.emplace_back(shape(workload, pair, static_cast<int>(i % 2)));
    if (pair.kind[i % 2] != BENCH_SPHERE && pair.kind[i % 2] != BENCH_CAPSULE) scene->shapes.back()->setMargin(0);
    scene->placements.emplace_back(btQuaternion(scalar(q[0]), scalar(q[1]), scalar(q[2]), scalar(q[3])),
                                   vector(p[0], p[1], p[2]));
  }
  for (size_t i = 0; i < workload->pair_count; i++) {
    const double *v = workload->pairs[i].velocity;
    btTransform end = scene->placements[2 * i + 1];
    end.setOrigin(end.getOrigin() + vector(v[0], v[1], v[2]));
    scene->ends.push_back(end);
  }
  return scene.release();
}

template <class Detector> double detect(Detector &detector, const Scene *scene, size_t pair, double normal[3]) {
  btDiscreteCollisionDetectorInterface::ClosestPointInput input;
  input.m_transformA = scene->placements[2 * pair];
  input.m_transformB = scene->placements[2 * pair + 1];
  btPointCollector collector;
  detector.getClosestPoints(input, collector, nullptr);
  for (int i = 0; i < 3; i++) normal[i] = -collector.m_normalOnBInWorld[i];
  return collector.m_hasResult ? collector.m_distance : 1;
}

double query_gjk(void *context, size_t pair, bench_query query, double normal[3]) {
  const Scene *scene = static_cast<const Scene *>(context);
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  btGjkPairDetector detector(scene->shapes[2 * pair].get(), scene->shapes[2 * pair + 1].get(), &simplex,
                             query == BENCH_DEPTH ? &depth : nullptr);
  return detect(detector, scene, pair, normal);
}

double query_epa(void *context, size_t pair, bench_query, double normal[3]) {
  const Scene *scene = static_cast<const Scene *>(context);
  const btTransform &a = scene->placements[2 * pair], &b = scene->placements[2 * pair + 1];
  btGjkEpaSolver2::sResults results;
  if (!btGjkEpaSolver2::Penetration(scene->shapes[2 * pair].get(), a, scene->shapes[2 * pair + 1].get(), b,
                                    b.getOrigin() - a.getOrigin(), results))
    return NAN;
  btVector3 world = a.getBasis() * results.normal; /* in the frame of A, towards A */
  for (int i = 0; i < 3; i++) normal[i] = -world[i];
  return results.distance;
}

double query_boxes(void *context, size_t pair, bench_query, double normal[3]) {
  const Scene *scene = static_cast<const Scene *>(context);
  btBoxBoxDetector detector(static_cast<const btBoxShape *>(scene->shapes[2 * pair].get()),
                            static_cast<const btBoxShape *>(scene->shapes[2 * pair + 1].get()));
  return detect(detector, scene, pair, normal);
}

void release(void *context) { delete static_cast<Scene *>(context); }

bool fits(const bench_workload *workload) {
  return bench_is_spatial(workload) && !bench_has(workload, BENCH_ELLIPSOID) && !bench_has(workload, BENCH_HALFSPACE);
}

/* B moves, A is at rest. */
double cast(btConvexCast &&method, const Scene *scene, size_t pair) {
  const btTransform &a = scene->placements[2 * pair], &b = scene->placements[2 * pair + 1];
  btConvexCast::CastResult result;
  return method.calcTimeOfImpact(a, a, b, scene->ends[pair], result) ? result.m_fraction : HUGE_VAL;
}

double query_continuous(void *context, size_t pair, bench_query, double[3]) {
  const Scene *scene = static_cast<const Scene *>(context);
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  return cast(
      btContinuousConvexCollision(scene->shapes[2 * pair].get(), scene->shapes[2 * pair + 1].get(), &simplex, &depth),
      scene, pair);
}

double query_subsimplex(void *context, size_t pair, bench_query, double[3]) {
  const Scene *scene = static_cast<const Scene *>(context);
  btVoronoiSimplexSolver simplex;
  return cast(btSubsimplexConvexCast(scene->shapes[2 * pair].get(), scene->shapes[2 * pair + 1].get(), &simplex), scene,
              pair);
}

constexpr bool IS_SINGLE = sizeof(btScalar) == sizeof(float);

} // namespace

extern "C" const bench_contestant bench_bullet_gjk = {
    "bullet-gjk",
    {nullptr, "btGjkPairDetector: normal, a point", "btGjkPairDetector with btGjkEpaPenetrationDepthSolver: the same"},
    fits,
    prepare,
    query_gjk,
    release,
    IS_SINGLE};
extern "C" const bench_contestant bench_bullet_epa = {
    "bullet-epa", {nullptr, nullptr, "btGjkEpaSolver2::Penetration: normal, witnesses"},
    fits,         prepare,
    query_epa,    release,
    IS_SINGLE};
extern "C" const bench_contestant bench_bullet_boxes = {"bullet-boxes",
                                                        {"btBoxBoxDetector (SAT): also depth, normal and a manifold",
                                                         nullptr, "btBoxBoxDetector (SAT): normal, a manifold"},
                                                        bench_is_boxes,
                                                        prepare,
                                                        query_boxes,
                                                        release,
                                                        IS_SINGLE};
extern "C" const bench_contestant bench_bullet_continuous = {
    "bullet-cont",
    {nullptr, nullptr, nullptr, nullptr, "btContinuousConvexCollision: normal, a point"},
    fits,
    prepare,
    query_continuous,
    release,
    IS_SINGLE};
extern "C" const bench_contestant bench_bullet_subsimplex = {
    "bullet-subs",
    {nullptr, nullptr, nullptr, nullptr, "btSubsimplexConvexCast: normal, a point"},
    fits,
    prepare,
    query_subsimplex,
    release,
    IS_SINGLE};
