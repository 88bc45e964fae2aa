/* Jolt, in floats. Hulls and boxes without a convex radius. https://github.com/jrouwe/JoltPhysics */
#include "../queries.h"

#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Character/CharacterVirtual.h>
#include <Jolt/Physics/Collision/CastResult.h>
#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionCollectorImpl.h>
#include <Jolt/Physics/Collision/RayCast.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/RotatedTranslatedShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/Collision/ShapeCast.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace JPH;

Vec3 vector(const double *v) { return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])}; }

Quat rotation(const double *q) {
  return Quat(static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]), static_cast<float>(q[3]))
      .Normalized();
}

Ref<Shape> made(const ShapeSettings::ShapeResult &result) {
  if (result.IsValid()) return result.Get();
  std::fprintf(stderr, "queries: jolt: %s\n", result.GetError().c_str());
  std::exit(1);
}

/* Capsules of Jolt are along y, those of the world along z. */
Ref<Shape> capsule(const double *s) {
  const Ref<Shape> upright = new CapsuleShape(static_cast<float>(s[1]), static_cast<float>(s[0]));
  return made(
      RotatedTranslatedShapeSettings(Vec3::sZero(), Quat::sRotation(Vec3::sAxisX(), 0.5f * JPH_PI), upright).Create());
}

Ref<Shape> hull(const double (*vertices)[3], int count) {
  Array<Vec3> points;
  for (int i = 0; i < count; i++) points.push_back(vector(vertices[i]));
  ConvexHullShapeSettings settings(points, 0);
  settings.mHullTolerance = 1e-5f;
  return made(settings.Create());
}

Ref<Shape> shape_of(const query_body &body) {
  if (body.shape == QUERY_BOX) return new BoxShape(vector(body.size), 0);
  if (body.shape == QUERY_BALL) return new SphereShape(static_cast<float>(body.size[0]));
  if (body.shape == QUERY_CAPSULE) return capsule(body.size);
  return hull(body.vertices, body.vertex_count);
}

/* One layer: all bodies are static. */
class Layers final : public BroadPhaseLayerInterface,
                     public ObjectVsBroadPhaseLayerFilter,
                     public ObjectLayerPairFilter {
public:
  uint GetNumBroadPhaseLayers() const override { return 1; }
  BroadPhaseLayer GetBroadPhaseLayer(ObjectLayer) const override { return BroadPhaseLayer(0); }
  bool ShouldCollide(ObjectLayer, BroadPhaseLayer) const override { return true; }
  bool ShouldCollide(ObjectLayer, ObjectLayer) const override { return true; }
};

struct World {
  const query_world *world;
  Layers layers;
  TempAllocatorImpl temporary{1 << 24};
  PhysicsSystem system;
  std::vector<Ref<Shape>> shapes;
  Ref<Shape> overlap = new BoxShape(vector(query_overlap_box), 0), cast = new BoxShape(vector(query_cast_box), 0);
  Ref<Shape> ball = new SphereShape(static_cast<float>(QUERY_RADIUS)), character = capsule(query_character);
  Ref<Shape> links[2];
  std::vector<Ref<CharacterVirtual>> characters;
};

void *make(const query_world *world) {
  if (!Factory::sInstance) {
    RegisterDefaultAllocator();
    Factory::sInstance = new Factory;
    RegisterTypes();
  }
  auto *self = new World;
  self->world = world;
  self->links[0] = capsule(query_link_capsule);
  self->links[1] = hull(world->link, QUERY_LINK_VERTICES);
  const uint count = static_cast<uint>(world->count);
  self->system.Init(count, 0, 1024, 1024, self->layers, self->layers, self->layers);
  for (size_t i = 0; i < world->count; i++) self->shapes.push_back(shape_of(world->bodies[i]));
  return self;
}

void add(void *context, size_t index) {
  auto *self = static_cast<World *>(context);
  const query_body &body = self->world->bodies[index];
  const BodyCreationSettings settings(self->shapes[index], vector(body.position), rotation(body.rotation),
                                      EMotionType::Static, 0);
  self->system.GetBodyInterfaceNoLock().CreateAndAddBody(settings, EActivation::DontActivate);
}

void step(void *context) { static_cast<World *>(context)->system.OptimizeBroadPhase(); }

