/* Bullet in doubles: btCollisionWorld with btDbvtBroadphase, box-box manifolds. */
#include "../cubes.h"

#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

namespace {

struct Finder {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btCollisionWorld world{&dispatcher, &broadphase, &configuration};
  std::vector<std::unique_ptr<btBoxShape>> shapes;
  std::vector<std::unique_ptr<btCollisionObject>> objects;
  size_t moving = 0;

  ~Finder() {
    for (auto &object : objects) world.removeCollisionObject(object.get());
  }
};

btTransform place(const bench_cube &cube) {
  const double *p = cube.position, *q = cube.rotation;
  return btTransform(btQuaternion(q[0], q[1], q[2], q[3]), btVector3(p[0], p[1], p[2]));
}

void *make(const bench_cubes *cubes, int) {
  auto self = std::make_unique<Finder>();
  self->moving = cubes->moving;
  self->world.setForceUpdateAllAabbs(false);
  for (size_t i = 0; i < cubes->count; i++) {
    const bench_cube &cube = cubes->cube[i];
    self->shapes.push_back(std::make_unique<btBoxShape>(btVector3(cube.half, cube.half, cube.half)));
    self->shapes.back()->setMargin(0);
    self->objects.push_back(std::make_unique<btCollisionObject>());
    btCollisionObject &object = *self->objects.back();
    const bool still = i >= cubes->moving;
    object.setCollisionShape(self->shapes.back().get());
    object.setWorldTransform(place(cube));
    if (still) object.setCollisionFlags(btCollisionObject::CF_STATIC_OBJECT);
    if (still) object.setActivationState(ISLAND_SLEEPING);
    const int others = btBroadphaseProxy::AllFilter ^ (still ? btBroadphaseProxy::StaticFilter : 0);
    self->world.addCollisionObject(&object, still ? btBroadphaseProxy::StaticFilter : btBroadphaseProxy::DefaultFilter,
                                   others);
  }
  return self.release();
}

void update(void *context, const bench_cubes *cubes) {
  Finder *self = static_cast<Finder *>(context);
  for (size_t i = 0; i < self->moving; i++) self->objects[i]->setWorldTransform(place(cubes->cube[i]));
  self->world.updateAabbs();
}

/* The part of performDiscreteCollisionDetection() after updateAabbs(). */
size_t find(void *context) {
  Finder *self = static_cast<Finder *>(context);
  self->world.computeOverlappingPairs();
  self->dispatcher.dispatchAllCollisionPairs(self->broadphase.getOverlappingPairCache(), self->world.getDispatchInfo(),
                                             &self->dispatcher);
  size_t count = 0;
  for (int i = 0; i < self->dispatcher.getNumManifolds(); i++) {
    const btPersistentManifold *manifold = self->dispatcher.getManifoldByIndexInternal(i);
    bool collides = false;
    for (int k = 0; k < manifold->getNumContacts(); k++) collides |= manifold->getContactPoint(k).getDistance() <= 0;
    count += collides;
  }
  return count;
}

void release(void *context) { delete static_cast<Finder *>(context); }

} // namespace

extern "C" const bench_finder bench_find_bullet = {"bullet", SIZE_MAX, make, update, find, release};
