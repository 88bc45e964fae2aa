/* The GJK and EPA of Jolt, in floats, convex radii 0. https://github.com/jrouwe/JoltPhysics */
#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Geometry/ConvexSupport.h>
#include <Jolt/Geometry/EPAPenetrationDepth.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/CylinderShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/Collision/Shape/TriangleShape.h>
#include <Jolt/RegisterTypes.h>

#include "../contestant.h"

#include <cmath>
#include <memory>
#include <vector>

namespace {

using namespace JPH;

float scalar(double value) { return static_cast<float>(value); }

Vec3 vector(const graze_vec &v) { return Vec3(scalar(v.x), scalar(v.y), scalar(v.z)); }

/* NULL: Jolt makes no hull. */
Ref<ConvexShape> shape(const bench_workload *workload, size_t pair, int side) {
  const double *s = workload->pairs[pair].size[side];
  const bench_hull *hull = bench_hull_of(workload, pair, side);
  switch (workload->pairs[pair].kind[side]) {
  case BENCH_BOX: return new BoxShape(Vec3(scalar(s[0]), scalar(s[1]), scalar(s[2])), 0);
  case BENCH_SPHERE: return new SphereShape(scalar(s[0]));
  case BENCH_CAPSULE: return new CapsuleShape(scalar(s[1]), scalar(s[0]));
  case BENCH_CYLINDER: return new CylinderShape(scalar(s[1]), scalar(s[0]), 0);
  case BENCH_TRIANGLE:
    return new TriangleShape(vector(hull->vertices[0]), vector(hull->vertices[1]), vector(hull->vertices[2]), 0);
  default: {
    Array<Vec3> points;
    for (int i = 0; i < hull->vertex_count; i++) points.push_back(vector(hull->vertices[i]));
    ConvexHullShapeSettings settings(points, 0);
    settings.mHullTolerance = 1e-5f;
    const ShapeSettings::ShapeResult result = settings.Create();
    return result.IsValid() ? static_cast<ConvexShape *>(result.Get().GetPtr()) : nullptr;
  }
  }
}

/* Capsules and cylinders of Jolt are along y, those of the workload along z. Shapes are about their center of mass. */
Mat44 placement(const bench_pair &pair, int side, const ConvexShape *made) {
  const double *p = pair.body[side].position, *origin = pair.body[0].position, *q = pair.body[side].rotation;
  const bool turns = pair.kind[side] == BENCH_CAPSULE || pair.kind[side] == BENCH_CYLINDER;
  Quat rotation = Quat(scalar(q[0]), scalar(q[1]), scalar(q[2]), scalar(q[3])).Normalized();
  if (turns) rotation = rotation * Quat::sRotation(Vec3::sAxisX(), 0.5f * JPH_PI);
  const Vec3 position(scalar(p[0] - origin[0]), scalar(p[1] - origin[1]), scalar(p[2] - origin[2]));
  return Mat44::sRotationTranslation(rotation, position).PreTranslated(made ? made->GetCenterOfMass() : Vec3::sZero());
}

struct Pair {
  Ref<ConvexShape> a, b;
  Mat44 b_to_a;
  Quat rotation; /* of A */
};

void *prepare(const bench_workload *workload) {
  if (!Factory::sInstance) {
    RegisterDefaultAllocator();
    Factory::sInstance = new Factory;
    RegisterTypes();
  }
  auto pairs = std::make_unique<std::vector<Pair>>();
  for (size_t i = 0; i < workload->pair_count; i++) {
    const bench_pair &pair = workload->pairs[i];
    const Ref<ConvexShape> a = shape(workload, i, 0), b = shape(workload, i, 1);
    const Mat44 place_a = placement(pair, 0, a), place_b = placement(pair, 1, b);
    pairs->push_back({a, b, place_a.InversedRotationTranslation() * place_b, place_a.GetQuaternion()});
  }
  return pairs.release();
}

double query(void *context, size_t index, bench_query kind, double normal[3]) {
  using Mode = ConvexShape::ESupportMode;
  const Pair &pair = (*static_cast<std::vector<Pair> *>(context))[index];
  const Vec3 scale = Vec3::sReplicate(1);
  ConvexShape::SupportBuffer buffers[4];
  Vec3 axis = Vec3::sAxisX(), point_a, point_b;
  if (!pair.a || !pair.b) return NAN;
  const ConvexShape::Support *a = pair.a->GetSupportFunction(Mode::ExcludeConvexRadius, buffers[0], scale);
  const ConvexShape::Support *b = pair.b->GetSupportFunction(Mode::ExcludeConvexRadius, buffers[1], scale);
  const TransformedConvexObject<ConvexShape::Support> placed_b(pair.b_to_a, *b);
  const float radius_a = a->GetConvexRadius(), radius_b = b->GetConvexRadius(), radius = radius_a + radius_b;
  EPAPenetrationDepth epa;
  GJKClosestPoint gjk;
  if (kind == BENCH_DISTANCE || (kind == BENCH_INTERSECT && radius > 0)) {
    const float most = kind == BENCH_DISTANCE ? FLT_MAX : radius * radius;
    const float square = gjk.GetClosestPoints(*a, placed_b, 1e-6f, most, axis, point_a, point_b);
    if (kind == BENCH_INTERSECT) return square > most;
    return static_cast<double>(std::sqrt(square) - radius);
  }
  if (kind == BENCH_INTERSECT) return !gjk.Intersects(*a, placed_b, 1e-6f, axis);
  const ConvexShape::Support *full_a = pair.a->GetSupportFunction(Mode::IncludeConvexRadius, buffers[2], scale);
  const ConvexShape::Support *full_b = pair.b->GetSupportFunction(Mode::IncludeConvexRadius, buffers[3], scale);
  const TransformedConvexObject<ConvexShape::Support> placed_full(pair.b_to_a, *full_b);
  if (!epa.GetPenetrationDepth(*a, *full_a, radius_a, placed_b, placed_full, radius_b, 1e-6f * 1e-6f, FLT_EPSILON, axis,
                               point_a, point_b))
    return NAN;
  const Vec3 world = pair.rotation * axis.NormalizedOr(Vec3::sZero());
  for (uint i = 0; i < 3; i++) normal[i] = static_cast<double>(world[i]);
  return -static_cast<double>((point_b - point_a).Length());
}

void release(void *context) { delete static_cast<std::vector<Pair> *>(context); }

bool fits(const bench_workload *workload) {
  for (size_t i = 0; i < workload->hull_count; i++)
    if (workload->hulls[i].vertex_count > ConvexHullShape::cMaxPointsInHull) return false;
  return bench_is_spatial(workload) && !bench_has(workload, BENCH_HALFSPACE) && !bench_has(workload, BENCH_CONE) &&
         !bench_has(workload, BENCH_ELLIPSOID);
}

} // namespace

extern "C" const bench_contestant bench_jolt = {
    "jolt", {"GJKClosestPoint", "GJKClosestPoint: normal, witnesses", "EPAPenetrationDepth: normal, witnesses"},
    fits,   prepare,
    query,  release,
    true};