void place(void *context, const scene_query *moves, size_t count) {
  auto *self = static_cast<World *>(context);
  CharacterVirtualSettings settings;
  settings.mShape = self->character;
  settings.mMaxSlopeAngle = JPH_PI; /* slides along all bodies */
  settings.mSupportingVolume = Plane(Vec3::sAxisY(), -1e6f);
  self->characters.clear();
  for (size_t i = 0; i < count; i++) {
    self->characters.push_back(
        new CharacterVirtual(&settings, vector(moves[i].position), rotation(moves[i].rotation), &self->system));
    self->characters[i]->SetLinearVelocity(vector(moves[i].motion));
  }
}

double move(World *self, size_t index, double end[3]) {
  CharacterVirtual *character = self->characters[index];
  character->Update(1, Vec3::sZero(), {}, {}, {}, {}, self->temporary);
  const RVec3 position = character->GetPosition();
  for (int i = 0; i < 3; i++) end[i] = static_cast<double>(position[static_cast<uint>(i)]);
  return 0;
}

double cast(const NarrowPhaseQuery &queries, const Shape *shape, const scene_query *query) {
  const RMat44 start = RMat44::sRotationTranslation(rotation(query->rotation), vector(query->position));
  const RShapeCast ray = RShapeCast::sFromWorldTransform(shape, Vec3::sReplicate(1), start, vector(query->motion));
  ShapeCastSettings settings;
  settings.mCollisionTolerance = 1e-6f; /* the default of 1e-4 exceeds the allowed error */
  settings.mBackFaceModeConvex = EBackFaceMode::CollideWithBackFaces; /* reports bodies that overlap at first */
  ClosestHitCollisionCollector<CastShapeCollector> closest;
  queries.CastShape(ray, settings, RVec3::sZero(), closest);
  return closest.HadHit() ? static_cast<double>(closest.mHit.mFraction) : HUGE_VAL;
}

/* Bodies nearer than the clearance. */
template <class Collector>
void overlap(const NarrowPhaseQuery &queries, const Shape *shape, double clearance, const scene_query *query,
             Collector &collector) {
  const RMat44 place = RMat44::sRotationTranslation(rotation(query->rotation), vector(query->position)) *
                       Mat44::sTranslation(shape->GetCenterOfMass());
  CollideShapeSettings settings;
  settings.mMaxSeparationDistance = static_cast<float>(clearance);
  queries.CollideShape(shape, Vec3::sReplicate(1), place, settings, RVec3::sZero(), collector);
}

double robot(const NarrowPhaseQuery &queries, const World *self, const scene_query *links) {
  int near = 0;
  for (int i = 0; i < QUERY_LINKS; i++) {
    AnyHitCollisionCollector<CollideShapeCollector> any;
    overlap(queries, self->links[i % 2], QUERY_CLEARANCE, &links[i], any);
    near += any.HadHit();
  }
  return near;
}

double answer(void *context, query_kind kind, size_t index, const scene_query *query, double end[3]) {
  auto *self = static_cast<World *>(context);
  const NarrowPhaseQuery &queries = self->system.GetNarrowPhaseQueryNoLock();
  AllHitCollisionCollector<CollideShapeCollector> all;
  AnyHitCollisionCollector<CollideShapeCollector> any;
  switch (kind) {
  case QUERY_RAY: {
    RayCastResult hit;
    const bool found = queries.CastRay(RRayCast(vector(query->position), vector(query->motion)), hit);
    return found ? static_cast<double>(hit.mFraction) : HUGE_VAL;
  }
  case QUERY_OVERLAP: overlap(queries, self->overlap, 0, query, all); return static_cast<double>(all.mHits.size());
  case QUERY_ANY: overlap(queries, self->overlap, 0, query, any); return any.HadHit();
  case QUERY_ROBOT: return robot(queries, self, query);
  case QUERY_BOX_CAST: return cast(queries, self->cast, query);
  case QUERY_BALL_CAST: return cast(queries, self->ball, query);
  default: return move(self, index, end);
  }
}

void release(void *context) { delete static_cast<World *>(context); }

} // namespace

extern "C" const query_peer query_jolt = {"jolt", true,  false,  true,   1u << QUERY_NEAREST, make, add,
                                          step,   place, answer, release};
