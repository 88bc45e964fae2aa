/* Box2D 2.4, in floats, on polygons with radius 0: b2Distance and b2ShapeCast for any number of vertices,
 * b2CollidePolygons with the manifold, b2TimeOfImpact. https://github.com/erincatto/box2d */
#include "../contestant.h"

#include <box2d/b2_collision.h>
#include <box2d/b2_distance.h>
#include <box2d/b2_polygon_shape.h>
#include <box2d/b2_time_of_impact.h>
#include <cfloat>
#include <cmath>
#include <memory>
#include <vector>

namespace {

struct Body {
  std::vector<b2Vec2> vertices;
  b2DistanceProxy proxy;
  b2PolygonShape polygon;
  b2Transform placement;
  b2Sweep sweep;
};

struct Scene {
  std::vector<Body> bodies;
  std::vector<b2Vec2> displacements; /* of B, one per pair */
};

/* The contact threshold of b2TestOverlap(). */
constexpr float TOUCHING = 10 * FLT_EPSILON;

bool fits_few(const bench_workload *workload) {
  return bench_is_planar(workload) && workload->hulls[0].vertex_count <= b2_maxPolygonVertices;
}

void place(Body &body, const bench_workload *workload, size_t pair, int side) {
  const bench_body &from = workload->pairs[pair].body[side];
  const bench_hull *hull = bench_hull_of(workload, pair, side);
  const double z = from.rotation[2], w = from.rotation[3];
  for (int i = 0; i < hull->vertex_count; i++)
    body.vertices.emplace_back(static_cast<float>(hull->vertices[i].x), static_cast<float>(hull->vertices[i].y));
  body.proxy.Set(body.vertices.data(), hull->vertex_count, 0);
  if (hull->vertex_count <= b2_maxPolygonVertices) body.polygon.Set(body.vertices.data(), hull->vertex_count);
  body.polygon.m_radius = 0;
  body.placement.p.Set(static_cast<float>(from.position[0]), static_cast<float>(from.position[1]));
  body.placement.q.s = static_cast<float>(2 * w * z);
  body.placement.q.c = static_cast<float>(w * w - z * z);
  body.sweep.localCenter.SetZero();
  body.sweep.c0 = body.sweep.c = body.placement.p;
  body.sweep.a0 = body.sweep.a = static_cast<float>(2 * std::atan2(z, w));
  body.sweep.alpha0 = 0;
}

void *prepare(const bench_workload *workload) {
  auto scene = std::make_unique<Scene>();
  scene->bodies.resize(2 * workload->pair_count);
  for (size_t i = 0; i < workload->pair_count; i++) {
    const double *v = workload->pairs[i].velocity;
    for (int side = 0; side < 2; side++) place(scene->bodies[2 * i + static_cast<size_t>(side)], workload, i, side);
    scene->displacements.emplace_back(static_cast<float>(v[0]), static_cast<float>(v[1]));
    scene->bodies[2 * i + 1].sweep.c += scene->displacements.back();
  }
  return scene.release();
}

double distance(const Body &a, const Body &b) {
  b2DistanceInput input;
  input.proxyA = a.proxy;
  input.proxyB = b.proxy;
  input.transformA = a.placement;
  input.transformB = b.placement;
  input.useRadii = false;
  b2SimplexCache cache;
  cache.count = 0;
  b2DistanceOutput output;
  b2Distance(&output, &cache, &input);
  return output.distance;
}

/* It returns false for an initial overlap as well as for a miss. */
double cast(const Body &a, const Body &b, const b2Vec2 &displacement) {
  b2ShapeCastInput input;
  input.proxyA = a.proxy;
  input.proxyB = b.proxy;
  input.transformA = a.placement;
  input.transformB = b.placement;
  input.translationB = displacement;
  b2ShapeCastOutput output;
  if (b2ShapeCast(&output, &input)) return output.lambda;
  return distance(a, b) < TOUCHING ? 0 : HUGE_VAL;
}

double run_query(void *context, size_t pair, bench_query query, double[3]) {
  const Scene *scene = static_cast<const Scene *>(context);
  const Body &a = scene->bodies[2 * pair], &b = scene->bodies[2 * pair + 1];
  if (query == BENCH_CAST) return cast(a, b, scene->displacements[pair]);
  const double found = distance(a, b);
  return query == BENCH_INTERSECT ? found >= TOUCHING : found;
}

double query_sat(void *context, size_t pair, bench_query query, double normal[3]) {
  const Scene *scene = static_cast<const Scene *>(context);
  const Body &a = scene->bodies[2 * pair], &b = scene->bodies[2 * pair + 1];
  b2Manifold manifold;
  b2CollidePolygons(&manifold, &a.polygon, a.placement, &b.polygon, b.placement);
  if (query == BENCH_INTERSECT) return manifold.pointCount == 0;
  if (manifold.pointCount == 0) return NAN;
  b2WorldManifold world;
  world.Initialize(&manifold, a.placement, 0, b.placement, 0);
  normal[0] = world.normal.x, normal[1] = world.normal.y;
  return manifold.pointCount == 1 ? world.separations[0] : b2Min(world.separations[0], world.separations[1]);
}

double query_toi(void *context, size_t pair, bench_query, double[3]) {
  const Scene *scene = static_cast<const Scene *>(context);
  b2TOIInput input;
  input.proxyA = scene->bodies[2 * pair].proxy;
  input.proxyB = scene->bodies[2 * pair + 1].proxy;
  input.sweepA = scene->bodies[2 * pair].sweep;
  input.sweepB = scene->bodies[2 * pair + 1].sweep;
  input.tMax = 1;
  b2TOIOutput output;
  b2TimeOfImpact(&output, &input);
  switch (output.state) {
  case b2TOIOutput::e_touching: return output.t;
  case b2TOIOutput::e_overlapped: return 0;
  case b2TOIOutput::e_separated: return HUGE_VAL;
  default: return NAN;
  }
}

void release(void *context) { delete static_cast<Scene *>(context); }

} // namespace

extern "C" const bench_contestant bench_box2d = {"box2d",
                                                 {"b2Distance, no radii: distance, witnesses",
                                                  "b2Distance, no radii: distance, witnesses", nullptr, nullptr,
                                                  "b2ShapeCast, and b2Distance if it returns false; stops 0.01 before"},
                                                 bench_is_planar,
                                                 prepare,
                                                 run_query,
                                                 release,
                                                 true};
extern "C" const bench_contestant bench_box2d_sat = {
    "box2d-sat",
    {"b2CollidePolygons: also a manifold", nullptr, nullptr, "b2CollidePolygons, b2WorldManifold: normal, contacts"},
    fits_few,
    prepare,
    query_sat,
    release,
    true};
extern "C" const bench_contestant bench_box2d_toi = {
    "box2d-toi",
    {nullptr, nullptr, nullptr, nullptr, "b2TimeOfImpact; stops 0.005 before"},
    bench_is_planar,
    prepare,
    query_toi,
    release,
    true};
